"""The footers of parquet files: a classic session reads those of its own file system, and Java those of others; with
Spark Connect, the executors read all, because the files are theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from .spark import connected

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATTERN = re.compile(r"([][*?{}\\])")  # the characters that make a path a pattern
MAGIC, END, READERS = b"PAR1", 8, 8  # a file ends with the length of its footer, and MAGIC
LONGEST = 2**24  # bytes of a file that Spark Connect fetches from another file system


def literal(path: str) -> str:
    """The pattern that fits this path only."""
    return PATTERN.sub(r"\\\1", path)


def footers(spark: SparkSession, files: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the addresses of some files, each with its footer as a file of its own, or with the bytes in its place."""
    own = [file for file in files if urlsplit(file).scheme == "file"]
    others = sorted({*files} - {*own})
    if connected(spark):
        found = _by_executors(spark, own, others)
    else:
        with ThreadPoolExecutor(READERS) as pool:
            read = [*map(_local(), own), *pool.map(partial(_by_java, spark), others)]
        found = zip([*own, *others], read, strict=True)
    return ((file, MAGIC + footer) for file, footer in found)


def _local() -> Callable[[str], bytes]:
    """The function that reads the footer of a file of this machine; it is nested, so that executors need no mqlab."""

    def read(file: str) -> bytes:
        with open(unquote_to_bytes(urlsplit(file).path), "rb") as opened:
            size = opened.seek(0, 2)
            opened.seek(max(0, size - END))
            length = int.from_bytes(opened.read()[:4], "little")
            opened.seek(max(0, size - END - length))
            return opened.read()

    return read


def _by_java(spark: SparkSession, file: str) -> bytes:
    """The footer of a file, by Hadoop: Spark has no public way to read a part of a file."""
    path = spark._jvm.org.apache.hadoop.fs.Path(spark._jvm.java.net.URI(file))
    system = path.getFileSystem(spark._jsc.hadoopConfiguration())
    size = system.getFileStatus(path).getLen()
    with closing(system.open(path)) as opened:
        opened.seek(max(0, size - END))
        length = int.from_bytes(opened.readAllBytes()[:4], "little")
        opened.seek(max(0, size - END - length))
        return opened.readAllBytes()


def _by_executors(spark: SparkSession, own: list[str], others: list[str]) -> Iterator[tuple[str, bytes]]:
    """Read the footers on the executors: of `own` files, which they open, and of `others`, which Spark reads whole."""
    read = _local()

    def read_all(batches):
        from pyarrow import RecordBatch

        for batch in batches:
            files = batch.column(0).to_pylist()
            yield RecordBatch.from_pydict({"file": files, "footer": [read(file) for file in files]})

    if own:
        frame = spark.createDataFrame([(file,) for file in own], "file string")
        yield from map(tuple, frame.mapInArrow(read_all, "file string, footer binary").collect())
    if others:
        frame = spark.read.format("binaryFile").load([literal(unquote(file)) for file in others])
        last = f"if(length > {LONGEST}, substring(content, int(length - {LONGEST} + 1)), content)"
        yield from map(tuple, frame.selectExpr("_metadata.file_path", last).collect())
