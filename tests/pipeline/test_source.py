"""Format "mqlab": what Spark reads is what the labs log."""

from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import functions as F

from helpers import cases, refusal, some
from mqlab import Event
from mqlab.engine.world.event import COLUMNS, described
from mqlab.pipeline import source, workloads
from mqlab.pipeline.questions import counts, depth, failures, fate_summary
from mqlab.pipeline.read import read_events
from mqlab.pipeline.source import ABOUT, EVENTS, OWN, LabReader, LabSource, Request, register
from mqlab.pipeline.workloads import Workload

SHORT = {"scenario": "expiring", "duration": "12", "arrival_rate": "3", "expiry": "10"}


@pytest.fixture(scope="module")
def read(spark):
    """`read(replicas=3)` loads labs of 12 seconds."""
    register(spark)
    return lambda **more: spark.read.format("mqlab").options(**{**SHORT, **more}).load()


def lab_of(seed, name="expiring"):
    return workloads.find(name).run(seed, duration=12, arrival_rate=3, expiry=10)


def logged(seeds, first=0):
    """The rows that the replicas of these seeds should come to."""
    return [(*event, replica, seed) for replica, seed in enumerate(seeds, first) for event in lab_of(seed).events]


def plain(frame):
    """Rows in the order of replica and row, bytes as bytes."""
    rows = [tuple(bytes(each) if isinstance(each, bytearray) else each for each in row) for row in frame.collect()]
    return sorted(rows, key=lambda row: (row[-2], row[0]))


def test_rows_have_the_columns_of_the_log_and_a_lab_is_in_one_partition(read):
    frame = read()
    assert frame.columns == [*COLUMNS, "replica", "seed"] == EVENTS.names
    assert plain(frame) == logged([0])
    frame = read(replicas=5, partitions=2)
    parts = frame.select("replica", "seq", F.spark_partition_id().alias("part")).toPandas()
    assert parts.groupby("replica")["part"].nunique().tolist() == [1] * 5
    for _, part in parts.groupby("part"):
        assert part[["replica", "seq"]].equals(part[["replica", "seq"]].sort_values(["replica", "seq"]))


def test_what_spark_writes_of_them_is_a_log_again(spark, read, tmp_path):
    frame = read(replicas=3)
    frame.write.partitionBy("seed").parquet(str(tmp_path / "log"))
    assert plain(read_events(spark, tmp_path / "log").select(*EVENTS.names)) == plain(frame)


@pytest.mark.parametrize("partitions", [1, 3, 7])
def test_the_same_rows_whatever_the_partitions(read, partitions):
    frame = read(replicas=5, seed=40, partitions=partitions)
    assert frame.rdd.getNumPartitions() == min(partitions, 5)
    assert plain(frame) == logged([40, 41, 42, 43, 44])


def test_the_pipelines_questions_can_be_asked_of_one_replica(read):
    fates = fate_summary(read(seed=2)).where("object = 'REQUESTS'").collect()
    found = {row["fate"]: row["messages"] for row in fates}
    figures = workloads.measure(lab_of(2))
    assert found["got"] == figures["got"]
    assert found["discarded"] == figures["discarded"] > 0


@pytest.mark.parametrize("name", list(workloads.WORKLOADS))
def test_measures_agree_with_the_fates_that_spark_tells(spark, read, name):
    given = {"scenario": name, "expiry": 15, "duration": 30, "seed": 3}
    more = {"channel": {"cuts": 4, "persistent": True}, "sharing": {"failures": 4}}.get(name, {})
    events = spark.read.format("mqlab").options(**given, **more).load()
    outside = "object not like 'SYSTEM.%' and object <> 'INIT'"
    told = {
        row["fate"]: row["n"]
        for row in fate_summary(events)
        .where(outside)
        .groupBy("fate")
        .sum("messages")
        .withColumnRenamed("sum(messages)", "n")
        .collect()
    }
    figures = workloads.measure(workloads.find(name).run(3, expiry=15, duration=30, **more))
    assert told.get("discarded", 0) == figures["discarded"]
    assert told.get("got", 0) + told.get("got, not committed", 0) == figures["got"]
    waiting = ("waiting", "expired", "browsed", "put, not committed")
    assert sum(told.get(each, 0) for each in waiting) == figures["waiting"]
    assert sum(told.values()) - told.get("moved on", 0) == figures["put"]


WRONG = (
    ({}, 'option "scenario" must be'),
    ({"scenario": "nothing"}, "scenario must be one of expiring"),
    ({**SHORT, "speed": "3"}, "'speed'"),
    ({**SHORT, "expiry": "long"}, "expiry must be"),
    ({**SHORT, "replicas": "0"}, "replicas must be"),
    ({**SHORT, "partitions": "many"}, "partitions must be"),
    ({**SHORT, "seed": "x"}, "seed must be"),
    ({**SHORT, "seed": str(2**63)}, "seed must be"),
    (
        {**SHORT, "replcas": "2"},
        "no option 'replcas'; did you mean 'replicas'. Its options are scenario, seed, replicas, partitions, and "
        "the parameters of expiring: expiry, ",
    ),
)


@cases("options, words", *some(WRONG, 4))
def test_wrong_options_are_refused_before_any_task(spark, read, options, words):
    before = spark.sparkContext.statusTracker().getJobIdsForGroup(None)
    with pytest.raises(Exception, match=words):
        spark.read.format("mqlab").options(**options).load().collect()
    assert len(spark.sparkContext.statusTracker().getJobIdsForGroup(None)) == len(before)


@pytest.mark.parametrize("given", ["seq STRING", "kind STRING", "seq BIGINT, queue STRING"])
def test_another_schema_is_refused_in_one_sentence_before_any_task(spark, given):
    frame = spark.read.format("mqlab").options(**SHORT).schema(given).load()
    refused = refusal(AnalysisException, "must be left out, because a lab gives all columns", frame.collect)
    assert len(str(refused).splitlines()) <= 2, "no traceback of Python"


def test_every_column_has_its_meaning_in_the_help_in_spark_and_in_a_document(spark, read):
    read().createOrReplaceTempView("labs")
    said = {row["col_name"]: row["comment"] for row in spark.sql("DESCRIBE labs").collect()}
    assert list(said) == EVENTS.names == [each.name for each in ABOUT]
    assert said["expiry_left"].endswith("(unit: 0.1 seconds; null: if unlimited, or no message)")
    assert [each.name for each in ABOUT[:-2]] == list(Event._fields)
    for line in described(ABOUT).splitlines():
        assert line in LabSource.__doc__
    documented = Path("datasets/README.md").read_text()
    assert described(ABOUT[:-2]) in documented, f"write into datasets/README.md:\n{described(ABOUT[:-2])}"
    for option in ("scenario", *OWN):
        assert f"| `{option}` " in source.__doc__


def _unlucky(lab, rng):
    if lab.seed == 41:
        raise ZeroDivisionError("this seed is unlucky")
    lab.queue_manager("QM1").put("SYSTEM.DEFAULT.LOCAL.QUEUE", b"x")


def test_a_lab_that_fails_is_a_row_and_the_others_are_read():
    assert Request({**SHORT, "seed": str(2**53 + 1)}, LabSource(SHORT).schema()).seed == 2**53 + 1, "exact"
    request = Request({**SHORT, "replicas": "3", "seed": "40"}, LabSource(SHORT).schema())
    request.workload, request.parameters = Workload("unlucky", "fails", _unlucky, []), {}
    reader = LabReader(request, 1)
    sent = [row for part in reader.partitions() for batch in reader.read(part) for row in batch.to_pylist()]
    assert {row["seed"] for row in sent} == {40, 41, 42}
    (failed,) = [row for row in sent if row["seed"] == 41]
    assert {name: value for name, value in failed.items() if value is not None} == {
        "seq": 0,
        "time_us": 0,
        "kind": "failed",
        "replica": 1,
        "seed": 41,
        "detail": '{"error_type": "ZeroDivisionError", "error": "this seed is unlucky"}',
    }


@pytest.mark.cluster
def test_no_question_counts_the_row_of_a_lab_that_failed(spark, read):
    """Its programs die, because this lifetime is none."""
    frame, failed = read(replicas=2).cache(), read(expiry=0).cache()
    assert [(row["kind"], row["seq"]) for row in failed.collect()] == [("failed", 0)]
    assert "2013" in failed.first()["detail"]
    both = frame.union(failed.withColumn("replica", F.lit(2)))
    for question in (fate_summary, depth, failures, counts):
        assert sorted(map(str, question(both).collect())) == sorted(map(str, question(frame).collect()))


def test_where_in_one_use_of_a_dataframe_changes_no_other_use(read):
    """Spark 4.3 with its filterPushdown would count the rows of one lab in each of these."""
    frame = read(replicas=2)
    every, first = len(logged([0, 1])), len(logged([0]))
    assert (frame.where("replica = 0").count(), frame.count()) == (first, every)
    assert frame.where("replica = 1").union(frame.where("replica = 0")).union(frame).count() == 2 * every
