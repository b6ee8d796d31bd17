"""Exercises about what is triggered: servers that find nothing or get nothing done, and channels."""

from __future__ import annotations

from ....views.text import plural
from ..exercise import Check, Exercise, Prediction
from .programs import serve_up_to
from .seen import bodies, channel_states, done, fired, first, state, taken_by_starts
from .shops import order, shop_and_depot
from .typed import typed

__all__ = ["EXERCISES"]


# ---------------------------------------------------------------- T06
def _parcels_set_up(lab) -> None:
    qm = lab.queue_manager("QM1")
    qm.mqsc("""
        DEFINE QLOCAL(PACK.INITQ)
        DEFINE PROCESS(PACKER) APPLICID('PACKER')
        DEFINE QLOCAL(PARTS) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(3) PROCESS(PACKER) INITQ(PACK.INITQ)
        """)
    qm.program("PACKER", serve_up_to(3))  # three parts are a parcel


def _parts_of(app, parcel: int, seconds: tuple[int, ...]) -> None:
    """Each part is put in a unit of work of its own, which is open for so many seconds."""
    for part, length in enumerate(seconds):
        with app.unit_of_work() as unit:
            unit.put("PARTS", b"part %d of parcel %d" % (part, parcel))
            app.qmgr.lab.advance(length)


def _parcels_load(lab) -> None:
    """Two pickers: one commits at once, the other checks each part for twenty seconds before it commits."""
    qm = lab["QM1"]
    qm.trigger_monitor("PACK.INITQ")
    lab.advance(1)
    for parcel in range(4):
        qm.run_program("CAREFUL", _parts_of, parcel, (20,))
        qm.run_program("QUICK", _parts_of, parcel, (1, 0))
        lab.advance(300)


def _parcels(lab) -> list[int]:
    return taken_by_starts(lab, "PACKER", "PARTS")


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
_PACK_ANSWER = _PACK_BODY.format(wait="wait=60")

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
    set_up=_parcels_set_up,
    load=_parcels_load,
    work=_PACK_BODY.format(wait=""),
    defect=typed(_PACK_BODY.format(wait="wait=5")),
    answer=_PACK_ANSWER,
    solution=typed(_PACK_ANSWER),
    predictions=(
        Prediction(
            "first_parcel",
            "As it is: how many parts does the first start of PACKER get?",
            lambda lab: _parcels(lab)[0],
            lambda lab: first(fired(lab, "PARTS")),
        ),
        Prediction(
            "depth",
            "And what is CURDEPTH of PARTS at the moment it is started?",
            lambda lab: first(fired(lab, "PARTS")).depth,
            lambda lab: first(lab.events.where(kind="get", object="PARTS", reason=2033)),
        ),
    ),
    checks=(
        Check(
            "every start of PACKER packs three parts",
            lambda lab: set(_parcels(lab)) == {3},
            lambda lab: f"the parcels have {', '.join(map(str, _parcels(lab))) or 'no'} parts",
            "TRG-03a",
        ),
        Check(
            "it is started by a third part, and not before",
            lambda lab: bool(fired(lab, "PARTS")) and all(row.depth >= 3 for row in fired(lab, "PARTS")),
            lambda lab: (
                f"when PACKER was started, PARTS held {min((row.depth for row in fired(lab, 'PARTS')), default=0)}"
            ),
            "TRG-03",
        ),
        Check(
            "there are four parcels and no part is left",
            lambda lab: len(_parcels(lab)) == 4 and not bodies(lab, "QM1", "PARTS"),
            lambda lab: f"parcels packed: {len(_parcels(lab))}, parts left over: {len(bodies(lab, 'QM1', 'PARTS'))}",
        ),
    ),
    hints=(
        "What counts for triggering, and what can be got, are not the same messages.",
        "Look at desk.run(lab).events where PACKER gets 2033: how many messages were on the queue, and what were they "
        "waiting for?",
        "A get may have patience. How long does the slower picker take to commit?",
    ),
)


# ---------------------------------------------------------------- T07
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


def _pharmacy_set_up(lab) -> None:
    qm = lab.queue_manager("QM1")
    qm.mqsc("""
        DEFINE QLOCAL(PHARMACY.INITQ)
        DEFINE PROCESS(DISPENSER) APPLICID('DISPENSER')
        DEFINE QLOCAL(ASK.THE.DOCTOR)
        DEFINE QLOCAL(PRESCRIPTIONS) TRIGGER TRIGTYPE(FIRST) PROCESS(DISPENSER) INITQ(PHARMACY.INITQ)
        """)
    typed(_PHARMACY_WORK)(lab)


def _pharmacy_load(lab) -> None:
    """Nine prescriptions; nobody can read the fourth."""
    qm = lab["QM1"]
    qm.trigger_monitor("PHARMACY.INITQ")
    lab.advance(1)
    doctor = qm.connect("DOCTOR")
    for number in range(9):
        doctor.put("PRESCRIPTIONS", b"illegible ???" if number == 3 else b"prescription %d" % number, persistent=True)
        lab.advance(60)


def _dispensed(lab) -> int:
    """How many prescriptions were got and committed: put there, not there any more, and nowhere else."""
    left = len(bodies(lab, "QM1", "PRESCRIPTIONS")) + len(bodies(lab, "QM1", "ASK.THE.DOCTOR"))
    return len(done(lab, "put", "PRESCRIPTIONS")) - left


def _backed_out(lab) -> int:
    return len(lab.events.where(kind="restore", object="PRESCRIPTIONS"))


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
    set_up=_pharmacy_set_up,
    load=_pharmacy_load,
    work=_PHARMACY_WORK,
    # the attributes alone: somebody believed that the queue manager acts on them
    defect=lambda lab: lab["QM1"].mqsc("ALTER QLOCAL(PRESCRIPTIONS) BOTHRESH(3) BOQNAME(ASK.THE.DOCTOR)"),
    answer=_PHARMACY_ANSWER,
    solution=typed(_PHARMACY_ANSWER),
    predictions=(
        Prediction(
            "dispensed",
            "As it is: how many prescriptions are dispensed before the lab stops the loop?",
            _dispensed,
            lambda lab: first(lab.events.where(kind="trigger", object="PRESCRIPTIONS", rule="TRG-12b")),
        ),
        Prediction(
            "tries",
            "When it works: how often is the one that cannot be read got?",
            lambda lab: _backed_out(lab) + 1,
            lambda lab: first(lab.events.where(kind="put", object="ASK.THE.DOCTOR")),
            solved=True,
        ),
    ),
    checks=(
        Check(
            "eight prescriptions are dispensed",
            lambda lab: _dispensed(lab) == 8,
            lambda lab: f"dispensed: {_dispensed(lab)}, waiting: {len(bodies(lab, 'QM1', 'PRESCRIPTIONS'))}",
        ),
        Check(
            "the one that cannot be read is on ASK.THE.DOCTOR",
            lambda lab: bodies(lab, "QM1", "ASK.THE.DOCTOR") == ["illegible ???"],
            lambda lab: f"ASK.THE.DOCTOR holds {bodies(lab, 'QM1', 'ASK.THE.DOCTOR') or 'nothing'}",
            "TRG-12c",
        ),
        Check(
            "it was tried three times, and no more",
            lambda lab: _backed_out(lab) == 3,
            lambda lab: f"it was backed out {plural(_backed_out(lab), 'time')}",
            "TRG-12b",
        ),
    ),
    hints=(
        "BackoutCount of the message goes up each time. Who looks at it, and who may do something about it?",
        "BOTHRESH and BOQNAME are two attributes of PRESCRIPTIONS, and only advice: a program has to follow them.",
        "mqlab.programs.sample_server has sample_server: sample_server(dispense), where dispense(app, message, unit) "
        "answers False for what it cannot read, follows them. Register it under the APPLICID, and give the queue the "
        "advice.",
    ),
)


# ---------------------------------------------------------------- T08
STARTING = ("STARTING", "INITIALIZING", "BINDING")


def _outage_set_up(lab) -> None:
    """Two orders go, the line is cut for the night, the channel gives up; in the morning the line is back."""
    shop_and_depot(lab, "SHORTRTY(3) SHORTTMR(60) LONGRTY(2) LONGTMR(1200)")
    lab.advance(1)
    order(lab, 1, 2)
    lab.advance(3600)
    lab.cut("SHOP", "DEPOT")
    order(lab, 3)
    lab.advance(12 * 3600)
    lab.restore("SHOP", "DEPOT")
    order(lab, 4, 5)
    lab.advance(3600)


def _waiting(lab) -> int:
    return len(bodies(lab, "SHOP", "DEPOT"))


def _by_itself(lab) -> bool:
    """Whether an order put when the channel is idle would start it."""
    stopped = {"TRG-05", "TRG-07", "TRG-08", "TRG-09", "TRG-10"} & set(lab["SHOP"].why_not_triggered("DEPOT").missing)
    queue = lab["SHOP"].objects.get("QLOCAL", "DEPOT").attributes
    return not stopped and queue["GET"] == "ENABLED" and state(lab, "SHOP", "TO.DEPOT") != "STOPPED"


_OUTAGE_ANSWER = """%%mqsc SHOP
START CHANNEL(TO.DEPOT)

# %%
lab.advance(10)"""

OUTAGE = Exercise(
    id="T08",
    title="The line is back, the channel is not",
    situation="SHOP sends orders to DEPOT by channel TO.DEPOT, which its transmission queue starts by triggering. Last "
    "night the line was down for hours. It is up again since nine in the morning, and two more orders came, but "
    "nothing moves.",
    task="All five orders are on ORDERS at DEPOT, and tomorrow's first order will start the channel again by itself. "
    "Give the channel some seconds: lab.advance(10).",
    questions=(11,),
    rules=("CHL-09", "CHL-16", "TRG-09"),
    minutes=10,
    settings={"start": "2025-01-06T20:00:00Z"},
    set_up=_outage_set_up,
    # somebody opened the queue again, and did not ask what the channel itself is
    defect=lambda lab: lab["SHOP"].mqsc("ALTER QLOCAL(DEPOT) GET(ENABLED) TRIGGER"),
    work="%%mqsc SHOP\n* look first, then act\nDISPLAY QLOCAL(DEPOT) CURDEPTH\n\n# %%\nlab.advance(10)",
    answer=_OUTAGE_ANSWER,
    solution=typed(_OUTAGE_ANSWER),
    predictions=(
        Prediction(
            "state",
            "In which state is TO.DEPOT in the morning? One word.",
            lambda lab: state(lab, "SHOP", "TO.DEPOT"),
            lambda lab: channel_states(lab, "SHOP", "TO.DEPOT")[-1],
        ),
        Prediction(
            "waiting",
            "How many orders wait on the transmission queue?",
            _waiting,
            lambda lab: fired(lab, "DEPOT", fires=False)[-1],
        ),
    ),
    checks=(
        Check(
            "each of the five orders is at DEPOT, once",
            lambda lab: bodies(lab, "DEPOT", "ORDERS") == [f"order {number}" for number in range(1, 6)],
            lambda lab: f"{len(bodies(lab, 'DEPOT', 'ORDERS'))} orders are at DEPOT, {_waiting(lab)} wait at SHOP",
        ),
        Check(
            "the next order would start the channel by itself",
            _by_itself,
            lambda lab: (
                f"TO.DEPOT is {state(lab, 'SHOP', 'TO.DEPOT')}, and "
                + ("has had no time yet" if state(lab, "SHOP", "TO.DEPOT") in STARTING else "nothing would start it")
            ),
            "CHL-16",
        ),
    ),
    hints=(
        "A channel that has tried often enough does not try any more. Who may start it then?",
        "DISPLAY CHSTATUS(*) tells the state, DISPLAY QLOCAL(DEPOT) TRIGGER GET what else was changed that night, and "
        'lab["SHOP"].why_not_triggered("DEPOT") why a new order does nothing.',
        "A STOPPED channel ignores trigger messages; one command of an operator makes it run, and gives its queue back "
        "what was taken away.",
    ),
)

EXERCISES = (PACKER, PHARMACY, OUTAGE)
