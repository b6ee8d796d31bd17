"""The sentences of queue sharing: kinds of rows that only groups, structures, and agents write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
