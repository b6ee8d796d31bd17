"""A cell of a notebook that is run again shows what it showed, so that the sentence below it stays true."""

import json
from contextlib import suppress

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers import ROOT, RUN_BEFORE, THOROUGH, Notebook, for_each
from mqlab import Lab, MQError

NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb"))
ON_SPARK = ("10-", "11-")  # see tests/pipeline/test_run_again.py


@pytest.fixture
def opened(monkeypatch):
    """Open a notebook and run its set-up."""
    monkeypatch.setattr(Lab, "panel", lambda *args, **kwargs: None)  # slow to build, and changes nothing

    def open_one(path):
        monkeypatch.chdir(path.parent)
        notebook = Notebook(path)
        for id in notebook.set_up:
            notebook.run(id)
        return notebook

    return open_one


@pytest.mark.notebooks
@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if not p.name.startswith(ON_SPARK)], ids=lambda path: path.stem)
def test_each_cell_run_twice_and_again_at_the_end_shows_the_same(path, opened):
    notebook, first = opened(path), {}
    for section in notebook.sections:
        for id in section:
            before = notebook.labs
            first[id] = notebook.run(id)
            # an experiment, because the others only look; all of a section are run again below
            if notebook.labs != before and (THOROUGH or id == section[-1]):
                assert notebook.run(id) == first[id], f"{id} of {path.name}, run twice"
    for section in reversed(notebook.sections):
        for id in section:
            assert notebook.run(id) == first[id], f"{id} of {path.name}, run again at the end"


@for_each("path", NOTEBOOKS)
def test_cells_are_numbered_in_order(path):
    """A retelling runs the cells with lower numbers."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert [cell["id"] for cell in cells] == [f"cell-{number:02}" for number in range(len(cells))]


@pytest.fixture
def small(tmp_path, opened):
    """A notebook with a lab, a prediction, an experiment, and a cell that only looks."""
    sources = ["interactive: bool = True", "%load_ext mqlab\nfrom mqlab import Lab"]
    sources += ['lab = Lab()\nqm = lab.queue_manager("QM1")', '_ = qm.mqsc("DEFINE QLOCAL(Q)")', "count = 1"]
    sources += ['for _ in range(count):\n    qm.put("Q", "x")', 'print(qm.depth("Q"))']
    code = {"cell_type": "code", "metadata": {}}
    cells = [{**code, "id": f"cell-{number:02}", "source": [source]} for number, source in enumerate(sources)]
    path = tmp_path / "small.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    notebook = opened(path)
    for id in list(notebook.source)[2:]:
        notebook.run(id)
    return notebook


def test_a_cell_that_is_run_again_says_so_and_goes_back(small):
    with capture_output() as shown:
        small.shell.run_cell(small.source["cell-05"], cell_id="cell-05").raise_error()
    assert RUN_BEFORE in shown.stdout + str([output.data for output in shown.outputs])
    assert small.run("cell-06") == ["1"]


def test_a_cell_that_was_edited_is_what_the_cells_below_it_see(small):
    small.run("cell-04", "count = 3")
    small.run("cell-05")
    assert (small.run("cell-06"), small.run("cell-06")) == (["3"], ["3"])


def test_a_cell_that_was_left_out_runs_in_its_place(small, opened, tmp_path):
    notebook = opened(tmp_path / "small.ipynb")
    for id in ("cell-02", "cell-04", "cell-05", "cell-03", "cell-05", "cell-06"):
        if id == "cell-05":
            with suppress(MQError):  # no queue yet
                notebook.run(id)
        else:
            shown = notebook.run(id)
    assert shown == ["1"]
    for id in ("cell-05", "cell-07", "cell-05"):
        notebook.run(id, "qm.put('Q', 'x')" if id == "cell-07" else None)
    assert notebook.run("cell-06") == ["1"]


def test_a_cell_of_ones_own_runs_each_time_and_no_retelling_includes_it(small):
    small.run("a1b2", 'qm.put("Q", "mine")')
    small.run("a1b2", 'qm.put("Q", "mine")')
    assert (small.run("c3d4", 'print(qm.depth("Q"))'), small.run("cell-06")) == (["3"], ["1"])


def test_without_ids_a_cell_runs_and_says_that_the_labs_have_changed(small):
    """As in VS Code, which gives cells ids of its own."""
    shell = InteractiveShell()
    cells = [*list(small.source.values())[1:], small.source["cell-05"]]
    for number, source in enumerate(cells):
        with capture_output() as shown:
            shell.run_cell(source, cell_id=f"vscode-notebook-cell:/small.ipynb#{number}").raise_error()
        said = "labs have changed" in shown.stdout + str([output.data for output in shown.outputs])
        assert said == (number == len(cells) - 1)
    assert shell.user_ns["qm"].depth("Q") == 2
