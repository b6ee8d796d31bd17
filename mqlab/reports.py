"""Report messages that the queue manager makes."""

from __future__ import annotations

from .constants import (
    MQEI_UNLIMITED,
    MQFB_EXPIRATION,
    MQMT_REPORT,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
    MQRO_DISCARD_MSG,
    MQRO_EXPIRATION_WITH_DATA,
    MQRO_EXPIRATION_WITH_FULL_DATA,
    MQRO_NONE,
    MQRO_PASS_CORREL_ID,
    MQRO_PASS_DISCARD_AND_EXPIRY,
    MQRO_PASS_MSG_ID,
)
from .errors import MQError
from .message import Descriptor, QueuedMessage
from .putting import put

__all__ = ["expiration_report"]


def expiration_report(queue, message: QueuedMessage, cause: int, rule: str) -> None:
    """Send the expiration report for a message just discarded from `queue` (event row `cause`), in no unit of work.

    Its descriptor: CorrelId is the original's MsgId and the MsgId is new unless the pass options say otherwise;
    priority and persistence are the original's; lifetime unlimited (our reading). A report that cannot be put is a
    refused `report` row of the log and goes no further: sending it to the dead-letter queue is not simulated yet.
    """
    qmgr, original = queue.qmgr, message.descriptor
    asked, sender = original.report, qmgr.reporter(cause)
    here = original.reply_to_qmgr == qmgr.name
    target = qmgr.targets.get(original.reply_to_q) if here else None
    if target is None:
        name = original.reply_to_q if here else f"{original.reply_to_q}@{original.reply_to_qmgr}"
        sender.refusal(
            MQRC_UNKNOWN_OBJECT_NAME if here else MQRC_UNKNOWN_REMOTE_Q_MGR,
            None,
            "report",
            rule,
            "no local queue has this name",
            f"DEFINE QLOCAL({original.reply_to_q})",
            name=name,
        )
        return
    try:
        put(
            sender,
            target,
            _data(asked, message.body),
            MQEI_UNLIMITED,
            message.priority,
            message.persistent,
            message.msg_id if asked & MQRO_PASS_MSG_ID else None,
            message.correl_id if asked & MQRO_PASS_CORREL_ID else message.msg_id,
            _descriptor(message),
            None,
            "report",
            rule,
        )
    except MQError:
        return  # its refusal is a row of the log with the reason, and the get that met the message goes on


def _descriptor(message: QueuedMessage) -> Descriptor:
    original = message.descriptor
    both = MQRO_PASS_DISCARD_AND_EXPIRY | MQRO_DISCARD_MSG
    report = MQRO_DISCARD_MSG if original.report & both == both else MQRO_NONE
    return Descriptor(report, MQMT_REPORT, MQFB_EXPIRATION, original.format, "", original.reply_to_qmgr)


def _data(asked: int, body: bytes) -> bytes:
    """None, the first 100 bytes, or all of the original: the strengths are nested, so the strongest is tested first."""
    if asked & MQRO_EXPIRATION_WITH_FULL_DATA == MQRO_EXPIRATION_WITH_FULL_DATA:
        return body
    return body[:100] if asked & MQRO_EXPIRATION_WITH_DATA == MQRO_EXPIRATION_WITH_DATA else b""
