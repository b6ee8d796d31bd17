"""The event log as a table: Arrow, pandas and parquet, schema version 2."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.words.errors import LabError
from ..engine.world.event import ABOUT
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
