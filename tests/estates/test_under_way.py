"""Transmission queues, expiry, events, and limits: what the checks find, prove, and fix."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each

XMITQ = "DEFINE QLOCAL(X) USAGE(XMITQ) "
STARTED = "TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) "
SDR = "\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME(there)\n"
SVR = "\nDEFINE CHANNEL(C) CHLTYPE(SVR) XMITQ(X)\n"
SPARE = SDR.replace("(C)", "(D)")
GOOD = XMITQ + STARTED + SDR
MY_INITQ = "DEFINE QLOCAL(MY.INITQ)\n" + GOOD.replace("SYSTEM.CHANNEL.", "MY.")
FOR_D = XMITQ + STARTED + "TRIGDATA(D)"
TO_QM2 = "DEFINE QREMOTE(R) RNAME(Q) RQMNAME(QM2) XMITQ(X)\n"
CAPPED = "DEFINE QLOCAL(Q) CAPEXPRY(50)\n"

CASES = {
    "xmitq-not-triggered": (XMITQ + SDR, [GOOD, XMITQ + SVR, XMITQ + SDR + "START CHANNEL(C)"]),
    "xmitq-without-channel": (XMITQ + STARTED, [GOOD, XMITQ + "PROCESS(MOVER) " + STARTED, "DEFINE QLOCAL(X)"]),
    "xmitq-trigger-data": (
        [
            FOR_D + SDR,
            XMITQ.replace("X)", "Y)", 1) + "\n" + FOR_D + SDR + SPARE.replace("(X)", "(Y)"),
            FOR_D + "\nDEFINE CHANNEL(D) CHLTYPE(RCVR)",
        ],
        [XMITQ + STARTED + "TRIGDATA(C)" + SDR, FOR_D.replace("SYSTEM.CHANNEL.", "MY.") + SDR, GOOD, FOR_D],
    ),
    ("xmitq-initq", "zos"): (MY_INITQ, GOOD),
    "xmitq-initq": (MY_INITQ, GOOD),
    "xmitq-two-channels": (GOOD + SPARE, [GOOD, GOOD + SPARE.replace("(X)", "(Y)")]),
    "xmitq-disabled": (XMITQ + "GET(DISABLED) PUT(DISABLED)", [XMITQ, "DEFINE QLOCAL(X) GET(DISABLED)"]),
    "xmitq-short": (
        {"QM1": TO_QM2 + XMITQ + "MAXMSGL(4194303)", "QM2": "DEFINE QLOCAL(Q)"},
        [{"QM1": TO_QM2 + XMITQ, "QM2": "DEFINE QLOCAL(Q)"}, TO_QM2 + XMITQ + "MAXMSGL(100)"],
    ),
    "expiry-cap-invalid": (
        [
            "DEFINE QLOCAL(Q) CUSTOM('CAPEXPRY(5 s)')",
            "DEFINE QALIAS(Q) CUSTOM('CAPEXPIRY(50) A(B)')\nDEFINE QLOCAL(R) CUSTOM('CAPEXPRY=50')",
        ],
        ["DEFINE QLOCAL(Q) CUSTOM('CAPEXPRY(NOLIMIT)')", "DEFINE QLOCAL(Q) CUSTOM('capexpry( 50 )')"],
    ),
    ("expiry-cap-ignored", "vse"): ("DEFINE QLOCAL(Q) CUSTOM('CAPEXPRY(50)')", "DEFINE QLOCAL(Q) CUSTOM('A(B)')"),
    "expiry-cap-twice": (
        [
            "DEFINE QLOCAL(Q) CAPEXPRY(60) CUSTOM('CAPEXPRY(50)')",
            "DEFINE QLOCAL(Q) CUSTOM('CAPEXPRY(100) CAPEXPRY(200)')\n"
            "DEFINE QLOCAL(P) CAPEXPRY(5) CUSTOM('CAPEXPRY(5) CAPEXPRY(6)')\n"
            "DEFINE QLOCAL(N) CUSTOM('CAPEXPRY(NOLIMIT) CAPEXPRY(6)')\n"
            "DEFINE QALIAS(A) TARGET(Q) CUSTOM('X(1) capexpry(9)CAPEXPRY(8)')",
        ],
        [
            "DEFINE QLOCAL(Q) CAPEXPRY(50) CUSTOM('CAPEXPRY(50)')",
            "DEFINE QLOCAL(Q) CUSTOM('CAPEXPRY(100) CAPEXPRY(100)')",
        ],
    ),
    "expiry-cap-hidden": (
        [
            CAPPED
            + "DEFINE QALIAS(A) TARGET(Q) CUSTOM('CAPEXPRY(51)')\nDEFINE QALIAS(C) LIKE(A) TARGET(Q) PUT(DISABLED)",
            TO_QM2 + "ALTER QREMOTE(R) CAPEXPRY(60)\n" + XMITQ + "CAPEXPRY(50)",
        ],
        [
            CAPPED + "DEFINE QALIAS(A) TARGET(Q) CAPEXPRY(50)",
            "DEFINE QLOCAL(Q)\nDEFINE QALIAS(A) TARGET(Q) CAPEXPRY(51)",
            TO_QM2 + XMITQ,
        ],
    ),
    "expiry-cap-in-transit": (XMITQ + "CAPEXPRY(50)", CAPPED),
    "expiry-cap-set-aside": (
        [
            CAPPED + "DEFINE QLOCAL(R) BOQNAME(Q)",
            CAPPED + "ALTER QMGR DEADQ(Q)",
            "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)\nALTER QLOCAL(SYSTEM.DEAD.LETTER.QUEUE) CAPEXPRY(50)",
        ],
        [CAPPED, "ALTER QLOCAL(SYSTEM.DEAD.LETTER.QUEUE) DESCR('CAPEXPRY(50)')"],
    ),
    "expiry-cap-system": (
        [
            "ALTER QLOCAL(SYSTEM.CHANNEL.SYNCQ) CAPEXPRY(50)",
            "ALTER QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) CUSTOM('CAPEXPRY(50)')",
            "ALTER QALIAS(SYSTEM.DEFAULT.ALIAS.QUEUE) CAPEXPRY(50)",
            "ALTER QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE) CAPEXPRY(50)",
        ],
        "ALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) CAPEXPRY(50)",
    ),
    ("expiry-scan-off", "zos"): (CAPPED, [CAPPED + "ALTER QMGR EXPRYINT(60)", "DEFINE QLOCAL(Q)"]),
    "events-off": (
        ["DEFINE QLOCAL(Q) QDPHIEV(ENABLED)", "DEFINE QLOCAL(Q) QDPHIEV(ENABLED) MAXMSGL(5)"],
        [
            "DEFINE QLOCAL(Q) QDPHIEV(ENABLED)\nALTER QMGR PERFMEV(ENABLED)",
            "DEFINE QLOCAL(Q) QDPMAXEV(ENABLED)",
            "DEFINE QLOCAL(Q) MAXMSGL(5)",
        ],
    ),
    "events-depths-crossed": (
        "DEFINE QLOCAL(Q) QDEPTHHI(20) QDEPTHLO(21)",
        "DEFINE QLOCAL(Q) QDEPTHHI(20) QDEPTHLO(20) QDPHIEV(ENABLED)",
    ),
    "events-interval-huge": (
        "DEFINE QLOCAL(Q) QSVCIEV(HIGH)",
        ["DEFINE QLOCAL(Q) QSVCIEV(OK) QSVCINT(1000)", "DEFINE QLOCAL(Q)"],
    ),
    "events-without-queue": (
        "DELETE QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) PURGE",
        ["DELETE QLOCAL(SYSTEM.ADMIN.PERFM.EVENT)", "ALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) GET(DISABLED)"],
    ),
    "queue-depth-none": ("DEFINE QLOCAL(Q) MAXDEPTH(0)", "DEFINE QLOCAL(Q) MAXDEPTH(1)"),
    "queue-depth-odd": (
        "DEFINE QLOCAL(Q) MAXDEPTH(1)\nDEFINE QLOCAL(R) MAXDEPTH(999999999)",
        (
            "DEFINE QLOCAL(Q) MAXDEPTH(2)\nDEFINE QLOCAL(R) MAXDEPTH(100000)\n"
            "DEFINE QLOCAL(X) USAGE(XMITQ) MAXDEPTH(999999999)\n"
            "DEFINE QLOCAL(D) MAXDEPTH(999999999)\nALTER QMGR DEADQ(D)"
        ),
    ),
    "queue-longer-than-qmgr": (
        "DEFINE QLOCAL(Q) MAXMSGL(5000000)",
        ["ALTER QMGR MAXMSGL(5000000)\nDEFINE QLOCAL(Q) MAXMSGL(5000000)", "DEFINE QLOCAL(Q)"],
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_a_length_that_no_script_gives_is_called_the_default():
    for text, says in (
        ("", "no script here sets MAXMSGL of QM1 (default 4194304)"),
        ("ALTER QMGR MAXMSGL(40000)\n", "QM1 MAXMSGL(40000)"),
    ):
        (found,) = found_by(estate_of(f"{text}DEFINE QLOCAL(Q) MAXMSGL(5000000)"), "queue-longer-than-qmgr")
        assert f"MAXMSGL(5000000), and {says}: a longer put" in found.said
