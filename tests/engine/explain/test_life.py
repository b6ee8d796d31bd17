"""A message's life in sentences, across queue managers; every line is held against a row of the log."""

import re

import pytest

from helpers import lab_with, made, refusal
from mqlab import Lab, MQError

EXCEPTION, EXPIRATION = 0x0100_0000, 0x0020_0000


def there_and_back(sending: str = "", receiving: str = "") -> Lab:
    """QM1 and QM2, 50 ms apart, each with a channel to the other."""
    lab = Lab()
    for here, there, more in (("QM1", "QM2", sending), ("QM2", "QM1", receiving)):
        lab.queue_manager(here).mqsc(f"""
            DEFINE QLOCAL({there}) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA({here}.{there}) +
                   INITQ(SYSTEM.CHANNEL.INITQ)
            DEFINE CHANNEL({here}.{there}) CHLTYPE(SDR) CONNAME({there}) XMITQ({there}) SHORTTMR(10)
            DEFINE CHANNEL({there}.{here}) CHLTYPE(RCVR) MRRTY(2) MRTMR(500)
            DEFINE QLOCAL(ORDERS)
            DEFINE QLOCAL(REPLIES)
            DEFINE QLOCAL(DLQ)
            {more}""").require()
    lab.link("QM1", "QM2", latency=0.05)
    return lab


def lines(lab, message) -> list[str]:
    """The explanation without times, each line's rule checked against the log at that moment."""
    told = lab.explain(message).splitlines()
    at = {(f"{e.time_us // 10_000}", e.rule) for e in lab.events}
    for line in told[:-1]:
        found = re.fullmatch(r"(\d\d):(\d\d):(\d\d)\.(\d\d)  .*  \[([A-Z]{3}-\d\d[a-z]?) .*\]", line)
        if found and " was " not in line and "has been" not in line:
            hours, minutes, seconds, hundredths = map(int, found.groups()[:4])
            moment = ((hours - 9) * 3600 + minutes * 60 + seconds) * 100 + hundredths
            assert (f"{moment}", found[5]) in at, line
    return [line[13:].partition("  [")[0] for line in told]


def test_across_two_queue_managers():
    lab = there_and_back()
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=True, expiry=600)
    lab.advance(1)
    assert lines(lab, message) == [
        "a program at QM1 put message 1 for ORDERS@QM2 on transmission queue QM2, priority 0, expires in 60 s",
        "QM1.QM2 at QM1 got it from QM2 in unit of work 1 after 0.1 s, expires in 59.9 s",
        "QM1.QM2 at QM1 asked the other end to commit the batch: unit of work 1 is in doubt",
        "QM1.QM2 at QM2 put message 1 on ORDERS in unit of work 2, priority 0, expires in 59.9 s",
        "QM1.QM2 at QM2 committed unit of work 2",
        "QM1.QM2 at QM1 learned that the batch, unit of work 1, is committed at the other end",
        "QM1.QM2 at QM1 committed unit of work 1",
        "it is on ORDERS of QM2 now",
    ]


def test_a_wait_for_a_link_that_was_cut_and_for_an_operator():
    lab = there_and_back()
    lab.cut("QM1", "QM2")
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=True)
    lab.advance(25)
    assert "QM1.QM2 has been RETRYING since 09:00:00.00 (3 times): AMQ9202E" in lab.explain(message)
    lab.restore("QM1", "QM2")
    lab.advance(10)
    said = (
        "QM1.QM2 at QM1 was RETRYING from 09:00:00.00 to 09:00:30.00 (3 times): AMQ9202E: remote host not "
        "available: the path from QM1 to QM2 is cut"
    )
    assert lines(lab, message)[1] == said
    lab = there_and_back()
    assert lab["QM1"].mqsc("STOP CHANNEL(QM1.QM2)").ok
    lab.advance(2)
    message = lab["QM1"].put("ORDERS@QM2", b"x")
    lab.advance(3)
    assert lab["QM1"].mqsc("START CHANNEL(QM1.QM2)").ok
    lab.advance(1)
    assert "was STOPPED from 09:00:02.00 to 09:00:05.00: STOP CHANNEL MODE(QUIESCE)" in lab.explain(message)


def test_dead_lettered_with_its_report_and_where_that_went():
    lab = there_and_back(receiving="ALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(ORDERS) PUT(DISABLED)")
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=True, report=EXCEPTION, reply_to_q="REPLIES")
    lab.advance(5)
    told = lines(lab, message)
    wanted = [
        "QM1.QM2 at QM2 was PAUSED from 09:00:00.15 to 09:00:01.15 (2 times): 2051",
        "QM1.QM2 at QM2 failed to put on ORDERS: 2051 MQRC_PUT_INHIBITED",
        "QM1.QM2 at QM2 put message 1 on the dead-letter queue DLQ in unit of work 2",
        "QM2 sent report message 3 to REPLIES@QM1 through transmission queue QM1",
        "QM2.QM1 at QM1 put report message 3 on REPLIES",
        "it is on DLQ of QM2 now",
    ]
    assert [each for line in told for each in wanted if line.startswith(each)] == wanted


def test_a_report_that_nobody_takes_is_told_as_far_as_its_dead_letter():
    lab = there_and_back(sending="ALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(REPLIES) PUT(DISABLED)")
    message = lab["QM1"].put("ORDERS", b"x", expiry=10, report=EXPIRATION, reply_to_q="REPLIES")
    lab.advance(5)
    refusal(MQError, "2033", lab["QM1"].get, "ORDERS")
    assert lines(lab, message)[1:] == [
        "QM1 discarded it from ORDERS: a call by a program reached it 4 s after it expired",
        "QM1 failed to send a report to REPLIES: 2051 MQRC_PUT_INHIBITED",
        "QM1 put report message 2 on the dead-letter queue DLQ, priority 0 (2051 MQRC_PUT_INHIBITED at REPLIES)",
    ]


@pytest.mark.needs("dead_letters")
def test_dead_lettered_and_put_on_by_the_handler():
    lab = there_and_back(receiving="ALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(ORDERS) PUT(DISABLED)")
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=True)
    lab.advance(5)
    assert lab["QM2"].mqsc("ALTER QLOCAL(ORDERS) PUT(ENABLED)").ok
    lab["QM2"].dead_letter_handler("INPUTQ(DLQ)\nACTION(RETRY)")
    lab.advance(5)
    told = lines(lab, message)
    assert any(line.startswith("RUNMQDLQ at QM2 checked it on DLQ: line 2, action RETRY") for line in told)
    again = r"RUNMQDLQ at QM2 put message 1 on ORDERS in unit of work \d+, priority 0"
    assert any(re.fullmatch(again, line) for line in told)
    assert told[-1] == "it is on ORDERS of QM2 now"


def cut_after(seconds, persistent):
    """A lab whose channel runs, and a message that had been under way for so long when the link was cut."""
    lab = there_and_back()
    lab["QM1"].put("ORDERS@QM2", b"0")
    lab.advance(1)
    message = lab["QM1"].put("ORDERS@QM2", b"x", persistent=persistent)
    lab.advance(seconds)
    lab.cut("QM1", "QM2")
    lab.advance(1)
    return lab, message


def test_a_fast_message_that_is_lost():
    lab, message = cut_after(0.02, persistent=False)
    told = "it was lost in flight: QM1.QM2 had sent it outside syncpoint when the session broke"
    assert lines(lab, message)[-1] == told


def test_a_batch_in_doubt_that_a_channel_settles_and_one_that_an_operator_backs_out():
    lab, message = cut_after(0.06, persistent=True)
    assert not [line for line in lines(lab, message) if "heard" in line]
    lab.restore("QM1", "QM2")
    lab.advance(20)
    told = lines(lab, message)
    assert "QM1.QM2 at QM1 asked what became of the in-doubt batch, unit of work 2: it is committed" in told
    lab, message = cut_after(0.02, persistent=True)
    assert lab["QM1"].mqsc("STOP CHANNEL(QM1.QM2)\nRESOLVE CHANNEL(QM1.QM2) ACTION(BACKOUT)").ok
    told = lines(lab, message)
    assert "an operator resolved the in-doubt batch, unit of work 2, of QM1.QM2: it is backed out" in told
    assert told[-1] == "it is on QM2 now"


def test_lost_with_its_queue_manager_with_nowhere_to_put_it_and_expired_at_the_receiver():
    lab = there_and_back()
    lab.cut("QM1", "QM2")
    message = lab["QM1"].put("ORDERS@QM2", b"x")
    lab.advance(1)
    lab["QM1"].stop()
    assert lines(lab, message)[-1] == "it was lost from QM2 when QM1 ended: it was nonpersistent"
    lab = there_and_back(receiving="DELETE QLOCAL(ORDERS)")
    message = lab["QM1"].put("ORDERS@QM2", b"x")
    lab.advance(1)
    told = lines(lab, message)[-1]
    assert told == (
        "it was lost: QM1.QM2 at QM2 could put it neither to ORDERS (2085 MQRC_UNKNOWN_OBJECT_NAME) nor anywhere else"
    )
    lab = there_and_back(receiving="ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    message = lab["QM1"].put("ORDERS@QM2", b"x", expiry=5)
    lab.advance(5)
    told = lines(lab, message)[-1]
    assert re.match(r"QM1.QM2 at QM2 held it and discarded it on its way to ORDERS of QM2, [\d.]+ s after", told), told


@pytest.mark.needs("sharing")
def test_an_agent_s_refused_put_to_an_unknown_queue_is_told_as_a_channel_s_is():
    lab = Lab()
    group = lab.queue_sharing_group("QSG1", ["QMA", "QMB"], intra_group_queuing=True)
    for member in group.members:
        member.mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").require()
    lab.run()
    message = lab["QMA"].put("NOWHERE@QMB", b"x", persistent=True)
    lab.run()
    told = lines(lab, message)
    refused = "IGQ.AGENT at QMB failed to put on NOWHERE: 2085 MQRC_UNKNOWN_OBJECT_NAME"
    buried = (
        "IGQ.AGENT at QMB put message 1 on the dead-letter queue SYSTEM.DEAD.LETTER.QUEUE in unit of work 2, "
        "priority 0 (2085 MQRC_UNKNOWN_OBJECT_NAME at NOWHERE)"
    )
    assert refused in told
    assert told.index(refused) + 1 == told.index(buried)
    other = there_and_back(receiving="ALTER QMGR DEADQ(DLQ)")
    message = other["QM1"].put("NOWHERE@QM2", b"x", persistent=True)
    other.advance(5)
    assert refused.replace("IGQ.AGENT at QMB", "QM1.QM2 at QM2") in lines(other, message)


@pytest.mark.needs("sharing")
def test_a_refusal_is_found_where_the_dead_letter_queue_is_shared():
    lab = Lab()
    lab.queue_sharing_group("QSG1", ["QMA", "QMB"])
    lab["QMA"].mqsc("""
        DEFINE CFSTRUCT(APP) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(DLQ) QSGDISP(SHARED) CFSTRUCT(APP)
        ALTER QMGR DEADQ(DLQ)
        DEFINE CHANNEL(C) CHLTYPE(RCVR)""").require()
    sender = made("DEFINE QLOCAL(QMA) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(QMA) XMITQ(QMA)", of=lab)
    lab.link("QM1", "QMA")
    sender.mqsc("START CHANNEL(C)").require()
    message = sender.put("NOWHERE@QMA", b"x", persistent=True)
    lab.advance(20)
    told = lines(lab, message)
    refused = told.index("C at QMA failed to put on NOWHERE: 2085 MQRC_UNKNOWN_OBJECT_NAME")
    assert told[refused + 1].startswith("C at QMA put message 1 on the dead-letter queue DLQ in unit of work 2")
    assert told[-1] == "it is on DLQ of QSG1 now"


def test_an_explanation_reads_the_rows_of_its_message_and_no_others(monkeypatch):
    lab, qm = lab_with("DEFINE QLOCAL(Q) MAXDEPTH(5000)")
    messages = [qm.put("Q", b"x", expiry=600) for _ in range(2000)]
    qm.get("Q")
    told = lab.explain(messages[1000])
    read = []
    whole = type(lab.events)._event
    monkeypatch.setattr(type(lab.events), "_event", lambda log, seq: read.append(seq) or whole(log, seq))
    assert lab.explain(messages[1000]) == told
    assert len(read) < 10
    qm.put("Q", b"y")
    assert "it is on Q now" in lab.explain(2001)
