"""DISPLAY CLUSQMGR, and the cluster queues and topics of DISPLAY QUEUE, QCLUSTER, TOPIC, and TCLUSTER."""

from __future__ import annotations

from datetime import timedelta
from operator import attrgetter
from typing import Any

from ..engine.commands.display import matches
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
    found = [] if manager is None else [*_known(manager), *_unknown(manager)]
    rows = [_row(manager, member) for member in found if matches(member.qmgr, command.name)]
    none = Refused(8147, "no-clusters", qmgr=qmgr.name, name=command.name)
    return shown(qmgr, command, rows, ("CHANNEL", "CLUSTER"), none)


def _known(manager: Manager) -> list[Record]:
    """The members that this queue manager knows; itself, even if its repository manager has not published it yet."""
    repository, found, now = manager.repository, own_records(manager.qmgr, manager.suspended), manager.clock.time_us
    new = [key for key in found if key[2] == QMGR and key not in repository.records]
    own = [Record(*key[:2], manager.qmgr.name, *key[2:], found[key], heard_us=now) for key in new]
    return [*own, *repository.members()]


def _unknown(manager: Manager) -> list[Record]:
    """The manual CLUSSDR channels whose partner has not answered (CLU-12)."""
    unanswered, qmgr = [], manager.qmgr
    manual = (cluster for one in qmgr.objects.having("CHANNEL", "CLUSSDR") for cluster in qmgr.objects.clusters_of(one))
    clusters = dict.fromkeys((*manager.clusters(), *manual))
    prefix = "SYSTEM.TEMPQMGR." if qmgr.platform == "zos" else "SYSTEM.TEMPUUID."
    for cluster in clusters:
        for channel in senders(qmgr, cluster):
            partners = manager.repository.called(channel.name)
            if not any(each.cluster == cluster and not each.gone for each in partners):
                has = channel.attributes
                facts = {"channel": channel.name, "attributes": has, "full": True, "suspended": False, "level": 0}
                unanswered.append(Record(cluster, "", f"{prefix}{has['CONNAME']}", QMGR, "", facts))
    return unanswered


def _row(manager: Manager, member: Record) -> dict[str, Any]:
    facts, channel, qmgr = member.facts, member.facts["channel"], manager.qmgr
    own, has = member.qmid == manager.repository.own, facts["attributes"]
    states = [one.state for (name, partner), one in qmgr.channels.items() if name == channel and (own or not partner)]
    deftype = "CLUSSDRB" if channel in manager.manual(member.cluster) else "CLUSSDRA"
    if own or not member.qmid:
        deftype = "CLUSRCVR" if own else "CLUSSDR"
    return {
        "CLUSQMGR": member.qmgr,
        "CHANNEL": channel,
        "CLUSTER": member.cluster,
        **{key: has.get(key, "") for key in ("ALTDATE", "ALTTIME")},
        **heard(qmgr, member),
        "DEFTYPE": deftype,
        "QMID": member.qmid,
        "QMTYPE": "REPOS" if facts["full"] else "NORMAL",
        "STATUS": "RUNNING" if "RUNNING" in states else next(iter(states), "INACTIVE"),
        "SUSPEND": "YES" if facts["suspended"] else "NO",
        "VERSION": catalog.version(facts["level"]) if facts["level"] else "",
        "XMITQ": "" if own else manager.channels.transmission.used.get(channel, ""),
        **{key: value for key, value in has.items() if key not in ("CHLTYPE", "CLUSTER", "ALTDATE", "ALTTIME")},
    }


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
        more |= {"QTYPE": "QCLUSTER"} if record.kind != TOPIC else {}
        if record.kind == TOPIC:
            more |= {"TYPE": "CLUSTER", "CLSTATE": manager.topics.state_of(record)}
        table.add(Definition("TOPIC" if record.kind == TOPIC else "QREMOTE", record.name, {**record.facts, **more}))
        tables.append(table)
    return tables
