"""Parsed commands, and the keywords of each verb and object."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from ..extra import of_extras
from ..words import catalog
from ..words.catalog.attribute import Attribute, Word, read_rows
from ..words.lexer import Source
from .replies import Refused


@dataclass(frozen=True)
class Where:
    """A WHERE filter: keyword, operator (LT GT EQ NE LE GE LK NL CT EX CTG EXG) and the value compared with."""

    keyword: str
    operator: str
    value: object


@dataclass(frozen=True)
class Grammar:
    """How one verb and object go together.

    ``how``: the name is "name" (must be given), "any" (may be generic or left out), "generic" (must be given, may be
    generic), "free" (any text or none) or "-" (none). ``kind``: the kind whose attributes the keywords are, "" for a
    command that is not about one. ``options``: keywords that are no attributes. ``had``: who has the command, None for
    those that have the kind of object.
    """

    how: str
    kind: str
    attributes: dict[str, Attribute]
    options: dict[str, Attribute]
    spelled: dict[str, str]
    had: Word | None = None


@dataclass
class Command:
    """One command as parsed.

    - `number` and `line`: its place among the commands, from 1, 0 if it is of no script; the input line it begins on.
    - `text`: continuations joined.
    - `verb`, `object` and `name`: in full and upper case ("DISPLAY", "QLOCAL"); the name as MQ takes it. Empty where
      not reached.
    - `kind`: kind of object it is about: as `object`, with CLNTCONN set apart from CHANNEL. Empty for other commands.
    - `attributes`: keyword -> value, checked: what DEFINE and ALTER set. For DISPLAY the values it chooses by.
    - `options`: REPLACE, FORCE, PURGE, ALL: bool; LIKE: name; and the keywords of other commands.
    - `wanted`: attributes a DISPLAY asks for.
    - `where`: the filter of a DISPLAY, or None.
    - `refused`: why it cannot be taken, or None; then the fields after `text` hold what was understood before that.
    - `notes`: facts to know about a command that is accepted; `case` and `subject`: as in `Grounds`, of such a note.
    """

    number: int
    line: int
    text: str
    source: Source
    verb: str = ""
    object: str = ""
    name: str = ""
    kind: str = ""
    attributes: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
    wanted: tuple[str, ...] = ()
    where: Where | None = None
    refused: Refused | None = None
    notes: list[str] = field(default_factory=list)
    case: str = ""
    subject: str = ""


@cache
def objects_of(verb: str) -> tuple[str, ...]:
    """Every sort of object this verb acts on, in the catalog's order."""
    return tuple(name for name in catalog.OBJECTS if grammar(verb, name) is not None)


@cache
def grammar(verb: str, name: str, chltype: str | None = None) -> Grammar | None:
    """How this verb and object go together, None if they do not.

    With `chltype` a channel has only what this type of channel has.
    """
    other = catalog.keywords(verb, name)
    if other is not None:
        how, had, options = other
        how = "name" if verb == "CLEAR" else how
        return Grammar(how, name if (verb, name) == ("CLEAR", "QLOCAL") else "", {}, options, _spelled(options), had)
    kind = _kind(verb, name)
    if not kind:
        return None
    rows = catalog.options(verb, kind)
    if verb == "DISPLAY" and kind == "QMGR":
        rows = [row for row in rows if row[0] != "WHERE"]
        rows += [(word, "flag", None, None, None, {"PUBSUB": "700"}.get(word, "600")) for word in catalog.QMGR_GROUPS]
    options, how = read_rows(rows), "-" if kind == "QMGR" else "generic" if verb == "DISPLAY" else "name"
    if kind in of_extras("identified_by") and verb != "DEFINE":
        how = "free"  # what identifies it may stand for the name
    if verb == "DELETE":
        return Grammar(how, kind, {}, options, _spelled(options))
    spelled = {**catalog.spelled(kind, chltype), **_spelled(options)}
    return Grammar(how, kind, catalog.attributes(kind, chltype), options, spelled)


def _kind(verb: str, name: str) -> str:
    """The kind whose attributes are this command's keywords, "" if it has none."""
    row = catalog.KINDS[name]
    if verb == "DISPLAY":
        return row.shows or (name if row.rows is not None and catalog.headline(name) else "")
    makes = ("ALTER",) if name == "QMGR" else ("DEFINE", "ALTER", "DELETE")
    return name if row.rows is not None and verb in makes else ""


def _spelled(options: dict[str, Attribute]) -> dict[str, str]:
    keywords = {}
    for keyword, attribute in options.items():
        keywords[keyword] = keyword
        if attribute.shape == "flag":
            keywords[f"NO{keyword}"] = keyword
    return keywords
