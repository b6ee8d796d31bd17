"""How each state and each mark of the lifecycle chart looks: no two alike, not even without colour."""

from __future__ import annotations

from typing import NamedTuple

from ..theme import LIGHT

__all__ = ["BARS", "LEGEND_WORDS", "SIGNS", "Look", "Shape"]


class Look(NamedTuple):
    """A state's bar: its fill and outline, share of the row's height, dash of the outline, and the texture over it.

    `texture` is a path between -1 and 1, drawn in `ink` every `every` pixels, "" for none.
    """

    fill: str
    line: str
    height: float
    dash: tuple[int, int]
    texture: str = ""
    ink: str = ""
    every: int = 0


class Shape(NamedTuple):
    """A mark's sign: a shape of Vega's or a path between -1 and 1, its colour, and whether it is filled."""

    shape: str
    colour: str
    filled: bool


_SOLID, _DASHED, _DOTTED = (1, 0), (3, 2), (1, 2)
BARS = {
    "not committed": Look(
        LIGHT.uncommitted_ground, LIGHT.uncommitted_line, 0.36, _DASHED, "M-.2,0H.2", LIGHT.uncommitted_line, 7
    ),
    "on the queue": Look(LIGHT.live, LIGHT.live, 0.62, _SOLID),
    "on a transmission queue": Look(LIGHT.level, LIGHT.live, 0.62, _SOLID, "M-.4,-.8L.4,0L-.4,.8", LIGHT.live, 9),
    "in flight": Look(LIGHT.panel, LIGHT.structure, 0.32, _DOTTED, "M-.9,0H.9M.3,-.6L.9,0L.3,.6", LIGHT.structure, 14),
    "locked": Look(LIGHT.level, LIGHT.live, 0.62, _SOLID, "M0,-1V1", LIGHT.live, 5),
    "on a dead-letter queue": Look(
        LIGHT.panel, LIGHT.alarm, 0.62, _SOLID, "M-.6,-.6L.6,.6M-.6,.6L.6,-.6", LIGHT.alarm, 11
    ),
    "lapsed, still counted": Look(LIGHT.lapsed_ground, LIGHT.lapsed, 0.62, _SOLID, "M-.5,1L.5,-1", LIGHT.lapsed, 6),
    "got, not committed": Look(LIGHT.held, LIGHT.gets, 0.26, _SOLID, "M-.9,0H.9", LIGHT.gets, 10),
}
_CROSS = "M-1 -.45L-.45 -1L0 -.55L.45 -1L1 -.45L.55 0L1 .45L.45 1L0 .55L-.45 1L-1 .45L-.55 0Z"
SIGNS = {
    "got": Shape("circle", LIGHT.gets, True),
    "discarded": Shape(_CROSS, LIGHT.lapsed, True),
    "rejected": Shape(_CROSS, LIGHT.ink, False),
    "lost": Shape("diamond", LIGHT.alarm, True),
    "cleared": Shape("square", LIGHT.ink, True),
    "backed out": Shape("square", LIGHT.uncommitted_line, False),
    "still there": Shape("triangle-right", LIGHT.ink, False),
    "moved on": Shape("triangle-right", LIGHT.gets, True),
    "returned by backout": Shape("triangle-left", LIGHT.uncommitted_line, True),
    "report": Shape("triangle-up", LIGHT.ink, True),
    "report sent": Shape("triangle-up", LIGHT.ink, False),
}
LEGEND_WORDS = {
    "discarded": "discarded: it had expired",
    "rejected": "rejected: undeliverable, discarded",
    "backed out": "its put was backed out",
    "report": "a report message",
}
