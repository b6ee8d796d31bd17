"""Triggering, conditions 1 to 10: what asks for a trigger message, and what stops it."""

import pytest

from helpers import cases, outcome, reason
from mqlab.engine.words.constants import MQRO_EXPIRATION


# ---------------------------------------------------------------- 1: what counts as an arrival
@pytest.mark.rule("TRG-01")
def test_a_put_a_reply_a_report_a_dead_letter_and_a_requeue_are_all_arrivals(lab, qm, define, watch, mqsc):
    define(qm, "TRIGTYPE(EVERY)")
    define(qm, "TRIGTYPE(EVERY)", name="DLQ")
    mqsc(qm, "ALTER QMGR DEADQ(DLQ)")
    arrivals = []

    def since(what, target):
        new = [row for row in lab.events.where(kind="trigger", object=target) if row.seq not in arrivals]
        assert len(new) == 1, what
        assert new[0].facts["fired"], what
        put = lab.events[new[0].cause]
        assert (put.kind in ("put", "report"), put.object) == (True, target), what
        arrivals.append(new[0].seq)
        return new[0].rule

    with watch(qm):
        qm.put("WORK", b"put")
        since("a put", "WORK")
        request = qm.put("ORDERS", b"?", msg_type=1, reply_to_q="WORK")
        qm.reply(qm.get("ORDERS"), b"!")
        since(f"a reply to message {request.number}", "WORK")
        qm.put("ORDERS", b"x", expiry=10, report=MQRO_EXPIRATION, reply_to_q="WORK")
        lab.advance(1)
        assert (reason(qm.get, "ORDERS"), since("an expiration report", "WORK")) == (2033, "TRG-01")
        qm.put("ORDERS", b"x", expiry=10, report=MQRO_EXPIRATION, reply_to_q="NOWHERE")
        lab.advance(1)
        assert reason(qm.get, "ORDERS") == 2033
        since("a report that went to the dead-letter queue", "DLQ")
        qm.put("ORDERS", b"poison")
        with qm.unit_of_work() as uow:
            uow.get("ORDERS")
            uow.backout()
        with qm.unit_of_work() as uow:
            uow.put("WORK", uow.get("ORDERS").body)
        since("a requeue by a server after a backout", "WORK")


# ---------------------------------------------------------------- 2: priority
@pytest.mark.rule("TRG-02")
@pytest.mark.parametrize("threshold", [1, 5, 9])
def test_a_message_qualifies_from_the_threshold_priority_on(lab, qm, threshold, define, watch, declined):
    define(qm, f"TRIGTYPE(EVERY) TRIGMPRI({threshold})")
    with watch(qm):
        for priority in range(10):
            before = qm.depth("INIT")
            qm.put("WORK", b"x", priority=priority)
            assert (qm.depth("INIT") > before) == (priority >= threshold), f"priority {priority}"
        assert declined(lab) == ["TRG-02"] * threshold


def test_what_does_not_qualify_is_not_counted_when_it_leaves_either(lab, qm, define, watch, written):
    define(qm, "TRIGTYPE(FIRST) TRIGMPRI(5)")
    low = qm.put("WORK", b"low", priority=1)
    with watch(qm):
        qm.put("WORK", b"high", priority=5)
        assert written(lab) == ["TRG-03"], "the low one does not count as one that was there"
        with qm.unit_of_work() as uow:
            uow.get("WORK", msg_id=low.msg_id)
            uow.backout()
        qm.get("WORK", msg_id=low.msg_id)
        assert qm.why_not_triggered("WORK").missing == ["TRG-11"], "the high one still counts"


# ---------------------------------------------------------------- 3: how many there were
@pytest.mark.rule("TRG-03")
@cases("kind, fires_at", ("FIRST", [1]), ("EVERY", [1, 2, 3, 4, 5]), ("DEPTH) TRIGDPTH(3", [3]))
def test_how_many_were_there_before(lab, qm, kind, fires_at, define, watch):
    define(qm, f"TRIGTYPE({kind})")
    with watch(qm):
        fired = []
        for number in range(1, 6):
            before = qm.depth("INIT")
            qm.put("WORK", b"x")
            fired += [number] * (qm.depth("INIT") - before)
        assert fired == fires_at


def test_depth_switches_triggering_off_and_nothing_more_is_written(lab, qm, define, watch, declined, mqsc):
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(3)")
    with watch(qm):
        for _ in range(9):
            qm.put("WORK", b"x")
        assert qm.depth("INIT") == 1
        assert "NOTRIGGER" in str(qm.mqsc("DISPLAY QLOCAL(WORK) TRIGGER"))
        [alter] = lab.events.where(kind="alter", object="WORK")
        assert (alter.rule, lab.events[alter.cause].kind, alter.detail) == ("TRG-03", "trigger", '{"TRIGGER":false}')
        while qm.depth("WORK"):
            qm.get("WORK")
        assert declined(lab)[2:] == ["TRG-09"] * 6, "puts meet NOTRIGGER, closes write nothing"
        mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")
        for _ in range(3):
            qm.put("WORK", b"x")
        assert qm.depth("INIT") == 2


@pytest.mark.rule("EXP-17")
def test_expired_messages_count_towards_the_depth(lab, qm, define, watch):
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(3)")
    with watch(qm):
        for _ in range(2):
            qm.put("WORK", b"x", expiry=10)
        lab.advance(5)
        qm.put("WORK", b"new")
        assert qm.depth("INIT") == 1
    assert qm.get("WORK").body == b"new"
    [first, second] = lab.events.where(kind="discard")
    assert (first.object, second.object) == ("WORK", "WORK")
    for _ in range(2):
        qm.put("SMALL", b"x", expiry=1)
    lab.advance(1)
    assert (reason(qm.put, "SMALL", b"x"), lab.events[-1].rule) == (2053, "EXP-17")


@pytest.mark.rule("TRG-03a")
def test_uncommitted_messages_count_so_a_server_may_find_nothing(lab, qm, define, written):
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(2)")
    found = []

    def server(app, trigger):
        with app.open(trigger.queue, input="shared") as handle:
            found.append(outcome(handle.get))
            found.append(handle.get(wait=10).body)

    qm.program("server", server)
    qm.trigger_monitor("INIT")
    lab.run()
    slow, quick = qm.unit_of_work(), qm.unit_of_work()
    slow.put("WORK", b"committed late")
    quick.put("WORK", b"never committed")
    quick.backout()
    assert written(lab) == ["TRG-03a"]
    lab.advance(1)
    assert found == [2033]
    slow.commit()
    lab.advance(0)
    assert found == [2033, b"committed late"]


# ---------------------------------------------------------------- 4: nobody reads
@pytest.mark.rule("TRG-04")
@pytest.mark.parametrize("kind", ["FIRST", "DEPTH", "EVERY"])
@pytest.mark.parametrize("mode", ["shared", "exclusive"])
def test_a_reader_stops_first_and_depth_and_not_every(lab, qm, kind, mode, define, watch, declined):
    define(qm, f"TRIGTYPE({kind})")
    define(qm, "TRIGTYPE(FIRST)", name="OTHER")
    with watch(qm), qm.open("WORK", input=mode), qm.open("OTHER", input="shared"):
        qm.put("OTHER", b"x")
        assert declined(lab) == ["TRG-04"]
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == (kind == "EVERY")


@pytest.mark.parametrize("use", ["browse", "output", "inquire", "set"])
def test_an_open_that_is_not_for_input_does_not_stop_it(qm, use, define, watch):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm), qm.open("WORK", **{use: True}):
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == 1


# ---------------------------------------------------------------- 5: gets allowed, on z/OS and transmission queues
@pytest.mark.rule("TRG-05")
@pytest.mark.parametrize("usage", ["NORMAL", "XMITQ"])
@pytest.mark.parametrize("platform", ["zos", "distributed"])
def test_inhibited_gets_stop_it_on_zos_and_on_transmission_queues(lab, usage, platform, define, watch, declined):
    for name, profile in (("QMA", platform), ("QMZ", "zos")):
        qm = lab.queue_manager(name, platform=profile, level=530)  # a transmission queue takes any data there
        define(qm, f"TRIGTYPE(FIRST) USAGE({usage}) GET(DISABLED)")
        watch(qm)
        qm.put("WORK", b"x")
    assert lab["QMA"].depth("INIT") == (platform != "zos" and usage == "NORMAL")
    assert declined(lab)[-1:] == ["TRG-05"]


# ---------------------------------------------------------------- 7: the initiation queue
BROKEN = {
    "not there": "ALTER QLOCAL(WORK) INITQ(NOWHERE)",
    "blank": "ALTER QLOCAL(WORK) INITQ(' ')",
    "an alias": "DEFINE QALIAS(A) TARGET(INIT)\nALTER QLOCAL(WORK) INITQ(A)",
    "gets inhibited": "ALTER QLOCAL(INIT) GET(DISABLED)",
    "puts inhibited": "ALTER QLOCAL(INIT) PUT(DISABLED)",
    "a transmission queue": "ALTER QLOCAL(INIT) USAGE(XMITQ) FORCE",
}


@pytest.mark.rule("TRG-07")
@pytest.mark.parametrize("broken", BROKEN)
def test_an_initiation_queue_that_cannot_be_used_stops_it(lab, qm, broken, define, watch, declined, mqsc):
    define(qm, "TRIGTYPE(EVERY)")
    with watch(qm):
        mqsc(qm, BROKEN[broken])
        qm.put("WORK", b"x")
        assert (declined(lab), qm.depth("INIT")) == (["TRG-07"], 0)


@pytest.mark.rule("TRG-07")
def test_a_dynamic_initiation_queue_that_is_deleted_and_still_open_stops_it(
    lab, qm, define, watch, written, declined, mqsc
):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN) SHARE DEFSOPT(SHARED)", "ALTER QLOCAL(WORK) INITQ(DYN.INIT)")
    creator = qm.open("MODEL", input="shared", dynamic_name="DYN.INIT")
    monitor = watch(qm, "DYN.INIT")
    qm.put("WORK", b"x")
    assert (qm.depth("DYN.INIT"), written(lab)) == (1, ["TRG-03"])
    creator.close(purge=True)
    qm.put("WORK", b"x")
    assert declined(lab) == ["TRG-07"]
    monitor.close()


# ---------------------------------------------------------------- 16: segments, beside
# tests/engine/queues/test_segments.py
@pytest.mark.rule("TRG-16")
@cases("kind, fires", ("FIRST", 1), ("DEPTH) TRIGDPTH(2", 1), ("DEPTH) TRIGDPTH(3", 1), ("DEPTH) TRIGDPTH(4", 0))
def test_segments_count_one_by_one_in_one_event(qm, kind, fires, define, watch):
    define(qm, f"TRIGTYPE({kind}) MAXMSGL(16)")
    define(qm, "TRIGTYPE(EVERY) MAXMSGL(16)", name="OTHER")
    with watch(qm):
        qm.put("WORK", b"x" * 40, segmentation=True)
        assert qm.depth("INIT") == fires
        qm.put("OTHER", b"x" * 40, segmentation=True)
        assert qm.depth("INIT") == fires + 1


def test_segments_below_the_threshold_or_refused_swallow_no_later_event(qm, define, watch):
    define(qm, "TRIGTYPE(EVERY) MAXMSGL(16) TRIGMPRI(5)")
    with watch(qm):
        qm.put("WORK", b"x" * 40, segmentation=True, priority=4)
        assert reason(qm.put, "WORK", b"x" * 40, segmentation=True, priority=5, expiry=0) == 2013
        for expected in (1, 2, 3):
            qm.put("WORK", b"x", priority=5)
            assert qm.depth("INIT") == expected


# ---------------------------------------------------------------- 14: delivery sequence
@pytest.mark.rule("TRG-14")
@pytest.mark.parametrize(("threshold", "fires"), [(6, False), (5, True), (4, True), (0, True)])
@pytest.mark.parametrize("kind", ["FIRST", "EVERY", "DEPTH"])
def test_on_fifo_every_message_counts_as_defprty(lab, qm, kind, threshold, fires, define, watch, declined, mqsc):
    define(qm, f"TRIGTYPE({kind}) TRIGMPRI({threshold}) MSGDLVSQ(FIFO) DEFPRTY(5)")
    with watch(qm):
        qm.put("WORK", b"x", priority=0 if fires else 9)
        assert qm.depth("INIT") == fires
        if fires:
            mqsc(qm, "ALTER QLOCAL(WORK) TRIGMPRI(9) TRIGGER")
            qm.put("WORK", b"x", priority=9)
        assert declined(lab) == ["TRG-14"]
