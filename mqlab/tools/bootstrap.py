"""Create the project's .venv from the hashed lock file. `make` runs this with any Python 3.11+ and no other package.

`bootstrap.py lock` (`make lock`) resolves requirements.in into that lock file again, with the uv in .venv.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from typing import TextIO

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
VENV_PYTHON = os.path.join(BIN, "python.exe" if os.name == "nt" else "python")
STAMP = os.path.join(VENV, ".mqlab-stamp")
TOOLS_LOCK = os.path.join(ROOT, "requirements-bootstrap.lock")
LOCK = os.path.join(ROOT, "requirements.lock")
INPUTS = (TOOLS_LOCK, LOCK, os.path.join(ROOT, "pyproject.toml"))
PYTHON_VERSION = "{}.{}".format(*sys.version_info[:2])
NEEDED_BYTES = 5 * 1024**3  # measured: 1.5 GB in .venv, up to 3.3 GB of download and build cache


class SetupFailed(Exception):
    """The setup cannot continue; the message gives the requirement, the finding, and the fix."""


def key() -> str:
    """Return the text that identifies a finished setup: the lock files, the Python version, and the folder."""
    digest = hashlib.sha256()
    for path in INPUTS:
        with open(path, "rb") as file:
            digest.update(file.read())
    digest.update(f"{PYTHON_VERSION}|{ROOT}".encode())
    return digest.hexdigest()


def done() -> bool:
    """Return True if the stamp of an earlier setup matches today's lock files and its Python exists."""
    if not os.path.exists(VENV_PYTHON) or not os.path.exists(STAMP):
        return False
    with open(STAMP, encoding="utf-8") as file:
        return file.read().strip() == key()


def reusable() -> bool:
    """Return True if .venv was created here, by this version of Python, and still starts."""
    try:
        with open(os.path.join(VENV, "pyvenv.cfg"), encoding="utf-8") as file:
            made_here = VENV in file.read()
        asked = "import sys; print(*sys.version_info[:2], sep='.')"
        answer = subprocess.run([VENV_PYTHON, "-c", asked], capture_output=True, text=True, check=False).stdout
    except OSError:
        return False
    return made_here and answer.strip() == PYTHON_VERSION


def check_python() -> None:
    """Raise SetupFailed if this Python is too old or was packaged without venv."""
    if sys.version_info < (3, 11):  # noqa: UP036 (an older Python may well be the one that runs this file)
        raise SetupFailed(
            f"mqlab needs Python 3.11 or newer, and {sys.executable} is Python {PYTHON_VERSION}. "
            "Use a newer one: make PYTHON=python3.12 tour"
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as missing:
        raise SetupFailed(
            f"{sys.executable} has no {missing.name} module, which creates virtual environments. On Debian or Ubuntu: "
            "apt-get install python3-venv. Elsewhere: use a Python from python.org, with make PYTHON=..."
        ) from None


def check_disk() -> None:
    """Warn if the disk might be too small for the packages (Spark and Java are large)."""
    free = shutil.disk_usage(ROOT).free
    if free < NEEDED_BYTES:
        say(f"only {free / 1024**3:.1f} GB are free here; the setup needs about {NEEDED_BYTES // 1024**3} GB")


def say(text: str) -> None:
    """Print one line of progress, unbuffered."""
    print("mqlab setup: " + text, flush=True)


def run(what: str, command: list[str]) -> None:
    """Run one step; raises SetupFailed that names the step. The output of the command goes to the terminal."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    environment["VIRTUAL_ENV"] = VENV
    try:
        ended = subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode
    except OSError as error:
        raise SetupFailed(f"could not {what}: {error}") from error
    if ended:
        raise SetupFailed(f"could not {what} (exit code {ended}); see the output above.")


def pip(*arguments: str) -> list[str]:
    """Return the command line of the environment's pip, which uses this machine's pip configuration."""
    return [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", *arguments]


def own_index() -> bool:
    """Return True if this machine's pip uses another package index: uv does not read pip's configuration."""
    listed = subprocess.run(pip("config", "list"), capture_output=True, text=True, check=False)
    return ".index-url=" in listed.stdout.replace("index_url", "index-url")


def install() -> None:
    """Fill the environment: the pinned tools first, then every locked package by hash, then mqlab itself, editable."""
    run("install the setup tools", pip("install", "--quiet", "--require-hashes", "-r", TOOLS_LOCK))
    by_pip = pip("install", "--quiet", "--require-hashes", "--no-build-isolation", "-r", LOCK)
    with_uv = "-m uv pip install --quiet --exact --require-hashes --no-build-isolation-package pyspark --python"
    by_uv = [VENV_PYTHON, *with_uv.split(), VENV_PYTHON, "-r", LOCK]
    if own_index():
        say("installing the locked packages with pip, which uses this machine's package index")
        run("install the locked packages", by_pip)
    else:
        say("installing the locked packages (the first time, about 900 MB to download; Spark is half of it)")
        try:
            run("install the locked packages with uv", by_uv)
        except SetupFailed as error:
            say(f"{error} Trying pip instead, which is slower.")
            run("install the locked packages", by_pip)
    own = ("install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--editable", ROOT)
    run("install mqlab itself", pip(*own))
    # Without this step, each kernel compiles pandas and the rest again where PYTHONDONTWRITEBYTECODE is set, and uv
    # compiles nothing: altair and JupyterLab take twice as long to load. A file that does not compile is no failure.
    compiling = "import compileall, sysconfig as at; compileall.compile_dir(at.get_path('purelib'), quiet=2, workers=0)"
    run("compile the packages", [VENV_PYTHON, "-c", compiling])
    run("archive Spark's classes", [VENV_PYTHON, "-m", "mqlab.pipeline.archive"])


def wait_for_others(handle: TextIO) -> None:
    """Wait while another `make` in this checkout is still setting up."""
    try:
        import fcntl
    except ImportError:  # Windows, which has no make either
        return
    fcntl.flock(handle, fcntl.LOCK_EX)


def set_up() -> None:
    """Update .venv to the lock file, if it is not up to date."""
    check_python()
    with open(LOCK, encoding="utf-8") as handle:
        wait_for_others(handle)
        if done():
            return
        start = time.monotonic()
        check_disk()
        if os.path.exists(STAMP):
            os.remove(STAMP)
        if not reusable():
            say(f"creating .venv with {sys.executable} (Python {PYTHON_VERSION})")
            run("create the virtual environment", [sys.executable, "-m", "venv", "--clear", VENV])
        install()
        with open(f"{STAMP}.part", "w", encoding="utf-8") as file:
            file.write(key() + "\n")
        os.replace(f"{STAMP}.part", STAMP)
        say(f"done in {time.monotonic() - start:.0f} s; the setup runs again only when a lock file changes")


def lock(*more: str) -> None:
    """Resolve both .in files into lock files, pinned and hashed. The tools use the versions of the main lock file, and
    locked versions stay unless `more` has --upgrade."""
    how = "--quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes"
    written = "--no-emit-index-url --no-header --no-annotate"
    compile = [sys.executable, "-m", "uv", "pip", "compile", *how.split(), *written.split()]
    held = ("-c", "requirements.lock")
    for name, pinned in (("requirements", ()), ("requirements-bootstrap", held), ("requirements-lite", ())):
        subprocess.run([*compile, f"{name}.in", "-o", f"{name}.lock", *pinned, *more], cwd=ROOT, check=True)


def main() -> int:
    """Set up, and return the exit code for make."""
    if sys.argv[1:2] == ["lock"]:
        lock(*sys.argv[2:])
        return 0
    try:
        set_up()
    except (SetupFailed, OSError) as problem:
        print(f"mqlab setup stopped: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
