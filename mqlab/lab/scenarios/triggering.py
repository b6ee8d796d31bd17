"""Scenarios about triggering."""

from __future__ import annotations

from typing import Any

from ...programs.sample_server import sample_server
from .telling import serve, starts, story


@story(
    "FIRST, EVERY and DEPTH under one load",
    "Six orders: three together, then one at a time. How many servers does each trigger type start?",
    """FIRST starts one server for each time the queue stops being empty; the server must empty it.
    EVERY starts one for each message, whether others run already or not.
    DEPTH turns triggering off when it fires; its server has to turn it on again.""",
    "TRG-03 TRG-04 TRG-09 TRG-13",
)
def first_every_depth(lab: Any) -> None:
    """The same six orders arrive on three queues, each with another trigger type. The starts are counted."""
    qm = lab.queue_manager("SHOP")
    lab.chapter("""Three queues, one for each trigger type
        FIRST, EVERY and DEPTH(3). Each starts its own server, which takes orders until none is left, a second each, and
        ends. One trigger monitor starts them all.""")
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

    lab.chapter("""Three orders at once
        Three orders come within half a second, to each queue. How many servers start?""")
    arrive("tea", "rice", "soap")
    lab.advance(10)
    lab.chapter(f"""Started so far
        {counted()}. One server of FIRST took all three, one after the other; EVERY had three side by side; DEPTH waited
        for the third. Now two single orders, 10 seconds apart. Which queues start a server for them?""")
    arrive("salt")
    lab.advance(10)
    arrive("bread")
    lab.advance(10)
    lab.chapter(f"""One is left behind
        {counted()}. On BY.DEPTH nothing happened: {qm.depth("BY.DEPTH")} orders wait for a third. Here it comes.""")
    arrive("milk")
    lab.advance(10)
    switch = "TRIGGER" if qm.objects.get("QLOCAL", "BY.DEPTH").attributes["TRIGGER"] else "NOTRIGGER"
    lab.chapter(f"""Three are there, and no server
        {counted()}. BY.DEPTH holds {qm.depth("BY.DEPTH")}. When DEPTH fires it turns triggering off on its queue, and
        nobody turned it on again: the queue has {switch}. What happens when an administrator does?""")
    qm.mqsc("ALTER QLOCAL(BY.DEPTH) TRIGGER").require()
    lab.advance(10)
    lab.chapter(f"""Turned on again
        {counted()}. It found three there and fired at once; BY.DEPTH holds {qm.depth("BY.DEPTH")}, and triggering is
        off once more. A server for DEPTH has to set TRIGGER itself before it ends.""")


@story(
    "The trigger that fires once",
    "A triggered server ended too soon and left one message. Four more arrive: how many starts?",
    """FIRST fires when the queue stops being empty. A message left behind blocks it.
    TRIGINT lets a later put fire again; its default is eleven and a half days.
    ALTER QLOCAL ... TRIGGER, off and on, fires for what is there.""",
    "TRG-03 TRG-11 TRG-13",
)
def trigger_once(lab: Any) -> None:
    """The first order starts a server, and that ends before it opens its queue."""
    qm = lab.queue_manager("SHOP")
    lab.chapter("""A server that needs paper
        Orders start PICKER, which prints a slip for each. TRIGTYPE(FIRST) starts it when the queue goes from none to
        one. PICKER looks for paper first; without it, it ends, before it opens the queue.""")
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
    lab.chapter("""The first order
        There is no paper. One order comes. Does PICKER start, and where is the order then?""")
    qm.put("ORDERS", "tea")
    lab.advance(5)
    lab.chapter(f"""Started, and gone
        PICKER was started {starts(lab, "PICKER")} time and ended at once; ORDERS holds {qm.depth("ORDERS")}. Now paper
        is brought, and four more orders come. How often is PICKER started for these?""")
    qm.put("PAPER", "500 sheets")
    for order in ("rice", "soap", "salt", "bread"):
        qm.put("ORDERS", order)
        lab.advance(5)
    lab.chapter(f"""Nothing starts
        PICKER starts: still {starts(lab, "PICKER")}. ORDERS holds {qm.depth("ORDERS")}, and none of the four was the
        first on an empty queue. TRIGINT, when FIRST may fire again, is 999999999 ms: eleven and a half days.""")
    lab.advance(15)
    qm.mqsc("ALTER QMGR TRIGINT(10000)").require()
    lab.chapter("""A shorter interval
        The administrator typed ALTER QMGR TRIGINT(10000): 10 seconds, long over since the last trigger message. Did
        that start PICKER, or does it take something else?""")
    lab.advance(30)
    held = qm.depth("ORDERS")
    qm.put("ORDERS", "milk")
    lab.advance(10)
    lab.chapter(f"""It took another put
        Half a minute after the ALTER, ORDERS still held {held}. The next put found the interval over and fired. PICKER
        served them all: {qm.depth("SLIPS")} slips, ORDERS holds {qm.depth("ORDERS")}.""")
    qm.get("PAPER")
    qm.put("ORDERS", "eggs")
    lab.advance(10)
    qm.mqsc("ALTER QLOCAL(ORDERS) NOTRIGGER").require()
    qm.put("PAPER", "500 sheets")
    lab.chapter(f"""Once more, without waiting for a put
        The paper ran out, an order came, PICKER ended; ORDERS holds {qm.depth("ORDERS")}. There is paper again, but no
        order is expected tonight. The administrator turned triggering off. And now on again?""")
    qm.mqsc("ALTER QLOCAL(ORDERS) TRIGGER").require()
    lab.advance(10)
    lab.chapter(f"""Off and on
        Turning triggering on looks at what is there, and fires. ORDERS holds {qm.depth("ORDERS")}; PICKER was started
        {starts(lab, "PICKER")} times in all.""")


@story(
    "The poison message",
    "BOTHRESH is 3, and a message has been backed out four times. Where is it?",
    """A backed out message goes back to its place, ahead of those behind it.
    Triggering turns that into a loop.
    BOTHRESH and BOQNAME are advice to applications: the queue manager does nothing about them.""",
    "MQI-06 MQI-07 MQI-08 TRG-11 TRG-12b TRG-12c",
)
def poison(lab: Any) -> None:
    """A message that no server can work on is got, backed out, and got again."""
    qm = lab.queue_manager("SHOP")
    lab.chapter("""Orders and their server
        ORDERS starts the server PACKER. It gets each order in a unit of work, packs for a second, and commits. If it
        cannot read an order, it backs out and ends.""")
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
    lab.chapter("""A good order
        One order that can be read: PACKER starts, packs and ends.""")
    qm.put("ORDERS", "2 x tea")
    lab.advance(4)
    lab.chapter("""And one that cannot be read
        The next order is damaged, and a good one comes right behind it. PACKER backs the damaged one out: it is put
        back at the head of the queue. How often is PACKER started in the next five and a half seconds?""")
    before = starts(lab, "PACKER")
    qm.put("ORDERS", "? x ???")
    qm.put("ORDERS", "1 x soap")
    lab.advance(5.5)
    lab.chapter(f"""The loop
        {starts(lab, "PACKER") - before} times. Each close leaves messages behind, so the trigger fires again; each get
        takes the same message. PACKED holds {qm.depth("PACKED")}: the good order never has its turn.""")
    qm.mqsc("ALTER QLOCAL(ORDERS) BOTHRESH(3) BOQNAME(ORDERS.BAD)").require()
    lab.chapter("""What may end it
        Each backout adds one to BackoutCount. The queue now has BOTHRESH(3) and BOQNAME(ORDERS.BAD), which say when it
        is enough, and where to. Who acts on them: the queue manager, or the server?""")
    lab.advance(6)
    lab.chapter(f"""The server does
        PACKER asks for them each time it opens the queue, and moved the message itself. ORDERS.BAD holds
        {qm.depth("ORDERS.BAD")}, PACKED {qm.depth("PACKED")}, ORDERS {qm.depth("ORDERS")}. Now a program that never
        asks gets a bad order, four times. Where is that order then?""")
    qm.mqsc("ALTER QLOCAL(ORDERS) NOTRIGGER").require()
    bad = qm.put("ORDERS", "? x ?")
    for _ in range(4):
        unit = qm.connect("OLDPACK").unit_of_work()
        bad = unit.get("ORDERS")
        unit.backout()
        lab.advance(1)
    lab.chapter(f"""And one that does not
        OLDPACK got it four times, and the last time BackoutCount said {bad.backout_count}. BOTHRESH is 3, yet ORDERS
        holds {qm.depth("ORDERS")} and ORDERS.BAD still {qm.depth("ORDERS.BAD")}. The queue manager moves nothing.""")
