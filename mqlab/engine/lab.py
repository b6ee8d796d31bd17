"""The lab of the engine: queue managers on one simulated clock, with one network and one event log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from .explain import life, why_not_delivered
from .explain.replay import Replay, State
from .queue_manager import QueueManager
from .queues.message import LABELED
from .words.arguments import checked, require
from .words.constants import CURRENT_LEVEL
from .words.errors import LabError
from .world.clock import MOMENT_LIMIT, Clock, Guard, microseconds
from .world.events import EventLog
from .world.interrupts import watch
from .world.network import Link, Network

LAST = datetime.max.replace(tzinfo=UTC)


class Lab:
    """A simulated world: the same calls with the same seed give the same event log, byte for byte.

    `mqlab.Lab` is this class with the methods of all extras; its docstring describes the parameters.
    """

    _makes: type[QueueManager] = QueueManager
    _writes: type[EventLog] = EventLog

    def __init__(
        self, seed: int = 0, start: str = "2025-01-06T09:00:00Z", record: bool = True, moment_limit: int = MOMENT_LIMIT
    ):
        require("seed", seed, int)
        try:
            moment = datetime.fromisoformat(start)
            utc = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            raise LabError(f'start must be a time such as "2025-01-06T09:00:00Z"; got {start!r}') from None
        self.seed = seed
        self.start: datetime = utc
        self.guard = Guard(self, moment_limit)
        self.clock = Clock(self.guard.count)
        self.events = self._writes(self.start.isoformat(), record)
        self.network = Network(self.clock, self.events)
        self._queue_managers: dict[str, Any] = {}
        self.others: dict[str, Any] = {}  # what else has a name here: queue managers of other products
        # identities of messages and numbers of units of work, each unique in the lab
        self.next_message, self.next_unit = count(1).__next__, count(1).__next__
        self.labels = [b""] * LABELED  # by a message's number, the beginning of its data: what a picture calls it
        self._replay = Replay(self.events)
        self.last_stamp = (-1, b"")  # the moment whose PutDate and PutTime were last asked for, and these

    def _moment(self, time_us: int) -> int:
        """The present simulated time; LabError if no calendar reaches so far."""
        if time_us > (LAST - self.start) // timedelta(microseconds=1):
            raise LabError(f"time must be before the year 10000; got {time_us} us after {self.start:%Y-%m-%d}")
        return time_us

    @property
    def now(self) -> datetime:
        """The simulated time, UTC."""
        return self.start + timedelta(microseconds=self.clock.time_us)

    @property
    def now_us(self) -> int:
        """The simulated time in microseconds since the lab's start."""
        return self.clock.time_us

    def advance(self, seconds: float) -> None:
        """Let `seconds` of simulated time pass; everything due in that time happens, in order."""
        self.clock.advance_to(self._moment(self.clock.time_us + microseconds(seconds)))

    def advance_to(self, time_us: int) -> None:
        """Let time pass until `time_us`, microseconds since the lab's start; LabError if that is in the past."""
        require("time_us", time_us, int, "whole microseconds since the start")
        self.clock.advance_to(self._moment(time_us))

    def run(self, max_seconds: float | None = None) -> None:
        """Let time pass until nothing is left to happen, at most `max_seconds`."""
        longest = None if max_seconds is None else microseconds(max_seconds, "max_seconds")
        self.clock.settle(None if longest is None else self.clock.time_us + longest)

    def close(self) -> None:
        """End every remaining program where it waits, as `Program.stop` does; the log records it.

        Use it if you make labs by the hundred: a program that waits keeps all of its lab in memory, out of the garbage
        collector's sight, as long as this process lasts. A web page does this by itself for labs that nothing holds.
        LabError if the caller cannot resume the programs; all of them go on.
        """
        self.clock.passing.require_able()
        for program in [each for qmgr in self.queue_managers for each in qmgr.programs_running]:
            program.stop()

    def queue_manager(
        self, name: str, platform: str = "distributed", level: int = CURRENT_LEVEL, **settings: Any
    ) -> QueueManager:
        """Create and start a queue manager; LabError if the lab has one of that name. `settings` are those of
        `mqlab.engine.queues.queue_manager.QueueManager`."""
        watch()
        self._require_new(name)
        qmgr = self._queue_managers[name] = self._makes(self, name, platform, level, **settings)
        return qmgr

    def _require_new(self, name: str) -> None:
        if name in [*self._queue_managers, *self.others]:
            raise LabError(f"queue manager must be a new name; {name} is in this lab already: lab[{name!r}]")

    def link(self, qmgr: str, other: str, latency: float = 0.0, counts_flight: bool = False) -> Link:
        """Create a link between two queue managers, or change the one there is.

        `latency` is seconds one way; with `counts_flight` channels take it off the lifetimes of messages (EXP-04).
        LabError for a queue manager that is not in the lab.
        """
        for name in (qmgr, other):
            self[name]
        return self.network.link(qmgr, other, latency, counts_flight)

    def cut(self, near: str, other: str, *, silent: bool = False) -> None:
        """Cut the path between two queue managers: what is on its way is lost. Or, with the name of a client program as
        `near`, that of the client to its queue manager: its connections break, and its calls get 2009 (NET-02).

        Channels find a cut at once. If it is `silent`, nobody is told: what is sent waits, and each end goes on until
        HBINT tells it (CHL-18). LabError if there is no such link or client, it is cut, or a client's is to be silent.
        """
        if self._is_client(near, other):
            require("silent", silent, bool, "False for the link of a client", lambda value: not value)
            from .queues.broken import cut

            cut(self.network, self._queue_managers[other], near)
        else:
            self.network.cut(near, other, silent)

    def restore(self, near: str, other: str) -> None:
        """Restore the link between two queue managers, or that of a client program to one. LabError if there is none,
        or it is not cut."""
        if self._is_client(near, other):
            from .queues.broken import restore

            restore(self.network, self._queue_managers[other], near)
        else:
            self.network.restore(near, other)

    def _is_client(self, near: str, other: str) -> bool:
        """Whether the two ends of a link are a program and a queue manager."""
        texts = isinstance(near, str) and isinstance(other, str)
        return texts and other in self._queue_managers and near not in {*self._queue_managers, *self.others}

    def address(self, conname: str, name: str) -> None:
        """Say which queue manager a connection name, such as "hub.example(1414)", is the address of. LabError for a
        connection name that is no text, and for an unknown queue manager."""
        require("conname", conname, str, 'text such as "hub.example(1414)"')
        self[name]
        self.network.addresses[conname] = name

    @property
    def queue_managers(self) -> Sequence[QueueManager]:
        """Its queue managers, in the order in which they were created."""
        return list(self._queue_managers.values())

    def __getitem__(self, name: str) -> Any:
        there = self._queue_managers | self.others
        try:
            return there[name]
        except (KeyError, TypeError):
            names, hint = ", ".join(there) or "none yet", f"lab.queue_manager({name!r}) makes it"
            raise LabError(f"queue manager must be one of {names}; got {name!r}. {hint}") from None

    def explain(self, message: object) -> str:
        """Return the life of a message (a Message, or its number), one line for each event: time, sentence, the rule's
        id and title. LabError if the log does not know the message."""
        return life.explain(self, message)

    def why_not_delivered(self, message: object) -> why_not_delivered.Delivery:
        """Return where a message is and every reason that holds it there. LabError if the log does not know it."""
        return why_not_delivered.why_not_delivered(self, message)

    def state(self, at: int | datetime | None = None, seq: int | None = None) -> State:
        """The state replayed from the event log: after every event up to `at` (microseconds since the start, or a
        datetime), or up to row `seq`; now if neither is given."""
        if at is not None and seq is not None:
            raise LabError("give at or seq, not both")
        time_us = self.now_us if at is None and seq is None else self._time_us(at)
        return self._replay.at(time_us=time_us, seq=seq)

    def _time_us(self, time: object) -> Any:
        """A datetime in microseconds since the start; anything else as it is."""
        if not isinstance(time, datetime):
            return time
        return ((time.replace(tzinfo=UTC) if time.tzinfo is None else time) - self.start) // timedelta(microseconds=1)

    @checked
    def facts(self, subject: tuple, seq: int) -> dict:
        """A queue (`subject`: queue manager, queue, type) before and after the call of event row `seq`."""
        if not self.events.recording or subject[2:] != ("QLOCAL",):
            return {}
        state = self._replay.at(seq=seq)
        facts, states = state.facts(*subject[:2]), state.message_states(*subject[:2])
        queue = state.queue(*subject[:2])
        late = [
            message.number
            for message in queue.messages.values()
            if message.uow is None and (message.number in queue.locked or message.expired(state.time_us))
        ]
        gone = [number for number in late if self._discarded(number, seq)]
        states |= dict.fromkeys(gone, "expired; this call discarded it")
        return facts | {"CURDEPTH after": facts["CURDEPTH"] - len(gone), "messages": states}

    def _discarded(self, number: int, seq: int) -> bool:
        """Whether the call of event row `seq` discarded this message."""
        return any(row.kind == "discard" and row.cause == seq for row in self.events.of_message(number))

    def __repr__(self) -> str:
        names = ", ".join([*self._queue_managers, *self.others]) or "no queue managers yet"
        return f"Lab({names}; {self.now:%Y-%m-%d %H:%M:%S} UTC, {len(self.events)} events)"
