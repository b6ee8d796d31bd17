"""The sample server: it empties its queue, and moves what it cannot work on to the backout queue."""

import pytest

from helpers import lab_error, refusal
from mqlab.lab.sample_server import sample_server


@pytest.fixture
def served(lab, qm):
    """ORDERS triggers SERVER, with BOTHRESH(3) and POISON behind it; the bodies it worked on."""
    qm.mqsc("""
        DEFINE QLOCAL(POISON)
        DEFINE QLOCAL(INITQ)
        DEFINE PROCESS(SERVER) APPLICID('SERVER')
        ALTER QLOCAL(ORDERS) TRIGGER TRIGTYPE(FIRST) PROCESS(SERVER) INITQ(INITQ) BOTHRESH(3) BOQNAME(POISON)
        """).require()
    done = []

    def work(app, message, unit):
        if message.body == b"poison":
            return False
        done.append(message.body)
        return app.put("REPLIES", message.body.upper(), unit=unit)

    qm.program("SERVER", sample_server(work))
    qm.trigger_monitor("INITQ")
    lab.run()
    return done


@pytest.mark.rule("TRG-12b", "TRG-12c")
def test_a_poison_message_is_moved_at_the_threshold_and_the_others_are_served(lab, qm, served):
    poison = qm.put("ORDERS", b"poison", persistent=True, correl_id=b"C", priority=5, expiry=600)
    for body in (b"one", b"two"):
        qm.put("ORDERS", body)
    lab.run()
    assert (served, qm.depth("ORDERS"), qm.depth("REPLIES"), qm.depth("POISON")) == ([b"one", b"two"], 0, 2, 1)
    moved = qm.get("POISON")
    assert (moved.number, moved.body, moved.persistent) == (poison.number, b"poison", True)
    assert (moved.msg_id, moved.correl_id, moved.priority) == (poison.msg_id, poison.correl_id, 5)
    restored = [row for row in lab.events.where(kind="restore") if row.message == poison.number]
    assert len(restored) == 3, "BOTHRESH(3): three attempts"


def test_without_a_backout_queue_the_guard_stops_it_and_work_must_be_callable(lab, qm, served):
    from mqlab import RunawayTrigger

    qm.mqsc("ALTER QLOCAL(ORDERS) BOTHRESH(0)")
    qm.put("ORDERS", b"poison")
    refusal(RunawayTrigger, "", lab.run)
    assert qm.depth("ORDERS") == 1
    lab_error("work must be", sample_server, "SERVER")
