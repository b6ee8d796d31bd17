"""Who reads which queue, and which calls failed."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from mqlab.mq.constants import MQRC_NO_MSG_AVAILABLE, REASONS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["consumers", "failures"]


def consumers(events: DataFrame) -> DataFrame:
    """Who read from which queue, and how.

    Returns
    -------
    DataFrame
        qmgr, object, program; `gets` and `browses` that gave a message, `empty` (2033) and `failed` (other reasons)
        calls, `returned` (gets taken back by a backout); `first_us` and `last_us` of the gets that gave a message,
        microseconds since the lab's start; ordered by queue, then by gets.
    """
    kind, worked = F.col("kind"), F.col("message").isNotNull()
    got, looked, returned = (kind == "get") & worked, (kind == "browse") & worked, kind == "restore"
    empty = F.col("reason") == MQRC_NO_MSG_AVAILABLE
    failed = F.col("reason").isNotNull() & ~empty
    when_got = F.when(got, F.col("time_us"))
    return (
        events.where(kind.isin("get", "browse", "restore"))
        .groupBy("qmgr", "object", "program")
        .agg(
            F.count_if(got).alias("gets"),
            F.count_if(looked).alias("browses"),
            F.count_if(empty).alias("empty"),
            F.count_if(failed).alias("failed"),
            F.count_if(returned).alias("returned"),
            F.min(when_got).alias("first_us"),
            F.max(when_got).alias("last_us"),
        )
        .orderBy("qmgr", "object", F.desc("gets"), "program")
    )


def failures(events: DataFrame) -> DataFrame:
    """Which calls failed, by reason code and queue.

    Returns
    -------
    DataFrame
        qmgr, object, `call` (the kind of row), `reason` (MQRC), `name`, `times`, `on_depth` (how many of those times
        the queue's depth was not 0), `greatest_depth`, `programs` (sorted), `first_us` and `last_us`, microseconds
        since the lab's start; most frequent first.
    """
    names = F.create_map(*chain.from_iterable((F.lit(code), F.lit(name)) for code, name in REASONS.items()))
    return (
        events.where(F.col("reason").isNotNull() & ~F.col("kind").isin("lost", "reject"))
        .groupBy("qmgr", "object", F.col("kind").alias("call"), "reason")
        .agg(
            F.count("*").alias("times"),
            F.count_if(F.col("depth") > 0).alias("on_depth"),
            F.max("depth").alias("greatest_depth"),
            F.array_sort(F.collect_set("program")).alias("programs"),
            F.min("time_us").alias("first_us"),
            F.max("time_us").alias("last_us"),
        )
        .withColumn("name", names[F.col("reason")])
        .select(
            "qmgr",
            "object",
            "call",
            "reason",
            "name",
            "times",
            "on_depth",
            "greatest_depth",
            "programs",
            "first_us",
            "last_us",
        )
        .orderBy(F.desc("times"), "qmgr", "object", "call", "reason")
    )
