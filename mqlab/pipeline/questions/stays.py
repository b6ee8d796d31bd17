"""Common ground of the questions: messages' stays on queues, from the rows that begin and end them, and their
deadlines.

A message that a program moves on (a message channel agent, a dead-letter handler, MQ Everyplace) keeps its number, so
it has a stay on every queue it came to, and may come to one queue twice. The fate of the message is the fate of
its last stay. All of that is one shuffle, by message.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ...sim.event_kinds import ARRIVES, DEAD_LETTER_RULES, ENDS, HELD_ENDS, LEAVES
from ..labs import beside, key, returns_at_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyspark.sql import Column, DataFrame, WindowSpec

QUEUE = ["qmgr", "object"]
"""A queue of one queue manager (or of a queue sharing group), in one lab."""

STAY = ["qmgr", "object", "message", "stay"]
"""A stay: one message on one queue of one queue manager, and which time that was (1 is the first)."""

TENTH_US = 100_000
ENDING = (*ARRIVES, *LEAVES, "restore")

MOVED = "moved on"
"""The fate of a stay, not of a message: the message arrived on another queue, and its fate is that of the later
stay."""

UNENDED = ("expired", "dead-lettered", "browsed", "waiting", "got, not committed", "put, not committed")
"""The fates of messages that had not ended when the log did."""

FATES = (*ENDS.values(), *UNENDED, MOVED)
LEFT = "still there"
ON_ITS_WAY = "CHL-07"  # a fast message that a channel had got already when the session broke
SHARES = (0.5, 0.95, 0.99)
ACCURACY = 2_000_000
_CODES = {kind: place for place, kind in enumerate(ENDING, 1)}
_BITS = 4
_KINDS = 1 << _BITS  # more than there are codes
_PLACE = ["message", "qmgr", "object"]


def queue_of(frame: DataFrame) -> list[str]:
    """The columns that name a queue in a frame: those that name its lab (see `key`, with its errors), and QUEUE."""
    return [*key(frame), *QUEUE]


def in_order(few: DataFrame, *columns: str | Column) -> DataFrame:
    """A small result in order, in one part: to find the ranges for several would be a job that makes the rows twice."""
    return few.repartition(1).orderBy(*columns)


def named(names: Mapping, column: Column) -> Column:
    """The name of each value of a column, null if it has none."""
    return F.create_map(*chain.from_iterable((F.lit(key), F.lit(name)) for key, name in names.items()))[column]


def up_to_here(by: Iterable[str], *order: str) -> WindowSpec:
    """The window of the rows up to and including each."""
    return Window.partitionBy(*by).orderBy(*order).rowsBetween(Window.unboundedPreceding, Window.currentRow)


def deadline() -> Column:
    """When a message expires, microseconds since the lab's start; null for unlimited.

    `expiry_left` is rounded up to tenths, and a lifetime is whole tenths from the arrival on the queue, so this is
    exact; MQ Everyplace has milliseconds in `detail`.
    """
    passed = F.floor((F.col("time_us") - F.col("arrived_us")) / TENTH_US)
    tenths = F.col("arrived_us") + (F.col("expiry_left") + passed) * TENTH_US
    left = F.get_json_object("detail", "$.left_ms").cast("double")
    return F.when(
        F.col("object_type").startswith("MQE."), (F.col("time_us") + F.round(left * 1000)).cast("long")
    ).otherwise(tenths)


def percentiles(column: str) -> list[Column]:
    """Aggregates of a column of microseconds: p50_us, p95_us and p99_us, and longest_us.

    A percentile is the least value that at least that share of the values do not exceed. It is exact for fewer than
    ACCURACY / 2 values; of n values more, its rank is right to n / ACCURACY.
    """
    several = F.percentile_approx(column, list(SHARES), ACCURACY)
    named = [several[place].alias(f"p{round(100 * share)}_us") for place, share in enumerate(SHARES)]
    return [*named, F.max(column).alias("longest_us")]


def not_undone(rows: DataFrame, events: DataFrame, undoing: str) -> DataFrame:
    """`rows` (puts, or gets) without those whose unit of work was backed out; `undoing` is the kind of row of a
    backout, "undo" or "restore".

    No message is shuffled: what was backed out is sent to every part of the log, 16 bytes a message.
    """
    names = [*key(events), "message", "uow"]
    back = events.where(F.col("kind") == undoing).select(
        *(F.col(name).alias(f"back_{name}") for name in (*names, "seq"))
    )
    same = [F.col(name) == F.col(f"back_{name}") for name in names]
    return rows.join(F.broadcast(back), [*same, F.col("back_seq") > F.col("seq")], "left_anti")


def open_units(events: DataFrame) -> DataFrame:
    """Units of work that had not ended when the log did: key, uow. Numbers are unique in a lab, also where the work on
    a shared queue is the group's and the end of the unit its own queue manager's."""
    kind = F.col("kind")
    used, over = kind.isin("put", "get"), kind.isin("commit", "backout")
    unit = [*key(events), "uow"]
    return (
        events.where(F.col("uow").isNotNull() & (used | over))
        .groupBy(*unit)
        .agg(F.bool_or(over).alias("over"))
        .where("NOT over")
        .select(*unit)
    )


def stays(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue.

    Columns: STAY; `begin_time_us`, `begin_put_us`, `begin_arrived_us`, `begin_deadline_us`, `begin_uow` and `begin_seq`
    of the row that began it, and `begin_buried`, whether its rule is one of DEAD_LETTER_RULES; `last_kind`,
    `last_time_us`, `last_program`, `last_uow` and `last_seq` of the last row that began, ended, or restored the stay,
    so that `last_kind` is one of LEAVES if it has ended; `returned_us`, the time of the last backout that restored it;
    `taken`, True if a get had removed it by that row; `seen`, True if it was browsed; `moved`, True if the message
    arrived on another queue, or on this one again, after this stay began, and that arrival was not backed out.

    Every row names the time of its message's arrival on the queue, so the rows of a stay are those with the same time.
    Only if a message arrives twice at the same time, the rows with that time are told apart by their order.
    """
    kind, seq, kinds = F.col("kind"), F.col("seq"), F.array(*map(F.lit, ENDING))
    message, place = [*key(events), "message"], [*key(events), *_PLACE]
    arrival = [*place, "arrived_us"]
    of_interest = kind.isin(*ARRIVES, *LEAVES, "restore", "browse") & F.col("object_type").isNotNull()
    rows = (
        events.where(F.col("message").isNotNull() & of_interest)
        .select(
            *(*place, "seq", "time_us", "put_us", "arrived_us", "program", "uow"),
            deadline().alias("deadline_us"),
            F.col("rule").isin(*DEAD_LETTER_RULES).alias("buried"),
            F.array_position(kinds, kind).cast("int").alias("code"),
        )
        .repartition(*message)
    )
    code = F.col("code")
    begins, got, restored = code.between(1, len(ARRIVES)), code == _CODES["get"], code == _CODES["restore"]
    changing = F.when(code > 0, seq)
    if returns_at_once(events, key(events)):
        rows = rows.withColumn("time", F.count(F.when(begins, 1)).over(up_to_here(arrival, "seq")))
        arrival.append("time")
    # Numbers only, a row's with its kind in one: Spark hashes these, but sorts texts and structures, needed or not.
    told = (
        rows.groupBy(*arrival)
        .agg(
            F.max(begins.cast("int")).alias("begun"),
            *(F.min_by(name, "seq").alias(f"begin_{name}") for name in ("deadline_us", "uow", "buried")),
            *(F.min(name).alias(f"begin_{name}") for name in ("time_us", "put_us", "seq")),
            *(F.max_by(name, changing).alias(f"last_{name}") for name in ("program", "uow")),
            F.max(F.when(code > 0, F.col("time_us"))).alias("last_time_us"),
            F.max(changing * _KINDS + code).alias("last"),
            F.max(F.when(restored, F.col("time_us"))).alias("returned_us"),
            F.max(F.when(got | restored, seq * 2 + got.cast("int"))).alias("held"),
            F.max(code == 0).alias("seen"),
        )
        .withColumn("last_code", (F.col("last") % _KINDS).cast("int"))
        .withColumn("last_seq", F.shiftright("last", _BITS))
        .withColumn("last_kind", F.element_at(kinds, F.col("last_code")))
    )
    kept = F.when(F.col("last_code") != _CODES["undo"], F.col("begin_seq"))
    latest = F.max(kept).over(Window.partitionBy(*message))
    return (
        told.withColumn("stay", F.sum("begun").over(up_to_here(place, "begin_seq")))
        .withColumnRenamed("arrived_us", "begin_arrived_us")
        .withColumn("taken", F.coalesce(F.col("held") % 2 == 1, F.lit(False)))
        .withColumn("moved", latest > F.col("begin_seq"))
        .drop("held", "last", "last_code", "begun", "time")
    )


def held_ends(events: DataFrame) -> DataFrame:
    """How messages ended that a program had got and put nowhere: message, `held` (kind, time_us, program, seq), the
    last for each; a backout undoes it."""
    by, backout = key(events), F.col("kind") == "backout"
    alone = F.col("kind").isin(*HELD_ENDS) & F.col("message").isNotNull() & F.col("object_type").isNull()
    undone = F.col("uow").isNotNull() & F.bool_or(backout).over(Window.partitionBy(*by, "qmgr", "uow"))
    held = F.struct("kind", "time_us", "program", "seq")
    return (
        events.where(alone | backout)
        .select(*by, "qmgr", "uow", "message", "kind", "time_us", "program", "seq", undone.alias("undone"))
        .where(~backout & ~F.col("undone"))
        .groupBy(*by, "message")
        .agg(F.max_by(held, "seq").alias("held"))
    )


def ends(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue that has ended.

    The same as the rows of `fate` that have an `end_us`, but for what only the rest of the log can tell. Here "got" is
    also a message that came to another queue afterwards ("moved on" in `fate`), that a unit of work had got which was
    open when the log ended ("got, not committed"), or that ended while a program held it: for a log without channels,
    handlers and open units of work the two are equal.

    Columns: qmgr, object, message; `fate`, one of ENDS ("got", "discarded", "backed out", "cleared", "lost"); `put_us`,
    `arrived_us` and `end_us`, microseconds since the lab's start; `lifetime_us` = end - put, and `stay_us` = end -
    arrived; `program`, whose call ended it; `seq` of the row.
    """
    over = events.where(F.col("kind").isin(*LEAVES) & F.col("message").isNotNull() & F.col("object_type").isNotNull())
    queue, one = queue_of(events), [*key(events), "message"]
    told = [*one, *QUEUE, "uow", "seq", "arrived_us"]
    undoing = events.where((F.col("kind") == "restore") | on_its_way()).select(
        on_its_way().alias("broken"), *(F.col(name).alias(f"back_{name}") for name in told)
    )
    same = {name: F.col(name) == F.col(f"back_{name}") for name in told}
    arrival = same["qmgr"] & same["object"] & same["arrived_us"]
    undone = F.when(F.col("broken"), arrival).otherwise(same["uow"] & (F.col("back_seq") > F.col("seq")))
    match = [*(same[name] for name in one), (F.col("kind") == "get") & undone]
    kept = over.join(F.broadcast(undoing), match, "left_anti")
    fate = F.coalesce(*(F.when(F.col("kind") == kind, ENDS[kind]) for kind in LEAVES))
    put, arrived, end = F.col("put_us"), F.col("arrived_us"), F.col("time_us")
    spans = ((end - put).alias("lifetime_us"), (end - arrived).alias("stay_us"))
    return kept.select(
        *queue, "message", fate.alias("fate"), put, arrived, end.alias("end_us"), *spans, "program", "seq"
    )


def on_its_way() -> Column:
    """Whether a row says that a message was lost on its way: no row but this undoes the get of the channel."""
    return (F.col("kind") == "lost") & (F.col("rule") == ON_ITS_WAY)


def counts(events: DataFrame) -> DataFrame:
    """How many stays on each queue ended how, and how many had not ended.

    A quick form of `fate_summary`, with the words of `ends`, for a log from its beginning: each row counts a message up
    or down, so that a get and the backout that restored its message are none; what was put and did not end is "still
    there".

    Columns: qmgr, object, `fate` (as in `ends`, or "still there"), `messages`, above 0; ordered by queue and fate.
    """
    queue, kind = queue_of(events), F.col("kind")
    there = F.col("object_type").isNotNull() | kind.isin(*ARRIVES)
    told = events.where(F.col("message").isNotNull() & (there & kind.isin(*ENDING) | on_its_way()))
    number = {word: F.count_if(there & (kind == word)) for word in (*LEAVES, "restore")}
    number["get"] -= number.pop("restore") + F.count_if(on_its_way())
    left = F.count_if(kind.isin(*ARRIVES)) - sum(number.values(), F.lit(0))
    lots = [*((ENDS[word], many) for word, many in number.items()), (LEFT, left)]
    fates = {word: f"n{place}" for place, (word, _) in enumerate(lots)}  # columns whose names need no quotes
    counted = told.groupBy(*queue).agg(*(many.alias(fates[word]) for word, many in lots))
    each = (F.struct(F.lit(word).alias("fate"), F.col(name).alias("messages")) for word, name in fates.items())
    return counted.select(*queue, F.inline(F.array(*each))).where("messages > 0").transform(in_order, *queue, "fate")


def time_on_queue(ended: DataFrame) -> DataFrame:
    """From the rows of `ends` (or those of `fate` that have an end): how long messages were on each queue.

    Columns: qmgr, object, fate, `messages`, and of the time from arrival to end `p50_us`, `p95_us`, `p99_us` (see
    `percentiles`) and `longest_us`; ordered by queue, then by number of messages. A put that was backed out is left
    out, because it never was there for others.
    """
    queue = queue_of(ended)
    return (
        ended.where("stay_us IS NOT NULL AND fate <> 'backed out'")
        .groupBy(*queue, "fate")
        .agg(F.count("*").alias("messages"), *percentiles("stay_us"))
        .transform(in_order, *queue, F.desc("messages"), "fate")
    )


def fate(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue, with what became of it there.

    A message that was moved on has a row for each queue it came to, all of them "moved on" but the last.

    Columns: qmgr, object, message, `stay` (1 for the first on this queue); `fate`, one of FATES; `put_us` and
    `arrived_us`, when the message was first put and came to this queue; `end_us`, when the stay ended, `lifetime_us`
    from the first put to then and `stay_us` from the arrival to then (null while it is there); `program`, whose call
    ended it; `begin_seq`, the row of the log that began the stay. Times are microseconds since the lab's start.
    "expired" is still on its queue and counted although it had expired at the last row of the log; "discarded"
    had expired; "rejected" was undeliverable, and its report options asked for that; "dead-lettered" is on a dead-
    letter queue; "browsed" is on its queue and was browsed; "waiting" was not. A message that ended while a
    program held it ("discarded", "lost", "rejected") is counted at the queue from which the program got it.
    """
    by = key(events)
    units = F.broadcast(open_units(events).withColumn("unit_open", F.lit(True)))
    last = events.groupBy(*by).agg(F.max("time_us").alias("last_us"))
    rows = (
        stays(events)
        .join(held_ends(events), [*by, "message"], "left")
        .withColumn("uow", F.when(F.col("last_kind").isin(*LEAVES), F.col("last_uow")).otherwise(F.col("begin_uow")))
        .join(units, [*by, "uow"], "left")
    )
    rows = beside(rows, last, by)
    over, kind = F.col("last_kind").isin(*LEAVES), F.col("last_kind")
    held = (kind == "get") & ~F.col("moved") & (F.col("held.seq") > F.col("last_seq"))
    name = F.when((kind == "get") & F.col("moved"), MOVED)
    for word, ending in ENDS.items():
        if word != "get":
            name = name.when(F.when(held, F.col("held.kind")).otherwise(kind) == word, ending)
    name = (
        name.when((kind == "get") & F.col("unit_open"), "got, not committed")
        .when(kind == "get", "got")
        .when(F.col("unit_open"), "put, not committed")
        .when(F.col("begin_deadline_us") <= F.col("last_us"), "expired")
        .when(F.col("begin_buried"), "dead-lettered")
        .when(F.col("seen"), "browsed")
        .otherwise("waiting")
    )
    put, arrived = F.col("begin_put_us"), F.col("begin_arrived_us")
    end = F.when(held, F.col("held.time_us")).when(over, F.col("last_time_us"))
    times = (put.alias("put_us"), arrived.alias("arrived_us"), end.alias("end_us"))
    spans = ((end - put).alias("lifetime_us"), (end - arrived).alias("stay_us"))
    program = F.when(held, F.col("held.program")).when(over, F.col("last_program")).alias("program")
    return rows.select(*by, *STAY, name.alias("fate"), *times, *spans, program, "begin_seq")


def fate_summary(events: DataFrame) -> DataFrame:
    """The number of messages by fate on each queue, and the time they spent there.

    Columns: qmgr, object, fate, `messages`, `median_lifetime_us` (see `percentiles`) and `longest_lifetime_us`, both
    null where the messages are still there; ordered by queue, then by number of messages. Rows whose fate is "moved on"
    count messages that are counted again on the queue they came to.
    """
    queue = queue_of(events)
    return (
        fate(events)
        .groupBy(*queue, "fate")
        .agg(
            F.count("*").alias("messages"),
            F.percentile_approx("lifetime_us", 0.5, ACCURACY).alias("median_lifetime_us"),
            F.max("lifetime_us").alias("longest_lifetime_us"),
        )
        .transform(in_order, *queue, F.desc("messages"), "fate")
    )


def journeys(fates: DataFrame) -> DataFrame:
    """From the rows of `fate`: one row for each message, with the queues that it came to, in order.

    A put that was backed out is no part of the way. A message that a program creates (a reply, a report) starts a way
    of its own.

    Columns: message; `route`, such as "HUB@NORTH > SOUTH@HUB > ORDERS.IN@SOUTH"; `hops`, how many queues those are;
    `fate`, `end_us` and `program` of the last of them; `put_us`, when it was first put; `latency_us` = end - put, null
    while it is on its last queue. Microseconds since the lab's start.
    """
    name, by = F.concat_ws("@", "object", "qmgr").alias("queue"), key(fates)
    rows = (
        fates.where("fate <> 'backed out'")
        .groupBy(*by, "message")
        .agg(
            F.array_sort(F.collect_list(F.struct("begin_seq", name))).alias("way"),
            F.max_by(F.struct("fate", "end_us", "program"), "begin_seq").alias("last"),
            F.min("put_us").alias("put_us"),
        )
    )
    route, hops = F.array_join(F.col("way.queue"), " > ").alias("route"), F.size("way").alias("hops")
    latency = (F.col("last.end_us") - F.col("put_us")).alias("latency_us")
    return rows.select(*by, "message", route, hops, "last.fate", "put_us", "last.end_us", latency, "last.program")


def latency_by_route(ways: DataFrame) -> DataFrame:
    """From the rows of `journeys`: the time from the first put to the last get, by route.

    Columns: route, hops, `messages` that went this way, `got` of them by their last program; and of the latency of
    these, `p50_us`, `p95_us`, `p99_us` (see `percentiles`) and `longest_us`, null if none was retrieved; most
    traveled first.
    """
    got, way = F.when(F.col("fate") == "got", F.col("latency_us")), [*key(ways), "route", "hops"]
    return (
        ways.withColumn("got_us", got)
        .groupBy(*way)
        .agg(F.count("*").alias("messages"), F.count("got_us").alias("got"), *percentiles("got_us"))
        .transform(in_order, *way[:-2], F.desc("messages"), "route")
    )
