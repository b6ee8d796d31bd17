"""Triggering of shared queues: what counts, on which member, and who reads."""

import pytest

from helpers import reason


def setup(group, kind="FIRST", more="", shared_initq=False):
    """APP with a trigger, and on each member an initiation queue with a monitor whose program is only counted."""
    one, started = group.members[0], []
    where = "QSGDISP(SHARED) CFSTRUCT(APP1)" if shared_initq else "QSGDISP(GROUP)"
    one.mqsc(f"""
        DEFINE QLOCAL(INITQ) {where} SHARE DEFSOPT(SHARED)
        DEFINE PROCESS(P) QSGDISP(GROUP) APPLICID('SERVER')
        DEFINE QLOCAL(APP) QSGDISP(SHARED) CFSTRUCT(APP1) SHARE DEFSOPT(SHARED) +
           TRIGGER TRIGTYPE({kind}) INITQ(INITQ) PROCESS(P) {more}
        """).require()
    for each in group.members:
        each.program("SERVER", lambda app, trigger: started.append(app.qmgr.name))
        each.trigger_monitor("INITQ")
    group.lab.advance(1)
    return started


def decisions(lab, since=0):
    """The trigger rows from a row of the log on: (member, fired, rule)."""
    return [(row.program, row.facts["fired"], row.rule) for row in lab.events[since:] if row.kind == "trigger"]


@pytest.mark.rule("TRG-03b")
def test_only_committed_messages_count(lab, group, two):
    started = setup(group)
    unit = two.unit_of_work()
    unit.put("APP", b"x")
    lab.advance(1)
    assert (started, decisions(lab)) == ([], [("QMB", False, "TRG-03b")])
    unit.commit()
    rows = fired(lab, "APP")
    assert [(row.program, row.rule) for row in rows] == [(name, "TRG-03b") for name in ("QMA", "QMB", "QMC")]
    assert {lab.events[row.cause].kind for row in rows} == {"commit"}
    lab.advance(1)
    assert started == ["QMA", "QMB", "QMC"], "one for the initiation queue of each member"


@pytest.mark.rule("TRG-03b", "TRG-03a")
def test_the_same_schedule_on_a_queue_that_is_not_shared_triggers_at_the_put(lab, group, one):
    setup(group)
    for queue, shared, wanted in (
        ("OWN", "", [["TRG-03a"]] * 3),
        ("OURS", "QSGDISP(SHARED) CFSTRUCT(APP1)", [[], [], ["TRG-03b"] * 3]),
    ):
        trigger = "TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(2) INITQ(INITQ) PROCESS(P)"
        one.mqsc(f"DEFINE QLOCAL({queue}) {shared} {trigger}").require()
        units = [one.unit_of_work(), one.unit_of_work()]
        for unit in units:
            unit.put(queue, b"x")
        seen = [fired(lab, queue)]
        for unit in units:
            unit.commit()
            seen.append(fired(lab, queue))
        assert [[row.rule for row in rows] for rows in seen] == wanted, queue
    assert one.objects.get("QLOCAL", "OURS").attributes["TRIGGER"] is False


def fired(lab, queue):
    """The rows of trigger messages for a queue."""
    return [r for r in lab.events.where(kind="trigger", object=queue) if r.facts["fired"]]


def test_a_backout_of_a_put_triggers_nothing(lab, group, one):
    started = setup(group)
    unit = one.unit_of_work()
    unit.put("APP", b"x")
    unit.backout()
    lab.advance(1)
    assert started == []


@pytest.mark.rule("TRG-04a", "TRG-04b")
def test_while_one_member_reads_the_others_take_it_as_first_with_every_priority(lab, group, one, two, three):
    setup(group, "DEPTH", "TRIGDPTH(3) TRIGMPRI(5)")
    two.put("APP", b"low", priority=1)
    assert fired(lab, "APP") == []
    server = one.open("APP", input="shared")
    assert server.get().body == b"low"
    mark = len(lab.events)
    two.put("APP", b"low again", priority=1)
    told = {member: decision for member, *decision in decisions(lab, mark)}
    assert told == {"QMA": [False, "TRG-02"], "QMB": [True, "TRG-04a"], "QMC": [True, "TRG-04a"]}
    assert "TRG-04a" in [rule for rule, *_ in three.why_not_triggered("APP").rows]
    server.get()
    two.put("APP", b"high", priority=9)
    assert decisions(lab)[-3][::2] == ("QMA", "TRG-04b"), "it reads the queue itself"
    assert server.get().body == b"high"
    server.close()
    mark = len(lab.events)
    three.put("APP", b"low", priority=1)
    three.put("APP", b"high", priority=9)
    wanted = [(name, False, rule) for rule in ("TRG-02", "TRG-03") for name in ("QMA", "QMB", "QMC")]
    assert decisions(lab, mark) == wanted


@pytest.mark.rule("TRG-04b")
@pytest.mark.parametrize("kind", ["FIRST", "EVERY", "DEPTH"])
def test_an_exclusive_open_anywhere_stops_every_member(lab, group, kind, one, three):
    started = setup(group, kind)
    handle = three.open("APP", input="exclusive")
    one.put("APP", b"x")
    lab.advance(1)
    assert started == []
    assert decisions(lab) == [(name, False, "TRG-04b") for name in ("QMA", "QMB", "QMC")]
    handle.get()
    handle.close()
    one.put("APP", b"x")
    lab.advance(1)
    assert started == ["QMA", "QMB", "QMC"]


@pytest.mark.rule("TRG-12")
def test_the_last_reader_of_a_member_that_leaves_messages_triggers_there(lab, group, one, two, three):
    started = setup(group, "FIRST")
    handle = two.open("APP", input="shared")
    for each in (one, three):
        each.mqsc("ALTER QLOCAL(INITQ) QSGDISP(COPY) PUT(DISABLED)")
    one.put("APP", b"x")
    handle.close()
    lab.advance(1)
    assert started == ["QMB"]


@pytest.mark.rule("QSG-11")
def test_one_trigger_message_is_enough_for_a_shared_initiation_queue(lab, group, three):
    started = setup(group, shared_initq=True)
    three.put("APP", b"x")
    lab.advance(1)
    assert len(started) == 1
    assert [decision[1:] for decision in decisions(lab)] == [(True, "TRG-03"), *[(False, "QSG-11")] * 2]


def test_a_member_that_failed_does_not_trigger_and_does_again_after_its_restart(lab, group, one, two):
    started = setup(group)
    one.fail()
    two.put("APP", b"x")
    lab.advance(1)
    assert started == ["QMB", "QMC"]
    two.get("APP")
    one.start()
    one.trigger_monitor("INITQ")
    lab.advance(1)
    two.put("APP", b"y")
    lab.advance(1)
    assert started == ["QMB", "QMC", "QMA", "QMB", "QMC"]


@pytest.mark.rule("TRG-13")
def test_turning_it_on_asks_every_member(lab, group, one):
    started = setup(group)
    assert one.mqsc("ALTER QLOCAL(APP) QSGDISP(SHARED) NOTRIGGER").ok
    one.put("APP", b"x")
    assert one.mqsc("ALTER QLOCAL(APP) QSGDISP(SHARED) TRIGGER").ok
    lab.advance(1)
    assert started == ["QMA", "QMB", "QMC"]


def test_a_shared_queue_takes_no_message_in_segments(group, one, two):
    setup(group, more="MAXMSGL(32)")
    assert reason(two.put, "APP", b"x" * 90, segmentation=True) == 2030
    assert one.depth("APP") == 0
