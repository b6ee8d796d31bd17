"""Where a message is stuck: one situation a row, with what holds it there and what would move it."""

import re

import pytest

from helpers import for_each, lab_error, made, needing
from mqlab import Lab

SENDING = """
DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) SHORTTMR(10)
"""
RECEIVING = """
DEFINE QLOCAL(ORDERS) MAXDEPTH(2)
DEFINE QLOCAL(DLQ)
DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) MRRTY(5) MRTMR(1000)
"""


class Sending:
    """QM1 that sends to QM2, 50 ms away, and the message that it sent last."""

    def __init__(self, sending=SENDING, receiving=RECEIVING, link=True, level=530):
        self.lab, self.message = Lab(), None
        made(sending, "QM1", of=self.lab, level=level)
        made(receiving, "QM2", of=self.lab, level=level)
        if link:
            self.lab.link("QM1", "QM2", latency=0.05)

    def at(self, name, commands):
        """Run commands that must succeed."""
        self.lab[name].mqsc(commands).require()
        return self

    def do(self, work):
        """Do this with the lab."""
        work(self.lab)
        return self

    def wait(self, seconds):
        """Let time pass."""
        return self.do(lambda lab: lab.advance(seconds))

    def cut(self):
        """Cut the link."""
        return self.do(lambda lab: lab.cut("QM1", "QM2"))

    def send(self, seconds=1, **options):
        """Send a persistent message for ORDERS, and give it time to travel."""
        self.message = self.lab["QM1"].put("ORDERS@QM2", b"x", **{"persistent": True, **options})
        return self.wait(seconds)

    def warm(self):
        """Let the channel run, so that the next message goes at once."""
        return self.send(persistent=False).do(lambda lab: lab["QM2"].get("ORDERS"))

    def quiet(self):
        """Let the channel run, and a heartbeat close the queue that the receiver keeps open."""
        return self.warm().wait(301)

    def stopped(self, more=""):
        """Stop the channel."""
        return self.at("QM1", f"STOP CHANNEL(TO.QM2) {more}")


def uncommitted():
    """A message in a unit of work that SHOP has not ended."""
    net = Sending()
    net.message = net.lab["QM1"].connect("SHOP").unit_of_work().put("ORDERS@QM2", b"x")
    return net.wait(1)


def ignoring(lab):
    """Start a handler that leaves dead letters where they are."""
    lab["QM2"].dead_letter_handler("INPUTQ(DLQ) WAIT(YES)\nACTION(IGNORE)")


DEADQ, NO_PUTS = "ALTER QMGR DEADQ(DLQ)", "ALTER QLOCAL(ORDERS) PUT(DISABLED)"
SITUATIONS = {
    "no channel": lambda: Sending("DEFINE QLOCAL(QM2) USAGE(XMITQ)").send(),
    "not triggered": lambda: Sending(SENDING.replace("TRIGGER TRIGTYPE(FIRST)", "NOTRIGGER")).send(),
    "no initiator": lambda: Sending().wait(1).do(lambda lab: lab["QM1"].channel_initiator.stop()).send(),
    "stopped": lambda: Sending().stopped().send(),
    "cut": lambda: Sending().cut().send(),
    "no link": lambda: Sending(link=False).send(),
    "partner ended": lambda: Sending().do(lambda lab: lab["QM2"].stop()).send(),
    "not defined there": lambda: Sending(receiving="DEFINE QLOCAL(ORDERS)").send(),
    "receiver stopped": lambda: Sending().warm().at("QM2", "STOP CHANNEL(TO.QM2)").wait(1).send(),
    "gets disabled": lambda: Sending(SENDING.replace("USAGE(XMITQ)", "USAGE(XMITQ) GET(DISABLED)")).send(),
    "uncommitted": uncommitted,
    "in doubt": lambda: Sending().warm().send(0.02).cut(),
    "arrived and in doubt": lambda: Sending().warm().send(0.06).cut(),
    "answer on its way": lambda: Sending().warm().send(0.06),
    "batch on its way": lambda: Sending().warm().send(0.02),
    "numbers apart": lambda: (
        Sending().send().stopped("STATUS(INACTIVE)").wait(1).at("QM2", "RESET CHANNEL(TO.QM2)").wait(1).send()
    ),
    "nowhere to put it": lambda: Sending().at("QM2", "DELETE QLOCAL(ORDERS)").send(),
    "behind others": lambda: Sending().stopped().send().send(),
    "behind one in message retry": lambda: Sending().warm().at("QM2", NO_PUTS).send(0.1).send(0.1),
    "in message retry": lambda: Sending().warm().at("QM2", NO_PUTS).send(0.1),
    "retried for a full queue": lambda: Sending().warm().send().send().send(0.2),
    "dead-lettered": lambda: Sending().warm().at("QM2", f"{DEADQ}\n{NO_PUTS}").send(20),
    "handled, for no queue": lambda: (
        Sending().quiet().at("QM2", f"{DEADQ}\nDELETE QLOCAL(ORDERS)").do(ignoring).send(20)
    ),
    "too long": lambda: Sending().warm().at("QM2", f"{DEADQ}\nALTER QLOCAL(ORDERS) MAXMSGL(0)").send(),
    "a model": lambda: Sending().quiet().at("QM2", f"{DEADQ}\nDELETE QLOCAL(ORDERS)\nDEFINE QMODEL(ORDERS)").send(),
    "expired on the way": lambda: Sending().stopped().send(5, expiry=20),
    "expired": lambda: Sending().stopped().send(5, expiry=20).at("QM1", "START CHANNEL(TO.QM2)").wait(1),
    "lost": lambda: Sending().warm().send(0.02, persistent=False).cut(),
    "flying": lambda: Sending().warm().send(0.02, persistent=False),
    "delivered": lambda: Sending().send(),
    "got": lambda: Sending().send().do(lambda lab: lab["QM2"].connect("BILLING").get("ORDERS")),
    "expired at the end": lambda: Sending().send(5, expiry=20),
}


def stuck(situation):
    """The lab of a situation, and the message that it is about."""
    net = SITUATIONS[situation]()
    return net.lab, net.message


STUCK, DEAD, ALLOW = "not delivered", "dead-lettered", "QM2: ALTER QLOCAL(ORDERS) PUT(ENABLED)"
CASES = [
    ("no channel", STUCK, "CHL-02", "no sender or server channel has XMITQ(QM2)", "QM1: DEFINE CHANNEL("),
    ("not triggered", STUCK, "TRG-09", "QM2 has NOTRIGGER", "QM1: START CHANNEL(TO.QM2)"),
    ("no initiator", STUCK, "CHL-16", "QM1 has none", "QM1: START CHINIT"),
    ("stopped", STUCK, "CHL-08", "TO.QM2 is STOPPED", "QM1: START CHANNEL(TO.QM2)"),
    ("cut", STUCK, "CHL-09", "; next at 09:00:10", "QM1: START CHANNEL(TO.QM2)"),
    ("cut", STUCK, "NET-01", "QM1 to QM2: it is cut", 'lab.restore("QM1", "QM2")'),
    ("no link", STUCK, "NET-01", "QM1 to QM2: there is none", 'lab.link("QM1", "QM2")'),
    ("partner ended", STUCK, "MQI-16", "QM2 is not running", 'lab["QM2"].start()'),
    ("not defined there", STUCK, "CHL-08", "TO.QM2 is not defined at QM2", "QM2: DEFINE CHANNEL(TO.QM2)"),
    ("receiver stopped", STUCK, "CHL-08", "TO.QM2 at QM2 is STOPPED", "QM2: START CHANNEL(TO.QM2)"),
    ("gets disabled", STUCK, "MQI-11", "QM2 has GET(DISABLED)", "QM1: ALTER QLOCAL(QM2) GET(ENABLED)"),
    ("uncommitted", STUCK, "MQI-05", "unit of work 1 of SHOP at QM1", "a commit by SHOP"),
    ("in doubt", "in doubt", "CHL-05", "a batch of 1", "RESOLVE CHANNEL(TO.QM2) ACTION(BACKOUT)"),
    ("arrived and in doubt", "delivered", "CHL-05", "QM2 of QM1 keeps it in doubt", "QM1: START CHANNEL(TO.QM2)"),
    ("answer on its way", "delivered", "CHL-05", "QM2 of QM1 keeps it in doubt", "until the partner answers"),
    ("batch on its way", "in doubt", "CHL-05", "a batch of 1", "until the partner answers"),
    ("numbers apart", STUCK, "CHL-09", "AMQ9526E", "QM1: RESET CHANNEL(TO.QM2) SEQNUM(1)"),
    ("nowhere to put it", STUCK, "CHL-17", "a message for ORDERS cannot be put: 2085", "QM2: DEFINE QLOCAL(ORDERS)"),
    ("behind others", STUCK, "CHL-02", "before it on QM2: 1", "first what moves message 1: lab.why_not_delivered(1)"),
    ("behind one in message retry", STUCK, "CHL-10", "is PAUSED with a message for ORDERS: 2051", ALLOW),
    ("in message retry", "in doubt", "CHL-10", "is PAUSED with a message for ORDERS: 2051", ALLOW),
    ("retried for a full queue", "in doubt", "CHL-10", "a message for ORDERS: 2053", "ALTER QLOCAL(ORDERS) MAXDEPTH("),
    ("dead-lettered", DEAD, "MQI-30", "TO.QM2 could not put it to ORDERS: 2051 MQRC_PUT_INHIBITED", ALLOW),
    ("handled, for no queue", DEAD, "MQI-14", "2085 MQRC_UNKNOWN_OBJECT_NAME", "QM2: DEFINE QLOCAL("),
    ("too long", DEAD, "MQI-10", "1 bytes; MAXMSGL of ORDERS is 0", "QLOCAL(ORDERS) MAXMSGL(1)"),
    ("a model", DEAD, "MQI-24", "ORDERS is a model queue", "define a queue of that name"),
    ("expired on the way", STUCK, "EXP-02", "it expired 3 s ago", "put it again"),
    ("expired", "discarded", "EXP-12", "reached it 3.1 s after it expired", "put it again"),
    ("lost", "lost", "CHL-07", "outside syncpoint when the session broke", "put it again"),
    ("flying", "in flight", None, "TO.QM2 is RUNNING", ""),
    ("delivered", "delivered", None, "CURDEPTH is 1", ""),
    ("got", "delivered", None, "BILLING at QM2 got it from ORDERS", ""),
    ("expired at the end", "expired where it was delivered", "EXP-02", "it expired 2.95 s ago", "put it again"),
]
"""A situation, the verdict, a rule that stands against delivery (None: nothing does), and words of the report."""


@for_each("situation, verdict, rule, fact, move", needing(CASES, dead_letters=("handled",)))
def test_where_it_is_stuck_and_what_would_move_it(situation, verdict, rule, fact, move):
    lab, message = stuck(situation)
    rows = len(lab.events)
    told = lab.why_not_delivered(message)
    assert told.verdict == verdict, str(told)
    assert fact in str(told), str(told)
    assert (rule in told.missing) if rule else not told.missing, str(told)
    assert any(move in each for each in told.moves) if rule else not told.moves, told.moves
    assert len(set(told.rows)) == len(told.rows), "no condition is shown twice"
    assert len(lab.events) == rows, "looking writes nothing"


@pytest.mark.needs("views")
@for_each("situation", {verdict: situation for situation, verdict, *_ in CASES}.values())
def test_its_card_says_so(situation):
    from mqlab.views import delivery_card

    lab, message = stuck(situation)
    told = lab.why_not_delivered(message)
    text, html = delivery_card(told)
    assert (text, html) == tuple(told._repr_mimebundle_()[kind] for kind in ("text/plain", "text/html"))
    assert told.verdict in html


@for_each("situation", ["answer on its way", "batch on its way"])
def test_no_command_is_advised_that_a_running_channel_would_refuse(situation):
    lab, message = stuck(situation)
    assert lab["QM1"].channels["TO.QM2", ""].active
    assert not any("CHANNEL(" in move for move in lab.why_not_delivered(message).moves)
    lab.advance(1)
    assert not lab.why_not_delivered(message).missing


@for_each(
    "situation",
    *("not triggered", "no initiator", "stopped", "partner ended", "not defined there", "receiver stopped", "cut"),
    *("behind one in message retry", "in message retry", "gets disabled", "no link", "no channel", "numbers apart"),
    "nowhere to put it",
)
def test_doing_what_it_says_delivers_the_message(situation):
    lab, message = stuck(situation)
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
    lab_error("message must be", Lab().why_not_delivered, 99)


@pytest.mark.needs("gates")
def test_what_the_partner_would_refuse_is_named_before_it_is_called():
    net = Sending(link=False, level=940).send()
    lab, message = net.lab, net.message
    assert "lets the channel in" not in str(lab.why_not_delivered(message))
    net.at("QM2", "SET CHLAUTH('TO.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)")
    answer = lab.why_not_delivered(message)
    assert "the record CHLAUTH(TO.*) TYPE(ADDRESSMAP) blocks queue manager QM1" in str(answer)
    assert "QM2: SET CHLAUTH('TO.QM2') TYPE(QMGRMAP) QMNAME('QM1') USERSRC(CHANNEL) ACTION(REPLACE)" in answer.moves
    net.at("QM1", "ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) SSLCIPH(ANY_TLS12)")
    assert "QM1 has SSLCIPH(ANY_TLS12), and QM2 has no CipherSpec" in str(lab.why_not_delivered(message))


@for_each("act, verdict", [("put", "not delivered"), ("get", "got, not committed")])
def test_a_unit_of_work_that_a_failure_left_open_is_backed_out_at_the_start(act, verdict):
    qm = made("DEFINE QLOCAL(Q)")
    shop = qm.connect("SHOP")
    unit = shop.unit_of_work()
    message = shop.put("Q", b"x", persistent=True, unit=unit if act == "put" else None)
    if act == "get":
        shop.get("Q", unit=unit)
    qm.fail()
    told = qm.lab.why_not_delivered(message)
    assert told.verdict == verdict
    assert "unit of work 1 of SHOP at QM1 was open when QM1 failed" in str(told)
    assert told.moves == ["nothing: QM1 backs it out when it starts"]
    qm.start()
    assert qm.lab.why_not_delivered(message).verdict == {"put": "backed out", "get": "delivered"}[act]


@for_each("kind, there", [("FIRST", True), ("EVERY", False)])
def test_a_trigger_message_in_a_unit_of_work_is_explained_before_and_after_its_backout(kind, there):
    qm = made(f"""
        DEFINE QLOCAL(INITQ)
        DEFINE PROCESS(P) APPLICID(S)
        DEFINE QLOCAL(WORK) TRIGGER TRIGTYPE({kind}) INITQ(INITQ) PROCESS(P)""")
    lab, monitor = qm.lab, qm.connect("MONITOR").open("INITQ", input="shared")
    unit = qm.connect("SHOP").unit_of_work()
    order = unit.put("WORK", b"x")
    [trigger] = [row.message for row in lab.events.where(kind="put", object="INITQ")]
    told = lab.why_not_delivered(trigger)
    assert (told.verdict, told.place) == ("not delivered", "it is on INITQ of QM1, not committed")
    unit.backout()
    assert lab.why_not_delivered(trigger).verdict == ("delivered" if there else "backed out")
    assert "now" not in lab.explain(order)
    assert ("became available" in lab.explain(order), "it is on INITQ now" in lab.explain(trigger)) == (False, there)
    assert ("nobody has got it from INITQ" in str(qm.why_not_triggered("WORK"))) is there
    monitor.close()


def test_a_message_that_a_program_disposes_of_twice_is_where_it_was_put_first():
    qm = made("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)")
    qm.put("Q", b"x", expiry=5)
    message = qm.get("Q")
    qm.reject(message, 2053)
    qm.lab.advance(1)
    qm.reject(message, 2053)
    assert "it is on DLQ now" in qm.lab.explain(message)
    assert qm.lab.why_not_delivered(message).place == "it is on DLQ of QM1"
