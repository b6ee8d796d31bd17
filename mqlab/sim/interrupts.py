"""Ctrl-C while time passes: held back for as long as a call of the queue manager is half done. So is SIGTERM, if it has
a handler.

An interrupt in the middle of a put, or of the clock's own work, would leave a depth wrong or a program asleep forever.
So while a lab lets time pass, Ctrl-C takes effect at once where a program computes by itself; in a call that a program
makes, when the call returns; and anywhere else when the step of the clock is done.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

PACKAGE = __name__.partition(".")[0]
SIGNALS = (signal.SIGINT, signal.SIGTERM)
WATCHES = sys.platform != "emscripten"
"""Whether Python can watch for the return of a call; in a web page that would walk the frames of suspended programs,
and a signal that was held back takes effect when the step is done."""


def program_code(function: Callable[..., object], *args: object) -> None:
    """Call a program's own function: what runs in it, and not in a call back into the package, may be interrupted."""
    function(*args)


class Interrupts:
    """A ``with`` block in which signals are held back; it does nothing outside the main thread.

    The handler found at its beginning (Python's own raises KeyboardInterrupt) is called when the time has come. `here`
    says whether what runs now belongs to the lab, and not to the loop of a web page.
    """

    def __init__(self, here: Callable[[], bool]) -> None:
        self._here = here
        self._handlers: dict[int, Any] = {}
        self._profile: Any = None
        self._pending = 0  # the signal that is held back, if any

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            found = {number: signal.getsignal(number) for number in SIGNALS}
            self._handlers = {number: handler for number, handler in found.items() if callable(handler)}
            for number in self._handlers:
                signal.signal(number, self._arrive)

    def __exit__(self, *error: object) -> None:
        if threading.current_thread() is threading.main_thread():
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            self.let_go()

    def let_go(self) -> None:
        """Let a signal that was held back take effect, here."""
        if self._pending:
            number, self._pending = self._pending, 0
            if WATCHES:
                sys.setprofile(self._profile)
            self._handlers[number](number, sys._getframe())

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        if self._here() and not _half_done(frame):
            self._handlers[number](number, frame)
        elif not self._pending:
            self._pending = number
            if WATCHES:
                self._profile = sys.getprofile()
                sys.setprofile(self._returned)

    def _returned(self, frame: FrameType, event: str, arg: object) -> None:
        """Watch for the return of the call that was interrupted to the program that made it."""
        if event == "return" and _in_package(frame) and not _half_done(frame.f_back):
            self.let_go()


def _in_package(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE


def _half_done(frame: FrameType | None) -> bool:
    """Return whether a frame is within a call of the package, seen from the program or person that called it."""
    while frame is not None:
        if frame.f_code is program_code.__code__:
            return False
        if _in_package(frame):
            return True
        frame = frame.f_back
    return False
