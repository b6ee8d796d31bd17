"""What publish/subscribe and streaming queues add to the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..mq.extra import Extra
from ..mq.whys import Why, cases_in

if TYPE_CHECKING:
    from ..mq.objects import Definition
    from ..qmgr.queue import LocalQueue
    from ..sim.event import Event


_MAX = 999_999_999
_TOPIC = (
    ("TYPE", "choice", "LOCAL", "LOCAL CLUSTER ALL", 208, "pick"),
    ("TOPICSTR", "text", "", 10_240, 2094, "var need once acts pick"), ("DESCR", "text", "", 64, 2093, "free inert"),
    ("CAPEXPRY", "int", -2, (1, _MAX, "NOLIMIT=-1 ASPARENT=-2"), 276, "acts"),
    ("CLROUTE", "choice", "DIRECT", "DIRECT TOPICHOST", 255, ""), ("CLUSTER", "name", "", 48, 2029, "pick"),
    ("COMMINFO", "name", "SYSTEM.DEFAULT.COMMINFO.MULTICAST", 48, 2110, "mp"),
    ("CUSTOM", "text", "", 128, 2119, "acts"), ("DEFPRTY", "int", -1, (0, 9, "ASPARENT=-1"), 6, "acts"),
    ("DEFPSIST", "choice", "ASPARENT", "ASPARENT NO YES", 185, "acts"),
    ("DEFPRESP", "choice", "ASPARENT", "ASPARENT SYNC ASYNC", 184, ""),
    ("DURSUB", "choice", "ASPARENT", "ASPARENT NO YES", 175, "acts"),
    ("MCAST", "choice", "ASPARENT", "ASPARENT DISABLED ENABLED ONLY", 176, "mp 710"),
    ("MDURMDL", "name", "", 48, 2096, "acts"), ("MNDURMDL", "name", "", 48, 2097, "acts"),
    ("NPMSGDLV", "choice", "ASPARENT", "ASPARENT ALL ALLAVAIL ALLDUR", 196, "acts"),
    ("PMSGDLV", "choice", "ASPARENT", "ASPARENT ALL ALLAVAIL ALLDUR", 195, "acts"),
    ("PROXYSUB", "choice", "FIRSTUSE", "FIRSTUSE FORCE", 199, ""),
    ("PUB", "choice", "ASPARENT", "ASPARENT ENABLED DISABLED", 181, "acts"),
    ("PUBSCOPE", "choice", "ASPARENT", "ASPARENT QMGR ALL", 219, ""),
    ("SUB", "choice", "ASPARENT", "ASPARENT ENABLED DISABLED", 182, "acts"),
    ("SUBSCOPE", "choice", "ASPARENT", "ASPARENT QMGR ALL", 218, ""),
    ("USEDLQ", "choice", "ASPARENT", "ASPARENT NO YES", 234, "acts"),
    ("WILDCARD", "choice", "PASSTHRU", "PASSTHRU BLOCK", 216, "acts"), ("ALTDATE", "text", None, 12, 2027, "read"),
    ("ALTTIME", "text", None, 8, 2028, "read"), ("CLSTATE", "text", None, 12, 256, "read"),
    ("CLUSDATE", "text", None, 12, 2037, "read"), ("CLUSQMGR", "name", None, 48, 2031, "read"),
    ("CLUSTIME", "text", None, 8, 2038, "read"), ("QMID", "text", None, 48, 2032, "read"),
)  # fmt: skip  # a table, as in mqlab.mq.catalog
_SUBSCRIPTION = (
    ("SUBID", "text", None, 48, None, "read pick"), ("SUBNAME", "text", None, 10_240, None, ""),
    ("TOPICSTR", "text", "", 10_240, 2094, "var once acts pick"), ("TOPICOBJ", "name", "", 48, 2092, "once acts"),
    ("DEST", "name", "", 48, None, "acts"), ("DESTCLAS", "choice", "PROVIDED", "PROVIDED MANAGED", None, "once acts"),
    ("DESTCORL", "text", "", 48, None, "acts"), ("DESTQMGR", "name", "", 48, None, "acts"),
    ("DISTYPE", "choice", None, "RESOLVED DEFINED", 262, "read pick"),
    ("DURABLE", "choice", None, "YES NO", None, "read pick"),
    ("EXPIRY", "int", -1, (0, _MAX, "UNLIMITED=-1"), None, "acts"),
    ("PSPROP", "choice", "MSGPROP", "NONE COMPAT RFH2 MSGPROP", None, ""), ("PUBACCT", "text", "", 64, None, "acts"),
    ("PUBAPPID", "text", "", 32, None, "acts"), ("PUBPRTY", "int", -3, (0, 9, "ASPUB=-3 ASQDEF=-1"), None, "acts"),
    ("REQONLY", "choice", "NO", "NO YES", None, "acts"), ("SELECTOR", "text", "", 10_240, None, "var once free acts"),
    ("SELTYPE", "choice", None, "NONE STANDARD EXTENDED", None, "read"),
    ("SUBLEVEL", "int", 1, (0, 9), None, "once acts"), ("SUBSCOPE", "choice", "ALL", "ALL QMGR", 218, "once"),
    ("SUBTYPE", "choice", None, "ADMIN API PROXY USER ALL", None, "read pick"),
    ("SUBUSER", "text", "", 12, None, "acts"), ("USERDATA", "text", "", 10_240, None, "var free"),
    ("VARUSER", "choice", "ANY", "ANY FIXED", None, ""),
    ("WSCHEMA", "choice", "TOPIC", "TOPIC CHAR", None, "once acts"), ("ALTDATE", "text", None, 12, 2027, "read"),
    ("ALTTIME", "text", None, 8, 2028, "read"), ("CRDATE", "text", None, 12, 2004, "read"),
    ("CRTIME", "text", None, 8, 2005, "read"),
)  # fmt: skip
_TOPICS = """DEFAULT.TOPIC; DEFPRTY=0 DEFPSIST=NO DEFPRESP=SYNC DURSUB=YES MCAST=DISABLED
    MDURMDL=SYSTEM.DURABLE.MODEL.QUEUE MNDURMDL=SYSTEM.NDURABLE.MODEL.QUEUE NPMSGDLV=ALLAVAIL PMSGDLV=ALLDUR PUB=ENABLED
    PUBSCOPE=ALL SUB=ENABLED SUBSCOPE=ALL USEDLQ=YES CAPEXPRY=NOLIMIT: BASE.TOPIC;
    TOPICSTR=SYSTEM.BROKER.ADMIN.STREAM: BROKER.ADMIN.STREAM;
    TOPICSTR=SYSTEM.BROKER.DEFAULT.STREAM: BROKER.DEFAULT.STREAM;
    TOPICSTR=SYSTEM.BROKER.DEFAULT.SUBPOINT: BROKER.DEFAULT.SUBPOINT; 900 TOPICSTR=$SYS/MQ: ADMIN.TOPIC"""
_ANY = ("distributed", "zos")
_LONG: dict[str, Any] = {"longest": 10_240, "free": True, "since": 700}
_SUB = {"said": "8094 created, 8095 changed, 8097 deleted", "shown": "8096 IBM MQ subscription inquired."}


def _status(function: str) -> Callable[[Any, Any], list[dict[str, Any]]]:
    """The function of `status` of this name, which loads that module when it is called."""

    def rows(qmgr: Any, command: Any) -> list[dict[str, Any]]:
        from . import status

        return list(getattr(status, function)(qmgr, command))

    return rows


def _clear(qmgr: Any, command: Any) -> None:
    """CLEAR TOPICSTR."""
    from .publishing import forget_retained

    gone = forget_retained(qmgr, command.name)
    command.notes.append(f"{'the' if gone else 'no'} publication was retained for {command.name}")


class PubSub(Extra):
    """Topics, subscriptions, and duplicates."""

    name = "pubsub"
    kinds = {
        "TOPIC": {
            "noun": "topic",
            "said": "8690 created, 8691 changed, 8692 deleted",
            "shown": "8633 Display topic details.",
            "simulated": True,
            "since": 700,
            "system": _TOPICS,
            "after": "SVSTATUS",
        },
        "TOPICSTR": _LONG | {"after": "TOPIC"},
        "TPSTATUS": _LONG
        | {"short": "TPS", "shown": "8754 Display topic status details.", "platforms": _ANY, "after": "TOPICSTR"},
        "TCLUSTER": {"short": "TC", "shows": "TOPIC", "since": 700, "after": "TPSTATUS"},
        "SUB": _LONG
        | _SUB
        | {
            "noun": "subscription",
            "simulated": True,
            "system": "DURABLE=YES SUBTYPE=ADMIN: DEFAULT.SUB",
            "after": "TCLUSTER",
        },
        "SBSTATUS": _LONG | {"shown": "8099 IBM MQ subscription status inquired.", "platforms": _ANY, "after": "SUB"},
        "PUBSUB": {
            "shown": "8723 Display pub/sub status details.",
            "platforms": _ANY,
            "since": 700,
            "after": "SBSTATUS",
        },
    }
    attributes = {"TOPIC": _TOPIC, "SUB": _SUBSCRIPTION}
    shows = {
        "PUBSUB": _status("pubsub_status"),
        "SBSTATUS": _status("subscription_status"),
        "TPSTATUS": _status("topic_status"),
    }
    commands = {("CLEAR", "TOPICSTR"): _clear}

    def cases(self) -> Mapping[str, type[Why]]:
        """Those of topics and subscriptions."""
        from . import whys

        return cases_in(whys)

    def restarting(self, qmgr: Any) -> None:
        """End the subscriptions that have expired meanwhile."""
        if self.name in qmgr.kept:
            from . import subscriptions

            subscriptions.expire(qmgr)

    def disconnected(self, qmgr: Any, application: Any) -> None:
        """Close its subscriptions."""
        if self.name in qmgr.kept:
            from . import subscribing

            subscribing.disconnect(qmgr, application)

    def alias(self, qmgr: Any, definition: Definition) -> Any:
        """An alias of a topic."""
        topic = qmgr.objects.get("TOPIC", definition.attributes["TARGET"])
        if topic is None:
            return None
        from .targets import TopicAlias

        return TopicAlias(qmgr, definition, topic)

    def prepared(self, qmgr: Any, kind: str, name: str, attributes: dict[str, Any], like: str | None) -> dict[str, Any]:
        """A managed subscription has the name of its queue."""
        if kind != "SUB":
            return attributes
        from . import subscriptions

        return subscriptions.prepared(qmgr, name, attributes, like)

    def complete(self, qmgr: Any, kind: str, name: str, given: dict[str, Any]) -> None:
        """SUBID and DESTCORL of a subscription."""
        if kind == "SUB" and name != "SYSTEM.DEFAULT.SUB":  # which subscribes to nothing
            from . import subscriptions

            subscriptions.identify(qmgr, name, given)

    def asked(self, qmgr: Any, command: Any) -> None:
        """A subscription has its name, and stays with its topic."""
        if command.kind == "SUB":
            from . import commands

            commands.check(qmgr, command)

    def commented(self, qmgr: Any, command: Any, name: str) -> None:
        """What a subscription lacks."""
        if command.kind == "SUB":
            from . import commands

            commands.note_missing(qmgr, command, qmgr.objects.get("SUB", name).attributes)

    def also_displayed(self, qmgr: Any, definition: Definition, distype: str) -> dict[str, Any]:
        """Of a subscription."""
        if definition.kind != "SUB":
            return {}
        from . import commands

        return commands.also_displayed(qmgr, definition, distype)

    def defined(self, qmgr: Any, definition: Definition) -> None:
        """A managed subscription gets its queue."""
        if definition.kind == "SUB":
            from . import subscriptions

            subscriptions.defined(qmgr, definition)

    def altered(self, qmgr: Any, definition: Definition, attributes: dict[str, Any]) -> None:
        """Its lifetime begins again."""
        if definition.kind == "SUB" and "EXPIRY" in attributes:
            from . import subscriptions

            subscriptions.arm(qmgr, definition)

    def deleted(self, qmgr: Any, definition: Definition) -> None:
        """The managed queue of a subscription goes with it."""
        if definition.kind == "SUB":
            from . import subscriptions

            subscriptions.release(qmgr, definition)

    def check(
        self, qmgr: Any, kind: str, name: str, wanted: dict[str, Any], present: Definition | None, verb: str
    ) -> None:
        """What a topic, a subscription, or a queue that streams cannot have."""
        if kind in ("SUB", "TOPIC") or wanted.get("STREAMQ"):
            from .checks import check

            check(qmgr, kind, name, wanted, present, verb)

    def applied(self, queue: LocalQueue) -> None:
        """Let a queue stream as its definition says now."""
        if queue.stream is not None or queue.definition.attributes.get("STREAMQ"):
            from . import streaming

            streaming.attach(queue)

    def sentences(self) -> Mapping[str, Callable[[Any], str]]:
        """Of publications, subscriptions, and consumers."""
        from .words import SENTENCES

        return SENTENCES

    def draw_objects(self, graph: Any, qmgr: Any) -> None:
        """Its subscriptions."""
        if len(qmgr.objects.match(("SUB",))) > 1:  # more than SYSTEM.DEFAULT.SUB
            from .picture import draw_subscriptions

            draw_subscriptions(graph, qmgr)

    def puts(self, graph: Any, lab: Any) -> Iterator[tuple[Event, str]]:
        """The publications."""
        if not any(self.name in qmgr.kept for qmgr in lab.queue_managers):
            return iter(())
        from .picture import publications

        return publications(graph, lab)


EXTRA = PubSub()
