"""The watch over a stream: the same windows as a batch gives, also when it is killed on the way."""

import json
import os
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from pipeline.answers import write_as

from helpers import lab_error
from mqlab import Lab, MQError
from mqlab.pipeline import moment
from mqlab.pipeline import watch as watching
from mqlab.pipeline.read import read_events

SLICES = 12
START = datetime(2025, 1, 6, tzinfo=UTC)
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


@pytest.fixture(scope="module")
def lab():
    lab = Lab(seed=5)
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(ORDERS) MAXDEPTH(8)\nDEFINE QLOCAL(STOCK)")
    for number in range(600):
        try:
            qm.put("ORDERS" if number % 3 else "STOCK", b"x", expiry=(-1, 90, 700)[number % 3])
        except MQError as full:
            assert full.reason == 2053
        lab.advance(1.53)  # no whole tenths of a second, to which a row rounds the time left
        if number % 4 == 0:
            try:
                qm.get("ORDERS")
            except MQError as empty:
                assert empty.reason == 2033
    return lab


def rows(frame):
    return sorted(tuple(row) for row in frame.collect())


@pytest.fixture(scope="module")
def wanted(spark, lab, tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "log.parquet"
    lab.events.write_parquet(path)
    return rows(watching.watch(read_events(spark, path), lab.start))


def test_windows_of_a_batch_are_those_of_the_log(lab, wanted):
    assert sum(row[6] for row in wanted) == len([r for r in lab.events.where(kind="put") if r.message is not None])
    assert sum(row[7] for row in wanted) == len([r for r in lab.events.where(kind="get") if r.message is not None])
    assert sum(row[8] for row in wanted) == len(lab.events.where(kind="discard")) > 20
    assert sum(row[10] for row in wanted) == len(lab.events.where(reason=2053)) > 0
    late = max(row[9] for row in wanted if row[9] is not None)
    puts = lab.events.where(kind="put", reason=None)
    ends = {put.message: put.time_us + put.expiry_left * 100_000 for put in puts if put.expiry_left is not None}
    assert late == max(row.time_us - ends[row.message] for row in lab.events.where(kind="discard"))
    last = {row[3]: row[5] for row in wanted}
    assert last["ORDERS"] == lab["QM1"].depth("ORDERS")


def closed(wanted, lab):
    """The windows that a stream with a minute's watermark has closed at the end of the log."""
    limit = (lab.start + timedelta(microseconds=lab.events[-1].time_us, minutes=-1)).replace(tzinfo=None)
    return [row for row in wanted if row[1] <= limit]


def watched(spark, lab, folder, name="in", files_at_once=4):
    """The windows that a stream over the files of a folder writes."""
    return windows_of(spark, lab, watching.stream_events(spark, folder / name, files_at_once), folder)


def windows_of(spark, lab, stream, folder):
    """The windows of a stream, written below a folder."""
    found = watching.watch(stream, lab.start)
    query = watching.start(found, folder / "out", folder / "checkpoint")
    query.awaitTermination(120)
    assert query.exception() is None
    return rows(spark.read.parquet(str(folder / "out")))


def test_a_stream_gives_the_same_windows_once(spark, lab, wanted, tmp_path, write_slices):
    write_slices(lab.events, tmp_path / "in", SLICES)
    assert watched(spark, lab, tmp_path) == closed(wanted, lab) != wanted
    watching.end_of_log(spark, tmp_path / "in")
    assert watched(spark, lab, tmp_path) == wanted, "the last windows too, and no window twice"
    assert read_events(spark, tmp_path / "in").count() == len(lab.events), "the mark is no row of the log"


def test_a_stream_tells_the_labs_of_folders_apart(spark, lab, wanted, tmp_path, write_slices):
    write_slices(lab.events, tmp_path / "in" / "lab=A", 2)
    found = watching.stream_events(spark, tmp_path / "in", 4)
    write_slices(lab.events, tmp_path / "in" / "lab=B%25", 2)  # a name with a % comes when the stream is there
    watching.end_of_log(spark, tmp_path / "in")
    both = [(*row[:2], name, *row[2:]) for name in ("A", "B%") for row in wanted]
    assert windows_of(spark, lab, found, tmp_path) == sorted(both)


@pytest.mark.usefixtures("one_partition")
def test_a_stream_tells_the_labs_of_rows_apart_also_in_folders_of_plain_names(spark, lab, wanted, tmp_path):
    for name in ("A", "B"):
        (tmp_path / "in" / name).mkdir(parents=True)
        write_as(lab, name, tmp_path / "in" / name / "log.parquet")
    watching.end_of_log(spark, tmp_path / "in")
    both = [(*row[:2], name, *row[2:]) for name in ("A", "B") for row in wanted]
    assert watched(spark, lab, tmp_path) == sorted(both)


@pytest.mark.usefixtures("one_partition")
def test_rows_delivered_twice_count_once(spark, lab, wanted, tmp_path, write_slices):
    paths = write_slices(lab.events, tmp_path / "in[1]", 3)
    for path in paths:
        shutil.copy(path, path.with_name(f"again-{path.name}"))
    assert watched(spark, lab, tmp_path, "in[1]", 1) == closed(wanted, lab)


KILLED = """
import json, os, signal, sys
from datetime import datetime
from pathlib import Path
from mqlab.pipeline import session, watch
folder, start, settings = sys.argv[1:]
spark = session(**json.loads(settings))
found = watch.watch(watch.stream_events(spark, folder + "/in"), datetime.fromisoformat(start))
query = watch.start(found, folder + "/out", folder + "/checkpoint")
while query.isActive and len(list(Path(folder, "checkpoint", "commits").glob("[0-9]*"))) < 3:
    query.awaitTermination(0.02)
os.killpg(0, signal.SIGKILL)
"""


@pytest.mark.cluster
def test_killed_and_started_again_it_gives_the_same(spark, tiny, lab, wanted, tmp_path, write_slices):
    write_slices(lab.events, tmp_path / "in", SLICES)
    program = [sys.executable, "-c", KILLED, str(tmp_path), lab.start.isoformat(), json.dumps(tiny)]
    killed = subprocess.run(program, capture_output=True, text=True, start_new_session=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-2000:]
    assert 3 <= len(list((tmp_path / "checkpoint" / "commits").glob("[0-9]*"))) < SLICES
    assert watched(spark, lab, tmp_path) == closed(wanted, lab)


def test_microseconds_become_the_same_instants_in_every_time_zone_of_the_session(spark):
    start, times = datetime(2025, 3, 30, 2, 30, tzinfo=timezone(timedelta(minutes=345))), [0, 1, None, 10**15 + 1]
    frame = spark.createDataFrame([(each,) for each in times], "end_us long")
    wanted = [None if each is None else (start - EPOCH) // MICROSECOND + each for each in times]
    usual = spark.conf.get("spark.sql.session.timeZone")
    try:
        for zone in (usual, "America/New_York"):
            spark.conf.set("spark.sql.session.timeZone", zone)
            found = frame.select(moment(start, "end_us").alias("end")).selectExpr("end", "unix_micros(end)")
            assert found.dtypes[0] == ("end", "timestamp")
            assert [row[1] for row in found.collect()] == wanted
    finally:
        spark.conf.set("spark.sql.session.timeZone", usual)
    lab_error("start must be a datetime with its time zone", moment, START.replace(tzinfo=None))
    lab_error("start must be datetime; got 0", moment, 0)


@pytest.mark.usefixtures("one_partition")
def test_a_file_is_read_however_much_older_it_is_than_the_newest(spark, lab, wanted, tmp_path, write_slices):
    first, second, third = write_slices(lab.events, tmp_path / "in", 3)
    later = {path: path.rename(tmp_path / path.name) for path in (second, third)}
    found = watching.watch(watching.stream_events(spark, tmp_path / "in", 4), lab.start, late="1 hour")
    for ages in ({first: 0}, {second: -8 * 86_400, third: 60}):
        for path, age in ages.items():
            later.get(path, path).rename(path)
            os.utime(path, (1_000_000 + age,) * 2)
        watching.end_of_log(spark, tmp_path / "in") if third.exists() else None
        watching.start(found, tmp_path / "out", tmp_path / "checkpoint").awaitTermination(120)
    assert rows(spark.read.parquet(str(tmp_path / "out"))) == wanted


@pytest.mark.usefixtures("one_partition")
def test_folders_of_another_watch_are_refused(spark, lab, tmp_path, write_slices):
    write_slices(lab.events, tmp_path / "in", 1)
    stream = watching.stream_events(spark, tmp_path / "in")

    def started(out="out", checkpoint="checkpoint", window="1 minute", late="1 minute"):
        query = watching.start(watching.watch(stream, lab.start, window, late), tmp_path / out, tmp_path / checkpoint)
        query.awaitTermination(120)
        return spark.read.parquet(str(tmp_path / out)).count()

    before = started()
    assert started() == before > 0
    lab_error("out is of a watch with window 1 minute, not 1 hour. Give other folders", started, window="1 hour")
    lab_error("with late 1 minute, not 5 minutes", started, late="5 minutes")
    lab_error("out is of a watch with checkpoint .*/checkpoint, not .*/new", started, checkpoint="new")
    lab_error("new is new", started, out="new")
    shutil.rmtree(tmp_path / "checkpoint")
    lab_error("checkpoint is new", started)


def test_what_is_no_log_is_refused_in_one_sentence(spark, lab, tmp_path, write_slices, capfd):
    for call in (watching.stream_events, watching.end_of_log):
        lab_error("^folder must be .*/nowhere is not .*PATH_NOT_FOUND.*Create it", call, spark, tmp_path / "nowhere")
        lab_error("^folder must be one that Spark can read; .* is not .it is a file", call, spark, __file__)
    [path] = write_slices(lab.events, tmp_path / "in", 1)
    lab_error("files_at_once must be a whole number, 1 or more; got 0", watching.stream_events, spark, tmp_path, 0)
    stream = watching.stream_events(spark, tmp_path / "in")
    capfd.readouterr()
    lab_error("already exists|not a directory", watching.start, watching.watch(stream, lab.start), path, tmp_path / "c")
    outs = tmp_path / "d", tmp_path / "e"
    batch = watching.watch(read_events(spark, tmp_path / "in"), lab.start)
    lab_error("of a stream; got those of a batch, which watched.write.parquet", watching.start, batch, *outs)
    lab_error("of a stream; got other rows", watching.start, stream, *outs)
    both = f"out and checkpoint must be two folders; got {outs[0]} for both"
    lab_error(both, watching.start, watching.watch(stream, lab.start), outs[0], outs[0])
    assert not any(out.exists() for out in outs)
    lab_error("window must be more than 0; got '0 seconds'", watching.watch, stream, lab.start, "0 seconds")
    for length in ("0.5 hours", "99999999 weeks", "1 minute1 second"):
        lab_error(f"late must be .*; got '{length}'", watching.watch, stream, lab.start, late=length)
    path.write_bytes(path.read_bytes()[:500])
    lab_error("is not a Parquet file", watching.stream_events, spark, tmp_path / "in")
    spark.range(3).write.parquet(str(tmp_path / "range"))
    lab_error("lacks seq, time_us", watching.stream_events, spark, tmp_path / "range")
