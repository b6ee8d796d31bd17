"""Make the project's own .venv from the hashed lock; run by `make` with any Python 3.11+, needs no other package.

`bootstrap.py lock` (`make lock`) resolves requirements.in into that lock again, with the uv of .venv.
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
    """Set-up cannot go on; the message says what was wanted, what was found and what to do."""


def key() -> str:
    """Return the text that identifies a finished set-up: the locks, the Python version and its folder."""
    digest = hashlib.sha256()
    for path in INPUTS:
        with open(path, "rb") as file:
            digest.update(file.read())
    digest.update(f"{PYTHON_VERSION}|{ROOT}".encode())
    return digest.hexdigest()


def done() -> bool:
    """Return whether the stamp of an earlier set-up matches today's locks and its Python still starts."""
    if not os.path.exists(VENV_PYTHON) or not os.path.exists(STAMP):
        return False
    with open(STAMP, encoding="utf-8") as file:
        return file.read().strip() == key()


def reusable() -> bool:
    """Return whether .venv was made here, by this version of Python, and still starts."""
    try:
        with open(os.path.join(VENV, "pyvenv.cfg"), encoding="utf-8") as file:
            made_here = VENV in file.read()
        asked = "import sys; print(*sys.version_info[:2], sep='.')"
        answer = subprocess.run([VENV_PYTHON, "-c", asked], capture_output=True, text=True, check=False).stdout
    except OSError:
        return False
    return made_here and answer.strip() == PYTHON_VERSION


def check_python() -> None:
    """Raise SetupFailed where this Python is too old or was packaged without venv."""
    if sys.version_info < (3, 11):  # noqa: UP036 (an older Python may well be the one that runs this file)
        raise SetupFailed(
            f"mqlab needs Python 3.11 or newer, and {sys.executable} is Python {PYTHON_VERSION}. "
            "Name a newer one: make PYTHON=python3.12 tour"
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as missing:
        raise SetupFailed(
            f"{sys.executable} has no {missing.name} module, which makes virtual environments. On Debian or Ubuntu: "
            "apt-get install python3-venv. Elsewhere: a Python from python.org has it; name it with make PYTHON=..."
        ) from None


def check_disk() -> None:
    """Warn, without stopping, where the disk may be too small for the packages (Spark and Java are large)."""
    free = shutil.disk_usage(ROOT).free
    if free < NEEDED_BYTES:
        say(f"only {free / 1024**3:.1f} GB are free here; set-up wants about {NEEDED_BYTES // 1024**3} GB")


def say(text: str) -> None:
    """Print one line of progress at once."""
    print("mqlab set-up: " + text, flush=True)


def run(what: str, command: list[str]) -> None:
    """Run one step, or raise SetupFailed that names it; what the command says goes straight to the terminal."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    environment["VIRTUAL_ENV"] = VENV
    try:
        ended = subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode
    except OSError as error:
        raise SetupFailed(f"could not {what}: {error}") from error
    if ended:
        raise SetupFailed(f"could not {what} (exit code {ended}); what went wrong is printed above.")


def pip(*arguments: str) -> list[str]:
    """Return the command line of the environment's own pip, which follows this machine's pip configuration."""
    return [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", *arguments]


def own_index() -> bool:
    """Return whether this machine's pip is pointed at an index of its own: uv reads no pip configuration."""
    listed = subprocess.run(pip("config", "list"), capture_output=True, text=True, check=False)
    return ".index-url=" in listed.stdout.replace("index_url", "index-url")


def install() -> None:
    """Fill the environment: the pinned tools first, then every locked package by hash, then mqlab itself, editable."""
    run("install the set-up tools", pip("install", "--quiet", "--require-hashes", "-r", TOOLS_LOCK))
    by_pip = pip("install", "--quiet", "--require-hashes", "--no-build-isolation", "-r", LOCK)
    with_uv = "-m uv pip install --quiet --exact --require-hashes --no-build-isolation-package pyspark --python"
    by_uv = [VENV_PYTHON, *with_uv.split(), VENV_PYTHON, "-r", LOCK]
    if own_index():
        say("installing the locked packages with pip, which knows this machine's own package index")
        run("install the locked packages", by_pip)
    else:
        say("installing the locked packages (about 900 MB to fetch the first time, Spark is half of it)")
        try:
            run("install the locked packages with uv", by_uv)
        except SetupFailed as error:
            say(f"{error} Trying pip instead, which is slower.")
            run("install the locked packages", by_pip)
    own = ("install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--editable", ROOT)
    run("install mqlab itself", pip(*own))


def wait_for_others(handle: TextIO) -> None:
    """Hold back while another `make` in this checkout is still setting up."""
    try:
        import fcntl
    except ImportError:  # Windows, which has no make either
        return
    fcntl.flock(handle, fcntl.LOCK_EX)


def set_up() -> None:
    """Bring .venv to what the lock says, unless it is there already."""
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
            say(f"making .venv with {sys.executable} (Python {PYTHON_VERSION})")
            run("make the virtual environment", [sys.executable, "-m", "venv", "--clear", VENV])
        install()
        with open(f"{STAMP}.part", "w", encoding="utf-8") as file:
            file.write(key() + "\n")
        os.replace(f"{STAMP}.part", STAMP)
        say(f"done in {time.monotonic() - start:.0f} s; it is not repeated until a lock changes")


def lock(*more: str) -> None:
    """Resolve both .in files into locks, pinned and hashed, that of the tools held to the versions of the main one;
    versions already locked stay unless `more` says --upgrade."""
    how = "--quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes"
    written = "--no-emit-index-url --no-header --no-annotate"
    compile = [sys.executable, "-m", "uv", "pip", "compile", *how.split(), *written.split()]
    for name, held in (("requirements", ()), ("requirements-bootstrap", ("-c", "requirements.lock"))):
        subprocess.run([*compile, f"{name}.in", "-o", f"{name}.lock", *held, *more], cwd=ROOT, check=True)


def main() -> int:
    """Set up, and return the exit code for make."""
    if sys.argv[1:2] == ["lock"]:
        lock(*sys.argv[2:])
        return 0
    try:
        set_up()
    except (SetupFailed, OSError) as problem:
        print(f"mqlab set-up stopped: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
