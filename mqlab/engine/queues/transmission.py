"""Messages on transmission queues: an MQXQH has their own descriptor, which ages with the outer descriptor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..words import constants as mq
from ..words.errors import LabError
from ..words.headers import MQMDE, MQXQH, Stencil
from ..words.structures import MD, as_body, as_identifier
from ..world.clock import TENTH
from .message import (
    LABEL,
    LABELED,
    PLAIN,
    Context,
    Continued,
    Descriptor,
    Message,
    QueuedMessage,
    Warned,
    context_in,
    descriptor_in,
    fill,
    hand_over,
    put_stamp,
)
from .put import check_fields, lifetime, put
from .target import NOWHERE, Put

if TYPE_CHECKING:
    from .parts import Calls, LocalQueue, QueueManager, Remote, UnitOfWork
    from .target import Lab


class Separate(Descriptor):
    """The descriptor that the queue manager gives a message on a transmission queue, besides the one in its header."""

    __slots__ = ()


_OWN_ID = 1 << 63  # in the number of a MsgId: that of the separate descriptor


def transmit(request: Put, target: Remote) -> Message:
    """Put a message for another queue manager on its transmission queue, behind an MQXQH; the message as put.

    The separate descriptor gets the expiry (EXP-25), priority, persistence, MsgType, Feedback, report options (but
    those of arrival and delivery) and reply-to queue of the message, its identity context, a MsgId of its own, and the
    message's MsgId as CorrelId or the CorrelId that the way to the target names. MQError as
    `mqlab.engine.queues.put.put`.
    """
    application, descriptor, expiry = request.application, request.descriptor, request.expiry
    body = as_body(request.body)
    queue, now = target.queue, target.queue.clock.time_us
    check_fields(request)
    by_default = request.priority is None or request.persistent is None
    priority = target.defprty if request.priority is None else request.priority
    persistent = target.defpsist if request.persistent is None else request.persistent
    correl_id = as_identifier(request.correl_id, "correl_id")
    if request.continues is None:
        continued = Continued(queue.next_message(), now, request.context or application.context)
        if continued.number < LABELED:
            queue.labels[continued.number] = body[:LABEL]
    else:
        before = request.continues
        continued = Continued(before.number, before.put_us, request.context or before.context)
    msg_id = as_identifier(request.msg_id, "msg_id") or queue.new_id(continued.number)
    left, capped = mq.MQEI_UNLIMITED, None
    if expiry != mq.MQEI_UNLIMITED or target.cap is not None:
        _, left, capped = lifetime(queue.qmgr, now, expiry, target.cap)
    stencil, separate, identity = target.stencil(descriptor, continued.context, _stencil)
    header = stencil.fill(
        left, priority, persistent, msg_id, correl_id or mq.MQCI_NONE, _stamp(queue.qmgr.lab, continued)
    )
    outer = put(
        Put(
            application,
            target,
            header + body,
            expiry,
            priority,
            persistent,
            queue.new_id(continued.number | _OWN_ID),
            target.tag or msg_id,
            separate,
            request.unit,
            request.kind,
            request.rule or capped or (target.rules[by_default] if left == mq.MQEI_UNLIMITED else "EXP-25"),
            continues=Continued(continued.number, continued.put_us, identity),
        ),
        queue,
    )
    as_put = _record(body, priority, persistent, msg_id, correl_id, descriptor, continued, now)
    handed = hand_over(as_put, None if left == mq.MQEI_UNLIMITED else outer.expiry, queue.qmgr)
    unknown = descriptor.report & (mq.REPORT_BITS_WARNED | mq.REPORT_BITS_NOT_HERE)
    return Warned(handed, mq.MQRC_UNKNOWN_REPORT_OPTION) if unknown else handed


def put_direct(request: Put, queue: LocalQueue) -> Message:
    """Put a message that an application gives a transmission queue by itself (EXP-26).

    Level 5.3 takes anything. Later levels want Format MQXMIT and a whole MQXQH, else 2260, and an Expiry in it that is
    valid and the same as that of the put, else 2013.
    """
    if queue.qmgr.level > 530:
        _check_direct(request)
    return put(request if request.rule else request.but(rule=queue.direct_rule), queue)


class Enclosed(NamedTuple):
    """The content of a transmission queue header: the queue and queue manager that the message behind it goes to, and
    the put of that message there, without application and target."""

    queue: str
    qmgr: str
    request: Put


class Opener:
    """Reads transmission queue headers; what several have in common is read once."""

    def __init__(self) -> None:
        # the part that the header before had in common with others, and its content
        self._common: tuple[Any, ...] | None = None
        self._told: Enclosed
        self._stamp = b""

    def open(self, body: bytes) -> Enclosed:
        """The content of the header; LabError if the data does not begin with a whole one."""
        header = MQXQH.unpack(body)
        md = header.md
        about = descriptor_in(md)
        who = (md.MsgId, md.CorrelId if any(md.CorrelId) else None, PLAIN if about == PLAIN else about)
        none: Any = None  # who puts it is known later
        request = Put(
            none, NOWHERE, header.body, md.Expiry, md.Priority, md.Persistence == 1, *who, context=context_in(md)
        )
        enclosed = Enclosed(header.queue, header.qmgr, request)
        if md.Version == 1:
            before, _, between, _, _, _, _, after, self._stamp, end = Stencil.pieces(body)
            self._common, self._told = (before, between, after, end), enclosed
        return enclosed

    def unwrap(self, application: Calls, message: QueuedMessage, unit: UnitOfWork | None) -> tuple[str, str, Put]:
        """The header of a message of whole data, with the put that `application` makes in `unit` of the message in
        it, whose target is still to be found. It keeps the number and the first put of `message`.
        """
        body = message.body
        before, expiry, between, priority, persistence, msg_id, correl_id, after, stamp, end = Stencil.pieces(body)
        if (before, between, after, end) != self._common:
            enclosed = self.open(body)
            data = enclosed.request.body
        else:
            enclosed, data = self._told, body[MQXQH.LENGTH :]
            if stamp != self._stamp:
                date, time = stamp[:8].decode().rstrip(), stamp[8:].decode().rstrip()
                context: Any = enclosed.request.context
                enclosed.request.context = context._replace(put_date=date, put_time=time)
                self._stamp = stamp
        queue, qmgr, common = enclosed
        descriptor, own_correl_id = common.descriptor, None if correl_id == mq.MQCI_NONE else correl_id
        if message.descriptor.properties:
            descriptor = descriptor._replace(properties=message.descriptor.properties)
        return queue, qmgr, Put(
            application, NOWHERE, data, expiry, priority, persistence == 1, msg_id, own_correl_id, descriptor, unit,
            "put", None, common.context, message,
        )  # fmt: skip  # in the order of the fields: names would cost a dictionary for each message


def arrived(enclosed: Enclosed, message: QueuedMessage, now: int) -> QueuedMessage:
    """The message behind a transmission queue header as an agent holds it at `now`, on no queue.

    `message` is the message it was sent as, whose number and first put it keeps.
    """
    enclosed.request.continues = message
    if message.descriptor.properties:
        enclosed.request.descriptor = enclosed.request.descriptor._replace(properties=message.descriptor.properties)
    return held_of(enclosed.request, now)


def held_of(request: Put, now: int, flight: int = 0) -> QueuedMessage:
    """The message of a put that an agent cannot make, as the agent holds it at `now`, on no queue; its lifetime is less
    `flight` tenths where the time on the way counts (EXP-04)."""
    continued: Any = request.continues
    kept = Continued(continued.number, continued.put_us, request.context or continued.context)
    msg_id, correl_id = (
        as_identifier(request.msg_id, "msg_id") or mq.MQMI_NONE,
        as_identifier(request.correl_id, "correl_id"),
    )
    message = _record(
        request.body, request.priority or 0, bool(request.persistent), msg_id, correl_id, request.descriptor, kept, now
    )
    message.expires_us = None if request.expiry == mq.MQEI_UNLIMITED else now + (request.expiry - flight) * TENTH
    return message


def headed(message: QueuedMessage) -> bool:
    """Whether the data of a message begins with a whole transmission queue header; the queue manager's own does."""
    if type(message.descriptor) is Separate and message.descriptor.format == mq.MQFMT_XMIT_Q_HEADER:
        return True
    try:
        MQXQH.unpack(message.body)
    except ValueError:  # too short, no MQXQH, or its text cannot be read
        return False
    return True


def inside(message: QueuedMessage, now: int) -> QueuedMessage:
    """The message that a message of format MQXMIT carries, or itself if its data is no such message."""
    try:
        return arrived(Opener().open(message.body), message, now)
    except ValueError:  # too short, no MQXQH, or its text cannot be read
        return message


def inner_left(message: QueuedMessage, now: int) -> int | None:
    """The remaining expiry time in the header, tenths of a second; None if it is unlimited or there is none."""
    inner = MQXQH.expiry(message.body)
    if inner is None or inner == mq.MQEI_UNLIMITED:
        return None
    return inner - (now - message.arrived_us) // TENTH


def seen(message: QueuedMessage, now: int, rule: str) -> tuple[QueuedMessage, str]:
    """A message of format MQXMIT as a get or browse returns it, and the rule that says most about that, else `rule`.

    The Expiry in the header is lowered by the time spent on the queue (EXP-27), to zero where it has expired (EXP-29);
    data too short to hold one is returned as it is.
    """
    if message.expires_us is None and type(message.descriptor) is Separate:
        return message, rule  # the queue manager's own header: unlimited within as without
    left = inner_left(message, now)
    if left is None:
        return message, rule
    given = message.copy()
    given.body = MQXQH.with_expiry(message.body, max(left, 0))
    return given, "EXP-29" if left <= 0 else "EXP-27"


def _record(
    body: bytes,
    priority: int,
    persistent: bool,
    msg_id: bytes,
    correl_id: bytes | None,
    descriptor: Descriptor,
    continued: Continued,
    now: int,
) -> QueuedMessage:
    """A message that is on no queue: as its sender sees it, or as an agent holds it."""
    identity = (continued.number, msg_id, correl_id, body, continued.context, descriptor)
    return QueuedMessage(*identity, priority, persistent, continued.put_us, now, now, filed=priority)


def _stencil(
    qmgr: QueueManager, destination: tuple[str, str], descriptor: Descriptor, context: Context
) -> tuple[Stencil, Descriptor, Context]:
    """The MQXQH of similar messages, and their separate descriptor with its context."""
    # an MQMDE is behind it where fields of version 2 are used; the context is their identity, and the queue manager as
    # origin
    kept = (
        descriptor.report & ~mq.MQRO_ACCEPT_UNSUP_IF_XMIT_MASK,
        *descriptor[1:3],
        mq.MQFMT_XMIT_Q_HEADER,
        *descriptor[4:6],
    )
    separate, own = Separate(*kept, properties=descriptor.properties), qmgr.own_context.with_identity_of(context)
    md, more = MD(Version=1), extension_of(descriptor)
    fill(md, descriptor, context._replace(put_date="", put_time=""))  # those of each message have a place
    if more:
        md.fill(Format=MQMDE.FORMAT)
    return Stencil(MQXQH.pack(*destination, md) + more), separate, own


def extension_of(descriptor: Descriptor) -> bytes:
    """The MQMDE that has the fields of version 2 of a descriptor; b"" if they have their initial values."""
    if descriptor[6:11] == PLAIN[6:11]:
        return b""
    md = MD()
    fill(md, descriptor, Context())
    return MQMDE.pack(md)


def header_length(descriptor: Descriptor) -> int:
    """How many bytes precede the data of a message with this descriptor on a transmission queue."""
    return MQXQH.LENGTH + len(extension_of(descriptor))


def _stamp(lab: Lab, continued: Continued) -> bytes:
    """PutDate and PutTime of a message: from its context, else the moment of its first put."""
    context = continued.context
    if context.put_date is not None and context.put_time is not None:
        return context.put_date.encode().ljust(8) + context.put_time.encode().ljust(8)
    return put_stamp(lab, continued.put_us)


def _check_direct(request: Put) -> None:
    """Refuse what later levels refuse of an application that builds its own header: 2013, 2260."""
    format, expiry = request.descriptor.format, request.expiry
    try:
        header = MQXQH.unpack(as_body(request.body))
    except LabError as error:
        request.refuse(mq.MQRC_XQH_ERROR, "no-header", problem=str(error))
    if format != mq.MQFMT_XMIT_Q_HEADER:
        request.refuse(mq.MQRC_XQH_ERROR, "other-format", format=format, mqfmt_xmit_q_header=mq.MQFMT_XMIT_Q_HEADER)
    inner = header.md.Expiry
    if inner != expiry or (inner <= 0 and inner != mq.MQEI_UNLIMITED):
        request.refuse(mq.MQRC_EXPIRY_ERROR, "differs-from-header", expiry=expiry, inner=inner)
