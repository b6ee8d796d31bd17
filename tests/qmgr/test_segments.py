"""Segmentation, and what it means for triggering."""

import pytest

from mqlab import MQError


@pytest.fixture
def triggered(qm):
    """SMALL (10 bytes a message at first, 16 now) triggers EVERY; NEXT does too; a monitor's handle is open."""
    assert qm.mqsc("""
        DEFINE QLOCAL(INITQ)
        DEFINE PROCESS(P) APPLICID('SERVER')
        ALTER QLOCAL(SMALL) MAXMSGL(16) MAXDEPTH(5) TRIGGER TRIGTYPE(EVERY) INITQ(INITQ) PROCESS(P)
        DEFINE QLOCAL(NEXT) TRIGGER TRIGTYPE(EVERY) INITQ(INITQ) PROCESS(P)
        """).ok
    qm.open("INITQ", input="shared")
    return qm


@pytest.mark.rule("TRG-16")
def test_three_segments_are_one_event_at_the_put_and_three_when_they_move_on(lab, triggered):
    qm = triggered
    first = qm.put("SMALL", b"x" * 40, segmentation=True)
    assert (qm.depth("SMALL"), qm.depth("INITQ")) == (3, 1)
    assert lab.events.where(kind="trigger", object="SMALL")[-1].rule == "TRG-16"
    parts = [qm.get("SMALL") for _ in range(3)]
    assert [(m.offset, len(m.body), m.msg_flags) for m in parts] == [(0, 16, 2), (16, 16, 2), (32, 8, 6)]
    assert {m.group_id for m in parts} == {first.group_id}
    for part in parts:
        qm.put("NEXT", part.body)
    assert qm.depth("INITQ") == 4


def test_a_message_that_fits_is_not_segmented(triggered):
    assert triggered.put("SMALL", b"x" * 16, segmentation=True).msg_flags == 0


def test_all_segments_or_none(triggered):
    for _ in range(3):
        triggered.put("SMALL", b"x")
    with pytest.raises(MQError) as caught:
        triggered.put("SMALL", b"x" * 40, segmentation=True)
    assert (caught.value.reason, triggered.depth("SMALL")) == (2053, 3)


def test_segments_on_a_queue_that_does_not_trigger_and_in_a_unit(qm):
    assert qm.mqsc("ALTER QLOCAL(SMALL) MAXMSGL(16) MAXDEPTH(5)").ok
    with qm.unit_of_work() as unit:
        qm.put("SMALL", b"x" * 40, segmentation=True, unit=unit)
        with pytest.raises(MQError):
            qm.get("SMALL")
    assert [len(qm.get("SMALL").body) for _ in range(3)] == [16, 16, 8]
