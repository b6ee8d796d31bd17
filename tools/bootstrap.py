"""Create the project's .venv from the hashed lock file: with uv if the machine can have it, else with pip.

`make` runs this with any Python 3.11+ and no other package. `bootstrap.py PAGE` installs the engine first, writes the
opening of the tour to PAGE, and then installs the rest. Python 3.6 must be able to read this file, so that it can say
that it is too old: annotations that are not the name of a class are in quotes.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from typing import TextIO

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
STAMP = os.path.join(VENV, ".mqlab-stamp")
LOCK = os.path.join(ROOT, "requirements.lock")
INPUTS = (LOCK, os.path.join(ROOT, "pyproject.toml"))
PYTHON_VERSION = "{}.{}".format(*sys.version_info[:2])
FIRST = ("greenlet", "networkx", "setuptools", "simpy", "uv")
"""The packages of the engine, setuptools, which builds mqlab and PySpark, and uv, which installs the other packages."""


class SetupFailed(Exception):
    """The setup cannot continue; the message gives the requirement, the finding, and the fix."""


def key() -> str:
    """Return the text that identifies a finished setup: the lock file, the Python version, and the folder."""
    digest = hashlib.sha256(f"{PYTHON_VERSION}|{ROOT}".encode())
    for path in INPUTS:
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def done() -> bool:
    """Return True if the stamp of an earlier setup matches today's lock file and its Python exists."""
    if not os.path.exists(VENV_PYTHON) or not os.path.exists(STAMP):
        return False
    with open(STAMP, encoding="utf-8") as file:
        return file.read().strip() == key()


def reusable() -> bool:
    """Return True if .venv was created here, by this version of Python, and still starts."""
    try:
        with open(os.path.join(VENV, "pyvenv.cfg"), encoding="utf-8") as file:
            made_here = VENV in file.read()
        asked = "import pip, sys; print(*sys.version_info[:2], sep='.')"
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


def say(text: str) -> None:
    """Print one line of progress, unbuffered."""
    print("mqlab setup: " + text, flush=True)


def run(what: str, command: "list[str]") -> None:
    """Run one step; raises SetupFailed that names the step. The output of the command goes to the terminal."""
    unwanted = ("PYTHONHOME", "PYTHONPATH", "PYTHONSAFEPATH")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment["VIRTUAL_ENV"] = VENV
    try:
        ended = subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode
    except OSError as error:
        raise SetupFailed(f"could not {what}: {error}") from error
    if ended:
        raise SetupFailed(f"could not {what} (exit code {ended}); see the output above, and docs/install.md.")


def pip(*arguments: str) -> "list[str]":
    """Return the command line of the environment's pip, which uses this machine's pip configuration."""
    return [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", *arguments]


def own_index() -> bool:
    """Return True if this machine's pip uses another package index: uv does not read pip's configuration."""
    listed = subprocess.run(pip("config", "list"), capture_output=True, text=True, check=False)
    return ".index-url=" in listed.stdout.replace("index_url", "index-url")


def locked(names: "tuple[str, ...]") -> str:
    """Return the part of the lock file that pins these packages, with their hashes."""
    with open(LOCK, encoding="utf-8") as file:
        pins = re.split(r"\n(?=\S)", file.read())
    return "\n".join(pin for pin in pins if pin.partition("==")[0] in names)


def from_cache(uv: "list[str]") -> bool:
    """Run an installation by uv that asks no package index; whether its cache alone could serve it."""
    return not subprocess.run([*uv, "--offline"], capture_output=True, check=False, cwd=ROOT).returncode


def install(page: "str | None") -> None:
    """Fill the environment by hash, the engine first, which writes the opening to `page`; then mqlab itself, editable.

    Nothing is compiled: Python compiles a module when it first imports it, and never most of them.
    """
    found = None if own_index() else shutil.which("uv") or ""
    by_pip = ["install", "--require-hashes", "--no-compile"]
    with tempfile.TemporaryDirectory() as folder:
        first = os.path.join(folder, "first.lock")
        with open(first, "w", encoding="utf-8") as file:
            file.write(locked(tuple(name for name in FIRST if name != "uv" or found == "")))
        run("install the engine", pip(*by_pip, "--quiet", "-r", first))
    if page:
        run("write the opening", [VENV_PYTHON, "-m", "mqlab.cli.opening", page])
    quiet = () if sys.stderr.isatty() else ("--quiet",)  # a terminal sees the progress
    say("installing the other packages (the first time, about 900 MB to download; Spark is half of it)")
    if found is not None:
        uv = [found] if found else [VENV_PYTHON, "-m", "uv"]
        uv += ["pip", "install", "--exact", "--require-hashes", "--no-build-isolation-package", "pyspark"]
        uv += [*quiet, "--python", VENV_PYTHON, "-r", LOCK]
        try:
            if not from_cache(uv):
                run("install the packages with uv", uv)
        except SetupFailed as error:
            say(f"{error} Trying pip instead, which is slower.")
            found = None
    if found is None:
        run("install the packages with pip", pip(*by_pip, *quiet, "--no-build-isolation", "-r", LOCK))
    own = ("install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--editable", ROOT)
    run("install mqlab itself", pip(*own))


def wait_for_others(handle: TextIO) -> None:
    """Wait while another `make` in this checkout is still setting up."""
    try:
        import fcntl
    except ImportError:  # Windows, which has no make either
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another make that sets up this folder")
        fcntl.flock(handle, fcntl.LOCK_EX)


def set_up(page: "str | None" = None) -> None:
    """Update .venv to the lock file, if it is not up to date."""
    check_python()
    with open(LOCK, encoding="utf-8") as handle:
        wait_for_others(handle)
        if done():
            return
        start = time.monotonic()
        if os.path.exists(STAMP):
            os.remove(STAMP)
        if not reusable():
            say(f"creating .venv with {sys.executable} (Python {PYTHON_VERSION})")
            run("create the virtual environment", [sys.executable, "-m", "venv", "--clear", VENV])
        install(page)
        with open(f"{STAMP}.part", "w", encoding="utf-8") as file:
            file.write(key() + "\n")
        os.replace(f"{STAMP}.part", STAMP)
        say(f"done in {time.monotonic() - start:.0f} s; the setup runs again only when the lock file changes")


def main() -> int:
    """Set up, and return the exit code for make."""
    try:
        set_up(*sys.argv[1:2])
    except (SetupFailed, OSError) as problem:
        print(f"mqlab setup stopped: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nmqlab setup was interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
