"""The IMS information header MQIIH, and the segments of IMS data behind it."""

from __future__ import annotations

import struct
from typing import NamedTuple

from .errors import LabError
from .headers import blank_padded, text
from .structures import as_body

__all__ = [
    "MQFMT_IMS",
    "MQIIH",
    "MQIIH_PASS_EXPIRATION",
    "MQIIH_REPLY_FORMAT_NONE",
    "BadSegments",
    "ImsHeader",
    "join_segments",
    "split_segments",
]

MQFMT_IMS = "MQIMS"
MQIIH_UNLIMITED_EXPIRATION, MQIIH_PASS_EXPIRATION, MQIIH_REPLY_FORMAT_NONE = 0, 1, 8

MQFB_DATA_LENGTH_ZERO, MQFB_DATA_LENGTH_NEGATIVE, MQFB_DATA_LENGTH_TOO_BIG = 291, 292, 293
MQFB_BUFFER_OVERFLOW, MQFB_LENGTH_OFF_BY_ONE = 294, 295

_IIH = struct.Struct("<4siiii8si8s8s8s8s16scccc")
_LL = struct.Struct("<hh")
LONGEST = 32_764
"""The longest IMS segment, its four bytes LLZZ among them."""


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
        texts = (text(each) for each in (terminal, map_name, reply_format, authenticator))
        return ImsHeader(text(format), flags, *texts, instance, text(state), text(mode), text(security))


class BadSegments(LabError):
    """IMS data whose segment lengths are wrong; `feedback` is the bridge's code for it."""

    def __init__(self, feedback: int, said: str):
        super().__init__(f"IMS data wanted: segments of LL, ZZ and data; got {said}. join_segments makes them")
        self.feedback = feedback


def join_segments(*segments) -> bytes:
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
                MQFB_LENGTH_OFF_BY_ONE if off else MQFB_BUFFER_OVERFLOW, f"{len(data) - at} bytes at the end"
            )
        length, _ = _LL.unpack_from(data, at)
        over = at + length - len(data)
        if length < 0:
            raise BadSegments(MQFB_DATA_LENGTH_NEGATIVE, f"a length of {length}")
        if length < _LL.size:
            raise BadSegments(MQFB_DATA_LENGTH_ZERO, f"a length of {length}")
        if length > LONGEST:
            raise BadSegments(MQFB_DATA_LENGTH_TOO_BIG, f"a length of {length}")
        if over > 0:
            off = over == 1
            raise BadSegments(MQFB_LENGTH_OFF_BY_ONE if off else MQFB_BUFFER_OVERFLOW, f"{over} bytes too few")
        found.append(data[at + _LL.size : at + length])
        at += length
    if not found:
        raise BadSegments(MQFB_DATA_LENGTH_ZERO, "no data")
    return found
