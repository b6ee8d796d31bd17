"""The arguments of public calls, held against their annotations: LabError for a value that does not fit.

`checked` does so for a call, `checked_calls` for those of a class or module, and `require` for one value, which may
have limits beyond its type. Annotations are read at the first call, so that an import pays nothing. The calls of every
put and get are not wrapped: they have tests of their own.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable
from functools import cache, reduce, wraps
from importlib.util import resolve_name
from inspect import Parameter, getsource, isfunction, signature
from pathlib import PurePath
from types import UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import LabError

_Call = TypeVar("_Call", bound=Callable)
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_LIMIT = 2**63


class _Fit(NamedTuple):
    """The types that a value can have: the words of each type, and one test of them all."""

    words: tuple[str, ...]
    test: Callable[[Any], object]

    def __str__(self) -> str:
        return " or ".join(sorted({*self.words}))


def at_least(low: float) -> Callable[[Any], bool]:
    """The test of a number that must be `low` or more."""
    return lambda number: number >= low


def within(low: float, high: float) -> Callable[[Any], bool]:
    """The test of a number that must be from `low` to `high`."""
    return lambda number: low <= number <= high


def require(
    name: str, value: object, annotation: object, words: str = "", fits: Callable[[Any], object] = lambda value: True
) -> None:
    """Refuse a value that is not of the type of an annotation, or does not fit beyond that, unless it is None.

    The LabError calls it `name`, and says that it must be `words`, those of the type if not given.
    """
    types = _fit_of(annotation)
    if not types.test(value) or not (value is None or fits(value)):
        raise _misfit(name, value, words or str(types))


def checked(call: _Call) -> _Call:
    """Wrap a call so that it refuses arguments that do not fit the annotations of its parameters, True as a number, a
    number of more than 64 bits, text that UTF-8 cannot encode, and an impossible file name."""

    @cache
    def parameters() -> tuple[dict[str, _Fit], list[str]]:
        hints = get_type_hints(call, localns=_names_for_types(call))
        named = [each for each in signature(call).parameters.values() if not each.kind.name.startswith("VAR_")]
        in_order = [each.name for each in named if each.kind is not Parameter.KEYWORD_ONLY]
        return {each.name: _fit_of(hints.get(each.name, Any)) for each in named}, in_order

    @wraps(call)
    def held(*args: object, **keywords: object) -> object:
        types, in_order = parameters()
        for name, value in zip(in_order, args, strict=False):
            if not types[name].test(value):
                raise _misfit(name, value, str(types[name]))
        for name, value in keywords.items():
            if name in types and not types[name].test(value):
                raise _misfit(name, value, str(types[name]))
        return call(*args, **keywords)

    return held  # type: ignore[return-value] # it takes what the call takes


def checked_calls(owner: object, but: tuple[str, ...] = (), inside: Callable = lambda call: call) -> None:
    """Let the public functions of a class, or of the module of this name, be `checked`, except those named in `but`;
    `inside` makes of each what is checked."""
    home = owner if isinstance(owner, str) else owner.__module__
    owner = sys.modules[owner] if isinstance(owner, str) else owner
    for name, value in list(vars(owner).items()):
        if isfunction(value) and name[0] != "_" and name not in but and value.__module__.startswith(home):
            setattr(owner, name, checked(inside(value)))


def _misfit(name: str, value: object, wanted: str) -> LabError:
    return LabError(f"{name} must be {wanted}; got {value!r:.200}")


_ANY = _Fit((), lambda value: True)


@cache
def _fit_of(annotation: object, is_file: bool = False) -> _Fit:
    """The values that an annotation accepts."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        is_file = any(isinstance(part, type) and issubclass(part, PurePath) for part in parts)
        types = [_fit_of(part, is_file) for part in parts]
        return _ANY if _ANY in types else reduce(_either, types)
    kind = type(None) if annotation is None else origin or annotation
    if not isinstance(kind, type) or kind in (Any, object) or getattr(kind, "_is_protocol", False):
        return _ANY
    test = kind.has if isinstance(kind, _Late) else _TESTS.get(kind) or (lambda value: _is_a(value, kind))
    if kind is str and is_file:  # the name of a file has no zero byte
        test = lambda value: _is_text(value) and "\0" not in value  # noqa: E731
    return _Fit((_WORDS.get(kind, kind.__name__),), test)


def _either(fit: _Fit, other: _Fit) -> _Fit:
    first, second = fit.test, other.test
    return _Fit(fit.words + other.words, lambda value: first(value) or second(value))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not _NOT_UTF8.search(value)


def _is_a(value: object, kind: type) -> bool:
    """Whether a value is of a type; a text is no sequence, because nobody means its letters."""
    # a remote client of a library may have a class of the same name that is no subclass, and that fits too
    if isinstance(value, kind):
        return kind.__module__ != "collections.abc" or not isinstance(value, str | bytes)
    home = kind.__module__.partition(".")[0]
    return home not in ("builtins", "mqlab") and any(
        each.__name__ == kind.__name__ and each.__module__.partition(".")[0] == home for each in type(value).__mro__
    )


_TESTS: dict[type, Callable[[Any], bool]] = {
    str: _is_text,
    int: lambda value: type(value) is int and -_LIMIT < value < _LIMIT,
    float: lambda value: type(value) in (int, float) and -_LIMIT < value < _LIMIT,
    bool: lambda value: type(value) is bool,
    type(None): lambda value: value is None,
}
_WORDS: dict[Any, str] = {
    str: "text that UTF-8 can hold",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    type(None): "None",
    Callable: "a function",
}


def _names_for_types(call: Callable) -> dict[str, Any]:
    """The names in the annotations of a call that its module imports for types only."""
    module = sys.modules[call.__module__]
    texts = [text for text in call.__annotations__.values() if isinstance(text, str)]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text, mode="eval"))]
    names = {node.id: None for node in nodes if isinstance(node, ast.Name)}
    missing = [name for name in names if name not in vars(module) and not hasattr(builtins, name)]
    imports = _imports_for_types(module.__name__) if missing else {}
    # a copy of compiled modules, as in a web page, has no sources to read: there such a value may be anything
    return {name: _late(*imports[name]) if imports else Any for name in missing}


@cache
def _imports_for_types(module: str) -> dict[str, tuple[str, ...]]:
    """The names that a module imports under TYPE_CHECKING -> where each is from; none if it has no source."""
    imports: dict[str, tuple[str, ...]] = {}
    try:
        source = getsource(sys.modules[module])
    except OSError:
        return imports
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for line in node.body:
                if isinstance(line, ast.ImportFrom):
                    home = resolve_name("." * line.level + (line.module or ""), sys.modules[module].__package__)
                    imports |= {each.asname or each.name: (home, each.name) for each in line.names}
                elif isinstance(line, ast.Import):
                    imports |= {each.asname or each.name: (each.name,) for each in line.names}
    return imports


class _Late(type):
    """Stands for a class that a module imports for types only; nothing is one while that module is not loaded."""

    home: str
    path: tuple[str, ...]

    def __getattr__(cls, name: str) -> _Late:
        if name[0] == "_":
            raise AttributeError(name)
        return _late(cls.home, *cls.path, name)

    def __getitem__(cls, parameters: object) -> _Late:
        return cls

    def has(cls, value: object) -> bool:
        """Whether a value is of this class."""
        target: Any = sys.modules.get(cls.home)
        for name in cls.path:
            target = getattr(target, name, None)
        return isinstance(target, type) and (getattr(target, "_is_protocol", False) or _is_a(value, target))


def _late(home: str, *path: str) -> _Late:
    return _Late((path or (home,))[-1], (), {"home": home, "path": path})
