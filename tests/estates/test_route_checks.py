"""The checks of routes and channels, each with scripts that trigger it, and scripts that nearly do."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each
from mqlab import estates

XMITQ = "DEFINE QLOCAL(QM2) USAGE(XMITQ)\n"
SENDER = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(QM2)\n"
RECEIVER = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)\n"
REMOTE = "DEFINE QREMOTE(ORDERS) RNAME(IN) RQMNAME(QM2)\n"
CLUSTER = "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CLUSTER(ALL) CONNAME(h)\n"
DEAD = "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)\n"
BACK = "DEFINE QLOCAL(QM1) USAGE(XMITQ)\nDEFINE CHANNEL(QM2.QM1) CHLTYPE(SDR) CONNAME(QM1) XMITQ(QM1)\n"
BACK_IN = "DEFINE CHANNEL(QM2.QM1) CHLTYPE(RCVR)"
ROUND = RECEIVER + BACK + "DEFINE QREMOTE(IN) RNAME(ORDERS) RQMNAME(QM1)"
HQ = "DEFINE QREMOTE(HQ) RNAME(' ') RQMNAME(HQ) XMITQ(QM2)\n"
CLOSED = "DEFINE QLOCAL(IN) PUT(DISABLED)"
BEHIND_ALIAS = "DEFINE QALIAS(IN) TARGET(Q)\nDEFINE QLOCAL(Q) "
SHORT = SENDER.replace("(SDR)", "(SDR) MAXMSGL(2000)")
REQUESTER = RECEIVER.replace("(RCVR)", "(RQSTR) CONNAME(QM1)")
QM1 = REMOTE + XMITQ + SENDER


def two(qm1=QM1, qm2=RECEIVER):
    return {"QM1": qm1, "QM2": qm2}


def sender(words):
    return QM1.replace("(SDR)", f"(SDR) {words}")


def receiver(words):
    return RECEIVER.replace("(RCVR)", f"(RCVR) {words}")


AWAY = (
    "DEFINE QLOCAL(LANE) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)\n"
    "DEFINE CHANNEL(OUT) CHLTYPE(SDR) XMITQ(LANE) CONNAME('far')\n"
    "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(ITS.NAME) XMITQ(LANE)"
)
CASES = {
    "alias-target-type": (
        (
            "DEFINE QLOCAL(Q)\nDEFINE QALIAS(B) TARGET(Q)\nDEFINE QALIAS(A) TARGET(B)\nDEFINE QALIAS(M) TARGET(MODEL)\n"
            "DEFINE QMODEL(MODEL)"
        ),
        "DEFINE QALIAS(A) TARGET(ORDERS)\n" + REMOTE + XMITQ,
    ),
    "remote-xmitq-missing": (
        [
            "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM2) XMITQ(NOPE)\n"
            "DEFINE QREMOTE(B) RNAME(' ') RQMNAME(QM2) XMITQ(NOPE)",
            f"DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM9) XMITQ('qm2')\n{XMITQ}",
        ],
        [XMITQ + "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM7) XMITQ(QM2)", REMOTE, XMITQ],
    ),
    "remote-xmitq-wrong": (
        [REMOTE + "DEFINE QLOCAL(QM2)", SENDER + XMITQ + HQ + "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(HQ)"],
        [
            REMOTE + XMITQ,
            "DEFINE QREMOTE(A) RNAME(IN) RQMNAME(QM3) XMITQ(QM2)\n" + XMITQ + "DEFINE QLOCAL(QM3)",
            "DEFINE QREMOTE(ANSWERS) RNAME(IN) RQMNAME(RELIEF)\nDEFINE QREMOTE(RELIEF) RNAME(' ') RQMNAME(QM1)",
            SENDER + XMITQ + HQ,
        ],
    ),
    "remote-qmgr-unknown": (
        [
            REMOTE + "DEFINE QREMOTE(HQ) RNAME(' ') RQMNAME(DEPOT)",
            f"DEFINE QREMOTE(A) RNAME(IN) RQMNAME('qm2')\n{XMITQ}",
        ],
        [
            REMOTE + XMITQ,
            REMOTE + "DEFINE QLOCAL(ALL) USAGE(XMITQ)\nALTER QMGR DEFXMITQ(ALL)",
            REMOTE + CLUSTER,
            two(
                "DEFINE QREMOTE(ANSWERS) RNAME(IN) RQMNAME(RELIEF)",
                "DEFINE QREMOTE(RELIEF) RNAME(' ') RQMNAME(QM1)\nDEFINE QLOCAL(QM1) USAGE(XMITQ)",
            ),
            QM1,
        ],
    ),
    "remote-to-itself": (
        "DEFINE QREMOTE(A) RNAME(Q) RQMNAME(QM1)\nDEFINE QLOCAL(Q)",
        [
            REMOTE + XMITQ,
            "DEFINE QREMOTE(A) RNAME(' ') RQMNAME(QM1)",
            CLUSTER + "DEFINE QREMOTE(A) RNAME(Q) RQMNAME(' ')",
        ],
    ),
    "default-xmitq-wrong": (
        [
            "ALTER QMGR DEFXMITQ(NOPE)",
            "ALTER QMGR DEFXMITQ(Q)\nDEFINE QLOCAL(Q)",
            "ALTER QMGR DEFXMITQ(A)\nDEFINE QALIAS(A) TARGET(Q)\nDEFINE QLOCAL(Q)",
            "ALTER QMGR DEFXMITQ('qm2')\n" + XMITQ,
        ],
        [XMITQ + "ALTER QMGR DEFXMITQ(QM2)", "DEFINE QLOCAL(Q)", XMITQ],
    ),
    "remote-target-missing": (
        [
            two(),
            two(qm2=RECEIVER + DEAD),
            {"QM1": AWAY.replace("LANE", "QM2"), "QM2": "DEFINE CHANNEL(OUT) CHLTYPE(RCVR)"},
            two(qm2=RECEIVER + "DEFINE QLOCAL('in')"),
            two(qm2=receiver("SEQWRAP(99999)")),
        ],
        [
            two(qm2=RECEIVER + "DEFINE QLOCAL(IN)"),
            QM1,
            two(qm2=RECEIVER + CLUSTER),
            two(REMOTE + XMITQ),
            {"one": AWAY, "two": "DEFINE CHANNEL(OUT) CHLTYPE(RCVR)\nDEFINE QLOCAL(IN)"},
            two(qm2=RECEIVER + "DEFINE QALIAS(IN) TARGET(Q)\nDEFINE QLOCAL(Q)"),
            two(qm2="DEFINE QLOCAL(IN)"),
        ],
    ),
    "remote-target-closed": (
        [two(qm2=RECEIVER + DEAD + CLOSED), two(qm2=RECEIVER + BEHIND_ALIAS + "MAXDEPTH(0)")],
        [two(qm2=RECEIVER + DEAD + CLOSED.replace("PUT", "GET")), two(qm2=RECEIVER + BEHIND_ALIAS + "MAXDEPTH(1)")],
    ),
    "remote-target-short": (
        two(qm2=RECEIVER + DEAD + "DEFINE QLOCAL(IN) MAXMSGL(1000)"),
        [
            two(qm2=RECEIVER + "DEFINE QLOCAL(IN)"),
            two(QM1 + "ALTER QLOCAL(QM2) MAXMSGL(1400)", RECEIVER + "DEFINE QLOCAL(IN) MAXMSGL(1000)"),
        ],
    ),
    "route-loops": (
        [two(QM1 + BACK_IN, ROUND), two(QM1 + "ALTER QLOCAL(QM2) GET(DISABLED)\n" + BACK_IN, ROUND)],
        two(QM1 + BACK_IN + "\nDEFINE QLOCAL(HERE)", ROUND.replace("ORDERS", "HERE")),
    ),
    "names-differ-in-case": ("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL('orders')", "DEFINE QLOCAL('orders')"),
    "channel-xmitq-missing": (
        [SENDER, SENDER + "DEFINE QLOCAL('qm2') USAGE(XMITQ)"],
        [SENDER + XMITQ, "DEFINE CHANNEL(C) CHLTYPE(RCVR)"],
    ),
    "channel-xmitq-wrong": (
        [SENDER + "DEFINE QLOCAL(QM2)", SENDER.replace("XMITQ(QM2)", "XMITQ(SYSTEM.DEFAULT.LOCAL.QUEUE)")],
        SENDER + XMITQ,
    ),
    "channel-not-answered": (
        [two(qm2=""), two(qm2="DEFINE CHANNEL('qm1.qm2') CHLTYPE(RCVR)")],
        [two(), QM1, two(qm2="ALTER QMGR CHAD(ENABLED)"), two(qm2=REQUESTER)],
    ),
    "channel-types-differ": (
        two(qm2="DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) CONNAME(QM1) XMITQ(QM1)\nDEFINE QLOCAL(QM1) USAGE(XMITQ)"),
        [two(), two(qm2=REQUESTER)],
    ),
    "channel-seqwrap": (two(qm2=receiver("SEQWRAP(9999)")), two(sender("SEQWRAP(9999)"), receiver("SEQWRAP(9999)"))),
    "channel-cipher-differs": (
        two(sender("SSLCIPH(ANY_TLS12)")),
        two(sender("SSLCIPH(ANY_TLS12)"), receiver("SSLCIPH(ANY)")),
    ),
    "channel-shorter-than-xmitq": (
        [
            XMITQ + SHORT,
            two(qm2=receiver("MAXMSGL(2000)")),
            two(sender("MAXMSGL(3000)"), receiver("MAXMSGL(2000)")),
            two(sender("MAXMSGL(3000)"), receiver("SEQWRAP(9999)")),
        ],
        [XMITQ + SENDER, XMITQ.replace("XMITQ)", "XMITQ) MAXMSGL(2000)") + SHORT, two()],
    ),
    "receiver-not-called": (
        two("DEFINE QLOCAL(Q)"),
        [two(), RECEIVER, two("", RECEIVER.replace("QM1.QM2", "ANY.QM2"))],
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_a_cluster_is_not_judged_and_a_transmission_queue_that_no_channel_serves_is_no_fix():
    (found,) = found_by(estate_of(REMOTE + CLUSTER), "remote-qmgr-unknown")
    assert (found.severity, found.fix, found.proof) == ("cannot judge", "", None)
    assert found.said.startswith("cluster")
    (found,) = found_by(estate_of(REMOTE), "remote-qmgr-unknown")
    assert found.fix == ""


def test_two_dumps_of_one_queue_manager(tmp_path):
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


def test_a_channel_that_calls_a_hub_is_not_judged_by_the_queue_manager_behind_it():
    calls = "DEFINE CHANNEL(A.HUB) CHLTYPE(SDR) CONNAME('hubhost(1414)') XMITQ(QM2)\n"
    estate = estate_of(two(REMOTE + XMITQ + calls, "DEFINE QLOCAL(IN)\nDEFINE CHANNEL(HUB.QM2) CHLTYPE(RCVR)"))
    assert found_by(estate, "channel-not-answered") == []
    assert estate.route("ORDERS", "QM1").verdict == "cannot judge"


def test_a_broken_channel_hides_nothing_behind_it():
    unlike = receiver("SEQWRAP(99999)") + "DEFINE QLOCAL(IN)"
    changes = estate_of(two(qm2=unlike)).what_if("DELETE QLOCAL(IN)", "QM2").changes
    assert [(one.how, one.name) for one in changes if one.what == "finding"] == [("made", "ORDERS")]
