"""Where everything of a queue-sharing group stands: its members side by side, the coupling facility under them.

Lines between members and shared queues run down lanes beside the members and along a corridor above the facility; lines
of one queue share its track there.
"""

from __future__ import annotations

from typing import NamedTuple

from ..frames.topology import Edge, Group, Outline, Queue, Structure
from ..text import sans_width
from .boxes import CARD_HEIGHT, PAD, Box, Join, Line, Point, Route, moved
from .qmgr_layout import MARK, PORT, Port, Unit, card_width
from .route_curves import LABEL_HEIGHT

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
    """The ports of a member for the lines between its queues and shared ones: one for all that leave, or come to, a
    queue; the wire inside the panel of one of them is that of all."""
    own = {q.id for q in plan.queues if q.qmgr == member}
    shared = {q.id for q in plan.queues if q.qmgr == group}
    leaving = {e.source: e for e in reversed(plan.edges) if e.source in own and e.target in shared}
    coming = {e.target: e for e in reversed(plan.edges) if e.target in own and e.source in shared}
    ports = [Port(f"{id}:out", "right", (edge,)) for id, edge in sorted(leaving.items())]
    return (*ports, *(Port(f"{id}:in", "left", (edge,)) for id, edge in sorted(coming.items())))


class _End(NamedTuple):
    """The member's end of a line to or from a shared queue: the gap it runs down, and its wire out of the panel."""

    member: str
    key: str
    gap: int
    wire: tuple[Point, ...]


def group_block(
    plan: Outline, group: Group, units: dict[str, Unit], outside: dict[str, str], within: list[Join]
) -> Block:
    """Lay out a group whose members are laid out; `outside` says to which side the ports go that lines leave the group
    from, `within` are the lines between members."""
    members = [m for m in group.members if m in units]
    shared = {q.id: q for q in plan.queues if q.qmgr == group.name}
    bus = [e for e in plan.edges if e.source in shared or e.target in shared]
    where = {m: i for i, m in enumerate(members)}
    ends = {
        (id, leaving): _end(plan, id, leaving, e.kind, units, where)
        for e in bus
        for id, leaving in ((e.source, True), (e.target, False))
        if id not in shared
    }
    ups = _ups(units, where, outside, within)
    between = _between(units, where, within)
    lanes, gaps, rooms = _lanes(list(ends.values()), ups, len(members), between)
    rising, above = _rising(ups, within)
    lefts, x = [], PAD + gaps[0]
    for i, member in enumerate(members):
        lefts.append(x)
        x += units[member].width + gaps[i + 1]
    row = x - PAD
    inside = tuple(moved(units[m], left, above) for m, left in zip(members, lefts, strict=True))
    ends = {key: moved(end, lefts[where[end.member]], above) for key, end in ends.items()}
    bottom = above + max((unit.height for unit in inside), default=0)
    gap_x = [PAD] + [left + unit.width for left, unit in zip(lefts, inside, strict=True)]
    lane_x = {key: gap_x[gap] + SIDE + x for (gap, key), x in lanes.items()}
    over = [left + unit.width / 2 for left, unit in zip(lefts, inside, strict=True)]
    free = [over, [gap_x[gap] + SIDE + x for gap, x in rooms.items()]]
    tracks = sorted({_track(e, shared) for e in bus})
    track_y = {key: bottom + APART + TRACK * i for i, key in enumerate(tracks)}
    y = bottom + APART + TRACK * len(tracks) + (8 if tracks else 4)
    placed = _facility(plan, group, list(shared.values()), bus, row, y)
    routes = []
    for edge in bus:
        track = track_y[_track(edge, shared)]
        away, back = (_half(edge, leaving, track, ends, lane_x, placed) for leaving in (True, False))
        routes.append(Route(edge, (*away, *back[::-1]), towards=1 if back[0][0] > back[1][0] else -1))
    ports = {key: point for unit in inside for key, point in unit.ports.items()}
    lines = []
    for join in within:
        line, points = _within_line(join, ports, lane_x, rising, free)
        lines.append(line)
        routes.append(Route(join.edges[0], points, towards=line.towards, inside=()))
    width, height = max(row, placed.box.width) + 2 * PAD, placed.box.bottom + PAD
    exits = {key: _exit(ports[key], key, side, lane_x, rising, width) for key, side in outside.items() if key in ports}
    whole = Box(0, 0, width, height)
    return Block(
        width, height, inside, exits, tuple(routes), placed.queues, placed.structures, whole, placed.box, tuple(lines)
    )


def _rising(ups: list, within: list[Join]) -> tuple[dict[str, float], float]:
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
    join: Join, ports: dict, lane_x: dict, rising: dict, free: list[list[float]]
) -> tuple[Line, tuple[Point, ...]]:
    """A line between members as it is drawn, and its corners: up, over them and down again.

    Its label stands where no line goes up: over a member that is between the two, or in the room of their gap, `free`.
    """
    (a, b), high = (ports[key] for key in join.ports), rising[join.key]
    one, other = (lane_x[f"{key}^{join.key}"] for key in join.ports)
    points = (a, (one, a[1]), (one, high), (other, high), (other, b[1]), b)
    centre = (one + other) / 2
    places = [[x for x in each if min(one, other) < x < max(one, other)] for each in free]
    x = min(next(filter(None, places), [centre]), key=lambda x: abs(x - centre))
    label = Box(x - join.label / 2, high - LABEL_HEIGHT / 2, join.label, LABEL_HEIGHT) if join.label else None
    channel, towards = join.ports[0] if join.label else "", 1 if other < b[0] else -1
    return Line(join.key, join.edges[0], channel, "", b, towards, label, (x, high), join.link), points


def _end(plan: Outline, id: str, leaving: bool, kind: str, units: dict, where: dict) -> _End:
    """Where a line to or from a shared queue begins in its member: at a port of its queue, a program, or a channel."""
    member = plan.nodes[id].qmgr
    unit, i = units[member], where[member]
    key = f"{id}:{'out' if leaving else 'in'}"
    if key in unit.ports:
        wires = (r.points if leaving else r.points[::-1] for r in unit.routes if r.edge[0 if leaving else 1] == id)
        return _End(member, key, i + leaving, next(wire for wire in wires if wire[-1] == unit.ports[key]))
    if (id, kind) in unit.programs:
        box = unit.programs[id, kind]
        return _End(member, key, i + (kind == "gets"), ((box.x if kind == "puts" else box.right, box.middle),))
    x, y = unit.ports[id]
    left = x <= unit.panel.box.x
    return _End(member, key, i + (not left), ((x + MARK / 2 * (-1 if left else 1), y),))


def _ups(units: dict, where: dict, outside: dict, within: list[Join]) -> list[tuple[str, int, float, str]]:
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


def _between(units: dict, where: dict, within: list[Join]) -> dict[int, tuple[float, set[str]]]:
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
        here.setdefault(end.gap, []).append((end.wire[-1][1], end.key))
    for key, gap, y, line in ups:
        here.setdefault(gap, []).append((-y, f"{key}^{line}"))
    lanes: dict = {}
    widths, rooms = [], {}
    for gap in range(members + 1):
        room, behind = between.get(gap, (0.0, set()))
        order = sorted(here.get(gap, []), key=lambda item: (item[1] in behind, -item[0], item[1]))
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
    """The facility's box, what is in it, and the x of the uprights beside shared queues by (id, edge kind, whether the
    line leaves)."""

    box: Box
    queues: dict[str, Box]
    structures: dict[str, Box]
    lanes: dict[tuple[str, str, bool], float]


def _facility(plan: Outline, group: Group, queues: list[Queue], bus: list[Edge], room: float, y: float) -> _Facility:
    """The coupling facility: structures side by side, each with its queues in rows, so many that it fits in `room`."""
    structures = [s for s in plan.structures if s.group == group.name]
    uprights = sorted({(id, e.kind, leaving) for e in bus for id, leaving in ((e.source, True), (e.target, False))})
    for high in range(1, len(queues) + 2):
        found = _structures(structures, uprights, card_width(queues, 2, True), high, y + 12)
        if found.box.width <= max(room, 420):
            break
    wide = max(found.box.width, room)
    aside = (wide - found.box.width) / 2
    lanes = {key: x + aside for key, x in found.lanes.items()}
    return moved(found, aside, 0)._replace(box=Box(PAD, y, wide, found.box.height + 12 + FOOT), lanes=lanes)


def _structures(structures: list[Structure], uprights: list, card: float, high: int, y: float) -> _Facility:
    """The structures with their queues in at most `high` rows; the box has their size without the facility's head."""
    boxes, cards = {}, {}
    lanes: dict = {}
    x, tallest = PAD + 14.0, 0.0
    for structure in structures:
        left = x
        for begin in range(0, max(1, len(structure.queues)), high):
            ids = structure.queues[begin : begin + high]
            coming, leaving = ([k for k in uprights if k[0] in ids and k[2] is out] for out in (False, True))
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
        x = max(x + SIDE, left + sans_width(structure.name, 13, True) + 150)
        boxes[structure.id] = (left, x - left)
        x += APART
    bottom = max(tallest, y + STRUCTURE_HEAD + 10) + 14
    held = {id: Box(left, y, width, bottom - y) for id, (left, width) in boxes.items()}
    return _Facility(Box(PAD, y, max(x, 200) - PAD, bottom - y + 14), cards, held, lanes)


def _half(edge: Edge, leaving: bool, track: float, ends: dict, lane_x: dict, at: _Facility) -> list[Point]:
    """From one end of a line to its track in the corridor: out of a member, or beside a shared queue."""
    id = edge.source if leaving else edge.target
    if (id, leaving) in ends:
        end = ends[id, leaving]
        wire, lane = end.wire, lane_x[end.key]
    else:
        box, lane = at.queues[id], at.lanes[id, edge.kind, leaving]
        wire = ((box.right if leaving else box.x, box.middle + PORT.get(edge.kind, 0)),)
    return [*wire, (lane, wire[-1][1]), (lane, track)]
