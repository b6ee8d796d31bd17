"""Messages' stays on queues: a message that a program moves on keeps its number, so it has a stay on every queue it
came to, and may come to one queue twice. Its fate is that of its last stay. All of that is one shuffle, by message."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ... import lab  # noqa: F401 - the extras have reasons, too
from ...engine.words.because import because
from ...engine.world.event_kinds import ARRIVES, DEAD_LETTER_RULES, ENDS, HELD_ENDS, LEAVES
from ..labs import beside, key, returns_at_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyspark.sql import Column, DataFrame, WindowSpec

QUEUE = ["qmgr", "object"]
STAY = ["qmgr", "object", "message", "stay"]  # 1 is the first stay of the message on this queue
TENTH_US = 100_000
ENDING = (*ARRIVES, *LEAVES, "restore")

MOVED = "moved on"  # the fate of a stay, not of a message: it arrived on another queue
UNENDED = ("expired", "dead-lettered", "browsed", "waiting", "got, not committed", "put, not committed")
FATES = (*ENDS.values(), *UNENDED, MOVED)
LEFT = "still there"
ON_ITS_WAY = ("CHL-07", "IGQ-03", "IGQ-04")  # a fast message that a channel, or an IGQ agent, had got already
SHARES = (0.5, 0.95, 0.99)
ACCURACY = 2_000_000
_CODES = {kind: place for place, kind in enumerate(ENDING, 1)}
_BITS = 4
_KINDS = 1 << _BITS  # more than there are codes
_GOT, _RESTORED = _CODES["get"], _CODES["restore"]
# Long expressions are text: each function of PySpark costs three calls to Java.
# MQ Everyplace does not add a message that expired on its way.
ADDED = "NOT (kind = 'discard' AND rule <=> 'MQE-01' AND arrived_us = time_us)"
THERE = f"message IS NOT NULL AND object_type IS NOT NULL AND {ADDED}"
_ELSEWHERE = "coalesce(detail LIKE '%\"DestQName\"%', false)"  # text: JSON, as `is_dead_letter` reads it
_ENDED = " ".join(f"WHEN '{kind}' THEN '{ENDS[kind]}'" for kind in LEAVES)
_HOW = " ".join(f"WHEN '{kind}' THEN '{word}'" for kind, word in ENDS.items() if kind != "get")
_PLACE = ["message", "qmgr", "object"]


def queue_of(frame: DataFrame) -> list[str]:
    """The columns that name a queue in a frame: those that name its lab (see `key`, with its errors), and QUEUE."""
    return [*key(frame), *QUEUE]


def in_order(few: DataFrame, *columns: str | Column) -> DataFrame:
    """A result in order, in one part: to find the ranges for several would be a job that makes the rows twice."""
    return few.repartition(1).orderBy(*columns)


def named(names: Mapping, column: Column) -> Column:
    """The name of each value of a column, null if it has none."""
    return F.create_map(*chain.from_iterable((F.lit(key), F.lit(name)) for key, name in names.items()))[column]


@lru_cache(10_000)
def _told(detail: str | None) -> str | None:
    return because(json.loads(detail)) or None if detail else None


def reason(detail: Column) -> Column:
    """Why a row happened, from its `detail`; null for no reason."""
    return F.udf(_told, "string", useArrow=False)(detail)


def up_to_here(by: Iterable[str], *order: str) -> WindowSpec:
    """The window of the rows up to and including each."""
    return Window.partitionBy(*by).orderBy(*order).rowsBetween(Window.unboundedPreceding, Window.currentRow)


def deadline() -> Column:
    """When a message expires, microseconds since the lab's start; null for unlimited."""
    # exact: `expiry_left` is rounded up to tenths, and a lifetime is whole tenths from the arrival on the queue
    passed = F.floor((F.col("time_us") - F.col("arrived_us")) / TENTH_US)
    tenths = F.col("arrived_us") + (F.col("expiry_left") + passed) * TENTH_US
    left = F.get_json_object("detail", "$.left_ms").cast("double")
    return F.when(
        F.col("object_type").startswith("MQE."), (F.col("time_us") + F.round(left * 1000)).cast("long")
    ).otherwise(tenths)


def percentiles(column: str) -> list[Column]:
    """Aggregates of a column of microseconds: p50_us, p95_us, and p99_us (nearest rank, exact for fewer than
    ACCURACY / 2 values), and longest_us."""
    several = f"percentile_approx({column}, array{SHARES}, {ACCURACY})"
    named = [F.expr(f"{several}[{place}] AS p{round(100 * share)}_us") for place, share in enumerate(SHARES)]
    return [*named, F.expr(f"max({column}) AS longest_us")]


def not_undone(rows: DataFrame, events: DataFrame, undoing: str) -> DataFrame:
    """`rows` (puts, or gets) without those that a row of kind `undoing` ("undo" or "restore") took back."""
    names = [*key(events), "message", "uow"]
    back = events.where(F.col("kind") == undoing).select(
        *(F.col(name).alias(f"{undoing} {name}") for name in (*names, "seq"))  # names that no column of a log has
    )
    same = [F.col(name) == F.col(f"{undoing} {name}") for name in names]
    return rows.join(F.broadcast(back), [*same, F.col(f"{undoing} seq") > F.col("seq")], "left_anti")


def open_units(events: DataFrame) -> DataFrame:
    """Units of work that had not ended when the log did: key, uow."""
    unit = [*key(events), "uow"]
    return (
        events.where(f"uow IS NOT NULL AND kind IN {(*ARRIVES, 'get', 'skip', 'commit', 'backout')}")
        .groupBy(*unit)
        .agg(F.expr("max_by(kind IN ('commit', 'backout'), seq) AS over"))  # a unit may go on after a backout (MQI-33)
        .where("NOT over")
        .select(*unit)
    )


def stays(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue.

    Columns: STAY; `begin_time_us`, `begin_put_us`, `begin_arrived_us`, `begin_deadline_us`, `begin_uow`, `begin_seq`,
    and `begin_buried` (put by one of DEAD_LETTER_RULES) of the row that began it; `last_kind` (one of LEAVES if it has
    ended), `last_time_us`, `last_program`, `last_uow`, `last_seq` of the last row that began, ended, or restored it;
    `taken`, whether a get had removed it by that row, and `away` (1 or 0), by its deadline; `seen`, whether it was
    browsed; `delivered_us`, when a trigger message that waited for its unit's end was shown (TRG-10a); `moved`, whether
    the program that got the message put it on a queue again, and that was not backed out."""
    # The rows of a stay have the same time of arrival; only if a message arrives twice at once, their order decides.
    by = key(events)
    place = [*by, *_PLACE]
    arrival = [*place, "arrived_us"]
    rows = (
        events.where(f"{THERE} AND kind IN {(*ENDING, 'browse', 'deliver')}")
        .select(
            *(*arrival, "seq", "time_us", "put_us", "program", "uow"),
            deadline().alias("deadline_us"),
            F.expr(f"kind = 'put' AND (rule IN {DEAD_LETTER_RULES} OR {_ELSEWHERE}) AS buried"),
            F.expr(f"if(kind = 'deliver', -1, int(array_position(array{ENDING}, kind))) AS code"),
        )
        .repartition(*by, "message")
    )
    begins = f"code BETWEEN 1 AND {len(ARRIVES)}"
    if returns_at_once(events):
        rows = rows.withColumn("time", F.expr(f"count_if({begins})").over(up_to_here(arrival, "seq")))
        arrival.append("time")
    # Numbers only, a row's with its kind in one: Spark hashes these, but sorts texts and structures, needed or not.
    aggregates = (
        f"max(int({begins})) AS begun",
        *(f"min_by({name}, seq) AS begin_{name}" for name in ("deadline_us", "uow", "buried")),
        *(f"min({name}) AS begin_{name}" for name in ("time_us", "put_us", "seq")),
        *(f"max_by({name}, if(code > 0, seq, NULL)) AS last_{name}" for name in ("program", "uow")),
        "max(if(code > 0, time_us, NULL)) AS last_time_us",
        f"max(if(code > 0, seq * {_KINDS} + code, NULL)) AS last",
        f"sum(if(time_us < deadline_us, int(code = {_GOT}) - int(code = {_RESTORED}), 0)) AS away",
        f"max(if(code IN ({_GOT}, {_RESTORED}), seq * 2 + int(code = {_GOT}), NULL)) AS held",
        "max(code = 0) AS seen",
        "min_by(xxhash64(program), seq) AS begin_by",
        "min(if(code = -1, time_us, NULL)) AS delivered_us",
    )
    told = (
        rows.groupBy(*arrival)
        .agg(*map(F.expr, aggregates))
        .selectExpr(
            "*",
            "arrived_us AS begin_arrived_us",
            "coalesce(held % 2 = 1, false) AS taken",
            f"shiftright(last, {_BITS}) AS last_seq",
            f"element_at(array{ENDING}, int(last % {_KINDS})) AS last_kind",
        )
    )
    stay = F.sum("begun").over(up_to_here(place, "begin_seq"))
    ordered = Window.partitionBy(*by, "message").orderBy(*QUEUE, "begin_seq")  # as for `stay`: one sort does
    whole = ordered.rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing)
    # Of each arrival, where it is and some bits of the program that put it, in one number: a list of these is cheap.
    bits, mask = 22, (1 << 22) - 1
    code = f"bigint(begin_seq) << {bits} | begin_by & {mask}"
    came = F.expr(f"collect_list(if(last_kind <> 'undo', {code}, NULL))").over(whole)
    mine = f"each & {mask} = xxhash64(last_program) & {mask}"
    moved = F.expr(f"exists(came, each -> each >> {bits} > begin_seq AND {mine})")
    return (
        told.withColumns({"stay": stay, "came": came})
        .withColumn("moved", moved)
        .drop("held", "last", "begun", "time", "arrived_us", "came", "begin_by")
    )


def held_ends(events: DataFrame) -> DataFrame:
    """How messages ended that a program had got and put nowhere: message, `held` (kind, time_us, program, seq)."""
    by = key(events)
    alone = f"kind IN {HELD_ENDS} AND message IS NOT NULL AND object_type IS NULL"
    undone = F.expr("bool_or(kind = 'backout')").over(Window.partitionBy(*by, "qmgr", "uow"))
    return (
        events.where(f"kind = 'backout' OR {alone}")
        .select(*by, "uow", "message", "kind", "time_us", "program", "seq", undone.alias("undone"))
        .where("kind <> 'backout' AND NOT (uow IS NOT NULL AND undone)")
        .groupBy(*by, "message")
        .agg(F.expr("max_by(struct(kind, time_us, program, seq), seq) AS held"))
    )


def ends(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue that has ended: as `fate`, but a message that moved on, that an
    open unit of work had got, or that ended while a program held it, is "got"."""
    by, queue = key(events), queue_of(events)
    told = [*queue, "message", "uow", "seq", "arrived_us"]
    over = events.where(f"{THERE} AND kind IN {LEAVES}").select(*told, "kind", "put_us", "time_us", "program")
    undoing = events.where((F.col("kind") == "restore") | on_its_way()).select(
        on_its_way().alias("broken"), *(F.expr(f"{name} AS back_{name}") for name in told)
    )
    same = " AND ".join(f"{name} = back_{name}" for name in (*by, "message"))
    arrival = " AND ".join(f"{name} = back_{name}" for name in (*QUEUE, "arrived_us"))
    undone = F.expr(f"{same} AND kind = 'get' AND if(broken, {arrival}, uow = back_uow AND back_seq > seq)")
    return over.join(F.broadcast(undoing), undone, "left_anti").selectExpr(
        *(*queue, "message", f"CASE kind {_ENDED} END AS fate", "put_us", "arrived_us", "time_us AS end_us"),
        *("time_us - put_us AS lifetime_us", "time_us - arrived_us AS stay_us", "program", "seq"),
    )


def on_its_way() -> Column:
    """Whether a row says that a message was lost on its way: no row but this undoes the get."""
    return F.expr(f"kind = 'lost' AND rule IN {ON_ITS_WAY}")


def counts(events: DataFrame) -> DataFrame:
    """How many stays on each queue ended how, in one pass over a log from its beginning; ordered by queue and fate."""
    queue, kind = queue_of(events), F.col("kind")
    there = F.col("object_type").isNotNull() | kind.isin(*ARRIVES)
    told = events.where(F.col("message").isNotNull() & (there & kind.isin(*ENDING) | on_its_way()))
    told = told.where(ADDED)
    number = {word: F.count_if(there & (kind == word)) for word in (*LEAVES, "restore")}
    number["get"] -= number.pop("restore") + F.count_if(on_its_way())
    left = F.count_if(kind.isin(*ARRIVES)) - sum(number.values(), F.lit(0))
    lots = [*((ENDS[word], many) for word, many in number.items()), (LEFT, left)]
    fates = {word: f"n{place}" for place, (word, _) in enumerate(lots)}  # columns whose names need no quotes
    counted = told.groupBy(*queue).agg(*(many.alias(fates[word]) for word, many in lots))
    each = (F.struct(F.lit(word).alias("fate"), F.col(name).alias("messages")) for word, name in fates.items())
    return counted.select(*queue, F.inline(F.array(*each))).where("messages > 0").transform(in_order, *queue, "fate")


def time_on_queue(ended: DataFrame) -> DataFrame:
    """From the rows of `ends` (or of `fate`): how long messages were on each queue, from arrival to end, without puts
    that were backed out; ordered by queue, then by number of messages."""
    queue = queue_of(ended)
    return (
        ended.where("stay_us IS NOT NULL AND fate <> 'backed out'")
        .groupBy(*queue, "fate")
        .agg(F.count("*").alias("messages"), *percentiles("stay_us"))
        .transform(in_order, *queue, F.desc("messages"), "fate")
    )


def fate(events: DataFrame) -> DataFrame:
    """One row for each stay of a message on a queue, with what became of it there.

    "expired" is still on its queue and counts; "discarded" had expired; "rejected" was undeliverable; "dead-lettered"
    is on a dead-letter queue; "browsed" is on its queue and was browsed; "waiting" was not. A message that ended while
    a program held it is counted at the queue from which the program got it."""
    by = key(events)
    units = F.broadcast(open_units(events).withColumn("unit_open", F.lit(True)))
    last = events.groupBy(*by).agg(F.max("time_us").alias("last_us"))
    over, held = f"last_kind IN {LEAVES}", "last_kind = 'get' AND NOT moved AND held.seq > last_seq"
    rows = (
        stays(events)
        .join(held_ends(events), [*by, "message"], "left")
        .selectExpr("*", f"if({over}, last_uow, begin_uow) AS uow", f"{over} AS over", f"{held} AS was_held")
        .join(units, [*by, "uow"], "left")
    )
    name = f"""
        CASE WHEN last_kind = 'get' AND moved THEN '{MOVED}'
        ELSE coalesce(CASE if(was_held, held.kind, last_kind) {_HOW} END, CASE
            WHEN last_kind = 'get' AND unit_open THEN 'got, not committed'
            WHEN last_kind = 'get' THEN 'got'
            WHEN unit_open AND delivered_us IS NULL THEN 'put, not committed'
            WHEN begin_deadline_us <= last_us THEN 'expired'
            WHEN begin_buried THEN 'dead-lettered'
            WHEN seen THEN 'browsed'
            ELSE 'waiting' END) END"""
    end, put, arrived = "if(was_held, held.time_us, if(over, last_time_us, NULL))", "begin_put_us", "begin_arrived_us"
    return beside(rows, last, by).selectExpr(
        *(*by, *STAY, f"{name} AS fate", f"{put} AS put_us", f"{arrived} AS arrived_us", f"{end} AS end_us"),
        *(f"{end} - {put} AS lifetime_us", f"{end} - {arrived} AS stay_us"),
        "if(was_held, held.program, if(over, last_program, NULL)) AS program",
        "begin_seq",
    )


def fate_summary(events: DataFrame) -> DataFrame:
    """The number of messages by fate on each queue; those that "moved on" count again on the queue they came to.
    Ordered by queue, then by number of messages."""
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
    """From the rows of `fate`: one row for each message, with the queues that it came to, in order."""
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
    """From the rows of `journeys`: the time from the first put to the last get, by route; most traveled first."""
    got, way = F.when(F.col("fate") == "got", F.col("latency_us")), [*key(ways), "route", "hops"]
    return (
        ways.withColumn("got_us", got)
        .groupBy(*way)
        .agg(F.count("*").alias("messages"), F.count("got_us").alias("got"), *percentiles("got_us"))
        .transform(in_order, *way[:-2], F.desc("messages"), "route")
    )
