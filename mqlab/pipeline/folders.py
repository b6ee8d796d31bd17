"""The columns that the names of folders give, as Spark writes them for `partitionBy`: qmgr=QM1, lab=A, seed=7.

They come from the address of each row's file, in one scan of any paths. Spark itself takes them below one folder only,
makes a number of the queue manager 007, and copies parts of a plan for them (dynamic partition pruning). A filter on
these columns leaves out the files that do not fit it, as it does with Spark's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from posixpath import commonpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from ..engine.world.event import COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

NULL = "__HIVE_DEFAULT_PARTITION__"
ADDRESS, MAGIC = re.compile(r"^\w\w+:(//[^/]*)?"), re.compile(r"[*?{[]")
NUMBERED, WHOLE = ("replica", "seed"), re.compile(rf"0|[1-9]\d{{0,17}}|{NULL}")  # numbers, if each is written as one


class Part(NamedTuple):
    """The name of a folder, as the address of a file has it: `key`=`value`."""

    key: str
    value: str

    @property
    def text(self) -> str:
        return unquote(unquote(self.value))  # an address has a % for each that Spark wrote


def parts(files: Iterable[str], paths: list[str | Path]) -> dict[str, dict[str, Part]]:
    """By file, the columns that its folders name: all below the paths; of an event log, also those above."""
    top = commonpath([_top(str(path)) for path in paths]).strip("/").split("/")
    return {file: dict(_columns(file, top)) for file in files}


def _top(path: str) -> str:
    """A path without its file system, or the folder above a pattern."""
    where = ADDRESS.sub("", path) if ADDRESS.match(path) else os.path.abspath(path)
    if not os.path.exists(where) and MAGIC.search(where):
        where = MAGIC.split(where)[0].rpartition("/")[0]
    return "/" + PurePath(where).as_posix().strip("/")


def _columns(file: str, top: list[str]) -> Iterator[tuple[str, Part]]:
    from .labs import KEYS

    folders = urlsplit(file).path.strip("/").split("/")[:-1]
    above = len(top) if [*map(unquote, folders)][: len(top)] == top[: len(folders)] else 0
    for place, folder in enumerate(folders):
        key, _, value = folder.partition("=")
        name = unquote(unquote(key))
        name = name.lower() if name.lower() in {*COLUMNS, *KEYS} else name
        if key and value and (place >= above or name in COLUMNS):
            yield name, Part(key, value)


def with_folders(events: DataFrame, named: Iterable[dict[str, Part]], there: set[str], lacking: set[str]) -> DataFrame:
    """The rows of files with the columns of COLUMNS, those of labs, and those that only folders name, which are text.

    `there` has the columns that a file has, `lacking` those that a file lacks.
    """
    from pyspark.sql import functions as F

    from .labs import KEYS

    found: dict[str, set[Part]] = {}
    for each in named:
        for name, part in each.items():
            found.setdefault(name, set()).add(part)
    known = {each.name: each for each in events.schema}

    def column(name: str) -> Column:
        if name not in found or (name in COLUMNS and name not in lacking):
            return F.col(name)
        own, value = [F.col(name)] if name in there else [], _value(found[name])
        if name in known:
            return F.coalesce(*own, value.cast(known[name].dataType)).alias(name, metadata=known[name].metadata)
        numbers = name in NUMBERED and all(WHOLE.fullmatch(part.text) for part in found[name])
        return value.cast("bigint" if numbers else "string").alias(name)

    others = sorted(found.keys() - {*COLUMNS, *KEYS})
    return events.select(*map(column, [*COLUMNS, *(name for name in KEYS if name in there | found.keys()), *others]))


def _value(named: set[Part]) -> Column:
    """The value that a folder's name gives a row, null for none."""
    from pyspark.sql import functions as F

    def decoded(text: Column) -> Column:
        return F.coalesce(F.try_url_decode(F.replace(text, F.lit("+"), F.lit("%2B"))), text)

    file = F.col("_metadata.file_path")
    texts = (F.regexp_extract(file, f".*/{re.escape(key)}=([^/]+)/", 1) for key in sorted({part.key for part in named}))
    value = F.coalesce(*(F.nullif(text, F.lit("")) for text in texts))
    if any("%" in part.value for part in named):
        value = decoded(decoded(value))
    return F.nullif(value, F.lit(NULL))
