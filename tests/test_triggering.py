"""Triggering: the rules TRG-* of the rule book, with their cases and notes. TRIGINT is in milliseconds."""

import struct

import pytest

from mqlab import Lab, MQError
from mqlab.constants import MQRO_EXPIRATION
from mqlab.errors import RunawayTrigger
from mqlab.triggering import CONDITIONS, Trigger

MONITOR_GONE = "TRG-08"


def reason(call, *args, **kwargs):
    """The MQRC of a call that must fail."""
    with pytest.raises(MQError) as caught:
        call(*args, **kwargs)
    return caught.value.reason


def mqsc(qm, *commands):
    """Commands that must all work."""
    reply = qm.mqsc("\n".join(commands))
    assert reply.ok, str(reply)


def define(qm, attributes, name="WORK"):
    """A queue set up for triggering with these attributes, an initiation queue INIT and a process P."""
    mqsc(
        qm,
        "DEFINE QLOCAL(INIT) REPLACE",
        "DEFINE PROCESS(P) REPLACE APPLTYPE(UNIX) APPLICID('server') ENVRDATA('env &') USERDATA('user data')",
        f"DEFINE QLOCAL({name}) {'' if 'NOTRIGGER' in attributes else 'TRIGGER'} PROCESS(P) INITQ(INIT) {attributes}",
    )


def watch(qm, initq="INIT"):
    """A program that has the initiation queue open for input, as a trigger monitor has: its handle."""
    return qm.connect("MONITOR").open(initq, input="shared")


def written(lab):
    """The rules behind the trigger messages written, in order."""
    return [row.rule for row in lab.events.where(kind="trigger") if '"fired":true' in row.detail]


def declined(lab):
    """The rules behind the trigger messages not written, in order."""
    return [row.rule for row in lab.events.where(kind="trigger") if '"fired":false' in row.detail]


@pytest.fixture(autouse=True)
def _what_is_kept_agrees(lab):
    """Whatever a test did: the log replayed is the state, and the qualifying messages counted are those there."""
    yield
    state = lab.state()
    for qmgr in lab.queue_managers:
        for queue in qmgr.queues:
            assert state.queue(qmgr.name, queue.name).depth == queue.depth, f"replayed depth of {queue.name}"
            if queue.trigger is not None:
                assert queue.trigger.qualifying == Trigger(queue).qualifying, f"qualifying on {queue.name}"


# ---------------------------------------------------------------- 1: what counts as an arrival
@pytest.mark.rule("TRG-01")
def test_a_put_a_reply_a_report_a_dead_letter_and_a_requeue_are_all_arrivals(lab, qm):
    define(qm, "TRIGTYPE(EVERY)")
    define(qm, "TRIGTYPE(EVERY)", name="DLQ")
    mqsc(qm, "ALTER QMGR DEADQ(DLQ)", "ALTER QLOCAL(ORDERS) BOTHRESH(1) BOQNAME(WORK)")
    arrivals = []

    def since(what, target):
        new = [row for row in lab.events.where(kind="trigger", object=target) if row.seq not in arrivals]
        assert len(new) == 1, what
        assert '"fired":true' in new[0].detail, what
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
        assert reason(qm.get, "ORDERS") == 2033
        assert since("an expiration report", "WORK") == "TRG-01"
        qm.put("ORDERS", b"x", expiry=10, report=MQRO_EXPIRATION, reply_to_q="NOWHERE")
        lab.advance(1)
        assert reason(qm.get, "ORDERS") == 2033
        since("a report that went to the dead-letter queue", "DLQ")
        qm.put("ORDERS", b"poison")
        poisoned(qm.connect("SERVER"), "ORDERS")
        since("a requeue by a server after a backout", "WORK")


# ---------------------------------------------------------------- 2: priority
@pytest.mark.rule("TRG-02")
@pytest.mark.parametrize("threshold", range(10))
def test_a_message_qualifies_from_the_threshold_priority_on(lab, qm, threshold):
    define(qm, f"TRIGTYPE(EVERY) TRIGMPRI({threshold})")
    with watch(qm):
        for priority in range(10):
            before = qm.depth("INIT")
            qm.put("WORK", b"x", priority=priority)
            assert (qm.depth("INIT") > before) == (priority >= threshold), f"priority {priority}"
        assert declined(lab) == ["TRG-02"] * threshold
        if not threshold:
            qm.mqsc("ALTER QLOCAL(WORK) TRIGMPRI(9)")
            qm.put("WORK", b"x", priority=8)  # so that each case has a row that names the rule
            assert declined(lab) == ["TRG-02"]


def test_what_does_not_qualify_is_not_counted_when_it_leaves_either(lab, qm):
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
@pytest.mark.parametrize(
    ("kind", "fires_at"), [("FIRST", [1]), ("EVERY", [1, 2, 3, 4, 5]), ("DEPTH) TRIGDPTH(3", [3]), ("NONE", [])]
)
def test_how_many_were_there_before(lab, qm, kind, fires_at):
    define(qm, f"TRIGTYPE({kind})")
    if kind == "NONE":
        define(qm, "TRIGTYPE(FIRST)", name="OTHER")  # a queue whose put names the rule
    with watch(qm):
        fired = []
        for number in range(1, 6):
            before = qm.depth("INIT")
            qm.put("WORK", b"x")
            fired += [number] * (qm.depth("INIT") - before)
        assert fired == fires_at
        if kind == "NONE":
            qm.put("OTHER", b"x")


def test_depth_switches_triggering_off_and_nothing_more_is_written(lab, qm):
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


def test_first_switches_nothing_off(qm):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"x")
        qm.get("WORK")
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == 2


@pytest.mark.rule("EXP-17")
def test_lapsed_messages_count_towards_the_depth(lab, qm):
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
    with pytest.raises(MQError) as caught:
        qm.put("SMALL", b"x", expiry=1)
    assert caught.value.rule == "EXP-17"


@pytest.mark.parametrize(("kind", "starts"), [("FIRST", 1), ("EVERY", 50), ("DEPTH) TRIGDPTH(10", 1)])
def test_programs_started_under_a_load_of_50(lab, qm, kind, starts):
    define(qm, f"TRIGTYPE({kind})")
    served = []

    def server(app, trigger):
        lab.advance(0.5)  # starting takes its time
        with app.open(trigger.queue, input="shared") as handle:
            while True:
                try:
                    served.append((app.cause, handle.get().body))
                except MQError:
                    return

    qm.program("server", server)
    monitor = qm.trigger_monitor("INIT")
    lab.run()
    qm.run_program("CLIENT", lambda app: [app.put("WORK", str(n)) for n in range(50)])
    lab.run()
    assert [body for _, body in served] == [str(n).encode() for n in range(50)]
    begun = [row for row in lab.events.where(kind="program", program="server") if "started" in row.detail]
    assert len(begun) == starts
    assert qm.depth("WORK") == qm.depth("INIT") == 0
    monitor.stop()


@pytest.mark.rule("TRG-03a")
def test_uncommitted_messages_count_so_a_server_may_find_nothing(lab, qm):
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(2)")
    found = []

    def server(app, trigger):
        with app.open(trigger.queue, input="shared") as handle:
            try:
                handle.get()
            except MQError as error:
                found.append(error.reason)
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


def test_a_second_unit_of_work_does_not_trigger_first_again(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        one, two = qm.unit_of_work(), qm.unit_of_work()
        one.put("WORK", b"x")
        two.put("WORK", b"x")
        assert (written(lab), declined(lab)) == (["TRG-03"], ["TRG-11"])
        two.commit()
        one.commit()
        assert reason(qm.get, "INIT", wait=0) is not None if qm.depth("INIT") == 0 else qm.depth("INIT") == 1


# ---------------------------------------------------------------- 4: nobody reads
@pytest.mark.rule("TRG-04")
@pytest.mark.parametrize("kind", ["FIRST", "DEPTH", "EVERY"])
@pytest.mark.parametrize("mode", ["shared", "exclusive"])
def test_a_reader_stops_first_and_depth_and_not_every(lab, qm, kind, mode):
    define(qm, f"TRIGTYPE({kind})")
    define(qm, "TRIGTYPE(FIRST)", name="OTHER")
    with watch(qm), qm.open("WORK", input=mode), qm.open("OTHER", input="shared"):
        qm.put("OTHER", b"x")
        assert declined(lab) == ["TRG-04"]
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == (kind == "EVERY")


@pytest.mark.parametrize("use", ["browse", "output", "inquire", "set"])
def test_an_open_that_is_not_for_input_does_not_stop_it(qm, use):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm), qm.open("WORK", **{use: True}):
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == 1


# ---------------------------------------------------------------- 5: gets allowed, on z/OS
@pytest.mark.rule("TRG-05")
@pytest.mark.parametrize("usage", ["NORMAL", "XMITQ"])
@pytest.mark.parametrize(("platform", "fires"), [("zos", False), ("distributed", True)])
def test_inhibited_gets_stop_it_on_zos_only(lab, usage, platform, fires):
    for name, profile in (("QMA", platform), ("QMZ", "zos")):
        qm = lab.queue_manager(name, platform=profile)
        define(qm, f"TRIGTYPE(FIRST) USAGE({usage}) GET(DISABLED)")
        watch(qm)
        qm.put("WORK", b"x")
    assert lab["QMA"].depth("INIT") == fires
    assert declined(lab)[-1:] == ["TRG-05"]


# ---------------------------------------------------------------- 6: the process, and the trigger message
def fields(body):
    """The 684 bytes of an MQTM by field, read by its published layout and by nothing of the package."""
    assert len(body) == 684
    names = ("StrucId", "Version", "QName", "ProcessName", "TriggerData", "ApplType", "ApplId", "EnvData", "UserData")
    return dict(zip(names, struct.unpack("<4si48s48s64si256s128s128s", body), strict=True))


@pytest.mark.rule("TRG-06")
def test_a_process_that_is_not_defined_stops_it(lab, qm):
    define(qm, "TRIGTYPE(EVERY)")
    with watch(qm):
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING)")
        qm.put("WORK", b"x")
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(' ')")
        qm.put("WORK", b"x")
        assert (declined(lab), qm.depth("INIT")) == (["TRG-06", "TRG-06"], 0)
        mqsc(qm, "ALTER QLOCAL(WORK) USAGE(XMITQ) PROCESS(MISSING) FORCE")
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == 0, "a name given must exist on a transmission queue too"
        mqsc(qm, "DEFINE PROCESS(MISSING)")
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == 1


def test_the_trigger_message_of_a_process_field_by_field(lab, qm):
    define(qm, "TRIGTYPE(FIRST) TRIGDATA('about the queue')")
    mqsc(qm, "ALTER QLOCAL(INIT) DEFPRTY(6) DEFPSIST(YES)")
    with watch(qm) as monitor:
        qm.put("WORK", b"x", priority=2, persistent=True, expiry=50)
        lab.advance(1)
        qm.mqsc("ALTER PROCESS(P) USERDATA('too late')")
        message = monitor.get()
    assert fields(message.body) == {
        "StrucId": b"TM  ",
        "Version": 1,
        "QName": b"WORK".ljust(48),
        "ProcessName": b"P".ljust(48),
        "TriggerData": b"about the queue".ljust(64),
        "ApplType": 6,
        "ApplId": b"server".ljust(256),
        "EnvData": b"env &".ljust(128),
        "UserData": b"user data".ljust(128),
    }
    assert (message.format, message.msg_type, message.report, message.feedback) == ("MQTRIG", 8, 0, 0)
    assert (message.priority, message.persistent, message.expiry) == (6, False, -1)
    assert (message.correl_id, message.reply_to_q, message.backout_count) == (bytes(24), "", 0)
    assert message.put_us == 0


def test_the_trigger_message_of_a_transmission_queue_field_by_field(qm):
    mqsc(
        qm,
        "DEFINE QLOCAL(INIT)",
        "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) TRIGDATA('QM1.TO.QM2')",
    )
    with watch(qm) as monitor:
        qm.put("QM2", b"x")
        assert fields(monitor.get().body) == {
            "StrucId": b"TM  ",
            "Version": 1,
            "QName": b"QM2".ljust(48),
            "ProcessName": b" " * 48,
            "TriggerData": b"QM1.TO.QM2".ljust(64),
            "ApplType": -1,
            "ApplId": b" " * 256,
            "EnvData": b" " * 128,
            "UserData": b" " * 128,
        }


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
def test_an_initiation_queue_that_cannot_be_used_stops_it(lab, qm, broken):
    define(qm, "TRIGTYPE(EVERY)")
    with watch(qm):
        mqsc(qm, BROKEN[broken])
        qm.put("WORK", b"x")
        assert (declined(lab), qm.depth("INIT")) == (["TRG-07"], 0)


@pytest.mark.rule("TRG-07")
def test_a_dynamic_initiation_queue_that_is_deleted_and_still_open_stops_it(lab, qm):
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


# ---------------------------------------------------------------- 8, 9, 10
@pytest.mark.rule("TRG-08")
def test_without_a_trigger_monitor_nothing_is_written(lab, qm):
    define(qm, "TRIGTYPE(EVERY)")
    with qm.open("INIT", browse=True, output=True):
        qm.put("WORK", b"x")
    assert (declined(lab), qm.depth("INIT")) == (["TRG-08"], 0)


@pytest.mark.rule("TRG-09")
def test_notrigger_writes_nothing(lab, qm):
    define(qm, "TRIGTYPE(EVERY) NOTRIGGER")
    with watch(qm):
        qm.put("WORK", b"x")
        with qm.open("WORK", input="shared"):
            pass
        assert (declined(lab), qm.depth("INIT")) == (["TRG-09"], 0)


@pytest.mark.rule("TRG-10")
def test_trigtype_none_writes_nothing(lab, qm):
    define(qm, "TRIGTYPE(NONE)")
    with watch(qm):
        qm.put("WORK", b"x")
        with qm.open("WORK", input="shared"):
            pass
        assert (declined(lab), qm.depth("INIT")) == (["TRG-10"], 0)


# ---------------------------------------------------------------- 10a: units of work
@pytest.mark.rule("TRG-10a")
@pytest.mark.parametrize("ending", ["commit", "backout"])
@pytest.mark.parametrize("kind", ["FIRST", "EVERY", "DEPTH"])
def test_the_trigger_message_waits_for_the_end_of_the_unit_of_work(lab, qm, kind, ending):
    define(qm, f"TRIGTYPE({kind})")
    with watch(qm) as monitor:
        uow = qm.unit_of_work()
        uow.put("WORK", b"x")
        assert len(written(lab)) == 1
        assert reason(monitor.get) == 2033, "nothing before it ends"
        getattr(uow, ending)()
        if (kind, ending) == ("EVERY", "backout"):
            assert reason(monitor.get) == 2033
            assert qm.depth("INIT") == 0
        else:
            assert fields(monitor.get().body)["QName"].rstrip() == b"WORK"
        assert qm.depth("WORK") == (ending == "commit")


def test_a_waiting_monitor_is_woken_by_the_end_of_the_unit_of_work(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    seen = []

    def monitor(app):
        with app.open("INIT", input="shared") as handle:
            handle.get(wait=60)
            seen.append(lab.now_us)

    qm.run_program("WATCH", monitor)
    lab.advance(0)
    uow = qm.unit_of_work()
    uow.put("WORK", b"x")
    lab.advance(5)
    assert seen == []
    uow.backout()
    lab.advance(1)
    assert seen == [5_000_000]


def test_the_trigger_message_does_not_count_towards_maxumsgs(qm):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "ALTER QMGR MAXUMSGS(2)")
    with watch(qm), qm.unit_of_work() as uow:
        uow.put("WORK", b"x")
        uow.put("WORK", b"x")
        assert reason(uow.put, "WORK", b"x") == 2024


def test_each_put_of_a_unit_of_work_triggers_every(qm):
    define(qm, "TRIGTYPE(EVERY)")
    with watch(qm) as monitor:
        with qm.unit_of_work() as uow:
            for _ in range(3):
                uow.put("WORK", b"x")
        for _ in range(3):
            monitor.get()
        assert reason(monitor.get) == 2033


# ---------------------------------------------------------------- 11: the interval
@pytest.mark.rule("TRG-11")
@pytest.mark.parametrize(("interval", "passed"), [(5000, 4.999), (5000, 5), (0, 0)])
def test_first_is_written_again_when_the_interval_has_passed(lab, qm, interval, passed):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, f"ALTER QMGR TRIGINT({interval})")
    with watch(qm):
        qm.put("WORK", b"1")  # its server dies without opening the queue
        lab.advance(passed)
        qm.put("WORK", b"2")
        assert qm.depth("INIT") == (2 if passed * 1000 >= interval else 1)
        lab.advance(interval / 1000)
        qm.put("WORK", b"3")
        assert qm.depth("INIT") == (2 if passed * 1000 < interval else 3)


def test_the_interval_runs_from_the_last_trigger_message_and_by_default_it_is_more_than_11_days(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"1")
        lab.advance(11 * 86400)
        qm.put("WORK", b"2")
        assert written(lab) == ["TRG-03"]
        mqsc(qm, "ALTER QMGR TRIGINT(1000)")
        qm.put("WORK", b"3")
        lab.advance(0.5)
        qm.put("WORK", b"4")
        assert written(lab) == ["TRG-03", "TRG-11"]


@pytest.mark.rule("TRG-11")
def test_depth_is_written_at_once_when_more_than_enough_are_there(lab, qm):
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(2) NOTRIGGER")
    for _ in range(3):
        qm.put("WORK", b"x")
    with qm.open("WORK", input="shared"):
        mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")  # somebody reads: 13 does not hold
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING)")  # nor does 12 at the close
    with watch(qm):
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(P)")
        assert qm.depth("INIT") == 0
        qm.put("WORK", b"x")
        assert (qm.depth("INIT"), written(lab)) == (1, ["TRG-11"])


@pytest.mark.rule("TRG-11a")
def test_a_restart_ends_the_interval(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    watch(qm)
    qm.put("WORK", b"1", persistent=True)
    qm.put("WORK", b"2", persistent=True)
    assert written(lab) == ["TRG-03"]
    qm.stop()
    qm.start()
    mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING)")  # so that the monitor's open does not trigger first
    with watch(qm):
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(P)")
        qm.put("WORK", b"3")
        assert written(lab) == ["TRG-03", "TRG-11a"]


# ---------------------------------------------------------------- 12: the close
@pytest.mark.rule("TRG-12")
@pytest.mark.parametrize(("kind", "left", "fires"), [
    ("FIRST", 1, True), ("FIRST", 0, False), ("DEPTH) TRIGDPTH(2", 2, True), ("DEPTH) TRIGDPTH(2", 1, False),
    ("EVERY", 1, False), ("FIRST) TRIGMPRI(5", 1, False),
])  # fmt: skip
def test_the_last_reader_leaves_enough_behind(lab, qm, kind, left, fires):
    define(qm, f"TRIGTYPE({kind})")
    define(qm, "TRIGTYPE(FIRST)", name="OTHER")
    with watch(qm) as monitor:
        with qm.open("OTHER", input="shared"):
            qm.put("OTHER", b"x")
        assert written(lab) == ["TRG-12"]
        monitor.get()
        first, second = (qm.open("WORK", input="shared") for _ in range(2))
        for _ in range(left):
            qm.put("WORK", b"came between the get and the close", priority=1)
        while qm.depth("INIT"):
            monitor.get()
        first.close()
        assert qm.depth("INIT") == 0, "another one still has it open"
        with qm.open("WORK", browse=True, output=True):
            pass
        assert qm.depth("INIT") == 0, "that was no reader"
        second.close()
        assert qm.depth("INIT") == fires


@pytest.mark.parametrize("broken", ["NOTRIGGER", "PROCESS(MISSING)", "INITQ(NOWHERE)"])
def test_the_other_conditions_hold_for_the_close_too(qm, broken):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        with qm.open("WORK", input="shared"):
            qm.put("WORK", b"x")
            mqsc(qm, f"ALTER QLOCAL(WORK) {broken}")
        assert qm.depth("INIT") == 0


def test_at_the_close_nobody_asks_for_the_interval_nor_on_zos_for_gets(lab):
    qm = lab.queue_manager("QMZ", platform="zos")
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"1")
        with qm.open("WORK", input="shared"):
            mqsc(qm, "ALTER QLOCAL(WORK) GET(DISABLED)")
        assert written(lab) == ["TRG-03", "TRG-12"]


def lazy(app, trigger):
    """A server that never gets anything."""
    app.open(trigger.queue, input="shared").close()


@pytest.mark.rule("TRG-12a")
def test_a_server_that_drains_nothing_is_started_until_the_guard_stops_it(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    qm.program("server", lazy)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"x"))
    with pytest.raises(RunawayTrigger, match=r"WORK was triggered 1000 times.*TRG-12a.*NOTRIGGER"):
        lab.run()
    assert len(lab.events.where(kind="fault", object="WORK", rule="TRG-12a")) == 1
    assert set(written(lab)[2:]) == {"TRG-12a"}
    lab.run()
    assert qm.get("WORK").body == b"x", "the lab goes on"


def test_the_guard_stops_a_server_that_takes_its_time_too(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")

    def server(app, trigger):
        with app.open(trigger.queue, input="shared") as handle, app.unit_of_work() as uow:
            handle.get(unit=uow)
            lab.advance(0.1)
            uow.backout()

    qm.program("server", server)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"x"))
    with pytest.raises(RunawayTrigger):
        lab.run()
    assert 90 < lab.now_us / 1e6 < 110


def test_a_server_that_puts_back_what_it_got_is_a_runaway(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")

    def server(app, trigger):
        with app.open(trigger.queue, input="shared", output=True) as handle:
            handle.put(handle.get().body)

    qm.program("server", server)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"x"))
    with pytest.raises(RunawayTrigger):
        lab.run()


def test_a_server_that_gets_one_message_each_time_is_no_runaway(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")

    def server(app, trigger):
        with app.open(trigger.queue, input="shared") as handle:
            handle.get()

    qm.program("server", server)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: [app.put("WORK", b"x") for _ in range(1500)])
    lab.run()
    assert qm.depth("WORK") == 0


def test_a_burst_of_puts_is_no_runaway(qm):
    define(qm, "TRIGTYPE(EVERY)")
    with watch(qm):
        for _ in range(1500):
            qm.put("WORK", b"x")
        assert qm.depth("INIT") == 1500


@pytest.mark.rule("TRG-12b")
def test_a_backout_before_the_close_triggers_again(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"x")
        handle, uow = qm.open("WORK", input="shared"), qm.unit_of_work()
        handle.get(unit=uow)
        uow.backout()
        handle.close()
        assert written(lab) == ["TRG-03", "TRG-12b"]


@pytest.mark.rule("TRG-12b")
def test_a_close_before_the_backout_does_not(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"x")
        handle, uow = qm.open("WORK", input="shared"), qm.unit_of_work()
        handle.get(unit=uow)
        handle.close()
        uow.backout()
        assert (written(lab), declined(lab)) == (["TRG-03"], ["TRG-12b"])
        assert qm.depth("WORK") == 1


def test_a_close_before_the_backout_triggers_if_others_are_left(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"1")
        qm.put("WORK", b"2")
        handle, uow = qm.open("WORK", input="shared"), qm.unit_of_work()
        handle.get(unit=uow)
        handle.close()
        assert written(lab) == ["TRG-03", "TRG-12"]
        uow.backout()


def test_a_program_that_dies_is_backed_out_and_then_closed_so_it_triggers_again(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")

    def server(app):
        app.open("WORK", input="shared").get(unit=app.unit_of_work())
        raise ValueError("a bad message")

    with watch(qm):
        qm.put("WORK", b"x")
        qm.run_program("SERVER", server)
        with pytest.raises(RuntimeError, match="a bad message"):
            lab.run()
        assert written(lab) == ["TRG-03", "TRG-12b"]


def poisoned(app, queue):
    """A server whose work fails: it backs out until BOTHRESH, then moves the message to BOQNAME."""
    with app.open(queue, input="shared", inquire=True) as handle:
        limit = handle.inquire("BOTHRESH", "BOQNAME")
        while True:
            uow = app.unit_of_work()
            try:
                message = handle.get(unit=uow)
            except MQError:
                uow.commit()
                return
            if message.backout_count >= limit["BOTHRESH"] > 0:
                app.put(limit["BOQNAME"], message.body, persistent=message.persistent, unit=uow)
                uow.commit()
                return
            uow.backout()


@pytest.mark.rule("TRG-12c")
def test_a_server_sees_the_loop_by_backout_count_and_moves_the_message_away(lab, qm):
    define(qm, "TRIGTYPE(FIRST) BOTHRESH(3) BOQNAME(POISON)")
    mqsc(qm, "DEFINE QLOCAL(POISON)")
    counts = []

    def server(app, trigger):
        with app.open(trigger.queue, input="shared", inquire=True) as handle, app.unit_of_work() as uow:
            message, limits = handle.get(unit=uow), handle.inquire("BOTHRESH", "BOQNAME")
            counts.append(message.backout_count)
            if message.backout_count < limits["BOTHRESH"]:
                uow.backout()
            else:
                app.put(limits["BOQNAME"], message.body, unit=uow)

    qm.program("server", server)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"poison"))
    lab.run()
    assert counts == [0, 1, 2, 3]
    assert (qm.depth("WORK"), qm.get("POISON").body) == (0, b"poison")
    restored = lab.events.where(kind="restore", object="WORK")
    assert [row.rule for row in restored] == ["TRG-12c"] * 3


def test_the_queue_manager_itself_moves_nothing_at_the_threshold(qm):
    define(qm, "TRIGTYPE(FIRST) BOTHRESH(1) BOQNAME(POISON)")
    mqsc(qm, "DEFINE QLOCAL(POISON)")
    qm.put("WORK", b"x")
    for count in range(5):
        with qm.unit_of_work() as uow:
            assert uow.get("WORK").backout_count == count
            uow.backout()
    assert (qm.depth("WORK"), qm.depth("POISON")) == (1, 0)


# ---------------------------------------------------------------- 13: changes
def by_alter(qm, values):
    """Change attributes of WORK by a command."""
    words = {"TRIGGER": lambda on: "TRIGGER" if on else "NOTRIGGER"}
    text = (words.get(name, lambda value, name=name: f"{name}({value})")(value) for name, value in values.items())
    mqsc(qm, f"ALTER QLOCAL(WORK) {' '.join(text)}")


def by_set(qm, values):
    """Change attributes of WORK by MQSET."""
    with qm.open("WORK", set=True) as handle:
        handle.set(**values)


@pytest.fixture(params=[by_alter, by_set], ids=["ALTER", "MQSET"])
def change(request):
    """The two ways to change an attribute."""
    return request.param


@pytest.mark.rule("TRG-13")
@pytest.mark.parametrize(("kind", "messages", "fires"), [
    ("FIRST", 1, True), ("EVERY", 1, True), ("DEPTH) TRIGDPTH(2", 2, True), ("DEPTH) TRIGDPTH(2", 1, False),
    ("FIRST) TRIGMPRI(5", 3, False), ("NONE", 1, False), ("FIRST", 0, False),
])  # fmt: skip
def test_turning_triggering_on(lab, qm, change, kind, messages, fires):
    define(qm, f"TRIGTYPE({kind}) NOTRIGGER")
    for _ in range(messages):
        qm.put("WORK", b"x", priority=1)
    change(qm, {"TRIGGER": True})  # no monitor is needed
    assert qm.depth("INIT") == fires
    if not fires:
        mqsc(qm, "ALTER QLOCAL(WORK) NOTRIGGER TRIGTYPE(FIRST) TRIGMPRI(0)")
        qm.put("WORK", b"x")
        change(qm, {"TRIGGER": True})
        assert qm.depth("INIT") == 1
    assert written(lab) == ["TRG-13"]


@pytest.mark.rule("TRG-13")
@pytest.mark.parametrize(("before", "now"), [
    ("TRIGTYPE(DEPTH) TRIGDPTH(5)", {"TRIGTYPE": "FIRST"}), ("TRIGTYPE(DEPTH) TRIGDPTH(5)", {"TRIGTYPE": "EVERY"}),
    ("TRIGTYPE(FIRST) TRIGMPRI(9)", {"TRIGMPRI": 3}), ("TRIGTYPE(DEPTH) TRIGDPTH(5)", {"TRIGDPTH": 2}),
    ("TRIGTYPE(NONE)", {"TRIGTYPE": "FIRST"}),
])  # fmt: skip
def test_changing_type_priority_or_depth_while_it_is_on(lab, qm, change, before, now):
    define(qm, before)
    qm.put("WORK", b"x", priority=3)
    qm.put("WORK", b"x", priority=3)
    assert written(lab) == []
    change(qm, now)
    assert qm.depth("INIT") == 1
    assert written(lab) == ["TRG-15" if now == {"TRIGTYPE": "EVERY"} else "TRG-13"] or lab is None
    if now == {"TRIGTYPE": "EVERY"}:
        by_alter(qm, {"TRIGTYPE": "FIRST"})
        assert written(lab)[-1] == "TRG-13"


def test_changing_what_does_not_matter_writes_nothing(lab, qm, change):
    define(qm, "TRIGTYPE(FIRST)")
    qm.put("WORK", b"x")
    for values in ({"TRIGGER": True}, {"TRIGTYPE": "FIRST"}, {"TRIGMPRI": 0}, {"PUT": "ENABLED"}, {"TRIGDATA": "new"}):
        change(qm, values)
    assert written(lab) == []


def test_changing_the_depth_of_first_writes_nothing(lab, qm, change):
    define(qm, "TRIGTYPE(FIRST)")
    qm.put("WORK", b"x")
    change(qm, {"TRIGDPTH": 7})
    assert written(lab) == []


@pytest.mark.parametrize("broken", ["TRG-04", "TRG-06", "TRG-07"])
def test_the_other_conditions_hold_when_it_is_turned_on(lab, qm, broken):
    define(qm, "TRIGTYPE(FIRST) NOTRIGGER")
    qm.put("WORK", b"x")
    if broken == "TRG-04":
        qm.open("WORK", input="shared")
    elif broken == "TRG-06":
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING)")
    else:
        mqsc(qm, "ALTER QLOCAL(INIT) USAGE(XMITQ) FORCE")
    mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")
    assert (written(lab), declined(lab)[-1]) == ([], broken)


def test_on_zos_gets_must_be_allowed_when_it_is_turned_on(lab):
    qm = lab.queue_manager("QMZ", platform="zos")
    define(qm, "TRIGTYPE(FIRST) NOTRIGGER GET(DISABLED)")
    qm.put("WORK", b"x")
    mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")
    assert (written(lab), declined(lab)[-1]) == ([], "TRG-05")


@pytest.mark.rule("TRG-13a")
def test_puts_allowed_again_on_the_initiation_queue(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    for name, attributes in (("WORK2", "TRIGTYPE(DEPTH) TRIGDPTH(2)"), ("SHORT", "TRIGTYPE(DEPTH) TRIGDPTH(9)"),
                             ("EMPTY", "TRIGTYPE(FIRST)"), ("OFF", "NOTRIGGER"),
                             ("READ", "TRIGTYPE(FIRST)")):  # fmt: skip
        define(qm, attributes, name=name)
    mqsc(qm, "DEFINE QLOCAL(ELSEWHERE) TRIGGER PROCESS(P) INITQ(REPLIES)")
    mqsc(qm, "ALTER QLOCAL(INIT) PUT(DISABLED)")
    with watch(qm) as monitor, qm.open("READ", input="shared"):
        for name in ("WORK", "WORK2", "WORK2", "SHORT", "OFF", "READ", "ELSEWHERE"):
            qm.put(name, b"x")
        mqsc(qm, "ALTER QLOCAL(INIT) PUT(DISABLED) DESCR('still')")
        assert written(lab) == []
        mqsc(qm, "ALTER QLOCAL(INIT) PUT(ENABLED)")
        assert written(lab) == ["TRG-13a"] * 2
        assert [fields(monitor.get().body)["QName"].rstrip() for _ in range(2)] == [b"WORK", b"WORK2"]


def test_puts_allowed_again_without_a_monitor_writes_nothing(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "ALTER QLOCAL(INIT) PUT(DISABLED)")
    qm.put("WORK", b"x")
    mqsc(qm, "ALTER QLOCAL(INIT) PUT(ENABLED)")
    assert (written(lab), declined(lab)[-1]) == ([], "TRG-08")


@pytest.mark.rule("TRG-13b")
@pytest.mark.parametrize("platform", ["zos", "distributed"])
def test_gets_allowed_again(lab, change, platform):
    qm = lab.queue_manager("QM2", platform=platform)
    define(qm, "TRIGTYPE(FIRST) GET(DISABLED)")
    mqsc(qm, "ALTER QMGR TRIGINT(0)")
    with watch(qm):
        qm.put("WORK", b"x")
        before = qm.depth("INIT")
        assert before == (platform == "distributed")
        change(qm, {"GET": "DISABLED"})
        assert qm.depth("INIT") == before
        change(qm, {"GET": "ENABLED"})
        assert (qm.depth("INIT"), written(lab)[-1]) == (before + 1, "TRG-13b")


@pytest.mark.parametrize("broken", ["TRG-04", "TRG-06", "TRG-07", "TRG-08"])
def test_the_other_conditions_hold_when_gets_are_allowed_again(lab, qm, broken):
    define(qm, "TRIGTYPE(FIRST) GET(DISABLED) NOTRIGGER")
    qm.put("WORK", b"x")
    mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING) TRIGGER")
    if broken != "TRG-06":
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(P)")
    if broken == "TRG-04":
        qm.open("WORK", input="shared")
    if broken == "TRG-07":
        mqsc(qm, "ALTER QLOCAL(INIT) USAGE(XMITQ) FORCE")
    if broken not in ("TRG-08", "TRG-06"):
        mqsc(qm, "ALTER QLOCAL(WORK) NOTRIGGER")
        watch(qm)
        mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")
    mqsc(qm, "ALTER QLOCAL(WORK) GET(ENABLED)")
    assert (written(lab), declined(lab)[-1]) == ([], broken)


@pytest.mark.rule("TRG-13c")
def test_a_monitor_that_comes_finds_one_message_for_each_waiting_queue(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "DEFINE QLOCAL(MORE) TRIGGER TRIGTYPE(EVERY) PROCESS(P) INITQ(INIT)")
    for name in ("WORK", "WORK", "MORE"):
        qm.put(name, b"x")
    with watch(qm) as first:
        assert written(lab) == ["TRG-13c"] * 2
        with watch(qm):
            assert qm.depth("INIT") == 2, "not the first"
        assert [fields(first.get().body)["QName"].rstrip() for _ in range(2)] == [b"WORK", b"MORE"]
    with qm.open("INIT", browse=True):
        assert qm.depth("INIT") == 0, "not for input"


@pytest.mark.rule("TRG-13c")
def test_a_restart_loses_the_trigger_messages_and_the_monitor_finds_new_ones(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    watch(qm)
    qm.put("WORK", b"x", persistent=True)
    assert qm.depth("INIT") == 1
    qm.stop()
    qm.start()
    assert (qm.depth("INIT"), qm.depth("WORK")) == (0, 1)
    assert [row.rule for row in lab.events.where(kind="lost", object="INIT")] == ["MQI-16"]
    with watch(qm):
        assert (qm.depth("INIT"), written(lab)) == (1, ["TRG-03", "TRG-13c"])


# ---------------------------------------------------------------- 14: delivery sequence
@pytest.mark.rule("TRG-14")
@pytest.mark.parametrize(("threshold", "fires"), [(6, False), (5, True), (4, True), (0, True)])
@pytest.mark.parametrize("kind", ["FIRST", "EVERY", "DEPTH"])
def test_on_fifo_every_message_counts_as_defprty(lab, qm, kind, threshold, fires):
    define(qm, f"TRIGTYPE({kind}) TRIGMPRI({threshold}) MSGDLVSQ(FIFO) DEFPRTY(5)")
    with watch(qm):
        qm.put("WORK", b"x", priority=0 if fires else 9)
        assert qm.depth("INIT") == fires
        if fires:
            mqsc(qm, "ALTER QLOCAL(WORK) TRIGMPRI(9) TRIGGER")
            qm.put("WORK", b"x", priority=9)
        assert declined(lab) == ["TRG-14"]


@pytest.mark.parametrize("kind", ["FIRST", "DEPTH"])
def test_on_priority_100_low_messages_leave_the_effective_depth_at_none(lab, qm, kind):
    define(qm, f"TRIGTYPE({kind}) TRIGMPRI(5)")
    with watch(qm):
        for _ in range(100):
            qm.put("WORK", b"x", priority=4)
        assert written(lab) == []
        qm.put("WORK", b"x", priority=5)
        assert written(lab) == ["TRG-03"]


# ---------------------------------------------------------------- 15
@pytest.mark.rule("TRG-15")
@pytest.mark.parametrize("event", ["13", "13a", "13b", "13c"])
def test_every_gives_one_message_however_many_wait_and_in_no_unit_of_work(lab, qm, event):
    define(qm, "TRIGTYPE(EVERY) GET(DISABLED)" + (" NOTRIGGER" if event == "13" else ""))
    mqsc(qm, "ALTER QLOCAL(INIT) PUT(DISABLED)" if event == "13a" else "ALTER QLOCAL(INIT) PUT(ENABLED)")
    monitor = watch(qm) if event == "13a" else None
    with qm.unit_of_work() as uow:
        for _ in range(5):
            uow.put("WORK", b"x")
        if event == "13":
            mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")
        elif event == "13a":
            mqsc(qm, "ALTER QLOCAL(INIT) PUT(ENABLED)")
        elif event == "13b":
            mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING)")
            monitor = watch(qm)
            mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(P)", "ALTER QLOCAL(WORK) GET(ENABLED)")
        else:
            monitor = watch(qm)
        assert (written(lab), qm.depth("INIT")) == (["TRG-15"], 1)
        monitor = monitor or watch(qm)
        assert monitor.get().format == "MQTRIG", "it can be got before the unit of work ends"
        [row] = lab.events.where(kind="put", object="INIT")[:1]
        assert row.uow is None
        uow.backout()


# ---------------------------------------------------------------- the trigger message that cannot be put
def test_a_full_initiation_queue_sends_the_trigger_message_to_the_dead_letter_queue(lab, qm):
    define(qm, "TRIGTYPE(EVERY) TRIGDATA('hint')")
    mqsc(qm, "DEFINE QLOCAL(DLQ) DEFPRTY(4)", "ALTER QMGR DEADQ(DLQ)", "ALTER QLOCAL(INIT) MAXDEPTH(1)")
    with watch(qm) as monitor:
        qm.put("WORK", b"1")
        lab.advance(3723.45)
        qm.put("WORK", b"2")
        dead, fits = qm.get("DLQ"), monitor.get()
    assert (dead.format, dead.persistent, dead.expiry, dead.priority) == ("MQDEAD", False, -1, 4)
    header = (
        b"DLH " + struct.pack("<ii", 1, 2053) + b"INIT".ljust(48) + b"QM1".ljust(48) + struct.pack("<ii", 546, 1208)
    )
    header += b"MQTRIG  " + struct.pack("<i", 7) + b"QM1".ljust(28) + b"20250106" + b"10020345"
    assert (len(header), dead.body[:172]) == (172, header)
    assert dead.body[172:] == fits.body
    assert fields(dead.body[172:])["TriggerData"].rstrip() == b"hint"
    [refused] = lab.events.where(kind="put", object="INIT", reason=2053)
    assert lab.events[refused.cause].kind == "trigger"


def test_without_a_dead_letter_queue_the_trigger_message_is_lost_and_the_put_works(lab, qm):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "ALTER QLOCAL(INIT) MAXDEPTH(0)", "ALTER QMGR DEADQ(' ')")
    with watch(qm):
        qm.put("WORK", b"x")
    assert qm.depth("WORK") == 1
    [lost] = lab.events.where(kind="lost")
    assert (lost.reason, lost.object) == (2053, None)


@pytest.mark.parametrize("length", [683, 684])
def test_a_trigger_message_too_long_for_the_initiation_queue_is_dead_lettered(qm, length):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)", f"ALTER QLOCAL(INIT) MAXMSGL({length})")
    with watch(qm):
        qm.put("WORK", b"x")
    assert (qm.depth("INIT"), qm.depth("DLQ")) == ((1, 0) if length == 684 else (0, 1))


def test_a_dead_letter_queue_that_triggers_into_a_full_queue_does_not_go_round(lab, qm):
    define(qm, "TRIGTYPE(EVERY)", name="DLQ")
    mqsc(qm, "ALTER QMGR DEADQ(DLQ)", "ALTER QLOCAL(INIT) MAXDEPTH(0)")
    with watch(qm):
        qm.put("DLQ", b"x")
    assert qm.depth("DLQ") == 2, "the message, and the one trigger message that could not be put"


def test_an_initiation_queue_that_triggers_into_itself_does_not_go_round(qm):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "ALTER QLOCAL(INIT) TRIGGER TRIGTYPE(EVERY) PROCESS(P) INITQ(INIT)")
    with watch(qm):
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == 2


def test_a_trigger_message_held_on_a_queue_that_is_retuned_still_counts_once(qm):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "DEFINE QLOCAL(INIT2)", "ALTER QLOCAL(INIT) TRIGGER TRIGTYPE(FIRST) PROCESS(P) INITQ(INIT2)")
    with watch(qm), qm.unit_of_work() as uow:
        uow.put("WORK", b"x")
        mqsc(qm, "ALTER QLOCAL(INIT) TRIGMPRI(1)", "ALTER QLOCAL(INIT) TRIGMPRI(0)")
        assert qm.targets["INIT"].trigger.qualifying == 1


@pytest.mark.rule("EXP-24")
def test_trigger_messages_do_not_age_unless_capexpry_says_so(lab):
    qm = lab.queue_manager("QM2", level=940, expiry_interval=0)
    define(qm, "TRIGTYPE(EVERY)")
    with watch(qm) as monitor:
        qm.put("WORK", b"x", expiry=10)
        lab.advance(400 * 86400)
        assert monitor.get().expiry == -1
        mqsc(qm, "ALTER QLOCAL(INIT) CAPEXPRY(100)")
        qm.put("WORK", b"x")
        assert monitor.get().expiry == 100


# ---------------------------------------------------------------- the monitor
def test_a_process_that_starts_nothing_known_goes_to_the_dead_letter_queue(lab, qm):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)")
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"x"))
    lab.run()
    dead = qm.get("DLQ")
    assert struct.unpack("<i", dead.body[8:12]) == (265,)
    assert (dead.body[12:60].rstrip(), fields(dead.body[172:])["QName"].rstrip()) == (b"INIT", b"WORK")


@pytest.mark.parametrize("body", [b"", b"TM  ", b"TM  " + b"\xff" * 680, b"XX  " + b" " * 680])
def test_what_is_no_trigger_message_goes_to_the_dead_letter_queue(lab, qm, body):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)")
    monitor = qm.trigger_monitor("INIT")
    qm.put("INIT", body)
    lab.run()
    dead = qm.get("DLQ")
    assert (struct.unpack("<i", dead.body[8:12]), dead.body[172:]) == ((266,), body)
    assert monitor.state == "running"


def test_the_program_knows_what_started_it_and_the_log_leads_back_to_the_put(lab, qm):
    define(qm, "TRIGTYPE(FIRST) TRIGDATA('hint')")
    seen = []
    qm.program("server", lambda app, trigger: (seen.append(trigger), app.get(trigger.queue)))
    qm.trigger_monitor("INIT")
    lab.run()
    message = qm.put("WORK", b"x")
    lab.run()
    assert seen == [("WORK", "P", "hint", 6, "server", "env &", "user data")]
    [row] = [row for row in lab.events.where(kind="program", program="server") if "started" in row.detail]
    chain = []
    while row is not None:
        chain.append(row.kind)
        row = None if row.cause is None else lab.events[row.cause]
    assert chain == ["program", "get", "put", "trigger", "put"]
    assert lab.events.where(message=message.number)[0].kind == "put"


# ---------------------------------------------------------------- why not
WHY = {
    "TRG-09": ("ALTER QLOCAL(WORK) NOTRIGGER", "NOTRIGGER"),
    "TRG-10": ("ALTER QLOCAL(WORK) TRIGTYPE(NONE) TRIGDPTH(3)", "TRIGTYPE(NONE)"),
    "TRG-04": ("", "IPPROCS"),
    "TRG-05": ("ALTER QLOCAL(WORK) GET(DISABLED)", "GET(DISABLED)"),
    "TRG-06": ("ALTER QLOCAL(WORK) PROCESS(MISSING)", "PROCESS(MISSING) is not defined"),
    "TRG-07": ("ALTER QLOCAL(INIT) PUT(DISABLED) GET(DISABLED)", "GET(DISABLED) and PUT(DISABLED)"),
    "TRG-08": ("", "INIT is open for input 0 times"),
    "TRG-03": ("ALTER QLOCAL(WORK) TRIGTYPE(DEPTH) TRIGDPTH(4)", "TRIGDPTH is 4"),
    "TRG-11": ("", "TRIGINT is 999999999"),
    "TRG-14": ("ALTER QLOCAL(WORK) MSGDLVSQ(FIFO) DEFPRTY(3) TRIGMPRI(4)", "DEFPRTY(3)"),
}


@pytest.mark.parametrize("broken", WHY)
def test_why_not_triggered_names_the_condition_that_fails_and_its_fact(lab, broken):
    qm = lab.queue_manager("QMZ", platform="zos")
    define(qm, "TRIGTYPE(FIRST)")
    monitor = watch(qm)
    assert qm.why_not_triggered("WORK").missing == []
    assert "the next qualifying put triggers" in str(qm.why_not_triggered("WORK"))
    command, fact = WHY[broken]
    if command:
        mqsc(qm, command)
    elif broken == "TRG-04":
        qm.open("WORK", input="shared")
    elif broken == "TRG-08":
        monitor.close()
    else:
        qm.put("WORK", b"x")
    before = len(lab.events)
    why = qm.why_not_triggered("WORK")
    assert why.missing == [broken]
    assert [said for rule, _, _, said in why.rows if rule == broken and fact in said], str(why)
    assert f"stopped by {broken}" in str(why)
    assert len(lab.events) == before, "asking changes nothing"
    if broken != "TRG-11":
        monitored = qm.depth("INIT")
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == monitored, "and it is true"
        assert declined(lab)[-1] == broken


def test_why_not_triggered_has_a_row_for_every_condition(qm):
    why = qm.why_not_triggered("ORDERS")
    assert {condition.rule for condition in CONDITIONS} <= {rule for rule, *_ in why.rows}
    assert why.missing == ["TRG-09", "TRG-06", "TRG-07", "TRG-08"]
    assert all(said for *_, said in why.rows)


def test_the_same_calls_give_the_same_log():
    def run():
        lab = Lab(seed=1)
        qm = lab.queue_manager("QM1")
        define(qm, "TRIGTYPE(FIRST)")
        qm.program("server", lambda app, trigger: app.get(trigger.queue))
        qm.trigger_monitor("INIT")
        qm.run_program("CLIENT", lambda app: [app.put("WORK", str(n)) for n in range(20)])
        lab.run()
        return list(lab.events)

    assert run() == run()
