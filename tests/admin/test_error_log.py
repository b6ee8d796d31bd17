"""What queue managers write to their error logs: each message by a lab that causes it, beside the event that did."""

import re
from pathlib import Path

import pytest

import mqlab
from helpers import channel, for_each, lab_error, made, refusal, says
from mqlab import MQError
from mqlab.admin.error_log import _messages
from mqlab.engine.words import constants as mq

CHANNEL = "QM1.TO.QM2"


class Pair:
    """QM1 with a sender to QM2, linked; `ids` are the messages of one of them that are not about starts."""

    def __init__(self, sender="", receiver="CHLTYPE(RCVR)", dead_letters=True, **settings):
        self.lab = mqlab.Lab()
        self.one, self.two = (self.lab.queue_manager(name, **settings) for name in ("QM1", "QM2"))
        self.lab.link("QM1", "QM2")
        self.one.mqsc(
            "DEFINE QLOCAL(QM2) USAGE(XMITQ)\n"
            f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('qm2(1414)') XMITQ(QM2) DISCINT(60) {sender}"
        ).require()
        self.two.mqsc(f"DEFINE CHANNEL({CHANNEL}) {receiver}\nDEFINE QLOCAL(IN)").require()
        if dead_letters:
            self.do("QM2", "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)", 0)

    def do(self, name, text, seconds=1):
        self.lab[name].mqsc(text).require()
        self.lab.advance(seconds)
        return self

    def start(self, seconds=1):
        return self.do("QM1", f"START CHANNEL({CHANNEL})", seconds)

    def stop(self, name="QM1", more=""):
        return self.do(name, f"STOP CHANNEL({CHANNEL}) {more}")

    def put(self, queue="IN"):
        self.one.put(f"{queue}@QM2", b"x", persistent=True)
        return self

    def ids(self, name):
        log = self.lab[name].error_log()
        return [each.id for each in log if not each.id.startswith(("AMQ80", "CSQX022", "CSQY022"))]

    def last(self, name, id):
        return [each for each in self.lab[name].error_log() if each.id == id][-1]


def test_a_channel_that_has_nothing_to_send_says_so_at_both_ends():
    pair = Pair().put().start(70)
    assert pair.ids("QM1") == pair.ids("QM2") == ["AMQ9002I", "AMQ9545I", "AMQ9001I"]
    assert pair.last("QM1", "AMQ9001I").inserts == {"CommentInsert1": CHANNEL, "CommentInsert3": "qm2(1414)"}
    assert pair.last("QM2", "AMQ9001I").inserts == {"CommentInsert1": CHANNEL, "CommentInsert3": "QM1"}


def test_each_message_stands_beside_its_event():
    pair = Pair().put("NONE").start(70)
    events = pair.lab.events
    log = {each.id: events[each.seq] for each in pair.two.error_log()}
    assert (log["AMQ8003I"].kind, log["AMQ8003I"].qmgr, log["AMQ9002I"].facts["state"]) == ("start", "QM2", "BINDING")
    assert (log["AMQ9544"].kind, log["AMQ9544"].object, log["AMQ9544"].rule) == ("put", "DLQ", "MQI-30")
    assert (log["AMQ9001I"].facts["state"], events[pair.last("QM1", "AMQ9545I").seq].rule) == ("INACTIVE", "CHL-15")
    for each in pair.two.error_log():
        assert events[each.seq].qmgr == "QM2"
        assert (each.time - pair.lab.start).total_seconds() * 1e6 == events[each.seq].time_us


def test_a_dead_letter_is_told_where_it_was_put_and_without_a_queue_the_batch_is_refused():
    pair = Pair().put("NONE").start()
    told = pair.last("QM2", "AMQ9544")
    assert told.inserts == {"ArithInsert1": 1, "CommentInsert1": CHANNEL}
    assert told.severity == "", "the letter is not known to us"
    assert "'DLQ'" in told.entry
    assert "AMQ9544" not in pair.ids("QM1")
    pair = Pair(dead_letters=False).put("NONE").start()
    assert pair.ids("QM2") == ["AMQ9002I", "AMQ9565", "AMQ9999E"]
    assert pair.ids("QM1") == ["AMQ9002I", "AMQ9506E", "AMQ9999E"]


@pytest.mark.parametrize(
    "command", ["ALTER QLOCAL(DLQ) PUT(DISABLED)", f"ALTER CHANNEL({CHANNEL}) CHLTYPE(RCVR) USEDLQ(NO)"]
)
def test_a_dead_letter_queue_that_cannot_be_used_is_not_called_missing(command):
    assert Pair().do("QM2", command).put("NONE").start().ids("QM2") == ["AMQ9002I", "AMQ9999E"]


def test_a_host_out_of_reach_is_told_at_every_attempt_and_a_cut_link_at_both_ends():
    pair = Pair("SHORTTMR(10)")
    pair.lab.cut("QM1", "QM2")
    pair.start(15)
    assert pair.ids("QM1") == ["AMQ9002I", "AMQ9202E", "AMQ9999E"] * 2
    assert pair.last("QM1", "AMQ9202E").inserts == {"CommentInsert1": "qm2(1414)", "CommentInsert2": "TCP/IP"}
    assert pair.ids("QM2") == []
    pair = Pair().start()
    pair.lab.cut("QM1", "QM2")
    pair.lab.advance(1)
    assert pair.ids("QM1") == pair.ids("QM2") == ["AMQ9002I", "AMQ9208E", "AMQ9999E"]


@pytest.mark.parametrize(("ends", "stays"), [("QM1", "QM2"), ("QM2", "QM1")])
def test_a_queue_manager_that_ends_says_so_and_so_does_its_partner(ends, stays):
    pair = Pair().start()
    pair.lab[ends].stop()
    pair.lab.advance(1)
    assert [each.id for each in pair.lab[ends].error_log()][-2:] == ["AMQ9542W", "AMQ8004I"]
    assert (pair.ids(stays), pair.ids(ends)[-1]) == (["AMQ9002I", "AMQ9525", "AMQ9999E"], "AMQ9542W")


def test_a_queue_manager_that_fails_writes_nothing_of_it_on_multiplatforms():
    pair = Pair().start()
    pair.two.fail()
    pair.lab.advance(1)
    assert (pair.ids("QM2"), pair.ids("QM1")) == (["AMQ9002I"], ["AMQ9002I", "AMQ9208E", "AMQ9999E"])
    pair.two.start()
    assert [each.id for each in pair.two.error_log()].count("AMQ8003I") == 2


def test_sequence_numbers_and_seqwraps_that_differ_are_told_at_both_ends():
    pair = Pair().put().start().stop().do("QM2", f"RESET CHANNEL({CHANNEL}) SEQNUM(9)").start()
    for name in ("QM1", "QM2"):
        assert pair.ids(name)[-2:] == ["AMQ9526E", "AMQ9999E"]
        inserts = pair.last(name, "AMQ9526E").inserts
        assert inserts == {"ArithInsert1": 2, "ArithInsert2": 9, "CommentInsert1": CHANNEL}
    assert (pair.ids("QM1")[:2], pair.ids("QM2")[:2]) == (["AMQ9002I", "AMQ9528W"], ["AMQ9002I", "AMQ9001I"])
    pair = Pair("SEQWRAP(1000)").start()
    mine, theirs = (pair.last(name, "AMQ9505E").inserts for name in ("QM1", "QM2"))
    assert (mine["ArithInsert1"], mine["ArithInsert2"]) == (theirs["ArithInsert2"], theirs["ArithInsert1"])
    assert (mine["ArithInsert1"], pair.ids("QM2")) == (1000, ["AMQ9002I", "AMQ9505E", "AMQ9999E"])


@for_each(
    "command, id, inserts, zos",
    ("ALTER QLOCAL(QM2) GET(DISABLED)", "AMQ9549", {"CommentInsert1": "QM2"}, "CSQX549E"),
    ("ALTER QLOCAL(QM2) USAGE(NORMAL)", "AMQ9531E", {}, "CSQX531E"),
    ("DELETE QLOCAL(QM2)", "AMQ9509E", {"ArithInsert1": 2085}, "CSQX036E"),
)
def test_a_transmission_queue_that_cannot_be_used(command, id, inserts, zos):
    pair = Pair().do("QM1", command).start()
    assert (pair.ids("QM1"), pair.last("QM1", id).inserts) == (["AMQ9002I", id, "AMQ9999E"], inserts)
    assert pair.ids("QM2") == ["AMQ9002I", "AMQ9999E"], "why, only the sending end knows"
    assert Pair(platform="zos").do("QM1", command).start().ids("QM1") == ["CSQX500I", zos, "CSQX599E"]


def test_the_other_end_has_no_such_channel_or_another_type_or_is_stopped():
    pair = Pair().do("QM2", f"DELETE CHANNEL({CHANNEL})").start()
    assert (pair.ids("QM1"), pair.ids("QM2")) == (["AMQ9002I", "AMQ9520E", "AMQ9999E"], ["AMQ9519E"])
    assert pair.last("QM2", "AMQ9519E").seq == pair.last("QM1", "AMQ9520E").seq
    assert Pair(receiver="CHLTYPE(SVRCONN)").start().ids("QM1") == ["AMQ9002I", "AMQ9547E", "AMQ9999E"]
    pair = Pair().stop("QM2").start()
    assert pair.ids("QM1") == ["AMQ9002I", "AMQ9558E", "AMQ9999E"]
    assert pair.ids("QM2") == [], "a channel that does not run writes nothing when it is stopped"


def test_a_partner_that_is_stopped_by_force_and_a_requester_that_is_called_back():
    pair = Pair().start().stop("QM2", "MODE(FORCE)")
    assert (pair.ids("QM2"), pair.ids("QM1")) == (["AMQ9002I", "AMQ9528W"], ["AMQ9002I", "AMQ9999E"])
    pair = Pair(receiver="CHLTYPE(RQSTR) CONNAME('qm1')").do("QM2", f"START CHANNEL({CHANNEL})", 70)
    assert pair.ids("QM1") == ["AMQ9002I", "AMQ9545I", "AMQ9001I"]
    twice = ["AMQ9002I", "AMQ9002I", "AMQ9545I", "AMQ9001I"]
    assert pair.ids("QM2") == twice, "it begins twice: to ask, and to receive"


def test_a_trigger_that_names_no_channel_or_one_that_cannot_be_started():
    triggers = "ALTER QLOCAL(QM2) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA({})".format
    pair = Pair().do("QM1", triggers("QM1.TO.NOBODY"))
    pair.put().lab.advance(1)
    told = pair.last("QM1", "AMQ9519E")
    assert told.inserts == {"CommentInsert1": "QM1.TO.NOBODY"}
    assert pair.lab.events[told.seq].program == "CHANNEL.INITIATOR"
    assert "Program(runmqchi)" in told.entry
    pair = Pair().do("QM1", "DEFINE CHANNEL(BACK) CHLTYPE(RCVR)\n" + triggers("BACK"))
    pair.put().lab.advance(1)
    assert "AMQ9519E" not in pair.ids("QM1")


def test_a_report_that_cannot_be_put_and_the_start_of_the_dead_letter_handler(lab):
    qm = made("DEFINE QLOCAL(IN)\nDEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)", of=lab)
    qm.put("IN", b"x", report=mq.MQRO_COA, reply_to_q="NONE")
    (told,) = qm.error_log()[1:]
    assert (told.id, told.inserts, lab.events[told.seq].kind) == ("AMQ7310", {"ArithInsert1": 2085}, "report")
    assert "queue 'NONE' of 'QM1'" in told.text
    qm.put("IN", b"x", report=mq.MQRO_COA, reply_to_q="ANSWERS", reply_to_qmgr="QM9")
    assert "queue 'ANSWERS' of 'QM9'" in qm.error_log()[-1].text
    qm.dead_letter_handler("ACTION(DISCARD)\n")
    lab.advance(1)
    assert [each.id for each in qm.error_log()][3:] == ["AMQ8708I"]
    assert "INPUTQ(DLQ)" in str(qm.error_log())
    qm.mqsc("ALTER QMGR DEADQ(' ')").require()
    qm.put("IN", b"x", report=mq.MQRO_COA, reply_to_q="NONE")
    assert len(qm.error_log()) == 4, "what is written without a dead-letter queue is not known to us"


def test_expiry_and_triggered_programs_write_nothing(lab):
    text = "DEFINE QLOCAL(INITQ)\nDEFINE PROCESS(P) APPLICID(SERVER)\n"
    qm = made(text + "DEFINE QLOCAL(IN) TRIGGER TRIGTYPE(EVERY) INITQ(INITQ) PROCESS(P)", of=lab)
    qm.trigger_monitor("INITQ")
    lab.advance(1)
    qm.put("IN", b"x", expiry=10)
    lab.advance(1000)
    assert lab.events.where(kind="discard"), "a scan found it"
    assert [each.id for each in qm.error_log()] == ["AMQ8003I"]


def test_text_and_rows_agree():
    pair = Pair("SHORTTMR(10)").put("NONE").start(70)
    log = pair.two.error_log()
    text = str(log)
    assert re.findall(r"^(AMQ\d{4}[A-Z]?): ", text, re.M) == [each.id for each in log]
    assert text == "\n".join(str(each) for each in log)
    for each in log:
        flat = " ".join(each.entry.split())
        says(flat, f"{each.id}: {each.text}", f"Time({each.time:%Y-%m-%dT%H:%M:%S}.")
        assert all(f"{name}({value})" in flat for name, value in each.inserts.items())
        assert max(map(len, each.entry.splitlines())) <= 79
        assert each.severity in ("", each.id[-1])


def test_an_entry_has_the_form_of_amqerr01_log():
    pair = Pair().start()
    lines = pair.last("QM2", "AMQ9002I").entry.splitlines()
    process = pair.lab.events[pair.last("QM2", "AMQ9002I").seq].cause
    assert lines[0] == f"01/06/25 09:00:00 - Process({process}.1) User(mqm) Program(amqrmppa)"
    assert [line.strip() for line in lines[1:5]] == [
        "Host(QM2) Installation(Installation1)",
        "VRMF(9.4.0.0) QMgr(QM2)",
        "Time(2025-01-06T09:00:00.000Z)",
        f"CommentInsert1({CHANNEL})",
    ]
    assert lines[5:7] == ["", f"AMQ9002I: Channel '{CHANNEL}' begins."]
    assert "EXPLANATION:" in lines
    assert lines[-3:] == ["ACTION:", "None.", "-" * 79]
    assert "Program(runmqchl)" in pair.last("QM1", "AMQ9002I").entry


@pytest.mark.parametrize(
    ("level", "id", "host", "vrmf", "inserts"),
    [
        (530, "AMQ8003", False, None, False),
        (701, "AMQ8003", False, None, False),
        (750, "AMQ8003", True, "7.5.0.0", False),
        (900, "AMQ8003", True, "9.0.0.0", False),
        (910, "AMQ8003I", True, "9.1.0.0", True),
        (1000, "AMQ8003I", True, "10.0.0.0", True),
    ],
)
def test_the_form_is_that_of_the_level(lab, level, id, host, vrmf, inserts):
    (told,) = lab.queue_manager("QM1", level=level).error_log()
    assert (told.id, told.severity) == (id, "I")
    assert ("Host(QM1)" in told.entry) is host
    assert (f"VRMF({vrmf})" in told.entry) is (vrmf is not None)
    assert ("CommentInsert3(QM1)" in told.entry) is ("Time(" in told.entry) is inserts
    assert told.inserts["CommentInsert3"] == "QM1"


def test_reading_changes_nothing_and_rows_make_a_frame():
    pair = Pair().put().start()
    before = len(pair.lab.events)
    pair.one.error_log()
    assert len(pair.lab.events) == before
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(Pair().start().one.error_log())
    assert list(frame.columns) == ["time", "id", "severity", "inserts", "text", "seq", "entry"]
    assert list(frame["id"])[:2] == ["AMQ8003I", "AMQ8024I"]


def test_zos_writes_the_same_to_its_job_logs():
    pair = Pair(platform="zos").put("NONE").start(70)
    assert pair.ids("QM1") == ["CSQX500I", "CSQX545I", "CSQX501I"]
    assert pair.ids("QM2") == ["CSQX500I", "CSQX548E", "CSQX545I", "CSQX501I"]
    assert [each.id for each in pair.one.error_log()][:2] == ["CSQY022I", "CSQX022I"]
    told = pair.last("QM2", "CSQX500I")
    assert (told.entry, told.inserts) == (f"09.00.00 +CSQX500I !QM2 CSQXRESP {told.text}", {"channel": CHANNEL})
    assert "CSQXRCTL" in pair.last("QM1", "CSQX500I").entry
    assert str(pair.one.error_log()).count("\n") == len(pair.one.error_log()) - 1


def test_zos_errors_have_their_numbers_in_the_line_and_ends_are_told_apart_from_failures():
    pair = Pair(platform="zos").put().start().stop().do("QM2", f"RESET CHANNEL({CHANNEL}) SEQNUM(9)").start()
    assert pair.ids("QM1")[-2:] == ["CSQX526E", "CSQX599E"]
    assert "2 is the next to be sent, 9" in pair.last("QM1", "CSQX526E").entry
    pair = Pair(platform="zos").start()
    pair.two.stop()
    pair.lab.advance(1)
    assert pair.ids("QM2")[1:] == ["CSQY002I", "CSQ3104I"], "what its channels write is not known to us"
    assert pair.ids("QM1") == ["CSQX500I", "CSQX525E", "CSQX599E"]
    pair.one.fail()
    assert pair.ids("QM1")[-1] == "CSQV086E"


def test_zos_partners_that_cannot_answer():
    found = []
    for command in (f"DELETE CHANNEL({CHANNEL})", f"STOP CHANNEL({CHANNEL})"):
        pair = Pair(platform="zos").do("QM2", command).start()
        found += pair.ids("QM1") + pair.ids("QM2")
    found += Pair(receiver="CHLTYPE(SVRCONN)", platform="zos").start().ids("QM1")
    found += Pair("SEQWRAP(1000)", platform="zos").start().ids("QM1")
    pair = Pair(dead_letters=False, platform="zos").put("NONE").start()
    found += pair.ids("QM1") + pair.ids("QM2")
    pair.lab.cut("QM1", "QM2")
    pair.lab.advance(100)
    found += pair.ids("QM1")
    pair = Pair(platform="zos").start()
    pair.lab.cut("QM1", "QM2")
    found += pair.ids("QM1")
    assert Pair(platform="zos").start().stop().ids("QM1") == ["CSQX500I", "CSQX528I"]
    wanted = "CSQX520E CSQX519E CSQX558E CSQX547E CSQX505E CSQX506E CSQX565E CSQX202E CSQX208E"
    assert set(wanted.split()) <= set(found)


@pytest.mark.needs("sharing")
def test_zos_groups_tell_of_structures_and_of_their_agent(lab):
    lab.queue_sharing_group("QSG1", ["QMA", "QMB"], intra_group_queuing=True)
    lab["QMA"].mqsc("DEFINE CFSTRUCT(APP1) CFLEVEL(4)\nDEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(APP1)").require()
    lab["QMA"].put("S", b"x")
    lab.advance(1)
    lab["QMA"].stop()
    lab["QMB"].fail()
    ids = [each.id for each in lab["QMA"].error_log()]
    assert (ids[:3], ids[-3:]) == (["CSQY022I", "CSQM050I", "CSQE005I"], ["CSQY002I", "CSQM051I", "CSQ3104I"])
    assert [each.id for each in lab["QMB"].error_log()] == ["CSQY022I", "CSQM050I", "CSQV086E"]


@pytest.mark.needs("sharing")
def test_the_job_log_tells_what_the_agent_and_triggers_could_not_deliver(lab):
    lab.queue_sharing_group("QSG1", ["QMA", "QMB"], intra_group_queuing=True)
    lab["QMB"].mqsc("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)").require()
    lab["QMA"].put("AMQ.GONE@QMB", b"late reply")
    lab.advance(3)
    assert [each.id for each in lab["QMB"].error_log()][-1] == "CSQM064I"
    assert "CSQM064I" not in str(lab["QMA"].error_log())


def test_an_end_that_hears_nothing(lab):
    one, two = channel(lab.queue_manager("QM1"), lab.queue_manager("QM2"), "HBINT(5)\nSTART CHANNEL(C)", "HBINT(5)")
    lab.advance(1)
    lab.cut("QM1", "QM2", silent=True)
    lab.advance(11)
    for qmgr in (one, two):
        assert [each.id for each in qmgr.error_log()][-2:] == ["AMQ9259E", "AMQ9999E"]
    three = lab.queue_manager("QM3", platform="zos")
    channel(one, three, "HBINT(5)\nSTART CHANNEL(D)", "HBINT(5)", name="D")
    lab.advance(1)
    lab.cut("QM1", "QM3", silent=True)
    lab.advance(11)
    assert "CSQX259E" in [each.id for each in three.error_log()]


def test_a_trigger_message_that_its_initiation_queue_refuses(lab):
    text = "DEFINE QLOCAL(INITQ) MAXDEPTH(0)\nDEFINE PROCESS(P)\nDEFINE QLOCAL(Q) TRIGGER PROCESS(P) INITQ(INITQ)"
    qm = made(text, of=lab)
    qm.open("INITQ", input="shared")
    qm.put("Q", b"x")
    said = [each for each in qm.error_log() if each.id == "AMQ7305"]
    assert [each.inserts for each in said] == [{"ArithInsert1": 2053}]


@pytest.mark.needs("sharing")
def test_zos_a_shared_transmission_queue_in_a_failed_structure(lab):
    group = lab.queue_sharing_group("QSG1", ["QM1", "QMB"])
    one, two = lab["QM1"], lab.queue_manager("QM2", platform="zos")
    lab.link("QM1", "QM2")
    one.mqsc(
        "DEFINE CFSTRUCT(APP1) CFLEVEL(4) RECOVER(YES)\n"
        "DEFINE QLOCAL(QM2) QSGDISP(SHARED) USAGE(XMITQ) CFSTRUCT(APP1)\n"
        f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(SDR) CONNAME('qm2') XMITQ(QM2)\nSTART CHANNEL({CHANNEL})"
    ).require()
    two.mqsc(f"DEFINE CHANNEL({CHANNEL}) CHLTYPE(RCVR)").require()
    lab.advance(1)
    group.fail_coupling_facility()
    lab.advance(1)
    ids = [each.id for each in one.error_log()]
    assert ids[-2:] == ["CSQX037E", "CSQX599E"]
    assert "MQGET from 'QM2' ended with 2373" in str(one.error_log())


def test_vse_has_another_kind_of_log(lab):
    lab_error("Multiplatforms or z/OS; OLD is on VSE/ESA", lab.queue_manager("OLD", platform="vse").error_log)


def test_a_refused_connection_tells_the_gate_that_refused_it(lab):
    """A client learns 2035 only."""
    qm = lab.queue_manager("QM1", developer=True)
    for given in ({"password": "x"}, {}, {"channel": "DEV.ADMIN.SVRCONN"}):
        refusal(MQError, "2035", qm.connect, "TILL", **{"channel": "DEV.APP.SVRCONN"} | given)
    qm.mqsc("SET CHLAUTH(DEV.APP.SVRCONN) TYPE(BLOCKUSER) USERLIST('app')")
    refusal(MQError, "2035", qm.connect, "TILL", channel="DEV.APP.SVRCONN", password="password")
    passwords = ["AMQ5534E", "AMQ5542I", "AMQ9557E", "AMQ5540E", "AMQ5541I", "AMQ9557E"]
    assert [each.id for each in qm.error_log()][1:] == [*passwords, "AMQ9777E", "AMQ9776E"]
    qm.mqsc("START LISTENER(SYSTEM.LISTENER.TCP.1)")  # whose port DEV.LISTENER.TCP has
    assert [(each.id, each.inserts) for each in qm.error_log()][-1] == ("AMQ9218E", {"ArithInsert1": 1414})
    assert "'TILL' gave no user and password" in str(qm.error_log())


@pytest.fixture(params=["distributed", "zos"])
def demo(request):
    """A cluster of two full repositories and two other members."""
    from clustered import Demo

    return Demo(queues={"HUB1": "ORDERS", "DEPOT": "ORDERS"}, platform=request.param)


def of_repository_manager(qmgr, *ids):
    """What a repository manager wrote, by identifier: its first text; of these identifiers those of its platform."""
    found = {}
    for each in qmgr.error_log():
        if "Program(amqrrmfa)" in each.entry or " CSQXREPO " in each.entry:
            found.setdefault(each.id, each.text)
    if not ids:
        return found
    return next(found.get(id, "") for id in ids if id.startswith("CSQ") == (qmgr.platform == "zos"))


@pytest.mark.needs("clusters")
def test_a_repository_manager_tells_its_start_its_end_and_its_commands(demo):
    refresh = "REFRESH CLUSTER(DEMO) REPOS(YES)\nREFRESH CLUSTER(DEMO)\n"
    demo("HUB1", refresh + "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(NONE)")
    demo.settle()
    demo["HUB1"].stop()
    distributed = ["AMQ9410I", "AMQ9406", "AMQ9442I", "AMQ9453", "AMQ9411I"]
    zos = ["CSQX410I", "CSQX406E", "CSQX442I", "CSQX453E", "CSQX411I"]
    assert list(of_repository_manager(demo["HUB1"])) == (zos if demo["HUB1"].platform == "zos" else distributed)
    assert "the cluster has no member 'NONE'." in of_repository_manager(demo["HUB1"], "AMQ9453", "CSQX453E")


@pytest.mark.needs("clusters")
def test_a_cluster_sender_that_leads_to_no_full_repository_is_told_where_it_is(demo):
    demo.lab.queue_manager("NEW", platform=demo["DEPOT"].platform)
    demo.lab.link("NEW", "DEPOT")
    demo.join("NEW", "DEPOT")
    demo.settle()
    assert "'DEPOT', which is no full repository" in of_repository_manager(demo["NEW"], "AMQ9427", "CSQX427E")
    assert not {"AMQ9427", "CSQX427E"} & of_repository_manager(demo["DEPOT"]).keys()


@pytest.mark.needs("clusters")
def test_records_that_are_not_renewed_are_told_for_60_days(demo):
    demo["SHOP"].put("ORDERS", b"x")
    for name in ("HUB1", "HUB2", "SHOP"):
        demo(name, "STOP CHANNEL(TO.DEPOT)")
    demo["DEPOT"].stop()
    demo.settle(31 * 24 * 3600)
    for name in ("HUB1", "SHOP"):
        assert "queue manager 'DEPOT' in cluster 'DEMO'" in of_repository_manager(demo[name], "AMQ9469", "CSQX469E")
        assert "queue 'ORDERS' in cluster 'DEMO'" in of_repository_manager(demo[name], "AMQ9456", "CSQX456I")


@pytest.mark.needs("clusters")
def test_two_members_of_one_name_are_told_when_one_is_to_be_removed(demo):
    manager = demo["HUB1"].kept["clusters"]
    again = manager.repository.named("QMGR", "DEPOT")[0].told() | {"qmid": "DEPOT_2024-01-01_00.00.00"}
    again["facts"] = again["facts"] | {"channel": "TO.OLD"}
    manager.later(lambda: manager.on_record(again["qmid"], again))
    demo("HUB1", "RESET CLUSTER(DEMO) ACTION(FORCEREMOVE) QMNAME(DEPOT)")
    demo.settle()
    assert "several members have the name 'DEPOT'" in of_repository_manager(demo["HUB1"], "AMQ9455", "CSQX455E")


def test_every_message_of_the_table_is_one_that_a_lab_above_causes():
    here = Path(__file__)
    tests = [here, *sorted((here.parents[1] / "gates").glob("*.py"))]
    tested = "".join(path.read_text(encoding="utf-8") for path in tests)
    ids = {id for message in _messages().values() for id in (message.amq, message.csq)} - {"-"}
    assert [id for id in sorted(ids) if id not in tested] == []
    assert all(re.fullmatch(r"AMQ\d{4}[IWE]?|CSQ[3EMVXY]\d{3,4}[IE]", id) for id in ids)
