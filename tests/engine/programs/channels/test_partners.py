"""Servers and requesters, several partners of one channel, several hops, and messages that go round."""

import pytest

from helpers import cases, refusal
from mqlab import Lab, RunawayTrigger

SERVER = "CHLTYPE(SVR) XMITQ(QM2)"


def requesting(net, one: str, two: str):
    """Replace TO.QM2 by a channel of these two definitions."""
    for name, definition in (("QM1", one), ("QM2", two)):
        net.at(name, f"DELETE CHANNEL(TO.QM2)\nDEFINE CHANNEL(TO.QM2) {definition}")
    return net


@pytest.mark.rule("CHL-08")
@cases(
    "one, states",
    (SERVER, ["BINDING", "RUNNING"]),  # sends over the session of the requester
    (f"{SERVER} CONNAME(QM2)", ["BINDING", "RUNNING"]),
    ("CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)", ["INITIALIZING", "BINDING", "RUNNING"]),  # calls back
)
@pytest.mark.parametrize("latency", [0.0, 0.1])
def test_a_requester_is_served(lab, pair, one, states, latency):
    net = requesting(pair(latency=latency), one, "CHLTYPE(RQSTR) CONNAME(QM1)")
    net.put("a")
    net.at("QM2", "START CHANNEL(TO.QM2)")
    lab.advance(2)
    assert net.states() == states
    assert "REQUESTING" in net.states("QM2")
    assert (net.got(), net.channel().state, net.channel("QM2").state) == (["a"], "RUNNING", "RUNNING")
    assert net.two.mqsc("START CHANNEL(TO.QM2)").replies[0].code == "AMQ9514E"
    lab.cut("QM1", "QM2")
    lab.advance(1)
    assert net.channel("QM2").state == "INACTIVE", "a requester does not try again"


@pytest.mark.parametrize("one", [SERVER, "CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)"])
def test_a_requester_can_be_stopped_and_started_again(lab, pair, one):
    net = requesting(pair(latency=0.1), one, "CHLTYPE(RQSTR) CONNAME(QM1)")
    net.at("QM2", "START CHANNEL(TO.QM2)")
    lab.advance(2)
    net.at("QM2", "STOP CHANNEL(TO.QM2)")
    lab.advance(1)
    assert "STOPPED" in net.states("QM2")
    net.at("QM1", "STOP CHANNEL(TO.QM2) STATUS(INACTIVE)")
    net.put("a")
    net.at("QM2", "START CHANNEL(TO.QM2)")
    lab.advance(2)
    assert (net.got(), net.channel("QM2").state) == (["a"], "RUNNING")


@pytest.mark.parametrize("seconds", [0, 0.05, 0.15])
def test_a_requester_stopped_while_it_asks(lab, pair, seconds):
    net = requesting(pair(latency=0.1), SERVER, "CHLTYPE(RQSTR) CONNAME(QM1)")
    net.at("QM2", "START CHANNEL(TO.QM2)")
    lab.advance(seconds)
    net.at("QM2", "STOP CHANNEL(TO.QM2)")
    lab.advance(1)
    assert (net.channel("QM2").state, net.channel().state) == ("STOPPED", "INACTIVE")


def test_a_server_waits_for_its_requester_and_some_requests_nobody_answers(lab, pair):
    net = requesting(pair(), SERVER, "CHLTYPE(RQSTR) CONNAME(QM1)")
    net.at("QM1", "ALTER QLOCAL(QM2) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)")
    assert net.one.mqsc("START CHANNEL(TO.QM2)").replies[0].code == "AMQ9502E"
    net.put("a")
    lab.advance(10)
    assert (net.channel().state, net.got()) == ("INACTIVE", [])
    net.at("QM2", "START CHANNEL(TO.QM2)")
    lab.advance(1)
    assert net.got() == ["a"]
    net = requesting(pair(Lab()), "CHLTYPE(RCVR)", "CHLTYPE(RQSTR) CONNAME(QM1)")
    net.at("QM2", "START CHANNEL(TO.QM2)")
    net.lab.advance(1)
    assert (net.channel("QM2").state, "AMQ9547E" in net.because("QM2")) == ("INACTIVE", True)
    net.one.stop()
    net.at("QM2", "START CHANNEL(TO.QM2)")
    net.lab.advance(1)
    assert (net.channel("QM2").state, "AMQ9202E" in net.because("QM2")) == ("INACTIVE", True)


@pytest.mark.parametrize("two", ["CHLTYPE(RCVR)", "CHLTYPE(RQSTR) CONNAME(QM1)"])
def test_a_server_with_an_address_calls(pair, two):
    net = requesting(pair(), f"{SERVER} CONNAME(QM2)", two)
    net.put("a")
    net.start(seconds=1)
    assert (net.channel().state, net.got()) == ("RUNNING", ["a"])


@pytest.mark.rule("CHL-03")
def test_one_receiver_called_from_two_partners_counts_each_by_itself(lab, pair):
    net = pair()
    three = lab.queue_manager("QM3")
    lab.link("QM3", "QM2")
    assert three.mqsc("""
        DEFINE QLOCAL(QM2) USAGE(XMITQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)
        START CHANNEL(TO.QM2)
        """).ok
    net.start()
    net.put("a", "b")
    three.put("ORDERS@QM2", b"c", persistent=True)
    lab.advance(1)
    counted = {partner: channel.sequence for (name, partner), channel in net.two.channels.items() if name == "TO.QM2"}
    assert (counted, sorted(net.got())) == ({"QM1": 2, "QM3": 1}, ["a", "b", "c"])
    net.at("QM2", "STOP CHANNEL(TO.QM2)")
    lab.advance(1)
    assert {channel.state for channel in net.two.channels.values() if channel.name == "TO.QM2"} == {"STOPPED"}


@pytest.mark.rule("EXP-25", "EXP-03")
def test_a_message_over_two_hops_is_one_message(lab, pair):
    net = pair(latency=0.1)
    three = lab.queue_manager("QM3")
    lab.link("QM2", "QM3", latency=0.1)
    net.at("QM1", "DEFINE QREMOTE(FAR) RNAME(Q) RQMNAME(QM3) XMITQ(QM2)")
    net.at("QM2", "DEFINE QLOCAL(QM3) USAGE(XMITQ)\nDEFINE CHANNEL(TO.QM3) CHLTYPE(SDR) CONNAME(QM3) XMITQ(QM3)")
    assert three.mqsc("DEFINE QLOCAL(Q)\nDEFINE CHANNEL(TO.QM3) CHLTYPE(RCVR)").ok
    put = net.one.connect("WEB", user="ann").put("FAR", b"x", persistent=True, expiry=600, priority=3, format="MQSTR")
    net.start()
    net.at("QM2", "START CHANNEL(TO.QM3)")
    lab.advance(3)
    got = three.get("Q")
    assert (got.msg_id, got.number, got.priority, got.format, got.expiry) == (put.msg_id, put.number, 3, "MQSTR", 572)
    assert (got.user, got.put_appl_name, got.put_time) == ("ann", "WEB", put.put_time)
    assert len({row.message for row in lab.events.where(kind="put") if row.object != "SYSTEM.CHANNEL.SYNCQ"}) == 1


def going_round(net, **options):
    """A message for QM9, which each of the two queue managers takes to be at the other."""
    net.at("QM1", "DEFINE QREMOTE(QM9) RNAME('') RQMNAME(QM9) XMITQ(QM2)")
    net.at("QM2", "DEFINE QREMOTE(QM9) RNAME('') RQMNAME(QM9) XMITQ(QM1)")
    net.start()
    return net.one.put("Q@QM9", b"x", **options).number


def test_a_message_that_goes_round_ages_and_ends(lab, pair):
    net = pair(latency=0.5)
    net.two.mqsc("START CHANNEL(TO.QM1)")
    lab.advance(10)
    number = going_round(net, expiry=20)
    lab.advance(9)
    hops = [row.qmgr for row in lab.events.where(kind="put", message=number)]
    assert (hops[:8], len(hops) < 20) == (["QM1", "QM2"] * 4, True)
    net.stop(seconds=9)
    net.start(seconds=9)
    assert [row.rule for row in lab.events.where(kind="discard", message=number)] == ["EXP-12"]


def test_a_message_that_goes_round_at_one_moment_is_found_out(pair):
    net = pair(Lab(moment_limit=2_000))
    going_round(net, persistent=True)
    refusal(RunawayTrigger, "", net.lab.run)
    net.lab.cut("QM1", "QM2")
    net.lab.run()
