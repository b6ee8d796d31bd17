"""Where everything of one queue manager stands: its queues in a panel, putters on its left and getters on its right.

Lines that go on outside leave and arrive at ports on the panel's sides.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import NamedTuple

from ..text import mono_width, sans_width
from .boxes import (
    CARD_HEIGHT,
    LEFT_OF_NAME,
    NAME,
    PAD,
    PROGRAM_HEIGHT,
    RIGHT_OF_NAME,
    SCREEN,
    SHORT_HEIGHT,
    TITLE,
    Box,
    Panel,
    Point,
    Route,
    moved_points,
)
from .grid import Grid, arrange
from .outlines import NO_MESSAGES, Edge, Outline, Queue
from .routing import LEFT, PORT, RIGHT, Wire, lanes_of, plan_wires

__all__ = ["Port", "Unit", "best_unit", "card_width"]

HEAD, BAND_HEADING, BAND_GAP = 56, 23, 15
ROW_GAP, GAP_LANE, LANE, LANE_SIDE = 12, 6, 8, 14
MARK = 18  # the end of a channel on a panel's border
NARROW = {1: 300, 2: 252, 3: 228}, {1: 190, 2: 190, 3: 190}  # cards of so many columns: alone, among others


class Port(NamedTuple):
    """Where lines leave a panel or come into it: on its `side`, "left" or "right", with the edges that run inside from
    or to it, and the height (from the top of the unit) where it would like to be, None for no wish."""

    key: str
    side: str
    edges: tuple[Edge, ...] = ()
    wish: float | None = None


class Unit(NamedTuple):
    """One queue manager laid out, its left upper corner at 0, 0; `ports` by key, `routes` from card to port at most."""

    width: float
    height: float
    panel: Panel
    queues: dict[str, Box]
    programs: dict[tuple[str, str], Box]
    routes: tuple[Route, ...]
    ports: dict[str, Point]

    def moved(self, dx: float, dy: float) -> Unit:
        """The same unit elsewhere."""
        panel = self.panel
        return Unit(
            self.width,
            self.height,
            Panel(
                panel.name,
                panel.box.moved(dx, dy),
                tuple((t, x + dx, y + dy, room) for t, x, y, room in panel.headings),
            ),
            {id: box.moved(dx, dy) for id, box in self.queues.items()},
            {id: box.moved(dx, dy) for id, box in self.programs.items()},
            tuple(r.moved(dx, dy) for r in self.routes),
            {key: moved_points([point], dx, dy)[0] for key, point in self.ports.items()},
        )


def best_unit(plan: Outline, qmgr: str, ports: tuple[Port, ...] = (), most: int = 7, among: bool = False) -> Unit:
    """The layout of one queue manager, in at most so many columns, whose shape comes nearest to what a screen shows
    well; `among` others its cards are narrow."""
    queues = [q for q in plan.queues if q.qmgr == qmgr]
    cells = {q.id for q in queues}
    programs = {p.id: p.name for p in plan.programs if p.qmgr == qmgr and not p.chltype}
    edges = [e for e in plan.edges if e.source in cells | set(programs) and e.target in cells | set(programs)]
    sides = {p: set() for p in programs}
    for edge in plan.edges:
        for program, side in ((edge.source, "puts"), (edge.target, "gets")):
            if program in programs and edge.kind == side:
                sides[program].add(side)
    users = {(p, side): programs[p] for p in programs for side in sorted(sides[p])}
    most = max(1, min(most, len(queues)))
    tries = [_unit(qmgr, queues, users, edges, ports, columns, among) for columns in range(1, most + 1)]
    return min(tries, key=_cost)


def _cost(unit: Unit) -> float:
    """How much a layout must shrink to fit a screen, and a little for each line that has to go around cards."""
    detours = sum(len(r.points) > 4 and r.edge.kind not in ("puts", "gets") for r in unit.routes)
    return max(unit.width / SCREEN[0], unit.height / SCREEN[1], 1.0) * (1 + 0.04 * detours)


def _unit(
    qmgr: str, queues: list[Queue], users: dict, edges: list[Edge], ports: tuple[Port, ...], columns: int, among: bool
) -> Unit:
    """One queue manager with its programs in so many columns."""
    grid = arrange(queues, edges, columns) if queues else Grid({}, {}, 0, 1)
    wires = plan_wires(edges, grid)
    for port in ports:
        wires += plan_wires(list(port.edges), grid, port)
    rows, headings, bottom = _heights(grid, queues, wires)
    middle = {id: rows[row] + _row_height(grid, queues, row) / 2 for id, (row, _) in grid.cells.items()}
    gaps = _gap_heights(grid, queues, wires, rows)
    ends: dict[tuple[str, str], float] = {}
    for side in ("puts", "gets"):
        ends |= _side_heights(side, users, ports, wires, middle, gaps, (HEAD, bottom))
    bottom = max([bottom, *(ends[p.key, "port"] + MARK / 2 - 6 for p in ports)])
    uses = _lane_uses(wires, middle, gaps, ends)
    lanes = {gutter: lanes_of(uses.get(gutter, {})) for gutter in (LEFT, *range(grid.columns + 1), RIGHT)}
    card = card_width(queues, grid.columns, among)
    widest = max([72 if among else 88, *(mono_width(name, NAME) + 44 for name in users.values())])
    program_width = min(ceil(widest), 210) if users else 0
    putters, getters = (any(s == side for _, s in users) for side in ("puts", "gets"))
    aside = {side: 8 if any(p.side == side for p in ports) else 0 for side in ("left", "right")}
    starts = {LEFT: program_width}
    panel_x = x = program_width + _room(lanes[LEFT].tracks) if putters else 0
    lefts = []
    for gutter in range(grid.columns + 1):
        starts[gutter] = x + (aside["left"] if gutter == 0 else 0)
        inner = 0 < gutter < grid.columns
        x += _room(lanes[gutter].tracks) if inner or lanes[gutter].tracks else PAD
        if lanes[gutter].tracks:
            x += aside["left"] * (gutter == 0) + aside["right"] * (gutter == grid.columns)
        if gutter < grid.columns:
            lefts.append(x)
            x += card
    panel = Box(panel_x, 0, max(x - panel_x, ceil(sans_width(qmgr, TITLE, True)) + 2 * PAD), bottom + PAD)
    starts[RIGHT] = panel.right
    right = panel.right + _room(lanes[RIGHT].tracks) if getters else panel.right
    boxes = {}
    for queue in queues:
        column = grid.cells[queue.id][1]
        height = SHORT_HEIGHT if queue.kind in NO_MESSAGES else CARD_HEIGHT
        boxes[queue.id] = Box(lefts[column], middle[queue.id] - height / 2, card, height)
    stands = {
        (id, side): Box(
            0 if side == "puts" else right, ends[id, side] - PROGRAM_HEIGHT / 2, program_width, PROGRAM_HEIGHT
        )
        for id, side in users
    }
    places = {p.key: (panel.x if p.side == "left" else panel.right, ends[p.key, "port"]) for p in ports}
    lane_x = {(g, key): starts[g] + LANE_SIDE + LANE * track for g in lanes for key, track in lanes[g].track.items()}
    routes = tuple(_route(wire, boxes, stands, places, middle, gaps, ends, lane_x) for wire in wires)
    mark_x = max(panel.x + PAD, lefts[0])
    marks = tuple((text, mark_x, y, panel.right - PAD - mark_x) for text, y in headings)
    height = max([panel.height, *(b.bottom for b in stands.values())])
    width = right + (program_width if getters else 0)
    return Unit(width, height, Panel(qmgr, panel, marks), boxes, stands, routes, places)


def card_width(queues: list[Queue], columns: int, among: bool = False) -> float:
    """Wide enough for most of the names: a few very long ones may be shortened where there are many cards."""
    names = sorted(mono_width(q.name, NAME) for q in queues)
    enough = names[int((len(names) - 1) * (1 if columns < 4 else 0.85))] if names else 0
    return round(
        min(
            max(enough + LEFT_OF_NAME + RIGHT_OF_NAME, NARROW[among].get(columns, 190 if among else 206)),
            300 if columns == 1 else 270,
        )
    )


def _room(tracks: int) -> float:
    """Width of a gutter with so many tracks."""
    return 2 * LANE_SIDE + LANE * max(0, tracks - 1) + (6 if tracks else 2)


def _row_height(grid: Grid, queues: list[Queue], row: int) -> float:
    kinds = [q.kind for q in queues if grid.cells[q.id][0] == row]
    return SHORT_HEIGHT if kinds and all(k in NO_MESSAGES for k in kinds) else CARD_HEIGHT


def _gap_keys(wires: list[Wire], row: int, side: str) -> list:
    return sorted({w.gap[2] for w in wires if w.gap and w.gap[:2] == (row, side)})


def _heights(grid: Grid, queues: list[Queue], wires: list[Wire]) -> tuple[list[float], list[tuple[str, float]], float]:
    """The top of each row, the headings with their baselines, and where the last row ends."""
    rows, headings, y = [], [], float(HEAD)
    for row in range(grid.rows):
        title = grid.headings.get(row)
        if title is not None and row:
            y += BAND_GAP
        if title:
            headings.append((title, y + 13))
            y += BAND_HEADING
        elif row and title is None:
            y += ROW_GAP
        above = len(_gap_keys(wires, row, "above"))
        y += GAP_LANE * above + (2 if above and title else 0)
        rows.append(y)
        y += _row_height(grid, queues, row) + GAP_LANE * len(_gap_keys(wires, row, "below"))
    return rows, headings, y


def _gap_heights(grid: Grid, queues: list[Queue], wires: list[Wire], rows: list[float]) -> dict:
    """The y of every shared stretch in a row gap, by its key."""
    found = {}
    for row in range(grid.rows):
        found |= {key: rows[row] - 7 - GAP_LANE * i for i, key in enumerate(reversed(_gap_keys(wires, row, "above")))}
        bottom = rows[row] + _row_height(grid, queues, row)
        found |= {key: bottom + 7 + GAP_LANE * i for i, key in enumerate(_gap_keys(wires, row, "below"))}
    return found


def _side_heights(
    side: str, users: dict, ports: tuple[Port, ...], wires: list[Wire], middle: dict, gaps: dict, limits: Point
) -> dict:
    """The middle of each program and port on one side: beside what it uses, in order, none touching another."""
    here = "left" if side == "puts" else "right"
    wanted: dict[tuple[str, str], list[float]] = {user: [] for user in users if user[1] == side}
    wanted |= {(p.key, "port"): [] for p in ports if p.side == here}
    wishes = {(p.key, "port"): min(max(p.wish, limits[0]), limits[1]) for p in ports if p.wish is not None}
    for wire in wires:
        kind, inward = wire.edge.kind, wire.edge.target in middle
        if wire.port is not None:
            end = (wire.port, "port")
        else:
            end = (wire.edge.source if kind == "puts" else wire.edge.target, kind)
        if end in wanted:
            card = wire.edge.target if inward and wire.edge.source not in middle else wire.edge.source
            wanted[end].append(gaps[wire.gap[2]] if wire.gap else middle[card] + PORT.get(kind, 0))
    if not wanted:
        return {}
    wanted |= {end: [wish] for end, wish in wishes.items() if end in wanted}
    centre = sum(limits) / 2
    means = {end: sum(ys) / len(ys) if ys else centre for end, ys in wanted.items()}
    order = sorted(wanted, key=lambda end: (means[end], end))
    halves = [(MARK + 4 if what == "port" else PROGRAM_HEIGHT + 12) / 2 for _, what in order]
    steps = [0.0]
    for one, other in pairwise(halves):
        steps.append(steps[-1] + one + other)
    heights = spread([_preferred(wanted[end]) if wanted[end] else centre for end in order], steps)
    if heights:
        top = limits[0] + (PROGRAM_HEIGHT / 2 if order[0][1] != "port" else 0)
        heights[0] += max(0.0, top - heights[0])
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + steps[i] - steps[i - 1])
    return dict(zip(order, heights, strict=True))


def _preferred(ys: list[float]) -> float:
    """The height where one of a program's lines runs straight: the middle one."""
    return sorted(ys)[len(ys) // 2] if len(ys) % 2 else sum(ys) / len(ys)


def spread(wanted: list[float], steps: list[float]) -> list[float]:
    """The heights nearest to those wanted that are in the same order and as far apart as `steps` are."""
    blocks: list[list[float]] = []  # each: sum of offsets wanted, how many
    for step, want in zip(steps, wanted, strict=True):
        blocks.append([want - step, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, size = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += size
    flat = [total / size for total, size in blocks for _ in range(int(size))]
    return [offset + step for offset, step in zip(flat, steps, strict=True)]


def _wire_ends(wire: Wire, middle: dict, ends: dict) -> Point:
    """The heights where a wire begins and where it ends."""
    source, target, kind = wire.edge
    port = PORT.get(kind, 0)
    if wire.port is not None:
        outward = source in middle
        at, card = ends[wire.port, "port"], middle[source if outward else target] + port
        return (card, at) if outward else (at, card)
    out = ends[source, "puts"] if kind == "puts" else middle[source] + (port if kind == "gets" or wire.first else 0)
    into = ends[target, "gets"] if kind == "gets" else middle[target] + (port if kind == "puts" else 0)
    return out, into if wire.first else out


def _lane_uses(wires: list[Wire], middle: dict, gaps: dict, ends: dict) -> dict[int, dict]:
    """For each gutter and lane, the heights at which its wires are on its left and on its right."""
    uses: dict[int, dict] = {}
    for wire in wires:
        out, into = _wire_ends(wire, middle, ends)
        between = gaps[wire.gap[2]] if wire.gap else into
        turn = slice(None, None, -1 if wire.leftward else 1)
        if wire.first:
            uses.setdefault(wire.first[0], {}).setdefault(wire.first[1], []).append((out, between)[turn])
        if wire.second:
            uses.setdefault(wire.second[0], {}).setdefault(wire.second[1], []).append((between, into)[turn])
    return uses


def _route(
    wire: Wire, boxes: dict, stands: dict, places: dict, middle: dict, gaps: dict, ends: dict, lane_x: dict
) -> Route:
    source, target, _ = wire.edge
    if source in boxes:
        start = boxes[source].x if wire.leftward else boxes[source].right
    else:
        start = places[wire.port][0] if wire.port is not None else stands[source, "puts"].right
    if target in boxes:
        end = boxes[target].right if wire.leftward else boxes[target].x
    else:
        end = places[wire.port][0] if wire.port is not None else stands[target, "gets"].x
    out, into = _wire_ends(wire, middle, ends)
    points = [(start, out)]
    y = out
    for lane, height in ((wire.first, gaps[wire.gap[2]] if wire.gap else into), (wire.second, into)):
        if lane and lane in lane_x:
            points += [(lane_x[lane], y), (lane_x[lane], height)]
        if lane:
            y = height
    points.append((end, into))
    corners = tuple(p for i, p in enumerate(points) if i == 0 or p != points[i - 1])
    return Route(wire.edge, corners, towards=-1 if wire.leftward else 1)
