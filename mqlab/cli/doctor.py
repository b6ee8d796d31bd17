"""The doctor: a table of checks of this machine, with a fix for each failed check."""

import importlib.metadata
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import NamedTuple

from mqlab.cli import command_of
from mqlab.lab.checkout import TOUR, NotACheckout, checkout

GREEN, AMBER, RED = "green", "amber", "red"
OLDEST_PYTHON = (3, 11)
LAB_PORT = 8888
SPARK_SECONDS = 120
SPARK_PROBE = """
import tempfile
import pandas
from pyspark.sql.functions import pandas_udf
import mqlab
from mqlab.pipeline import questions, session
from mqlab.pipeline.read import read_events
spark = session()
@pandas_udf("long")
def following(number: pandas.Series) -> pandas.Series:
    return number + 1
assert spark.range(3).select(following("id")).count() == 3
lab = mqlab.Lab()
qm = lab.queue_manager("QM1")
qm.mqsc("DEFINE QLOCAL(Q1)")
qm.put("Q1", b"a message")
with tempfile.TemporaryDirectory() as folder:
    log = f"{folder}/log.parquet"
    lab.events.write_parquet(log)
    events = read_events(spark, log)
    assert [row["fate"] for row in questions.fate(events).collect()] == ["waiting"]
print("Spark", spark.version)
spark.stop()
"""

COLOURS = {GREEN: "\x1b[32m", AMBER: "\x1b[33m", RED: "\x1b[31;1m"}


class Check(NamedTuple):
    """One row of the doctor's table: the part that is checked, its state, the finding, and the fix ("" if green)."""

    name: str
    state: str
    found: str
    fix: str = ""


def python() -> Check:
    """Is this Python new enough, and a virtual environment?"""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        return Check("Python", RED, version, "install Python 3.11 or newer, then: make PYTHON=python3.11 setup")
    if sys.prefix == sys.base_prefix and "CONDA_PREFIX" not in os.environ:
        return Check("Python", AMBER, f"{version}, not in a virtual environment", "make setup creates .venv")
    return Check("Python", GREEN, f"{version} in {sys.prefix}")


def wanted(lock: Path) -> dict[str, str]:
    """Return name -> version that a lock file requires on this machine."""
    from packaging.requirements import Requirement

    pins = {}
    for line in lock.read_text(encoding="utf-8").splitlines():
        if not line or line[0] in " #":
            continue
        pin = Requirement(line.rstrip("\\ "))
        if pin.marker is None or pin.marker.evaluate():
            pins[pin.name] = next(iter(pin.specifier)).version
    return pins


def packages() -> Check:
    """Are the packages those of the lock file?"""
    lock = Path(__file__).resolve().parents[2] / "requirements.lock"
    if not lock.is_file() or importlib.util.find_spec("packaging") is None:
        return Check("Packages", AMBER, "no requirements.lock to compare with", "run mqlab from a checkout")
    missing, other = [], []
    for name, version in wanted(lock).items():
        try:
            have = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
            continue
        if have != version:
            other.append(f"{name} {have} (lock: {version})")
    if missing:
        return Check("Packages", RED, f"missing: {', '.join(missing[:5])}", "rm -rf .venv && make setup")
    if other:
        return Check("Packages", AMBER, f"not as locked: {', '.join(other[:3])}", "rm -rf .venv && make setup")
    return Check("Packages", GREEN, "the versions of requirements.lock")


def java() -> Check:
    """Which Java will Spark use?"""
    from mqlab.pipeline.spark import FIX, JavaMissing, find_java

    try:
        found, passed_over = find_java()
    except JavaMissing as missing:
        return Check("Java", RED, missing.why, FIX)
    words = f"{found.version} from {found.origin}: {found.home}"
    if passed_over:
        words += f"; skipped {passed_over[0]}"
        return Check("Java", AMBER, words, "set JAVA_HOME to the Java that Spark uses, or unset it")
    return Check("Java", GREEN, words)


def spark() -> Check:  # text: Spark's
    """Does Spark start, do its Python workers, and does it say what became of a message?"""
    fix = "fix Java first; if Java is fine, read: python -c 'import mqlab.pipeline; mqlab.pipeline.session()'"
    if importlib.util.find_spec("pyspark") is None:
        return Check("Spark", RED, "PySpark is not installed", "pip install 'mqlab[spark]'")
    try:
        ran = subprocess.run(
            [sys.executable, "-"], input=SPARK_PROBE, capture_output=True, text=True, timeout=SPARK_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Check("Spark", RED, f"no response within {SPARK_SECONDS} s", fix)
    if ran.returncode:
        last = (ran.stderr.strip().splitlines() or ["it ended without a message"])[-1]
        return Check("Spark", RED, last[:200], fix)
    return Check("Spark", GREEN, f"{ran.stdout.strip()} and its Python workers start and answer a question about a log")


def charts() -> Check:
    """Can a chart be drawn without a browser?"""
    fix = "pip install 'mqlab[lab]'"
    try:
        import altair

        from mqlab.views.charts.renderer import picture

        point = altair.Chart(altair.Data(values=[{"x": 1}]), title="probe").mark_point().encode(x="x:Q")
        drawn = picture(point.to_dict())
    except ImportError as error:
        return Check("Charts", RED, str(error), fix)
    except ValueError as error:
        return Check("Charts", RED, f"vl-convert drew nothing: {error}", fix)
    state = GREEN if "</svg>" in drawn else RED
    return Check("Charts", state, f"altair {altair.__version__} draws", "" if state == GREEN else fix)


def widgets() -> Check:
    """Are the widgets installed, for the kernel and for JupyterLab?"""
    fix = "pip install 'mqlab[lab]'"
    absent = [name for name in ("ipywidgets", "jupyterlab_widgets", "jupyterlab") if not importlib.util.find_spec(name)]
    if absent:
        return Check("Widgets", RED, f"missing: {', '.join(absent)}", fix)
    from jupyter_core.paths import jupyter_path

    places = [Path(path, "@jupyter-widgets", "jupyterlab-manager") for path in jupyter_path("labextensions")]
    if not any(place.is_dir() for place in places):
        return Check("Widgets", RED, "JupyterLab does not see the widgets' front end", fix)
    return Check("Widgets", GREEN, f"ipywidgets {importlib.metadata.version('ipywidgets')}, seen by JupyterLab")


def disk() -> Check:
    """Is there enough disk space for the files of the tour and of Spark?"""
    free = {place: shutil.disk_usage(place).free / 1e9 for place in (Path.cwd(), Path(tempfile.gettempdir()))}
    place, least = min(free.items(), key=lambda item: item[1])
    words = f"{least:.1f} GB free in {place}"
    if least >= 2:
        return Check("Disk", GREEN, words)
    return Check("Disk", RED if least < 0.5 else AMBER, words, "free at least 2 GB")


def ports() -> Check:
    """Can JupyterLab and Spark listen on loopback, and is Jupyter's usual port free?"""
    try:
        with socket.create_server(("127.0.0.1", 0)):
            pass
    except OSError as error:
        return Check("Ports", RED, f"nothing can listen on 127.0.0.1 ({error})", "let programs listen on loopback")
    try:
        with socket.create_server(("127.0.0.1", LAB_PORT)):
            return Check("Ports", GREEN, f"loopback works and port {LAB_PORT} is free")
    except OSError:
        return Check("Ports", AMBER, f"port {LAB_PORT} is in use", "JupyterLab uses the next port; or --port 9000")


def files() -> Check:
    """Are the notebooks and data sets here?"""
    try:
        root = checkout()
    except NotACheckout as problem:
        return Check("Notebooks", AMBER, str(problem), "get a checkout of mqlab; the package alone has no notebooks")
    data = "datasets" if (root / "datasets").is_dir() else "no datasets"
    return Check("Notebooks", GREEN, f"{TOUR} and {data} in {root}")


QUICK = (python, packages, java, charts, widgets, disk, ports, files)
SLOW = (spark,)


def rows(check: Check, width: int, colours: bool) -> str:
    """Return one check as lines of the table: name, state in a word, the finding, and the fix below it."""
    state = f"{COLOURS[check.state]}{check.state:6}\x1b[0m" if colours else f"{check.state:6}"
    found = textwrap.wrap(check.found, width - 20, break_long_words=False)
    fix = textwrap.wrap(f"fix: {check.fix}", width - 20, subsequent_indent=" " * 6) if check.fix else []
    return f"{check.name:11}  {state} " + f"\n{' ' * 20}".join(found + fix)


def verdict(made: list[Check]) -> str:
    """Return the last line: the names of the checks that are not green."""
    reds = [check.name for check in made if check.state == RED]
    ambers = [check.name for check in made if check.state == AMBER]
    if reds:
        return f"Failed: {', '.join(reds)}. Fix {'that' if len(reds) == 1 else 'these'} first; the rest can wait."
    if ambers:
        return f"Everything works. Worth a look: {', '.join(ambers)}."
    return "Everything works."


def main(argv: list[str] | None = None) -> int:
    """Print the table; return 1 if a check is red, else 0."""
    parser = command_of("doctor")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args(argv)
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    made: list[Check] = []
    print(f"{'Check':11}  {'State':6} Found")
    for look in QUICK if options.quick else QUICK + SLOW:
        made.append(look())
        print(rows(made[-1], 110, colours), flush=True)
    print(f"\n{verdict(made)}")
    return 1 if any(check.state == RED for check in made) else 0
