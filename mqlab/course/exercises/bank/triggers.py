"""Exercises about triggering: why a queue does not, or does no more."""

from __future__ import annotations

from ....views.text import plural
from ..exercise import Check, Exercise, Prediction
from .programs import serve
from .seen import bodies, done, fired, first, starts
from .typed import typed

__all__ = ["EXERCISES"]

MINUTE = 60_000_000


# ---------------------------------------------------------------- T01
_QUEUES = ("WASHERS", "FRIDGES", "OVENS", "RADIOS", "PHONES", "HEATERS")
_GOOD = "TRIGGER TRIGTYPE(FIRST) PROCESS(BENCH) INITQ(SHOP.INITQ)"


def _bench_set_up(lab) -> None:
    qm = lab.queue_manager("QM1")
    qm.mqsc(f"""
        DEFINE QLOCAL(SHOP.INITQ)
        DEFINE QLOCAL(RADIO.INITQ)
        DEFINE PROCESS(BENCH) APPLICID('BENCH')
        DEFINE QLOCAL(HEATERS) {_GOOD}
        DEFINE QLOCAL(WASHERS) {_GOOD.replace("TRIGGER", "NOTRIGGER", 1)}
        DEFINE QLOCAL(FRIDGES) {_GOOD.replace("BENCH", "BENCHES")}
        DEFINE QLOCAL(OVENS) {_GOOD} MSGDLVSQ(FIFO) TRIGMPRI(5)
        DEFINE QLOCAL(RADIOS) {_GOOD.replace("SHOP", "RADIO")}
        DEFINE QLOCAL(PHONES) {_GOOD.replace("FIRST", "NONE")}
        """)
    qm.program("BENCH", serve)


def _bench_load(lab) -> None:
    """One monitor, on SHOP.INITQ; three jobs for each queue, a minute apart, all of them urgent."""
    qm = lab["QM1"]
    qm.trigger_monitor("SHOP.INITQ")
    lab.advance(1)
    counter = qm.connect("COUNTER")
    for number in range(3):
        for queue in _QUEUES:
            counter.put(queue, b"job %d" % number, priority=9)
        lab.advance(60)


def _idle(lab) -> list[str]:
    return [queue for queue in _QUEUES if not fired(lab, queue)]


def _wanted_starts(lab) -> bool:
    return len(starts(lab, "BENCH")) == 3 * len(_QUEUES)


_BENCH_ANSWER = """%%mqsc QM1
DEFINE PROCESS(BENCH) APPLICID('BENCH') REPLACE
ALTER QLOCAL(WASHERS) TRIGGER
ALTER QLOCAL(FRIDGES) PROCESS(BENCH)
ALTER QLOCAL(OVENS) TRIGMPRI(0)
ALTER QLOCAL(RADIOS) INITQ(SHOP.INITQ)
ALTER QLOCAL(PHONES) TRIGTYPE(FIRST)"""


def _bench_defect(lab) -> None:
    """Everything on the queues is made alike, the process too: but an APPLICID must be a name that is known."""
    typed(_BENCH_ANSWER.replace("APPLICID('BENCH')", "APPLICID('Bench')"))(lab)


BENCH = Exercise(
    id="T01",
    title="Five queues that start nobody",
    situation="A repair shop has a queue for each sort of appliance. When a job comes, program BENCH is to be "
    "started, which takes every job on the queue and ends. For HEATERS that works. For the five other queues nobody is "
    "started. One trigger monitor runs, on SHOP.INITQ.",
    task="Every job on each of the six queues is taken by BENCH as soon as it comes. The trigger monitor stays the "
    "only one, and where it is: change definitions.",
    questions=(6,),
    rules=("TRG-04", "TRG-06", "TRG-07", "TRG-08", "TRG-09", "TRG-10", "TRG-14"),
    minutes=15,
    set_up=_bench_set_up,
    load=_bench_load,
    defect=_bench_defect,
    answer=_BENCH_ANSWER,
    solution=typed(_BENCH_ANSWER),
    predictions=(
        Prediction(
            "queues",
            "As it is: for how many of the six queues is a trigger message written?",
            lambda lab: len(_QUEUES) - len(_idle(lab)),
            lambda lab: first(fired(lab, "HEATERS")),
        ),
        Prediction(
            "urgent",
            "OVENS has TRIGMPRI(5) and its jobs are put with priority 9. Does the first one trigger? True or False.",
            lambda lab: bool(fired(lab, "OVENS")),
            lambda lab: first(fired(lab, "OVENS", fires=False)),
        ),
    ),
    checks=(
        Check(
            "a trigger message is written for each queue",
            lambda lab: not _idle(lab),
            lambda lab: f"no trigger message was ever written for {', '.join(_idle(lab))}",
            "TRG-01",
        ),
        Check(
            "every job is taken",
            lambda lab: not any(bodies(lab, "QM1", queue) for queue in _QUEUES),
            lambda lab: "; ".join(
                f"{plural(len(bodies(lab, 'QM1', queue)), 'job waits', 'jobs wait')} on {queue}"
                for queue in _QUEUES
                if bodies(lab, "QM1", queue)
            ),
        ),
        Check(
            "BENCH is started once for each of the 18 jobs",
            _wanted_starts,
            lambda lab: f"BENCH was started {plural(len(starts(lab, 'BENCH')), 'time')}",
        ),
    ),
    hints=(
        "Something is wrong with each of the five, and it is five different things. Look at one queue at a time.",
        'lab["QM1"].why_not_triggered("WASHERS") lists every condition and says which does not hold. For RADIOS, ask '
        "who has its initiation queue open. For another the priorities seem right: what sort of queue is it?",
        "Compare each queue with HEATERS: DISPLAY QLOCAL(*) TRIGGER TRIGTYPE TRIGMPRI PROCESS INITQ MSGDLVSQ DEFPRTY.",
    ),
)


# ---------------------------------------------------------------- T02
def _printer(app, trigger) -> None:
    """Prints what there is, unless the power is off: that is noticed before anything is opened."""
    if app.qmgr.lab.now.hour == 9:
        return
    serve(app, trigger)


def _print_set_up(lab) -> None:
    qm = lab.queue_manager("QM1")
    qm.mqsc("""
        DEFINE QLOCAL(PRINT.INITQ)
        DEFINE PROCESS(PRINTER) APPLICID('PRINTER')
        DEFINE QLOCAL(PRINTS) TRIGGER TRIGTYPE(FIRST) PROCESS(PRINTER) INITQ(PRINT.INITQ)
        """)
    qm.program("PRINTER", _printer)


def _print_load(lab) -> None:
    """From nine to noon eight prints at a time, every ten minutes."""
    qm = lab["QM1"]
    qm.trigger_monitor("PRINT.INITQ")
    lab.advance(1)
    shop = qm.connect("SHOP")
    for number in range(18):
        for copy in range(8):
            shop.put("PRINTS", b"print %d of lot %d" % (copy, number))
        lab.advance(600)


def _longest_wait(lab) -> int:
    """Minutes from ten o'clock until the prints of before ten were taken, 120 where they never were."""
    early = [row for row in done(lab, "put", "PRINTS") if row.time_us < 60 * MINUTE]
    got = {row.message: row.time_us for row in done(lab, "get", "PRINTS")}
    return max((got.get(row.message, 180 * MINUTE) - 60 * MINUTE for row in early), default=120 * MINUTE) // MINUTE


_PRINT_ANSWER = """%%mqsc QM1
ALTER QLOCAL(PRINTS) TRIGTYPE(FIRST)
ALTER QMGR TRIGINT(300000)"""

PRINTER = Exercise(
    id="T02",
    title="It fired once and never again",
    situation="A print shop puts eight prints on a queue every ten minutes from nine to twelve. PRINTER is started "
    "for the first one and takes all there are. Until ten the power was off: PRINTER was started, saw that, and ended "
    "without opening the queue. At noon every print still waits.",
    task="When the power is back, what waits is printed within a quarter of an hour, by itself. PRINTER is slow to "
    "start: in the three hours it is started 30 times at the most. PRINTER stays as it is.",
    questions=(7,),
    rules=("TRG-03", "TRG-11", "TRG-12"),
    minutes=15,
    set_up=_print_set_up,
    load=_print_load,
    defect=lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(PRINTS) TRIGTYPE(EVERY)"),
    answer=_PRINT_ANSWER,
    solution=typed(_PRINT_ANSWER),
    predictions=(
        Prediction(
            "starts",
            "As it is: how often is PRINTER started in the three hours?",
            lambda lab: len(starts(lab, "PRINTER")),
            lambda lab: first(fired(lab, "PRINTS", fires=False)),
        ),
    ),
    checks=(
        Check(
            "every print is taken",
            lambda lab: not bodies(lab, "QM1", "PRINTS"),
            lambda lab: f"{len(bodies(lab, 'QM1', 'PRINTS'))} of 144 prints wait at noon",
        ),
        Check(
            "what waited for the power is printed by a quarter past ten",
            lambda lab: _longest_wait(lab) <= 15,
            lambda lab: f"a print of before ten waited {_longest_wait(lab)} minutes after the power was back",
            "TRG-11",
        ),
        Check(
            "PRINTER is started 30 times at the most",
            lambda lab: 0 < len(starts(lab, "PRINTER")) <= 30,
            lambda lab: f"PRINTER was started {plural(len(starts(lab, 'PRINTER')), 'time')}",
        ),
    ),
    hints=(
        "A trigger of this type looks for one change. Which one was it at nine, and can it happen again while the "
        "prints wait?",
        "A queue that holds messages already may trigger again after some time. That time is an attribute, and not of "
        "the queue.",
        "DISPLAY QMGR TRIGINT: it is in milliseconds, and as it is delivered it is eleven and a half days.",
    ),
)


EXERCISES = (BENCH, PRINTER)
