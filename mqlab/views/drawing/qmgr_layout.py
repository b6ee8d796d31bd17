"""Where everything of one queue manager stands: a panel of queues, putters on its left and getters on its right."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

from ..frames.topology import NO_MESSAGES, Edge, Outline, Queue
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

PLUMBING = ("transmission", "dead-letter", "initiation")
FEW = 6  # so many queues need no headings
OWN, OTHER = "queue manager's own", "other queues"
Chain = list[Queue]


class Grid(NamedTuple):
    """Cells (row, column) by queue id, the heading of each row that starts a band ("" for none), and the columns."""

    cells: dict[str, tuple[int, int]]
    headings: dict[int, str]
    rows: int
    columns: int

    def clear(self, row: int, first: int, last: int) -> bool:
        """Whether no queue stands in this row from column `first` to column `last`."""
        return not any(r == row and first <= c <= last for r, c in self.cells.values())


def prefix_of(name: str) -> str:
    """The part of a queue's name that says whose it is.

    >>> prefix_of("PAYMENTS.REQUEST"), prefix_of("ORDERS")
    ('PAYMENTS', 'ORDERS')
    """
    return name.split(".", 1)[0]


def arrange(queues: list[Queue], edges: list[Edge], columns: int) -> Grid:
    """Give each queue a cell in a grid of at most so many columns."""
    bands = [(title, _chains(members, edges)) for title, members in _bands(queues, edges)]
    cells: dict[str, tuple[int, int]] = {}
    headings: dict[int, str] = {}
    row = 0
    for title, chains in bands:
        headings[row] = title if len(bands) > 2 or title == OWN != bands[0][0] else ""
        # lines to the queue manager's own queues come from above: the first column is left free for them
        first = 1 if title == OWN and columns > 2 and len(bands) > 1 else 0
        placed, height = _flow(chains, first, columns)
        cells |= {id: (row + r, c) for id, (r, c) in placed.items()}
        row += height
    return Grid(cells, headings, row, max((c for _, c in cells.values()), default=0) + 1)


def _bands(queues: list[Queue], edges: list[Edge]) -> list[tuple[str, list[Queue]]]:
    """Queues by application: those that share a prefix, those linked to them, the rest, the queue manager's own."""
    own = [q for q in queues if q.kind in PLUMBING]
    plain = [q for q in queues if q.kind not in PLUMBING]
    if len(plain) <= FEW:
        return ([("", plain)] if plain else []) + ([(OWN, own)] if own else [])
    follows = {e.source: e.target for e in edges if e.kind == "alias"}
    follows |= {e.target: e.source for e in reversed(edges) if e.kind == "backout"}
    prefix = {q.id: prefix_of(q.name) for q in plain}
    belongs = {q.id: prefix[follows[q.id]] if follows.get(q.id) in prefix else prefix[q.id] for q in plain}
    shared = Counter(belongs.values())
    home = {id: title if shared[title] > 1 else OTHER for id, title in belongs.items()}
    titles = sorted(set(home.values()), key=lambda t: (t == OTHER, t))
    bands = [(title, [q for q in plain if home[q.id] == title]) for title in titles]
    return bands + ([(OWN, own)] if own else [])


def _chains(members: list[Queue], edges: list[Edge]) -> list[Chain]:
    """The members in chains, longest first: alias, queue, backout queue; everything else is a chain of its own."""
    by_id = {q.id: q for q in members}
    before = {e.target: e.source for e in reversed(edges) if e.kind == "alias" and e.source in by_id}
    after = {
        e.source: e.target for e in edges if e.kind == "backout" and by_id.get(e.target, members[0]).kind == "backout"
    }
    taken: set[str] = set()
    chains = []
    for queue in sorted((q for q in members if q.kind == "local"), key=lambda q: (q.id not in before, q.name)):
        ids = [before.get(queue.id), queue.id, after.get(queue.id)]
        chain = [by_id[i] for i in ids if i in by_id and i not in taken]
        taken |= {q.id for q in chain}
        chains += [chain] if chain else []
    rest = sorted((q for q in members if q.id not in taken), key=lambda q: (*_kind_order(q), q.name))
    return sorted(chains, key=lambda c: (c[0].kind == "local", -len(c))) + [[q] for q in rest]


def _kind_order(queue: Queue) -> tuple[int]:
    order = ("alias", "remote", "backout", "model", *PLUMBING)
    return (order.index(queue.kind) if queue.kind in order else len(order),)


def _flow(chains: list[Chain], first: int, columns: int) -> tuple[dict[str, tuple[int, int]], int]:
    """Cells for chains one after the other in rows, none broken unless longer than a row; and how many rows."""
    cells: dict[str, tuple[int, int]] = {}
    row, column = 0, first
    for chain in chains:
        if column > first and column + len(chain) > columns:
            row, column = row + 1, first
        for queue in chain:
            if column >= columns:
                row, column = row + 1, first
            cells[queue.id] = (row, column)
            column += 1
    return cells, row + 1


PORT = {"puts": -10, "gets": -10, "backout": 10, "initq": 10}  # where on a card's side, from its middle
Key = tuple[str, str, str]
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


def plan_wires(edges: list[Edge], grid: Grid, port: Any = None) -> list[Wire]:
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
    assert wire.gap is not None
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
    sides: dict[str, set[str]] = {p: set() for p in programs}
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
    starts: dict[int, float] = {LEFT: program_width}
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
    height: float
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
    found: dict = {}
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
