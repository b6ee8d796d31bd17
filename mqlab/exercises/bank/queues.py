"""Exercises about queues, messages and units of work."""

from __future__ import annotations

from ...errors import MQError
from ..exercise import Check, Exercise, Prediction

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
    billing = lab["QM1"].connect("BILLING")
    while True:
        try:
            billing.get("ORDERS")
        except MQError as refused:
            if refused.reason == 2033:
                return
            raise


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
    task="Let ORDERS take a whole hour's orders, and no more than 20 of them should BILLING fail to come.",
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
            lambda lab: f"{len(_refused(lab))} of the puts were refused with 2053",
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

EXERCISES = (FULL,)
