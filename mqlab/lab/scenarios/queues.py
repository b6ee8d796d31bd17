"""Scenarios about one queue: which messages a get returns, and which it discards."""

from __future__ import annotations

from typing import Any

from .telling import Tell, answer, outcome, story


@story
def expiry_priority(lab: Any, shot: Tell) -> None:
    qm = lab.queue_manager("SHOP")
    shot("A queue in priority order")
    qm.mqsc("DEFINE QLOCAL(ORDERS) MSGDLVSQ(PRIORITY) DESCR('Orders to be packed')").require()
    till = qm.connect("TILL")
    shot("Five orders, four with an expiry time")
    for name, priority, tenths, correl in (
        ("Anna", 7, 80, None),
        ("Bob", 4, 80, None),
        ("Carol", 4, -1, None),
        ("Dave", 4, 80, None),
        ("Eve", 2, 80, "POST"),
    ):
        till.put("ORDERS", name, priority=priority, expiry=tenths, correl_id=correl)
        lab.advance(1)
    shot("15 seconds without a get")
    lab.advance(15)
    shot("A get with no selection")
    packer = qm.connect("PACKER")
    got = answer(packer.get, "ORDERS")
    shot("Only the messages ahead were discarded", got=got)
    lab.advance(2)
    shot("A get by CorrelId")
    result = answer(qm.connect("CLERK").get, "ORDERS", correl_id="POST")
    shot("The last expired order", result=result)
    lab.advance(2)
    result = answer(packer.get, "ORDERS")
    shot("An empty queue", result=result)


@story
def expired_fill(lab: Any, shot: Tell) -> None:
    qm = lab.queue_manager("SHOP")
    shot("A small queue for quick questions")
    qm.mqsc("DEFINE QLOCAL(PRICE.ASK) MAXDEPTH(5) DESCR('Questions about prices, 2 seconds to live')").require()
    till = qm.connect("TILL")
    for number in range(1, 6):
        till.put("PRICE.ASK", f"price of item {number}?", expiry=20)
        lab.advance(4)
    shot("A sixth question")
    result = outcome(till.put, "PRICE.ASK", "price of item 6?", expiry=20)
    lab.advance(2)
    shot("The price server starts", result=result)
    server = qm.connect("PRICES")
    result = answer(server.get, "PRICE.ASK")
    shot("The sixth question again", result=result)
    lab.advance(2)
    result = outcome(till.put, "PRICE.ASK", "price of item 6?", expiry=20)
    shot("The price server stops reading", result=result)
    for number in range(7, 11):
        lab.advance(4)
        till.put("PRICE.ASK", f"price of item {number}?", expiry=20)
    lab.advance(10)
    before = qm.depth("PRICE.ASK")
    shot("The expiry scan", before=before)
    lab.advance_to(301_000_000)
    shot("Empty, but late")


@story
def cannot_get(lab: Any, shot: Tell) -> None:
    qm = lab.queue_manager("SHOP")
    qm.mqsc("DEFINE QLOCAL(ANSWERS) DESCR('Answers from the warehouse')").require()
    shot("Three answers on one queue")
    warehouse = qm.connect("WAREHOUSE")
    warehouse.put("ANSWERS", "in stock", correl_id="ORDER 1", expiry=50)
    lab.advance(2)
    warehouse.put("ANSWERS", "sold out", correl_id="ORDER 2")
    lab.advance(2)
    unit = warehouse.unit_of_work()
    unit.put("ANSWERS", "2 left", correl_id="ORDER 3")
    lab.advance(4)
    shot("A get for order 3")
    till = qm.connect("TILL")
    result = answer(till.get, "ANSWERS", correl_id="ORDER 3")
    shot("A get for order 1", result=result)
    result = answer(till.get, "ANSWERS", correl_id="ORDER 1")
    lab.advance(1)
    shot("A get that waits", result=result)
    got = []
    qm.run_program("TILL", lambda app: got.append(answer(app.get, "ANSWERS", wait=10, correl_id="ORDER 3")))
    lab.advance(5)
    unit.commit()
    lab.advance(1)
    shot("A get within a unit of work", got=" ".join(got) or "nothing")
    uncommitted = till.unit_of_work()
    result = answer(uncommitted.get, "ANSWERS")
    lab.advance(1)
    other = answer(qm.connect("TILL2").get, "ANSWERS")
    shot("A backout", result=result, other=other)
    uncommitted.backout()
    lab.advance(1)
    shot("Available again")
