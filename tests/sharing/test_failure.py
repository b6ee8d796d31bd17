"""What survives what: members that end and fail, peers that recover, coupling facilities that fail."""

import pytest

from helpers import mq_error, outcome, refusal


def fill(one):
    """One persistent and one nonpersistent message on SAFE, one nonpersistent on LOOSE."""
    one.put("SAFE", b"kept", persistent=True)
    one.put("SAFE", b"light")
    one.put("LOOSE", b"loose")


# ---------------------------------------------------------------- one member ends or fails
@pytest.mark.rule("QSG-05", event=False)
@pytest.mark.parametrize("how", ["stop", "fail"])
def test_shared_messages_outlive_a_member_non_persistent_ones_too(lab, how, one, two, three):
    fill(one)
    one.mqsc("DEFINE QLOCAL(OWN)")
    one.put("OWN", b"gone")
    getattr(one, how)()
    assert [two.get("SAFE").body, three.get("SAFE").body] == [b"kept", b"light"]
    assert two.depth("LOOSE") == 1
    one.start()
    assert (one.get("LOOSE").body, one.depth("OWN")) == (b"loose", 0)
    assert {row.object for row in lab.events.where(kind="lost")} == {"OWN"}


@pytest.mark.rule("QSG-05", event=False)
def test_shared_messages_outlive_a_restart_of_the_whole_group(members, one, two):
    fill(one)
    for each in members:
        each.stop()
    two.start()
    assert (two.depth("SAFE"), two.depth("LOOSE")) == (2, 1)


@pytest.mark.rule("QSG-07")
def test_a_peer_backs_out_the_shared_work_of_a_failed_member_at_once(lab, rows, one, two, three):
    two.put("SAFE", b"old", persistent=True)
    unit = one.unit_of_work()
    unit.put("SAFE", b"new")
    assert unit.get("SAFE").body == b"old"
    reader = one.open("SAFE", input="exclusive")
    got = []
    three.run_program("WAITER", lambda app: got.append(app.get("LOOSE", wait=600).body))
    lab.advance(1)
    seq = len(lab.events)
    one.fail()
    assert two.depth("SAFE") == 1
    again = two.get("SAFE")
    assert (again.body, again.backout_count) == (b"old", 1)
    assert rows(kind=("stop", "backout", "undo", "restore")) == [
        ("stop", "QMA", None, None, "QSG-06"),
        ("backout", "QMA", None, "QMB", "QSG-07"),
        ("undo", "QSG1", "SAFE", "QMB", "MQI-08"),
        ("restore", "QSG1", "SAFE", "QMB", "MQI-08"),
    ]
    assert all(row.time_us == lab.now_us for row in lab.events[seq:])
    assert (outcome(unit.commit), outcome(one.put, "SAFE", b"x"), outcome(reader.get)) == (2255, 2059, 2059)
    one.start()
    assert not one.units
    assert one.depth("SAFE") == 0


@pytest.mark.rule("QSG-06")
def test_work_on_its_own_queues_waits_for_its_own_restart(lab, rows, one, two):
    one.mqsc("DEFINE QLOCAL(OWN)")
    one.put("OWN", b"old", persistent=True)
    one.put("OWN", b"light")
    unit = one.unit_of_work()
    unit.put("SAFE", b"shared")
    unit.put("OWN", b"new", persistent=True)
    unit.get("OWN")
    one.fail()
    assert two.depth("SAFE") == 0
    assert lab.state().queue("QMA", "OWN").depth == 2, "the new one and the light one: nobody has touched them"
    assert rows(kind=("recover", "backout")) == [("recover", "QMA", None, "QMB", "QSG-07")]
    lab.advance(10)
    one.start()
    assert (one.depth("OWN"), one.get("OWN").backout_count) == (1, 1)
    ended = lab.events.where(kind=("undo", "restore", "lost"))
    ends = [(row.kind, row.object, row.time_us // 1_000_000) for row in ended]
    assert ends == [("undo", "SAFE", 0), ("undo", "OWN", 10), ("restore", "OWN", 10), ("lost", "OWN", 10)]


@pytest.mark.parametrize(("first", "by"), [(2, ("QMC", "QSG-07")), (0, (None, "MQI-08"))])
def test_with_no_peer_the_next_member_that_starts_recovers(members, rows, first, by, one):
    for each in members[1:]:
        each.stop()
    unit = one.unit_of_work()
    unit.put("SAFE", b"x")
    one.fail()
    assert rows(kind="backout") == []
    members[first].start()
    assert (rows(kind="backout"), members[first].depth("SAFE")) == ([("backout", "QMA", None, *by)], 0)


def test_a_queue_manager_in_no_group_fails_too(qm, lab):
    qm.mqsc("DEFINE QLOCAL(INITQ)\nDEFINE PROCESS(P) APPLICID('SERVER')")
    qm.mqsc("ALTER QLOCAL(ORDERS) TRIGGER INITQ(INITQ) PROCESS(P)")
    monitor = qm.trigger_monitor("INITQ")
    lab.advance(1)

    def work(app):
        with app.unit_of_work() as unit:
            unit.put("ORDERS", b"in work", persistent=True)
            app.get("REPLIES", wait=600)

    program = qm.run_program("WORKER", work)
    lab.advance(1)
    qm.put("SMALL", b"kept", persistent=True)
    qm.fail()
    assert (program.state, monitor.state, qm.running) == ("ended", "ended", False)
    mq_error(qm.fail)
    qm.start()
    assert (qm.depth("ORDERS"), qm.depth("SMALL"), qm.depth("INITQ")) == (0, 1, 0)
    assert qm.why_not_triggered("ORDERS").missing == ["TRG-08"]


def test_a_block_whose_queue_manager_failed_says_so(one):
    def work():
        with one.unit_of_work() as unit:
            unit.put("SAFE", b"x")
            one.fail()

    broken = mq_error(work)
    assert broken.reason == 2003
    assert "QMA failed" in str(broken)


# ---------------------------------------------------------------- the coupling facility fails
@pytest.mark.rule("QSG-08", "QSG-09", "QSG-10")
def test_the_coupling_facility_fails(lab, group, rows, one, two, three):
    fill(one)
    group.fail_coupling_facility()
    lost = rows(kind="lost")
    assert [(row[2], row[4]) for row in lost] == [("SAFE", "QSG-08"), ("LOOSE", "QSG-10")]
    assert one.depth("SAFE") == 1
    for call in (
        lambda: one.get("SAFE"),
        lambda: two.put("SAFE", b"x"),
        lambda: three.browse("SAFE"),
        lambda: three.open("SAFE", output=True),
    ):
        assert outcome(call) == 2373
    assert not one.mqsc("CLEAR QLOCAL(SAFE) QSGDISP(SHARED)").ok
    assert two.depth("LOOSE") == 0
    two.put("LOOSE", b"again")
    assert rows(kind="allocate")[-1] == ("allocate", "QSG1", "APP2", "QMB", "QSG-10")
    group.recover()
    assert (three.get("SAFE").body, three.get("LOOSE").body) == (b"kept", b"again")
    assert "with its structure" in lab.explain(lab.events.where(kind="lost")[0].message)


def test_recover_and_reset_by_command(lab, one, two, three):
    fill(one)
    assert three.mqsc("RESET CFSTRUCT(APP1) ACTION(FAIL)").ok
    assert not three.mqsc("RESET CFSTRUCT(APP1) ACTION(FAIL)").ok
    assert outcome(one.get, "SAFE") == 2373
    assert one.get("LOOSE").body == b"loose", "only one structure failed"
    assert two.mqsc("RECOVER CFSTRUCT(APP1)").ok
    assert one.get("SAFE").body == b"kept"
    one.put("SAFE", b"kept", persistent=True)
    assert two.mqsc("RECOVER CFSTRUCT(APP1) TYPE(PURGE)").ok
    assert one.depth("SAFE") == 0
    assert [row.object for row in lab.events.where(kind="lost", rule="QSG-09")] == ["SAFE"]


def test_open_handles_and_getters_meet_the_failure(lab, group, one, two, three):
    fill(one)
    handle = one.open("SAFE", input="shared", output=True, browse=True)
    two.mqsc("DEFINE QALIAS(ALSO) TARGET(SAFE)").require()
    failed = []

    three.run_program("WAITER", lambda app: failed.append(outcome(app.get, "OLD", wait=600)))
    lab.advance(1)
    group.fail_coupling_facility()
    lab.advance(1)
    assert failed == [2373]
    for call in (handle.put, handle.get, handle.browse_first):
        assert outcome(call) == 2373
    assert outcome(two.get, "ALSO") == 2373
    group.recover()
    assert handle.get().body == b"kept"
    handle.put(b"again")
    assert two.get("ALSO").body == b"again"


def test_units_with_work_in_a_failed_structure_are_backed_out(lab, group, one, two):
    one.put("SAFE", b"old", persistent=True)

    def work():
        with two.unit_of_work() as unit:
            unit.put("SAFE", b"new", persistent=True)
            unit.put("LOOSE", b"new")
            unit.get("SAFE")
            group.fail_coupling_facility()

    broken = mq_error(work)
    assert broken.reason == 2003
    assert "CFSTRUCT(APP1) failed" in str(broken)
    group.recover()
    message = one.get("SAFE")
    assert (message.body, message.backout_count, one.depth("LOOSE")) == (b"old", 1, 0)


def test_a_unit_that_a_failure_left_is_backed_out_when_the_structure_fails_too(group, members, lab, one, two):
    for each in members[1:]:
        each.stop()
    unit = one.unit_of_work()
    unit.put("SAFE", b"new", persistent=True)
    one.fail()
    group.fail_coupling_facility()
    two.start()
    group.recover()
    assert (two.depth("SAFE"), lab.state().queue("QSG1", "SAFE").depth) == (0, 0)


def test_what_expires_meanwhile_is_never_returned_and_a_stopped_group_cannot_recover(lab, group, members, one, two):
    one.mqsc("ALTER QMGR EXPRYINT(5)")
    one.put("SAFE", b"short", persistent=True, expiry=20)
    one.put("SAFE", b"long", persistent=True)
    group.fail_coupling_facility()
    lab.advance(60)
    assert two.depth("SAFE") == 2
    group.recover()
    lab.advance(10)
    assert (two.depth("SAFE"), two.get("SAFE").body) == (1, b"long")
    for each in members:
        each.stop()
    refusal(ValueError, "running member", group.recover)
