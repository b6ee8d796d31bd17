"""What the questions share: messages' stays on queues, from the rows that begin and end them, and their deadlines.

A message that a program moves on (a message channel agent, a dead-letter handler, MQ Everyplace) keeps its number, so
it has a stay on every queue it came to, and may come to one queue twice. What becomes of the message is what becomes of
its last stay. All of that is one shuffle, by message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from mqlab.sim.event_kinds import ARRIVES, DEAD_LETTER_RULES, HELD_ENDS, LEAVES

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["QUEUE", "STAY", "deadline", "held_ends", "not_undone", "open_units", "percentiles", "stays"]

QUEUE = ["qmgr", "object"]
"""A queue of one queue manager (or of a queue-sharing group)."""

STAY = ["qmgr", "object", "message", "stay"]
"""A stay: one message on one queue of one queue manager, and which time that was (1 is the first)."""

TENTH_US = 100_000
ENDING = (*ARRIVES, *LEAVES, "restore")

SHARES = (0.5, 0.95, 0.99)
ACCURACY = 10_000
_PLACE = ["message", "qmgr", "object"]


def deadline() -> Column:
    """When a message's lifetime is over, microseconds since the lab's start; null for unlimited.

    `expiry_left` is rounded up to tenths, and a lifetime is whole tenths from the arrival on the queue, so this is
    exact; MQ Everyplace tells milliseconds in `detail`.
    """
    passed = F.floor((F.col("time_us") - F.col("arrived_us")) / TENTH_US)
    tenths = F.col("arrived_us") + (F.col("expiry_left") + passed) * TENTH_US
    left = F.get_json_object("detail", "$.left_ms").cast("double")
    return F.when(
        F.col("object_type").startswith("MQE."), (F.col("time_us") + F.round(left * 1000)).cast("long")
    ).otherwise(tenths)


def percentiles(column: str) -> list[Column]:
    """Aggregates of a column of microseconds: p50_us, p95_us and p99_us, and longest_us.

    A percentile is the least value that at least that share of the values do not exceed; of more than ACCURACY
    different values it is one whose rank is right to 1 / ACCURACY.
    """
    several = F.percentile_approx(column, list(SHARES), ACCURACY)
    named = [several[place].alias(f"p{round(100 * share)}_us") for place, share in enumerate(SHARES)]
    return [*named, F.max(column).alias("longest_us")]


def not_undone(rows: DataFrame, events: DataFrame, undoing: str) -> DataFrame:
    """`rows` (puts, or gets) without those whose unit of work was backed out; `undoing` is the kind of row that tells
    so, "undo" or "restore".

    No message is shuffled: what was backed out is sent to every part of the log, 16 bytes a message.
    """
    back = events.where(F.col("kind") == undoing).select(
        F.col("message").alias("back_message"), F.col("uow").alias("back_uow"), F.col("seq").alias("back_seq")
    )
    later = (F.col("message") == F.col("back_message")) & (F.col("uow") == F.col("back_uow"))
    return rows.join(F.broadcast(back), later & (F.col("back_seq") > F.col("seq")), "left_anti")


def open_units(events: DataFrame) -> DataFrame:
    """Units of work that had not ended when the log did: uow. Numbers are unique in a lab, also where the work on a
    shared queue is the group's and the end of the unit its own queue manager's."""
    kind = F.col("kind")
    used, over = kind.isin("put", "get"), kind.isin("commit", "backout")
    return (
        events.where(F.col("uow").isNotNull() & (used | over))
        .groupBy("uow")
        .agg(F.bool_or(over).alias("over"))
        .where("NOT over")
        .select("uow")
    )


def stays(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue.

    Returns
    -------
    DataFrame
        STAY; `begin_time_us`, `begin_put_us`, `begin_arrived_us`, `begin_deadline_us`, `begin_uow` and `begin_seq` of
        the row that began it, and `begin_buried`, whether its rule is one of DEAD_LETTER_RULES; `last_kind`,
        `last_time_us`, `last_program`, `last_uow` and `last_seq` of the last row that began it, ended it or put it
        back, so that `last_kind` is one of LEAVES where it is over; `returned_us`, when a backout last put it back;
        `taken`, whether a get had it off the queue when that row came or with it; `seen`, whether it was browsed;
        `moved`, whether the message came to another queue, or to this one again, later than this stay began, and that
        was not undone.
    """
    kind, seq = F.col("kind"), F.col("seq")
    of_interest = kind.isin(*ARRIVES, *LEAVES, "restore", "browse") & F.col("object_type").isNotNull()
    rows = (
        events.where(F.col("message").isNotNull() & of_interest)
        .select(
            *(*_PLACE, "seq", "time_us", "put_us", "arrived_us", "program", "uow"),
            deadline().alias("deadline_us"),
            F.col("rule").isin(*DEAD_LETTER_RULES).alias("buried"),
            F.array_position(_codes(), kind).cast("int").alias("code"),
        )
        .repartition("message")
    )
    so_far = Window.partitionBy(*_PLACE).orderBy("seq").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    code = F.col("code")
    begins, restored, got = (code <= len(ARRIVES)) & (code > 0), code == _code("restore"), code == _code("get")
    changing = F.when(code > 0, seq)
    first, last = ("time_us", "put_us", "arrived_us", "deadline_us", "uow", "buried"), ("time_us", "program", "uow")
    # One column for each, and numbers for kinds: Spark hashes these, but sorts texts and structures, needed or not.
    told = (
        rows.withColumn("stay", F.count(F.when(begins, 1)).over(so_far))
        .groupBy(*STAY)
        .agg(
            *(F.min_by(name, "seq").alias(f"begin_{name}") for name in first),
            F.min("seq").alias("begin_seq"),
            *(F.max_by(name, changing).alias(f"last_{name}") for name in last),
            F.max_by("code", changing).alias("last_code"),
            F.max(changing).alias("last_seq"),
            F.max(F.when(restored, F.col("time_us"))).alias("returned_us"),
            F.coalesce(F.max(F.when(got, seq)), F.lit(-1)).alias("got_seq"),
            F.coalesce(F.max(F.when(restored, seq)), F.lit(-1)).alias("restored_seq"),
            F.max(code == 0).alias("seen"),
        )
        .withColumn("last_kind", F.element_at(_codes(), F.col("last_code")))
    )
    kept = F.when(F.col("last_code") != _code("undo"), F.col("begin_seq"))
    latest = F.max(kept).over(Window.partitionBy("message"))
    return (
        told.withColumn("taken", F.col("got_seq") > F.col("restored_seq"))
        .withColumn("moved", latest > F.col("begin_seq"))
        .drop("got_seq", "restored_seq", "last_code")
    )


def _codes() -> Column:
    return F.array(*map(F.lit, ENDING))


def _code(kind: str) -> int:
    return ENDING.index(kind) + 1


def held_ends(events: DataFrame) -> DataFrame:
    """How messages ended that a program had got and put nowhere: message, `held` (kind, time_us, program, seq), the
    last for each; a backout undoes it."""
    undone = events.where(F.col("kind") == "backout").select("qmgr", "uow")
    rows = events.where(F.col("kind").isin(*HELD_ENDS) & F.col("message").isNotNull() & F.col("object_type").isNull())
    held = F.struct("kind", "time_us", "program", "seq")
    return (
        rows.join(F.broadcast(undone), ["qmgr", "uow"], "left_anti")
        .groupBy("message")
        .agg(F.max_by(held, "seq").alias("held"))
    )
