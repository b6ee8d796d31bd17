"""Exercises about message expiry: which messages expire, what discards them, and which reports are sent."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any

from ....engine.words.constants import MQFB_EXPIRATION
from ....engine.words.errors import MQError
from ....lab.lab import Lab
from ..exercise import posed
from .log_queries import bodies, depth, discarded, done, got, refused, rows, seconds, sent, texts
from .shops import Breakdown, alone, reach, run


def _prices_load(lab: Lab) -> None:
    """A list price that never expires, then two prices a minute for 6 minutes, each valid for 40 seconds."""
    # BROOM is started every minute, when the second price of the minute is still valid
    supplier, reader = lab["QM1"].connect("SUPPLIER"), lab["QM1"].connect("READER")
    supplier.put("PRICES", b"list price")
    for minute in range(6):
        for price, pause in ((b"price a%d", 30), (b"price b%d", 20)):
            reach(supplier, "PRICES", price % minute, persistent=None, expiry=400)
            lab.advance(pause)
        run(lab, "QM1", "BROOM", seconds=10)
    reach(supplier, "PRICES", b"price of the evening", persistent=None, expiry=400)
    for _ in range(lab["QM1"].depth("PRICES")):
        with suppress(MQError):
            reader.get("PRICES")


e01 = posed("E01", alone("DEFINE QLOCAL(PRICES) MAXDEPTH(5)", "E01", level=530), _prices_load)
e01.predict("refused", refused("SUPPLIER", 2053).count, refused("SUPPLIER", 2053).first)
e01.predict("discarded", discarded("PRICES").where(lambda row: row.time_us < 360_000_000).count)
e01.check(
    refused("SUPPLIER", 2053).count, 0, rows(program="BROOM").where(lambda row: row.kind in ("browse", "get")).count
)
e01.belief("expired-do-not-count", lambda failed, calls: failed > 0 and not calls)
e01.check(got("READER").count, 3)
e01.check(
    lambda lab: max((depth for depth in lab.events.column("depth") if depth is not None), default=0),
    lambda depth: depth <= 5,
)
e01.belief("removed-at-deadline", lambda depth: depth > 5)


def _answers_load(lab: Lab) -> None:
    """Four customers ask, a minute or two apart, each with a request that is valid for 50 seconds."""
    # Bob and Dea hang up before the answer arrives. Ten minutes after Dea's answer, the next scan is still to come.
    web = lab["QM1"].connect("WEB")
    for name in ("ann", "bob", "cem", "dea"):
        if name == "dea":
            lab.advance(100)
        request = web.put("REQUESTS", f"{name} asks", expiry=500, reply_to_q="ANSWERS", msg_type=1)
        lab.advance(15)
        run(lab, "QM1", "CLERK", seconds=10)
        if name in ("ann", "cem"):
            with suppress(MQError):
                web.get("ANSWERS", correl_id=request.msg_id)
        lab.advance(35)
    lab.advance(555)


def _too_short_s(lab: Lab) -> float:
    """The seconds that answers live, if the first one had expired before its customer asked for it; else 0."""
    row = sent("CLERK", "ANSWERS").first(lab)
    return row.expiry_left / 10 if row and (row.expiry_left or 100) < 100 else 0


e02 = posed("E02", alone("DEFINE QLOCAL(REQUESTS)\nDEFINE QLOCAL(ANSWERS)", "E02"), _answers_load)
e02.predict("left", depth("QM1", "ANSWERS"), sent("CLERK").at(1))
e02.predict(
    "cleared",
    lambda lab: len([row for row in discarded("ANSWERS")(lab) if row.cause == got("WEB")(lab)[1].seq]),
    got("WEB").at(1),
)
e02.predict("minute", lambda lab: int(seconds(discarded("ANSWERS").first(lab))), discarded("ANSWERS").first)
e02.check(sent("CLERK", "ANSWERS").count, 4)
e02.check(
    got("WEB", "ANSWERS").count,
    2,
    lambda got, lived: (
        f"{got} of the 2 customers who wait got an answer" + (f"; they lived {lived:g} s" if lived else "")
    ),
    _too_short_s,
)
e02.belief("tenths-are-seconds", lambda got, lived: lived > 0)
e02.check(depth("QM1", "ANSWERS"), 0)
e02.belief("reply-keeps-lifetime", lambda left: left > 0)


PUTTERS = (
    ("WHOLESALE", "PRICES", -1),
    ("MARKET", "PRICES", 36000),
    ("FLASH", "PRICES", 200),
    ("MAIL", "PRICES.IN", -1),
)
"""The programs that put a price, the name that each uses, and the expiry time in tenths of a second."""


def _cap_load(lab: Lab) -> None:
    """Each program puts a price; SHOP puts an order to ORDERS."""
    for program, queue, tenths in PUTTERS:
        lab["QM1"].connect(program).put(queue, b"price", expiry=tenths)
    lab["QM1"].connect("SHOP").put("ORDERS", b"order")


def _life(program: str) -> Callable[[Lab], float]:
    """The seconds for which a program's message is valid from its put on, without end if it never expires."""

    def given(lab: Lab) -> float:
        row = sent(program).first(lab)
        return inf if row is None or row.expiry_left is None else row.expiry_left / 10

    return given


def _a_minute(life: float) -> bool:
    """Return True for a minute, or a little less."""
    return 50 <= life <= 60


def _lives(*messages: str) -> Callable[..., str]:
    """Return the symptom of the lives of these messages."""

    def symptom(*lives: float) -> str:
        words = ("forever" if life == inf else f"{life:g} s" for life in lives)
        return ", ".join(f"{message} lives {word}" for message, word in zip(messages, words, strict=True))

    return symptom


_TENTHS = "tenths-are-seconds", lambda life: 1 <= life < 10


e03 = posed(
    "E03", alone("DEFINE QLOCAL(PRICES)\nDEFINE QALIAS(PRICES.IN) TARGET(PRICES)\nDEFINE QLOCAL(ORDERS)"), _cap_load
)
e03.predict("flash", lambda lab: sent("FLASH").first(lab).expiry_left // 10, sent("FLASH").first)
e03.predict("market", lambda lab: sent("MARKET").first(lab).expiry_left // 10, sent("MARKET").first)
e03.check(
    (_life("WHOLESALE"), _life("MARKET")),
    lambda *lives: all(map(_a_minute, lives)),
    _lives("WHOLESALE's message", "MARKET's message"),
)
e03.belief("tenths-are-seconds", lambda *lives: 1 <= min(lives) < 10)
e03.check(_life("MAIL"), _a_minute, _lives("MAIL's message"))
e03.belief(*_TENTHS)
e03.belief("scan-gives-lifetime", lambda life: life == inf)
e03.check(_life("FLASH"), 20, _lives("FLASH's message"))
e03.belief(*_TENTHS)
e03.check(_life("SHOP"), inf, _lives("SHOP's message"))
e03.belief(*_TENTHS)


MINUTES = 30
SYSTEMS = ("ZOS", "NEW", "OLD")


def _scans_set_up(lab: Lab) -> None:
    lab.queue_manager("ZOS", platform="zos")
    lab.queue_manager("NEW")
    lab.queue_manager("OLD", level=530)
    for name in SYSTEMS:
        lab[name].mqsc("DEFINE QLOCAL(PRICES)")


def _scans_load(lab: Lab) -> None:
    """For half an hour, a price a minute on each of the three, valid for 30 seconds. No program reads them."""
    for _ in range(MINUTES):
        for name in SYSTEMS:
            lab[name].connect("SUPPLIER").put("PRICES", b"price", expiry=300)
        lab.advance(60)


_prices = done("put", qmgr="ZOS", program="SUPPLIER")


def _overdue(lab: Lab) -> int:
    """The most seconds that a price can stay on ZOS after it expires: as one did, or as long as from scan to scan."""
    # a price that is still there counts up to now
    gone = {row.message: row.time_us for row in rows(kind="discard", qmgr="ZOS")(lab)}
    ends = [gone.get(row.message, lab.now_us) - row.put_us - 30_000_000 for row in _prices(lab)]
    return max(max(ends, default=0) // 1_000_000, lab["ZOS"].attributes["EXPRYINT"])


e04 = posed("E04", _scans_set_up, _scans_load)
for name in SYSTEMS:
    e04.predict(name.lower(), rows(kind="discard", qmgr=name).count, rows(kind="discard", qmgr=name).first)
# the log contains only the scans that found something, so the check asks for EXPRYINT
e04.check((_prices.count, _overdue), lambda prices, late: prices == MINUTES and late <= 120)
e04.check(
    lambda lab: lab["ZOS"].attributes["EXPRYINT"],
    lambda seconds: seconds == 0 or seconds >= 30,
    lambda seconds: f"ZOS scans {60 / seconds:.3g} times a minute",
)


ORDER = b"1 loaf, " * 40
"""An order: longer than the 100 bytes of data that a report with some data holds."""


def _report_load(lab: Lab) -> None:
    """Two orders, each valid for a minute. BAKER gets the first in time; no program gets the second."""
    run(lab, "QM1", "ORDERER", seconds=30)
    if lab["QM1"].depth("ORDERS"):
        lab["QM1"].connect("BAKER").get("ORDERS")
    lab.advance(30)
    run(lab, "QM1", "ORDERER", seconds=600)


_late = done(("put", "report"), "LATE")

e05 = posed("E05", alone("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(LATE)", "E05"), _report_load)
e05.predict("when", lambda lab: int(seconds(_late(lab)[0])), discarded("ORDERS").first)
e05.predict("reports", _late.count, _late.at(0))
e05.check(
    (got("BAKER").count, discarded("ORDERS").count),
    (1, 1),
    lambda got, expired, refused: (
        f"ORDERER's put fails with {refused[0].reason}"
        if refused
        else f"BAKER got {got}, and {expired} of the orders expired"
    ),
    refused("ORDERER"),
)
e05.check(_life("ORDERER"), 60, _lives("ORDERER's order"))
e05.check(_late.count, 1)
e05.check(bodies("QM1", "LATE"), [ORDER], lambda lab: [f"{len(body)} bytes" for body in bodies("QM1", "LATE")(lab)])
e05.check(lambda lab: [message.feedback for message in lab["QM1"].drain("LATE")], [MQFB_EXPIRATION])


class Oven:
    """An oven: baking takes 15 seconds and puts the result on SHELF. The second time, the oven goes out at the end."""

    def __init__(self, lab: Lab):
        self._lab, self._times = lab, 0

    def bake(self, job: Any) -> None:
        """Bake a job."""
        self._lab.advance(15)
        self._times += 1
        if self._times == 2:
            raise Breakdown("the oven went out")
        self._lab["QM1"].connect("OVEN").put("SHELF", job.body)


def _worker_load(lab: Lab) -> None:
    """Cake and rolls that expire, bread that never does, and a worker for each attempt."""
    shop, oven = lab["QM1"].connect("SHOP"), Oven(lab)
    shop.put("JOBS", b"cake", expiry=600)
    lab.advance(39)
    run(lab, "QM1", "WORKER", oven, seconds=30)
    shop.put("JOBS", b"rolls", expiry=180)
    shop.put("JOBS", b"bread")
    lab.advance(6)
    for _ in range(4):
        run(lab, "QM1", "WORKER", oven, seconds=30)
    lab.advance(900)


def _end(job: str) -> Callable[[Lab], str]:
    """The state that a job has reached, in a word."""
    places = {"SHELF": "baked", "LATE": "late", "JOBS": "not started"}
    return lambda lab: next((said for queue, said in places.items() if job in texts("QM1", queue)(lab)), "nowhere")


e06 = posed("E06", alone("DEFINE QLOCAL(JOBS)\nDEFINE QLOCAL(LATE)\nDEFINE QLOCAL(SHELF)", "E06"), _worker_load)
e06.predict("left", lambda lab: got("WORKER")(lab)[1].expiry_left // 10, got("WORKER").at(1))
e06.predict(
    "again",
    lambda lab: "bread" if got("WORKER")(lab)[2].message == sent("SHOP")(lab)[2].message else "rolls",
    discarded("JOBS").first,
)
e06.check(texts("QM1", "SHELF").ordered, ["bread", "cake"], _end("cake"), _end("bread"), texts("QM1", "SHELF").count)
e06.check(discarded("JOBS").count, 0)
e06.check(texts("QM1", "LATE"), ["rolls"], texts("QM1", "LATE").count, discarded("LATE").count)
