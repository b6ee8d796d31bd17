"""Message properties: their names, types and values, and the folders of an MQRFH2 that hold them.

A property without a folder in its name is in usr, which its name leaves out. The properties of JMS have names of their
own for elements of the folders jms and mcd.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from ..engine.words import constants as mq
from ..engine.words.arguments import require
from ..engine.words.errors import LabError
from ..engine.words.structures import encoded
from .rfh2 import MQRFH2, Element, Header, RfhError
from .selector import WORDS

_WITH_NAMES = "mcd jms usr mqext mq mq_usr mqps mqema mq_svc mqtt ibm sib sib_usr sib_context"
FOLDERS = tuple(_WITH_NAMES.split())
"""The folders that hold properties without content='properties'."""
COMPATIBLE = ("mcd", "jms", "usr", "mqext")
"""The folders for which MQPROP_COMPATIBILITY returns all properties in a header."""
SYNONYMS = {
    "JMSDestination": "jms.Dst",
    "JMSDeliveryMode": "jms.Dlv",
    "JMSExpiration": "jms.Exp",
    "JMSPriority": "jms.Pri",
    "JMSCorrelationID": "jms.Cid",
    "JMSReplyTo": "jms.Rto",
    "JMSTimestamp": "jms.Tms",
    "JMSXGroupID": "jms.Gid",
    "JMSXGroupSeq": "jms.Seq",
    "JMSType": "mcd.Type",
    "MQTopicString": "mqps.Top",
    "MQSubUserData": "mqps.Sud",
    "MQIsRetained": "mqps.Ret",
}
"""The name that an inquiry returns: folder and element."""
_SHOWN = {element: name for name, element in SYNONYMS.items()}
_SETTABLE = ("JMSCorrelationID", "JMSReplyTo", "JMSType", "JMSXGroupID", "JMSXGroupSeq")
_DEFAULT_TYPES = {"jms.Dlv": "i4", "jms.Pri": "i4", "jms.Seq": "i4", "jms.Exp": "i8", "jms.Tms": "i8"}
_INTEGERS = {mq.MQTYPE_INT8: 8, mq.MQTYPE_INT16: 16, mq.MQTYPE_INT32: 32, mq.MQTYPE_INT64: 64}
_DT = {
    mq.MQTYPE_BOOLEAN: "boolean",
    mq.MQTYPE_BYTE_STRING: "bin.hex",
    mq.MQTYPE_INT8: "i1",
    mq.MQTYPE_INT16: "i2",
    mq.MQTYPE_INT32: "i4",
    mq.MQTYPE_INT64: "i8",
    mq.MQTYPE_FLOAT32: "r4",
    mq.MQTYPE_FLOAT64: "r8",
    mq.MQTYPE_STRING: "",
    mq.MQTYPE_NULL: "",
}
_TYPES = {dt: kind for kind, dt in _DT.items() if dt} | {"": mq.MQTYPE_STRING, "string": mq.MQTYPE_STRING}
_TYPES["int"] = mq.MQTYPE_INT64
TYPES = tuple(_DT)
_COPIES = {
    "forward": mq.MQCOPY_FORWARD,
    "publish": mq.MQCOPY_PUBLISH,
    "reply": mq.MQCOPY_REPLY,
    "report": mq.MQCOPY_REPORT,
}
_BOOLEANS = {"1": True, "0": False, "true": True, "false": False}
_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_LENGTHS = {mq.MQTYPE_BOOLEAN: 4, mq.MQTYPE_FLOAT32: 4, mq.MQTYPE_FLOAT64: 8, mq.MQTYPE_NULL: 0}


class WrongName(LabError):
    """A name that no property may have; `reason` is MQ's code: 2442 or 2513."""

    def __init__(self, fact: str, reason: int = mq.MQRC_PROPERTY_NAME_ERROR):
        super().__init__(f"a property must have a name such as color or shop.color; got {fact}")
        self.reason = reason


class Property(NamedTuple):
    """A property of a message: its name, MQTYPE, value, and descriptor (support, context, copy options of MQPD)."""

    name: str
    type: int
    value: Any
    support: int = mq.MQPD_SUPPORT_OPTIONAL
    context: int = mq.MQPD_NO_CONTEXT
    copy: int = mq.MQCOPY_DEFAULT

    @property
    def folder(self) -> str:
        """The folder that it is in."""
        return self.name.partition(".")[0] if "." in self.name else "usr"

    @property
    def shown(self) -> str:
        """Its name as an inquiry returns it."""
        return _SHOWN.get(self.name, self.name)

    @property
    def length(self) -> int:
        """Bytes of its value."""
        if self.type in _INTEGERS:
            return _INTEGERS[self.type] // 8
        return _LENGTHS[self.type] if self.type in _LENGTHS else len(bytes_of(self.value))


def bytes_of(value: str | bytes) -> bytes:
    """The value of a string property as bytes: text as UTF-8."""
    return value if isinstance(value, bytes) else encoded(value, "property")


def own_name(name: str) -> str:
    """The name that a property has here, of one that a program gives: without usr, and folder and element for JMS.

    >>> own_name("usr.color"), own_name("JMSType")
    ('color', 'mcd.Type')
    """
    return SYNONYMS.get(name, name.removeprefix("usr."))


def check_name(name: Any) -> str:
    """The own name of a property that a program sets; WrongName for one that MQ does not allow."""
    require("the name of a property", name, str, "text")
    if not 1 <= len(encoded(name, "the name of a property")) <= mq.MQ_MAX_PROPERTY_NAME_LENGTH:
        said = f"one of {len(name)} characters, and 1 to {mq.MQ_MAX_PROPERTY_NAME_LENGTH} bytes are allowed"
        raise WrongName(said, mq.MQRC_PROPERTY_NAME_LENGTH_ERR)
    if not all(map(_WORD.fullmatch, name.split("."))):
        raise WrongName(f"{name!r:.80}, whose words are not letters, digits, _ and $ with dots between them")
    if name.upper() in WORDS:
        raise WrongName(f"{name!r}, a word of selection strings")
    if name.startswith(("JMS", "usr.JMS")) and name not in _SETTABLE:
        raise WrongName(f"{name!r}, and names that begin with JMS belong to JMS")
    low = name.lower()
    if low.startswith("mq") and not low.startswith("mq_usr") and name.count(".") > 1:
        raise WrongName(f"{name!r}, which begins with mq and has more than one dot")
    return own_name(name)


def typed(name: str, value: Any, type: int = mq.MQTYPE_AS_SET, **descriptor: int) -> Property:
    """The property of a checked name; LabError for a value that its type cannot hold.

    Without a type it is that of the value: bool, bytes, str, float (64 bits), None, and int (32 bits if that is enough,
    else 64).
    """
    if type == mq.MQTYPE_AS_SET:
        type = _type_of(name, value)
    fits = {
        mq.MQTYPE_BOOLEAN: isinstance(value, bool),
        mq.MQTYPE_BYTE_STRING: isinstance(value, bytes),
        mq.MQTYPE_STRING: isinstance(value, str),
        mq.MQTYPE_NULL: value is None,
    }
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if type in _INTEGERS:
        bits = _INTEGERS[type]
        right = isinstance(value, int) and number and -(1 << bits - 1) <= value < 1 << bits - 1
    elif type in (mq.MQTYPE_FLOAT32, mq.MQTYPE_FLOAT64):
        right = number and _is_float(value, type)
        value = float(value) if right else value
        if right and type == mq.MQTYPE_FLOAT32:
            value = struct.unpack("f", struct.pack("f", value))[0]
    else:
        right = fits.get(type, False)
    if right and type == mq.MQTYPE_STRING:
        encoded(value, f"property {name}")
    if not right:
        raise LabError(f"property {name} must be a value of {type_name(type)}; got {value!r:.80}")
    return Property(name, type, value, **descriptor)


def type_name(type: int) -> str:
    """MQ's name for a type."""
    names = {value: each for each, value in mq.named("MQTYPE_").items()}
    return names.get(type, f"MQTYPE {type!r}")


def _type_of(name: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return mq.MQTYPE_INT32 if -(2**31) <= value < 2**31 else mq.MQTYPE_INT64
    kinds: dict[Any, int] = {bool: mq.MQTYPE_BOOLEAN, bytes: mq.MQTYPE_BYTE_STRING, str: mq.MQTYPE_STRING}
    kinds |= {float: mq.MQTYPE_FLOAT64, type(None): mq.MQTYPE_NULL}
    if type(value) not in kinds:
        raise LabError(f"property {name} must be bool, int, float, str, bytes or None; got {type(value).__name__}")
    return kinds[type(value)]


def _is_float(value: float, type: int) -> bool:
    try:
        struct.pack("f" if type == mq.MQTYPE_FLOAT32 else "d", value)
    except (OverflowError, struct.error):
        return False
    return True


def as_properties(values: Any) -> tuple[Property, ...]:
    """The properties of a dict of names and values, or of Property objects; WrongName, or LabError."""
    require("properties", values, Mapping, 'a dict such as {"color": "red"}')
    made: dict[str, Property] = {}
    names = Names()
    for name, value in values.items():
        own = check_name(name)
        names.require_unmixed(own)
        names.add(own)
        made[own] = typed(own, value)
    return tuple(made.values())


class Names:
    """Names of properties, and the groups that these make: a.b.c makes a and a.b."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names: set[str] = set()
        self._groups: dict[str, dict[str, None]] = {}  # by the name of a group, those in it
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Enter a name."""
        self._names.add(name)
        for group in _groups_of(name):
            self._groups.setdefault(group, {})[name] = None

    def remove(self, name: str) -> None:
        """Take a name out."""
        self._names.remove(name)
        for group in _groups_of(name):
            del self._groups[group][name]

    def require_unmixed(self, name: str) -> None:
        """WrongName 2498 where a name would be a group and a value at once, such as a.b beside a.b.c."""
        for other in (*self._groups.get(name, ()), *self._names.intersection(_groups_of(name))):
            said = f"{name!r} beside {other!r}: one would be inside the other"
            raise WrongName(said, mq.MQRC_MIXED_CONTENT_NOT_ALLOWED)


def _groups_of(name: str) -> list[str]:
    return [name[:at] for at, letter in enumerate(name) if letter == "."]


def as_folders(properties: Iterable[Property]) -> tuple[Element, ...]:
    """The folders of a header with these properties: mcd, jms and usr first, then the others as they come."""
    trees: dict[str, dict[str, Any]] = {}
    mixed = []  # beside a property whose name is that of their group
    for property in properties:
        path = property.name.split(".") if "." in property.name else ["usr", property.name]
        tree: Any = trees.setdefault(path[0], {})
        for group in path[1:-1]:
            tree = tree.setdefault(group, {}) if isinstance(tree, dict) else None
        if not isinstance(tree, dict) or isinstance(tree.get(path[-1]), dict):
            mixed.append(property)
        else:
            tree[path[-1]] = property
    order = sorted(trees, key=lambda name: FOLDERS.index(name) if name in FOLDERS[:3] else len(FOLDERS))
    folders = tuple(
        Element(name, "", "", _elements(trees[name]), () if name in FOLDERS else (("content", "properties"),))
        for name in order
    )
    return folders + (as_folders(mixed) if mixed else ())


def _elements(tree: dict[str, Any]) -> tuple[Element, ...]:
    return tuple(
        Element(name, "", "", _elements(each)) if isinstance(each, dict) else _element(name, each)
        for name, each in tree.items()
    )


def _element(name: str, property: Property) -> Element:
    attributes: tuple[tuple[str, str], ...] = ()
    if property.context == mq.MQPD_USER_CONTEXT:
        attributes += (("context", "user"),)
    if property.copy != mq.MQCOPY_DEFAULT:
        words = [word for word, bit in _COPIES.items() if property.copy & bit]
        attributes += (("copy", "all" if property.copy & mq.MQCOPY_ALL else ",".join(words) or "none"),)
    dt = "" if property.name in _DEFAULT_TYPES else _DT[property.type]
    return Element(name, _text(property), dt, attributes=attributes)


def _text(property: Property) -> str | None:
    value = property.value
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
    return value.hex().upper() if isinstance(value, bytes) else None if value is None else str(value)


def holds_properties(folder: Element) -> bool:
    """Whether a folder of a header holds properties."""
    return folder.name in FOLDERS or folder.get("content") == "properties"


def in_folder(folder: Element) -> Iterator[Property]:
    """The properties in a folder."""
    for path, element in _leaves((folder.name,), folder):
        name = ".".join(path)
        dt = element.type or _DEFAULT_TYPES.get(name, "")
        kind, value = mq.MQTYPE_STRING, element.value
        if value is None:
            kind = mq.MQTYPE_NULL
        else:
            with suppress(KeyError, ValueError):
                kind, value = _TYPES[dt], value_of(_TYPES[dt], value)
        copy = element.get("copy")
        words = [word.strip() for word in copy.split(",")]
        bits = mq.MQCOPY_ALL if "all" in words else sum(_COPIES.get(word, 0) for word in set(words))
        context = mq.MQPD_USER_CONTEXT if element.get("context") == "user" else mq.MQPD_NO_CONTEXT
        own = (mq.MQPD_SUPPORT_OPTIONAL, context, bits if copy else mq.MQCOPY_DEFAULT)
        yield Property(own_name(name), kind, value, *own)


def _leaves(path: tuple[str, ...], element: Element) -> Iterator[tuple[tuple[str, ...], Element]]:
    for inside in element.elements:
        if inside.elements:
            yield from _leaves((*path, inside.name), inside)
        else:
            yield (*path, inside.name), inside


def value_of(type: int, text: str) -> Any:
    """The value that text has as this type; ValueError if it has none."""
    plain = text.strip()
    if type == mq.MQTYPE_STRING:
        return text
    if type == mq.MQTYPE_BOOLEAN:
        return _BOOLEANS[plain.lower()] if plain.lower() in _BOOLEANS else _no_value(text)
    if type == mq.MQTYPE_BYTE_STRING:
        return bytes.fromhex(plain)
    if "_" in plain:
        _no_value(text)
    number = int(plain[:40]) if type in _INTEGERS else float(plain)
    try:
        return typed("", number, type).value
    except LabError:
        return _no_value(text)


def _no_value(text: str) -> Any:
    raise ValueError(text)


class Split(NamedTuple):
    """Data that begins with headers, taken apart: the properties in its folders, the data without these folders, and
    what format, encoding and character set that data has."""

    properties: tuple[Property, ...]
    body: bytes
    format: str
    encoding: int
    ccsid: int


def split(body: bytes, format: str, encoding: int, ccsid: int) -> Split:
    """Take apart the MQRFH2 headers that data begins with; RfhError if one of them is wrong.

    A header keeps its folders that hold no properties; without any folder left it goes.
    """
    by_name: dict[str, Property] = {}
    kept: list[Header] = []
    offset, described = 0, (format, encoding, ccsid)
    while described[0] == MQRFH2.FORMAT:
        coded = ccsid if described[2] == mq.MQCCSI_INHERIT else described[2]
        header, offset = MQRFH2.unpack(body, offset, described[1], coded)
        ccsid = ccsid if header.ccsid == mq.MQCCSI_INHERIT else header.ccsid
        for folder in filter(holds_properties, header.folders):
            for each in in_folder(folder):
                by_name.setdefault(each.name, each)
        rest = tuple(folder for folder in header.folders if not holds_properties(folder))
        if rest:
            kept.append(header._replace(folders=rest))
        described = (header.format, header.encoding, ccsid)
    data = body[offset:]
    for header in reversed(kept):
        own = header._replace(format=described[0], encoding=described[1], ccsid=described[2])
        data = MQRFH2.pack(own) + data
        described = (MQRFH2.FORMAT, mq.MQENC_NATIVE, mq.UTF_8)
    return Split(tuple(by_name.values()), data, *described)


def readable(body: bytes, format: str, encoding: int, ccsid: int) -> Split:
    """As `split`, but data with a wrong header is data without properties."""
    if format == MQRFH2.FORMAT:
        try:
            return split(body, format, encoding, ccsid)
        except RfhError:
            pass
    return Split((), body, format, encoding, ccsid)
