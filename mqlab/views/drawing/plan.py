"""A topology as the drawing scripts read it: the plan of an outline, and the facts of a frame, as JSON values."""

from __future__ import annotations

from typing import Any

from ..frames.topology import NO_MESSAGES, Outline, Queue, QueueNow, TopologyFrame


def plan_of(outline: Outline) -> dict[str, Any]:
    """Everything of a topology that stays the same: queue managers, groups, structures, objects, edges."""
    return {
        "qmgrs": [
            {"id": q.name, "platform": q.platform} | ({"listens": q.listens} if q.listens else {})
            for q in outline.qmgrs
        ],
        "groups": [{"id": g.name, "members": g.members} for g in outline.groups],
        "structures": [
            {"id": s.id, "group": s.group, "name": s.name, "queues": s.queues, "recoverable": s.recoverable}
            for s in outline.structures
        ],
        "objects": [*map(_queue, outline.queues), *map(_program, outline.programs)],
        "edges": [list(edge) for edge in outline.edges],
        "links": [list(link) for link in outline.links],
    }


def _queue(queue: Queue) -> dict[str, Any]:
    told = {"target": queue.target, "about": queue.description, "cluster": queue.cluster}
    named = {"id": queue.id, "qmgr": queue.qmgr, "kind": "queue", "name": queue.name, "type": queue.kind}
    return named | {word: value for word, value in told.items() if value}


def _program(program: Any) -> dict[str, Any]:
    named = {"id": program.id, "qmgr": program.qmgr, "name": program.name}
    named |= {"cluster": program.cluster} if program.cluster else {}
    if program.topic:
        return named | {"kind": "topic", "type": "topic", "about": program.topic}
    return named | ({"kind": "channel", "chltype": program.chltype} if program.chltype else {"kind": "program"})


def queue_fact(queue: Queue, now: QueueNow) -> list | None:
    """[depth, expired, uncommitted, MAXDEPTH, PUT, GET, messages, runs, oldest, held, holder] of a queue; None while it
    is not defined yet. `oldest` is the arrival of the message that has been there longest, microseconds; `held` and
    `holder` are there if an uncommitted get holds messages."""
    if not now.defined:
        return None
    fact: list = [now.depth, now.expired, now.uncommitted, now.maxdepth, int(now.put), int(now.get)]
    if queue.kind in NO_MESSAGES or not now.front:
        return fact
    fact += [now.front, now.runs, now.oldest_us]
    return [*fact, now.held, now.holder] if now.held else fact


def facts_of(frame: TopologyFrame) -> dict[str, Any]:
    """The facts at the moment of a frame, by the ids of the plan.

    For a queue its `queue_fact`, for a channel [state, partner, messages in doubt], for a queue manager whether it
    or a program runs, for a structure "FAILED" or "ACTIVE", for a link ("link:A|B") whether it is up, for a line
    (`Edge.id`) as in `TopologyFrame.edges`, and for an object with traces ("trace:" and its id) these; None for a
    program or topic that nothing has used yet.
    """
    plan = frame.outline
    facts: dict[str, Any] = {queue.id: queue_fact(queue, frame.queues[queue.id]) for queue in plan.queues}
    facts |= {id: [now.state, now.partner, now.indoubt] for id, now in frame.channels.items()}
    facts |= {q.name: q.name not in frame.stopped for q in plan.qmgrs}
    facts |= {s.id: "FAILED" if s.id in frame.failed else "ACTIVE" for s in plan.structures}
    facts |= {link_key(*link): link not in frame.cut for link in plan.links}
    facts |= {p.id: p.id not in frame.ended for p in plan.programs if not p.chltype}
    facts |= {edge.id: now for edge, now in frame.edges.items()}
    for trace in frame.traces:
        facts.setdefault(f"trace:{trace.id}", []).append(trace)
    return facts | dict.fromkeys(frame.waiting)


def link_key(one: str, other: str) -> str:
    """The id of a link in the facts."""
    return "link:" + "|".join(sorted((one, other)))
