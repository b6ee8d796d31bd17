"""The simulated clock: SimPy with whole microseconds."""

from __future__ import annotations

import simpy

from .errors import LabError

__all__ = ["Clock", "microseconds"]

SECOND = 1_000_000
TENTH = 100_000


def microseconds(seconds: float, what: str = "seconds") -> int:
    """Turn `seconds` into whole microseconds; LabError unless it is a finite number of 0 or more.

    >>> microseconds(0.25)
    250000
    """
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < float("inf"):
        raise LabError(f"{what} wanted: a number of seconds, 0 or more; got {seconds!r}. Time only runs forward")
    return round(seconds * SECOND)


class Clock(simpy.Environment):
    """Simulated time as an integer: microseconds since the lab's start. Never the wall clock.

    `time_us` is the time now, as a plain attribute because every call of the MQI reads it.
    """

    def __init__(self):
        super().__init__()
        self.time_us = 0

    def step(self) -> None:
        """Let the next event happen."""
        self.time_us = self.peek()
        super().step()

    def advance_to(self, time_us: int) -> None:
        """Let everything due up to and including `time_us` (microseconds) happen, then stand at that time."""
        if time_us < self.time_us:
            raise LabError(f"time wanted: {self.time_us} us or later; got {time_us}. Time only runs forward")
        while self.peek() <= time_us:
            self.step()
        if time_us > self.time_us:
            self.run(until=time_us)

    def settle(self, until_us: int | None = None) -> None:
        """Run until nothing is left to happen, or nothing before `until_us` (microseconds)."""
        while self.peek() < float("inf"):
            if until_us is not None and self.peek() > until_us:
                self.advance_to(until_us)
                return
            self.step()

    def wait(self, event: simpy.Event, until_us: int) -> None:
        """Let time pass for everybody else until `event` has happened, at the latest until `until_us`."""
        while not event.triggered and self.peek() <= until_us:
            self.step()
        if not event.triggered:
            self.advance_to(until_us)
