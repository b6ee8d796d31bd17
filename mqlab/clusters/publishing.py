"""The records of a queue manager in its clusters, which follow from its definitions."""

from __future__ import annotations

from typing import Any

from ..engine.words.objects import QUEUE_KINDS, Definition
from . import clustered
from .repository import Key

QUEUE, ALIAS, TOPIC, QMGR = "QUEUE", "ALIAS", "TOPIC", "QMGR"
"""Kinds of records: a queue, a queue manager alias, a topic, a queue manager."""

KINDS = {QUEUE: (QUEUE,), QMGR: (QMGR, ALIAS)}
"""The sort of a name -> the kinds of records that answer a question about it."""

_TOLD = ("DEFBIND", "DEFPRTY", "DEFPSIST", "PUT", "DESCR", "CLWLPRTY", "CLWLRANK", "CAPEXPRY", "CUSTOM")


def receivers(qmgr: Any) -> dict[str, Definition]:
    """Each cluster that a queue manager is a member of, with its CLUSRCVR channel, in order of their names (CLU-03)."""
    own = [channel for channel in qmgr.objects.having("CHANNEL", "CLUSRCVR") if not channel.name.startswith("SYSTEM.")]
    members: dict[str, Definition] = {}
    for channel in own:
        for cluster in qmgr.objects.clusters_of(channel):
            members.setdefault(cluster, channel)
    return members


def senders(qmgr: Any, cluster: str) -> list[Definition]:
    """The manual CLUSSDR channels of a cluster, by name."""
    manual = (one for one in qmgr.objects.having("CHANNEL", "CLUSSDR") if not one.name.startswith("SYSTEM."))
    return [one for one in manual if cluster in qmgr.objects.clusters_of(one)]


def is_full(qmgr: Any, cluster: str) -> bool:
    """Whether a queue manager is a full repository of a cluster: by REPOS, or the namelist of REPOSNL (CLU-01)."""
    listed = qmgr.objects.get("NAMELIST", qmgr.attributes.get("REPOSNL", ""))
    return cluster in (qmgr.attributes.get("REPOS"), *(listed.attributes["NAMES"] if listed else ()))


def own_records(qmgr: Any, suspended: set[str], what: tuple[str, str] | None = None) -> dict[Key, dict[str, Any]]:
    """The records of a queue manager, or those of one object, by key: their facts (CLU-25, CLU-27)."""
    member, qmid, records = receivers(qmgr), qmgr.attributes["QMID"], {}
    if what is None:
        for cluster, channel in member.items():
            records[cluster, qmid, QMGR, qmgr.name] = {
                "channel": channel.name,
                "attributes": {**channel.attributes, "CONNAME": channel.attributes["CONNAME"] or _address(qmgr)},
                "full": is_full(qmgr, cluster),
                "suspended": cluster in suspended,
                "level": qmgr.level,
            }
        objects = qmgr.objects.match((*QUEUE_KINDS, "TOPIC"))
    else:
        objects = filter(None, [qmgr.objects.named(*what)])
    for definition in objects:
        has = definition.attributes
        if has.get("USAGE") == "XMITQ" or not clustered(has):
            continue  # a transmission queue is no cluster queue
        for cluster in qmgr.objects.clusters_of(definition):
            if cluster in member:
                names_qmgr = definition.kind == "QREMOTE" and not has["RNAME"]  # a queue manager alias (CLU-28)
                kind = TOPIC if definition.kind == "TOPIC" else ALIAS if names_qmgr else QUEUE
                records[cluster, qmid, kind, definition.name] = _facts(definition, kind)
    return records


def _address(qmgr: Any) -> str:
    """The CONNAME of a CLUSRCVR without one: the first address of its queue manager, or its name."""
    known = qmgr.lab.network.addresses.items()
    return next((address for address, owner in known if owner == qmgr.name), f"{qmgr.name}(1414)")


def _facts(definition: Definition, kind: str) -> dict[str, Any]:
    if kind == TOPIC:
        return {key: value for key, value in definition.attributes.items() if not key.startswith(("ALT", "CR"))}
    sort = QMGR if kind == ALIAS else definition.kind
    return {"CLUSQT": sort, **{key: definition.attributes[key] for key in _TOLD if key in definition.attributes}}
