"""Exercises about dead letters: why a message is there, and what becomes of it."""

from __future__ import annotations

from typing import Any

from ....lab.lab import Lab
from ....mq.headers import MQDLH
from ..exercise import Check, Exercise, Prediction
from .log_queries import bodies, channel_states, depth, for_good, got, named, rows, sent, state, told
from .programs import as_program, let_pass, run
from .shops import alone, delivered, reach, shop_and_hq

DEAD = "SYSTEM.DEAD.LETTER.QUEUE"

READ_HEADERS = f"""desk.run(lab)  # let the day happen in this lab

from mqlab.mq.headers import MQDLH

with lab["HQ"].open("{DEAD}", browse=True) as dead:
    print(MQDLH.unpack(dead.browse_next().body))
"""
PUT_RIGHT = """%%mqsc HQ
ALTER QLOCAL(STOCK) MAXDEPTH(100)
ALTER QLOCAL(NOTES) MAXMSGL(1000)
# %%
%%mqsc SHOP
ALTER QREMOTE(PAYROLL) RNAME(PAYROLL)"""


def _day_load(lab: Lab) -> None:
    """SHOP's clerk writes five letters; then a few minutes pass."""
    clerk = lab["SHOP"].connect("CLERK")
    for name, times in {"STOCK": 3, "PAYROLL": 1, "NOTES": 1}.items():
        for number in range(times):
            reach(clerk, name, f"{name} letter {number}, in so many words".encode())
        lab.advance(30)
    lab.advance(120)


def _headers(lab: Lab) -> list:
    """The headers of what stands on HQ's dead-letter queue."""
    return [MQDLH.unpack(body) for body in bodies("HQ", DEAD)(lab)]


def _arrive(name: str, times: int, rule: str) -> Check:
    """The letters for a name arrive; its symptom tells the reasons that the dead-letter queue has for those that do
    not."""

    def reasons(lab: Lab) -> str:
        dead = [each for each in _headers(lab) if each.queue.startswith(name[:5])]
        said = [f"a letter for {each.queue} is on the dead-letter queue, reason {each.reason}" for each in dead]
        return "; ".join(said) or f"{delivered(name).count(lab)} letters came to {name}"

    says = f"{times} of {times} letters for {name} arrive" if times > 1 else f"the letter for {name} arrives"
    return Check(says, rule).asks((delivered(name).count, sent("CLERK").count), (times, 5), "{2}", reasons)


REASONS = Exercise(
    id="L01",
    title="Three letters, three reasons",
    situation="SHOP's clerk puts five letters a day for HQ: three for STOCK, one for PAYROLL, one for NOTES. Three of "
    "them end on HQ's dead-letter queue, each behind a header, the MQDLH, that says why and where it was going.",
    task="Read the headers, and correct what is wrong at SHOP or at HQ, so that tomorrow all five letters arrive. The "
    "clerk goes on as today, and HQ's queues keep their names.",
    questions=(19,),
    rules=("MQI-30", "CHL-03", "MQI-09", "MQI-10"),
    minutes=15,
    work=READ_HEADERS,
    set_up=shop_and_hq(
        "DEFINE QLOCAL(STOCK) MAXDEPTH(2)\nDEFINE QLOCAL(PAYROLL)\nDEFINE QLOCAL(NOTES) MAXMSGL(20)",
        STOCK="STOCK",
        PAYROLL="PAYROL",
        NOTES="NOTES",
    ),
    load=_day_load,
    defect="%%mqsc HQ\nALTER QLOCAL(STOCK) MAXDEPTH(3)\nDEFINE QALIAS(PAYROL) TARGET(PAYROLLS)",
    answer=PUT_RIGHT,
    predictions=(
        Prediction("payroll", "As it is: which reason code does the header of PAYROLL's letter give?").asks(
            lambda lab: next(each.reason for each in _headers(lab) if each.queue == "PAYROL"),
            rows(kind="put", reason=2085).first,
        ),
        Prediction("stock", "And that of the third letter for STOCK?").asks(
            lambda lab: next(each.reason for each in _headers(lab) if each.queue == "STOCK"),
            rows(kind="put", reason=2053).first,
        ),
    ),
    checks=(_arrive("STOCK", 3, "MQI-09"), _arrive("PAYROLL", 1, "CHL-03"), _arrive("NOTES", 1, "MQI-10")),
    hints=(
        "The header has a reason code and the name of the queue the message was meant for. Is that the name you would "
        "expect?",
        "2085: there is no such queue. 2053: there was no room. 2030: it was too long. Which definition decides each?",
        "Two limits are HQ's; the wrong name is written in SHOP's definition of the remote queue.",
    ),
)


def _stuck_load(lab: Lab) -> None:
    """Sales, an advertisement, sales, news, sales, a minute apart; then an hour passes."""
    clerk = lab["SHOP"].connect("CLERK")
    for number, name in enumerate(("SALES", "ADS", "SALES", "NEWS", "SALES")):
        reach(clerk, name, f"{name} {number}".encode())
        lab.advance(60)
    let_pass(lab, 3600)


def _with_header(found: list[bytes]) -> int:
    """How many messages have a dead-letter header."""
    return sum(body.startswith(b"DLH ") for body in found)


def _on_any_queue(lab: Lab) -> list[bytes]:
    """The data of all messages of HQ, whichever their queue."""
    return [body for queue in lab["HQ"].queues for body in bodies("HQ", queue.name)(lab)]


def _kept(lab: Lab) -> list[bytes]:
    """The letters for queues that are not there, as some queue of HQ keeps them."""
    return [body for body in _on_any_queue(lab) if body.endswith((b"ADS 1", b"NEWS 3"))]


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
    set_up=shop_and_hq("DEFINE QLOCAL(SALES)\nALTER QMGR DEADQ(' ')", SALES="SALES", ADS="OLD.ADS", NEWS="OLD.NEWS"),
    load=_stuck_load,
    defect="%%mqsc HQ\nALTER QMGR DEADQ(HQ.DEAD.LETTERS)",
    answer=f"%%mqsc HQ\nALTER QMGR DEADQ({DEAD})",
    predictions=(
        Prediction("sales", "As it is: how many of the three messages for SALES arrive?").asks(
            delivered("SALES").count,
            channel_states("SHOP", "SHOP.HQ").where(lambda row: told(row)["was"] == "RUNNING").first,
        ),
        Prediction("waiting", "And how many messages stand on SHOP's transmission queue in the end?").asks(
            depth("SHOP", "TO.HQ"), sent("CLERK").last
        ),
    ),
    checks=(
        Check("the three messages for SALES arrive", "CHL-17").asks(
            delivered("SALES").count, 3, "{} of 3 came to SALES; SHOP's channel is {}", state("SHOP", "SHOP.HQ")
        ),
        Check("the two that are misdirected are kept at HQ", "MQI-30").asks(
            lambda lab: len(_kept(lab)), 2, "{} of the 2 are kept at HQ"
        ),
        Check("each with the reason it could not be delivered for", "MQI-30").asks(
            lambda lab: _with_header(_kept(lab)), 2, "{} of the 2 tell their reason"
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
    queues = "DEFINE QLOCAL(STOCK) MAXDEPTH(1)\nDEFINE QLOCAL(ADS) PUT(DISABLED)\nDEFINE QLOCAL(PROBLEMS)"
    shop_and_hq(queues, STOCK="STOCK", PAYROLL="PAYROL", ADS="ADS")(lab)
    lab["HQ"].mqsc("ALTER CHANNEL(SHOP.HQ) CHLTYPE(RCVR) MRRTY(0)")
    clerk = lab["SHOP"].connect("CLERK")
    for name in ("STOCK", "STOCK", "PAYROLL", "ADS", "ADS"):
        reach(clerk, name, f"letter for {name}".encode())
    lab["HQ"].run_program("STOCKKEEPER", _stockkeeper)
    lab.advance(60)


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
            solved=True,
        ).asks(rows(kind="handler", rule="DLQ-02").count, rows(kind="handler", rule="DLQ-02").last),
        Prediction("dead", "As it is found: how many messages stand on the dead-letter queue?").asks(
            bodies("HQ", DEAD).count, delivered(DEAD).last
        ),
    ),
    checks=(
        Check("both letters for STOCK are delivered", "DLQ-02").asks(
            delivered("STOCK").count, 2, "{} of the 2 letters for STOCK were delivered"
        ),
        Check("the letter for PAYROL, and only that, stands on PROBLEMS with its header", "DLQ-03").asks(
            lambda lab: [body[:4] + body[-7:] for body in bodies("HQ", "PROBLEMS")(lab)],
            [b"DLH PAYROLL"],
            "{1} letters stand on PROBLEMS, {2} of them with their reason",
            bodies("HQ", "PROBLEMS").count,
            lambda lab: _with_header(bodies("HQ", "PROBLEMS")(lab)),
        ),
        Check("advertisements are nowhere", "DLQ-04").asks(
            lambda lab: any(body.endswith(b"ADS") for body in _on_any_queue(lab)),
            False,
            "an advertisement still stands on a queue of HQ",
        ),
        Check("nothing is left on the dead-letter queue", "DLQ-05").asks(
            bodies("HQ", DEAD).count, 0, "{:letter is|letters are} left on the dead-letter queue"
        ),
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


PRINTER = as_program("""def printer(app, press):
    while app.depth("JOBS"):
        with app.unit_of_work() as unit:
            job = unit.get("JOBS")
            press.print(job)""")
PRINTER_DROPS = as_program("""def printer(app, press):
    while app.depth("JOBS"):
        with app.unit_of_work() as unit:
            job = unit.get("JOBS")
            if job.backout_count < 3:
                press.print(job)""")
PRINTER_MOVES = as_program("""def printer(app, press):
    with app.open("JOBS", inquire=True) as jobs:
        limits = jobs.inquire("BOTHRESH", "BOQNAME")
    while app.depth("JOBS"):
        with app.unit_of_work() as unit:
            job = unit.get("JOBS")
            if job.backout_count >= limits["BOTHRESH"]:
                unit.put(limits["BOQNAME"], job.body)
            else:
                press.print(job)""")
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
_printed = named(for_good(got("PRINTER", "JOBS")), sent("SHOP"), ("flyer", "torn page", "menu"))
"""The jobs that were got for good and are on no queue."""

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
        ).asks(depth("QM1", "JOBS.BAD"), _backouts.at(3)),
        Prediction("count", "And what is the BackoutCount of the torn page by then?").asks(
            lambda lab: lab["QM1"].browse("JOBS").backout_count, _backouts.last
        ),
    ),
    checks=(
        Check("flyer and menu are printed", "MQI-19").asks(
            (_printed, depth("QM1", "JOBS")),
            lambda printed, left: {"flyer", "menu"} <= set(printed) and not left,
            "done with: {:nothing}; still on JOBS: {}",
        ),
        Check("the torn page, and only that, stands on JOBS.BAD", "TRG-12c").asks(
            bodies("QM1", "JOBS.BAD"), [b"torn page"], "{1} jobs stand on JOBS.BAD", bodies("QM1", "JOBS.BAD").count
        ),
        Check("it was tried three times", "MQI-08").asks(_backouts.count, 3, "PRINTER was backed out {} times"),
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
