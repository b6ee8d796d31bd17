"""Modules for the Python of a page, compiled before the page loads them: a page that loads sources compiles them again
at each visit.
"""

import hashlib
import io
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from mqlab.cli.pyodide import STANDARD_LIBRARY, NoPyodide
from mqlab.formats.whole_file import whole

TEMPLATES = Path(__file__).with_name("templates")
PACKAGES = "lib/python3.14/site-packages"


def archived(files: dict[str, bytes]) -> bytes:
    """Return files as an archive that templates/archive.mjs unpacks."""
    index = json.dumps([[f"/{path}", len(content)] for path, content in files.items()]).encode()
    return len(index).to_bytes(4, "big") + index + b"".join(files.values())


def compiled(files: dict[str, bytes], python: Path, build: Path, place: str = PACKAGES) -> dict[str, bytes]:
    """Return the compiled modules of `files`: the Python of the page compiles them, in Node, and `build` keeps them.

    The files lie in PACKAGES; the modules are for files in `place`. Raises NoPyodide.
    """
    archive = archived(files)
    target = build / "lite-compiled" / hashlib.sha256(place.encode() + archive).hexdigest()
    if not target.is_file():
        if not (node := shutil.which("node")):
            raise NoPyodide("the modules of a page are compiled in Node.js, and node is not on PATH; install Node.js")
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole(target) as draft, tempfile.NamedTemporaryFile() as source:
            source.write(archive)
            source.flush()
            program = [node, *map(str, (TEMPLATES / "compile.mjs", python, source.name, draft, f"/{place}"))]
            done = subprocess.run(program, capture_output=True, text=True, check=False)
            if done.returncode:
                raise NoPyodide(f"the modules could not be compiled in Node: {done.stderr.strip()[-1000:]}")
    found, at = target.read_bytes(), 4
    at += int.from_bytes(found[:4], "big")
    modules = {}
    for path, length in json.loads(found[4:at]):
        modules[path.removeprefix("/")] = found[at : at + length]
        at += length
    return modules


def without_sources(files: dict[str, bytes], but: set[str]) -> dict[str, bytes]:
    """Return `files` with a compiled module in the place of its source, except for `but`: half as much to unpack."""
    found = dict(files)
    for path in files:
        folder, name = path.rpartition("/")[::2]
        module = f"{folder}/__pycache__/{name.removesuffix('.py')}.cpython-314.pyc"
        if name.endswith(".py") and path not in but and module in files:
            found[f"{path}c"] = found.pop(module)
            del found[path]
    return found


def packed(files: dict[str, bytes], python: Path, build: Path, place: str) -> bytes:
    """Return `files`, which lie in PACKAGES, as a zip file with compiled modules; a page has it at `place`.

    Raises NoPyodide.
    """
    files = without_sources(files | compiled(files, python, build, place), set())
    target = io.BytesIO()
    with ZipFile(target, "w") as archive:
        for path, content in sorted(files.items()):
            archive.writestr(ZipInfo(path.removeprefix(f"{PACKAGES}/")), content, ZIP_DEFLATED)
    return target.getvalue()


def standard_library(python: Path, build: Path) -> bytes:
    """Return Pyodide's standard library with compiled modules; its own has sources. Raises NoPyodide."""
    with ZipFile(python / STANDARD_LIBRARY) as own:
        files = {f"{PACKAGES}/{name}": own.read(name) for name in own.namelist() if not name.endswith("/")}
    return packed(files, python, build, "lib/python314.zip")
