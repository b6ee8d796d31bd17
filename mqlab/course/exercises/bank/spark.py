"""Exercises about Spark: the learner runs a question on the event log of a lab, and the check reads what Spark did.

The cells of the learner import Spark; this module does not. They leave what Spark did in the lab, as `lab.did`.
A lab without it is judged by the cells as the learner finds them.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from functools import cache
from typing import Any

from ....engine.words.errors import LabError, MQError
from ....lab.lab import Lab
from ..exercise import Check, Exercise, Prediction, said, typed
from .log_queries import discarded
from .shops import alone

KINDS = ("put", "get", "discard")

RUN = "lab.did = why(report(events))"


def _day(lab: Lab) -> None:
    """A shop's day: ORDERS is full at times, messages on PRICES expire, and nobody reads RETURNS."""
    alone("DEFINE QLOCAL(ORDERS) MAXDEPTH(5)\nDEFINE QLOCAL(PRICES)\nDEFINE QLOCAL(RETURNS)", level=530)(lab)
    shop, office = lab["QM1"].connect("SHOP"), lab["QM1"].connect("OFFICE")
    for number in range(24):
        with suppress(MQError):
            shop.put("ORDERS", b"order %d" % number)
        shop.put("PRICES", b"price %d" % number, expiry=30)
        lab.advance(2)
        if number % 8 == 7:
            shop.put("RETURNS", b"return %d" % number)
            office.drain("ORDERS")
            office.drain("PRICES")


@cache
def _as_found() -> Any:
    """Return Spark's execution of the report as the learner finds it."""
    lab = Lab()
    _day(lab)
    typed(said("P01")["work"].replace(f"# {RUN}", RUN))(lab)
    return getattr(lab, "did")  # noqa: B009  the cells set it


def _did(lab: Lab) -> Any:
    """Return Spark's execution of the learner's report, or of the report as found; LabError for anything else."""
    did = getattr(lab, "did", None) or _as_found()
    if getattr(did, "scans", None) is None or not hasattr(did.answer, "to_dict"):
        raise LabError(f"lab.did must be what Spark did for the report, {RUN}; got {did!r:.200}")
    return did


def _counts(lab: Lab) -> dict[str, tuple[int, ...]]:
    """The successful puts and gets, and the discards, of each queue, from the log itself."""
    found: dict[str, list[int]] = defaultdict(lambda: [0] * len(KINDS))
    for row in lab.events:
        if row.kind in KINDS and row.reason is None and row.object:
            found[row.object][KINDS.index(row.kind)] += 1
    return {queue: tuple(counts) for queue, counts in found.items()}


def _reported(lab: Lab) -> dict[str, tuple]:
    """The same counts, as the report has them; LabError for a report without their columns."""
    answer = _did(lab).answer
    missing = [name for name in ("object", *KINDS) if name not in answer.columns]
    if missing:
        raise LabError(f"the report must have the columns object, put, get, and discard; got none named {missing[0]}")
    return {row["object"]: tuple(row[kind] for kind in KINDS) for row in answer.to_dict("records")}


def _differs(found: dict[str, tuple], wanted: dict[str, tuple]) -> str:
    queue = min(queue for queue in {*found, *wanted} if found.get(queue) != wanted.get(queue))
    if queue not in found:
        return f"the report has no row for {queue}"
    got = ", ".join(f"{kind} {count}" for kind, count in zip(KINDS, found[queue], strict=True))
    return f"the report says {got} for {queue}, and the log does not"


SCANS = Exercise(
    **said("P01"),
    set_up=_day,
    predictions=(
        Prediction("scans", "Before you change anything, how many times does Spark read the log for one report?").asks(
            lambda lab: len(_did(lab).scans)
        ),
        Prediction("discards", "And how many messages on PRICES does the report count as discarded?").asks(
            discarded("PRICES").count, discarded("PRICES").first
        ),
        Prediction("shuffles", "After your fix, how many shuffles does Spark need at least?", solved=True).asks(
            lambda lab: _did(lab).shuffles
        ),
    ),
    checks=(
        Check("the report counts the same puts, gets, and discards of each queue as the log", "EXP-08").asks(
            (_reported, _counts), lambda found, wanted: found == wanted, _differs
        ),
        Check("Spark reads the log at most once").asks(
            lambda lab: len(_did(lab).scans), lambda scans: scans <= 1, "Spark read the log {:time}"
        ),
    ),
)

EXERCISES = (SCANS,)
