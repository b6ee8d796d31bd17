"""The lab as a graph: queue managers, queues, channels, processes and the programs that use them.

Nodes are keyed "QM1" (kind "qmgr": platform, level, running), "QM1/ORDERS" (kind "queue": qmgr, name, type, usage,
put, get, role, maxdepth, description), "QM1/channel:TO.HQ" (kind "channel": qmgr, name, type), "QM1/process:P" (kind
"process") and "QM1/app:BILLING" (kind "program"). Edge kinds: holds, alias, resolves (remote definition to the
transmission queue it would use), xmitq (channel to its queue), backout, deadq, initq, process, puts and gets (with
`calls`, from the log).
"""

from __future__ import annotations

import json
from collections import Counter

import networkx as nx

from .objects import Definition

__all__ = ["topology"]


def topology(lab) -> nx.MultiDiGraph:
    """The graph of a lab as it is defined now, with the programs its event log tells of.

    SYSTEM objects are left out unless something refers to them or uses them.
    """
    graph = nx.MultiDiGraph()
    for qmgr in lab.queue_managers:
        graph.add_node(
            qmgr.name, kind="qmgr", name=qmgr.name, platform=qmgr.platform, level=qmgr.level, running=qmgr.running
        )
        for definition in qmgr.objects.match(("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "CHANNEL", "PROCESS")):
            _add_object(graph, qmgr, definition)
        for definition in qmgr.objects.match(("QLOCAL", "QALIAS", "QREMOTE", "CHANNEL")):
            _add_references(graph, qmgr, definition)
        dead_letter = f"{qmgr.name}/{qmgr.attributes.get('DEADQ')}"
        if dead_letter in graph:
            graph.nodes[dead_letter]["role"] = "dead-letter"
            graph.add_edge(qmgr.name, dead_letter, kind="deadq")
    _add_programs(graph, lab)
    unused = [
        node
        for node, data in graph.nodes(data=True)
        if data.get("name", "").startswith("SYSTEM.")
        and not any(
            edge["kind"] != "holds"
            for *_, edge in [*graph.in_edges(node, data=True), *graph.out_edges(node, data=True)]
        )
    ]
    graph.remove_nodes_from(unused)
    return graph


def _key(qmgr, kind: str, name: str) -> str:
    part = {"CHANNEL": "channel:", "PROCESS": "process:"}.get(kind, "")
    return f"{qmgr.name}/{part}{name}"


def _add_object(graph, qmgr, definition: Definition) -> None:
    key, attributes = _key(qmgr, definition.kind, definition.name), definition.attributes
    common = {"qmgr": qmgr.name, "name": definition.name, "description": attributes.get("DESCR", "")}
    if definition.kind in ("CHANNEL", "PROCESS"):
        graph.add_node(key, kind=definition.kind.lower(), type=attributes.get("CHLTYPE", ""), **common)
    else:
        usage = attributes.get("USAGE", "NORMAL")
        graph.add_node(
            key,
            kind="queue",
            type=definition.kind,
            usage=usage,
            maxdepth=attributes.get("MAXDEPTH"),
            role="transmission" if usage == "XMITQ" else "",
            put=attributes.get("PUT", "ENABLED"),
            get=attributes.get("GET", "ENABLED"),
            **common,
        )
    graph.add_edge(qmgr.name, key, kind="holds")


def _add_references(graph, qmgr, definition: Definition) -> None:
    """The edges from one object to those it names."""
    attributes, source = definition.attributes, _key(qmgr, definition.kind, definition.name)
    transmission = attributes.get("XMITQ") or attributes.get("RQMNAME") or qmgr.attributes.get("DEFXMITQ")
    named = {
        "QALIAS": (("alias", attributes.get("TARGET"), "QLOCAL", ""),),
        "QREMOTE": (("resolves", transmission, "QLOCAL", ""),),
        "CHANNEL": (("xmitq", attributes.get("XMITQ"), "QLOCAL", "transmission"),),
        "QLOCAL": (
            ("backout", attributes.get("BOQNAME"), "QLOCAL", "backout"),
            ("initq", attributes.get("INITQ"), "QLOCAL", "initiation"),
            ("process", attributes.get("PROCESS"), "PROCESS", ""),
        ),
    }
    for kind, name, target_kind, role in named[definition.kind]:
        target = _key(qmgr, target_kind, name) if name else None
        if target in graph:
            graph.add_edge(source, target, kind=kind)
            graph.nodes[target]["role"] = graph.nodes[target].get("role") or role


def _named(detail: str | None) -> str | None:
    """The alias that a call went by, None if it named the queue itself."""
    return json.loads(detail)["via"] if detail is not None and detail.startswith('{"via"') else None


def _add_programs(graph, lab) -> None:
    """The programs and what they put to and got from, counted over the log."""
    columns = (lab.events.column(name) for name in ("qmgr", "program", "kind", "object", "detail", "message"))
    calls = Counter(
        (qmgr, program, kind, _named(detail) or queue)
        for qmgr, program, kind, queue, detail, message in zip(*columns, strict=True)
        if message is not None and program is not None and kind in ("put", "get", "browse")
    )
    for (qmgr, program, kind, queue), count in sorted(calls.items()):
        key, target = f"{qmgr}/app:{program}", f"{qmgr}/{queue}"
        if target in graph:
            graph.add_node(key, kind="program", qmgr=qmgr, name=program)
            source, sink = (key, target) if kind == "put" else (target, key)
            graph.add_edge(source, sink, kind="puts" if kind == "put" else "gets", calls=count)
