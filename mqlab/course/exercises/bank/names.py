"""Exercises about names: what a name leads to, and what keeps a program from a queue manager or a queue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....lab.lab import Lab
from ..exercise import Check, Exercise, Prediction
from .log_queries import got, refused, rows, sent, state, texts
from .shops import SYNCQ, alone, delivered, reach, road, shop_and_hq


def _write(lab: Lab, name: str) -> None:
    """BRANCH puts two messages to a name, and is content to be refused."""
    branch = lab["SHOP"].connect("BRANCH")
    for number in (1, 2):
        reach(branch, name, b"number %d" % number)
        lab.advance(60)


def _told(lab: Lab) -> str:
    """The reason with which BRANCH is refused, in words, "" if its puts are taken."""
    reasons = sorted({row.reason for row in refused("BRANCH")(lab)})
    return f"BRANCH is refused with {reasons[0]}" if reasons else ""


def _astray(queue: str) -> Callable[[Lab], str]:
    """Where BRANCH's two messages for a queue of HQ are instead, in words; "" if they are there."""

    def look(lab: Lab) -> str:
        if texts("HQ", queue)(lab) == ["number 1", "number 2"]:
            return ""
        if refused("BRANCH")(lab):
            return _told(lab)
        others = [each.name for each in lab["HQ"].queues if each.name not in (queue, SYNCQ) and each.depth]
        waiting = rows(kind="put", program="BRANCH").last(lab).object
        return f"they stand on {others[-1]} at HQ" if others else f"they stay on {waiting} at SHOP"

    return look


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
    set_up=shop_and_hq("DEFINE QLOCAL(INVOICES)"),
    load=lambda lab: _write(lab, "INVOICES"),
    defect="%%mqsc SHOP\nDEFINE QREMOTE(INVOICES) RNAME(INVOICE) RQMNAME(HQ) XMITQ(TO.HQ)",
    answer="%%mqsc SHOP\nDEFINE QREMOTE(INVOICES) RNAME(INVOICES) RQMNAME(HQ) XMITQ(TO.HQ) REPLACE",
    predictions=(
        Prediction(
            "local",
            "A colleague proposes DEFINE QLOCAL(INVOICES) at SHOP. How many of the two invoices would then reach HQ?",
        ).asks(
            lambda lab: delivered("INVOICES").count(_with_local(lab)), lambda lab: sent("BRANCH").last(_with_local(lab))
        ),
    ),
    checks=(
        Check("BRANCH's puts are taken", "MQI-14", _told),
        Check("both invoices stand on INVOICES at HQ", "CHL-03", _astray("INVOICES")),
    ),
    hints=(
        "A name is looked up at the queue manager where the program runs. What does SHOP have by the name INVOICES?",
        "What is missing is an object at SHOP that is no queue itself, but says which queue at which queue manager is "
        "meant.",
        "A local definition of a remote queue names three things: the queue there, the queue manager there, and the "
        "transmission queue that leads there.",
    ),
)


def _with_local(lab: Lab) -> Lab:
    """The same situation with the colleague's queue, after the load."""
    other = REMOTE.start()
    other["SHOP"].mqsc("DEFINE QLOCAL(INVOICES)")
    _write(other, "INVOICES")
    return other


ALIAS: Exercise = Exercise(
    id="N02",
    title="The depot has moved",
    situation="BRANCH puts to queue STOCK of queue manager DEPOT, STOCK@DEPOT. The depot was closed last week; its "
    "STOCK is now a queue of HQ, which SHOP reaches by the transmission queue TO.HQ. BRANCH is told 2087.",
    task="Let what BRANCH puts to STOCK@DEPOT arrive on STOCK at HQ. Nobody may touch the program, nor HQ.",
    questions=(4,),
    rules=("CHL-01", "CHL-03", "CHL-16"),
    minutes=12,
    work="%%mqsc SHOP\n* your commands\n",
    set_up=shop_and_hq("DEFINE QLOCAL(STOCK)"),
    load=lambda lab: _write(lab, "STOCK@DEPOT"),
    defect="%%mqsc SHOP\nDEFINE QREMOTE(DEPOT) RNAME(STOCK) RQMNAME(HQ) XMITQ(TO.HQ)",
    answer="%%mqsc SHOP\nDEFINE QREMOTE(DEPOT) RNAME(' ') RQMNAME(HQ) XMITQ(TO.HQ) REPLACE",
    predictions=(
        Prediction(
            "header", "When it works: which queue manager does the header of such a message name on TO.HQ?", solved=True
        ).asks(
            lambda lab: rows(kind="put", program="BRANCH").first(lab).detail.split("@")[-1].split('"')[0],
            rows(kind="put", program="BRANCH").first,
        ),
        Prediction("reason", "As it is: with which reason code is the put refused?").asks(
            refused("BRANCH").value("reason"), refused("BRANCH").first
        ),
    ),
    checks=(
        Check("BRANCH's puts are taken", "CHL-01", _told),
        Check("both messages stand on STOCK at HQ", "CHL-03", _astray("STOCK")),
        Check("HQ is as it was").asks(
            lambda lab: lab["HQ"].export_mqsc() == ALIAS.start()["HQ"].export_mqsc(),
            True,
            "HQ has other definitions than before, and it was to be left alone",
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


def _case_load(lab: Lab) -> None:
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
    set_up=alone("DEFINE QLOCAL(Shop.Orders)"),
    load=_case_load,
    defect="%%mqsc QM1\nDEFINE QALIAS('Shop.Orders') TARGET('Shop.orders')",
    answer="%%mqsc QM1\nDEFINE QALIAS('Shop.Orders') TARGET(SHOP.ORDERS) REPLACE",
    predictions=(
        Prediction(
            "name", "As it is: what is the name of the queue that the operator's command made?", exact=True
        ).asks(
            lambda lab: next(queue.name for queue in lab["QM1"].queues if queue.name.upper() == "SHOP.ORDERS"),
            rows(kind="define", object="SHOP.ORDERS").first,
        ),
        Prediction("reason", "With which reason code is SHOP refused?").asks(
            refused("SHOP").value("reason"), refused("SHOP").first
        ),
    ),
    checks=(
        Check("SHOP's orders are taken", "MQI-14").asks(
            refused("SHOP").count, 0, "SHOP is refused with {1}", refused("SHOP").value("reason")
        ),
        Check("BILLING gets both", "MQI-14").asks(got("BILLING").count, 2, "BILLING got {}"),
    ),
    hints=(
        "Names of objects know capital and small letters. What does MQSC do with a name that stands without quotes?",
        "DISPLAY QLOCAL(*) shows the name as it is kept. The two programs need two names for one queue.",
        "An alias is a second name for a queue. A name with small letters must stand in quotes, wherever it is typed.",
    ),
)


SHOPS = ("SHOP1", "SHOP2", "SHOP3")


def _takings_set_up(lab: Lab) -> None:
    for shop in SHOPS:
        road(lab, shop, "depot.example(1414)" if shop == "SHOP3" else "hq.example(1414)")
        lab[shop].mqsc("DEFINE QREMOTE(TAKINGS) RNAME(TAKINGS) RQMNAME(HQ) XMITQ(TO.HQ)")
    lab["HQ"].mqsc("DEFINE QLOCAL(TAKINGS)")
    lab.queue_manager("DEPOT")
    lab.address("depot.example(1414)", "DEPOT")
    lab.link("SHOP3", "DEPOT", latency=0.05)
    lab["HQ"].stop()
    lab.cut("SHOP2", "HQ")
    for shop in SHOPS:
        reach(lab[shop].connect("TILL"), "TAKINGS", f"takings of {shop}".encode())
    lab.advance(150)


def _arrived(lab: Lab) -> dict[str, bool]:
    """Whose takings have come to HQ, by the number that each message kept on its way."""
    there = {row.message for row in delivered("TAKINGS")(lab)}
    return {row.qmgr: row.message in there for row in rows(kind="put", program="TILL")(lab)}


def _at_hq(shop: str, rule: str) -> Check:
    return Check(f"the takings of {shop} stand on TAKINGS at HQ", rule).asks(
        lambda lab: _arrived(lab)[shop],
        True,
        f"the takings of {shop} have not come; its channel is {{1}}",
        state(shop, f"{shop}.HQ"),
    )


def _after_start(lab: Lab) -> Lab:
    """The same situation, with HQ started and nothing else done, a quarter of an hour later."""
    other = THREE.start()
    other["HQ"].start()
    other.advance(900)
    return other


THREE_CAUSES = """%%mqsc SHOP3
ALTER CHANNEL(SHOP3.HQ) CHLTYPE(SDR) CONNAME('hq.example(1414)')
# %%
if not lab["HQ"].running:
    lab["HQ"].start()
lab.restore("SHOP2", "HQ")
lab.advance(900)"""

THREE = Exercise(
    id="N04",
    title="One symptom, three causes",
    situation="Three shops send their takings to TAKINGS at HQ, and this morning no channel gets through: all three "
    "are RETRYING. HQ listens as hq.example(1414), DEPOT as depot.example(1414). A client program would be told 2059 "
    "for a queue manager that does not run, 2058 for a name that is none, 2538 where nobody answers at the address; "
    "the lab runs no clients and no listeners, so three channels stand for them here.",
    task="Find what is wrong with each and put it right, until the takings of all three shops stand on TAKINGS at HQ. "
    "Beside MQSC there are lab[...].start(), lab.restore(one, other), and lab.advance(seconds) to let time pass.",
    questions=(5,),
    rules=("CHL-08", "CHL-09", "NET-01", "MQI-16"),
    minutes=15,
    work="%%mqsc SHOP1\nDISPLAY CHSTATUS(*)\n",
    set_up=_takings_set_up,
    defect=lambda lab: lab["HQ"].start(),
    answer=THREE_CAUSES,
    predictions=(
        Prediction(
            "started", "HQ does not run. If it is started, and nothing else done: how many shops get through?"
        ).asks(
            lambda lab: sum(_arrived(_after_start(lab)).values()),
            lambda lab: delivered("TAKINGS").first(_after_start(lab)),
        ),
    ),
    checks=tuple(map(_at_hq, SHOPS, ("MQI-16", "NET-01", "CHL-09"))),
    hints=(
        "RETRYING says that it did not work, not why. Ask what each channel needs: a partner that runs, a path to it, "
        "and its right address.",
        "Show `lab`: the picture tells which queue manager is stopped and which path is cut. DISPLAY CHANNEL(*) "
        "CONNAME on each shop tells the rest.",
        "Start what is stopped, restore what is cut, correct the address that is another's. The channels try again by "
        "themselves, if time is given.",
    ),
)


GATES = """%%mqsc QM1
ALTER QMGR CONNAUTH(CHECK)
ALTER AUTHINFO(CHECK) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED) CHCKLOCL(OPTIONAL) ADOPTCTX(YES)
REFRESH SECURITY TYPE(CONNAUTH)"""


def _asked(lab: Lab) -> dict[str, Any]:
    """The attributes of the AUTHINFO object that CONNAUTH names; none where it names none that is there."""
    qmgr = lab["QM1"]
    named = qmgr.attributes["CONNAUTH"]
    found = qmgr.objects.get("AUTHINFO", named) if named else None
    return {} if found is None else found.attributes


def _client(lab: Lab, password: bool) -> str:
    """The user that a till's client would act as, as the definitions read; "" where it would not be let in.

    What a client says of itself gives way to MCAUSER, and that to the user whose password was checked where ADOPTCTX
    is YES ("Determining which user is used for authorization", product documentation).
    """
    asked, channel = _asked(lab), lab["QM1"].objects.get("CHANNEL", "TILLS")
    wanted = asked.get("CHCKCLNT", "NONE")
    if channel is None or (wanted == "REQUIRED" and not password):
        return ""
    if password and wanted != "NONE" and asked.get("ADOPTCTX") == "YES":
        return "till"
    return channel.attributes["MCAUSER"] or "till"


READ_GATES: Exercise = Exercise(
    id="N05",
    title="2035: one gate after the other",
    situation="Tills connect as clients by the channel TILLS, with the user till and the right password. The operator "
    "once had 2035 and opened every gate: CONNAUTH is blank, so nobody is asked for a password, and MCAUSER says mqm, "
    "so everybody may do everything. The lab keeps these definitions and runs no clients: nothing here answers 2035, "
    "and what is checked is how the definitions read. The gates beside these, CHLAUTH records and authority records, "
    "it keeps and does not act on. A real queue manager would go on as before until REFRESH SECURITY TYPE(CONNAUTH).",
    task="A client without a password must not get in. One with till's password must act as till, not as mqm. BATCH, "
    "which runs on the machine itself, has no password and must not need one.",
    questions=(1,),
    rules=("MQI-15",),
    minutes=12,
    set_up=alone("""
        DEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN) MCAUSER('mqm')
        DEFINE AUTHINFO(CHECK) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL) CHCKLOCL(OPTIONAL) ADOPTCTX(NO)
        ALTER QMGR CONNAUTH(' ')
        """),
    defect="%%mqsc QM1\nALTER QMGR CONNAUTH(CHECK)",
    answer=GATES,
    predictions=(
        Prediction("user", "As it is: as which user does a till act that gives till's password?").asks(
            lambda lab: _client(lab, password=True), rows(kind="define", object="TILLS").first
        ),
        Prediction(
            "named",
            "If only CONNAUTH is made to name CHECK, and nothing else is changed: as which user does it act then?",
        ).asks(lambda lab: _client(READ_GATES.start("repair"), password=True)),
    ),
    checks=(
        Check("a client without a password does not get in").asks(
            lambda lab: _client(lab, password=False), "", "a client without a password gets in and acts as {}"
        ),
        Check("a client with till's password acts as till").asks(
            lambda lab: _client(lab, password=True), "till", "a client with till's password acts as {:nobody}"
        ),
        Check("BATCH needs no password").asks(
            lambda lab: _asked(lab).get("CHCKLOCL", "NONE") in ("NONE", "OPTIONAL"),
            True,
            "BATCH, on the machine itself, is refused: it gives no password",
        ),
    ),
    hints=(
        "Ask three questions in this order: is there a check of passwords at all, whom does it ask, and who is the "
        "program taken for afterwards?",
        "DISPLAY QMGR CONNAUTH names an AUTHINFO object, or none. DISPLAY AUTHINFO(CHECK) ALL shows whom it asks: "
        "clients and local programs are two attributes.",
        "A third attribute of that object says whether the user whose password was right is the user from then on. "
        "Only where it says no does MCAUSER of the channel decide.",
    ),
)

EXERCISES = (REMOTE, ALIAS, CASE, THREE, READ_GATES)
