"""What expired: which call met it, how long it had lain there, and who would have read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from mqlab.mq.errors import LabError
from mqlab.pipeline.lives import QUEUE, deadline

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["NAMELESS", "expired", "expired_over_time", "lag_histogram"]

NAMELESS = "a program"  # what a reader is called that has connected without a name
MINUTE_US = 60_000_000
LAGS = (
    ("under 1 s", 1),
    ("1 to 10 s", 10),
    ("10 s to 1 min", 60),
    ("1 to 10 min", 600),
    ("10 to 30 min", 1800),
    ("30 min to 2 h", 7200),
)
LONGEST = "over 2 h"


def expired(events: DataFrame) -> DataFrame:
    """One row for each message that was discarded on a queue because its lifetime was over.

    Returns
    -------
    DataFrame
        qmgr, object, message, priority; `put_us`, `arrived_us`, `deadline_us` and `discarded_us`; `lag_us` = discarded
        - deadline, how long it lay lapsed but counted; `met_by` and `call`, the program and kind of call that met it
        ("get", "browse", "wait", "scan"), and `call_seq`, that call's row; `reader`, the program that had last got
        something from the queue when the message lapsed, else the one that got most from it in the whole log (null:
        nobody ever did), and `reader_last_us`, when that last get was (null if there was none before). Microseconds
        since the lab's start.
    """
    rows = events.where((F.col("kind") == "discard") & F.col("object_type").isNotNull()).select(
        *QUEUE,
        "message",
        "priority",
        "put_us",
        "arrived_us",
        deadline().alias("deadline_us"),
        F.col("time_us").alias("discarded_us"),
        (F.col("time_us") - deadline()).alias("lag_us"),
        F.col("program").alias("met_by"),
        F.col("cause").alias("call_seq"),
        "seq",
    )
    calls = events.select(F.col("seq").alias("call_seq"), F.col("kind").alias("call"))
    queues = F.broadcast(rows.select(*QUEUE).distinct())
    gets = events.where((F.col("kind") == "get") & F.col("message").isNotNull()).join(queues, QUEUE, "left_semi")
    gets = gets.withColumn("program", F.coalesce("program", F.lit(NAMELESS)))
    most = (
        gets.groupBy(*QUEUE, "program")
        .agg(F.count("*").alias("gets"))
        .groupBy(*QUEUE)
        .agg(F.max_by("program", F.struct("gets", "program")).alias("most"))
    )
    answered = _with_reader(rows, gets).join(calls, "call_seq", "left").join(F.broadcast(most), QUEUE, "left")
    return answered.select(
        *QUEUE,
        "message",
        "priority",
        "put_us",
        "arrived_us",
        "deadline_us",
        "discarded_us",
        "lag_us",
        "met_by",
        "call",
        "call_seq",
        F.coalesce("reader", "most").alias("reader"),
        "reader_last_us",
    )


def _with_reader(rows: DataFrame, gets: DataFrame) -> DataFrame:
    """Each discard with the last get from its queue up to its deadline: one sort of the gets of those queues."""
    marks = gets.select(
        *QUEUE,
        F.col("time_us").alias("at_us"),
        F.lit(0).alias("turn"),
        "seq",
        F.struct("program", "time_us").alias("read"),
    )
    lapses = rows.withColumn("at_us", F.col("deadline_us")).withColumn("turn", F.lit(1))
    up_to_here = (
        Window.partitionBy(*QUEUE)
        .orderBy("at_us", "turn", "seq")
        .rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    both = marks.unionByName(lapses, allowMissingColumns=True)
    last = both.withColumn("read", F.last("read", ignorenulls=True).over(up_to_here)).where("turn = 1")
    return (
        last.withColumn("reader", F.col("read.program"))
        .withColumn("reader_last_us", F.col("read.time_us"))
        .drop("read", "turn", "at_us")
    )


def expired_over_time(lapses: DataFrame, every_minutes: int = 60) -> DataFrame:
    """From the rows of `expired`: how many lapsed and how many were discarded in each interval of `every_minutes`.

    Returns `time_us` (the start of the interval, microseconds since the lab's start), `what` ("lapsed" or "discarded")
    and `messages`, ordered. LabError if `every_minutes` is not a whole number above 0.
    """
    if type(every_minutes) is not int or every_minutes < 1:
        raise LabError(f"every_minutes wanted: a whole number of minutes, 1 or more; got {every_minutes!r}")
    width = every_minutes * MINUTE_US
    parts = [
        lapses.select((F.floor(F.col(column) / width) * width).alias("time_us"), F.lit(what).alias("what"))
        for column, what in (("deadline_us", "lapsed"), ("discarded_us", "discarded"))
    ]
    return (
        parts[0]
        .unionByName(parts[1])
        .groupBy("time_us", "what")
        .agg(F.count("*").alias("messages"))
        .orderBy("time_us", "what")
    )


def lag_histogram(lapses: DataFrame) -> DataFrame:
    """From the rows of `expired`: how long messages lay lapsed but counted.

    Returns object, `lag` (a class such as "1 to 10 min"), `order` (its place) and `messages`, ordered.
    """
    name, order = F.lit(LONGEST), F.lit(len(LAGS))
    for place, (label, seconds) in reversed(list(enumerate(LAGS))):
        within = F.col("lag_us") < seconds * 1_000_000
        name, order = F.when(within, label).otherwise(name), F.when(within, place).otherwise(order)
    return (
        lapses.select("object", name.alias("lag"), order.alias("order"))
        .groupBy("object", "lag", "order")
        .agg(F.count("*").alias("messages"))
        .orderBy("object", "order")
    )
