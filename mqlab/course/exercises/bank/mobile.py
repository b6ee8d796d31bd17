"""Exercises at the edge of MQ: MQ Everyplace devices, and IMS behind a bridge."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ....everyplace import DEAD_LETTER_QUEUE, MQeError, copy_to_dead_letter
from ....lab.lab import Lab
from ..exercise import posed
from .log_queries import Rows, got, rows, sent, texts
from .shops import alone, run


def _texts(qmgr: str, queue: str) -> Rows:
    """The available messages of a queue, in order; no call is made."""

    def held(lab: Lab) -> list[str]:
        found = next((each for each in lab[qmgr].queues if each.label == queue), None)
        return [] if found is None else [each.message.body.decode() for each in found.entries() if each.lock is None]

    return Rows(held)


def _define_again(lab: Lab, qmgr: str, kind: str, queue: str, **settings: Any) -> None:
    """Define a queue, and delete the existing one first."""
    if lab[qmgr].has(queue):
        lab[qmgr].delete(queue)
    lab[qmgr].define(kind, queue, **settings)


def _van_set_up(lab: Lab) -> None:
    hq, van = lab.everyplace("HQ"), lab.everyplace("VAN1")
    lab.link("VAN1", "HQ", latency=1)
    hq.define("local", "REPORTS")
    hq.define("store-and-forward", "FORWARD", targets=["VAN1"])
    van.define("local", "JOBS")
    van.define("home-server", "FORWARD@HQ", poll_ms=60_000)
    van.define("synchronous", "REPORTS@HQ")


def _report(van: Any, number: int) -> None:
    """The driver's program reports a finished job."""
    # a report whose put fails is lost, because the program keeps no copy
    with suppress(MQeError):
        van.connect("DRIVER").put("REPORTS@HQ", b"report %d" % number)


def _van_load(lab: Lab) -> None:
    """Reports at nine, in a valley without a link, and while the link breaks."""
    # Every ten minutes, the van's program transmits the stored messages. HQ puts a job while the van is away.
    hq, van = lab["HQ"], lab["VAN1"]
    van.transmit_every(600_000)
    _report(van, 1)
    lab.advance(1800)
    lab.cut("VAN1", "HQ")
    hq.put("JOBS@VAN1", b"job 1")
    _report(van, 2)
    lab.advance(1000)
    lab.restore("VAN1", "HQ")
    _report(van, 3)
    lab.advance(199.5)
    lab.advance(2)  # report 2 is half transmitted
    lab.cut("VAN1", "HQ")
    lab.advance(900)
    lab.restore("VAN1", "HQ")
    lab.advance(1800)


m01 = posed("M01", _van_set_up, _van_load)
# the reports are stored, but expire, so that the van does not fill up
m01.predict("there", _texts("HQ", "REPORTS").count, rows(kind="refused", program="DRIVER").first)
m01.predict(
    "job", lambda lab: _texts("VAN1", "JOBS")(lab) == ["job 1"], rows(qmgr="VAN1", object="JOBS", kind="put").first
)
m01.check(_texts("HQ", "REPORTS").ordered, ["report 1", "report 2", "report 3"], _texts("HQ", "REPORTS"))
m01.check(rows(kind="refused", program="DRIVER").count, 0)
m01.check(_texts("VAN1", "REPORTS@HQ").count, 0)


def _twice_set_up(lab: Lab) -> None:
    hq, van = lab.everyplace("HQ"), lab.everyplace("VAN1")
    lab.link("VAN1", "HQ", latency=1)
    for each in (hq, van):
        each.define("local", DEAD_LETTER_QUEUE)
    hq.define("local", "ORDERS", rule=copy_to_dead_letter)
    van.define("asynchronous", "ORDERS@HQ", rule=copy_to_dead_letter)


def _twice_load(lab: Lab) -> None:
    """Three orders for parts, each valid for ten minutes."""
    # The first arrives, and PARTS gets it. The second is half transmitted when the link breaks. The third is put
    # without a link. After their expiry, HQ and the van scan.
    hq, van = lab["HQ"], lab["VAN1"]
    driver = van.connect("DRIVER")
    driver.put("ORDERS@HQ", b"order 1", expire_ms=600_000)
    van.trigger_transmission()
    lab.advance(60)
    hq.connect("PARTS").get("ORDERS")
    driver.put("ORDERS@HQ", b"order 2", expire_ms=600_000)
    van.trigger_transmission()
    lab.advance(1.5)
    lab.cut("VAN1", "HQ")
    driver.put("ORDERS@HQ", b"order 3", expire_ms=600_000)
    lab.advance(1200)
    lab.restore("VAN1", "HQ")
    van.trigger_transmission()
    lab.advance(60)
    hq.size("ORDERS")
    van.size("ORDERS@HQ")


def _notices(order: int) -> Callable[[Lab], int]:
    """The number of calls that the customer of an order gets: one for each copy on a dead-letter queue."""
    dead = [_texts(name, DEAD_LETTER_QUEUE) for name in ("HQ", "VAN1")]
    return lambda lab: sum(queue(lab).count(f"order {order}") for queue in dead)


def _rule_in_the_van(lab: Lab) -> None:
    _define_again(lab, "HQ", "local", "ORDERS")
    _define_again(lab, "VAN1", "asynchronous", "ORDERS@HQ", rule=copy_to_dead_letter)


# only the rule at the office is left, and it never sees an order that did not leave
m02 = posed("M02", _twice_set_up, _twice_load, solution=_rule_in_the_van)
m02.predict("second", _notices(2), rows(kind="told").last)
m02.predict("third", _notices(3), rows(kind="told").first)
m02.check(_notices(2), 1)
m02.check(_notices(3), 1)
m02.check((got("PARTS").count, _notices(1)), lambda read, rung: read and not rung)
m02.check(lambda lab: len({row.message for row in rows(kind="discard")(lab)}), 2)


ACCOUNTS = (b"anna", b"bob", b"carol", b"dave")
DEAD = "QMZ.DEAD"
BRIDGE = "IMS.BRIDGE"


def _ims_load(lab: Lab) -> None:
    """Four questions at once. IMS needs five seconds for each. Then a minute passes."""

    def balance(segments: list[bytes]) -> bytes:
        lab.advance(5)
        return b"balance of " + segments[0].split()[-1]

    for account in ACCOUNTS:
        run(lab, "QMZ", "ASK", account)
    lab["QMZ"].ims_bridge("BRIDGE", balance)
    lab.advance(60)


_replies = sent(BRIDGE, "REPLIES")
_unlimited = _replies.where(lambda row: row.expiry_left is None)


def _outliving(lab: Lab) -> int:
    """The number of replies with a longer expiry time than their question had left when the bridge got it."""
    pairs = zip(got(BRIDGE, "BRIDGE")(lab), _replies(lab), strict=False)
    left = [(asked.expiry_left, reply.expiry_left) for asked, reply in pairs]
    return sum(reply is None or (asked is not None and reply > asked) for asked, reply in left)


_queues = f"DEFINE QLOCAL(BRIDGE)\nDEFINE QLOCAL(REPLIES)\nDEFINE QLOCAL({DEAD})\nALTER QMGR DEADQ({DEAD})"
m03 = posed("M03", alone(_queues, "M03", "QMZ", platform="zos"), _ims_load)
# the bridge does not read an option that is meant for programs
m03.predict("limited", lambda lab: _replies.count(lab) - _unlimited.count(lab), _replies.first)
m03.predict("last", lambda lab: _replies.last(lab).expiry_left, got(BRIDGE, "BRIDGE").last)
m03.check(
    lambda lab: [text.split()[-1] for text in texts("QMZ", "REPLIES")(lab)],
    [each.decode() for each in ACCOUNTS],
    _replies.count,
    texts("QMZ", DEAD).count,
)
m03.check((_replies.count, _outliving), lambda replies, outliving: replies and not outliving, _unlimited.count)
m03.check(lambda lab: [row.expiry_left for row in sent("ASK", "BRIDGE")(lab)], [300] * 4)
