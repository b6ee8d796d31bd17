"""The log in the formats of other tools: each keeps the rules of its format, and says what the log says."""

import json
from collections import Counter, defaultdict
from datetime import datetime

import pytest
from jsonschema import Draft7Validator, FormatChecker

from clustered import Demo
from helpers import closed, lab_error, refusal, scenario_lab
from mqlab import EventLog, Lab
from mqlab.engine.world.event import Event
from mqlab.formats import FORMATS, Rows, moment, write
from mqlab.formats.event_file import read_parquet
from mqlab.lab.scenarios import names

TEXT, TIME = {"type": "string"}, {"type": "string", "format": "date-time"}


def listed(*optional, **properties):
    return {"type": "array", "items": closed(optional, **properties)}


RELATED = listed(objectId=TEXT, qualifier=TEXT)
TYPE = {"enum": ["string", "time", "integer", "float", "boolean"]}
DECLARED = listed(name=TEXT, attributes=listed(name=TEXT, type=TYPE))
# Written from the facts of the OCEL 2.0 specification; it is stricter than the published schema, which it contains.
# Attributes have values, which OCEL's JSON schema wants as text.
SAID = ("attributes", "relationships")
VALUED, TIMED = listed(name=TEXT, value=TEXT), listed(name=TEXT, value=TEXT, time=TIME)
OCEL = closed(
    eventTypes=DECLARED,
    objectTypes=DECLARED,
    events=listed(*SAID, id=TEXT, type=TEXT, time=TIME, attributes=VALUED, relationships=RELATED),
    objects=listed(*SAID, id=TEXT, type=TEXT, attributes=TIMED, relationships=RELATED),
)


def event(seq, **columns):
    """A row with these columns; the others have the value that a row has without them."""
    return Event(**{**dict.fromkeys(Event._fields), "seq": seq, "time_us": seq, "kind": "put", **columns})


NAUGHTY = [
    event(0, qmgr='Q"M\\1', object="ÖRDERS'; --", object_type="QLOCAL", message=2**62, depth=1, detail='{"é":"\n"}'),
    event(2, kind='odd "kind"', program="<b>π</b>", uow=2**62, cause=0, reason=2**31 - 1),
    event(5, kind="object", qmgr="", object="", cause=1, rule="NO-1"),
    event(2**53, kind="ObJect", object="?", message=1, persistent=True, priority=9, cause=5),
]


@pytest.fixture(scope="module")
def cluster():
    """A lab with a cluster in which a message went its way."""
    demo = Demo(queues={"HUB1": "ORDERS", "DEPOT": "ORDERS"})
    demo["SHOP"].connect("TILL").put("ORDERS", "x")
    demo.settle()
    return demo.lab


@pytest.fixture(scope="module")
def logs(cluster):
    """The rows of some scenarios, of a cluster, of an empty log, and of one with names and numbers hard to write."""
    found = {"empty": [], "naughty": NAUGHTY, "cluster": list(cluster.events)}
    for name in ("poison", "igq-channels", "van-out-of-reach", "dead-letters"):
        found[name] = list(scenario_lab(name).events)
    assert set(found) - {"empty", "naughty", "cluster"} <= set(names())
    return found


@pytest.fixture
def written(tmp_path):
    """A function that writes rows in a format, and reads a JSON file."""

    def make(events, format):
        path = tmp_path / f"log{FORMATS[format].suffix}"
        write(Rows(events, moment("")), path, format)
        return json.loads(path.read_text(encoding="utf-8"))

    return make


def faults(schema, found):
    return [error.message for error in Draft7Validator(schema, format_checker=FormatChecker()).iter_errors(found)]


def test_ocel_json_keeps_the_rules_of_ocel(logs, written):
    for name, events in logs.items():
        found = written(events, "ocel")
        assert faults(OCEL, found) == [], name
        assert [each["id"] for each in found["events"]] == [f"event {row.seq}" for row in events]
        ids = Counter(each["id"] for each in found["objects"])
        assert set(ids.values()) <= {1}
        related = {each["objectId"] for one in found["events"] + found["objects"] for each in one["relationships"]}
        assert related <= set(ids)
        for what in ("event", "object"):
            types = {each["name"]: {one["name"] for one in each["attributes"]} for each in found[f"{what}Types"]}
            assert len(types) == len(found[f"{what}Types"])
            assert {each["type"] for each in found[f"{what}s"]} == set(types)
            for each in found[f"{what}s"]:
                assert {one["name"] for one in each["attributes"]} <= types[each["type"]]
                timed = [(one["name"], one.get("time")) for one in each["attributes"]]
                assert len(timed) == len(set(timed))


def test_an_event_of_ocel_has_the_objects_of_its_row(logs, written):
    found = {each["id"]: each for each in written(logs["poison"], "ocel")["events"]}
    row = next(row for row in logs["poison"] if row.kind == "get" and row.uow is not None and row.message is not None)
    one = found[f"event {row.seq}"]
    assert {each["objectId"]: each["qualifier"] for each in one["relationships"]} == {
        f"message {row.message}": "of",
        f"queue {row.object}@{row.qmgr}": "on",
        f"program {row.program}@{row.qmgr}": "by",
        f"queue manager {row.qmgr}": "at",
        f"unit of work {row.uow}": "in",
    }
    seconds = (datetime.fromisoformat(one["time"]) - moment("")).total_seconds()
    assert seconds == row.time_us / 1e6


def test_a_chrome_trace_names_its_tracks_and_nests_its_slices(logs, written):
    for name, events in logs.items():
        records = written(events, "chrome-trace")["traceEvents"]
        by = defaultdict(list)
        for each in records:
            by[each["ph"]].append(each)
        named = {(each["pid"], each["tid"]): each["args"]["name"] for each in by["M"] if each["name"] == "thread_name"}
        assert {(each["pid"], each["tid"]) for each in records} == set(named), name
        assert [each["args"]["seq"] for each in by["i"]] == [
            row.seq if row.seq <= 2**53 else str(row.seq) for row in events
        ]
        for track in named:
            end = 0
            for each in by["X"]:
                if (each["pid"], each["tid"]) == track and each["cat"] == "event":
                    assert each["ts"] >= end
                    end = each["ts"] + each["dur"]
        there = {row.seq for row in events}
        causes = sum(row.cause in there and row.cause < row.seq for row in events if row.cause is not None)
        assert len(by["s"]) == len(by["f"]) == causes
        assert {each["id"] for each in by["e"]} <= {each["id"] for each in by["b"]}


def test_the_stays_in_a_chrome_trace_are_those_of_the_log(logs, written):
    events = logs["dead-letters"]
    records = written(events, "chrome-trace")["traceEvents"]
    waiting = Counter()
    for each in records:
        waiting[each["name"], each["pid"]] += {"b": 1, "e": -1}.get(each["ph"], 0)
    depths = {}
    for each in records:
        if each["ph"] == "C":
            depths[each["name"].removeprefix("depth of "), each["pid"]] = each["args"]["messages"]
    assert depths
    assert {queue: waiting[queue] for queue in depths} == depths


def test_rows_of_repository_managers_come_back_from_parquet_as_they_were(cluster, tmp_path):
    cluster.events.write_parquet(tmp_path / "events.parquet")
    back = read_parquet(tmp_path / "events.parquet")
    assert back == list(cluster.events)
    assert {row.facts["did"] for row in back if row.kind == "cluster"} >= {"learned", "asked", "found"}


def test_a_log_exports_itself_and_its_parquet_file_the_same(tmp_path):
    lab = Lab(start="2026-03-29T01:59:59.5+01:00")
    lab.scenario("expired-fill")
    lab.events.write_parquet(tmp_path / "log.parquet")
    rows = read_parquet(tmp_path / "log.parquet")
    assert rows == list(lab.events)
    for name, each in FORMATS.items():
        lab.events.export(tmp_path / "a", name)
        write(Rows(rows, lab.start), tmp_path / "b", name)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes(), each.about
    lab.events.export(tmp_path / "c", "ocel")
    assert b'"time":"2026-03-29T00:59:59.500000Z"' in (tmp_path / "c").read_bytes()


def test_what_cannot_be_written_is_said_and_leaves_the_file_that_was_there(tmp_path):
    log = EventLog()
    log.write(0, "start", ("QM1", None, None))
    there = tmp_path / "there"
    there.write_text("before")
    lab_error("format must be one of ocel, chrome-trace; got 'xes'", log.export, there, "xes")
    lab_error("a number is there twice", Rows, [log[0], log[0]], moment(""))
    lab_error("start must be a time", EventLog("soon").export, there, "ocel")
    for name in FORMATS:
        refusal(OSError, "nowhere", log.export, tmp_path / "nowhere" / "x", name)
        refusal(OSError, tmp_path.name, log.export, tmp_path, name)
    late = Rows([event(0), event(1, time_us=2**60)], moment(""))
    lab_error("between the years 1 and 9999", write, late, there, "ocel")
    assert (there.read_text(), [each.name for each in tmp_path.iterdir()]) == ("before", ["there"])


def test_a_file_that_is_no_event_log_is_refused(tmp_path):
    (tmp_path / "text").write_text("no parquet")
    lab_error("is no parquet file", read_parquet, tmp_path / "text")
