"""Scenarios about queue sharing groups on z/OS."""

from __future__ import annotations

from typing import Any

from ...engine.words.errors import MQError
from .telling import answer, outcome, starts, story

_QUEUE = "SYSTEM.QSG.TRANSMIT.QUEUE"


@story(
    "Intra-group queuing against channels",
    """Bookings go from one member of a queue sharing group to another, through the shared transmission queue or through
    a channel, while the link works and while it is down.""",
    "The link between two members is cut. Does a message still get from one member to the other?",
    """Intra-group queuing needs no link and no channel, only the coupling facility.
    A message on the shared transmission queue belongs to the group, not to its sender.
    If two routes lead to one queue, messages can arrive in another order.""",
    "IGQ-01 IGQ-02 IGQ-05 IGQ-06 IGQ-11 CHL-01 CHL-03 CHL-04 CHL-09",
)
def igq_channels(lab: Any) -> None:
    lab.queue_sharing_group("BANK", ["MVSA", "MVSB"], intra_group_queuing=True)
    first, two = lab["MVSA"], lab["MVSB"]
    lab.link("MVSA", "MVSB", latency=0.1)
    first.mqsc("""
        DEFINE QLOCAL(MVSB) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(MVSA.MVSB) +
               INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE CHANNEL(MVSA.MVSB) CHLTYPE(SDR) TRPTYPE(TCP) CONNAME('MVSB') XMITQ(MVSB) SHORTTMR(10)
        """).require()
    two.mqsc("DEFINE CHANNEL(MVSA.MVSB) CHLTYPE(RCVR) TRPTYPE(TCP)\nDEFINE QLOCAL(LEDGER) DEFPSIST(YES)").require()
    lab.advance(1)
    branch = first.connect("BRANCH")
    lab.shot(f"""Two routes from MVSA to MVSB
        Both are in the queue sharing group BANK. They share the transmission queue {_QUEUE}. MVSA also has its own
        transmission queue MVSB, with a channel. The program BRANCH puts a booking for LEDGER on MVSB. Which route does
        the booking take?""")
    branch.put("LEDGER@MVSB", "booking 1", persistent=True)
    lab.advance(1)
    lab.shot(f"""The same put with IGQ(DISABLED)
        MVSA has IGQ(ENABLED), so it put the booking on {_QUEUE}, and the IGQ agent of MVSB moved it to LEDGER, which
        holds {two.depth("LEDGER")}. No channel ran. Now the same put with IGQ(DISABLED) on MVSA. Which route does it
        take?""")
    first.mqsc("ALTER QMGR IGQ(DISABLED)").require()
    branch.put("LEDGER@MVSB", "booking 2", persistent=True)
    lab.advance(3)
    lab.shot(f"""The link is cut
        The booking was put on the transmission queue MVSB, which triggered the channel, and both ends committed a batch
        of one. LEDGER holds {two.depth("LEDGER")}. Now the link is cut. Booking 3 is put with IGQ(DISABLED), and
        booking 4 with IGQ(ENABLED). Which of them arrives?""")
    lab.cut("MVSA", "MVSB")
    branch.put("LEDGER@MVSB", "booking 3", persistent=True)
    lab.advance(5)
    first.mqsc("ALTER QMGR IGQ(ENABLED)").require()
    branch.put("LEDGER@MVSB", "booking 4", persistent=True)
    lab.advance(5)
    lab.shot(f"""MVSB ends, then MVSA
        LEDGER holds {two.depth("LEDGER")}: booking 4 arrived through the coupling facility, ahead of booking 3, which
        waits on the transmission queue MVSB ({first.depth("MVSB")}) while the channel retries. Now MVSB ends, and
        booking 5 is put. MVSA ends too, and MVSB starts alone. Which bookings does it get?""")
    two.stop()
    branch.put("LEDGER@MVSB", "booking 5", persistent=True)
    lab.advance(5)
    first.stop()
    lab.advance(1)
    two.start()
    lab.advance(5)
    lab.shot(f"""MVSA and the link are back
        LEDGER holds {two.depth("LEDGER")}: booking 5 is there, because the shared queue belongs to the group. Booking 3
        is on the transmission queue MVSB of MVSA. MVSA starts, and the link is restored. In which order does a program
        get the bookings from LEDGER?""")
    first.start()
    lab.restore("MVSA", "MVSB")
    lab.advance(30)
    order = ", ".join(two.get("LEDGER").body.decode()[-1:] for _ in range(two.depth("LEDGER")))
    lab.shot(f"""All there, but not in order
        The channel retried and moved booking 3. A program on MVSB got the bookings in this order: {order}. Messages
        that take two routes to one queue do not keep their order.""")


@story(
    "A member of the group fails",
    "A member of a queue sharing group fails while its server holds an uncommitted payment.",
    "A queue manager fails with an uncommitted payment from a shared queue. When can another member get it?",
    """A message on a shared queue survives the failure of a queue manager that had got it.
    A peer backs out the shared work of the failed member at once and does not wait for its restart.
    A get and a put within one unit of work book a payment once, even if a member fails.""",
    "QSG-01 QSG-02 QSG-06 QSG-07 TRG-03 TRG-08 TRG-12c TRG-13c",
)
def member_failure(lab: Any) -> None:
    lab.queue_sharing_group("BANK", ["MVSA", "MVSB", "MVSC"])
    first, two, three = lab["MVSA"], lab["MVSB"], lab["MVSC"]
    first.mqsc("""
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

    for each in (first, two):
        each.program("PAYSERV", server)
    first.trigger_monitor("BANK.INITQ")
    lab.advance(1)
    lab.shot("""One queue, three members
        PAYMENTS is shared by MVSA, MVSB, and MVSC. Each member has an initiation queue, but only MVSA runs a trigger
        monitor. The server PAYSERV books each payment within a unit of work, which takes 5 seconds. The program TELLER
        on MVSC puts a payment.""")
    three.connect("TELLER").put("PAYMENTS", "100 to Anna")
    lab.advance(3)
    lab.shot(f"""MVSA fails
        PAYSERV runs on MVSA and has got the payment, uncommitted: CURDEPTH is {three.depth("PAYMENTS")}. A second
        later, before PAYSERV commits the booking, MVSA fails. Where is the payment?""")
    lab.advance(1)
    first.fail()
    depth = three.depth("PAYMENTS")
    lab.advance(5)
    rows = lab.events.where(kind="backout", rule="QSG-07")
    lab.shot(f"""A trigger monitor on MVSB
        When MVSA failed, {rows[-1].program if rows else "nobody"} backed out its uncommitted work: CURDEPTH was {depth}
        again while MVSA was down. But neither MVSB nor MVSC runs a trigger monitor, so no server starts. An operator
        starts a trigger monitor on MVSB. Does PAYSERV need another payment to start?""")
    two.trigger_monitor("BANK.INITQ")
    lab.advance(10)
    lab.shot(f"""A look at BOOKED
        No: a trigger monitor that starts finds the waiting payment. PAYSERV started {starts(lab, "PAYSERV", "MVSB")}
        time on MVSB. BOOKED holds {three.depth("BOOKED")}, PAYMENTS {three.depth("PAYMENTS")}. Was the payment booked
        once or twice? A browse shows it.""")
    booked = answer(three.browse, "BOOKED")
    lab.shot(f"""MVSA starts again
        {booked} is on BOOKED once, from MVSB. On MVSA, the get and the put were one unit of work, which was never
        committed. Now MVSA starts again, with its trigger monitor, and TELLER puts another payment. How many servers
        start?""")
    first.start()
    first.trigger_monitor("BANK.INITQ")
    lab.advance(1)
    three.connect("TELLER").put("PAYMENTS", "20 to Bob")
    lab.advance(15)
    lab.shot(f"""Two servers for one payment
        Each member with a trigger monitor writes its own trigger message. PAYSERV started
        {starts(lab, "PAYSERV", "MVSA")} times on MVSA and {starts(lab, "PAYSERV", "MVSB")} times on MVSB. BOOKED holds
        {three.depth("BOOKED")}: one of the last two servers found no payment.""")


@story(
    "The coupling facility fails",
    "The coupling facility (CF) with two structures fails. One structure can be recovered, the other cannot.",
    "The coupling facility fails with five messages in it. How many are on the queues after the recovery?",
    """Nonpersistent messages are lost with the coupling facility.
    RECOVER CFSTRUCT restores the persistent messages of a structure with RECOVER(YES). Until then, gets fail with 2373.
    The next open re-creates a structure with RECOVER(NO), empty.""",
    "QSG-03 QSG-08 QSG-09 QSG-10",
)
def facility_failure(lab: Any) -> None:
    group = lab.queue_sharing_group("BANK", ["MVSA", "MVSB"])
    first, two = group.members
    first.mqsc("""
        DEFINE CFSTRUCT(PAY) CFLEVEL(4) RECOVER(YES)
        DEFINE CFSTRUCT(ASK) CFLEVEL(3) RECOVER(NO)
        DEFINE QLOCAL(PAYMENTS) QSGDISP(SHARED) CFSTRUCT(PAY) SHARE DEFSOPT(SHARED)
        DEFINE QLOCAL(BALANCES) QSGDISP(SHARED) CFSTRUCT(ASK) SHARE DEFSOPT(SHARED)
        """).require()
    lab.shot("""Two structures
        Queue PAYMENTS is in structure PAY, which can be recovered; queue BALANCES is in structure ASK, which cannot.
        The program TELLER puts three messages on PAYMENTS, two of them persistent, and two nonpersistent messages on
        BALANCES.""")
    teller = first.connect("TELLER")
    for body, persistent in (("100 to Anna", True), ("a receipt for Anna", False), ("20 to Bob", True)):
        teller.put("PAYMENTS", body, persistent=persistent)
        lab.advance(1)
    for body in ("balance of Anna?", "balance of Bob?"):
        teller.put("BALANCES", body)
        lab.advance(1)
    lab.shot(f"""Both structures fail
        PAYMENTS holds {two.depth("PAYMENTS")}, BALANCES {two.depth("BALANCES")}. Ten seconds later the coupling
        facility that contains both structures fails. Both members continue to run: the structure that administers the
        group is in another facility. Which messages are lost?""")
    lab.advance(10)
    group.fail_coupling_facility()
    lab.advance(1)
    lost = len(lab.events.where(kind="lost"))
    result = answer(two.get, "PAYMENTS")
    lab.shot(f"""The next put to BALANCES
        {lost} messages are lost: all nonpersistent ones. The two persistent payments are in the log of MVSA, which put
        them. A get from PAYMENTS returned {result}. What does a put to BALANCES return?""")
    result = outcome(two.put, "BALANCES", "balance of Carol?")
    lab.advance(5)
    lab.shot(f"""RECOVER CFSTRUCT(PAY)
        The put returned {result}. The open allocated the structure ASK, which has RECOVER(NO), again and empty:
        BALANCES holds {two.depth("BALANCES")}. For PAYMENTS, an administrator types RECOVER CFSTRUCT(PAY).""")
    two.mqsc("RECOVER CFSTRUCT(PAY)").require()
    lab.advance(1)
    count = two.depth("PAYMENTS")
    lab.shot(f"""The recovered payments
        PAYMENTS holds {count}. A program on MVSB gets them. Which payments are they, and in which order?""")
    got = [answer(two.get, "PAYMENTS") for _ in range(count)]
    lab.shot(f"""Only the persistent payments
        {" and ".join(got)}, persistent and in their order. The receipt, which was nonpersistent, is lost. PAYMENTS
        holds {two.depth("PAYMENTS")}, BALANCES {two.depth("BALANCES")}.""")
