"""A link that falls silent: neither end is told, and a channel runs on until HBINT tells it (CHL-18)."""

import pytest

from helpers import for_each, lab_error
from mqlab import Lab


@pytest.fixture
def silent(pair):
    """A pair of channels with HBINT(30) that run, and then hear nothing of each other."""

    def made(sdr="HBINT(30) SHORTTMR(10)", **more):
        net = pair(sdr=sdr, rcvr="HBINT(30)", level=None, **more)
        net.one.put("ORDERS@QM2", b"1", persistent=True)
        net.start(1)
        net.lab.cut("QM1", "QM2", silent=True)
        return net

    return made


def states(net):
    """The states of the sender and of the receiver, and the messages that arrived."""
    sender, receiver = net.one.channels["TO.QM2", ""], net.two.channels["TO.QM2", "QM1"]
    return sender.state, receiver.state, net.two.depth("ORDERS")


@pytest.mark.rule("CHL-18", event=False)
def test_each_end_runs_on_until_its_heartbeats_tell_it(silent):
    net = silent()
    net.lab.advance(59)
    assert states(net) == ("RUNNING", "RUNNING", 1)
    net.lab.advance(2)
    assert states(net) == ("RETRYING", "INACTIVE", 1)
    net.lab.restore("QM1", "QM2")
    net.one.put("ORDERS@QM2", b"2", persistent=True)
    net.lab.advance(15)
    assert states(net) == ("RUNNING", "RUNNING", 2)


def test_a_silence_that_ends_in_time_costs_nothing(silent):
    net = silent()
    for persistent in (True, False):
        net.one.put("ORDERS@QM2", b"2", persistent=persistent)
    net.lab.advance(40)
    assert states(net) == ("RUNNING", "RUNNING", 1)
    net.lab.restore("QM1", "QM2")
    net.lab.advance(1)
    assert states(net) == ("RUNNING", "RUNNING", 3)
    assert not net.lab.events.where(kind="lost")


@pytest.mark.rule("CHL-07", event=False)
def test_a_batch_in_silence_is_in_doubt_and_a_fast_message_is_lost(silent):
    net = silent()
    net.one.put("ORDERS@QM2", b"kept", persistent=True)
    net.one.put("ORDERS@QM2", b"fast", persistent=False)
    net.lab.advance(61)
    assert [row.kind for row in net.lab.events.where(kind="lost")] == ["lost"]
    assert net.one.channels["TO.QM2", ""].indoubt is not None
    net.lab.restore("QM1", "QM2")
    net.lab.advance(15)
    assert [message.body for message in net.two.drain("ORDERS")] == [b"1", b"kept"]


@pytest.mark.rule("CHL-18")
@for_each(
    "platform, setting, adopted",
    ("zos", "", True),
    ("zos", "ADOPTMCA(NO)", False),
    ("distributed", "AdoptNewMCA", True),
    ("distributed", "", False),
)
def test_a_new_session_adopts_the_channel_of_the_old_one_or_waits_until_that_is_told(
    silent, platform, setting, adopted
):
    net = silent(of=Lab(), platform=platform)
    if setting == "AdoptNewMCA":
        net.two.environment["AdoptNewMCA"] = "ALL"
    elif setting:
        net.at("QM2", f"ALTER QMGR {setting}")
    net.one.fail()
    net.one.start()
    net.lab.restore("QM1", "QM2")
    net.start(1)
    assert states(net)[:2] == ("RUNNING" if adopted else "RETRYING", "RUNNING")
    assert adopted or net.one.channels["TO.QM2", ""].why.code == "AMQ9514E"
    net.one.put("ORDERS@QM2", b"2", persistent=True)
    net.lab.advance(70)
    assert states(net) == ("RUNNING", "RUNNING", 2)


def test_with_hbint_0_nothing_tells_it(silent):
    net = silent(sdr="HBINT(0) DISCINT(0)")
    net.lab.advance(100_000)
    assert states(net)[:2] == ("RUNNING", "RUNNING")


def test_only_the_link_of_queue_managers_falls_silent(pair):
    net = pair(level=None)
    lab_error("silent must be", net.lab.cut, "QM1", "QM2", silent=1)
    net.lab.cut("QM1", "QM2", silent=True)
    lab_error("is cut already", net.lab.cut, "QM1", "QM2")
