"""The columns that tell the labs of a DataFrame apart, and the check that an event log has each row once: every lab
numbers its rows, messages, and units of work from 1."""

from __future__ import annotations

import warnings
from contextvars import ContextVar
from functools import wraps
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pyspark.sql import functions as F

from ..engine.words.arguments import checked, require
from ..engine.words.errors import LabError
from ..engine.world.event import COLUMNS
from ..engine.world.event_kinds import ARRIVES
from .columns import KEYS, WRITE
from .spark import connected, is_local

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FEWER = ("Filter", "Project", "Sort", "SubqueryAlias", "View", "Repartition", "GlobalLimit", "LocalLimit")  # so begin

FIX = (
    "Read each file once. To ask about several labs at once, add a column with the lab's name before the union: "
    'events.withColumn("lab", lit("A"))'
)
AGAIN = "Spark simulates the labs each time that a question reads them. Call events.cache() before you ask"
# Of the logs and plans that were checked: whether a message may arrive twice at once.
_logs: WeakKeyDictionary[DataFrame, bool] = WeakKeyDictionary()
_plans: dict[tuple[int, str], bool] = {}
_kept: WeakKeyDictionary[DataFrame, DataFrame] = WeakKeyDictionary()
_checks = ContextVar("checks", default=True)
_adaptive = Lock()  # for the setting of a session that `_check` changes for its job


def labs_of(frame: DataFrame) -> list[str]:
    """The columns of KEYS that a frame has."""
    return [name for name in KEYS if name in frame.columns]


@checked
def key(frame: DataFrame, version: str = "NULL", file: str = "''") -> list[str]:
    """The columns of KEYS that a frame has; LabError if an event log (not a stream) has a row that names no lab, a row
    number `seq` of a lab twice, or a row that no lab writes. `version` (NULL if unknown) and `file` are those of a row,
    in SQL. The check is one job, once for a frame and those that only leave out rows or columns, or change their order.
    """
    names = labs_of(frame)
    if _checks.get() and frame not in _logs and set(COLUMNS) <= set(frame.columns) and not frame.isStreaming:
        plans = _plans_of(frame, names)
        known = [_plans[plan] for plan in plans if plan in _plans]
        _logs[frame] = _plans[plans[0]] = known[0] if known else _check(frame, names, version, file)
    return names


def trust(log: DataFrame) -> None:
    """Take an event log as checked."""
    _logs[log] = _plans[_plans_of(log, labs_of(log))[0]] = True


def returns_at_once(events: DataFrame) -> bool:
    """Whether a message of an event log may arrive twice at the same queue in the same microsecond; True if nobody has
    checked, which costs time and changes no answer."""
    return _logs.get(events, True)


def _check(frame: DataFrame, names: list[str], version: str, file: str) -> bool:
    """Whether a message may arrive twice at once; LabError as for `key`."""
    wrong = files(__package__).joinpath("faults.sql").read_text("utf-8").replace("{version}", version)
    # One scan, and no shuffle of all rows: 64 row numbers become one row, with a bit for each, and each arrival becomes
    # another one, by its hash. Two arrivals with the same hash cost time, and no answer becomes wrong.
    row = f"false, shiftright(seq, 6), shiftleft(1L, int(seq & 63)), int(({wrong}) IS NOT NULL)"
    arrival = f"if(kind IN {ARRIVES} AND message IS NOT NULL, true, NULL)"
    both = f"{row}, {arrival}, xxhash64(qmgr, object, message, arrived_us), 1L, 0"
    each = frame.selectExpr(*names, f"stack(2, {both}) AS (came, number, bit, fault)").where("came IS NOT NULL")
    few = each.groupBy(*names, "came", "number").agg(
        *map(F.expr, ("count(*) AS n", "coalesce(bit_count(bit_or(bit)), 0) AS bits", "sum(fault) AS faults"))
    )
    sums = ("sum(if(came, 0, n) - if(came, 0, bits)) + sum(faults) AS bad", "max(came AND n > 1) AS twice")
    settings, adaptive = frame.sparkSession.conf, "spark.sql.adaptive.enabled"
    with _adaptive:
        usual = settings.get(adaptive)
        settings.set(adaptive, "false")  # else each of its shuffles would be a job
        try:
            labs = few.groupBy(*names).agg(*map(F.expr, sums)).collect()
        finally:
            settings.set(adaptive, usual)
    if any(lab["bad"] or None in (lab[name] for name in names) for lab in labs):
        raise _refusal(frame, names, wrong, file)
    return any(lab["twice"] for lab in labs)


def _refusal(frame: DataFrame, names: list[str], wrong: str, file: str) -> LabError:
    """The error for a log that `_check` found to be wrong; it names the row."""
    nobody = [f"{name} IS NULL" for name in names]
    if names and (lost := frame.where(" OR ".join(nobody)).count()):
        return LabError(f"every row must name its lab; {lost} rows have no {' or no '.join(names)}. {FIX}")
    each = frame.selectExpr("seq", *names, f"{file} AS file", f"{wrong} AS said").groupBy(*names, "seq")
    rows = each.agg(*map(F.expr, ("max(said) AS said", "count(*) AS n", "min(file) AS first", "max(file) AS last")))
    row = rows.where("n > 1 OR said IS NOT NULL").orderBy(F.desc("said"), "seq").collect()[0]
    of = f"row {row['seq']} (seq)" + "".join(f" of {name} {row[name]}" for name in names)
    if row["said"] is None:
        of += f" is there {row['n']} times" + (f", in {row['first']} and {row['last']}" if row["first"] else "")
        return LabError(f"an event log must have each row of a lab once; {of}. {FIX}")
    of += f" in {row['first']} {row['said']}" if row["first"] else f" {row['said']}"
    return LabError(f"an event log must have rows that a lab can write; {of}. {WRITE}")


def _plans_of(frame: DataFrame, names: list[str]) -> list[tuple[int, str]]:
    """The plan of a frame, then those that it filters or selects from, each with the columns that number its rows."""
    # The columns that name its labs are among them. Spark Connect gives a hash of the first one only.
    numbered = frame.select("seq", *names)
    if connected(frame):
        return [(numbered.semanticHash(), "")]
    columns = numbered._jdf.queryExecution().analyzed().output().toString()
    plans = [frame._jdf.queryExecution().analyzed()]
    while plans[-1].nodeName().startswith(FEWER):
        plans.append(plans[-1].child())
    if names and _simulates(plans[-1]) and set(_parts(columns)) <= set(_parts(plans[-1].output().toString())):
        _plans[plans[-1].hashCode(), columns] = True  # each lab of format "mqlab" numbers its rows
    return [(plan.hashCode(), columns) for plan in plans]


def _parts(columns: str) -> list[str]:
    """The columns of a sequence as Scala writes it: ArrayBuffer(seq#0L, seed#21L)."""
    return columns.partition("(")[2].removesuffix(")").split(", ")


def once(question: Any) -> Any:
    """The question with a parameter `check`, False for logs that are known to be sound, and with labs of format "mqlab"
    simulated once, as `kept` has it."""

    @wraps(question)
    def ready(*args: Any, check: bool = True, **given: Any) -> Any:
        require("check", check, bool)
        before = _checks.set(check)
        try:
            return question(*map(kept, args), **{name: kept(value) for name, value in given.items()})
        finally:
            _checks.reset(before)

    return ready


def kept(frame: Any) -> Any:
    """On this machine: a frame that keeps the rows of labs that format "mqlab" simulates when it is first read, for as
    long as the frame is there. Any other frame or value as it is, with a warning for such labs on a cluster."""
    classic = type(frame).__module__ == "pyspark.sql.classic.dataframe"
    if not classic or frame in _kept or frame.isStreaming:
        return _kept.get(frame, frame) if classic else frame
    leaves = frame._jdf.queryExecution().withCachedData().collectLeaves()
    if any(_simulates(leaves.apply(place)) for place in range(leaves.size())):
        if not is_local(frame.sparkSession.sparkContext.master):  # a worker that dies would take the rows with it
            warnings.warn(AGAIN, stacklevel=5)
            return frame
        _kept[frame] = frame.localCheckpoint(eager=False)
        if set(COLUMNS) <= set(frame.columns) and not _plans.keys().isdisjoint(_plans_of(frame, labs_of(frame))):
            trust(_kept[frame])
    return _kept.get(frame, frame)


def _simulates(leaf: Any) -> bool:
    return leaf.nodeName() == "DataSourceV2Relation" and leaf.name() == "mqlab"


def beside(rows: DataFrame, few: DataFrame, names: list[str]) -> DataFrame:
    """Join each of `rows` to the one row of `few` of the same lab."""
    return rows.join(F.broadcast(few), names) if names else rows.crossJoin(F.broadcast(few))
