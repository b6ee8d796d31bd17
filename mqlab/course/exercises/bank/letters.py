"""Exercises about dead letters: why a message is there, and what becomes of it."""

from __future__ import annotations

from typing import Any

from ....lab.lab import Lab
from ....mq.headers import MQDLH
from ..exercise import Check, Exercise, Prediction, counted
from .log_queries import bodies, got, rows, sent, state
from .programs import let_pass, run
from .shops import alone, delivered, reach, road

DEAD = "SYSTEM.DEAD.LETTER.QUEUE"

READ_HEADERS = f"""desk.run(lab)  # let the day happen in this lab

from mqlab.mq.headers import MQDLH

with lab["HQ"].open("{DEAD}", browse=True) as dead:
    print(MQDLH.unpack(dead.browse_next().body))
"""
DAY_SET_UP = """DEFINE QREMOTE(STOCK) RNAME(STOCK) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(PAYROLL) RNAME(PAYROL) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(NOTES) RNAME(NOTES) RQMNAME(HQ) XMITQ(TO.HQ)"""
PUT_RIGHT = """%%mqsc HQ
ALTER QLOCAL(STOCK) MAXDEPTH(100)
ALTER QLOCAL(NOTES) MAXMSGL(1000)
# %%
%%mqsc SHOP
ALTER QREMOTE(PAYROLL) RNAME(PAYROLL)"""
LETTERS = (("STOCK", 3), ("PAYROLL", 1), ("NOTES", 1))
"""The names that SHOP's clerk puts to, and how many letters a day."""


def _day_set_up(lab: Lab) -> None:
    road(lab, "SHOP")
    lab["SHOP"].mqsc(DAY_SET_UP)
    lab["HQ"].mqsc("DEFINE QLOCAL(STOCK) MAXDEPTH(2)\nDEFINE QLOCAL(PAYROLL)\nDEFINE QLOCAL(NOTES) MAXMSGL(20)")


def _day_load(lab: Lab) -> None:
    """SHOP's clerk writes five letters; then a few minutes pass."""
    clerk = lab["SHOP"].connect("CLERK")
    for name, times in LETTERS:
        for number in range(times):
            reach(clerk, name, f"{name} letter {number}, in so many words".encode())
        lab.advance(30)
    lab.advance(120)


def _headers(lab: Lab) -> list:
    """The headers of what stands on HQ's dead-letter queue."""
    return [MQDLH.unpack(body) for body in bodies(lab, "HQ", DEAD)]


def _why(lab: Lab, name: str) -> str:
    """Why a letter that was put to a name is not where it should be."""
    found = [each for each in _headers(lab) if each.queue.startswith(name[:5])]
    said = "; ".join(f"a letter for {each.queue} is on the dead-letter queue, reason {each.reason}" for each in found)
    return said or f"{delivered(name).count(lab)} letters came to {name}"


def _arrived(name: str, times: int, rule: str) -> Check:
    return Check(
        f"{times} of {times} letters for {name} arrive" if times > 1 else f"the letter for {name} arrives",
        lambda lab: delivered(name).count(lab) == times == sent("CLERK").count(lab) - 5 + times,
        lambda lab: _why(lab, name),
        rule,
    )


REASONS = Exercise(
    id="L01",
    title="Three letters, three reasons",
    situation="SHOP's clerk puts five letters a day for HQ: three for STOCK, one for PAYROLL, one for NOTES. Three of "
    "them end on HQ's dead-letter queue, each behind a header, the MQDLH, that says why and where it was going.",
    task="Read the headers, and mend what is wrong at SHOP or at HQ, so that tomorrow all five letters arrive. The "
    "clerk goes on as today, and HQ's queues keep their names.",
    questions=(19,),
    rules=("MQI-30", "CHL-03", "MQI-09", "MQI-10"),
    minutes=15,
    work=READ_HEADERS,
    set_up=_day_set_up,
    load=_day_load,
    defect="%%mqsc HQ\nALTER QLOCAL(STOCK) MAXDEPTH(3)\nDEFINE QALIAS(PAYROL) TARGET(PAYROLLS)",
    answer=PUT_RIGHT,
    predictions=(
        Prediction(
            "payroll",
            "As it is: which reason code does the header of PAYROLL's letter give?",
            lambda lab: next(each.reason for each in _headers(lab) if each.queue == "PAYROL"),
            rows(kind="put", reason=2085).first,
        ),
        Prediction(
            "stock",
            "And that of the third letter for STOCK?",
            lambda lab: next(each.reason for each in _headers(lab) if each.queue == "STOCK"),
            rows(kind="put", reason=2053).first,
        ),
    ),
    checks=tuple(
        _arrived(name, times, rule) for (name, times), rule in zip(LETTERS, ("MQI-09", "CHL-03", "MQI-10"), strict=True)
    ),
    hints=(
        "The header has a reason code and the name of the queue the message was meant for. Is that the name you would "
        "expect?",
        "2085: there is no such queue. 2053: there was no room. 2030: it was too long. Which definition decides each?",
        "Two limits are HQ's; the wrong name is written in SHOP's definition of the remote queue.",
    ),
)


STUCK_SET_UP = """DEFINE QREMOTE(SALES) RNAME(SALES) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(ADS) RNAME(OLD.ADS) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(NEWS) RNAME(OLD.NEWS) RQMNAME(HQ) XMITQ(TO.HQ)"""
GIVE_DEADQ = f"""%%mqsc HQ
ALTER QMGR DEADQ({DEAD})"""


def _stuck_set_up(lab: Lab) -> None:
    road(lab, "SHOP")
    lab["SHOP"].mqsc(STUCK_SET_UP)
    lab["HQ"].mqsc("DEFINE QLOCAL(SALES)\nALTER QMGR DEADQ(' ')")


def _stuck_load(lab: Lab) -> None:
    """Sales, an advertisement, sales, news, sales, a minute apart; then an hour passes."""
    clerk = lab["SHOP"].connect("CLERK")
    for number, name in enumerate(("SALES", "ADS", "SALES", "NEWS", "SALES")):
        reach(clerk, name, f"{name} {number}".encode())
        lab.advance(60)
    let_pass(lab, 3600)


def _kept(lab: Lab) -> list[bytes]:
    """The letters for queues that are not there, as some queue of HQ keeps them."""
    found = [body for queue in lab["HQ"].queues if queue.depth for body in bodies(lab, "HQ", queue.name)]
    return [body for body in found if body.endswith((b"ADS 1", b"NEWS 3"))]


STUCK = Exercise(
    id="L04",
    title="One wrong address, and nothing moves",
    situation="SHOP sends sales to HQ, and now and then an advertisement or some news. Those two queues were deleted "
    "at HQ last month, and SHOP's definitions still lead to them. HQ has no dead-letter queue set. Since the first "
    "advertisement, no sales have come.",
    task="Let the sales arrive, whatever else is sent to a queue that is not there. What is misdirected, this time or "
    "under another name, must be kept at HQ with the reason, for somebody to look at. SHOP stays as it is.",
    questions=(19,),
    rules=("CHL-17", "MQI-30", "CHL-03"),
    minutes=8,
    work="%%mqsc HQ\n* your commands\n",
    set_up=_stuck_set_up,
    load=_stuck_load,
    defect="%%mqsc HQ\nALTER QMGR DEADQ(HQ.DEAD.LETTERS)",
    answer=GIVE_DEADQ,
    predictions=(
        Prediction(
            "sales",
            "As it is: how many of the three messages for SALES arrive?",
            delivered("SALES").count,
            lambda lab: next(
                row
                for row in rows(kind="channel", qmgr="SHOP", object="SHOP.HQ")(lab)
                if '"was":"RUNNING"' in row.detail
            ),
        ),
        Prediction(
            "waiting",
            "And how many messages stand on SHOP's transmission queue in the end?",
            lambda lab: lab["SHOP"].depth("TO.HQ"),
            sent("CLERK").last,
        ),
    ),
    checks=(
        Check(
            "the three messages for SALES arrive",
            lambda lab: delivered("SALES").count(lab) == 3,
            lambda lab: (
                f"{delivered('SALES').count(lab)} of 3 came to SALES; SHOP's channel is {state(lab, 'SHOP', 'SHOP.HQ')}"
            ),
            "CHL-17",
        ),
        counted(
            "the two that are misdirected are kept at HQ",
            lambda lab: len(_kept(lab)),
            2,
            "{} of the 2 are kept at HQ",
            "MQI-30",
        ),
        Check(
            "each with the reason it could not be delivered for",
            lambda lab: len(_kept(lab)) == 2 and all(body.startswith(b"DLH ") for body in _kept(lab)),
            lambda lab: f"{sum(body.startswith(b'DLH ') for body in _kept(lab))} of the 2 tell their reason",
            "MQI-30",
        ),
    ),
    hints=(
        "A channel keeps the order of its messages. What can it do with one that nobody can take, if it may not throw "
        "it away?",
        "What cannot be delivered goes to the dead-letter queue of the receiving queue manager, if that has one.",
        "HQ has a queue for it already, as every queue manager is born with. DISPLAY QMGR DEADQ shows that HQ was "
        "never told to use it.",
    ),
)


NAMES = """DEFINE QREMOTE(STOCK) RNAME(STOCK) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(PAYROLL) RNAME(PAYROL) RQMNAME(HQ) XMITQ(TO.HQ)
DEFINE QREMOTE(ADS) RNAME(ADS) RQMNAME(HQ) XMITQ(TO.HQ)"""
TABLE = '''lab["HQ"].dead_letter_handler("""
RETRYINT(60)
REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(20)
REASON(MQRC_UNKNOWN_OBJECT_NAME) ACTION(FWD) FWDQ(PROBLEMS) HEADER(YES)
DESTQ(ADS) ACTION(DISCARD)
""")
lab.advance(900)'''
WORK = '''lab["HQ"].dead_letter_handler("""
RETRYINT(60)
ACTION(IGNORE)
""")
lab.advance(900)
'''


def _stockkeeper(app: Any) -> None:
    """Comes ten minutes later, and takes what is there, for the rest of the day."""
    app.qmgr.lab.advance(600)
    while True:
        app.get("STOCK", wait=float("inf"))


def _dead_set_up(lab: Lab) -> None:
    """Five letters are sent to HQ; four of them end on its dead-letter queue. The stockkeeper is yet to come."""
    road(lab, "SHOP")
    lab["SHOP"].mqsc(NAMES)
    lab["HQ"].mqsc("DEFINE QLOCAL(STOCK) MAXDEPTH(1)\nDEFINE QLOCAL(ADS) PUT(DISABLED)\nDEFINE QLOCAL(PROBLEMS)")
    lab["HQ"].mqsc("ALTER CHANNEL(SHOP.HQ) CHLTYPE(RCVR) MRRTY(0)")
    clerk = lab["SHOP"].connect("CLERK")
    for name in ("STOCK", "STOCK", "PAYROLL", "ADS", "ADS"):
        reach(clerk, name, f"letter for {name}".encode())
    lab["HQ"].run_program("STOCKKEEPER", _stockkeeper)
    lab.advance(60)


def _left(lab: Lab) -> str:
    count = len(bodies(lab, "HQ", DEAD))
    return f"{count} {'letters are' if count > 1 else 'letter is'} left on the dead-letter queue"


def _problems(lab: Lab) -> str:
    found = bodies(lab, "HQ", "PROBLEMS")
    with_reason = sum(body.startswith(b"DLH ") for body in found)
    return f"{len(found)} letters stand on PROBLEMS, {with_reason} of them with their reason"


HANDLER = Exercise(
    id="L02",
    title="A table for the dead letters",
    situation="Four letters stand on HQ's dead-letter queue: one that found STOCK full, one for a PAYROL that is not "
    "there, and two advertisements, because ADS takes no more puts. The stockkeeper empties STOCK, but comes only ten "
    "minutes after the lab's start.",
    task="Start a dead-letter handler with a rules table, and let a quarter of an hour pass. The letter for STOCK must "
    "be delivered, the one for PAYROL must stand on PROBLEMS with the header that tells its reason, and "
    "advertisements are thrown away. Nothing stays on the dead-letter queue.",
    questions=(19,),
    rules=("DLQ-01", "DLQ-02", "DLQ-03", "DLQ-04", "DLQ-05"),
    minutes=15,
    work=WORK,
    set_up=_dead_set_up,
    defect='lab["HQ"].dead_letter_handler("WAIT(NO)\\nREASON(MQRC_Q_FULL) ACTION(RETRY)")\nlab.advance(5)',
    answer=TABLE,
    predictions=(
        Prediction(
            "attempts",
            "With RETRYINT(60), and as many attempts as it takes: how many are made for the letter for STOCK?",
            rows(kind="handler", rule="DLQ-02").count,
            rows(kind="handler", rule="DLQ-02").last,
            solved=True,
        ),
        Prediction(
            "dead",
            "As it is found: how many messages stand on the dead-letter queue?",
            lambda lab: len(bodies(lab, "HQ", DEAD)),
            delivered(DEAD).last,
        ),
    ),
    checks=(
        counted(
            "both letters for STOCK are delivered",
            delivered("STOCK").count,
            2,
            "{} of the 2 letters for STOCK were delivered",
            "DLQ-02",
        ),
        Check(
            "the letter for PAYROL, and only that, stands on PROBLEMS with its header",
            lambda lab: [body[:4] + body[-7:] for body in bodies(lab, "HQ", "PROBLEMS")] == [b"DLH PAYROLL"],
            _problems,
            "DLQ-03",
        ),
        counted(
            "advertisements are nowhere",
            lambda lab: [b for queue in lab["HQ"].queues for b in bodies(lab, "HQ", queue.name) if b.endswith(b"ADS")],
            [],
            "an advertisement still stands on a queue of HQ",
            "DLQ-04",
        ),
        Check("nothing is left on the dead-letter queue", lambda lab: not bodies(lab, "HQ", DEAD), _left, "DLQ-05"),
    ),
    hints=(
        "The handler goes through the rules from the top, and does what the first one says that matches. Which pattern "
        "tells each of the three kinds apart?",
        "REASON and DESTQ are patterns. Three actions are wanted here: RETRY, FWD with FWDQ, and DISCARD.",
        "An action is attempted once unless RETRY(n) says otherwise, and attempts are RETRYINT seconds apart. How long "
        "is it until the stockkeeper comes?",
    ),
)


class Jam(Exception):
    """What the printer's program dies of."""


class Press:
    """A press that cannot print one of the jobs."""

    def print(self, job: Any) -> None:
        """Print a job."""
        if job.body == b"torn page":
            raise Jam("the paper jams")


PRINTER = """def printer(app, press):
    while app.depth("JOBS"):
        with app.unit_of_work() as unit:
            job = unit.get("JOBS")
            press.print(job)


lab["QM1"].program("PRINTER", printer)
"""
PRINTER_DROPS = """def printer(app, press):
    while app.depth("JOBS"):
        with app.unit_of_work() as unit:
            job = unit.get("JOBS")
            if job.backout_count < 3:
                press.print(job)


lab["QM1"].program("PRINTER", printer)
"""
PRINTER_MOVES = """def printer(app, press):
    with app.open("JOBS", inquire=True) as jobs:
        limits = jobs.inquire("BOTHRESH", "BOQNAME")
    while app.depth("JOBS"):
        with app.unit_of_work() as unit:
            job = unit.get("JOBS")
            if job.backout_count >= limits["BOTHRESH"]:
                unit.put(limits["BOQNAME"], job.body)
            else:
                press.print(job)


lab["QM1"].program("PRINTER", printer)
"""
STARTS = 8


def _poison_load(lab: Lab) -> None:
    """Three jobs; PRINTER is started eight times, a minute apart, for it dies of the second job."""
    shop = lab["QM1"].connect("SHOP")
    for job in (b"flyer", b"torn page", b"menu"):
        shop.put("JOBS", job, persistent=True)
    for _ in range(STARTS):
        run(lab, "QM1", "PRINTER", Press())
        let_pass(lab, 60, dying=(Jam,))


_backouts = rows(kind="backout", program="PRINTER")


def _printed(lab: Lab) -> list[str]:
    """The jobs that were got for good and are on no queue."""
    committed = {row.uow for row in rows(kind="commit")(lab)} | {None}
    names = dict(zip((row.message for row in sent("SHOP")(lab)), ("flyer", "torn page", "menu"), strict=False))
    return [names.get(row.message, "?") for row in got("PRINTER", "JOBS")(lab) if row.uow in committed]


POISON = Exercise(
    id="L03",
    title="BOTHRESH is set, and the job still loops",
    situation="PRINTER gets print jobs in units of work. One job, a torn page, jams the press: the program dies, the "
    "job goes back, the program is started again and dies again. JOBS has BOTHRESH(3) and BOQNAME(JOBS.BAD), and still "
    "the menu behind that job is never printed.",
    task="Change `printer(app, press)` so that a job is tried as often as BOTHRESH of its queue says, then put on "
    "the queue that BOQNAME names, and the others are printed with `press.print(job)`. It may die as often as it does "
    "now.",
    questions=(20,),
    rules=("MQI-08", "TRG-12c", "MQI-19", "MQI-23"),
    minutes=15,
    work=PRINTER,
    set_up=alone("DEFINE QLOCAL(JOBS.BAD)\nDEFINE QLOCAL(JOBS) BOTHRESH(3) BOQNAME(JOBS.BAD)", PRINTER),
    load=_poison_load,
    defect=PRINTER_DROPS,
    answer=PRINTER_MOVES,
    predictions=(
        Prediction(
            "moved",
            f"As it is, with BOTHRESH(3) and after {STARTS} starts: how many jobs has the queue manager moved to "
            "JOBS.BAD?",
            lambda lab: lab["QM1"].depth("JOBS.BAD"),
            lambda lab: _backouts(lab)[3],
        ),
        Prediction(
            "count",
            "And what is the BackoutCount of the torn page by then?",
            lambda lab: lab["QM1"].browse("JOBS").backout_count,
            _backouts.last,
        ),
    ),
    checks=(
        Check(
            "flyer and menu are printed",
            lambda lab: {"flyer", "menu"} <= set(_printed(lab)) and not bodies(lab, "QM1", "JOBS"),
            lambda lab: (
                f"done with: {', '.join(_printed(lab)) or 'nothing'}; still on JOBS: {lab['QM1'].depth('JOBS')}"
            ),
            "MQI-19",
        ),
        counted(
            "the torn page, and only that, stands on JOBS.BAD",
            lambda lab: bodies(lab, "QM1", "JOBS.BAD"),
            [b"torn page"],
            lambda n: f"{len(n)} jobs stand on JOBS.BAD",
            "TRG-12c",
        ),
        counted("it was tried three times", _backouts.count, 3, "PRINTER was backed out {} times", "MQI-08"),
    ),
    hints=(
        "Who reads BOTHRESH? A backout puts the message back and counts, and that is all a queue manager does.",
        "Each message tells how often it was backed out: `job.backout_count`. A handle opened with inquire=True tells "
        "the attributes of its queue.",
        "Before printing, compare the two; what has been tried often enough is put on the other queue, in the unit of "
        "work of the get.",
    ),
)

EXERCISES = (REASONS, HANDLER, POISON, STUCK)
