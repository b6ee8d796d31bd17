"""A watch over a stream of events: depth and expiry of every queue, window by window of simulated time.

A window closes, and is reported once, when a row comes that is more than `late` after its end, of any lab. The last
windows of a log stay open, because no such row comes: `end_of_log` closes those of a folder. Spark drops rows that come
more than `late` behind the newest row so far, and counts them in `query.lastProgress`. So the labs of a stream must
come side by side; it is of one lab, or has the columns `labs.KEYS`.
"""

from __future__ import annotations

import json
import os
import re
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..engine.words import arguments
from ..engine.words.errors import LabError
from ..engine.world.event import COLUMNS
from ..engine.world.event_kinds import ARRIVES, CHANGES_DEPTH
from .answers import asked
from .columns import KEYS, WRITE, parts, with_folders
from .labs import key
from .moments import moment
from .questions.stays import deadline
from .read import literal, place, schema
from .spark import cause, failures

if TYPE_CHECKING:
    from datetime import datetime

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming import StreamingQuery


END, MARK = "_end_of_log", "_watch"
PART = r"(\d{0,12}\.\d{1,6}\s+second|\d{1,12}\s+(micro|milli)?second|\d{1,6}\s+(minute|hour|day|week))s?\b"
LENGTH = re.compile(rf"(?i)\s*(interval\s+)?({PART}\s*)+")
FAR_US = 100 * 365 * 86_400 * 1_000_000  # later than any window: a century


def stream_events(spark: SparkSession, folder: str | Path, files_at_once: int = 1) -> DataFrame:
    """The event log that a folder of parquet files grows into, as a stream; `files_at_once` files are a batch.

    Names of folders in it, such as `lab=A`, are columns as for `read_events`, if there is a file in such a folder when
    the stream is made; columns that tell labs apart, if the first file that is there then has them."""
    from pyspark.sql.types import StructType

    arguments.require("files_at_once", files_at_once, int, "a whole number, 1 or more", arguments.at_least(1))
    files, keys = _files(spark, folder), []
    for file in files[:1]:
        there = spark.read.parquet(literal(unquote(file))).schema
        keys = [field for field in there if field.name in KEYS]
        if lacks := [name for name in COLUMNS if name not in {*there.fieldNames(), *dict(parts(file))}]:
            raise LabError(f"an event log must have all its columns; {file} lacks {', '.join(lacks)}. {WRITE}")
    reader = spark.readStream.schema(StructType([*schema(), *keys]))
    ever = "36500d"  # a file that is a week older than the newest one is read, too
    options = {"maxFilesPerTrigger": files_at_once, "recursiveFileLookup": True, "maxFileAge": ever}
    log = reader.options(**options).parquet(f"{place(folder)}{{,/{END}}}")
    return with_folders(log, [dict(parts(file)) for file in files], {*COLUMNS}, later=True)


def end_of_log(spark: SparkSession, folder: str | Path) -> None:
    """Tell the streams of `stream_events` over a folder that its log has ended, so that their last windows close.

    Only streams read the mark, a file in a folder whose name begins with _. Rows that come afterward are too late."""
    row = {"seq": -1, "time_us": FAR_US, "qmgr": END, "kind": "browse", "object": END, "object_type": "QLOCAL"}
    _files(spark, folder)
    mark = spark.createDataFrame([tuple(map(row.get, COLUMNS))], schema())
    mark.write.mode("overwrite").parquet(f"{_whole(folder)}/{END}")


def _files(spark: SparkSession, folder: str | Path) -> list[str]:
    """The addresses of the files below a folder; LabError if it is none that Spark can read."""
    try:
        if not os.path.isfile(folder):
            return spark.read.schema(schema()).option("recursiveFileLookup", True).parquet(place(folder)).inputFiles()
        why = "it is a file"
    except failures() as error:
        why = cause(error)
    raise LabError(f"folder must be one that Spark can read; {folder} is not ({why}). Create it, or give another")


def _whole(folder: str | Path) -> str:
    """The address, or the whole path, of a folder."""
    return str(folder) if ":/" in str(folder) else os.path.abspath(folder)


def watch(stream: DataFrame, start: datetime, window: str = "1 minute", late: str = "1 minute") -> DataFrame:
    """Depth and expiry of each queue in each window of simulated time; also of a whole log, as a batch.

    `start` is the lab's start, a datetime with its time zone; `late` says how far out of order rows may come. A row
    that a stream delivers more than once counts once. A batch has no watermark or order."""
    from pyspark.sql import functions as F

    for name, text in (("window", window), ("late", late)):
        arguments.require(name, text, str, 'a length of time in weeks or less, such as "1 minute"', LENGTH.fullmatch)
    arguments.require("window", window, str, "more than 0", re.compile("[1-9]").search)
    queue, happened = [*key(stream), "qmgr", "object"], moment(start)
    about = {"watch": {"start": start.astimezone(UTC).isoformat(), "window": window, "late": late}}
    kind, reason, worked = F.col("kind"), F.col("reason"), F.col("message").isNotNull()
    overdue = F.when(kind == "discard", F.col("time_us") - deadline()).alias("overdue")
    return (
        stream.where((F.col("object_type") == "QLOCAL") & kind.isin(*CHANGES_DEPTH, "browse"))
        .select(*queue, "seq", "kind", "message", "reason", "depth", overdue, happened.alias("moment"))
        .withWatermark("moment", late)
        .dropDuplicates([*queue[:-2], "seq", "moment"])
        .groupBy(F.window("moment", window), *queue)
        .agg(
            F.max("depth").alias("deepest"),
            F.max_by("depth", "seq").alias("depth"),
            F.count_if(kind.isin(*ARRIVES) & worked & reason.isNull()).alias("put"),
            F.count_if((kind == "get") & worked).alias("got"),
            F.count_if(kind == "discard").alias("discarded"),
            F.max("overdue").alias("latest_us"),
            F.count_if(reason.isNotNull() & ~worked & (reason != 2033)).alias("refused"),
            F.count_if((reason == 2033) & ~worked).alias("empty"),
        )
        .select(F.col("window.start").alias("from", metadata=about), F.col("window.end").alias("to"), "*")
        .drop("window")
    )


def start(watched: DataFrame, out: str | Path, checkpoint: str | Path, available_now: bool = True) -> StreamingQuery:
    """Write the windows of a stream, each once it is closed, as parquet to `out`; a query started again with the same
    folder `checkpoint` goes on where it was. With `available_now` it ends when all that is there has been read; windows
    that a later row may still change stay open until `end_of_log`. LabError if a folder is that of another watch."""
    own: dict = next((field.metadata.get("watch", {}) for field in watched.schema if field.name == "from"), {})
    if not own or not watched.isStreaming:
        got = "those of a batch, which watched.write.parquet(out) writes" if own else "other rows"
        raise LabError(f"watched must be the windows that watch makes of a stream; got {got}")
    folders = {"out": _whole(out), "checkpoint": _whole(checkpoint)}
    if folders["out"] == folders["checkpoint"]:
        raise LabError(f"out and checkpoint must be two folders; got {folders['out']} for both")
    _keep(watched.sparkSession, folders, {**folders, **own})
    writer = watched.writeStream.trigger(availableNow=True) if available_now else watched.writeStream
    return writer.start(folders["out"], "parquet", "append", checkpointLocation=folders["checkpoint"])


def _keep(spark: SparkSession, folders: dict[str, str], question: dict[str, str]) -> None:
    """Keep the facts of a watch in both folders; LabError, changing nothing, if one is that of another watch."""
    from pyspark.errors import AnalysisException

    def mark(folder: str) -> dict[str, str]:
        try:
            return json.loads(spark.read.text(place(f"{folder}/{MARK}")).collect()[0].value)
        except AnalysisException:  # there is none
            return {}

    found = {name: mark(folder) for name, folder in folders.items()}
    if not any(found.values()):
        row = spark.createDataFrame([(json.dumps(question),)], "value string")
        for folder in folders.values():
            row.write.text(f"{folder}/{MARK}")
        return
    for name, before in found.items():
        if differ := [each for each in question if before.get(each) != question[each]]:
            got = f"of a watch with {differ[0]} {before.get(differ[0])}, not {question[differ[0]]}" if before else "new"
            wanted = "out and checkpoint must be folders of this watch, or both be new"
            raise LabError(f"{wanted}; {folders[name]} is {got}. Give other folders")


arguments.checked_calls(__name__, inside=asked)
