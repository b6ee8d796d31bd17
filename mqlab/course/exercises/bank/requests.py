"""Exercises about requests and replies between programs."""

from __future__ import annotations

from typing import Any

from ....lab.lab import Lab
from ..exercise import Posed, given
from .log_queries import got, rows, sent, texts
from .shops import alone, let_pass, run

EVENTS = {"opera": 60, "ballet": 60, "circus": 1200, "jazz": 300}
"""The events in the order of their publication, and the seconds until the next."""


def _booking(app: Any, seconds: int) -> None:
    """Reply to requests until none arrives for this many seconds."""
    for request in app.get_each("PURCHASE", wait=seconds):
        verdict = b"Rejected" if request.body == b"ballet" else b"Accepted"
        if request.reply_to_q:
            app.put(request.reply_to_q, verdict, correl_id=request.correl_id)


def _tickets_load(lab: Lab) -> None:
    """RIVAL's request, then four events; BOOKING is down while the third is published and for 20 minutes after it."""
    qmgr = lab["QM1"]
    qmgr.connect("RIVAL").put("PURCHASE", b"magic", correl_id=b"RIVAL", reply_to_q="CONFIRMATION")
    booking = qmgr.run_program("BOOKING", _booking, 100)
    run(lab, "QM1", "RESELLER", seconds=1)
    for event, pause in EVENTS.items():
        if event == "circus":
            booking.stop()
        qmgr.connect("PUBLISHER").publish("newTickets", event.encode())
        let_pass(lab, pause)
        if event == "circus":
            qmgr.run_program("BOOKING", _booking, 600)


_requests = sent("RESELLER", "PURCHASE")


def _waited(lab: Lab) -> list[int]:
    """The seconds from a request to the end of a wait for a reply that did not arrive."""
    ends = rows(kind="get", program="RESELLER", object="CONFIRMATION", reason=2033)(lab)
    asked = [[row.time_us for row in _requests(lab) if row.seq < end.seq] for end in ends]
    return [(end.time_us - times[-1]) // 1_000_000 for end, times in zip(ends, asked, strict=True) if times]


def _has_rivals(lab: Lab) -> bool:
    """Whether the first reply, which is for RIVAL, is still on CONFIRMATION."""
    replies = sent("BOOKING", "CONFIRMATION")(lab)
    return bool(replies) and replies[0].message not in [row.message for row in got("RESELLER", "CONFIRMATION")(lab)]


r01 = Posed("R01", alone(given("R01"), "R01"), _tickets_load)
r01.predict("sold", texts("QM1", "SOLD").count, got("RESELLER", "CONFIRMATION").first)
r01.suppose("late", None, texts("QM1", "CONFIRMATION").count, rows(kind="put", program="BOOKING").at(3))
r01.check(
    lambda lab: [row.expiry_left for row in _requests(lab)],
    [9000] * 4,
    lambda left: f"{len(left)} requests, {left.count(9000)} of them with 15 minutes",
)
r01.check(texts("QM1", "SOLD"), ["opera", "jazz"])
r01.check(_waited, lambda waits: set(waits) == {30})
r01.check((texts("QM1", "CONFIRMATION").count, _has_rivals), (1, True))
