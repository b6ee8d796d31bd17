"""Where a message is stuck: one situation a row, with what holds it there and what would move it."""

import re
from typing import NamedTuple

import pytest

from helpers import for_each
from mqlab import Lab, LabError

SENDING = """
DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) SHORTTMR(10)
"""
RECEIVING = """
DEFINE QLOCAL(ORDERS) MAXDEPTH(2)
DEFINE QLOCAL(DLQ)
DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) MRRTY(5) MRTMR(1000)
"""


def two(sending: str = SENDING, receiving: str = RECEIVING, link: bool = True, level: int = 530) -> Lab:
    """QM1 that sends to QM2, 50 ms away."""
    lab = Lab()
    one, other = lab.queue_manager("QM1", level=level), lab.queue_manager("QM2", level=level)
    if link:
        lab.link("QM1", "QM2", latency=0.05)
    for qmgr, text in ((one, sending), (other, receiving)):
        assert not text or qmgr.mqsc(text).ok
    return lab


def sent(lab: Lab, seconds: float = 1, **options):
    """A persistent message for ORDERS@QM2, and time for it to travel."""
    message = lab["QM1"].put("ORDERS@QM2", b"x", **{"persistent": True, **options})
    lab.advance(seconds)
    return message


def warm(lab: Lab) -> Lab:
    """Let the channel run, so that the next message goes at once."""
    sent(lab, persistent=False)
    lab["QM2"].get("ORDERS")
    return lab


def quiet(lab: Lab) -> Lab:
    """Let the channel run, and a heartbeat close the queue that the receiver keeps open."""
    warm(lab).advance(301)
    return lab


def command(lab: Lab, qmgr: str, text: str) -> Lab:
    assert lab[qmgr].mqsc(text).ok
    return lab


def no_channel():
    lab = two("DEFINE QLOCAL(QM2) USAGE(XMITQ)")
    return lab, sent(lab)


def not_triggered():
    lab = two(SENDING.replace("TRIGGER TRIGTYPE(FIRST)", "NOTRIGGER"))
    return lab, sent(lab)


def no_initiator():
    lab = two()
    lab.advance(1)
    lab["QM1"].channel_initiator.stop()
    return lab, sent(lab)


def stopped():
    lab = command(two(), "QM1", "STOP CHANNEL(TO.QM2)")
    return lab, sent(lab)


def cut():
    lab = two()
    lab.cut("QM1", "QM2")
    return lab, sent(lab)


def no_link():
    lab = two(link=False)
    return lab, sent(lab)


def partner_ended():
    lab = two()
    lab["QM2"].stop()
    return lab, sent(lab)


def not_defined_there():
    lab = two(receiving="DEFINE QLOCAL(ORDERS)")
    return lab, sent(lab)


def receiver_stopped_after_a_session():
    lab = command(warm(two()), "QM2", "STOP CHANNEL(TO.QM2)")
    lab.advance(1)
    return lab, sent(lab)


def gets_disabled():
    lab = two(SENDING.replace("USAGE(XMITQ)", "USAGE(XMITQ) GET(DISABLED)"))
    return lab, sent(lab)


def uncommitted():
    lab = two()
    unit = lab["QM1"].connect("SHOP").unit_of_work()
    message = unit.put("ORDERS@QM2", b"x")
    lab.advance(1)
    return lab, message


def in_doubt():
    lab = warm(two())
    message = sent(lab, 0.02)
    lab.cut("QM1", "QM2")
    return lab, message


def arrived_and_in_doubt():
    lab = warm(two())
    message = sent(lab, 0.06)
    lab.cut("QM1", "QM2")
    return lab, message


def answer_on_its_way():
    lab = warm(two())
    return lab, sent(lab, 0.06)


def batch_on_its_way():
    lab = warm(two())
    return lab, sent(lab, 0.02)


def numbers_apart():
    lab = two()
    sent(lab, 1)
    for qmgr, text in (("QM1", "STOP CHANNEL(TO.QM2) STATUS(INACTIVE)"), ("QM2", "RESET CHANNEL(TO.QM2)")):
        command(lab, qmgr, text)
        lab.advance(1)
    return lab, sent(lab)


def nowhere_to_put_it():
    return (lab := command(two(), "QM2", "DELETE QLOCAL(ORDERS)")), sent(lab)


def behind_others():
    lab = command(two(), "QM1", "STOP CHANNEL(TO.QM2)")
    sent(lab)
    return lab, sent(lab)


def behind_one_in_message_retry():
    lab = command(warm(two()), "QM2", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    sent(lab, 0.1)
    return lab, sent(lab, 0.1)


def in_message_retry():
    lab = command(warm(two()), "QM2", "ALTER QLOCAL(ORDERS) PUT(DISABLED)")
    return lab, sent(lab, 0.1)


def retried_for_a_full_queue():
    lab = warm(two())
    sent(lab)
    sent(lab)
    return lab, sent(lab, 0.2)


def dead_lettered():
    lab = command(warm(two()), "QM2", "ALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(ORDERS) PUT(DISABLED)")
    return lab, sent(lab, 20)


def dead_lettered_for_no_queue():
    lab = command(quiet(two()), "QM2", "ALTER QMGR DEADQ(DLQ)\nDELETE QLOCAL(ORDERS)")
    lab["QM2"].dead_letter_handler("INPUTQ(DLQ) WAIT(YES)\nACTION(IGNORE)")
    return lab, sent(lab, 20)


def dead_lettered_as_too_long():
    lab = command(warm(two()), "QM2", "ALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(ORDERS) MAXMSGL(0)")
    return lab, sent(lab)


def dead_lettered_for_a_model():
    text = "ALTER QMGR DEADQ(DLQ)\nDELETE QLOCAL(ORDERS)\nDEFINE QMODEL(ORDERS)"
    return (lab := command(quiet(two()), "QM2", text)), sent(lab)


def expired_on_the_way():
    lab = command(two(), "QM1", "STOP CHANNEL(TO.QM2)")
    return lab, sent(lab, 5, expiry=20)


def expired():
    lab = command(two(), "QM1", "STOP CHANNEL(TO.QM2)")
    message = sent(lab, 5, expiry=20)
    command(lab, "QM1", "START CHANNEL(TO.QM2)")
    lab.advance(1)
    return lab, message


def lost():
    lab = warm(two())
    message = sent(lab, 0.02, persistent=False)
    lab.cut("QM1", "QM2")
    return lab, message


def flying():
    lab = warm(two())
    return lab, sent(lab, 0.02, persistent=False)


def delivered():
    lab = two()
    return lab, sent(lab)


def got():
    lab, message = delivered()
    lab["QM2"].connect("BILLING").get("ORDERS")
    return lab, message


def expired_at_the_end():
    lab = two()
    return lab, sent(lab, 5, expiry=20)


class Case(NamedTuple):
    """A situation, the verdict, a rule that stands against delivery (None: nothing does), and words of the report."""

    make: object
    verdict: str
    rule: str | None
    fact: str
    move: str


STUCK, DEAD, ALLOW = "not delivered", "dead-lettered", "QM2: ALTER QLOCAL(ORDERS) PUT(ENABLED)"
CASES = [
    Case(no_channel, STUCK, "CHL-02", "no sender or server channel has XMITQ(QM2)", "QM1: DEFINE CHANNEL("),
    Case(not_triggered, STUCK, "TRG-09", "QM2 has NOTRIGGER", "QM1: START CHANNEL(TO.QM2)"),
    Case(no_initiator, STUCK, "CHL-16", "QM1 has none", "QM1: START CHINIT"),
    Case(stopped, STUCK, "CHL-08", "TO.QM2 is STOPPED", "QM1: START CHANNEL(TO.QM2)"),
    Case(cut, STUCK, "CHL-09", "; next at 09:00:10", "QM1: START CHANNEL(TO.QM2)"),
    Case(cut, STUCK, "NET-01", "QM1 to QM2: it is cut", 'lab.restore("QM1", "QM2")'),
    Case(no_link, STUCK, "NET-01", "QM1 to QM2: there is none", 'lab.link("QM1", "QM2")'),
    Case(partner_ended, STUCK, "MQI-16", "QM2 is not running", 'lab["QM2"].start()'),
    Case(not_defined_there, STUCK, "CHL-08", "TO.QM2 is not defined at QM2", "QM2: DEFINE CHANNEL(TO.QM2)"),
    Case(receiver_stopped_after_a_session, STUCK, "CHL-08", "TO.QM2 at QM2 is STOPPED", "QM2: START CHANNEL(TO.QM2)"),
    Case(gets_disabled, STUCK, "MQI-11", "QM2 has GET(DISABLED)", "QM1: ALTER QLOCAL(QM2) GET(ENABLED)"),
    Case(uncommitted, STUCK, "MQI-05", "unit of work 1 of SHOP at QM1", "a commit by SHOP"),
    Case(in_doubt, "in doubt", "CHL-05", "a batch of 1", "RESOLVE CHANNEL(TO.QM2) ACTION(BACKOUT)"),
    Case(arrived_and_in_doubt, "delivered", "CHL-05", "QM2 of QM1 keeps it in doubt", "QM1: START CHANNEL(TO.QM2)"),
    Case(answer_on_its_way, "delivered", "CHL-05", "QM2 of QM1 keeps it in doubt", "until the partner answers"),
    Case(batch_on_its_way, "in doubt", "CHL-05", "a batch of 1", "until the partner answers"),
    Case(numbers_apart, STUCK, "CHL-09", "AMQ9526E", "QM1: RESET CHANNEL(TO.QM2) SEQNUM(1)"),
    Case(nowhere_to_put_it, STUCK, "CHL-17", "a message for ORDERS cannot be put: 2085", "QM2: DEFINE QLOCAL(ORDERS)"),
    Case(behind_others, STUCK, "CHL-02", "before it on QM2: 1", "first what moves message 1: lab.why_not_delivered(1)"),
    Case(behind_one_in_message_retry, STUCK, "CHL-10", "is PAUSED with a message for ORDERS: 2051", ALLOW),
    Case(in_message_retry, "in doubt", "CHL-10", "is PAUSED with a message for ORDERS: 2051", ALLOW),
    Case(
        retried_for_a_full_queue, "in doubt", "CHL-10", "a message for ORDERS: 2053", "ALTER QLOCAL(ORDERS) MAXDEPTH("
    ),
    Case(dead_lettered, DEAD, "MQI-30", "TO.QM2 could not put it to ORDERS: 2051 MQRC_PUT_INHIBITED", ALLOW),
    Case(dead_lettered_for_no_queue, DEAD, "MQI-14", "2085 MQRC_UNKNOWN_OBJECT_NAME", "QM2: DEFINE QLOCAL("),
    Case(dead_lettered_as_too_long, DEAD, "MQI-10", "1 bytes; MAXMSGL of ORDERS is 0", "QLOCAL(ORDERS) MAXMSGL(1)"),
    Case(dead_lettered_for_a_model, DEAD, "MQI-24", "ORDERS is a model queue", "define a queue of that name"),
    Case(expired_on_the_way, STUCK, "EXP-02", "it expired 3 s ago", "put it again"),
    Case(expired, "discarded", "EXP-12", "reached it 3.1 s after it expired", "put it again"),
    Case(lost, "lost", "CHL-07", "outside syncpoint when the session broke", "put it again"),
    Case(flying, "in flight", None, "TO.QM2 is RUNNING", ""),
    Case(delivered, "delivered", None, "CURDEPTH is 1", ""),
    Case(got, "delivered", None, "BILLING at QM2 got it from ORDERS", ""),
    Case(expired_at_the_end, "expired where it was delivered", "EXP-02", "it expired 2.95 s ago", "put it again"),
]

PARAMETERS = [
    pytest.param(
        case,
        id=f"{case.make.__name__}-{case.rule}",
        marks=[pytest.mark.needs("dead_letters")] if case.make is dead_lettered_for_no_queue else [],
    )
    for case in CASES
]


@for_each("case", PARAMETERS)
def test_where_it_is_stuck_and_what_would_move_it(case):
    lab, message = case.make()
    rows = len(lab.events)
    told = lab.why_not_delivered(message)
    assert told.verdict == case.verdict, str(told)
    assert case.fact in str(told), str(told)
    assert (case.rule in told.missing) if case.rule else not told.missing, str(told)
    assert any(case.move in move for move in told.moves) if case.rule else not told.moves, told.moves
    assert len(set(told.rows)) == len(told.rows), "no condition is shown twice"
    assert len(lab.events) == rows, "looking writes nothing"


@pytest.mark.needs("views")
@for_each("case", PARAMETERS)
def test_its_card_says_so(case):
    from mqlab.views import delivery_card

    lab, message = case.make()
    told = lab.why_not_delivered(message)
    text, html = delivery_card(told)
    assert (text, html) == tuple(told._repr_mimebundle_()[kind] for kind in ("text/plain", "text/html"))
    assert case.verdict in html


@pytest.mark.parametrize("make", [answer_on_its_way, batch_on_its_way])
def test_no_command_is_advised_that_a_running_channel_would_refuse(make):
    lab, message = make()
    assert lab["QM1"].channels["TO.QM2", ""].active
    assert not any("CHANNEL(" in move for move in lab.why_not_delivered(message).moves)
    lab.advance(1)
    assert not lab.why_not_delivered(message).missing


HELPED = """not_triggered no_initiator stopped partner_ended not_defined_there receiver_stopped_after_a_session
    gets_disabled behind_one_in_message_retry in_message_retry cut no_link no_channel numbers_apart nowhere_to_put_it"""


@for_each("case", [case for case in CASES if case.make.__name__ in HELPED.split()])
def test_doing_what_it_says_delivers_the_message(case):
    lab, message = case.make()
    for _ in range(4):
        told = lab.why_not_delivered(message)
        if told.verdict == "delivered":
            break
        for move in told.moves:
            do(lab, move)
        lab.advance(15)
    assert told.verdict == "delivered", str(told)


def do(lab: Lab, move: str) -> None:
    """Carry out what a report says, as far as it is a command; "..." is filled in."""
    move = move.rpartition("; or ")[2]
    if move.startswith("lab"):
        owner, name, arguments = re.fullmatch(r'lab(?:\["(\w+)"\])?\.(\w+)\((.*)\)', move).groups()
        getattr(lab[owner] if owner else lab, name)(*re.findall(r'"(\w+)"', arguments))
    elif move[:5] in ("QM1: ", "QM2: "):
        text = move[5:].replace("DEFINE CHANNEL(...)", "DEFINE CHANNEL(TO.QM2)").replace("CONNAME(...)", "CONNAME(QM2)")
        lab[move[:3]].mqsc(text)  # one that is no longer needed is refused


def test_a_message_that_is_not_known():
    with pytest.raises(LabError, match="message must be"):
        two().why_not_delivered(99)


@pytest.mark.needs("gates")
def test_what_the_partner_would_refuse_is_named_before_it_is_called():
    lab = two(link=False, level=940)
    message = sent(lab)
    assert "lets the channel in" not in str(lab.why_not_delivered(message))
    command(lab, "QM2", "SET CHLAUTH('TO.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)")
    answer = lab.why_not_delivered(message)
    assert "the record CHLAUTH(TO.*) TYPE(ADDRESSMAP) blocks queue manager QM1" in str(answer)
    assert "QM2: SET CHLAUTH('TO.QM2') TYPE(QMGRMAP) QMNAME('QM1') USERSRC(CHANNEL) ACTION(REPLACE)" in answer.moves
    command(lab, "QM1", "ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) SSLCIPH(ANY_TLS12)")
    assert "QM1 has SSLCIPH(ANY_TLS12), and QM2 has no CipherSpec" in str(lab.why_not_delivered(message))
