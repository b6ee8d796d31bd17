"""How the lines of the topology run: along gaps between rows and lanes between columns, never across a card.

A wire leaves on the right and arrives on the left. Wires of one program share a lane, and wires into one queue share
the last stretch, so that a line which forks or joins always belongs together.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from .grid import Grid
from .outlines import Edge

__all__ = ["LEFT", "PORT", "RIGHT", "Lanes", "Wire", "lanes_of", "plan_wires", "unshared"]

PORT = {"puts": -10, "gets": -10, "backout": 10, "initq": 10}  # where on a card's side, from its middle
Key = tuple[str, str, str]
Point = tuple[float, float]
LEFT, RIGHT = -1, 10_000


class Wire(NamedTuple):
    """One edge as a plan: lane `first`, then perhaps a row gap and lane `second`; keys name the shared stretches.

    `first` and `second` are (gutter, key); `gap` is (row, "above" or "below", key); None where the wire has none.
    `port` is the key of the port of a wire to or from outside; `leftward` wires leave on the left and arrive on the
    right. Gutter c lies left of column c, gutter `columns` right of the last; LEFT and RIGHT lie outside the panel.
    """

    edge: Edge
    first: tuple[int, Key] | None
    gap: tuple[int, str, Key] | None = None
    second: tuple[int, Key] | None = None
    port: str | None = None
    leftward: bool = False


def plan_wires(edges: list[Edge], grid: Grid, port=None) -> list[Wire]:
    """A plan for each edge whose ends are in this grid or are programs beside it, or for those from or to one port."""
    if port is not None:
        return [_plan_port(edge, grid, port.key, port.side == "left") for edge in edges]
    planned = [_plan(edge, grid) for edge in edges]
    forks = Counter((w.gap[:2], _program(w.edge)) for w in planned if w.gap and w.edge.kind in ("puts", "gets"))
    return [_forked(w) if w.gap and forks[w.gap[:2], _program(w.edge)] > 1 else w for w in planned]


def _program(edge: Edge) -> str:
    return edge.source if edge.kind == "puts" else edge.target


def _forked(wire: Wire) -> Wire:
    """The wire with its row gap shared by all that its program has there, in the place of all its queue has."""
    row, side, (_, _, kind) = wire.gap
    return wire._replace(gap=(row, side, ("p", _program(wire.edge), kind)))


def _plan(edge: Edge, grid: Grid) -> Wire:
    source, target, kind = edge
    from_program, to_program, into, out_of = (
        ("p", source, kind),
        ("p", target, kind),
        ("t", target, kind),
        ("s", source, kind),
    )
    if kind == "puts":
        row, column = grid.cells[target]
        if grid.clear(row, 0, column - 1):
            return Wire(edge, (LEFT, from_program))
        return Wire(edge, (LEFT, from_program), (row, "above", into), (column, into))
    if kind == "gets":
        row, column = grid.cells[source]
        if grid.clear(row, column + 1, grid.columns - 1):
            return Wire(edge, (RIGHT, to_program))
        return Wire(edge, (column + 1, out_of), (row, "below", out_of), (RIGHT, to_program))
    (row, column), (to_row, to_column) = grid.cells[source], grid.cells[target]
    if to_column > column and grid.clear(to_row, column + 1, to_column - 1):
        return Wire(edge, None if row == to_row else (column + 1, into))
    if to_column > column and grid.clear(row, column + 1, to_column - 1):
        return Wire(edge, (to_column, into))
    return Wire(edge, (column + 1, into), (to_row, "above", into), (to_column, into))


def _plan_port(edge: Edge, grid: Grid, port: str, left: bool) -> Wire:
    """A wire between a card and a port: along its row where that is clear, else by the gap beside it."""
    outward = edge.source in grid.cells
    id = edge.source if outward else edge.target
    row, column = grid.cells[id]
    at, card = ("q", port, edge.kind), ("s" if outward else "t", id, edge.kind)
    outer, near = (0, column) if left else (grid.columns, column + 1)
    clear = grid.clear(row, 0, column - 1) if left else grid.clear(row, column + 1, grid.columns - 1)
    leftward = outward == left
    if clear:
        return Wire(edge, (outer, at), port=port, leftward=leftward)
    gap = (row, "below" if outward else "above", card)
    lanes = ((near, card), (outer, at)) if outward else ((outer, at), (near, card))
    return Wire(edge, lanes[0], gap, lanes[1], port, leftward)


class Lanes(NamedTuple):
    """The vertical lanes of one gutter: which track each key runs on, and how many tracks there are."""

    track: dict[Key, int]
    tracks: int


def lanes_of(uses: dict[Key, list[tuple[float, float]]]) -> Lanes:
    """Tracks for the lanes of a gutter, so that few lines cross and none lie on each other.

    `uses` gives for each lane the (arriving, leaving) heights of its wires; a lane that never bends needs no track.
    """
    bent = {
        key: ends
        for key, ends in uses.items()
        if any(abs(a - b) > 0.5 for a, b in ends) or len({a for a, _ in ends}) > 1
    }
    spans = {key: (min(min(e) for e in ends), max(max(e) for e in ends)) for key, ends in bent.items()}
    order: list[Key] = []
    for key in sorted(bent, key=lambda k: (spans[k], k)):
        costs = [
            sum(_crossings(bent, spans, o, key) for o in order[:i])
            + sum(_crossings(bent, spans, key, o) for o in order[i:])
            for i in range(len(order) + 1)
        ]
        order.insert(costs.index(min(costs)), key)
    tracks: list[list[tuple[float, float]]] = []
    track: dict[Key, int] = {}
    for key in order:
        low, high = spans[key]
        # a lane may not jump left of one that overlaps it, or the order that was just found would be lost
        floor = max((track[o] + 1 for o in track if spans[o][0] <= high + 8 and spans[o][1] >= low - 8), default=0)
        while len(tracks) <= floor:
            tracks.append([])
        track[key] = floor
        tracks[floor].append((low, high))
    return Lanes(track, len(tracks))


def _crossings(uses: dict, spans: dict, left: Key, right: Key) -> int:
    """How often two lanes cross when `left` stands left of `right`; lines lying on each other count tenfold."""
    (left_low, left_high), (right_low, right_high) = spans[left], spans[right]
    arrivals, leavings = {a for a, _ in uses[right]}, {b for _, b in uses[left]}
    cost = sum(left_low - 1 < y < left_high + 1 for y in arrivals) + sum(
        right_low - 1 < y < right_high + 1 for y in leavings
    )
    return cost + 10 * sum(abs(a - b) < 4 for a in arrivals for b in leavings)


def unshared(points: list[Point], drawn: list[tuple[Point, Point]], overlap: float = 8) -> list[Point]:
    """The corners of a line from its free end to where it meets one of the segments `drawn`, and a little along it.

    Lines of one bundle run together from there on; drawing that stretch once keeps dashes and weights even.
    """
    kept = [points[0]]
    for a, b in pairwise(points):
        meeting = min(
            (p for p in (_meeting(a, b, c, d) for c, d in drawn) if p), key=lambda p: _apart(a, p), default=None
        )
        if meeting and meeting != points[0]:
            rest = [meeting, *points[points.index(b) :]]
            towards = next((p for p in rest if p != meeting), meeting)
            share = min(1.0, overlap / (_apart(meeting, towards) or 1))
            end = (meeting[0] + (towards[0] - meeting[0]) * share, meeting[1] + (towards[1] - meeting[1]) * share)
            return [*kept, *(p for p in (meeting, end) if p != kept[-1])]
        kept.append(b)
    return kept


def _apart(a: Point, b: Point) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _meeting(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    """The first point from a to b that lies on the segment c to d, all level or upright; None when they do not meet."""
    low = (max(min(a[0], b[0]), min(c[0], d[0])), max(min(a[1], b[1]), min(c[1], d[1])))
    high = (min(max(a[0], b[0]), max(c[0], d[0])), min(max(a[1], b[1]), max(c[1], d[1])))
    if low[0] > high[0] or low[1] > high[1]:
        return None
    return min(max(a[0], low[0]), high[0]), min(max(a[1], low[1]), high[1])
