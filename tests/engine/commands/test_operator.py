"""What an operator tries, and what IBM's command reference says of it: a command and what its answer must hold."""

import re

import pytest

from helpers import answer, for_each, lab_with, made, needing
from mqlab import Lab

PUBSUB = pytest.mark.needs("pubsub")


@pytest.fixture(params=["distributed", "zos"])
def platform(request):
    """Each platform in turn."""
    return request.param


ONLY_ZOS = """START QMGR|STOP QMGR|START CMDSERV|DIS CMDSERV|MOVE QL(A) TOQLOCAL(B)|ARCHIVE LOG|RECOVER BSDS|DIS LOG
    RVERIFY SECURITY(*)|ALTER SECURITY INTERVAL(1)|DIS SECURITY|SET ARCHIVE DEFAULT|SET SYSTEM DEFAULT|DIS USAGE
    RESET TPIPE(X) XCFMNAME(A) ACTION(COMMIT)|RESET SMDS(*) CFSTRUCT(A) ACCESS(ENABLED)|DIS THREAD(*)|DIS GROUP
    RESOLVE INDOUBT(*) ACTION(COMMIT) NID(A.B)|BACKUP CFSTRUCT(A)|DEF LOG(A)|DEF MAXSMSGS(10)|START TRACE|DIS TRACE(*)
    DIS CFSTATUS(*)|DIS STGCLASS(*)|STOP TRACE(*)|START SMDSCONN(*) CFSTRUCT(A)|RESET QSTATS(*)|DIS SYSTEM"""
ONLY_DISTRIBUTED = """PING QMGR|STOP CONN(414D5143)|SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('a') AUTHADD(INQ)|DIS AUTHREC
    DIS AUTHSERV|DIS ENTAUTH PRINCIPAL('A') OBJTYPE(QMGR)|DIS QMSTATUS|DIS LSSTATUS(*)|DIS SVSTATUS(*)|START SERVICE(A)
    DELETE AUTHREC OBJTYPE(QMGR) PRINCIPAL('A')|PURGE CHANNEL(A) CHLTYPE(MQTT)|DIS LISTENER(*)|DIS SERVICE(*)
    REFRESH SECURITY TYPE(AUTHSERV)|DIS APSTATUS(*)|RESET QMGR TYPE(STATISTICS)"""


_WORDS = {
    "sharing": (" CF",),
    "admin": ("CONN(", "AUTHREC", "ENTAUTH", "QMSTATUS", "SSTATUS", "SVSTATUS", "APSTATUS"),
    "pcf": ("CMDSERV",),
}


@for_each("command", needing(re.split(r"\||\n +", f"{ONLY_ZOS}|{ONLY_DISTRIBUTED}"), **_WORDS))
def test_a_platform_refuses_the_commands_of_the_other(command, platform):
    theirs = "distributed" if command in re.split(r"\||\n +", ONLY_DISTRIBUTED) else "zos"
    text = answer(Lab().queue_manager("QM1", platform=platform), command)
    assert ("queue managers; this queue manager is" in text) is (platform != theirs)


@for_each("command", ["REFRESH SECURITY", "START LISTENER", "START CHINIT"])
def test_commands_of_both_platforms(command, platform):
    assert "this queue manager" not in answer(Lab().queue_manager("QM1", platform=platform), command)


def test_a_reply_of_z_os_says_that_its_form_is_that_of_runmqsc(platform):
    said = str(Lab().queue_manager("QM1", platform=platform).mqsc("DEF QL(A)"))
    assert ("z/OS would answer with CSQ messages" in said) is (platform == "zos")


ANSWERS = [
    # channels have numbers of their own
    ("DEF CHL(C) CHLTYPE(RCVR)\nDEF CHL(C) CHLTYPE(RCVR)", "AMQ8226E: IBM MQ channel already exists."),
    ("DELETE CHL(NOPE)", "AMQ8227E: Channel NOPE not found."),
    ("DIS CHL(NOPE)", "AMQ8147E: IBM MQ object NOPE not found."),
    ("PING CHL(SYSTEM.DEF.SENDER) DATALEN(15)", "AMQ8412E"),
    ("PING CHL(SYSTEM.DEF.SENDER) DATALEN(32769)", "AMQ8412E"),
    ("SUSPEND QMGR", "AMQ8421E"),
    ("RESUME QMGR", "AMQ8421E"),
    ("RESET CLUSTER(C) ACTION(FORCEREMOVE) QMNAME(X) QMID('Y')", "takes QMNAME or QMID, not both"),
    # an attribute that the lab has no value for
    ("DIS QL(SYSTEM.DEFAULT.LOCAL.QUEUE) CLUSDATE", "the lab has no CLUSDATE to show here"),
    # listeners and services
    ("STOP LISTENER(SYSTEM.LISTENER.TCP.1)\nSTART LISTENER\nSTART LISTENER", "AMQ8730W: Listener already active."),
    ("STOP LISTENER(SYSTEM.LISTENER.TCP.1)\nSTART LISTENER\nSTART LISTENER IGNSTATE(YES)", "AMQ8021I"),
    ("STOP LISTENER", "AMQ8731W: Listener not active."),
    ("STOP SERVICE(SYSTEM.BROKER)\nDEF SERVICE(S) SERVTYPE(SERVER)\nSTOP SERVICE(S)", "S does not run"),
    ("START SERVICE(SYSTEM.DEFAULT.SERVICE)\nSTART SERVICE(SYSTEM.DEFAULT.SERVICE)", "AMQ8733I"),
    ("DEF SERVICE(S) SERVTYPE(SERVER)\nSTART SERVICE(S)\nSTART SERVICE(S)", "AMQ8737W"),
    # syntax
    ("DEF QL(A) TRIGGER NOTRIGGER", "AMQ8411E"),
    ("DEF QA(A) TARGET(X) TARGQ(Y)", "AMQ8411E"),
    ("DEF QL(A)\nDIS QL('a')", "AMQ8147E: IBM MQ object a not found."),
    ("CLE QL(A)", "AMQ8405I"),
    # ranges
    ("ALTER QMGR MAXMSGL(100)", "AMQ8412E"),
    ("ALTER QMGR STATINT(604801)", "AMQ8412E"),
    ("DEF CHL(A) CHLTYPE(RCVR) BATCHSZ(10000)", "AMQ8412E"),
    ("DEF CHL(A) CHLTYPE(RCVR) SEQWRAP(99)", "AMQ8412E"),
    ("DEF CHL(A) CHLTYPE(RCVR) HBINT(1000000)", "AMQ8412E"),
    # channels
    ("SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('x') AUTHADD(BANANA)", "AMQ8405I"),
    # what a type of object needs, and what does not go together
    ("DEF LISTENER(L)", "AMQ8421E"),
    ("DEF LISTENER(L) TRPTYPE(LU62) PORT(1414)", "PORT is only for TCP"),
    ("DEF AUTHINFO(A) AUTHTYPE(OCSP)", "AUTHTYPE(OCSP) needs OCSPURL"),
    ("DEF AUTHINFO(A) AUTHTYPE(CRLLDAP)", "AUTHTYPE(CRLLDAP) needs CONNAME"),
    ("DEF AUTHINFO(A) AUTHTYPE(IDPWOS) OCSPURL('http://x')", "OCSPURL is only for OCSP"),
    ("DEF AUTHINFO(A) AUTHTYPE(IDPWOS)\nALTER AUTHINFO(A) AUTHTYPE(OCSP)", "AMQ8151E"),
    ("ALTER QMGR DEFXMITQ(SYSTEM.CLUSTER.TRANSMIT.QUEUE)", "DEFXMITQ cannot be"),
    ("ALTER QMGR REPOS(A)\nALTER QMGR REPOSNL(B)", "cannot both be set"),
    ("ALTER QMGR REPOS(A)\nALTER QMGR REPOS(' ') REPOSNL(B)", "AMQ8005I"),
    ("DEF QL(Q) CLUSTER(A) CLUSNL(B)", "cannot both be set"),
    # passwords
    ("DEF CHL(C) CHLTYPE(CLNTCONN) CONNAME(h) PASSWORD('x')\nDIS CHL(C)", "PASSWORD(********)"),
    ("DEF AUTHINFO(A) AUTHTYPE(CRLLDAP) CONNAME('h') LDAPPWD('x')\nDIS AUTHINFO(A)", "LDAPPWD(********)"),
    ("DIS CHS(*) WHERE(STATUS EQ BANANA)", "AMQ8569E"),
    # every type
    ("DIS Q(SYSTEM.DEFAULT.ALIAS.QUEUE) TYPE(ALL)", "TYPE(QALIAS)"),
    ("DIS CHL(SYSTEM.DEF.SENDER) CHLTYPE(ALL)", "CHLTYPE(SDR)"),
    ("DIS AUTHINFO(*) AUTHTYPE(ALL)", "AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.OCSP)"),
    ("DIS LISTENER(*) TRPTYPE(ALL)", "TRPTYPE(TCP)"),
    # what a command cannot do without, and what excludes each other
    pytest.param("CLEAR TOPICSTR('a')", "AMQ8421E", marks=PUBSUB),
    ("REFRESH CLUSTER", "AMQ8405I"),
    ("SUSPEND QMGR CLUSTER(C) CLUSNL(N)", "takes CLUSTER or CLUSNL, not both"),
    pytest.param("CLEAR QUEUE(A)", "CLEAR takes QLOCAL, TOPICSTR", marks=PUBSUB),
    # AMQ8101 has the reason code in hexadecimal digits
    pytest.param("DEF CFSTRUCT(A)", "AMQ8101S: IBM MQ error (7FD) has occurred.", marks=pytest.mark.needs("sharing")),
]
OF_SECURITY = [
    ("ALTER QMGR CHLAUTH(DISABLED)\nDIS CHLAUTH(*)", "AMQ8898I: Display channel authentication record details - "),
    ("SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) ACTION(REMOVE)", "AMQ8885E"),
    ("SET CHLAUTH(A) TYPE(BLOCKUSER) USERLIST('a') MCAUSER('b')", "AMQ8886E"),
    ("DIS ENTAUTH PRINCIPAL('a') OBJTYPE(QMGR)", "AUTHLIST(NONE)"),
    ("DIS ENTAUTH PRINCIPAL('a') OBJTYPE(QUEUE)", "AMQ8421E"),
    ("DIS ENTAUTH OBJNAME(A) OBJTYPE(QUEUE)", "AMQ8421E"),
    ("DIS CHLAUTH(SYSTEM.DEF.SVRCONN)", "AMQ8884E"),
    ("DIS CHLAUTH(SYSTEM.DEF.SVRCONN) MATCH(ALL)", "CHLAUTH(SYSTEM.*)"),
    ("SET CHLAUTH(A) TYPE(USERMAP) USERSRC(NOACCESS)", "AMQ8421E"),
    ("SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('1.2.3.4') USERSRC(MAP)", "AMQ8421E"),
]
ANSWERS += [pytest.param(*row, marks=pytest.mark.needs("admin")) for row in OF_SECURITY]


@pytest.mark.needs("admin")
@for_each("commands, said", ANSWERS)
def test_the_answer_to_what_an_operator_tries(commands, said):
    assert said in answer(Lab().queue_manager("QM1"), commands)


ON_ZOS = [
    ("DEF PROCESS(P) APPLTYPE(DEF)\nDIS PROCESS(P)", "APPLTYPE(MVS)"),
    ("START LISTENER(L)", "a LISTENER takes no name on z/OS"),
    ("DEF QL(D)\nDEF SUB(S) TOPICSTR('a') DEST(D) QSGDISP(QMGR)", "AMQ8405I"),
]


@for_each("commands, said", ON_ZOS)
def test_the_answer_of_z_os(commands, said):
    assert said in answer(Lab().queue_manager("QM1", platform="zos"), commands)


def test_authentication_information_stands_in_the_order_of_a_real_queue_manager(qm):
    (row,) = qm.mqsc("DIS AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)").rows
    assert " ".join(row) == "AUTHINFO AUTHTYPE ADOPTCTX DESCR CHCKCLNT CHCKLOCL FAILDLAY AUTHENMD ALTDATE ALTTIME"


@pytest.mark.needs("admin")
def test_an_export_has_the_password_that_a_display_hides(qm):
    qm.mqsc("DEF AUTHINFO(A) AUTHTYPE(CRLLDAP) CONNAME('h') LDAPPWD('x')").require()
    other = made(qm.export_mqsc())
    assert other.objects.get("AUTHINFO", "A").attributes["LDAPPWD"] == "x"


@pytest.mark.needs("admin")
@pytest.mark.parametrize(("level", "shown"), [(750, False), (800, True)])
def test_a_record_of_an_older_level_has_what_that_level_has(level, shown):
    qm = Lab().queue_manager("QM1", level=level)
    text = answer(qm, "SET CHLAUTH(A) TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(CHANNEL)\nDIS CHLAUTH(A)")
    assert ("CHCKCLNT(ASQMGR)" in text, "SSLCERTI" in text) == (shown, shown)
    assert Lab().queue_manager("QM1", level=level).mqsc(qm.export_mqsc()).ok


def test_a_handle_shows_who_holds_it_and_its_unit_of_work(qm):
    qm.mqsc("DEFINE QLOCAL(Q)")
    clerk = qm.connect("CLERK", user="ann")
    with clerk.open("Q", input="shared"), clerk.unit_of_work() as unit:
        unit.put("Q", b"x")
        text = answer(qm, "DIS QSTATUS(Q) TYPE(HANDLE)")
    assert text.startswith(
        "AMQ8450I: Display queue status details.\n"
        "   QUEUE(Q)                                TYPE(HANDLE)\n"
        "   APPLDESC( )                             APPLTAG(CLERK)\n"
        "   APPLTYPE(USER)                          BROWSE(NO)\n"
        "   CHANNEL( )                              CONNAME( )\n"
        "   ASTATE(NONE)                            HSTATE(INACTIVE)\n"
        "   INPUT(SHARED)                           INQUIRE(NO)\n"
        "   OUTPUT(NO)                              PID( )\n"
        "   QMURID(0.1)                             SET(NO)\n"
        "   TID( )\n"
        "   URID(XA_FORMATID[] XA_GTRID[] XA_BQUAL[])\n"
        "   URTYPE(QMGR)                            USERID(ann)\n"
    )


def test_stop_channel_of_one_partner_leaves_the_others_running():
    lab, hub = lab_with("DEF CHL(TO.HUB) CHLTYPE(RCVR)", name="HUB")
    for name in ("NORTH", "SOUTH"):
        lab.link(lab.queue_manager(name).name, "HUB")
        lab[name].mqsc("DEF QL(HUB) USAGE(XMITQ)\nDEF CHL(TO.HUB) CHLTYPE(SDR) CONNAME('hub') XMITQ(HUB)").require()
        lab[name].mqsc("START CHL(TO.HUB)").require()
    lab.advance(5)
    assert "STATUS(STOPPED) does not go with" in answer(hub, "STOP CHL(TO.HUB) QMNAME(NORTH) STATUS(STOPPED)")
    assert "AMQ9533W" in answer(hub, "STOP CHL(TO.HUB) QMNAME(EAST)")
    assert answer(hub, "STOP CHL(TO.HUB) QMNAME(NORTH)") == "AMQ8019I: Stop IBM MQ channel accepted."
    lab.advance(1)
    assert [row["RQMNAME"] for row in hub.mqsc("DIS CHS(TO.HUB)").rows] == ["SOUTH"]


@pytest.mark.parametrize(("chad", "status"), [("ENABLED", "RUNNING"), ("DISABLED", "RETRYING")])
def test_a_receiver_that_is_called_is_defined_automatically(chad, status):
    lab, south = lab_with(
        f"ALTER QMGR CHAD({chad})\nALTER CHL(SYSTEM.AUTO.RECEIVER) CHLTYPE(RCVR) BATCHSZ(7)", name="SOUTH"
    )
    commands = "DEF QL(SOUTH) USAGE(XMITQ)\nDEF CHL(N.S) CHLTYPE(SDR) CONNAME('south') XMITQ(SOUTH)"
    north = made(commands, "NORTH", of=lab)
    lab.link("NORTH", "SOUTH")
    assert north.mqsc("START CHL(N.S)").ok
    lab.advance(2)
    assert [row["STATUS"] for row in north.mqsc("DIS CHS(N.S)").rows] == [status]
    assert [row["BATCHSZ"] for row in south.mqsc("DIS CHL(N.S) BATCHSZ").rows] == ([7] if chad == "ENABLED" else [])
