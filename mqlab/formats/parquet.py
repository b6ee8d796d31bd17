"""An event log in a parquet file."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..engine.words.errors import LabError
from ..engine.world.event import COLUMNS, READABLE, SCHEMA_VERSION, Event
from .event_file import SCHEMA, VERSION
from .old_log import upgraded_log


def about_parquet(path: str | Path) -> tuple[int, str, int]:  # text: pyarrow's
    """How many rows the event log in a parquet file has, the start of its lab ("" if the file does not say it), and
    its schema version.

    Raises LabError if the file is no event log of a version that can be read, and OSError if it cannot be read.
    """
    try:
        with pq.ParquetFile(path) as file:
            schema, rows = file.schema_arrow, file.metadata.num_rows
    except pa.ArrowException as error:
        raise _no_log(path, f"is no parquet file ({str(error).splitlines()[0]:.100})") from None
    metadata = {
        key.decode(errors="replace"): value.decode(errors="replace") for key, value in (schema.metadata or {}).items()
    }
    by_spark = json.loads(metadata.get("org.apache.spark.sql.parquet.row.metadata", "{}")).get("fields", ())
    version = metadata.get(VERSION) or next((each["metadata"].get(VERSION) for each in by_spark), None)
    if version not in READABLE:
        raise _no_log(path, f"has version {version or 'none'}")
    if missing := set(COLUMNS) - set(schema.names):
        raise _no_log(path, f"has no column {', '.join(sorted(missing))}")
    return rows, metadata.get("mqlab_start", ""), int(version)


def read_parquet(path: str | Path) -> list[Event]:  # text: pyarrow's
    """The rows of an event log in a parquet file, as the present schema version has them; raises what `about_parquet`
    does. In a log of version 1, sentences of extras become facts if `mqlab.lab` was imported."""
    version = about_parquet(path)[2]
    try:
        with pq.ParquetFile(path) as file:
            table = file.read(columns=list(COLUMNS)).select(COLUMNS).cast(SCHEMA)
    except pa.ArrowException as error:
        raise _no_log(path, f"is damaged, or has other types ({str(error).splitlines()[0]:.100})") from None
    rows = map(Event._make, zip(*(column.to_pylist() for column in table.columns), strict=True))
    return list(rows) if version == SCHEMA_VERSION else list(upgraded_log(rows))


def _no_log(path: str | Path, fact: str) -> LabError:
    return LabError(
        f"the file must be an event log of schema version {' or '.join(READABLE)}; {path} {fact}. "
        f"Write one with lab.events.write_parquet(path)"
    )
