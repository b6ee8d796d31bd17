"""Asynchronous queues: two-stage transmission, links that fail between the stages, and nothing delivered twice."""

from datetime import UTC, datetime

import pytest

from helpers import refusal
from mqlab import Lab
from mqlab.everyplace import MQeError


def transmissions(lab):
    """What was sent and what broke, as stage or "failed"."""
    details = [e.detail for e in lab.events.where(kind="transmit") if e.message is not None]
    return ["failed" if '"why"' in d else "put" if '"put"' in d else "confirm" for d in details]


@pytest.mark.rule("MQE-07")
def test_the_timeline_of_the_source_document(told):
    """Put at 09:55, link down until 10:05, deadline 10:00: two notices, one message identity."""
    lab = Lab(start="2005-01-01T09:55:00Z")
    hq, pda = lab.everyplace("HQ"), lab.everyplace("PDA1")
    hq.define("local", "ORDERS", rule=told)
    pda.define("asynchronous", "ORDERS@HQ", rule=told)
    lab.network.link("PDA1", "HQ", latency=0.5)
    message = pda.put("ORDERS@HQ", b"order", expire_at=datetime(2005, 1, 1, 10, tzinfo=UTC))
    pda.trigger_transmission()
    lab.advance(0.75)  # the put has arrived, its answer has not
    lab.network.cut("PDA1", "HQ")
    lab.run()
    assert (hq.depth("ORDERS"), hq.browse("ORDERS")) == (1, [])  # there, and not yet available
    assert pda.depth("ORDERS@HQ") == 1
    refusal(MQeError, "no matching message", hq.get, "ORDERS")

    lab.advance_to(10 * 60 * 1_000_000)  # 10:05
    assert told == []
    lab.network.restore("PDA1", "HQ")
    pda.trigger_transmission()
    lab.run()
    assert told == [("PDA1", "ORDERS@HQ", b"order", message.number)]
    assert hq.size("ORDERS") == 0
    assert told == [("PDA1", "ORDERS@HQ", b"order", message.number), ("HQ", "ORDERS", b"order", message.number)]
    notices = [(row.qmgr, row.rule, row.message) for row in lab.events.where(kind="told")]
    assert notices == [(name, "MQE-07", message.number) for name in ("PDA1", "HQ")]
    assert [e.rule for e in lab.events.where(kind="discard")] == ["MQE-02", "MQE-05"]
    assert len({e.message for e in lab.events if e.message is not None}) == 1
    assert (pda.depth("ORDERS@HQ"), hq.depth("ORDERS")) == (0, 0)


@pytest.mark.rule("MQE-07")
def test_each_side_expires_at_its_own_next_moment(lab, pda, hq, told, transmit):
    pda.put("ORDERS@HQ", b"x", expire_ms=5000)
    transmit(2.5)
    lab.network.cut("PDA1", "HQ")
    lab.advance(60)
    assert (hq.size("ORDERS"), [entry[0] for entry in told], pda.depth("ORDERS@HQ")) == (0, ["HQ"], 1)
    lab.advance(60)
    assert (pda.size("ORDERS@HQ"), [entry[0] for entry in told]) == (0, ["HQ", "PDA1"])


@pytest.mark.rule("MQE-13")
def test_a_put_is_kept_until_transmission_is_triggered(lab, pda, hq, transmit):
    pda.put("ORDERS@HQ", b"a")
    pda.put("ORDERS@HQ", b"b", priority=9)
    assured = pda.put("ORDERS@HQ", b"d", confirm_id=3)
    lab.advance(3600)
    assert (pda.depth("ORDERS@HQ"), hq.depth("ORDERS")) == (3, 0)
    pda.trigger_transmission()
    pda.put("ORDERS@HQ", b"c")  # goes along
    lab.run()
    assert (pda.depth("ORDERS@HQ"), hq.depth("ORDERS"), lab.now_us) == (1, 3, (3600 + 3 * 4) * 1_000_000)
    assert [hq.get("ORDERS").body for _ in range(3)] == [b"b", b"a", b"c"]
    pda.confirm_put("ORDERS@HQ", assured.uid)  # an assured put is not sent before
    transmit()
    assert hq.get("ORDERS").uid == assured.uid


def test_a_timer_triggers_transmission_until_it_is_switched_off(lab, pda, hq):
    pda.transmit_every(60_000)
    for minute in range(3):
        pda.put("ORDERS@HQ", b"x")
        assert hq.depth("ORDERS") == minute
        lab.advance(60)
        lab.advance(10)
    pda.transmit_every(0)
    pda.put("ORDERS@HQ", b"x")
    lab.advance(600)
    assert hq.depth("ORDERS") == 3
    lab.run()


@pytest.mark.rule("MQE-15")
@pytest.mark.parametrize("broken_for", [0, 30])
@pytest.mark.parametrize("cut_after", [0, 0.5, 1.5, 2.5, 3.5])
def test_wherever_the_link_breaks_the_message_arrives_once(lab, pda, hq, cut_after, broken_for, transmit):
    """The flows leave and arrive at whole seconds: put 0 to 1, its answer to 2, confirm to 3, its answer to 4."""
    message = pda.put("ORDERS@HQ", b"wanted for the rule")
    refusal(MQeError, "duplicate", pda.put, "ORDERS@HQ", message)
    transmit(cut_after)
    lab.network.cut("PDA1", "HQ")
    lab.advance(max(broken_for, 1))
    got = [hq.get("ORDERS").body] if cut_after == 3.5 else []  # the confirmation arrived, its answer was lost
    assert pda.depth("ORDERS@HQ") == 1
    lab.network.restore("PDA1", "HQ")
    for _ in range(2):
        transmit()
    got += [m.body for m in hq.browse("ORDERS")]
    assert got == [b"wanted for the rule"]
    assert (pda.depth("ORDERS@HQ"), hq.depth("ORDERS")) == (0, 0 if cut_after == 3.5 else 1)
    assert transmissions(lab).count("failed") == 1
    if cut_after == 1.5:  # the put is sent again, and recognized
        assert transmissions(lab) == ["put", "failed", "put", "confirm"]
        assert [(e.qmgr, e.object) for e in lab.events.where(kind="duplicate")] == [("HQ", "ORDERS")]


def test_a_delivered_message_may_be_told_as_expired_where_the_last_answer_was_lost(lab, pda, hq, told, transmit):
    pda.put("ORDERS@HQ", b"x", expire_ms=10_000)
    transmit(3.5)
    lab.network.cut("PDA1", "HQ")
    lab.run()
    assert hq.get("ORDERS").body == b"x"
    lab.advance(60)
    lab.network.restore("PDA1", "HQ")
    transmit()
    assert told == [("PDA1", "ORDERS@HQ", b"x", 1)]


def test_a_confirmation_that_comes_too_late_expires_the_copy_there_and_the_message_here(lab, pda, hq, told, transmit):
    pda.put("ORDERS@HQ", b"x", expire_ms=2500)
    transmit()
    assert [entry[0] for entry in told] == ["HQ", "PDA1"]
    assert [e.rule for e in lab.events.where(kind="told")] == ["MQE-07", "MQE-07"]
    hq.define("local", "SHORT", expiry_ms=500, rule=told)
    pda.define("asynchronous", "SHORT@HQ", rule=told)
    pda.put("SHORT@HQ", b"x")
    transmit()
    assert [entry[0] for entry in told][2:] == ["HQ"], "expired on the way by the owner's interval, it is let go"
    assert (pda.depth("SHORT@HQ"), hq.depth("SHORT")) == (0, 0)


def test_what_the_owner_refuses_stays_here(lab, pda, hq, transmit):
    for name in ("FULL", "NONE"):
        pda.define("asynchronous", f"{name}@HQ")
    hq.define("local", "FULL", max_depth=1)
    hq.put("FULL", b"there")

    def sent(name):
        if not pda.depth(f"{name}@HQ"):
            pda.put(f"{name}@HQ", b"x")
        transmit()
        return pda.depth(f"{name}@HQ") == 0

    assert not sent("FULL")
    hq.get("FULL")
    assert sent("FULL")
    assert not sent("NONE")
    hq.define("local", "NONE")
    assert sent("NONE")
    hq.stop()
    assert not sent("ORDERS")
    hq.start()
    assert sent("ORDERS")
    assert [[m.body for m in hq.browse(name)] for name in ("FULL", "NONE", "ORDERS")] == [[b"x"]] * 3


def test_a_queue_deleted_while_it_sends_is_left_alone(lab, pda, hq, transmit):
    pda.put("ORDERS@HQ", b"x", expire_ms=1500)
    transmit(1.75)
    pda.delete("ORDERS@HQ")
    lab.run()
    assert (hq.browse("ORDERS"), hq.depth("ORDERS")) == ([], 1)


def test_what_expires_here_while_a_flow_is_on_its_way_is_told_of_once(lab, pda, hq, told, transmit):
    for life_ms, look_at in ((500, 1.5), (1500, 1.75), (2700, 2.8), (3200, 3.5)):
        told.clear()
        pda.put("ORDERS@HQ", b"x", expire_ms=life_ms)
        pda.put("ORDERS@HQ", b"y")
        transmit(look_at)
        assert pda.size("ORDERS@HQ") == 1
        lab.run()
        assert [entry[:3] for entry in told].count(("PDA1", "ORDERS@HQ", b"x")) == 1
        assert ([m.body for m in hq.browse("ORDERS")], pda.depth("ORDERS@HQ")) == ([b"y"], 0)
        hq.get("ORDERS")


def test_two_triggers_send_a_message_once_and_a_stopped_queue_manager_sends_and_answers_no_more(lab, pda, hq, transmit):
    for body in (b"a", b"b"):
        pda.put("ORDERS@HQ", body)
    pda.trigger_transmission()
    transmit()
    assert (transmissions(lab), hq.depth("ORDERS")) == (["put", "confirm"] * 2, 2)
    pda.put("ORDERS@HQ", b"x")
    transmit(0.5)
    pda.stop()
    lab.run()
    assert hq.depth("ORDERS") == 2
    pda.start()
    transmit()
    assert [m.body for m in hq.browse("ORDERS")] == [b"a", b"b", b"x"]
