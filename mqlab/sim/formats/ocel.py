"""OCEL 2.0, the format of object-centric process mining, as JSON.

Every row is an event whose type is its kind. Its objects are the message, the queue or other object it is about, the
program, the unit of work, and the queue manager. A queue belongs to its queue manager, and its depth changes with time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache, partial
from itertools import chain, groupby
from json.encoder import encode_basestring_ascii as quoted
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from ..event_kinds import CHANGES_DEPTH
from .source import Fact, Row, Source, iso

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
    event = row.event
    found = _named(row.lab, event.qmgr, event.object, event.object_type, event.program)
    if event.message is not None:
        found = (Object("message", f"{row.lab}message {event.message}", "of"), *found)
    if event.uow is not None:
        found = (*found, Object("unit of work", f"{row.lab}unit of work {event.uow}", "in"))
    return found


@lru_cache(100_000)
def _named(
    lab: str, qmgr: str | None, object: str | None, object_type: str | None, program: str | None
) -> tuple[Object, ...]:
    """The objects that have names."""
    owner, found = f"{lab}queue manager {qmgr}" if qmgr else "", []
    if object:
        type = _type(object_type)
        found.append(Object(type, f"{lab}{type} {object}@{qmgr or ''}", "on", owner))
    if program:
        found.append(Object("program", f"{lab}program {program}@{qmgr or ''}", "by", owner))
    if owner:
        found.append(Object("queue manager", owner, "at"))
    return tuple(found)


def _type(object_type: str | None) -> str:
    """The OCEL type for an object of MQ; a name without a type is that of a queue which a call asked for in vain."""
    if object_type is None or object_type.startswith("MQE.") or re.match(r"Q(?!MGR)", object_type):
        return "queue"
    return {"CFSTRUCT": "structure"}.get(object_type) or object_type.split()[0].lower()


_given = attrgetter(*EVENT_ATTRIBUTES)


def values(row: Row) -> list[tuple[str, str | int]]:
    """The attributes that a row gives its event."""
    given = [
        (name, value) for name, value in zip(EVENT_ATTRIBUTES, _given(row.event), strict=True) if value is not None
    ]
    return [(name, f"{row.lab}event {value}" if name == "cause" else value) for name, value in given]


def facts(rows: Iterable[Row]) -> Iterator[Fact]:
    """What rows state about types of events and about objects. The value of a fact about an object is JSON: its
    attributes and its owner; `number` is the time of a change, and -1 for what stays."""
    told: set[Any] = set()  # what need not be said again
    for row in rows:
        event = row.event
        shape = (event.kind, *[value is None for value in _given(event)])
        if shape not in told:
            told.add(shape)
            yield Fact(_EVENT_TYPE, event.kind, -1, 0, "")
            for number, missing in enumerate(shape[1:]):
                if not missing:
                    yield Fact(_EVENT_TYPE, event.kind, number, 0, "")
        for each in objects(row):
            if each.type == "queue" and event.kind in CHANGES_DEPTH and event.depth is not None:
                yield Fact("queue", each.id, event.time_us, event.seq, f'[{{"depth":{event.depth}}},""]')
            about = each, event.object_type if each.type == "queue" else event.msg_id
            if about not in told:
                told.add(about)
                yield _standing(row, each)


def _standing(row: Row, each: Object) -> Fact:
    """What a row states about an object that stays so; the first row that says most holds."""
    event, fixed = row.event, dict[str, Any]()
    if each.type == "message":
        fixed = {"msg_id": event.msg_id and event.msg_id.hex(), "priority": event.priority}
        fixed["persistent"] = event.persistent
    elif each.type == "queue":
        fixed["object_type"] = event.object_type
    known = {name: value for name, value in fixed.items() if value is not None}
    return Fact(each.type, each.id, -1, (len(known) << 56) - event.seq, _json([known, each.owner]))


def written(value: object) -> str:
    """A value of an attribute in JSON, where OCEL's schema takes text only and the declared type says what it is."""
    return quoted(str(value).lower() if isinstance(value, bool) else str(value))


def _event(start: datetime, row: Row) -> Iterator[str]:
    """A row as an event in JSON."""
    event = row.event
    told = ",".join([f'{{"name":"{name}","value":{written(value)}}}' for name, value in values(row)])
    about = ",".join([_related(each.id, each.qualifier) for each in objects(row)])
    yield (
        f'{{"id":{quoted(f"{row.lab}event {event.seq}")},"type":{quoted(event.kind)},'
        f'"time":"{iso(start, event.time_us)}","attributes":[{told}],"relationships":[{about}]}}'
    )


def _related(id: str, qualifier: str) -> str:
    return f'{{"objectId":{quoted(id)},"qualifier":"{qualifier}"}}'


class Types:
    """The types of events and objects that a log has, known once the facts about its objects are read."""

    def __init__(self, source: Source):
        self.events: dict[str, dict[str, str]] = {}
        self.objects: dict[str, dict[str, str]] = {}
        self._facts = source.facts(facts)
        self._first: list[Fact] = []
        names = list(EVENT_ATTRIBUTES.items())
        for fact in self._facts:
            if fact.about != _EVENT_TYPE:
                self._first.append(fact)
                break
            attributes = self.events.setdefault(fact.name, {})
            if fact.number >= 0:
                attributes.update([names[fact.number]])

    def each_object(self) -> Iterator[tuple[str, str, str, Iterator[tuple[int, dict[str, Any]]]]]:
        """Type, id, owner, and what is known of each object: at -1 what stays, and then its changes by time."""
        for (type, id), known in groupby(chain(self._first, self._facts), key=attrgetter("about", "name")):
            self.objects.setdefault(type, OBJECT_ATTRIBUTES.get(type, {}))
            told = ((fact.number, *json.loads(fact.value)) for fact in known)
            number, fixed, owner = next(told)
            yield type, id, owner, chain([(number, fixed)], ((time, given) for time, given, _ in told))


def write_json(source: Source, path: Path) -> None:
    """Write a log as OCEL 2.0 JSON."""
    types = Types(source)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write('{"objects":[\n')
        _separated(file, _objects_json(source, types))
        file.write('\n],\n"objectTypes":')
        file.write(_declared(types.objects))
        file.write(',\n"eventTypes":')
        file.write(_declared(types.events))
        file.write(',\n"events":[\n')
        _separated(file, source.each(partial(_event, source.start)))
        file.write("\n]}\n")


def _objects_json(source: Source, types: Types) -> Iterator[str]:
    for type, id, owner, known in types.each_object():
        told = [
            f'{{"name":"{name}","time":"{ALWAYS if time < 0 else iso(source.start, time)}","value":{written(value)}}}'
            for time, given in known
            for name, value in given.items()
        ]
        owners = _related(owner, "of") if owner else ""
        yield f'{{"id":{quoted(id)},"type":{quoted(type)},"relationships":[{owners}],"attributes":[{",".join(told)}]}}'


def _declared(types: dict[str, dict[str, str]]) -> str:
    return _json(
        [
            {"name": name, "attributes": [{"name": each, "type": type} for each, type in attributes.items()]}
            for name, attributes in types.items()
        ]
    )


def _separated(file: Any, texts: Iterable[str]) -> None:
    """Write texts with a comma between two of them."""
    for number, text in enumerate(texts):
        file.write(",\n" + text if number else text)
