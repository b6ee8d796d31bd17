"""Where everything of a topology stands, in pixels; computed from the outline alone, so nothing moves between steps."""

from __future__ import annotations

from typing import NamedTuple

from .frames import NO_MESSAGES, Edge, Outline, Program, Queue
from .grid import Grid, arrange
from .routing import LEFT, PORT, RIGHT, Wire, lanes_of, plan_wires
from .text import mono_width, sans_width

__all__ = ["Box", "Layout", "Panel", "Route", "lay_out"]

NAME, SMALL, HEADING, TITLE = 12.5, 11, 11, 17  # font sizes
CARD_HEIGHT, SHORT_HEIGHT, PROGRAM_HEIGHT = 56, 40, 34
PAD, MARGIN = 20, 20
HEAD, BAND_HEADING, BAND_GAP = 56, 23, 15
ROW_GAP, GAP_LANE, LANE, LANE_SIDE = 12, 6, 8, 14
LEFT_OF_NAME, RIGHT_OF_NAME = 36, 12
PICTURE_HEAD = 66
NARROWEST = 620
ROOM_BETWEEN = 84  # between queue managers whose channels talk
SCREEN = (1150, 1000)  # what a notebook or a slide shows well: the shape to come near to


class Box(NamedTuple):
    """A rectangle: left, top, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the lower side."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The y of the middle."""
        return self.y + self.height / 2

    def moved(self, dx: float, dy: float) -> Box:
        """The same box elsewhere."""
        return Box(self.x + dx, self.y + dy, self.width, self.height)


class Route(NamedTuple):
    """A line of the picture: its edge and the corners it runs through."""

    edge: Edge
    points: tuple[tuple[float, float], ...]


class Panel(NamedTuple):
    """A queue manager's frame and the headings (text, x, y of the baseline, room in pixels) inside it."""

    name: str
    box: Box
    headings: tuple[tuple[str, float, float, float], ...]


class Layout(NamedTuple):
    """Boxes by id (queues) and by (id, "puts" or "gets") (programs), the panels and the lines."""

    width: float
    height: float
    panels: tuple[Panel, ...]
    queues: dict[str, Box]
    programs: dict[tuple[str, str], Box]
    routes: tuple[Route, ...]


def lay_out(plan: Outline) -> Layout:
    """Lay out an outline: queue managers as panels, queues in them, putters on their left and getters on their right.

    Nothing overlaps, and the result depends on the outline only.
    """
    units = [_best(plan, manager.name) for manager in plan.qmgrs]
    area = sum(u.width * u.height for u in units) * SCREEN[0] / SCREEN[1]
    room = max([area**0.5, *(u.width for u in units), NARROWEST])
    x = y = shelf = widest = 0.0
    placed = []
    apart = ROOM_BETWEEN if any(e.kind == "talks" for e in plan.edges) else 36
    for unit in units:
        if x and x + unit.width > room * 1.15:
            x, y, shelf = 0.0, y + shelf + (28 if apart < ROOM_BETWEEN else 48), 0.0
        centring = max(0.0, (NARROWEST - unit.width) / 2) if len(units) == 1 else 0
        placed.append(_moved(unit, MARGIN + x + centring, PICTURE_HEAD + y))
        x, shelf = x + unit.width + apart, max(shelf, unit.height)
        widest = max(widest, x - apart)
    return Layout(
        max(widest, NARROWEST) + 2 * MARGIN,
        PICTURE_HEAD + y + shelf + MARGIN,
        tuple(p for u in placed for p in u.panels),
        {id: box for u in placed for id, box in u.queues.items()},
        {id: box for u in placed for id, box in u.programs.items()},
        tuple(r for u in placed for r in u.routes) + _sessions(plan, placed),
    )


def _sessions(plan: Outline, units: list[Layout]) -> tuple[Route, ...]:
    """Lines from channels to their partners' ends: straight to a neighbour on the right, else around by the gap above
    the lower of the two queue managers, or below both where they stand side by side."""
    programs = {id: box for unit in units for id, box in unit.programs.items()}
    home = {id: unit for unit in units for id in unit.programs}
    routes, around = [], 0
    for edge in plan.edges:
        ends = (edge.source, "gets"), (edge.target, "puts")
        if edge.kind != "talks" or not all(end in programs for end in ends):
            continue
        (one, other), panels = (programs[end] for end in ends), [home[end].panels[0].box for end in ends]
        if 0 < other.x - one.right < 2 * ROOM_BETWEEN:
            lane = (one.right + other.x) / 2
            corners = [(lane, one.middle), (lane, other.middle)] if one.middle != other.middle else []
        else:
            aside, tops = 8 + 5 * (around % 3), [panel.y for panel in panels]
            below = max(unit.height for unit in (home[end] for end in ends)) + max(tops)
            gap = below + aside - 2 if tops[0] == tops[1] else max(tops) - 14 - 10 * (around % 3)
            around += 1
            right, left = one.right + aside, other.x - aside
            corners = [(right, one.middle), (right, gap), (left, gap), (left, other.middle)]
        routes.append(Route(edge, ((one.right, one.middle), *corners, (other.x, other.middle))))
    return tuple(routes)


def _moved(unit: Layout, dx: float, dy: float) -> Layout:
    return Layout(
        unit.width,
        unit.height,
        tuple(
            Panel(p.name, p.box.moved(dx, dy), tuple((t, x + dx, y + dy, room) for t, x, y, room in p.headings))
            for p in unit.panels
        ),
        {id: box.moved(dx, dy) for id, box in unit.queues.items()},
        {id: box.moved(dx, dy) for id, box in unit.programs.items()},
        tuple(Route(r.edge, tuple((x + dx, y + dy) for x, y in r.points)) for r in unit.routes),
    )


def _best(plan: Outline, qmgr: str) -> Layout:
    """The layout of one queue manager whose shape comes nearest to what a screen shows well."""
    queues = [q for q in plan.queues if q.qmgr == qmgr]
    programs = [p for p in plan.programs if p.qmgr == qmgr]
    inside = {q.id for q in queues} | {p.id for p in programs}
    edges = [e for e in plan.edges if e.source in inside and e.target in inside]
    tries = [_unit(qmgr, queues, programs, edges, columns) for columns in range(1, max(1, min(7, len(queues))) + 1)]
    return min(tries, key=_cost)


def _cost(unit: Layout) -> float:
    """How much a layout must shrink to fit a screen, and a little for each line that has to go around cards."""
    detours = sum(len(r.points) > 4 and r.edge.kind not in ("puts", "gets") for r in unit.routes)
    return max(unit.width / SCREEN[0], unit.height / SCREEN[1], 1.0) * (1 + 0.04 * detours)


def _unit(qmgr: str, queues: list[Queue], programs: list[Program], edges: list[Edge], columns: int) -> Layout:
    """One queue manager with its programs, its left upper corner at 0, 0."""
    grid = arrange(queues, edges, columns) if queues else Grid({}, {}, 0, 1)
    wires = plan_wires(edges, grid)
    rows, headings, bottom = _heights(grid, queues, wires)
    middle = {id: rows[row] + _row_height(grid, queues, row) / 2 for id, (row, _) in grid.cells.items()}
    gaps = _gap_heights(grid, queues, wires, rows)
    sides = {side: _program_heights(side, wires, middle, gaps, (HEAD, bottom)) for side in ("puts", "gets")}
    ends = {id: y for side in sides.values() for id, y in side.items()}
    uses = _lane_uses(wires, middle, gaps, ends)
    lanes = {gutter: lanes_of(uses.get(gutter, {})) for gutter in (LEFT, *range(grid.columns + 1), RIGHT)}
    card = _card_width(queues, grid.columns)
    widths = [max(mono_width(p.name, NAME), 124 if p.chltype else 0) + 44 for p in programs]
    program_width = max([88, *widths]) if programs else 0
    program_width = min(program_width, 210)
    starts = {LEFT: program_width}
    panel_x = x = program_width + _room(lanes[LEFT].tracks) if sides["puts"] else 0
    lefts = []
    for gutter in range(grid.columns + 1):
        starts[gutter] = x
        inner = 0 < gutter < grid.columns
        x += _room(lanes[gutter].tracks) if inner or lanes[gutter].tracks else PAD
        if gutter < grid.columns:
            lefts.append(x)
            x += card
    panel = Box(panel_x, 0, max(x - panel_x, sans_width(qmgr, TITLE, True) + 2 * PAD), bottom + PAD)
    starts[RIGHT] = panel.right
    right = panel.right + _room(lanes[RIGHT].tracks) if sides["gets"] else panel.right
    boxes = {}
    for queue in queues:
        column = grid.cells[queue.id][1]
        height = SHORT_HEIGHT if queue.kind in NO_MESSAGES else CARD_HEIGHT
        boxes[queue.id] = Box(lefts[column], middle[queue.id] - height / 2, card, height)
    stands = {
        (id, side): Box(0 if side == "puts" else right, y - PROGRAM_HEIGHT / 2, program_width, PROGRAM_HEIGHT)
        for side, heights in sides.items()
        for (id, _), y in heights.items()
    }
    lane_x = {(g, key): starts[g] + LANE_SIDE + LANE * track for g in lanes for key, track in lanes[g].track.items()}
    routes = tuple(_route(wire, boxes, stands, middle, gaps, ends, lane_x) for wire in wires)
    marks = tuple((text, panel.x + PAD, y, panel.width - 2 * PAD) for text, y in headings)
    height = max([panel.height, *(b.bottom for b in stands.values())])
    return Layout(
        right + (program_width if sides["gets"] else 0), height, (Panel(qmgr, panel, marks),), boxes, stands, routes
    )


def _card_width(queues: list[Queue], columns: int) -> float:
    """Wide enough for most of the names: a few very long ones may be shortened where there are many cards."""
    names = sorted(mono_width(q.name, NAME) for q in queues)
    enough = names[int((len(names) - 1) * (1 if columns < 4 else 0.85))] if names else 0
    return round(
        min(
            max(enough + LEFT_OF_NAME + RIGHT_OF_NAME, {1: 300, 2: 252, 3: 228}.get(columns, 206)),
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


def _program_heights(side: str, wires: list[Wire], middle: dict, gaps: dict, limits: tuple[float, float]) -> dict:
    """The middle of each program on one side: beside what it uses, in order, none touching another."""
    wanted: dict[str, list[float]] = {}
    for wire in wires:
        if wire.edge.kind == side:
            program, queue = (
                (wire.edge.source, wire.edge.target) if side == "puts" else (wire.edge.target, wire.edge.source)
            )
            wanted.setdefault(program, []).append(gaps[wire.gap[2]] if wire.gap else middle[queue] + PORT[side])
    order = sorted(wanted, key=lambda p: (sum(wanted[p]) / len(wanted[p]), p))
    step = PROGRAM_HEIGHT + 12
    heights = _spread([_preferred(wanted[p]) for p in order], step)
    top = limits[0] + PROGRAM_HEIGHT / 2
    overhang = max(0.0, top - heights[0]) if heights else 0
    heights = [h + overhang if i == 0 else h for i, h in enumerate(heights)]
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + step)
    return {(p, side): h for p, h in zip(order, heights, strict=True)}


def _preferred(ys: list[float]) -> float:
    """The height where one of a program's lines runs straight: the middle one."""
    return sorted(ys)[len(ys) // 2] if len(ys) % 2 else sum(ys) / len(ys)


def _spread(wanted: list[float], step: float) -> list[float]:
    """The heights nearest to those wanted that are in the same order and at least `step` apart."""
    blocks: list[list[float]] = []  # each: sum of offsets wanted, how many
    for i, want in enumerate(wanted):
        blocks.append([want - i * step, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, size = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += size
    flat = [total / size for total, size in blocks for _ in range(int(size))]
    return [offset + i * step for i, offset in enumerate(flat)]


def _wire_ends(wire: Wire, middle: dict, ends: dict) -> tuple[float, float]:
    source, target, kind = wire.edge
    port = PORT.get(kind, 0)
    out = ends[source, "puts"] if kind == "puts" else middle[source] + (port if kind == "gets" or wire.first else 0)
    into = ends[target, "gets"] if kind == "gets" else middle[target] + (port if kind == "puts" else 0)
    return out, into if wire.first else out


def _lane_uses(wires: list[Wire], middle: dict, gaps: dict, ends: dict) -> dict[int, dict]:
    """For each gutter and lane, the heights at which its wires arrive and leave."""
    uses: dict[int, dict] = {}
    for wire in wires:
        out, into = _wire_ends(wire, middle, ends)
        between = gaps[wire.gap[2]] if wire.gap else into
        if wire.first:
            uses.setdefault(wire.first[0], {}).setdefault(wire.first[1], []).append((out, between))
        if wire.second:
            uses.setdefault(wire.second[0], {}).setdefault(wire.second[1], []).append((between, into))
    return uses


def _route(wire: Wire, boxes: dict, stands: dict, middle: dict, gaps: dict, ends: dict, lane_x: dict) -> Route:
    source, target, kind = wire.edge
    start = stands[source, "puts"].right if kind == "puts" else boxes[source].right
    end = stands[target, "gets"].x if kind == "gets" else boxes[target].x
    out, into = _wire_ends(wire, middle, ends)
    points = [(start, out)]
    y = out
    for lane, height in ((wire.first, gaps[wire.gap[2]] if wire.gap else into), (wire.second, into)):
        if lane and lane in lane_x:
            points += [(lane_x[lane], y), (lane_x[lane], height)]
        if lane:
            y = height
    points.append((end, into))
    return Route(wire.edge, tuple(p for i, p in enumerate(points) if i == 0 or p != points[i - 1]))
