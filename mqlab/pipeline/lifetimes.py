"""The fate of every message, live: one state of Spark for each message on a queue, and one timer for its lifetime.

The state store is a queue beside the lab's own. It has the same messages, and a timer fires at the deadline of each.
Only the sentence changes then: the message has expired, and it still counts until a call discards it (EXP-02, EXP-17).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pyspark.errors import PySparkException
from pyspark.sql import Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from ..engine.words import arguments
from ..engine.words.errors import LabError
from ..engine.world.event_kinds import ARRIVES, DEAD_LETTER_RULES, ENDS, EXPIRED, LEAVES
from .labs import asked, key
from .questions.stays import QUEUE, deadline, named
from .read import place
from .spark import first_line
from .watch import moment

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

STORE = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
"""The only state store of Spark that keeps timers."""

STAY = [*QUEUE, "message", "arrived_us"]
STATE = "stay"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Lifetime(StatefulProcessor):
    """One message on one queue. Its state is the row of the log that changed it last, its fate, its deadline, and when
    its timer fires: at the deadline, or, once the stay has ended, when the watermark lets no earlier row pass."""

    def __init__(self, columns: list[str], origin_us: int):
        self.columns, self.origin_us = columns, origin_us

    def init(self, handle):
        self.handle = handle
        self.state = handle.getValueState(STATE, "seq LONG, fate STRING, deadline_us LONG, timer_us LONG")

    def handleInputRows(self, key, rows, timerValues):
        state = before = self.state.get()
        for row in sorted(rows, key=lambda row: row.seq):
            if state is not None and row.seq <= state[0]:
                continue  # delivered twice, or after a later row, which knew more
            fate, due = (None, row.deadline_us) if state is None else state[1:3]
            over, ends = due is not None and due <= row.time_us, row.fate in ENDS.values()
            there = fate not in ENDS.values() if state is not None else row.fate == ENDS["discard"]
            if over and there and fate != EXPIRED:
                fate = EXPIRED
                yield self.told(key, fate, due, due)
            if over and not ends:
                now = EXPIRED
            else:
                now = "dead-lettered" if (fate, row.fate) == ("dead-lettered", "browsed") else row.fate
            if now != fate:
                yield self.told(key, now, row.time_us, due, row.seq, row.program)
            timer = row.time_us if ends else None if over else due
            state = (row.seq, now, due, timer)
        if state is not before:
            self.keep(before, state)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        seq, fate, due, _ = self.state.get()
        if fate in ENDS.values():
            self.state.clear()
        else:
            self.state.update((seq, EXPIRED, due, None))
            yield self.told(key, EXPIRED, due, due)

    def keep(self, before, state):
        """Update the state, and set its timer."""
        was, timer = (None if each is None else each[3] for each in (before, state))
        if was != timer:
            if was is not None:
                self.handle.deleteTimer(self.milliseconds(was))
            if timer is not None:
                self.handle.registerTimer(self.milliseconds(timer))
        self.state.update(state)

    def milliseconds(self, time_us):
        """A moment as Spark's timers count: in whole milliseconds, not before the moment."""
        return -(-(self.origin_us + time_us) // 1000)

    def told(self, key, fate, at_us, deadline_us, seq=None, program=None):
        """A row of the answer."""
        return Row(**dict(zip(self.columns, (*key, fate, at_us, deadline_us, seq, program), strict=True)))


def live_fate(stream: DataFrame, start: datetime, late: str = "1 minute") -> DataFrame:
    """Return a stream with a row for each change of a message's fate on a queue.

    `stream`, `start` and `late` are those of `watch`, and `mqlab.pipeline.watch.start` writes the result. If a message
    is on its queue when the watermark passes its deadline, a timer makes it "expired", without a row of the log. A row
    that is delivered twice counts once; one that comes after a later row of its message adds nothing.

    The last row of a stay (by `at_us`, then `seq`) has the fate that `mqlab.pipeline.questions.ends` gives to a stay
    that has ended, and otherwise that of `fate`. A commit is no row of a message: a message that was put within a unit
    of work therefore counts as committed. A backout of its get makes it "waiting" again, or "expired".

    Columns: qmgr, object, message, `arrived_us` (which names the stay); `fate`, one of
    `mqlab.pipeline.questions.FATES`; `at_us`, when it changed; `deadline_us`, null for unlimited; `seq` and
    `program` of the row that changed it, null if the timer did. Times are microseconds since the lab's start.
    The state store of the session becomes RocksDB, the only one with timers. LabError unless `stream` is a stream.
    """
    if not stream.isStreaming:
        raise LabError(
            "live_fate must have a stream, such as stream_events(spark, folder); got the DataFrame of a whole log. "
            "Ask mqlab.pipeline.questions.fate about that"
        )
    happened = moment(start)
    _prepare(stream.sparkSession)
    names, kind = [*key(stream), *STAY], F.col("kind")
    fate = (
        F.when(kind.isin(*LEAVES), named(ENDS, kind))
        .when(kind == "browse", "browsed")
        .when(kind.isin(*ARRIVES) & F.col("rule").isin(*DEAD_LETTER_RULES), "dead-lettered")
        .otherwise("waiting")
    )
    told = kind.isin(*ARRIVES, *LEAVES, "restore", "browse") & F.col("message").isNotNull()
    rows = (
        stream.withColumn("moment", happened)
        .withWatermark("moment", late)
        # A condition with the moment stays above the watermark, so that every row of the log moves the clock.
        .where(F.when(F.col("moment").isNotNull(), told & F.col("object_type").isNotNull()))
        .select(*names, "seq", "time_us", fate.alias("fate"), deadline().alias("deadline_us"), "program", "moment")
    )
    of = [f"{name} {rows.schema[name].dataType.simpleString()}" for name in names]
    changes = [*of, "fate string", "at_us long", "deadline_us long", "seq long", "program string"]
    columns = [each.split()[0] for each in changes]
    origin_us = (start - EPOCH) // timedelta(microseconds=1)
    lifetime = _Lifetime(columns, origin_us)
    return rows.groupBy(*names).transformWithState(lifetime, ", ".join(changes), "append", "eventTime")


def _prepare(spark: Any) -> None:
    """Choose the state store."""
    # Python workers print no more to the standard error of Spark, which a notebook shows: the worker that reads the
    # schema of a state would print each of its steps
    spark.conf.set(STORE, ROCKSDB)
    if java := getattr(getattr(spark, "_jvm", None), "java", None):
        java.lang.System.setErr(java.io.PrintStream(java.io.OutputStream.nullOutputStream()))


def on_queues(spark: SparkSession, checkpoint: str | Path) -> DataFrame:
    """The messages on their queues, from the state store of a query of `live_fate`, after the last batch that it ended.

    `checkpoint` is the folder that was given to `mqlab.pipeline.watch.start`. Columns: qmgr, object, message,
    `arrived_us`, `fate`, and `deadline_us`, as in `live_fate`. LabError if the folder has no such state.
    """
    reader = spark.read.format("statestore").option("stateVarName", STATE)
    try:
        states = reader.load(place(checkpoint))
    except PySparkException as error:
        raise LabError(
            f"checkpoint must be the folder of a query of live_fate that has ended a batch; {checkpoint} is not "
            f"({first_line(error)}). Start one with mqlab.pipeline.watch.start"
        ) from None
    there = ~F.col("value.fate").isin(*ENDS.values())
    return states.where(there).select("key.*", "value.fate", "value.deadline_us")


arguments.checked_calls(__name__, inside=asked)
