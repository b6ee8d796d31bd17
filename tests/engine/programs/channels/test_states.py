"""The states of a channel: started, stopped, tried again, ended for want of work, started again by a trigger."""

import pytest

from helpers import cases, for_each
from mqlab import Lab
from mqlab import constants as mq

RETRY_TWICE = "SHORTRTY(1) SHORTTMR(5) LONGRTY(1) LONGTMR(20)"


# ---------------------------------------------------------------- start and stop
@pytest.mark.rule("CHL-08", "CHL-02", "CHL-03", "CHL-01", "NET-01")
def test_a_started_channel_runs_and_moves_what_is_there(lab, pair):
    net = pair(latency=0.1)
    net.put("a", "b")
    net.start(seconds=1)
    assert net.states() == ["INITIALIZING", "BINDING", "RUNNING"]
    assert (net.states("QM2"), net.got(), net.one.depth("QM2")) == (["BINDING", "RUNNING"], ["a", "b"], 0)
    got, put = lab.events.where(kind="get", object="QM2")[0], lab.events.where(kind="put", object="ORDERS")[0]
    assert (got.rule, put.rule, got.program, put.program) == ("CHL-02", "CHL-03", "TO.QM2", "TO.QM2")
    assert put.time_us - got.time_us == 100_000
    sends, receives = net.channel(), net.channel("QM2")
    assert (sends.messages, sends.remote, sends.waiting, receives.messages) == (2, "QM2", True, 2)


@pytest.mark.rule("CHL-08")
@for_each("mode", ["QUIESCE", "FORCE", "TERMINATE"])
@for_each("state", ["STOPPED", "INACTIVE"])
def test_stop_in_each_mode_ends_in_the_state_asked_for(pair, mode, state):
    net = pair(Lab(), latency=0.01)
    net.start(seconds=1)
    net.stop(f"MODE({mode}) STATUS({state})", seconds=1)
    assert (net.channel().state, net.channel("QM2").state) == (state, "INACTIVE")
    net.put("x")
    net.start(seconds=1)
    assert net.got() == ["x"]


@for_each("seconds", [None, 0, 0.05, 0.15, 0.25, 0.35, 0.5])
@for_each("mode", ["QUIESCE", "FORCE"])
def test_stopped_while_it_is_starting_or_moving(pair, mode, seconds):
    net = pair(Lab(), latency=0.1)
    net.put("x")
    net.start(seconds=seconds)
    net.stop(f"MODE({mode})", seconds=1)
    assert net.channel().state == "STOPPED"
    net.start(seconds=2)
    assert net.got() == ["x"]


def test_quiesce_does_not_wait_for_the_batch_interval_and_lets_a_batch_finish(pair):
    net = pair(sdr="BATCHINT(900000)")
    net.put("x")
    net.start(seconds=1)
    net.stop(seconds=1)
    assert (net.channel().state, net.got()) == ("STOPPED", ["x"])
    net = pair(Lab(), sdr="BATCHINT(2000)", latency=0.01)
    net.put("x")
    net.start(seconds=1)
    net.at("QM2", "STOP CHANNEL(TO.QM2)")
    assert (net.channel("QM2").state, net.got()) == ("RUNNING", [])
    net.lab.advance(2)
    assert (net.channel("QM2").state, net.got()) == ("STOPPED", ["x"])


def test_a_receiver_that_waits_is_stopped_at_once_and_refuses_until_it_is_started(pair):
    net = pair(latency=0.01)
    net.start(seconds=1)
    net.at("QM2", "STOP CHANNEL(TO.QM2)")
    assert net.channel("QM2").state == "STOPPED"
    net.lab.advance(6)
    assert net.channel().state == "RETRYING"
    assert "AMQ9558E" in net.because()
    net.at("QM2", "START CHANNEL(TO.QM2)")
    net.lab.advance(6)
    assert net.channel().state == "RUNNING"


@pytest.mark.rule("CHL-10")
def test_force_ends_a_receiver_that_is_paused(lab, pair):
    net = pair(rcvr="MRTMR(60000)")
    net.at("QM2", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    net.put("x")
    net.start(seconds=1)
    assert net.channel("QM2").state == "PAUSED"
    net.at("QM2", "STOP CHANNEL(TO.QM2) MODE(FORCE)")
    assert net.channel("QM2").state == "STOPPED"
    lab.advance(1)
    assert (net.channel().state, net.channel().indoubt is not None) == ("RETRYING", True)
    net.at("QM2", "ALTER QLOCAL(ORDERS) PUT(ENABLED)\nSTART CHANNEL(TO.QM2)")
    lab.advance(5)
    assert net.got() == ["x"]


# ---------------------------------------------------------------- retries
@pytest.mark.rule("CHL-09")
def test_short_retries_then_long_ones_then_stopped_and_the_queue_disabled(lab, pair):
    net = pair(sdr=RETRY_TWICE, trigger=True)
    lab.cut("QM1", "QM2")
    net.put("x")
    lab.advance(60)
    entered = [(r.time_us // 1_000_000, d["state"]) for r, d in net.rows(kind="channel", qmgr="QM1") if "was" in d]
    tried = [(at, state) for at, state in entered if state in ("RETRYING", "STOPPED")]
    assert tried == [(0, "RETRYING"), (5, "RETRYING"), (25, "STOPPED")]
    definition = net.one.objects.get("QLOCAL", "QM2").attributes
    assert (definition["GET"], definition["TRIGGER"]) == ("DISABLED", False)
    lab.restore("QM1", "QM2")
    net.put("y")
    lab.advance(100)
    assert (net.channel().state, net.got()) == ("STOPPED", []), "an operator has to start it"
    net.start(seconds=1)
    assert (net.got(), definition["GET"], definition["TRIGGER"]) == (["x", "y"], "ENABLED", True)


@pytest.mark.rule("CHL-09")
def test_the_retries_are_given_back_once_messages_have_moved(lab, pair):
    net = pair(sdr="SHORTRTY(2) SHORTTMR(5) LONGRTY(0)")
    lab.cut("QM1", "QM2")
    net.start(seconds=6)
    assert net.channel().short_left == 0
    lab.restore("QM1", "QM2")
    lab.advance(5)
    assert (net.channel().state, net.channel().short_left) == ("RUNNING", 0)
    net.put("x")
    lab.advance(1)
    assert net.channel().short_left == 2


def test_nothing_is_tried_for_ever_and_without_an_initiator_nothing_again(lab, pair):
    net = pair(sdr="SHORTRTY(2) SHORTTMR(5) LONGRTY(0)", rcvr="MRRTY(0)")
    net.put("x", queue="NOWHERE")
    net.start(seconds=30)
    assert net.channel().state == "STOPPED"
    assert "AMQ9544E" in net.because()
    assert net.one.depth("QM2") == 1
    net = pair(Lab())
    net.one.channel_initiator.stop()
    net.lab.cut("QM1", "QM2")
    net.start(seconds=30)
    assert net.channel().state == "INACTIVE"


@pytest.mark.rule("CHL-09")
def test_a_channel_whose_time_came_while_no_initiator_ran_is_tried_when_there_is_one(lab, pair):
    net = pair()
    lab.cut("QM1", "QM2")
    net.start(seconds=1)
    net.one.channel_initiator.stop()
    lab.restore("QM1", "QM2")
    lab.advance(30)
    assert net.channel().state == "RETRYING"
    net.at("QM1", "START CHINIT")
    lab.advance(1)
    assert net.channel().state == "RUNNING"


def test_a_channel_that_was_retrying_when_its_queue_manager_ended_is_tried_after_the_restart(lab, pair):
    net = pair()
    lab.cut("QM1", "QM2")
    net.put("x")
    net.start(seconds=1)
    net.one.stop()
    lab.restore("QM1", "QM2")
    lab.advance(30)
    net.one.start()
    lab.advance(6)
    assert net.got() == ["x"]


@pytest.mark.parametrize("when", ["before it began", "while it runs"])
def test_a_channel_and_the_initiator_of_a_queue_manager_that_ends_can_start_again(lab, pair, when):
    net = pair(trigger=True)
    net.start(seconds=None if when == "before it began" else 1)
    net.one.stop()
    assert net.channel().state == "INACTIVE"
    net.one.start()
    net.put("x")
    lab.advance(1)
    assert (net.channel().state, net.got()) == ("RUNNING", ["x"])


# ---------------------------------------------------------------- what keeps a channel from running
@cases(
    "commands, code",
    ("ALTER QLOCAL(QM2) USAGE(NORMAL)", "AMQ9531E"),
    ("DELETE QLOCAL(QM2)", "AMQ9509E"),
    ("ALTER QLOCAL(QM2) GET(DISABLED)", "AMQ9549E"),
    ("DELETE QLOCAL(QM2)\nDEFINE QALIAS(QM2) TARGET(REPLIES)", "AMQ9531E"),
    ("ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) SEQWRAP(1000)", "AMQ9505E"),
)
def test_what_is_wrong_at_the_sending_end(pair, commands, code):
    net = pair()
    net.at("QM1", commands)
    net.start(seconds=1)
    assert net.channel().state == "RETRYING"
    assert code in net.because()


@cases(
    "commands, code",
    ("DELETE CHANNEL(TO.QM2)", "AMQ9520E"),
    ("DELETE CHANNEL(TO.QM2)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM1) XMITQ(QM1)", "AMQ9547E"),
    ("ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) PUT(DISABLED)", "2051"),
    ("DELETE QLOCAL(SYSTEM.CHANNEL.SYNCQ)", "2085"),
    ("ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) MAXDEPTH(0)", "2053"),
)
def test_what_is_wrong_at_the_receiving_end(lab, pair, commands, code):
    net = pair(latency=0.05)
    net.at("QM2", commands)
    net.put("x")
    net.start(seconds=1)
    assert (net.channel().state, net.got(), net.one.depth("QM2")) == ("RETRYING", [], 1)
    assert code in net.because()
    assert net.channel().indoubt is None


def test_an_application_or_a_second_channel_on_one_transmission_queue(pair):
    net = pair()
    handle = net.one.open("QM2", input="shared")
    net.start(seconds=1)
    assert net.channel().state == "RETRYING"
    assert "2042" in net.because()
    handle.close()
    net.lab.advance(5)
    assert net.channel().state == "RUNNING"
    assert not net.one.mqsc("DELETE QLOCAL(QM2)").ok
    net = pair(Lab())
    net.at("QM1", "DEFINE CHANNEL(ALSO) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)")
    net.at("QM2", "DEFINE CHANNEL(ALSO) CHLTYPE(RCVR)")
    net.put("x")
    net.start()
    net.at("QM1", "START CHANNEL(ALSO)")
    net.lab.advance(1)
    assert (net.channel().state, net.channel(called="ALSO").state, net.got()) == ("RUNNING", "RETRYING", ["x"])


@pytest.mark.parametrize("what", ["GET(DISABLED)", "DELETE"])
def test_gets_disabled_under_a_running_channel(pair, what):
    net = pair()
    net.start(seconds=1)
    net.at("QM1", "ALTER QLOCAL(QM2) GET(DISABLED)")
    net.lab.advance(1)
    assert net.channel().state == "RETRYING"
    if what == "DELETE":
        net.at("QM1", "DELETE QLOCAL(QM2)\nDEFINE QLOCAL(QM2) USAGE(XMITQ)")
    else:
        net.at("QM1", "ALTER QLOCAL(QM2) GET(ENABLED)")
    net.put("x")
    net.lab.advance(5)
    assert net.got() == ["x"]


def test_an_address_that_nobody_has(pair):
    net = pair()
    net.at("QM1", "ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('nowhere(1414)')")
    net.at("QM2", "DELETE CHANNEL(TO.QM2)")
    net.start(seconds=1)
    assert net.channel().state == "RETRYING"
    assert "AMQ9202E" in net.because()
    assert net.one.mqsc("STOP CHANNEL(TO.QM2)\nPING CHANNEL(TO.QM2)").replies[1].code == "AMQ9202E"
    net.lab.address("nowhere(1414)", "QM2")
    net.at("QM2", "DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR)")
    assert net.one.mqsc("PING CHANNEL(TO.QM2)").ok
    net.start(seconds=1)
    assert net.channel().state == "RUNNING"


# ---------------------------------------------------------------- started by triggering
@pytest.mark.rule("CHL-15", "CHL-16")
def test_an_idle_channel_ends_after_the_disconnect_interval_and_a_message_starts_it_again(lab, pair):
    net = pair(sdr="DISCINT(30)", trigger=True)
    net.put("x")
    lab.advance(20)
    net.put("y")
    lab.advance(29)
    assert net.channel().state == "RUNNING"
    lab.advance(2)
    assert (net.channel().state, net.channel("QM2").state) == ("INACTIVE", "INACTIVE")
    net.put("z")
    lab.advance(1)
    assert (net.channel().state, net.got()) == ("RUNNING", ["x", "y", "z"])
    net.lab.run()


@pytest.mark.rule("CHL-16")
def test_the_channel_trap(lab, pair):
    """The network is down at the first message; a later one does not trigger. Only the retry brings the channel up."""
    net = pair(trigger=True)
    lab.advance(1)
    lab.cut("QM1", "QM2")
    net.put("x")
    lab.advance(1)
    assert net.channel().state == "RETRYING"
    net.stop()
    lab.restore("QM1", "QM2")
    net.put("y")
    lab.advance(3600)
    fired = [told["fired"] for _, told in net.rows(kind="trigger", object="QM2")]
    assert (net.channel().state, net.got(), fired) == ("STOPPED", [], [True, False])
    net.start(seconds=1)
    assert net.got() == ["x", "y"]


@pytest.mark.rule("CHL-16")
@cases(
    "trigdata, userdata, started",
    ("TO.QM2", "OTHER", True),
    ("", "TO.QM2", True),
    ("", "", True),
    ("NOWHERE", "TO.QM2", False),
    ("TO.QM1", "", False),  # a receiver
)
def test_which_channel_a_trigger_message_starts(lab, pair, trigdata, userdata, started):
    net = pair()
    trigger = f"TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ) PROCESS(P) TRIGDATA('{trigdata}')"
    net.at("QM1", f"DEFINE PROCESS(P) USERDATA('{userdata}')\nALTER QLOCAL(QM2) {trigger}")
    lab.advance(1)
    net.put("x")
    lab.advance(1)
    assert net.got() == (["x"] if started else [])
    assert net.one.channel_initiator is not None


def test_the_initiator_dead_letters_what_is_no_trigger_message_and_ends_with_its_queue(lab, pair):
    net = pair(trigger=True)
    net.at("QM1", "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)")
    lab.advance(1)
    net.one.put("SYSTEM.CHANNEL.INITQ", b"not an MQTM")
    lab.advance(1)
    assert net.one.depth("SYSTEM.DEAD.LETTER.QUEUE") == 1
    net.put("x")
    lab.advance(1)
    assert net.got() == ["x"]
    net = pair(Lab())
    net.lab.advance(1)
    net.at("QM1", "ALTER QLOCAL(SYSTEM.CHANNEL.INITQ) GET(DISABLED)")
    net.lab.advance(1)
    assert net.one.channel_initiator is None
    net.at("QM1", "ALTER QLOCAL(SYSTEM.CHANNEL.INITQ) GET(ENABLED)\nSTART CHINIT")
    net.lab.advance(1)
    assert net.one.channel_initiator is not None
    assert mq.MQRC_GET_INHIBITED in [row.reason for row in net.lab.events.where(program="CHANNEL.INITIATOR")]
