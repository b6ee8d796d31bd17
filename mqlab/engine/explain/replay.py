"""The state at any moment, replayed from the event log and from nothing else."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from ..extra import dialect_of, of_extras
from ..words import catalog
from ..words.arguments import at_least, checked_calls, require
from ..words.constants import MAXPRTY
from ..words.shown import shown
from ..world.clock import TENTH
from ..world.event import Event
from ..world.events import EventLog
from ..world.interrupts import let_go

STRIDE = 4096


def deadline(row: Event) -> int | None:
    """When a message that arrived on a queue by `row` expires, microseconds; None for unlimited."""
    dialect = dialect_of(row.object_type)
    left = row.expiry_left if dialect is None else dialect.left(row, row.facts)
    return None if left is None else row.time_us + round(left * TENTH)


def lock_of(row: Event) -> bool | None:
    """Return True if a row locks its message, and False if it frees it; None for any other row."""
    if row.kind in ("unlock", "confirm"):
        return False
    held = row.kind in ("browse", "lock", "put") and row.detail is not None and "lock" in row.facts
    return True if held else None


class MessageState(NamedTuple):
    """One message on a queue: times in microseconds since the lab's start, `expires_us` None for unlimited, `uow` the
    unit of work that put it and has not ended, `filed` the priority it is filed by, `seq` the row of its arrival,
    `reason` why it is on a dead-letter queue: the MQRC in its dead-letter header, 0 if there is none."""

    number: int
    priority: int
    persistent: bool
    put_us: int
    arrived_us: int
    expires_us: int | None
    uow: int | None
    filed: int
    seq: int
    backout_count: int = 0
    reason: int = 0

    def expired(self, now_us: int) -> bool:
        """Return whether it has expired at `now_us` (EXP-02)."""
        return self.expires_us is not None and self.expires_us <= now_us


class Held(NamedTuple):
    """A message that an uncommitted get has removed from its queue, and the program of the get, None without a name."""

    message: MessageState
    program: str | None


def place_of(message: MessageState) -> tuple[int, int]:
    """The place of a message in delivery order."""
    return -message.filed, message.seq


@dataclass(slots=True)
class QueueState:
    """One local queue: `messages` by number, `attributes` as far as the log has them, `inputs` and `outputs` the
    handles open for input and output, `locked` the numbers of the messages that are locked, `held` by number the
    messages that uncommitted gets have removed: a backout restores them to their places. If a message is there when it
    arrives again, as after a batch that an administrator backed out, `copies` has the negative number that it is by."""

    attributes: dict[str, Any] = field(default_factory=dict)
    messages: dict[int, MessageState] = field(default_factory=dict)
    inputs: int = 0
    outputs: int = 0
    locked: set[int] = field(default_factory=set)
    uncommitted: int = 0
    held: dict[int, Held] = field(default_factory=dict)
    copies: dict[tuple[int, int], int] = field(default_factory=dict)  # by number and arrival, microseconds
    # as of the moment last asked for: when its committed messages will expire, as a heap, and those that have expired
    _deadlines: list[tuple[int, int]] | None = field(default=None, compare=False, repr=False)
    _expired: set[int] = field(default_factory=set, compare=False, repr=False)
    _asked_us: int = field(default=0, compare=False, repr=False)
    _arrivals: list[tuple[int, int]] | None = field(default=None, compare=False, repr=False)  # a heap: time, number
    # delivery order, made when it is first asked for: (priority it is filed by, negative; row of its arrival; number)
    _order: list[tuple[int, int, int]] | None = field(default=None, compare=False, repr=False)

    @property
    def depth(self) -> int:
        """CURDEPTH: every message, uncommitted and expired ones too."""
        return len(self.messages)

    def in_order(self) -> list[MessageState]:
        """Its messages in delivery order, uncommitted ones among them."""
        return sorted(self.messages.values(), key=place_of)

    def front(self, count: int) -> list[MessageState]:
        """Its first `count` messages in delivery order; cheap when asked again after a few changes."""
        if self._order is None:
            self._order = sorted([(-m.filed, m.seq, number) for number, m in self.messages.items()])
        return [self.messages[number] for _, _, number in self._order[:count]]

    def oldest_us(self) -> int | None:
        """The arrival of the message that has been here longest, microseconds; None without one; cached."""
        if self._arrivals is None:
            self._arrivals = [(m.arrived_us, number) for number, m in self.messages.items()]
            heapify(self._arrivals)
        while self._arrivals:
            arrived, number = self._arrivals[0]
            if number in self.messages and self.messages[number].arrived_us == arrived:
                return arrived
            heappop(self._arrivals)
        return None

    def expired(self, now_us: int) -> int:
        """How many committed messages have expired at `now_us` and still count (EXP-17); cheap when asked again."""
        if self._deadlines is None or now_us < self._asked_us:
            committed = ((number, m) for number, m in self.messages.items() if m.uow is None)
            self._deadlines = [(m.expires_us, number) for number, m in committed if m.expires_us is not None]
            self._expired = set()
            heapify(self._deadlines)
        self._asked_us = now_us
        while self._deadlines and self._deadlines[0][0] <= now_us:
            message = self.messages.get(number := heappop(self._deadlines)[1])
            if message is not None and message.uow is None and message.expired(now_us):
                self._expired.add(number)
        return len(self._expired)

    def number_of(self, row: Event) -> int:
        """The number that the message of a row is by."""
        number = row.message or 0
        return self.copies.get((number, row.arrived_us or 0), number)

    def keep(self, number: int, message: MessageState) -> None:
        """Put a message on the queue, or change the one that is there."""
        before = self.messages.get(number)
        self.uncommitted += (message.uow is not None) - (before is not None and before.uow is not None)
        self.messages[number] = message
        if self._arrivals is not None:
            heappush(self._arrivals, (message.arrived_us, number))
        if self._order is not None and (before is None or place_of(before) != place_of(message)):
            if before is not None:
                self._order.pop(bisect_left(self._order, place_of(before)))
            insort(self._order, (*place_of(message), number))
        if self._deadlines is not None and message.uow is None and message.expires_us is not None:
            heappush(self._deadlines, (message.expires_us, number))

    def take(self, number: int) -> MessageState | None:
        """Take a message off the queue; None if it is not there."""
        message = self.messages.pop(number, None)
        self.uncommitted -= message is not None and message.uow is not None
        self._expired.discard(number)
        if message is not None and self._order is not None:
            self._order.pop(bisect_left(self._order, place_of(message)))
        return message

    def copy(self) -> QueueState:
        """A copy that shares no changeable part."""
        copied = dict(self.attributes), dict(self.messages), self.inputs, self.outputs, set(self.locked)
        return QueueState(*copied, self.uncommitted, dict(self.held), dict(self.copies))


@shown
class State:
    """The state at one moment, from the log: `queues` by (queue manager, queue), `time_us` and `seq` of the last row.

    `channels` holds the state of each channel that has had one, by (queue manager, channel, partner; "" for an end that
    sends), `links` whether a link is up, by its two queue managers, and `structures` "ACTIVE" or "FAILED" for each
    structure that was used and that several have in common, by (group, structure). `indoubt` counts the messages of a
    batch that a channel has sent and not had confirmed, by (queue manager, channel), and `programs` how many of a name
    run, by (queue manager, program), of those that a lab starts and ends itself.
    """

    def __init__(self) -> None:
        self.time_us, self.seq = 0, -1
        self.queues: dict[tuple[str, str], QueueState] = {}
        self.running: dict[str, bool] = {}
        self.channels: dict[tuple[str, str, str], str] = {}
        self.links: dict[tuple[str, str], bool] = {}
        self.structures: dict[tuple[str, str], str] = {}
        self.indoubt: dict[tuple[str, str], int] = {}
        self.programs: dict[tuple[str, str], int] = {}
        # what each open unit of work did: (queue, message number there, whether it was a put) to the message
        self._units: dict[int, dict[tuple[tuple[str, str], int, bool], MessageState]] = {}

    def copy(self) -> State:
        """A copy that shares no changeable part."""
        other = State()
        other.time_us, other.seq = self.time_us, self.seq
        other.queues = {key: queue.copy() for key, queue in self.queues.items()}
        other.running, other.channels, other.links = dict(self.running), dict(self.channels), dict(self.links)
        other.structures, other.indoubt, other.programs = dict(self.structures), dict(self.indoubt), dict(self.programs)
        other._units = {number: dict(done) for number, done in self._units.items()}
        return other

    def queue(self, qmgr: str, name: str) -> QueueState:
        """One queue; an empty one if the log does not have it yet."""
        return self.queues.get((qmgr, name)) or QueueState()

    def expired(self, qmgr: str, name: str) -> int:
        """How many committed messages of a queue have expired and still count (EXP-17)."""
        return self.queue(qmgr, name).expired(self.time_us)

    def uncommitted(self, qmgr: str, name: str) -> int:
        """How many messages of a queue were put in a unit of work that has not ended."""
        return self.queue(qmgr, name).uncommitted

    def facts(self, qmgr: str, name: str) -> dict:
        """The facts about a queue that explain a failure: counts, limits, inhibits, and open handles."""
        queue, now = self.queue(qmgr, name), self.time_us
        free = [m for m in queue.messages.values() if m.uow is None and m.number not in queue.locked]
        shown = ("MAXDEPTH", "MAXMSGL", "GET", "PUT", "MSGDLVSQ")
        return {
            "CURDEPTH": queue.depth,
            "expired but still counted": self.expired(qmgr, name),
            "put but not committed": self.uncommitted(qmgr, name),
            "locked by a browse": len(queue.locked),
            "available": sum(not message.expired(now) for message in free),
            "got but not committed": len(queue.held),
            "IPPROCS": queue.inputs,
            "OPPROCS": queue.outputs,
            **{key: queue.attributes[key] for key in shown if key in queue.attributes},
        }

    def message_states(self, qmgr: str, name: str) -> dict[int, str]:
        """The state of each message of a queue in words, by its number."""
        queue, states = self.queue(qmgr, name), {}
        for message in queue.messages.values():
            state = "expired but still counted" if message.expired(self.time_us) else "available"
            state = "locked by a browse" if message.number in queue.locked else state
            states[message.number] = "put but not committed" if message.uow is not None else state
        return states

    def apply(self, row: Event) -> None:
        """Go one row further."""
        self.time_us, self.seq = row.time_us, row.seq
        event: Any = row
        if event.reason is not None and event.message is None:
            return
        match event.kind:
            case "put" | "report":
                self._put(event)
            case "get" | "discard" | "lost":
                self._remove(event)
            case "open" | "close":
                detail, queue, change = event.facts, self._of(event), 1 if event.kind == "open" else -1
                queue.inputs += change * (detail["input"] is not None)
                queue.outputs += change * ("output" in detail["uses"])
            case "commit":
                for (key, number, put), message in self._units.pop(event.uow, {}).items():
                    if put:
                        self.queue(*key).keep(number, message._replace(uow=None))
                    else:
                        self.queue(*key).held.pop(number, None)
            case "browse" | "lock" | "confirm" | "unlock":
                locks = lock_of(event)
                if locks is not None:
                    (self._of(event).locked.add if locks else self._of(event).locked.discard)(event.message)
            case "channel":
                self._channel(event)
            case "define" | "alter":
                if event.object_type == "QLOCAL" or dialect_of(event.object_type) is not None:
                    self._of(event).attributes.update(event.facts)
            case "delete":
                self.queues.pop((event.qmgr, event.object), None)
            case "restore":
                queue, message = self.queue(event.qmgr, event.object), self._done(event, put=False)
                queue.held.pop(queue.number_of(event), None)
                queue.keep(queue.number_of(event), message._replace(backout_count=message.backout_count + 1))
            case "undo" | "clear":
                self._remove(event)
                if event.uow is not None:  # both can be in none
                    self._done(event, put=True)
            case "deliver":
                self._of(event).keep(self._of(event).number_of(event), self._done(event, put=True)._replace(uow=None))
            case "forget":
                messages = self._of(event).messages
                messages.update({number: each._replace(backout_count=0) for number, each in messages.items()})
            case "start" | "stop":
                self.running[event.qmgr] = event.kind == "start"
                born = event.facts if event.detail else {}
                for name in born.get("system", ()):
                    self.queues[event.qmgr, name] = QueueState(catalog.defaults("QLOCAL", born["platform"]))
            case "program":
                key, begins = (event.qmgr, event.program), event.facts["state"] == "started"
                self.programs[key] = self.programs.get(key, 0) + (1 if begins else -1)
            case "prepare":
                done = self._units.get(event.uow, {})
                self.indoubt[event.qmgr, event.program] = sum(not put for _, _, put in done)
            case "fault" | "allocate" | "recover":
                self._fault(event)

    def _of(self, event: Any) -> QueueState:
        key = (event.qmgr, event.object)
        if key not in self.queues:
            self.queues[key] = QueueState()
        return self.queues[key]

    def _put(self, event: Any) -> None:
        queue = self._of(event)
        fifo = queue.attributes.get("MSGDLVSQ") == "FIFO"
        filed = queue.attributes["DEFPRTY"] if fifo else min(event.priority, MAXPRTY)
        descriptor = (event.message, event.priority, event.persistent, event.put_us, event.arrived_us)
        reason = event.facts.get("Reason", 0)
        message = MessageState(*descriptor, deadline(event), event.uow, filed, event.seq, reason=reason)
        if event.message in queue.messages or event.message in queue.held:
            queue.copies[event.message, event.arrived_us] = -event.seq
        queue.keep(queue.number_of(event), message)
        if lock_of(event):
            queue.locked.add(event.message)
        if event.uow is not None:
            self._units.setdefault(event.uow, {})[(event.qmgr, event.object), queue.number_of(event), True] = message

    def _remove(self, event: Any) -> None:
        queue = self.queues.get((event.qmgr, event.object))
        if queue is None or event.object_type is None:
            return  # a program held it when it ended: it is on no queue
        number = queue.number_of(event)
        queue.locked.discard(event.message)
        queue.held.pop(number, None)
        message: Any = queue.take(number)
        if event.kind == "get" and event.uow is not None:
            self._units.setdefault(event.uow, {})[(event.qmgr, event.object), number, False] = message
            queue.held[number] = Held(message, event.program)

    def _done(self, event: Any, put: bool) -> MessageState:
        """Remove one put or get, if only of a queue that is deleted, from its unit, and the unit with the last one."""
        done = self._units[event.uow]
        message = done.pop(((event.qmgr, event.object), self.queue(event.qmgr, event.object).number_of(event), put))
        if not done:
            del self._units[event.uow]
        return message

    def _channel(self, event: Any) -> None:
        detail = event.facts
        if event.object_type == "CHANNEL" and "was" in detail:
            self.channels[event.qmgr, event.object, detail.get("partner", "")] = detail["state"]
        elif "outcome" in detail:
            self.indoubt.pop((event.qmgr, event.object), None)

    def _fault(self, event: Any) -> None:
        if event.object_type == "LINK":
            one, _, other = event.object.partition(" - ")
            self.links[one, other] = event.facts.get("up", self.links.get((one, other), True))
        elif of_extras("nodes").get(event.object_type) == "structure":
            status = event.facts.get("STATUS") if event.detail else None
            self.structures[event.qmgr, event.object] = status or self.structures.get((event.qmgr, event.object), "NEW")


class Replay:
    """States of a log, with checkpoints kept so that any moment is a few milliseconds away.

    >>> Replay(EventLog()).at().queues
    {}
    """

    def __init__(self, events: EventLog):
        self.events = events
        self._marks: list[State] = [State()]

    def at(self, time_us: int | None = None, seq: int | None = None) -> State:
        """The state after every row up to and including `time_us`, or row `seq`; after the last row if neither is
        given. The caller can change the result. Raises LabError for anything but a whole number from 0."""
        for value, what in ((time_us, "at"), (seq, "seq")):
            require(what, value, int | None, "a whole number, 0 or more, or for `at` a datetime", at_least(0))
        end = len(self.events) if seq is None else min(seq + 1, len(self.events))
        if time_us is not None:
            end = self.events.count_until(time_us)
        self._extend_marks(end)
        mark = bisect_right(self._marks, end - 1, key=lambda state: state.seq) - 1
        state = self._marks[mark].copy()
        for event in self.events.span(state.seq + 1, end):
            state.apply(event)
        if time_us is not None:
            state.time_us = time_us
        return state

    def _extend_marks(self, end: int) -> None:
        """Keep a checkpoint every STRIDE rows, further apart if a state has more messages than that."""
        state = self._marks[-1]
        while state.seq + (rows := max(STRIDE, sum(queue.depth for queue in state.queues.values()))) < end:
            state = state.copy()
            for event in self.events.span(state.seq + 1, state.seq + 1 + rows):
                state.apply(event)
            self._marks.append(state)
            let_go()


checked_calls(State, but=("apply", "copy"))
