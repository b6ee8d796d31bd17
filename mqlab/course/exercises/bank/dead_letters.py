"""Exercises about dead-letter queues: why a message is there, and what happens to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....engine.words.headers import MQDLH
from ....lab.lab import Lab
from ..exercise import posed, said, typed
from .log_queries import bodies, channel_states, depth, for_good, got, named, rows, sent, state, texts
from .shops import DEAD, Breakdown, alone, delivered, let_pass, reach, run, sends, shop_and_hq

LETTERS = {"STOCK": 3, "PAYROLL": 1, "NOTES": 1}


def _day_load(lab: Lab) -> None:
    """SHOP's clerk puts five letters; then a few minutes pass."""
    clerk = lab["SHOP"].connect("CLERK")
    for name, times in LETTERS.items():
        for number in range(times):
            reach(clerk, name, f"{name} letter {number}, in so many words".encode())
        lab.advance(30)
    lab.advance(120)


def _headers(lab: Lab) -> list:
    """The headers of the messages on HQ's dead-letter queue."""
    return [MQDLH.unpack(body) for body in bodies("HQ", DEAD)(lab)]


def _undelivered(name: str) -> Callable[[Lab], str]:
    """The reasons in the headers of the letters for a name that do not arrive, in words."""

    def reasons(lab: Lab) -> str:
        dead = [each for each in _headers(lab) if each.queue.startswith(name[:5])]
        said = [f"a letter for {each.queue} is on the dead-letter queue, reason {each.reason}" for each in dead]
        return "; ".join(said) or f"{delivered(name).count(lab)} letters arrived on {name}"

    return reasons


_limits = "DEFINE QLOCAL(STOCK) MAXDEPTH(2)\nDEFINE QLOCAL(PAYROLL)\nDEFINE QLOCAL(NOTES) MAXMSGL(20)"
l01 = posed("L01", shop_and_hq(_limits, STOCK="STOCK", PAYROLL="PAYROL", NOTES="NOTES"), _day_load)
for key, queue, reason in (("payroll", "PAYROL", 2085), ("stock", "STOCK", 2053)):
    l01.predict(
        key,
        lambda lab, queue=queue: next(each.reason for each in _headers(lab) if each.queue == queue),
        rows(kind="put", reason=reason).first,
    )
for name, times in LETTERS.items():
    l01.check((delivered(name).count, sent("CLERK").count), (times, 5), _undelivered(name))


def _stuck_load(lab: Lab) -> None:
    """Sales, an advertisement, sales, news, sales, a minute apart; then an hour passes."""
    clerk = lab["SHOP"].connect("CLERK")
    for number, name in enumerate(("SALES", "ADS", "SALES", "NEWS", "SALES")):
        reach(clerk, name, f"{name} {number}".encode())
        lab.advance(60)
    let_pass(lab, 3600)


def _with_header(found: list[bytes]) -> int:
    """The number of messages that have a dead-letter header."""
    return sum(body.startswith(b"DLH ") for body in found)


def _on_any_queue(lab: Lab) -> list[bytes]:
    """The data of all messages at HQ, on any queue."""
    return [body for queue in lab["HQ"].queues for body in bodies("HQ", queue.name)(lab)]


def _kept(lab: Lab) -> list[bytes]:
    """The letters for queues that do not exist, on whichever queue of HQ they are."""
    return [body for body in _on_any_queue(lab) if body.endswith((b"ADS 1", b"NEWS 3"))]


def _no_such_queue(lab: Lab) -> str:
    """Words about HQ's dead-letter queue, if HQ has none of the name that it looks for; else ""."""
    name = lab["HQ"].attributes["DEADQ"]
    found = not name or name in lab["HQ"].targets
    return "" if found else f"; HQ looks for a dead-letter queue {name}, and there is no such queue"


l04 = posed(
    "L04",
    shop_and_hq("DEFINE QLOCAL(SALES)\nALTER QMGR DEADQ(' ')", SALES="SALES", ADS="OLD.ADS", NEWS="OLD.NEWS"),
    _stuck_load,
)
l04.predict(
    "sales",
    delivered("SALES").count,
    channel_states("SHOP", "SHOP.HQ").where(lambda row: row.facts["was"] == "RUNNING").first,
)
l04.predict("waiting", depth("SHOP", "TO.HQ"), sent("CLERK").last)
l04.check(delivered("SALES").count, 3, state("SHOP", "SHOP.HQ"), _no_such_queue)
l04.check(lambda lab: len(_kept(lab)), 2)
l04.check(lambda lab: _with_header(_kept(lab)), 2)


def _stockkeeper(app: Any) -> None:
    """Arrive after ten minutes, then get every letter for STOCK for the rest of the day."""
    app.qmgr.lab.advance(600)
    while True:
        app.get("STOCK", wait=float("inf"))


def _dead_set_up(lab: Lab) -> None:
    """Five letters are sent to HQ, and four of them end up on its dead-letter queue. The stockkeeper arrives later."""
    queues = "DEFINE QLOCAL(STOCK) MAXDEPTH(1)\nDEFINE QLOCAL(ADS) PUT(DISABLED)\nDEFINE QLOCAL(PROBLEMS)"
    shop_and_hq(queues, STOCK="STOCK", PAYROLL="PAYROL", ADS="ADS")(lab)
    lab["HQ"].mqsc("ALTER CHANNEL(SHOP.HQ) CHLTYPE(RCVR) MRRTY(0)")
    clerk = lab["SHOP"].connect("CLERK")
    for name in ("STOCK", "STOCK", "PAYROLL", "ADS", "ADS"):
        reach(clerk, name, f"letter for {name}".encode())
    lab["HQ"].run_program("STOCKKEEPER", _stockkeeper)
    lab.advance(60)


l02 = posed("L02", _dead_set_up)
l02.predict("attempts", rows(kind="handler", rule="DLQ-02").count, rows(kind="handler", rule="DLQ-02").last)
l02.predict("dead", bodies("HQ", DEAD).count, delivered(DEAD).last)
l02.check(delivered("STOCK").count, 2)
l02.check(
    lambda lab: [body[:4] + body[-7:] for body in bodies("HQ", "PROBLEMS")(lab)],
    [b"DLH PAYROLL"],
    bodies("HQ", "PROBLEMS").count,
    lambda lab: _with_header(bodies("HQ", "PROBLEMS")(lab)),
)
l02.check(lambda lab: any(body.endswith(b"ADS") for body in _on_any_queue(lab)), False)
l02.check(bodies("HQ", DEAD).count, 0)


class Press:
    """A press that jams at wet and at torn pages."""

    def print(self, job: Any) -> None:
        """Print a job."""
        if job.body in BAD_JOBS:
            raise Breakdown("the paper jams")


BAD_JOBS = (b"torn page", b"wet page")


def _presses(program: str, times: int, *jobs: bytes) -> Callable[[Lab], None]:
    """Return a load: these jobs, and so many starts of a program, a minute apart, because bad jobs make it die."""

    def load(lab: Lab) -> None:
        for job in jobs:
            lab["QM1"].connect("SHOP").put("JOBS", job, persistent=True)
        for _ in range(times):
            run(lab, "QM1", program, Press(), seconds=60)

    return load


_backouts = rows(kind="backout", program="PRINTER")
_printed = named(for_good(got("PRINTER", "JOBS")), sent("SHOP"), ("flyer", "torn page", "menu"))
"""The jobs whose gets were committed."""

_job_queues = "DEFINE QLOCAL(JOBS.BAD)\nDEFINE QLOCAL(JOBS) BOTHRESH(3) BOQNAME(JOBS.BAD)"
l03 = posed("L03", alone(_job_queues, "L03"), _presses("PRINTER", 8, b"flyer", b"torn page", b"menu"))
l03.predict("moved", depth("QM1", "JOBS.BAD"), _backouts.at(3))
l03.predict("count", lambda lab: lab["QM1"].browse("JOBS").backout_count, _backouts.last)
l03.check((_printed, depth("QM1", "JOBS")), lambda printed, left: {"flyer", "menu"} <= set(printed) and not left)
l03.check(bodies("QM1", "JOBS.BAD"), [b"torn page"], bodies("QM1", "JOBS.BAD").count)
l03.check(_backouts.count, 3)
l03.belief("bothresh-moves", lambda times: times == 8)


CUSTOMERS = (b"the red bicycle", b"the blue bicycle")


def _question_set_up(lab: Lab) -> None:
    """QM1 sends questions to HQ, and HQ sends replies, each over its own triggered channel."""
    for name in ("QM1", "HQ"):
        lab.queue_manager(name).mqsc(f"ALTER QMGR DEADQ({DEAD})").require()
        lab.address(f"{name.lower()}.example(1414)", name)
    lab.link("QM1", "HQ", latency=0.05)
    for here, there in (("QM1", "HQ"), ("HQ", "QM1")):
        trigger = f"TRIGGER TRIGDATA({here}.{there}) INITQ(SYSTEM.CHANNEL.INITQ)"
        sends(lab, here, there, f"{here}.{there}", there, f"{there.lower()}.example(1414)", trigger)
    lab["HQ"].mqsc("DEFINE QLOCAL(QUESTIONS)").require()
    lab["QM1"].mqsc("DEFINE QREMOTE(QUESTIONS) RNAME(QUESTIONS) RQMNAME(HQ) XMITQ(HQ)").require()
    typed(said("L05")["work"])(lab)


def _clerk(app: Any) -> None:
    """Reply to each question after a minute."""
    for question in app.get_each("QUESTIONS", wait=600):
        app.qmgr.lab.advance(60)
        app.reply(question, b"price of " + question.body)


def _question_load(lab: Lab) -> None:
    """Two customers, two minutes apart; then the evening comes."""
    lab["HQ"].run_program("CLERK", _clerk)
    for question in CUSTOMERS:
        run(lab, "QM1", "ASKER", question, seconds=120)
    let_pass(lab, 3600)


def _waiting(lab: Lab) -> list[bytes]:
    """The prices on queues of QM1, except those with a dead-letter header."""
    queues = [queue.name for queue in lab["QM1"].queues if queue.name != DEAD]
    return sorted(body for name in queues for body in bodies("QM1", name)(lab) if body.startswith(b"price"))


def _longest(lab: Lab) -> int:
    """The longest time for which ASKER ran, in seconds."""
    times = [row.time_us for row in rows(kind="program", program="ASKER")(lab)]
    return max((int(b - a) // 1_000_000 for a, b in zip(times[::2], times[1::2], strict=False)), default=0)


l05 = posed("L05", _question_set_up, _question_load)
l05.predict(
    "queues",
    lambda lab: len([queue for queue in lab["QM1"].queues if queue.name.startswith("PRICES.")]),
    rows(kind="close", qmgr="QM1", program="ASKER").first,
)
l05.check(lambda lab: len(_waiting(lab)), 2)
l05.check(bodies("QM1", DEAD).count, 0)
l05.check(_longest, lambda longest: longest <= 30)


_jams = named(rows(kind="restore", program="CONSUMER"), sent("SHOP"), ("torn page", "wet page", "menu"))
"""The jobs that were backed out, by name."""

l06 = posed("L06", alone(_job_queues, "L06"), _presses("CONSUMER", 7, *BAD_JOBS, b"menu"))
l06.predict("torn", lambda lab: _jams(lab).count("torn page"), rows(kind="restore", program="CONSUMER").last)
l06.check((lambda lab: _jams(lab).count("torn page"), lambda lab: _jams(lab).count("wet page")), (3, 3))
l06.check(texts("QM1", "JOBS.BAD"), ["torn page", "wet page"])
l06.check(texts("QM1", "JOBS"), [])
