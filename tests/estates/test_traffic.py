"""Traffic for an estate: the lines are read, every message has one fate, and findings have the figures of the run."""

import json
import re

import pytest
from estates.cases import estate_of

from helpers import cases, for_each, lab_error
from mqlab.estates.traffic import FATES, Flow, flows_of, slices_of

SHOP = """
DEFINE QREMOTE(ORDERS) RNAME(IN) RQMNAME(DEPOT)
DEFINE QLOCAL(DEPOT) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(SHOP.DEPOT)
DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(DEPOT)
DEFINE QLOCAL(NO.BOQ) BOTHRESH(3)
DEFINE QLOCAL(NO.THRESHOLD)
DEFINE QLOCAL(FULL) MAXDEPTH(40)
DEFINE QLOCAL(SLOW)
DEFINE QLOCAL(NOT.READ)
DEFINE QALIAS(BROKEN) TARGET(NOPE)
DEFINE QREMOTE(ROUND) RNAME(ROUND) RQMNAME(DEPOT)
DEFINE CHANNEL(DEPOT.SHOP) CHLTYPE(RCVR)
DEFINE TOPIC(T) TOPICSTR(t)
DEFINE QALIAS(NEWS) TARGET(T) TARGTYPE(TOPIC)
"""
DEPOT = """
DEFINE QREMOTE(ROUND) RNAME(ROUND) RQMNAME(SHOP)
DEFINE QLOCAL(SHOP) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)
DEFINE CHANNEL(DEPOT.SHOP) CHLTYPE(SDR) CONNAME('s(1414)') XMITQ(SHOP)
DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(RCVR)
DEFINE QLOCAL(IN) BOTHRESH(2) BOQNAME(POISON)
DEFINE QLOCAL(NO.BOQ) BOTHRESH(3)
DEFINE QLOCAL(POISON)
DEFINE QLOCAL(DEAD)
ALTER QMGR DEADQ(DEAD)
"""
TEXT = """
# an hour of a shop
ORDERS 10 a second, 5 % poison, expiry 60 s
NO.BOQ at SHOP 5 a second, 10 % poison, persistent
NO.BOQ at DEPOT 5 a second, 10 % poison
NO.THRESHOLD 5 a second, 5 % poison, expiry 10 s
FULL 600 a minute, 2,000 bytes, read 0 a second
SLOW 10 a second, read 5 a second, expiry 10 s
NOT.READ 60 a minute, expiry 1 s, read 0 a day
BROKEN 1 a second
"""


@pytest.fixture(scope="module")
def estate():
    return estate_of({"SHOP": SHOP, "DEPOT": DEPOT})


@pytest.fixture(scope="module")
def run(estate):
    return estate.traffic(TEXT, seconds=40)


def row(run, queue, at="SHOP"):
    (found,) = [dict(zip(run.columns, each, strict=True)) for each in run.rows if each[:2] == (queue, at)]
    return found


def test_every_clause_is_read(estate):
    text = "SLOW at SHOP 7,200 an hour, 2.5% poison, expiry 2 min, 2,000 bytes, persistent, read 60 a minute,\n\n# FULL"
    assert flows_of(estate, text) == [Flow("SLOW", "SHOP", 2, 2.5, 120, 2000, True, 1)]
    assert flows_of(estate, "FULL 8640 a day, 200 bytes") == [Flow("FULL", "SHOP", 0.1, size=200)]


@cases(
    "text, said",
    ("", "traffic must have a line for a queue, such as ORDERS 50 a second, 5 % poison; got ''"),
    ("\nORDERS", "line 2: a line must begin with a queue and its rate, .*; got 'ORDERS'"),
    ("FULL 5 a second, 5 % poisn", "line 1: a clause must be 5 % poison, expiry 60 s, .*; got '5 % poisn'"),
    ("FULL 5 a second, persistent, persistent", "line 1: .* each at most once; got 'persistent'"),
    ("FULL 5 a second\nFULL 6 a second", "line 2: a queue must have one line; got FULL at SHOP again"),
    ("FULL 0 a second", "line 1: messages a second must be from 0.001 to 10,000; got 0"),
    ("FULL 5 a second, 200 % poison", "line 1: % poison must be from 0 to 100; got 200"),
    ("MISSING 5 a second", "line 1: queue must be one that the estate defines; got 'MISSING'"),
    ("FULL at DEPOT 5 a second", "line 1: queue must be one that the estate defines at DEPOT; got 'FULL'"),
    ("NO.BOQ 5 a second", "line 1: NO.BOQ must have its queue manager, such as NO.BOQ at SHOP; got none"),
    ("ROUND at SHOP 5 a second", "line 1: queue must not lead back to itself; got 'ROUND'. Fix its route first"),
    ("NEWS 5 a second", "line 1: queue must not lead to a topic; got 'NEWS'"),
    ("FULL 10000 a second", "seconds must be more than 0, with at most 1,000,000 messages in all; got 101 s, 1,01"),
)
def test_a_wrong_line_is_one_sentence(estate, text, said):
    lab_error(f"^{said}", estate.traffic, text, seconds=101)


def test_every_message_has_one_fate_and_poison_goes_to_the_backout_or_dead_letter_queue_or_blocks_its_reader(run):
    for flow in run.flows:
        found = row(run, flow.queue, flow.at)
        assert sum(found[fate] for fate in FATES.values()) == found["messages"] > 20
    with_boq, with_dead, blocked = row(run, "ORDERS"), row(run, "NO.BOQ", "DEPOT"), row(run, "NO.BOQ")
    assert with_boq["on backout queue"] == with_boq["poison"] == with_boq["backed out"] > 5
    assert with_boq["got"] == with_boq["messages"] - with_boq["poison"]
    assert with_dead["dead-lettered"] == with_dead["poison"] > 5
    assert (blocked["backed out"], blocked["on backout queue"], blocked["dead-lettered"]) == (1, 0, 0)
    assert blocked["peak depth"] == blocked["waiting"] == blocked["messages"] - blocked["got"] > 100
    assert run.lab["DEPOT"].depth("POISON") == with_boq["poison"]
    assert run.lab["DEPOT"].depth("DEAD") == with_dead["poison"]


def test_a_dead_letter_that_expires_stays_counted_as_one():
    estate = estate_of("DEFINE QLOCAL(Q) BOTHRESH(1)\nDEFINE QLOCAL(DEAD)\nALTER QMGR DEADQ(DEAD)")
    run = estate.traffic("Q 5 a second, 20 % poison, expiry 1 s\nDEAD 1 a second", seconds=40)
    found = row(run, "Q", "QM1")
    assert found["dead-lettered"] == found["poison"] > run.lab["QM1"].depth("DEAD")
    assert found["discarded"] == 0


def test_expiry_a_slow_reader_and_refusals(run):
    slow, full, unread = row(run, "SLOW"), row(run, "FULL"), row(run, "NOT.READ")
    assert 195 <= slow["got"] <= 200
    assert slow["discarded"] > 20
    looping = row(run, "NO.THRESHOLD")
    assert 0 < looping["discarded"] <= looping["poison"]  # a poison message is in the way until it expires
    assert (full["refused"], full["waiting"]) == (full["messages"] - 40, 40)
    assert unread["expired"] == unread["messages"] - unread["waiting"] > 20
    assert row(run, "BROKEN")["refused"] == row(run, "BROKEN")["messages"]


def test_findings_have_figures(estate, run):
    told = {(one.qmgr, one.name, one.check): said for one, said in run.figures(estate.findings())}
    blocked, broken = row(run, "NO.BOQ"), row(run, "BROKEN")["messages"]
    said = told["SHOP", "NO.BOQ", "backout-without-queue"]
    assert said.startswith("NO.BOQ has BOTHRESH(3) and no BOQNAME")
    assert f"in 40 s, {blocked['messages']} messages arrived, {blocked['poison']} of them poison; " in said
    assert told["SHOP", "BROKEN", "alias-target-missing"].endswith(
        f"in 40 s, {broken} calls failed with 2082 (MQRC_UNKNOWN_ALIAS_BASE_Q)"
    )
    assert not [said for said in told.values() if " 0 " in said]


SENDS = """
DEFINE QLOCAL(B) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(A.B)
DEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME('10.1.1.1(1414)') XMITQ(B)
DEFINE QREMOTE(R) RNAME(IN) RQMNAME(B)
"""
RECEIVES = "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\n"
NO_DEAD = RECEIVES + "ALTER QMGR DEADQ(NO)"


@for_each(
    "scripts, text, check, said",
    ({"A": SENDS, "B": RECEIVES}, "R", "remote-target-missing", r"\d+ calls failed with 2085 \(MQRC_UNK.*NAME\)"),
    ({"A": SENDS, "B": NO_DEAD}, "R, persistent", "remote-target-missing", "1 call failed with 2085 .*"),
    ({"A": SENDS, "B": NO_DEAD}, "R, persistent", "dead-letter-queue-missing", "1 put of undeliverable mess.*"),
    ({"A": SENDS}, "R", "xmitq-not-triggered", ""),
    ({"A": SENDS, "B": ""}, "R", "channel-not-answered", r"the channel ended with AMQ9520E 1 time; \d+.* none.*"),
    (
        {"A": SENDS.replace("TRIGDATA(A.B)", "TRIGDATA(X)"), "B": RECEIVES + "DEFINE QLOCAL(IN)"},
        "R",
        "xmitq-trigger-data",
        r"\d+ messages arrived, and none was sent",
    ),
    ("DEFINE QLOCAL(Q) CAPEXPRY(10)", "Q, read 0 a day", "expiry-scan-off", r"\d+ expired messages still on .*"),
    ("DEFINE QLOCAL(Q) CAPEXPRY(10)", "Q", "expiry-scan-off", None),
    ("DEFINE QLOCAL(Q) TRIGGER\nDEFINE QLOCAL(R)", "R", "trigger-process", None),
)
def test_a_fault_shows_in_the_run_or_it_is_said_that_it_did_not(scripts, text, check, said):
    estate = estate_of(scripts, "zos" if "CAPEXPRY" in scripts else "distributed")
    queue, _, more = text.partition(",")
    run = estate.traffic(f"{queue} 1 a second{',' * bool(more)}{more}", seconds=20, seed=1)
    found = [one for one in estate.findings() if one.check == check]
    assert bool(found) == (said != "")
    for one in found[:1]:
        figure = run.figure(one)
        assert figure.showed == bool(said), figure
        assert re.fullmatch(f"in 20 s, {said}" if said else "the run of 20 s did not show it.*", figure.said)


def test_a_shared_queue_has_figures_too():
    shared = "DEFINE CFSTRUCT(CF) CFLEVEL(5)\nDEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(CF) MAXDEPTH(1) BOTHRESH(1)"
    estate = estate_of({"QMA": shared, "QMB": "ALTER QMGR EXPRYINT(60)"}, "zos")
    run = estate.traffic("S at QMA 5 a second, read 1 a second, 50 % poison", seconds=20)
    found = {one.check: run.figure(one) for one in estate.findings()}
    assert re.fullmatch(r"in 20 s, \d+ calls failed with 2053 \(MQRC_Q_FULL\)", found["queue-depth-odd"].said)
    assert re.fullmatch(r"in 20 s, \d+ mess.* poison; \d+ get.* backed out", found["backout-without-queue"].said)


def test_traffic_is_an_answer_that_its_seed_decides(estate, run):
    assert run.title == f"Traffic of 40 s: {sum(each[2] for each in run.rows)} messages"
    found = row(run, "FULL")
    told = f"  FULL at SHOP: {found['messages']} messages: {found['refused']} refused, 40 waiting; at most 40"
    assert told in str(run)
    assert json.loads(run.to_json())["rows"][0]["queue"] == "ORDERS"
    assert "ORDERS" in run.picture().svg
    text = "FULL 1 a second"
    one, same, other = (estate.traffic(text, seconds=20, seed=seed).lab.events for seed in (1, 1, 2))
    assert list(one) == list(same) != list(other)
    assert not [each for each in estate.lab.events if each.kind == "put"]


def test_an_estate_plays_with_traffic_of_its_own(estate, tmp_path):
    lab = estate.play()
    puts = [each for each in lab.events.where(kind="put") if each.program == "TRAFFIC.WRITER"]
    assert {(each.qmgr, each.object) for each in puts} == {("SHOP", "DEPOT")}  # what crosses, by its transmission queue
    assert lab.save_player(tmp_path / "estate.html").stat().st_size < 2_000_000
    assert lab.explain(puts[0].message)
    assert list(estate.play().events) == list(lab.events)
    assert list(lab.branch(5_000_000, lambda other: other.cut("SHOP", "DEPOT")).events) != list(lab.events)


def test_an_estate_plays_traffic_that_is_written(estate):
    lab = estate.play("FULL 60 a minute, read 0 a day\nSLOW 60 a minute", seconds=20)
    assert lab.now_us == 20_000_000
    assert {each.object for each in lab.events.where(kind="put")} == {"FULL", "SLOW"}
    lab_error("at most 10,000 messages", estate.play, "SLOW 1000 a second")
    lab_error("line for a queue.*no route", estate_of("DEFINE QALIAS(A) TARGET(NOPE)").play)


def test_long_traffic_is_in_slices_from_rest(estate):
    run = slices_of(estate, "NOT.READ 6 a minute, read 0 a day", 7200, 0, 1_000)
    assert run.slices == 2
    lab, counts = run.lab(1)
    assert (lab.now_us, lab.events[0].time_us) == (7200 * 1_000_000, 3600 * 1_000_000)
    whole = estate.traffic("NOT.READ 6 a minute, read 0 a day", 7200)
    assert whole.lab is None
    both = [run.lab(0)[1]["SHOP", "NOT.READ"], counts["SHOP", "NOT.READ"]]
    assert row(whole, "NOT.READ")["messages"] == sum(each["messages"] for each in both)
    assert row(whole, "NOT.READ")["peak depth"] == max(each["peak"] for each in both)
