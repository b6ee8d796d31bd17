"""*Be the queue manager*: twelve levels and endless rounds, as a widget, as a table, and as data for a page."""

from __future__ import annotations

from typing import Any

from ...engine.words.arguments import checked
from ...engine.words.errors import LabError
from ...engine.words.rulebook import RULES
from ...views.cards.tables import table
from ...views.text import escape
from ..exercises import progress
from .judging import Round
from .levels import generated, levels
from .playing import Still

GAME = "game"
AHEAD, ON_A_PAGE = 8, 60
"""The number of rounds that a notebook has ready, and the number that a page has."""


@checked
def level(number: int) -> Round:
    """Return a level of *Be the queue manager*, 1 to 12; LabError for another number.

    >>> round = level(1)
    >>> round.answer["bread"], round.wrong({**round.answer, "bread": "stays", "tart": "returned"})
    ('returned', ['bread', 'tart'])
    """
    if not 1 <= number <= len(levels()):
        raise LabError(f"number must be 1 to {len(levels())}; got {number}")
    return levels()[number - 1]


@checked
def play(level: int | None = None, seed: int = 1, interactive: bool = True) -> Any:
    """Return *Be the queue manager*, at a level from 1 to 12, or at the first one that you have not solved.

    After the levels there are endless rounds, made from `seed` upward. With `interactive=False` the level is a
    table with its answer. LabError for a level that does not exist, and for a negative seed.
    """
    if level is not None and not 1 <= level <= len(levels()):
        raise LabError(f"level must be 1 to {len(levels())}, or None for the next one; got {level}")
    if seed < 0:
        raise LabError(f"seed must be 0 or more; got {seed}")
    solved = done()
    if level is None:
        level = next((int(each.key) for each in levels() if each.key not in solved), 1)
    if not interactive:
        return still(levels()[level - 1])
    from .widget import Playing

    return Playing(spec(level, seed, AHEAD, solved), still(levels()[level - 1]), more)


def done() -> list[str]:
    """Return the keys of the rounds that the learner's file says were solved."""
    lines = (line for line in progress.read()[0] if line["what"] == progress.PLAY and line["exercise"] == GAME)
    return list(dict.fromkeys(line["key"] for line in lines if line.get("right") is True and "key" in line))


def spec(level: int = 1, seed: int = 1, rounds: int = ON_A_PAGE, solved: list[str] | None = None) -> dict[str, Any]:
    """Return everything that a page needs to play the game, with so many rounds from `seed` upward."""
    return {
        "kind": GAME,
        "level": level,
        "seed": seed,
        "solved": solved or [],
        "levels": [told(each) for each in levels()],
        **more(seed, rounds),
    }


def more(seed: int, rounds: int = AHEAD) -> dict[str, Any]:
    """Return rounds from `seed` upward for a page."""
    return {"rounds": [told(generated(each)) for each in range(seed, seed + rounds)]}


def told(round: Round) -> dict[str, Any]:
    """Return a round as JSON holds it, each rule with its title and text."""

    def rule(id: str) -> list[str] | None:
        return [id, RULES[id].title, RULES[id].text] if id in RULES else None

    return {
        **round._asdict(),
        "choices": list(round.choices.items()),
        "cards": [{**card._asdict(), "rule": rule(card.rule)} for card in round.cards],
        "questions": [
            {**each._asdict(), "options": list(each.options.items()), "rule": rule(each.rule)}
            for each in round.questions
        ],
    }


def still(round: Round) -> Still:
    """A round for readers who cannot play it: the messages, and what the queue manager does with them."""
    title = f"Be the queue manager: {round.title}"
    words = [title, round.story, *round.shown.splitlines(), round.call]
    asked = [(card.name, ", ".join(card.facts)) for card in round.cards]
    done = [(card.name, round.choices[card.answer], f"{card.why} {card.rule}".strip()) for card in round.cards]
    done += [(each.label, each.options[each.answer], f"{each.why} {each.rule}".strip()) for each in round.questions]
    text = "\n".join([*words, *("  ".join(row) for row in (*asked, ("The queue manager:",), *done))])
    lead = "".join(f"<p>{escape(line)}</p>" for line in words[:2])
    code = f"<pre tabindex='0'>{escape(chr(10).join(words[2:]))}</pre>"
    result = table("What the queue manager does", ("Message or question", "Answer", "Why"), done)
    html = f"{lead}{code}{table(round.order, ('Message or step', 'Facts'), asked)}"
    return Still(GAME, text, f"{html}<details><summary>What the queue manager does</summary>{result}</details>")
