"""Exercises: `exercise("Q01")` puts one on the desk; `names()` lists them.

- On the desk: `Desk` (start, predict, run, check, hint, solution)
- What an exercise is: `Exercise`, `Check`, `Prediction`, and its `DOORS`
- What was found: `Result`
- For graders: `grade`
- What was done: `mqlab.course.exercises.progress`, and `progress_card()` shows it
"""

from __future__ import annotations

from ...lab.lab import Lab
from ...mq import arguments
from .bank import EXERCISES, find
from .checking import Result, check
from .exercise import DOORS, Check, Exercise, Prediction
from .progress import ProgressCard, progress_card
from .session import Desk


def names() -> dict[str, str]:
    """The exercises' titles by id, in the order of the course."""
    return {id: found.title for id, found in EXERCISES.items()}


def exercise(id: str) -> Desk:
    """An exercise on the desk, by its id; LabError, with the nearest, for one there is not."""
    return Desk(find(id))


def grade(id: str, lab: Lab) -> Result:
    """What the checks of an exercise find in a lab, for a grader: nothing is kept, and no prediction is looked at.

    >>> grade("Q01", exercise("Q01").exercise.start("read")).passed
    True
    """
    return check(find(id), lab, {})


arguments.checked_calls(__name__, but=("exercise", "find"))
