"""The skill map: a tile for each rule of the book, by subject, with a table and as text; a sign repeats each color."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from ...engine.words.rulebook import GROUPS, RULES
from ...views.cards.tables import Notable, table
from ...views.text import escape, mime_bundle, plural
from ...views.theme import style_sheet
from .skills import STATES, Skill

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
