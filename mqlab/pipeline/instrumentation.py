"""Real instrumentation of IBM MQ in Spark: what `amqsevt -o json` writes, good records and bad ones apart.

amqsevt has no published schema: a record is one JSON object with eventSource, eventType, eventReason, eventCreation and
eventData, whose keys come in no fixed order and only where they apply. So nothing here looks at positions, unknown keys
are kept, and a missing one is null. The three layouts that amqsevt has (an object over several lines, an object a line,
one array) are all read, and no record is read twice or dropped: what is no record is kept in `bad`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mqlab.mq.errors import LabError
from mqlab.pipeline.read import first_line

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["CLASSES", "SCHEMA", "Instrumentation", "read_instrumentation"]

CLASSES = {
    43: "configuration",
    44: "queue manager",
    45: "performance",
    46: "channel",
    94: "logger",
    99: "command",
    164: "MQI statistics",
    165: "queue statistics",
    166: "channel statistics",
    167: "MQI accounting",
    168: "queue accounting",
    209: "activity trace",
    220: "publish/subscribe",
}
"""The class of a record by its eventType value (the MQCMD of the PCF header); other values are told as "other"."""

SCHEMA = (
    "file string, class string, type int, type_name string, reason int, reason_name string, created timestamp, "
    "qmgr string, source string, object string, state string, correlation string, data string, problem string, "
    "text string"
)
"""`class` one of CLASSES' values; `type` and `reason` (MQRC) as numbers; `created` the second the record was made;
`qmgr` the queue manager it tells of; `source` the queue it was read from; `object` the queue, channel or other object
it is about; `state` "Before Change" or "After Change"; `correlation` joins a command to its change; `data` the
eventData as JSON; `problem` why `text`, as it stands in `file`, is no record: null for a good one."""

OBJECTS = (
    "queueName",
    "baseObjectName",
    "channelName",
    "processName",
    "namelistName",
    "topicName",
    "authInfoName",
    "objectName",
)
LONGEST = 2000  # characters of a bad piece that are kept
HEAD = 400  # lines that are looked at for the layout
LAST = 253_402_300_800  # the epoch of the year 10000
FIRST = '"eventSource"'  # what amqsevt begins each record with
_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")


class Instrumentation(NamedTuple):
    """What was read: `records`, all of it with the columns of SCHEMA."""

    records: DataFrame

    @property
    def events(self) -> DataFrame:
        """The good records: the columns of SCHEMA but problem and text."""
        return self.records.where("problem is null").drop("problem", "text")

    @property
    def bad(self) -> DataFrame:
        """What was no record: file, problem, text (the first characters of it)."""
        return self.records.where("problem is not null").select("file", "problem", "text")

    def counts(self) -> DataFrame:
        """How many records there are of each kind: class, reason_name, `records`; the bad ones are of class "bad"."""
        from pyspark.sql import functions as F

        named = self.records.withColumn("class", F.coalesce("class", F.lit("bad")))
        return named.groupBy("class", "reason_name").agg(F.count("*").alias("records")).orderBy("class", "reason_name")


def read_instrumentation(spark: SparkSession, path, partitions: int | None = None) -> Instrumentation:
    """Read what `amqsevt -o json`, `json_compact` or `json_array` wrote: an `Instrumentation`.

    `path` is a file, a folder or a pattern, on any file system that Spark knows, and the files may be larger than
    memory, unless another tool has sorted their keys; those of one call have one layout. LabError if there is nothing
    to read, or nothing of amqsevt's at its beginning.
    """
    from pyspark.errors import PySparkException

    where = str(path)
    try:
        separator = _separator(spark, where)
        how = {"wholetext": True} if separator is None else {"lineSep": separator}
        # as bytes: a text that is not UTF-8 would end the task
        pieces = spark.read.text(where, **how).selectExpr("_metadata.file_path as file", "cast(value as binary) value")
    except PySparkException as error:
        raise LabError(
            f"events of amqsevt wanted: a file that Spark can read; {where} is not ({first_line(error)}). "
            f"Write one with amqsevt -m QM1 -o json"
        ) from None
    key = FIRST if separator == FIRST else ""
    pieces = pieces if partitions is None else pieces.repartition(partitions)

    def parse(batches):
        import pandas as pd

        for batch in batches:
            rows = [
                row
                for file, piece in zip(batch["file"], batch["value"], strict=True)
                for row in _rows(file, piece, key)
            ]
            yield pd.DataFrame(rows, columns=[field.split()[0] for field in SCHEMA.split(", ")], dtype=object)

    return Instrumentation(pieces.mapInPandas(parse, SCHEMA))


def _separator(spark, where: str) -> str | None:
    """What to cut the files by: line ends where a line is a whole record; what amqsevt begins each record with, which
    leaves pieces that lack it; None, not at all, where another tool has sorted the keys."""
    head = [row.value for row in spark.read.text(where).limit(HEAD).collect()]
    written = [line.strip(" \t\r,[]") for line in head if line.strip(" \t\r,[]")]
    if not written:
        raise LabError(f"events of amqsevt wanted; {where} is empty. Write some with amqsevt -m QM1 -o json")
    if any(_is_record(line) for line in written):
        return "\n"
    beginning = "".join(written)
    if not beginning.startswith("{"):
        if FIRST in beginning:  # after the end of a record whose beginning another file has, or what a tool said
            return FIRST
        raise LabError(
            f"events of amqsevt wanted: JSON objects; {where} begins with {written[0][:60]!r}. "
            f"Write some with amqsevt -m QM1 -o json"
        )
    return FIRST if beginning[1:].lstrip().startswith(FIRST) else None


def _is_record(line: str) -> bool:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "eventType" in found


def _rows(file: str, piece: bytes, key: str) -> Iterator[tuple]:
    """The records of one piece, and what else is in it. `key` is the cut that the piece came after, "" for none."""
    try:
        text, spoilt = piece.decode(), False
    except UnicodeDecodeError:
        text, spoilt = piece.decode(errors="replace"), True
    if key and text.lstrip()[:1] == ":":
        text = "{" + key + text
    if key:
        text = text.rstrip().removesuffix("{")  # the brace that opens the next record
    at, decode = _BETWEEN.match(text).end(), json.JSONDecoder().raw_decode
    while at < len(text):
        try:
            found, end = decode(text, at)
            problem = "not UTF-8" if spoilt and "\ufffd" in text[at:end] else _problem(found)
        except (ValueError, RecursionError) as error:  # ValueError: a number of thousands of digits, too
            end = text.find("\n{", at + 1)
            end = len(text) if end < 0 else end
            problem = f"not JSON: {getattr(error, 'msg', error)}"
        yield _bad(file, problem, text[at:end].rstrip(" \t\r\n,]")) if problem else _good(file, found)
        at = _BETWEEN.match(text, end).end()


def _problem(found) -> str | None:
    """Why an object is no record of amqsevt's, None if it is one."""
    if not isinstance(found, dict):
        return f"an object wanted, got {type(found).__name__}"
    parts = [
        name
        for name in ("eventSource", "eventType", "eventReason", "eventCreation", "eventData")
        if not isinstance(found.get(name), dict)
    ]
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


def _is_int(value) -> bool:
    """Whether it is a number that a column of type int holds."""
    return type(value) is int and abs(value) < 2**31


def _text(value) -> str | None:
    """A value as a text that a column holds: what is no text as JSON, half of a character as a question mark."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace").decode()


def _good(file: str, found: dict) -> tuple:
    import pandas as pd

    kind, reason, data = found["eventType"], found["eventReason"], found["eventData"]
    context = data.get("commandContext") if isinstance(data.get("commandContext"), dict) else {}
    about = data.get("commandData") if isinstance(data.get("commandData"), dict) else data
    qmgr = data.get("queueMgrName") or data.get("eventQueueMgr") or context.get("eventQueueMgr")
    return (
        file,
        CLASSES.get(kind["value"], "other"),
        kind["value"],
        _text(kind.get("name")),
        reason.get("value"),
        _text(reason.get("name")),
        pd.Timestamp(found["eventCreation"]["epoch"], unit="s", tz="UTC"),
        _text(qmgr or found["eventSource"].get("queueMgr")),
        _text(found["eventSource"].get("objectName")),
        next((_text(about[name]).strip() for name in OBJECTS if about.get(name)), None),
        _text(found.get("objectState")),
        _text(found.get("correlationID")),
        _text(data),
        None,
        None,
    )


def _bad(file: str, problem: str, text: str) -> tuple:
    return (file, *[None] * 12, problem, text[:LONGEST])
