"""Scenarios about one queue: which messages a get returns, and which it discards."""

from __future__ import annotations

from typing import Any

from .telling import answer, outcome, story


@story(
    "Expiry on a priority queue",
    "Five orders of three priorities wait on a queue that no program reads, and four of them expire.",
    "Four of five messages have expired. A program does one get. How many are left on the queue?",
    """An expired message stays on its queue, and counts, until a call or a scan reaches it.
    A get with no selection discards expired messages of higher priority, and earlier ones of the same priority.
    A get by CorrelId discards only the messages that it would have returned.""",
    "EXP-01 EXP-08 EXP-10 EXP-11 MQI-02",
)
def expiry_priority(lab: Any) -> None:
    qm = lab.queue_manager("SHOP")
    lab.shot("""A queue in priority order
        The shop puts express orders with priority 7, ordinary orders with 4, and refills with 2. A get takes the
        highest priority first and, within a priority, the message that came first.""")
    qm.mqsc("DEFINE QLOCAL(ORDERS) MSGDLVSQ(PRIORITY) DESCR('Orders to be packed')").require()
    till = qm.connect("TILL")
    lab.shot("""Five orders, four with an expiry time
        Anna's order is express. Bob's, Carol's, and Dave's are ordinary, in this order; Eve's is a refill. Carol's
        never expires. The others expire after 8 seconds. Eve's has the CorrelId POST.""")
    for name, priority, tenths, correl in (
        ("Anna", 7, 80, None),
        ("Bob", 4, 80, None),
        ("Carol", 4, -1, None),
        ("Dave", 4, 80, None),
        ("Eve", 2, 80, "POST"),
    ):
        till.put("ORDERS", name, priority=priority, expiry=tenths, correl_id=correl)
        lab.advance(1)
    lab.shot("""15 seconds without a get
        No program gets an order for 15 seconds. How many orders are on the queue then?""")
    lab.advance(15)
    lab.shot(f"""A get with no selection
        CURDEPTH is {qm.depth("ORDERS")}. Expiry removes nothing. A get that reaches an expired message does. Now
        PACKER, which packs the orders, does one get with no selection. Which order does it return, and how many are
        left?""")
    packer = qm.connect("PACKER")
    got = answer(packer.get, "ORDERS")
    lab.shot(f"""Only the messages ahead were discarded
        The get returned {got} and discarded the expired orders ahead of it: Anna's has a higher priority, and Bob's has
        the same priority and is earlier. CURDEPTH is {qm.depth("ORDERS")}. The get did not reach Dave's and Eve's,
        although they have expired.""")
    lab.advance(2)
    lab.shot("""A get by CorrelId
        CLERK, which handles the post, gets by CorrelId POST. Only Eve's order has it. It is at the end of the queue and
        has expired, and Dave's is ahead of it. What does the get return, and what is left?""")
    result = answer(qm.connect("CLERK").get, "ORDERS", correl_id="POST")
    lab.shot(f"""The last expired order
        The get returned {result} and discarded Eve's order, which matches. It skipped Dave's: CURDEPTH is
        {qm.depth("ORDERS")}. Now PACKER does another get with no selection.""")
    lab.advance(2)
    result = answer(packer.get, "ORDERS")
    lab.shot(f"""An empty queue
        The get returned {result} and discarded Dave's order. CURDEPTH is {qm.depth("ORDERS")}.""")


@story(
    "Expired messages fill a queue",
    "A till asks for prices while the price server is not running. Each question expires after two seconds.",
    "Can a queue be full for a put (2053) and have nothing for a get (2033)?",
    """Expired messages count toward CURDEPTH, so they can fill a queue up to MAXDEPTH.
    One get, even if it returns nothing, discards the expired messages that it reaches.
    At current command levels, the expiry scan runs every 5 minutes, which can be too late.""",
    "EXP-01 EXP-10 EXP-11 EXP-17 MQI-20",
)
def expired_fill(lab: Any) -> None:
    qm = lab.queue_manager("SHOP")
    lab.shot("""A small queue for quick questions
        TILL, a till in the shop, asks PRICES, the price server. An answer is useful for 2 seconds, so each question
        expires after 2 seconds. The queue PRICE.ASK accepts 5 messages. PRICES is not running.""")
    qm.mqsc("DEFINE QLOCAL(PRICE.ASK) MAXDEPTH(5) DESCR('Questions about prices, 2 seconds to live')").require()
    till = qm.connect("TILL")
    for number in range(1, 6):
        till.put("PRICE.ASK", f"price of item {number}?", expiry=20)
        lab.advance(4)
    lab.shot("""A sixth question
        Each of the five questions expired before TILL put the next. Now TILL puts a sixth. Is there room for it?""")
    result = outcome(till.put, "PRICE.ASK", "price of item 6?", expiry=20)
    lab.advance(2)
    lab.shot(f"""The price server starts
        The put returned {result}. CURDEPTH is {qm.depth("PRICE.ASK")}, because expired messages count. Now PRICES
        starts and does its first get. What does the get return?""")
    server = qm.connect("PRICES")
    result = answer(server.get, "PRICE.ASK")
    lab.shot(f"""The sixth question again
        The get returned {result}, from a queue that was full. CURDEPTH is {qm.depth("PRICE.ASK")} now, because the get
        reached all five questions and discarded them. TILL puts the sixth question again. Is there room now?""")
    lab.advance(2)
    result = outcome(till.put, "PRICE.ASK", "price of item 6?", expiry=20)
    lab.shot(f"""The price server stops reading
        The put returned {result}. PRICES makes no more gets, and TILL puts four more questions. If no program gets,
        what removes them?""")
    for number in range(7, 11):
        lab.advance(4)
        till.put("PRICE.ASK", f"price of item {number}?", expiry=20)
    lab.advance(10)
    before = qm.depth("PRICE.ASK")
    lab.shot(f"""The expiry scan
        CURDEPTH is {before} again. A queue manager at a current command level scans for expired messages every 5
        minutes. It is 09:00:50, and the lab advances to 09:05.""")
    lab.advance_to(301_000_000)
    lab.shot(f"""Empty, but late
        CURDEPTH is {qm.depth("PRICE.ASK")}. But for more than 4 minutes, since 09:00:40, the queue was full, and a put
        by TILL would have failed. A program that gets, even late, makes room on such a queue.""")


@story(
    "On the queue, but not available",
    "Three answers from a warehouse are on a queue, and a till cannot get the answer that it needs.",
    "CURDEPTH is 3, and a get returns 2033. What are three possible reasons?",
    """CURDEPTH counts uncommitted puts and expired messages, but a get returns neither.
    A get by CorrelId returns only a message with this CorrelId.
    An uncommitted get lowers CURDEPTH at once; a backout raises it again.""",
    "EXP-08 EXP-11 MQI-05 MQI-06 MQI-07 MQI-08 MQI-12 MQI-17",
)
def cannot_get(lab: Any) -> None:
    qm = lab.queue_manager("SHOP")
    qm.mqsc("DEFINE QLOCAL(ANSWERS) DESCR('Answers from the warehouse')").require()
    lab.shot("""Three answers on one queue
        The program WAREHOUSE puts three answers: for order 1, which expires after 5 seconds; for order 2; and for order
        3, within a unit of work that is still open. The CorrelId of each answer names its order.""")
    warehouse = qm.connect("WAREHOUSE")
    warehouse.put("ANSWERS", "in stock", correl_id="ORDER 1", expiry=50)
    lab.advance(2)
    warehouse.put("ANSWERS", "sold out", correl_id="ORDER 2")
    lab.advance(2)
    unit = warehouse.unit_of_work()
    unit.put("ANSWERS", "2 left", correl_id="ORDER 3")
    lab.advance(4)
    lab.shot(f"""A get for order 3
        CURDEPTH is {qm.depth("ANSWERS")}: expired and uncommitted messages count. The till, TILL, tries to get the
        answer for order 3. What does its get return?""")
    till = qm.connect("TILL")
    result = answer(till.get, "ANSWERS", correl_id="ORDER 3")
    lab.shot(f"""A get for order 1
        The get returned {result}. The answer is on the queue, but its unit of work is open: it becomes available with
        the commit. Next, TILL tries to get the answer for order 1, which was put 8 seconds ago. What is CURDEPTH after
        that?""")
    result = answer(till.get, "ANSWERS", correl_id="ORDER 1")
    lab.advance(1)
    lab.shot(f"""A get that waits
        The get returned {result}, and CURDEPTH is {qm.depth("ANSWERS")} now: the get reached an expired message and
        discarded it. Now TILL gets the answer for order 3 and waits up to 10 seconds. WAREHOUSE commits after 5. When
        does the get return?""")
    got = []
    qm.run_program("TILL", lambda app: got.append(answer(app.get, "ANSWERS", wait=10, correl_id="ORDER 3")))
    lab.advance(5)
    unit.commit()
    lab.advance(1)
    lab.shot(f"""A get within a unit of work
        The waiting get returned {" ".join(got) or "nothing"} when WAREHOUSE committed. CURDEPTH is
        {qm.depth("ANSWERS")}: the answer for order 2 was available all the time. Now TILL gets it within a unit of
        work, and then another till, TILL2, does a get.""")
    uncommitted = till.unit_of_work()
    result = answer(uncommitted.get, "ANSWERS")
    lab.advance(1)
    other = answer(qm.connect("TILL2").get, "ANSWERS")
    lab.shot(f"""A backout
        TILL has got {result}, uncommitted, and CURDEPTH is {qm.depth("ANSWERS")}; the get of TILL2 returned {other}.
        TILL backs out. What is CURDEPTH then?""")
    uncommitted.backout()
    lab.advance(1)
    lab.shot(f"""Available again
        CURDEPTH is {qm.depth("ANSWERS")}. An uncommitted put counts, but no get returns its message. An uncommitted get
        no longer counts, but a backout can restore its message.""")
