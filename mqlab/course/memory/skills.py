"""The state of each rule for a learner and the day on which it comes back, from a progress file; and the skill map.

The schedule is Leitner's (S. Leitner, So lernt man lernen, 1972): a right answer moves a rule one box up, a wrong one
moves it back to the first, and a higher box waits longer. Intervals that grow follow Cepeda et al. (Spacing effects in
learning, Psychological Science 19, 2008): the best gap between two reviews grows with the time for which you want to
remember. Right answers in sessions that are far apart make a rule mastered, as Rawson and Dunlosky recommend
(Optimizing schedules of retrieval practice, Journal of Experimental Psychology: General 140, 2011). The numbers of days
are mqlab's own.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from importlib.resources import files
from typing import Any, NamedTuple

from ...engine.words.rulebook import GROUPS, RULES
from ...views.cards.tables import Notable, table
from ...views.text import escape, mime_bundle, plural
from ...views.theme import style_sheet

DAYS = (1, 3, 7, 14, 30)
"""The days that a rule waits in each box; a wrong answer moves it to the first."""
MASTERED_BOX = 4
A_DAY = 10
"""The most questions of a review in a day: about ten minutes."""
GUESSES = frozenset(tomllib.loads(files(__package__).joinpath("guesses.toml").read_text("utf-8"))["guesses"])
"""The keys of predictions that can only be guessed: an answer to one says nothing about a rule."""
STATES = {
    "mastered": ("●", "mastered", "right on three days, at least 3 and then at least 7 days apart"),
    "right": ("◐", "right", "the last answer that counts was right"),
    "wrong": ("✗", "wrong", "the last answer was wrong; it comes back"),
    "seen": ("○", "seen", "shown, but not predicted yet"),
    "new": ("·", "new", "not seen yet"),
}
"""The states of a rule, the best one first: a sign, a word, and what it means."""


class Skill(NamedTuple):
    """The state of a rule for a learner, the box and the day of the last answer that counts, and the day on which the
    rule is due; None if the learner never answered. `right` and `wrong` count all answers."""

    rule: str
    state: str = "new"
    box: int | None = None
    last: date | None = None
    due: date | None = None
    right: int = 0
    wrong: int = 0

    def answered(self, right: bool, day: date) -> Skill:
        """Return the skill after an answer; a right one before the rule is due counts, but moves nothing."""
        skill = self._replace(right=self.right + right, wrong=self.wrong + (not right))
        if right and self.box is not None and self.last is not None:
            if (day - self.last).days < DAYS[self.box - 1]:
                return skill
            box = min(self.box + 1, len(DAYS))
        else:
            box = 2 if right else 1
        state = "wrong" if box == 1 else "mastered" if box >= MASTERED_BOX else "right"
        return skill._replace(state=state, box=box, last=day, due=day + timedelta(DAYS[box - 1]))


def skills(lines: Iterable[dict], now: date, exercises: Mapping[str, Iterable[str]] | None = None) -> dict[str, Skill]:
    """Return what the lines say of every rule, in the order of the book.

    `now` is the learner's day: an answer with a later one is taken as today's. An answer without a day is older than
    all others. `exercises` has the rules of each exercise, which are seen once it was checked.
    """
    found = {id: Skill(id) for id in RULES}
    for rule, right, day in _answers(lines, exercises or {}):
        if rule not in found:
            continue
        if right is not None:
            found[rule] = found[rule].answered(right, min(day, now))
        elif found[rule].state == "new":
            found[rule] = found[rule]._replace(state="seen")
    return found


def _answers(lines: Iterable[dict], exercises: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, bool | None, date]]:
    """Each rule that a line is about, whether the answer was right (None if the rule was only shown), and the day."""
    for line in lines:
        day = date.fromisoformat(line["day"]) if line.get("day") else date.min
        if line.get("exercise") is None:
            # after an answer, and after a skip, the result is known
            counts = not (line["skipped"] or line["again"] or line["key"] in GUESSES)
            yield from ((rule, all(line["right"]) if counts else None, day) for rule in line["rules"])
        elif line["what"] == "check":
            yield from ((rule, None, day) for rule in exercises.get(line["exercise"], ()))
        else:
            yield from ((rule, right, day) for rule, right in (line.get("judged") or {}).items())


def due(found: Mapping[str, Skill], now: date) -> list[Skill]:
    """Return the skills that are due: the wrong ones first, and the longest overdue first among equals."""
    waiting = [each for each in found.values() if each.due is not None and each.due <= now]
    return sorted(waiting, key=lambda each: (each.state != "wrong", each.due or now, each.rule))


def middle(learners: Iterable[Mapping[str, Skill]]) -> dict[str, Skill]:
    """Return the map of a class: for each rule the state that most learners who saw it have reached.

    `right` and `wrong` are the numbers of learners whose state it is; mastered counts as right.
    """
    order, everyone = list(STATES), list(learners)
    found = {}
    for id in RULES:
        states = sorted((each[id].state for each in everyone if each[id].state != "new"), key=order.index)
        state = states[len(states) // 2] if states else "new"
        right = sum(each in ("right", "mastered") for each in states)
        found[id] = Skill(id, state, right=right, wrong=states.count("wrong"))
    return found


_STYLE = style_sheet(".mqlab-skills") + files(__package__).joinpath("skills.css").read_text("utf-8")
COLUMNS = ("Rule", "Title", "State", "Right", "Wrong", "Comes back on")


class SkillMap:
    """The states of all rules: tiles and a table in a notebook, a line for each subject as text.

    `title` is the heading, and `people` is empty, or what the numbers of a class count, such as "learners".
    """

    def __init__(self, skills: Mapping[str, Skill], title: str = "Your skill map", people: str = ""):
        self.skills, self.title, self.people = skills, title, people

    def _groups(self) -> Iterator[tuple[str, str, list[Skill]]]:
        for id, title in GROUPS.items():
            yield id, title, [each for rule, each in self.skills.items() if rule.startswith(id)]

    @property
    def seen(self) -> bool:
        """True if the learner has seen a rule."""
        return any(each.state != "new" for each in self.skills.values())

    @property
    def summary(self) -> str:
        """How many rules are in each state, in words."""
        counts = Counter(each.state for each in self.skills.values())
        told = [f"{counts[state]} {word}" for state, (_, word, _) in STATES.items() if state != "new"]
        return f"{', '.join(told)} of {plural(len(self.skills), 'rule')}"

    def __repr__(self) -> str:
        lines = [f"{self.title}: {self.summary}"]
        for id, title, group in self._groups():
            signs = "".join(STATES[each.state][0] for each in group)
            counts = Counter(each.state for each in group)
            told = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state] and state != "new")
            lines.append(f"  {id}  {title:37} {signs:38}  {told}".rstrip())
        key = ",  ".join(f"{sign} {word}" for sign, word, _ in STATES.values())
        return "\n".join([*lines, f"  {key}"])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return mime_bundle(repr(self), self.html(), include, exclude)

    def html(self) -> str:
        """Return the map as HTML: a tile for each rule, the key, and a table of the rules that the learner has seen."""
        groups = "".join(
            f'<div><p class="group">{escape(title)} <span>{id}</span></p><ul aria-label="{escape(title)}">'
            + "".join(map(self._tile, group))
            + "</ul></div>"
            for id, title, group in self._groups()
        )
        key = "".join(
            f'<li><span class="tile {state}" aria-hidden="true">{sign}</span> {escape(word)}: {escape(means)}</li>'
            for state, (sign, word, means) in STATES.items()
        )
        seen = [self._row(each) for each in self.skills.values() if each.state != "new"]
        columns = COLUMNS[:-1] if self.people else COLUMNS
        rows = table(f"{self.title}: the rules seen so far", columns, seen) if seen else ""
        rows = f"<details><summary>The map as a table</summary>{rows}</details>" if seen else ""
        most = f". Each rule is in the state that most {self.people} who saw it have reached." if self.people else ""
        head = f'<p class="title">{escape(self.title)}</p><p>{escape(self.summary + most)}</p>'
        return (
            f'<div class="mqlab-skills" role="group" aria-label="{escape(self.title)}"><style>{_STYLE}</style>'
            f'{head}<ul class="key">{key}</ul><div class="subjects">{groups}</div>{rows}</div>'
        )

    def _tile(self, skill: Skill) -> str:
        sign, word, _ = STATES[skill.state]
        tip = f"{skill.rule} {RULES[skill.rule].title}: {word}"
        if self.people and skill.state != "new":
            tip += f"; right {skill.right}, wrong {skill.wrong} {self.people}"
        elif skill.due is not None:
            tip += "; comes back today" if skill.due.year == 1 else f"; comes back on {skill.due.isoformat()}"
        number = skill.rule.partition("-")[2]
        return (
            f'<li class="tile {skill.state}" title="{escape(tip)}"><span aria-hidden="true">{number} {sign}</span>'
            f'<span class="said">{escape(tip)}</span></li>'
        )

    def _row(self, skill: Skill) -> tuple:
        word = STATES[skill.state][1]
        row = (skill.rule, RULES[skill.rule].title, Notable(word) if skill.state == "wrong" else word)
        due = "" if skill.due is None else "today" if skill.due.year == 1 else skill.due.isoformat()
        return (*row, skill.right, skill.wrong) if self.people else (*row, skill.right, skill.wrong, due)
