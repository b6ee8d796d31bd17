"""The dead-letter queue: where what cannot be put where it was meant to go is put instead."""

from __future__ import annotations

from ..mq.constants import MQEI_UNLIMITED, MQFMT_DEAD_LETTER_HEADER, MQRC_UNKNOWN_OBJECT_NAME
from ..mq.errors import MQError
from ..mq.headers import MQDLH
from .message import PLAIN, Descriptor, QueuedMessage
from .put import Put, put

__all__ = ["bury", "dead_letter"]


def bury(sender, reason: int, message: QueuedMessage, queue: str, qmgr: str, unit, rule: str) -> None:
    """Put a message on the dead-letter queue behind an MQDLH that says why, and where it was going.

    Its descriptor stays its own: identifiers, report options, persistence, context, and what is left of its lifetime
    (EXP-23), but for format, encoding and character set, which the MQDLH keeps and which then describe the MQDLH.
    `sender` is the application that could not deliver it; `unit` its unit of work. MQError 2085 where DEADQ is blank or
    names no local queue, or what refused the put.
    """
    here = sender.qmgr
    left = message.tenths_left(here.clock.time_us)
    header = _header(sender, reason, queue, qmgr, message.descriptor)
    put(
        Put(
            sender,
            _target(sender, rule),
            header + message.body,
            MQEI_UNLIMITED if left is None else left,
            message.priority,
            message.persistent,
            message.msg_id,
            message.correl_id,
            _behind_header(message.descriptor),
            unit,
            rule=rule if left is None else "EXP-23",
            of=message,
        )
    )


def dead_letter(
    sender,
    reason: int,
    body: bytes,
    format: str,
    queue: str,
    priority=None,
    persistent=False,
    correl_id=None,
    rule: str | None = None,
    *,
    msg_id=None,
    expiry=MQEI_UNLIMITED,
    descriptor=None,
    unit=None,
) -> bool:
    """Put data that could not be put to `queue` on the dead-letter queue, behind an MQDLH; whether that worked.

    `sender` is the queue manager as an application, `reason` the MQRC of the refusal; `descriptor` the rest of its
    descriptor, `unit` the unit of work of the put. Where DEADQ is blank, names no local queue, or refuses the put, the
    data is gone and the log tells so in a `lost` row.
    """
    qmgr = sender.qmgr
    name = qmgr.attributes["DEADQ"]
    target = qmgr.targets.get(name)
    about = (descriptor or Descriptor())._replace(format=format)
    if target is not None:
        try:
            data = _header(sender, reason, queue, qmgr.name, about) + body
            about = _behind_header(about)
            put(Put(sender, target, data, expiry, priority, persistent, msg_id, correl_id, about, unit, rule=rule))
            return True
        except MQError:
            pass  # the refusal is a row of the log; the data is lost
    qmgr.lab.events.write(
        qmgr.clock.time_us,
        "lost",
        (qmgr.name, name or None, "QLOCAL" if name else None),
        program=sender.caller,
        reason=reason,
        rule=rule or "MQI-30",
        cause=sender.cause,
    )
    return False


def _target(sender, rule: str):
    """The dead-letter queue; MQError 2085 if there is none."""
    name = sender.qmgr.attributes["DEADQ"]
    target = sender.qmgr.targets.get(name)
    if target is None:
        said = f"DEADQ {name} is no local queue" if name else "DEADQ is blank"
        sender.refuse(
            MQRC_UNKNOWN_OBJECT_NAME, None, "put", rule, said, "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)", name=name
        )
    return target


def _header(sender, reason: int, queue: str, qmgr: str, about: Descriptor) -> bytes:
    """The dead-letter header, in the name of the program that puts it."""
    by = sender.context
    return MQDLH.pack(
        reason,
        queue,
        qmgr,
        about.format,
        by.put_appl_name,
        sender.qmgr.lab.now,
        appl_type=by.put_appl_type,
        encoding=about.encoding,
        ccsid=about.ccsid,
    )


def _behind_header(about: Descriptor) -> Descriptor:
    """The descriptor of a message that now begins with an MQDLH."""
    return about._replace(format=MQFMT_DEAD_LETTER_HEADER, encoding=PLAIN.encoding, ccsid=PLAIN.ccsid)
