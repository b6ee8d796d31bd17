"""The sample data sets (datasets/README.md), and making each again at any size: here if it is small, else on Spark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from ...engine.words import arguments
from ...engine.words.errors import LabError
from ...engine.world.event import SCHEMA_VERSION
from ..traffic.day import LEAST, MESSAGES, MOST, SEED, generate, write
from . import sites, two_sites

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FEW = 24  # Spark would take longer to start than so many pieces take
PIECES_A_TASK, TASKS_A_CORE = 20, 4


class Recipe(NamedTuple):
    """How a data set is made, in independent pieces; `messages`, `seed`, and `file` are those of the committed sample.

    `pieces` says how many there are of so many messages, `piece` makes one from seed, messages and its number (from 0),
    and `write` writes all to one file.
    """

    name: str
    about: str
    file: str
    messages: int
    seed: int
    least: int
    most: int
    pieces: Callable[[int], int]
    piece: Callable[[int, int, int], pa.Table]
    write: Callable[[pa.Table, Path], None]


_RECIPES = (
    Recipe(
        "retail-day",
        "one day of a retailer: the calls of its programs",
        "retail-day.parquet",
        *(MESSAGES, SEED, LEAST, MOST),
        # a day is one piece, because all of it hangs together
        *(lambda messages: 1, lambda seed, messages, number: generate(seed, messages), write),
    ),
    Recipe(
        "event-log",
        "the event logs of many small labs as one",
        "event-log.parquet",
        *(6_000, 7, 600, 10_000_000_000),
        *(sites.sites, sites.site, sites.write),
    ),
)
RECIPES = {each.name: each for each in _RECIPES}


def find(name: str) -> Recipe:
    """A data set by name; LabError with those there are for another."""
    if name not in RECIPES:
        raise LabError(f"dataset must be one of {', '.join(RECIPES)}; got {name!r}")
    return RECIPES[name]


def make(
    recipe: Recipe, out: Path, messages: int | None = None, seed: int | None = None, master: str | None = None
) -> Path:
    """Write a data set into the folder `out` and return where: its one file, or a folder of files if Spark made it.

    The same `messages` and `seed` give the same rows. Spark makes it if `master` names one, or if it is more than FEW
    pieces. LabError for an impossible number, and if Spark would overwrite something; SparkUnavailable without Spark.
    """
    messages = recipe.messages if messages is None else messages
    seed = recipe.seed if seed is None else seed
    if not recipe.least <= messages <= recipe.most:
        limits = f"from {recipe.least:_} to {recipe.most:_}"
        raise LabError(f"messages of {recipe.name} must be a whole number {limits}; got {messages!r}")
    pieces = recipe.pieces(messages)
    out = Path(out)
    if pieces == 1 or (master is None and pieces <= FEW):
        path = out / recipe.file
        out.mkdir(parents=True, exist_ok=True)
        recipe.write(pa.concat_tables(recipe.piece(seed, messages, number) for number in range(pieces)), path)
        return path
    return _on_spark(recipe, out / Path(recipe.file).stem, messages, seed, master or "local[*]")


def _on_spark(recipe: Recipe, folder: Path, messages: int, seed: int, master: str) -> Path:
    from .. import session

    if folder.exists():
        raise LabError(f"the folder must not exist yet; got {folder}. Remove it, or write somewhere else")
    spark = session(**{"spark.master": master})
    rows = frame(spark, recipe, messages, seed).write
    rows.option("compression", "zstd").parquet(folder.absolute().as_uri())
    return folder


def frame(spark: SparkSession, recipe: Recipe, messages: int, seed: int) -> DataFrame:
    """The rows of a data set as a DataFrame whose tasks make them; a task holds one piece at a time."""
    from ..read import plain
    from ..simulator import simulated
    from ..spark import cores

    pieces = recipe.pieces(messages)
    tasks = min(pieces, max(TASKS_A_CORE * cores(spark), pieces // PIECES_A_TASK))
    schema = plain(recipe.piece(seed, recipe.least, 0).schema)
    two_sites.send(spark)

    def make(number: int) -> list[pa.RecordBatch]:
        return recipe.piece(seed, messages, number).cast(schema).combine_chunks().to_batches()

    rows = simulated(spark, pieces, make, schema, tasks)
    if "seq" in rows.columns:
        rows = rows.withMetadata("seq", {"mqlab_schema_version": str(SCHEMA_VERSION)})
    return rows


arguments.checked_calls(__name__)
