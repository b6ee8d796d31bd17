"""Two-stage transmission of an asynchronous queue: put, then confirm, over a link that can fail in between (MQE-07).

The sender keeps its message until the confirmation is answered. After a break it goes on where it was: it puts again,
marked as sent again, while it does not know that the other side has the message, and only confirms once it does know;
so nothing arrives twice. A confirmation that the other side cannot place means that it was done before.

One oddity follows and is left as it is: where the confirmation arrived but its answer was lost, and the lifetime ends
before the next attempt, the sender's rule is told of a message that was delivered.
"""

from __future__ import annotations

from . import local_queue
from .errors import LinkDown, MQeError
from .expiry import discard
from .flow import exchange
from .queue import Entry, Queue

__all__ = ["send_all"]


def send_all(queue: Queue):
    """Send what an asynchronous queue holds, in order, until it is empty or something stands in the way; a generator
    of the microseconds it takes. No effect while the queue is sending already."""
    if queue.busy:
        return
    queue.busy = True
    try:
        while (entry := next((e for e in queue.walk() if e.lock is None), None)) is not None:
            try:
                yield from _send(queue, entry)
            except (LinkDown, MQeError) as broken:
                _tell(queue, entry, {"failed": str(broken)})
                return
    finally:
        queue.busy = False


def _send(queue: Queue, entry: Entry):
    qmgr, message, (owner, name) = queue.qmgr, entry.message, entry.destination
    if entry.expired(qmgr.clock.time_us):
        discard(queue, entry, "remove", qmgr.name)
        return
    if not entry.placed:
        _tell(queue, entry, {"stage": "put", "to": owner, "again": entry.offered})
        entry.offered = True
        try:
            answer = yield from exchange(qmgr, owner, lambda peer: peer.accept(name, message, qmgr.name))
        except LinkDown as broken:
            entry.halfway = entry.halfway or broken.lost == "answer"
            raise
        entry.halfway, entry.placed = True, answer != "expired"
    if not entry.placed:
        _leave(queue, entry, owner)
    elif entry.on_queue:
        _tell(queue, entry, {"stage": "confirm", "to": owner})
        answer = yield from exchange(qmgr, owner, lambda peer: peer.confirm(name, message.uid, qmgr.name))
        if answer == "kept" and entry.on_queue:
            local_queue.take(queue, entry, qmgr.name, "MQE-13", {"to": owner})
        else:
            _leave(queue, entry, owner)


def _leave(queue: Queue, entry: Entry, owner: str) -> None:
    """Let go of a message that the other side had and has no more: it expires here too if its time is over here."""
    if not entry.on_queue:
        return
    if entry.expired(queue.qmgr.clock.time_us):
        discard(queue, entry, "remove", queue.qmgr.name)
    else:
        local_queue.take(queue, entry, queue.qmgr.name, "MQE-13", {"to": owner})


def _tell(queue: Queue, entry: Entry, detail: dict) -> None:
    rule = "MQE-13" if "failed" in detail else "MQE-07"
    queue.record("transmit", entry, queue.qmgr.name, rule, None, detail)
