"""A topology as plain rows: `outline` reads what never changes from the graph, `topology_frame` adds one moment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from datetime import UTC, datetime
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.explain.replay import MessageState, QueueState, State, place_of
from ...engine.programs.channels.channel import MOVING
from ...engine.world.event import Event
from ...engine.world.event_kinds import ARRIVES
from ..text import plural
from .moments import clock

if TYPE_CHECKING:
    from networkx import MultiDiGraph

NO_MESSAGES = frozenset({"alias", "remote", "model", "cluster", "synchronous", "home-server"})
_BY_TYPE = {
    "QALIAS": "alias",
    "QREMOTE": "remote",
    "QMODEL": "model",
    "QCLUSTER": "cluster",
    "MQE.SYNC": "synchronous",
    "MQE.ASYNC": "asynchronous",
    "MQE.HOME": "home-server",
    "MQE.FORWARD": "store-and-forward",
}
_BY_EDGE = {"deadq": "dead-letter", "initq": "initiation", "backout": "backout"}
_BETWEEN_QUEUES = {"resolves": "alias", "alias": "alias", "xmitq": "remote", "backout": "backout", "initq": "initq"}
_BY_TOPIC = {("puts", ("program", "topic")), ("alias", ("queue", "topic")), ("subscribes", ("topic", "queue"))}
KINDS = frozenset({*_BY_TYPE.values(), *_BY_EDGE.values(), "transmission", "local"})
FEW = 8  # queue managers that a sentence names
FRONT = 8  # messages of a queue that are drawn one by one
RUNS = 200  # messages of a queue whose order is drawn
DRAWN = (*MOVING, "SVRCONN", "CLUSSDR", "CLUSRCVR")  # types of channels
REPOSITORY_MANAGER = "REPOSITORY.MANAGER"  # as rows call it
NEVER = 1 << 60  # a row that no log has
MANY = 40  # queues: from here on the picture is of the network, and initiation queues of channels are left out


class QueueManager(NamedTuple):
    """A queue manager of the picture; `listens` are the ports of its listeners, as text, `clusters` those that it is a
    member of, and `repository` those of which it is a full repository."""

    name: str
    platform: str
    listens: str = ""
    clusters: str = ""
    repository: str = ""


class Queue(NamedTuple):
    """A queue as defined: `kind` is one of KINDS, `target` the queue an alias or remote definition leads to, `maxdepth`
    0 for no limit, `cluster` the clusters it is in, as text."""

    id: str
    qmgr: str
    name: str
    kind: str
    target: str
    maxdepth: int
    put: bool
    get: bool
    description: str
    cluster: str = ""


class Program(NamedTuple):
    """A node that sends or receives messages and holds none: an application that has put to, or got from, a queue of
    this queue manager, a channel (with its `chltype`, and the clusters it is in), or a topic (with its topic
    string); `client` is the id of the SVRCONN channel that a client comes in through, or of its queue manager."""

    id: str
    qmgr: str
    name: str
    chltype: str = ""
    cluster: str = ""
    topic: str = ""
    client: str = ""


class Structure(NamedTuple):
    """A coupling facility structure of a group, with the ids of the shared queues in it."""

    id: str
    group: str
    name: str
    queues: tuple[str, ...]
    recoverable: bool = False


class Group(NamedTuple):
    """A queue sharing group and the names of its members."""

    name: str
    members: tuple[str, ...]


class Edge(NamedTuple):
    """A line of the picture, from what gives to what takes: `kind` is puts, gets, alias, remote, backout, initq,
    subscribes (topic to queue), connects (a client to its channel, whose calls are then the channel's), talks (the end
    of a channel that sends to the end that receives), repositories (the same, if only repository managers of clusters
    have used it), link (two queue managers that nothing else joins), and of MQ Everyplace transmits, delivers (from a
    home-server queue) and pulls, which alone goes from what takes, the home-server queue, to what gives; a queue
    manager can be at its end."""

    source: str
    target: str
    kind: str

    @property
    def id(self) -> str:
        """The name of the line in the facts of a moment."""
        return f"edge:{self.source}>{self.target}:{self.kind}"


Stretch = tuple[int, int, tuple[str, ...]]
"""The first row of a stretch, the row that ends it, and words."""


class Outline(NamedTuple):
    """Everything of a topology that stays the same from moment to moment, in a fixed order.

    A group is one of `groups` and none of `qmgrs`; its shared queues have its name as their `qmgr`. `since` has the
    lines that are not there as soon as their ends are, with the row of the log that brings each; those to a backout or
    initiation queue come and go with the attributes of their queue. `stops` has the stretches in which a client is
    outside, by its id, with the parts of what keeps it there, and those in which a queue manager is suspended, with the
    clusters. `look` is that of `mqlab.views.frames.look`.
    """

    qmgrs: tuple[QueueManager, ...]
    queues: tuple[Queue, ...]
    programs: tuple[Program, ...]
    edges: tuple[Edge, ...]
    links: tuple[tuple[str, str], ...] = ()
    groups: tuple[Group, ...] = ()
    structures: tuple[Structure, ...] = ()
    since: Mapping[Edge, int] = {}
    stops: Mapping[str, tuple[Stretch, ...]] = {}
    look: Mapping[str, Any] = {}

    @property
    def nodes(self) -> dict[str, Queue | Program]:
        """The queues and programs by id."""
        found: list[Queue | Program] = [*self.queues, *self.programs]
        return {node.id: node for node in found}


def outline(graph: MultiDiGraph, qmgr: str | None = None) -> Outline:
    """The outline of `lab.topology()`, of one queue manager or of all.

    SYSTEM queues are left out unless something leads to them: a program, an alias, the dead-letter attribute; and
    SYSTEM.CHANNEL.INITQ if there are many queues. So are copies of publications that the queue manager puts,
    and trigger messages that it puts or its channel initiator gets: the lines of subscriptions, and that to the
    initiation queue, stand for them. The messages between repository managers of clusters are left out, too.
    """
    nodes = {node: data for node, data in graph.nodes(data=True) if qmgr is None or _owner(data) == qmgr}
    nodes |= homes_of(nodes)
    every = [(a, b, kind) for a, b, kind in graph.edges(data="kind") if a in nodes and b in nodes]
    lines = [line for line in every if line[2] != "holds"]
    arriving: dict[str, set[str]] = {}
    for _, b, kind in lines:
        arriving.setdefault(b, set()).add(kind)
    lines += [(a, b, "gets") for a, b, kind in lines if kind == "feeds"]
    # queues and channels that come with every queue manager are shown only where something of one's own leads to them
    given = {n for n, d in nodes.items() if d["kind"] in ("queue", "channel") and d["name"].startswith("SYSTEM.")}
    touched = {end for line in lines if not given.issuperset(line[:2]) for end in line[:2]}
    nodes = {n: d for n, d in nodes.items() if n in touched or n not in given}
    edges = {edge for edge in (_edge(nodes, *line) for line in lines) if edge}
    many = sum(d["kind"] == "queue" for d in nodes.values()) > MANY
    hidden = {n for n, d in nodes.items() if many and d["name"] == "SYSTEM.CHANNEL.INITQ"}
    hidden |= _of_repositories(nodes, edges)
    callers = {n for n, d in nodes.items() if d["kind"] == "program" and "homes" in nodes.get(d["name"], ())}
    hidden |= callers - {end for e in edges for end in e[:2]}  # other lines show their work
    silent = {e for e in edges if hidden & {e.source, e.target} or _by_itself(nodes, arriving, e)}
    edges -= silent
    quiet = {_edge(nodes, a, b, "talks") for a, b, data in graph.edges(data=True) if data.get("repositories")}
    edges = {e._replace(kind="repositories") if e in quiet else e for e in edges}
    idle = {n for e in silent for n in e[:2]} - {n for e in edges for n in e[:2]}
    nodes = {n: d for n, d in nodes.items() if n not in hidden and not (n in idle and d["kind"] == "program")}
    links = sorted({tuple(sorted((a, b))) for a, b, kind in lines if kind == "link"})
    joined = {frozenset(_owner(nodes[n]) for n in e[:2]) for e in edges}
    joined |= {frozenset((a, b)) for a, b, data in graph.edges(data=True) if data.get("spare")}
    edges |= {Edge(a, b, "link") for a, b in links if frozenset((a, b)) not in joined}
    leads = {e.source: nodes[e.target]["name"] for e in sorted(edges) if e.kind in ("alias", "remote")}
    queues = [_queue(n, d, arriving.get(n, ()), leads.get(n, "")) for n, d in nodes.items() if d["kind"] == "queue"]
    called = {n: d for n, d in nodes.items() if _kind(d) in ("program", "topic")}
    clients = {e.source: e.target for e in edges if e.kind == "connects"}
    own = ("chltype", "cluster", "string")
    programs = [
        Program._make((n, d["qmgr"], d["name"], *(d.get(word, "") for word in own), clients.get(n, "")))
        for n, d in called.items()
    ]
    stops: dict[str, tuple[Stretch, ...]] = {}
    for client, _, data in graph.edges(data=True):
        if data["kind"] == "refused" and client in clients:
            said = (data["record"], *([f"TYPE({data['type']})"] if data["type"] else []))
            stretch = (data["first"], data["until"] if data["until"] >= 0 else NEVER, said)
            stops[client] = tuple(sorted((*stops.get(client, ()), stretch)))
    owners = (d for d in nodes.values() if d["kind"] == "qmgr")
    managers = [
        QueueManager(d["name"], *(d.get(word, "") for word in ("platform", "listens", "clusters", "repository")))
        for d in owners
    ]
    groups = sorted(each.name for each in managers if each.platform == "group")
    return Outline(
        tuple(each for each in managers if each.platform != "group"),
        tuple(sorted(queues, key=lambda q: (q.qmgr, q.name))),
        tuple(sorted(programs, key=lambda p: (p.qmgr, p.name))),
        tuple(sorted(edges)),
        tuple(links),
        tuple(Group(n, tuple(sorted(b for a, b, kind in lines if kind == "member" and a == n))) for n in groups),
        tuple(_structures(nodes, every)),
        _since(graph, nodes, edges),
        dict(sorted(stops.items())),
    )


def suspensions(rows: Iterable[Event]) -> dict[str, tuple[Stretch, ...]]:
    """The stretches in which members of clusters know a queue manager as suspended, from rows of kind `cluster`."""
    known: dict[str, set[tuple]] = {}
    found: dict[str, list[Stretch]] = {}
    for row in (row for row in rows if "suspended" in row.facts):
        name = row.facts["name"]
        knowing, own = known.setdefault(name, set()), found.setdefault(name, [])
        before = {cluster for cluster, _ in knowing}
        (knowing.add if row.facts["suspended"] else knowing.discard)((row.object, row.qmgr))
        if (now := {cluster for cluster, _ in knowing}) != before:
            own[-1:] = [(first, min(until, row.seq), said) for first, until, said in own[-1:]]
            own += [(row.seq, NEVER, tuple(sorted(now)))] if now else []
    return {name: tuple(own) for name, own in found.items() if own}


def _since(graph: MultiDiGraph, nodes: dict, edges: Collection[Edge]) -> dict[Edge, int]:
    """The lines that come later than their ends, and by which row; what is defined wins over what is only used."""
    found = {edge: 0 for edge in sorted(edges) if edge.kind in ("backout", "initq")}
    defined = {_edge(nodes, a, b, "gets") for a, b, kind in graph.edges(data="kind") if kind == "feeds"}
    for a, b, data in graph.edges(data=True):
        edge = _edge(nodes, a, b, data["kind"]) if "first" in data else None
        if edge is not None and edge in edges and edge not in defined:
            found[edge] = min(data["first"], found.get(edge, data["first"]))
    return found


def merged(one: Outline, other: Outline) -> Outline:
    """One outline of two labs: everything that either has, as `one` has it where both do, but no `since`: see
    `seen_by`."""

    def both(field: str, *place: str) -> tuple:
        rows = {each[0]: each for each in (*getattr(other, field), *getattr(one, field))}
        return tuple(sorted(rows.values(), key=attrgetter(*place)))

    queues, programs = both("queues", "qmgr", "name"), both("programs", "qmgr", "name")
    edges, links = tuple(sorted({*one.edges, *other.edges})), tuple(sorted({*one.links, *other.links}))
    managers, groups, structures = both("qmgrs", "name"), both("groups", "name"), both("structures", "id")
    return Outline(managers, queues, programs, edges, links, groups, structures)


def seen_by(both: Outline, own: Outline) -> Outline:
    """The outline of two labs with the `since` and `stops` of one; lines that this lab lacks are never shown."""
    return both._replace(
        stops=own.stops, since=dict(own.since) | dict.fromkeys(sorted(set(both.edges) - set(own.edges)), NEVER)
    )


def _of_repositories(nodes: dict, edges: Collection[Edge]) -> set[str]:
    """The repository managers and their queues, and the transmission queues that only they use and that are empty."""
    own = {n for n, d in nodes.items() if d["name"] == REPOSITORY_MANAGER and d["kind"] == "program"}
    queues = {n for n, d in nodes.items() if d["kind"] == "queue" and d["name"].startswith("SYSTEM.CLUSTER.")}
    own |= {n for n in queues if nodes[n].get("usage") != "XMITQ"}
    used = {e.target for e in edges if e.source not in own and e.kind != "gets"}
    return own | {n for n in queues if n not in used and not nodes[n].get("depth")}


def _by_itself(nodes: dict, arriving: dict[str, set[str]], edge: Edge) -> bool:
    """Whether a call is the queue manager's own and another line shows it already."""
    # it puts a trigger message or a copy of a publication, or its channel initiator gets a trigger message
    if edge.kind not in ("puts", "gets"):
        return False
    program, queue = edge[:2] if edge.kind == "puts" else edge[1::-1]
    name, owner = nodes[program]["name"], nodes[program]["qmgr"]
    told = arriving.get(queue, ())
    return ("initq" in told and name in (owner, "CHANNEL.INITIATOR")) or ("subscribes" in told and name == owner)


def _structures(nodes: dict, every: list) -> list[Structure]:
    """The structures that hold a queue of the picture, or that the lab has defined itself."""
    held: dict[str, list[str]] = {n: [] for n, d in nodes.items() if d["kind"] == "structure"}
    for a, b, kind in every:
        if kind == "holds" and a in held and b in nodes:
            held[a].append(b)
    return [
        Structure(n, nodes[n]["qmgr"], nodes[n]["name"], tuple(sorted(ids)), nodes[n]["recoverable"])
        for n, ids in sorted(held.items())
        if ids or not nodes[n]["name"].startswith("CSQSYS")
    ]


def _kind(data: dict) -> str:
    """The kind of a node, with a channel that carries messages as a program like any other."""
    return "program" if data["kind"] == "channel" and data["chltype"] in DRAWN else data["kind"]


def _owner(data: dict) -> str:
    return data["name"] if data["kind"] == "qmgr" else data["qmgr"]


def _queue(node: str, data: dict, arriving: Collection[str], leads: str) -> Queue:
    type, name = data["type"], data["name"]
    kind = _BY_TYPE.get(type) or ("transmission" if data.get("usage") == "XMITQ" else "")
    target = data.get("target") or (data.get("resolves") if type in ("QREMOTE", "QCLUSTER") else "") or leads
    if not target and type in ("MQE.SYNC", "MQE.ASYNC", "MQE.HOME"):
        target = name.partition("@")[2]
    kind = kind or next((sort for edge, sort in _BY_EDGE.items() if edge in arriving), "local")
    may_put, may_get = (data.get(way, "ENABLED") == "ENABLED" for way in ("put", "get"))
    description, most = data.get("description", ""), data.get("maxdepth", 0)
    return Queue(node, data["qmgr"], name, kind, target, most, may_put, may_get, description, data.get("cluster", ""))


def _edge(nodes: dict, a: str, b: str, kind: str) -> Edge | None:
    """A graph edge as a line of the picture, or None; the sender is always the source."""
    if a not in nodes or b not in nodes:
        return None
    kinds = _kind(nodes[a]), _kind(nodes[b])
    if kind == "talks" and kinds == ("program", "program"):
        return Edge(b, a, kind) if nodes[a]["chltype"] == "RQSTR" else Edge(a, b, kind)
    if kind in ("transmits", "pulls") and set(kinds) == {"queue", "qmgr"}:
        return own_line(nodes, Edge(a, b, kind))
    if kind == "connects":
        return Edge(a, b, kind)
    a, b = (_through(nodes, end) if kind in ("puts", "gets") else end for end in (a, b))
    if (kind, kinds) in _BY_TOPIC:
        return Edge(a, b, kind)
    if kind in ("puts", "gets") and set(kinds) == {"program", "queue"}:
        return own_line(nodes, Edge(a, b, kind) if (kinds[0] == "program") == (kind == "puts") else Edge(b, a, kind))
    if kinds == ("queue", "queue") and a != b and kind in _BETWEEN_QUEUES:
        through = nodes[a].get("type") in ("QREMOTE", "QLOCAL", "QCLUSTER") and _BETWEEN_QUEUES[kind] == "alias"
        return Edge(a, b, "remote" if through else _BETWEEN_QUEUES[kind])
    return None


def _through(nodes: dict, node: str) -> str:
    """The channel of a client, which puts and gets for it; else the node itself."""
    channel = f"{nodes[node].get('qmgr')}/channel:{nodes[node].get('client')}"
    return channel if channel in nodes else node


class ChannelNow(NamedTuple):
    """A channel at one moment: `state`, the `partner` it talks to ("" for none yet), and how many messages it has sent
    and not had confirmed."""

    state: str
    partner: str
    indoubt: int = 0


class MessageNow(NamedTuple):
    """A message on a queue: `state` is "live", "uncommitted" or "locked" (whether it has expired is a matter of the
    moment), or "got" when an uncommitted get has removed it; times are microseconds since the lab's start,
    `expires_us` None for an unlimited lifetime; `label` is the beginning of its data where that is text, and
    `reason` why it is on a dead-letter queue, 0 if unknown."""

    number: int
    priority: int
    state: str
    put_us: int
    expires_us: int | None
    label: str = ""
    persistent: bool = False
    backout_count: int = 0
    reason: int = 0


class QueueNow(NamedTuple):
    """A queue at one moment: `depth` counts everything, `expired` and `uncommitted` are parts of it; `front` is its
    first FRONT messages in delivery order, and `runs` are those behind them as (state, how many in a row), the state
    "expired" too, up to the RUNSth where not all after it are live; empty if all of them are live.

    `held` counts the messages that uncommitted gets have removed and a backout would restore: they are no part of
    `depth`, but up to FRONT of them are in `front` at their places; `holder` is the program that holds them, or how
    many do. `defined` is False while it is still to be defined; `oldest_us` is the arrival of the message that is there
    longest.
    """

    id: str
    depth: int
    expired: int
    uncommitted: int
    maxdepth: int
    put: bool
    get: bool
    defined: bool = True
    front: tuple[MessageNow, ...] = ()
    runs: tuple[tuple[str, int], ...] = ()
    oldest_us: int | None = None
    held: int = 0
    holder: str = ""

    @property
    def full(self) -> bool:
        """Whether the next put would be refused."""
        return 0 < self.maxdepth <= self.depth


_HELD = ("other message is held by an uncommitted get", "other messages are held by uncommitted gets")


class TopologyFrame(NamedTuple):
    """A topology at one moment: the outline, a QueueNow for each queue and a ChannelNow for each channel by id, the
    queue managers that are stopped, the links that are cut, the ids of the structures that have failed, and of the
    programs that have ended. `edges` holds, for each line of the outline's `since`, None before it exists, and
    False if it is switched off (NOTRIGGER); `waiting` are the programs and topics that nothing has used yet;
    `traces` are marks of the events that the picture shows; `halted` has the words of the `stops` that last, by id."""

    outline: Outline
    queues: dict[str, QueueNow]
    time_us: int
    start: datetime
    stopped: tuple[str, ...] = ()
    channels: dict[str, ChannelNow] = {}
    cut: tuple[tuple[str, str], ...] = ()
    failed: tuple[str, ...] = ()
    ended: frozenset[str] = frozenset()
    edges: Mapping[Edge, bool | None] = {}
    waiting: frozenset[str] = frozenset()
    traces: tuple[Trace, ...] = ()
    halted: Mapping[str, tuple[str, ...]] = {}

    @property
    def summary(self) -> str:
        """The counts in words: every drawn object counts, SYSTEM objects too."""
        rows = self.queues.values()
        depth, expired = sum(q.depth for q in rows), sum(q.expired for q in rows)
        queues = plural(sum(q.depth > 0 if depth else q.defined for q in rows), "queue")
        counts = (
            (expired, "has expired and still counts", "have expired and still count"),
            (sum(q.uncommitted for q in rows), "is not committed", "are not committed"),
            (sum(q.held for q in rows), *_HELD),
        )
        parts = [plural(*words) for words in counts if words[0]]
        full = [q.id.partition("/")[2] for q in rows if q.full]
        parts += [f"{full[0]} is full"] if len(full) == 1 else [f"{len(full)} queues are full"] if full else []
        said = ", ".join([*parts, *self._down])
        text = f"{plural(depth, 'message')} on {queues}" if depth else f"{queues}, no messages"
        return f"{text}{(': ' if depth else ', ') if said else ''}{said}."

    @property
    def _down(self) -> list[str]:
        """The parts that do not work: queue managers, structures and links."""
        doubt = sum(channel.indoubt for channel in self.channels.values() if channel.state != "RUNNING")
        parts = [plural(doubt, "message is in doubt", "messages are in doubt")] if doubt else []
        parts += [f"{' and '.join(self.stopped)} stopped"] if self.stopped else []
        failed = [s.name for s in self.outline.structures if s.id in self.failed]
        parts += [f"{plural(len(failed), 'structure')} failed: {' and '.join(failed)}"] if failed else []
        parts += [f"the link {one} - {other} is cut" for one, other in self.cut]
        parts += [f"{q.name} is suspended in {' and '.join(self.halted[q.name])}"
                  for q in self.outline.qmgrs if q.name in self.halted]  # fmt: skip
        outside = [p.name for p in self.outline.programs if p.id in self.halted]
        who = " and ".join(outside) if len(outside) < FEW else f"{len(outside)} clients"
        return parts + [f"{who} cannot come in"] * bool(outside)

    @property
    def sentence(self) -> str:
        """The picture in words, for readers who hear it."""
        names = ", ".join(q.name for q in self.outline.qmgrs) or "No queue manager"
        names = names if len(self.outline.qmgrs) <= FEW else f"{len(self.outline.qmgrs)} queue managers"
        return f"{names} at {clock(self.start, self.time_us)} UTC: {self.summary}"


def topology_frame(
    graph: MultiDiGraph | Outline,
    state: State,
    time_us: int,
    *,
    start: datetime | None = None,
    label_of: Callable[[int], str] = lambda number: "",
) -> TopologyFrame:
    """The topology at one moment.

    `graph` is `lab.topology()`, or the outline made from it, `state` the replayed state at that moment, `time_us` in
    microseconds since the lab's start, `start` the lab's start, for the clock (the first moment of 1970 if not given),
    and `label_of` the label of a message by its number.
    """
    plan = graph if isinstance(graph, Outline) else outline(graph)
    rows = {queue.id: queue_now(queue, state, label_of) for queue in plan.queues}
    stopped = tuple(q.name for q in plan.qmgrs if not state.running.get(q.name, True))
    cut = tuple(link for link in plan.links if not state.links.get(link, True))
    failed = tuple(s.id for s in plan.structures if state.structures.get((s.group, s.name)) == "FAILED")
    begin = start or datetime(1970, 1, 1, tzinfo=UTC)
    edges = {edge: edge_now(edge, row, state) for edge, row in plan.since.items()}
    used = {end for edge, now in edges.items() if now is not None for end in edge[:2]}
    later = {end for edge, now in edges.items() if now is None for end in edge[:2]} - used
    users = [p for p in plan.programs if not p.chltype]
    ended = frozenset(p.id for p in users if state.programs.get((p.qmgr, p.name)) == 0)
    waiting = frozenset(p.id for p in users if p.id in later and p.topic in ("", p.name))
    channels = _channels(plan, state)
    halted = {id: said for id, all in plan.stops.items() for first, end, said in all if first <= state.seq < end}
    about = (stopped, channels, cut, failed, ended, edges, waiting)
    return TopologyFrame(plan, rows, time_us, begin, *about, halted=halted)


def edge_now(edge: Edge, row: int, state: State) -> bool | None:
    """Whether a line is there in a replayed state: None before `row`, and for a line to a backout or initiation queue
    while the queue names it not; False while its queue has NOTRIGGER (TRG-09)."""
    if edge.kind not in ("backout", "initq"):
        return True if state.seq >= row else None
    told = state.queue(*edge.source.split("/", 1)).attributes
    word, named = ("BOQNAME" if edge.kind == "backout" else "INITQ"), edge.target.split("/", 1)[1]
    if told.get(word, named) != named:
        return None
    return edge.kind == "backout" or bool(told.get("TRIGGER", True))


def _channels(plan: Outline, state: State) -> dict[str, ChannelNow]:
    """Each channel's state; of several instances the one that is not INACTIVE."""
    known: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for (qmgr, name, partner), now in state.channels.items():
        known.setdefault((qmgr, name), []).append((partner, now))
    partners: dict[str, str] = {}
    for edge in plan.edges:
        if edge.kind == "talks":
            for end, other in (edge[:2], edge[1::-1]):
                partners.setdefault(end, other.split("/", 1)[0])
    found = {}
    for channel in (p for p in plan.programs if p.chltype):
        place = (channel.qmgr, channel.name)
        instances = known.get(place, [("", "INACTIVE")])
        partner, now = min(instances, key=lambda instance: instance[1] == "INACTIVE")
        partner = partner or partners.get(channel.id, "")
        found[channel.id] = ChannelNow(now, partner, state.indoubt.get(place, 0))
    return found


def limit_of(queue: Queue, held: QueueState | None) -> int:
    """The MAXDEPTH of a queue in a replayed state, 0 for the default of z/OS, which is no limit for a reader."""
    most = int(held.attributes.get("MAXDEPTH", queue.maxdepth) if held else queue.maxdepth)
    return most if most < 999_999_999 else 0


def queue_now(queue: Queue, state: State, label_of: Callable[[int], str]) -> QueueNow:
    """One queue in a replayed state."""
    known = state.queues.get((queue.qmgr, queue.name))
    held = None if queue.kind in NO_MESSAGES else known
    depth = held.depth if held else 0
    expired = held.expired(state.time_us) if held and depth else 0
    uncommitted = held.uncommitted if held and depth else 0
    told = held.attributes if held else {}
    # a queue manager comes with its SYSTEM queues; every other queue is in the log before it exists
    defined = known is not None or queue.kind in NO_MESSAGES or queue.name.startswith("SYSTEM.")
    put, get = (
        told[word] == "ENABLED" if word in told else was for word, was in (("PUT", queue.put), ("GET", queue.get))
    )
    limit = limit_of(queue, held)
    front = _front(held, label_of) if held and (depth or held.held) else ()
    mixed = held and depth > FRONT and (expired or uncommitted or held.locked)
    runs = _runs(held, state.time_us) if held and mixed else ()
    oldest = held.oldest_us() if held and depth else None
    removed = (len(held.held), _holder(held)) if held and held.held else ()
    return QueueNow(queue.id, depth, expired, uncommitted, limit, put, get, defined, front, runs, oldest, *removed)


def _front(held: QueueState, label_of: Callable[[int], str]) -> tuple[MessageNow, ...]:
    """The first messages of a queue, and those that uncommitted gets have removed, at their places among them."""
    known = held.front(FRONT)
    if held.held:
        known = sorted([*known, *(each.message for each in islice(held.held.values(), FRONT))], key=place_of)
    return tuple(_message_now(held, message, label_of) for message in known)


def _holder(held: QueueState) -> str:
    """The program whose uncommitted gets hold messages of a queue; how many programs, if there are several."""
    names = {each.program for each in islice(held.held.values(), RUNS)}
    return (names.pop() or "a program") if len(names) == 1 else f"{len(names)} programs"


def _runs(held: QueueState, now_us: int) -> tuple[tuple[str, int], ...]:
    """The messages behind the front, neighbors of one state as one."""
    known = held.front(RUNS)
    if held.held or held.uncommitted or held.locked:
        states = [_state_of(held, message) for message in known]
    else:
        states = ["live"] * len(known)
    told = ["expired" if s == "live" and m.expired(now_us) else s for s, m in zip(states, known, strict=True)]
    if len(told) - told.count("live") == held.expired(now_us) + held.uncommitted + len(held.locked):
        told += ["live"] * (held.depth - len(told))
    return tuple((state, len(list(same))) for state, same in groupby(told[FRONT:]))


def _state_of(held: QueueState, message: MessageState) -> str:
    if message.number in held.held:
        return "got"
    return "uncommitted" if message.uow is not None else "locked" if message.number in held.locked else "live"


def _message_now(held: QueueState, message: MessageState, label_of: Callable[[int], str]) -> MessageNow:
    state, label = _state_of(held, message), label_of(message.number)
    times, kept = (message.put_us, message.expires_us), bool(message.persistent)
    more = (message.backout_count, message.reason)
    return MessageNow(message.number, message.priority, state, *times, label, kept, *more)


def homes_of(nodes: dict[str, dict]) -> dict[str, dict]:
    """The queue managers of MQ Everyplace among the nodes of a graph, each with its home-server queues as `homes`."""
    homes: dict[str, list[str]] = {}
    for id, data in nodes.items():
        if data.get("type") == "MQE.HOME":
            homes.setdefault(data["qmgr"], []).append(id)
    found = {id: data for id, data in nodes.items() if data.get("platform") == "everyplace"}
    return {id: data | {"homes": homes.get(id, [])} for id, data in found.items()}


def own_line(nodes: dict[str, dict], edge: Edge) -> Edge | None:
    """A line as the picture has it: from queue to queue where both are known; None for what another line shows.

    An asynchronous queue transmits to the queue that it is for. A home-server queue pulls: it acts, so it is the
    source, and the messages go the other way; what it fetched it delivers to a local queue. `nodes` are those of the
    graph, with `homes_of`.
    """
    source, target, kind = edge
    if kind == "transmits":
        queue, far, owner = nodes[source]["name"].partition("@")[0], "@" in nodes[source]["name"], nodes[source]["qmgr"]
        if f"{target}/{queue}@{owner}" in nodes:
            return None  # it waits to be pulled
        return Edge(source, f"{target}/{queue}" if far and f"{target}/{queue}" in nodes else target, kind)
    if kind == "pulls":
        queue = f"{source}/{nodes[target]['name'].partition('@')[0]}"
        return Edge(target, queue if queue in nodes else source, kind)
    caller, queue = (source, target) if kind == "puts" else (target, source)
    name, owner, type = nodes[caller]["name"], nodes[queue]["qmgr"], nodes[queue].get("type")
    manager = nodes.get(name, {})
    if nodes[caller]["kind"] != "program" or manager.get("platform") != "everyplace":
        return edge
    if name != owner:
        return None if f"{name}/{nodes[queue]['name']}@{owner}" in nodes else edge
    if kind == "gets":
        return None if type in ("MQE.ASYNC", "MQE.FORWARD") else edge
    return Edge(manager["homes"][0], target, "delivers") if len(manager.get("homes", ())) == 1 else edge


_NOTHING_THERE = 2033
_ENDS = {"discard": "discarded", "reject": "discarded", "lost": "lost"}


class Trace(NamedTuple):
    """One mark: the id of the object that has it; `kind` is "refused" (a put), "vain" (a get or a browse that found no
    message), "failed" (any other call), "discarded" or "lost"; the reason code, 0 for none; and the id of the queue."""

    id: str
    kind: str
    reason: int
    queue: str


def traces_of(event: Event, drawn: Container[str]) -> tuple[Trace, ...]:
    """The mark that a row of the log leaves in the picture, whose ids are `drawn`: one at most.

    It is on the card of the queue, or of the program if the queue has none; a get in vain marks its program first.
    """
    kind = _ENDS.get(event.kind, "")
    if not kind and event.reason is not None and event.kind in ("get", "browse", *ARRIVES):
        kind = "refused" if event.kind in ARRIVES else "vain" if event.reason == _NOTHING_THERE else "failed"
    queue = f"{event.qmgr}/{event.object}"
    cards = [queue, f"{event.qmgr}/app:{event.program}", f"{event.qmgr}/channel:{event.program}"]
    if kind == "vain" or event.object_type is None:  # a message that a program holds is on no queue
        cards = cards[1:] + cards[:1]
    found = [id for id in cards if id in drawn]
    return (Trace(found[0], kind, event.reason or 0, queue),) if kind and found else ()
