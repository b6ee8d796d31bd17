"""Clusters, which are not simulated: what an answer has to say where a queue manager's own definitions do not decide.

CLUSTER and CLUSNL are kept and shown. A name that this queue manager lacks and another one of the lab has in a cluster
is refused as in a queue manager outside every cluster, and the refusal says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..mq.objects import Definition


def clusters_of(qmgr: Any, definition: Definition | None) -> tuple[str, ...]:
    """The clusters that a definition of this queue manager is in, by CLUSTER or by the namelist that CLUSNL names."""
    has = {} if definition is None else definition.attributes
    listed = qmgr.objects.get("NAMELIST", has.get("CLUSNL", ""))
    return (*([has["CLUSTER"]] if has.get("CLUSTER") else []), *(listed.attributes["NAMES"] if listed else ()))


def joined(qmgr: Any) -> tuple[str, ...]:
    """The clusters that a queue manager is a member of, by its cluster-receiver channels."""
    found = [one for one in qmgr.objects.match(("CHANNEL",)) if one.attributes["CHLTYPE"] == "CLUSRCVR"]
    return tuple(cluster for one in found for cluster in clusters_of(qmgr, one))


def elsewhere(qmgr: Any, kind: str, name: str) -> str:
    """What IBM MQ would do with a put to a name that others of the lab have in a cluster, and this queue manager does
    not have; "" if no cluster has it. `kind` is QLOCAL for a queue of any kind, TOPIC, or QMGR."""
    hosts: dict[str, list[str]] = {}
    for other in qmgr.lab.queue_managers:
        has = clusters_of(other, other.objects.named("QLOCAL" if kind == "QMGR" else kind, name))
        for cluster in (*has, *(joined(other) if (kind, name) == ("QMGR", other.name) else ())):
            hosts.setdefault(cluster, []).append(other.name)
    if not hosts:
        return ""
    cluster = next((each for each in joined(qmgr) if each in hosts), next(iter(hosts)))
    there = " or ".join(dict.fromkeys(hosts[cluster]))
    member = "" if cluster in joined(qmgr) else f" if {qmgr.name} were a member of it"
    return f"IBM MQ would route a put to {there} by way of cluster {cluster}{member}; clusters are not simulated"


def publishes_elsewhere(qmgr: Any, topics: Iterable[tuple[Any, Definition]]) -> str:
    """What IBM MQ would do besides with a publication governed by these topics, each with its queue manager; "" if none
    of them is in a cluster."""
    cluster = next((each for owner, topic in topics for each in clusters_of(owner, topic)), "")
    others = [one.name for one in qmgr.lab.queue_managers if one is not qmgr and cluster in joined(one)]
    said = f"IBM MQ would publish to {' and '.join(others) or 'other members'} too, by way of cluster {cluster}"
    return f"{said}; clusters are not simulated" if cluster else ""
