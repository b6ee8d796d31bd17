"""The trigger message, the trigger monitor, and why there is no trigger message."""

import struct

import pytest

from helpers import cases
from mqlab.engine.queues.triggering import CONDITIONS


# ---------------------------------------------------------------- 6: the process, and the trigger message
@pytest.mark.rule("TRG-06")
def test_a_process_that_is_not_defined_stops_it(lab, qm, define, watch, declined, mqsc):
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


def test_the_trigger_message_of_a_process_field_by_field(lab, qm, define, watch, mqsc, fields):
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
    assert (message.correl_id, message.reply_to_q, message.reply_to_qmgr) == (bytes(24), "", "QM1")
    assert (message.backout_count, message.put_us) == (0, 0)


def test_the_trigger_message_of_a_transmission_queue_field_by_field(qm, watch, mqsc, fields):
    queue = "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) TRIGDATA('QM1.TO.QM2')"
    mqsc(qm, "DEFINE QLOCAL(INIT)", queue)
    with watch(qm) as monitor:
        qm.put("QM2", b"x")
        told = {"StrucId": b"TM  ", "Version": 1, "QName": b"QM2".ljust(48), "TriggerData": b"QM1.TO.QM2".ljust(64)}
        blank = {"ProcessName": b" " * 48, "ApplId": b" " * 256, "EnvData": b" " * 128, "UserData": b" " * 128}
        assert fields(monitor.get().body) == {**told, **blank, "ApplType": -1}


# ---------------------------------------------------------------- the trigger message that cannot be put
def test_a_full_initiation_queue_sends_the_trigger_message_to_the_dead_letter_queue(
    lab, qm, define, watch, mqsc, fields
):
    define(qm, "TRIGTYPE(EVERY) TRIGDATA('hint')")
    mqsc(qm, "DEFINE QLOCAL(DLQ) DEFPRTY(4)", "ALTER QMGR DEADQ(DLQ)", "ALTER QLOCAL(INIT) MAXDEPTH(1)")
    with watch(qm) as monitor:
        qm.put("WORK", b"1")
        lab.advance(3723.45)
        qm.put("WORK", b"2")
        dead, fits = qm.get("DLQ"), monitor.get()
    assert (dead.format, dead.persistent, dead.expiry, dead.priority) == ("MQDEAD", False, -1, 4)
    header = b"DLH " + struct.pack("<ii", 1, 2053) + b"INIT".ljust(48) + b"QM1".ljust(48)
    header += struct.pack("<ii", 546, 1208) + b"MQTRIG  " + struct.pack("<i", 7)
    header += b"QM1".ljust(28) + b"2025010610020345"
    assert (len(header), dead.body[:172], dead.body[172:]) == (172, header, fits.body)
    assert fields(dead.body[172:])["TriggerData"].rstrip() == b"hint"
    [refused] = lab.events.where(kind="put", object="INIT", reason=2053)
    assert lab.events[refused.cause].kind == "trigger"


@cases(
    "init, dlq, reason, refused_by",
    ("MAXDEPTH(0)", "", 2053, None),
    ("MAXMSGL(100)", "", 2030, None),
    ("MAXDEPTH(0)", "MAXDEPTH(0)", 2053, "DLQ"),
    ("MAXDEPTH(0)", "PUT(DISABLED)", 2053, "DLQ"),
)
def test_a_trigger_message_that_no_dead_letter_queue_takes_is_lost_and_the_put_works(
    lab, qm, init, dlq, reason, refused_by, define, watch, mqsc
):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, f"ALTER QLOCAL(INIT) {init}", f"DEFINE QLOCAL(DLQ) {dlq}", f"ALTER QMGR DEADQ({'DLQ' if dlq else ' '!r})")
    with watch(qm):
        qm.put("WORK", b"x")
    [lost] = lab.events.where(kind="lost")
    assert (lost.reason, lost.object, lost.rule) == (reason, refused_by, "MQI-30")
    assert (qm.depth("WORK"), qm.depth("DLQ")) == (1, 0)


@pytest.mark.parametrize("length", [683, 684])
def test_a_trigger_message_too_long_for_the_initiation_queue_is_dead_lettered(qm, length, define, watch, mqsc):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)", f"ALTER QLOCAL(INIT) MAXMSGL({length})")
    with watch(qm):
        qm.put("WORK", b"x")
    assert (qm.depth("INIT"), qm.depth("DLQ")) == ((1, 0) if length == 684 else (0, 1))


def test_a_dead_letter_queue_that_triggers_into_a_full_queue_does_not_go_round(lab, qm, define, watch, mqsc):
    define(qm, "TRIGTYPE(EVERY)", name="DLQ")
    mqsc(qm, "ALTER QMGR DEADQ(DLQ)", "ALTER QLOCAL(INIT) MAXDEPTH(0)")
    with watch(qm):
        qm.put("DLQ", b"x")
    assert qm.depth("DLQ") == 1, "its trigger message is discarded, and not put where it would trigger"


def test_an_initiation_queue_that_triggers_into_itself_does_not_go_round(qm, define, watch, mqsc):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "ALTER QLOCAL(INIT) TRIGGER TRIGTYPE(EVERY) PROCESS(P) INITQ(INIT)")
    with watch(qm):
        qm.put("WORK", b"x")
        assert qm.depth("INIT") == 2


def test_a_trigger_message_held_on_a_queue_that_is_retuned_still_counts_once(qm, define, watch, mqsc):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "DEFINE QLOCAL(INIT2)", "ALTER QLOCAL(INIT) TRIGGER TRIGTYPE(FIRST) PROCESS(P) INITQ(INIT2)")
    with watch(qm), qm.unit_of_work() as uow:
        uow.put("WORK", b"x")
        mqsc(qm, "ALTER QLOCAL(INIT) TRIGMPRI(1)", "ALTER QLOCAL(INIT) TRIGMPRI(0)")
        assert qm.targets["INIT"].trigger.qualifying == 1


@pytest.mark.rule("EXP-24")
def test_trigger_messages_do_not_age_unless_capexpry_says_so(lab, define, watch, mqsc):
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


@pytest.mark.parametrize("body", [b"", b"TM  ", b"TM  " + b"\xff" * 680, b"XX  " + b" " * 680])
def test_what_is_no_trigger_message_goes_to_the_dead_letter_queue(lab, qm, body, define, mqsc):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, "DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)")
    monitor = qm.trigger_monitor("INIT")
    qm.put("INIT", body)
    lab.run()
    dead = qm.get("DLQ")
    assert (struct.unpack("<i", dead.body[8:12]), dead.body[172:], monitor.state) == ((266,), body, "running")


def test_the_program_knows_what_started_it_and_the_log_leads_back_to_the_put(lab, qm, define):
    define(qm, "TRIGTYPE(FIRST) TRIGDATA('hint')")
    seen = []
    qm.program("server", lambda app, trigger: (seen.append(trigger), app.get(trigger.queue)))
    qm.trigger_monitor("INIT")
    lab.run()
    message = qm.put("WORK", b"x")
    lab.run()
    assert seen == [("WORK", "P", "hint", 6, "server", "env &", "user data")]
    [row] = [row for row in lab.events.where(kind="program", program="server") if row.facts["state"] == "started"]
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
    "TRG-08": ("", "INIT is not open for input"),
    "TRG-03": ("ALTER QLOCAL(WORK) TRIGTYPE(DEPTH) TRIGDPTH(4)", "TRIGDPTH is 4"),
    "TRG-11": ("", "TRIGINT is 999999999"),
    "TRG-14": ("ALTER QLOCAL(WORK) MSGDLVSQ(FIFO) DEFPRTY(3) TRIGMPRI(4)", "DEFPRTY(3)"),
}


@pytest.mark.rule("TRG-08", "TRG-09", "TRG-10", event=False)
@pytest.mark.parametrize("broken", WHY)
def test_why_not_triggered_names_the_condition_that_fails_and_its_fact(lab, broken, define, watch, declined, mqsc):
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
        qm.open("INIT", browse=True, output=True)  # no monitor
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
