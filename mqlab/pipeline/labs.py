"""The columns that tell the labs of a DataFrame apart, and the check that an event log has each row once.

Every lab has its own clock, and numbers its rows, messages, and units of work from 1. A frame with the rows of several
labs therefore needs a column that names the lab of each row. Every question keeps the labs apart by that column.
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
"""The columns that name a lab. The format "mqlab" gives `replica` and `seed`; anyone else can add `lab`."""

MEND = (
    "Read each file once. To ask about several labs at once, add a column with the lab's name before the union: "
    'events.withColumn("lab", lit("A"))'
)
_checked: WeakSet[DataFrame] = WeakSet()


def key(frame: DataFrame) -> list[str]:
    """Return the columns of KEYS that a frame has; none if it has the rows of one lab.

    Raises LabError if an event log (not a stream) has a row that names no lab, or more rows of a lab than row numbers
    `seq`: some rows are then there twice, or belong to another lab. The check runs once for each frame.
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
            raise LabError(f"every row must name its lab; {wrong['rows']} rows have no {' or no '.join(names)}. {MEND}")
        _checked.add(frame)
    return names


def repeated(found: str) -> LabError:
    """Return the error for rows that are there more than once; `found` is the evidence."""
    return LabError(f"an event log must have each row of a lab once; {found}. {MEND}")


def beside(rows: DataFrame, few: DataFrame, names: list[str]) -> DataFrame:
    """Join each of `rows` to the one row of `few` of the same lab; `names` is the result of `key`."""
    return rows.join(F.broadcast(few), names) if names else rows.crossJoin(F.broadcast(few))
