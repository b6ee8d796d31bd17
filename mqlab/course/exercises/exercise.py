"""The parts of an exercise: a situation, a task, three versions to start from, and checks; its texts and its lab."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from ...engine.words.errors import LabError
from ...engine.world.event import Event
from ...everyplace.queue import KINDS
from ...lab.lab import Lab
from ...views.text import plural
from ..path import exercise_file
from ..texts import tables

DOORS = ("write", "repair", "read")
"""The versions: write the answer, repair a wrong answer, or read one that works."""


def cells(text: str) -> list[str]:
    """The cells of a text: a cell starts at each line that starts with ``%%``, and after each line ``# %%``.

    >>> cells("%%mqsc QM1\\nSTART CHINIT\\n\\n# %%\\nlab.advance(5)\\n")
    ['%%mqsc QM1\\nSTART CHINIT', 'lab.advance(5)']
    """
    return [cell.strip("\n") for cell in re.split(r"\n(?=%%)|^# %%\n", text, flags=re.M) if cell.strip()]


def said(id: str) -> dict[str, Any]:
    """Return the texts of an exercise as fields of `Exercise`: its table in the .toml file of its subject.

    Each hint is a paragraph there. Line breaks do not count in a situation, a task, or a hint. `work`, `answer`, and
    `defect` are texts of cells, or lists: another of the three, and pairs of what to replace in it, old and new. With
    `program = true`, the three are programs, and the last function of each is registered in QM1 under its name in
    capital letters. Raises LabError if an old text is not there exactly once.
    """
    table = dict(tables()[id])
    for key in ("answer", "defect"):  # a defect can start from the answer
        if isinstance(table.get(key), list):
            table[key] = _changed(id, key, table)
    if table.pop("program", False):
        table |= {key: _registered(table[key]) for key in ("work", "answer", "defect")}
    return table | {
        "id": id,
        "situation": one_line(table["situation"]),
        "task": one_line(table["task"]),
        "hints": tuple(map(one_line, table["hints"].split("\n\n"))),
        "questions": tuple(table.get("questions", ())),
        "rules": tuple(table["rules"]),
        "spare": tuple(table.get("spare", ())),
    }


def given(id: str) -> str:
    """Return the definitions of a situation, which are MQSC."""
    definitions: str = tables()[id]["given"]
    return definitions


def _changed(id: str, key: str, table: dict[str, Any]) -> str:
    """The text of a list: see `said`."""
    base, *pairs = table[key]
    text = table[base]
    for old, new in pairs:
        if text.count(old) != 1:
            raise LabError(f"{key} of {id}: {base} must contain {old!r} once")
        text = text.replace(old, new)
    return text


def _registered(text: str) -> str:
    """A program as a learner types it, with the line that registers its last function."""
    name = re.findall(r"^def (\w+)", text, re.MULTILINE)[-1]
    return f'{text}\n\n\nlab["QM1"].program("{name.upper()}", {name})'


def one_line(text: str) -> str:
    """Return a text in one line: its line breaks do not count."""
    return " ".join(text.split())


def typed(answer: str) -> Callable[[Lab], None]:
    """Return a function that runs an answer in a lab: ``%%mqsc NAME`` cells, and Python with the name `lab`.

    The function raises LabError if a command of the answer fails.
    """

    def solve(lab: Lab) -> None:
        names = {"lab": lab}
        for cell in cells(answer):
            head, _, body = cell.partition("\n")
            if head.startswith("%%mqsc "):
                lab[head.split()[1]].mqsc(body).require()
            else:
                exec(compile(cell, "<answer>", "exec"), names)  # noqa: S102 - a cell of the bank, as a learner types it

    return solve


@dataclass(frozen=True)
class Prediction:
    """A question to answer before the lab shows it: about the situation before any change or, if `solved`, after the
    fix.

    `answer(lab)` is a number, a text, or a truth value; `because(lab)` is the event that made the difference, or None.
    With `exact`, uppercase and lowercase letters of a text count.
    """

    key: str
    prompt: str
    solved: bool = False
    exact: bool = False
    answer: Callable[[Lab], object] = lambda lab: None
    because: Callable[[Lab], Event | None] = lambda lab: None


@dataclass(frozen=True)
class Check:
    """A condition that a solution must meet: `says` is the condition in words; `symptom(lab)` describes the failure, or
    is "" if the condition is met.

    A symptom names behavior (a depth, a count, a state), never the attribute that would correct it. `beliefs` are the
    ids of misconceptions that a failure can rest on, each with the function that decides whether it does.
    """

    says: str
    rule: str = ""
    symptom: Callable[[Lab], str] = lambda lab: ""
    beliefs: dict[str, Callable[[Lab], bool]] = field(default_factory=dict)


class _Symptom(Formatter):
    """The format of symptoms: see `Exercise.check`."""

    def format_field(self, value: Any, words: str) -> str:
        if isinstance(value, int) and words:
            options = words.split("|")
            return options[not value] if isinstance(value, bool) else plural(value, *options)
        return (", ".join(map(str, value)) if isinstance(value, list) else str(value)) or words


@dataclass(eq=False)
class Exercise:
    """An exercise of the course: short, true sentences about the `situation` and the `task`.

    `id` is an id such as "T03". `meaning` is one sentence for a learner who is done. `questions` are numbers of the
    twenty questions of MQ learners that the exercise answers; `rules` are the ids of the rules that it shows. These,
    the texts, and `minutes` are in a file, as are `work`, `answer`, `defect`, `settings`, `spare`, and `library`:
    see `said`.
    `set_up` creates queue managers, objects, and links: definitions only. `load`, if there is one, then makes things
    happen: messages, programs, time. A check runs it in a fresh lab with the learner's definitions and programs, so
    that checks can be repeated. Without a `load`, the learner's own lab is checked.

    `defect` is the wrong answer of the repair version, as it would be typed. `answer` is the solution as the learner
    would type it; `solution` does the same if the answer cannot be typed twice. `hints` start with a nudge and end
    close to the answer. `work` is the text of the cells that a learner starts with: see `cells`. `settings` are
    those of the lab. `spare` are programs that an answer may remove. With `library` the programs need IBM's library
    `ibmmq`, which not every platform has.

    `predict`, `check`, and `belief` add questions to a lab: to `predictions` with texts from `prompts`, and to `checks`
    with texts from `rows`, in their order; `asked` are the questions of the last check.
    """

    id: str
    title: str
    situation: str
    task: str
    set_up: Callable[[Lab], None]
    defect: str
    answer: str
    hints: tuple[str, str, str]
    prompts: dict[str, tuple[str, str]]
    rows: Iterator[list]
    load: Callable[[Lab], None] | None = None
    solution: Callable[[Lab], object] | None = None
    predictions: list[Prediction] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    asked: tuple[Callable[[Lab], Any], ...] = ()
    meaning: str = ""
    questions: tuple[int, ...] = ()
    rules: tuple[str, ...] = ()
    minutes: int = 10
    work: str = "%%mqsc QM1\n* your commands\n"
    settings: dict = field(default_factory=dict)
    spare: tuple[str, ...] = ()
    library: bool = False

    @property
    def file(self) -> str:
        """The place of its notebook in a checkout."""
        return exercise_file(self.id, re.sub("[^a-z0-9]+", "-", self.title.lower()).strip("-"))

    def start(self, door: str = "write") -> Lab:
        """Return a new lab with the situation of one of DOORS; raises LabError if there is no such door."""
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
        """Solve the exercise in a lab."""
        (self.solution or typed(self.answer))(lab)

    def predict(self, key: str, answer: Callable, because: Callable = lambda lab: None) -> None:
        """Ask for a prediction: its answer and, if there is one, the event that made the difference.

        Its prompt is in one of four tables: `before` any change, `predict`, `solved`, and `exact`.
        """
        table, text = self.prompts.pop(key, ("", ""))
        prompt = one_line(f"Before you change anything, {text}" if table == "before" else text)
        self.predictions.append(Prediction(key, prompt, table == "solved", table == "exact", answer, because))

    def suppose(self, key: str, change: Callable[[Lab], object] | None, *asked: Callable[[Lab], Any]) -> None:
        """Ask for a prediction about another lab: see `supposing`."""
        self.predict(key, *(self.supposing(change, ask) for ask in asked))

    def supposing(self, change: Callable[[Lab], object] | None, ask: Callable[[Lab], Any]) -> Callable[[Lab], Any]:
        """Return a question to another lab: the situation after a change and the load.

        Without a change, it is the situation of door "repair".
        """

        def answer(_: Lab) -> Any:
            lab = self.start("write" if change else "repair")
            for act in filter(None, (change, self.load)):
                act(lab)
            return ask(lab)

        return answer

    def check(self, question: Any, *asked: Any) -> None:
        """Add a check with the texts of the next row: a question to a lab, the wanted answer or a function that tests
        it, the symptom if the row has none, and more questions; or only a question whose answer is the symptom.

        Several questions form a tuple, and so do their wanted answers. The symptom receives these answers, and those of
        the further questions. In a text, {} is an answer, {:print} a number of prints, {:print waits|prints wait} a
        number with its verb, {:no print} a text or list, or those words if it is empty, and {:with|without} a truth
        value. Of two texts, the second is for a first answer that is 0, empty, or None.
        """
        says, rule, *texts = next(self.rows, ("", ""))
        wanted, symptom, *more = (asked[0], *texts, *asked[1:]) if asked else ("", "{}")
        questions = question if isinstance(question, tuple) else (question,)
        pair = [symptom, symptom] if isinstance(symptom, str) else symptom
        say = pair if callable(pair) else lambda *answers: _Symptom().format(pair[not answers[0]], *answers)

        def look(lab: Lab) -> str:
            answers = tuple(each(lab) for each in questions)
            passed = wanted(*answers) if callable(wanted) else wanted in (answers, answers[0])
            return "" if passed else say(*answers, *(each(lab) for each in more)) or f"this check failed: {says}"

        self.asked = (*questions, *more)
        self.checks.append(Check(says, rule, look))

    def belief(self, id: str, condition: Callable[..., bool]) -> None:
        """Let a failure of the last check rest on a misconception, if the answers that the symptom receives meet a
        condition."""
        asked = self.asked
        self.checks[-1].beliefs[id] = lambda lab: condition(*(each(lab) for each in asked))

    def whole(self) -> Exercise:
        """Return the exercise; raises LabError if its texts and its questions do not match."""
        texts = [*(each.prompt for each in self.predictions), *(each.says for each in self.checks)]
        if self.prompts or not all(texts) or next(self.rows, None):
            raise LabError(
                f"each prediction and each check of {self.id} must have its texts in the .toml file, and no more"
            )
        return self


def retold(lab: Lab) -> Lab:
    """Return a lab at its start with the queue managers, objects, programs by APPLICID, links, addresses, and groups of
    `lab`, and the queues of its MQ Everyplace queue managers.

    Messages, running programs, and the time are not copied. Raises LabError if an object cannot be created again.
    """
    other = Lab(seed=lab.seed, start=lab.start.isoformat())
    for qmgr in lab.queue_managers:
        who: dict[str, Any] = {"users": qmgr.users, "groups": qmgr.groups, "environment": qmgr.environment}
        other.queue_manager(qmgr.name, platform=qmgr.platform, level=qmgr.level, **who)
    for device in lab.everyplace_queue_managers:
        twin = other.everyplace(device.name)
        for queue in device.queues:
            settings = {name: getattr(queue, name) for name in KINDS[queue.kind].settings}
            twin.define(queue.kind, queue.label, **settings)
    for group in lab.queue_sharing_groups:
        igq = "SYSTEM.QSG.TRANSMIT.QUEUE" in group.members[0].targets
        other.queue_sharing_group(group.name, [member.name for member in group.members], intra_group_queuing=igq)
        for member in group.members:
            # a group that is created with the queue has IGQ(ENABLED), which the export does not include
            other[member.name].mqsc(f"ALTER QMGR IGQ({member.attributes['IGQ']})")
    for path in lab.network.paths:
        other.link(*path.names, latency=path.latency_us / 1e6, counts_flight=path.counts_flight)
    other.network.addresses.update(lab.network.addresses)
    for qmgr in lab.queue_managers:
        again = other[qmgr.name]
        again.mqsc(qmgr.export_mqsc()).require()
        again.programs.update(qmgr.programs)
    return other


_TABLES = ("before", "predict", "solved", "exact")
POSED: dict[str, Exercise] = {}
"""The exercises by id, as they are posed."""


def posed(id: str, set_up: Callable[[Lab], None], load: Callable[[Lab], None] | None = None, **parts: Any) -> Exercise:
    """Return an exercise with its texts (see `said`) and other `parts`; its methods add the questions to a lab."""
    texts = said(id)
    texts.pop("given", "")
    prompts = {key: (name, text) for name in _TABLES for key, text in texts.pop(name, {}).items()}
    rows = iter(texts.pop("checks", ()))
    POSED[id] = found = Exercise(**texts, **parts, set_up=set_up, load=load, prompts=prompts, rows=rows)
    return found
