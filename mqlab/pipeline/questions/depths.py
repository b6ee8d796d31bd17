"""Depth over time; the messages that had expired and still counted, and those not committed yet, apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ...engine.words.arguments import at_least, require
from ...engine.world.event_kinds import LEAVES
from ..labs import beside, key
from .stays import THERE, deadline, in_order, queue_of, stays, up_to_here

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def depth(events: DataFrame, every_seconds: int = 60) -> DataFrame:
    """The depth of every queue at the end of each interval of `every_seconds`, exactly.

    These are the counts of `lab.state(...).facts(...)`: a message is uncommitted from its put to the end of its unit of
    work, and then expired from its deadline until the row that removed it. One row for each queue and interval from its
    first row on, ordered. LabError if `every_seconds` is not a whole number above 0."""
    require("every_seconds", every_seconds, int, "a whole number of seconds, 1 or more", at_least(1))
    width, queue = every_seconds * 1_000_000, queue_of(events)
    last = events.groupBy(*key(events)).agg(F.expr(f"floor(max(time_us) / {width}) AS last_bucket"))
    # A program can get a message after its deadline and give it back: some of IBM MQ get expired ones (EXP-29).
    late = F.expr(f"{THERE} AND kind IN ('get', 'restore')") & (deadline() <= F.col("time_us"))
    # A message that a unit returns to a queue that is deleted, and that goes with it, has no depth.
    numbers = (f"floor(time_us / {width}) AS bucket", "if(depth IS NULL, NULL, seq) AS seq", "depth")
    measured = events.where(F.expr("depth IS NOT NULL") | late).select(
        *(*queue, *map(F.expr, numbers)), F.when(late, F.expr("if(kind = 'get', -1, 1)")).alias("expired")
    )
    aggregates = ("max_by(depth, seq) AS depth", "sum(expired) AS expired", "sum(uncommitted) AS uncommitted")
    known = (
        measured.unionByName(_steps(events, width), allowMissingColumns=True)
        .groupBy(*queue, "bucket")
        .agg(*map(F.expr, aggregates))
    )
    so_far, after = up_to_here(queue, "bucket"), Window.partitionBy(*queue).orderBy("bucket")
    total = {name: F.coalesce(F.sum(name).over(so_far), F.lit(0)) for name in ("expired", "uncommitted")}
    rows = (
        beside(known, last, key(events))
        .where("bucket <= last_bucket")
        .withColumn("depth", F.last("depth", ignorenulls=True).over(so_far))
        .where("depth IS NOT NULL")
        .withColumns({**total, "next": F.lead("bucket").over(after)})
        .withColumn("bucket", F.expr("explode(sequence(bucket, least(next - 1, last_bucket)))"))
    )
    time, live = f"(bucket + 1) * {width} AS time_us", "depth - expired - uncommitted AS live"
    return rows.selectExpr(*queue, time, "depth", "expired", "uncommitted", live).transform(in_order, *queue, "time_us")


def _steps(events: DataFrame, width: int) -> DataFrame:
    """The changes of the numbers of expired and uncommitted messages: qmgr, object, bucket, expired, uncommitted."""
    queue, unit = queue_of(events), [*key(events), "uow"]
    units = events.where("uow IS NOT NULL AND kind IN ('commit', 'backout')")
    # One is the rule; a unit goes on after a backout if a get was marked to skip it (MQI-33).
    settled_at = units.groupBy(*unit).agg(F.expr("array_sort(collect_list(struct(seq, time_us))) AS settled"))
    settled = "least(get(filter(settled, s -> s.seq > begin_seq), 0).time_us, delivered_us) AS settled_us"
    since = "greatest(begin_deadline_us, coalesce(settled_us, 0))"
    expires = "begin_deadline_us IS NOT NULL AND (uow IS NULL OR settled_us IS NOT NULL)"
    there = "(taken OR end_us IS NULL OR since_us < end_us)"
    changes = (
        f"if({expires} AND {there} AND away = 0, since_us, NULL), 1, 0",
        f"if({expires} AND NOT taken AND since_us < end_us + away, end_us, NULL), -1, 0",
        "if(uow IS NULL, NULL, begin_time_us), 0, 1",
        "if(uow IS NULL, NULL, least(settled_us, end_us)), 0, -1",
    )
    structs = ", ".join(f"struct({change})" for change in changes)
    end = f"if(last_kind IN {LEAVES}, last_time_us, NULL) AS end_us"
    return (
        stays(events)
        .where("begin_deadline_us IS NOT NULL OR begin_uow IS NOT NULL")
        .withColumnRenamed("begin_uow", "uow")
        .join(settled_at, unit, "left")
        .selectExpr("*", end, settled)
        .selectExpr("*", f"{since} AS since_us")
        .selectExpr(*queue, f"inline(array({structs})) AS (moment, expired, uncommitted)")
        .where("moment IS NOT NULL")
        .selectExpr(*queue, f"floor(moment / {width}) AS bucket", "expired", "uncommitted")
    )
