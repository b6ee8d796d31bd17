"""The code of a function as a short text, the same in each process, so that a later run can tell if it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any


def signature(function: Callable) -> str:
    """The code of a function as a short text, with its defaults, what it encloses, the objects that it belongs to, and
    the constants and functions of its module that it names: two with the same are equal."""
    return sha256(_told(function, {}).encode()).hexdigest()[:16]


def _told(value: Any, seen: dict[int, Any]) -> str:  # text: Python's
    """A text of what a value does, the same in each process: no addresses, and no order of a set."""
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return repr(value)
    if id(value) in seen:
        return f"again {type(value).__qualname__}"
    seen[id(value)] = value  # a temporary value's place would be taken by another

    def several(values: Iterable) -> list[str]:
        return [_told(each, seen) for each in values]

    if isinstance(value, CodeType):  # without the names of files and the numbers of lines
        return f"({', '.join(several((value.co_code, value.co_names, value.co_consts)))})"
    if isinstance(value, tuple | list):
        return f"[{', '.join(several(value))}]"
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(several(value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {each}' for name, each in zip(value, several(value.values()), strict=True))}}}"
    if isinstance(value, partial):
        return _told([value.func, value.args, value.keywords], seen)
    if isinstance(value, MethodType):
        return _told([value.__func__, value.__self__], seen)
    if isinstance(value, FunctionType):
        enclosed = [cell.cell_contents for cell in value.__closure__ or ()]
        return _told([value.__code__, value.__defaults__, value.__kwdefaults__, enclosed, _named(value)], seen)
    if isinstance(value, type | ModuleType):
        return f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', value.__name__)}"
    text = repr(value)
    return f"{type(value).__qualname__ if ' at 0x' in text else text} {_told(getattr(value, '__dict__', {}), seen)}"


def _named(function: FunctionType) -> dict[str, Any]:
    """The constants and functions of its module that a function, or one within it, names."""
    codes, names = [function.__code__], set[str]()
    for code in codes:
        names.update(code.co_names)
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    there = {name: function.__globals__[name] for name in sorted(names) if name in function.__globals__}
    plain = bool | int | float | str | bytes | tuple | list | dict | set | frozenset
    return {
        name: value
        for name, value in there.items()
        if isinstance(value, plain) or (isinstance(value, FunctionType) and value.__module__ == function.__module__)
    }
