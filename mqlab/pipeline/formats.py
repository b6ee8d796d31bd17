"""Event logs of any size in the formats of other tools, written by Spark.

The executors make the pieces of the file, in order, and the driver writes one piece after the other; only the names of
programs and the types of events and objects are kept in its memory.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..mq.arguments import checked
from ..sim.events import COLUMNS, Event
from ..sim.formats import Fact, Row, moment, strongest, write

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

ROWS_A_TASK = 50_000
"""A task has about so many rows: what the driver receives at a time."""

CAUSE = {"cause_us": "time_us", "cause_qmgr": "qmgr", "cause_program": "program"}
"""The columns that place the cause of a row."""

CHUNK = "chunk binary"
FACTS = pa.schema(zip(Fact._fields, (pa.string(), pa.string(), pa.int64(), pa.int64(), pa.string()), strict=True))


@checked
def export_events(events: DataFrame, path: str | Path, format: str, start: str = "") -> None:
    """Write a DataFrame of events to one local file; `format` is a name of `mqlab.sim.formats.FORMATS`, such as "ocel".

    The rows of several labs are told apart by the columns of KEYS (`mqlab.pipeline.labs`): the ids of their objects
    begin with the names of the lab. `start` is the time at which the clock of the labs was at 0 (default: that of a
    Lab). Raises LabError for another format, or rows that are there twice, and OSError if the file cannot be written.
    """
    write(SparkRows(events, moment(start)), path, format)


class SparkRows:
    """The source of rows that Spark has: see `mqlab.sim.formats.Source`."""

    def __init__(self, events: DataFrame, start: datetime):
        from .labs import key

        self.start, self._keys = start, key(events)
        self._events = events.select(*self._keys, *COLUMNS)
        self._tasks = 1 + events.count() // ROWS_A_TASK

    def each(self, make: Callable[[Row], Iterable[Any]], link: str = "", by_qmgr: bool = False) -> Iterator[Any]:
        """The pieces of every row, in order; see Source."""
        rows = {"": self._plain, "track": self._on_tracks, "root": self._rooted}[link]()
        order = [*self._keys, *(["qmgr"] if by_qmgr else []), "seq"]
        keys = self._keys

        def pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[list]:
            for batch in batches:
                yield [piece for row in _rows(batch, keys) for piece in make(row)]

        yield from self._streamed(rows, order, pieces)

    def facts(self, state: Callable[[Iterable[Row]], Iterable[Fact]]) -> Iterator[Fact]:
        """The facts that hold, in order; see Source."""
        from pyspark.sql import functions as F
        from pyspark.sql.pandas.types import from_arrow_schema

        keys = self._keys

        def stated(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                held = strongest(state(_rows(batch, keys)))
                columns = zip(*held, strict=True) if held else [()] * len(Fact._fields)
                yield pa.RecordBatch.from_arrays(list(map(pa.array, columns, FACTS.types)), schema=FACTS)

        key = ["about", "name", "number"]
        value = F.max_by("value", "order").alias("value")
        facts = (
            self._events.mapInArrow(stated, from_arrow_schema(FACTS))
            .groupBy(*key)
            .agg(F.max("order").alias("order"), value)
        )
        for fact in self._streamed(facts.select(*Fact._fields), key, _tuples):
            yield Fact(*fact)

    def _streamed(self, frame: DataFrame, order: list[str], pieces: Callable[[Any], Iterator[list]]) -> Iterator[Any]:
        """The pieces that the executors make of a frame, in order: kept on their disks until the driver takes them."""
        from pyspark import StorageLevel

        def chunks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for some in pieces(batches):
                yield pa.RecordBatch.from_pydict({"chunk": [pickle.dumps(some)]})

        ordered = frame.repartitionByRange(self._tasks, *order).sortWithinPartitions(*order)
        made = ordered.mapInArrow(chunks, CHUNK).persist(StorageLevel.DISK_ONLY)
        try:
            made.count()  # all tasks at a time; the iterator would run one after the other
            for row in made.toLocalIterator():
                yield from pickle.loads(row.chunk)
        finally:
            made.unpersist()

    def _plain(self) -> DataFrame:
        return self._events

    def _on_tracks(self) -> DataFrame:
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        later = F.lead("time_us").over(Window.partitionBy(*self._keys, "qmgr", "program").orderBy("seq"))
        place = (F.col(column).alias(name) for name, column in CAUSE.items())
        causes = self._events.select(*self._keys, F.col("seq").alias("up"), *place)
        rows = self._events.withColumns({"next_us": later, "up": _up()})
        return rows.join(causes, [*self._keys, "up"], "left")

    def _rooted(self) -> DataFrame:
        """The rows with their `root`: each round looks twice as far up the chain of causes as the one before."""
        from pyspark.sql import functions as F

        keys = [*self._keys, "up"]
        there = self._events.select(*self._keys, F.col("seq").alias("up"))
        ups = self._events.select(*self._keys, "seq", _up().alias("up")).where("up is not null")
        ups = ups.join(there, keys, "leftsemi").localCheckpoint()
        while True:
            farther = ups.select(*self._keys, F.col("seq").alias("up"), F.col("up").alias("farther"))
            found = ups.join(farther, keys, "left").localCheckpoint()
            if found.where("farther is not null").isEmpty():
                break
            ups = found.select(*self._keys, "seq", F.coalesce("farther", "up").alias("up"))
        rows = self._events.join(ups, [*self._keys, "seq"], "left")
        return rows.withColumn("root", F.coalesce("up", "seq"))


def _up() -> Column:
    """The cause of a row; a cause comes before its effect."""
    from pyspark.sql import functions as F

    return F.when(F.col("cause") < F.col("seq"), F.col("cause"))


def _rows(batch: pa.RecordBatch, keys: list[str]) -> Iterator[Row]:
    """The rows of a batch, with the links that it has."""
    columns = {name: column.to_pylist() for name, column in zip(batch.schema.names, batch.columns, strict=True)}
    none = [None] * batch.num_rows
    events = map(Event._make, zip(*(columns[name] for name in COLUMNS), strict=True))
    labs: Iterable[tuple] = zip(*(columns[name] for name in keys), strict=True) if keys else [()] * batch.num_rows
    places = zip(*(columns.get(name, none) for name in CAUSE), strict=True)
    links = zip(columns.get("next_us", none), columns.get("root", none), strict=True)
    for event, lab, cause, (next_us, root) in zip(events, labs, places, links, strict=True):
        name = "".join(f"{part}/" for part in lab)
        yield Row(event, name, next_us, None if cause[0] is None else cause, root)


def _tuples(batches: Iterable[pa.RecordBatch]) -> Iterator[list[tuple]]:
    """The rows of batches as tuples."""
    for batch in batches:
        yield list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
