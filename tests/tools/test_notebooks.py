"""The notebook runner: every notebook, several at a time, each failure named."""

import json
import os
import re
import subprocess
import sys

import pytest

from helpers import says
from mqlab.course.exercises.bank import EXERCISES
from tools import exercises, notebooks

pytestmark = pytest.mark.tools


def test_all_of_both_folders_are_run_as_found_and_solved_and_failures_named(notebook, tmp_path, monkeypatch, capsys):
    seen = "import os, pathlib\nway = os.path.join(out, str(solve), str(interactive), os.environ['MQLAB_PROGRESS'])\n"
    notebook(
        "notebooks/01-fine.ipynb",
        f"solve = solve\nout = {str(tmp_path / 'seen')!r}",
        f"{seen}pathlib.Path(way).mkdir(parents=True)",
    )
    notebook("exercises/depth/02-broken.ipynb", "queue = 'ORDERS'", "# a comment\nqueue.depth()")
    notebook("notebooks/.ipynb_checkpoints/03-old.ipynb", "raise SystemExit")
    for name, work in (("solved-unasked", "desk.solve(lab)"), ("never-solved", "")):
        book = exercises.notebook(EXERCISES["Q01"])
        for cell in book["cells"]:
            if "".join(cell["source"]).startswith("if solve:"):
                cell["source"] = [work]
        (tmp_path / "exercises" / f"{name}.ipynb").write_text(json.dumps(book), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert notebooks.main([]) == 1
    said = capsys.readouterr().out
    assert f"4 notebooks, 8 runs, {notebooks.WORKERS} at a time" in said
    stopped = re.findall(r"^FAILED .* s  (\S+)\n +(.*)", said, re.MULTILINE)
    broken, checked = "stopped in code cell 3, line 2, `queue.depth()`: AttributeError", "AssertionError"
    wanted = {f"{way}exercises/depth/02-broken.ipynb": broken for way in ("", "solved/")}
    wanted |= {"exercises/solved-unasked.ipynb": checked, "solved/exercises/never-solved.ipynb": checked}
    assert {copy for copy, _ in stopped} == {*wanted}
    for copy, problem in stopped:
        assert wanted[copy] in problem, copy
    assert "4 ran, 4 stopped" in said
    for copy in ("notebooks/01-fine.ipynb", "solved/notebooks/01-fine.ipynb"):
        assert (tmp_path / "build" / "notebooks" / copy).is_file()
    found = {path.relative_to(tmp_path / "seen").as_posix() for path in (tmp_path / "seen").rglob("off")}
    assert found == {"False/False/off", "True/True/off"}


def test_parameters_are_handed_on_and_no_notebook_at_all_is_said(notebook, tmp_path, monkeypatch, capsys):
    path = notebook("one.ipynb", "assert (interactive, rows, place) == (False, 5, '../data')")
    monkeypatch.chdir(tmp_path)
    given = ["-p", "interactive", "false", "-p", "rows", "5", "-p", "place", "../data"]
    assert notebooks.main([str(path), *given]) == 0
    assert notebooks.main([]) == 2
    assert "no notebook in notebooks or exercises" in capsys.readouterr().err


def test_papermill_needs_no_home_and_no_folder_and_records_nothing_and_names_the_line(notebook, tmp_path):
    path = notebook(
        "one.ipynb",
        "%load_ext mqlab\nfrom mqlab import Lab\nfrom mqlab.course import exercise\n"
        "from mqlab.lab.checkout import datasets, output\n"
        "assert (datasets() / 'retail-day.parquet').is_file()\n"
        "assert output().stat().st_mode & 0o777 == 0o700\n"
        "exercise('Q01').hint(1)",
        "# a comment\n\nLab().advance(-1)",
    )
    given = {name: value for name, value in os.environ.items() if name not in ("CI", "MQLAB_PROGRESS", "MQLAB_STRICT")}
    given |= {"HOME": str(tmp_path), "LANG": "C", "TZ": "Asia/Kathmandu"}
    command = [sys.executable, "-m", "papermill", "--no-progress-bar", path, tmp_path / "run.ipynb"]
    ran = subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True)
    assert ran.returncode == 1
    says(ran.stderr, 'encountered at "In [2]"', "LabError: seconds must be", "Cell In[2], line 3")
    path = notebook(
        "two.ipynb", "%load_ext mqlab\nfrom mqlab import Lab\nlab = Lab()", "seconds = 1\n%mqlab rule NOSUCH"
    )
    command[4] = path
    ran = subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True)
    says(ran.stderr, "UsageError: the rule must be an id", "Cell In[2], line 2")
    assert not (tmp_path / ".mqlab").exists(), "nobody learned anything"
