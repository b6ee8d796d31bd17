"""The carrier of a program runs it until it waits, and resumes it there.

The carrier is a greenlet; in a web page, which has none, it is of the kind that a room above sets; for the programs of
a room above it may be a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import current_thread
from typing import TYPE_CHECKING, Any

from ..words.errors import LabError

if TYPE_CHECKING:
    from ..queues.target import Lab


class Greenlet:
    """A program in a greenlet, of the thread in which it begins; the package greenlet loads with the first one."""

    def __init__(self, run: Callable[[], None]):
        import greenlet

        self._greenlet, self._current, self._thread = greenlet.greenlet(run), greenlet.getcurrent, current_thread()

    @property
    def begun(self) -> bool:
        """Whether the program has begun and not ended."""
        return bool(self._greenlet)

    def here(self) -> bool:
        """Whether this program runs now."""
        return self._current() is self._greenlet

    def require_able(self) -> None:
        """Raise LabError unless the caller can resume the program."""
        if current_thread() is not self._thread:
            raise LabError(
                f"a program of this lab waits in thread {self._thread.name}, and only that thread can resume it; "
                f"call the lab in that thread, or make the lab in this one"
            )

    def resume(self, error: BaseException | None = None) -> None:
        """Begin, or go on, with `error` raised where it paused; back when the program pauses or ends."""
        self._greenlet.parent = self._current()
        if error is None:
            self._greenlet.switch()
        else:
            self._greenlet.throw(error)

    def pause(self) -> None:
        """Called in the program: back to what resumed it."""
        self._greenlet.parent.switch()


usual: Callable[[Callable[[], None]], Any] = Greenlet
"""A carrier of the kind that this environment has."""


def expect(lab: Lab) -> None:
    """Prepare for a program in this lab: a browser may have no way to carry it, and a page may drop the lab."""
