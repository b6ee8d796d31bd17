"""Scenarios about triggering."""

from __future__ import annotations

from typing import Any

from ..sample_server import sample_server
from .telling import Tell, serve, starts, story


@story
def first_every_depth(lab: Any, shot: Tell) -> None:
    qm = lab.queue_manager("SHOP")
    shot("Three queues, one for each trigger type")
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

    shot("Three orders together")
    arrive("tea", "rice", "soap")
    lab.advance(10)
    shot("Two single orders", starts=counted())
    arrive("salt")
    lab.advance(10)
    arrive("bread")
    lab.advance(10)
    shot("A third order for DEPTH", starts=counted())
    arrive("milk")
    lab.advance(10)
    switch = "TRIGGER" if qm.objects.get("QLOCAL", "BY.DEPTH").attributes["TRIGGER"] else "NOTRIGGER"
    shot("An administrator turns triggering on", starts=counted(), switch=switch)
    qm.mqsc("ALTER QLOCAL(BY.DEPTH) TRIGGER").require()
    lab.advance(10)
    shot("Triggering is off again", starts=counted())


@story
def trigger_once(lab: Any, shot: Tell) -> None:
    qm = lab.queue_manager("SHOP")
    shot("A server that needs paper")
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
    shot("Paper, and four more orders", starts=starts(lab, "PICKER"))
    qm.put("PAPER", "500 sheets")
    for order in ("rice", "soap", "salt", "bread"):
        qm.put("ORDERS", order)
        lab.advance(5)
    shot("A shorter TRIGINT", starts=starts(lab, "PICKER"))
    lab.advance(15)
    qm.mqsc("ALTER QMGR TRIGINT(10000)").require()
    shot("More than 10 seconds later")
    lab.advance(30)
    depth_then = qm.depth("ORDERS")
    qm.put("ORDERS", "milk")
    lab.advance(10)
    shot("The paper runs out", depth_then=depth_then)
    qm.get("PAPER")
    qm.put("ORDERS", "eggs")
    lab.advance(10)
    qm.mqsc("ALTER QLOCAL(ORDERS) NOTRIGGER").require()
    qm.put("PAPER", "500 sheets")
    shot("Off and on")
    qm.mqsc("ALTER QLOCAL(ORDERS) TRIGGER").require()
    lab.advance(10)
    shot("No put was needed", starts=starts(lab, "PICKER"))


@story
def poison(lab: Any, shot: Tell) -> None:
    qm = lab.queue_manager("SHOP")
    shot("A server and a good order")
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
    shot("A damaged order")
    before = starts(lab, "PACKER")
    qm.put("ORDERS", "? x ???")
    qm.put("ORDERS", "1 x soap")
    lab.advance(5.5)
    shot("BOTHRESH and BOQNAME", starts=starts(lab, "PACKER") - before)
    qm.mqsc("ALTER QLOCAL(ORDERS) BOTHRESH(3) BOQNAME(ORDERS.BAD)").require()
    shot("The next backout")
    lab.advance(6)
    shot("A program that ignores BOTHRESH")
    qm.mqsc("ALTER QLOCAL(ORDERS) NOTRIGGER").require()
    bad = qm.put("ORDERS", "? x ?")
    for _ in range(4):
        unit = qm.connect("OLDPACK").unit_of_work()
        bad = unit.get("ORDERS")
        unit.backout()
        lab.advance(1)
    shot("Still on ORDERS", backouts=bad.backout_count)
