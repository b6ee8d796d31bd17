"""Catching up: the cells above a section of a notebook run quietly."""

from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers import lab_error
from mqlab import course

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.chdir(NOTEBOOKS)
    monkeypatch.setattr("mqlab.course.retelling.get_ipython", lambda: shell)
    return shell


def test_a_learner_goes_on_where_the_section_begins(shell):
    with capture_output() as shown:
        card = course.catch_up("03", 2)
    assert shown.stdout == ""
    assert not shown.outputs
    assert "Continue with section 2. FIRST, EVERY, DEPTH" in card.text
    names = shell.user_ns
    assert names["interactive"] is True
    assert names["lab"].now_us > 0
    assert names["qm"].depth("ORDERS") == 0
    with capture_output():  # a cell above may run again: the labs go back first
        shell.run_cell("""qm.depth("ORDERS")""", cell_id="cell-08").raise_error()


def test_there_must_be_a_notebook_and_a_section(shell):
    lab_error("one of 00, 01", course.catch_up, "3", 2)
    lab_error(r"one of 1\. You are the trigger monitor", course.catch_up, "03", 9)
