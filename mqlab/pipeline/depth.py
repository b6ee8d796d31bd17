"""Depth over time, with the messages that had lapsed and still counted apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from mqlab.errors import LabError
from mqlab.pipeline.lives import END, stays

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["depth"]

QUEUE = ["qmgr", "object"]


def depth(events: DataFrame, every_seconds: int = 60) -> DataFrame:
    """The depth of every queue at the end of each interval of `every_seconds`, exactly.

    Every row of the log carries its queue's depth after it, so the last row of an interval tells the depth at its end;
    an interval without rows keeps the one before. A message is lapsed from its deadline (or from the backout that put
    it back later than that) until the row that removed it; those intervals are counted up where they begin and down
    where they end, so no message is held in memory. An uncommitted message that has lapsed counts too.

    Returns
    -------
    DataFrame
        qmgr, object, `time_us` (the end of the interval, microseconds since the lab's start), `depth`, of which
        `lapsed`, and `live` = depth - lapsed; one row for each queue and interval from its first row on, ordered.
        LabError if `every_seconds` is not a whole number above 0.
    """
    if type(every_seconds) is not int or every_seconds < 1:
        raise LabError(f"every_seconds wanted: a whole number of seconds, 1 or more; got {every_seconds!r}")
    width = every_seconds * 1_000_000
    measured = events.where(F.col("depth").isNotNull()).select(
        *QUEUE, F.floor(F.col("time_us") / width).alias("bucket"), "seq", "depth"
    )
    known = measured.groupBy(*QUEUE, "bucket").agg(F.max_by("depth", "seq").alias("depth"))
    last = events.agg(F.floor(F.max("time_us") / width).alias("last_bucket"))
    grid = (
        known.groupBy(*QUEUE)
        .agg(F.min("bucket").alias("first_bucket"))
        .crossJoin(F.broadcast(last))
        .select(*QUEUE, F.explode(F.sequence("first_bucket", "last_bucket")).alias("bucket"))
    )
    so_far = Window.partitionBy(*QUEUE).orderBy("bucket").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    rows = grid.join(known, [*QUEUE, "bucket"], "left").join(_steps(events, width), [*QUEUE, "bucket"], "left")
    filled = rows.select(
        *QUEUE,
        ((F.col("bucket") + 1) * width).alias("time_us"),
        F.last("depth", ignorenulls=True).over(so_far).alias("depth"),
        F.coalesce(F.sum("step").over(so_far), F.lit(0)).alias("lapsed"),
    )
    return filled.withColumn("live", F.col("depth") - F.col("lapsed")).orderBy(*QUEUE, "time_us")


def _steps(events: DataFrame, width: int) -> DataFrame:
    """By how much the number of lapsed messages of a queue changes in each interval: qmgr, object, bucket, step."""
    over = F.col("last.kind").isin(*END)
    spans = (
        stays(events)
        .where(~F.col("taken"))
        .select(
            *QUEUE,
            F.col("begin.deadline_us").alias("deadline_us"),
            F.when(over, F.col("last.time_us")).alias("end_us"),
            "returned_us",
        )
        .where("deadline_us IS NOT NULL AND (end_us IS NULL OR deadline_us < end_us)")
        .withColumn("from_us", F.greatest("deadline_us", F.coalesce("returned_us", F.lit(0))))
    )
    up = spans.select(*QUEUE, F.floor(F.col("from_us") / width).alias("bucket"), F.lit(1).alias("step"))
    down = spans.where("end_us IS NOT NULL").select(
        *QUEUE, F.floor(F.col("end_us") / width).alias("bucket"), F.lit(-1).alias("step")
    )
    return up.unionByName(down).groupBy(*QUEUE, "bucket").agg(F.sum("step").alias("step"))
