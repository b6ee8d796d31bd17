"""Cluster transmission queues: which queue a channel has, its switch to another one, and messages that move."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from ..engine.queues import administration, get
from ..engine.queues.forward import put_arrived
from ..engine.queues.message import QueuedMessage
from ..engine.queues.put import Put, put
from ..engine.queues.queue import LocalQueue
from ..engine.queues.reports import UNDELIVERED, undeliverable
from ..engine.queues.transmission import Enclosed, Opener, arrived
from ..engine.words.constants import MQFB_BIND_OPEN_CLUSRCVR_DEL
from ..engine.words.errors import LabError, MQError
from .routing import ClusterQueue, among, tag_of
from .workload import Choice

ONE = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
MODEL = "SYSTEM.CLUSTER.TRANSMIT.MODEL.QUEUE"


class Transmission:
    """The transmission queues of the cluster-sender channels of one queue manager; `used` has the queue that the
    messages for a channel go to now."""

    def __init__(self, manager: Any):
        self.manager, self.qmgr = manager, manager.qmgr
        self.used: dict[str, str] = {}

    def queue(self, channel: str) -> LocalQueue:
        """The queue for messages of a channel now; for "", that of all cluster channels."""
        name = self.used.get(channel, "") if channel else ONE
        if not name or name not in self.qmgr.targets:
            name = self.used[channel] = self.wanted(channel)
        found: LocalQueue = self.qmgr.targets[name]
        self.manager.channels.watch(found)
        return found

    def wanted(self, channel: str) -> str:
        """The queue for a channel: the one whose CLCHNAME is most specific (CLU-55), else by DEFCLXQ (CLU-54)."""
        queues = [queue for queue in self.qmgr.queues if queue.is_xmitq and queue.definition.attributes.get("CLCHNAME")]
        generics = {queue.name: queue.definition.attributes["CLCHNAME"] for queue in queues}
        fitting = [name for name, text in generics.items() if fnmatchcase(channel, text.replace("[", "[[]"))]
        if fitting:
            return min(fitting, key=lambda name: ("*" in generics[name], -len(generics[name].replace("*", "")), name))
        if self.qmgr.attributes.get("DEFCLXQ") != "CHANNEL":
            return ONE
        name = f"SYSTEM.CLUSTER.TRANSMIT.{channel}"
        if name not in self.qmgr.targets:
            model = self.qmgr.objects.get("QMODEL", MODEL)
            if model is None:
                return ONE
            queue = self.qmgr.objects.get("QLOCAL", ONE)
            has = {key: value for key, value in model.attributes.items() if key in queue.attributes}
            administration.define(self.qmgr, "QLOCAL", name, {**has, "DEFTYPE": "PERMDYN"})
        return name

    def switch(self, channel: str) -> str:
        """Let a channel that starts use the queue that it is to use: older messages move first (CLU-56)."""
        before, wanted = self.used.get(channel, ""), self.wanted(channel)
        if before not in ("", wanted) and before in self.qmgr.targets:
            seq = self.manager.log("switched", "", "CHANNEL", channel, "CLU-56", host=self.qmgr.name, xmitq=wanted)
            app, to = self.qmgr.reporter(seq), self.qmgr.targets[wanted]
            for message in self.waiting(channel):
                with app.unit_of_work() as unit:
                    get.take(app, self.qmgr.targets[before], message, unit, None)
                    left = message.expiry(self.qmgr.clock.time_us)
                    put(Put.again(app, to, message, left, unit=unit, rule="CLU-56", continues=message), to)
        self.used[channel] = wanted
        return wanted

    def waiting(self, channel: str) -> list[QueuedMessage]:
        """The messages for a channel that nobody has got, in delivery order."""
        queue = self.qmgr.targets.get(self.used.get(channel, ""))
        found = queue.store.matching(None, tag_of(channel)) if isinstance(queue, LocalQueue) else ()
        return [message for message in found if message.holder is None]

    def choose_again(self, channel: str) -> None:
        """Choose again for the messages of a channel that failed, if they are bound to no queue manager (CLU-50)."""
        app, queue = self.manager.program.application, self.queue(channel)
        groups: dict[bytes | None, bool] = {}
        for message in self.waiting(channel):
            if (header := _opened(message)) is None or header.qmgr:
                continue
            group = header.request.descriptor.group_id
            if group not in groups or group is None:
                chosen = None if (choice := self._choice(header.queue)) is None else choice.chosen
                groups[group] = chosen is not None and (chosen.local or chosen.channel != channel)
            if not groups[group]:
                continue
            with app.unit_of_work() as unit:
                held_message = _taken(app, queue, header, message, unit)
                try:
                    put_arrived(app, held_message, header.queue, "", unit, "CLU-50")
                except MQError:
                    unit.backout()

    def _choice(self, queue: str) -> Choice | None:
        """The choice that a message for a queue would get now."""
        target: ClusterQueue | None = None
        if (local := self.qmgr.targets.get(queue)) is not None:
            target = among(local.queue)
        elif self.manager.known("QUEUE", queue):
            target = ClusterQueue(self.manager, queue, [], (queue, ""))
        return None if target is None else target.choice(self.manager.program.application)

    def awaited(self, queue: LocalQueue, message: QueuedMessage) -> list[tuple[str, str, bool, str, str]]:
        """The conditions of a message for a cluster channel, as `Extra.awaited` has them: member and binding."""
        channel, header = (message.correl_id or b"").decode("ascii", "replace").strip(), _opened(message)
        member = next((one for one in self.manager.repository.called(channel) if not one.gone), None)
        if header is None or (member is None and queue.name not in (ONE, self.used.get(channel))):
            return []
        leads = f"to {member.qmgr} in cluster {member.cluster}" if member else "to no member that is known here"
        last = self.manager.choices.get(header.queue)
        if last is not None and last.chosen.channel == channel:
            leads += f"; the last choice for {header.queue}: {last.decided}"
        works, rule = self.manager.channels.available(channel), "CLU-51" if header.qmgr else "CLU-50"
        then = f"bound to no queue manager: if {channel} fails, an instance is chosen again"
        if header.qmgr and works:
            then = f"bound to {header.qmgr}: if {channel} fails, it waits for that queue manager"
        elif header.qmgr:
            then = f"bound to {header.qmgr}: it waits until {channel} works"
        elif not works and (choice := self._choice(header.queue)) is not None:
            then = f"bound to no queue manager; a choice now takes {choice.chosen}: {choice.decided}"
        return [
            ("CLU-52", "its channel leads to a member", bool(member), f"its CorrelId names {channel}, {leads}", ""),
            (rule, "its binding does not hold it up", works, f"it is {then}", ""),
        ]

    def bury(self, channel: str, qmgr: str) -> None:
        """Set aside the messages that are bound to a queue manager whose CLUSRCVR was removed (CLU-51)."""
        app, queue = self.manager.program.application, self.queue(channel)
        for message in self.waiting(channel):
            header = _opened(message)
            if header is None or header.qmgr != qmgr or header.queue.startswith("SYSTEM.CLUSTER."):
                continue
            with app.unit_of_work() as unit:
                held_message = _taken(app, queue, header, message, unit)
                fate = undeliverable(app, held_message, MQFB_BIND_OPEN_CLUSRCVR_DEL, header.queue, qmgr, unit)
                if fate.outcome == UNDELIVERED:
                    unit.backout()
                    return


def _taken(app: Any, queue: LocalQueue, header: Enclosed, message: QueuedMessage, unit: Any) -> QueuedMessage:
    """Get a message in a unit of work: the message in it, with the deadline that it has here."""
    get.take(app, queue, message, unit, None)
    inside = arrived(header, message, queue.clock.time_us)
    inside.expires_us = message.expires_us
    return inside


def _opened(message: QueuedMessage) -> Enclosed | None:
    try:
        return Opener().open(message.body)
    except LabError:
        return None
