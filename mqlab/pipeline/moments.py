"""Simulated time as timestamps: a log and the answers about it count microseconds since the lab's start."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError

if TYPE_CHECKING:
    from pyspark.sql import Column


@checked
def moment(start: datetime, column: str = "time_us") -> Column:
    """Return a column of microseconds since the lab's start, such as `time_us` or `end_us`, as a column of timestamps.

        fates.withColumn("end", moment(lab.start, "end_us"))

    `start` is the lab's start, a datetime with its time zone: `lab.start`. The timestamps are exact instants, to the
    microsecond; Spark shows them in the time zone of the session (`spark.sql.session.timeZone`). Null stays null. A
    duration, such as `lag_us`, is no moment. Raises LabError if `start` has no time zone.
    """
    from pyspark.sql import functions as F

    if start.tzinfo is None:
        raise LabError(f"start must be a datetime with its time zone, such as lab.start; got {start!r}")
    since = (start - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
    return F.timestamp_micros(F.lit(since) + F.col(column))
