"""Exercises about what is lost on the way: on a line that is cut, and by a lifetime that is over."""

from __future__ import annotations

from ..exercise import Check, Exercise, Prediction
from .seen import bodies, done, first
from .shops import TRIGGERED, order, shop_and_depot
from .typed import typed

__all__ = ["EXERCISES"]


# ---------------------------------------------------------------- C06
def _fast_set_up(lab) -> None:
    shop_and_depot(lab, "SHORTRTY(1000) SHORTTMR(60) BATCHSZ(50)", latency=0.5)


def _fast_load(lab) -> None:
    """Twelve calls for stock, five a second and not persistent; the line is cut for half a minute in the middle."""
    lab.advance(1)
    order(lab, 1, persistent=False)
    lab.advance(60)
    for number in range(2, 13):
        order(lab, number, persistent=False)
        lab.advance(0.2)
    lab.cut("SHOP", "DEPOT")
    lab.advance(30)
    lab.restore("SHOP", "DEPOT")
    lab.advance(600)


def _lost(lab) -> list:
    return lab.events.where(kind="lost")


_FAST_ANSWER = """%%mqsc SHOP
ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) NPMSPEED(NORMAL)"""

FAST = Exercise(
    id="C06",
    title="Two calls for stock are nowhere",
    situation="SHOP sends calls for stock to DEPOT, five in a second. They are not persistent, which the program that "
    "puts them decides. This morning the line was cut for half a minute. Both queue managers ran all the time, and yet "
    "two calls are nowhere: not at SHOP, not at DEPOT.",
    task="When the line is cut like that no call is lost, and each arrives once. The program stays as it is.",
    questions=(19,),
    rules=("CHL-04", "CHL-07"),
    minutes=10,
    set_up=_fast_set_up,
    load=_fast_load,
    work="%%mqsc SHOP\n* your commands",
    # the smaller the batch, the less is lost: he thought
    defect=lambda lab: lab["SHOP"].mqsc("ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) BATCHSZ(1)").require(),
    answer=_FAST_ANSWER,
    solution=typed(_FAST_ANSWER),
    predictions=(
        Prediction(
            "lost",
            "As it is: how many of the twelve calls are lost?",
            lambda lab: len(_lost(lab)),
            lambda lab: first(_lost(lab)),
        ),
        Prediction(
            "units",
            "As it is: in how many units of work does the receiving end put the calls that arrive?",
            lambda lab: len({r.uow for r in done(lab, "put", "ORDERS", qmgr="DEPOT")} - {None}),
            lambda lab: first(done(lab, "put", "ORDERS", qmgr="DEPOT")),
        ),
    ),
    checks=(
        Check(
            "no call is lost",
            lambda lab: bool(lab.events.where(kind="fault", object_type="LINK")) and not _lost(lab),
            lambda lab: f"{len(_lost(lab))} calls were lost on the way",
            "CHL-07",
        ),
        Check(
            "each of the twelve is at DEPOT once",
            lambda lab: sorted(bodies(lab, "DEPOT", "ORDERS")) == sorted(f"order {number}" for number in range(1, 13)),
            lambda lab: f"{len(set(bodies(lab, 'DEPOT', 'ORDERS')))} of 12 calls are at DEPOT",
        ),
    ),
    hints=(
        "lab.explain(...) of a call that is lost says what became of it, and by which rule.",
        "Messages that are not persistent need not travel in the batch. When they do not, who could send them again?",
        "A channel has an attribute for the speed of messages that are not persistent; the safer value at one end is "
        "enough.",
    ),
)


# ---------------------------------------------------------------- C07
def _quotes_set_up(lab) -> None:
    trigger = TRIGGERED.replace("FIRST", "DEPTH") + " TRIGDPTH(10)"
    shop_and_depot(lab, "DISCINT(300)", latency=0.5, xmitq=trigger)


def _price(app) -> None:
    """PRICES reads each question as it comes; it answers those that can wait for it no longer too late."""
    with app.open("ORDERS", input="shared") as queue:
        queue.drain(wait=7200)


def _quotes_load(lab) -> None:
    """A question every 20 seconds, 24 of them, each with a minute to live."""
    lab["DEPOT"].run_program("PRICES", _price)
    lab.advance(1)
    for number in range(1, 25):
        order(lab, number, persistent=False, expiry=600)
        lab.advance(20)
    lab.advance(600)


def _answered(lab) -> list:
    return done(lab, "get", "ORDERS", qmgr="DEPOT")


def _expired(lab) -> list:
    return lab.events.where(kind="discard")


_QUOTES_ANSWER = """%%mqsc SHOP
ALTER QLOCAL(DEPOT) TRIGTYPE(FIRST)"""

QUOTES = Exercise(
    id="C07",
    title="Questions that die on the way",
    situation="COUNTER at SHOP asks PRICES at DEPOT for prices, a question every twenty seconds, and each lives for a "
    "minute because no customer waits longer. To save calls, the transmission queue starts the channel when ten "
    "questions are there. The first customers of the morning get no answer.",
    task="PRICES gets every question, and each with at least 50 seconds to live. The lifetime of a minute stays: it is "
    "the customers' patience.",
    rules=("EXP-03", "EXP-12", "TRG-03", "CHL-16"),
    minutes=10,
    set_up=_quotes_set_up,
    load=_quotes_load,
    work="%%mqsc SHOP\n* your commands",
    # fewer at a time: better, and not good enough
    defect=lambda lab: lab["SHOP"].mqsc("ALTER QLOCAL(DEPOT) TRIGDPTH(4)").require(),
    answer=_QUOTES_ANSWER,
    solution=typed(_QUOTES_ANSWER),
    predictions=(
        Prediction(
            "got",
            "As it is: how many of the 24 questions does PRICES get?",
            lambda lab: len(_answered(lab)),
            lambda lab: first(_expired(lab)),
        ),
        Prediction(
            "where",
            "As it is: on which queue do the others expire? Its name.",
            lambda lab: first(_expired(lab)).object,
            lambda lab: first(_expired(lab)),
        ),
    ),
    checks=(
        Check(
            "PRICES gets the 24 questions",
            lambda lab: len(_answered(lab)) == 24,
            lambda lab: (
                f"PRICES got {len(_answered(lab))} of 24 questions, {len(_expired(lab))} expired on the way, "
                f"{len(bodies(lab, 'SHOP', 'DEPOT'))} wait at SHOP"
            ),
            "EXP-12",
        ),
        Check(
            "each with 50 seconds to live or more",
            lambda lab: bool(_answered(lab)) and all((row.expiry_left or 0) >= 500 for row in _answered(lab)),
            lambda lab: (
                f"a question that was got had {min((r.expiry_left or 0) for r in _answered(lab)) / 10:g} seconds left"
                if _answered(lab)
                else "no question was got"
            ),
            "EXP-03",
        ),
        Check(
            "they still live for a minute",
            lambda lab: (
                bool(done(lab, "put", "DEPOT")) and all(r.expiry_left == 600 for r in done(lab, "put", "DEPOT"))
            ),
            lambda lab: "the questions were put with another lifetime",
        ),
    ),
    hints=(
        "A lifetime goes on while a message waits to travel. How long does the first of ten questions wait?",
        "lab.explain(...) of a question that expired says where it was, and for how long. Who would have had to come "
        "for it, and when?",
        "Two of the trigger types are of use on a transmission queue that is to be emptied at once.",
    ),
)

EXERCISES = (FAST, QUOTES)
