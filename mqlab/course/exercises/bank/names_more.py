"""Exercises about not getting through: to a queue manager, or past its gates."""

from __future__ import annotations

from ..exercise import Check, Exercise, Prediction
from .shops import delivered, reach, road
from .typed import typed

__all__ = ["EXERCISES"]

SHOPS = ("SHOP1", "SHOP2", "SHOP3")


def _takings_set_up(lab) -> None:
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


def _arrived(lab) -> dict:
    """Whose takings have come to HQ, by the number that each message kept on its way."""
    there = {row.message for row in delivered(lab, "TAKINGS")}
    return {row.qmgr: row.message in there for row in lab.events.where(kind="put", program="TILL")}


def _channel(lab, shop: str) -> str:
    """What became of a shop's takings."""
    states = [row for row in lab.events.where(kind="channel", qmgr=shop) if '"state"' in row.detail]
    state = states[-1].detail.split('"state":"')[1].split('"')[0]
    return f"the takings of {shop} have not come; its channel is {state}"


def _after_start(lab):
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
    solution=typed(THREE_CAUSES),
    answer=THREE_CAUSES,
    predictions=(
        Prediction(
            "started",
            "HQ does not run. If it is started, and nothing else done: how many shops get through?",
            lambda lab: sum(_arrived(_after_start(lab)).values()),
            lambda lab: delivered(_after_start(lab), "TAKINGS")[0],
        ),
    ),
    checks=tuple(
        Check(
            f"the takings of {shop} stand on TAKINGS at HQ",
            lambda lab, shop=shop: _arrived(lab)[shop],
            lambda lab, shop=shop: _channel(lab, shop),
            rule,
        )
        for shop, rule in zip(SHOPS, ("MQI-16", "NET-01", "CHL-09"), strict=True)
    ),
    hints=(
        "RETRYING says that it did not work, not why. Ask what each channel needs: a partner that runs, a path to it, "
        "and its right address.",
        "Show `lab`: the picture tells which queue manager is stopped and which path is cut. DISPLAY CHANNEL(*) "
        "CONNAME on each shop tells the rest.",
        "Start what is stopped, restore what is cut, correct the address that is another's. The channels try again by "
        "themselves, if time is given.",
    ),
)


GATES_AS_FOUND = """DEFINE CHANNEL(TILLS) CHLTYPE(SVRCONN) MCAUSER('mqm')
DEFINE AUTHINFO(CHECK) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL) CHCKLOCL(OPTIONAL) ADOPTCTX(NO)
ALTER QMGR CONNAUTH(' ')"""

GATES = """%%mqsc QM1
ALTER QMGR CONNAUTH(CHECK)
ALTER AUTHINFO(CHECK) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED) CHCKLOCL(OPTIONAL) ADOPTCTX(YES)
REFRESH SECURITY TYPE(CONNAUTH)"""


def _asked(lab) -> dict:
    """The attributes of the AUTHINFO object that CONNAUTH names; none where it names none that is there."""
    qmgr = lab["QM1"]
    named = qmgr.attributes["CONNAUTH"]
    found = qmgr.objects.get("AUTHINFO", named) if named else None
    return {} if found is None else found.attributes


def _client(lab, password: bool) -> str:
    """The user that a till's client would act as, as the definitions read; "" where it would not be let in.

    What a client says of itself gives way to MCAUSER, and that to the user whose password was checked where ADOPTCTX
    is YES ("Determining which user is used for authorization", product documentation).
    """
    asked = _asked(lab)
    wanted = asked.get("CHCKCLNT", "NONE")
    if wanted == "REQUIRED" and not password:
        return ""
    if password and wanted != "NONE" and asked.get("ADOPTCTX") == "YES":
        return "till"
    channel = lab["QM1"].objects.get("CHANNEL", "TILLS")
    return "" if channel is None else channel.attributes["MCAUSER"] or "till"


def _local_asked(lab) -> bool:
    """Whether a program on the machine itself would have to give a password."""
    return _asked(lab).get("CHCKLOCL", "NONE") not in ("NONE", "OPTIONAL")


READ_GATES = Exercise(
    id="N05",
    title="2035: one gate after the other",
    situation="Tills connect as clients by the channel TILLS, with the user till and the right password. The operator "
    "once had 2035 and opened every gate: CONNAUTH is blank, so nobody is asked for a password, and MCAUSER says mqm, "
    "so everybody may do everything. The lab keeps these definitions and runs no clients: nothing here answers 2035, "
    "and what is checked is how the definitions read. The gates beside these, CHLAUTH records and authority records, "
    "it checks and forgets. A real queue manager would go on as before until REFRESH SECURITY TYPE(CONNAUTH).",
    task="A client without a password must not get in. One with till's password must act as till, not as mqm. BATCH, "
    "which runs on the machine itself, has no password and must not need one.",
    questions=(1,),
    rules=("MQI-15",),
    minutes=12,
    set_up=lambda lab: lab.queue_manager("QM1").mqsc(GATES_AS_FOUND),
    defect=lambda lab: lab["QM1"].mqsc("ALTER QMGR CONNAUTH(CHECK)"),
    solution=typed(GATES),
    answer=GATES,
    predictions=(
        Prediction(
            "user",
            "As it is: as which user does a till act that gives till's password?",
            lambda lab: _client(lab, password=True),
            lambda lab: lab.events.where(kind="define", object="TILLS")[0],
        ),
        Prediction(
            "named",
            "If only CONNAUTH is made to name CHECK, and nothing else is changed: as which user does it act then?",
            lambda lab: _client(READ_GATES.start("repair"), password=True),
        ),
    ),
    checks=(
        Check(
            "a client without a password does not get in",
            lambda lab: not _client(lab, password=False),
            lambda lab: f"a client without a password gets in and acts as {_client(lab, password=False)}",
        ),
        Check(
            "a client with till's password acts as till",
            lambda lab: _client(lab, password=True) == "till",
            lambda lab: f"a client with till's password acts as {_client(lab, password=True) or 'nobody'}",
        ),
        Check(
            "BATCH needs no password",
            lambda lab: not _local_asked(lab),
            lambda lab: "BATCH, on the machine itself, is refused: it gives no password",
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

EXERCISES = (THREE, READ_GATES)
