"""The five moments at which a queue looks for expired messages, and the rule that is told."""

from datetime import timedelta

import pytest

from helpers import bodies, for_each, lab_error, refusal
from mqlab.everyplace import MQeError, copy_to_dead_letter


def discards(lab):
    """What was deleted: (time in seconds, queue manager, object, rule, depth after)."""
    return [(e.time_us / 1e6, e.qmgr, e.object, e.rule, e.depth) for e in lab.events.where(kind="discard")]


# ---------------------------------------------------------------- no other moment
def test_a_browse_is_none_of_the_moments_and_adding_looks_at_the_message_added_alone(lab, pda, told):
    pda.put("INBOX", b"a", expire_ms=10)
    lab.advance(1)
    pda.put("INBOX", b"b")
    assert (bodies(pda.browse("INBOX")), pda.depth("INBOX"), told) == ([b"b"], 2, [])


# ---------------------------------------------------------------- added
@pytest.mark.rule("MQE-01")
def test_a_message_that_expired_before_its_put_is_not_added(lab, pda, told):
    message = pda.message(b"late", expire_ms=1000)
    lab.advance(1)
    assert pda.put("INBOX", message) is message
    assert (pda.depth("INBOX"), discards(lab)) == (0, [(1.0, "PDA1", "INBOX", "MQE-01", 0)])
    assert told == [("PDA1", "INBOX", b"late", message.number)]


@pytest.mark.rule("MQE-01", "MQE-02")
def test_a_message_that_expires_on_the_way_of_a_push_or_pull_is_not_added(lab, pda, hq, told, transmit):
    message = pda.put("ORDERS@HQ", b"late", expire_ms=500)
    transmit()
    assert discards(lab) == [(1.0, "HQ", "ORDERS", "MQE-01", 0), (2.0, "PDA1", "ORDERS@HQ", "MQE-02", 0)]
    assert [(entry[0], entry[3]) for entry in told] == [("HQ", message.number), ("PDA1", message.number)]
    told.clear()
    pda.define("home-server", "FORWARD@HQ")
    begin = lab.now_us / 1e6
    hq.put("INBOX@PDA1", b"late", expire_ms=1500)
    transmit()
    assert discards(lab)[2:] == [(begin + 2, "PDA1", "INBOX", "MQE-01", 0), (begin + 3, "HQ", "FORWARD", "MQE-02", 0)]
    assert [entry[:2] for entry in told] == [("PDA1", "INBOX"), ("HQ", "FORWARD")]


@pytest.mark.rule("MQE-02")
def test_a_get_from_another_queue_manager_and_a_pull_look_at_what_they_remove(lab, pda, hq, told, transmit):
    pda.define("synchronous", "NEWS@HQ")
    hq.define("local", "NEWS", rule=told)
    hq.put("NEWS", b"old", expire_ms=500)
    hq.put("NEWS", b"new")
    assert pda.get("NEWS@HQ").body == b"new"
    pda.define("home-server", "FORWARD@HQ")
    hq.put("INBOX@PDA1", b"old", expire_ms=500)
    transmit()
    assert discards(lab) == [(1.0, "HQ", "NEWS", "MQE-02", 1), (3.0, "HQ", "FORWARD", "MQE-02", 0)]


# ---------------------------------------------------------------- removed
@pytest.mark.rule("MQE-02")
def test_a_get_deletes_the_expired_messages_it_meets_and_no_others(lab, pda, told):
    for body, life in ((b"a", 10), (b"b", 10), (b"c", None), (b"d", 10)):
        pda.put("INBOX", body, expire_ms=life)
    lab.advance(1)
    assert (pda.get("INBOX").body, [entry[2] for entry in told], pda.depth("INBOX")) == (b"c", [b"a", b"b"], 1)
    refusal(MQeError, "no matching message", pda.get, "INBOX")
    assert [entry[2] for entry in told] == [b"a", b"b", b"d"]


# ---------------------------------------------------------------- activated
@pytest.mark.rule("MQE-03")
def test_activation_clears_out_whatever_the_state_of_a_message(lab, pda, hq, told):
    pda.put("INBOX", b"plain", expire_ms=3000)
    pda.put("INBOX", b"being put", expire_ms=3000, confirm_id=1)
    pda.put("INBOX", b"being got", expire_ms=3000, priority=9)
    pda.put("INBOX", b"live", expire_ms=60_000)
    assert pda.get("INBOX", confirm_id=2).body == b"being got"
    pda.put("ORDERS@HQ", b"in transit", expire_ms=3000)
    pda.trigger_transmission()
    lab.advance(2.5)  # the first stage is done, the second on its way
    for qmgr in (pda, hq):
        qmgr.stop()
    lab.advance(1)
    assert told == []
    for qmgr in (pda, hq):
        qmgr.start()
        assert qmgr.depth("INBOX" if qmgr is pda else "ORDERS") > 0
        qmgr.activate()
    assert sorted(entry[:3] for entry in told) == [
        ("HQ", "ORDERS", b"in transit"),
        ("PDA1", "INBOX", b"being got"),
        ("PDA1", "INBOX", b"being put"),
        ("PDA1", "INBOX", b"plain"),
        ("PDA1", "ORDERS@HQ", b"in transit"),
    ]
    assert ({rule for *_, rule, _ in discards(lab)}, bodies(pda.browse("INBOX"))) == ({"MQE-03"}, [b"live"])


@pytest.mark.rule("MQE-03")
def test_the_first_call_after_a_start_activates_the_queue_it_uses(lab, pda, told):
    pda.put("INBOX", b"a", expire_ms=10)
    pda.stop()
    pda.start()
    lab.advance(1)
    assert (pda.browse("INBOX"), len(told)) == ([], 1)
    pda.activate("INBOX")
    assert len(lab.events.where(kind="activate")) == 1


# ---------------------------------------------------------------- deleted
@pytest.mark.rule("MQE-04")
def test_a_queue_with_a_live_message_cannot_be_deleted_but_is_cleared_of_the_expired(lab, pda, told):
    for options in ({"expire_ms": 10}, {"expire_ms": 10, "confirm_id": 1}, {}):
        pda.put("INBOX", b"b" if not options else b"a", **options)
    lab.advance(1)
    refused = refusal(MQeError, "queue not empty: INBOX on PDA1: it holds 1", pda.delete, "INBOX")
    assert (refused.rule, lab.events[refused.seq].kind) == ("MQE-04", "refused")
    assert (len(told), bodies(pda.browse("INBOX"))) == (2, [b"b"])
    pda.get("INBOX")
    pda.put("INBOX", b"c", expire_ms=10)
    lab.advance(1)
    pda.delete("INBOX")
    assert ([entry[2] for entry in told], {rule for *_, rule, _ in discards(lab)}) == ([b"a", b"a", b"c"], {"MQE-04"})
    assert not pda.has("INBOX")


# ---------------------------------------------------------------- asked for its size
@pytest.mark.rule("MQE-05")
def test_asking_for_the_size_clears_out(lab, pda, told):
    pda.put("INBOX", b"a", expire_ms=10)
    pda.put("INBOX", b"b", expire_ms=10, confirm_id=1)
    pda.put("INBOX", b"c")
    lab.advance(1)
    assert (pda.depth("INBOX"), pda.size("INBOX"), pda.depth("INBOX")) == (3, 1, 1)
    assert {rule for *_, rule, _ in discards(lab)} == {"MQE-05"}


@pytest.mark.rule("MQE-06")
def test_the_rule_is_told_once_and_what_it_returns_is_ignored(lab, pda, told):
    message = pda.put("INBOX", b"a", expire_ms=10)
    lab.advance(1)
    assert [pda.size("INBOX"), pda.size("INBOX")] == [0, 0]
    assert told == [("PDA1", "INBOX", b"a", message.number)]
    (event,) = lab.events.where(kind="told")
    assert (event.rule, event.message, event.detail) == ("MQE-06", message.number, '{"rule":"told"}')
    assert lab.events[event.cause].kind == "discard"


# ---------------------------------------------------------------- the rule
def test_a_rule_may_fail_or_use_its_own_queue_and_a_get_does_not_return_what_it_has_got(lab, pda):
    def fails(queue, message):
        raise ZeroDivisionError("rule")

    def again(queue, message):
        queue.qmgr.put(queue.name, message.copy(expire_ms=None, resend=True))

    got = []
    pda.define("local", "FAILS", rule=fails)
    pda.define("local", "AGAIN", rule=again)
    pda.define("local", "GETS", rule=lambda queue, message: got.append(queue.qmgr.get(queue.name).body))
    pda.put("FAILS", b"a", expire_ms=10)
    message = pda.put("AGAIN", b"a", expire_ms=10)
    for body, life in ((b"a", 10), (b"b", None), (b"c", None)):
        pda.put("GETS", body, expire_ms=life)
    lab.advance(1)
    refusal(ZeroDivisionError, "", pda.size, "FAILS")
    assert (pda.size("FAILS"), pda.size("AGAIN"), lab.state().queue("PDA1", "AGAIN").depth) == (0, 1, 1)
    assert (pda.get("AGAIN").uid, pda.get("GETS").body, got) == (message.uid, b"c", [b"b"])


@pytest.mark.rule("MQE-15")
def test_a_rule_that_copies_must_mark_the_copy_as_sent_again_and_take_its_lifetime_away(lab, pda, told):
    def copies(**how):
        return lambda queue, message: queue.qmgr.put("DeadLetterQ", message.copy(**how))

    pda.define("local", "ALONE", rule=copy_to_dead_letter)
    pda.put("ALONE", b"a", expire_ms=10)
    lab.advance(1)
    assert pda.size("ALONE") == 0, "the rule that comes with it, without a dead-letter queue"
    pda.define("local", "DeadLetterQ", rule=told)
    pda.define("local", "UNMARKED", rule=copies(expire_ms=None))
    pda.define("local", "EXPIRES", rule=copies(resend=True))
    for name in ("UNMARKED", "EXPIRES"):
        pda.put(name, b"a", expire_ms=10)
    message = pda.put("ALONE", b"a", expire_at=lab.now + timedelta(seconds=1))
    lab.advance(1)
    refusal(MQeError, "duplicate message", pda.size, "UNMARKED")
    assert (pda.size("EXPIRES"), pda.depth("DeadLetterQ"), len(told), pda.size("ALONE")) == (0, 0, 1, 0)
    assert [m.uid for m in pda.browse("DeadLetterQ")] == [message.uid]


# ---------------------------------------------------------------- lifetimes
@pytest.mark.rule("MQE-11")
@for_each(
    "own, interval, expires_ms",
    ({}, None, None),
    ({}, 2000, 2000),
    ({"expire_ms": 1000}, 2000, 1000),
    ({"expire_ms": 3000}, 2000, 3000),  # not the smaller of the two
    ({"expire_ms": 3000}, None, 3000),
    ({"expire_ms": 0}, None, 0),
    ({"expire_at": timedelta(seconds=4)}, 2000, 4000),
    ({"expire_at": timedelta(seconds=-4)}, 2000, 0),
)
def test_the_lifetime_of_a_message_replaces_the_interval_of_the_queue(lab, pda, own, interval, expires_ms):
    pda.put("INBOX", b"for the event", expire_ms=1)
    pda.define("local", "TIMED", expiry_ms=interval)
    pda.put("TIMED", b"x", **{key: lab.now + v if key == "expire_at" else v for key, v in own.items()})
    if expires_ms is None:
        lab.advance(1e6)
        assert pda.size("TIMED") == 1
        pda.get("TIMED")
    elif expires_ms:
        lab.advance(expires_ms / 1000 - 0.001)
        assert pda.size("TIMED") == 1
        lab.advance(0.001)
    assert pda.size("TIMED") == 0
    pda.delete("TIMED")


def test_the_interval_of_a_queue_counts_from_the_arrival_there(lab, pda, hq, transmit):
    hq.define("local", "TIMED", expiry_ms=5000)
    pda.define("asynchronous", "TIMED@HQ", expiry_ms=60_000)
    pda.put("TIMED@HQ", b"x")
    lab.advance(50)
    transmit()
    lab.advance_to(55_999_999)
    assert hq.size("TIMED") == 1
    lab.advance_to(56_000_000)
    assert hq.size("TIMED") == 0


@for_each(
    "wrong, says",
    ({"expire_ms": -1}, "expire_ms must be"),
    ({"expire_ms": 2**31}, "expire_ms must be"),
    ({"expire_ms": 1.5}, "expire_ms must be"),
    ({"expire_ms": True}, "expire_ms must be"),
    ({"expire_at": 5}, "expire_at must be"),
    ({"expire_ms": 1, "expire_at": 5}, "expire_at must be"),
    ({"priority": 10}, "priority must be"),
)
def test_a_lifetime_or_priority_that_does_not_fit_is_refused_and_leaves_no_event(lab, pda, wrong, says):
    before = len(lab.events)
    lab_error(says, pda.put, "INBOX", b"x", **wrong)
    assert (len(lab.events), pda.depth("INBOX")) == (before, 0)
