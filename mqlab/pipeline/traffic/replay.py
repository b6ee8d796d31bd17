"""Replay: a trace's calls made on a queue manager, one after the other, as the applications would."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.words.errors import LabError, MQError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

    from ...lab.lab import Lab
    from ...lab.queue_manager import QueueManager

DAY_START = "2025-01-06T00:00:00Z"
"""When the day of the sample begins."""
SAMPLE = "datasets/retail-day.parquet"
TRACE_VERSION = 1


class Row(NamedTuple):
    """One call to be made; `verb` is put, get, browse, commit, backout or close."""

    call: int
    time_us: int
    program: str
    verb: str
    queue: str | None = None
    unit: int | None = None
    after: int | None = None
    unless: int | None = None
    match: int | None = None
    priority: int | None = None
    persistent: bool | None = None
    expiry: int | None = None
    report: int | None = None
    reply_to_q: str | None = None
    size: int | None = None
    flawed: bool | None = None


COLUMNS = Row._fields  # datasets/README.md explains each
EXPECTED = frozenset({2016, 2033, 2051, 2053})  # an application lives with these: a replay counts them and goes on


class Known(NamedTuple):
    msg_id: bytes | None
    reply_to_q: str


OPTIONS: dict[str, dict[str, Any]] = {"put": {"output": True}, "get": {"input": "as_q_def"}, "browse": {"browse": True}}
VERBS = (*OPTIONS, "commit", "backout", "close")
STEP = 2000
KEPT = ("priority", "persistent", "expiry", "msg_id", "correl_id")  # what a message keeps on its way to BOQNAME


class Playback:
    """The calls of a trace on one queue manager, with the columns that datasets/README.md explains. A program reacts:

    * a call that names an earlier one in `after` is made only if that one worked; a put after a get carries the MsgId
      of the message got as its CorrelId, and goes to that message's ReplyToQ where the trace names no queue;
    * a call that names one in `unless` is made only if that one was made and failed;
    * a get that names a put in `match` asks for the CorrelId that is that message's MsgId, if that put worked;
    * a commit or backout is made only if something in its unit of work worked;
    * a program that finds a message it cannot read (its body is cut off) backs out, until the BackoutCount has reached
      BOTHRESH; then it puts it to BOQNAME and commits.

    A trace has no users, so its programs are asked for no authority. LabError unless `lab_or_qm` is a queue manager or
    a lab with one, and `table` a trace.
    """

    def __init__(self, lab_or_qm: Lab | QueueManager, table: pa.Table):
        self.qm = _queue_manager(lab_or_qm)
        self._rows = _rows(table)
        self.qm.guard = None
        self._next = 0
        self.calls: Counter = Counter()
        self.reasons: Counter = Counter()
        self._application = cache(self.qm.connect)
        self._handles: dict = {}
        self._units: dict = {}
        self._spare: dict = {}
        self._unread: dict = {}
        self._worked: dict = {}
        self._failed: set[int] = set()
        self._named = {call for row in self._rows for call in (row.after, row.unless, row.match) if call is not None}

    def run(self, until_us: int | None = None, progress: Callable[[int, int], object] | None = None) -> dict:
        """Make the calls up to and including `until_us` (microseconds; None: all), and return the counts so far: calls
        by verb, "skipped", and "reasons" as {MQRC: times}. An MQError that is not in EXPECTED is raised."""
        advance_to, rows, calls = self.qm.lab.advance_to, self._rows, self.calls
        while self._next < len(rows):
            row = rows[self._next]
            if until_us is not None and row.time_us > until_us:
                break
            if progress is not None and self._next % STEP == 0:
                progress(self._next, len(rows))
            advance_to(row.time_us)
            self._next += 1
            if self._due(row):
                calls[row.verb] += 1
                self._make(row)
            else:
                calls["skipped"] += 1
        if until_us is not None:
            advance_to(until_us)
        if self._next == len(rows):
            self.close()
        if progress is not None:
            progress(self._next, len(rows))
        return {**calls, "reasons": dict(sorted(self.reasons.items()))}

    def close(self) -> None:
        """Let every program disconnect."""
        for program in list(self._spare):
            self._spare.pop(program).commit()
        for key in list(self._handles):
            self._handles.pop(key).close()

    def _due(self, row: Row) -> bool:
        """Whether the program makes this call at all."""
        if any(call is not None and call not in self._worked for call in (row.after, row.match)):
            return False
        if row.unless is not None and row.unless not in self._failed:
            return False
        return row.verb not in ("commit", "backout") or row.unit in self._units

    def _make(self, row: Row) -> None:
        if row.verb in ("commit", "backout"):
            self._end(row)
        elif row.verb == "close":
            for key in [key for key in self._handles if key[0] == row.program and key[2] == row.queue]:
                self._handles.pop(key).close()
        else:
            unit = None
            if row.unit is not None:  # begun earlier, or left empty by this program, or new
                begun = self._units.get(row.unit) or self._spare.pop(row.program, None)
                unit = begun or self._application(row.program).unit_of_work()
            try:
                message = getattr(self, f"_{row.verb}")(row, unit)
            except MQError as error:
                if error.reason not in EXPECTED:
                    raise
                self.reasons[error.reason] += 1
                if row.call in self._named:
                    self._failed.add(row.call)
                if unit is not None and row.unit not in self._units:
                    self._spare[row.program] = unit
                return
            if row.call in self._named:
                self._worked[row.call] = Known(message.msg_id, message.reply_to_q)
            if unit is not None:
                self._units[row.unit] = unit

    def _put(self, row: Row, unit: Any) -> Any:
        answered = Known(None, "") if row.after is None else self._worked[row.after]
        body = json.dumps({"call": row.call, "from": row.program})
        body = body[:-1] if row.flawed else body.ljust(row.size or 0)
        kept = {"priority": row.priority, "persistent": row.persistent, "report": row.report or 0}
        reply = {"correl_id": answered.msg_id, "reply_to_q": row.reply_to_q or ""}
        handle = self._handle(row, row.queue or answered.reply_to_q)
        return handle.put(body.encode(), unit=unit, expiry=-1 if row.expiry is None else row.expiry, **kept, **reply)

    def _get(self, row: Row, unit: Any) -> Any:
        wanted = None if row.match is None else self._worked[row.match].msg_id
        handle = self._handle(row, row.queue)
        message = handle.get(correl_id=wanted, unit=unit)
        if unit is not None and not message.body.rstrip().endswith(b"}"):
            self._unread[row.unit] = (message, handle.queue)
        return message

    def _browse(self, row: Row, unit: Any) -> Any:
        return self._handle(row, row.queue).browse_first()

    def _end(self, row: Row) -> None:
        """Commit or back out; with a message in hand that cannot be read, do what its queue's BOTHRESH advises."""
        unit, unread = self._units.pop(row.unit), self._unread.pop(row.unit, None)
        if row.verb == "commit" and unread is not None:
            message, queue = unread
            advice = queue.definition.attributes
            if not advice["BOQNAME"] or not 0 < advice["BOTHRESH"] <= message.backout_count:
                unit.backout()
                return
            kept = {name: getattr(message, name) for name in KEPT}
            self._handle(row._replace(verb="put"), advice["BOQNAME"]).put(message.body, unit=unit, **kept)
        unit.commit() if row.verb == "commit" else unit.backout()

    def _handle(self, row: Row, queue: str | None) -> Any:
        key = (row.program, row.verb, queue)
        if key not in self._handles:
            self._handles[key] = self._application(row.program).open(queue, **OPTIONS[row.verb])
        return self._handles[key]


def load(path: str | Path) -> pa.Table:
    """Read a trace from a parquet file; LabError, naming the file, if it is missing or is not parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path)
    except FileNotFoundError:
        raise LabError(f"a trace must be a parquet file; {path} does not exist. A checkout has {SAMPLE}") from None
    except pa.ArrowInvalid as error:
        raise LabError(f"a trace must be a parquet file; {path} is not one ({error})") from None


def replay(
    lab_or_qm: Lab | QueueManager,
    table: pa.Table,
    progress: Callable[[int, int], object] | None = None,
    until_us: int | None = None,
) -> dict:
    """Make a trace's calls on a lab with one queue manager, or on a queue manager: see `Playback` and its `run`."""
    return Playback(lab_or_qm, table).run(until_us, progress)


def _queue_manager(lab_or_qm: Lab | QueueManager) -> Any:
    managers = getattr(lab_or_qm, "queue_managers", None)
    if managers is None:
        return lab_or_qm
    if len(managers) != 1:
        raise LabError(
            f"a replay needs one queue manager; the lab has {len(managers)}. Give the one you mean: "
            f'replay(lab["QM1"], ...)'
        )
    return managers[0]


def _rows(table: pa.Table) -> list[Row]:
    names = getattr(table, "column_names", None)
    if names is None or tuple(names) != COLUMNS:
        got = type(table).__name__ if names is None else f"columns {', '.join(names)}"
        raise LabError(
            f"a trace must be a pyarrow.Table with the columns {', '.join(COLUMNS)}; got {got}. "
            f"Read one: mqlab.pipeline.traffic.load({SAMPLE!r})"
        )
    version = (table.schema.metadata or {}).get(b"mqlab_traffic_version", b"none").decode()
    if version != str(TRACE_VERSION):
        raise LabError(f"the trace must have version {TRACE_VERSION}; got {version}. Read {SAMPLE}")
    rows = [Row(*values) for values in zip(*(column.to_pylist() for column in table.columns), strict=True)]
    if wrong := next((row for row in rows if row.verb not in VERBS), None):
        raise LabError(f"the verb of call {wrong.call} must be one of {', '.join(VERBS)}; got {wrong.verb!r}")
    return rows
