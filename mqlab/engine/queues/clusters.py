"""Clusters, which are not simulated: the facts that an answer needs if IBM MQ would use a cluster.

CLUSTER and CLUSNL are kept and shown. If another queue manager of the lab has a queue in a cluster, and this one does
not define it, a put to the queue fails as it does outside every cluster, and the refusal names the cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..words.objects import Definition
from ..words.whys import ClusterWouldTake

if TYPE_CHECKING:
    from .parts import QueueManager


def clusters_of(qmgr: QueueManager, definition: Definition | None) -> tuple[str, ...]:
    """Return the clusters of a definition of this queue manager: CLUSTER, and the names in the namelist of CLUSNL."""
    has = {} if definition is None else definition.attributes
    listed = qmgr.objects.get("NAMELIST", has.get("CLUSNL", ""))
    return (*([has["CLUSTER"]] if has.get("CLUSTER") else []), *(listed.attributes["NAMES"] if listed else ()))


def joined(qmgr: QueueManager) -> tuple[str, ...]:
    """Return the clusters that a queue manager is a member of: those of its cluster-receiver channels."""
    found = [one for one in qmgr.objects.match(("CHANNEL",)) if one.attributes["CHLTYPE"] == "CLUSRCVR"]
    return tuple(cluster for one in found for cluster in clusters_of(qmgr, one))


def elsewhere(
    qmgr: QueueManager, kind: str, name: str, within: tuple[str, ...] | None = None
) -> ClusterWouldTake | None:
    """Return where IBM MQ would route a put to a name that other queue managers of the lab have in a cluster; None if
    no cluster has the name, or none of the clusters `within`.

    `kind` is QLOCAL for a queue of any kind, QMGR, or that of an object of an extra.
    """
    hosts: dict[str, list[str]] = {}
    for other in qmgr.lab.queue_managers:
        has = clusters_of(other, other.objects.named("QLOCAL" if kind == "QMGR" else kind, name))
        for cluster in (*has, *(joined(other) if (kind, name) == ("QMGR", other.name) else ())):
            if within is None or cluster in within:
                hosts.setdefault(cluster, []).append(other.name)
    if not hosts:
        return None
    cluster = next((each for each in joined(qmgr) if each in hosts), next(iter(hosts)))
    return ClusterWouldTake(list(dict.fromkeys(hosts[cluster])), cluster, "" if cluster in joined(qmgr) else qmgr.name)
