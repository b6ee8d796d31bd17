"""`mqlab cluster` at the command line, on processes that stand for those of Spark: what it stops, and what it says."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

import mqlab
from helpers import cases, refusal, says
from mqlab.cli import cli
from mqlab.pipeline import cluster

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a cluster needs bash and ps")
STANDS_FOR = "import sys, time; time.sleep(120)"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The folder of the cluster is one of this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "mqlab" / "cluster"


@pytest.fixture
def processes():
    """Start a process with a command line for the length of a test."""
    started = []

    def start(*words):
        started.append(
            subprocess.Popen([sys.executable, "-c", STANDS_FOR, *words, "-Dlast"], stderr=subprocess.DEVNULL)
        )
        return started[-1]

    yield start
    for each in started:
        each.kill()
        each.wait()


@pytest.fixture
def made(home):
    """The files of a cluster with two workers, without its processes."""
    ports = {"master": 1, "page": 1, "connect": 1, "worker 1": 1, "worker 2": 1}
    found = cluster.Cluster(home, "feedface", 2, 1, 512, sys.executable, "token", ports)
    home.mkdir(parents=True)
    state = {name: value for name, value in asdict(found).items() if name != "folder"}
    (home / "cluster.json").write_text(json.dumps(state))
    return found


@pytest.mark.parametrize("line", [["status"], ["kill", "1"], ["down"]])
def test_without_a_cluster_one_sentence_says_how_to_start_one(line, capsys, home):
    assert cli.main(["cluster", *line]) == 1
    assert capsys.readouterr().err.startswith(
        f"mqlab cluster: a cluster must be up; there is none in {home}. Start one"
    )


@cases(
    "given, said",
    (["--workers", "0"], "workers must be a whole number, 1 to 16; got 0"),
    (["--memory", "100"], "memory must be a whole number, 512 to 1048576; got 100"),
    (["--memory", "1000000"], "2 workers of 1000000 MB need up to"),
)
def test_a_cluster_that_cannot_be_is_refused_before_anything_starts(given, said, capsys, home):
    assert cli.main(["cluster", "up", *given]) == 1
    assert said in capsys.readouterr().err
    assert not home.exists()


def test_kill_and_down_end_what_belongs_to_the_cluster_and_nothing_else(made, processes, capsys, home):
    master, first, second, neighbor = (
        processes(f"-Dmqlab.cluster={name}")
        for name in ("feedface/master", "feedface/worker-1", "feedface/worker-2", "feedcafe/worker-1")
    )
    assert cli.main(["cluster", "up"]) == 1
    assert "a cluster is up already" in capsys.readouterr().err
    assert (cli.main(["cluster", "kill", "1"]), first.wait(10)) == (0, -signal.SIGKILL)
    assert f"pids {first.pid}" in capsys.readouterr().out
    assert (cli.main(["cluster", "kill", "1"]), cli.main(["cluster", "kill", "3"])) == (1, 1)
    said = capsys.readouterr().err
    says(said, "worker 1 is dead already", "number must be the number of a worker, 1 to 2; got 3")
    assert cli.main(["cluster", "status"]) == 0
    assert f"worker 1  dead\n  worker 2  pid {second.pid}\n  connect   dead" in capsys.readouterr().out
    assert (cli.main(["cluster", "down"]), master.wait(10), second.wait(10)) == (0, -signal.SIGKILL, -signal.SIGKILL)
    assert neighbor.poll() is None
    assert not home.exists()


def test_a_cluster_that_ended_with_the_machine_leaves_only_files(made, capsys, home):
    assert cli.main(["cluster", "status"]) == 1
    assert "has died" in capsys.readouterr().err
    assert cluster._prepared(home) == home
    assert not any(home.iterdir())
    (home / "mine.txt").touch()
    refusal(mqlab.LabError, "folder must be empty", cluster.up, folder=home)


def test_a_java_that_does_not_start_is_one_sentence_and_leaves_nothing(tmp_path, monkeypatch, capsys, home):
    program = tmp_path / "jdk" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        '#!/bin/sh\n[ "$1" = --list-modules ] && echo java.base@17 || echo "Error: no memory" >&2\nexit 1\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    assert cli.main(["cluster", "up"]) == 1
    assert "the master did not start (Error: no memory). Has this machine memory to spare?" in capsys.readouterr().err
    assert not home.exists()


def test_up_says_how_others_find_the_cluster_and_its_secret(made, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "up", lambda *given, **more: made)
    assert cli.main(["cluster", "up"]) == 0
    assert f"export SPARK_CONF_DIR={made.folder / 'conf'}" in capsys.readouterr().out
    assert made.variables["SPARK_CONF_DIR"] == str(made.folder / "conf")


DIES = """
import os, subprocess, sys
from mqlab.pipeline import cluster
def start(made, variables, started):
    line = [sys.executable, "-c", "import time; time.sleep(120)", f"-Dmqlab.cluster={made.name}/master", "-Dlast"]
    print(subprocess.Popen(line, start_new_session=True).pid, flush=True)
cluster._start = start
cluster.up(workers=1)
os.kill(os.getpid(), 9)
"""


def test_a_cluster_ends_with_the_python_that_started_it(tmp_path, home):
    environment = {**os.environ, "PYTHONPATH": str(Path(mqlab.__file__).parents[1])}
    ran = subprocess.run([sys.executable, "-c", DIES], capture_output=True, text=True, env=environment, timeout=60)
    assert ran.returncode == -signal.SIGKILL
    pid = int(ran.stdout)
    gone = ["sh", "-c", f"while kill -0 {pid} 2>/dev/null || [ -e '{home}' ]; do sleep 0.1; done"]
    assert subprocess.run(gone, timeout=60, check=False).returncode == 0
