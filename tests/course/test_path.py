"""The path through the course: five hours, in the order of the names of its files."""

from pathlib import Path

from mqlab.course import path
from mqlab.course.exercises.bank import EXERCISES

ROOT = Path(__file__).parents[2]


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
