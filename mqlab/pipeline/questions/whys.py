"""Reasons in a log as columns of Spark: their facts as a struct, and sentences from the templates of the narrator.

No row is given to Python: a template is a `concat` of literals and of fields.
"""

from __future__ import annotations

from dataclasses import fields
from string import Formatter
from typing import TYPE_CHECKING, Any, get_type_hints

from pyspark.sql import functions as F

from ...mq.because import templates
from ...mq.whys import Why

if TYPE_CHECKING:
    from pyspark.sql import Column

_TYPES = {int: "BIGINT", str: "STRING"}
_ITEMS = "ARRAY<STRUCT<partner: STRING, path: STRING>>"


def schema() -> str:
    """The struct of every field of every reason, as DDL: `case` and, null if the case has no such field, the others."""
    found = {
        each.name: _TYPES.get(get_type_hints(why)[each.name], _ITEMS)
        for why in Why.CASES.values()
        for each in fields(why)
    }
    return ", ".join(f"`{name}`: {type}" for name, type in {"case": "STRING", **found}.items())


def _made(template: str, of: dict[str, Column]) -> Column:
    """A template as a column."""
    parts = []
    for literal, name, _, quoted in Formatter().parse(template):
        parts += [F.lit(literal)] if literal else []
        parts += [F.lit("'")] if quoted else []
        parts += [of[name].cast("string")] if name else []
        parts += [F.lit("'")] if quoted else []
    return F.concat(*parts)


def sentence(why: Column, full: bool = True) -> Column:
    """The sentence of a struct of `schema()`, with code and advice if `full`; null for no reason."""
    found = F.lit(None).cast("string")
    for case, kind in Why.CASES.items():
        entry: dict[str, Any] = templates()[case]
        of: dict[str, Column] = {each.name: why[each.name] for each in fields(kind)}
        for name in entry.keys() - {"text", "advice", "by"}:
            of[name] = _joined(why, name, entry[name], of)
        text = entry["text"]
        if isinstance(text, dict):
            made = _made(text["*"], of)
            for value in text.keys() - {"*"}:
                made = F.when(of[entry["by"]].cast("string") == value, _made(text[value], of)).otherwise(made)
        else:
            made = _made(text, of)
        more = f"; {entry['advice']}" if full and "advice" in entry else ""
        code = f"{kind.code}: " if full and kind.code else ""
        made = F.concat(F.lit(code), made, _made(more, of)) if more else F.concat(F.lit(code), made)
        found = F.when(why["case"] == case, made).otherwise(found)
    return found


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
