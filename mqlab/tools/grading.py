"""The exercises as notebooks for an instructor, to be handed out and graded with nbgrader or otter-grader.

Each holds the bank's answer between the marks that the grader takes out for learners, and a test a check of the
exercise, worth one point, whose failure quotes the symptom. A test names its exercise in Python, so a cell that is
copied, renamed or moved still checks the same thing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from ..course.exercises.bank import EXERCISES
from ..course.exercises.exercise import Exercise, cells
from .exercises import asking, assembled, code, file_name, predicting, text, words

__all__ = ["FORMATS", "as_python", "main", "nbgrader", "otter"]

NBGRADER_CONFIG = """# What learners find where the answer was; the words of nbgrader itself would stop a notebook.
c = get_config()  # noqa: F821
c.ClearSolutions.code_stub = {"python": "# Or work here, in Python."}
"""


def as_python(answer: str) -> str:
    """An answer as one cell of Python, its MQSC as calls of `mqsc`.

    >>> print(as_python("%%mqsc QM1\\nSTART CHINIT\\n\\n# %%\\nlab.advance(5)"))
    lab["QM1"].mqsc(
        \"\"\"
    START CHINIT
        \"\"\"
    )
    <BLANKLINE>
    lab.advance(5)
    """
    parts = []
    for cell in cells(answer):
        head, _, body = cell.partition("\n")
        command = f'lab["{head.split()[1]}"].mqsc(\n    """\n{body}\n    """\n)' if head.startswith("%%mqsc ") else cell
        parts.append(command)
    return "\n\n".join(parts)


def nbgrader(exercise: Exercise) -> dict:
    """The instructor's notebook for nbgrader, its metadata in schema version 3."""
    return assembled(exercise, _nbgrader(exercise))


def _nbgrader(exercise: Exercise) -> Iterator[dict]:
    yield from _beginning(exercise)
    yield from map(code, cells(exercise.work))
    yield _marked(
        code(f"### BEGIN SOLUTION\n{as_python(exercise.answer)}\n### END SOLUTION"), exercise, "work", solution=True
    )
    yield from _checking()
    for number, each in enumerate(exercise.checks, 1):
        cell = code(f"# {each.says}\n{_test(exercise, number)}")
        yield _marked(cell, exercise, f"check-{number}", points=1)


def _marked(cell: dict, exercise: Exercise, part: str, points: int = 0, solution: bool = False) -> dict:
    """The cell with what nbgrader wants to know of it: a test has points and is locked, a solution is neither."""
    marks = {
        "cell_type": "code",
        "grade": bool(points),
        "grade_id": f"{exercise.id}-{part}",
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    cell["metadata"]["nbgrader"] = marks | ({"points": points} if points else {})
    return cell


def otter(exercise: Exercise) -> dict:
    """The instructor's notebook for `otter assign`."""
    return assembled(exercise, _otter(exercise))


def _otter(exercise: Exercise) -> Iterator[dict]:
    yield _raw(
        "# ASSIGNMENT CONFIG\ninit_cell: true\nexport_cell: false\ncheck_all_cell: false\nrun_tests: true\n"
        "generate: true"
    )
    yield from _beginning(exercise)
    yield _raw(f"# BEGIN QUESTION\nname: {exercise.id}\npoints: {len(exercise.checks)}")
    yield words(f"**{exercise.id}.** {exercise.task}")
    yield _raw("# BEGIN PROMPT")
    yield from map(code, cells(exercise.work))
    yield _raw("# END PROMPT")
    yield _raw("# BEGIN SOLUTION")
    yield code(f"# Or work here, in Python.\n# BEGIN SOLUTION NO PROMPT\n{as_python(exercise.answer)}\n# END SOLUTION")
    yield _raw("# END SOLUTION")
    yield _raw("# BEGIN TESTS")
    for number, each in enumerate(exercise.checks, 1):
        config = f'""" # BEGIN TEST CONFIG\npoints: 1\nsuccess_message: {_quoted(each.says)}\n""" # END TEST CONFIG'
        yield code(f"{config}\n{_test(exercise, number)}")
    yield _raw("# END TESTS")
    yield _raw("# END QUESTION")
    yield from _checking()


def _quoted(says: str) -> str:
    """Words as YAML takes them, whatever signs are in them, and as they may stand in a Python text."""
    return "'" + says.replace("'", "''").replace('"', "''").replace("\\", "/") + "'"


def _raw(source: str) -> dict:
    return {"cell_type": "raw", "metadata": {}, "source": source.splitlines(keepends=True)}


def _beginning(exercise: Exercise) -> Iterator[dict]:
    """What comes before the work, for either grader."""
    yield asking(exercise)
    yield code(f'%load_ext mqlab\nfrom mqlab.course import exercise\n\ndesk = exercise("{exercise.id}")\ndesk')
    yield from predicting(exercise)
    yield code("lab = desk.start()\nlab")
    yield words(
        "Your work goes into the next cells, or into as many as you like. Start again at any time: "
        "`lab = desk.start()`."
    )


def _checking() -> Iterator[dict]:
    """What a learner runs to see how it stands."""
    yield words("See how it stands, as often as you like. Stuck? `desk.hint(1)`, `desk.hint(2)`, `desk.hint(3)`.")
    yield code("desk.check(lab)")


def _test(exercise: Exercise, number: int) -> str:
    return (
        f'from mqlab.course.exercises import grade\n\nsymptom = grade("{exercise.id}", lab).symptom({number})\n'
        "assert not symptom, symptom"
    )


FORMATS = {"nbgrader": nbgrader, "otter": otter}


def main(argv: list[str] | None = None) -> int:
    """Write the notebooks; return 0, or 1 with one sentence on stderr for what did not work.

    For nbgrader DIR is a course: each exercise is an assignment in source/ID, and nbgrader_config.py goes beside them,
    unless there is one. For otter each notebook stands in a folder of its own.
    """
    parser = argparse.ArgumentParser(
        prog="mqlab grading",
        description=__doc__,
        epilog="examples:\n  mqlab grading --format nbgrader --out course Q01 E03 T02\n"
        "  mqlab grading --format otter --out otter",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--format", required=True, choices=FORMATS, help="whose marks the notebooks carry")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="the folder to write to")
    parser.add_argument("ids", nargs="*", metavar="ID", help="exercises by id (default: all of them)")
    options = parser.parse_args(argv)
    unknown = [id for id in options.ids if id not in EXERCISES]
    if unknown:
        near = get_close_matches(unknown[0].upper(), EXERCISES, 3, 0.3) or list(EXERCISES)[:3]
        print(f"mqlab grading: ids wanted, such as {', '.join(near)}; got {', '.join(unknown)}", file=sys.stderr)
        return 1
    chosen = [EXERCISES[id] for id in options.ids] or list(EXERCISES.values())
    try:
        _write(options.format, options.out, chosen)
    except OSError as error:
        print(f"mqlab grading: {options.out} cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    print(f"wrote {len(chosen)} notebooks for {options.format} to {options.out}")
    return 0


def _write(format: str, out: Path, chosen: list[Exercise]) -> None:
    for each in chosen:
        folder = out / "source" / each.id if format == "nbgrader" else out / each.id
        folder.mkdir(parents=True, exist_ok=True)
        (folder / file_name(each)).write_text(text(FORMATS[format](each)), encoding="utf-8")
    config = out / "nbgrader_config.py"
    if format == "nbgrader" and not config.exists():
        config.write_text(NBGRADER_CONFIG, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
