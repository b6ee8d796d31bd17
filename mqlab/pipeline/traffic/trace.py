"""A trace: the MQI calls that programs will make, drawn ahead of time, as rows of a table."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COLUMNS", "TRACE_VERSION", "VERBS", "Trace"]

TRACE_VERSION = 1
VERBS = ("put", "get", "browse", "commit", "backout", "close")


class Row(NamedTuple):
    """One call to be made; the columns of a trace, see COLUMNS."""

    call: int
    time_us: int
    program: str
    verb: str
    queue: str | None = None
    unit: int | None = None
    after: int | None = None
    unless: int | None = None
    match: int | None = None
    priority: int | None = None
    persistent: bool | None = None
    expiry: int | None = None
    report: int | None = None
    reply_to_q: str | None = None
    size: int | None = None
    flawed: bool | None = None


LINKS = ("after", "unless", "match")
COLUMNS = Row._fields
"""Columns of a trace, version 1; datasets/README.md tells what each means."""


class Trace:
    """Rows in the order they are thought of; `rows` puts them in the order of time and numbers them.

    >>> trace = Trace()
    >>> request = trace.add(1000, "WEB", "put", "QUOTES", size=100)
    >>> answer = trace.add(500, "OPS", "browse", "QUOTES")
    >>> [(row.call, row.verb) for row in trace.rows(until_us=2000)]
    [(1, 'browse'), (2, 'put')]
    """

    def __init__(self):
        self._rows: list[Row] = []
        self._units = 0

    def add(self, time_us: int, program: str, verb: str, queue: str | None = None, **rest) -> int:
        """Add one call; returns the mark by which `after`, `unless` and `match` of later calls name it."""
        mark = len(self._rows)
        self._rows.append(Row(mark, int(time_us), program, verb, queue, **rest))
        return mark

    def unit(self) -> int:
        """A number for a new unit of work."""
        self._units += 1
        return self._units

    def rows(self, until_us: int) -> list[Row]:
        """The rows before `until_us` in order of time, numbered from 1, with marks replaced by those numbers.

        Raises ValueError if a call depends on one that does not come before it.
        """
        ordered = sorted((row for row in self._rows if row.time_us < until_us), key=lambda row: (row.time_us, row.call))
        numbers = {row.call: number for number, row in enumerate(ordered, 1)}
        result = []
        for number, row in enumerate(ordered, 1):
            links = {name: numbers[mark] for name in LINKS if (mark := getattr(row, name)) is not None}
            late = [name for name, link in links.items() if link >= number]
            if late:
                raise ValueError(f"{late[0]} wanted: a call before {number}; got {links[late[0]]} in {row}")
            result.append(row._replace(call=number, **links))
        return result

    def to_arrow(self, until_us: int, metadata: dict[str, str]):
        """`rows` as a pyarrow.Table of COLUMNS, with `metadata` and the trace's version in its schema."""
        import pyarrow as pa

        name, whole, small, flag = pa.dictionary(pa.int32(), pa.string()), pa.int32(), pa.int8(), pa.bool_()
        types = {
            "time_us": pa.int64(),
            "program": name,
            "verb": name,
            "queue": name,
            "reply_to_q": name,
            "priority": small,
            "persistent": flag,
            "flawed": flag,
        }
        arrays = []
        for column, values in zip(COLUMNS, zip(*self.rows(until_us), strict=True), strict=True):
            kind = types.get(column, whole)
            named = pa.types.is_dictionary(kind)
            arrays.append(pa.array(values, pa.string()).dictionary_encode() if named else pa.array(values, kind))
        known = {"mqlab_traffic_version": str(TRACE_VERSION), **metadata}
        return pa.table(arrays, names=list(COLUMNS), metadata=known)
