"""Publications between queue managers: proxy subscriptions, and what comes to SYSTEM.INTER.QMGR.PUBS.

A proxy subscription stands for those of another queue manager: its copies go to SYSTEM.INTER.QMGR.PUBS there, where a
program publishes them. Its subclass knows the other queue managers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..engine.programs.program import Program
from ..engine.queues.message import record_of
from ..engine.queues.reports import UNDELIVERED
from ..engine.words import constants as mq
from ..engine.words.errors import MQError
from ..engine.words.objects import Definition
from ..engine.world.clock import SECOND
from . import subscriptions
from .publishing import Publication, publish, retained, send_retained
from .state import state_of
from .targets import TopicString
from .topics import inherited

PUBS, NAME = "SYSTEM.INTER.QMGR.PUBS", "PUBLISH.SUBSCRIBE"
AGAIN = 60 * SECOND
"""The pause after a persistent message that neither a subscription nor the dead-letter queue took."""


class Proxy(NamedTuple):
    """A proxy subscription: the queue manager that it is for, the cluster, and its topic string with its WSCHEMA. It
    gets what is `retained` here, unless another queue manager sends that."""

    qmgr: str
    cluster: str
    string: str
    schema: str
    retained: bool = True

    @property
    def name(self) -> str:
        """The name of the subscription."""
        return " ".join((f"SYSTEM.PROXY.{self.qmgr}", self.cluster, self.string, self.schema))


class Network:
    """A queue manager among others that it publishes to."""

    def __init__(self, qmgr: Any):
        self.qmgr, self.state = qmgr, state_of(qmgr)
        self.program: Any = None
        self.turns: dict[str, int] = {}  # a host of a topic -> its last turn
        self.state.network = self

    def subscribed(self) -> None:
        """A subscription has changed."""

    def refresh(self) -> None:
        """Say to others again what this queue manager subscribes to."""

    def hosts(self, topic: Definition) -> list[str]:
        """The queue managers that define a topic of a cluster."""
        raise NotImplementedError

    def reaches(self, qmgr: str) -> bool:
        """Whether messages for a queue manager do not have to wait."""
        raise NotImplementedError

    # ---- The program that publishes what others send
    def start(self) -> None:
        """Start the program, unless it runs."""
        if self.qmgr.running and (self.program is None or self.program.state != "running"):
            self.program = Program(self.qmgr, NAME, self._serve)
            self.program.product_name = "amqfqpub"

    def _serve(self, app: Any) -> None:
        app.idle = True
        with app.open(PUBS, input="shared") as handle:
            while True:
                with app.unit_of_work() as unit:
                    done = self._arrived(app, handle.get(wait=mq.FOR_EVER, unit=unit), unit)
                    if not done:
                        unit.backout()
                if not done:
                    self.qmgr.clock.wait(None, self.qmgr.clock.time_us + AGAIN, True)

    def _arrived(self, app: Any, message: Any, unit: Any) -> bool:
        """Publish here what another queue manager sent, or put it aside; whether either worked."""
        record = record_of(message)
        has = {one.name: one.value for one in record.descriptor.properties if one.folder == "mqps"}
        try:
            topic = TopicString(self.qmgr, has.get("mqps.Top", ""))
            request = Publication(app, topic, record.body, record.expiry(self.qmgr.clock.time_us), record.priority)
            request.persistent, request.msg_id, request.correl_id = record.persistent, record.msg_id, record.correl_id
            request.descriptor, request.unit, request.came = record.descriptor, unit, record
            request.options = mq.MQPMO_RETAIN if "mqps.Ret" in has else 0
            publish(request, topic)
        except MQError as refused:
            fate = app.reject(message, refused.reason, queue=PUBS, unit=unit)
            return not record.persistent or fate.outcome != UNDELIVERED
        return True

    # ---- Proxy subscriptions
    def keep(self, wanted: Iterable[Proxy], program: Any) -> None:
        """Keep these proxy subscriptions, and no others."""
        proxies = {proxy.name: proxy for proxy in wanted}
        for subscription in self.qmgr.objects.match(("SUB",), "SYSTEM.PROXY.*"):
            if subscription.attributes["SUBTYPE"] == "PROXY" and proxies.pop(subscription.name, None) is None:
                subscriptions.remove(self.qmgr, subscription, program.name, program.seq)
        for proxy in proxies.values():
            self._make(proxy, program)

    def _make(self, proxy: Proxy, program: Any) -> None:
        """Make one, and send it what is retained; with CLROUTE(DIRECT), where that was published."""
        has = {"TOPICSTR": proxy.string, "WSCHEMA": proxy.schema, "DEST": PUBS, "DESTQMGR": proxy.qmgr}
        has |= {"DESTCORL": "0" * 48, "SUBTYPE": "PROXY", "DURABLE": "YES", "SUBUSER": self.qmgr.own_context.user}
        subscription = subscriptions.made_by_program(self.qmgr, proxy.name, has)
        where = subscriptions.place_of(self.qmgr, subscription)
        columns = {"program": program.name, "cause": program.seq, "detail": subscription.attributes}
        sender = self.qmgr.reporter(self.qmgr.record("define", where, "CLU-72", **columns))
        for string, message in retained(self.qmgr, proxy.string, proxy.schema == "CHAR") if proxy.retained else ():
            topic = inherited(self.qmgr, string, "CLUSTER", "")[1]
            here = not any(each.folder == "mqps" for each in message.descriptor.properties)
            if topic is not None and (here or routed(topic)):
                send_retained(sender, subscription, string, message)

    def sends(self, string: str, matching: list[Definition], local: bool, came_from: str) -> list[Definition]:
        """The subscriptions that a publication goes to: one proxy for each queue manager; none if it stays here
        (`local`), or came from another one, unless a host of the topic sends on what no other host has seen."""
        proxies = [proxy for proxy in matching if proxy.attributes["SUBTYPE"] == "PROXY"]
        topic = inherited(self.qmgr, string, "CLUSTER", "")[1] if proxies else None
        first: dict[str, Definition] = {}
        if topic is not None and not local:
            hosts = self.hosts(topic)
            here = self.qmgr.name in hosts
            if not came_from or (routed(topic) and here and came_from not in [host[:28] for host in hosts]):
                for proxy in proxies:
                    if proxy.attributes["DESTQMGR"][:28] != came_from:
                        first.setdefault(proxy.attributes["DESTQMGR"], proxy)
            if routed(topic) and not here and (known := [host for host in hosts if host in first]):
                chosen = min(known, key=lambda host: (not self.reaches(host), self.turns.get(host, 0), host))
                self.turns[chosen] = max(self.turns.values(), default=0) + 1
                first = {chosen: first[chosen]}
        others = [proxy for proxy in proxies if proxy not in first.values()]
        return [subscription for subscription in matching if subscription not in others]


def routed(topic: Definition) -> bool:
    """Whether publications take a host of the topic: CLROUTE(TOPICHOST)."""
    return topic.attributes.get("CLROUTE") == "TOPICHOST"
