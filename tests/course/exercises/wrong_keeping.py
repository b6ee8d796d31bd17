"""Wrong answers to each exercise of the module: what somebody might do, and words of the symptom that refuses it."""


def _mqsc(text):
    return lambda lab: lab["QM1"].mqsc(text)


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
}
