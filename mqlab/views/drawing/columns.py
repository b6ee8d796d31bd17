"""Which column each queue manager stands in, and in which order: those that send to each other are neighbours.

Beginning with layers by distance from where messages start, single moves are tried for as long as one makes the picture
better: nearer to the shape of a screen, with shorter lines. Sizes, lines and names decide, so the result is always the
same.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import networkx as nx

from .boxes import SCREEN

__all__ = ["Between", "columns_of"]

ROOM_ACROSS, ROOM_DOWN = 200, 44
MOST = 6  # columns


class Between(NamedTuple):
    """How many lines run from one block to another."""

    source: str
    target: str
    lines: int


def columns_of(sizes: dict[str, tuple[float, float]], lines: list[Between]) -> list[list[str]]:
    """Blocks, given as name to (width, height), in columns from left to right, each from top to bottom.

    >>> columns_of({"A": (300, 400), "B": (300, 400)}, [Between("B", "A", 1)])
    [['B'], ['A']]
    """
    best = _layers(sizes, lines)
    cost = _cost(best, sizes, lines)
    while True:
        moves = [(round(_cost(move, sizes, lines), 3), i, move) for i, move in enumerate(_moves(best))]
        least, _, better = min(moves, default=(cost, 0, best))
        if least >= cost - 0.001:
            return best
        cost, best = least, better


def _layers(sizes: dict, lines: list[Between]) -> list[list[str]]:
    """Each connected part in layers: first the blocks that mostly send, then those one step away, and so on."""
    graph = nx.Graph()
    graph.add_nodes_from(sorted(sizes))
    graph.add_edges_from((each.source, each.target) for each in sorted(lines))
    sent = {name: sum(e.lines * ((e.source == name) - (e.target == name)) for e in lines) for name in sizes}
    columns: list[list[str]] = []
    for part in sorted(sorted(p) for p in nx.connected_components(graph)):
        first = min(part, key=lambda name: (-sent[name], graph.degree(name), name))
        for depth, layer in enumerate(nx.bfs_layers(graph, [first])):
            if depth == len(columns):
                columns.append([])
            columns[depth] += sorted(layer)
    while len(columns) > MOST:
        last = columns.pop()
        columns[-1] += last
    return columns


def _moves(columns: list[list[str]]):
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
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            swap = {one: other, other: one}
            yield [[swap.get(name, name) for name in column] for column in columns]


def _cost(columns: list[list[str]], sizes: dict, lines: list[Between]) -> float:
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
    wide, high = max(width, 300) / SCREEN[0], max(tallest, 300) / SCREEN[1]
    cost = 1000 * (max(wide, high) + 0.35 * min(wide, high))
    passages = set()
    for source, target, many in lines:
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
