"""The dead-letter handler: what becomes of messages, when, in which unit of work, and which rule says so."""

import json

import pytest

from helpers import cases, lab_error, made, refusal
from mqlab import LabError, MQError
from mqlab.engine.queues.message import Message
from mqlab.engine.words.because import because
from mqlab.engine.words.headers import MQDLH

EXPIRATION = 0x0020_0000


def decisions(lab):
    """The handler's decisions in order: rule and detail."""
    return [(row.rule, json.loads(row.detail)) for row in lab.events.where(kind="handler")]


@pytest.mark.rule("DLQ-02")
def test_retry_puts_a_message_where_it_was_going_as_it_was(lab, qm, bury):
    sent = bury(b"hello", priority=7, persistent=True, expiry=100, correl_id=b"C", report=0x100, reply_to_q="REPLIES")
    lab.advance(3)
    qm.dead_letter_handler("ACTION(RETRY)")
    lab.run()
    got = qm.get("WORK")
    assert (got.body, got.format, got.expiry, got.priority, got.persistent) == (b"hello", "MQSTR", 70, 7, True)
    assert (got.msg_id, got.correl_id, got.report, qm.depth("DLQ")) == (sent.msg_id, sent.correl_id, 0x100, 0)
    [(rule, said)] = decisions(lab)
    assert (rule, said["to"], said["attempt"], said["line"]) == ("DLQ-02", "WORK", 1, 1)
    get, put = lab.events.where(kind=("get", "put"), program="RUNMQDLQ")
    decision = lab.events.where(kind="handler")[0].seq
    assert get.uow == put.uow is not None
    assert (put.cause, lab.events.where(kind="commit", uow=put.uow)[0].cause) == (decision, decision)


@pytest.mark.rule("DLQ-02")
def test_what_is_left_of_the_lifetime_goes_on_ageing_where_it_is_put(lab, qm, bury):
    bury(expiry=50)
    lab.advance(2)
    qm.dead_letter_handler("ACTION(RETRY)")
    lab.run()
    lab.advance(3)
    refusal(MQError, "2033", qm.get, "WORK")


@pytest.mark.rule("DLQ-01", "DLQ-02")
def test_retry_is_tried_every_retryint_seconds_so_many_times_and_then_the_next_rule(lab, qm, bury):
    qm.put("SMALL", b"full")
    bury(queue="SMALL")
    qm.dead_letter_handler("RETRYINT(10)\nACTION(RETRY) RETRY(3)\nDESTQ(SMALL) ACTION(FWD) FWDQ(MANUAL) HEADER(NO)")
    lab.run()
    tries = lab.events.where(kind="handler", rule="DLQ-02")
    assert [row.time_us for row in tries] == [0, 10_000_000, 20_000_000]
    assert [json.loads(row.detail)["attempt"] for row in tries] == [1, 2, 3]
    refusals = lab.events.where(kind="put", reason=2053)
    assert [row.cause for row in refusals] == [row.seq for row in tries]
    [gave_up] = lab.events.where(kind="handler", rule="DLQ-01")
    why = {"case": "handler-refused", "reason": 2053, "name": "MQRC_Q_FULL"}
    assert json.loads(gave_up.detail) == {"line": 2, "action": "RETRY", "failed": 3, "why": why}
    assert (gave_up.cause, qm.depth("DLQ"), qm.depth("SMALL")) == (tries[-1].seq, 0, 1)
    got = qm.get("MANUAL")
    assert (got.body, got.backout_count) == (b"data", 0)
    assert [row.time_us for row in lab.events.where(kind="restore")] == [0, 10_000_000, 20_000_000]


@pytest.mark.rule("DLQ-02")
def test_a_retry_succeeds_once_there_is_room(lab, qm, bury):
    qm.put("SMALL", b"full")
    bury(queue="SMALL")
    qm.dead_letter_handler("RETRYINT(10)\nREASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(3)")
    lab.advance(15)
    assert qm.depth("DLQ") == 1
    qm.get("SMALL")
    lab.advance(4)
    assert qm.depth("DLQ") == 1
    lab.advance(1)
    assert (qm.depth("DLQ"), qm.get("SMALL").body) == (0, b"data")


@pytest.mark.rule("DLQ-03")
@pytest.mark.parametrize(("header", "format"), [("", "MQDEAD"), ("HEADER(YES)", "MQDEAD"), ("HEADER(NO)", "MQSTR")])
def test_forward_keeps_the_header_or_strips_it(lab, qm, bury, header, format):
    bury(b"x", expiry=50)
    qm.dead_letter_handler(f"ACTION(FWD) FWDQ(MANUAL) {header}")
    lab.run()
    got = qm.get("MANUAL")
    assert (got.format, got.expiry) == (format, 50)
    body = got.body
    if format == "MQDEAD":
        said = MQDLH.unpack(body)
        assert (said.reason, said.queue, said.format) == (2053, "WORK", "MQSTR")
        body = body[MQDLH.LENGTH :]
    assert body == b"x"


@pytest.mark.rule("DLQ-03")
@cases(
    "rule, queue",
    ("FWDQ(&DESTQ)", "WORK"),
    ("FWDQ(&DESTQ) FWDQM(&DESTQM)", "WORK"),
    ("FWDQ(&REPLYQ) FWDQM(&REPLYQM)", "REPLIES"),
    ("FWDQ(MANUAL) FWDQM(QM1)", "MANUAL"),
    ("FWDQ(MANUAL) FWDQM(' ')", "MANUAL"),
)
def test_forward_takes_names_from_the_message(lab, qm, bury, rule, queue):
    bury(at="QM1", reply_to_q="REPLIES")
    qm.dead_letter_handler(f"ACTION(FWD) {rule}")
    lab.run()
    assert (qm.depth("DLQ"), qm.depth(queue)) == (0, 1)


@cases(
    "rule, why",
    ("FWDQ(NOWHERE)", "2085"),
    ("FWDQ(&REPLYQ)", "2085"),
    ("FWDQ(DLQ)", "must not be DLQ"),
    ("FWDQ(MANUAL) FWDQM(QM2)", "QM2|2087"),
)
def test_what_fails_stays_on_the_dead_letter_queue(lab, qm, bury, rule, why):
    sent = bury(b"x")
    qm.dead_letter_handler(f"ACTION(FWD) {rule}")
    lab.run()
    assert [name for name, _ in decisions(lab)] == ["DLQ-03", "DLQ-01", "DLQ-05"]
    said = because(decisions(lab)[1][1])
    assert any(part in said for part in why.split("|"))
    assert (qm.depth("DLQ"), qm.depth("MANUAL")) == (1, 0)
    still = qm.browse("DLQ")
    assert (still.msg_id, still.body, still.format) == (sent.msg_id, sent.body, "MQDEAD")


@pytest.mark.rule("DLQ-04")
def test_discard_deletes(lab, qm, bury):
    bury(reason=2051)
    bury(reason=2053)
    qm.dead_letter_handler("REASON(MQRC_PUT_INHIBITED) ACTION(DISCARD)")
    lab.run()
    assert (qm.depth("DLQ"), MQDLH.unpack(qm.get("DLQ").body).reason) == (1, 2053)


@pytest.mark.rule("DLQ-05")
def test_what_no_rule_matches_stays_and_is_told_of_once(lab, qm, bury):
    bury(queue="A")
    bury(queue="B")
    qm.put("DLQ", b"no header here")
    qm.dead_letter_handler("RETRYINT(10)\nDESTQ(A) ACTION(IGNORE)\nDESTQ(A) ACTION(DISCARD)")
    lab.advance(65)
    assert qm.depth("DLQ") == 3
    whys = [because(said) for rule, said in decisions(lab) if rule == "DLQ-05"]
    assert len(whys) == len(decisions(lab)) == 3
    assert (whys[0], whys[1]) == ("the rule of line 2", "no rule is left that matches")
    assert whys[2].startswith("MQDLH must be")


@pytest.mark.rule("DLQ-01")
def test_the_first_rule_that_matches_is_followed_even_if_a_later_one_says_more(lab, qm, bury):
    bury()
    qm.dead_letter_handler("ACTION(FWD) FWDQ(SMALL)\nREASON(2053) DESTQ(WORK) ACTION(DISCARD)")
    qm.put("SMALL", b"full")
    lab.run()
    assert [rule for rule, _ in decisions(lab)] == ["DLQ-03", "DLQ-01", "DLQ-04"]
    bury()
    qm.get("SMALL")
    lab.run()
    assert (qm.depth("DLQ"), qm.depth("SMALL")) == (0, 1)


def test_a_message_that_is_refused_does_not_hold_up_the_others(lab, qm, bury):
    bury(b"1", queue="NOWHERE")
    bury(b"2")
    bury(b"3", priority=9)
    qm.dead_letter_handler("ACTION(RETRY) RETRY(2)")
    lab.advance(1)
    assert (qm.depth("DLQ"), [qm.get("WORK").body for _ in range(2)]) == (1, [b"3", b"2"])


def test_a_running_handler_serves_each_message_as_it_arrives_and_commits(lab, qm, bury):
    handler = qm.dead_letter_handler("ACTION(RETRY)")
    lab.advance(100)
    bury(b"1")
    lab.advance(0)
    assert qm.get("WORK").body == b"1"
    unit = qm.unit_of_work()
    unit.put("DLQ", MQDLH.pack(2053, "WORK", "", "", "X", lab.now) + b"2", format="MQDEAD")
    lab.advance(100)
    assert qm.depth("WORK") == 0
    unit.commit()
    lab.advance(0)
    assert qm.get("WORK").body == b"2"
    handler.stop()
    bury(b"3")
    lab.run()
    assert (handler.state, qm.depth("DLQ")) == ("ended", 1)


def test_a_handler_ends_with_its_queue_manager_and_leaves_nothing_half_done(lab, qm, bury):
    bury(queue="NOWHERE", persistent=True)
    handler = qm.dead_letter_handler("RETRYINT(10)\nACTION(RETRY) RETRY(9)")
    lab.advance(15)
    qm.stop()
    qm.start()
    lab.run()
    assert (handler.state, qm.depth("DLQ"), qm.units, qm.status("DLQ")["IPPROCS"]) == ("ended", 1, {}, 0)


@pytest.mark.parametrize("when", ["before it starts", "while it waits", "between two attempts"])
def test_a_handler_whose_queue_cannot_be_read_ends(lab, qm, bury, when):
    bury(queue="NOWHERE", persistent=True)
    if when == "before it starts":
        assert qm.mqsc("ALTER QLOCAL(DLQ) GET(DISABLED)").ok
    handler = qm.dead_letter_handler(f"RETRYINT(10)\nACTION(RETRY) RETRY({1 if when == 'while it waits' else 9})")
    lab.advance(5)
    assert qm.mqsc("ALTER QLOCAL(DLQ) GET(DISABLED)").ok
    lab.advance(60)
    assert (handler.state, qm.depth("DLQ"), qm.units, qm.status("DLQ")["IPPROCS"]) == ("ended", 1, {}, 0)
    assert [row.reason for row in lab.events.where(program="RUNMQDLQ") if row.reason][-1] == 2016


@pytest.mark.rule("EXP-36")
def test_the_handler_discards_what_has_expired_with_its_report(lab, qm, bury):
    lost = bury(b"late", expiry=20, report=3 * EXPIRATION, reply_to_q="REPLIES")
    bury(b"quiet", expiry=20)
    lab.advance(5)
    qm.dead_letter_handler("ACTION(RETRY)")
    lab.run()
    assert (qm.depth("DLQ"), qm.depth("WORK")) == (0, 0)
    rows = lab.events.where(kind="discard")
    wanted = [("EXP-36", "RUNMQDLQ", lost.number), ("EXP-36", "RUNMQDLQ", lost.number + 1)]
    assert [(row.rule, row.program, row.message) for row in rows] == wanted
    report = qm.get("REPLIES")
    assert (report.msg_type, report.feedback, report.correl_id, report.body) == (4, 258, lost.msg_id, lost.body[:100])
    assert (qm.depth("REPLIES"), decisions(lab)) == (0, [])


@pytest.mark.rule("EXP-36")
def test_a_message_that_expires_between_two_attempts_is_discarded_at_the_next(lab, qm, bury):
    qm.put("SMALL", b"full")
    bury(queue="SMALL", expiry=150, report=EXPIRATION, reply_to_q="REPLIES")
    qm.dead_letter_handler("RETRYINT(10)\nACTION(RETRY) RETRY(5)")
    lab.run()
    assert [row.time_us for row in lab.events.where(kind="discard")] == [20_000_000]
    assert (qm.depth("DLQ"), qm.depth("REPLIES")) == (0, 1)


@pytest.mark.rule("EXP-36")
def test_what_no_rule_moves_is_met_again_every_retryint_and_discarded_when_it_has_expired(lab, qm, bury):
    bury(expiry=150)
    qm.dead_letter_handler("RETRYINT(10)\nACTION(IGNORE)")
    lab.advance(19)
    assert qm.depth("DLQ") == 1
    lab.advance(1)
    assert qm.depth("DLQ") == 0


@pytest.mark.parametrize(("wait", "ends"), [("NO", 0), ("30", 30), ("YES", None)])
def test_wait_says_when_the_handler_ends(lab, qm, bury, wait, ends):
    bury(queue="NOWHERE")
    handler = qm.dead_letter_handler(f"WAIT({wait})\nACTION(RETRY)")
    lab.run(max_seconds=1000)
    assert handler.state == ("running" if ends is None else "ended")
    if ends is not None:
        assert lab.events.where(kind="program", program="RUNMQDLQ")[-1].time_us == ends * 1_000_000


def test_a_handler_that_does_not_wait_still_finishes_its_attempts(lab, qm, bury):
    qm.put("SMALL", b"full")
    bury(queue="SMALL")
    handler = qm.dead_letter_handler("WAIT(NO) RETRYINT(10)\nACTION(RETRY) RETRY(3)")
    lab.advance(19)
    assert handler.state == "running"
    lab.advance(1)
    assert handler.state == "ended"


def test_work_that_arrives_in_time_lets_the_handler_wait_anew(lab, qm, bury):
    handler = qm.dead_letter_handler("WAIT(30)\nACTION(RETRY)")
    lab.advance(20)
    bury()
    lab.advance(29)
    assert (handler.state, qm.depth("WORK")) == ("running", 1)
    lab.advance(1)
    assert handler.state == "ended"


def test_it_serves_the_queue_that_inputq_names(lab, qm, bury):
    bury(on="MANUAL")
    bury()
    qm.dead_letter_handler("INPUTQ(MANUAL) INPUTQM(QM1)\nACTION(RETRY)")
    lab.run()
    assert (qm.depth("MANUAL"), qm.depth("DLQ"), qm.depth("WORK")) == (0, 1, 1)


@cases(
    "text, error, said",
    ("ACTION(MOVE)", LabError, "line 1"),
    ("INPUTQM(QM2)\nACTION(RETRY)", LabError, "INPUTQM must be QM1"),
    ("INPUTQ(NOWHERE)\nACTION(RETRY)", MQError, "2085"),
)
def test_a_handler_that_cannot_run_does_not_start(lab, qm, bury, text, error, said):
    bury()
    refusal(error, said, qm.dead_letter_handler, text)
    assert (qm.programs_running, qm.depth("DLQ"), lab.events.where(kind="program")) == ([], 1, [])


def test_without_a_dead_letter_queue_there_is_nothing_to_handle(lab):
    qm = made("ALTER QMGR DEADQ(' ')", of=lab)
    lab_error("INPUTQ must be", qm.dead_letter_handler, "ACTION(RETRY)")


def test_the_replayed_state_is_the_state(lab, qm, bury):
    qm.put("SMALL", b"full")
    for queue in ("SMALL", "WORK", "NOWHERE"):
        bury(queue=queue, expiry=5000)
    qm.dead_letter_handler("RETRYINT(10)\nACTION(RETRY) RETRY(2)\nDESTQ(SMALL) ACTION(FWD) FWDQ(MANUAL)")
    lab.run()
    assert {q.name: q.depth for q in qm.queues if q.depth} == {
        name: queue.depth for (_, name), queue in lab.state().queues.items() if queue.depth
    }
    assert qm.depth("DLQ") == 1


def test_an_explanation_tells_what_the_handler_did(lab, qm, bury):
    number = bury(queue="NOWHERE").number
    qm.dead_letter_handler("ACTION(RETRY)")
    lab.run()
    told = lab.explain(number)
    assert "RUNMQDLQ checked it on DLQ: line 1, action RETRY, attempt 1, of 1, to NOWHERE" in told
    assert "because 2085 MQRC_UNKNOWN_OBJECT_NAME  [DLQ-01 The first rule that matches]" in told


@pytest.mark.skipif(not hasattr(Message, "context"), reason="messages carry no context")
def test_rules_can_ask_for_the_context_of_a_message(lab, qm):
    body = MQDLH.pack(2053, "WORK", "", "", "X", lab.now)
    for program, user in (("PAYROLL", "ann"), ("BILLING", "bob")):
        qm.connect(program, user=user).put("DLQ", body + program.encode(), format="MQDEAD")
    qm.dead_letter_handler("APPLNAME(PAY*) USERID('ann') APPLTYPE(MQAT_UNIX) ACTION(RETRY)")
    lab.run()
    assert (qm.get("WORK").body, qm.depth("DLQ")) == (b"PAYROLL", 1)
