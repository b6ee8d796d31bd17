"""DISPLAY CLUSQMGR, and the cluster queues and topics of DISPLAY QUEUE, QCLUSTER, TOPIC, and TCLUSTER."""

from __future__ import annotations

from datetime import timedelta
from operator import attrgetter
from typing import Any

from ..engine.commands.replies import Refused
from ..engine.commands.status import shown
from ..engine.words import catalog
from ..engine.words.objects import Definition, ObjectTable
from . import manager_of
from .manager import Manager
from .publishing import ALIAS, QMGR, QUEUE, TOPIC, own_records, senders
from .repository import Record


def members(qmgr: Any, command: Any) -> list[dict[str, Any]]:
    """The rows of DISPLAY CLUSQMGR (CLU-11, CLU-12, CLU-60). Refused: AMQ8147 if there is none."""
    manager = manager_of(qmgr)
    rows = [] if manager is None else [*_known(manager), *_unknown(manager)]
    rows = [row for row in rows if _fits(row["CLUSQMGR"], command.name)]
    none = Refused(8147, "no-clusters", qmgr=qmgr.name, name=command.name)
    return shown(qmgr, command, rows, ("CHANNEL", "CLUSTER"), none)


def _fits(name: str, generic: str) -> bool:
    return name.startswith(generic[:-1]) if generic.endswith("*") else name == generic


def _known(manager: Manager) -> list[dict[str, Any]]:
    """The members that this queue manager knows; itself, also before its repository manager has said so."""
    rows, here, now = [], manager.repository.records, manager.clock.time_us
    for key, facts in own_records(manager.qmgr, manager.suspended).items():
        if key[2] == QMGR and key not in here:
            record = Record(*key[:2], manager.qmgr.name, *key[2:], facts, heard_us=now)
            rows.append(_row(manager, record, record.qmgr, "CLUSRCVR"))
    for member in manager.repository.members():
        own = member.qmid == manager.repository.own
        manual = member.facts["channel"] in [one.name for one in senders(manager.qmgr, member.cluster)]
        deftype = "CLUSRCVR" if own else "CLUSSDRB" if manual else "CLUSSDRA"
        rows.append(_row(manager, member, member.qmgr, deftype))
    return rows


def _unknown(manager: Manager) -> list[dict[str, Any]]:
    """The manual CLUSSDR channels whose partner has not answered (CLU-12)."""
    rows, qmgr = [], manager.qmgr
    clusters = dict.fromkeys((*manager.clusters(), *_of_senders(manager)))
    prefix = "SYSTEM.TEMPQMGR." if qmgr.platform == "zos" else "SYSTEM.TEMPUUID."
    for cluster in clusters:
        for channel in senders(qmgr, cluster):
            partners = manager.repository.called(channel.name)
            if not any(each.cluster == cluster and not each.gone for each in partners):
                has = channel.attributes
                facts = {"channel": channel.name, "attributes": has, "full": True, "suspended": False, "level": 0}
                record = Record(cluster, "", "", QMGR, "", facts)
                rows.append(_row(manager, record, f"{prefix}{has['CONNAME']}", "CLUSSDR"))
    return rows


def _of_senders(manager: Manager) -> list[str]:
    manual = manager.qmgr.objects.having("CHANNEL", "CLUSSDR")
    return [cluster for one in manual for cluster in manager.qmgr.objects.clusters_of(one)]


def _row(manager: Manager, member: Record, name: str, deftype: str) -> dict[str, Any]:
    facts, channel, qmgr = member.facts, member.facts["channel"], manager.qmgr
    own = deftype == "CLUSRCVR"
    has = facts["attributes"]
    return {
        "CLUSQMGR": name,
        "CHANNEL": channel,
        "CLUSTER": member.cluster,
        **{key: has.get(key, "") for key in ("ALTDATE", "ALTTIME")},
        **heard(qmgr, member),
        "DEFTYPE": deftype,
        "QMID": member.qmid,
        "QMTYPE": "REPOS" if facts["full"] else "NORMAL",
        "STATUS": _own_state(qmgr, channel) if own else manager.channels.state(channel),
        "SUSPEND": "YES" if facts["suspended"] else "NO",
        "VERSION": catalog.version(facts["level"]) if facts["level"] else "",
        "XMITQ": "" if own else manager.channels.transmission.used.get(channel, ""),
        **{key: value for key, value in has.items() if key not in ("CHLTYPE", "CLUSTER", "ALTDATE", "ALTTIME")},
    }


def _own_state(qmgr: Any, name: str) -> str:
    states = [channel.state for (known, _), channel in qmgr.channels.items() if known == name]
    return "RUNNING" if "RUNNING" in states else next(iter(states), "INACTIVE")


def heard(qmgr: Any, record: Record) -> dict[str, str]:
    """CLUSDATE and CLUSTIME: when a record became known."""
    at = qmgr.lab.start + timedelta(microseconds=record.heard_us)
    return {"CLUSDATE": at.strftime("%Y-%m-%d"), "CLUSTIME": at.strftime("%H.%M.%S")}


def instances(qmgr: Any, command: Any) -> list[ObjectTable]:
    """The instances of cluster queues, or cluster topics, that a DISPLAY is about, each in a table of its own: they
    share their names."""
    manager, word = manager_of(qmgr), command.object
    wanted = word in ("QCLUSTER", "TCLUSTER") or (word in ("QUEUE", "TOPIC") and command.options.get("CLUSINFO"))
    wanted = wanted or (word == "QUEUE" and command.attributes.get("QTYPE") == "QCLUSTER")
    wanted = wanted or (word == "TOPIC" and command.attributes.get("TYPE") in ("ALL", "CLUSTER"))
    if manager is None or not wanted:
        return []
    kinds = (TOPIC,) if word in ("TCLUSTER", "TOPIC") else (QUEUE, ALIAS)
    tables = []
    for record in sorted(manager.repository, key=attrgetter("name", "qmgr", "cluster")):
        member = manager.repository.member(record.cluster, record.qmid)
        if record.kind not in kinds or record.gone or member is None:
            continue
        table = ObjectTable()
        more = {"CLUSTER": record.cluster, "CLUSQMGR": record.qmgr, "QMID": record.qmid, **heard(qmgr, record)}
        if record.kind == TOPIC:
            more |= {"TYPE": "CLUSTER", "CLSTATE": manager.topics.state_of(record)}
            table.add(Definition("TOPIC", record.name, {**record.facts, **more}))
        else:
            table.add(Definition("QREMOTE", record.name, {**record.facts, **more, "QTYPE": "QCLUSTER"}))
        tables.append(table)
    return tables
