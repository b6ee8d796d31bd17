"""Report messages that the queue manager makes: expiration, confirm on arrival, confirm on delivery."""

from __future__ import annotations

from typing import NamedTuple

from .constants import (
    MQEI_UNLIMITED,
    MQFB_COA,
    MQFB_COD,
    MQFB_EXPIRATION,
    MQMT_REPORT,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
    MQRO_COA,
    MQRO_COD,
    MQRO_DISCARD_MSG,
    MQRO_EXPIRATION,
    MQRO_NONE,
    MQRO_PASS_CORREL_ID,
    MQRO_PASS_DISCARD_AND_EXPIRY,
    MQRO_PASS_MSG_ID,
)
from .deadletter import MQFMT_DEAD_LETTER, dead_letter
from .errors import MQError
from .message import Descriptor, QueuedMessage
from .putting import put

__all__ = ["COA", "COD", "EXPIRATION", "Kind", "send_report"]


class Kind(NamedTuple):
    """A sort of report: its option with no data, the bits that ask for 100 bytes and for all, and its Feedback."""

    option: int
    with_data: int
    with_full_data: int
    feedback: int


EXPIRATION = Kind(MQRO_EXPIRATION, 3 * MQRO_EXPIRATION, 7 * MQRO_EXPIRATION, MQFB_EXPIRATION)
COA = Kind(MQRO_COA, 3 * MQRO_COA, 7 * MQRO_COA, MQFB_COA)
COD = Kind(MQRO_COD, 3 * MQRO_COD, 7 * MQRO_COD, MQFB_COD)


def send_report(kind: Kind, queue, message: QueuedMessage, cause: int, rule: str, unit=None) -> None:
    """Send a report about a message of `queue` if its putter asked for this kind; `cause` is the event row behind it.

    Its descriptor: CorrelId is the original's MsgId and the MsgId is new unless the pass options say otherwise;
    priority and persistence are the original's; lifetime unlimited, or with PASS_DISCARD_AND_EXPIRY what the original
    has left (unlimited for an expiration report: our reading). In `unit` it can be got at the commit. A report that
    cannot be put goes to the dead-letter queue; without one it is lost, and the log says so.
    """
    qmgr, original = queue.qmgr, message.descriptor
    asked = original.report
    if not asked & kind.option or original.format == MQFMT_DEAD_LETTER:
        return
    sender, body = qmgr.reporter(cause), _data(kind, asked, message.body)
    correl_id = message.correl_id if asked & MQRO_PASS_CORREL_ID else message.msg_id
    here = original.reply_to_qmgr == qmgr.name
    target = qmgr.targets.get(original.reply_to_q) if here else None
    try:
        if target is None:
            name = original.reply_to_q if here else f"{original.reply_to_q}@{original.reply_to_qmgr}"
            sender.fail(
                MQRC_UNKNOWN_OBJECT_NAME if here else MQRC_UNKNOWN_REMOTE_Q_MGR,
                None,
                "report",
                rule,
                "no local queue has this name",
                f"DEFINE QLOCAL({original.reply_to_q})",
                name=name,
            )
        own_id = message.msg_id if asked & MQRO_PASS_MSG_ID else None
        left = _expiry(kind, asked, message, queue.clock.time_us)
        put(sender, target, body, left, message.priority, message.persistent, own_id, correl_id,
            _descriptor(kind, original), unit, "report", rule)  # fmt: skip
    except MQError as refused:
        dead_letter(sender, refused.reason, body, original.format, original.reply_to_q, message.priority,
                    message.persistent, correl_id, rule)  # fmt: skip


def _expiry(kind: Kind, asked: int, message: QueuedMessage, now: int) -> int:
    if kind is EXPIRATION or not asked & MQRO_PASS_DISCARD_AND_EXPIRY or message.expires_us is None:
        return MQEI_UNLIMITED
    return max(1, message.tenths_left(now))


def _descriptor(kind: Kind, original: Descriptor) -> Descriptor:
    both = MQRO_PASS_DISCARD_AND_EXPIRY | MQRO_DISCARD_MSG
    report = MQRO_DISCARD_MSG if original.report & both == both else MQRO_NONE
    return Descriptor(report, MQMT_REPORT, kind.feedback, original.format, "", original.reply_to_qmgr)


def _data(kind: Kind, asked: int, body: bytes) -> bytes:
    """None, the first 100 bytes, or all of the original: the strengths are nested, so the strongest is tested first."""
    if asked & kind.with_full_data == kind.with_full_data:
        return body
    return body[:100] if asked & kind.with_data == kind.with_data else b""
