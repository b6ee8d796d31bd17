"""Exercises: `exercise("Q01")` puts one on the desk; `names()` lists them.

- On the desk: `Desk` (start, predict, run, check, hint, solution)
- What an exercise is: `Exercise`, `Check`, `Prediction`, and its `DOORS`
- What was found: `Result`
- For graders: `grade`
- What was done: `mqlab.course.exercises.progress`, and `progress_card()` shows it
"""

from __future__ import annotations

from difflib import get_close_matches

from ...lab.lab import Lab
from ...mq import arguments
from ...mq.errors import LabError
from .bank import EXERCISES
from .checking import Result, check
from .exercise import DOORS, Check, Exercise, Prediction
from .progress import ProgressCard, progress_card
from .session import Desk


def names() -> dict[str, str]:
    """The exercises' titles by id, in the order of the course."""
    return {id: found.title for id, found in EXERCISES.items()}


def exercise(id: str) -> Desk:
    """An exercise on the desk, by its id; LabError, with the nearest, for one there is not."""
    return Desk(_named(id))


def grade(id: str, lab: Lab) -> Result:
    """What the checks of an exercise find in a lab, for a grader: nothing is kept, and no prediction is looked at.

    >>> grade("Q01", exercise("Q01").exercise.start("read")).passed
    True
    """
    return check(_named(id), lab, {})


def _named(id: str) -> Exercise:
    if not isinstance(id, str) or id not in EXERCISES:
        wanted = str(id).upper()
        wanted = wanted[:1] + wanted[1:].zfill(2)  # Q1 is nearest to Q01
        near = get_close_matches(wanted, EXERCISES, 3, 0.3) or list(EXERCISES)
        raise LabError(
            f"exercise must be one of {', '.join(near)} ...; got {id!r}. mqlab.course.exercises.names() lists them"
        )
    return EXERCISES[id]


arguments.checked_calls(__name__, but=("exercise",))
