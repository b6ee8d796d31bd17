"""A cell of a notebook that is run again shows what it showed, so that the sentence below it stays true."""

import json
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from mqlab import Lab

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
ON_SPARK = ("10-", "11-", "20-")  # their cells only read: what they read is written anew, or stays
AGAIN = "You ran this cell before"


class Notebook:
    """A notebook in a shell, without widgets: its code cells, each to be run by its id."""

    def __init__(self, path):
        cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
        self.source = {cell["id"]: "".join(cell["source"]) for cell in cells}
        self.tags = {cell["id"]: cell["metadata"].get("tags", []) for cell in cells}
        self.shell = InteractiveShell()
        self.shell.display_formatter.active_types = ["text/plain"]

    def run(self, id, source=None):
        """Run a cell as a browser does; return the text that it shows, without the note that it was told again."""
        text = (source or self.source[id]).replace("interactive = True", "interactive = False")
        with capture_output() as shown:
            self.shell.run_cell(text, cell_id=id).raise_error()
        lines = [*shown.stdout.splitlines(), *(str(output.data.get("text/plain")) for output in shown.outputs)]
        lines = [line.split(": ", 1)[-1] if line.startswith("Out[") else line for line in lines]
        return [line for line in lines if AGAIN not in line]

    @property
    def labs(self):
        """How far each lab is."""
        labs = [getattr(value, "lab", value) for value in self.shell.user_ns.values()]
        return [(len(lab.events), lab.now_us) for lab in labs if isinstance(lab, Lab)]

    @property
    def sections(self):
        """The cells behind the set-up, up to a long replay, cut behind each hidden check."""
        found = [[]]
        for id in list(self.source)[2:]:
            if "traffic.replay" in self.source[id]:
                break
            found[-1].append(id)
            if "sanity-check" in self.tags[id]:
                found.append([])
        return [section for section in found if section]


@pytest.fixture
def opened(monkeypatch):
    """Open a notebook and run its set-up."""
    monkeypatch.chdir(NOTEBOOKS[0].parent)
    monkeypatch.setattr(Lab, "panel", lambda *args, **kwargs: None)  # slow to build, and changes nothing

    def open_one(path):
        notebook = Notebook(path)
        for id in list(notebook.source)[:2]:
            notebook.run(id)
        return notebook

    return open_one


@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if not p.name.startswith(ON_SPARK)], ids=lambda path: path.stem)
def test_each_cell_run_twice_and_again_at_the_end_shows_the_same(path, opened):
    notebook, first = opened(path), {}
    for id in [id for section in notebook.sections for id in section]:
        before = notebook.labs
        first[id] = notebook.run(id)
        if notebook.labs != before:  # an experiment; the others only look
            assert notebook.run(id) == first[id], f"{id} of {path.name}, run twice"
    for section in reversed(notebook.sections):
        for id in section:
            assert notebook.run(id) == first[id], f"{id} of {path.name}, run again at the end"


@pytest.fixture
def small(tmp_path, opened):
    """A notebook with a lab, a prediction, an experiment, and a cell that only looks."""
    sources = [
        "interactive = True",
        "%load_ext mqlab\nfrom mqlab import Lab",
        'lab = Lab()\nqm = lab.queue_manager("QM1")',
    ]
    sources += ['_ = qm.mqsc("DEFINE QLOCAL(Q)")', "count = 1", 'for _ in range(count):\n    qm.put("Q", "x")']
    sources += ['print(qm.depth("Q"))']
    cells = [
        {"cell_type": "code", "id": f"cell-{number:02}", "metadata": {}, "source": [source]}
        for number, source in enumerate(sources)
    ]
    path = tmp_path / "small.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    notebook = opened(path)
    for id in list(notebook.source)[2:]:
        notebook.run(id)
    return notebook


def test_a_cell_that_is_run_again_says_so_and_goes_back(small):
    with capture_output() as shown:
        small.shell.run_cell(small.source["cell-05"], cell_id="cell-05").raise_error()
    assert AGAIN in shown.stdout + str([output.data for output in shown.outputs])
    assert small.run("cell-06") == ["1"]


def test_a_cell_that_was_edited_is_what_the_cells_below_it_see(small):
    small.run("cell-04", "count = 3")
    small.run("cell-05")
    assert small.run("cell-06") == ["3"]
    assert small.run("cell-06") == ["3"]


def test_a_cell_of_ones_own_runs_each_time_and_no_retelling_includes_it(small):
    small.run("a1b2", 'qm.put("Q", "mine")')
    small.run("a1b2", 'qm.put("Q", "mine")')
    assert small.run("c3d4", 'print(qm.depth("Q"))') == ["3"]
    assert small.run("cell-06") == ["1"]
