"""Message expiry: discarding what has lapsed, by whichever call meets it."""

from __future__ import annotations

from .message import QueuedMessage
from .reports import EXPIRATION, send_report
from .transmission import MQFMT_XMIT_Q_HEADER, inner_left

__all__ = ["discard", "discard_met"]


def discard(queue, message: QueuedMessage, program: str | None, cause: int, rule: str, in_unit=False) -> None:
    """Remove one lapsed message from its queue, outside any unit of work, and send the report its putter asked for.

    `cause` is the event row of the call or scan of `program` that met it, `rule` the rule that says most about it.
    """
    queue.store.remove(message)
    queue.lose(message)
    seq = queue.record("discard", message, program, None, rule, cause)
    message.seq = -1
    late = queue.clock.time_us > message.expires_us
    send_report(EXPIRATION, queue, message, seq, "EXP-19" if in_unit else "EXP-18" if late else "EXP-13")


def discard_met(
    queue,
    lapsed: list[QueuedMessage],
    program,
    cause: int,
    selective=False,
    browsing=False,
    in_unit=False,
    of_agent=None,
):
    """Discard the lapsed messages that one call met, in order (EXP-08 to EXP-11); `of_agent` is the rule that all the
    discards of a program of MQ's own go by (EXP-36)."""
    for message in lapsed:
        if _outer_only(queue, message):
            rule = "EXP-28"
        elif of_agent is not None:
            rule = of_agent
        elif message.visible_us >= message.expires_us:
            rule = "EXP-20" if message.backout_count else "EXP-14"
        elif in_unit:
            rule = "EXP-19"
        elif selective:
            rule = "EXP-08"
        elif browsing:
            rule = "EXP-38"
        else:
            rule = "EXP-09" if queue.fifo else "EXP-10"
        discard(queue, message, program, cause, rule, in_unit)


def _outer_only(queue, message: QueuedMessage) -> bool:
    """Whether a lapsed message carries another in its data whose own lifetime is not over (EXP-28)."""
    if message.descriptor.format != MQFMT_XMIT_Q_HEADER:
        return False
    left = inner_left(message, queue.clock.time_us)
    return left is None or left > 0
