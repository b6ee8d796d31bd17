"""The lines of a progress file: their kinds, how they are read, and what they say of predictions and exercises.

A line holds `schema` (1), `learner`, `exercise`, `what` ("start", "predict", "skip", "hint", "solution", "catch-up" or
"check") and its details: `door` of a start; `key` and `said` of a prediction; `key` of a skipped prediction; `level` of
a hint; `passed`, `of`, `done`, `missed`, `beliefs`, and `predicted` of a check, where `missed` holds the symptoms,
`beliefs` the ids of the misconceptions that they rest on, and `predicted`, by key, True for each prediction that is
right. Lines are in the order of the actions; no time of day is recorded.

A line of a game has its name as `exercise`, `what` "play", the `key` of its round, `right`, and `judged`: of each rule
that decided an answer, True if the learner was right. A line of a review is like it, with `what` "review". Both,
and predictions in a notebook, hold the `day` (2025-01-06), because the choice of a review depends on it. A line of
an incident has its estate and seed as `exercise` ("incident stores 7"), `what` "incident", `minutes`, `commands`,
`level` (the hints), and `done`.

A prediction in a notebook has `lesson` ("01") instead of `exercise`, `what` "predicted", its `key` ("01/tart"), `said`
(an answer for each part, null if skipped), `right` (a truth value for each part, empty if skipped), `rules` (the ids in
its explanation), `skipped`, and `again` (true if an earlier answer was known); also `asked`, the question as the page
has it, and the right `answers`, with which a review can ask it again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

SCHEMA = 1
PLAY, INCIDENT, REVIEW = "play", "incident", "review"
"""The `what` of a line of a game, an incident, and a review; the reports on exercises leave these lines out."""
TEXTS, NUMBERS = (
    ("learner", "exercise", "what", "door", "key"),
    ("schema", "level", "passed", "of", "minutes", "commands"),
)
KINDS: dict[str, type] = {"done": bool, "missed": list, "beliefs": list, "predicted": dict, "judged": dict}
KINDS |= {"day": str} | dict.fromkeys(TEXTS, str) | dict.fromkeys(NUMBERS, int)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def lines(text: str) -> Iterator[tuple[int, str, dict | None]]:
    """The lines of a progress file that are not empty: number from 1, text, and content, or None if the line is not
    valid. Learners might write into their files, so a line can be anything."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):  # a name can contain other line ends
        if line := line.strip(" \t\r"):
            try:
                content = json.loads(line)
                if "\\u" in line:  # half a surrogate pair is not text
                    json.dumps(content, ensure_ascii=False).encode()
            except (ValueError, RecursionError):
                content = None
            yield number, line, content if isinstance(content, dict) and _sound(content) else None


def _sound(line: dict) -> bool:
    if line.get("schema") != SCHEMA or line.get("what") is None:
        return False
    if line.get("exercise") is None:
        return _predicted(line)
    return (
        all(type(line[name]) is kind for name, kind in KINDS.items() if line.get(name) is not None)
        and all(0 <= (line.get(name) or 0) < 2**31 for name in NUMBERS)
        and all(type(each) is str for name in ("missed", "beliefs") for each in line.get(name) or ())
        and all(type(right) is bool for key in ("predicted", "judged") for right in (line.get(key) or {}).values())
        and _dated(line)
    )


def _dated(line: dict) -> bool:
    """Return True if the day of a line is a date that has days after it, or if the line has none."""
    day = line.get("day")
    try:
        return day is None or (bool(_DAY.fullmatch(day)) and date.fromisoformat(day).year < date.max.year)
    except ValueError:
        return False


def _predicted(line: dict) -> bool:
    """Return True if a line is a prediction made in a notebook."""
    kinds = {"lesson": str, "key": str, "right": list, "rules": list, "skipped": bool, "again": bool, "learner": str}
    kinds |= {key: kind for key, kind in (("asked", dict), ("answers", list), ("day", str)) if key in line}
    return (
        line["what"] == "predicted"
        and all(type(line.get(name)) is kind for name, kind in kinds.items())
        and all(type(each) is bool for each in line["right"])
        and all(type(each) is str for each in line["rules"])
        and type(line.get("said")) is (type(None) if line["skipped"] else list)
        and _dated(line)
    )


def of_exercise(line: dict) -> bool:
    """Return True if a line is about an exercise, not about a game, an incident, a review, or a prediction."""
    return line.get("exercise") is not None and line["what"] not in (PLAY, INCIDENT, REVIEW)


def predictions(lines: Iterable[dict]) -> list[dict]:
    """The predictions made in notebooks: for each key the first that was not skipped, or the first if all were."""
    first: dict[str, dict] = {}
    for line in lines:
        if line.get("exercise") is None and (line["key"] not in first or first[line["key"]]["skipped"]):
            first[line["key"]] = line
    return list(first.values())


class Standing(NamedTuple):
    """A learner's progress with an exercise; actions after it was done do not count.

    `said` predictions were made, and `right` of them were right (None before the first check of them). `hints` levels
    were shown; `solution` is True if the solution was shown. `tries` checks were made, and `done` is True if one
    passed. At best, `passed` of the `of` checks passed at once (None before the first).
    """

    exercise: str
    said: int
    right: int | None
    hints: int
    solution: bool
    tries: int
    done: bool
    passed: int | None = None
    of: int | None = None


def standings(lines: Iterable[dict]) -> list[Standing]:
    """A row for each exercise that was started, in that order."""
    begun: dict[str, list[dict]] = {}
    for line in lines:
        if of_exercise(line):
            begun.setdefault(line["exercise"], []).append(line)
    return [_standing(id, found) for id, found in begun.items()]


def _standing(id: str, lines: list[dict]) -> Standing:
    found_done = (place for place, line in enumerate(lines) if line["what"] == "check" and line.get("done"))
    first = next(found_done, len(lines))
    until = lines[: first + 1]
    verdicts: dict[str, bool] = {}
    for line in until:
        if line["what"] == "check":  # the first prediction counts: the second time the answer is known
            verdicts = {**(line.get("predicted") or {}), **verdicts}
    return Standing(
        id,
        len({line.get("key") for line in until if line["what"] == "predict"}),
        sum(verdicts.values()) if verdicts else None,
        len({line.get("level") for line in until if line["what"] == "hint"}),
        any(line["what"] == "solution" for line in until),
        sum(line["what"] == "check" for line in until),
        first < len(lines),
        *max(((line.get("passed") or 0, line.get("of")) for line in until if line.get("of")), default=(None, None)),
    )
