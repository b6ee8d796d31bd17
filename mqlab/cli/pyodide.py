"""Pyodide, which is Python in a browser: one version of its npm package, checked, and patched for one of its faults.

The fault is pyodide#6464: Python's collector walks the frames of a suspended stack, which are no longer where they
were, and the page dies. The release after `VERSION` that has pyodide#6466 needs no patch: raise VERSION and SHA256, and
delete `patched`.
"""

import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from mqlab.formats.whole_file import write_whole

VERSION = "314.0.7"
SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
LOCK = "pyodide-lock.json"
STANDARD_LIBRARY = "python_stdlib.zip"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", STANDARD_LIBRARY, LOCK)
"""The files of the package that a page loads."""

CURRENT_FRAME = 52
"""Where `current_frame` lies in a PyThreadState of Python 3.14 on wasm32, in bytes."""

_SAVED = "const stackState=new StackState;return{threadState,stackState,"
_RESTORED = "function restoreState(state){state.stackState.restore();"

UNTIL = f"Pyodide {VERSION} is patched for pyodide#6464; the patch can go when a release has pyodide#6466"


class NoPyodide(Exception):
    """Pyodide's package cannot be had or used; the message says why, and what to do."""


class WrongSum(NoPyodide):
    """The package that came is not the one whose checksum is known."""


def patched(script: str) -> str:
    """Return the text of pyodide.asm.mjs so that a suspended stack has no frames for the collector to walk.

    Raises NoPyodide for the text of another version.
    """
    word = f"HEAPU32[(%s+{CURRENT_FRAME})>>>2]"
    here, saved = word % "threadState", word % "state.threadState"
    changes = {
        _SAVED: f"const stackState=new StackState;const frame={here};{here}=0;return{{frame,threadState,stackState,",
        _RESTORED: f"{_RESTORED}{saved}=state.frame;",
    }
    for old, new in changes.items():
        if script.count(old) != 1:
            raise NoPyodide(
                f"this is not pyodide.asm.mjs {VERSION}, because the place to patch occurs {script.count(old)} times; "
                f"use Pyodide {VERSION}, or a release with pyodide#6466, which needs no patch"
            )
        script = script.replace(old, new)
    return script


def pyodide(build: Path) -> Path:
    """Return the folder of FILES below `build`; if it is not there, npm fetches the package, and its sum is checked.

    Raises NoPyodide.
    """
    folder = build / f"pyodide-{VERSION}"
    if folder.is_dir():
        return folder
    build.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as temporary:
        archive = _fetched(Path(temporary))
        files = Path(temporary) / "files"
        files.mkdir()
        with tarfile.open(archive) as packed:
            for name in FILES:
                member = packed.extractfile(f"package/{name}")
                assert member is not None
                with (files / name).open("wb") as file:
                    shutil.copyfileobj(member, file)
        asm = files / "pyodide.asm.mjs"
        write_whole(asm, patched(asm.read_text(encoding="utf-8")))
        try:
            files.rename(folder)
        except OSError:
            if not folder.is_dir():  # another process was faster
                raise
    return folder


def without_packages(folder: Path) -> str:
    """Return the text of LOCK that lists no package: a page has all that it needs, and must ask no server for more."""
    return json.dumps(json.loads((folder / LOCK).read_text(encoding="utf-8")) | {"packages": {}})


def _fetched(folder: Path) -> Path:
    """The package as npm packs it, its sum checked."""
    if not (npm := shutil.which("npm")):
        raise NoPyodide("Pyodide comes as a package of npm, and npm is not on PATH; install Node.js, which brings npm")
    command = [npm, "pack", "--silent", f"pyodide@{VERSION}"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    archive = folder / f"pyodide-{VERSION}.tgz"
    if ran.returncode or not archive.is_file():
        said = (ran.stderr.strip() or "no message").splitlines()[-1]
        raise NoPyodide(f"npm could not fetch pyodide {VERSION} ({said}); check that this machine reaches a registry")
    if (found := hashlib.sha256(archive.read_bytes()).hexdigest()) != SHA256:
        raise WrongSum(f"pyodide {VERSION} has the sha256 {found}, not {SHA256}; do not use it")
    return archive
