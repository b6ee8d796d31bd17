"""The arguments of the library's functions, checked as its module of C checks them before it calls MQ.

`checked` returns the arguments as C has them, or raises TypeError, ValueError, or OverflowError with the sentence that
Python gives to a function of C. An argument that C can pass to MQ, such as an invalid structure, is not
refused here: MQ returns a reason code for it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any


def _number(value: Any, place: int) -> int:
    """A number of 64 bits, cut to 32 as C does."""
    if type(value) is int and -0x80000000 <= value <= 0x7FFFFFFF:
        return value
    return wrapped(as_long(value), 32)


def as_long(value: Any, place: int = 0) -> int:
    """A number of 64 bits; TypeError, OverflowError."""
    found = operator.index(value)
    if not -(2**63) <= found < 2**63:
        raise OverflowError("Python int too large to convert to C long")
    return found


def _bytes(value: Any, place: int) -> bytes:
    if isinstance(value, bytes):
        return value
    name = type(value).__name__
    try:
        memoryview(value)
    except TypeError:
        raise TypeError(f"a bytes-like object is required, not '{name}'") from None
    raise TypeError(f"argument {place} must be read-only bytes-like object, not {name}")


def _name(value: Any, place: int) -> bytes:
    if b"\0" in _bytes(value, place):
        raise ValueError("embedded null byte")
    return bytes(value)


def as_text(value: Any, place: int = 0) -> bytes:
    """Text, or bytes, as bytes; TypeError."""
    return value.encode("utf-8", "ignore") if isinstance(value, str) else _bytes(value, place)


def _optional(value: Any, place: int) -> bytes | None:
    return None if value is None else as_text(value, place)


def _list(value: Any, place: int) -> list[int]:
    if not isinstance(value, list):
        raise TypeError("Arg is not a list")
    return [_number(each, place) for each in value]


def _any(value: Any, place: int) -> Any:
    return value


def _function(value: Any, place: int) -> Any:
    if not callable(value):
        raise TypeError("Need a callable object.")
    return value


_KINDS: dict[str, Callable[[Any, int], Any]] = {
    "i": _number,
    "q": as_long,
    "b": _bytes,
    "n": _name,
    "t": as_text,
    "o": _optional,
    "l": _list,
    "f": _function,
    "a": _any,
}
_IBMMQ = (
    "MQBACK:i MQBEGIN:i MQCB:iibibb MQCBINIT:f MQCLOSE:iii MQCMIT:i MQCONN:t MQCONNX:nooooo MQCRTMH:ib MQCTL:iib "
    "MQDISC:i MQDLTMH:iqb MQDLTMP:iqbb MQGET:iibbi MQINQ:iilliii MQINQMP:iqbbbii MQLOGCF:i|t MQOPEN:ibi MQPUT:iibbb "
    "MQPUT1:ibbbb MQSET:iillb MQSETMP:iqbbbiai MQSTAT:iib MQSUB:ibi MQSUBRQ:iiib"
)
_PYMQE = "MQCONNX:nioa|o MQINQ:iii MQINQMP:iqibiii MQSET:iiia"
"""The functions of pymqi that differ."""
Signature = tuple[Sequence[Callable[[Any, int], Any]], int]


def _signatures(lines: str) -> dict[str, Signature]:
    """Function -> the check of each argument, and how many there must be."""
    found: dict[str, Signature] = {}
    for line in lines.split():
        function, _, kinds = line.partition(":")
        needed = len(kinds.partition("|")[0])
        found[function] = [_KINDS[kind] for kind in kinds.replace("|", "")], needed
    return found


IBMMQ = _signatures(_IBMMQ)
PYMQE = IBMMQ | _signatures(_PYMQE)


def checked(signature: Signature, arguments: tuple) -> list[Any]:
    """The arguments as C has them; TypeError, ValueError, or OverflowError for those that it does not take."""
    checks, needed = signature
    if not needed <= len(arguments) <= len(checks):
        bound = "exactly" if needed == len(checks) else "at least" if len(arguments) < needed else "at most"
        wanted = len(checks) if bound == "at most" else needed
        some = f"{wanted} argument{'' if wanted == 1 else 's'}"
        raise TypeError(f"function takes {bound} {some} ({len(arguments)} given)")
    return [check(value, place) for place, (check, value) in enumerate(zip(checks, arguments, strict=False), 1)]


def wrapped(value: int, bits: int) -> int:
    """Return the signed integer in the lowest `bits` bits of a value."""
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half
