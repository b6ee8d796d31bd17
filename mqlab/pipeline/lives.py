"""What the questions share: which rows begin and end a message's stay on a queue, and when its lifetime is over.

The rows that end a stay carry the time of the put, so most questions are a scan. Rows are only joined where a unit of
work can undo what a row says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["STAY", "begun", "deadline", "ended", "open_units", "still_there"]

STAY = ["qmgr", "object", "message"]
"""A stay: one message on one queue of one queue manager."""

TENTH_US = 100_000
BEGIN = ("put", "report")
END = ("get", "discard", "undo", "clear", "lost")


def deadline() -> Column:
    """When a message's lifetime is over, microseconds since the lab's start; null for unlimited.

    `expiry_left` is rounded up to tenths, and a lifetime is whole tenths from the put, so this is exact.
    """
    passed = F.floor((F.col("time_us") - F.col("put_us")) / TENTH_US)
    return F.col("put_us") + (F.col("expiry_left") + passed) * TENTH_US


def begun(events: DataFrame) -> DataFrame:
    """The rows by which a message came to a queue: puts that worked, and reports."""
    return events.where(F.col("kind").isin(*BEGIN) & F.col("message").isNotNull())


def open_units(events: DataFrame) -> DataFrame:
    """Units of work that had not ended when the log did: qmgr, uow."""
    used = events.where(F.col("uow").isNotNull() & F.col("kind").isin("put", "get")).select("qmgr", "uow").distinct()
    over = events.where(F.col("kind").isin("commit", "backout")).select("qmgr", "uow")
    return used.join(over, ["qmgr", "uow"], "left_anti")


def ended(events: DataFrame) -> DataFrame:
    """The rows that ended a stay for good: gets that no backout returned, discards, undone puts, cleared and lost."""
    returned = events.where(F.col("kind") == "restore").select("message", "uow")
    ends = events.where(F.col("kind").isin(*END) & F.col("message").isNotNull())
    in_unit = (F.col("kind") == "get") & F.col("uow").isNotNull()
    return ends.where(~in_unit).unionByName(ends.where(in_unit).join(returned, ["message", "uow"], "left_anti"))


def still_there(events: DataFrame) -> DataFrame:
    """The rows of `begun` whose stay had not ended when the log did."""
    return begun(events).join(ended(events).select(*STAY), STAY, "left_anti")
