"""Set-up: says what is wrong in a sentence, is not repeated, and is repeated when a lock changes."""

import ast
import fcntl
import subprocess
import sys
from threading import Thread
from unittest.mock import Mock

import pytest

from helpers import says
from tools import bootstrap


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small checkout, with an environment that looks finished, on a machine without a uv of its own."""
    lock, project = tmp_path / "requirements.lock", tmp_path / "pyproject.toml"
    lock.write_text("altair==6.2.0 \\\n    --hash=sha256:a\nsimpy==4.1.2 \\\n    --hash=sha256:b\nuv==0.13.8\n")
    project.write_text("")
    venv = tmp_path / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    (venv / "pyvenv.cfg").write_text(f"command = {sys.executable} -m venv {venv}\n")
    python, stamp = venv / "bin" / "python", venv / ".mqlab-stamp"
    for name, path in {"ROOT": tmp_path, "VENV": venv, "VENV_PYTHON": python, "STAMP": stamp, "LOCK": lock}.items():
        monkeypatch.setattr(bootstrap, name, str(path))
    monkeypatch.setattr(bootstrap, "INPUTS", [str(lock), str(project)])
    monkeypatch.setattr(bootstrap, "own_index", lambda: False)
    monkeypatch.setattr(bootstrap, "from_cache", lambda uv: False)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    return tmp_path


@pytest.fixture
def steps(monkeypatch):
    """The steps that the setup would run, noted instead of run."""
    taken = []
    monkeypatch.setattr(bootstrap, "run", lambda what, command: taken.append((what, command)))
    monkeypatch.setattr(bootstrap.sys, "argv", ["bootstrap.py"])
    return taken


def names(steps):
    return [what for what, _ in steps]


INSTALLED = ["install the engine", "install the packages with uv", "install mqlab itself"]


def test_the_first_run_installs_the_second_does_nothing_and_another_does_if_the_lock_changed(project, steps):
    assert (bootstrap.main(), names(steps)) == (0, INSTALLED)
    steps.clear()
    assert (bootstrap.main(), steps) == (0, [])
    assert bootstrap.locked(bootstrap.FIRST) == "simpy==4.1.2 \\\n    --hash=sha256:b\nuv==0.13.8\n"
    assert bootstrap.locked(("altair",)) == "altair==6.2.0 \\\n    --hash=sha256:a"
    (project / "requirements.lock").write_text("simpy==4.1.3\n")
    assert (bootstrap.main(), names(steps)) == (0, INSTALLED)


def test_the_opening_is_written_before_the_rest_is_installed(project, steps, monkeypatch):
    monkeypatch.setattr(bootstrap.sys, "argv", ["bootstrap.py", "build/opening.html"])
    bootstrap.main()
    assert names(steps) == ["install the engine", "write the opening", *INSTALLED[1:]]
    assert steps[1][1][-1] == "build/opening.html"


def test_a_full_cache_is_enough(project, steps, monkeypatch):
    asked = []
    monkeypatch.setattr(bootstrap, "from_cache", lambda uv: asked.append(uv) is None)
    bootstrap.main()
    assert names(steps) == [INSTALLED[0], INSTALLED[2]]
    assert "--require-hashes" in asked[0]


def test_a_uv_that_is_there_is_used(project, steps, monkeypatch):
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/opt/{name}")
    bootstrap.main()
    assert (names(steps), steps[1][1][0]) == (INSTALLED, "/opt/uv")


def test_an_environment_that_was_moved_here_is_made_anew(project, steps):
    (project / ".venv" / "pyvenv.cfg").write_text("command = python -m venv /elsewhere/.venv\n")
    bootstrap.main()
    assert steps[0][0] == "create the virtual environment"


def test_every_install_checks_hashes_and_no_step_names_an_index(project, steps):
    bootstrap.main()
    for what, command in steps:
        assert "--require-hashes" in command or {"--no-deps", "--no-index"} <= set(command), what
    assert not [word for _, command in steps for word in command if "index-url" in str(word) or "://" in str(word)]


def test_a_machine_with_its_own_index_is_served_by_pip(project, steps, monkeypatch):
    monkeypatch.setattr(bootstrap, "own_index", lambda: True)
    bootstrap.main()
    assert names(steps) == ["install the engine", "install the packages with pip", "install mqlab itself"]
    assert "uv" not in [word for _, command in steps for word in command]


def test_pip_steps_in_where_uv_fails(project, monkeypatch, capsys):
    taken = []

    def run(what, command):
        taken.append(what)
        if what.endswith("with uv"):
            raise bootstrap.SetupFailed("could not install the packages with uv (exit code 2).")

    monkeypatch.setattr(bootstrap, "run", run)
    monkeypatch.setattr(bootstrap.sys, "argv", ["bootstrap.py"])
    assert (bootstrap.main(), taken) == (0, [*INSTALLED[:2], "install the packages with pip", INSTALLED[2]])
    assert "Trying pip instead" in capsys.readouterr().out


def test_ctrl_c_or_a_failed_step_leaves_a_sentence_and_no_stamp(project, monkeypatch, capsys):
    for error, code, said in (
        (KeyboardInterrupt(), 130, "the same command goes on from here"),
        (bootstrap.SetupFailed("could not install."), 1, "mqlab setup stopped: could not install"),
    ):
        monkeypatch.setattr(bootstrap, "run", Mock(side_effect=error))
        assert (bootstrap.main(), bootstrap.done()) == (code, False)
        assert said in capsys.readouterr().err


def test_a_python_that_is_old_or_has_no_venv_is_named_with_what_to_do(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    assert bootstrap.main() == 1
    assert "apt-get install python3-venv" in capsys.readouterr().err
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 10, 2))
    monkeypatch.setattr(bootstrap, "PYTHON_VERSION", "3.10")
    assert bootstrap.main() == 1
    says(capsys.readouterr().err, "needs Python 3.11 or newer", "is Python 3.10", "make PYTHON=")


def test_an_old_python_can_read_it():
    """Python 3.6 is `python3` on machines that still run: it says in a sentence that it is too old."""
    with open(bootstrap.__file__, encoding="utf-8") as file:
        tree = ast.parse(file.read(), feature_version=(3, 6))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    marked = [each.returns for each in functions]
    marked += [arg.annotation for each in functions for arg in (*each.args.args, each.args.vararg) if arg]
    assert [ast.unparse(each) for each in marked if not isinstance(each, ast.Constant | ast.Name)] == []


def test_a_second_make_says_that_it_waits_for_the_first(project, steps, capsys):
    with open(project / "requirements.lock") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        second = Thread(target=bootstrap.set_up)
        second.start()
        while "waiting for another make" not in capsys.readouterr().out:
            assert second.is_alive()
        assert steps == []
    second.join(60)
    assert names(steps) == INSTALLED


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
