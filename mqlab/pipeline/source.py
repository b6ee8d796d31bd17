"""Labs as a Spark data source: `spark.read.format("mqlab")` simulates on the executors and yields their events.

    register(spark)
    events = spark.read.format("mqlab").option("scenario", "expiring").option("replicas", 1000).load()

Options, besides every parameter of the workload: `scenario`, a name of `mqlab.pipeline.workloads.names()`;
`replicas`, how many labs (1); `seed`, the first one's (0), the others' count up; `partitions`, how many tasks. Columns
are those of the event log, `replica` (from 0) and `seed`, which the answers of the pipeline's questions have, too.
`where` with values of replica or seed simulates only those labs. A lab that fails ends the read, and is named.

The executors need this package, installed on each or sent with Spark's own means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import datasource
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition, SimpleDataSourceStreamReader
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from ..mq.errors import LabError
from ..sim.clock import microseconds
from ..sim.event_file import SCHEMA, to_arrow
from . import workloads
from .read import plain
from .spark import classic, cores, first_line, partitions_for, settle

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..lab.lab import Lab

EVENTS = pa.schema([*plain(SCHEMA), ("replica", pa.int32()), ("seed", pa.int64())])
"""The columns of a read: those of the event log, its names as plain text, and which replica."""

BATCH_ROWS = 10_000
BATCH_ONLY = ("replicas", "partitions")
STREAM_ONLY = ("rate", "until")


def register(spark: SparkSession) -> None:
    """Make format "mqlab" known to a session, for `read` and `readStream`."""
    classic(spark, "register")
    # a class of this session, because Spark gives a data source no access to its session
    spark.dataSource.register(type("SessionLabSource", (LabSource,), {"cores": cores(spark)}))
    spark.conf.set("spark.sql.python.filterPushdown.enabled", True)


class Request:
    """The checked options of a reader: the workload, its parameters, and the rest as numbers.

    Option names are without case. LabError for one that there is not, for values, and for a schema other than EVENTS.
    """

    def __init__(self, options: Mapping[str, str], own: tuple[str, ...], schema: StructType):
        if schema != (own_schema := from_arrow_schema(EVENTS)):
            raise LabError(
                f".schema(...) must be left out, or be {own_schema.simpleString()}; got {schema.simpleString()}"
            )
        given = {name.lower(): value for name, value in options.items()}
        if "scenario" not in given:
            raise LabError(
                f'option "scenario" must be one of {", ".join(workloads.names())}; got none. '
                f'Say .option("scenario", "expiring")'
            )
        self.workload = workloads.find(given.pop("scenario"))
        self.seed = _whole("seed", given.pop("seed", "0"))
        self.own = {name: given.pop(name) for name in own if name in given}
        for name in given:
            if name in BATCH_ONLY + STREAM_ONLY:
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
            f"option {name!r} must be a whole number{'' if least is None else f', {least} or more'}; got {text!r}"
        )
    return number


class LabSource(DataSource):
    """Format "mqlab"; see the module."""

    cores = 1

    @classmethod
    def name(cls) -> str:
        return "mqlab"

    def schema(self) -> StructType:
        return from_arrow_schema(EVENTS)

    def reader(self, schema: StructType) -> LabReader:
        return LabReader(Request(self.options, BATCH_ONLY, schema), self.cores)

    def simpleStreamReader(self, schema: StructType) -> LabStream:
        return LabStream(Request(self.options, STREAM_ONLY, schema))


class LabReader(DataSourceReader):
    """Simulates replicas, a contiguous part of them in each task."""

    def __init__(self, request: Request, cores: int):
        self.request, self.cores, own = request, cores, request.own
        self.replicas: Sequence[int] = range(_whole("replicas", own.get("replicas", "1"), 1))
        self.wanted = _whole("partitions", own["partitions"], 1) if "partitions" in own else None

    def pushFilters(self, filters: list[datasource.Filter]) -> list[datasource.Filter]:
        """Leave out the replicas that a filter of replica or seed does not want; Spark still filters their rows."""
        numbered = {("replica",): 0, ("seed",): self.request.seed}
        for each in filters:
            told, no = (each.child, True) if isinstance(each, datasource.Not) else (each, False)
            if isinstance(told, datasource.EqualTo | datasource.In) and told.attribute in numbered:
                values = told.value if isinstance(told, datasource.In) else (told.value,)
                self.replicas = [one for one in self.replicas if (numbered[told.attribute] + one in values) != no]
        return filters

    def partitions(self) -> list[InputPartition]:
        labs = len(self.replicas)
        tasks = max(1, min(labs, partitions_for(self.cores, labs, self.wanted)))
        edges = [labs * task // tasks for task in range(tasks + 1)]
        return [InputPartition(self.replicas[first:end]) for first, end in pairwise(edges)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The events of its replicas, those of small labs many to a batch."""
        request, tables, rows = self.request, [], 0
        for replica in partition.value:
            seed = request.seed + replica
            try:
                with request.workload.over(seed, **request.parameters) as lab:
                    tables.append(_events(lab, replica, seed))
            except Exception as error:
                failed = f"replica {replica} (seed {seed}) of {request.workload.name} failed: {first_line(error)}"
                raise LabError(f'{failed}. .where("replica <> {replica}") reads the others') from error
            rows += tables[-1].num_rows
            if rows >= BATCH_ROWS or replica == partition.value[-1]:
                yield from pa.concat_tables(tables).combine_chunks().to_batches(BATCH_ROWS)
                tables, rows = [], 0
        settle()


def _events(lab: Lab, replica: int, seed: int) -> pa.Table:
    """The event log of one replica, in the columns of EVENTS."""
    table = to_arrow(lab.events)
    for name, value in (("replica", replica), ("seed", seed)):
        table = table.append_column(name, pa.array([value] * table.num_rows, EVENTS.field(name).type))
    return table.cast(EVENTS)


OFFSET = "time_us"
BEFORE = {OFFSET: -1}


class LabStream(SimpleDataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads the events of one lab, slice by slice. An offset is the last microsecond that was read."""

    def __init__(self, request: Request):
        self._request, own = request, request.own
        self._slice_us = _seconds("rate", own.get("rate", "1"))
        self._until_us = _seconds("until", own["until"]) if "until" in own else None
        self._lab: Lab | None = None
        self._end_us = 0

    def initialOffset(self) -> dict:
        return BEFORE

    def prepareForTriggerAvailableNow(self) -> None:
        """Everything is known: the lab up to its end. The batches stay slices."""

    def read(self, start: dict) -> tuple[Iterator[tuple], dict]:
        """The next slice, and the offset behind it; nothing, and the same offset, when the lab has ended."""
        self._begun()
        end = {OFFSET: min(max(start[OFFSET], 0) + self._slice_us, self._end_us)}
        if end[OFFSET] <= start[OFFSET]:
            return iter(()), start
        return self.readBetweenOffsets(start, end), end

    def readBetweenOffsets(self, start: dict, end: dict) -> Iterator[tuple]:
        """The rows after `start` up to and including `end`."""
        lab = self._begun()
        if lab.now_us < end[OFFSET]:
            lab.advance_to(end[OFFSET])
        first, last = (lab.events.count_until(each[OFFSET]) for each in (start, end))
        return iter([(*row, 0, self._request.seed) for row in lab.events.span(first, last)])

    def _begun(self) -> Lab:
        """The lab, which is set up at the first call; that also finds out when it ends."""
        if self._lab is None:
            request = self._request
            self._lab, end_us = request.workload.begin(request.seed, **request.parameters)
            ends_us = (self._lab.now_us if end_us is None else end_us, self._until_us)
            self._end_us = min(each for each in ends_us if each is not None)
        return self._lab


def _seconds(name: str, text: str) -> int:
    """An option in seconds as microseconds; LabError unless it is a number greater than 0."""
    try:
        found = microseconds(float(text), f"option {name!r}")
    except ValueError:
        found = 0
    if found <= 0:
        raise LabError(f"option {name!r} must be a number of seconds, more than 0; got {text!r}")
    return found
