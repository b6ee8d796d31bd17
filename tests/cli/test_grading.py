"""Exercises for nbgrader and otter-grader: their marks, that the answer inside passes, and their own tools on them."""

import ast
import json
import logging
import subprocess
import sys

import nbformat
import pytest

from helpers import for_each, refusal, some
from mqlab.cli import grading
from mqlab.course.exercises import grade
from mqlab.course.exercises.bank import EXERCISES

every = for_each("id", EXERCISES)


def sources(notebook, kind=None):
    return ["".join(cell["source"]) for cell in notebook["cells"] if kind in (None, cell["cell_type"])]


@every
def test_nbgraders_marks_and_otters_blocks_are_in_notebooks_without_outputs(id):
    exercise = EXERCISES[id]
    made = {name: write(exercise) for name, write in grading.FORMATS.items()}
    for notebook in made.values():
        nbformat.validate(nbformat.from_dict(notebook))
        assert not any(cell.get("outputs") for cell in notebook["cells"])
    marked = [c for c in made["nbgrader"]["cells"] if "nbgrader" in c["metadata"]]
    marks = [cell["metadata"]["nbgrader"] for cell in marked]
    assert {each["schema_version"] for each in marks} == {3}
    assert len({each["grade_id"] for each in marks}) == len(marks) == 1 + len(exercise.checks)
    work, *tests = marks
    assert (work["solution"], work["grade"], work["locked"]) == (True, False, False)
    wanted = {"solution": False, "grade": True, "locked": True, "points": 1}
    assert all({name: each[name] for name in wanted} == wanted for each in tests)
    answer, *checks = sources({"cells": marked})
    assert answer.startswith("### BEGIN SOLUTION\n")
    assert answer.endswith("\n### END SOLUTION")
    assert all(cell.count("\nassert ") == 1 for cell in checks)
    assert not any("SOLUTION" in text for text in sources(made["nbgrader"]) if text != answer)
    raw = sources(made["otter"], "raw")
    assert raw[0].startswith("# ASSIGNMENT CONFIG\n")
    blocks = "BEGIN QUESTION|BEGIN PROMPT|END PROMPT|BEGIN SOLUTION|END SOLUTION|BEGIN TESTS|END TESTS|END QUESTION"
    assert [line.splitlines()[0] for line in raw[1:]] == [f"# {block}" for block in blocks.split("|")]
    assert f"name: {id}\npoints: {len(exercise.checks)}" in raw[1]
    tests = [text for text in sources(made["otter"], "code") if "BEGIN TEST CONFIG" in text]
    assert len(tests) == len(exercise.checks)
    assert all(ast.parse(text) for text in tests)


@pytest.mark.parametrize("id", some(EXERCISES, 12))  # an id in the name: those with Spark are for one worker
def test_the_answer_inside_passes_and_a_new_lab_does_not(id):
    exercise = EXERCISES[id]
    lab = exercise.start()
    assert not grade(id, lab).passed
    exec(grading.as_python(exercise.answer), {"lab": lab})  # noqa: S102 - as the notebook runs it
    assert grade(id, lab).passed


def test_a_test_quotes_the_symptom_and_what_is_not_there_is_named(tmp_path, capsys):
    *_, test = sources(grading.nbgrader(EXERCISES["Q01"]))
    names = {"lab": EXERCISES["Q01"].start()}
    for _ in range(2):
        refusal(AssertionError, "the queue accepted 5 messages", exec, test, names)
    exec(grading.as_python(EXERCISES["Q01"].answer), names)  # noqa: S102
    exec(test, names)  # noqa: S102
    assert grading.main(["--format", "otter", "--out", str(tmp_path), "q01"]) == 1
    assert "such as Q01" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    (tmp_path / "plain").write_text("x")
    assert grading.main(["--format", "otter", "--out", str(tmp_path / "plain"), "Q01"]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_files_are_written_where_each_tool_looks(tmp_path, capsys):
    assert grading.main(["--format", "nbgrader", "--out", str(tmp_path / "n"), "Q01", "T02"]) == 0
    assert [path.parent.name for path in sorted((tmp_path / "n" / "source").glob("*/*.ipynb"))] == ["Q01", "T02"]
    config = tmp_path / "n" / "nbgrader_config.py"
    assert "code_stub" in config.read_text()
    config.write_text("mine")
    assert grading.main(["--format", "nbgrader", "--out", str(tmp_path / "n"), "Q01"]) == 0
    assert (config.read_text(), grading.main(["--format", "otter", "--out", str(tmp_path / "o")])) == ("mine", 0)
    assert len(list((tmp_path / "o").glob("*/*.ipynb"))) == len(EXERCISES)
    assert "wrote 2 notebooks for nbgrader" in capsys.readouterr().out


@every
def test_nbgraders_own_tools_take_them(id):
    pytest.importorskip("nbgrader", reason="nbgrader is not installed")
    from nbgrader.nbgraderformat import MetadataValidator
    from nbgrader.preprocessors import CheckCellMetadata, ClearSolutions

    notebook = nbformat.reads(json.dumps(grading.nbgrader(EXERCISES[id])), 4)
    MetadataValidator().validate_nb(notebook)
    CheckCellMetadata().preprocess(notebook, {})
    cleared, _ = ClearSolutions(log=logging.getLogger("nbgrader")).preprocess(notebook, {})
    [work] = [c for c in cleared["cells"] if c["metadata"].get("nbgrader", {}).get("solution")]
    assert grading.as_python(EXERCISES[id].answer) not in work["source"]
    assert "### BEGIN SOLUTION" not in json.dumps(cleared)


def test_otters_own_tool_takes_one(tmp_path):
    pytest.importorskip("otter", reason="otter-grader is not installed")
    grading.main(["--format", "otter", "--out", str(tmp_path / "o"), "Q01"])
    [source] = (tmp_path / "o" / "Q01").glob("*.ipynb")
    subprocess.run([sys.executable, "-m", "otter", "assign", str(source), str(tmp_path / "made")], check=True)
    [student] = (tmp_path / "made" / "student").glob("*.ipynb")
    assert "MAXDEPTH(20)" not in student.read_text()
    assert 'grader.check(\\"Q01\\")' in student.read_text()
