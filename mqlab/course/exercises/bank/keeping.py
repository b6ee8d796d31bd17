"""Exercises about what a queue keeps: after a restart, for one program only, and in an open unit of work."""

from __future__ import annotations

from typing import Any

from ....lab.lab import Lab
from ..exercise import Check, Exercise, Prediction, said
from .log_queries import Rows, got, refused, rows, seconds, sent, texts
from .programs import run
from .shops import alone


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

SURVIVE = Exercise(
    **said("Q09"),
    set_up=alone("DEFINE QLOCAL(ORDERS) DEFPSIST(YES)\nDEFINE QALIAS(ORDERS.IN) TARGET(ORDERS)"),
    load=_night_load,
    defect="%%mqsc QM1\nALTER QLOCAL(ORDERS) NPMCLASS(HIGH)",
    answer="%%mqsc QM1\nALTER QALIAS(ORDERS.IN) DEFPSIST(YES)\nALTER QLOCAL(ORDERS) NPMCLASS(NORMAL)",
    predictions=(
        Prediction("left", "Before you change anything, how many messages are on ORDERS after the restart?").asks(
            _left.count, _lost.first
        ),
    ),
    checks=(
        Check("all four orders are on ORDERS after the restart", "MQI-16").asks(
            lambda lab: len([text for text in _left(lab) if text != "test"]), 4, "{} of 4 orders survived the restart"
        ),
        Check("all four orders are persistent").asks(
            lambda lab: len([row for row in sent("SHOP")(lab) + sent("RETURNS")(lab) if row.persistent]),
            4,
            "{} of 4 orders are persistent",
        ),
        Check("the test message is lost in the restart", "MQI-16").asks(
            lambda lab: "test" in _left(lab), False, "the test message survived the restart"
        ),
    ),
)


def _packer(app: Any, given: Any) -> None:
    """Packs parcels until there are none, ten minutes each."""
    with app.open("PARCELS", input="as_q_def") as parcels:
        for _ in parcels.get_each():
            app.qmgr.lab.advance(600)


def _parcels_load(lab: Lab) -> None:
    """Six parcels, two packers, two hours."""
    for number in range(6):
        lab["QM1"].connect("COUNTER").put("PARCELS", b"parcel %d" % number)
    run(lab, "QM1", "PACKER1", seconds=1)
    run(lab, "QM1", "PACKER2", seconds=7200)


def _with_share(lab: Lab) -> Lab:
    """The same situation with SHARE alone, after the load."""
    other = PACKERS.start()
    other["QM1"].mqsc("ALTER QLOCAL(PARCELS) SHARE")
    _parcels_load(other)
    return other


_opened = rows(kind="open", object="PARCELS")
_packers = Rows(lambda lab: [row for row in _opened(lab) if row.reason is None])
_packed = Rows(lambda lab: got("PACKER1")(lab) + got("PACKER2")(lab))

PACKERS: Exercise = Exercise(
    **said("Q10"),
    set_up=alone("DEFINE QLOCAL(PARCELS) NOSHARE DEFSOPT(EXCL)", programs={"PACKER1": _packer, "PACKER2": _packer}),
    load=_parcels_load,
    defect="%%mqsc QM1\nALTER QLOCAL(PARCELS) SHARE",
    answer="%%mqsc QM1\nALTER QLOCAL(PARCELS) SHARE DEFSOPT(SHARED)",
    predictions=(
        Prediction(
            "share", "If the operator sets SHARE and leaves DEFSOPT(EXCL), how many packers can open PARCELS?"
        ).asks(lambda lab: _packers.count(_with_share(lab)), refused("PACKER2", 2042).first),
    ),
    checks=(
        Check("both packers have PARCELS open", "MQI-14").asks(
            _packers.count,
            2,
            "{0:packer|packers} opened PARCELS; {1:open|opens} failed with 2042",
            rows(reason=2042).count,
        ),
        Check("all six parcels are being packed within half an hour").asks(
            lambda lab: len([row for row in _packed(lab) if seconds(row) <= 1800]),
            6,
            "{} of 6 parcels were taken from PARCELS in half an hour",
        ),
    ),
)

EXERCISES = (SURVIVE, PACKERS)
