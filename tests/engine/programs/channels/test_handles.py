"""The queues that a receiving agent holds open: what shows them, what they stand in the way of, and when it closes
them."""

import pytest

from mqlab import Lab

HANDLES = "DISPLAY QSTATUS(ORDERS) TYPE(HANDLE) ALL"


def opened(pair):
    return [row["CHANNEL"] for row in pair.lab["QM2"].mqsc(HANDLES).rows]


def replied(pair, command):
    return pair.lab["QM2"].mqsc(command).replies[0]


@pytest.mark.rule("CHL-03")
def test_a_receiver_keeps_the_queue_open_that_it_puts_to_until_an_end_is_stopped(pair):
    pair = pair()
    pair.put(b"1", b"2")
    pair.start(1)
    assert pair.lab["QM2"].status("ORDERS")["OPPROCS"] == 1
    (row,) = pair.lab["QM2"].mqsc(HANDLES).rows
    assert (row["CHANNEL"], row["CONNAME"], row["OUTPUT"], row["INPUT"]) == ("TO.QM2", "QM1", "YES", "NO")
    assert (row["APPLTAG"], row["APPLTYPE"]) == ("amqrmppa", "SYSTEM")
    pair.lab["QM2"].drain("ORDERS")
    for command in ("CLEAR QLOCAL(ORDERS)", "DELETE QLOCAL(ORDERS)"):
        reply = replied(pair, command)
        assert (reply.code, "STOP CHANNEL(TO.QM2)" in str(reply)) == ("AMQ8148E", True)
    pair.stop(seconds=1)
    assert (opened(pair), replied(pair, "CLEAR QLOCAL(ORDERS)").code) == ([], "AMQ8022I")
    pair.put(b"3")
    pair.start(1)
    assert (opened(pair), replied(pair, "STOP CHANNEL(TO.QM2)").code) == (["TO.QM2"], "AMQ8019I")
    assert replied(pair, "CLEAR QLOCAL(ORDERS)").code == "AMQ8022I", "a receiver closes its queues at once"


@pytest.mark.rule("CHL-03")
def test_a_heartbeat_closes_them_and_the_next_message_opens_them_again(pair):
    new, pair = pair, pair(sdr="HBINT(30)", rcvr="HBINT(10)")  # the greater is agreed
    pair.put(b"1")
    pair.start(20)
    pair.put(b"2")
    pair.lab.advance(29)
    assert opened(pair) == ["TO.QM2"]
    pair.lab.advance(2)
    assert opened(pair) == []
    pair.put(b"3")
    pair.lab.advance(1)
    assert (opened(pair), len(pair.lab["QM2"].drain("ORDERS"))) == (["TO.QM2"], 3)
    without = new(of=Lab(), sdr="HBINT(0)")
    without.put(b"1")
    without.start(5000)
    assert opened(without) == ["TO.QM2"]


@pytest.mark.rule("CHL-03")
def test_a_queue_altered_under_the_receiver_is_opened_again(pair):
    pair = pair()
    two = pair.lab["QM2"]
    pair.at("QM2", "DEFINE QLOCAL(OTHER)\nDEFINE QALIAS(BOX) TARGET(ORDERS)")
    pair.put(b"1", queue="BOX")
    pair.start(1)
    assert two.mqsc("ALTER QALIAS(BOX) TARGET(OTHER)").replies[0].code != "AMQ8008I"
    pair.at("QM2", "ALTER QALIAS(BOX) TARGET(OTHER) FORCE")
    pair.put(b"2", queue="BOX")
    pair.lab.advance(1)
    assert (two.depth("ORDERS"), two.depth("OTHER")) == (1, 1)


@pytest.mark.rule("CHL-07")
def test_a_dynamic_queue_that_has_gone_is_unknown_to_the_next_message(pair):
    pair = pair()
    two = pair.lab["QM2"]
    pair.at("QM2", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nDEFINE QMODEL(MODEL)")
    answers = two.open("MODEL", input="shared", dynamic_name="ANSWERS")
    pair.put(b"1", persistent=False, queue="ANSWERS")
    pair.start(1)
    assert answers.get().body == b"1"
    answers.close()
    pair.put(b"2", persistent=False, queue="ANSWERS")
    pair.lab.advance(1)
    assert (two.depth("DLQ"), two.mqsc("DISPLAY QLOCAL(ANSWERS)").replies[0].code) == (1, "AMQ8147E")
