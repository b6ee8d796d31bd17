"""Event logs read into Spark, after a look at what they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from mqlab.errors import LabError
from mqlab.events import COLUMNS, SCHEMA_VERSION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["first_line", "read_events"]

VERSION_KEY = b"mqlab_schema_version"
SPARK_KEY = b"org.apache.spark.sql.parquet.row.metadata"
MENDING = "Write one with lab.events.write_parquet(path)"


def read_events(spark: SparkSession, path: str | Path) -> DataFrame:
    """An event log of schema version 1 as a DataFrame with the columns of `mqlab.events.COLUMNS`.

    `path` is a parquet file or a folder of them, local or on any file system that Spark knows. Of local files the
    version in the metadata is checked, of others the columns only. LabError, naming the path, if there is nothing, if
    it is not parquet, or if it is an event log of another version or none at all.
    """
    where = str(path)
    if "://" not in where:
        _check_local(Path(where))
    from pyspark.errors import PySparkException

    try:
        events = spark.read.parquet(where)
    except PySparkException as error:
        raise LabError(
            f"an event log wanted: parquet that Spark can read; {where} is not ({first_line(error)}). {MENDING}"
        ) from None
    missing = [name for name in COLUMNS if name not in events.columns]
    if missing:
        raise LabError(
            f"an event log wanted: the columns of schema version {SCHEMA_VERSION}; {where} lacks "
            f"{', '.join(missing)}. {MENDING}"
        )
    return events.select(*COLUMNS)


def _check_local(path: Path) -> None:
    """Look at the footer of every file, which costs little however large the files are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.exists():
        raise LabError(f"an event log wanted: a parquet file or a folder of them; {path} does not exist. {MENDING}")
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise LabError(f"an event log wanted: a folder with *.parquet files; {path} has none. {MENDING}")
    for file in files:
        try:
            version = _version(pq.read_schema(file).metadata or {})
        except (pa.ArrowInvalid, OSError) as error:
            raise LabError(
                f"an event log wanted: a parquet file; {file} is not one, or is damaged "
                f"({first_line(error)}). {MENDING}"
            ) from None
        if version != str(SCHEMA_VERSION):
            raise LabError(
                f"an event log wanted: schema version {SCHEMA_VERSION}; {file} has {version}. {MENDING}, or "
                f"read it with the mqlab that wrote it"
            )


def _version(metadata: dict[bytes, bytes]) -> str:
    """The schema version in a file's metadata: a lab writes it there, and Spark as metadata of the column seq."""
    if VERSION_KEY in metadata:
        return metadata[VERSION_KEY].decode(errors="replace")
    fields = json.loads(metadata.get(SPARK_KEY, b'{"fields": []}'))["fields"]
    told = [field["metadata"].get(VERSION_KEY.decode()) for field in fields if field["name"] == "seq"]
    return "none" if told in ([], [None]) else str(told[0])


def first_line(error: Exception) -> str:
    """The first line of what an error says, for a sentence that names what went wrong."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
