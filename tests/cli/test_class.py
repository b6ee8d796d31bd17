"""The command mqlab class: one page beside the files, or a sentence that says why not."""

import json

import pytest

from mqlab.cli import cli


@pytest.fixture
def folder(tmp_path):
    line = {"schema": 1, "learner": "anna", "exercise": "Q01", "what": "hint", "level": 1}
    (tmp_path / "anna.jsonl").write_text(json.dumps(line) + "\nhalf a li")
    return tmp_path


def test_the_page_is_written_beside_the_files_or_where_it_is_wanted(folder, capsys):
    assert cli.main(["class", str(folder)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("wrote ")
    assert said.endswith("class.html: 1 learner; 1 line could not be read, and the page lists it\n")
    wanted = folder / "monday.html"
    assert cli.main(["class", str(folder / "anna.jsonl"), "--output", str(wanted)]) == 0
    assert wanted.read_text("utf-8") == (folder / "class.html").read_text("utf-8")
    assert not list(folder.glob("*.part"))


def test_nothing_to_read_and_no_place_to_write_are_said_in_a_sentence(folder, tmp_path_factory, capsys):
    empty = tmp_path_factory.mktemp("empty")
    for line, said in (
        (["class", str(empty)], "FOLDER must be a folder with progress files (*.jsonl)"),
        (["class", str(folder / "none")], "is not there"),
        (["class", str(folder), "--output", str(folder / "none" / "x.html")], "x.html cannot be written: No such file"),
    ):
        assert cli.main(line) == 1
        printed = capsys.readouterr()
        assert printed.err.startswith("mqlab class: ")
        assert said in printed.err
    assert list(empty.iterdir()) == []
