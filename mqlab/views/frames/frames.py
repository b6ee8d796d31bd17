"""What there is to see of a topology at one moment, as plain rows: pure functions, nothing drawn.

`outline` (see mqlab.views.drawing.outlines) reads the graph once, as it does not change from moment to moment;
`topology_frame`
adds what a replayed state knows at one time.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from ..drawing.outlines import (
    KINDS,
    NO_MESSAGES,
    Edge,
    Group,
    Outline,
    Program,
    Queue,
    QueueManager,
    Structure,
    outline,
)
from ..text import plural
from .moments import clock

__all__ = [
    "KINDS",
    "NO_MESSAGES",
    "ChannelNow",
    "Edge",
    "Group",
    "Outline",
    "Program",
    "Queue",
    "QueueManager",
    "QueueNow",
    "Structure",
    "TopologyFrame",
    "outline",
    "topology_frame",
]


class ChannelNow(NamedTuple):
    """A channel at one moment: `state`, the `partner` it talks to ("" for none yet), whether the path is up, and how
    many messages it has sent and not had confirmed."""

    state: str
    partner: str
    up: bool = True
    indoubt: int = 0


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
    queue managers that are stopped, the links that are cut, and the ids of the structures that have failed."""

    outline: Outline
    queues: dict[str, QueueNow]
    time_us: int
    start: datetime
    stopped: tuple[str, ...] = ()
    channels: dict[str, ChannelNow] = {}
    cut: tuple[tuple[str, str], ...] = ()
    failed: tuple[str, ...] = ()

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
            return ", ".join([f"{queues}, no messages", *self._down]) + "."
        text = f"{plural(depth, 'message')} on {plural(sum(q.depth > 0 for q in self.queues.values()), 'queue')}"
        parts = (
            [f"{plural(lapsed, 'has', 'have')} lapsed and still {'counts' if lapsed == 1 else 'count'}"]
            if lapsed
            else []
        )
        parts += [f"{plural(uncommitted, 'is', 'are')} not committed"] if uncommitted else []
        full = sum(q.full for q in self.queues.values())
        parts += [plural(full, "queue is full", "queues are full")] if full else []
        parts += self._down
        return text + (": " + ", ".join(parts) if parts else "") + "."

    @property
    def _down(self) -> list[str]:
        """What does not work: queue managers, structures and links."""
        parts = [f"{' and '.join(self.stopped)} stopped"] if self.stopped else []
        failed = [s.name for s in self.outline.structures if s.id in self.failed]
        parts += [f"{plural(len(failed), 'structure')} failed: {' and '.join(failed)}"] if failed else []
        return parts + [f"the link {one} - {other} is cut" for one, other in self.cut]

    @property
    def sentence(self) -> str:
        """The picture in words, for readers who hear it."""
        names = ", ".join(q.name for q in self.outline.qmgrs) or "No queue manager"
        return f"{names} at {clock(self.start, self.time_us)} UTC: {self.summary}"


def topology_frame(graph, state, time_us: int, *, start: datetime | None = None) -> TopologyFrame:
    """The topology at one moment.

    Parameters
    ----------
    graph : networkx.MultiDiGraph or Outline
        `lab.topology()`, or the outline made from it.
    state : mqlab.explain.replay.State
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
    broken = getattr(state, "structures", {})
    failed = tuple(s.id for s in plan.structures if broken.get((s.group, s.name)) == "FAILED")
    return TopologyFrame(
        plan,
        rows,
        time_us,
        start or datetime(1970, 1, 1, tzinfo=UTC),
        stopped,
        _channels(plan, state, cut),
        cut,
        failed,
    )


def _channels(plan: Outline, state, cut: tuple) -> dict[str, ChannelNow]:
    """Each channel's state; of several instances the one that is not INACTIVE."""
    channels = [p for p in plan.programs if p.chltype]
    if not channels:
        return {}
    known: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for (qmgr, name, partner), now in state.channels.items():
        known.setdefault((qmgr, name), []).append((partner, now))
    partners: dict[str, str] = {}
    for edge in plan.edges:
        if edge.kind == "talks":
            for end, other in (edge[:2], edge[1::-1]):
                partners.setdefault(end, other.split("/", 1)[0])
    found = {}
    for channel in channels:
        place = (channel.qmgr, channel.name)
        instances = known.get(place, [("", "INACTIVE")])
        partner, now = min(instances, key=lambda instance: instance[1] == "INACTIVE")
        partner = partner or partners.get(channel.id, "")
        up = tuple(sorted((channel.qmgr, partner))) not in cut
        found[channel.id] = ChannelNow(now, partner, up, state.indoubt.get(place, 0))
    return found


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
