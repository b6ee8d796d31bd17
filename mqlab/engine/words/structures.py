"""MQ's own structures, under its own field names: descriptors, and options of calls."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar

from . import constants as mq
from . import layouts
from .errors import LabError
from .shown import shown

if TYPE_CHECKING:
    from typing import Self


_set = object.__setattr__


@shown
class Structure:
    """A structure of the MQI: its fields are attributes, and no others can be set.

    `FIELDS` maps each name to its initial value and its size: bytes or characters, None for a number of 32 bits, 0 for
    an object of the lab. Text may be given as bytes; blanks and zeros at its end are not part of it. Identifiers are
    filled up with zeros. LabError for an unknown field or a value that does not fit.
    """

    __slots__ = ()
    FIELDS: ClassVar[dict[str, tuple[Any, int | None]]] = {}

    if TYPE_CHECKING:  # its fields are made of FIELDS

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, **values: object):
        for name, (initial, _) in self.FIELDS.items():
            _set(self, name, initial)
        for name, value in values.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.FIELDS:
            near = get_close_matches(name, self.FIELDS, 1, 0.4)
            hint = f"did you mean {near[0]}?" if near else f"fields: {', '.join(self.FIELDS)}"
            raise LabError(f"{type(self).__name__} has no field {name!r}; {hint}")
        _set(self, name, _fitted(f"{type(self).__name__}.{name}", value, *self.FIELDS[name]))

    def fill(self, **values: object) -> Self:
        """Set fields to values that fit, as the queue manager's own do; without a check, and itself again."""
        for name, value in values.items():
            _set(self, name, value)
        return self

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.FIELDS)

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Self:
        """Another structure with the same values."""
        return type(self)(**{name: getattr(self, name) for name in self.FIELDS})

    def __repr__(self) -> str:
        changed = (
            f"{name}={getattr(self, name)!r}"
            for name, (initial, _) in self.FIELDS.items()
            if getattr(self, name) != initial
        )
        return f"{type(self).__name__}({', '.join(changed)})"


class MD(Structure):
    """The message descriptor, MQMD: the properties of a message, set by a put and returned by a get.

    Version is 2 at first, as in IBM's own Python library (the C macro says 1); with 1 the last five fields are not
    looked at. Expiry is in tenths of a second, PutDate (YYYYMMDD) and PutTime (HHMMSSTH) are UTC. Both calls write
    into it, so that one used again still holds the identifiers of the last message.

    >>> MD(Expiry=50, CorrelId=b"A").Priority
    -1
    """

    FIELDS = layouts.MQMD.initial_values()
    __slots__ = tuple(FIELDS)


class GMO(Structure):
    """The options of a get, MQGMO: WaitInterval is in milliseconds, -1 forever.

    Version is 4 at first, as in IBM's own Python library; with 1 MatchOptions is not looked at and MsgId and CorrelId
    always select. The fields from ResolvedQName on, MatchOptions excepted, are what the call answers; GroupStatus is
    "G" or "L" for a message in a group, SegmentStatus "S" or "L" for a segment, else a blank. MsgHandle is the message
    handle that the properties of the message are returned in.
    """

    FIELDS = layouts.MQGMO.initial_values()
    __slots__ = tuple(FIELDS)


class PMO(Structure):
    """The options of a put, MQPMO. Context is the handle whose saved context is passed on; OriginalMsgHandle and
    NewMsgHandle are message handles with the properties of the message."""

    FIELDS = layouts.MQPMO.initial_values()
    __slots__ = tuple(FIELDS)


def _fitted(what: str, value: object, initial: object, size: int | None) -> object:
    """The value as the field keeps it; LabError if it does not fit."""
    if size == 0:
        return value
    if size is None:
        if type(value) is not int or not -(2**31) <= value < 2**31:
            raise LabError(f"{what} must be a whole number of 32 bits; got {value!r}")
        return value
    if not isinstance(value, (bytes, str)):
        raise LabError(f"{what} must be bytes or str of up to {size}; got {type(value).__name__}")
    try:
        raw = value if isinstance(value, bytes) else value.encode()
        kept = raw.ljust(size, b"\0") if isinstance(initial, bytes) else raw.decode()
    except UnicodeError:
        raise LabError(f"{what} must be text that UTF-8 can encode; got {value!r}") from None
    if isinstance(kept, str) and size > 1:
        kept = kept.rstrip(" \0")
    if len(kept) > size:
        raise LabError(f"{what} must have at most {size} bytes or characters; got {len(kept)}")
    return kept


def as_body(body: object) -> bytes:
    """The data as bytes: bytes as they are, str as UTF-8; LabError for anything else."""
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    if isinstance(body, str):
        return encoded(body, "body")
    raise LabError(
        f"body must be bytes or str; got {type(body).__name__}. Encode it first, for instance with json.dumps"
    )


def encoded(text: str, what: str) -> bytes:
    """Text as UTF-8; raises LabError if it cannot be encoded."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise LabError(f"{what} must be text that UTF-8 can encode; got {text!r:.200} ({error.reason})") from None


def as_identifier(value: object, what: str) -> bytes | None:
    """A MsgId or CorrelId as 24 bytes, padded with zeros; None for none; LabError if too long or not bytes or str.

    >>> as_identifier("A", "correl_id")[:3]
    b'A\\x00\\x00'
    """
    if type(value) is bytes and len(value) == 24:  # as the queue manager's own are
        return None if value == mq.MQCI_NONE else value
    if value is None:
        return None
    if not isinstance(value, (bytes, str)):
        raise LabError(f"{what} must be bytes or str of up to 24 bytes; got {type(value).__name__}")
    raw = encoded(value, what) if isinstance(value, str) else value
    if len(raw) > 24:
        raise LabError(f"{what} must have at most 24 bytes; got {len(raw)}. Shorten it or use a hash of it")
    raw = raw.ljust(24, b"\0")
    return None if raw == mq.MQCI_NONE else raw
