"""Exercises about names: what a queue's name leads to, here and at another queue manager."""

from __future__ import annotations

from ..exercise import Check, Exercise, Prediction
from . import names_more
from .happening import bodies, got, refused
from .shops import SYNCQ, delivered, reach, road
from .typed import typed

__all__ = ["EXERCISES"]


def _invoices_set_up(lab) -> None:
    road(lab, "SHOP")
    lab["HQ"].mqsc("DEFINE QLOCAL(INVOICES)")


def _invoices_load(lab) -> None:
    """BRANCH writes two invoices, a minute apart."""
    _write(lab, "INVOICES")


def _write(lab, name: str) -> None:
    """BRANCH puts two messages to a name, and is content to be refused."""
    branch = lab["SHOP"].connect("BRANCH")
    for number in (1, 2):
        reach(branch, name, b"number %d" % number)
        lab.advance(60)


def _told(lab) -> str:
    """What BRANCH is told."""
    reasons = sorted({row.reason for row in refused(lab, "BRANCH")})
    return f"BRANCH is refused with {reasons[0]}" if reasons else "BRANCH's puts are taken"


def _astray(lab, queue: str) -> str:
    """Where its messages are instead."""
    if refused(lab, "BRANCH"):
        return _told(lab)
    others = [each.name for each in lab["HQ"].queues if each.name not in (queue, SYNCQ) and each.depth]
    if others:
        return f"they stand on {others[-1]} at HQ"
    return f"they stay on {lab.events.where(kind='put', program='BRANCH')[-1].object} at SHOP"


INVOICES_REMOTE = """%%mqsc SHOP
DEFINE QREMOTE(INVOICES) RNAME(INVOICES) RQMNAME(HQ) XMITQ(TO.HQ)"""

REMOTE = Exercise(
    id="N01",
    title="The queue exists, and 2085 says it does not",
    situation="INVOICES is a local queue of HQ. The program BRANCH runs at SHOP, puts to INVOICES, and is told 2085. "
    "SHOP has a transmission queue TO.HQ and a channel that sends what is on it to HQ.",
    task="Let BRANCH's invoices arrive on INVOICES at HQ. The program stays as it is: it says INVOICES and no more.",
    questions=(4,),
    rules=("MQI-14", "CHL-01", "CHL-03"),
    minutes=10,
    work="%%mqsc SHOP\n* your commands\n",
    set_up=_invoices_set_up,
    load=_invoices_load,
    defect=lambda lab: lab["SHOP"].mqsc("DEFINE QREMOTE(INVOICES) RNAME(INVOICE) RQMNAME(HQ) XMITQ(TO.HQ)"),
    solution=typed(INVOICES_REMOTE + " REPLACE"),
    answer=INVOICES_REMOTE + " REPLACE",
    predictions=(
        Prediction(
            "local",
            "A colleague proposes DEFINE QLOCAL(INVOICES) at SHOP. How many of the two invoices would then reach HQ?",
            lambda lab: len(delivered(_with_local(lab), "INVOICES")),
            lambda lab: _with_local(lab).events.where(kind="put", program="BRANCH")[-1],
        ),
    ),
    checks=(
        Check("BRANCH's puts are taken", lambda lab: not refused(lab, "BRANCH"), _told, "MQI-14"),
        Check(
            "both invoices stand on INVOICES at HQ",
            lambda lab: bodies(lab, "HQ", "INVOICES") == [b"number 1", b"number 2"],
            lambda lab: _astray(lab, "INVOICES"),
            "CHL-03",
        ),
    ),
    hints=(
        "A name is looked up at the queue manager where the program runs. What does SHOP have by the name INVOICES?",
        "What is missing is an object at SHOP that is no queue itself, but says which queue at which queue manager is "
        "meant.",
        "A local definition of a remote queue names three things: the queue there, the queue manager there, and the "
        "transmission queue that leads there.",
    ),
)


def _with_local(lab):
    """The same situation with the colleague's queue, after the load."""
    other = REMOTE.start()
    other["SHOP"].mqsc("DEFINE QLOCAL(INVOICES)")
    _invoices_load(other)
    return other


def _depot_set_up(lab) -> None:
    road(lab, "SHOP")
    lab["HQ"].mqsc("DEFINE QLOCAL(STOCK)")


DEPOT_ALIAS = """%%mqsc SHOP
DEFINE QREMOTE(DEPOT) RNAME(' ') RQMNAME(HQ) XMITQ(TO.HQ) REPLACE"""

ALIAS = Exercise(
    id="N02",
    title="The depot has moved",
    situation="BRANCH puts to queue STOCK of queue manager DEPOT, STOCK@DEPOT. The depot was closed last week; its "
    "STOCK is now a queue of HQ, which SHOP reaches by the transmission queue TO.HQ. BRANCH is told 2087.",
    task="Let what BRANCH puts to STOCK@DEPOT arrive on STOCK at HQ. Nobody may touch the program, nor HQ.",
    questions=(4,),
    rules=("CHL-01", "CHL-03", "CHL-16"),
    minutes=12,
    work="%%mqsc SHOP\n* your commands\n",
    set_up=_depot_set_up,
    load=lambda lab: _write(lab, "STOCK@DEPOT"),
    defect=lambda lab: lab["SHOP"].mqsc("DEFINE QREMOTE(DEPOT) RNAME(STOCK) RQMNAME(HQ) XMITQ(TO.HQ)"),
    solution=typed(DEPOT_ALIAS),
    answer=DEPOT_ALIAS,
    predictions=(
        Prediction(
            "header",
            "When it works: which queue manager does the header of such a message name on TO.HQ?",
            lambda lab: lab.events.where(kind="put", program="BRANCH")[0].detail.split("@")[-1].split('"')[0],
            lambda lab: lab.events.where(kind="put", program="BRANCH")[0],
            solved=True,
        ),
        Prediction(
            "reason",
            "As it is: with which reason code is the put refused?",
            lambda lab: refused(lab, "BRANCH")[0].reason,
            lambda lab: refused(lab, "BRANCH")[0],
        ),
    ),
    checks=(
        Check("BRANCH's puts are taken", lambda lab: not refused(lab, "BRANCH"), _told, "CHL-01"),
        Check(
            "both messages stand on STOCK at HQ",
            lambda lab: bodies(lab, "HQ", "STOCK") == [b"number 1", b"number 2"],
            lambda lab: _astray(lab, "STOCK"),
            "CHL-03",
        ),
        Check(
            "HQ is as it was",
            lambda lab: lab["HQ"].export_mqsc() == ALIAS.start()["HQ"].export_mqsc(),
            lambda lab: "HQ has other definitions than before, and it was to be left alone",
        ),
    ),
    hints=(
        "With STOCK@DEPOT the queue manager's name is resolved first, at SHOP, before anybody looks at STOCK.",
        "A transmission queue called DEPOT would be one answer, but its messages still name DEPOT. The name itself has "
        "to be changed on the way.",
        "A remote definition need not name a queue. With no queue in it, it says which queue manager is meant by a "
        "name: a queue manager alias.",
    ),
)


ORDERS_ALIAS = """%%mqsc QM1
DEFINE QALIAS('Shop.Orders') TARGET(SHOP.ORDERS) REPLACE"""


def _case_load(lab) -> None:
    """SHOP orders twice; BILLING comes for what there is."""
    shop, billing = lab["QM1"].connect("SHOP"), lab["QM1"].connect("BILLING")
    for number in (1, 2):
        reach(shop, "Shop.Orders", b"order %d" % number)
        lab.advance(60)
    billing.drain("SHOP.ORDERS")


CASE = Exercise(
    id="N03",
    title="Typed the same, and still unknown",
    situation="The supplier's program SHOP puts to Shop.Orders, written like that. The operator typed DEFINE "
    "QLOCAL(Shop.Orders), got no error, and BILLING reads SHOP.ORDERS. SHOP is told 2085.",
    task="BILLING must get SHOP's orders. Neither program can be changed: each goes on with the name it has.",
    questions=(4,),
    rules=("MQI-14", "MQI-15"),
    minutes=8,
    set_up=lambda lab: lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(Shop.Orders)"),
    load=_case_load,
    defect=lambda lab: lab["QM1"].mqsc("DEFINE QALIAS('Shop.Orders') TARGET('Shop.orders')"),
    solution=typed(ORDERS_ALIAS),
    answer=ORDERS_ALIAS,
    predictions=(
        Prediction(
            "name",
            "As it is: what is the name of the queue that the operator's command made?",
            lambda lab: next(queue.name for queue in lab["QM1"].queues if queue.name.upper() == "SHOP.ORDERS"),
            lambda lab: lab.events.where(kind="define", object="SHOP.ORDERS")[0],
            exact=True,
        ),
        Prediction(
            "reason",
            "With which reason code is SHOP refused?",
            lambda lab: refused(lab, "SHOP")[0].reason,
            lambda lab: refused(lab, "SHOP")[0],
        ),
    ),
    checks=(
        Check(
            "SHOP's orders are taken",
            lambda lab: not refused(lab, "SHOP"),
            lambda lab: f"SHOP is refused with {refused(lab, 'SHOP')[0].reason}",
            "MQI-14",
        ),
        Check(
            "BILLING gets both",
            lambda lab: len(got(lab, "BILLING")) == 2,
            lambda lab: f"BILLING got {len(got(lab, 'BILLING'))}",
            "MQI-14",
        ),
    ),
    hints=(
        "Names of objects know capital and small letters. What does MQSC do with a name that stands without quotes?",
        "DISPLAY QLOCAL(*) shows the name as it is kept. The two programs need two names for one queue.",
        "An alias is a second name for a queue. A name with small letters must stand in quotes, wherever it is typed.",
    ),
)

EXERCISES = (REMOTE, ALIAS, CASE, *names_more.EXERCISES)
