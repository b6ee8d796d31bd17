"""Exercises about triggering: what it needs, how often a program is started, and what the program owes it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from ....lab.lab import Lab
from ....views.text import plural
from ..exercise import Check, Exercise, Prediction
from .log_queries import channel_states, done, fired, rows, starts, state, taken_by_starts, texts
from .programs import serve, serve_up_to, watched
from .shops import alone, at_depot, at_shop, order, orders, shop_and_depot

SECOND, MINUTE = 1_000_000, 60_000_000


def _triggered(queue: str, trigger: str, initq: str, **started: Callable) -> Callable[[Lab], None]:
    """A set-up of QM1: a queue with this trigger, its initiation queue, and the one program that it starts."""
    (process,) = started
    commands = f"""
        DEFINE QLOCAL({initq})
        DEFINE PROCESS({process}) APPLICID('{process}')
        DEFINE QLOCAL({queue}) TRIGGER {trigger} PROCESS({process}) INITQ({initq})
        """
    return alone(commands, programs=started)


_QUEUES = ("WASHERS", "FRIDGES", "OVENS", "RADIOS", "PHONES", "HEATERS")
_GOOD = "TRIGGER TRIGTYPE(FIRST) PROCESS(BENCH) INITQ(SHOP.INITQ)"


def _bench_load(lab: Lab) -> None:
    """One monitor, on SHOP.INITQ; three jobs for each queue, a minute apart, all of them urgent."""
    counter = watched(lab, "SHOP.INITQ", "COUNTER")
    for number in range(3):
        for queue in _QUEUES:
            counter.put(queue, b"job %d" % number, priority=9)
        lab.advance(60)


def _idle(lab: Lab) -> list[str]:
    return [queue for queue in _QUEUES if not fired(queue)(lab)]


def _left(lab: Lab) -> list[str]:
    counts = {queue: texts("QM1", queue).count(lab) for queue in _QUEUES}
    return [f"{plural(left, 'job waits', 'jobs wait')} on {queue}" for queue, left in counts.items() if left]


_BENCH_ANSWER = """%%mqsc QM1
DEFINE PROCESS(BENCH) APPLICID('BENCH') REPLACE
ALTER QLOCAL(WASHERS) TRIGGER
ALTER QLOCAL(FRIDGES) PROCESS(BENCH)
ALTER QLOCAL(OVENS) TRIGMPRI(0)
ALTER QLOCAL(RADIOS) INITQ(SHOP.INITQ)
ALTER QLOCAL(PHONES) TRIGTYPE(FIRST)"""


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
    set_up=alone(
        f"""
        DEFINE QLOCAL(SHOP.INITQ)
        DEFINE QLOCAL(RADIO.INITQ)
        DEFINE PROCESS(BENCH) APPLICID('BENCH')
        DEFINE QLOCAL(HEATERS) {_GOOD}
        DEFINE QLOCAL(WASHERS) {_GOOD.replace("TRIGGER", "NOTRIGGER", 1)}
        DEFINE QLOCAL(FRIDGES) {_GOOD.replace("BENCH", "BENCHES")}
        DEFINE QLOCAL(OVENS) {_GOOD} MSGDLVSQ(FIFO) TRIGMPRI(5)
        DEFINE QLOCAL(RADIOS) {_GOOD.replace("SHOP", "RADIO")}
        DEFINE QLOCAL(PHONES) {_GOOD.replace("FIRST", "NONE")}
        """,
        programs={"BENCH": serve},
    ),
    load=_bench_load,
    # an APPLICID must be a name that is known
    defect=_BENCH_ANSWER.replace("APPLICID('BENCH')", "APPLICID('Bench')"),
    answer=_BENCH_ANSWER,
    predictions=(
        Prediction("queues", "As it is: for how many of the six queues is a trigger message written?").asks(
            lambda lab: len(_QUEUES) - len(_idle(lab)), fired("HEATERS").first
        ),
        Prediction(
            "urgent",
            "OVENS has TRIGMPRI(5) and its jobs are put with priority 9. Does the first one trigger? True or False.",
        ).asks(lambda lab: fired("OVENS").count(lab) > 0, fired("OVENS", fires=False).first),
    ),
    checks=(
        Check("a trigger message is written for each queue", "TRG-01").asks(
            _idle, [], "no trigger message was ever written for {}"
        ),
        Check("every job is taken").asks(_left, [], "; ".join),
        Check("BENCH is started once for each of the 18 jobs").asks(
            starts("BENCH").count, 18, "BENCH was started {:time}"
        ),
    ),
    hints=(
        "Something is wrong with each of the five, and it is five different things. Look at one queue at a time.",
        'lab["QM1"].why_not_triggered("WASHERS") lists every condition and says which does not hold. For RADIOS, ask '
        "who has its initiation queue open. For another the priorities seem right: what sort of queue is it?",
        "Compare each queue with HEATERS: DISPLAY QLOCAL(*) TRIGGER TRIGTYPE TRIGMPRI PROCESS INITQ MSGDLVSQ DEFPRTY.",
    ),
)


def _printer(app: Any, trigger: Any) -> None:
    """Prints until none has come for 30 s, unless the power is off: that is noticed before anything is opened."""
    if app.qmgr.lab.now.hour != 9:
        with app.open(trigger.queue, input="shared") as queue:
            list(queue.get_each(wait=30))


def _print_load(lab: Lab) -> None:
    """From nine to noon eight prints at a time, ten seconds apart, every ten minutes."""
    shop = watched(lab, "PRINT.INITQ", "SHOP")
    for number in range(18):
        for copy in range(8):
            shop.put("PRINTS", b"print %d of lot %d" % (copy, number))
            lab.advance(10)
        lab.advance(520)


def _longest_wait(lab: Lab) -> int:
    """Minutes from ten o'clock until the prints of before ten were taken, 120 where they never were."""
    early = [row for row in done("put", "PRINTS")(lab) if row.time_us < 60 * MINUTE]
    got = {row.message: row.time_us for row in done("get", "PRINTS")(lab)}
    return max((got.get(row.message, 180 * MINUTE) - 60 * MINUTE for row in early), default=120 * MINUTE) // MINUTE


PRINTER = Exercise(
    id="T02",
    title="It fired once and never again",
    situation="From nine to twelve a print shop puts eight prints on a queue every ten minutes, ten seconds apart. "
    "PRINTER is started for the first one and takes prints until none has come for 30 seconds. Until ten the power is "
    "off: PRINTER is started, sees that, and ends without opening the queue. At noon every print still waits.",
    task="When the power is back, what waits is printed within a quarter of an hour, by itself. PRINTER is slow to "
    "start: in the three hours it is started 30 times at the most. PRINTER stays as it is.",
    questions=(7,),
    rules=("TRG-03", "TRG-11", "TRG-12"),
    minutes=15,
    set_up=_triggered("PRINTS", "TRIGTYPE(FIRST)", "PRINT.INITQ", PRINTER=_printer),
    load=_print_load,
    defect="%%mqsc QM1\nALTER QLOCAL(PRINTS) TRIGTYPE(EVERY)",
    answer="%%mqsc QM1\nALTER QLOCAL(PRINTS) TRIGTYPE(FIRST)\nALTER QMGR TRIGINT(300000)",
    predictions=(
        Prediction("starts", "As it is: how often is PRINTER started in the three hours?").asks(
            starts("PRINTER").count, fired("PRINTS", fires=False).first
        ),
    ),
    checks=(
        Check("at noon, every print is taken").asks(texts("QM1", "PRINTS").count, 0, "{} of 144 prints wait at noon"),
        Check("what waited for the power is printed by a quarter past ten", "TRG-11").asks(
            _longest_wait,
            lambda minutes: minutes <= 15,
            "a print of before ten waited {} minutes after the power was back",
        ),
        Check("PRINTER is started 30 times at the most").asks(
            starts("PRINTER").count,
            lambda number: 0 < number <= 30,
            "PRINTER was started {:time}, {} of them in the hour without power",
            starts("PRINTER").where(lambda row: row.time_us < 60 * MINUTE).count,
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


def _answer_one(app: Any, trigger: Any) -> None:
    """Answers one call, which takes a minute."""
    with app.open(trigger.queue, input="shared") as queue:
        for _ in islice(queue.get_each(), 1):
            app.qmgr.lab.advance(60)


def _types_load(lab: Lab) -> None:
    """Two rushes an hour apart: five calls, ten letters, and loaves one after the other, 29 in all."""
    shop = watched(lab, "BAKERY.INITQ", "SHOP")
    for _ in range(2):
        for number in range(5):
            shop.put("CALLS", b"call %d" % number)
        for number in range(10):
            shop.put("LETTERS", b"letter %d" % number)
        lab.advance(3600)
    for number in range(29):
        shop.put("LOAVES", b"loaf %d" % number)
        lab.advance(60)


def _slowest_call(lab: Lab) -> int:
    """Seconds that a call waited at the most, an hour where one was never taken or put."""
    got = {row.message: row.time_us for row in done("get", "CALLS")(lab)}
    hour = 3600 * SECOND
    waits = [got.get(row.message, row.time_us + hour) - row.time_us for row in done("put", "CALLS")(lab)]
    return max(waits, default=hour) // SECOND


_trays = taken_by_starts("OVEN", "LOAVES")
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
    set_up=alone(
        """
        DEFINE QLOCAL(BAKERY.INITQ)
        DEFINE PROCESS(CLERK) APPLICID('CLERK')
        DEFINE PROCESS(POSTMAN) APPLICID('POSTMAN')
        DEFINE PROCESS(OVEN) APPLICID('OVEN')
        DEFINE QLOCAL(CALLS) TRIGGER TRIGTYPE(FIRST) PROCESS(CLERK) INITQ(BAKERY.INITQ)
        DEFINE QLOCAL(LETTERS) TRIGGER TRIGTYPE(EVERY) PROCESS(POSTMAN) INITQ(BAKERY.INITQ)
        DEFINE QLOCAL(LOAVES) TRIGGER TRIGTYPE(FIRST) PROCESS(OVEN) INITQ(BAKERY.INITQ)
        """,
        programs={"CLERK": _answer_one, "POSTMAN": serve, "OVEN": serve_up_to(12)},
    ),
    load=_types_load,
    defect=_TYPES_ANSWER.replace("TRIGTYPE(DEPTH)", "TRIGTYPE(EVERY)"),
    answer=_TYPES_ANSWER,
    predictions=(
        Prediction("postmen", "As it is: how often is POSTMAN started for the 20 letters?").asks(
            starts("POSTMAN").count, fired("LETTERS").at(1)
        ),
        Prediction("caller", "As it is: the fifth caller of a rush waits how many seconds?").asks(
            _slowest_call, fired("CALLS", fires=False).first
        ),
    ),
    checks=(
        Check("no caller waits longer than ten seconds", "TRG-04").asks(
            _slowest_call, lambda seconds: seconds <= 10, "a caller waited {} seconds"
        ),
        Check("one postman a rush, and no letter left", "TRG-03").asks(
            (starts("POSTMAN").count, texts("QM1", "LETTERS").count),
            (2, 0),
            "POSTMAN was started {:time}, letters that wait: {}",
        ),
        Check("OVEN bakes two trays of twelve and five loaves wait", "TRG-03").asks(
            (_trays, texts("QM1", "LOAVES").count),
            ([12, 12], 5),
            "OVEN was started {2:time}, with {3:loaf|loaves} at the most; {1:loaf waits|loaves wait}",
            starts("OVEN").count,
            lambda lab: max(_trays(lab), default=0),
        ),
    ),
    hints=(
        "Ask of each program: how many messages does it take before it ends, and may two of it run at once?",
        "One type starts a program for each message, one when a queue is no longer empty, one when there are enough.",
        "FIRST is for a program that empties the queue, EVERY for one that takes a single message, DEPTH for one that "
        "needs a number of them, and that number is an attribute too.",
    ),
)


def crush(app: Any, trigger: Any) -> None:
    """Takes ten crates, or what there is, and ends: as it was delivered."""
    with app.open(trigger.queue, input="shared") as queue:
        list(islice(queue.get_each(), 10))


def _crush_load(lab: Lab) -> None:
    """A crate a minute, 34 in all."""
    gate = watched(lab, "YARD.INITQ", "GATE")
    for number in range(34):
        gate.put("CRATES", b"crate %d" % number)
        lab.advance(60)


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
    set_up=_triggered("CRATES", "TRIGTYPE(DEPTH) TRIGDPTH(10)", "YARD.INITQ", CRUSHER=crush),
    load=_crush_load,
    work=_CRUSH_BODY.format(more="", end="        # what is missing here?\n"),
    # naming the depth again does not do it
    defect=_CRUSH_BODY.format(more=", set=True", end="        queue.set(TRIGDPTH=10)\n"),
    answer=_CRUSH_BODY.format(more=", set=True", end="        queue.set(TRIGGER=True)\n"),
    predictions=(
        Prediction("starts", "As it is: how often is CRUSHER started for 34 crates?").asks(
            starts("CRUSHER").count, rows(kind="alter", object="CRATES", rule="TRG-03").first
        ),
    ),
    checks=(
        Check("CRUSHER takes ten crates each time it is started").asks(
            taken_by_starts("CRUSHER", "CRATES"),
            lambda taken: set(taken) == {10},
            lambda taken: f"the starts of CRUSHER took {_listed(taken)}",
        ),
        Check("it is started three times, and four crates wait", "TRG-03").asks(
            (starts("CRUSHER").count, texts("QM1", "CRATES").count),
            (3, 4),
            "CRUSHER was started {:time}, {:crate waits|crates wait}",
        ),
        Check("it could be started again", "TRG-09").asks(
            lambda lab: "TRG-09" in lab["QM1"].why_not_triggered("CRATES").missing,
            False,
            "after the last start the queue does not trigger any more",
        ),
    ),
    hints=(
        "Compare the queue before and after the first start: something that the queue manager itself has changed.",
        'lab["QM1"].why_not_triggered("CRATES") after desk.run(lab) says which condition is gone. A program can set it '
        "back.",
        "An open with set=True allows .set(...) on the queue; do it when the crates are taken.",
    ),
)


def _florist_load(lab: Lab) -> None:
    """An order every half hour from nine on; those of eleven and one o'clock are for today."""
    shop = watched(lab, "FLORIST.INITQ", "SHOP")
    for number in range(10):
        what, priority = {4: ("wreath", 8), 8: ("bouquet", 7)}.get(number, (f"plant {number}", number % 4))
        shop.put("DELIVERIES", what.encode(), priority=priority)
        lab.advance(1800)


_first_taken = taken_by_starts("DRIVER", "DELIVERIES", lambda taken: taken[0].priority if taken else -1)
"""The priority of the message that each start of DRIVER took first, -1 for none."""


def _priorities(first: list[int]) -> str:
    found = ", ".join(str(priority) for priority in first if priority >= 0)
    return f"the first order taken by a drive has priority {found}" if found else "no order was taken"


FLORIST = Exercise(
    id="T05",
    title="Only what is urgent starts the driver",
    situation="A florist puts an order on DELIVERIES every half hour. Orders for today have priority 7 or more, the "
    "others 0 to 3. DRIVER is started for every order and takes everything that is there. Fuel is dear.",
    task="DRIVER is started when an order for today comes and for no other, and takes that one first and what has "
    "gathered with it. The shop puts its orders as before.",
    rules=("TRG-02", "TRG-14", "MQI-01"),
    minutes=10,
    set_up=_triggered("DELIVERIES", "TRIGTYPE(FIRST) MSGDLVSQ(FIFO)", "FLORIST.INITQ", DRIVER=serve),
    load=_florist_load,
    defect="%%mqsc QM1\nALTER QLOCAL(DELIVERIES) TRIGMPRI(7)",
    answer="%%mqsc QM1\nALTER QLOCAL(DELIVERIES) MSGDLVSQ(PRIORITY) TRIGMPRI(7)",
    predictions=(
        Prediction("drives", "As it is: how often does DRIVER start for ten orders, two of them for today?").asks(
            starts("DRIVER").count, fired("DELIVERIES").first
        ),
        Prediction("waiting", "When it works: how many orders does the second drive take?", solved=True).asks(
            taken_by_starts("DRIVER", "DELIVERIES").at(1), fired("DELIVERIES").at(1)
        ),
    ),
    checks=(
        Check("DRIVER starts twice", "TRG-02").asks(starts("DRIVER").count, 2, "DRIVER was started {:time}"),
        Check("each drive begins with the order for today", "MQI-01").asks(
            _first_taken, lambda first: min(first, default=-1) >= 7, _priorities
        ),
        Check("one plant waits at the end").asks(
            texts("QM1", "DELIVERIES").count, 1, "{:order waits|orders wait} at the end"
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


def _parts_of(app: Any, parcel: int, seconds: tuple[int, ...]) -> None:
    """Each part is put in a unit of work of its own, which is open for so many seconds."""
    for part, length in enumerate(seconds):
        with app.unit_of_work() as unit:
            unit.put("PARTS", b"part %d of parcel %d" % (part, parcel))
            app.qmgr.lab.advance(length)


def _parcels_load(lab: Lab) -> None:
    """Two pickers: one commits at once, the other checks each part for twenty seconds before it commits."""
    qm = lab["QM1"]
    qm.trigger_monitor("PACK.INITQ")
    lab.advance(1)
    for parcel in range(4):
        qm.run_program("CAREFUL", _parts_of, parcel, (20,))
        qm.run_program("QUICK", _parts_of, parcel, (1, 0))
        lab.advance(300)


_parcels = taken_by_starts("PACKER", "PARTS")


_PACK_BODY = """from mqlab import MQError

def packer(app, trigger):
    with app.open(trigger.queue, input="shared", set=True) as queue:
        for _ in range(3):
            try:
                queue.get({wait})
            except MQError as refused:
                if refused.reason != 2033:
                    raise
                break
        queue.set(TRIGGER=True)

lab["QM1"].program("PACKER", packer)"""
PACKER = Exercise(
    id="T06",
    title="Started, and the queue is empty",
    situation="A parcel has three parts. Two pickers put them on PARTS, each part in a unit of work; one picker checks "
    "for twenty seconds before he commits. PACKER is started when three parts are there, and takes three. Customers "
    "get parcels with parts missing.",
    task="Every start of PACKER packs three parts, and none is left over. Change the program; the pickers and the "
    "queue stay as they are.",
    questions=(10,),
    rules=("TRG-03a", "MQI-05", "MQI-17"),
    minutes=10,
    set_up=_triggered("PARTS", "TRIGTYPE(DEPTH) TRIGDPTH(3)", "PACK.INITQ", PACKER=serve_up_to(3)),
    load=_parcels_load,
    work=_PACK_BODY.format(wait=""),
    defect=_PACK_BODY.format(wait="wait=5"),
    answer=_PACK_BODY.format(wait="wait=60"),
    predictions=(
        Prediction("first_parcel", "As it is: how many parts does the first start of PACKER get?").asks(
            _parcels.at(0), fired("PARTS").first
        ),
        Prediction("depth", "And what is CURDEPTH of PARTS at the moment it is started?").asks(
            lambda lab: fired("PARTS").first(lab).depth, rows(kind="get", object="PARTS", reason=2033).first
        ),
    ),
    checks=(
        Check("every start of PACKER packs three parts", "TRG-03a").asks(
            _parcels, lambda parts: set(parts) == {3}, "the parcels have {:no} parts"
        ),
        Check("it is started by a third part, and not before", "TRG-03").asks(
            lambda lab: [row.depth for row in fired("PARTS")(lab)],
            lambda depths: min(depths, default=0) >= 3,
            lambda depths: f"when PACKER was started, PARTS held {min(depths, default=0)}",
        ),
        Check("there are four parcels and no part is left").asks(
            (starts("PACKER").count, texts("QM1", "PARTS").count), (4, 0), "parcels packed: {}, parts left over: {}"
        ),
    ),
    hints=(
        "What counts for triggering, and what can be got, are not the same messages.",
        "Look at desk.run(lab).events where PACKER gets 2033: how many messages were on the queue, and what were they "
        "waiting for?",
        "A get may have patience. How long does the slower picker take to commit?",
    ),
)


_PHARMACY_WORK = """# the program as it is; mqlab.programs.sample_server.sample_server(...) makes one as IBM advises
from mqlab import MQError

def dispenser(app, trigger):
    with app.open(trigger.queue, input="shared") as queue:
        while True:
            unit = app.unit_of_work()
            try:
                message = queue.get(unit=unit)
            except MQError as refused:
                unit.dissolve()
                if refused.reason != 2033:
                    raise
                return
            if b"?" in message.body:
                unit.backout()
                return
            unit.commit()

lab["QM1"].program("DISPENSER", dispenser)"""


def _pharmacy_load(lab: Lab) -> None:
    """Nine prescriptions; nobody can read the fourth."""
    doctor = watched(lab, "PHARMACY.INITQ", "DOCTOR")
    for number in range(9):
        doctor.put("PRESCRIPTIONS", b"illegible ???" if number == 3 else b"prescription %d" % number, persistent=True)
        lab.advance(60)


def _dispensed(lab: Lab) -> int:
    """How many prescriptions were got and committed: put there, not there any more, and nowhere else."""
    left = texts("QM1", "PRESCRIPTIONS").count(lab) + texts("QM1", "ASK.THE.DOCTOR").count(lab)
    return done("put", "PRESCRIPTIONS").count(lab) - left


_backed_out = rows(kind="restore", object="PRESCRIPTIONS").count
_PHARMACY_ANSWER = """%%mqsc QM1
ALTER QLOCAL(PRESCRIPTIONS) BOTHRESH(3) BOQNAME(ASK.THE.DOCTOR)

# %%
from mqlab.programs.sample_server import sample_server

def dispense(app, message, unit):
    return b"?" not in message.body

lab["QM1"].program("DISPENSER", sample_server(dispense))"""

PHARMACY = Exercise(
    id="T07",
    title="The prescription that nobody can read",
    situation="In a pharmacy DISPENSER is started for prescriptions. It takes each in a unit of work; one that it "
    "cannot read it backs out, and ends. The fourth of nine cannot be read. DISPENSER is started again for it at once, "
    "and again, and the others wait.",
    task="The eight prescriptions that can be read are dispensed; the other one is tried three times and is then on "
    "ASK.THE.DOCTOR. Nothing loops.",
    questions=(20,),
    rules=("TRG-12a", "TRG-12b", "TRG-12c", "MQI-08"),
    minutes=15,
    set_up=alone(
        """
        DEFINE QLOCAL(PHARMACY.INITQ)
        DEFINE PROCESS(DISPENSER) APPLICID('DISPENSER')
        DEFINE QLOCAL(ASK.THE.DOCTOR)
        DEFINE QLOCAL(PRESCRIPTIONS) TRIGGER TRIGTYPE(FIRST) PROCESS(DISPENSER) INITQ(PHARMACY.INITQ)
        """,
        _PHARMACY_WORK,
    ),
    load=_pharmacy_load,
    work=_PHARMACY_WORK,
    # the attributes alone: somebody believed that the queue manager acts on them
    defect="%%mqsc QM1\nALTER QLOCAL(PRESCRIPTIONS) BOTHRESH(3) BOQNAME(ASK.THE.DOCTOR)",
    answer=_PHARMACY_ANSWER,
    predictions=(
        Prediction("dispensed", "As it is: how many prescriptions are dispensed before the lab stops the loop?").asks(
            _dispensed, rows(kind="trigger", object="PRESCRIPTIONS", rule="TRG-12b").first
        ),
        Prediction("tries", "When it works: how often is the one that cannot be read got?", solved=True).asks(
            lambda lab: _backed_out(lab) + 1, rows(kind="put", object="ASK.THE.DOCTOR").first
        ),
    ),
    checks=(
        Check("eight prescriptions are dispensed").asks(
            _dispensed, 8, "dispensed: {}, waiting: {}", texts("QM1", "PRESCRIPTIONS").count
        ),
        Check("the one that cannot be read is on ASK.THE.DOCTOR", "TRG-12c").asks(
            texts("QM1", "ASK.THE.DOCTOR"), ["illegible ???"], "ASK.THE.DOCTOR holds {:nothing}"
        ),
        Check("it was tried three times, and no more", "TRG-12b").asks(_backed_out, 3, "it was backed out {:time}"),
    ),
    hints=(
        "BackoutCount of the message goes up each time. Who looks at it, and who may do something about it?",
        "BOTHRESH and BOQNAME are two attributes of PRESCRIPTIONS, and only advice: a program has to follow them.",
        "mqlab.programs.sample_server has sample_server: sample_server(dispense), where dispense(app, message, unit) "
        "answers False for what it cannot read, follows them. Register it under the APPLICID, and give the queue the "
        "advice.",
    ),
)


def _outage_set_up(lab: Lab) -> None:
    """Two orders go, the link is cut for the night, the channel gives up; in the morning the link is back."""
    shop_and_depot("SHORTRTY(3) SHORTTMR(60) LONGRTY(2) LONGTMR(1200)")(lab)
    lab.advance(1)
    order(lab, 1, 2)
    lab.advance(3600)
    lab.cut("SHOP", "DEPOT")
    order(lab, 3)
    lab.advance(12 * 3600)
    lab.restore("SHOP", "DEPOT")
    order(lab, 4, 5)
    lab.advance(3600)


def _not_by_itself(lab: Lab) -> str:
    """What keeps an order that is put when the channel is idle from starting it, "" for nothing."""
    stopped = {"TRG-05", "TRG-07", "TRG-08", "TRG-09", "TRG-10"} & set(lab["SHOP"].why_not_triggered("DEPOT").missing)
    queue = lab["SHOP"].objects.get("QLOCAL", "DEPOT").attributes
    now = state("SHOP", "TO.DEPOT")(lab)
    if not stopped and queue["GET"] == "ENABLED" and now != "STOPPED":
        return ""
    starting = now in ("STARTING", "INITIALIZING", "BINDING")
    return f"TO.DEPOT is {now}, and {'has had no time yet' if starting else 'nothing would start it'}"


OUTAGE = Exercise(
    id="T08",
    title="The link is back, the channel is not",
    situation="SHOP sends orders to DEPOT by channel TO.DEPOT, which its transmission queue starts by triggering. Last "
    "night the link was down for hours. It is up again since nine in the morning, and two more orders came, but "
    "nothing moves.",
    task="All five orders are on ORDERS at DEPOT, and tomorrow's first order will start the channel again by itself. "
    "Give the channel some seconds: lab.advance(10).",
    questions=(11,),
    rules=("CHL-09", "CHL-16", "TRG-09"),
    minutes=10,
    settings={"start": "2025-01-06T20:00:00Z"},
    set_up=_outage_set_up,
    # somebody opened the queue again, and did not ask what the channel itself is
    defect="%%mqsc SHOP\nALTER QLOCAL(DEPOT) GET(ENABLED) TRIGGER",
    work="%%mqsc SHOP\n* look first, then act\nDISPLAY QLOCAL(DEPOT) CURDEPTH\n\n# %%\nlab.advance(10)",
    answer="%%mqsc SHOP\nSTART CHANNEL(TO.DEPOT)\n\n# %%\nlab.advance(10)",
    predictions=(
        Prediction("state", "In which state is TO.DEPOT in the morning? One word.").asks(
            state("SHOP", "TO.DEPOT"), channel_states("SHOP", "TO.DEPOT").last
        ),
        Prediction("waiting", "How many orders wait on the transmission queue?").asks(
            at_shop.count, fired("DEPOT", fires=False).last
        ),
    ),
    checks=(
        Check("each of the five orders is at DEPOT, once").asks(
            at_depot, orders(5), "{1} orders are at DEPOT, {2} wait at SHOP", at_depot.count, at_shop.count
        ),
        Check("the next order would start the channel by itself", "CHL-16", _not_by_itself),
    ),
    hints=(
        "A channel that has tried often enough does not try any more. Who may start it then?",
        "DISPLAY CHSTATUS(*) tells the state, DISPLAY QLOCAL(DEPOT) TRIGGER GET what else was changed that night, and "
        'lab["SHOP"].why_not_triggered("DEPOT") why a new order does nothing.',
        "A STOPPED channel ignores trigger messages; one command of an operator makes it run, and gives its queue back "
        "what was taken away.",
    ),
)

EXERCISES = (BENCH, PRINTER, TYPES, CRUSHER, FLORIST, PACKER, PHARMACY, OUTAGE)
