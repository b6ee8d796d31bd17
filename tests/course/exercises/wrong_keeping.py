"""Wrong answers to each exercise of the module: what someone might do, and words of the symptom that refuses it."""

from mqlab.course.exercises.bank import keeping
from mqlab.course.exercises.exercise import typed


def _mqsc(text):
    return lambda lab: lab["QM1"].mqsc(text)


def _restart(lab):
    lab["QM1"].stop()
    lab["QM1"].start()
    lab.advance(1)


def _pay(*tills):
    def act(lab):
        for till in tills:
            lab["QM1"].put("PAYMENTS", "paid", correl_id=till)
        lab.advance(1)

    return act


ONCE = keeping.ONCE.answer

WRONG = {
    "Q09": [
        ("the queue again", _mqsc("ALTER QLOCAL(ORDERS) DEFPSIST(YES)"), "1 of 4 orders survived"),
        ("a class for the queue", _mqsc("ALTER QLOCAL(ORDERS) NPMCLASS(HIGH)"), "the test message survived"),
        (
            "a queue in the alias's place",
            _mqsc("DELETE QALIAS(ORDERS.IN)\nDEFINE QLOCAL(ORDERS.IN) DEFPSIST(YES)"),
            "1 of 4 orders survived",
        ),
    ],
    "Q10": [
        ("the queue alone", _mqsc("ALTER QLOCAL(PARCELS) SHARE"), "1 packer opened PARCELS"),
        ("the default alone", _mqsc("ALTER QLOCAL(PARCELS) DEFSOPT(SHARED)"), "1 open failed with 2042"),
    ],
    "Q11": [
        ("a restart", _restart, "BILLING got the sales of no till"),
        ("everyone is paid", _pay("TILL1", "TILL2", "TILL3"), "BILLING got the sales of TILL2, TILL1, TILL3"),
        ("the first that waits", _pay("TILL1"), "1 unit of work is open"),
        ("a payment for nobody", _pay("SALES"), "BILLING got the sales of no till"),
    ],
    "Q12": [
        ("only the get", typed(keeping.ONCE.defect), "2 x apple cake"),
        ("only the put", typed(ONCE.replace("unit.get", "app.get")), "BAKED holds 1 x plum cake, 0 x nut cake"),
    ],
    "A01": [
        ("no limit in the command", typed(keeping.DEFINED.defect), "accepted 10, 6, 10 orders"),
        (
            "today's limit in the command",
            typed(keeping.DEFINED.work.replace("(4)", "(20)")),
            "accepted 10, 6, 4 orders",
        ),
        (
            "no command",
            typed('def startup(app, trigger):\n    pass\n\n\nlab["QM1"].program("STARTUP", startup)'),
            "fails with 2085",
        ),
        (
            "only the queue",
            typed(keeping.DEFINED.work.replace(" REPLACE DEFPSIST(YES) MAXDEPTH(4)", "")),
            "is nonpersistent",
        ),
    ],
}
