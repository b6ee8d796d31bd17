"""Labs as a Spark data source: `spark.read.format("mqlab")` simulates on the executors and yields their events.

    register(spark)
    events = spark.read.format("mqlab").option("scenario", "expiring").option("replicas", 1000).load()

| option       | default    | of         | meaning                                                              |
| ------------ | ---------- | ---------- | -------------------------------------------------------------------- |
| `scenario`   |            | both       | what to simulate: a name of `mqlab.pipeline.workloads.names()`       |
| a parameter  | its own    | both       | such as `expiry`: `print(workloads.find("expiring").describe())`     |
| `seed`       | 0          | both       | the seed of the first lab; each lab has the next one                 |
| `replicas`   | 1          | read       | the number of labs                                                   |
| `replica`    | all        | read       | simulate only these of the replicas: numbers from 0, between commas  |
| `object`     | all        | read       | send only the events of these queues: names between commas           |
| `qmgr`       | all        | read       | send only the events of these queue managers: names between commas   |
| `partitions` | from cores | read       | the number of tasks, of about as many labs each                      |
| `mode`       | PERMISSIVE | read       | PERMISSIVE: a lab that fails is one row. FAILFAST: it ends the read  |
| `rate`       | 1          | readStream | the simulated seconds of a batch                                     |
| `until`      | the end    | readStream | the simulated second at which the stream of the one lab ends         |

The columns are those of an event log, and `replica` and `seed`, which name the lab of a row: the questions of the
pipeline keep labs apart by them. `help(LabSource)` lists all columns, and so does DESCRIBE of a view.

- A lab that fails has no events, only one row: its kind is "failed", its seq and time_us are 0, and its detail is JSON
  with error_type and error. No question counts that row: `events.where("kind = 'failed'")` shows these labs.
- `where` filters in Spark, after every lab is simulated. The options `replica`, `object`, and `qmgr` filter before.
  Spark 4.3 can push filters into a Python data source, but then reads every use of the same DataFrame with the filters
  of one: after `events.where("replica = 1").count()`, `events.count()` would count replica 1 only. So none are pushed.
- Spark asks a Python data source for all of its columns. `.schema("seq LONG, kind STRING, replica INT")` makes it build
  and send only these. Other names or types are refused before any task.
- All rows of a lab are in one partition, in the order of seq, and the labs of a partition are in the order of replica.
  A Python data source cannot report that to Spark: `groupBy("replica")` still moves rows.

The executors need this package, installed on each or sent with Spark's own means.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition, SimpleDataSourceStreamReader
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError
from ..engine.world import event
from ..engine.world.clock import microseconds
from ..formats.event_file import SCHEMA, to_arrow
from . import workloads
from .read import commented, plain
from .spark import cores, partitions_for, settle
from .workloads.workload import failure

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
NULL = {each.name: each.null for each in ABOUT}
FAILED = "failed"
MODES = ("PERMISSIVE", "FAILFAST")

BATCH_ROWS = 10_000
ROWS = ("object", "qmgr")
BATCH_ONLY = ("replicas", "replica", *ROWS, "partitions", "mode")
STREAM_ONLY = ("rate", "until")


@checked
def register(spark: SparkSession) -> None:
    """Make format "mqlab" known to a session, for `read` and `readStream`."""
    # a class of this session, because Spark gives a data source no access to its session
    spark.dataSource.register(type("SessionLabSource", (LabSource,), {"cores": cores(spark)}))


class Request:
    """The checked options of a reader: the wanted columns, the workload with its parameters, and each other option.

    Option names are without case. LabError for an option that there is not or is of the `other` way to read, for
    values, and for a schema of other columns than EVENTS.
    """

    def __init__(self, options: Mapping[str, str], schema: StructType, other: tuple[str, ...] = ()):
        self.columns = _columns(schema)
        given = {name.lower(): value for name, value in options.items()}
        if "scenario" not in given:
            raise LabError(
                f'option "scenario" must be one of {", ".join(workloads.names())}; got none. '
                f'Say .option("scenario", "expiring")'
            )
        self.workload = workloads.find(given.pop("scenario"))
        self.seed = _whole("seed", given.pop("seed", "0"))
        for name in other:
            if name in given:
                raise LabError(f"option {name!r} is for {'readStream' if name in STREAM_ONLY else 'read'} only")
        own = {name: given.pop(name) for name in BATCH_ONLY + STREAM_ONLY if name in given}
        self.parameters = self.workload.values(given)
        self.replicas: Sequence[int] = range(_whole("replicas", own.get("replicas", "1"), 1))
        if "replica" in own:
            self.replicas = sorted({_whole("replica", each, 0, self.replicas[-1]) for each in _listed(own["replica"])})
        self.rows = {name: _listed(own[name]) for name in ROWS if name in own}
        self.partitions = _whole("partitions", own["partitions"], 1) if "partitions" in own else None
        self.mode = own.get("mode", MODES[0]).upper()
        if self.mode not in MODES:
            raise LabError(f"option 'mode' must be {' or '.join(MODES)}; got {own['mode']!r}")
        self.slice_us = _seconds("rate", own.get("rate", "1"))
        self.until_us = _seconds("until", own["until"]) if "until" in own else None


def _columns(schema: StructType) -> pa.Schema:
    """The wanted columns as Spark expects them in Arrow; LabError for others than those of EVENTS."""
    there, names = from_arrow_schema(EVENTS), schema.fieldNames()
    for field in schema:
        if field.name not in EVENTS.names or names.count(field.name) > 1:
            raise LabError(
                f".schema(...) must have columns of an event log, each once: {', '.join(EVENTS.names)}; "
                f"got {', '.join(names)}. Leave .schema out for all of them"
            )
        kind, null = there[field.name].dataType, NULL[field.name]
        if field.dataType != kind or (null != "never" and not field.nullable):
            raise LabError(
                f".schema(...) must have {field.name} as {kind.simpleString().upper()} (null: {null}); "
                f"got {field.dataType.simpleString().upper()}{'' if field.nullable else ' NOT NULL'}. "
                f"Leave .schema out for all columns"
            )
    return to_arrow_schema(schema, timezone="UTC")


@contextmanager
def _told() -> Iterator[None]:
    """Let Spark tell a LabError without Python's traceback."""
    # the sentence is for the user, and the process that Spark runs this in ends with the error
    try:
        yield
    except LabError:
        os.environ["SPARK_HIDE_TRACEBACK"] = "1"  # as the setting ...pyspark.udf.hideTraceback.enabled does
        raise


def _whole(name: str, text: str, least: int | None = None, most: int | None = None) -> int:
    """An option as a whole number; LabError for another value."""
    try:
        number = int(text)
    except ValueError:
        number = None
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        limits = "" if least is None else f", {least} or more" if most is None else f" from {least} to {most}"
        raise LabError(f"option {name!r} must be a whole number{limits}; got {text!r}")
    return number


def _listed(text: str) -> list[str]:
    """The values between the commas of an option."""
    return [each.strip() for each in text.split(",")]


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
        replicas, labs = self.request.replicas, len(self.request.replicas)
        tasks = max(1, min(labs, partitions_for(self.cores, labs, self.request.partitions)))
        edges = [labs * task // tasks for task in range(tasks + 1)]
        return [InputPartition(replicas[first:end]) for first, end in pairwise(edges)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The events of its replicas, those of small labs many to a batch."""
        tables, rows = [], 0
        for replica in partition.value:
            with _told():
                tables.append(self._events(replica))
            rows += tables[-1].num_rows
            if rows >= BATCH_ROWS or replica == partition.value[-1]:
                yield from pa.concat_tables(tables).combine_chunks().to_batches(BATCH_ROWS)
                tables, rows = [], 0
        settle()

    def _events(self, replica: int) -> pa.Table:
        """The wanted rows and columns of one replica, or the row that says why it failed."""
        request, wanted = self.request, self.request.columns.names
        lab_of = {"replica": replica, "seed": request.seed + replica}
        names = dict.fromkeys(["seq", *request.rows, *(name for name in wanted if name not in lab_of)])
        try:
            with request.workload.over(lab_of["seed"], **request.parameters) as lab:
                table = to_arrow(lab.events, names)
            for name, values in request.rows.items():
                table = table.filter(pc.is_in(table[name].cast(pa.string()), pa.array(values)))
        except Exception as error:
            kind, why = failure(error)
            if request.mode == "FAILFAST" or not {"kind", "detail"} <= set(wanted):
                raise LabError(
                    f"replica {replica} (seed {lab_of['seed']}) of {request.workload.name} failed: {why}. Option "
                    f'"mode" PERMISSIVE, with the columns kind and detail, keeps it as a row and reads the others'
                ) from error
            row = {"seq": 0, "time_us": 0, "kind": FAILED, "detail": json.dumps({"error_type": kind, "error": why})}
            table = pa.table({name: pa.array([row.get(name)], EVENTS.field(name).type) for name in names})
        for name, value in lab_of.items():
            table = table.append_column(name, pa.repeat(pa.scalar(value, EVENTS.field(name).type), table.num_rows))
        return table.select(wanted).cast(request.columns)


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
        wanted = [EVENTS.names.index(name) for name in self._request.columns.names]
        rows = ((*row, 0, self._request.seed) for row in lab.events.span(first, last))
        return iter([tuple(row[at] for at in wanted) for row in rows])

    def _begun(self) -> Lab:
        """The lab, which is set up at the first call; that also finds out when it ends."""
        if self._lab is None:
            request = self._request
            self._lab, end_us = request.workload.begin(request.seed, **request.parameters)
            ends_us = (self._lab.now_us if end_us is None else end_us, self._request.until_us)
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
