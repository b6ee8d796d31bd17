"""Queues as the queue manager runs them: a local queue with its messages, aliases, and names of
queues elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from ..words import constants as mq
from ..words.constants import EXPIRY_MAXIMUM
from ..words.objects import Definition
from ..words.refusals import Grounds
from ..words.shown import shown
from ..words.whys import Why
from .message import Message, QueuedMessage
from .put import put
from .store import MessageStore
from .target import Opened, Put, QueueTarget, Route
from .transmission import put_direct, transmit

if TYPE_CHECKING:
    from .parts import Calls, QueueManager
    from .target import Target

NEVER = float("inf")


_SLOTS = """_expired_witness by_group cap clock definition deleted_when_closed defprty defpsist depth earliest_us
    exclusive fifo get_inhibited inhibitor inputs is_xmitq kept labels log logically_deleted longest longest_life
    maxdepth name new_id next_message next_turn object opens outputs subject put_inhibited qmgr queue room store stream
    temporary trigger uncommitted via waiters"""


@shown
class LocalQueue(QueueTarget, Opened):
    """A local queue: its definition, its messages, and what is counted about it.

    `depth` is CURDEPTH: expired and uncommitted messages count (EXP-17, MQI-05); a put needs `depth` below `room`,
    which is MAXDEPTH, or -1 where puts are inhibited. A lifetime up to `longest_life` is taken as it is given. Nothing
    on the queue can have expired before `earliest_us`.
    """

    __slots__ = tuple(_SLOTS.split())
    kind = "QLOCAL"
    depth: int
    out_of_reach: Why | None = None  # why nobody can reach its messages now, whatever its attributes are
    watched = True  # whether performance events watch it
    indexed = False  # whether gets find messages only by its index
    scan_rule: str | None = None  # the rule of its expiry scans, where that is not the queue manager's
    scanned_here = True
    own_trigger: type | None = None  # the sort of trigger it has, where that is not the common one
    direct_rule = "EXP-26"  # of what an application puts on it by itself, where it is a transmission queue

    def __init__(self, qmgr: QueueManager, definition: Definition):
        self.qmgr, self.definition, self.name = qmgr, definition, definition.name
        self.via: str | None = None
        self.queue = self.object = self
        self.subject = (qmgr.name, definition.name, "QLOCAL")
        self.clock, self.log, self.next_message = qmgr.clock, qmgr.lab.events.append, qmgr.lab.next_message
        self.new_id, self.labels = qmgr.new_id, qmgr.lab.labels
        self._hold_messages()
        self.inputs = self.outputs = self.opens = 0
        self.exclusive = False
        self.trigger: Any = None  # kept by mqlab.engine.queues.triggering where the queue is set up for it
        self.stream: Any = None  # what its puts go through, if an extra puts something before it
        self.logically_deleted = self.deleted_when_closed = False
        self.apply()

    def _hold_messages(self) -> None:
        """Begin empty, with nobody waiting."""
        self.store = MessageStore()
        self.depth = self.uncommitted = 0
        # who waits, by the turn each was given when its wait began
        self.waiters: list[tuple[int, Any]] = []
        self.next_turn = count(1).__next__
        self.earliest_us: float = NEVER
        self._expired_witness: QueuedMessage | None = None

    def apply(self) -> None:
        """Take over the attributes of the definition, after DEFINE or ALTER."""
        attributes = self.definition.attributes
        self.maxdepth = attributes["MAXDEPTH"]
        self.longest = min(attributes["MAXMSGL"], self.qmgr.attributes["MAXMSGL"])
        self.take_over((self.definition,))
        self.room = -1 if self.put_inhibited else self.maxdepth
        as_given = self.qmgr.platform != "vse" and self.qmgr.expiry_granularity == 1
        self.longest_life = EXPIRY_MAXIMUM if as_given else 0
        self.temporary, self.is_xmitq = attributes["DEFTYPE"] == "TEMPDYN", attributes["USAGE"] == "XMITQ"
        self.fifo, self.by_group = attributes["MSGDLVSQ"] == "FIFO", attributes.get("INDXTYPE") == "GROUPID"
        self.log = self.qmgr.log_of(self)

    def put(self, request: Put) -> Message:
        """Put one message: checked for a transmission queue, with its duplicate if the queue streams."""
        if self.is_xmitq:
            return put_direct(request, self.queue)
        return put(request, self.queue) if self.stream is None else self.stream.put(request)

    def put_as_named(self, request: Put) -> Message:
        """Put one message without the checks of a transmission queue, as by an alias of it."""
        return put(request, self.queue) if self.stream is None else self.stream.put(request)

    def depth_in_gets(self) -> int:
        """The number of its messages that uncommitted gets have removed."""
        return sum(queue is self for unit in self.qmgr.units.values() for queue, _ in unit.gets)

    def work_in_units(self) -> int:
        """How many puts and gets of it, made on this queue manager, are in units of work that have not ended."""
        return self.uncommitted + self.depth_in_gets()

    @property
    def keeps_nonpersistent(self) -> bool:
        """Whether its nonpersistent messages outlive the queue manager (NPMCLASS, or where it is kept)."""
        return self.definition.attributes.get("NPMCLASS") == "HIGH"

    def obstacles(self) -> list[tuple[str, str, bool, str]]:
        """Conditions of the queue itself that prevent gets now: rule, title, False, fact."""
        return []

    def scan_begins(self) -> None:
        """The queue manager is about to scan it, and queues like it."""

    def why_no_persistent(self) -> Grounds:
        """The reason why the queue refuses persistent messages."""
        return Grounds(mq.MQRC_PERSISTENT_NOT_ALLOWED, "temporary", {"queue": self.name})

    def why_too_long(self, length: int) -> Grounds | None:
        """Why the storage of this queue refuses messages of this length, None if it does not."""
        return None

    def require_index(self, call: Any) -> None:
        """Refuse a get by identifiers that the index does not serve."""

    def why_no_groups(self) -> Grounds | None:
        """Why no get can ask for a GroupId, None if it can."""
        return None

    def require_usable(self, application: Calls, target: Target, call: str) -> None:
        """Refuse the call if what holds its messages has failed: never, for a queue of one queue manager."""

    def commit_put(self, message: QueuedMessage, cause: int | None = None) -> None:
        """Make a committed put visible, at the place its arrival gave it; `cause` is the row of the commit."""
        self.uncommitted -= 1
        self.make_available(message, cause)

    def lose(self, message: QueuedMessage) -> None:
        """Count one message less."""
        self.depth -= 1
        if self.trigger is not None:
            self.trigger.left(message)

    def vanish(self, message: QueuedMessage, kind: str, rule: str, cause: int | None) -> None:
        """Remove a message without a get, with an event of this kind."""
        self.store.remove(message)
        self.lose(message)
        message.seq = -1
        self.record(kind, message, None, None, rule, cause)

    def make_available(self, message: QueuedMessage, cause: int | None) -> None:
        """Make a message available, and wake the gets that wait for one; remove it if its queue has been deleted."""
        message.visible_us = self.clock.time_us
        if message.expires_us is not None:
            self.expect(message.expires_us)
        self.store.add(message)
        if self.logically_deleted:
            self.vanish(message, "clear", "MQI-15", cause)
        elif self.waiters:
            self.wake()

    def expect(self, deadline_us: int | None) -> None:
        """Know of a deadline on this queue, so that a scan comes and `expired_witness` looks."""
        if deadline_us is not None and deadline_us < self.earliest_us:
            self.earliest_us = deadline_us
            self.qmgr.scanner.arm(deadline_us)

    def record(
        self,
        kind: str,
        message: QueuedMessage,
        program: str | None,
        uow: int | None,
        rule: str,
        cause: int | None,
        detail: str | None = None,
    ) -> int:
        """Write the event of something that happened to a message of this queue, after `depth` has changed; its seq."""
        if self.own_detail:
            told = {} if detail is None else json.loads(detail)
            detail = json.dumps({**told, **self.own_detail}, separators=(",", ":"))
        now, log = self.clock.time_us, self.log
        return message.record(log, now, kind, self.subject, program, uow, self.depth, None, rule, cause, detail)

    def wake(self) -> None:
        """Retry every waiting get: those that select first, then in the order in which they began to wait."""
        waiters, self.waiters = self.waiters, []
        for _, event in waiters:
            event.succeed()

    def expired_witness(self, now: int) -> QueuedMessage | None:
        """An expired message that a get can reach, or None. The queue is searched only if a message can have expired
        since the last search."""
        witness = self._expired_witness
        if witness is not None and witness.seq >= 0:
            return witness
        self._expired_witness = None
        if now < self.earliest_us:
            return None
        earliest = NEVER
        for message in self.store.in_order():
            expires = message.expires_us
            if expires is not None:
                if expires <= now:
                    self._expired_witness = message
                    return message
                earliest = min(earliest, expires)
        self.earliest_us = earliest
        return None

    def why_no_input(self, mode: str) -> Grounds | None:
        """Why it cannot be opened for input now ("shared", "exclusive" or "as_q_def"), None if it can (MQI-14)."""
        if self.inputs and (self.exclusive or self.input_mode(mode) == "exclusive"):
            case = "open-exclusively" if self.exclusive else "open-for-input"
            return Grounds(mq.MQRC_OBJECT_IN_USE, case, {"inputs": self.inputs})
        return None

    def input_mode(self, mode: str) -> str:
        """The mode an open for input really gets: NOSHARE makes it exclusive, "as_q_def" means DEFSOPT."""
        attributes = self.definition.attributes
        if not attributes["SHARE"]:
            return "exclusive"
        if mode == "as_q_def":
            return "exclusive" if attributes["DEFSOPT"] == "EXCL" else "shared"
        return mode

    def __repr__(self) -> str:
        return f"LocalQueue({self.name!r}, depth {self.depth} of {self.maxdepth})"


@shown
class Alias(Route):
    """An alias queue whose base is a local queue: its own defaults and inhibits, the base's messages."""

    kind = "QALIAS"

    def __init__(self, definition: Definition, queue: LocalQueue):
        # for the detail of an event
        self.via = json.dumps({"via": definition.name, **queue.own_detail}, separators=(",", ":"))
        self.base = queue
        super().__init__(definition.name, [definition], queue)

    def put(self, request: Put) -> Message:
        """Put one message to its base, without the checks of a transmission queue."""
        return self.queue.put_as_named(request)


@shown
class Remote(Route):
    """A destination elsewhere: `queue` is the transmission queue its messages go on, and `destination` (queue, queue
    manager) what their headers name."""

    kind, elsewhere = "QREMOTE", True
    tag: bytes | None = None  # the CorrelId of the separate descriptor, where that is not the message's MsgId
    rules = ("CHL-01", "CHL-01")  # of a put that gives priority and persistence, and of one with a default

    def __init__(self, name: str, path: list[Definition], queue: LocalQueue, destination: tuple[str, str]):
        self.destination = destination
        facts = {"via": name, "to": "@".join(destination), **queue.own_detail}
        self.via = json.dumps(facts, separators=(",", ":"))  # for the detail of an event
        self._stencil = (None, None, None)  # the header of the last message, and its source
        super().__init__(name, path, queue)

    def put(self, request: Put) -> Message:
        """Put one message, with a header for the other queue manager, on the transmission queue."""
        return transmit(request, self)

    def no_input_case(self) -> tuple[str, dict[str, Any]]:
        """Its messages go elsewhere."""
        return "elsewhere", {"destination": "@".join(self.destination)}

    def stencil(self, descriptor: Any, context: Any, make: Callable[..., Any]) -> Any:
        """The header of messages with this descriptor and context; `make(qmgr, destination, descriptor, context)`
        if it is not that of the message before."""
        about, of, stencil = self._stencil
        if about is not descriptor or of is not context:
            stencil = make(self.queue.qmgr, self.destination, descriptor, context)
            self._stencil = (descriptor, context, stencil)
        return stencil

    def __repr__(self) -> str:
        return f"Remote({self.name!r}, {'@'.join(self.destination)} by {self.queue.name})"
