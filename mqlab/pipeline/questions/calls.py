"""The readers of each queue, the calls that failed, and the messages on dead-letter queues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ...engine.words.constants import MQRC_NO_MSG_AVAILABLE, REASONS
from ...engine.world.event_kinds import ARRIVES
from ..labs import key
from .stays import QUEUE, in_order, named, not_undone, queue_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def consumers(events: DataFrame) -> DataFrame:
    """The programs that read from each queue, and how; ordered by queue, then by gets."""
    kind, reason, worked = F.col("kind"), F.col("reason"), F.col("message").isNotNull()
    counted = {
        "gets": (kind == "get") & worked,
        "browses": (kind == "browse") & worked,
        "empty": reason == MQRC_NO_MSG_AVAILABLE,
        "failed": reason != MQRC_NO_MSG_AVAILABLE,
        "returned": kind == "restore",
    }
    queue, when_got = queue_of(events), F.when(counted["gets"], F.col("time_us"))
    return (
        events.where(kind.isin("get", "browse", "restore") & F.col("object").isNotNull())
        .groupBy(*queue, "program")
        .agg(
            *(F.count_if(condition).alias(name) for name, condition in counted.items()),
            F.min(when_got).alias("first_us"),
            F.max(when_got).alias("last_us"),
        )
        .transform(in_order, *queue, F.desc("gets"), "program")
    )


def failures(events: DataFrame) -> DataFrame:
    """Which calls failed, by reason code and queue; most frequent first."""
    name, queue = named(REASONS, F.col("reason")).alias("name"), queue_of(events)
    return (
        events.where(F.col("reason").isNotNull() & ~F.col("kind").isin("lost", "reject"))
        .groupBy(*queue, F.col("kind").alias("call"), "reason", name)
        .agg(
            F.count("*").alias("times"),
            F.count_if(F.col("depth") > 0).alias("on_depth"),
            F.max("depth").alias("greatest_depth"),
            F.array_sort(F.collect_set("program")).alias("programs"),
            F.min("time_us").alias("first_us"),
            F.max("time_us").alias("last_us"),
        )
        .transform(in_order, *queue[:-2], F.desc("times"), *QUEUE, "call", "reason")
    )


UNTOLD = "not in the log"


def dead_letters(events: DataFrame) -> DataFrame:
    """One row for each message that came to a queue that DEADQ named, and was not taken back.

    The reason is that of the dead-letter header, or else of the put which the same program was refused just before, at
    the same moment. The log has none for the IMS bridge, and for a program that puts a message there itself."""
    by, queue = key(events), queue_of(events)
    facts = ("DEADQ", "member", "via", "Reason", "DestQName")
    fact = {name: F.get_json_object("detail", f"$.{name}") for name in facts}
    deadq = events.where((F.col("kind") == "alter") & (F.col("object_type") == "QMGR")).select(
        *by, F.col("qmgr").alias("here"), fact["DEADQ"].alias("called")
    )
    put = F.col("kind").isin(*ARRIVES)
    rows = events.where(put & (F.col("message").isNotNull() | F.col("reason").isNotNull())).withColumns(
        {"here": F.coalesce(fact["member"], "qmgr"), "called": F.coalesce(fact["via"], "object")}
    )
    at_once = Window.partitionBy(*by, "here", "program", "time_us").orderBy("seq")
    before = F.lag(F.when(F.col("message").isNull(), F.struct("reason", "object"))).over(at_once)
    named_here = F.broadcast(deadq.where("called <> ''").distinct().withColumn("named", F.lit(True)))
    there = rows.where("message IS NOT NULL").join(named_here, [*by, "here", "called"], "left")
    there = there.where(F.col("named") | fact["DestQName"].isNotNull())  # a part of a log may lack the DEADQ
    few = rows.where("message IS NULL").unionByName(there.drop("named"))  # only refusals and arrivals are sorted
    told = few.withColumn("refused", before).where("message IS NOT NULL")
    refused, named_there = F.col("refused.object"), fact["DestQName"]
    same = F.substring_index(refused, "@", 1) == named_there  # else the put was of a transmission queue
    wanted = F.when(same, refused).otherwise(F.coalesce(named_there, refused)).alias("wanted")
    reason = F.coalesce(fact["Reason"].cast("int"), "refused.reason").alias("reason")
    name = F.coalesce(named(REASONS, reason), reason.cast("string"), F.lit(UNTOLD)).alias("name")
    found = not_undone(told, events, "undo")
    return found.select(*queue, "message", "time_us", "program", wanted, reason, name, "rule", "seq")


def dead_letter_reasons(letters: DataFrame) -> DataFrame:
    """From the rows of `dead_letters`: the reasons by dead-letter queue and program, most frequent first."""
    queue = queue_of(letters)
    return (
        letters.groupBy(*queue, "program", "wanted", "reason", "name")
        .agg(F.count("*").alias("messages"), F.min("time_us").alias("first_us"), F.max("time_us").alias("last_us"))
        .transform(in_order, *queue[:-2], F.desc("messages"), *QUEUE, "program", "wanted", "reason")
    )
