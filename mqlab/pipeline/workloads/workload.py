"""A workload: a simulation with parameters, for numbers rather than for telling; and the parts it is made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from random import Random
from typing import Any, NamedTuple

from mqlab.lab.lab import Lab
from mqlab.mq.constants import MQRC_NO_MSG_AVAILABLE, MQRC_Q_FULL
from mqlab.mq.errors import LabError, MQError
from mqlab.sim.clock import microseconds


def exponential(rng: Random) -> float:
    """A draw from the exponential distribution with mean 1, by von Neumann's method.

    Runs of falling uniform numbers stand for the logarithm, whose last digit differs between machines.
    """
    whole = 0
    while True:
        first = last = rng.random()
        length = 1
        while (following := rng.random()) < last:
            last, length = following, length + 1
        if length % 2:
            return whole + first
        whole += 1


def moments(rng: Random, count: int, within: float) -> list[float]:
    """`count` moments of the time from 0 to `within`, ascending: those of a Poisson process, given how many."""
    return sorted(rng.random() * within for _ in range(count))


_YES_NO = {"true": True, "yes": True, "false": False, "no": False}


class Parameter(NamedTuple):
    """One parameter: its default (whose type is the parameter's), what it is, its unit and its values.

    `low` and `high` are the least and the greatest number it can be, `choices` the words. What MQ itself refuses, such
    as a lifetime of 0, is no matter of the range: that is a result.
    """

    name: str
    default: int | float | bool | str
    about: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def checked(self, value: Any) -> Any:
        """The value as this parameter's type, from a value or its text; LabError for one it cannot have."""
        found = self._typed(value)
        if found is None or (self.choices and found not in self.choices) or not self._within(found):
            raise LabError(f"{self.name} wanted: {self.wanted}; got {value!r}. It is {self.about}")
        return found

    @property
    def wanted(self) -> str:
        """The values it can have, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if isinstance(self.default, bool):
            return "True or False"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        limits = [f"{low} or more" for low in (self.low,) if low is not None]
        limits += [f"at most {high}" for high in (self.high,) if high is not None]
        return ", ".join([f"{kind} of {self.unit}" if self.unit else kind, *limits])

    def _typed(self, value: Any) -> Any:
        """The value as the type of the default, None if it is none of that type."""
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
        if number - number:  # neither infinity nor what is no number
            return None
        if isinstance(self.default, float):
            return number
        return int(number) if number.is_integer() else None

    def _within(self, value: Any) -> bool:
        """Whether a number is in the range; what is no number is."""
        if isinstance(value, bool | str):
            return True
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


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

    def begin(self, seed: int, **given: Any) -> tuple[Lab, int | None]:
        """A lab in which everything is set up, and when it ends in microseconds; None if it has ended already."""
        values, lab = self.values(given), Lab(seed=seed)
        self.build(lab, Random(json.dumps([self.name, sorted(values.items()), seed])), **values)
        return lab, microseconds(values[DURATION.name], DURATION.name) if DURATION.name in values else None

    def run(self, seed: int, **given: Any) -> Lab:
        """The lab when it is over. LabError for wrong parameters; what goes wrong in the lab is raised."""
        lab, end_us = self.begin(seed, **given)
        if end_us is not None:
            lab.advance_to(end_us)
        return lab

    @contextmanager
    def over(self, seed: int, **given: Any) -> Iterator[Lab]:
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


BODY = b"x" * 100
SECOND = 1_000_000

ARRIVALS = Parameter("arrival_rate", 2.0, "how many requests come, at random", "requests per second", 0.001, 10_000)
SERVICE = Parameter(
    "service_time", 0.4, "how long a server works on a request, on average, at random", "seconds", 0, 3600
)
DURATION = Parameter("duration", 60.0, "how long requests come and are served, simulated", "seconds", 0.001, 86_400)
"""The parameter that says how many simulated seconds a workload lasts."""


def lifetime(about: str = "the lifetime of a request, -1 unlimited", default: int = 20) -> Parameter:
    """The parameter `expiry`."""
    return Parameter("expiry", default, about, "tenths of a second", -1, 999_999_999)


def clients(rng: Random, queue: str, arrival_rate: float, end_us: int, **options: Any) -> Callable:
    """A program that puts requests at random until `end_us`; one that finds the queue full gives up that request."""

    def put_requests(app):
        lab = app.qmgr.lab
        with app.open(queue, output=True) as handle:
            while True:
                pause = exponential(rng) / arrival_rate
                if lab.now_us + pause * SECOND >= end_us:
                    return
                lab.advance(pause)
                try:
                    handle.put(BODY, **options)
                except MQError as refused:
                    if refused.reason != MQRC_Q_FULL:
                        raise

    return put_requests


def serve(
    app: Any, handle: Any, rng: Random, service_time: float, wait: float, most: int | None = None, units: bool = False
) -> None:
    """Get requests and work on each, until none comes for `wait` seconds or `most` are done; with `units` each in a
    unit of work that lasts as long as the work."""
    done = 0
    while most is None or done < most:
        unit = app.unit_of_work() if units else None
        try:
            handle.get(wait, unit=unit)
        except MQError as refused:
            if refused.reason != MQRC_NO_MSG_AVAILABLE:
                raise
            if unit is not None:
                unit.backout()
            return
        app.qmgr.lab.advance(exponential(rng) * service_time)
        if unit is not None:
            unit.commit()
        done += 1


def server(rng: Random, queue: str, service_time: float, end_us: int, units: bool = False) -> Callable:
    """A program that serves a queue from now until `end_us`."""

    def serve_queue(app):
        lab = app.qmgr.lab
        with app.open(queue, input="shared") as handle:
            while lab.now_us < end_us:
                serve(app, handle, rng, service_time, (end_us - lab.now_us) / SECOND, units=units)

    return serve_queue
