"""Cluster topics: the topic objects of other members, proxy subscriptions, and publications that come and go (CLU-72).

A member tells others which topic strings at or below a cluster topic it subscribes to: every member, or with
CLROUTE(TOPICHOST) the hosts of the topic. Each of these keeps a proxy subscription, whose copies go to
SYSTEM.INTER.QMGR.PUBS of that member. With CLROUTE(TOPICHOST), a member that is no host has one to all of the topic for
each host, and a publication takes one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.programs.program import Program
from ..engine.queues.message import record_of
from ..engine.words import constants as mq
from ..engine.words.errors import MQError
from ..engine.words.objects import Definition
from ..pubsub import subscriptions
from ..pubsub.publishing import Publication, publish, retained, send_retained
from ..pubsub.state import made, state_of
from ..pubsub.targets import TopicString
from ..pubsub.topics import before_wildcard, inherited
from .publishing import QMGR, TOPIC
from .repository import Record

PUBS, NAME = "SYSTEM.INTER.QMGR.PUBS", "PUBLISH.SUBSCRIBE"
Place = tuple[str, str]
"""A cluster, and the QMID of a member."""


class Topics:
    """The cluster topics of one queue manager, from the first one that it knows."""

    def __init__(self, manager: Any):
        self.manager, self.qmgr, self.repository = manager, manager.qmgr, manager.repository
        self.told: dict[Place, list[list[str]]] = {}  # topic strings, with their WSCHEMA, that were asked for there
        self.asked: dict[Place, tuple[str, list[list[str]]]] = {}  # the same of other members, with their names
        self.turns: dict[str, int] = {}  # a host -> its last turn
        self.program: Any = None
        self._due = False
        self.state = state_of(self.qmgr)
        self.state.network = self
        manager.listeners.append(self._heard)
        self.start()

    # ---- The program that publishes what other members send
    def start(self) -> None:
        """Start the program, unless it runs."""
        here = self.qmgr.running and not self.qmgr.lab.others.get("definitions only")
        if here and (self.program is None or self.program.state != "running"):
            self.program = Program(self.qmgr, NAME, self._serve, (), self.manager.program.seq)
            self.program.product_name = "amqfqpub"

    def _serve(self, app: Any) -> None:
        app.idle = True
        with app.open(PUBS, input="shared") as handle:
            while True:
                with app.unit_of_work() as unit:
                    self._arrived(app, handle.get(wait=mq.FOR_EVER, unit=unit), unit)

    def _arrived(self, app: Any, message: Any, unit: Any) -> None:
        """Publish here what another member sent, or put it aside."""
        record = record_of(message)
        has = {one.name: one.value for one in record.descriptor.properties if one.folder == "mqps"}
        try:
            topic = TopicString(self.qmgr, has.get("mqps.Top", ""))
            request = Publication(app, topic, record.body, record.expiry(self.qmgr.clock.time_us), record.priority)
            request.persistent, request.msg_id, request.correl_id = record.persistent, record.msg_id, record.correl_id
            request.descriptor, request.unit, request.rule = record.descriptor, unit, "CLU-72"
            request.options, request.came_from = "mqps.Ret" in has and mq.MQPMO_RETAIN, record.context.put_appl_name
            publish(request, topic)
        except MQError as refused:
            app.reject(message, refused.reason, queue=PUBS, unit=unit)

    # ---- What this queue manager knows, and says
    def _heard(self, how: str, record: Record) -> None:
        """A record came, or went."""
        place = record.cluster, record.qmid
        if record.kind == QMGR:
            if record.gone or how in ("new", "forgotten"):
                self.told.pop(place, None)
            if record.gone:
                self.asked.pop(place, None)
        elif record.kind == TOPIC and how == "new" and self.manager.full(record.cluster):
            for member in self.repository.members(record.cluster):  # who may all have to know each other now
                if member.qmid != self.repository.own:
                    self.manager._welcome(member)
        if record.kind in (QMGR, TOPIC) and how != "renewed":
            self.subscribed()

    def subscribed(self) -> None:
        """A subscription has changed, a topic, or a member: the repository manager says what follows."""
        if not self._due:
            self._due = True
            self.manager.later(self._say)

    def _say(self) -> None:
        self.repository = self.manager.repository
        self._take_over()
        wanted = self._wanted()
        for member in self.repository.members():
            place = member.cluster, member.qmid
            strings = sorted(map(list, wanted.get(place, ())))
            if strings != self.told.get(place, []):
                self.told[place] = strings
                self.manager._send(member.facts["channel"], "proxies", member.cluster, self.qmgr.name, strings)
        self._keep()
        self._due = False

    def _records(self) -> Iterator[Record]:
        return (one for one in self.repository if one.kind == TOPIC and not one.gone)

    def _take_over(self) -> None:
        """Let the topic objects of others act here; one for each topic string (a topic is in one cluster)."""
        found: dict[str, Definition] = {}
        for record in sorted(self._records(), key=lambda one: (one.qmid != self.repository.own, one.qmgr)):
            has, own = record.facts, record.qmid == self.repository.own
            first = found.setdefault(has["TOPICSTR"], Definition("TOPIC", record.name, dict(has))).attributes
            if any(first.get(key) != has.get(key) for key in ("CLUSTER", "CLROUTE")) and not own:
                if self.state.topics.get(has["TOPICSTR"]) != found[has["TOPICSTR"]]:
                    self.manager.log("inconsistent", record.cluster, TOPIC, record.name, "CLU-72", qmgr=record.qmgr)
        self.state.topics.clear()
        self.state.topics.update(found)
        self.qmgr.routes.clear()

    def _wanted(self) -> dict[Place, set[tuple[str, str]]]:
        """The topic strings, with their WSCHEMA, that each other member has to know."""
        every = [(made(self.qmgr, one).string, one.attributes) for one in self.qmgr.objects.match(("SUB",))]
        strings = [(string, has["WSCHEMA"]) for string, has in every if string and _goes(has)]
        forced = (one.facts["TOPICSTR"] for one in self._records() if one.facts.get("PROXYSUB") == "FORCE")
        found: dict[Place, set[tuple[str, str]]] = {}
        for string, schema in (*strings, *((f"{each}/#", "TOPIC") for each in forced)):
            fixed = before_wildcard(string, schema == "CHAR")
            topic = inherited(self.qmgr, fixed, "CLUSTER", "")[1]
            if topic is None or inherited(self.qmgr, fixed, "SUBSCOPE", "ALL")[0] == "QMGR":
                continue
            cluster, hosts = topic.attributes["CLUSTER"], self._hosts(topic)
            for member in self.repository.members(cluster):
                if member.qmid != self.repository.own and (member.qmgr in hosts or not _routed(topic)):
                    found.setdefault((cluster, member.qmid), set()).add((string, schema))
        return found

    def _hosts(self, topic: Definition) -> list[str]:
        """The queue managers that define a cluster topic."""
        about = topic.attributes["CLUSTER"], topic.attributes["TOPICSTR"]
        return sorted({one.qmgr for one in self._records() if (one.cluster, one.facts["TOPICSTR"]) == about})

    # ---- Proxy subscriptions
    def hear(self, sender: str, cluster: str, qmgr: str, strings: list[list[str]]) -> None:
        """Another member says what it subscribes to."""
        self.asked[cluster, sender] = qmgr, strings
        if self.repository.member(cluster, sender) is None:
            self.manager.look_up(QMGR, qmgr, wait=False)
        self.subscribed()

    def _keep(self) -> None:
        """Keep a proxy subscription for each topic string that is sent on, and no others."""
        wanted = {}
        for (cluster, qmid), (qmgr, strings) in self.asked.items():
            if self.repository.member(cluster, qmid) is not None:
                wanted |= {(qmgr, cluster, string, schema): True for string, schema in strings}
        for topic in self.state.topics.values():
            if _routed(topic) and self.qmgr.name not in (hosts := self._hosts(topic)):
                about = topic.attributes["CLUSTER"], f"{topic.attributes['TOPICSTR']}/#", "TOPIC"
                wanted |= {(host, *about): False for host in hosts}
        names = {f"SYSTEM.PROXY.{' '.join(key)}": key for key in wanted}
        for one in self.qmgr.objects.match(("SUB",), "SYSTEM.PROXY.*"):
            if one.attributes["SUBTYPE"] == "PROXY" and names.pop(one.name, None) is None:
                subscriptions.remove(self.qmgr, one, self.manager.program.name, self.manager.program.seq)
        for name, key in names.items():
            self._make(name, *key, retains=wanted[key])

    def _make(self, name: str, qmgr: str, cluster: str, string: str, schema: str, retains: bool) -> None:
        """Make one, and send it what is retained: of a publication that other members have too, its origin has it."""
        has = {"TOPICSTR": string, "WSCHEMA": schema, "DEST": PUBS, "DESTQMGR": qmgr, "DESTCORL": "0" * 48}
        has |= {"SUBTYPE": "PROXY", "DURABLE": "YES", "SUBUSER": self.qmgr.own_context.user}
        one = subscriptions.made_by_program(self.qmgr, name, has)
        place = subscriptions.place_of(self.qmgr, one)
        about = {"program": self.manager.program.name, "cause": self.manager.program.seq}
        seq = self.qmgr.record("define", place, "CLU-72", detail=one.attributes, **about)
        for topic, message in retained(self.qmgr, string, schema == "CHAR") if retains else ():
            governs = inherited(self.qmgr, topic, "CLUSTER", "")[1]
            here = not any(each.folder == "mqps" for each in message.descriptor.properties)
            if governs is not None and (here or _routed(governs)):
                send_retained(self.qmgr.reporter(seq), one, topic, message)

    def sends(self, string: str, matching: list[Definition], local: bool, came_from: str) -> list[Definition]:
        """The subscriptions that a publication goes to: one proxy for each queue manager; none if it stays here
        (`local`), or came from another member, unless a host of the topic sends on what another host has not seen."""
        proxies = [one for one in matching if one.attributes["SUBTYPE"] == "PROXY"]
        topic = inherited(self.qmgr, string, "CLUSTER", "")[1] if proxies else None
        first: dict[str, Definition] = {}
        if topic is not None and not local:
            hosts = self._hosts(topic)
            here = self.qmgr.name in hosts
            on = _routed(topic) and here and came_from not in [one[:28] for one in hosts]
            for one in proxies if on or not came_from else ():
                if one.attributes["DESTQMGR"][:28] != came_from:
                    first.setdefault(one.attributes["DESTQMGR"], one)
            if _routed(topic) and not here and (known := [one for one in hosts if one in first]):
                chosen = min(known, key=lambda one: (not self._reaches(one), self.turns.get(one, 0), one))
                self.turns[chosen] = max(self.turns.values(), default=0) + 1
                first = {chosen: first[chosen]}
        return [one for one in matching if one not in proxies or one in first.values()]

    def _reaches(self, qmgr: str) -> bool:
        """Whether a channel to a queue manager has not failed."""
        members = self.repository.named(QMGR, qmgr)
        return any(self.manager.channels.available(one.facts["channel"]) for one in members)


def _goes(has: dict[str, Any]) -> bool:
    """Whether other members hear of a subscription."""
    return "SUBID" in has and has["SUBTYPE"] != "PROXY" and has["SUBSCOPE"] != "QMGR"


def _routed(topic: Definition) -> bool:
    return topic.attributes.get("CLROUTE") == "TOPICHOST"
