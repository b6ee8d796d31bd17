"""Checks of cluster queues: their instances, the names that hide or miss them, and their transmission queues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import ERROR, NOTE, WARNING, Found, check, fault
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
        result: dict[tuple[str, str], _Hosts] = {}
        for qmgr, definition in each(estate, "QLOCAL", "QALIAS", "QREMOTE") if its else ():
            queue = definition.attributes.get("USAGE") != "XMITQ" and definition.attributes.get("RNAME", "a queue")
            for name in qmgr.objects.clusters_of(definition) if queue else ():
                if name in its and qmgr.name in its[name].members:
                    result.setdefault((name, definition.name), []).append((qmgr, definition))
        estate.kept["instances"] = [(its[cluster], name, hosts) for (cluster, name), hosts in result.items()]
    yield from estate.kept["instances"]


def _played(host: str, hosts: _Hosts, times: int, shows: list[int], handle: bool = False) -> Proof | None:
    """A proof that puts messages, over one `handle` or by single calls, and shows how many each instance has."""
    name = hosts[0][1].name
    if not host or any(definition.kind != "QLOCAL" or not takes(qmgr, name) for qmgr, definition in hosts):
        return None
    lines = [RUN, f"for _ in range({times}):", f"    {put_to(host, name)}", "lab.advance(60)"]
    if handle:
        lines[1:3] = [f"queue = lab[{host!r}].connect('A.PROGRAM').open({name!r}, output=True)", lines[1]]
        lines.insert(3, '    queue.put(b"a message")')
    shown = f"[lab[one].depth({name!r}) for one in {[qmgr.name for qmgr, _ in hosts]!r}]"
    return Proof("\n".join((*lines, f"sorted({shown})" if handle else shown)), str(shows))


def _putter(estate: Definitions, cluster: Cluster, name: str) -> str:
    """A member without a definition of a queue; "" if there is none, or if a proof cannot use the cluster."""
    others = (member for member in cluster.members if estate.lab[member].objects.named("QLOCAL", name) is None)
    return next(others, "") if cluster.sound else ""


_ALIKE = ("DEFBIND", "DEFPSIST", "MAXMSGL", "CLWLRANK")
"""The attributes in which the instances of a cluster queue should agree."""


def _unlike(cluster: Cluster, name: str, keyword: str, values: dict[str, Any], host: str) -> Proof | None:
    """A proof that a cluster knows several values of a queue, or that the instance `at` does not take a longer one."""
    if keyword != "MAXMSGL":
        rows = f"lab[{cluster.full[0]!r}].mqsc({f'DISPLAY QCLUSTER({quoted(name)}) ALL'!r}).rows"
        return Proof(f"{RUN}\nlen({{row[{keyword!r}] for row in {rows}}})", str(len({*values.values()})))
    putter = next((other for other in values if values[other] > values[host]), "")
    put = f"lab[{putter!r}].put({f'{name}@{host}'!r}, bytes({values[host] + 1}))"
    lines = (RUN, put, "lab.advance(60)", f"lab[{host!r}].depth({name!r})")
    return Proof("\n".join(lines), "0") if putter and values[host] < USUAL else None


@check("cluster-instances-differ", WARNING, "Instances of a cluster queue differ", "CLU-32")
def differ(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        for keyword in _ALIKE if len(hosts) > 1 else ():
            each_has = ((qmgr.name, definition.attributes.get(keyword)) for qmgr, definition in hosts)
            values = {host: value for host, value in each_has if value is not None}
            usual = Counter(values.values()).most_common(1)[0][0] if values else None
            there = next((host for host in values if values[host] == usual), "")
            facts = {"name": name, "cluster": cluster.name, "keyword": keyword, "usual": usual, "there": there}
            for qmgr, definition in hosts:
                if (value := values.get(qmgr.name, usual)) != usual:
                    sentence = say("instances", **facts, value=value, effect=say(keyword))
                    proof = _unlike(cluster, name, keyword, values, qmgr.name) if cluster.sound else None
                    fix, severity = alter(definition, f"{keyword}({usual})"), NOTE if keyword == "CLWLRANK" else ""
                    yield fault(qmgr, definition, sentence, fix, proof, keyword, "", severity)


@check("cluster-queue-bound", NOTE, "A handle binds all its messages to one instance", "CLU-30")
def bound(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        many = len(hosts)
        if many > 1 and all(definition.attributes["DEFBIND"] == "OPEN" for _, definition in hosts):
            sentence = say("bound", name=name, many=many, cluster=cluster.name)
            proof = _played(_putter(estate, cluster, name), hosts, 2 * many, [0] * (many - 1) + [2 * many], True)
            host, spot = next(iter(cluster.members)), estate.place(hosts[0][0].name, hosts[0][1].kind, name)
            yield Found(host, hosts[0][1].kind, name, sentence, "", proof, "DEFBIND", place=spot, cause=cluster.name)


def _brought(estate: Definitions) -> dict[tuple[str, str], str]:
    """The remote definition elsewhere, or the alias, that brings messages to a queue without a cluster channel."""
    result: dict[tuple[str, str], str] = {}
    for qmgr, definition in each(estate, "QREMOTE", "QALIAS"):
        has = definition.attributes
        if definition.kind == "QREMOTE" and has["RQMNAME"] != qmgr.name:
            result.setdefault((has["RQMNAME"], has["RNAME"]), f"QREMOTE {definition.name} of {qmgr.name}")
        elif definition.kind == "QALIAS" and has["PUT"] == "ENABLED":
            result.setdefault((qmgr.name, has["TARGET"]), f"QALIAS {definition.name}")
    return result


@check("cluster-queue-local", NOTE, "Messages stay at the instance where they are put", "CLU-36")
def local(estate: Definitions) -> Iterator[Found]:
    brought = _brought(estate)
    for cluster, name, hosts in _instances(estate):
        for qmgr, definition in hosts if len(hosts) > 1 else ():
            use, bringer = definition.attributes.get("CLWLUSEQ", ""), brought.get((qmgr.name, name), "")
            stays = use == "LOCAL" or (use, qmgr.attributes["CLWLUSEQ"]) == ("QMGR", "LOCAL")
            others = [other.name for other, _ in hosts if other is not qmgr]
            alone = bringer and not any((other, name) in brought for other in others)
            if stays and alone and definition.attributes["PUT"] == "ENABLED":
                facts = {"at": qmgr.name, "others": " and ".join(others), "cluster": cluster.name, "by": bringer}
                sentence, fix = say("local", name=name, **facts), alter(definition, "CLWLUSEQ(ANY)")
                shows = [4 if other is qmgr else 0 for other, _ in hosts]
                proof = _played(qmgr.name if cluster.sound else "", hosts, 4, shows)
                yield fault(qmgr, definition, sentence, fix, proof, "CLWLUSEQ", cause=cluster.name)


@check("cluster-queue-hidden", WARNING, "A definition hides a cluster queue", "CLU-21")
def hidden(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        for qmgr in (estate.lab[member] for member in cluster.members):
            definition = qmgr.objects.named("QLOCAL", name)
            if definition is not None and not qmgr.objects.clusters_of(definition) and not estate.refused(qmgr, name):
                there, kind, severity = hosts[0][0].name, definition.kind, "" if definition.kind == "QLOCAL" else NOTE
                sentence = say("hidden", kind=kind, name=name, at=qmgr.name, there=there, cluster=cluster.name)
                every, shows = [(qmgr, definition), *hosts], [4] + [0] * len(hosts)
                proof = _played(qmgr.name if cluster.sound else "", every, 4, shows)
                yield fault(qmgr, definition, sentence, "", proof, "CLUSTER", "", severity, about=cluster.name)


@check("cluster-alias-astray", WARNING, "A cluster alias has no target at its queue manager", "CLU-26")
def alias_astray(estate: Definitions) -> Iterator[Found]:
    known = {(cluster.name, name): hosts[0][0].name for cluster, name, hosts in _instances(estate)}
    for cluster, name, hosts in _instances(estate):
        for qmgr, definition in hosts:
            target, bind, host = definition.attributes.get("TARGET", ""), definition.attributes["DEFBIND"], qmgr.name
            there = known.get((cluster.name, target))
            if there and bind != "NOTFIXED" and qmgr.objects.named("QLOCAL", target) is None:
                sentence = say("alias-astray", name=name, target=target, there=there, at=host, bind=bind)
                putter, fix = _putter(estate, cluster, name), alter(definition, "DEFBIND(NOTFIXED)")
                lines = (RUN, put_to(putter, name), "lab.advance(60)", f"lab[{there!r}].depth({target!r})")
                proof = Proof("\n".join(lines), "0") if putter and len(hosts) == 1 else None
                yield fault(qmgr, definition, sentence, fix, proof, "DEFBIND", about=cluster.name, cause=there)


_FEW = 5_000
"""The MAXDEPTH below which a cluster transmission queue is small: the default of other queues."""


@check("cluster-transmission-queue", ERROR, "A cluster transmission queue does not let messages pass", "CLU-52")
def transmission(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        theirs = [cluster for cluster in clusters(estate) if qmgr.name in cluster.members]
        asks = any(cluster.asks(qmgr.name) for cluster in theirs) and qmgr.attributes.get("DEFCLXQ") != "CHANNEL"
        for definition in qmgr.objects.match(("QLOCAL",)) if theirs else ():
            has, name = definition.attributes, definition.name
            usual = name == "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
            if not usual and not has["CLCHNAME"]:
                continue
            wrong = [(key, f"{key}(ENABLED)", "") for key in ("GET", "PUT") if has[key] == "DISABLED"]
            wrong += [("MAXDEPTH", "MAXDEPTH(999999999)", NOTE)] if has["MAXDEPTH"] < _FEW else []
            for keyword, fix, severity in wrong:
                sentence = say("transmission", name=name, keyword=keyword, value=has[keyword], effect=say(keyword))
                proof = knows(qmgr.name, TEMPORARY, True) if usual and asks and not severity else None
                yield fault(qmgr, definition, sentence, alter(definition, fix), proof, keyword, "", severity)
            names = [its.name for cluster in theirs for its in cluster.members.values()]
            names += [its.name for cluster in theirs for host, its in cluster.senders if host is qmgr]
            if has["CLCHNAME"] and not any(fnmatchcase(channel, has["CLCHNAME"]) for channel in names):
                sentence = say("no-such-channel", wanted=has["CLCHNAME"], name=name)
                rows = f"lab[{qmgr.name!r}].mqsc('DISPLAY CLUSQMGR(*) XMITQ').rows"
                proof = Proof(f"{RUN}\n[row['XMITQ'] for row in {rows}].count({name!r})", "0")
                yield fault(qmgr, definition, sentence, "", proof, "CLCHNAME", "", NOTE)


@check("cluster-sender-workload", NOTE, "A cluster-sender channel has attributes that do not count", "CLU-46")
def workload(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel in each(estate, "CHANNEL"):
        usual = {"CLWLPRTY": 0, "CLWLRANK": 0, "CLWLWGHT": 50}
        ignored = [key for key, value in usual.items() if channel.attributes.get(key, value) != value]
        if channel.attributes["CHLTYPE"] == "CLUSSDR" and ignored:
            sentence = say("workload", keyword=ignored[0], value=channel.attributes[ignored[0]], name=channel.name)
            fix = alter(channel, " ".join(f"{key}({usual[key]})" for key in ignored))
            its = any(cluster.sound and cluster.called(channel.name) for cluster in clusters(estate))
            asked = f"DISPLAY CLUSQMGR(*) WHERE(CHANNEL EQ {quoted(channel.name)}) {ignored[0]}"
            values = f"lab[{qmgr.name!r}].objects.get('CHANNEL', {channel.name!r}).attributes"
            shown = f"lab[{qmgr.name!r}].mqsc({asked!r}).rows[0][{ignored[0]!r}] == {values}[{ignored[0]!r}]"
            proof = Proof(f"{RUN}\n{shown}", "False") if its else None
            yield fault(qmgr, channel, sentence, fix, proof, ignored[0])
