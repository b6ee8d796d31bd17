"""What becomes of a message that cannot be delivered: the putter said so in its report options.

Used by every program that cannot deliver a message it holds: a channel, the intra-group queuing agent, an application.
"""

from __future__ import annotations

from typing import NamedTuple

from ..mq.constants import MQRO_DISCARD_MSG, MQRO_EXCEPTION_WITH_FULL_DATA
from ..mq.errors import MQError
from .dead_letter import bury
from .message import QueuedMessage
from .reports import EXCEPTION, EXPIRATION, LOST, SENT, send_report

__all__ = [
    "DEAD_LETTERED",
    "DISCARDED",
    "EXPIRED",
    "RETURNED",
    "UNDELIVERED",
    "Fate",
    "give_up",
    "record_held",
    "undeliverable",
]

DEAD_LETTERED, DISCARDED, RETURNED, EXPIRED, UNDELIVERED = (
    "dead-lettered",
    "discarded",
    "returned",
    "expired",
    "undelivered",
)


class Fate(NamedTuple):
    """What became of it: one of the five words, the reason for which the dead-letter queue refused (None if it did
    not), whether an exception report reached its reply-to queue, and whether one was lost."""

    outcome: str
    refused: int | None = None
    reported: bool = False
    report_lost: bool = False


def undeliverable(
    sender,
    message: QueuedMessage,
    reason: int,
    queue: str = "",
    qmgr: str = "",
    unit=None,
    use_dead_letter=True,
    rules: tuple[str, str] = ("MQI-30", "MQI-29"),
) -> Fate:
    """Do with a message that `sender` holds and cannot deliver what its putter asked for (MQI-30).

    With MQRO_DISCARD_MSG it is discarded, which with MQRO_EXCEPTION_WITH_FULL_DATA and a reply-to queue means that it
    is returned to its sender; otherwise it is dead-lettered. Then the exception report follows, if it was asked for
    (MQI-29), with `reason`, an MQRC or MQFB, as its Feedback. A message whose lifetime is over is discarded by this
    attempt to move it, with its expiration report (EXP-38; EXP-36 where a program of MQ's own does it).

    `queue` and `qmgr` say where it was going, for the MQDLH; `unit` is the unit of work of all puts; `rules` those
    of the rows of the message and of its exception report. The outcome
    UNDELIVERED means that nothing was done, no report either, because there is no dead-letter queue, it refused, or
    `use_dead_letter` is False: a caller that cannot keep the message says `give_up`.
    """
    here, asked = sender.qmgr, message.descriptor
    now = here.clock.time_us
    if message.expires_us is not None and message.expires_us <= now:
        seq = record_held(sender, "discard", message, queue, sender.discard_rule or "EXP-38")
        send_report(EXPIRATION, here, message, seq, "EXP-18")
        return Fate(EXPIRED)
    if asked.report & MQRO_DISCARD_MSG:
        seq = record_held(sender, "reject", message, queue, rules[0], unit, reason)
        report = send_report(EXCEPTION, here, message, seq, rules[1], unit, reason, sender)
        full = asked.report & MQRO_EXCEPTION_WITH_FULL_DATA == MQRO_EXCEPTION_WITH_FULL_DATA
        return _fate(RETURNED if full and report == SENT else DISCARDED, report)
    if not use_dead_letter:
        return Fate(UNDELIVERED)
    seq = here.lab.events.next_seq
    try:
        bury(sender, reason, message, queue, qmgr or here.name, unit, rules[0])
    except MQError as refused:
        return Fate(UNDELIVERED, refused.reason)
    return _fate(DEAD_LETTERED, send_report(EXCEPTION, here, message, seq, rules[1], unit, reason, sender))


def give_up(
    sender,
    message: QueuedMessage,
    reason: int,
    queue: str = "",
    unit=None,
    rules: tuple[str, str] = ("MQI-30", "MQI-29"),
) -> Fate:
    """Lose a message that nothing can be done with: a `lost` row, and the exception report if it was asked for.

    What a fast channel does with a non-persistent message when there is no dead-letter queue.
    """
    seq = record_held(sender, "lost", message, queue, rules[0], unit, reason)
    return _fate(DISCARDED, send_report(EXCEPTION, sender.qmgr, message, seq, rules[1], unit, reason, sender))


def _fate(outcome: str, report: str) -> Fate:
    return Fate(outcome, None, report == SENT, report == LOST)


def record_held(
    sender, kind: str, message: QueuedMessage, queue: str, rule: str, unit=None, reason=None, detail: str | None = None
) -> int:
    """Write the row of what happens to a message while a program holds it: it is on no queue, so no depth goes with
    it; its seq."""
    here = sender.qmgr
    now = here.clock.time_us
    return here.lab.events.append(
        (
            now,
            kind,
            (here.name, queue or None, None),
            message.number,
            message.msg_id,
            sender.caller,
            None if unit is None else unit.number,
            message.priority,
            message.persistent,
            message.tenths_left(now),
            None,
            message.put_us,
            message.arrived_us,
            reason,
            rule,
            sender.cause,
            detail,
        )
    )
