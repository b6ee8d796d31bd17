"""The notebook runner: every notebook, two at a time, each failure named."""

import json

import pytest

from helpers import for_each
from mqlab.cli.notebooks import first_line
from mqlab.course.exercises.bank import EXERCISES
from tools import exercises, notebooks


def test_all_of_both_folders_are_run_as_found_and_solved_and_failures_named(notebook, tmp_path, monkeypatch, capsys):
    seen = "import os, pathlib\nway = os.path.join(out, str(solve), str(interactive), os.environ['MQLAB_PROGRESS'])\n"
    notebook(
        "notebooks/01-fine.ipynb",
        f"solve = solve\nout = {str(tmp_path / 'seen')!r}",
        f"{seen}pathlib.Path(way).mkdir(parents=True)",
    )
    notebook("exercises/depth/02-broken.ipynb", "queue = 'ORDERS'", "queue.depth()")
    notebook("notebooks/.ipynb_checkpoints/03-old.ipynb", "raise SystemExit")
    monkeypatch.chdir(tmp_path)
    assert notebooks.main([]) == 1
    said = capsys.readouterr().out
    assert "2 notebooks, 3 runs, 2 at a time" in said
    assert "02-broken.ipynb stopped in code cell 3, the one that begins `queue.depth()`: AttributeError" in said
    assert "2 ran, 1 stopped" in said
    for copy in ("notebooks/01-fine.ipynb", "solved/notebooks/01-fine.ipynb"):
        assert (tmp_path / "build" / "notebooks" / copy).is_file()
    assert {path.relative_to(tmp_path / "seen").as_posix() for path in (tmp_path / "seen").rglob("off")} == {
        "False/False/off",
        "True/True/off",
    }


@pytest.mark.parametrize(("solve", "work"), [("false", "desk.solve(lab)"), ("true", "")])
def test_an_exercise_that_passes_unsolved_or_not_solved_fails(solve, work, tmp_path, monkeypatch, capsys):
    book = exercises.notebook(EXERCISES["Q01"])
    for cell in book["cells"]:
        if "".join(cell["source"]).startswith("if solve:"):
            cell["source"] = [work]
    path = tmp_path / "Q01.ipynb"
    path.write_text(json.dumps(book), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert notebooks.main([str(path), "-p", "solve", solve]) == 1
    assert "AssertionError" in capsys.readouterr().out


def test_parameters_are_handed_on(notebook, tmp_path, monkeypatch):
    path = notebook("one.ipynb", "assert (interactive, rows, place) == (False, 5, '../data')")
    monkeypatch.chdir(tmp_path)
    given = ["-p", "interactive", "false", "-p", "rows", "5", "-p", "place", "../data"]
    assert notebooks.main([str(path), *given]) == 0


def test_no_notebook_at_all_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert notebooks.main([]) == 2
    assert "no notebook in notebooks or exercises" in capsys.readouterr().err


@for_each(
    "source, line",
    ("\n\n  put()\nget()", "put()"),
    ("%%time\nput()", "put()"),
    ("", "(an empty cell)"),
    ("x" * 90, "x" * 67 + "..."),
)
def test_a_cell_is_named_by_its_first_line(source, line):
    assert first_line(source) == line
