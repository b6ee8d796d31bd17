"""The way of every message from queue to queue, and how long it took end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from mqlab.pipeline.lives import percentiles

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["journeys", "latency_by_route"]


def journeys(fates: DataFrame) -> DataFrame:
    """From the rows of `fate`: one row for each message, with the queues that it came to, in order.

    A put that was backed out is no part of the way. What a program puts as a message of its own (a reply, a report)
    begins a way of its own.

    Returns
    -------
    DataFrame
        message; `route`, such as "HUB@NORTH > SOUTH@HUB > ORDERS.IN@SOUTH"; `hops`, how many queues those are; `fate`,
        `end_us` and `program` of the last of them; `put_us`, when it was first put; `latency_us` = end - put, null
        while it is on its last queue. Microseconds since the lab's start.
    """
    last = F.max_by(F.struct("fate", "end_us", "program"), "begin_seq")
    name = F.concat_ws("@", "object", "qmgr")
    rows = (
        fates.where("fate <> 'backed out'")
        .groupBy("message")
        .agg(
            F.array_sort(F.collect_list(F.struct("begin_seq", name.alias("queue")))).alias("way"),
            last.alias("last"),
            F.min("put_us").alias("put_us"),
        )
    )
    return rows.select(
        "message",
        F.array_join(F.col("way.queue"), " > ").alias("route"),
        F.size("way").alias("hops"),
        F.col("last.fate").alias("fate"),
        "put_us",
        F.col("last.end_us").alias("end_us"),
        (F.col("last.end_us") - F.col("put_us")).alias("latency_us"),
        F.col("last.program").alias("program"),
    )


def latency_by_route(ways: DataFrame) -> DataFrame:
    """From the rows of `journeys`: the time from the first put to the last get, by route.

    Returns
    -------
    DataFrame
        route, hops, `messages` that went this way, `got` of them by whoever they were for; and of the latency of these,
        `p50_us`, `p95_us`, `p99_us` (see `mqlab.pipeline.lives.percentiles`) and `longest_us`, null where none was got;
        most travelled first.
    """
    got = F.when(F.col("fate") == "got", F.col("latency_us"))
    return (
        ways.withColumn("got_us", got)
        .groupBy("route", "hops")
        .agg(F.count("*").alias("messages"), F.count("got_us").alias("got"), *percentiles("got_us"))
        .orderBy(F.desc("messages"), "route")
    )
