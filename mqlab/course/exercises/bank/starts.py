"""Exercises about triggering: how often a program is started, and for which messages."""

from __future__ import annotations

from itertools import islice

from ....views.text import plural
from ..exercise import Check, Exercise, Prediction
from .programs import serve, serve_up_to
from .seen import bodies, done, fired, first, starts, taken_by_starts
from .typed import typed

__all__ = ["EXERCISES"]

SECOND = 1_000_000


# ---------------------------------------------------------------- T03
def _answer_one(app, trigger) -> None:
    """Answers one call, which takes a minute."""
    with app.open(trigger.queue, input="shared") as queue:
        for _ in islice(queue.get_each(), 1):
            app.qmgr.lab.advance(60)


def _types_set_up(lab) -> None:
    qm = lab.queue_manager("QM1")
    qm.mqsc("""
        DEFINE QLOCAL(BAKERY.INITQ)
        DEFINE PROCESS(CLERK) APPLICID('CLERK')
        DEFINE PROCESS(POSTMAN) APPLICID('POSTMAN')
        DEFINE PROCESS(OVEN) APPLICID('OVEN')
        DEFINE QLOCAL(CALLS) TRIGGER TRIGTYPE(FIRST) PROCESS(CLERK) INITQ(BAKERY.INITQ)
        DEFINE QLOCAL(LETTERS) TRIGGER TRIGTYPE(EVERY) PROCESS(POSTMAN) INITQ(BAKERY.INITQ)
        DEFINE QLOCAL(LOAVES) TRIGGER TRIGTYPE(FIRST) PROCESS(OVEN) INITQ(BAKERY.INITQ)
        """)
    for name, function in (("CLERK", _answer_one), ("POSTMAN", serve), ("OVEN", serve_up_to(12))):
        qm.program(name, function)


def _types_load(lab) -> None:
    """Two rushes an hour apart: five calls, ten letters, and loaves one after the other, 29 in all."""
    qm = lab["QM1"]
    qm.trigger_monitor("BAKERY.INITQ")
    lab.advance(1)
    shop = qm.connect("SHOP")
    for _ in range(2):
        for number in range(5):
            shop.put("CALLS", b"call %d" % number)
        for number in range(10):
            shop.put("LETTERS", b"letter %d" % number)
        lab.advance(3600)
    for number in range(29):
        shop.put("LOAVES", b"loaf %d" % number)
        lab.advance(60)


def _slowest_call(lab) -> int:
    """Seconds that a call waited at the most, an hour where one was never taken or put."""
    got = {row.message: row.time_us for row in done(lab, "get", "CALLS")}
    hour = 3600 * SECOND
    waits = [got.get(row.message, row.time_us + hour) - row.time_us for row in done(lab, "put", "CALLS")]
    return max(waits, default=hour) // SECOND


def _trays(lab) -> list[int]:
    return taken_by_starts(lab, "OVEN", "LOAVES")


_TYPES_ANSWER = """%%mqsc QM1
ALTER QLOCAL(CALLS) TRIGTYPE(EVERY)
ALTER QLOCAL(LETTERS) TRIGTYPE(FIRST)
ALTER QLOCAL(LOAVES) TRIGTYPE(DEPTH) TRIGDPTH(12)"""

TYPES = Exercise(
    id="T03",
    title="FIRST, EVERY or DEPTH",
    situation="A bakery has three queues. CLERK answers one call in a minute and ends; there are enough clerks. "
    "POSTMAN takes all the letters there are. OVEN takes twelve loaves and turns triggering on again. Ten postmen come "
    "for ten letters, callers wait for minutes, and the oven bakes single loaves.",
    task="No caller waits longer than ten seconds; one postman is enough for a rush of letters; each start of OVEN "
    "bakes a full tray of twelve. The programs stay as they are.",
    questions=(8,),
    rules=("TRG-03", "TRG-04", "TRG-12"),
    minutes=15,
    set_up=_types_set_up,
    load=_types_load,
    defect=lambda lab: lab["QM1"].mqsc("""
        ALTER QLOCAL(CALLS) TRIGTYPE(EVERY)
        ALTER QLOCAL(LETTERS) TRIGTYPE(FIRST)
        ALTER QLOCAL(LOAVES) TRIGTYPE(EVERY) TRIGDPTH(12)
        """),
    answer=_TYPES_ANSWER,
    solution=typed(_TYPES_ANSWER),
    predictions=(
        Prediction(
            "postmen",
            "As it is: how often is POSTMAN started for the 20 letters?",
            lambda lab: len(starts(lab, "POSTMAN")),
            lambda lab: fired(lab, "LETTERS")[1],
        ),
        Prediction(
            "caller",
            "As it is: the fifth caller of a rush waits how many seconds?",
            _slowest_call,
            lambda lab: first(fired(lab, "CALLS", fires=False)),
        ),
    ),
    checks=(
        Check(
            "no caller waits longer than ten seconds",
            lambda lab: _slowest_call(lab) <= 10,
            lambda lab: f"a caller waited {_slowest_call(lab)} seconds",
            "TRG-04",
        ),
        Check(
            "one postman a rush, and no letter left",
            lambda lab: len(starts(lab, "POSTMAN")) == 2 and not bodies(lab, "QM1", "LETTERS"),
            lambda lab: (
                f"POSTMAN was started {plural(len(starts(lab, 'POSTMAN')), 'time')}, "
                f"letters that wait: {len(bodies(lab, 'QM1', 'LETTERS'))}"
            ),
            "TRG-03",
        ),
        Check(
            "OVEN bakes two trays of twelve and five loaves wait",
            lambda lab: _trays(lab) == [12, 12] and len(bodies(lab, "QM1", "LOAVES")) == 5,
            lambda lab: (
                f"OVEN was started {plural(len(starts(lab, 'OVEN')), 'time')}, with "
                f"{plural(max(_trays(lab), default=0), 'loaf', 'loaves')} at the most; "
                f"{plural(len(bodies(lab, 'QM1', 'LOAVES')), 'loaf waits', 'loaves wait')}"
            ),
            "TRG-03",
        ),
    ),
    hints=(
        "Ask of each program: how many messages does it take before it ends, and may two of it run at once?",
        "One type starts a program for each message, one when a queue is no longer empty, one when there are enough.",
        "FIRST is for a program that empties the queue, EVERY for one that takes a single message, DEPTH for one that "
        "needs a number of them, and that number is an attribute too.",
    ),
)


# ---------------------------------------------------------------- T04
def crush(app, trigger) -> None:
    """Takes ten crates, or what there is, and ends: as it was delivered."""
    with app.open(trigger.queue, input="shared") as queue:
        list(islice(queue.get_each(), 10))


def _crush_set_up(lab) -> None:
    qm = lab.queue_manager("QM1")
    qm.mqsc("""
        DEFINE QLOCAL(YARD.INITQ)
        DEFINE PROCESS(CRUSHER) APPLICID('CRUSHER')
        DEFINE QLOCAL(CRATES) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(10) PROCESS(CRUSHER) INITQ(YARD.INITQ)
        """)
    qm.program("CRUSHER", crush)


def _crush_load(lab) -> None:
    """A crate a minute, 34 in all."""
    qm = lab["QM1"]
    qm.trigger_monitor("YARD.INITQ")
    lab.advance(1)
    gate = qm.connect("GATE")
    for number in range(34):
        gate.put("CRATES", b"crate %d" % number)
        lab.advance(60)


def _crushed(lab) -> list[int]:
    return taken_by_starts(lab, "CRUSHER", "CRATES")


def _listed(numbers: list[int]) -> str:
    """The first few of some numbers, in words."""
    return ", ".join([*map(str, numbers[:5]), *(["..."] if len(numbers) > 5 else [])]) or "nothing"


_CRUSH_BODY = """from mqlab import MQError

def crusher(app, trigger):
    with app.open(trigger.queue, input="shared"{more}) as queue:
        for _ in range(10):
            try:
                queue.get()
            except MQError as refused:
                if refused.reason != 2033:
                    raise
                break
{end}
lab["QM1"].program("CRUSHER", crusher)"""
_CRUSH_ANSWER = _CRUSH_BODY.format(more=", set=True", end="        queue.set(TRIGGER=True)\n")
# somebody thought that naming the depth again would do
_CRUSH_DEFECT = _CRUSH_BODY.format(more=", set=True", end="        queue.set(TRIGDPTH=10)\n")

CRUSHER = Exercise(
    id="T04",
    title="DEPTH worked once",
    situation="A recycling yard crushes crates ten at a time: when ten are there, CRUSHER is started, takes ten and "
    "ends. Crates come once a minute. The first ten were crushed; the next two dozen stand in the yard.",
    task="CRUSHER is started for every ten crates, by itself and for ever, and takes ten each time. Change the "
    "program; the queue keeps its attributes.",
    questions=(9,),
    rules=("TRG-03", "TRG-13"),
    minutes=15,
    set_up=_crush_set_up,
    load=_crush_load,
    work=_CRUSH_BODY.format(more="", end="        # what is missing here?\n"),
    defect=typed(_CRUSH_DEFECT),
    answer=_CRUSH_ANSWER,
    solution=typed(_CRUSH_ANSWER),
    predictions=(
        Prediction(
            "starts",
            "As it is: how often is CRUSHER started for 34 crates?",
            lambda lab: len(starts(lab, "CRUSHER")),
            lambda lab: first(lab.events.where(kind="alter", object="CRATES", rule="TRG-03")),
        ),
    ),
    checks=(
        Check(
            "CRUSHER takes ten crates each time it is started",
            lambda lab: set(_crushed(lab)) == {10},
            lambda lab: f"the starts of CRUSHER took {_listed(_crushed(lab))}",
        ),
        Check(
            "it is started three times, and four crates wait",
            lambda lab: len(_crushed(lab)) == 3 and len(bodies(lab, "QM1", "CRATES")) == 4,
            lambda lab: (
                f"CRUSHER was started {plural(len(_crushed(lab)), 'time')}, "
                f"{plural(len(bodies(lab, 'QM1', 'CRATES')), 'crate waits', 'crates wait')}"
            ),
            "TRG-03",
        ),
        Check(
            "it could be started again",
            lambda lab: "TRG-09" not in lab["QM1"].why_not_triggered("CRATES").missing,
            lambda lab: "after the last start the queue does not trigger any more",
            "TRG-09",
        ),
    ),
    hints=(
        "Compare the queue before and after the first start: something that the queue manager itself has changed.",
        'lab["QM1"].why_not_triggered("CRATES") after desk.run(lab) says which condition is gone. A program can set it '
        "back.",
        "An open with set=True allows .set(...) on the queue; do it when the crates are taken.",
    ),
)


# ---------------------------------------------------------------- T05
_NIGHT, _URGENT = "TRIGGER TRIGTYPE(FIRST) PROCESS(DRIVER) INITQ(FLORIST.INITQ)", ("wreath", "bouquet")


def _florist_set_up(lab) -> None:
    qm = lab.queue_manager("QM1")
    qm.mqsc(f"""
        DEFINE QLOCAL(FLORIST.INITQ)
        DEFINE PROCESS(DRIVER) APPLICID('DRIVER')
        DEFINE QLOCAL(DELIVERIES) MSGDLVSQ(FIFO) {_NIGHT}
        """)
    qm.program("DRIVER", serve)


def _florist_load(lab) -> None:
    """An order every half hour from nine on; those of eleven and one o'clock are for today."""
    qm = lab["QM1"]
    qm.trigger_monitor("FLORIST.INITQ")
    lab.advance(1)
    shop = qm.connect("SHOP")
    for number in range(10):
        what, priority = {4: ("wreath", 8), 8: ("bouquet", 7)}.get(number, (f"plant {number}", number % 4))
        shop.put("DELIVERIES", what.encode(), priority=priority)
        lab.advance(1800)


def _drives(lab) -> list[list[int]]:
    """The priorities of what each start of DRIVER took, in order."""
    begun = [row.seq for row in starts(lab, "DRIVER")]
    ends = [*begun[1:], len(lab.events)]
    gets = done(lab, "get", "DELIVERIES")
    return [[row.priority for row in gets if a < row.seq < b] for a, b in zip(begun, ends, strict=False)]


_FLORIST_ANSWER = """%%mqsc QM1
ALTER QLOCAL(DELIVERIES) MSGDLVSQ(PRIORITY) TRIGMPRI(7)"""

FLORIST = Exercise(
    id="T05",
    title="Only what is urgent starts the driver",
    situation="A florist puts an order on DELIVERIES every half hour. Orders for today have priority 7 or more, the "
    "others 0 to 3. DRIVER is started for every order and takes everything that is there. Fuel is dear.",
    task="DRIVER is started when an order for today comes and for no other, and takes that one first and what has "
    "gathered with it. The shop puts its orders as before.",
    rules=("TRG-02", "TRG-14", "MQI-01"),
    minutes=10,
    set_up=_florist_set_up,
    load=_florist_load,
    defect=lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(DELIVERIES) TRIGMPRI(7)"),
    answer=_FLORIST_ANSWER,
    solution=typed(_FLORIST_ANSWER),
    predictions=(
        Prediction(
            "drives",
            "As it is: how often does DRIVER start for ten orders, two of them for today?",
            lambda lab: len(_drives(lab)),
            lambda lab: first(fired(lab, "DELIVERIES")),
        ),
        Prediction(
            "waiting",
            "When it works: how many orders does the second drive take?",
            lambda lab: len(_drives(lab)[1]),
            lambda lab: fired(lab, "DELIVERIES")[1],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "DRIVER starts twice",
            lambda lab: len(_drives(lab)) == 2,
            lambda lab: f"DRIVER was started {plural(len(_drives(lab)), 'time')}",
            "TRG-02",
        ),
        Check(
            "each drive begins with the order for today",
            lambda lab: bool(_drives(lab)) and all(drive and drive[0] >= 7 for drive in _drives(lab)),
            lambda lab: (
                "the first order taken by a drive has priority "
                + ", ".join(str(drive[0]) for drive in _drives(lab) if drive)
                if any(_drives(lab))
                else "no order was taken"
            ),
            "MQI-01",
        ),
        Check(
            "one plant waits at the end",
            lambda lab: len(bodies(lab, "QM1", "DELIVERIES")) == 1,
            lambda lab: f"{plural(len(bodies(lab, 'QM1', 'DELIVERIES')), 'order waits', 'orders wait')} at the end",
        ),
    ),
    hints=(
        "There is an attribute that says from which priority on a message counts for triggering. Is it enough?",
        "A queue has one of two orders. In one of them the priority that a message was put with means nothing, not "
        "even for triggering.",
        "Two attributes of DELIVERIES: the order of delivery, and the threshold. DISPLAY QLOCAL(DELIVERIES) ALL has "
        "them.",
    ),
)

EXERCISES = (TYPES, CRUSHER, FLORIST)
