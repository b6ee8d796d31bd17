"""Network and limits: listeners, ports, channels that are not there or stopped, and how many instances run."""

import pytest

from helpers import channel, reason
from mqlab.engine.words import constants as mq


@pytest.mark.rule("GAT-01")
def test_a_client_reaches_a_listener_of_its_port_over_a_link_that_is_up(gates):
    assert gates.tries(port=1414).client
    answer = gates.why("WRONG", port=1415)
    assert (answer.reason, answer.refused.gate, answer.refused.rule) == (2538, "network", "GAT-01")
    assert answer.refused.said == "no listener of QM1 has port 1415; those that run have 1414"
    assert (answer.log, answer.client_log[:8]) == ([], "AMQ9202E")
    gates.mqsc("STOP LISTENER(SYSTEM.LISTENER.TCP.1)")
    answer = gates.why("LATE")
    assert (answer.reason, answer.opens) == (2538, "START LISTENER(SYSTEM.LISTENER.TCP.1)")
    gates.mqsc(answer.opens)
    late = gates.tries("LATE")
    assert late.client
    assert gates.tries("LOCAL", channel=None).client is None  # a local program needs no listener
    gates.lab.cut("LATE", "QM1")
    assert gates.tries("LATE") == 2538


@pytest.mark.rule("GAT-01", event=False)
def test_a_message_channel_needs_the_listener_of_its_partner(lab):
    one, two = channel(lab.queue_manager("QM1"), lab.queue_manager("QM2"))
    two.mqsc("STOP LISTENER(SYSTEM.LISTENER.TCP.1)").require()
    one.mqsc("START CHANNEL(C)").require()
    lab.advance(1)
    assert [row["STATUS"] for row in one.mqsc("DISPLAY CHSTATUS(C)").rows] == ["RETRYING"]
    two.mqsc("START LISTENER(SYSTEM.LISTENER.TCP.1)").require()
    lab.advance(60)
    assert [row["STATUS"] for row in one.mqsc("DISPLAY CHSTATUS(C)").rows] == ["RUNNING"]


@pytest.mark.rule("GAT-02", "GAT-03")
def test_a_channel_that_is_not_there_or_not_a_clients_or_stopped(gates):
    gates.mqsc("DEFINE CHANNEL(BACK) CHLTYPE(RCVR)")
    assert [gates.tries(channel=name) for name in ("NONE", "BACK")] == [2540, 2539]
    gates.mqsc("STOP CHANNEL(SHOP)")
    answer = gates.why()
    assert (answer.reason, answer.opens, gates.logs()[-1]) == (2537, "START CHANNEL(SHOP)", "AMQ9534E")
    assert [row["STATUS"] for row in gates.mqsc("DISPLAY CHSTATUS(SHOP)").rows] == ["STOPPED"]
    gates.mqsc(answer.opens)
    assert gates.tries().client


@pytest.mark.rule("GAT-04")
@pytest.mark.rule("GAT-05", event=False)
def test_instances_have_limits_and_conversations_share_them(gates):
    gates.mqsc("ALTER QMGR CHLEV(ENABLED)\nALTER CHANNEL(SHOP) CHLTYPE(SVRCONN) MAXINST(3) MAXINSTC(2) SHARECNV(2)")
    first, second = gates.tries("A"), gates.tries("A")
    (row,) = gates.mqsc("DISPLAY CHSTATUS(SHOP) ALL").rows
    assert (row["CURSHCNV"], row["MAXSHCNV"], row["MCAUSER"], row["RAPPLTAG"]) == (2, 2, "till", "A")
    third = gates.tries("A")  # a second instance
    assert third.client
    answer = gates.why("B")
    said = "2 instances of SHOP from 10.0.0.1 run, and MAXINSTC is 2"
    assert (answer.reason, answer.refused.said) == (2537, said)
    assert "MAXINSTC(3)" in answer.opens
    other = gates.tries("C", address="10.0.0.2")
    assert gates.tries("D", address="10.0.0.3") == 2537
    assert gates.lab.why_refused("D").refused.said == "3 instances of SHOP run, and MAXINST is 3"
    assert [each for each in gates.logs() if "AMQ948" in each or "AMQ949" in each] == ["AMQ9490E", "AMQ9489E"]
    events = [each for each in gates.qm.event_messages() if each.reason == 2537]
    told = [(each.reason, each.parameters[mq.MQIACF_REASON_QUALIFIER]) for each in events]
    assert told == [(2537, mq.MQRQ_CLIENT_INST_LIMIT), (2537, mq.MQRQ_SVRCONN_INST_LIMIT)]
    gates.mqsc("ALTER CHANNEL(SHOP) CHLTYPE(SVRCONN) MAXINST(1) MAXINSTC(1)")  # which ends nothing
    assert other.put("ORDERS", b"x")
    for each in (first, second, third):
        each.disconnect()
    assert gates.tries("D") == 2537
    other.disconnect()
    last = gates.tries("D")
    assert last.client
    assert gates.tries("E", options=mq.MQCNO_NO_CONV_SHARING) == 2537
    gates.mqsc("ALTER CHANNEL(SHOP) CHLTYPE(SVRCONN) MAXINST(0)")
    assert gates.tries("F") == 2537


@pytest.mark.rule("GAT-04", "GAT-06")
def test_a_queue_manager_has_most_channels_and_most_connections(gates):
    small = type(gates)(environment={"MaxChannels": "1", "MaxConnections": "2"})
    first = small.tries("A")
    assert first.client
    assert small.tries("B") == 2537
    assert small.lab.why_refused("B").refused.said == "1 channel is active on QM1, and MaxActiveChannels is 1"
    assert small.logs()[-1] == "AMQ9513E"
    local = small.tries("LOCAL", channel=None)
    assert local.client is None
    assert small.tries("LOCAL", channel=None) == 2025
    assert small.lab.why_refused("LOCAL").refused.gate == "connections"


def test_on_zos_the_limit_is_an_attribute_and_the_listener_a_command(gates):
    zos = type(gates)("ALTER QMGR ACTCHL(1)\nSTOP LISTENER", platform="zos")
    assert zos.tries("A") == 2538
    zos.mqsc("START LISTENER")
    first = zos.tries("A")
    assert first.client
    assert zos.tries("B") == 2537
    assert zos.lab.why_refused("B").refused.said == "1 channel is active on QM1, and ACTCHL is 1"
    assert zos.logs()[-1] == "CSQX513E"
    first.disconnect()
    zos.mqsc("STOP CHANNEL(SHOP)")
    assert (zos.tries("B"), zos.logs()[-1]) == (2537, "CSQX534E")


@pytest.mark.rule("GAT-07")
def test_a_channel_that_is_stopped_ends_its_clients_as_mode_and_status_say(gates):
    app = gates.tries("A")
    gates.mqsc("STOP CHANNEL(SHOP)")
    assert reason(app.put, "ORDERS", b"x") == 2202
    assert gates.tries("B") == 2537
    gates.lab.advance(6)
    assert reason(app.put, "ORDERS", b"x") == 2009
    gates.mqsc("START CHANNEL(SHOP)")
    app = gates.tries("A")
    gates.mqsc("STOP CHANNEL(SHOP) MODE(FORCE) STATUS(INACTIVE)")
    assert reason(app.put, "ORDERS", b"x") == 2009
    assert gates.tries("B").client
    got = []

    def waits(_app):
        got.append((reason(gates.tries("WAITS").get, "BACK", wait=100), gates.lab.clock.time_us // 1_000_000))

    gates.mqsc("DEFINE QLOCAL(BACK)\nSET AUTHREC PROFILE(BACK) OBJTYPE(QUEUE) GROUP('tills') AUTHADD(GET)")
    begun = gates.lab.clock.time_us // 1_000_000
    gates.qm.run_program("WAITS", waits)
    gates.lab.advance(1)
    gates.mqsc("STOP CHANNEL(SHOP)")
    gates.lab.advance(1)
    assert got == [(2202, begun + 1)]


@pytest.mark.rule("GAT-08", event=False)
def test_stop_conn_ends_one_connection_and_the_row_of_the_others_stays(gates):
    one, two = gates.tries("A"), gates.tries("B")
    rows = gates.mqsc("DISPLAY CONN(*) TYPE(CONN) ALL").rows
    shown = [(row["APPLTAG"], row["CHANNEL"], row["CONNAME"]) for row in rows]
    assert shown == [("A", "SHOP", "10.0.0.1"), ("B", "SHOP", "10.0.0.1")]
    gates.mqsc(f"STOP CONN({rows[0]['CONN']})")
    assert (reason(one.put, "ORDERS", b"x"), two.put("ORDERS", b"x").body) == (2009, b"x")
    (row,) = gates.mqsc("DISPLAY CHSTATUS(SHOP) ALL").rows
    assert (row["RAPPLTAG"], row["CONNAME"], row["STATUS"], row["STOPREQ"]) == ("B", "10.0.0.1", "RUNNING", "NO")
