"""A Spark cluster on this machine, to try and to break: a standalone master, workers, and a Spark Connect server.

Everything listens on loopback, wants a secret that is made at each start, and keeps its files in one folder, which only
its owner can read. Every process has the name of its cluster on its command line; no other process is ever killed.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from ..engine.words.arguments import checked_calls, require, within
from ..engine.words.errors import LabError
from .shipping import ROOT, package, ship
from .spark import TAKEN, SparkUnavailable, environment, laid_over, session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WORKERS = 16
ARCHIVE = f"{ROOT}.zip"  # this package, as every session on the cluster ships it to the workers
LEAST_MB = 512  # the heap of an executor and of the Connect server; Spark starts neither with less
DAEMON_MB, JVM_MB = 128, 150  # the heap of master and worker, and what a Java process takes besides its heap
PATIENCE = 120  # seconds for a busy machine to start all of it
MASTER, WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"
CONNECT = "org.apache.spark.sql.connect.service.SparkConnectServer"
JVM_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Duser.timezone=UTC"
LOG = "org/apache/spark/log4j2-defaults.properties"  # Spark's own: what master and workers do is worth reading
FOREIGN = re.compile(r"SPARK|PYSPARK|PYTHONPATH$|PYTHONHOME$|HADOOP|YARN")  # what a process does not get of this shell
START = "Start one: mqlab cluster up, or mqlab.pipeline.cluster.up()"
STOP = "Stop it first: mqlab cluster down, or mqlab.pipeline.cluster.running().down()"
# The sessions of Spark Connect by cluster. An open one would look for its server for minutes at the end of Python.
_connected: dict[str, list[Any]] = {}
Processes = dict[int, tuple[int, str]]


class Member(NamedTuple):
    """A process of a cluster: "master", "worker 1", or "connect", with `pid` None if it has died."""

    what: str
    pid: int | None
    cores: int
    used: int
    executors: tuple[int, ...]

    def __str__(self) -> str:
        if self.pid is None:
            return f"{self.what:10}dead"
        cores = f", {self.used} of {self.cores} cores in use" if self.cores else ""
        of = f", executors {', '.join(map(str, self.executors))}" if self.executors else ""
        return f"{self.what:10}pid {self.pid}{cores}{of}"


@dataclass(frozen=True, repr=False)
class Cluster:
    """A cluster that `up` has started."""

    folder: Path
    name: str
    workers: int
    cores: int
    memory: int
    python: str
    token: str
    ports: dict[str, int]

    @property
    def master(self) -> str:
        """The address of the master, for a classic session."""
        return f"spark://127.0.0.1:{self.ports['master']}"

    @property
    def remote(self) -> str:
        """The address of the Connect server, without the token."""
        return f"sc://localhost:{self.ports['connect']}"

    @property
    def page(self) -> str:
        """The address of the master's web page."""
        return f"http://127.0.0.1:{self.ports['page']}"

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables with which `session`, spark-submit, and pyspark find the cluster and its secret."""
        return {**environment(), "PYSPARK_PYTHON": self.python, "SPARK_CONF_DIR": str(self.folder / "conf")}

    def session(self, **conf: str) -> SparkSession:
        """Return a classic session on the cluster; LabError if the master has died, if other applications hold every
        core, or if this Python has a session somewhere else; SparkUnavailable if that is one of Spark Connect."""
        from pyspark import SparkContext

        self._alive("master")
        context = SparkContext._active_spark_context
        if context is not None and context.master != self.master:
            raise LabError(TAKEN.format(f"on {context.master}"))
        if context is None and not any(each.cores > each.used for each in self.status()):
            raise LabError(
                f"a session needs a free core; the workers have none, because other applications hold them all or the "
                f"workers are dead: {self.page} lists both. Stop a session (spark.stop()), or start a cluster with more"
            )
        with laid_over(self.variables):
            return session(**{"spark.master": self.master, **conf})

    def connect(self) -> SparkSession:
        """Return a session of Spark Connect; LabError if the server has died, or this Python has a classic session."""
        from pyspark import SparkContext
        from pyspark.sql import SparkSession

        self._alive("connect")
        if (context := SparkContext._active_spark_context) is not None:
            raise LabError(TAKEN.format(f"on {context.master}"))
        spark = SparkSession.builder.remote(f"{self.remote}/;token={self.token}").getOrCreate()
        ship(spark)
        _connected.setdefault(self.name, []).append(spark)
        return spark

    def status(self) -> list[Member]:
        """Return the processes of the cluster, as they are now."""
        processes = _processes()
        pids, seen = self._pids(processes), {each["port"]: each for each in self._page().get("workers", ())}
        found = []
        for what in self._members:
            pid = pids.get(what)
            worker = seen.get(self.ports[what], {}) if pid else {}
            under = _below(processes, pid) if pid and what.startswith("worker") else []
            executors = tuple(each for each in under if "CoarseGrainedExecutorBackend" in processes[each][1])
            found.append(Member(what, pid, worker.get("cores", 0), worker.get("coresused", 0), executors))
        return found

    def kill(self, number: int) -> list[int]:
        """Kill worker `number` (from 1) and its executors, like a machine that loses power, and return their pids;
        LabError if there is no such worker, or if it is dead already."""
        if not 1 <= number <= self.workers:
            raise LabError(f"number must be the number of a worker, 1 to {self.workers}; got {number}")
        processes = _processes()
        pid = self._pids(processes).get(f"worker {number}")
        if pid is None:
            raise LabError(f"worker {number} is dead already: kill another, or start a new cluster. {STOP}")
        return _kill([pid, *_below(processes, pid)])

    def down(self) -> None:
        """Kill every process of the cluster, close this Python's sessions over Spark Connect, and remove the folder."""
        for spark in _connected.pop(self.name, ()):
            spark.release_session_on_close = False  # the server may be dead
            spark.stop()
        end = monotonic() + PATIENCE
        while monotonic() < end:
            processes = _processes()
            if not (ours := list(self._marked(processes))):
                break
            _kill([*ours, *(below for pid in ours for below in _below(processes, pid))])
            sleep(0.05)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __repr__(self) -> str:
        lines = (str(each) for each in self.status())
        return "\n  ".join([f"Spark cluster at {self.master}, page {self.page}, Connect {self.remote}", *lines])

    @property
    def _members(self) -> list[str]:
        return ["master", *(f"worker {each + 1}" for each in range(self.workers)), "connect"]

    def _marked(self, processes: Processes) -> Iterator[int]:
        """The pids of the processes with the cluster's name on their command line."""
        return (pid for pid, (_, line) in processes.items() if f"-Dmqlab.cluster={self.name}" in line)

    def _pids(self, processes: Processes) -> dict[str, int]:
        marks = {f"-Dmqlab.cluster={self.name}/{_dashed(what)} ": what for what in self._members}
        ours = [(pid, processes[pid][1]) for pid in self._marked(processes)]
        return {what: pid for pid, line in ours for mark, what in marks.items() if mark in line}

    def _alive(self, what: str) -> None:
        if what not in self._pids(_processes()):
            raise LabError(f"the {what} of the cluster has died: {self._last(what)}. {STOP}")

    def _page(self) -> dict[str, Any]:
        """Return the master's report of its workers and applications; empty while the master does not respond."""
        try:
            with build_opener(ProxyHandler({})).open(f"{self.page}/json/", timeout=10) as answer:
                return json.load(answer)
        except (URLError, OSError, ValueError):
            return {}

    def _last(self, what: str) -> str:  # text: Spark's log
        with suppress(OSError):
            lines = [line for line in self._log(what).read_text(errors="replace").splitlines() if line.strip()]
            telling = [line for line in lines if re.search("Caused by|Exception|Error|ERROR|annot|ould not", line)]
            return (telling or lines or ["its log is empty"])[-1].strip()[:300]
        return "it has no log"

    def _log(self, what: str) -> Path:
        return self.folder / f"{_dashed(what)}.log"


def _dashed(what: str) -> str:
    return what.replace(" ", "-")


def _processes() -> Processes:
    """The processes of this machine by pid, each with its parent's pid and its command line."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = (line.split(None, 2) for line in listed.stdout.splitlines())
    return {int(row[0]): (int(row[1]), row[2]) for row in rows if len(row) == 3}


def _below(processes: Processes, pid: int) -> list[int]:
    """The pids of the processes that a process started, and of those that they started."""
    children = [each for each, (parent, _) in processes.items() if parent == pid]
    return [*children, *(below for child in children for below in _below(processes, child))]


def _kill(pids: list[int]) -> list[int]:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return pids


def _home(folder: str | Path | None) -> Path:
    """A folder, that of `mqlab cluster up` for None."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "mqlab" / "cluster" if folder is None else Path(folder).absolute()


def _read(folder: Path) -> Cluster | None:
    with suppress(OSError, ValueError, TypeError):
        return Cluster(folder, **json.loads((folder / "cluster.json").read_text()))
    return None


def running(folder: str | Path | None = None) -> Cluster:
    """Return the cluster that is up, that of `mqlab cluster up` or of another folder; raises LabError if none is."""
    found = _read(place := _home(folder))
    if found is None:
        raise LabError(f"a cluster must be up; there is none in {place}. {START}")
    if not found._pids(_processes()):
        raise LabError(f"a cluster must be up; the one in {place} has died. {START}")
    return found


def up(
    workers: int = 2,
    cores: int = 1,
    memory: int = LEAST_MB,
    python: str | Path | None = None,
    folder: str | Path | None = None,
    stays: bool = False,
) -> Cluster:
    """Start a cluster, which ends with this Python unless it `stays`: a master, `workers`, and a Spark Connect server.

    A worker gives each of two applications an executor with `cores` and a heap of `memory` MB; `python` is the workers'
    interpreter. LabError if a cluster is up in the folder, or memory is short; SparkUnavailable if a process fails.
    """
    limits = (("workers", workers, 1, WORKERS), ("cores", cores, 1, 64), ("memory", memory, LEAST_MB, 1 << 20))
    for name, value, least, most in limits:
        require(name, value, int, f"a whole number, {least} to {most}", within(least, most))
    if os.name == "nt":
        raise LabError("a cluster needs bash and ps; Windows has neither. Use a Linux distribution in WSL")
    _room(workers, memory)
    try:
        variables = environment()
    except ImportError as error:
        raise SparkUnavailable(f"PySpark is not installed ({error}): pip install 'mqlab[spark]'") from None
    members = ("master", "page", "connect", *(f"worker {each + 1}" for each in range(workers)))
    made = Cluster(
        folder=_prepared(_home(folder)),
        name=secrets.token_hex(8),
        workers=workers,
        cores=cores,
        memory=memory,
        python=str(python or sys.executable),
        token=secrets.token_urlsafe(24),
        ports=dict(zip(members, _free_ports(len(members)), strict=True)),
    )
    _write(made)
    if not stays:
        _tie(made)
    started: dict[str, subprocess.Popen] = {}
    try:
        _start(made, variables, started)
    except BaseException:
        for each in started.values():
            each.kill()
        made.down()
        raise
    return made


def _room(workers: int, memory: int) -> None:
    """LabError if this machine cannot hold the heaps of a cluster."""
    wanted = (1 + workers) * (DAEMON_MB + JVM_MB) + LEAST_MB + JVM_MB + 2 * workers * (memory + JVM_MB)
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    if wanted > there:
        raise LabError(
            f"the machine must have memory for the cluster; {workers} workers of {memory} MB need up to {wanted} MB, "
            f"and it has {there} MB. Start fewer workers, or give each less"
        )


def _free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def _prepared(folder: Path) -> Path:
    """The folder, empty and its owner's alone; LabError if a cluster is up in it, or if it holds anything else."""
    before = _read(folder)
    if before is not None and (up_now := sorted(before._marked(_processes()))):
        raise LabError(f"a cluster is up already in {folder} (pids {', '.join(map(str, up_now))}). {STOP}")
    if before is not None:  # it died with the machine
        shutil.rmtree(folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    if any(folder.iterdir()):
        raise LabError(f"folder must be empty, because the cluster removes it when it stops; got {folder}")
    return folder


def _write(cluster: Cluster) -> None:
    """Write what `running` reads, and the settings of master, workers, and applications, secret included."""
    conf, tmp, total = cluster.folder / "conf", cluster.folder / "tmp", cluster.cores * cluster.workers
    for each in (conf, tmp):
        each.mkdir(mode=0o700)
    facts = {"cluster": cluster, "tmp": tmp, "total": total, "twice": 2 * total, "secret": secrets.token_urlsafe(24)}
    facts |= {"archive": package(cluster.folder / ARCHIVE), "options": f'{JVM_OPTIONS} "-Djava.io.tmpdir={tmp}"'}
    quiet, settings = (files(__package__).joinpath(f"{name}.properties") for name in ("log4j2", "cluster"))
    _private(conf / "spark-defaults.conf", settings.read_text("utf-8").format(**facts))
    _private(conf / "log4j2.properties", quiet.read_text("utf-8"))
    state = {name: value for name, value in asdict(cluster).items() if name != "folder"}
    _private(cluster.folder / "cluster.json", json.dumps(state))


def _private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text)


def _start(cluster: Cluster, java: dict[str, str], started: dict[str, subprocess.Popen]) -> None:
    """Start the master, then the workers and the Connect server, and wait for all of them."""
    spark, ports = Path(java["SPARK_HOME"], "bin"), cluster.ports
    inherited = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    tmp = str(cluster.folder / "tmp")
    variables = {
        **inherited,
        **java,
        "PYSPARK_PYTHON": cluster.python,
        "PYSPARK_DRIVER_PYTHON": cluster.python,
        "SPARK_CONF_DIR": str(cluster.folder / "conf"),
        "SPARK_LOCAL_DIRS": tmp,
        "SPARK_LAUNCHER_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData",
        "TMPDIR": tmp,
    }

    def start(what: str, heap: int, *command: object, **more: str) -> None:
        options = f"{JVM_OPTIONS} -Djava.io.tmpdir={tmp} -Dspark.port.maxRetries=0 -Dlog4j2.configurationFile={LOG}"
        options += f" -Dmqlab.cluster={cluster.name}/{_dashed(what)} -Dmqlab=1"
        own = {**variables, "SPARK_DAEMON_MEMORY": f"{heap}m", "SPARK_DAEMON_JAVA_OPTS": options, **more}
        with cluster._log(what).open("wb") as log:
            alone: dict = {"stdin": subprocess.DEVNULL, "start_new_session": True}
            line = [str(each) for each in command]
            started[what] = subprocess.Popen(line, cwd=cluster.folder, env=own, stdout=log, stderr=log, **alone)

    here = [*("--host", "127.0.0.1", "--port", ports["master"]), *("--webui-port", ports["page"])]
    start("master", DAEMON_MB, spark / "spark-class", MASTER, *here)
    _wait(cluster, started, lambda: bool(cluster._page()))
    size = [*("--cores", 2 * cluster.cores), *("--memory", f"{2 * cluster.memory}m"), *("--webui-port", 0)]
    for what in cluster._members[1:-1]:
        here = [*("--host", "127.0.0.1", "--port", ports[what]), *("--work-dir", cluster.folder / _dashed(what))]
        start(what, DAEMON_MB, spark / "spark-class", WORKER, *here, *size, cluster.master)
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": ports["connect"],
        "spark.dynamicAllocation.enabled": "true",  # no executor while nobody asks
        "spark.dynamicAllocation.shuffleTracking.enabled": "true",
    }
    conf = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    token = {"SPARK_CONNECT_AUTHENTICATE_TOKEN": cluster.token}
    start("connect", LEAST_MB, spark / "spark-submit", "--class", CONNECT, *conf, "spark-internal", **token)
    _wait(cluster, started, lambda: cluster._page().get("aliveworkers") == cluster.workers)
    _wait(cluster, started, lambda: _listens(ports["connect"]))


def _wait(cluster: Cluster, started: dict[str, subprocess.Popen], ready: Any) -> None:
    """Wait until it is ready; SparkUnavailable if a process ends first, or none of it comes."""
    end = monotonic() + PATIENCE
    while not ready():
        ended = [what for what, process in started.items() if process.poll() is not None]
        if ended or monotonic() > end:
            what = ended[0] if ended else "cluster"
            raise SparkUnavailable(
                f"the {what} did not start ({cluster._last(what) if ended else f'not within {PATIENCE} s'}). Has this "
                f"machine memory to spare? Start fewer workers, or stop other programs"
            )
        sleep(0.1)


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
        return True
    return False


KEEPER = "import sys; from mqlab.pipeline import cluster; sys.stdin.buffer.read(); cluster.running(sys.argv[1]).down()"
_keepers: list[subprocess.Popen] = []  # each reads a pipe that ends with this Python


def _tie(cluster: Cluster) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    quiet: dict = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    line = [sys.executable, "-c", KEEPER, str(cluster.folder)]
    _keepers.append(subprocess.Popen(line, env=environment, stdin=subprocess.PIPE, **quiet))


checked_calls(Cluster)
checked_calls(__name__, but=("up",))
