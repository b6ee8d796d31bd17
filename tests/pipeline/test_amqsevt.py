"""A lab's day as records of amqsevt, written and read back."""

import json
from collections import Counter

import pytest

from mqlab import Lab, LabError, MQError, estates
from mqlab.pipeline import instrumentation as measured
from mqlab.pipeline.instrumentation import read_instrumentation
from mqlab.pipeline.traffic.amqsevt import records, write_json


@pytest.fixture(scope="module")
def log():
    lab = estates.load("two-sites")
    north, south = lab["NORTH"], lab["SOUTH"]
    for number in range(12):
        north.put("ORDERS", b"order", expiry=-1 if number % 3 else 100, persistent=number % 2 == 0)
        if number < 6:
            north.put("AUDIT", b"audit")
        lab.run(400)
    south.mqsc("ALTER QLOCAL(ORDERS.IN) GET(DISABLED)")
    with pytest.raises(MQError):
        south.get("ORDERS.IN")
    south.mqsc("ALTER QLOCAL(ORDERS.IN) GET(ENABLED)")
    with pytest.raises(MQError):
        south.put("NOWHERE", b"?")
    lab.advance(3600)
    south.get("ORDERS.IN")
    lab.cut("NORTH", "HUB")
    lab.run(100)
    return lab.events


def test_counts_agree_with_the_log(log):
    found = list(records(log))
    reasons = Counter(each["eventReason"]["value"] for each in found)
    rows = Counter(row.reason for row in log)
    assert reasons[2016] == rows[2016] == 1
    assert reasons[2085] == rows[2085] == 1
    assert reasons[2222] == len(log.where(kind="start", object=None)) == 3
    running = [json.loads(row.detail) for row in log.where(kind="channel", object_type="CHANNEL")]
    assert reasons[2282] == sum(each.get("was") is not None and each["state"] == "RUNNING" for each in running) > 0
    assert reasons[2283] == sum(each.get("was") == "RUNNING" for each in running) > 0
    epochs = [each["eventCreation"]["epoch"] for each in found]
    assert epochs == sorted(epochs)


def test_statistics_add_up_to_the_log(log):
    parts = [each for record in records(log, 600) for each in record["eventData"].get("queueStatisticsData", ())]
    local = [row for row in log if row.object_type == "QLOCAL" and row.message is not None]
    assert sum(sum(part["puts"]) for part in parts) == sum(row.kind in ("put", "report") for row in local)
    assert sum(sum(part["gets"]) for part in parts) == sum(row.kind == "get" for row in local)
    assert sum(part["msgsExpired"] for part in parts) == sum(row.kind == "discard" for row in local) > 0


def test_a_queue_that_fills_empties_and_fills_again():
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(10)")
    for _ in range(2):
        for _ in range(10):
            qm.put("Q", b"")
        for _ in range(2):
            with pytest.raises(MQError):
                qm.put("Q", b"")
        for _ in range(10):
            qm.get("Q")
    told = [each["eventReason"]["name"] for each in records(lab.events) if each["eventType"]["value"] == 45]
    assert told == ["Queue Depth High", "Queue Full", "Queue Depth Low"] * 2


@pytest.mark.parametrize("layout", ["json", "json_compact", "json_array"])
def test_it_is_read_back_whole(spark, log, tmp_path, layout):
    path = tmp_path / "day.json"
    number = write_json(records(log), path, layout)
    found = read_instrumentation(spark, path)
    assert found.bad.count() == 0
    assert found.events.count() == number > 20
    total = measured.queue_statistics(found.events).groupBy().sum("put", "expired").first()
    local = [row for row in log if row.object_type == "QLOCAL" and row.message is not None]
    assert total[0] == sum(row.kind in ("put", "report") for row in local)


def test_bad_wishes(log, tmp_path):
    with pytest.raises(LabError, match="interval wanted"):
        next(records(log, 0))
    with pytest.raises(LabError, match="layout wanted"):
        write_json([], tmp_path / "x", "xml")
    assert list(records(Lab().events)) == []
