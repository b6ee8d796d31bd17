"""A queue's depth over time, split into what can be got, what is not committed and what has expired: plain rows."""

from __future__ import annotations

import heapq
import json
from typing import Any, NamedTuple

from ...sim.event_kinds import ARRIVES, LEAVES
from ...sim.events import Event, EventLog

TENTH = 100_000


def deadline(row: Event) -> int | None:
    """When the lifetime is over of a message that came to a queue by `row`, microseconds; None for unlimited.

    The log tells tenths of a second, and milliseconds for the queues of MQ Everyplace.
    """
    if (row.object_type or "").startswith("MQE."):
        told = json.loads(row.detail or "{}")
        return row.time_us + round(told["left_ms"] * 1000) if "left_ms" in told else None
    return None if row.expiry_left is None else row.time_us + row.expiry_left * TENTH


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


class _Queue:
    """What is on the queue while the rows go by: each message's number to its part and the end of its lifetime."""

    def __init__(self):
        self.parts = {"live": 0, "uncommitted": 0, "expired": 0}
        self.messages: dict[int, tuple[str, int | None]] = {}
        self.ends: list[tuple[int, int]] = []
        self.units: dict[int, list[int]] = {}
        self.gone: dict[int, int | None] = {}

    def place(self, number: int, part: str | None, expires: int | None = None) -> None:
        """Move a message to a part, None for off the queue."""
        old = self.messages.pop(number, None)
        if old:
            self.parts[old[0]] -= 1
        if part:
            self.parts[part] += 1
            self.messages[number] = (part, expires)

    def settle(self, number: int, expires: int | None, now: int) -> None:
        """Put a committed message among the unexpired or the expired."""
        expired = expires is not None and expires <= now
        self.place(number, "expired" if expired else "live", expires)
        if expires is not None and not expired:
            heapq.heappush(self.ends, (expires, number))

    def expire(self, now: int) -> list[DepthPoint]:
        """Let the lifetimes that are over by `now` run out, in order."""
        points = []
        while self.ends and self.ends[0][0] <= now:
            when, number = heapq.heappop(self.ends)
            if self.messages.get(number) == ("live", when):
                self.place(number, "expired", when)
                points.append(DepthPoint(when, **self.parts))
        return points

    def apply(self, row: Any) -> None:
        """One row of the log."""
        number, now = row.message, row.time_us
        if row.kind in ARRIVES:
            expires = deadline(row)
            if row.uow is None:
                self.settle(number, expires, now)
            else:
                self.place(number, "uncommitted", expires)
                self.units.setdefault(row.uow, []).append(number)
        elif row.kind in LEAVES:
            self.gone[number] = self.messages.get(number, ("", None))[1]
            self.place(number, None)
        elif row.kind == "restore":
            self.settle(number, self.gone.get(number), now)
        elif row.kind == "deliver" and number in self.messages:
            self.settle(number, self.messages[number][1], now)
        elif row.kind == "commit":
            for one in self.units.pop(row.uow, ()):
                if one in self.messages:
                    self.settle(one, self.messages[one][1], now)


def depth_frame(
    events: EventLog, qmgr: str, queue: str, *, start_us: int = 0, end_us: int, limit: int = 400
) -> DepthFrame:
    """The depth of one queue from `start_us` to `end_us` (microseconds since the lab's start).

    With more than `limit` changes the time is cut into `limit` steps, each with its deepest moment.
    """
    rows = [
        r
        for r in events.where(object=queue, qmgr=qmgr, kind=(*ARRIVES, *LEAVES, "restore", "deliver"))
        if r.message is not None and r.object_type is not None and r.time_us <= end_us
    ]  # a row without an object type ended in a program's hands, and on no queue
    units = {r.uow for r in rows if r.uow is not None and r.kind in ARRIVES}
    if units:
        ends = [r for r in events.where(kind="commit") if r.uow in units and r.time_us <= end_us]
        rows = sorted([*rows, *ends], key=lambda r: r.seq)
    state, points = _Queue(), [DepthPoint(0, 0, 0, 0)]
    for row in rows:
        points += state.expire(row.time_us)
        state.apply(row)
        points.append(DepthPoint(row.time_us, **state.parts))
    points += state.expire(end_us)
    points.append(DepthPoint(end_us, **state.parts))
    points = _within(points, start_us)
    worst = max(points, key=lambda p: (p.expired, -p.time_us))
    if len(points) <= limit:
        return DepthFrame(points, 0, worst, end_us)
    step = max(1, -(-(end_us - start_us) // limit))
    return DepthFrame(_deepest(points, start_us, step), step, worst, end_us)


def _within(points: list[DepthPoint], start_us: int) -> list[DepthPoint]:
    """The last point of each moment from `start_us` on, the first one standing at `start_us` itself."""
    last = {p.time_us: p for p in points}
    before = [p for t, p in last.items() if t <= start_us]
    return [before[-1]._replace(time_us=start_us), *(p for t, p in last.items() if t > start_us)]


def _deepest(points: list[DepthPoint], start_us: int, step: int) -> list[DepthPoint]:
    """The deepest point of each step, told at the step's beginning; what a step begins with counts in it."""
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
