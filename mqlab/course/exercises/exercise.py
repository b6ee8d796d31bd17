"""What an exercise is: a situation, a task, three doors into it, and what is looked at when it is checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.resources import files
from string import Formatter
from typing import Any

from ...lab.lab import Lab
from ...mq.errors import LabError
from ...sim.events import Event
from ...views.text import plural

Question = Callable[[Lab], Any] | tuple[Callable[[Lab], Any], ...]

DOORS = ("write", "repair", "read")
"""The ways in: write what is missing, repair what someone got wrong, or read a working answer."""


def cells(text: str) -> list[str]:
    """The cells of a text: one begins at each line that begins with ``%%``, and after each line ``# %%``.

    >>> cells("%%mqsc QM1\\nSTART CHINIT\\n\\n# %%\\nlab.advance(5)\\n")
    ['%%mqsc QM1\\nSTART CHINIT', 'lab.advance(5)']
    """
    return [cell.strip("\n") for cell in re.split(r"\n(?=%%)|^# %%\n", text, flags=re.M) if cell.strip()]


@cache
def _tables() -> dict[str, dict[str, Any]]:
    """The tables of the bank's .toml files, by id."""
    found = [file for file in files(__package__).joinpath("bank").iterdir() if file.name.endswith(".toml")]
    return {id: table for file in found for id, table in tomllib.loads(file.read_text("utf-8")).items()}


def said(id: str) -> dict[str, Any]:
    """What an exercise says, as fields of `Exercise`: its table in the .toml file of its subject.

    Each hint is a paragraph there. Where a line ends counts for nothing.
    """
    table = _tables()[id]
    return table | {
        "id": id,
        "situation": _line(table["situation"]),
        "task": _line(table["task"]),
        "hints": tuple(map(_line, table["hints"].split("\n\n"))),
        "questions": tuple(table.get("questions", ())),
        "rules": tuple(table["rules"]),
    }


def _line(text: str) -> str:
    return " ".join(text.split())


def typed(answer: str) -> Callable[[Lab], None]:
    """A function of a lab that does what the answer says: ``%%mqsc NAME`` cells, and Python with the name `lab`.

    It raises LabError if a command of the answer is refused.
    """

    def solve(lab: Lab) -> None:
        names = {"lab": lab}
        for cell in cells(answer):
            head, _, body = cell.partition("\n")
            if head.startswith("%%mqsc "):
                lab[head.split()[1]].mqsc(body).require()
            else:
                exec(compile(cell, "<answer>", "exec"), names)  # noqa: S102 - a cell of our own, as a learner types it

    return solve


@dataclass(frozen=True)
class Prediction:
    """Something to say before it is seen, in the situation as it is found, or if `solved` in the finished one.

    `answer(lab)` is a number, text or truth value; `because(lab)` is the event that made the difference, or None. With
    `exact` capital and small letters of a text count.
    """

    key: str
    prompt: str
    solved: bool = False
    exact: bool = False
    answer: Callable[[Lab], object] = lambda lab: None
    because: Callable[[Lab], Event | None] = lambda lab: None

    def asks(self, answer: Callable[[Lab], object], because: Callable[[Lab], Event | None] = because) -> Prediction:
        """This prediction, with the questions that it asks of the lab."""
        return replace(self, answer=answer, because=because)


@dataclass(frozen=True)
class Check:
    """One thing that must be so: `says` it in words, and `symptom(lab)` says what is seen instead, "" if it is so.

    A symptom names behavior (a depth, a count, a state), never the attribute that would correct it.
    """

    says: str
    rule: str = ""
    symptom: Callable[[Lab], str] = lambda lab: ""

    def asks(self, question: Question, wanted: object, symptom: str | Callable[..., str], *more: Callable) -> Check:
        """This check, with its question of the lab: the answer must be `wanted`, or pass if `wanted` is a function.

        Several questions stand in a tuple, their wanted answers too. The symptom takes the answers, and those to `more`
        questions: in a text {} stands for an answer, {:print} for a number of prints, {:print waits|prints wait} for
        a number with its verb, and {:no print} for a text or list, or those words if it is empty.
        """
        questions = question if isinstance(question, tuple) else (question,)
        told = partial(_Symptom().format, symptom) if isinstance(symptom, str) else symptom

        def look(lab: Lab) -> str:
            answers = tuple(each(lab) for each in questions)
            passed = wanted(*answers) if callable(wanted) else wanted in (answers, answers[0])
            return "" if passed else told(*answers, *(each(lab) for each in more)) or f"not so: {self.says}"

        return replace(self, symptom=look)


class _Symptom(Formatter):
    """The format of symptoms: see `Check.asks`."""

    def format_field(self, value: Any, words: str) -> str:
        if isinstance(value, int) and words:
            return plural(value, *words.split("|"))
        return (", ".join(map(str, value)) if isinstance(value, list) else str(value)) or words


@dataclass(frozen=True, eq=False)
class Exercise:
    """An exercise of the course: short true sentences of what there is (`situation`) and what is wanted (`task`).

    `id` is such as "T03"; `questions` are those of the twenty questions of MQ learners that it answers, `rules` the ids
    of the rules it shows. These, its texts, and its `minutes` stand in a file: see `said`. `set_up` makes queue
    managers, objects, links: definitions only. `load`, if there is one, is what happens then: messages, programs, time.
    It is run in a fresh lab that has the learner's definitions and programs, so that a check may be made again and
    again; without it the learner's own lab is looked at.

    `defect` is what the repair door finds done already, as it would be typed. `answer` is
    the solution as the learner would type it; `solution` does the same, if to type the answer again would be refused.
    `hints` are a nudge, a pointer, nearly the way. `work` is the cell that a learner begins with, or several: see
    `cells`. `settings` are those of the lab.
    """

    id: str
    title: str
    situation: str
    task: str
    set_up: Callable[[Lab], None]
    defect: str
    answer: str
    checks: tuple[Check, ...]
    hints: tuple[str, str, str]
    load: Callable[[Lab], None] | None = None
    solution: Callable[[Lab], object] | None = None
    predictions: tuple[Prediction, ...] = ()
    questions: tuple[int, ...] = ()
    rules: tuple[str, ...] = ()
    minutes: int = 10
    work: str = "%%mqsc QM1\n* your commands\n"
    settings: dict = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The name of its notebook."""
        return f"{self.id}-{re.sub('[^a-z0-9]+', '-', self.title.lower()).strip('-')}.ipynb"

    def start(self, door: str = "write") -> Lab:
        """A new lab with the situation in it, by one of DOORS; LabError for another."""
        if door not in DOORS:
            raise LabError(f"door must be one of {', '.join(DOORS)}; got {door!r}")
        lab = Lab(**self.settings)
        self.set_up(lab)
        if door == "read":
            self.solve(lab)
        elif door == "repair":
            typed(self.defect)(lab)
        return lab

    def solve(self, lab: Lab) -> None:
        """Do in a lab what the answer says."""
        (self.solution or typed(self.answer))(lab)
