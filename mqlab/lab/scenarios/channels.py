"""Scenarios about channels: how messages get from one queue manager to another, or why they do not."""

from __future__ import annotations

from typing import Any

from ...engine.words.constants import MQRO_EXPIRATION
from ...engine.words.headers import MQDLH
from .telling import answer, outcome, state_of, story


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


@story(
    "A channel that retries",
    "The link between a shop and its depot fails twice, the second time for longer.",
    "The link is down for four minutes and is then restored. Do the orders arrive?",
    """A put to a remote queue works while the link is down: the message waits on the transmission queue.
    A sender channel that fails retries SHORTRTY times and then LONGRTY times. After that it is STOPPED.
    An operator must start a STOPPED channel. Until then messages wait, and none is lost.""",
    "CHL-01 CHL-02 CHL-03 CHL-04 CHL-08 CHL-09 CHL-16",
)
def channel_retrying(lab: Any) -> None:
    shop, depot = _shop_and_depot(lab, "SHORTRTY(3) SHORTTMR(10) LONGRTY(2) LONGTMR(60)")
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN) DEFPSIST(YES)").require()
    till = shop.connect("TILL")
    lab.shot("""A shop and its depot
        Queue manager SHOP has a remote queue ORDERS, which leads to ORDERS.IN on queue manager DEPOT. Its transmission
        queue has the name of the remote queue manager: DEPOT. The first message there triggers channel SHOP.DEPOT. If
        it fails, it retries 3 times every 10 seconds, then 2 times every minute.""")
    till.put("ORDERS", "order 1", persistent=True)
    lab.advance(5)
    lab.shot(f"""The link fails
        Order 1 arrived, and the channel is {state_of(shop, "SHOP.DEPOT")}. Now the link is cut, and the program TILL
        puts order 2. Does the put fail? Where is the order?""")
    lab.cut("SHOP", "DEPOT")
    result = outcome(till.put, "ORDERS", "order 2", persistent=True)
    lab.advance(5)
    lab.shot(f"""The link is restored
        The put of order 2 returned {result}. Transmission queue DEPOT holds {shop.depth("DEPOT")}, and the channel is
        {state_of(shop, "SHOP.DEPOT")}. The link is restored after 12 more seconds. Must anyone start the channel?""")
    lab.advance(12)
    lab.restore("SHOP", "DEPOT")
    lab.advance(10)
    lab.shot(f"""Four minutes without a link
        The channel started itself at its next retry: it is {state_of(shop, "SHOP.DEPOT")}, and ORDERS.IN on queue
        manager DEPOT holds {depot.depth("ORDERS.IN")}. Now the link fails for four minutes, which is time for all 3
        short and 2 long retries.""")
    lab.cut("SHOP", "DEPOT")
    till.put("ORDERS", "order 3", persistent=True)
    lab.advance(240)
    getting = shop.objects.get("QLOCAL", "DEPOT").attributes["GET"]
    lab.shot(f"""A STOPPED channel
        The channel is {state_of(shop, "SHOP.DEPOT")}, and transmission queue DEPOT has GET({getting}). The link is
        restored, and order 4 is put. Does the channel start? If it does not, an operator types START
        CHANNEL(SHOP.DEPOT) a minute later.""")
    lab.restore("SHOP", "DEPOT")
    till.put("ORDERS", "order 4", persistent=True)
    lab.advance(60)
    shop.mqsc("START CHANNEL(SHOP.DEPOT)").require()
    lab.advance(5)
    lab.shot(f"""Nothing was lost
        A STOPPED channel is neither triggered nor retried: order 4 did not start it, but the operator did. It is
        {state_of(shop, "SHOP.DEPOT")}, and ORDERS.IN holds {depot.depth("ORDERS.IN")} orders, each of them once and in
        order.""")


@story(
    "Expiry on the way",
    "Three orders with different expiry times wait on a transmission queue while the link is down.",
    "A message that expires after 60 seconds waits 90 seconds for the link. What notices it, and when?",
    """The expiry time runs on every queue of the route.
    The sending message channel agent discards an expired message, which never arrives.
    The report is sent when the message is discarded, and it needs a return route.""",
    "EXP-03 EXP-07 EXP-10 EXP-12 EXP-18 CHL-01 CHL-03 CHL-09",
)
def expiry_on_the_way(lab: Any) -> None:
    shop, depot = _shop_and_depot(lab, "SHORTRTY(20) SHORTTMR(25)")
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN)").require()
    shop.mqsc("DEFINE QLOCAL(REPORTS) DESCR('What became of orders')").require()
    till = shop.connect("TILL")
    lab.shot("""Three orders and no link
        TILL puts orders on queue manager SHOP for ORDERS.IN on queue manager DEPOT. The link is down, and the channel
        retries every 25 seconds. The order for flowers expires after 60 seconds and the order for fish after 120. The
        order for a table never expires.""")
    lab.cut("SHOP", "DEPOT")
    for order, tenths in (("flowers", 600), ("fish", 1200), ("table", -1)):
        till.put("ORDERS", order, expiry=tenths, persistent=True, report=MQRO_EXPIRATION, reply_to_q="REPORTS")
        lab.advance(1)
    lab.shot("""The flowers expire
        All three wait on the transmission queue DEPOT. The link is restored after 90 seconds. At 70 seconds, when the
        flowers have expired: how many orders are on the transmission queue?""")
    lab.advance_to(70_000_000)
    lab.shot(f"""The link is restored
        CURDEPTH of transmission queue DEPOT is {shop.depth("DEPOT")}. TILL asked for expiration reports, and the queue
        REPORTS holds {shop.depth("REPORTS")}. In 20 seconds the link is restored. How many orders arrive?""")
    lab.advance_to(90_000_000)
    lab.restore("SHOP", "DEPOT")
    lab.advance(12)
    lab.shot(f"""The remaining expiry time
        ORDERS.IN holds {depot.depth("ORDERS.IN")}. The sending message channel agent reached the flowers and discarded
        them, and the queue manager sent the report: REPORTS holds {shop.depth("REPORTS")}. The fish started with 120
        seconds. How many are left? A browse shows it.""")
    fish = depot.browse("ORDERS.IN")
    lab.shot(f"""A get on queue manager DEPOT
        The browse at the depot shows an Expiry of {fish.expiry} tenths of a second for the {fish.body.decode()}: the
        time on the transmission queue was subtracted. The {fish.body.decode()} expires before PICKER does a get. Where
        does the report go?""")
    lab.advance(30)
    result = answer(depot.connect("PICKER").get, "ORDERS.IN")
    lab.advance(5)
    lab.shot(f"""A report without a return route
        The get of PICKER returned {result} and discarded the fish ahead of it. The report is for REPORTS on SHOP, but
        queue manager DEPOT has no route there, so the report is on the dead-letter queue DEPOT.DLQ, which holds
        {depot.depth("DEPOT.DLQ")}. REPORTS on SHOP holds {shop.depth("REPORTS")}.""")


@story(
    "The dead-letter queue and its handler",
    "A shop sends messages to a depot, where one queue becomes full and another does not exist.",
    "Five messages are sent, and two fit. Where are the other three, and which are delivered later?",
    """A channel puts an undeliverable message on the dead-letter queue, with the reason in its header.
    The dead-letter handler acts on the first rule that matches.
    RETRY is for a reason that can pass, FWD for one that needs a person.""",
    "CHL-07 MQI-09 MQI-30 DLQ-02 DLQ-03",
)
def dead_letters(lab: Any) -> None:
    shop, depot = _shop_and_depot(lab, "SHORTTMR(10)")
    depot.mqsc(
        "DEFINE QLOCAL(ORDERS.IN) MAXDEPTH(2)\nDEFINE QLOCAL(DEPOT.MANUAL) DESCR('For a person to look at')"
    ).require()
    till = shop.connect("TILL")
    lab.shot("""Four orders and a return
        ORDERS.IN on queue manager DEPOT accepts 2 orders. The dead-letter queue there is DEPOT.DLQ. TILL on SHOP puts
        four orders, and a message about a broken chair for a queue RETURNS, which does not exist on DEPOT. How many of
        the five puts fail?""")
    for number in range(1, 5):
        till.put("ORDERS", f"order {number}")
    till.put("RETURNS@DEPOT", "a broken chair")
    lab.advance(2)
    lab.shot(f"""The dead-letter queue
        All five worked: transmission queue DEPOT on SHOP holds {shop.depth("DEPOT")}. ORDERS.IN holds
        {depot.depth("ORDERS.IN")}. How many messages are on the dead-letter queue DEPOT.DLQ, and which reasons do their
        headers give? The program ADMIN browses it.""")
    why = _reasons(depot.connect("ADMIN"), "DEPOT.DLQ")
    lab.advance(1)
    lab.shot(f"""A handler with two rules
        DEPOT.DLQ holds {depot.depth("DEPOT.DLQ")}. Each message has a dead-letter header with the reason why: {why}.
        Now the dead-letter handler RUNMQDLQ starts. For a full queue it has the rule RETRY, every 30 seconds; for an
        unknown queue, FWD to DEPOT.MANUAL. Which messages leave DEPOT.DLQ?""")
    depot.dead_letter_handler(
        "INPUTQ(DEPOT.DLQ) RETRYINT(30) WAIT(YES)\n"
        "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(5)\n"
        "REASON(MQRC_UNKNOWN_OBJECT_NAME) ACTION(FWD) FWDQ(DEPOT.MANUAL) HEADER(YES)\n"
        "ACTION(IGNORE)"
    )
    lab.advance(10)
    lab.shot(f"""Room for two orders
        Only the message about the chair: DEPOT.MANUAL holds {depot.depth("DEPOT.MANUAL")}. The handler retried the
        orders, but ORDERS.IN is still full: DEPOT.DLQ holds {depot.depth("DEPOT.DLQ")}. Now the program PICKER gets the
        two orders from ORDERS.IN. When do the other two arrive?""")
    picker = depot.connect("PICKER")
    picked = [answer(picker.get, "ORDERS.IN") for _ in range(2)]
    lab.advance(30)
    lab.shot(f"""Delivered by the handler
        PICKER got {" and ".join(picked)}. At the next retry of the handler both other orders fit: ORDERS.IN holds
        {depot.depth("ORDERS.IN")}, DEPOT.DLQ {depot.depth("DEPOT.DLQ")}. No program on SHOP had to do anything.""")


@story(
    "A link that falls silent",
    "A shop's link breaks without a word: neither end of the channel knows. Then the shop starts again.",
    "The shop starts again and calls the depot. Its old session is gone. Why is the channel refused?",
    """A receiving agent hears nothing, and stays RUNNING until its heartbeats tell it: HBINT, and 60 seconds more.
    Until then a new session of the same channel is refused with AMQ9514, and the sender retries.
    On z/OS ADOPTMCA(ALL), and elsewhere AdoptNewMCA in qm.ini, let the new session adopt the channel.""",
    "CHL-01 CHL-03 CHL-08 CHL-09 CHL-18",
)
def silent_link(lab: Any) -> None:
    shop, depot = _shop_and_depot(lab, "SHORTTMR(30) HBINT(60)")
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN) DEFPSIST(YES)\nALTER CHANNEL(SHOP.DEPOT) CHLTYPE(RCVR) HBINT(60)").require()
    till = shop.connect("TILL")
    lab.shot("""A shop and its depot
        TILL puts orders on queue manager SHOP for ORDERS.IN on queue manager DEPOT. Both ends of channel SHOP.DEPOT
        have HBINT(60): a heartbeat flows if nothing is sent for 60 seconds. The sender retries every 30 seconds.""")
    till.put("ORDERS", "order 1", persistent=True)
    lab.advance(5)
    lab.shot(f"""The link falls silent
        Order 1 arrived: ORDERS.IN holds {depot.depth("ORDERS.IN")}. Now a firewall between the two drops every packet.
        It tells neither end. Which states does the channel have at SHOP and at DEPOT ten seconds later?""")
    lab.cut("SHOP", "DEPOT", silent=True)
    lab.advance(10)
    lab.shot(f"""The shop starts again
        SHOP.DEPOT is {state_of(shop, "SHOP.DEPOT")} at SHOP, and {state_of(depot, "SHOP.DEPOT")} at DEPOT. Now queue
        manager SHOP fails and starts again, the firewall is repaired, and TILL puts order 2. Does it arrive soon?""")
    shop.fail()
    lab.restore("SHOP", "DEPOT")
    shop.start()
    till = shop.connect("TILL")
    till.put("ORDERS", "order 2", persistent=True)
    lab.advance(5)
    lab.shot(f"""Refused by its own past
        No. SHOP.DEPOT is {state_of(shop, "SHOP.DEPOT")} at SHOP, and still {state_of(depot, "SHOP.DEPOT")} at DEPOT.
        The agent there waits for the old session, and DEPOT refuses the new one with AMQ9514. ORDERS.IN holds
        {depot.depth("ORDERS.IN")}. When does order 2 arrive, if nobody does anything?""")
    lab.advance(150)
    lab.shot(f"""Told by a heartbeat that did not come
        DEPOT heard nothing for 120 seconds, HBINT and 60 more, and ended the old agent. The next retry of SHOP
        succeeded: ORDERS.IN holds {depot.depth("ORDERS.IN")}. With AdoptNewMCA=ALL in qm.ini of DEPOT, order 2 would
        have arrived at once.""")
