"""The live fate: the last change of each stay is what a batch says, and the state store holds what the queues hold."""

import os
from collections import Counter
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as F

from mqlab import EventLog, LabError
from mqlab.pipeline import watch
from mqlab.pipeline.lifetimes import live_fate, on_queues
from mqlab.pipeline.questions import ends, fate

START = datetime(2025, 1, 6, tzinfo=UTC)
STAY = ("qmgr", "object", "message", "arrived_us")
ZONE = "spark.sql.session.timeZone"
pytestmark = pytest.mark.usefixtures("one_partition")


def follow(spark, folder, late="10 seconds"):
    """The changes that a stream over the files of `folder`/in says, and its query."""
    found = live_fate(watch.stream_events(spark, folder / "in"), START, late)
    query = watch.start(found, folder / "out", folder / "checkpoint")
    query.awaitTermination(200)
    assert query.exception() is None
    return spark.read.parquet(str(folder / "out")).collect(), query


def write(parts, folder):
    (folder / "in").mkdir(exist_ok=True)
    for table in parts:
        number = len(list((folder / "in").iterdir()))
        path = folder / "in" / f"{number:05d}.parquet"
        pq.write_table(table, path)
        os.utime(path, (number, number))


def last(changes):
    """The last change of each stay; no change is told twice."""
    assert max(Counter(changes).values()) == 1
    in_order = sorted(changes, key=lambda row: (row["at_us"], -1 if row["seq"] is None else row["seq"]))
    return {tuple(row[name] for name in STAY): row for row in in_order}


@pytest.mark.cluster
def test_the_last_change_of_each_stay_is_its_fate(spark, labs, crowd, together, tmp_path):
    crowd = crowd[::3]
    names = {told.number for told in crowd}
    table = labs.one_log(crowd).sort_by([("time_us", "ascending"), ("seq", "ascending")])
    half = table.num_rows // 2
    write([table.slice(0, half), table.slice(half)], tmp_path)
    spark.conf.set(ZONE, "Asia/Kolkata")
    try:
        found, query = follow(spark, tmp_path)
        states = on_queues(spark, tmp_path / "checkpoint").collect()
    finally:
        spark.conf.set(ZONE, "UTC")
    assert watch.late_rows(query) == 0
    found = last(found)
    batch = together.where(F.substring("qmgr", 1, 2).cast("int").isin(names))
    ended = {tuple(row[name] for name in STAY): row for row in ends(batch).collect()}
    there = {tuple(row[name] for name in STAY): row["fate"] for row in fate(batch).where("end_us IS NULL").collect()}
    assert found.keys() == ended.keys() | there.keys()
    for stay, row in ended.items():
        assert (row["fate"], row["end_us"], row["program"], row["seq"]) == tuple(
            found[stay][name] for name in ("fate", "at_us", "program", "seq")
        )
    differ = {(word, found[stay]["fate"]) for stay, word in there.items() if found[stay]["fate"] != word}
    # what only the rest of the log tells: a unit of work that is open, and what was before a backout
    assert differ <= {
        *(("put, not committed", word) for word in ("waiting", "browsed", "expired", "dead-lettered")),
        *(("browsed", "waiting"), ("dead-lettered", "waiting"), ("dead-lettered", "browsed")),
    }
    assert {"waiting", "browsed", "expired", "dead-lettered"} <= set(there.values())
    assert sum(row["seq"] is None for row in found.values()) > 100

    queues = {
        (told.name(qmgr), name, told.at(message.number)): message.expired(labs.END)
        for told in crowd
        for (qmgr, name), queue in told.lab.state(at=labs.END).queues.items()
        for message in queue.messages.values()
    }
    assert {(row["qmgr"], row["object"], row["message"]): row["fate"] == "expired" for row in states} == queues
    assert {tuple(row[name] for name in STAY): row["fate"] for row in states} == {
        stay: found[stay]["fate"] for stay in there
    }


@pytest.mark.cluster
def test_late_rows_repeated_rows_and_a_restart(spark, tmp_path):
    """A message of ten seconds, its browse and its discard; rows of other messages move the clock."""
    log = EventLog(START.isoformat())

    def row(second, kind, message, put=None, life=None, program="SHOP"):
        time_us, put_us = second * 1_000_000, (second if put is None else put) * 1_000_000
        left = None if life is None else life - (time_us - put_us) // 100_000
        log.append((time_us, kind, ("QM1", "Q", "QLOCAL"), message, bytes(24), program, None, 0, False, left, 1,
                    put_us, put_us, None, None, None, None))  # fmt: skip

    row(0, "put", 1, life=100)
    row(4, "browse", 1, put=0, life=100)
    row(5, "put", 2)
    row(40, "put", 3)
    row(50, "get", 2, put=5)
    row(60, "discard", 1, put=0, life=100, program="OPS")
    row(90, "put", 4)
    table = log.to_arrow()
    at = [table.slice(seq, 1) for seq in range(len(log))]
    # the browse comes before the put, and both again; the watermark is at 30 when the timer has fired
    write([pa.concat_tables([at[1], at[2]]), pa.concat_tables([at[0], at[1]]), at[3]], tmp_path)
    changes, query = follow(spark, tmp_path)
    of_first = [(row["fate"], row["at_us"] // 1_000_000, row["seq"]) for row in changes if row["message"] == 1]
    assert sorted(of_first) == [("browsed", 4, 1), ("expired", 10, None)]
    assert {row["deadline_us"] for row in changes if row["message"] == 1} == {10_000_000}
    assert {row["message"]: row["fate"] for row in on_queues(spark, tmp_path / "checkpoint").collect()} == {
        1: "expired",
        2: "waiting",
        3: "waiting",
    }
    assert watch.late_rows(query) == 0

    # started again: two rows that are too late, then those that end the stays, one of them twice
    write([pa.concat_tables([at[0], at[1]]), pa.concat_tables([at[4], at[5], at[5]]), at[6]], tmp_path)
    changes, query = follow(spark, tmp_path)
    assert watch.late_rows(query) == 2
    assert {stay[2]: row["fate"] for stay, row in last(changes).items()} == {
        1: "discarded",
        2: "got",
        3: "waiting",
        4: "waiting",
    }
    assert {row["message"] for row in on_queues(spark, tmp_path / "checkpoint").collect()} == {3, 4}


def test_what_cannot_be(spark, together, tmp_path):
    with pytest.raises(LabError, match=r"live_fate must have a stream.*questions\.fate"):
        live_fate(together, START)
    stream = watch.stream_events(spark, tmp_path)
    with pytest.raises(LabError, match="a datetime with its time zone"):
        live_fate(stream, START.replace(tzinfo=None))
    with pytest.raises(LabError, match=r"checkpoint must be the folder of a query of live_fate"):
        on_queues(spark, tmp_path)
