"""Depth over time; the messages that had expired and still counted, and those not committed yet, apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ...mq.errors import LabError
from ...sim.event_kinds import LEAVES
from ..labs import beside, key
from .stays import queue_of, stays, up_to_here

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def depth(events: DataFrame, every_seconds: int = 60) -> DataFrame:
    """The depth of every queue at the end of each interval of `every_seconds`, exactly.

    Every row of the log carries its queue's depth after it, so the last row of an interval has the depth at its end;
    an interval without rows keeps the one before. A message is uncommitted from its put to the end of its unit of work,
    and expired from its deadline (or from the commit or the backout that brought it later than that) until the row that
    removed it; those spans are counted up where they begin and down where they end, so no message is held in memory.
    These are the counts of `lab.state(...).facts(...)`: an uncommitted message is not counted as expired.

    Columns: qmgr, object, `time_us` (the end of the interval, microseconds since the lab's start), `depth`, of which
    `expired`, `uncommitted`, and `live` = depth - expired - uncommitted; one row for each queue and interval from its
    first row on, ordered. LabError if `every_seconds` is not a whole number above 0.
    """
    if type(every_seconds) is not int or every_seconds < 1:
        raise LabError(f"every_seconds must be a whole number of seconds, 1 or more; got {every_seconds!r}")
    width, queue = every_seconds * 1_000_000, queue_of(events)
    last = events.groupBy(*key(events)).agg(F.floor(F.max("time_us") / width).alias("last_bucket"))
    measured = events.where(F.col("depth").isNotNull()).select(
        *queue, F.floor(F.col("time_us") / width).alias("bucket"), "seq", "depth"
    )
    known = (
        measured.unionByName(_steps(events, width), allowMissingColumns=True)
        .groupBy(*queue, "bucket")
        .agg(F.max_by("depth", "seq").alias("depth"), F.sum("expired").alias("more"), F.sum("uncommitted").alias("put"))
    )
    so_far, after = up_to_here(queue, "bucket"), Window.partitionBy(*queue).orderBy("bucket")
    upto = F.least(F.lead("bucket").over(after) - 1, F.col("last_bucket"))
    rows = (
        beside(known, last, key(events))
        .where("bucket <= last_bucket")
        .withColumn("depth", F.last("depth", ignorenulls=True).over(so_far))
        .where("depth IS NOT NULL")
        .withColumn("expired", F.coalesce(F.sum("more").over(so_far), F.lit(0)))
        .withColumn("uncommitted", F.coalesce(F.sum("put").over(so_far), F.lit(0)))
        .withColumn("upto", upto)
        .withColumn("bucket", F.explode(F.sequence("bucket", "upto")))
    )
    time = ((F.col("bucket") + 1) * width).alias("time_us")
    filled = rows.select(*queue, time, "depth", "expired", "uncommitted")
    live = F.col("depth") - F.col("expired") - F.col("uncommitted")
    return filled.withColumn("live", live).orderBy(*queue, "time_us")


def _steps(events: DataFrame, width: int) -> DataFrame:
    """The changes of the numbers of expired and uncommitted messages of a queue, and their intervals: qmgr, object,
    bucket, expired, uncommitted."""
    units = events.where(F.col("kind").isin("commit", "backout") & F.col("uow").isNotNull())
    queue, unit = queue_of(events), [*key(events), "uow"]
    settled_at = units.groupBy(*unit).agg(F.min("time_us").alias("settled_us"))  # numbers are unique in a lab
    settled, uow = F.col("settled_us"), F.col("begin_uow")
    end = F.when(F.col("last_kind").isin(*LEAVES), F.col("last_time_us"))
    since = F.greatest("begin_deadline_us", F.coalesce("returned_us", F.lit(0)), F.coalesce(settled, F.lit(0)))
    expires = ~F.col("taken") & F.col("begin_deadline_us").isNotNull() & (uow.isNull() | settled.isNotNull())
    expires &= end.isNull() | (since < end)
    changes = F.array(
        _change(expires, since, 1, 0, width),
        _change(expires, end, -1, 0, width),
        _change(uow.isNotNull(), F.col("begin_time_us"), 0, 1, width),
        _change(uow.isNotNull(), F.coalesce(settled, end), 0, -1, width),
    )
    return (
        stays(events)
        .where("begin_deadline_us IS NOT NULL OR begin_uow IS NOT NULL")
        .withColumn("uow", uow)
        .join(settled_at, unit, "left")
        .select(*queue, F.inline(changes))
        .where("bucket IS NOT NULL")
    )


def _change(happens: Column, at_us: Column, expired: int, uncommitted: int, width: int) -> Column:
    """A step of the two counts at a moment, its bucket null where it does not happen."""
    bucket = F.when(happens, F.floor(at_us / width))
    return F.struct(bucket.alias("bucket"), F.lit(expired).alias("expired"), F.lit(uncommitted).alias("uncommitted"))
