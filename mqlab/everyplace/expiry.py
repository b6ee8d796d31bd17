"""Expiry in MQ Everyplace: the five times at which a queue looks for expired messages, and the queue rule that it
notifies.

Nothing looks in between: an expired message stays where it is until one of the moments comes. A queue rule is a
function `rule(queue, message)`. Its result is ignored and the message is deleted; a rule can only keep a copy, or
notify someone.
"""

from __future__ import annotations

from ..engine.words.arguments import checked
from .message import Message
from .queue import Entry, Queue

MOMENTS = {"add": "MQE-01", "remove": "MQE-02", "activate": "MQE-03", "delete": "MQE-04", "size": "MQE-05"}
"""The action of a queue that looks for expired messages, and the rule behind it."""
DEAD_LETTER_QUEUE = "DeadLetterQ"
"""The name of a queue manager's dead-letter queue, if it has one."""


def discarded(queue: Queue, entry: Entry, moment: str, program: str | None = None, cause: int | None = None) -> bool:
    """Whether a message has expired; if so, it is deleted and the queue's rule notified, once (MQE-06).

    The message is off the queue and the deletion in the log before the rule is called, so nothing that a rule does,
    not even an exception, which reaches the caller, can keep it; a rule can only save a copy. Where another queue
    manager has the same message halfway, its rule is notified too, of the same message (MQE-07).
    """
    now = queue.qmgr.clock.time_us
    if not entry.expired(now):
        return False
    if entry.on_queue:
        queue.remove(entry)
    seq = queue.record("discard", entry, program, MOMENTS[moment], cause, {"moment": moment})
    if queue.rule is None:
        return True
    rule, detail = "MQE-07" if entry.halfway else "MQE-06", {"rule": queue.rule_name}
    queue.qmgr.lab.events.write(
        now,
        "told",
        queue.subject,
        entry.message.number,
        program,
        depth=queue.depth,
        rule=rule,
        cause=seq,
        detail=detail,
    )
    queue.rule(queue, entry.message)
    return True


def purge(queue: Queue, moment: str, program: str | None = None, cause: int | None = None) -> None:
    """Delete every expired message of a queue, locked or not (MQE-03, MQE-04, MQE-05)."""
    for entry in queue.walk():
        discarded(queue, entry, moment, program, cause)


@checked
def copy_to_dead_letter(queue: Queue, message: Message) -> None:
    """Keep a copy on the dead-letter queue, if there is one: marked as sent again and without a lifetime (MQE-15)."""
    if queue.qmgr.has(DEAD_LETTER_QUEUE):
        queue.qmgr.put(DEAD_LETTER_QUEUE, message.copy(expire_ms=None, expire_at=None, resend=True))


RULES = {"copy_to_dead_letter": copy_to_dead_letter}
"""Rules by the name that a definition file gives them."""
