"""The rows of a log, as a format reads them: those that Python holds; `mqlab.pipeline.formats` has those of Spark.

A format is two kinds of functions: one makes the pieces of its file from a row, and one names the facts that a row
states about objects. A `Source` calls them for every row, wherever the rows are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from ...mq.arguments import checked
from ...mq.errors import LabError
from ..events import Event

Piece = TypeVar("Piece")


class Row(NamedTuple):
    """A row of a log, and what some formats must know of its neighbors.

    `lab` is what the numbers of the row begin with, "" if the log has one lab. With the link "track", `next_us` is the
    time of the next row of the same program (None for its last), and `cause` the time, the queue manager, and the
    program of the row that led to it (None if the log does not have that row). With the link "root", `root` is the seq
    of the row that the chain of causes begins with: its own if the log does not have its cause.
    """

    event: Event
    lab: str = ""
    next_us: int | None = None
    cause: tuple[int, str | None, str | None] | None = None
    root: int = -1


class Fact(NamedTuple):
    """What a row states: of all facts with the same first three fields, the one of the highest `order` holds."""

    about: str
    name: str
    number: int
    order: int
    value: str


class Source(Protocol):
    """The rows of a log with the time at which its clock was at 0."""

    start: datetime

    def each(self, make: Callable[[Row], Iterable[Piece]], link: str = "", by_qmgr: bool = False) -> Iterator[Piece]:
        """The pieces of every row: the rows in order, within each lab, or within each queue manager of it."""
        ...

    def facts(self, state: Callable[[Iterable[Row]], Iterable[Fact]]) -> Iterator[Fact]:
        """The facts that hold, ordered by their first three fields; `state` gets the rows, or any part of them."""
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

    def each(self, make: Callable[[Row], Iterable[Piece]], link: str = "", by_qmgr: bool = False) -> Iterator[Piece]:
        rows: Iterable[Row] = {"": self._plain, "track": self._on_tracks, "root": self._rooted}[link]()
        if by_qmgr:
            rows = sorted(rows, key=lambda row: row.event.qmgr or "")
        for row in rows:
            yield from make(row)

    def facts(self, state: Callable[[Iterable[Row]], Iterable[Fact]]) -> Iterator[Fact]:
        return iter(sorted(strongest(state(self._plain()))))

    def _plain(self) -> Iterable[Row]:
        return map(Row, self._events)

    def _cause(self, event: Event) -> Event | None:
        """The row that led to a row, None if the log does not have it; a cause comes before its effect."""
        return self._at.get(event.cause) if event.cause is not None and event.cause < event.seq else None

    def _on_tracks(self) -> Iterable[Row]:
        later: dict[Any, int] = {}
        rows = []
        for event in reversed(self._events):
            track, cause = (event.qmgr, event.program), self._cause(event)
            place = None if cause is None else (cause.time_us, cause.qmgr, cause.program)
            rows.append(Row(event, "", later.get(track), place))
            later[track] = event.time_us
        return reversed(rows)

    def _rooted(self) -> Iterable[Row]:
        roots: dict[int, int] = {}
        for event in self._events:
            cause = self._cause(event)
            roots[event.seq] = event.seq if cause is None else roots[cause.seq]
            yield Row(event, root=roots[event.seq])


@checked
def strongest(facts: Iterable[Fact]) -> list[Fact]:
    """The facts that hold, in no order."""
    held: dict[tuple[str, str, int], Fact] = {}
    for fact in facts:
        key = fact[:3]
        if key not in held or held[key].order < fact.order:
            held[key] = fact
    return list(held.values())


def iso(start: datetime, time_us: int) -> str:
    """A time of the log, in ISO 8601 with microseconds; LabError from the year 10000 on."""
    try:
        return f"{(start + timedelta(microseconds=time_us)).isoformat(timespec='microseconds')[:-6]}Z"
    except OverflowError:
        raise LabError(
            f"times of the log must be between the years 1 and 9999; got {time_us} us after {start:%Y-%m-%d}"
        ) from None


START = "2025-01-06T09:00:00+00:00"
"""The start of a log that does not name one, as that of a lab."""


@checked
def moment(start: str) -> datetime:
    """The start of a lab ("" for START) as a time in UTC; LabError if it is not ISO 8601."""
    try:
        found = datetime.fromisoformat(start or START)
    except ValueError:
        raise LabError(f'start must be a time such as "2025-01-06T09:00:00Z"; got {start!r:.200}') from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
