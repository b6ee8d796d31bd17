"""An event, which is a row of the log, and its columns: the one place that defines them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from ..words.shown import shown


class Column(NamedTuple):
    """About a column: its name, its type ("name" is text that repeats), its unit, when it is null, and its meaning."""

    name: str
    type: str
    unit: str
    null: str
    meaning: str


def about(table: str) -> tuple[Column, ...]:
    """The columns of a table in text: a line for each, its cells between bars."""
    return tuple(Column(*(cell.strip() for cell in line.split("|"))) for line in table.strip().splitlines())


ABOUT = about("""
seq         | int64  | number         | never                        | the number of the row in its lab, from 0
time_us     | int64  | microseconds   | never                        | when it happened, since the lab's start
qmgr        | name   |                | if none is involved          | the queue manager, queue sharing group, or device
kind        | name   |                | never                        | the kind of event: put, get, discard, commit, trigger, channel, ...
object      | name   |                | if none is involved          | the queue, channel, or other object of the event
object_type | name   |                | if there is no such object   | the type of that object, such as QLOCAL
message     | int64  | number         | if no message is involved    | the message; a message that is moved keeps its number
msg_id      | binary | 24 bytes       | if no message is involved    | the MsgId of the message, unique in its lab
program     | name   |                | if none acts                 | the program that made the call
uow         | int64  | number         | outside of a unit of work    | the unit of work of the call
priority    | int32  | 0 to 9         | if no message is involved    | the priority of the message
persistent  | bool   |                | if no message is involved    | whether the message is persistent
expiry_left | int64  | 0.1 seconds    | if unlimited, or no message  | the remaining expiry time; less than 0 after the message expired
depth       | int64  | messages       | if no queue is involved      | the CURDEPTH of the queue after the row
put_us      | int64  | microseconds   | if no message is involved    | when the message was first put, since the lab's start
arrived_us  | int64  | microseconds   | if no message is involved    | when the message arrived on this queue, since the lab's start
reason      | int32  | MQRC           | if the call returned none    | the reason code that the call returned
rule        | name   | ID             | if no rule decided it        | the rule that caused the event, in the rule book
cause       | int64  | number         | if no row led to it          | the `seq` of the row that led to this row
detail      | string | JSON           | if there is no more to say   | more about the event, short
""")  # noqa: E501  a line is a row
"""The columns of schema versions 1 and 2, in their order."""


_TYPES = {"name": "text", "string": "text", "binary": "bytes"}


def described(columns: Iterable[Column]) -> str:
    """The table of columns as Markdown: name, type, unit, null, and meaning."""
    head: tuple[str, ...] = ("column", "type", "unit", "null", "meaning")
    rows: list[tuple[str, ...]] = [(f"`{each.name}`", _TYPES.get(each.type, each.type), *each[2:]) for each in columns]
    widths = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]
    rows = [head, tuple("-" * width for width in widths), *rows]
    return "\n".join(f"| {' | '.join(map(str.ljust, row, widths))} |" for row in rows)


SCHEMA_VERSION = 2
"""Version 1 had sentences in `detail`; `mqlab.formats.old_log` reads their facts."""
READABLE = tuple(map(str, range(1, SCHEMA_VERSION + 1)))
"""The versions of files that can be read."""


_NONE: Mapping[str, Any] = MappingProxyType({})


@lru_cache(4096)
def _facts(detail: str) -> Mapping[str, Any]:
    return MappingProxyType(json.loads(detail))


@shown
class Event(NamedTuple):
    """One row of the log, schema version 2. Times are simulated."""

    seq: int
    time_us: int
    qmgr: str | None
    kind: str
    object: str | None
    object_type: str | None
    message: int | None
    msg_id: bytes | None
    program: str | None
    uow: int | None
    priority: int | None
    persistent: bool | None
    expiry_left: int | None
    depth: int | None
    put_us: int | None
    arrived_us: int | None
    reason: int | None
    rule: str | None
    cause: int | None
    detail: str | None

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts in `detail`, by name; empty if there is no detail."""
        return _facts(self.detail) if self.detail else _NONE


COLUMNS = Event._fields


Event.__doc__ = f"{Event.__doc__}\n\n{described(ABOUT)}"
