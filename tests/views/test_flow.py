"""How old the oldest message of a queue is, in the facts that a picture is drawn from."""

from hypothesis import given
from hypothesis import strategies as st

from helpers import lab_with
from mqlab import Lab, MQError
from mqlab.engine.explain.replay import State
from mqlab.views.drawing.scene import Scene
from mqlab.views.drawing.topology import facts_of


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


def test_a_fact_tells_when_the_oldest_message_came():
    lab, qm = lab_with("DEFINE QLOCAL(Q)")
    lab.advance(2)
    qm.put("Q", b"")
    lab.advance(3)
    qm.put("Q", b"", priority=9)
    assert facts_of(Scene(lab).frame(lab.now_us))["QM1/Q"][8] == 2_000_000
    assert len(facts_of(Scene(lab).frame(0))["QM1/Q"]) == 6
