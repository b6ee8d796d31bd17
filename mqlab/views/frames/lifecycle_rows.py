"""Messages' lives and the depth of a queue as plain rows: the stretches that each message went through, and its end."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from numbers import Integral
from operator import add
from typing import Any, NamedTuple

from ...engine.explain.replay import deadline, lock_of
from ...engine.explain.words import sentence
from ...engine.words.errors import LabError
from ...engine.world import event_kinds as kinds
from ...engine.world.event import Event
from ...engine.world.events import EventLog
from .moments import duration
from .topology import REPOSITORY_MANAGER

QUEUE, TRANSMISSION, DEAD_LETTER = "on the queue", "on a transmission queue", "on a dead-letter queue"
CARRIED = "IGQ-"  # the rules of the intra-group queuing agent begin so
ON_THE_WAY = ("MQE.ASYNC", "MQE.FORWARD")
"""Queues of MQ Everyplace whose messages count as on their way, as on a transmission queue."""
MOVING = ("RUNNING", "PAUSED")  # states of a channel in which what it got is on its way


class QueueRoles:
    """The queues in a log: transmission queues, dead-letter queues, and the channels that take from the former.

    A queue counts as what it was last: USAGE(XMITQ), or named by some queue manager's DEADQ at any time.
    """

    def __init__(self, events: EventLog) -> None:
        self._transmission: set[tuple] = set()
        self._dead: set[tuple] = set()
        self._breaks: dict[str, list[tuple[int, int]]] = {}
        for row in events.where(kind=("define", "alter", "channel")):
            told = row.facts
            if row.kind == "channel":  # when it stopped moving what it had got; a receiving end names its partner
                breaks = self._breaks.setdefault(row.object or "", [])
                if "partner" not in told and told.get("state", MOVING[0]) not in MOVING:
                    breaks.append((row.seq, row.time_us))
            elif row.object_type in ("QLOCAL", "QMGR"):
                if usage := told.get("USAGE"):
                    (self._transmission.add if usage == "XMITQ" else self._transmission.discard)((row.qmgr, row.object))
                if row.object_type == "QMGR" and (dead := (told.get("DEADQ") or "").strip()):
                    self._dead.add((row.qmgr, dead))

    def role(self, row: Event) -> str:
        """The state of an available message, by the row of its arrival: QUEUE, TRANSMISSION or DEAD_LETTER."""
        place = (row.qmgr, row.object)
        onward = row.kind in kinds.ARRIVES and row.detail is not None and "to" in row.facts
        if onward or place in self._transmission or row.object_type in ON_THE_WAY:
            return TRANSMISSION
        return DEAD_LETTER if place in self._dead or row.rule in kinds.DEAD_LETTER_RULES else QUEUE

    def carries(self, row: Event, role: str) -> bool:
        """Whether a get from a place of role `role` is a channel's, or the intra-group queuing agent's: no end."""
        agent = row.program in self._breaks or (row.rule or "").startswith(CARRIED)
        return role == TRANSMISSION and agent

    def broken(self, row: Any) -> int | None:
        """When the channel that did the get `row` first stopped moving messages after it; None for never."""
        breaks = self._breaks.get(row.program, [])
        place = bisect_left(breaks, (row.seq, 0))
        return breaks[place][1] if place < len(breaks) else None


UNCOMMITTED, FLIGHT, LOCKED = "not committed", "in flight", "locked"
EXPIRED, HELD = "expired, still counted", "got, not committed"
STATES = (UNCOMMITTED, QUEUE, TRANSMISSION, FLIGHT, LOCKED, DEAD_LETTER, EXPIRED, HELD)
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


_SAYING = {
    UNCOMMITTED: "counts on {queue} for {time} before its unit of work ends",
    QUEUE: "available on {queue} for {time}",
    TRANSMISSION: "waits on transmission queue {queue} for {time} to be sent",
    FLIGHT: "in flight for {time}: {program} has it from {queue}, and it is not yet at the other end",
    LOCKED: "locked on {queue} for {time}: it counts, and no other call sees it",
    DEAD_LETTER: "on dead-letter queue {queue} for {time}",
    EXPIRED: "expired, and still counts on {queue} for {time}",
    HELD: "held for {time} by the unit of work in which {program} got it from {queue}",
}


def life(rows: list, roles: QueueRoles, commits: dict, end_us: int) -> Iterator[Segment | Mark]:
    """The segments and marks of one message up to `end_us` from its rows, in order of time, queue by queue; `commits`
    has the row of the commit of each unit of work, by number."""
    latest = _latest(rows)
    for stay in _places(rows):
        yield from _Place(stay, rows, latest, roles, commits, end_us).told()


def _places(rows: list) -> list[list]:
    """The rows of a message by the queue they concern, in the order in which it came there."""
    # a message that ended while a program held it belongs to its last queue
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

    def __init__(self, rows: list, whole: list, latest: int, roles: QueueRoles, commits: dict, end_us: int) -> None:
        self.rows, self.whole, self.latest, self.end_us = rows, whole, latest, end_us
        self.roles, self.commits = roles, commits
        self.since: Any = None
        self.committed: Any = None
        self.expires: int | None = None
        self.came, self.role = -1, QUEUE
        self.locks: list[tuple[int, bool, str | None]] = []

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

    def _begin(self, row: Event) -> None:
        self.since, self.came, self.expires, self.locks = row, row.seq, deadline(row), []
        self.committed = row if row.uow is None else self.commits.get(row.uow)
        self.role = self.roles.role(row)

    def _stretches(self, until_us: int) -> Any:
        """The segments between an arrival and a departure: each moment has one state."""
        start = self.since.time_us
        visible = until_us if self.committed is None else max(start, self.committed.time_us)
        turns = {start, visible, until_us, *(time for time, _, _ in self.locks)}
        turns |= set() if self.expires is None else {max(visible, self.expires)}
        order = sorted(t for t in turns if start <= t <= until_us)
        for (state, rule), run in groupby(pairwise(order), key=lambda ends: self._state(ends[0], visible)):
            stretches = list(run)
            yield _segment(self.since, state, stretches[0][0], stretches[-1][1], rule)

    def _state(self, at: int, visible: int) -> tuple[str, str | None]:
        """The state at a moment and its rule; what expired is expired, locked or not."""
        lock = next((each for each in reversed(self.locks) if each[0] <= at), None)
        if lock and lock[1] and self.since.uow is None and not (self.expires is not None and self.expires <= at):
            return LOCKED, lock[2]
        if at < visible:
            return UNCOMMITTED, "MQI-05"
        if self.expires is not None and self.expires <= at:
            return EXPIRED, "EXP-17"
        return self.role, (self.committed or self.since).rule

    def _got(self, i: int, row: Event) -> Any:
        """The rows after a get: the route to the partner, the unit of work that holds the message, and its outcome."""
        back = next((r for r in self.rows[i + 1 :] if r.kind == "restore" and r.uow == row.uow), None)
        done = row if row.uow is None else back or self.commits.get(row.uow)
        until, carried = self.end_us if done is None else done.time_us, self.roles.carries(row, self.role)
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

    def _landed(self, row: Event, until_us: int) -> int:
        """When what a channel got was no longer on its way: there, lost, or given up because the session broke."""
        turns = (*kinds.ARRIVES, *kinds.HELD_ENDS)
        there = (r.time_us for r in self.whole if r.seq > row.seq and r.kind in turns and r.message)
        broken = self.roles.broken(row)
        return min([until_us, *there, *([broken] if broken is not None else [])])

    def _end_of_get(self, row: Event, done: Any, carried: bool) -> Mark:
        """The mark of a get after which the message went nowhere else."""
        if done is None:
            said = f"got from {row.object} in unit of work {row.uow}, which has not ended"
            return _still(row, self.end_us, row.rule, said)
        if carried:
            return _still(row, self.end_us, row.rule, f"{row.program} has it from {row.object}: it is still in flight")
        told = [r for r in self.whole if r.kind == "handler" and r.seq < row.seq and r.program == row.program][-1:]
        if told and told[0].facts["action"] == "DISCARD":
            return _mark(told[0]._replace(time_us=done.time_us), "rejected")
        return _mark(row._replace(time_us=done.time_us), "got")

    def _still_there(self) -> Mark:
        """The mark of a message that is on this queue when the chart ends."""
        row, queue = self.since, self.since.object
        if self.committed is None:
            return _still(row, self.end_us, "MQI-05", f"still on {queue}, its unit of work not ended")
        if self.expires is not None and self.expires <= self.end_us:
            said = f"still on {queue}, expired: no call has reached it"
            return _still(row, self.end_us, "EXP-02", said)
        if self.locks and self.locks[-1][1]:
            return _still(row, self.end_us, self.locks[-1][2], f"still on {queue}, locked")
        return _still(row, self.end_us, row.rule, f"still on {queue}")


def _segment(row: Any, state: str, from_us: int, to_us: int, rule: str | None) -> Segment:
    who = row.program or "a program"
    reason = _SAYING[state].format(queue=row.object, time=duration(to_us - from_us), program=who)
    return Segment(row.message, row.object, state, from_us, to_us, rule or "", reason, row.qmgr)


def _mark(row: Any, kind: str) -> Mark:
    return Mark(row.message, row.object, kind, row.time_us, row.rule or "", sentence(row), row.qmgr)


def _still(row: Any, end_us: int, rule: str | None, reason: str) -> Mark:
    return Mark(row.message, row.object, "still there", end_us, rule or "", reason, row.qmgr)


OWN = ("SYSTEM.CHANNEL.SYNCQ", "SYSTEM.CHANNEL.INITQ", "SYSTEM.CLUSTER.COMMAND.QUEUE")  # of MQ's own programs


SLOWEST = 10
"""So many of the slowest messages have rows of their own in a chart of many, and are never left out of it."""


class LifecycleFrame(NamedTuple):
    """The lives of `messages` (numbers, in order of arrival) up to `end_us`; `left_out` of them are not shown.

    `reports` are those of them that are report messages; `labels` has the text of messages by number, as far as known.
    """

    messages: tuple[int, ...]
    segments: tuple[Segment, ...]
    marks: tuple[Mark, ...]
    end_us: int
    left_out: int
    reports: frozenset[int] = frozenset()
    labels: dict[int, str] = {}


def lifecycle_frame(
    events: EventLog,
    messages: Any = None,
    *,
    queue: str | None = None,
    qmgr: str | None = None,
    start_us: int = 0,
    end_us: int,
    limit: int = 2000,
) -> LifecycleFrame:
    """The lives of some messages, or of those that arrived on `queue` between two times; reports they caused come too.

    `messages` are Message objects or numbers; LabError for one that the log does not know. By default,
    the records that channels keep on SYSTEM.CHANNEL.SYNCQ, trigger messages for them, and the messages of repository
    managers are left out. Arrivals count
    from `start_us` on, and lives are drawn up to `end_us`, in microseconds since the lab's start. If there are more
    than `limit`, the slowest and the earliest are kept, and the others are only counted.
    """
    if limit < 1:
        raise LabError(f"limit must be 1 or more messages; got {limit}")
    numbers = _wanted(events, messages, queue, qmgr, start_us, end_us)
    kept, few = numbers[:limit], min(SLOWEST, limit // 10)
    if len(numbers) > limit and few:
        every = _rows_of(events, numbers, end_us)
        taken = _taken(every, end_us)
        slow = set(sorted(taken, key=lambda number: (-taken[number], number))[:few])
        chosen = slow.union([number for number in numbers if number not in slow][: limit - len(slow)])
        kept = [number for number in numbers if number in chosen]
        rows = [row for row in every if row.message in chosen]
    else:
        rows = _rows_of(events, kept, end_us)
    if unknown := sorted(set(kept) - {r.message for r in rows}):
        raise _unknown(unknown[0])
    told = {r.seq: r for r in rows}
    reports = [r for r in events.where(kind="report") if r.cause in told and not r.reason and r.time_us <= end_us]
    extra = [n for n in dict.fromkeys(r.message for r in reports) if n is not None and n not in set(kept)]
    if extra:
        rows = sorted([*rows, *_rows_of(events, extra, end_us)], key=lambda r: r.seq)
        kept += extra
    used = frozenset(r.uow for r in rows if r.uow is not None)
    ends = [r for r in events.where(kind=("commit", "backout"), uow=used) if r.time_us <= end_us] if used else []
    commits, undone = {r.uow: r for r in ends if r.kind == "commit"}, {r.uow for r in ends if r.kind == "backout"}
    lives: dict[int, list] = {number: [] for number in kept}
    for row in rows:
        if not (row.object_type is None and row.kind in kinds.HELD_ENDS and row.uow in undone):
            lives[row.message].append(row)
    roles = QueueRoles(events)
    parts = [part for its in lives.values() for part in life(its, roles, commits, end_us)]
    segments = tuple(part for part in parts if isinstance(part, Segment))
    marks = [part for part in parts if isinstance(part, Mark)]
    for report in reports:
        cause = told[report.cause]
        if cause.message is not None:
            sent = _mark(report, "report sent")
            marks.append(sent._replace(message=cause.message, queue=cause.object, qmgr=cause.qmgr))
    left_out = len(numbers) - min(len(numbers), limit)
    reported = frozenset(m.message for m in marks if m.kind == "report")
    return LifecycleFrame(tuple(kept), segments, tuple(marks), end_us, left_out, reported)


def _taken(rows: list, end_us: int) -> dict[int, int]:
    """How long each message took, from its first row to its end or to `end_us`."""
    times: dict[int, list[int]] = {}
    for row in rows:
        if row.kind in kinds.KINDS:
            times.setdefault(row.message, [row.time_us])[1:] = [row.time_us if row.kind in kinds.ENDS else end_us]
    return {number: last - first for number, (first, last) in times.items()}


def _wanted(
    events: EventLog, messages: Any, queue: str | None, qmgr: str | None, start_us: int, end_us: int
) -> list[int]:
    """The numbers of the messages that are asked for, in order of arrival where they are chosen by it."""
    if messages is not None:
        given = messages if isinstance(messages, Iterable) else [messages]
        numbers: list[Any] = [getattr(message, "number", message) for message in given]
        for number in numbers:
            if not isinstance(number, Integral):
                raise _unknown(number)
        return list(dict.fromkeys(numbers))
    wanted = {"kind": kinds.ARRIVES} | ({"object": queue} if queue else {}) | ({"qmgr": qmgr} if qmgr else {})
    rows = (r for r in events.where(**wanted) if r.message is not None and start_us <= r.time_us <= end_us)
    return list(dict.fromkeys(r.message or 0 for r in rows if queue or not _own(r)))


def _own(row: Any) -> bool:
    """Whether a message is one that MQ puts for itself: a record of a channel, or of a repository manager."""
    return row.object in OWN or (row.program == REPOSITORY_MANAGER and row.rule != "CLU-50")


def _unknown(message: object) -> LabError:
    return LabError(f"messages must be numbers or Message objects that lab.events knows; got {message!r:.200}")


def _rows_of(events: EventLog, numbers: list, end_us: int) -> list:
    """The rows of some messages up to a time, in order."""
    return [r for r in events.where(message=frozenset(numbers)) if r.time_us <= end_us] if numbers else []


_PARTS = dict.fromkeys((QUEUE, TRANSMISSION, LOCKED, DEAD_LETTER), 0) | {UNCOMMITTED: 1, EXPIRED: 2}


class DepthPoint(NamedTuple):
    """The depth from `time_us` (microseconds since the lab's start) on, in three parts."""

    time_us: int
    live: int
    uncommitted: int
    expired: int

    @property
    def depth(self) -> int:
        """CURDEPTH."""
        return self.live + self.uncommitted + self.expired


class DepthFrame(NamedTuple):
    """A queue's depth over time: a point for each change or, where `step_us` is not 0, the deepest moment of each step.

    `worst` is the moment when most had expired, `end_us` where the last point's stretch ends.
    """

    points: list[DepthPoint]
    step_us: int
    worst: DepthPoint
    end_us: int


def depth_frame(
    events: EventLog, qmgr: str, queue: str, *, start_us: int = 0, end_us: int, limit: int = 400
) -> DepthFrame:
    """The depth of one queue from `start_us` to `end_us` (microseconds since the lab's start).

    With more than `limit` changes the time is cut into `limit` steps, each with its deepest moment. LabError unless
    0 <= `start_us` <= `end_us` and there is a step.
    """
    if not 0 <= start_us <= end_us or limit < 1:
        raise LabError(
            f"start must be 0 or later, end after it, and limit 1 or more; got {start_us}, {end_us}, and {limit}"
        )
    # one microsecond more separates messages that are still there at the end from those that leave at that moment
    frame = lifecycle_frame(events, queue=queue, qmgr=qmgr, end_us=end_us + 1, limit=len(events))
    changes: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for segment in frame.segments:
        if (segment.qmgr, segment.queue) == (qmgr, queue) and segment.state in _PARTS:
            part = _PARTS[segment.state]
            changes[segment.from_us][part] += 1
            changes[segment.to_us][part] -= 1
    points = [DepthPoint(0, 0, 0, 0)]
    for time_us in sorted(time for time, change in changes.items() if any(change) and time <= end_us):
        points.append(DepthPoint(time_us, *map(add, points[-1][1:], changes[time_us])))
    points.append(points[-1]._replace(time_us=end_us))
    last = {p.time_us: p for p in points}  # of each moment; the first is at the start itself
    before = [p for t, p in last.items() if t <= start_us]
    points = [before[-1]._replace(time_us=start_us), *(p for t, p in last.items() if t > start_us)]
    worst = max(points, key=lambda p: (p.expired, -p.time_us))
    if len(points) <= limit:
        return DepthFrame(points, 0, worst, end_us)
    step = max(1, -(-(end_us - start_us) // limit))
    return DepthFrame(_deepest(points, start_us, step), step, worst, end_us)


def _deepest(points: list[DepthPoint], start_us: int, step: int) -> list[DepthPoint]:
    """The deepest point of each step, at the step's beginning; the depth at its beginning counts."""
    deepest: dict[int, DepthPoint] = {}
    standing = points[0]
    for point in points:
        place = (point.time_us - start_us) // step
        if place not in deepest:
            first = max(deepest) + 1 if deepest else place
            deepest |= dict.fromkeys(range(first, place + 1), standing)
        deepest[place] = max(deepest[place], point, key=lambda p: p.depth)
        standing = point
    return [p._replace(time_us=start_us + place * step) for place, p in deepest.items()]
