"""Lifetimes on the way: transmission queues, flights, and the agents that discard what has expired."""

import pytest

from mqlab import Lab
from mqlab import constants as mq
from mqlab.engine.words.headers import MQXQH

EXPIRATION = mq.MQRO_EXPIRATION


@pytest.mark.rule("EXP-03", "EXP-25")
@pytest.mark.parametrize("persistent", [True, False])
def test_a_lifetime_counts_down_on_the_transmission_queue_and_on_the_destination(lab, pair, persistent):
    net = pair()
    net.put("x", expiry=100, persistent=persistent)
    lab.advance(3)
    net.start(seconds=0)
    lab.advance(2)
    assert net.two.get("ORDERS").expiry == 50
    [put] = lab.events.where(kind="put", object="ORDERS")
    assert (put.rule, put.expiry_left, put.put_us, put.arrived_us) == ("EXP-03", 70, 0, 3_000_000)


@pytest.mark.rule("EXP-03", "EXP-04")
def test_a_flight_is_counted_or_free(pair):
    for seconds, counted in ((0.5, True), (2.25, True), (2.25, False)):
        net = pair(Lab(), latency=seconds, counts_flight=counted)
        net.start(seconds=10)
        net.put("x", expiry=100)
        net.lab.advance(seconds)
        [put] = net.lab.events.where(kind="put", object="ORDERS")
        assert (put.rule, put.expiry_left) == (("EXP-04", 100 - int(seconds * 10)) if counted else ("EXP-03", 100))


@pytest.mark.rule("EXP-36", "EXP-18")
@pytest.mark.parametrize(("strength", "length"), [(1, 0), (3, 100), (7, 150)])
@pytest.mark.parametrize("persistent", [True, False])
def test_expired_in_flight_is_discarded_by_the_receiving_agent_with_its_report(lab, pair, strength, length, persistent):
    net = pair(latency=2, counts_flight=True)
    net.start(seconds=20)
    at = lab.now_us
    message = net.put("b" * 150, expiry=10, persistent=persistent, report=strength * EXPIRATION, reply_to_q="REPLIES")
    lab.advance(60)
    [gone] = lab.events.where(kind="discard", message=message.number)
    assert (gone.qmgr, gone.program, gone.rule, gone.time_us - at) == ("QM2", "TO.QM2", "EXP-36", 2_000_000)
    report = net.one.get("REPLIES")
    assert (report.feedback, report.correl_id, len(report.body)) == (mq.MQFB_EXPIRATION, message.msg_id, length)
    assert (net.got(), net.channel().indoubt) == ([], None)
    assert not lab.events.where(reason=mq.MQRC_EXPIRY_ERROR), "the agent does not even try to put it"


@pytest.mark.rule("EXP-36")
def test_expired_while_the_receiver_tries_again(lab, pair):
    net = pair(rcvr="MRRTY(10) MRTMR(1000)")
    net.at("QM2", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    net.put("x", expiry=25, report=EXPIRATION, reply_to_q="REPLIES")
    net.put("y")
    net.start(seconds=2.9)
    assert net.channel("QM2").state == "PAUSED"
    lab.advance(0.2)
    [gone] = lab.events.where(kind="discard")
    assert (gone.time_us, gone.rule) == (3_000_000, "EXP-36")
    net.at("QM2", "ALTER QLOCAL(ORDERS) PUT(ENABLED)")
    lab.advance(5)
    assert (net.got(), net.one.depth("REPLIES")) == (["y"], 1)


@pytest.mark.rule("EXP-12")
@pytest.mark.parametrize("there", [True, False], ids=["reply queue here", "reply queue at QM2"])
def test_expired_on_the_transmission_queue_is_discarded_by_the_sending_agent(lab, pair, there):
    net = pair()
    net.at("QM2", "DEFINE QLOCAL(REPLIES)")
    to = {} if there else {"reply_to_qmgr": "QM2"}
    message = net.put("late", expiry=20, report=3 * EXPIRATION, reply_to_q="REPLIES", correl_id="C", **to)
    net.put("live")
    lab.advance(5)
    assert net.one.depth("QM2") == 2
    net.start(seconds=1)
    [gone] = lab.events.where(kind="discard")
    assert (gone.qmgr, gone.object, gone.program, gone.rule) == ("QM1", "QM2", "TO.QM2", "EXP-12")
    assert (gone.message, gone.time_us) == (message.number, 5_000_000)
    report = (net.one if there else net.two).get("REPLIES")
    assert (report.feedback, report.correl_id, report.body) == (mq.MQFB_EXPIRATION, message.msg_id, b"late")
    assert (report.reply_to_qmgr, report.put_appl_name, net.got()) == ("QM1", "QM1", ["live"])


@pytest.mark.rule("EXP-12")
def test_the_report_of_the_sending_agent_travels_over_another_channel(lab, pair):
    net = pair()
    three = lab.queue_manager("QM3")
    lab.link("QM1", "QM3", latency=0.1)
    net.at("QM1", "DEFINE QLOCAL(QM3) USAGE(XMITQ)\nDEFINE CHANNEL(TO.QM3) CHLTYPE(SDR) CONNAME(QM3) XMITQ(QM3)")
    assert three.mqsc("DEFINE QLOCAL(REPLIES)\nDEFINE CHANNEL(TO.QM3) CHLTYPE(RCVR)").ok
    net.put("late", expiry=20, report=EXPIRATION, reply_to_q="REPLIES", reply_to_qmgr="QM3")
    lab.advance(5)
    net.start(seconds=1)
    net.at("QM1", "START CHANNEL(TO.QM3)")
    lab.advance(1)
    assert (three.get("REPLIES").feedback, net.got()) == (mq.MQFB_EXPIRATION, [])


@pytest.mark.rule("EXP-36")
def test_an_inner_lifetime_that_has_expired_ends_at_the_receiver(lab, pair):
    """Level 5.3 lets an application put lifetimes that differ; the outer one is unlimited."""
    net = pair()
    net.put("x", expiry=20)
    body = net.one.get("QM2").body
    net.one.put("QM2", MQXQH.with_expiry(body, 20), persistent=True, format="MQXMIT")
    lab.advance(5)
    net.start(seconds=1)
    assert ([(row.qmgr, row.rule) for row in lab.events.where(kind="discard")], net.got()) == ([("QM2", "EXP-36")], [])


@pytest.mark.rule("EXP-20", "EXP-12", "CHL-06", "EXP-03")
def test_expired_while_in_doubt_and_backed_out_or_committed_after_all(pair):
    for seconds, arrived, rules in ((0.25, 0, ["EXP-20", "EXP-12"]), (0.35, 1, [])):
        net = pair(Lab(), latency=0.1)
        net.put("x", expiry=20, report=EXPIRATION, reply_to_q="REPLIES")
        net.start(seconds=seconds)
        net.lab.cut("QM1", "QM2")
        net.lab.advance(10)
        assert net.one.depth("REPLIES") == 0, "nobody can discard what is in doubt"
        net.lab.restore("QM1", "QM2")
        net.lab.advance(10)
        assert (net.two.depth("ORDERS"), net.one.depth("REPLIES")) == (arrived, 1 - arrived)
        assert net.channel().indoubt is None
        assert [row.rule for row in net.lab.events.where(object="QM2", kind=("restore", "discard"))] == rules


@pytest.mark.rule("EXP-23")
def test_a_dead_letter_at_the_far_end_goes_on_ageing_and_caps_apply_to_agents(lab, pair):
    net = pair(rcvr="MRRTY(0)")
    net.at("QM2", "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)")
    net.put("x", queue="NOWHERE", expiry=100)
    lab.advance(3)
    net.start(seconds=2)
    assert net.two.browse("SYSTEM.DEAD.LETTER.QUEUE").expiry == 50
    net = pair(Lab(), level=940)
    net.at("QM2", "ALTER QLOCAL(ORDERS) CAPEXPRY(30)")
    net.put("x")
    net.start(seconds=1)
    assert net.two.browse("ORDERS").expiry == 20
