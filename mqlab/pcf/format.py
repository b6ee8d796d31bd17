"""Programmable command format (PCF): the data of commands, replies, and events, read and built byte for byte.

A message is a header, MQCFH, and parameters. A group is one parameter, with parameters of its own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..engine.words import constants as mq
from ..engine.words.charsets import Unsupported, decode, encode
from ..engine.words.errors import LabError

Value = Any
"""int, str, bytes, or a tuple of int, str, or Parameter, as the sort of the parameter says."""


class PCFError(LabError):
    """Data that is not PCF; `reason` is the code with which a command server refuses it, `parameter` an id or None."""

    def __init__(self, reason: int, actual: str, parameter: int | None = None):
        super().__init__(f"PCF data must be a header and its parameters; got {actual} ({reason} {mq.REASONS[reason]})")
        self.reason, self.parameter = reason, parameter


@dataclass(frozen=True)
class Header:
    """The fields of MQCFH by which messages differ; the number of parameters is not kept but counted."""

    type: int
    command: int
    version: int = mq.MQCFH_VERSION_1
    sequence: int = 1
    control: int = mq.MQCFC_LAST
    comp: int = mq.MQCC_OK
    reason: int = mq.MQRC_NONE

    LENGTH = 36


@dataclass(frozen=True)
class Parameter:
    """One parameter structure: `sort` is CFIN, CFIL, CFST, CFSL, CFBS, CFIN64, CFIL64, CFGR, or a filter CFIF, CFSF, or
    CFBF, which alone has an operator.

    Texts are without the NULs that fill a field; those of a list are without blanks at their end, too. `width` is the
    number of bytes that a text, or each of a list, fills with blanks.
    """

    sort: str
    id: int
    value: Value  # any text: what programs send and are sent
    operator: int = 0
    width: int = field(default=0, compare=False)


class Message(NamedTuple):
    """The header and the parameters of a message, or of the part of one that unpack has read."""

    header: Header
    parameters: tuple[Parameter, ...]


class _Sort(NamedTuple):
    """How one sort of parameter is written: its number, its fixed fields, and the reasons of wrong lengths."""

    type: int
    fixed: str
    wrong_length: int
    wrong_size: int = mq.MQRC_NONE


_SORTS = {
    "CFIN": _Sort(3, "i", mq.MQRCCF_CFIN_LENGTH_ERROR),
    "CFST": _Sort(4, "ii", mq.MQRCCF_CFST_LENGTH_ERROR, mq.MQRCCF_CFST_STRING_LENGTH_ERR),
    "CFIL": _Sort(5, "i", mq.MQRCCF_CFIL_LENGTH_ERROR, mq.MQRCCF_CFIL_COUNT_ERROR),
    "CFSL": _Sort(6, "iii", mq.MQRCCF_CFSL_LENGTH_ERROR, mq.MQRCCF_CFSL_STRING_LENGTH_ERR),
    "CFBS": _Sort(9, "i", mq.MQRCCF_CFBS_LENGTH_ERROR, mq.MQRCCF_CFBS_STRING_LENGTH_ERR),
    "CFIF": _Sort(13, "ii", mq.MQRCCF_CFIF_LENGTH_ERROR),
    "CFSF": _Sort(14, "iii", mq.MQRCCF_CFSF_LENGTH_ERROR, mq.MQRCCF_CFSF_FILTER_VAL_LEN_ERR),
    "CFBF": _Sort(15, "ii", mq.MQRCCF_CFBF_LENGTH_ERROR, mq.MQRCCF_CFBF_FILTER_VAL_LEN_ERR),
    "CFGR": _Sort(20, "i", mq.MQRCCF_CFGR_LENGTH_ERROR, mq.MQRCCF_CFGR_PARM_COUNT_ERROR),
    "CFIN64": _Sort(23, "iq", mq.MQRCCF_CFIN_LENGTH_ERROR),
    "CFIL64": _Sort(25, "i", mq.MQRCCF_CFIL_LENGTH_ERROR, mq.MQRCCF_CFIL_COUNT_ERROR),
}
_BY_TYPE = {sort.type: name for name, sort in _SORTS.items()}
_HEAD = 12  # Type, StrucLength, Parameter


def integer(id: int, value: int) -> Parameter:
    """An integer parameter, of 64 bits if 32 do not hold it."""
    return Parameter("CFIN" if -(2**31) <= value < 2**31 else "CFIN64", id, value)


def integers(id: int, values: Iterable[int]) -> Parameter:
    """A list of integers."""
    return Parameter("CFIL", id, tuple(values))


def string(id: int, value: str, width: int = 0) -> Parameter:
    """A text, filled with blanks up to `width` bytes."""
    return Parameter("CFST", id, value, width=width)


def strings(id: int, values: Iterable[str], width: int = 0) -> Parameter:
    """A list of texts, each filled with blanks up to `width` bytes, or to the length of the longest."""
    return Parameter("CFSL", id, tuple(values), width=width)


def byte_string(id: int, value: bytes) -> Parameter:
    """A byte string."""
    return Parameter("CFBS", id, value)


def group(id: int, parameters: Iterable[Parameter]) -> Parameter:
    """A group of parameters."""
    return Parameter("CFGR", id, tuple(parameters))


def pack(
    header: Header, parameters: Iterable[Parameter] = (), encoding: int = mq.MQENC_NATIVE, ccsid: int = mq.UTF_8
) -> bytes:
    """The data of a message, in the byte order of `encoding` and the characters of `ccsid`."""
    order, listed = _order(encoding), tuple(parameters)
    head = struct.pack(
        f"{order}9i",
        header.type,
        Header.LENGTH,
        header.version,
        header.command,
        header.sequence,
        header.control,
        header.comp,
        header.reason,
        len(listed),
    )
    return head + b"".join(piece for one in listed for piece in _packed(one, order, ccsid))


def _packed(parameter: Parameter, order: str, ccsid: int) -> Iterator[bytes]:
    sort, value = _SORTS[parameter.sort], parameter.value
    data, sizes = b"", []
    if parameter.sort in ("CFIN", "CFIF"):
        sizes = [value]
    elif parameter.sort == "CFIN64":
        sizes = [0, value]
    elif parameter.sort in ("CFIL", "CFIL64"):
        sizes = [len(value)]
        data = struct.pack(f"{order}{len(value)}{'q' if parameter.sort == 'CFIL64' else 'i'}", *value)
    elif parameter.sort in ("CFST", "CFSF"):
        data = _filled(value, parameter.width, ccsid)
        sizes = [ccsid, len(data)]
    elif parameter.sort == "CFSL":
        width = max([parameter.width, *(len(_filled(item, 0, ccsid)) for item in value)])
        data = b"".join(_filled(item, width, ccsid) for item in value)
        sizes = [ccsid, len(value), width]
    elif parameter.sort in ("CFBS", "CFBF"):
        data, sizes = value, [len(value)]
    else:
        sizes = [len(value)]
    if parameter.sort in ("CFIF", "CFSF", "CFBF"):
        sizes = [parameter.operator, *sizes]
    data += bytes(-len(data) % 4)
    fixed = struct.calcsize(f"={sort.fixed}")
    yield struct.pack(f"{order}iii{sort.fixed}", sort.type, _HEAD + fixed + len(data), parameter.id, *sizes) + data
    if parameter.sort == "CFGR":
        for item in value:
            yield from _packed(item, order, ccsid)


def unpack(data: bytes, encoding: int = mq.MQENC_NATIVE, ccsid: int = mq.UTF_8) -> Message:
    """Read a message; PCFError for data that is not one. A text without a CCSID of its own has `ccsid`."""
    header, count = unpack_header(data, encoding)
    reader = _Reader(data, _order(encoding), ccsid)
    parameters = tuple(reader.parameter() for _ in range(count))
    if reader.at < len(data):
        more = f"{len(data) - reader.at} bytes behind the last parameter"
        raise PCFError(mq.MQRCCF_MSG_LENGTH_ERROR, more)
    return Message(header, parameters)


def unpack_header(data: bytes, encoding: int = mq.MQENC_NATIVE) -> tuple[Header, int]:
    """The header and the number of parameters that it announces; PCFError if there is none."""
    if len(data) < Header.LENGTH:
        raise PCFError(mq.MQRCCF_MSG_LENGTH_ERROR, f"{len(data)} bytes, less than a header of {Header.LENGTH}")
    fields = struct.unpack_from(f"{_order(encoding)}9i", data)
    sort, length, version, command, sequence, control, comp, reason, count = fields
    if length != Header.LENGTH:
        raise PCFError(mq.MQRCCF_CFH_LENGTH_ERROR, f"a header of StrucLength {length} instead of {Header.LENGTH}")
    if count < 0:
        raise PCFError(mq.MQRCCF_CFH_PARM_COUNT_ERROR, f"a header with ParameterCount {count}")
    return Header(sort, command, version, sequence, control, comp, reason), count


class _Reader:
    """Reads one parameter after the other."""

    def __init__(self, data: bytes, order: str, ccsid: int):
        self.data, self.order, self.ccsid, self.at = data, order, ccsid, Header.LENGTH

    def parameter(self) -> Parameter:
        offset, data = self.at, self.data
        if offset + _HEAD > len(data):
            raise PCFError(mq.MQRCCF_MSG_LENGTH_ERROR, "fewer parameters than its header says")
        number, length, id = struct.unpack_from(f"{self.order}iii", data, offset)
        name = _BY_TYPE.get(number)
        if name is None:
            raise PCFError(mq.MQRCCF_STRUCTURE_TYPE_ERROR, f"a parameter of type {number}", id)
        sort = _SORTS[name]
        fixed = _HEAD + struct.calcsize(f"={sort.fixed}")
        if length < fixed or length % 4 or (length > fixed and name in ("CFIN", "CFIN64", "CFIF", "CFGR")):
            raise PCFError(sort.wrong_length, f"a {name} of StrucLength {length}", id)
        if offset + length > len(data):
            raise PCFError(mq.MQRCCF_MSG_LENGTH_ERROR, f"a {name} that goes beyond the end of the data", id)
        sizes = list(struct.unpack_from(f"{self.order}{sort.fixed}", data, offset + _HEAD))
        self.at = offset + length
        operator = sizes.pop(0) if name in ("CFIF", "CFSF", "CFBF") else 0
        value = self._value(name, id, sizes, data[offset + fixed : offset + length])
        return Parameter(name, id, value, operator, sizes[-1] if name in ("CFST", "CFSF", "CFSL") else 0)

    def _value(self, name: str, id: int, sizes: list[int], rest: bytes) -> Value:
        wrong, size = _SORTS[name].wrong_size, sizes[-1]
        if wrong and size < 0:
            raise PCFError(wrong, f"a {name} of {size}", id)
        if name in ("CFIN", "CFIF", "CFIN64"):
            return size
        if name == "CFGR":
            return tuple(self.parameter() for _ in range(size))
        if name in ("CFIL", "CFIL64"):
            code, width = ("q", 8) if name == "CFIL64" else ("i", 4)
            if size * width != len(rest):
                raise PCFError(wrong, f"a {name} of {size} values in {len(rest)} bytes", id)
            return struct.unpack(f"{self.order}{size}{code}", rest)
        count = sizes[1] if name == "CFSL" else 1
        if count < 0:
            raise PCFError(mq.MQRCCF_CFSL_COUNT_ERROR, f"a CFSL of {count} texts", id)
        if size * count > len(rest):
            raise PCFError(wrong, f"a {name} of {count} times {size} bytes in {len(rest)}", id)
        if name in ("CFBS", "CFBF"):
            return rest[:size]
        ccsid = sizes[0] or self.ccsid
        texts = [rest[at * size : (at + 1) * size] for at in range(count)]
        try:
            read = tuple(decode(width, ccsid).rstrip("\0") for width in texts)
        except (Unsupported, UnicodeDecodeError):
            raise PCFError(mq.MQRCCF_CCSID_ERROR, f"text that is not of CCSID {ccsid}", id) from None
        return tuple(width.rstrip(" ") for width in read) if name == "CFSL" else read[0]


def _filled(value: str, width: int, ccsid: int) -> bytes:
    raw = encode(value, ccsid)
    return raw + encode(" ", ccsid) * (width - len(raw))


def _order(encoding: int) -> str:
    """The byte order of integers: the lowest four bits of an MQENC, 1 for the most significant byte first."""
    return ">" if encoding & 0xF == 1 else "<"
