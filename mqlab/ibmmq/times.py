"""Time as a program sees it while a lab serves it: the clocks, sleeps, and timeouts of Python follow the lab's clock.

`time.time` and `time.monotonic`, with their like, are the lab's time: the same program reads the same times. A look at
a clock adds a microsecond to what the next look shows, so that no two are equal; it does not move the lab's clock. A
program that only looks, until a moment comes, would wait forever: so each PATIENCE looks at one moment let time pass,
by more and more. An MQINQ is a look too, and so is an MQGET that finds no message; a command in PCF counts as COMMAND
looks.

Timeouts pass simulated time too: those of `Condition.wait`, and so of Event, queue.Queue, Timer and Future, of
`Thread.join`, and of an event loop of asyncio that has no file but its own pipe. Other waits for files and processes
are real, and the lab's clock moves on when their timeout has passed. Timeouts of C (Lock.acquire, SimpleQueue,
sockets), `datetime.now`, and the module `subprocess` are real.

A thread that is none of the program's, and a forked process, see the real time.
"""

from __future__ import annotations

import sys
import threading
import time
from _thread import allocate_lock
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from ..engine.world.clock import MILLISECOND, EndlessWait, microseconds
from .threads import Turns, in_program
from .tracebacks import as_of_c

PATIENCE = 1000
"""So many looks at one moment let time pass: 1 ms, then 4, 9, 16, and so on."""
COMMAND = 50
"""So many looks is a command in PCF, which takes longer than a look."""
SHORT = 0.05
"""So many real seconds a consumer, or a wait without a timeout, leaves other threads before simulated time passes."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_SLEEP = 2**33
_sleep, _wait, _join = time.sleep, threading.Condition.wait, threading.Thread.join


class Times:
    """The time of a lab, for the threads of the program that it serves; `clocks` False leaves all real."""

    def __init__(self, lab: Any, turns: Turns, clocks: bool):
        self.lab, self.turns, self.clocks = lab, turns, clocks
        self.epoch_us = (lab.start - _EPOCH) // timedelta(microseconds=1)
        self._looks = self._here = self._moment = 0

    def look(self) -> int:
        """The time in microseconds since the lab's start, as a clock of the program shows it."""
        self._looks += 1
        self.grow_impatient()
        return self.lab.clock.time_us + self._looks

    def grow_impatient(self, looks: int = 1) -> None:
        """Count looks of the program, and let time pass if they are too many at one moment."""
        clock = self.lab.clock
        if clock.time_us != self._moment:
            self._moment, self._here = clock.time_us, 0
        self._here += looks
        if self.clocks and self._here % PATIENCE < looks and self.turns.may_wait:
            self.let_pass(MILLISECOND * (self._here // PATIENCE) ** 2)
            self._moment = clock.time_us

    def wait(self, ready: Callable[[], bool], seconds: float | None) -> None:
        """Wait until `ready()`, for at most so many seconds; EndlessWait if nothing in the lab can bring it."""
        if not in_program():
            self.turns.outside(ready, seconds)
            return
        clock = self.lab.clock  # a consumer is called in a program of the lab: it looks, less and less often
        begin = clock.time_us
        end = None if seconds is None else begin + microseconds(seconds)
        while not ready() and (end is None or clock.time_us < end):
            next_us = clock.time_us + max(MILLISECOND, (clock.time_us - begin) // 100)
            clock.park(None, next_us if end is None else min(next_us, end), True)

    def let_pass(self, time_us: int) -> None:
        """Let so many microseconds of simulated time pass."""
        with self.turns:
            self.lab.advance_to(self.lab.now_us + time_us)


_serving: list[Times] = []


def _mine() -> Times | None:
    """The time that counts for the thread that asks; None if it is the real time."""
    times = _serving[-1] if _serving else None
    return times if times is not None and times.turns.knows(threading.current_thread()) else None


def _clock(real: Callable[[], Any], since_1970: bool, unit: Callable[[int], Any]) -> Callable[[], Any]:
    """A clock of Python that shows the lab's time, since its start or since 1970, to the threads of the program."""

    def clock() -> Any:
        times = _mine()
        if times is None or not times.clocks:
            return real()
        return unit(times.look() + (times.epoch_us if since_1970 else 0))

    return clock


def sleep(seconds: float) -> None:
    """Let simulated time pass, as `time.sleep` does while a lab serves."""
    times, usual = _mine(), isinstance(seconds, int | float) and 0 < seconds < _LONGEST_SLEEP
    if not usual or times is None or not times.clocks or sys._getframe(2).f_globals.get("__name__") == "subprocess":
        _sleep(seconds)  # which refuses what it cannot sleep
    else:
        times.let_pass(microseconds(seconds))


def _waiting(timeout: float | None, inside: bool = False) -> Times | None:
    """The time in which a thread waits that may call the lab now; None if its wait is real."""
    # so is that of a program of the lab, unless `inside`
    times = None if timeout is not None and timeout <= 0 else _mine()
    if times is None or not times.clocks:
        return None
    if in_program():
        return times if inside else None
    return times if times.turns.may_wait else None


def wait(self: Any, timeout: float | None = None) -> bool:
    """Wait for a notification, as `threading.Condition.wait` does, for at most so many seconds of simulated time."""
    times = _waiting(timeout, inside=True)
    if times is None or not self._is_owned():
        return _wait(self, timeout)
    gate = allocate_lock()
    gate.acquire()
    self._waiters.append(gate)
    saved = self._release_save()
    try:
        if (timeout is None or in_program()) and gate.acquire(timeout=SHORT):
            return True
        while timeout is None and not in_program() and not times.turns.alone:
            times.turns.work_off(lambda: not gate.locked())
            if gate.acquire(timeout=SHORT):
                return True
        with suppress(EndlessWait):
            times.wait(lambda: not gate.locked(), timeout)
        return gate.acquire(timeout is None)
    finally:
        self._acquire_restore(saved)
        if gate in self._waiters:
            self._waiters.remove(gate)


def join(self: threading.Thread, timeout: float | None = None) -> None:
    """Wait for the end of a thread, as `threading.Thread.join` does, for at most so many seconds of simulated time."""
    times = None if timeout is None else _waiting(timeout)
    if times is not None and self.is_alive() and self is not threading.current_thread():
        times.turns.outside(lambda: not self.is_alive(), timeout)
        timeout = 0
    while timeout is None and self.is_alive():  # a signal from just before the wait does not wait for the thread's end
        _join(self, SHORT)
    _join(self, timeout)


def _selecting(select: Callable[..., list]) -> Callable[..., list]:
    """The method `select` of a selector in which the timeout passes simulated time."""

    def passing(self: Any, timeout: float | None = None) -> list:
        times = _waiting(timeout)
        if times is None or (timeout is None and not times.turns.alone):
            return select(self, timeout)
        if len(self.get_map()) == 1 and all(type(each.data) is tuple for each in self.get_map().values()):
            # an event loop of asyncio, with the pipe by which threads wake it
            with suppress(EndlessWait):
                times.turns.outside(lambda: bool(select(self, 0)), timeout)
            return select(self, timeout and 0)
        found = select(self, timeout)
        if not found and timeout is not None:
            times.let_pass(microseconds(timeout))
        return found

    return passing


def _replacements() -> Iterator[tuple[Any, str, Any]]:
    """Yield the functions of Python that follow the lab's time: the owner, the name, and the replacement of each."""
    import queue
    import selectors

    for name, since in (("monotonic", False), ("perf_counter", False), ("time", True)):
        yield time, name, _clock(getattr(time, name), since, lambda us: us / 1e6)
        yield time, f"{name}_ns", _clock(getattr(time, f"{name}_ns"), since, lambda us: us * 1000)
    monotonic = _clock(time.monotonic, False, lambda us: us / 1e6)
    yield time, "sleep", as_of_c("time", "sleep", sleep)
    yield threading, "_time", monotonic
    yield queue, "time", monotonic
    yield threading.Condition, "wait", wait
    yield threading.Thread, "join", join
    for kind in vars(selectors).values():
        if isinstance(kind, type) and issubclass(kind, selectors.BaseSelector) and not kind.__abstractmethods__:
            yield kind, "select", _selecting(kind.select)


@contextmanager
def simulated(times: Times) -> Iterator[None]:
    """A ``with`` block, in another one too, in which the program sees this time."""
    import subprocess  # noqa: F401  # before its clock is replaced, because it waits for real processes

    first = not _serving
    found = [(place, name, getattr(place, name), new) for place, name, new in _replacements()] if first else []
    for place, name, _, new in found:
        setattr(place, name, new)
    _serving.append(times)
    try:
        yield
    finally:
        _serving.remove(times)
        for place, name, old, _ in found:
            setattr(place, name, old)


def real_again() -> None:
    """Show the real time from now on, in a forked process."""
    _serving.clear()
