"""The path: five hours, in the order of the names of its files, with at most twelve questions in a notebook."""

import json
from pathlib import Path

import papermill

from helpers import ROOT
from mqlab.course import path
from mqlab.course.exercises.bank import EXERCISES

BOOKS = [*(ROOT / "notebooks").rglob("*.ipynb"), *(ROOT / "exercises").rglob("*.ipynb")]


def files(folder):
    """The names of the notebooks in a folder, as a list of files shows them."""
    return sorted(file.name for file in (ROOT / folder).glob("*.ipynb"))


def test_the_path_takes_five_hours_and_its_files_stand_in_its_order_before_the_library():
    assert sum(path.NOTEBOOKS.values()) + sum(EXERCISES[id].minutes for id in path.EXERCISES) <= 300
    assert files("notebooks") == [f"{name}.ipynb" for name in path.NOTEBOOKS]
    assert files("exercises") == [Path(EXERCISES[id].file).name for id in path.EXERCISES]
    assert len(path.EXERCISES) == 12
    assert set(path.FIRST) <= set(path.STEPS)
    library = {Path(each.file).name for each in EXERCISES.values() if each.id not in path.EXERCISES}
    assert set(files("exercises/library")) == library


def test_a_notebook_of_the_path_asks_at_most_twelve_questions_and_takes_25_minutes():
    for name, minutes in path.NOTEBOOKS.items():
        cells = json.loads((ROOT / path.notebook_file(name)).read_text("utf-8"))["cells"]
        asked = sum(cell["source"][0].startswith("%%predict ") for cell in cells if cell["source"])
        assert (asked <= 12, minutes <= 25) == (True, True), name


def test_settings_and_questions_are_folded_and_papermill_finds_the_same_first_settings_and_a_type_for_each():
    for file in BOOKS:
        for cell in json.loads(file.read_text("utf-8"))["cells"]:
            if "parameters" in cell["metadata"].get("tags", ()) or "".join(cell["source"]).startswith("%%predict"):
                assert cell["metadata"].get("jupyter") == {"source_hidden": True}, file.name
        found = papermill.inspect_notebook(file)
        types = {name: (each["inferred_type_name"], each["default"]) for name, each in found.items()}
        assert list(types.items())[:2] == [("interactive", ("bool", "True")), ("solve", ("bool", "False"))], file.name
        assert {type for type, _ in types.values()} <= {"bool", "int", "float", "str"}, file.name
