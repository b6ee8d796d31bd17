"""One attribute of one kind of object: how its row in attributes.txt is read, and how a value is checked against it."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, NoReturn

from ...extra import extras
from ..errors import Error

Value = str | int | bool | tuple[str, ...]
"""A value of an attribute as it is stored: a word, a text, or a name; a number; a flag; a list."""

ALL_PLATFORMS = ("distributed", "zos", "vse")
INSERT = re.compile(r"\+[A-Z_]+\+")
"""What the queue manager fills in where a configuration is shared: ``+QMNAME+``, ``+AUTOCL+`` ..."""

_MARKS = {"once": "only_define", "need": "needed", "var": "trailing_blanks", "pick": "picks"}
_PLATFORMS = {"zos": ("zos",), "mp": ("distributed", "vse")}
# selectors from a number on: the command level of the first cmqc.h that has them, 0 for 5.3 and before; MQIA_LAST_USED
# was 139 at 600, 252 at 750, 266 at 802, 274 at 915, 275 at 925, 276 at 931
_FIRST_AT = (
    "0:0 73:600 141:700 221:701 223:710 250:750 253:800 263:801 268:902 274:915 275:923 276:931 "
    "2001:0 2054:600 2087:700 2109:701 2110:710 2121:800 2122:710 2124:750 2125:800 2132:801 2138:923"
)
_SELECTORS, _LEVELS = zip(*(map(int, each.split(":")) for each in _FIRST_AT.split()), strict=True)
_NAME = re.compile(r"\$(\w+)\b(?!/)(:\w+)?")  # $SYS/MQ stands for itself
_NUMBER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_LEGAL_NAME = re.compile(r"[A-Za-z0-9./_%]*", re.ASCII)


class CatalogError(Error, ValueError):
    """A keyword or value that MQ does not accept; the text states the expected value, the actual value, and a remedy.

    ``sort`` is the kind of error: keyword, value, range, length, name, or platform.
    """

    def __init__(self, sort: str, text: str):
        self.sort = sort
        super().__init__(text)


@dataclass(frozen=True)
class Word:
    """A command, keyword, or value, with the platforms that have it and the level since which there is one.

    `later` is the level of the platforms other than z/OS, if they have it later.
    """

    keyword: str
    platforms: tuple[str, ...] = ALL_PLATFORMS
    since: int = 0
    later: int = 0

    def since_on(self, platform: str) -> int:
        """The first level at which a platform has the attribute, if the platform has it at all."""
        return self.since if platform == "zos" else max(self.since, self.later)

    def had_by(self, platform: str, level: int) -> bool:
        """Whether a queue manager of this platform and level has it."""
        return platform in self.platforms and level >= self.since_on(platform)


def read_word(text: str) -> Word:
    """Read a word with its marks.

    >>> read_word("CLASSES.zos.600")
    Word(keyword='CLASSES', platforms=('zos',), since=600, later=0)
    """
    keyword, *marks = text.split(".")
    platforms = next((_PLATFORMS[mark] for mark in marks if mark in _PLATFORMS), ALL_PLATFORMS)
    return Word(keyword, platforms, max((int(mark) for mark in marks if mark.isdecimal()), default=0))


@dataclass(frozen=True)
class Attribute(Word):
    """The facts of one keyword of one kind of object (columns: see attributes.txt).

    `marked` are those of its values that not every queue manager has.
    """

    shape: str = "flag"
    default: object = None
    low: int = 0
    high: int = 0
    words: tuple[tuple[str, int], ...] = ()
    length: int = 0
    values: tuple[str, ...] = ()
    marked: tuple[Word, ...] = ()
    count: int = 0
    selector: int | None = None
    settable: bool = True
    only_define: bool = False
    needed: bool = False
    free: bool = False
    trailing_blanks: bool = False
    synonyms: tuple[str, ...] = ()
    picks: bool = False
    acts: bool = False
    inert: bool = False
    only_of: tuple[str, ...] = ()
    own: bool = False

    def of(self, platform: str, level: int) -> Attribute:
        """The same, without the values that a queue manager of this platform and level does not have."""
        lacks = {one.keyword for one in self.marked if not one.had_by(platform, level)}
        return replace(self, values=tuple(one for one in self.values if one not in lacks)) if lacks else self

    def wanted(self) -> str:
        """The possible values in the parentheses, in words: "a whole number from 0 to 9"."""
        if self.shape == "int":
            words = "".join(f", or {word}" for word, _ in self.words if word)
            return f"a whole number from {self.low} to {self.high}{words}"
        if self.shape == "choice":
            return self.values[0] if len(self.values) == 1 else "one of " + ", ".join(self.values)
        if self.shape == "words":
            return "one or more of " + ", ".join(self.values)
        if self.shape == "names":
            return f"a list of up to {self.count} names of up to {self.length} characters"
        if self.shape == "flag":
            return f"{self.keyword} or NO{self.keyword}, without parentheses"
        return f"{'a name' if self.shape == 'name' else 'text'} of up to {self.length} characters"

    def check(self, value: object, platform: str | None = None) -> Value:
        """Give the value as it is stored, or refuse it.

        `value` is as typed (text from MQSC without its quotes): int, str, bool, or for a list a sequence of str. With a
        `platform` ("distributed", "zos" or "vse"), a value that it does not have is refused. Words that stand for
        numbers (NOLIMIT) become the number, choices become upper case, and lists a tuple of str. CatalogError for a
        value that is refused.
        """
        if platform is not None and platform not in self.platforms:
            raise CatalogError(
                "platform",
                f"{self.keyword}: an attribute of {' and '.join(self.platforms)} queue "
                f"managers; this one is {platform}. Leave it out",
            )
        return _CHECKS[self.shape](self, value)

    def shown(self, value: object) -> str:
        """The value as DISPLAY prints it: the word for a number that has one, one blank for nothing."""
        for word, number in self.words:
            if number == value and word:
                return word
        if isinstance(value, tuple):
            value = ",".join(value)
        return str(value) if value != "" else " "

    def _refuse(self, sort: str, value: object, do: str = "") -> NoReturn:
        raise CatalogError(sort, f"{self.keyword}: wanted {self.wanted()}; got {_brief(value)}" + (do and f". {do}"))


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "...'"


def _check_int(attribute: Attribute, value: object) -> int:
    if isinstance(value, str):
        word = value.strip().upper()
        for known, number in attribute.words:
            if known == word:
                return number
        if not _NUMBER.fullmatch(word):
            guess = nearest(word, [w for w, _ in attribute.words if w])
            attribute._refuse("value", value, f"Did you mean {guess}?" if guess else "Write a number in digits only")
        value = int(word)
    if not isinstance(value, int) or isinstance(value, bool):
        attribute._refuse("value", value)
    if not (attribute.low <= value <= attribute.high) and value not in [number for _, number in attribute.words]:
        attribute._refuse("range", value)
    return value


def _check_choice(attribute: Attribute, value: object) -> str:
    if not isinstance(value, str):
        attribute._refuse("value", value)
    word = value.strip().upper()
    if word not in attribute.values:
        guess = nearest(word, attribute.values)
        attribute._refuse("value", value, f"Did you mean {guess}?" if guess and len(attribute.values) > 1 else "")
    return word


def _check_text(attribute: Attribute, value: object) -> str:
    """The text; one of blanks alone is empty, also where trailing blanks count, as in TOPICSTR(' ')."""
    if not isinstance(value, str):
        attribute._refuse("value", value)
    if not attribute.trailing_blanks or not value.strip(" "):
        value = value.rstrip(" ")
    if len(value) > attribute.length:
        _refuse_length(attribute, value)
    return value


def _refuse_length(attribute: Attribute, value: str) -> NoReturn:
    raise CatalogError(
        "length",
        f"{attribute.keyword}: wanted {attribute.wanted()}; got {len(value)}: "
        f"{_brief(value)}. Take {len(value) - attribute.length} off",
    )


def _check_name(attribute: Attribute, value: object) -> str:
    value = _check_text(attribute, value).strip(" ")
    if not _LEGAL_NAME.fullmatch(INSERT.sub("_", value)):
        bad = sorted({c for c in value if not _LEGAL_NAME.fullmatch(c)})
        attribute._refuse("name", value, f"{' '.join(bad)!r} is not allowed in an MQ name: use A-Z a-z 0-9 . / _ %")
    return value


def _check_flag(attribute: Attribute, value: object) -> bool:
    if not isinstance(value, bool):
        attribute._refuse("value", value)
    return value


def _as_list(attribute: Attribute, value: Any) -> list[str]:
    items = [value] if isinstance(value, str) else list(value)
    if not all(isinstance(item, str) for item in items):
        attribute._refuse("value", value)
    return items


def _check_names(attribute: Attribute, value: object) -> tuple[str, ...]:
    items = [item.strip(" ") for item in _as_list(attribute, value)]
    items = [item for item in items if item]
    if len(items) > attribute.count:
        raise CatalogError("range", f"{attribute.keyword}: wanted {attribute.wanted()}; got {len(items)} names")
    for item in items:
        if len(item) > attribute.length:
            _refuse_length(attribute, item)
    return tuple(items)


def _check_words(attribute: Attribute, value: object) -> tuple[str, ...]:
    return tuple(_check_choice(attribute, item) for item in _as_list(attribute, value))


_CHECKS: dict[str, Callable[[Attribute, object], Value]] = {
    "int": _check_int,
    "choice": _check_choice,
    "text": _check_text,
    "name": _check_name,
    "flag": _check_flag,
    "names": _check_names,
    "words": _check_words,
}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most similar to this one, or None."""
    found = get_close_matches(word.upper(), list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def lines(text: str) -> Iterator[str]:
    """The entries of a data file of the catalog: without comments, on one line each, and with the words for $NAME."""
    words: dict[str, str] = {}

    def in_full(name: re.Match[str]) -> str:
        return " ".join(word + (name[2] or "") for word in words[name[1]].split())

    for line in re.sub(r"\n +", " ", text).splitlines():
        if line.startswith("$"):
            name, _, words[name[1:]] = line.partition(":")
        elif line and line[0] != "#":
            yield _NAME.sub(in_full, line) if "$" in line else line


@cache
def table() -> dict[str, list[tuple]]:
    """Kind of object -> its rows, with those of extras: the six columns that `read_rows` reads, and the types of
    channel that have the attribute, "" if all have it."""
    rows: dict[str, list[tuple]] = {}
    kinds: list[str] = []
    engine = files(__package__).joinpath("attributes.txt").read_text("utf-8")
    for text in (engine, *(extra.text("attributes.txt") for extra in extras())):
        for line in lines(text):
            if line[0] == "[":
                kinds = line.strip("[]").split()
                continue
            *row, only = _columns(line)
            for kind in kinds:
                if not only or kind == "CHANNEL" or kind in only.split():
                    insert(rows.setdefault(kind, []), (*row, only))
    return rows


def _columns(line: str) -> tuple:
    """The seven columns of a line, as values."""
    keyword, shape, default, limits, selector, marks, only, *_ = [*map(str.strip, line.split("|")), ""]
    least_most: Any = limits
    if shape == "int":
        low, high, *words = limits.split()
        least_most = (int(low), int(high), *words)
    elif shape == "names":
        least_most = tuple(map(int, limits.split()))
    elif shape in ("text", "name"):
        least_most = int(limits)
    start: Any = default
    if default == "-":
        start = None
    elif shape in ("names", "words"):
        start = tuple(default.split())
    elif shape in ("int", "flag"):
        start = int(default) if shape == "int" else default == "yes"
    return keyword, shape, start, least_most, int(selector) if selector else None, marks, only


def insert(rows: list[tuple], row: tuple, index: int | None = None) -> None:
    """Insert a row behind that of the keyword which its mark ``>KEYWORD`` names, else at `index`, or as the last."""
    before = next((mark[1:] for mark in row[5].split() if mark.startswith(">")), None)
    keywords = [each[0] for each in rows] if before else []
    end = len(rows) if index is None else index
    rows.insert(keywords.index(before) + 1 if before in keywords else end, row)


def read_rows(rows: Iterable[tuple]) -> dict[str, Attribute]:
    """Read rows (columns: see attributes.txt) into keyword -> Attribute, in the rows' order."""
    return {row[0]: _read_row(*row[:6]) for row in rows}


def _read_row(keyword: str, shape: str, default: object, limits: Any, selector: int | None, marks: str) -> Attribute:
    facts: dict[str, Any] = {"selector": selector, "since": _LEVELS[bisect(_SELECTORS, selector or 0) - 1]}
    if shape == "int":
        facts["low"], facts["high"], *words = limits
        pairs = [pair.split("=") for pair in " ".join(words).split()]
        facts["words"] = tuple((word, int(number)) for word, number in pairs)
    elif shape in ("choice", "words"):
        words = [read_word(each) for each in limits.split()]
        facts["values"] = tuple(one.keyword for one in words)
        facts["marked"] = tuple(one for one in words if one != Word(one.keyword))
    elif shape == "names":
        facts["length"], facts["count"] = limits
    elif shape != "flag":
        facts["length"] = limits
    for mark in marks.split():
        if mark.startswith(">"):
            continue
        if mark.startswith("="):
            facts["synonyms"] = (*facts.get("synonyms", ()), mark[1:])
        elif mark.startswith("@"):
            facts["only_of"] = tuple(mark[1:].split(","))
        elif mark in _PLATFORMS:
            facts["platforms"] = _PLATFORMS[mark]
        elif mark.lstrip("mp").isdecimal():
            facts["later" if mark[0] == "m" else "since"] = int(mark.lstrip("mp"))
        elif mark == "read":
            facts["settable"] = False
        else:
            facts[_MARKS.get(mark, mark)] = True
    return Attribute(keyword, shape=shape, default=default, **facts)
