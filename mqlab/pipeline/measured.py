"""What real instrumentation says, as tables: a row a queue, a channel or a change, from the records of amqsevt.

Counts that MQ gives for non-persistent and persistent messages apart, or by kind of object, are added up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = [
    "changes",
    "channel_events",
    "channel_statistics",
    "performance",
    "queue_accounting",
    "queue_statistics",
    "refusals",
]


def _text(name: str) -> Column:
    return F.get_json_object("data", f"$.{name}")


def _number(name: str) -> Column:
    return _text(name).cast("long")


def performance(events: DataFrame) -> DataFrame:
    """Queue full, queue depth high and low, service interval high and OK.

    Returns
    -------
    DataFrame
        qmgr, queue, created, reason, reason_name; `seconds` since the counts were last reset, `deepest` (the highest
        CURDEPTH in them), `put` and `got` messages in them; in order of time.
    """
    return (
        events.where("class = 'performance'")
        .select(
            "qmgr",
            F.col("object").alias("queue"),
            "created",
            "reason",
            "reason_name",
            _number("timeSinceReset").alias("seconds"),
            _number("highQueueDepth").alias("deepest"),
            _number("msgEnqCount").alias("put"),
            _number("msgDeqCount").alias("got"),
        )
        .orderBy("created", "qmgr", "queue")
    )


def refusals(events: DataFrame) -> DataFrame:
    """What the queue managers refused, and to whom: authority, inhibits, names that lead nowhere.

    Returns
    -------
    DataFrame
        qmgr, reason, reason_name, object, `application`, `user`, `times`, `first` and `last` (timestamps); most
        frequent first. Starts and stops of queue managers are not among them.
    """
    return (
        events.where("class = 'queue manager' and reason not in (2222, 2223)")
        .groupBy(
            "qmgr",
            "reason",
            "reason_name",
            "object",
            _text("applName").alias("application"),
            _text("userIdentifier").alias("user"),
        )
        .agg(F.count("*").alias("times"), F.min("created").alias("first"), F.max("created").alias("last"))
        .orderBy(F.desc("times"), "qmgr", "reason", "object", "application", "user")
    )


def channel_events(events: DataFrame) -> DataFrame:
    """What became of channels.

    Returns
    -------
    DataFrame
        qmgr, channel, created, reason, reason_name, `connection`, `partner` (the transmission queue, where told),
        `qualifier` (MQ's word for why); in order of time.
    """
    return (
        events.where("class = 'channel'")
        .select(
            "qmgr",
            F.trim(_text("channelName")).alias("channel"),
            "created",
            "reason",
            "reason_name",
            F.trim(_text("connectionName")).alias("connection"),
            F.trim(_text("xmitQueueName")).alias("partner"),
            _text("reasonQualifier").alias("qualifier"),
        )
        .orderBy("created", "qmgr", "channel")
    )


def changes(events: DataFrame) -> DataFrame:
    """What was changed: a row for each attribute of an object that a pair of configuration events shows to differ.

    Returns
    -------
    DataFrame
        qmgr, object, created, correlation, `attribute` (amqsevt's name), `before` and `after` (text, null where the
        record has none), `user`; in order of time.
    """
    told = F.from_json("data", "map<string,string>")
    before, after = (
        F.first(F.when(F.col("state") == word, told), ignorenulls=True) for word in ("Before Change", "After Change")
    )
    names = F.array_distinct(F.concat(F.map_keys("before"), F.map_keys("after")))
    return (
        events.where("class = 'configuration' and state is not null")
        .groupBy("qmgr", "object", "correlation")
        .agg(
            F.max("created").alias("created"),
            before.alias("before"),
            after.alias("after"),
            F.max(_text("eventUserId")).alias("user"),
        )
        .where("before is not null and after is not null")
        .withColumn("attribute", F.explode(names))
        .withColumn("before", F.col("before")[F.col("attribute")])
        .withColumn("after", F.col("after")[F.col("attribute")])
        .where("not (before <=> after)")
        .select("qmgr", "object", "created", "correlation", "attribute", "before", "after", "user")
        .orderBy("created", "qmgr", "object", "attribute")
    )


def _interval(date: str, time: str) -> Column:
    """A date and a time of day as statistics write them (2026-01-31, 09.30.00) as a timestamp."""
    return F.try_to_timestamp(F.concat_ws(" ", _text(date), _text(time)), F.lit("yyyy-MM-dd HH.mm.ss"))


def _each(events: DataFrame, kind: str, part: str) -> DataFrame:
    """A row for each object that statistics or accounting records tell of: `one`, its values as text by name."""
    return events.where(F.col("class") == kind).select(
        "qmgr",
        "data",
        _interval("startDate", "startTime").alias("start"),
        _interval("endDate", "endTime").alias("end"),
        F.explode(F.from_json(_text(part), "array<map<string,string>>")).alias("one"),
    )


def _total(*names: str) -> Column:
    """The sum of some values of `one`, each a number or a list of numbers; null if none of them is there."""
    parts = []
    for name in names:
        text = F.col("one")[name]
        numbers = F.from_json(
            F.when(text.startswith("["), text).otherwise(F.concat(F.lit("["), text, F.lit("]"))), "array<bigint>"
        )
        parts.append(F.aggregate(numbers, F.lit(0).cast("bigint"), lambda sum, each: sum + F.coalesce(each, F.lit(0))))
    present = F.coalesce(*parts).isNotNull()
    return F.when(present, sum((F.coalesce(part, F.lit(0)) for part in parts), F.lit(0)))


def _calls() -> list[Column]:
    """What was put, got and browsed, which statistics and accounting of queues count alike."""
    return [
        _total("puts", "put1s").alias("put"),
        _total("putBytes").alias("put_bytes"),
        _total("gets").alias("got"),
        _total("getBytes").alias("got_bytes"),
        _total("browses").alias("browsed"),
    ]


def _failed() -> Column:
    return _total("putsFailed", "put1sFailed", "getsFailed").alias("failed")


def queue_statistics(events: DataFrame) -> DataFrame:
    """Statistics of queues, a row for each queue and interval.

    Returns
    -------
    DataFrame
        qmgr, queue, `start` and `end` of the interval (timestamps, local time of the queue manager), `put`,
        `put_bytes`, `got`, `got_bytes`, `browsed`, `expired` (msgsExpired), `purged`, `failed` (puts and gets),
        `least_depth` and `deepest`; in order of time.
    """
    return (
        _each(events, "queue statistics", "queueStatisticsData")
        .select(
            "qmgr",
            F.trim(F.col("one")["queueName"]).alias("queue"),
            "start",
            "end",
            *_calls(),
            _total("msgsExpired").alias("expired"),
            _total("msgsPurged").alias("purged"),
            _failed(),
            _total("queueMinDepth").alias("least_depth"),
            _total("queueMaxDepth").alias("deepest"),
        )
        .orderBy("start", "qmgr", "queue")
    )


def channel_statistics(events: DataFrame) -> DataFrame:
    """Statistics of channels, a row for each channel and interval.

    Returns
    -------
    DataFrame
        qmgr, channel, `partner` (its queue manager), `start`, `end`, `messages`, `bytes`, `full_batches`,
        `part_batches` (ended before BATCHSZ), `put_retries`; in order of time.
    """
    return (
        _each(events, "channel statistics", "chlStatisticsData")
        .select(
            "qmgr",
            F.trim(F.col("one")["channelName"]).alias("channel"),
            F.trim(F.col("one")["remoteQueueMgrName"]).alias("partner"),
            "start",
            "end",
            _total("msgs").alias("messages"),
            _total("bytes").alias("bytes"),
            _total("fullBatches").alias("full_batches"),
            _total("incompleteBatches").alias("part_batches"),
            _total("putRetries").alias("put_retries"),
        )
        .orderBy("start", "qmgr", "channel")
    )


def queue_accounting(events: DataFrame) -> DataFrame:
    """What applications did with queues, a row for each application, queue and record.

    Returns
    -------
    DataFrame
        qmgr, `application`, `user`, queue, `start`, `end`, `put`, `put_bytes`, `got`, `got_bytes`, `browsed`, `failed`;
        in order of time.
    """
    return (
        _each(events, "queue accounting", "queueAccountingData")
        .select(
            "qmgr",
            F.trim(_text("applName")).alias("application"),
            F.trim(_text("userIdentifier")).alias("user"),
            F.trim(F.col("one")["queueName"]).alias("queue"),
            "start",
            "end",
            *_calls(),
            _failed(),
        )
        .orderBy("start", "qmgr", "application", "queue")
    )
