"""How many times each question scans the log, and how many jobs it makes, as Spark plans it."""

import re

import pytest

from mqlab.pipeline import questions
from mqlab.pipeline.read import read_events

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


def asked(name, log):
    of = [asked(OF[name], log)] if name in OF else [log]
    return getattr(questions, name)(*of, *([questions.discarded(log)] if name == "slow_readers" else []))


def planned(frame):
    """Scans, and jobs: one for each exchange that is not used again, and one for the result."""
    plan = frame._jdf.queryExecution().executedPlan().toString()
    return len(re.findall(r"FileScan parquet", plan)), 1 + len(re.findall(r"[- ](?:Broadcast)?Exchange ", plan))


@pytest.mark.parametrize("name", PLANS)
def test_scans_and_jobs(name, log):
    scans, jobs = planned(asked(name, log))
    wanted, most = PLANS[name]
    assert scans == wanted
    assert jobs <= most
