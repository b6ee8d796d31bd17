"""The extras of this house, in the order in which the engine asks them.

A copy of mqlab may have left some out: a room that is not there adds nothing, and a call that leads into it is refused.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from types import TracebackType

from ..engine.extra import Extra, add
from ..engine.words.errors import left_out

ROOMS = (
    *("views", "admin", "gates", "pcf", "bridges", "properties", "pubsub", "sharing", "clusters", "everyplace"),
    *("browser", "dead_letters", "formats", "topology", "ibmmq", "estates", "course", "pipeline"),
)


_CARRYING = ("browser", "dead_letters")  # rooms without a page whose code runs, or carries, programs of a lab


class _Data(Extra):
    """The page of a room that has none, because it uses the engine and adds no hook to it: its data files."""

    def __init__(self, room: str):
        self.name, self.changes_labs = room, room in _CARRYING


def plug_in() -> None:
    """Let the engine know of the extras that are there; each room's `plug` is a page, and loads the rest when asked."""
    package = Path(__file__).parents[1]
    for room in ROOMS:
        if PathFinder.find_spec(f"mqlab.{room}.plug", [str(package / room)]) is not None:
            add(import_module(f"..{room}.plug", __package__).EXTRA)
        elif PathFinder.find_spec(f"mqlab.{room}", [str(package)]) is not None:
            add(_Data(room))
    if sys.platform == "emscripten" and PathFinder.find_spec("mqlab.browser", [str(package)]) is not None:
        from ..browser import stacks

        stacks.carry()


class room:
    """A ``with`` block for imports from a room of mqlab: LabError if the room, or a room that it needs, is missing.

    >>> with room("everyplace"):
    ...     from mqlab.everyplace import MQeError
    """

    def __init__(self, name: str):
        self.name = name

    def __enter__(self) -> None:
        """Let the block import."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        missing = (error.name or "").removeprefix("mqlab.") if isinstance(error, ModuleNotFoundError) else ""
        if missing == self.name or missing in ROOMS:
            raise left_out(missing) from None
