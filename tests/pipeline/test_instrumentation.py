"""Real instrumentation: the three layouts of amqsevt, what is kept of bad lines, and the tables made of it."""

import json
from collections import Counter
from datetime import datetime

import pytest

from helpers import cases, lab_error
from mqlab.engine.words.errors import LabError
from mqlab.pipeline import instrumentation as measured
from mqlab.pipeline.instrumentation import read_instrumentation


def record(kind, reason, data, *, epoch=1_780_000_000, source="SYSTEM.ADMIN.PERFM.EVENT", **more):
    """One record as amqsevt has it; `kind` and `reason` are (name, number)."""
    return {
        "eventSource": {"objectName": source, "objectType": "Queue", "queueMgr": "QM1"},
        "eventType": {"name": kind[0], "value": kind[1]},
        "eventReason": {"name": reason[0], "value": reason[1]},
        "eventCreation": {"timeStamp": "2026-05-28T20:26:40Z", "epoch": epoch},
        **more,
        "eventData": {"queueMgrName": "QM1", **data},
    }


PERFORMANCE, MANAGER = ("Perfm Event", 45), ("Queue Mgr Event", 44)
CHANNEL, CONFIG = ("Channel Event", 46), ("Config Event", 43)
DEPTHS = {"timeSinceReset": 2, "highQueueDepth": 5, "msgEnqCount": 7, "msgDeqCount": 2}
INTERVAL = {"startDate": "2026-05-28", "startTime": "20.00.00", "endDate": "2026-05-28", "endTime": "20.30.00"}
CHANGE = {"eventUserId": "ops", "queueName": "ORDERS", "maxQueueDepth": 5000, "queueDesc": ""}
ODD = 'so "it" is {"eventSource": 1}'
# fmt: off
RECORDS = [
    record(PERFORMANCE, ("Queue Full", 2053), {"baseObjectName": "ORDERS", **DEPTHS}),
    record(PERFORMANCE, ("Queue Depth High", 2224), {"baseObjectName": "ORDERS", **DEPTHS}, epoch=1_779_999_000),
    record(MANAGER, ("Put Inhibited", 2051), {"queueName": "STOCK", "applName": "TILL"}),
    record(MANAGER, ("Put Inhibited", 2051), {"queueName": "STOCK", "applName": "TILL"}, epoch=1_780_000_060),
    record(MANAGER, ("Queue Mgr Active", 2222), {"hostName": "shop"}),
    record(CHANNEL, ("Channel Stopped", 2283), {"channelName": "TO.HQ               ", "xmitQueueName": "HQ"}),
    record(CONFIG, ("Config Change Object", 2368), CHANGE, objectState="Before Change", correlationID="414D"),
    record(CONFIG, ("Config Change Object", 2368), CHANGE | {"maxQueueDepth": 10, "queueDesc": ODD},
           objectState="After Change", correlationID="414D"),
    record(CONFIG, ("Config Change Object", 2368), CHANGE, objectState="After Change", correlationID="0000"),
    record(("Command Event", 99), ("Command MQSC", 2412), {
        "commandContext": {"eventQueueMgr": "QM1", "command": "Change Queue"}, "commandData": {"queueName": "ORDERS"}}),
    record(("Statistics Queue", 165), ("None", 0), {**INTERVAL, "queueStatisticsData": [
        {"queueName": "ORDERS", "puts": [3, 4], "put1s": [1, 0], "gets": [2, 2], "msgsExpired": 3, "queueMaxDepth": 9},
        {"queueName": "STOCK", "puts": 5}]}),
    record(("Statistics Channel", 166), ("None", 0), {**INTERVAL, "chlStatisticsData": [
        {"channelName": "TO.HQ", "remoteQueueMgrName": "HQ", "msgs": [10, 5], "fullBatches": 1,
         "incompleteBatches": 4}]}),
    record(("Accounting Queue", 168), ("None", 0), {**INTERVAL, "applName": "TILL", "queueAccountingData": [
        {"queueName": "ORDERS", "puts": [1, 1], "gets": [0, 2], "getsFailed": 6}]}),
    record(("Something New", 999), ("New", 1), {"anything": [1, {"deep": True}]}),
]
# fmt: on


def pretty(records):
    """As `-o json` writes it: over several lines, some braces at the left edge."""
    return "\n".join(json.dumps(one, indent=1).replace("\n }", "\n}") for one in records) + "\n"


LAYOUTS = {
    "json": pretty,
    "json_compact": lambda records: "".join(json.dumps(one) + "\n" for one in records),
    "json_array": lambda records: "[\n" + ",\n".join(json.dumps(one, indent=2) for one in records) + "\n]\n",
    "one line": lambda records: json.dumps(records),
    "sorted": lambda records: "\r\n".join(json.dumps(one, indent=2, sort_keys=True) for one in records),
}


def contents(rows):
    def told(row):
        return json.dumps(json.loads(row.data), sort_keys=True)

    return Counter((row["class"], row.reason, row.object, told(row), row.qmgr, row.state) for row in rows)


@pytest.fixture
def read(spark, tmp_path):
    """A function that reads a file with this text, or these bytes."""

    def read(text):
        path = tmp_path / "events.json"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_instrumentation(spark, path)

    return read


@pytest.fixture(scope="module")
def plain(spark, tmp_path_factory):
    path = tmp_path_factory.mktemp("amqsevt") / "events.json"
    path.write_text(LAYOUTS["json_compact"](RECORDS), encoding="utf-8")
    found = read_instrumentation(spark, path)
    found.records.cache()
    return found


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_every_record_once_also_with_line_ends_and_byte_order_marks_of_windows(read, plain, layout):
    text = LAYOUTS[layout](RECORDS)
    for each in (text, "\ufeff" + text.replace("\r\n", "\n").replace("\n", "\r\n")):
        found = read(each).records.collect()
        assert [row.text for row in found if row.problem] == []
        assert contents(found) == contents(plain.events.collect())
        assert len(found) == len(RECORDS)


@pytest.mark.parametrize("layout", ["json", "json_compact", "json_array"])
def test_what_is_no_record_is_kept_aside_and_counted(read, layout):
    text, nameless = LAYOUTS[layout](RECORDS[:4]), dict(RECORDS[0], eventType={"name": "Perfm Event"})
    broken_off = LAYOUTS[layout](RECORDS[:1])[:200]
    found = read(text + "MQ said something else\n" + LAYOUTS[layout]([nameless]) + broken_off)
    assert found.events.count() == 4
    bad = found.bad.collect()
    assert sorted(row.problem.split(":")[0] for row in bad) == ["eventType has no number", "not JSON", "not JSON"]
    assert any("MQ said something else" in row.text for row in bad)
    assert all(row.file.endswith("events.json") for row in bad)
    told = {(row["class"], row.reason_name): row.records for row in found.counts().collect()}
    for frame in (found.events, found.bad, found.counts()):
        assert all("(unit: " in each.metadata["comment"] for each in frame.schema)
    assert (told.pop(("bad", None)), sum(told.values())) == (3, 4)


@pytest.mark.parametrize("layout", ["json", "json_compact", "json_array"])
def test_bytes_that_are_no_utf8_spoil_one_record_only(read, layout):
    found = read(LAYOUTS[layout](RECORDS[:4]).encode().replace(b"STOCK", b"ST\xd6CK", 1))
    assert found.events.count() == 3
    [bad] = found.bad.collect()
    assert bad.problem == "not UTF-8"
    assert "ST\ufffdCK" in bad.text


@pytest.mark.parametrize("layout", ["json", "json_array"])
def test_a_file_that_begins_within_a_record(read, layout):
    found = read(LAYOUTS[layout](RECORDS)[60:])
    assert found.events.count() == len(RECORDS) - 1
    assert [row.problem.split(":")[0] for row in found.bad.collect()] == ["not JSON"]


PLAIN = RECORDS[4]


@cases(
    "text, problem",
    (json.dumps(PLAIN | {"eventCreation": {"epoch": 1e300}}), "eventCreation has no epoch"),
    (json.dumps(PLAIN | {"eventCreation": {"epoch": float("nan")}}), "eventCreation has no epoch"),
    (json.dumps(PLAIN | {"eventType": {"value": 2**40}}), "eventType has no number"),
    (json.dumps(PLAIN | {"eventReason": {"value": "none"}}), "eventReason is no number"),
    ('{"a":' * 100_000, "not JSON"),
    (json.dumps(PLAIN)[:-2] + ', "size": ' + "9" * 5000 + "}}", "not JSON"),
)
def test_a_value_that_no_column_holds_is_bad_and_ends_nothing(read, text, problem):
    found = read(f"{json.dumps(PLAIN)}\n{text}\n{json.dumps(PLAIN)}\n")
    assert (found.events.count(), [row.problem.split(":")[0] for row in found.bad.collect()]) == (2, [problem])


def test_names_that_are_no_text_are_told_as_json(read):
    odd = record(MANAGER, ("Queue Mgr Active", 2222), {"queueMgrName": 5, "queueName": ["A"], "text": "\ud800"})
    [row] = read(json.dumps(odd | {"objectState": {"a": None}}) + "\n").events.collect()
    assert (row.qmgr, row.object, row.state, json.loads(row.data)["text"]) == ("5", '["A"]', '{"a":null}', "?")


def test_a_damaged_number_is_null_and_ends_no_question(read):
    sums = {"queueName": "ORDERS", "puts": [2**63 - 1, 5], "gets": "x", "browses": [3, 4]}
    damaged = [
        record(PERFORMANCE, ("Queue Full", 2053), {"baseObjectName": "ORDERS", **DEPTHS, "highQueueDepth": "x"}),
        record(("Statistics Queue", 165), ("None", 0), {**INTERVAL, "queueStatisticsData": [sums]}),
    ]
    events = read(LAYOUTS["json_compact"](damaged)).events
    [row] = measured.performance(events).collect()
    assert (row.deepest, row.put) == (None, 7)
    [row] = measured.queue_statistics(events).collect()
    assert (row.put, row.got, row.browsed) == (None, None, 7)


def test_names_are_without_the_blanks_that_fill_their_fields(read):
    who = {"applName": "TILL    ", "userIdentifier": "ann  ", "topicString": "price/fruit"}
    refused = ("Not Authorized", 2035)
    blank, plain = record(MANAGER, refused, who | {"queueMgrName": "QM1  "}), {name: who[name].strip() for name in who}
    [row] = measured.refusals(read(LAYOUTS["json"]([blank, record(MANAGER, refused, plain)])).events).collect()
    told = (row.qmgr, row.application, row.user, row.object, row.times)
    assert told == ("QM1", "TILL", "ann", "price/fruit", 2), "a topic has its string, as in IBM's event message"


def test_the_columns_of_a_record_and_statistics_that_mq_counts_apart(plain):
    [full] = plain.events.where("reason = 2053").collect()
    told = (full["class"], full.type, full.type_name, full.qmgr, full.object)
    assert told == ("performance", 45, "Perfm Event", "QM1", "ORDERS")
    assert full.created == datetime(2026, 5, 28, 20, 26, 40)
    assert plain.events.where("type = 999").first()["class"] == "other"
    assert plain.events.where("type = 99").first().object == "ORDERS"
    rows = measured.performance(plain.events).collect()
    found = [(row.reason, row.queue, row.deepest, row.put, row.got, row.seconds) for row in rows]
    assert found == [(reason, "ORDERS", 5, 7, 2, 2) for reason in (2224, 2053)]
    orders, stock = measured.queue_statistics(plain.events).collect()
    assert (orders.queue, orders.put, orders.got, orders.expired, orders.deepest) == ("ORDERS", 8, 4, 3, 9)
    assert (stock.queue, stock.put, stock.got) == ("STOCK", 5, None)
    assert orders.end - orders.start == datetime(2026, 1, 1, 0, 30) - datetime(2026, 1, 1)
    assert dict(measured.queue_statistics(plain.events).dtypes)["start"] == "timestamp_ntz", "in any time zone"
    [channel] = measured.channel_statistics(plain.events).collect()
    told = (channel.channel, channel.partner, channel.messages, channel.full_batches, channel.part_batches)
    assert told == ("TO.HQ", "HQ", 15, 1, 4)
    [till] = measured.queue_accounting(plain.events).collect()
    assert (till.application, till.queue, till.put, till.got, till.failed) == ("TILL", "ORDERS", 2, 2, 6)


def test_refusals_channel_events_and_changes_of_whole_pairs(plain):
    [row] = measured.refusals(plain.events).collect()
    assert (row.reason, row.object, row.application, row.times) == (2051, "STOCK", "TILL", 2)
    assert row.first < row.last
    [row] = measured.channel_events(plain.events).collect()
    assert (row.channel, row.reason, row.partner) == ("TO.HQ", 2283, "HQ")
    rows = measured.changes(plain.events).collect()
    assert [(row.attribute, row.before, row.after, row.user) for row in rows] == [
        ("maxQueueDepth", "5000", "10", "ops"),
        ("queueDesc", "", ODD, "ops"),
    ]


@pytest.mark.parametrize(("text", "said"), [("", "is empty"), ("not json at all\n", "begins with 'not json at all'")])
def test_what_is_nothing_of_amqsevt(spark, read, tmp_path, text, said):
    lab_error(said, read, text)
    lab_error("that Spark can read", read_instrumentation, spark, tmp_path / "nowhere.json")


def test_folders_in_a_folder_and_names_like_patterns(spark, tmp_path):
    (tmp_path / "QM1").mkdir()
    for path, some in ((tmp_path / "QM1" / "a[1].json", RECORDS[:5]), (tmp_path / "b.json", RECORDS[5:])):
        path.write_text(LAYOUTS["json"](some), encoding="utf-8")
    lab_error("partitions must be a whole number, 1 or more; got 0", read_instrumentation, spark, tmp_path, 0)
    found = read_instrumentation(spark, tmp_path, partitions=3)
    assert (found.events.count(), found.bad.count()) == (len(RECORDS), 0)
    assert read_instrumentation(spark, tmp_path / "QM1" / "a[1].json").events.count() == 5


@pytest.mark.parametrize("layout", ["json", "json_compact", "sorted"])
def test_the_same_file_twice_is_refused(spark, tmp_path, layout):
    (tmp_path / "old").mkdir()
    for path in (tmp_path / "old" / "day [1].json", tmp_path / "day.json"):
        path.write_text(LAYOUTS[layout](RECORDS), encoding="utf-8")
    with pytest.raises(LabError, match=r"day%20\[1\]\.json and .*day\.json have the same records|day\.json and .*day"):
        read_instrumentation(spark, tmp_path)


def test_files_of_one_length_are_not_taken_for_the_same(spark, tmp_path):
    for name, queue in (("a", "ORDERS"), ("b", "ORDERZ")):
        text = LAYOUTS["json_compact"](RECORDS[:3]).replace("ORDERS", queue)
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    found = read_instrumentation(spark, tmp_path)
    assert (found.events.count(), found.repeated.count()) == (6, 1)


def test_records_that_two_files_share_are_named(spark, tmp_path):
    for name, some in (("mon", RECORDS[:11]), ("tue", RECORDS[10:])):
        (tmp_path / f"{name}.json").write_text(LAYOUTS["json"](some), encoding="utf-8")
    found = read_instrumentation(spark, tmp_path)
    [row] = found.repeated.collect()
    assert measured.queue_statistics(found.events).count() == 2, "delivered twice, counted once"
    assert (row.times, row["class"], row.type) == (2, "queue statistics", 165)
    assert [file.rsplit("/", 1)[1] for file in row.files] == ["mon.json", "tue.json"]
