"""The structures of IMS in the data of a message, built and read byte for byte, with those of the engine."""

from __future__ import annotations

import struct
from typing import NamedTuple

from ..engine.words import constants as mq
from ..engine.words.errors import LabError
from ..engine.words.headers import MQDLH, MQMD, MQMDE, MQTM, MQXQH, DeadLetter, Header, Transmission, TriggerMessage
from ..engine.words.structures import as_body

__all__ = [
    "MQDLH",
    "MQIIH",
    "MQMD",
    "MQMDE",
    "MQTM",
    "MQXQH",
    "BadSegments",
    "DeadLetter",
    "ImsHeader",
    "Transmission",
    "TriggerMessage",
    "join_segments",
    "split_segments",
]

_LL = struct.Struct("<hh")
LONGEST = 32_764
"""The longest IMS segment, its four bytes LLZZ among them."""


class ImsHeader(NamedTuple):
    """The content of an MQIIH, texts without their blanks: the format of the data behind it, flags, the logical
    terminal, the map name, the format of the reply, the password, the conversation and its state, the commit mode ("0"
    commit then send, "1" send then commit), the scope of security checks."""

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


class MQIIH(Header):
    """The IMS information header, version 1: 84 bytes before the segments of IMS data."""

    @classmethod
    def pack(cls, fields: ImsHeader) -> bytes:
        """The structure; its reserved Encoding and CodedCharSetId are 0."""
        return cls._pack((cls.LENGTH, 0, 0, *fields, ""))

    @classmethod
    def unpack(cls, body: bytes) -> ImsHeader:
        """Read it from the beginning of a message's data; LabError if StrucId, Version, StrucLength or the length of
        the data is wrong."""
        start = cls._struct.unpack_from(body)[:3] if len(body) >= cls.LENGTH else (body[:4], None, None)
        if start != (cls._layout.eye, cls._version, cls.LENGTH):
            raise LabError(
                f"MQIIH must be {cls.LENGTH} bytes that begin with 'IIH ', version 1 and length {cls.LENGTH}; got "
                f"{len(body)} bytes, {start[0]!r}, version {start[1]}, length {start[2]}"
            )
        return ImsHeader._make(cls._unpack(body)[3:-1])


class BadSegments(LabError):
    """IMS data whose segment lengths are wrong; `feedback` is the bridge's code for it."""

    def __init__(self, feedback: int, actual: str):
        super().__init__(f"IMS data must be segments of LL, ZZ and data; got {actual}. join_segments makes them")
        self.feedback = feedback


def join_segments(*segments: object) -> bytes:
    """IMS data: each segment behind its length LL and the two bytes ZZ; the first begins with the transaction code.

    LabError for a segment of more than 32 760 bytes.
    """
    whole = b""
    for segment in map(as_body, segments):
        if len(segment) + _LL.size > LONGEST:
            raise LabError(f"segment must have at most {LONGEST - _LL.size} bytes; got {len(segment)}. Split it")
        whole += _LL.pack(len(segment) + _LL.size, 0) + segment
    return whole


def split_segments(data: bytes) -> list[bytes]:
    """The segments of IMS data; BadSegments where the lengths do not add up."""
    segments, offset = [], 0
    while offset < len(data):
        left = len(data) - offset
        if left < _LL.size:
            raise _beyond(left, "at the end")
        length, _ = _LL.unpack_from(data, offset)
        if length < 0:
            raise BadSegments(mq.MQFB_DATA_LENGTH_NEGATIVE, f"a length of {length}")
        if length < _LL.size:
            raise BadSegments(mq.MQFB_DATA_LENGTH_ZERO, f"a length of {length}")
        if length > LONGEST:
            raise BadSegments(mq.MQFB_DATA_LENGTH_TOO_BIG, f"a length of {length}")
        if length > left:
            raise _beyond(length - left, "too few")
        segments.append(data[offset + _LL.size : offset + length])
        offset += length
    if not segments:
        raise BadSegments(mq.MQFB_DATA_LENGTH_ZERO, "no data")
    return segments


def _beyond(count: int, position: str) -> BadSegments:
    return BadSegments(
        mq.MQFB_LENGTH_OFF_BY_ONE if count == 1 else mq.MQFB_BUFFER_OVERFLOW, f"{count} bytes {position}"
    )
