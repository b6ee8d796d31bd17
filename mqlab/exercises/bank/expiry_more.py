"""Exercises about lifetimes: scans, reports, and work that takes longer than the message lives."""

from __future__ import annotations

from ...constants import MQFB_EXPIRATION
from ..exercise import Check, Exercise, Prediction
from .happening import bodies, got, let_pass, lost, run, seconds, sent
from .typed import typed

__all__ = ["EXERCISES"]

MINUTES = 30
SYSTEMS = ("ZOS", "NEW", "OLD")


def _scans_set_up(lab) -> None:
    lab.queue_manager("ZOS", platform="zos")
    lab.queue_manager("NEW")
    lab.queue_manager("OLD", level=530)
    for name in SYSTEMS:
        lab[name].mqsc("DEFINE QLOCAL(PRICES)")


def _scans_load(lab) -> None:
    """For half an hour a price a minute on each of the three, good for 30 s, and nobody reads."""
    for _ in range(MINUTES):
        for name in SYSTEMS:
            lab[name].connect("SUPPLIER").put("PRICES", b"price", expiry=300)
        lab.advance(60)


def _removed(lab, qmgr: str) -> list:
    return lab.events.where(kind="discard", qmgr=qmgr)


def _every(lab) -> int:
    """The seconds between two looks of ZOS, 0 for none; the log tells only of those that found something."""
    return lab["ZOS"].attributes["EXPRYINT"]


def _overdue(lab) -> int:
    """The most seconds that a price on ZOS stayed after its lifetime was over, those still there included."""
    gone = {row.message: row.time_us for row in _removed(lab, "ZOS")}
    ends = [
        gone.get(row.message, lab.now_us) - row.put_us - 30_000_000
        for row in sent(lab, "SUPPLIER")
        if row.qmgr == "ZOS"
    ]
    return max(ends, default=0) // 1_000_000


SCAN_EVERY_MINUTE = """%%mqsc ZOS
ALTER QMGR EXPRYINT(60)"""

SCANS = Exercise(
    id="E04",
    title="Three queue managers, three habits",
    situation="The same prices go to three queue managers: ZOS on z/OS, NEW on Linux at a current level, and OLD on "
    "Linux at level 530. Each gets a price a minute, good for 30 s. Nobody reads. On ZOS, where storage is dear, "
    "lapsed prices pile up.",
    task="Make ZOS remove every lapsed price within two minutes by itself, and not look more often than twice a "
    "minute. The other two stay as they are.",
    questions=(12,),
    rules=("EXP-33", "MQI-20", "EXP-02"),
    minutes=8,
    work="%%mqsc ZOS\n* your commands\n",
    set_up=_scans_set_up,
    load=_scans_load,
    defect=lambda lab: lab["ZOS"].mqsc("ALTER QMGR EXPRYINT(600)"),
    solution=typed(SCAN_EVERY_MINUTE),
    answer=SCAN_EVERY_MINUTE,
    predictions=tuple(
        Prediction(
            name.lower(),
            f"As it is: how many of the {MINUTES} prices has {name} removed after half an hour?",
            lambda lab, name=name: len(_removed(lab, name)),
            lambda lab, name=name: next(iter(_removed(lab, name)), None),
        )
        for name in SYSTEMS
    ),
    checks=(
        Check(
            "ZOS removes each price within two minutes of its end",
            lambda lab: _overdue(lab) <= 120,
            lambda lab: f"a price stayed {_overdue(lab)} s longer than it was good",
            "EXP-33",
        ),
        Check(
            "ZOS looks at most twice a minute",
            lambda lab: _every(lab) == 0 or _every(lab) >= 30,
            lambda lab: f"ZOS looks {60 / _every(lab):g} times a minute",
            "EXP-33",
        ),
    ),
    hints=(
        "Nobody reads, so no call meets the lapsed prices. On z/OS the queue manager can be told to look for them.",
        "It is an attribute of the queue manager, an interval in seconds; 0, which it is now, means never.",
        "DISPLAY QMGR EXPRYINT. A price may stay as long as one interval after its end: choose it between the two "
        "limits of the task.",
    ),
)


ORDERER = """def orderer(app, trigger):
    app.put("ORDERS", b"40 loaves", expiry=600)


lab["QM1"].program("ORDERER", orderer)
"""
ORDERER_ASKS = """from mqlab.constants import MQRO_EXPIRATION_WITH_FULL_DATA


def orderer(app, trigger):
    app.put("ORDERS", b"40 loaves", expiry=600, report=MQRO_EXPIRATION_WITH_FULL_DATA, reply_to_q="LATE")


lab["QM1"].program("ORDERER", orderer)
"""


def _report_set_up(lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(LATE)")
    typed(ORDERER)(lab)


def _report_load(lab) -> None:
    """Two orders, each good for a minute; BAKER gets the first in time, and nobody the second."""
    run(lab, "QM1", "ORDERER")
    let_pass(lab, 30)
    if lab["QM1"].depth("ORDERS"):
        lab["QM1"].connect("BAKER").get("ORDERS")
    lab.advance(30)
    run(lab, "QM1", "ORDERER")
    let_pass(lab, 600)


def _late(lab) -> list:
    """The rows of what came to stand on LATE."""
    return [row for row in lab.events.where(kind=("put", "report"), object="LATE") if row.message is not None]


def _feedbacks(lab) -> list[int]:
    """The Feedback of what stands on LATE."""
    found = []
    while lab["QM1"].depth("LATE"):
        found.append(lab["QM1"].get("LATE").feedback)
    return found


REPORT = Exercise(
    id="E05",
    title="Nobody said that the order had lapsed",
    situation="ORDERER puts orders for bread, good for a minute: later the baker cannot use them. BAKER gets the first "
    "in time. The second lapses, is removed some minutes after, and nobody ever hears of it.",
    task="Change `orderer(app, trigger)` so that an order that lapses is told of on the queue LATE, with all of its "
    "data: the shop wants to order again. An order that is got is not to be told of. Orders stay good for a minute.",
    questions=(15,),
    rules=("EXP-13", "EXP-18"),
    minutes=12,
    work=ORDERER,
    set_up=_report_set_up,
    load=_report_load,
    defect=typed(ORDERER_ASKS.replace("_WITH_FULL_DATA", "")),
    solution=typed(ORDERER_ASKS),
    answer=ORDERER_ASKS,
    predictions=(
        Prediction(
            "when",
            "The second order is put 60 s after the lab's start. When it works, how many seconds after the start does "
            "the report come?",
            lambda lab: int(seconds(_late(lab)[0])),
            lambda lab: lost(lab, "ORDERS")[0],
            solved=True,
        ),
        Prediction(
            "reports",
            "And how many reports are there for the two orders?",
            lambda lab: len(_late(lab)),
            lambda lab: _late(lab)[0],
            solved=True,
        ),
    ),
    checks=(
        Check(
            "BAKER gets the first order in time, the second lapses",
            lambda lab: len(got(lab, "BAKER")) == 1 == len(lost(lab, "ORDERS")),
            lambda lab: f"BAKER got {len(got(lab, 'BAKER'))}, and {len(lost(lab, 'ORDERS'))} of the orders lapsed",
        ),
        Check(
            "one message comes to LATE, for the order that lapsed",
            lambda lab: len(_late(lab)) == 1,
            lambda lab: f"{len(_late(lab))} messages came to LATE",
            "EXP-13",
        ),
        Check(
            "it holds the whole order",
            lambda lab: bodies(lab, "QM1", "LATE") == [b"40 loaves"],
            lambda lab: f"the data on LATE is {bodies(lab, 'QM1', 'LATE') or 'nothing'}",
            "EXP-13",
        ),
        Check(
            "its feedback says that a lifetime is over",
            lambda lab: _feedbacks(lab) == [MQFB_EXPIRATION],
            lambda lab: "what stands on LATE is no report of a lapse",
            "EXP-18",
        ),
    ),
    hints=(
        "A lapsed message is removed without a word, unless its putter asked for a word.",
        "A report has to be asked for, and it needs a queue to go to. Both are said at the put: `report` and "
        "`reply_to_q`.",
        "mqlab.constants has three report options that begin with MQRO_EXPIRATION: with no data, with some, with all.",
    ),
)


WORKER = """def worker(app, oven):
    with app.unit_of_work() as unit:
        job = unit.get("JOBS")
        oven.bake(job)


lab["QM1"].program("WORKER", worker)
"""
WORKER_LOOKS = """def worker(app, oven):
    with app.unit_of_work() as unit:
        job = unit.get("JOBS")
        if 0 < job.expiry < 200:
            unit.put("LATE", job.body)
        else:
            oven.bake(job)


lab["QM1"].program("WORKER", worker)
"""
WORKER_FORWARDS = WORKER_LOOKS.replace('unit.put("LATE", job.body)', 'app.forward(job, "LATE", unit=unit)')


class OvenFailed(Exception):
    """What a worker dies of when the oven goes out."""


class Oven:
    """An oven: baking takes 15 s, and it goes out in the end where `fails`."""

    def __init__(self, lab, fails: bool):
        self._lab, self._fails = lab, fails

    def bake(self, job) -> None:
        """Bake what the job says."""
        self._lab.advance(15)
        if self._fails:
            raise OvenFailed("the oven went out")


def _worker_set_up(lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(JOBS)\nDEFINE QLOCAL(LATE)")
    typed(WORKER)(lab)


def _worker_load(lab) -> None:
    """A cake good for 10 minutes, rolls good for 18 s, bread without end; in its second run the oven goes out."""
    shop = lab["QM1"].connect("SHOP")
    shop.put("JOBS", b"cake", expiry=6000)
    lab.advance(20)
    run(lab, "QM1", "WORKER", Oven(lab, fails=False))
    let_pass(lab, 30)
    shop.put("JOBS", b"rolls", expiry=180)
    shop.put("JOBS", b"bread")
    lab.advance(6)
    for turn in range(4):
        run(lab, "QM1", "WORKER", Oven(lab, fails=turn == 0))
        let_pass(lab, 30, dying=(OvenFailed,))
    lab.advance(900)


def _ended(lab) -> dict:
    """What became of each job: "done", "late", "lapsed" or "open"."""
    jobs = dict(zip((row.message for row in sent(lab, "SHOP")), ("cake", "rolls", "bread"), strict=False))
    lapsed = {row.message for row in lost(lab, "JOBS")}
    committed = {row.uow for row in lab.events.where(kind="commit")}
    taken = {row.message for row in got(lab, "WORKER") if row.uow in committed or row.uow is None}
    late = [body.decode() for body in bodies(lab, "QM1", "LATE")]
    return {
        name: "late" if name in late else "lapsed" if number in lapsed else "done" if number in taken else "open"
        for number, name in jobs.items()
    }


def _end(lab, name: str) -> str:
    return _ended(lab).get(name, "never put")


SHORT = Exercise(
    id="E06",
    title="Gone between two attempts",
    situation="WORKER gets a job in a unit of work and bakes it, which takes 15 s. Once the oven goes out: the unit of "
    "work is backed out, to be tried again. The rolls had 12 s left when they were got. They are never seen again, and "
    "the customer stands in the shop.",
    task="Change `worker(app, oven)`: a job that has less than 20 s left when it is got is not begun, but moved to "
    "LATE, where somebody will look for it tomorrow. Every other job is baked, with `oven.bake(job)`, and none may be "
    "lost if the oven goes out.",
    questions=(14,),
    rules=("EXP-20", "EXP-07", "MQI-08"),
    minutes=15,
    work=WORKER,
    set_up=_worker_set_up,
    load=_worker_load,
    defect=typed(WORKER_FORWARDS),
    solution=typed(WORKER_LOOKS),
    answer=WORKER_LOOKS,
    predictions=(
        Prediction(
            "left",
            "How many seconds have the rolls left when WORKER gets them?",
            lambda lab: got(lab, "WORKER")[1].expiry_left // 10,
            lambda lab: got(lab, "WORKER")[1],
        ),
        Prediction(
            "again",
            "As it is: which job does WORKER get after the rolls were backed out, rolls or bread?",
            lambda lab: "bread" if got(lab, "WORKER")[2].message == sent(lab, "SHOP")[2].message else "rolls",
            lambda lab: lost(lab, "JOBS")[0],
        ),
    ),
    checks=(
        Check(
            "cake and bread are baked",
            lambda lab: (_end(lab, "cake"), _end(lab, "bread")) == ("done", "done"),
            lambda lab: f"the cake is {_end(lab, 'cake')}, the bread is {_end(lab, 'bread')}",
            "MQI-08",
        ),
        Check(
            "no job lapses on JOBS",
            lambda lab: not lost(lab, "JOBS"),
            lambda lab: f"{len(lost(lab, 'JOBS'))} of the jobs lapsed on JOBS",
            "EXP-20",
        ),
        Check(
            "the rolls stand on LATE a quarter of an hour later",
            lambda lab: bodies(lab, "QM1", "LATE") == [b"rolls"],
            lambda lab: f"{len(bodies(lab, 'QM1', 'LATE'))} jobs stand on LATE, {len(lost(lab, 'LATE'))} lapsed there",
            "EXP-07",
        ),
    ),
    hints=(
        "A message that was got goes on ageing while the program works. What does a backout bring back, if meanwhile "
        "its time is over?",
        "The message says at the get what it has left: `job.expiry`, in tenths of a second, -1 for ever.",
        "Move it in the same unit of work, and mind the lifetime of what you put on LATE: tomorrow is further away "
        "than the rolls have left.",
    ),
)

EXERCISES = (SCANS, REPORT, SHORT)
