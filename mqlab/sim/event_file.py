"""The event log as a table: Arrow, pandas and parquet, schema version 1."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from .whole_file import whole

if TYPE_CHECKING:
    import pandas as pd

_NAME = pa.dictionary(pa.int32(), pa.string())
_COLUMNS = (
    "seq:int64 time_us:int64 qmgr:name kind:name object:name object_type:name message:int64 msg_id:binary program:name "
    "uow:int64 priority:int32 persistent:bool expiry_left:int64 depth:int64 put_us:int64 arrived_us:int64 reason:int32 "
    "rule:name cause:int64 detail:string"
)
SCHEMA = pa.schema(
    pa.field(name, _NAME if type == "name" else type, nullable=name not in ("seq", "time_us", "kind"))
    for name, type in (column.split(":") for column in _COLUMNS.split())
)
"""Columns of schema version 1; names that repeat are dictionary encoded."""


def to_arrow(log: Any) -> pa.Table:
    """The log as a pyarrow.Table with the columns of SCHEMA."""
    arrays = []
    for field in SCHEMA:
        values = log.column(field.name)
        named = pa.types.is_dictionary(field.type)
        arrays.append(pa.array(values, pa.string()).dictionary_encode() if named else pa.array(values, field.type))
    metadata = {"mqlab_schema_version": str(log.schema_version), "mqlab_start": log.start}
    return pa.Table.from_arrays(arrays, schema=SCHEMA.with_metadata(metadata))


def to_pandas(log: Any) -> pd.DataFrame:
    """The log as a pandas.DataFrame; whole numbers that can be missing are pandas' nullable Int64."""
    import pandas as pd

    nullable = {pa.int64(): pd.Int64Dtype(), pa.int32(): pd.Int32Dtype(), pa.bool_(): pd.BooleanDtype()}
    return to_arrow(log).to_pandas(types_mapper=nullable.get)


def write_parquet(log: Any, path: str | Path) -> None:
    """Write the log to `path`, compressed, with the schema version and the lab's start in the file's metadata."""
    with whole(path) as draft:
        pq.write_table(to_arrow(log), draft, compression="zstd", write_page_checksum=True)
