"""The score of a lab at any moment: what became of the messages that programs put, from the event log alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import heappop, heappush
from typing import NamedTuple

from ...engine.explain.replay import MessageState, State
from ...engine.extra import dialect_of
from ...engine.world.event import Event

_CHANGES = frozenset({"get", "discard", "lost", "clear", "reject", "undo", "restore", "deliver"})


class Score(NamedTuple):
    """The fates of the messages that programs put, up to a moment. Each is in exactly one of the first four.

    Messages that the queue manager makes itself are not counted: trigger messages, reports, events, the records of
    channels. A transmission queue, a channel, and the queues of other products that send on are on the way: a get there
    is no delivery (CHL-02).

    - `delivered`: a program got it, outside a unit of work or in one that is committed (MQI-02, MQI-07).
    - `late`: it expired before that; it was discarded, or is still counted on its queue (EXP-02, EXP-17).
    - `lost`: it was lost in another way, and no program has it: on a channel that broke (CHL-07), at the end of its
      queue manager (MQI-16), with its structure, by CLEAR, or rejected (CHL-17).
    - `waiting`: it is on a queue, the dead-letter queue included, on the way, or got and not committed (MQI-06).
    - `doubled`: of these, it was put twice on one queue that is no transmission queue, as by RESOLVE CHANNEL with
      ACTION(BACKOUT) on a batch that had arrived (CHL-13).
    - `refused`: no message, but a put of a program that failed, as on a full queue (MQI-09).
    """

    delivered: int = 0
    late: int = 0
    lost: int = 0
    waiting: int = 0
    doubled: int = 0
    refused: int = 0


MEANINGS = {
    "delivered": "a program got it, and committed",
    "late": "it expired before a program got it",
    "lost": "no longer on any queue, and no program got it",
    "waiting": "on a queue, or on its way",
    "doubled": "put twice on the queue it was for",
    "refused": "a put that failed",
}
"""The meaning of each number of a score, in a few words."""


class _Tally:
    """The messages of a log, row by row: what has become of each."""

    def __init__(self) -> None:
        self.state, self.score = State(), Counter[str]()
        self.became: dict[int, str] = {}
        self.places: dict[int, set[tuple[str, str]]] = {}
        self.arrivals: Counter[tuple[int, tuple[str, str]]] = Counter()
        self.held: dict[int, list[int]] = {}  # messages that each open unit of work got
        self.own: set[int] = set()  # messages that queue managers made
        self.deadlines: list[tuple[int, int]] = []

    def take(self, row: Event) -> None:
        """Go one row further."""
        self.state.apply(row)
        if row.kind in ("commit", "backout"):
            for number in self.held.pop(row.uow, []) if row.uow is not None else ():
                if row.kind == "commit" and self.became.get(number) == "waiting" and not self._there(number):
                    self._is(number, "delivered")
        elif row.kind == "put" and row.reason is not None and row.message is None:
            self.score["refused"] += not self._channel(row)
        elif row.message is None or row.message in self.own:
            return
        elif row.message not in self.became and (row.kind == "report" or (row.kind == "put" and self._made(row))):
            self.own.add(row.message)
        elif row.kind == "put" or (row.kind in _CHANGES and row.message in self.became):
            self._moved(row, row.message)

    def _made(self, row: Event) -> bool:
        """Whether a row is the first of a message that the queue manager made, or a channel for its own records."""
        return row.program in self.state.running or ((row.object or "")[:7] == "SYSTEM." and not self._passing(row))

    def _moved(self, row: Event, number: int) -> None:
        queue_key, passing = (row.qmgr or "", row.object or ""), self._passing(row)
        if row.kind == "put":
            self.places.setdefault(number, set()).add(queue_key)
            self.arrivals[number, queue_key] += not passing
            self.score["doubled"] += self.arrivals[number, queue_key] == 2 and not passing
        elif row.kind == "undo":
            self.score["doubled"] -= self.arrivals[number, queue_key] == 2
            self.arrivals[number, queue_key] -= 1
        there = self._there(number)
        if there is not None:
            if there.expires_us is not None:
                heappush(self.deadlines, (there.expires_us, number))
            self._is(number, "late" if there.expired(row.time_us) else "waiting")
        elif row.kind == "get":
            if row.uow is not None and not passing:
                self.held.setdefault(row.uow, []).append(number)
            self._is(number, "waiting" if passing or row.uow is not None else "delivered")
        elif row.kind == "undo":
            self._is(number, "")
        elif self.became.get(number) != "delivered":  # a second copy that ends takes nothing back
            self._is(number, "late" if row.kind == "discard" else "lost")

    def ended(self, time_us: int) -> Iterable[int]:
        """The times up to `time_us` at which an expiry changed the score; the score is updated to each of them."""
        while self.deadlines and self.deadlines[0][0] <= time_us:
            expiry_us, number = heappop(self.deadlines)
            there = self._there(number)
            if there is not None and there.expires_us == expiry_us and self.became[number] == "waiting":
                self._is(number, "late")
                yield expiry_us

    def _is(self, number: int, what: str) -> None:
        before = self.became.get(number, "")
        if before == "late":
            return  # a late message stays late, wherever its copies go
        self.score[before] -= 1
        self.score[what] += 1
        self.became[number] = what

    def _there(self, number: int) -> MessageState | None:
        """The state of a message on its queue, or None if it is on no queue."""
        held = (self.state.queue(*place).messages.get(number) for place in sorted(self.places.get(number, ())))
        return next((message for message in held if message is not None), None)

    def _passing(self, row: Event) -> bool:
        """Whether a row is about a queue that messages only pass."""
        usage = self.state.queue(row.qmgr or "", row.object or "").attributes.get("USAGE")
        dialect = dialect_of(row.object_type)
        return usage == "XMITQ" or (dialect is not None and row.object_type in dialect.passing)

    def _channel(self, row: Event) -> bool:
        return any((row.qmgr, row.program) == place[:2] for place in self.state.channels)


def scores(rows: Iterable[Event], end_us: int) -> list[tuple[int, int, Score]]:
    """The score of a log at each change: (time, row of the log, score), beginning with nothing; times in microseconds
    since the start. A lifetime that ends is no row: its row is -1. `end_us` is how far to look.

    >>> scores([], 0)
    [(0, -1, Score(delivered=0, late=0, lost=0, waiting=0, doubled=0, refused=0))]
    """
    tally, changes = _Tally(), [(0, -1, Score())]

    def note(time_us: int, seq: int) -> None:
        score = Score(*(tally.score[name] for name in Score._fields))
        if score != changes[-1][2]:
            changes.append((time_us, seq, score))

    for row in rows:
        for expiry_us in tally.ended(row.time_us):
            note(expiry_us, -1)
        tally.take(row)
        note(row.time_us, row.seq)
    for expiry_us in tally.ended(end_us):
        note(expiry_us, -1)
    return changes
