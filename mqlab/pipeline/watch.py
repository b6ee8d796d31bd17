"""A watch over a stream of events: depth and expiry of every queue, window by window of simulated time.

The stream may be any that has the columns of an event log: `stream_events` follows a folder that a lab, or
`write_slices`, adds files to. Windows are of event time and close when the watermark has passed them, so that each is
reported once, with its late rows; Spark counts rows that arrive later still as dropped (`late_rows`). A stream
is of one lab, or has the columns that identify its labs (`mqlab.pipeline.labs.KEYS`).
"""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from pyspark.sql.streaming.listener import StreamingQueryListener

from ..engine.words import arguments
from ..engine.words.arguments import require, within
from ..engine.words.errors import LabError
from ..engine.world.event import COLUMNS
from ..engine.world.event_kinds import ARRIVES, CHANGES_DEPTH
from ..formats.whole_file import whole
from .labs import asked, key
from .read import place, schema

if TYPE_CHECKING:
    from datetime import datetime

    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.streaming import StreamingQuery

    from ..lab.event_log import EventLog


MILLISECOND_NS = 1_000_000
"""The unit in which Spark compares the ages of files."""


def write_slices(events: EventLog, folder: str | Path, slices: int) -> list[Path]:
    """Write an event log as `slices` parquet files of about as many rows, in order of time: their paths.

    Each appears under its name when it is whole, and is at least a millisecond younger than the one before, as a stream
    that follows the folder needs it. LabError unless there are at least as many rows as slices.
    """
    import pyarrow.parquet as pq

    require(
        "slices", slices, int, f"a whole number from 1 to {len(events)} (the rows there are)", within(1, len(events))
    )
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    table, paths, age_ns = events.to_arrow(), [], 0
    for number in range(slices):
        first, end = (len(events) * each // slices for each in (number, number + 1))
        path = folder / f"events-{number:05d}.parquet"
        with whole(path) as part:  # Spark passes over its name, which begins with a dot
            pq.write_table(table.slice(first, end - first), part, compression="zstd", write_page_checksum=True)
            # Spark takes files of one age in any order, and a stream drops rows that come too late.
            age_ns = max(part.stat().st_mtime_ns, age_ns + MILLISECOND_NS)
            os.utime(part, ns=(age_ns, age_ns))
        paths.append(path)
    return paths


def stream_events(spark: SparkSession, folder: str | Path, files_at_once: int = 1) -> DataFrame:
    """The event log that a folder of parquet files grows into, as a stream with the columns of an event log.

    Files are taken in order of their age in milliseconds, `files_at_once` of them in a batch.
    """
    reader = spark.readStream.schema(schema()).option("maxFilesPerTrigger", files_at_once)
    return reader.parquet(place(folder)).select(*COLUMNS)


def watch(stream: DataFrame, start: datetime, window: str = "1 minute", late: str = "1 minute") -> DataFrame:
    """Depth and expiry of each queue in each window of simulated time; also of a whole log, as a batch.

    `start` is the lab's start, a datetime with its time zone; `window` and `late`, how far out of order rows may come,
    are written as Spark writes durations. A row that a stream delivers more than once counts once.

    Columns: `from` and `to` (timestamps of simulated time), qmgr, object; `deepest` and `depth` (the highest, and that
    after the last row), `put` (reports too), `got`, `discarded` (EXP-02), `latest_us` (the longest time from a
    deadline to the discard), `refused` (calls with a reason other than 2033), and `empty` (2033). A batch has no
    watermark or order.
    """
    from pyspark.sql import functions as F

    queue, happened = [*key(stream), "qmgr", "object"], moment(start)
    kind, reason, worked = F.col("kind"), F.col("reason"), F.col("message").isNotNull()
    overdue = F.when(kind == "discard", -F.col("expiry_left") * 100_000)
    return (
        stream.where((F.col("object_type") == "QLOCAL") & kind.isin(*CHANGES_DEPTH, "browse"))
        .select("*", happened.alias("moment"))
        .withWatermark("moment", late)
        .dropDuplicates([*queue[:-2], "seq", "moment"])
        .groupBy(F.window("moment", window), *queue)
        .agg(
            F.max("depth").alias("deepest"),
            F.max_by("depth", "seq").alias("depth"),
            F.count_if(kind.isin(*ARRIVES) & worked & reason.isNull()).alias("put"),
            F.count_if((kind == "get") & worked).alias("got"),
            F.count_if(kind == "discard").alias("discarded"),
            F.max(overdue).alias("latest_us"),
            F.count_if(reason.isNotNull() & ~worked & (reason != 2033)).alias("refused"),
            F.count_if((reason == 2033) & ~worked).alias("empty"),
        )
        .select(
            *(F.col("window.start").alias("from"), F.col("window.end").alias("to"), *queue),
            *("deepest", "depth", "put", "got", "discarded", "latest_us", "refused", "empty"),
        )
    )


def moment(start: datetime) -> Column:
    """The simulated time of a row as a timestamp; LabError if `start`, the lab's start, has no time zone."""
    from pyspark.sql import functions as F

    if getattr(start, "tzinfo", start) is None:
        raise LabError(f"start must be a datetime with its time zone, such as lab.start; got {start!r}")
    return F.timestamp_micros(F.unix_micros(F.lit(start).cast("timestamp")) + F.col("time_us"))


class _Counting(StreamingQueryListener):
    """Counts the rows that the queries of a session drop, batch by batch."""

    counted: dict[str, tuple[int, int]] = {}  # by run: rows, and the last batch that they are of
    sessions: WeakSet[SparkSession] = WeakSet()

    def onQueryStarted(self, event: object) -> None: ...

    def onQueryTerminated(self, event: object) -> None: ...

    def onQueryProgress(self, event: Any) -> None:
        run, batch = str(event.progress.runId), event.progress.batchId
        rows, last = self.counted.get(run, (0, -1))
        if batch > last:
            self.counted[run] = rows + _dropped(event.progress), batch


def _dropped(progress: Any) -> int:
    """How many rows a batch dropped."""
    return sum(operator.numRowsDroppedByWatermark for operator in progress.stateOperators)


def start(watched: DataFrame, out: str | Path, checkpoint: str | Path, available_now: bool = True) -> StreamingQuery:
    """Write the windows of a stream, each once it is closed, as parquet to `out`; the running query.

    `checkpoint` is the folder that remembers how far it came: a query started again with the same one goes on from
    there, without losing or doubling a window. With `available_now` it ends when all that is there has been read.
    """
    spark = watched.sparkSession
    if spark not in _Counting.sessions:
        spark.streams.addListener(_Counting())
        _Counting.sessions.add(spark)
    writer = watched.writeStream.format("parquet").outputMode("append")
    writer = writer.option("path", str(out)).option("checkpointLocation", str(checkpoint))
    return (writer.trigger(availableNow=True) if available_now else writer).start()


PATIENCE = 10  # seconds for Spark to report batches that it no longer keeps


def late_rows(query: StreamingQuery) -> int:
    """How many rows a query of `start` has dropped, since it was last started, because they came after their window was
    closed.

    LabError for a query that something else started, if Spark has forgotten some of its batches: it keeps the progress
    of the last 100.
    """
    end = monotonic() + PATIENCE
    while True:
        kept = query.recentProgress  # first, as the count only goes on
        rows, last = _Counting.counted.get(str(query.runId), (0, -1))
        if not kept or kept[0].batchId <= last + 1:
            return rows + sum(_dropped(each) for each in kept if each.batchId > last)
        if monotonic() > end:
            raise LabError(
                f"give a query of mqlab.pipeline.watch.start; Spark keeps only the last {len(kept)} batches of "
                f"this one, so earlier late rows are unknown. Start it with start(...) from its checkpoint"
            )
        sleep(PATIENCE / 100)


arguments.checked_calls(__name__, inside=asked)
