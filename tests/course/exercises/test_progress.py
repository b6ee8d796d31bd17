"""The learner's file: what is kept, in what order, and what is done with lines that are none."""

import json
import os

import pytest

from helpers import for_each, lab_error, says
from mqlab.course.exercises import exercise, names, progress, progress_card
from mqlab.course.exercises.progress import Standing


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
    lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) MAXDEPTH(5000)").require()
    desk.check(lab)
    desk.solution()
    desk.check(desk.solve(lab))
    good, bad = progress.read()
    kinds = ["start", "predict", "hint", "check", "check", "solution", "check"]
    assert (bad, [line["what"] for line in good]) == ([], kinds)
    assert {line["learner"] for line in good} == {"ada"}
    checks = [line for line in good if line["what"] == "check"]
    found = [(line["passed"], line["of"], line["done"]) for line in checks]
    assert found == [(0, 3, False), (2, 3, False), (3, 3, True)]
    assert "2053" in checks[0]["missed"][0]
    assert [line["beliefs"] for line in checks] == [[], ["a-limit-is-a-mistake"], []]


def test_lines_that_are_none_are_told_apart_and_one_after_a_line_that_was_cut_short_is_not_lost(file):
    exercise("Q01").hint(1)
    file.write_text(file.read_text() + 'half a li\n{"schema": 7}\n\n[1]\n{"schema": 1, "exer', encoding="utf-8")
    exercise("Q01").hint(2)
    good, bad = progress.read()
    assert [line["level"] for line in good] == [1, 2]
    assert bad == ["half a li", '{"schema": 7}', "[1]", '{"schema": 1, "exer']
    assert progress.read(file.with_name("none.jsonl")) == ([], [])
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())  # the mark that Notepad writes is passed over
    assert len(progress.read()[0]) == 2


def test_off_keeps_nothing_and_a_place_that_cannot_be_read_or_written_is_said(file, monkeypatch, tmp_path):
    monkeypatch.setenv(progress.FILE, "off")
    exercise("Q01").hint(1)
    assert not file.exists()
    assert progress.read() == ([], [])
    assert "not recorded" in repr(progress_card())
    (tmp_path / "plain").write_text("x")
    monkeypatch.setenv(progress.FILE, str(tmp_path / "plain" / "progress.jsonl"))
    lab_error("MQLAB_PROGRESS", exercise("Q01").hint, 1)
    monkeypatch.setenv(progress.FILE, str(file))
    file.mkdir(parents=True)
    for act in (progress.read, lambda: exercise("Q01").hint(1)):
        lab_error(r"cannot be (read|written) .*%env MQLAB_PROGRESS=off", act)
    if os.path.exists("/dev/zero"):
        lab_error("cannot be read", progress_card, "/dev/zero")


@for_each(("name", "kept"), [('Zoë "Z"\n',) * 2, ("a\u2028b\x85c",) * 2, ("a\udce9", "a?")])
def test_names_of_any_kind_stand_in_it_as_far_as_utf8_goes(file, monkeypatch, name, kept):
    monkeypatch.setenv(progress.LEARNER, name)
    exercise("Q01").hint(1)
    lines, bad = progress.read()
    assert (lines[-1]["learner"], bad) == (kept, [])


def test_a_check_keeps_which_predictions_were_right_and_one_corrected_later_stays_wrong(file):
    desk = exercise("Q01")
    lab = desk.start()
    desk.predict(refused=99)
    right = desk.check(lab).predicted[0].got
    assert progress.read()[0][-1]["predicted"] == {"refused": False}
    desk.predict(refused=right)
    desk.check(lab)
    assert [(each.said, each.right, each.tries) for each in progress.summary()] == [(1, 0, 2)]


def _work(file):
    """Q01: one wrong prediction, a wrong try, hints, done; then the solution. Q02: begun, and a prediction."""
    desk = exercise("Q01")
    lab = desk.start()
    desk.predict(refused=99)
    desk.hint(1)
    desk.hint(1)
    desk.check(lab)
    desk.check(desk.solve(lab))
    desk.solution()
    desk.check(lab)
    other = exercise("Q02")
    other.start()
    key = other.exercise.predictions[0].key
    other.predict(**{key: 1})


def test_the_summary_counts_what_was_until_it_was_done_and_the_card_says_it_in_text_and_as_a_table(file):
    _work(file)
    assert progress.summary() == [
        Standing("Q01", 1, 0, 1, False, 2, True, 3, 3),
        Standing("Q02", 1, None, 0, False, 0, False),
    ]
    file.write_text(file.read_text() + "half a li\n", encoding="utf-8")
    shown = progress_card()
    text, html = repr(shown), shown._repr_mimebundle_()["text/html"]
    says(
        text,
        f"1 of {len(names())} exercises done, 2 started. 1 line of the file could not be read and is left out.",
        "done    Q01 The queue that refuses orders: 2 tries, checks passed: 3 of 3, predictions right: 0 of 1, 1 hint",
        "not yet Q02",
        "? of 1",
    )
    assert "could not be read" in html
    assert html.partition("mqlab-skills")[0].count('<th scope="row"') == 2
    assert html.partition("mqlab-skills")[0].count('<th scope="col"') == 7
    assert "<caption>" in html


def test_the_best_check_counts_until_all_pass(file):
    desk = exercise("M02")
    lab = desk.start()
    desk.check(lab)
    lab["VAN1"].delete("ORDERS@HQ")
    lab["VAN1"].define("synchronous", "ORDERS@HQ")
    desk.check(lab)
    [standing] = progress.summary()
    assert (standing.tries, standing.passed, standing.of, standing.done) == (2, 3, 4, False)
    assert "checks passed: 3 of 4" in repr(progress_card())


def test_files_of_before_count_and_a_check_says_its_symptom_by_number():
    lines = [
        {"exercise": "Q01", "what": "predict", "key": "refused", "said": 4},
        {"exercise": "Q01", "what": "check", "done": True},
    ]
    assert progress.summary(lines) == [Standing("Q01", 1, None, 0, False, 1, True)]
    desk = exercise("Q01")
    result = desk.check(desk.start())
    assert (result.symptom(1), exercise("Q01").check(desk.start("read")).symptom(1)) == (result.missed[0], "")
    for number in (0, 4, "1", True):
        lab_error("1 to 3", result.symptom, number)


def test_a_name_in_the_file_is_escaped_commands_no_terminal_and_takes_one_line(file):
    assert repr(progress_card()).startswith("No exercise started yet")
    assert "<table>" not in progress_card()._repr_mimebundle_()["text/html"]
    progress.record("<script>", "start", door="write")
    assert "<script>" not in progress_card()._repr_mimebundle_()["text/html"]
    for name in ("\x1b[2J", "\x9b31m\x7f", "\u202eQ01", "Q01\n  done    Q02 three tries"):
        file.write_text(json.dumps({"schema": 1, "exercise": name, "what": "check"}))
        said = repr(progress_card(file))
        assert len(said.splitlines()) == 2
        assert said.replace("\n", "").isprintable()


def test_a_line_that_somebody_changed_is_put_aside(file):
    desk = exercise("Q01")
    lab = desk.start()
    begun = file.read_text(encoding="utf-8")
    for wrong in (
        {"exercise": ["Q01"]},
        {"what": None},
        {"what": "predict", "key": ["refused"]},
        {"what": "hint", "level": "2"},
        {"what": "check", "predicted": []},
        {"what": "check", "predicted": {"refused": "yes"}},
    ):
        line = json.dumps({"schema": 1, "learner": "", "exercise": "Q01", "what": "check", **wrong})
        file.write_text(f"{begun}{line}\n", encoding="utf-8")
        assert len(progress.read()[1]) == 1, wrong
        assert not desk.check(lab).passed
        assert "1 line of the file could not be read" in repr(progress_card())
    file.write_text('{"schema": 1, "exercise": "Q01", "what": "predict"}\n', encoding="utf-8")
    assert exercise("Q01").check(lab).predicted[0].said is None, "a prediction without a key or value is none"


def test_the_file_may_be_named_by_the_home_folder_and_off_in_any_case(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv(progress.FILE, "~/mine.jsonl")
    assert progress.place() == tmp_path / "mine.jsonl"
    monkeypatch.delenv(progress.FILE)
    monkeypatch.delenv("CI", raising=False)
    assert progress.place() == tmp_path / ".mqlab" / "progress.jsonl"
    monkeypatch.setenv("CI", "true")
    assert progress.place() is None
    monkeypatch.setenv(progress.FILE, "OFF")
    assert progress.place() is None


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_only_its_owner_can_read_it(file):
    before = os.umask(0o022)
    try:
        exercise("Q01").hint(1)
        assert [each.stat().st_mode & 0o777 for each in (file, file.parent)] == [0o600, 0o700]
        file.chmod(0o640)  # as someone decided
        exercise("Q01").hint(2)
        assert file.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(before)
