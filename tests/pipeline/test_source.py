"""Format "mqlab": what Spark reads is what the labs log, at once and as a stream."""

import json

import pytest
from pyspark.sql.datasource import EqualTo, GreaterThan, In, IsNotNull, Not
from pyspark.sql.pandas.types import from_arrow_schema

from mqlab import LabError
from mqlab.pipeline import workloads
from mqlab.pipeline.questions import fate_summary
from mqlab.pipeline.source import EVENTS, LabReader, Request, register
from mqlab.pipeline.workloads import Workload
from mqlab.sim.events import COLUMNS

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


def test_the_columns_are_those_of_the_log_and_which_replica(read):
    frame = read()
    assert frame.columns == [*COLUMNS, "replica", "seed"] == EVENTS.names
    assert plain(frame) == logged([0])


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


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, 'option "scenario" must be'),
        ({"scenario": "nothing"}, "scenario must be one of expiring"),
        ({**SHORT, "speed": "3"}, "'speed'"),
        ({**SHORT, "expiry": "long"}, "expiry must be"),
        ({**SHORT, "replicas": "0"}, "'replicas' must be"),
        ({**SHORT, "partitions": "many"}, "'partitions' must be"),
        ({**SHORT, "seed": "x"}, "'seed' must be"),
        ({**SHORT, "until": "3"}, "'until' is for readStream only"),
    ],
)
def test_wrong_options_are_refused_before_any_task(spark, read, options, words):
    before = spark.sparkContext.statusTracker().getJobIdsForGroup(None)
    with pytest.raises(Exception, match=words):
        spark.read.format("mqlab").options(**options).load().collect()
    assert len(spark.sparkContext.statusTracker().getJobIdsForGroup(None)) == len(before)


@pytest.mark.parametrize("given", ["seq string", "seq long, kind string"])
def test_another_schema_is_refused_before_any_task(spark, read, given):
    with pytest.raises(
        Exception, match=r".schema\(...\) must be left out, or be struct<seq:bigint,.*; got struct<seq:\w+"
    ):
        spark.read.format("mqlab").options(**SHORT).schema(given).load().collect()
    assert read().schema == spark.read.format("mqlab").options(**SHORT).schema(read().schema).load().schema


def _unlucky(lab, rng):
    if lab.seed == 41:
        raise ZeroDivisionError("this seed is unlucky")
    lab.queue_manager("QM1").put("SYSTEM.DEFAULT.LOCAL.QUEUE", b"x")


@pytest.fixture
def unlucky():
    """Three replicas (seeds 40 to 42), the one with seed 41 failing, read in this process as Spark would."""
    workload = Workload("unlucky", "fails", _unlucky, [])

    def reader():
        request = Request(
            {**SHORT, "replicas": "3", "seed": "40"}, ("replicas", "partitions"), from_arrow_schema(EVENTS)
        )
        request.workload, request.parameters = workload, {}
        return LabReader(request, 1)

    return reader


def simulated(reader):
    """The seeds that a reader simulates."""
    batches = [batch for part in reader.partitions() for batch in reader.read(part)]
    return sorted({seed for batch in batches for seed in batch.column("seed").to_pylist()})


def test_a_lab_that_fails_is_named_and_the_others_can_be_read(unlucky):
    with pytest.raises(LabError, match=r"replica 1 \(seed 41\) of unlucky failed: this seed is unlucky\. \.where\("):
        simulated(unlucky())
    others = unlucky()
    others.pushFilters([Not(EqualTo(("replica",), 1))])
    assert simulated(others) == [40, 42]


@pytest.mark.parametrize(
    ("filters", "seeds"),
    [
        ([EqualTo(("replica",), 2)], [42]),
        ([In(("seed",), (40, 42, 77))], [40, 42]),
        ([Not(In(("replica",), (0, 1))), IsNotNull(("replica",))], [42]),
        ([In(("seed",), (40, 41)), Not(EqualTo(("replica",), 1))], [40]),
        ([EqualTo(("kind",), "put"), Not(EqualTo(("seed",), 41)), GreaterThan(("replica",), 1)], [40, 42]),
        ([EqualTo(("replica",), 3)], []),
    ],
)
def test_a_filter_of_labs_simulates_no_other_and_leaves_their_rows_to_spark(unlucky, filters, seeds):
    reader = unlucky()
    assert reader.pushFilters(filters) == filters
    assert simulated(reader) == seeds


def test_spark_hands_the_filter_on(read):
    frame = read(replicas=5, seed=40, partitions=5)
    for wanted, seeds in (("replica = 1", [41]), ("seed IN (40, 44) AND kind = 'put'", [40, 44]), ("seed = 99", [])):
        part = frame.where(wanted)
        assert part.rdd.getNumPartitions() == max(1, len(seeds))
        assert sorted(row["seed"] for row in part.select("seed").distinct().collect()) == seeds
    assert plain(frame.where("replica = 3")) == logged([43], 3)


class TestStream:
    @pytest.fixture
    def stream(self, spark, read, tmp_path):
        """Runs a stream into parquet from the checkpoint of this test until it has nothing more; the query."""

        def run(**more):
            events = spark.readStream.format("mqlab").options(**{**SHORT, "seed": "6", **more}).load()
            writing = events.writeStream.format("parquet").option("checkpointLocation", str(tmp_path / "checkpoint"))
            query = writing.trigger(availableNow=True).start(str(tmp_path / "events"))
            assert query.awaitTermination(120)
            return query

        run.rows = lambda: plain(spark.read.parquet(str(tmp_path / "events")))
        return run

    def wanted(self, until_s=12.0):
        return [(*event, 0, 6) for event in lab_of(6).events if event.time_us <= until_s * 1_000_000]

    def test_slice_by_slice_the_lab_is_the_same(self, stream):
        query = stream(rate="5")
        assert [json.loads(batch["sources"][0]["endOffset"]) for batch in query.recentProgress[:3]] == [
            {"time_us": 5_000_000},
            {"time_us": 10_000_000},
            {"time_us": 12_000_000},
        ]
        assert stream.rows() == self.wanted()

    def test_a_query_that_starts_again_goes_on_where_it_was(self, stream):
        stream(rate="4", until="4.5")
        assert stream.rows() == self.wanted(4.5)
        stream(rate="4")
        assert stream.rows() == self.wanted()

    @pytest.mark.parametrize(
        ("more", "words"),
        [({"rate": "0"}, "'rate' must be"), ({"until": "soon"}, "'until' must be"), ({"replicas": "2"}, "read only")],
    )
    def test_wrong_options(self, stream, more, words):
        with pytest.raises(Exception, match=words):
            stream(**more)
