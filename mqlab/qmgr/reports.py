"""Report messages: expiration, confirm on arrival, confirm on delivery, and exception."""

from __future__ import annotations

from typing import NamedTuple

from ..mq.constants import (
    MQEI_UNLIMITED,
    MQFB_COA,
    MQFB_COD,
    MQFB_EXPIRATION,
    MQFMT_DEAD_LETTER_HEADER,
    MQFMT_XMIT_Q_HEADER,
    MQMT_REPORT,
    MQOL_UNDEFINED,
    MQRO_COA,
    MQRO_COD,
    MQRO_DISCARD_MSG,
    MQRO_EXCEPTION,
    MQRO_EXPIRATION,
    MQRO_NONE,
    MQRO_PASS_DISCARD_AND_EXPIRY,
)
from ..mq.errors import MQError
from .dead_letter import dead_letter
from .message import Descriptor, QueuedMessage, identifiers_of_answer
from .put import Put
from .resolution import full_name
from .transmission import inside, putter

__all__ = ["BURIED", "COA", "COD", "EXCEPTION", "EXPIRATION", "LOST", "NONE", "SENT", "Kind", "send_report"]

SENT, BURIED, LOST, NONE = "sent", "buried", "lost", "none"


class Kind(NamedTuple):
    """A sort of report: its option with no data, the bits that ask for 100 bytes and for all, and its Feedback.

    The Feedback of an exception report is the reason it is sent for.
    """

    option: int
    with_data: int
    with_full_data: int
    feedback: int


EXPIRATION = Kind(MQRO_EXPIRATION, 3 * MQRO_EXPIRATION, 7 * MQRO_EXPIRATION, MQFB_EXPIRATION)
COA = Kind(MQRO_COA, 3 * MQRO_COA, 7 * MQRO_COA, MQFB_COA)
COD = Kind(MQRO_COD, 3 * MQRO_COD, 7 * MQRO_COD, MQFB_COD)
EXCEPTION = Kind(MQRO_EXCEPTION, 3 * MQRO_EXCEPTION, 7 * MQRO_EXCEPTION, 0)


def send_report(
    kind: Kind, queue, message: QueuedMessage, cause: int, rule: str, unit=None, feedback=None, by=None
) -> str:
    """Send a report about a message of `queue` (or of a queue manager) if its putter asked for this kind.

    `cause` is the event row behind it, `feedback` its Feedback where the kind does not say, `by` the application that
    sends it (None: the queue manager). Its descriptor: CorrelId is the original's MsgId and the MsgId is new unless the
    pass options say otherwise; priority, persistence, version, encoding, character set, format and place in a group are
    the original's; lifetime unlimited, or with PASS_DISCARD_AND_EXPIRY what the original has left (unlimited for an
    expiration report: our reading). The identity is the original's, the origin the sender's. In `unit` it can be got at
    the commit. A report that cannot be put goes to the dead-letter queue; without one it is lost, and the log says so.
    No arrival or delivery of a dead-lettered message is confirmed (our reading). What became of it: SENT to its
    reply-to queue, BURIED in the dead-letter queue, LOST, or NONE asked for.
    """
    if kind is EXPIRATION and message.descriptor.format == MQFMT_XMIT_Q_HEADER:
        message = inside(message, queue.clock.time_us)
    qmgr, original = queue.qmgr, message.descriptor
    asked = original.report
    if not asked & kind.option or (original.format == MQFMT_DEAD_LETTER_HEADER and kind in (COA, COD)):
        return NONE
    sender, body = qmgr.reporter(cause), _data(kind, asked, message.body)
    if by is not None:
        sender.caller, sender.context = by.caller, by.context
    own_id, correl_id = identifiers_of_answer(message)
    left = _expiry(kind, asked, message, queue.clock.time_us)
    about = _descriptor(kind.feedback if feedback is None else feedback, message, qmgr.name)
    context = sender.context.with_identity_of(message.context)
    try:
        target = sender.resolve(full_name(qmgr, original.reply_to_q, original.reply_to_qmgr), "report")
        putter(target)(
            Put(
                sender,
                target,
                body,
                left,
                message.priority,
                message.persistent,
                own_id,
                correl_id,
                about,
                unit,
                "report",
                rule,
                context,
            )
        )
        return SENT
    except MQError as refused:
        kept = dead_letter(
            sender,
            refused.reason,
            body,
            original.format,
            original.reply_to_q,
            message.priority,
            message.persistent,
            correl_id,
            rule,
            msg_id=own_id,
            expiry=left,
            descriptor=about,
            unit=unit,
        )
        return BURIED if kept else LOST


def _expiry(kind: Kind, asked: int, message: QueuedMessage, now: int) -> int:
    if kind is EXPIRATION or not asked & MQRO_PASS_DISCARD_AND_EXPIRY or message.expires_us is None:
        return MQEI_UNLIMITED
    return max(1, message.tenths_left(now))


def _descriptor(feedback: int, message: QueuedMessage, qmgr: str) -> Descriptor:
    """The report's own fields; OriginalLength is the length of the data it is about, where the version has it."""
    original, both = message.descriptor, MQRO_PASS_DISCARD_AND_EXPIRY | MQRO_DISCARD_MSG
    length = len(message.body) if original.original_length == MQOL_UNDEFINED else original.original_length
    return original._replace(
        report=MQRO_DISCARD_MSG if original.report & both == both else MQRO_NONE,
        msg_type=MQMT_REPORT,
        feedback=feedback,
        reply_to_q="",
        reply_to_qmgr=qmgr,
        original_length=length if original.version > 1 else MQOL_UNDEFINED,
    )


def _data(kind: Kind, asked: int, body: bytes) -> bytes:
    """None, the first 100 bytes, or all of the original: the strengths are nested, so the strongest is tested first."""
    if asked & kind.with_full_data == kind.with_full_data:
        return body
    return body[:100] if asked & kind.with_data == kind.with_data else b""
