"""Which reader was too slow: what expired, beside the pace at which its queue was filled and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from mqlab.pipeline.ends import ends
from mqlab.pipeline.expired import NAMELESS
from mqlab.pipeline.lives import QUEUE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["WHYS", "slow_readers", "why_expired"]

SLOW, AWAY, NOBODY = "read others", "did not read", "nobody reads it"
WHYS = (SLOW, AWAY, NOBODY)
MINUTE_US = 60_000_000


def why_expired(lapses: DataFrame) -> DataFrame:
    """The rows of `expired` with `why`: what the reader did between the message's arrival and its deadline.

    "read others": something was got from the queue in that time, but not this message, so reading was too slow, or
    messages of higher priority, or others with the identifier asked for, went first. "did not read": nothing was got.
    "nobody reads it": nothing was got from this queue in the whole log.
    """
    in_time = F.col("reader_last_us") >= F.col("arrived_us")
    why = F.when(F.col("reader").isNull(), NOBODY).when(in_time, SLOW).otherwise(AWAY)
    return lapses.withColumn("why", why)


def slow_readers(events: DataFrame, lapses: DataFrame) -> DataFrame:
    """From the log and the rows of `expired`: the readers of the queues on which something expired.

    The paces are messages a minute between a program's first and last get from the queue: what arrived on the queue in
    that time, undone puts left out, and what the program got for good. The age of what a get took is the time since
    that arrived on the queue.

    Returns
    -------
    DataFrame
        qmgr, object, `reader` (see `expired`; null: nobody ever read it), `discarded`, of which "read others"
        `while_reading` and "did not read" `while_away` (see `why_expired`); `gets`, `first_us` and `last_us` of them;
        `arrivals_a_minute` and `gets_a_minute`, null where that is one moment; `longest_pause_us` between two gets;
        `median_age_us` and `oldest_age_us` of what it got; most discarded first. Microseconds since the lab's start.
    """
    lost = (
        why_expired(lapses)
        .groupBy(*QUEUE, "reader")
        .agg(
            F.count("*").alias("discarded"),
            F.count_if(F.col("why") == SLOW).alias("while_reading"),
            F.count_if(F.col("why") == AWAY).alias("while_away"),
        )
    )
    paces = _paces(ends(events), F.broadcast(lost.select(*QUEUE).distinct()))
    span = paces.select(*QUEUE, "reader", "first_us", "last_us")
    puts = events.where(F.col("kind").isin("put", "report") & F.col("message").isNotNull())
    undone = ends(events).where("fate = 'backed out'").select(*QUEUE, "arrived_us", F.lit(-1).alias("one"))
    moments = puts.select(*QUEUE, "arrived_us", F.lit(1).alias("one")).unionByName(undone)
    arrived = (
        moments.join(F.broadcast(span), QUEUE)
        .where("arrived_us BETWEEN first_us AND last_us")
        .groupBy(*QUEUE, "reader")
        .agg(F.sum("one").alias("arrived"))
    )
    minutes = F.nullif(F.col("last_us") - F.col("first_us"), F.lit(0)) / MINUTE_US
    return (
        lost.join(paces, [*QUEUE, "reader"], "left")
        .join(arrived, [*QUEUE, "reader"], "left")
        .select(
            *QUEUE,
            "reader",
            "discarded",
            "while_reading",
            "while_away",
            F.coalesce("gets", F.lit(0)).alias("gets"),
            "first_us",
            "last_us",
            (F.coalesce("arrived", F.lit(0)) / minutes).alias("arrivals_a_minute"),
            (F.col("gets") / minutes).alias("gets_a_minute"),
            "longest_pause_us",
            "median_age_us",
            "oldest_age_us",
        )
        .orderBy(F.desc("discarded"), *QUEUE, "reader")
    )


def _paces(ended: DataFrame, queues: DataFrame) -> DataFrame:
    """What each program got from the queues of interest: QUEUE, reader, gets, first and last, pauses and ages."""
    in_turn = Window.partitionBy(*QUEUE, "program").orderBy("seq")
    pause = F.col("end_us") - F.lag("end_us").over(in_turn)
    return (
        ended.where("fate = 'got'")
        .join(queues, QUEUE, "left_semi")
        .withColumn("program", F.coalesce("program", F.lit(NAMELESS)))
        .withColumn("pause_us", pause)
        .groupBy(*QUEUE, F.col("program").alias("reader"))
        .agg(
            F.count("*").alias("gets"),
            F.min("end_us").alias("first_us"),
            F.max("end_us").alias("last_us"),
            F.max("pause_us").alias("longest_pause_us"),
            F.percentile_approx("stay_us", 0.5).alias("median_age_us"),
            F.max("stay_us").alias("oldest_age_us"),
        )
    )
