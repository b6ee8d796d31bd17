"""The event log as a table: Arrow, pandas, and parquet, schema version 2; files of version 1 are read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.words.errors import LabError
from ..engine.world.event import ABOUT, COLUMNS, READABLE, SCHEMA_VERSION, Event
from .old_log import upgraded_log
from .whole_file import whole

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ModuleNotFoundError:  # as in a browser
    raise LabError(
        "the event log as a table or as parquet needs pyarrow, which is not installed; "
        'lab.events.export("log.json", "ocel") writes a file without it'
    ) from None

if TYPE_CHECKING:
    import pandas as pd

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    pa.field(each.name, _NAME if each.type == "name" else each.type, nullable=each.null != "never") for each in ABOUT
)
"""Columns of schema version 2; names that repeat are dictionary encoded."""
VERSION = "mqlab_schema_version"


def to_arrow(log: Any, columns: Iterable[str] | None = None) -> pa.Table:
    """The log as a pyarrow.Table with the columns of SCHEMA, or only those of these names."""
    arrays, schema = [], SCHEMA if columns is None else pa.schema(SCHEMA.field(name) for name in columns)
    for field in schema:
        values = log.column(field.name)
        named = pa.types.is_dictionary(field.type)
        arrays.append(pa.array(values, pa.string()).dictionary_encode() if named else pa.array(values, field.type))
    metadata = {VERSION: str(log.schema_version), "mqlab_start": log.start}
    return pa.Table.from_arrays(arrays, schema=schema.with_metadata(metadata))


def to_pandas(log: Any) -> pd.DataFrame:
    """The log as a pandas.DataFrame; whole numbers that can be missing are pandas' nullable Int64."""
    import pandas as pd

    nullable = {pa.int64(): pd.Int64Dtype(), pa.int32(): pd.Int32Dtype(), pa.bool_(): pd.BooleanDtype()}
    return to_arrow(log).to_pandas(types_mapper=nullable.get)


def write_parquet(log: Any, path: str | Path) -> None:
    """Write the log to `path`, compressed, with the schema version and the lab's start in the file's metadata."""
    with whole(path) as draft:
        pq.write_table(to_arrow(log), draft, compression="zstd", write_page_checksum=True)


def about_parquet(path: str | Path) -> tuple[int, str, int]:  # text: pyarrow's
    """How many rows the event log in a parquet file has, the start of its lab ("" if the file does not say it), and
    its schema version.

    Raises LabError if the file is no event log of a version that can be read, and OSError if it cannot be read.
    """
    try:
        with Path(path).open("rb") as bytes_, pq.ParquetFile(bytes_) as file:  # of errors, the system's own sentence
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
