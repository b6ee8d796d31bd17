"""The reports that a put requests (expiration, confirm on arrival, confirm on delivery, and exception), and the fate of
a message that cannot be delivered.

Every program that holds a message uses `undeliverable`: a channel, another agent, an application.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..words import constants as mq
from ..words.errors import MQError
from .dead_letter import bury, dead_letter
from .message import Descriptor, QueuedMessage, discards, identifiers_of_answer
from .target import NOWHERE, Put, full_name
from .transmission import inside

if TYPE_CHECKING:
    from .parts import Calls, UnitOfWork

SENT, BURIED, LOST, NONE = "sent", "buried", "lost", "none"
"""The fates of a report."""
DEAD_LETTERED, DISCARDED, RETURNED = "dead-lettered", "discarded", "returned"
EXPIRED, UNDELIVERED = "expired", "undelivered"
"""The fates of a message: `Fate` has one of these five words."""


class Kind(NamedTuple):
    """A sort of report: its option with no data, and its Feedback, which for an exception is the reason it is sent for.

    Three times the option asks for 100 bytes of the data, seven times for all.
    """

    option: int
    feedback: int


EXPIRATION = Kind(mq.MQRO_EXPIRATION, mq.MQFB_EXPIRATION)
COA, COD = Kind(mq.MQRO_COA, mq.MQFB_COA), Kind(mq.MQRO_COD, mq.MQFB_COD)
EXCEPTION = Kind(mq.MQRO_EXCEPTION, 0)


class Fate(NamedTuple):
    """The fate of a message: one of the five words, the reason with which the dead-letter queue refused it (None if it
    did not), whether an exception report reached its reply-to queue, and whether one was lost."""

    outcome: str
    refused: int | None = None
    reported: bool = False
    report_lost: bool = False


def send_report(
    kind: Kind,
    queue: Any,
    message: QueuedMessage,
    cause: int,
    rule: str,
    unit: UnitOfWork | None = None,
    feedback: int | None = None,
    program: Calls | None = None,
) -> str:
    """Send a report about a message of `queue` (or of a queue manager) if its put requested this kind.

    `cause` is the event row behind it, `feedback` its Feedback where the kind does not say, `program` the application
    that sends it (None: the queue manager). Its descriptor: CorrelId is the original's MsgId and the MsgId is new
    unless the pass options say otherwise; priority, persistence, version, encoding, character set, format and place in
    a group are the original's; lifetime unlimited, or with PASS_DISCARD_AND_EXPIRY what the original has left
    (unlimited for an expiration report). The identity is the original's, the origin the sender's. In `unit` it becomes
    available with the commit. A report that cannot be put is DISCARDED if PASS_DISCARD_AND_EXPIRY passed
    MQRO_DISCARD_MSG on to it; otherwise it goes to the dead-letter queue, and without one it is lost, and the log says
    so. Returns its fate: SENT to its reply-to queue, BURIED, DISCARDED, LOST, or NONE if none was requested."""
    if kind is EXPIRATION and message.descriptor.format == mq.MQFMT_XMIT_Q_HEADER:
        message = inside(message, queue.clock.time_us)
    qmgr, original = queue.qmgr, message.descriptor
    asked = original.report
    if not asked & kind.option or (original.format == mq.MQFMT_DEAD_LETTER_HEADER and kind in (COA, COD)):
        return NONE
    sender, body = qmgr.reporter(cause), _data(kind, asked, message.body)
    if program is not None:
        sender.caller, sender.context = program.caller, program.context
    left = mq.MQEI_UNLIMITED
    if asked & mq.MQRO_PASS_DISCARD_AND_EXPIRY and message.expires_us is not None and kind is not EXPIRATION:
        left = max(1, message.expiry(queue.clock.time_us))
    descriptor = _descriptor(kind.feedback if feedback is None else feedback, message, qmgr.name)
    context = sender.context.with_identity_of(message.context)
    own = (message.priority, message.persistent, *identifiers_of_answer(message))
    request = Put(sender, NOWHERE, body, left, *own, descriptor, unit, "report", rule, context)
    try:
        request.target = sender.resolve(full_name(qmgr, original.reply_to_q, original.reply_to_qmgr), "report")
        request.target.put(request)
        return SENT
    except MQError as refused:
        destination = original.reply_to_q, original.reply_to_qmgr, not descriptor.report  # MQRO_DISCARD_MSG, if any
        kept = dead_letter(request.but(kind="put", context=None), refused.reason, *destination)
        return BURIED if kept else DISCARDED if descriptor.report else LOST


def _descriptor(feedback: int, message: QueuedMessage, qmgr: str) -> Descriptor:
    """The report's own fields; OriginalLength is the length of the data it is about, where the version has it."""
    original = message.descriptor
    length = len(message.body) if original.original_length == mq.MQOL_UNDEFINED else original.original_length
    return original.copied(mq.MQCOPY_REPORT)._replace(
        report=mq.MQRO_DISCARD_MSG if discards(original.report) else mq.MQRO_NONE,
        msg_type=mq.MQMT_REPORT,
        feedback=feedback,
        reply_to_q="",
        reply_to_qmgr=qmgr,
        original_length=length if original.version > 1 else mq.MQOL_UNDEFINED,
    )


def _data(kind: Kind, asked: int, body: bytes) -> bytes:
    """None, the first 100 bytes, or all of the original: the strengths are nested, so the strongest is tested first."""
    strength = asked // kind.option & 7
    return body if strength == 7 else body[:100] if strength & 3 == 3 else b""


def undeliverable(
    sender: Calls,
    message: QueuedMessage,
    reason: int,
    queue: str = "",
    qmgr: str = "",
    unit: UnitOfWork | None = None,
    use_dead_letter: bool = True,
    rules: tuple[str, str] = ("MQI-30", "MQI-29"),
) -> Fate:
    """Handle a message that `sender` holds and cannot deliver, as its report options specify (MQI-30).

    With MQRO_DISCARD_MSG it is discarded, which with MQRO_EXCEPTION_WITH_FULL_DATA and a reply-to queue means that it
    is returned to its sender; otherwise it is dead-lettered. Then the exception report follows, if it was requested
    (MQI-29), with `reason`, an MQRC or MQFB, as its Feedback. An expired message is discarded by this attempt to
    move it, with its expiration report (EXP-38; EXP-36 where a program of MQ's own does it).

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
    if asked.report & mq.MQRO_DISCARD_MSG:
        seq = record_held(sender, "reject", message, queue, rules[0], unit, reason)
        report = send_report(EXCEPTION, here, message, seq, rules[1], unit, reason, sender)
        full = asked.report & mq.MQRO_EXCEPTION_WITH_FULL_DATA == mq.MQRO_EXCEPTION_WITH_FULL_DATA
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
    sender: Calls,
    message: QueuedMessage,
    reason: int,
    queue: str = "",
    unit: UnitOfWork | None = None,
    rules: tuple[str, str] = ("MQI-30", "MQI-29"),
) -> Fate:
    """Lose a message that cannot be delivered or kept: a `lost` row, and the exception report if it was requested.

    A fast channel loses a nonpersistent message in this way if there is no dead-letter queue.
    """
    seq = record_held(sender, "lost", message, queue, rules[0], unit, reason)
    return _fate(DISCARDED, send_report(EXCEPTION, sender.qmgr, message, seq, rules[1], unit, reason, sender))


def _fate(outcome: str, report: str) -> Fate:
    return Fate(outcome, None, report == SENT, report == LOST)


def record_held(
    sender: Calls,
    kind: str,
    message: QueuedMessage,
    queue: str,
    rule: str,
    unit: UnitOfWork | None = None,
    reason: int | None = None,
    detail: str | None = None,
) -> int:
    """Write the row of what happens to a message while a program holds it: it is on no queue, so no depth goes with
    it; its seq."""
    here = sender.qmgr
    subject, work = (here.name, queue or None, None), None if unit is None else unit.number
    now = here.clock.time_us
    return message.record(
        here.lab.events.append, now, kind, subject, sender.caller, work, None, reason, rule, sender.cause, detail
    )
