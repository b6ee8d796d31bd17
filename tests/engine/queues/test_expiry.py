"""Message expiry on one queue manager: the rules EXP-* of the rule book. Times are seconds; expiry is in tenths."""

import pytest

from helpers import cases, mq_error, reason
from mqlab import constants as mq

EXPIRATION, WITH_DATA = mq.MQRO_EXPIRATION, mq.MQRO_EXPIRATION_WITH_DATA


def discarded(lab):
    """Bodies do not reach the log, so: the numbers of the messages discarded, in order."""
    return [event.message for event in lab.events.where(kind="discard")]


@pytest.mark.rule("EXP-01")
def test_a_put_without_expiry_never_expires_and_one_of_50_tenths_expires_after_5_seconds(lab, qm):
    qm.put("ORDERS", b"forever")
    qm.put("ORDERS", b"five seconds", expiry=50, priority=9)
    lab.advance(4.9)
    assert qm.browse("ORDERS").body == b"five seconds"
    lab.advance(0.1)
    assert qm.browse("ORDERS").body == b"forever"
    lab.advance(400 * 86400)
    message = qm.get("ORDERS")
    assert (message.body, message.expiry) == (b"forever", -1)


@pytest.mark.rule("EXP-02", event=False)
def test_an_expired_message_stays_on_its_queue(lab, qm):
    number = qm.put("ORDERS", b"x", expiry=10).number
    before = len(lab.events)
    lab.advance(3600)
    assert qm.depth("ORDERS") == 1
    assert len(lab.events) == before, "the clock passing a deadline is not an event"
    state = lab.state()
    assert state.expired("QM1", "ORDERS") == 1
    assert state.queue("QM1", "ORDERS").messages[number].expired(state.time_us)
    assert "it has expired, and it still counts" in lab.explain(number)


@pytest.mark.rule("EXP-07")
@pytest.mark.parametrize(("waited", "left"), [(0, 50), (1, 40), (4.89, 2), (4.95, 1), (4.999999, 1)])
def test_what_is_left_is_returned_and_is_never_zero(lab, qm, waited, left):
    qm.put("ORDERS", b"x", expiry=50)
    lab.advance(waited)
    assert (qm.browse("ORDERS").expiry, qm.get("ORDERS").expiry) == (left, left)


@pytest.mark.rule("EXP-08")
def test_a_selective_get_discards_only_what_it_would_have_returned(lab, qm):
    other = qm.put("ORDERS", b"other", expiry=10, correl_id="OTHER").number
    mine = qm.put("ORDERS", b"mine", expiry=10, correl_id="MINE").number
    lab.advance(2)
    assert reason(qm.get, "ORDERS", correl_id="NOBODY") == 2033
    assert lab.events[-1].rule == "EXP-08", "2033 that passes an expired message by names the rule"
    assert (qm.depth("ORDERS"), discarded(lab), reason(qm.get, "ORDERS", correl_id="MINE")) == (2, [], 2033)
    assert (qm.depth("ORDERS"), discarded(lab), reason(qm.browse, "ORDERS")) == (1, [mine], 2033)
    assert discarded(lab) == [mine, other]


@pytest.mark.rule("EXP-09")
def test_fifo_discards_what_expired_ahead_of_the_first_live_message_and_no_other(lab, qm):
    first = [qm.put("FIFO", b"E", expiry=10, priority=priority).number for priority in (1, 9)]
    qm.put("FIFO", b"live")
    qm.put("FIFO", b"E3", expiry=10, priority=5)
    lab.advance(2)
    assert (qm.get("FIFO").body, discarded(lab), qm.depth("FIFO")) == (b"live", first, 1)
    assert {event.rule for event in lab.events.where(kind="discard")} == {"EXP-09"}


@pytest.mark.rule("EXP-10")
def test_priority_discards_higher_and_earlier_of_equal_priority_and_leaves_lower(lab, qm):
    puts = ("low", 1, 10), ("earlier", 5, 10), ("live", 5, -1), ("later", 5, 10), ("high", 9, 10)
    numbers = {name: qm.put("ORDERS", name, expiry=left, priority=priority).number for name, priority, left in puts}
    lab.advance(2)
    assert (qm.get("ORDERS").body, discarded(lab)) == (b"live", [numbers["high"], numbers["earlier"]])
    left = lab.state().queue("QM1", "ORDERS").messages
    assert set(left) == {numbers["low"], numbers["later"]}


@pytest.mark.rule("EXP-11")
def test_an_expired_message_is_never_returned(lab, qm):
    for call in (qm.get, qm.browse):
        qm.put("ORDERS", b"x", expiry=10)
        lab.advance(1)
        assert (reason(call, "ORDERS"), qm.depth("ORDERS")) == (2033, 0)


@pytest.mark.rule("EXP-13")
@cases(
    "option, data",
    (EXPIRATION, b""),
    (WITH_DATA, bytes(range(100))),
    (mq.MQRO_EXPIRATION_WITH_FULL_DATA, bytes(range(200))),
)
def test_one_report_of_the_strength_asked_for(lab, qm, option, data):
    about = {"report": option, "reply_to_q": "REPLIES", "correl_id": "C", "format": "MQSTR"}
    put = qm.put("ORDERS", bytes(range(200)), expiry=10, priority=4, persistent=True, **about)
    lab.advance(1)
    assert reason(qm.get, "ORDERS") == 2033
    report = qm.get("REPLIES")
    assert (report.body, report.feedback, report.msg_type) == (data, mq.MQFB_EXPIRATION, mq.MQMT_REPORT)
    assert (report.correl_id, report.priority, report.persistent) == (put.msg_id, 4, True)
    assert (report.expiry, report.report, report.format, report.reply_to_q) == (-1, 0, "MQSTR", "")
    assert (report.reply_to_qmgr, report.msg_id != put.msg_id, qm.depth("REPLIES")) == ("QM1", True, 0)


def test_no_option_no_report(lab, qm):
    qm.put("ORDERS", b"x", expiry=10, reply_to_q="REPLIES")
    lab.advance(1)
    assert (reason(qm.get, "ORDERS"), qm.depth("REPLIES")) == (2033, 0)


@pytest.mark.rule("EXP-14")
def test_in_a_unit_of_work_the_lifetime_starts_at_the_put(lab, qm):
    with qm.unit_of_work() as uow:
        number = uow.put("ORDERS", b"x", expiry=10).number
        lab.advance(2)
    assert (qm.depth("ORDERS"), reason(qm.get, "ORDERS")) == (1, 2033)
    [discard] = lab.events.where(kind="discard")
    assert (discard.message, discard.rule) == (number, "EXP-14")


@pytest.mark.parametrize("queue", ["NOWHERE", "SMALL"])
def test_a_report_that_cannot_be_put_is_a_refused_row_and_the_get_goes_on(lab, qm, queue):
    for _ in range(2):
        qm.put("SMALL", b"full")
    qm.put("ORDERS", b"x", expiry=10, report=EXPIRATION, reply_to_q=queue)
    qm.put("ORDERS", b"live")
    lab.advance(1)
    assert qm.get("ORDERS").body == b"live"
    [refused] = lab.events.where(kind="report")
    assert (refused.reason, refused.message) == (2085 if queue == "NOWHERE" else 2053, None)
    assert lab.events[refused.cause].kind == "discard"


@pytest.mark.rule("EXP-15")
@pytest.mark.parametrize("expiry", [0, -2, -999])
def test_no_lifetime_below_one_tenth_but_unlimited(lab, qm, expiry):
    assert reason(qm.put, "ORDERS", b"x", expiry=expiry, report=EXPIRATION, reply_to_q="REPLIES") == 2013
    assert (qm.depth("ORDERS"), qm.depth("REPLIES")) == (0, 0)
    with qm.open("ORDERS", output=True) as handle:
        assert reason(handle.put, b"x", expiry=expiry) == 2013


@pytest.mark.rule("EXP-17")
def test_a_queue_full_of_expired_messages_is_full(lab, qm):
    qm.put("SMALL", b"1", expiry=10)
    qm.put("SMALL", b"2", expiry=10)
    assert reason(qm.put, "SMALL", b"3") == 2053
    assert lab.events[-1].rule == "MQI-09", "nothing has expired yet"
    lab.advance(1)
    caught = mq_error(qm.put, "SMALL", b"3")
    assert (caught.reason, caught.rule, caught.facts["expired but still counted"]) == (2053, "EXP-17", 2)
    assert reason(qm.browse, "SMALL") == 2033
    qm.put("SMALL", b"3")


@pytest.mark.rule("EXP-18")
def test_the_report_is_sent_at_the_discard_not_at_the_deadline(lab, qm):
    qm.put("ORDERS", b"x", expiry=10, report=EXPIRATION, reply_to_q="REPLIES")
    lab.advance(60)
    assert (qm.depth("REPLIES"), reason(qm.get, "ORDERS")) == (0, 2033)
    report = qm.get("REPLIES")
    assert report.put_time == lab.now
    [row] = lab.events.where(kind="report")
    assert (row.rule, lab.events[row.cause].kind) == ("EXP-18", "discard")


@pytest.mark.rule("EXP-19")
def test_discard_and_report_stay_when_the_get_is_backed_out(lab, qm):
    gone = qm.put("ORDERS", b"gone", expiry=10, report=EXPIRATION, reply_to_q="REPLIES").number
    kept = qm.put("ORDERS", b"kept").number
    lab.advance(2)
    with qm.unit_of_work() as uow:
        assert uow.get("ORDERS").number == kept
        uow.backout()
    assert (discarded(lab), qm.depth("REPLIES"), qm.get("ORDERS").number) == ([gone], 1, kept)
    assert {event.rule for event in lab.events.where(kind=("discard", "report"))} == {"EXP-19"}


@pytest.mark.rule("EXP-20")
def test_a_message_backed_out_late_has_expired_before_it_can_be_got_again(lab, qm):
    qm.put("ORDERS", b"x", expiry=15)
    lab.advance(1)
    with qm.unit_of_work() as uow:
        assert uow.get("ORDERS").expiry == 5
        lab.advance(1)
        uow.backout()
    assert (qm.depth("ORDERS"), reason(qm.get, "ORDERS")) == (1, 2033)
    assert [event.rule for event in lab.events.where(kind=("restore", "discard"))] == ["EXP-20", "EXP-20"]


def test_the_cause_of_a_discard_is_the_call_that_met_it(lab, qm):
    reader = qm.connect("READER")
    qm.put("ORDERS", b"x", expiry=10)
    lab.advance(2)
    assert reason(reader.get, "ORDERS") == 2033
    [discard] = lab.events.where(kind="discard")
    call = lab.events[discard.cause]
    assert (call.kind, call.reason, call.program, discard.program) == ("get", 2033, "READER", "READER")


def test_a_waiting_get_discards_when_it_begins_and_waits_on(lab, qm):
    qm.put("ORDERS", b"x", expiry=10)
    lab.advance(2)
    began = lab.now_us
    assert reason(qm.get, "ORDERS", wait=5) == 2033
    assert lab.now_us == began + 5_000_000
    [discard] = lab.events.where(kind="discard")
    assert (discard.time_us, lab.events[discard.cause].kind) == (began, "wait")
