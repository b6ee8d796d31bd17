"""Which lab a row of a DataFrame is of, and whether a row of an event log is there more than once.

Every lab counts its rows, messages and units of work from the beginning, and has its own clock. A frame with the rows
of several labs therefore needs a column that names the lab of each row, and every question keeps the labs apart by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

from pyspark.sql import functions as F

from ..mq.errors import LabError
from ..sim.events import COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KEYS = ("lab", "replica", "seed")
"""The columns that name a lab: format "mqlab" gives the last two, and `lab` is for everyone else."""

MEND = (
    "Read each file once; to ask about several labs at once, name each before the union: "
    'events.withColumn("lab", lit("A"))'
)
_checked: WeakSet[DataFrame] = WeakSet()


def key(frame: DataFrame) -> list[str]:
    """The columns of KEYS that a frame has; none for the rows of one lab.

    Raises LabError for an event log (not a stream) with more rows of a lab than its row numbers `seq` allow, so that
    some are there twice or belong to another lab, or with a row that names no lab. This runs once for each frame.
    """
    columns = frame.columns
    names = [name for name in KEYS if name in columns]
    if frame not in _checked and set(COLUMNS) <= set(columns) and not frame.isStreaming:
        numbers = (F.max("seq") - F.min("seq") + 1).alias("numbers")
        counted = frame.groupBy(*names).agg(F.count("*").alias("rows"), numbers)
        wrong = counted.where(" OR ".join(["rows > numbers", *(f"{name} IS NULL" for name in names)])).first()
        if wrong is not None and wrong["rows"] > wrong["numbers"]:
            of = "".join(f" of {name} {wrong[name]}" for name in names)
            raise repeated(f"{wrong['rows']} rows{of} have {wrong['numbers']} row numbers (seq)")
        if wrong is not None:
            raise LabError(f"rows that name their lab wanted: {wrong['rows']} have no {' or no '.join(names)}. {MEND}")
        _checked.add(frame)
    return names


def repeated(found: str) -> LabError:
    """The error for rows that are there more than once; `found` says how that was seen."""
    return LabError(f"an event log with each row of a lab once wanted; {found}. {MEND}")


def beside(rows: DataFrame, few: DataFrame, names: list[str]) -> DataFrame:
    """Each of `rows` with the one row of `few` that is of the same lab; `names` are those of `key`."""
    return rows.join(F.broadcast(few), names) if names else rows.crossJoin(F.broadcast(few))
