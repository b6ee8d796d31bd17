"""What the commands do to a queue manager, and the AMQ number each is answered with."""

import pytest

from helpers import cases, for_each, says
from mqlab import Lab

PUBSUB = pytest.mark.needs("pubsub")
ADMIN = pytest.mark.needs("admin")


def codes(reply):
    return [answer.code for answer in reply.replies]


def test_the_life_of_a_queue(qm):
    reply = qm.mqsc("""
        DEFINE QLOCAL(ORDERS) DESCR('incoming') MAXDEPTH(2)
        ALTER QLOCAL(ORDERS) MAXDEPTH(3) GET(DISABLED)
        DEFINE QLOCAL(ORDERS) REPLACE
        DEFINE QLOCAL(COPY) LIKE(ORDERS) DESCR('copy')
        CLEAR QLOCAL(ORDERS)
        DELETE QLOCAL(ORDERS)
    """)
    assert reply.ok
    assert codes(reply) == ["AMQ8006I", "AMQ8008I", "AMQ8006I", "AMQ8006I", "AMQ8022I", "AMQ8007I"]
    assert qm.objects.get("QLOCAL", "ORDERS") is None
    assert qm.objects.get("QLOCAL", "COPY").attributes["DESCR"] == "copy"


@for_each(
    "text, code",
    ("DEFINE QREMOTE(R) RNAME(X) RQMNAME(QM2) SCOPE(CELL)", "AMQ8006I"),
    pytest.param("DEFINE TOPIC(T) TOPICSTR('a/b') DEFPRESP(ASYNC)", "AMQ8690I", marks=PUBSUB),
    pytest.param("DEFINE SUB(U) TOPICSTR('a/b') DEST(Q) PSPROP(NONE)", "AMQ8094I", marks=PUBSUB),
    ("ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) MAXMSGL(100)", "AMQ8016I"),
    ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) AUTHENMD(PAM)", "AMQ8567I"),
    pytest.param("ALTER TOPIC(SYSTEM.BASE.TOPIC) DEFPRESP(ASYNC)", "AMQ8691I", marks=PUBSUB),
    ("STOP CHANNEL(SYSTEM.DEF.AMQP)", "AMQ8019I"),
    ("PING QMGR", "AMQ8415I"),
)
def test_what_is_not_simulated_is_taken_and_says_so(qm, text, code):
    answer = qm.mqsc(text).replies[0]
    assert (answer.ok, answer.code, answer.simulated) == (True, code, False)
    says(answer.text.splitlines()[-1], "mqlab: ", "yet")


@pytest.mark.needs("admin")
@pytest.mark.parametrize(("kind", "status"), [("LISTENER", "LSSTATUS"), ("SERVICE", "SVSTATUS")])
def test_what_starts_and_stops_says_what_acts_on_it(qm, kind, status):
    answer = qm.mqsc(f"DEFINE {kind}(L) {'TRPTYPE(TCP)' if kind == 'LISTENER' else ''}").replies[0]
    assert (answer.ok, answer.simulated) == (True, False)
    assert f"START, STOP, and DISPLAY {status} act on it" in answer.text
    assert ("messages move whether it runs or not" in answer.text) == (kind == "SERVICE")
    assert "nothing in the lab acts on it" not in answer.text
    if kind == "LISTENER":
        assert not qm.mqsc(f"DISPLAY {status}(L)").ok
        assert "L does not run, because SYSTEM.LISTENER.TCP.1 listens on port 1414" in str(qm.mqsc(f"START {kind}(L)"))
        assert not qm.mqsc(f"DISPLAY {status}(L)").ok
        assert [entry.id for entry in qm.error_log()][-1] == "AMQ9218E"
        qm.mqsc("STOP LISTENER(SYSTEM.LISTENER.TCP.1)").require()
        assert qm.mqsc(f"START {kind}(L)\nDISPLAY {status}(L)").rows[0]["STATUS"] == "RUNNING"


@pytest.mark.needs("admin")
def test_listeners_on_one_port_need_addresses_of_their_own(qm):
    addresses = ("10.0.0.1", "10.0.0.2", "10.0.0.1", "")
    for at, address in enumerate(addresses):
        qm.mqsc(f"DEFINE LISTENER(L{at}) TRPTYPE(TCP) PORT(1500) IPADDR('{address}') CONTROL(QMGR)").require()
    qm.stop()
    qm.start()
    assert [row["LISTENER"] for row in qm.mqsc("DISPLAY LSSTATUS(L*)").rows] == ["L0", "L1"]


def test_what_is_simulated_says_nothing_of_it(qm):
    reply = qm.mqsc("""
        DEFINE QLOCAL(A)
        DEFINE QALIAS(B) TARGET(A)
        DEFINE QMODEL(M)
        DEFINE PROCESS(P) APPLICID('x')
        DEFINE NAMELIST(N) NAMES(A,B)
        DEFINE QREMOTE(R) RNAME(X) RQMNAME(QM2) XMITQ(QM2)
        DEFINE CHANNEL(C) CHLTYPE(RCVR) MRRTY(0)
        START CHANNEL(C)
        ALTER NAMELIST(SYSTEM.QPUBSUB.QUEUE.NAMELIST) NAMES(A)
        ALTER QMGR DESCR('x')
        DIS QUEUE(*)
        DIS QMGR
        DIS QSTATUS(A)
    """)
    assert codes(reply)[2:6] == ["AMQ8006I", "AMQ8010I", "AMQ8552I", "AMQ8006I"]
    assert codes(reply)[6:9] == ["AMQ8014I", "AMQ8018I", "AMQ8551I"]
    assert all(answer.simulated for answer in reply.replies)
    assert "mqlab: " not in str(reply)


def test_two_channels_may_share_a_name_and_inserts_are_filled_in(qm):
    qm.mqsc("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h(1)')").require()
    assert [row["CHLTYPE"] for row in qm.mqsc("DISPLAY CHANNEL(C) CHLTYPE").rows] == ["SVRCONN", "CLNTCONN"]
    qm.mqsc("DEFINE CHANNEL('UNI.+QMNAME+') CHLTYPE(CLUSRCVR) CLUSTER(UNI) CONNAME('+QMNAME+(1414)')").require()
    qm.mqsc("DEFINE SERVICE(S) STARTARG(+QMNAME+)").require()
    assert qm.objects.get("CHANNEL", "UNI.QM1").attributes["CONNAME"] == "QM1(1414)"
    assert qm.objects.get("SERVICE", "S").attributes["STARTARG"] == "+QMNAME+"


@cases(
    "custom, told",
    ("CAPEXPRY(0)", True),
    ("capexpry( many )", True),
    ("CAPEXPRY(1000000000)", True),
    ("CAPEXPRY()", True),
    ("CAPEXPRY(300)", False),
    ("OTHER(0) CAPEXPRY(1)", False),
    ("", False),
)
def test_a_cap_in_custom_that_is_none_is_told(qm, custom, told):
    (answer,) = qm.mqsc(f"DEFINE QLOCAL(A) CUSTOM('{custom}')").replies
    assert answer.ok
    assert ("is not CAPEXPRY(1) to CAPEXPRY(999999999)" in answer.text) == told
    assert qm.objects.get("QLOCAL", "A").attributes["CUSTOM"] == custom


@pytest.mark.needs("sharing")
def test_what_the_platform_has_not_is_left_out_of_the_object(qm):
    assert qm.mqsc("DEFINE QLOCAL(A) INDXTYPE(CORRELID) MAXDEPTH(7)\nALTER QLOCAL(A) QSGDISP(QMGR) MAXDEPTH(8)").ok
    assert qm.objects.get("QLOCAL", "A").attributes["MAXDEPTH"] == 8
    assert not {"INDXTYPE", "QSGDISP"} & set(qm.objects.get("QLOCAL", "A").attributes)


def test_nothing_is_nothing(qm):
    empty = qm.mqsc("* nothing\n")
    assert empty.ok
    assert empty.replies == []
    assert "No MQSC commands read." in str(empty)


@for_each(
    "text",
    "DISPLAY QMGR",
    "DISPLAY QLOCAL(*)",
    "DISPLAY QSTATUS(*)",
    "DISPLAY CHSTATUS(*)",
    "DEFINE QLOCAL(A)",
    "ALTER QMGR DESCR('x')",
    "DELETE QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)",
    "CLEAR QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)",
    "PING QMGR",
    "START CHINIT",
    *(f"{verb} CHANNEL(SYSTEM.DEF.SENDER)" for verb in ("START", "STOP", "RESET", "PING")),
    "RESOLVE CHANNEL(SYSTEM.DEF.SENDER) ACTION(COMMIT)",
    "START LISTENER(SYSTEM.DEFAULT.LISTENER.TCP)",
    pytest.param("SET AUTHREC OBJTYPE(QMGR) GROUP('g')", marks=ADMIN),
    "RESET QMGR TYPE(STATISTICS)",
)
def test_a_stopped_queue_manager_answers_nothing(qm, state, text):
    before = state(qm)
    qm.stop()
    assert codes(qm.mqsc(text)) == ["AMQ8146E"]
    assert codes(qm.mqsc("DISPLAY QMGRR")) == ["AMQ8405I"]  # what is no command is told all the same
    qm.start()
    assert state(qm) == before


DEFAULTS = """
DEFINE CHANNEL('SYSTEM.DEF.SENDER') CHLTYPE(SDR) CONNAME(' ') XMITQ(' ') REPLACE
DEFINE CHANNEL('SYSTEM.DEF.SERVER') CHLTYPE(SVR) CONNAME(' ') XMITQ(' ') REPLACE
DEFINE CHANNEL('SYSTEM.DEF.REQUESTER') CHLTYPE(RQSTR) CONNAME(' ') REPLACE
DEFINE CHANNEL('SYSTEM.DEF.CLUSSDR') CHLTYPE(CLUSSDR) CONNAME(' ') REPLACE
DEFINE CHANNEL('SYSTEM.DEF.CLNTCONN') CHLTYPE(CLNTCONN) CONNAME(' ') REPLACE
"""


def test_blanks_of_default_channels_are_taken_and_zos_says_what_it_ignored(qm):
    assert qm.mqsc(DEFAULTS).ok
    others = qm.mqsc(DEFAULTS.replace("SYSTEM.DEF", "MY"))
    assert [each.code for each in others.replies] == ["AMQ8214E", "AMQ8215E", "AMQ8214E", "AMQ8214E", "AMQ8214E"]
    zos = Lab().queue_manager("CSQ1", platform="zos")
    done, whole = zos.mqsc(f"{'DEFINE QLOCAL(A)':<72}NOTE\n{'DEFINE QLOCAL(B) DESCR(':<72}'one')").replies
    assert done.text.splitlines()[-1] == "mqlab: z/OS reads columns 1 to 72 of a line, and ignored 'NOTE'."
    assert "z/OS would ignore \"'one')\" after column 72; the lab reads it." in whole.text
