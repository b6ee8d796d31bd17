"""A day of traffic on your own estate: its slices run as labs on Spark's executors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine.world.event import SCHEMA_VERSION
from ...estates import Estate
from ...estates.traffic import DAY, Slices, Traffic, added, slices_of
from ..simulator import Make, partitions_for, simulated
from ..spark import cores

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

MOST = 1_000_000_000  # messages
COUNTS = ("qmgr", "name", "flow", "word", "number")


def estate_events(spark: SparkSession, estate: Estate, text: str, seconds: float = DAY, seed: int = 0) -> DataFrame:
    """The event log of some traffic on an estate, with the column `lab`: the number of a slice of at most an hour.

    `text` is that of `Estate.traffic`, whose seed gives the same rows; `time_us` counts from the beginning of the whole
    traffic. The labs run each time that the DataFrame is read. LabError as for `Estate.traffic`, and for more than a
    billion messages.
    """
    import pyarrow as pa

    from ...formats.event_file import SCHEMA, to_arrow
    from ..read import plain

    run = slices_of(estate, text, seconds, seed, MOST)
    schema = plain(SCHEMA)
    whole = pa.schema([*schema, ("lab", pa.int64())])

    def log(number: int) -> Iterator[pa.RecordBatch]:
        lab, _ = run.lab(number)
        table = to_arrow(lab.events).cast(schema)
        lab.close()
        of = pa.array([number] * table.num_rows, pa.int64())
        yield from pa.Table.from_arrays([*table.columns, of], schema=whole).combine_chunks().to_batches()

    rows = _each(spark, run, log, whole)
    return rows.withMetadata("seq", {"mqlab_schema_version": str(SCHEMA_VERSION)})


def estate_traffic(spark: SparkSession, estate: Estate, text: str, seconds: float = DAY, seed: int = 0) -> Traffic:
    """Count the fates of some traffic on an estate, as `Estate.traffic` does with the same seed; the executors run it,
    and return only counts. LabError as for `estate_events`."""
    import pyarrow as pa

    run = slices_of(estate, text, seconds, seed, MOST)
    schema = pa.schema(zip(COUNTS, (pa.string(), pa.string(), pa.bool_(), pa.string(), pa.int64()), strict=True))

    def counts(number: int) -> Iterator[pa.RecordBatch]:
        lab, found = run.lab(number)
        lab.close()
        rows = [(*key[:2], len(key) > 2, word, n) for key, each in found.items() for word, n in each.items()]
        yield pa.RecordBatch.from_pylist([dict(zip(COUNTS, row, strict=True)) for row in rows], schema=schema)

    came: list[dict] = []
    for row in _each(spark, run, counts, schema).collect():
        key = (row["qmgr"], row["name"], "flow") if row["flow"] else (row["qmgr"], row["name"])
        came.append({key: Counter({row["word"]: row["number"]})})
    return Traffic(estate, run.flows, seconds, run.slices, added(came), None)


def _each(spark: SparkSession, run: Slices, make: Make, schema: pa.Schema) -> DataFrame:
    return simulated(spark, run.slices, make, schema, partitions_for(cores(spark), run.slices))
