"""Programs for IBM's library in a notebook: what happens where the library is not installed."""

from IPython.core.interactiveshell import InteractiveShell

from mqlab.course import programs


def test_without_the_library_the_rest_of_a_notebook_says_so_and_does_nothing(monkeypatch, capsys):
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(programs, "find_spec", lambda name: None)
    programs.require_ibmmq()
    assert capsys.readouterr().out == f"{programs.MISSING}\n"
    assert shell.run_cell("%%predict 14/first\nnothing = 1 / 0").success
    assert "nothing" not in shell.user_ns
