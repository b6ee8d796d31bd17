"""Workloads: simulations with parameters, for numbers rather than for telling."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from random import Random

from mqlab.lab.lab import Lab
from mqlab.mq.errors import LabError
from mqlab.pipeline.workloads.parameter import Parameter
from mqlab.sim.clock import microseconds

__all__ = ["DURATION", "Workload"]

DURATION = "duration"
"""The parameter that says how many simulated seconds a workload lasts."""


class Workload:
    """A simulation with parameters: `build(lab, rng, **values)` fills an empty lab, with programs for what comes.

    With a parameter called "duration" (seconds) the lab is then let run for so long; without one `build` lets time pass
    itself. All chance comes from `rng`, which is drawn from the name, the values and the seed: the same three give the
    same event log, to the byte.
    """

    def __init__(self, name: str, about: str, build: Callable, parameters: Iterable[Parameter] = ()):
        self.name, self.about, self.build = name, about, build
        self.parameters = {each.name: each for each in parameters}

    def values(self, given: Mapping) -> dict:
        """Every parameter's value: those given, checked, and the defaults. LabError for a name or value it has not."""
        unknown = [name for name in given if name not in self.parameters]
        if unknown:
            there = ", ".join(self.parameters) or "none"
            raise LabError(f"parameters of {self.name} wanted: {there}; got {', '.join(map(repr, unknown))}")
        return {name: each.checked(given.get(name, each.default)) for name, each in self.parameters.items()}

    def begin(self, seed: int, **given) -> tuple[Lab, int | None]:
        """A lab in which everything is set up, and when it ends in microseconds; None if it has ended already."""
        values, lab = self.values(given), Lab(seed=seed)
        self.build(lab, Random(json.dumps([self.name, sorted(values.items()), seed])), **values)
        return lab, microseconds(values[DURATION], DURATION) if DURATION in values else None

    def run(self, seed: int, **given) -> Lab:
        """The lab when it is over. LabError for wrong parameters; what goes wrong in the lab is raised."""
        lab, end_us = self.begin(seed, **given)
        if end_us is not None:
            lab.advance_to(end_us)
        return lab

    @contextmanager
    def over(self, seed: int, **given) -> Iterator[Lab]:
        """A ``with`` block that has the lab when it is over, as `run` makes it, and closes it at its end."""
        lab, end_us = self.begin(seed, **given)
        with closing(lab):
            if end_us is not None:
                lab.advance_to(end_us)
            yield lab

    def describe(self) -> str:
        """What it simulates, and its parameters with their units, values and defaults."""
        lines = [f"  {each.name} = {each.default}: {each.about} ({each.wanted})" for each in self.parameters.values()]
        return "\n".join([f"{self.name}: {self.about}", *lines])

    def __repr__(self):
        return f"Workload({self.name!r})"
