"""The columns of an event log that Spark has written or keeps: names of folders, and a table of a catalog.

Names of folders, such as qmgr=QM1, lab=A, seed=7, come from the address of each row's file, in one scan of any paths.
Spark itself takes them below one folder only, makes a number of the queue manager 007, and copies parts of a plan for
them (dynamic partition pruning).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from weakref import WeakKeyDictionary

from ..engine.world.event import ABOUT, COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

WRITE = "Write one with lab.events.write_parquet(path)"
NULL = "__HIVE_DEFAULT_PARTITION__"
KEYS = ("lab", "replica", "seed")  # the format "mqlab" gives `replica` and `seed`; anyone else can add `lab`
WHOLE = re.compile(rf"0|[1-9]\d{{0,17}}|{NULL}")


def parts(file: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """The columns that the folders of an address name: the name, then key and value as the address has them."""
    for folder in urlsplit(file).path.split("/")[:-1]:
        key, _, value = folder.partition("=")
        name = unquote(unquote(key))  # an address has a % for each that Spark wrote
        if key and value:
            yield name.lower() if name.lower() in (*COLUMNS, *KEYS) else name, (key, value)


def with_folders(
    events: DataFrame, named: Iterable[dict[str, tuple[str, str]]], lacking: set[str], later: bool = False
) -> DataFrame:
    """The rows of files with the columns of an event log, some of which a file lacks; those that tell labs apart; and
    those that only folders name, as text. More folders may come `later`."""
    from pyspark.sql import functions as F

    folders: dict[str, set[tuple[str, str]]] = {}
    for name, part in (item for each in named for item in each.items()):
        folders.setdefault(name, set()).add(part)
    known = {each.name: each for each in events.schema}

    def column(name: str) -> Column:
        if name not in folders or (name in COLUMNS and name not in lacking):
            return F.col(name)
        if own := known.get(name):
            return F.coalesce(name, _value(folders[name], later).cast(own.dataType)).alias(name, metadata=own.metadata)
        numbers = name in KEYS[1:] and all(WHOLE.fullmatch(value) for _, value in folders[name])
        return _value(folders[name], later).cast("bigint" if numbers else "string").alias(name)

    labs = [name for name in KEYS if name in {*known, *folders}]
    return events.select(*map(column, [*COLUMNS, *labs, *sorted(folders.keys() - {*COLUMNS, *KEYS})]))


def _value(named: set[tuple[str, str]], later: bool) -> Column:
    """The value that the name of a row's folder gives, null for none."""
    from pyspark.sql import functions as F

    file = F.col("_metadata.file_path")
    texts = (F.regexp_extract(file, f".*/{re.escape(key)}=([^/]+)/", 1) for key in sorted({key for key, _ in named}))
    value = F.coalesce(*(F.nullif(text, F.lit("")) for text in texts))
    for _ in range(2 * (later or any("%" in value for _, value in named))):
        value = F.coalesce(F.try_url_decode(F.replace(value, F.lit("+"), F.lit("%2B"))), value)
    return F.nullif(value, F.lit(NULL))


TYPES = {"name": "string", "int64": "bigint", "int32": "int", "bool": "boolean"}
CAST = re.compile(r"string|decimal.*|\w*int|float|double")  # no timestamp: it would become a number of seconds
LOG = {each.name: TYPES.get(each.type, each.type) for each in ABOUT}
WHOLE_NUMBERS = {"begin_seq", "hops", "messages", "fast"}  # of answers, beside those in microseconds
_tables: WeakKeyDictionary[Any, dict[tuple[str, ...], DataFrame]] = WeakKeyDictionary()


def as_read(frame: Any, reads: Sequence[str]) -> Any:
    """A frame with the names and types of these columns, and the names of those that tell labs apart, whatever capital
    letters and numbers a catalog, a file of text, or pandas has made of them; any other value as it is."""
    if not hasattr(frame, "sparkSession"):
        return frame
    numbers = {name: "bigint" for name in reads if name in WHOLE_NUMBERS or name.endswith("_us")}
    types: dict[str, str] = dict.fromkeys(KEYS, "") | numbers | {name: LOG[name] for name in reads if name in LOG}
    columns, exact, changed = [], {*frame.columns}, False
    for name, type in frame.dtypes:
        own = name.lower() if name.lower() in types and name.lower() not in exact else name
        value, wanted = f"`{name.replace('`', '``')}`", types.get(own) or type
        if wanted != type and CAST.fullmatch(type) and not (own in numbers and type.endswith("int")):
            number = f"nullif({value}, double('NaN'))" if type in ("float", "double") else value
            value = f"cast({number} AS {wanted})"
        changed |= own != name or value[0] != "`"
        columns.append(f"{value} AS `{own.replace('`', '``')}`")
    if changed and tuple(reads) not in _tables.setdefault(frame, {}):
        _tables[frame][*reads] = frame.selectExpr(*columns)
    return _tables[frame][*reads] if changed else frame
