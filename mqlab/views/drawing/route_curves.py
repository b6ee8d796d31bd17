"""The lines between queue managers: one curve each, through a slot of its own in every gap between columns.

In its first gap a channel's slot holds its name and state. Where a gap has labels, every line runs level as far as the
widest of them reaches and bends beside them, so that no label lies on another and no curve on a label.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from .boxes import Box, Point
from .qmgr_layout import spread
from .svg_shapes import line_path, number

LABEL_HEIGHT, LABEL_GAP, PLAIN_SLOT = 32, 8, 14
BEND = 50  # how far a curve runs on each side of its label
CORRIDOR_STEP, CORRIDOR_LINES = 9, 5  # lines between blocks of a column, and how many have room there


class Stop(NamedTuple):
    """One end of a way: its corners from the port outwards, and the column of the block it belongs to."""

    corners: tuple[Point, ...]
    column: int


class Way(NamedTuple):
    """A line to be drawn: its key, its two ends (None for that of a stub), and the width of its label, 0 for none."""

    key: str
    start: Stop
    end: Any
    label: float


class Curve(NamedTuple):
    """A way as drawn: path data, the points it passes, its label, and the middle of its slot."""

    path: str
    points: tuple[Point, ...]
    label: Box | None
    middle: Point


class _Leg(NamedTuple):
    """One way's passage of one gap: heights at its left and right side (None where it does not get there)."""

    way: Way
    gap: int
    left: Any
    right: Any
    width: float


def gap_width(labels: list[float], plain: bool) -> float:
    """How wide a gap between columns is that has labels of these widths."""
    return max(labels) + 2 * BEND if labels else 110 if plain else 40


def curves_of(ways: list[Way], spans: list[tuple[float, float]], clear: list[list[float]], top: float) -> dict:
    """A Curve for each way by its key.

    `spans` are the left and right sides of the columns, `clear` for each column the heights at which a line can pass
    between its blocks, and no label stands above `top`.
    """
    if not ways:
        return {}
    legs = _legs(ways, clear)
    heights = _slots(legs, top)
    middles = [(a[1] + b[0]) / 2 for a, b in pairwise(spans)]
    curves = {}
    wide = [max((leg.width for leg in legs if leg.gap == gap), default=0) for gap in range(len(spans))]
    middles.append(spans[-1][1] + BEND + wide[-1] / 2)
    for way in ways:
        curves[way.key] = _curve(way, [leg for leg in legs if leg.way is way], heights, spans, middles, wide)
    return curves


def _legs(ways: list[Way], clear: list[list[float]]) -> list[_Leg]:
    """Every passage of a gap: next to a way's own column, and between columns where it passes through one."""
    legs: list[_Leg] = []
    used: dict[tuple[int, float], int] = {}
    last = len(clear) - 1
    for way in ways:
        y, a = way.start.corners[-1][1], way.start.column
        if way.end is None or way.end.column == a:
            beside = a - 1 if way.end is not None and a == last > 0 else a
            z = y if way.end is None else way.end.corners[-1][1]
            legs.append(_Leg(way, beside, y, z, way.label))
            continue
        z, b = way.end.corners[-1][1], way.end.column
        step = 1 if b > a else -1
        height = y
        for i, column in enumerate(range(a, b, step)):
            through = column + step
            after = z
            if through != b:
                wanted = (y + z) / 2
                empty = [c for c in clear[through] if used.get((through, c), 0) < CORRIDOR_LINES]
                near = min(empty or clear[through], key=lambda c: (abs(c - wanted), c))
                many = used[through, near] = used.get((through, near), 0) + 1
                after = near + CORRIDOR_STEP * (many // 2) * (-1 if many % 2 else 1)
            left, right = (height, after)[::step]
            legs.append(_Leg(way, min(column, through), left, right, 0 if i else way.label))
            height = after
    return legs


def _slots(legs: list[_Leg], top: float) -> dict[tuple[str, int], float]:
    """The height of each leg's slot in its gap, in the order in which the lines come, none touching another."""
    heights: dict[tuple[str, int], float] = {}
    for gap in sorted({leg.gap for leg in legs}):
        here = [leg for leg in legs if leg.gap == gap]
        if not any(leg.width for leg in here):  # nothing to make room for: each runs straight to where it goes
            heights |= {(leg.way.key, gap): (leg.left + leg.right) / 2 for leg in here}
            continue
        here.sort(key=lambda leg: ((leg.left + leg.right) / 2, leg.left, leg.way.key))
        halves = [(LABEL_HEIGHT + LABEL_GAP if leg.width else PLAIN_SLOT) / 2 for leg in here]
        found = spread([(leg.left + leg.right) / 2 for leg in here], halves, top + halves[0])
        heights |= {(leg.way.key, gap): height for leg, height in zip(here, found, strict=True)}
    return heights


def _bend(a: Point, b: Point) -> str:
    """A curve from a to b that leaves and arrives level."""
    middle = number((a[0] + b[0]) / 2)
    return f"C{middle} {number(a[1])} {middle} {number(b[1])} {number(b[0])} {number(b[1])}"


def _curve(way: Way, legs: list[_Leg], heights: dict, spans: list, middles: list[float], wide: list[float]) -> Curve:
    """One way; `wide` has for each gap the width of its widest label, 0 for none."""
    label = None
    points = [*way.start.corners]
    if way.end is not None and way.end.column == way.start.column:
        return _beside(way, legs[0], heights, spans, middles, wide)
    column = way.start.column
    rightward = way.end is None or way.end.column > column
    at = spans[column][1 if rightward else 0]
    points.append((at, points[-1][1]))
    path = line_path(points)
    for i, leg in enumerate(legs):
        y, x = heights[way.key, leg.gap], middles[leg.gap]
        half = wide[leg.gap] / 2 or 4
        if leg.width:
            label = Box(x - leg.width / 2, y - LABEL_HEIGHT / 2, leg.width, LABEL_HEIGHT)
        near, far = (x - half, x + half) if rightward else (x + half, x - half)
        if way.end is None:
            path += _bend(points[-1], (near, y)) + f"L{number(x - leg.width / 2)} {number(y)}"
            points += [(near, y), (x - leg.width / 2, y)]
            break
        beyond = leg.gap + 1 if rightward else leg.gap
        after = leg.right if rightward else leg.left
        side = spans[beyond][0 if rightward else 1]
        if abs(y - (points[-1][1] + after) / 2) < 0.01 and not wide[leg.gap]:
            path += _bend(points[-1], (side, after))
        else:
            path += _bend(points[-1], (near, y)) + f"L{number(far)} {number(y)}" + _bend((far, y), (side, after))
        points.append((near, y))
        points += [(far, y), (side, after)]
        if i < len(legs) - 1:
            points.append((spans[beyond][1 if rightward else 0], after))
            path += f"L{number(points[-1][0])} {number(after)}"
    if way.end is not None:
        tail = [points[-1], *way.end.corners[::-1]]
        path += "L" + line_path(tail)[1:]
        points += tail[1:]
    first = legs[0].gap
    return Curve(path, tuple(points), label, (middles[first], heights[way.key, first]))


def _beside(way: Way, leg: _Leg, heights: dict, spans: list, middles: list[float], wide: list[float]) -> Curve:
    """A bow between two blocks of one column, which turns at its label, beside all labels of the gap."""
    right = leg.gap == way.start.column
    edge, x = spans[way.start.column][1 if right else 0], middles[leg.gap]
    y, half = heights[way.key, leg.gap], wide[leg.gap] / 2 or 4
    near = x - half if right else x + half
    if not leg.width:  # there may be labels in the middle of the gap
        near = edge + (BEND - 10) * (1 if right else -1)
    (_, a), (_, b) = way.start.corners[-1], way.end.corners[-1]
    turn = (min(leg.width, 16) / 2 or 4) * (1 if a < b else -1)
    head = [*way.start.corners, (edge, a)]
    tail = [(edge, b), *way.end.corners[::-1]]
    into, out = (near, y - turn), (near, y + turn)
    path = line_path(head) + _bend(head[-1], into) + f"L{number(near)} {number(out[1])}" + _bend(out, tail[0])
    path += "L" + line_path(tail)[1:]
    begin = near if right else near - leg.width
    label = Box(begin, y - LABEL_HEIGHT / 2, leg.width, LABEL_HEIGHT) if leg.width else None
    return Curve(path, (*head, into, out, *tail), label, (begin + leg.width / 2 if leg.width else near, y))
