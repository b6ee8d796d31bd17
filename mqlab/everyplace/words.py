"""Events of MQ Everyplace queues in words, for explanations."""

from __future__ import annotations

import json

from ..sim.events import Event

__all__ = ["words"]

_MOMENTS = {
    "add": "when it was to be added",
    "remove": "when it was to be removed",
    "activate": "when the queue was activated",
    "delete": "when the queue was to be deleted",
    "size": "when the queue's size was asked",
}


def words(row: Event) -> str | None:
    """One event of an MQ Everyplace queue as a sentence without time and rule; None for a kind it has no words for."""
    detail = json.loads(row.detail) if row.detail else {}
    who, where = row.program or "a program", f"{row.object} of {row.qmgr}"
    left = detail.get("left_ms")
    life = "" if left is None else f", {left / 1000:g} s to live"
    lock = f", locked until {'it is confirmed' if row.kind == 'put' else 'the get is confirmed'}"
    held = lock if "lock" in detail else ""
    told = {
        "put": f"{who} put message {row.message} on {where}, priority {row.priority}{life}{held}",
        "duplicate": f"{who} sent it again to {where}, which has it already",
        "confirm": f"{who} confirmed its put: it can be got from {where}",
        "lock": f"{who} got it from {where}{lock}",
        "unlock": f"{who} gave it back to {where}",
        "undo": f"its put on {where} was taken back",
        "get": f"{detail['to']} has it, so {where} let go of it"
        if "to" in detail
        else f"{who} got it from {where}{life}",
        "browse": f"{who} browsed it on {where}{life}",
        "discard": f"{row.qmgr} deleted it from {where} {_MOMENTS.get(detail.get('moment'), '')}, "
        f"{-(left or 0) / 1000:g} s after its lifetime ended",
        "told": f"the rule of {where} was told that it expired",
        "transmit": f"{row.qmgr} could not go on sending it: {detail['failed']}"
        if "failed" in detail
        else f"{row.qmgr} sent the {detail.get('stage')} for it to {detail.get('to')}"
        + (", again" if detail.get("again") else ""),
        "refused": f"{who} was refused {detail.get('call')} on {where}: {detail.get('refused')}",
    }
    return told.get(row.kind)
