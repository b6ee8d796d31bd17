"""The additions of publish/subscribe and streaming queues to the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..engine.extra import Extra, later
from ..engine.words.whys import Why, cases_in

if TYPE_CHECKING:
    import networkx as nx

    from ..engine.commands.command import Command
    from ..engine.queues.calls import Calls
    from ..engine.queues.queue import LocalQueue
    from ..engine.queues.queue_manager import QueueManager
    from ..engine.queues.target import Lab, Target
    from ..engine.words.objects import Definition
    from ..engine.world.event import Event


def _module(name: str) -> Any:
    return import_module(f".{name}", __package__)  # when it is first needed


class PubSub(Extra):
    """Topics, subscriptions, and duplicates."""

    name = "pubsub"
    nodes = {"TOPIC": "topic"}
    node_facts = {"TOPIC": {"string": "TOPICSTR"}}
    found_by = {"TOPIC": "TOPICSTR"}
    identified_by = {"SUB": "SUBID"}
    required = {("CLEAR", "TOPICSTR"): (("CLRTYPE",),)}
    columns = {"SUMMARY": ("DEST", "DESTCORL", "DESTQMGR", "DURABLE", "SUBTYPE", "SUBUSER", "TOPICSTR")}
    shows = {
        "PUBSUB": later(__package__, "status", "pubsub_status"),
        "SBSTATUS": later(__package__, "status", "subscription_status"),
        "TPSTATUS": later(__package__, "status", "topic_status"),
    }
    commands = {
        ("CLEAR", "TOPICSTR"): later(__package__, "commands", "clear"),
        ("REFRESH", "QMGR", "PROXYSUB"): later(__package__, "commands", "refresh"),
    }

    def cases(self) -> Mapping[str, type[Why]]:
        """The reasons of topics and subscriptions."""
        from . import whys

        return cases_in(whys)

    def restarting(self, qmgr: QueueManager) -> None:
        """End the subscriptions that have expired meanwhile."""
        if self.name in qmgr.kept:
            _module("subscriptions").expire(qmgr)

    def disconnected(self, qmgr: QueueManager, application: Calls | None) -> None:
        """Close its subscriptions."""
        if self.name in qmgr.kept:
            _module("subscribing").disconnect(qmgr, application)

    def alias(self, qmgr: QueueManager, definition: Definition) -> Target | None:
        """An alias of a topic."""
        topic = _module("topics").topic_named(qmgr, definition.attributes["TARGET"])
        if topic is None:
            return None
        from .targets import TopicAlias

        return TopicAlias(qmgr, definition, topic)

    def prepared(
        self, qmgr: QueueManager, kind: str, name: str, attributes: dict[str, Any], like: str | None
    ) -> dict[str, Any]:
        """A managed subscription has the name of its queue; SYSTEM.ADMIN.TOPIC is WILDCARD(BLOCK)."""
        if kind == "TOPIC" and name == "SYSTEM.ADMIN.TOPIC":
            return {"WILDCARD": "BLOCK", **attributes}
        if kind != "SUB":
            return attributes
        return _module("subscriptions").prepared(qmgr, name, attributes, like)

    def complete(self, qmgr: QueueManager, kind: str, name: str, attributes: dict[str, Any]) -> None:
        """A subscription that a command makes is durable, and has SUBID and DESTCORL."""
        if kind == "SUB":
            attributes |= {"DURABLE": "YES", "SUBTYPE": "ADMIN"}
            subscribes = attributes["TOPICSTR"] or attributes["TOPICOBJ"]
            if subscribes or name != "SYSTEM.DEFAULT.SUB":
                _module("subscriptions").identify(qmgr, name, attributes)

    def asked(self, qmgr: QueueManager, command: Command) -> None:
        """A subscription has its name, and stays with its topic; the queue that keeps them cannot be cleared."""
        if command.kind == "SUB" or command.verb == "CLEAR":
            _module("commands").check(qmgr, command)

    def commented(self, qmgr: QueueManager, command: Command, name: str) -> None:
        """The parts that a subscription lacks."""
        if command.kind == "SUB":
            _module("commands").note_missing(qmgr, command, name)

    def also_displayed(self, qmgr: QueueManager, definition: Definition, distype: str) -> dict[str, Any]:
        """More attributes of a subscription, and the depth of the queue that keeps durable ones."""
        if definition.kind != "SUB" and definition.name != "SYSTEM.DURABLE.SUBSCRIBER.QUEUE":
            return {}
        return _module("commands").also_displayed(qmgr, definition, distype)

    def leaves_out(self, command: Command, values: Mapping[str, Any]) -> bool:
        """Whether a DISPLAY SUB does not ask for the subscriptions of other queue managers."""
        return values.get("SUBTYPE") == "PROXY" and "SUBTYPE" not in command.attributes

    def changed(self, qmgr: QueueManager, definition: Definition, verb: str, attributes: dict[str, Any]) -> None:
        """A managed subscription gets its queue, which goes with it; a lifetime begins again."""
        if definition.kind == "SUB":
            _module("subscriptions").changed(qmgr, definition, verb, attributes)

    def check(
        self, qmgr: QueueManager, kind: str, name: str, wanted: dict[str, Any], present: Definition | None, verb: str
    ) -> None:
        """The values that a topic, a subscription, or a queue that streams cannot have."""
        if kind in ("SUB", "TOPIC") or wanted.get("STREAMQ"):
            from .checks import check

            check(qmgr, kind, name, wanted, present, verb)

    def applied(self, queue: LocalQueue) -> None:
        """Let a queue stream as its definition says now."""
        if queue.stream is not None or queue.definition.attributes.get("STREAMQ"):
            _module("streaming").attach(queue)

    def draw_objects(self, graph: nx.DiGraph, qmgr: QueueManager) -> None:
        """Its subscriptions."""
        if any("SUBID" in one.attributes for one in qmgr.objects.match(("SUB",))):  # SYSTEM.DEFAULT.SUB has none
            from .picture import draw_subscriptions

            draw_subscriptions(graph, qmgr)

    def puts(self, graph: nx.DiGraph, lab: Lab) -> Iterator[tuple[Event, str]]:
        """The publications."""
        if not any(self.name in qmgr.kept for qmgr in lab.queue_managers):
            return iter(())
        from .picture import publications

        return publications(graph, lab)


EXTRA = PubSub()
