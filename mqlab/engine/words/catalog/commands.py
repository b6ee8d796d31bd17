"""Every command that is not DEFINE, ALTER, DELETE or a plain DISPLAY of an object of the tables: its name and keywords.

commands.txt has the rows, and says how they are written; an extra has those of its commands in a file of that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from ...extra import extras
from .attribute import Attribute, Word, insert, lines, read_rows, read_word

_SHAPES: dict[str, tuple[str, Any]] = {"#": ("int", (0, 999_999_999)), "&": ("names", (1024, 256)), "!": ("flag", None)}


def _rows(text: str, added: bool = False) -> list[tuple[str, str]]:
    """The two sides of each colon in a file of commands; `added`: only keywords that are added to other commands."""
    if added:
        return [(key, names) for key, _, names in (line[2:].partition(": ") for line in lines(text) if line[0] == "+")]
    found = (line.partition(":") for line in lines(text) if line[0] != "+")
    return [(key, keywords.strip()) for key, _, keywords in found]


def _text() -> str:
    return files(__package__).joinpath("commands.txt").read_text("utf-8")


@cache
def commands() -> tuple[tuple[str, str], ...]:
    """The rows of every command, and those of extras, each behind the command that it follows."""
    rows = _rows(_text())
    for extra in extras():
        for key, words in _rows(extra.text("commands.txt")):
            key, _, before = key.partition(" > ")
            names = [" ".join(row.split()[:2]).partition(".")[0] for row, _ in rows]
            rows.insert(names.index(before) + 1 if before in names else len(rows), (key, words))
    return tuple(rows)


def others() -> tuple[tuple[str, str], ...]:
    """Verb and object of every command of this table."""
    return tuple((verb, name) for verbs, names, _, _ in _parted() for verb in verbs for name in names)


@cache
def keywords(verb: str, name: str) -> tuple[str, Word, dict[str, Attribute]] | None:
    """The way in which this command takes a name, the levels that have it, and its keywords; None if it is not in the
    table.

    >>> keywords("PING", "CHANNEL")[0], keywords("PURGE", "CHANNEL")[1].since
    ('name', 710)
    """
    for verbs, names, key, words in _parted():
        if verb in verbs and name in names:
            objects, how = key.split()[1:]
            return how, replace(read_word(objects), keyword=f"{verb} {name}"), _read(f"{verb} {name}", words)
    return None


def _parted() -> Iterator[tuple[list[str], list[str], str, str]]:
    """The verbs, objects, key, and keywords of each row."""
    for key, words in commands():
        verbs, objects, _ = key.split()
        yield verbs.split("|"), objects.partition(".")[0].split("|"), key, words


def _read(command: str, words: str) -> dict[str, Attribute]:
    rows = [_row(entry) for entry in words.split()]
    for entry, names in _added():
        if command in names:
            insert(rows, _row(entry), 0)
    return read_rows(rows)


@cache
def _added() -> list[tuple[str, list[str]]]:
    """The keywords that several commands have, those of extras last, and the commands."""
    texts = (_text(), *(extra.text("commands.txt") for extra in extras()))
    return [(entry, names.split(", ")) for text in texts for entry, names in _rows(text, added=True)]


def options(verb: str, kind: str) -> list[tuple]:
    """The rows of keywords that are no attributes, of a verb that acts on objects of this kind."""
    return [_row(entry) for entry, names in _added() if not {verb, f"{verb} {kind}"}.isdisjoint(names)]


def goes_with(word: str) -> list[str]:
    """The commands that have this keyword that is no attribute: "ALTER QLOCAL" ..., "DEFINE" where all do."""
    table = {f"{verb} {name}" for verb, name in others()}
    found = ((_row(entry)[0], names) for entry, names in _added())
    return [name for key, names in found if word in (key, f"NO{key}") for name in names if name not in table]


def _row(entry: str) -> tuple:
    word, *marks = entry.split(":")
    keyword, equals, values = word.partition("=")
    if equals:
        shape, limits = "words" if values[0] == "*" else "choice", values.lstrip("*").replace("|", " ")
    else:
        word, _, most = word.partition("/")
        keyword = word.rstrip("#&!")
        shape, limits = _SHAPES.get(word[-1], ("text", int(most or 10_240)))
    free = ["free"] if keyword in ("DESCR", "COMMENT", "CUSTOM") else []
    return keyword, shape, None, limits, None, " ".join(marks + free)
