"""The operations of one queue manager on the messages of its own queue: put, confirm, get, undo.

Calls of its own applications and flows from other queue managers come here alike. An assured put or get, one with a
confirm id, locks the message until it is confirmed (MQE-10).
"""

from __future__ import annotations

from .expiry import discarded
from .message import Message, MessageId
from .queue import Entry, Queue
from .whys import QueueFull


def put(
    queue: Queue,
    message: Message,
    program: str | None,
    destination: tuple[str, str],
    confirm_id: int | str = 0,
    rule: str = "MQE-09",
    halfway: bool = False,
) -> str:
    """Add a message; "kept", or "expired" if it had expired and was not added (MQE-01), or "duplicate" if
    the queue has it already and it was sent again (MQE-15). MQeError "queue full"; expired and locked messages count.

    `destination` is the (owner, queue) that it is meant for. With a confirm id it stays locked until confirmed.
    """
    qmgr, now = queue.qmgr, queue.qmgr.clock.time_us
    there = queue.named(message.uid)
    if there is not None:
        if discarded(queue, there, "add", program):
            return "expired"
        queue.record("duplicate", there, program, "MQE-15", None, {"uid": str(message.uid)})
        return "duplicate"
    own = message.deadline_us(qmgr.lab.start)
    interval = None if queue.expiry_ms is None else now + queue.expiry_ms * 1000
    expires, lock = interval if own is None else own, "put" if confirm_id else None
    entry = Entry(message, now, expires, destination, lock, confirm_id, halfway)
    if discarded(queue, entry, "add", program):
        return "expired"
    if queue.max_depth is not None and queue.depth >= queue.max_depth:
        qmgr.refuse(QueueFull(queue.depth, queue.max_depth), queue.label, "put", program)
    queue.add(entry)
    detail: dict[str, object] = {"uid": str(message.uid)}
    if confirm_id:
        rule = "MQE-07" if halfway else "MQE-10"
        detail |= {"lock": "put", "confirm_id": confirm_id}
    elif entry.expires_us is not None and rule == "MQE-09":
        rule = "MQE-11"
    if entry.expires_us is not None:
        detail["lifetime"] = "message" if own is not None else "queue"
    queue.record("put", entry, program, rule, None, detail)
    return "kept"


def confirm_put(queue: Queue, uid: MessageId | None, program: str | None) -> str:
    """Unlock the message of a put: "kept", "expired" if it expired meanwhile (the add ends here), "unknown" if not
    there.

    Its place is behind what was confirmed before it, whenever it arrived.
    """
    entry = queue.named(uid)
    if entry is None or entry.lock != "put":
        return "unknown"
    if discarded(queue, entry, "add", program):
        return "expired"
    queue.remove(entry)
    halfway, entry.lock, entry.confirm_id, entry.halfway = entry.halfway, None, 0, False
    queue.add(entry)
    queue.record("confirm", entry, program, "MQE-07" if halfway else "MQE-10", None, {"uid": str(uid)})
    return "kept"


def available(
    queue: Queue, program: str | None, uid: MessageId | None = None, owner: str | None = None, holder: str | None = None
) -> Entry | None:
    """The first message that is not locked, or locked by `holder`, after deleting the expired ones ahead of it
    (MQE-02).

    `uid` selects one message, `owner` those on their way to that queue manager.
    """
    for entry in queue.walk():
        wanted = uid in (None, entry.message.uid) and owner in (None, entry.destination[0])
        free = entry.lock is None or (entry.lock == "get" and holder is not None and entry.confirm_id == holder)
        if wanted and free and not discarded(queue, entry, "remove", program):
            return entry
    return None


def lock(queue: Queue, entry: Entry, program: str | None, confirm_id: int | str, halfway: bool = False) -> None:
    """Lock a message for a get that will be confirmed; no effect if that get holds it already."""
    if entry.lock is None:
        entry.lock, entry.confirm_id, entry.halfway = "get", confirm_id, halfway
        rule = "MQE-14" if halfway else "MQE-10"
        queue.record("lock", entry, program, rule, None, {"lock": "get", "confirm_id": confirm_id})


def take(queue: Queue, entry: Entry, program: str | None, rule: str = "MQE-09", detail: dict | None = None) -> Message:
    """Remove a message permanently."""
    queue.remove(entry)
    queue.record("get", entry, program, rule, None, detail)
    return entry.message


def confirm_get(queue: Queue, uid: MessageId | None, program: str | None, rule: str = "MQE-10") -> str:
    """End a locked get: "gone", "expired" if it has expired by now (MQE-02), "unknown" if not there."""
    entry = queue.named(uid)
    if entry is None or entry.lock != "get":
        return "unknown"
    if discarded(queue, entry, "remove", program):
        return "expired"
    take(queue, entry, program, rule, {"confirmed": entry.confirm_id})
    return "gone"


def undo(queue: Queue, confirm_id: int, program: str | None) -> int:
    """Take back locked puts of this confirm id, and unlock its gets; how many there were."""
    entries = [entry for entry in queue.entries() if entry.lock is not None and entry.confirm_id == confirm_id]
    for entry in entries:
        if entry.lock == "put":
            queue.remove(entry)
            queue.record("undo", entry, program, "MQE-10")
        else:
            entry.lock, entry.confirm_id, entry.halfway = None, 0, False
            queue.record("unlock", entry, program, "MQE-10")
    return len(entries)
