"""Exercises about messages that stay, and programs that are kept out: restarts, exclusive opens, and open units of
work."""

from __future__ import annotations

from math import inf
from typing import Any

from ....lab.lab import Lab
from ..exercise import posed
from .log_queries import Rows, bodies, depth, got, refused, rows, seconds, sent, texts
from .shops import Breakdown, alone, let_pass, reach, run


def _night_load(lab: Lab) -> None:
    """Orders by two names, a test message, and a restart of the queue manager."""
    qmgr = lab["QM1"]
    for number in (1, 2, 3):
        qmgr.connect("SHOP").put("ORDERS.IN", b"order %d" % number)
    qmgr.connect("RETURNS").put("ORDERS", b"return 4")
    qmgr.connect("PROBE").put("ORDERS", b"test", persistent=False)
    lab.advance(3600)
    qmgr.stop()
    lab.advance(60)
    qmgr.start()


_lost = rows(kind="lost", object="ORDERS")
_left = texts("QM1", "ORDERS")

q09 = posed("Q09", alone("DEFINE QLOCAL(ORDERS) DEFPSIST(YES)\nDEFINE QALIAS(ORDERS.IN) TARGET(ORDERS)"), _night_load)
q09.predict("left", _left.count, _lost.first)
q09.check(_left.where(lambda text: text != "test").count, 4)
q09.check(lambda lab: len([row for row in sent("SHOP")(lab) + sent("RETURNS")(lab) if row.persistent]), 4)
q09.check(lambda lab: "test" in _left(lab), False)


def _packer(app: Any, given: Any) -> None:
    """Pack parcels until there are none, ten minutes each."""
    with app.open("PARCELS", input="as_q_def") as parcels:
        for _ in parcels.get_each():
            app.qmgr.lab.advance(600)


def _parcels_load(lab: Lab) -> None:
    """Six parcels, two packers, two hours."""
    for number in range(6):
        lab["QM1"].connect("COUNTER").put("PARCELS", b"parcel %d" % number)
    run(lab, "QM1", "PACKER1", seconds=1)
    run(lab, "QM1", "PACKER2", seconds=7200)


_opened = rows(kind="open", object="PARCELS")
_packers = Rows(lambda lab: [row for row in _opened(lab) if row.reason is None])
_packed = Rows(lambda lab: got("PACKER1")(lab) + got("PACKER2")(lab))

q10 = posed(
    "Q10",
    alone("DEFINE QLOCAL(PARCELS) NOSHARE DEFSOPT(EXCL)", programs={"PACKER1": _packer, "PACKER2": _packer}),
    _parcels_load,
)
q10.predict(
    "share",
    q10.supposing(lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(PARCELS) SHARE"), _packers.count),
    refused("PACKER2", 2042).first,
)
q10.check(_packers.count, 2, rows(reason=2042).count)
q10.check(_packed.where(lambda row: seconds(row) <= 1800).count, 6)


def _books_first(app: Any, number: bytes) -> None:
    """Sell once, then book a sale in a unit of work, and commit when the customer has paid."""
    app.put("SALES", b"a sale", persistent=True)
    with app.unit_of_work() as unit:
        unit.put("SALES", b"a sale", persistent=True)
        unit.get("PAYMENTS", correl_id=number, wait=inf)


def _is_paid_first(app: Any, number: bytes) -> None:
    """Sell once, then wait for a payment before the next sale is booked."""
    app.put("SALES", b"a sale", persistent=True)
    app.get("PAYMENTS", correl_id=number, wait=inf)
    app.put("SALES", b"a sale", persistent=True)


def _billing(app: Any) -> None:
    """Get every sale as soon as it is available."""
    while True:
        app.get("SALES", wait=inf)


def _audit(app: Any) -> None:
    """Keep SALES open for browsing for a day."""
    with app.open("SALES", browse=True):
        app.qmgr.lab.advance(86_400)


def _tills_set_up(lab: Lab) -> None:
    qmgr = lab.queue_manager("QM1")
    qmgr.mqsc("DEFINE QLOCAL(SALES)\nDEFINE QLOCAL(PAYMENTS)").require()
    qmgr.run_program("BILLING", _billing)
    qmgr.run_program("AUDIT", _audit)
    for till, sells in (("TILL1", _is_paid_first), ("TILL2", _books_first), ("TILL3", _is_paid_first)):
        qmgr.run_program(till, sells, till.encode())
        lab.advance(60)


_open_units = Rows(lambda lab: [unit for unit in lab["QM1"].units.values() if unit.puts or unit.gets])


def _billed(lab: Lab) -> list[str]:
    """The programs whose sales BILLING got, in order. The first three are one of each till."""
    sellers = {row.message: row.program for row in rows(kind="put", object="SALES")(lab)}
    return [sellers[row.message] or "?" for row in got("BILLING")(lab)]


def _restart(lab: Lab) -> None:
    lab["QM1"].stop()
    lab["QM1"].start()


q11 = posed("Q11", _tills_set_up)
q11.suppose("restart", _restart, depth("QM1", "SALES"), rows(kind="backout").first)
q11.check(lambda lab: _billed(lab)[3:], ["TILL2"])
q11.check(_open_units.count, 0)


CAKES = [b"plum cake", b"nut cake", b"apple cake"]


class Oven:
    """An oven that fails once while it bakes the second cake, and once while it is cleaned after the third."""

    def __init__(self) -> None:
        self._failures, self._order = {("bake", CAKES[1]), ("clean", CAKES[2])}, b""

    def bake(self, order: Any) -> None:
        """Bake an order."""
        self._order = order.body
        self._step("bake")

    def clean(self) -> None:
        """Clean the oven after a cake."""
        self._step("clean")

    def _step(self, step: str) -> None:
        if (step, self._order) in self._failures:
            self._failures.remove((step, self._order))
            raise Breakdown(f"the oven failed: {step}")


def _bakery_load(lab: Lab) -> None:
    """Three orders; BAKER is started three times with the same oven, a minute apart."""
    for cake in CAKES:
        lab["QM1"].connect("SHOP").put("CAKES", cake, persistent=True)
    oven = Oven()
    for _ in range(3):
        run(lab, "QM1", "BAKER", oven, seconds=60)


_baked = bodies("QM1", "BAKED")
_died = rows(kind="program", program="BAKER").where(lambda row: row.facts["state"] == "died")

q12 = posed("Q12", alone("DEFINE QLOCAL(CAKES)\nDEFINE QLOCAL(BAKED)", "Q12"), _bakery_load)
q12.predict("baked", depth("QM1", "BAKED"), _died.first)
q12.suppose("twice", None, depth("QM1", "BAKED"), rows(kind="restore").last)
q12.check(
    lambda lab: [_baked(lab).count(cake) for cake in CAKES],
    [1, 1, 1],
    lambda times: "BAKED holds " + ", ".join(f"{n} x {cake.decode()}" for n, cake in zip(times, CAKES, strict=True)),
)
q12.check(depth("QM1", "CAKES"), 0)


MONTHS = ((8, 10), (12, 6), (20, 10))
"""The MAXDEPTH that the operator sets, and the number of orders that SHOP puts after the restart."""


def _months_load(lab: Lab) -> None:
    """Three alterations, each followed by a restart and by orders; then a new queue manager."""
    qmgr = lab["QM1"]
    for limit, orders in MONTHS:
        qmgr.mqsc(f"ALTER QLOCAL(ORDERS) MAXDEPTH({limit})")
        qmgr.stop()
        qmgr.start()
        run(lab, "QM1", "STARTUP", seconds=60)
        for number in range(orders):
            reach(qmgr.connect("SHOP"), "ORDERS", b"order %d" % number, persistent=None)
        lab.advance(60)
    lab.queue_manager("QM2").run_program("STARTUP", qmgr.programs["STARTUP"], None)
    let_pass(lab, 60)
    reach(lab["QM2"].connect("SHOP"), "ORDERS", b"the first", persistent=None)


def _by_month(lab: Lab) -> list[int]:
    """The number of orders that QM1 accepted after each restart."""
    starts = [row.seq for row in rows(kind="start", qmgr="QM1")(lab)][1:]
    accepted = [row.seq for row in sent("SHOP")(lab) if row.qmgr == "QM1"]
    return [sum(a < seq < b for seq in accepted) for a, b in zip(starts, [*starts[1:], inf], strict=True)]


_defined = rows(kind="define", object="ORDERS")

a01 = posed("A01", alone("DEFINE QLOCAL(ORDERS) DEFPSIST(YES) MAXDEPTH(4)", "A01"), _months_load)
a01.predict("accepted", lambda lab: sum(_by_month(lab)), _defined.last)
a01.suppose("unlimited", None, lambda lab: sum(_by_month(lab)), _defined.last)
a01.check(_by_month, [8, 4, 8])
a01.check(lambda lab: [row.persistent for row in sent("SHOP")(lab) if row.qmgr == "QM2"], [True])
