"""Where everything of a queue-sharing group stands: its members side by side, the coupling facility under them.

Lines between members and shared queues run down lanes beside the members and along a corridor above the facility; lines
of one queue share its track there.
"""

from __future__ import annotations

from typing import NamedTuple

from ..frames.topology import Edge, Group, Outline, Program, Queue, Structure
from ..text import sans_width
from .boxes import CARD_HEIGHT, PAD, Box, Line, Point, Route
from .qmgr_layout import MARK, Port, Unit, card_width
from .route_curves import LABEL_HEIGHT
from .svg_shapes import line_path

HEAD, STRUCTURE_HEAD, FOOT, LANE, SIDE, TRACK, ESCAPE = 56, 34, 16, 9, 16, 9, 12
APART = 14


class Block(NamedTuple):
    """What stands in a column as one: a queue manager, or a group with its facility; its corner at 0, 0.

    `exits` has for each port that a line goes out from the corners from there to the block's side, `inner` the
    lines between members, which never leave the block.
    """

    width: float
    height: float
    units: tuple[Unit, ...]
    exits: dict[str, tuple[Point, ...]]
    routes: tuple[Route, ...] = ()
    queues: dict[str, Box] = {}
    structures: dict[str, Box] = {}
    group: Box | None = None
    facility: Box | None = None
    inner: tuple[Line, ...] = ()


def shared_ports(plan: Outline, member: str, group: str) -> tuple[Port, ...]:
    """The ports of a member for the lines between its queues and shared ones."""
    own = {q.id for q in plan.queues if q.qmgr == member}
    shared = {q.id for q in plan.queues if q.qmgr == group}
    leaving = sorted({e.source for e in plan.edges if e.source in own and e.target in shared})
    coming = sorted({e.target for e in plan.edges if e.target in own and e.source in shared})
    ports = [Port(f"{id}:out", "right", (_first(plan, id, shared, True),)) for id in leaving]
    return (*ports, *(Port(f"{id}:in", "left", (_first(plan, id, shared, False),)) for id in coming))


def _first(plan: Outline, id: str, shared: set[str], leaving: bool) -> Edge:
    """One of the edges that share a port: its wire inside the panel is that of all."""
    return next(
        e
        for e in plan.edges
        if (e.source == id and e.target in shared if leaving else e.target == id and e.source in shared)
    )


class _End(NamedTuple):
    """The member's end of a line to or from a shared queue: whose it is, in which gap it runs down, where it starts,
    and the wire inside the panel that belongs to it."""

    key: str
    gap: int
    point: Point
    wire: tuple[Point, ...] = ()


class Within(NamedTuple):
    """A line between two members: its key, its two ports, its edge, the width of its label (0 for none), its link."""

    key: str
    ports: tuple[str, str]
    edge: Edge
    label: float
    link: tuple[str, str]


def group_block(
    plan: Outline, group: Group, units: dict[str, Unit], outside: dict[str, str], within: list[Within]
) -> Block:
    """Lay out a group whose members are laid out; `outside` says to which side the ports go that lines leave the group
    from, `within` are the lines between members."""
    members = [m for m in group.members if m in units]
    shared = {q.id: q for q in plan.queues if q.qmgr == group.name}
    bus = [e for e in plan.edges if e.source in shared or e.target in shared]
    where = {m: i for i, m in enumerate(members)}
    ends = _ends(plan, bus, shared, units, where)
    ups = _ups(units, where, outside, within)
    between = _between(units, where, within)
    lanes, gaps, rooms = _lanes([e for e in ends.values() if e], ups, len(members), between)
    rising, above = _rising(ups, within)
    lefts, x = [], PAD + gaps[0]
    for i, member in enumerate(members):
        lefts.append(x)
        x += units[member].width + gaps[i + 1]
    row = x - PAD
    bottom = above + max((units[m].height for m in members), default=0)
    gap_x = [PAD] + [left + units[m].width for left, m in zip(lefts, members, strict=True)]
    lane_x = {key: gap_x[gap] + SIDE + x for (gap, key), x in lanes.items()}
    over = [left + units[m].width / 2 for left, m in zip(lefts, members, strict=True)]
    free = [over, [gap_x[gap] + SIDE + x for gap, x in rooms.items()]]
    tracks = {key: i for i, key in enumerate(sorted({_track(e, shared) for e in bus}))}
    track_y = {key: bottom + APART + TRACK * i for key, i in tracks.items()}
    placed = _facility(
        plan, group, list(shared.values()), bus, row, bottom + APART + TRACK * len(tracks) + (8 if tracks else 4)
    )
    width, height = max(row, placed.box.width) + 2 * PAD, placed.box.bottom + PAD
    shift = {m: (lefts[i], above) for i, m in enumerate(members)}
    moved = tuple(units[m].moved(*shift[m]) for m in members)
    routes = [r for e in bus for r in [_bus_route(e, shared, ends, shift, where, lane_x, track_y, placed)] if r]
    ports = {key: point for unit in moved for key, point in unit.ports.items()}
    lines = [_within_line(each, ports, lane_x, rising, free) for each in within]
    routes += [
        Route(each.edge, points, towards=line.towards, inside=())
        for each, (line, points) in zip(within, lines, strict=True)
    ]
    exits = {key: _exit(ports[key], key, side, lane_x, rising, width) for key, side in outside.items() if key in ports}
    return Block(
        width,
        height,
        moved,
        exits,
        tuple(routes),
        placed.queues,
        placed.structures,
        Box(0, 0, width, height),
        placed.box,
        tuple(line for line, _ in lines),
    )


def _ends(plan: Outline, bus: list[Edge], shared: dict, units: dict, where: dict) -> dict:
    """The member's end of each line to or from a shared queue, by (id, whether it is left there)."""
    ends: dict[tuple[str, bool], _End | None] = {}
    for edge in bus:
        for id, leaving in ((edge.source, True), (edge.target, False)):
            if id not in shared and (id, leaving) not in ends:
                ends[id, leaving] = _end(plan, id, leaving, edge.kind, units, where)
    return ends


def _rising(ups: list, within: list[Within]) -> tuple[dict[str, float], float]:
    """The height of each line that runs above the members, and where the members begin."""
    labelled = {each.key for each in within if each.label}
    heights, y = {}, HEAD + 2.0
    for key in sorted({line for *_, line in ups}):
        high = LABEL_HEIGHT + 8 if key in labelled else ESCAPE
        heights[key] = y + high / 2
        y += high
    return heights, y + 4 if heights else float(HEAD)


def _exit(port: Point, key: str, side: str, lane_x: dict, rising: dict, width: float) -> tuple[Point, ...]:
    """The corners from a port to the side of the group: straight, or over the members that stand in between."""
    x, y = port
    end = 0.0 if side == "left" else width
    lane = lane_x.get(f"{key}^{key}")
    return ((x, y), (end, y)) if lane is None else ((x, y), (lane, y), (lane, rising[key]), (end, rising[key]))


def _within_line(
    each: Within, ports: dict, lane_x: dict, rising: dict, free: list[list[float]]
) -> tuple[Line, tuple[Point, ...]]:
    """A line between members as it is drawn, and its corners: up, over them and down again.

    Its label stands where no line goes up: over a member that is between the two, or in the room of their gap, `free`.
    """
    (a, b), high = (ports[key] for key in each.ports), rising[each.key]
    one, other = (lane_x[f"{key}^{each.key}"] for key in each.ports)
    points = (a, (one, a[1]), (one, high), (other, high), (other, b[1]), b)
    centre = (one + other) / 2
    places = [[x for x in each if min(one, other) < x < max(one, other)] for each in free]
    middle = (min(next(filter(None, places), [centre]), key=lambda x: abs(x - centre)), high)
    label = Box(middle[0] - each.label / 2, high - LABEL_HEIGHT / 2, each.label, LABEL_HEIGHT) if each.label else None
    channel = each.edge.source if each.label else ""
    towards = 1 if other < b[0] else -1
    return Line(each.key, each.edge, channel, line_path(points), b, towards, label, middle, each.link), points


def _end(plan: Outline, id: str, leaving: bool, kind: str, units: dict, where: dict) -> _End | None:
    """Where a line to or from a shared queue begins in its member."""
    nodes: list[Queue | Program] = [*plan.queues, *plan.programs]
    member = next((node.qmgr for node in nodes if node.id == id), "")
    if member not in where:
        return None
    unit, i = units[member], where[member]
    key = f"{id}:{'out' if leaving else 'in'}"
    if key in unit.ports:
        wire = next(
            r.points
            for r in unit.routes
            if (r.edge.source if leaving else r.edge.target) == id and unit.ports[key] in (r.points[0], r.points[-1])
        )
        return _End(key, i + leaving, unit.ports[key], wire)
    if (id, kind) in unit.programs:
        box = unit.programs[id, kind]
        return _End(key, i + (kind == "gets"), (box.x if kind == "puts" else box.right, box.middle))
    if id in unit.ports:
        x, y = unit.ports[id]
        left = x <= unit.panel.box.x
        return _End(key, i + (not left), (x + MARK / 2 * (-1 if left else 1), y))
    return None


def _ups(units: dict, where: dict, outside: dict, within: list[Within]) -> list[tuple[str, int, float, str]]:
    """The ports whose lines go up beside their member: (port, gap, height, the line they belong to)."""
    last = len(where) - 1
    ups = []
    for member, i in where.items():
        unit = units[member]
        for key, (x, y) in sorted(unit.ports.items()):
            left = x <= unit.panel.box.x
            if key in outside and not (i == 0 and left) and not (i == last and not left):
                ups.append((key, i + (not left), y, key))
            ups += [(key, i + (not left), y, each.key) for each in within if key in each.ports]
    return ups


def _between(units: dict, where: dict, within: list[Within]) -> dict[int, tuple[float, set[str]]]:
    """For each gap with lines from one side of it to the other: the room their labels need, and the lanes behind it."""
    before = {key: x > units[m].panel.box.x for m in where for key, (x, _) in units[m].ports.items()}
    at = {key: i + before[key] for m, i in where.items() for key in units[m].ports}
    found: dict[int, tuple[float, set[str]]] = {}
    for each in within:
        gap, other = (at[key] for key in each.ports)
        if each.label and gap == other:
            room, behind = found.get(gap, (0.0, set()))
            last = next(key for key in each.ports if not before[key])
            found[gap] = (max(room, each.label + LANE), behind | {f"{last}^{each.key}"})
    return found


def _lanes(ends: list[_End], ups: list, members: int, between: dict) -> tuple[dict, list[float], dict[int, float]]:
    """How far from the gap's first lane each line runs that goes beside a member, by (gap, key); how wide the gaps are;
    and how far from there the middle is of each gap's room for labels."""
    here: dict[int, list] = {}
    for end in ends:
        here.setdefault(end.gap, []).append((end.point, end.key))
    for key, gap, y, line in ups:
        here.setdefault(gap, []).append(((0.0, -y), f"{key}^{line}"))
    lanes: dict = {}
    widths, rooms = [], {}
    for gap in range(members + 1):
        room, behind = between.get(gap, (0.0, set()))
        order = sorted(here.get(gap, []), key=lambda item: (item[1] in behind, -item[0][1], item[1]))
        keys = [key for _, key in order]
        if behind:
            rooms[gap] = LANE * (len(keys) - len(behind) - 1) + (LANE + room) / 2
        lanes |= {(gap, key): LANE * i + room * (key in behind) for i, key in enumerate(keys)}
        widths.append(2 * SIDE + LANE * (len(keys) - 1) + room if keys else 28 if 0 < gap < members else 0)
    return lanes, widths, rooms


def _track(edge: Edge, shared: dict) -> tuple[str, str, bool]:
    """Which track of the corridor a line takes: that of the shared queue it arrives at, else of the one it leaves."""
    into = edge.target in shared
    return (edge.target if into else edge.source, edge.kind, into)


class _Facility(NamedTuple):
    """The facility's box, what is in it, and the x of the uprights beside shared queues by (id, edge kind, "in" or
    "out")."""

    box: Box
    queues: dict[str, Box]
    structures: dict[str, Box]
    lanes: dict[tuple[str, str, str], float]

    def centred(self, box: Box) -> _Facility:
        """The same in the middle of a wider box."""
        dx = (box.width - self.box.width) / 2
        return _Facility(
            box,
            {id: each.moved(dx, 0) for id, each in self.queues.items()},
            {id: each.moved(dx, 0) for id, each in self.structures.items()},
            {key: x + dx for key, x in self.lanes.items()},
        )


def _facility(plan: Outline, group: Group, queues: list[Queue], bus: list[Edge], room: float, y: float) -> _Facility:
    """The coupling facility: structures side by side, each with its queues in rows, so many that it fits in `room`."""
    structures = [s for s in plan.structures if s.group == group.name]
    known = {id for s in structures for id in s.queues}
    loose = tuple(q.id for q in queues if q.id not in known)
    if loose:
        structures.append(Structure(f"{group.name}/structure:", group.name, "", loose))
    card = card_width(queues, 2, True)
    uprights: dict[str, list] = {}
    for edge in bus:
        for key, id in _uprights(edge, {q.id for q in queues}):
            if key not in uprights.setdefault(id, []):
                uprights[id].append(key)
    for high in range(1, len(queues) + 2):
        found = _structures(structures, uprights, card, high, y + 12)
        if found.box.width <= max(room, 420):
            break
    wide = max(found.box.width, room)
    return found.centred(Box(PAD, y, wide, found.box.height + 12 + FOOT))


def _uprights(edge: Edge, shared: set[str]) -> list[tuple[tuple, str]]:
    """The uprights of a line: (key, shared queue it is beside)."""
    found = []
    if edge.target in shared:
        found.append(((edge.target, edge.kind, "in"), edge.target))
    if edge.source in shared:
        found.append(((edge.source, edge.kind, "out"), edge.source))
    return found


def _structures(structures: list[Structure], uprights: dict, card: float, high: int, y: float) -> _Facility:
    """The structures with their queues in at most `high` rows; the box has their size without the facility's head."""
    boxes, cards = {}, {}
    lanes: dict = {}
    x, tallest = PAD + 14.0, 0.0
    for structure in structures:
        left = x
        columns = max(1, -(-len(structure.queues) // high))
        name_width = sans_width(structure.name, 13, True) + 150
        for column in range(columns):
            ids = structure.queues[column * high : (column + 1) * high]
            coming = sorted(k for id in ids for k in uprights.get(id, ()) if k[2] == "in")
            leaving = sorted(k for id in ids for k in uprights.get(id, ()) if k[2] == "out")
            x += SIDE
            lanes |= {key: x + LANE * i for i, key in enumerate(coming)}
            x += LANE * max(0, len(coming) - 1) + (SIDE if coming else 0)
            for r, id in enumerate(ids):
                cards[id] = Box(x, y + STRUCTURE_HEAD + r * (CARD_HEIGHT + 12), card, CARD_HEIGHT)
                tallest = max(tallest, cards[id].bottom)
            x += card
            if leaving:
                x += SIDE
                lanes |= {key: x + LANE * i for i, key in enumerate(leaving)}
                x += LANE * (len(leaving) - 1)
        x = max(x + SIDE, left + name_width)
        boxes[structure.id] = Box(left, y, x - left, 0)
        x += APART
    bottom = max(tallest, y + STRUCTURE_HEAD + 10) + 14
    boxes = {id: Box(b.x, b.y, b.width, bottom - b.y) for id, b in boxes.items()}
    return _Facility(Box(PAD, y, max(x, 200) - PAD, bottom - y + 14), cards, boxes, lanes)


def _bus_route(
    edge: Edge, shared: dict, ends: dict, shift: dict, where: dict, lane_x: dict, track_y: dict, at: _Facility
) -> Route | None:
    """A line between a member and a shared queue, or between two shared queues, with its whole way."""
    track = track_y[_track(edge, shared)]
    offset = {"gets": -10, "puts": -10, "backout": 10, "initq": 10}.get(edge.kind, 0)
    points: list[Point] = []
    if edge.source in shared:
        box, upright = at.queues[edge.source], at.lanes[edge.source, edge.kind, "out"]
        points += [(box.right, box.middle + offset), (upright, box.middle + offset), (upright, track)]
    else:
        half = _member_half(ends[edge.source, True], shift, where, lane_x, track)
        if half is None:
            return None
        points += half
    if edge.target in shared:
        box, upright = at.queues[edge.target], at.lanes[edge.target, edge.kind, "in"]
        points += [(upright, track), (upright, box.middle + offset), (box.x, box.middle + offset)]
        return Route(edge, tuple(points))
    half = _member_half(ends[edge.target, False], shift, where, lane_x, track)
    if half is None:
        return None
    points += half[::-1]
    return Route(edge, tuple(points), towards=1 if points[-1][0] > points[-2][0] else -1)


def _member_half(end: _End | None, shift: dict, where: dict, lane_x: dict, track: float) -> list[Point] | None:
    """From the member's end of a line, with the wire inside its panel, to the corridor."""
    if end is None:
        return None
    member = next(m for m, i in where.items() if end.key.startswith(f"{m}/"))
    dx, dy = shift[member]
    wire = [(x + dx, y + dy) for x, y in end.wire] or [(end.point[0] + dx, end.point[1] + dy)]
    port = (end.point[0] + dx, end.point[1] + dy)
    if wire[-1] != port:
        wire = wire[::-1]
    lane = lane_x[end.key]
    return [*wire, (lane, port[1]), (lane, track)]
