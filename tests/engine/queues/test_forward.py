"""Forwarding: the time a program holds a message comes off its lifetime, or makes it live longer (EXP-05, EXP-36)."""

import json

import pytest

from helpers import cases, lab_error, refusal
from mqlab import LabError, MQError

EXPIRATION = 0x0020_0000


@pytest.mark.rule("EXP-05")
@pytest.mark.parametrize(("deduct", "left", "word"), [(True, 50, "deducted"), (False, 80, "extended")])
def test_the_time_a_message_was_held_comes_off_or_extends_its_life(lab, qm, deduct, left, word):
    app = qm.connect("ROUTER")
    sent = qm.put("ORDERS", b"x", expiry=100, priority=7, persistent=True, correl_id=b"C", format="MQSTR")
    lab.advance(2)
    got = app.get("ORDERS")
    lab.advance(3)
    put = app.forward(got, "FIFO", deduct=deduct)
    assert put.expiry == left
    [row] = lab.events.where(kind="forward")
    assert json.loads(row.detail) == {"held": 30, word: 30}
    assert (row.rule, row.program, row.message, row.expiry_left) == ("EXP-05", "ROUTER", sent.number, 50)
    assert lab.events.where(kind="put", object="FIFO")[0].cause == row.seq
    arrived = qm.browse("FIFO")
    assert (arrived.body, arrived.priority, arrived.persistent, arrived.format) == (b"x", 7, True, "MQSTR")
    assert (arrived.msg_id, arrived.correl_id) == (sent.msg_id, sent.correl_id)
    lab.advance((left - 1) / 10)
    assert qm.browse("FIFO").expiry == 1
    lab.advance(0.1)
    refusal(MQError, "2033", qm.get, "FIFO")


@pytest.mark.rule("EXP-36")
def test_a_message_that_expired_in_the_program_s_hands_is_discarded_with_its_report(lab, qm):
    app = qm.connect("ROUTER")
    sent = qm.put("ORDERS", b"x", expiry=20, report=EXPIRATION, reply_to_q="REPLIES")
    got = app.get("ORDERS")
    lab.advance(2)
    assert app.forward(got, "FIFO") is None
    [row] = lab.events.where(kind="discard")
    assert (row.rule, row.program, row.message) == ("EXP-36", "ROUTER", sent.number)
    report = qm.get("REPLIES")
    assert (report.feedback, report.correl_id, report.put_time) == (258, sent.msg_id, lab.now)
    assert lab.events.where(kind="report")[0].cause == row.seq
    assert (qm.depth("FIFO"), lab.state().queues["QM1", "FIFO"].depth) == (0, 0)


def test_an_unlimited_message_has_nothing_to_deduct(lab, qm):
    qm.put("ORDERS", b"x")
    got = qm.get("ORDERS")
    lab.advance(60)
    assert (qm.forward(got, "FIFO").expiry, lab.events.where(kind="forward")) == (-1, [])


def test_forwarding_belongs_to_the_unit_of_work_it_is_given(lab, qm):
    qm.put("ORDERS", b"x", expiry=100)
    unit = qm.unit_of_work()
    got = unit.get("ORDERS")
    lab.advance(1)
    qm.forward(got, "FIFO", unit=unit)
    unit.backout()
    assert (qm.depth("ORDERS"), qm.depth("FIFO")) == (1, 0)
    with qm.unit_of_work() as unit:
        qm.forward(unit.get("ORDERS"), "FIFO", unit=unit)
    assert (qm.depth("ORDERS"), qm.get("FIFO").expiry) == (0, 90)


@cases(
    "arguments, error, said",
    (("NOWHERE",), MQError, "2085"),
    (("SMALL",), MQError, "2053"),
    (("FIFO", 1), LabError, "deduct must be True or False; got 1"),
    (("FIFO", True, "unit"), LabError, "unit must be"),
)
def test_a_wrong_call_changes_nothing(lab, qm, arguments, error, said):
    for _ in range(2):
        qm.put("SMALL", b"x")
    qm.put("ORDERS", b"x", expiry=100)
    app = qm.connect("ROUTER")
    got = app.get("ORDERS")
    before = {queue.name: queue.depth for queue in qm.queues}
    refusal(error, said, app.forward, got, *arguments)
    assert {queue.name: queue.depth for queue in qm.queues} == before
    assert app.cause is None
    lab_error("message must be", app.forward, "x", "FIFO")


def test_an_explanation_tells_by_how_much_a_life_was_extended(lab, qm):
    number = qm.put("ORDERS", b"x", expiry=100).number
    app = qm.connect("ROUTER")
    got = app.get("ORDERS")
    lab.advance(3)
    app.forward(got, "FIFO", deduct=False)
    told = "ROUTER forwarded it to FIFO: held 30, extended 30  [EXP-05 Time in a forwarding program]"
    assert told in lab.explain(number)
