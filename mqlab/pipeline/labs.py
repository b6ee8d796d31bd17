"""The columns that tell the labs of a DataFrame apart, and the check that an event log has each row once: every lab
numbers its rows, messages, and units of work from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from pyspark.sql import functions as F

from ..engine.words.arguments import checked
from ..engine.words.errors import LabError
from ..engine.world.event import COLUMNS
from ..engine.world.event_kinds import ARRIVES
from .columns import KEYS
from .spark import connected

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FIX = (
    "Read each file once. To ask about several labs at once, add a column with the lab's name before the union: "
    'events.withColumn("lab", lit("A"))'
)
_checked: WeakSet[DataFrame] = WeakSet()
_plans: set[tuple[int, str]] = set()
_instants: WeakKeyDictionary[DataFrame, bool] = WeakKeyDictionary()


def labs_of(frame: DataFrame) -> list[str]:
    """The columns of KEYS that a frame has."""
    return [name for name in KEYS if name in frame.columns]


@checked
def key(frame: DataFrame, fault: str = "false") -> list[str]:
    """The columns of KEYS that a frame has; LabError if an event log (not a stream) has a row that names no lab, a row
    number `seq` of a lab twice, or a row with a `fault`, a condition in SQL. The check runs once for a frame and those
    that only leave out rows or columns."""
    names = labs_of(frame)
    if frame not in _checked and set(COLUMNS) <= set(frame.columns) and not frame.isStreaming:
        plans = _plans_of(frame, names)
        if _plans.isdisjoint(plans):
            _check(frame, names, fault)
        _checked.add(frame)
        _plans.update(plans[:1])
    return names


def returns_at_once(events: DataFrame, names: list[str]) -> bool:
    """Whether a message of an event log may arrive twice at the same queue in the same microsecond."""
    if events not in _instants:
        arrivals = events.where(F.col("kind").isin(*ARRIVES) & F.col("message").isNotNull())
        queue = F.xxhash64("qmgr", "object")  # two queues with the same hash cost time, and no answer becomes wrong
        counted = arrivals.groupBy(*names, "message", "arrived_us", queue).count()
        _instants[events] = not counted.where("count > 1").isEmpty()
    return _instants[events]


def _check(frame: DataFrame, names: list[str], fault: str) -> None:
    """LabError as for `key`: the numbers of each 32,768 rows of a lab are marked in a map of bits."""
    bits = F.bitmap_construct_agg(F.bitmap_bit_position("seq"))
    counted = frame.groupBy(*names, F.bitmap_bucket_number("seq")).agg(
        F.count("*").alias("rows"), F.bitmap_count(bits).alias("numbers"), F.expr(f"count_if({fault}) AS faults")
    )
    unsound = counted.where(" OR ".join(["faults > 0 OR rows > numbers", *(f"{name} IS NULL" for name in names)]))
    wrong = unsound.agg(F.max(F.struct("rows", "numbers", *names)).alias("most")).collect()[0]["most"]
    if wrong is None:
        return
    if wrong["rows"] > wrong["numbers"]:
        of = "".join(f" of {name} {wrong[name]}" for name in names)
        raise repeated(f"{wrong['rows']} rows{of} have {wrong['numbers']} row numbers (seq)")
    raise LabError(f"every row must name its lab; {wrong['rows']} rows have no {' or no '.join(names)}. {FIX}")


def _plans_of(frame: DataFrame, names: list[str]) -> list[tuple[int, str]]:
    """The plan of a frame, then those that it filters or selects from, each with the columns that number its rows."""
    # The columns that name its labs are among them. Spark Connect gives a hash of the first one only.
    numbered = frame.select("seq", *names)
    if connected(frame):
        return [(numbered.semanticHash(), "")]
    columns = numbered._jdf.queryExecution().analyzed().output().toString()
    plans = [frame._jdf.queryExecution().analyzed()]
    while plans[-1].nodeName() in ("Filter", "Project"):
        plans.append(plans[-1].child())
    return [(plan.hashCode(), columns) for plan in plans]


def repeated(found: str) -> LabError:
    """The error for rows that are there more than once."""
    return LabError(f"an event log must have each row of a lab once; {found}. {FIX}")


def beside(rows: DataFrame, few: DataFrame, names: list[str]) -> DataFrame:
    """Join each of `rows` to the one row of `few` of the same lab."""
    return rows.join(F.broadcast(few), names) if names else rows.crossJoin(F.broadcast(few))
