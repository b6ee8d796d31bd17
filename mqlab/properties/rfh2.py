"""MQRFH2, the rules and formatting header 2: folders of named values before the data of a message.

A folder is text of an XML-like syntax: elements with a value or with elements inside, and attributes such as dt, the
type of a value. Numbers are in either byte order; Unicode in two bytes has the same order.
"""

from __future__ import annotations

import re
import struct
from typing import NamedTuple

from ..engine.words import constants as mq
from ..engine.words.charsets import Unsupported, decode, encode
from ..engine.words.errors import LabError

_FIXED = "4siiii8sii"
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}  # the last one read last
_ESCAPES = {character: entity for entity, character in _ENTITIES.items()}
_PIECE = re.compile(
    r"""(?P<text>[^<]+)
      | <(?P<close>/?)(?P<name>[^\W\d][\w.:-]*)
        (?P<attributes>(?:\s+[^\W\d][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?P<empty>/?)>
      | (?P<bad><)""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_DEEPEST = 50
NAME_VALUE_CCSIDS = (1208, 1200, 13488, 17584)
"""The character sets that the folders of a header can have."""


class RfhError(LabError):
    """Data that is no valid MQRFH2; `reason` is MQ's code: 2334 for the structure, 2421 for a folder."""

    def __init__(self, requirement: str, reason: int = mq.MQRC_RFH_ERROR):
        super().__init__(f"MQRFH2 must be {requirement}")
        self.reason = reason


class Element(NamedTuple):
    """An element of a folder, or the folder itself: its name, its value (None: xsi:nil) or the elements inside, the
    type that dt gives, and its other attributes."""

    name: str
    value: str | None = ""
    type: str = ""
    elements: tuple[Element, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()

    def get(self, attribute: str, otherwise: str = "") -> str:
        """The value of an attribute."""
        return dict(self.attributes).get(attribute, otherwise)


class _Open(NamedTuple):
    """An element that is being read."""

    name: str
    attributes: tuple[tuple[str, str], ...]
    elements: list[Element]
    texts: list[str]


class Header(NamedTuple):
    """The content of an MQRFH2: its folders, and format, encoding and character set of the data behind it."""

    folders: tuple[Element, ...] = ()
    format: str = ""
    encoding: int = mq.MQENC_NATIVE
    ccsid: int = mq.UTF_8
    flags: int = 0
    name_value_ccsid: int = mq.UTF_8


class MQRFH2:
    """The structure: a fixed part of 36 bytes, then each folder behind its length, a multiple of four.

    >>> header = Header((Element("usr", elements=(Element("color", "red"),)),), "MQSTR")
    >>> data = MQRFH2.pack(header) + b"tea"
    >>> len(data), MQRFH2.unpack(data) == (header, len(data) - 3)
    (75, True)
    """

    FORMAT = mq.MQFMT_RF_HEADER_2
    FIXED_LENGTH = struct.calcsize("<" + _FIXED)

    @staticmethod
    def pack(header: Header, encoding: int = mq.MQENC_NATIVE, ccsid: int = mq.UTF_8) -> bytes:
        """The structure with numbers of this encoding, and StrucId and Format in this character set."""
        order = _order(encoding)
        big = order == ">"
        texts = [folder_text(folder) for folder in header.folders]
        parts = []
        for text in texts:
            data = encode(text, header.name_value_ccsid, big)
            unit = len(encode(" ", header.name_value_ccsid, big))
            data += encode(" ", header.name_value_ccsid, big) * (-len(data) % 4 // unit)
            parts += [struct.pack(order + "i", len(data)), data]
        rest = b"".join(parts)
        fields = (encode("RFH ", ccsid), 2, MQRFH2.FIXED_LENGTH + len(rest), header.encoding, header.ccsid)
        format = encode(header.format.ljust(8), ccsid)
        return struct.pack(order + _FIXED, *fields, format, header.flags, header.name_value_ccsid) + rest

    @staticmethod
    def unpack(
        data: bytes, offset: int = 0, encoding: int = mq.MQENC_NATIVE, ccsid: int = mq.UTF_8
    ) -> tuple[Header, int]:
        """The header at offset `offset`, and the offset behind it; RfhError if there is none, or a wrong one."""
        header, pieces, end = MQRFH2.fields(data, offset, encoding, ccsid)
        big = _order(encoding) == ">"
        try:
            texts = [decode(piece, header.name_value_ccsid, big) for piece in pieces]
        except UnicodeDecodeError as error:
            said = f"folders of text in CCSID {header.name_value_ccsid}; got {error.object[error.start :][:8]!r}"
            raise RfhError(said, mq.MQRC_RFH_FORMAT_ERROR) from None
        folders = tuple(folder for text in texts for folder in read_folders(text))
        return header._replace(folders=folders), end

    @staticmethod
    def fields(data: bytes, offset: int, encoding: int, ccsid: int) -> tuple[Header, list[bytes], int]:
        """The header without its folders, the folders as bytes, and the offset behind them; RfhError 2334."""
        order, fixed = _order(encoding), MQRFH2.FIXED_LENGTH
        if len(data) - offset < fixed:
            raise RfhError(f"at least {fixed} bytes; got {len(data) - offset}")
        given = struct.unpack_from(order + _FIXED, data, offset)
        identifier, version, length, after, after_ccsid, format, flags, names = given
        try:
            known, format = decode(identifier, ccsid), decode(format, ccsid).rstrip(" \0")
        except (Unsupported, UnicodeDecodeError):
            known = ""
        if known != "RFH " or version != 2:
            said = f"'RFH ' and version 2, in the encoding of the descriptor; got {identifier!r} and {version}"
            raise RfhError(said)
        if not fixed <= length <= len(data) - offset:
            raise RfhError(f"as long as its StrucLength {length} says; got {len(data) - offset} bytes of data")
        if after_ccsid == 0 or after_ccsid < mq.MQCCSI_INHERIT:
            raise RfhError(f"a header with a CodedCharSetId above 0, or MQCCSI_INHERIT; got {after_ccsid}")
        pieces, position, end = [], offset + fixed, offset + length
        while position < end:
            size = struct.unpack_from(order + "i", data, position)[0] if position + 4 <= end else -1
            if size < 0 or size % 4 or position + 4 + size > end:
                raise RfhError(f"folders of lengths that are multiples of 4 and fit in {length} bytes; got {size}")
            pieces.append(data[position + 4 : position + 4 + size])
            position += 4 + size
        if pieces and names not in NAME_VALUE_CCSIDS:
            raise RfhError(f"folders in CCSID {', '.join(map(str, NAME_VALUE_CCSIDS))}; got {names}")
        return Header((), format, after, after_ccsid, flags, names), pieces, end


def folder_text(folder: Element) -> str:
    """A folder, or an element, as the text that a header has."""
    attributes = folder.attributes + ((("dt", folder.type),) if folder.type else ())
    attributes += (("xsi:nil", "true"),) if folder.value is None else ()
    tag = folder.name + "".join(f' {name}="{_escaped(value)}"' for name, value in attributes)
    inside = "".join(map(folder_text, folder.elements)) or _escaped(folder.value or "")
    return f"<{tag}>{inside}</{folder.name}>"


def read_folders(text: str) -> list[Element]:
    """The folders in the text of one NameValueData; RfhError 2421 if its syntax is wrong."""
    text = text.rstrip(" \0")
    opened: list[_Open] = [_Open("", (), [], [])]
    for match in _PIECE.finditer(text):
        if match["text"]:
            opened[-1].texts.append(match["text"])
        elif match["bad"] or len(opened) > _DEEPEST:
            _refuse(text, match.start())
        elif match["close"]:
            if match["name"] != opened[-1].name or match["attributes"] or match["empty"]:
                _refuse(text, match.start())
            _close(text, match.end(), opened)
        else:
            pairs = (pair.group(1, 2, 3) for pair in _ATTRIBUTE.finditer(match["attributes"]))
            attributes = tuple((name, _plain(one or other or "")) for name, one, other in pairs)
            opened.append(_Open(match["name"], attributes, [], []))
            if match["empty"]:
                _close(text, match.end(), opened)
    if len(opened) > 1 or "".join(opened[0].texts).strip():
        _refuse(text, len(text))
    return opened[0].elements


def _close(text: str, offset: int, opened: list[_Open]) -> None:
    """End the innermost open element: it becomes one of those of the element around it."""
    name, attributes, inside, texts = opened.pop()
    value = "".join(texts)
    if inside and value.strip():
        _refuse(text, offset)
    own = dict(attributes)
    plain = None if own.get("xsi:nil") in ("true", "1") else "" if inside else _plain(value)
    others = tuple(pair for pair in attributes if pair[0] not in ("dt", "xsi:nil"))
    opened[-1].elements.append(Element(name, plain, own.get("dt", ""), tuple(inside), others))


def _plain(text: str) -> str:
    """Text without its escapes: the five named ones, and characters by number."""
    if "&#" in text:
        text = re.sub(r"&#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));", _character, text)
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text


def _escaped(text: str) -> str:
    for character in '&<>"':
        text = text.replace(character, _ESCAPES[character])
    return text


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else int(match[2])
    return _escaped(chr(code)) if code < 0x11_0000 and not 0xD800 <= code < 0xE000 else match[0]


def _refuse(text: str, offset: int) -> None:
    wanted = "folders such as <usr><color>red</color></usr>"
    actual = f"got {text[offset : offset + 30]!r} at character {offset + 1}"
    raise RfhError(f"{wanted}; {actual}", mq.MQRC_RFH_FORMAT_ERROR)


def _order(encoding: int) -> str:
    """The byte order of struct for the integers of an MQENC; RfhError for an encoding that is not one."""
    order = {mq.MQENC_INTEGER_NORMAL: ">", mq.MQENC_INTEGER_REVERSED: "<"}.get(encoding & 0xF)
    if order is None:
        raise RfhError(f"in an encoding whose integers are normal or reversed; got {encoding:#x}")
    return order
