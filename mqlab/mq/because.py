"""The sentences of reasons: because.toml has a template for each case of `mqlab.mq.whys`; nothing reads their words."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, get_type_hints

from .errors import LabError
from .whys import Again, Why, why_of

_FORMATTER = Formatter()
_LANGUAGE = "because.toml"


@cache
def templates(language: str = _LANGUAGE) -> dict[str, dict[str, Any]]:
    """The templates of a language by case; LabError if a case has none, or a template names a field that it has not."""
    found = tomllib.loads(files("mqlab.mq").joinpath(language).read_text("utf-8"))
    for case, why in Why.CASES.items():
        if case not in found:
            raise LabError(f"{language} must have a sentence for {case}")
        known = set(get_type_hints(why)) & {each.name for each in fields(why)}
        for template, inner in _texts(found[case], frozenset()):
            named = {name for _, name, _, _ in _FORMATTER.parse(template) if name}
            items = {"partner", "path"} if inner else set()
            if unknown := named - known - items:
                raise LabError(f"{language} must name only fields of {case}; got {', '.join(sorted(unknown))}")
    if unknown := set(found) - set(Why.CASES):
        raise LabError(f"{language} must have sentences of known cases only; got {', '.join(sorted(unknown))}")
    return found


def _texts(entry: dict[str, Any], above: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Every template of an entry, and whether it is one of the items of a list."""
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from _texts(value, above | {key})
        elif key != "by":
            yield value, bool(above - {"text"})


def fact(why: Why, advice: bool = False, language: str = _LANGUAGE) -> str:
    """The sentence of a reason, with what an operator can do about it if `advice`."""
    entry, facts = templates(language)[why.case], why.facts
    text = entry["text"]
    if isinstance(text, dict):
        text = text.get(str(facts[entry["by"]]), text["*"])
    for name, value in facts.items():
        if isinstance(value, list):
            [(chosen, lines)] = entry[name].items()
            facts[name] = "; ".join(lines[item[chosen]].format(**(facts | item)) for item in value)
    more = entry.get("advice", "") if advice else ""
    return (text + (f"; {more}" if more else "")).format(**facts)


def reason(why: Why | None, then: Why | None = None, language: str = _LANGUAGE) -> str:
    """A reason as a channel states it: its code, the fact, the remedy, and what follows; "" for none."""
    if why is None:
        return ""
    words = (f"{why.code}: " if why.code else "") + fact(why, True, language)
    return words + (f"; {fact(then, language=language)}" if then else "")


def because(detail: dict[str, Any], waiting: bool = False) -> str:
    """Why a row happened, in words; without the time of the next attempt if `waiting` (for a stretch of attempts)."""
    why, then = why_of(detail), why_of(detail, "then")
    if why is None:
        told: str = detail.get("because") or detail.get("why") or ""
        return told
    if "was" not in detail:
        return fact(why)
    return reason(why, None if waiting and isinstance(then, Again) else then)
