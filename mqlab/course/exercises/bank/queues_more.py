"""Exercises about what can be got, and what is done when a program dies."""

from __future__ import annotations

from ..exercise import Check, Exercise, Prediction
from .happening import bodies, got, let_pass, refused, run, seconds, sent
from .typed import typed

__all__ = ["EXERCISES"]

NOTICES = ("P-9's", "the old one", "P-7's")
"""What COUNTER puts, in this order."""
PICKUP = """def pickup(app, trigger):
    app.get("PARCELS", correl_id=b"P-7")


lab["QM1"].program("PICKUP", pickup)
"""
PICKUP_WAITS = PICKUP.replace('b"P-7")', 'b"P-7", wait=60)')


def _parcels_set_up(lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(PARCELS) DESCR('Notices: a parcel is here')")
    typed(PICKUP)(lab)


def _parcels_load(lab) -> None:
    """A notice for P-9; one for P-7 that expires; and another for P-7, committed 20 s after PICKUP has begun."""
    counter = lab["QM1"].connect("COUNTER")
    counter.put("PARCELS", b"P-9 is here", correl_id=b"P-9")
    counter.put("PARCELS", b"P-7 was here", correl_id=b"P-7", expiry=50)
    lab.advance(10)
    unit = counter.unit_of_work()
    unit.put("PARCELS", b"P-7 is here again", correl_id=b"P-7")
    run(lab, "QM1", "PICKUP")
    let_pass(lab, 20)
    unit.commit()
    let_pass(lab, 120)


def _notice(lab) -> str:
    """What PICKUP came away with."""
    names = {row.message: text for row, text in zip(sent(lab, "COUNTER"), NOTICES, strict=False)}
    taken = [names.get(row.message, "another") for row in got(lab, "PICKUP")]
    if taken:
        return f"PICKUP got {' and '.join(taken)}"
    ends = refused(lab, "PICKUP", 2033)
    return f"PICKUP was told 2033 after {seconds(ends[0]) - 10:g} s" if ends else "PICKUP got nothing"


PARCELS = Exercise(
    id="Q02",
    title="Three on the queue, and nothing to get",
    situation="PARCELS holds three notices: one for parcel P-9, one for P-7 that was good for 5 s, and a new one for "
    "P-7. COUNTER puts that one in a unit of work and commits when the driver has signed, some 20 s later. PICKUP asks "
    "for the notice with CorrelId P-7 and is told 2033.",
    task="Let PICKUP come away with P-7's notice. P-9's is for somebody else and must still be there afterwards.",
    questions=(2, 13),
    rules=("MQI-12", "MQI-04", "MQI-05", "MQI-17", "EXP-08"),
    minutes=10,
    work=PICKUP,
    set_up=_parcels_set_up,
    load=_parcels_load,
    defect=typed(PICKUP.replace(', correl_id=b"P-7")', ", wait=60)")),
    solution=typed(PICKUP_WAITS),
    answer=PICKUP_WAITS,
    predictions=(
        Prediction(
            "depth",
            "What is CURDEPTH of PARCELS when PICKUP is told that there is no message?",
            lambda lab: refused(lab, "PICKUP")[0].depth,
            lambda lab: refused(lab, "PICKUP")[0],
        ),
        Prediction(
            "waits",
            "Once PICKUP does get its notice: how many seconds has it waited?",
            lambda lab: int(seconds(got(lab, "PICKUP")[0])) - 10,
            lambda lab: got(lab, "PICKUP")[0],
            solved=True,
        ),
    ),
    checks=(
        Check("PICKUP gets the new notice for P-7", lambda lab: _notice(lab) == "PICKUP got P-7's", _notice, "MQI-05"),
        Check(
            "the notice for P-9 is there for its own reader",
            lambda lab: b"P-9 is here" in bodies(lab, "QM1", "PARCELS"),
            lambda lab: "the notice for P-9 is gone",
            "MQI-04",
        ),
        Check(
            "nothing else is left",
            lambda lab: lab["QM1"].depth("PARCELS") == 1,
            lambda lab: f"left are: {'; '.join(map(bytes.decode, bodies(lab, 'QM1', 'PARCELS'))) or 'none'}",
            "EXP-08",
        ),
    ),
    hints=(
        "Three messages count towards the depth. Which of them may a get take at that moment, and which does PICKUP "
        "ask for?",
        "One is for somebody else, one has expired, and one is not committed yet. Only the last of these changes by "
        "itself.",
        "A get can stay until a message comes that it may take. Keep what it asks for, and let it stay longer than the "
        "driver needs.",
    ),
)


class Breakdown(Exception):
    """What a till dies of: the card reader, or the printer."""


class Sale:
    """A sale at the till; `breaks` is the step at which the till dies, "" for none."""

    def __init__(self, number: bytes, breaks: str = ""):
        self.number, self.text, self._breaks = number, b"sale " + number, breaks

    def pay_by_card(self) -> None:
        """Ask the card reader."""
        self._step("the card reader")

    def print_receipt(self) -> None:
        """Print the receipt."""
        self._step("the printer")

    def _step(self, step: str) -> None:
        if step == self._breaks:
            raise Breakdown(f"{step} broke down")


TILL = """def till(app, sale):
    app.put("SALES", sale.text, correl_id=sale.number)
    sale.pay_by_card()
    app.put("STOCK", sale.text, correl_id=sale.number)
    sale.print_receipt()


lab["QM1"].program("TILL", till)
"""
TILL_UNIT = """def till(app, sale):
    with app.unit_of_work() as unit:
        unit.put("SALES", sale.text, correl_id=sale.number)
        sale.pay_by_card()
        unit.put("STOCK", sale.text, correl_id=sale.number)
    sale.print_receipt()


lab["QM1"].program("TILL", till)
"""
TILL_SURE = """from mqlab import MQError


def booked(app, sale):
    try:
        app.browse("SALES", correl_id=sale.number)
        return True
    except MQError as refused:
        if refused.reason != 2033:
            raise
        return False


def till(app, sale):
    if not booked(app, sale):
        with app.unit_of_work() as unit:
            unit.put("SALES", sale.text, correl_id=sale.number)
            sale.pay_by_card()
            unit.put("STOCK", sale.text, correl_id=sale.number)
    sale.print_receipt()


lab["QM1"].program("TILL", till)
"""
SALES = [b"S-1", b"S-2", b"S-3"]


def _till_set_up(lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(SALES)\nDEFINE QLOCAL(STOCK)")
    typed(TILL)(lab)


def _till_load(lab) -> None:
    """Three sales; in the second the card reader breaks down, in the third the printer. Each is then begun again."""
    for number, breaks in zip(SALES, ("", "the card reader", "the printer"), strict=True):
        for sale in (Sale(number, breaks), Sale(number)) if breaks else (Sale(number),):
            run(lab, "QM1", "TILL", sale)
            let_pass(lab, 30, dying=(Breakdown,))


def _times(lab, queue: str) -> dict:
    """How often each sale stands on a queue."""
    found = bodies(lab, "QM1", queue)
    return {number.decode(): found.count(b"sale " + number) for number in SALES}


def _uneven(lab, queue: str) -> str:
    said = [f"{number} stands on {queue} {times} times" for number, times in _times(lab, queue).items() if times != 1]
    return " and ".join(said)


SURE = Exercise(
    id="Q03",
    title="Was my put done?",
    situation="TILL books each sale on SALES and on STOCK. In sale S-2 the card reader breaks down and the program "
    "dies; in S-3 the printer does, at the very end. The shopkeeper starts the same sale again each time and asks: was "
    "it booked or not?",
    task="Write `till(app, sale)` so that however it dies, and however often the same sale is begun again, each sale "
    "stands on SALES once and on STOCK once. The sale offers `number`, `text`, `pay_by_card()` and `print_receipt()`.",
    questions=(3,),
    rules=("MQI-19", "MQI-07", "MQI-08"),
    minutes=20,
    work=TILL,
    set_up=_till_set_up,
    load=_till_load,
    defect=typed(TILL_UNIT),
    solution=typed(TILL_SURE),
    answer=TILL_SURE,
    predictions=(
        Prediction(
            "sales",
            "As it is: how many messages stand on SALES when the three sales are over?",
            lambda lab: lab["QM1"].depth("SALES"),
            lambda lab: sent(lab, "TILL", "SALES")[2],
        ),
        Prediction("stock", "And how many on STOCK?", lambda lab: lab["QM1"].depth("STOCK"), lambda lab: _died(lab)[0]),
    ),
    checks=(
        Check(
            "each sale stands on SALES once",
            lambda lab: not _uneven(lab, "SALES"),
            lambda lab: _uneven(lab, "SALES"),
            "MQI-19",
        ),
        Check(
            "each sale stands on STOCK once",
            lambda lab: not _uneven(lab, "STOCK"),
            lambda lab: _uneven(lab, "STOCK"),
            "MQI-07",
        ),
    ),
    hints=(
        "Two different things go wrong. One sale is half done when the program dies; the other is wholly done, and "
        "nobody knows.",
        "What belongs together goes into one unit of work: a program that dies has it backed out. Is the death in S-3 "
        "inside it?",
        "Before a sale is booked, look whether it is: a browse by its number leaves everything as it is, and 2033 says "
        "no.",
    ),
)


def _died(lab) -> list:
    """The rows of the till's deaths."""
    return [row for row in lab.events.where(kind="program", program="TILL") if '"died"' in row.detail]


EXERCISES = (PARCELS, SURE)
