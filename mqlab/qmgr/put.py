"""MQPUT: the checks a message passes, and how it comes to stand on a queue."""

from __future__ import annotations

from ..mq.constants import (
    EXPIRY_MAXIMUM,
    MAXPRTY,
    MESSAGE_TYPES,
    MQEI_UNLIMITED,
    MQMT_REQUEST,
    MQRC_EXPIRY_ERROR,
    MQRC_MISSING_REPLY_TO_Q,
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_MSG_TOO_BIG_FOR_Q_MGR,
    MQRC_MSG_TYPE_ERROR,
    MQRC_PERSISTENT_NOT_ALLOWED,
    MQRC_PRIORITY_ERROR,
    MQRC_PRIORITY_EXCEEDS_MAXIMUM,
    MQRC_PUT_INHIBITED,
    MQRC_Q_FULL,
    MQRC_REPORT_OPTIONS_ERROR,
    MQRC_UNKNOWN_REPORT_OPTION,
    MQRO_COA,
    MQRO_REJECT_UNSUP_MASK,
    REPORT_BITS_NOT_HERE,
    REPORT_BITS_WARNED,
    REPORTS_ASKED,
)
from ..mq.errors import LabError
from ..mq.structures import as_body, as_identifier
from ..sim.clock import TENTH
from .message import PLAIN, Context, Descriptor, Message, QueuedMessage, Warned
from .resolution import reply_to

_BEYOND = f'{{"warning":{MQRC_PRIORITY_EXCEEDS_MAXIMUM}}}'

# A message is filled in here, where it is made: calling an __init__ would cost a put a tenth of its time.
new = object.__new__

ENFORCE_MAXIMUM = "AMQ_ENFORCE_MAX_EXPIRY_ERROR"
"""Where this variable exists in a queue manager's environment, lifetimes above 999 999 999 are refused (EXP-16)."""

__all__ = [
    "check",
    "check_expiry",
    "deliver",
    "describe",
    "lifetime",
    "put",
    "refuse_no_room",
    "refuse_priority",
    "undo",
]


def put(
    application,
    target,
    body,
    expiry,
    priority,
    persistent,
    msg_id,
    correl_id,
    descriptor,
    unit,
    kind="put",
    rule=None,
    of=None,
) -> Message:
    """Put one message to `target` (a local queue or an alias of one); the message as put.

    `expiry` in tenths of a second, -1 unlimited (EXP-01). A priority above 9 is filed as 9 with warning 2049, in the
    event's detail too (our reading); a report option that MQ does not know is warning 2104. `kind` and `rule` are those
    of the event row. `of` is the QueuedMessage that this one continues, which keeps its number, the time of its first
    put and its context, or the Context of a new one; None: the application's own. Raises MQError: 2013 (EXP-15), 2024,
    2030, 2050, 2051, 2053.
    """
    queue = target.queue
    now = queue.clock.time_us
    if type(body) is not bytes:
        body = as_body(body)
    detail = target.via
    if priority is None:
        priority = filed = target.defprty
    elif type(priority) is not int or priority < 0:
        refuse_priority(application, target, priority)
    elif priority > MAXPRTY:
        if priority >= 2**31:
            refuse_priority(application, target, priority)
        filed, detail = MAXPRTY, _BEYOND
        descriptor = descriptor._replace()  # not PLAIN: the warning is given where other rare things are done
    else:
        filed = priority
    if expiry == MQEI_UNLIMITED and target.cap is None:
        expires_us = left = None
    else:
        check_expiry(application, target, expiry)
        expires_us, left, capped = lifetime(queue.qmgr, now, expiry, target.cap)
        rule = rule or capped
    if unit is not None:
        unit.admit(target, "put")
    if len(body) > queue.longest:
        _refuse_length(application, target, len(body), kind)
    if queue.depth >= target.room:
        refuse_no_room(application, target, now, kind)
    if msg_id is not None:
        msg_id = as_identifier(msg_id, "msg_id")
    if correl_id is not None:
        correl_id = as_identifier(correl_id, "correl_id")
    if persistent is None:
        persistent = target.defpsist
    elif type(persistent) is not bool:
        raise LabError(f"persistent wanted: True, False, or None for the queue's DEFPSIST; got {persistent!r}")
    if persistent and queue.temporary:
        _refuse_persistent(application, target, kind)
    if queue.fifo:
        filed = queue.defprty
    if of is None:
        number, first, context = queue.next_message(), now, application.context
    elif type(of) is Context:
        number, first, context = queue.next_message(), now, of
    else:
        number, first, context = of.number, of.put_us, of.context
    if msg_id is None:
        msg_id = queue.new_id(number)
    message = new(QueuedMessage)
    message.number = number
    message.msg_id = msg_id
    message.correl_id = correl_id
    message.body = body
    message.context = context
    message.descriptor = descriptor
    message.priority = priority
    message.persistent = persistent
    message.filed = filed
    message.expires_us = expires_us
    message.put_us = first
    message.arrived_us = message.visible_us = now
    message.backout_count = 0
    message.prev = message.next = message.holder = None
    if unit is None:
        work = None
        if rule is None:
            rule = "MQI-01" if left is None else "EXP-01"
    else:
        work = unit.number
        if rule is None:
            rule = "MQI-05" if left is None else "EXP-14"
    queue.depth = depth = queue.depth + 1
    message.seq = queue.log(
        (
            now,
            kind,
            queue.place,
            number,
            msg_id,
            application.caller,
            work,
            priority,
            persistent,
            left,
            depth,
            first,
            now,
            None,
            rule,
            application.cause,
            detail,
        )
    )
    if left is not None:
        queue.expect(expires_us)
    if unit is None:
        queue.store.add(message)
        if queue.waiters:
            queue.wake()
    else:
        queue.uncommitted += 1
        unit.puts.append((queue, message))
    if queue.trigger is not None:
        queue.trigger.arrived(message, unit, message.seq, "TRG-01" if kind == "report" else None)
    given = new(Message)
    given._of = message
    given._qmgr = queue.qmgr
    given._expiry = left
    given._backout_count = 0
    if descriptor is not PLAIN:
        if descriptor.report & MQRO_COA:
            queue.qmgr.confirm_arrival(queue, message, unit)
        if descriptor.report & REPORT_BITS_WARNED:
            return Warned(given, MQRC_UNKNOWN_REPORT_OPTION)
    if detail is _BEYOND:
        return Warned(given, MQRC_PRIORITY_EXCEEDS_MAXIMUM)
    return given


def undo(queue, message: QueuedMessage, unit, cause: int) -> None:
    """Take an uncommitted put back (MQI-08)."""
    queue.lose(message)
    queue.uncommitted -= 1
    queue.record("undo", message, unit.application.caller, unit.number, "MQI-08", cause)


def deliver(queue, message: QueuedMessage, unit, cause: int) -> None:
    """Make a trigger message visible although its unit of work was backed out (TRG-10a)."""
    queue.record("deliver", message, unit.application.caller, unit.number, "TRG-10a", cause)
    queue.settle(message)


def describe(application, target, report, msg_type, feedback, format, reply_to_q, reply_to_qmgr) -> Descriptor:
    """The rarer fields of the descriptor, checked (MQI-13): 2027, 2029 or 2061 where they do not fit together."""
    if not (report or reply_to_q or reply_to_qmgr or format or feedback) and msg_type is None:
        return PLAIN
    kind = PLAIN.msg_type if msg_type is None else msg_type
    for value, name in ((kind, "msg_type"), (report, "report"), (feedback, "feedback")):
        if type(value) is not int or not -(2**31) <= value < 2**31:
            raise LabError(f"{name} wanted: a whole number of 32 bits (an MQ constant); got {value!r}")
    if not any(kind in allowed for allowed in MESSAGE_TYPES):
        application.refuse(
            MQRC_MSG_TYPE_ERROR,
            target,
            "put",
            "MQI-13",
            f"msg_type {kind}",
            "1 request, 2 reply, 4 report, 8 datagram, or 65536 and above for your own",
        )
    if report & (MQRO_REJECT_UNSUP_MASK | REPORT_BITS_NOT_HERE):
        application.refuse(
            MQRC_REPORT_OPTIONS_ERROR,
            target,
            "put",
            "MQI-13",
            f"report {report:#x} has bits MQ does not know",
            "add up MQRO options only",
        )
    if not reply_to_q and (report & REPORTS_ASKED or kind == MQMT_REQUEST):
        application.refuse(
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
    return Descriptor(report, kind, feedback, format, *reply_to(target.queue.qmgr, reply_to_q, reply_to_qmgr))


def check(application, target, expiry, priority, persistent) -> None:
    """Refuse what `put` would refuse of these three: for a put that must know them before it is made."""
    if priority is not None and (type(priority) is not int or not 0 <= priority < 2**31):
        refuse_priority(application, target, priority)
    if expiry != MQEI_UNLIMITED or target.cap is not None:
        check_expiry(application, target, expiry)
    if persistent is not None and type(persistent) is not bool:
        raise LabError(f"persistent wanted: True, False, or None for the queue's DEFPSIST; got {persistent!r}")


def lifetime(qmgr, now: int, expiry: int, cap: int | None) -> tuple[int, int, str | None]:
    """Deadline in microseconds, lifetime in tenths, and the rule if something other than the putter decided it.

    CAPEXPRY lowers the lifetime (EXP-31); a granularity of more than a tenth moves the deadline up to its next
    multiple (EXP-06).
    """
    rule = None
    if cap is not None and (expiry == MQEI_UNLIMITED or expiry > cap):
        expiry, rule = cap, "EXP-31"
    deadline = now + expiry * TENTH
    coarse = -(-deadline // (qmgr.expiry_granularity * TENTH)) * qmgr.expiry_granularity * TENTH
    if qmgr.expiry_granularity > 1 and coarse != deadline:
        deadline, rule = coarse, rule or "EXP-06"
        expiry = -((now - deadline) // TENTH)
    return deadline, expiry, rule


def check_expiry(application, target, expiry) -> None:
    """2013 for what cannot be a lifetime: EXP-15, EXP-16 where a maximum is enforced, EXP-32 on VSE."""
    if type(expiry) is not int or not -(2**31) <= expiry < 2**31:
        raise LabError(
            f"expiry wanted: a whole number of tenths of a second (32 bits), or -1 for unlimited; got {expiry!r}"
        )
    qmgr, rule = target.queue.qmgr, None
    if expiry <= 0 and expiry != MQEI_UNLIMITED:
        rule = "EXP-15"
    elif expiry != MQEI_UNLIMITED and qmgr.platform == "vse":
        rule = "EXP-32"
    elif expiry > EXPIRY_MAXIMUM and ENFORCE_MAXIMUM in qmgr.environment:
        rule = "EXP-16"
    if rule is not None:
        wanted = "-1 for unlimited" if qmgr.platform == "vse" else f"1 to {EXPIRY_MAXIMUM} tenths, or -1 for unlimited"
        application.refuse(MQRC_EXPIRY_ERROR, target, "put", rule, f"expiry {expiry}", wanted)


def refuse_priority(application, target, priority) -> None:
    """2050 for what cannot be a priority; LabError for what is no whole number of 32 bits."""
    if type(priority) is not int or not -(2**31) <= priority < 2**31:
        raise LabError(f"priority wanted: 0 to 9, or None for the queue's DEFPRTY; got {priority!r}")
    application.refuse(
        MQRC_PRIORITY_ERROR, target, "put", "MQI-13", f"priority {priority}", "0 to 9, or leave it to DEFPRTY"
    )


def _refuse_persistent(application, target, kind: str) -> None:
    """2048: a temporary dynamic queue holds no persistent messages, nor do some structures (QSG-04)."""
    rule, said = "MQI-24", f"{target.queue.name} is a temporary dynamic queue"
    hint, structure = "persistent=False, or a permanent queue", target.queue.structure
    if structure is not None:
        rule, said, hint = "QSG-04", structure.said, f"ALTER CFSTRUCT({structure.name}) CFLEVEL(3) RECOVER(YES)"
    application.refuse(MQRC_PERSISTENT_NOT_ALLOWED, target, kind, rule, said, hint)


def _refuse_length(application, target, length: int, kind: str) -> None:
    """2030 where the queue's MAXMSGL is the limit, 2031 where the queue manager's is."""
    queue = target.queue
    if queue.structure is not None and length > queue.structure.longest:
        said = f"{length} bytes; {queue.structure.said} takes up to {queue.structure.longest}"
        hint = f"ALTER CFSTRUCT({queue.structure.name}) CFLEVEL(4), or send less"
        application.refuse(MQRC_MSG_TOO_BIG_FOR_Q, target, kind, "QSG-04", said, hint)
    mine, whole = queue.definition.attributes["MAXMSGL"], queue.qmgr.attributes["MAXMSGL"]
    reason = MQRC_MSG_TOO_BIG_FOR_Q if length > mine else MQRC_MSG_TOO_BIG_FOR_Q_MGR
    said = (
        f"{length} bytes; MAXMSGL is {mine}"
        if length > mine
        else f"{length} bytes; the queue manager's MAXMSGL is {whole}"
    )
    hint = f"ALTER QLOCAL({queue.name}) MAXMSGL({length})" if length > mine else "ALTER QMGR MAXMSGL(...)"
    application.refuse(reason, target, kind, "MQI-10", said, f"{hint}, or send less")


def refuse_no_room(application, target, now: int, kind: str) -> None:
    """2051 where puts are inhibited, else 2053, which names EXP-17 where lapsed messages help to fill the queue."""
    queue = target.queue
    queue.require_usable(application, target, kind)
    if target.put_inhibited:
        closed = queue if queue.put_inhibited else getattr(target, "inhibitor", target)
        application.refuse(
            MQRC_PUT_INHIBITED,
            target,
            kind,
            "MQI-11",
            f"{closed.name} has PUT(DISABLED)",
            f"ALTER {closed.kind}({closed.name}) PUT(ENABLED)",
        )
    lapsed = queue.lapsed_witness(now) is not None
    application.refuse(
        MQRC_Q_FULL,
        target,
        kind,
        "EXP-17" if lapsed else "MQI-09",
        f"CURDEPTH {queue.depth}, MAXDEPTH {queue.maxdepth}" + (", lapsed messages among them" if lapsed else ""),
        "get or browse the queue: that discards what has lapsed"
        if lapsed
        else f"get messages, or ALTER QLOCAL({queue.name}) MAXDEPTH(...)",
    )
