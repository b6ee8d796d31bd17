"""Programs for IBM's library in a notebook: what happens where the library is not installed."""

from IPython.core.interactiveshell import InteractiveShell

from mqlab.course import programs
from mqlab.course.exercises import exercise, grade
from mqlab.course.exercises.checking import expected
from mqlab.ibmmq import pymqi
from tools.exercises import notebook


def test_without_the_library_the_rest_of_a_notebook_says_so_and_does_nothing(monkeypatch, capsys):
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(programs, "find_spec", lambda name: None)
    programs.require_ibmmq()
    assert capsys.readouterr().out == f"{programs.MISSING}\n"
    assert shell.run_cell("%%predict 14/first\nnothing = 1 / 0").success
    assert "nothing" not in shell.user_ns


def test_without_the_library_an_exercise_says_so_in_one_sentence(monkeypatch):
    desk = exercise("Y01")
    assert "require_ibmmq()" in "".join("".join(cell["source"]) for cell in notebook(desk.exercise)["cells"][:3])
    monkeypatch.setattr(pymqi, "installed", lambda name="pymqi": False)
    expected.cache_clear()
    result = grade("Y01", desk.start("read"))
    expected.cache_clear()  # what was found without the library
    assert not result.passed
    assert result.stopped.startswith("IBM's library must be installed, and neither ibmmq nor pymqi is: pip install")
