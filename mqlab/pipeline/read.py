"""Event logs and MQSC scripts read into Spark, after a look at what they are."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache, lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from ..engine.words.arguments import checked, require
from ..engine.words.constants import PLATFORMS
from ..engine.words.errors import LabError
from ..engine.world.event import ABOUT, COLUMNS, READABLE, SCHEMA_VERSION, Column, about
from .columns import KEYS, WRITE, parts, with_folders
from .spark import cause, connected, failures

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, DataFrameReader, SparkSession
    from pyspark.sql.types import StructType

VERSION_KEY = "mqlab_schema_version"
SPARK_KEY = b"org.apache.spark.sql.parquet.row.metadata"
CHECKSUMS = "parquet.page.verify-checksum.enabled"  # those of pages that have one: damage may well decode
PATTERN = re.compile(r"([][*?{}\\])")  # the characters that make a path a pattern
MAGIC, END, READERS = b"PAR1", 8, 8  # a file ends with the length of its footer, and MAGIC
LONGEST = 2**24  # bytes of a file that Spark Connect fetches from another file system
Paths = str | Path | list  # of the first two
Verdict = tuple[str, list[str], list[str], dict[str, Any]]


def plain(schema: pa.Schema) -> pa.Schema:
    """A schema with its names as plain text, which Spark wants."""
    import pyarrow as pa

    return pa.schema(
        (each.name, each.type.value_type if pa.types.is_dictionary(each.type) else each.type) for each in schema
    )


STORED = {
    "int64": {"int8", "int16", "int32", "int64"},
    "int32": {"int8", "int16", "int32"},
    "bool": {"bool"},
    "binary": {"binary", "large_binary"},
    "string": {"string", "large_string", "binary", "large_binary"},
}
"""The types that a column of an event log may have in a file, by its own."""


@cache
def schema() -> StructType:
    """The columns of an event log as Spark names their types, each with its meaning as a comment."""
    from ..formats import event_file

    return commented(plain(event_file.SCHEMA), ABOUT)


def commented(columns: pa.Schema, about: Iterable[Column]) -> StructType:
    """A schema of Spark's whose columns have comments, which Spark's DESCRIBE shows."""
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructField, StructType

    said = {each.name: comment(each) for each in about}
    typed = from_arrow_schema(columns)
    return StructType([StructField(each.name, each.dataType, True, {"comment": said[each.name]}) for each in typed])


@checked
def comment(column: Column) -> str:
    """The meaning of a column, its unit, and when it is null, as Spark's DESCRIBE shows them."""
    return f"{column.meaning} (unit: {column.unit or 'none'}; null: {column.null})"


HIDDEN = re.compile(r"[/\\](\.|_[^/\\]*[/\\]|_(SUCCESS|(committed|started)_\d+)$)")  # what programs keep for themselves


def literal(path: str) -> str:
    """The pattern that fits this path only."""
    require("path", path, str)
    return PATTERN.sub(r"\\\1", path)


@checked
def place(path: str | Path) -> str:
    """A path as Spark's readers take it: an address as it is, a path from Python's working folder; an existing path is
    taken literally, even if it looks like a pattern."""
    where = str(path)
    if re.match(r"\w\w+:/", where):
        return where
    here = "" if os.path.isabs(where) else literal(os.getcwd()) + "/"
    return here + (literal(where) if os.path.exists(where) else where)


def loaded(
    reader: DataFrameReader, path: Paths, wanted: str, fix: str, pattern: str = "*"
) -> tuple[DataFrame, list[str]]:
    """The DataFrame that a Spark reader returns for a path, or for several, and the addresses of the files, each of
    which is read once.

    LabError, which begins with `wanted` and ends with `fix`, if there is no file or Spark cannot read it, and one that
    names a file of a local folder that fits `pattern` and that Spark passes over, because of its name.
    """
    several, reader = path if isinstance(path, list) else [path], reader.option("recursiveFileLookup", True)
    places, where = [*map(place, several)], ", ".join(map(str, several))
    strange = r"[*?{[]|^\w\w+:/"
    lost = [each for each in map(str, several) if not re.search(strange, each) and not os.path.exists(each)]
    if not places:
        raise LabError(f"{wanted}; the list of paths is empty. {fix}")
    if lost and not connected(reader):
        raise LabError(f"{wanted} that Spark can read; {lost[0]} does not exist. {fix}")
    try:
        read = reader.load(places)
        files = sorted(read.inputFiles())
        if "{" in where or len(places) > 1:  # alternatives may overlap
            read = _again(reader, files)
    except failures() as error:
        raise LabError(f"{wanted} that Spark can read; {where} is not ({cause(error)}). {fix}") from None
    tops = [Path(os.path.abspath(each)) for each in several]
    local = [(file, top) for top in tops for file in (top.rglob(pattern) if top.is_dir() else [top])]
    fit = [(file, top) for file, top in local if file.is_file() and file.match(pattern)]
    there = {file for file, top in fit if not HIDDEN.search(str(file)[len(str(top)) :])}
    # as bytes: in some locales Python has no letters for a name that Spark, started with UTF-8, reads well
    came = {unquote_to_bytes(urlsplit(file).path).lstrip(b"/") for file in files}
    if connected(reader) and not came <= {os.fsencode(file.as_posix()).lstrip(b"/") for file in there}:
        there = set()  # these files are another machine's
    lost = [file.name for file in there if os.fsencode(file.as_posix()).lstrip(b"/") not in came or ":" in file.name]
    if lost:
        raise LabError(
            f"Spark must be able to read the file names; it skips {min(lost)!a} in {where} ({len(lost)} of "
            f"{len(there)}). Rename it, without _ at the beginning or a colon, or start Python with LC_ALL=C.UTF-8"
        )
    if not files:
        raise LabError(f"{wanted}; {where} has none. {fix}")
    return read, files


def _again(reader: DataFrameReader, files: list[str]) -> DataFrame:
    """The DataFrame of files that are known by their addresses."""
    return reader.load([literal(unquote(file)) for file in files])


@checked
def read_events(spark: SparkSession, path: Paths, *, check: bool = True) -> DataFrame:
    """An event log of schema version 1 or 2 as a DataFrame with the columns of `mqlab.engine.world.events.COLUMNS`.

    `path` is a parquet file, a folder of them (and of such folders), a pattern, or a list of these, on any file system
    that Spark knows, for Spark Connect one of the server's. Names of folders such as `qmgr=QM1` or `lab=A`, which Spark
    writes for `partitionBy`, are columns, also those that an event log does not have; `lab`, `replica`, and `seed` tell
    labs apart. If Spark writes the DataFrame as parquet, the result is an event log again.
    LabError, naming the file, if it is no event log of these versions, if a row of a lab is there more than once, or if
    no lab can have written it: no seq, kind, or time, a number out of its range, times or a cause in the wrong order,
    or a detail that is no JSON object. False for `check` leaves out the last two, which are one job.
    """
    import pyarrow as pa
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType

    from .labs import trust

    reader = spark.read.format("parquet").schema(schema()).option(CHECKSUMS, True)
    events, files = loaded(reader, path, "an event log must be parquet", WRITE, "*.parquet")
    named = {file: dict(parts(file)) for file in files}
    try:
        found = [*_footers(spark, files)]
    except failures(OSError) as error:
        raise _unreadable(f"parquet that Spark can read; {path} is not ({cause(error)})") from None
    versions, keys, lacking = dict[str, int](), dict[str, Any](), set[str]()
    for file, footer in found:
        version, missing, wrong, own = _judged(file, footer)
        if version not in READABLE:
            fix = f"{WRITE}, or read it with the mqlab that wrote it"
            raise _unreadable(f"schema version {' or '.join(READABLE)}; {file} has {version}", fix)
        versions[file] = int(version)
        if unnamed := [name for name in missing if name not in named[file]]:
            raise _unreadable(f"the columns of schema version {version}; {file} lacks {', '.join(unnamed)}")
        wrong = [*wrong, *(f"{name} as {type}" for name, type in own.items() if keys.setdefault(name, type) != type)]
        if wrong:
            raise _unreadable(f"the types of schema version {version}; {file} has {', '.join(wrong)}")
        lacking.update(missing)
    if keys:
        more = from_arrow_schema(pa.schema(keys.items()))
        events = _again(reader.schema(StructType([*schema(), *more])), files)
    oldest = min(versions.values())
    log = with_folders(events, named.values(), lacking)
    log = log.withMetadata("seq", {**schema()["seq"].metadata, VERSION_KEY: str(oldest)})
    try:
        if check:
            _sound(log, versions)
    except failures() as error:
        raise _unreadable(f"parquet that Spark can read; {path} is not ({cause(error)})") from None
    if oldest < SCHEMA_VERSION:
        log = _with_units_of_batches(log)
    if oldest < SCHEMA_VERSION or not check:
        trust(log)
    return log


def _with_units_of_batches(log: DataFrame) -> DataFrame:
    """The rows of an old log with the unit of work of a batch in the column `uow`, as later versions have it."""
    # In the log of many labs, the numbers of rows are increased, those in `detail` are not: `prepare` has both.
    from pyspark.sql import functions as F

    from .labs import labs_of

    def number(name: str) -> Any:
        return F.conv(F.get_json_object("detail", f"$.{name}"), 16, 10).cast("long")

    one = [*labs_of(log), "qmgr"]
    increased = log.where("kind = 'prepare'").groupBy(*one).agg(F.max(F.col("uow") - number("luwid")).alias("by"))
    batch = F.when(F.col("kind") == "channel", number("batch") + F.coalesce("by", F.lit(0)))
    by_batch = log.join(F.broadcast(increased), one, "left").withColumn("uow", F.coalesce("uow", batch))
    return by_batch.select(*log.columns)


def _sound(log: DataFrame, versions: dict[str, int]) -> None:
    """LabError, naming the files, if a row of a lab is there more than once, or if no lab can have written it."""
    from .labs import key

    version = str(min(versions.values()))
    if len({*versions.values()}) > 1:
        old = (file.replace("'", "\\'") for file, each in versions.items() if each < SCHEMA_VERSION)
        version = "if(input_file_name() IN ({}), 1, 2)".format(", ".join(f"'{file}'" for file in old))
    key(log, version, "input_file_name()")


def _unreadable(wanted: str, fix: str = WRITE) -> LabError:
    return LabError(f"an event log must be {wanted}. {fix}")


def _judged(file: str, footer: bytes) -> Verdict:
    """The verdict on a file from its footer; LabError if these bytes are no footer."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        about = pq.read_metadata(pa.BufferReader(footer))
        return _verdict(about.schema.to_arrow_schema(), frozenset((about.metadata or {}).items()))
    except (pa.ArrowException, ValueError, TypeError, KeyError) as error:  # of Arrow, of texts and JSON in its metadata
        raise _unreadable(f"a parquet file; {file} is not one, or is damaged ({cause(error)})") from None


def _footers(spark: SparkSession, files: list[str]) -> Iterator[tuple[str, bytes]]:
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


NAMING = re.compile(r"(large_)?string|u?int(8|16|32)$|int64|date32|bool|null")
"""The types of columns that name labs."""


@lru_cache
def _verdict(stored: pa.Schema, about: frozenset[tuple[bytes, bytes]]) -> Verdict:
    """The schema version of a file or "none", the columns it lacks, those with another type, and KEYS with types."""
    # a lab writes the version into the file's metadata, and Spark as metadata of the column seq
    from ..formats import event_file

    told, stored = dict(about), plain(stored)
    fields = json.loads(told[SPARK_KEY])["fields"] if SPARK_KEY in told else []
    seq: dict = next((field["metadata"] for field in fields if field["name"] == "seq"), {})
    version = told[VERSION_KEY.encode()].decode() if VERSION_KEY.encode() in told else seq.get(VERSION_KEY, "none")
    types = {field.name: str(field.type).partition("[")[0] for field in stored}
    wrong = [
        f"{field.name} as {stored.field(field.name).type}"
        for field in plain(event_file.SCHEMA)
        if field.name in types and types[field.name].removeprefix("fixed_size_") not in STORED[str(field.type)]
    ]
    keys = {field.name: field.type for field in stored if field.name in KEYS}
    wrong += [f"{name} as {type}" for name, type in keys.items() if not NAMING.match(str(type))]
    return version, [name for name in COLUMNS if name not in types], wrong, keys


def parsed(texts: DataFrame, columns: Sequence[Column], rows: Callable[[str, Any], Iterable[tuple]]) -> DataFrame:
    """The rows with these columns that `rows` makes of each text (file, value), by the executors."""
    names = [column.name for column in columns]
    comments = [comment(column).replace("'", "\\'") for column in columns]
    fields = [f"{column.name} {column.type} COMMENT '{meant}'" for column, meant in zip(columns, comments, strict=True)]

    def parse(batches):
        import pandas as pd

        for batch in batches:
            texts = zip(batch["file"], batch["value"], strict=True)
            yield pd.DataFrame([row for text in texts for row in rows(*text)], columns=names, dtype=object)

    return texts.mapInPandas(parse, ", ".join(fields))


with resources.files(__package__).joinpath("tables.toml").open("rb") as opened:
    TABLES = {name: about(table) for name, table in tomllib.load(opened).items()}
COMMANDS = TABLES["commands"]


class Definitions(NamedTuple):
    """What was read: `commands`, with the columns of COMMANDS."""

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
    """Read MQSC scripts, such as the output of dmpmqcfg, from a file, a folder, or the files of a pattern, in any
    encoding of `mqlab.engine.commands.read_script`. `platform` is "distributed", "zos" or "vse"; None: the one that the
    header of a dump says, "zos" for other records in EBCDIC. LabError if there is nothing to read."""
    require("platform", platform, str | None, f"one of {', '.join(PLATFORMS)}", PLATFORMS.__contains__)
    read, _ = loaded(spark.read.format("binaryFile"), path, "MQSC scripts must be text files", "dmpmqcfg writes them")
    files = read.selectExpr("_metadata.file_path as file", "content as value")
    return Definitions(parsed(files, COMMANDS, partial(_commands, platform)))


def _commands(platform: str | None, file: str, data: bytes) -> Iterator[tuple]:
    from ..engine.commands import parse, read_script

    try:
        script = read_script(bytes(data))
    except LabError as error:
        yield file, 1, "", "", "", {}, "", str(error)
        return
    for command in parse(script.text, platform or script.platform):
        problem = None if command.refused is None else str(command.refused)
        values = {keyword: str(value) for keyword, value in command.attributes.items()}
        yield file, command.line, command.verb, command.kind, command.name, values, command.text, problem
