"""The notebooks of exercises/, one an exercise, written from the package: without outputs, the same each time."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable
from textwrap import wrap

from mqlab.lab.checkout import NotACheckout, add_dir, checkout

from ..course.exercises.bank import EXERCISES
from ..course.exercises.exercise import DOORS, Exercise, cells

__all__ = ["asking", "assembled", "code", "file_name", "main", "notebook", "predicting", "text", "words"]

FOLDER = "exercises"


def file_name(exercise: Exercise) -> str:
    """The name of an exercise's notebook."""
    return f"{exercise.id}-{re.sub('[^a-z0-9]+', '-', exercise.title.lower()).strip('-')}.ipynb"


def notebook(exercise: Exercise) -> dict:
    """An exercise as a notebook in nbformat 4.5."""
    return assembled(exercise, _cells(exercise))


def assembled(exercise: Exercise, found: Iterable[dict]) -> dict:
    """A notebook of these cells, each with an id."""
    found = list(found)
    for number, cell in enumerate(found):
        cell["id"] = f"{exercise.id.lower()}-{number:02d}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": found,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cells(exercise: Exercise):
    hints = "\n".join(f"# desk.hint({level})" for level in (1, 2, 3))
    yield asking(exercise)
    yield code(
        'door = "write"  # "write" it, "repair" what somebody got wrong, or "read" an answer that works\n'
        "solve = False  # True does it for you\ninteractive = True  # False: pictures instead of widgets",
        tags=["parameters"],
    )
    yield code(f'%load_ext mqlab\nfrom mqlab.course import exercise\n\ndesk = exercise("{exercise.id}")')
    yield from predicting(exercise)
    yield code("lab = desk.start(door)\nlab")
    yield words(
        "Your work goes into the next cell, or into as many as you like. Start again at any time: "
        "`lab = desk.start(door)`."
    )
    yield from map(code, cells(exercise.work))
    yield code("if solve:\n    desk.solve(lab)", hidden=True)
    yield code("result = desk.check(lab)\nresult")
    yield code(
        'import os\n\nif os.environ.get("MQLAB_STRICT"):\n'
        '    assert result.passed == (solve or door == "read"), result',
        tags=["sanity-check", "remove-cell"],
        hidden=True,
    )
    yield words("Stuck? Three hints, each saying more; then one way to do it.")
    yield code(f"{hints}\n# desk.solution()")


def asking(exercise: Exercise) -> dict:
    """The cell that tells the situation and the task."""
    return words(
        f"# {exercise.id} {exercise.title}\n\n{exercise.situation}\n\n**Task.** {exercise.task}\n\n"
        f"About {exercise.minutes} minutes. Rules: {', '.join(exercise.rules)}."
    )


def predicting(exercise: Exercise) -> list[dict]:
    """The cells that ask for predictions, none where there are none."""
    if not exercise.predictions:
        return []
    predictions = ",\n".join(_asked(each) for each in exercise.predictions)
    predictions += "," if len(exercise.predictions) > 1 else ""  # as the formatter has it
    return [
        words("**Predict first.** Say what you think before anything is seen; being wrong is what makes it stick."),
        code(f"desk.predict(\n{predictions}\n)"),
    ]


def _asked(prediction) -> str:
    """A prediction's key, under its prompt."""
    prompt = wrap(prediction.prompt, 110, initial_indent="    # ", subsequent_indent="    # ")
    return "\n".join([*prompt, f"    {prediction.key}=None"])


def text(found: dict) -> str:
    """A notebook as the text of its file."""
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def words(source: str) -> dict:
    """A cell of words."""
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def code(source: str, tags: list[str] | None = None, hidden: bool = False) -> dict:
    """A cell of code."""
    metadata = ({"jupyter": {"source_hidden": True}} if hidden else {}) | ({"tags": tags} if tags else {})
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def main(argv: list[str] | None = None) -> int:
    """Write the notebooks into exercises/ of the checkout; what is no exercise's any more is removed."""
    parser = argparse.ArgumentParser(prog="python -m mqlab.tools.exercises", description=__doc__)
    add_dir(parser)
    options = parser.parse_args(argv)
    try:
        folder = checkout(options.dir) / FOLDER
    except NotACheckout as problem:
        print(f"mqlab exercises: {problem}", file=sys.stderr)
        return 1
    folder.mkdir(exist_ok=True)
    wanted = {file_name(each): text(notebook(each)) for each in EXERCISES.values()}
    for path in folder.glob("*.ipynb"):
        if path.name not in wanted:
            path.unlink()
    for name, written in wanted.items():
        (folder / name).write_text(written, encoding="utf-8")
    print(f"wrote {len(wanted)} notebooks with {len(DOORS)} doors each to {FOLDER}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
