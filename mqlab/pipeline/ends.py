"""How stays on queues ended, from the rows that ended them: one pass over the log, and no message is shuffled.

A row that takes a message off a queue carries when the message was first put (`put_us`) and when it came to this queue
(`arrived_us`), so it answers by itself what became of the message there and how long that took.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from mqlab.pipeline.lives import QUEUE, not_undone, percentiles
from mqlab.sim.event_kinds import ENDS, LEAVES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["counts", "ends", "time_on_queue"]

LEFT = "still there"
ON_ITS_WAY = "CHL-07"  # a fast message that a channel had got already when the session broke


def ends(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue that is over.

    The same as the rows of `fate` that have an `end_us`, but for what only the rest of the log can tell. Here "got" is
    also a message that came to another queue afterwards ("moved on" in `fate`), that a unit of work had got which was
    open when the log ended ("got, not committed"), or that ended while a program held it: for a log without channels,
    handlers and open units of work the two are equal.

    Returns
    -------
    DataFrame
        qmgr, object, message; `fate`, one of ENDS ("got", "discarded", "backed out", "cleared", "lost");
        `put_us`, `arrived_us` and `end_us`, microseconds since the lab's start; `lifetime_us` = end - put, and
        `stay_us` = end - arrived; `program`, whose call ended it; `seq` of the row.
    """
    over = events.where(F.col("kind").isin(*LEAVES) & F.col("message").isNotNull() & F.col("object_type").isNotNull())
    lost = events.where((F.col("kind") == "lost") & (F.col("rule") == ON_ITS_WAY)).select(
        *QUEUE, "message", "arrived_us"
    )
    gets = over.where("kind = 'get'").join(F.broadcast(lost), [*QUEUE, "message", "arrived_us"], "left_anti")
    kept = not_undone(gets.select(over.columns), events, "restore")
    fate = F.lit(None)
    for kind in LEAVES:
        fate = F.when(F.col("kind") == kind, ENDS[kind]).otherwise(fate)
    return kept.unionByName(over.where("kind <> 'get'")).select(
        *QUEUE,
        "message",
        fate.alias("fate"),
        "put_us",
        "arrived_us",
        F.col("time_us").alias("end_us"),
        (F.col("time_us") - F.col("put_us")).alias("lifetime_us"),
        (F.col("time_us") - F.col("arrived_us")).alias("stay_us"),
        "program",
        "seq",
    )


def counts(events: DataFrame) -> DataFrame:
    """How many stays on each queue ended how, and how many had not ended.

    A quick form of `fate_summary`, with the words of `ends`; what was put and did not end is "still there".

    Returns
    -------
    DataFrame
        qmgr, object, `fate` (as in `ends`, or "still there"), `messages`, above 0; ordered by queue and fate.
    """
    begun = events.where(F.col("kind").isin("put", "report") & F.col("message").isNotNull())
    lots = ends(events).groupBy(*QUEUE, "fate").agg(F.count("*").alias("messages"))
    balance = (
        begun.groupBy(*QUEUE)
        .agg(F.count("*").alias("n"))
        .unionByName(lots.select(*QUEUE, (-F.col("messages")).alias("n")))
    )
    left = balance.groupBy(*QUEUE).agg(F.sum("n").alias("messages")).withColumn("fate", F.lit(LEFT))
    return lots.unionByName(left).where("messages > 0").orderBy(*QUEUE, "fate")


def time_on_queue(ended: DataFrame) -> DataFrame:
    """From the rows of `ends` (or those of `fate` that have an end): how long messages were on each queue.

    Returns
    -------
    DataFrame
        qmgr, object, fate, `messages`, and of the time from arrival to end `p50_us`, `p95_us`, `p99_us` (see
        `mqlab.pipeline.lives.percentiles`) and `longest_us`; ordered by queue, then by number of messages. A put that
        was backed out is left out, because it never was there for others.
    """
    return (
        ended.where("stay_us IS NOT NULL AND fate <> 'backed out'")
        .groupBy(*QUEUE, "fate")
        .agg(F.count("*").alias("messages"), *percentiles("stay_us"))
        .orderBy(*QUEUE, F.desc("messages"), "fate")
    )
