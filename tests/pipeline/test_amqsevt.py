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
    running = [each for each in running if each.get("was") and "PAUSED" not in (each["was"], each["state"])]
    assert reasons[2282] == sum(each["state"] == "RUNNING" for each in running) > 0
    assert reasons[2283] == sum(each["was"] == "RUNNING" for each in running) > 0
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
    assert found.events.count() == number > 15
    total = measured.queue_statistics(found.events).groupBy().sum("put", "expired").first()
    local = [row for row in log if row.object_type == "QLOCAL" and row.message is not None]
    assert total[0] == sum(row.kind in ("put", "report") for row in local)


def test_bad_wishes(log, tmp_path):
    with pytest.raises(LabError, match="interval must be"):
        next(records(log, 0))
    with pytest.raises(LabError, match="layout must be"):
        write_json([], tmp_path / "x", "xml")
    assert list(records(Lab().events)) == []


def test_events_of_a_bad_route_name_the_transmission_queue_or_the_base_of_the_alias():
    lab = Lab()
    qm = lab.queue_manager("QM1")
    qm.mqsc("""DEFINE QLOCAL(PLAIN)
        DEFINE QALIAS(TO.MODEL) TARGET(SYSTEM.DEFAULT.MODEL.QUEUE)
        DEFINE QALIAS(TO.NONE) TARGET(NONE)
        DEFINE QREMOTE(R1) RNAME(A) RQMNAME(QM2) XMITQ(NO.XMIT)
        DEFINE QREMOTE(R2) RNAME(A) RQMNAME(QM2) XMITQ(PLAIN)
        DEFINE QREMOTE(R3) RNAME(A) RQMNAME(QM2) XMITQ(R1)
        DEFINE QREMOTE(R4) RNAME(A) RQMNAME(QM2)""").require()
    for queue in ("R1", "R2", "R3", "TO.MODEL", "TO.NONE"):
        with pytest.raises(MQError):
            qm.put(queue, b"x")
    for default in ("NONE", "PLAIN", "R1"):
        qm.mqsc(f"ALTER QMGR DEFXMITQ({default})").require()
        with pytest.raises(MQError):
            qm.put("R4", b"x")
    found = {}
    for each in list(records(lab.events))[1:]:
        data = {k: v for k, v in each["eventData"].items() if k not in ("queueMgrName", "applName", "applType")}
        found[each["eventReason"]["value"]] = (each["eventReason"]["name"], data)
    assert found == {
        2196: ("Unknown Xmit Queue", {"queueName": "R1", "xmitQueueName": "NO.XMIT"}),
        2092: ("Xmit Queue Usage Error", {"queueName": "R2", "xmitQueueName": "PLAIN"}),
        2091: ("Xmit Queue Type Error", {"queueName": "R3", "xmitQueueName": "R1", "queueType": "Remote"}),
        2001: (
            "Alias Base Queue Type Error",
            {"queueName": "TO.MODEL", "baseObjectName": "SYSTEM.DEFAULT.MODEL.QUEUE", "queueType": "Model"},
        ),
        2082: ("Unknown Alias Base Queue", {"queueName": "TO.NONE", "baseObjectName": "NONE", "baseType": "Queue"}),
        2197: ("Unknown Def Xmit Queue", {"queueName": "R4", "xmitQueueName": "NONE"}),
        2199: ("Def Xmit Queue Usage Error", {"queueName": "R4", "xmitQueueName": "PLAIN"}),
        2198: ("Def Xmit Queue Type Error", {"queueName": "R4", "xmitQueueName": "R1", "queueType": "Remote"}),
    }


def test_an_event_names_the_type_of_application_and_of_what_an_alias_leads_to():
    lab = Lab()
    old, new = lab.queue_manager("OLD", level=600), lab.queue_manager("NEW", platform="zos")
    old.mqsc("DEFINE QALIAS(A) TARGQ(NONE)").require()
    new.mqsc("DEFINE QALIAS(A) TARGET(NONE)\nALTER QALIAS(A) TARGTYPE(TOPIC)").require()
    for qm in (old, new):
        with pytest.raises(MQError, match="2082"):
            qm.put("A", b"x")
    first, second = (each["eventData"] for each in records(lab.events) if each["eventReason"]["value"] == 2082)
    assert (first["applType"], "baseType" in first) == ("Unix", False)
    assert (second["applType"], second["baseType"]) == ("Zos", "Topic")


def test_channel_events_have_the_fields_of_the_product():
    lab = Lab()
    one, two = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    lab.link("QM1", "QM2")
    one.mqsc(
        "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('two(1414)') XMITQ(XQ)"
    ).require()
    two.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(1)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) MRRTY(1)").require()
    lab.address("two(1414)", "QM2")
    one.mqsc("DEFINE QREMOTE(R) RNAME(Q) RQMNAME(QM2) XMITQ(XQ)\nSTART CHANNEL(TO.QM2)").require()
    lab.advance(1)
    for _ in range(2):  # the second pauses the receiver, which starts no new instance
        one.put("R", b"x")
    lab.advance(5)
    one.mqsc("STOP CHANNEL(TO.QM2)").require()
    lab.advance(1)
    one.mqsc("STOP CHANNEL(TO.QM2)")
    with pytest.raises(MQError):
        one.put("R2@QM9", b"x")
    one.mqsc("START CHANNEL(TO.QM2)").require()
    lab.advance(1)
    lab.cut("QM1", "QM2")
    lab.advance(1)
    found = [each for each in records(lab.events) if each["eventType"]["value"] in (44, 46)]
    told: dict = {name: [] for name in ("QM1", "QM2")}
    for each in found[2:]:  # behind the starts of the two queue managers
        data = {key: value for key, value in each["eventData"].items() if value not in ("", 0)}
        told[data.pop("queueMgrName")].append((each["eventReason"]["value"], data))
    channel, link = {"channelName": "TO.QM2"}, {"xmitQueueName": "XQ", "connectionName": "two(1414)"}
    disabled, retry = ({"reasonQualifier": f"Channel Stopped {word}"} for word in ("Disabled", "Retry"))
    broken = {"errorIdentifier": 0x20009208}
    assert told["QM1"] == [
        (2282, {**channel, **link}),
        (2279, {**channel, **disabled}),
        (2283, {**channel, **link, **disabled}),
        (2279, {**channel, **disabled}),
        (2087, {"queueName": "R2", "objectQueueMgrName": "QM9", "applType": "Unix"}),
        (2282, {**channel, **link}),
        (2283, {**channel, **link, **retry, **broken}),
    ]
    called = {"connectionName": "QM1"}
    assert told["QM2"] == [
        (2282, {**channel, **called}),
        (2283, {**channel, **called, "reasonQualifier": "Channel Stopped Ok"}),
        (2282, {**channel, **called}),
        (2283, {**channel, **called, "reasonQualifier": "Channel Stopped Error", **broken}),
    ]
