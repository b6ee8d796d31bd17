"""Queue rules ready to use. A queue rule is a function `rule(queue, message)`, told when a message has expired there.

What it returns is ignored and the message is gone; a rule can only keep a copy, or tell somebody.
"""

from __future__ import annotations

from .message import Message
from .queue import Queue

__all__ = ["DEAD_LETTER_QUEUE", "RULES", "copy_to_dead_letter"]

DEAD_LETTER_QUEUE = "DeadLetterQ"
"""The name of a queue manager's dead-letter queue, if it has one."""


def copy_to_dead_letter(queue: Queue, message: Message) -> None:
    """Keep a copy on the dead-letter queue, if there is one: marked as sent again and without a lifetime (MQE-15)."""
    if queue.qmgr.has(DEAD_LETTER_QUEUE):
        queue.qmgr.put(DEAD_LETTER_QUEUE, message.copy(expire_ms=None, expire_at=None, resend=True))


RULES = {"copy_to_dead_letter": copy_to_dead_letter}
"""Rules by the name that a definition file gives them."""
