"""Logs of schema version 1: the facts behind their sentences, found by the templates of then read backward.

These are frozen in `because.v1.toml`, here those of the engine, and beside the `whys.py` of an extra its own; sentences
of today may change.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, NamedTuple

from ..engine.extra import Extra, extras
from ..engine.words.whys import Why, cases, types_of
from ..engine.world.event import Event

_CODE = re.compile(r"(AMQ\d{4}[A-Z]): (.*)", re.DOTALL)
_NEXT_ATTEMPT = re.compile(r"; (?=there is no path|the path|\S+ is not)")
_PATTERNS: dict[Any, str] = {int: r"-?\d+", int | None: r"None|\d+", list[str]: r".+?"}
_KEYS = {"program": "why", "refused": "why", "transmit": "failed"}  # where rows have their sentence, but "because"
_FREE = {
    "error",
    "call",
    "broken",
    "tried",
    "user",
    "name",
    "refused",
    "grounds",
}  # fields whose values may have spaces


def upgraded_log(rows: Iterable[Event]) -> Iterator[Event]:
    """The rows of a log of version 1, in order, as version 2 has them.

    In the log of many labs, the numbers of rows are increased, those in `detail` are not: `prepare` has both.
    """
    increased: dict[str | None, int] = {}
    for row in rows:
        if row.kind == "prepare" and row.uow is not None:
            increased[row.qmgr] = row.uow - int(row.facts["luwid"], 16)
        yield upgraded(row, increased.get(row.qmgr, 0))


def upgraded(row: Event, increased: int = 0) -> Event:
    """A row of version 1 as version 2 has it: facts in `why` and `then`, and the unit of work of a batch in `uow`.

    A row of version 2 stays as it is. `increased` is by how much the unit of work exceeds its number in `detail`.
    """
    detail = dict(row.facts)
    if row.kind == "channel" and "batch" in detail:
        row = row._replace(uow=int(detail.pop("batch"), 16) + increased)
    key = _KEYS.get(row.kind, "because")
    key = key if isinstance(detail.get(key), str) else "because"
    if key in detail:
        reasons = facts_of(detail[key], row)
        if row.kind == "trigger" and "why" in reasons:  # flat
            reasons = reasons.pop("why") | reasons
        partner = {"partner": detail.pop("partner")} if "partner" in detail else {}  # the last one, as it is written
        items = [reasons.items() if name == key else [(name, value)] for name, value in detail.items()]
        detail = dict(item for each in items for item in each) | partner
        if row.kind == "channel":
            detail.pop("error", None)
    if detail == row.facts:
        return row
    if row.detail == json.dumps(dict(row.facts)):  # with spaces, as a row of today that it must equal
        return row._replace(detail=json.dumps(detail))
    return row._replace(detail=json.dumps(detail, separators=(",", ":"), ensure_ascii=False))


def facts_of(text: str, row: Event) -> dict[str, Any]:
    """`why` and, if something followed, `then` of the sentence of a row; the sentence if no template makes it."""
    code, rest = match.groups() if (match := _CODE.fullmatch(text)) else ("", text)
    for old in _backward(tuple(extras())):
        bare = not code and not {"error", "call"} & old.types.keys()  # a note about a failure has no code
        if (old.kind.code == code or bare) and old.rows in ("", row.kind) and (match := old.pattern.fullmatch(rest)):
            facts = {"refused": 0, "user": row.facts.get("user", "")}  # may be left out
            facts |= dict.fromkeys(("channel", "queue"), row.object or "")
            facts |= {"qmgr": row.qmgr, "owner": (row.object or "").partition("@")[2]}
            words = {name: value for name, value in match.groupdict().items() if value is not None}
            facts |= old.chosen
            facts |= {name: _value(word, old.types.get(name), old.entry.get(name)) for name, word in words.items()}
            facts |= _attempts(str(facts["tried"]), old.entry["tried"]["path"]) if "tried" in facts else {}
            if "grounds" in facts:
                facts["grounds"] = facts_of(str(facts["grounds"]), row).get("why")
            then = {"then": facts_of(str(facts["then"]), row)["why"]} if "then" in facts else {}
            return {"why": {"case": old.kind.case} | {name: facts[name] for name in old.types}, **then}
    return {"because": text}


def _value(text: str, type: object, between: str | None) -> object:
    """The value of a field from its text; `between` separates the items of a list."""
    if type == list[str]:
        return text.split(between)
    if type in (int, int | None):
        return None if text == "None" else int(text)
    return text


def _attempts(text: str, templates: dict[str, str]) -> dict[str, Any]:
    """The attempts that a text lists, and where they were made (unknown if all it says is who does not run)."""
    here, tried = "", []
    for each in _NEXT_ATTEMPT.split(text):
        for path, template in templates.items():
            if found := re.fullmatch(_expression(template), each):
                here = found.groupdict().get("here", here)
                tried.append({"partner": found["partner"], "path": path})
    return {"here": here, "tried": tried}


def _expression(template: str, types: Mapping[str, object] | None = None, named: bool = True) -> str:
    """A regular expression that matches what a template makes, its fields as groups."""
    parts: list[str] = []
    for literal, name, nouns, quoted in Formatter().parse(template):
        parts.append(re.escape(literal))
        if name:
            type = (types or {}).get(name)
            text = r".*?" if name in _FREE else _PATTERNS.get(type, r"[^ ]+?")
            again = f"(?P<{name}>" in "".join(parts)
            group = f"(?P={name})" if again else f"(?P<{name}>{text})" if named else text
            either = "|".join(map(re.escape, (nouns or "").split("|")))
            parts.append(f"'{group}'" if quoted else f"{group} (?:{either})" if nouns else group)
    return "".join(parts)


def _templates() -> dict[str, dict[str, Any]]:
    """The templates of version 1 of every room."""
    by_kind: dict[str, dict[str, Any]] = {}
    for package in dict.fromkeys([__package__, *(kind.__module__.rpartition(".")[0] for kind in cases().values())]):
        page = files(package).joinpath("because.v1.toml")  # which rooms that came after version 1 do not have
        by_kind |= tomllib.loads(page.read_text("utf-8")) if page.is_file() else {}
    return by_kind


class _Old(NamedTuple):
    """One sentence of version 1: its pattern, the types of its fields, and the facts that chose it."""

    kind: type[Why]
    pattern: re.Pattern[str]
    types: dict[str, Any]
    chosen: dict[str, Any]
    entry: dict[str, Any]
    rows: str


@cache
def _backward(known: tuple[Extra, ...]) -> list[_Old]:
    """The sentences of version 1, those with most fixed text first; `known` are the extras whose reasons count."""
    entries, kinds = _templates(), cases()
    after = [entry["text"] for entry in entries.values() if "follows" in entry]
    follows = "|".join(_expression(text, named=False) for text in after)
    patterns: list[tuple[int, str, _Old]] = []
    for case, entry in entries.items():
        kind = kinds[case]
        types = types_of(kind)
        texts = entry["text"] if isinstance(entry["text"], dict) else {"*": entry["text"]}
        for key, text in texts.items():
            chosen = {} if key == "*" else {entry["by"]: _chosen(key, types[entry["by"]])}
            advice = f"(?:; {_expression(entry['advice'])})?" if "advice" in entry else ""
            advice += rf"(?:\. Try: {_expression(entry['hint'])})?" if "hint" in entry else ""
            pattern = re.compile(f"{_expression(text, types)}{advice}(?:; (?P<then>{follows}))?", re.DOTALL)
            old = _Old(kind, pattern, types, chosen, entry, entry.get("rows", ""))
            patterns.append((-len(re.sub(r"{.*?}", "", text)), case, old))
    return [old for _, _, old in sorted(patterns, key=lambda row: row[:2])]


def _chosen(key: str, type: object) -> object:
    """The value of a field that chooses a text, from its key."""
    return [] if type == list[str] else key == "true" if type is bool else int(key) if type is int else key
