"""Programs: plain functions with blocking MQI calls, many at once on the simulated clock.

A program is an ordinary function. While one waits (a get with a wait interval, `lab.advance`), the others run; their
order depends on the simulated clock alone. The carriers of programs are in `mqlab.engine.programs.carriers`, unless the
clock names other ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import iscoroutinefunction, isgeneratorfunction
from typing import Any

from ..queues.application import require_program
from ..queues.queue_manager import QueueManager
from ..words.errors import LabError, ProgramDied, RunawayTrigger, visible
from ..words.shown import shown
from ..words.whys import Failed, Interrupted, Why
from ..world.interrupts import interruptible, whole
from ..world.passing import Elsewhere, caller
from . import carriers


def require_plain(function: Callable[..., Any], arguments: str) -> None:
    """Raise LabError if it cannot be a program: no function, or one with yield or await."""
    if not callable(function) or isgeneratorfunction(function) or iscoroutinefunction(function):
        raise LabError(
            f"function must be a plain function, called as function({arguments}); got {function!r}. It needs neither "
            f"yield nor await: its calls wait by themselves"
        )


class _Stop(BaseException):
    """Raised inside a program that has to stop, where it waits."""


@shown
class Program:
    """A function running as an application on a queue manager: `function(app, *args)`, in the name `name`.

    `state` is "running", "ended" or "died"; `carrier` is what carries it. When it returns, its open units of work are
    committed and its handles closed, as by MQDISC; when it dies of an exception they are backed out and closed, and
    ProgramDied is raised by the call that lets time pass. `at_end` is called when it has ended, even if it never ran.
    """

    def __init__(
        self,
        qmgr: QueueManager,
        name: str,
        function: Callable[..., Any],
        args: tuple = (),
        cause: int | None = None,
        at_end: Callable[[], object] = lambda: None,
    ):
        require_plain(function, "app, ...")
        require_program(name)
        qmgr.clock.passing.require_here()
        self.qmgr, self.name, self.state = qmgr, name, "running"
        self._clock, self._at_end = qmgr.clock, at_end
        self.seq = self._log("started", cause)
        self.application = qmgr.application_type(qmgr, name, self.seq)
        self.application.program = self
        self.product_name = ""  # the name of the MQ program that it represents
        self.carrier: Any = None  # what carries it, from its beginning on
        self._body = partial(self._run, function, args)
        self._parked, self._stopping = 0, False
        qmgr.programs_running.append(self)
        qmgr.lab.guard.started.append((qmgr.name, name))
        carriers.expect(qmgr.lab)
        self._clock.timeout(0).callbacks.append(lambda _: self._switch())

    @property
    def in_greenlet(self) -> bool:
        """Whether it has begun in a greenlet, so that only the thread in which it began can resume it."""
        return isinstance(self.carrier, carriers.Greenlet) and self.carrier.begun

    def stop(self) -> None:
        """End it where it waits, as if it had returned; no effect once it has ended.

        Called by the program itself, it takes effect when that next waits. LabError if it waits and the caller cannot
        resume it.
        """
        with self._clock.unbroken():
            if self.state == "running" and self.carrier is not None and self.carrier.here():
                self._stopping = True
            elif self.carrier is not None and self.carrier.begun:
                self._switch(_Stop())
            elif self.state == "running":
                self._end("ended", commit=True)

    def interrupt(self, error: Exception) -> None:
        """Raise `error` in the program where it waits; no effect once it has ended. LabError as for `stop`."""
        with self._clock.unbroken():
            self._switch(error)

    def _switch(self, error: BaseException | None = None) -> None:
        """Let the program run until it waits again, then be back here; no effect once it has ended."""
        if self.state != "running":
            return
        clock = self._clock
        if self.carrier is None:
            self.carrier = (clock.carrier or carriers.usual)(self._body)
            if clock.carrier is None:
                clock.passing.carriers[self.carrier] = None
        before = clock.park, clock.passing.holder
        clock.park = self._park
        try:
            self.carrier.resume() if error is None else whole(self.carrier.resume, error)
        finally:
            clock.park, clock.passing.holder = before

    def _park(self, event: Any, until_us: int | None, idle: bool) -> None:
        """Wait inside the program for `event` or a time, letting the others run; `idle` as in `Clock.wait`."""
        # raises Elsewhere for a caller that is not the program, before anything changes
        if not self.carrier.here():
            raise Elsewhere
        if self._stopping:
            raise _Stop
        if event is not None and event.triggered:
            return
        self._parked = turn = self._parked + 1
        timer = None if until_us is None else self._clock.timeout(until_us - self._clock.time_us)
        if timer is not None and idle:
            self._clock.idle(timer)
        for each in (event, timer):
            if each is not None:
                each.callbacks.append(lambda _: self._switch() if self._parked == turn else None)
        try:
            self.carrier.pause()
        finally:
            self._clock.passing.holder = caller()
            self._parked += 1
            if timer is not None and not idle and not timer.processed:
                self._clock.idle(timer)

    def _run(self, function: Callable[..., Any], args: tuple) -> None:
        self._clock.passing.holder = caller()
        try:
            interruptible(function, self.application, *args)
        except _Stop:
            self._end("ended", commit=True)
        except Exception as error:
            self._end("died", commit=False, why=Failed(f"{type(error).__name__}: {error}"))
            if isinstance(error, RunawayTrigger):
                raise
            raise ProgramDied(
                f"program {self.name} on {self.qmgr.name} died at {self.qmgr.lab.now:%H:%M:%S}: {visible(str(error))}. "
                f"Its units of work are backed out and its handles closed; the lab goes on"
            ) from error
        except BaseException:  # an interrupt or an exit is not the program's doing
            self._end("died", commit=False, why=Interrupted())
            raise
        else:
            self._end("ended", commit=True)

    def _end(self, state: str, commit: bool, why: Why | None = None) -> None:
        """Commit or back out, then close: the order decides whether the close triggers (TRG-12b)."""
        self.state = state
        qmgr = self.qmgr
        qmgr.programs_running.remove(self)
        runaway = None
        try:
            self.application.finish(commit)
        except RunawayTrigger as error:
            runaway = error  # raised when the row of the end is written
        self._clock.passing.carriers.pop(self.carrier, None)
        self._at_end()
        self._log(state, self.seq, why)
        if self.application.gate is not None:
            self.application.gate.left()
        if runaway is not None:
            raise runaway

    def _log(self, state: str, cause: int | None, why: Why | None = None) -> int:
        detail = {"state": state, **({"why": why.facts} if why else {})}
        place = (self.qmgr.name, None, None)
        return self.qmgr.record("program", place, "MQI-19", program=self.name, cause=cause, detail=detail)

    def __repr__(self) -> str:
        return f"Program({self.name!r} on {self.qmgr.name}, {self.state})"
