"""Chrome's Trace Event Format, which Perfetto, speedscope, and chrome://tracing open.

A queue manager is a process, and a program is a thread with one long slice for its time in the log. A row is an instant
with its columns; a slice of its name lasts until the program's next row, if time passes until then. A stay of a message
on a queue is an asynchronous slice, the depth of a queue a counter, and a cause an arrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring_ascii as quoted
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from ..engine.words.constants import REASONS
from ..engine.world.event_kinds import CHANGES_DEPTH, LEAVES
from .source import Fact, Row, Rows

NO_PROGRAM = "no program"
"""The thread of the rows that name no program."""

_EXACT = 2**53  # a viewer in JavaScript takes whole numbers up to here
_ARGUMENTS = ("seq", "rule", "message", "uow", "depth", "expiry_left", "cause", "detail")
_given = attrgetter(*_ARGUMENTS)


def _process(qmgr: str | None) -> str:
    return qmgr or "no queue manager"


def _tracks(rows: Iterable[Row]) -> Iterator[Fact]:
    """When the rows of a program begin and end."""
    times: dict[tuple[str, str], tuple[int, int]] = {}
    for row in rows:
        event, time = row.event, row.event.time_us
        track = _process(event.qmgr), event.program or NO_PROGRAM
        first, last = times.get(track, (time, time))
        times[track] = min(first, time), max(last, time)
    for track, (first, last) in times.items():
        yield Fact(*track, 0, -first, str(first))
        yield Fact(*track, 1, last, str(last))


class _Numbers(NamedTuple):
    """The numbers of processes and of threads, counted from 1."""

    processes: dict[str, int]
    threads: dict[tuple[str, str], int]

    def text(self, qmgr: str | None, program: str | None) -> str:
        """The two numbers that place a record on a thread."""
        process = _process(qmgr)
        return f'"pid":{self.processes[process]},"tid":{self.threads[process, program or NO_PROGRAM]}'


def write(rows: Rows, path: Path) -> None:
    """Write a log as a Chrome trace; its times are microseconds of the log's clock."""
    numbers, heads = _Numbers({}, {}), []
    for process, thread, end, _, time in rows.facts(_tracks):
        if end == 0:
            heads += list(_named(numbers, process, thread))
            since = int(time)
        elif int(time) > since:
            length, place = int(time) - since, numbers.text(process, thread)
            heads.append(f'{{"name":{quoted(thread)},"cat":"program","ph":"X","ts":{since},"dur":{length},{place}}}')
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f'{{"otherData":{{"start":"{rows.start.isoformat()}"}},"displayTimeUnit":"ms",')
        file.write('"traceEvents":[\n')
        file.write(",\n".join(heads))
        for row in rows.linked():
            file.writelines(f",\n{record}" for record in _records(numbers, row))
        file.write("\n]}\n")


def _named(numbers: _Numbers, process: str, thread: str) -> Iterator[str]:
    """Number a thread, and its process if that is new, and name them."""
    if process not in numbers.processes:
        numbers.processes[process] = len(numbers.processes) + 1
    numbers.threads[process, thread] = len(numbers.threads) + 1
    place = numbers.text(process, thread)
    for what, name in (("process_name", process), ("thread_name", thread)):
        yield f'{{"name":"{what}","cat":"__metadata","ph":"M","ts":0,{place},"args":{{"name":{quoted(name)}}}}}'


def _records(numbers: _Numbers, row: Row) -> Iterator[str]:
    """Yield the records of a row in the trace."""
    event = row.event
    moment = f'"ts":{event.time_us},{numbers.text(event.qmgr, event.program)}'
    name = quoted(f"{event.kind} {event.object or ''}{f' {event.reason}' if event.reason else ''}".strip())
    if row.next_us is not None and row.next_us > event.time_us:
        # without columns, because speedscope takes slices with other columns for other functions
        yield f'{{"name":{name},"cat":"event","ph":"X","dur":{row.next_us - event.time_us},{moment}}}'
    values = zip(_ARGUMENTS, _given(event), strict=True)
    arguments = [f'"{key}":{_exact(value)}' for key, value in values if value is not None]
    if event.reason is not None:
        arguments.append(f'"reason":{quoted(f"{event.reason} {REASONS.get(event.reason, str())}".strip())}')
    yield f'{{"name":{name},"cat":"event","ph":"i","s":"t",{moment},"args":{{{",".join(arguments)}}}}}'
    if event.object and event.object_type is not None and event.kind in CHANGES_DEPTH:
        if event.message is not None:
            phase, id = "e" if event.kind in LEAVES else "b", quoted(f"message {event.message}")
            stay = f'"name":{quoted(event.object)},"cat":"stay","ph":"{phase}","id":{id}'
            yield f'{{{stay},{moment},"args":{{"message":{_exact(event.message)}}}}}'
        if event.depth is not None:
            name = quoted(f"depth of {event.object}")
            yield f'{{"name":{name},"cat":"depth","ph":"C",{moment},"args":{{"messages":{event.depth}}}}}'
    if row.cause is not None:
        since, *thread = row.cause
        arrow = f'"name":"cause","cat":"cause","id":{quoted(str(event.seq))}'
        yield f'{{{arrow},"ph":"s","ts":{since},{numbers.text(*thread)}}}'
        yield f'{{{arrow},"ph":"f","bp":"e",{moment}}}'


def _exact(value: str | int) -> str:
    """A value in JSON, as JavaScript can hold it: a whole number that it would round is text."""
    return str(value) if isinstance(value, int) and abs(value) <= _EXACT else quoted(str(value))
