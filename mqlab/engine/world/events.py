"""The event log: the only record of events, one on each row, appended and never patched."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from operator import index
from typing import Any, overload
from weakref import WeakSet

from ..words.arguments import checked_calls
from ..words.errors import LabError
from ..words.shown import shown
from .event import COLUMNS, SCHEMA_VERSION, Event

_LED = ("put", "report", "trigger", "lost", "program", "channel")
_UNIT_ENDS = ("commit", "backout", "prepare")

# One row as the engine appends it. The place (queue manager, object, object type) is one shared tuple, which keeps the
# row short; `seq` is the row's position.
STORED = ("time_us", "kind", "place", *COLUMNS[6:])
WIDTH = len(STORED)
_as_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode  # `json.dumps` makes one each time
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_AT = {name: position for position, name in enumerate(STORED)}
_PLACE = {"qmgr": 0, "object": 1, "object_type": 2}


def _appender(cells: list[Any], recording: bool) -> tuple[Callable[[tuple[Any, ...]], int], Callable[[], int]]:
    """The two hottest calls of all, as closures: append one row of STORED values (its seq), and how many there were."""
    extend, last = cells.extend, -1

    def append(row: tuple[Any, ...]) -> int:
        nonlocal last
        extend(row)
        last += 1
        return last

    def pass_over(row: tuple[Any, ...]) -> int:
        nonlocal last
        last += 1
        return last

    return append if recording else pass_over, lambda: last + 1


def _encodable(text: str) -> str:
    return _NOT_UTF8.sub(lambda match: ascii(match[0])[1:-1], text)


_LOGS: WeakSet[EventLog] = WeakSet()


def logs_with(event: Event) -> list[EventLog]:
    """The logs in use that have this very row, in no order: a row by itself does not know which log it was read from.

    A lab and its branches share the rows up to where they part.
    """
    return [log for log in _LOGS if event.seq < len(log) and log[event.seq] == event]


class _Index:
    """Where the rows are that an explanation needs; it reads only the rows that were appended since it was last asked.

    `messages` holds the rows of each message; `caused` the rows of kinds _LED that a row led to; `units` the rows that
    end or prepare a unit of work, and what a channel says of it as a batch; `channels` the changes of a channel's state
    by (queue manager, channel, whether that end receives).
    """

    def __init__(self) -> None:
        self.end = 0
        self.messages: defaultdict[int, list[int]] = defaultdict(list)
        self.caused: defaultdict[int, list[int]] = defaultdict(list)
        self.units: defaultdict[int, list[int]] = defaultdict(list)
        self.channels: defaultdict[tuple[str, str, bool], list[int]] = defaultdict(list)

    def extend(self, log: EventLog) -> None:
        """Read the rows that were appended."""
        first, self.end = self.end, len(log)
        names = ("kind", "message", "uow", "cause", "place", "detail")
        columns = [log._cells[_AT[name] + first * WIDTH :: WIDTH] for name in names]
        for seq, (kind, message, uow, cause, position, detail) in enumerate(zip(*columns, strict=True), first):
            if message is not None:
                self.messages[message].append(seq)
            if cause is not None and kind in _LED:
                self.caused[cause].append(seq)
            if kind in _UNIT_ENDS or (kind == "channel" and uow is not None):
                self.units[uow].append(seq)
            elif kind == "channel" and "was" in (facts := json.loads(detail or "{}")):
                self.channels[position[0], position[1], "partner" in facts].append(seq)


@shown
class EventLog:
    """Rows in the order they happened: `len`, iteration, indexing and slicing give `Event` rows.

    ``recording=False`` only counts rows, for measuring what the log costs.

    >>> log = EventLog()
    >>> log.write(0, "start", ("QM1", None, None), rule="MQI-16")
    0
    >>> log[0].kind, len(log)
    ('start', 1)
    """

    schema_version = SCHEMA_VERSION

    def __init__(self, start: str = "", recording: bool = True):
        self.start, self.recording = start, recording
        self._cells: list[Any] = []
        self.append, self._count = _appender(self._cells, recording)
        self._indexed = _Index()
        _LOGS.add(self)

    @property
    def next_seq(self) -> int:
        """The seq that the next row will have."""
        return self._count()

    def write(
        self,
        time_us: int,
        kind: str,
        subject: tuple[str | None, str | None, str | None],
        message: int | None = None,
        program: str | None = None,
        uow: int | None = None,
        depth: int | None = None,
        reason: int | None = None,
        rule: str | None = None,
        cause: int | None = None,
        detail: dict[str, Any] | str | None = None,
        msg_id: bytes | None = None,
        priority: int | None = None,
        persistent: bool | None = None,
        expiry_left: int | None = None,
        put_us: int | None = None,
        arrived_us: int | None = None,
    ) -> int:
        """Append a row; its seq. `detail` is a dict of JSON values, JSON text, or None.

        Text that UTF-8 cannot hold, such as a queue name that does not exist, is written as `repr` shows it.
        """
        if isinstance(detail, dict):
            detail = _as_json(detail)
        if detail is not None and not detail.isascii():
            detail = _NOT_UTF8.sub(lambda match: "\\" + ascii(match[0])[1:-1], detail)  # a backslash in JSON is two
        if program is not None and not program.isascii():
            program = _encodable(program)
        if subject[1] is not None and not subject[1].isascii():
            subject = subject[0], _encodable(subject[1]), subject[2]
        row = (
            time_us, kind, subject, message, msg_id, program, uow, priority, persistent, expiry_left, depth, put_us,
            arrived_us, reason, rule, cause, detail,
        )  # fmt: skip  # in the order of STORED
        return self.append(row)

    def __len__(self) -> int:
        return len(self._cells) // WIDTH

    def _event(self, seq: int) -> Event:
        time_us, kind, (qmgr, object, object_type), *rest = self._cells[seq * WIDTH : (seq + 1) * WIDTH]
        return Event(seq, time_us, qmgr, kind, object, object_type, *rest)

    @overload
    def __getitem__(self, key: int) -> Event: ...
    @overload
    def __getitem__(self, key: slice) -> list[Event]: ...
    def __getitem__(self, key: int | slice) -> Event | list[Event]:
        size = len(self)
        try:
            if isinstance(key, slice):
                return [self._event(seq) for seq in range(*key.indices(size))]
            row = index(key)
        except TypeError:
            raise LabError(f"row must be a whole number, or a slice of them; got {key!r:.200}") from None
        seq = row + size if row < 0 else row
        if not 0 <= seq < size:
            raise IndexError(f"there is no event {key}; the log has {size}")
        return self._event(seq)

    def __iter__(self) -> Iterator[Event]:
        return map(self._event, range(len(self)))

    def __repr__(self) -> str:
        return f"EventLog({len(self)} events)"

    def span(self, first: int, end: int) -> Iterator[Event]:
        """The rows `first` up to, not including, `end`."""
        return map(self._event, range(*slice(first, end).indices(len(self))))

    def count_until(self, time_us: int) -> int:
        """How many rows there are up to and including `time_us` (microseconds)."""
        cells = self._cells
        return bisect_right(range(len(self)), time_us, key=lambda seq: cells[seq * WIDTH])

    def column(self, name: str, first: int = 0) -> list[Any]:
        """The values of one column, in order, from row `first` on; LabError for a column there is not."""
        first, _, _ = slice(first, None).indices(len(self))
        if name == "seq":
            return list(range(first, len(self)))
        if name in _PLACE:
            part = _PLACE[name]
            return [place[part] for place in self._cells[_AT["place"] + first * WIDTH :: WIDTH]]
        if name not in _AT:
            raise LabError(f"column must be one of {', '.join(COLUMNS)}; got {name!r}")
        return self._cells[_AT[name] + first * WIDTH :: WIDTH]

    def where(self, **wanted: object) -> list[Event]:
        """The rows whose columns have the values asked for: a value, or a tuple of values, per column.

        >>> EventLog().where(kind=("get", "browse"), object="ORDERS")
        []
        """
        seqs: Iterable[int] = range(len(self))
        for name, value in wanted.items():
            column = self.column(name)
            if isinstance(value, (tuple, list, set, frozenset)):
                seqs = [seq for seq in seqs if column[seq] in value]
            else:
                seqs = [seq for seq in seqs if column[seq] == value]
        return [self._event(seq) for seq in seqs]

    def of_message(self, number: int) -> list[Event]:
        """The rows about one message, in order, found by index (as the next three)."""
        return self._found(self._index.messages, number)

    def caused_by(self, seq: int) -> list[Event]:
        """The puts and reports, refused ones too, and the rows of triggers, programs, channels, and lost messages that
        row `seq` caused."""
        return self._found(self._index.caused, seq)

    def of_unit(self, number: int) -> list[Event]:
        """The rows that prepare or end a unit of work, and those by which channels settle it as a batch."""
        return self._found(self._index.units, number)

    def states_of_channel(self, qmgr: str, name: str, receives: bool, first: int, end: int | None) -> list[Event]:
        """The changes of a channel's state between rows `first` and `end` (None: the last), and the one before them."""
        seqs = self._index.channels.get((qmgr, name, receives), [])
        begin = max(0, bisect_right(seqs, first) - 1)
        return [self._event(seq) for seq in seqs[begin : None if end is None else bisect_right(seqs, end)]]

    @property
    def _index(self) -> _Index:
        self._indexed.extend(self)
        return self._indexed

    def _found(self, index: dict[int, list[int]], key: int) -> list[Event]:
        return [self._event(seq) for seq in index.get(key, ())]


checked_calls(EventLog, but=("write",))
