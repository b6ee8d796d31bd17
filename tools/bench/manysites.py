"""An event log of any size for benchmarks: a few dozen simulated sites, copied with numbers and names of their own."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqlab.pipeline.datasets import sites

__all__ = ["log_of", "split_of"]

SITES = 12
MESSAGES = 4_000 * SITES
ROWS = 8  # a message has about so many
GAP_US = 997
TIMES = ("time_us", "put_us", "arrived_us")
FILES = 8


def log_of(events: int, folder: Path) -> Path:
    """A folder with an event log of about `events` rows, made unless it is there: SITES simulated ones, copied as often
    as it takes, each copy a little later than the one before, with its own rows, messages, units and queue managers."""
    done = folder / "_DONE"  # Spark passes over names that begin so
    if done.is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    messages = min(MESSAGES, events // ROWS)
    tables = [sites.site(1, messages, number) for number in range(SITES)]
    one = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    copies = max(1, round(events / one.num_rows))
    files = min(FILES, copies)
    for file in range(files):
        path = folder / f"part-{file}.parquet"
        with pq.ParquetWriter(path, one.schema, compression="zstd") as writer:
            for copy in range(copies * file // files, copies * (file + 1) // files):
                writer.write_table(_copy(one, copy), row_group_size=500_000)
    done.touch()
    return folder


def split_of(log: Path, files: int, folder: Path) -> Path:
    """A folder with the rows of a log in so many files, made unless it is there."""
    done = folder / "_DONE"
    if not done.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        table = pq.read_table(log)
        for file in range(files):
            begin, end = (table.num_rows * each // files for each in (file, file + 1))
            pq.write_table(table.slice(begin, end - begin), folder / f"part-{file}.parquet")
        done.touch()
    return folder


def _copy(table: pa.Table, copy: int) -> pa.Table:
    steps = dict.fromkeys(sites.SHIFTED, copy * SITES * sites.SHIFT) | dict.fromkeys(TIMES, copy * GAP_US)
    for name, step in steps.items():
        place = table.schema.get_field_index(name)
        table = table.set_column(place, table.schema.field(place), pc.add(table[name], step))
    place = table.schema.get_field_index("qmgr")
    column = table["qmgr"].combine_chunks()
    names = [f"{name}.{copy:04d}" for name in column.dictionary.to_pylist()]
    named = pa.DictionaryArray.from_arrays(column.indices, pa.array(names))
    return table.set_column(place, table.schema.field(place), named)
