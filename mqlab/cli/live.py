"""The simulator inside a page: Pyodide, mqlab, and the packages that it needs, as elements of the page."""

import base64
import gzip
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from mqlab.cli.compiled import PACKAGES, packed, standard_library
from mqlab.cli.pyodide import FILES, LOCK, STANDARD_LIBRARY, NoPyodide, pyodide, without_packages
from mqlab.engine.words.errors import LabError

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
    return f'<script id="engine" type="text/plain">{script}</script>\n' + "".join(
        f'<script type="text/plain" data-engine="{name}">{text}</script>\n' for name, text in texts.items()
    )


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
