"""Persistence, sharing, names, retired objects, and clusters: what the checks find, prove, and fix."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each

STRUCTURE = "DEFINE CFSTRUCT(CF) CFLEVEL({}) RECOVER({})\n".format
SHARED = "DEFINE QLOCAL(Q{}) QSGDISP(SHARED) CFSTRUCT(CF) ".format
HEAD = "* Queue manager name: {}\n".format
FAR = (
    "DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) XMITQ(QM2) CONNAME('qm2') {}\n"
    "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)\nDEFINE QREMOTE(R) RNAME(Q) RQMNAME(QM2) {}"
).format
NEAR = "DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)\nDEFINE QLOCAL(Q) DEFPSIST(YES)"


RCVR = "DEFINE CHANNEL(TO.QM1) CHLTYPE(RCVR)\n"
LISTENS = "DEFINE LISTENER({}) TRPTYPE(TCP) PORT({}) CONTROL({})\n".format
CLUSTERED = "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME('qm1') CLUSTER(SALES)\n"
STORAGE = "DEF BUFFPOOL(3)\nDEF PSID(05) BUFFPOOL(3)\nDEF STGCLASS(X) PSID(5)\nDEF QL(A) STGCLASS(X)\n"
QSG = "DEFINE QLOCAL(SYSTEM.QSG.TRANSMIT.QUEUE) QSGDISP(SHARED) CFSTRUCT(CF) USAGE(XMITQ) INDXTYPE(CORRELID) "


LOOP = "SHARE\nDEFINE QREMOTE(R) RNAME(R) RQMNAME(QM{})"


def igq(queue="", switch="ENABLED", more=""):
    """Two members with intra-group queuing on or off, and its queue; their dumps are whole if there is none."""
    on = f"ALTER QMGR IGQ({switch})\nDEFINE CFSTRUCT(CF) CFLEVEL(5) RECOVER(YES)\n"
    heads = [HEAD(name) if not queue else "" for name in ("QMA", "QMB")]
    return {"QMA": f"{heads[0]}{on}{queue}", "QMB": f"{heads[1]}ALTER QMGR IGQ({switch})\n{more}"}


def members(first, second):
    return {name: f"{SHARED('')}\nALTER QMGR {set_}" for name, set_ in (("QMA", first), ("QMB", second))}


CASES = {
    ("persistence-refused", "zos"): (
        [STRUCTURE(level, "NO") + SHARED("") + "DEFPSIST(YES)" for level in (2, 3, 5)],
        [STRUCTURE(3, "YES") + SHARED("") + "DEFPSIST(YES)", STRUCTURE(2, "NO") + SHARED("")],
    ),
    ("structure-short", "zos"): (
        STRUCTURE(3, "NO") + SHARED("") + "MAXMSGL(64513)",
        [STRUCTURE(4, "NO") + SHARED(""), STRUCTURE(3, "NO") + SHARED("") + "MAXMSGL(64512)"],
    ),
    "persistence-decided-by-alias": (
        "DEFINE QLOCAL(Q) DEFPSIST(YES)\nDEFINE QALIAS(A) TARGET(Q)",
        [
            "DEFINE QLOCAL(Q) DEFPSIST(YES)\nDEFINE QALIAS(A) TARGET(Q) PUT(DISABLED)",
            "DEFINE QLOCAL(Q)\nDEFINE QALIAS(A) TARGET(Q) DEFPSIST(YES)",
        ],
    ),
    "fast-channel-loses": (
        {"QM1": FAR("", ""), "QM2": NEAR},
        [
            {"QM1": FAR("NPMSPEED(NORMAL)", ""), "QM2": NEAR},
            {"QM1": FAR("", "DEFPSIST(YES)"), "QM2": NEAR},
            {"QM1": FAR("", ""), "QM2": NEAR.replace("(YES)", "(NO)")},
        ],
    ),
    ("shared-queue-without-index", "zos"): (
        STRUCTURE(5, "YES") + SHARED(".REPLY"),
        [
            STRUCTURE(5, "YES") + SHARED(".REPLY") + "INDXTYPE(MSGID)",
            STRUCTURE(5, "YES") + SHARED(".REPLYING"),
            "DEFINE QLOCAL(Q.REPLY)",
        ],
    ),
    ("structure-unknown", "zos"): (SHARED(""), STRUCTURE(5, "YES") + SHARED("")),
    ("members-differ", "zos"): (
        members("IGQ(ENABLED)", "IGQ(DISABLED)"),
        [members("IGQ(ENABLED)", "IGQ(ENABLED)"), members("IGQ(ENABLED)", "DESCR('IGQ')")],
    ),
    ("intra-group-queue-unfit", "zos"): (
        [igq(), igq(QSG.replace("XMITQ", "NORMAL") + "SHARE"), igq(QSG.replace("CORRELID", "MSGID") + "SHARE")],
        [igq(QSG + "SHARE"), {"QMA": "ALTER QMGR IGQ(ENABLED)", "QMB": "ALTER QMGR IGQ(ENABLED)"}],
    ),
    ("intra-group-queue-exclusive", "zos"): (igq(QSG), [igq(QSG + "SHARE"), igq(QSG, "DISABLED")]),
    ("route-loops", "zos"): (
        igq(QSG + LOOP.format("B"), more=LOOP.format("A").partition("\n")[2]),
        igq(QSG + LOOP.format("B")),
    ),
    ("intra-group-queue-disabled", "zos"): (
        igq(QSG + "SHARE GET(DISABLED) PUT(DISABLED)"),
        [igq(QSG + "SHARE"), igq(QSG + "SHARE GET(DISABLED)", "DISABLED")],
    ),
    ("intra-group-queue-short", "zos"): (
        igq(QSG + "SHARE MAXMSGL(9000)"),
        [igq(QSG + "SHARE"), igq(QSG + "SHARE MAXMSGL(9000)\nDEFINE QLOCAL(QMB) USAGE(XMITQ)")],
    ),
    "namelist-of-unknown": (
        [
            "DEFINE QLOCAL(Q)\nDEFINE QLOCAL('q.r')\nDEFINE NAMELIST(N) NAMES(Q,NOPE,Q.R)",
            "DEFINE NAMELIST(N) NAMES(CRL)\nALTER QMGR SSLCRLNL(N)",
        ],
        [
            "DEFINE QLOCAL(Q)\nDEFINE PROCESS(P) APPLICID(P)\nDEFINE NAMELIST(N) NAMES(Q,P,QM1,SYSTEM.X)",
            "DEFINE NAMELIST(N) NAMES(SOME,WORDS)",
            "DEFINE QLOCAL(Q) CLUSNL(N)\nDEFINE NAMELIST(N) NAMES(Q,SALES)",
            CLUSTERED + "DEFINE QLOCAL(Q)\nDEFINE NAMELIST(N) NAMES(Q,NOPE)",
            "DEFINE AUTHINFO(CRL) AUTHTYPE(CRLLDAP) CONNAME(h)\nDEFINE NAMELIST(N) NAMES(CRL)\nALTER QMGR SSLCRLNL(N)",
        ],
    ),
    ("namelist-of-unknown", "zos"): ("DEFINE NAMELIST(N) NAMES(NOPE) NLTYPE(QUEUE)", "DEFINE NAMELIST(N) NAMES(N)"),
    "listener-not-started": (
        HEAD("QM1") + RCVR + "DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414)",
        [
            RCVR + "DEFINE LISTENER(L) TRPTYPE(TCP)",
            HEAD("QM1") + RCVR,
            HEAD("QM1") + RCVR + "DEFINE LISTENER(L) TRPTYPE(TCP)\nDEFINE LISTENER(M) TRPTYPE(TCP) CONTROL(QMGR)",
            HEAD("QM1") + RCVR + "DEFINE LISTENER(L) TRPTYPE(TCP)\nSTART LISTENER(L)",
            HEAD("QM1") + "DEFINE LISTENER(L) TRPTYPE(TCP)",
        ],
    ),
    "listeners-on-one-port": (
        HEAD("QM1") + LISTENS("L", 0, "QMGR") + LISTENS("M", 1414, "STARTONLY"),
        [
            HEAD("QM1") + LISTENS("L", 1414, "QMGR") + LISTENS("M", 1415, "QMGR"),
            HEAD("QM1") + LISTENS("L", 1414, "QMGR") + LISTENS("M", 1414, "MANUAL"),
            HEAD("QM1") + LISTENS("L", 1414, "QMGR) IPADDR(a") + LISTENS("M", 1414, "QMGR) IPADDR(b"),
        ],
    ),
    ("intra-group-authority-unused", "zos"): (
        "ALTER QMGR IGQAUT(CTX) IGQ(DISABLED)",
        ["ALTER QMGR IGQAUT(CTX) IGQ(ENABLED)", "ALTER QMGR IGQAUT(CTX)"],
    ),
    "name-not-defined": (
        "DEFINE QLOCAL(Q) STREAMQ(S) STRMQOS(MUSTDUP)\nDEFINE SUB(T) TOPICSTR('t') DEST(D)\nALTER QMGR CONNAUTH(OURS)",
        [
            "DEFINE QLOCAL(S)\nDEFINE QLOCAL(Q) STREAMQ(S)\nDEFINE SUB(T) TOPICSTR('t') DEST(S)",
            "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)",
            "DEFINE SUB(T) TOPICSTR('t') DEST(D) DESTQMGR(FAR)",
        ],
    ),
    ("name-not-defined", "zos"): (
        [
            "DEF QL(A) STGCLASS(X)\nDEF STGCLASS(Y) PSID(1)",
            STORAGE.replace("PSID(5)", "PSID(6)"),
            STORAGE.replace(") BUFFPOOL(3)", ") BUFFPOOL(2)"),
            STORAGE.replace("DEF BUFFPOOL(", "* "),
        ],
        [
            "DEF QL(A) STGCLASS(X)",
            "DEF QL(A)\nDEF QL(B) STGCLASS(REMOTE)\nDEF STGCLASS(Y) PSID(1)",
            STORAGE,
            STORAGE.replace("DEF PSID(", "* "),
        ],
    ),
    ("page-set-zero", "zos"): (
        STORAGE.replace("PSID(5)", "PSID(0)") + "DEF PSID(00)\nDEF QL(B) STGCLASS(X)",
        [STORAGE, STORAGE.replace(" PSID(5)", ""), "DEF STGCLASS(Y) PSID(0)\nDEF QL(B)"],
    ),
    "record-of-nothing": (
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
    "record-misspelled": (
        "DEF CHANNEL(APP.SRVCONN) CHLTYPE(SVRCONN)\nSET CHLAUTH(APP.SVRCONN) TYPE(BLOCKUSER) USERLIST('nobody')",
        (
            "DEF CHANNEL(APP.1) CHLTYPE(SVRCONN)\nSET CHLAUTH(APP.2) TYPE(BLOCKUSER) USERLIST('nobody')\n"
            "SET CHLAUTH('PAP*') TYPE(BLOCKUSER) USERLIST('nobody')"
        ),
    ),
    "cluster-not-judged": (
        "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME('qm1') CLUSTER(SALES)",
        "DEFINE QLOCAL(Q) CLUSTER(SALES)",
    ),
    "object-retired": (
        "DEF QL(A) DESCR('Retired in 2024')\nDEF QL(B.RETIRED)\nDEF CHANNEL(C) CHLTYPE(SVRCONN) DESCR('DO NOT USE')",
        (
            "DEF QL(A) DESCR('Retired customers')\nDEF QL(RETIRED.B)\nDEF QL(C.DEPRECATEDX)\n"
            "DEF QL(D) DESCR('Do not use before 2030')\nDEF QL(E) DESCR('do not use in production')"
        ),
    ),
    "retired-object-used": (
        "DEF QL(A) DESCR('obsolete')\nDEF QA(B) TARGET(A)",
        "DEF QL(A) DESCR('obsolete')\nDEF QA(B) TARGET(A) DESCR('obsolete, as A is')",
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_retired_objects_stand_apart():
    text = estate_of("DEF QL(A) DESCR('obsolete')\nDEF QL(B) MAXDEPTH(0)").report().text()
    assert text.index("QM1 (") < text.index("QM1, retired objects (") < text.index("object-retired")


def test_a_name_that_differs_in_case_only_is_named():
    script = "DEF QL('s')\nDEF QL(Q) STREAMQ(S)\nDEF AUTHINFO('own') AUTHTYPE(IDPWOS)\nALTER QMGR CONNAUTH(OWN)"
    assert_case("name-not-defined", (script, "DEF QL('s')\nDEF QL(Q) STREAMQ('s')"))
    for found, near in zip(found_by(estate_of(script), "name-not-defined"), ("s", "own"), strict=True):
        assert f"({near} differs in case only)" in found.said
        assert found.fix.endswith(f"('{near}')")


def test_a_transmission_queue_that_intra_group_queuing_passes_by_has_no_proof():
    for switch, proofs in (("DISABLED", 1), ("ENABLED", 0)):
        estate = estate_of(igq(QSG + "SHARE\nDEFINE QLOCAL(QMB) USAGE(XMITQ)", switch, "DEFINE QLOCAL(X)"), "zos")
        (found,) = found_by(estate, "xmitq-without-channel")
        assert (found.proof is not None) == bool(proofs)
