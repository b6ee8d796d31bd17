"""Scenarios about units of work."""

from __future__ import annotations

from .telling import Scenario, answer

__all__ = ["SCENARIOS"]


def cannot_get(lab) -> None:
    """Three messages on the queue and 2033: one uncommitted, one expired, one that is not asked for."""
    qm = lab.queue_manager("SHOP")
    qm.mqsc("DEFINE QLOCAL(ANSWERS) DESCR('Answers from the warehouse')").require()
    lab.chapter(
        "Three answers on one queue",
        "The warehouse puts three answers: for order 1, with 5 seconds to live; for order 2; and for order 3, in a "
        "unit of work it has not ended. Each carries its order in the CorrelId.",
    )
    warehouse = qm.connect("WAREHOUSE")
    warehouse.put("ANSWERS", "in stock", correl_id="ORDER 1", expiry=50)
    lab.advance(2)
    warehouse.put("ANSWERS", "sold out", correl_id="ORDER 2")
    lab.advance(2)
    unit = warehouse.unit_of_work()
    unit.put("ANSWERS", "2 left", correl_id="ORDER 3")
    lab.advance(4)
    lab.chapter(
        "Depth",
        f"CURDEPTH says {qm.depth('ANSWERS')}: expired and uncommitted messages count. The till asks for order 3. What "
        "is it answered?",
    )
    till = qm.connect("TILL")
    said = answer(till.get, "ANSWERS", correl_id="ORDER 3")
    lab.chapter(
        "There, and not to be got",
        f"{said}. The answer is there, but put in a unit of work: it can be got only after the commit. Next the till "
        "asks for order 1, put 8 seconds ago. What is the depth after that?",
    )
    said = answer(till.get, "ANSWERS", correl_id="ORDER 1")
    lab.advance(1)
    lab.chapter(
        "Expired",
        f"{said}, and CURDEPTH went to {qm.depth('ANSWERS')}: the get met an expired message and discarded it. Now the "
        "till asks for order 3 with a wait of 10 seconds. The warehouse commits after 5.",
    )
    got = []
    qm.run_program("TILL", lambda app: got.append(answer(app.get, "ANSWERS", wait=10, correl_id="ORDER 3")))
    lab.advance(5)
    unit.commit()
    lab.advance(1)
    lab.chapter(
        "Committed",
        f"The waiting get returned {' '.join(got) or 'nothing'} in the moment of the commit. CURDEPTH says "
        f"{qm.depth('ANSWERS')}: order 2 was there all the time. Now the till gets that in a unit of work.",
    )
    held = till.unit_of_work()
    said = answer(held.get, "ANSWERS")
    lab.advance(1)
    other = answer(qm.connect("TILL2").get, "ANSWERS")
    lab.chapter(
        "Got, and not yet gone",
        f"It has {said}, uncommitted, and CURDEPTH says {qm.depth('ANSWERS')}; another till is answered {other}. If "
        "the first one backs out, what then?",
    )
    held.backout()
    lab.advance(1)
    lab.chapter(
        "Back in its place",
        f"CURDEPTH says {qm.depth('ANSWERS')}. An uncommitted put counts and cannot be got; an uncommitted get no "
        "longer counts and may come back.",
    )


SCENARIOS = (
    Scenario(
        "cannot-get",
        "The message that is there but cannot be got",
        "Three answers are on a queue, and a till cannot have the one it wants.",
        "CURDEPTH is 3 and a get answers 2033. What are three possible reasons?",
        (
            "CURDEPTH counts uncommitted puts and expired messages; neither can be got.",
            "A get by CorrelId sees nothing but what matches.",
            "An uncommitted get lowers the depth at once; a backout raises it again.",
        ),
        ("EXP-08", "EXP-11", "MQI-05", "MQI-06", "MQI-07", "MQI-08", "MQI-12", "MQI-17"),
        cannot_get,
    ),
)
