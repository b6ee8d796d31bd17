"""DISPLAY QMSTATUS, LSSTATUS and SVSTATUS: the queue manager, and what runs beside it."""

import pytest

from helpers import assert_refused, for_each


@pytest.fixture
def qm(lab):
    return lab.queue_manager("QM1")


@pytest.mark.needs("pcf")
def test_a_queue_manager_that_runs(lab, qm):
    assert qm.mqsc("DIS QMSTATUS").replies[0].text == (
        "AMQ8705I: Display Queue Manager Status Details.\n"
        "   QMNAME(QM1)                             TYPE(QMGR)\n"
        "   STATUS(RUNNING)"
    )
    clerk = qm.connect("CLERK")
    assert qm.mqsc("DIS QMSTATUS CONNS CMDSERV CHINIT").rows == [
        {"QMNAME": "QM1", "TYPE": "QMGR", "STATUS": "RUNNING", "CHINIT": "RUNNING", "CMDSERV": "RUNNING", "CONNS": 1}
    ]
    assert clerk.qmgr is qm
    lab.advance(60)
    qm.stop()
    qm.start()
    (row,) = qm.mqsc("DIS QMSTATUS ALL").rows
    assert (row["STARTDA"], row["STARTTI"]) == ("2025-01-06", "09.01.00")
    assert (row["DATPATH"], row["LOGTYPE"], row["LOGUTIL"]) == ("/var/mqm/qmgrs/QM1", "CIRCULAR", "")


def test_a_queue_manager_of_942_has_the_columns_of_a_real_one(lab):
    qm = lab.queue_manager("QM1", level=942)
    (row,) = qm.mqsc("DIS QMSTATUS ALL").rows
    assert " ".join(row) == (
        "QMNAME TYPE STATUS AUTOCLUS CHINIT CHKPTCNT CHKPTOPS CHKPTSZ CMDSERV CONNS DATFSSZ DATFSUSE DATPATH DISKLSN "
        "GRPLSN GRPNAME GRPROLE HOSTNAME INSTANCE INSTDESC INSTNAME INSTPATH LDAPCONN LOGEXTSZ LOGFSSZ LOGFSUSE "
        "LOGINUSE LOGPATH LOGPRIM LOGSEC LOGSTRDA LOGSTRL LOGSTRTI LOGTYPE LOGUTIL QMFSSZ QMFSUSE QUORUM REUSESZ "
        "STANDBY STARTDA STARTTI UNICLUS"
    )
    (old,) = lab.queue_manager("OLD", level=701).mqsc("DIS QMSTATUS ALL").rows
    assert " ".join(old) == "QMNAME STATUS CHINIT CMDSERV CONNS LOGPATH STANDBY"


def test_listeners_that_run(lab, qm):
    qm.mqsc("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500)").require()
    assert [row["LISTENER"] for row in qm.mqsc("DIS LSSTATUS(*)").rows] == ["SYSTEM.LISTENER.TCP.1"]
    assert qm.mqsc("DIS LSSTATUS(L)").replies[0].code == "AMQ8147E"
    lab.advance(60)
    qm.mqsc("START LISTENER(L)").require()
    assert qm.mqsc("DIS LSSTATUS(L)").replies[0].text == (
        "AMQ8631I: Display listener status details.\n"
        "   LISTENER(L)                             STATUS(RUNNING)\n"
        "   PID( )                                  STARTDA(2025-01-06)\n"
        "   STARTTI(09.01.00)                       DESCR( )\n"
        "   TRPTYPE(TCP)                            CONTROL(MANUAL)\n"
        "   IPADDR(*)                               PORT(1500)\n"
        "   BACKLOG(100)\n"
        "mqlab: the lab does not measure every PID; those are blank."
    )
    assert qm.mqsc("DIS LSSTATUS(*) PORT WHERE(PORT GT 1414)").rows == [
        {"LISTENER": "L", "STATUS": "RUNNING", "PID": "", "PORT": 1500}
    ]
    qm.mqsc("STOP LISTENER(L)").require()
    assert qm.mqsc("DIS LSSTATUS(L)").replies[0].code == "AMQ8147E"
    qm.mqsc("START LISTENER").require()
    qm.mqsc("ALTER LISTENER(L) TRPTYPE(TCP) CONTROL(QMGR)").require()
    qm.stop()
    qm.start()
    assert [row["LISTENER"] for row in qm.mqsc("DIS LSSTATUS(*)").rows] == ["L", "SYSTEM.LISTENER.TCP.1"]


def test_services_that_run_are_servers_and_a_reply_says_that_messages_need_none(qm):
    for verb, code in (("START", "AMQ8733I"), ("STOP", "AMQ8732I")):
        (answer,) = qm.mqsc(f"{verb} SERVICE(SYSTEM.DEFAULT.SERVICE)").require().replies
        assert (answer.code, answer.simulated) == (code, True)
        assert "messages move whether a service runs or not" in answer.text
    qm.mqsc("""
        DEFINE SERVICE(MONITOR) SERVTYPE(SERVER) STARTCMD('runmqtrm') CONTROL(QMGR)
        DEFINE SERVICE(ONCE) SERVTYPE(COMMAND) STARTCMD('ls')
        START SERVICE(MONITOR)
        START SERVICE(ONCE)
    """).require()
    (row,) = qm.mqsc("DIS SVSTATUS(*) STARTCMD").rows
    assert row == {"SERVICE": "MONITOR", "STATUS": "RUNNING", "PID": "", "STARTCMD": "runmqtrm"}


@for_each(
    "text, code, essence",
    [
        ("DIS QMSTATUS TYPE(NATIVEHA)", "AMQ8000E", "not simulated"),
        ("DIS QMSTATUS CONNS(2)", "AMQ8405I", "WHERE(CONNS EQ value)"),
        ("DIS QMSTATUS WHERE(CONNS GT 5)", "AMQ8147E", "filter"),
        ("DIS LSSTATUS", "AMQ8405I", "needs a name"),
        ("DIS SVSTATUS(*)", "AMQ8147E", "no SERVICE"),
    ],
)
def test_what_cannot_be_shown(qm, text, code, essence):
    assert_refused(qm, text, code, essence)
