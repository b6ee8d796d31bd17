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
from ...engine.queues.queue_manager import port_of
from ...engine.words.lexer import quoted
from ...engine.words.objects import QUEUE_KINDS, Definition
from ...gates.network import DEFAULT_PORT
from ...lab.queue_manager import QueueManager
from ..clustered import addresses, loopback
from ..findings import ERROR, NOTE, OPEN, WARNING, Found, absent, check, fault, spellings
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
        return {name for qmgr, channel in self.senders if qmgr.name == member for name in self.called(channel.name)}

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
        result = {member: [to for to in self.full if to not in (member, *self.calls(member))] for member in self.full}
        return {member: others for member, others in result.items() if others}

    @cached_property
    def places(self) -> dict[str, tuple[str, ...]]:
        """The addresses of each member's CLUSRCVR channel."""
        return {name: addresses(its.attributes["CONNAME"]) for name, its in self.members.items()}

    @cached_property
    def sound(self) -> bool:
        """Whether the definitions let every member join, so that a proof can use the cluster."""
        places = {*self.places.values()}
        met = all(addresses(sender.attributes["CONNAME"]) in places for _, sender in self.senders)
        known = self.unique and not any(map(loopback, places)) and len(places) == len(self.members) > 1
        sending = [qmgr.objects.get("QLOCAL", "SYSTEM.CLUSTER.TRANSMIT.QUEUE") for qmgr, _ in self.senders]
        shut = any("DISABLED" in (queue.attributes["GET"], queue.attributes["PUT"]) for queue in sending if queue)
        return met and not shut and known and not self.apart and all(map(self.joins, self.members))

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
        result = estate.kept["clusters"] = []
        for name, its in sorted(members.items()):
            hosts = [estate.lab[member] for member in its]
            full = [host.name for host in hosts if is_full(host, name) or _misspelled(host, name, members)]
            manual = [(qmgr, sender) for qmgr in estate.queue_managers for sender in senders(qmgr, name)]
            result += [Cluster(name, its, full, manual)] if name != _UNIFORM else []
    return estate.kept["clusters"]


def _misspelled(qmgr: QueueManager, name: str, known: Iterable[str]) -> bool:
    """Whether REPOS of a queue manager means this cluster: cluster-not-joined says that it is misspelled."""
    given = qmgr.attributes.get("REPOS", "")
    return bool(given) and given not in known and name in spellings(given)


TEMPORARY = 'any(one.startswith("SYSTEM.TEMP") for one in known)'
"""Whether a CLUSSDR channel that was called has not answered (CLU-12)."""


def knows(host: str, test: str, shows: bool) -> Proof:
    """A proof about the queue managers that one knows in a running cluster."""
    known = f'known = [row["CLUSQMGR"] for row in lab[{host!r}].mqsc("DISPLAY CLUSQMGR(*)").rows]'
    return Proof("\n".join((RUN, known, test)), str(shows))


def _no_queue(host: str, name: str, *lines: str) -> Proof:
    """A proof that a queue manager does not know of a cluster queue in a running cluster."""
    command = f"DISPLAY QCLUSTER({quoted(name)})"
    return Proof("\n".join((RUN, *lines, f"lab[{host!r}].mqsc({command!r}).replies[0].code")), "AMQ8147E")


def _calls(cluster: Cluster, *to: str) -> str:
    """The commands that define the CLUSSDR channels to members."""
    lines = []
    for name in to:
        its, has = cluster.members[name].name, cluster.members[name].attributes
        conname = has["CONNAME"] or f"{name}({DEFAULT_PORT})"
        words = {"CONNAME": conname, "CLUSTER": cluster.name, "SSLCIPH": has.get("SSLCIPH")}
        given = " ".join(f"{key}({quoted(value)})" for key, value in words.items() if value)
        lines.append(f"DEFINE CHANNEL({quoted(its)}) CHLTYPE(CLUSSDR) {given}")
    return "\n".join(lines)


@check("cluster-repositories", WARNING, "A cluster does not have two full repositories", "CLU-18")
def repositories(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        members, full, named, proof = list(cluster.members), cluster.full, cluster.name, None
        outside = any(not cluster.called(sender.name) for _, sender in cluster.senders)  # perhaps a full repository
        refused = any(estate.refused(estate.lab[name], "REPOS", "REPOSNL", "CLUSRCVR") for name in members)
        if len(full) == 2 or (len(full) < 2 and (outside or refused or len(members) < 2 or not cluster.senders)):
            continue
        if not full:
            called = Counter(name for _, sender in cluster.senders for name in cluster.called(sender.name))
            host = called.most_common(1)[0][0]
            sentence, severity = say("no-repository", cluster=named), absent(estate, estate.lab[host])
            proof = knows(host, f"{next(member for member in members if member != host)!r} in known", False)
        elif len(full) == 1:
            host, severity, sentence = full[0], WARNING, say("one-repository", at=full[0], cluster=named)
            put = put_to(next(member for member in members if member != host), "A.NEW.QUEUE")
            if cluster.sound:
                proof = Proof(f"{RUN}\nlab[{host!r}].stop()\n{put}", "2189 MQRC_CLUSTER_RESOLUTION_ERROR")
        else:
            host, lacking, severity = full[2], len(cluster.apart), NOTE
            sentence = say("many-repositories", cluster=named, many=len(full))
            shown = f"len(lab[{host!r}].mqsc('DISPLAY CLUSQMGR(*) WHERE(QMTYPE EQ REPOS)').rows)"
            proof = Proof(f"{RUN}\n{shown}", str(len(full))) if cluster.sound else None
            if lacking > _MANY:
                sentence, severity = say("many-apart", cluster=named, many=len(full), lacking=lacking), WARNING
                unheard = [member for member in full if not any(member in cluster.calls(other) for other in full)]
                host = next(filter(cluster.joins, unheard), host)  # no full repository calls it
                plays = host in unheard and cluster.unique and cluster.joins(host)
                proof = knows(host, TEMPORARY, True) if plays else None
        spot = estate.place(host, "QMGR", "", "REPOS")
        spot = spot if spot.file and full else estate.place(host, "CHANNEL", cluster.members[host].name)
        yield Found(host, "QMGR", "", sentence, "", proof, "REPOS", "", severity, spot, named)


_MANY = 2
"""The most full repositories without all channels that have a finding each; more are one cause, too many of them."""


@check("cluster-repositories-apart", WARNING, "A full repository does not tell another one", "CLU-02")
def apart(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        astray = {qmgr.name for qmgr, _, _ in _astray(cluster)}  # cluster-sender-astray says so
        for host, others in cluster.apart.items() if len(cluster.apart) <= _MANY else ():
            if host in astray or estate.refused(estate.lab[host], *(cluster.members[member].name for member in others)):
                continue
            sentence = say("apart", at=host, cluster=cluster.name, others=" and ".join(others))
            new = f"lab[{host!r}].mqsc({f'DEFINE QLOCAL(A.NEW.QUEUE) CLUSTER({quoted(cluster.name)})'!r}).require()"
            proof = _no_queue(others[0], "A.NEW.QUEUE", new, "lab.advance(120)")
            its, proved = cluster.members[host].name, len(cluster.full) == 2  # else others pass the news on
            fix, shown = _calls(cluster, *others), proof if proved else None
            yield Found(host, "CHANNEL", its, sentence, fix, shown, "CLUSTER", about=cluster.name)


def _astray(cluster: Cluster) -> Iterator[tuple[QueueManager, Definition, str]]:
    """Each CLUSSDR channel that calls no full repository, and the member that it calls, or means; "" for none."""
    for qmgr, channel in cluster.senders:
        called, names = cluster.called(channel.name), {*spellings(channel.name)}
        conname = addresses(channel.attributes["CONNAME"])
        hosts = {address.partition("(")[0].upper() for address in conname}
        others = {name: its for name, its in cluster.members.items() if name != qmgr.name}
        if not called:
            there = [name for name in others if cluster.places[name] == conname or name.upper() in hosts]
            yield qmgr, channel, next(iter((*there, *(name for name, its in others.items() if its.name in names))), "")
        elif not set(called) & set(cluster.full) and cluster.full not in ([], [qmgr.name]):
            yield qmgr, channel, called[0]


@check("cluster-sender-astray", WARNING, "A cluster-sender channel does not call a full repository", "CLU-04")
def astray(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        for qmgr, channel, to in _astray(cluster):
            host, called, name = qmgr.name, cluster.called(channel.name), channel.name
            facts = {"channel": name, "cluster": cluster.name, "at": host}
            theirs = next((other for other in clusters(estate) if not called and other.called(name)), None)
            if theirs is not None:
                sentence = say("sender-elsewhere", **facts, there=theirs.called(name)[0], theirs=theirs.name)
                fix = alter(channel, f"CLUSTER({quoted(theirs.name)})") if host in theirs.members else ""
                yield Found(host, "CHANNEL", name, sentence, fix, knows(host, TEMPORARY, True), "CLUSTER")
                continue
            doubts = (name, "REPOS", "REPOSNL") if called else (name,)
            if len(cluster.members) < 2 or estate.refused(estate.lab[to or host], *doubts):
                continue
            joined = cluster.joins(host) or host in cluster.full
            facts |= {"to": to, "its": cluster.members[to].name if to else "", "lost": f": {host} does not join"}
            facts |= {"lost": ""} if joined else {}
            sentence = say(f"sender-{'to-partial' if called else 'misnamed' if to else 'to-nothing'}", **facts)
            wanted = [name for name in cluster.full if name not in (host, *cluster.calls(host))]
            wanted = wanted if host in cluster.full else wanted[: int(not cluster.joins(host))]
            fix = "\n".join(filter(None, (f"DELETE CHANNEL({quoted(name)})", _calls(cluster, *wanted))))
            beyond = any(not cluster.called(each.name) for its, each in cluster.senders if its.name in cluster.full)
            sure = bool(called or to) or len(cluster.full) > 1 or (bool(cluster.full) and not beyond)
            severity = OPEN if not sure else absent(estate, estate.lab[to]) if to and not joined else WARNING
            proof = knows(host, TEMPORARY, True) if not joined or (sure and not called) else None
            yield Found(host, "CHANNEL", name, sentence, fix if sure and cluster.full else "", proof, "", "", severity)


@check("cluster-not-joined", WARNING, "A queue manager is not in the cluster that its definitions name", "CLU-03")
def not_joined(estate: Definitions) -> Iterator[Found]:
    for qmgr in estate.queue_managers:
        own, host = receivers(qmgr), qmgr.name
        called = [channel.name for channel in qmgr.objects.having("CHANNEL", "CLUSSDR")]
        for cluster in clusters(estate):
            calls = any(map(cluster.called, called)) or any(each is qmgr for each, _ in cluster.senders)
            partial = host in cluster.members and cluster.full and host not in cluster.full
            calls = calls or any(host in cluster.calls(other) for other in cluster.full)
            if partial and not calls and not estate.refused(qmgr, "CLUSSDR"):
                its, to = cluster.members[host].name, cluster.full[0]
                sentence = say("no-sender", at=host, cluster=cluster.name, to=to, channel=its)
                proof = knows(to, f"{host!r} in known", False)
                yield Found(host, "CHANNEL", its, sentence, _calls(cluster, to), proof, "CLUSTER", about=cluster.name)
        if _UNIFORM not in own and not estate.refused(qmgr, "CLUSRCVR"):
            yield from _not_member(estate, qmgr, own)


def _not_member(estate: Definitions, qmgr: QueueManager, own: dict[str, Definition]) -> Iterator[Found]:
    """The objects that name a cluster of which their queue manager is no member; `own` are those of which it is."""
    members = {cluster.name: cluster.members for cluster in clusters(estate)}
    full = {cluster.name: cluster.full for cluster in clusters(estate)}
    for definition in (Definition("QMGR", "", qmgr.attributes), *estate.own(qmgr, "CHANNEL", *QUEUE_KINDS, "TOPIC")):
        keyword = "REPOS" if definition.kind == "QMGR" else "CLUSTER"
        repos = definition.attributes.get("REPOS", "")
        listed = {repos} if definition.kind == "QMGR" else {*qmgr.objects.clusters_of(definition)}
        for name in listed - {"", *own} if definition.attributes.get("CHLTYPE", "CLUSSDR") == "CLUSSDR" else ():
            near = next((other for other in members if other in spellings(name)), "")
            if not (own or near or estate.whole(qmgr) or (name in members and known(estate, qmgr.name, True))):
                continue
            what = f"{'CLUSSDR channel' if definition.kind == 'CHANNEL' else definition.kind} {definition.name}".strip()
            sentence, fix = say("no-member", what=what, cluster=name, at=qmgr.name), ""
            if near in own and name in members:  # the CLUSRCVR channel has the wrong name
                alone = len(members[near]) == 1 and own[near].attributes["CLUSTER"] == near
                sentence += f", but one of {near}"
                fix = alter(own[near], f"CLUSTER({quoted(name)})") if alone else ""
            elif near and name not in members:
                sentence, right = f"{sentence}; is {near} meant?", alter(definition, f"{keyword}({quoted(near)})")
                fix = right if definition.attributes.get(keyword) == name else ""
            unknown = definition.kind in QUEUE_KINDS and not listed & {*own}
            proof = _no_queue(qmgr.name, definition.name) if unknown else None
            host = next((other for other in full.get(name, ()) if other != qmgr.name), "")
            if definition.kind == "CHANNEL" and host:
                proof = knows(host, f"{qmgr.name!r} in known", False)
            cause = f"{name} {bool(fix)}"
            yield fault(qmgr, definition, sentence, fix, proof, keyword, about=name, cause=cause)


@check("cluster-receiver-twice", ERROR, "Two members have a cluster-receiver channel of one name", "CLU-63")
def twice(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        for pair in combinations(cluster.members, 2):
            first, second = sorted(pair, key=lambda name: name not in cluster.full)
            its, new = cluster.members[second].name, f"TO.{second}"[:20]
            if cluster.members[first].name == its:
                sentence = say("receiver-twice", first=first, second=second, channel=its, cluster=cluster.name)
                free = not any(qmgr.objects.get("CHANNEL", new) for qmgr in estate.queue_managers)
                fix = f"DEFINE CHANNEL({quoted(new)}) CHLTYPE(CLUSRCVR) LIKE({quoted(its)})"
                fix = f"{fix}\nDELETE CHANNEL({quoted(its)})" if free and second not in cluster.full else ""
                host = next((name for name in cluster.full if name not in pair), "")
                proof = knows(host, f"{first!r} in known and {second!r} in known", False) if host else None
                yield Found(second, "CHANNEL", its, sentence, fix, proof, about=first)


def _callers(cluster: Cluster, name: str) -> list[tuple[QueueManager, Definition]]:
    """The CLUSSDR channels of the name of a member's CLUSRCVR channel, if all of them have another address."""
    its, own = cluster.members[name].name, cluster.places[name]
    result = [each for each in cluster.senders if each[1].name == its and each[0].name != name]
    alone = own and len(cluster.called(its)) == 1  # cluster-receiver-twice judges others
    right = any(_alike(own, addresses(channel.attributes["CONNAME"])) for _, channel in result)
    return result if alone and not right else []


def _alike(first: Iterable[str], second: Iterable[str]) -> bool:
    """Whether some address of both may be one place: the host with or without its domain, and the same port."""
    hosts = [{re.sub(r"^([a-z][^.(]*)[.][^(]*", r"\1", place) for place in each} for each in (first, second)]
    return bool(hosts[0] & hosts[1])


def _unanswered(estate: Definitions, cluster: Cluster, calls: list[tuple[QueueManager, Definition]]) -> Proof | None:
    """A proof that nothing answers the only CLUSSDR channel of a partial repository, if one of these is that."""
    only = Counter(qmgr.name for qmgr, _ in cluster.senders)
    for qmgr, channel in calls:
        hosts = {address.partition("(")[0].upper() for address in addresses(channel.attributes["CONNAME"])}
        if only[qmgr.name] == 1 and cluster.asks(qmgr.name) and not hosts & {*map(str.upper, estate.names)}:
            return knows(qmgr.name, TEMPORARY, True)
    return None


@check("cluster-receiver-address", WARNING, "Members cannot call a cluster-receiver channel", "CLU-10")
def address(estate: Definitions) -> Iterator[Found]:
    for cluster in clusters(estate):
        places, earlier = cluster.places, set[str]()
        for name, own in places.items():
            its, callers = cluster.members[name], _callers(cluster, name)
            conname = its.attributes["CONNAME"]
            twin = next((other for other in places if own and other != name and places[other] == own), "")
            listeners = estate.own(estate.lab[name], "LISTENER")
            ports = [port for listener in listeners if (port := port_of(listener)) is not None]
            facts, case, severity, lost = {"channel": its.name, "conname": conname}, "", "", cluster.asks(name)
            if not own:
                case, lost = "port" if ports and DEFAULT_PORT not in ports else "blank", False
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
                right = {channel.attributes["CONNAME"] for _, channel in callers}
                fix = alter(its, f"CONNAME({quoted(right.pop())})") if len(callers) > 1 and len(right) == 1 else ""
                sentence, proof = say(f"address-{case}", **facts), knows(name, TEMPORARY, True) if lost else None
                proof = _unanswered(estate, cluster, callers) if case == "differs" else proof
                host = estate.lab[name]
                yield fault(host, its, sentence, fix, proof, "CONNAME", "", severity, about=cluster.name)
        for qmgr, channel in cluster.senders:
            for name in cluster.called(channel.name) if len(cluster.called(channel.name)) == 1 else ():
                conname, wrong = (each.attributes["CONNAME"] for each in (cluster.members[name], channel))
                if places[name] and not _callers(cluster, name) and not _alike(places[name], addresses(wrong)):
                    sentence = say("address-of-sender", channel=channel.name, wrong=wrong, conname=conname, at=name)
                    fix = alter(channel, f"CONNAME({quoted(conname)})")
                    proof = _unanswered(estate, cluster, [(qmgr, channel)])
                    yield fault(qmgr, channel, sentence, fix, proof, "CONNAME", about=cluster.name)
