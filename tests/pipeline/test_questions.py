"""Every question, asked of the log written by hand in conftest.py."""

import pytest

from helpers import lab_error
from mqlab import EventLog, Lab
from mqlab.pipeline.questions import (
    FATES,
    consumers,
    depth,
    discarded,
    expiry_over_time,
    failures,
    fate,
    fate_summary,
    lag_histogram,
    time_on_queue,
)
from mqlab.pipeline.read import read_events

SECOND = 1_000_000
MANY = 40_000


def rows(frame, *columns):
    return [tuple(row[column] for column in columns) for row in frame.collect()]


@pytest.fixture(scope="module")
def fates(told):
    return {row["message"]: row for row in fate(told).collect()}


@pytest.fixture(scope="module")
def discards(told):
    return discarded(told).cache()


def test_fates_their_times_and_who_ended_them(fates):
    told = "got; discarded; discarded; got; backed out; expired; waiting; got; browsed; cleared; lost"
    told += "; got, not committed; put, not committed; discarded"
    assert {message: row["fate"] for message, row in fates.items()} == dict(enumerate(told.split("; "), 1))
    found = fates
    assert (found[8]["put_us"], found[8]["end_us"], found[8]["lifetime_us"]) == (230 * SECOND, 233 * SECOND, 3 * SECOND)
    assert (found[8]["program"], found[14]["program"], found[10]["program"]) == ("CLERK", "OPS", None)
    assert (found[7]["end_us"], found[7]["lifetime_us"], found[7]["program"]) == (None, None, None)
    assert {row["object"] for row in found.values()} == {"PUSH", "DESK"}


@pytest.mark.parametrize("back", [1, 2])
def test_a_message_comes_back_to_its_queue(spark, pen, tmp_path, back):
    """Message 1 at `back`, which may be the time it came first; message 2 in a unit of work that is backed out."""
    pen.row(1, "put", "DLQ", 1, "SHOP")
    pen.row(back, "get", "DLQ", 1, "HANDLER", put=1)
    pen.row(back, "put", "DLQ", 1, "HANDLER")
    pen.row(3, "put", "DLQ", 2, "SHOP")
    pen.row(4, "get", "DLQ", 2, "HANDLER", uow=1, put=3)
    pen.row(5, "put", "DLQ", 2, "HANDLER", uow=1)
    pen.row(6, "backout", uow=1, program="HANDLER")
    pen.row(6, "undo", "DLQ", 2, "HANDLER", uow=1, put=5)
    pen.row(6, "restore", "DLQ", 2, "HANDLER", uow=1, put=3)
    pen.row(9, "get", "DLQ", 1, "OPS", put=back)
    pen.log.write_parquet(tmp_path / "events.parquet")
    found = fate(read_events(spark, tmp_path / "events.parquet"))
    assert sorted(rows(found, "message", "stay", "fate", "end_us", "program")) == [
        (1, 1, "moved on", back * SECOND, "HANDLER"),
        (1, 2, "got", 9 * SECOND, "OPS"),
        (2, 1, "waiting", None, None),
        (2, 2, "backed out", 6 * SECOND, "HANDLER"),
    ]


def test_fate_summary_consumers_and_failures(told):
    found = rows(fate_summary(told), "object", "fate", "messages")
    assert ("PUSH", "discarded", 2) in found
    assert sum(count for *_, count in found) == 14
    assert {name for _, name, _ in found} <= set(FATES)
    assert [queue for queue, *_ in found] == sorted(queue for queue, *_ in found)
    found = rows(consumers(told), "object", "program", "gets", "browses", "empty", "failed", "returned", "last_us")
    assert found == [
        ("DESK", "CLERK", 4, 0, 0, 0, 2, 402 * SECOND),
        ("DESK", "OPS", 0, 1, 1, 0, 0, None),
        ("PUSH", "NOTIFY", 2, 0, 1, 0, 0, 200_010_000),
    ]
    found = rows(failures(told), "object", "call", "reason", "name", "times", "on_depth", "greatest_depth", "programs")
    assert found == [
        ("DESK", "browse", 2033, "MQRC_NO_MSG_AVAILABLE", 1, 1, 2, ["OPS"]),
        ("PUSH", "get", 2033, "MQRC_NO_MSG_AVAILABLE", 1, 0, 0, ["NOTIFY"]),
        ("PUSH", "put", 2053, "MQRC_Q_FULL", 1, 1, 2, ["SHOP"]),
    ]


def test_percentiles_are_exact_of_many_values(spark):
    """40,000 different times in four parts: the nearest rank, to the microsecond."""
    stays = f"(id * 7919) % {MANY} * 17"
    ended = spark.range(0, MANY, 1, 4).selectExpr("'Q' qmgr", "'O' object", "'got' fate", f"{stays} stay_us")
    found = rows(time_on_queue(ended), "p50_us", "p95_us", "p99_us", "longest_us")
    ordered = [17 * rank for rank in range(MANY)]
    assert found == [(*(ordered[MANY * share // 100 - 1] for share in (50, 95, 99)), ordered[-1])]


def test_depth_counts_a_message_as_expired_only_while_it_is_there(told):
    """Message 14 expires at 249 s while a unit of work holds it, comes back at 300 s and is discarded at 400 s."""
    push = rows(depth(told, 60).where("object = 'PUSH'"), "time_us", "depth", "expired", "live")
    counts = [(2, 1, 1), (3, 2, 1), (3, 2, 1), *[(2, 1, 1)] * 5]
    assert push == [(60 * minute * SECOND, *each) for minute, each in enumerate(counts, 1)]
    found = rows(depth(told, 10).where("object = 'DESK'"), "time_us", "depth", "expired")
    desk = {time: rest for time, *rest in found}
    assert (desk[250 * SECOND], desk[300 * SECOND], desk[310 * SECOND]) == ([1, 0], [1, 0], [2, 1])
    assert (desk[400 * SECOND], desk[410 * SECOND]) == ([2, 1], [1, 0])


@pytest.mark.parametrize("wrong", [0, -5, 1.5, "60", True])
def test_depth_wants_whole_seconds(told, wrong):
    lab_error("every_seconds must be", depth, told, wrong)


def test_what_expired_and_who_would_have_read_it(discards):
    found = {row["message"]: row for row in discards.collect()}
    assert (set(found), found[3]["deadline_us"], found[3]["discarded_us"]) == ({2, 3, 14}, 20_050_000, 200_010_000)
    assert (found[3]["lag_us"], found[3]["met_by"], found[3]["call"]) == (200_010_000 - 20_050_000, "NOTIFY", "get")
    assert (found[3]["call_seq"], found[14]["met_by"], found[14]["call"]) == (found[2]["call_seq"], "OPS", "browse")
    found = {row["message"]: (row["reader"], row["reader_last_us"]) for row in discards.collect()}
    assert found == {2: ("NOTIFY", 2 * SECOND), 3: ("NOTIFY", 2 * SECOND), 14: ("CLERK", 246 * SECOND)}


def test_expiry_over_time_and_lags(discards):
    assert rows(expiry_over_time(discards, 1), "time_us", "what", "messages") == [
        (0, "expired", 1),
        (60 * SECOND, "expired", 1),
        (180 * SECOND, "discarded", 2),
        (240 * SECOND, "expired", 1),
        (360 * SECOND, "discarded", 1),
    ]
    assert rows(lag_histogram(discards), "object", "lag", "messages") == [
        ("DESK", "1 to 10 min", 1),
        ("PUSH", "1 to 10 min", 2),
    ]
    lab_error("every_minutes must be", expiry_over_time, discards, 0)


def test_a_log_without_messages(spark, tmp_path):
    EventLog().write_parquet(tmp_path / "none.parquet")
    events = read_events(spark, tmp_path / "none.parquet")
    for question in (fate, fate_summary, depth, discarded, consumers, failures):
        assert question(events).count() == 0


def test_everyplace_hands_over_a_message_and_the_sender_has_not_got_it(spark, tmp_path):
    lab = Lab()
    hq, pda = lab.everyplace("HQ"), lab.everyplace("PDA1")
    hq.define("local", "ORDERS")
    pda.define("asynchronous", "ORDERS@HQ")
    lab.link("HQ", "PDA1", latency=0.05)
    pda.connect("SALES").put("ORDERS@HQ", b"x", expire_ms=60_250)
    pda.trigger_transmission()
    lab.advance(5)
    path = tmp_path / "log.parquet"
    lab.events.write_parquet(path)
    rows = {(r["qmgr"], r["object"]): r["fate"] for r in fate(read_events(spark, path)).collect()}
    assert rows == {("PDA1", "ORDERS@HQ"): "moved on", ("HQ", "ORDERS"): "waiting"}
    lab.advance_to(60_249_999)
    for wait, name in ((0, "waiting"), (1e-6, "expired")):
        lab.advance(wait)
        hq.connect("CLERK")
        lab.queue_manager(f"MARK{name.upper()}")  # a row at this moment
        lab.events.write_parquet(path)
        assert {r["object"]: r["fate"] for r in fate(read_events(spark, path)).collect()}["ORDERS"] == name
