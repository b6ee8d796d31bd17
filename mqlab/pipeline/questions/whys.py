"""Reasons in a log as columns of Spark: their facts as a struct, and sentences from the templates of the narrator.

No row is given to Python: a template is a `concat` of literals and of fields.
"""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from ... import lab  # noqa: F401 - the extras have reasons, too
from ...engine.words.because import entry_of
from ...engine.words.whys import Why, cases, types_of

if TYPE_CHECKING:
    from pyspark.sql import Column

_ITEMS = "ARRAY<STRUCT<partner: STRING, path: STRING>>"
_TYPES = {int: "BIGINT", int | None: "BIGINT", str: "STRING", bool: "BOOLEAN", list[str]: "ARRAY<STRING>"}


def _kinds(group: type[Why]) -> list[type[Why]]:
    """The reasons of a group, such as those of triggers."""
    return [kind for kind in cases().values() if issubclass(kind, group)]


def _fields(group: type[Why]) -> dict[str, str]:
    """Every field of the reasons of a group and its type, null if the case has no such field; the first is `case`."""
    found = {"`case`": "STRING"}
    for kind in _kinds(group):
        for name, type in types_of(kind).items():
            made = _TYPES.get(type, _ITEMS)
            if found.setdefault(f"`{name}`", made) != made:
                raise TypeError(f"a field of reasons must have one type; {name} of {kind.case} has {made}")
    return found


def parsed(group: type[Why], *more: str, flat: bool = False) -> Column:
    """The column `detail` as a struct: `then`, `because` (of version 1), `more` fields as DDL, and the reason as `why`,
    or `flat`, its fields beside the others."""
    fields = _fields(group)
    struct = f"STRUCT<{', '.join(f'{name}: {type}' for name, type in fields.items())}>"
    reason = [f"{name} {type}" for name, type in fields.items()] if flat else [f"why {struct}"]
    return F.from_json("detail", ", ".join([*reason, f"then {struct}", "because STRING", *more]))


def because(group: type[Why], told: Column, flat: bool = False) -> Column:
    """Why a row happened, from a struct of `parsed`; null for no reason."""
    follows = F.concat(F.lit("; "), sentence(group, told["then"], full=False))
    found = sentence(group, told if flat else told["why"])
    return F.coalesce(F.concat(found, F.coalesce(follows, F.lit(""))), told["because"])


def sentence(group: type[Why], why: Column, full: bool = True) -> Column:
    """The sentence of a struct of reasons, with code and advice if `full`; null for no reason."""
    found = F.lit(None).cast("string")
    for kind in _kinds(group):
        entry: dict[str, Any] = entry_of(kind)
        of: dict[str, Column] = {name: why[name] for name in types_of(kind)}
        for name, type in types_of(kind).items():
            if type == list[str]:
                of[name] = F.array_join(why[name], entry[name])
            elif type == int | None:
                of[name] = F.coalesce(why[name].cast("string"), F.lit("None"))
            elif type not in _TYPES:
                of[name] = _joined(why, name, entry[name], of)
        made = _chosen(entry["text"], of[entry["by"]] if "by" in entry else None, of)
        more = f"; {entry['advice']}" if full and "advice" in entry else ""
        code = f"{kind.code}: " if full and kind.code else ""
        made = F.concat(F.lit(code), made, *([_made(more, of)] if more else []))
        found = F.when(why["case"] == kind.case, made).otherwise(found)
    return found


def _chosen(text: Any, by: Column | None, of: dict[str, Column]) -> Column:
    """A text of a case, or the one that a field chooses."""
    if by is None:
        return _made(text, of)
    made = _made(text["*"], of) if "*" in text else F.lit(None).cast("string")
    for value in text.keys() - {"*"}:
        made = F.when(F.coalesce(by.cast("string"), F.lit("")) == value, _made(text[value], of)).otherwise(made)
    return made


def _made(template: str, of: dict[str, Column]) -> Column:
    """A template as a column."""
    parts = []
    for literal, name, nouns, quoted in Formatter().parse(template):
        parts += [F.lit(literal)] if literal else []
        parts += [F.lit("'")] if quoted else []
        parts += [of[name].cast("string")] if name else []
        parts += [F.lit("'")] if quoted else []
        if name and nouns:
            one, more = nouns.split("|")
            parts += [F.when(of[name] == 1, f" {one}").otherwise(f" {more}")]
    return F.concat(*parts)


def _joined(why: Column, name: str, entry: dict[str, Any], of: dict[str, Column]) -> Column:
    """The sentences of the items of a list."""
    [(chosen, lines)] = entry.items()

    def line(item: Column) -> Column:
        found = F.lit(None).cast("string")
        for value, template in lines.items():
            known = of | {each: item[each] for each in ("partner", "path")}
            found = F.when(item[chosen] == value, _made(template, known)).otherwise(found)
        return found

    return F.array_join(F.transform(why[name], line), "; ")
