"""The additions of clusters to the engine: repositories, names that lead into a cluster, and cluster channels."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..engine.extra import Extra, later
from . import clustered, manager_of

if TYPE_CHECKING:
    from ..engine.commands.command import Command
    from ..engine.programs.channels.channel import Channel
    from ..engine.queues.message import QueuedMessage
    from ..engine.queues.queue import LocalQueue, Remote
    from ..engine.queues.queue_manager import QueueManager
    from ..engine.queues.target import Target
    from ..engine.words.objects import Definition, ObjectTable
    from ..engine.world.event import Event

_MESSAGES = """CHLTYPE CLUSTER CLUSNL CONNAME BATCHINT BATCHLIM BATCHSZ CERTLABL DISCINT HBINT LONGRTY LONGTMR MAXMSGL
    MCAUSER MONCHL NPMSPEED PROPCTL SEQWRAP SHORTRTY SHORTTMR SSLCIPH SSLPEER TRPTYPE USEDLQ"""
_CALLED = "CLWLPRTY CLWLRANK CLWLWGHT NETPRTY MRRTY MRTMR PUTAUT SSLCAUTH"
_LOGGED = {"overdue": "9469", "not-refreshed": "9406", "refreshed": "9442", "refused": "9427"}

LEFT_OUT = "clusters left out"
"""Kept of a queue manager whose definitions are only read: no repository manager, and no name leads into a cluster."""


def _module(name: str) -> Any:
    return import_module(f".{name}", __package__)  # when it is first needed


def _command(name: str) -> Callable[[Any, Any], str | None]:
    """A function of commands.py; where clusters are left out, a command is accepted and does nothing."""
    run = later(__package__ or "", "commands", name)
    return lambda qmgr, command: None if LEFT_OUT in qmgr.kept else run(qmgr, command)


class Clusters(Extra):
    """Queue manager clusters."""

    name = "clusters"
    sends = {"CLUSSDR": ("CLUSRCVR",)}
    run_types = {"CLUSSDR": frozenset(_MESSAGES.split()), "CLUSRCVR": frozenset((*_MESSAGES.split(), *_CALLED.split()))}
    commands = {
        ("SUSPEND", "QMGR"): _command("suspend"),
        ("RESUME", "QMGR"): _command("suspend"),
        ("REFRESH", "CLUSTER"): _command("refresh"),
        ("RESET", "CLUSTER"): _command("reset"),
    }
    shows = {"CLUSQMGR": later(__package__, "display", "members")}

    def started(self, qmgr: QueueManager, again: bool) -> None:
        """The repository manager starts with its queue manager."""
        if again and self.name in qmgr.kept:
            qmgr.kept[self.name].start()
            qmgr.kept[self.name].channels.look()

    def initiator_started(self, qmgr: QueueManager) -> None:
        """Channels start whose messages have waited for a channel initiator."""
        if self.name in qmgr.kept:
            qmgr.kept[self.name].channels.look()

    def configured(
        self, qmgr: QueueManager, definition: Definition, verb: str, cause: int, before: dict[str, Any] | None = None
    ) -> None:
        """The records of a queue manager may have changed; the first definition about a cluster starts its
        repository manager."""
        if self.name in qmgr.kept or (_begins(definition) and LEFT_OUT not in qmgr.kept):
            _module("commands").changed(qmgr, definition, verb, before)

    def commented(self, qmgr: QueueManager, command: Command, name: str) -> None:
        """The attributes of a CLUSSDR that IBM MQ ignores."""
        ignored = [word for word in command.attributes if word.startswith("CLWL")]
        if ignored and command.attributes.get("CHLTYPE") == "CLUSSDR":
            words = ", ".join(ignored)
            command.notes.append(f"IBM MQ ignores {words} of a CLUSSDR: the CLUSRCVR at the other end decides")

    def applied(self, queue: LocalQueue) -> None:
        """Let the puts to a queue with CLUSTER or CLUSNL choose among its instances."""
        if clustered(queue.definition.attributes) and not queue.is_xmitq and LEFT_OUT not in queue.qmgr.kept:
            queue.stream = _module("routing").Spread(queue, queue.stream)  # which publish/subscribe has just set

    def found(self, application: Any, kind: str, name: str, asked: str, call: str) -> Target | None:
        """A cluster queue."""
        if self.name not in application.qmgr.kept:
            return None
        return _module("routing").found(application, kind, name, asked, call)

    def route(
        self,
        application: Any,
        name: str,
        path: list[Definition],
        to: tuple[str, str],
        by_channel: Callable[[], Remote | None],
    ) -> tuple[Target | None] | None:
        """The way to a queue manager of a cluster."""
        if self.name not in application.qmgr.kept:
            return None
        return _module("routing").way(application, name, path, to)

    def channel(self, qmgr: QueueManager, name: str) -> Definition | None:
        """A cluster-sender channel that the queue manager defined by itself."""
        return qmgr.kept[self.name].channels.definition(name) if self.name in qmgr.kept else None

    def at_start(self, channel: Channel) -> dict[str, Any] | None:
        """The attributes of the CLUSRCVR that a cluster-sender channel calls."""
        definition = channel.definition
        if definition.attributes["CHLTYPE"] != "CLUSSDR":
            return None
        if LEFT_OUT in channel.qmgr.kept:
            return {**definition.attributes, "XMITQ": "SYSTEM.CLUSTER.TRANSMIT.QUEUE"}
        return _module("commands").managed(channel.qmgr).channels.at_start(channel)

    def channel_changed(self, channel: Channel, was: str, cause: int) -> None:
        """Messages go elsewhere if a cluster-sender channel fails."""
        if channel.definition.attributes["CHLTYPE"] == "CLUSSDR" and self.name in channel.qmgr.kept:
            channel.qmgr.kept[self.name].channels.changed(channel)

    def logged(self, row: Event) -> str:
        """The messages of repository managers in the error log."""
        if row.kind == "program" and row.program == "REPOSITORY.MANAGER":
            return "9410" if row.facts["state"] == "started" else "9411"
        if row.kind != "cluster":
            return ""
        did = row.facts["did"]
        if did == "not-removed":
            return "9455" if row.facts["found"] else "9453"
        return "9456" if did == "overdue" and row.facts["of"] != "QMGR" else _LOGGED.get(did, "")

    def awaited(self, queue: LocalQueue, message: QueuedMessage) -> list[tuple[str, str, bool, str, str]]:
        """The member that a message waits for, and its binding."""
        manager = manager_of(queue.qmgr)
        return [] if manager is None else manager.channels.transmission.awaited(queue, message)

    def others(self, qmgr: QueueManager, command: Command) -> list[ObjectTable]:
        """Cluster queues and cluster topics."""
        return _module("display").instances(qmgr, command) if self.name in qmgr.kept else []


def _begins(definition: Definition) -> bool:
    """Whether the first definition about a cluster is this one."""
    has = definition.attributes
    about = has.get("REPOS") or has.get("REPOSNL") or has.get("CHLTYPE") in ("CLUSSDR", "CLUSRCVR")
    return bool(about) and not definition.name.startswith("SYSTEM.")


EXTRA = Clusters()
