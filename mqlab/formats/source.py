"""The rows of a log, as a format reads them: with their neighbors, and with the facts that they state about objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError
from ..engine.world.event import Event


class Row(NamedTuple):
    """A row of a log, and what some formats must know of its neighbors.

    Of a linked row, `next_us` is the time of the next row of the same program (None for its last), and `cause` the
    time, the queue manager, and the program of the row that led to it (None if the log does not have that row).
    """

    event: Event
    next_us: int | None = None
    cause: tuple[int, str | None, str | None] | None = None


class Fact(NamedTuple):
    """A fact from a row: of all facts with the same first three fields, the one with the highest `order` counts."""

    subject: str
    name: str
    number: int
    order: int
    value: str


class Rows:
    """The rows of a log in order, with the time at which its clock was at 0; LabError if two have the same seq."""

    def __init__(self, events: Iterable[Event], start: datetime):
        self.start = start
        self._events = sorted(events, key=attrgetter("seq"))
        self._at = {event.seq: event for event in self._events}
        if len(self._at) < len(self._events):
            raise LabError(
                "each row of the log must have a number (seq) of its own; a number is there twice. The rows are those "
                "of several labs: write each lab by itself"
            )

    def plain(self) -> Iterable[Row]:
        """Each row by itself."""
        return map(Row, self._events)

    def linked(self) -> Iterable[Row]:
        """Each row with its next row and its cause."""
        later: dict[Any, int] = {}
        rows = []
        for event in reversed(self._events):
            track, place = (event.qmgr, event.program), None
            # a cause comes before its effect
            cause = self._at.get(event.cause) if event.cause is not None and event.cause < event.seq else None
            if cause is not None:
                place = (cause.time_us, cause.qmgr, cause.program)
            rows.append(Row(event, later.get(track), place))
            later[track] = event.time_us
        return reversed(rows)

    def facts(self, state: Callable[[Iterable[Row]], Iterable[Fact]]) -> Iterator[Fact]:
        """Yield the facts that count of those that `state` yields for all rows, ordered by their first three fields."""
        stated = sorted(state(self.plain()), key=lambda fact: (fact.subject, fact.name, fact.number, -fact.order))
        for _, those in groupby(stated, key=itemgetter(0, 1, 2)):
            yield next(those)


def iso(start: datetime, time_us: int) -> str:
    """A time of the log, in ISO 8601 with microseconds; LabError from the year 10000 on."""
    second, microsecond = divmod(start.microsecond + time_us, 1_000_000)
    try:
        return f"{_second(start, second)}.{microsecond:06d}Z"
    except OverflowError:
        got = f"{time_us} us after {start:%Y-%m-%d}"
        raise LabError(f"times of the log must be between the years 1 and 9999; got {got}") from None


@lru_cache(10_000)
def _second(start: datetime, second: int) -> str:
    """The second of a time, in ISO 8601."""
    return (start.replace(microsecond=0) + timedelta(seconds=second)).isoformat()[:-6]


START = "2025-01-06T09:00:00+00:00"
"""The start of a log that does not name one, as that of a lab."""


@checked
def moment(start: str) -> datetime:
    """The start of a lab ("" for START) as a time in UTC; LabError if it is not ISO 8601."""
    try:
        time = datetime.fromisoformat(start or START)
    except ValueError:
        raise LabError(f'start must be a time such as "2025-01-06T09:00:00Z"; got {start!r:.200}') from None
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
