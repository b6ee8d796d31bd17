"""What came to dead-letter queues, and why it could not go where it was meant to."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from mqlab.mq.constants import REASONS
from mqlab.pipeline.lives import QUEUE, not_undone

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["UNTOLD", "dead_letter_reasons", "dead_letters"]

UNTOLD = "not in the log"
"""The name of a reason that no refused put tells of."""


def dead_letters(events: DataFrame) -> DataFrame:
    """One row for each message that came to a dead-letter queue and was not taken back.

    A dead-letter queue is what DEADQ of its queue manager named at some time. The reason is that of the put which the
    same program was refused just before, at the same moment. The log has none where nothing was refused: a message that
    a channel cannot send (its MQDLH says 271 or 2218), a model queue (2057), a request that the IMS bridge cannot use,
    and what a program puts there by itself.

    Returns
    -------
    DataFrame
        qmgr, object (the dead-letter queue), message, `time_us` (microseconds since the lab's start); `program`, a
        channel where that could not deliver it; `wanted`, where it was going; `reason` (MQRC) and its `name`, null and
        UNTOLD where the log has none; `rule`, `seq`.
    """
    deadq = events.where((F.col("kind") == "alter") & (F.col("object_type") == "QMGR")).select(
        "qmgr", F.get_json_object("detail", "$.DEADQ").alias("object")
    )
    put = F.col("kind").isin("put", "report")
    rows = events.where(put & (F.col("message").isNotNull() | F.col("reason").isNotNull()))
    at_once = Window.partitionBy("qmgr", "program", "time_us").orderBy("seq")
    before = F.lag(F.when(F.col("message").isNull(), F.struct("reason", "object"))).over(at_once)
    there = rows.where("message IS NOT NULL").join(
        F.broadcast(deadq.where("object <> ''").distinct()), QUEUE, "left_semi"
    )
    few = rows.where("message IS NULL").unionByName(there)  # only refusals and arrivals are sorted
    told = few.withColumn("refused", before).where("message IS NOT NULL")
    names = F.create_map(*chain.from_iterable((F.lit(code), F.lit(name)) for code, name in REASONS.items()))
    reason = F.col("refused.reason")
    return not_undone(told, events, "undo").select(
        *QUEUE,
        "message",
        "time_us",
        "program",
        F.col("refused.object").alias("wanted"),
        reason.alias("reason"),
        F.coalesce(names[reason], reason.cast("string"), F.lit(UNTOLD)).alias("name"),
        "rule",
        "seq",
    )


def dead_letter_reasons(letters: DataFrame) -> DataFrame:
    """From the rows of `dead_letters`: how many came for which reason.

    Returns
    -------
    DataFrame
        qmgr, object (the dead-letter queue), program, wanted, reason, name, `messages`, `first_us` and `last_us`; most
        frequent first.
    """
    return (
        letters.groupBy(*QUEUE, "program", "wanted", "reason", "name")
        .agg(F.count("*").alias("messages"), F.min("time_us").alias("first_us"), F.max("time_us").alias("last_us"))
        .orderBy(F.desc("messages"), *QUEUE, "program", "wanted", "reason")
    )
