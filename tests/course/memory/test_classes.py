"""A class: who its learners are, what to teach them, who needs help, and its page, also from files that are damaged."""

import json
import re
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup

from helpers import for_each, lab_error, says
from mqlab.course.memory import classes
from mqlab.course.memory.class_page import page
from mqlab.course.memory.classes import beliefs, lessons, needs, read_class, wrong_answers
from tools.offline import external_loads

PARTS = [{"kind": "number", "label": "", "options": [0, 1, 2, 3]}]
DEADLINE = {"plain": "`CALLS` holds *three* calls. What is CURDEPTH?", "parts": PARTS}


def predicted(said, key="02/deadline", asked=DEADLINE, answers=(3,), rules=("EXP-02", "EXP-17"), **about):
    right = [one == truth for one, truth in zip(said, answers, strict=True)]
    line = {"lesson": key[:2], "what": "predicted", "key": key, "said": said, "right": right, "rules": list(rules)}
    line |= {"skipped": False, "again": False, "day": "2025-01-06", "asked": asked, "answers": list(answers)}
    return line | about


def checked(done=False, exercise="E03", missed=("FLASH's message lives 6 s",), **about):
    about = {"done": done, "passed": 0, "of": 3, "missed": [] if done else list(missed), **about}
    about |= {} if done or exercise != "E03" else {"beliefs": ["seconds"]}
    return {"exercise": exercise, "what": "check", **about}


LOCKED = {"plain": "What does the get return?", "parts": [{"kind": "choose", "label": "", "options": ["2033", "2034"]}]}
SAID_2033 = predicted(["2033"], "02/locked", LOCKED, ["2034"], ["EXP-21"])
FILES = {
    "anna.jsonl": [predicted([3]), checked(done=True), {"exercise": "incident", "what": "incident", "done": True}],
    "bob.jsonl": [predicted([2]), SAID_2033, checked(), checked()],
    "chen.jsonl": [predicted([2]), SAID_2033, {"exercise": "Q01", "what": "predict", "key": "refused", "said": 8},
                   checked(exercise="Q01", predicted={"refused": False})],
    "dora.jsonl": [predicted([0]), predicted([3], again=True)],
    "emil.jsonl": [predicted([0], key="07/vse", rules=["CHL-01"])],
}  # fmt: skip


KNOWN = {"answers": {"02/deadline": {"2": "You said 2."}}, "shown": "CURDEPTH still counts it (EXP-02)."}
KNOWN |= {"belief": "The queue manager removes a message at its deadline."}
UNIT = {"belief": "CAPEXPRY counts seconds.", "shown": "6 s."}


@pytest.fixture(autouse=True)
def two_beliefs(monkeypatch):
    monkeypatch.setattr(classes, "misconceptions", lambda: {"removed": KNOWN, "seconds": UNIT})


@pytest.fixture
def write(tmp_path):
    """Return a function that writes files of lines, each line with the name of its file, and reads the class."""

    def written(files):
        for name, lines in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            known = {"schema": 1, "learner": path.stem}
            texts = (line if isinstance(line, str) else json.dumps(known | line) for line in lines)
            path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
        return read_class(tmp_path)

    return written


def test_a_learner_is_a_name_in_a_file_and_lines_that_cannot_be_read_are_listed(write, tmp_path):
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "class.html").write_text("of yesterday")
    nameless = {"learner": "", **predicted([3])}
    found = write(
        {
            "monday/anna.jsonl": [predicted([3]), nameless],
            "tuesday/Anna.jsonl": [{**predicted([3]), "learner": "anna"}],
            "7.jsonl": [
                nameless,
                "half a li",
                '{"schema": 7}',
                "",
                predicted([3], day="9999-12-31"),
                {**predicted([3]), "said": True, "skipped": True},
            ],
            "two.jsonl": [{**predicted([3]), "learner": name} for name in ("zoë", "Yan", "zoë")],
            "none.jsonl": ["\x00\ud7ff" * 99],
        }
    )
    lines = {"7": 1, "anna (monday/anna.jsonl)": 2, "anna (tuesday/Anna.jsonl)": 1, "Yan": 1, "zoë": 2}
    assert {learner.name: len(learner.lines) for learner in found.learners} == lines
    wanted = [*(f"7.jsonl, line {number}" for number in (2, 3, 5, 6)), "none.jsonl, line 1"]
    assert [where for where, _ in found.left_out] == wanted
    assert (found.files, found.day.isoformat()) == (5, "2025-01-06")
    shown = page(found)
    assert "5 lines could not be read" in shown
    assert "7.jsonl, line 2: half a li" in shown
    assert [learner.name for learner in read_class(tmp_path / "two.jsonl").learners] == ["Yan", "zoë"]


def test_what_to_teach_who_needs_help_and_what_they_believe(write):
    group = write(FILES)
    wrong = wrong_answers(group.learners)
    said = [(one.answer.part, one.answer.words, one.answer.truth, one.learners, one.answered) for one in wrong]
    assert said == [
        ("02/locked", "2033", "2034", ["bob", "chen"], 2),
        ("02/deadline", "2", "3", ["bob", "chen"], 4),
        ("Q01: refused", "8", "", ["chen"], 1),
        ("02/deadline", "0", "3", ["dora"], 4),
    ], "an answer to 07/vse is a guess, and says nothing"
    assert wrong[2].answer.question == "how many of the hour's 8 puts fail?"
    known, rest = beliefs(group.learners, wrong)
    assert [each[:1] + each[2:5] for each in known] == [
        (KNOWN["belief"], 2, 4, ["2 in 02/deadline"]),
        (UNIT["belief"], 1, 2, ["the check of E03"]),
    ]
    assert [one.answer.part for one in rest] == ["02/locked", "Q01: refused", "02/deadline"]
    taught = lessons(group.learners, wrong, known)
    assert [(each.rule, each.belief, each.wrong, each.answered, each.asked.answer.key) for each in taught] == [
        ("EXP-02", KNOWN["belief"], 2, 4, "02/deadline"),
        ("EXP-21", "", 2, 2, "02/locked"),
    ], "EXP-17 is of the same question, and 6 s names no rule"
    assert [each.rule for each in lessons(group.learners, wrong, [])] == ["EXP-02", "EXP-21"]
    assert taught[0].practice == ["E01", "E04"]
    ((bob, own), (chen, other)) = needs(group.learners)
    assert (bob, [(each.what, each.where, each.ask) for each in own]) == (
        "bob",
        [
            ("E03 Whose lifetime counts", "FLASH's message lives 6 s", ["anna"]),
            ("3 of 3 rules", "EXP-02 An expired message stays on its queue; EXP-17 Expired messages still count", []),
        ],
    )
    assert (chen, len(other)) == ("chen", 1)


def test_the_page_says_it_in_order_without_markup_network_or_script(write):
    hostile = predicted([1], "02/left", {"plain": "<script>alert(1)</script>"}, [20], ["EXP-07"])
    group = write({**FILES, "<b>eve.jsonl": [predicted([2]), hostile]})
    html = page(group)
    assert page(group) == html
    shown = BeautifulSoup(html, "html.parser")
    headings = "A class of 6 learners|Teach these tomorrow|Who needs help, and with what|The commonest wrong beliefs|"
    assert "|".join(each.get_text() for each in shown.find_all(["h1", "h2"])) == f"{headings}The skill map"
    assert (external_loads(html), shown.find_all("script"), "Content-Security-Policy" in html) == ([], [], True)
    assert not re.search(r"[*`]", shown.body.get_text())
    text = " ".join(shown.body.get_text(" ").split())
    says(
        text,
        "EXP-02 An expired message stays on its queue 3 of 5 are wrong They believe: The queue manager removes a",
        "CALLS holds three calls. What is CURDEPTH? 02/deadline: 3 of 5 said 2. It is 3.",
        "bob E03 Whose lifetime counts : FLASH's message lives 6 s. Done by anna. 3 of 3 rules : EXP-02 An expired",
        "3 of 5 The queue manager removes a message at its deadline.",
        "2 of 2 What does the get return? 02/locked: 2 of 2 said 2033. It is 2034.",
        "<script>alert(1)</script> 02/left: 1 of 1 said 1. It is 20.",
        "The map as a table",
    )


@for_each(
    "line",
    [
        predicted([3], asked={"parts": 7, "plain": ["x"]}),
        predicted([{"a": [1]}], key="\x1b[2J" * 99, asked={"parts": [None]}, rules=["XYZ-01"]),
        predicted([2], answers=[3], right=[], asked={}),
        {**predicted([2]), "right": [False] * 9, "answers": []},
        {"exercise": "<i>", "what": "check", "missed": [""], "predicted": {"\u2028": False}},
        {"exercise": "E03", "what": "check", "of": None, "missed": None, "beliefs": None},
        {"exercise": "Q01", "what": "predict", "said": [[]]},
        {"exercise": "game", "what": "play", "judged": {"EXP-02": False, "?": True}},
        {"exercise": "", "what": "", "learner": "x" * 999},
        {**predicted([2], key=""), "said": None, "right": [], "skipped": True, "again": True},
    ],
)
def test_a_line_that_a_learner_changed_stops_no_page(write, line):
    html = page(write({"anna.jsonl": [line, line, line]}))
    assert "A class of 1 learner<" in html
    assert len(html) < 500_000


def test_a_folder_without_progress_is_refused_and_a_page_loads_no_lab(write, tmp_path):
    for missing, why in ((tmp_path / "none", "is not there"), (tmp_path, r"has no \*\.jsonl file")):
        lab_error(rf"FOLDER must be a folder with progress files \(\*\.jsonl\).*{why}", read_class, missing)
    (tmp_path / "bad.jsonl").write_text("no\nprogress\n")
    lab_error("must have lines of progress, and none can be read; bad.jsonl, line 1: no", read_class, tmp_path)
    write(FILES)
    heavy = ("mqlab.lab.lab", "mqlab.course.exercises", "pyspark", "pandas", "IPython")  # seconds
    code = f"from mqlab.cli.cli import main; import sys; main(['class', {str(tmp_path)!r}])"
    code += f"; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]", "thirty files have two seconds"
