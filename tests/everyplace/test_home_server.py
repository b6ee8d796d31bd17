"""Store-and-forward queues on the server, and the home-server queues that fetch from them."""

import pytest

from helpers import bodies, refusal
from mqlab.everyplace import MQeError


def failures(lab):
    return [e for e in lab.events.where(kind="transmit") if "why" in e.facts]


@pytest.fixture
def home(pda):
    """PDA1's home-server queue, which fetches when triggered."""
    return pda.define("home-server", "FORWARD@HQ")


@pytest.mark.rule("MQE-14")
def test_the_server_keeps_messages_for_the_client_until_it_fetches_them(lab, pda, hq, home, transmit):
    first = hq.put("INBOX@PDA1", b"a")
    hq.put("INBOX@PDA1", b"b", priority=9)
    lab.advance(600)
    assert (hq.depth("FORWARD"), pda.depth("INBOX")) == (2, 0)
    transmit()
    assert (hq.depth("FORWARD"), bodies(pda.browse("INBOX"))) == (0, [b"b", b"a"])
    assert pda.get("INBOX", uid=first.uid) is first
    assert {e.rule for e in lab.events.where(kind="put", object="FORWARD")} == {"MQE-14"}


def test_a_client_fetches_only_what_is_meant_for_it(lab, pda, hq, home):
    other = lab.everyplace("PDA2")
    other.define("local", "INBOX")
    hq.define("store-and-forward", "SECOND", targets=["PDA2", "PDA3"])
    other.define("home-server", "SECOND@HQ")
    lab.network.link("PDA2", "HQ")
    for name in ("PDA1", "PDA2", "PDA3"):
        hq.put(f"INBOX@{name}", name)
    for qmgr in (pda, other):
        qmgr.trigger_transmission()
    lab.run()
    assert (bodies(pda.browse("INBOX")), bodies(other.browse("INBOX")), hq.depth("SECOND")) == ([b"PDA1"], [b"PDA2"], 1)
    refusal(MQeError, "unknown queue", hq.put, "INBOX@PDA4", b"x")


@pytest.mark.rule("MQE-14")
def test_polling_ends_when_the_server_cannot_be_reached_and_begins_again_with_a_trigger(lab, pda, hq, transmit):
    pda.define("home-server", "FORWARD@HQ", poll_ms=60_000)
    hq.put("INBOX@PDA1", b"a")
    lab.advance(59)
    assert pda.depth("INBOX") == 0
    lab.advance(10)
    assert pda.depth("INBOX") == 1
    lab.network.cut("PDA1", "HQ")
    lab.advance(60)
    lab.network.restore("PDA1", "HQ")
    hq.put("INBOX@PDA1", b"b")
    lab.advance(3600)
    assert (len(failures(lab)), pda.depth("INBOX")) == (1, 1)
    assert failures(lab)[0].detail.endswith('"polling":false}')
    transmit(10)
    assert pda.depth("INBOX") == 2
    hq.put("INBOX@PDA1", b"c")
    lab.advance(60)
    assert pda.depth("INBOX") == 3
    lab.run()  # polling is nothing to wait for


def test_a_trigger_begins_the_poll_interval_anew_and_polling_ends_with_the_queue_manager_and_the_queue(lab, pda, hq):
    pda.define("home-server", "FORWARD@HQ", poll_ms=60_000)
    lab.network.cut("PDA1", "HQ")
    lab.advance(61)
    lab.network.restore("PDA1", "HQ")
    lab.advance(9)
    pda.trigger_transmission()  # at 70 s; the next look is at 130 s
    lab.advance(45)
    hq.put("INBOX@PDA1", b"a")
    lab.advance(14)
    assert pda.depth("INBOX") == 0
    lab.advance(10)
    assert pda.depth("INBOX") == 1
    pda.stop()
    hq.put("INBOX@PDA1", b"b")
    lab.advance(600)
    pda.start()
    assert pda.depth("INBOX") == 1
    lab.advance(70)
    assert pda.depth("INBOX") == 2
    pda.delete("FORWARD@HQ")
    hq.put("INBOX@PDA1", b"c")
    lab.advance(600)
    assert pda.depth("INBOX") == 2


@pytest.mark.parametrize("cut_after", [0.5, 1.5, 2.5, 3.5, 4.5])
def test_wherever_the_link_breaks_the_message_is_fetched_once(lab, pda, hq, home, cut_after, transmit):
    """The flows leave and arrive at whole seconds: asked 0 to 1, fetched to 2, confirmed to 3, its answer to 4."""
    hq.put("INBOX@PDA1", b"a")
    transmit(cut_after)
    lab.network.cut("PDA1", "HQ")
    lab.run()
    assert len(failures(lab)) == 1
    assert bodies(pda.browse("INBOX")) == ([b"a"] if cut_after > 4 else [])
    lab.network.restore("PDA1", "HQ")
    for _ in range(2):
        transmit()
    assert (hq.depth("FORWARD"), bodies(pda.browse("INBOX"))) == (0, [b"a"])


def test_a_message_that_expires_while_the_link_is_down_is_told_of_on_both_sides(lab, pda, hq, home, told, transmit):
    message = hq.put("INBOX@PDA1", b"a", expire_ms=10_000)
    transmit(2.5)
    lab.network.cut("PDA1", "HQ")
    lab.advance(60)
    lab.network.restore("PDA1", "HQ")
    transmit()
    assert told == [("HQ", "FORWARD", b"a", message.number), ("PDA1", "INBOX", b"a", message.number)]
    assert (hq.depth("FORWARD"), pda.depth("INBOX")) == (0, 0)


def test_a_message_for_a_queue_that_is_not_there_waits_for_it_or_for_a_dead_letter_queue(lab, pda, hq, home, transmit):
    hq.put("OTHER@PDA1", b"a")
    transmit()
    assert (len(failures(lab)), hq.depth("FORWARD")) == (1, 1)
    pda.define("local", "OTHER")
    transmit()
    assert (bodies(pda.browse("OTHER")), hq.depth("FORWARD")) == ([b"a"], 0)
    pda.define("local", "DeadLetterQ")
    hq.put("ANOTHER@PDA1", b"b")
    transmit()
    assert (bodies(pda.browse("DeadLetterQ")), hq.depth("FORWARD")) == ([b"b"], 0)


def test_a_queue_of_the_server_that_is_not_store_and_forward_offers_nothing(lab, pda, hq, transmit):
    pda.define("home-server", "ORDERS@HQ2")
    pda.define("home-server", "NONE@HQ")
    other = lab.everyplace("HQ2")
    other.define("local", "ORDERS")
    lab.network.link("PDA1", "HQ2")
    transmit()
    first, second = (row.detail for row in failures(lab))
    assert ("not supported" in first, "unknown queue" in first) == (True, False)
    assert ("not supported" in second, "unknown queue" in second) == (False, True)
