"""Exercises about batches: ends whose numbers disagree, and what is in doubt."""

from __future__ import annotations

from ..exercise import Check, Exercise, Prediction
from .seen import bodies, channel_states, done, state
from .shops import order, shop_and_depot
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
    lab["SHOP"].mqsc("STOP CHANNEL(TO.DEPOT)").require()
    lab.advance(60)
    lab["DEPOT"].mqsc("RESET CHANNEL(TO.DEPOT) SEQNUM(1)").require()
    lab["SHOP"].mqsc("START CHANNEL(TO.DEPOT)").require()
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
    defect=lambda lab: (lab["DEPOT"].mqsc("RESET CHANNEL(TO.DEPOT) SEQNUM(3)").require(), lab.advance(90))[1],
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


def _clerk(app) -> None:
    """Takes every order as it comes, all day."""
    with app.open("ORDERS", input="shared") as queue:
        while True:
            queue.get(wait=86_400)


def _doubt_set_up(lab) -> None:
    """An order goes to each place; then two, and the line is cut when DEPOT has committed them and PLANT has not."""
    for name in ("SHOP", *_PLACES):
        lab.queue_manager(name)
    for name in _PLACES:
        lab.link("SHOP", name, latency=0.1)
        lab[name].mqsc(f"DEFINE QLOCAL(ORDERS)\nDEFINE CHANNEL(TO.{name}) CHLTYPE(RCVR)").require()
        lab["SHOP"].mqsc(
            f"DEFINE QLOCAL({name}) USAGE(XMITQ)\n"
            f"DEFINE CHANNEL(TO.{name}) CHLTYPE(SDR) CONNAME({name}) XMITQ({name}) SHORTRTY(1000) SHORTTMR(60)"
        ).require()
        lab[name].run_program("CLERK", _clerk)
        lab["SHOP"].mqsc(f"START CHANNEL(TO.{name})").require()
        _orders_for(lab, name, 1)
    lab.advance(60)
    _orders_for(lab, "DEPOT", 2, 3)
    lab.advance(0.1)
    _orders_for(lab, "PLANT", 2, 3)
    lab.advance(0.05)
    for name in _PLACES:
        lab.cut("SHOP", name)
    lab.advance(600)


def _orders_for(lab, place: str, *numbers: int) -> None:
    unit = lab["SHOP"].connect("COUNTER").unit_of_work()
    for number in numbers:
        unit.put(f"ORDERS@{place}", b"order %d" % number, persistent=True)
    unit.commit()


def _in_doubt(lab) -> list[str]:
    return [each.name for each in lab["SHOP"].channels.values() if each.indoubt is not None]


def _there(lab, place: str) -> int:
    """How many of the two last orders for a place were taken by the clerk there."""
    return len(done(lab, "get", "ORDERS", qmgr=place)) - 1


def _copies(lab, place: str) -> int:
    """In how many places these two are: on the transmission queue and there."""
    return len(bodies(lab, "SHOP", place)) + _there(lab, place)


_DOUBT_ANSWER = """%%mqsc SHOP
RESOLVE CHANNEL(TO.DEPOT) ACTION(COMMIT)
RESOLVE CHANNEL(TO.PLANT) ACTION(BACKOUT)"""

DOUBT = Exercise(
    id="C05",
    title="In doubt, and the line is gone",
    situation="SHOP was sending two orders to DEPOT and two to PLANT when a storm took both lines, for weeks. Both "
    "channels are in doubt. A courier will take what has not arrived, from the transmission queues. At both places a "
    "clerk takes every order off the queue as it comes, so an empty queue says nothing. You can telephone: ask.",
    task="Nothing is in doubt any more, and each order is in one place: with the clerk, or on its transmission queue. "
    "Leave the lines cut.",
    questions=(18,),
    rules=("CHL-04", "CHL-05", "CHL-06", "CHL-13"),
    minutes=15,
    set_up=_doubt_set_up,
    # to stop a channel settles nothing
    defect=lambda lab: (
        lab["SHOP"].mqsc("STOP CHANNEL(TO.DEPOT) MODE(FORCE)\nSTOP CHANNEL(TO.PLANT) MODE(FORCE)").require()
    ),
    work="%%mqsc SHOP\n* which batch is in doubt, and which one did the other end commit last?\n"
    "DISPLAY CHSTATUS(*) INDOUBT CURLUWID\n\n"
    "%%mqsc DEPOT\nDISPLAY CHSTATUS(*) SAVED LSTLUWID\n\n"
    "%%mqsc PLANT\nDISPLAY CHSTATUS(*) SAVED LSTLUWID\n\n"
    "%%mqsc SHOP\n* your decision",
    answer=_DOUBT_ANSWER,
    solution=typed(_DOUBT_ANSWER),
    predictions=(
        Prediction(
            "depot",
            "How many of the two orders for DEPOT has the clerk there?",
            lambda lab: _there(lab, "DEPOT"),
            lambda lab: lab.events.where(kind="commit", qmgr="DEPOT")[-1],
        ),
        Prediction(
            "plant",
            "And the clerk at PLANT, of the two for PLANT?",
            lambda lab: _there(lab, "PLANT"),
            lambda lab: lab.events.where(kind="prepare", program="TO.PLANT")[-1],
        ),
    ),
    checks=(
        Check(
            "nothing is in doubt, and the lines are as the storm left them",
            lambda lab: not _in_doubt(lab) and not any(path.up for path in lab.network.paths),
            lambda lab: f"in doubt still: {', '.join(_in_doubt(lab))}" if _in_doubt(lab) else "a line was mended",
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
    there = _there(lab, place)
    return f"of the two orders for {place}, {there} are there and {_copies(lab, place) - there} wait for the courier"


EXERCISES = (NUMBERS, DOUBT)
