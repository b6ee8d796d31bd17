"""The IMS bridge: lifetimes of replies (EXP-30), what it puts on the dead-letter queue (IMS-01), where it runs."""

import pytest

from helpers import cases, lab_error, refusal
from mqlab import MQError, ProgramDied
from mqlab.bridges.headers import MQDLH, MQIIH, ImsHeader, join_segments, split_segments
from mqlab.bridges.ims_bridge import ImsRejected

EXPIRATION, FULL = 0x0020_0000, 0x00E0_0000
PASS_EXPIRATION = 1


@pytest.fixture
def qm(lab):
    """Queue manager QMZ on z/OS with BRIDGE, REPLIES, REPORTS and a dead-letter queue."""
    qmgr = lab.queue_manager("QMZ", platform="zos")
    qmgr.mqsc("DEFINE QLOCAL(BRIDGE)\nDEFINE QLOCAL(REPLIES)\nDEFINE QLOCAL(DEAD)\nALTER QMGR DEADQ(DEAD)").require()
    return qmgr


@pytest.fixture
def ask(qm):
    """Put a request for transaction TRAN on the bridge queue."""

    def ask(flags=0, header=True, data=None, **descriptor):
        about = ImsHeader(format="MQIMSVS", flags=flags, reply_format="MQSTR", commit_mode="1")
        body = (MQIIH.pack(about) if header else b"") + (join_segments(b"TRAN abc") if data is None else data)
        said = {"msg_type": 1, "reply_to_q": "REPLIES", "format": "MQIMS" if header else "MAPNAME"} | descriptor
        return qm.put("BRIDGE", body, **said)

    return ask


def answer(segments):
    """An IMS transaction that answers with what it was asked."""
    return b"DONE " + segments[0]


@pytest.mark.rule("EXP-30")
def test_a_reply_is_unlimited_unless_the_request_passes_its_expiration(lab, qm, ask):
    qm.ims_bridge("BRIDGE", answer)
    for flags in (0, PASS_EXPIRATION):
        ask(flags, expiry=300)
        ask(flags)
    ask(flags=8)
    lab.run()
    replies = [qm.get("REPLIES") for _ in range(5)]
    assert [reply.expiry for reply in replies] == [-1, -1, 300, -1, -1]
    assert [row.rule for row in lab.events.where(kind="put", object="REPLIES")] == ["EXP-30"] * 5
    assert MQIIH.unpack(replies[-1].body).format == "", "the request says so"


@pytest.mark.rule("EXP-30")
@pytest.mark.parametrize(("flags", "left"), [(0, -1), (PASS_EXPIRATION, 280)])
def test_the_bridge_s_own_time_is_not_deducted_but_time_on_the_queue_is(lab, qm, ask, flags, left):
    def slow(segments):
        lab.advance(7)
        return answer(segments)

    ask(flags, expiry=300)
    lab.advance(2)
    qm.ims_bridge("BRIDGE", slow)
    lab.run()
    [row] = lab.events.where(kind="put", object="REPLIES")
    assert (row.time_us, qm.get("REPLIES").expiry) == (9_000_000, left)


@pytest.mark.rule("EXP-30")
@pytest.mark.parametrize(("flags", "report"), [(0, 0), (PASS_EXPIRATION, FULL)])
def test_expiration_report_options_pass_with_the_lifetime_and_no_others_do(lab, qm, ask, flags, report):
    qm.ims_bridge("BRIDGE", answer)
    ask(flags, expiry=20, report=FULL | 0x0100_0000)
    lab.run()
    reply = qm.browse("REPLIES")
    assert (reply.report, reply.reply_to_q) == (report, "REPLIES" if report else "")
    lab.advance(3)
    if not report:
        assert qm.get("REPLIES").expiry == -1
        return
    refusal(MQError, "2033", qm.get, "REPLIES")
    assert (qm.browse("REPLIES").feedback, qm.browse("REPLIES").body) == (258, reply.body)


@pytest.mark.parametrize(
    ("report", "same"), [(0, ("msg_id", None)), (0x80, ("msg_id", "msg_id")), (0xC0, ("correl_id", "msg_id"))]
)
def test_the_descriptor_of_a_reply(lab, qm, ask, report, same):
    qm.ims_bridge("BRIDGE", answer)
    request = ask(priority=7, persistent=True, report=report, correl_id=b"C")
    lab.run()
    reply = qm.get("REPLIES")
    correlates, passes = same
    assert reply.correl_id == getattr(request, correlates)
    assert (reply.msg_id == request.msg_id) is (passes == "msg_id")
    assert (reply.msg_type, reply.priority, reply.persistent, reply.format) == (2, 7, True, "MQIMS")
    header = MQIIH.unpack(reply.body)
    assert (header.format, header.flags, header.commit_mode, header.security) == ("MQSTR", 0, "1", "")
    assert split_segments(reply.body[MQIIH.LENGTH :]) == [b"DONE TRAN abc"]


def test_a_request_without_a_header_has_a_reply_without_one(lab, qm, ask):
    qm.ims_bridge("BRIDGE", lambda segments: [b"one", b"two"])
    ask(header=False, expiry=300)
    lab.run()
    reply = qm.get("REPLIES")
    assert (split_segments(reply.body), reply.expiry, reply.format) == ([b"one", b"two"], -1, "MAPNAME")


def test_no_answer_and_nowhere_to_answer(lab, qm, ask):
    asked = []
    qm.ims_bridge("BRIDGE", lambda segments: asked.append(segments))
    ask(data=join_segments(b"TRAN", b"more"))
    ask(msg_type=8, reply_to_q="")
    lab.run()
    assert asked == [[b"TRAN", b"more"], [b"TRAN abc"]]
    assert (qm.depth("BRIDGE"), qm.depth("REPLIES"), qm.depth("DEAD")) == (0, 0, 0)


@pytest.mark.rule("IMS-01")
@cases(
    "given, feedback",
    ({"header": False, "format": "MQIMS"}, 296),
    ({"data": b""}, 291),
    ({"data": b"\xff\xff\0\0"}, 292),
    ({"data": b"\x08\0\0\0abc"}, 295),
    ({"data": b"\xff\0\0\0abc"}, 294),
)
def test_a_request_that_is_no_message_for_ims_is_dead_lettered_as_it_was(lab, qm, ask, given, feedback):
    qm.ims_bridge("BRIDGE", answer)
    request = ask(expiry=300, priority=7, persistent=True, report=EXPIRATION, **given)
    ask()
    lab.run()
    dead = qm.get("DEAD")
    said = MQDLH.unpack(dead.body)
    assert (said.reason, said.queue, said.qmgr, said.format) == (feedback, "BRIDGE", "QMZ", "MQIMS")
    assert dead.body[MQDLH.LENGTH :] == request.body
    assert (dead.msg_id, dead.expiry, dead.priority, dead.persistent) == (request.msg_id, 300, 7, True)
    assert (dead.format, dead.report, dead.reply_to_q, qm.depth("REPLIES")) == ("MQDEAD", EXPIRATION, "REPLIES", 1)


@pytest.mark.rule("IMS-01")
def test_a_request_that_ims_rejects_is_dead_lettered_with_the_sense_code(lab, qm, ask):
    def refuse(segments):
        raise ImsRejected(0x1F)

    qm.ims_bridge("BRIDGE", refuse)
    ask()
    lab.run()
    assert MQDLH.unpack(qm.get("DEAD").body).reason == 331
    for sense in (0, 26, 100, "1"):  # which have no feedback code
        lab_error("sense must be", ImsRejected, sense)


def test_a_reply_that_cannot_be_put_is_dead_lettered(lab, qm, ask):
    qm.ims_bridge("BRIDGE", answer)
    request = ask(PASS_EXPIRATION, reply_to_q="NOWHERE", expiry=300, report=FULL)
    lab.run()
    dead = qm.get("DEAD")
    said = MQDLH.unpack(dead.body)
    assert (said.reason, said.queue, said.qmgr, said.format) == (2085, "NOWHERE", "QMZ", "MQIMS")
    assert (dead.format, dead.msg_type, dead.expiry, dead.report) == ("MQDEAD", 2, 300, FULL)
    assert dead.correl_id == request.msg_id
    assert (MQIIH.unpack(dead.body[MQDLH.LENGTH :]).commit_mode, qm.depth("BRIDGE")) == ("1", 0)


def test_a_reply_that_can_go_nowhere_leaves_the_request_where_it_was(lab, qm, ask):
    assert qm.mqsc("ALTER QLOCAL(DEAD) PUT(DISABLED)").ok
    bridge = qm.ims_bridge("BRIDGE", answer)
    ask(reply_to_q="NOWHERE")
    refusal(ProgramDied, "2051", lab.run)
    assert (bridge.state, qm.depth("BRIDGE")) == ("died", 1)


def test_without_a_dead_letter_queue_a_bad_request_goes_back_and_the_bridge_ends(lab, qm, ask):
    assert qm.mqsc("ALTER QMGR DEADQ(' ')").ok
    bridge = qm.ims_bridge("BRIDGE", answer)
    ask(data=b"")
    refusal(ProgramDied, "", lab.run)
    assert (bridge.state, qm.depth("BRIDGE"), qm.browse("BRIDGE").backout_count) == ("died", 1, 1)


def test_a_bridge_has_its_queue_to_itself_and_stops(lab, qm, ask):
    bridge = qm.ims_bridge("BRIDGE", answer)
    lab.run()
    refusal(MQError, "2042", qm.get, "BRIDGE")
    bridge.stop()
    ask()
    lab.run()
    assert (bridge.state, qm.depth("BRIDGE"), qm.units) == ("ended", 1, {})


@pytest.mark.parametrize("platform", ["distributed", "vse"])
def test_only_zos_has_the_bridge(lab, platform):
    qm = lab.queue_manager("QM1", platform=platform)
    assert qm.mqsc("DEFINE QLOCAL(BRIDGE)").ok
    lab_error(f"the only one with the IMS bridge; got '{platform}'", qm.ims_bridge, "BRIDGE", answer)
    assert qm.programs_running == []


def test_a_bridge_that_cannot_run_does_not_start(qm):
    refusal(MQError, "2085", qm.ims_bridge, "NOWHERE", answer)
    lab_error("transaction must be", qm.ims_bridge, "BRIDGE", "TRAN")
    assert qm.programs_running == []
