"""Dead letters, backout, and triggers: what the checks find, prove, and fix."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each
from mqlab.estates.proofs import prove

HEAD = "* Queue manager name: QM1\n"
RCVR = "DEFINE CHANNEL(TO.QM1) CHLTYPE(RCVR)\n"
DEADQ = "ALTER QMGR DEADQ(DLQ)\n"
DLQ = DEADQ + "DEFINE QLOCAL(DLQ)"
BOQ = "DEFINE QLOCAL(BOQ)\n"
PROGRAM = "DEFINE QLOCAL(IQ)\nDEFINE PROCESS(P) APPLICID(SERVER)\n"
TRIGGER = "DEFINE QLOCAL(Q) TRIGGER PROCESS(P) INITQ(IQ) "
FIRES = PROGRAM + TRIGGER
SENDS = "DEFINE QLOCAL(X) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)"
MONITOR = "\nDEFINE SERVICE(S) CONTROL(QMGR) STARTCMD('/opt/mqm/bin/runmqtrm') STARTARG('{}')"
ZOS_Q = "DEFINE QLOCAL(Q) BOTHRESH(3) BOQNAME(BOQ) "

ELSEWHERE = (
    MONITOR.format("-q OTHER.IQ"),
    MONITOR.format("-q ''OTHER.IQ''") + "\nDEFINE QLOCAL(OTHER.IQ)",
    MONITOR.format(""),
)
GROUPED = [
    f"DEF CFSTRUCT(CF) CFLEVEL(5)\nDEF QL(Q) QSGDISP({disp} BOTHRESH(3) MAXMSGL(9000000)"
    for disp in ("GROUP)", "SHARED) CFSTRUCT(CF)")
]
CASES = {
    "dead-letter-queue-none": (
        [HEAD + RCVR, HEAD + "DEFINE CHANNEL(TO.QM1) CHLTYPE(RQSTR) CONNAME(x)", HEAD + PROGRAM + TRIGGER],
        [
            HEAD + RCVR + "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)",
            HEAD + "DEFINE QLOCAL(Q)",
            RCVR,
            HEAD + "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)",
            HEAD + PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ)",
        ],
    ),
    "dead-letter-queue-missing": (DEADQ, DLQ),
    "dead-letter-queue-not-local": (
        [DEADQ + "DEFINE QMODEL(DLQ)", DLQ + " USAGE(XMITQ)"],
        [DLQ + " LIKE(SYSTEM.DEAD.LETTER.QUEUE)", DEADQ + "DEFINE QLOCAL(X) USAGE(XMITQ)"],
    ),
    "dead-letter-queue-disabled": (DLQ + " PUT(DISABLED) GET(DISABLED)", DLQ),
    "dead-letter-queue-small": (
        RCVR + DLQ + " MAXDEPTH(49) MAXMSGL(4194303)",
        [RCVR + DLQ + " MAXDEPTH(50) MAXMSGL(4194304)", DLQ + " MAXDEPTH(49)"],
    ),
    "backout-without-queue": ("DEFINE QLOCAL(Q) BOTHRESH(3)", BOQ + ZOS_Q),
    ("backout-without-queue", "zos"): ([dict.fromkeys(("QMA", "QMB"), each) for each in GROUPED], "DEFINE QLOCAL(Q)"),
    ("backout-queue-missing", "zos"): (
        [dict.fromkeys(("QMA", "QMB"), f"{each} BOQNAME(BOQ)") for each in GROUPED],
        "DEFINE QLOCAL(Q)",
    ),
    "backout-without-threshold": (BOQ + "DEFINE QLOCAL(Q) BOQNAME(BOQ)", "DEFINE QLOCAL(Q)"),
    "backout-queue-missing": (ZOS_Q.replace("(3)", "(1)"), BOQ + ZOS_Q.replace("(3)", "(1)")),
    "backout-queue-unfit": (
        [
            f"DEFINE {boq}\n{ZOS_Q}"
            for boq in (
                "QLOCAL(BOQ) PUT(DISABLED)",
                "QMODEL(BOQ)",
                "QLOCAL(BOQ) MAXMSGL(100)",
                "QLOCAL(BOQ) USAGE(XMITQ)",
            )
        ],
        [
            f"DEFINE QLOCAL(BOQ) GET(DISABLED)\n{ZOS_Q}",
            f"DEFINE QREMOTE(BOQ) RNAME(R) RQMNAME(QM2)\n{ZOS_Q}",
            f"DEFINE QLOCAL(BOQ)\n{ZOS_Q}",
            f"DEFINE QALIAS(BOQ) TARGET(SYSTEM.DEAD.LETTER.QUEUE)\n{ZOS_Q}",
        ],
    ),
    "backout-loop": (
        ["DEFINE QLOCAL(Q) BOTHRESH(2) BOQNAME(Q)", ZOS_Q + "\nDEFINE QLOCAL(BOQ) BOTHRESH(3) BOQNAME(Q)"],
        [BOQ + ZOS_Q, ZOS_Q + "\nDEFINE QLOCAL(BOQ) BOQNAME(Q)"],
    ),
    ("backout-count-lost", "zos"): (
        BOQ + ZOS_Q + "NOHARDENBO",
        [BOQ + ZOS_Q + "HARDENBO", "DEFINE QLOCAL(Q) NOHARDENBO"],
    ),
    "trigger-priority": (FIRES + "MSGDLVSQ(FIFO) TRIGMPRI(1)", FIRES + "TRIGMPRI(1)"),
    "trigger-type": (FIRES + "TRIGTYPE(NONE)", FIRES.replace("TRIGGER", "TRIGTYPE(NONE)")),
    ("trigger-gets-disabled", "zos"): (FIRES + "GET(DISABLED)", FIRES),
    "trigger-process": (
        [
            "DEFINE QLOCAL(IQ)\n" + TRIGGER,
            "DEFINE QLOCAL(Q) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)",
            f"DEFINE PROCESS('p')\nDEFINE QLOCAL(IQ)\n{TRIGGER}",
        ],
        [FIRES, "DEFINE QLOCAL(Q) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) USAGE(XMITQ)"],
    ),
    "trigger-initiation-queue": (
        [
            f"DEFINE PROCESS(P)\n{TRIGGER}",
            f"DEFINE PROCESS(P)\nDEFINE QLOCAL(IQ) PUT(DISABLED)\n{TRIGGER}",
            f"DEFINE PROCESS(P)\nDEFINE QALIAS(IQ) TARGET(BOQ)\n{BOQ}{TRIGGER}",
            f"DEFINE PROCESS(P)\nDEFINE QLOCAL(IQ) USAGE(XMITQ)\n{TRIGGER}",
            f"DEFINE PROCESS(P)\nDEFINE QLOCAL('iq')\n{TRIGGER}",
            "DEFINE QLOCAL(X) USAGE(XMITQ) TRIGGER INITQ(NOPE)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME(h)",
            "DEFINE QLOCAL(Q) TRIGGER PROCESS(P)\nDEFINE PROCESS(P)",
        ],
        FIRES,
    ),
    "trigger-depth-unreachable": (
        FIRES + "TRIGTYPE(DEPTH) TRIGDPTH(6) MAXDEPTH(5)",
        FIRES + "TRIGTYPE(DEPTH) TRIGDPTH(5) MAXDEPTH(5)",
    ),
    "trigger-on-itself": (FIRES.replace("INITQ(IQ)", "INITQ(Q)"), FIRES),
    "trigger-every-exclusive": (
        FIRES + "TRIGTYPE(EVERY) NOSHARE",
        [FIRES + "NOSHARE", FIRES + "TRIGTYPE(EVERY) SHARE"],
    ),
    "initiation-queue-short": (
        [
            PROGRAM + "ALTER QLOCAL(IQ) MAXMSGL(683)\n" + TRIGGER,
            "ALTER QLOCAL(SYSTEM.CHANNEL.INITQ) MAXMSGL(100)\n" + SENDS,
        ],
        [
            PROGRAM + "ALTER QLOCAL(IQ) MAXMSGL(684)\n" + TRIGGER,
            PROGRAM + "ALTER QLOCAL(IQ) MAXMSGL(683)",
            "ALTER QLOCAL(SYSTEM.CHANNEL.INITQ) MAXMSGL(1000)\n" + SENDS,
        ],
    ),
    "trigger-monitor-elsewhere": (
        [FIRES + each for each in ELSEWHERE],
        [
            FIRES + MONITOR.format("-q IQ -m +QMNAME+"),
            FIRES + MONITOR.format("-q ALSO") + "\nDEFINE QALIAS(ALSO) TARGET(IQ)",
            *(FIRES + each + MONITOR.format('-m QM1 -q "IQ"').replace("(S)", "(T)") for each in ELSEWHERE),
            *({"QM1": FIRES + each.replace("ARG('", "ARG('-m QM2 "), "QM2": "DEFINE QLOCAL(Q)"} for each in ELSEWHERE),
            *(PROGRAM + each for each in ELSEWHERE),
            *(FIRES + each.replace("runmqtrm", "report") for each in ELSEWHERE),
        ],
    ),
    "trigger-off": (
        PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ)",
        [FIRES, PROGRAM + "DEFINE QLOCAL(Q) PROCESS(P) INITQ(IQ) TRIGTYPE(DEPTH)"],
    ),
}
REFUSED = {
    "dead-letter-queue-missing": DLQ + " BOGUS(1)",
    "backout-queue-missing": ZOS_Q + "\nDEFINE QLOCAL(BOQ) BOGUS(1)",
    "trigger-process": "DEFINE QLOCAL(IQ)\nDEFINE PROCESS(P) APPLICID({{APP}})\n" + TRIGGER,
    "trigger-initiation-queue": "DEFINE QLOCAL(IQ) BOGUS(1)\nDEFINE PROCESS(P)\n" + TRIGGER,
}
SHARED = "DEFINE QLOCAL(Q) QSGDISP(SHARED) CFSTRUCT(CF) TRIGGER PROCESS(P) INITQ(IQ) BOTHRESH(1) BOQNAME(BOQ)"


@for_each("check", REFUSED)
def test_what_a_refused_command_defines_is_not_called_missing(check):
    assert found_by(estate_of(REFUSED[check]), check) == []


@for_each(("header", "severity"), [("", "warning"), (HEAD, "error")])
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


test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_a_name_in_another_case_is_taken_for_the_one_that_is_defined():
    estate = estate_of(f"DEFINE PROCESS('p')\nDEFINE QLOCAL('iq')\n{TRIGGER}")
    fixes = {one.check: (one.severity, one.fix) for one in estate.findings() if one.check.startswith("trigger")}
    assert fixes == {
        "trigger-process": ("error", "ALTER QLOCAL('Q') PROCESS('p')"),
        "trigger-initiation-queue": ("error", "ALTER QLOCAL('Q') INITQ('iq')"),
    }
