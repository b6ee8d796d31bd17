"""Commands as messages: what the command server does, what it replies, and where replies go."""

import json
from functools import partial

import pytest

from helpers import for_each
from mqlab.engine.words import constants as mq
from mqlab.engine.words.headers import MQDLH
from mqlab.pcf import format as pcf

NAME, TYPE, DEPTH, MAXDEPTH, DESCR = 2016, 20, 3, 15, 2013
LOCAL, ALIAS, REMOTE = 1, 3, 6


def name(text="ORDERS", id=NAME):
    return pcf.string(id, text)


@pytest.mark.rule("PCF-01", event=False)
def test_it_starts_with_the_queue_manager_and_serves_what_came_before(lab, qm, ask):
    qm.endmqcsv()
    assert qm.mqsc("DISPLAY QMSTATUS CMDSERV").rows[0]["CMDSERV"] == "STOPPED"
    asked = ask.put(40)
    lab.advance(5)
    assert (qm.depth("SYSTEM.ADMIN.COMMAND.QUEUE"), qm.depth("REPLIES")) == (1, 0)
    qm.strmqcsv()
    lab.advance(1)
    assert pcf.unpack(qm.get("REPLIES", correl_id=asked.msg_id).body).header.comp == 0
    assert qm.mqsc("DISPLAY CONN(*) WHERE(APPLTAG EQ 'amqpcsea') USERID").rows[0]["USERID"] == "mqm"
    qm.endmqcsv()
    ask.put(40, persistent=True)
    qm.stop()
    qm.start()
    lab.advance(1)
    assert qm.depth("REPLIES") == 1


def test_with_scmdserv_manual_only_strmqcsv_starts_it(lab, qm, ask):
    qm.mqsc("ALTER QMGR SCMDSERV(MANUAL)").require()
    qm.stop()
    qm.start()
    ask.put(40)
    lab.advance(1)
    assert qm.depth("REPLIES") == 0
    qm.strmqcsv()
    lab.advance(1)
    assert qm.depth("REPLIES") == 1


@pytest.mark.rule("PCF-02", event=False)
def test_a_reply_has_the_identifiers_priority_and_persistence_of_its_command(ask):
    (found,) = ask.messages(40, priority=7, persistent=True)
    assert (found.msg_type, found.format, found.priority, found.persistent, found.expiry) == (2, "MQADMIN", 7, True, -1)
    report = mq.MQRO_PASS_MSG_ID | mq.MQRO_PASS_CORREL_ID | mq.MQRO_PASS_DISCARD_AND_EXPIRY
    asked = ask.put(40, report=report, expiry=300, correl_id="mine")
    found = ask.app.get("REPLIES", wait=1)
    assert (found.msg_id, found.correl_id[:4], found.expiry) == (asked.msg_id, b"mine", 300)


def test_what_is_no_request_and_a_reply_that_cannot_be_put_go_to_the_dead_letter_queue(lab, qm, ask):
    qm.mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)\nALTER QLOCAL(REPLIES) PUT(DISABLED)").require()
    ask.put(40)
    ask.put(40, msg_type=mq.MQMT_DATAGRAM)
    lab.advance(1)
    buried = qm.drain("SYSTEM.DEAD.LETTER.QUEUE")
    assert [MQDLH.unpack(one.body).reason for one in buried] == [2051, 2029]


@pytest.mark.rule("PCF-04", event=False)
def test_a_queue_is_created_changed_copied_cleared_and_deleted(qm, ask):
    assert ask(11, name("BILLS"), pcf.integer(TYPE, LOCAL), pcf.integer(MAXDEPTH, 7), name("it's", DESCR)) == [
        (0, 0, {})
    ]
    assert ask(8, name("BILLS"), pcf.integer(TYPE, LOCAL), name("a ${b} <c>", DESCR)) == [(0, 0, {})]
    assert ask(8, name("BILLS"), pcf.integer(TYPE, LOCAL), pcf.integer(10, 1), pcf.integer(24, 1)) == [(0, 0, {})]
    assert ask(10, name("BILLS", 3001), name("BILLS2", 3002), pcf.integer(TYPE, LOCAL), pcf.integer(5, 1)) == [
        (0, 0, {})
    ]
    (row,) = qm.mqsc("DISPLAY QLOCAL(BILLS2)").rows
    shown = ("MAXDEPTH", "DESCR", "PUT", "TRIGGER", "DEFPSIST")
    assert [row[keyword] for keyword in shown] == [7, "a ${b} <c>", "DISABLED", True, "YES"]
    qm.put("ORDERS")
    assert (ask.refused(12, name()), ask(9, name())) == ((2055, None), [(0, 0, {})])
    assert [ask(12, name(each)) for each in ("BILLS", "BILLS2", "ORDERS", "OUT")] == [[(0, 0, {})]] * 4
    assert ask.refused(12, name()) == (2085, None)


@pytest.mark.rule("PCF-03", event=False)
def test_an_inquiry_returns_a_message_for_each_object(qm, ask):
    qm.put("ORDERS")
    rows = ask(13, name("O*"), pcf.integers(1002, (DEPTH, DESCR)))
    assert rows == [
        (0, 0, {NAME: "ORDERS".ljust(48), TYPE: LOCAL, DEPTH: 1, DESCR: "orders of today".ljust(64)}),
        (0, 0, {NAME: "OUT".ljust(48), TYPE: ALIAS, DESCR: " " * 64}),
    ]
    every = ask(13, name())[0][2]
    assert (every[MAXDEPTH], every[24], every[123], every[2027]) == (10, 0, -3, "2025-01-06  ")
    assert ask.refused(13, name("NONE*")) == (2085, None)
    assert [row[2][NAME].strip() for row in ask(13, name("O*"), pcf.integer(TYPE, ALIAS))] == ["OUT"]
    assert len(ask(41, name("O*"), pcf.integer(TYPE, LOCAL), pcf.integer(1389, 1105))) == 1
    assert ask(18, name("O*")) == [(0, 0, {3011: ("ORDERS", "OUT"), 1261: (LOCAL, ALIAS)})]
    assert ask(18, name("NONE*")) == [(0, 0, {3011: (), 1261: ()})]


def test_a_filter_leaves_objects_out(qm, ask):
    qm.mqsc("DEFINE QLOCAL(ORDERS2) DEFPSIST(YES) TRIGGER").require()

    def left(sort, id, operator, value):
        rows = ask(13, name("OR*"), pcf.Parameter(sort, id, value, operator))
        return [row[2][NAME].strip() for row in rows]

    assert left("CFIF", MAXDEPTH, mq.MQCFOP_LESS, 100) == ["ORDERS"]
    assert left("CFIF", 5, mq.MQCFOP_EQUAL, 1) == ["ORDERS2"]
    assert left("CFIF", 24, mq.MQCFOP_NOT_EQUAL, 1) == ["ORDERS"]
    assert left("CFSF", DESCR, mq.MQCFOP_LIKE, "orders*") == ["ORDERS"]
    assert left("CFSF", DESCR, mq.MQCFOP_EQUAL, " ") == ["ORDERS2"]
    assert ask.refused(13, name("OR*"), pcf.Parameter("CFSF", DESCR, "a", 99)) == (3246, DESCR)
    assert ask.refused(13, name("OR*"), pcf.Parameter("CFIF", 5, 1, mq.MQCFOP_LESS)) == (3242, None)
    assert ask.refused(13, name("OR*"), *[pcf.Parameter("CFIF", 5, 1, 2)] * 2) == (3248, 5)


@pytest.mark.rule("PCF-05", event=False)
@for_each(
    "command, parameters, refused",
    (999, (), (3007, None)),
    (105, (name("APP1", 2039),), (3007, None)),
    (13, (), (3019, NAME)),
    (13, (pcf.integers(1002, (DEPTH,)),), (3015, NAME)),
    (13, (name(), name()), (3018, NAME)),
    (12, (name(), pcf.integer(3000, 1)), (3014, 3000)),
    (12, (name(), pcf.string(1007, "1")), (3015, 1007)),
    (13, (pcf.strings(NAME, ("A",)),), (3033, NAME)),
    (12, (name(), pcf.group(8001, ())), (3240, 8001)),
    (13, (name(), pcf.integers(1002, (0,))), (2067, None)),
    (11, (name("NEW"),), (3014, TYPE)),
    (11, (name("NEW"), pcf.integer(TYPE, 99)), (3022, TYPE)),
    (13, (name("OUT"), pcf.integer(TYPE, 99)), (3022, TYPE)),
    (23, (name("NEW", 3501), pcf.integer(1511, 99)), (3034, 1511)),
    (23, (name("NEW", 3501), pcf.integer(1511, 3), pcf.integer(1501, 99)), (3036, 1501)),
    (23, (name("NEW", 3501), pcf.integer(1511, 3), pcf.integer(1502, 0)), (3037, None)),
    (23, (name("NEW", 3501), pcf.integer(1511, 3), pcf.integer(1508, 9)), (3045, 1508)),
    (23, (name("NEW", 3501), pcf.integer(1511, 3), pcf.integer(1544, -1)), (4069, None)),
    (11, (name("NEW"), pcf.integer(TYPE, LOCAL), pcf.integer(5, 9)), (4005, 5)),
    (11, (name("NEW"), pcf.integer(TYPE, LOCAL), pcf.integer(MAXDEPTH, -7)), (4005, None)),
    (11, (name("NEW"), pcf.integer(TYPE, LOCAL), pcf.string(DESCR, "x" * 65)), (3011, None)),
    (11, (name("NEW"), pcf.integer(TYPE, REMOTE), pcf.integer(MAXDEPTH, 7)), (3014, MAXDEPTH)),
    (11, (name("NO GOOD"), pcf.integer(TYPE, LOCAL)), (4008, None)),
    (11, (name(), pcf.integer(TYPE, LOCAL)), (4001, None)),
    (11, (name("OUT"), pcf.integer(TYPE, LOCAL), pcf.integer(1006, 1)), (4002, None)),
    (17, (name("OUT"),), (2085, NAME)),
    (25, (name("A.*", 3501),), (4032, None)),
    (42, (name("A.*", 3501),), (3065, None)),
    (23, (name("A.B", 3501), pcf.integer(1511, 1)), (4061, None)),
    (28, (name("A.B", 3501),), (4032, None)),
    (176, (name("A*", 3152),), (2428, None)),
    (98, (name("A*", 3554),), (3250, None)),
    (154, (name("*", 2077),), (3252, None)),
)
def test_a_wrong_command_is_refused_with_its_reason(ask, command, parameters, refused):
    assert ask.refused(command, *parameters) == refused


@for_each(
    "header, reason",
    (pcf.Header(2, 40), 3001),
    (pcf.Header(1, 40, version=9), 3003),
    (pcf.Header(16, 40, version=1), 3003),
    (pcf.Header(1, 40, sequence=2), 3004),
    (pcf.Header(1, 40, control=0), 3005),
)
def test_a_wrong_header_and_data_that_is_no_command_are_refused_with_their_reasons(ask, header, reason):
    assert ask.refused(40, header=header) == (reason, None)
    assert ask.refused(0, body=b"short") == (3016, None)
    assert ask.refused(0, body=b"DISPLAY QMGR", format="MQSTR") == (3023, None)


def test_escape_carries_mqsc(qm, ask):
    def escape(text):
        return ask(38, pcf.integer(1017, 1), pcf.string(3014, text))

    shown = [row[2][3014] for row in escape("DISPLAY QUEUE(O*) TYPE")]
    assert [text.split("\n")[0] for text in shown] == ["AMQ8409I: Display Queue details."] * 2
    assert "QUEUE(OUT)" in shown[1]
    ((comp, reason, about),) = escape("DELETE QLOCAL(NONE)")
    assert (comp, reason, about[3014].split("\n")[0]) == (2, 3008, "AMQ8147E: IBM MQ object NONE not found.")
    assert ask.refused(38, pcf.integer(1017, 2), pcf.string(3014, "END")) == (3054, 1017)


@pytest.mark.rule("PCF-06")
def test_statistics_are_told_and_begin_again(lab, qm, ask):
    app = qm.connect("till")
    for _ in range(3):
        app.put("ORDERS")
    unit = app.unit_of_work()
    unit.get("ORDERS")
    unit.put("ORDERS")
    unit.backout()
    app.get("ORDERS")
    lab.advance(60)
    told = {NAME: "ORDERS".ljust(48), 37: 4, 38: 2, 36: 3, 35: 60}
    assert ask(17, name("ORD*")) == [(0, 0, told)]
    lab.advance(5)
    assert ask(17, name("ORD*")) == [(0, 0, told | {37: 0, 38: 0, 36: 2, 35: 5})]
    row = lab.events.where(kind="reset")[0]
    assert (row.object, json.loads(row.detail)) == ("ORDERS", {"MSGENQ": 4, "MSGDEQ": 2, "HIGHQDEPTH": 3})
    app.put("ORDERS")
    qm.stop()
    qm.start()
    assert ask(17, name("ORD*"))[0][2] == told | {37: 0, 38: 0, 36: 0, 35: 0}


def test_zos_replies_with_items_and_a_summary_and_takes_mqsc(lab, asker):
    zos = lab.queue_manager("CSQ1", "zos")
    ask = asker(zos)
    kinds = [pcf.unpack(one.body).header.type for one in ask.messages(13, name("REP*"), header=pcf.Header(16, 13, 3))]
    assert kinds == [mq.MQCFT_XR_ITEM, mq.MQCFT_XR_SUMMARY]
    item, summary = ask(13, name("REP*"), header=pcf.Header(16, 13, 3))
    wanted = ("REPLIES", "CSQ1", (0, 0, {3070: "CSQ1".ljust(48)}))
    assert (item[2][NAME].strip(), item[2][3070].strip(), summary) == wanted
    assert [(one[0], one[1]) for one in ask(13, name("NO"), header=pcf.Header(16, 13, 3))] == [(2, 2085), (2, 3008)]
    assert ask(40)[0][:2] == (2, 3001)
    asked = ask.put(0, body="DISPLAY QLOCAL(REPLIES) DESCR", format="MQSTR")
    assert b"QUEUE(REPLIES)" in ask.app.get("REPLIES", wait=1, correl_id=asked.msg_id).body
    zos.mqsc("STOP CMDSERV").require()
    ask.put(40)
    lab.advance(1)
    assert zos.depth("REPLIES") == 0
    zos.mqsc("START CMDSERV").require()
    lab.advance(1)
    assert zos.depth("REPLIES") == 2


@pytest.mark.rule("EVT-10")
def test_commands_in_messages_are_told_as_such(qm, ask):
    qm.mqsc("ALTER QMGR CMDEV(NODISPLAY)")
    ask(8, pcf.string(2016, "ORDERS"), pcf.integer(20, 1), pcf.integer(15, 7))  # Change Queue
    ask(13, pcf.string(2016, "ORDERS"))  # Inquire Queue
    told = [each for each in qm.event_messages() if each.name == "Command Pcf"]
    assert [(each.object, each.parameters[15], each.parameters[1021]) for each in told] == [("ORDERS", 7, 8)]


def test_a_command_for_members_of_a_group_is_carried_out_by_each(lab, ask):
    lab.queue_sharing_group("QSG1", ["QMA", "QMB", "QMC"])
    ask = type(ask)(lab["QMA"])
    ask.queue, head = "SYSTEM.COMMAND.INPUT", partial(pcf.Header, mq.MQCFT_COMMAND_XR, version=mq.MQCFH_VERSION_3)
    make = (pcf.string(2016, "BILLS", 48), pcf.integer(20, 1))
    assert {reply[:2] for reply in ask(11, *make, pcf.string(3080, "QMB"), header=head(11))} == {(0, 0)}
    wanted = [False, True, False]
    assert [lab[name].objects.get("QLOCAL", "BILLS") is not None for name in ("QMA", "QMB", "QMC")] == wanted
    found = ask(13, pcf.string(2016, "BILLS", 48), pcf.string(3080, "*"), header=head(13))
    assert [(reason, about[3070]) for _, reason, about in found] == [
        *((2085, "QMA".ljust(48)), (3008, "QMA".ljust(48))),
        *((0, "QMB".ljust(48)), (0, "QMB".ljust(48))),
        *((2085, "QMC".ljust(48)), (3008, "QMC".ljust(48))),
    ]
    assert ask.refused(13, pcf.string(2016, "BILLS", 48), pcf.string(3080, "QMX"), header=head(13)) == (3225, 3080)
    said = lab["QMA"].mqsc("DISPLAY QLOCAL(BILLS) CMDSCOPE(*) MAXDEPTH")
    assert (said.ok, len(said.rows)) == (False, 1)
    assert [f"mqlab: {name} answers" in str(said) for name in ("QMA", "QMB", "QMC")] == [True] * 3
    assert "a member that runs: QMA, QMB, QMC" in str(lab["QMA"].mqsc("DISPLAY QLOCAL(BILLS) CMDSCOPE(QMX)"))
