"""Tracebacks of a program without the frames of mqlab, which a module of C would not have either."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, TracebackType
from typing import Any

import simpy

from ..engine.words.errors import ProgramDied, RunawayTrigger

_OWN = (str(Path(__file__).parents[1]), str(Path(simpy.__file__).parent), threading.__file__)


def as_of_c(module: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that raises what `function` raises, with no frame in the traceback but one in the name of a module."""

    def enter(*arguments: Any) -> Any:
        __tracebackhide__ = True  # of pytest
        try:
            return function(*arguments)
        except BaseException as error:  # noqa: BLE001  # it is raised again
            below = error.__traceback__ and error.__traceback__.tb_next
            raise without_own(error.with_traceback(below))  # noqa: B904  # the same one

    code = enter.__code__.replace(co_filename=module, co_name=name, co_qualname=name)
    return FunctionType(code, {"__name__": module, "without_own": without_own}, name, None, enter.__closure__)


def without_own(error: BaseException) -> BaseException:
    """The same exception, and those that led to it, without the frames that mqlab's calls have in their tracebacks."""
    seen: set[int] = set()
    ahead: list[BaseException | None] = [error]
    while ahead:
        one = ahead.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            one.__traceback__ = _shorter(one.__traceback__)
            ahead += [one.__cause__, one.__context__]
    return error


def place_in_own(error: BaseException) -> str | None:
    """The file and line of mqlab that raised an exception; None if other code did, or if it is about a lab."""
    entries = traceback.extract_tb(error.__traceback__)
    if not entries or not entries[-1].filename.startswith(_OWN) or isinstance(error, ProgramDied | RunawayTrigger):
        return None
    return f"{Path(entries[-1].filename).name}, line {entries[-1].lineno}"


def _shorter(entry: TracebackType | None) -> TracebackType | None:
    """A traceback without the entries of mqlab, and of what mqlab waits in."""
    kept = []
    while entry is not None:
        if not entry.tb_frame.f_code.co_filename.startswith(_OWN):
            kept.append(entry)
        entry = entry.tb_next
    for one, after in zip(kept, [*kept[1:], None], strict=False):
        one.tb_next = after
    return kept[0] if kept else None


def tell(error: BaseException) -> None:
    """Print an exception that nothing catches, as Python does where C calls a function of the program."""
    without_own(error)
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except Exception:  # noqa: BLE001  # the hook is the program's own
        traceback.print_exc()
