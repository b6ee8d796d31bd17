"""Where everything of a topology stands: queue managers in columns, and the lines between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import ceil
from typing import Any

import networkx as nx

from ..frames.topology import Edge, Outline
from ..text import mono_width
from .boxes import MARGIN, SCREEN, Box, Join, Layout, Line, Point, Route, moved
from .group_layout import Block, group_block, shared_ports
from .qmgr_layout import MARK, Port, Unit, best_unit
from .route_curves import Curve, Stop, Way, curves_of, gap_width
from .svg_shapes import line_path

ROOM_ACROSS, ROOM_DOWN = 200, 44
MOST = 6  # columns
SEARCHED = 16  # blocks up to which the best columns are searched for, which takes long


Lines = dict[tuple[str, str], int]
"""How many lines run from one block to another."""


def columns_of(sizes: dict[str, tuple[float, float]], lines: Lines) -> list[list[str]]:
    """Blocks, given as name to (width, height), in columns from left to right, each from top to bottom.

    >>> columns_of({"A": (300, 400), "B": (300, 400)}, {("B", "A"): 1})
    [['B'], ['A']]
    """
    best = _layers(sizes, lines)
    if len(sizes) > SEARCHED:
        return best
    cost = _cost_of_columns(best, sizes, lines)
    while True:
        moves = [(round(_cost_of_columns(move, sizes, lines), 3), i, move) for i, move in enumerate(_moves(best))]
        least, _, better = min(moves, default=(cost, 0, best))
        if least >= cost - 0.001:
            return best
        cost, best = least, better


def _layers(sizes: dict, lines: Lines) -> list[list[str]]:
    """Each connected part in layers: first the blocks that mostly send, then those one step away, and so on."""
    graph = nx.Graph()
    graph.add_nodes_from(sorted(sizes))
    graph.add_edges_from(sorted(lines))
    sent = {name: sum(many * ((a == name) - (b == name)) for (a, b), many in lines.items()) for name in sizes}
    columns: list[list[str]] = []
    for part in sorted(sorted(p) for p in nx.connected_components(graph)):
        first = min(part, key=lambda name: (-sent[name], graph.degree(name), name))
        for depth, layer in enumerate(nx.bfs_layers(graph, [first])):
            if depth == len(columns):
                columns.append([])
            columns[depth] += sorted(layer)
    while len(columns) > MOST:
        i = min(range(len(columns) - 1), key=lambda i: len(columns[i] + columns[i + 1]))
        columns[i : i + 2] = [columns[i] + columns[i + 1]]
    return columns


def _moves(columns: list[list[str]]) -> Any:
    """Every arrangement that differs by the place of one block, or by two blocks that change places."""
    names = sorted(name for column in columns for name in column)
    for name in names:
        rest = [[other for other in column if other != name] for column in columns]
        rest = [column for column in rest if column]
        for c, column in enumerate(rest):
            for at in range(len(column) + 1):
                yield [*rest[:c], [*column[:at], name, *column[at:]], *rest[c + 1 :]]
        if len(rest) < MOST:
            for c in range(len(rest) + 1):
                yield [*rest[:c], [name], *rest[c:]]
    for one, other in combinations(names, 2):
        swap = {one: other, other: one}
        yield [[swap.get(name, name) for name in column] for column in columns]


def _cost_of_columns(columns: list[list[str]], sizes: dict, lines: Lines) -> float:
    """How far from the shape of a screen a picture is, and how long and how crooked its lines are."""
    places: dict[str, tuple[int, float]] = {}
    width, heights = ROOM_ACROSS * (len(columns) - 1), []
    for column in columns:
        width += max(sizes[name][0] for name in column)
        heights.append(sum(sizes[name][1] for name in column) + ROOM_DOWN * (len(column) - 1))
    tallest = max(heights, default=0)
    for c, column in enumerate(columns):
        y = (tallest - heights[c]) / 2
        for name in column:
            places[name] = (c, y + sizes[name][1] / 2)
            y += sizes[name][1] + ROOM_DOWN
    cost = 1000 * _shrinkage(max(width, 300), max(tallest, 300))
    passages = set()
    for (source, target), many in lines.items():
        (a, y), (b, z) = sorted((places[source], places[target]))
        cost += 0.12 * abs(y - z) + {0: 90, 1: 0}.get(b - a, 160 * (b - a))
        if places[target][0] < places[source][0]:
            cost += 6 * many
        if b - a == 1:
            passages.add((a, y, z))
    crossing = sum(
        one[0] == other[0] and (one[1] - other[1]) * (one[2] - other[2]) < 0 for one, other in combinations(passages, 2)
    )
    names = [name for column in columns for name in column]
    return cost + 15 * crossing + 0.01 * sum(abs(i - sorted(names).index(name)) for i, name in enumerate(names))


PICTURE_HEAD = 72  # the time, and two lines of what there is
NARROWEST = 620
AROUND = 14  # from the side of a column to a line that runs around a block
LABEL_NAME = 11.5


def route_key(edge: Edge) -> str:
    """What a line of the picture is called: `source>target`, the ids of what it joins."""
    return f"{edge.source}>{edge.target}"


def route_paths(layout: Layout) -> dict[str, str]:
    """The SVG path data of each line's whole way by its `route_key`, curved where the line is, from giver to taker.

    A channel's way is from mark to mark; what its sender gets comes to the first, what its receiver puts leaves the
    second.
    """
    return {route_key(r.edge): r.path or line_path(r.points) for r in layout.routes}


def lay_out(plan: Outline) -> Layout:
    """Lay out an outline: queue managers as panels, queues in them, putters on their left and getters on their right,
    channels between them.

    Nothing overlaps, and the result depends on the outline only.
    """
    if len(plan.qmgrs) < 2:
        return _picture(plan, 7)
    return min((_picture(plan, most) for most in (1, 2, 3)), key=lambda layout: _shrinkage(layout.width, layout.height))


def _shrinkage(width: float, height: float) -> float:
    """How much a picture must shrink to fit a screen, its smaller side counting a little too."""
    wide, high = width / SCREEN[0], height / SCREEN[1]
    return max(wide, high) + 0.35 * min(wide, high)


def _picture(plan: Outline, most: int) -> Layout:
    """The layout in which no queue manager has more columns of queues than `most`."""
    homes = {id: node.qmgr for id, node in plan.nodes.items()} | {q.name: q.name for q in plan.qmgrs}
    blocks = {q.name: q.name for q in plan.qmgrs} | {m: g.name for g in plan.groups for m in g.members}
    joins = _joins(plan, homes)
    sides: dict[str, str] = {}
    made = _blocks(plan, most, joins, blocks, sides, {})
    lines = Counter((blocks[j.source], blocks[j.target]) for j in joins if j.target and not _within(j, blocks))
    sizes = {name: (block.width, block.height) for name, block in made.items()}
    columns = columns_of(sizes, dict(sorted(lines.items())))
    column = {name: c for c, names in enumerate(columns) for name in names}
    for join in joins:
        for key, side in zip(join.ports, _sides(join, blocks, column, len(columns)), strict=True):
            sides.setdefault(key, side)
    wishes: dict[str, float] = {}
    wired = {end for e in plan.edges if e.kind == "gets" for end in e[:2]}
    queues = {q.id for q in plan.queues}
    wired |= {key for j in joins for end, key in enumerate(j.ports) if any(e[end] in queues for e in j.edges)}
    for _ in range(3):
        made = _blocks(plan, most, joins, blocks, sides, wishes)
        places, spans, clear, width, height = _places(made, columns, joins, blocks, column)
        made = {name: moved(block, *places[name]) for name, block in made.items()}
        wishes = _wishes(made, joins, wired)
    ways = [_way(j, made, blocks, column, spans, clear) for j in joins if not _within(j, blocks)]
    curves = curves_of(ways, spans, clear, PICTURE_HEAD)
    return _composed(plan, made, joins, curves, width, height)


def _joins(plan: Outline, homes: dict) -> list[Join]:
    """Everything that runs between queue managers, and the channels whose partner is not known."""
    names = {p.id: p.name for p in plan.programs if p.chltype}
    joins: list[Join] = []
    flows: dict[tuple[str, str, str], list[Edge]] = {}
    for edge in plan.edges:
        ends = homes.get(edge.source, ""), homes.get(edge.target, "")
        if edge.kind == "talks":
            joins.append(Join(route_key(edge), *ends, edge[:2], (edge,), _label_width(names[edge.source])))
        elif edge.kind in ("transmits", "pulls") and ends[0] != ends[1]:
            flows.setdefault((*ends, edge.kind), []).append(edge)
        elif edge.kind == "link":
            joins.append(Join(route_key(edge), *ends, (f"{route_key(edge)}:out", f"{route_key(edge)}:in"), (edge,), 0))
    for (source, target, kind), edges in sorted(flows.items()):
        key = f"{source}>{target}:{kind}"
        joins.append(Join(key, source, target, (f"{key}:out", f"{key}:in"), tuple(edges), 0))
    talking = {id for join in joins for id in join.ports}
    joins += [
        Join(id, homes[id], "", (id, ""), (), _label_width(name)) for id, name in names.items() if id not in talking
    ]
    return joins


def _label_width(name: str) -> float:
    return max(104, ceil(min(mono_width(name, LABEL_NAME), mono_width("M" * 20, LABEL_NAME))) + 40)


def _within(join: Join, blocks: dict) -> bool:
    return blocks[join.source] == blocks.get(join.target)


def _sides(join: Join, blocks: dict, column: dict, columns: int) -> tuple[str, str]:
    """On which side of its queue manager each end of a line is."""
    if not join.target:
        return "right", ""
    if _within(join, blocks):
        return ("right", "left") if join.source < join.target else ("left", "right")
    a, b = column[blocks[join.source]], column[blocks[join.target]]
    if a == b:
        side = "right" if a < columns - 1 or not a else "left"
        return side, side
    return ("right", "left") if a < b else ("left", "right")


def _blocks(plan: Outline, most: int, joins: list[Join], blocks: dict, sides: dict, wishes: dict) -> dict[str, Block]:
    """Every queue manager, and every group with its members, laid out with the ports it needs."""
    groups = {m: g for g in plan.groups for m in g.members}
    among = len(plan.qmgrs) > 1
    units: dict[str, Unit] = {}
    for qmgr in plan.qmgrs:
        ports = _ports(plan, qmgr.name, joins, sides, wishes)
        if qmgr.name in groups:
            ports += shared_ports(plan, qmgr.name, groups[qmgr.name].name)
        units[qmgr.name] = best_unit(plan, qmgr.name, ports, most, among)
    made: dict[str, Block] = {}
    for name in dict.fromkeys(blocks[q.name] for q in plan.qmgrs):
        group = next((g for g in plan.groups if g.name == name), None)
        if group is None:
            unit = units[name]
            sides_x = 0.0, unit.width
            exits: dict = {k: ((x, y), (sides_x[x > unit.panel.box.x], y)) for k, (x, y) in unit.ports.items()}
            made[name] = Block(unit.width, unit.height, (unit,), exits)
        else:
            keys = [k for j in joins if not _within(j, blocks) for k in j.ports if k]
            outside = {key: sides.get(key, "right") for key in keys}
            within = [j for j in joins if _within(j, blocks) and blocks[j.source] == name]
            made[name] = group_block(plan, group, units, outside, within)
    return made


def _ports(plan: Outline, qmgr: str, joins: list[Join], sides: dict, wishes: dict) -> tuple[Port, ...]:
    """The ports of a queue manager for its channels and its other lines to others."""
    cells = {q.id for q in plan.queues if q.qmgr == qmgr}
    ports: dict[str, Port] = {}
    for join in joins:
        for key, here in zip(join.ports, (join.source, join.target), strict=True):
            if not key or here != qmgr or key in ports:
                continue
            flow = join.edges and join.edges[0].kind in ("transmits", "pulls")
            near = join.edges if flow else [e for e in plan.edges if key in e[:2]]
            edges = tuple(e for e in near if cells & set(e[:2]))
            ports[key] = Port(key, sides.get(key, "right"), edges, wishes.get(key))
    return tuple(ports.values())


def _places(made: dict, columns: list[list[str]], joins: list[Join], blocks: dict, column: dict) -> Any:
    """The corner of each block, the sides of the columns, where lines can pass between blocks, and the size of all."""
    labels: list[list[float]] = [[] for _ in columns]
    plain = [False] * len(columns)
    last = len(columns) - 1
    for join in joins:
        if _within(join, blocks):
            continue
        a = column[blocks[join.source]]
        b = column[blocks[join.target]] if join.target else a
        back = b < a or (b == a == last and a and join.target)  # beside the column: on its right, if there is room
        gap = a - 1 if back else a
        if join.label:
            labels[gap].append(join.label)
        for between in range(min(a, b, gap), max(a, b, gap + 1)):
            plain[between] = True
    heights = [sum(made[n].height for n in names) + ROOM_DOWN * (len(names) - 1) for names in columns]
    tallest = max(heights, default=0)
    places, spans, clear, x = {}, [], [], float(MARGIN)
    if sum(len(names) for names in columns) == 1 and not any(labels):
        x += max(0.0, (NARROWEST - made[columns[0][0]].width) / 2)
    for c, names in enumerate(columns):
        wide = max(made[n].width for n in names)
        y = PICTURE_HEAD + (tallest - heights[c]) / 2
        clear.append([y - ROOM_DOWN / 2])
        for name in names:
            places[name] = (x + (wide - made[name].width) / 2, y)
            y += made[name].height + ROOM_DOWN
            clear[-1].append(y - ROOM_DOWN / 2)
        spans.append((x, x + wide))
        x += wide + (gap_width(labels[c], plain[c]) if c < last or labels[c] or plain[c] else 0)
    if last >= 0 and not labels[last] and plain[last]:
        x = spans[last][1] + 60
    return places, spans, clear, x, PICTURE_HEAD + tallest


def _wishes(made: dict, joins: list[Join], wired: set[str]) -> dict[str, float]:
    """The height, from the top of its queue manager, at which a port would be level with its partner's.

    Only one end of a line follows the other, the one that wires inside bind less: so both sides have the same order.
    """
    wishes: dict[str, float] = {}
    at = {key: corners[0][1] for block in made.values() for key, corners in block.exits.items()}
    tops = {unit.panel.name: unit.panel.box.y for block in made.values() for unit in block.units}
    for join in joins:
        (source, target), here = join.ports, join.target
        if source not in wired and target in wired:
            source, target, here = target, source, join.source
        if source in at and target in at:
            wishes.setdefault(target, at[source] - tops[here])
    return wishes


def _way(join: Join, made: dict, blocks: dict, column: dict, spans: list, clear: list) -> Way:
    stops: list[Any] = []
    sides = _sides(join, blocks, column, len(spans))
    for key, qmgr, side in zip(join.ports, (join.source, join.target), sides, strict=True):
        if not qmgr:
            stops.append(None)
            continue
        at, corners = column[blocks[qmgr]], made[blocks[qmgr]].exits[key]
        right = corners[-1][0] > sum(spans[at]) / 2
        if right != (side == "right"):  # around its block to the other side: lines come to it from both sides
            (left, end), y = spans[at], corners[-1][1]
            out, over = (end + AROUND if right else left - AROUND), min(clear[at], key=lambda c: (abs(c - y), c))
            corners = (*corners, (out, y), (out, over), (left + 1 if right else end - 1, over))
        stops.append(Stop(corners, at))
    return Way(join.key, stops[0], stops[1], join.label)


def _composed(plan: Outline, made: dict, joins: list[Join], curves: dict, width: float, height: float) -> Layout:
    """The whole picture from its blocks and the curves between them."""
    blocks = list(made.values())
    units = [unit for block in blocks for unit in block.units]
    routes = {r.edge: r for each in (*units, *blocks) for r in each.routes}
    lines = [line._replace(path=line_path(routes[line.edge].points)) for block in blocks for line in block.inner]
    for join in joins:
        if join.key in curves:
            lines.append(_line(join, curves[join.key]))
            routes |= {edge: _whole(edge, routes.get(edge), curves[join.key]) for edge in join.edges}
    channels = {p.id for p in plan.programs if p.chltype}
    ports = {key: point for unit in units for key, point in unit.ports.items() if key in channels}
    labels = [line.label for line in lines if line.label]
    drawn = [point for route in routes.values() for point in route.points]
    groups = {name: block for name, block in made.items() if block.group}
    return Layout(
        max([width, NARROWEST + MARGIN, *(b.right for b in labels), *(x for x, _ in drawn)]) + MARGIN,
        max([height, *(b.bottom for b in labels), *(y for _, y in drawn)]) + MARGIN,
        tuple(unit.panel for unit in units),
        {id: box for each in (*units, *blocks) for id, box in each.queues.items()},
        {user: box for unit in units for user, box in unit.programs.items()},
        tuple(routes[e] for e in plan.edges if e in routes),
        {key: Box(x - MARK / 2, y - MARK / 2, MARK, MARK) for key, (x, y) in sorted(ports.items())},
        {id: box for block in blocks for id, box in block.structures.items()},
        {name: block.group for name, block in groups.items()},
        {name: block.facility for name, block in groups.items()},
        tuple(lines),
    )


def _line(join: Join, curve: Curve) -> Line:
    """A join as it is drawn."""
    channel, edge = join.ports[0] if join.label else "", join.edges[0] if join.edges else None
    key = join.key if join.target else f"{join.key}:line"
    towards = _heading(curve.points)
    return Line(key, edge, channel, curve.path, curve.points[-1], towards, curve.label, curve.middle, join.link)


def _heading(points: Sequence[Point]) -> int:
    """Which way a line runs where it ends: 1 to the right, -1 to the left."""
    end = points[-1][0]
    return next((1 if x < end else -1 for x, _ in points[-2::-1] if x != end), 1)


def _whole(edge: Edge, wire: Route | None, curve: Curve) -> Route:
    """The way of an edge that leaves its queue manager: the wire inside before or after the curve."""
    if wire is None:
        points, path = curve.points, curve.path
    elif wire.points[-1] == curve.points[0]:
        points, path = (*wire.points, *curve.points[1:]), line_path(wire.points) + "L" + curve.path[1:]
    else:
        points, path = (*curve.points, *wire.points[1:]), curve.path + "L" + line_path(wire.points)[1:]
    towards = wire.towards if wire and points[-1] == wire.points[-1] else _heading(points)
    return Route(edge, tuple(points), path, towards, wire.points if wire else ())
