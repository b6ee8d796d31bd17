"""The calls about message handles and properties: MQCRTMH, MQDLTMH, MQSETMP, MQINQMP, and MQDLTMP.

The values of properties are objects of Python here, as in the library; names and text are UTF-8. pymqi gives the
options of an inquiry as a number. A value is not converted to another character set or encoding.
"""

from __future__ import annotations

from itertools import count
from typing import Any

from ..engine.words import constants as mq
from ..engine.words.errors import MQError
from ..properties.messages import MessageHandle, require_handle
from ..properties.property import bytes_of
from . import verbs
from .arguments import as_long, wrapped
from .session import Connection
from .structures import MQCMHO, MQDMHO, MQDMPO, MQIMPO, MQPD, MQSMPO
from .verbs import OK, verb

_numbers = count(1)
_WHOLE = {mq.MQTYPE_INT8: 8, mq.MQTYPE_INT16: 16, mq.MQTYPE_INT32: 32, mq.MQTYPE_INT64: 64}
_REAL = (mq.MQTYPE_BOOLEAN, mq.MQTYPE_FLOAT32, mq.MQTYPE_FLOAT64)


@verb("MQCRTMH", "open", lambda cmho: (mq.MQHM_UNUSABLE_HMSG,))
def crtmh(connection: Connection, cmho: bytes) -> tuple:
    """MQCRTMH: create a message handle."""
    options = MQCMHO.read(cmho)["Options"]
    if options not in (mq.MQCMHO_DEFAULT_VALIDATION, mq.MQCMHO_NO_VALIDATION, mq.MQCMHO_VALIDATE):
        _refuse_options(connection, "open", "MQCMHO", options, "MQCMHO_VALIDATE, or MQCMHO_NO_VALIDATION")
    handle = connection.application.message_handle(options != mq.MQCMHO_NO_VALIDATION)
    number = next(_numbers)
    connection.more.setdefault("messages", {})[number] = handle
    return number, *OK


def _refuse_options(connection: Connection, call: str, kind: str, options: int, allowed: str) -> None:
    fields = {"kind": kind, "options": f"{options:#x}", "allowed": allowed}
    connection.application.refuse(mq.MQRC_OPTIONS_ERROR, "handle-options", None, call, **fields)


@verb("MQDLTMH", "close")
def dltmh(connection: Connection, number: int, dmho: bytes) -> tuple:
    """MQDLTMH: delete a message handle."""
    handle = _handle(connection, number, "close")
    if options := MQDMHO.read(dmho)["Options"]:
        _refuse_options(connection, "close", "MQDMHO", options, "MQDMHO_NONE")
    handle.close()
    del connection.more["messages"][number]
    return OK


@verb("MQSETMP", "set")
def setmp(
    connection: Connection, number: int, smpo: bytes, name: bytes, pd: bytes, sort: int, value: Any, length: int
) -> tuple:
    """MQSETMP: set a property of a message handle."""
    handle = _handle(connection, number, "set")
    about, options = MQPD.read(pd), MQSMPO.read(smpo)["Options"]
    descriptor = {"support": about["Support"], "context": about["Context"], "copy": about["CopyOptions"]}
    if sort in _WHOLE and (stored := wrapped(value, _WHOLE[sort])) != value:
        told = f"{value} does not fit in {_WHOLE[sort]} bits, and the library stores {stored}"
        connection.session.note(f"property {_text(name)}: {told}")
        value = stored
    handle.set(_text(name), _value(sort, value, length), sort, options=options, **descriptor)
    return OK


def set_checked(connection: int, handle: int, smpo: bytes, name: bytes, pd: bytes, sort: int, *value: Any) -> tuple:
    """MQSETMP, after the check of the value as the library's module of C makes it; TypeError, OverflowError."""
    found, length = value
    if sort in _WHOLE:
        found = as_long(found)
    elif sort in _REAL and not hasattr(found, "__float__") and not hasattr(found, "__index__"):
        raise TypeError(f"must be real number, not {type(found).__name__}")
    elif sort == mq.MQTYPE_STRING and not isinstance(found, str):
        raise TypeError("bad argument type for built-in operation")
    elif sort == mq.MQTYPE_BYTE_STRING and not isinstance(found, bytes):
        raise TypeError(f"expected bytes, {type(found).__name__} found")
    return verbs.call("MQSETMP", connection, handle, smpo, name, pd, sort, found, length)


@verb("MQINQMP", "inquire", lambda *given: (None, 0, None))
def inqmp(
    connection: Connection, number: int, impo: bytes | int, name: bytes, pd: bytes | int, sort: int, longest: int
) -> tuple:
    """MQINQMP: a property of a message handle: its value, the length of it, and its name if a wildcard was given."""
    handle = _handle(connection, number, "inquire")
    options = impo if isinstance(impo, int) else MQIMPO.read(impo)["Options"]
    if not isinstance(pd, int):
        MQPD.read(pd)
    ended = OK
    try:
        found = handle.inquire(_text(name), options, sort, longest)
    except MQError as error:
        if error.reason != mq.MQRC_PROPERTY_VALUE_TOO_BIG:
            raise
        found, ended = error.message, (error.comp, error.reason)
    value = None if options & mq.MQIMPO_QUERY_LENGTH else found.value
    if isinstance(value, bool):
        value = int(value)
    elif isinstance(value, bytes):
        value = value[:longest]
    elif isinstance(value, str):
        value = bytes_of(value)[:longest].decode("utf-8", "ignore")
    return value, found.length, found.name if b"%" in name else None, *ended


@verb("MQDLTMP", "set")
def dltmp(connection: Connection, number: int, dmpo: bytes, name: bytes) -> tuple:
    """MQDLTMP: delete a property of a message handle."""
    handle = _handle(connection, number, "set")
    handle.delete(_text(name), MQDMPO.read(dmpo)["Options"])
    return OK


def _handle(connection: Connection, number: int, call: str) -> MessageHandle:
    """The message handle with this number; 2460 if there is none."""
    handle: MessageHandle = connection.more.get("messages", {}).get(number, number)
    require_handle(connection.application, handle, None, call, "the message handle")
    return handle


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace").rstrip("\0")


def _value(sort: int, value: Any, length: int) -> Any:
    """The value of a property as the library means it."""
    # numbers and booleans of any kind, text up to a zero or of this many bytes
    if sort == mq.MQTYPE_BOOLEAN:
        return bool(value)
    if sort in (mq.MQTYPE_FLOAT32, mq.MQTYPE_FLOAT64):
        return float(value)
    if sort == mq.MQTYPE_STRING:
        raw = value.encode("utf-8", "ignore")
        return (raw.partition(b"\0")[0] if length < 0 else raw[:length]).decode("utf-8", "ignore")
    if sort == mq.MQTYPE_BYTE_STRING:
        return value if length < 0 else value[:length]
    return None if sort == mq.MQTYPE_NULL else value
