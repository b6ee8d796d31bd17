"""The trigger audit: every chance of a trigger message, whether it was taken, and the condition that prevented it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ...engine.words.rulebook import RULES
from ..labs import key
from .stays import in_order, named, queue_of, reason

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FIRED, PREVENTED, NOT_ASKED = "fired", "prevented", "not asked for"

# The conditions around a message: who reads, what is allowed and defined, who listens, and whether triggering is on.
CONDITIONS = ("TRG-04", "TRG-04a", "TRG-04b", "TRG-05", "TRG-06", "TRG-07", "TRG-08", "TRG-09", "TRG-10")


def trigger_audit(events: DataFrame) -> DataFrame:
    """One row for each chance of a trigger event: a put that came to be considered, a last close, a change.

    A chance is "prevented" if the first condition that was not met is one of CONDITIONS, and "not asked for" if the
    message did not count, or FIRST or DEPTH fire at another number of messages."""
    fired = F.get_json_object("detail", "$.fired").cast("boolean")
    outcome = F.when(fired, FIRED).when(F.col("rule").isin(*CONDITIONS), PREVENTED).otherwise(NOT_ASKED)
    title = named({id: rule.title for id, rule in RULES.items()}, F.col("rule")).alias("title")
    by, queue = key(events), queue_of(events)
    after = Window.partitionBy(*queue).orderBy(F.desc("seq")).rowsBetween(Window.unboundedPreceding, -1)
    next_fired = F.last(F.when(fired, F.col("time_us")), ignorenulls=True).over(after).alias("next_fired_us")
    chances = events.select(*by, F.col("seq").alias("chance_seq"), F.col("kind").alias("chance"))
    because = reason(F.col("detail")).alias("because")
    told = (*queue, "seq", "time_us", outcome.alias("outcome"), "rule", title, because, "depth")
    rows = events.where(F.col("kind") == "trigger").select(*told, F.col("cause").alias("chance_seq"), next_fired)
    return rows.join(chances, [*by, "chance_seq"], "left").select(*rows.columns[:-1], "chance", "next_fired_us")


def trigger_summary(audit: DataFrame) -> DataFrame:
    """From the rows of `trigger_audit`: the outcomes of each queue by rule, most frequent first."""
    queue = queue_of(audit)
    return (
        audit.groupBy(*queue, "outcome", "rule", "title")
        .agg(
            F.count("*").alias("times"),
            F.count_if(F.col("next_fired_us").isNull()).alias("never_again"),
            F.min("time_us").alias("first_us"),
            F.max("time_us").alias("last_us"),
        )
        .transform(in_order, *queue, F.desc("times"), "outcome", "rule")
    )
