"""`%%predict` in a shell: it runs at once, reveals on the page, records, and works without a widget."""

import base64
import json

import pytest
from IPython.utils.capture import capture_output

from helpers import lab_error, refusal, says
from mqlab.course.exercises import progress
from mqlab.course.predictions import magic

CELL = """%%predict 01/tart
How many are on *ORDERS*?

number 0 to 8 = qm.depth("ORDERS")
---
qm.put("ORDERS", "x")
print("put")
---
%%expect 2085
qm.put("NOWHERE", "x")
"""


@pytest.fixture
def shell(kernel):
    made = kernel()
    made.run_cell(
        'from mqlab import Lab\nlab = Lab()\nqm = lab.queue_manager("QM1")\n_ = qm.mqsc("DEFINE QLOCAL(ORDERS)")'
    )
    return made


def run(shell, cell=CELL):
    with capture_output() as captured:
        shell.run_cell(cell).raise_error()
    return captured.outputs


def widget(shell, monkeypatch, cell=CELL):
    made = []
    monkeypatch.setattr(magic, "Prediction", lambda *args: made.append(magic_class(*args)) or made[-1])
    run(shell, cell)
    return made[-1]


magic_class = magic.Prediction


def test_without_widgets_the_question_is_a_page_open_and_filled_in_where_it_is_solved(shell):
    shell.user_ns |= {"interactive": False, "solve": False}
    [shown] = run(shell)
    page, text = shown.data["text/html"], shown.data["text/plain"]
    assert "<script" not in page
    says(page, "<details>", ".mqlab-predict .pick{")
    assert text.startswith("Predict: How many are on *ORDERS*?\nput\n")
    assert "Answer: 1\nBy priority" in text
    assert "2085" in page
    assert (progress.read(), shell.user_ns["predicted"]) == (([], []), {"01/tart": 1})
    shell.user_ns["solve"] = True
    solved = run(shell, CELL.replace("01/tart", "01/full"))[-1].data["text/html"]
    assert "<details open>" in solved
    assert solved.count(" checked>") == 1
    assert ".mqlab-predict .pick{" not in solved, "one style sheet is enough"


def test_an_answer_is_recorded_and_known_after_a_restart(shell, kernel, monkeypatch):
    asked = widget(shell, monkeypatch)
    assert "By priority" not in json.dumps([asked.spec, asked.kept])
    assert asked.state == "asked"
    asked.said, asked.state = [2], "said"
    asked.said, asked.state = [], "asked"
    asked.state = "skipped"
    first, second = progress.read()[0]
    assert (first["lesson"], first["key"], first["said"], first["right"]) == ("01", "01/tart", [2], [False])
    assert "MQI-02" in first["rules"]
    assert (first["skipped"], first["again"], second["skipped"], second["again"]) == (False, False, True, True)
    assert (progress.predictions([second, first]), progress.summary()) == ([first], [])
    later = kernel()
    later.user_ns |= {"lab": shell.user_ns["lab"], "qm": shell.user_ns["qm"]}
    assert widget(later, monkeypatch).said == [2]


def test_a_wrong_answer_gets_the_belief_behind_it_on_the_page_and_in_the_widget_and_no_right_one_has_it(
    shell, monkeypatch
):
    cell = CELL.replace("01/tart", "00/depth").replace('= qm.depth("ORDERS")', "= 3").replace("0 to 8", "0 to 3")
    asked = widget(shell, monkeypatch, cell)
    assert "deadline" not in json.dumps([asked.spec, asked.kept])
    [known] = json.loads(base64.b64decode(asked.kept))["beliefs"]
    assert "to remove the two orders at their deadline" in known["1"]
    assert "3" not in known
    shell.user_ns["interactive"] = False
    page = run(shell, cell)[-1].data["text/html"]
    says(page, known["1"], "#predict-00-depth:has(.p0 label:nth-of-type(2) :checked) .b0-0{display:block}")
    monkeypatch.setenv("MQLAB_STRICT", "1")
    lab_error("must list wrong answers to 00/depth; 1 is right", run, shell, cell.replace("= 3", "= 1"))


def test_run_twice_in_a_lab_it_tells_the_same(shell):
    shell.user_ns["interactive"] = False
    first = run(shell)[-1].data["text/plain"]
    assert (run(shell)[-1].data["text/plain"], shell.user_ns["qm"].depth("ORDERS")) == (first, 1)
    changed = run(shell, CELL.replace("How many", "Now how many"))[-1].data["text/plain"]
    assert "Answer: 2" in changed


def test_alone_after_a_restart_it_names_what_it_needs_and_an_explanation_must_be_there(shell, monkeypatch):
    lab_error(r"## gone in answers/01\.md", run, shell, CELL.replace("01/tart", "01/gone"))
    del shell.user_ns["qm"]
    [shown] = run(shell)
    assert "needs the cells above it (name 'qm' is not defined)" in shown.data["text/plain"]
    monkeypatch.setenv("MQLAB_STRICT", "1")
    refusal(NameError, "", run, shell)
