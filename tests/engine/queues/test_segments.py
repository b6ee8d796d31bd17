"""Segmentation, and what it means for triggering."""

import pytest

from helpers import reason
from mqlab import MD
from mqlab import constants as mq


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


def test_a_message_that_fits_is_not_segmented_and_all_segments_are_put_or_none(triggered):
    for _ in range(3):
        assert triggered.put("SMALL", b"x" * 16, segmentation=True).msg_flags == 0
    assert (reason(triggered.put, "SMALL", b"x" * 40, segmentation=True), triggered.depth("SMALL")) == (2053, 3)


@pytest.mark.rule("MQI-31")
def test_the_length_of_a_segment(qm):
    with qm.open("ORDERS", input="shared", output=True) as h:
        middle, last = {"MsgFlags": mq.MQMF_SEGMENT}, {"MsgFlags": mq.MQMF_LAST_SEGMENT}
        assert reason(h.put, b"", md=MD(**middle)) == 2253
        for about, body, original in ((middle, b"", 0), (last, b"", -1), (middle, b"xx", 1)):
            assert reason(h.put, body, md=MD(MsgType=mq.MQMT_REPORT, OriginalLength=original, **about)) == 2252
        for about, given, original in (
            (MD(OriginalLength=7, **middle), b"xx", 2),
            (MD(**last), b"", 0),
            (MD(OriginalLength=7), b"xx", -1),
            (MD(MsgType=mq.MQMT_REPORT, OriginalLength=7, **middle), b"xx", 7),
        ):
            h.put(given, md=about)
            assert (about.OriginalLength, h.get().md.OriginalLength) == (original, original)


@pytest.mark.rule("MQI-18")
def test_segments_of_one_put_are_one_message_for_maxumsgs(qm):
    assert qm.mqsc("ALTER QLOCAL(SMALL) MAXMSGL(16) MAXDEPTH(9)\nALTER QMGR MAXUMSGS(2)").ok
    with qm.unit_of_work() as unit:
        for _ in range(2):
            qm.put("SMALL", b"x" * 40, segmentation=True, unit=unit)
        assert reason(unit.put, "SMALL", b"x") == 2024
    assert qm.depth("SMALL") == 6
