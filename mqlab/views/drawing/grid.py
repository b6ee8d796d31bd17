"""Which cell of a tidy grid each queue of a queue manager gets: bands by application, chains of what belongs together.

A chain reads the way a message goes: an alias, the queue it stands for, the queue for what could not be handled.
Everything depends on names, kinds and edges alone, so a picture keeps its shape from step to step.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from .outlines import Edge, Queue

__all__ = ["Grid", "arrange", "prefix_of"]

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
