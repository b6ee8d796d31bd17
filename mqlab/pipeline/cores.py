"""How many tasks a Spark session runs at a time, and how many to cut work into."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from mqlab.mq.errors import LabError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["cores", "partitions_for"]

TASKS_A_CORE = 8
LABS_A_TASK = 250
"""A task with a Python worker costs at least 25 ms, so there are no more for each core, and none for fewer labs, unless
the cores would stand idle: two for each even out what labs differ by."""


def cores(spark: SparkSession) -> int:
    """How many tasks run at a time: of a local session what its master says, of a cluster its default parallelism."""
    context = spark.sparkContext
    local = re.fullmatch(r"local\[(\*|\d+)(?:,.*)?\]", context.master)
    if local is None:
        return 1 if context.master == "local" else context.defaultParallelism
    return os.cpu_count() or 1 if local[1] == "*" else int(local[1])


def partitions_for(cores: int, pieces: int, wanted: int | None = None) -> int:
    """How many partitions for so many independent pieces of work; `wanted` of the user goes before. LabError unless
    that is 1 or more."""
    if wanted is None:
        return max(1, min(pieces, TASKS_A_CORE * cores, max(2 * cores, pieces // LABS_A_TASK)))
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 1:
        raise LabError(f"partitions wanted: a whole number, 1 or more; got {wanted!r}")
    return wanted
