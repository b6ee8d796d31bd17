"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import estates
from mqlab.course.exercises.exercise import typed


def _fixed_but(qmgr, text):
    """All faults are fixed, and then a queue manager gets other commands."""

    def act(lab):
        typed(estates.CLINICS.answer)(lab)
        lab[qmgr].mqsc(text).require()

    return act


WRONG = {
    "D01": [
        ("the doctor's commands as they are", typed(estates.CLINICS.defect), "0 of 19 results came"),
        (
            "a program of that name",
            _fixed_but(
                "CORE", "DEFINE PROCESS(BILLING.RUN) APPLICID('PROGRAM')\nALTER QLOCAL(BILLING.IN) PROCESS(BILLING.RUN)"
            ),
            "0 of 24 bills are booked",
        ),
        (
            "a bigger board",
            _fixed_but("CORE", "ALTER QMGR EXPRYINT(OFF)\nALTER QLOCAL(ALARM.BOARD) MAXDEPTH(5000)"),
            "20 are on it in the end",
        ),
        (
            "alarms that do not expire",
            _fixed_but("CORE", "ALTER QMGR EXPRYINT(OFF)\nALTER QLOCAL(ALARM.BOARD) CUSTOM(' ')"),
            "ALARM.BOARD took 15 of 20 alarms",
        ),
        (
            "no threshold",
            _fixed_but("LABS", "ALTER QLOCAL(LAB.ORDERS.IN) BOTHRESH(0) BOQNAME(' ')"),
            "4 of 19 results came",
        ),
        ("no dead-letter queue", _fixed_but("WARD1", "ALTER QMGR DEADQ(' ')"), "WARD1 has 0 replies and 0 changes"),
        (
            "a queue of the wrong spelling",
            _fixed_but("WARD1", "DEFINE QLOCAL('Core') USAGE(XMITQ)\nALTER QREMOTE(BILLING.OUT) XMITQ('Core')"),
            "Core of WARD1 (5)",
        ),
        ("an old queue in use again", _fixed_but("WARD1", "ALTER QLOCAL(FAX.OUT) PUT(ENABLED)"), "1 of the 2 messages"),
    ]
}
