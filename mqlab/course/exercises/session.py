"""A learner's desk for one exercise: opening, start, predict, check, hint, and solution are recorded as progress."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

from ...engine.words.arguments import require, within
from ...engine.words.errors import LabError
from ...lab.lab import Lab
from ...views.cards.cards import card
from ..lessons import Card
from . import progress
from .checking import Result, check, fitting, wanted_lab
from .exercise import DOORS, Exercise
from .opening import Opening


def _plain(words: str) -> str:
    """The words without the backticks that only Markdown understands."""
    return words.replace("`", "")


class Desk:
    """One exercise on the learner's desk; showing it in a notebook shows the task.

    >>> import os; os.environ["MQLAB_PROGRESS"] = "off"
    >>> from mqlab.course import exercise
    >>> desk = exercise("Q01")
    >>> lab = desk.start("read")
    >>> desk.check(lab).passed
    True
    """

    def __init__(self, exercise: Exercise):
        self.exercise = exercise
        self._said: dict = {}
        self._hints: set = set()

    @property
    def id(self) -> str:
        """The exercise's id."""
        return self.exercise.id

    def opening(self, door: str = "write", interactive: bool = True) -> Any:
        """The opening of the exercise: the definitions, the predictions, and then a player of the failure.

        Door "repair" also shows the commands that broke the lab, door "read" a solution. The lab that is played is not
        the learner's. With `interactive` False there are pictures instead of widgets. Raises LabError for an unknown
        door.
        """
        result = check(self.exercise, self.exercise.start(door), self._predictions())
        answered = set(self._predictions()) | {line.get("key") for line in self._lines("skip")}
        asked = [each for each in self.exercise.predictions if each.key not in answered]
        opening = Opening(self.exercise, door, result, self._predictions, asked)
        if not interactive:
            return opening.still
        from .opening_widget import OpeningWidget  # the notebook extras

        return OpeningWidget(opening, lambda said: self.predict(**said), self._skip)

    def catch_up(self) -> Lab:
        """A new lab in which the exercise is solved and its load has run, for a learner who fell behind."""
        result = check(self.exercise, self.exercise.start("read"), {})
        progress.record(self.id, "catch-up")
        return result.lab

    def start(self, door: str = "write") -> Lab:
        """A new lab with the situation in it: door "write", "repair" or "read" (see `mqlab.course.exercises.DOORS`)."""
        lab = self.exercise.start(door)
        progress.record(self.id, "start", door=door)
        return lab

    def predict(self, **said: Any) -> Card:
        """Record predictions by key (None: no prediction yet); they survive a restart of the kernel.

        Raises LabError for an unknown key and for a value of the wrong kind; then no prediction is recorded.
        """
        prompts = {each.key: each.prompt for each in self.exercise.predictions}
        unknown = [key for key in said if key not in prompts]
        if unknown:
            wanted = ", ".join(f"{key}=..." for key in prompts)
            raise LabError(f"predictions must be {wanted}; got {', '.join(unknown)}")
        kept = {key: fitting(self.exercise, key, value) for key, value in said.items() if value is not None}
        for key, value in kept.items():
            progress.record(self.id, "predict", key=key, said=value)
        self._said.update(kept)
        said = self._predictions()
        lines = [f"{prompts[key]} You say {said[key]}." for key in prompts if key in said]
        lines += [f"{prompt} No prediction yet: {key}=..." for key, prompt in prompts.items() if key not in said]
        title = "Your prediction is recorded" if said else "Predict first"
        return Card("\n".join([title, *lines]), card(title, items=[("", line, "") for line in lines]))

    def _lines(self, what: str) -> list[dict]:
        """The lines of one kind about this exercise in the learner's file."""
        lines, _ = progress.read()
        return [line for line in lines if (line.get("exercise"), line["what"]) == (self.id, what)]

    def _predictions(self) -> dict:
        return {line.get("key"): line.get("said") for line in self._lines("predict")} | self._said

    def _skip(self) -> None:
        """Record that the predictions that were not made are skipped."""
        said = self._predictions()
        for each in self.exercise.predictions:
            if each.key not in said:
                progress.record(self.id, "skip", key=each.key)

    def check(self, lab: Lab) -> Result:
        """Check what the learner's lab does, and return a `Result`. The lab does not change."""
        read = {line.get("level") for line in self._lines("hint")} | self._hints
        hint = next(level for level in (1, 2, 3, 4) if level not in read)
        result = replace(check(self.exercise, lab, self._predictions()), hint=hint)
        counts = {"passed": result.held, "of": len(result.outcomes), "done": result.passed}
        found = {"missed": result.missed, "beliefs": result.beliefs, "predicted": result.verdicts}
        progress.record(self.id, "check", **counts, **found)
        return result

    def run(self, lab: Lab) -> Lab:
        """Run the events of the exercise in this lab, so that the learner can see them; errors are raised."""
        if self.exercise.load is None:
            raise LabError(f"{self.id} has nothing to run: its check reads your lab as it is")
        self.exercise.load(wanted_lab(self.exercise, lab))
        return lab

    def hint(self, level: int = 1) -> Card:
        """Return a hint: level 1 is a nudge, 2 a pointer, and 3 almost the answer. Raises LabError for another
        level."""
        require("level", level, int, "1, 2, or 3", within(1, 3))
        progress.record(self.id, "hint", level=level)
        self._hints.add(level)
        words = self.exercise.hints[level - 1]
        more = f"desk.hint({level + 1}) says more" if level < 3 else "desk.solution() shows one way"
        return Card(
            f"Hint {level} of 3: {words}", card(f"Hint {level} of 3", notes={"": _plain(words), "More": (more,)})
        )

    def solution(self) -> Card:
        """Return one solution, as it would be typed."""
        progress.record(self.id, "solution")
        answer = self.exercise.answer
        return Card(answer, card("One way to do it", body=f"<pre>{escape(answer)}</pre>"))

    def solve(self, lab: Lab) -> Lab:
        """Solve the exercise in this lab."""
        self.exercise.solve(wanted_lab(self.exercise, lab))
        return lab

    def __repr__(self):
        found = self.exercise
        keys = "".join(f"\n  {each.key}: {each.prompt}" for each in found.predictions)
        return (
            f"{found.id} {found.title} ({found.minutes} minutes)\n{found.situation}\nTask: {found.task}"
            + (f"\nPredict first:{keys}" if keys else "")
            + f"\nDoors: {', '.join(DOORS)}"
        )

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        found = self.exercise
        notes: dict[str, Any] = {"Task": _plain(found.task)}
        for each in found.predictions:
            notes[f"Predict {each.key}"] = each.prompt
        notes["Doors"] = (f'lab = desk.start("{DOORS[0]}")    # or "{DOORS[1]}", or "{DOORS[2]}"',)
        html = card(
            found.title, notes=notes, lead=_plain(found.situation), code=found.id, where=f"{found.minutes} minutes"
        )
        return {"text/plain": repr(self), "text/html": html}
