"""The exercises as notebooks for nbgrader and otter-grader, written from the bank."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from textwrap import wrap

from mqlab.cli import command_of, stopped
from mqlab.course.exercises.bank import EXERCISES
from mqlab.course.exercises.exercise import Exercise, Prediction, cells
from mqlab.formats.whole_file import write_whole


def as_notebook(cells: Callable[[Exercise], Iterator[dict]]) -> Callable[[Exercise], dict]:
    """Make a notebook in nbformat 4.5 of the cells that a function yields, each with an id."""

    @wraps(cells)
    def assembled(exercise: Exercise) -> dict:
        found = [cell | {"id": f"{exercise.id.lower()}-{n:02d}"} for n, cell in enumerate(cells(exercise))]
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
        return {"cells": found, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}

    return assembled


def needing(exercise: Exercise) -> Iterator[dict]:
    """Yield the cell that ends the notebook in one sentence if IBM's library is needed and not installed."""
    if exercise.library:
        yield code("from mqlab.course.programs import require_ibmmq\n\nrequire_ibmmq()", hidden=True)


def loading(exercise: Exercise) -> str:
    """Return the code that makes `desk`, with MQError if an answer catches it."""
    refused = "from mqlab import MQError\n" if "MQError" in exercise.answer else ""
    return f'%load_ext mqlab\n{refused}from mqlab.course import exercise\n\ndesk = exercise("{exercise.id}")\n'


def asking(exercise: Exercise) -> dict:
    """Return the cell with the situation and the task."""
    return words(
        f"# {exercise.id} {exercise.title}\n\n{exercise.situation}\n\n**Task.** {exercise.task}\n\n"
        f"About {exercise.minutes} minutes. Rules: {', '.join(exercise.rules)}."
    )


def predicting(exercise: Exercise) -> list[dict]:
    """Return the cells that ask for predictions."""
    if not exercise.predictions:
        return []
    predictions = ",\n".join(_asked(each) for each in exercise.predictions)
    predictions += "," if len(exercise.predictions) > 1 else ""  # as the formatter has it
    return [
        words("**Predict first.** Commit to an answer before you see the result; a wrong answer helps you remember."),
        code(f"desk.predict(\n{predictions}\n)"),
    ]


def _asked(prediction: Prediction) -> str:
    """A prediction's key, under its prompt."""
    prompt = wrap(prediction.prompt, 110, initial_indent="    # ", subsequent_indent="    # ")
    return "\n".join([*prompt, f"    {prediction.key}=None"])


def text(found: dict) -> str:
    """A notebook as the text of its file."""
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _cell(type: str, source: str, **more: object) -> dict:
    return {"cell_type": type, "metadata": {}, "source": source.splitlines(keepends=True), **more}


def words(source: str) -> dict:
    """A cell of words."""
    return _cell("markdown", source)


def code(source: str, tags: list[str] | None = None, hidden: bool = False) -> dict:
    """A cell of code."""
    metadata = ({"jupyter": {"source_hidden": True}} if hidden else {}) | ({"tags": tags} if tags else {})
    return _cell("code", source, execution_count=None, metadata=metadata, outputs=[])


NBGRADER_CONFIG = """# The text that learners find in place of the answer; nbgrader's own text would stop a notebook.
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


@as_notebook
def nbgrader(exercise: Exercise) -> Iterator[dict]:
    """The instructor's notebook for nbgrader, its metadata in schema version 3."""
    yield from _beginning(exercise)
    yield from map(code, cells(exercise.work))
    answer = code(f"### BEGIN SOLUTION\n{as_python(exercise.answer)}\n### END SOLUTION")
    yield _marked(answer, exercise, "work", solution=True)
    yield from _checking()
    for number, each in enumerate(exercise.checks, 1):
        cell = code(f"# {each.says}\n{_test(exercise, number)}")
        yield _marked(cell, exercise, f"check-{number}", points=1)


def _marked(cell: dict, exercise: Exercise, part: str, points: int = 0, solution: bool = False) -> dict:
    """The cell with the metadata that nbgrader needs: a test has points and is locked, a solution neither."""
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


@as_notebook
def otter(exercise: Exercise) -> Iterator[dict]:
    """The instructor's notebook for `otter assign`."""
    yield _cell(
        "raw",
        "# ASSIGNMENT CONFIG\ninit_cell: true\nexport_cell: false\ncheck_all_cell: false\nrun_tests: true\n"
        "generate: true",
    )
    yield from _beginning(exercise)
    yield _cell("raw", f"# BEGIN QUESTION\nname: {exercise.id}\npoints: {len(exercise.checks)}")
    yield words(f"**{exercise.id}.** {exercise.task}")
    yield _cell("raw", "# BEGIN PROMPT")
    yield from map(code, cells(exercise.work))
    yield _cell("raw", "# END PROMPT")
    yield _cell("raw", "# BEGIN SOLUTION")
    yield code(f"# Or work here, in Python.\n# BEGIN SOLUTION NO PROMPT\n{as_python(exercise.answer)}\n# END SOLUTION")
    yield _cell("raw", "# END SOLUTION")
    yield _cell("raw", "# BEGIN TESTS")
    for number, each in enumerate(exercise.checks, 1):
        config = f'""" # BEGIN TEST CONFIG\npoints: 1\nsuccess_message: {_quoted(each.says)}\n""" # END TEST CONFIG'
        yield code(f"{config}\n{_test(exercise, number)}")
    yield _cell("raw", "# END TESTS")
    yield _cell("raw", "# END QUESTION")
    yield from _checking()


def _quoted(says: str) -> str:
    """Words quoted for YAML inside a Python string, whatever characters they have."""
    return "'" + says.replace("'", "''").replace('"', "''").replace("\\", "/") + "'"


def _beginning(exercise: Exercise) -> Iterator[dict]:
    """The cells before the work, for either grader."""
    yield asking(exercise)
    yield from needing(exercise)
    yield code(f"{loading(exercise)}desk")
    yield from predicting(exercise)
    yield code("lab = desk.start()\nlab")
    yield words(
        "Your work goes into the next cells, or into as many as you like. Start again at any time: "
        "`lab = desk.start()`."
    )


def _checking() -> Iterator[dict]:
    """The cells that check the work."""
    yield words("Check your work as many times as you like. Stuck? `desk.hint(1)`, `desk.hint(2)`, `desk.hint(3)`.")
    yield code("desk.check(lab)")


def _test(exercise: Exercise, number: int) -> str:
    symptom = f'symptom = grade("{exercise.id}", lab).symptom({number})\nassert not symptom, symptom'
    return f"from mqlab.course.exercises import grade\n\n{symptom}"


FORMATS = {"nbgrader": nbgrader, "otter": otter}


def main(argv: list[str] | None = None) -> int:
    """Write the notebooks; return 0, or 1 with one sentence on stderr about the problem.

    For nbgrader, DIR is a course directory: each exercise is an assignment in source/ID, and nbgrader_config.py is
    written unless it exists. For otter, each notebook has its own folder.
    """
    parser = command_of("grading")
    parser.add_argument("--format", required=True, choices=FORMATS)
    parser.add_argument("--out", required=True, type=Path, metavar="DIR")
    parser.add_argument("ids", nargs="*", metavar="ID")
    options = parser.parse_args(argv)
    unknown = [id for id in options.ids if id not in EXERCISES]
    if unknown:
        near = get_close_matches(unknown[0].upper(), EXERCISES, 3, 0.3) or list(EXERCISES)[:3]
        known = f"that of an exercise, such as {', '.join(near)}"
        return stopped("grading", f"ID must be {known}; got {', '.join(unknown)}")
    chosen = [EXERCISES[id] for id in options.ids] or list(EXERCISES.values())
    try:
        for each in chosen:
            folder = options.out / "source" / each.id if options.format == "nbgrader" else options.out / each.id
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / Path(each.file).name, text(FORMATS[options.format](each)))
        config = options.out / "nbgrader_config.py"
        if options.format == "nbgrader" and not config.exists():
            write_whole(config, NBGRADER_CONFIG)
    except OSError as error:
        return stopped("grading", f"{options.out} cannot be written: {error.strerror}")
    print(f"wrote {len(chosen)} notebooks for {options.format} to {options.out}")
    return 0
