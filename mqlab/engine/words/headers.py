"""Structures that travel in the data of a message, built and read byte for byte."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from . import constants as mq
from . import layouts
from .errors import LabError
from .layouts import EXTENSION, Layout
from .structures import MD

_INT = struct.Struct("<i")


class Header:
    """A structure of fixed length, little-endian, in version 1 of the `Layout` that has its name."""

    LENGTH: int
    _layout: Layout
    _version: int
    _struct: struct.Struct
    _texts: tuple[tuple[int, int], ...]

    def __init_subclass__(cls, version: int = 1) -> None:
        cls._layout, cls._version = vars(layouts)[cls.__name__], version
        fields = [field for field in cls._layout.fields if field.version == 1]
        cls._struct = layouts.packer(fields)
        cls.LENGTH = cls._struct.size
        cls._texts = tuple((index, field.size or 0) for index, field in enumerate(fields[2:]) if field.code[-1] == "s")

    @classmethod
    def offset(cls, name: str) -> int:
        """Where the field of this name begins."""
        names = [field.name for field in cls._layout.fields]
        return layouts.packer(cls._layout.fields[: names.index(name)]).size

    @classmethod
    def _pack(cls, values: Iterable[Any]) -> bytes:
        fields = list(values)
        for index, size in cls._texts:
            fields[index] = blank_padded(fields[index], size)
        return cls._struct.pack(cls._layout.eye, cls._version, *fields)

    @classmethod
    def _unpack(cls, body: bytes, offset: int = 0, alone: bool = False) -> list[Any]:
        """The fields from offset `offset` on; LabError if the structure is not there, or not `alone`."""
        end = offset + cls.LENGTH
        if len(body) < end or body[offset : offset + 4] != cls._layout.eye or (alone and len(body) > end):
            got = f"{body[offset : offset + 4]!r}" if offset else f"{len(body)}, {body[:4]!r}"
            begins = cls._layout.eye.decode()
            raise LabError(f"{cls.__name__} must be {cls.LENGTH} bytes that begin with '{begins}'; got {got}")
        fields = list(cls._struct.unpack_from(body, offset)[2:])
        for index, _ in cls._texts:
            fields[index] = text(fields[index])
        return fields


class TriggerMessage(NamedTuple):
    """The content of a trigger message: MQTM without its StrucId and Version. Names are without their blanks."""

    queue: str
    process: str = ""
    trigger_data: str = ""
    appl_type: int = mq.MQAT_UNKNOWN
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""


class MQTM(Header):
    """The trigger message structure, version 1: 684 bytes."""

    @classmethod
    def pack(cls, trigger: TriggerMessage) -> bytes:
        """The structure as the queue manager writes it."""
        return cls._pack(trigger)

    @classmethod
    def unpack(cls, body: bytes) -> TriggerMessage:
        """Read it; LabError if the data is not an MQTM, and nothing else."""
        return TriggerMessage._make(cls._unpack(body, alone=True))


class DeadLetter(NamedTuple):
    """The content of an MQDLH: why the message is there, where it was going, what follows, who put it there and
    when."""

    reason: int
    queue: str
    qmgr: str
    encoding: int
    ccsid: int
    format: str
    appl_type: int
    appl_name: str
    put_date: str
    put_time: str


class MQDLH(Header):
    """The dead-letter header, version 1: 172 bytes before the data of the message."""

    @classmethod
    def pack(
        cls,
        reason: int,
        queue: str,
        qmgr: str,
        format: str,
        program: str,
        moment: datetime,
        *,
        appl_type: int = mq.MQAT_QMGR,
        encoding: int = mq.MQENC_NATIVE,
        ccsid: int = mq.UTF_8,
    ) -> bytes:
        """The header: why it is here, where it was going, what follows, who put it here and when (UTC)."""
        date, time = f"{moment:%Y%m%d}", mq_time(moment).decode()
        return cls._pack((reason, queue, qmgr, encoding, ccsid, format, appl_type, program, date, time))

    @classmethod
    def unpack(cls, body: bytes) -> DeadLetter:
        """Read it from the beginning of a message's data; LabError if there is none."""
        return DeadLetter._make(cls._unpack(body))


class MQMD(Header):
    """The message descriptor as bytes, version 1: 324 bytes."""

    FIELDS = tuple(field.name for field in layouts.MQMD.kept if field.version == 1 and field.name != "Version")

    @classmethod
    def pack(cls, md: MD) -> bytes:
        """The structure of these fields, without the fields of version 2."""
        return cls._pack(getattr(md, name) for name in cls.FIELDS)

    @classmethod
    def unpack(cls, body: bytes, offset: int = 0) -> MD:
        """Read it from offset `offset`; LabError if there is no MQMD."""
        return MD(Version=1).fill(**dict(zip(cls.FIELDS, cls._unpack(body, offset), strict=True)))


class MQMDE(Header, version=2):
    """The descriptor extension, version 2: 72 bytes between an MQXQH and the data where version 2 fields are used."""

    FORMAT = mq.MQFMT_MD_EXTENSION
    FIELDS = tuple(field.name for field in EXTENSION)

    @classmethod
    def pack(cls, md: MD) -> bytes:
        """The structure of the fields that version 2 adds to a descriptor; it describes the data behind it too."""
        return cls._pack(
            (cls.LENGTH, md.Encoding, md.CodedCharSetId, md.Format, 0, *(getattr(md, name) for name in cls.FIELDS))
        )

    @classmethod
    def unpack(cls, body: bytes, offset: int) -> dict[str, Any]:
        """Read the format of the data behind it and the fields of version 2 from `offset` on; LabError if there is no
        MQMDE."""
        _, _, _, format, _, *rest = cls._unpack(body, offset)
        return {"Format": format, **dict(zip(cls.FIELDS, rest, strict=True))}


class Transmission(NamedTuple):
    """The content of an MQXQH: where the message goes, its own descriptor, of version 2 if an MQMDE follows the header,
    and its data."""

    queue: str
    qmgr: str
    md: MD
    body: bytes


class MQXQH(Header):
    """The transmission queue header, version 1: 428 bytes, an MQMD among them, before the data of the message."""

    @classmethod
    def pack(cls, queue: str, qmgr: str, md: MD) -> bytes:
        """The header for a message to `queue` at `qmgr` with descriptor `md`."""
        return cls._pack((queue, qmgr, MQMD.pack(md)))

    @classmethod
    def unpack(cls, body: bytes) -> Transmission:
        """Read it and what follows; LabError if the data does not begin with a whole header."""
        if len(body) < cls.LENGTH or body[:4] != b"XQH ":
            raise LabError(
                f"MQXQH must be at least {cls.LENGTH} bytes that begin with 'XQH '; got {len(body)}, {body[:4]!r}"
            )
        queue, qmgr, _ = cls._unpack(body)
        md, end = MQMD.unpack(body, _MD), cls.LENGTH
        if md.Format == MQMDE.FORMAT:
            md.fill(Version=2, **MQMDE.unpack(body, end))
            end += MQMDE.LENGTH
        return Transmission(queue, qmgr, md, body[end:])

    @staticmethod
    def begins(body: bytes) -> bool:
        """Whether data begins with a whole header."""
        return len(body) >= MQXQH.LENGTH and body[:4] == b"XQH " and body[_MD : _MD + 4] == b"MD  "

    @staticmethod
    def expiry(body: bytes) -> int | None:
        """The Expiry of the embedded descriptor, tenths of a second; None if the data is too short to have one."""
        return _INT.unpack_from(body, _EXPIRY)[0] if len(body) >= _EXPIRY + 4 else None

    @staticmethod
    def with_expiry(body: bytes, tenths: int) -> bytes:
        """The same data with another Expiry in the embedded descriptor."""
        return body[:_EXPIRY] + _INT.pack(tenths) + body[_EXPIRY + 4 :]


_MD = MQXQH.offset("MsgDesc")
_EXPIRY, _OWN, _BEHIND, _STAMP, _END = (
    _MD + MQMD.offset(name) for name in ("Expiry", "Priority", "BackoutCount", "PutDate", "ApplOriginData")
)
_OWN_FIELDS = struct.Struct("<ii24s24s")  # priority, persistence and identifiers of a descriptor
_PIECES = struct.Struct(  # an MQXQH cut at the parts that differ from message to message
    f"<{_EXPIRY}si{_OWN - _EXPIRY - 4}sii24s24s{_STAMP - _BEHIND}s{_END - _STAMP}s{MQXQH.LENGTH - _END}s"
)


class Stencil:
    """A transmission queue header of which only what differs from message to message is still open."""

    __slots__ = ("_after", "_before", "_between", "_end")

    def __init__(self, header: bytes):
        self._before, self._between = header[:_EXPIRY], header[_EXPIRY + 4 : _OWN]
        self._after, self._end = header[_BEHIND:_STAMP], header[_END:]

    def fill(
        self, expiry: int, priority: int, persistent: bool, msg_id: bytes, correl_id: bytes, stamp: bytes
    ) -> bytes:
        """The header of one message; `stamp` is PutDate and PutTime, 16 bytes."""
        own = _OWN_FIELDS.pack(priority, persistent, msg_id, correl_id)
        return b"".join((self._before, _INT.pack(expiry), self._between, own, self._after, stamp, self._end))

    pieces = staticmethod(_PIECES.unpack_from)
    """A header cut into what it has in common with others of the same stencil and what is a message's own: (common,
    expiry, common, priority, persistence, MsgId, CorrelId, common, PutDate with PutTime, common)."""


def mq_time(moment: datetime) -> bytes:
    """A time as MQ writes PutTime: HHMMSSTH."""
    return f"{moment:%H%M%S}{moment.microsecond // 10_000:02}".encode()


def blank_padded(value: str, size: int) -> bytes:  # text: any, for its length
    """Text as a fixed field: cut or padded with blanks."""
    whole = value.encode()[:size].decode(errors="ignore")  # a character is kept or left out, never halved
    return whole.encode().ljust(size)


def text(field: bytes) -> str:
    """A fixed field as text, without its padding."""
    return field.rstrip(b" \0").decode()
