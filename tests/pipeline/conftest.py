"""A Spark session for the pipeline's tests, and an event log written by hand."""

import os
import subprocess
import sys
import sysconfig
import venv
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mqlab import EventLog

SECOND = 1_000_000

TINY = {
    "spark.driver.memory": "1g",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",  # to compile a question costs more than to ask it of a few thousand rows
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@pytest.fixture(scope="session")
def spark():
    """The session the notebooks use, but for what only pays with more rows than a test has."""
    from mqlab.pipeline import session

    return session(**TINY)


@pytest.fixture(scope="session")
def tiny():
    """The settings of that session, for one in a process of its own."""
    return TINY


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory):
    """A Python with the packages of this one, but without the packages that are installed as links to a checkout."""
    home = tmp_path_factory.mktemp("python")
    venv.create(home, symlinks=True)
    (place,) = home.glob("lib/python3*/site-packages")
    (place / "others.pth").write_text(sysconfig.get_path("purelib"))  # Python reads no .pth file in that folder
    (home / "share").symlink_to(Path(sys.prefix, "share"))  # where Spark's classes are, ready for Java
    python = home / "bin" / "python"
    ran = subprocess.run([python, "-P", "-c", "import mqlab"], capture_output=True, text=True, env={}, cwd=home)
    assert "No module named 'mqlab'" in ran.stderr
    return python


@pytest.fixture
def compiled(spark):
    """Questions are compiled, as in a notebook: for one that compares very many rows with each other."""
    usual = {"spark.sql.codegen.wholeStage": "true", "spark.sql.codegen.factoryMode": "FALLBACK"}
    for name, value in usual.items():
        spark.conf.set(name, value)
    yield
    for name in usual:
        spark.conf.set(name, TINY[name])


@pytest.fixture
def one_partition(spark):
    """One task for each batch of a stream, because to start a worker or a state store costs more than its work."""
    partitions = "spark.sql.shuffle.partitions"
    usual = spark.conf.get(partitions)
    spark.conf.set(partitions, 1)
    yield
    spark.conf.set(partitions, usual)


class Pen:
    """Writes rows of an event log without a queue manager: what the pipeline must understand, and no more."""

    def __init__(self):
        self.log, self.depths = EventLog("2025-01-06T00:00:00+00:00"), {}

    def row(self, second, kind, queue=None, message=None, program=None, *, uow=None, life=None, put=None, **more):
        """One row at `second`; `put` is the second of the put, `life` the lifetime given then in tenths."""
        time_us = round(second * SECOND)
        put_us = None if put is None else round(put * SECOND)
        left = None if life is None else life - (time_us - (time_us if put_us is None else put_us)) // 100_000
        depth = None
        if queue is not None:
            depth = self.depths[queue] = self.depths.get(queue, 0) + more.get("step", 0)
        place, reason, cause = (
            ("QM1", queue, None if queue is None else "QLOCAL"),
            more.get("reason"),
            more.get("cause"),
        )
        if message is None:
            rest = {"program": program, "uow": uow, "depth": depth, "reason": reason, "cause": cause}
            return self.log.write(time_us, kind, place, **rest)
        since = time_us if put_us is None else put_us
        what = (time_us, kind, place, message, bytes(24), program, uow, 0, False, left, depth)
        return self.log.append((*what, since, since, reason, None, cause, None))


@pytest.fixture
def pen():
    """For a log of a test's own."""
    return Pen()


@pytest.fixture(scope="session")
def story():
    """Two queues and fourteen messages, each with another fate.

    PUSH: 1 got; 2 and 3 expire and are discarded by NOTIFY's get of 4; 5 undone; 6 expired and still there; 7 waiting.
    DESK: 8 got, backed out, got again; 9 browsed; 10 cleared; 11 lost; 12 got in a unit still open; 13 put in one;
    14 expires in a unit that backs out, and is discarded by a browse.
    """
    pen = Pen()
    row = pen.row
    row(0, "start")
    row(1, "put", "PUSH", 1, "SHOP", step=1)
    row(2, "get", "PUSH", 1, "NOTIFY", put=1, step=-1)
    row(3, "put", "PUSH", 2, "SHOP", life=600, step=1)
    row(10.05, "put", "PUSH", 3, "SHOP", life=100, step=1)
    row(100, "put", "PUSH", 4, "SHOP", step=1)
    met = row(200.01, "get", "PUSH", 4, "NOTIFY", put=100, step=-1)
    row(200.01, "discard", "PUSH", 2, "NOTIFY", put=3, life=600, cause=met, step=-1)
    row(200.01, "discard", "PUSH", 3, "NOTIFY", put=10.05, life=100, cause=met, step=-1)
    row(201, "put", "PUSH", 5, "SHOP", uow=1, step=1)
    row(202, "backout", uow=1, program="SHOP")
    row(202, "undo", "PUSH", 5, "SHOP", uow=1, put=201, step=-1)
    row(210, "get", "PUSH", program="NOTIFY", reason=2033)
    row(220, "put", "PUSH", 6, "SHOP", life=10, step=1)
    row(221, "put", "PUSH", 7, "SHOP", life=100_000, step=1)
    row(222, "put", "PUSH", program="SHOP", reason=2053)
    row(230, "put", "DESK", 8, "SHOP", step=1)
    row(231, "get", "DESK", 8, "CLERK", uow=2, put=230, step=-1)
    row(232, "backout", uow=2, program="CLERK")
    row(232, "restore", "DESK", 8, "CLERK", uow=2, put=230, step=1)
    row(233, "get", "DESK", 8, "CLERK", uow=3, put=230, step=-1)
    row(234, "commit", uow=3, program="CLERK")
    row(235, "put", "DESK", 9, "SHOP", step=1)
    row(236, "browse", "DESK", 9, "OPS", put=235)
    row(240, "put", "DESK", 10, "SHOP", step=1)
    row(241, "clear", "DESK")
    row(241, "clear", "DESK", 10, put=240, step=-1)
    row(242, "put", "DESK", 11, "SHOP", step=1)
    row(243, "lost", "DESK", 11, put=242, step=-1)
    row(244, "put", "DESK", 14, "SHOP", life=50, step=1)
    row(246, "get", "DESK", 14, "CLERK", uow=6, put=244, life=50, step=-1)
    row(300, "backout", uow=6, program="CLERK")
    row(300, "restore", "DESK", 14, "CLERK", uow=6, put=244, life=50, step=1)
    look = row(400, "browse", "DESK", program="OPS", reason=2033)
    row(400, "discard", "DESK", 14, "OPS", put=244, life=50, cause=look, step=-1)
    row(401, "put", "DESK", 12, "SHOP", step=1)
    row(402, "get", "DESK", 12, "CLERK", uow=4, put=401, step=-1)
    row(420, "put", "DESK", 13, "SHOP", uow=5, step=1)
    return pen.log


@pytest.fixture(scope="session")
def write_slices():
    """`write_slices(events, folder, 3)` writes an event log as parquet files, in order of time, and returns them."""

    def write(events, folder, slices):
        folder.mkdir(parents=True, exist_ok=True)
        table, paths = events.to_arrow(), []
        for number in range(slices):
            first, end = (len(events) * each // slices for each in (number, number + 1))
            paths.append(folder / f"events-{number:05d}.parquet")
            pq.write_table(table.slice(first, end - first), paths[-1])
            os.utime(paths[-1], (1_000_000 + number,) * 2)  # Spark takes files of one age in any order
        return paths

    return write


@pytest.fixture(scope="session")
def told(spark, story, tmp_path_factory):
    """The story as Spark reads it."""
    from mqlab.pipeline.read import read_events

    path = tmp_path_factory.mktemp("story") / "events.parquet"
    story.write_parquet(path)
    return read_events(spark, path).cache()


@pytest.fixture(scope="session")
def labs():
    """crowd.py beside this file, which makes random labs, as a module."""
    spec = spec_from_file_location("crowd", Path(__file__).with_name("crowd.py"))
    module = sys.modules["crowd"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def crowd(labs):
    """Several dozen random labs, played to their end."""
    return [labs.make(number) for number in range(labs.CALLS + labs.SITES)]


@pytest.fixture(scope="session")
def together(spark, labs, crowd, tmp_path_factory):
    """Their logs as one, as Spark reads it."""
    from mqlab.pipeline.read import read_events

    path = tmp_path_factory.mktemp("crowd") / "events.parquet"
    pq.write_table(labs.one_log(crowd), path)
    return read_events(spark, path).cache()
