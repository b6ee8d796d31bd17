"""Scenarios about one queue: what a get finds there, and what it discards."""

from __future__ import annotations

from typing import Any

from .telling import answer, outcome, story


@story(
    "Expiry on a priority queue",
    "Four of five messages have expired. One get: how many are left on the queue?",
    """An expired message stays, and counts, until a call meets it.
    A get of anything discards expired messages of higher priority, and earlier ones of the same priority.
    A get that selects discards only what it would have returned.""",
    "EXP-01 EXP-08 EXP-10 EXP-11 MQI-02",
)
def expiry_priority(lab: Any) -> None:
    """Five orders of three priorities, four of them with a short lifetime, on a queue that nobody reads for a while."""
    qm = lab.queue_manager("SHOP")
    lab.chapter("""A queue in priority order
        The shop puts express orders with priority 7, ordinary ones with 4, refills with 2. A get takes the highest
        priority first and, within a priority, what came first.""")
    qm.mqsc("DEFINE QLOCAL(ORDERS) MSGDLVSQ(PRIORITY) DESCR('Orders to be packed')").require()
    till = qm.connect("TILL")
    lab.chapter("""Five orders, one that keeps
        Anna's is express. Bob, Carol and Dave are ordinary, in this order; Eve's is a refill. Only Carol's keeps: the
        others have 8 seconds to live. Eve's carries CorrelId POST.""")
    for name, priority, tenths, correl in (
        ("Anna", 7, 80, None),
        ("Bob", 4, 80, None),
        ("Carol", 4, -1, None),
        ("Dave", 4, 80, None),
        ("Eve", 2, 80, "POST"),
    ):
        till.put("ORDERS", name, priority=priority, expiry=tenths, correl_id=correl)
        lab.advance(1)
    lab.chapter("""Everybody waits
        Nobody gets anything for 15 seconds. How many are on the queue then?""")
    lab.advance(15)
    lab.chapter(f"""All of them are still there
        CURDEPTH says {qm.depth("ORDERS")}. Expiry removes nothing. A get that reaches an expired message does. Now one
        get of anything. Which order does it return, and how many are left?""")
    packer = qm.connect("PACKER")
    got = answer(packer.get, "ORDERS")
    lab.chapter(f"""Only those ahead of it went
        The get returned {got} and discarded what stood ahead: Anna's, of higher priority, and Bob's, of the same and
        earlier. CURDEPTH says {qm.depth("ORDERS")}: Dave's and Eve's are behind, expired, not met.""")
    lab.advance(2)
    lab.chapter("""A get that selects
        The clerk for the post asks for CorrelId POST alone. That is Eve's, at the end of the queue, expired; Dave's
        stands before it. What is the clerk answered, and what is left?""")
    said = answer(qm.connect("CLERK").get, "ORDERS", correl_id="POST")
    lab.chapter(f"""It met what it selected
        {said}. Eve's was discarded, for this get would have returned it. Dave's was passed by: CURDEPTH says
        {qm.depth("ORDERS")}. One more get of anything.""")
    lab.advance(2)
    said = answer(packer.get, "ORDERS")
    lab.chapter(f"""Nothing left
        {said}, and Dave's was discarded by that. CURDEPTH says {qm.depth("ORDERS")}.""")


@story(
    "Expired messages fill a queue",
    "Can one queue be full for a put (2053) and have nothing for a get (2033)?",
    """CURDEPTH and MAXDEPTH count expired messages.
    One get, even one that finds nothing, clears what it meets.
    Current levels sweep every 5 minutes, which may be too late.""",
    "EXP-01 EXP-10 EXP-11 EXP-17 MQI-20",
)
def expired_fill(lab: Any) -> None:
    """A till asks for prices while the price server is off. Each question is worth something for two seconds."""
    qm = lab.queue_manager("SHOP")
    lab.chapter("""A small queue for quick questions
        The till asks for prices. An answer is worth something for 2 seconds, so each question has that long to live.
        The queue takes 5 messages. The price server is off.""")
    qm.mqsc("DEFINE QLOCAL(PRICE.ASK) MAXDEPTH(5) DESCR('Questions about prices, 2 seconds to live')").require()
    till = qm.connect("TILL")
    for number in range(1, 6):
        till.put("PRICE.ASK", f"price of item {number}?", expiry=20)
        lab.advance(4)
    lab.chapter("""Twenty seconds later
        Each of the five questions expired before the next was put. The till asks a sixth. Is there room for it?""")
    said = outcome(till.put, "PRICE.ASK", "price of item 6?", expiry=20)
    lab.advance(2)
    lab.chapter(f"""Full
        {said}. CURDEPTH says {qm.depth("PRICE.ASK")}: expired messages count. Now the price server is switched on and
        does its first get. What is it answered?""")
    server = qm.connect("PRICES")
    said = answer(server.get, "PRICE.ASK")
    lab.chapter(f"""Full, and nothing to get
        {said}, from a queue that was full. And how many messages are on it now? CURDEPTH says {qm.depth("PRICE.ASK")}:
        the get met all five and discarded them.""")
    lab.advance(2)
    said = outcome(till.put, "PRICE.ASK", "price of item 6?", expiry=20)
    lab.chapter(f"""There is room again
        The sixth question, put once more: {said}. The server goes off again before it gets it, and four more follow.
        Who will remove these if no program ever gets?""")
    for number in range(7, 11):
        lab.advance(4)
        till.put("PRICE.ASK", f"price of item {number}?", expiry=20)
    lab.advance(10)
    before = qm.depth("PRICE.ASK")
    lab.chapter(f"""The queue manager's own round
        CURDEPTH says {before} once more. A queue manager of a current level looks for expired messages every 5 minutes.
        It is 09:00:50; let it be 09:05.""")
    lab.advance_to(301_000_000)
    lab.chapter(f"""Swept
        CURDEPTH says {qm.depth("PRICE.ASK")}. But for more than 4 minutes, since 09:00:40, the queue was full and the
        till would have been refused. A program that gets, even late, keeps such a queue open.""")


@story(
    "The message that is there but cannot be got",
    "CURDEPTH is 3 and a get answers 2033. What are three possible reasons?",
    """CURDEPTH counts uncommitted puts and expired messages; neither can be got.
    A get by CorrelId sees nothing but what matches.
    An uncommitted get lowers the depth at once; a backout raises it again.""",
    "EXP-08 EXP-11 MQI-05 MQI-06 MQI-07 MQI-08 MQI-12 MQI-17",
)
def cannot_get(lab: Any) -> None:
    """Three answers are on a queue, and a till cannot have the one it wants."""
    qm = lab.queue_manager("SHOP")
    qm.mqsc("DEFINE QLOCAL(ANSWERS) DESCR('Answers from the warehouse')").require()
    lab.chapter("""Three answers on one queue
        The warehouse puts three answers: for order 1, with 5 seconds to live; for order 2; and for order 3, in a unit
        of work it has not ended. Each carries its order in the CorrelId.""")
    warehouse = qm.connect("WAREHOUSE")
    warehouse.put("ANSWERS", "in stock", correl_id="ORDER 1", expiry=50)
    lab.advance(2)
    warehouse.put("ANSWERS", "sold out", correl_id="ORDER 2")
    lab.advance(2)
    unit = warehouse.unit_of_work()
    unit.put("ANSWERS", "2 left", correl_id="ORDER 3")
    lab.advance(4)
    lab.chapter(f"""Depth
        CURDEPTH says {qm.depth("ANSWERS")}: expired and uncommitted messages count. The till asks for order 3. What is
        it answered?""")
    till = qm.connect("TILL")
    said = answer(till.get, "ANSWERS", correl_id="ORDER 3")
    lab.chapter(f"""There, and not to be got
        {said}. The answer is there, but put in a unit of work: it can be got only after the commit. Next the till asks
        for order 1, put 8 seconds ago. What is the depth after that?""")
    said = answer(till.get, "ANSWERS", correl_id="ORDER 1")
    lab.advance(1)
    lab.chapter(f"""Expired
        {said}, and CURDEPTH went to {qm.depth("ANSWERS")}: the get met an expired message and discarded it. Now the
        till asks for order 3 with a wait of 10 seconds. The warehouse commits after 5.""")
    got = []
    qm.run_program("TILL", lambda app: got.append(answer(app.get, "ANSWERS", wait=10, correl_id="ORDER 3")))
    lab.advance(5)
    unit.commit()
    lab.advance(1)
    lab.chapter(f"""Committed
        The waiting get returned {" ".join(got) or "nothing"} in the moment of the commit. CURDEPTH says
        {qm.depth("ANSWERS")}: order 2 was there all the time. Now the till gets that in a unit of work.""")
    held = till.unit_of_work()
    said = answer(held.get, "ANSWERS")
    lab.advance(1)
    other = answer(qm.connect("TILL2").get, "ANSWERS")
    lab.chapter(f"""Got, and not yet gone
        It has {said}, uncommitted, and CURDEPTH says {qm.depth("ANSWERS")}; another till is answered {other}. If the
        first one backs out, what then?""")
    held.backout()
    lab.advance(1)
    lab.chapter(f"""Back in its place
        CURDEPTH says {qm.depth("ANSWERS")}. An uncommitted put counts and cannot be got; an uncommitted get no longer
        counts and may come back.""")
