"""The sample event log (datasets/README.md), and making it again at any size: here if it is small, else on Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ...engine.words import arguments
from ...engine.words.errors import LabError
from ...engine.world.event import SCHEMA_VERSION
from . import sites, two_sites

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FILE = "event-log.parquet"
MESSAGES, SEED = 6_000, 7
"""Those of the committed sample."""
LEAST, MOST = 600, 10_000_000_000
FEW = 24  # Spark would take longer to start than so many sites take
SITES_A_TASK, TASKS_A_CORE = 20, 4


def make(out: Path, messages: int = MESSAGES, seed: int = SEED, master: str | None = None) -> Path:
    """Write the event log into the folder `out` and return where: its one file, or a folder of files if Spark made it.

    The same `messages` and `seed` give the same rows. Spark makes it if `master` names one, or if it is more than FEW
    sites. LabError for an impossible number, and if Spark would overwrite something; SparkUnavailable without Spark.
    """
    if not LEAST <= messages <= MOST:
        raise LabError(f"messages must be a whole number from {LEAST:_} to {MOST:_}; got {messages!r}")
    two_sites.folder()  # only a checkout has it: fail before anything is written
    number, path = sites.sites(messages), out / FILE
    if master is None and number <= FEW:
        out.mkdir(parents=True, exist_ok=True)
        sites.write(pa.concat_tables(sites.site(seed, messages, each) for each in range(number)), path)
        return path
    if (folder := path.with_suffix("")).exists():
        raise LabError(f"the folder must not exist yet; got {folder}. Remove it, or write somewhere else")
    from .. import session

    rows = frame(session(**{"spark.master": master or "local[*]"}), messages, seed).write
    rows.option("compression", "zstd").parquet(folder.absolute().as_uri())
    return folder


def frame(spark: SparkSession, messages: int, seed: int) -> DataFrame:
    """The event log as a DataFrame whose tasks make it; a task holds one site at a time."""
    from ..read import plain
    from ..simulator import simulated
    from ..spark import cores

    number = sites.sites(messages)
    tasks = min(number, max(TASKS_A_CORE * cores(spark), number // SITES_A_TASK))
    schema = plain(sites.site(seed, LEAST, 0).schema)
    two_sites.send(spark)

    def site(index: int) -> list[pa.RecordBatch]:
        return sites.site(seed, messages, index).cast(schema).combine_chunks().to_batches()

    rows = simulated(spark, number, site, schema, tasks)
    return rows.withMetadata("seq", {"mqlab_schema_version": str(SCHEMA_VERSION)})


arguments.checked_calls(__name__)
