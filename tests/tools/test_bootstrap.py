"""Set-up: says what is wrong in a sentence, is not repeated, and is repeated when a lock changes."""

import subprocess
import sys
from pathlib import Path

import pytest

from mqlab.tools import bootstrap


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small checkout, with an environment that looks finished."""
    inputs = [tmp_path / name for name in ("requirements-bootstrap.lock", "requirements.lock", "pyproject.toml")]
    for path in inputs:
        path.write_text("simpy==4.1.2\n")
    venv = tmp_path / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    (venv / "pyvenv.cfg").write_text(f"command = {sys.executable} -m venv {venv}\n")
    for name, value in {
        "ROOT": tmp_path,
        "VENV": venv,
        "VENV_PYTHON": venv / "bin" / "python",
        "STAMP": venv / ".mqlab-stamp",
        "LOCK": inputs[1],
        "TOOLS_LOCK": inputs[0],
        "INPUTS": inputs,
    }.items():
        monkeypatch.setattr(bootstrap, name, str(value) if isinstance(value, Path) else [str(each) for each in value])
    return tmp_path


@pytest.fixture
def steps(monkeypatch):
    """The steps that the setup would run, noted instead of run."""
    taken = []
    monkeypatch.setattr(bootstrap, "run", lambda what, command: taken.append((what, command)))
    monkeypatch.setattr(bootstrap, "own_index", lambda: False)
    return taken


def test_the_first_run_installs_and_the_second_does_nothing(project, steps):
    assert bootstrap.main() == 0
    assert [what for what, _ in steps] == [
        "install the setup tools",
        "install the locked packages with uv",
        "install mqlab itself",
        "compile the packages",
        "archive Spark's classes",
    ]
    steps.clear()
    assert bootstrap.main() == 0
    assert steps == []


def test_a_changed_lock_is_installed_into_the_same_environment(project, steps):
    bootstrap.main()
    steps.clear()
    (project / "requirements.lock").write_text("simpy==4.1.3\n")
    assert bootstrap.main() == 0
    assert "create the virtual environment" not in [what for what, _ in steps]
    assert len(steps) == 5


def test_an_environment_that_was_moved_here_is_made_anew(project, steps):
    (project / ".venv" / "pyvenv.cfg").write_text("command = python -m venv /elsewhere/.venv\n")
    bootstrap.main()
    assert steps[0][0] == "create the virtual environment"


def test_every_install_checks_hashes_or_takes_nothing_from_outside(project, steps):
    bootstrap.main()
    for what, command in steps[:-2]:
        assert "--require-hashes" in command or {"--no-deps", "--no-index"} <= set(command), what


def test_no_step_names_an_index(project, steps):
    bootstrap.main()
    assert not [word for _, command in steps for word in command if "index-url" in str(word) or "://" in str(word)]


def test_a_machine_with_its_own_index_is_served_by_pip(project, steps, monkeypatch):
    monkeypatch.setattr(bootstrap, "own_index", lambda: True)
    bootstrap.main()
    assert "uv" not in [word for _, command in steps for word in command]
    assert len(steps) == 5


def test_pip_steps_in_where_uv_fails(project, monkeypatch, capsys):
    taken = []

    def run(what, command):
        taken.append(what)
        if what.endswith("with uv"):
            raise bootstrap.SetupFailed("could not install the locked packages with uv (exit status 2).")

    monkeypatch.setattr(bootstrap, "run", run)
    monkeypatch.setattr(bootstrap, "own_index", lambda: False)
    assert bootstrap.main() == 0
    assert taken[-4:-2] == ["install the locked packages", "install mqlab itself"]
    assert "Trying pip instead" in capsys.readouterr().out


def test_a_failed_step_leaves_no_stamp_and_says_so(project, monkeypatch, capsys):
    def run(what, command):
        raise bootstrap.SetupFailed("could not install the setup tools (exit status 1).")

    monkeypatch.setattr(bootstrap, "run", run)
    assert bootstrap.main() == 1
    assert not bootstrap.done()
    assert "mqlab setup stopped: could not install the setup tools" in capsys.readouterr().err


def test_an_old_python_is_named_with_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 10, 2))
    monkeypatch.setattr(bootstrap, "PYTHON_VERSION", "3.10")
    assert bootstrap.main() == 1
    said = capsys.readouterr().err
    assert "needs Python 3.11 or newer" in said
    assert "is Python 3.10" in said
    assert "make PYTHON=" in said


def test_a_python_without_venv_is_named_with_what_to_do(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    assert bootstrap.main() == 1
    assert "apt-get install python3-venv" in capsys.readouterr().err


def test_it_runs_alone_on_the_standard_library():
    """As make runs it: isolated, by path, without the package around it."""
    code = (
        "import runpy, sys; runpy.run_path(sys.argv[1], run_name='probe'); "
        "print(sorted(name for name in sys.modules if 'mqlab' in name))"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, bootstrap.__file__], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
