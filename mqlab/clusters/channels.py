"""Cluster channels: those that a queue manager defines by itself, their attributes, and what starts them."""

from __future__ import annotations

from typing import Any

from ..engine.programs.channels import control
from ..engine.programs.channels.channel import Channel
from ..engine.programs.channels.initiator import initiates, start_initiator
from ..engine.programs.channels.mca import channel_of, launch
from ..engine.queues.queue import LocalQueue
from ..engine.queues.target import Put
from ..engine.words import catalog
from ..engine.words.objects import Definition
from ..engine.words.whys import NoConname
from .repository import Record
from .routing import ClusterRoute, tag_of
from .transmission import Transmission

FAILED = ("RETRYING", "STOPPED")
"""The states in which messages that are bound to no queue manager go elsewhere."""


class ClusterChannels:
    """The cluster-sender channels of one queue manager; `defined` has the definitions that it made by itself."""

    def __init__(self, manager: Any):
        self.manager, self.qmgr = manager, manager.qmgr
        self.transmission = Transmission(manager)
        self.defined: dict[str, Definition] = {}

    # ---- Definitions
    def definition(self, name: str) -> Definition | None:
        """The definition of a channel that is no object: it has the attributes of the CLUSRCVR that it calls, the last
        ones that were known (CLU-10)."""
        for record in self.manager.repository.called(name)[:1]:
            usual, theirs = catalog.defaults("CHANNEL", self.qmgr.platform, "CLUSSDR"), record.facts["attributes"]
            made = self.defined.setdefault(name, Definition("CHANNEL", name, {}))
            made.attributes = {**usual, **{key: theirs[key] for key in usual if key in theirs}, "CHLTYPE": "CLUSSDR"}
        return self.defined.get(name)

    def at_start(self, channel: Channel) -> dict[str, Any]:
        """The attributes with which a cluster-sender channel starts: those of the CLUSRCVR, once that is known."""
        made = self.definition(channel.name)
        channel.tag = tag_of(channel.name)
        name = self.transmission.switch(channel.name)
        channel.columns["XMITQ"] = name
        return {**channel.definition.attributes, **(made.attributes if made is not None else {}), "XMITQ": name}

    # ---- States
    def state(self, name: str) -> str:
        """The state of a cluster-sender channel."""
        channel = self.qmgr.channels.get((name, ""))
        return "INACTIVE" if channel is None else channel.state

    def available(self, name: str) -> bool:
        """Whether a channel has not failed."""
        return self.state(name) not in FAILED

    def brings(self, application: Any) -> bool:
        """Whether an application is the agent of a CLUSRCVR channel, and not of another one (CLU-71)."""
        program = application.program
        return program is not None and any(
            channel.program is program and channel.active and channel.chltype == "CLUSRCVR"
            for channel in self.qmgr.channels.values()
        )

    def changed(self, channel: Channel) -> None:
        """A cluster-sender channel is in another state: messages go elsewhere if it failed."""
        channel.columns["XMITQ"] = self.transmission.used.get(channel.name, "")
        if channel.state in FAILED and self.manager.program is not None:
            self.manager.later(lambda: self.transmission.choose_again(channel.name))
        elif channel.state == "INACTIVE" and not isinstance(channel.why, NoConname):  # which would fail again at once
            self.manager.later(lambda: self._look(self.transmission.queue(channel.name)))

    # ---- Sending
    def send(self, app: Any, channel: str, queue: str, body: str, unit: Any) -> Any:
        """Put a message for the repository manager behind a channel on its transmission queue."""
        unknown = Record("", "", "", "QMGR", "", {"channel": channel})
        member = next(iter(self.manager.repository.called(channel)), unknown)
        target = ClusterRoute(queue, [], self.transmission.queue(channel), (queue, member.qmgr), member)
        return target.put(Put(app, target, body, persistent=True, priority=0, unit=unit, rule="CLU-05"))

    def watch(self, queue: LocalQueue) -> None:
        """Start a channel as soon as it can get a message from a queue."""
        self.manager.watch(queue, lambda: self._look(queue))

    def look(self) -> None:
        """Start every channel that has messages."""
        for name in dict.fromkeys(self.transmission.used.values()):
            if name in self.qmgr.targets:
                self.watch(self.qmgr.targets[name])
                self._look(self.qmgr.targets[name])

    def _look(self, queue: LocalQueue) -> None:
        if not self.qmgr.running or queue.get_inhibited:
            return
        for name, used in list(self.transmission.used.items()):
            if name and used == queue.name and self.state(name) == "INACTIVE":
                message = next(queue.store.matching(None, tag_of(name)), None)
                channel = self.qmgr.channels.get((name, ""))
                if message is not None or (channel is not None and channel.indoubt is not None):
                    self._start(name, None if message is None else message.seq)

    def _start(self, name: str, cause: int | None) -> None:
        """Start a channel that has messages and was not stopped, where a channel initiator can (CHL-16, CLU-53)."""
        definition = control.defined(self.qmgr, name)
        if definition is None or definition.attributes["CHLTYPE"] != "CLUSSDR" or not initiates(self.qmgr):
            return
        if self.qmgr.channel_initiator is None:
            start_initiator(self.qmgr)
        channel = channel_of(self.qmgr, definition)
        if channel.state == "INACTIVE":
            channel.tag = tag_of(name)
            launch(channel, cause, "CLU-05")

    # ---- Members that go
    def withdrawn(self, member: Record, lost: bool) -> None:
        """A member is no longer known: handles that are bound to it fail with 2041. If it has left, messages for it
        go elsewhere or aside."""
        for handle in self.qmgr.handles:
            fixed = getattr(handle.target, "fixed", None)
            if fixed is not None and (fixed.member.qmid, fixed.channel) == (member.qmid, member.facts["channel"]):
                handle.changed = True
        name = member.facts["channel"]
        if lost and name in self.transmission.used and self.manager.program is not None:
            self.manager.later(lambda: self._gone(name, member.qmgr))

    def _gone(self, channel: str, qmgr: str) -> None:
        if not [one for one in self.manager.repository.called(channel) if not one.gone]:
            self.transmission.bury(channel, qmgr)
            self.transmission.choose_again(channel)
