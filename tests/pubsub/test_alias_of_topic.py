"""An alias of a topic where a queue is usual: a channel's destination, a forward, a dead letter, and IBM's library."""

import pytest

from helpers import channel


@pytest.fixture
def two(lab):
    """Queue manager A with a remote queue R that leads to an alias of a topic at B; S has a subscription to it."""
    remote = "\nDEFINE QREMOTE(R) RNAME(TA) RQMNAME(B) XMITQ(B)"
    topic = """
        DEFINE TOPIC(T) TOPICSTR(t)
        DEFINE QALIAS(TA) TARGET(T) TARGTYPE(TOPIC)
        DEFINE QLOCAL(S)
        DEFINE SUB(X) TOPICSTR(t) DEST(S)
        DEFINE QLOCAL(Q)
        DEFINE QLOCAL(DLQ)
        ALTER QMGR DEADQ(DLQ)"""
    return channel(lab.queue_manager("A"), lab.queue_manager("B"), remote, topic, "A.B")


def test_a_channel_publishes_each_of_its_messages(lab, two):
    a, b = two
    for number in (1, 2, 3):
        a.put("R", f"{number}")
    a.mqsc("START CHANNEL(A.B)")
    lab.advance(5)
    assert [b.get("S").body for _ in range(3)] == [b"1", b"2", b"3"]


def test_a_handler_retries_what_the_alias_refused(lab, two):
    a, b = two
    b.mqsc("ALTER QALIAS(TA) PUT(DISABLED)").require()
    sent = a.put("R", "1")
    a.mqsc("START CHANNEL(A.B)")
    lab.advance(1)
    unmet = [step for step in lab.why_not_delivered(sent).rows if not step.holds]
    assert unmet[-1].move == "B: ALTER QALIAS(TA) PUT(ENABLED)"
    lab.advance(60)
    assert (b.depth("S"), b.depth("DLQ")) == (0, 1)
    assert "TA has PUT(DISABLED)" in str(lab.why_not_delivered(sent))
    b.mqsc("ALTER QALIAS(TA) PUT(ENABLED)").require()
    b.dead_letter_handler("ACTION(RETRY)")
    lab.advance(5)
    assert (b.depth("S"), b.depth("DLQ")) == (1, 0)


@pytest.mark.parametrize(("seconds", "kind", "published"), [(1, "forward", 1), (20, "discard", 0)])
def test_a_message_is_forwarded_to_it(lab, two, seconds, kind, published):
    _, b = two
    b.put("Q", "x", expiry=100)
    message = b.get("Q")
    lab.advance(seconds)
    b.forward(message, "TA")
    assert [row.object for row in lab.events.where(kind=kind)] == ["TA"]
    assert b.depth("S") == published


def test_ibms_library_puts_to_it(lab, two):
    _, b = two
    with lab.ibmmq():
        import ibmmq

        qmgr = ibmmq.connect("B")
        opened = ibmmq.OD(ObjectName=b"TA")
        qmgr.put1(opened, b"one")
        queue = ibmmq.Queue(qmgr, ibmmq.OD(ObjectName=b"TA"), ibmmq.CMQC.MQOO_OUTPUT)
        queue.put(b"two")
        queue.put(b"three")
    assert b.depth("S") == 3
