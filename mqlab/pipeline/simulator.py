"""The one way in which tasks of Spark simulate labs: for sweeps, the format "mqlab", traffic, and sample data."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from ..engine.words.arguments import at_least, require

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

LABS_A_TASK = 250
"""A task with a Python worker costs some 25 ms more than its labs."""

Make = Callable[[int], Iterable["pa.RecordBatch"]]
_T = TypeVar("_T")


def rows(numbers: Iterable[int], make: Make) -> Iterator[pa.RecordBatch]:
    """Yield the rows of some labs, one lab after the other."""
    for number in numbers:
        yield from make(number)
    settle()


def simulated(
    spark: SparkSession, labs: int, make: Make, schema: pa.Schema, tasks: int, run: Callable = rows
) -> DataFrame:
    """Return the rows that `make` returns for each lab, numbered from 0; so many tasks `run` it, whenever the DataFrame
    is read."""
    from pyspark.sql.pandas.types import from_arrow_schema

    def simulate(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return run((number for batch in batches for number in batch.column(0).to_pylist()), make)

    return spark.range(0, labs, 1, tasks).mapInArrow(simulate, from_arrow_schema(schema))


def apart(numbers: Iterable[int], make: Callable[[int], _T]) -> Iterator[tuple[int, _T | None, str]]:
    """Yield each number with what `make` returns for it in a child process, and ""; or with None and how two children
    ended that tried, one after the other: a lab may kill its process, and another program may kill it, too."""
    if not hasattr(os, "fork"):
        yield from ((number, make(number), "") for number in numbers)
        return
    fork, left, tried = multiprocessing.get_context("fork"), list(numbers), -1
    settle()
    while left:
        received, sent = fork.Pipe(duplex=False)
        child = fork.Process(target=_send, args=(sent, left, make), daemon=True)
        child.start()
        sent.close()
        try:
            while left:
                yield left[0], received.recv(), ""
                left.pop(0)
        except (EOFError, OSError):
            child.join()
            if left[0] == tried:
                yield left.pop(0), None, _end(child.exitcode)
            else:
                tried = left[0]
        finally:
            child.kill()
            child.join()
            received.close()


def _send(sent: Any, numbers: list[int], make: Callable[[int], Any]) -> None:
    Thread(target=_follow, daemon=True).start()  # Spark kills only the parent
    for number in numbers:
        sent.send(make(number))


def _follow() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
    os._exit(1)


def _end(code: int | None) -> str:
    return f"exit code {code}" if code is None or code >= 0 else signal.Signals(-code).name


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
