"""Reasons in a log as columns of Spark: their facts as a struct, and sentences from the templates of the narrator.

No row is given to Python: a template is a `concat` of literals and of fields. The templates of refusals are too many
for that: they are one literal, a map from cases to the parts of their sentences.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from ... import lab  # noqa: F401 - the extras have reasons, too
from ...engine.words.because import entry_of
from ...engine.words.constants import REASONS
from ...engine.words.refusals import cases as refusal_cases
from ...engine.words.whys import Refused, Why, cases, types_of

if TYPE_CHECKING:
    from pyspark.sql import Column

_ITEMS = "ARRAY<STRUCT<partner: STRING, path: STRING>>"
_TYPES = {int: "BIGINT", int | None: "BIGINT", str: "STRING", bool: "BOOLEAN", list[str]: "ARRAY<STRING>"}
_TYPES |= {Refused: "STRING"}  # its JSON, or the text of version 1
_PARTS = "ARRAY<STRUCT<literal: STRING, field: STRING, quoted: BOOLEAN, alone: BOOLEAN, noun: STRING, nouns: STRING>>"
_REFUSAL = "reason BIGINT, `case` STRING, fields MAP<STRING, STRING>, object STRING, qmgr STRING"


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
    """The sentence of a struct of reasons, with code and advice if `full`; null for no reason.

    A reason that only follows another, one without code and advice, has no refusal.
    """
    if full and any(Refused in types_of(kind).values() for kind in _kinds(group)):
        call = F.when(why["call"].startswith("{"), _refusal(why["call"])).otherwise(why["call"])
        return _once(call, lambda words: _sentence(group, why, full, words))
    return _sentence(group, why, full)


def _once(value: Column, use: Callable[[Column], Column]) -> Column:
    """What `use` makes of a column, which Spark computes once."""
    return F.transform(F.array(value), use)[0]


def _sentence(group: type[Why], why: Column, full: bool, call: Column | None = None) -> Column:
    """The same, with the words of its refusal."""
    found = F.lit(None).cast("string")
    for kind in _kinds(group):
        entry: dict[str, Any] = entry_of(kind)
        of: dict[str, Column] = {name: why[name] for name in types_of(kind)}
        for name, type in types_of(kind).items():
            if type == list[str]:
                of[name] = F.array_join(why[name], entry[name])
            elif type == int | None:
                of[name] = F.coalesce(why[name].cast("string"), F.lit("None"))
            elif type == Refused and call is not None:
                of[name] = call
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


@cache
def _refusal_parts() -> str:
    """The parts of the sentences of every refusal, by reason code and case, and the names of reason codes, as JSON."""

    def parts(template: str) -> list[dict[str, Any]]:
        pieces = []
        for literal, field, nouns, quoted in Formatter().parse(template):
            noun, _, plural = (nouns or "").removeprefix("=").partition("|")
            alone = (nouns or "").startswith("=")
            named = {"literal": literal, "field": field, "quoted": bool(quoted)}
            pieces.append(named | {"alone": alone, "noun": noun, "nouns": plural})
        return pieces

    known = {
        f"{reason} {case}": {"said": parts(has.said), "hint": parts(has.hint)}
        for (reason, case), has in refusal_cases().items()
    }
    return json.dumps({"cases": known, "names": REASONS})


def _refusal(call: Column) -> Column:
    """The sentence of a refused call, from its facts as JSON: as `MQError` has it, or its grounds alone."""
    # a reason in one of its fields, where a cluster would have a transmission queue, stays as its facts
    sentences = f"STRUCT<said: {_PARTS}, hint: {_PARTS}>"
    known = F.from_json(F.lit(_refusal_parts()), f"cases MAP<STRING, {sentences}>, names MAP<STRING, STRING>")

    def words(facts: Column) -> Column:
        reason = facts["reason"].cast("string")
        keys = [F.concat(each, F.lit(" "), facts["case"]) for each in (reason, F.lit("0"))]
        name = known["names"][reason]
        return _once(F.coalesce(*(known["cases"][key] for key in keys)), lambda case: _whole(facts, name, case))

    return _once(F.from_json(call, _REFUSAL), words)


def _whole(facts: Column, name: Column, case: Column) -> Column:
    """The sentence of a refused call, whose reason code has this name, by the templates of its case."""

    def text(parts: Column) -> Column:
        return F.array_join(F.transform(parts, lambda part: _part(part, facts["fields"])), "")

    subject = [
        F.concat_ws(" ", facts["reason"], name),
        F.concat_ws(" on ", *(F.nullif(facts[each], F.lit("")) for each in ("object", "qmgr"))),
    ]
    refusal = F.concat_ws(": ", *(F.nullif(each, F.lit("")) for each in (*subject, text(case["said"]))))
    hint = F.concat(F.lit(". Try: "), F.nullif(text(case["hint"]), F.lit("")))
    return F.when(facts["qmgr"].isNull(), text(case["said"])).otherwise(F.concat_ws("", refusal, hint))


def _part(part: Column, fields: Column) -> Column:
    """One part of the template of a refusal: its literal, and a field with its quotes or its noun."""
    value = fields[part["field"]]
    mark = F.when(part["quoted"], "'").otherwise("")
    shown = F.when(part["alone"], "").otherwise(F.concat(mark, value, mark))
    noun = F.when(value == "1", part["noun"]).otherwise(part["nouns"])
    between = F.when((noun == "") | part["alone"], "").otherwise(" ")
    return F.concat(part["literal"], F.when(part["field"].isNull(), "").otherwise(F.concat(shown, between, noun)))
