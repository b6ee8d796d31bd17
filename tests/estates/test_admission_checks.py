"""The checks of what lets a channel in: TLS at both ends, and channel authentication records."""

from estates.cases import assert_case, assert_fix, estate_of, found_by

from helpers import for_each

TLS = "SSLCIPH(ECDHE_RSA_AES_256_GCM_SHA384)"
TLS13 = "SSLCIPH(TLS_AES_256_GCM_SHA384)"
XMITQ = "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)"
SENDER = f"{XMITQ}\nDEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(QM2) CONNAME('h(1414)') "
RECEIVER = "DEFINE CHANNEL(A.B) CHLTYPE(RCVR) "
CLIENT = "DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) QMNAME(QM2) CONNAME('h(1414)') "
SERVER = "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) "
STOP = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)"
FROM = [
    f"{SERVER}\nSET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('{address}') USERSRC(NOACCESS)"
    for address in ("10.*", "shop.example.com", "192.0.2.7")
]
PEER = "SSLPEER('CN=QM1')"
MAP = "SET CHLAUTH(C) TYPE(SSLPEERMAP) SSLPEER('CN=app') MCAUSER('app')"


def two(sender="", receiver="", more=""):
    """QM1, which sends to QM2."""
    return {"QM1": SENDER + sender, "QM2": f"{RECEIVER}{receiver}\n{more}"}


CASES = {
    "channel-cipher-differs": (
        [
            two(TLS),
            two(TLS, TLS13),
            two("SSLCIPH(ANY_TLS12_OR_HIGHER)", TLS),
            {"QM1": CLIENT, "QM2": SERVER + TLS},
            {"QM1": CLIENT + TLS, "QM2": SERVER},
            {"QM1": CLIENT + TLS, "QM2": SERVER + TLS13},
        ],
        [
            two(),
            two(TLS, TLS),
            two("SSLCIPH(ANY_TLS13_OR_HIGHER)", "SSLCIPH(ANY_TLS13)"),
            two(TLS, "SSLCIPH(ANY_TLS12_OR_HIGHER)"),
            two("SSLCIPH(ANY_TLS12)", TLS),
            {"QM1": CLIENT + TLS, "QM2": SERVER + TLS},
        ],
    ),
    "peer-not-checked": (
        [RECEIVER + PEER, SERVER + PEER],
        [RECEIVER + PEER + TLS, two(TLS, PEER), SERVER + TLS + PEER],
    ),
    "channel-blocked": (
        [
            two(more=STOP),
            two(more=f"{STOP}\nSET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(QM3) USERSRC(CHANNEL)"),
            f"{RECEIVER}\n{STOP}",
            f"{SERVER}\n{STOP}",
        ],
        [
            two(more="SET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(QM3) USERSRC(NOACCESS)"),
            f"{RECEIVER}\n{STOP.replace('*', 'C*', 1)}",
            f"{SERVER}\n{STOP}\nSET CHLAUTH(C) TYPE(USERMAP) CLNTUSER(a) MCAUSER(b)",
            two(more=f"{STOP} WARN(YES)"),
            two(more=f"{STOP}\nALTER QMGR CHLAUTH(DISABLED)"),
            two(more=f"{STOP}\nSET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(QM*) ADDRESS('192.0.2.7') USERSRC(CHANNEL)"),
            two(TLS, TLS, f"{STOP}\nSET CHLAUTH(A.B) TYPE(SSLPEERMAP) SSLPEER('CN=QM1') USERSRC(CHANNEL)"),
            two(more=f"{STOP}\nSET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(QM1) USERSRC(CHANEL)"),
        ],
    ),
    "record-only-warns": (
        [
            f"{SERVER}\n{STOP} WARN(YES)",
            "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') WARN(YES) DESCR('a trial') ACTION(REPLACE)",
            *(f"{each} WARN(YES)" for each in FROM),
        ],
        [f"{SERVER}\n{STOP} WARN(NO)", f"{STOP} WARN(YES)\nALTER QMGR CHLAUTH(DISABLED)", *FROM],
    ),
    "certificate-not-required": (
        f"{SERVER}{TLS} SSLCAUTH(OPTIONAL)\n{MAP}",
        [
            f"{SERVER}{TLS}\n{MAP}",
            f"{SERVER}{TLS} SSLCAUTH(OPTIONAL)\n{MAP}\n{STOP}",
            f"{SERVER}{TLS} SSLCAUTH(OPTIONAL)\n{MAP.replace('(C)', '(D)')}",
            f"{SERVER}{TLS} SSLCAUTH(OPTIONAL) {PEER}\n{MAP}",
        ],
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_one_back_stop_is_one_finding():
    head = "* Queue manager name: QM2\n"
    (one,) = found_by(
        estate_of({"QM2": f"{head}{RECEIVER}\nDEF CHANNEL(D.B) CHLTYPE(RCVR)\n{STOP}"}), "channel-blocked"
    )
    assert (one.severity, [other.name for other in one.others]) == ("warning", ["D.B"])
    assert one.proof is not None
    known = two(more=STOP) | {"QM3": SENDER.replace("A.B", "D.B")}
    known["QM2"] = head + known["QM2"] + "\nDEF CHANNEL(D.B) CHLTYPE(RCVR)"
    (one,) = found_by(estate_of(known), "channel-blocked")
    assert (one.severity, one.name, [other.name for other in one.others]) == ("error", "A.B", ["D.B"])
    assert_fix(estate_of(known), one)
