"""Exercises about dead letters: why a message is there, what becomes of it, and what happens where it cannot go."""

from __future__ import annotations

import json

from ....mq.headers import MQDLH
from ..exercise import Check, Exercise, Prediction
from . import letters_more
from .happening import bodies, let_pass, sent
from .shops import delivered, reach, road
from .typed import typed

__all__ = ["EXERCISES"]

DEAD = "SYSTEM.DEAD.LETTER.QUEUE"

READ_HEADERS = f"""desk.run(lab)  # let the day happen in this lab

from mqlab.mq.headers import MQDLH

with lab["HQ"].open("{DEAD}", browse=True) as dead:
    print(MQDLH.unpack(dead.browse_next().body))
"""
DAY_SET_UP = """DEFINE QREMOTE(STOCK) RNAME(STOCK) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(PAYROLL) RNAME(PAYROL) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(NOTES) RNAME(NOTES) RQMNAME(HQ) XMITQ(TO.HQ)"""
PUT_RIGHT = """%%mqsc HQ
ALTER QLOCAL(STOCK) MAXDEPTH(100)
ALTER QLOCAL(NOTES) MAXMSGL(1000)
# %%
%%mqsc SHOP
ALTER QREMOTE(PAYROLL) RNAME(PAYROLL)"""
LETTERS = (("STOCK", 3), ("PAYROLL", 1), ("NOTES", 1))
"""The names that SHOP's clerk puts to, and how many letters a day."""


def _day_set_up(lab) -> None:
    road(lab, "SHOP")
    lab["SHOP"].mqsc(DAY_SET_UP)
    lab["HQ"].mqsc("DEFINE QLOCAL(STOCK) MAXDEPTH(2)\nDEFINE QLOCAL(PAYROLL)\nDEFINE QLOCAL(NOTES) MAXMSGL(20)")


def _day_load(lab) -> None:
    """SHOP's clerk writes five letters; then a few minutes pass."""
    clerk = lab["SHOP"].connect("CLERK")
    for name, times in LETTERS:
        for number in range(times):
            reach(clerk, name, f"{name} letter {number}, in so many words".encode())
        lab.advance(30)
    lab.advance(120)


def _headers(lab) -> list:
    """The headers of what stands on HQ's dead-letter queue."""
    return [MQDLH.unpack(body) for body in bodies(lab, "HQ", DEAD)]


def _why(lab, name: str) -> str:
    """Why a letter that was put to a name is not where it should be."""
    found = [each for each in _headers(lab) if each.queue.startswith(name[:5])]
    said = "; ".join(f"a letter for {each.queue} is on the dead-letter queue, reason {each.reason}" for each in found)
    return said or f"{len(delivered(lab, name))} letters came to {name}"


def _arrived(name: str, times: int, rule: str) -> Check:
    return Check(
        f"{times} of {times} letters for {name} arrive" if times > 1 else f"the letter for {name} arrives",
        lambda lab: len(delivered(lab, name)) == times == len(sent(lab, "CLERK")) - 5 + times,
        lambda lab: _why(lab, name),
        rule,
    )


REASONS = Exercise(
    id="L01",
    title="Three letters, three reasons",
    situation="SHOP's clerk puts five letters a day for HQ: three for STOCK, one for PAYROLL, one for NOTES. Three of "
    "them end on HQ's dead-letter queue, each behind a header, the MQDLH, that says why and where it was going.",
    task="Read the headers, and mend what is wrong at SHOP or at HQ, so that tomorrow all five letters arrive. The "
    "clerk goes on as today, and HQ's queues keep their names.",
    questions=(19,),
    rules=("MQI-30", "CHL-03", "MQI-09", "MQI-10"),
    minutes=15,
    work=READ_HEADERS,
    set_up=_day_set_up,
    load=_day_load,
    defect=lambda lab: lab["HQ"].mqsc("ALTER QLOCAL(STOCK) MAXDEPTH(3)\nDEFINE QALIAS(PAYROL) TARGET(PAYROLLS)"),
    solution=typed(PUT_RIGHT),
    answer=PUT_RIGHT,
    predictions=(
        Prediction(
            "payroll",
            "As it is: which reason code does the header of PAYROLL's letter give?",
            lambda lab: next(each.reason for each in _headers(lab) if each.queue == "PAYROL"),
            lambda lab: lab.events.where(kind="put", reason=2085)[0],
        ),
        Prediction(
            "stock",
            "And that of the third letter for STOCK?",
            lambda lab: next(each.reason for each in _headers(lab) if each.queue == "STOCK"),
            lambda lab: lab.events.where(kind="put", reason=2053)[0],
        ),
    ),
    checks=tuple(
        _arrived(name, times, rule) for (name, times), rule in zip(LETTERS, ("MQI-09", "CHL-03", "MQI-10"), strict=True)
    ),
    hints=(
        "The header has a reason code and the name of the queue the message was meant for. Is that the name you would "
        "expect?",
        "2085: there is no such queue. 2053: there was no room. 2030: it was too long. Which definition decides each?",
        "Two limits are HQ's; the wrong name is written in SHOP's definition of the remote queue.",
    ),
)


STUCK_SET_UP = """DEFINE QREMOTE(SALES) RNAME(SALES) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(ADS) RNAME(OLD.ADS) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(NEWS) RNAME(OLD.NEWS) RQMNAME(HQ) XMITQ(TO.HQ)"""
GIVE_DEADQ = f"""%%mqsc HQ
ALTER QMGR DEADQ({DEAD})"""


def _stuck_set_up(lab) -> None:
    road(lab, "SHOP")
    lab["SHOP"].mqsc(STUCK_SET_UP)
    lab["HQ"].mqsc("DEFINE QLOCAL(SALES)\nALTER QMGR DEADQ(' ')")


def _stuck_load(lab) -> None:
    """Sales, an advertisement, sales, news, sales, a minute apart; then an hour passes."""
    clerk = lab["SHOP"].connect("CLERK")
    for number, name in enumerate(("SALES", "ADS", "SALES", "NEWS", "SALES")):
        reach(clerk, name, f"{name} {number}".encode())
        lab.advance(60)
    let_pass(lab, 3600)


def _state(lab) -> str:
    """The last state of SHOP's channel."""
    rows = lab.events.where(kind="channel", qmgr="SHOP", object="SHOP.HQ")
    return ([json.loads(row.detail)["state"] for row in rows if '"state"' in row.detail] or ["INACTIVE"])[-1]


def _kept(lab) -> list[bytes]:
    """The letters for queues that are not there, as some queue of HQ keeps them."""
    found = [body for queue in lab["HQ"].queues if queue.depth for body in bodies(lab, "HQ", queue.name)]
    return [body for body in found if body.endswith((b"ADS 1", b"NEWS 3"))]


STUCK = Exercise(
    id="L04",
    title="One wrong address, and nothing moves",
    situation="SHOP sends sales to HQ, and now and then an advertisement or some news. Those two queues were deleted "
    "at HQ last month, and SHOP's definitions still lead to them. HQ has no dead-letter queue set. Since the first "
    "advertisement, no sales have come.",
    task="Let the sales arrive, whatever else is sent to a queue that is not there. What is misdirected, this time or "
    "under another name, must be kept at HQ with the reason, for somebody to look at. SHOP stays as it is.",
    questions=(19,),
    rules=("CHL-17", "MQI-30", "CHL-03"),
    minutes=8,
    work="%%mqsc HQ\n* your commands\n",
    set_up=_stuck_set_up,
    load=_stuck_load,
    defect=lambda lab: lab["HQ"].mqsc("ALTER QMGR DEADQ(HQ.DEAD.LETTERS)"),
    solution=typed(GIVE_DEADQ),
    answer=GIVE_DEADQ,
    predictions=(
        Prediction(
            "sales",
            "As it is: how many of the three messages for SALES arrive?",
            lambda lab: len(delivered(lab, "SALES")),
            lambda lab: next(
                row
                for row in lab.events.where(kind="channel", qmgr="SHOP", object="SHOP.HQ")
                if '"was":"RUNNING"' in row.detail
            ),
        ),
        Prediction(
            "waiting",
            "And how many messages stand on SHOP's transmission queue in the end?",
            lambda lab: lab["SHOP"].depth("TO.HQ"),
            lambda lab: sent(lab, "CLERK")[-1],
        ),
    ),
    checks=(
        Check(
            "the three messages for SALES arrive",
            lambda lab: len(delivered(lab, "SALES")) == 3,
            lambda lab: f"{len(delivered(lab, 'SALES'))} of 3 came to SALES; SHOP's channel is {_state(lab)}",
            "CHL-17",
        ),
        Check(
            "the two that are misdirected are kept at HQ",
            lambda lab: len(_kept(lab)) == 2,
            lambda lab: f"{len(_kept(lab))} of the 2 are kept at HQ",
            "MQI-30",
        ),
        Check(
            "each with the reason it could not be delivered for",
            lambda lab: len(_kept(lab)) == 2 and all(body.startswith(b"DLH ") for body in _kept(lab)),
            lambda lab: f"{sum(body.startswith(b'DLH ') for body in _kept(lab))} of the 2 tell their reason",
            "MQI-30",
        ),
    ),
    hints=(
        "A channel keeps the order of its messages. What can it do with one that nobody can take, if it may not throw "
        "it away?",
        "What cannot be delivered goes to the dead-letter queue of the receiving queue manager, if that has one.",
        "HQ has a queue for it already, as every queue manager is born with. DISPLAY QMGR DEADQ shows that HQ was "
        "never told to use it.",
    ),
)

EXERCISES = (REASONS, *letters_more.EXERCISES, STUCK)
