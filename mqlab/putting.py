"""MQPUT: the checks a message passes, and how it comes to stand on a queue."""

from __future__ import annotations

from .clock import TENTH
from .constants import (
    EXPIRY_MAXIMUM,
    MAXPRTY,
    MESSAGE_TYPES,
    MQEI_UNLIMITED,
    MQMT_REQUEST,
    MQRC_EXPIRY_ERROR,
    MQRC_MISSING_REPLY_TO_Q,
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_MSG_TYPE_ERROR,
    MQRC_PRIORITY_ERROR,
    MQRC_PRIORITY_EXCEEDS_MAXIMUM,
    MQRC_PUT_INHIBITED,
    MQRC_Q_FULL,
    MQRC_REPORT_OPTIONS_ERROR,
    MQRO_REJECT_UNSUP_MASK,
    REPORTS_ASKED,
)
from .errors import LabError
from .message import PLAIN, Descriptor, Message, QueuedMessage, as_body, as_identifier

_BEYOND = f'{{"warning":{MQRC_PRIORITY_EXCEEDS_MAXIMUM}}}'

# A message is filled in here, where it is made: calling an __init__ would cost a put a tenth of its time.
new = object.__new__

__all__ = ["describe", "put", "settle", "undo"]


def put(
    application, target, body, expiry, priority, persistent, msg_id, correl_id, descriptor, unit, kind="put", rule=None
) -> Message:
    """Put one message to `target` (a local queue or an alias of one); the message as put.

    `expiry` in tenths of a second, -1 unlimited (EXP-01). A priority above 9 is filed as 9 with warning 2049 in the
    event's detail (our reading). `kind` and `rule` are those of the event row. Raises MQError: 2013 (EXP-15), 2024,
    2030, 2050, 2051, 2053.
    """
    queue = target.queue
    now = queue.clock.time_us
    if type(body) is not bytes:
        body = as_body(body)
    detail = None
    if priority is None:
        priority = filed = target.defprty
    elif type(priority) is not int or priority < 0:
        _refuse_priority(application, target, priority)
    elif priority > MAXPRTY:
        filed, detail = MAXPRTY, _BEYOND
    else:
        filed = priority
    if expiry == MQEI_UNLIMITED:
        expires_us = left = None
    else:
        _check_expiry(application, target, expiry)
        expires_us, left = now + expiry * TENTH, expiry
    if unit is not None:
        unit.admit(target, "put")
    if len(body) > queue.maxmsgl:
        application.fail(
            MQRC_MSG_TOO_BIG_FOR_Q,
            target,
            kind,
            "MQI-10",
            f"{len(body)} bytes; MAXMSGL is {queue.maxmsgl}",
            f"ALTER QLOCAL({queue.name}) MAXMSGL({len(body)}), or send less",
        )
    if queue.depth >= target.room:
        _refuse_no_room(application, target, now, kind)
    if msg_id is not None:
        msg_id = as_identifier(msg_id, "msg_id")
    if correl_id is not None:
        correl_id = as_identifier(correl_id, "correl_id")
    if persistent is None:
        persistent = target.defpsist
    elif type(persistent) is not bool:
        raise LabError(f"persistent wanted: True, False, or None for the queue's DEFPSIST; got {persistent!r}")
    if queue.fifo:
        filed = queue.defprty
    number = queue.next_message()
    if msg_id is None:
        msg_id = queue.qmgr.id_prefix + number.to_bytes(8, "big")
    message = new(QueuedMessage)
    message.number = number
    message.msg_id = msg_id
    message.correl_id = correl_id
    message.body = body
    message.descriptor = descriptor
    message.priority = priority
    message.persistent = persistent
    message.filed = filed
    message.expires_us = expires_us
    message.put_us = message.arrived_us = message.visible_us = now
    message.backout_count = 0
    message.prev = message.next = message.holder = None
    if unit is None:
        work = None
        if rule is None:
            rule = "MQI-01" if left is None else "EXP-01"
    else:
        work = unit.number
        rule = "MQI-05" if left is None else "EXP-14"
    queue.depth = depth = queue.depth + 1
    message.seq = queue.log(
        (
            now,
            kind,
            queue.place,
            number,
            msg_id,
            application.program,
            work,
            priority,
            persistent,
            left,
            depth,
            now,
            now,
            None,
            rule,
            application.cause,
            detail,
        )
    )
    if left is not None and expires_us < queue.earliest_us:
        queue.earliest_us = expires_us
    if unit is None:
        queue.store.add(message)
        if queue.waiters:
            queue.wake()
    else:
        queue.uncommitted += 1
        unit.puts.append((queue, message))
    return Message(message, left, queue.qmgr)


def settle(queue, message: QueuedMessage) -> None:
    """Make a committed put visible, at the place its arrival gave it."""
    queue.uncommitted -= 1
    queue.admit(message)


def undo(queue, message: QueuedMessage, unit, cause: int) -> None:
    """Take an uncommitted put back (MQI-08)."""
    queue.depth -= 1
    queue.uncommitted -= 1
    queue.record("undo", message, unit.application.program, unit.number, "MQI-08", cause)


def describe(application, target, report, msg_type, feedback, format, reply_to_q, reply_to_qmgr) -> Descriptor:
    """The rarer fields of the descriptor, checked (MQI-13): 2027, 2029 or 2061 where they do not fit together."""
    if not (report or reply_to_q or reply_to_qmgr or format or feedback) and msg_type is None:
        return PLAIN
    kind = PLAIN.msg_type if msg_type is None else msg_type
    for value, name in ((kind, "msg_type"), (report, "report"), (feedback, "feedback")):
        if type(value) is not int:
            raise LabError(f"{name} wanted: a whole number (an MQ constant); got {value!r}")
    if not any(kind in allowed for allowed in MESSAGE_TYPES):
        application.fail(
            MQRC_MSG_TYPE_ERROR,
            target,
            "put",
            "MQI-13",
            f"msg_type {kind}",
            "1 request, 2 reply, 4 report, 8 datagram, or 65536 and above for your own",
        )
    if report & MQRO_REJECT_UNSUP_MASK:
        application.fail(
            MQRC_REPORT_OPTIONS_ERROR,
            target,
            "put",
            "MQI-13",
            f"report {report:#x} has bits MQ does not know",
            "add up MQRO options only",
        )
    if not reply_to_q and (report & REPORTS_ASKED or kind == MQMT_REQUEST):
        application.fail(
            MQRC_MISSING_REPLY_TO_Q,
            target,
            "put",
            "MQI-13",
            "a request or report with a blank reply_to_q",
            "name the queue that the reply or report is to go to",
        )
    for value, name, size in (
        (reply_to_q, "reply_to_q", 48),
        (reply_to_qmgr, "reply_to_qmgr", 48),
        (format, "format", 8),
    ):
        if not isinstance(value, str) or len(value) > size:
            raise LabError(f"{name} wanted: text of up to {size} characters; got {value!r}")
    return Descriptor(report, kind, feedback, format, reply_to_q, reply_to_qmgr or target.queue.qmgr.name)


def _check_expiry(application, target, expiry) -> None:
    if type(expiry) is not int:
        raise LabError(f"expiry wanted: a whole number of tenths of a second, or -1 for unlimited; got {expiry!r}")
    if expiry <= 0:
        application.fail(
            MQRC_EXPIRY_ERROR,
            target,
            "put",
            "EXP-15",
            f"expiry {expiry}",
            f"1 to {EXPIRY_MAXIMUM} tenths of a second, or -1 for unlimited",
        )


def _refuse_priority(application, target, priority) -> None:
    if type(priority) is not int:
        raise LabError(f"priority wanted: 0 to 9, or None for the queue's DEFPRTY; got {priority!r}")
    application.fail(
        MQRC_PRIORITY_ERROR, target, "put", "MQI-13", f"priority {priority}", "0 to 9, or leave it to DEFPRTY"
    )


def _refuse_no_room(application, target, now: int, kind: str) -> None:
    """2051 where puts are inhibited, else 2053, which names EXP-17 where lapsed messages help to fill the queue."""
    queue = target.queue
    if target.put_inhibited:
        closed = queue if queue.put_inhibited else target
        application.fail(
            MQRC_PUT_INHIBITED,
            target,
            kind,
            "MQI-11",
            f"{closed.name} has PUT(DISABLED)",
            f"ALTER {closed.kind}({closed.name}) PUT(ENABLED)",
        )
    lapsed = queue.lapsed_witness(now) is not None
    application.fail(
        MQRC_Q_FULL,
        target,
        kind,
        "EXP-17" if lapsed else "MQI-09",
        f"CURDEPTH {queue.depth} is MAXDEPTH" + (", lapsed messages among them" if lapsed else ""),
        "get or browse the queue: that discards what has lapsed"
        if lapsed
        else f"get messages, or ALTER QLOCAL({queue.name}) MAXDEPTH(...)",
    )
