"""Event messages: what is told, when an alarm is armed, and what happens if nobody keeps the message."""

from contextlib import suppress

import pytest

from helpers import channel, made, reason, refusal
from mqlab import Lab, NotSimulated, ProgramDied
from mqlab.engine.words import constants as mq
from mqlab.pcf import format as pcf


def events(qm, object=None):
    return [each.name for each in qm.event_messages() if object in (None, each.object) and "Active" not in each.name]


@pytest.fixture
def watched(lab):
    qm = lab.queue_manager("QM1")
    qm.mqsc("ALTER QMGR PERFMEV(ENABLED)\nDEFINE QLOCAL(A) MAXDEPTH(10) QDPHIEV(ENABLED) QDEPTHHI(50) QDEPTHLO(20)")
    return qm


def armed(qm):
    attributes = qm.objects.get("QLOCAL", "A").attributes
    words = ("QDPHIEV", "QDPLOEV", "QDPMAXEV")
    return [word for word in words if attributes[word] == "ENABLED"]


@pytest.mark.rule("EVT-01")
@pytest.mark.rule("EVT-02")
@pytest.mark.rule("EVT-03")
def test_each_depth_event_comes_once_and_arms_the_others(watched):
    for _ in range(4):
        watched.put("A")
    assert (events(watched), armed(watched)) == ([], ["QDPHIEV", "QDPMAXEV"])
    watched.lab.advance(7)
    watched.put("A")
    assert (events(watched), armed(watched)) == (["Queue Depth High"], ["QDPLOEV", "QDPMAXEV"])
    [high] = [each for each in watched.event_messages() if each.object == "A"]
    assert str(high) == (
        "09:00:07  2224 Queue Depth High of A: seconds since the last event 7, highest depth 5, messages put 5, "
        "messages got 0"
    )
    assert watched.lab.events[watched.lab.events[high.seq].cause].kind == "put"  # the put that took it there
    for _ in range(5):
        watched.put("A")  # the alarm is silent
    assert [reason(lambda: watched.put("A")) for _ in range(2)] == [2053, 2053]
    assert (events(watched)[1:], armed(watched)) == (["Queue Full"], ["QDPLOEV"])
    watched.drain("A")
    assert (events(watched)[2:], armed(watched)) == (["Queue Depth Low"], ["QDPHIEV", "QDPMAXEV"])
    low = watched.event_messages()[-1].parameters
    assert (low[mq.MQIA_HIGH_Q_DEPTH], low[mq.MQIA_MSG_ENQ_COUNT], low[mq.MQIA_MSG_DEQ_COUNT]) == (10, 0, 8)
    for _ in range(5):
        watched.put("A")
    assert events(watched)[3:] == ["Queue Depth High"]


@pytest.mark.rule("EVT-04")
def test_the_service_timer_begins_with_a_put_to_an_empty_queue_and_with_each_get(lab):
    qm = made("ALTER QMGR PERFMEV(ENABLED)\nDEFINE QLOCAL(A) QSVCIEV(HIGH) QSVCINT(1000)", of=lab)
    qm.put("A")
    lab.advance(0.9)
    qm.put("A")  # within the interval, and the timer runs on
    lab.advance(0.2)
    qm.put("A")
    assert events(qm, "A") == ["Queue Service Interval High"]
    lab.advance(5)
    qm.put("A")  # the high event is off now
    qm.get("A")  # too late for an OK event; the timer begins again
    assert events(qm, "A") == ["Queue Service Interval High"]
    lab.advance(1)
    qm.get("A")
    assert events(qm, "A")[1:] == ["Queue Service Interval Ok"]
    qm.drain("A")
    lab.advance(100)  # the queue is empty, and the timer off
    qm.put("A")
    assert len(events(qm, "A")) == 2


@pytest.mark.rule("EVT-05")
def test_refused_calls_send_an_event_each_time(lab):
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(A) PUT(DISABLED) GET(DISABLED)\nDEFINE QALIAS(L) TARGET(NONE)\nDEFINE QREMOTE(R) RQMNAME(Y)")
    calls = (lambda: qm.put("A"), lambda: qm.get("A"), lambda: qm.put("B"), lambda: qm.put("L"), lambda: qm.put("R"))
    codes = [reason(call) for call in calls]
    assert events(qm) == []
    qm.mqsc("ALTER QMGR INHIBTEV(ENABLED) LOCALEV(ENABLED) REMOTEEV(ENABLED)")
    assert ([reason(call) for call in calls], reason(lambda: qm.connect("APP").put("B@QM1"))) == (codes, 2085)
    told = [each for each in qm.event_messages() if each.reason in codes]
    assert [each.reason for each in told] == [*codes, 2085]
    assert (told[3].parameters[mq.MQCA_BASE_OBJECT_NAME], told[-1].facts["application"]) == ("NONE", "APP")


@pytest.mark.rule("EVT-06")
def test_the_start_is_told_to_whoever_asks_for_the_queue(lab):
    qm = lab.queue_manager("QM1")
    assert len(lab.events) == 1  # nothing is written until someone asks
    message = qm.browse("SYSTEM.ADMIN.QMGR.EVENT")
    assert (message.format, pcf.unpack(message.body).header.reason) == ("MQEVENT", mq.MQRC_Q_MGR_ACTIVE)
    qm.mqsc("ALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) DEFPSIST(YES)")
    qm.stop()
    qm.start()
    assert [each.name for each in qm.event_messages()] == ["Queue Mgr Not Active", "Queue Mgr Active"]
    other = made("ALTER QMGR STRSTPEV(DISABLED)", "QM2", of=lab)
    assert other.depth("SYSTEM.ADMIN.QMGR.EVENT") == 0


@pytest.mark.rule("EVT-07")
@pytest.mark.parametrize(("mode", "told"), [("ENABLED", ["Started", "Stopped By User", "Stopped"]),
                                            ("EXCEPTION", ["Stopped By User", "Stopped"])])  # fmt: skip
def test_a_channel_that_starts_and_stops_sends_events(lab, mode, told):
    north, south = lab.queue_manager("NORTH"), lab.queue_manager("SOUTH")
    channel(north, south, f"\nALTER QMGR CHLEV({mode})\nSTART CHANNEL(C)")
    lab.advance(1)
    north.mqsc("STOP CHANNEL(C)")
    lab.advance(1)
    found = [each for each in north.event_messages() if each.object == "C"]
    assert [each.name.removeprefix("Channel ") for each in found] == told
    assert found[-1].parameters[mq.MQIACF_REASON_QUALIFIER] == 10  # MQRQ_CHANNEL_STOPPED_DISABLED
    assert found[-1].facts["transmission queue"] == "SOUTH"


@pytest.mark.rule("EVT-08")
@pytest.mark.rule("EVT-10")
def test_commands_and_changed_definitions_are_told(lab):
    qm = made("ALTER QMGR CONFIGEV(ENABLED) CMDEV(NODISPLAY)", of=lab)
    qm.mqsc("DEFINE QLOCAL(A)\nALTER QLOCAL(A) MAXDEPTH(7)\nDISPLAY QLOCAL(A)\nDELETE QLOCAL(A)\nDELETE QLOCAL(A)")
    about = [each for each in qm.event_messages() if each.object == "A"]
    assert [each.name for each in about] == [
        f"Config {verb} Object" for verb in ("Create", "Change", "Change", "Delete")
    ]
    assert [each.parameters[15] for each in about[1:3]] == [5000, 7]  # MAXDEPTH before and after
    ids = [message.correl_id for message in qm.targets["SYSTEM.ADMIN.CONFIG.EVENT"].store.in_order()]
    assert ids[-3] == ids[-2] != ids[-1]
    commands = [each.facts["command"] for each in qm.event_messages() if each.reason == mq.MQRC_COMMAND_MQSC]
    assert commands[1:] == ["DEFINE QLOCAL(A)", "ALTER QLOCAL(A) MAXDEPTH(7)", "DELETE QLOCAL(A)"]


@pytest.mark.rule("EVT-09", event=False)
@pytest.mark.parametrize(
    "broken", ["ALTER QLOCAL({}) PUT(DISABLED)", "ALTER QLOCAL({}) MAXDEPTH(0)", "DELETE QLOCAL({})"]
)
def test_an_event_message_that_its_queue_does_not_take_is_lost(watched, broken):
    watched.mqsc("ALTER QMGR LOCALEV(ENABLED) INHIBTEV(ENABLED)\n" + broken.format("SYSTEM.ADMIN.PERFM.EVENT"))
    for _ in range(5):
        watched.put("A")
    assert (events(watched, "A"), armed(watched)) == ([], ["QDPLOEV", "QDPMAXEV"])
    [lost] = watched.lab.events.where(object="SYSTEM.ADMIN.PERFM.EVENT", kind="put")
    assert lost.reason in (2051, 2053, 2085)


@pytest.mark.rule("EVT-08")
def test_refresh_qmgr_tells_of_objects_as_they_are(lab):
    qm = made("DEFINE QLOCAL(A.1)\nDEFINE QALIAS(A.2) TARGET(A.1)\nDEFINE CHANNEL(A.3) CHLTYPE(RCVR)", of=lab)
    qm.mqsc("ALTER QMGR CONFIGEV(ENABLED)\nREFRESH QMGR TYPE(CONFIGEV) OBJECT(QUEUE) NAME(A*)").require()
    wanted = ["A.1", "A.2"]
    assert [each.object for each in qm.event_messages() if each.reason == mq.MQRC_CONFIG_REFRESH_OBJECT] == wanted
    qm.mqsc("REFRESH QMGR TYPE(CONFIGEV)").require()
    told = [each.object for each in qm.event_messages() if each.reason == mq.MQRC_CONFIG_REFRESH_OBJECT]
    assert {"A.3", "SYSTEM.DEFAULT.LOCAL.QUEUE"} < set(told)


@pytest.mark.rule("EVT-11")
def test_a_connect_that_is_refused_is_told(lab):
    qm = made("ALTER QMGR AUTHOREV(ENABLED) CHLEV(EXCEPTION)", of=lab, developer=True)
    calls = (
        lambda: qm.connect("A", user="app", password="x", channel="DEV.APP.SVRCONN"),
        lambda: qm.connect("B", channel="DEV.ADMIN.SVRCONN"),
    )
    assert [reason(call) for call in calls] == [2035, 2035]
    told = [each for each in qm.event_messages() if each.reason in (2035, 2577)]
    wanted = [("Not Authorized", "DEV.APP.SVRCONN"), ("Channel Blocked", "DEV.ADMIN.SVRCONN")]
    assert [(each.name, each.object) for each in told] == wanted
    assert [each.parameters[mq.MQIACF_REASON_QUALIFIER] for each in told] == [29, 23]
    assert told[0].facts["connection"] == "127.0.0.1"


@pytest.mark.rule("EVT-07")
def test_a_receiver_that_is_defined_automatically_is_told(lab):
    north, south = lab.queue_manager("NORTH"), lab.queue_manager("SOUTH")
    lab.link("NORTH", "SOUTH")
    south.mqsc("ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED)").require()
    north.mqsc("DEF QL(SOUTH) USAGE(XMITQ)\nDEF CHL(N.S) CHLTYPE(SDR) CONNAME('south') XMITQ(SOUTH)\nSTART CHL(N.S)")
    lab.advance(2)
    [told] = [each for each in south.event_messages() if each.object == "N.S"]
    assert (told.name, told.parameters[mq.MQIACH_CHANNEL_TYPE]) == ("Channel Auto Def Ok", mq.MQCHT_RECEIVER)
    assert told.facts == {"connection": "NORTH"}


@pytest.mark.rule("EVT-07")
def test_the_ims_bridge_tells_of_its_start_and_end(lab):
    qm = made("ALTER QMGR BRIDGEEV(ENABLED)\nDEFINE QLOCAL(BRIDGE)", "QMZ", of=lab, platform="zos")
    for ends in (lambda bridge: bridge.stop(), lambda _: qm.mqsc("ALTER QLOCAL(BRIDGE) GET(DISABLED)")):
        bridge = qm.ims_bridge("BRIDGE", lambda segments: None)
        lab.advance(1)
        with suppress(ProgramDied):
            ends(bridge)
            lab.advance(1)
    told = [each for each in qm.event_messages() if each.object == "IMS.BRIDGE"]
    assert [each.name for each in told] == ["Bridge Started", "Bridge Stopped"] * 2
    assert [each.parameters[mq.MQIACF_REASON_QUALIFIER] for each in told[1::2]] == [11, 12]


@pytest.mark.rule("EVT-08")
def test_mqset_and_lists_are_told(lab):
    qm = made("DEFINE QLOCAL(A)\nALTER QMGR CONFIGEV(ENABLED)\nDEFINE NAMELIST(N) NAMES(A,B)", of=lab)
    with qm.open("A", set=True) as handle:
        handle.set(PUT="DISABLED")
    names, before, after = [each for each in qm.event_messages() if each.object in ("A", "N")]
    assert names.parameters[2020] == ("A", "B")  # MQCA_NAMES
    inhibit = 10  # MQIA_INHIBIT_PUT
    wanted = [(mq.MQEVO_MQSET, 0), (mq.MQEVO_MQSET, 1)]
    assert [(each.parameters[mq.MQIACF_EVENT_ORIGIN], each.parameters[inhibit]) for each in (before, after)] == wanted


@pytest.mark.rule("EVT-05")
def test_events_name_the_channel_of_a_client_and_a_model_queue_behind_an_alias(lab):
    qm = lab.queue_manager("QM1", developer=True)
    qm.mqsc("ALTER QMGR LOCALEV(ENABLED) REMOTEEV(ENABLED)\nDEFINE QREMOTE(HERE) RNAME(' ') RQMNAME(QM1)").require()
    client = qm.connect("APP", user="app", password="password", channel="DEV.APP.SVRCONN")
    assert reason(lambda: client.open("NONE", output=True)) == 2085
    assert reason(lambda: client.open("SYSTEM.DEFAULT.MODEL.QUEUE@HERE", output=True)) == 2057
    for told in qm.event_messages()[-2:]:
        assert told.facts["channel"] == "DEV.APP.SVRCONN"
    assert told.facts["queue manager of the queue"] == "HERE"


def test_a_lab_without_a_log_counts_nothing_and_says_so():
    qm = Lab(record=False).queue_manager("QM1")
    assert qm.mqsc("ALTER QMGR PERFMEV(ENABLED)").ok  # an estate at rest is such a lab
    refusal(NotSimulated, "cannot count messages for performance events", qm.event_messages)
    assert qm.mqsc("ALTER QMGR PERFMEV(DISABLED)").ok
    assert [each.name for each in qm.event_messages()] == ["Queue Mgr Active"]
