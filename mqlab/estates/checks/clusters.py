"""Checks of clusters: who is a member, who is a full repository, and how the members reach each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ...clusters.publishing import is_full, receivers, senders
from ...engine.words.lexer import quoted
from ...engine.words.objects import QUEUE_KINDS, Definition
from ...lab.queue_manager import QueueManager
from ..clustered import addresses, loopback
from ..findings import ERROR, NOTE, OPEN, WARNING, Found, absent, check, spellings
from ..proofs import Proof
from ..together import known
from .objects import alter

if TYPE_CHECKING:
    from ..definitions import Definitions

RUN = "from mqlab.estates.clustered import run_clusters\nrun_clusters(lab)"
"""The start of a proof: the clusters of its lab run for some time."""
_UNIFORM = "AUTOCL"
"""The name that scripts have for their uniform cluster, whose own name is in qm.ini."""


class Cluster(NamedTuple):
    """A cluster of which the scripts have members: queue manager -> its CLUSRCVR channel; those of them that are full
    repositories; and the manual CLUSSDR channels, each with the queue manager that has it."""

    name: str
    members: dict[str, Definition]
    full: list[str]
    senders: list[tuple[QueueManager, Definition]]

    def called(self, channel: str) -> list[str]:
        """The members whose CLUSRCVR channel has this name."""
        return [name for name, its in self.members.items() if its.name == channel]

    def calls(self, member: str) -> set[str]:
        """The members that the CLUSSDR channels of a queue manager call."""
        return {name for qmgr, one in self.senders if qmgr.name == member for name in self.called(one.name)}

    def joins(self, member: str) -> bool:
        """Whether a queue manager calls a full repository, or the only full one is itself."""
        return bool(self.calls(member).intersection(self.full)) or self.full == [member]

    @property
    def sound(self) -> bool:
        """Whether the definitions let every member join, so that a proof can use the cluster."""
        names = {its.name for its in self.members.values()}
        places = {addresses(its.attributes["CONNAME"]) for its in self.members.values()}
        known = not any(map(loopback, places)) and len(names) == len(places) == len(self.members) > 1
        return known and all(self.joins(name) for name in self.members)


def clusters(estate: Definitions) -> list[Cluster]:
    """The clusters of which the scripts have a member, by name; without uniform ones."""
    if "clusters" not in estate.kept:
        members: dict[str, dict[str, Definition]] = {}
        for qmgr in estate.queue_managers:
            for name, channel in receivers(qmgr).items():
                members.setdefault(name, {})[qmgr.name] = channel
        found = estate.kept["clusters"] = []
        for name, its in sorted(members.items()):
            full = [one for one in its if is_full(estate.lab[one], name) or _misspelled(estate.lab[one], name, members)]
            manual = [(qmgr, one) for qmgr in estate.queue_managers for one in senders(qmgr, name)]
            found += [Cluster(name, its, full, manual)] if name != _UNIFORM else []
    return estate.kept["clusters"]


def _misspelled(qmgr: QueueManager, name: str, known: Iterable[str]) -> bool:
    """Whether REPOS of a queue manager means this cluster: cluster-not-joined says that it is misspelled."""
    given = qmgr.attributes.get("REPOS", "")
    return bool(given) and given not in known and name in spellings(given)


TEMPORARY = 'any(one.startswith("SYSTEM.TEMP") for one in known)'
"""Whether a CLUSSDR channel that was called has not answered (CLU-12)."""


def asked(at: str, command: str, code: str, *lines: str) -> Proof:
    """A proof that a command in a running cluster has a reply of this code."""
    return Proof("\n".join((RUN, *lines, f"lab[{at!r}].mqsc({command!r}).replies[0].code")), code)


def knows(at: str, test: str, shows: bool) -> Proof:
    """A proof about the queue managers that one knows in a running cluster."""
    return Proof(
        f'{RUN}\nknown = [row["CLUSQMGR"] for row in lab[{at!r}].mqsc("DISPLAY CLUSQMGR(*)").rows]\n{test}', str(shows)
    )


def _calls(cluster: Cluster, *to: str) -> str:
    """The commands that define the CLUSSDR channels to members."""
    lines = []
    for name in to:
        of = cluster.members[name].attributes
        conname, cipher = of["CONNAME"] or f"{name}(1414)", of.get("SSLCIPH", "")
        line = f"DEFINE CHANNEL({quoted(cluster.members[name].name)}) CHLTYPE(CLUSSDR) CONNAME({quoted(conname)}) "
        lines.append(f"{line}CLUSTER({quoted(cluster.name)})" + (f" SSLCIPH({quoted(cipher)})" if cipher else ""))
    return "\n".join(lines)


@check("cluster-repositories", WARNING, "A cluster does not have two full repositories", "CLU-18")
def repositories(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        members, full = list(cluster.members), cluster.full
        outside = any(not cluster.called(one.name) for _, one in cluster.senders)  # perhaps a full repository
        refused = any(estate.refused(estate.lab[name], "REPOS", "REPOSNL", "CLUSRCVR") for name in members)
        if len(full) < 2 and (outside or refused or len(members) < 2):
            continue
        if not full and cluster.senders:
            called = Counter(name for _, one in cluster.senders for name in cluster.called(one.name))
            at, other = called.most_common(1)[0][0], cluster.senders[0][0].name
            at, other = (at, other) if at != other else (at, next(one for one in members if one != at))
            said = f"no member of cluster {cluster.name} is a full repository (REPOS): no member learns of another one"
            yield _about(
                estate, cluster, at, said, knows(at, f"{other!r} in known", False), absent(estate, estate.lab[at])
            )
        elif len(full) == 1:
            said = (
                f"{full[0]} is the only full repository of cluster {cluster.name}: while it is down, no other member "
            )
            said += "learns of a queue that it did not use before"
            put = f'lab[{next(one for one in members if one not in full)!r}].put("A.NEW.QUEUE", b"a message")'
            stopped = f"{RUN}\nlab[{full[0]!r}].stop()\n{put}"
            proof = Proof(stopped, "2189 MQRC_CLUSTER_RESOLUTION_ERROR") if cluster.sound else None
            yield _about(estate, cluster, full[0], said, proof, WARNING)
        elif len(full) > 2:
            said = f"cluster {cluster.name} has {len(full)} full repositories: a member informs two of them only, "
            lacking = len(_apart(cluster)) if len(_apart(cluster)) > _MANY else 0
            said += f"and {f'{lacking} of them lack' if lacking else 'each needs'} a CLUSSDR channel to every other one"
            shown = f"len(lab[{full[2]!r}].mqsc('DISPLAY CLUSQMGR(*) WHERE(QMTYPE EQ REPOS)').rows)"
            proof = Proof(f"{RUN}\n{shown}", str(len(full))) if cluster.sound and not _apart(cluster) else None
            yield _about(estate, cluster, full[2], said, proof, WARNING if lacking else NOTE)


def _about(estate: Definitions, cluster: Cluster, at: str, said: str, proof: Proof | None, severity: str) -> Found:
    """A finding about the full repositories of a cluster: at REPOS of a member, or at its CLUSRCVR channel."""
    place = estate.place(at, "QMGR", "", "REPOS")
    place = place if place.file and cluster.full else estate.place(at, "CHANNEL", cluster.members[at].name)
    return Found(at, "QMGR", "", said, "", proof, "REPOS", "", severity, place, cluster.name)


_MANY = 2
"""The most full repositories without all channels that have a finding each; more are one cause, too many of them."""


def _apart(cluster: Cluster) -> dict[str, list[str]]:
    """The full repositories that lack CLUSSDR channels to others: the name -> the names of these others."""
    found = {one: [to for to in cluster.full if to not in (one, *cluster.calls(one))] for one in cluster.full}
    return {one: others for one, others in found.items() if others}


@check("cluster-repositories-apart", WARNING, "A full repository does not tell another one", "CLU-02")
def apart(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        astray = {qmgr.name for qmgr, _, _ in _astray(cluster)}  # cluster-sender-astray says so
        for at, others in _apart(cluster).items() if len(_apart(cluster)) <= _MANY else ():  # cluster-repositories
            if at in astray or estate.refused(estate.lab[at], *(cluster.members[one].name for one in others)):
                continue
            said = f"full repository {at} of cluster {cluster.name} has no CLUSSDR channel to {' and '.join(others)}: "
            said += f"news of {at} do not get there"
            new = f"lab[{at!r}].mqsc({f'DEFINE QLOCAL(A.NEW.QUEUE) CLUSTER({quoted(cluster.name)})'!r}).require()"
            shown = asked(others[0], "DISPLAY QCLUSTER(A.NEW.QUEUE)", "AMQ8147E", new, "lab.advance(120)")
            its, proof = cluster.members[at].name, shown if len(cluster.full) == 2 else None  # else others pass it on
            yield Found(at, "CHANNEL", its, said, _calls(cluster, *others), proof, "CLUSTER", about=cluster.name)


def _astray(cluster: Cluster) -> Iterator[tuple[QueueManager, Definition, str]]:
    """Each CLUSSDR channel that calls no full repository, and the member that it calls, or means; "" for none."""
    for qmgr, one in cluster.senders:
        called, conname = cluster.called(one.name), addresses(one.attributes["CONNAME"])
        others = {name: its for name, its in cluster.members.items() if name != qmgr.name}
        if not called:
            hosts = {address.partition("(")[0].upper() for address in conname}
            alike = [name for name, its in others.items() if its.name in spellings(one.name)]
            there = [name for name, its in others.items() if addresses(its.attributes["CONNAME"]) == conname]
            yield qmgr, one, next(iter((*there, *(name for name in others if name.upper() in hosts), *alike)), "")
        elif not set(called) & set(cluster.full) and cluster.full not in ([], [qmgr.name]):
            yield qmgr, one, called[0]


@check("cluster-sender-astray", WARNING, "A cluster-sender channel does not call a full repository", "CLU-04")
def astray(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        for qmgr, one, to in _astray(cluster):
            at, called = qmgr.name, cluster.called(one.name)
            its = cluster.members[to].name if to else ""
            theirs = next((other for other in clusters(estate) if not called and other.called(one.name)), None)
            if theirs is not None:
                said = f"CLUSSDR channel {one.name} is in cluster {cluster.name}, and its CLUSRCVR channel at "
                said += f"{theirs.called(one.name)[0]} in cluster {theirs.name}"
                fix = alter(one, f"CLUSTER({quoted(theirs.name)})") if at in theirs.members else ""
                yield Found(at, "CHANNEL", one.name, said, fix, knows(at, TEMPORARY, True), "CLUSTER")
            if (
                theirs is not None
                or len(cluster.members) < 2
                or estate.refused(estate.lab[to or at], one.name, *(("REPOS", "REPOSNL") if called else ()))
            ):
                continue
            lost = "" if cluster.joins(at) or at in cluster.full else f": {at} does not join"
            said = f"CLUSSDR channel {one.name} calls {to}, which is no full repository of cluster {cluster.name}{lost}"
            if not called:
                said = f"no script here defines CLUSRCVR channel {one.name} in cluster {cluster.name}, which a CLUSSDR "
                said += f"channel of {at} calls" + (f"; {its} of {to} is meant{lost}" if to else "")
            wanted = [name for name in cluster.full if name not in (at, *cluster.calls(at))]
            wanted = wanted if at in cluster.full else wanted[: int(not cluster.joins(at))]
            fix = "\n".join(filter(None, (f"DELETE CHANNEL({quoted(one.name)})", _calls(cluster, *wanted))))
            sure = called or to or len(cluster.full) > 1
            severity = OPEN if not sure else absent(estate, estate.lab[to]) if to and lost else WARNING
            proof = knows(at, TEMPORARY, True) if lost or (sure and not called) else None
            fix = fix if sure and cluster.full else ""
            yield Found(at, "CHANNEL", one.name, said, fix, proof, "", "", severity)


@check("cluster-not-joined", WARNING, "A queue manager is not in the cluster that its definitions name", "CLU-03")
def not_joined(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        own = receivers(qmgr)
        for cluster in clusters(estate):
            calls = any(
                cluster.called(one.name)
                for one in estate.own(qmgr, "CHANNEL")
                if one.attributes["CHLTYPE"] == "CLUSSDR"
            )
            partial = qmgr.name in cluster.members and cluster.full and qmgr.name not in cluster.full
            calls = calls or any(each is qmgr for each, _ in cluster.senders)
            if partial and not calls and not estate.refused(qmgr, "CLUSSDR"):
                channel, at = cluster.members[qmgr.name].name, cluster.full[0]
                said = (
                    f"{qmgr.name} has no CLUSSDR channel to a full repository of cluster {cluster.name}, such as {at}: "
                )
                said += f"CLUSRCVR channel {channel} alone does not join"
                fix = _calls(cluster, at)
                proof = knows(at, f"{qmgr.name!r} in known", False)
                yield Found(qmgr.name, "CHANNEL", channel, said, fix, proof, "CLUSTER", about=cluster.name)
        if _UNIFORM not in own and not estate.refused(qmgr, "CLUSRCVR"):
            yield from _not_member(estate, qmgr, own)


def _not_member(estate: Definitions, qmgr: QueueManager, own: dict[str, Definition]) -> Iterator[Found]:
    """The objects that name a cluster of which their queue manager is no member; `own` are those of which it is."""
    members = {cluster.name: cluster.members for cluster in clusters(estate)}
    for one in (Definition("QMGR", "", qmgr.attributes), *estate.own(qmgr, "CHANNEL", *QUEUE_KINDS, "TOPIC")):
        keyword = "REPOS" if one.kind == "QMGR" else "CLUSTER"
        listed = {one.attributes.get("REPOS", "")} if one.kind == "QMGR" else {*qmgr.objects.clusters_of(one)}
        for name in listed - {"", *own} if one.attributes.get("CHLTYPE", "CLUSSDR") == "CLUSSDR" else ():
            near = next((each for each in members if each in spellings(name)), "")
            if not (own or near or estate.whole(qmgr) or (name in members and known(estate, qmgr.name, True))):
                continue
            what = "CLUSSDR channel" if one.kind == "CHANNEL" else one.kind
            said = f"{what} {one.name}".strip() + f" names cluster {name}, of which {qmgr.name} has no CLUSRCVR channel"
            said += f"; is {near} meant?" if near and name not in members else ""
            fix = alter(one, f"{keyword}({quoted(near)})") if near and one.attributes.get(keyword) == name else ""
            if near in own and name in members:  # the CLUSRCVR channel has the wrong name
                said, fix = f"{said}, but one of {near}", ""
                alone = len(members[near]) == 1 and own[near].attributes["CLUSTER"] == near
                fix = alter(own[near], f"CLUSTER({quoted(name)})") if alone else ""
            shown = one.kind in QUEUE_KINDS and not listed & {*own}
            proof = asked(qmgr.name, f"DISPLAY QCLUSTER({quoted(one.name)})", "AMQ8147E") if shown else None
            cause = f"{name} {bool(fix)}"
            yield Found(qmgr.name, one.kind, one.name, said, fix, proof, keyword, about=name, cause=cause)


@check("cluster-receiver-twice", ERROR, "Two members have a cluster-receiver channel of one name", "CLU-63")
def twice(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        for pair in combinations(cluster.members, 2):
            first, second = sorted(pair, key=lambda name: name not in cluster.full)
            its, new = cluster.members[second], f"TO.{second}"[:20]
            if cluster.members[first].name != its.name:
                continue
            said = f"{first} and {second} both have CLUSRCVR channel {its.name} in cluster {cluster.name}: the later "
            said += "definition replaces the record of the earlier one, and the members reach only one of the two"
            free = not any(qmgr.objects.get("CHANNEL", new) for qmgr in estate.queue_managers)
            fix = f"DEFINE CHANNEL({quoted(new)}) CHLTYPE(CLUSRCVR) LIKE({quoted(its.name)})"
            fix = f"{fix}\nDELETE CHANNEL({quoted(its.name)})" if free and second not in cluster.full else ""
            at = next((name for name in cluster.full if name not in pair), "")
            proof = knows(at, f"{first!r} in known and {second!r} in known", False) if at else None
            yield Found(second, "CHANNEL", its.name, said, fix, proof, about=first)


def _callers(cluster: Cluster, name: str) -> list[tuple[QueueManager, Definition]]:
    """The CLUSSDR channels of the name of a member's CLUSRCVR channel, if all of them have another address."""
    its = cluster.members[name]
    own = addresses(its.attributes["CONNAME"])
    found = [(at, one) for at, one in cluster.senders if one.name == its.name and at.name != name]
    return [] if any(_alike(own, addresses(one.attributes["CONNAME"])) for _, one in found) else found


def _alike(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether some address of both may be one place: the host with or without its domain, and the same port."""
    hosts = [{re.sub(r"^([a-z][^.(]*)[.][^(]*", r"\1", one) for one in each} for each in (first, second)]
    return bool(hosts[0] & hosts[1])


@check("cluster-receiver-address", WARNING, "Members cannot call a cluster-receiver channel", "CLU-10")
def address(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        places = {name: addresses(its.attributes["CONNAME"]) for name, its in cluster.members.items()}
        for number, (name, own) in enumerate(places.items()):
            its, conname = cluster.members[name], cluster.members[name].attributes["CONNAME"]
            callers, earlier = _callers(cluster, name), list(places)[:number]
            twin = next((other for other in places if own and other != name and places[other] == own), "")
            ports = [one.attributes["PORT"] or 1414 for one in estate.own(estate.lab[name], "LISTENER")]
            elsewhere = bool(ports) and 1414 not in ports
            said, severity, lost = "", "", name in cluster.full
            if not own:
                said = "is blank: members call the address of its machine, with port 1414"
                said += f", and its listener has port {ports[0]}" if elsewhere else ""
                severity, lost = "" if elsewhere else NOTE, True
            elif loopback(own) and not all(map(loopback, places.values())):
                said = f"is {conname}: a member that calls it reaches its own machine"
            elif twin and (callers or (twin in earlier and not _callers(cluster, twin))):
                said = (
                    f"is {conname}, as that of {cluster.members[twin].name} of {twin}: members reach only one of both"
                )
                lost = lost or twin not in earlier
            elif callers and own:
                at, one = callers[0]
                said = f"is {conname}, and {one.attributes['CONNAME']} in CLUSSDR channel {one.name} of {at.name}"
                severity, lost = "" if len(callers) > 1 else NOTE, True
            if not said:
                continue
            right = {one.attributes["CONNAME"] for _, one in callers}
            fix = alter(its, f"CONNAME({quoted(right.pop())})") if len(callers) > 1 and len(right) == 1 else ""
            said = f"CONNAME of CLUSRCVR channel {its.name} {said}"
            proof = None if lost else knows(name, TEMPORARY, True)
            yield Found(name, "CHANNEL", its.name, said, fix, proof, "CONNAME", "", severity, about=cluster.name)
        for at, one in cluster.senders:
            for name in cluster.called(one.name)[:1]:
                conname, wrong = (each.attributes["CONNAME"] for each in (cluster.members[name], one))
                if places[name] and not _callers(cluster, name) and not _alike(places[name], addresses(wrong)):
                    said = f"CONNAME of CLUSSDR channel {one.name} is {wrong}, and {conname} at {name} and in others"
                    fix = alter(one, f"CONNAME({quoted(conname)})")
                    yield Found(at.name, "CHANNEL", one.name, said, fix, None, "CONNAME", about=cluster.name)
