"""Traces: marks of refused calls and of messages that come to an end, in the picture of their event and in no other."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from ...engine.world.event import Event
from ...engine.world.event_kinds import ARRIVES

_NOTHING_THERE = 2033
_ENDS = {"discard": "discarded", "reject": "discarded", "lost": "lost"}


class Trace(NamedTuple):
    """One mark: the id of the object that has it; `kind` is "refused" (a put), "vain" (a get or a browse that found no
    message), "failed" (any other call), "discarded" or "lost"; the reason code, 0 for none; and the id of the queue."""

    id: str
    kind: str
    reason: int
    queue: str


def traces_of(event: Event, drawn: Container[str]) -> tuple[Trace, ...]:
    """The mark that a row of the log leaves in the picture, whose ids are `drawn`: one at most.

    It is on the card of the queue, or of the program if the queue has none; a get in vain marks its program first.
    """
    kind = _ENDS.get(event.kind, "")
    if not kind and event.reason is not None and event.kind in ("get", "browse", *ARRIVES):
        kind = "refused" if event.kind in ARRIVES else "vain" if event.reason == _NOTHING_THERE else "failed"
    queue = f"{event.qmgr}/{event.object}"
    cards = [queue, f"{event.qmgr}/app:{event.program}", f"{event.qmgr}/channel:{event.program}"]
    if kind == "vain" or event.object_type is None:  # a message that a program holds is on no queue
        cards = cards[1:] + cards[:1]
    found = [id for id in cards if id in drawn]
    return (Trace(found[0], kind, event.reason or 0, queue),) if kind and found else ()
