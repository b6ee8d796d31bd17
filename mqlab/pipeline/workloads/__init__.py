"""Simulations with parameters, for numbers: run one, sweep a grid of them (`mqlab.pipeline.sweep`), read their events
into Spark (`mqlab.pipeline.source`).

>>> from mqlab.pipeline import workloads
>>> lab = workloads.find("expiring").run(seed=1, expiry=20, arrival_rate=3)
>>> figures = workloads.measure(lab)
>>> figures["put"] == figures["got"] + figures["discarded"] + figures["waiting"]
True
"""

from __future__ import annotations

from importlib.util import find_spec

from mqlab.lab.lab import Lab
from mqlab.mq.errors import LabError
from mqlab.pipeline.workloads.measures import MEASURES, measure
from mqlab.pipeline.workloads.ready import CHANNEL, EXPIRING, FILLING, SHARING, TRIGGERED
from mqlab.pipeline.workloads.workload import Parameter, Workload

__all__ = ["MEASURES", "WORKLOADS", "Parameter", "Workload", "find", "measure", "names"]

WORKLOADS = {each.name: each for each in (EXPIRING, TRIGGERED, CHANNEL, FILLING, SHARING)}


def names() -> list[str]:
    """The workloads and, where this mqlab has any, the scenarios, which take no parameters."""
    return [*WORKLOADS, *(name for name in _scenarios() if name not in WORKLOADS)]


def find(name: str | Workload) -> Workload:
    """A workload by name; a scenario's name gives one without parameters, a Workload itself. LabError for others."""
    if isinstance(name, Workload):
        return name
    if name in WORKLOADS:
        return WORKLOADS[name]
    if name in _scenarios():
        return Workload(name, f"the scenario {name}", Told(name))
    raise LabError(f"scenario wanted: one of {', '.join(names())}; got {name!r}")


class Told:
    """Tells a scenario in an empty lab: a build function that can be sent to another process."""

    def __init__(self, scenario: str):
        self.scenario = scenario

    def __call__(self, lab: Lab, rng: object) -> None:
        lab.scenario(self.scenario)


def _scenarios() -> list[str]:
    """The names of the scenarios, none where this mqlab has no package of them."""
    if find_spec("mqlab.lab.scenarios") is None:
        return []
    from mqlab.lab import scenarios

    return list(scenarios.names())
