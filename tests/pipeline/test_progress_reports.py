"""What a teacher learns from many progress files, set beside what each learner's own card says."""

import json

import pytest

from mqlab import LabError
from mqlab.course.exercises import progress
from mqlab.pipeline import progress_reports as reports
from mqlab.pipeline.charts import progress_chart
from mqlab.views.charts.data_table import tables


def line(exercise, what, learner="", **about):
    return {"schema": 1, "learner": learner, "exercise": exercise, "what": what, **about}


def check(exercise, *missed, learner="", **predicted):
    return line(exercise, "check", learner, passed=0, of=2, done=not missed, missed=list(missed), predicted=predicted)


ADA = [
    line("Q01", "predict", "ada", key="n", said=4),
    check("Q01", "full", "5 only", learner="ada", n=False),
    line("Q01", "predict", "ada", key="n", said=3),
    check("Q01", learner="ada", n=True),
    line("Q01", "hint", "ada", level=3),
    line("Q01", "solution", "ada"),
    check("Q01", "again", learner="ada"),
    line("T01", "start", "ada", door="write"),
    check("T01", "nobody starts", learner="ada", n=True),
]
BOB = [  # names nobody: the file does
    line("Q01", "predict", key="n", said="four"),
    line("Q01", "hint", level=1),
    line("Q01", "hint", level=1),
    check("Q01", "full", n=False),
    check("Q01", "full", n=False),
    check("Q01", n=False),
    line("T01", "solution"),
    line("T01", "predict", key="n", said=True),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    for name, lines in (("ada", ADA), ("bob", BOB)):
        text = "\n".join(json.dumps(each) for each in lines) + "\n"
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    spoilt = '{"schema": 1, "exer\n\n[1]\n{"schema": 7, "exercise": "Q01", "what": "hint"}\nnull\n'
    windows = (json.dumps(line("Q01", "hint", 'Zoë "Z"\u2028', level=2), ensure_ascii=False)) + "\r\n"
    (folder / "zoe+b c.jsonl").write_bytes((spoilt + windows).encode())
    (folder / "notepad.jsonl").write_bytes(b"\xef\xbb\xbf" + json.dumps(line("Q01", "hint", 'Zoë "Z"\u2028')).encode())
    (folder / "notes.txt").write_text("no progress")
    return folder


@pytest.fixture(scope="module")
def read(spark, folder):
    return tuple(lines.cache() for lines in reports.read_progress(spark, folder))


def rows(frame):
    return [tuple(row) for row in frame.collect()]


def test_good_lines_keep_their_order_and_bad_ones_are_put_aside(read):
    good, bad = read
    assert good.count() == len(ADA) + len(BOB) + 2
    assert sorted(rows(bad.select("file", "line"))) == [("zoe+b c.jsonl", n) for n in (1, 3, 4, 5)]
    assert {name for (name,) in rows(good.select("learner"))} == {"ada", "bob", 'Zoë "Z"\u2028'}
    told = rows(good.where("file = 'ada.jsonl'").orderBy("line").select("what"))
    assert [what for (what,) in told] == [each["what"] for each in ADA]
    said = rows(good.where("what = 'predict'").orderBy("file", "line").select("said"))
    assert said == [("4",), ("3",), ("four",), ("true",)]


def test_spark_and_the_learners_card_put_the_same_lines_aside(folder, read):
    _, bad = read
    assert sorted(text for (text,) in rows(bad.select("text"))) == sorted(progress.read(folder / "zoe+b c.jsonl")[1])


GOOD = {"schema": 1, "exercise": "Q01", "what": "hint"}
SPOILT = {
    "nested without end": "[" * 200_000,
    "a number of 5,000 digits": json.dumps(GOOD)[:-1] + ', "level": ' + "9" * 5_000 + "}",
    "a number too big": json.dumps(GOOD | {"level": 2**31}),
    "a number below 0": json.dumps(GOOD | {"tries": 1, "passed": -1}),
    "a truth value for a number": json.dumps(GOOD | {"level": True}),
    "schema as a truth value": json.dumps(GOOD | {"schema": True}),
    "half a surrogate pair": json.dumps(GOOD | {"said": "\ud800"}),
    "a learner who is a list": json.dumps(GOOD | {"learner": ["ada"]}),
    "symptoms that are numbers": json.dumps(GOOD | {"missed": [1, None]}),
    "verdicts that are words": json.dumps(GOOD | {"predicted": {"n": "yes"}}),
    "done as a word": json.dumps(GOOD | {"done": "no"}),
    "cut short": json.dumps(GOOD)[:-4],
    "no exercise": json.dumps(GOOD | {"exercise": None}),
    "bytes": "\x00\x01\x1b[2J",
}
SOUND = [GOOD | {"said": said} for said in (None, 4, 1.5, [1, {"n": [2]}], "four")] + [GOOD | {"more": {"of": "it"}}]


def test_one_table_of_malformed_lines_for_both_readers(spark, tmp_path):
    written = [*SPOILT.values(), *map(json.dumps, SOUND)]
    (tmp_path / "x.jsonl").write_bytes("\n".join(written).encode() + b"\n\xff\xfe spoilt \xff")
    card_good, card_bad = progress.read(tmp_path / "x.jsonl")
    assert card_good == SOUND
    assert card_bad[:-1] == list(SPOILT.values())
    good, bad = reports.read_progress(spark, tmp_path)
    assert [number for (number,) in rows(bad.select("line"))] == [*range(1, len(SPOILT) + 1), len(written) + 1]
    assert [text for (text,) in rows(bad.select("text"))] == card_bad
    said = [None, "4", "1.5", '[1, {"n": [2]}]', "four", None]
    assert rows(good.select("learner", "said")) == [("x", each) for each in said]
    assert "15 lines of the file could not be read" in str(progress.progress_card(tmp_path / "x.jsonl"))


def test_a_home_that_this_machine_does_not_know_is_a_folder_of_that_name(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(progress.FILE, "~nobody-of-that-name/x.jsonl")
    progress.record("Q01", "hint", level=1)
    assert len(progress.read()[0]) == 1


def test_attempts_are_those_of_the_learners_own_card(folder, read):
    wanted = []
    for name in ("ada", "bob"):
        for each in progress.summary(progress.read(folder / f"{name}.jsonl")[0]):
            wanted.append((name, each.exercise, each.tries, each.done, each.hints, each.solution, each.passed, each.of))
    found = rows(reports.attempts(read[0].where("file IN ('ada.jsonl', 'bob.jsonl')")))
    assert found == wanted
    assert found[0] == ("ada", "Q01", 2, True, 0, False, 0, 2)


def test_exercises(read):
    report = reports.exercise_report(reports.attempts(read[0]))
    assert rows(report) == [("Q01", 3, 1, 1, 1, 2.5, 2, 0, None, 2), ("T01", 2, 0, 0, 2, None, 0, 1, 0.0, 2)]
    chart = progress_chart(report.toPandas())
    assert list(tables(chart.to_dict())) == [("Exercise", "Result", "Learners")]
    assert chart.title.text == "T01 is not done by 2 of 2 who began it"
    assert "Q01: 1 done" in chart.description


def test_symptoms_are_ranked_by_learners(read):
    good, _ = read
    assert rows(reports.symptom_report(good)) == [
        ("Q01", "full", 2, 3),
        ("Q01", "5 only", 1, 1),
        ("T01", "nobody starts", 1, 1),
    ]
    assert len(rows(reports.symptom_report(good, most=1))) == 2
    with pytest.raises(LabError, match="1 or more"):
        reports.symptom_report(good, most=0)


def test_a_prediction_counts_as_it_was_first_said(read):
    assert rows(reports.wrong_predictions(read[0])) == [("Q01", "n", 2, 2, "4"), ("T01", "n", 1, 0, None)]


def test_learners(read):
    found = rows(reports.learner_report(reports.attempts(read[0]), 41))
    assert found[1:] == [("ada", 1, 41, 2, 0, 0), ("bob", 1, 41, 2, 1, 1)]  # Zoë, a capital, is before them
    with pytest.raises(LabError, match="1 or more"):
        reports.learner_report(reports.attempts(read[0]), 0)


def test_one_file_will_do_and_none_is_said(spark, folder, tmp_path):
    assert reports.read_progress(spark, folder / "ada.jsonl")[0].count() == len(ADA)
    for missing in (tmp_path, tmp_path / "none"):
        with pytest.raises(LabError, match="progress files must"):
            reports.read_progress(spark, missing)


def test_folders_of_learners_are_read_and_name_them(spark, tmp_path):
    line = '{"schema": 1, "learner": "", "exercise": "Q01", "what": "start"}\n'
    for learner in ("ada", "bob smith"):
        (tmp_path / learner).mkdir()
        (tmp_path / learner / "progress.jsonl").write_text(line)
    found = reports.read_progress(spark, tmp_path)[0].select("file", "learner")
    assert rows(found.orderBy("file")) == [
        ("ada/progress.jsonl", "ada/progress"),
        ("bob smith/progress.jsonl", "bob smith/progress"),
    ]
    (tmp_path / "ada" / "progress.jsonl").rename(tmp_path / "ada.txt")
    with pytest.raises(LabError, match="progress files must"):
        reports.read_progress(spark, tmp_path / "ada.txt")


def test_a_chart_of_nobody():
    import pandas as pd

    columns = ["exercise", "learners", "alone", "helped", "open"]
    assert progress_chart(pd.DataFrame(columns=columns)).title.text == "Nobody has begun"
    done = pd.DataFrame([("Q01", 2, 1, 1, 0)], columns=columns)
    assert "Everybody" in progress_chart(done).title.text
    with pytest.raises(LabError, match="exercise_report"):
        progress_chart(done.drop(columns="open"))
