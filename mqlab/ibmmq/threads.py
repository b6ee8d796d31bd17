"""The threads of a program on a lab: one call at a time, and time that passes only when none of them can go on.

A program that uses IBM's library may have many threads. Their calls take turns, under one lock. A call that waits gives
its turn away, so that others call meanwhile; the simulated time then passes as soon as every other thread of the
program waits in the lab too, or stands still outside of it: blocked in a lock, a queue, or the network. A thread that
computes keeps the time where it is. Whether a thread stands still is observed: it does if it is at the same place, and
has not run in between, several times in a row (OBSERVED, a few milliseconds). Threads that were there before the
program began do not count.

While a program is served, the lab's own programs run in threads too, one at a time, because a greenlet can be resumed
only by the thread that began it.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import get_ident
from types import FrameType
from typing import Any

from ..engine.words.errors import LabError
from ..engine.world.clock import MILLISECOND, EndlessWait, microseconds
from ..engine.world.interrupts import interruptible

OBSERVED, PAUSE = 5, 0.001
"""A thread stands still if this many looks, this many seconds apart, find it at the same place."""
_NAME = "a program of the lab"
_carried = threading.local()


def in_program() -> bool:
    """Whether the caller is a program of the lab, which has the turn of the thread that lets time pass."""
    return getattr(_carried, "carrier", None) is not None


class Carrier:
    """A thread for a program of the lab; it runs only while the thread that resumed it waits. Once the process is to
    end, and `halted` is set, none goes on."""

    halted = False

    def __init__(self, run: Callable[[], None]):
        self._run, self._go, self._back = run, threading.Lock(), threading.Lock()
        self._go.acquire()  # each is released to let the other side go on
        self._back.acquire()
        self._thread: threading.Thread | None = None
        self._thrown: BaseException | None = None
        self._died: BaseException | None = None
        self._ended = False

    @property
    def begun(self) -> bool:
        """Whether the program has begun and not ended."""
        return self._thread is not None and not self._ended

    def here(self) -> bool:
        """Whether it is the one that runs now."""
        return getattr(_carried, "carrier", None) is self

    def resume(self, error: BaseException | None = None) -> None:
        """Begin, or go on, with `error` raised where it paused; back when the program pauses or ends."""
        if Carrier.halted:
            return
        self._thrown = error
        if self._thread is None:
            self._thread = threading.Thread(target=self._live, name=_NAME, daemon=True)
            self._thread.start()
        else:
            self._go.release()
        self._back.acquire()
        if self._died is not None:
            died, self._died = self._died, None
            raise died

    def pause(self) -> None:
        """Called in the program: back to what resumed it."""
        self._back.release()
        self._go.acquire()
        if self._thrown is not None:
            raise self._thrown

    def _live(self) -> None:
        _carried.carrier = self
        try:
            if self._thrown is not None:
                raise self._thrown
            self._run()
        except BaseException as error:  # noqa: BLE001  # it is raised where the program was resumed
            self._died = error
        finally:
            self._ended = True
            self._back.release()


class _Lock(threading.Condition):
    """A reentrant lock whose waits are in real time, whatever `threading.Condition.wait` is replaced by."""

    wait = threading.Condition.wait

    def mine(self) -> bool:
        """Whether this thread has it."""
        return self._is_owned()  # type: ignore[attr-defined]


class Outlived(SystemExit):
    """Ends a thread whose lab serves no longer."""


class Turns:
    """The lock of a lab that serves a program: one thread calls at a time, and the others wait.

    Its ``with`` block is a turn; Ctrl-C takes effect at its end. `park` takes the place of `Clock.park` for the calls
    of the program's threads, as `Program` does for its own. When the clock has come to `limit_us`, `at_limit` is called
    instead of a longer wait; and once when the program has used its `limit_turns`, for one that runs in circles while
    no time passes.
    """

    def __init__(self, lab: Any):
        self.lab, self.clock, self._changed = lab, lab.clock, _Lock()
        self._home = get_ident()
        self.limit_us: int | None = None
        self.limit_turns: int | None = None
        self.at_limit: Callable[[], object] = lambda: None
        self.over = False
        self._handler: Any = None  # of Ctrl-C, while this one holds it back
        self._depth = 0
        self._held: Callable[[], object] | None = None  # what a signal asks for, while it is held back
        self._before = set(threading.enumerate()) - {threading.current_thread()}
        self._waits: dict[int, Callable[[], bool]] = {}  # thread -> whether its wait has ended
        self._limits: dict[int, int] = {}  # thread -> the latest time of its wait
        self._callers: set[int] = set()
        self._calls = 0

    def __enter__(self) -> None:
        if not in_program():
            if self.limit_turns is not None and self._calls >= self.limit_turns:
                self.limit_turns = None  # what the program does at its end is served
                self.at_limit()
            self._changed.acquire()
            self._calls += 1
            self._callers.add(get_ident())
            self._hold(True)

    def __exit__(self, *error: object) -> None:
        if not in_program():
            self._changed.notify_all()
            self._changed.release()
            self._hold(False)

    def wait_for(self, over: Callable[[], bool]) -> None:
        """Give the turn away until `over()` is true."""
        while not over():
            self._wait(over, None)

    def park(self, event: Any, until_us: int | None, idle: bool) -> None:
        """Wait for `event`, at the latest until a moment: as `Clock.wait`, for a thread of the program."""
        with self, self._letting_go():
            if not self._others():
                latest = self._within_limit(until_us)
                with self._at_top_level():
                    self.clock.advance_to(latest) if event is None else self.clock.wait(event, latest, idle)
            interruptible(self._wait_until, lambda: event is not None and event.triggered, until_us)

    def outside(self, ready: Callable[[], bool], seconds: float | None) -> None:
        """Wait for something outside the lab, until `ready()`, or for at most so many seconds (rounded up to 1 ms)."""
        wait_us = None if seconds is None else -(-microseconds(seconds) // MILLISECOND) * MILLISECOND
        until_us = None if wait_us is None else self.clock.time_us + wait_us
        with self, self._letting_go():
            interruptible(self._wait_until, ready, until_us)

    def work_off(self, ready: Callable[[], bool]) -> None:
        """Let what the lab has to do happen, consumers for example, if nobody can go on, and until `ready()`."""
        if not self.clock.at_rest:
            with self, self._letting_go():
                interruptible(self._wait, lambda: ready() or self.clock.at_rest, self.limit_us)
            self._require_within_limit()

    def _wait_until(self, ready: Callable[[], bool], until_us: int | None) -> None:
        """Give the turn away until `ready()`, at the latest until a moment, or the limit."""
        clock, latest = self.clock, self._within_limit(until_us)

        def over() -> bool:
            return ready() or (latest is not None and clock.time_us >= latest)

        while not over():
            self._wait(over, latest)
            if self.over:
                raise Outlived
        self._require_within_limit()

    def _require_within_limit(self) -> None:
        if self.limit_us is not None and self.clock.time_us >= self.limit_us:
            self.at_limit()

    def _within_limit(self, until_us: int | None) -> int | None:
        return min((each for each in (until_us, self.limit_us) if each is not None), default=None)

    @property
    def may_wait(self) -> bool:
        """Whether this thread is in no call of the lab, so that it may begin one."""
        return not self._changed.mine() and not (self._depth and _is_main())

    @property
    def alone(self) -> bool:
        """Whether the program has no other thread."""
        return not self._others()

    def knows(self, thread: threading.Thread) -> bool:
        """Whether a thread is one of the program: it began after it, or has called."""
        return thread not in self._before or thread.ident in self._callers

    @contextmanager
    def holding(self) -> Iterator[None]:
        """A ``with`` block in which Ctrl-C in the middle of a call takes effect at its end; only in the main thread,
        and unless the program has a handler of its own."""
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler) or self._handler is not None or not _is_main():
            yield
            return
        self._handler = handler
        signal.signal(signal.SIGINT, self._arrive)
        try:
            yield
        finally:
            if signal.getsignal(signal.SIGINT) == self._arrive:
                signal.signal(signal.SIGINT, handler)
            self._handler = None

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        self.when_free(partial(self._handler, number, frame))

    def when_free(self, action: Callable[[], object]) -> None:
        """Do what a signal asks for, now or, in the middle of a call of the main thread, at its end."""
        if self._depth:
            self._held = action
        else:
            action()

    @contextmanager
    def _letting_go(self) -> Iterator[None]:
        """A ``with`` block that is a wait: Ctrl-C takes effect in it."""
        if not _is_main():
            yield
            return
        depth, self._depth = self._depth, 1
        self._hold(False)
        try:
            yield
        finally:
            self._depth = depth

    def _hold(self, on: bool) -> None:
        """Hold signals back in the main thread, or no longer."""
        if _is_main():
            self._depth += 1 if on else -1
            if self._held is not None and not self._depth:
                held, self._held = self._held, None
                held()

    @contextmanager
    def _at_top_level(self) -> Iterator[None]:
        """A ``with`` block in which the clock lets time pass as for a person at the top level."""
        park, self.clock.park = self.clock.park, None
        try:
            yield
        finally:
            self.clock.park = park

    def _wait(self, over: Callable[[], bool], until_us: int | None) -> None:
        """Wait a little, or let time pass if nobody can go on."""
        me = get_ident()
        self._waits[me] = over
        if until_us is not None:
            self._limits[me] = until_us
        try:
            if self._nobody_goes_on() and not over() and self._may_pass_time():
                with self._at_top_level(), self.clock.unbroken():
                    self._pass_time()
                self._changed.notify_all()
        finally:
            del self._waits[me]
            self._limits.pop(me, None)

    def _may_pass_time(self) -> bool:
        """Whether this thread is one that can let the lab's programs go on."""
        # LabError if the one that can is not in the lab
        programs = [each for qmgr in self.lab.queue_managers for each in qmgr.programs_running if each.in_greenlet]
        if not programs or get_ident() == self._home:
            return True
        if self._home not in self._waits:
            raise LabError(
                f"{programs[0].name} began before lab.ibmmq(), so that only the thread of that block lets its time "
                f"pass, and that thread is not in a call of the lab. Run the program within the block"
            )
        return False

    def _nobody_goes_on(self) -> bool:
        """Whether, a few times in a row, each other thread waits in the lab, or stands still outside of it."""
        before, calls = None, self._calls
        if self.alone:
            return True
        for _ in range(OBSERVED):
            self._changed.wait(PAUSE)
            if calls != self._calls or any(over() for over in self._waits.values()):
                return False
            places = self._places()
            if places is None or before not in (None, places):
                return False
            before = places
        return True

    def _pass_time(self) -> None:
        """Step the clock until the wait of any thread ends, because no thread can go on."""
        clock = self.clock
        while not any(over() for over in self._waits.values()):
            soonest = min(self._limits.values(), default=None)
            if soonest is not None and clock.peek() > soonest:
                clock.advance_to(soonest)
            elif soonest is None and clock.at_rest:
                raise EndlessWait
            else:
                clock.step()

    def _others(self) -> list[threading.Thread]:
        """Return the program's other threads, which started after it or have made a call."""
        me = get_ident()
        return [each for each in threading.enumerate() if each.ident != me and each.name != _NAME and self.knows(each)]

    def _places(self) -> dict[int, Any] | None:
        """The places of the other threads that do not wait in the lab; None if one of them runs."""
        frames, found = sys._current_frames(), {}
        for each in self._others():
            if each.ident in self._waits:
                continue
            frame = frames.get(each.ident or 0)  # none of a thread that is about to begin
            pauses = _pauses(each)
            if frame is None or each.ident is None or pauses is None:
                return None
            found[each.ident] = id(frame), frame.f_lasti, pauses
        return found


def _is_main() -> bool:
    return get_ident() == threading.main_thread().ident


def _pauses(thread: threading.Thread) -> bytes | None:
    """Return how many times a thread has paused; None if the system runs it, or would if a processor were free."""
    # A thread that waits for its turn to compute has paused again at each check; a blocked thread has not. If the
    # system does not report it, the thread counts as blocked.
    try:
        with open(f"/proc/self/task/{thread.native_id}/status", "rb") as status:
            told = dict(line.partition(b":")[::2] for line in status)
    except OSError:
        return b""
    return None if told[b"State"].strip().startswith(b"R") else told[b"voluntary_ctxt_switches"]
