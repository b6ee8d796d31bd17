"""A shared queue: one set of messages in a coupling facility structure, and what each member of the group has of it.

Each member decides about triggers for itself, by committed messages and by who reads the queue where.
"""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from ..engine.queues.message import QueuedMessage
from ..engine.queues.queue import NEVER, LocalQueue
from ..engine.queues.store import MessageStore
from ..engine.queues.target import Route
from ..engine.queues.triggering import CONDITIONS, Condition, Decision, Fact, Trigger
from ..engine.words import constants as mq
from ..engine.words.objects import Definition
from ..engine.words.refusals import Grounds
from ..engine.words.whys import Why
from . import whys

QSG_TRANSMIT_QUEUE = "SYSTEM.QSG.TRANSMIT.QUEUE"
"""The shared transmission queue, which the intra-group queuing agents of all members get from."""


class CountedStore(MessageStore):
    """A store that knows how many messages it holds at or above a priority."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        super().__init__()
        self.held = [0] * 10

    def add(self, message: QueuedMessage) -> None:
        """Take in a message and count it."""
        super().add(message)
        self.held[message.filed] += 1

    def remove(self, message: QueuedMessage) -> None:
        """Take a message out and count it off."""
        super().remove(message)
        self.held[message.filed] -= 1

    def at_least(self, priority: int) -> int:
        """How many messages are filed at `priority` or above."""
        return sum(self.held[priority:])


class Core:
    """The part that the members have in common: the messages, their counts, and the gets that wait for one."""

    def __init__(self, group: Any, structure: Any, definition: Definition):
        self.group, self.structure, self.definition = group, structure, definition
        self.members: dict[str, SharedQueue] = {}
        self.store = CountedStore()
        self.depth = self.uncommitted = 0
        self.waiters: list[tuple[int, object]] = []
        self.next_turn = count(1).__next__
        self.earliest_us: float = NEVER
        self.expired: QueuedMessage | None = None

    @property
    def instances(self) -> tuple[SharedQueue, ...]:
        """The queue as each member has it."""
        return tuple(self.members.values())

    @property
    def loss_rule(self) -> str | None:
        """The rule of what a failing coupling facility loses, where it is not that of any shared queue (IGQ-12)."""
        return "IGQ-12" if self.definition.name == QSG_TRANSMIT_QUEUE else None

    def lose(self, message: QueuedMessage, rule: str, cause: int) -> None:
        """Lose a message with what held it."""
        queue = next((queue for queue in self.instances if queue.qmgr.running), self.instances[0])
        queue.vanish(message, "lost", rule, cause)

    def ask_triggers(self, message: QueuedMessage, cause: int, rule: str | None) -> None:
        """A message is available now: let every member decide, and then act on it, each for itself (TRG-03b, TRG-04a).

        Where the initiation queue is shared too, one trigger message is enough for all of them.
        """
        triggers = [queue.trigger for queue in self.instances if queue.trigger is not None and queue.qmgr.running]
        decided = [(each, each.decide(message, each.before(message), 0)) for each in triggers]
        served = set()
        for trigger, decision in decided:
            initq = trigger.initiation_queue()
            if decision.fires and initq.subject in served:
                decision = Decision(False, "QSG-11", whys.AnotherMemberFired(initq.name))
            elif decision.fires:
                served.add(initq.subject)
            trigger.act(decision, cause, None, None if trigger.elsewhere else rule)


def _nobody_reads_here(trigger: Trigger) -> Fact:
    queue = trigger.queue
    exclusive = next((one for one in queue.instances if one.exclusive), None)
    if exclusive is not None:
        return False, whys.ExclusiveInput(queue.name, exclusive.qmgr.name)
    if trigger.type == "EVERY":
        return True, whys.EveryAsksExclusive()
    return queue.inputs == 0, whys.OpenForInputOn(queue.name, queue.qmgr.name, queue.inputs)


class SharedTrigger(Trigger):
    """The part of a shared queue that each member has for itself.

    While another member has it open for shared input, the type here is FIRST and every priority counts (TRG-04a); NONE
    stays NONE. Messages count when they are committed (TRG-03b).
    """

    queue: SharedQueue
    conditions = tuple(
        Condition("TRG-04b", "this member does not read it, and none exclusively", _nobody_reads_here)
        if condition.rule == "TRG-04"
        else condition
        for condition in CONDITIONS
    )

    @property
    def elsewhere(self) -> list[str]:
        """The other members that have it open for shared input."""
        others = [one for one in self.queue.instances if one is not self.queue]
        return [one.qmgr.name for one in others if one.inputs and not one.exclusive]

    @property
    def type(self) -> str:
        """FIRST, EVERY, DEPTH or NONE, as it counts here now."""
        kind = self.attributes["TRIGTYPE"]
        return "FIRST" if kind != "NONE" and self.elsewhere else kind

    @property
    def threshold(self) -> int:
        """TRIGMPRI, as it counts here now."""
        return 0 if self.elsewhere else self.attributes["TRIGMPRI"]

    @property
    def qualifying(self) -> int:
        """How many committed messages count."""
        return self.queue.store.at_least(self.threshold)

    def recount(self) -> None:
        """Nothing to count: the store counts committed messages."""

    def left(self, message: QueuedMessage) -> None:
        """A message is no longer on the queue."""
        self._changes += 1

    def returned(self, message: QueuedMessage) -> None:
        """A got message is on the queue again, as if it had never left."""
        self._changes -= 1

    def before(self, message: QueuedMessage) -> int:
        """How many qualifying messages there were before `message`, which is there now."""
        return self.qualifying - (message.filed >= self.threshold)

    def arrived(self, message: QueuedMessage, unit: Any, cause: int, rule: str | None = None) -> None:
        """A message was put on this member: it counts now, or at the commit (TRG-03b)."""
        self._changes += 1
        if unit is not None:
            self._decline("TRG-03b", whys.NotCommitted(), cause)
        else:
            self.queue.core.ask_triggers(message, cause, rule)

    def _count_fires(self, before: int, uncommitted: int = 0, with_it: int = 0) -> Decision:
        """As for any queue; while another member reads it, by TRG-04a."""
        decision = super()._count_fires(before, 0, with_it)
        readers = self.elsewhere
        return decision._replace(rule="TRG-04a", then=whys.FirstWhileOpen(readers)) if readers else decision


def _of_the_core(name: str) -> property:
    return property(lambda self: getattr(self.core, name), lambda self, value: setattr(self.core, name, value))


class SharedQueue(LocalQueue):
    """A shared queue as one member has it: its own opens and trigger; the messages and the definition are the group's.

    Its events are those of one queue of the group; their detail names the member that acted.
    """

    own_trigger = SharedTrigger
    watched, indexed, scan_rule = False, True, "EXP-34"
    keeps_nonpersistent = True  # a message in the coupling facility outlives the queue manager that put it (QSG-05)
    store, depth, uncommitted = (_of_the_core(name) for name in ("store", "depth", "uncommitted"))
    waiters, next_turn, earliest_us = (_of_the_core(name) for name in ("waiters", "next_turn", "earliest_us"))
    _expired_witness = _of_the_core("expired")

    def __init__(self, qmgr: Any, definition: Definition, core: Core):
        self.core, self.structure = core, core.structure
        core.members[qmgr.name] = self
        super().__init__(qmgr, definition)
        self.subject = (core.group.name, definition.name, "QLOCAL")
        self.own_detail = {"member": qmgr.name}
        if definition.name == QSG_TRANSMIT_QUEUE:
            self.direct_rule = "IGQ-13"
        self.via = json.dumps(self.own_detail, separators=(",", ":"))

    def _hold_messages(self) -> None:
        """The messages are the core's."""

    @property
    def instances(self) -> tuple[SharedQueue, ...]:
        """This queue as each member has it."""
        return self.core.instances

    @property
    def ready(self) -> bool:  # type: ignore[override]  # a fixed value where it is not shared
        """Whether the structure is allocated and has not failed."""
        return self.structure.status == "ACTIVE"

    @property
    def scanned_here(self) -> bool:  # type: ignore[override]  # a fixed value where it is not shared
        """Return True if this member can scan the queue: only one member at a time does (EXP-34)."""
        return not self.structure.failed and self.core.group.scanning.may_scan(self.qmgr)

    @property
    def out_of_reach(self) -> Why | None:  # type: ignore[override]  # a fixed value where it is not shared
        """Why nobody can reach its messages: the structure has failed."""
        return whys.StructureFailed(self.structure.name, self.name) if self.structure.failed else None

    def obstacles(self) -> list[tuple[str, str, bool, str]]:
        """The failure of the structure (QSG-09)."""
        said = f"CFSTRUCT({self.structure.name}) has failed"
        return [("QSG-09", "its structure can be used", False, said)] if self.structure.failed else []

    def scan_begins(self) -> None:
        """This member scans: it takes the seat if that is vacant."""
        self.core.group.scanning.take(self.qmgr)

    def why_no_persistent(self) -> Grounds:
        """Some structures hold no persistent messages (QSG-04)."""
        fields = {"settings": self.structure.said, "structure": self.structure.name}
        return Grounds(mq.MQRC_PERSISTENT_NOT_ALLOWED, "structure", fields)

    def why_too_long(self, length: int) -> Grounds | None:
        """The longest message is the structure's (QSG-04)."""
        structure = self.structure
        if length <= structure.longest:
            return None
        fields = {"settings": structure.said, "structure": structure.name, "longest": structure.longest}
        return Grounds(mq.MQRC_MSG_TOO_BIG_FOR_Q, "structure", {"length": length, **fields})

    def why_no_groups(self) -> Grounds | None:
        """A get by GroupId needs an index of it (MQI-35)."""
        indexed = self.definition.attributes["INDXTYPE"] == "GROUPID"
        return None if indexed else Grounds(mq.MQRC_MATCH_OPTIONS_ERROR, "shared-without-index", {})

    def require_index(self, call: Any) -> None:
        """2206 or 2207: a shared queue is searched by an identifier that it is indexed by, or by both and one index
        (MQI-35)."""
        index = self.definition.attributes["INDXTYPE"]
        fit = [kind for kind, asked in (("MSGID", call.msg_id), ("CORRELID", call.correl_id)) if asked is not None]
        if fit and index not in fit:
            reason = mq.MQRC_MSG_ID_ERROR if call.msg_id is not None else mq.MQRC_CORREL_ID_ERROR
            fields = {"queue": self.name, "index": index, "asked": " and ".join(fit), "needed": fit[0]}
            grounds = Grounds(reason, "other-index", {"verb": call.name, **fields})
            raise call.application.refusal(grounds, call.target, call.name)

    def require_usable(self, application: Any, target: Any, call: str) -> None:
        """Refuse a call with 2373 while the structure has failed."""
        self.structure.require_usable(application, target, call)

    def make_ready(self, application: Any, target: Any, call: str) -> None:
        """Let a call that opens the queue find its structure ready, or refuse it with 2373."""
        if call != "inquire":
            self.structure.make_ready(application, target, call)

    def apply(self) -> None:
        """Take over the attributes of the definition and of the structure."""
        super().apply()
        structure = self.structure
        self.longest = min(self.longest, structure.longest)
        self.temporary = not structure.keeps_persistent
        if structure.failed:
            self.put_inhibited = self.get_inhibited = True
            self.room = -1

    def refresh(self) -> None:
        """Take over what the structure now is; aliases of the queue, and routes by it, too. Gets that wait look
        again."""
        self.apply()
        for target in self.qmgr.targets.values():
            if target is not self and target.queue is self:
                target.apply()
        self.qmgr.routes.clear()
        for handle in self.qmgr.handles.having(self):
            if isinstance(handle.target, Route):
                handle.target.apply()
        self.wake()

    def commit_put(self, message: QueuedMessage, cause: int | None = None) -> None:
        """A commit makes it visible, and only now does it count for triggers (TRG-03b)."""
        super().commit_put(message, cause)
        self.core.ask_triggers(message, message.seq if cause is None else cause, "TRG-03b")

    def work_in_units(self) -> int:
        """How many puts and gets of it this member has not ended: UNCOM is each queue manager's own."""
        puts = sum(queue is self for unit in self.qmgr.units.values() for queue, *_ in (*unit.puts, *unit.triggers))
        return puts + self.depth_in_gets()

    def expect(self, deadline_us: int | None) -> None:
        """Know of a deadline, and let the member that scans know."""
        if deadline_us is not None and deadline_us < self.earliest_us:
            self.earliest_us = deadline_us
            self.core.group.scanning.expect(deadline_us)

    def expired_witness(self, now: int) -> QueuedMessage | None:
        """An expired message within reach of a get; there is none while the structure has failed."""
        return None if self.structure.failed else super().expired_witness(now)

    def why_no_input(self, mode: str) -> Grounds | None:
        """Why it cannot be opened for input now: an exclusive open by any member keeps all others out (MQI-14)."""
        readers = [queue for queue in self.instances if queue.inputs]
        if not readers:
            return None
        exclusive = next((queue for queue in readers if queue.exclusive), None)
        if exclusive is not None:
            return Grounds(mq.MQRC_OBJECT_IN_USE, "open-exclusively-on", {"member": exclusive.qmgr.name})
        if self.input_mode(mode) == "exclusive":
            members = " and ".join(queue.qmgr.name for queue in readers)
            return Grounds(mq.MQRC_OBJECT_IN_USE, "open-for-input-on", {"members": members})
        return None

    def __repr__(self) -> str:
        return f"SharedQueue({self.name!r} of {self.core.group.name} on {self.qmgr.name}, depth {self.depth})"
