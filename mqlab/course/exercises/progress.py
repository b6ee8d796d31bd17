"""The work of a learner, in a local file of JSON lines (`mqlab.course.memory.lines`); nothing is sent anywhere."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import partial
from pathlib import Path

from ...engine.words.errors import LabError, visible
from ...views.cards.cards import card
from ...views.cards.tables import Notable, Quiet, table
from ...views.text import plural
from ..memory.lines import INCIDENT, PLAY, REVIEW, SCHEMA, Standing, lines, predictions, standings
from ..memory.skills import A_DAY, Skill, SkillMap, due, skills
from ..texts import tables
from .bank import EXERCISES

FILE, LEARNER = "MQLAB_PROGRESS", "MQLAB_LEARNER"
"""Environment variables: the file ("off" for none; ~/.mqlab/progress.jsonl by default) and the learner's name."""
also: Callable[[str], object] | None = None
"""Gets each line too, if set: in a browser, where the file ends with the page."""


def place() -> Path | None:
    """The file in which progress is recorded, or None: if it is off, and by default in CI and under papermill."""
    named = os.environ.get(FILE, "").strip()
    kernel = getattr(getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)(), "kernel", None)
    alone = bool(os.environ.get("CI")) or not getattr(kernel, "_allow_stdin", True)
    if named.lower() == "off" or (alone and not named):
        return None
    try:
        return Path(named or "~/.mqlab/progress.jsonl").expanduser()
    except RuntimeError:  # the home directory of an unknown user
        return Path(named)


def record(exercise: str, what: str, **about: object) -> None:
    """Add a line to the learner's file. If the file is created, only its owner can read it. Raises LabError if it
    cannot be written."""
    _append({"exercise": exercise, "what": what, **about})


def today() -> str:
    """The learner's day, such as 2025-01-06, by the clock of this machine; no lab ever reads it."""
    return date.today().isoformat()


def record_round(game: str, what: str, key: str, judged: Mapping[str, bool], right: bool) -> None:
    """Add a round of a game (`what` is PLAY) or of a review (REVIEW) with today's date; LabError as `record`."""
    record(game, what, key=key, right=right, judged=dict(judged), day=today())


def record_prediction(
    key: str, said: list | None, right: list[bool], rules: list[str], again: bool, **question: object
) -> None:
    """Add a prediction that was made in a notebook, `said` None if it was skipped; LabError as `record`.

    `question` is what a review needs to ask it again: `asked` and `answers`.
    """
    about = {"said": said, "right": right, "rules": rules, "skipped": said is None, "again": again, "day": today()}
    _append({"lesson": key.partition("/")[0], "what": "predicted", "key": key, **about, **question})


def _append(about: dict) -> None:
    path = place()
    if path is None:
        return
    line = {"schema": SCHEMA, "learner": os.environ.get(LEARNER, ""), **about}
    try:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        with open(path, "ab+", opener=partial(os.open, mode=0o600)) as file:
            # append; the read checks only whether the line before was cut short
            whole = not file.tell() or (file.seek(-1, os.SEEK_END), file.read())[1] == b"\n"
            text = json.dumps(line, ensure_ascii=False) + "\n"
            file.write(("" if whole else "\n").encode() + text.encode("utf-8", "replace"))
        if also is not None:
            also(text.rstrip("\n"))
    except OSError as error:
        raise _unusable(path, "written", error) from None


def _unusable(path: Path | None, what: str, error: OSError) -> LabError:
    return LabError(
        f"your progress needs a file, and {path} cannot be {what} ({error.strerror}). "
        f"Set {FILE} to another file, or to off; in a notebook: %env {FILE}=off"
    )


def read(path: str | Path | None = None) -> tuple[list[dict], list[str]]:
    """Return the valid lines of a progress file, in order, and the invalid ones; a missing file counts as empty.

    Raises LabError if the file cannot be read.
    """
    file = place() if path is None else Path(path)
    try:
        if file is None or not file.exists():
            return [], []
        if not (file.is_file() or file.is_dir()):
            raise OSError(None, "a device or a pipe, which need not end")
        text = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise _unusable(file, "read", error) from None
    told = [(line, found) for _, line, found in lines(text)]
    return [found for _, found in told if found is not None], [line for line, found in told if found is None]


def summary(lines: Iterable[dict] | None = None) -> list[Standing]:
    """A row for each exercise that was started, in that order; of the learner's own file unless lines are given."""
    return standings(read()[0] if lines is None else lines)


COLUMNS = ("Exercise", "Predicted", "Hints", "Solution", "Tries", "Checks", "Done")


class ProgressCard:
    """The contents of one progress file: `standings`, one row per exercise, `others`, sentences on what else was done,
    `skills`, the map of the rules, and `bad`, its lines that could not be read."""

    def __init__(self, standings: list[Standing], others: dict[str, str], skills: SkillMap, bad: list[str], where: str):
        self.standings, self.others, self.skills, self.bad, self.where = standings, others, skills, bad, where

    @property
    def done(self) -> int:
        """The number of exercises of the course that are done."""
        return sum(each.done and each.exercise in EXERCISES for each in self.standings)

    def __repr__(self):
        lines = [f"{self._lead()} {self._aside()}".strip()]
        for each in self.standings:
            title, right, hints, solution, tries, checks, done = _cells(each)
            looked = ", solution shown" if solution == "shown" else ""
            lines.append(
                f"  {done:7} {title}: {plural(tries, 'try', 'tries')}, checks passed: {checks}, "
                f"predictions right: {right}, {plural(hints, 'hint')}{looked}"
            )
        lines += [f"{name}: {words}" for name, words in self.others.items()]
        lines += [repr(self.skills)] if self.skills.seen else []
        return visible("\n".join(lines))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        body = table("Exercises started", COLUMNS, map(_cells, self.standings)) if self.standings else ""
        body += self.skills.html() if self.skills.seen else ""
        notes = {**self.others, **({"Lines": self._aside()} if self.bad else {})}
        html = card("Your progress", notes=notes, lead=self._lead(), where=self.where, body=body)
        return {"text/plain": repr(self), "text/html": html}

    def _lead(self) -> str:
        if not self.where:
            return f"Progress is not recorded; {FILE} can name a file for it."
        if not self.standings:
            return f'No exercise started yet: exercise("{next(iter(EXERCISES))}") is the first of {len(EXERCISES)}.'
        return f"{self.done} of {plural(len(EXERCISES), 'exercise')} done, {len(self.standings)} started."

    def _aside(self) -> str:
        if not self.bad:
            return ""
        are = "is" if len(self.bad) == 1 else "are"
        return f"{plural(len(self.bad), 'line')} of the file could not be read and {are} left out."


def _cells(standing: Standing) -> tuple:
    title = getattr(EXERCISES.get(standing.exercise), "title", "")
    right = f"? of {standing.said}" if standing.right is None else f"{standing.right} of {standing.said}"
    return (
        " ".join(f"{standing.exercise} {title}".split()),  # the id of an unknown exercise can contain line ends
        right if standing.said else Quiet("no prediction"),
        standing.hints,
        "shown" if standing.solution else Quiet("no"),
        standing.tries,
        Quiet("none yet") if standing.of is None else f"{standing.passed} of {standing.of}",
        "done" if standing.done else Notable("not yet"),
    )


def skill_states(lines: Iterable[dict], now: date | None = None) -> dict[str, Skill]:
    """Return what the lines say of each rule; the exercises of the course show theirs. `now` is today by default."""
    return skills(lines, now or date.fromisoformat(today()), {id: table["rules"] for id, table in tables().items()})


def others(lines: Iterable[dict]) -> dict[str, str]:
    """Return in words what was done besides exercises, by its name; what was never done is left out."""
    lines = list(lines)
    found = {}
    if said := predictions(lines):
        right = sum(all(each["right"]) and not each["skipped"] for each in said)
        skipped = sum(each["skipped"] for each in said)
        found["Predictions"] = f"{right} of {len(said)} right in the notebooks, {skipped} skipped"
    rounds = [line for line in lines if line["what"] == PLAY and line.get("judged")]  # the opening judges nothing
    if rounds:
        right = sum(line.get("right") is True for line in rounds)
        found["Game"] = f"{right} of {plural(len(rounds), 'round')} right"
    incidents = [line for line in lines if line["what"] == INCIDENT]
    if incidents:
        repaired = [line.get("minutes") or 0 for line in incidents if line.get("done")]
        fastest = f", the fastest in {plural(min(repaired), 'minute')}" if repaired else ""
        found["Incidents"] = f"{len(repaired)} of {len(incidents)} repaired{fastest}"
    reviews = [line for line in lines if line["what"] == REVIEW]
    if reviews:
        right, days = sum(line.get("right") is True for line in reviews), len({line.get("day") for line in reviews})
        found["Review"] = f"{right} of {plural(len(reviews), 'answer')} right, on {plural(days, 'day')}"
    return found


def progress_card(path: str | Path | None = None) -> ProgressCard:
    """Return the card of a progress file, the learner's own unless another is named; a missing file counts as empty.

    >>> import os; os.environ["MQLAB_PROGRESS"] = "off"
    >>> progress_card()
    Progress is not recorded; MQLAB_PROGRESS can name a file for it.
    """
    good, bad = read(path)
    where = place() if path is None else path
    states, done = skill_states(good), others(good)
    if waiting := len(due(states, date.fromisoformat(today()))):
        rules = f"{A_DAY} of {waiting} rules" if waiting > A_DAY else plural(waiting, "rule")
        done |= {"Due today": f"{rules}; start mqlab review or mqlab.course.review()"}
    return ProgressCard(summary(good), done, SkillMap(states), bad, "" if where is None else str(where))
