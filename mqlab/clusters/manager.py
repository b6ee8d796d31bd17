"""The repository manager: a program that gets from SYSTEM.CLUSTER.COMMAND.QUEUE what other members say.

It files records, tells others of them, answers who asks for a name, says again after 27 days what it said, and forgets
what was not said again. A definition that changes, or a command, leaves it work, which it does when time passes. It
sends one message to one member in one turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..engine.programs.program import Program
from ..engine.words import constants as mq
from ..engine.words.errors import MQError, NotSimulated
from ..engine.world.clock import SECOND
from .publishing import ALIAS, ALL, QMGR, QUEUE, TOPIC, is_full, own_records, receivers, senders
from .repository import LIVES, OVERDUE, RENEWED, Key, Record, Repository

COMMANDS, STORE = "SYSTEM.CLUSTER.COMMAND.QUEUE", "SYSTEM.CLUSTER.REPOSITORY.QUEUE"
AGAIN = 60 * SECOND
"""How long the repository manager waits before it tries again to put what a queue did not take."""
WAIT = 10 * SECOND
"""How long an open waits for an answer (CLU-13)."""

KINDS = {QUEUE: (QUEUE,), QMGR: (QMGR, ALIAS)}
"""The sort of a name -> the kinds of records that answer a question about it."""
Name = tuple[str, str, str]
"""A cluster, QUEUE or QMGR, and a name: what a queue manager asks for."""


@dataclass
class Asked:
    """A name that this queue manager asked for: when, and whether there was an answer."""

    since_us: int
    answered: bool = False


class Manager:
    """The repository manager of one queue manager; `channels` has what starts and moves cluster channels."""

    def __init__(self, qmgr: Any):
        self.qmgr, self.clock = qmgr, qmgr.clock
        self.repository = Repository(qmgr.attributes["QMID"])
        self.own: dict[Key, Record] = {}  # what it says of itself
        self.said_us: int | None = None  # when it last said all of that
        self.version = 0
        self.asked: dict[Name, Asked] = {}
        self.subscribers: dict[Name, dict[str, int]] = {}  # name -> QMID -> until when (us)
        self.informed: dict[str, dict[str, None]] = {}  # cluster -> channels to full repositories that know `own`
        self.suspended: set[str] = set()
        self.choices: dict[str, Any] = {}  # name -> the last choice of the workload algorithm
        self.factors: dict[Any, list[int]] = {}  # what was chosen -> its factor, and its turn
        self.turn = 0
        self.overdue: set[Key] = set()
        self.again_us = self.due_us = 0
        self.work: list[Callable[[], object]] = []
        self.outbox: dict[str, list[list[Any]]] = {}
        self.touched: dict[Key, None] = {}
        self.listeners: list[Callable[[str, Record], object]] = []  # called with what happened to a record
        self.program: Any = None
        self.topics: Any = None
        self._watching = False
        self._wake, self.heard = self.clock.event(), self.clock.event()
        from .channels import ClusterChannels

        self.channels = ClusterChannels(self)

    # ---- The program
    def start(self) -> None:
        """Start the program, unless it runs."""
        if self.program is None or self.program.state != "running":
            over = partial(setattr, self, "_watching", False)
            self.program = Program(self.qmgr, "REPOSITORY.MANAGER", self._serve, (), None, over)
            self.program.product_name = "amqrrmfa"
            if self.topics is not None:
                self.topics.start()

    def nudge(self) -> None:
        """Let the program look for work."""
        if not self._wake.triggered:
            self._wake.succeed()

    def later(self, action: Callable[[], object]) -> None:
        """Leave the program work."""
        self.work.append(action)
        self.nudge()

    def _serve(self, app: Any) -> None:
        app.idle, self.due_us = True, 0
        self._load()
        with app.open(COMMANDS, input="shared") as handle:
            queue = handle.queue
            while True:
                self._turn(app, handle)
                self._wake = self.clock.event()
                if not self._watching:
                    self._watching, noticed = True, self.clock.event()
                    noticed.callbacks.append(lambda _: self._noticed())
                    queue.waiters.append((queue.next_turn(), noticed))
                if not self.work and (not queue.store.mask or handle.target.get_inhibited):
                    again_us = self.again_us if self.outbox or self.touched else self.due_us
                    self.clock.wait(self._wake, min(self.due_us, again_us), True)

    def _noticed(self) -> None:
        self._watching = False
        self.nudge()

    def _turn(self, app: Any, handle: Any) -> None:
        """Do what is there to be done."""
        while self.work:
            self.work.pop(0)()
        self._flush(app, None)
        while handle.queue.store.mask and not handle.target.get_inhibited:
            with app.unit_of_work() as unit:
                message = handle.get(unit=unit)
                self._take(app, message, unit)
                self._flush(app, unit)
        if self.clock.time_us >= self.due_us:
            self._age()
            self.due_us = self._next_us()
        self._flush(app, None)
        if not self.heard.triggered:
            self.heard.succeed()
            self.heard = self.clock.event()

    def _take(self, app: Any, message: Any, unit: Any) -> None:
        """Do what one message says; one that no repository manager sent goes where such messages go."""
        try:
            told = json.loads(message.body)
            sender, flows = told["from"], told["flows"]
        except (ValueError, TypeError, KeyError):
            app.reject(message, mq.MQRC_FORMAT_ERROR, queue=COMMANDS, unit=unit)
            return
        for flow, *rest in flows:
            getattr(self, f"on_{flow}")(sender, *rest)

    def _flush(self, app: Any, unit: Any) -> None:
        """Store the records that changed, and send what was said, one message to each channel (CLU-18)."""
        touched, self.touched = self.touched, {}
        store = self.qmgr.targets.get(STORE)
        for key in touched:
            record = self.repository.records.get(key)
            name = Record(*key[:2], "", *key[2:], {}).stored
            try:
                if store is not None and next(store.store.matching(name, None), None) is not None:
                    app.get(STORE, msg_id=name, unit=unit)
                if record is not None:
                    app.put(STORE, record.body(), persistent=True, msg_id=name, unit=unit)
            except MQError:
                self.touched[key] = None
        outbox, self.outbox = self.outbox, {}
        for channel, flows in outbox.items():
            body = json.dumps({"from": self.repository.own, "flows": flows}, separators=(",", ":"))
            try:
                self.channels.send(app, channel, COMMANDS, body, unit)
            except MQError:
                self.outbox[channel] = flows
        if self.outbox or self.touched:
            self.again_us = self.clock.time_us + AGAIN

    def _load(self) -> None:
        """Read the records that the repository's queue keeps, after a restart."""
        queue = self.qmgr.targets.get(STORE)
        kept = [] if queue is None or queue.kind != "QLOCAL" else list(queue.store.in_order())
        if self.said_us is not None:
            self.repository = Repository(self.repository.own)
        for message in kept:
            record = Record(**json.loads(message.body))
            self.repository.file(record)

    # ---- What changes here
    def changed(self, what: tuple[str, str] = ALL) -> None:
        """A definition changed; the program says so to others."""
        self.later(lambda: self.say(what))

    def clusters(self) -> list[str]:
        """The clusters that it is a member of."""
        return [cluster for cluster, _ in receivers(self.qmgr)]

    def full(self, cluster: str) -> bool:
        """Whether this queue manager is a full repository of a cluster, and a member of it."""
        return is_full(self.qmgr, cluster) and cluster in self.clusters()

    def say(self, what: tuple[str, str] = ALL, again: str = "") -> None:
        """Say what has changed of its own records, all of those of cluster `again` also if nothing has."""
        wanted = own_records(self.qmgr, self.suspended, what)
        changed = []
        for key, facts in wanted.items():
            here = self.own.get(key)
            if here is None or here.facts != facts or again in (key[0], "*"):
                changed.append(self._own_record(key, facts, False))
        for key in [key for key in self.own if key not in wanted and (what == ALL or _is_about(key, what))]:
            changed.append(self._own_record(key, self.own.pop(key).facts, True))
        if what == ALL and (again == "*" or self.said_us is None):
            self.said_us = self.clock.time_us
        for record in changed:
            self._filed(record, self.repository.file(record))
        left = {record.cluster for record in changed if record.kind == QMGR and record.gone}
        for record in changed:  # to full repositories that know the other ones; a full repository, who has to know
            if self.full(record.cluster):
                self._spread(record, self.repository.own)
            else:
                for channel in self.informed.get(record.cluster, ()):
                    self._tell(channel, record)
        for cluster in self.clusters():
            self.inform(cluster)
        for cluster in left:
            self._leave(cluster)

    def _own_record(self, key: Key, facts: dict[str, Any], gone: bool) -> Record:
        self.version += 1
        cluster, qmid, kind, name = key
        record = Record(cluster, qmid, self.qmgr.name, kind, name, facts, self.version, gone, self.clock.time_us)
        if not gone:
            self.own[key] = record
        return record

    def send(self, channel: str, *flow: Any) -> None:
        """Say something to the member behind a channel; what is said in one turn is one message."""
        self.outbox.setdefault(channel, []).append(list(flow))

    def _tell(self, channel: str, record: Record) -> None:
        self.send(channel, "record", record.told())

    def manual(self, cluster: str) -> list[str]:
        """The names of its manual CLUSSDR channels of a cluster."""
        return [channel.name for channel in senders(self.qmgr, cluster)]

    def inform(self, cluster: str) -> None:
        """Tell full repositories all: each with a manual channel, if this is a full repository; else two (CLU-06)."""
        informed = self.informed.setdefault(cluster, {})
        manual, full = self.manual(cluster), self.full(cluster)
        known = [one.facts["channel"] for one in self.repository.full(cluster)]
        for channel in [name for name in informed if (name not in manual if full else known and name not in known)]:
            del informed[channel]
        if full:
            wanted = manual
        else:
            order = sorted(known, key=lambda name: (not self.channels.available(name), name not in manual, name))
            wanted = [*informed, *(name for name in order if name not in informed)][:2] if known else manual
        for channel in wanted:
            if channel not in informed:
                informed[channel] = None
                self._tell_all(cluster, channel)

    def _tell_all(self, cluster: str, channel: str) -> None:
        """Send every record of its own; those of others too, between full repositories (CLU-02)."""
        full = self.full(cluster)
        for record in self.repository:
            if record.cluster == cluster and (full or record.qmid == self.repository.own) and not record.gone:
                self._tell(channel, record)
        for name in [name for name in self.asked if name[0] == cluster and not full]:
            self.send(channel, "ask", *name)

    def _leave(self, cluster: str) -> None:
        """Forget a cluster that it is no longer a member of."""
        for record in self.repository:
            if record.cluster == cluster:
                self._forget(record, lost=False)
        self.informed.pop(cluster, None)
        self.suspended.discard(cluster)
        for names in (self.asked, self.subscribers):
            for name in [name for name in names if name[0] == cluster]:
                names.pop(name)

    # ---- What others say
    def on_record(self, sender: str, facts: dict[str, Any]) -> None:
        """A record: filed, and told to others."""
        record = Record(**facts, heard_us=self.clock.time_us)
        cluster, direct = record.cluster, sender == record.qmid
        if record.qmid == self.repository.own or cluster not in self.clusters():
            return
        if record.gone and record.key not in self.repository.records:
            return
        before = self.repository.member(cluster, record.qmid)
        if direct and before is None and not self.full(cluster) and not (record.kind == QMGR and record.facts["full"]):
            if record.kind == QMGR:
                self.log("refused", cluster, QMGR, record.name, "CLU-04", host=record.qmgr)
            return
        if not (how := self.repository.file(record)):
            return
        self._filed(record, how)
        if record.kind == QMGR:
            for other in self.repository.called(record.facts["channel"]):
                if (other.cluster, other.qmid) != (cluster, record.qmid) and other.cluster == cluster:
                    self._forget(other)  # the later definition of a channel replaces the earlier one (CLU-63)
        if self.full(cluster):
            self._spread(record, sender, before)
            if record.kind == QMGR and direct and not record.gone:
                was_full = before is not None and before.facts["full"]
                if before is None or (record.facts["full"] and not was_full):
                    self.welcome(record)
        if record.kind == QMGR:
            self.inform(cluster)

    def _filed(self, record: Record, how: str) -> None:
        """Store a record, log it, and forget choices and routes that may differ now."""
        self.touched[record.key] = None
        self.overdue.discard(record.key)
        if record.kind == TOPIC:
            self._topics()
        if how != "renewed":
            did = "withdrawn" if record.gone else {"new": "learned", "changed": "changed"}[how]
            if record.qmid == self.repository.own:
                did = "withdrew" if record.gone else "published"
            self.log(did, record.cluster, record.kind, record.name, "CLU-14", host=record.qmgr)
            self.factors.clear()
            self.qmgr.routes.clear()
        for listener in self.listeners:
            listener(how, record)
        if record.gone and record.kind == QMGR and record.qmid != self.repository.own:
            self._unsubscribe(record.cluster, record.qmid)
            self.channels.withdrawn(record, True)

    def _topics(self) -> Any:
        if self.topics is None:
            from ..pubsub.cluster_topics import Topics

            self.topics = Topics(self)
        return self.topics

    def direct(self, cluster: str) -> list[Record]:
        """The topics with CLROUTE(DIRECT): if there is one, each member has to know each other one (CLU-72)."""
        return [topic for topic in self.repository.topics(cluster) if topic.facts.get("CLROUTE") != "TOPICHOST"]

    def on_proxies(self, sender: str, cluster: str, qmgr: str, strings: list[list[str]]) -> None:
        """A member subscribes to topic strings."""
        self._topics().hear(sender, cluster, qmgr, strings)

    def welcome(self, member: Record) -> None:
        """Tell a new member of the full repositories and topics, a full one of all, if there is a channel (CLU-08)."""
        cluster, channel = member.cluster, member.facts["channel"]
        if member.facts["full"]:
            if channel in self.manual(cluster):
                self._tell_all(cluster, channel)
            return
        topics = self.repository.topics(cluster)
        hosts, direct = {record.qmid for record in topics}, self.direct(cluster)
        members = [
            record
            for record in self.repository.members(cluster)
            if direct or record.facts["full"] or record.qmid in hosts
        ]
        for record in (*members, *topics):  # a member before its topics
            if record.qmid != member.qmid:
                self._tell(channel, record)

    def _spread(self, record: Record, sender: str, before: Record | None = None) -> None:
        """Tell a record to those that have to know: full repositories, and members that asked for it."""
        cluster, own, asked, everybody = record.cluster, self.repository.own, self._subscribed(record), True
        manual = self.manual(cluster)
        if record.kind == QMGR:
            is_or_was = (record, before or record)
            everybody = any(version.facts["full"] for version in is_or_was) or bool(self.direct(cluster))
        elif record.kind != TOPIC:
            everybody = False
        for member in self.repository.members(cluster):
            channel = member.facts["channel"]
            if member.qmid in (own, record.qmid, sender):
                continue
            if member.facts["full"]:
                if sender == record.qmid and channel in manual:
                    self._tell(channel, record)
            elif everybody or member.qmid in asked:
                self._tell_with_host(channel, record)
        if sender == own:  # full repositories that have not answered yet
            known = [full.facts["channel"] for full in self.repository.full(cluster)]
            for channel in [name for name in self.informed.get(cluster, ()) if name in manual and name not in known]:
                self._tell(channel, record)

    def _tell_with_host(self, channel: str, record: Record) -> None:
        """Tell a record, after that of its queue manager."""
        host = self.repository.member(record.cluster, record.qmid)
        if host is not None and record.kind != QMGR:
            self._tell(channel, host)
        self._tell(channel, record)

    def _subscribed(self, record: Record) -> set[str]:
        """The members that asked for what a record is about; for a queue manager, for a queue that it has too."""
        sort = QUEUE if record.kind == QUEUE else QMGR
        names = {(record.cluster, sort, record.name)}
        if record.kind == QMGR:
            hosted = (one for one in self.repository if one.qmid == record.qmid and one.cluster == record.cluster)
            names |= {(record.cluster, QUEUE if one.kind == QUEUE else QMGR, one.name) for one in hosted}
        return {qmid for name in names for qmid in self.subscribers.get(name, ())}

    def _unsubscribe(self, cluster: str, qmid: str) -> None:
        """A member has left, or has forgotten what it asked for."""
        for name, subscribed in self.subscribers.items():
            if name[0] == cluster:
                subscribed.pop(qmid, None)

    def on_again(self, sender: str, cluster: str) -> None:
        """A member has forgotten what it knew, and asks for it."""
        self._unsubscribe(cluster, sender)
        member = self.repository.member(cluster, sender)
        if member is None:
            return
        if self.full(cluster):
            self.welcome(member)
        else:
            for record in [one for one in self.own.values() if one.cluster == cluster]:
                self._tell(member.facts["channel"], record)

    def on_remove(self, sender: str, cluster: str, qmid: str, queues: bool, version: int) -> None:
        """Forget a member that a full repository was told to remove, and let others forget it (CLU-59)."""
        if qmid == self.repository.own:
            return
        for record in self.repository:
            about = (record.cluster, record.qmid) == (cluster, qmid) and (record.kind == QMGR or queues)
            if about and record.version <= version:
                self._forget(record)
        if self.full(cluster):
            for member in self.repository.members(cluster):
                channel = member.facts["channel"]
                between = sender == self.repository.own and channel in self.manual(cluster)
                if member.qmid not in (self.repository.own, sender) and (between or not member.facts["full"]):
                    self.send(channel, "remove", cluster, qmid, queues, version)

    def _forget(self, record: Record, lost: bool = True) -> None:
        """Take a record out of the repository; `lost` is whether its subject does not exist."""
        self.repository.remove(record)
        self.touched[record.key] = None
        self.overdue.discard(record.key)
        self.factors.clear()
        self.qmgr.routes.clear()
        if not record.gone:
            self.log("forgotten", record.cluster, record.kind, record.name, "CLU-19", host=record.qmgr)
        for listener in self.listeners:
            listener("forgotten", record)
        if record.kind == QMGR and record.qmid != self.repository.own and not record.gone:
            self.channels.withdrawn(record, lost)

    # ---- Names
    def known(self, sort: str, name: str) -> bool:
        """Whether a cluster of this queue manager has a queue, or a queue manager or an alias of one, of this name."""
        clusters = self.clusters()
        return any(self.repository.named(kind, name, clusters) for kind in KINDS[sort])

    def look_up(self, sort: str, name: str, wait: bool, here: bool = False, ask: bool = True) -> bool | None:
        """Whether a cluster has a name; ask full repositories, and wait for their answer (CLU-17). None for no answer.
        The wait for other instances than the one `here` ends ten seconds after the first question."""
        asked = [(cluster, sort, name) for cluster in self.clusters() if not self.full(cluster)]
        if not ask:
            silent = any(key not in self.asked or not self.asked[key].answered for key in asked)
            return self.known(sort, name) or (None if silent else False)
        until = self.clock.time_us + WAIT
        if here:
            until = min((self.asked[key].since_us + WAIT for key in asked if key in self.asked), default=until)
        try:
            with self.clock.unbroken():
                while True:
                    for key in [key for key in asked if key not in self.asked]:
                        self.asked[key] = Asked(self.clock.time_us)
                        self.later(lambda key=key: self._ask(*key))  # type: ignore[misc]
                    found, answered = self.known(sort, name), all(self.asked[key].answered for key in asked)
                    if answered or (found and not here) or not wait or self.clock.time_us >= until:
                        return found or (False if answered else None)
                    self.clock.wait(self.heard, until)
        except NotSimulated:
            return None  # time cannot pass here

    def _ask(self, cluster: str, sort: str, name: str) -> None:
        """Ask the full repositories that know this queue manager (CLU-13)."""
        self.log("asked", cluster, sort, name, "CLU-13", host="")
        for channel in self.informed.get(cluster, ()):
            self.send(channel, "ask", cluster, sort, name)

    def on_ask(self, sender: str, cluster: str, sort: str, name: str) -> None:
        """A member asks for a name, and subscribes to it."""
        member = self.repository.member(cluster, sender)
        if member is None or not self.full(cluster):
            return
        self.subscribers.setdefault((cluster, sort, name), {})[sender] = self.clock.time_us + LIVES
        channel = member.facts["channel"]
        for kind in KINDS[sort]:
            for record in self.repository.named(kind, name, (cluster,)):
                self._tell_with_host(channel, record)
        self.send(channel, "answer", cluster, sort, name)

    def on_answer(self, sender: str, cluster: str, sort: str, name: str) -> None:
        """All that a full repository knows of a name has come before this."""
        asked = self.asked.get((cluster, sort, name))
        if asked is not None and not asked.answered:
            asked.answered = True
            found = "found" if self.known(sort, name) else "none"
            self.log(found, cluster, sort, name, "CLU-13" if found == "found" else "CLU-16", host="")

    # ---- Commands
    def suspend(self, cluster: str, suspended: bool) -> None:
        """SUSPEND or RESUME QMGR in one cluster."""
        (self.suspended.add if suspended else self.suspended.discard)(cluster)
        self.changed()

    def refresh(self, cluster: str, repos: bool) -> None:
        """REFRESH CLUSTER of one cluster: forget what others said, and learn it anew (CLU-58)."""
        full = self.full(cluster)
        if full and repos:
            self.log("not-refreshed", cluster, QMGR, self.qmgr.name, "CLU-58", host=self.qmgr.name)
            return
        for record in self.repository:
            keeps = record.kind == QMGR and (full or (record.facts["full"] and not repos))
            if record.cluster == cluster and record.qmid != self.repository.own and not keeps:
                self._forget(record, lost=False)
        for name in [name for name in self.asked if name[0] == cluster]:
            del self.asked[name]
        self.informed.pop(cluster, None)
        self.say(again=cluster)
        others = [one.facts["channel"] for one in self.repository.members(cluster) if one.qmid != self.repository.own]
        for channel in dict.fromkeys((*self.informed.get(cluster, ()), *(others if full else ()))):
            self.send(channel, "again", cluster)
        self.log("refreshed", cluster, QMGR, self.qmgr.name, "CLU-58", host=self.qmgr.name)

    # ---- Time
    def _next_us(self) -> int:
        """When there is something to say again, or to forget; of records that come later, none is due before."""
        times = [self.clock.time_us + RENEWED]
        times += [self.said_us + RENEWED] if self.said_us is not None and self.own else []
        for record in self.repository:
            if record.qmid != self.repository.own or record.gone:
                times.append(record.heard_us + LIVES + (OVERDUE if record.key in self.overdue else 0))
        times += [asked.since_us + RENEWED for asked in self.asked.values()]
        return min(times)

    def _age(self) -> None:
        """Say again what is 27 days old, and forget what was due 60 days ago (CLU-19)."""
        now = self.clock.time_us
        if self.own and self.said_us is not None and now >= self.said_us + RENEWED:
            self.say(again="*")
        for name, asked in self.asked.items():
            if now >= asked.since_us + RENEWED:
                asked.since_us = now
                self._ask(*name)
        for record in self.repository:
            if record.qmid == self.repository.own and not record.gone:
                continue
            due = record.heard_us + LIVES
            if now >= due + (0 if record.gone else OVERDUE):
                self._forget(record)
            elif now >= due and record.key not in self.overdue:
                self.overdue.add(record.key)
                self.log("overdue", record.cluster, record.kind, record.name, "CLU-19", host=record.qmgr)
        for subscribed in self.subscribers.values():
            for qmid in [qmid for qmid, until in subscribed.items() if now >= until]:
                del subscribed[qmid]

    def log(self, did: str, cluster: str, kind: str, name: str, rule: str, **facts: Any) -> int:
        """Write a `cluster` row; its seq."""
        cause = self.program.seq if self.program is not None else None
        detail = {"did": did, "of": kind, "name": name, **facts}
        place = (self.qmgr.name, cluster, "CLUSTER")
        seq: int = self.qmgr.record("cluster", place, rule, program="REPOSITORY.MANAGER", cause=cause, detail=detail)
        return seq


def _is_about(key: Key, what: tuple[str, str]) -> bool:
    """Whether a record of this key is about an object of this kind and name."""
    return key[3] == what[1] and (key[2] == TOPIC) == (what[0] == TOPIC) and key[2] != QMGR
