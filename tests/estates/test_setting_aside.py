"""Dead letters, backout, and triggers: what the checks find, prove, and mend."""

import pytest
from estates.cases import Case, assert_case

RCVR = "DEFINE CHANNEL(TO.QM1) CHLTYPE(RCVR)\n"
DEADQ = "ALTER QMGR DEADQ(DLQ)\n"
BOQ = "DEFINE QLOCAL(BOQ)\n"
PROGRAM = "DEFINE QLOCAL(IQ)\nDEFINE PROCESS(P) APPLICID(SERVER)\n"
TRIGGER = "DEFINE QLOCAL(Q) TRIGGER PROCESS(P) INITQ(IQ) "
ZOS_Q = "DEFINE QLOCAL(Q) BOTHRESH(3) BOQNAME(BOQ) "

CASES = [
    Case("dead-letter-queue-none", RCVR, [RCVR + "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)", "DEFINE QLOCAL(Q)"]),
    Case(
        "dead-letter-queue-none",
        "DEFINE CHANNEL(TO.QM1) CHLTYPE(RQSTR) CONNAME(x)",
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)",
    ),
    Case("dead-letter-queue-none", PROGRAM + TRIGGER, PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ)"),
    Case("dead-letter-queue-missing", DEADQ, DEADQ + "DEFINE QLOCAL(DLQ)"),
    Case(
        "dead-letter-queue-not-local",
        DEADQ + "DEFINE QMODEL(DLQ)",
        DEADQ + "DEFINE QLOCAL(DLQ) LIKE(SYSTEM.DEAD.LETTER.QUEUE)",
    ),
    Case(
        "dead-letter-queue-not-local",
        DEADQ + "DEFINE QLOCAL(DLQ) USAGE(XMITQ)",
        DEADQ + "DEFINE QLOCAL(X) USAGE(XMITQ)",
    ),
    Case(
        "dead-letter-queue-disabled",
        DEADQ + "DEFINE QLOCAL(DLQ) PUT(DISABLED) GET(DISABLED)",
        DEADQ + "DEFINE QLOCAL(DLQ)",
    ),
    Case(
        "dead-letter-queue-small",
        DEADQ + RCVR + "DEFINE QLOCAL(DLQ) MAXDEPTH(49) MAXMSGL(4194303)",
        [DEADQ + RCVR + "DEFINE QLOCAL(DLQ) MAXDEPTH(50) MAXMSGL(4194304)", DEADQ + "DEFINE QLOCAL(DLQ) MAXDEPTH(49)"],
    ),
    Case("backout-without-queue", "DEFINE QLOCAL(Q) BOTHRESH(3)", BOQ + "DEFINE QLOCAL(Q) BOTHRESH(3) BOQNAME(BOQ)"),
    Case("backout-without-threshold", BOQ + "DEFINE QLOCAL(Q) BOQNAME(BOQ)", "DEFINE QLOCAL(Q)"),
    Case(
        "backout-queue-missing",
        "DEFINE QLOCAL(Q) BOTHRESH(1) BOQNAME(BOQ)",
        BOQ + "DEFINE QLOCAL(Q) BOTHRESH(1) BOQNAME(BOQ)",
    ),
    *(
        Case("backout-queue-unfit", f"DEFINE {boq}\n{ZOS_Q}", f"DEFINE {good}\n{ZOS_Q}")
        for boq, good in (
            ("QLOCAL(BOQ) PUT(DISABLED)", "QLOCAL(BOQ) GET(DISABLED)"),
            ("QMODEL(BOQ)", "QREMOTE(BOQ) RNAME(R) RQMNAME(QM2)"),
            ("QLOCAL(BOQ) MAXMSGL(100)", "QLOCAL(BOQ)"),
            ("QLOCAL(BOQ) USAGE(XMITQ)", "QALIAS(BOQ) TARGET(SYSTEM.DEAD.LETTER.QUEUE)"),
        )
    ),
    Case("backout-loop", "DEFINE QLOCAL(Q) BOTHRESH(2) BOQNAME(Q)", BOQ + ZOS_Q),
    Case(
        "backout-loop", ZOS_Q + "\nDEFINE QLOCAL(BOQ) BOTHRESH(3) BOQNAME(Q)", ZOS_Q + "\nDEFINE QLOCAL(BOQ) BOQNAME(Q)"
    ),
    Case(
        "backout-count-lost",
        BOQ + ZOS_Q + "NOHARDENBO",
        [BOQ + ZOS_Q + "HARDENBO", "DEFINE QLOCAL(Q) NOHARDENBO"],
        "zos",
    ),
    Case("trigger-priority", PROGRAM + TRIGGER + "MSGDLVSQ(FIFO) TRIGMPRI(1)", PROGRAM + TRIGGER + "TRIGMPRI(1)"),
    Case("trigger-type", PROGRAM + TRIGGER + "TRIGTYPE(NONE)", PROGRAM + TRIGGER.replace("TRIGGER", "TRIGTYPE(NONE)")),
    Case("trigger-gets-disabled", PROGRAM + TRIGGER + "GET(DISABLED)", PROGRAM + TRIGGER, "zos"),
    Case("trigger-process", "DEFINE QLOCAL(IQ)\n" + TRIGGER, PROGRAM + TRIGGER),
    Case(
        "trigger-process",
        "DEFINE QLOCAL(Q) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)",
        "DEFINE QLOCAL(Q) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) USAGE(XMITQ)",
    ),
    *(
        Case("trigger-initiation-queue", f"DEFINE PROCESS(P)\n{initq}\n{TRIGGER}", PROGRAM + TRIGGER)
        for initq in (
            "",
            "DEFINE QLOCAL(IQ) PUT(DISABLED)",
            "DEFINE QALIAS(IQ) TARGET(BOQ)\n" + BOQ,
            "DEFINE QLOCAL(IQ) USAGE(XMITQ)",
        )
    ),
    Case("trigger-initiation-queue", "DEFINE QLOCAL(Q) TRIGGER PROCESS(P)\nDEFINE PROCESS(P)", PROGRAM + TRIGGER),
    Case(
        "trigger-depth-unreachable",
        PROGRAM + TRIGGER + "TRIGTYPE(DEPTH) TRIGDPTH(6) MAXDEPTH(5)",
        PROGRAM + TRIGGER + "TRIGTYPE(DEPTH) TRIGDPTH(5) MAXDEPTH(5)",
    ),
    Case("trigger-on-itself", PROGRAM + TRIGGER.replace("INITQ(IQ)", "INITQ(Q)"), PROGRAM + TRIGGER),
    Case(
        "trigger-off",
        PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ)",
        [PROGRAM + TRIGGER, PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ) TRIGTYPE(DEPTH)"],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_check_finds_proves_and_mends(case):
    assert_case(case)
