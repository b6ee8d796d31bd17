"""A class as one HTML page, without a script: the rules to teach, who needs help, wrong beliefs, and the skill map."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from string import Template

from ...engine.words.rulebook import RULES
from ...views.text import escape, plural, shorten
from ...views.theme import on_paper, style_sheet
from ..predictions.pages import markdown
from .classes import Belief, Class, Lesson, Need, Wrong, beliefs, lessons, needs, wrong_answers
from .skills import SkillMap, middle

MOST, OTHERS = 7, 5
"""So many beliefs, and so many answers whose belief is not known, are on the page."""
NEEDS, LISTED = 3, 30
"""So many needs of a learner are on the page, and so many lines that could not be read."""
LONGEST, CHARACTERS = 220, 60
"""So many characters of a question are on the page, and so many of a name or an answer."""


def page(group: Class) -> str:
    """The HTML of a class; the same files give the same text."""
    wrong = wrong_answers(group.learners)
    known, rest = beliefs(group.learners, wrong)
    learners = plural(len(group.learners), "learner")
    left = f" {plural(len(group.left_out), 'line')} could not be read, and the end of this page lists them."
    states = middle(learner.states for learner in group.learners)
    return Template(files(__package__).joinpath("class.html").read_text("utf-8")).substitute(
        title=f"A class of {learners}",
        summary=f"From {plural(group.files, 'progress file')}, until {group.day.isoformat()}."
        + (left if group.left_out else ""),
        style=style_sheet(".mqlab-class") + on_paper(".mqlab-class") + on_paper(".mqlab-skills"),
        teach=_listed("teach", map(_lesson, lessons(group.learners, wrong, known))) or "<p>No rule is wrong now.</p>",
        needs=_needs(needs(group.learners), [learner.name for learner in group.learners]),
        beliefs=_listed("beliefs", map(_belief, known[:MOST])) or "<p>No wrong answer rests on a known belief.</p>",
        others=_headed("Other wrong answers", _listed("beliefs", map(_answer, _each_once(rest)[:OTHERS]))),
        map=SkillMap(states, "The class", "learners").html(),
        left=_left_out(group.left_out),
    )


def _each_once(wrong: list[Wrong]) -> list[Wrong]:
    """The commonest wrong answer to each prediction."""
    once: dict[str, Wrong] = {}
    for one in wrong:
        once.setdefault(one.answer.key, one)
    return list(once.values())


def _listed(kind: str, items: Iterable[str]) -> str:
    """A list of these items, "" if there are none."""
    inner = "".join(f"<li>{each}</li>" for each in items)
    return f'<ol class="{kind}">{inner}</ol>' if inner else ""


def _headed(title: str, part: str) -> str:
    """A part under its title, "" if it is empty."""
    return f"<h3>{title}</h3>{part}" if part else ""


def _count(number: int, all: int, words: str = "") -> str:
    """A number of learners, of those who answered, as a bar and as words."""
    bar = f'<span class="bar" aria-hidden="true"><i style="width:{100 * number // all}%"></i></span>'
    return f'<p class="count">{bar}<span>{number} of {all}{words}</span></p>'


def _lesson(lesson: Lesson) -> str:
    rule = RULES[lesson.rule]
    asked = f'<div class="ask"><p><strong>Ask it again</strong></p>{_wrong(lesson.asked)}</div>' if lesson.asked else ""
    belief = f"<p><strong>They believe:</strong> {markdown(lesson.belief)[3:-4]}</p>" if lesson.belief else ""
    practice = f'<p class="quiet">Practice: {escape(", ".join(lesson.practice))}</p>' if lesson.practice else ""
    return (
        f"<h3><span>{escape(rule.id)}</span>{escape(rule.title)}</h3>"
        f"{_count(lesson.wrong, lesson.answered, ' are wrong')}{belief}<p>{escape(rule.text)}</p>{asked}{practice}"
    )


def _wrong(wrong: Wrong) -> str:
    """A wrong answer: the question, of which the end is enough, what was said, and the right answer."""
    answer, question = wrong.answer, " ".join(wrong.answer.question.split())
    if len(question) > LONGEST:
        question = "… " + question[-LONGEST:].partition(" ")[2]
    where = escape(", ".join(shorten(each, CHARACTERS) for each in (answer.key, answer.label) if each))
    right = f" It is {escape(shorten(answer.truth, CHARACTERS))}." if answer.truth else ""
    said = (
        f"{where}: {len(wrong.learners)} of {wrong.answered} said {escape(shorten(answer.words, CHARACTERS))}.{right}"
    )
    return f'{markdown(question) if question else ""}<p class="quiet">{said}</p>'


def _belief(belief: Belief) -> str:
    answers = escape(", ".join(shorten(each, CHARACTERS) for each in belief.answers[:MOST]))
    return (
        f"{_count(belief.learners, belief.answered)}<div><strong>{markdown(belief.belief)}</strong>"
        f'{markdown(belief.shown)}<p class="quiet">They said {answers}.</p></div>'
    )


def _answer(wrong: Wrong) -> str:
    return f"{_count(len(wrong.learners), wrong.answered)}<div>{_wrong(wrong)}</div>"


def _needs(all: list[tuple[str, list[Need]]], names: list[str]) -> str:
    helped = {name for name, _ in all}
    fine = ", ".join(shorten(name, CHARACTERS) for name in names if name not in helped)
    rest = f'<p class="quiet">These files show no need of {escape(fine)}.</p>' if fine else ""
    return _listed("needs", (_learner(*each) for each in all)) + rest


def _learner(name: str, own: list[Need]) -> str:
    """A learner's name, and the first needs."""
    more = [f"And {len(own) - NEEDS} more."] if len(own) > NEEDS else []
    told = "".join(f"<p>{each}</p>" for each in [*map(_need, own[:NEEDS]), *more])
    return f"<h3>{escape(shorten(name, CHARACTERS))}</h3><div>{told}</div>"


def _need(need: Need) -> str:
    where = f": {escape(need.where.rstrip('.'))}." if need.where else "."
    ask = " and ".join(shorten(name, CHARACTERS) for name in need.ask)
    done = f' <span class="quiet">Done by {escape(ask)}.</span>' if ask else ""
    return f"<strong>{escape(need.what)}</strong>{where}{done}"


def _left_out(lines: list[tuple[str, str]]) -> str:
    if not lines:
        return ""
    more = [f"… and {plural(len(lines) - LISTED, 'line')} more"] if len(lines) > LISTED else []
    listed = _listed("left", map(escape, [*(f"{where}: {text}" for where, text in lines[:LISTED]), *more]))
    return (
        f"<section><h2>Lines that could not be read</h2><p>Everything else of their files counts.</p>{listed}</section>"
    )
