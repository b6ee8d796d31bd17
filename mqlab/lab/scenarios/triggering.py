"""Scenarios about triggering."""

from __future__ import annotations

from typing import Any

from ..sample_server import sample_server
from .telling import serve, starts, story


@story(
    "FIRST, EVERY, and DEPTH under one load",
    "The same six orders arrive on three queues, each with another trigger type, and the lab counts the starts.",
    "Six orders arrive: three together, then one at a time. How many servers does each trigger type start?",
    """FIRST starts a server when a message arrives on the empty queue, and the server must empty the queue.
    EVERY starts a server for each message, even if other servers are running.
    DEPTH turns triggering off when it fires, and its server must turn it on again.""",
    "TRG-03 TRG-04 TRG-09 TRG-13",
)
def first_every_depth(lab: Any) -> None:
    qm = lab.queue_manager("SHOP")
    lab.shot("""Three queues, one for each trigger type
        BY.FIRST, BY.EVERY, and BY.DEPTH have the trigger types FIRST, EVERY, and DEPTH with TRIGDPTH(3). Each starts
        its own server, which gets orders until none is left, works a second on each, and ends. One trigger monitor
        starts them all.""")
    qm.mqsc("DEFINE QLOCAL(SHOP.INITQ) DESCR('Trigger messages')").require()
    for kind in ("FIRST", "EVERY", "DEPTH"):
        qm.mqsc(f"""
            DEFINE PROCESS({kind}.PROCESS) APPLICID('{kind}.SERVER')
            DEFINE QLOCAL(BY.{kind}) SHARE DEFSOPT(SHARED) +
                   TRIGGER TRIGTYPE({kind}) TRIGDPTH(3) +
                   PROCESS({kind}.PROCESS) INITQ(SHOP.INITQ)
            """).require()
        qm.program(f"{kind}.SERVER", serve(1))
    qm.trigger_monitor("SHOP.INITQ")
    lab.advance(1)

    def arrive(*orders: str) -> None:
        for order in orders:
            for kind in ("FIRST", "EVERY", "DEPTH"):
                qm.put(f"BY.{kind}", order)
            lab.advance(0.1)

    def counted() -> str:
        return "Starts: " + ", ".join(f"{kind} {starts(lab, f'{kind}.SERVER')}" for kind in ("FIRST", "EVERY", "DEPTH"))

    lab.shot("""Three orders together
        Three orders arrive within half a second, on each queue. How many servers start?""")
    arrive("tea", "rice", "soap")
    lab.advance(10)
    lab.shot(f"""Two single orders
        {counted()}. One FIRST server processed all three orders, one after the other. The three EVERY servers ran at
        the same time. DEPTH waited for the third order. Now two single orders arrive, 10 seconds apart. Which queues
        start a server for them?""")
    arrive("salt")
    lab.advance(10)
    arrive("bread")
    lab.advance(10)
    lab.shot(f"""A third order for DEPTH
        {counted()}. BY.DEPTH started nothing: {qm.depth("BY.DEPTH")} orders wait for a third. Now the third arrives.
        Does a DEPTH server start?""")
    arrive("milk")
    lab.advance(10)
    switch = "TRIGGER" if qm.objects.get("QLOCAL", "BY.DEPTH").attributes["TRIGGER"] else "NOTRIGGER"
    lab.shot(f"""An administrator turns triggering on
        {counted()}. BY.DEPTH holds {qm.depth("BY.DEPTH")}. When DEPTH fires, it turns triggering off on its queue, and
        nothing turned it on again: the queue has {switch}. An administrator sets TRIGGER. What happens?""")
    qm.mqsc("ALTER QLOCAL(BY.DEPTH) TRIGGER").require()
    lab.advance(10)
    lab.shot(f"""Triggering is off again
        {counted()}. The trigger fired at once for the orders on the queue. BY.DEPTH holds {qm.depth("BY.DEPTH")}, and
        triggering is off again. A server for DEPTH must set TRIGGER itself before it ends.""")


@story(
    "The trigger that fires once",
    "The first order starts a server, and the server ends before it opens its queue.",
    "A triggered server ended too soon and left one message. Four more arrive. How many servers start?",
    """FIRST fires when a message arrives on the empty queue. A message that was left behind blocks it.
    After TRIGINT, a later put fires again; the default is eleven and a half days.
    NOTRIGGER and then TRIGGER fires for the messages that are on the queue.""",
    "TRG-03 TRG-11 TRG-13",
)
def trigger_once(lab: Any) -> None:
    qm = lab.queue_manager("SHOP")
    lab.shot("""A server that needs paper
        Orders start PICKER, which prints a slip for each. TRIGTYPE(FIRST) starts it when an order arrives on the empty
        queue. PICKER first looks for paper; without paper it ends before it opens the queue. There is no paper, and one
        order arrives. Does PICKER start, and where is the order then?""")
    qm.mqsc("""
        DEFINE QLOCAL(SHOP.INITQ) DESCR('Trigger messages')
        DEFINE QLOCAL(PAPER)      DESCR('A message here is a pack of paper')
        DEFINE QLOCAL(SLIPS)      DESCR('Printed slips')
        DEFINE PROCESS(PICK.PROCESS) APPLICID('PICKER')
        DEFINE QLOCAL(ORDERS) SHARE DEFSOPT(SHARED) +
               TRIGGER TRIGTYPE(FIRST) PROCESS(PICK.PROCESS) INITQ(SHOP.INITQ)
        """).require()

    def picker(app: Any, trigger: Any) -> None:
        if app.depth("PAPER"):
            serve(0.5, "SLIPS")(app, trigger)

    qm.program("PICKER", picker)
    qm.trigger_monitor("SHOP.INITQ")
    lab.advance(1)
    qm.put("ORDERS", "tea")
    lab.advance(5)
    lab.shot(f"""Paper, and four more orders
        PICKER was started {starts(lab, "PICKER")} time and ended at once; ORDERS holds {qm.depth("ORDERS")}. Now
        someone brings paper, and four more orders arrive. How many times is PICKER started for them?""")
    qm.put("PAPER", "500 sheets")
    for order in ("rice", "soap", "salt", "bread"):
        qm.put("ORDERS", order)
        lab.advance(5)
    lab.shot(f"""A shorter TRIGINT
        PICKER starts: still {starts(lab, "PICKER")}. ORDERS holds {qm.depth("ORDERS")}. The four did not arrive on an
        empty queue. FIRST fires again after TRIGINT, which is 999999999 ms: eleven and a half days. The
        administrator types ALTER QMGR TRIGINT(10000).""")
    lab.advance(15)
    qm.mqsc("ALTER QMGR TRIGINT(10000)").require()
    lab.shot("""More than 10 seconds later
        TRIGINT is now 10 seconds, and more time has passed since the last trigger message. Did the command start
        PICKER, or does it take something else?""")
    lab.advance(30)
    depth_then = qm.depth("ORDERS")
    qm.put("ORDERS", "milk")
    lab.advance(10)
    lab.shot(f"""The paper runs out
        The put did. Half a minute after the command, ORDERS still held {depth_then}. The next put fired, because
        TRIGINT had passed. PICKER served them all: {qm.depth("SLIPS")} slips, ORDERS holds {qm.depth("ORDERS")}. Now
        the paper runs out, and an order arrives. Does PICKER take it?""")
    qm.get("PAPER")
    qm.put("ORDERS", "eggs")
    lab.advance(10)
    qm.mqsc("ALTER QLOCAL(ORDERS) NOTRIGGER").require()
    qm.put("PAPER", "500 sheets")
    lab.shot(f"""Off and on
        PICKER ended without paper; ORDERS holds {qm.depth("ORDERS")}. There is paper again, but no new order is
        expected tonight. The administrator has turned triggering off. What happens when triggering is turned on
        again?""")
    qm.mqsc("ALTER QLOCAL(ORDERS) TRIGGER").require()
    lab.advance(10)
    lab.shot(f"""No put was needed
        When triggering is turned on, the queue manager checks the trigger conditions, and the trigger fired. ORDERS
        holds {qm.depth("ORDERS")}; PICKER was started {starts(lab, "PICKER")} times altogether.""")


@story(
    "The poison message",
    "A server gets a message that it cannot process, backs out, and gets the message again.",
    "BOTHRESH is 3, and a message has been backed out four times. Where is it?",
    """A message that is backed out is restored to its position, ahead of later messages.
    Triggering turns that into a loop.
    BOTHRESH and BOQNAME are advice to applications: the queue manager does not act on them.""",
    "MQI-06 MQI-07 MQI-08 TRG-11 TRG-12b TRG-12c",
)
def poison(lab: Any) -> None:
    qm = lab.queue_manager("SHOP")
    lab.shot("""A server and a good order
        ORDERS starts the server PACKER. It gets each order within a unit of work, packs for a second, puts the order on
        PACKED, and commits. If PACKER cannot read an order, it backs out and ends. The first order can be read.""")
    qm.mqsc("""
        DEFINE QLOCAL(SHOP.INITQ) DESCR('Trigger messages')
        DEFINE QLOCAL(PACKED)
        DEFINE QLOCAL(ORDERS.BAD) DESCR('For a person to look at')
        DEFINE PROCESS(PACK.PROCESS) APPLICID('PACKER')
        DEFINE QLOCAL(ORDERS) DEFPSIST(YES) SHARE DEFSOPT(SHARED) HARDENBO +
               TRIGGER TRIGTYPE(FIRST) PROCESS(PACK.PROCESS) INITQ(SHOP.INITQ)
        """).require()

    def pack(app: Any, message: Any, unit: Any) -> Any:
        app.qmgr.lab.advance(1)
        return b"?" not in message.body and app.put("PACKED", message.body, unit=unit)

    qm.program("PACKER", sample_server(pack))
    qm.trigger_monitor("SHOP.INITQ")
    lab.advance(1)
    qm.put("ORDERS", "2 x tea")
    lab.advance(4)
    lab.shot("""A damaged order
        The next order is damaged, and a good order arrives right behind it. PACKER backs the damaged order out, and it
        is restored to the head of the queue. How many times is PACKER started in the next five and a half seconds?""")
    before = starts(lab, "PACKER")
    qm.put("ORDERS", "? x ???")
    qm.put("ORDERS", "1 x soap")
    lab.advance(5.5)
    lab.shot(f"""BOTHRESH and BOQNAME
        {starts(lab, "PACKER") - before} times. It is a loop: each close leaves messages behind, so the trigger fires
        again, and each get returns the same order. PACKED holds {qm.depth("PACKED")}: the good order never has its
        turn. An administrator sets BOTHRESH and BOQNAME.""")
    qm.mqsc("ALTER QLOCAL(ORDERS) BOTHRESH(3) BOQNAME(ORDERS.BAD)").require()
    lab.shot("""The next backout
        Each backout adds 1 to BackoutCount. The queue now has BOTHRESH(3), the limit, and BOQNAME(ORDERS.BAD), the
        queue for orders beyond the limit. Who acts on them: the queue manager, or the server?""")
    lab.advance(6)
    lab.shot(f"""A program that ignores BOTHRESH
        The server does. PACKER inquires them each time it opens the queue, and it moved the order itself. ORDERS.BAD
        holds {qm.depth("ORDERS.BAD")}, PACKED {qm.depth("PACKED")}, ORDERS {qm.depth("ORDERS")}. Now OLDPACK, which
        never inquires them, gets a damaged order and backs out, four times. Where is that order then?""")
    qm.mqsc("ALTER QLOCAL(ORDERS) NOTRIGGER").require()
    bad = qm.put("ORDERS", "? x ?")
    for _ in range(4):
        unit = qm.connect("OLDPACK").unit_of_work()
        bad = unit.get("ORDERS")
        unit.backout()
        lab.advance(1)
    lab.shot(f"""Still on ORDERS
        OLDPACK got it four times, and at the last get BackoutCount was {bad.backout_count}. BOTHRESH is 3, yet ORDERS
        holds {qm.depth("ORDERS")}, and ORDERS.BAD still holds {qm.depth("ORDERS.BAD")}. The queue manager moves
        nothing.""")
