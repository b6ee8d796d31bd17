"""Event logs and MQSC scripts read into Spark, after a look at what they are."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from ..mq.arguments import checked
from ..mq.errors import LabError
from ..sim import event_file
from ..sim.events import COLUMNS, SCHEMA_VERSION
from .spark import cause, classic, first_line

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

VERSION_KEY = "mqlab_schema_version"
SPARK_KEY = "org.apache.spark.sql.parquet.row.metadata"
CHECKSUMS = "parquet.page.verify-checksum.enabled"  # those of pages that have one: damage may well decode
MENDING = "Write one with lab.events.write_parquet(path)"


def plain(schema: pa.Schema) -> pa.Schema:
    """A schema with its names as plain text, which Spark wants."""
    return pa.schema(
        (each.name, each.type.value_type if pa.types.is_dictionary(each.type) else each.type) for each in schema
    )


STORED = {"int64": "int64 int32", "int32": "int32", "bool": "boolean", "binary": "binary fixed_len_byte_array"}
"""The types of parquet that a column of an event log may have, by its own; "binary" where it is text."""
FIELD = re.compile(r"^  (?:optional|required) (\w+)(?:\(\d+\))? (\w+)(?: \(([^;{]*)\))?", re.MULTILINE)
MEANING = re.compile(r"STRING|UTF8|ENUM|INTEGER\(\d+,true\)|")


@cache
def schema() -> StructType:
    """The columns of an event log as Spark names their types."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(plain(event_file.SCHEMA))


@checked
def place(path: str | Path) -> str:
    """A path as Spark's readers take it: a file or folder that exists is itself, also if its name looks like a
    pattern; anything else is a pattern or an address."""
    where = str(path)
    return re.sub(r"([][*?{}\\])", r"\\\1", where) if os.path.exists(where) else where


def read_events(spark: SparkSession, path: str | Path) -> DataFrame:
    """An event log of schema version 1 as a DataFrame with the columns of `mqlab.sim.events.COLUMNS`.

    `path` is a parquet file, a folder of them or a pattern, on any file system that Spark knows; the footer of every
    file is looked at, which costs little however large the files are. What Spark writes of the DataFrame as parquet,
    with its column seq, is an event log again. LabError, naming the file, if there is nothing, if it is not parquet, or
    if it is an event log of another version, with other columns or types of them, or none at all; also if a row is
    there more than once (the same file twice, or the logs of two labs), and for a session of Spark Connect, which
    cannot look at footers.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    classic(spark, "read_events")
    where = str(path)
    if "://" not in where and not any(mark in where for mark in "*?[{") and not Path(where).exists():
        raise _unreadable(f"a parquet file or a folder of them; {where} does not exist")
    try:
        events = spark.read.schema(schema()).option(CHECKSUMS, True).parquet(place(path))
        files = sorted(events.inputFiles())
    except (PySparkException, Py4JError) as error:
        raise _unreadable(f"parquet that Spark can read; {where} is not ({cause(error)})") from None
    if not files:
        raise _unreadable(f"a folder with *.parquet files; {where} has none")
    require_all(events, where, "*.parquet")
    for file in files:
        try:
            version, missing, wrong = _footer(spark, file)
        except (PySparkException, Py4JError) as error:
            raise _unreadable(f"a parquet file; {file} is not one, or is damaged ({cause(error)})") from None
        if version != str(SCHEMA_VERSION):
            mend = f"{MENDING}, or read it with the mqlab that wrote it"
            raise _unreadable(f"schema version {SCHEMA_VERSION}; {file} has {version}", mend)
        if missing:
            raise _unreadable(f"the columns of schema version {SCHEMA_VERSION}; {file} lacks {', '.join(missing)}")
        if wrong:
            raise _unreadable(f"the types of schema version {SCHEMA_VERSION}; {file} has {', '.join(wrong)}")
    if len(files) > 1:
        try:
            _each_once(events)
        except (PySparkException, Py4JError) as error:
            raise _unreadable(f"parquet that Spark can read; {where} is not ({cause(error)})") from None
    return events.select(*COLUMNS).withMetadata("seq", {VERSION_KEY: str(SCHEMA_VERSION)})


def require_all(read: DataFrame, where: str, pattern: str) -> None:
    """LabError, naming one, if Spark passed over files of a local folder: its Java takes names by the locale."""
    folder = Path(where)
    there = {each.name for each in folder.glob(pattern) if each.name[0] != "."} if folder.is_dir() else set()
    if lost := sorted(there - {Path(unquote(urlsplit(file).path)).name for file in read.inputFiles()}):
        raise LabError(
            f"file names that Spark can read wanted; it passes over {lost[0]!a} in {where} ({len(lost)} of "
            f"{len(there)}). Rename it, without _ at the beginning, or start Python with LC_ALL=C.UTF-8"
        )


def _each_once(events: DataFrame) -> None:
    """LabError if two files have the same row: rows are compared where the files' numbers overlap."""
    from pyspark.sql import functions as F

    from .labs import repeated

    rows = events.select("seq", F.input_file_name().alias("file"))
    spans = rows.groupBy("file").agg(F.min("seq").alias("first"), F.max("seq").alias("last")).dropna().collect()
    spans.sort(key=lambda span: span["first"])
    for before, after in pairwise(spans):
        if after["first"] <= before["last"]:
            counted = rows.groupBy("seq").agg(F.count("*").alias("n"), F.min("file"), F.max("file"))
            twice = counted.where("n > 1").first()
            if twice is not None:
                raise repeated(f"row {twice[0]} (seq) is there {twice[1]} times, in {twice[2]} and {twice[3]}")
            return


def _unreadable(wanted: str, mend: str = MENDING) -> LabError:
    return LabError(f"an event log wanted: {wanted}. {mend}")


def _footer(spark: SparkSession, file: str) -> tuple[str, list[str], list[str]]:
    """The schema version in a file's footer ("none" without one), the columns it lacks, and those with another type. A
    lab writes the version there, and Spark as metadata of the column seq."""
    jvm, hadoop = spark._jvm, spark._jsc.hadoopConfiguration()
    place = jvm.org.apache.hadoop.fs.Path(jvm.java.net.URI(file))
    reader = jvm.org.apache.parquet.hadoop.ParquetFileReader.open(
        jvm.org.apache.parquet.hadoop.util.HadoopInputFile.fromPath(place, hadoop)
    )
    try:
        about = reader.getFileMetaData()
        # as text: each value that comes over from Java costs as much as all of this one
        schema, told = about.getSchema().toString(), about.getKeyValueMetaData()
        version, by_spark = told.get(VERSION_KEY), told.get(SPARK_KEY)
    finally:
        reader.close()
    fields = json.loads(by_spark)["fields"] if by_spark else []
    seq: dict = next((field["metadata"] for field in fields if field["name"] == "seq"), {})
    stored = {name: (type, meaning) for type, name, meaning in FIELD.findall(schema)}
    wrong = [
        f"{field.name} as {' '.join(stored[field.name]).strip()}"
        for field in plain(event_file.SCHEMA)
        if field.name in stored
        and (
            stored[field.name][0] not in STORED.get(str(field.type), "binary").split()
            or not MEANING.fullmatch(stored[field.name][1])
        )
    ]
    return str(version or seq.get(VERSION_KEY, "none")), [name for name in COLUMNS if name not in stored], wrong


def parsed(texts: DataFrame, schema: str, rows: Callable[[str, Any], Iterable[tuple]]) -> DataFrame:
    """The rows of a schema that `rows` makes of each text (file, value), by the executors."""
    names = [field.split()[0] for field in schema.split(", ")]

    def parse(batches):
        import pandas as pd

        for batch in batches:
            texts = zip(batch["file"], batch["value"], strict=True)
            yield pd.DataFrame([row for text in texts for row in rows(*text)], columns=names, dtype=object)

    return texts.mapInPandas(parse, schema)


COMMANDS = (
    "file string, line int, verb string, kind string, name string, attributes map<string,string>, text string, "
    "problem string"
)
"""A row a command: the file and line it begins on, `verb` (DEFINE, ALTER ...), `kind` of object (QLOCAL, CHANNEL ...),
its `name`, `attributes` as written (keyword to value, folded as MQSC folds them), the command's own `text`, and
`problem`: why it would be refused, null if it would not."""


class Definitions(NamedTuple):
    """What was read: `commands`, all of them with the columns of COMMANDS."""

    commands: DataFrame

    @property
    def objects(self) -> DataFrame:
        """A row for each object a script defines: file, line, kind, name, attributes."""
        defined = self.commands.where("verb = 'DEFINE' and problem is null")
        return defined.select("file", "line", "kind", "name", "attributes")

    @property
    def refused(self) -> DataFrame:
        """The commands that would be refused: file, line, problem, text."""
        return self.commands.where("problem is not null").select("file", "line", "problem", "text")


@checked
def read_mqsc(spark: SparkSession, path: str | Path, platform: str | None = None) -> Definitions:
    """Read MQSC scripts, such as the output of dmpmqcfg: a `Definitions`.

    `path` is a file, a folder or a pattern, on any file system that Spark knows; each file is parsed whole, by one
    task, in any encoding of `mqlab.mqsc.read_script`; a file that is no text has one row, with its `problem`.
    `platform` is "distributed", "zos" or "vse"; None: the one that the header of a dump says. LabError if there is
    nothing to read.
    """
    from pyspark.errors import PySparkException

    where = str(path)
    try:
        read = spark.read.format("binaryFile").load(place(path))
        files = read.selectExpr("_metadata.file_path as file", "content as value")
    except PySparkException as error:
        raise LabError(
            f"MQSC scripts wanted: text files that Spark can read; {where} is not ({first_line(error)})"
        ) from None

    return Definitions(parsed(files, COMMANDS, partial(_commands, platform)))


def _commands(platform: str | None, file: str, data: bytes) -> Iterator[tuple]:
    from ..mqsc import parse, read_script

    try:
        script = read_script(bytes(data))
    except LabError as error:
        yield file, 1, "", "", "", {}, "", str(error)
        return
    for command in parse(script.text, platform or script.platform):
        problem = None if command.refused is None else str(command.refused)
        values = {keyword: str(value) for keyword, value in command.attributes.items()}
        yield file, command.line, command.verb, command.kind, command.name, values, command.text, problem
