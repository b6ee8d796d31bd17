"""How far a learner got, as a card: a row for each exercise that was begun."""

from __future__ import annotations

from ...views.cards.cards import card
from ...views.cards.tables import Notable, Quiet, table
from ...views.text import plural
from . import progress
from .bank import EXERCISES
from .progress import Standing

__all__ = ["ProgressCard", "progress_card"]

COLUMNS = ("Exercise", "Predictions right", "Hints", "Solution", "Tries", "Done")


class ProgressCard:
    """What one progress file says: `standings`, a row an exercise, and `bad`, its lines that could not be read."""

    def __init__(self, standings: list[Standing], bad: list[str], where: str):
        self.standings, self.bad, self.where = standings, bad, where

    @property
    def done(self) -> int:
        """How many exercises of the course are done."""
        return sum(each.done and each.exercise in EXERCISES for each in self.standings)

    def __repr__(self):
        lines = [f"{self._lead()} {self._aside()}".strip()]
        for each in self.standings:
            title, right, hints, solution, tries, done = _cells(each)
            looked = ", solution looked at" if solution == "looked at" else ""
            lines.append(
                f"  {done:7} {title}: {plural(tries, 'try', 'tries')}, predictions right: {right}, "
                f"{plural(hints, 'hint')}{looked}"
            )
        return "\n".join(lines)

    def _repr_mimebundle_(self, include=None, exclude=None):
        body = table("Exercises begun", COLUMNS, map(_cells, self.standings)) if self.standings else ""
        notes = {"Lines": self._aside()} if self.bad else {}
        html = card("Your progress", notes=notes, lead=self._lead(), where=self.where, body=body)
        return {"text/plain": repr(self), "text/html": html}

    def _lead(self) -> str:
        if not self.where:
            return f"Progress is kept nowhere: {progress.FILE} is off."
        if not self.standings:
            return f'No exercise begun yet: exercise("{next(iter(EXERCISES))}") is the first of {len(EXERCISES)}.'
        return f"{self.done} of {plural(len(EXERCISES), 'exercise')} done, {len(self.standings)} begun."

    def _aside(self) -> str:
        if not self.bad:
            return ""
        are = "is" if len(self.bad) == 1 else "are"
        return f"{plural(len(self.bad), 'line')} of the file could not be read and {are} left out."


def _cells(standing: Standing) -> tuple:
    title = getattr(EXERCISES.get(standing.exercise), "title", "")
    right = f"? of {standing.said}" if standing.right is None else f"{standing.right} of {standing.said}"
    return (
        f"{standing.exercise} {title}".strip(),
        right if standing.said else Quiet("none said"),
        standing.hints,
        "looked at" if standing.solution else Quiet("no"),
        standing.tries,
        "done" if standing.done else Notable("not yet"),
    )


def progress_card(path=None) -> ProgressCard:
    """The card of a progress file, the learner's own unless another is named; a file that is not there is an empty one.

    >>> import os; os.environ["MQLAB_PROGRESS"] = "off"
    >>> progress_card()
    Progress is kept nowhere: MQLAB_PROGRESS is off.
    """
    good, bad = progress.read(path)
    place = progress.place() if path is None else path
    return ProgressCard(progress.summary(good), bad, "" if place is None else str(place))
