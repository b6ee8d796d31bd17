"""The checks of calls: ports, transports, and retries."""

from estates.cases import assert_case, estate_of, found_by

from helpers import for_each

XMITQ = "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)\n"
RECEIVER = "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\n"
CLIENT = "DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) QMNAME(QM2) CONNAME('h({})')"


def sender(conname="h(1414)", more=""):
    """The script of a queue manager that sends."""
    return f"{XMITQ}DEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(QM2) CONNAME('{conname}') {more}\n"


def listens(*ports, name="QM2", sort="TCP"):
    """The script of a queue manager with listeners, which is a dump if it has a header."""
    keyword = "PORT" if sort == "TCP" else "TPNAME"
    every = (f"DEFINE LISTENER(L{port}) TRPTYPE({sort}) CONTROL(QMGR) {keyword}({port})\n" for port in ports)
    return (f"* Queue manager name: {name}\n" if name else "") + RECEIVER + "".join(every)


CASES = {
    "port-without-listener": (
        [
            {"QM1": sender("h(1499)"), "QM2": listens(1500)},
            {"QM1": sender("h"), "QM2": listens(1500)},
            {"QM1": CLIENT.format(1499), "QM2": f"{listens(1500)}DEFINE CHANNEL(C) CHLTYPE(SVRCONN)"},
        ],
        [
            {"QM1": sender("h(1500)"), "QM2": listens(1500)},
            {"QM1": sender("h(1499),i( 1500 )"), "QM2": listens(1500, 1600)},
            {"QM1": sender("h(1499)"), "QM2": listens()},
            {"QM1": sender("h"), "QM2": listens(1500, name="")},
            {"QM1": sender("h(1499)", "TRPTYPE(LU62)"), "QM2": listens(1500)},
            {"QM1": sender("h"), "QM2": listens(0)},
            {"QM1": CLIENT.format(1500), "QM2": f"{listens(1500)}DEFINE CHANNEL(C) CHLTYPE(SVRCONN)"},
        ],
    ),
    "transport-differs": (
        [
            {"QM1": sender(more="TRPTYPE(LU62)"), "QM2": RECEIVER},
            {"QM1": sender(), "QM2": RECEIVER.replace(")\n", ") TRPTYPE(LU62)\n")},
        ],
        [
            {"QM1": sender(more="TRPTYPE(LU62)"), "QM2": RECEIVER.replace(")\n", ") TRPTYPE(LU62)\n")},
            {"QM1": sender(more="TRPTYPE(LU62)"), "QM2": listens("T", sort="LU62")},
            {"QM1": sender(), "QM2": listens(1414).replace("(RCVR)", "(RCVR) TRPTYPE(LU62)")},
        ],
    ),
    "channel-never-retried": (
        [
            sender(more="SHORTRTY(0) LONGRTY(0)"),
            "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C) SHORTRTY(0) LONGRTY(0)",
        ],
        [
            sender(more="SHORTRTY(0)"),
            RECEIVER,
            "DEFINE CHANNEL(TO.QM2) CHLTYPE(CLUSSDR) CONNAME(h) CLUSTER(C) SHORTRTY(0) LONGRTY(0)",
        ],
    ),
}
test_a_check_finds_proves_and_fixes = for_each("check, scripts", CASES.items())(assert_case)


def test_one_template_is_one_finding():
    more = sender(more="SHORTRTY(0) LONGRTY(0)")
    found = found_by(
        estate_of({"QM1": more + more.replace("QM2", "QM3").replace("A.B", "A.C")}), "channel-never-retried"
    )
    assert [(one.name, len(one.others)) for one in found] == [("A.B", 1)]
