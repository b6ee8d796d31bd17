"""What mqlab acts on and what it only keeps: the one table that later parts of the project shorten."""

from __future__ import annotations

__all__ = ["NOT_YET", "note", "simulated"]

NOT_YET = frozenset(
    {
        "QREMOTE",
        "QMODEL",
        "PROCESS",
        "NAMELIST",
        "CHANNEL",
        "CLNTCONN",
        "LISTENER",
        "SERVICE",
        "TOPIC",
        "SUB",
        "AUTHINFO",
        "COMMINFO",
        "STGCLASS",
        "CFSTRUCT",
        "BUFFPOOL",
        "PSID",
    }
)
"""Kinds whose definitions are kept and displayed, while nothing in the lab acts on them."""


def simulated(kind: str) -> bool:
    """Whether the lab acts on objects of this kind; "" stands for a command that is about no kind of object."""
    return kind != "" and kind not in NOT_YET


def note(kind: str) -> str:
    """The line a reply adds where `simulated` is False."""
    if kind:
        return f"mqlab: the {kind} definition is kept, but nothing in the lab acts on it yet."
    return "mqlab: the command is checked and accepted, but not acted on yet."
