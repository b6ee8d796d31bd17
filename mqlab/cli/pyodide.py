"""Pyodide, which is Python in a browser: one version of its npm package, checked, and patched for one of its faults;
modules that are compiled for it, and the simulator as elements of a page.

The fault is pyodide#6464: Python's collector walks the frames of a suspended stack, which are no longer where they
were, and the page dies. The release after `VERSION` that has pyodide#6466 needs no patch: raise VERSION and SHA256, and
delete `patched`.
"""

import base64
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import tempfile
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from mqlab.engine.words.errors import LabError
from mqlab.formats.whole_file import whole, write_whole

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


SIMULATOR = "simulator.zip"
LEFT_OUT = {
    "mqlab": {"course", "estates", "pipeline", "cli"},
    "simpy": set(),
    "networkx": {"algorithms", "drawing", "generators", "linalg", "readwrite"},
}
"""The packages of the simulator, and their folders that it does without."""

GRAPH_ENDS = b"\nfrom networkx import convert_matrix"
"""Where the first module of networkx goes on from its graphs to what is left out."""

SUFFIXES = {".py", ".js", ".css", ".html", ".toml", ".txt", ".gz"}


def elements(build: Path) -> str:
    """Return the elements of a page that `engine.js` reads: itself, and the packed files of the simulator.

    `build` is the folder for Pyodide. Raises LabError if Pyodide or a package is missing. The same files give the same
    text.
    """
    try:
        folder = pyodide(build)
        parts = {name: (folder / name).read_bytes() for name in FILES}
        parts[LOCK] = without_packages(folder).encode()
        parts[STANDARD_LIBRARY] = standard_library(folder, build)
        parts[SIMULATOR] = simulator(folder, build)
    except NoPyodide as missing:
        raise LabError(str(missing)) from None
    script = files("mqlab.cli").joinpath("templates/engine.js").read_text("utf-8")
    texts = {name: base64.b64encode(gzip.compress(part, 6, mtime=0)).decode() for name, part in parts.items()}
    own = f'<script id="engine" type="text/plain">{script}</script>\n'
    packs = (f'<script type="text/plain" data-engine="{name}">{text}</script>\n' for name, text in texts.items())
    return "".join((own, *packs))


def _needed(within: Path, text: bytes) -> bytes:
    """Return the part of a file that the simulator needs: of networkx its graphs, which load in a tenth of the time."""
    return text.partition(GRAPH_ENDS)[0] if within == Path("networkx/__init__.py") else text


def simulator(python: Path, build: Path) -> bytes:
    """Return the simulator and its packages as a zip file with compiled modules.

    Raises NoPyodide, and LabError if a package is missing.
    """
    found = {}
    for name, left_out in LEFT_OUT.items():
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise LabError(f"the simulator needs the package {name}, which is not installed: pip install {name}")
        root = Path(spec.origin).parent
        for path in sorted(root.rglob("*")):
            within = path.relative_to(root.parent)
            if path.suffix in SUFFIXES and within.parts[1] not in left_out and "tests" not in within.parts:
                found[f"{PACKAGES}/{within.as_posix()}"] = _needed(within, path.read_bytes())
    return packed(found, python, build, SIMULATOR)
