"""What a learner has done, as JSON lines in a local file; nothing is sent anywhere.

A line holds `schema` (1), `learner`, `exercise`, `what` ("start", "predict", "hint", "solution" or "check") and what
belongs to it: `door` of a start, `key` and `said` of a prediction, `level` of a hint; of a check `passed`, `of`,
`done`, `missed`, and `predicted`: of each prediction that was said whether it is right, by key. Lines stand in the
order in which things were done; no time of day is kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..errors import LabError

__all__ = ["FILE", "LEARNER", "SCHEMA", "Standing", "place", "read", "record", "summary"]

SCHEMA = 1
FILE, LEARNER = "MQLAB_PROGRESS", "MQLAB_LEARNER"
"""Environment variables: the file ("off" for none; ~/.mqlab/progress.jsonl by default) and the learner's name."""


def place() -> Path | None:
    """The file that progress is kept in, None if it is kept nowhere."""
    named = os.environ.get(FILE, "")
    if named == "off":
        return None
    return Path(named) if named else Path.home() / ".mqlab" / "progress.jsonl"


def record(exercise: str, what: str, **about) -> None:
    """Add a line to the learner's file; LabError where it cannot be written."""
    path = place()
    if path is None:
        return
    line = {"schema": SCHEMA, "learner": os.environ.get(LEARNER, ""), "exercise": exercise, "what": what, **about}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    except OSError as error:
        raise LabError(
            f"a file for your progress wanted; {path} cannot be written ({error.strerror}). "
            f"Set {FILE} to another file, or to off"
        ) from None


def read(path=None) -> tuple[list[dict], list[str]]:
    """The lines of a progress file that are such, in order, and those that are not; no file is an empty one."""
    path = place() if path is None else Path(path)
    if path is None or not path.is_file():
        return [], []
    good, bad = [], []
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):  # a name may hold other line ends
        try:
            found = json.loads(line)
        except json.JSONDecodeError:
            found = None
        if isinstance(found, dict) and found.get("schema") == SCHEMA and {"exercise", "what"} <= set(found):
            good.append(found)
        elif line.strip():
            bad.append(line)
    return good, bad


class Standing(NamedTuple):
    """How far somebody got with an exercise; what came after it was done is not counted.

    `said` predictions were committed and `right` of them were right, None before the first check that looked at them;
    `hints` levels were looked at, and the `solution` or not; `tries` checks were made; `done` or not.
    """

    exercise: str
    said: int
    right: int | None
    hints: int
    solution: bool
    tries: int
    done: bool


def summary(lines: Iterable[dict] | None = None) -> list[Standing]:
    """A row for each exercise that was begun, in the order in which they were; of the learner's file unless given."""
    begun: dict[str, list[dict]] = {}
    for line in read()[0] if lines is None else lines:
        begun.setdefault(line["exercise"], []).append(line)
    return [_standing(id, found) for id, found in begun.items()]


def _standing(id: str, lines: list[dict]) -> Standing:
    first = next((place for place, line in enumerate(lines) if _finished(line)), len(lines))
    until = lines[: first + 1]
    verdicts: dict[str, bool] = {}
    for line in until:
        if line["what"] == "check":  # what was said first counts: the second time the answer is known
            verdicts = {**line.get("predicted", {}), **verdicts}
    return Standing(
        id,
        len({line.get("key") for line in until if line["what"] == "predict"}),
        sum(verdicts.values()) if verdicts else None,
        len({line.get("level") for line in until if line["what"] == "hint"}),
        any(line["what"] == "solution" for line in until),
        sum(line["what"] == "check" for line in until),
        first < len(lines),
    )


def _finished(line: dict) -> bool:
    return line["what"] == "check" and bool(line.get("done"))
