"""Messages on a queue, from the queue manager to the picture: their order, states, runs, and labels."""

import re

import pytest

from helpers import made, scenario_lab
from mqlab import Lab
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
    qm = made("DEFINE QLOCAL(Q) MAXDEPTH(100)")
    return qm


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


def test_persistence_backouts_and_the_reason_of_a_dead_letter_are_on_the_message():
    lab = scenario_lab("poison")
    poison = lab_picture(lab, seq=77)
    assert 'class="kept"' in poison.svg
    assert "BackoutCount 5" in poison.svg
    assert "↩5" in poison.svg
    assert 'class="priority"' not in poison.svg, "all have one priority"
    assert "persistent message" in poison.key
    dead = scenario_lab("dead-letters")
    found = [(m.label, m.reason) for m in fact_at(dead, 49, "DEPOT/DEPOT.DLQ")]
    assert found == [("order 3", 2053), ("order 4", 2053), ("a broken chair", 2085)]


def fact_at(lab, seq, id):
    """The messages of a queue just after a row."""
    return facts_of(Scene(lab).frame_after(seq))[id][6]
