"""Exercises about lifetimes: scans, reports, and work that takes longer than the message lives."""

from __future__ import annotations

from ....mq.constants import MQFB_EXPIRATION
from ....views.text import plural
from ..exercise import Check, Exercise, Prediction
from .happening import bodies, got, let_pass, lost, refused, run, seconds, sent
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


def _prices(lab) -> list:
    """The rows of the prices that were put on ZOS."""
    return [row for row in sent(lab, "SUPPLIER") if row.qmgr == "ZOS"]


def _overdue(lab) -> int:
    """The most seconds that a price on ZOS stayed after its lifetime was over, those still there included."""
    gone = {row.message: row.time_us for row in _removed(lab, "ZOS")}
    ends = [gone.get(row.message, lab.now_us) - row.put_us - 30_000_000 for row in _prices(lab)]
    return max(ends, default=0) // 1_000_000


SCAN_EVERY_MINUTE = """%%mqsc ZOS
ALTER QMGR EXPRYINT(60)"""

SCANS = Exercise(
    id="E04",
    title="Three queue managers, three habits",
    situation="The same prices go to three queue managers: ZOS on z/OS, NEW on Linux at a current level, and OLD on "
    "Linux at level 530. Each gets a price a minute, good for 30 s. Nobody reads. On ZOS, where storage is dear, "
    "expired prices pile up.",
    task="Make ZOS remove every expired price within two minutes by itself, and not look more often than twice a "
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
            lambda lab: len(_prices(lab)) == MINUTES and _overdue(lab) <= 120,
            lambda lab: (
                f"of {len(_prices(lab))} prices one stayed {_overdue(lab)} s longer than it was good"
                if _prices(lab)
                else "no price came to ZOS"
            ),
            "EXP-33",
        ),
        Check(
            "ZOS looks at most twice a minute",
            lambda lab: _every(lab) == 0 or _every(lab) >= 30,
            lambda lab: f"ZOS looks {60 / _every(lab):.3g} times a minute",
            "EXP-33",
        ),
    ),
    hints=(
        "Nobody reads, so no call meets the expired prices. On z/OS the queue manager can be told to look for them.",
        "It is an attribute of the queue manager, an interval in seconds; 0, which it is now, means never.",
        "DISPLAY QMGR EXPRYINT. A price may stay as long as one interval after its end: choose it between the two "
        "limits of the task.",
    ),
)


ORDER = b"1 loaf, " * 40
"""An order: longer than the 100 bytes that a report with some of the data holds."""
ORDERER = """def orderer(app, trigger):
    app.put("ORDERS", b"1 loaf, " * 40, expiry=600)


lab["QM1"].program("ORDERER", orderer)
"""
ORDERER_ASKS = """from mqlab.mq.constants import MQRO_EXPIRATION_WITH_FULL_DATA


def orderer(app, trigger):
    order = b"1 loaf, " * 40
    app.put("ORDERS", order, expiry=600, report=MQRO_EXPIRATION_WITH_FULL_DATA, reply_to_q="LATE")


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


def _sizes(lab) -> str:
    """How long the messages on LATE are."""
    return ", ".join(f"{len(body)} bytes" for body in bodies(lab, "QM1", "LATE"))


def _feedbacks(lab) -> list[int]:
    """The Feedback of what stands on LATE."""
    return [message.feedback for message in lab["QM1"].drain("LATE")]


REPORT = Exercise(
    id="E05",
    title="Nobody said that the order had expired",
    situation="ORDERER puts orders for bread, 320 bytes long and good for a minute: later the baker cannot use them. "
    "BAKER gets the first in time. The second expires, is removed some minutes after, and nobody ever hears of it.",
    task="Change `orderer(app, trigger)` so that a report of each order that expires comes to the queue LATE, with all "
    "of the order's data: the shop wants to order again. None comes of an order that is got. Orders stay good for a "
    "minute.",
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
            "BAKER gets the first order in time, the second expires",
            lambda lab: len(got(lab, "BAKER")) == 1 == len(lost(lab, "ORDERS")),
            lambda lab: (
                f"ORDERER's put is refused with {refused(lab, 'ORDERER')[0].reason}"
                if refused(lab, "ORDERER")
                else f"BAKER got {len(got(lab, 'BAKER'))}, and {len(lost(lab, 'ORDERS'))} of the orders expired"
            ),
        ),
        Check(
            "one message comes to LATE, for the order that expired",
            lambda lab: len(_late(lab)) == 1,
            lambda lab: f"{len(_late(lab))} messages came to LATE",
            "EXP-13",
        ),
        Check(
            "it holds the whole order",
            lambda lab: bodies(lab, "QM1", "LATE") == [ORDER],
            lambda lab: f"the data on LATE is {_sizes(lab) or 'nothing'}, the order {len(ORDER)} bytes",
            "EXP-13",
        ),
        Check(
            "its feedback says that a lifetime is over",
            lambda lab: _feedbacks(lab) == [MQFB_EXPIRATION],
            lambda lab: "what stands on LATE is no expiration report" if _late(lab) else "nothing stands on LATE",
            "EXP-18",
        ),
    ),
    hints=(
        "An expired message is removed without a word, unless its putter asked for a word.",
        "A report has to be asked for, and it needs a queue to go to. Both are said at the put: `report` and "
        "`reply_to_q`.",
        "mqlab.mq.constants has three report options that begin with MQRO_EXPIRATION: with no data, with some, with "
        "all.",
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
    """An oven: baking takes 15 s, and what is baked goes on SHELF. The second time it goes out in the end."""

    def __init__(self, lab):
        self._lab, self._times = lab, 0

    def bake(self, job) -> None:
        """Bake what the job says."""
        self._lab.advance(15)
        self._times += 1
        if self._times == 2:
            raise OvenFailed("the oven went out")
        self._lab["QM1"].connect("OVEN").put("SHELF", job.body)


def _worker_set_up(lab) -> None:
    lab.queue_manager("QM1").mqsc("DEFINE QLOCAL(JOBS)\nDEFINE QLOCAL(LATE)\nDEFINE QLOCAL(SHELF)")
    typed(WORKER)(lab)


def _worker_load(lab) -> None:
    """A cake good for 10 minutes, rolls good for 18 s, bread without end, and a worker for each attempt."""
    shop, oven = lab["QM1"].connect("SHOP"), Oven(lab)
    shop.put("JOBS", b"cake", expiry=6000)
    lab.advance(20)
    run(lab, "QM1", "WORKER", oven)
    let_pass(lab, 30)
    shop.put("JOBS", b"rolls", expiry=180)
    shop.put("JOBS", b"bread")
    lab.advance(6)
    for _ in range(4):
        run(lab, "QM1", "WORKER", oven)
        let_pass(lab, 30, dying=(OvenFailed,))
    lab.advance(900)


def _end(lab, job: bytes) -> str:
    """Where a job has got to."""
    places = {"SHELF": "baked", "LATE": "late", "JOBS": "not begun"}
    return next((said for queue, said in places.items() if job in bodies(lab, "QM1", queue)), "nowhere")


SHORT = Exercise(
    id="E06",
    title="Gone between two attempts",
    situation="WORKER gets a job in a unit of work and bakes it, which takes 15 s and puts it on SHELF. The second "
    "time the oven goes out: the unit of work is backed out, to be tried again. The rolls had 12 s left when they were "
    "got. They are never seen again, and the customer stands in the shop.",
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
            lambda lab: sorted(bodies(lab, "QM1", "SHELF")) == [b"bread", b"cake"],
            lambda lab: (
                f"the cake is {_end(lab, b'cake')}, the bread is {_end(lab, b'bread')}, "
                f"{len(bodies(lab, 'QM1', 'SHELF'))} are on SHELF"
            ),
            "MQI-08",
        ),
        Check(
            "no job expires on JOBS",
            lambda lab: not lost(lab, "JOBS"),
            lambda lab: f"{plural(len(lost(lab, 'JOBS')), 'job')} expired on JOBS",
            "EXP-20",
        ),
        Check(
            "the rolls stand on LATE a quarter of an hour later",
            lambda lab: bodies(lab, "QM1", "LATE") == [b"rolls"],
            lambda lab: (
                f"{plural(len(bodies(lab, 'QM1', 'LATE')), 'job stands', 'jobs stand')} on LATE, "
                f"{len(lost(lab, 'LATE'))} expired there"
            ),
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
