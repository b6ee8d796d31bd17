"""The simulated clock, SimPy with whole microseconds, and a guard against programs that keep each other busy."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import simpy

from ..words.arguments import at_least, require
from ..words.errors import LabError, NotSimulated, RunawayTrigger
from .interrupts import let_go
from .passing import Passing

SECOND = 1_000_000
TENTH = 100_000
MILLISECOND = 1_000
MOMENT_LIMIT = 100_000
"""How many steps of the clock one moment may take while the messages in the lab do not become fewer."""
NAMED = 4
"""How many programs RunawayTrigger names."""


def microseconds(seconds: float, what: str = "seconds") -> int:
    """Turn `seconds` into whole microseconds; LabError unless it is a number from 0 to 10**12.

    >>> microseconds(0.25)
    250000
    """
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds <= 10**12:
        wanted = f"a number of seconds, 0 or more; got {seconds!r} (at most 10**12)"
        raise LabError(f"{what} must be {wanted}. Time only runs forward")
    return round(seconds * SECOND)


class EndlessWait(LabError):
    """A wait without a limit, while nothing in the lab is left that could end it."""

    def __init__(self) -> None:
        super().__init__(
            "a wait without end: nothing in the lab is left that could bring a message. Give a wait interval"
        )


class Clock(simpy.Environment):
    """Simulated time as an integer: microseconds since the lab's start. Never the wall clock.

    `time_us` is the time now, as a plain attribute because every call of the MQI reads it. `count_step` is called at
    every step, with whether it is the first at its moment.
    """

    def __init__(self, count_step: Callable[[bool], None] = lambda moved_on: None):
        super().__init__()
        self.time_us: int = 0
        self._count_step, self.passing = count_step, Passing()
        # called before each step, to refuse it, where programs can perhaps not go on
        self.before_step: Callable[[], None] | None = None
        # how a program that waits hands over to the others; None while a person at the top level is calling
        self.park: Callable[[simpy.Event | None, int | None, bool], None] | None = None
        # what carries a program that begins now, if it is not the usual carrier
        self.carrier: Callable[[Callable[[], None]], Any] | None = None
        self._idle = 0
        self._stepping = False
        self._intervention: tuple[int, Callable[[], object]] | None = None

    def intervene(self, time_us: int, action: Callable[[], object]) -> None:
        """Have `action()` called once, when everything up to and including `time_us` has happened and time would go
        on; `intervene_now` calls it where time does not go on. No time can pass in it."""
        self._intervention = time_us, action

    def intervene_now(self) -> None:
        """Call what `intervene` was given, unless it has been called; `action` itself can give the next."""
        if self._intervention is None:
            return
        (time_us, action), self._intervention = self._intervention, None
        self._now = self.time_us = max(time_us, self.time_us)
        try:
            self._stepping = True
            action()
        finally:
            self._stepping = False

    def step(self) -> None:
        """Let the next event happen."""
        self._require_between_events()
        if self.before_step is not None:
            self.before_step()
        due: Any = self.peek()  # whole microseconds, or infinity
        while self._intervention is not None and due > self._intervention[0]:  # an action can give the next one
            self.intervene_now()
            due = self.peek()
        self._count_step(due > self.time_us)
        try:
            self.time_us, self._stepping = due, True
            super().step()
        finally:
            self._stepping = False
        let_go()

    def unbroken(self) -> AbstractContextManager[object]:
        """A ``with`` block whose calls Ctrl-C does not break off halfway; within a program that holds anyway. Raises
        Elsewhere for a caller that may not call now."""
        if self.park is None:
            return self.passing
        self.passing.require_here()
        return nullcontext()

    def _require_between_events(self) -> None:
        self.passing.require_here()
        if self._stepping:
            raise NotSimulated(
                "time cannot pass inside something that is itself happening at one moment. Let a program wait instead: "
                "qm.run_program(name, function)"
            )

    def advance_to(self, time_us: int) -> None:
        """Let everything due up to and including `time_us` (microseconds) happen, then stop at that time.

        Inside a program only that program sleeps until then.
        """
        if time_us < self.time_us:
            raise LabError(f"time must be {self.time_us} us or later; got {time_us}. Time only runs forward")
        if self.park is not None:
            self.park(None, time_us, False)
            return
        self._require_between_events()
        with self.passing:
            self._go_to(time_us)

    def _go_to(self, time_us: int) -> None:
        while self.peek() <= time_us:
            self.step()
        if self._intervention is not None and self._intervention[0] < time_us:
            self.intervene_now()
            self._go_to(time_us)
        # not back, if another thread has let time pass since the caller looked at the clock
        self._now = self.time_us = max(time_us, self.time_us)

    def settle(self, until_us: int | None = None) -> None:
        """Run until nothing is left to happen but idle timers, or nothing before `until_us` (microseconds)."""
        self._require_between_events()
        with self.passing:
            while not self.at_rest:
                if until_us is not None and self.peek() > until_us:
                    self._go_to(until_us)
                    return
                self.step()

    @property
    def at_rest(self) -> bool:
        """Whether nothing is left to happen but idle timers."""
        return len(self._queue) <= self._idle

    def idle(self, event: simpy.Event) -> None:
        """Count a scheduled event as one that `settle` need not wait for: a periodic timer, or a wait given up."""
        self._idle += 1
        event.callbacks.append(self._idle_over)

    def _idle_over(self, _event: simpy.Event) -> None:
        self._idle -= 1

    def wait(self, event: simpy.Event, until_us: int | None, idle: bool = False) -> None:
        """Let time pass for everybody else until `event` has happened, at the latest until `until_us`.

        `until_us` None waits forever: EndlessWait at the top level if nothing is left that could end the wait. `idle`
        says that `settle` need not let the time until then pass.
        """
        if self.park is not None:
            self.park(event, until_us, idle)
            return
        self._require_between_events()
        with self.passing:
            while not event.triggered:
                if until_us is not None and self.peek() > until_us:
                    self._go_to(until_us)
                    return
                if until_us is None and self.at_rest:
                    raise EndlessWait
                self.step()


class Guard:
    """Counts the steps of a lab's clock at one moment; half of `limit` at a time it looks whether work gets less.

    However much a person puts at one moment is worked off, for then the messages on the queues become fewer. Programs
    that only answer each other leave as many as before, and are stopped (TRG-12a). `started` names the programs started
    last, each as (queue manager, program).
    """

    def __init__(self, lab: Any, limit: int):
        require("moment_limit", limit, int, "a whole number of steps, 2 or more", at_least(2))
        self._lab, self.limit = lab, limit
        self._steps, self._least = 0, float("inf")
        self.started: deque[tuple[str, str]] = deque(maxlen=NAMED)

    def count(self, moved_on: bool) -> None:
        """Count one step, the first of a moment if time has moved on; RunawayTrigger if nothing gets done."""
        if moved_on:
            self._steps, self._least = 0, float("inf")
        self._steps += 1
        if self._steps > self.limit // 2:
            queues = [queue for qmgr in self._lab.queue_managers for queue in qmgr.queues]
            left = sum(queue.depth for queue in queues)
            # a message that leaves the transmission queues has got somewhere; one that goes round never does
            work = left + sum(q.depth for q in queues if q.definition.attributes["USAGE"] == "XMITQ")
            before, self._steps, self._least = self._least, 0, work
            if work >= before:
                self._least = float("inf")
                self._stop(left)

    def _stop(self, left: int) -> None:
        lab = self._lab
        names = " and ".join(f"{name} on {qmgr}" for qmgr, name in dict.fromkeys(reversed(self.started)))
        qmgr, program = self.started[-1] if self.started else (None, None)
        lab.events.write(
            lab.now_us, "fault", (qmgr, None, None), program=program, rule="TRG-12a", detail={"steps": self.limit}
        )
        raise RunawayTrigger(
            f"{self.limit} steps at {lab.now:%H:%M:%S.%f} and no end: time does not move on, and {left} messages are "
            f"left, no fewer than before (TRG-12a). Started last: {names or 'no program'}. Let one of them take its "
            f"time (lab.advance), stop() it, or ALTER its queue NOTRIGGER; lab.run() then goes on. If all that work is "
            f"meant, Lab(moment_limit=...) allows more"
        )
