"""The batches that channels sent, and the times when they tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ..labs import key
from .stays import ACCURACY, in_order, reason

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SYNCQ = "SYSTEM.CHANNEL.SYNCQ"
IN_DOUBT, UNSENT = "in doubt", "not put to the vote"
UNITS = ["qmgr", "program", "uow"]  # of one lab


def batches(events: DataFrame) -> DataFrame:
    """One row for each batch of a sending channel: a unit of work in which it got messages to send."""
    by = key(events)
    one, unit = [*by, "qmgr", "program"], [*by, *UNITS]
    channels = events.where("kind = 'channel' AND object_type = 'CHANNEL'").select(
        *by, "qmgr", F.col("object").alias("program")
    )
    gets = events.where((F.col("kind") == "get") & F.col("message").isNotNull() & (F.col("object") != SYNCQ))
    gets = gets.withColumn("qmgr", F.coalesce(F.get_json_object("detail", "$.member"), "qmgr"))  # of a shared queue
    gets = gets.join(F.broadcast(channels.distinct()), one, "left_semi")
    units = (
        gets.where("uow IS NOT NULL")
        .groupBy(*unit)
        .agg(F.count("*").alias("messages"), F.min("time_us").alias("first_us"), F.min("seq").alias("seq"))
    )
    kind = F.col("kind")
    ends = (
        events.where(kind.isin("prepare", "commit", "backout"))
        .groupBy(*unit)
        .agg(
            F.min(F.when(kind == "prepare", F.struct("seq", "time_us"))).alias("asked"),
            F.max(F.when(kind != "prepare", F.struct("seq", "time_us", "kind"))).alias("ended"),
        )
    )
    told = (
        events.where("kind = 'channel' AND uow IS NOT NULL")
        .groupBy(*by, "qmgr", "uow")
        .agg(F.max_by("rule", "seq").alias("ended_by"))
    )
    rows = units.join(ends, unit, "left").join(told, [*by, "qmgr", "uow"], "left")
    rows = rows.join(_fast(gets, ends, one), unit, "left")
    how = F.when(F.col("ended.kind") == "commit", "committed").otherwise("backed out")
    outcome = F.when(F.col("asked").isNull(), UNSENT).when(F.col("ended").isNull(), IN_DOUBT).otherwise(how)
    ended = F.col("ended.time_us")
    return rows.select(
        *(*by, "qmgr", F.col("program").alias("channel"), "uow", "messages"),
        *(F.coalesce("fast", F.lit(0)).alias("fast"), "first_us", F.col("asked.time_us").alias("asked_us")),
        *(ended.alias("ended_us"), outcome.alias("outcome"), "ended_by"),
        (ended - F.col("first_us")).alias("duration_us"),
        (ended - F.col("asked.time_us")).alias("doubt_us"),
    )


def _fast(gets: DataFrame, ends: DataFrame, one: list[str]) -> DataFrame:
    """How many messages in no unit of work each channel got between two of its batches: `one`, uow, fast."""
    marks = ends.where("asked IS NOT NULL").select(*one, F.col("asked.seq").alias("seq"), F.col("uow").alias("ending"))
    alone = gets.where("uow IS NULL").select(*one, "seq", F.lit(None).cast("long").alias("ending"))
    onwards = Window.partitionBy(*one).orderBy("seq").rowsBetween(Window.currentRow, Window.unboundedFollowing)
    ahead = marks.unionByName(alone).withColumn("uow", F.first("ending", ignorenulls=True).over(onwards))
    return ahead.where("ending IS NULL AND uow IS NOT NULL").groupBy(*one, "uow").agg(F.count("*").alias("fast"))


def batch_summary(rows: DataFrame) -> DataFrame:
    """From the rows of `batches`: how the batches of each channel ended, most frequent first."""
    size, channel = F.col("messages") + F.col("fast"), [*key(rows), "qmgr", "channel"]
    return (
        rows.groupBy(*channel, "outcome")
        .agg(
            F.count("*").alias("batches"),
            F.sum("messages").alias("messages"),
            F.sum("fast").alias("fast"),
            F.avg(size).alias("mean_size"),
            F.max(size).alias("largest"),
            F.percentile_approx("duration_us", 0.5, ACCURACY).alias("median_us"),
            F.max("duration_us").alias("longest_us"),
            F.max("doubt_us").alias("longest_doubt_us"),
        )
        .transform(in_order, *channel, F.desc("batches"), "outcome")
    )


def retries(events: DataFrame) -> DataFrame:
    """One row for each stretch in which a channel tried again: its partner ("RETRYING", from the failure until the
    channel runs, or is STOPPED or INACTIVE), or a put ("PAUSED", each pause of a receiving channel)."""
    state, was, partner = (F.get_json_object("detail", f"$.{name}") for name in ("state", "was", "partner"))
    by = key(events)
    one = [*by, "qmgr", "channel", "partner"]
    rows = (
        events.where("kind = 'channel' AND object_type = 'CHANNEL'")
        .select(*by, "qmgr", F.col("object").alias("channel"), "seq", "time_us", "detail")
        .select("*", state.alias("state"), was.alias("was"), F.coalesce(partner, F.lit("")).alias("partner"))
        .where("was IS NOT NULL")
    )
    over, trying = F.col("state").isin("RUNNING", "STOPPED", "INACTIVE"), F.col("state").isin("RETRYING", "PAUSED")
    again = F.col("was").isin("RETRYING", "PAUSED") & ~F.col("state").isin("STOPPED", "INACTIVE")
    before = Window.partitionBy(*one).orderBy("seq").rowsBetween(Window.unboundedPreceding, -1)
    return (
        rows.withColumn("part", F.count(F.when(over, 1)).over(before))
        .groupBy(*one, "part")
        .agg(
            F.min(F.when(trying, F.struct("seq", "state", "time_us", "detail"))).alias("begin"),
            F.max(F.when(over, F.struct("seq", "state", "time_us"))).alias("end"),
            F.count_if(again).alias("attempts"),
        )
        .where("begin IS NOT NULL")
        .select(
            *(*one, "begin.state", F.col("begin.time_us").alias("from_us"), F.col("end.time_us").alias("to_us")),
            (F.col("end.time_us") - F.col("begin.time_us")).alias("retrying_us"),
            *("attempts", F.col("end.state").alias("outcome"), reason(F.col("begin.detail")).alias("because")),
        )
    )
