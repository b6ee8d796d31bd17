"""Labs as a Spark data source: `spark.read.format("mqlab")` simulates on the executors and yields their events.

    register(spark)
    events = spark.read.format("mqlab").option("scenario", "expiring").option("replicas", 1000).load()

Options, besides every parameter of the workload: `scenario`, a name of `mqlab.pipeline.workloads.names()`;
`replicas`, how many
labs (1); `seed`, the first one's (0), the others' count up; `partitions`, how many tasks. Columns are those of the
event log, `replica` (from 0) and `seed`. The replicas have nothing in common: each has its own clock, message numbers
and `seq`, so ask the pipeline's questions of one replica at a time.

The executors need this package, installed on each or sent with Spark's own means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructField, StructType

from mqlab.mq.errors import LabError
from mqlab.pipeline import workloads
from mqlab.pipeline.cores import cores, partitions_for
from mqlab.pipeline.stream_source import LabStream
from mqlab.pipeline.worker import settle
from mqlab.sim.event_file import SCHEMA, to_arrow

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mqlab.lab.lab import Lab

__all__ = ["EVENTS", "LabSource", "Request", "register"]

EVENTS = pa.schema(
    [
        *((field.name, pa.string() if pa.types.is_dictionary(field.type) else field.type) for field in SCHEMA),
        ("replica", pa.int32()),
        ("seed", pa.int64()),
    ]
)
"""The columns of what is read: those of the event log, its names as plain text, and which replica."""

BATCH_ROWS = 10_000
COMMON = ("scenario", "seed")
BATCH_ONLY = ("replicas", "partitions")
STREAM_ONLY = ("rate", "until")


def register(spark: SparkSession) -> None:
    """Make format "mqlab" known to a session, for `read` and `readStream`."""
    there = cores(spark)

    # a class of this session, because Spark tells a data source nothing of the session it is for
    class SessionLabSource(LabSource):
        cores = there

    spark.dataSource.register(SessionLabSource)


class Request:
    """What the options of a reader ask for, checked: the workload, its parameters, and the rest as numbers.

    Option names are without case. LabError for one that neither the reader nor the workload has, and for values.
    """

    def __init__(self, options: Mapping[str, str], own: tuple[str, ...], others: tuple[str, ...]):
        given = {name.lower(): value for name, value in options.items()}
        if "scenario" not in given:
            raise LabError(
                f'option "scenario" wanted: one of {", ".join(workloads.names())}; got none. '
                f'Say .option("scenario", "expiring")'
            )
        self.workload = workloads.find(given.pop("scenario"))
        self.seed = _whole("seed", given.pop("seed", "0"))
        self.own = {name: given.pop(name) for name in own if name in given}
        for name in given:
            if name in others:
                raise LabError(f"option {name!r} is for {'readStream' if name in STREAM_ONLY else 'read'} only")
        self.parameters = self.workload.values(given)


def _whole(name: str, text: str, least: int | None = None) -> int:
    """An option as a whole number; LabError for another value."""
    try:
        number = int(text)
    except ValueError:
        number = None
    if number is None or (least is not None and number < least):
        raise LabError(
            f"option {name!r} wanted: a whole number{'' if least is None else f', {least} or more'}; got {text!r}"
        )
    return number


class LabSource(DataSource):
    """Format "mqlab"; see the module."""

    cores = 1

    @classmethod
    def name(cls) -> str:
        return "mqlab"

    def schema(self) -> StructType:
        from pyspark.sql.pandas.types import from_arrow_schema

        fields = from_arrow_schema(EVENTS).fields
        return StructType([StructField(field.name, field.dataType) for field in fields])

    def reader(self, schema: StructType) -> LabReader:
        return LabReader(self.options, self.cores)

    def simpleStreamReader(self, schema: StructType) -> LabStream:
        request = Request(self.options, STREAM_ONLY, BATCH_ONLY)
        return LabStream(request.workload, request.seed, request.parameters, request.own)


class Replicas(InputPartition):
    """The replicas from `first` up to, not including, `end`."""

    def __init__(self, first: int, end: int):
        self.first, self.end = first, end


class LabReader(DataSourceReader):
    """Simulates replicas, a contiguous part of them in each task."""

    def __init__(self, options: Mapping[str, str], cores: int):
        self.request = Request(options, BATCH_ONLY, STREAM_ONLY)
        own = self.request.own
        self.replicas = _whole("replicas", own.get("replicas", "1"), 1)
        wanted = _whole("partitions", own["partitions"], 1) if "partitions" in own else None
        self.tasks = min(self.replicas, partitions_for(cores, self.replicas, wanted))

    def partitions(self) -> list[Replicas]:
        edges = [self.replicas * task // self.tasks for task in range(self.tasks + 1)]
        return [Replicas(first, end) for first, end in pairwise(edges)]

    def read(self, partition: Replicas) -> Iterator[pa.RecordBatch]:
        """The events of its replicas, those of small labs many to a batch."""
        request, tables, rows = self.request, [], 0
        for replica in range(partition.first, partition.end):
            seed = request.seed + replica
            with request.workload.over(seed, **request.parameters) as lab:
                tables.append(_events(lab, replica, seed))
            rows += tables[-1].num_rows
            if rows >= BATCH_ROWS:
                yield from pa.concat_tables(tables).combine_chunks().to_batches(BATCH_ROWS)
                tables, rows = [], 0
        if tables:
            yield from pa.concat_tables(tables).combine_chunks().to_batches(BATCH_ROWS)
        settle()


def _events(lab: Lab, replica: int, seed: int) -> pa.Table:
    """The event log of one replica, in the columns of EVENTS."""
    table = to_arrow(lab.events)
    for name, value in (("replica", replica), ("seed", seed)):
        table = table.append_column(name, pa.array([value] * table.num_rows, EVENTS.field(name).type))
    return table.cast(EVENTS)
