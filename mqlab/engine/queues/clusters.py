"""The clusters that definitions name: CLUSTER, and the names in the namelist of CLUSNL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..words.objects import Definition

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
