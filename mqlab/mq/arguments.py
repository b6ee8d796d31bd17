"""The arguments of public calls, held against their annotations: LabError for a value of a type that none names."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, formatannotation, isfunction, signature
from typing import Any

from .errors import LabError

_ABSTRACT: dict[str, Any] = {"Callable": Callable, "Iterable": Iterable, "Mapping": Mapping, "Sequence": Sequence}
_WORDS = {"str": "text that UTF-8 can hold", "int": "a whole number", "float": "a number", "Callable": "a function"}
_OPEN = {"_empty", "Any", "object", "At", "Measures"}  # the call itself checks these
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_LIMIT = 2**63


def checked(call: Any) -> Any:
    """Wrap a call so that it refuses arguments that do not fit the annotations of its parameters, True as a number, a
    number of more than 64 bits, text that UTF-8 cannot encode, and an impossible file name."""
    parameters = signature(call).parameters
    types = {name: found for name, each in parameters.items() if not (found := _types(each)) & _OPEN}
    if not types:
        return call
    places = [name for name, each in parameters.items() if each.kind.name.startswith("POSITIONAL")]

    @wraps(call)
    def held(*args: Any, **given: Any) -> Any:
        for name, value in (*zip(places, args, strict=False), *given.items()):
            if name in types and not any(_fits(value, each, types[name]) for each in types[name]):
                words = " or ".join(sorted(_WORDS.get(each, each) for each in types[name]))
                raise LabError(f"{name} must be {words}; got {value!r:.200}")
        return call(*args, **given)

    return held


def checked_calls(owner: Any, but: tuple[str, ...] = (), inside: Callable = lambda call: call) -> None:
    """Let the public functions of a class, or of the module of this name, be `checked`, except those named in `but`;
    `inside` makes of each what is checked."""
    home = owner if isinstance(owner, str) else owner.__module__
    owner = sys.modules[owner] if isinstance(owner, str) else owner
    for name, value in list(vars(owner).items()):
        if isfunction(value) and name[0] != "_" and name not in but and value.__module__.startswith(home):
            setattr(owner, name, checked(inside(value)))


def _types(parameter: Parameter) -> set[str]:
    """The names of the types in an annotation, without what is in brackets or before a point."""
    text = "Any" if parameter.kind.name.startswith("VAR_") else formatannotation(parameter.annotation)
    while "[" in text:
        text = re.sub(r"\[[^][]*\]", "", text)
    return {each.strip("<> '").split(".")[-1] for each in text.split("|")}


def _fits(value: Any, name: str, beside: set[str]) -> bool:
    if name in ("int", "float"):
        return type(value) in ({int} if name == "int" else {int, float}) and -_LIMIT < value < _LIMIT
    if name == "str":
        return isinstance(value, str) and not _NOT_UTF8.search(value) and not ("Path" in beside and "\0" in value)
    if name in _ABSTRACT:
        return isinstance(value, _ABSTRACT[name]) and not isinstance(value, str | bytes)  # whose letters nobody means
    return value is None if name == "None" else any(each.__name__ == name for each in type(value).__mro__)
