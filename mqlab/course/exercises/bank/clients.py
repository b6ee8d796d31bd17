"""Exercises about programs for IBM's Python library `ibmmq`: descriptors, replies, units of work, and poison messages.

The learner's functions import the library themselves; this module does not. Each runs as an application of QM1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....engine.words import constants as mq
from ....engine.words.errors import MQError
from ....engine.world.event import Event
from ....lab.lab import Lab
from ..exercise import posed
from .log_queries import Rows, got, named, refused, rows, seconds, sent, texts
from .shops import Breakdown, alone, let_pass, run_library

SOLD = {"tea": ("TILL1", 0), "jam": ("TILL2", 0), "rye": ("TILL1", 8), "oil": ("TILL2", 8), "egg": ("TILL1", 0)}
"""The orders of the morning, each with its till and the seconds until the next."""


def _tills(app: Any) -> None:
    """Sell all day; at 20 seconds ORDERS is disabled for gets, at 40 seconds enabled."""
    lab = app.qmgr.lab
    for order, (till, pause) in SOLD.items():
        app.put("ORDERS", order.encode(), correl_id=till.encode())
        lab.advance(pause)
    for gets, until in (("DISABLED", 20), ("ENABLED", 40), ("ENABLED", 45)):
        lab.advance_to(until * 1_000_000)
        app.qmgr.mqsc(f"ALTER QLOCAL(ORDERS) GET({gets})").require()
    app.put("ORDERS", b"ham", correl_id=b"TILL2")


def _day_load(lab: Lab) -> None:
    """The tills sell, and BILLING runs; it is started again at 41 seconds if it has ended by then."""
    lab["QM1"].run_program("TILLS", _tills)
    let_pass(lab, 0)
    run_library(lab, "BILLING", seconds=120)
    if lab.now_us < 41_000_000:
        let_pass(lab, 41 - lab.now_us / 1_000_000)
        run_library(lab, "BILLING", seconds=79)


ORDERS = [*SOLD, "ham"]
_ledger, _left = texts("QM1", "LEDGER"), texts("QM1", "ORDERS")


def _booked(lab: Lab) -> list[str]:
    """The booked orders, in the order of ORDERS."""
    known = [text for text in _ledger(lab) if text != "closed"]
    return sorted(known, key=lambda text: ORDERS.index(text) if text in ORDERS else len(ORDERS))


def ends(program: str) -> Callable[[Lab], list[int]]:
    """The times at which a program ended, in seconds since the start."""
    found = rows(kind="program", program=program).where(lambda row: row.facts["state"] != "started")
    return lambda lab: [int(seconds(row)) for row in found(lab)]


y01 = posed("Y01", alone("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(LEDGER)", "Y01"), _day_load)
y01.predict("booked", lambda lab: len(_booked(lab)), refused("BILLING", 2033).first)
y01.predict("reason", refused("BILLING").value("reason"), refused("BILLING").first)
y01.check(
    _booked,
    ORDERS,
    lambda found, left: f"LEDGER has {_list(found)}" + (f"; {_list(left)} stayed on ORDERS" if left else ""),
    _left,
)
y01.check(
    _ledger,
    lambda found: found.count("closed") == 1 and found[-1] == "closed",
    lambda found: (
        f"the day was closed {found.count('closed')} times; LEDGER has {_list(found)}"
        if found.count("closed") != 1
        else f"orders were booked after the day was closed: {_list(found)}"
    ),
)
y01.check(
    ends("BILLING"),
    lambda ended: bool(ended) and 55 <= ended[-1] <= 60,
    lambda ended: (
        "BILLING never ended"
        if not ended or ended[-1] > 60
        else f"BILLING ended {ended[-1]} seconds after the shop opened, and ham came after 45"
    ),
)


def _list(names: list[str]) -> str:
    return ", ".join(names) or "nothing"


def _web(app: Any) -> None:
    """Ask two questions, the second after the notice of the supplier; the answer is found by the MsgId."""
    for question in (b"tea", b"jam"):
        asked = app.put("QUESTIONS", question, msg_type=mq.MQMT_REQUEST, reply_to_q="ANSWERS")
        _await(app, asked.msg_id)
        app.qmgr.lab.advance(10)


def _phone(app: Any) -> None:
    """Ask one question after 2 seconds; the answer has the CorrelId of the question."""
    app.qmgr.lab.advance(2)
    asked = {"msg_type": mq.MQMT_REQUEST, "reply_to_q": "ANSWERS", "report": mq.MQRO_PASS_CORREL_ID}
    app.put("QUESTIONS", b"rye", correl_id=b"call 7", **asked)
    _await(app, b"call 7")


def _await(app: Any, correl_id: bytes) -> None:
    """Get an answer within 10 seconds; one that does not come is only an event in the log."""
    try:
        app.get("ANSWERS", correl_id=correl_id, wait=10)
    except MQError as error:
        if error.reason != mq.MQRC_NO_MSG_AVAILABLE:
            raise


def _stock_load(lab: Lab) -> None:
    """WEB and PHONE ask, and the supplier puts a notice after 4 seconds."""
    for name, function in (("WEB", _web), ("PHONE", _phone), ("SUPPLIER", _notice)):
        lab["QM1"].run_program(name, function)
    run_library(lab, "STOCK", seconds=120)
    let_pass(lab, 60)


def _notice(app: Any) -> None:
    app.qmgr.lab.advance(4)
    app.put("QUESTIONS", b"we deliver on Monday")


_question = Rows(
    lambda lab: [
        (row, asked)
        for program, asks in (("WEB", ("tea", "jam")), ("PHONE", ("rye",)), ("SUPPLIER", ("the notice",)))
        for row, asked in zip(sent(program, "QUESTIONS")(lab), asks, strict=False)
    ]
)
"""The questions, and the notice: the row of the put, and the word by which a symptom names it."""


def _answers(lab: Lab) -> list[tuple[Event, str]]:
    """The puts of STOCK to ANSWERS, each with the question that STOCK had got last."""
    names = {row.message: asked for row, asked in _question(lab)}
    gets = got("STOCK", "QUESTIONS")(lab)
    asked = [[names.get(row.message, "?") for row in gets if row.seq < put.seq] for put in sent("STOCK")(lab)]
    return [(put, (before or ["?"])[-1]) for put, before in zip(sent("STOCK")(lab), asked, strict=True)]


def _found(program: str) -> Callable[[Lab], list[str]]:
    """The questions whose answers a program got."""

    def found(lab: Lab) -> list[str]:
        about = {put.message: asked for put, asked in _answers(lab)}
        return [about.get(row.message, "?") for row in got(program, "ANSWERS")(lab)]

    return found


def _copied(lab: Lab) -> list[str]:
    """The questions whose answers have the MsgId of a question."""
    ids = {row.msg_id for row, _ in _question(lab)}
    return [asked for put, asked in _answers(lab) if put.msg_id in ids]


y02 = posed("Y02", alone("DEFINE QLOCAL(QUESTIONS)\nDEFINE QLOCAL(ANSWERS)", "Y02"), _stock_load)
y02.predict("found", lambda lab: len(_found("WEB")(lab) + _found("PHONE")(lab)), refused("WEB", 2033).first)
y02.predict("reason", lambda lab: refused("STOCK").last(lab).reason, refused("STOCK").last)
y02.check(_found("WEB"), ["tea", "jam"], texts("QM1", "ANSWERS"))
y02.check(_found("PHONE"), ["rye"], texts("QM1", "ANSWERS"))
y02.check((_copied, lambda lab: sorted(asked for _, asked in _answers(lab))), ([], ["jam", "rye", "tea"]))
y02.check(
    (ends("STOCK"), refused("STOCK").last),
    lambda ended, last: bool(ended) and 40 <= ended[0] <= 50 and last is not None and last.reason == 2033,
    lambda ended, last: (
        f"STOCK ended after {ended[0]} seconds, and its last reason code was {last.reason}"
        if ended and last is not None
        else "STOCK never ended"
    ),
)


def _gets_of(name: str, gets: Rows, puts: Rows, names: tuple[str, ...]) -> Rows:
    """The gets of the messages of one of these names: see `named`."""
    known = named(gets, puts, names)
    return Rows(lambda lab: [row for row, its in zip(gets(lab), known(lab), strict=True) if its == name])


JOBS = ("invoice", "label", "letter")


class Printer:
    """A printer whose paper jams at the first label; a page takes 2 seconds."""

    def __init__(self, lab: Lab):
        self._lab, self._jams = lab, True

    def __call__(self, job: bytes) -> None:
        """Print a job: it is then on PRINTED. Raises Breakdown if the paper jams."""
        self._lab.advance(2)
        if job == b"label" and self._jams:
            self._jams = False
            raise Breakdown("the paper jams")
        self._lab["QM1"].put("PRINTED", job)


def _print_load(lab: Lab) -> None:
    """Three jobs; PRINTING is started twice."""
    for job in JOBS:
        lab["QM1"].connect("OFFICE").put("JOBS", job.encode())
    printer = Printer(lab)
    for _ in range(2):
        run_library(lab, "PRINTING", printer, seconds=60)


_printed = texts("QM1", "PRINTED")


def _fate(program: str, first: Callable[[Lab], Event | None]) -> Callable[[Lab], str]:
    """The fate of the get of a row, in words; "" if it was backed out."""

    def fate(lab: Lab) -> str:
        row = first(lab)
        if row is None:
            return f"{program} never got it"
        if row.uow is None:
            return "its get was outside a unit of work"
        commits = [each for each in rows(kind="commit")(lab) if each.uow == row.uow]
        if not commits:
            return ""
        done = commits[0].time_us
        ended = [row for row in rows(program=program)(lab) if row.seq > commits[0].seq and row.kind != "close"]
        when = f", when {program} ended" if ended and (ended[0].kind, ended[0].time_us) == ("program", done) else ""
        return f"its get was committed {done // 1_000_000} seconds after the start{when}"

    return fate


_first_label = _gets_of("label", got("PRINTING", "JOBS"), sent("OFFICE", "JOBS"), JOBS)

y03 = posed("Y03", alone("DEFINE QLOCAL(JOBS)\nDEFINE QLOCAL(PRINTED)", "Y03"), _print_load)
y03.predict("printed", _printed.count, _first_label.first)
y03.suppose("unit", None, _printed.count, rows(kind="commit").at(1))
y03.check(_printed.ordered, sorted(JOBS))
y03.check(_fate("PRINTING", _first_label.first), "")
y03.check(ends("PRINTING"), lambda ended: ended[:1] == [4])


BOOKS = ("tea", "???", "jam", "rye")


class Book:
    """The database in which orders are booked, each in a second; it cannot read ???, and is busy at the first jam."""

    def __init__(self, lab: Lab):
        self._lab, self._busy = lab, True

    def __call__(self, order: bytes) -> None:
        """Book an order: it is then on BOOKED. Raises ValueError if that fails."""
        self._lab.advance(1)
        if order == b"???" or (order == b"jam" and self._busy):
            self._busy = self._busy and order != b"jam"
            raise ValueError("the order cannot be booked")
        self._lab["QM1"].put("BOOKED", order)


def _operator(app: Any) -> None:
    """Remove the old message from ORDERS.BAD after a minute."""
    app.qmgr.lab.advance(60)
    app.get("ORDERS.BAD", msg_id=b"old")


def _book_load(lab: Lab) -> None:
    """Four orders, and an old message on ORDERS.BAD; BOOKING is started again after a minute if it has ended."""
    shop = lab["QM1"].connect("SHOP")
    shop.put("ORDERS.BAD", b"old", msg_id=b"old")
    for order in BOOKS:
        shop.put("ORDERS", order.encode())
    lab["QM1"].run_program("OPERATOR", _operator)
    book = Book(lab)
    run_library(lab, "BOOKING", book, seconds=120)
    if lab.now_us < 61_000_000:
        let_pass(lab, 61 - lab.now_us / 1_000_000)
        run_library(lab, "BOOKING", book, seconds=59)


_poison = _gets_of("???", got("BOOKING", "ORDERS"), sent("SHOP", "ORDERS"), BOOKS)


def _tries(lab: Lab) -> int:
    """How many times BOOKING got ??? before its first put to ORDERS.BAD."""
    puts = rows(kind="put", program="BOOKING", object="ORDERS.BAD")(lab)
    return len([row for row in _poison(lab) if not puts or row.seq < puts[0].seq])


def _aside(lab: Lab) -> str:
    """What is wrong with the way of ??? to ORDERS.BAD; "" if nothing is."""
    bad, puts = texts("QM1", "ORDERS.BAD")(lab), sent("BOOKING", "ORDERS.BAD")(lab)
    if bad == ["???"]:
        one_unit = puts and puts[-1].uow is not None and puts[-1].uow in {row.uow for row in _poison(lab)}
        return "" if one_unit else "??? was put on ORDERS.BAD outside the unit of work of its get"
    if "???" in bad:
        return f"ORDERS.BAD holds {_list(bad)}"
    if "???" in texts("QM1", "ORDERS")(lab):
        return f"??? is still on ORDERS, after {len(_poison(lab))} gets"
    return f"??? is on no queue: {_fate('BOOKING', _poison.last)(lab) or 'it was removed'}"


y04 = posed(
    "Y04",
    alone("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(ORDERS.BAD) MAXDEPTH(1)\nDEFINE QLOCAL(BOOKED)", "Y04"),
    _book_load,
)
y04.predict("booked", texts("QM1", "BOOKED").count, rows(kind="backout", program="BOOKING").first)
y04.predict("gets", _poison.count, _poison.last)
y04.check(texts("QM1", "BOOKED").ordered, ["jam", "rye", "tea"])
y04.check(_aside, "")
y04.check(
    (rows(kind="put", program="BOOKING", object="ORDERS.BAD").count, _tries),
    lambda puts, tries: puts > 0 and tries == 4,
)
y04.check(
    (ends("BOOKING"), refused("BOOKING", 2053).count), lambda ended, full: bool(ended) and ended[0] < 60 and full == 1
)
