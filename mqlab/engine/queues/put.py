"""MQPUT: the checks of a message, and its filing on a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ..words import constants as mq
from ..words.arguments import require, within
from ..words.constants import EXPIRY_MAXIMUM, MAXPRTY, MQEI_UNLIMITED, MQRO_COA, REPORT_BITS_WARNED
from ..words.errors import LabError
from ..words.structures import as_body, as_identifier, encoded
from ..world.clock import TENTH
from ..world.interrupts import INTERRUPT, Handler, getsignal
from ..world.passing import caller
from .message import LABEL, LABELED, PLAIN, Descriptor, Message, QueuedMessage, Warned
from .target import Put, reply_to

if TYPE_CHECKING:
    from .parts import Calls, LocalQueue, QueueManager, UnitOfWork
    from .target import Target

new = object.__new__
_BEYOND = f'{{"warning":{mq.MQRC_PRIORITY_EXCEEDS_MAXIMUM}}}'

ENFORCE_MAXIMUM = "AMQ_ENFORCE_MAX_EXPIRY_ERROR"
"""Where this variable exists in a queue manager's environment, lifetimes above 999 999 999 are refused (EXP-16)."""


def put(request: Put, queue: LocalQueue) -> Message:
    """Put one message on its queue, named as its target says; the message as put.

    A priority above 9 is filed as 9 with warning 2049, in the event's detail too; a report option that MQ does not know
    is warning 2104. MQError 2013 (EXP-15), 2024, 2030, 2048, 2050, 2051, 2053.
    """
    # The four steps share their values: as four functions that hand them on, a put and a get cost a quarter more.
    application, target, unit = request.application, request.target, request.unit
    clock = queue.clock
    now = clock.time_us

    # Check: refuse a call from elsewhere and what MQ refuses, and fill in what the sender left open.
    holder = clock.passing.holder
    if (holder is not None and holder != caller()) or type(getsignal(INTERRUPT)) is not Handler:
        clock.passing.require_here()
    body, priority, rule = request.body, request.priority, request.rule
    if type(body) is not bytes:
        request.body = body = as_body(body)
    if priority is None or (type(priority) is int and priority == mq.MQPRI_PRIORITY_AS_Q_DEF):
        filed = priority = target.defprty
    elif type(priority) is int and 0 <= priority <= MAXPRTY:
        filed = priority
    else:
        check_priority(request)
        filed = MAXPRTY
    expiry, cap = request.expiry, target.cap
    if cap is None and expiry == MQEI_UNLIMITED:
        expires_us = left = None
    elif cap is None and type(expiry) is int and 0 < expiry <= queue.longest_life:
        expires_us, left = now + expiry * TENTH, expiry
    else:
        check_expiry(request)
        expires_us, left, limited = lifetime(queue.qmgr, now, expiry, cap)
        rule = rule or limited
    if unit is not None:
        unit.require_room(target, "put")
    if (length := len(body)) > queue.longest:
        _refuse_length(request, queue)
    if queue.depth >= target.room:
        refuse_inhibited_or_full(request, queue)
    msg_id, correl_id, persistent = request.msg_id, request.correl_id, request.persistent
    if msg_id is not None:
        msg_id = as_identifier(msg_id, "msg_id")
    if correl_id is not None:
        correl_id = as_identifier(correl_id, "correl_id")
    if persistent is None:
        persistent = target.defpsist
    elif type(persistent) is not bool:
        check_persistence(request)
    if persistent and queue.temporary:
        request.refuse_for(queue.why_no_persistent())
    if queue.fifo:
        filed = queue.defprty
    elif filed < 2 and queue.by_group and request.descriptor.seq_number == 1:
        filed = 2  # such a queue uses 0 and 1 itself

    # Make the message that the queue manager keeps, filled in by hand: by its constructor, the pair of a put and a get
    # takes 0.71 of SimPy's pair instead of 0.66.
    continued, context, descriptor = request.continues, request.context, request.descriptor
    if continued is None:
        next_number = queue.next_message  # looked up like any attribute: quicker than calling it as a method
        number, first = next_number(), now
        if number < LABELED:
            queue.labels[number] = body if length <= LABEL else body[:LABEL]  # text: the data of a message
        if context is None:
            context = application.context
    else:
        number, first = continued.number, continued.put_us
        if context is None:
            context = continued.context
    if msg_id is None:
        new_id = queue.new_id
        msg_id = new_id(number)
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

    # File: count and log the message, and add it to its queue at once, or when its unit of work is committed.
    if unit is None:
        work = None
        if rule is None:
            rule = "MQI-01" if left is None else "EXP-01"
    else:
        work = unit.number
        if rule is None:
            rule = "MQI-05" if left is None else "EXP-14"
    queue.depth = depth = queue.depth + 1
    log = queue.log
    message.seq = log(
        (
            now,
            request.kind,
            queue.subject,
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
            target.via if priority <= MAXPRTY else _BEYOND,
        )
    )
    if expires_us is not None and expires_us < queue.earliest_us:
        queue.expect(expires_us)
    if unit is None:
        queue.store.add(message)
    else:
        queue.uncommitted += 1
        unit.take(queue, message)

    # Announce: wake the gets that wait, tell the trigger, confirm the arrival, and hand over the message as put.
    if unit is None and queue.waiters:
        queue.wake()
    if queue.trigger is not None:
        queue.trigger.arrived(message, unit, message.seq, "TRG-01" if request.kind == "report" else None)
    handed = Message()
    handed._of = message
    handed._qmgr = queue.qmgr
    handed._expiry = left
    handed._backout_count = 0
    if descriptor is not PLAIN:
        if descriptor.report & MQRO_COA:
            queue.qmgr.confirm_arrival(queue, message, unit)
        if descriptor.report & REPORT_BITS_WARNED:
            return Warned(handed, mq.MQRC_UNKNOWN_REPORT_OPTION)
    if priority > MAXPRTY:
        return Warned(handed, mq.MQRC_PRIORITY_EXCEEDS_MAXIMUM)
    return handed


def undo(queue: LocalQueue, message: QueuedMessage, unit: UnitOfWork, cause: int | None, rule: str = "MQI-08") -> None:
    """Back out an uncommitted put (MQI-08)."""
    queue.lose(message)
    queue.uncommitted -= 1
    queue.record("undo", message, unit.application.caller, unit.number, rule, cause)


def keep_trigger(queue: LocalQueue, message: QueuedMessage, unit: UnitOfWork, cause: int) -> None:
    """Make a trigger message visible although its unit of work was backed out (TRG-10a)."""
    queue.record("deliver", message, unit.application.caller, unit.number, "TRG-10a", cause)
    queue.commit_put(message)


def describe(
    application: Calls,
    target: Target,
    report: int = 0,
    msg_type: int | None = None,
    feedback: int = 0,
    format: str = "",
    reply_to_q: str = "",
    reply_to_qmgr: str = "",
) -> Descriptor:
    """The rarer fields of the descriptor, checked (MQI-13): 2014, 2027, 2029 or 2061 where they do not fit together."""
    if not (report or reply_to_q or reply_to_qmgr or format or feedback) and msg_type is None:
        return PLAIN
    kind = PLAIN.msg_type if msg_type is None else msg_type
    for number, name in ((kind, "msg_type"), (report, "report"), (feedback, "feedback")):
        require(name, number, int, "a whole number of 32 bits (an MQ constant)", within(-(2**31), 2**31 - 1))
    if not any(kind in allowed for allowed in mq.MESSAGE_TYPES):
        application.refuse(mq.MQRC_MSG_TYPE_ERROR, "unknown", target, "put", kind=kind)
    if not 0 <= feedback <= mq.MQFB_APPL_LAST:
        application.refuse(mq.MQRC_FEEDBACK_ERROR, "unknown", target, "put", feedback=feedback)
    if report & (mq.MQRO_REJECT_UNSUP_MASK | (0 if target.elsewhere else mq.REPORT_BITS_NOT_HERE)):
        application.refuse(mq.MQRC_REPORT_OPTIONS_ERROR, "unknown-bits", target, "put", report=f"{report:#x}")
    if not reply_to_q and (report & mq.REPORTS_ASKED or kind == mq.MQMT_REQUEST):
        application.refuse(mq.MQRC_MISSING_REPLY_TO_Q, "no-reply-to-q", target, "put")
    for text, name, size in (
        (reply_to_q, "reply_to_q", 48),
        (reply_to_qmgr, "reply_to_qmgr", 48),
        (format, "format", 8),
    ):
        if not isinstance(text, str) or len(text) > size:
            raise LabError(f"{name} must be text of up to {size} characters; got {text!r}")
        encoded(text, name)
    return Descriptor(report, kind, feedback, format, *reply_to(target.qmgr, reply_to_q, reply_to_qmgr))


def check_fields(request: Put) -> None:
    """Check priority, lifetime and persistence alone: for a put that must know them before it is made."""
    check_priority(request)
    if request.expiry != MQEI_UNLIMITED or request.target.cap is not None:
        check_expiry(request)
    check_persistence(request)


def lifetime(qmgr: QueueManager, now: int, expiry: int, cap: int | None) -> tuple[int, int, str | None]:
    """Deadline in microseconds, lifetime in tenths, and the rule if something other than the application decided it.

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


def check_expiry(request: Put) -> None:
    """2013 for an invalid expiry time: EXP-15, EXP-16 if a maximum is enforced, EXP-32 on VSE."""
    expiry = request.expiry
    if type(expiry) is not int or not -(2**31) <= expiry < 2**31:
        wanted = "a whole number of tenths of a second (32 bits), or -1 for unlimited"
        raise LabError(f"expiry must be {wanted}; got {expiry!r}")
    qmgr, case = request.target.qmgr, None
    if expiry <= 0 and expiry != MQEI_UNLIMITED:
        case = "zero-or-less-on-vse" if qmgr.platform == "vse" else "zero-or-less"
    elif expiry != MQEI_UNLIMITED and qmgr.platform == "vse":
        case = "no-expiry-on-vse"
    elif expiry > EXPIRY_MAXIMUM and ENFORCE_MAXIMUM in qmgr.environment:
        case = "above-maximum"
    if case is not None:
        request.refuse(mq.MQRC_EXPIRY_ERROR, case, expiry=expiry)


def check_priority(request: Put) -> None:
    """2050 for an invalid priority; LabError for a value that is no whole number of 32 bits. Above 9 is a warning."""
    priority = request.priority
    if priority is None:
        return
    if type(priority) is not int or not -(2**31) <= priority < 2**31:
        raise LabError(f"priority must be 0 to 9, or None for the queue's DEFPRTY; got {priority!r}")
    if priority < mq.MQPRI_PRIORITY_AS_Q_DEF:
        request.refuse(mq.MQRC_PRIORITY_ERROR, "below-range", priority=priority)


def check_persistence(request: Put) -> None:
    """Raises LabError if `persistent` is not True, False, or None."""
    if request.persistent is not None and type(request.persistent) is not bool:
        wanted = "True, False, or None for the default (DEFPSIST)"
        raise LabError(f"persistent must be {wanted}; got {request.persistent!r}")


def _refuse_length(request: Put, queue: LocalQueue) -> NoReturn:
    """2030 where the queue's MAXMSGL is the limit, 2031 where the queue manager's is."""
    length = len(request.body)
    if (grounds := queue.why_too_long(length)) is not None:
        request.refuse_for(grounds)
    mine, whole = queue.definition.attributes["MAXMSGL"], queue.qmgr.attributes["MAXMSGL"]
    if length > mine:
        request.refuse(mq.MQRC_MSG_TOO_BIG_FOR_Q, "maxmsgl", length=length, mine=mine, queue=queue.name)
    request.refuse(mq.MQRC_MSG_TOO_BIG_FOR_Q_MGR, "maxmsgl", length=length, whole=whole)


def refuse_inhibited_or_full(request: Put, queue: LocalQueue) -> NoReturn:
    """2051 where puts are inhibited, else 2053, which names EXP-17 where expired messages help to fill the queue."""
    target = request.target
    queue.require_usable(request.application, target, request.kind)
    if target.put_inhibited:
        closed = queue if queue.put_inhibited or target.inhibitor is None else target.inhibitor
        request.refuse(mq.MQRC_PUT_INHIBITED, "disabled", closed=closed.name, kind=closed.kind)
    fields = {"depth": queue.depth, "maxdepth": queue.maxdepth}
    if queue.expired_witness(queue.clock.time_us) is not None:
        request.refuse(mq.MQRC_Q_FULL, "with-expired", **fields)
    request.refuse(mq.MQRC_Q_FULL, "maxdepth", **fields, queue=queue.name)
