"""Scans that discard what nobody meets: z/OS (EXPRYINT), the expiry scan of current levels, and none before it."""

import json

import pytest
import simpy

from helpers import cases, for_each, lab_error, made, mq_error, reason
from mqlab import Lab
from mqlab.engine.queues.expiry import EXPIRER_INTERVAL
from mqlab.engine.words.constants import MQFB_EXPIRATION, MQRO_EXPIRATION_WITH_FULL_DATA

DAY = 86400


def scans(lab):
    """What the log tells of scans: (time in seconds, the queues scanned)."""
    return [(row.time_us / 1e6, json.loads(row.detail)["queues"]) for row in lab.events.where(kind="scan")]


def discards(lab):
    """What was discarded: (time in seconds, queue, rule)."""
    return [(row.time_us / 1e6, row.object, row.rule) for row in lab.events.where(kind="discard")]


@pytest.fixture
def manager(lab):
    """Make a queue manager QM with queues Q1, Q2, Q3 and REPLIES."""

    def make(platform="distributed", level=940, expryint=None, **settings):
        qm = lab.queue_manager("QM", platform=platform, level=level, **settings)
        expiry = "" if expryint is None else f"ALTER QMGR EXPRYINT({expryint})\n"
        qm.mqsc(expiry + "\n".join(f"DEFINE QLOCAL({name})" for name in ("Q1", "Q2", "Q3", "REPLIES"))).require()
        return qm

    return make


@pytest.fixture
def steps(monkeypatch):
    """How many steps the simulation took, as a list that grows."""
    taken, step = [], simpy.Environment.step
    monkeypatch.setattr(simpy.Environment, "step", lambda self: (taken.append(self.now), step(self)))
    return taken


# ---------------------------------------------------------------- which queue managers scan, and when
@pytest.mark.rule("MQI-20")
def test_the_expirer_comes_every_300_seconds_at_current_levels(lab, manager):
    qm = manager()
    assert EXPIRER_INTERVAL == 300
    qm.put("Q1", b"x", expiry=2000)
    qm.put("Q2", b"x", expiry=3000)
    qm.put("Q3", b"x", expiry=3001)
    lab.advance(299.9)
    assert qm.depth("Q1") == 1, "expired since 100 s, and counted until the scan"
    lab.advance(0.1)
    assert (qm.depth("Q1"), qm.depth("Q2"), qm.depth("Q3")) == (0, 0, 1)
    lab.advance(300)
    assert scans(lab) == [(300, ["Q1", "Q2"]), (600, ["Q3"])]
    assert discards(lab) == [(300, "Q1", "MQI-20"), (300, "Q2", "MQI-20"), (600, "Q3", "MQI-20")]


@cases(
    "profile, at",
    ({"level": 530}, None),
    ({"level": 599}, None),
    ({"level": 600}, 300),
    ({"level": 940}, 300),
    ({"level": 940, "expiry_interval": 45}, 45),
    ({"level": 940, "expiry_interval": 0}, None),
    ({"platform": "vse", "level": 212}, None),
    ({"platform": "zos", "level": 940}, None),
    ({"platform": "zos", "level": 530, "expryint": 60}, 60),
    ({"platform": "zos", "level": 530, "expryint": 60, "expiry_interval": 7}, 60),
)
def test_who_scans_and_how_often(lab, manager, profile, at):
    qm = manager(**profile)
    if profile.get("platform") == "vse":
        assert qm.scanner.interval_us == 0
    else:
        qm.put("Q1", b"x", expiry=10)
    lab.advance(1000)
    assert [time for time, _ in scans(lab)] == ([] if at is None else [at])
    if at is None and "vse" not in profile.values():
        assert qm.depth("Q1") == 1, "never discarded without a get"
        lab.advance(400 * DAY)
        assert qm.depth("Q1") == 1
        mq_error(qm.get, "Q1")
        assert qm.depth("Q1") == 0


@for_each("wrong", [-1, 1.5, "300", True])
def test_an_interval_that_is_none_is_refused(lab, wrong):
    lab_error("expiry_interval must be a whole number, 0 or more", lab.queue_manager, "QM", expiry_interval=wrong)
    assert lab.queue_managers == []


@pytest.mark.rule("EXP-33")
def test_expryint_altered_counts_anew_and_off_ends_it(lab, manager):
    qm = manager("zos", expryint=100)
    qm.put("Q1", b"x", expiry=10)
    lab.advance(70)
    assert qm.mqsc("ALTER QMGR EXPRYINT(50)").ok
    lab.advance(49.9)
    assert scans(lab) == [], "the old interval would have ended at 100 s"
    lab.advance(0.1)
    assert scans(lab) == [(120, ["Q1"])]
    qm.put("Q1", b"x", expiry=10)
    assert qm.mqsc("ALTER QMGR EXPRYINT(OFF)").ok
    lab.advance(DAY)
    assert (len(scans(lab)), qm.depth("Q1")) == (1, 1)
    assert qm.mqsc("ALTER QMGR EXPRYINT(50)").ok
    lab.advance(50)
    assert (scans(lab)[1:], qm.depth("Q1")) == ([(120 + DAY + 50, ["Q1"])], 0)


# ---------------------------------------------------------------- what a scan takes
@pytest.mark.rule("EXP-33")
def test_just_the_queues_with_something_expired_are_scanned(lab, manager):
    qm = manager("zos", expryint=60)
    qm.put("Q1", b"expires", expiry=10)
    qm.put("Q1", b"expires too", expiry=20)
    qm.put("Q1", b"lives on", expiry=10_000)
    qm.put("Q2", b"expires later", expiry=900)
    qm.put("Q3", b"forever")
    lab.advance(60)
    assert (scans(lab), qm.depth("Q1"), qm.depth("Q2"), qm.depth("Q3")) == ([(60, ["Q1"])], 1, 1, 1)
    lab.advance(60)
    assert scans(lab)[1:] == [(120, ["Q2"])]
    first, second = lab.events.where(kind="scan")
    assert [row.cause for row in lab.events.where(kind="discard")] == [first.seq, first.seq, second.seq]
    assert {row.program for row in lab.events.where(kind=("scan", "discard"))} == {"QM"}


def test_what_a_get_discarded_first_is_no_reason_for_a_scan(lab, manager):
    qm = manager(expiry_interval=60)
    qm.put("Q1", b"x", expiry=10)
    lab.advance(5)
    mq_error(qm.get, "Q1")
    lab.advance(DAY)
    assert scans(lab) == []


def test_a_cursor_survives_the_scan_of_the_message_under_it(lab, manager):
    qm = manager(expiry_interval=60)
    for body, expiry in ((b"1", 10), (b"2", 10), (b"3", -1), (b"4", -1)):
        qm.put("Q1", body, expiry=expiry)
    with qm.open("Q1", input="shared", browse=True) as handle, qm.open("Q1", browse=True) as behind:
        assert (handle.browse_first().body, behind.browse_first().body, behind.browse_next().body) == (b"1", b"1", b"2")
        lab.advance(60)
        assert qm.depth("Q1") == 2
        assert reason(handle.get_under_cursor) == 2034
        assert handle.browse_next().body == b"3", "the cursor stands where the message was"
        assert (handle.get_under_cursor().body, behind.browse_next().body) == (b"3", b"4")
        assert reason(behind.browse_next) == 2033


def test_a_scan_leaves_the_locked_message_and_its_cursor_alone(lab, manager):
    qm = manager(expiry_interval=60)
    for body, expiry in ((b"1", 650), (b"2", 650), (b"3", -1)):
        qm.put("Q1", body, expiry=expiry)
    with qm.open("Q1", input="shared", browse=True) as handle:
        assert handle.browse_first(lock=True).body == b"1"
        lab.advance(120)
        assert (qm.depth("Q1"), len(discards(lab))) == (2, 1), "the second went, the locked one stays"
        expired = mq_error(handle.get_under_cursor)
        assert (expired.reason, expired.rule) == (2034, "EXP-21")
        assert (handle.browse_next(lock=True).body, handle.get_under_cursor().body) == (b"3", b"3")
    assert qm.depth("Q1") == 0


@cases("call, ending, at", ("put", "commit", 180), ("put", "backout", 0), ("get", "commit", 0), ("get", "backout", 180))
def test_what_is_not_committed_is_left(lab, manager, call, ending, at):
    qm = manager(expiry_interval=60)
    uow = qm.unit_of_work()
    (uow if call == "put" else qm).put("Q1", b"x", expiry=10)
    if call == "get":
        uow.get("Q1")
    lab.advance(130)
    assert (qm.depth("Q1"), scans(lab)) == (call == "put", [])
    getattr(uow, ending)()
    lab.advance(60)
    assert (qm.depth("Q1"), scans(lab)) == (0, [(at, ["Q1"])] if at else [])


def test_reports_are_sent_from_the_scan(lab, manager):
    qm = manager(expiry_interval=60)
    put = qm.put("Q1", b"data", expiry=10, report=MQRO_EXPIRATION_WITH_FULL_DATA, reply_to_q="REPLIES")
    lab.advance(60)
    report = qm.get("REPLIES")
    assert (report.feedback, report.body, report.correl_id) == (MQFB_EXPIRATION, b"data", put.msg_id)
    assert (report.put_us, report.expiry) == (60_000_000, -1)
    [row] = lab.events.where(kind="report")
    chain = [row.kind]
    while row.cause is not None:
        row = lab.events[row.cause]
        chain.append(row.kind)
    assert chain == ["report", "discard", "scan"]


# ---------------------------------------------------------------- at restart


@pytest.mark.rule("EXP-33")
@pytest.mark.parametrize("expryint", ["OFF", 5000])
def test_a_restart_on_zos_discards_whatever_expryint_says(lab, manager, expryint):
    qm = manager("zos", expryint=expryint)
    qm.put("Q1", b"x", expiry=10, persistent=True)
    qm.put("Q2", b"x", expiry=100_000, persistent=True)
    qm.stop()
    lab.advance(30)
    qm.start()
    assert (scans(lab), discards(lab), qm.depth("Q2")) == ([(30, ["Q1"])], [(30, "Q1", "EXP-33")], 1)


def test_a_restart_elsewhere_discards_nothing_and_counts_the_interval_from_then(lab, manager):
    qm = manager()
    qm.put("Q1", b"x", expiry=10, persistent=True)
    lab.advance(250)
    qm.stop()
    lab.advance(100)
    assert scans(lab) == [], "a queue manager that does not run scans nothing"
    qm.start()
    lab.advance(299.9)
    assert (qm.depth("Q1"), scans(lab)) == (1, [])
    lab.advance(0.1)
    assert scans(lab) == [(650, ["Q1"])]


# ---------------------------------------------------------------- a clock with nothing to do


def test_a_far_deadline_costs_one_scan_and_no_more(lab, manager, steps):
    qm = manager()
    qm.put("Q1", b"a year", expiry=365 * DAY * 10)
    lab.advance(400 * DAY)
    assert [time for time, _ in scans(lab)] == [365 * DAY]
    assert len(steps) < 10


def test_steps_follow_what_expires_and_not_the_time(lab, manager, steps):
    qm = manager(expiry_interval=1)
    for days in range(1, 21):
        qm.put("Q1", b"x", expiry=days * DAY * 10)
    lab.advance(400 * DAY)
    assert len(scans(lab)) == 20
    assert len(steps) < 100


def test_many_puts_with_a_lifetime_set_few_timers(lab, manager, steps):
    qm = manager()
    for _ in range(2000):
        qm.put("Q1", b"x", expiry=5)
        qm.get("Q1")
    lab.advance(DAY)
    assert scans(lab) == []
    assert len(steps) < 10


def test_scans_of_several_queue_managers_are_in_a_fixed_order():
    def run():
        lab = Lab(seed=1)
        for name in ("QMB", "QMA"):
            qm = made("DEFINE QLOCAL(Q)", name, of=lab)
            qm.put("Q", b"x", expiry=10)
        lab.advance(300)
        return list(lab.events)

    assert run() == run()
    assert [row.qmgr for row in run() if row.kind == "scan"] == ["QMB", "QMA"]
