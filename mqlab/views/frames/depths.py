"""A queue's depth over time, split into available, uncommitted, and expired messages, as plain rows."""

from __future__ import annotations

from collections import defaultdict
from operator import add
from typing import NamedTuple

from ...engine.words.errors import LabError
from ...engine.world.events import EventLog
from .lifecycle_rows import DEAD_LETTER, EXPIRED, LOCKED, QUEUE, TRANSMISSION, UNCOMMITTED, lifecycle_frame

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
