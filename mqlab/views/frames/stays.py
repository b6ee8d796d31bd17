"""One message's rows told as stretches and marks: the stays on queues, the ways between them, and the end."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import NamedTuple

from ...explain.words import sentence
from ...sim import event_kinds as kinds
from .depths import deadline
from .moments import duration
from .queue_roles import DEAD_LETTER, QUEUE, TRANSMISSION, Homes, lock_of

__all__ = ["ENDS", "MARKS", "STATES", "Mark", "Segment", "life"]

UNCOMMITTED, FLIGHT, LOCKED = "not committed", "in flight", "locked"
LAPSED, HELD = "lapsed, still counted", "got, not committed"
STATES = (UNCOMMITTED, QUEUE, TRANSMISSION, FLIGHT, LOCKED, DEAD_LETTER, LAPSED, HELD)
ENDS = (*kinds.ENDS.values(), "still there")
MARKS = (*ENDS, "moved on", "returned by backout", "report", "report sent")


class Segment(NamedTuple):
    """A stretch of a message's life: `state` is one of STATES, times are microseconds since the lab's start."""

    message: int
    queue: str
    state: str
    from_us: int
    to_us: int
    rule: str
    reason: str
    qmgr: str = ""


class Mark(NamedTuple):
    """A moment that begins, turns or ends something: `kind` is one of MARKS, one of ENDS is a message's last."""

    message: int
    queue: str
    kind: str
    time_us: int
    rule: str
    reason: str
    qmgr: str = ""


class Units(NamedTuple):
    """How units of work ended: the row of the commit, and those that were backed out, by number."""

    commits: dict
    backouts: frozenset


_SAYING = {
    UNCOMMITTED: "counts on {queue} for {time} before its unit of work ends",
    QUEUE: "can be got from {queue} for {time}",
    TRANSMISSION: "waits on transmission queue {queue} for {time} to be sent",
    FLIGHT: "on its way for {time}: {program} has it from {queue}, and it is not yet at the other end",
    LOCKED: "locked on {queue} for {time}: it counts, and no other call sees it",
    DEAD_LETTER: "lies on dead-letter queue {queue} for {time}",
    LAPSED: "its lifetime is over; it still counts on {queue} for {time}",
    HELD: "held for {time} by the unit of work in which {program} got it from {queue}",
}


def life(rows: list, homes: Homes, units: Units, end_us: int):
    """The segments and marks of one message up to `end_us` from its rows, in order of time, queue by queue."""
    rows = [r for r in rows if not (r.object_type is None and r.kind in kinds.HELD_ENDS and r.uow in units.backouts)]
    latest = _latest(rows)
    for stay in _places(rows):
        yield from _Place(stay, rows, latest, homes, units, end_us).told()


def _places(rows: list) -> list[list]:
    """The rows of a message by the queue they concern, in the order in which it came there.

    What ended while a program held it belongs to the queue that it was got from.
    """
    places: dict[tuple, list] = {}
    got = None
    for row in rows:
        got = (row.qmgr, row.object) if row.kind == "get" else got
        held = row.object_type is None and row.kind in kinds.HELD_ENDS
        places.setdefault(got if held and got else (row.qmgr, row.object), []).append(row)
    return list(places.values())


def _latest(rows: list) -> int:
    """The row by which a message last came to a queue, of those that were not undone; -1 for none."""
    last = {}
    for row in rows:
        if row.kind in kinds.ARRIVES and not row.reason:
            last[row.qmgr, row.object] = row.seq
        elif row.kind == "undo":
            last.pop((row.qmgr, row.object), None)
    return max(last.values(), default=-1)


class _Place:
    """A message on one queue, row by row: what began the stay, whether it is committed, and who has it locked."""

    def __init__(self, rows: list, whole: list, latest: int, homes: Homes, units: Units, end_us: int):
        self.rows, self.whole, self.latest, self.end_us = rows, whole, latest, end_us
        self.homes, self.units = homes, units
        self.since = self.committed = self.expires = None
        self.came, self.home, self.locks = -1, QUEUE, []

    def told(self):
        """Every segment and mark of this queue."""
        for i, row in enumerate(self.rows):
            if row.reason and row.kind not in kinds.ENDS:
                continue
            if row.kind in kinds.ARRIVES:
                self._begin(row)
                if row.kind == "report":
                    yield _mark(row, "report")
            elif row.kind == "restore":
                self.since = self.committed = row
                yield _mark(row, "returned by backout")
            elif row.kind == "deliver":
                self.committed = row
            elif row.kind in kinds.ENDS and self.since is not None:
                yield from self._stretches(row.time_us)
                self.since, self.locks = None, []
                yield from self._got(i, row) if row.kind == "get" else (_mark(row, kinds.ENDS[row.kind]),)
            elif row.kind in kinds.HELD_ENDS and i and self.rows[i - 1].kind == "get":
                yield _mark(row, kinds.ENDS[row.kind])
            if (lock := lock_of(row)) is not None and self.since is not None:
                self.locks.append((row.time_us, lock, row.rule))
        if self.since is not None:
            yield from self._stretches(self.end_us)
            if self.latest <= self.came:  # else a copy that its sender still keeps: the message is further on
                yield self._still_there()

    def _begin(self, row) -> None:
        self.since, self.came, self.expires, self.locks = row, row.seq, deadline(row), []
        self.committed = row if row.uow is None else self.units.commits.get(row.uow)
        self.home = self.homes.home(row)

    def _stretches(self, until_us: int):
        """The segments between an arrival and a departure: each moment has one state."""
        start = self.since.time_us
        visible = until_us if self.committed is None else max(start, self.committed.time_us)
        turns = {start, visible, until_us, *(time for time, _, _ in self.locks)}
        turns |= set() if self.expires is None else {max(visible, self.expires)}
        stretches: list[tuple[int, int, str, str]] = []
        order = sorted(t for t in turns if start <= t <= until_us)
        for one, other in pairwise(order):
            state, rule = self._state(one, visible)
            if stretches and stretches[-1][2:] == (state, rule):
                one = stretches.pop()[0]
            stretches.append((one, other, state, rule))
        for one, other, state, rule in stretches:
            yield _segment(self.since, state, one, other, rule)

    def _state(self, at: int, visible: int) -> tuple[str, str | None]:
        """The state at a moment and its rule; what lapsed is lapsed, locked or not."""
        lock = next((each for each in reversed(self.locks) if each[0] <= at), None)
        if lock and lock[1] and self.since.uow is None and not (self.expires is not None and self.expires <= at):
            return LOCKED, lock[2]
        if at < visible:
            return UNCOMMITTED, "MQI-05"
        if self.expires is not None and self.expires <= at:
            return LAPSED, "EXP-17"
        return self.home, (self.committed or self.since).rule

    def _got(self, i: int, row):
        """What follows a get: the way to the partner, the unit of work that holds it, and what came of it."""
        back = next((r for r in self.rows[i + 1 :] if r.kind == "restore" and r.uow == row.uow), None)
        done = row if row.uow is None else back or self.units.commits.get(row.uow)
        until, carried = self.end_us if done is None else done.time_us, self.homes.carries(row, self.home)
        free = row.time_us
        if carried:
            free = self._landed(row, until if row.uow is not None else self.end_us)
            if free > row.time_us:
                yield _segment(row, FLIGHT, row.time_us, free, row.rule)
        if row.uow is not None and until > free:
            yield _segment(row, HELD, free, until, row.rule)
        if back is not None:
            return
        moved = self.latest > self.came
        held_end = next((r for r in self.rows[i + 1 :] if r.kind in kinds.HELD_ENDS), None)
        if moved and done is not None:
            yield _mark(row._replace(time_us=free if carried else done.time_us), "moved on")
        elif held_end is None and not moved:
            yield self._end_of_get(row, done, carried)

    def _landed(self, row, until_us: int) -> int:
        """When what a channel got was no longer on its way: there, lost, or given up because the session broke."""
        turns = (*kinds.ARRIVES, *kinds.HELD_ENDS)
        there = (r.time_us for r in self.whole if r.seq > row.seq and r.kind in turns and r.message)
        broken = self.homes.broken(row)
        return min([until_us, *there, *([broken] if broken is not None else [])])

    def _end_of_get(self, row, done, carried: bool) -> Mark:
        """The mark of a get after which the message went nowhere else."""
        if done is None:
            said = f"got from {row.object} in unit of work {row.uow}, which has not ended"
            return _still(row, self.end_us, row.rule, said)
        if carried:
            return _still(row, self.end_us, row.rule, f"{row.program} has it from {row.object}: it is still in flight")
        told = [r for r in self.whole if r.kind == "handler" and r.seq < row.seq and r.program == row.program][-1:]
        if told and json.loads(told[0].detail or "{}").get("action") == "DISCARD":
            return _mark(told[0]._replace(time_us=done.time_us), "rejected")
        return _mark(row._replace(time_us=done.time_us), "got")

    def _still_there(self) -> Mark:
        """The mark of a message that is on this queue when the chart ends."""
        row, queue = self.since, self.since.object
        if self.committed is None:
            return _still(row, self.end_us, "MQI-05", f"still on {queue}, its unit of work not ended")
        if self.expires is not None and self.expires <= self.end_us:
            said = f"still on {queue} though its lifetime is over: nothing has met it"
            return _still(row, self.end_us, "EXP-02", said)
        if self.locks and self.locks[-1][1]:
            return _still(row, self.end_us, self.locks[-1][2], f"still on {queue}, locked")
        return _still(row, self.end_us, row.rule, f"still on {queue}")


def _segment(row, state: str, from_us: int, to_us: int, rule: str | None) -> Segment:
    who = row.program or "a program"
    reason = _SAYING[state].format(queue=row.object, time=duration(to_us - from_us), program=who)
    return Segment(row.message, row.object, state, from_us, to_us, rule or "", reason, row.qmgr)


def _mark(row, kind: str) -> Mark:
    return Mark(row.message, row.object, kind, row.time_us, row.rule or "", sentence(row), row.qmgr)


def _still(row, end_us: int, rule: str | None, reason: str) -> Mark:
    return Mark(row.message, row.object, "still there", end_us, rule or "", reason, row.qmgr)
