"""What mqlab acts on and what it only keeps: the tables that later parts of the project change."""

from __future__ import annotations

from .command import DEFINABLE, Command

__all__ = ["ACTED_ON", "NOT_YET", "note", "simulated"]

_ACTED_ON_KINDS = {"QLOCAL", "QALIAS", "QMODEL", "PROCESS", "NAMELIST"}

NOT_YET = frozenset({*DEFINABLE, "CLNTCONN"} - _ACTED_ON_KINDS)
"""Kinds whose definitions are kept and displayed, while nothing in the lab acts on them."""


ACTED_ON = frozenset({("DISPLAY", "QSTATUS"), ("REFRESH", "QMGR", "EXPIRY")})
"""Commands about no kind of object that the lab acts on: verb and object, and the TYPE where only that one is."""


def simulated(command: Command) -> bool:
    """Whether the lab acts on the kind of object that this command is about, or on the command itself."""
    if command.kind:
        return command.kind not in NOT_YET
    words = (command.verb, command.object)
    return words in ACTED_ON or (*words, command.options.get("TYPE")) in ACTED_ON


def note(kind: str) -> str:
    """The line a reply adds where `simulated` is False."""
    if kind:
        return f"mqlab: the {kind} definition is kept, but nothing in the lab acts on it yet."
    return "mqlab: the command is checked and accepted, but not acted on yet."
