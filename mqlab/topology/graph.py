"""The lab as a graph: queue managers, queues, channels, processes, links, and the programs that use them.

Nodes are keyed "QM1" (kind "qmgr": platform, level, running; `listens`: the ports of its listeners that
run), "QM1/ORDERS" (kind "queue": qmgr, name, type,
usage, put, get, role, maxdepth, depth, expired, description), "QM1/channel:TO.HQ" (kind "channel": qmgr, name, chltype,
state, instances, xmitq, conname, indoubt), these two with `cluster` where they are in one or more,
"QM1/process:P" (kind "process"), and "QM1/app:BILLING" (kind "program"). Aliases and remote definitions tell where a
put to them would go now: `resolves` ("ORDERS", "ORDERS@QM2") and, for another queue manager, `transmission_queue`; or
`unresolved` with the reason; a queue manager alias resolves to a queue manager ("@QM2"), and a name that a member of a
cluster has not asked for has neither.

Edge kinds: holds (from a queue manager, or what several have in common, to an object), alias, resolves
(remote definition to the transmission queue it would use), leads (remote definition to the queue that its messages are
for, in a lab that has it), xmitq (channel to its queue) and feeds (the other way), talks (channel to its partner's:
session, up; repositories: only repository managers have used it), link (between queue managers: up, latency in
seconds, counts_flight; spare: between members of clusters, never cut), backout, deadq, initq, process, puts and gets
(with `calls`, those that succeeded, and `first`, the row of the event log that brought them; those of a message channel
agent are its channel's). The module `clusters` has what clusters add. Extras draw more, in their modules `picture`.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from ..engine.explain.ways import channels_of, leads_to, partner_of
from ..engine.extra import extras, of_extras
from ..engine.programs.channels.channel import SYNCQ
from ..engine.queues.queue import LocalQueue, Remote
from ..engine.queues.target import full_name
from ..engine.queues.targets import scope_of
from ..engine.words.constants import MQRC_CLUSTER_RESOLUTION_ERROR
from ..engine.words.errors import MQError
from ..engine.words.objects import QUEUE_KINDS, Definition, base_kind
from . import clusters

if TYPE_CHECKING:
    import networkx as nx

    from ..engine.queues.queue_manager import QueueManager
    from ..engine.queues.target import Lab


def topology(lab: Lab) -> nx.MultiDiGraph:
    """The graph of a lab as it is defined now, with the programs in its event log.

    SYSTEM objects are left out unless something refers to them or uses them. Every value of a node or edge is a text or
    a number, so that networkx writes the graph in any of its formats.
    """
    import networkx as nx  # half of the time that `import mqlab` would take

    graph, messages = nx.MultiDiGraph(), clusters.sent(lab)
    for extra in extras():
        extra.draw_owners(graph, lab)
    for qmgr in lab.queue_managers:
        add_qmgr(graph, qmgr, qmgr.platform, level=qmgr.level, listens=_listens(qmgr))
        kinds = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "CHANNEL", "PROCESS", *of_extras("node_facts"))
        definitions = qmgr.objects.match(kinds)
        definitions = [each for each in definitions if each.name not in qmgr.targets.later]  # nothing uses these
        definitions += clusters.channels(qmgr, messages.get(qmgr.name, []))
        clusters.members(graph, qmgr)
        for definition in definitions:
            _add_object(graph, qmgr, definition)
        for definition in definitions:
            if definition.kind in ("QLOCAL", "QALIAS", "QREMOTE", "CHANNEL"):
                _add_references(graph, qmgr, definition)
        for extra in extras():
            extra.draw_objects(graph, qmgr)
        dead_letter = key_of(qmgr, "QLOCAL", qmgr.attributes.get("DEADQ"))
        if dead_letter in graph:
            graph.nodes[dead_letter]["role"] = "dead-letter"
            graph.add_edge(qmgr.name, dead_letter, kind="deadq")
    for extra in extras():
        extra.draw(graph, lab)
    _add_links(graph, lab, messages)
    for qmgr in lab.queue_managers:
        clusters.names(graph, qmgr, messages.get(qmgr.name, []), QUEUE)
    _add_programs(graph, lab)
    used = {node for *ends, kind in graph.edges(data="kind") if kind != "holds" for node in ends}
    names = list(graph.nodes(data="name", default=""))
    graph.remove_nodes_from(node for node, name in names if name.startswith("SYSTEM.") and node not in used)
    return graph


def _listens(qmgr: QueueManager) -> str:
    """The ports of the listeners that someone defined and that run, as text."""
    own = (one for one in qmgr.started if one.kind == "LISTENER" and not one.name.startswith("SYSTEM."))
    return ", ".join(str(port) for port in sorted({one.attributes.get("PORT", 0) for one in own} - {0}))


def add_qmgr(graph: nx.DiGraph, qmgr: QueueManager, platform: str, **facts: object) -> None:
    running = bool(qmgr.running)  # of a group: the members that run
    graph.add_node(qmgr.name, kind="qmgr", name=qmgr.name, platform=platform, running=running, **facts)


def key_of(qmgr: QueueManager, kind: str, name: str) -> str:
    """The key of an object of a queue manager in the graph, which begins with its owner."""
    if kind == "QMGR":
        return qmgr.name
    part = {"CHANNEL": "channel", "PROCESS": "process", **of_extras("nodes")}.get(kind)
    return f"{owner_of(qmgr, kind, name)}/{f'{part}:' if part else ''}{name}"


def owner_of(qmgr: QueueManager, kind: str, name: str) -> str:
    """The owner of an object: the queue manager, or the scope that several have in common."""
    definition = None if kind in ("CHANNEL", "PROCESS") else qmgr.objects.named(kind, name)
    scope = None if definition is None else scope_of(qmgr, definition)
    return qmgr.name if scope is None else scope.name


QUEUE: dict[str, Any] = {"kind": "queue", "usage": "NORMAL", "role": "", "put": "ENABLED", "get": "ENABLED"}


def _add_object(graph: nx.DiGraph, qmgr: QueueManager, definition: Definition) -> None:
    key, attributes = key_of(qmgr, definition.kind, definition.name), definition.attributes
    if key in graph:
        return  # of several queue managers, and seen by another one already
    if definition.kind == "CHANNEL":
        facts = {"kind": "channel", "type": attributes["CHLTYPE"], **_channel(qmgr, definition)}
    elif definition.kind == "PROCESS":
        facts = {"kind": "process", "type": ""}
    elif definition.kind not in QUEUE_KINDS:
        facts = {"kind": of_extras("nodes")[definition.kind], "type": ""}
        facts |= {fact: attributes[word] for fact, word in of_extras("node_facts")[definition.kind].items()}
    else:
        facts = QUEUE | {"type": definition.kind}
        facts |= {word.lower(): attributes[word] for word in ("USAGE", "PUT", "GET", "MAXDEPTH") if word in attributes}
        facts |= {"role": "transmission" if facts["usage"] == "XMITQ" else ""}
        facts |= _counts(qmgr, definition) | _resolved(qmgr, definition)
    if found := qmgr.objects.clusters_of(definition):
        facts["cluster"] = ", ".join(found)
    owner = owner_of(qmgr, definition.kind, definition.name)
    graph.add_node(key, qmgr=owner, name=definition.name, description=attributes.get("DESCR", ""), **facts)
    graph.add_edge(owner, key, kind="holds")


def _channel(qmgr: QueueManager, definition: Definition) -> dict[str, Any]:
    """The state of each instance of a channel by partner, and the most active of them."""
    instances = {partner_of(channel): channel for channel in channels_of(qmgr, definition)}
    ranked = sorted(instances.values(), key=lambda c: (not c.active, c.state == "INACTIVE"))
    units: list[Any] = [channel.indoubt for channel in ranked]
    return {
        "chltype": definition.attributes["CHLTYPE"],
        "state": ranked[0].state,
        "instances": ", ".join(f"{partner} {channel.state}" for partner, channel in instances.items()),
        "xmitq": definition.attributes.get("XMITQ", ""),
        "conname": definition.attributes.get("CONNAME", ""),
        "indoubt": sum(len(unit.gets) for unit in units if unit is not None),
    }


def _counts(qmgr: QueueManager, definition: Definition) -> dict[str, Any]:
    """CURDEPTH of a local queue, and how many of its messages have expired and still count (EXP-17)."""
    queue, now = qmgr.targets.get(definition.name), qmgr.clock.time_us
    if definition.kind != "QLOCAL" or not isinstance(queue, LocalQueue):
        return {}
    messages: Any = [] if queue.expired_witness(now) is None else queue.store.in_order()
    return {"depth": queue.depth, "expired": sum(m.expires_us is not None and m.expires_us <= now for m in messages)}


def _resolved(qmgr: QueueManager, definition: Definition) -> dict[str, Any]:
    """Where a put to an alias or a remote definition would go now, or why nowhere."""
    attributes = definition.attributes
    if definition.kind not in ("QALIAS", "QREMOTE"):
        return {}
    names_qmgr = definition.kind == "QREMOTE" and not attributes["RNAME"]
    if names_qmgr and attributes["RQMNAME"] in ("", qmgr.name):
        return {"resolves": f"@{qmgr.name}" if attributes["RQMNAME"] else f"@{definition.name}"}
    try:
        target = leads_to(qmgr, f"{definition.name}@{definition.name}" if names_qmgr else definition.name)
    except MQError as refused:
        asks = refused.reason == MQRC_CLUSTER_RESOLUTION_ERROR  # a put would ask a full repository, and may find it
        return {} if asks else {"unresolved": f"{refused.reason} {refused.name}: {refused.said}"}
    if isinstance(target, Remote):
        queue, at = target.destination
        resolves = f"@{at}" if names_qmgr else full_name(qmgr, queue, at)
        return {"resolves": resolves, "transmission_queue": target.queue.name}
    return {"resolves": getattr(target, "string", "") if target.queue is None else target.queue.name}


def _add_references(graph: nx.DiGraph, qmgr: QueueManager, definition: Definition) -> None:
    """The edges from one object to those it names; what only gives DEFINE its defaults names nothing."""
    if definition.name.startswith("SYSTEM.DEF"):
        return
    attributes, source = definition.attributes, key_of(qmgr, definition.kind, definition.name)
    transmission = attributes.get("XMITQ") or attributes.get("RQMNAME") or qmgr.attributes.get("DEFXMITQ")
    if definition.kind == "QREMOTE":
        transmission = graph.nodes[source].get("transmission_queue", transmission)
    named = {
        "QALIAS": (("alias", attributes.get("TARGET"), base_kind(definition), ""),),
        "QREMOTE": (("resolves", transmission, "QLOCAL", ""),),
        "CHANNEL": (("xmitq", attributes.get("XMITQ"), "QLOCAL", "transmission"),),
        "QLOCAL": (
            ("backout", attributes.get("BOQNAME"), "QLOCAL", "backout"),
            ("initq", attributes.get("INITQ"), "QLOCAL", "initiation"),
            ("process", attributes.get("PROCESS"), "PROCESS", ""),
        ),
    }
    for kind, name, target_kind, role in named[definition.kind]:
        target = key_of(qmgr, target_kind, name) if name else ""
        if target in graph:  # the key: several queue managers may have the same queue
            graph.add_edge(source, target, key=kind, kind=kind)
            graph.nodes[target]["role"] = graph.nodes[target].get("role") or role
            if kind == "xmitq":
                graph.add_edge(target, source, kind="feeds")


def _add_links(graph: nx.DiGraph, lab: Lab, messages: dict[str, list[Any]]) -> None:
    """The links between queue managers, which channel talks to which, and the queues that remote definitions mean."""
    spare = clusters.spare(lab)
    for link in lab.network.paths:
        facts = {"up": link.up, "latency": link.latency_us / 1e6, "counts_flight": link.counts_flight}
        graph.add_edge(*link.names, kind="link", **facts, **({"spare": True} if link.names in spare else {}))
    for qmgr in lab.queue_managers:
        named = [each for each in qmgr.objects.match(("CHANNEL",)) if not each.name.startswith("SYSTEM.")]
        named += clusters.channels(qmgr, messages.get(qmgr.name, []))
        for channel in (channel for definition in named for channel in channels_of(qmgr, definition)):
            partner = "" if channel.partner else partner_of(channel)  # from the channel that calls to the one it calls
            key, other = key_of(qmgr, "CHANNEL", channel.name), f"{partner}/channel:{channel.name}"
            if partner and other in graph:
                up = getattr(lab.network.path(qmgr.name, partner), "up", False)
                facts = {"session": channel.end is not None, "up": up}
                if channel.tag is not None and channel.name not in {one.channel for one in messages.get(qmgr.name, [])}:
                    facts["repositories"] = True  # nobody else used it
                graph.add_edge(key, other, kind="talks", **facts)
        for definition in qmgr.objects.match(("QREMOTE",)):
            key = key_of(qmgr, "QREMOTE", definition.name)
            queue, _, at = graph.nodes[key].get("resolves", "").partition("@")
            target = f"{at}/{queue}" if queue else at
            if at and target in graph:
                graph.add_edge(key, target, kind="leads")


def _add_programs(graph: nx.DiGraph, lab: Lab) -> None:
    """The programs and what they put to and got from, counted over the log."""
    # a program whose calls all failed is there too
    columns = (lab.events.column(name) for name in ("qmgr", "program", "kind", "object", "detail", "message"))
    managers = {qmgr.name: qmgr for qmgr in lab.queue_managers}
    facts_of = cache(lambda detail: json.loads(detail) if detail else {})
    calls: Counter = Counter()
    rows: dict[tuple, int] = {}  # the first of each
    for seq, (qmgr, program, kind, queue, detail, message) in enumerate(zip(*columns, strict=True)):
        if None not in (program, queue) and kind in ("put", "get", "browse"):
            facts = facts_of(detail)  # of a call: the alias it went by, or the member that made it
            via = facts.get("via", queue)
            if "channel" in facts:
                via = via.partition("@")[0]  # a name in a cluster, for messages to any of its instances
            call = facts.get("member", qmgr), program, kind, message is not None, via, queue
            calls[call] += 1
            rows.setdefault(call, seq)
    lines: Counter = Counter()
    first: dict[tuple, int] = {}
    for (qmgr, program, kind, done, *names), count in sorted(calls.items()):
        known = [key_of(managers[qmgr], "QLOCAL", name) if qmgr in managers else f"{qmgr}/{name}" for name in names]
        target = next((node for node in known if node in graph), None)  # a name that a header gave is no object here
        channel = f"{qmgr}/channel:{program}"
        made = qmgr in managers and channel not in graph and (program, "") in managers[qmgr].channels
        if target is None or made or (channel in graph and SYNCQ in names):  # which a channel remembers for itself
            continue
        if channel not in graph:
            graph.add_node(f"{qmgr}/app:{program}", kind="program", qmgr=qmgr, name=program)
        line = channel if channel in graph else f"{qmgr}/app:{program}", target, kind
        lines[line] += count * done
        row = rows[qmgr, program, kind, done, *names]
        first[line] = min(first.get(line, row), row)
    for put, target in (put for extra in extras() for put in extra.puts(graph, lab)):
        key = f"{put.qmgr}/app:{put.program}"
        graph.add_node(key, kind="program", qmgr=put.qmgr, name=put.program)
        lines[key, target, "put"] += 1
        first.setdefault((key, target, "put"), put.seq)
    for (key, target, kind), count in lines.items():
        source, sink = (key, target) if kind == "put" else (target, key)
        about = {"calls": count, "first": first[key, target, kind]}
        graph.add_edge(source, sink, kind="puts" if kind == "put" else "gets", **about)
