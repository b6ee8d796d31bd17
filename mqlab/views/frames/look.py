"""The look that people give a picture: their own places, frames around queue managers, colors, and remarks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.words.arguments import require
from ...engine.words.errors import LabError
from ..text import lines_within
from ..theme import OKABE_ITO, Palette

if TYPE_CHECKING:
    from networkx import MultiDiGraph

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_NOTE = (150, 11.5, 5)  # a remark: pixels wide, size of its text, most lines


def keys_by_name(graph: MultiDiGraph) -> dict[str, list[str]]:
    """The keys of the objects of a topology by their keys and names; a name that is a key means this alone."""
    keys = {key: [key] for key in graph}
    for key, name in graph.nodes(data="name"):
        if name not in graph:
            keys.setdefault(name, []).append(key)
    return keys


class Look(NamedTuple):
    """The look of a picture as people write it (`lab_picture`); `checked` has keys of `lab.topology()` for names."""

    positions: Mapping[str, Any] | None = None
    groups: Mapping[str, Iterable[str]] | None = None
    colors: Mapping[str, str] | None = None
    notes: Mapping[str, str] | None = None

    def checked(self, graph: MultiDiGraph) -> dict[str, Any]:
        """The look of a topology as JSON values: y grows downwards in `positions`, a remark is a list of lines.

        LabError for a name that the lab does not have, and for a value that cannot be drawn.
        """
        for field, values in self._asdict().items():
            require(field, values, Mapping | None, 'a dict by names of the lab, such as {"HUB": ...}')
        keys = keys_by_name(graph)
        managers = [name for name, data in graph.nodes(data=True) if data["kind"] == "qmgr"]

        def every(words: str, values: Any, value_of: Callable[[str, Any], Any], more: Iterable[str] = ()) -> dict:
            names = keys | {name: [f"site:{name}"] for name in more}
            if unknown := [name for name in values or () if name not in names]:
                there = ", ".join([*more, *managers, *(n for n in keys if n not in managers)][:12])
                raise LabError(f"{words} must name queue managers or objects of the lab ({there}); got {unknown[0]!r}")
            return {key: value_of(name, value) for name, value in (values or {}).items() for key in names[name]}

        frames: dict[str, str] = {}
        for site, members in (self.groups or {}).items():
            if isinstance(members, str) or not (listed := [*members]):
                such = f'{{"Vienna": ["{managers[0]}"]}}'
                raise LabError(f"groups must be a dict of lists, such as {such}; got {members!r}")
            if wrong := [name for name in listed if name not in managers or name in frames]:
                why = "is in two groups" if wrong[0] in frames else "is no queue manager of the lab"
                raise LabError(f"groups must hold each of {', '.join(managers)} once at most; {wrong[0]!r} {why}")
            frames |= dict.fromkeys(listed, str(site))
        return {
            "positions": every("positions", self.positions, _position),
            "sites": frames,
            "colors": every("colors", self.colors, _color, self.groups or {}),
            "notes": every("notes", self.notes, _lines),
        }


def _position(name: str, value: Any) -> list[float]:
    """A place as JSON, with y downwards."""
    try:
        x, y = map(float, value)
    except (TypeError, ValueError):
        x = y = float("nan")
    if not (isfinite(x) and isfinite(y)):
        raise LabError(f"positions must be two numbers each, such as (0, 1.5); got {value!r} for {name}")
    return [x, -y]


def _color(name: str, value: Any) -> str:
    """A color as a picture takes it."""
    if value in OKABE_ITO:
        return OKABE_ITO[value]
    if value not in Palette._fields and not (isinstance(value, str) and _HEX.fullmatch(value)):
        known = ", ".join([*OKABE_ITO, *Palette._fields])
        raise LabError(f'colors must be "#rrggbb" or one of {known}; got {value!r} for {name}')
    return value


def _lines(name: str, value: Any) -> list[str]:
    """A remark as lines."""
    if not isinstance(value, str) or not value.strip():
        raise LabError(f"notes must be a few words each; got {value!r} for {name}")
    return lines_within(value, *_NOTE)
