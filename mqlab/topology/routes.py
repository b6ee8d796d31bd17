"""The hops that messages can take as the definitions of a lab say, as a graph: before any traffic, without shortcuts.

The nodes are those of `topology`, without programs. An edge has its `kind`: alias (to the queue that an alias names),
resolves (to the transmission queue), feeds (to a channel that sends from it), talks (to the channel of the same name
that it calls), arrives (to the object that a message names at the other end), subscribes (from a topic), or transmits
(MQ Everyplace). `names` are the keys of the names, aliases and remote definitions, whose messages take the hop: names
that share a channel share its edges, and the edges of one name are its route. Backout and dead-letter queues are no
hops. In a cluster, a name leads from each member to each instance, by the channel that the member would define.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.explain.ways import leads_to
from ..engine.programs.channels.channel import SENDING, Channel
from ..engine.programs.channels.session import partners
from ..engine.queues.queue import Remote
from ..engine.queues.target import full_name
from ..engine.words.errors import LabError, MQError
from . import clusters
from .graph import QUEUE, key_of, topology

if TYPE_CHECKING:
    import networkx as nx

    from ..engine.queues.queue_manager import QueueManager
    from ..engine.queues.target import Lab


def seen_as(lab: Lab, view: str) -> nx.MultiDiGraph | nx.DiGraph:
    """The graph of a lab, or its view "routes"; LabError for another view."""
    if view not in ("", "routes"):
        raise LabError(f'view must be "routes", or left out for everything; got {view!r}')
    return routes(lab) if view else topology(lab)


def routes(lab: Lab) -> nx.DiGraph:
    """The graph of the hops of a lab as it is defined now."""
    import networkx as nx

    whole, graph = topology(lab), nx.DiGraph()
    graph.add_nodes_from((node, data) for node, data in whole.nodes(data=True) if data.get("kind") != "program")
    kinds = ("alias", "resolves", "feeds", "subscribes", "transmits")
    graph.add_edges_from((a, b, {"kind": kind}) for a, b, kind in whole.edges(data="kind") if kind in kinds)
    for qmgr in lab.queue_managers:
        for channel in qmgr.objects.match(("CHANNEL",)):
            if channel.attributes["CHLTYPE"] in SENDING:
                partner = partner_by_name(Channel(qmgr, channel), channel.attributes["XMITQ"])
                _hop(graph, "talks", key_of(qmgr, "CHANNEL", channel.name), f"{partner}/channel:{channel.name}")
    for hop in clusters.hops(lab, graph, QUEUE):
        _hop(graph, *hop)
    for qmgr in lab.queue_managers:
        for queue in qmgr.objects.match(("QALIAS", "QREMOTE")):
            alone = queue.kind == "QALIAS" or queue.attributes["RNAME"]  # else an alias of a queue manager
            taken: set[tuple[str, str]] = set()
            if not queue.name.startswith("SYSTEM."):
                name = queue.name if alone else f"{queue.name}@{queue.name}"
                _follow(graph, qmgr, name, key_of(qmgr, queue.kind, queue.name), taken)
            for ends in taken:
                graph.edges[ends].setdefault("names", []).append(key_of(qmgr, queue.kind, queue.name))
    for *_, data in graph.edges(data=True):
        data["names"] = ", ".join(data.get("names", ()))
    return graph


def _hop(graph: nx.DiGraph, kind: str, a: str, b: str, taken: set[tuple[str, str]] | None = None) -> None:
    """Add a hop between two objects of the graph, which a name takes."""
    if a in graph and b in graph and a != b:
        if not graph.has_edge(a, b):
            graph.add_edge(a, b, kind=kind)
        if taken is not None:
            taken.add((a, b))


def _follow(graph: nx.DiGraph, qmgr: QueueManager, name: str, before: str, taken: set[tuple[str, str]]) -> None:
    """Add the hops of a put to a name, from the object `before` on."""
    try:
        target = leads_to(qmgr, name)
    except MQError:
        return
    path = list(target.path)
    alias = qmgr.objects.get("QREMOTE", name.partition("@")[2])
    if alias is not None and alias not in path and not alias.attributes["RNAME"]:
        path.insert(0, alias)  # of a queue manager
    if target.queue is None:
        return
    keys = [key_of(qmgr, every.kind, every.name) for every in path] + [key_of(qmgr, "QLOCAL", target.queue.name)]
    for key in (key for key in keys if key != before):
        _hop(graph, "arrives" if graph.nodes[before].get("kind") == "channel" else "resolves", before, key, taken)
        before = key
    if not isinstance(target, Remote) or before not in graph:
        return
    onward = full_name(qmgr, *target.destination)
    for channel in list(graph.successors(before)):
        for other in list(graph.successors(channel)) if graph.nodes[channel].get("kind") == "channel" else ():
            new = (channel, other) not in taken
            taken |= {(before, channel), (channel, other)}
            if new:
                _follow(graph, qmgr.lab[graph.nodes[other]["qmgr"]], onward, other, taken)


def partner_by_name(channel: Channel, xmitq: str = "") -> str:
    """The queue manager that a channel calls, or that calls it; "" if it is not in the estate, or not known.

    A CONNAME without the name of a queue manager means the only one that answers; else the one that has the name of the
    transmission queue, or the name that the name of the channel ends with. The name of the transmission queue does not
    count if nothing answers, and the channel has parts in its name that mean another partner.
    """
    others = [qmgr for qmgr in channel.qmgr.lab.queue_managers if qmgr is not channel.qmgr]
    conname = channel.attributes["CONNAME"]
    if conname:
        answering = partners(channel)
    else:
        ends = ((qmgr.name, qmgr.objects.get("CHANNEL", channel.name)) for qmgr in others)
        answering = [name for name, has in ends if has is not None and has.attributes["CHLTYPE"] == "RQSTR"]
    hosts = {part.partition("(")[0].strip().upper() for part in conname.split(",")}
    if len(answering) == 1 or any(name.upper() in hosts for name in answering):
        return answering[0]
    _, dot, last = channel.name.rpartition(".")
    xmitq_in_name = f".{xmitq}.".replace("_", ".").upper() in f".{channel.name}.".replace("_", ".").upper()
    known = answering or [qmgr.name for qmgr in others]
    return next((name for name in (xmitq if answering or not dot or xmitq_in_name else "", last) if name in known), "")
