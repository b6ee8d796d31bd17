"""Scenarios about channels: how messages get from one queue manager to another, or why they do not."""

from __future__ import annotations

from typing import Any

from ...engine.words.constants import MQRO_EXPIRATION
from ...engine.words.headers import MQDLH
from .telling import Tell, answer, outcome, story


def _shop_and_depot(lab: Any, retries: str) -> tuple[Any, Any]:
    """SHOP with a sender to DEPOT that the first message starts, and DEPOT with ORDERS: the two of them."""
    shop, depot = lab.queue_manager("SHOP"), lab.queue_manager("DEPOT")
    lab.link("SHOP", "DEPOT", latency=0.05)
    depot.mqsc("""
        DEFINE QLOCAL(DEPOT.DLQ) DESCR('Undeliverable messages')
        ALTER QMGR DEADQ(DEPOT.DLQ)
        DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(RCVR) MRRTY(0)
        """).require()
    shop.mqsc(f"""
        DEFINE QLOCAL(DEPOT) USAGE(XMITQ) DESCR('To the depot') +
               TRIGGER TRIGTYPE(FIRST) TRIGDATA(SHOP.DEPOT) +
               INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(SDR) CONNAME(DEPOT) XMITQ(DEPOT) +
               DISCINT(0) {retries}
        DEFINE QREMOTE(ORDERS) RNAME(ORDERS.IN) RQMNAME(DEPOT)
        """).require()
    lab.advance(0)
    return shop, depot


def _reasons(app: Any, queue: str) -> str:
    """Browse a dead-letter queue: the reasons in its headers, in words for a shot."""
    with app.open(queue, browse=True) as handle:
        reasons = [MQDLH.unpack(handle.browse_next().body).reason for _ in range(app.depth(queue))]
    return ", ".join(str(reason) for reason in reasons)


@story
def channel_retrying(lab: Any, shot: Tell) -> None:
    shop, depot = _shop_and_depot(lab, "SHORTRTY(3) SHORTTMR(10) LONGRTY(2) LONGTMR(60)")
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN) DEFPSIST(YES)").require()
    till = shop.connect("TILL")
    shot("A shop and its depot")
    till.put("ORDERS", "order 1", persistent=True)
    lab.advance(5)
    shot("The link fails")
    lab.cut("SHOP", "DEPOT")
    result = outcome(till.put, "ORDERS", "order 2", persistent=True)
    lab.advance(5)
    shot("The link is restored", result=result)
    lab.advance(12)
    lab.restore("SHOP", "DEPOT")
    lab.advance(10)
    shot("Four minutes without a link")
    lab.cut("SHOP", "DEPOT")
    till.put("ORDERS", "order 3", persistent=True)
    lab.advance(240)
    getting = shop.objects.get("QLOCAL", "DEPOT").attributes["GET"]
    shot("A STOPPED channel", getting=getting)
    lab.restore("SHOP", "DEPOT")
    till.put("ORDERS", "order 4", persistent=True)
    lab.advance(60)
    shop.mqsc("START CHANNEL(SHOP.DEPOT)").require()
    lab.advance(5)
    shot("Nothing was lost")


@story
def expiry_on_the_way(lab: Any, shot: Tell) -> None:
    shop, depot = _shop_and_depot(lab, "SHORTRTY(20) SHORTTMR(25)")
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN)").require()
    shop.mqsc("DEFINE QLOCAL(REPORTS) DESCR('What became of orders')").require()
    till = shop.connect("TILL")
    shot("Three orders and no link")
    lab.cut("SHOP", "DEPOT")
    for order, tenths in (("flowers", 600), ("fish", 1200), ("table", -1)):
        till.put("ORDERS", order, expiry=tenths, persistent=True, report=MQRO_EXPIRATION, reply_to_q="REPORTS")
        lab.advance(1)
    shot("The flowers expire")
    lab.advance_to(70_000_000)
    shot("The link is restored")
    lab.advance_to(90_000_000)
    lab.restore("SHOP", "DEPOT")
    lab.advance(12)
    shot("The remaining expiry time")
    fish = depot.browse("ORDERS.IN")
    shot("A get on queue manager DEPOT", expiry=fish.expiry, order=fish.body.decode())
    lab.advance(30)
    result = answer(depot.connect("PICKER").get, "ORDERS.IN")
    lab.advance(5)
    shot("A report without a return route", result=result)


@story
def dead_letters(lab: Any, shot: Tell) -> None:
    shop, depot = _shop_and_depot(lab, "SHORTTMR(10)")
    manual = "DEFINE QLOCAL(DEPOT.MANUAL) DESCR('For a person to look at')"
    depot.mqsc(f"DEFINE QLOCAL(ORDERS.IN) MAXDEPTH(2)\n{manual}").require()
    till = shop.connect("TILL")
    shot("Four orders and a return")
    for number in range(1, 5):
        till.put("ORDERS", f"order {number}")
    till.put("RETURNS@DEPOT", "a broken chair")
    lab.advance(2)
    shot("The dead-letter queue")
    why = _reasons(depot.connect("ADMIN"), "DEPOT.DLQ")
    lab.advance(1)
    shot("A handler with two rules", why=why)
    depot.dead_letter_handler(
        "INPUTQ(DEPOT.DLQ) RETRYINT(30) WAIT(YES)\n"
        "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(5)\n"
        "REASON(MQRC_UNKNOWN_OBJECT_NAME) ACTION(FWD) FWDQ(DEPOT.MANUAL) HEADER(YES)\n"
        "ACTION(IGNORE)"
    )
    lab.advance(10)
    shot("Room for two orders")
    picker = depot.connect("PICKER")
    picked = [answer(picker.get, "ORDERS.IN") for _ in range(2)]
    lab.advance(30)
    shot("Delivered by the handler", picked=" and ".join(picked))


@story
def silent_link(lab: Any, shot: Tell) -> None:
    shop, depot = _shop_and_depot(lab, "SHORTTMR(30) HBINT(60)")
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN) DEFPSIST(YES)\nALTER CHANNEL(SHOP.DEPOT) CHLTYPE(RCVR) HBINT(60)").require()
    till = shop.connect("TILL")
    shot("A shop and its depot")
    till.put("ORDERS", "order 1", persistent=True)
    lab.advance(5)
    shot("The link falls silent")
    lab.cut("SHOP", "DEPOT", silent=True)
    lab.advance(10)
    shot("The shop starts again")
    shop.fail()
    lab.restore("SHOP", "DEPOT")
    shop.start()
    till = shop.connect("TILL")
    till.put("ORDERS", "order 2", persistent=True)
    lab.advance(5)
    shot("Refused by its own past")
    lab.advance(150)
    shot("Told by a heartbeat that did not come")
