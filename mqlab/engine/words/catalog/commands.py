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
    """What is before the colon in a file of commands, and behind it; `added`: the keywords that other commands have."""
    if added:
        return [(key, names) for key, _, names in (line[2:].partition(": ") for line in lines(text) if line[0] == "+")]
    found = (line.partition(":") for line in lines(text) if line[0] != "+")
    return [(key, keywords.strip()) for key, _, keywords in found]


@cache
def commands() -> tuple[tuple[str, str], ...]:
    """The rows of every command, and those of extras, each behind the command that it follows."""
    rows = _rows(files(__package__).joinpath("commands.txt").read_text("utf-8"))
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

    >>> keywords("PING", "CHANNEL")[0], keywords("SET", "AUTHREC")[1].since
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
    for extra in extras():
        for entry, names in _rows(extra.text("commands.txt"), added=True):
            if command in names.split(", "):
                insert(rows, _row(entry), 0)
    return read_rows(rows)


def _row(entry: str) -> tuple:
    word, *marks = entry.split(":")
    keyword, equals, values = word.partition("=")
    if equals:
        shape, limits = "words" if values[0] == "*" else "choice", values.lstrip("*").replace("|", " ")
    else:
        keyword = word.rstrip("#&!")
        shape, limits = _SHAPES.get(word[-1], ("text", 10_240))
    free = ["free"] if keyword in ("DESCR", "COMMENT", "CUSTOM") else []
    return keyword, shape, None, limits, None, " ".join(marks + free)
