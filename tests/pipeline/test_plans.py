"""How many times each question scans the log, how many jobs it makes, as Spark plans it, and how many to be built."""

import re
from itertools import count

import pytest
from pyspark.sql import functions as F

from helpers import lab_error, some
from mqlab.engine.words.errors import LabError
from mqlab.pipeline import questions
from mqlab.pipeline.read import read_events
from mqlab.pipeline.source import LabReader, LabSource

OF = {"time_on_queue": "ends", "journeys": "fate", "expiry_over_time": "discarded", "trigger_summary": "trigger_audit"}

PLANS = {
    "batches": (6, 12),
    "consumers": (1, 3),
    "counts": (1, 3),
    "dead_letters": (4, 5),
    "depth": (4, 9),
    "discarded": (1, 2),
    "ends": (2, 2),
    "expiry_over_time": (1, 3),
    "failures": (1, 3),
    "fate": (4, 9),
    "fate_summary": (4, 11),
    "journeys": (4, 9),
    "retries": (1, 2),
    "slow_readers": (2, 6),
    "time_on_queue": (2, 4),
    "trigger_audit": (2, 3),
    "trigger_summary": (2, 4),
}
"""By question: how many times Spark scans the log, and the most jobs. A small log needs fewer, as its joins are
broadcast."""


@pytest.fixture(scope="module")
def log(spark, story, tmp_path_factory):
    """The story, not kept in memory, so that every scan is in the plan."""
    path = tmp_path_factory.mktemp("plans") / "story.parquet"
    story.write_parquet(path)
    return read_events(spark, path)


def asked(name, log, **more):
    of = [asked(OF[name], log, **more)] if name in OF else [log]
    discards = [questions.discarded(log, **more)] if name == "slow_readers" else []
    return getattr(questions, name)(*of, *discards, **more)


GROUPS = count()


def jobs_of(spark, work):
    """How many jobs Spark starts while `work` is done."""
    group = f"counted {next(GROUPS)}"
    spark.sparkContext.setJobGroup(group, group)
    try:
        work()
    finally:
        spark.sparkContext.setJobGroup("", "")
    return len(spark.sparkContext.statusTracker().getJobIdsForGroup(group))


def planned(frame):
    """Scans, and jobs: one for each exchange that is not used again, and one for the result."""
    plan = frame._jdf.queryExecution().executedPlan().toString()
    return len(re.findall(r"FileScan parquet", plan)), 1 + len(re.findall(r"[- ](?:Broadcast)?Exchange ", plan))


@pytest.mark.parametrize("name", some(PLANS, 9))
def test_scans_and_jobs(name, log):
    scans, jobs = planned(asked(name, log))
    wanted, most = PLANS[name]
    assert scans == wanted
    assert jobs <= most


def test_to_build_a_question_starts_no_job_or_the_one_that_checks_the_log(spark, tiny, story, tmp_path):
    path = tmp_path / "story.parquet"
    story.write_parquet(path)
    read = spark.read.parquet(str(path))  # by Spark: nobody has checked it
    named = read.withColumn("lab", F.lit("A"))
    checked = [read_events(spark, path, check=check) for check in (True, False)]
    parts = [log.where("qmgr = 'QM1'").orderBy("seq").repartition(2) for log in checked]
    assert jobs_of(spark, lambda: [asked(name, parts[0]) for name in some(PLANS, 6)]) == 0
    few = ("fate", "depth", "counts")
    assert jobs_of(spark, lambda: [asked(name, log) for name in few for log in (checked[1], parts[1])]) == 0
    assert jobs_of(spark, lambda: [asked(name, read, check=False) for name in few]) == 0
    assert jobs_of(spark, lambda: [asked(name, named) for name in few]) == 1
    wanted = asked("fate_summary", checked[0]).collect()
    assert [asked("fate_summary", log).collect() for log in (checked[1], *parts)] == [wanted] * 3
    assert asked("fate_summary", read, check=False).collect() == wanted
    assert jobs_of(spark, lambda: read_events(spark, path)) == 1
    assert jobs_of(spark, lambda: read_events(spark, path, check=False)) == 0
    assert spark.conf.get("spark.sql.adaptive.enabled") == tiny["spark.sql.adaptive.enabled"]
    lab_error("check must be True or False", questions.fate, read, check=0)


def test_the_check_of_a_log_scans_it_once_and_windows_share_sorts(spark, story, log, tmp_path):
    path = tmp_path / "story.parquet"
    story.write_parquet(path)
    spark.sparkContext.setJobGroup("check", "check")
    read_events(spark, path)
    spark.sparkContext.setJobGroup("", "")
    tracker = spark.sparkContext.statusTracker()
    (job,) = tracker.getJobIdsForGroup("check")
    assert len(tracker.getJobInfo(job).stageIds) == 3, "the rows, their numbers by 64, and the labs"
    sorts = asked("discarded", log)._jdf.queryExecution().executedPlan().toString().count("Sort [")
    assert sorts == 2, "by the time of each row, and by its call"


def test_questions_about_the_format_simulate_each_lab_once(spark, tmp_path):
    class Reader(LabReader):
        def _events(self, replica):
            with open(tmp_path / "simulated", "a") as file:
                file.write(f"{replica}\n")
            return super()._events(replica)

    class Source(LabSource):
        def reader(self, schema):
            found = super().reader(schema)
            return Reader(found.request, found.cores)

    def simulated():
        return sorted(map(int, (tmp_path / "simulated").read_text().split()))

    spark.dataSource.register(Source)
    reader = spark.read.format("mqlab").option("scenario", "expiring").option("replicas", 4)
    events = reader.option("duration", 5).load()
    assert jobs_of(spark, lambda: [asked(name, events) for name in ("fate_summary", "depth")]) == 0
    found = [asked(name, events).collect() for name in ("fate_summary", "depth")]
    assert simulated() == [0, 1, 2, 3]
    cached = reader.option("duration", 5).load().cache()
    assert [asked(name, cached).collect() for name in ("fate_summary", "depth")] == found
    assert simulated() == [0, 0, 1, 1, 2, 2, 3, 3]
    with pytest.raises(LabError, match="each row of a lab once"):
        questions.fate(events.withColumn("replica", F.lit(0)).drop("seed"))
