"""Exercises about queues, messages and units of work."""

from __future__ import annotations

from ....mq.errors import MQError
from ....views.text import plural
from ..exercise import Check, Exercise, Prediction
from ..replica import retold
from . import queues_more
from .happening import got, refused, sent
from .typed import typed

__all__ = ["EXERCISES"]


def _full_set_up(lab) -> None:
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(ORDERS) MAXDEPTH(5) DESCR('Orders to be billed')")


def _full_load(lab) -> None:
    """Eight orders in an hour; BILLING reads only at the end of it."""
    shop = lab["QM1"].connect("SHOP")
    for number in range(8):
        try:
            shop.put("ORDERS", b"order %d" % number, persistent=True)
        except MQError as refused:
            if refused.reason != 2053:
                raise
        lab.advance(450)
    lab["QM1"].connect("BILLING").drain("ORDERS")


def _done(lab, kind: str) -> int:
    """How many calls of a kind worked on ORDERS."""
    return sum(row.message is not None for row in lab.events.where(kind=kind, object="ORDERS"))


def _refused(lab) -> list:
    return lab.events.where(kind="put", reason=2053)


def _room(lab) -> int:
    """How many messages the queue takes before it refuses one, tried out up to 30."""
    taken = 0
    try:
        for _ in range(30):
            lab["QM1"].put("ORDERS", b"x")
            taken += 1
    except MQError as refused:
        if refused.reason != 2053:
            raise
    lab["QM1"].clear("ORDERS")
    return taken


FULL = Exercise(
    id="Q01",
    title="The queue that refuses orders",
    situation="SHOP puts 8 persistent orders in an hour; BILLING reads them all at the end of it. Some puts are "
    "refused with 2053.",
    task="Let ORDERS take a whole hour's orders. Should BILLING fail to come, it is to take 20 of them and no more.",
    questions=(2,),
    rules=("MQI-09",),
    minutes=8,
    set_up=_full_set_up,
    load=_full_load,
    defect=lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) MAXDEPTH(7) MAXMSGL(100)"),
    solution=lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(ORDERS) MAXDEPTH(20)"),
    answer="%%mqsc QM1\nALTER QLOCAL(ORDERS) MAXDEPTH(20)",
    predictions=(
        Prediction(
            "refused",
            "As it is: how many of the 8 puts are refused?",
            lambda lab: len(_refused(lab)),
            lambda lab: _refused(lab)[0],
        ),
    ),
    checks=(
        Check(
            "all 8 orders are put",
            lambda lab: _done(lab, "put") == 8,
            lambda lab: f"{_done(lab, 'put')} were put, {plural(len(_refused(lab)), 'was', 'were')} refused with 2053",
            "MQI-09",
        ),
        Check("BILLING gets all 8", lambda lab: _done(lab, "get") == 8, lambda lab: f"BILLING got {_done(lab, 'get')}"),
        Check(
            "the queue takes 20 messages and no more",
            lambda lab: _room(lab) == 20,
            lambda lab: f"the queue took {_room(lab)} messages" + (" and would take more" if _room(lab) == 30 else ""),
            "MQI-09",
        ),
    ),
    hints=(
        "A put is refused with 2053 when CURDEPTH has reached a limit. Which attribute is that limit?",
        "DISPLAY QLOCAL(ORDERS) CURDEPTH MAXDEPTH: the second one is what a put is measured against.",
        "ALTER QLOCAL(ORDERS) changes an attribute of a queue that is there; the task names the number.",
    ),
)

REPAIRS_IN_ORDER = """%%mqsc QM1
ALTER QLOCAL(REPAIRS) MSGDLVSQ(PRIORITY) DEFPRTY(4)"""
REPAIRED = {"clock": None, "lamp": 4, "radio": None, "wheelchair": 7, "phone": None}
"""What comes in, in this order, and the priority it is put with (None: none is said)."""


def _repairs_load(lab) -> None:
    """Five repairs come in; then WORKSHOP gets them one after the other."""
    counter, workshop = lab["QM1"].connect("COUNTER"), lab["QM1"].connect("WORKSHOP")
    for thing, priority in REPAIRED.items():
        counter.put("REPAIRS", thing, priority=priority)
        lab.advance(60)
    for _ in REPAIRED:
        workshop.get("REPAIRS")
        lab.advance(600)


def _order(lab) -> list[str]:
    """The things in the order in which WORKSHOP got them."""
    things = {row.message: thing for row, thing in zip(sent(lab, "COUNTER"), REPAIRED, strict=False)}
    return [things.get(row.message, "?") for row in got(lab, "WORKSHOP")]


def _ordinary(lab) -> list[str]:
    return [thing for thing in _order(lab) if thing != "wheelchair"]


ORDER = Exercise(
    id="Q04",
    title="The wheelchair waits behind the clock",
    situation="COUNTER puts repairs on REPAIRS: a clock, a lamp, a radio, a wheelchair, a phone. It says priority 7 "
    "for the wheelchair, which is urgent, and 4 for the lamp, because an old form does so; for the others it says "
    "nothing. WORKSHOP gets them one after the other.",
    task="The wheelchair is to be got first. Everything else comes in the order in which it was brought, with or "
    "without the old form.",
    rules=("MQI-01", "MQI-02"),
    minutes=10,
    set_up=lambda lab: lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(REPAIRS) MSGDLVSQ(FIFO) DEFPRTY(9)"),
    load=_repairs_load,
    defect=lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(REPAIRS) MSGDLVSQ(PRIORITY)"),
    solution=typed(REPAIRS_IN_ORDER),
    answer=REPAIRS_IN_ORDER,
    predictions=(
        Prediction(
            "place",
            "As it is: which place has the wheelchair in the order in which WORKSHOP gets the five?",
            lambda lab: _order(lab).index("wheelchair") + 1,
            lambda lab: got(lab, "WORKSHOP")[_order(lab).index("wheelchair")],
        ),
        Prediction(
            "clock",
            "The clock is put without a priority. Which one does it have on the queue?",
            lambda lab: sent(lab, "COUNTER")[0].priority,
            lambda lab: sent(lab, "COUNTER")[0],
        ),
    ),
    checks=(
        Check(
            "the wheelchair is got first",
            lambda lab: _order(lab)[:1] == ["wheelchair"],
            lambda lab: f"WORKSHOP got the {_order(lab)[0]} first" if _order(lab) else "WORKSHOP got nothing",
            "MQI-02",
        ),
        Check(
            "the others come in the order in which they were brought",
            lambda lab: _ordinary(lab) == [thing for thing in REPAIRED if thing != "wheelchair"],
            lambda lab: f"the others were got in the order {', '.join(_ordinary(lab)) or '(none was got)'}",
            "MQI-01",
        ),
    ),
    hints=(
        "Two things decide the order: whether the queue looks at priority at all, and which priority a message has "
        "that was put without one.",
        "DISPLAY QLOCAL(REPAIRS) MSGDLVSQ DEFPRTY shows both. Compare the second with the numbers that COUNTER says.",
        "Deliver by priority, and give what is put without a priority the same rank as the old form does.",
    ),
)


CLOSING = """%%mqsc QM1
ALTER QALIAS(ORDERS.IN) PUT(DISABLED)
# %%
billing = lab["QM1"].connect("BILLING")
while billing.depth("ORDERS"):
    billing.get("ORDERS")"""


def _closing_set_up(lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(ORDERS)\nDEFINE QALIAS(ORDERS.IN) TARGET(ORDERS)")
    shop = lab["QM1"].connect("SHOP")
    for number in range(4):
        shop.put("ORDERS.IN", b"order %d" % number, persistent=True)
        lab.advance(600)


def _tried(lab, call: str, program: str, queue: str):
    """The row of a put or get of a program on a queue, tried out in a lab with the same definitions."""
    trial = retold(lab)
    app = trial["QM1"].connect(program)
    try:
        app.get(queue) if call == "get" else app.put(queue, b"one more")
    except MQError:
        return refused(trial, program)[0]
    return trial.events.where(program=program, kind=call)[0]


def _billed(lab) -> int:
    """How many orders BILLING has for good: what it got in a unit of work counts once that is committed."""
    committed = {None, *(row.uow for row in lab.events.where(kind="commit"))}
    return sum(row.uow in committed for row in got(lab, "BILLING", "ORDERS"))


def _open(lab, call: str, program: str, queue: str) -> bool:
    """Whether it is let in; that there is nothing to get is no refusal."""
    return _tried(lab, call, program, queue).reason in (None, 2033)


CLOSE = Exercise(
    id="Q05",
    title="The shop closes, the books stay open",
    situation="SHOP puts its orders by the name ORDERS.IN, an alias of ORDERS. RETURNS puts to ORDERS itself, also at "
    "night. Four orders are waiting for BILLING, which gets from ORDERS.",
    task="The shop closes for the night. No order may come in by the shop's name any more, RETURNS must be able to go "
    "on, and BILLING must have got all four orders for good. Do it in your lab, as operator and as BILLING.",
    rules=("MQI-11", "MQI-14"),
    minutes=10,
    work='%%mqsc QM1\n* your commands; for BILLING: lab["QM1"].connect("BILLING").get("ORDERS") in a cell of its own\n',
    set_up=_closing_set_up,
    defect=lambda lab: lab["QM1"].mqsc("ALTER QALIAS(ORDERS.IN) GET(DISABLED)"),
    solution=typed(CLOSING),
    answer=CLOSING,
    predictions=(
        Prediction(
            "reason",
            "When it is done: with which reason code is a put by the shop's name refused?",
            lambda lab: _tried(lab, "put", "SHOP", "ORDERS.IN").reason,
            lambda lab: _tried(lab, "put", "SHOP", "ORDERS.IN"),
            solved=True,
        ),
        Prediction(
            "gets",
            "And how many orders does BILLING still get?",
            lambda lab: len(got(lab, "BILLING")),
            lambda lab: got(lab, "BILLING")[-1],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "a put by the shop's name is refused",
            lambda lab: not _open(lab, "put", "SHOP", "ORDERS.IN"),
            lambda lab: "an order that SHOP puts now is taken",
            "MQI-11",
        ),
        Check(
            "RETURNS can put",
            lambda lab: _open(lab, "put", "RETURNS", "ORDERS"),
            lambda lab: f"RETURNS is refused with {_tried(lab, 'put', 'RETURNS', 'ORDERS').reason}",
        ),
        Check(
            "BILLING has got all four orders",
            lambda lab: _billed(lab) == 4,
            lambda lab: f"BILLING got {_billed(lab)} of 4 for good",
        ),
        Check(
            "BILLING can go on getting",
            lambda lab: _open(lab, "get", "BILLING", "ORDERS"),
            lambda lab: f"BILLING is refused with {_tried(lab, 'get', 'BILLING', 'ORDERS').reason}",
        ),
    ),
    hints=(
        "SHOP and RETURNS put to the same queue by two names. Which of the two is to be closed?",
        "An alias is an object of its own: it can refuse what the queue behind it takes. Gets are another matter than "
        "puts.",
        "The attribute is called PUT. Alter it where only SHOP is met, then let BILLING get until ORDERS is empty.",
    ),
)

EXERCISES = (FULL, *queues_more.EXERCISES, ORDER, CLOSE)
