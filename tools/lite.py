"""`make lite`: the course as a folder for any web server, in which notebooks run in the browser, without a kernel."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from mqlab.cli import command_line, near, pyodide
from mqlab.cli.notebooks import NotebookFailed
from mqlab.cli.opening import TEMPLATES as PAGES
from mqlab.cli.opening import opening
from mqlab.cli.pyodide import PACKAGES, archived, compiled, standard_library, without_sources
from mqlab.cli.pyodide import TEMPLATES as COMPILING
from mqlab.course.incidents import Incident, desk
from mqlab.course.incidents.incident import DAYS
from mqlab.formats.whole_file import write_whole
from mqlab.lab.checkout import OUTPUT, TOUR, NotACheckout, checkout
from tools import course, stopped
from tools.lite_absent import ABSENT, SPARK, Absent
from tools.served import served
from tools.site import Made, executed_copies, listed

TEMPLATES = Path(__file__).with_name("templates") / "lite"
STYLE = PAGES / "mqlab" / "page.css"
ROOTS = ("altair", "anywidget", "attrs", "ipython", "ipywidgets", "networkx", "simpy", "tqdm")
"""The packages that the course imports in a browser; what they require comes with them."""
LEFT_OUT = {"greenlet", "jedi", "parso", "jsonschema", "jupyterlab-widgets", "widgetsnbextension"}
"""Requirements of theirs that cannot be in a page, or that it does not use; `OTHERS` replace jsonschema."""
OTHERS = ("jsonschema", "pyrsistent")
TARGET = {
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "platform_machine": "wasm32",
    "python_version": "3.14",
    "python_full_version": "3.14.2",
    "extra": "",
}
LIMIT, PORT = 60_000_000, 8868
HOME = "home/learner"
UNUSED = re.compile(r"(^|/)(tests?|__pycache__|sphinxext)/|\.(so|pyc|pyi|c|h|map)$|^\.\./")
RESULTS = (
    "Below are the results of a run on a computer. A cell that needs {} cannot run here, and loses its result if you "
    "run it. To restore the results, delete the notebook from the list on the left; the original reappears there."
)
NO_RESULTS = "A cell that needs {} stops here with a message; the pages of `make site` have the results."
ASK = "Small questions work without Spark: run the next cell, change its question, and run it again."
QUESTION = """\
from collections import Counter

from mqlab import Lab

lab = Lab()
lab.scenario("dead-letters")
Counter(event.object for event in lab.events.where(kind="put")).most_common()"""
"""A cell for a notebook that cannot have Spark in a page: a log, and a question for which Python suffices."""
WITH_A_LAB = "00"
"""The notebook whose first sections run in a page, with labs of their own."""
WIDGET = "application/vnd.jupyter.widget-view+json"
"""An output that lives in the kernel of the run, as progress bars do."""
OURS = {"guard", "injected-parameters"}
"""Tags of the cells of an executed copy that only its run needed: they check answers."""
METADATA = {
    "kernelspec": {"display_name": "Python (Pyodide)", "language": "python", "name": "python"},
    "language_info": {
        "codemirror_mode": {"name": "python", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.8",
    },
}
"""Metadata that the kernel of a page writes into a notebook. A notebook that has it already does not change on open."""
UNPACKS = "archive.mjs"
"""The script by which a page unpacks an archive: the live page of the package has it too."""
IN_PAGE = ("__init__", "lite_absent", "lite_display", "lite_kernel")
"""The modules of this folder that the kernel of the page imports."""
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "anywidget")
"""Extensions of JupyterLab, of the versions in this environment, without which widgets are not drawn."""


class LiteFailed(Exception):
    """The folder cannot be built; the message says why, and what to do."""


def tools(root: Path) -> Path:
    """Return the folder with JupyterLite and what else tools/requirements-lite.lock pins, installed below build/."""
    lock, folder = root / "tools" / "requirements-lite.lock", root / OUTPUT / "lite-tools"
    stamp, locked = folder / "lock", lock.read_bytes()
    if stamp.is_file() and stamp.read_bytes() == locked:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    done = subprocess.run([*pip, "--no-compile", "--target", folder, "-r", lock], capture_output=True, text=True)
    if done.returncode:
        raise LiteFailed(f"pip could not install {lock.name} ({done.stderr.strip().splitlines()[-1]})")
    stamp.write_bytes(locked)
    return folder


def requirements() -> list[metadata.Distribution]:
    """Return the distributions of this environment that a page needs, each once."""
    from packaging.requirements import Requirement

    found: dict[str, metadata.Distribution] = {}

    def add(name: str) -> None:
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in found or key in LEFT_OUT:
            return
        found[key] = metadata.distribution(name)
        for line in found[key].requires or ():
            each = Requirement(line)
            if each.marker is None or each.marker.evaluate(TARGET):
                add(each.name)

    for name in ROOTS:
        add(name)
    return list(found.values())


def environment(root: Path, parts: Path) -> Iterator[tuple[str, bytes]]:
    """Yield each file of the kernel's environment: its path in the page, and its content."""
    others = [each for each in metadata.distributions(path=[str(parts)]) if each.metadata["Name"].lower() in OTHERS]
    for dist in (*requirements(), *others):
        for file in dist.files or ():
            if not UNUSED.search(str(file)) and (path := Path(str(dist.locate_file(file)))).is_file():
                yield f"{PACKAGES}/{file}", path.read_bytes()
    for wheel in sorted(parts.rglob("pypi/*.whl")):
        if wheel.name.startswith(("pyodide_kernel", "ipykernel")):
            with ZipFile(wheel) as packed:
                for name in packed.namelist():
                    if not UNUSED.search(name):
                        yield f"{PACKAGES}/{name}", packed.read(name)
    package = root / "mqlab"
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield f"{PACKAGES}/{path.relative_to(root)}", path.read_bytes()
    for name in IN_PAGE:
        yield f"{PACKAGES}/tools/{name}.py", Path(__file__).with_name(f"{name}.py").read_bytes()
    for folder in ("notebooks", "datasets"):
        for path in sorted((root / folder).rglob("*")):
            tour = path == root / TOUR  # by which a checkout is known
            if path.is_file() and (tour or path.suffix not in (".parquet", ".ipynb")):
                yield f"{HOME}/{path.relative_to(root)}", path.read_bytes()


def configuration(place: str) -> dict[str, Any]:
    """Return the jupyter-lite.json of the folder, in which the kernel is in `place`."""
    # the kernel asks for everything that is not in this list
    loaded = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"]
    kernel = {
        "pyodideUrl": f"./{place}/kernel.js",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": loaded},
    }
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "mqlab",
            "disabledExtensions": ["@jupyterlite/application-extension:service-worker-manager"],
            "exposeAppInBrowser": True,
            "litePluginSettings": {KERNEL: kernel},
        },
    }


def contents(root: Path, to: Path, executed: Path, run: bool) -> None:
    """Write the notebooks and exercises as a learner finds them, for the kernel of the page.

    A notebook that needs more than a page has gets a sentence about it, its results if `run`, and QUESTION instead of
    Spark if it makes no lab without it; raises NotebookFailed.
    """
    sources = [path for folder in ("notebooks", "exercises") for path in sorted((root / folder).rglob("*.ipynb"))]
    missing = {path: found for path in sources if (found := needed(path.read_text(encoding="utf-8")))}
    results = executed_copies(list(missing), executed) if run else {}
    for path in sources:
        book = json.loads(results.get(path, path).read_text(encoding="utf-8"))
        book["cells"] = [cell for cell in book["cells"] if not OURS & {*cell["metadata"].get("tags", ())}]
        for cell in book["cells"]:
            if "outputs" in cell:
                cell["outputs"] = [each for each in cell["outputs"] if WIDGET not in each.get("data", ())]
                cell["metadata"]["trusted"] = True  # otherwise JupyterLab shows no styles and no controls
        book["metadata"] = METADATA
        if path in missing:
            book["cells"][1:1] = instead(missing[path], path in results, path.name.startswith(WITH_A_LAB))
        target = to / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, json.dumps(book, ensure_ascii=False, indent=1))


def needed(text: str) -> Absent | None:
    """Return what a notebook needs and a page cannot have; None if it runs there."""
    return next((each for each in ABSENT if re.search(each.needed, text)), None)


def instead(absent: Absent, results: bool, with_a_lab: bool) -> list[dict[str, Any]]:
    """Return the cells at the top of a notebook that needs what a page cannot have."""
    asks = absent is SPARK and not with_a_lab
    words = (RESULTS if results else NO_RESULTS).format(absent.name)
    last = ASK if asks else "" if absent is SPARK else f"{absent.instead}."
    note = {"cell_type": "markdown", "id": "in-a-browser", "metadata": {}}
    note["source"] = f"> {absent.name} does not run in a browser. {words} {last}".rstrip()
    code = {"cell_type": "code", "id": "small-questions", "metadata": {}, "source": QUESTION}
    return [note, code | {"execution_count": None, "outputs": []}] if asks else [note]


def address(path: str) -> str:
    """Return the address of a notebook for a link of the front page: its workspace has the tabs opened there alone.

    In one workspace for all, each notebook that was ever opened would start its kernel again.
    """
    return f"lab/index.html?path={path}&amp;workspace={Path(path).stem}"


def numbered(place: course.Place) -> str:
    """Return the title of a notebook with the number by which the course names it, or the title of an exercise."""
    number = Path(place.name).name[:2]
    return f"{number} {place.title}" if number.isdigit() and place.name.startswith("notebooks/") else place.title


def front(root: Path, out: Path, place: str) -> None:
    """Write the front page: the incident of the day, the contents of the course, and the progress, with scripts in
    `place`; and the opening, which plays without a kernel."""
    places = {place.name: place for place in (*course.notebooks(root), *course.exercises())}
    steps = [file for file in course.path() if file in places]
    parts = {"The path": steps, "The library": [file for file in places if file not in steps]}
    lists = "".join(
        f"<h3>{title}</h3>\n" + listed([Made(address(file), numbered(places[file])) for file in found])
        for title, found in parts.items()
    )
    page = (TEMPLATES / "front.html").read_text(encoding="utf-8")
    style = STYLE.read_text(encoding="utf-8") + desk.style()
    for word, text in {"DAYS": str(DAYS), "PYTHON": place, "LISTS": lists, "STYLE": style}.items():
        page = page.replace(word, text)
    write_whole(out / "index.html", page)
    page = opening("One queue to break", "Nothing is installed, and nothing leaves this computer.")
    back = '<p><a href="index.html">The incident of the day, and the course</a></p>'
    write_whole(out / "opening.html", page.replace("</main>", f"{back}</main>", 1))


def incidents() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the incidents of the day, each with what a page shows before Python is there."""
    for seed in range(DAYS):
        incident = Incident(seed)
        shown = desk.Desk(incident).answer('{"ask": "show"}')
        incident.lab.close()
        yield f"incident-{seed}.bin", gzip.compress(shown.encode(), 9, mtime=0)


def extensions(parts: Path) -> list[str]:
    """Return the folders of the extensions of JupyterLab that go into the page."""
    there = Path(sys.prefix, "share/jupyter/labextensions")
    own = parts / "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension"
    return [str(own), *(str(there / name) for name in EXTENSIONS)]


def build(root: Path, out: Path, run: bool = True) -> None:
    """Write the folder `out`, which may be there from an earlier build; if it cannot be written, the earlier one stays.

    Raises LiteFailed or pyodide.NoPyodide.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not [*out.glob("static/python*/environment.bin")]:
        raise LiteFailed(f"{near(out)} exists, and make lite did not write it; name another folder with --out")
    parts = tools(root)
    python = pyodide.pyodide(root / OUTPUT)
    files = kernel(root, parts, python)
    # no browser joins files of two builds: those of this one have a folder with a name of their own
    place = f"static/python-{hashlib.sha256(b''.join(files.values())).hexdigest()[:12]}"
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent) as temporary:
        draft = Path(temporary, "lite")
        jupyterlite(root, parts, Path(temporary, "work"), draft, place, run)
        finish(root, draft, place, files)
        if out.exists():
            out.rename(Path(temporary, "earlier"))
        draft.rename(out)


def finish(root: Path, out: Path, place: str, files: dict[str, bytes]) -> None:
    """Add the files of the kernel, the script that begins in the lab, and the front page."""
    (out / place).mkdir(parents=True)
    (worker,) = (out / "extensions").rglob("comlink.worker.*.js")
    files["worker.js"] = files["worker.js"].replace(
        b"KERNEL_WORKER", f"../../{worker.relative_to(out).as_posix()}".encode()
    )
    for name, content in files.items():
        (out / place / name).write_bytes(content)
    quiet = out / "lab" / "jupyter-lite.json"  # loading.js names what loads
    write_whole(
        quiet,
        quiet.read_text(encoding="utf-8").replace('"showLoadingIndicator": true', '"showLoadingIndicator": false'),
    )
    lab = out / "lab" / "index.html"
    script = f'<script type="module" src="../{place}/loading.js"></script>'
    write_whole(lab, lab.read_text(encoding="utf-8").replace("</body>", f"{script}</body>", 1))
    front(root, out, place)


def kernel(root: Path, parts: Path, python: Path) -> dict[str, bytes]:
    """Return the files of the kernel and of the scripts around it: Pyodide, the environment, and the templates."""
    files = dict(environment(root, parts))
    ours = {
        path for path in files if path.startswith((f"{PACKAGES}/mqlab/", f"{PACKAGES}/tools/"))
    }  # they change, the others are kept
    for part in (ours, files.keys() - ours):
        files |= compiled({path: files[path] for path in sorted(part)}, python, root / OUTPUT)
    archive = archived(without_sources(files, ours))
    found = {path.name: path.read_bytes() for path in sorted(python.iterdir())}
    found |= {path.name: path.read_bytes() for path in sorted(TEMPLATES.iterdir()) if path.name != "front.html"}
    found[UNPACKS] = (COMPILING / UNPACKS).read_bytes()
    found["desk-page.mjs"] = desk.script().encode()
    for name in [name for name in found if name.endswith(".mjs")]:  # not every server knows this ending for a script
        found[name.removesuffix("mjs") + "js"] = found.pop(name).replace(b".mjs", b".js")
    found[pyodide.LOCK] = pyodide.without_packages(python).encode()
    found[pyodide.STANDARD_LIBRARY] = standard_library(python, root / OUTPUT)
    return found | {"environment.bin": gzip.compress(archive, 9, mtime=0)} | dict(incidents())


def jupyterlite(root: Path, parts: Path, work: Path, out: Path, place: str, run: bool) -> None:
    """Write JupyterLite and the notebooks into `out`; in `work`, which is new, JupyterLite remembers what it did."""
    contents(root, work / "files", root / OUTPUT / "notebooks", run)
    write_whole(work / "jupyter-lite.json", json.dumps(configuration(place)))
    write_whole(work / "jupyter_lite_config.json", json.dumps({"LiteBuildConfig": build_config(work, parts, out)}))
    shutil.copy(next((root / "mqlab/cli/jupyter/labconfig").glob("*.json")), work / "overrides.json")
    # after this environment's own packages: another jsonschema is among the parts
    program = "import sys; sys.path.append(sys.argv.pop(1)); from jupyterlite_core.app import main; main()"
    command = [sys.executable, "-c", program, str(parts), "build", "--lite-dir", str(work)]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if done.returncode:
        raise LiteFailed(f"JupyterLite could not be built: {(done.stderr + done.stdout)[-2000:]}")


def build_config(work: Path, parts: Path, out: Path) -> dict[str, Any]:
    """Return what JupyterLite's own build does: one application, without what the page does not use."""
    return {
        "apps": ["lab"],
        "contents": [str(work / "files")],
        "federated_extensions": extensions(parts),
        "ignore_sys_prefix": True,
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "output_dir": str(out),
    }


def serve(out: Path, port: int) -> None:
    """Serve the folder on loopback until interrupted; raises LiteFailed if it is not there."""
    if not (out / "lab" / "index.html").is_file():
        raise LiteFailed(f"{near(out)} has not been built; run make lite")
    with served(out, port) as server:
        print(f"The course is served at http://127.0.0.1:{server.server_port}/\nCtrl+C ends it.", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def size_of(out: Path) -> str:
    """Return the size of the folder in words; raises LiteFailed if it is larger than LIMIT."""
    files = [path for path in out.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    if size > LIMIT:
        raise LiteFailed(f"{near(out)} has {size / 1e6:.1f} MB, more than {LIMIT / 1e6:.0f} MB; leave out what grew")
    return f"{len(files)} files, {size / 1e6:.1f} MB"


def main(argv: list[str] | None = None) -> int:
    """Build the folder, or serve it; return 0, or 1 with the reason in one sentence on stderr."""
    parser = command_line(
        "make lite",
        "Write the course as a folder for any web server, build/lite/: it runs in the browser, without a network.",
        'examples:\n  make lite\n  make lite ARGS=--without-results\n  make lite-serve ARGS="--port 8000"',
        checkout=True,
    )
    parser.add_argument("--out", type=Path, help="the folder (default build/lite of the checkout)")
    parser.add_argument("--without-results", action="store_true", help="do not run the notebooks that need Spark")
    parser.add_argument("--serve", action="store_true", help="serve the folder on this machine instead")
    parser.add_argument("--port", type=int, default=PORT, help=f"port of the server (default {PORT})")
    options = parser.parse_args(argv)
    try:
        root = checkout(options.dir)
        out = (options.out or root / OUTPUT / "lite").resolve()
        if options.serve:
            serve(out, options.port)
            return 0
        build(root, out, not options.without_results)
        print(pyodide.UNTIL)
        print(f"{near(out)}: {size_of(out)}; make lite-serve serves it on this machine")
    except (NotACheckout, NotebookFailed, LiteFailed, pyodide.NoPyodide, OSError) as problem:
        return stopped("lite", problem)
    return 0


if __name__ == "__main__":
    sys.exit(main())
