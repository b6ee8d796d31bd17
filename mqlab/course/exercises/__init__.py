"""Exercises: `exercise("Q01")` puts one on the desk; `names()` lists them.

- On the desk: `Desk` (start, predict, run, check, hint, solution)
- The parts of an exercise: `Exercise`, `Check`, `Prediction`, and its `DOORS`
- The result of a check: `Result`
- For graders: `grade`
- The learner's record: `mqlab.course.exercises.progress`; `progress_card()` shows it
"""

from __future__ import annotations

from ...engine.words import arguments
from ...lab.lab import Lab
from .bank import EXERCISES, find
from .checking import Result, check
from .exercise import DOORS, Check, Exercise, Prediction
from .progress import ProgressCard, progress_card
from .session import Desk


def names() -> dict[str, str]:
    """The exercises' titles by id, in the order of the course."""
    return {id: found.title for id, found in EXERCISES.items()}


def exercise(id: str) -> Desk:
    """Put an exercise on the desk by its id; raises LabError with the nearest ids if there is none."""
    return Desk(find(id))


def grade(id: str, lab: Lab) -> Result:
    """Check a lab for a grader: nothing is recorded, and predictions do not count.

    >>> grade("Q01", exercise("Q01").exercise.start("read")).passed
    True
    """
    return check(find(id), lab, {})


arguments.checked_calls(__name__, but=("exercise", "find"))
