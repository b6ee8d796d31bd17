"""Exercises about whole estates: find what is wrong in the dumps, and fix it while messages flow."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from .... import estates
from ....engine.words.errors import MQError
from ....estates.causes import causes
from ....estates.checks import findings
from ....estates.ignoring import seen
from ....lab.lab import Lab
from ..exercise import posed
from .log_queries import bodies, depth, done, refused, rows, sent, texts
from .shops import let_pass, monitor, reach

MINUTES = 20
"""How long the traffic flows. Each minute has an order and an alarm, and every fourth has the rest."""
TURNS = range(0, MINUTES, 4)
FAULTS = ("error", "warning")
"""The findings that the exercise is about; notes are none."""
UNREADABLE = b"order 4"
NOBODY = "FAX.OUT@WARD1"
"""A queue of the wards that is retired: a letter for it cannot be delivered."""


def _analyzer(app: Any, trigger: Any) -> None:
    """Analyze every order, each in a unit of work: a result for the wards, and a bill."""
    # An order that cannot be read is backed out BOTHRESH times, and then moved to BOQNAME. Without a BOQNAME it is
    # tried again every minute.
    with suppress(MQError), app.open(trigger.queue, input="shared", inquire=True) as orders:
        limits = orders.inquire("BOTHRESH", "BOQNAME")
        while True:
            with app.unit_of_work() as unit:
                order = orders.get(wait=5, unit=unit)
                if order.body != UNREADABLE:
                    for queue, word in (("LAB.RESULTS.OUT", b"result of "), ("BILLING.OUT", b"bill for ")):
                        unit.put(queue, word + order.body)
                elif limits["BOQNAME"] and order.backout_count >= limits["BOTHRESH"]:
                    app.forward(order, limits["BOQNAME"], unit=unit)
                else:
                    unit.backout()
                    app.qmgr.lab.advance(60)


def _booking(app: Any, trigger: Any) -> None:
    """Move every bill to the booked ones."""
    with suppress(MQError):
        while True:
            with app.unit_of_work() as unit:
                app.forward(unit.get(trigger.queue, wait=5), "BILLING.DONE", unit=unit)


def _beds(app: Any, trigger: Any) -> None:
    """Answer a query for a free bed."""
    with suppress(MQError):
        app.reply(app.get(trigger.queue), b"bed 7")


def _set_up(lab: Lab) -> None:
    """The clinics as their dumps say, and the programs that their processes start."""
    estates.load("clinic-estate", lab)
    lab["LABS"].program("/opt/labs/bin/analyzer", _analyzer)
    lab["CORE"].program("BILLRUN", _booking)
    lab["CORE"].program("BEDSRV", _beds)


def _traffic(lab: Lab) -> None:
    """Orders, alarms, queries, and bills of the wards, and changes and a letter of the head office."""
    ward, office = lab["WARD1"].connect("WARD"), lab["CORE"].connect("OFFICE")
    monitor(lab, "LABS", "LABS.INITQ")
    monitor(lab, "CORE", "CORE.INITQ")
    reach(office, NOBODY, b"a letter", persistent=True)
    for minute in range(MINUTES):
        reach(ward, "LAB.ORDERS", b"order %d" % minute)
        reach(ward, "ALARM.OUT", b"alarm %d" % minute, persistent=None)
        if minute in TURNS:
            reach(ward, "BILLING.OUT", b"bill of day %d" % minute)
            reach(ward, "BED.QUERY", b"a bed?", persistent=None, reply_to_q="BED.REPLY", msg_type=1)
            for name in ("PATIENT.UPDATES.WARD1", "PATIENT.UPDATES.LABS"):
                reach(office, name, b"patient %d" % minute)
        let_pass(lab, 60)
    let_pass(lab, 120)


def _faults(lab: Lab) -> frozenset[tuple[str, str, str, str]]:
    """The errors and warnings of the definitions in a lab: queue manager, check, kind, and name."""
    estate = estates.from_lab(lab)
    found = causes(estate, seen(estate, findings(estate)), False)  # tries no fix: the exercise shows none
    return frozenset((each.qmgr, each.check, each.kind, each.name) for each in found if each.severity in FAULTS)


@cache
def _planted() -> frozenset[tuple[str, str, str, str]]:
    """The faults at the start of the exercise."""
    return _faults(d01.start())


def _faults_of(qmgr: str, faults: Callable[[Lab], frozenset]) -> Callable[[Lab], int]:
    """The number of planted faults of a queue manager that are among some faults."""
    return lambda lab: sum(each[0] == qmgr for each in faults(lab) & _planted())


def _new(lab: Lab) -> list[str]:
    """The faults that were not there before, by check and object."""
    found = sorted(_faults(lab) - _planted())
    return [f"{check} of {name or 'the queue manager'} at {qmgr}" for qmgr, check, _, name in found]


def _waiting(lab: Lab) -> list[str]:
    """The transmission queues that hold messages."""
    queues = [(qmgr, queue) for qmgr in lab.queue_managers for queue in qmgr.queues if queue.depth]
    return [
        f"{queue.name} of {qmgr.name} ({queue.depth})"
        for qmgr, queue in queues
        if queue.definition.attributes["USAGE"] == "XMITQ"
    ]


def _set_aside(lab: Lab) -> int:
    """Count the unreadable order and the undeliverable letter on the queues that someone checks: 0, 1, or 2."""
    places = (("LABS", "LAB.ORDERS.IN", UNREADABLE), ("WARD1", "FAX.OUT", b"a letter"))
    return sum(
        any(
            body.endswith(text)
            for queue in lab[qmgr].queues
            if queue.name != wrong and queue.definition.attributes["USAGE"] == "NORMAL"
            for body in bodies(qmgr, queue.name)(lab)
        )
        for qmgr, wrong, text in places
    )


_orders = done("put", "LAB.ORDERS.IN", qmgr="LABS")
_alarms = done("put", "ALARM.BOARD")
_on_board = texts("CORE", "ALARM.BOARD")
_tried = rows(kind="restore", object="LAB.ORDERS.IN")

d01 = posed("D01", _set_up, _traffic)
d01.predict("board", _on_board.count, rows(kind="put", object="ALARM.BOARD", reason=2053).first)
d01.suppose("doctor", None, _orders.count, sent("WARD", "LAB.ORDERS").last)
d01.predict("tries", _tried.count, _tried.last)
for name in ("WARD1", "LABS", "CORE"):
    d01.check(_faults_of(name, _faults), 0, _faults_of(name, lambda lab: _planted()))
d01.check(_new, [])
d01.check(texts("WARD1", "LAB.RESULTS.IN").count, 19, _orders.count, refused("WARD").count)
d01.check(depth("CORE", "BILLING.DONE"), 24, depth("CORE", "BILLING.IN"))
d01.check((depth("WARD1", "BED.REPLY"), depth("WARD1", "PATIENT.UPDATES"), depth("LABS", "PATIENT.UPDATES")), (5, 5, 5))
d01.check(
    (_alarms.count, _on_board),
    lambda came, held: came == 20 > len(held) and {f"alarm {n}" for n in range(13, 20)} <= {*held},
    _on_board.count,
)
d01.check(_set_aside, 2)
d01.check(_waiting, [])
