"""Logs of schema version 1: the facts behind their sentences about channels, found by its templates read backward.

The templates of version 1 are frozen in `because.v1.toml`; sentences of today may change.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from ..mq.whys import Why
from .event import Event

_FOLLOWS = ("again", "no-initiator", "no-retry-left")
_CODE = re.compile(r"(AMQ\d{4}[A-Z]): (.*)")
_NEXT_ATTEMPT = re.compile(r"; (?=there is no path|the path|\S+ is not)")


def upgraded_log(rows: Iterable[Event]) -> Iterator[Event]:
    """The rows of a log of version 1, in order, as version 2 has them.

    In the log of many labs, the numbers of rows are increased, those in `detail` are not: `prepare` has both.
    """
    increased: dict[str | None, int] = {}
    for row in rows:
        if row.kind == "prepare" and row.uow is not None:
            increased[row.qmgr] = row.uow - int(json.loads(row.detail or "{}")["luwid"], 16)
        yield upgraded(row, increased.get(row.qmgr, 0))


def upgraded(row: Event, increased: int = 0) -> Event:
    """A row of version 1 as version 2 has it: facts in `why` and `then`, and the unit of work of a batch in `uow`.

    A row of version 2 stays as it is. `increased` is by how much the unit of work exceeds its number in `detail`.
    """
    if row.kind != "channel" or not row.detail:
        return row
    detail = json.loads(row.detail)
    if "batch" in detail:
        row = row._replace(uow=int(detail.pop("batch"), 16) + increased)
    if "because" in detail:
        partner = {"partner": detail.pop("partner")} if "partner" in detail else {}  # the last one, as it is written
        detail |= facts_of(detail.pop("because"), row.object or "") | partner
        detail.pop("error", None)
    return row._replace(detail=json.dumps(detail, separators=(",", ":"), ensure_ascii=False))


def facts_of(text: str, channel: str = "") -> dict[str, Any]:
    """`why` and, after a failure, `then` of a sentence about a channel; the sentence itself if no template makes it."""
    code, rest = found.groups() if (found := _CODE.match(text)) else ("", text)  # text: version 1
    for why, pattern in _backward():
        bare = not code and "error" not in {each.name for each in fields(why)}  # a note about a failure has no code
        if (why.code == code or bare) and (found := pattern.fullmatch(rest)):
            facts: dict[str, Any] = {"refused": 0, "channel": channel}  # which a text may leave out
            facts |= {name: _value(value) for name, value in found.groupdict().items() if value is not None}
            facts |= _attempts(str(facts["tried"])) if "tried" in facts else {}
            then = {"then": facts_of(str(facts["then"]))["why"]} if "then" in facts else {}
            return {"why": {"case": why.case} | {each.name: facts[each.name] for each in fields(why)}, **then}
    return {"because": text}


def _value(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def _attempts(text: str) -> dict[str, Any]:
    """The attempts that a text lists, and where they were made (unknown if all it says is who does not run)."""
    here, tried = "", []
    for each in _NEXT_ATTEMPT.split(text):
        for path, template in _templates()["unreachable"]["tried"]["path"].items():
            if found := re.fullmatch(_expression(template), each):
                here = found.groupdict().get("here", here)
                tried.append({"partner": found["partner"], "path": path})
    return {"here": here, "tried": tried}


def _expression(template: str, named: bool = True) -> str:
    """A regular expression that matches what a template makes, its fields as groups."""
    parts: list[str] = []
    for literal, name, _, quoted in Formatter().parse(template):
        parts.append(re.escape(literal))
        if name:
            text = r".*?" if name in ("error", "tried") else r"[^ ]+?"
            again = f"(?P<{name}>" in "".join(parts)
            group = f"(?P={name})" if again else f"(?P<{name}>{text})" if named else text
            parts.append(f"'{group}'" if quoted else group)
    return "".join(parts)


@cache
def _templates() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("mqlab.sim").joinpath("because.v1.toml").read_text("utf-8"))


@cache
def _backward() -> list[tuple[type[Why], re.Pattern[str]]]:
    """The cases and the expressions of their sentences, those with most fixed text first."""
    follows = "|".join(_expression(_templates()[case]["text"], named=False) for case in _FOLLOWS)
    found = []
    for case, entry in _templates().items():
        why = Why.CASES[case]
        for text in entry["text"].values() if isinstance(entry["text"], dict) else [entry["text"]]:
            advice = f"(?:; {_expression(entry['advice'])})?" if "advice" in entry else ""
            pattern = re.compile(f"{_expression(text)}{advice}(?:; (?P<then>{follows}))?")
            found.append((-len(re.sub(r"{.*?}", "", text)), case, why, pattern))
    return [(why, pattern) for _, _, why, pattern in sorted(found, key=lambda each: each[:2])]
