"""The MQ Everyplace queue manager: its queues, its definitions, and what it does for other queue managers.

Simpler than the product: a link is there or not (no connection definitions, channels, adapters, security or
compression); there are no administration messages, so definitions and inquiries are calls; queues are not discovered;
there are no MQ bridges, listeners, waiting gets or field filters; a store-and-forward queue waits to be asked and does
not push; of the queue rules there is only the one for expiry; and all clocks of a lab agree, where real devices
disagree.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn

from ..engine.words.arguments import at_least, require
from ..engine.words.errors import LabError
from ..engine.words.objects import legal_name
from ..engine.words.shown import shown
from . import local_queue, whys
from .calls import Application, Calls
from .errors import MQeError
from .expiry import DEAD_LETTER_QUEUE, purge
from .message import Message, MessageId
from .queue import KINDS, Queue
from .remote_queues import Puller, every, in_background, send_all

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@shown
class QueueManager(Calls):
    """One MQ Everyplace queue manager of a lab, made by `Lab.everyplace`. Its own calls have no application's name.

    >>> from mqlab import Lab
    >>> lab = Lab()
    >>> pda = lab.everyplace("PDA1")
    >>> _ = pda.define("local", "INBOX", rule=lambda queue, message: print("expired on", queue.name))
    >>> _ = pda.put("INBOX", b"hello", expire_ms=500)
    >>> lab.advance(1)
    >>> pda.size("INBOX")
    expired on INBOX
    0
    """

    def __init__(self, lab: Any, name: str):
        if not legal_name(name):
            raise LabError(f"queue manager name must be 1 to 48 of A-Z a-z 0-9 . _ / %; got {name!r}")
        self.lab, self.clock, self.name, self.running = lab, lab.clock, name, True
        self._queues: dict[tuple[str, str], Queue] = {}
        self._pullers: dict[Queue, Puller] = {}
        self._last_ms = self._turn = 0
        self._log("start", "MQE-08", detail={"platform": "everyplace"})

    @property
    def qmgr(self) -> QueueManager:
        """Itself, as an application has one."""
        return self

    def connect(self, program: str) -> Application:
        """The same calls in the name of an application."""
        return Application(self, program)

    @property
    def queues(self) -> list[Queue]:
        """Its queues, in the order of their definition."""
        return list(self._queues.values())

    def has(self, queue: str) -> bool:
        """Whether it has a queue of this name, "NAME" or "NAME@OWNER"."""
        return self._key(queue) in self._queues

    def message(
        self,
        body: bytes | str,
        *,
        priority: int | None = None,
        expire_ms: int | None = None,
        expire_at: datetime | None = None,
    ) -> Message:
        """A new message, created now: lifetimes in milliseconds count from here, not from the put (MQE-11).

        `expire_at` is a datetime instead; with neither, the expiry interval of the queue it is on counts.
        """
        return Message(body, self.clock.time_us, priority, expire_ms, expire_at)

    def define(self, kind: str, queue: str, **settings: Any) -> Queue:
        """Define a queue: `kind` is local, synchronous, asynchronous, store-and-forward or home-server.

        `queue` is "NAME"; for synchronous, asynchronous and home-server "NAME@OWNER". A home-server queue is named
        after the store-and-forward queue of its owner. Three settings are for queues that keep messages: `expiry_ms`,
        the milliseconds that messages with no lifetime of their own may spend here (None: forever), `rule`, called as
        `rule(queue, message)` when a message expires here, and `max_depth`, the most messages it can hold (None: any
        number). `targets` are the queue managers that a store-and-forward queue keeps messages for. `poll_ms` is the
        time between two looks of a home-server queue in milliseconds; with 0, the default, it looks only when
        triggered.

        LabError for a kind, name or setting that does not fit.
        """
        require("kind of queue", kind, str, f"one of {', '.join(KINDS)}", KINDS.__contains__)
        owner, name = self._key(queue)
        if not legal_name(name) or not legal_name(owner) or (owner != self.name) != KINDS[kind].remote:
            wanted = "NAME@OWNER, the owner another queue manager" if KINDS[kind].remote else "NAME"
            raise LabError(f"name of a {kind} queue must be {wanted}; got {queue!r}")
        if (owner, name) in self._queues:
            raise LabError(f"queue must be a new name; {queue} is on {self.name} already")
        _check(kind, settings)
        made = self._queues[owner, name] = Queue(self, kind, name, owner, **settings)
        shown_settings = {key: value for key, value in settings.items() if value is not None and key != "rule"}
        limit = {"MAXDEPTH": made.max_depth} if made.max_depth is not None else {}
        rule = {"rule": made.rule_name} if made.rule is not None else {}
        self._log("define", "MQE-08", made, detail={"kind": kind} | shown_settings | limit | rule)
        if kind == "home-server":
            self._pullers[made] = Puller(made)
            self._pullers[made].begin()
        return made

    def delete(self, queue: str) -> None:
        """Delete a queue after its expired messages (MQE-04); MQeError "queue not empty" if one is left."""
        target = self.find(queue, "delete")
        purge(target, "delete")
        if target.depth:
            locked = sum(entry.lock is not None for entry in target.entries())
            self.refuse(whys.StillHolds(target.depth, locked), target.label, "delete")
        del self._queues[target.owner, target.name]
        if target in self._pullers:
            self._pullers.pop(target).end()
        self._log("delete", "MQE-08", target)

    def size(self, queue: str) -> int:
        """How many messages a queue has, as an administrator asks: what has expired goes first (MQE-05)."""
        target = self.find(queue, "size")
        seq = self._log("inquire", "MQE-05", target)
        purge(target, "size", cause=seq)
        return target.depth

    def depth(self, queue: str) -> int:
        """How many messages are on a queue, expired and locked ones too; the lab's own look, which changes nothing."""
        return self._named(queue, "depth").depth

    def activate(self, queue: str | None = None) -> None:
        """Activate one queue, or all, after a start: every expired message goes, whatever its state (MQE-03)."""
        self.require_running("activate")
        for target in self.queues if queue is None else [self._named(queue, "activate")]:
            self._activate(target)

    def _activate(self, queue: Queue) -> None:
        if not queue.active:
            queue.active = True
            purge(queue, "activate", cause=self._log("activate", "MQE-03", queue))

    def stop(self) -> None:
        """End the queue manager: its queues keep their messages and locks, and are no longer active."""
        self.require_running("stop")
        self.running = False
        for queue in self.queues:
            queue.active = False
        for puller in self._pullers.values():
            puller.end()
        self._turn += 1
        self._log("stop", "MQE-08")

    def start(self) -> None:
        """Start it again; LabError if it is running. A timer of `transmit_every` has to be set again."""
        if self.running:
            raise LabError(f"{self.name} must be stopped; it is running already")
        self.running = True
        self._log("start", "MQE-08")
        for puller in self._pullers.values():
            puller.begin()

    def trigger_transmission(self) -> None:
        """Send what asynchronous queues hold and let home-server queues pull, as the lab's time passes from here."""
        self.require_running("trigger_transmission")
        self._log("transmit", "MQE-13", detail={"triggered": True})
        for queue in self.queues:
            if queue.kind == "asynchronous":
                self._activate(queue)
                in_background(self.clock, send_all(queue))
        for puller in self._pullers.values():
            if not puller.polling:
                puller.begin()
            puller.fetch()

    def transmit_every(self, ms: int) -> None:
        """Trigger transmission every so many milliseconds from now on; 0 ends that. LabError if not a whole number."""
        require("ms", ms, int, "whole milliseconds, 0 or more", at_least(0))
        self.require_running("transmit_every")
        turn = self._turn = self._turn + 1
        if ms:
            every(self.clock, ms, lambda: turn == self._turn, self.trigger_transmission)

    def receive(self, name: str, message: Message, confirm_id: int, program: str) -> str:
        """A put of another queue manager's application arrives."""
        return local_queue.put(self.find(name, "put"), message, program, (self.name, name), confirm_id, "MQE-12")

    def give(self, name: str, uid: MessageId | None, confirm_id: int, program: str | None = None) -> Message:
        """A get, of its own applications or another queue manager's. MQeError "no matching message"."""
        queue = self.find(name, "get")
        entry = local_queue.available(queue, program, uid)
        if entry is None:
            self.refuse(whys.NoneAvailable(queue.depth), queue.label, "get", program)
        if confirm_id:
            local_queue.lock(queue, entry, program, confirm_id)
            return entry.message
        return local_queue.take(queue, entry, program)

    def accept(self, name: str, message: Message, sender: str) -> str:
        """The first stage of a transmission arrives: a put that waits for its confirmation (MQE-07)."""
        queue = self.find(name, "put")
        return local_queue.put(queue, message, sender, (self.name, name), sender, halfway=True)

    def confirm(self, name: str, uid: MessageId, sender: str) -> str:
        """The confirmation of a put arrives."""
        return local_queue.confirm_put(self.find(name, "confirm_put"), uid, sender)

    def release(self, name: str, uid: MessageId, client: str) -> str:
        """The confirmation of a get arrives, of an application or of a home-server queue."""
        queue = self.find(name, "confirm_get")
        rule = "MQE-14" if queue.kind == "store-and-forward" else "MQE-10"
        return local_queue.confirm_get(queue, uid, client, rule)

    def take_back(self, name: str, confirm_id: int, program: str) -> int:
        """An undo arrives."""
        return local_queue.undo(self.find(name, "undo"), confirm_id, program)

    def offer(self, name: str, client: str) -> tuple[Message, str] | None:
        """The next message that a store-and-forward queue keeps for a client, locked for it, and the queue it is meant
        for; None if there is none."""
        queue = self.find(name, "offer")
        if queue.kind != "store-and-forward":
            self.refuse(whys.KeepsForNobody(queue.kind), queue.label, "offer", client)
        entry = local_queue.available(queue, client, owner=client, holder=client)
        if entry is None:
            return None
        local_queue.lock(queue, entry, client, client, halfway=True)
        return entry.message, entry.destination[1]

    def arrival_queue(self, name: str, message: Message) -> Queue:
        """The local queue that a pulled message goes to: the one it is meant for, or else the dead-letter queue."""
        wanted = self._queues.get((self.name, name)) or self._queues.get((self.name, DEAD_LETTER_QUEUE))
        if wanted is None:
            self.refuse(whys.NowhereToArrive(str(message.uid)), name, "pull")
        self._activate(wanted)
        return wanted

    def find(self, queue: str, call: str, program: str | None = None) -> Queue:
        """The queue of this name, active; MQeError "unknown queue" or "not running"."""
        self.require_running(call, program)
        target = self._named(queue, call, program)
        self._activate(target)
        return target

    def route(self, queue: str, call: str, program: str | None = None) -> tuple[Queue, tuple[str, str]]:
        """Where a put to this name goes first, and the (owner, queue) it ends at: the queue itself, or else a
        store-and-forward queue that keeps messages for the owner (MQE-14)."""
        owner, name = self._key(queue)
        if (owner, name) not in self._queues and owner != self.name:
            keeper = next((q for q in self.queues if owner in q.targets), None)
            if keeper is not None:
                self.require_running(call, program)
                self._activate(keeper)
                return keeper, (owner, name)
        target = self.find(queue, call, program)
        if target.kind in ("store-and-forward", "home-server"):
            self.refuse(whys.NotForApplications(target.kind), target.label, call, program)
        return target, (owner, name)

    def new_uid(self) -> MessageId:
        """An identity for a message first put here; no two have the same time."""
        self._last_ms = max(self._last_ms + 1, (self.lab.now - EPOCH) // timedelta(milliseconds=1))
        return MessageId(self.name, self._last_ms)

    def _key(self, queue: str) -> tuple[str, str]:
        require("queue", queue, str, '"NAME" or "NAME@OWNER"')
        name, _, owner = queue.partition("@")
        return owner or self.name, name

    def _named(self, queue: str, call: str, program: str | None = None) -> Queue:
        target = self._queues.get(self._key(queue))
        if target is None:
            self.refuse(whys.NoSuchQueue(queue, [known.label for known in self.queues]), queue, call, program)
        return target

    def require_running(self, call: str, program: str | None = None) -> None:
        """Refuse a call while it is stopped."""
        if not self.running:
            self.refuse(whys.NotRunning(), "", call, program)

    def refuse(
        self, why: whys.OfCall, queue: str, call: str, program: str | None = None, cause: Exception | None = None
    ) -> NoReturn:
        """Write the event of a refused call, and raise it as an MQeError."""
        known = next((q for q in self.queues if q.label == queue), None)
        place, depth = (known.subject, known.depth) if known else ((self.name, queue or None, None), None)
        about = {"rule": why.rule, "detail": {"call": call, "refused": why.what, "why": why.facts}}
        seq = self.lab.events.write(self.clock.time_us, "refused", place, program=program, depth=depth, **about)
        raise MQeError(why.what, queue, self.name, why, seq) from cause

    def _log(self, kind: str, rule: str, queue: Queue | None = None, detail: dict | None = None) -> int:
        place, depth = (queue.subject, queue.depth) if queue else ((self.name, None, None), None)
        return self.lab.events.write(self.clock.time_us, kind, place, depth=depth, rule=rule, detail=detail)

    def __repr__(self) -> str:
        state = "running" if self.running else "stopped"
        return f"QueueManager({self.name!r}, everyplace, {state}, {len(self._queues)} queues)"


def _check(kind: str, settings: dict) -> None:
    """LabError for a setting that this kind of queue does not take, or a value that does not fit."""
    for key, value in settings.items():
        if key not in KINDS[kind].settings:
            able = ", ".join(KINDS[kind].settings) or "none"
            raise LabError(f"settings of a {kind} queue must be {able}; got {key!r}")
        if key == "rule":
            good, wanted = value is None or callable(value), "a function rule(queue, message)"
        elif key == "targets":
            good = isinstance(value, (list, tuple)) and all(map(legal_name, value))
            wanted = "a list of queue manager names"
        else:
            least = 0 if key == "poll_ms" else 1
            good = (type(value) is int and value >= least) or (value is None and key != "poll_ms")
            wanted = f"a whole number, {least} or more"
        if not good:
            raise LabError(f"{key} must be {wanted}; got {value!r}")
