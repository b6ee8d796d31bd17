"""The sentences of MQ Everyplace: kinds of rows about its queues, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_OCCASIONS = {
    "add": "when a call tried to add it",
    "remove": "when a call tried to remove it",
    "activate": "when the queue was activated",
    "delete": "when a call tried to delete the queue",
    "size": "when the queue's size was inquired",
}

SENTENCES: dict[str, Callable[[Any], str]] = {
    "put": lambda of: (
        f"{of.who} put message {of.row.message} on {of.where}, priority {of.row.priority}{of.lifetime}"
        + (", locked until it is confirmed" if "lock" in of.facts else "")
    ),
    "duplicate": lambda of: f"{of.who} sent it again to {of.where}, which has it already",
    "confirm": lambda of: f"{of.who} confirmed its put: it is available on {of.where}",
    "lock": lambda of: f"{of.who} got it from {of.where}, locked until the get is confirmed",
    "unlock": lambda of: f"{of.who} unlocked it on {of.where}",
    "get": lambda of: (
        f"{of.facts['to']} has it, so {of.where} removed it"
        if "to" in of.facts
        else f"{of.who} got it from {of.where}{of.lifetime}"
    ),
    "browse": lambda of: f"{of.who} browsed it on {of.where}{of.lifetime}",
    "discard": lambda of: (
        f"{of.row.qmgr} discarded it from {of.where} {_OCCASIONS.get(of.facts.get('moment', ''), '')}, {of.late}"
    ),
    "told": lambda of: f"the rule of {of.where} was notified that it expired",
    "refused": lambda of: f"{of.who} was refused {of.facts.get('call')} on {of.where}: {of.facts.get('refused')}",
}
