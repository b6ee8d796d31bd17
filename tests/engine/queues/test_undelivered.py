"""What cannot be delivered: exception reports, dead-lettering, discarding; and the descriptor of every report."""

import pytest

from helpers import cases, lab_error, mq_error, reason
from mqlab import constants as mq
from mqlab.engine.queues.message import record_of
from mqlab.engine.queues.reports import DEAD_LETTERED, DISCARDED, EXPIRED, RETURNED, UNDELIVERED, Fate, give_up
from mqlab.engine.words.headers import MQDLH

EXCEPTION, DISCARD, PASS = mq.MQRO_EXCEPTION, mq.MQRO_DISCARD_MSG, mq.MQRO_PASS_DISCARD_AND_EXPIRY
DLQ = "SYSTEM.DEAD.LETTER.QUEUE"


@pytest.fixture
def qm(qm):
    assert qm.mqsc(f"ALTER QMGR DEADQ({DLQ})").ok
    return qm


@pytest.fixture
def server(qm):
    """An application that gets from ORDERS and rejects."""
    return qm.connect("SERVER", user="srv")


def asked(qm, report, body=b"b" * 200, **options):
    """Put a message with these report options to ORDERS, as WEB for bob, and get it as SERVER would."""
    web = qm.connect("WEB", user="bob")
    return web.put("ORDERS", body, report=report, reply_to_q="REPLIES", **options)


# ---------------------------------------------------------------- dispositions
@pytest.mark.rule("MQI-29", "EXP-23")
def test_a_rejected_message_is_dead_lettered_and_stays_itself(lab, qm, server):
    put = asked(qm, EXCEPTION, expiry=100, persistent=True, correl_id="C", format="MQSTR", priority=7)
    lab.advance(4)
    assert server.reject(server.get("ORDERS"), 2053) == Fate(DEAD_LETTERED, None, True)
    lab.advance(3)
    dead = qm.browse(DLQ)
    assert (dead.number, dead.msg_id, dead.correl_id, dead.put_us) == (put.number, put.msg_id, put.correl_id, 0)
    assert (dead.format, dead.priority, dead.persistent, dead.report) == ("MQDEAD", 7, True, EXCEPTION)
    assert (dead.expiry, dead.context[:5]) == (30, ("bob", bytes(32), "", 6, "WEB"))
    assert (dead.body[MQDLH.LENGTH :], dead.body[8:12]) == (b"b" * 200, (2053).to_bytes(4, "little"))
    assert (dead.body[12:60].rstrip(), dead.body[116:124]) == (b"ORDERS", b"MQSTR   ")
    report = qm.get("REPLIES")
    assert (report.feedback, report.correl_id, report.body) == (2053, put.msg_id, b"")
    assert lab.events.where(object=DLQ, kind="put")[0].rule == "EXP-23"
    lab.advance(3)
    mq_error(qm.get, DLQ)
    assert lab.events.where(object=DLQ, kind="discard")


@pytest.mark.rule("MQI-30")
@cases(
    "report, outcome, reports",
    (DISCARD, DISCARDED, 0),
    (DISCARD + EXCEPTION, DISCARDED, 1),
    (DISCARD + 7 * EXCEPTION, RETURNED, 1),
    (0, DEAD_LETTERED, 0),
    (7 * EXCEPTION, DEAD_LETTERED, 1),
)
def test_the_putter_says_what_becomes_of_it(lab, qm, server, report, outcome, reports):
    asked(qm, report)
    assert server.reject(server.get("ORDERS"), 2053).outcome == outcome
    assert (qm.depth("REPLIES"), qm.depth(DLQ)) == (reports, outcome == DEAD_LETTERED)
    assert lab.state().queue("QM1", DLQ).depth == qm.depth(DLQ)


@cases("break_it", "ALTER QMGR DEADQ(' ')", "ALTER QMGR DEADQ(NOWHERE)", f"ALTER QLOCAL({DLQ}) PUT(DISABLED)")
def test_without_a_dead_letter_queue_nothing_is_done_and_the_caller_decides(lab, qm, server, break_it):
    put = asked(qm, EXCEPTION)
    assert qm.mqsc(break_it).ok
    got = server.get("ORDERS")
    fate = server.reject(got, 2053)
    assert (fate.outcome, fate.refused in (2085, 2051)) == (UNDELIVERED, True)
    assert (fate.reported, qm.depth("REPLIES")) == (False, 0)
    assert give_up(server, record_of(got), 2053, "ORDERS").reported
    assert (lab.events.where(kind="lost")[-1].message, qm.get("REPLIES").feedback) == (put.number, 2053)


def test_it_is_done_in_the_unit_of_work_that_is_given(qm, server):
    asked(qm, EXCEPTION)
    unit = server.unit_of_work()
    server.reject(unit.get("ORDERS"), 2053, unit=unit)
    assert [row.reason for row in (mq_error(qm.get, DLQ), mq_error(qm.get, "REPLIES"))] == [2033, 2033]
    unit.backout()
    assert (qm.depth(DLQ), qm.depth("REPLIES"), qm.get("ORDERS").backout_count) == (0, 0, 1)
    unit = server.unit_of_work()
    asked(qm, EXCEPTION)
    server.reject(unit.get("ORDERS"), 2053, unit=unit)
    unit.commit()
    assert (qm.depth(DLQ), qm.depth("REPLIES")) == (1, 1)


def test_a_message_that_expired_in_the_programs_hands_is_discarded(lab, qm, server):
    asked(qm, mq.MQRO_EXPIRATION + EXCEPTION, expiry=10)
    got = server.get("ORDERS")
    lab.advance(2)
    assert server.reject(got, 2053).outcome == EXPIRED
    assert (qm.depth(DLQ), qm.get("REPLIES").feedback, qm.depth("REPLIES")) == (0, 258, 0)


def test_a_report_that_cannot_be_put_is_dead_lettered_as_what_it_is(qm, server):
    asked(qm, EXCEPTION + DISCARD)
    qm.mqsc("ALTER QLOCAL(REPLIES) PUT(DISABLED)")
    assert server.reject(server.get("ORDERS"), 2053) == Fate(DISCARDED)
    dead = qm.get(DLQ)
    assert (dead.msg_type, dead.feedback, dead.format) == (4, 2053, "MQDEAD")
    assert MQDLH.unpack(dead.body).reason == 2051


@pytest.mark.rule("MQI-30", event=False)
@cases("kind", mq.MQRO_COA, mq.MQRO_COD, mq.MQRO_EXPIRATION, EXCEPTION)
def test_a_report_that_inherits_discard_is_not_dead_lettered(lab, qm, kind):
    qm.mqsc("ALTER QLOCAL(REPLIES) PUT(DISABLED)")
    for options, left in ((DISCARD, 1), (PASS, 1), (PASS | DISCARD, 0)):
        put = asked(qm, kind | options, expiry=20)
        if kind == EXCEPTION:
            qm.reject(qm.get("ORDERS"), 2053)
        else:
            lab.advance(3 if kind == mq.MQRO_EXPIRATION else 0)
            qm.drain("ORDERS")
        reports = [each for each in qm.drain(DLQ) if each.msg_type == mq.MQMT_REPORT]
        assert len(reports) == left
    assert "discarded a message for REPLIES" in lab.explain(put)


def test_wrong_calls_of_reject(qm, server):
    got = asked(qm, 0)
    for wrong in (("x", 2053), (got, 0)):
        lab_error("", server.reject, *wrong)
    lab_error("", server.reject, got, 2053, unit=1)
    assert (qm.depth(DLQ), qm.depth("ORDERS")) == (0, 1)


def test_explain_tells_it(lab, qm, server):
    put = asked(qm, DISCARD)
    server.reject(server.get("ORDERS"), 2053)
    assert "SERVER could not deliver it to ORDERS and discarded it, as its report options ask" in lab.explain(put)


# ---------------------------------------------------------------- the descriptor of a report
def report_of(qm, kind, **options):
    """The MD of the report of one kind about a message put with these options, and that of the message."""
    put = asked(qm, kind, b"data", format="MQSTR", priority=6, persistent=True, **options)
    if kind & mq.MQRO_EXPIRATION:
        qm.lab.advance(10)
        mq_error(qm.get, "ORDERS")
    elif kind & mq.MQRO_COD:
        qm.get("ORDERS")
    elif kind & EXCEPTION:
        app = qm.connect("SERVER", user="srv")
        app.reject(app.get("ORDERS"), 2051)
    return qm.get("REPLIES").md, put.md


@cases(
    "kind, feedback, origin",
    (mq.MQRO_COA, 259, (7, "QM1")),
    (mq.MQRO_COA_WITH_FULL_DATA, 259, (7, "QM1")),
    (mq.MQRO_COD, 260, (7, "QM1")),
    (mq.MQRO_COD_WITH_DATA, 260, (7, "QM1")),
    (mq.MQRO_EXPIRATION, 258, (7, "QM1")),
    (EXCEPTION, 2051, (6, "SERVER")),
)
def test_every_field_of_a_report(qm, kind, feedback, origin):
    report, put = report_of(qm, kind, expiry=20)
    assert (report.MsgType, report.Feedback, report.Report) == (4, feedback, 0)
    assert (report.CorrelId, report.MsgId != put.MsgId, report.Expiry) == (put.MsgId, True, -1)
    for field in ("Version", "Encoding", "CodedCharSetId", "Format", "Priority", "Persistence"):
        assert getattr(report, field) == getattr(put, field), field
    assert (report.BackoutCount, report.ReplyToQ, report.ReplyToQMgr) == (0, "", "QM1")
    assert (report.UserIdentifier, report.AccountingToken, report.ApplIdentityData) == ("bob", bytes(32), "")
    assert (report.PutApplType, report.PutApplName, report.ApplOriginData) == (*origin, "")
    assert report.PutTime == ("09001000" if kind == mq.MQRO_EXPIRATION else "09000000")


def test_pass_options_of_a_report(qm):
    kind = mq.MQRO_COA | mq.MQRO_PASS_MSG_ID | mq.MQRO_PASS_CORREL_ID | PASS | DISCARD
    report, put = report_of(qm, kind, correl_id="C", expiry=50)
    assert (report.MsgId, report.CorrelId, report.Report, report.Expiry) == (put.MsgId, put.CorrelId, DISCARD, 50)
    assert report_of(qm, mq.MQRO_EXPIRATION | PASS, expiry=50)[0].Expiry == -1, "our reading"


def test_an_arrival_on_the_dead_letter_queue_is_not_confirmed(qm, server):
    asked(qm, mq.MQRO_COA | mq.MQRO_COD)
    assert qm.get("REPLIES").feedback == 259
    unit = server.unit_of_work()
    server.reject(unit.get("ORDERS"), 2053, unit=unit)
    unit.commit()
    assert qm.get("REPLIES").feedback == 260, "the get from ORDERS"
    qm.get(DLQ)
    assert qm.depth("REPLIES") == 0


@pytest.mark.rule("MQI-24")
def test_a_report_to_a_model_queue_is_dead_lettered_and_the_put_done(lab, qm):
    qm.mqsc("DEFINE QMODEL(MODEL)").require()
    qm.put("ORDERS", b"x", report=mq.MQRO_COA, reply_to_q="MODEL")
    assert (qm.depth("ORDERS"), qm.depth(DLQ)) == (1, 1)
    header = MQDLH.unpack(qm.get(DLQ).body)
    assert (header.reason, header.queue, reason(qm.reply, qm.browse("ORDERS"))) == (2057, "MODEL", 2057)
    assert [row.rule for row in lab.events.where(reason=2057)] == ["MQI-24", "MQI-24"]
