"""Programs in a web page: each is an asyncio task with a stack of its own, which the browser switches (JSPI).

A task wakes another one by its future, and suspends itself with Pyodide's `run_sync`. While a stack is suspended,
Python's automatic collection is off: in Python 3.14 it walks the frames of every stack, and those of a suspended stack
may have been written over. A collection of all generations walks no frames; `tidy` makes it at good moments.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..engine.programs import carriers
from ..engine.words.errors import LabError
from . import dropped, page

if TYPE_CHECKING:
    from ..engine.queues.target import Lab

with suppress(ImportError):  # there only in a page
    from js import WebAssembly
    from pyodide.ffi import can_run_sync, run_sync

GROWN = 50_000
"""If so many more containers have come than went since the last collection, `tidy` collects."""


class Stack:
    """A program in an asyncio task of its own, `task`; `begun` is whether it has begun and not ended."""

    def __init__(self, run: Callable[[], None]):
        self._run, self.begun = run, False
        self.task: Any = None
        self._go: Any = None  # the future that resumes it
        self._back: Any = None  # the future that resumes its caller
        self._thrown: BaseException | None = None
        self._died: BaseException | None = None
        self._asked: list[Any] | None = None

    def here(self) -> bool:
        """Whether it is the one that runs now."""
        return self.task is not None and asyncio.current_task() is self.task

    def require_able(self) -> None:
        """Raise LabError unless the caller can resume the program."""
        require_switching()

    def resume(self, error: BaseException | None = None) -> None:
        """Begin, or go on, with `error` raised where it paused; back when the program pauses or ends."""
        global _depth, _begun, _collects
        require_switching()
        self._thrown = error
        if self.task is None:
            tidy()
            _collects = gc.isenabled() or (_collects and _begun > 0)
            gc.disable()
            _begun, self.begun = _begun + 1, True
            self._back = _future()
            self.task = asyncio.get_event_loop().create_task(self._live())
        else:
            self._back = _future()
            self._go.set_result(None)
        _depth += 1
        try:
            run_sync(self._back)
        finally:
            _depth -= 1
        if _collects and not _begun and not _depth:  # no stack is suspended now
            gc.enable()
        if self._died is not None:
            died, self._died = self._died, None
            raise died

    def pause(self) -> None:
        """Called in the program: back to what resumed it."""
        while True:
            self._go = _future()
            self._back.set_result(None)
            run_sync(self._go)
            if self._asked is None:
                break
            self._asked += dropped.locals_of(sys._getframe())
        if self._thrown is not None:
            thrown, self._thrown = self._thrown, None
            raise thrown

    def held(self) -> list[Any]:
        """Return the objects that its calls hold. It wakes for this: only the running stack can be inspected."""
        objects: list[Any] = []
        self._asked = objects
        self.resume()
        self._asked = None
        return objects

    async def _live(self) -> None:
        global _begun
        try:
            if self._thrown is not None:
                raise self._thrown
            self._run()
        except BaseException as error:  # noqa: BLE001  # it is raised where the program was resumed
            self._died = error
        finally:
            _begun, self.begun = _begun - 1, False
            self._back.set_result(None)


_begun = 0  # how many programs have begun and not ended
_collects = True  # whether the page collected automatically before that
_depth = 0  # of calls that let a program go on, within one another


def _future() -> asyncio.Future:
    return asyncio.get_event_loop().create_future()


def require_switching() -> None:
    """LabError unless the browser can switch stacks where the caller runs."""
    if can_run_sync():
        return
    if hasattr(WebAssembly, "Suspending"):
        raise LabError(
            "time cannot pass for the programs of this lab, because the browser cannot switch between them outside of "
            "a task; call the lab in a cell, or in a task of asyncio"
        )
    raise LabError(
        "time cannot pass for the programs of this lab, because this browser cannot switch between them; use "
        f"{page.BROWSERS}"
    )


def expect(lab: Lab) -> None:
    """Have the clock of this lab refuse a step if its programs cannot go on, and `tidy` look for it."""

    def before_step() -> None:
        if any(qmgr.programs_running for qmgr in lab.queue_managers):
            require_switching()

    if lab.clock.before_step is None:
        lab.clock.before_step = before_step
        dropped.labs.add(lab)


def tidy() -> None:
    """Collect all generations, and end the programs of labs that the page has dropped, if many containers have come
    and no program runs."""
    if not _depth and gc.get_count()[0] > GROWN:
        gc.collect()
        dropped.end()


def carry() -> None:
    """Let stacks carry the programs of this process."""
    carriers.usual, carriers.expect = Stack, expect


page.join(tidy, lambda: _depth > 0)
