"""One row for each kind of object, and the words of MQSC: verbs, kinds, names.

Adding a kind is adding it to kinds.txt, the rows of its attributes to attributes.txt, and the module that acts on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from ...extra import extras
from .attribute import ALL_PLATFORMS, INSERT, CatalogError, lines, table


class Kind(NamedTuple):
    """One kind of object, or another word that can follow a verb; kinds.txt has the rows and explains the fields."""

    keyword: str
    short: str = ""
    within: str = ""
    shows: str = ""
    longest: int = 48
    free: bool = False
    pattern_of: str = ""
    created: str = ""
    changed: str = ""
    deleted: str = ""
    shown: str = ""
    simulated: bool = False
    platforms: tuple[str, ...] = ALL_PLATFORMS
    since: int = 0
    on_zos: Mapping[str, object] = {}
    system: str = ""
    described: str = ""
    groups: str = ""

    def grouped(self, field: str) -> list[tuple[str, str]]:
        """The parts of a field between semicolons: what is before the colon of each, and behind it."""
        return [(word, text) for word, _, text in (part.partition(": ") for part in getattr(self, field).split("; "))]

    @property
    def rows(self) -> list[tuple] | None:
        """The rows of its attributes; None if it has none, and DEFINE does not make it."""
        return table().get("CHANNEL" if self.keyword == "CLNTCONN" else self.keyword)


_Z, _MP = ("zos",), ("distributed", "vse")


def _read(text: str) -> dict[str, dict[str, str]]:
    """The words of a file of kinds, and what it says of each: field -> text."""
    kinds: dict[str, dict[str, str]] = {}
    for line in lines(text):
        if line[0] == "[":
            kinds[line.strip("[]")] = fields = {}
        else:
            name, _, fields[name] = line.partition(" = ")
    return kinds


def _kind(word: str, fields: dict[str, str]) -> Kind:
    """The row of a word of a file of kinds."""
    values: dict[str, Any] = dict(fields)
    for name in fields.keys() & {"longest", "since"}:
        values[name] = int(fields[name])
    for name in fields.keys() & {"free", "simulated"}:
        values[name] = fields[name] == "yes"
    if "platforms" in fields:
        values["platforms"] = tuple(fields["platforms"].split())
    if "on_zos" in fields:
        pairs = (pair.split("=") for pair in fields["on_zos"].split())
        values["on_zos"] = {
            key: False if text == "no" else int(text) if text.isdecimal() else text for key, text in pairs
        }
    return Kind(word, **values)


def _all_kinds() -> tuple[Kind, ...]:
    """The engine's rows, and those of extras, each behind the word that it follows."""
    rows: list[Kind] = []
    for text in (files(__package__).joinpath("kinds.txt").read_text("utf-8"), *(e.text("kinds.txt") for e in extras())):
        for word, fields in _read(text).items():
            words, after = [row.keyword for row in rows], fields.pop("after", "")
            place = words.index(after) + 1 if after in words else len(rows)
            rows.insert(place, _kind(word, fields))
    return tuple(rows)


_ROWS = _all_kinds()
KINDS: dict[str, Kind] = {row.keyword: row for row in _ROWS}
"""Keyword -> its row."""

OBJECTS = {row.keyword: row.short for row in _ROWS if row.within != "CHANNEL"}
"""Word that may follow a verb -> its synonym, "" if it has none."""

DEFINABLE = tuple(word for word in OBJECTS if KINDS[word].rows is not None and word != "QMGR")
"""Kinds that DEFINE makes and keeps, by their own word."""

_VERBS = (
    "ALTER/ALT ARCHIVE/ARC BACKUP CLEAR DEFINE/DEF DELETE DISPLAY/DIS MOVE PING PURGE RECOVER/REC REFRESH/REF RESET "
    "RESOLVE/RES RESUME RVERIFY/REV SET START/STA STOP SUSPEND"
)
VERBS = {verb: short for verb, _, short in (word.partition("/") for word in _VERBS.split())}
"""Verb -> its synonym, "" if it has none. DELETE has none, so that a mistyped DEF deletes nothing."""

END_WORDS = ("END", "EXIT", "QUIT")
"""A line of one of these ends the input."""

_SPELLED_VERBS, _SPELLED_OBJECTS = (
    {spelling: word for word, short in words.items() for spelling in (word, short) if spelling}
    for words in (VERBS, OBJECTS)
)


def verb_word(word: str) -> str | None:
    """The verb this word spells, None if none.

    >>> verb_word("dis"), verb_word("del")
    ('DISPLAY', None)
    """
    return _SPELLED_VERBS.get(word.upper())


def object_word(word: str) -> str | None:
    """The kind of object this word spells, None if none."""
    return _SPELLED_OBJECTS.get(word.upper())


def family(kind: str) -> tuple[str, ...]:
    """The kinds of object that a DISPLAY of this kind shows.

    >>> family("QUEUE"), family("PROCESS")
    (('QLOCAL', 'QALIAS', 'QREMOTE', 'QMODEL'), ('PROCESS',))
    """
    return tuple(row.keyword for row in _ROWS if row.rows is not None and kind in (row.keyword, row.within))


QUEUE_KINDS = family("QUEUE")
"""The four kinds of queue, whose names share one space."""


def headline(kind: str) -> str:
    """The line that runmqsc prints over each object of this kind, "" if it shows none."""
    row = KINDS[kind]
    return row.shown or KINDS[row.within or kind].shown


def answer(kind: str, verb: str) -> str:
    """The message of runmqsc after DEFINE, ALTER or DELETE of an object of this kind.

    >>> answer("PROCESS", "DELETE")
    'AMQ8011I: IBM MQ process deleted.'
    """
    done = {"DEFINE": "created", "ALTER": "changed", "DELETE": "deleted"}[verb]
    return getattr(KINDS[kind], done) or f"AMQ8000I: {kind} {done}."


class SystemObject(NamedTuple):
    """One SYSTEM object: `values` are its words KEYWORD=VALUE, `made` is whether its queue is set up at once."""

    kind: str
    name: str
    since: int
    platforms: tuple[str, ...]
    values: dict[str, str]
    made: bool


def _system_objects() -> Iterator[SystemObject]:
    for row in _ROWS:
        for group in row.system.split(";") if row.system else ():
            head, _, names = group.rpartition(":")
            marks = head.split()
            values = dict(mark.split("=") for mark in marks if "=" in mark)
            since = max([row.since, *(int(mark) for mark in marks if mark.isdecimal())])
            platforms = _Z if "zos" in marks else _MP if "mp" in marks else row.platforms
            for name in names.split():
                yield SystemObject(row.keyword, f"SYSTEM.{name.lstrip('*')}", since, platforms, values, name[0] == "*")


SYSTEM = tuple(_system_objects())
"""Every SYSTEM object of crtmqm's list and of z/OS's samples; SYSTEM.ADMIN.SVRCONN is not one: sites define it. Levels
are those of lists that real queue managers of 701 and 750 displayed and of IBM's tables.
"""


def _type(attributes: Mapping[str, Any]) -> str:
    return attributes.get("CHLTYPE") or attributes.get("AUTHTYPE") or ""


_STARTS = {(one.kind, _type(one.values)): one.name for one in reversed(SYSTEM)}


def default_object(kind: str, attributes: Mapping[str, Any] = {}) -> str:
    """The object that DEFINE of this kind (and CHLTYPE or AUTHTYPE) starts from; it can be altered. "" if none.

    >>> default_object("CHANNEL", {"CHLTYPE": "SDR"})
    'SYSTEM.DEF.SENDER'
    """
    return _STARTS.get((kind, _type(attributes)), "")


_LEGAL = re.compile(r"[A-Za-z0-9./_%]+", re.ASCII)


def check_name(kind: str, name: str, generic: bool = False) -> str:
    """Give the name if an object of this kind can have it.

    The name may hold inserts such as ``+QMNAME+``, which the queue manager fills in; with `generic` it may end in
    ``*``, as DISPLAY allows. CatalogError of sort "name" for any other.
    """
    row = KINDS.get(kind, Kind(kind))
    stem = INSERT.sub("_", name[:-1] if generic and name.endswith("*") else name)
    if not stem:
        if generic and name == "*":
            return name
        raise CatalogError(
            "name", f"{kind}: wanted a name of 1 to {row.longest} characters; got nothing between the parentheses"
        )
    if not row.free and not _LEGAL.fullmatch(stem):
        illegal = [c for c in stem if not _LEGAL.fullmatch(c)]
        bad = " ".join(dict.fromkeys(illegal)).strip() or "a blank"
        text = f"{kind}: {_brief(name)} is not a legal MQ name: {bad} is not allowed in one. Use A-Z a-z 0-9 . / _ %"
        if generic and "*" in illegal:
            text += "; a * is only at the end, as in ORD*"
        tried = re.sub(r"[^A-Za-z0-9./_%]+", ".", stem).strip(".")
        raise CatalogError("name", text + (f", for example {tried}" if tried else ""))
    if len(stem) > row.longest:
        raise CatalogError(
            "name",
            f"{kind}: wanted a name of at most {row.longest} characters; {_brief(name)} has "
            f"{len(stem)}. Take {len(stem) - row.longest} off",
        )
    return name


def _brief(name: str) -> str:
    return repr(name) if len(name) <= 60 else repr(name[:57] + "...")
