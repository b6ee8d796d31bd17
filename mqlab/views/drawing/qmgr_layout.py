"""Where everything of one queue manager stands: a panel of queues, putters on its left and getters on its right."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, groupby, pairwise
from math import ceil
from typing import NamedTuple

from ..frames.topology import NO_MESSAGES, Edge, Outline, Queue
from ..text import mono_width, sans_width
from .boxes import CARD_HEIGHT, LEFT_OF_NAME, NAME, PAD, RIGHT_OF_NAME, SCREEN, Box, Panel, Point, Route

SHORT_HEIGHT, PROGRAM_HEIGHT = 40, 34
TITLE = 17  # a font size
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
    """Give each queue a cell in a grid of at most so many columns; only a chain longer than a row is broken."""
    bands = _bands(queues, edges)
    cells: dict[str, tuple[int, int]] = {}
    headings: dict[int, str] = {}
    row = 0
    for title, members in bands:
        headings[row] = title if len(bands) > 2 or title == OWN != bands[0][0] else ""
        # lines to the queue manager's own queues come from above: the first column is left free for them
        first = column = 1 if title == OWN and columns > 2 and len(bands) > 1 else 0
        for chain in _chains(members, edges):
            if column > first and column + len(chain) > columns:
                row, column = row + 1, first
            for queue in chain:
                if column >= columns:
                    row, column = row + 1, first
                cells[queue.id] = (row, column)
                column += 1
        row += 1
    return Grid(cells, headings, row, max((c for _, c in cells.values()), default=0) + 1)


def _bands(queues: list[Queue], edges: list[Edge]) -> list[tuple[str, list[Queue]]]:
    """Queues by application: those that share a prefix, those linked to them, the rest, the queue manager's own."""
    plain = [q for q in queues if q.kind not in PLUMBING]
    follows = {e.source: e.target for e in edges if e.kind == "alias"}
    follows |= {e.target: e.source for e in reversed(edges) if e.kind == "backout"}
    prefix = {q.id: prefix_of(q.name) for q in plain}
    belongs = {id: prefix.get(follows.get(id, id), own) for id, own in prefix.items()}
    shared = Counter(belongs.values())
    home = {id: "" if len(plain) <= FEW else title if shared[title] > 1 else OTHER for id, title in belongs.items()}
    home |= {q.id: OWN for q in queues if q.kind in PLUMBING}
    titles = sorted(set(home.values()), key=lambda title: (title == OWN, title == OTHER, title))
    return [(title, [q for q in queues if home[q.id] == title]) for title in titles]


def _chains(members: list[Queue], edges: list[Edge]) -> list[Chain]:
    """The members in chains, longest first: alias, queue, backout queue; everything else is a chain of its own."""
    by_id = {q.id: q for q in members}
    before = {e.target: e.source for e in reversed(edges) if e.kind == "alias" and e.source in by_id}
    backouts = {q.id for q in members if q.kind == "backout"}
    after = {e.source: e.target for e in edges if e.kind == "backout" and e.target in backouts}
    taken: set[str] = set()
    chains = []
    for queue in sorted((q for q in members if q.kind == "local"), key=lambda q: (q.id not in before, q.name)):
        ids = dict.fromkeys((before.get(queue.id), queue.id, after.get(queue.id)))
        chain = [by_id[i] for i in ids if i in by_id and i not in taken]
        taken |= {q.id for q in chain}
        chains += [chain] if chain else []
    order = ("alias", "remote", "backout", "model", *PLUMBING)
    rest = sorted(
        (q for q in members if q.id not in taken),
        key=lambda q: (order.index(q.kind) if q.kind in order else len(order), q.name),
    )
    return sorted(chains, key=lambda c: (c[0].kind == "local", -len(c))) + [[q] for q in rest]


PORT = {"puts": -10, "gets": -10, "backout": 10, "initq": 10}  # where on a card's side, from its middle
Key = tuple[str, str, str]
End = tuple[str, str]  # of a wire beside the grid: a program's id and "puts" or "gets", or a port's key and "port"
LEFT, RIGHT = -1, 10_000


class Wire(NamedTuple):
    """One edge as a plan: the lanes it runs on, (gutter, key) each, and the row gap (row, "above" or "below", key)
    between two of them; keys name the shared stretches.

    `outside` is its end that is no queue of the grid; `leftward` wires leave on the left and arrive on the right.
    Gutter c lies left of column c, gutter `columns` right of the last; LEFT and RIGHT lie outside the panel.
    """

    edge: Edge
    lanes: tuple[tuple[int, Key], ...]
    gap: tuple[int, str, Key] | None = None
    outside: End | None = None
    leftward: bool = False


def _plan(edge: Edge, grid: Grid) -> Wire:
    """The wire of an edge between two queues, or between a queue and a program."""
    source, target, kind = edge
    if kind == "puts":
        return _plan_outside(edge, grid, (source, kind), LEFT)
    if kind == "gets":
        return _plan_outside(edge, grid, (target, kind), RIGHT)
    (row, column), (to_row, to_column) = grid.cells[source], grid.cells[target]
    into = ("t", target, kind)
    if to_column > column and grid.clear(to_row, column + 1, to_column - 1):
        return Wire(edge, ((column + 1, into),) if row != to_row else ())
    if to_column > column and grid.clear(row, column + 1, to_column - 1):
        return Wire(edge, ((to_column, into),))
    return Wire(edge, ((column + 1, into), (to_column, into)), (to_row, "above", into))


def _plan_outside(edge: Edge, grid: Grid, outside: End, outer: int) -> Wire:
    """The wire from a card to an end beside gutter `outer`: along its row if that is clear, else by a row gap."""
    outward, left = edge.source in grid.cells, outer <= 0
    card = edge.source if outward else edge.target
    row, column = grid.cells[card]
    lane, leftward = (outer, ("p", outside[0], edge.kind)), outward == left
    if grid.clear(row, 0, column - 1) if left else grid.clear(row, column + 1, grid.columns - 1):
        return Wire(edge, (lane,), None, outside, leftward)
    key = ("s" if outward else "t", card, edge.kind)
    near = (column if left else column + 1, key)
    gap = (row, "below" if outward else "above", key)
    return Wire(edge, (near, lane) if outward else (lane, near), gap, outside, leftward)


def _lanes_of(uses: dict[Key, list[tuple[float, float]]]) -> dict[Key, int]:
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
        further = [_crossings(bent, spans, o, key) - _crossings(bent, spans, key, o) for o in order]
        costs = list(accumulate(further, initial=0))  # of each place, more than on the left of all
        order.insert(costs.index(min(costs)), key)
    track: dict[Key, int] = {}
    for key in order:
        low, high = spans[key]
        # a lane may not jump left of one that overlaps it, or the order that was just found would be lost
        track[key] = max((track[o] + 1 for o in track if spans[o][0] <= high + 8 and spans[o][1] >= low - 8), default=0)
    return track


def _crossings(uses: dict, spans: dict, left: Key, right: Key) -> int:
    """How many times two lanes cross if `left` is left of `right`; lines that lie on each other count tenfold."""
    (left_low, left_high), (right_low, right_high) = spans[left], spans[right]
    arrivals, leavings = {a for a, _ in uses[right]}, {b for _, b in uses[left]}
    cost = sum(left_low - 1 < y < left_high + 1 for y in arrivals)
    cost += sum(right_low - 1 < y < right_high + 1 for y in leavings)
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
    programs: dict[End, Box]
    routes: tuple[Route, ...]
    ports: dict[str, Point]


def best_unit(plan: Outline, qmgr: str, ports: tuple[Port, ...] = (), most: int = 7, among: bool = False) -> Unit:
    """The layout of one queue manager, in at most so many columns, whose shape comes nearest to what a screen shows
    well; `among` others its cards are narrow."""
    queues = [q for q in plan.queues if q.qmgr == qmgr]
    programs = {p.id: p.name for p in plan.programs if p.qmgr == qmgr and not p.chltype}
    nodes = {q.id for q in queues} | set(programs)
    edges = [e for e in plan.edges if e.source in nodes and e.target in nodes]
    called = {(e.source if e.kind == "puts" else e.target, e.kind) for e in plan.edges if e.kind in ("puts", "gets")}
    users = {(p, side): programs[p] for p, side in sorted(called) if p in programs}
    columns = range(1, max(1, min(most, len(queues))) + 1)
    return min((_unit(qmgr, queues, users, edges, ports, many, among) for many in columns), key=_cost)


def _cost(unit: Unit) -> float:
    """How much a layout must shrink to fit a screen, and a little for each line that has to go around cards."""
    detours = sum(len(r.points) > 4 and r.edge.kind not in ("puts", "gets") for r in unit.routes)
    return max(unit.width / SCREEN[0], unit.height / SCREEN[1], 1.0) * (1 + 0.04 * detours)


def _unit(
    qmgr: str, queues: list[Queue], users: dict, edges: list[Edge], ports: tuple[Port, ...], columns: int, among: bool
) -> Unit:
    """One queue manager with its programs in so many columns."""
    grid = arrange(queues, edges, columns)
    wires = [_plan(edge, grid) for edge in edges]
    for port in ports:
        outer = 0 if port.side == "left" else grid.columns
        wires += [_plan_outside(edge, grid, (port.key, "port"), outer) for edge in port.edges]
    heights: dict[str, float] = {q.id: SHORT_HEIGHT if q.kind in NO_MESSAGES else CARD_HEIGHT for q in queues}
    middle, gaps, headings, bottom = _rows(grid, heights, wires)
    ends: dict[End, float] = {}
    for side in ("left", "right"):
        beside = [u for u in users if (u[1] == "puts") == (side == "left")]
        ends |= _side_heights(beside, [p for p in ports if p.side == side], wires, middle, gaps, (HEAD, bottom))
    bottom = max([bottom, *(ends[p.key, "port"] + MARK / 2 - 6 for p in ports)])
    uses: dict[int, dict] = {gutter: {} for gutter in (LEFT, *range(grid.columns + 1), RIGHT)}
    for wire in wires:
        for (gutter, key), ys in zip(wire.lanes, pairwise(_heights(wire, middle, gaps, ends)), strict=False):
            uses[gutter].setdefault(key, []).append(ys[::-1] if wire.leftward else ys)
    lanes = {gutter: _lanes_of(used) for gutter, used in uses.items()}
    tracks = {gutter: max(track.values(), default=-1) + 1 for gutter, track in lanes.items()}
    card = card_width(queues, grid.columns, among)
    widest = max([72 if among else 88, *(mono_width(name, NAME) + 44 for name in users.values())])
    program_width = min(ceil(widest), 210) if users else 0
    putters, getters = (any(s == side for _, s in users) for side in ("puts", "gets"))
    starts: dict[int, float] = {LEFT: program_width}
    panel_x = x = program_width + _room(tracks[LEFT]) if putters else 0
    lefts = []
    for gutter in range(grid.columns + 1):
        inner = 0 < gutter < grid.columns
        marks = 0 if inner or not tracks[gutter] else 8 * any(p.side == ("right" if gutter else "left") for p in ports)
        starts[gutter] = x + (0 if gutter else marks)
        x += _room(tracks[gutter]) + marks if inner or tracks[gutter] else PAD
        if gutter < grid.columns:
            lefts.append(x)
            x += card
    panel = Box(panel_x, 0, max(x - panel_x, ceil(sans_width(qmgr, TITLE, True)) + 2 * PAD), bottom + PAD)
    starts[RIGHT] = panel.right
    right = panel.right + _room(tracks[RIGHT]) if getters else panel.right
    boxes = {id: Box(lefts[grid.cells[id][1]], middle[id] - high / 2, card, high) for id, high in heights.items()}
    stands = {
        user: Box(0 if user[1] == "puts" else right, ends[user] - PROGRAM_HEIGHT / 2, program_width, PROGRAM_HEIGHT)
        for user in users
    }
    places = {p.key: (panel.x if p.side == "left" else panel.right, ends[p.key, "port"]) for p in ports}
    beside_x = {user: box.right if user[1] == "puts" else box.x for user, box in stands.items()}
    beside_x |= {(key, "port"): x for key, (x, _) in places.items()}
    lane_x = {(g, key): starts[g] + LANE_SIDE + LANE * track for g in lanes for key, track in lanes[g].items()}
    routes = tuple(_route(wire, boxes, beside_x, _heights(wire, middle, gaps, ends), lane_x) for wire in wires)
    title_x = max(panel.x + PAD, lefts[0])
    titles = tuple((title, (title_x, y), panel.right - PAD - title_x) for title, y in headings)
    height = max([panel.height, *(b.bottom for b in stands.values())])
    width = right + (program_width if getters else 0)
    return Unit(width, height, Panel(qmgr, panel, titles), boxes, stands, routes, places)


def card_width(queues: list[Queue], columns: int, among: bool = False) -> float:
    """Wide enough for most of the names: a few very long ones may be shortened where there are many cards."""
    names = sorted(mono_width(q.name, NAME) for q in queues)
    enough = names[int((len(names) - 1) * (1 if columns < 4 else 0.85))] if names else 0
    least = NARROW[among].get(columns, 190 if among else 206)
    return round(min(max(enough + LEFT_OF_NAME + RIGHT_OF_NAME, least), 300 if columns == 1 else 270))


def _room(tracks: int) -> float:
    """Width of a gutter with so many tracks."""
    return 2 * LANE_SIDE + LANE * max(0, tracks - 1) + (6 if tracks else 2)


def _rows(grid: Grid, heights: dict[str, float], wires: list[Wire]) -> tuple[dict, dict, list, float]:
    """The middle of each card, the y of every shared stretch in a row gap by its key, the headings with their
    baselines, and the end of the last row."""
    shared: dict[tuple[int, str], set[Key]] = {}
    for wire in wires:
        if wire.gap:
            shared.setdefault(wire.gap[:2], set()).add(wire.gap[2])
    middle: dict[str, float] = {}
    gaps: dict[Key, float] = {}
    headings, y = [], float(HEAD)
    for row in range(grid.rows):
        ids = [id for id, (r, _) in grid.cells.items() if r == row]
        above, below = (sorted(shared.get((row, side), ())) for side in ("above", "below"))
        title, high = grid.headings.get(row), max(heights[id] for id in ids)
        if row:
            y += ROW_GAP if title is None else BAND_GAP
        if title:
            headings.append((title, y + 13))
            y += BAND_HEADING + (2 if above else 0)
        y += GAP_LANE * len(above)
        gaps |= {key: y - 7 - GAP_LANE * i for i, key in enumerate(reversed(above))}
        middle |= dict.fromkeys(ids, y + high / 2)
        y += high
        gaps |= {key: y + 7 + GAP_LANE * i for i, key in enumerate(below)}
        y += GAP_LANE * len(below)
    return middle, gaps, headings, y


def _side_heights(
    users: list[End], ports: list[Port], wires: list[Wire], middle: dict, gaps: dict, limits: Point
) -> dict[End, float]:
    """The middle of each program and port on one side: beside what it uses, in order, none touching another."""
    wanted: dict[End, list[float]] = {end: [] for end in [*users, *((p.key, "port") for p in ports)]}
    for wire in wires:
        if wire.outside in wanted:
            card = wire.edge.source if wire.edge.source in middle else wire.edge.target
            wanted[wire.outside].append(gaps[wire.gap[2]] if wire.gap else middle[card] + PORT.get(wire.edge.kind, 0))
    wanted |= {(p.key, "port"): [min(max(p.wish, limits[0]), limits[1])] for p in ports if p.wish is not None}
    wanted = {end: ys or [sum(limits) / 2] for end, ys in wanted.items()}
    order = sorted(wanted, key=lambda end: (sum(wanted[end]) / len(wanted[end]), end))
    halves = [(MARK + 4 if what == "port" else PROGRAM_HEIGHT + 12) / 2 for _, what in order]
    top = limits[0] + (PROGRAM_HEIGHT / 2 if order and order[0][1] != "port" else 0)
    return dict(zip(order, spread([_preferred(wanted[end]) for end in order], halves, top), strict=True))


def _preferred(ys: list[float]) -> float:
    """The height where one of a program's lines runs straight: the middle one."""
    return sorted(ys)[len(ys) // 2] if len(ys) % 2 else sum(ys) / len(ys)


def spread(wanted: list[float], halves: list[float], top: float) -> list[float]:
    """The heights nearest to those wanted, in the same order: none above `top`, and neighbours at least as far apart as
    their two `halves` are high."""
    steps = list(accumulate((one + other for one, other in pairwise(halves)), initial=0.0))[: len(wanted)]
    blocks: list[list[float]] = []  # each: sum of offsets wanted, how many
    for step, want in zip(steps, wanted, strict=True):
        blocks.append([want - step, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, size = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += size
    flat = [max(total / size, top) for total, size in blocks for _ in range(int(size))]
    return [offset + step for offset, step in zip(flat, steps, strict=True)]


def _heights(wire: Wire, middle: dict, gaps: dict, ends: dict) -> list[float]:
    """The heights of a wire: where it begins, in its row gap if it has one, and where it ends."""
    source, target, kind = wire.edge
    offset = PORT.get(kind, 0) if wire.lanes else 0
    out = middle[source] + offset if source in middle else ends[wire.outside]
    into = middle[target] + (offset if wire.outside else 0) if target in middle else ends[wire.outside]
    return [out, gaps[wire.gap[2]], into] if wire.gap else [out, into]


def _route(wire: Wire, boxes: dict, beside_x: dict, heights: list[float], lane_x: dict) -> Route:
    leave, arrive = (
        (box.x if left else box.right) if (box := boxes.get(id)) else beside_x[wire.outside]
        for id, left in ((wire.edge.source, wire.leftward), (wire.edge.target, not wire.leftward))
    )
    points = [(leave, heights[0])]
    for lane, ys in zip(wire.lanes, pairwise(heights), strict=False):
        points += [(lane_x[lane], y) for y in ys if lane in lane_x]
    points.append((arrive, heights[-1]))
    return Route(wire.edge, tuple(p for p, _ in groupby(points)), towards=-1 if wire.leftward else 1)
