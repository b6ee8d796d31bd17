"""The rows of a log, as a format reads them: those that Python holds; others may be somewhere else.

A format is functions of rows and of facts: one names the facts that rows state about objects, and the others make the
pieces of its file. A `Source` calls them, wherever the rows are. A piece is large, such as the text of many rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError
from ..engine.world.event import Event

Piece = TypeVar("Piece")

PART = 1000
"""Rows come in parts, which are the same wherever the rows are: those with the same seq // PART."""


class Row(NamedTuple):
    """A row of a log, and what some formats must know of its neighbors.

    `lab` is what the numbers of the row begin with, "" if the log has one lab. Of a linked row, `next_us` is the time
    of the next row of the same program (None for its last), and `cause` the time, the queue manager, and the program
    of the row that led to it (None if the log does not have that row).
    """

    event: Event
    lab: str = ""
    next_us: int | None = None
    cause: tuple[int, str | None, str | None] | None = None


class Fact(NamedTuple):
    """A fact from a row: of all facts with the same first three fields, the one with the highest `order` counts."""

    subject: str
    name: str
    number: int
    order: int
    value: str


class Source(Protocol):
    """The rows of a log with the time at which its clock was at 0."""

    start: datetime

    def each(self, make: Callable[[Iterable[Row]], Iterable[Piece]], linked: bool = False) -> Iterator[Piece]:
        """Yield the pieces that `make` returns for each part, perhaps of linked rows: the parts, and the rows of a
        part, are in order within each lab."""
        ...

    def facts(
        self, state: Callable[[Iterable[Row]], Iterable[Fact]], make: Callable[[Iterable[Fact]], Iterable[Piece]]
    ) -> Iterator[Piece]:
        """Yield the pieces that `make` returns for the facts that count, ordered by their first three fields. `state`
        gets the rows, or any part of them, in any order; `make` gets all those facts, or the facts of some names."""
        ...


class Rows:
    """The source of rows that are in memory; LabError if two have the same seq."""

    def __init__(self, events: Iterable[Event], start: datetime):
        self.start = start
        self._events = sorted(events, key=attrgetter("seq"))
        self._at = {event.seq: event for event in self._events}
        if len(self._at) < len(self._events):
            raise LabError(
                "each row of the log must have a number (seq) of its own; a number is there twice. The rows are those "
                "of several labs: write each lab by itself, or all of them with Spark and a column lab"
            )

    def each(self, make: Callable[[Iterable[Row]], Iterable[Piece]], linked: bool = False) -> Iterator[Piece]:
        return of_parts(make, self._linked() if linked else self._plain(), PART)

    def facts(
        self, state: Callable[[Iterable[Row]], Iterable[Fact]], make: Callable[[Iterable[Fact]], Iterable[Piece]]
    ) -> Iterator[Piece]:
        stated = sorted(state(self._plain()), key=lambda fact: (fact.subject, fact.name, fact.number, -fact.order))
        return iter(make(strongest(stated)))

    def _plain(self) -> Iterable[Row]:
        return map(Row, self._events)

    def _linked(self) -> Iterable[Row]:
        later: dict[Any, int] = {}
        rows = []
        for event in reversed(self._events):
            track, place = (event.qmgr, event.program), None
            # a cause comes before its effect
            cause = self._at.get(event.cause) if event.cause is not None and event.cause < event.seq else None
            if cause is not None:
                place = (cause.time_us, cause.qmgr, cause.program)
            rows.append(Row(event, "", later.get(track), place))
            later[track] = event.time_us
        return reversed(rows)


def of_parts(make: Callable[[Iterable[Row]], Iterable[Piece]], rows: Iterable[Row], size: int) -> Iterator[Piece]:
    """Yield the pieces that `make` returns for each part of rows that are in order; `size` is PART."""
    for _, some in groupby(rows, key=lambda row: (row.event.seq // size, row.lab)):
        yield from make(some)


def strongest(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts that hold, of all in order; of those with the same first three fields, the highest `order` is first."""
    for _, those in groupby(facts, key=itemgetter(0, 1, 2)):
        yield next(those)


def iso(start: datetime, time_us: int) -> str:
    """A time of the log, in ISO 8601 with microseconds; LabError from the year 10000 on."""
    second, microsecond = divmod(start.microsecond + time_us, 1_000_000)
    try:
        return f"{_second(start, second)}.{microsecond:06d}Z"
    except OverflowError:
        raise LabError(
            f"times of the log must be between the years 1 and 9999; got {time_us} us after {start:%Y-%m-%d}"
        ) from None


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
