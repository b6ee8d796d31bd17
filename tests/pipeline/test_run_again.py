"""Cells of the notebooks with Spark that are run again show what they showed."""

from pathlib import Path

import pytest

from helpers import Notebook
from mqlab import Lab

NOTEBOOKS = Path(__file__).parents[2] / "notebooks" / "library"
SMALLER = {"seeds = 12": "seeds = 6", "duration = 20.0": "duration = 10.0"}


@pytest.mark.notebooks
@pytest.mark.parametrize("name", ["10-event-logs-in-spark", "11-what-if-sweeps"])
def test_each_cell_run_again_shows_the_same(spark, name, monkeypatch):
    monkeypatch.chdir(NOTEBOOKS)
    monkeypatch.setattr(Lab, "panel", lambda *args, **kwargs: None)  # slow to build, and changes nothing
    notebook, first = Notebook(NOTEBOOKS / f"{name}.ipynb"), {}
    setup, *rest = notebook.source
    text = notebook.source[setup]
    for few, fewer in SMALLER.items():
        text = text.replace(few, fewer)
    notebook.run(setup, text)
    for id in rest:
        first[id] = notebook.run(id)
    for id in rest:
        if id not in notebook.set_up:  # it would say that the magics are loaded already
            assert notebook.run(id) == first[id], f"{id} run again"
