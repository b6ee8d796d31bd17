"""Clients in the topology of a lab: the channels that they come in through, and the gates that refused them.

Edges: connects, from a client program to its SVRCONN channel, with `first`, the row of the event log that brought it;
and refused, between the same two for each stretch in which the client is outside, from row `first` to row `until` (-1
for no end), with the `gate`, the `record` that decided and its `type` ("" for none), and the `reason` (0 for a link
that is cut).
Both lead to the queue manager if the channel is not defined. The node of a client has `client`, its channel's name.
"""

from __future__ import annotations

from typing import Any

from ..engine.world.event import Event
from . import kept


def draw_clients(graph: Any, lab: Any) -> None:
    """The clients of a lab: those that were let in, and from the event log those that were refused."""
    managers = {qmgr.name: qmgr for qmgr in lab.queue_managers}
    refused = [row for row in lab.events.where(kind="connect") if row.reason is not None and row.object not in managers]
    channels = {(row.qmgr, row.program): row.object for row in refused}
    for name, qmgr in managers.items():
        channels |= {(name, program): channel for program, channel in kept(qmgr).clients.items()}
    if not channels:
        return
    rows: dict[tuple, list[int]] = {client: [] for client in channels}
    for seq, (name, program) in enumerate(zip(*map(lab.events.column, ("qmgr", "program")), strict=True)):
        if (name, program) in rows:
            rows[name, program].append(seq)
    cuts = lab.events.where(kind="fault", object_type="CLIENT")
    for (name, program), channel in sorted(channels.items()):
        stops = [row for row in refused if (row.qmgr, row.program) == (name, program)]
        stops += [row for row in cuts if (row.qmgr, row.object) == (name, f"{program} - {name}")]
        own = sorted({*rows[name, program], *(row.seq for row in stops)})
        if own:
            key, target = f"{name}/app:{program}", f"{name}/channel:{channel}"
            graph.add_node(key, kind="program", qmgr=name, name=program, client=channel)
            target = target if target in graph else name
            graph.add_edge(key, target, kind="connects", first=own[0])
            mended = [row.seq for row in stops if row.reason is None and row.facts["up"]]
            for row in stops:
                if row.seq not in mended:
                    until = next((seq for seq in (own if row.reason else mended) if seq > row.seq), -1)
                    graph.add_edge(key, target, kind="refused", first=row.seq, until=until, **_about(row))


def _about(row: Event) -> dict[str, Any]:
    """The gate that kept a client outside: the record that decided, its type, and the reason code."""
    if row.reason is None:
        return {"gate": "network", "record": "cut", "type": "", "reason": 0}
    gate, profile, type = row.facts["gate"], *map(row.facts["why"].get, ("profile", "type"))
    record = f"{row.object if gate == 'channel' else gate} · {row.reason}"
    record = f"CHLAUTH({profile})" if profile else record
    return {"gate": gate, "record": record, "type": type or "", "reason": row.reason}
