"""A keyword with its parentheses, and what may be read out of them."""

from __future__ import annotations

from typing import NamedTuple

from ..mq import catalog
from ..mq.catalog import Attribute
from ..mq.lexer import Token
from . import advice
from .command import Command, Grammar, Where
from .refusal import Refused

__all__ = [
    "Item",
    "between",
    "checked",
    "folded",
    "keyword_anywhere",
    "placeholder_in",
    "require_one",
    "shorten",
    "where",
]

_LIST = ("CT", "EX", "CTG", "EXG")
_OPERATORS = ("LT", "GT", "EQ", "NE", "LE", "GE", "LK", "NL", *_LIST)
# shape of an attribute -> the operators that a filter may compare it by, and what to call it
_ABLE = {
    "int": _OPERATORS[:6],
    "choice": ("EQ", "NE"),
    "flag": ("EQ", "NE"),
    "text": _OPERATORS[:8],
    "name": _OPERATORS[:8],
    "names": _LIST,
    "words": _LIST,
}
_SORTS = {
    "int": "a number",
    "choice": "one of a set of words",
    "flag": "on or off",
    "names": "a list",
    "words": "a list",
    "text": "text",
    "name": "a name",
}
_NUMBERS = {"range": 8412, "length": 8413, "name": 8424}


class Item(NamedTuple):
    """A keyword with what stands in its parentheses (None if it has none), and where both are in the text."""

    word: str
    values: tuple[Token, ...] | None
    nested: bool
    at: int
    end: int


def require_one(command: Command, item: Item, what: str) -> None:
    """Refuse parentheses that hold more than one value, saying what the writer may have meant."""
    if len(item.values) == 1:
        return
    raw = between(command, item)
    if "''" in raw:
        raise Refused(
            8405,
            f"{item.word}({shorten(raw)}): two apostrophes '' begin and end an empty string; write one ' at each end",
            item.values[0].at,
        )
    inside = next((t for t in item.values[1:] if t.sort == "word" and keyword_anywhere(t.value)), None)
    if all(t.value.isdigit() for t in item.values):
        said = f"write a number in digits only: {item.word}({''.join(t.value for t in item.values)})"
    elif any(t.sort == "text" for t in item.values):
        said = "a quote stands in the middle of it; put quotes round all of it, and '' for an apostrophe inside"
    else:
        said = "quote it if the blank or comma belongs to it"
        said += f", or close the parenthesis before {inside.value}" if inside else ""
    raise Refused(8405, f"{item.word}({shorten(raw)}): wanted one {what}, got {len(item.values)}: {said}", item.at)


def where(command: Command, item: Item, rules: Grammar) -> Where:
    """Read WHERE(keyword operator value)."""
    about = "WHERE: wanted (KEYWORD OPERATOR VALUE), as WHERE(CURDEPTH GT 0)"
    values = item.values or ()
    if item.nested or len(values) < 3:
        raise Refused(8569, f"{about}; got {shorten(between(command, item)) if values else 'nothing'}", item.at)
    keyword = rules.spelled.get(values[0].value.upper())
    operator = values[1].value.upper()
    if keyword is None or operator not in _OPERATORS:
        wrong = values[0] if keyword is None else values[1]
        guess = catalog.nearest(wrong.value, rules.spelled if keyword is None else _OPERATORS)
        sort = "a keyword of this DISPLAY" if keyword is None else f"one of {', '.join(_OPERATORS)}"
        meant = f"; did you mean {guess}?" if guess else ""
        raise Refused(8569, f"{about}; {wrong.value} is not {sort}{meant}", wrong.at)
    attribute = rules.attributes.get(keyword) or rules.options[keyword]
    given = [folded(token) for token in values[2:]]
    if keyword in rules.attributes and operator not in _ABLE[attribute.shape]:
        able = ", ".join(_ABLE[attribute.shape])
        said = f"{keyword} is {_SORTS[attribute.shape]}, which is compared by {able}; got {operator}"
        raise Refused(8569, f"WHERE: {said}", values[1].at)
    if operator in ("LK", "NL", "CT", "EX", "CTG", "EXG") or attribute.shape in ("names", "words"):
        return Where(keyword, operator, given[0])
    if attribute.shape == "flag":
        if given[0].upper() not in ("YES", keyword, "NO", f"NO{keyword}"):
            raise Refused(8569, f"WHERE({keyword} {operator} ...): wanted YES or NO; got {given[0]}", values[2].at)
        return Where(keyword, operator, given[0].upper() in ("YES", keyword))
    return Where(keyword, operator, checked(lambda: attribute.check(given[0]), values[2].at, 8569))


def keyword_anywhere(word: str) -> bool:
    """Whether this is a keyword of some kind of object, or REPLACE or LIKE."""
    upper = word.upper()
    return upper in ("REPLACE", "LIKE", "WHERE") or any(upper in catalog.spelled(kind) for kind in catalog.kinds())


def between(command: Command, item: Item) -> str:
    """The text between an item's parentheses, as written."""
    return command.text[command.text.index("(", item.at) + 1 : item.end - 1]


def placeholder_in(command: Command, item: Item, attribute: Attribute | None = None) -> str | None:
    """A template's placeholder between an item's parentheses, None if there is none."""
    raw = between(command, item)
    if not any(c in raw for c in "{$%<@"):
        return None
    free = "" if attribute is None or not attribute.free else "prose" if attribute.keyword == "DESCR" else "shell"
    if any(token.sort == "text" for token in item.values):
        for token in item.values:
            found = advice.placeholder(token.value, token.sort == "text", free)
            if found:
                return found
        return None
    return advice.placeholder(raw, quoted=False)


def folded(token: Token) -> str:
    """The value of a token: upper case unless it stood in quotes."""
    return token.value if token.sort == "text" else token.value.upper()


def checked(check, at: int, number: int | None = None):
    """Call a check of the catalogue; its refusal as a command's."""
    try:
        return check()
    except catalog.CatalogueError as error:
        raise Refused(number or _NUMBERS.get(error.sort, 8405), str(error), at) from error


def shorten(text: str) -> str:
    """The text on one line of at most 50 characters."""
    text = " ".join(text.split())
    return text if len(text) <= 50 else text[:47] + "..."
