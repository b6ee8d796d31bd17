"""Cluster topics: the topic objects of other members, and who hears of subscriptions (CLU-72).

A member tells others which topic strings at or below a cluster topic it subscribes to: every member, or with
CLROUTE(TOPICHOST) the hosts of the topic. Each of these keeps a proxy subscription for it. With CLROUTE(TOPICHOST), a
member that is no host has one for each host, to all of the topic, and a publication takes one of them.
"""

from __future__ import annotations

from typing import Any

from ..engine.words.objects import Definition
from .network import Network, Proxy, routed
from .state import made
from .topics import before_wildcard, inherited

QMGR, TOPIC = "QMGR", "TOPIC"
"""Kinds of records that members of clusters tell each other."""

Place = tuple[str, str]
"""A cluster, and the QMID of a member."""


class Topics(Network):
    """The cluster topics of one queue manager, from the first one that it knows."""

    def __init__(self, manager: Any):
        super().__init__(manager.qmgr)
        self.manager = manager
        # topic strings, with their WSCHEMA, that were asked for there; and those of other members, with their names
        self.told: dict[Place, list[list[str]] | None] = {}
        self.asked: dict[Place, tuple[str, list[list[str]]]] = {}
        self._due = False
        self._differ: set[Any] = set()  # topics that differ from the one that acts
        self.start()

    def heard(self, how: str, record: Any) -> None:
        """A record came, or went."""
        if record.kind == QMGR:
            if record.gone or how in ("learned", "forgotten"):
                self.told.pop((record.cluster, record.qmid), None)
            if record.gone:
                self.asked.pop((record.cluster, record.qmid), None)
        elif record.kind == TOPIC and how == "learned" and self._first(record):
            for member in self.manager.repository.members(record.cluster):  # who have to know each other from now on
                if member.qmid != self.manager.repository.own:
                    self.manager.welcome(member)
        if record.kind in (QMGR, TOPIC) and how != "renewed":
            self.subscribed()

    def _first(self, record: Any) -> bool:
        """Whether a topic is the first with CLROUTE(DIRECT) that this full repository knows."""
        topics = self.manager.repository.topics(record.cluster)
        direct = [topic for topic in topics if topic.facts.get("CLROUTE") != "TOPICHOST"]
        return self.manager.full(record.cluster) and direct == [record]

    def hear(self, sender: str, cluster: str, qmgr: str, strings: list[list[str]]) -> None:
        """Another member names its subscriptions."""
        self.asked[cluster, sender] = qmgr, strings
        if self.manager.repository.member(cluster, sender) is None:
            self.manager.look_up(QMGR, qmgr, wait=False)
        self.subscribed()

    def subscribed(self) -> None:
        """A subscription has changed, a topic, or a member: the repository manager sends the consequences."""
        if not self._due:
            self._due = True
            self.manager.later(self._say)

    def refresh(self) -> None:
        """Say again to each member what it was told."""
        self.told = dict.fromkeys(self.told)
        self.subscribed()

    def _say(self) -> None:
        self._take_over()
        wanted = self._wanted()
        for member in self.manager.repository.members():
            member_of = member.cluster, member.qmid
            strings = sorted(map(list, wanted.get(member_of, ())))
            if strings != self.told.get(member_of, []):
                self.told[member_of] = strings
                self.manager.send(member.facts["channel"], "proxies", member.cluster, self.qmgr.name, strings)
        self.keep(self._proxies(), self.manager.program)
        self._due = False

    def _records(self) -> list[Any]:
        """The topics that are known, those of this queue manager first."""
        own = self.manager.repository.own
        return sorted(self.manager.repository.topics(), key=lambda topic: (topic.qmid != own, topic.qmgr))

    def _take_over(self) -> None:
        """Let the topic objects of others act here: one for each topic string, because a topic is in one cluster."""
        before, self._differ, topics = self._differ, set(), self.state.topics
        topics.clear()
        for record in self._records():
            has = record.facts
            first = topics.setdefault(has["TOPICSTR"], Definition("TOPIC", record.name, dict(has)))
            if any(first.attributes.get(key) != has.get(key) for key in ("CLUSTER", "CLROUTE")):
                self._differ.add(record.key)
                if record.key not in before:
                    self.manager.log("inconsistent", record.cluster, TOPIC, record.name, "CLU-72", host=record.qmgr)
        self.qmgr.routes.clear()

    def _wanted(self) -> dict[Place, set[tuple[str, str]]]:
        """The topic strings, with their WSCHEMA, that each other member has to know."""
        every = [(made(self.qmgr, one).string, one.attributes) for one in self.qmgr.objects.match(("SUB",))]
        strings = [(string, has["WSCHEMA"]) for string, has in every if string and _goes(has)]
        forced = [one.facts["TOPICSTR"] for one in self._records() if one.facts.get("PROXYSUB") == "FORCE"]
        strings_of: dict[Place, set[tuple[str, str]]] = {}
        for string, schema in (*strings, *((f"{each}/#", "TOPIC") for each in forced)):
            fixed = before_wildcard(string, schema == "CHAR")
            topic = inherited(self.qmgr, fixed, "CLUSTER", "")[1]
            if topic is None or inherited(self.qmgr, fixed, "SUBSCOPE", "ALL")[0] == "QMGR":
                continue
            cluster, hosts = topic.attributes["CLUSTER"], self.hosts(topic)
            for member in self.manager.repository.members(cluster):
                if member.qmid != self.manager.repository.own and (member.qmgr in hosts or not routed(topic)):
                    strings_of.setdefault((cluster, member.qmid), set()).add((string, schema))
        return strings_of

    def _proxies(self) -> list[Proxy]:
        """The proxy subscriptions of this queue manager: what members asked for, and the hosts of topics."""
        proxies = []
        for (cluster, qmid), (qmgr, strings) in self.asked.items():
            if self.manager.repository.member(cluster, qmid) is not None:
                proxies += [Proxy(qmgr, cluster, string, schema) for string, schema in strings]
        for string, topic in self.state.topics.items():
            if routed(topic) and self.qmgr.name not in (hosts := self.hosts(topic)):
                proxies += [Proxy(one, topic.attributes["CLUSTER"], f"{string}/#", "TOPIC", False) for one in hosts]
        return proxies

    def state_of(self, record: Any) -> str:
        """CLSTATE of a topic."""
        return "INVALID" if record.key in self._differ else "ACTIVE"

    def hosts(self, topic: Definition) -> list[str]:
        """The queue managers that define a cluster topic."""
        about = topic.attributes["CLUSTER"], topic.attributes["TOPICSTR"]
        found = (one for one in self._records() if (one.cluster, one.facts["TOPICSTR"]) == about)
        return sorted({one.qmgr for one in found if self.manager.repository.member(one.cluster, one.qmid) is not None})

    def reaches(self, qmgr: str) -> bool:
        """Whether a channel to a queue manager has not failed."""
        members = self.manager.repository.named(QMGR, qmgr)
        return any(self.manager.channels.available(one.facts["channel"]) for one in members)


def _goes(has: dict[str, Any]) -> bool:
    """Whether other members hear of a subscription."""
    return "SUBID" in has and has["SUBTYPE"] != "PROXY" and has["SUBSCOPE"] != "QMGR"
