"""How Jupyter shows the model's objects: by a function that a room above registers; without one, as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Class = TypeVar("_Class", bound=type)
_Show = Callable[[object, str, Any, Any], dict[str, str]]
_SHOW: list[_Show] = []
FACES: dict[str, str] = {}
"""Classes, as "room.module.Class" of mqlab, -> the function that shows them, of a room above."""


def shown(cls: _Class) -> _Class:
    """Give a class the methods that Jupyter and IPython ask for."""
    setattr(cls, "_repr_mimebundle_", _bundle)  # noqa: B010 - NamedTuples take no base class
    if issubclass(cls, BaseException | tuple | list):
        setattr(cls, "_repr_pretty_", _pretty)  # noqa: B010
    return cls


def show_by(show: _Show) -> None:
    """Let this function make bundles: `show(thing, face, include, exclude)`."""
    _SHOW[:] = [show]


def _bundle(thing: object, include: object = None, exclude: object = None) -> dict[str, str]:
    for cls in type(thing).__mro__:
        face = FACES.get(f"{cls.__module__.removeprefix('mqlab.')}.{cls.__qualname__}")
        if face and _SHOW:
            return _SHOW[0](thing, face, include, exclude)
    return {"text/plain": str(thing)}


def _pretty(thing: Any, printer: Any, cycle: bool) -> None:
    """The text of it: IPython has a way of its own with exceptions, tuples, and lists, before the bundle's text."""
    printer.text(thing._repr_mimebundle_()["text/plain"])
