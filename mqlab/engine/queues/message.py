"""Messages, as they are on a queue and as an application receives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from ..words import constants as mq
from ..words.constants import MQCI_NONE, MQEI_UNLIMITED, MQGI_NONE
from ..words.errors import LabError
from ..words.layouts import EXTENSION, MQMD, keyword_of
from ..words.shown import shown
from ..words.structures import MD
from ..world.clock import TENTH

LABEL, LABELED = 24, 20_000
"""A lab keeps the first LABEL bytes of its messages below number LABELED (`Lab.labels`), to tell them apart."""


class Descriptor(NamedTuple):
    """The fields of MQMD that most messages leave alone, and the properties that a program set; one shared object
    serves all messages without."""

    report: int = 0
    msg_type: int = mq.MQMT_DATAGRAM
    feedback: int = 0
    format: str = ""
    reply_to_q: str = ""
    reply_to_qmgr: str = ""
    group_id: bytes = mq.MQGI_NONE
    offset: int = 0
    msg_flags: int = 0
    seq_number: int = 1
    original_length: int = mq.MQOL_UNDEFINED
    encoding: int = mq.MQENC_NATIVE
    ccsid: int = 1208
    version: int = 1
    properties: tuple[Any, ...] = ()

    @property
    def carries(self) -> bool:
        """Whether a message with this descriptor has, or may have, properties."""
        return bool(self.properties) or self.format == mq.MQFMT_RF_HEADER_2

    def copied(self, option: int) -> Descriptor:
        """The descriptor with the properties whose copy options allow a copy to a message of this kind."""
        if not self.properties:
            return self
        return self._replace(properties=tuple(one for one in self.properties if one.copy & (option | mq.MQCOPY_ALL)))


PLAIN = Descriptor()

KEYWORDS = {field.name: keyword_of(field.name) for field in MQMD.kept}
"""Name of each field of MQMD: the lab's keyword for it, in a Descriptor, a Context, and the keywords of a put."""


class Context(NamedTuple):
    """Message context: who a message came from (identity), and what put it, and when (origin).

    `put_date` (YYYYMMDD) and `put_time` (HHMMSSTH) are UTC; None if they are the moment of the first put. One
    object serves all the messages of an application.
    """

    user: str = ""
    accounting_token: bytes = bytes(32)
    appl_identity_data: str = ""
    put_appl_type: int = mq.MQAT_NO_CONTEXT
    put_appl_name: str = ""
    appl_origin_data: str = ""
    put_date: str | None = None
    put_time: str | None = None

    def with_identity_of(self, other: Context) -> Context:
        """This origin with the identity of another context."""
        return self._replace(
            user=other.user, accounting_token=other.accounting_token, appl_identity_data=other.appl_identity_data
        )


_LATER = frozenset(field.name for field in EXTENSION)
_DESCRIBED = {name: word for name, word in KEYWORDS.items() if word in Descriptor._fields and name != "Version"}
_CONTEXT = {name: word for name, word in KEYWORDS.items() if word in Context._fields}


def fill(md: MD, descriptor: Descriptor, context: Context) -> None:
    """Write a descriptor and a context into an MQMD; the last fields only if its version is 2."""
    fields = {
        name: getattr(descriptor, word) for name, word in _DESCRIBED.items() if md.Version > 1 or name not in _LATER
    }
    md.fill(**fields, **{name: getattr(context, word) for name, word in _CONTEXT.items()})


def descriptor_in(md: MD) -> Descriptor:
    """The descriptor in an MQMD; with version 1, the last fields have their initial values."""
    return Descriptor(
        **{word: getattr(md, name) for name, word in _DESCRIBED.items() if md.Version > 1 or name not in _LATER}
    )


def context_in(md: MD) -> Context:
    """The context in an MQMD."""
    return Context(**{word: getattr(md, name) for name, word in _CONTEXT.items()})


class Continued(NamedTuple):
    """The parts of a message that stay when a program moves it on: its number in the lab, its first put, and its
    context."""

    number: int
    put_us: int
    context: Context


@dataclass(slots=True, eq=False, repr=False)
class QueuedMessage:
    """A message where the queue manager keeps it: the queue manager's own, never handed out.

    Times are microseconds since the lab's start; `expires_us` is None for an unlimited lifetime, `visible_us` is when
    it last became available to a get. `seq` is the event row of its arrival and orders it on the queue (-1:
    removed); `filed` is the priority it is filed by; `prev` and `next` link it to its neighbors; `holder` is the handle
    that has it locked by a browse.
    """

    number: int
    msg_id: bytes
    correl_id: bytes | None
    body: bytes
    context: Context
    descriptor: Descriptor
    priority: int
    persistent: bool
    put_us: int
    arrived_us: int
    visible_us: int = 0
    expires_us: int | None = None
    filed: int = 0
    seq: int = -1
    backout_count: int = 0
    prev: QueuedMessage | None = None
    next: QueuedMessage | None = None
    holder: Any = None

    @property
    def group_id(self) -> bytes | None:
        """The GroupId of its descriptor, None for none."""
        return self.descriptor.group_id if self.descriptor.group_id != MQGI_NONE else None

    def copy(self) -> QueuedMessage:
        """A copy of the message that is on no queue."""
        return replace(self, prev=None, next=None, holder=None)

    def record(
        self,
        append: Callable[[tuple], int],
        now: int,
        kind: str,
        subject: tuple,
        program: str | None,
        uow: int | None = None,
        depth: int | None = None,
        reason: int | None = None,
        rule: str | None = None,
        cause: int | None = None,
        detail: str | None = None,
    ) -> int:
        """Write the row of something that happened to it at `now`, by the `append` of a log; its seq."""
        left = None if self.expires_us is None else -((now - self.expires_us) // TENTH)
        return append(
            (
                now,
                kind,
                subject,
                self.number,
                self.msg_id,
                program,
                uow,
                self.priority,
                self.persistent,
                left,
                depth,
                self.put_us,
                self.arrived_us,
                reason,
                rule,
                cause,
                detail,
            )
        )

    def tenths_left(self, now: int) -> int | None:
        """Remaining expiry time at `now`, in tenths of a second rounded up; None if unlimited, 0 or less if expired."""
        return None if self.expires_us is None else -((now - self.expires_us) // TENTH)

    def expiry(self, now: int) -> int:
        """The remaining expiry time as in MQMD: -1 if unlimited."""
        return MQEI_UNLIMITED if self.expires_us is None else -((now - self.expires_us) // TENTH)


@shown
class Message:
    """A message as an application sees it: read only, a picture of the moment it was put, got or browsed; `hand_over`
    makes one.

    `number` is the lab-wide identity that survives every hop; `expiry` is the lifetime then left in tenths of a second,
    -1 for unlimited.
    """

    __slots__ = ("_backout_count", "_expiry", "_of", "_qmgr")
    _of: QueuedMessage
    _qmgr: Any
    _expiry: int | None
    _backout_count: int
    warning = 0
    """Reason code of a call that was done with a warning: 2049, 2079 or 2104; 0 for none."""

    number = property(lambda self: self._of.number, doc="Lab-wide identity, kept on every hop.")
    body = property(lambda self: self._of.body, doc="The application data, bytes.")
    expiry = property(
        lambda self: MQEI_UNLIMITED if self._expiry is None else self._expiry,
        doc="Lifetime left then, tenths of a second; -1 unlimited (EXP-07).",
    )
    priority = property(lambda self: self._of.priority, doc="0 to 9.")
    persistent = property(lambda self: self._of.persistent, doc="True if it survives a restart.")
    msg_id = property(lambda self: self._of.msg_id, doc="24 bytes.")
    correl_id = property(lambda self: self._of.correl_id or MQCI_NONE, doc="24 bytes.")
    backout_count = property(lambda self: self._backout_count, doc="How many times a get of it was backed out.")
    report = property(lambda self: self._of.descriptor.report, doc="MQRO options, a sum.")
    msg_type = property(lambda self: self._of.descriptor.msg_type, doc="8 datagram, 1 request, 2 reply, 4 report.")
    feedback = property(lambda self: self._of.descriptor.feedback, doc="MQFB or MQRC; meaningful on a report.")
    format = property(lambda self: self._of.descriptor.format, doc="Format name, up to 8 characters.")
    reply_to_q = property(lambda self: self._of.descriptor.reply_to_q, doc="Where replies and reports go.")
    reply_to_qmgr = property(lambda self: self._of.descriptor.reply_to_qmgr, doc="The queue manager of `reply_to_q`.")
    group_id = property(lambda self: self._of.descriptor.group_id, doc="24 bytes: what segments of a message share.")
    offset = property(lambda self: self._of.descriptor.offset, doc="Where a segment's data begins in the whole.")
    msg_flags = property(lambda self: self._of.descriptor.msg_flags, doc="MQMF flags: 2 segment, 4 the last one.")
    seq_number = property(lambda self: self._of.descriptor.seq_number, doc="Its place in its group, from 1.")
    length = property(lambda self: len(self._of.body), doc="Bytes of the whole message, also where `body` was cut.")
    user = property(lambda self: self._of.context.user, doc="UserIdentifier: who it came from.")
    put_appl_name = property(lambda self: self._of.context.put_appl_name, doc="What put it.")
    descriptor = property(lambda self: self._of.descriptor, doc="The rest of its descriptor, as one record.")
    put_us = property(lambda self: self._of.put_us, doc="When it was first put, microseconds since the lab's start.")

    @property
    def properties(self) -> dict[str, Any]:
        """Names and values of its properties, those at the beginning of its data among them."""
        return self._qmgr.properties.of(self._of) if self._of.descriptor.carries else {}

    @property
    def put_time(self) -> datetime:
        """When it was first put: simulated UTC."""
        return self._qmgr.lab.start + timedelta(microseconds=self._of.put_us)

    @property
    def context(self) -> Context:
        """Its context: identity and origin, with the date and time of its put."""
        context = self._of.context
        if context.put_date is not None:
            return context
        stamp = put_stamp(self._qmgr.lab, self._of.put_us).decode()
        return context._replace(put_date=stamp[:8], put_time=stamp[8:])

    @property
    def md(self) -> MD:
        """Its descriptor as MQ's structure, a new one each time."""
        md = MD(Version=self._of.descriptor.version)
        self.describe_in(md)
        md.Expiry, md.BackoutCount = self.expiry, self.backout_count
        return md

    def describe_in(self, md: MD) -> None:
        """Write what a put leaves in its MQMD: everything but Expiry and BackoutCount, the last fields in version 2."""
        of = self._of
        fill(md, of.descriptor, self.context)
        md.fill(Priority=of.priority, Persistence=int(of.persistent), MsgId=of.msg_id, CorrelId=self.correl_id)

    def __repr__(self) -> str:
        left = "unlimited" if self._expiry is None else f"{self._expiry} tenths"
        kind = "persistent" if self.persistent else "nonpersistent"
        return f"Message({self.number}, {self.body!r:.60}, priority {self.priority}, {kind}, expiry {left})"


class Warned(Message):
    """A message whose call ended with a warning, or whose data differs from the data on the queue.

    `warning` is the reason code (0: none), `length` the length of the whole message.
    """

    __slots__ = ("body", "length", "warning")

    def __init__(self, message: Message, warning: int, body: bytes | None = None, length: int | None = None):
        self._of, self._qmgr, self._expiry, self._backout_count = (
            message._of,
            message._qmgr,
            message._expiry,
            message._backout_count,
        )
        self.warning = warning
        self.body = message.body if body is None else body
        self.length = message.length if length is None else length


def hand_over(message: QueuedMessage, expiry: int | None, qmgr: object) -> Message:
    """The message as the application sees it now, `expiry` what is left of its lifetime in tenths (None: unlimited)."""
    handed = Message()
    handed._of, handed._qmgr, handed._expiry, handed._backout_count = message, qmgr, expiry, message.backout_count
    return handed


def identifiers_of_answer(message: Message | QueuedMessage) -> tuple[bytes | None, bytes | None]:
    """MsgId and CorrelId of a reply to a message, or of a report about it, as its report options have it: a new MsgId
    (None) and the message's MsgId as CorrelId, unless it asks for its own to be passed."""
    asked = message.report if isinstance(message, Message) else message.descriptor.report
    correl_id = message.correl_id if asked & mq.MQRO_PASS_CORREL_ID else message.msg_id
    return message.msg_id if asked & mq.MQRO_PASS_MSG_ID else None, correl_id


def discards(report: int) -> bool:
    """Whether a reply, or a report, is to be discarded where it cannot be delivered, by the Report of the message that
    it is about: MQRO_DISCARD_MSG, passed on by MQRO_PASS_DISCARD_AND_EXPIRY."""
    both = mq.MQRO_PASS_DISCARD_AND_EXPIRY | mq.MQRO_DISCARD_MSG
    return report & both == both


def put_stamp(lab: Any, time_us: int) -> bytes:
    """PutDate and PutTime of a moment (microseconds since the lab's start): YYYYMMDDHHMMSSTH, UTC."""
    if lab.last_stamp[0] != time_us:
        moment = lab.start + timedelta(microseconds=time_us)
        lab.last_stamp = (time_us, f"{moment:%Y%m%d%H%M%S}{moment.microsecond // 10_000:02}".encode())
    return lab.last_stamp[1]


def record_of(message: Message) -> QueuedMessage:
    """The queue manager's record of a message that an application holds; LabError for anything else."""
    if not isinstance(message, Message):
        raise LabError(f"message must be a Message, as a get returns it; got {message!r}")
    return message._of
