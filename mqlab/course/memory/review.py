"""A review: the questions that are due today, each with other numbers if mqlab can make them, and their record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from ...engine.words.errors import LabError
from ...views.text import escape, plural
from ..exercises import progress
from ..games import game
from ..games.judging import Card, Question, Round
from ..games.playing import Still
from ..predictions.pages import explanation
from .drills import MAKERS, question
from .skills import A_DAY, GUESSES, Skill, due

NAME = "review"


class Item(NamedTuple):
    """A question of a review: `rules` are those that it judges, and `again` is the prediction that it repeats as it
    was, such as 01/tart, or "" if its numbers are new."""

    round: Round
    rules: tuple[str, ...]
    again: str = ""

    def judged(self, said: Mapping[str, str]) -> dict[str, bool]:
        """Return of each rule whether the answers are right; LabError as `Round.wrong`."""
        if self.again:
            return dict.fromkeys(self.rules, not self.round.wrong(said))
        return self.round.judged(said)

    def record(self, said: Mapping[str, str]) -> None:
        """Add the answers to the learner's file; LabError if it cannot be written."""
        progress.record_round(NAME, progress.REVIEW, self.round.key, self.judged(said), not self.round.wrong(said))


class Review(NamedTuple):
    """The questions of today, `items`, the number of rules that are due, `waiting`, and the number of them that nothing
    asks today, `later`."""

    items: list[Item]
    waiting: int
    later: int

    @property
    def lead(self) -> str:
        """The number of questions today, and of rules that are due, in words."""
        if not self.items:
            return f"You have answered {A_DAY} questions today. {plural(self.later, 'rule')} can wait until tomorrow."
        if self.later:
            many = f"{len(self.items)} of {self.waiting} today"
            return f"{many}: a review asks at most {A_DAY} questions a day, and the other rules can wait."
        return f"{plural(len(self.items), 'question')} today, for {plural(self.waiting, 'rule')}."


def review(lines: Iterable[dict], now: date, most: int = A_DAY) -> Review:
    """Return the review of a day, at most so many questions: rules that were wrong come first.

    A question that judges several rules that are due is asked once, and a rule without a question is not due. A day has
    at most `A_DAY` questions, including those that were already answered. LabError if `most` is not 1 or more.
    """
    if most < 1:
        raise LabError(f"most must be 1 or more; got {most}")
    lines = list(lines)
    found = due(progress.skill_states(lines, now), now)
    repeats = {skill.rule: _prediction(skill.rule, lines) for skill in found}
    waiting = [skill for skill in found if skill.rule in MAKERS or repeats[skill.rule]]
    answered = sum(line["what"] == progress.REVIEW and line.get("day") == now.isoformat() for line in lines)
    items: list[Item] = []
    covered: set[str] = set()
    for skill in waiting:
        if skill.rule in covered or len(items) >= min(most, A_DAY - answered):
            continue
        made = question(skill.rule, skill.right + skill.wrong)
        item = Item(made, tuple(dict.fromkeys(made.rules.values()))) if made else repeats[skill.rule]
        if item is not None:
            items.append(item)
            covered.update(item.rules)
    return Review(items, len(waiting), sum(skill.rule not in covered for skill in waiting))


def _prediction(rule: str, lines: list[dict]) -> Item | None:
    """The last prediction whose explanation names a rule, as it was asked in its notebook, if it is no guess."""
    for line in reversed(lines):
        if line.get("exercise") is not None or rule not in line["rules"] or line["key"] in GUESSES:
            continue
        if line.get("asked") and line.get("answers"):
            try:
                return Item(repeated(line), tuple(line["rules"]), line["key"])
            except (LookupError, TypeError, ValueError):  # a learner may have changed the line
                continue
    return None


def repeated(line: dict) -> Round:
    """Return a prediction of a notebook as a round with the same numbers.

    LookupError, TypeError, or ValueError if the line does not hold a whole question.
    """
    cards: list[Card] = []
    questions: list[Question] = []
    choices: dict[str, str] = {}
    for part, answer in zip(line["asked"]["parts"], line["answers"], strict=True):
        options = [str(each) for each in part["options"]]
        if part["kind"] == "several":
            choices = {"yes": "yes", "no": "no"}
            cards += [Card(each, (), "yes" if each in answer else "no", "", "") for each in options]
        elif part["kind"] == "order":
            choices = {str(place): str(place) for place in range(1, len(options) + 1)}
            cards += [Card(each, ("at which place?",), str(answer.index(each) + 1), "", "") for each in options]
        else:
            if part["kind"] == "number" and not options:
                options = [str(each) for each in _near(int(answer))]
            if str(answer) not in options:
                raise ValueError(answer)
            label = part["label"] or "Your prediction"
            questions.append(Question(label, {each: each for each in options}, str(answer), "", ""))
    title, text = f"The prediction {line['key']} again, with the same numbers", str(line["asked"]["plain"])
    return Round(line["key"], title, text, "", "", "", choices, "", tuple(cards), tuple(questions))


def _near(right: int) -> list[int]:
    """Numbers to choose from if the question had a field: the right one, its neighbors, its half, and its double."""
    return sorted({right, right + 1, right * 2, *(each for each in (right - 1, right // 2) if each >= 0)})


def why(item: Item) -> str:
    """Return the explanation of a prediction that is repeated, as plain text; "" for a question with new numbers."""
    if not item.again:
        return ""
    try:
        text = explanation(item.again)
    except LabError:  # a notebook of another release
        return ""
    return text.replace("**", "").replace("`", "")


def spec(found: Review) -> dict[str, Any]:
    """Return everything that a page needs to ask a review, by the script of *Be the queue manager*."""
    questions = []
    for item in found.items:
        paragraphs = [" ".join(each.split()) for each in why(item).split("\n\n") if each]
        judges = list(item.rules) if item.again else []
        questions.append({**game.told(item.round), "judges": judges, "reason": paragraphs})
    title = {"title": "Review", "unit": "Question"}
    return {"kind": game.GAME, **title, "level": 1, "seed": 1, "solved": [], "levels": questions, "rounds": []}


def ask(most: int = A_DAY, interactive: bool = True) -> Any:
    """Return today's review for a notebook, or a sentence with the next date if nothing is due.

    Each answer is recorded in the progress file. With `interactive=False` the review is only described. LabError if
    `most` is not 1 or more, or if the learner's file cannot be read.
    """
    lines, now = progress.read()[0], date.fromisoformat(progress.today())
    found = review(lines, now, most)
    words = f"Review: {found.lead}" if found.waiting else told(progress.skill_states(lines, now), now)
    still = Still(NAME, words, f"<p>{escape(words)}</p>")
    if not (found.items and interactive):
        return still
    from ..games.widget import Playing

    return Playing(spec(found), still, what=progress.REVIEW)


def told(states: Mapping[str, Skill], now: date) -> str:
    """Return in a sentence when the next rules are due, if none is today."""
    days = Counter(each.due for each in states.values() if each.due is not None and each.due > now)
    if not days:
        return "No rule waits for a review. Predict in a notebook or play a round of the game first."
    first = min(days)
    rules = "1 rule comes" if days[first] == 1 else f"{days[first]} rules come"
    rules = f"{A_DAY} of {rules}" if days[first] > A_DAY else rules
    return f"Nothing is due today. On {first.isoformat()}, {rules} back."
