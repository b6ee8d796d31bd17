"""DISPLAY CONN: who is connected, who holds a unit of work open for long, and who has a queue open."""

import pytest

from helpers import assert_refused, channel, made, reason


@pytest.fixture
def qm(lab):
    qm = made("DEFINE QLOCAL(PAY.IN)\nDEFINE QLOCAL(PAY.OUT)\nDEFINE QALIAS(FRONT) TARGET(PAY.IN)", of=lab)
    return qm


def tags(qm, text):
    return [row["APPLTAG"] for row in qm.mqsc(f"{text} APPLTAG").rows]


def test_a_unit_of_work_that_is_open_for_long_is_found(lab, qm):
    clerk, quick, idle = qm.connect("CLERK", user="anna"), qm.connect("QUICK"), qm.connect("IDLE")
    lab.advance(60)
    unit = clerk.unit_of_work()
    unit.put("PAY.IN", b"x")
    lab.advance(7200)
    unit.put("PAY.IN", b"y", persistent=True)
    with quick.unit_of_work() as other:
        other.put("PAY.OUT", b"z")
        assert tags(qm, "DIS CONN(*) WHERE(UOWSTATE NE NONE)") == ["CLERK", "QUICK"]
        assert tags(qm, "DIS CONN(*) WHERE(UOWSTTI LT '10.00.00')") == ["CLERK", "IDLE"]  # a blank is less, too
        assert tags(qm, "DIS CONN(*) WHERE(UOWLOGDA NE ' ')") == ["CLERK"]
    (row,) = qm.mqsc("DIS CONN(*) WHERE(UOWSTATE NE NONE)").rows
    connection = {"CONN": "0000000100000001", "EXTCONN": "414D5143514D31202020202020202020", "TYPE": "CONN"}
    assert row == connection | {"UOWSTATE": "ACTIVE"}
    assert qm.mqsc(f"DIS CONN({row['CONN']})").replies[0].text == (
        "AMQ8276I: Display Connection details.\n"
        "   CONN(0000000100000001)\n"
        "   EXTCONN(414D5143514D31202020202020202020)\n"
        "   TYPE(CONN)\n"
        "   PID( )                                  TID( )\n"
        "   APPLDESC( )                             APPLTAG(CLERK)\n"
        "   APPLTYPE(USER)                          ASTATE(NONE)\n"
        "   CHANNEL( )                              CLIENTID( )\n"
        "   CONNAME( )                              CONNOPTS(MQCNO_SHARED_BINDING)\n"
        "   USERID(anna)                            UOWLOG( )\n"
        "   UOWSTDA(2025-01-06)                     UOWSTTI(09.01.00)\n"
        "   UOWLOGDA(2025-01-06)                    UOWLOGTI(11.01.00)\n"
        "   URTYPE(QMGR)\n"
        "   EXTURID(XA_FORMATID[] XA_GTRID[] XA_BQUAL[])\n"
        "   QMURID(0.1)                             UOWSTATE(ACTIVE)\n"
        "   CONNTAG(MQCT0000000100000001QM1_2025-01-06_09.00.00CLERK)\n"
        "mqlab: the lab does not measure every PID, TID, UOWLOG; those are blank."
    )
    unit.commit()
    assert idle.qmgr is qm
    assert qm.mqsc("DIS CONN(*) WHERE(UOWSTATE NE NONE)").replies[0].code == "AMQ8461I"


def test_a_unit_begins_with_what_is_done_in_it(lab, qm):
    clerk = qm.connect("CLERK")
    with clerk.unit_of_work() as unit:
        assert tags(qm, "DIS CONN(*) WHERE(UOWSTATE EQ NONE)") == ["CLERK"]
        lab.advance(5)
        clerk.put("PAY.IN", b"outside")
        unit.get("PAY.IN")
        assert qm.mqsc("DIS CONN(*) UOWSTTI").rows[0]["UOWSTTI"] == "09.00.05"
        unit.prepare("A", 1)
        assert tags(qm, "DIS CONN(*) WHERE(UOWSTATE EQ PREPARED)") == ["CLERK"]


def test_the_queue_managers_own_calls_and_units_at_the_same_time_are_connections(qm):
    with qm.unit_of_work() as unit:
        unit.put("PAY.IN", b"x")
        assert tags(qm, "DIS CONN(*) WHERE(UOWSTATE EQ ACTIVE)") == [""]
    clerk = qm.connect("CLERK")
    with clerk.unit_of_work() as one, clerk.unit_of_work() as other:
        one.put("PAY.IN", b"x")
        other.put("PAY.IN", b"x")
        rows = qm.mqsc("DIS CONN(*) QMURID UOWSTATE").rows
        assert [row["UOWSTATE"] for row in rows] == ["ACTIVE", "ACTIVE"]
        assert len({row["CONN"] for row in rows}) == len({row["QMURID"] for row in rows}) == 2


def test_a_connection_ends_with_its_program_and_with_the_queue_manager(lab, qm):
    qm.run_program("SERVER", lambda app: app.get("PAY.IN", wait=5))
    assert tags(qm, "DIS CONN(*)") == ["SERVER"]
    lab.advance(1)
    qm.put("PAY.IN", b"x")
    lab.advance(1)
    clerk = qm.connect("CLERK")
    assert tags(qm, "DIS CONN(*)") == ["CLERK"]
    qm.stop()
    qm.start()
    assert qm.mqsc("DIS CONN(*)").replies[0].code == "AMQ8461I"
    with clerk.open("PAY.IN", browse=True):
        assert tags(qm, "DIS CONN(*)") == ["CLERK"]


def test_who_has_what_open(lab, qm):
    clerk, other = qm.connect("CLERK"), qm.connect("OTHER")
    clerk.open("FRONT", input="shared", browse=True, save_all_context=True)
    clerk.open("PAY.OUT", output=True, inquire=True, pass_all=True)
    other.open("PAY.OUT", output=True)
    rows = qm.mqsc("DIS CONN(*) TYPE(HANDLE)").rows
    wanted = [("00000001", "PAY.IN", "QUEUE"), ("00000001", "PAY.OUT", "QUEUE"), ("00000002", "PAY.OUT", "QUEUE")]
    assert [(row["CONN"][:8], row["OBJNAME"], row["OBJTYPE"]) for row in rows] == wanted
    asked = "DIS CONN(*) TYPE(HANDLE) WHERE(OPENOPTS CT MQOO_INQUIRE)"
    (row,) = qm.mqsc(asked).rows
    assert row["OPENOPTS"] == ("MQOO_OUTPUT", "MQOO_INQUIRE", "MQOO_PASS_ALL_CONTEXT")
    assert tags(qm, "DIS CONN(*) TYPE(ALL) WHERE(OBJNAME EQ PAY.OUT)") == ["CLERK", "OTHER"]
    text = qm.mqsc("DIS CONN(00000001*) TYPE(HANDLE) ALL").replies[0].text
    assert text == (
        "AMQ8276I: Display Connection details.\n"
        "   CONN(0000000100000001)\n"
        "   EXTCONN(414D5143514D31202020202020202020)\n"
        "   TYPE(HANDLE)\n"
        "\n"
        "   OBJNAME(PAY.IN)                         OBJTYPE(QUEUE)\n"
        "   ASTATE(NONE)                            HSTATE(INACTIVE)\n"
        "   OPENOPTS(MQOO_INPUT_SHARED,MQOO_BROWSE,MQOO_SAVE_ALL_CONTEXT)\n"
        "   READA(NO)\n"
        "\n"
        "   OBJNAME(PAY.OUT)                        OBJTYPE(QUEUE)\n"
        "   ASTATE(NONE)                            HSTATE(INACTIVE)\n"
        "   OPENOPTS(MQOO_OUTPUT,MQOO_INQUIRE,MQOO_PASS_ALL_CONTEXT)\n"
        "   READA(NO)"
    )
    whole = qm.mqsc("DIS CONN(*) TYPE(ALL) ALL").replies[0].text
    assert whole.count("AMQ8276I") == 2
    assert whole.count("OBJNAME") == whole.count("HSTATE") == 3
    assert "TYPE(*)" in whole


def test_a_get_that_waits_makes_its_handle_active(lab, qm):
    def serve(app):
        with app.open("PAY.IN", input="shared") as handle:
            handle.get(60)
            lab.advance(10)

    qm.run_program("SERVER", serve)
    lab.advance(1)
    state = "DIS CONN(*) TYPE(HANDLE) HSTATE"
    assert qm.mqsc(state).rows[0]["HSTATE"] == "ACTIVE"
    qm.put("PAY.IN", b"x")
    lab.advance(1)
    assert qm.mqsc(state).rows[0]["HSTATE"] == "INACTIVE"


@pytest.mark.needs("pubsub")
def test_a_topic_that_is_open(qm):
    qm.mqsc("DEFINE TOPIC(FRUIT) TOPICSTR('price/fruit')\nDEFINE QALIAS(F) TARGET(FRUIT) TARGTYPE(TOPIC)").require()
    with qm.connect("NEWS").open("F", output=True):
        (row,) = qm.mqsc("DIS CONN(*) TYPE(HANDLE) TOPICSTR").rows
    assert (row["OBJNAME"], row["OBJTYPE"], row["TOPICSTR"]) == ("FRUIT", "TOPIC", "price/fruit")


@pytest.mark.parametrize(
    ("platform", "sends", "starts"),
    [("distributed", ("runmqchl", "SYSTEM"), "runmqchi"), ("zos", ("ANNECHIN", "CHINIT"), "ANNECHIN")],
)
def test_agents_have_the_names_of_mqs_own_programs(lab, platform, sends, starts):
    anne, bob = lab.queue_manager("ANNE", platform=platform), lab.queue_manager("BOB")
    channel(anne, bob, "\nSTART CHANNEL(ANNE.BOB)", "\nDEFINE QLOCAL(Q)", name="ANNE.BOB")
    anne.put("Q@BOB", b"x")
    lab.advance(1)
    (agent,) = anne.mqsc("DIS CONN(*) WHERE(CHANNEL LK 'ANNE*') ALL").rows
    assert ((agent["APPLTAG"], agent["APPLTYPE"]), agent["APPLDESC"]) == (sends, "IBM MQ Channel")
    (initiator,) = anne.mqsc("DIS CONN(*) WHERE(APPLDESC EQ 'IBM MQ Channel Initiator') ALL").rows
    assert (initiator["APPLTAG"], tags(bob, "DIS CONN(*)")) == (starts, ["amqrmppa"])


def test_zos(lab):
    zos = made("DEFINE QLOCAL(A)", "CSQ1", of=lab, platform="zos")
    batch = zos.connect("PAYJOB")
    with batch.unit_of_work() as unit:
        unit.put("A", b"x", persistent=True)
        (answer,) = zos.mqsc("DIS CONN(*) WHERE(UOWSTATE NE NONE)").replies
    assert answer.text == (
        "AMQ8276I: Display Connection details.\n"
        "   CONN(0000000100000001)\n"
        "   EXTCONN(C3E2D8C3C3E2D8F14040404040404040)\n"
        "   TYPE(CONN)\n"
        "   CONNOPTS(MQCNO_STANDARD_BINDING)        UOWLOGDA(2025-01-06)\n"
        "   UOWLOGTI(09.00.00)                      UOWSTDA(2025-01-06)\n"
        "   UOWSTTI(09.00.00)                       UOWSTATE(ACTIVE)\n"
        "   NID( )                                  EXTURID( )\n"
        "   QMURID(0000000000000001)                URTYPE(QMGR)\n"
        "   USERID(app)                             APPLTAG(PAYJOB)\n"
        "   ASID( )                                 APPLTYPE(BATCH)\n"
        "   APPLDESC( )                             ASTATE(NONE)\n"
        "   CHANNEL( )                              CONNAME( )\n"
        "mqlab: the lab does not measure every ASID; those are blank."
    )
    batch.open("A", output=True)
    assert zos.mqsc("DIS CONN(*) TYPE(HANDLE)").rows[0]["QSGDISP"] == "QMGR"
    assert zos.mqsc("DIS CONN(*) URDISP(GROUP)").replies[0].code == "AMQ8461I"


def test_levels(lab):
    old = lab.queue_manager("OLD", level=600)
    clerk = old.connect("CLERK")
    (row,) = old.mqsc("DIS CONN(*) ALL").rows
    assert not {"APPLDESC", "ASTATE", "CLIENTID", "CONNTAG"} & set(row)
    assert row["EXTURID"] == "XA_FORMATID[00000000] XA_GTRID[] XA_BQUAL[]"
    assert "from command level 710" in old.mqsc("DIS CONN(*) APPLDESC").replies[0].text
    assert "exists from command level 600" in lab.queue_manager("OLDER", level=531).mqsc("DIS CONN(*)").replies[0].text
    assert lab.queue_manager("VSE", platform="vse").mqsc("DIS CONN(*)").replies[0].code == "AMQ8405I"
    assert clerk.qmgr is old


@pytest.mark.parametrize(
    ("text", "code", "essence"),
    [
        ("DIS CONN", "AMQ8405I", "needs a name"),
        ("DIS CONN(FF)", "AMQ8461I", "DISPLAY CONN(*)"),
        ("DIS CONN(*) EXTCONN(00*)", "AMQ8461I", "no connection"),
        ("DIS CONN(*) APPLTAG(CLERK)", "AMQ8405I", "WHERE(APPLTAG EQ value)"),
        ("DIS CONN(*) WHERE(UOWSTATE EQ OPEN)", "AMQ8569E", "NONE, ACTIVE, PREPARED"),
        ("DIS CONN(*) WHERE(UOWSTATE GT NONE)", "AMQ8569E", "EQ, NE"),
        ("DIS CONN(*) WHERE(EXTURID EQ X)", "AMQ8569E", "EXTURID"),
        ("DIS CONN(*) WHERE(OBJNAME EQ X)", "AMQ8569E", "TYPE(CONN)"),
        ("DIS CONN(*) TYPE(HANDLE) WHERE(APPLTAG EQ CLERK)", "AMQ8569E", "TYPE(HANDLE)"),
        ("STOP CONN(00000009FFFFFFFF)", "AMQ8461I", "no connection"),
    ],
)
def test_what_cannot_be_shown(qm, text, code, essence):
    clerk = qm.connect("CLERK")
    clerk.open("PAY.IN", output=True)
    assert_refused(qm, text, code, essence)
    assert tags(qm, "DIS CONN(00*) EXTCONN(414D51*)") == ["CLERK"]
    assert clerk.qmgr is qm


def test_stop_conn_backs_out_and_closes(lab, qm):
    def hoarder(app):
        with app.open("PAY.IN", input="exclusive") as queue, app.unit_of_work() as unit:
            unit.put("PAY.IN", b"held")
            queue.get(wait=3600, correl_id=b"never")

    program = qm.run_program("HOARDER", hoarder)
    lab.advance(1)
    (row,) = qm.mqsc("DIS CONN(*) WHERE(APPLTAG EQ HOARDER)").rows
    assert qm.mqsc(f"STOP CONN({row['CONN']})").require().replies[0].code == "AMQ8457I"
    assert (program.state, qm.status("PAY.IN")) == ("ended", {"CURDEPTH": 0, "IPPROCS": 0, "OPPROCS": 0, "UNCOM": 0})
    assert "HOARDER" not in tags(qm, "DIS CONN(*) APPLTAG")


def test_stop_conn_breaks_a_connection_and_no_connections_are_said(lab, qm):
    app = qm.connect("TILL")
    handle = app.open("PAY.IN", input="shared")
    (row,) = qm.mqsc("DIS CONN(*) WHERE(APPLTAG EQ TILL)").rows
    qm.mqsc(f"STOP CONN({row['CONN']})").require()
    assert [reason(call) for call in (handle.get, lambda: app.put("PAY.IN"), app.disconnect)] == [2009] * 3
    (reply,) = lab.queue_manager("IDLE").mqsc("DIS CONN(*)").replies
    assert (reply.code, "no program is connected to IDLE" in reply.text) == ("AMQ8461I", True)
