"""A class from its progress files: the rules to teach, who needs help with what, and the commonest wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ...engine.words.errors import LabError
from ...engine.words.rulebook import RULES
from ...views.text import plural, shorten
from ..predictions.pages import rules_of
from ..predictions.pages import told as in_words
from ..texts import misconceptions, tables
from .lines import lines, of_exercise, predictions, standings
from .skills import GUESSES, Skill, skills

STUCK, LOST, TAUGHT = 2, 3, 3
"""A learner needs help with an exercise after so many failed checks, and with rules if so many are wrong. The page has
so many rules to teach."""
SLIP = "a-slip"
"""The table of misconceptions.toml with answers that rest on no belief."""


class Learner(NamedTuple):
    """A learner: the name, with the file if two files have it, the lines, and the state of each rule."""

    name: str
    lines: list[dict]
    states: dict[str, Skill]

    def rules(self, *states: str) -> list[str]:
        """The rules that are in one of these states."""
        return [id for id, skill in self.states.items() if skill.state in states]


class Class(NamedTuple):
    """A class: its learners by name, the last day of their lines, the number of files, and the lines that could not be
    read, each as a place and a text."""

    learners: list[Learner]
    day: date
    files: int
    left_out: list[tuple[str, str]]


def read_class(path: str | Path) -> Class:
    """Return a class from all *.jsonl files of a folder, or from one file.

    A learner is a name in a file. A file without a name is its own name, and a name in two files is two learners.
    Raises LabError if there is no file, or if no line of any can be read.
    """
    folder = Path(path)
    files = sorted(each for each in folder.rglob("*.jsonl") if not each.is_dir()) if folder.is_dir() else [folder]
    if not files or not files[0].exists():
        lacks = "has no *.jsonl file" if folder.is_dir() else "is not there"
        raise LabError(f"FOLDER must be a folder with progress files (*.jsonl), or one such file; {folder} {lacks}")
    lines_of: dict[tuple[str, str], list[dict]] = {}
    left_out = []
    for file in files:
        where = file.relative_to(folder).as_posix() if folder.is_dir() else file.name
        good, bad = _read(file)
        left_out += [(f"{where}{at}", text) for at, text in bad]
        names = [(line.get("learner") or "").strip() for line in good]
        only = {*names, ""} - {""}
        own = only.pop() if len(only) == 1 else where.removesuffix(".jsonl")
        for name, line in zip(names, good, strict=True):
            lines_of.setdefault((name or own, where), []).append(line)
    if not lines_of:
        first = ": ".join(left_out[0]) if left_out else "all files are empty"
        raise LabError(f"{folder} must have lines of progress, and none can be read; {first}")
    days = [line["day"] for its in lines_of.values() for line in its if line.get("day")]
    day = date.fromisoformat(max(days, default="2025-01-06"))
    rules = {id: table["rules"] for id, table in tables().items()}
    twice = Counter(name for name, _ in lines_of)
    learners = [
        Learner(f"{name} ({where})" if twice[name] > 1 else name, its, skills(its, day, rules))
        for (name, where), its in sorted(lines_of.items(), key=lambda each: (each[0][0].casefold(), each[0]))
    ]
    return Class(learners, day, len(files), left_out)


def _read(file: Path) -> tuple[list[dict], list[tuple[str, str]]]:
    """The lines of a file that are valid, and the others, each with its number."""
    if not file.is_file():
        return [], [("", "is a device or a pipe")]
    try:
        text = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        return [], [("", f"cannot be read ({error.strerror})")]
    told = list(lines(text))
    bad = [(f", line {number}", shorten(line[:999], 90)) for number, line, found in told if found is None]
    return [found for *_, found in told if found is not None], bad


class Answer(NamedTuple):
    """The first answer of a learner to one part of a prediction: the key of the prediction, the label of the part, the
    question, what was said, whether it was right, the right answer ("" if it was not recorded), and rules."""

    key: str
    label: str
    question: str
    words: str
    right: bool
    truth: str
    rules: list[str]

    @property
    def part(self) -> str:
        """The key and the label, as misconceptions.toml has them."""
        return f"{self.key}: {self.label}" if self.label else self.key


def _answers(its: list[dict]) -> Iterator[Answer]:
    """The first answers of a learner; those that can only be guessed say nothing, and are left out."""
    for line in (each for each in predictions(its) if each["key"] not in GUESSES):
        asked, truths = line.get("asked") or {}, line.get("answers") or []
        for part, (answer, right) in enumerate(zip(line["said"] or [], line["right"], strict=False)):
            try:
                label = str(asked["parts"][part]["label"])
            except (LookupError, TypeError):
                label = ""
            truth = in_words(truths[part]) if part < len(truths) else ""
            rules = [id for id in line["rules"] if id in RULES]
            yield Answer(line["key"], label, str(asked.get("plain", "")), in_words(answer), right, truth, rules)
    predicted: dict[tuple[str, str], str] = {}
    judged: set[tuple[str, str]] = set()
    for line in filter(of_exercise, its):
        id = line["exercise"]
        if line["what"] == "predict":
            predicted.setdefault((id, line.get("key") or ""), in_words(line.get("said")))
        for key, right in (line.get("predicted") or {}).items() if line["what"] == "check" else ():
            if (id, key) in predicted and (id, key) not in judged:
                judged.add((id, key))
                yield Answer(id, key, _prompt(id, key), predicted[id, key], right, "", [])


def _prompt(id: str, key: str) -> str:
    """The question of an exercise, "" if there is none."""
    parts = (tables().get(id, {}).get(part, {}) for part in ("before", "predict", "solved", "exact"))
    return next((part[key] for part in parts if key in part), "")


class Wrong(NamedTuple):
    """A wrong answer: one of those who gave it, all of them, and how many learners answered this part."""

    answer: Answer
    learners: list[str]
    answered: int


def wrong_answers(learners: list[Learner]) -> list[Wrong]:
    """Return the wrong answers to predictions, the commonest first; each learner's first answer counts."""
    answered: Counter[str] = Counter()
    found: dict[tuple[str, str], tuple[Answer, list[str]]] = {}
    for learner in learners:
        for answer in _answers(learner.lines):
            answered[answer.part] += 1
            if not answer.right:
                found.setdefault((answer.part, answer.words), (answer, []))[1].append(learner.name)
    wrong = [Wrong(answer, names, answered[part]) for (part, _), (answer, names) in found.items()]
    return sorted(wrong, key=lambda each: (-len(each.learners), each.answered, each.answer.part, each.answer.words))


class Belief(NamedTuple):
    """A misconception of the class: what is believed, what shows that it is wrong, how many learners gave an answer
    that rests on it, of how many who were asked, these answers, and the commonest of them."""

    belief: str
    shown: str
    learners: int
    answered: int
    answers: list[str]
    asked: Wrong | None


def beliefs(learners: list[Learner], wrong: list[Wrong]) -> tuple[list[Belief], list[Wrong]]:
    """Return the beliefs behind wrong answers, the commonest first, and the answers whose belief is not known.

    A line of a check has the ids of the beliefs that its failures rest on.
    """
    believed, known = [], set()
    for key, table in misconceptions().items():
        answers = table.get("answers", {})
        here = [one for one in wrong if one.answer.words in answers.get(one.answer.part, ())]
        known |= {(one.answer.part, one.answer.words) for one in here}
        who = {name for one in here for name in one.learners}
        answered = max((one.answered for one in here), default=0)
        places = [f"{one.answer.words} in {one.answer.part}" for one in here]
        failed = [(line["exercise"], each.name) for each in learners for line in filter(of_exercise, each.lines)
                  if key in (line.get("beliefs") or ())]  # fmt: skip
        for id in sorted({id for id, _ in failed}):
            tried = [each for each in learners if any(line.get("exercise") == id for line in each.lines)]
            answered, places = max(answered, len(tried)), [*places, f"the check of {id}"]
        who |= {name for _, name in failed}
        if who and key != SLIP:
            asked = here[0] if here else None
            answered = max(answered, len(who))
            believed.append(Belief(table["belief"], table["shown"], len(who), answered, places, asked))
    rest = [one for one in wrong if (one.answer.part, one.answer.words) not in known]
    return sorted(believed, key=lambda belief: (-belief.learners, belief.belief)), rest


def _missed(its: list[dict], id: str) -> list[str]:
    """The symptoms of all checks of an exercise that failed, in their order."""
    return [each for line in its if line.get("exercise") == id for each in line.get("missed") or ()]


class Lesson(NamedTuple):
    """A rule to teach: the belief against it, "" if none is known, how many learners are wrong, of how many who
    answered, the commonest wrong answer about it, if there is one, and exercises that practice it."""

    rule: str
    belief: str
    wrong: int
    answered: int
    asked: Wrong | None
    practice: list[str]


def lessons(learners: list[Learner], wrong: list[Wrong], known: list[Belief]) -> list[Lesson]:
    """Return the rules to teach: those that a belief of at least a quarter of those asked contradicts, and then those
    that most learners have wrong now. Each has a question of its own, whose explanation it leads."""
    taught: dict[str, Lesson] = {}

    def add(id: str, belief: str, many: int, asked_in_all: int, asked: Wrong | None) -> None:
        keys = {lesson.asked.answer.key for lesson in taught.values() if lesson.asked}
        if len(taught) < TAUGHT and id not in taught and not (asked and asked.answer.key in keys):
            practice = [exercise for exercise, table in tables().items() if id in table["rules"]][:3]
            taught[id] = Lesson(id, belief, many, asked_in_all, asked, practice)

    for belief in known:
        for id in rules_of(belief.shown)[: 4 * belief.learners >= belief.answered]:
            add(id, belief.belief, belief.learners, belief.answered, belief.asked)
    missed = Counter(id for learner in learners for id in learner.rules("wrong"))
    answered = Counter(id for learner in learners for id in learner.rules("wrong", "right", "mastered"))
    for first in (1, None):  # a rule that leads no explanation only if there are too few others
        for id in sorted(missed, key=lambda id: (-missed[id], answered[id])):
            asked = next((one for one in wrong if id in one.answer.rules[:first]), None)
            if asked or first is None:
                add(id, "", missed[id], answered[id], asked)
    return list(taught.values())


class Need(NamedTuple):
    """Help that a learner needs: an exercise with its last symptom, and learners who have done it; or rules."""

    what: str
    where: str
    ask: list[str]


def needs(learners: list[Learner]) -> list[tuple[str, list[Need]]]:
    """Return who needs help with what, the learners with most needs first; a learner without a need is left out.

    An exercise counts after `STUCK` failed checks. Rules count if `LOST` of them are wrong, and at least half.
    """
    every = {learner.name: standings(learner.lines) for learner in learners}
    done: dict[str, list[str]] = {}
    for name, its in every.items():
        for each in its:
            if each.done and not each.solution:
                done.setdefault(each.exercise, []).append(name)
    helped = []
    for learner in learners:
        own = []
        for each in every[learner.name]:
            if not each.done and each.tries >= STUCK and each.exercise in tables():
                last = ["", *_missed(learner.lines, each.exercise)][-1]
                title = f"{each.exercise} {tables()[each.exercise]['title']}"
                own.append(Need(title, shorten(last, 200), done.get(each.exercise, [])[:2]))
        wrong, right = learner.rules("wrong"), learner.rules("right", "mastered")
        if len(wrong) >= max(LOST, len(right)):
            titles = "; ".join(f"{id} {RULES[id].title}" for id in wrong[:2])
            own.append(Need(f"{len(wrong)} of {plural(len(wrong) + len(right), 'rule')}", titles, []))
        if own:
            helped.append((learner.name, own))
    return sorted(helped, key=lambda each: -len(each[1]))
