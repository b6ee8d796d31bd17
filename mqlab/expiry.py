"""Message expiry: discarding what has lapsed, by whichever call meets it."""

from __future__ import annotations

from .constants import MQRO_EXPIRATION
from .message import QueuedMessage
from .reports import expiration_report

__all__ = ["discard"]


def discard(queue, message: QueuedMessage, application, cause: int, selective: bool, in_unit: bool) -> None:
    """Remove one lapsed message from its queue, outside any unit of work, and send the report its putter asked for.

    `cause` is the event row of the call that met it (EXP-08 to EXP-11, EXP-19); `selective` tells whether that call
    chose by MsgId or CorrelId.
    """
    queue.store.remove(message)
    queue.depth -= 1
    rule = _rule(queue, message, selective, in_unit)
    seq = queue.record("discard", message, application.program, None, rule, cause)
    message.seq = -1
    if message.descriptor.report & MQRO_EXPIRATION:
        late = queue.clock.time_us > message.expires_us
        expiration_report(queue, message, seq, "EXP-19" if in_unit else "EXP-18" if late else "EXP-13")


def _rule(queue, message: QueuedMessage, selective: bool, in_unit: bool) -> str:
    """The rule that says most about this discard."""
    if message.visible_us >= message.expires_us:
        return "EXP-20" if message.backout_count else "EXP-14"
    if in_unit:
        return "EXP-19"
    if selective:
        return "EXP-08"
    return "EXP-09" if queue.fifo else "EXP-10"
