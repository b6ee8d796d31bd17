"""The sentences of reasons: because.toml beside each `whys.py` has a template for each case; no code reads them."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from .errors import LabError, MQError
from .refusals import Grounds
from .templates import fields_of, filled
from .whys import Again, Attempt, Why, cases_in, why_of

_LANGUAGE = "because.toml"
_KEYS = {"by", "text", "advice", "hint", "now"}
_ITEM = set(Attempt.__annotations__)


@cache
def templates(module: str, language: str = _LANGUAGE) -> dict[str, dict[str, Any]]:
    """The templates of a language for the reasons of a module, by case; LabError if a case has none, or a template
    names a field that it has not."""
    package, kinds = module.rpartition(".")[0], cases_in(sys.modules[module])
    by_case = tomllib.loads(files(package).joinpath(language).read_text("utf-8"))
    for case, kind in kinds.items():
        if case not in by_case:
            raise LabError(f"{language} of {package} must have a sentence for {case}")
        known = set(kind.__match_args__)
        named = {by_case[case].get("by")} - {None} | (set(by_case[case]) - _KEYS)
        for template, inner in _texts(by_case[case], frozenset()):
            named |= fields_of(template) - (_ITEM if inner else set())
        if unknown := named - known:
            raise LabError(f"{language} must name only fields of {case}; got {', '.join(sorted(unknown))}")
    if unknown := set(by_case) - set(kinds):
        raise LabError(f"{language} must have sentences of known cases only; got {', '.join(sorted(unknown))}")
    return by_case


def _texts(entry: dict[str, Any], above: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Every template of an entry, and whether it is one of the items of a list."""
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from _texts(value, above | {key})
        elif key != "by":
            yield value, bool(above - {"text", "now"})


def entry_of(kind: type[Why], language: str = _LANGUAGE) -> dict[str, Any]:
    """The templates of a case."""
    return templates(kind.__module__, language)[kind.case]


def as_key(value: object) -> str:
    """A value of a field as the key of a text in a table."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def fact(why: Why, style: str = "text", language: str = _LANGUAGE) -> str:
    """The sentence of a reason: `style` is "text", or "now" for a question that is asked later."""
    entry, facts = entry_of(type(why), language), why.facts
    words: dict[str, object] = {**facts}
    for name, value in facts.items():
        if isinstance(value, list):
            words[name] = _listed(value, entry[name], facts)
        elif isinstance(value, dict):
            words[name] = _refusal(value) if "fields" in value else Told(value)
    template = entry.get(style, entry["text"])
    if isinstance(template, dict):
        template = template.get(as_key(words[entry["by"]]), template.get("*"))
    return filled(template, words)


def hint(why: Why, language: str = _LANGUAGE) -> str:
    """The remedy that a reason suggests, "" if there is none."""
    return filled(entry_of(type(why), language).get("hint", ""), why.facts)


def advised(why: Why | None) -> str:
    """The fact and the remedy, "" if there is no reason."""
    if why is None:
        return ""
    return f"{fact(why)}. Try: {advice}" if (advice := hint(why)) else fact(why)


class Told:
    """The facts of a reason, which read as its sentence: a field of a refusal."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts

    def __str__(self) -> str:
        return advised(why_of({"why": self.facts}))


def refused_call(error: MQError) -> dict[str, Any]:
    """An error as reasons keep it."""
    return {**refused_on(error.grounds), "reason": error.reason, "object": error.object, "qmgr": error.qmgr}


def refused_on(grounds: Grounds | None) -> dict[str, Any]:
    """The grounds of a refusal as reasons keep them: fields are numbers, texts, and the facts of reasons."""
    if grounds is None:
        return {"reason": 0, "case": "", "fields": {}}
    fields: dict[str, Any] = {
        name: value.facts if isinstance(value, Told) else value if type(value) in (int, str) else str(value)
        for name, value in grounds.fields.items()
    }
    return {"reason": grounds.reason, "case": grounds.case, "fields": fields}


def _refusal(call: dict[str, Any]) -> str:
    """A refused call in words, or its grounds alone."""
    of = {name: Told(value) if isinstance(value, dict) else value for name, value in call["fields"].items()}
    grounds = Grounds(call["reason"], call["case"], of) if call["case"] else None
    if "qmgr" in call:
        return str(MQError(call["reason"], call["object"], call["qmgr"], grounds=grounds))
    return grounds.said if grounds else ""


def _listed(items: list[Any], entry: str | dict[str, dict[str, str]], facts: dict[str, Any]) -> str:
    """The items of a list in words."""
    if isinstance(entry, str):
        return entry.join(items)
    [(chosen, lines)] = entry.items()
    return "; ".join(filled(lines[item[chosen]], facts | item) for item in items)


def reason(why: Why | None, then: Why | None = None, language: str = _LANGUAGE) -> str:
    """A reason as a channel states it: its code, the fact, the remedy, and what follows; "" for none."""
    if why is None:
        return ""
    advice = filled(entry_of(type(why), language).get("advice", ""), why.facts)
    words = [f"{why.code}: {fact(why, language=language)}" if why.code else fact(why, language=language), advice]
    return "; ".join([*filter(None, words), *([fact(then, language=language)] if then else [])])


def because(detail: Mapping[str, Any], waiting: bool = False) -> str:
    """Why a row happened, in words; without the time of the next attempt if `waiting` (for a stretch of attempts)."""
    why, then = why_of(detail), why_of(detail, "then")
    if why is None:
        told: str = detail.get("because", "")  # of version 1, if no template made it
        return told
    if "was" in detail:
        return reason(why, None if waiting and isinstance(then, Again) else then)
    return "; ".join([fact(why), *([fact(then)] if then else [])])
