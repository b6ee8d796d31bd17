"""What a queue manager says of itself in its clusters: the records that follow from its definitions."""

from __future__ import annotations

from typing import Any

from ..engine.words.objects import QUEUE_KINDS, Definition
from .repository import Key

ALL = ("", "")
"""Every object: a membership has changed, or a namelist."""

QUEUE, ALIAS, TOPIC, QMGR = "QUEUE", "ALIAS", "TOPIC", "QMGR"
"""Kinds of records: a queue, a queue manager alias, a topic, a queue manager."""

_TOLD = ("DEFBIND", "DEFPRTY", "DEFPSIST", "PUT", "DESCR", "CLWLPRTY", "CLWLRANK", "CAPEXPRY", "CUSTOM")


def receivers(qmgr: Any) -> list[tuple[str, Definition]]:
    """Each cluster that a queue manager is a member of, with its CLUSRCVR channel, in order of their names (CLU-03)."""
    own = [one for one in qmgr.objects.having("CHANNEL", "CLUSRCVR") if not one.name.startswith("SYSTEM.")]
    found: dict[str, Definition] = {}
    for one in own:
        for cluster in qmgr.objects.clusters_of(one):
            found.setdefault(cluster, one)
    return list(found.items())


def senders(qmgr: Any, cluster: str) -> list[Definition]:
    """The manual CLUSSDR channels of a cluster, by name."""
    manual = (one for one in qmgr.objects.having("CHANNEL", "CLUSSDR") if not one.name.startswith("SYSTEM."))
    return [one for one in manual if cluster in qmgr.objects.clusters_of(one)]


def is_full(qmgr: Any, cluster: str) -> bool:
    """Whether a queue manager is a full repository of a cluster: by REPOS, or the namelist of REPOSNL (CLU-01)."""
    listed = qmgr.objects.get("NAMELIST", qmgr.attributes.get("REPOSNL", ""))
    return cluster in (qmgr.attributes.get("REPOS"), *(listed.attributes["NAMES"] if listed else ()))


def own_records(qmgr: Any, suspended: set[str], what: tuple[str, str] = ALL) -> dict[Key, dict[str, Any]]:
    """The records of a queue manager, or those of one object, by key: their facts (CLU-25, CLU-27)."""
    member = dict(receivers(qmgr))
    found = {}
    if what == ALL:
        for cluster, channel in member.items():
            found[_key(qmgr, cluster, QMGR, qmgr.name)] = {
                "channel": channel.name,
                "attributes": dict(channel.attributes),
                "full": is_full(qmgr, cluster),
                "suspended": cluster in suspended,
                "level": qmgr.level,
            }
        objects = qmgr.objects.match((*QUEUE_KINDS, "TOPIC"))
    else:
        one = qmgr.objects.named(*what)
        objects = [] if one is None else [one]
    for one in objects:
        if not one.attributes.get("CLUSTER") and not one.attributes.get("CLUSNL"):
            continue
        for cluster in qmgr.objects.clusters_of(one):
            if cluster in member and one.kind in ("QLOCAL", "QALIAS", "QREMOTE", "TOPIC"):
                kind = TOPIC if one.kind == "TOPIC" else ALIAS if _is_alias(one) else QUEUE
                found[_key(qmgr, cluster, kind, one.name)] = _facts(one, kind)
    return found


def _is_alias(one: Definition) -> bool:
    """Whether a QREMOTE is a queue manager alias (CLU-28)."""
    return one.kind == "QREMOTE" and not one.attributes["RNAME"]


def _facts(one: Definition, kind: str) -> dict[str, Any]:
    if kind == TOPIC:
        return {key: value for key, value in one.attributes.items() if not key.startswith(("ALT", "CR"))}
    sort = QMGR if kind == ALIAS else one.kind
    return {"CLUSQT": sort, **{key: one.attributes[key] for key in _TOLD if key in one.attributes}}


def _key(qmgr: Any, cluster: str, kind: str, name: str) -> Key:
    return cluster, qmgr.attributes["QMID"], kind, name
