"""The sentences of queue sharing: kinds of rows that only groups, structures, and agents write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.explain.words import undeliverable


def _recover(entry: Any) -> str:
    if entry.row.object_type == "CFSTRUCT":
        return f"{entry.who} recovered the structure {entry.where}"
    return f"{entry.who} ended the work of unit of work {entry.row.uow} of {entry.row.qmgr} on shared queues"


def _takeover(entry: Any) -> str:
    before = f", as {entry.facts['from']} did before" if entry.facts.get("from") else ""
    return f"{entry.facts['to']} scans {entry.row.qmgr} for expired messages from now on{before}"


SENTENCES: dict[str, Callable[[Any], str]] = {
    "takeover": _takeover,
    "group": lambda entry: f"queue sharing group {entry.row.qmgr} was made of {', '.join(entry.facts['members'])}",
    "allocate": lambda entry: f"{entry.who} allocated the structure {entry.where}",
    "recover": _recover,
    "agent": lambda entry: f"the IGQ agent of {entry.row.qmgr} became {entry.facts['state']}{entry.because}",
}


_HELD_BY_THE_AGENT = {"IGQ-03": "the agent ended while it held it", "IGQ-04": "its put failed unexpectedly"}


def worded(entry: Any) -> str | None:
    """The sentence about a message that was lost by this room's rules, or about a structure or a facility that
    failed."""
    row, rule = entry.row, entry.row.rule or ""
    if row.kind == "fault" and row.object_type == "CFSTRUCT":
        return f"the structure {entry.where} failed"
    if row.kind == "fault" and rule == "QSG-08":
        return f"the coupling facility of {entry.where} failed"
    if row.kind != "lost":
        return None
    if rule == "IGQ-10":
        return undeliverable(entry)
    if rule in _HELD_BY_THE_AGENT:
        return f"it was lost while {entry.who} held it: {_HELD_BY_THE_AGENT[rule]}, and it was nonpersistent"
    if rule.startswith(("QSG", "IGQ-12")):
        return f"it was lost from {row.object} with its structure{'' if row.persistent else ': it was nonpersistent'}"
    return None
