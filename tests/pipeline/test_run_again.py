"""Cells of the notebooks with Spark that are run again show what they showed, so that the sentence below stays true."""

import re
from pathlib import Path

import pytest

from helpers import Notebook
from mqlab import Lab

NOTEBOOKS = Path(__file__).parents[2] / "notebooks" / "library"
MEASURED = re.compile(r"\d+\.\d s of CPU")
SMALLER = {"seeds = 12": "seeds = 6", "duration = 20.0": "duration = 10.0"}


@pytest.mark.notebooks
@pytest.mark.parametrize("name", ["10-event-logs-in-spark", "11-what-if-sweeps"])
def test_each_cell_run_again_shows_the_same(spark, name, tmp_path, monkeypatch):
    monkeypatch.chdir(NOTEBOOKS)
    monkeypatch.setattr(Lab, "panel", lambda *args, **kwargs: None)  # slow to build, and changes nothing
    notebook, first = Notebook(NOTEBOOKS / f"{name}.ipynb"), {}
    setup, *rest = notebook.source
    text = notebook.source[setup].replace("../../build", str(tmp_path))
    for few, fewer in SMALLER.items():
        text = text.replace(few, fewer)

    def run(id):
        return [MEASURED.sub("some s of CPU", line) for line in notebook.run(id)]

    notebook.run(setup, text)
    for id in rest:
        first[id] = run(id)
    for id in rest:
        if id not in notebook.set_up:  # it would say that the magics are loaded already
            assert run(id) == first[id], f"{id} run again"
