"""Moments of a lab's clock: how people write them, how they are shown, and the fullest."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ...engine.words.errors import LabError
from ...engine.world.event_kinds import CHANGES_DEPTH
from ...engine.world.events import EventLog

if TYPE_CHECKING:
    Lab = Any  # views also read attributes that the front's lab adds, and they cannot import the front
else:
    from ...engine.lab import Lab  # noqa: F401 - the name that the others import
At = str | datetime | float | None
"""A moment as people write it: see `moment_us`; None if it may be left out."""
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ["January", "February", "March", "April", "May", "June"]
_MONTHS += ["July", "August", "September", "October", "November", "December"]
SECOND = 1_000_000
LATEST = 10**17  # microseconds: three thousand years, which any calendar has
DAY = 86_400 * SECOND
STEPS = [n * SECOND for n in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400)]


def moment_us(start: datetime, at: At) -> int:
    """Microseconds since `start` for `at`: "HH:MM:SS" (the first such time from the start on), an ISO text, a datetime,
    or a number of seconds since the start; LabError for anything else and for a moment before the start.

    >>> moment_us(datetime(2025, 1, 6, 9, tzinfo=UTC), "13:05:00")
    14700000000
    """
    found = None
    if isinstance(at, str):
        found = _from_text(start, at.strip())
    elif isinstance(at, datetime):
        found = _between(start, at)
    elif isinstance(at, (int, float)) and not isinstance(at, bool) and -1e12 < at < 1e12:
        found = round(at * SECOND)
    if found is None or found > LATEST:
        raise LabError(
            f'moment must be "13:05:00", an ISO date and time, a datetime, or seconds since the start; got {at!r}'
        )
    if found < 0:
        raise LabError(f"moment must be {start.isoformat()} (the lab's start) or later; got {at!r}")
    return found


def _between(start: datetime, moment: datetime) -> int:
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return (moment - start) // timedelta(microseconds=1)


def _from_text(start: datetime, text: str) -> int | None:
    form = "%H:%M:%S.%f" if "." in text else "%H:%M:%S" if text.count(":") == 2 else "%H:%M"
    try:
        time = datetime.strptime(text, form)
    except ValueError:
        try:
            return _between(start, datetime.fromisoformat(text))
        except ValueError:
            return None
    moment = start.replace(hour=time.hour, minute=time.minute, second=time.second, microsecond=time.microsecond)
    return _between(start, moment if moment >= start else moment + timedelta(days=1))


def clock(start: datetime, time_us: int) -> str:
    """The simulated time of day, with as many decimals as it needs.

    >>> clock(datetime(2025, 1, 6, 9, tzinfo=UTC), 1_250_000)
    '09:00:01.25'
    """
    moment = start + timedelta(microseconds=time_us)
    text = moment.strftime("%H:%M:%S")
    return text + f".{moment.microsecond:06d}".rstrip("0") if moment.microsecond else text


def written(start: datetime, time_us: int) -> str:
    """A moment as `moment_us` reads it back: the time of day within the first 24 hours, else date and time.

    >>> written(datetime(2025, 1, 6, 9, tzinfo=UTC), 0), written(datetime(2025, 1, 6, 9, tzinfo=UTC), DAY)
    ('09:00:00', '2025-01-07T09:00:00')
    """
    date = (start + timedelta(microseconds=time_us)).date().isoformat()
    return clock(start, time_us) if time_us < DAY else f"{date}T{clock(start, time_us)}"


def day(start: datetime, time_us: int) -> str:
    """The simulated date, spelled out, the same in every locale.

    >>> day(datetime(2025, 1, 6, 9, tzinfo=UTC), 0)
    'Monday 6 January 2025'
    """
    moment = start + timedelta(microseconds=time_us)
    return f"{_DAYS[moment.weekday()]} {moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def duration(microseconds: int) -> str:
    """A length of time in words.

    >>> duration(0), duration(250_000), duration(5_000_000), duration(3_661_000_000)
    ('no time', '0.25 s', '5 s', '1 h 1 min 1 s')
    """
    if microseconds == 0:
        return "no time"
    if microseconds < 60 * SECOND:
        return f"{microseconds / SECOND:.6g} s"
    hours, rest = divmod(microseconds // SECOND, 3600)
    minutes, seconds = divmod(rest, 60)
    return " ".join(f"{n} {unit}" for n, unit in ((hours, "h"), (minutes, "min"), (seconds, "s")) if n)


class Moments:
    """The stops of a time slider and the rows that change a depth, of a stretch of a log and one queue manager or all.

    `ticks` are microseconds since the start: every moment something changed while those are few, else evenly spaced
    round times. `seqs` are the rows that change a depth, in order.
    """

    def __init__(
        self, events: EventLog, start: datetime, start_us: int, end_us: int, qmgr: str | None = None, limit: int = 240
    ) -> None:
        columns = map(events.column, ("time_us", "kind", "qmgr", "reason"))
        self.seqs, self.times = [], []
        for seq, (time_us, kind, owner, reason) in enumerate(zip(*columns, strict=True)):
            if kind in CHANGES_DEPTH and not reason and start_us <= time_us <= end_us and qmgr in (None, owner):
                self.seqs.append(seq)
                self.times.append(time_us)
        changes = sorted({start_us, *self.times, end_us})
        self.ticks = changes if len(changes) <= limit else _even(start_us, end_us, start, limit)

    def tick_at(self, time_us: int) -> int:
        """The last tick not after `time_us`."""
        return self.ticks[max(0, bisect_right(self.ticks, time_us) - 1)]

    def after(self, seq: int | None, time_us: int) -> int | None:
        """The next row that changes a depth: after row `seq`, or after everything of `time_us`; None at the end."""
        place = bisect_right(self.times, time_us) if seq is None else bisect_right(self.seqs, seq)
        return self.seqs[place] if place < len(self.seqs) else None

    def before(self, seq: int | None, time_us: int) -> int | None:
        """The row that changed a depth before row `seq`, or the last not after `time_us`; None at the beginning."""
        place = bisect_right(self.times, time_us) if seq is None else bisect_left(self.seqs, seq)
        return self.seqs[place - 1] if place else None


def _even(start_us: int, end_us: int, start: datetime, limit: int) -> list[int]:
    length, room = end_us - start_us, max(1, limit - 3)  # three: both ends, and a step that is not whole
    step = next((s for s in STEPS if length // s <= room), DAY * (1 + length // (DAY * room)))
    midnight = (start - start.replace(hour=0, minute=0, second=0, microsecond=0)) // timedelta(microseconds=1)
    first = -(-(start_us + midnight) // step) * step - midnight
    return sorted({start_us, *range(first, end_us, step), end_us})


def fullest(events: EventLog) -> int:
    """When most messages were on all queues together, at first, in microseconds since the start."""
    depths: dict[tuple, int] = {}
    total, found = 0, (0, 0)
    for time_us, owner, name, depth in zip(*map(events.column, ("time_us", "qmgr", "object", "depth")), strict=True):
        if depth is not None:
            total += depth - depths.get((owner, name), 0)
            depths[owner, name] = depth
            found = max(found, (total, -time_us))
    return -found[1]
