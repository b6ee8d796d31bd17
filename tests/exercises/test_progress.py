"""The learner's file: what is kept, in what order, and what is done with lines that are none."""

import json

import pytest

from mqlab import LabError
from mqlab.exercises import exercise, progress


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "kept" / "progress.jsonl"
    monkeypatch.setenv(progress.FILE, str(path))
    monkeypatch.setenv(progress.LEARNER, "ada")
    return path


def test_everything_is_kept_in_order(file):
    desk = exercise("Q01")
    lab = desk.start()
    desk.predict(refused=4)
    desk.hint(2)
    desk.check(lab)
    desk.solution()
    desk.check(desk.solve(lab))
    good, bad = progress.read()
    assert bad == []
    assert [line["what"] for line in good] == ["start", "predict", "hint", "check", "solution", "check"]
    assert {line["learner"] for line in good} == {"ada"}
    checks = [line for line in good if line["what"] == "check"]
    assert [(line["passed"], line["of"], line["done"]) for line in checks] == [(0, 3, False), (3, 3, True)]
    assert "2053" in checks[0]["missed"][0]


def test_lines_that_are_none_are_told_apart(file):
    exercise("Q01").hint(1)
    file.write_text(file.read_text() + 'half a li\n{"schema": 7}\n\n[1]\n', encoding="utf-8")
    good, bad = progress.read()
    assert len(good) == 1
    assert bad == ["half a li", '{"schema": 7}', "[1]"]
    assert progress.read(file.with_name("none.jsonl")) == ([], [])


def test_off_keeps_nothing(file, monkeypatch):
    monkeypatch.setenv(progress.FILE, "off")
    exercise("Q01").hint(1)
    assert not file.exists()
    assert progress.read() == ([], [])


def test_a_place_that_cannot_be_written_is_said(file, monkeypatch, tmp_path):
    (tmp_path / "plain").write_text("x")
    monkeypatch.setenv(progress.FILE, str(tmp_path / "plain" / "progress.jsonl"))
    with pytest.raises(LabError, match="MQLAB_PROGRESS"):
        exercise("Q01").hint(1)


def test_names_of_any_kind_stand_in_it(file, monkeypatch):
    monkeypatch.setenv(progress.LEARNER, 'Zoë "Z"\n')
    exercise("Q01").hint(1)
    assert json.loads(file.read_text(encoding="utf-8"))["learner"] == 'Zoë "Z"\n'
