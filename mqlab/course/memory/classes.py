"""A class from its progress files: the map of all its learners, its commonest wrong predictions, and its games."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ...engine.words.errors import LabError
from ..exercises import progress
from .skills import SkillMap, middle

Class = dict[str, list[dict]]
"""The lines of each learner, by name."""


def read_class(path: str | Path) -> Class:
    """Return the lines of each learner, from a progress file or from all *.jsonl files of a folder, in their order.

    A line without a name is its file's, without .jsonl. Raises LabError if there is no file, or if one cannot be read.
    """
    place = Path(path)
    files = sorted(place.rglob("*.jsonl")) if place.is_dir() else [place] if place.is_file() else []
    if not files:
        raise LabError(f"path must be a progress file or a folder with *.jsonl files; got {place}")
    top = os.path.commonpath([file.parent for file in files])
    found: Class = {}
    for file in files:
        for line in progress.read(file)[0]:
            name = (line.get("learner") or "").strip() and line["learner"]
            found.setdefault(name or os.path.relpath(file, top).removesuffix(".jsonl"), []).append(line)
    return dict(sorted(found.items()))


def class_map(learners: Class) -> SkillMap:
    """Return the skill map of a class: for each rule the state that most learners who saw it have reached."""
    now = _last_day(line for lines in learners.values() for line in lines)
    return SkillMap(middle(progress.skill_states(lines, now) for lines in learners.values()), "The class", "learners")


def _last_day(lines: Iterable[dict]) -> date:
    """The last day that any of the lines names."""
    return date.fromisoformat(max((line["day"] for line in lines if line.get("day")), default="2025-01-06"))


class Wrong(NamedTuple):
    """A prediction of a notebook that learners got wrong: its key, its question ("" if it was not recorded), how many
    learners answered, how many were wrong, what most of these said, and the rules of its explanation."""

    key: str
    question: str
    learners: int
    wrong: int
    instead: str
    rules: str


def wrong_predictions(learners: Class) -> list[Wrong]:
    """Return the predictions of notebooks that were wrong, the commonest first; each learner's first answer counts."""
    first = [line for lines in learners.values() for line in progress.predictions(lines) if not line["skipped"]]
    found = []
    for key in sorted({line["key"] for line in first}):
        said = [line for line in first if line["key"] == key]
        wrong = [line for line in said if not all(line["right"])]
        if wrong:
            answers = Counter(_words(line["said"]) for line in wrong)
            instead = min(answers, key=lambda each: (-answers[each], each))
            texts = [str(line["asked"].get("plain", "")) for line in said if line.get("asked")]
            rules = ", ".join(dict.fromkeys(rule for line in wrong for rule in line["rules"]))
            found.append(Wrong(key, next(iter(texts), ""), len(said), len(wrong), instead, rules))
    return sorted(found, key=lambda each: (-each.wrong, -each.wrong / each.learners, each.key))


def _words(said: list) -> str:
    return "; ".join(", ".join(map(str, each)) if isinstance(each, list) else str(each) for each in said)


ACTIVITIES = ("Learner", "Predictions right", "Rounds right", "Incidents repaired", "Reviews right", "Rules mastered")


def activities(learners: Class) -> list[tuple[str, ...]]:
    """Return a row of ACTIVITIES for each learner, such as "3 of 4"; "" if there was none."""
    return [(name, *_row(lines)) for name, lines in learners.items()]


def _row(lines: list[dict]) -> tuple[str, ...]:
    def share(right: list[bool]) -> str:
        return f"{sum(right)} of {len(right)}" if right else ""

    def of(what: str, field: str) -> str:
        found = [line for line in lines if line["what"] == what and line.get("judged") != {}]  # as of the opening
        return share([line.get(field) is True for line in found])

    said = [all(line["right"]) for line in progress.predictions(lines) if not line["skipped"]]
    states = progress.skill_states(lines, _last_day(lines))
    mastered = sum(each.state == "mastered" for each in states.values())
    plays, reviews = of(progress.PLAY, "right"), of(progress.REVIEW, "right")
    return share(said), plays, of(progress.INCIDENT, "done"), reviews, str(mastered or "")
