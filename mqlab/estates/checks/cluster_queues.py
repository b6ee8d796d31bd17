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
from .objects import USUAL, alter, each, takes

if TYPE_CHECKING:
    from ..definitions import Definitions

_Hosts = list[tuple[QueueManager, Definition]]


def _instances(estate: Definitions) -> Iterator[tuple[Cluster, str, _Hosts]]:
    """Each cluster queue with its instances: the queue managers that have it, and their definitions."""
    for cluster in clusters(estate):
        found: dict[str, _Hosts] = {}
        for qmgr, one in each(estate, "QLOCAL", "QALIAS", "QREMOTE"):
            queue = one.attributes.get("USAGE") != "XMITQ" and one.attributes.get("RNAME", "a queue")
            if queue and qmgr.name in cluster.members and cluster.name in qmgr.objects.clusters_of(one):
                found.setdefault(one.name, []).append((qmgr, one))
        yield from ((cluster, name, hosts) for name, hosts in found.items())


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


_ALIKE = {
    "DEFBIND": "IBM MQ does not say which one counts",
    "DEFPSIST": "the chosen instance decides whether a message is persistent",
    "MAXMSGL": "the instance with the lower MAXMSGL dead-letters longer messages",
    "CLWLRANK": "messages wait for the instance with the highest CLWLRANK, and only CLWLPRTY fails over",
}
"""The attributes that instances should agree in, and the effect if they do not."""


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
        for keyword, effect in _ALIKE.items():
            values = {qmgr.name: one.attributes[keyword] for qmgr, one in hosts if keyword in one.attributes}
            usual = Counter(values.values()).most_common(1)[0][0] if values else None
            for qmgr, one in hosts:
                value, there = values.get(qmgr.name, usual), next((at for at in values if values[at] == usual), "")
                if value == usual:
                    continue
                said = f"{name} of cluster {cluster.name} has {keyword}({value}), and {keyword}({usual}) at {there}: "
                proof = _unlike(cluster, name, keyword, values, qmgr.name) if cluster.sound else None
                severity = NOTE if keyword == "CLWLRANK" else ""
                fix = alter(one, f"{keyword}({usual})")
                yield Found(qmgr.name, one.kind, name, said + effect, fix, proof, keyword, "", severity)


@check("cluster-queue-bound", NOTE, "A handle binds all its messages to one instance", "CLU-30")
def bound(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        many = len(hosts)
        if many > 1 and all(one.attributes["DEFBIND"] == "OPEN" for _, one in hosts):
            said = (
                f"{name} has {many} instances in cluster {cluster.name}, and DEFBIND(OPEN): a program that keeps its "
            )
            said += "handle open puts all its messages to one of them"
            proof = _played(_putter(estate, cluster, name), hosts, 2 * many, [0] * (many - 1) + [2 * many], True)
            at, place = next(iter(cluster.members)), estate.place(hosts[0][0].name, hosts[0][1].kind, name)
            yield Found(at, hosts[0][1].kind, name, said, "", proof, "DEFBIND", place=place, cause=cluster.name)


def _brings(estate: Definitions, qmgr: QueueManager, name: str) -> str:
    """The remote definition elsewhere, or the alias here, that brings messages to an instance; "" for none."""
    for other, one in each(estate, "QREMOTE", "QALIAS"):
        of, here = one.attributes, other is qmgr
        if not here and (of.get("RNAME"), of.get("RQMNAME")) == (name, qmgr.name):
            return f"QREMOTE {one.name} of {other.name}"
        if here and of.get("TARGET") == name and of["PUT"] == "ENABLED":
            return f"QALIAS {one.name}"
    return ""


@check("cluster-queue-local", NOTE, "Messages stay at the instance where they are put", "CLU-36")
def local(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        for qmgr, one in hosts if len(hosts) > 1 else ():
            use = one.attributes.get("CLWLUSEQ", "")
            stays = use == "LOCAL" or (use, qmgr.attributes["CLWLUSEQ"]) == ("QMGR", "LOCAL")
            if stays and one.attributes["PUT"] == "ENABLED" and (by := _brings(estate, qmgr, name)):
                others = " and ".join(other.name for other, _ in hosts if other is not qmgr)
                said = (
                    f"{name} of {qmgr.name} has CLWLUSEQ(LOCAL): {others} in cluster {cluster.name} gets none of the "
                )
                said += f"messages that {by} brings"
                shows = [4 if other is qmgr else 0 for other, _ in hosts]
                proof = _played(qmgr.name if cluster.sound else "", hosts, 4, shows)
                fix = alter(one, "CLWLUSEQ(ANY)")
                yield Found(qmgr.name, one.kind, name, said, fix, proof, "CLWLUSEQ")


@check("cluster-queue-hidden", WARNING, "A definition hides a cluster queue", "CLU-21")
def hidden(estate: Definitions) -> Iterator[Found]:
    for cluster, name, hosts in _instances(estate):
        for qmgr in (estate.lab[member] for member in cluster.members):
            one = qmgr.objects.get("QLOCAL", name)
            if one is not None and not qmgr.objects.clusters_of(one) and not estate.refused(qmgr, name):
                said = f"QLOCAL {name} of {qmgr.name} has no CLUSTER: a put to it there never goes to "
                said += f"{hosts[0][0].name}, which has it in cluster {cluster.name}"
                proof = _played(qmgr.name if cluster.sound else "", [(qmgr, one), *hosts], 4, [4] + [0] * len(hosts))
                yield Found(qmgr.name, one.kind, name, said, "", proof, "CLUSTER", about=cluster.name)


@check("cluster-alias-astray", WARNING, "A cluster alias has no target at its queue manager", "CLU-26")
def alias_astray(estate: Definitions) -> Iterator[Found]:
    known = {(cluster.name, name): hosts[0][0].name for cluster, name, hosts in _instances(estate)}
    for cluster, name, hosts in _instances(estate):
        for qmgr, one in hosts:
            target = one.attributes.get("TARGET", "")
            there = known.get((cluster.name, target))
            if not there or one.attributes["DEFBIND"] == "NOTFIXED" or qmgr.objects.named("QLOCAL", target):
                continue
            said = f"cluster alias {name} leads to {target}, which {there} has, and not {qmgr.name}: {qmgr.name} "
            said += f"dead-letters each message with 2082, because DEFBIND({one.attributes['DEFBIND']}) binds it there"
            putter, fix = _putter(estate, cluster, name), alter(one, "DEFBIND(NOTFIXED)")
            lines = (RUN, put_to(putter, name), "lab.advance(60)", f"lab[{there!r}].depth({target!r})")
            proof = Proof("\n".join(lines), "0") if putter and len(hosts) == 1 else None
            yield Found(qmgr.name, one.kind, name, said, fix, proof, "DEFBIND", about=cluster.name)


_WRONG = (
    ("GET", "DISABLED", "no cluster-sender channel can send its messages", "GET(ENABLED)", ERROR),
    ("PUT", "DISABLED", "no message leaves for the cluster", "PUT(ENABLED)", ERROR),
    ("MAXDEPTH", range(5_000), "messages of one channel that fails fill it, and stop all", "MAXDEPTH(999999999)", NOTE),
)
"""Values of a cluster transmission queue, by attribute: the effect, the change that ends it, and the severity."""


@check("cluster-transmission-queue", ERROR, "A cluster transmission queue does not let messages pass", "CLU-52")
def transmission(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        theirs = [cluster for cluster in clusters(estate) if qmgr.name in cluster.members]
        calls = {name for cluster in theirs for name in cluster.calls(qmgr.name)}
        for one in qmgr.objects.match(("QLOCAL",)) if theirs else ():
            of, usual = one.attributes, one.name == "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
            if not usual and not of["CLCHNAME"]:
                continue
            for keyword, values, effect, fix, severity in _WRONG:
                if of[keyword] in (values if isinstance(values, range) else (values,)):
                    said = f"cluster transmission queue {one.name} has {keyword}({of[keyword]}): {effect}"
                    shown = usual and severity == ERROR and calls and qmgr.attributes.get("DEFCLXQ") != "CHANNEL"
                    proof = knows(qmgr.name, TEMPORARY, True) if shown else None
                    yield Found(qmgr.name, "QLOCAL", one.name, said, alter(one, fix), proof, keyword, "", severity)
            names = [its.name for cluster in theirs for its in cluster.members.values()]
            names += [its.name for cluster in theirs for at, its in cluster.senders if at is qmgr]
            if of["CLCHNAME"] and not any(fnmatchcase(name, of["CLCHNAME"]) for name in names):
                said = f"no member here has a CLUSRCVR channel of the name {of['CLCHNAME']}, for which cluster "
                said += f"transmission queue {one.name} is"
                yield Found(qmgr.name, "QLOCAL", one.name, said, "", None, "CLCHNAME", "", NOTE)


@check("cluster-sender-workload", NOTE, "A cluster-sender channel has attributes that do not count", "CLU-46")
def workload(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "CHANNEL"):
        usual = {"CLWLPRTY": 0, "CLWLRANK": 0, "CLWLWGHT": 50}
        given = [key for key, value in usual.items() if one.attributes.get(key, value) != value]
        if one.attributes["CHLTYPE"] == "CLUSSDR" and given:
            said = f"{given[0]}({one.attributes[given[0]]}) of CLUSSDR channel {one.name} does not count: that of the "
            said += "CLUSRCVR channel at the other end does"
            fix = alter(one, " ".join(f"{key}({usual[key]})" for key in given))
            yield Found(qmgr.name, "CHANNEL", one.name, said, fix, None, given[0])
