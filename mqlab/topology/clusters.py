"""Queue manager clusters in the topology of a lab.

A queue manager has the facts `clusters`, those that it is a member of, and `repository`, those of which it is a full
repository. A name whose messages of applications went into a cluster is a queue: if it has no definition here, its type
is QCLUSTER. It resolves to the cluster transmission queues that these messages were on, and leads to the instances that
they were for. Of the channels that a queue manager defines by itself, those are drawn that such messages were for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.programs.channels.control import defined

if TYPE_CHECKING:
    import networkx as nx

    from ..engine.queues.queue_manager import QueueManager
    from ..engine.queues.target import Lab
    from ..engine.words.objects import Definition


class _Sent(NamedTuple):
    """Messages of applications that went from a queue manager into a cluster: the name in their puts, the queue and
    the queue manager that they are for, their transmission queue, and their channel."""

    name: str
    to: str
    qmgr: str
    transmission: str
    channel: str


def joined(qmgr: QueueManager) -> tuple[str, ...]:
    """The clusters that a queue manager is a member of: those of its cluster-receiver channels."""
    receivers = qmgr.objects.having("CHANNEL", "CLUSRCVR")
    return tuple(dict.fromkeys(cluster for one in receivers for cluster in qmgr.objects.clusters_of(one)))


def members(graph: nx.DiGraph, qmgr: QueueManager) -> None:
    """Add the clusters of a queue manager to its node."""
    if not (clusters := sorted(joined(qmgr))):
        return
    listed = qmgr.objects.get("NAMELIST", qmgr.attributes.get("REPOSNL", ""))
    full = {qmgr.attributes.get("REPOS"), *(listed.attributes["NAMES"] if listed else ())}
    node = graph.nodes[qmgr.name]
    node["clusters"], node["repository"] = ", ".join(clusters), ", ".join(one for one in clusters if one in full)


def sent(lab: Lab) -> dict[str, list[_Sent]]:
    """The messages that went into clusters, without those of repository managers, by queue manager."""
    queues = [queue for qmgr in lab.queue_managers if joined(qmgr) for queue in qmgr.objects.match(("QLOCAL",))]
    transmission = tuple({queue.name for queue in queues if queue.attributes["USAGE"] == "XMITQ"})
    messages: dict[str, dict[_Sent, None]] = {}
    for row in lab.events.where(kind="put", object=transmission) if transmission else ():
        facts = row.facts
        to, _, qmgr_name = facts.get("to", "").partition("@")
        if "channel" in facts and not to.startswith("SYSTEM."):
            name = facts["via"].partition("@")[0]
            message = _Sent(name, to, qmgr_name, row.object or "", facts["channel"])
            messages.setdefault(row.qmgr or "", {})[message] = None
    return {qmgr: list(several) for qmgr, several in messages.items()}


def spare(lab: Lab) -> set[tuple[str, str]]:
    """The links between members of clusters that were never cut."""
    members = {qmgr.name for qmgr in lab.queue_managers if joined(qmgr)}
    links = {link.names for link in lab.network.paths if members.issuperset(link.names)}
    rows = lab.events.where(kind="fault", object_type="LINK") if links else []
    cut = {row.object for row in rows if row.facts.get("up") is False}
    return {names for names in links if " - ".join(names) not in cut}


def channels(qmgr: QueueManager, messages: list[_Sent]) -> Iterator[Definition]:
    """The channels that a queue manager defined by itself for messages."""
    for name in sorted({one.channel for one in messages}):
        if qmgr.objects.get("CHANNEL", name) is None and (made := defined(qmgr, name)) is not None:
            yield made


def names(graph: nx.DiGraph, qmgr: QueueManager, messages: list[_Sent], queue: dict[str, Any]) -> None:
    """Add the names whose messages went into a cluster, which are like `queue`, and the lines that they have."""
    for name in sorted({message.name for message in messages}):
        key, own = f"{qmgr.name}/{name}", [message for message in messages if message.name == name]
        if key not in graph:
            clusters = sorted({cluster for message in own for cluster in _clusters(qmgr.lab, message)})
            facts = {"resolves": ", ".join(sorted({message.qmgr for message in own})), "cluster": ", ".join(clusters)}
            graph.add_node(key, qmgr=qmgr.name, name=name, description="", **queue, type="QCLUSTER", **facts)
            graph.add_edge(qmgr.name, key, kind="holds")
        for transmission in sorted({f"{qmgr.name}/{message.transmission}" for message in own}):
            if transmission in graph:
                graph.add_edge(key, transmission, key="resolves", kind="resolves")
        for target in sorted({f"{message.qmgr}/{message.to}" for message in own} - {key}):
            if target in graph:
                graph.add_edge(key, target, kind="leads")


def hops(lab: Lab, graph: nx.DiGraph, queue: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The hops from the members of clusters to the instances of cluster queues: kind, and both ends. Names and channels
    that a member would define by itself become nodes; a queue of the member itself is used alone."""
    for host in lab.queue_managers:
        receivers = host.objects.having("CHANNEL", "CLUSRCVR")
        for instance in host.objects.match(("QLOCAL", "QALIAS", "QREMOTE")):
            shared = set(host.objects.clusters_of(instance))
            ends = [end.name for end in receivers if not shared.isdisjoint(host.objects.clusters_of(end))]
            for member in (qmgr for qmgr in lab.queue_managers if ends and qmgr is not host):
                if shared & set(joined(member)) and member.objects.named("QLOCAL", instance.name) is None:
                    name, facts = f"{member.name}/{instance.name}", {"qmgr": member.name, "description": ""}
                    cluster = ", ".join(sorted(shared))
                    graph.add_node(name, **queue, **facts, name=instance.name, type="QCLUSTER", cluster=cluster)
                    for end in ends:
                        own = member.attributes.get("DEFCLXQ") == "CHANNEL"
                        sent = f"{member.name}/SYSTEM.CLUSTER.TRANSMIT.{end if own else 'QUEUE'}"
                        channel, there = f"{member.name}/channel:{end}", f"{host.name}/channel:{end}"
                        graph.add_node(sent, **{**queue, "role": "transmission"}, **facts, name=sent.partition("/")[2])
                        if channel not in graph:
                            graph.add_node(
                                channel, kind="channel", **facts, name=end, type="CLUSSDR", chltype="CLUSSDR"
                            )
                        yield "resolves", name, sent
                        yield "feeds", sent, channel
                        yield "talks", channel, there
                        yield "arrives", there, f"{host.name}/{instance.name}"


def _clusters(lab: Lab, message: _Sent) -> tuple[str, ...]:
    host = next((qmgr for qmgr in lab.queue_managers if qmgr.name == message.qmgr), None)
    return () if host is None else host.objects.clusters_of(host.objects.named("QLOCAL", message.to))
