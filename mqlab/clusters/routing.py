"""Names that lead into a cluster: which instances a name has, when one is chosen, and the put to it."""

from __future__ import annotations

import json
from copy import copy
from typing import TYPE_CHECKING, Any

from ..engine.queues.message import Message
from ..engine.queues.put import Put, put
from ..engine.queues.queue import LocalQueue, Remote
from ..engine.queues.target import NOWHERE, Route, Target
from ..engine.words import constants as mq
from ..engine.words.errors import LabError
from ..engine.words.objects import Definition
from ..engine.words.refusals import Grounds
from . import manager_of, workload
from .publishing import KINDS, QMGR, QUEUE
from .repository import Record
from .workload import Asking, Candidate, Choice

if TYPE_CHECKING:
    from ..engine.queues.handle import Handle

_BINDS = {mq.MQOO_BIND_ON_OPEN: "OPEN", mq.MQOO_BIND_NOT_FIXED: "NOTFIXED", mq.MQOO_BIND_ON_GROUP: "GROUP"}
_GROUPED = mq.MQMF_MSG_IN_GROUP | mq.MQMF_LAST_MSG_IN_GROUP


def found(application: Any, kind: str, name: str, asked: str, call: str) -> Target | None:
    """The queue of a cluster that a name leads to, which no definition here has; None for none (CLU-13, CLU-23)."""
    if kind != "QLOCAL" or call not in ("put", "open", "report"):
        return None
    if "@" in asked:
        return None  # an alias here, with the name of this queue manager: its queue must be here too (CLU-26)
    if not _look_up(application, QUEUE, name, asked, call):
        return None
    path = application.qmgr.objects.match(("QALIAS",), asked)  # an alias here, if it leads there
    target = application.qmgr.routes[asked] = ClusterQueue(manager_of(application.qmgr), asked, path, (name, ""))
    return target


def way(application: Any, name: str, path: list[Definition], to: tuple[str, str]) -> tuple[Target | None] | None:
    """The way to a queue of a queue manager, or queue manager alias, of a cluster; None for none: a local definition
    of its name comes first, and DEFXMITQ later (CLU-22)."""
    qmgr, qmgr_named = application.qmgr, to[1]
    own = qmgr.objects.named("QLOCAL", qmgr_named)
    if own is not None and (path or own.kind != "QALIAS"):
        return None
    if not _look_up(application, QMGR, qmgr_named, name, "put", default=bool(qmgr.attributes["DEFXMITQ"])):
        return None
    return (ClusterQueue(manager_of(qmgr), name, path, to),)


def _look_up(application: Any, sort: str, name: str, asked: str, call: str, default: bool = False) -> bool:
    asks = not getattr(application, "looks_only", False)
    known = manager_of(application.qmgr).look_up(sort, name, wait=asks and call != "report", ask=asks)
    if known is None and call != "report" and not default:
        application.refuse(mq.MQRC_CLUSTER_RESOLUTION_ERROR, "no-repository", None, call, asked, sought=name)
    return bool(known)


class ClusterQueue(Remote):
    """A name whose puts go to one of the instances that a cluster has of a queue; `qmgr_name` is the queue manager that
    was named, "" for none.

    `bind` is when the choice is made: at each put of a name (MQPUT1), or as the binding of a handle says; `fixed` is
    the choice of a handle that binds at its open (CLU-30).
    """

    chooses = True
    no_input_reason = mq.MQRC_UNKNOWN_OBJECT_NAME
    bind = ""
    fixed: Candidate | None = None
    group: tuple[bytes | None, Candidate | None] = (None, None)

    def __init__(
        self, manager: Any, name: str, path: list[Definition], to: tuple[str, str], local: LocalQueue | None = None
    ):
        self.manager, self.wanted, self.local = manager, to, local
        self.sort, self.sought = (QMGR, to[1]) if to[1] else (QUEUE, to[0])
        path = path or ([] if local is None else [local.definition])
        if not path and self.sort == QUEUE:
            path = [_elsewhere(to[0], manager.repository.named(QUEUE, to[0], manager.clusters())[0].facts)]
        super().__init__(name, path, manager.channels.transmission.queue(""), to)

    # ---- The candidates
    def candidates(self) -> list[Candidate]:
        """Every instance with every channel to it, in clusters of this queue manager and the queue (CLU-42, CLU-70)."""
        clusters, repository, candidates = self.manager.clusters(), self.manager.repository, self._here()
        for kind in KINDS[self.sort]:
            for record in repository.named(kind, self.sought, clusters):
                member = repository.member(record.cluster, record.qmid)
                if member is not None and record.qmid != repository.own:
                    candidates.append(Candidate(record.facts, member, False))
        return candidates

    def _here(self) -> list[Candidate]:
        """The local instance, as the queue is now."""
        if self.local is None:
            return []
        repository, definition = self.manager.repository, self.local.definition
        mine = self.manager.qmgr.objects.clusters_of(definition)
        members = (repository.member(cluster, repository.own) for cluster in self.manager.clusters() if cluster in mine)
        return [Candidate(definition.attributes, member, True) for member in members if member is not None][:1]

    def choice(self, application: Any) -> Choice:
        """The choice that a put would make now; nothing is counted."""
        stays, arrived = self.local is not None and _stays(self.local), self.manager.channels.brings(application)
        asking = Asking(self.manager, "@".join(filter(None, self.wanted)), stays, arrived)
        return workload.choose(self.candidates(), asking)

    def _choose(self, application: Any, call: str) -> Candidate:
        """The choice, which counts; 2270 for a handle without instances, 2085 or 2087 for a name (CLU-20, CLU-39)."""
        choice = self.choice(application)
        if (chosen := choice.chosen) is None:
            self.manager.look_up(self.sort, self.sought, wait=False)  # REFRESH CLUSTER forgot that it asked
            reason = mq.MQRC_UNKNOWN_OBJECT_NAME if self.sort == QUEUE else mq.MQRC_UNKNOWN_REMOTE_Q_MGR
            if self.bind and call == "put":
                reason = mq.MQRC_NO_DESTINATIONS_AVAILABLE
            raise application.refusal(Grounds(reason, "none-left", {"missing": self.sought}), self, call)
        if chosen.put != "ENABLED" and not chosen.local:
            application.refuse(mq.MQRC_CLUSTER_PUT_INHIBITED, "all-disabled", self, call, queue=self.wanted[0])
        workload.count(choice, chosen, self.manager)
        return chosen

    # ---- Opens and puts
    def bound(self, handle: Handle) -> Target:
        """The target of a handle: it chooses now, at each put, or at each group, as MQOO_BIND_* or DEFBIND says."""
        other = copy(self)
        other.opens, other.bind = 0, _BINDS.get(handle.binding) or self.defbind
        if other.bind == "OPEN":
            other.fixed = self._choose(handle.application, "open")
            if other.fixed.local:
                return self.alone
        return other

    @property
    def alone(self) -> Target:
        """The queue here, for its name with that of this queue manager."""
        return self if self.local is None else Here(self.local)

    @property
    def defbind(self) -> str:
        """DEFBIND of the name that was opened, or of the first instance (CLU-32)."""
        return (self.path[0].attributes if self.path else {}).get("DEFBIND", "OPEN")

    def put(self, request: Put) -> Message:
        """Put one message to the instance that is chosen: by its name, at each call (CLU-31)."""
        chosen = self.fixed or self._choose(request.application, "put")
        return self._put_to(chosen, request, (self.bind or self.defbind) == "OPEN")

    def put_in_order(self, request: Put) -> Message:
        """Put one message of a group: to where the first of the group went, if the handle binds by group (CLU-33)."""
        flags, group_id = request.descriptor.msg_flags, request.descriptor.group_id
        if self.bind != "GROUP" or not flags & _GROUPED:
            return self.put(request)
        begun, chosen = self.group
        if begun != group_id or chosen is None:
            chosen = self._choose(request.application, "put")
        done = self._put_to(chosen, request, False)
        self.group = (None, None) if flags & mq.MQMF_LAST_MSG_IN_GROUP else (group_id, chosen)
        return done

    def _put_to(self, chosen: Candidate, request: Put, fixed: bool) -> Message:
        queue, qmgr_named = self.wanted
        if chosen.local and self.local is not None:
            request.target = Here(self.local)
        else:
            self.destination = (queue, qmgr_named or chosen.qmgr)
            request.target = self._way(chosen, qmgr_named or (chosen.qmgr if fixed else ""))
        return request.target.put(request)

    def _way(self, chosen: Candidate, header: str) -> Target:
        """The way to an instance, kept while its channel has the same transmission queue."""
        transmission = self.manager.channels.transmission.queue(chosen.channel)
        key = (chosen.channel, header, chosen.qmgr, transmission.name)
        if key not in self.ways:
            path = [_elsewhere(one.name, chosen.facts) if one.kind == "QLOCAL" else one for one in self.path]
            self.ways[key] = ClusterRoute(self.name, path, transmission, (self.wanted[0], header), chosen.member)
        return self.ways[key]

    def apply(self) -> None:
        """Take over the attributes of the definitions on the path; the ways to instances are made again."""
        self.ways: dict[tuple[str, ...], Target] = {}
        super().apply()

    def no_input_case(self) -> tuple[str, dict[str, Any]]:
        """It has no instance here (CLU-23)."""
        return "no-local-instance", {"queue": self.wanted[0]}


def _elsewhere(queue: str, facts: dict[str, Any]) -> Definition:
    """The attributes of a cluster queue that no definition here has: those of an instance, which allows puts."""
    return Definition("QREMOTE", queue, {**facts, "QTYPE": "QCLUSTER", "PUT": "ENABLED"})


def tag_of(channel: str) -> bytes:
    """The CorrelId of messages for a cluster-sender channel (CLU-52)."""
    return channel.encode().ljust(24)


class ClusterRoute(Remote):
    """The way to one instance: the messages go on a cluster transmission queue with the name of the channel as their
    CorrelId (CLU-52)."""

    rules = ("CLU-52", "CLU-52")

    def __init__(self, name: str, path: list[Definition], queue: LocalQueue, to: tuple[str, str], member: Record):
        super().__init__(name, path, queue, to)
        channel = member.facts["channel"]
        self.tag = tag_of(channel)
        facts: dict[str, Any] = {"via": name, "to": f"{to[0]}@{to[1] or member.qmgr}", "channel": channel}
        facts |= {"cluster": member.cluster, "fixed": bool(to[1])}
        self.via = json.dumps({**facts, **queue.own_detail}, separators=(",", ":"))


class Here(Route):
    """The queue here, whatever instances a cluster has besides it."""

    bound, alone = Target.bound, Target.alone  # itself

    def __init__(self, target: Any):
        self.via = target.via
        super().__init__(target.name, target.path or [target.definition], target.queue)

    def put(self, request: Put) -> Message:
        """Put one message here."""
        stream = self.queue.stream
        return stream.put_here(request) if isinstance(stream, Spread) else self.queue.put(request)


def _stays(queue: LocalQueue) -> bool:
    """Whether puts of programs stay at the instance here: CLWLUSEQ (CLU-36)."""
    use = queue.definition.attributes["CLWLUSEQ"]
    return (queue.qmgr.attributes["CLWLUSEQ"] if use == "QMGR" else use) == "LOCAL"


class Spread:
    """The way of the puts to a queue with CLUSTER: the choice among its instances (CLU-21), and then `inner`, if
    the queue streams."""

    def __init__(self, queue: LocalQueue, inner: Any):
        self.queue, self.inner = queue, inner

    def target(self, name: str, path: list[Definition], application: Any = None) -> ClusterQueue | None:
        """The target that chooses, None without another instance; an `application` lets the queue manager ask."""
        qmgr = self.queue.qmgr
        manager = manager_of(qmgr)
        mine = set(qmgr.objects.clusters_of(self.queue.definition))
        if manager is None or not mine.intersection(manager.clusters()):
            return None
        asks = application is not None and not getattr(application, "looks_only", False)
        if asks and not manager.channels.brings(application):
            manager.look_up(QUEUE, self.queue.name, not _stays(self.queue) or self.queue.put_inhibited, here=True)
        instances = manager.repository.named(QUEUE, self.queue.name, mine)
        if all(one.qmid == manager.repository.own for one in instances):
            return None
        return ClusterQueue(manager, name, path, (self.queue.name, ""), self.queue)

    def put(self, request: Put) -> Message:
        """Put one message to the instance that is chosen."""
        named = request.target
        target = self.target(named.name, list(named.path), request.application) if named is not NOWHERE else None
        return self.put_here(request) if target is None else target.put(request)

    def put_here(self, request: Put) -> Message:
        """Put one message to the queue itself."""
        return put(request, self.queue) if self.inner is None else self.inner.put(request)

    def bound(self, target: Target, handle: Handle) -> Target:
        """The target of a handle on the queue, or on an alias of it."""
        spread = self.target(target.name, list(target.path), handle.application)
        return target if spread is None else spread.bound(handle)

    def alone(self, target: Target) -> Target:
        """The queue here, for its name, or that of an alias, with the name of this queue manager."""
        return Here(target)


def among(queue: LocalQueue) -> ClusterQueue | None:
    """The target that chooses among the known instances of a queue here; None for no other instance."""
    return queue.stream.target(queue.name, []) if isinstance(queue.stream, Spread) else None


def why(qmgr: Any, name: str) -> Choice:
    """The last choice among the instances of a cluster queue; if there was none, the choice that a put would make now.
    Nothing is counted. MQError 2085, 2189; LabError for a name that leads to no queue here or in a cluster."""
    manager = manager_of(qmgr)
    if manager is not None and name in manager.choices:
        return manager.choices[name]
    target = qmgr.resolve(name, "put")
    if not isinstance(target, ClusterQueue):
        if target.queue is None or target.elsewhere:
            raise LabError(f"name must be that of a queue here, or of a cluster queue; {name} leads elsewhere")
        target = among(target.queue)
    return Choice(name, (), None, qmgr.clock.time_us, alone=True) if target is None else target.choice(qmgr)
