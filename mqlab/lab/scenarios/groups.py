"""Scenarios about queue sharing groups on z/OS."""

from __future__ import annotations

from typing import Any

from ...engine.words.errors import MQError
from .telling import Tell, answer, outcome, starts, story


@story
def igq_channels(lab: Any, shot: Tell) -> None:
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
    shot("Two routes from MVSA to MVSB")
    branch.put("LEDGER@MVSB", "booking 1", persistent=True)
    lab.advance(1)
    shot("The same put with IGQ(DISABLED)")
    first.mqsc("ALTER QMGR IGQ(DISABLED)").require()
    branch.put("LEDGER@MVSB", "booking 2", persistent=True)
    lab.advance(3)
    shot("The link is cut")
    lab.cut("MVSA", "MVSB")
    branch.put("LEDGER@MVSB", "booking 3", persistent=True)
    lab.advance(5)
    first.mqsc("ALTER QMGR IGQ(ENABLED)").require()
    branch.put("LEDGER@MVSB", "booking 4", persistent=True)
    lab.advance(5)
    shot("MVSB ends, then MVSA")
    two.stop()
    branch.put("LEDGER@MVSB", "booking 5", persistent=True)
    lab.advance(5)
    first.stop()
    lab.advance(1)
    two.start()
    lab.advance(5)
    shot("MVSA and the link are back")
    first.start()
    lab.restore("MVSA", "MVSB")
    lab.advance(30)
    order = ", ".join(two.get("LEDGER").body.decode()[-1:] for _ in range(two.depth("LEDGER")))
    shot("All there, but not in order", order=order)


@story
def member_failure(lab: Any, shot: Tell) -> None:
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
    shot("One queue, three members")
    three.connect("TELLER").put("PAYMENTS", "100 to Anna")
    lab.advance(3)
    shot("MVSA fails")
    lab.advance(1)
    first.fail()
    depth = three.depth("PAYMENTS")
    lab.advance(5)
    rows = lab.events.where(kind="backout", rule="QSG-07")
    shot("A trigger monitor on MVSB", backed_out_by=rows[-1].program if rows else "nobody", depth=depth)
    two.trigger_monitor("BANK.INITQ")
    lab.advance(10)
    shot("A look at BOOKED", at_mvsb=starts(lab, "PAYSERV", "MVSB"))
    booked = answer(three.browse, "BOOKED")
    shot("MVSA starts again", booked=booked)
    first.start()
    first.trigger_monitor("BANK.INITQ")
    lab.advance(1)
    three.connect("TELLER").put("PAYMENTS", "20 to Bob")
    lab.advance(15)
    shot("Two servers for one payment", at_mvsa=starts(lab, "PAYSERV", "MVSA"), at_mvsb=starts(lab, "PAYSERV", "MVSB"))


@story
def facility_failure(lab: Any, shot: Tell) -> None:
    group = lab.queue_sharing_group("BANK", ["MVSA", "MVSB"])
    first, two = group.members
    first.mqsc("""
        DEFINE CFSTRUCT(PAY) CFLEVEL(4) RECOVER(YES)
        DEFINE CFSTRUCT(ASK) CFLEVEL(3) RECOVER(NO)
        DEFINE QLOCAL(PAYMENTS) QSGDISP(SHARED) CFSTRUCT(PAY) SHARE DEFSOPT(SHARED)
        DEFINE QLOCAL(BALANCES) QSGDISP(SHARED) CFSTRUCT(ASK) SHARE DEFSOPT(SHARED)
        """).require()
    shot("Two structures")
    teller = first.connect("TELLER")
    for body, persistent in (("100 to Anna", True), ("a receipt for Anna", False), ("20 to Bob", True)):
        teller.put("PAYMENTS", body, persistent=persistent)
        lab.advance(1)
    for body in ("balance of Anna?", "balance of Bob?"):
        teller.put("BALANCES", body)
        lab.advance(1)
    shot("Both structures fail")
    lab.advance(10)
    group.fail_coupling_facility()
    lab.advance(1)
    lost = len(lab.events.where(kind="lost"))
    result = answer(two.get, "PAYMENTS")
    shot("The next put to BALANCES", lost=lost, result=result)
    result = outcome(two.put, "BALANCES", "balance of Carol?")
    lab.advance(5)
    shot("RECOVER CFSTRUCT(PAY)", result=result)
    two.mqsc("RECOVER CFSTRUCT(PAY)").require()
    lab.advance(1)
    count = two.depth("PAYMENTS")
    shot("The recovered payments", count=count)
    got = [answer(two.get, "PAYMENTS") for _ in range(count)]
    shot("Only the persistent payments", got=" and ".join(got))
