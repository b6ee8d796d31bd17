"""Topics and subscriptions in the topology of a lab.

Nodes: "QM1/topic:NEWS" (kind "topic": name, string, and `cluster` where it is in one or more; "QM1/topic:a/b" for a
string without an object). Edges: publications are puts to the topic, and subscribes goes from a topic to the queue that
a subscription, `name`, sends it to, with `first`, the row of the event log that brought it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.world.event import Event
from ..topology.graph import key_of
from .state import made
from .topics import governing


def _topic(graph: Any, qmgr: Any, string: str) -> str:
    """The node of the topic that governs a topic string: that of a topic object, else one of the string's own."""
    topic = governing(qmgr, string)
    if topic is not None and not topic.name.startswith("SYSTEM.") and key_of(qmgr, "TOPIC", topic.name) in graph:
        return key_of(qmgr, "TOPIC", topic.name)
    key = key_of(qmgr, "TOPIC", string)
    if key not in graph:
        graph.add_node(key, kind="topic", qmgr=qmgr.name, name=string, type="", description="", string=string)
        graph.add_edge(qmgr.name, key, kind="holds")
    return key


def draw_subscriptions(graph: Any, qmgr: Any) -> None:
    """The publications that administrative subscriptions send from topics to queues, those of other queue managers by
    their name."""
    defined = qmgr.lab.events.where(qmgr=qmgr.name, kind="define", object_type="SUB")
    rows = {row.object: row.seq for row in defined}
    for subscription in qmgr.objects.match(("SUB",)):
        string = made(qmgr, subscription).string
        name, at = subscription.attributes["DEST"], subscription.attributes["DESTQMGR"]
        target = key_of(qmgr, "QLOCAL", name) if at in ("", qmgr.name) else key_of(qmgr, "QLOCAL", at)
        if string and name and target in graph and not subscription.name.startswith("SYSTEM."):
            about = {"name": subscription.name, "first": rows.get(subscription.name, 0)}
            graph.add_edge(_topic(graph, qmgr, string), target, kind="subscribes", **about)


def publications(graph: Any, lab: Any) -> Iterator[tuple[Event, str]]:
    """The rows of publications by programs, each with the node of its topic or alias; others make the node alone."""
    managers = {qmgr.name: qmgr for qmgr in lab.queue_managers}
    for row in lab.events.where(kind="publish", reason=None):
        qmgr = managers[row.qmgr]
        via = key_of(qmgr, "QALIAS", row.object) if row.object_type == "QALIAS" else ""
        target = via if via in graph else _topic(graph, qmgr, row.facts["topic"])
        if row.program is not None:
            yield row, target
