"""What a learner has done, as JSON lines in a local file; nothing is sent anywhere.

A line holds `schema` (1), `learner`, `exercise`, `what` ("start", "predict", "hint", "solution" or "check") and what
belongs to it: `door` of a start, `key` and `said` of a prediction, `level` of a hint, `passed`, `of`, `done` and
`missed` of a check. Lines stand in the order in which things were done; no time of day is kept.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..errors import LabError

__all__ = ["FILE", "SCHEMA", "place", "read", "record"]

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
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            found = json.loads(line)
        except json.JSONDecodeError:
            found = None
        if isinstance(found, dict) and found.get("schema") == SCHEMA and {"exercise", "what"} <= set(found):
            good.append(found)
        elif line.strip():
            bad.append(line)
    return good, bad
