"""What there is to see of a topology at one moment, as plain rows: pure functions, nothing drawn.

`outline` reads the graph once (it does not change from moment to moment); `topology_frame` adds what a replayed state
knows at one time.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from .moments import clock
from .text import plural

__all__ = [
    "Edge",
    "Outline",
    "Program",
    "Queue",
    "QueueManager",
    "QueueNow",
    "TopologyFrame",
    "outline",
    "topology_frame",
]

KINDS = ("alias", "remote", "model", "local", "transmission", "backout", "dead-letter", "initiation")
NO_MESSAGES = frozenset({"alias", "remote", "model"})
_BY_TYPE = {"QALIAS": "alias", "QREMOTE": "remote", "QMODEL": "model"}
_BY_EDGE = {"deadq": "dead-letter", "initq": "initiation", "backout": "backout"}


class QueueManager(NamedTuple):
    """A queue manager of the picture."""

    name: str
    platform: str


class Queue(NamedTuple):
    """A queue as defined: `kind` is one of KINDS, `target` the queue an alias or remote definition leads to."""

    id: str
    qmgr: str
    name: str
    kind: str
    target: str
    maxdepth: int
    put: bool
    get: bool
    description: str


class Program(NamedTuple):
    """An application that has put to, or got from, a queue of this queue manager, or a channel (with its `chltype`)."""

    id: str
    qmgr: str
    name: str
    chltype: str = ""


class Edge(NamedTuple):
    """A line of the picture, from what gives to what takes: `kind` is puts, gets, alias, remote, backout, initq or
    talks (a channel to its partner's)."""

    source: str
    target: str
    kind: str


class Outline(NamedTuple):
    """Everything of a topology that stays the same from moment to moment, in a fixed order."""

    qmgrs: tuple[QueueManager, ...]
    queues: tuple[Queue, ...]
    programs: tuple[Program, ...]
    edges: tuple[Edge, ...]
    links: tuple[tuple[str, str], ...] = ()


class ChannelNow(NamedTuple):
    """A channel at one moment: `state`, the `partner` it talks to ("" for none yet), and whether the path is up."""

    state: str
    partner: str
    up: bool = True


class QueueNow(NamedTuple):
    """A queue at one moment: `depth` counts everything, `lapsed` and `uncommitted` are parts of it.

    `defined` is False while it is still to be defined.
    """

    id: str
    depth: int
    lapsed: int
    uncommitted: int
    maxdepth: int
    put: bool
    get: bool
    defined: bool = True

    @property
    def live(self) -> int:
        """Messages that a get could return."""
        return max(0, self.depth - self.lapsed - self.uncommitted)

    @property
    def full(self) -> bool:
        """Whether the next put would be refused."""
        return 0 < self.maxdepth <= self.depth


class TopologyFrame(NamedTuple):
    """A topology at one moment: the outline, a QueueNow for each queue and a ChannelNow for each channel by id, the
    queue managers that are stopped, and the links that are cut."""

    outline: Outline
    queues: dict[str, QueueNow]
    time_us: int
    start: datetime
    stopped: tuple[str, ...] = ()
    channels: dict[str, ChannelNow] = {}
    cut: tuple[tuple[str, str], ...] = ()

    @property
    def totals(self) -> tuple[int, int, int]:
        """Messages on all queues, those of them that have lapsed, and those not yet committed."""
        rows = self.queues.values()
        return sum(q.depth for q in rows), sum(q.lapsed for q in rows), sum(q.uncommitted for q in rows)

    @property
    def summary(self) -> str:
        """How much there is, in words."""
        depth, lapsed, uncommitted = self.totals
        if not depth:
            queues = plural(sum(q.kind not in NO_MESSAGES for q in self.outline.queues), "queue")
            return ", ".join([f"{queues}, no messages", *self._cuts]) + "."
        text = f"{plural(depth, 'message')} on {plural(sum(q.depth > 0 for q in self.queues.values()), 'queue')}"
        parts = (
            [f"{plural(lapsed, 'has', 'have')} lapsed and still {'counts' if lapsed == 1 else 'count'}"]
            if lapsed
            else []
        )
        parts += [f"{plural(uncommitted, 'is', 'are')} not committed"] if uncommitted else []
        full = sum(q.full for q in self.queues.values())
        parts += [plural(full, "queue is full", "queues are full")] if full else []
        parts += [f"{' and '.join(self.stopped)} stopped"] if self.stopped else []
        return text + (": " + ", ".join(parts + self._cuts) if parts or self.cut else "") + "."

    @property
    def _cuts(self) -> list[str]:
        return [f"the link {one} - {other} is cut" for one, other in self.cut]

    @property
    def sentence(self) -> str:
        """The picture in words, for readers who hear it."""
        names = ", ".join(q.name for q in self.outline.qmgrs) or "No queue manager"
        return f"{names} at {clock(self.start, self.time_us)} UTC: {self.summary}"


def _edge_kind(key, data: dict) -> str:
    return str(data.get("kind", key))


def _queue_kind(data: dict, arriving: set[str]) -> str:
    kind = _BY_TYPE.get(data.get("type"))
    if kind is None and data.get("usage") == "XMITQ":
        kind = "transmission"
    return kind or next((sort for edge, sort in _BY_EDGE.items() if edge in arriving), "local")


def outline(graph, qmgr: str | None = None) -> Outline:
    """The outline of `lab.topology()`, of one queue manager or of all.

    SYSTEM queues are left out unless something leads to them: a program, an alias, the dead-letter attribute.
    """
    nodes = {node: data for node, data in graph.nodes(data=True) if qmgr is None or _owner(node, data) == qmgr}
    lines = [
        (a, b, _edge_kind(key, data))
        for a, b, key, data in graph.edges(keys=True, data=True)
        if a in nodes and b in nodes and _edge_kind(key, data) != "holds"
    ]
    arriving: dict[str, set[str]] = {}
    touched = set()
    for a, b, kind in lines:
        arriving.setdefault(b, set()).add(kind)
        touched |= {a, b}
    lines += [(a, b, "gets") for a, b, kind in lines if kind == "feeds"]
    kept = {n for n, d in nodes.items() if not (d.get("kind") == "queue" and n not in touched and _system(d))}
    nodes = {n: d for n, d in nodes.items() if n in kept}
    edges = sorted({edge for edge in (_edge(nodes, *line) for line in lines) if edge})
    working = {end for e in edges if e.kind in ("puts", "gets") for end in (e.source, e.target)}
    leads = {e.source: nodes[e.target]["name"] for e in edges if e.kind in ("alias", "remote")}
    return Outline(
        tuple(
            QueueManager(str(d.get("name", n)), str(d.get("platform", "")))
            for n, d in nodes.items()
            if d.get("kind") == "qmgr"
        ),
        tuple(
            sorted(
                (
                    _queue(n, d, arriving.get(n, set()), leads.get(n, ""))
                    for n, d in nodes.items()
                    if d.get("kind") == "queue"
                ),
                key=lambda q: (q.qmgr, q.name),
            )
        ),
        tuple(
            sorted(
                (
                    Program(n, _owner(n, d), str(d.get("name", n)), str(d.get("chltype", "")))
                    for n, d in nodes.items()
                    if d.get("kind") == "program" or (d.get("kind") == "channel" and n in working)
                ),
                key=lambda p: (p.qmgr, p.name),
            )
        ),
        tuple(e for e in edges if e.kind != "talks" or {e.source, e.target} <= working),
        tuple(sorted((a, b) for a, b, kind in lines if kind == "link")),
    )


def _owner(node: str, data: dict) -> str:
    return str(data.get("name", node)) if data.get("kind") == "qmgr" else str(data.get("qmgr") or node.split("/", 1)[0])


def _system(data: dict) -> bool:
    return str(data.get("name", "")).startswith("SYSTEM.")


def _queue(node: str, data: dict, arriving: set[str], leads: str) -> Queue:
    target = data.get("target") or (data.get("resolves") if data.get("type") == "QREMOTE" else "") or leads
    return Queue(
        node,
        _owner(node, data),
        str(data["name"]),
        _queue_kind(data, arriving),
        str(target),
        int(data.get("maxdepth") or 0),
        data.get("put", "ENABLED") == "ENABLED",
        data.get("get", "ENABLED") == "ENABLED",
        str(data.get("description") or ""),
    )


def _edge(nodes: dict, a: str, b: str, kind: str) -> Edge | None:
    """A graph edge as a line of the picture, None for one that has no line; the giver is always the source."""
    if a not in nodes or b not in nodes:
        return None
    kinds = nodes[a].get("kind"), nodes[b].get("kind")
    if kind == "talks":
        return Edge(a, b, kind)
    if kind in ("puts", "gets") and set(kinds) in ({"program", "queue"}, {"channel", "queue"}):
        program_first = kinds[0] != "queue"
        program, queue = (a, b) if program_first else (b, a)
        return Edge(program, queue, kind) if kind == "puts" else Edge(queue, program, kind)
    if kinds == ("queue", "queue") and a != b:
        drawn = {"resolves": "alias", "alias": "alias", "xmitq": "remote", "backout": "backout", "initq": "initq"}.get(
            kind
        )
        if drawn == "alias" and nodes[a].get("type") == "QREMOTE":
            drawn = "remote"
        return Edge(a, b, drawn) if drawn else None
    return None


def topology_frame(graph, state, time_us: int, *, start: datetime | None = None) -> TopologyFrame:
    """The topology at one moment.

    Parameters
    ----------
    graph : networkx.MultiDiGraph or Outline
        `lab.topology()`, or the outline made from it.
    state : mqlab.replay.State
        The replayed state at that moment.
    time_us : int
        Microseconds since the lab's start.
    start : datetime, optional
        The lab's start, for the clock; the first moment of 1970 if not given.
    """
    plan = graph if isinstance(graph, Outline) else outline(graph)
    rows = {queue.id: _now(queue, state) for queue in plan.queues}
    stopped = tuple(q.name for q in plan.qmgrs if not state.running.get(q.name, True))
    links = getattr(state, "links", {})
    cut = tuple(link for link in plan.links if not links.get(link, True))
    channels = {p.id: _channel(p, plan, state, cut) for p in plan.programs if p.chltype}
    return TopologyFrame(plan, rows, time_us, start or datetime(1970, 1, 1, tzinfo=UTC), stopped, channels, cut)


def _channel(program: Program, plan: Outline, state, cut: tuple) -> ChannelNow:
    """A channel's state; of several instances the one that is not INACTIVE."""
    known = {p: now for (qmgr, name, p), now in state.channels.items() if (qmgr, name) == (program.qmgr, program.name)}
    partner, now = min(known.items(), key=lambda item: item[1] == "INACTIVE", default=("", "INACTIVE"))
    ends = [e for e in plan.edges if e.kind == "talks" and program.id in (e.source, e.target)]
    others = [e.target if e.source == program.id else e.source for e in ends]
    partner = partner or next((other.split("/", 1)[0] for other in others), "")
    return ChannelNow(now, partner, tuple(sorted((program.qmgr, partner))) not in cut)


def _now(queue: Queue, state) -> QueueNow:
    known = state.queues.get((queue.qmgr, queue.name))
    holds = known is not None and queue.kind not in NO_MESSAGES
    depth = known.depth if holds else 0
    lapsed = state.lapsed(queue.qmgr, queue.name) if depth else 0
    uncommitted = state.uncommitted(queue.qmgr, queue.name) if depth else 0
    told = known.attributes if holds else {}
    # a queue manager comes with its SYSTEM queues; every other queue is told of by the log before it exists
    defined = known is not None or queue.kind in NO_MESSAGES or queue.name.startswith("SYSTEM.")
    put, get = (
        told[word] == "ENABLED" if word in told else was for word, was in (("PUT", queue.put), ("GET", queue.get))
    )
    return QueueNow(queue.id, depth, lapsed, uncommitted, int(told.get("MAXDEPTH", queue.maxdepth)), put, get, defined)
