"""Event logs of any size in the formats of other tools: executors make the pieces of the file, in order, and the driver
writes one piece after the other."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..engine.words.arguments import checked
from ..engine.world.event import COLUMNS, Event
from ..formats import Fact, Row, moment, source, write
from .spark import connected

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS_A_TASK = 50_000  # about so many rows does the driver receive at a time
CAUSE = {"cause_us": "time_us", "cause_qmgr": "qmgr", "cause_program": "program"}  # what places the cause of a row
CHUNK = "chunk binary"
FACTS = pa.schema(zip(Fact._fields, (pa.string(), pa.string(), pa.int64(), pa.int64(), pa.string()), strict=True))


@checked
def export_events(events: DataFrame, path: str | Path, format: str, start: str = "") -> None:
    """Write a DataFrame of events to one local file; `format` is a name of `mqlab.formats.FORMATS`, such as "ocel".

    The ids of objects of several labs begin with the names of the lab. `start` is the time at which the clock of the
    labs was at 0 (default: that of a Lab). LabError for another format, or rows that are there twice.
    """
    write(SparkRows(events, moment(start)), path, format)


class SparkRows:
    """The source of rows that Spark has: see `mqlab.formats.Source`."""

    def __init__(self, events: DataFrame, start: datetime):
        from .labs import key

        self.start, self._keys = start, key(events)
        self._events = events.select(*self._keys, *COLUMNS)
        self._tasks = 1 + events.count() // ROWS_A_TASK

    def each(self, make: Callable[[Iterable[Row]], Iterable[Any]], linked: bool = False) -> Iterator[Any]:
        """Yield the pieces that `make` returns for each part of the rows; see Source."""
        from pyspark.sql import functions as F

        keys, size = self._keys, source.PART

        def pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
            return source.of_parts(make, chain.from_iterable(_rows(batch, keys) for batch in batches), size)

        rows = self._linked() if linked else self._events
        yield from self._streamed(rows, [*keys, F.expr(f"seq div {size}")], [*keys, "seq"], pieces)

    def facts(
        self, state: Callable[[Iterable[Row]], Iterable[Fact]], make: Callable[[Iterable[Fact]], Iterable[Any]]
    ) -> Iterator[Any]:
        """Yield the pieces that `make` returns for the facts; see Source."""
        from pyspark.sql import functions as F
        from pyspark.sql.pandas.types import from_arrow_schema

        keys = self._keys

        def stated(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                facts = list(state(_rows(batch, keys)))
                columns = zip(*facts, strict=True) if facts else [()] * len(Fact._fields)
                yield pa.RecordBatch.from_arrays(list(map(pa.array, columns, FACTS.types)), schema=FACTS)

        def pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
            facts = (Fact(*row) for batch in batches for row in zip(*_lists(batch), strict=True))
            return iter(make(source.strongest(facts)))

        facts = self._events.mapInArrow(stated, from_arrow_schema(FACTS))
        with _kept(facts):
            yield from self._streamed(
                facts, ["subject", "name"], ["subject", "name", "number", F.desc("order")], pieces
            )

    def _streamed(
        self, frame: DataFrame, parts: list, order: list, pieces: Callable[[Any], Iterator[Any]]
    ) -> Iterator[Any]:
        """The pieces that the executors make of a frame, in order; a task has the rows of some `parts`."""

        def chunks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for piece in pieces(batches):
                yield pa.RecordBatch.from_pydict({"chunk": [pickle.dumps(piece)]})

        ordered = frame.repartitionByRange(self._tasks, *parts).sortWithinPartitions(*order)
        with _kept(ordered.mapInArrow(chunks, CHUNK)) as made:
            made.count()  # all tasks at a time; the iterator would run one after the other
            # a classic DataFrame's own iterator would keep all that it has given in the driver until its end
            for row in (made if connected(made) else made.rdd).toLocalIterator():
                yield pickle.loads(row.chunk)

    def _linked(self) -> DataFrame:
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        later = F.lead("time_us").over(Window.partitionBy(*self._keys, "qmgr", "program").orderBy("seq"))
        place = (F.col(column).alias(name) for name, column in CAUSE.items())
        causes = self._events.select(*self._keys, F.col("seq").alias("up"), *place).hint("merge")
        cause = F.when(F.col("cause") < F.col("seq"), F.col("cause"))  # a cause comes before its effect
        rows = self._events.withColumns({"next_us": later, "up": cause})
        return rows.join(causes, [*self._keys, "up"], "left")  # a merge join: the driver holds none of the rows


@contextmanager
def _kept(frame: DataFrame) -> Iterator[DataFrame]:
    from pyspark import StorageLevel

    frame.persist(StorageLevel.DISK_ONLY)
    try:
        yield frame
    finally:
        frame.unpersist()


def _rows(batch: pa.RecordBatch, keys: list[str]) -> Iterator[Row]:
    columns: dict[str, Iterable] = dict(zip(batch.schema.names, _lists(batch), strict=True))
    events = map(Event._make, zip(*(columns[name] for name in COLUMNS), strict=True))
    labs: Iterable[str] = repeat("")
    if keys:
        labs = ("".join(f"{part}/" for part in lab) for lab in zip(*(columns[name] for name in keys), strict=True))
    causes: Iterable = repeat(None)
    if "cause_us" in columns:
        places = zip(*(columns[name] for name in CAUSE), strict=True)
        causes = (None if place[0] is None else place for place in places)
    return map(Row, events, labs, columns.get("next_us", repeat(None)), causes)


def _lists(batch: pa.RecordBatch) -> Iterator[list]:
    return (column.to_pylist() for column in batch.columns)
