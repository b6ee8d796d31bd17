"""Dead letters, backout, and triggers: what the checks find, prove, and fix."""

from estates.cases import Case, assert_case, estate_of, found_by

from helpers import for_each
from mqlab.estates.proofs import prove

HEAD = "* Queue manager name: QM1\n"
RCVR = "DEFINE CHANNEL(TO.QM1) CHLTYPE(RCVR)\n"
DEADQ = "ALTER QMGR DEADQ(DLQ)\n"
BOQ = "DEFINE QLOCAL(BOQ)\n"
PROGRAM = "DEFINE QLOCAL(IQ)\nDEFINE PROCESS(P) APPLICID(SERVER)\n"
TRIGGER = "DEFINE QLOCAL(Q) TRIGGER PROCESS(P) INITQ(IQ) "
MONITOR = "\nDEFINE SERVICE(S) CONTROL(QMGR) STARTCMD('/opt/mqm/bin/runmqtrm') STARTARG('{}')"
ZOS_Q = "DEFINE QLOCAL(Q) BOTHRESH(3) BOQNAME(BOQ) "

CASES = [
    Case(
        "dead-letter-queue-none",
        HEAD + RCVR,
        [HEAD + RCVR + "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)", HEAD + "DEFINE QLOCAL(Q)", RCVR],
    ),
    Case(
        "dead-letter-queue-none",
        HEAD + "DEFINE CHANNEL(TO.QM1) CHLTYPE(RQSTR) CONNAME(x)",
        HEAD + "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)",
    ),
    Case("dead-letter-queue-none", HEAD + PROGRAM + TRIGGER, HEAD + PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ)"),
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
    *(
        Case(
            check,
            dict.fromkeys(("QMA", "QMB"), f"DEF CFSTRUCT(CF) CFLEVEL(5)\n{queue} BOTHRESH(3) {boq} MAXMSGL(9000000)"),
            "DEFINE QLOCAL(Q)",
            "zos",
        )
        for check, boq in (("backout-without-queue", ""), ("backout-queue-missing", "BOQNAME(BOQ)"))
        for queue in ("DEF QL(Q) QSGDISP(GROUP)", "DEF QL(Q) QSGDISP(SHARED) CFSTRUCT(CF)")
    ),
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
    Case(
        "trigger-initiation-queue",
        "DEFINE QLOCAL(X) USAGE(XMITQ) TRIGGER INITQ(NOPE)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME(h)",
        PROGRAM + TRIGGER,
    ),
    Case("trigger-initiation-queue", f"DEFINE PROCESS(P)\nDEFINE QLOCAL('iq')\n{TRIGGER}", PROGRAM + TRIGGER),
    Case("trigger-process", f"DEFINE PROCESS('p')\nDEFINE QLOCAL(IQ)\n{TRIGGER}", PROGRAM + TRIGGER),
    Case("trigger-initiation-queue", "DEFINE QLOCAL(Q) TRIGGER PROCESS(P)\nDEFINE PROCESS(P)", PROGRAM + TRIGGER),
    Case(
        "trigger-depth-unreachable",
        PROGRAM + TRIGGER + "TRIGTYPE(DEPTH) TRIGDPTH(6) MAXDEPTH(5)",
        PROGRAM + TRIGGER + "TRIGTYPE(DEPTH) TRIGDPTH(5) MAXDEPTH(5)",
    ),
    Case("trigger-on-itself", PROGRAM + TRIGGER.replace("INITQ(IQ)", "INITQ(Q)"), PROGRAM + TRIGGER),
    Case(
        "trigger-every-exclusive",
        PROGRAM + TRIGGER + "TRIGTYPE(EVERY) NOSHARE",
        [PROGRAM + TRIGGER + "NOSHARE", PROGRAM + TRIGGER + "TRIGTYPE(EVERY) SHARE"],
    ),
    Case(
        "initiation-queue-short",
        PROGRAM + "ALTER QLOCAL(IQ) MAXMSGL(683)\n" + TRIGGER,
        [PROGRAM + "ALTER QLOCAL(IQ) MAXMSGL(684)\n" + TRIGGER, PROGRAM + "ALTER QLOCAL(IQ) MAXMSGL(683)"],
    ),
    Case(
        "initiation-queue-short",
        "ALTER QLOCAL(SYSTEM.CHANNEL.INITQ) MAXMSGL(100)\nDEFINE QLOCAL(X) USAGE(XMITQ) TRIGGER "
        "INITQ(SYSTEM.CHANNEL.INITQ)",
        "ALTER QLOCAL(SYSTEM.CHANNEL.INITQ) MAXMSGL(1000)\nDEFINE QLOCAL(X) USAGE(XMITQ) TRIGGER "
        "INITQ(SYSTEM.CHANNEL.INITQ)",
    ),
    *(
        Case(
            "trigger-monitor-elsewhere",
            PROGRAM + TRIGGER + MONITOR.format(reads) + more,
            [
                PROGRAM + TRIGGER + MONITOR.format("-q IQ -m +QMNAME+"),
                PROGRAM
                + TRIGGER
                + MONITOR.format(reads)
                + more
                + MONITOR.format('-m QM1 -q "IQ"').replace("(S)", "(T)"),
                {"QM1": PROGRAM + TRIGGER + MONITOR.format(f"-m QM2 {reads}") + more, "QM2": "DEFINE QLOCAL(Q)"},
                PROGRAM + MONITOR.format(reads) + more,
                PROGRAM + TRIGGER + MONITOR.format("-q ALSO") + "\nDEFINE QALIAS(ALSO) TARGET(IQ)",
                PROGRAM + TRIGGER + MONITOR.format(reads).replace("runmqtrm", "report") + more,
            ],
        )
        for reads, more in (("-q OTHER.IQ", ""), ("-q ''OTHER.IQ''", "\nDEFINE QLOCAL(OTHER.IQ)"), ("", ""))
    ),
    Case(
        "trigger-off",
        PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ)",
        [PROGRAM + TRIGGER, PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ) TRIGTYPE(DEPTH)"],
    ),
]


REFUSED = {
    "dead-letter-queue-missing": DEADQ + "DEFINE QLOCAL(DLQ) BOGUS(1)",
    "backout-queue-missing": ZOS_Q + "\nDEFINE QLOCAL(BOQ) BOGUS(1)",
    "trigger-process": "DEFINE QLOCAL(IQ)\nDEFINE PROCESS(P) APPLICID({{APP}})\n" + TRIGGER,
    "trigger-initiation-queue": "DEFINE QLOCAL(IQ) BOGUS(1)\nDEFINE PROCESS(P)\n" + TRIGGER,
}
SHARED = "DEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(CF) TRIGGER PROCESS(P) INITQ(IQ) BOTHRESH(1) BOQNAME(BOQ)"


@for_each("check", REFUSED)
def test_what_a_refused_command_defines_is_not_called_missing(check):
    assert found_by(estate_of(REFUSED[check]), check) == []


@for_each(("header", "severity"), [("", "warning"), ("* Queue manager name: QM1\n", "error")])
def test_a_missing_name_is_an_error_in_a_whole_dump_only(header, severity):
    found = estate_of(f"{header}{DEADQ}{TRIGGER} BOTHRESH(1) BOQNAME(BOQ)").findings()
    missing = {"dead-letter-queue-missing", "backout-queue-missing", "trigger-process", "trigger-initiation-queue"}
    assert {one.check: one.severity for one in found if one.check in missing} == dict.fromkeys(missing, severity)


@for_each(("depth", "says"), [(1, "takes 1 message,"), (2, "takes 2 messages,")])
def test_a_depth_of_one_is_one_message(depth, says):
    (found,) = found_by(estate_of(f"{DEADQ}{RCVR}DEF QL(DLQ) MAXDEPTH({depth})"), "dead-letter-queue-small")
    assert says in found.said


def test_any_member_of_a_group_may_trigger_a_shared_queue():
    estate = estate_of({"QMA": SHARED, "QMB": f"{SHARED}\n{PROGRAM}{BOQ}"}, "zos")
    assert [one for one in estate.findings() if one.check.startswith(("trigger", "backout"))] == []
    alone = estate_of({"QMA": SHARED, "QMB": f"{SHARED}\n{BOQ}"}, "zos")
    assert {one.check for one in alone.findings()} >= {"trigger-process", "trigger-initiation-queue"}


@for_each("platform", ["distributed", "zos", "vse"])
def test_the_proof_of_no_dead_letter_queue_needs_no_partner(platform):
    channel = "DEFINE CHANNEL(TO.QM1) CHLTYPE(RCVR) SEQWRAP(1000) SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384)"
    channel = HEAD.replace("QM1", "SENDER") + channel
    estate = estate_of({"SENDER": channel}, platform)
    (found,) = found_by(estate, "dead-letter-queue-none")
    assert prove(estate, found.proof).holds


@for_each("case", CASES)
def test_a_check_finds_proves_and_fixes(case):
    assert_case(case)


def test_a_name_in_another_case_is_taken_for_the_one_that_is_defined():
    estate = estate_of(f"DEFINE PROCESS('p')\nDEFINE QLOCAL('iq')\n{TRIGGER}")
    fixes = {one.check: (one.severity, one.fix) for one in estate.findings() if one.check.startswith("trigger")}
    assert fixes == {
        "trigger-process": ("error", "ALTER QLOCAL('Q') PROCESS('p')"),
        "trigger-initiation-queue": ("error", "ALTER QLOCAL('Q') INITQ('iq')"),
    }
