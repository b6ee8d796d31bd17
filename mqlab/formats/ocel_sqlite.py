"""OCEL 2.0 as an SQLite database: a table for each type of event and object, and their relationships."""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from itertools import chain, count, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from .ocel import ALWAYS, MANY, OBJECT_ATTRIBUTES, Known, Types, objects, values
from .source import Row, Source, iso

if TYPE_CHECKING:
    from sqlite3 import Connection

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


def write_sqlite(source: Source, path: Path) -> None:
    """Write a log as OCEL 2.0 in an SQLite database, with the primary and foreign keys that the format wants."""
    types = Types()
    object_keys, event_keys = ("ocel_id TEXT NOT NULL", "ocel_changed_field TEXT"), ("ocel_id TEXT PRIMARY KEY",)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript(_DRAFT + _TABLES + "BEGIN;")
            tables = _Tables(database, "object", object_keys, types.objects)
            tables.fill(_batches(types.read(source, partial(_object_rows, source.start))))
            tables = _Tables(database, "event", event_keys, types.events)
            tables.fill(source.each(partial(_event_rows, source.start, types.events)))
            database.execute("COMMIT")
    except sqlite3.OperationalError as error:  # a full disk
        raise OSError(errno.EIO, str(error)) from None


Inserts = dict[str, list[tuple]]  # the rows for the table of each type, and at "" the relationships


def _object_rows(start: datetime, objects: Iterable[Known]) -> Iterator[list[tuple[tuple, str]]]:
    """Objects as rows with their owners ("" for none, and for a change)."""
    rows = (row for known in objects for row in _rows_of(start, known))
    while some := list(islice(rows, MANY)):
        yield some


def _rows_of(start: datetime, known: Known) -> Iterator[tuple[tuple, str]]:
    """An object as the row of what stays, with its owner, and a row for each change."""
    type, id, owner, told = known
    names = OBJECT_ATTRIBUTES.get(type, {})
    for time, attributes in told:
        if time < 0:
            yield (id, None, ALWAYS, *map(attributes.get, names)), owner
        else:
            for name in attributes:
                yield (id, name, iso(start, time), *map(attributes.get, names)), ""


def _batches(pieces: Iterable[tuple[str, list]]) -> Iterator[Inserts]:
    """The rows of objects, so many at a time that the database does not depend on the size of the pieces."""
    for type, those in groupby(pieces, key=itemgetter(0)):
        rows = chain.from_iterable(piece for _, piece in those)
        while some := list(islice(rows, 10 * MANY)):
            yield {type: [row for row, _ in some], "": [(row[0], owner, "of") for row, owner in some if owner]}


def _event_rows(start: datetime, types: dict[str, dict[str, str]], rows: Iterable[Row]) -> Iterator[Inserts]:
    """The rows of a part, by table."""
    by_table: Inserts = {}
    related = []
    for row in rows:
        event, id = row.event, f"{row.lab}event {row.event.seq}"
        given = dict(values(row))
        told = (id, iso(start, event.time_us), *map(given.get, types[event.kind]))
        by_table.setdefault(event.kind, []).append(told)
        related += [(id, each.id, each.qualifier) for each in objects(row)]
    yield {**by_table, "": related}


class _Tables:
    """The tables of events, or of objects: one of all, one of relationships, and one for each type."""

    def __init__(self, database: Connection, what: str, keys: tuple[str, ...], types: dict[str, dict[str, str]]):
        self._database, self._what, self._keys, self._types = database, what, keys, types
        self._changes = len(keys) > 1  # a change repeats its object
        self._known: dict[str, str] = {}  # type -> its INSERT
        self._names = {"object"}  # the table of relationships has that name

    def fill(self, parts: Iterable[Inserts]) -> None:
        for part in parts:
            for type, rows in part.items():
                if not type:
                    self._database.executemany(f"INSERT INTO {self._what}_object VALUES (?, ?, ?)", rows)
                    continue
                self._database.executemany(self._known.get(type) or self._table(type), rows)
                those = [(row[0], type) for row in rows if not self._changes or row[1] is None]
                self._database.executemany(f"INSERT INTO {self._what} VALUES (?, ?)", those)

    def _table(self, type: str) -> str:
        """Make the table of a type; its name has letters and digits only, and is that of no other type."""
        plain = re.sub(r"[^A-Za-z0-9]", "", type.title()) or "Other"
        names = chain([plain], (f"{plain}{number}" for number in count(2)))
        name = next(attribute for attribute in names if attribute.lower() not in self._names)
        self._names.add(name.lower())
        attributes = self._types[type]
        columns = [*self._keys, "ocel_time TIMESTAMP NOT NULL"]
        columns += [f"{attribute} {_SQL_TYPES[declared]}" for attribute, declared in attributes.items()]
        table, key = f"{self._what}_{name}", f"FOREIGN KEY (ocel_id) REFERENCES {self._what} (ocel_id)"
        self._database.execute(f"CREATE TABLE {table} ({', '.join(columns)}, {key})")
        self._database.execute(f"INSERT INTO {self._what}_map_type VALUES (?, ?)", (type, name))
        self._known[type] = f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})"
        return self._known[type]
