"""The numbers of the catalog in MQ's structures: parameters of programmable command format, and the words of MQSC.

`numbers.txt` has them; an attribute with a selector has it as its parameter, too.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ..engine.words.catalog import KINDS, QUEUE_KINDS, attributes


class Numbered(NamedTuple):
    """The name of a constant of MQ, without MQ at its beginning, and its number."""

    name: str
    number: int


@cache
def table() -> tuple[dict[str, dict[str, Numbered]], dict[str, dict[str, Numbered]]]:
    """Section -> keyword -> its parameter; keyword, or SECTION.KEYWORD -> word -> its number."""
    parameters: dict[str, dict[str, Numbered]] = {}
    words: dict[str, dict[str, Numbered]] = {}
    head, section, prefix = "", {}, ""
    for line in (files(__package__) / "numbers.txt").read_text(encoding="utf-8").replace("\n  ", " ").splitlines():
        if line.startswith("["):
            head = line.strip("[]")
            section = parameters.setdefault(head, {}) if head != "words" else {}
        elif line and not line.startswith("#"):
            keywords, colon, rest = line.rpartition(": ")
            if colon:
                prefix, section = rest.split()[0][2:], {}
                words.update(dict.fromkeys(keywords.split(), section))
                rest = rest.partition(" ")[2]
            for each in rest.split():
                word, *name, number = each.split("=")
                constant = name[0] if name else word
                section[word] = Numbered(f"{prefix}{constant}" if head == "words" else constant, int(number))
    return parameters, words


def section(kind: str) -> str:
    """The section of a kind of object: all kinds of queue have one, and so have all channels.

    >>> section("QLOCAL"), section("CLNTCONN"), section("TOPIC")
    ('QUEUE', 'CHANNEL', 'TOPIC')
    """
    return "QUEUE" if kind in QUEUE_KINDS else "CHANNEL" if kind == "CLNTCONN" else kind


@cache
def parameters(kind: str) -> dict[str, int]:
    """Keyword -> the number of its parameter, for a kind of object or the word of a DISPLAY.

    >>> parameters("QLOCAL")["MAXDEPTH"], parameters("CHANNEL")["MAXMSGL"], parameters("QSTATUS")["UNCOM"]
    (15, 1510, 1027)
    """
    kind = section(kind)
    known = {} if kind != "QUEUE" and (kind not in KINDS or KINDS[kind].rows is None) else attributes(kind)
    found = {keyword: one.selector for keyword, one in known.items() if one.selector is not None}
    return found | {keyword: one.number for keyword, one in table()[0].get(kind, {}).items()}


@cache
def keywords(kind: str) -> dict[int, str]:
    """The number of a parameter -> its keyword, for a kind of object or the word of a DISPLAY."""
    return {number: keyword for keyword, number in parameters(kind).items()}


def words(kind: str, keyword: str) -> dict[str, int]:
    """Word -> its number, for a keyword with words of MQSC; empty for a keyword without.

    >>> words("QLOCAL", "DEFPSIST")["YES"], words("CHSTATUS", "STATUS")["RUNNING"]
    (1, 3)
    """
    known = table()[1]
    found = known.get(f"{section(kind)}.{keyword}") or known.get(keyword) or {}
    return {word: one.number for word, one in found.items()}


def word(kind: str, keyword: str, number: int) -> str | None:
    """The word of MQSC for a number, None if there is none."""
    return next((text for text, known in words(kind, keyword).items() if known == number), None)


def number(kind: str, keyword: str, value: object) -> int:
    """The number that the MQI has for the value of an attribute; KeyError for a word without one.

    >>> number("QLOCAL", "TRIGTYPE", "FIRST"), number("QLOCAL", "TRIGGER", True), number("QLOCAL", "MAXDEPTH", 5000)
    (1, 1, 5000)
    """
    return words(kind, keyword)[value] if isinstance(value, str) else int(value)  # type: ignore[call-overload]
