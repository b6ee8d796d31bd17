"""Exercises about dead-letter queues: why a message is there, and what happens to it."""

from __future__ import annotations

from typing import Any

from ....engine.words.headers import MQDLH
from ....lab.lab import Lab
from ..exercise import Check, Exercise, Prediction, said, typed
from .log_queries import bodies, channel_states, depth, for_good, got, named, rows, sent, state, texts, told
from .programs import Breakdown, let_pass, run
from .shops import DEAD, alone, delivered, reach, sends, shop_and_hq


def _day_load(lab: Lab) -> None:
    """SHOP's clerk puts five letters; then a few minutes pass."""
    clerk = lab["SHOP"].connect("CLERK")
    for name, times in {"STOCK": 3, "PAYROLL": 1, "NOTES": 1}.items():
        for number in range(times):
            reach(clerk, name, f"{name} letter {number}, in so many words".encode())
        lab.advance(30)
    lab.advance(120)


def _headers(lab: Lab) -> list:
    """The headers of the messages on HQ's dead-letter queue."""
    return [MQDLH.unpack(body) for body in bodies("HQ", DEAD)(lab)]


def _arrive(name: str, times: int, rule: str) -> Check:
    """Return a check that the letters for a name arrive."""
    # its symptom lists the reasons in the headers of those that do not

    def reasons(lab: Lab) -> str:
        dead = [each for each in _headers(lab) if each.queue.startswith(name[:5])]
        said = [f"a letter for {each.queue} is on the dead-letter queue, reason {each.reason}" for each in dead]
        return "; ".join(said) or f"{delivered(name).count(lab)} letters arrived on {name}"

    says = f"{times} of {times} letters for {name} arrive" if times > 1 else f"the letter for {name} arrives"
    return Check(says, rule).asks((delivered(name).count, sent("CLERK").count), (times, 5), "{2}", reasons)


REASONS = Exercise(
    **said("L01"),
    set_up=shop_and_hq(
        "DEFINE QLOCAL(STOCK) MAXDEPTH(2)\nDEFINE QLOCAL(PAYROLL)\nDEFINE QLOCAL(NOTES) MAXMSGL(20)",
        STOCK="STOCK",
        PAYROLL="PAYROL",
        NOTES="NOTES",
    ),
    load=_day_load,
    predictions=(
        Prediction(
            "payroll", "Before you change anything, which reason code is in the header of PAYROLL's letter?"
        ).asks(
            lambda lab: next(each.reason for each in _headers(lab) if each.queue == "PAYROL"),
            rows(kind="put", reason=2085).first,
        ),
        Prediction("stock", "And which is in the header of the third letter for STOCK?").asks(
            lambda lab: next(each.reason for each in _headers(lab) if each.queue == "STOCK"),
            rows(kind="put", reason=2053).first,
        ),
    ),
    checks=(_arrive("STOCK", 3, "MQI-09"), _arrive("PAYROLL", 1, "CHL-03"), _arrive("NOTES", 1, "MQI-10")),
)


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


STUCK = Exercise(
    **said("L04"),
    set_up=shop_and_hq("DEFINE QLOCAL(SALES)\nALTER QMGR DEADQ(' ')", SALES="SALES", ADS="OLD.ADS", NEWS="OLD.NEWS"),
    load=_stuck_load,
    predictions=(
        Prediction("sales", "Before you change anything, how many of the three messages for SALES arrive?").asks(
            delivered("SALES").count,
            channel_states("SHOP", "SHOP.HQ").where(lambda row: told(row)["was"] == "RUNNING").first,
        ),
        Prediction("waiting", "And how many messages are on SHOP's transmission queue in the end?").asks(
            depth("SHOP", "TO.HQ"), sent("CLERK").last
        ),
    ),
    checks=(
        Check("the three messages for SALES arrive", "CHL-17").asks(
            delivered("SALES").count, 3, "{} of 3 arrived on SALES; SHOP's channel is {}", state("SHOP", "SHOP.HQ")
        ),
        Check("the two undeliverable messages are kept at HQ", "MQI-30").asks(
            lambda lab: len(_kept(lab)), 2, "{} of the 2 undeliverable messages are kept at HQ"
        ),
        Check("each has a header with the reason", "MQI-30").asks(
            lambda lab: _with_header(_kept(lab)), 2, "{} of the 2 undeliverable messages have a header with the reason"
        ),
    ),
)


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


HANDLER = Exercise(
    **said("L02"),
    set_up=_dead_set_up,
    predictions=(
        Prediction(
            "attempts",
            "With RETRYINT(60) and no limit on attempts, how many attempts does the letter for STOCK need?",
            solved=True,
        ).asks(rows(kind="handler", rule="DLQ-02").count, rows(kind="handler", rule="DLQ-02").last),
        Prediction("dead", "Before you change anything, how many messages are on the dead-letter queue?").asks(
            bodies("HQ", DEAD).count, delivered(DEAD).last
        ),
    ),
    checks=(
        Check("both letters for STOCK are delivered", "DLQ-02").asks(
            delivered("STOCK").count, 2, "{} of the 2 letters for STOCK were delivered"
        ),
        Check("the letter for PAYROL, and nothing else, is on PROBLEMS with its header", "DLQ-03").asks(
            lambda lab: [body[:4] + body[-7:] for body in bodies("HQ", "PROBLEMS")(lab)],
            [b"DLH PAYROLL"],
            "{1:letter is|letters are} on PROBLEMS, {2} of them with a header",
            bodies("HQ", "PROBLEMS").count,
            lambda lab: _with_header(bodies("HQ", "PROBLEMS")(lab)),
        ),
        Check("no advertisement is on any queue", "DLQ-04").asks(
            lambda lab: any(body.endswith(b"ADS") for body in _on_any_queue(lab)),
            False,
            "an advertisement is still on a queue of HQ",
        ),
        Check("nothing is left on the dead-letter queue", "DLQ-05").asks(
            bodies("HQ", DEAD).count, 0, "{:letter is|letters are} left on the dead-letter queue"
        ),
    ),
)


class Press:
    """A press that cannot print one of the jobs."""

    def print(self, job: Any) -> None:
        """Print a job."""
        if job.body == b"torn page":
            raise Breakdown("the paper jams")


STARTS = 8


def _poison_load(lab: Lab) -> None:
    """Three jobs. PRINTER is started eight times, a minute apart, because the second job makes it die."""
    shop = lab["QM1"].connect("SHOP")
    for job in (b"flyer", b"torn page", b"menu"):
        shop.put("JOBS", job, persistent=True)
    for _ in range(STARTS):
        run(lab, "QM1", "PRINTER", Press(), seconds=60)


_backouts = rows(kind="backout", program="PRINTER")
_printed = named(for_good(got("PRINTER", "JOBS")), sent("SHOP"), ("flyer", "torn page", "menu"))
"""The jobs whose gets were committed."""

POISON = Exercise(
    **said("L03"),
    set_up=alone("DEFINE QLOCAL(JOBS.BAD)\nDEFINE QLOCAL(JOBS) BOTHRESH(3) BOQNAME(JOBS.BAD)", said("L03")["work"]),
    load=_poison_load,
    predictions=(
        Prediction(
            "moved",
            f"Before you change anything, with BOTHRESH(3) and {STARTS} starts, how many jobs does the queue manager "
            "move to JOBS.BAD?",
        ).asks(depth("QM1", "JOBS.BAD"), _backouts.at(3)),
        Prediction("count", "And what is the BackoutCount of the torn page then?").asks(
            lambda lab: lab["QM1"].browse("JOBS").backout_count, _backouts.last
        ),
    ),
    checks=(
        Check("the flyer and the menu are printed", "MQI-19").asks(
            (_printed, depth("QM1", "JOBS")),
            lambda printed, left: {"flyer", "menu"} <= set(printed) and not left,
            "removed from JOBS: {:nothing}; still on JOBS: {}",
        ),
        Check("the torn page, and nothing else, is on JOBS.BAD", "TRG-12c").asks(
            bodies("QM1", "JOBS.BAD"),
            [b"torn page"],
            "{1:job is|jobs are} on JOBS.BAD",
            bodies("QM1", "JOBS.BAD").count,
        ),
        Check("the torn page is tried three times", "MQI-08").asks(
            _backouts.count, 3, "PRINTER was backed out {:time}"
        ),
    ),
)


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


TEMPORARY = Exercise(
    **said("L05"),
    set_up=_question_set_up,
    load=_question_load,
    predictions=(
        Prediction(
            "queues", "Before you change anything, how many queues named PRICES.* does QM1 have in the evening?"
        ).asks(
            lambda lab: len([queue for queue in lab["QM1"].queues if queue.name.startswith("PRICES.")]),
            rows(kind="close", qmgr="QM1", program="ASKER").first,
        ),
    ),
    checks=(
        Check("both prices are on a queue of QM1 in the evening", "MQI-24").asks(
            lambda lab: len(_waiting(lab)), 2, "{} of 2 prices are on a queue of QM1"
        ),
        Check("the dead-letter queue of QM1 is empty", "MQI-30").asks(
            bodies("QM1", DEAD).count, 0, "{:reply is|replies are} on the dead-letter queue"
        ),
        Check("ASKER runs for 30 seconds at most").asks(
            _longest, lambda longest: longest <= 30, "ASKER ran for {} seconds"
        ),
    ),
)


class WornPress:
    """A press that jams at wet and at torn pages."""

    def print(self, job: Any) -> None:
        """Print a job."""
        if job.body in BAD_JOBS:
            raise Breakdown("the paper jams")


BAD_JOBS = (b"torn page", b"wet page")


def _jams_load(lab: Lab) -> None:
    """Three jobs; CONSUMER is started seven times, a minute apart."""
    for job in (*BAD_JOBS, b"menu"):
        lab["QM1"].connect("SHOP").put("JOBS", job, persistent=True)
    for _ in range(7):
        run(lab, "QM1", "CONSUMER", WornPress(), seconds=60)


_jams = named(rows(kind="restore", program="CONSUMER"), sent("SHOP"), ("torn page", "wet page", "menu"))
"""The jobs that were backed out, by name."""

TOO_LATE = Exercise(
    **said("L06"),
    set_up=alone("DEFINE QLOCAL(JOBS.BAD)\nDEFINE QLOCAL(JOBS) BOTHRESH(3) BOQNAME(JOBS.BAD)", said("L06")["work"]),
    load=_jams_load,
    predictions=(
        Prediction("torn", "Before you change anything, how many times is the torn page backed out?").asks(
            lambda lab: _jams(lab).count("torn page"), rows(kind="restore", program="CONSUMER").last
        ),
    ),
    checks=(
        Check("each of the two bad jobs is backed out three times", "MQI-08").asks(
            lambda lab: tuple(map(_jams(lab).count, ("torn page", "wet page"))),
            lambda times: times == (3, 3),
            lambda times: f"the torn page was backed out {times[0]} times, the wet page {times[1]} times",
        ),
        Check("JOBS.BAD holds each of the two once", "MQI-07").asks(
            texts("QM1", "JOBS.BAD"), ["torn page", "wet page"], "JOBS.BAD holds {:nothing}"
        ),
        Check("the menu is printed").asks(texts("QM1", "JOBS"), [], "JOBS still holds {}"),
    ),
)

EXERCISES = (REASONS, HANDLER, POISON, STUCK, TEMPORARY, TOO_LATE)
