"""Scenarios about queue-sharing groups on z/OS."""

from __future__ import annotations

from typing import Any

from ...mq.errors import MQError
from .telling import answer, outcome, starts, story

_QUEUE = "SYSTEM.QSG.TRANSMIT.QUEUE"


@story(
    "Intra-group queuing against channels",
    "The link between two members is cut. Does a message still get from one to the other?",
    """Intra-group queuing needs no link and no channel, only the coupling facility.
    What waits on the shared transmission queue belongs to the group, not to the sender.
    Where two ways lead to one queue, order is not kept.""",
    "IGQ-01 IGQ-02 IGQ-05 IGQ-06 IGQ-11 CHL-01 CHL-03 CHL-04 CHL-09",
)
def igq_channels(lab: Any) -> None:
    """The same booking goes from one member of a queue-sharing group to another by the shared transmission queue and by
    a channel, with the link up and with it down."""
    lab.queue_sharing_group("BANK", ["MVSA", "MVSB"], intra_group_queuing=True)
    one, two = lab["MVSA"], lab["MVSB"]
    lab.link("MVSA", "MVSB", latency=0.1)
    one.mqsc("""
        DEFINE QLOCAL(MVSB) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(MVSA.MVSB) +
               INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE CHANNEL(MVSA.MVSB) CHLTYPE(SDR) TRPTYPE(TCP) CONNAME('MVSB') XMITQ(MVSB) SHORTTMR(10)
        """).require()
    two.mqsc("DEFINE CHANNEL(MVSA.MVSB) CHLTYPE(RCVR) TRPTYPE(TCP)\nDEFINE QLOCAL(LEDGER) DEFPSIST(YES)").require()
    lab.advance(1)
    branch = one.connect("BRANCH")
    lab.chapter(f"""Two ways from MVSA to MVSB
        Both are in queue-sharing group BANK. There is {_QUEUE}, which they share, and there is a transmission queue
        MVSB with a channel. A booking is put for LEDGER at MVSB. Which way does it go?""")
    branch.put("LEDGER@MVSB", "booking 1", persistent=True)
    lab.advance(1)
    lab.chapter(f"""By the shared queue
        IGQ is ENABLED, so MVSA put it on {_QUEUE}, and the agent of MVSB moved it from there to LEDGER, which holds
        {two.depth("LEDGER")}. No channel ran. Now the same put with IGQ(DISABLED) on MVSA.""")
    one.mqsc("ALTER QMGR IGQ(DISABLED)").require()
    branch.put("LEDGER@MVSB", "booking 2", persistent=True)
    lab.advance(3)
    lab.chapter(f"""By the channel
        The booking went on MVSB, which triggered the channel; a batch of one, committed at both ends. LEDGER holds
        {two.depth("LEDGER")}. Now the link between the two is cut. Which of the two ways still works?""")
    lab.cut("MVSA", "MVSB")
    branch.put("LEDGER@MVSB", "booking 3", persistent=True)
    lab.advance(5)
    one.mqsc("ALTER QMGR IGQ(ENABLED)").require()
    branch.put("LEDGER@MVSB", "booking 4", persistent=True)
    lab.advance(5)
    lab.chapter(f"""No link needed
        LEDGER holds {two.depth("LEDGER")}: booking 4 arrived through the coupling facility, ahead of booking 3, which
        waits on MVSB ({one.depth("MVSB")}) while the channel retries. Now MVSB ends, and booking 5 is put.""")
    two.stop()
    branch.put("LEDGER@MVSB", "booking 5", persistent=True)
    lab.advance(5)
    lab.chapter(f"""Kept by the group
        The put worked; {_QUEUE} holds {one.depth(_QUEUE)}. Now MVSA ends as well, and then MVSB starts, alone. Does it
        get booking 5? And booking 3?""")
    one.stop()
    lab.advance(1)
    two.start()
    lab.advance(5)
    lab.chapter(f"""The sender is not needed
        LEDGER holds {two.depth("LEDGER")}: booking 5 is there, for the shared queue belongs to the group. Booking 3 is
        on MVSA's own transmission queue. MVSA starts, and the link is restored.""")
    one.start()
    lab.restore("MVSA", "MVSB")
    lab.advance(30)
    order = ", ".join(two.get("LEDGER").body.decode()[-1:] for _ in range(two.depth("LEDGER")))
    lab.chapter(f"""All there, not in order
        The channel was tried again and brought booking 3. Got in this order: {order}. Two ways to one queue do not keep
        the order between them.""")


@story(
    "A member of the group fails",
    "A queue manager fails with an uncommitted payment from a shared queue. When can another one get it?",
    """Shared messages outlive the queue manager that worked on them.
    A peer backs out the failed member's shared work at once, without waiting for its restart.
    A get and a put in one unit of work book a payment once, whoever fails.""",
    "QSG-01 QSG-02 QSG-06 QSG-07 TRG-03 TRG-08 TRG-12c TRG-13c",
)
def member_failure(lab: Any) -> None:
    """A member of a queue-sharing group fails while its server has got a payment."""
    lab.queue_sharing_group("BANK", ["MVSA", "MVSB", "MVSC"])
    one, two, three = lab["MVSA"], lab["MVSB"], lab["MVSC"]
    one.mqsc("""
        DEFINE CFSTRUCT(PAY) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(BANK.INITQ) QSGDISP(GROUP)
        DEFINE PROCESS(PAY.PROCESS) QSGDISP(GROUP) APPLICID('PAYSERV')
        DEFINE QLOCAL(BOOKED) QSGDISP(SHARED) CFSTRUCT(PAY) SHARE DEFSOPT(SHARED) DEFPSIST(YES)
        DEFINE QLOCAL(PAYMENTS) QSGDISP(SHARED) CFSTRUCT(PAY) SHARE DEFSOPT(SHARED) DEFPSIST(YES) +
               TRIGGER TRIGTYPE(FIRST) PROCESS(PAY.PROCESS) INITQ(BANK.INITQ)
        """).require()

    def server(app: Any, trigger: Any) -> None:
        with app.open(trigger.queue, input="shared") as handle:
            while True:
                with app.unit_of_work() as unit:
                    try:
                        payment = handle.get(unit=unit)
                    except MQError:
                        return
                    app.qmgr.lab.advance(5)
                    app.put("BOOKED", payment.body, unit=unit)

    for each in (one, two):
        each.program("PAYSERV", server)
    one.trigger_monitor("BANK.INITQ")
    lab.advance(1)
    lab.chapter("""One queue, three members
        PAYMENTS is shared by MVSA, MVSB and MVSC. Each member has an initiation queue; MVSA has a trigger monitor
        running. A server books each payment in a unit of work that takes 5 seconds. MVSC puts a payment.""")
    three.connect("TELLER").put("PAYMENTS", "100 to Anna")
    lab.advance(3)
    lab.chapter(f"""In the hands of MVSA
        PAYSERV runs on MVSA and has got the payment, uncommitted: CURDEPTH says {three.depth("PAYMENTS")}. A second
        later, before the booking is done, MVSA fails. Where is the payment?""")
    lab.advance(1)
    one.fail()
    depth = three.depth("PAYMENTS")
    lab.advance(5)
    rows = lab.events.where(kind="backout", rule="QSG-07")
    lab.chapter(f"""Peer recovery
        In that moment {rows[-1].program if rows else "nobody"} backed out what MVSA had not committed: CURDEPTH said
        {depth} again, with MVSA still down. But there is no trigger monitor on MVSB or MVSC, so nothing serves it. An
        operator starts one on MVSB. Does that need another payment to fire?""")
    two.trigger_monitor("BANK.INITQ")
    lab.advance(10)
    lab.chapter(f"""Another member's turn
        No: a monitor that comes finds what waits. PAYSERV started {starts(lab, "PAYSERV", "MVSB")} time on MVSB. BOOKED
        holds {three.depth("BOOKED")}, PAYMENTS {three.depth("PAYMENTS")}. Was the payment booked once or twice?""")
    booked = answer(three.browse, "BOOKED")
    lab.chapter(f"""Once
        {booked}, once, from MVSB: on MVSA get and put were one unit of work, which was never committed. Now MVSA starts
        again, with its monitor, and another payment comes. How many servers start?""")
    one.start()
    one.trigger_monitor("BANK.INITQ")
    lab.advance(1)
    three.connect("TELLER").put("PAYMENTS", "20 to Bob")
    lab.advance(15)
    lab.chapter(f"""Back in the group
        Each member with a monitor writes its own trigger message. In all PAYSERV started
        {starts(lab, "PAYSERV", "MVSA")} times on MVSA and {starts(lab, "PAYSERV", "MVSB")} on MVSB. BOOKED holds
        {three.depth("BOOKED")}: one of the last two servers found nothing to do.""")


@story(
    "The coupling facility fails",
    "The coupling facility fails with five messages in it. How many are there after the recovery?",
    """Non-persistent messages are lost with the coupling facility.
    Persistent ones in a structure with RECOVER(YES) come back with RECOVER CFSTRUCT; until then 2373.
    A structure with RECOVER(NO) is made anew, empty, by the next open.""",
    "QSG-03 QSG-08 QSG-09 QSG-10",
)
def facility_failure(lab: Any) -> None:
    """The coupling facility of two structures fails: one of them can be recovered, the other cannot."""
    group = lab.queue_sharing_group("BANK", ["MVSA", "MVSB"])
    one, two = group.members
    one.mqsc("""
        DEFINE CFSTRUCT(PAY) CFLEVEL(4) RECOVER(YES)
        DEFINE CFSTRUCT(ASK) CFLEVEL(3) RECOVER(NO)
        DEFINE QLOCAL(PAYMENTS) QSGDISP(SHARED) CFSTRUCT(PAY) SHARE DEFSOPT(SHARED)
        DEFINE QLOCAL(BALANCES) QSGDISP(SHARED) CFSTRUCT(ASK) SHARE DEFSOPT(SHARED)
        """).require()
    lab.chapter("""Two structures
        PAYMENTS is in structure PAY, which can be recovered; BALANCES is in ASK, which cannot. PAYMENTS gets three
        messages, two of them persistent, and BALANCES two that are not.""")
    teller = one.connect("TELLER")
    for body, persistent in (("100 to Anna", True), ("a receipt for Anna", False), ("20 to Bob", True)):
        teller.put("PAYMENTS", body, persistent=persistent)
        lab.advance(1)
    for body in ("balance of Anna?", "balance of Bob?"):
        teller.put("BALANCES", body)
        lab.advance(1)
    lab.chapter(f"""Depths before
        PAYMENTS holds {two.depth("PAYMENTS")}, BALANCES {two.depth("BALANCES")}. Ten seconds later their coupling
        facility fails. Both members go on running: the structure that administers the group is in another facility.
        What is lost?""")
    lab.advance(10)
    group.fail_coupling_facility()
    lab.advance(1)
    lost = len(lab.events.where(kind="lost"))
    said = answer(two.get, "PAYMENTS")
    lab.chapter(f"""Out of reach
        {lost} messages are lost: all that were not persistent. The two persistent payments are kept, in the log of the
        member that put them. A get from PAYMENTS is answered {said}. And a put to BALANCES?""")
    said = outcome(two.put, "BALANCES", "balance of Carol?")
    lab.advance(5)
    lab.chapter(f"""Made anew
        The put was answered: {said}. A structure with RECOVER(NO) is allocated again, empty, by the next open. BALANCES
        holds {two.depth("BALANCES")}. For PAYMENTS an administrator types RECOVER CFSTRUCT(PAY).""")
    two.mqsc("RECOVER CFSTRUCT(PAY)").require()
    lab.advance(1)
    count = two.depth("PAYMENTS")
    lab.chapter(f"""Recovered
        PAYMENTS holds {count}. Which are these, in which order? MVSB gets them.""")
    got = [answer(two.get, "PAYMENTS") for _ in range(count)]
    lab.chapter(f"""The persistent ones
        {" and ".join(got)}: persistent, in their order. The receipt is gone. PAYMENTS holds {two.depth("PAYMENTS")},
        BALANCES {two.depth("BALANCES")}.""")
