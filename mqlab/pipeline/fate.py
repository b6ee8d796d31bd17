"""What became of every message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from mqlab.pipeline.lives import STAY, deadline, ended, open_units, still_there

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["FATES", "fate", "fate_summary"]

FATES = (
    "got",
    "expired",
    "undone",
    "cleared",
    "lost",
    "lapsed",
    "browsed",
    "waiting",
    "got, not committed",
    "put, not committed",
)
"""Every fate; the last five are those of messages that were not gone for good when the log ended."""

ENDINGS = {"discard": "expired", "undo": "undone", "clear": "cleared", "lost": "lost"}
COLUMNS = [*STAY, "fate", "put_us", "arrived_us", "end_us", "lifetime_us", "program"]


def fate(events: DataFrame) -> DataFrame:
    """One row for each message and queue it came to, with what became of it there.

    Returns
    -------
    DataFrame
        qmgr, object, message; `fate`, one of FATES; `put_us` and `arrived_us`, when it was first put and came to this
        queue; `end_us`, when it left, and `lifetime_us` from put to end (null while it is there); `program`, whose call
        ended it. Times are microseconds since the lab's start. "lapsed" is still on its queue and counted although its
        lifetime was over at the last row of the log; "browsed" is on its queue and was looked at; "waiting" was not.
    """
    return _gone(events).unionByName(_there(events))


def _gone(events: DataFrame) -> DataFrame:
    """Messages that left their queue."""
    unit = open_units(events).withColumn("unit_open", F.lit(True))
    rows = ended(events).join(F.broadcast(unit), ["qmgr", "uow"], "left")
    name = F.when(F.col("kind") == "get", F.when(F.col("unit_open"), "got, not committed").otherwise("got"))
    for kind, ending in ENDINGS.items():
        name = name.when(F.col("kind") == kind, ending)
    return rows.select(
        *STAY,
        name.alias("fate"),
        "put_us",
        "arrived_us",
        F.col("time_us").alias("end_us"),
        (F.col("time_us") - F.col("put_us")).alias("lifetime_us"),
        "program",
    )


def _there(events: DataFrame) -> DataFrame:
    """Messages that were still on their queue when the log ended."""
    unit = open_units(events).withColumn("unit_open", F.lit(True))
    seen = (
        events.where((F.col("kind") == "browse") & F.col("message").isNotNull())
        .select(*STAY)
        .distinct()
        .withColumn("seen", F.lit(True))
    )
    last = events.agg(F.max("time_us").alias("last_us"))
    rows = (
        still_there(events)
        .join(F.broadcast(unit), ["qmgr", "uow"], "left")
        .join(seen, STAY, "left")
        .crossJoin(F.broadcast(last))
    )
    name = (
        F.when(F.col("unit_open"), "put, not committed")
        .when(deadline() <= F.col("last_us"), "lapsed")
        .when(F.col("seen"), "browsed")
        .otherwise("waiting")
    )
    nothing = F.lit(None)
    return rows.select(
        *STAY,
        name.alias("fate"),
        "put_us",
        "arrived_us",
        nothing.cast("long").alias("end_us"),
        nothing.cast("long").alias("lifetime_us"),
        nothing.cast("string").alias("program"),
    )


def fate_summary(events: DataFrame) -> DataFrame:
    """How many messages met which fate on each queue, and how long they lived.

    Returns
    -------
    DataFrame
        qmgr, object, fate, `messages`, `median_lifetime_us` (approximate) and `longest_lifetime_us`, both null where
        the messages are still there; ordered by queue, then by number of messages.
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
