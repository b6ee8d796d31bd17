"""OCEL 2.0, the format of object-centric process mining, as JSON.

Every row is an event whose type is its kind. Its objects are the message, the queue or other object it is about, the
program, the unit of work, and the queue manager. A queue belongs to its queue manager, and its depth changes with time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from itertools import chain, groupby
from json.encoder import encode_basestring_ascii as quoted
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from ..engine.extra import dialect_of, of_extras
from ..engine.world.event_kinds import CHANGES_DEPTH
from .source import Fact, Row, Rows, iso

EVENT_ATTRIBUTES = {
    "rule": "string", "reason": "integer", "depth": "integer", "expiry_left": "integer", "put_us": "integer",
    "arrived_us": "integer", "cause": "string", "detail": "string",
}  # fmt: skip
"""The columns that are attributes of an event, with their OCEL types; `cause` is the id of another event."""

OBJECT_ATTRIBUTES = {
    "message": {"msg_id": "string", "priority": "integer", "persistent": "boolean"},
    "queue": {"object_type": "string", "depth": "integer"},
}
"""The attributes of objects by type; other types have none. `depth` changes with time, the others stay."""

ALWAYS = "1970-01-01T00:00:00Z"
"""The time of an attribute that an object has from its beginning, as OCEL writes it."""

_EVENT_TYPE = ""  # facts about it come first
_json = json.JSONEncoder(separators=(",", ":")).encode


class Object(NamedTuple):
    """An object of a row, how it takes part in the event, and the object that it belongs to ("" for none)."""

    type: str
    id: str
    qualifier: str
    owner: str = ""


def objects(row: Row) -> tuple[Object, ...]:
    """The objects that a row is about; names are followed by @ and their queue manager."""
    return (*_message(row), *_named(*_names(row)), *_unit(row))


def _message(row: Row) -> tuple[Object, ...]:
    number = row.event.message
    return () if number is None else (Object("message", f"message {number}", "of"),)


def _unit(row: Row) -> tuple[Object, ...]:
    number = row.event.uow
    return () if number is None else (Object("unit of work", f"unit of work {number}", "in"),)


def _names(row: Row) -> tuple[str | None, str | None, str | None, str | None]:
    """Return the values of a row that `_named` needs."""
    event = row.event
    return event.qmgr, event.object, event.object_type, event.program


@lru_cache(100_000)
def _named(qmgr: str | None, object: str | None, object_type: str | None, program: str | None) -> tuple[Object, ...]:
    """The objects that have names."""
    owner, objects = f"queue manager {qmgr}" if qmgr else "", []
    if object:
        type = _type(object_type)
        objects.append(Object(type, f"{type} {object}@{qmgr or ''}", "on", owner))
    if program:
        objects.append(Object("program", f"program {program}@{qmgr or ''}", "by", owner))
    if owner:
        objects.append(Object("queue manager", owner, "at"))
    return tuple(objects)


def _type(object_type: str | None) -> str:
    """The OCEL type for an object of MQ; a name without a type is that of a queue which a call asked for in vain."""
    if object_type is None or dialect_of(object_type) is not None or re.match(r"Q(?!MGR)", object_type):
        return "queue"
    return of_extras("nodes").get(object_type) or object_type.split()[0].lower()


_given = attrgetter(*EVENT_ATTRIBUTES)


def values(row: Row) -> list[tuple[str, str | int]]:
    """The attributes that a row gives its event."""
    attributes = zip(EVENT_ATTRIBUTES, _given(row.event), strict=True)
    return [(key, f"event {value}" if key == "cause" else value) for key, value in attributes if value is not None]


def facts(rows: Iterable[Row]) -> Iterator[Fact]:
    """Yield the facts of rows about types of events and about objects. The value of a fact about an object is JSON: at
    -1 its constant attributes and its owner; at the time of a change the depth."""
    known: set[tuple] = set()  # the facts that need not be repeated
    for row in rows:
        event = row.event
        names = _names(row)
        message = event.message, event.msg_id, event.priority, event.persistent
        unit = ("unit of work", event.uow)
        shape = (event.kind, *[value is None for value in _given(event)])
        if shape not in known:
            yield Fact(_EVENT_TYPE, event.kind, -1, 0, "")
            for number, missing in enumerate(shape[1:]):
                if not missing:
                    yield Fact(_EVENT_TYPE, event.kind, number, 0, "")
        new = [
            *(() if message in known else _message(row)),
            *(() if names in known else _named(*names)),
            *(() if unit in known else _unit(row)),
        ]
        for object in new:
            yield _standing(row, object)
        if event.depth is not None and event.kind in CHANGES_DEPTH:
            for object in _named(*names):
                if object.type == "queue":
                    yield Fact("queue", object.id, event.time_us, event.seq, str(event.depth))
        known |= {shape, message, names, unit}


def _standing(row: Row, object: Object) -> Fact:
    """Return a row's constant facts about an object; the first row with the most attributes counts."""
    event, fixed = row.event, dict[str, Any]()
    if object.type == "message":
        fixed = {"msg_id": event.msg_id and event.msg_id.hex(), "priority": event.priority}
        fixed["persistent"] = event.persistent
    elif object.type == "queue":
        fixed["object_type"] = event.object_type
    known = {name: value for name, value in fixed.items() if value is not None}
    return Fact(object.type, object.id, -1, (len(known) << 56) - event.seq, _json([known, object.owner]))


def written(value: object) -> str:
    """Return a value of an attribute as JSON text: OCEL's schema takes only text, and declares the type elsewhere."""
    return quoted(str(value).lower() if isinstance(value, bool) else str(value))


def _event(start: datetime, row: Row) -> str:
    """A row as an event in JSON, which begins with a comma."""
    event = row.event
    attributes = ",".join([f'{{"name":"{name}","value":{written(value)}}}' for name, value in values(row)])
    relationships = "".join([_related_all(_message(row)), _related_names(_names(row)), _related_all(_unit(row))])
    return (
        f',\n{{"id":{quoted(f"event {event.seq}")},"type":{quoted(event.kind)},'
        f'"time":"{iso(start, event.time_us)}","attributes":[{attributes}],"relationships":[{relationships[1:]}]}}'
    )


@lru_cache(100_000)
def _related_names(names: tuple) -> str:
    return _related_all(_named(*names))


def _related_all(objects: Iterable[Object]) -> str:
    """Relationships to objects; each begins with a comma."""
    return "".join([f",{_related(each.id, each.qualifier)}" for each in objects])


def _related(id: str, qualifier: str) -> str:
    return f'{{"objectId":{quoted(id)},"qualifier":"{qualifier}"}}'


Known = tuple[str, str, str, Iterator[tuple[int, dict[str, Any]]]]
"""Type, id, and owner of an object, and what is known of it: at -1 what stays, and then its changes by time."""


def _known(facts: Iterable[Fact]) -> Iterator[Known]:
    for (type, id), those in groupby(facts, key=attrgetter("subject", "name")):
        rest = iter(those)
        stays, owner = json.loads(next(rest).value)
        changes = ((fact.number, {"depth": int(fact.value)}) for fact in rest)
        yield type, id, owner, chain([(-1, stays)], changes)


def write_json(rows: Rows, path: Path) -> None:
    """Write a log as OCEL 2.0 JSON."""
    names = list(EVENT_ATTRIBUTES.items())
    events, types = dict[str, dict[str, str]](), dict[str, dict[str, str]]()

    def objects() -> Iterator[str]:
        for type, those in groupby(rows.facts(facts), key=attrgetter("subject")):
            if type == _EVENT_TYPE:
                for fact in those:
                    attributes = events.setdefault(fact.name, {})
                    attributes.update([names[fact.number]] if fact.number >= 0 else [])
                continue
            types[type] = OBJECT_ATTRIBUTES.get(type, {})
            for known in _known(those):
                yield from _object(rows.start, known)

    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write('{"objects":[')
        _separated(file, objects())
        file.write('\n],\n"objectTypes":')
        file.write(_declared(types))
        file.write(',\n"eventTypes":')
        file.write(_declared(events))
        file.write(',\n"events":[')
        _separated(file, (_event(rows.start, row) for row in rows.plain()))
        file.write("\n]}\n")


def _object(start: datetime, known: Known) -> Iterator[str]:
    """An object in pieces, because a queue may have as many changes as the log has rows."""
    type, id, owner, values = known
    owners, comma = _related(owner, "of") if owner else "", ""
    yield f',\n{{"id":{quoted(id)},"type":{quoted(type)},"relationships":[{owners}],"attributes":['
    for time, given in values:
        since = ALWAYS if time < 0 else iso(start, time)
        for name, value in given.items():
            yield f'{comma}{{"name":"{name}","time":"{since}","value":{written(value)}}}'
            comma = ","
    yield "]}"


def _declared(types: dict[str, dict[str, str]]) -> str:
    declared = []
    for name, attributes in types.items():
        listed = [{"name": attribute, "type": type} for attribute, type in attributes.items()]
        declared.append({"name": name, "attributes": listed})
    return _json(declared)


def _separated(file: TextIO, texts: Iterable[str]) -> None:
    """Write texts that begin with a comma, the first of them without it."""
    empty = True
    for text in texts:
        file.write(text[1:] if empty else text)
        empty = False
    if empty:
        file.write("\n")
