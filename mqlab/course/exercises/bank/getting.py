"""Exercises about gets: the message under the cursor, the reply to a request, a buffer that is too short."""

from __future__ import annotations

from typing import Any

from ....lab.lab import Lab
from ..exercise import given, posed
from .log_queries import Rows, depth, done, got, named, refused, rows, seconds, sent, texts
from .shops import alone, let_pass, run, seconds_alone

PRANK = b"400 pizzas"
ORDERS = ("margherita", "prank", "funghi", "tiramisu")


class Phone:
    """A phone for asking customers whether they mean their orders."""

    def __init__(self, lab: Lab):
        self._lab = lab

    def is_prank(self, order: Any) -> bool:
        """Call the customer, which takes 20 seconds."""
        self._lab.advance(20)
        return order.body == PRANK


def _pizzas_load(lab: Lab) -> None:
    """Three orders; the oven gets two while INSPECTOR is on the phone, and the rest later."""
    counter, oven = lab["QM1"].connect("COUNTER"), lab["QM1"].connect("OVEN")
    for order in (b"margherita", PRANK, b"funghi"):
        counter.put("PIZZAS", order)
    run(lab, "QM1", "INSPECTOR", Phone(lab), seconds=30)
    for _ in range(2):
        oven.get("PIZZAS")
    let_pass(lab, 5)
    counter.put("PIZZAS", b"tiramisu", priority=9)
    let_pass(lab, 85)
    oven.drain("PIZZAS")


_removed = got("INSPECTOR", "PIZZAS")


def _taken(program: str) -> Rows:
    """The orders that a program got, by name."""
    return named(got(program, "PIZZAS"), sent("COUNTER"), ORDERS)


q06 = posed("Q06", alone("DEFINE QLOCAL(PIZZAS)", "Q06"), _pizzas_load)
q06.predict("removed", _taken("INSPECTOR").first, _removed.first)
q06.predict("orders", lambda lab: len(set(_taken("OVEN")(lab)) - {"prank"}), got("OVEN").last)
q06.check(_taken("INSPECTOR"), ["prank"])
q06.check(_taken("OVEN").ordered, ["funghi", "margherita", "tiramisu"])
q06.check(lambda lab: [int(seconds(row)) for row in _removed(lab)], lambda times: bool(times) and times[0] >= 40)


ASKED = (b"how high is the tower", b"how old is the bridge")


def _library(app: Any) -> None:
    """Reply to each question after a second, until none has arrived for a minute."""
    for question in app.get_each("QUESTIONS", wait=60):
        app.qmgr.lab.advance(1)
        app.reply(question, b"answer: " + question.body)


def _questions_load(lab: Lab) -> None:
    """GUEST's question, then those of ASKER; LIBRARY replies to each."""
    lab["QM1"].connect("GUEST").put("QUESTIONS", b"where is the lake", reply_to_q="ANSWERS")
    lab["QM1"].run_program("LIBRARY", _library)
    run(lab, "QM1", "ASKER", ASKED, seconds=120)


_answers = named(got("ASKER", "ANSWERS"), sent("LIBRARY"), ("GUEST's", "the first", "the second"))

q07 = posed("Q07", alone("DEFINE QLOCAL(QUESTIONS)\nDEFINE QLOCAL(ANSWERS)", "Q07"), _questions_load)
q07.predict("left", texts("QM1", "ANSWERS").count, refused("ASKER", 2033).first)
q07.check(
    _answers,
    ["the first", "the second"],
    lambda found, lost: f"ASKER got {', '.join(found) or 'no answer'}" + (", then 2033" if lost else ""),
    refused("ASKER", 2033).count,
)
q07.check(texts("QM1", "ANSWERS"), ["answer: where is the lake"])
q07.check(lambda lab: seconds_alone(lab, "ASKER", lambda _: ASKED, 61), lambda ended: ended <= 60)


class Buffer:
    """The buffer for a program's messages; `length` is in bytes."""

    def __init__(self, lab: Lab):
        self._lab, self.length = lab, 16

    def grow(self, length: int) -> None:
        """Make room for this many bytes, which takes 5 seconds."""
        self._lab.advance(5)
        self.length = length


LENGTHS = (12, 40, 60)


def _post_load(lab: Lab) -> None:
    """A short letter and a long one; two seconds after READER has started, a longer one that is urgent."""
    for length in LENGTHS[:2]:
        lab["QM1"].connect("CLERK").put("POST", b"x" * length)
    run(lab, "QM1", "READER", Buffer(lab), seconds=2)
    lab["QM1"].connect("MAYOR").put("POST", b"x" * LENGTHS[2], priority=9)
    let_pass(lab, 120)


_read = got("READER", "POST")
_whole = named(_read.where(lambda row: "warning" not in row.facts), done("put", "POST"), ("12", "40", "60"))
"""The lengths of the letters that READER got with all of their bytes."""

q08 = posed("Q08", alone("DEFINE QLOCAL(POST)", "Q08"), _post_load)
q08.predict("whole", _whole.count, _read.at(1))
q08.check(_whole.ordered, ["12", "40", "60"], _whole.count)
q08.check(depth("QM1", "POST"), 0)
q08.check(refused("READER", 2080).count, lambda times: times >= 2)
q08.check(
    lambda lab: seconds_alone(lab, "READER", Buffer, 121),
    lambda ended: 30 <= ended <= 120,
    lambda ended: "READER still waits after 120 seconds" if ended > 120 else f"READER ends after {ended} seconds",
)


EVENTS = {"opera": 60, "ballet": 60, "circus": 1200, "jazz": 300}
"""The events in the order of their publication, and the seconds until the next."""


def _booking(app: Any, wait: int) -> None:
    """Reply to requests until none arrives for this many seconds."""
    for request in app.get_each("PURCHASE", wait=wait):
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


r01 = posed("R01", alone(given("R01"), "R01"), _tickets_load)
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
