"""The notebooks of exercises/, written from the bank: `python -m tools.exercises`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from mqlab.cli import command_line
from mqlab.cli.grading import as_notebook, asking, code, loading, needing, text, words
from mqlab.course.exercises.bank import EXERCISES
from mqlab.course.exercises.exercise import DOORS, Exercise, cells
from mqlab.formats.whole_file import write_whole
from mqlab.lab.checkout import NotACheckout, checkout
from tools import stopped

FOLDER = "exercises"


@as_notebook
def notebook(exercise: Exercise) -> Iterator[dict]:
    """Yield the cells of an exercise as a notebook."""
    hints = "\n".join(f"# desk.hint({level})" for level in (1, 2, 3))
    yield asking(exercise)
    yield code(
        "interactive: bool = True  # False: pictures instead of widgets\n"
        "solve: bool = False  # True does it for you\n"
        'door: str = "write"  # "write" it, "repair" what someone got wrong, or "read" an answer that works',
        tags=["parameters"],
        hidden=True,
    )
    yield from needing(exercise)
    yield code(f"{loading(exercise)}desk.opening(door, interactive)")
    yield code("lab = desk.start(door)\nlab")
    yield words(
        "Your work goes into the next cell, or into as many as you like. Start again at any time: "
        "`lab = desk.start(door)`."
    )
    yield from map(code, cells(exercise.work))
    yield code("if solve:\n    desk.solve(lab)", hidden=True)
    yield code("result = desk.check(lab)\ndisplay(result, result.played(interactive))")
    yield code(
        'import os\n\nif os.environ.get("MQLAB_STRICT"):\n'
        '    assert result.passed == (solve or door == "read"), result',
        tags=["sanity-check", "remove-cell"],
        hidden=True,
    )
    yield words(
        "Stuck? Three hints, each saying more; then one way to do it. If you fell behind, "
        "`lab = desk.catch_up()` gives you the lab as it is when the exercise is solved."
    )
    yield code(f"{hints}\n# desk.solution()")


def main(argv: list[str] | None = None) -> int:
    """Write the notebooks into exercises/ of the checkout; notebooks of removed exercises are deleted."""
    parser = command_line("python -m tools.exercises", "Write the notebooks in exercises/ again.", checkout=True)
    options = parser.parse_args(argv)
    try:
        root = checkout(options.dir)
    except NotACheckout as problem:
        return stopped("exercises", problem)
    wanted = {root / each.file: text(notebook(each)) for each in EXERCISES.values()}
    for path in (root / FOLDER).rglob("*.ipynb"):
        if path not in wanted:
            path.unlink()
    for path, written in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, written)
    print(f"wrote {len(wanted)} notebooks, each with {len(DOORS)} versions, to {FOLDER}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
