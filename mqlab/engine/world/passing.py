"""One caller at a time: while the time of a lab passes, only the thread or task that runs now may call the lab."""

from __future__ import annotations

import sys
from typing import Any

from ..words.errors import LabError
from . import interrupts

if sys.platform == "emscripten":  # a web page has one thread, and many tasks
    from asyncio import current_task

    def caller() -> object:
        """Return the running task, or "callback" for a callback of the page."""
        try:
            return current_task() or "callback"
        except RuntimeError:  # no loop runs
            return "callback"

else:
    from threading import get_ident as caller


class Elsewhere(LabError):
    """A call that comes from elsewhere while the time of the lab passes."""

    def __init__(self) -> None:
        super().__init__(
            "the lab cannot be called now, because its time passes in a call of another thread or task; call the lab "
            "again when that call has returned"
        )


class Passing:
    """A ``with`` block, in another one too, in which the time of a lab passes.

    `holder` is what runs now: the caller that entered the block, or the program that the clock lets run; None outside
    of the block. `carriers` are those of the programs that have begun; each knows who can let its program go on. Ctrl-C
    is held back as `mqlab.engine.world.interrupts` says.
    """

    def __init__(self) -> None:
        self.holder: object = None
        self.carriers: dict[Any, None] = {}  # in the order in which they began
        self._depth = 0
        self._entered: dict[str, object] = {}  # a dictionary, because its setdefault is one step for all threads

    def here(self) -> bool:
        """Whether nothing runs now, or the caller does."""
        return self.holder is None or self.holder == caller()

    def require_here(self) -> None:
        """Begin a call: from now on Ctrl-C waits for its end. Raise Elsewhere unless the lab can be called from here
        now; LabError if the page has dropped the lab."""
        interrupts.watch()
        if not self.here():
            if self.holder is self:
                raise LabError(
                    "the programs of this lab were ended, because no variable of Python held the lab any longer; make "
                    "the lab again, and keep it in a variable"
                )
            raise Elsewhere

    def drop(self) -> None:
        """Refuse every call from now on: a page has dropped the lab, and its programs were ended."""
        self.holder = self

    def require_able(self) -> None:
        """Raise LabError unless the caller may call the lab now, and can let its programs go on."""
        self.require_here()
        for carrier in self.carriers:
            carrier.require_able()
            break  # what can let one go on can let them all

    def __enter__(self) -> None:
        me = caller()
        if not self._depth or self.holder != me:
            if self.holder is not None or self.carriers:
                self.require_able()
            if self._entered.setdefault("by", me) != me:
                raise Elsewhere
            interrupts.time_passes(self.here)
            self.holder = me
        self._depth += 1

    def __exit__(self, *error: object) -> None:
        self._depth -= 1
        if not self._depth:
            self.holder = None
            self._entered.clear()
            interrupts.time_stops(self.here)
