"""Scenarios about channels: what becomes of messages on their way."""

from __future__ import annotations

from typing import Any

from ...mq.constants import MQRO_EXPIRATION
from ...mq.headers import MQDLH
from .telling import answer, outcome, story


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


def _state(qmgr: Any, channel: str) -> str:
    """The state of a channel, INACTIVE where it has never run."""
    return next((each.state for (name, _), each in qmgr.channels.items() if name == channel), "INACTIVE")


def _reasons(app: Any, queue: str) -> str:
    """Browse a dead-letter queue: the reasons in its headers, in words for a chapter."""
    with app.open(queue, browse=True) as handle:
        reasons = [MQDLH.unpack(handle.browse_next().body).reason for _ in range(app.depth(queue))]
    return ", ".join(str(reason) for reason in reasons)


@story(
    "A channel that retries",
    "The link is down for four minutes, and then fine. Do the orders arrive?",
    """A put to a remote queue works while the link is down: the message waits on the transmission queue.
    A failed sender tries SHORTRTY times, then LONGRTY times, then it is STOPPED.
    STOPPED means an operator has to start it; messages wait and nothing is lost.""",
    "CHL-01 CHL-02 CHL-03 CHL-04 CHL-08 CHL-09 CHL-16",
)
def channel_retrying(lab: Any) -> None:
    """The link between a shop and its depot breaks twice, the second time for longer."""
    shop, depot = _shop_and_depot(lab, "SHORTRTY(3) SHORTTMR(10) LONGRTY(2) LONGTMR(60)")
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN) DEFPSIST(YES)").require()
    till = shop.connect("TILL")
    lab.chapter("""A shop and its depot
        ORDERS in the shop is a name for ORDERS.IN at the depot. Sender SHOP.DEPOT is triggered by the first message on
        its transmission queue. If it fails: 3 tries 10 seconds apart, then 2 a minute apart.""")
    till.put("ORDERS", "order 1", persistent=True)
    lab.advance(5)
    lab.chapter(f"""The link breaks
        Order 1 arrived; the channel is {_state(shop, "SHOP.DEPOT")}. Now the link is cut, and order 2 is put. Is the
        put refused? Where is the order?""")
    lab.cut("SHOP", "DEPOT")
    said = outcome(till.put, "ORDERS", "order 2", persistent=True)
    lab.advance(5)
    lab.chapter(f"""The till noticed nothing
        Its put was answered: {said}. Transmission queue DEPOT holds {shop.depth("DEPOT")}, and the channel is
        {_state(shop, "SHOP.DEPOT")}. The link is restored after 12 seconds more. Does anybody have to start the
        channel?""")
    lab.advance(12)
    lab.restore("SHOP", "DEPOT")
    lab.advance(10)
    lab.chapter(f"""It started itself
        The next try got through: {_state(shop, "SHOP.DEPOT")}, and ORDERS.IN at the depot holds
        {depot.depth("ORDERS.IN")}. Now four minutes without a link: 3 short tries and 2 long ones go by.""")
    lab.cut("SHOP", "DEPOT")
    till.put("ORDERS", "order 3", persistent=True)
    lab.advance(240)
    getting = shop.objects.get("QLOCAL", "DEPOT").attributes["GET"]
    lab.chapter(f"""Given up
        The channel is {_state(shop, "SHOP.DEPOT")}, and its transmission queue has GET({getting}). The link is
        restored, and order 4 is put. Does the channel start?""")
    lab.restore("SHOP", "DEPOT")
    till.put("ORDERS", "order 4", persistent=True)
    lab.advance(60)
    lab.chapter(f"""It does not
        {_state(shop, "SHOP.DEPOT")}, and {shop.depth("DEPOT")} messages wait. A channel that is STOPPED is not
        triggered and not tried again. The operator types START CHANNEL(SHOP.DEPOT).""")
    shop.mqsc("START CHANNEL(SHOP.DEPOT)").require()
    lab.advance(5)
    lab.chapter(f"""Nothing was lost
        {_state(shop, "SHOP.DEPOT")}. ORDERS.IN holds {depot.depth("ORDERS.IN")} orders, each of them once and in
        order.""")


@story(
    "Expiry on the way",
    "A message with 60 seconds to live waits 90 seconds for the link. Who notices, and when?",
    """A lifetime runs on every queue on the way.
    The sending agent discards what has expired; it never arrives.
    The report comes at the discard, and needs a way back.""",
    "EXP-03 EXP-07 EXP-10 EXP-12 EXP-18 CHL-01 CHL-03 CHL-09",
)
def expiry_on_the_way(lab: Any) -> None:
    """Three orders with different lifetimes wait on a transmission queue while the link is down."""
    shop, depot = _shop_and_depot(lab, "SHORTRTY(20) SHORTTMR(25)")
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN)").require()
    shop.mqsc("DEFINE QLOCAL(REPORTS) DESCR('What became of orders')").require()
    till = shop.connect("TILL")
    lab.chapter("""Three orders with lifetimes
        Orders go from SHOP to DEPOT over a channel that is tried every 25 seconds when the link is down. The link is
        down. Flowers live 60 seconds, fish lives 120, a table is for ever.""")
    lab.cut("SHOP", "DEPOT")
    for order, tenths in (("flowers", 600), ("fish", 1200), ("table", -1)):
        till.put("ORDERS", order, expiry=tenths, persistent=True, report=MQRO_EXPIRATION, reply_to_q="REPORTS")
        lab.advance(1)
    lab.chapter("""A minute and a half
        All three wait on transmission queue DEPOT. The link comes back after 90 seconds. At 70 seconds, when the
        flowers are over: how many are on the transmission queue?""")
    lab.advance_to(70_000_000)
    lab.chapter(f"""Nobody met it
        CURDEPTH of DEPOT says {shop.depth("DEPOT")}. The shop asked for reports; REPORTS holds {shop.depth("REPORTS")}.
        In 20 seconds the link comes back. How many arrive?""")
    lab.advance_to(90_000_000)
    lab.restore("SHOP", "DEPOT")
    lab.advance(12)
    lab.chapter(f"""Two arrived
        ORDERS.IN holds {depot.depth("ORDERS.IN")}. The sending agent met the flowers, discarded them, and the queue
        manager sent the report: REPORTS holds {shop.depth("REPORTS")}. The fish had 120 seconds. What has it now?""")
    fish = depot.browse("ORDERS.IN")
    lab.chapter(f"""It aged on the way
        A browse at the depot says {fish.expiry} tenths of a second for the {fish.body.decode()}: all the time on the
        transmission queue came off. Nobody gets it in time. Who is told of that, and where?""")
    lab.advance(30)
    said = answer(depot.connect("PICKER").get, "ORDERS.IN")
    lab.advance(5)
    lab.chapter(f"""A get at the depot
        The picker got {said}; the fish stood before it and was discarded. Its report is for REPORTS at SHOP, but DEPOT
        has no way there: it is on DEPOT.DLQ, which holds {depot.depth("DEPOT.DLQ")}. The shop has
        {shop.depth("REPORTS")} report of two. Reports need a way back.""")


@story(
    "Dead letters and their handler",
    "Five messages are sent, two fit. Where are the other three, and which come back by themselves?",
    """What a channel cannot put goes to the dead-letter queue, with the reason in its header.
    The handler acts on the first rule that matches.
    RETRY is for what may pass, FWD for what needs a person.""",
    "CHL-07 MQI-09 MQI-30 DLQ-02 DLQ-03",
)
def dead_letters(lab: Any) -> None:
    """A shop sends messages to a depot where one queue is full and another one is not there."""
    shop, depot = _shop_and_depot(lab, "SHORTTMR(10)")
    depot.mqsc(
        "DEFINE QLOCAL(ORDERS.IN) MAXDEPTH(2)\nDEFINE QLOCAL(DEPOT.MANUAL) DESCR('For a person to look at')"
    ).require()
    till = shop.connect("TILL")
    lab.chapter("""A small yard
        The depot's ORDERS.IN takes 2 orders. Its dead-letter queue is DEPOT.DLQ. The shop sends four orders, and one
        message for a queue RETURNS that the depot does not have.""")
    for number in range(1, 5):
        till.put("ORDERS", f"order {number}")
    till.put("RETURNS@DEPOT", "a broken chair")
    lab.advance(2)
    lab.chapter(f"""Where they are
        The shop saw no error: its transmission queue holds {shop.depth("DEPOT")}. ORDERS.IN holds
        {depot.depth("ORDERS.IN")}. How many are on the dead-letter queue, and what does it say of them there?""")
    why = _reasons(depot.connect("ADMIN"), "DEPOT.DLQ")
    lab.advance(1)
    lab.chapter(f"""Dead letters
        DEPOT.DLQ holds {depot.depth("DEPOT.DLQ")}. Each begins with a header that says why: {why}. A handler
        starts, with rules: queue full, RETRY every 30 seconds; no such queue, FWD to DEPOT.MANUAL. Which does it
        get rid of?""")
    depot.dead_letter_handler(
        "INPUTQ(DEPOT.DLQ) RETRYINT(30) WAIT(YES)\n"
        "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(5)\n"
        "REASON(MQRC_UNKNOWN_OBJECT_NAME) ACTION(FWD) FWDQ(DEPOT.MANUAL) HEADER(YES)\n"
        "ACTION(IGNORE)"
    )
    lab.advance(10)
    lab.chapter(f"""Only the chair
        DEPOT.MANUAL holds {depot.depth("DEPOT.MANUAL")}. The orders were tried and ORDERS.IN is still full:
        DEPOT.DLQ holds {depot.depth("DEPOT.DLQ")}. Now the depot picks its two orders. What does it take for the
        others to come?""")
    picker = depot.connect("PICKER")
    picked = [answer(picker.get, "ORDERS.IN") for _ in range(2)]
    lab.advance(30)
    lab.chapter(f"""The next try
        The depot took {" and ".join(picked)}. At the handler's next try both others went in: ORDERS.IN holds
        {depot.depth("ORDERS.IN")}, DEPOT.DLQ {depot.depth("DEPOT.DLQ")}, and nobody in the shop did anything.""")
