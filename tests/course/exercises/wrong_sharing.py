"""Wrong answers to each exercise about sharing: what someone might do, and words of the symptom that refuses it."""


def at(name, commands):
    """MQSC as an answer."""
    return lambda lab: lab[name].mqsc(commands)


def everywhere(*names, commands):
    """The same MQSC at several queue managers."""
    return lambda lab: [lab[name].mqsc(commands) for name in names]


SHARED = "QSGDISP(SHARED) CFSTRUCT(LAB1) SHARE DEFSOPT(SHARED)"

WRONG = {
    "S01": [
        ("EVERY", at("QMA", "ALTER QLOCAL(PAYMENTS) QSGDISP(SHARED) TRIGTYPE(EVERY)"), "PAY was started 15 times"),
        (
            "one member has the queue",
            at("QMB", "DEFINE QLOCAL(ONE.INITQ)\nALTER QLOCAL(PAYMENTS) QSGDISP(SHARED) INITQ(ONE.INITQ) NOTRIGGER"),
            "PAY was started 0 times",
        ),
        (
            "one member, the one that ends",
            at("QMA", "DEFINE QLOCAL(ONE.INITQ)\nALTER QLOCAL(PAYMENTS) QSGDISP(SHARED) INITQ(ONE.INITQ)"),
            "PAY got 3 of 6 payments",
        ),
    ],
    "S02": [
        ("one of the two", at("QMB", "ALTER QMGR IGQ(ENABLED)"), "refused with 2087"),
        ("a transmission queue and no channel", at("QMA", "DEFINE QLOCAL(QMB) USAGE(XMITQ)"), "every put went to QMB"),
        ("letters only", everywhere("QMA", "QMB", commands="ALTER QMGR IGQ(ENABLED)"), "refused with 2030"),
        (
            "no room for the header",
            everywhere(
                "QMA",
                "QMB",
                commands="ALTER QMGR IGQ(ENABLED)\n"
                "ALTER QLOCAL(SYSTEM.QSG.TRANSMIT.QUEUE) QSGDISP(SHARED) MAXMSGL(90000)",
            ),
            "refused with 2030",
        ),
    ],
    "S03": [
        ("one on each", at("QMB", "DEFINE QLOCAL(SAMPLES) SHARE DEFSOPT(SHARED)"), "2 of 4 samples"),
        ("persistent by name", at("QMA", "ALTER QLOCAL(SAMPLES) DEFPSIST(YES)"), "out of reach until QMA came back"),
        (
            "shared, and closed to the clerk",
            at("QMA", f"DELETE QLOCAL(SAMPLES)\nDEFINE QLOCAL(SAMPLES) {SHARED} PUT(DISABLED)"),
            "0 of 4 samples",
        ),
    ],
    "S04": [
        (
            "persistent, and the structure cannot",
            at("QMA", "ALTER QLOCAL(BOOKINGS) QSGDISP(SHARED) DEFPSIST(YES)"),
            "3 of 3 puts of bookings failed",
        ),
        ("the structure only", at("QMA", "ALTER CFSTRUCT(ROOMS) CFLEVEL(4) RECOVER(YES)"), "0 of 3 bookings are there"),
        (
            "everything can be recovered",
            at(
                "QMA",
                "ALTER CFSTRUCT(ROOMS) RECOVER(YES)\nALTER CFSTRUCT(ASKS) RECOVER(YES)\n"
                "ALTER QLOCAL(BOOKINGS) QSGDISP(SHARED) DEFPSIST(YES)",
            ),
            "a question failed during that time",
        ),
    ],
}
