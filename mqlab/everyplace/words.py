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
    "put": lambda entry: (
        f"{entry.who} put message {entry.row.message} on {entry.where}, priority {entry.row.priority}{entry.lifetime}"
        + (", locked until it is confirmed" if "lock" in entry.facts else "")
    ),
    "duplicate": lambda entry: f"{entry.who} sent it again to {entry.where}, which has it already",
    "confirm": lambda entry: f"{entry.who} confirmed its put: it is available on {entry.where}",
    "lock": lambda entry: f"{entry.who} got it from {entry.where}, locked until the get is confirmed",
    "unlock": lambda entry: f"{entry.who} unlocked it on {entry.where}",
    "get": lambda entry: (
        f"{entry.facts['to']} has it, so {entry.where} removed it"
        if "to" in entry.facts
        else f"{entry.who} got it from {entry.where}{entry.lifetime}"
    ),
    "browse": lambda entry: f"{entry.who} browsed it on {entry.where}{entry.lifetime}",
    "discard": lambda entry: (
        f"{entry.row.qmgr} discarded it from {entry.where} "
        f"{_OCCASIONS.get(entry.facts.get('moment', ''), '')}, {entry.late}"
    ),
    "told": lambda entry: f"the rule of {entry.where} was notified that it expired",
    "refused": lambda entry: (
        f"{entry.who} was refused {entry.facts.get('call')} on {entry.where}: {entry.facts.get('refused')}"
    ),
}
