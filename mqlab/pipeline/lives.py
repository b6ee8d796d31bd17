"""What the questions share: messages' stays on queues, from the rows that begin and end them, and their deadlines.

A message that a program moves on (a message channel agent, a dead-letter handler, MQ Everyplace) keeps its number, so
it has a stay on every queue it came to, and may come to one queue twice. What becomes of the message is what becomes of
its last stay. All of that is one shuffle, by message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = [
    "BURIED",
    "END",
    "QUEUE",
    "STAY",
    "deadline",
    "held_ends",
    "not_undone",
    "open_units",
    "percentiles",
    "stays",
]

QUEUE = ["qmgr", "object"]
"""A queue of one queue manager (or of a queue-sharing group)."""

STAY = ["qmgr", "object", "message", "stay"]
"""A stay: one message on one queue of one queue manager, and which time that was (1 is the first)."""

TENTH_US = 100_000
BEGIN = ("put", "report")
END = ("get", "discard", "undo", "clear", "lost")
ENDING = (*BEGIN, *END, "restore")
HELD = ("discard", "lost", "reject")
BURIED = ("MQI-30", "EXP-23", "IGQ-09", "IMS-01")
"""The rules of a put to the dead-letter queue of a message that could not be delivered."""

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
        STAY; `begin` (time_us, put_us, arrived_us, deadline_us, uow and seq of the row that began it, and `buried`,
        whether its rule is one of BURIED); `last` (kind, time_us, program, uow, seq of the last row that began it, ended it or put it back, so that `last.kind` is
        one of END where it is over); `returned_us`, when a backout last put it back; `taken`, whether a get had it off
        the queue when `last` came or with it; `seen`, whether it was browsed; `moved`, whether the message came to
        another queue, or to this one again, later than this stay began, and that was not undone.
    """
    kind = F.col("kind")
    begins, restored, got = kind.isin(*BEGIN), kind == "restore", kind == "get"
    of_interest = kind.isin(*BEGIN, *END, "restore", "browse") & F.col("object_type").isNotNull()
    rows = events.where(F.col("message").isNotNull() & of_interest).repartition("message")
    so_far = Window.partitionBy(*_PLACE).orderBy("seq").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    changing = F.when(kind != "browse", F.col("seq"))
    # Single numbers, and kinds as codes, not rows: a hash table holds numbers, while texts and rows have to be sorted.
    numbered = rows.withColumn("stay", F.count(F.when(begins, 1)).over(so_far))
    first = {
        "time_us": F.col("time_us"),
        "put_us": F.col("put_us"),
        "arrived_us": F.col("arrived_us"),
        "deadline_us": deadline(),
        "uow": F.col("uow"),
        "buried": F.col("rule").isin(*BURIED),
    }
    word = F.lit(None)
    for code, name in enumerate(ENDING):
        word = F.when(kind == name, code).otherwise(word)
    last = {"code": word.cast("int"), "time_us": F.col("time_us"), "program": F.col("program"), "uow": F.col("uow")}
    told = (
        numbered.select(*STAY, "seq", "kind", "time_us", *_named("first", first), *_named("last", last))
        .groupBy(*STAY)
        .agg(
            *(F.min_by(f"first_{name}", "seq").alias(f"first_{name}") for name in first),
            F.min("seq").alias("first_seq"),
            *(F.max_by(f"last_{name}", changing).alias(f"last_{name}") for name in last),
            F.max(changing).alias("last_seq"),
            F.max(F.when(restored, F.col("time_us"))).alias("returned_us"),
            F.coalesce(F.max(F.when(got, F.col("seq"))), F.lit(-1)).alias("got_seq"),
            F.coalesce(F.max(F.when(restored, F.col("seq"))), F.lit(-1)).alias("restored_seq"),
            F.max(kind == "browse").alias("seen"),
        )
        .select(
            *STAY,
            F.struct(*(F.col(f"first_{name}").alias(name) for name in (*first, "seq"))).alias("begin"),
            F.struct(
                F.element_at(F.array(*map(F.lit, ENDING)), F.col("last_code") + 1).alias("kind"),
                *(F.col(f"last_{name}").alias(name) for name in ("time_us", "program", "uow", "seq")),
            ).alias("last"),
            "returned_us",
            "got_seq",
            "restored_seq",
            "seen",
        )
    )
    latest = F.max(F.when(F.col("last.kind") != "undo", F.col("begin.seq"))).over(Window.partitionBy("message"))
    return (
        told.withColumn("taken", F.col("got_seq") > F.col("restored_seq"))
        .withColumn("moved", latest > F.col("begin.seq"))
        .drop("got_seq", "restored_seq")
    )


def _named(part: str, columns: dict[str, Column]) -> list[Column]:
    return [column.alias(f"{part}_{name}") for name, column in columns.items()]


def held_ends(events: DataFrame) -> DataFrame:
    """How messages ended that a program had got and put nowhere: message, `held` (kind, time_us, program, seq), the
    last for each; a backout undoes it."""
    undone = events.where(F.col("kind") == "backout").select("qmgr", "uow")
    rows = events.where(F.col("kind").isin(*HELD) & F.col("message").isNotNull() & F.col("object_type").isNull())
    held = F.struct("kind", "time_us", "program", "seq")
    return (
        rows.join(F.broadcast(undone), ["qmgr", "uow"], "left_anti")
        .groupBy("message")
        .agg(F.max_by(held, "seq").alias("held"))
    )
