"""Queue manager clusters: repositories, cluster queues, the workload algorithm, and cluster channels.

Each queue manager learns from messages, and from nothing else: no code here reads the repository of another one. The
`Manager` of a queue manager is in `qmgr.kept["clusters"]`, from the first definition that is about a cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..engine.queues.queue_manager import QueueManager


def manager_of(qmgr: QueueManager) -> Any:
    """The repository manager of a queue manager; None if no definition there was ever about a cluster."""
    return qmgr.kept.get("clusters")


def clustered(attributes: dict[str, Any]) -> bool:
    """Whether an object with these attributes is in a cluster."""
    return bool(attributes.get("CLUSTER") or attributes.get("CLUSNL"))
