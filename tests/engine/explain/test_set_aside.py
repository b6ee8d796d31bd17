"""A message that MQ itself sets aside keeps its way, and its trail: reason, destination, and the row that led to it."""

import pytest

from helpers import for_each, lab_with, made, refusal, says
from mqlab import Lab
from mqlab import constants as mq
from mqlab.engine.words.headers import MQDLH

TRIGGERED = (
    "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(INITQ)\nDEFINE PROCESS(P) APPLICID('/opt/none')\n"
    "DEFINE QLOCAL(Q) TRIGGER TRIGTYPE(FIRST) PROCESS(P) INITQ(INITQ)"
)

TO_QM2 = "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(QM2) USAGE(XMITQ) MAXDEPTH(0)"


def triggered(change="", monitor=True):
    """A queue whose trigger message comes to a bad end: the lab, the queue manager, and the message that triggers."""
    lab, qm = lab_with(f"{TRIGGERED}\n{change}")
    if monitor:
        qm.trigger_monitor("INITQ")
        lab.advance(1)
    else:
        lab.keep = qm.connect("monitor").open("INITQ", input="shared")
    message = qm.put("Q", b"x")
    lab.advance(1)
    return lab, qm, message


def letter(qm):
    """The MQDLH of the first message on the dead-letter queue."""
    return MQDLH.unpack(qm.browse("DLQ").body)


@pytest.mark.rule("MQI-30")
@for_each(
    "change, monitor, reason",
    ("", True, mq.MQFB_APPL_CANNOT_BE_STARTED),
    ("ALTER PROCESS(P) APPLTYPE(MVS)", True, mq.MQFB_APPL_TYPE_ERROR),
    ("ALTER QLOCAL(INITQ) MAXMSGL(100)", False, mq.MQRC_MSG_TOO_BIG_FOR_Q),
    ("ALTER QLOCAL(INITQ) MAXDEPTH(0)", False, mq.MQRC_Q_FULL),
)
def test_the_trail_of_a_trigger_message_leads_to_its_end(change, monitor, reason):
    lab, qm, message = triggered(change, monitor)
    header = letter(qm)
    assert (header.reason, header.queue, header.qmgr) == (reason, "INITQ", "QM1")
    row = lab.events.where(object="DLQ", kind="put")[0]
    assert (row.facts["Reason"], row.facts["DestQName"], row.facts["DestQMgrName"]) == (reason, "INITQ", "QM1")
    if monitor:
        assert lab.events[row.cause].kind == "get"
    assert f"trigger message {row.message} on the dead-letter queue DLQ" in lab.explain(message)
    assert mq.code(reason) in lab.explain(row.message)
    first = str(qm.why_not_triggered("Q")).splitlines()[0]
    assert f"row {row.seq}" in first
    assert mq.code(reason) in first
    assert mq.code(reason) in str(lab.why_not_delivered(row.message))


def test_a_trigger_message_that_nobody_got_and_one_that_no_queue_took():
    lab, qm, message = triggered(monitor=False)
    assert "nobody has got it from INITQ" in str(qm.why_not_triggered("Q")).splitlines()[0]
    assert "trigger message" not in lab.explain(message)
    _, qm, _ = triggered("ALTER QMGR DEADQ(' ')\nALTER QLOCAL(INITQ) MAXDEPTH(0)", monitor=False)
    assert "discarded a message for INITQ: 2053" in qm.why_not_triggered("Q").last
    said = [each for each in qm.error_log() if each.id == "AMQ7305"]
    assert [each.inserts for each in said] == [{"ArithInsert1": 2053}]
    assert "INITQ" in said[0].text


def test_a_program_that_died_and_a_channel_that_is_not_named_are_said_first():
    lab, qm = lab_with(TRIGGERED.replace("/opt/none", "SERVER"))
    qm.programs["SERVER"] = lambda app, trigger: app.get("Q")
    qm.trigger_monitor("INITQ")
    qm.put("Q", b"x")
    lab.advance(1)
    assert qm.why_not_triggered("Q").last == ""
    qm.programs["SERVER"] = lambda app, trigger: 1 / 0
    qm.put("Q", b"y")
    refusal(Exception, "division", lab.advance, 1)
    assert "SERVER" in qm.why_not_triggered("Q").last
    lab, qm = lab_with(
        "DEFINE QLOCAL(X) USAGE(XMITQ) TRIGGER TRIGDATA(GONE) INITQ(SYSTEM.CHANNEL.INITQ)\n"
        "DEFINE QREMOTE(R) RNAME(T) RQMNAME(QM2) XMITQ(X)\n"
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(QM2) XMITQ(X)"
    )
    lab.advance(1)
    message = qm.put("R", b"x")
    lab.advance(1)
    assert "GONE" in qm.why_not_triggered("X").last
    assert "GONE" in lab.explain(message)


@pytest.mark.needs("pcf")
@pytest.mark.rule("PCF-02", event=False)
def test_a_request_leads_to_its_reply_on_the_dead_letter_queue():
    lab, qm = lab_with(TO_QM2)
    for options in (0, mq.MQRO_PASS_DISCARD_AND_EXPIRY | mq.MQRO_DISCARD_MSG):
        app = qm.connect("explorer")
        asked = {"msg_type": mq.MQMT_REQUEST, "format": "MQADMIN", "reply_to_q": "REP", "reply_to_qmgr": "QM2"}
        request = app.put("SYSTEM.ADMIN.COMMAND.QUEUE", b"not PCF", report=options, **asked)
        lab.advance(1)
        said = lab.explain(request)
        if options:
            assert qm.depth("DLQ") == 0
            assert "discarded a message for REP" in said
        else:
            assert (letter(qm).reason, letter(qm).queue, letter(qm).qmgr) == (2053, "REP", "QM2")
            says(said, "put reply", "2053 MQRC_Q_FULL at REP")
            qm.drain("DLQ")


@pytest.mark.needs("dead_letters")
def test_a_report_names_the_queue_manager_that_it_was_going_to_and_a_retry_goes_there():
    lab, qm = lab_with(f"{TO_QM2}\nDEFINE QLOCAL(Q)\nDEFINE QLOCAL(REP)")
    qm.put("Q", b"data", report=mq.MQRO_COA, reply_to_q="REP", reply_to_qmgr="QM2")
    assert (letter(qm).queue, letter(qm).qmgr) == ("REP", "QM2")
    qm.mqsc("ALTER QLOCAL(QM2) MAXDEPTH(5)").require()
    qm.dead_letter_handler("WAIT(NO)\nACTION(RETRY)")
    lab.advance(1)
    assert (qm.depth("REP"), qm.depth("QM2")) == (0, 1)


@pytest.mark.needs("pubsub")
def test_a_publication_names_the_queue_manager_of_its_subscription():
    qm = made(f"{TO_QM2}\nDEFINE SUB(S) TOPICSTR('t') DEST(FAR) DESTQMGR(QM2)")
    qm.publish("t", b"x")
    assert (letter(qm).reason, letter(qm).queue, letter(qm).qmgr) == (2053, "FAR", "QM2")


@pytest.mark.needs("pcf")
def test_a_lab_that_keeps_no_log_serves_commands_and_sets_messages_aside():
    lab = Lab(record=False)
    qm = made("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(INITQ)", of=lab)
    qm.trigger_monitor("INITQ")
    qm.put("INITQ", b"no trigger message")
    qm.put("SYSTEM.ADMIN.COMMAND.QUEUE", b"x", msg_type=mq.MQMT_REQUEST, reply_to_q="GONE", format="MQADMIN")
    lab.advance(1)
    assert qm.depth("DLQ") == 3
