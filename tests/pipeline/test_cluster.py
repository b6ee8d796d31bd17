"""The pipeline on a real cluster whose workers have no checkout, and over Spark Connect there; a worker is killed."""

import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import mqlab
from helpers import lab_error
from mqlab.pipeline.cluster import running, up

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(os.name == "nt", reason="a cluster needs bash and ps")]
SCRIPT = Path(__file__).with_name("on_cluster.py")


@pytest.fixture(scope="module")
def cluster(bare_python, tmp_path_factory):
    """A cluster with two workers of one core."""
    made = up(workers=2, python=bare_python, folder=tmp_path_factory.mktemp("cluster"))
    yield made
    made.down()


@pytest.fixture(scope="module")
def folder(story, write_slices, tmp_path_factory):
    """The event log in slices."""
    folder = tmp_path_factory.mktemp("work")
    write_slices(story, folder / "logs", 4)
    return folder


@pytest.fixture(scope="module")
def here(spark, folder):
    """The answers of a local session."""
    spec = spec_from_file_location("on_cluster", SCRIPT)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.answers(spark, folder / "logs", folder / "here")


@pytest.fixture(scope="module")
def found(cluster, folder):
    """The answers of a Python with sessions over Spark Connect, on the cluster, and over Spark Connect again."""
    command = [sys.executable, str(SCRIPT), str(cluster.folder), str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(Path(mqlab.__file__).parents[1])}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=environment, cwd=folder)
    assert ran.returncode == 0, ran.stderr[-4000:]
    return json.loads(ran.stdout.splitlines()[-1])


def test_both_kinds_of_session_ship_mqlab_and_give_the_same_answers(found, here):
    for kind in ("connect", "classic"):
        assert (found[kind]["places"], found[kind]["answers"]) == (["mqlab.zip/mqlab/__init__.pyc"], here), kind
    assert found["laptop"] == [], "settings of a local session"


def test_a_session_of_one_kind_follows_the_other_but_there_is_one_at_a_time(cluster, found):
    taken = "this Python has a Spark session already, {}. Stop it first: spark.stop()"
    assert found["connect"]["other"] == taken.format("over Spark Connect")
    assert found["classic"]["other"] == taken.format(f"on {cluster.master}")
    assert found["again"] == [4, True]
    assert found["local"] == [5, "", "", ""], "no setting of the cluster"


def test_a_sweep_survives_the_death_of_a_worker(cluster, found):
    assert found["killed"] == [40, True]
    states = {each.what: each.pid is not None for each in cluster.status()}
    assert states == {"master": True, "worker 1": False, "worker 2": True, "connect": True}
    lab_error("worker 1 is dead already", cluster.kill, 1)


def test_a_stranger_gets_no_answer(cluster):
    from pyspark.errors import PySparkException
    from pyspark.sql.connect.session import SparkSession

    stranger = SparkSession.builder.remote(f"{cluster.remote}/;token=guessed").create()
    with pytest.raises(PySparkException, match="UNAUTHENTICATED"):
        stranger.range(1).count()
    stranger.client.close()  # at the end of Python, it would look for its server for minutes


def test_a_second_cluster_in_the_folder_is_refused_and_the_files_are_private(cluster):
    lab_error("a cluster is up already", up, folder=cluster.folder)
    assert (running(cluster.folder), cluster.folder.stat().st_mode & 0o077) == (cluster, 0)
    assert {path.stat().st_mode & 0o077 for path in cluster.folder.glob("conf/*")} == {0}
