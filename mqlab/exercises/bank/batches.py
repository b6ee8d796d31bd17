"""Exercises about what channels carry: numbers that disagree, batches in doubt, losses and lifetimes on the way."""

from __future__ import annotations

from ...errors import MQError
from ..exercise import Check, Exercise, Prediction
from .seen import bodies, channel_states, done, first, state
from .shops import TRIGGERED, define, order, shop_and_depot
from .typed import typed

__all__ = ["EXERCISES"]


def _orders(first_one: int, last: int) -> list[str]:
    return [f"order {number}" for number in range(first_one, last + 1)]


# ---------------------------------------------------------------- C04
def _numbers_set_up(lab) -> None:
    """Three orders go; at DEPOT the end of the channel is made new; two more orders come."""
    shop_and_depot(lab, "SHORTRTY(1000) SHORTTMR(60)")
    lab.advance(1)
    order(lab, 1, 2, 3)
    lab.advance(60)
    define(lab, "SHOP", "STOP CHANNEL(TO.DEPOT)")
    lab.advance(60)
    define(lab, "DEPOT", "RESET CHANNEL(TO.DEPOT) SEQNUM(1)")
    define(lab, "SHOP", "START CHANNEL(TO.DEPOT)")
    order(lab, 4, 5)
    lab.advance(3600)


def _sequence(lab, qmgr: str) -> int:
    """The number of the last message that this end knows to be committed."""
    return max((each.sequence for (name, _), each in lab[qmgr].channels.items() if name == "TO.DEPOT"), default=0)


_NUMBERS_ANSWER = """%%mqsc SHOP
RESET CHANNEL(TO.DEPOT) SEQNUM(1)

# %%
lab.advance(90)"""

NUMBERS = Exercise(
    id="C04",
    title="The two ends count differently",
    situation="Three orders went from SHOP to DEPOT. Then the depot got a new disk, and a technician reset its end of "
    "TO.DEPOT. Since then two orders wait at SHOP, and every minute the channel says AMQ9526E.",
    task="The five orders are on ORDERS at DEPOT, each once, and the channel runs. It looks again every minute: "
    "lab.advance(90).",
    questions=(18,),
    rules=("CHL-12", "CHL-14"),
    minutes=10,
    set_up=_numbers_set_up,
    # three have been committed, so he typed three: but the number is that of the next
    defect=lambda lab: (define(lab, "DEPOT", "RESET CHANNEL(TO.DEPOT) SEQNUM(3)"), lab.advance(90))[1],
    work="%%mqsc SHOP\n* what does each end know? ask DEPOT too\nDISPLAY CHSTATUS(TO.DEPOT) SAVED LSTSEQNO\n\n"
    "# %%\nlab.advance(90)",
    answer=_NUMBERS_ANSWER,
    solution=typed(_NUMBERS_ANSWER),
    predictions=(
        Prediction(
            "shop",
            "Which number is the last that SHOP knows to be committed?",
            lambda lab: _sequence(lab, "SHOP"),
            lambda lab: channel_states(lab, "SHOP", "TO.DEPOT", "RETRYING")[0],
        ),
        Prediction(
            "depot",
            "And DEPOT?",
            lambda lab: _sequence(lab, "DEPOT"),
            lambda lab: channel_states(lab, "SHOP", "TO.DEPOT", "RETRYING")[-1],
        ),
        Prediction(
            "after",
            "When it works, after the two orders: which number does SHOP know?",
            lambda lab: _sequence(lab, "SHOP"),
            lambda lab: lab.events.where(kind="channel", rule="CHL-04")[-1],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "the five orders are at DEPOT, each once",
            lambda lab: bodies(lab, "DEPOT", "ORDERS") == _orders(1, 5),
            lambda lab: (
                f"{len(bodies(lab, 'DEPOT', 'ORDERS'))} orders are at DEPOT, {len(bodies(lab, 'SHOP', 'DEPOT'))} wait "
                "at SHOP"
            ),
        ),
        Check(
            "both ends know the same number",
            lambda lab: _sequence(lab, "SHOP") == _sequence(lab, "DEPOT"),
            lambda lab: f"SHOP knows {_sequence(lab, 'SHOP')}, DEPOT knows {_sequence(lab, 'DEPOT')}",
            "CHL-12",
        ),
        Check(
            "the channel runs",
            lambda lab: state(lab, "SHOP", "TO.DEPOT") == "RUNNING",
            lambda lab: f"TO.DEPOT is {state(lab, 'SHOP', 'TO.DEPOT')}",
            "CHL-08",
        ),
    ),
    hints=(
        "What is reset is a number, and no message is lost by it: nothing is in doubt here. Which of the ends must "
        "change?",
        "The number that you give is that of the next message, one more than the last. From a sender the other end "
        "takes it over when they next talk.",
        "One command at SHOP sets both ends. At DEPOT it would be of that end alone, and would have to fit.",
    ),
)


# ---------------------------------------------------------------- C05
_PLACES = ("DEPOT", "PLANT")


def _doubt_set_up(lab) -> None:
    """Two orders for each place; the line is cut when DEPOT has committed its batch and PLANT has not."""
    for name in ("SHOP", *_PLACES):
        lab.queue_manager(name)
    for name in _PLACES:
        lab.link("SHOP", name, latency=0.1)
        define(lab, name, f"DEFINE QLOCAL(ORDERS)\nDEFINE CHANNEL(TO.{name}) CHLTYPE(RCVR)")
        define(
            lab,
            "SHOP",
            f"DEFINE QLOCAL({name}) USAGE(XMITQ)\n"
            f"DEFINE CHANNEL(TO.{name}) CHLTYPE(SDR) CONNAME({name}) XMITQ({name}) SHORTRTY(1000) SHORTTMR(60)",
        )
        for number in (1, 2):
            lab["SHOP"].connect("COUNTER").put(f"ORDERS@{name}", b"order %d" % number, persistent=True)
        define(lab, "SHOP", f"START CHANNEL(TO.{name})")
        lab.advance(0.1)
    lab.advance(0.15)
    for name in _PLACES:
        lab.cut("SHOP", name)
    lab.advance(600)


def _in_doubt(lab) -> list[str]:
    return [each.name for each in lab["SHOP"].channels.values() if each.indoubt is not None]


def _copies(lab, place: str) -> int:
    """In how many places the two orders for a place are: on the transmission queue and there."""
    return len(bodies(lab, "SHOP", place)) + len(bodies(lab, place, "ORDERS"))


_DOUBT_ANSWER = """%%mqsc SHOP
RESOLVE CHANNEL(TO.DEPOT) ACTION(COMMIT)
RESOLVE CHANNEL(TO.PLANT) ACTION(BACKOUT)"""

DOUBT = Exercise(
    id="C05",
    title="In doubt, and the line is gone",
    situation="SHOP was sending two orders to DEPOT and two to PLANT when a storm took both lines. Both channels are "
    "in doubt. The lines will be down for weeks, so a courier will take what has not arrived: he takes what is on the "
    "transmission queues. You can telephone both places.",
    task="Nothing is in doubt any more, and each order is in one place: at its destination, or on its transmission "
    "queue. Leave the lines cut.",
    questions=(18,),
    rules=("CHL-04", "CHL-05", "CHL-06", "CHL-13"),
    minutes=15,
    set_up=_doubt_set_up,
    # to stop a channel settles nothing
    defect=lambda lab: define(lab, "SHOP", "STOP CHANNEL(TO.DEPOT) MODE(FORCE)\nSTOP CHANNEL(TO.PLANT) MODE(FORCE)"),
    work="%%mqsc SHOP\n* which batch is in doubt, and which one did the other end commit last?\n"
    "DISPLAY CHSTATUS(*) SAVED INDOUBT CURLUWID LSTLUWID\n\n"
    "%%mqsc DEPOT\nDISPLAY CHSTATUS(*) SAVED LSTLUWID\n\n"
    "%%mqsc PLANT\nDISPLAY CHSTATUS(*) SAVED LSTLUWID\n\n"
    "%%mqsc SHOP\n* your decision",
    answer=_DOUBT_ANSWER,
    solution=typed(_DOUBT_ANSWER),
    predictions=(
        Prediction(
            "depot",
            "How many orders can be got at DEPOT now?",
            lambda lab: len(bodies(lab, "DEPOT", "ORDERS")),
            lambda lab: first(lab.events.where(kind="commit", qmgr="DEPOT")),
        ),
        Prediction(
            "plant",
            "How many at PLANT?",
            lambda lab: len(bodies(lab, "PLANT", "ORDERS")),
            lambda lab: first(lab.events.where(kind="prepare", program="TO.PLANT")),
        ),
    ),
    checks=(
        Check(
            "nothing is in doubt, and the lines are as the storm left them",
            lambda lab: not _in_doubt(lab) and not any(path.up for path in lab.network.paths),
            lambda lab: f"in doubt still: {', '.join(_in_doubt(lab)) or 'nothing, but a line was mended'}",
            "CHL-05",
        ),
        Check(
            "each order for DEPOT is in one place",
            lambda lab: _copies(lab, "DEPOT") == 2 and "TO.DEPOT" not in _in_doubt(lab),
            lambda lab: _told(lab, "DEPOT"),
            "CHL-13",
        ),
        Check(
            "each order for PLANT is in one place",
            lambda lab: _copies(lab, "PLANT") == 2,
            lambda lab: _told(lab, "PLANT"),
            "CHL-13",
        ),
    ),
    hints=(
        "For each of the two: did the other end commit the batch, or not? It is not the same answer.",
        "Every batch has an id, LUWID. SHOP shows the one that is in doubt, the other end the last one it committed.",
        "RESOLVE CHANNEL has two actions. One removes the messages here because they are there; the other puts them "
        "back.",
    ),
)


def _told(lab, place: str) -> str:
    if f"TO.{place}" in _in_doubt(lab):
        return f"the orders for {place} are held by a batch in doubt"
    there = len(bodies(lab, place, "ORDERS"))
    return f"of the orders for {place}, {there} are there and {_copies(lab, place) - there} wait for the courier"


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
    defect=lambda lab: define(lab, "SHOP", "ALTER CHANNEL(TO.DEPOT) CHLTYPE(SDR) BATCHSZ(1)"),
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
            "As it is: in how many units of work does the receiving end put the twelve?",
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
            lambda lab: sorted(bodies(lab, "DEPOT", "ORDERS")) == sorted(_orders(1, 12)),
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
        while True:
            try:
                queue.get(wait=7200)
            except MQError as refused:
                if refused.reason != 2033:
                    raise
                return


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


def _lapsed(lab) -> list:
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
    defect=lambda lab: define(lab, "SHOP", "ALTER QLOCAL(DEPOT) TRIGDPTH(4)"),
    answer=_QUOTES_ANSWER,
    solution=typed(_QUOTES_ANSWER),
    predictions=(
        Prediction(
            "got",
            "As it is: how many of the 24 questions does PRICES get?",
            lambda lab: len(_answered(lab)),
            lambda lab: first(_lapsed(lab)),
        ),
        Prediction(
            "where",
            "As it is: on which queue do the others lapse? A name",
            lambda lab: first(_lapsed(lab)).object,
            lambda lab: first(_lapsed(lab)),
        ),
    ),
    checks=(
        Check(
            "PRICES gets the 24 questions",
            lambda lab: len(_answered(lab)) == 24,
            lambda lab: (
                f"PRICES got {len(_answered(lab))} of 24 questions, {len(_lapsed(lab))} lapsed on the way, "
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
        "lab.explain(...) of a question that lapsed says where it was and for how long. Who would have had to come for "
        "it, and when?",
        "Two of the trigger types are of use on a transmission queue that is to be emptied at once.",
    ),
)

EXERCISES = (NUMBERS, DOUBT, FAST, QUOTES)
