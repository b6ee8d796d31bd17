"""What became of every message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from mqlab.pipeline.lives import STAY, held_ends, open_units, stays
from mqlab.sim.event_kinds import ENDS, LEAVES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["FATES", "MOVED", "fate", "fate_summary"]

MOVED = "moved on"
"""The fate of a stay, not of a message: the message came to another queue, and its fate is told there."""

FATES = (
    *ENDS.values(),
    "lapsed",
    "dead-lettered",
    "browsed",
    "waiting",
    "got, not committed",
    "put, not committed",
    MOVED,
)
"""Every fate; from "lapsed" to "put, not committed" they are those of messages that were not gone for good when the log
ended."""


def fate(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue, with what became of it there.

    A message that was moved on has a row for each queue it came to, all of them "moved on" but the last.

    Returns
    -------
    DataFrame
        qmgr, object, message, `stay` (1 for the first on this queue); `fate`, one of FATES; `put_us` and `arrived_us`,
        when the message was first put and came to this queue; `end_us`, when the stay ended, `lifetime_us` from the
        first put to then and `stay_us` from the arrival to then (null while it is there); `program`, whose call ended
        it; `begin_seq`, the row of the log that began the stay. Times are microseconds since the lab's start. "lapsed"
        is still on its queue and counted although its lifetime was over at the last row of the log; "discarded" had
        expired; "rejected" was undeliverable, and its report options asked for that; "dead-lettered" is on a dead-
        letter queue; "browsed" is on its queue and was looked at; "waiting" was not. What ended while a program held it
        ("discarded", "lost", "rejected") is told at the queue it was got from.
    """
    units = F.broadcast(open_units(events).withColumn("unit_open", F.lit(True)))
    last = events.agg(F.max("time_us").alias("last_us"))
    rows = (
        stays(events)
        .join(held_ends(events), "message", "left")
        .withColumn("uow", F.when(F.col("last_kind").isin(*LEAVES), F.col("last_uow")).otherwise(F.col("begin_uow")))
        .join(units, "uow", "left")
        .crossJoin(F.broadcast(last))
    )
    over, kind = F.col("last_kind").isin(*LEAVES), F.col("last_kind")
    held = (kind == "get") & ~F.col("moved") & (F.col("held.seq") > F.col("last_seq"))
    name = F.when((kind == "get") & F.col("moved"), MOVED)
    for word, ending in ENDS.items():
        if word != "get":
            name = name.when(F.when(held, F.col("held.kind")).otherwise(kind) == word, ending)
    name = (
        name.when((kind == "get") & F.col("unit_open"), "got, not committed")
        .when(kind == "get", "got")
        .when(F.col("unit_open"), "put, not committed")
        .when(F.col("begin_deadline_us") <= F.col("last_us"), "lapsed")
        .when(F.col("begin_buried"), "dead-lettered")
        .when(F.col("seen"), "browsed")
        .otherwise("waiting")
    )
    end = F.when(held, F.col("held.time_us")).when(over, F.col("last_time_us"))
    return rows.select(
        *STAY,
        name.alias("fate"),
        F.col("begin_put_us").alias("put_us"),
        F.col("begin_arrived_us").alias("arrived_us"),
        end.alias("end_us"),
        (end - F.col("begin_put_us")).alias("lifetime_us"),
        (end - F.col("begin_arrived_us")).alias("stay_us"),
        F.when(held, F.col("held.program")).when(over, F.col("last_program")).alias("program"),
        F.col("begin_seq").alias("begin_seq"),
    )


def fate_summary(events: DataFrame) -> DataFrame:
    """How many messages met which fate on each queue, and how long they lived.

    Returns
    -------
    DataFrame
        qmgr, object, fate, `messages`, `median_lifetime_us` (approximate) and `longest_lifetime_us`, both null where
        the messages are still there; ordered by queue, then by number of messages. Rows whose fate is "moved on" count
        messages that are counted again on the queue they came to.
    """
    return (
        fate(events)
        .groupBy("qmgr", "object", "fate")
        .agg(
            F.count("*").alias("messages"),
            F.percentile_approx("lifetime_us", 0.5).alias("median_lifetime_us"),
            F.max("lifetime_us").alias("longest_lifetime_us"),
        )
        .orderBy("qmgr", "object", F.desc("messages"), "fate")
    )
