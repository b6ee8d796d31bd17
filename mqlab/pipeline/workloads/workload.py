"""A workload: a simulation with parameters, which gives numbers rather than a story."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from math import inf, isfinite
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.words.errors import LabError, ProgramDied
from ...engine.world.clock import microseconds

if TYPE_CHECKING:
    from ...lab.lab import Lab

_YES_NO = {"true": True, "yes": True, "false": False, "no": False}


class Parameter(NamedTuple):
    """One parameter, with the type of its default: a number from `low` to `high`, or one of the words `choices`. MQ may
    refuse some of the values, such as an expiry time of 0: the refusal is a result."""

    name: str
    default: int | float | bool | str
    about: str
    unit: str = ""
    low: float = -inf
    high: float = inf
    choices: tuple[str, ...] = ()

    def checked(self, value: Any) -> Any:
        """The value as this parameter's type, from a value or its text; LabError for one it cannot have."""
        found = self._typed(value)
        if found is None or not (found in self.choices if self.choices else self.low <= found <= self.high):
            raise LabError(f"{self.name} must be {self.wanted}; got {value!r}. It is {self.about}")
        return found

    @property
    def wanted(self) -> str:
        """The values it can have, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if isinstance(self.default, bool):
            return "True or False"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        limits = [f"{self.low} or more"] * (self.low > -inf) + [f"at most {self.high}"] * (self.high < inf)
        return ", ".join([f"{kind} of {self.unit}" if self.unit else kind, *limits])

    def _typed(self, value: Any) -> Any:
        if self.choices:
            return value.upper() if isinstance(value, str) else None
        if isinstance(self.default, bool):
            return value if isinstance(value, bool) else _YES_NO.get(str(value).lower())
        if isinstance(value, bool):
            return None
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            return None
        if not isfinite(number):
            return None
        if isinstance(self.default, float):
            return number
        exact = isinstance(value, int) or str(value).lstrip("+-").isdecimal()
        return int(value) if exact else int(number) if number.is_integer() else None


SECOND = 1_000_000
DURATION = Parameter("duration", 60.0, "how long requests come and are served, simulated", "seconds", 0.001, 86_400)


class Workload:
    """A simulation with parameters: `build(lab, rng, **values)` fills an empty lab, with programs for what happens
    next; with a parameter "duration" (seconds), the lab then runs for so long. The same name, values, and seed give the
    same event log, byte for byte."""

    def __init__(self, name: str, about: str, build: Callable, parameters: Iterable[Parameter] = ()):
        self.name, self.about, self.build = name, about, build
        self.parameters = {each.name: each for each in parameters}
        if taken := [name for name in ("self", "lab", "rng", "seed") if name in self.parameters]:
            raise LabError(f"a parameter must have a name of its own; got {taken[0]}, an argument of every workload")

    def values(self, given: Mapping) -> dict:
        """Every parameter's value: those given, checked, and the defaults. LabError for a name or value it has not."""
        unknown = [name for name in given if name not in self.parameters]
        if unknown:
            there = ", ".join(self.parameters) or "none"
            raise LabError(f"parameters of {self.name} must be {there}; got {', '.join(map(repr, unknown))}")
        return {name: each.checked(given.get(name, each.default)) for name, each in self.parameters.items()}

    def new_lab(self, seed: int) -> Lab:
        """The lab that `build` fills."""
        from ...lab.lab import Lab  # as late as this: see `names`

        return Lab(seed=seed)

    def run(self, seed: int, **given: Any) -> Lab:
        """The lab at its end; LabError for wrong parameters."""
        values, lab = self.values(given), self.new_lab(seed)
        try:
            self.build(lab, Random(json.dumps([self.name, sorted(values.items()), seed])), **values)
            if DURATION.name in values:
                lab.advance_to(microseconds(values[DURATION.name], DURATION.name))
        except BaseException:
            lab.close()
            raise
        return lab

    def over(self, seed: int, **given: Any) -> closing[Lab]:
        """A ``with`` block that has the lab at its end, as `run` makes it, and closes it at its end."""
        return closing(self.run(seed, **given))

    def describe(self) -> str:
        """Its subject, and its parameters with their units, values and defaults."""
        lines = [f"  {each.name} = {each.default}: {each.about} ({each.wanted})" for each in self.parameters.values()]
        return "\n".join([f"{self.name}: {self.about}", *lines])

    def __repr__(self):
        return f"Workload({self.name!r})"


def failure(error: BaseException) -> tuple[str, str]:
    """The type of the error that ended a lab, and its text; for a program that died, the type of the cause."""
    known = error.__cause__ if isinstance(error, ProgramDied) and error.__cause__ is not None else error
    kind = type(known).__name__
    try:
        text = str(error) or kind
    except Exception as worse:  # noqa: BLE001  that its text cannot be had is all that can be said of it
        text = f"its text raised {type(worse).__name__}"
    return kind, text.encode("utf-8", "backslashreplace").decode("utf-8")  # a name of a file may be no text
