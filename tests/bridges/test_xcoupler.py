"""The xCoupler: an Expiry on a trigger, on a transport, on both (EXP-37)."""

import json

import pytest

from helpers import cases, for_each, lab_error, made, refusal
from mqlab import MQError


@pytest.mark.rule("EXP-37")
@cases(
    "trigger, transport, used, left",
    (50, None, "trigger", 50),
    (None, 200, "transport", 200),
    (50, 200, "trigger", 50),
    (500, 200, "trigger", 500),
    (-1, 200, "trigger", -1),
    (None, None, "neither", -1),
)
def test_the_trigger_s_expiry_wins_over_the_transport_s(lab, qm, trigger, transport, used, left):
    adapter = qm.xcoupler()
    adapter.transport("TO.ORDERS", "ORDERS", transport)
    adapter.trigger("NEW", "TO.ORDERS", trigger)
    put = adapter.fire("NEW", b"x", priority=7, format="MQSTR")
    assert (put.expiry, put.priority, put.format) == (left, 7, "MQSTR")
    [row] = lab.events.where(kind="adapter")
    assert json.loads(row.detail) == {"trigger": trigger, "transport": transport, "used": used, "expiry": left}
    assert (row.rule, row.program, lab.events.where(kind="put")[0].cause) == ("EXP-37", "XCOUPLER", row.seq)


def test_one_transport_serves_many_triggers_and_can_be_changed(lab, qm):
    adapter = qm.xcoupler()
    adapter.transport("T", "ORDERS", 100)
    adapter.trigger("A", "T")
    adapter.trigger("B", "T", 30)
    assert [adapter.fire(name).expiry for name in "AB"] == [100, 30]
    adapter.transport("T", "FIFO", 70)
    assert ([adapter.fire(name).expiry for name in "AB"], qm.depth("ORDERS"), qm.depth("FIFO")) == ([70, 30], 2, 2)
    lab.advance(5)
    assert qm.get("FIFO").expiry == 20


@pytest.mark.parametrize(
    ("release", "allowed"), [("1.2", True), ("1.10", True), ("2", True), ("1.1", False), ("1", False)]
)
def test_earlier_releases_set_no_expiry(qm, release, allowed):
    adapter = qm.xcoupler(release)
    adapter.transport("T", "ORDERS")
    for call in (lambda: adapter.transport("T", "ORDERS", 50), lambda: adapter.trigger("A", "T", 50)):
        if allowed:
            call()
        else:
            lab_error(f"None before release 1.2; got 50 in release {release}", call)
    adapter.trigger("B", "T")
    assert adapter.fire("B").expiry == (50 if allowed else -1)
    for wrong in (1.2, "one", None):
        lab_error("release must be", qm.xcoupler, wrong)


@pytest.mark.parametrize("expiry", [0, -2])
def test_what_mq_refuses_it_refuses_at_the_put(lab, qm, expiry):
    adapter = qm.xcoupler()
    adapter.transport("T", "ORDERS", expiry)
    adapter.trigger("A", "T")
    refusal(MQError, "2013", adapter.fire, "A")
    assert qm.depth("ORDERS") == 0


@pytest.mark.rule("EXP-32", "EXP-37")
def test_on_vse_it_can_only_put_unlimited_messages(lab):
    qm = made("DEFINE QLOCAL(ORDERS)", "VSE1", of=lab, platform="vse", level=212)
    adapter = qm.xcoupler()
    adapter.transport("T", "ORDERS", 50)
    adapter.trigger("A", "T")
    refusal(MQError, "2013", adapter.fire, "A")
    adapter.trigger("A", "T", -1)
    assert adapter.fire("A").expiry == -1


@for_each(
    "call, said",
    (lambda a: a.fire("Z"), "trigger must be one of A; got 'Z'"),
    (lambda a: a.fire(["A"]), "trigger must be one of A; got \\['A'\\]"),
    (lambda a: a.trigger("B", ["T"]), "transport must be one of T"),
    (lambda a: a.trigger("B", "Z"), "transport must be one of T; got 'Z'"),
    (lambda a: a.transport("", "ORDERS"), "name must be"),
    (lambda a: a.transport("U", None), "queue must be"),
    (lambda a: a.transport("T", "ORDERS", 1.5), "expiry must be a whole number"),
    (lambda a: a.trigger("A", "T", True), "expiry must be a whole number"),
    (lambda a: a.fire("A", expiry=5), "expiry must be set in the trigger or the transport"),
)
def test_wrong_settings_are_refused_and_change_nothing(lab, qm, call, said):
    adapter = qm.xcoupler()
    adapter.transport("T", "ORDERS", 100)
    adapter.trigger("A", "T")
    rows = len(lab.events)
    lab_error(said, call, adapter)
    assert (len(lab.events), adapter.fire("A").expiry) == (rows, 100)
