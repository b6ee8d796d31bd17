"""DISPLAY: which objects, which of their attributes, and the two columns runmqsc prints them in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from fnmatch import fnmatchcase
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from ..extra import extras, of_extras
from ..words import catalog
from ..words.catalog import Attribute
from ..words.objects import QUEUE_KINDS, Definition
from .command import Command, Where
from .replies import Refused

if TYPE_CHECKING:
    from ..queues.queue_manager import QueueManager

_CHOICES = frozenset().union(*(extra.choices for extra in extras()))
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {"EQ": eq, "NE": ne, "LT": lt, "GT": gt, "LE": le, "GE": ge}
LONGEST = 999_999_999
"""The largest number that a column shows."""
_COLUMN = 38
"""A cell of so many characters stands alone on its line; of shorter ones, two, the second from the 44th on."""
PASSWORDS = ("LDAPPWD", "PASSWORD", "KEYRPWD")
"""Shown as asterisks."""
_IDENTIFIED_BY, _SUMMARIES = of_extras("identified_by"), of_extras("columns")
_LISTS = ("NAMES", "USERLIST", "ADDRLIST")
"""Lists that begin a line and have each item on one of its own."""


def moment(owner: Any, time_us: int | None, date: str, time: str) -> dict:
    """A moment as two columns of these names, blank for none; `owner` belongs to the lab."""
    if time_us is None:
        return {date: "", time: ""}
    at = owner.lab.start + timedelta(microseconds=time_us)
    return {date: at.strftime("%Y-%m-%d"), time: at.strftime("%H.%M.%S")}


def display(qmgr: QueueManager, command: Command) -> list[dict]:
    """The rows a DISPLAY shows: a dict of keyword -> value for each object, by name.

    A note names what is asked for and not there. Refused: AMQ8147 when no object has the name, or WHERE leaves none.
    """
    definitions = [Definition("QMGR", qmgr.name, qmgr.attributes)] if command.kind == "QMGR" else _named(qmgr, command)
    rows = []
    none: set[str] = set()
    for definition in definitions:
        values = _values(qmgr, definition, command.attributes.get("DISTYPE", "RESOLVED"))
        if _chosen(command, values):
            shown = _wanted(command, definition, values)
            rows.append({**_head(definition), **{keyword: values[keyword] for keyword in shown}})
            has = catalog.attributes(definition.kind, definition.attributes.get("CHLTYPE"))
            lacks = [key for key in command.wanted if key in has and key not in values]
            none.update(key for key in lacks if has[key].had_by(qmgr.platform, qmgr.level))
    if not rows:
        raise _missing(qmgr, command, command.name or command.attributes.get("SUBID", ""))
    if none:
        command.notes.append(f"the lab has no {', '.join(sorted(none))} to show here")
    return rows


def _named(qmgr: QueueManager, command: Command) -> list[Definition]:
    """The objects of this name; dynamic queues that are deleted and still open only if they are all."""
    own = [] if command.object in ("QCLUSTER", "TCLUSTER") else [qmgr.objects]
    tables = [*own, *(table for extra in extras() for table in extra.others(qmgr, command))]
    found = [one for objects in tables for one in objects.match(catalog.family(command.kind), command.name or "*")]
    there = [one for one in found if one.name in qmgr.targets or qmgr.objects.get("QLOCAL", one.name) is not one]
    return there or found


def _missing(qmgr: QueueManager, command: Command, name: str) -> Refused:
    if command.object in ("QCLUSTER", "TCLUSTER") or command.options.get("CLUSINFO"):
        return Refused(8147, "no-clusters", qmgr=qmgr.name, name=name)
    if command.where is not None or command.attributes or command.name.endswith("*"):
        return Refused(8147, "none-left", object=command.object, name=name)
    for one in qmgr.objects.match(QUEUE_KINDS if command.kind in QUEUE_KINDS else (), command.name):
        return Refused(8147, "other-kind", queue=one.name, kind=one.kind, object=command.object, name=name)
    near = qmgr.objects.near("QLOCAL" if command.kind in (*QUEUE_KINDS, "QUEUE") else command.kind, command.name)
    if near:
        return Refused(8147, "no-object-but-near", object=command.object, near=" or ".join(near), name=name)
    return Refused(8147, "no-object", object=command.object, name=name)


def _values(qmgr: Any, definition: Definition, distype: str) -> dict:
    """Every attribute the object has now, in DISPLAY's order."""
    values = dict(definition.attributes)
    if definition.kind == "QLOCAL":
        born = qmgr.objects.get("QLOCAL", definition.name) is definition
        status = qmgr.status(definition.name) if born else dict.fromkeys(("CURDEPTH", "IPPROCS", "OPPROCS"), 0)
        values.update({keyword: status[keyword] for keyword in ("CURDEPTH", "IPPROCS", "OPPROCS")})
    if definition.kind in QUEUE_KINDS:
        values.setdefault("QTYPE", definition.kind)
    if definition.kind == "QMGR":
        values = qmgr.all_attributes()
    for extra in extras():
        values |= extra.also_displayed(qmgr, definition, distype)
    values |= {key: "********" for key in PASSWORDS if values.get(key)}
    if definition.kind == "NAMELIST":
        values["NAMCOUNT"] = len(values.get("NAMES", ()))
    order = catalog.attributes(definition.kind, definition.attributes.get("CHLTYPE"))
    sorts = {values.get("TRPTYPE"), values.get("AUTHTYPE")}
    has = [a.keyword for a in order.values() if not a.only_of or sorts.intersection(a.only_of)]
    return {each: values[each] for each in has if each in values and order[each].had_by(qmgr.platform, qmgr.level)}


def _head(definition: Definition) -> dict:
    """The beginning of every row: name and type."""
    if definition.kind == "QMGR":
        return {"QMNAME": definition.name}
    if definition.kind in QUEUE_KINDS:
        return {"QUEUE": definition.name, "TYPE": definition.attributes.get("QTYPE", definition.kind)}
    if definition.kind in ("CHANNEL", "CLNTCONN"):
        return {"CHANNEL": definition.name, "CHLTYPE": definition.attributes.get("CHLTYPE", definition.kind)}
    has = definition.attributes
    if definition.kind in _IDENTIFIED_BY:
        first = _IDENTIFIED_BY[definition.kind]
        return {first: has.get(first, ""), definition.kind: definition.name}
    return {definition.kind: definition.name} | {each: has[each] for each in ("AUTHTYPE", "TYPE") if each in has}


def _chosen(command: Command, values: dict) -> bool:
    """Whether TYPE(...) and such, and WHERE, leave this object in."""
    if any(extra.leaves_out(command, values) for extra in extras()):
        return False
    for keyword, wanted in command.attributes.items():
        if keyword in _CHOICES or wanted in ("*", "ALL"):
            continue
        if (keyword, wanted) == ("SUBTYPE", "USER"):  # all except those of other queue managers
            wanted = "A*"
        if not fnmatchcase(str(values.get(keyword, "")), str(wanted)):
            return False
    return command.where is None or where_holds(command.where, values)


def where_holds(where: Where, values: dict) -> bool:
    """Whether a WHERE filter leaves an object with these values in; one without the keyword is left out."""
    if where.keyword not in values:
        return False
    value, operator, wanted = values[where.keyword], where.operator, str(where.value)
    if operator in _COMPARE:
        try:
            return _COMPARE[operator](value, where.value)
        except TypeError:
            return False
    if operator in ("LK", "NL"):  # compare one text with a generic one; the others look for an item of a list
        return matches(str(value), wanted) is (operator == "LK")
    items = value if isinstance(value, tuple) else (str(value),)
    found = any(matches(item, wanted) if operator.endswith("G") else item == wanted for item in items)
    return found is operator.startswith("CT")


def matches(text: str, wanted: str) -> bool:
    """Return whether a text is the one wanted, or begins with it if the one wanted is generic (ends in an asterisk)."""
    return text.startswith(wanted[:-1]) if wanted.endswith("*") else text == wanted


def _wanted(command: Command, definition: Definition, values: dict) -> list[str]:
    """The keywords to show: those asked for; all for one named object; none for a generic name."""
    hidden, where = ("QTYPE", "CHLTYPE", "QMNAME" if definition.kind == "QMGR" else ""), command.where
    groups = [keywords for group, keywords in catalog.QMGR_GROUPS.items() if command.options.get(group)]
    groups += [words for option, words in _SUMMARIES.items() if command.options.get(option)]
    asked = set().union(command.wanted, *groups)
    everything = command.options.get("ALL") or not (asked or where or command.name.endswith("*"))
    asked.update([where.keyword] if where else [], {*command.attributes} - _CHOICES)
    return [keyword for keyword in values if keyword not in hidden and (everything or keyword in asked)]


def layout(rows: list[dict], kind: str, headline: str = "") -> list[list[str]]:
    """The rows as runmqsc prints them: a headline and two columns of KEYWORD(VALUE) for each object."""
    family = "QUEUE" if kind in QUEUE_KINDS else kind
    known = catalog.attributes(family) if catalog.family(family) else {}  # a status has none
    return [[headline or catalog.headline(kind), *columns_of(row, known)] for row in rows]


def columns_of(row: dict, known: dict[str, Attribute]) -> list[str]:
    lines: list[list[str]] = []
    for keyword, value in row.items():
        cell, listed = _cell(keyword, value, known.get(keyword)), keyword in _LISTS
        before = lines[-1][0] if lines and len(lines[-1]) == 1 else "\n"
        if not listed and "\n" not in before and max(len(cell), len(before)) < _COLUMN:
            lines[-1].append(cell)
        else:
            lines.append([cell])
    return ["   " + "".join(f"{cell:<{_COLUMN + 2}}" for cell in line).rstrip() for line in lines]


def _cell(keyword: str, value: object, attribute: Attribute | None) -> str:
    if isinstance(value, bool):
        return keyword if value else f"NO{keyword}"
    if keyword in _LISTS and isinstance(value, tuple):
        between = "\n" + " " * (len(keyword) + 3) + ","
        return f"{keyword}({between.join(value) or ' '})"
    shown = ",".join(value) if isinstance(value, tuple) else str(value)
    shown = attribute.shown(value) if attribute is not None else shown or " "
    return f"{keyword}({shown})"
