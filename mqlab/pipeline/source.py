"""Labs as a Spark data source: `spark.read.format("mqlab")` simulates on the executors and yields their events.

    register(spark)
    events = spark.read.format("mqlab").option("scenario", "expiring").option("replicas", 1000).load()

| option       | default    | of         | meaning                                                              |
| ------------ | ---------- | ---------- | -------------------------------------------------------------------- |
| `scenario`   |            | both       | what to simulate: a name of `mqlab.pipeline.workloads.names()`       |
| a parameter  | its own    | both       | such as `expiry`: `print(workloads.find("expiring").describe())`     |
| `seed`       | 0          | both       | the seed of the first lab; each lab has the next one                 |
| `replicas`   | 1          | read       | the number of labs                                                   |
| `partitions` | from cores | read       | the number of tasks, of about as many labs each                      |
| `rate`       | 1          | readStream | the simulated seconds of a batch                                     |
| `until`      | the end    | readStream | the simulated second at which the stream of the one lab ends         |

The columns are those of an event log, and `replica` and `seed`, which name the lab of a row. All rows of a lab are in
one partition, in the order of seq. A lab that fails has no events, only one row: its kind is "failed", and its detail
is JSON with error_type and error. No question counts that row.

Spark simulates the labs again each time that it reads the DataFrame. In a local session, the questions of
`mqlab.pipeline.questions` keep the rows for as long as the DataFrame is there, and so simulate each lab once. On a
cluster, and for other uses, call `events.cache()` first.

No filters are pushed down: with them, Spark 4.3 reads every use of the same DataFrame with the filters of one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition, SimpleDataSourceStreamReader
from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError
from ..engine.world import event
from ..engine.world.clock import microseconds
from ..formats.event_file import SCHEMA, to_arrow
from . import workloads
from .read import commented, plain
from .simulator import partitions_for, rows
from .spark import cores
from .workloads.workload import Parameter, failure

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..lab.lab import Lab

ABOUT = (
    *event.ABOUT,
    *event.about("""
replica | int32 | number | never | the lab, counted from 0
seed    | int64 |        | never | the seed of the lab
"""),
)
"""The columns of a read."""

EVENTS = pa.schema([*plain(SCHEMA), ("replica", pa.int32()), ("seed", pa.int64())])
FAILED = "failed"
BATCH_ROWS = 10_000
BATCH_ONLY, STREAM_ONLY = ("replicas", "partitions"), ("rate", "until")
OWN = {
    "seed": Parameter("seed", 0, "the seed of the first lab"),
    "replicas": Parameter("replicas", 1, "the number of labs", low=1),
    "partitions": Parameter("partitions", 1, "the number of tasks", low=1),
    "rate": Parameter("rate", 1.0, "the simulated time of a batch", "seconds", 0.000_001),
    "until": Parameter("until", 1.0, "the simulated time at which the stream ends", "seconds", 0.000_001),
}
"""The options of a reader besides the parameters of its workload."""


@checked
def register(spark: SparkSession) -> None:
    """Make format "mqlab" known to a session, for `read` and `readStream`."""
    # a class of this session, because Spark gives a data source no access to its session
    spark.dataSource.register(type("SessionLabSource", (LabSource,), {"cores": cores(spark)}))


class Request:
    """The checked options of a reader. LabError for an unknown option or value, for an option of the `other` way to
    read, and for another schema than EVENTS."""

    def __init__(self, options: Mapping[str, str], schema: StructType, other: tuple[str, ...] = ()):
        columns, wanted = ([(each.name, each.dataType) for each in of] for of in (schema, commented(EVENTS, ABOUT)))
        if columns != wanted:
            raise LabError(
                f".schema(...) must be left out, because a lab gives all columns of an event log; got "
                f"{schema.simpleString()}. Use select"
            )
        given = {name.lower(): value for name, value in options.items()}
        if "scenario" not in given:
            raise LabError(
                f'option "scenario" must be one of {", ".join(workloads.names())}; got none. '
                f'Say .option("scenario", "expiring")'
            )
        self.workload = workloads.find(given.pop("scenario"))
        for name in other:
            if name in given:
                raise LabError(f"option {name!r} is for {'readStream' if name in STREAM_ONLY else 'read'} only")
        known = {"scenario": 0, **OWN, **self.workload.parameters}
        for name in (name for name in given if name not in known):
            near = "".join(f"; did you mean {each!r}?" for each in get_close_matches(name, known, 1)) or "."
            raise LabError(
                f'format "mqlab" has no option {name!r}{near} Its options are scenario, {", ".join(OWN)}, and the '
                f"parameters of {self.workload.name}: {', '.join(self.workload.parameters) or 'none'}"
            )
        own = {name: each.checked(given.pop(name)) for name, each in OWN.items() if name in given}
        self.parameters = self.workload.values(given)
        self.seed, self.replicas, self.partitions = own.get("seed", 0), own.get("replicas", 1), own.get("partitions")
        self.slice_us = microseconds(own.get("rate", 1.0))
        self.until_us = microseconds(own["until"]) if "until" in own else None


@contextmanager
def _told() -> Iterator[None]:
    """Let Spark tell a LabError without Python's traceback."""
    # the sentence is for the user, and the process that Spark runs this in ends with the error
    try:
        yield
    except LabError:
        os.environ["SPARK_HIDE_TRACEBACK"] = "1"  # as the setting ...pyspark.udf.hideTraceback.enabled does
        raise


class LabSource(DataSource):
    __doc__ = f"""Format "mqlab": see `help(mqlab.pipeline.source)` for its options. Its columns:

{event.described(ABOUT)}
"""

    cores = 1

    @classmethod
    def name(cls) -> str:
        return "mqlab"

    def schema(self) -> StructType:
        with _told():
            Request(self.options, schema := commented(EVENTS, ABOUT))
            return schema

    def reader(self, schema: StructType) -> LabReader:
        with _told():
            return LabReader(Request(self.options, schema, STREAM_ONLY), self.cores)

    def simpleStreamReader(self, schema: StructType) -> LabStream:
        return LabStream(self.options, schema)


class LabReader(DataSourceReader):
    """Simulates replicas, a contiguous part of them in each task."""

    def __init__(self, request: Request, cores: int):
        self.request, self.cores = request, cores

    def partitions(self) -> list[InputPartition]:
        labs = self.request.replicas
        tasks = min(labs, partitions_for(self.cores, labs, self.request.partitions))
        return [InputPartition(range(*ends)) for ends in pairwise(labs * task // tasks for task in range(tasks + 1))]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return rows(partition.value, self._events)

    def _events(self, replica: int) -> list[pa.RecordBatch]:
        """The events of one replica, or the row that says why it failed."""
        request, seed = self.request, self.request.seed + replica
        try:
            with request.workload.over(seed, **request.parameters) as lab:
                table = to_arrow(lab.events)
        except Exception as error:  # noqa: BLE001  whatever goes wrong in one lab is its row, and the others go on
            kind, why = failure(error)
            row = {"seq": 0, "time_us": 0, "kind": FAILED, "detail": json.dumps({"error_type": kind, "error": why})}
            table = pa.Table.from_pylist([row], SCHEMA)
        table = table.append_column("replica", pa.repeat(replica, table.num_rows))
        table = table.append_column("seed", pa.repeat(seed, table.num_rows))
        return table.cast(EVENTS).combine_chunks().to_batches(BATCH_ROWS)


OFFSET = "time_us"
BEFORE = {OFFSET: -1}


class LabStream(SimpleDataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads the events of one lab, slice by slice. An offset is the last microsecond that was read."""

    def __init__(self, options: Mapping[str, str], schema: StructType):
        self._options, self._schema = options, schema
        self._lab: Lab | None = None
        self._end_us = 0

    @cached_property
    def _request(self) -> Request:
        """The options, checked when a method needs them: Spark loses an error of a stream reader that is not there."""
        with _told():
            return Request(self._options, self._schema, BATCH_ONLY)

    def initialOffset(self) -> dict:
        return BEFORE

    def prepareForTriggerAvailableNow(self) -> None:
        """Everything is known: the lab up to its end. The batches stay slices."""

    def read(self, start: dict) -> tuple[Iterator[tuple], dict]:
        """The next slice, and the offset behind it; nothing, and the same offset, when the lab has ended."""
        self._begun()
        end = {OFFSET: min(max(start[OFFSET], 0) + self._request.slice_us, self._end_us)}
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
            ends_us = (self._lab.now_us if end_us is None else end_us, self._request.until_us)
            self._end_us = min(each for each in ends_us if each is not None)
        return self._lab
