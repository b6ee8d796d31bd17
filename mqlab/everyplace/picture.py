"""MQ Everyplace in the topology of a lab.

Its queues have types such as "MQE.ASYNC" and are keyed "PDA1/ORDERS@HQ" if another queue manager owns them. Edge kinds:
transmits (an asynchronous or store-and-forward queue to the queue manager it sends to or keeps messages for) and pulls
(a home-server queue from its server).
"""

from __future__ import annotations

from typing import Any

from ..topology.graph import QUEUE, add_qmgr


def draw(graph: Any, lab: Any) -> None:
    """The MQ Everyplace queue managers, their queues, and who sends to whom."""
    for qmgr in lab.everyplace_queue_managers:
        add_qmgr(graph, qmgr, "everyplace")
    for queue in (queue for qmgr in lab.everyplace_queue_managers for queue in qmgr.queues):
        key, owner = f"{queue.qmgr.name}/{queue.label}", queue.qmgr.name
        expired = sum(entry.expired(queue.qmgr.clock.time_us) for entry in queue.entries())
        about = {"type": queue.type, "maxdepth": queue.max_depth or 0, "depth": queue.depth, "expired": expired}
        graph.add_node(key, qmgr=owner, name=queue.label, description="", **QUEUE, **about)
        graph.add_edge(owner, key, kind="holds")
        for other in [queue.owner] if queue.kind == "asynchronous" else queue.targets:
            if other in graph:
                graph.add_edge(key, other, kind="transmits")
        if queue.kind == "home-server" and queue.owner in graph:
            graph.add_edge(queue.owner, key, kind="pulls")
