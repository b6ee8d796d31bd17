"""The map of the course: the notebooks and exercises for each rule and for each question of MQ learners."""

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mqlab.cli import command_line
from mqlab.course import path as way
from mqlab.course.exercises.bank import EXERCISES
from mqlab.course.predictions.pages import explanation
from mqlab.engine.words.rulebook import RULES
from mqlab.formats.whole_file import write_whole
from mqlab.lab.checkout import NotACheckout, checkout
from mqlab.lab.lab import Lab
from mqlab.lab.scenarios import scenarios
from mqlab.pipeline import traffic
from mqlab.views import topology_svg
from mqlab.views.text import RULE_ID
from tools import links, stopped

FILE = "docs/course.md"
PICTURE = Path("notebooks", "retail-day.svg")
MOMENT_US = (18 * 60 + 45) * 60_000_000  # 18:45
TITLE = "The course, rule by rule"
LEAD = (
    "Notebooks teach, exercises check, and scenarios are for a meeting. `make course` generates this page from them, "
    "and a test keeps it up to date."
)
PATH = (
    "The core takes five hours: notebooks, and the exercises after each. The first sitting takes "
    f"{sum(way.FIRST.values())} minutes, and has sections 1 to 3 of Start here, and 1 to 4 of Message expiry. "
    "Everything else is the library, for a question that you have. Each exercise has three versions: *write it*, "
    "*repair it*, and *read it*."
)
QUESTIONS = {
    1: "I get 2035, although the password is right. Which check refused me?",
    2: "Is 2033 an error? The queue is not empty",
    3: "I get 2009 after idle time. Did my put succeed?",
    4: "I get 2085, although the queue exists",
    5: "2058, 2059, or 2538: which one do I get, and why?",
    6: "Triggering does not work",
    7: "FIRST fires once and never again",
    8: "FIRST, EVERY, or DEPTH? MQ started fifty processes",
    9: "DEPTH worked once",
    10: "The triggered program finds no message",
    11: "A triggered channel does not start again after an outage",
    12: "Why do expired messages still count in CURDEPTH?",
    13: "Does a get by CorrelId discard other expired messages?",
    14: "How does expiry work exactly, and what does CAPEXPRY do?",
    15: "What are expiry reports, and how do I get one?",
    16: "A channel keeps RETRYING. When does it stop?",
    17: "Is a channel INACTIVE or STOPPED after idle time?",
    18: "Sequence number error: what do I reset?",
    19: "Why is the message on the dead-letter queue?",
    20: "BOTHRESH is set, but the message still loops",
}
"""The twenty questions that MQ learners ask most, by the number that exercises use."""
_PREDICTION = re.compile(r"^%%predict (\S+)", re.MULTILINE)


class Place(NamedTuple):
    """A part of the course that shows rules: its file in a checkout, or its name, its title, and the ids of the rules
    that it names."""

    name: str
    title: str
    rules: tuple[str, ...]


@cache
def notebooks(root: Path) -> tuple[Place, ...]:
    """The notebooks of a checkout in order, the library last, with the rules that their cells and explanations name."""
    found = []
    for path in links.books(root):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
        sources += [explanation(id) for id in _PREDICTION.findall("\n".join(sources))]
        lines = "\n".join(sources).splitlines()
        heading = next((line[2:] for line in lines if line.startswith("# ")), path.stem)
        named = {id for line in lines for id in RULE_ID.findall(line)}
        found.append(Place(path.relative_to(root).as_posix(), heading, tuple(id for id in RULES if id in named)))
    return tuple(found)


def path() -> list[str]:
    """The files of the steps of the path, in its order."""
    return [EXERCISES[step].file if step in EXERCISES else way.notebook_file(step) for step in way.STEPS]


def exercises() -> tuple[Place, ...]:
    """The exercises, those of the path first and in its order, under the files of their notebooks."""
    return tuple(Place((it := EXERCISES[id]).file, f"{id} {it.title}", it.rules) for id in _ids())


def _ids() -> list[str]:
    """The ids of the exercises: those of the path in its order, then the library."""
    return [id for id in dict.fromkeys([*way.EXERCISES, *EXERCISES]) if id in EXERCISES]


def demonstrations() -> tuple[Place, ...]:
    """The scenarios."""
    return tuple(Place(each.name, each.title, tuple(each.rules)) for each in scenarios())


def showing(rule: str, places: tuple[Place, ...]) -> list[Place]:
    """The places that show a rule."""
    return [place for place in places if rule in place.rules]


def answering(question: int) -> list[str]:
    """The ids of the exercises that answer this one of the twenty questions."""
    return [each.id for each in EXERCISES.values() if question in each.questions]


def page(root: Path) -> str:
    """docs/course.md of a checkout."""
    lessons, tasks, tales = notebooks(root), exercises(), demonstrations()
    steps = {Path(place.name).stem: place for place in lessons} | dict(zip(_ids(), tasks, strict=True))
    lines = [f"# {TITLE}", "", LEAD, "", "## The path", "", PATH, ""]
    lines += ["| step | minutes | in the first sitting | questions | rules |", "|---|---|---|---|---|"]
    for step in (step for step in way.STEPS if step in steps):
        first = way.FIRST.get(step, "")
        lines.append(_row(steps[step], minutes(step), first, _asked(step), ", ".join(steps[step].rules)))
    lines += ["", "## The library", "", "| notebook | rules |", "|---|---|"]
    library = [step for step in steps if step not in way.STEPS]
    lines += [_row(steps[step], ", ".join(steps[step].rules)) for step in library if step not in EXERCISES]
    lines += ["", "| exercise | minutes | questions | rules |", "|---|---|---|---|"]
    for step in (step for step in library if step in EXERCISES):
        lines.append(_row(steps[step], minutes(step), _asked(step), ", ".join(steps[step].rules)))
    lines += ["", "## The twenty questions", "", "| | question | exercises |", "|---|---|---|"]
    lines += [f"| {n} | {_cell(words)} | {', '.join(answering(n))} |" for n, words in QUESTIONS.items()]
    lines += ["", "## The rules", "", "| rule | title | notebooks | exercises | scenarios |", "|---|---|---|---|---|"]
    ids = {each.file: each.id for each in EXERCISES.values()}
    for rule in RULES.values():
        shown = [
            ", ".join(name(place) for place in showing(rule.id, places))
            for name, places in (
                (lambda p: Path(p.name).stem.split("-")[0], lessons),
                (lambda p: ids[p.name], tasks),
                (lambda p: p.name, tales),
            )
        ]
        lines.append(f"| {rule.id} | {_cell(rule.title)} | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def minutes(step: str) -> int:
    """The minutes of a step of the path, or of an exercise."""
    return EXERCISES[step].minutes if step in EXERCISES else way.NOTEBOOKS[step]


def _row(place: Place, *cells: object) -> str:
    """A row of a table: a place of the course as a link, and its cells."""
    return f"| {' | '.join([f'[{_cell(place.title)}](../{place.name})', *map(str, cells)])} |"


def _asked(step: str) -> str:
    """The numbers of the questions that an exercise answers."""
    return ", ".join(map(str, EXERCISES[step].questions)) if step in EXERCISES else ""


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


def picture(root: Path) -> str:
    """The picture in the README: the sample estate at its worst moment of the sample day, as SVG text."""
    lab = Lab(start=traffic.DAY_START)
    estate = (root / "datasets" / "retail-estate.mqsc").read_text(encoding="utf-8")
    lab.queue_manager("QM1", expiry_interval=0).mqsc(estate)
    traffic.replay(lab, traffic.load(root / "datasets" / "retail-day.parquet"), until_us=MOMENT_US)
    return topology_svg(lab)


def main(argv: list[str] | None = None) -> int:
    """Write docs/course.md; return 0, or 1 with one sentence on stderr."""
    parser = command_line(
        "python -m tools.course",
        "Write docs/course.md: the notebooks, exercises, and scenarios for each rule and each question of MQ learners.",
        "example:\n  python -m tools.course --dir ~/mqlab",
        checkout=True,
    )
    parser.add_argument("--picture", action="store_true", help=f"instead, draw {PICTURE}, the picture in the README")
    parser.add_argument(
        "--links", action="store_true", help="instead, link the rules, exercises, and notebooks that notebooks name"
    )
    options = parser.parse_args(argv)
    try:
        root = checkout(options.dir)
    except NotACheckout as problem:
        return stopped("course", problem)
    if options.links:
        print("\n".join(f"linked {file}" for file in links.link(root)) or "all notebooks are linked")
        return 0
    file, text = (PICTURE, f"{picture(root)}\n") if options.picture else (FILE, page(root))
    (root / file).parent.mkdir(exist_ok=True)
    write_whole(root / file, text)
    print(f"wrote {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
