"""Exercises about queue-sharing groups that lose a member or a structure: what comes back, and who serves meanwhile."""

from __future__ import annotations

from ....mq.errors import MQError
from ..exercise import Check, Exercise, Prediction
from .seen import bodies, done, first
from .typed import typed

__all__ = ["EXERCISES"]

MINUTE = 60_000_000


def _try(call, *args, **options) -> None:
    """Make a call and go on where it is refused: the log has the row."""
    try:
        call(*args, **options)
    except MQError:
        return


# ---------------------------------------------------------------- S03
def _member_set_up(lab) -> None:
    lab.queue_sharing_group("CLNC", ["QMA", "QMB"])
    lab["QMA"].mqsc("DEFINE CFSTRUCT(LAB1) CFLEVEL(4) RECOVER(YES)").require()
    lab["QMA"].mqsc("DEFINE QLOCAL(SAMPLES) SHARE DEFSOPT(SHARED) DEFPSIST(YES)").require()


def _analyse(app) -> None:
    """Takes samples for an hour; each is in its hands, in a unit of work, for five minutes."""
    with app.open("SAMPLES", input="shared") as queue:
        while True:
            unit = app.unit_of_work()
            try:
                queue.get(wait=3600, unit=unit)
            except MQError:
                unit.dissolve()
                return
            app.qmgr.lab.advance(300)
            unit.commit()


def _member_load(lab) -> None:
    """A clerk puts two samples by QMA; ten minutes later two more; QMA fails two minutes after that, for an hour."""
    for name in ("QMA", "QMB"):
        if "SAMPLES" in lab[name].targets:
            lab[name].run_program("ANALYSE", _analyse)
    lab.advance(1)
    clerk = lab["QMA"].connect("CLERK")
    for number in range(4):
        clerk.put("SAMPLES", b"sample %d" % number)
        if number == 1:
            lab.advance(600)
    lab.advance(120)
    lab["QMA"].fail()
    lab.advance(3600)
    lab["QMA"].start()
    lab.advance(600)


def _failed_us(lab) -> int:
    rows = lab.events.where(kind="stop", qmgr="QMA")
    return rows[0].time_us if rows else 0


def _analysed_in_time(lab) -> int:
    """How many samples were got and committed not later than a quarter of an hour after QMA failed."""
    latest = _failed_us(lab) + 15 * MINUTE
    units = {row.uow for row in lab.events.where(kind="commit") if row.time_us <= latest}
    return len({row.message for row in done(lab, "get", "SAMPLES") if row.uow in units})


_MEMBER_ANSWER = """%%mqsc QMA
DELETE QLOCAL(SAMPLES)
DEFINE QLOCAL(SAMPLES) QSGDISP(SHARED) CFSTRUCT(LAB1) SHARE DEFSOPT(SHARED) DEFPSIST(YES)"""


def _member_solution(lab) -> None:
    """As it is typed, and first a queue of that name that QMB has for itself is deleted."""
    found = lab["QMB"].objects.get("QLOCAL", "SAMPLES")
    if found is not None and found.attributes["QSGDISP"] == "QMGR":
        lab["QMB"].mqsc("DELETE QLOCAL(SAMPLES)").require()
    typed(_MEMBER_ANSWER)(lab)


MEMBER = Exercise(
    id="S03",
    title="A member fails with a sample in its hands",
    situation="In a clinic QMA and QMB are a queue-sharing group; structure LAB1 is there and nothing is in it. "
    "SAMPLES is a queue of QMA. Each member that has a queue SAMPLES runs ANALYSE on it, which needs five minutes for "
    "a sample, in a unit of work. QMA fails with a sample in its hands and is away for an hour.",
    task="Every sample is analysed at the latest a quarter of an hour after QMA has failed, also the one that was in "
    "its hands, and none is analysed twice.",
    rules=("QSG-02", "QSG-05", "QSG-06", "QSG-07"),
    minutes=15,
    set_up=_member_set_up,
    load=_member_load,
    # a queue of the same name on each member is two queues
    defect=lambda lab: lab["QMB"].mqsc("DEFINE QLOCAL(SAMPLES) SHARE DEFSOPT(SHARED) DEFPSIST(YES)").require(),
    work="%%mqsc QMA\n* your commands",
    answer=_MEMBER_ANSWER,
    solution=_member_solution,
    predictions=(
        Prediction(
            "waiting",
            "As it is: how many of the four samples have been analysed a quarter of an hour after QMA failed?",
            _analysed_in_time,
            lambda lab: first(lab.events.where(kind="stop", qmgr="QMA")),
        ),
        Prediction(
            "who",
            "When it works: which queue manager backs out the sample that QMA had in its hands? Its name.",
            lambda lab: first(lab.events.where(kind="backout", rule="QSG-07")).program,
            lambda lab: first(lab.events.where(kind="backout", rule="QSG-07")),
            solved=True,
        ),
    ),
    checks=(
        Check(
            "the four samples are analysed in time",
            lambda lab: _analysed_in_time(lab) == 4,
            lambda lab: f"{_analysed_in_time(lab)} of 4 samples were analysed in time",
            "QSG-07",
        ),
        Check(
            "none is analysed twice, and none is left",
            lambda lab: _committed(lab) == [1] * 4,
            lambda lab: f"the samples were analysed {', '.join(map(str, _committed(lab)))} times",
            "QSG-05",
        ),
        Check(
            "what QMA had in its hands was given back while it was away",
            lambda lab: bool(lab.events.where(kind="restore", object="SAMPLES", program="QMB")),
            lambda lab: "the sample in the hands of QMA was out of reach until QMA came back",
            "QSG-07",
        ),
    ),
    hints=(
        "While QMA is away, who can reach the messages on a queue of its own?",
        "A group can have one queue for all of its members. It is kept outside of the queue managers.",
        "A queue cannot be altered from one sort to the other: it is deleted and defined, with QSGDISP and CFSTRUCT.",
    ),
)


def _committed(lab) -> list[int]:
    """How often each sample was got in a unit of work that was committed."""
    units = {row.uow for row in lab.events.where(kind="commit")}
    gets = [row.message for row in done(lab, "get", "SAMPLES") if row.uow in units]
    return [gets.count(row.message) for row in done(lab, "put", "SAMPLES", program="CLERK")]


# ---------------------------------------------------------------- S04
def _structure_set_up(lab) -> None:
    lab.queue_sharing_group("HOTL", ["QMA", "QMB"])
    lab["QMA"].mqsc("""
        DEFINE CFSTRUCT(ROOMS) CFLEVEL(3) RECOVER(NO)
        DEFINE CFSTRUCT(ASKS) CFLEVEL(3) RECOVER(NO)
        DEFINE QLOCAL(BOOKINGS) QSGDISP(SHARED) CFSTRUCT(ROOMS) SHARE DEFSOPT(SHARED)
        DEFINE QLOCAL(QUESTIONS) QSGDISP(SHARED) CFSTRUCT(ASKS) SHARE DEFSOPT(SHARED)
        """).require()


def _structure_load(lab) -> None:
    """Three bookings and two questions; the coupling facility fails; a question; ten minutes later a recovery."""
    lab.advance(1)
    desk = lab["QMA"].connect("DESK")
    for number in range(3):
        _try(desk.put, "BOOKINGS", b"booking %d" % number)
    for number in range(2):
        _try(desk.put, "QUESTIONS", b"question %d" % number, persistent=False)
    lab.advance(60)
    lab.queue_sharing_groups[0].fail_coupling_facility()
    lab.advance(60)
    _try(desk.put, "QUESTIONS", b"question 2", persistent=False)
    lab.advance(600)
    for row in lab.events.where(kind="fault", object_type="CFSTRUCT"):
        lab["QMB"].mqsc(f"RECOVER CFSTRUCT({row.object})")
    lab.advance(60)


_STRUCTURE_ANSWER = """%%mqsc QMA
ALTER CFSTRUCT(ROOMS) CFLEVEL(4) RECOVER(YES)
ALTER QLOCAL(BOOKINGS) QSGDISP(SHARED) DEFPSIST(YES)"""

STRUCTURE = Exercise(
    id="S04",
    title="The coupling facility fails",
    situation="A hotel's group keeps BOOKINGS in structure ROOMS and QUESTIONS in structure ASKS. DESK puts both with "
    "the persistence of the queue. Last night the coupling facility failed. RECOVER CFSTRUCT was typed after ten "
    "minutes, and every booking was gone.",
    task="After such a night the three bookings are there again. QUESTIONS, which anybody can ask again, takes new "
    "messages during those ten minutes already.",
    rules=("QSG-04", "QSG-08", "QSG-09", "QSG-10"),
    minutes=15,
    set_up=_structure_set_up,
    load=_structure_load,
    # half of it: what is not persistent is lost all the same
    defect=lambda lab: lab["QMA"].mqsc("ALTER CFSTRUCT(ROOMS) CFLEVEL(4) RECOVER(YES)").require(),
    work="%%mqsc QMA\n* your commands",
    answer=_STRUCTURE_ANSWER,
    solution=typed(_STRUCTURE_ANSWER),
    predictions=(
        Prediction(
            "bookings",
            "As it is: how many bookings are lost?",
            lambda lab: len(lab.events.where(kind="lost", object="BOOKINGS")),
            lambda lab: first(lab.events.where(kind="lost", object="BOOKINGS")),
        ),
        Prediction(
            "question",
            "As it is: is the question that is put while the facility is down refused? True or False.",
            lambda lab: bool(lab.events.where(kind="put", object="QUESTIONS", message=None)),
            lambda lab: done(lab, "put", "QUESTIONS")[-1],
        ),
    ),
    checks=(
        Check(
            "no booking is refused",
            lambda lab: len(done(lab, "put", "BOOKINGS")) == 3,
            lambda lab: f"{3 - len(done(lab, 'put', 'BOOKINGS'))} of 3 bookings were refused",
            "QSG-04",
        ),
        Check(
            "the three bookings are there after the recovery",
            lambda lab: bodies(lab, "QMB", "BOOKINGS") == ["booking 0", "booking 1", "booking 2"],
            lambda lab: f"{len(bodies(lab, 'QMB', 'BOOKINGS'))} of 3 bookings are there after the recovery",
            "QSG-08",
        ),
        Check(
            "a question is taken while the bookings are out of reach",
            lambda lab: bodies(lab, "QMB", "QUESTIONS")[-1:] == ["question 2"],
            lambda lab: "the question of that time was refused",
            "QSG-10",
        ),
    ),
    hints=(
        "Two things must be so for a message to come back: one is said of the structure, one of the message.",
        "A structure that can be recovered is out of reach until somebody recovers it; one that cannot be is made anew "
        "at once. Which of the two needs which?",
        "RECOVER and CFLEVEL of the structure; and where a program does not say whether its message is persistent, the "
        "queue does.",
    ),
)

EXERCISES = (MEMBER, STRUCTURE)
