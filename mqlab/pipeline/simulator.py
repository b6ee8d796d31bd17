"""The one way in which tasks of Spark simulate labs: for sweeps, the format "mqlab", traffic, and sample data."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from ..engine.words.arguments import at_least, require

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

LABS_A_TASK = 250
"""A task with a Python worker costs some 25 ms more than its labs."""

Make = Callable[[int], Iterable["pa.RecordBatch"]]


def simulated(spark: SparkSession, labs: int, make: Make, schema: pa.Schema, tasks: int) -> DataFrame:
    """Return the rows that `make` returns for each lab, numbered from 0; so many tasks make them, whenever the
    DataFrame is read."""
    from pyspark.sql.pandas.types import from_arrow_schema

    def simulate(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return rows((number for batch in batches for number in batch.column(0).to_pylist()), make)

    return spark.range(0, labs, 1, tasks).mapInArrow(simulate, from_arrow_schema(schema))


def rows(numbers: Iterable[int], make: Make) -> Iterator[pa.RecordBatch]:
    """Yield the rows of some labs, one lab after the other."""
    for number in numbers:
        yield from make(number)
    settle()


def partitions_for(cores: int, pieces: int, wanted: int | None = None) -> int:
    """Return how many tasks so many labs have: one for each LABS_A_TASK, and at least two for each core, which even out
    the differences between labs; or as many as `wanted`. LabError unless that is 1 or more."""
    if wanted is None:
        return max(1, min(pieces, max(2 * cores, pieces // LABS_A_TASK)))
    require("partitions", wanted, int, "a whole number, 1 or more", at_least(1))
    return wanted


@cache
def settle() -> None:
    """Hide what is loaded by now, modules above all, from the garbage collector, once in a process."""
    gc.collect()  # Spark collects garbage after every task, and walks all of it each time: 50 ms where pandas is loaded
    gc.freeze()
