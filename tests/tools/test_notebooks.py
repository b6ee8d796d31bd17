"""The notebook runner: every notebook, two at a time, each failure named."""

import pytest

from mqlab.tools import notebooks


def test_all_of_both_folders_are_run_and_failures_named(notebook, tmp_path, monkeypatch, capsys):
    notebook("notebooks/01-fine.ipynb", "1 + 1")
    notebook("exercises/depth/02-broken.ipynb", "queue = 'ORDERS'", "queue.depth()")
    notebook("notebooks/.ipynb_checkpoints/03-old.ipynb", "raise SystemExit")
    monkeypatch.chdir(tmp_path)
    assert notebooks.main([]) == 1
    said = capsys.readouterr().out
    assert "running 2 notebooks, 2 at a time" in said
    assert "02-broken.ipynb stopped in code cell 2, the one that begins `queue.depth()`: AttributeError" in said
    assert "1 ran, 1 stopped" in said
    assert (tmp_path / "build" / "notebooks" / "notebooks" / "01-fine.ipynb").is_file()


def test_parameters_are_handed_on(notebook, tmp_path, monkeypatch):
    path = notebook("one.ipynb", "assert (interactive, rows, place) == (False, 5, '../data')")
    monkeypatch.chdir(tmp_path)
    given = ["-p", "interactive", "false", "-p", "rows", "5", "-p", "place", "../data"]
    assert notebooks.main([str(path), *given]) == 0


def test_no_notebook_at_all_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert notebooks.main([]) == 2
    assert "no notebook in notebooks or exercises" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("\n\n  put()\nget()", "put()"),
        ("%%time\nput()", "put()"),
        ("", "(an empty cell)"),
        ("x" * 90, "x" * 67 + "..."),
    ],
)
def test_a_cell_is_named_by_its_first_line(source, line):
    assert notebooks.first_line(source) == line
