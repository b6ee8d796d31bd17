"""The sentences of queue sharing: kinds of rows that only groups, structures, and agents write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..explain.words import undeliverable


def _recover(of: Any) -> str:
    if of.row.object_type == "CFSTRUCT":
        return f"{of.who} recovered the structure {of.where}"
    return f"{of.who} ended the work of unit of work {of.row.uow} of {of.row.qmgr} on shared queues"


def _takeover(of: Any) -> str:
    before = f", as {of.facts['from']} did before" if of.facts.get("from") else ""
    return f"{of.facts['to']} scans {of.row.qmgr} for expired messages from now on{before}"


SENTENCES: dict[str, Callable[[Any], str]] = {
    "takeover": _takeover,
    "group": lambda of: f"queue sharing group {of.row.qmgr} was made of {', '.join(of.facts['members'])}",
    "allocate": lambda of: f"{of.who} allocated the structure {of.where}",
    "recover": _recover,
    "agent": lambda of: f"the IGQ agent of {of.row.qmgr} became {of.facts['state']}{of.because}",
}


_HELD_BY_THE_AGENT = {"IGQ-03": "the agent ended while it held it", "IGQ-04": "its put failed unexpectedly"}


def worded(of: Any) -> str | None:
    """The sentence about a message that was lost by this room's rules, or about a structure or a facility that
    failed."""
    row, rule = of.row, of.row.rule or ""
    if row.kind == "fault" and row.object_type == "CFSTRUCT":
        return f"the structure {of.where} failed"
    if row.kind == "fault" and rule == "QSG-08":
        return f"the coupling facility of {of.where} failed"
    if row.kind != "lost":
        return None
    if rule == "IGQ-10":
        return undeliverable(of)
    if rule in _HELD_BY_THE_AGENT:
        return f"it was lost while {of.who} held it: {_HELD_BY_THE_AGENT[rule]}, and it was nonpersistent"
    if rule.startswith(("QSG", "IGQ-12")):
        return f"it was lost from {row.object} with its structure{'' if row.persistent else ': it was nonpersistent'}"
    return None
