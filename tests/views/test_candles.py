"""Messages on a queue, from the queue manager to the picture: their order, states, runs, and labels."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import lab_with, made, says, scenario_lab
from mqlab import Lab, MQError
from mqlab.engine.explain.replay import State
from mqlab.views.drawing.scene import Scene, lab_picture
from mqlab.views.drawing.topology import facts_of


def fact(lab, id="QM1/Q"):
    """What is true of a queue now: depth, expired, uncommitted, messages, and runs."""
    depth, expired, uncommitted, _, _, _, messages, *more = facts_of(Scene(lab).frame(lab.now_us))[id]
    return depth, expired, uncommitted, messages, more[0] if more else ()


def candles(lab):
    """The messages drawn, by (state, what their tooltip says)."""
    svg = lab_picture(lab).svg
    return re.findall(r'<g class="message (\w+)"[^>]*>(?:(?!</g>).)*<title>([^<]*)</title></g>', svg)


@pytest.fixture
def qm():
    return made("DEFINE QLOCAL(Q) MAXDEPTH(100)")


def test_messages_are_drawn_in_delivery_order_with_their_label_and_priority(qm):
    for priority, body in enumerate((b"soup", b"pizza", b"\0\1")):
        qm.put("Q", body, priority=priority)
    assert [(m.label, m.priority) for m in fact(qm.lab)[3]] == [("", 2), ("pizza", 1), ("soup", 0)]
    assert candles(qm.lab) == [
        ("live", "Message 3, nonpersistent, priority 2: available"),
        ("live", "Message 2 &quot;pizza&quot;, nonpersistent, priority 1: available"),
        ("live", "Message 1 &quot;soup&quot;, nonpersistent, priority 0: available"),
    ]


def test_an_expired_an_uncommitted_and_a_locked_message_are_drawn_as_such(qm):
    qm.put("Q", "first", expiry=10)
    qm.put("Q", "second")
    qm.lab.advance(2)
    assert [state for state, _ in candles(qm.lab)] == ["expired", "live"]
    assert "expired, still counted" in candles(qm.lab)[0][1]
    with qm.unit_of_work() as unit:
        unit.put("Q", "maybe")
        assert [m.state for m in fact(qm.lab)[3]][2:] == ["uncommitted"]
        said = "Message 3 &quot;maybe&quot;, nonpersistent, priority 0: put, not committed"
        assert candles(qm.lab)[2] == ("uncommitted", said)
    assert candles(qm.lab)[2][0] == "live"
    qm.open("Q", input="shared", browse=True).browse_first(lock=True)
    said = "Message 2 &quot;second&quot;, nonpersistent, priority 0: locked by a browse"
    assert ("locked", said) in candles(qm.lab)


def test_a_message_that_an_uncommitted_get_holds_is_drawn_at_its_place_and_not_counted(qm):
    _, second, _ = (qm.put("Q", body) for body in ("first", "second", "third"))
    packer = qm.connect("PACKER")
    with packer.unit_of_work() as unit:
        assert unit.get("Q", msg_id=second.msg_id).body == b"second"
        assert qm.depth("Q") == fact(qm.lab)[0] == 2
        assert [m.label for m in fact(qm.lab)[3] if m.state == "got"] == ["second"]
        assert [state for state, _ in candles(qm.lab)] == ["live", "got", "live"]
        picture = lab_picture(qm.lab)
        assert "1 held by PACKER" in picture.svg
        assert "1 other message is held by an uncommitted get" in picture.words
        assert "message: held by an uncommitted get" in picture.key
        unit.backout()
    assert [m.state for m in fact(qm.lab)[3]] == ["live"] * 3
    with packer.unit_of_work() as unit:
        unit.get("Q")
        assert [m.state for m in fact(qm.lab)[3]] == ["got", "live", "live"]
    assert [m.label for m in fact(qm.lab)[3]] == ["second", "third"]


def test_messages_in_a_failed_structure_are_drawn_so():
    lab = Lab()
    group = lab.queue_sharing_group("BANK", ["MVSA", "MVSB"])
    member, _ = group.members
    member.mqsc("""
        DEFINE CFSTRUCT(PAY) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(SHARED) QSGDISP(SHARED) CFSTRUCT(PAY)
        """).require()
    member.put("SHARED", "kept", persistent=True)
    assert [state for state, _ in candles(lab)] == ["live"]
    group.fail_coupling_facility()
    assert candles(lab) == [
        ("logged", "Message 1 &quot;kept&quot;, persistent, priority 0: only in the log: its structure failed")
    ]


def test_behind_the_front_messages_are_runs_in_order_and_not_by_state(qm):
    for number in range(60):
        qm.put("Q", f"{number}", expiry=10 if number < 12 or number == 30 else -1)
    qm.lab.advance(2)
    depth, expired, _, messages, runs = fact(qm.lab)
    assert (depth, expired, len(messages)) == (60, 13, 8)
    assert runs == (("expired", 4), ("live", 18), ("expired", 1), ("live", 29))
    states = [state for state, _ in candles(qm.lab)]
    assert states[:2] == ["expired", "expired"]
    assert "12 expired, still counted, then 18 available, then 1 expired" in lab_picture(qm.lab).svg


def test_a_queue_of_live_messages_alone_needs_no_runs(qm):
    for number in range(50):
        qm.put("Q", f"{number}")
    assert not fact(qm.lab)[4]
    assert candles(qm.lab)[-1] == ("live", f"{50 - len(candles(qm.lab)) + 1} available")


def test_a_label_is_kept_on_the_way_and_when_the_message_is_gone(qm):
    lab, far = qm.lab, qm.lab.queue_manager("QM2")
    qm.mqsc("DEFINE QLOCAL(QM2) USAGE(XMITQ)\nDEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2)").require()
    far.mqsc("DEFINE QLOCAL(THERE)").require()
    qm.put("R", "a pizza with everything on it")
    assert [m.label for m in fact(lab, "QM1/QM2")[3]] == ["a pizza with everything"]
    qm.put("Q", "eaten")
    lab.advance(1)
    qm.get("Q")
    assert [m.label for m in facts_of(Scene(lab).frame(0))["QM1/Q"][6]] == ["eaten"]


def test_what_is_on_a_message_of_a_dead_letter_queue_and_when_the_oldest_came():
    lab = scenario_lab("poison")
    poison = lab_picture(lab, seq=77)
    says(poison.svg, 'class="kept"', "BackoutCount 5", "↩5")
    assert 'class="priority"' not in poison.svg, "all have one priority"
    assert "persistent message" in poison.key
    dead = facts_of(Scene(scenario_lab("dead-letters")).frame_after(49))["DEPOT/DEPOT.DLQ"]
    found = [(m.label, m.reason) for m in dead[6]]
    assert found == [("order 3", 2053), ("order 4", 2053), ("a broken chair", 2085)]
    lab, qm = lab_with("DEFINE QLOCAL(Q)")
    lab.advance(2)
    qm.put("Q", b"")
    lab.advance(3)
    qm.put("Q", b"", priority=9)
    assert facts_of(Scene(lab).frame(lab.now_us))["QM1/Q"][8] == 2_000_000
    assert len(facts_of(Scene(lab).frame(0))["QM1/Q"]) == 6


@given(st.lists(st.sampled_from(["put", "urgent", "get", "unit", "backout", "commit", "time"]), max_size=30))
def test_the_oldest_message_is_the_one_that_came_first_of_those_there(deeds):
    lab = Lab()
    app = lab.queue_manager("QM1").connect("APP")
    lab["QM1"].mqsc("DEFINE QLOCAL(Q)")
    replayed, seen, unit = State(), 0, app.unit_of_work()
    for deed in deeds:
        try:
            if deed in ("put", "urgent"):
                app.put("Q", b"", priority=9 if deed == "urgent" else 0)
            elif deed in ("get", "unit"):
                (unit if deed == "unit" else app).get("Q")
            elif deed in ("backout", "commit"):
                getattr(unit, deed)()
                unit = app.unit_of_work()
            else:
                lab.advance(1)
        except MQError:
            pass
        for row in lab.events[seen:]:
            replayed.apply(row)
        seen = len(lab.events)
        queue = replayed.queue("QM1", "Q")
        assert queue.oldest_us() == min((m.arrived_us for m in queue.messages.values()), default=None)
