"""Checks of clusters: who is a member, who is a full repository, and how the members reach each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from ...clusters.publishing import is_full, receivers, senders
from ...engine.words.lexer import quoted
from ...engine.words.objects import QUEUE_KINDS, Definition
from ...lab.queue_manager import QueueManager
from ..clustered import addresses, loopback
from ..findings import ERROR, NOTE, OPEN, WARNING, Found, absent, check, spellings
from ..proofs import Proof, put_to
from ..together import known
from .objects import alter, say

if TYPE_CHECKING:
    from ..definitions import Definitions

RUN = "from mqlab.estates.clustered import run_clusters\nrun_clusters(lab)"
"""The start of a proof: the clusters of its lab run for some time."""
_UNIFORM = "AUTOCL"
"""The name that scripts have for their uniform cluster, whose own name is in qm.ini."""


@dataclass(frozen=True)
class Cluster:
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

    def asks(self, member: str) -> bool:
        """Whether a partial repository learns of others only by its own CLUSSDR channels: no other member calls it."""
        called = any(member in self.calls(other) for other in self.members)
        partial = member in self.members and member not in self.full
        return partial and not called and any(qmgr.name == member for qmgr, _ in self.senders)

    @cached_property
    def apart(self) -> dict[str, list[str]]:
        """The full repositories that lack CLUSSDR channels to others: the name -> the names of these others."""
        found = {one: [to for to in self.full if to not in (one, *self.calls(one))] for one in self.full}
        return {one: others for one, others in found.items() if others}

    @cached_property
    def places(self) -> dict[str, tuple[str, ...]]:
        """The addresses of each member's CLUSRCVR channel."""
        return {name: addresses(its.attributes["CONNAME"]) for name, its in self.members.items()}

    @cached_property
    def sound(self) -> bool:
        """Whether the definitions let every member join, so that a proof can use the cluster."""
        places = {*self.places.values()}
        met = all(addresses(one.attributes["CONNAME"]) in places for _, one in self.senders)
        known = self.unique and not any(map(loopback, places)) and len(places) == len(self.members) > 1
        sending = [qmgr.objects.get("QLOCAL", "SYSTEM.CLUSTER.TRANSMIT.QUEUE") for qmgr, _ in self.senders]
        met = met and not any("DISABLED" in (one.attributes["GET"], one.attributes["PUT"]) for one in sending if one)
        return met and known and not self.apart and all(map(self.joins, self.members))

    @property
    def unique(self) -> bool:
        """Whether each member has a CLUSRCVR channel of a name of its own."""
        return len({its.name for its in self.members.values()}) == len(self.members)


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


def knows(at: str, test: str, shows: bool) -> Proof:
    """A proof about the queue managers that one knows in a running cluster."""
    known = f'known = [row["CLUSQMGR"] for row in lab[{at!r}].mqsc("DISPLAY CLUSQMGR(*)").rows]'
    return Proof("\n".join((RUN, known, test)), str(shows))


def _no_queue(at: str, name: str, *lines: str) -> Proof:
    """A proof that a queue manager does not know of a cluster queue in a running cluster."""
    command = f"DISPLAY QCLUSTER({quoted(name)})"
    return Proof("\n".join((RUN, *lines, f"lab[{at!r}].mqsc({command!r}).replies[0].code")), "AMQ8147E")


def _calls(cluster: Cluster, *to: str) -> str:
    """The commands that define the CLUSSDR channels to members."""
    lines = []
    for name in to:
        its, of = cluster.members[name].name, cluster.members[name].attributes
        words = {"CONNAME": of["CONNAME"] or f"{name}(1414)", "CLUSTER": cluster.name, "SSLCIPH": of.get("SSLCIPH")}
        given = " ".join(f"{key}({quoted(value)})" for key, value in words.items() if value)
        lines.append(f"DEFINE CHANNEL({quoted(its)}) CHLTYPE(CLUSSDR) {given}")
    return "\n".join(lines)


@check("cluster-repositories", WARNING, "A cluster does not have two full repositories", "CLU-18")
def repositories(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        members, full, of, proof = list(cluster.members), cluster.full, cluster.name, None
        outside = any(not cluster.called(one.name) for _, one in cluster.senders)  # perhaps a full repository
        refused = any(estate.refused(estate.lab[name], "REPOS", "REPOSNL", "CLUSRCVR") for name in members)
        if len(full) == 2 or (len(full) < 2 and (outside or refused or len(members) < 2 or not cluster.senders)):
            continue
        if not full:
            at = Counter(name for _, one in cluster.senders for name in cluster.called(one.name)).most_common(1)[0][0]
            said, severity = say("no-repository", cluster=of), absent(estate, estate.lab[at])
            proof = knows(at, f"{next(one for one in members if one != at)!r} in known", False)
        elif len(full) == 1:
            at, severity, said = full[0], WARNING, say("one-repository", at=full[0], cluster=of)
            put = put_to(next(one for one in members if one != at), "A.NEW.QUEUE")
            if cluster.sound:
                proof = Proof(f"{RUN}\nlab[{at!r}].stop()\n{put}", "2189 MQRC_CLUSTER_RESOLUTION_ERROR")
        else:
            at, lacking, severity = full[2], len(cluster.apart), NOTE
            said = say("many-repositories", cluster=of, many=len(full))
            shown = f"len(lab[{at!r}].mqsc('DISPLAY CLUSQMGR(*) WHERE(QMTYPE EQ REPOS)').rows)"
            proof = Proof(f"{RUN}\n{shown}", str(len(full))) if cluster.sound else None
            if lacking > _MANY:
                said, severity = say("many-apart", cluster=of, many=len(full), lacking=lacking), WARNING
                unheard = [one for one in full if not any(one in cluster.calls(other) for other in full)]
                at = next(filter(cluster.joins, unheard), at)  # nobody tells it anything
                proof = knows(at, TEMPORARY, True) if at in unheard and cluster.unique and cluster.joins(at) else None
        place = estate.place(at, "QMGR", "", "REPOS")
        place = place if place.file and full else estate.place(at, "CHANNEL", cluster.members[at].name)
        yield Found(at, "QMGR", "", said, "", proof, "REPOS", "", severity, place, of)


_MANY = 2
"""The most full repositories without all channels that have a finding each; more are one cause, too many of them."""


@check("cluster-repositories-apart", WARNING, "A full repository does not tell another one", "CLU-02")
def apart(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        astray = {qmgr.name for qmgr, _, _ in _astray(cluster)}  # cluster-sender-astray says so
        for at, others in cluster.apart.items() if len(cluster.apart) <= _MANY else ():
            if at in astray or estate.refused(estate.lab[at], *(cluster.members[one].name for one in others)):
                continue
            said = say("apart", at=at, cluster=cluster.name, others=" and ".join(others))
            new = f"lab[{at!r}].mqsc({f'DEFINE QLOCAL(A.NEW.QUEUE) CLUSTER({quoted(cluster.name)})'!r}).require()"
            proof = _no_queue(others[0], "A.NEW.QUEUE", new, "lab.advance(120)")
            its, proved = cluster.members[at].name, len(cluster.full) == 2  # else others pass the news on
            fix, shown = _calls(cluster, *others), proof if proved else None
            yield Found(at, "CHANNEL", its, said, fix, shown, "CLUSTER", about=cluster.name)


def _astray(cluster: Cluster) -> Iterator[tuple[QueueManager, Definition, str]]:
    """Each CLUSSDR channel that calls no full repository, and the member that it calls, or means; "" for none."""
    for qmgr, one in cluster.senders:
        called, conname, names = cluster.called(one.name), addresses(one.attributes["CONNAME"]), {*spellings(one.name)}
        hosts = {address.partition("(")[0].upper() for address in conname}
        others = {name: its for name, its in cluster.members.items() if name != qmgr.name}
        if not called:
            there = [name for name in others if cluster.places[name] == conname or name.upper() in hosts]
            yield qmgr, one, next(iter((*there, *(name for name, its in others.items() if its.name in names))), "")
        elif not set(called) & set(cluster.full) and cluster.full not in ([], [qmgr.name]):
            yield qmgr, one, called[0]


@check("cluster-sender-astray", WARNING, "A cluster-sender channel does not call a full repository", "CLU-04")
def astray(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        for qmgr, one, to in _astray(cluster):
            at, called, name = qmgr.name, cluster.called(one.name), one.name
            facts = {"channel": name, "cluster": cluster.name, "at": at}
            theirs = next((other for other in clusters(estate) if not called and other.called(name)), None)
            if theirs is not None:
                said = say("sender-elsewhere", **facts, there=theirs.called(name)[0], theirs=theirs.name)
                fix = alter(one, f"CLUSTER({quoted(theirs.name)})") if at in theirs.members else ""
                yield Found(at, "CHANNEL", name, said, fix, knows(at, TEMPORARY, True), "CLUSTER")
                continue
            doubts = (name, "REPOS", "REPOSNL") if called else (name,)
            if len(cluster.members) < 2 or estate.refused(estate.lab[to or at], *doubts):
                continue
            joined = cluster.joins(at) or at in cluster.full
            facts |= {"to": to, "its": cluster.members[to].name if to else "", "lost": f": {at} does not join"}
            facts |= {"lost": ""} if joined else {}
            said = say(f"sender-{'to-partial' if called else 'misnamed' if to else 'to-nothing'}", **facts)
            wanted = [name for name in cluster.full if name not in (at, *cluster.calls(at))]
            wanted = wanted if at in cluster.full else wanted[: int(not cluster.joins(at))]
            fix = "\n".join(filter(None, (f"DELETE CHANNEL({quoted(name)})", _calls(cluster, *wanted))))
            beyond = any(not cluster.called(each.name) for its, each in cluster.senders if its.name in cluster.full)
            sure = bool(called or to) or len(cluster.full) > 1 or (bool(cluster.full) and not beyond)
            severity = OPEN if not sure else absent(estate, estate.lab[to]) if to and not joined else WARNING
            proof = knows(at, TEMPORARY, True) if not joined or (sure and not called) else None
            yield Found(at, "CHANNEL", name, said, fix if sure and cluster.full else "", proof, "", "", severity)


@check("cluster-not-joined", WARNING, "A queue manager is not in the cluster that its definitions name", "CLU-03")
def not_joined(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        own, at = receivers(qmgr), qmgr.name
        called = [one.name for one in qmgr.objects.having("CHANNEL", "CLUSSDR")]
        for cluster in clusters(estate):
            calls = any(map(cluster.called, called)) or any(each is qmgr for each, _ in cluster.senders)
            partial = at in cluster.members and cluster.full and at not in cluster.full
            calls = calls or any(at in cluster.calls(other) for other in cluster.full)
            if partial and not calls and not estate.refused(qmgr, "CLUSSDR"):
                its, to = cluster.members[at].name, cluster.full[0]
                said = say("no-sender", at=at, cluster=cluster.name, to=to, channel=its)
                proof = knows(to, f"{at!r} in known", False)
                yield Found(at, "CHANNEL", its, said, _calls(cluster, to), proof, "CLUSTER", about=cluster.name)
        if _UNIFORM not in own and not estate.refused(qmgr, "CLUSRCVR"):
            yield from _not_member(estate, qmgr, own)


def _not_member(estate: Definitions, qmgr: QueueManager, own: dict[str, Definition]) -> Iterator[Found]:
    """The objects that name a cluster of which their queue manager is no member; `own` are those of which it is."""
    members = {cluster.name: cluster.members for cluster in clusters(estate)}
    full = {cluster.name: cluster.full for cluster in clusters(estate)}
    for one in (Definition("QMGR", "", qmgr.attributes), *estate.own(qmgr, "CHANNEL", *QUEUE_KINDS, "TOPIC")):
        keyword = "REPOS" if one.kind == "QMGR" else "CLUSTER"
        listed = {one.attributes.get("REPOS", "")} if one.kind == "QMGR" else {*qmgr.objects.clusters_of(one)}
        for name in listed - {"", *own} if one.attributes.get("CHLTYPE", "CLUSSDR") == "CLUSSDR" else ():
            near = next((each for each in members if each in spellings(name)), "")
            if not (own or near or estate.whole(qmgr) or (name in members and known(estate, qmgr.name, True))):
                continue
            what = f"{'CLUSSDR channel' if one.kind == 'CHANNEL' else one.kind} {one.name}".strip()
            said, fix = say("no-member", what=what, cluster=name, at=qmgr.name), ""
            if near in own and name in members:  # the CLUSRCVR channel has the wrong name
                alone = len(members[near]) == 1 and own[near].attributes["CLUSTER"] == near
                said, fix = f"{said}, but one of {near}", alter(own[near], f"CLUSTER({quoted(name)})") if alone else ""
            elif near and name not in members:
                said, right = f"{said}; is {near} meant?", alter(one, f"{keyword}({quoted(near)})")
                fix = right if one.attributes.get(keyword) == name else ""
            proof = _no_queue(qmgr.name, one.name) if one.kind in QUEUE_KINDS and not listed & {*own} else None
            if one.kind == "CHANNEL" and (at := next((each for each in full.get(name, ()) if each != qmgr.name), "")):
                proof = knows(at, f"{qmgr.name!r} in known", False)
            cause = f"{name} {bool(fix)}"
            yield Found(qmgr.name, one.kind, one.name, said, fix, proof, keyword, about=name, cause=cause)


@check("cluster-receiver-twice", ERROR, "Two members have a cluster-receiver channel of one name", "CLU-63")
def twice(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        for pair in combinations(cluster.members, 2):
            first, second = sorted(pair, key=lambda name: name not in cluster.full)
            its, new = cluster.members[second].name, f"TO.{second}"[:20]
            if cluster.members[first].name == its:
                said = say("receiver-twice", first=first, second=second, channel=its, cluster=cluster.name)
                free = not any(qmgr.objects.get("CHANNEL", new) for qmgr in estate.queue_managers)
                fix = f"DEFINE CHANNEL({quoted(new)}) CHLTYPE(CLUSRCVR) LIKE({quoted(its)})"
                fix = f"{fix}\nDELETE CHANNEL({quoted(its)})" if free and second not in cluster.full else ""
                at = next((name for name in cluster.full if name not in pair), "")
                proof = knows(at, f"{first!r} in known and {second!r} in known", False) if at else None
                yield Found(second, "CHANNEL", its, said, fix, proof, about=first)


def _callers(cluster: Cluster, name: str) -> list[tuple[QueueManager, Definition]]:
    """The CLUSSDR channels of the name of a member's CLUSRCVR channel, if all of them have another address."""
    its, own = cluster.members[name].name, cluster.places[name]
    alone = own and len(cluster.called(its)) == 1  # cluster-receiver-twice judges others
    found = [(at, one) for at, one in cluster.senders if alone and one.name == its and at.name != name]
    return [] if any(_alike(own, addresses(one.attributes["CONNAME"])) for _, one in found) else found


def _alike(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether some address of both may be one place: the host with or without its domain, and the same port."""
    hosts = [{re.sub(r"^([a-z][^.(]*)[.][^(]*", r"\1", one) for one in each} for each in (first, second)]
    return bool(hosts[0] & hosts[1])


def _unanswered(estate: Definitions, cluster: Cluster, calls: list[tuple[QueueManager, Definition]]) -> Proof | None:
    """A proof that nothing answers the only CLUSSDR channel of a partial repository, if one of these is that."""
    only = Counter(qmgr.name for qmgr, _ in cluster.senders)
    for qmgr, one in calls:
        hosts = {address.partition("(")[0].upper() for address in addresses(one.attributes["CONNAME"])}
        if only[qmgr.name] == 1 and cluster.asks(qmgr.name) and not hosts & {*map(str.upper, estate.names)}:
            return knows(qmgr.name, TEMPORARY, True)
    return None


@check("cluster-receiver-address", WARNING, "Members cannot call a cluster-receiver channel", "CLU-10")
def address(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        places, earlier = cluster.places, set[str]()
        for name, own in places.items():
            its, conname, callers = (
                cluster.members[name],
                cluster.members[name].attributes["CONNAME"],
                _callers(cluster, name),
            )
            twin = next((other for other in places if own and other != name and places[other] == own), "")
            ports = [one.attributes["PORT"] or 1414 for one in estate.own(estate.lab[name], "LISTENER")]
            facts, case, severity, lost = {"channel": its.name, "conname": conname}, "", "", cluster.asks(name)
            if not own:
                case, lost = "port" if ports and 1414 not in ports else "blank", False
                facts, severity = facts | {"port": ports and ports[0]}, NOTE if case == "blank" else ""
            elif loopback(own) and not all(map(loopback, places.values())):
                case = "own"
            elif twin and (callers or (twin in earlier and not _callers(cluster, twin))):
                case, lost = "twice", lost and twin in earlier
                facts |= {"twin": twin, "its": cluster.members[twin].name}
            elif callers:
                case, severity, lost = "differs", "" if len(callers) > 1 else NOTE, False
                facts |= {"other": callers[0][1].attributes["CONNAME"], "at": callers[0][0].name}
            earlier.add(name)
            if case:
                right = {one.attributes["CONNAME"] for _, one in callers}
                fix = alter(its, f"CONNAME({quoted(right.pop())})") if len(callers) > 1 and len(right) == 1 else ""
                said, proof = say(f"address-{case}", **facts), knows(name, TEMPORARY, True) if lost else None
                proof = _unanswered(estate, cluster, callers) if case == "differs" else proof
                yield Found(name, "CHANNEL", its.name, said, fix, proof, "CONNAME", "", severity, about=cluster.name)
        for qmgr, one in cluster.senders:
            for name in cluster.called(one.name) if len(cluster.called(one.name)) == 1 else ():
                conname, wrong = (each.attributes["CONNAME"] for each in (cluster.members[name], one))
                if places[name] and not _callers(cluster, name) and not _alike(places[name], addresses(wrong)):
                    said = say("address-of-sender", channel=one.name, wrong=wrong, conname=conname, at=name)
                    fix = alter(one, f"CONNAME({quoted(conname)})")
                    proof = _unanswered(estate, cluster, [(qmgr, one)])
                    yield Found(qmgr.name, "CHANNEL", one.name, said, fix, proof, "CONNAME", about=cluster.name)
