"""Simulations with parameters, for numbers: run one, sweep a grid of them, or read their events into Spark."""

from __future__ import annotations

from ...engine.words import arguments
from ...engine.words.errors import LabError
from .measures import MEASURES, measure
from .ready import CHANNEL, EXPIRING, FILLING, SHARING, TRIGGERED
from .workload import Parameter, Workload

WORKLOADS = {each.name: each for each in (EXPIRING, TRIGGERED, CHANNEL, FILLING, SHARING)}


def names() -> list[str]:
    """The workloads and the scenarios, which take no parameters."""
    from ...lab import scenarios  # a process that only plans a read never needs the lab

    return [*WORKLOADS, *(name for name in scenarios.names() if name not in WORKLOADS)]


def find(name: str | Workload, called: str = "scenario") -> Workload:
    """A workload by name, a scenario's without parameters, or a Workload itself; LabError about `called` for others."""
    if isinstance(name, Workload):
        return name
    if name in WORKLOADS:
        return WORKLOADS[name]
    if name in names():
        return Workload(name, f"the scenario {name}", lambda lab, rng: lab.scenario(name))
    raise LabError(f"{called} must be one of {', '.join(names())}; got {name!r}")


arguments.checked_calls(__name__)
