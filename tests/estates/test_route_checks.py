"""The checks of routes and channels, each with scripts that trigger it, and scripts that nearly do."""

from estates.cases import Case, assert_case, estate_of, found_by

from helpers import for_each

XMITQ = "DEFINE QLOCAL(QM2) USAGE(XMITQ)\n"
SENDER = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(QM2)\n"
RECEIVER = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)\n"
REMOTE = "DEFINE QREMOTE(ORDERS) RNAME(IN) RQMNAME(QM2)\n"
CLUSTER = "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CLUSTER(ALL) CONNAME(h)\n"
DEAD = "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)\n"
BACK = "DEFINE QLOCAL(QM1) USAGE(XMITQ)\nDEFINE CHANNEL(QM2.QM1) CHLTYPE(SDR) CONNAME(QM1) XMITQ(QM1)\n"
QM1 = REMOTE + XMITQ + SENDER


def two(qm1=QM1, qm2=RECEIVER):
    return {"QM1": qm1, "QM2": qm2}


AWAY = (
    "DEFINE QLOCAL(LANE) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)\n"
    "DEFINE CHANNEL(OUT) CHLTYPE(SDR) XMITQ(LANE) CONNAME('far')\n"
    "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(ITS.NAME) XMITQ(LANE)"
)
CASES = [
    Case(
        "alias-target-type",
        "DEFINE QLOCAL(Q)\nDEFINE QALIAS(B) TARGET(Q)\nDEFINE QALIAS(A) TARGET(B)\nDEFINE QALIAS(M) TARGET(MODEL)\n"
        "DEFINE QMODEL(MODEL)",
        "DEFINE QALIAS(A) TARGET(ORDERS)\n" + REMOTE + XMITQ,
    ),
    Case(
        "remote-xmitq-missing",
        "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM2) XMITQ(NOPE)\nDEFINE QREMOTE(B) RNAME(' ') RQMNAME(QM2) XMITQ(NOPE)",
        [XMITQ + "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM7) XMITQ(QM2)", REMOTE],
    ),
    Case("remote-xmitq-missing", f"DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM9) XMITQ('qm2')\n{XMITQ}", XMITQ),
    Case(
        "remote-xmitq-wrong",
        REMOTE + "DEFINE QLOCAL(QM2)",
        [
            REMOTE + XMITQ,
            "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM3) XMITQ(QM2)\n" + XMITQ + "DEFINE QLOCAL(QM3)",
            "DEFINE QREMOTE(ANSWERS) RNAME(IN) RQMNAME(RELIEF)\nDEFINE QREMOTE(RELIEF) RNAME(' ') RQMNAME(QM1)",
        ],
    ),
    Case(
        "remote-xmitq-wrong",
        SENDER
        + XMITQ
        + "DEFINE QREMOTE(HQ) RNAME(' ') RQMNAME(HQ) XMITQ(QM2)\nDEFINE QREMOTE(A) RNAME(IN) RQMNAME(HQ)",
        SENDER + XMITQ + "DEFINE QREMOTE(HQ) RNAME(' ') RQMNAME(HQ) XMITQ(QM2)",
    ),
    Case(
        "remote-qmgr-unknown",
        REMOTE + "DEFINE QREMOTE(HQ) RNAME(' ') RQMNAME(DEPOT)",
        [
            REMOTE + XMITQ,
            REMOTE + "DEFINE QLOCAL(ALL) USAGE(XMITQ)\nALTER QMGR DEFXMITQ(ALL)",
            REMOTE + CLUSTER,
            two(
                "DEFINE QREMOTE(ANSWERS) RNAME(IN) RQMNAME(RELIEF)",
                "DEFINE QREMOTE(RELIEF) RNAME(' ') RQMNAME(QM1)\nDEFINE QLOCAL(QM1) USAGE(XMITQ)",
            ),
        ],
    ),
    Case("remote-qmgr-unknown", f"DEFINE QREMOTE(A) RNAME(IN) RQMNAME('qm2')\n{XMITQ}", QM1),
    Case(
        "remote-to-itself",
        "DEFINE QREMOTE(A) RNAME(Q) RQMNAME(QM1)\nDEFINE QLOCAL(Q)",
        [
            REMOTE + XMITQ,
            "DEFINE QREMOTE(A) RNAME(' ') RQMNAME(QM1)",
            CLUSTER + "DEFINE QREMOTE(A) RNAME(Q) RQMNAME(' ')",
        ],
    ),
    Case("default-xmitq-wrong", "ALTER QMGR DEFXMITQ(NOPE)", XMITQ + "ALTER QMGR DEFXMITQ(QM2)"),
    Case("default-xmitq-wrong", "ALTER QMGR DEFXMITQ(Q)\nDEFINE QLOCAL(Q)", "DEFINE QLOCAL(Q)"),
    Case("default-xmitq-wrong", "ALTER QMGR DEFXMITQ(A)\nDEFINE QALIAS(A) TARGET(Q)\nDEFINE QLOCAL(Q)", XMITQ),
    Case("default-xmitq-wrong", "ALTER QMGR DEFXMITQ('qm2')\n" + XMITQ, XMITQ),
    Case(
        "remote-target-missing",
        two(qm2=RECEIVER + DEAD),
        [two(qm2=RECEIVER + "DEFINE QLOCAL(IN)"), QM1, two(qm2=RECEIVER + CLUSTER), two(REMOTE + XMITQ)],
    ),
    Case(
        "remote-target-missing",
        {"QM1": AWAY.replace("LANE", "QM2"), "QM2": "DEFINE CHANNEL(OUT) CHLTYPE(RCVR)"},
        {"one": AWAY, "two": "DEFINE CHANNEL(OUT) CHLTYPE(RCVR)\nDEFINE QLOCAL(IN)"},
    ),
    Case("remote-target-missing", two(), two(qm2=RECEIVER + "DEFINE QALIAS(IN) TARGET(Q)\nDEFINE QLOCAL(Q)")),
    Case("remote-target-missing", two(qm2=RECEIVER + "DEFINE QLOCAL('in')"), two(qm2=RECEIVER + "DEFINE QLOCAL(IN)")),
    Case(
        "remote-target-missing",
        two(qm2=RECEIVER.replace("(RCVR)", "(RCVR) SEQWRAP(99999)")),
        two(qm2="DEFINE QLOCAL(IN)"),
    ),
    Case(
        "remote-target-closed",
        two(qm2=RECEIVER + DEAD + "DEFINE QLOCAL(IN) PUT(DISABLED)"),
        two(qm2=RECEIVER + DEAD + "DEFINE QLOCAL(IN) GET(DISABLED)"),
    ),
    Case(
        "remote-target-closed",
        two(qm2=RECEIVER + "DEFINE QALIAS(IN) TARGET(Q)\nDEFINE QLOCAL(Q) MAXDEPTH(0)"),
        two(qm2=RECEIVER + "DEFINE QALIAS(IN) TARGET(Q)\nDEFINE QLOCAL(Q) MAXDEPTH(1)"),
    ),
    Case(
        "remote-target-short",
        two(qm2=RECEIVER + DEAD + "DEFINE QLOCAL(IN) MAXMSGL(1000)"),
        [
            two(qm2=RECEIVER + "DEFINE QLOCAL(IN)"),
            two(QM1 + "ALTER QLOCAL(QM2) MAXMSGL(1400)", RECEIVER + "DEFINE QLOCAL(IN) MAXMSGL(1000)"),
        ],
    ),
    Case(
        "route-loops",
        two(
            QM1 + "DEFINE CHANNEL(QM2.QM1) CHLTYPE(RCVR)",
            RECEIVER + BACK + "DEFINE QREMOTE(IN) RNAME(ORDERS) RQMNAME(QM1)",
        ),
        two(
            QM1 + "DEFINE CHANNEL(QM2.QM1) CHLTYPE(RCVR)\nDEFINE QLOCAL(HERE)",
            RECEIVER + BACK + "DEFINE QREMOTE(IN) RNAME(HERE) RQMNAME(QM1)",
        ),
    ),
    Case(
        "route-loops",
        two(
            QM1 + "ALTER QLOCAL(QM2) GET(DISABLED)\nDEFINE CHANNEL(QM2.QM1) CHLTYPE(RCVR)",
            RECEIVER + BACK + "DEFINE QREMOTE(IN) RNAME(ORDERS) RQMNAME(QM1)",
        ),
        [],
    ),
    Case("names-differ-in-case", "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL('orders')", "DEFINE QLOCAL('orders')"),
    Case("channel-xmitq-missing", SENDER, [SENDER + XMITQ, "DEFINE CHANNEL(C) CHLTYPE(RCVR)"]),
    Case("channel-xmitq-missing", SENDER + "DEFINE QLOCAL('qm2') USAGE(XMITQ)", SENDER + XMITQ),
    Case("channel-xmitq-wrong", SENDER + "DEFINE QLOCAL(QM2)", SENDER + XMITQ),
    Case("channel-xmitq-wrong", SENDER.replace("XMITQ(QM2)", "XMITQ(SYSTEM.DEFAULT.LOCAL.QUEUE)"), SENDER + XMITQ),
    Case(
        "channel-not-answered",
        two(qm2=""),
        [two(), QM1, two(qm2="ALTER QMGR CHAD(ENABLED)"), two(qm2=RECEIVER.replace("(RCVR)", "(RQSTR) CONNAME(QM1)"))],
    ),
    Case("channel-not-answered", two(qm2="DEFINE CHANNEL('qm1.qm2') CHLTYPE(RCVR)"), two()),
    Case(
        "channel-types-differ",
        two(qm2="DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) CONNAME(QM1) XMITQ(QM1)\nDEFINE QLOCAL(QM1) USAGE(XMITQ)"),
        [two(), two(qm2=RECEIVER.replace("(RCVR)", "(RQSTR) CONNAME(QM1)"))],
    ),
    Case(
        "channel-seqwrap",
        two(qm2=RECEIVER.replace("(RCVR)", "(RCVR) SEQWRAP(9999)")),
        two(
            QM1.replace("XMITQ(QM2)\n", "XMITQ(QM2) SEQWRAP(9999)\n"),
            RECEIVER.replace("(RCVR)", "(RCVR) SEQWRAP(9999)"),
        ),
    ),
    Case(
        "channel-cipher-differs",
        two(QM1.replace("XMITQ(QM2)\n", "XMITQ(QM2) SSLCIPH(ANY_TLS12)\n")),
        two(
            QM1.replace("XMITQ(QM2)\n", "XMITQ(QM2) SSLCIPH(ANY_TLS12)\n"),
            RECEIVER.replace("(RCVR)", "(RCVR) SSLCIPH(ANY)"),
        ),
    ),
    Case(
        "channel-shorter-than-xmitq",
        XMITQ + SENDER.replace("(SDR)", "(SDR) MAXMSGL(2000)"),
        [
            XMITQ + SENDER,
            XMITQ.replace("XMITQ)", "XMITQ) MAXMSGL(2000)") + SENDER.replace("(SDR)", "(SDR) MAXMSGL(2000)"),
        ],
    ),
    Case("channel-shorter-than-xmitq", two(qm2=RECEIVER.replace("(RCVR)", "(RCVR) MAXMSGL(2000)")), two()),
    Case(
        "channel-shorter-than-xmitq",
        two(QM1.replace("(SDR)", "(SDR) MAXMSGL(3000)"), RECEIVER.replace("(RCVR)", "(RCVR) MAXMSGL(2000)")),
        two(),
    ),
    Case(
        "channel-shorter-than-xmitq",
        two(QM1.replace("(SDR)", "(SDR) MAXMSGL(3000)"), RECEIVER.replace("(RCVR)", "(RCVR) SEQWRAP(9999)")),
        two(),
    ),
    Case(
        "receiver-not-called",
        two("DEFINE QLOCAL(Q)"),
        [two(), RECEIVER, two("", RECEIVER.replace("QM1.QM2", "ANY.QM2"))],
    ),
]


@for_each("case", CASES)
def test_a_check_finds_proves_and_fixes(case):
    assert_case(case)


def test_a_cluster_is_not_judged():
    (found,) = found_by(estate_of(REMOTE + CLUSTER), "remote-qmgr-unknown")
    assert (found.severity, found.fix, found.proof) == ("cannot judge", "", None)
    assert found.said.startswith("cluster")


def test_two_dumps_of_one_queue_manager(tmp_path):
    from mqlab import estates

    for name in "ab":
        tmp_path.joinpath(f"{name}.mqsc").write_text(f"* Queue manager name: QM1\nDEFINE QLOCAL({name})", "utf-8")
    (found,) = found_by(estates.read(tmp_path), "qmgr-name-twice")
    assert "read as one queue manager" in found.said


def test_a_queue_of_the_system_is_never_made_a_transmission_queue():
    text = SENDER.replace("XMITQ(QM2)", "XMITQ(SYSTEM.DEFAULT.LOCAL.QUEUE)")
    text += "DEFINE QREMOTE(A) RNAME(Q) RQMNAME(QM9) XMITQ(SYSTEM.DEFAULT.LOCAL.QUEUE)\n"
    text += "ALTER QMGR DEFXMITQ(SYSTEM.DEFAULT.LOCAL.QUEUE)"
    found = [one for one in estate_of(text).findings() if one.check.endswith("xmitq-wrong")]
    assert len(found) == 3
    assert not [one.fix for one in found if "USAGE" in one.fix]


@for_each(
    "check, text",
    ("channel-xmitq-missing", SENDER),
    ("channel-xmitq-missing", SENDER + "DEFINE QLOCAL('qm2') USAGE(XMITQ)"),
    ("remote-qmgr-unknown", SENDER + REMOTE),
    ("remote-xmitq-missing", SENDER + "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM9) XMITQ(QM2)"),
)
def test_a_new_transmission_queue_starts_its_channel(check, text):
    estate = estate_of(text)
    fixed = estate.with_commands({"QM1": found_by(estate, check)[0].fix})
    assert [one.check for one in fixed.findings()] == ["security-summary"]


def test_a_transmission_queue_that_no_channel_serves_is_no_fix():
    (found,) = found_by(estate_of(REMOTE), "remote-qmgr-unknown")
    assert found.fix == ""


def test_a_channel_that_calls_a_hub_is_not_judged_by_the_queue_manager_behind_it():
    calls = "DEFINE CHANNEL(A.HUB) CHLTYPE(SDR) CONNAME('hubhost(1414)') XMITQ(QM2)\n"
    estate = estate_of(two(REMOTE + XMITQ + calls, "DEFINE QLOCAL(IN)\nDEFINE CHANNEL(HUB.QM2) CHLTYPE(RCVR)"))
    assert found_by(estate, "channel-not-answered") == []
    assert estate.route("ORDERS", "QM1").verdict == "cannot judge"


def test_a_broken_channel_hides_nothing_behind_it():
    unlike = RECEIVER.replace("(RCVR)", "(RCVR) SEQWRAP(99999)") + "DEFINE QLOCAL(IN)"
    changes = estate_of(two(qm2=unlike)).what_if("DELETE QLOCAL(IN)", "QM2").changes
    assert [(one.what, one.how, one.name) for one in changes if one.what == "finding"] == [
        ("finding", "made", "ORDERS")
    ]
