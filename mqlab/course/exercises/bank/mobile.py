"""Exercises at the edge of MQ: MQ Everyplace devices, and IMS behind a bridge."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ....everyplace import DEAD_LETTER_QUEUE, MQeError, copy_to_dead_letter
from ....lab.lab import Lab
from ..exercise import Check, Exercise, Prediction, said
from .log_queries import Rows, got, rows, sent, texts
from .programs import run
from .shops import alone


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


VAN = Exercise(
    **said("M01"),
    set_up=_van_set_up,
    load=_van_load,
    # the reports are stored, but expire, so that the van does not fill up
    predictions=(
        Prediction("there", "Before you change anything, how many of the three reports are at HQ?").asks(
            _texts("HQ", "REPORTS").count, rows(kind="refused", program="DRIVER").first
        ),
        Prediction(
            "job",
            "Before you change anything, does the job that HQ put while the van was away arrive on JOBS? True or "
            "False.",
        ).asks(
            lambda lab: _texts("VAN1", "JOBS")(lab) == ["job 1"], rows(qmgr="VAN1", object="JOBS", kind="put").first
        ),
    ),
    checks=(
        Check("each report is at HQ once", "MQE-13").asks(
            lambda lab: sorted(_texts("HQ", "REPORTS")(lab)),
            ["report 1", "report 2", "report 3"],
            "HQ has {1:no report}",
            _texts("HQ", "REPORTS"),
        ),
        Check("no call of DRIVER fails", "MQE-12").asks(
            rows(kind="refused", program="DRIVER").count, 0, "calls of DRIVER that failed: {}"
        ),
        Check("no report is in the van at the end").asks(
            _texts("VAN1", "REPORTS@HQ").count, 0, "{:report is|reports are} still in the van"
        ),
    ),
)


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


TWICE = Exercise(
    **said("M02"),
    set_up=_twice_set_up,
    load=_twice_load,
    # only the rule at the office is left, and it never sees an order that did not leave
    solution=_rule_in_the_van,
    predictions=(
        Prediction(
            "second",
            "Before you change anything, how many times is the customer of order 2 called, which was half transmitted?",
        ).asks(_notices(2), rows(kind="told").last),
        Prediction(
            "third", "Before you change anything, how many times is the customer of order 3 called, which never left?"
        ).asks(_notices(3), rows(kind="told").first),
    ),
    checks=(
        Check("the customer of the order that was half transmitted is called once", "MQE-07").asks(
            _notices(2), 1, "the customer of order 2 was called {:time}"
        ),
        Check("the customer of the order that never left is called once", "MQE-06").asks(
            _notices(3), 1, "the customer of order 3 was called {:time}"
        ),
        Check("PARTS gets order 1, and its customer is not called").asks(
            (got("PARTS").count, _notices(1)),
            lambda read, rung: read and not rung,
            "the customer of order 1 was called {1:time}",
        ),
        Check("orders still expire after ten minutes", "MQE-11").asks(
            lambda lab: len({row.message for row in rows(kind="discard")(lab)}), 2, "{} of the orders 2 and 3 expired"
        ),
    ),
)


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


IMS = Exercise(
    **said("M03"),
    set_up=alone(
        f"DEFINE QLOCAL(BRIDGE)\nDEFINE QLOCAL(REPLIES)\nDEFINE QLOCAL({DEAD})\nALTER QMGR DEADQ({DEAD})",
        said("M03")["work"],
        qmgr="QMZ",
        platform="zos",
    ),
    load=_ims_load,
    # the bridge does not read an option that is meant for programs
    predictions=(
        Prediction("limited", "Before you change anything, how many of the four answers have a limited lifetime?").asks(
            lambda lab: _replies.count(lab) - _unlimited.count(lab), _replies.first
        ),
        Prediction(
            "last",
            "After your fix, what is the Expiry of the answer to the fourth question when it is put, in tenths of a "
            "second?",
            solved=True,
        ).asks(lambda lab: _replies.last(lab).expiry_left, got(BRIDGE, "BRIDGE").last),
    ),
    checks=(
        Check("the four questions get an answer", "IMS-01").asks(
            lambda lab: [text.split()[-1] for text in texts("QMZ", "REPLIES")(lab)],
            [each.decode() for each in ACCOUNTS],
            "{1} of 4 questions got an answer; {2} are on the dead-letter queue",
            _replies.count,
            texts("QMZ", DEAD).count,
        ),
        Check("no answer is valid for longer than its question had left", "EXP-30").asks(
            (_replies.count, _outliving),
            lambda replies, outliving: replies and not outliving,
            lambda replies, outliving, unlimited: (
                f"{outliving} of {replies} answers outlive their question, {unlimited} of them forever"
                if replies
                else "there is no answer"
            ),
            _unlimited.count,
        ),
        Check("each question is valid for half a minute").asks(
            lambda lab: [row.expiry_left for row in sent("ASK", "BRIDGE")(lab)],
            [300] * 4,
            "Expiry of the questions, in tenths of a second: [{}]",
        ),
    ),
)

EXERCISES = (VAN, TWICE, IMS)
