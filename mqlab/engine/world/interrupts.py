"""Ctrl-C, held back for as long as a call of a lab is half done. So is SIGTERM, if it has a handler.

An interrupt in the middle of a put, or of the clock's own work, would leave a depth wrong or a program asleep forever.
So each call sees to it that a `Handler` is in the place of the handler that Python or the program has set.
Ctrl-C then takes effect at once in code that is not of a lab; in a call of a lab, when the call returns; and while time
passes, after the step of the clock. Outside of the main thread Python interrupts nothing.
"""

from __future__ import annotations

import sys
from _signal import getsignal  # that of `signal` makes an enumeration of it: a fifth of a put
from collections.abc import Callable
from contextlib import ExitStack
from signal import SIGINT, SIGTERM, signal
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, TypeVar

from ..extra import extras

INTERRUPT = int(SIGINT)
Result = TypeVar("Result")
_SIGNALS = (INTERRUPT, int(SIGTERM))
_ENGINE = ("mqlab.engine",)
_WATCHES = sys.platform != "emscripten"
"""Whether Python can watch for the return of a call. In a web page that would walk the frames of suspended programs;
there signals are held back only while time passes, and take effect when the step is done."""

_pending: dict[int, Any] = {}  # the signals that are held back, each with the handler to call
_call: FrameType | None = None  # the call whose return they wait for, if it is not the end of a step of the clock
_wholes = 0  # how many calls of `whole` have not returned
_profile: Any = None  # the profiler that was there before
_passings: list[Callable[[], bool]] = []  # in a web page: for each lab whose time passes, whether it runs now


class Handler:
    """In the place of a handler, which it calls when no call is half done; it is equal to that handler."""

    __slots__ = ("_handler",)

    def __init__(self, handler: Callable[..., object]):
        self._handler = handler

    def __call__(self, number: int, frame: FrameType | None) -> None:
        global _call, _profile
        call, returns = _call_of(frame)
        if not (call or _wholes if _WATCHES else _passings and (call or not all(here() for here in _passings))):
            self._handler(number, frame)
            return
        if not _pending and _WATCHES:
            _call, _profile = call if returns and not _wholes else None, sys.getprofile()
            sys.setprofile(_returned)
        _pending.setdefault(number, self._handler)

    def __eq__(self, other: object) -> bool:
        return self is other or bool(self._handler == other)

    def __hash__(self) -> int:
        return hash(self._handler)


def interruptible(function: Callable[..., Result], *args: object) -> Result:
    """Call what belongs to a program: what runs in it, and not in a call back into the lab, may be interrupted."""
    return function(*args)


def whole(function: Callable[..., Result], *args: object) -> Result:
    """Call what must not be interrupted, not even where it lets a program go on, or is not code of the engine or an
    extra of the model."""
    global _call, _wholes
    watch()
    if current_thread() is not main_thread():
        return function(*args)
    _wholes += 1
    try:
        return function(*args)
    finally:
        _wholes -= 1
        if _pending and not _wholes:
            _call, _ = _call_of(sys._getframe())
            if _WATCHES:
                sys.setprofile(_returned)  # for this stack of calls, which need not be that of the program


def watch() -> None:
    """Hold Ctrl-C back from here on until the call of a lab that runs now has returned."""
    if type(getsignal(INTERRUPT)) is not Handler and _WATCHES:
        _replace_handlers()


def _replace_handlers() -> None:
    if current_thread() is main_thread():
        for number in _SIGNALS:
            handler = getsignal(number)
            if type(handler) is not Handler and callable(handler):
                signal(number, Handler(handler))


def let_go() -> None:
    """Let a signal that was held back take effect, here: between two steps of which each leaves the lab whole."""
    if _pending and not _wholes and current_thread() is main_thread():
        due = _pending.copy()
        _pending.clear()
        if _WATCHES:
            sys.setprofile(_profile)
        with ExitStack() as calls:  # each is called, whatever another raises
            for number, handler in due.items():
                calls.callback(handler, number, sys._getframe())


def let_go_between(calls: int) -> None:
    """Let it take effect between two parts of a long call, unless that is itself part of a call that is half done.

    The long call consists of so many `calls` of Python, of which the last calls this.
    """
    if _pending and _call_of(sys._getframe(calls + 1))[0] is None:
        let_go()


def time_passes(here: Callable[[], bool]) -> None:
    """The time of a lab begins to pass; `here` says whether what runs now belongs to the lab, and not to the loop of a
    web page."""
    if not _WATCHES:
        _passings.append(here)
    _replace_handlers()


def time_stops(here: Callable[[], bool]) -> None:
    """The time of a lab passes no longer."""
    if not _WATCHES:
        _passings.remove(here)
        let_go()


def _returned(frame: FrameType, event: str, arg: object) -> None:
    """Watch for the return of the call that was interrupted to the program that made it."""
    if event == "return" and frame is _call:
        let_go()


def _call_of(frame: FrameType | None) -> tuple[FrameType | None, bool]:
    """The call of a lab that a frame is within, None if it is in none, and whether it returns to who made it."""
    # a program of the lab is itself the call, and returns to no caller
    call = None
    while frame is not None and frame.f_code is not interruptible.__code__:
        if _of_lab(frame):
            call = frame
        frame = frame.f_back
    return call, call is None or frame is None or call.f_back is not frame


def _of_lab(frame: FrameType) -> bool:
    """Return whether a frame runs code of the engine, of an extra of the model, or of a module that says KEPT_WHOLE."""
    package = frame.f_globals.get("__package__") or ""
    rooms = (*_ENGINE, *(f"mqlab.{extra.name}" for extra in extras() if extra.changes_labs))
    return "KEPT_WHOLE" in frame.f_globals or f"{package}.".startswith(tuple(f"{room}." for room in rooms))
