"""The lab: queue managers on one simulated clock with one event log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

from .clock import Clock, microseconds
from .constants import CURRENT_LEVEL
from .errors import LabError
from .events import EventLog
from .explain import explain
from .qmgr import QueueManager
from .replay import Replay
from .runaway import MOMENT_LIMIT, Guard
from .topology import topology

__all__ = ["Lab"]

LAST = datetime.max.replace(tzinfo=UTC)


class Lab:
    """A simulated world: the same calls with the same seed give the same event log, to the byte.

    `start` is the simulated UTC time at which the clock stands at 0; `record=False` leaves the event log empty, for
    measuring what it costs. `moment_limit` is how many steps of the clock one moment may take while no messages become
    fewer; then RunawayTrigger stops programs that keep each other busy. LabError for a start that is not an ISO 8601
    time, or for another value that is not a whole number.

    >>> lab = Lab(seed=0, start="2025-01-06T09:00:00Z")
    >>> qm = lab.queue_manager("QM1")
    >>> qm.mqsc("DEFINE QLOCAL(ORDERS)").ok
    True
    >>> qm.put("ORDERS", b"hello", expiry=50).expiry
    50
    >>> lab.advance(2)
    >>> qm.get("ORDERS").expiry
    30
    """

    def __init__(
        self, seed: int = 0, start: str = "2025-01-06T09:00:00Z", record: bool = True, moment_limit: int = MOMENT_LIMIT
    ):
        if type(seed) is not int:
            raise LabError(f"seed wanted: a whole number; got {seed!r}")
        try:
            moment = datetime.fromisoformat(start)
        except (TypeError, ValueError):
            raise LabError(f'start wanted: a time such as "2025-01-06T09:00:00Z"; got {start!r}') from None
        self.seed = seed
        self.start: datetime = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        self.guard = Guard(self, moment_limit)
        self.clock = Clock(self.guard.count)
        self.events = EventLog(self.start.isoformat(), record)
        self._queue_managers: dict[str, QueueManager] = {}
        # identities of messages and numbers of units of work, each unique in the lab
        self.next_message, self.next_unit = count(1).__next__, count(1).__next__
        self._replay = Replay(self.events)

    def _moment(self, time_us: int) -> int:
        """The time as it is; LabError if no calendar reaches so far."""
        if time_us > (LAST - self.start) // timedelta(microseconds=1):
            raise LabError(f"time wanted: before the year 10000; got {time_us} us after {self.start:%Y-%m-%d}")
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
        if type(time_us) is not int:
            raise LabError(f"time_us wanted: whole microseconds since the start; got {time_us!r}")
        self.clock.advance_to(self._moment(time_us))

    def run(self, max_seconds: float | None = None) -> None:
        """Let time pass until nothing is left to happen, at the most `max_seconds`."""
        self.clock.settle(
            None if max_seconds is None else self.clock.time_us + microseconds(max_seconds, "max_seconds")
        )

    def queue_manager(
        self, name: str, platform: str = "distributed", level: int = CURRENT_LEVEL, **settings
    ) -> QueueManager:
        """Create and start a queue manager; LabError if the lab has one of that name. `settings` are QueueManager's."""
        if name in self._queue_managers:
            raise LabError(f"queue manager wanted: a new name; {name} is in this lab already: lab[{name!r}]")
        qmgr = QueueManager(self, name, platform, level, **settings)
        self._queue_managers[name] = qmgr
        return qmgr

    @property
    def queue_managers(self) -> list[QueueManager]:
        """Its queue managers, in the order in which they were created."""
        return list(self._queue_managers.values())

    def __getitem__(self, name: str) -> QueueManager:
        try:
            return self._queue_managers[name]
        except KeyError:
            raise LabError(
                f"queue manager wanted: one of {', '.join(self._queue_managers) or 'none yet'}; got {name!r}. "
                f"lab.queue_manager({name!r}) makes it"
            ) from None

    def explain(self, message) -> str:
        """A message's life in sentences, each with its rule; `message` is a Message or its number."""
        return explain(self, message)

    def topology(self):
        """The objects and programs of the lab as a networkx.MultiDiGraph; see `mqlab.topology` for its attributes."""
        return topology(self)

    def state(self, at=None, seq: int | None = None):
        """The state replayed from the event log: after every event up to `at` (microseconds since the start, or a
        datetime), or up to row `seq`; now if neither is given."""
        if at is not None and seq is not None:
            raise LabError("one of at and seq wanted; got both")
        if isinstance(at, datetime):
            at = ((at.replace(tzinfo=UTC) if at.tzinfo is None else at) - self.start) // timedelta(microseconds=1)
        for value, what in ((at, "at"), (seq, "seq")):
            if value is not None and (type(value) is not int or value < 0):
                raise LabError(f"{what} wanted: a whole number, 0 or more, or for `at` a datetime; got {value!r}")
        if at is None and seq is None:
            at = self.now_us
        return self._replay.at(time_us=at, seq=seq)

    def facts(self, place: tuple, seq: int) -> dict:
        """What was known about a queue (`place`: queue manager, queue, type) just after event row `seq`."""
        if not self.events.recording or place[2] != "QLOCAL":
            return {}
        return self._replay.at(seq=seq).facts(place[0], place[1])

    def __repr__(self):
        names = ", ".join(self._queue_managers) or "no queue managers yet"
        return f"Lab({names}; {self.now:%Y-%m-%d %H:%M:%S} UTC, {len(self.events)} events)"
