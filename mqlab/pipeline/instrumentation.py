"""Real instrumentation of IBM MQ in Spark: what `amqsevt -o json` writes, good records and bad ones apart.

amqsevt has no published schema: the keys of a record come in no fixed order and only where they apply. Unknown keys are
kept, a missing one is null, and text that is no record is kept in `bad`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from pyspark.sql import functions as F

from ..engine.words import arguments
from ..engine.words.errors import LabError
from .answers import asked, with_comments
from .read import TABLES, comment, literal, loaded, parsed

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

CLASSES = {
    43: "configuration", 44: "queue manager", 45: "performance", 46: "channel", 94: "logger", 99: "command",
    164: "MQI statistics", 165: "queue statistics", 166: "channel statistics",
    167: "MQI accounting", 168: "queue accounting", 209: "activity trace", 220: "publish/subscribe",
}  # fmt: skip  # a table of numbers and names, several to a line
"""The class of a record by its eventType value (the MQCMD of the PCF header); other values are "other"."""

ABOUT, COUNTED = TABLES["records"], TABLES["counted"]

NAMED = "queueName baseObjectName channelName processName namelistName topicName authInfoName objectName topicString"
PARTS = ("eventSource", "eventType", "eventReason", "eventCreation", "eventData")
WRITE = "Write some with amqsevt -m QM1 -o json"
LONGEST = 2000  # characters of a bad piece that are kept
HEAD = 400  # lines that are read to find the layout
LAST = 253_402_300_800  # the epoch of the year 10000
FIRST = '"eventSource"'  # what amqsevt begins each record with
RECORD = re.compile(r"[^\s,\[\]\ufeff]")  # its first character: none of those between two records


class Instrumentation(NamedTuple):
    """What was read: `records`, with the columns of ABOUT."""

    records: DataFrame

    @property
    def events(self) -> DataFrame:
        """The good records: the columns of ABOUT without problem and text."""
        return self.records.where("problem is null").drop("problem", "text")

    @property
    def bad(self) -> DataFrame:
        """The text that is no record: file, problem, text (its first characters)."""
        return self.records.where("problem is not null").select("file", "problem", "text")

    @property
    def repeated(self) -> DataFrame:
        """The events that are there more than once: `times`, `files`, and the columns of `events`. Equal events of one
        second may be two, such as refused puts; equal statistics are one record that was delivered twice."""
        same = [name for name in self.events.columns if name != "file"]
        times, files = F.count("*").alias("times"), F.sort_array(F.collect_set("file")).alias("files")
        return self.events.groupBy(*same).agg(times, files).where("times > 1").select("times", "files", *same)

    def counts(self) -> DataFrame:
        """How many records there are of each class and reason: class, reason_name, `records`; "bad" is a class."""
        named = self.records.withColumn("class", F.coalesce("class", F.lit("bad")))
        found = named.groupBy("class", "reason_name").agg(F.count("*").alias("records"))
        comments = {column.name: comment(column) for column in COUNTED}
        return with_comments(found.orderBy("class", "reason_name"), comments)


def read_instrumentation(spark: SparkSession, path: str | Path, partitions: int | None = None) -> Instrumentation:
    """Read what `amqsevt -o json`, `json_compact` or `json_array` wrote to a file, a folder, or the files of a pattern.

    Files may be larger than memory, unless another tool has sorted their keys; those of one call have one layout.
    LabError if there is nothing of amqsevt's at their beginning, or if two of the files are the same.
    """
    arguments.require("partitions", partitions, int | None, "a whole number, 1 or more", arguments.at_least(1))
    about = path, "events of amqsevt must be files", WRITE
    separator = _separator(loaded(spark.read.format("text"), *about)[0], str(path))
    how = {"wholetext": True} if separator is None else {"lineSep": separator}
    pieces, files = loaded(spark.read.format("text").options(**how), *about)
    _require_different(spark, pieces, files)
    # as bytes: a text that is not UTF-8 would end the task
    pieces = pieces.selectExpr("_metadata.file_path as file", "cast(value as binary) value")
    key = FIRST if separator == FIRST else ""
    pieces = pieces if partitions is None else pieces.repartition(partitions)
    return Instrumentation(parsed(pieces, ABOUT, partial(_rows, key)))


def _require_different(spark: SparkSession, pieces: DataFrame, files: list[str]) -> None:
    """LabError, naming both, if two files have the same pieces; only files of equal length are read for that."""
    if len(files) < 2:
        return
    sizes = spark.read.format("binaryFile").load([literal(unquote(file)) for file in files])
    of_size = sizes.groupBy("length").agg(F.count("*").alias("n")).where("n > 1 and length > 0")
    lengths = [row.length for row in of_size.collect()]
    alike = pieces.where(F.col("_metadata.file_size").isin(lengths)).select("value", "_metadata.file_path")
    sums = alike.groupBy("file_path").agg(F.count("*").alias("n"), F.sum(F.xxhash64("value").cast("decimal(20)")))
    found = sorted(sums.collect(), key=lambda row: (row[1:], row.file_path)) if lengths else []
    for one, other in pairwise(found):
        if one[1:] == other[1:]:
            raise LabError(
                f"each file of amqsevt must be read once; {one.file_path} and {other.file_path} hold the same records, "
                f"which would count twice. Remove one of them"
            )


def _separator(lines: DataFrame, where: str) -> str | None:
    """What separates records: a line end, or the text that starts each of them; None if a tool has sorted the keys."""
    written = [line for row in lines.limit(HEAD).collect() if (line := row.value.strip(" \t\r,[]"))]
    if not written:
        raise LabError(f"events of amqsevt are needed; {where} is empty. {WRITE}")
    for line in written:
        with suppress(ValueError, TypeError, RecursionError):
            if "eventType" in dict(json.loads(line)):
                return "\n"
    beginning = "".join(written)
    if not beginning.startswith("{"):
        if FIRST in beginning:  # after the end of a record whose beginning another file has, or what a tool said
            return FIRST
        raise LabError(
            f"events of amqsevt must be JSON objects in UTF-8; {where} begins with {written[0][:60]!r}. {WRITE}"
        )
    return FIRST if beginning[1:].lstrip().startswith(FIRST) else None


def _rows(key: str, file: str, piece: bytes) -> Iterator[tuple]:
    """The records of a piece, and what else is in it; `key` is the cut that the piece came after, "" for none."""
    try:
        text, spoilt = piece.decode(), False
    except UnicodeDecodeError:
        text, spoilt = piece.decode(errors="replace"), True
    if key and text.lstrip()[:1] == ":":
        text = "{" + key + text
    if key:
        text = text.rstrip().removesuffix("{")  # the brace that opens the next record
    end, decode = 0, json.JSONDecoder().raw_decode
    while begins := RECORD.search(text, end):
        at = begins.start()
        try:
            found, end = decode(text, at)
            problem = "not UTF-8" if spoilt and "\ufffd" in text[at:end] else _problem(found)
        except (ValueError, RecursionError) as error:  # ValueError: a number of thousands of digits, too
            end = text.find("\n{", at + 1)
            end = len(text) if end < 0 else end
            problem = f"not JSON: {getattr(error, 'msg', error)}"
        if problem:
            yield (file, *[None] * 12, problem, text[at:end].rstrip(" \t\r\n,]")[:LONGEST])
        else:
            yield _good(file, found)


def _problem(found: Any) -> str | None:
    """Why an object is no record of amqsevt's, None if it is one."""
    if not isinstance(found, dict):
        return f"it must be an object; got {type(found).__name__}"
    parts = [name for name in PARTS if not isinstance(found.get(name), dict)]
    if parts:
        return f"no {', no '.join(parts)}"
    if not _is_int(found["eventType"].get("value")):
        return "eventType has no number"
    if found["eventReason"].get("value") is not None and not _is_int(found["eventReason"]["value"]):
        return "eventReason is no number"
    epoch = found["eventCreation"].get("epoch")
    if type(epoch) not in (int, float) or not 0 <= epoch < LAST:
        return "eventCreation has no epoch"
    return None


def _is_int(value: object) -> bool:
    return type(value) is int and abs(value) < 2**31


def _text(value: object) -> str | None:
    """A value as a text for a column, without MQ's blanks: what is no text as JSON, half of a character as "?"."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace").decode().strip()


def _good(file: str, found: dict) -> tuple:
    import pandas as pd

    kind, reason, data = found["eventType"], found["eventReason"], found["eventData"]
    context = data.get("commandContext") if isinstance(data.get("commandContext"), dict) else {}
    about = data.get("commandData") if isinstance(data.get("commandData"), dict) else data
    names = (_text(about.get(each)) for each in NAMED.split())
    qmgr = data.get("queueMgrName") or data.get("eventQueueMgr") or context.get("eventQueueMgr")
    return (
        file,
        CLASSES.get(kind["value"], "other"),
        *(kind["value"], _text(kind.get("name")), reason.get("value"), _text(reason.get("name"))),
        pd.Timestamp(found["eventCreation"]["epoch"], unit="s", tz="UTC"),
        _text(qmgr or found["eventSource"].get("queueMgr")),
        _text(found["eventSource"].get("objectName")),
        next(filter(None, names), None),
        *(_text(found.get("objectState")), _text(found.get("correlationID")), _text(data), None, None),
    )


def _value(name: str) -> Column:
    return F.get_json_object("data", f"$.{name}")


def _told(events: DataFrame, kind: str, name: str, of: Column, **columns: Column) -> DataFrame:
    """The events of a class in order of time: qmgr, what each is about, created, reason, reason_name, `columns`."""
    about = ["qmgr", of.alias(name), "created", "reason", "reason_name"]
    told = [column.alias(each) for each, column in columns.items()]
    return events.where(F.col("class") == kind).select(*about, *told).orderBy("created", "qmgr", name)


def performance(events: DataFrame) -> DataFrame:
    """Queue full, depth high and low, service interval high and OK."""
    keys = {"seconds": "timeSinceReset", "deepest": "highQueueDepth", "put": "msgEnqCount", "got": "msgDeqCount"}
    numbers = {name: _value(key).try_cast("long") for name, key in keys.items()}
    return _told(events, "performance", "queue", F.col("object"), **numbers)


def refusals(events: DataFrame) -> DataFrame:
    """Refused calls by application, most frequent first."""
    who = F.trim(_value("applName")).alias("application"), F.trim(_value("userIdentifier")).alias("user")
    return (
        events.where("class = 'queue manager' and reason not in (2222, 2223)")
        .groupBy("qmgr", "reason", "reason_name", "object", *who)
        .agg(F.count("*").alias("times"), F.min("created").alias("first"), F.max("created").alias("last"))
        .orderBy(F.desc("times"), "qmgr", "reason", "object", "application", "user")
    )


def channel_events(events: DataFrame) -> DataFrame:
    """Starts, stops, and errors of channels."""
    connection, partner = F.trim(_value("connectionName")), F.trim(_value("xmitQueueName"))
    columns = {"connection": connection, "partner": partner, "qualifier": _value("reasonQualifier")}
    return _told(events, "channel", "channel", F.trim(_value("channelName")), **columns)


def changes(events: DataFrame) -> DataFrame:
    """A row for each attribute that a pair of configuration events shows to differ."""
    told = F.from_json("data", "map<string,string>")
    states = (
        F.first(F.when(F.col("state") == f"{word.title()} Change", told), ignorenulls=True).alias(word)
        for word in ("before", "after")
    )
    user = F.max(F.trim(_value("eventUserId"))).alias("user")
    names = F.array_distinct(F.concat(F.map_keys("before"), F.map_keys("after")))
    return (
        events.where("class = 'configuration' and state is not null")
        .groupBy("qmgr", "object", "correlation")
        .agg(F.max("created").alias("created"), *states, user)
        .where("before is not null and after is not null")
        .withColumn("attribute", F.explode(names))
        .withColumns({state: F.col(state)[F.col("attribute")] for state in ("before", "after")})
        .where("not (before <=> after)")
        .select("qmgr", "object", "created", "correlation", "attribute", "before", "after", "user")
        .orderBy("created", "qmgr", "object", "attribute")
    )


def _total(*names: str) -> Column:
    """The sum of some values of `one`, numbers or lists of numbers; null for none, or for more than a bigint holds."""
    texts = [F.col("one")[name] for name in names]
    lists = [F.from_json(F.regexp_replace(text, r"^[^\[].*", "[$0]"), "array<bigint>") for text in texts]
    numbers = F.array_compact(F.flatten(F.array_compact(F.array(*lists))))
    total = F.aggregate(numbers, F.lit(0).cast("bigint"), F.try_add)
    return F.when(F.coalesce(*lists).isNotNull(), total)


CALLS = {"put": "puts put1s", "put_bytes": "putBytes", "got": "gets", "got_bytes": "getBytes", "browsed": "browses"}
FAILED = "putsFailed put1sFailed getsFailed"


def _counted(events: DataFrame, kind: str, part: str, names: dict[str, Column], counts: dict[str, str]) -> DataFrame:
    """The records of a class, a row for each object: qmgr, `names`, start, end, and `counts`, in order of time."""
    edges = [  # times of day where the queue manager is, which no time zone of a session may move
        F.concat_ws(" ", _value(f"{edge}Date"), F.replace(_value(f"{edge}Time"), F.lit("."), F.lit(":")))
        .try_cast("timestamp_ntz")
        .alias(edge)
        for edge in ("start", "end")
    ]
    one = F.explode(F.from_json(_value(part), "array<map<string,string>>")).alias("one")
    told = events.where(F.col("class") == kind).dropDuplicates(["qmgr", "created", "data"])  # delivered twice
    rows = told.select("qmgr", "data", *edges, one)
    about = [F.trim(column).alias(name) for name, column in names.items()]
    totals = [_total(*keys.split()).alias(name) for name, keys in counts.items()]
    return rows.select("qmgr", *about, "start", "end", *totals).orderBy("start", "qmgr", *names)


def queue_statistics(events: DataFrame) -> DataFrame:
    """A row for each queue and interval of statistics."""
    counts = {"expired": "msgsExpired", "purged": "msgsPurged", "failed": FAILED}
    depths = {"least_depth": "queueMinDepth", "deepest": "queueMaxDepth"}
    names = {"queue": F.col("one")["queueName"]}
    return _counted(events, "queue statistics", "queueStatisticsData", names, {**CALLS, **counts, **depths})


def channel_statistics(events: DataFrame) -> DataFrame:
    """A row for each channel and interval of statistics."""
    names = {"channel": F.col("one")["channelName"], "partner": F.col("one")["remoteQueueMgrName"]}
    batches = {"full_batches": "fullBatches", "part_batches": "incompleteBatches"}
    counts = {"messages": "msgs", "bytes": "bytes", **batches, "put_retries": "putRetries"}
    return _counted(events, "channel statistics", "chlStatisticsData", names, counts)


def queue_accounting(events: DataFrame) -> DataFrame:
    """A row for each application, queue, and record of accounting."""
    names = {"application": _value("applName"), "user": _value("userIdentifier"), "queue": F.col("one")["queueName"]}
    return _counted(events, "queue accounting", "queueAccountingData", names, {**CALLS, "failed": FAILED})


arguments.checked_calls(__name__, inside=asked)
