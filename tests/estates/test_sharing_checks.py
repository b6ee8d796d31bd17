"""Persistence, sharing, names, retired objects, and clusters: what the checks find, prove, and mend."""

import pytest
from estates.cases import Case, assert_case, estate_of, found_by

STRUCTURE = "DEFINE CFSTRUCT(CF) CFLEVEL({}) RECOVER({})\n".format
SHARED = "DEFINE QLOCAL(Q{}) QSGDISP(SHARED) CFSTRUCT(CF) ".format
HEAD = "* Queue manager name: {}\n".format
FAR = (
    "DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) XMITQ(QM2) CONNAME('qm2') {}\n"
    "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)\nDEFINE QREMOTE(R) RNAME(Q) RQMNAME(QM2) {}"
).format
NEAR = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)\nDEFINE QLOCAL(Q) DEFPSIST(YES)"


def members(first, second):
    return {name: f"{SHARED('')}\nALTER QMGR {set_}" for name, set_ in (("QMA", first), ("QMB", second))}


CASES = [
    *(
        Case(
            "persistence-refused",
            STRUCTURE(level, "NO") + SHARED("") + "DEFPSIST(YES)",
            [STRUCTURE(3, "YES") + SHARED("") + "DEFPSIST(YES)", STRUCTURE(2, "NO") + SHARED("")],
            "zos",
        )
        for level in (2, 3, 5)
    ),
    Case(
        "structure-short",
        STRUCTURE(3, "NO") + SHARED("") + "MAXMSGL(64513)",
        [STRUCTURE(4, "NO") + SHARED(""), STRUCTURE(3, "NO") + SHARED("") + "MAXMSGL(64512)"],
        "zos",
    ),
    Case(
        "persistence-decided-by-alias",
        "DEFINE QLOCAL(Q) DEFPSIST(YES)\nDEFINE QALIAS(A) TARGET(Q)",
        [
            "DEFINE QLOCAL(Q) DEFPSIST(YES)\nDEFINE QALIAS(A) TARGET(Q) PUT(DISABLED)",
            "DEFINE QLOCAL(Q)\nDEFINE QALIAS(A) TARGET(Q) DEFPSIST(YES)",
        ],
    ),
    Case(
        "fast-channel-loses",
        {"QM1": FAR("", ""), "QM2": NEAR},
        [
            {"QM1": FAR("NPMSPEED(NORMAL)", ""), "QM2": NEAR},
            {"QM1": FAR("", "DEFPSIST(YES)"), "QM2": NEAR},
            {"QM1": FAR("", ""), "QM2": NEAR.replace("(YES)", "(NO)")},
        ],
    ),
    Case(
        "shared-queue-without-index",
        STRUCTURE(5, "YES") + SHARED(".REPLY"),
        [
            STRUCTURE(5, "YES") + SHARED(".REPLY") + "INDXTYPE(MSGID)",
            STRUCTURE(5, "YES") + SHARED(".REPLYING"),
            "DEFINE QLOCAL(Q.REPLY)",
        ],
        "zos",
    ),
    Case("structure-unknown", SHARED(""), STRUCTURE(5, "YES") + SHARED(""), "zos"),
    Case(
        "members-differ",
        members("IGQ(ENABLED)", "IGQ(DISABLED)"),
        [members("IGQ(ENABLED)", "IGQ(ENABLED)"), members("IGQ(ENABLED)", "DESCR('IGQ')")],
        "zos",
    ),
    Case(
        "intra-group-authority-unused",
        "ALTER QMGR IGQAUT(CTX) IGQ(DISABLED)",
        ["ALTER QMGR IGQAUT(CTX) IGQ(ENABLED)", "ALTER QMGR IGQAUT(CTX)"],
        "zos",
    ),
    Case(
        "name-not-defined",
        "DEFINE QLOCAL(Q) STREAMQ(S) STRMQOS(MUSTDUP)\nDEFINE SUB(T) TOPICSTR('t') DEST(D)\nALTER QMGR CONNAUTH(OURS)",
        [
            "DEFINE QLOCAL(S)\nDEFINE QLOCAL(Q) STREAMQ(S)\nDEFINE SUB(T) TOPICSTR('t') DEST(S)",
            "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)",
            "DEFINE SUB(T) TOPICSTR('t') DEST(D) DESTQMGR(FAR)",
        ],
    ),
    Case("name-not-defined", "DEF QL(A) STGCLASS(X)\nDEF STGCLASS(Y) PSID(1)", "DEF QL(A) STGCLASS(X)", "zos"),
    Case(
        "record-of-nothing",
        HEAD("QM1") + "DEF QL(Q)\nSET AUTHREC PROFILE(QQ) OBJTYPE(QUEUE) GROUP('app') AUTHADD(PUT)",
        [
            HEAD("QM1") + "DEF QL(Q)\nSET AUTHREC PROFILE('Q*') OBJTYPE(QUEUE) GROUP('app') AUTHADD(PUT)",
            HEAD("QM1") + "SET AUTHREC PROFILE(QQ) OBJTYPE(QUEUE) GROUP('app') AUTHADD(PUT)",
            "DEF QL(Q)\nSET AUTHREC PROFILE(QQ) OBJTYPE(QUEUE) GROUP('app') AUTHADD(PUT)",
            HEAD("QM1") + "DEF QL(Q)\nSET AUTHREC PROFILE('@class') OBJTYPE(QUEUE) GROUP('mqm') AUTHADD(CRT)",
            HEAD("QM1") + "DEF QL(Q)\nSET AUTHREC PROFILE(self) OBJTYPE(QMGR) GROUP('mqm') AUTHADD(CONNECT)",
            HEAD("QM1")
            + "DEF LISTENER(L) TRPTYPE(TCP)\nSET AUTHREC PROFILE(L) OBJTYPE(LISTENER) GROUP('a') AUTHADD(DSP)",
        ],
    ),
    Case(
        "record-misspelt",
        "DEF CHANNEL(APP.SRVCONN) CHLTYPE(SVRCONN)\nSET CHLAUTH(APP.SVRCONN) TYPE(BLOCKUSER) USERLIST('nobody')",
        "DEF CHANNEL(APP.1) CHLTYPE(SVRCONN)\nSET CHLAUTH(APP.2) TYPE(BLOCKUSER) USERLIST('nobody')\n"
        "SET CHLAUTH('PAP*') TYPE(BLOCKUSER) USERLIST('nobody')",
    ),
    Case(
        "cluster-not-judged",
        "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME('qm1') CLUSTER(SALES)",
        "DEFINE QLOCAL(Q) CLUSTER(SALES)",
    ),
    Case(
        "object-retired",
        "DEF QL(A) DESCR('Retired in 2024')\nDEF QL(B.RETIRED)\nDEF CHANNEL(C) CHLTYPE(SVRCONN) DESCR('DO NOT USE')",
        "DEF QL(A) DESCR('Retired customers')\nDEF QL(RETIRED.B)\nDEF QL(C.DEPRECATEDX)",
    ),
    Case(
        "retired-object-used",
        "DEF QL(A) DESCR('obsolete')\nDEF QA(B) TARGET(A)",
        "DEF QL(A) DESCR('obsolete')\nDEF QA(B) TARGET(A) DESCR('obsolete, as A is')",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_check_finds_proves_and_mends(case):
    assert_case(case)


def test_retired_objects_stand_apart():
    text = estate_of("DEF QL(A) DESCR('obsolete')\nDEF QL(B) MAXDEPTH(0)").report().text()
    assert text.index("QM1 (") < text.index("QM1, retired objects (") < text.index("object-retired")


def test_a_name_that_differs_in_case_only_is_named():
    (found,) = found_by(estate_of("DEF QL('s')\nDEF QL(Q) STREAMQ(S)"), "name-not-defined")
    assert "(s differs in case only)" in found.said
