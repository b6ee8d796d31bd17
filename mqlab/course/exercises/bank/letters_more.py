"""Exercises about what somebody must do himself: a handler's rules table, and the message that kills its reader."""

from __future__ import annotations

from ..exercise import Check, Exercise, Prediction
from .happening import bodies, got, let_pass, run, sent
from .shops import delivered, reach, road
from .typed import typed

__all__ = ["EXERCISES"]

DEAD = "SYSTEM.DEAD.LETTER.QUEUE"
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


def _stockkeeper(app) -> None:
    """Comes ten minutes later, and takes what is there, for the rest of the day."""
    app.qmgr.lab.advance(600)
    while True:
        app.get("STOCK", wait=float("inf"))


def _dead_set_up(lab) -> None:
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


def _left(lab) -> str:
    count = len(bodies(lab, "HQ", DEAD))
    return f"{count} {'letters are' if count > 1 else 'letter is'} left on the dead-letter queue"


def _problems(lab) -> str:
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
    defect=typed('lab["HQ"].dead_letter_handler("WAIT(NO)\\nREASON(MQRC_Q_FULL) ACTION(RETRY)")\nlab.advance(5)'),
    solution=typed(TABLE),
    answer=TABLE,
    predictions=(
        Prediction(
            "attempts",
            "With RETRYINT(60), and as many attempts as it takes: how many are made for the letter for STOCK?",
            lambda lab: len(lab.events.where(kind="handler", rule="DLQ-02")),
            lambda lab: lab.events.where(kind="handler", rule="DLQ-02")[-1],
            solved=True,
        ),
        Prediction(
            "dead",
            "As it is found: how many messages stand on the dead-letter queue?",
            lambda lab: len(bodies(lab, "HQ", DEAD)),
            lambda lab: delivered(lab, DEAD)[-1],
        ),
    ),
    checks=(
        Check(
            "both letters for STOCK are delivered",
            lambda lab: len(delivered(lab, "STOCK")) == 2,
            lambda lab: f"{len(delivered(lab, 'STOCK'))} of the 2 letters for STOCK were delivered",
            "DLQ-02",
        ),
        Check(
            "the letter for PAYROL, and only that, stands on PROBLEMS with its header",
            lambda lab: [body[:4] + body[-7:] for body in bodies(lab, "HQ", "PROBLEMS")] == [b"DLH PAYROLL"],
            _problems,
            "DLQ-03",
        ),
        Check(
            "advertisements are nowhere",
            lambda lab: (
                not [b for queue in lab["HQ"].queues for b in bodies(lab, "HQ", queue.name) if b.endswith(b"ADS")]
            ),
            lambda lab: "an advertisement still stands on a queue of HQ",
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

    def print(self, job) -> None:
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


def _poison_set_up(lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(JOBS.BAD)\nDEFINE QLOCAL(JOBS) BOTHRESH(3) BOQNAME(JOBS.BAD)")
    typed(PRINTER)(lab)


def _poison_load(lab) -> None:
    """Three jobs; PRINTER is started eight times, a minute apart, for it dies of the second job."""
    shop = lab["QM1"].connect("SHOP")
    for job in (b"flyer", b"torn page", b"menu"):
        shop.put("JOBS", job, persistent=True)
    for _ in range(STARTS):
        run(lab, "QM1", "PRINTER", Press())
        let_pass(lab, 60, dying=(Jam,))


def _backouts(lab) -> list:
    return lab.events.where(kind="backout", program="PRINTER")


def _printed(lab) -> list[str]:
    """The jobs that were got for good and are on no queue."""
    committed = {row.uow for row in lab.events.where(kind="commit")} | {None}
    names = dict(zip((row.message for row in sent(lab, "SHOP")), ("flyer", "torn page", "menu"), strict=False))
    return [names.get(row.message, "?") for row in got(lab, "PRINTER", "JOBS") if row.uow in committed]


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
    set_up=_poison_set_up,
    load=_poison_load,
    defect=typed(PRINTER_DROPS),
    solution=typed(PRINTER_MOVES),
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
            lambda lab: _backouts(lab)[-1],
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
        Check(
            "the torn page, and only that, stands on JOBS.BAD",
            lambda lab: bodies(lab, "QM1", "JOBS.BAD") == [b"torn page"],
            lambda lab: f"{len(bodies(lab, 'QM1', 'JOBS.BAD'))} jobs stand on JOBS.BAD",
            "TRG-12c",
        ),
        Check(
            "it was tried three times",
            lambda lab: len(_backouts(lab)) == 3,
            lambda lab: f"PRINTER was backed out {len(_backouts(lab))} times",
            "MQI-08",
        ),
    ),
    hints=(
        "Who reads BOTHRESH? A backout puts the message back and counts, and that is all a queue manager does.",
        "Each message tells how often it was backed out: `job.backout_count`. A handle opened with inquire=True tells "
        "the attributes of its queue.",
        "Before printing, compare the two; what has been tried often enough is put on the other queue, in the unit of "
        "work of the get.",
    ),
)

EXERCISES = (HANDLER, POISON)
