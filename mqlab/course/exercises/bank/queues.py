"""Exercises about queues, messages, and units of work."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ....engine.words.errors import MQError
from ....engine.world.event import Event
from ....lab.lab import Lab
from ..exercise import Check, Exercise, Prediction, said
from ..retold import retold
from .log_queries import Rows, bodies, depth, done, for_good, got, named, refused, rows, seconds, sent, texts, told
from .programs import Breakdown, let_pass, run, seconds_alone
from .shops import alone


def _full_load(lab: Lab) -> None:
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


_put = done("put", "ORDERS")
_refused = rows(kind="put", reason=2053)


def _room(lab: Lab) -> int:
    """The number of messages that the empty queue accepts before it refuses one; at most 30 are tried."""
    trial = retold(lab)["QM1"]
    for taken in range(30):
        try:
            trial.put("ORDERS", b"x")
        except MQError as refused:
            if refused.reason != 2053:
                raise
            return taken
    return 30


FULL = Exercise(
    **said("Q01"),
    set_up=alone("DEFINE QLOCAL(ORDERS) MAXDEPTH(5) DESCR('Orders to be billed')"),
    load=_full_load,
    predictions=(
        Prediction("refused", "Before you change anything, how many of the hour's 8 puts fail?").asks(
            _refused.count, _refused.first
        ),
    ),
    checks=(
        Check("all 8 orders of the hour are put", "MQI-09").asks(
            _put.count, 8, "{} were put, {:was|were} refused with 2053", _refused.count
        ),
        Check("BILLING gets all 8 at the end of the hour").asks(done("get", "ORDERS").count, 8, "BILLING got {}"),
        Check("afterward, the empty queue accepts exactly 20 messages", "MQI-09").asks(
            _room, 20, lambda n: f"the queue accepted {n} messages{' and would take more' if n == 30 else ''}"
        ),
    ),
)

REPAIRED = {"clock": None, "lamp": 4, "radio": None, "wheelchair": 7, "phone": None}
"""The repairs in the order in which they are brought in, and their priorities (None: the put sets none)."""


def _repairs_load(lab: Lab) -> None:
    """Five repairs come in; then WORKSHOP gets them one after the other."""
    counter, workshop = lab["QM1"].connect("COUNTER"), lab["QM1"].connect("WORKSHOP")
    for thing, priority in REPAIRED.items():
        counter.put("REPAIRS", thing, priority=priority)
        lab.advance(60)
    for _ in REPAIRED:
        workshop.get("REPAIRS")
        lab.advance(600)


_repaired = named(got("WORKSHOP"), sent("COUNTER"), REPAIRED)
"""The things in the order in which WORKSHOP got them."""


def _ordinary(things: Iterable[str]) -> list[str]:
    return [thing for thing in things if thing != "wheelchair"]


ORDER = Exercise(
    **said("Q04"),
    set_up=alone("DEFINE QLOCAL(REPAIRS) MSGDLVSQ(FIFO) DEFPRTY(9)"),
    load=_repairs_load,
    predictions=(
        Prediction("place", "Before you change anything, in which position does WORKSHOP get the wheelchair?").asks(
            lambda lab: _repaired(lab).index("wheelchair") + 1,
            lambda lab: got("WORKSHOP")(lab)[_repaired(lab).index("wheelchair")],
        ),
        Prediction("clock", "And which priority does the clock have on the queue, if its put sets none?").asks(
            sent("COUNTER").value("priority"), sent("COUNTER").first
        ),
    ),
    checks=(
        Check("WORKSHOP gets the wheelchair first", "MQI-02").asks(
            lambda lab: _repaired(lab)[:1],
            ["wheelchair"],
            lambda found: f"WORKSHOP got the {found[0]} first" if found else "WORKSHOP got nothing",
        ),
        Check("the others follow in the order in which they were brought in", "MQI-01").asks(
            lambda lab: _ordinary(_repaired(lab)),
            _ordinary(REPAIRED),
            "WORKSHOP got the others in the order {:(it got none)}",
        ),
    ),
)


def _closing_set_up(lab: Lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(ORDERS)\nDEFINE QALIAS(ORDERS.IN) TARGET(ORDERS)")
    shop = lab["QM1"].connect("SHOP")
    for number in range(4):
        shop.put("ORDERS.IN", b"order %d" % number, persistent=True)
        lab.advance(600)


def _tried(call: str, program: str, queue: str) -> Rows:
    """The event of a program's put or get on a queue, tried in a lab with the same definitions."""

    def tried(lab: Lab) -> list[Event]:
        trial = retold(lab)
        app = trial["QM1"].connect(program)
        try:
            app.get(queue) if call == "get" else app.put(queue, b"one more")
        except MQError:
            return refused(program)(trial)
        return trial.events.where(program=program, kind=call)

    return Rows(tried)


def _let_in(reason: int | None) -> bool:
    """Return whether a call was accepted; an empty queue is no refusal."""
    return reason in (None, 2033)


CLOSE = Exercise(
    **said("Q05"),
    set_up=_closing_set_up,
    predictions=(
        Prediction(
            "reason", "After your fix, with which reason code does a put to the shop's name fail?", solved=True
        ).asks(_tried("put", "SHOP", "ORDERS.IN").value("reason"), _tried("put", "SHOP", "ORDERS.IN").first),
        Prediction("gets", "And how many orders does BILLING still get?", solved=True).asks(
            got("BILLING").count, got("BILLING").last
        ),
    ),
    checks=(
        Check("a put to the shop's name fails", "MQI-11").asks(
            _tried("put", "SHOP", "ORDERS.IN").value("reason"),
            lambda reason: not _let_in(reason),
            "an order that SHOP puts now is accepted",
        ),
        Check("RETURNS can put").asks(
            _tried("put", "RETURNS", "ORDERS").value("reason"), _let_in, "RETURNS is refused with {}"
        ),
        Check("BILLING has committed gets of all four orders").asks(
            for_good(got("BILLING", "ORDERS")).count, 4, "BILLING got {} of 4 orders and committed"
        ),
        Check("BILLING can still get").asks(
            _tried("get", "BILLING", "ORDERS").value("reason"), _let_in, "BILLING is refused with {}"
        ),
    ),
)


def _parcels_load(lab: Lab) -> None:
    """A notice for P-9, one for P-7 that expires, and another for P-7, 20 seconds after PICKUP started."""
    counter = lab["QM1"].connect("COUNTER")
    counter.put("PARCELS", b"P-9 is here", correl_id=b"P-9")
    counter.put("PARCELS", b"P-7 was here", correl_id=b"P-7", expiry=50)
    lab.advance(10)
    unit = counter.unit_of_work()
    unit.put("PARCELS", b"P-7 is here again", correl_id=b"P-7")
    run(lab, "QM1", "PICKUP", seconds=20)
    unit.commit()
    let_pass(lab, 120)


def _notice(lab: Lab) -> str:
    """The notices that PICKUP got, in words."""
    taken = named(got("PICKUP"), sent("COUNTER"), ("P-9's", "the old one", "P-7's"))(lab)
    if taken:
        return f"PICKUP got {' and '.join(taken)}"
    ends = refused("PICKUP", 2033)(lab)
    return f"PICKUP's get failed with 2033 after {seconds(ends[0]) - 10:g} s" if ends else "PICKUP got nothing"


_discarded = rows(kind="discard", object="PARCELS")
PARCELS = Exercise(
    **said("Q02"),
    set_up=alone("DEFINE QLOCAL(PARCELS) DESCR('Notices: a parcel is here')", said("Q02")["work"]),
    load=_parcels_load,
    predictions=(
        Prediction(
            "depth",
            "Before you change anything, what is CURDEPTH of PARCELS before PICKUP's get, which fails with 2033?",
        ).asks(refused("PICKUP").value("depth"), refused("PICKUP").first),
        Prediction(
            "after", "Before you change anything, what is CURDEPTH of PARCELS after that get, before the commit?"
        ).asks(_discarded.value("depth"), _discarded.first),
        Prediction("waits", "After your fix, for how many seconds does PICKUP wait for its notice?", solved=True).asks(
            lambda lab: int(seconds(got("PICKUP").first(lab))) - 10, got("PICKUP").first
        ),
    ),
    checks=(
        Check("PICKUP gets the new notice for P-7", "MQI-05").asks(_notice, "PICKUP got P-7's", "{}"),
        Check("in the end, the notice for P-9 is still on the queue", "MQI-04").asks(
            texts("QM1", "PARCELS"), lambda left: "P-9 is here" in left, "the notice for P-9 is no longer on the queue"
        ),
        Check("in the end, nothing else is on PARCELS", "EXP-08").asks(
            depth("QM1", "PARCELS"), 1, "still on PARCELS: {1:none}", texts("QM1", "PARCELS")
        ),
        Check("if no notice for P-7 arrives, PICKUP ends within five minutes", "MQI-17").asks(
            lambda lab: seconds_alone(lab, "PICKUP", lambda _: None, 301),
            lambda ended: ended <= 300,
            "PICKUP still waits after 300 seconds",
        ),
    ),
)


class Sale:
    """A sale at the till; `breaks` is the step at which the till dies, "" for none."""

    def __init__(self, number: bytes, breaks: str = ""):
        self.number, self.text, self._breaks = number, b"sale " + number, breaks

    def pay_by_card(self) -> None:
        """Read the card."""
        self._step("the card reader")

    def print_receipt(self) -> None:
        """Print the receipt."""
        self._step("the printer")

    def _step(self, step: str) -> None:
        if step == self._breaks:
            raise Breakdown(f"{step} broke down")


SALES = [b"S-1", b"S-2", b"S-3"]


def _till_load(lab: Lab) -> None:
    """Three sales. In the second the card reader breaks down, in the third the printer. Each is then started again."""
    for number, breaks in zip(SALES, ("", "the card reader", "the printer"), strict=True):
        for sale in (Sale(number, breaks), Sale(number)) if breaks else (Sale(number),):
            run(lab, "QM1", "TILL", sale, seconds=30)


def _uneven(queue: str) -> Callable[[Lab], str]:
    """The sales that are not on a queue exactly once, in words."""

    def look(lab: Lab) -> str:
        times = {number.decode(): bodies("QM1", queue)(lab).count(b"sale " + number) for number in SALES}
        return " and ".join(f"{sale} is on {queue} {n} times" for sale, n in times.items() if n != 1)

    return look


_died = rows(kind="program", program="TILL").where(lambda row: told(row)["state"] == "died")


SURE = Exercise(
    **said("Q03"),
    set_up=alone("DEFINE QLOCAL(SALES)\nDEFINE QLOCAL(STOCK)", said("Q03")["work"]),
    load=_till_load,
    predictions=(
        Prediction("sales", "Before you change anything, how many messages are on SALES after the three sales?").asks(
            depth("QM1", "SALES"), sent("TILL", "SALES").at(2)
        ),
        Prediction("stock", "And how many on STOCK?").asks(depth("QM1", "STOCK"), _died.at(0)),
    ),
    checks=(
        Check("each sale is on SALES once", "MQI-19", _uneven("SALES")),
        Check("each sale is on STOCK once", "MQI-07", _uneven("STOCK")),
    ),
)


EXERCISES = (FULL, PARCELS, SURE, ORDER, CLOSE)
