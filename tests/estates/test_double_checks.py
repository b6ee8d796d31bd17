"""Definitions that do not fit each other, in one queue manager or a group, and subscriptions that go astray."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each
from mqlab.engine.commands import read_script
from mqlab.estates import Estate, Part

HEAD = "* Queue manager name: {}\n".format
QUEUE = "DEFINE QLOCAL(Q) {} REPLACE\n".format
CF = "DEFINE CFSTRUCT(CF) CFLEVEL(5) RECOVER(YES)\n"
SHARED = "DEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(CF) {} REPLACE\n".format
GROUP = "DEFINE QLOCAL(G) QSGDISP({}) {}\n".format
SUB = "DEFINE SUB({}) TOPICSTR('a/b') DEST(Q) {}\n".format
TO_QM2 = (
    "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)\n"
    "DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) XMITQ(QM2) CONNAME('qm2')\n"
)
QM2 = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)\n"
CLIENT = "DEFINE CHANNEL({}) CHLTYPE(CLNTCONN) CONNAME('host') QMNAME({}) SSLCIPH(ANY_TLS12_OR_HIGHER)\n".format
SERVER = "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)\n"


def members(first, second):
    return {"QMA": CF + first, "QMB": second}


def two(qm1, qm2=QM2 + "DEFINE QLOCAL(Q)"):
    return {"QM1": HEAD("QM1") + TO_QM2 + qm1, "QM2": HEAD("QM2") + qm2}


ON = two(SUB("S", "DESTQMGR(QM9)") + "ALTER QMGR DEFXMITQ(QM2)", QM2 + "DEFINE QLOCAL(QM9) USAGE(XMITQ)")
S2 = "DEFINE SUB(S2) TOPICOBJ(T) TOPICSTR('b') DEST(Q)"
LOST = two(SUB("S1", "DESTQMGR(QM9)") + SUB("S2", "DESTQMGR(QM9)"))

OF_GROUP = (SHARED("MAXDEPTH(5)"), GROUP("GROUP", "MAXDEPTH(5) REPLACE"), GROUP("COPY", "MAXDEPTH(5)"))
CASES = {
    "defined-differently": (
        QUEUE("BOTHRESH(3) BOQNAME(B)") + QUEUE("BOTHRESH(5)") + "DEFINE QLOCAL(B)",
        [
            QUEUE("MAXDEPTH(9)") + QUEUE("MAXDEPTH(9) DESCR('again')"),
            QUEUE("") + QUEUE("MAXDEPTH(9)"),
            QUEUE("MAXDEPTH(9)") + "DELETE QLOCAL(Q)\n" + QUEUE("MAXDEPTH(8)"),
            QUEUE("MAXDEPTH(9)") + "ALTER QLOCAL(Q) MAXDEPTH(8)",
            {"QM1": QUEUE("MAXDEPTH(9)"), "QM2": QUEUE("MAXDEPTH(8)")},
        ],
    ),
    ("shared-definitions-differ", "zos"): (
        [
            members("", "DEFINE CFSTRUCT(CF) CFLEVEL(4) RECOVER(YES) REPLACE"),
            *(members(each, each.replace("(5)", "(9)")) for each in OF_GROUP),
        ],
        [
            members(GROUP("QMGR", "MAXDEPTH(5)"), GROUP("QMGR", "MAXDEPTH(9)")),
            *(members(each, each) for each in OF_GROUP),
        ],
    ),
    "subscription-doubled": (
        "DEFINE QLOCAL(Q)\nDEFINE TOPIC(T) TOPICSTR('a')\n" + SUB("S1", "") + S2,
        [
            "DEFINE QLOCAL(Q)\n" + SUB("S1", "") + SUB("S2", "SELECTOR('a = 1')"),
            "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)\n" + SUB("S1", "") + SUB("S2", "").replace("(Q)", "(R)"),
            "DEFINE QLOCAL(Q)\n" + SUB("S1", "") + SUB("S2", "").replace("a/b", "a/c"),
        ],
    ),
    "subscription-astray": (
        [LOST, two(SUB("S", "DESTQMGR(QMM2)")), two(SUB("S", "DESTQMGR(QM2)"), QM2), ON | {"QM2": HEAD("QM2") + QM2}],
        [two(SUB("S", "DESTQMGR(QM2)")), two(SUB("S", "DESTQMGR(QM1)") + "DEFINE QLOCAL(Q)"), ON],
    ),
    "client-qmgr-unknown": (
        [HEAD("QM1") + CLIENT("C", "QMM1"), {"QM1": CLIENT("C", "QM9"), "QM2": HEAD("QM2") + SERVER}],
        [
            HEAD("QM1") + CLIENT("C", "QM1"),
            CLIENT("C", "QM9"),
            {"QM1": CLIENT("C", "QM9") + CLIENT("D", "QM9"), "QM2": HEAD("QM2") + SERVER},
            {"QM1": CLIENT("C", "QM9"), "QM2": SERVER},
            {"QM1": CLIENT("C", "' '"), "QM2": HEAD("QM2") + SERVER},
        ],
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_one_mistake_is_one_finding():
    scripts = {"base": QUEUE("MAXDEPTH(9)") + QUEUE("MAXDEPTH(9)").replace("(Q)", "(R)"), "more": ""}
    scripts["more"] = scripts["base"].replace("(9)", "(7)")
    parts = [Part(f"{name}.mqsc", read_script(text.encode()), "QM1") for name, text in scripts.items()]
    (found,) = Estate(parts).findings()
    wanted = ("defined-differently", "note", "more.mqsc:1", 1)
    assert (found.check, found.severity, str(found.place), len(found.others)) == wanted
    assert "Q has MAXDEPTH(9) in base.mqsc:1, and MAXDEPTH(7) here: the later definition counts" in found.said
    (found,) = found_by(estate_of(LOST), "subscription-astray")
    assert [each.name for each in found.others] == ["S2"]
