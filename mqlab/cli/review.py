"""`mqlab review`: questions that are due today, on standard input and output."""

from __future__ import annotations

import sys
from datetime import date
from typing import Any

from mqlab.cli import command_of, say, stopped
from mqlab.engine.words.errors import LabError, visible

FEW = 3
"""With at most so many choices, the messages of each choice are asked; with more, the choice of each message."""
HELP = 'Answer with a value that is shown, or with its first letters. "skip" leaves a question, "end" ends the review.'


class _Left(Exception):
    """The learner skipped a question."""


def main(argv: list[str] | None = None) -> int:
    """Ask on standard input and output; return 0, or 1 if the learner's file cannot be used."""
    parser = command_of("review")
    parser.add_argument("--map", action="store_true")
    parser.add_argument("--questions", type=int, metavar="N")
    options = parser.parse_args(argv)
    from mqlab.course.exercises import progress
    from mqlab.course.memory.review import review, told
    from mqlab.course.memory.skills import A_DAY, SkillMap

    try:
        lines, _ = progress.read()
        now = date.fromisoformat(progress.today())
        states = progress.skill_states(lines, now)
        if options.map:
            print(SkillMap(states))
            return 0
        found = review(lines, now, A_DAY if options.questions is None else options.questions)
        if not found.waiting:
            say(told(states, now))
            return 0
        _ask(found)
        print(f"\n{SkillMap(progress.skill_states(progress.read()[0], now)).summary}. mqlab review --map shows them.")
    except LabError as wrong:
        return stopped("review", wrong)
    return 0


def _ask(found: Any) -> None:
    """Ask the questions until they or the input end."""
    say(f"{found.lead} {HELP}" if found.items else found.lead)
    right = asked = 0
    try:
        for number, item in enumerate(found.items, 1):
            print(f"\n{number} of {len(found.items)}  {item.round.title}")
            try:
                said = _answers(item.round)
            except _Left:
                continue
            item.record(said)
            asked += 1
            right += not item.round.wrong(said)
            _verdict(item, said)
    except EOFError:
        print()
    if asked:
        missed = "" if right == asked else " The wrong ones come back tomorrow."
        print(f"\n{right} of {asked} right.{missed}")


def _answers(round: Any) -> dict[str, str]:
    """The learner's answers to a round; EOFError at the end of the input, _Left if the question is skipped."""
    say(round.story)
    if round.shown:
        print("\n".join(f"    {line}" for line in round.shown.splitlines()))
    if round.call:
        print(f"  {round.call}")
    for number, card in enumerate(round.cards, 1):
        print(f"  {number}  {card.name}" + (f": {', '.join(card.facts)}" if card.facts else ""))
    said: dict[str, str] = {}
    if len(round.choices) > FEW:
        for card in round.cards:
            said[card.name] = _choice(card.name, round.choices)
    elif round.cards:
        rest = round.chosen or list(round.choices)[-1]
        said = {card.name: rest for card in round.cards}
        for value, words in round.choices.items():
            if value != rest:
                for place in _places(words, len(round.cards)):
                    said[round.cards[place].name] = value
    for question in round.questions:
        for value, words in question.options.items():
            if words != value:
                print(f"    {words}")
        said[question.label] = _choice(question.label, question.options)
    return said


def _choice(label: str, options: dict[str, str]) -> str:
    """One of the options, as it is or by its first letters."""
    while True:
        typed = _line(f"{label} [{' | '.join(options)}]: ").lower()
        fits = [value for value in options if typed and value.lower().startswith(typed)]
        exact = [value for value in options if value.lower() == typed]
        if exact or len(fits) == 1:
            return (exact or fits)[0]
        print(f"  One of {', '.join(options)}, please; got {visible(typed) or 'nothing'}.")


def _places(words: str, most: int) -> list[int]:
    """The places of messages or steps whose numbers are typed; none is an answer."""
    while True:
        typed = _line(f"{words.capitalize()} (numbers, or Enter for none): ").replace(",", " ").split()
        if all(each.isascii() and each.isdigit() and 1 <= int(each) <= most for each in typed):
            return [int(each) - 1 for each in typed]
        print(f"  Numbers from 1 to {most}, please; got {visible(' '.join(typed))}.")


def _line(prompt: str) -> str:
    """A line of the input."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line or line.strip().lower() in ("end", "exit", "quit"):
        raise EOFError
    if line.strip().lower() == "skip":
        raise _Left
    return line.strip()


def _verdict(item: Any, said: dict[str, str]) -> None:
    """Print each answer with the engine's, the reason, and the rules in full."""
    from mqlab.course.memory.review import why
    from mqlab.engine.words.rulebook import RULES

    round, wrong = item.round, item.round.wrong(said)
    print("As the queue manager does it." if not wrong else "The queue manager does it differently:")
    for each in (*round.cards, *round.questions):
        name = getattr(each, "name", "") or each.label
        words = getattr(each, "options", round.choices)[each.answer]
        mark = "wrong" if name in wrong else "right"
        reason = f". {each.why}" if each.why else ""
        rule = f" ({each.rule})" if each.rule else ""
        say(f"  {mark}  {name}: {words.rstrip('.')}{reason}{rule}", 2)
    if text := why(item):
        print()
        for paragraph in text.split("\n\n"):
            say("  " + " ".join(paragraph.split()), 2)
    judged = item.judged(said)
    for rule in [rule for rule, right in judged.items() if not right] or list(judged)[:1]:
        say(f"  {rule}  {RULES[rule].title}. {RULES[rule].text}", 2)
