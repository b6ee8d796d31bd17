"""The repository manager: a program that gets from SYSTEM.CLUSTER.COMMAND.QUEUE what other members say.

It files records, sends them on, answers questions for names, repeats after 27 days what it said, and forgets records
that nobody repeats. A definition that changes, or a command, leaves the program work for the moment when time passes.
In one turn, the program sends each member one message.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

from ..engine.programs.program import Program
from ..engine.queues.queue import LocalQueue
from ..engine.words import constants as mq
from ..engine.words.errors import MQError, NotSimulated
from ..engine.world.clock import SECOND
from .channels import ClusterChannels
from .publishing import KINDS, QMGR, QUEUE, TOPIC, is_full, own_records, receivers, senders
from .repository import LIVES, OVERDUE, RENEWED, Key, Record, Repository, stored

COMMANDS, STORE = "SYSTEM.CLUSTER.COMMAND.QUEUE", "SYSTEM.CLUSTER.REPOSITORY.QUEUE"
AGAIN = 60 * SECOND
"""How long the repository manager waits before it tries again to put what a queue did not take."""
WAIT = 10 * SECOND
"""How long an open waits for an answer (CLU-13)."""

Name = tuple[str, str, str]
"""A cluster, QUEUE or QMGR, and a name: what a queue manager asks for."""


class Manager:
    """The repository manager of one queue manager; `channels` has what starts and moves cluster channels."""

    def __init__(self, qmgr: Any):
        self.qmgr, self.clock = qmgr, qmgr.clock
        self.repository = Repository(qmgr.attributes["QMID"])
        self.own: dict[Key, Record] = {}  # what it says of itself
        self.said_us = self.clock.time_us  # when it last said all of that
        self.asked: dict[Name, int] = {}  # name that it asked for -> since when (us)
        self.answered: set[Name] = set()  # those that had an answer
        self.subscribers: dict[Name, dict[str, int]] = {}  # name -> QMID -> until when (us)
        self.informed: dict[str, dict[str, None]] = {}  # cluster -> channels to full repositories that know `own`
        self.suspended: set[str] = set()
        self.choices: dict[str, Any] = {}  # name -> the last choice of the workload algorithm
        self.factors: dict[Any, list[int]] = defaultdict(lambda: [0, 0])  # what was chosen -> its factor, and its turn
        self.overdue: set[Key] = set()
        self.version = self.turn = self.due_us = 0
        self.work: list[Callable[[], object]] = []
        self.outbox: dict[str, list[list[Any]]] = {}
        self.touched: dict[Key, None] = {}
        self.program: Any = None
        self.topics: Any = None
        self._watched: set[LocalQueue] = set()
        self._wake, self.heard = self.clock.event(), self.clock.event()
        self.channels = ClusterChannels(self)

    # ---- The program
    def start(self) -> None:
        """Start the program, unless it runs."""
        if self.program is None or self.program.state != "running":
            self.program = Program(self.qmgr, "REPOSITORY.MANAGER", self._serve)
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
            self.watch(handle.queue, self.nudge)
            while True:
                self._turn(app, handle)
                self._wake = self.clock.event()
                if not self.work and (not handle.queue.store.mask or handle.target.get_inhibited):
                    self.clock.wait(self._wake, self.due_us, True)

    def watch(self, queue: LocalQueue, action: Callable[[], object]) -> None:
        """Call `action` as soon as a get from a queue may succeed, from now on."""

        def arrived(_: object) -> None:
            self._watched.remove(queue)
            self.watch(queue, action)
            action()

        if queue not in self._watched:
            self._watched.add(queue)
            arrival = self.clock.event()
            arrival.callbacks.append(arrived)
            queue.waiters.append((queue.next_turn(), arrival))

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
        """Do what one message says; a message that no repository manager sent is undeliverable."""
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
            record, name = self.repository.records.get(key), stored(key)
            try:
                if store is not None and next(store.store.matching(name, None), None) is not None:
                    app.get(STORE, msg_id=name, unit=unit)
                if record is not None:
                    self._label(app.put(STORE, record.body(), persistent=True, msg_id=name, unit=unit))
            except MQError:
                self.touched[key] = None
        outbox, self.outbox = self.outbox, {}
        for channel, flows in outbox.items():
            body = json.dumps({"from": self.repository.own, "flows": flows}, separators=(",", ":"))
            try:
                self._label(self.channels.send(app, channel, COMMANDS, body, unit))
            except MQError:
                self.outbox[channel] = flows
        if self.outbox or self.touched:
            self.due_us = min(self.due_us, self.clock.time_us + AGAIN)

    def _label(self, message: Any) -> None:
        """Let pictures call a message of repository managers that, not by its data."""
        labels = self.qmgr.lab.labels
        if message.number < len(labels):
            labels[message.number] = b"repository message"

    def _load(self) -> None:
        """Read the records that the repository's queue keeps, after a restart."""
        queue = self.qmgr.targets.get(STORE)
        self.repository = Repository(self.repository.own)
        for message in queue.store.in_order() if isinstance(queue, LocalQueue) else ():
            self.repository.file(Record(**json.loads(message.body)))

    # ---- What changes here
    def changed(self, what: tuple[str, str] | None = None) -> None:
        """A definition changed; the program says so to others."""
        self.later(lambda: self.say(what))

    def clusters(self) -> list[str]:
        """The clusters that it is a member of."""
        return list(receivers(self.qmgr))

    def full(self, cluster: str) -> bool:
        """Whether this queue manager is a full repository of a cluster, and a member of it."""
        return is_full(self.qmgr, cluster) and cluster in self.clusters()

    def say(self, what: tuple[str, str] | None = None, again: str = "") -> None:
        """Say what has changed of its own records, all of those of cluster `again` also if nothing has."""
        wanted, changed = own_records(self.qmgr, self.suspended, what), []
        for key, facts in wanted.items():
            if key not in self.own or self.own[key].facts != facts or again in (key[0], "*"):
                self.own[key] = self._own_record(key, facts, False)
                changed.append(self.own[key])
        for key in [key for key in self.own if key not in wanted and (what is None or _is_about(key, what))]:
            changed.append(self._own_record(key, self.own.pop(key).facts, True))
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
        return Record(cluster, qmid, self.qmgr.name, kind, name, facts, self.version, gone, self.clock.time_us)

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
        informed, manual, full = self.informed.setdefault(cluster, {}), self.manual(cluster), self.full(cluster)
        known = self.repository.full(cluster)
        stay, wanted = (manual if full else known or list(informed)), manual
        for channel in [name for name in informed if name not in stay]:
            del informed[channel]
        if known and not full:
            order = sorted(known, key=lambda name: (not self.channels.available(name), name not in manual, name))
            wanted = [*informed, *(name for name in order if name not in informed)][:2]
        for channel in [name for name in wanted if name not in informed]:
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
        self._forget_all(cluster, lambda record: False)
        self.suspended.discard(cluster)
        for name in [name for name in self.subscribers if name[0] == cluster]:
            del self.subscribers[name]

    def _forget_all(self, cluster: str, keeps: Callable[[Record], bool]) -> None:
        """Forget the records of a cluster, but for some, what was asked there, and who was informed."""
        for record in self.repository:
            if record.cluster == cluster and not keeps(record):
                self._forget(record, lost=False)
        self.informed.pop(cluster, None)
        for name in [name for name in self.asked if name[0] == cluster]:
            del self.asked[name]
            self.answered.discard(name)

    # ---- What others say
    def on_record(self, sender: str, facts: dict[str, Any]) -> None:
        """File a record, and send it on."""
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
        if record.kind == QMGR and record.gone:
            self._unsubscribe(cluster, record.qmid)
            self.channels.withdrawn(record, True)
        if record.kind == QMGR:
            for other in self.repository.called(record.facts["channel"]):
                if other.cluster == cluster and other.qmid != record.qmid:
                    self._forget(other)  # the later definition of a channel replaces the earlier one (CLU-63)
        if self.full(cluster):
            self._spread(record, sender, before)
            new = before is None or (record.kind == QMGR and record.facts["full"] and not before.facts["full"])
            if record.kind == QMGR and direct and new and not record.gone:
                self.welcome(record)
        if record.kind == QMGR:
            self.inform(cluster)

    def _filed(self, record: Record, how: str) -> None:
        """Store and log a record that was filed or "forgotten", and forget choices and routes that may differ now."""
        did, rule = how, "CLU-19" if how == "forgotten" else "CLU-14"
        if how not in ("forgotten", "renewed"):
            others = {(True, False): "published", (True, True): "withdrew", (False, True): "withdrawn"}
            did = others.get((record.qmid == self.repository.own, record.gone), how)
        self.touched[record.key] = None
        self.overdue.discard(record.key)
        if record.kind == TOPIC:
            self._topics()
        if how != "renewed":
            self.factors.clear()
            self.qmgr.routes.clear()
            if not (record.gone and how == "forgotten"):
                known = how != "forgotten" and not record.gone
                more = {"suspended": known and record.facts["suspended"]} if record.kind == QMGR else {}
                self.log(did, record.cluster, record.kind, record.name, rule, host=record.qmgr, **more)
        if self.topics is not None:
            self.topics.heard(how, record)

    def _topics(self) -> Any:
        if self.topics is None:
            from ..pubsub.cluster_topics import Topics

            self.topics = Topics(self)
        return self.topics

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
        members, topics = self.repository.members(cluster), self.repository.topics(cluster)
        for record in (*members, *topics):  # a member before its topics
            if record.qmid != member.qmid and self._for_all(record):
                self._tell(channel, record)

    def _for_all(self, record: Record) -> bool:
        """Whether all members have to know a record, whatever they asked for (CLU-08, CLU-72)."""
        if record.kind != QMGR:
            return record.kind == TOPIC
        # full repositories, and hosts of topics; with CLROUTE(DIRECT), each member has to know each other one
        topics = self.repository.topics(record.cluster)
        concern = (topic.facts.get("CLROUTE") != "TOPICHOST" or topic.qmid == record.qmid for topic in topics)
        return record.facts["full"] or any(concern)

    def _hearers(self, cluster: str, sender: str, subject: str) -> list[Record]:
        """The members to which a full repository may send what `sender` said of `subject` (CLU-02)."""
        # other full repositories only over manual channels, and only the news of a member itself
        manual, nobody = self.manual(cluster) if sender == subject else [], (self.repository.own, sender, subject)
        others = [one for one in self.repository.members(cluster) if one.qmid not in nobody]
        return [one for one in others if not one.facts["full"] or one.facts["channel"] in manual]

    def _spread(self, record: Record, sender: str, before: Record | None = None) -> None:
        """Tell a record to those that have to know: full repositories, and members that asked for it."""
        cluster, asked = record.cluster, self._subscribed(record)
        was_full = record.kind == QMGR and before is not None and before.facts["full"]
        everybody = was_full or self._for_all(record)
        for member in self._hearers(cluster, sender, record.qmid):
            if member.facts["full"]:
                self._tell(member.facts["channel"], record)
            elif everybody or member.qmid in asked:
                self._tell_with_host(member.facts["channel"], record)
        if sender == self.repository.own:  # full repositories that have not answered yet
            manual, known = self.manual(cluster), self.repository.full(cluster)
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
        records = [record]
        if record.kind == QMGR:
            records = [it for it in self.repository if (it.cluster, it.qmid) == (record.cluster, record.qmid)]
        names = {(it.cluster, QUEUE if it.kind == QUEUE else QMGR, it.name) for it in records}
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
        """Forget a member that an operator removed at a full repository, and let others forget it (CLU-59)."""
        if qmid == self.repository.own:
            return
        for record in self.repository:
            about = (record.cluster, record.qmid) == (cluster, qmid) and (record.kind == QMGR or queues)
            if about and record.version <= version:
                self._forget(record)
        if self.full(cluster):
            for member in self._hearers(cluster, sender, self.repository.own):
                self.send(member.facts["channel"], "remove", cluster, qmid, queues, version)

    def _forget(self, record: Record, lost: bool = True) -> None:
        """Take a record out of the repository; `lost` is whether its subject does not exist."""
        self.repository.remove(record)
        self._filed(record, "forgotten")
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
        until = self.clock.time_us + WAIT
        if here:
            until = min((self.asked[key] + WAIT for key in asked if key in self.asked), default=until)
        try:
            with self.clock.unbroken():
                while True:
                    for key in [key for key in asked if ask and key not in self.asked]:
                        self.asked[key] = self.clock.time_us
                        self.later(partial(self._ask, *key))
                    found, answered = self.known(sort, name), self.answered.issuperset(asked)
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
        if (cluster, sort, name) in self.asked and (cluster, sort, name) not in self.answered:
            self.answered.add((cluster, sort, name))
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
        own = self.repository.own
        self._forget_all(
            cluster, lambda it: it.qmid == own or (it.kind == QMGR and (full or (it.facts["full"] and not repos)))
        )
        self.say(again=cluster)
        others = [it.facts["channel"] for it in self.repository.members(cluster) if it.qmid != own]
        for channel in dict.fromkeys((*self.informed.get(cluster, ()), *(others if full else ()))):
            self.send(channel, "again", cluster)
        self.log("refreshed", cluster, QMGR, self.qmgr.name, "CLU-58", host=self.qmgr.name)

    # ---- Time
    def _next_us(self) -> int:
        """When there is something to say again, or to forget; of records that come later, none is due before."""
        times = [since_us + RENEWED for since_us in (self.clock.time_us, self.said_us, *self.asked.values())]
        for record in self.repository:
            if record.qmid != self.repository.own or record.gone:
                times.append(record.heard_us + LIVES + (OVERDUE if record.key in self.overdue else 0))
        return min(times)

    def _age(self) -> None:
        """Say again what is 27 days old, and forget what was due 60 days ago (CLU-19)."""
        now = self.clock.time_us
        if now >= self.said_us + RENEWED:
            self.said_us = now
            self.say(again="*")
        for name, since_us in self.asked.items():
            if now >= since_us + RENEWED:
                self.asked[name] = now
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
        return self.qmgr.record("cluster", place, rule, program="REPOSITORY.MANAGER", cause=cause, detail=detail)


def _is_about(key: Key, what: tuple[str, str]) -> bool:
    """Whether a record of this key is about an object of this kind and name."""
    return key[3] == what[1] and (key[2] == TOPIC) == (what[0] == TOPIC) and key[2] != QMGR
