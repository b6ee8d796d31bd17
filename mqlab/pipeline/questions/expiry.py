"""Expired messages: which call discarded them, how long they had been expired, and which reader was too slow."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ...engine.words.arguments import at_least, require
from ...engine.words.errors import LabError
from ...engine.world.event_kinds import ARRIVES
from ..labs import key
from .stays import ACCURACY, ADDED, QUEUE, deadline, in_order, on_its_way, queue_of, up_to_here

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAMELESS = "a program"  # what a reader is called that has connected without a name
REACHES = ("get", "browse", "wait")  # the calls on a queue that discard; MQ Everyplace has others
MINUTE_US = 60_000_000
_CLASSES = ("under 1 s", "1 to 10 s", "10 s to 1 min", "1 to 10 min", "10 to 30 min", "30 min to 2 h")
LAGS = tuple(zip(_CLASSES, (1, 10, 60, 600, 1800, 7200), strict=True))
LONGEST = "over 2 h"


def discarded(events: DataFrame) -> DataFrame:
    """One row for each message that was discarded on a queue because it had expired."""
    queue, kind, discards = queue_of(events), F.col("kind"), F.col("kind") == "discard"
    device = F.col("object_type").startswith("MQE.")
    got = (kind == "get") & F.col("message").isNotNull()
    reached = F.col("object_type").isNotNull() & (discards | kind.isin(*REACHES) | device)
    rows = events.where(reached & F.expr(ADDED)).select(
        *(*queue, "kind", "message", "priority", "put_us", "arrived_us", "seq", "time_us"),
        deadline().alias("deadline_us"),
        F.col("program").alias("met_by"),
        (~device & F.col("cause").isNotNull()).alias("scanned"),
        F.when(discards, F.col("cause")).otherwise(F.col("seq")).alias("call_seq"),
        F.when(got, F.coalesce("program", F.lit(NAMELESS))).alias("got_by"),
        F.when(discards, deadline()).otherwise(F.col("time_us")).alias("at_us"),
    )
    so_far, one = up_to_here(queue, "at_us", discards.cast("int"), "seq"), Window.partitionBy(*queue, "call_seq")
    whole = so_far.rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing)  # any order will do
    read = F.when(F.col("got_by").isNotNull(), F.struct("got_by", "time_us"))
    call = F.coalesce(F.max(F.when(~discards, kind)).over(one), F.when(F.col("scanned"), "scan"))
    most = F.expr("mode() WITHIN GROUP (ORDER BY got_by DESC)").over(whole)
    told = rows.withColumns({"most": most, "read": F.last(read, ignorenulls=True).over(so_far), "call": call})
    return told.where(discards).select(
        *(*queue, "message", "priority", "put_us", "arrived_us", "deadline_us", F.col("time_us").alias("discarded_us")),
        *((F.col("time_us") - F.col("deadline_us")).alias("lag_us"), "met_by", "call", "call_seq"),
        *(F.coalesce("read.got_by", "most").alias("reader"), F.col("read.time_us").alias("reader_last_us")),
    )


def expiry_over_time(discards: DataFrame, every_minutes: int = 60) -> DataFrame:
    """From the rows of `discarded`: how many expired and how many were discarded in each interval of `every_minutes`,
    ordered. LabError if `every_minutes` is not a whole number above 0."""
    require("every_minutes", every_minutes, int, "a whole number of minutes, 1 or more", at_least(1))
    width = every_minutes * MINUTE_US
    moments = F.array(
        *(
            F.struct((F.floor(F.col(column) / width) * width).alias("time_us"), F.lit(what).alias("what"))
            for column, what in (("deadline_us", "expired"), ("discarded_us", "discarded"))
        )
    )
    by = [*key(discards), "time_us", "what"]
    counted = discards.select(*by[:-2], F.inline(moments)).groupBy(*by).agg(F.count("*").alias("messages"))
    return in_order(counted, *by)


def lag_histogram(discards: DataFrame) -> DataFrame:
    """From the rows of `discarded`, how long messages were expired but counted, by queue and class; ordered."""
    by = queue_of(discards)
    name, order = F.lit(LONGEST), F.lit(len(LAGS))
    for place, (label, seconds) in reversed(list(enumerate(LAGS))):
        within = F.col("lag_us") < seconds * 1_000_000
        name, order = F.when(within, label).otherwise(name), F.when(within, place).otherwise(order)
    return (
        discards.select(*by, name.alias("lag"), order.alias("order"))
        .groupBy(*by, "lag", "order")
        .agg(F.count("*").alias("messages"))
        .transform(in_order, *by, "order")
    )


ASKED = "seq LONG, msg_id BINARY, correl_id BINARY, behind LONG"
IDENTIFIED = "message LONG, correl_id BINARY"


def lazy_expiry(events: DataFrame, asked: DataFrame | None = None, identified: DataFrame | None = None) -> DataFrame:
    """The messages that lazy expiry discards, by which call and when, worked out in SQL (`lazy_expiry.sql`) from the
    calls alone, for one lab: an expired message goes with the first call that looks past the place where it is.

    It equals the engine for gets, browses, and scans of local queues that are not shared, without locks of a browse,
    gets under the cursor, groups, segments, and warnings about a buffer. The log does not have what a call selected by:
    `asked` has a row for each call that asked for less than any message, with its `seq`, the identifiers (24 bytes,
    null for any), and `behind`, the row of the put of the message under its cursor; `identified` has the CorrelIds."""
    if names := key(events):
        raise LabError(
            f"lazy_expiry needs the log of one lab; this has {', '.join(names)}, which tell several apart. Choose "
            f'one: events.where("{names[0]} = ...").drop({", ".join(map(repr, names))})'
        )
    spark = events.sparkSession
    text = files("mqlab.pipeline.questions").joinpath("lazy_expiry.sql").read_text("utf-8")
    return spark.sql(
        text,
        events=events,
        asked=spark.createDataFrame([], ASKED) if asked is None else asked,
        identified=spark.createDataFrame([], IDENTIFIED) if identified is None else identified,
    )


SLOW, AWAY, NOBODY = "read others", "did not read", "nobody reads it"
WHYS = (SLOW, AWAY, NOBODY)


def why_expired(discards: DataFrame) -> DataFrame:
    """The rows of `discarded` with `why`: what the reader did between the message's arrival and its deadline: "read
    others", "did not read", or "nobody reads it" (no program got anything from this queue in the whole log)."""
    in_time = F.col("reader_last_us") >= F.col("arrived_us")
    why = F.when(F.col("reader").isNull(), NOBODY).when(in_time, SLOW).otherwise(AWAY)
    return discards.withColumn("why", why)


def slow_readers(events: DataFrame, discards: DataFrame) -> DataFrame:
    """From the log and the rows of `discarded`: the readers of the queues with discards, most discarded first."""
    queue = queue_of(events)
    if queue != queue_of(discards):
        raise LabError(f"discards must come from the same log, with its columns {', '.join(queue)}: discarded(events)")
    reader = [*queue, "reader"]
    lost = (
        why_expired(discards)
        .groupBy(*queue, "reader")
        .agg(
            F.count("*").alias("discarded"),
            F.count_if(F.col("why") == SLOW).alias("while_reading"),
            F.count_if(F.col("why") == AWAY).alias("while_away"),
        )
    )
    minutes = F.nullif(F.col("last_us") - F.col("first_us"), F.lit(0)) / MINUTE_US
    return (
        lost.join(_paces(events), reader, "left")
        .select(
            *(*reader, "discarded", "while_reading", "while_away"),
            *(F.coalesce("gets", F.lit(0)).alias("gets"), "first_us", "last_us"),
            (F.col("arrived") / minutes).alias("arrivals_a_minute"),
            (F.col("gets") / minutes).alias("gets_a_minute"),
            *("longest_pause_us", "median_age_us", "oldest_age_us"),
        )
        .transform(in_order, *queue[:-2], F.desc("discarded"), *QUEUE, "reader")
    )


def _paces(events: DataFrame) -> DataFrame:
    """The gets of each program from each queue that nothing took back, and the puts that no undo follows."""
    queue, kind = queue_of(events), F.col("kind")
    rows = events.where(
        F.col("message").isNotNull() & (kind.isin(*ARRIVES, "get", "restore", "undo") | on_its_way())
    ).select(*queue, "message", "kind", "seq", "program", "time_us", "arrived_us")
    after = F.lead(F.col("kind")).over(Window.partitionBy(*queue, "message").orderBy("seq"))
    put, got = kind.isin(*ARRIVES), kind == "get"
    told = rows.withColumn("after", F.coalesce(after, F.lit(""))).where(
        (put & (F.col("after") != "undo")) | (got & ~F.col("after").isin("restore", "lost"))
    )
    until = Window.partitionBy(*queue).orderBy("time_us")
    came = F.count(F.when(put, 1))
    mine = Window.partitionBy(*queue, "program").orderBy("seq")
    return (
        told.withColumn("program", F.coalesce("program", F.lit(NAMELESS)))
        .withColumn("by_now", came.over(until.rangeBetween(Window.unboundedPreceding, Window.currentRow)))
        .withColumn("before", came.over(until.rangeBetween(Window.unboundedPreceding, -1)))
        .where(got)
        .withColumn("pause_us", F.col("time_us") - F.lag("time_us").over(mine))
        .withColumn("age_us", F.col("time_us") - F.col("arrived_us"))
        .groupBy(*queue, F.col("program").alias("reader"))
        .agg(
            F.count("*").alias("gets"),
            F.min("time_us").alias("first_us"),
            F.max("time_us").alias("last_us"),
            (F.max("by_now") - F.min("before")).alias("arrived"),
            F.max("pause_us").alias("longest_pause_us"),
            F.percentile_approx("age_us", 0.5, ACCURACY).alias("median_age_us"),
            F.max("age_us").alias("oldest_age_us"),
        )
    )
