"""Exercises about queues, messages, and units of work."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ....engine.words.errors import MQError
from ....engine.world.event import Event
from ....lab.lab import Lab
from ..exercise import posed, retold
from .log_queries import Rows, bodies, depth, for_good, got, named, refused, rows, seconds, sent, texts
from .shops import Breakdown, alone, let_pass, reach, run, seconds_alone


def _full_load(lab: Lab) -> None:
    """Eight orders in an hour; BILLING reads only at the end of it."""
    shop = lab["QM1"].connect("SHOP")
    for number in range(8):
        reach(shop, "ORDERS", b"order %d" % number)
        lab.advance(450)
    lab["QM1"].connect("BILLING").drain("ORDERS")


_refused = refused("SHOP", 2053)


def _room(lab: Lab) -> int:
    """The number of messages that the empty queue accepts before it refuses one; at most 30 are tried."""
    trial = retold(lab)
    for _ in range(30):
        reach(trial["QM1"].connect("TRIAL"), "ORDERS", b"x", persistent=None)
    return sent("TRIAL").count(trial)


q01 = posed("Q01", alone("DEFINE QLOCAL(ORDERS) MAXDEPTH(5) DESCR('Orders to be billed')"), _full_load)
q01.predict("refused", _refused.count, _refused.first)
q01.check(sent("SHOP").count, 8, _refused.count)
q01.check(got("BILLING").count, 8)
q01.check(_room, 20, lambda room: f"the queue accepted {room} messages{' and would take more' if room == 30 else ''}")
q01.belief("a-limit-is-a-mistake", lambda room: room == 30)

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


q04 = posed("Q04", alone("DEFINE QLOCAL(REPAIRS) MSGDLVSQ(FIFO) DEFPRTY(9)"), _repairs_load)
q04.predict(
    "place",
    lambda lab: _repaired(lab).index("wheelchair") + 1,
    lambda lab: got("WORKSHOP")(lab)[_repaired(lab).index("wheelchair")],
)
q04.predict("clock", sent("COUNTER").value("priority"), sent("COUNTER").first)
q04.check(lambda lab: _repaired(lab)[:1], ["wheelchair"])
q04.check(lambda lab: _ordinary(_repaired(lab)), _ordinary(REPAIRED))


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


q05 = posed("Q05", _closing_set_up)
q05.predict("reason", _tried("put", "SHOP", "ORDERS.IN").value("reason"), _tried("put", "SHOP", "ORDERS.IN").first)
q05.predict("gets", got("BILLING").count, got("BILLING").last)
q05.check(_tried("put", "SHOP", "ORDERS.IN").value("reason"), lambda reason: not _let_in(reason))
q05.check(_tried("put", "RETURNS", "ORDERS").value("reason"), _let_in)
q05.check(for_good(got("BILLING", "ORDERS")).count, 4)
q05.check(_tried("get", "BILLING", "ORDERS").value("reason"), _let_in)


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


_notices = named(got("PICKUP"), sent("COUNTER"), ("P-9's", "the old one", "P-7's"))
"""The notices that PICKUP got."""


def _gave_up_s(lab: Lab) -> float | None:
    """The seconds after which PICKUP's get failed with 2033, None if it did not."""
    end = refused("PICKUP", 2033).first(lab)
    return None if end is None else seconds(end) - 10


def _other_notice(taken: list[str], waited: float | None) -> str:
    if taken:
        return f"PICKUP got {' and '.join(taken)}"
    return "PICKUP got nothing" if waited is None else f"PICKUP's get failed with 2033 after {waited:g} s"


_discarded = rows(kind="discard", object="PARCELS")
q02 = posed("Q02", alone("DEFINE QLOCAL(PARCELS) DESCR('Notices: a parcel is here')", "Q02"), _parcels_load)
q02.predict("depth", refused("PICKUP").value("depth"), refused("PICKUP").first)
q02.predict("after", _discarded.value("depth"), _discarded.first)
q02.predict("waits", lambda lab: int(seconds(got("PICKUP").first(lab))) - 10, got("PICKUP").first)
q02.check(_notices, ["P-7's"], _other_notice, _gave_up_s)
q02.belief("a-get-knows-what-i-mean", lambda taken, waited: taken[:1] == ["P-9's"])
q02.belief("depth-is-available", lambda taken, waited: not taken and waited in (0, 5))
q02.check(texts("QM1", "PARCELS"), lambda left: "P-9 is here" in left)
q02.check(depth("QM1", "PARCELS"), 1, texts("QM1", "PARCELS"))
q02.check(lambda lab: seconds_alone(lab, "PICKUP", lambda _: None, 301), lambda ended: ended <= 300)


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


_died = rows(kind="program", program="TILL").where(lambda row: row.facts["state"] == "died")


q03 = posed("Q03", alone("DEFINE QLOCAL(SALES)\nDEFINE QLOCAL(STOCK)", "Q03"), _till_load)
q03.predict("sales", depth("QM1", "SALES"), sent("TILL", "SALES").at(2))
q03.predict("stock", depth("QM1", "STOCK"), _died.at(0))
q03.check(_uneven("SALES"))
q03.check(_uneven("STOCK"))
