"""Checks of cluster queues: their instances, the names that hide or miss them, and their transmission queues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, WARNING, Found, check
from ..proofs import Proof, put_to
from .clusters import RUN, TEMPORARY, Cluster, clusters, knows
from .objects import USUAL, alter, each, say, takes

if TYPE_CHECKING:
    from ..definitions import Definitions

_Hosts = list[tuple[QueueManager, Definition]]


def _instances(estate: Definitions) -> Iterator[tuple[Cluster, str, _Hosts]]:
    """Each cluster queue with its instances: the queue managers that have it, and their definitions."""
    if "instances" not in estate.kept:
        its = {cluster.name: cluster for cluster in clusters(estate)}
        found: dict[tuple[str, str], _Hosts] = {}
        for qmgr, one in each(estate, "QLOCAL", "QALIAS", "QREMOTE") if its else ():
            queue = one.attributes.get("USAGE") != "XMITQ" and one.attributes.get("RNAME", "a queue")
            for name in qmgr.objects.clusters_of(one) if queue else ():
                if name in its and qmgr.name in its[name].members:
                    found.setdefault((name, one.name), []).append((qmgr, one))
        estate.kept["instances"] = [(its[cluster], name, hosts) for (cluster, name), hosts in found.items()]
    yield from estate.kept["instances"]


def _played(at: str, hosts: _Hosts, times: int, shows: list[int], handle: bool = False) -> Proof | None:
    """A proof that puts messages, over one `handle` or by single calls, and shows how many each instance has."""
    name = hosts[0][1].name
    if not at or any(one.kind != "QLOCAL" or not takes(qmgr, name) for qmgr, one in hosts):
        return None
    lines = [RUN, f"for _ in range({times}):", f"    {put_to(at, name)}", "lab.advance(60)"]
    if handle:
        lines[1:3] = [f"queue = lab[{at!r}].connect('A.PROGRAM').open({name!r}, output=True)", lines[1]]
        lines.insert(3, '    queue.put(b"a message")')
    shown = f"[lab[one].depth({name!r}) for one in {[qmgr.name for qmgr, _ in hosts]!r}]"
    return Proof("\n".join((*lines, f"sorted({shown})" if handle else shown)), str(shows))


def _putter(estate: Definitions, cluster: Cluster, name: str) -> str:
    """A member without a definition of a queue; "" if there is none, or if a proof cannot use the cluster."""
    others = (one for one in cluster.members if estate.lab[one].objects.named("QLOCAL", name) is None)
    return next(others, "") if cluster.sound else ""


_ALIKE = ("DEFBIND", "DEFPSIST", "MAXMSGL", "CLWLRANK")
"""The attributes in which the instances of a cluster queue should agree."""


def _unlike(cluster: Cluster, name: str, keyword: str, values: dict[str, Any], at: str) -> Proof | None:
    """A proof that a cluster knows several values of a queue, or that the instance `at` does not take a longer one."""
    if keyword != "MAXMSGL":
        rows = f"lab[{cluster.full[0]!r}].mqsc({f'DISPLAY QCLUSTER({quoted(name)}) ALL'!r}).rows"
        return Proof(f"{RUN}\nlen({{row[{keyword!r}] for row in {rows}}})", str(len({*values.values()})))
    putter = next((one for one in values if values[one] > values[at]), "")
    put = f"lab[{putter!r}].put({f'{name}@{at}'!r}, bytes({values[at] + 1}))"
    lines = (RUN, put, "lab.advance(60)", f"lab[{at!r}].depth({name!r})")
    return Proof("\n".join(lines), "0") if putter and values[at] < USUAL else None


@check("cluster-instances-differ", WARNING, "Instances of a cluster queue differ", "CLU-32")
def differ(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        for keyword in _ALIKE if len(hosts) > 1 else ():
            values = {qmgr.name: one.attributes[keyword] for qmgr, one in hosts if keyword in one.attributes}
            usual = Counter(values.values()).most_common(1)[0][0] if values else None
            there = next((at for at in values if values[at] == usual), "")
            facts = {"name": name, "cluster": cluster.name, "keyword": keyword, "usual": usual, "there": there}
            for qmgr, one in hosts:
                if (value := values.get(qmgr.name, usual)) != usual:
                    said = say("instances", **facts, value=value, effect=say(keyword))
                    proof = _unlike(cluster, name, keyword, values, qmgr.name) if cluster.sound else None
                    fix, severity = alter(one, f"{keyword}({usual})"), NOTE if keyword == "CLWLRANK" else ""
                    yield Found(qmgr.name, one.kind, name, said, fix, proof, keyword, "", severity)


@check("cluster-queue-bound", NOTE, "A handle binds all its messages to one instance", "CLU-30")
def bound(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        many = len(hosts)
        if many > 1 and all(one.attributes["DEFBIND"] == "OPEN" for _, one in hosts):
            said = say("bound", name=name, many=many, cluster=cluster.name)
            proof = _played(_putter(estate, cluster, name), hosts, 2 * many, [0] * (many - 1) + [2 * many], True)
            at, place = next(iter(cluster.members)), estate.place(hosts[0][0].name, hosts[0][1].kind, name)
            yield Found(at, hosts[0][1].kind, name, said, "", proof, "DEFBIND", place=place, cause=cluster.name)


def _brought(estate: Definitions) -> dict[tuple[str, str], str]:
    """The remote definition elsewhere, or the alias, that brings messages to a queue without a cluster channel."""
    found: dict[tuple[str, str], str] = {}
    for qmgr, one in each(estate, "QREMOTE", "QALIAS"):
        of = one.attributes
        if one.kind == "QREMOTE" and of["RQMNAME"] != qmgr.name:
            found.setdefault((of["RQMNAME"], of["RNAME"]), f"QREMOTE {one.name} of {qmgr.name}")
        elif one.kind == "QALIAS" and of["PUT"] == "ENABLED":
            found.setdefault((qmgr.name, of["TARGET"]), f"QALIAS {one.name}")
    return found


@check("cluster-queue-local", NOTE, "Messages stay at the instance where they are put", "CLU-36")
def local(estate: Definitions) -> Iterator[Found]:
    brought = _brought(estate)
    for cluster, name, hosts in _instances(estate):
        for qmgr, one in hosts if len(hosts) > 1 else ():
            use, by = one.attributes.get("CLWLUSEQ", ""), brought.get((qmgr.name, name), "")
            stays = use == "LOCAL" or (use, qmgr.attributes["CLWLUSEQ"]) == ("QMGR", "LOCAL")
            others = [other.name for other, _ in hosts if other is not qmgr]
            alone = by and not any((other, name) in brought for other in others)
            if stays and alone and one.attributes["PUT"] == "ENABLED":
                said = say("local", name=name, at=qmgr.name, others=" and ".join(others), cluster=cluster.name, by=by)
                shows = [4 if other is qmgr else 0 for other, _ in hosts]
                proof = _played(qmgr.name if cluster.sound else "", hosts, 4, shows)
                fix = alter(one, "CLWLUSEQ(ANY)")
                yield Found(qmgr.name, one.kind, name, said, fix, proof, "CLWLUSEQ", cause=cluster.name)


@check("cluster-queue-hidden", WARNING, "A definition hides a cluster queue", "CLU-21")
def hidden(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        for qmgr in (estate.lab[member] for member in cluster.members):
            one = qmgr.objects.named("QLOCAL", name)
            if one is not None and not qmgr.objects.clusters_of(one) and not estate.refused(qmgr, name):
                there, kind, severity = hosts[0][0].name, one.kind, "" if one.kind == "QLOCAL" else NOTE
                said = say("hidden", kind=kind, name=name, at=qmgr.name, there=there, cluster=cluster.name)
                proof = _played(qmgr.name if cluster.sound else "", [(qmgr, one), *hosts], 4, [4] + [0] * len(hosts))
                yield Found(qmgr.name, kind, name, said, "", proof, "CLUSTER", "", severity, about=cluster.name)


@check("cluster-alias-astray", WARNING, "A cluster alias has no target at its queue manager", "CLU-26")
def alias_astray(estate: Definitions) -> Iterator[Found]:
    known = {(cluster.name, name): hosts[0][0].name for cluster, name, hosts in _instances(estate)}
    for cluster, name, hosts in _instances(estate):
        for qmgr, one in hosts:
            target, bind, at = one.attributes.get("TARGET", ""), one.attributes["DEFBIND"], qmgr.name
            there = known.get((cluster.name, target))
            if there and bind != "NOTFIXED" and qmgr.objects.named("QLOCAL", target) is None:
                said = say("alias-astray", name=name, target=target, there=there, at=at, bind=bind)
                putter, fix = _putter(estate, cluster, name), alter(one, "DEFBIND(NOTFIXED)")
                lines = (RUN, put_to(putter, name), "lab.advance(60)", f"lab[{there!r}].depth({target!r})")
                proof = Proof("\n".join(lines), "0") if putter and len(hosts) == 1 else None
                yield Found(at, one.kind, name, said, fix, proof, "DEFBIND", about=cluster.name, cause=there)


_FEW = 5_000
"""The MAXDEPTH below which a cluster transmission queue is small: the default of other queues."""


@check("cluster-transmission-queue", ERROR, "A cluster transmission queue does not let messages pass", "CLU-52")
def transmission(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        theirs = [cluster for cluster in clusters(estate) if qmgr.name in cluster.members]
        asks = any(cluster.asks(qmgr.name) for cluster in theirs) and qmgr.attributes.get("DEFCLXQ") != "CHANNEL"
        for one in qmgr.objects.match(("QLOCAL",)) if theirs else ():
            of, name, usual = one.attributes, one.name, one.name == "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
            if not usual and not of["CLCHNAME"]:
                continue
            wrong = [(key, f"{key}(ENABLED)", "") for key in ("GET", "PUT") if of[key] == "DISABLED"]
            wrong += [("MAXDEPTH", "MAXDEPTH(999999999)", NOTE)] if of["MAXDEPTH"] < _FEW else []
            for keyword, fix, severity in wrong:
                said = say("transmission", name=name, keyword=keyword, value=of[keyword], effect=say(keyword))
                proof = knows(qmgr.name, TEMPORARY, True) if usual and asks and not severity else None
                yield Found(qmgr.name, "QLOCAL", name, said, alter(one, fix), proof, keyword, "", severity)
            names = [its.name for cluster in theirs for its in cluster.members.values()]
            names += [its.name for cluster in theirs for at, its in cluster.senders if at is qmgr]
            if of["CLCHNAME"] and not any(fnmatchcase(channel, of["CLCHNAME"]) for channel in names):
                said = say("no-such-channel", wanted=of["CLCHNAME"], name=name)
                rows = f"lab[{qmgr.name!r}].mqsc('DISPLAY CLUSQMGR(*) XMITQ').rows"
                proof = Proof(f"{RUN}\n[row['XMITQ'] for row in {rows}].count({name!r})", "0")
                yield Found(qmgr.name, "QLOCAL", name, said, "", proof, "CLCHNAME", "", NOTE)


@check("cluster-sender-workload", NOTE, "A cluster-sender channel has attributes that do not count", "CLU-46")
def workload(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "CHANNEL"):
        usual = {"CLWLPRTY": 0, "CLWLRANK": 0, "CLWLWGHT": 50}
        given = [key for key, value in usual.items() if one.attributes.get(key, value) != value]
        if one.attributes["CHLTYPE"] == "CLUSSDR" and given:
            said = say("workload", keyword=given[0], value=one.attributes[given[0]], name=one.name)
            fix = alter(one, " ".join(f"{key}({usual[key]})" for key in given))
            its = any(cluster.sound and cluster.called(one.name) for cluster in clusters(estate))
            asked = f"DISPLAY CLUSQMGR(*) WHERE(CHANNEL EQ {quoted(one.name)}) {given[0]}"
            values = f"lab[{qmgr.name!r}].objects.get('CHANNEL', {one.name!r}).attributes"
            shown = f"lab[{qmgr.name!r}].mqsc({asked!r}).rows[0][{given[0]!r}] == {values}[{given[0]!r}]"
            proof = Proof(f"{RUN}\n{shown}", "False") if its else None
            yield Found(qmgr.name, "CHANNEL", one.name, said, fix, proof, given[0])
