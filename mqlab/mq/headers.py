"""Structures that travel in the data of a message, built and read byte for byte."""

from __future__ import annotations

import struct
from datetime import datetime
from typing import Any, NamedTuple

from . import constants as mq
from .errors import LabError
from .structures import as_body

_TM = struct.Struct("<4si48s48s64si256s128s128s")
_DLH = struct.Struct("<4sii48s48sii8si28s8s8s")
_MD = struct.Struct("<4siiiiiii8sii24s24si48s48s12s32s32si28s8s8s4s")
_MDE = struct.Struct("<4siiii8si24siiii")
_XQH = struct.Struct("<4si48s48s")
_IIH = struct.Struct("<4siiii8si8s8s8s8s16scccc")
_LL = struct.Struct("<hh")
_INT = struct.Struct("<i")
_OWN = struct.Struct("<ii24s24s")  # priority, persistence and identifiers of a descriptor
_OWN_AT, _STAMP_AT = 144, 408  # where these, and the date and time of the put, stand in an MQXQH
_PIECES = struct.Struct("<120si20sii24s24s208s16s4s")  # an MQXQH cut at what differs from message to message
LONGEST = 32_764
"""The longest IMS segment, its four bytes LLZZ among them."""


class TriggerMessage(NamedTuple):
    """What a trigger message tells: MQTM without its StrucId and Version. Names are without their blanks."""

    queue: str
    process: str = ""
    trigger_data: str = ""
    appl_type: int = mq.MQAT_UNKNOWN
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""


class MQTM:
    """The trigger message structure, version 1: 684 bytes, little-endian, names blank-padded."""

    LENGTH = _TM.size

    @staticmethod
    def pack(trigger: TriggerMessage) -> bytes:
        """The structure as the queue manager writes it."""
        queue, process, data, appl_type, appl_id, env, user = trigger
        texts = ((queue, 48), (process, 48), (data, 64), (appl_id, 256), (env, 128), (user, 128))
        *names, appl_id_field, env_field, user_field = (blank_padded(text, size) for text, size in texts)
        return _TM.pack(b"TM  ", 1, *names, appl_type, appl_id_field, env_field, user_field)

    @staticmethod
    def unpack(body: bytes) -> TriggerMessage:
        """Read it; LabError if the data is not an MQTM."""
        if len(body) != _TM.size or body[:4] != b"TM  ":
            raise LabError(f"MQTM wanted: {_TM.size} bytes that begin with 'TM  '; got {len(body)}, {body[:4]!r}")
        _, _, queue, process, data, appl_type, appl_id, env, user = _TM.unpack(body)
        return TriggerMessage(text(queue), text(process), text(data), appl_type, text(appl_id), text(env), text(user))


class DeadLetter(NamedTuple):
    """What an MQDLH tells: why the message is there, where it was going, what follows, who put it there and when."""

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


class MQDLH:
    """The dead-letter header, version 1: 172 bytes before the data of the message."""

    LENGTH = _DLH.size

    @staticmethod
    def pack(
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
        return _DLH.pack(
            b"DLH ",
            1,
            reason,
            blank_padded(queue, 48),
            blank_padded(qmgr, 48),
            encoding,
            ccsid,
            blank_padded(format, 8),
            appl_type,
            blank_padded(program, 28),
            moment.strftime("%Y%m%d").encode(),
            mq_time(moment),
        )

    @staticmethod
    def unpack(body: bytes) -> DeadLetter:
        """Read it from the beginning of a message's data; LabError if there is none."""
        if len(body) < _DLH.size or body[:4] != b"DLH ":
            raise LabError(f"MQDLH wanted: {_DLH.size} bytes that begin with 'DLH '; got {len(body)}, {body[:4]!r}")
        _, _, reason, queue, qmgr, encoding, ccsid, format, kind, name, date, time = _DLH.unpack_from(body)
        return DeadLetter(
            reason, text(queue), text(qmgr), encoding, ccsid, text(format), kind, text(name), text(date), text(time)
        )


class Embedded(NamedTuple):
    """The fields of a version 1 MQMD, as a transmission queue header carries them: texts without their blanks."""

    report: int
    msg_type: int
    expiry: int
    feedback: int
    encoding: int
    ccsid: int
    format: str
    priority: int
    persistence: int
    msg_id: bytes
    correl_id: bytes
    backout_count: int
    reply_to_q: str
    reply_to_qmgr: str
    user: str
    accounting: bytes
    identity: str
    appl_type: int
    appl_name: str
    put_date: str
    put_time: str
    origin: str


_MD_TEXTS = (6, 12, 13, 14, 16, 18, 19, 20, 21)
_MD_SIZES = {6: 8, 12: 48, 13: 48, 14: 12, 16: 32, 18: 28, 19: 8, 20: 8, 21: 4}


class MQMD:
    """The message descriptor as bytes, version 1: 324 bytes."""

    LENGTH = _MD.size
    EXPIRY = 16
    """Where its Expiry begins."""

    @staticmethod
    def pack(of: Embedded) -> bytes:
        """The structure, little-endian, texts blank-padded."""
        fields: list[Any] = list(of)
        for at in _MD_TEXTS:
            fields[at] = blank_padded(fields[at], _MD_SIZES[at])
        return _MD.pack(b"MD  ", 1, *fields)

    @staticmethod
    def unpack(body: bytes, at: int = 0) -> Embedded:
        """Read it from offset `at`; LabError if no MQMD stands there."""
        if len(body) < at + _MD.size or body[at : at + 4] != b"MD  ":
            raise LabError(f"MQMD wanted: {_MD.size} bytes that begin with 'MD  '; got {body[at : at + 4]!r}")
        fields = list(_MD.unpack_from(body, at)[2:])
        for index in _MD_TEXTS:
            fields[index] = text(fields[index])
        return Embedded(*fields)


class Extension(NamedTuple):
    """What an MQMDE tells: the fields that version 2 of MQMD adds, and the format of what follows."""

    format: str
    group_id: bytes
    seq_number: int
    offset: int
    msg_flags: int
    original_length: int


class MQMDE:
    """The descriptor extension, version 2: 72 bytes between an MQXQH and the data where version 2 fields are used."""

    LENGTH = _MDE.size
    FORMAT = mq.MQFMT_MD_EXTENSION

    @staticmethod
    def pack(of: Extension, encoding: int, ccsid: int) -> bytes:
        """The structure; `encoding` and `ccsid` describe the data behind it."""
        format, *rest = of
        return _MDE.pack(b"MDE ", 2, _MDE.size, encoding, ccsid, blank_padded(format, 8), 0, *rest)

    @staticmethod
    def unpack(body: bytes, at: int) -> Extension:
        """Read it from offset `at`; LabError if no MQMDE stands there."""
        if len(body) < at + _MDE.size or body[at : at + 4] != b"MDE ":
            raise LabError(f"MQMDE wanted: {_MDE.size} bytes that begin with 'MDE '; got {body[at : at + 4]!r}")
        _, _, _, _, _, format, _, *rest = _MDE.unpack_from(body, at)
        return Extension(text(format), *rest)


class Transmission(NamedTuple):
    """What an MQXQH tells: where the message goes, its own descriptor, the version 2 fields if any, and its data."""

    queue: str
    qmgr: str
    md: Embedded
    extension: Extension | None
    body: bytes


class MQXQH:
    """The transmission queue header, version 1: 428 bytes, an MQMD among them, before the data of the message."""

    LENGTH = _XQH.size + _MD.size
    EXPIRY = _XQH.size + MQMD.EXPIRY
    """Where the Expiry of the embedded descriptor begins."""

    @staticmethod
    def pack(queue: str, qmgr: str, md: Embedded) -> bytes:
        """The header for a message to `queue` at `qmgr` with descriptor `md`."""
        return _XQH.pack(b"XQH ", 1, blank_padded(queue, 48), blank_padded(qmgr, 48)) + MQMD.pack(md)

    @staticmethod
    def unpack(body: bytes) -> Transmission:
        """Read it and what follows; LabError if the data does not begin with a whole header."""
        if len(body) < MQXQH.LENGTH or body[:4] != b"XQH ":
            raise LabError(
                f"MQXQH wanted: at least {MQXQH.LENGTH} bytes that begin with 'XQH '; got {len(body)}, {body[:4]!r}"
            )
        _, _, queue, qmgr = _XQH.unpack_from(body)
        md, at, extension = MQMD.unpack(body, _XQH.size), MQXQH.LENGTH, None
        if md.format == MQMDE.FORMAT:
            extension = MQMDE.unpack(body, at)
            md, at = md._replace(format=extension.format), at + MQMDE.LENGTH
        return Transmission(text(queue), text(qmgr), md, extension, body[at:])

    @staticmethod
    def begins(body: bytes) -> bool:
        """Whether data begins with a whole header."""
        return len(body) >= MQXQH.LENGTH and body[:4] == b"XQH " and body[104:108] == b"MD  "

    @staticmethod
    def expiry(body: bytes) -> int | None:
        """The Expiry of the embedded descriptor, tenths of a second; None where the data is too short to have one."""
        return _INT.unpack_from(body, MQXQH.EXPIRY)[0] if len(body) >= MQXQH.EXPIRY + 4 else None

    @staticmethod
    def with_expiry(body: bytes, tenths: int) -> bytes:
        """The same data with another Expiry in the embedded descriptor."""
        return body[: MQXQH.EXPIRY] + _INT.pack(tenths) + body[MQXQH.EXPIRY + 4 :]


class Stencil:
    """A transmission queue header of which only what differs from message to message is still open."""

    __slots__ = ("_after", "_before", "_between", "_end")

    def __init__(self, header: bytes):
        self._before, self._between = header[: MQXQH.EXPIRY], header[MQXQH.EXPIRY + 4 : _OWN_AT]
        self._after, self._end = header[_OWN_AT + _OWN.size : _STAMP_AT], header[_STAMP_AT + 16 :]

    def fill(
        self, expiry: int, priority: int, persistent: bool, msg_id: bytes, correl_id: bytes, stamp: bytes
    ) -> bytes:
        """The header of one message; `stamp` is PutDate and PutTime, 16 bytes."""
        own = _OWN.pack(priority, persistent, msg_id, correl_id)
        return b"".join((self._before, _INT.pack(expiry), self._between, own, self._after, stamp, self._end))

    @staticmethod
    def pieces(body: bytes) -> tuple:
        """A header cut into what it has in common with others of the same stencil and what is a message's own:
        (common, expiry, common, priority, persistence, MsgId, CorrelId, common, PutDate with PutTime, common)."""
        return _PIECES.unpack_from(body)


class ImsHeader(NamedTuple):
    """What an MQIIH tells, texts without their blanks: the format of the data behind it, flags, the logical terminal,
    the map name, the format of the reply, the password, the conversation and its state, the commit mode ("0" commit
    then send, "1" send then commit), the scope of security checks."""

    format: str = ""
    flags: int = 0
    terminal: str = ""
    map_name: str = ""
    reply_format: str = ""
    authenticator: str = ""
    instance: bytes = bytes(16)
    state: str = ""
    commit_mode: str = "0"
    security: str = "C"


class MQIIH:
    """The IMS information header, version 1: 84 bytes, little-endian, before the segments of IMS data."""

    LENGTH = _IIH.size

    @staticmethod
    def pack(of: ImsHeader) -> bytes:
        """The structure, texts blank-padded; its reserved Encoding and CodedCharSetId are 0."""
        texts = (blank_padded(value, 8) for value in (of.terminal, of.map_name, of.reply_format, of.authenticator))
        ends = (blank_padded(value, 1) for value in (of.state, of.commit_mode, of.security, ""))
        return _IIH.pack(b"IIH ", 1, _IIH.size, 0, 0, blank_padded(of.format, 8), of.flags, *texts, of.instance, *ends)

    @staticmethod
    def unpack(body: bytes) -> ImsHeader:
        """Read it from the beginning of a message's data; LabError if StrucId, Version, StrucLength or the length of
        the data is wrong."""
        said = _IIH.unpack_from(body) if len(body) >= _IIH.size else (body[:4], None, None)
        if said[:3] != (b"IIH ", 1, _IIH.size):
            raise LabError(
                f"MQIIH wanted: {_IIH.size} bytes that begin with 'IIH ', version 1 and length {_IIH.size}; got "
                f"{len(body)} bytes, {said[0]!r}, version {said[1]}, length {said[2]}"
            )
        format, flags, terminal, map_name, reply_format, authenticator, instance, state, mode, security, _ = said[5:]
        names = (text(terminal), text(map_name), text(reply_format), text(authenticator))
        return ImsHeader(text(format), flags, *names, instance, text(state), text(mode), text(security))


class BadSegments(LabError):
    """IMS data whose segment lengths are wrong; `feedback` is the bridge's code for it."""

    def __init__(self, feedback: int, said: str):
        super().__init__(f"IMS data wanted: segments of LL, ZZ and data; got {said}. join_segments makes them")
        self.feedback = feedback


def join_segments(*segments: Any) -> bytes:
    """IMS data: each segment behind its length LL and the two bytes ZZ; the first begins with the transaction code.

    LabError for a segment of more than 32 760 bytes.
    """
    whole = b""
    for each in map(as_body, segments):
        if len(each) + _LL.size > LONGEST:
            raise LabError(f"segment wanted: up to {LONGEST - _LL.size} bytes; got {len(each)}. Make several of it")
        whole += _LL.pack(len(each) + _LL.size, 0) + each
    return whole


def split_segments(data: bytes) -> list[bytes]:
    """The segments of IMS data; BadSegments where the lengths do not add up.

    Our reading of the feedback codes: 291 for a length that leaves no room for LLZZ, 293 for one above 32 764, 295 for
    one that is a byte more or less than what there is, and 294 for one that goes further beyond the end.
    """
    found, at = [], 0
    while at < len(data):
        if len(data) - at < _LL.size:
            off = len(data) - at == 1
            raise BadSegments(
                mq.MQFB_LENGTH_OFF_BY_ONE if off else mq.MQFB_BUFFER_OVERFLOW, f"{len(data) - at} bytes at the end"
            )
        length, _ = _LL.unpack_from(data, at)
        over = at + length - len(data)
        if length < 0:
            raise BadSegments(mq.MQFB_DATA_LENGTH_NEGATIVE, f"a length of {length}")
        if length < _LL.size:
            raise BadSegments(mq.MQFB_DATA_LENGTH_ZERO, f"a length of {length}")
        if length > LONGEST:
            raise BadSegments(mq.MQFB_DATA_LENGTH_TOO_BIG, f"a length of {length}")
        if over > 0:
            off = over == 1
            raise BadSegments(mq.MQFB_LENGTH_OFF_BY_ONE if off else mq.MQFB_BUFFER_OVERFLOW, f"{over} bytes too few")
        found.append(data[at + _LL.size : at + length])
        at += length
    if not found:
        raise BadSegments(mq.MQFB_DATA_LENGTH_ZERO, "no data")
    return found


def mq_time(moment: datetime) -> bytes:
    """A time as MQ writes PutTime: HHMMSSTH."""
    return f"{moment:%H%M%S}{moment.microsecond // 10_000:02}".encode()


def blank_padded(value: str, size: int) -> bytes:
    """Text as a fixed field: cut or padded with blanks."""
    whole = value.encode()[:size].decode(errors="ignore")  # a character is kept or left out, never halved
    return whole.encode().ljust(size)


def text(field: bytes) -> str:
    """A fixed field as text, without its padding."""
    return field.rstrip(b" \0").decode()
