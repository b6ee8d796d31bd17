"""Labs as a Spark data source: `spark.read.format("mqlab")` simulates on the executors and yields their events.

    register(spark)
    events = spark.read.format("mqlab").option("scenario", "expiring").option("replicas", 1000).load()

| option       | default    | meaning                                                              |
| ------------ | ---------- | -------------------------------------------------------------------- |
| `scenario`   |            | what to simulate: a name of `mqlab.pipeline.workloads.names()`       |
| a parameter  | its own    | such as `expiry`: `print(workloads.find("expiring").describe())`     |
| `seed`       | 0          | the seed of the first lab; each lab has the next one                 |
| `replicas`   | 1          | the number of labs                                                   |
| `partitions` | from cores | the number of tasks, of about as many labs each                      |

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
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError
from ..engine.world import event
from ..formats.event_file import SCHEMA, to_arrow
from . import workloads
from .read import VERSION_KEY, commented, plain
from .simulator import partitions_for, rows
from .spark import cores
from .workloads.workload import Parameter, failure

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
OWN = {
    "seed": Parameter("seed", 0, "the seed of the first lab", low=-(2**62), high=2**62),
    "replicas": Parameter("replicas", 1, "the number of labs", low=1, high=2**31 - 1),
    "partitions": Parameter("partitions", 1, "the number of tasks", low=1),
}
"""The options of a reader besides the parameters of its workload."""


@checked
def register(spark: SparkSession) -> None:
    """Make format "mqlab" known to a session."""
    # a class of this session, because Spark gives a data source no access to its session
    spark.dataSource.register(type("SessionLabSource", (LabSource,), {"cores": cores(spark)}))


class Request:
    """The checked options of a reader. LabError for an unknown option or value, and for another schema than EVENTS."""

    def __init__(self, options: Mapping[str, str], schema: StructType):
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
            schema["seq"].metadata[VERSION_KEY] = str(event.SCHEMA_VERSION)  # so that it can be written as a log
            return schema

    def reader(self, schema: StructType) -> LabReader:
        with _told():
            return LabReader(Request(self.options, schema), self.cores)


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
