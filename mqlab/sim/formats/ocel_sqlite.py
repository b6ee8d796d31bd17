"""OCEL 2.0 as an SQLite database: a table for each type of event and object, and their relationships."""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

from .ocel import ALWAYS, Types, objects, values
from .source import Row, Source, iso

_SQL_TYPES = {"string": "TEXT", "integer": "INTEGER", "boolean": "BOOLEAN"}
_TABLES = """
CREATE TABLE event_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT NOT NULL);
CREATE TABLE object_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT NOT NULL);
CREATE TABLE event (ocel_id TEXT PRIMARY KEY, ocel_type TEXT NOT NULL REFERENCES event_map_type (ocel_type));
CREATE TABLE object (ocel_id TEXT PRIMARY KEY, ocel_type TEXT NOT NULL REFERENCES object_map_type (ocel_type));
CREATE TABLE event_object (ocel_event_id TEXT NOT NULL REFERENCES event (ocel_id),
  ocel_object_id TEXT NOT NULL REFERENCES object (ocel_id), ocel_qualifier TEXT NOT NULL,
  PRIMARY KEY (ocel_event_id, ocel_object_id, ocel_qualifier)) WITHOUT ROWID;
CREATE TABLE object_object (ocel_source_id TEXT NOT NULL REFERENCES object (ocel_id),
  ocel_target_id TEXT NOT NULL REFERENCES object (ocel_id), ocel_qualifier TEXT NOT NULL,
  PRIMARY KEY (ocel_source_id, ocel_target_id, ocel_qualifier)) WITHOUT ROWID;
"""
# The database is a draft until it is whole, so that a journal would only cost time; the cache is 200 MB at most.
_DRAFT = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-200000;"
_MANY = 10_000


def write_sqlite(source: Source, path: Path) -> None:
    """Write a log as OCEL 2.0 in an SQLite database, with the primary and foreign keys that the format wants."""
    types = Types(source)
    object_keys, event_keys = ("ocel_id TEXT NOT NULL", "ocel_changed_field TEXT"), ("ocel_id TEXT PRIMARY KEY",)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript(_DRAFT + _TABLES + "BEGIN;")
            _Tables(database, "object", object_keys, types.objects).fill(_object_rows(source, types))
            _Tables(database, "event", event_keys, types.events).fill(source.each(partial(_event_rows, source.start)))
            database.execute("COMMIT")
    except sqlite3.OperationalError as error:  # a full disk
        raise OSError(errno.EIO, str(error)) from None


Insert = tuple[str, str, tuple, dict[str, Any]]  # a type ("" for a relationship), a time, the keys, and attributes


def _object_rows(source: Source, types: Types) -> Iterator[Insert]:
    for type, id, owner, known in types.each_object():
        for time, given in known:
            if time < 0:
                yield type, ALWAYS, (id, None), given
            else:
                for name, value in given.items():
                    yield type, iso(source.start, time), (id, name), {name: value}
        if owner:
            yield "", "", (id, owner, "of"), {}


def _event_rows(start: Any, row: Row) -> Iterator[Insert]:
    id = f"{row.lab}event {row.event.seq}"
    yield row.event.kind, iso(start, row.event.time_us), (id,), dict(values(row))
    for each in objects(row):
        yield "", "", (id, each.id, each.qualifier), {}


class _Tables:
    """The tables of events, or of objects: one of all, one of relationships, and one for each type."""

    def __init__(self, database: Any, what: str, keys: tuple[str, ...], types: dict[str, dict[str, str]]):
        self._database, self._what, self._keys, self._types = database, what, keys, types
        self._known: dict[str, tuple[str, list[str]]] = {}  # type -> its INSERT, and its attributes
        self._names = {"object"}  # the table of relationships has that name

    def fill(self, rows: Iterable[Insert]) -> None:
        rows = iter(rows)
        while some := list(islice(rows, _MANY)):
            waiting: dict[str, list[tuple]] = {}
            for type, time, keys, given in some:
                if not type:
                    waiting.setdefault(f"INSERT INTO {self._what}_object VALUES (?, ?, ?)", []).append(keys)
                    continue
                insert, names = self._known.get(type) or self._table(type)
                waiting.setdefault(insert, []).append((*keys, time, *map(given.get, names)))
                if keys[1:] in ((), (None,)):  # a change repeats its object
                    waiting.setdefault(f"INSERT INTO {self._what} VALUES (?, ?)", []).append((keys[0], type))
            for insert, those in waiting.items():
                self._database.executemany(insert, those)

    def _table(self, type: str) -> tuple[str, list[str]]:
        """Make the table of a type; its name has letters and digits only, and is that of no other type."""
        plain = re.sub(r"[^A-Za-z0-9]", "", type.title()) or "Other"
        names = chain([plain], (f"{plain}{number}" for number in count(2)))
        name = next(each for each in names if each.lower() not in self._names)
        self._names.add(name.lower())
        attributes = self._types[type]
        columns = [*self._keys, "ocel_time TIMESTAMP NOT NULL"]
        columns += [f"{each} {_SQL_TYPES[declared]}" for each, declared in attributes.items()]
        table, key = f"{self._what}_{name}", f"FOREIGN KEY (ocel_id) REFERENCES {self._what} (ocel_id)"
        self._database.execute(f"CREATE TABLE {table} ({', '.join(columns)}, {key})")
        self._database.execute(f"INSERT INTO {self._what}_map_type VALUES (?, ?)", (type, name))
        insert = f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})"
        self._known[type] = insert, list(attributes)
        return self._known[type]
