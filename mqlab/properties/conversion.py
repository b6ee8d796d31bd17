"""Conversion of message data to another character set and encoding, as MQGMO_CONVERT asks for it.

Built-in formats: text (MQSTR), PCF, the trigger message, and the headers MQDLH, MQXQH, MQMDE and MQRFH2 with the data
behind them, which each header describes. Texts of fixed length keep their length. The folders of an MQRFH2 keep their
character set.
"""

from __future__ import annotations

import struct
from codecs import getincrementaldecoder
from typing import NamedTuple

from ..engine.queues.message import Message, Warned, hand_over
from ..engine.words import constants as mq
from ..engine.words import layouts
from ..engine.words.charsets import Unsupported, codec_of, decode, encode
from ..engine.words.errors import LabError, left_out
from ..engine.words.layouts import Field
from .rfh2 import MQRFH2, RfhError

_PCF = (mq.MQFMT_ADMIN, mq.MQFMT_EVENT, mq.MQFMT_PCF, mq.MQFMT_COMMAND_1, mq.MQFMT_COMMAND_2)
_LAYOUTS = {
    mq.MQFMT_TRIGGER: layouts.MQTM.fields,
    mq.MQFMT_DEAD_LETTER_HEADER: layouts.MQDLH.fields,
    mq.MQFMT_XMIT_Q_HEADER: [*layouts.MQXQH.fields[:-1], *(each for each in layouts.MQMD.fields if each.version == 1)],
    mq.MQFMT_MD_EXTENSION: layouts.MQMDE.fields,
}
"""Format: its fields, those of a descriptor in it too. Encoding, CodedCharSetId, and Format describe the data behind
it."""


class Form(NamedTuple):
    """How data is represented: its encoding (an MQENC) and its character set."""

    encoding: int
    ccsid: int

    @property
    def order(self) -> str:
        """The byte order of its integers, as `struct` has it."""
        return ">" if self.encoding & 0xF == mq.MQENC_INTEGER_NORMAL else "<"


class NotConverted(LabError):
    """Data that cannot be converted; `reason` is MQ's code for it: 2110 to 2119."""

    def __init__(self, reason: int, actual: str):
        super().__init__(f"message data must be of a format and character sets that can be converted; got {actual}")
        self.reason = reason


def converted(message: Message, encoding: int, ccsid: int, longest: int | None, accept: bool) -> Message:
    """A message with its data converted (PRP-08), or as it is, with the warning 2110 to 2120 that says why not."""
    descriptor, body, wanted = message.descriptor, message.body, Form(encoding, ccsid)
    has, cut = Form(descriptor.encoding, descriptor.ccsid), message.warning == mq.MQRC_TRUNCATED_MSG_ACCEPTED
    try:
        data = convert(body, descriptor.format, has, wanted, cut)
    except NotConverted as error:
        return Warned(message, message.warning or error.reason, body, message.length)
    if longest is not None and len(data) > longest and not accept:
        return Warned(message, message.warning or mq.MQRC_CONVERTED_MSG_TOO_BIG, body, message.length)
    record, too_long = message._of.copy(), longest is not None and len(data) > longest
    record.body, record.descriptor = data, descriptor._replace(encoding=wanted.encoding, ccsid=wanted.ccsid)
    warning = mq.MQRC_TRUNCATED_MSG_ACCEPTED if too_long else message.warning
    whole = hand_over(record, None if message.expiry == mq.MQEI_UNLIMITED else message.expiry, message._qmgr)
    whole._backout_count = message.backout_count
    return Warned(whole, warning, data[:longest], message.length if cut else len(data))


def convert(data: bytes, format: str, source: Form, target: Form, cut: bool = False) -> bytes:
    """The data in its other form; NotConverted if that cannot be. `cut` says that text may end within a character.

    >>> convert("tea".encode("cp500"), "MQSTR", Form(546, 500), Form(546, 1208))
    b'tea'
    """
    _require(source, mq.MQRC_SOURCE_CCSID_ERROR, mq.MQRC_SOURCE_INTEGER_ENC_ERROR)
    _require(target, mq.MQRC_TARGET_CCSID_ERROR, mq.MQRC_TARGET_INTEGER_ENC_ERROR)
    name = format.rstrip(" \0")
    try:
        if name == mq.MQFMT_STRING:
            return _text(data, source, target, cut)
        if name in _PCF:
            return _parameters(data, source, target, name)
        if name in (MQRFH2.FORMAT, *_LAYOUTS) and len(encode(" ", target.ccsid)) > 1:
            raise NotConverted(mq.MQRC_NOT_CONVERTED, f"a header, to CCSID {target.ccsid}")
        if name == MQRFH2.FORMAT:
            return _rules_header(data, source, target)
        if name in _LAYOUTS:
            return _structure(data, _LAYOUTS[name], source, target, name)
    except UnicodeError as error:
        raise NotConverted(mq.MQRC_NOT_CONVERTED, f"data that is no text of CCSID {source.ccsid} ({error})") from None
    except (RfhError, struct.error) as error:
        raise NotConverted(mq.MQRC_FORMAT_ERROR, f"data that is not of format {name} ({error})") from None
    raise NotConverted(mq.MQRC_FORMAT_ERROR, f"format {name or 'MQFMT_NONE'!r}")


def _parameters(data: bytes, source: Form, target: Form, name: str) -> bytes:
    try:
        from ..pcf import format as pcf
    except ModuleNotFoundError:
        raise left_out("pcf") from None
    try:
        message = pcf.unpack(data, source.encoding, source.ccsid)
    except pcf.PCFError as error:
        raise NotConverted(mq.MQRC_FORMAT_ERROR, f"data that is not of format {name} ({error})") from None
    return pcf.pack(*message, target.encoding, target.ccsid)


def _require(form: Form, no_codec: int, no_order: int) -> None:
    try:
        codec_of(form.ccsid)
    except Unsupported as error:
        raise NotConverted(no_codec, str(error)) from None
    if form.encoding & 0xF not in (mq.MQENC_INTEGER_NORMAL, mq.MQENC_INTEGER_REVERSED):
        raise NotConverted(no_order, f"encoding {form.encoding:#x}")


def _text(data: bytes, source: Form, target: Form, cut: bool) -> bytes:
    big = source.order == ">"
    if cut and source.ccsid != 1047:
        text = getincrementaldecoder(codec_of(source.ccsid, big))().decode(data)
    else:
        text = decode(data, source.ccsid, big)
    return encode(text, target.ccsid, target.order == ">", substitute=True)


def _field(data: bytes, source: Form, target: Form) -> bytes:
    """A text of fixed length, at the same length."""
    text = _text(data, source, target, False)
    blank = encode(" ", target.ccsid, target.order == ">")
    while len(text) > len(data) and text.endswith(blank):
        text = text[: -len(blank)]
    if len(text) > len(data) or (len(data) - len(text)) % len(blank):
        raise NotConverted(mq.MQRC_NOT_CONVERTED, f"a text of {len(data)} bytes that needs {len(text)}")
    return text + blank * ((len(data) - len(text)) // len(blank))


def _structure(data: bytes, fields: list[Field], source: Form, target: Form, name: str) -> bytes:
    """A structure of fixed fields, and the data behind it that it describes."""
    size = layouts.packer(fields).size
    if len(data) < size or decode(data[:3], source.ccsid, source.order == ">")[:2] not in _EYES[name]:
        raise NotConverted(mq.MQRC_FORMAT_ERROR, f"data that is not of format {name}")
    out, offset, behind, follows = [], 0, source, ""
    for field in fields:
        width = field.size or 4
        piece, offset = data[offset : offset + width], offset + width
        if field.code == "i":
            number = struct.unpack(source.order + "i", piece)[0]
            behind = Form(number, behind.ccsid) if field.name == "Encoding" else behind
            behind = Form(behind.encoding, number or source.ccsid) if field.name == "CodedCharSetId" else behind
            piece = struct.pack(target.order + "i", number)
        elif field.code[-1] == "s":
            follows = decode(piece, source.ccsid, source.order == ">") if field.name == "Format" else follows
            piece = _field(piece, source, target)
        out.append(piece)
    names = [field.name for field in fields]
    if "Encoding" in names:
        rest, after = _behind(data[offset:], follows, behind, target)
        out[names.index("Encoding")] = struct.pack(target.order + "i", after.encoding)
        out[names.index("CodedCharSetId")] = struct.pack(target.order + "i", after.ccsid)
        return b"".join(out) + rest
    return b"".join(out) + data[offset:]


_EYES = {
    mq.MQFMT_TRIGGER: ("TM",),
    mq.MQFMT_DEAD_LETTER_HEADER: ("DL",),
    mq.MQFMT_XMIT_Q_HEADER: ("XQ",),
    mq.MQFMT_MD_EXTENSION: ("MD",),
}
"""How the eye-catcher of a format begins."""


def _behind(data: bytes, format: str, source: Form, target: Form) -> tuple[bytes, Form]:
    """The data behind a header, and its form now: data without a format stays as it is."""
    if not format.strip(" \0") or not data or source == target:
        return data, source
    return convert(data, format, source, target), target


def _rules_header(data: bytes, source: Form, target: Form) -> bytes:
    """An MQRFH2, whose folders keep their character set, and the data behind it."""
    header, pieces, end = MQRFH2.fields(data, 0, *source)
    swapped = source.order != target.order and header.name_value_ccsid != mq.UTF_8
    folders = b""
    for piece in pieces:
        if swapped:
            count = len(piece) // 2
            piece = struct.pack(f"{target.order}{count}H", *struct.unpack(f"{source.order}{count}H", piece))
        folders += struct.pack(target.order + "i", len(piece)) + piece
    inherits = header.ccsid == mq.MQCCSI_INHERIT
    behind = Form(header.encoding, source.ccsid if inherits else header.ccsid)
    rest, after = _behind(data[end:], header.format, behind, target)
    fixed = MQRFH2.pack(header._replace(encoding=after.encoding, ccsid=after.ccsid), *target)
    length = struct.pack(target.order + "i", len(fixed) + len(folders))
    return fixed[:8] + length + fixed[12:] + folders + rest
