"""Intra-group queuing: which way a message goes, what its agents do with it, and what is lost when."""

import json

import pytest

from helpers import cases, channel, lab_error, outcome, refusal
from mqlab import Lab, LabError, MQError
from mqlab import constants as mq
from mqlab.engine.words.because import fact
from mqlab.engine.words.headers import MQDLH, MQXQH
from mqlab.engine.words.structures import MD, PMO
from mqlab.sharing.igq_agent import tag_of
from mqlab.sharing.whys import BatchBackedOut, StructureBroke

QUEUE, DLQ = "SYSTEM.QSG.TRANSMIT.QUEUE", "SYSTEM.DEAD.LETTER.QUEUE"
EXCEPTION, DISCARD = mq.MQRO_EXCEPTION, mq.MQRO_DISCARD_MSG
UNREPORTABLE = {"report": EXCEPTION | DISCARD, "reply_to_q": "REPLIES", "reply_to_qmgr": "QMX"}
COMMON = "DEFINE CFSTRUCT(APP) CFLEVEL(4) RECOVER(YES)\nDEFINE QLOCAL(COMMON) QSGDISP(SHARED) CFSTRUCT(APP)"
MINUTE = 60


def drained(qmgr, queue):
    """The bodies on a queue, all of them got."""
    return [qmgr.get(queue).body for _ in range(qmgr.depth(queue))]


def header(queue, qmgr, body=b"", persistent=False):
    """What an application puts on a transmission queue itself."""
    by = {"UserIdentifier": "app", "PutApplType": 6, "PutApplName": "APP", "PutDate": "20250106", "PutTime": "09000000"}
    about = MD(Version=1, CodedCharSetId=1208, Priority=0, Persistence=int(persistent), **by)
    return MQXQH.pack(queue, qmgr, about) + body


@pytest.fixture
def group(lab):
    """QSG1 of QMA, QMB and QMC with intra-group queuing, WORK on QMB, REPLIES on QMA, and a dead-letter queue each."""
    made = lab.queue_sharing_group("QSG1", ["QMA", "QMB", "QMC"], intra_group_queuing=True)
    for each in made.members:
        assert each.mqsc(f"ALTER QMGR DEADQ({DLQ})").ok
    assert lab["QMB"].mqsc("DEFINE QLOCAL(WORK)\nDEFINE QLOCAL(SMALL) MAXDEPTH(1)").ok
    assert lab["QMA"].mqsc("DEFINE QLOCAL(REPLIES)").ok
    lab.run()
    return made


@pytest.fixture
def agent(group):
    """The agent of QMB."""
    return group.igq.agents["QMB"]


def join(one, two):
    """A channel from one member to the other, which runs."""
    channel(one, two, "TRPTYPE(TCP)\nSTART CHANNEL(C)", "TRPTYPE(TCP)")
    one.lab.run(5)


# ---------------------------------------------------------------- the messages
@pytest.mark.rule("IGQ-01")
def test_a_message_on_the_shared_transmission_queue_has_a_header_and_names_its_member(lab, one, three):
    put = one.put("WORK@QMB", b"hello", priority=3, persistent=True, correl_id="C")
    seen = three.browse(QUEUE)
    told = MQXQH.unpack(seen.body)
    assert (told.queue, told.qmgr, told.body) == ("WORK", "QMB", b"hello")
    assert (told.md.MsgId, told.md.CorrelId[:1], told.md.Priority) == (put.msg_id, b"C", 3)
    assert (seen.format, seen.priority, seen.persistent, seen.number) == ("MQXMIT", 3, True, put.number)
    assert seen.correl_id == tag_of("QMB") == b"QMB".ljust(24, b"\0")
    assert seen.msg_id != put.msg_id, "the separate descriptor has one of its own"
    assert json.loads(lab.events.where(object=QUEUE, kind="put")[0].detail)["member"] == "QMA"


def test_members_with_long_names_are_told_apart_and_a_failure_is_a_reason_in_a_reason():
    names = [f"QUEUE.MANAGER.WITH.A.LONG.NAME.{n}" for n in range(3)]
    assert (len({tag_of(name) for name in names}), {len(tag_of(name)) for name in names}) == (3, {24})
    assert fact(BatchBackedOut(StructureBroke("S1").facts)) == "its batch was backed out: CFSTRUCT(S1) failed"


@pytest.mark.rule("IGQ-02", "IGQ-05")
def test_persistent_messages_move_in_a_unit_of_work_and_others_in_none(lab, one, two):
    put = [one.put("WORK@QMB", b"p", persistent=True), one.put("WORK@QMB", b"n")]
    lab.run()
    got = [two.get("WORK"), two.get("WORK")]
    gone, come = ([(m.number, m.msg_id, m.body, m.persistent) for m in each] for each in (put, got))
    assert come == gone
    moved = lab.events.where(program="IGQ.AGENT", kind=("get", "put"))
    assert [(e.kind, e.persistent, e.uow is not None, e.rule) for e in moved] == [
        ("get", True, True, "IGQ-05"),
        ("put", True, True, "IGQ-02"),
        ("get", False, False, "IGQ-05"),
        ("put", False, False, "IGQ-02"),
    ]


@pytest.mark.rule("IGQ-06")
def test_120_persistent_messages_are_committed_at_50_100_and_120(lab, one, two):
    for number in range(120):
        one.put("WORK@QMB", str(number), persistent=True)
        if number % 2:
            one.put("WORK@QMB", b"light")  # these do not count
    lab.run()
    commits = lab.events.where(kind="commit", rule="IGQ-06")
    gets = [lab.events.where(kind="get", object=QUEUE, uow=row.uow) for row in commits]
    assert [len(each) for each in gets] == [50, 50, 20]
    assert [body for body in drained(two, "WORK") if body != b"light"] == [str(n).encode() for n in range(120)]


@pytest.mark.rule("IGQ-07")
def test_one_byte_more_than_the_queue_takes_is_refused_where_no_channel_leads(lab, group, one, two):
    for each in group.members:
        assert each.mqsc("ALTER QMGR MAXMSGL(104857600)").ok
    assert one.mqsc(f"ALTER QLOCAL({QUEUE}) QSGDISP(SHARED) MAXMSGL(50000)").ok
    most = 50000 - MQXQH.LENGTH
    assert outcome(one.put, "WORK@QMB", bytes(most)) is None
    error = refusal(MQError, "50001 bytes with the header", one.put, "WORK@QMB", bytes(most + 1))
    assert (error.reason, error.rule) == (2030, "IGQ-07")
    lab.run()
    assert [len(body) for body in drained(two, "WORK")] == [most]


@pytest.mark.rule("IGQ-07")
@pytest.mark.parametrize(("legacy", "level", "most"), [(True, 4, 64512), (False, 3, 64512), (False, 4, 4194304)])
def test_a_longer_message_goes_by_channel_so_that_order_is_not_kept(lab, legacy, level, most):
    group = lab.queue_sharing_group("QSG1", ["QMA", "QMB"])
    one, two = group.members
    assert one.mqsc(f"""
        DEFINE CFSTRUCT(SYS) CFLEVEL({level}) RECOVER(YES)
        DEFINE QLOCAL({QUEUE}) QSGDISP(SHARED) CFSTRUCT(SYS) USAGE(XMITQ) INDXTYPE(CORRELID) SHARE DEFSOPT(SHARED)
        ALTER QMGR IGQ(ENABLED) MAXMSGL(5000000)""").ok
    assert two.mqsc("DEFINE QLOCAL(WORK) MAXMSGL(5000000)\nALTER QMGR MAXMSGL(5000000)").ok
    join(one, two)
    assert one.mqsc("ALTER QLOCAL(QMB) MAXMSGL(5000000)").ok
    group.igq.legacy_63k = legacy
    with one.open("WORK@QMB", output=True) as handle:
        for length in (most + 1 - MQXQH.LENGTH, most - MQXQH.LENGTH):
            handle.put(bytes(length))
    rows = [(e.object, e.rule) for e in lab.events.where(kind="put") if e.program is None]
    assert rows == [("QMB", "IGQ-07"), (QUEUE, "IGQ-01")]
    if most < 4_000_000:  # the channel's own limit is 4 MB
        lab.run(10)
        assert two.depth("WORK") == 2


@pytest.mark.rule("IGQ-08")
def test_defaults_come_from_the_first_queue_of_the_path(lab, one, two):
    assert one.mqsc(f"""
        ALTER QLOCAL({QUEUE}) QSGDISP(SHARED) DEFPRTY(7) DEFPSIST(YES)
        DEFINE QREMOTE(FAR) RNAME(WORK) RQMNAME(QMB) DEFPRTY(2)
        DEFINE QALIAS(FIRST) TARGET(FAR) DEFPRTY(4) DEFPSIST(YES)""").ok
    for name in ("WORK@QMB", "FAR", "FIRST"):
        one.put(name, name)
    lab.run()
    got = {m.body.decode(): (m.priority, m.persistent) for m in (two.get("WORK") for _ in range(3))}
    assert got == {"WORK@QMB": (7, True), "FAR": (2, False), "FIRST": (4, True)}
    assert [e.rule for e in lab.events.where(kind="put", object=QUEUE)] == ["IGQ-01", "IGQ-08", "IGQ-08"]


# ---------------------------------------------------------------- which way
def test_igq_disabled_leaves_the_conventional_way_and_inbound_is_served_all_the_same(lab, group, one, two):
    assert two.mqsc("ALTER QMGR IGQ(DISABLED)").ok
    assert outcome(two.put, "REPLIES@QMA", b"x") == 2087
    one.put("WORK@QMB", b"in")
    lab.run()
    assert two.get("WORK").body == b"in"
    join(two, one)
    two.put("REPLIES@QMA", b"out")
    lab.run(5)
    assert one.get("REPLIES").body == b"out"


def test_a_named_xmitq_wins_and_a_queue_called_like_the_member_does_not(lab, one, two):
    assert one.mqsc("""
        DEFINE QLOCAL(QMB) USAGE(XMITQ)
        DEFINE QLOCAL(OWN) USAGE(XMITQ)
        DEFINE QREMOTE(FAR) RNAME(WORK) RQMNAME(QMB) XMITQ(OWN)
        DEFINE QREMOTE(PLAIN) RNAME(WORK) RQMNAME(QMB)
        DEFINE QREMOTE(ALIAS) RQMNAME(QMB) XMITQ(OWN)
        DEFINE QREMOTE(BARE) RQMNAME(QMB)""").ok
    for name in ("WORK@QMB", "FAR", "PLAIN", "WORK@ALIAS", "WORK@BARE"):
        one.put(name, name)
    assert (one.depth("OWN"), one.depth("QMB"), one.depth(QUEUE)) == (2, 0, 3)
    lab.run()
    assert drained(two, "WORK") == [b"WORK@QMB", b"PLAIN", b"WORK@BARE"]


@pytest.mark.parametrize("before", ["ENABLED", "DISABLED"])
def test_igq_altered_after_the_open_answers_2041(lab, one, two, before):
    after = "DISABLED" if before == "ENABLED" else "ENABLED"
    assert one.mqsc(f"DEFINE QLOCAL(QMB) USAGE(XMITQ)\nALTER QMGR IGQ({before})").ok
    handle = one.open("WORK@QMB", output=True)
    handle.put(b"fine")
    assert one.mqsc("ALTER QMGR DESCR('nothing to do with it')").ok
    handle.put(b"fine")
    assert one.mqsc(f"ALTER QMGR IGQ({after})").ok
    depths = (one.depth(QUEUE), one.depth("QMB"))
    assert (outcome(handle.put, b"late"), (one.depth(QUEUE), one.depth("QMB"))) == (2041, depths)
    handle.close()
    assert outcome(one.put, "WORK@QMB", b"again") is None


def test_the_shared_transmission_queue_altered_after_the_open_answers_2041(lab, one):
    handle = one.open("WORK@QMB", output=True)
    assert one.mqsc(f"ALTER QLOCAL({QUEUE}) QSGDISP(SHARED) DESCR('the same queue')").ok
    handle.put(b"fine")
    assert one.mqsc(f"ALTER QLOCAL({QUEUE}) QSGDISP(SHARED) INDXTYPE(NONE)").ok
    assert (outcome(handle.put, b"late"), outcome(one.put, "WORK@QMB", b"no way")) == (2041, 2087)


@pytest.mark.parametrize(("said", "shared"), [("USE", 0), ("IGNORE", 1)])
def test_sqqmname_decides_about_a_shared_queue_named_with_another_member(lab, group, one, two, said, shared):
    assert one.mqsc(f"{COMMON}\nALTER QMGR SQQMNAME({said})").ok
    one.put("COMMON@QMB", b"x")
    one.put("WORK@QMB", b"a queue of its own goes the long way")
    assert (one.depth("COMMON"), one.depth(QUEUE)) == (shared, 2 - shared)
    lab.run()
    assert (two.depth("COMMON"), two.depth("WORK")) == (1, 1)


def test_the_groups_name_leads_to_the_shared_queue_and_is_what_it_resolves_to(lab, group, one, two):
    assert one.mqsc(COMMON).ok
    told = []
    for name in ("COMMON", "COMMON@QSG1", "COMMON@QMA"):
        pmo = PMO()
        one.put(name, b"x", md=MD(), pmo=pmo)
        told.append((pmo.ResolvedQName, pmo.ResolvedQMgrName))
    assert (told, two.depth("COMMON")) == ([("COMMON", "QSG1")] * 3, 3)


def test_the_reply_says_which_attributes_act_and_an_agent_ends_only_where_it_runs(one, lab, group, two, agent):
    said = str(one.mqsc("ALTER QMGR IGQ(ENABLED) SQQMNAME(IGNORE) IGQAUT(CTX) IGQUSER('IGQ')"))
    assert "mqlab: IGQAUT, IGQUSER are kept" in said
    two.stop()
    lab_error(r"agent of .* must be running", agent.fail)
    with pytest.raises(LabError, match="seconds"):
        group.igq.pace = -1
    lab_error("reason code must be", agent.fail_next_put, 1)


# ---------------------------------------------------------------- what is lost
@pytest.mark.rule("IGQ-03")
@pytest.mark.parametrize("how", ["agent", "stop", "fail"])
def test_a_fault_in_the_middle_loses_what_is_in_hand_and_no_persistent_message(lab, group, one, two, agent, how):
    group.igq.pace = 1
    for number in range(3):
        one.put("WORK@QMB", f"p{number}", persistent=True, priority=9)
    light = [one.put("WORK@QMB", f"n{number}", priority=1) for number in range(3)]
    lab.advance(4.5)  # three persistent ones, one light one, and the next in its hands
    assert (two.depth("WORK"), one.depth(QUEUE)) == (4, 1)
    agent.fail() if how == "agent" else getattr(two, how)()
    lost = lab.events.where(kind="lost", rule="IGQ-03")
    assert [(row.message, row.object) for row in lost] == [(light[1].number, QUEUE)]
    if how != "agent":
        two.start()
    lab.advance(10)
    bodies = drained(two, "WORK")
    assert sorted(body for body in bodies if body[:1] == b"p") == [b"p0", b"p1", b"p2"]
    assert (b"n1" in bodies, b"n2" in bodies) == (False, True)
    if how != "stop":
        assert (b"n0" in bodies) is (how == "agent"), "MQI-16 takes what was on a queue of its own"


@pytest.mark.rule("IGQ-04")
def test_an_unexpected_failure_loses_a_light_message_and_keeps_a_persistent_one(lab, one, two, agent):
    agent.fail_next_put()
    light = one.put("WORK@QMB", b"n", report=EXCEPTION, reply_to_q="REPLIES")
    lab.run()
    assert [row.message for row in lab.events.where(kind="lost", rule="IGQ-04")] == [light.number]
    agent.fail_next_put(2102)
    one.put("WORK@QMB", b"p", persistent=True)
    lab.run()
    assert (agent.state, two.depth("WORK"), one.depth(QUEUE)) == ("RETRYING", 0, 1)
    lab.advance(MINUTE)
    assert drained(two, "WORK") == [b"p"]
    assert one.depth("REPLIES") == two.depth(DLQ) == 0


@pytest.mark.rule("IGQ-12")
def test_a_failing_coupling_facility_takes_the_light_ones_and_leaves_the_others(lab, group, one, two):
    two.stop()
    light = [one.put("WORK@QMB", b"n").number for _ in range(2)]
    one.put("WORK@QMB", b"p", persistent=True)
    group.fail_coupling_facility()
    assert [row.message for row in lab.events.where(kind="lost", rule="IGQ-12")] == light
    assert outcome(one.put, "WORK@QMB", b"no") == 2373
    group.recover()
    assert outcome(one.put, "WORK@QMB", b"again") is None
    two.start()
    lab.run()
    assert drained(two, "WORK") == [b"p", b"again"]


def test_an_agent_outlives_the_coupling_facility_by_its_retries(lab, group, one, two, agent):
    group.igq.pace = 1
    one.put("WORK@QMB", b"p", persistent=True)
    handle = one.open("WORK@QMB", output=True)
    lab.advance(0.5)
    group.fail_coupling_facility()
    lab.advance(1)
    assert (agent.state, two.depth("WORK"), outcome(handle.put, b"no")) == ("RETRYING", 0, 2373)
    group.recover()
    handle.put(b"again")
    lab.advance(2 * MINUTE)
    assert drained(two, "WORK") == [b"p", b"again"]


# ---------------------------------------------------------------- what cannot be delivered
@pytest.mark.rule("IGQ-09", "IGQ-16")
@pytest.mark.parametrize("persistent", [True, False])
def test_what_cannot_be_delivered_goes_to_the_dead_letter_queue_there_or_is_discarded(lab, one, two, persistent):
    first = one.put("NOWHERE@QMB", b"x", report=EXCEPTION, reply_to_q="REPLIES", persistent=persistent)
    second = one.put("NOWHERE@QMB", b"y", report=EXCEPTION | DISCARD, reply_to_q="REPLIES", persistent=persistent)
    lab.run()
    assert (one.depth(DLQ), two.depth(DLQ)) == (0, 1)
    dead = two.get(DLQ)
    about = MQDLH.unpack(dead.body)
    assert (about.reason, about.queue, about.qmgr, dead.body[MQDLH.LENGTH :]) == (2085, "NOWHERE", "QMB", b"x")
    reports = [one.get("REPLIES") for _ in range(2)]
    assert [(m.correl_id, m.feedback, m.persistent) for m in reports] == [
        (first.msg_id, 2085, persistent),
        (second.msg_id, 2085, persistent),
    ]
    assert [row.rule for row in lab.events.where(object="REPLIES", kind="put")] == ["IGQ-16"] * 2


@pytest.mark.rule("IGQ-10")
def test_without_a_dead_letter_queue_a_light_message_is_lost_and_a_persistent_one_tried_again(lab, one, two, agent):
    two.mqsc("ALTER QMGR DEADQ(' ')")
    light = one.put("NOWHERE@QMB", b"n", report=EXCEPTION, reply_to_q="REPLIES", priority=9)
    one.put("WORK@QMB", b"before", persistent=True, priority=8)
    heavy = one.put("NOWHERE@QMB", b"p", report=EXCEPTION, reply_to_q="REPLIES", persistent=True, priority=7)
    start = lab.now_us
    lab.run()
    assert lab.now_us == start, "a retry is nothing to wait for"
    lab.advance(10 * MINUTE + 2 * 1200)
    tries = [row.time_us - start for row in lab.events.where(kind="agent") if row.facts["state"] == "RETRYING"]
    wanted = [n * MINUTE for n in range(11)] + [10 * MINUTE + 1200, 10 * MINUTE + 2400]
    assert [time // 1_000_000 for time in tries] == wanted
    assert [row.message for row in lab.events.where(kind="lost")] == [light.number]
    assert two.depth("WORK") == 0, "the whole batch is backed out"
    report = one.get("REPLIES")
    assert (report.correl_id, report.feedback) == (light.msg_id, 2085)
    assert one.depth("REPLIES") == 0, "no report about one that is kept"
    two.mqsc("DEFINE QLOCAL(NOWHERE)")
    lab.advance(1200)
    assert drained(two, "WORK") == [b"before"]
    got = two.get("NOWHERE")
    assert (got.number, got.backout_count, agent.state) == (heavy.number, 0, "RUNNING")


@pytest.mark.rule("IGQ-10")
def test_a_full_dead_letter_queue_is_as_good_as_none_and_a_success_gives_the_short_retries_back(lab, one, two, agent):
    two.mqsc(f"ALTER QLOCAL({DLQ}) MAXDEPTH(0)")
    one.put("NOWHERE@QMB", b"p", persistent=True)
    lab.advance(3 * MINUTE)
    assert agent.retries == 4
    two.mqsc(f"ALTER QLOCAL({DLQ}) MAXDEPTH(10)")
    lab.advance(MINUTE)
    assert (agent.state, agent.retries, two.depth(DLQ)) == ("RUNNING", 0, 1)


@pytest.mark.rule("IGQ-16")
def test_a_report_that_cannot_be_put_goes_to_the_dead_letter_queue_where_it_was_made(lab, one, two):
    put = one.put("NOWHERE@QMB", b"x", persistent=True, **UNREPORTABLE)
    lab.run()
    report = two.get(DLQ)
    about = MQDLH.unpack(report.body)
    assert (about.reason, about.queue, report.correl_id, report.persistent) == (2087, "REPLIES", put.msg_id, True)
    assert one.depth(DLQ) == one.depth(QUEUE) == 0


@pytest.mark.rule("IGQ-16")
def test_a_report_that_can_be_put_nowhere_is_given_up_and_a_persistent_message_is_kept(lab, one, two, agent):
    two.mqsc("ALTER QMGR DEADQ(' ')")
    one.put("NOWHERE@QMB", b"n", **UNREPORTABLE)
    one.put("WORK@QMB", b"next")
    lab.run()
    assert (agent.state, drained(two, "WORK")) == ("RUNNING", [b"next"])
    heavy = one.put("NOWHERE@QMB", b"p", persistent=True, **UNREPORTABLE)
    lab.run()
    assert (agent.state, one.browse(QUEUE).number) == ("RETRYING", heavy.number)
    assert len(lab.events.where(kind="lost", rule="IGQ-16")) == 2
    two.mqsc(f"ALTER QMGR DEADQ({DLQ})")
    lab.advance(MINUTE)
    assert (agent.state, two.depth(DLQ), one.depth(QUEUE)) == ("RUNNING", 1, 0)


# ---------------------------------------------------------------- queue managers, queues, applications
@pytest.mark.rule("IGQ-11")
@pytest.mark.parametrize("how", ["stop", "fail"])
def test_what_is_put_for_a_member_that_does_not_run_waits_for_it(lab, group, one, two, how):
    getattr(two, how)()
    one.put("WORK@QMB", b"p", persistent=True)
    one.put("WORK@QMB", b"n")
    lab.advance(MINUTE)
    assert [(why.rule, "QMB does not run" in why.fact) for why in group.igq.why_waiting()] == [("IGQ-11", True)] * 2
    two.start()
    lab.run()
    assert (drained(two, "WORK"), group.igq.why_waiting()) == ([b"p", b"n"], [])


@pytest.mark.rule("IGQ-13")
@pytest.mark.parametrize("correl_id", [None, tag_of("QMB")])
def test_what_an_application_puts_there_without_a_header_stays_and_the_lab_says_why(correl_id):
    lab = Lab()
    for name in ("QMA", "QMB"):
        lab.queue_manager(name, platform="zos", level=530)
    group = lab.queue_sharing_group("QSG1", ["QMA", "QMB"], intra_group_queuing=True)
    one, two = group.members
    two.mqsc("DEFINE QLOCAL(WORK)")
    lab.run()
    stray = one.put(QUEUE, b"no header", correl_id=correl_id, persistent=True)
    unreadable = header("WORK", "QMB").replace(b"WORK", b"\xff\xff\xff\xff")
    one.put(QUEUE, unreadable, correl_id=correl_id, format="MQXMIT")
    one.put("WORK@QMB", b"fine")
    before = len(lab.events)
    lab.run()
    lab.advance(600)
    assert (drained(two, "WORK"), one.depth(QUEUE)) == ([b"fine"], 2)
    assert [why.rule for why in group.igq.why_waiting()] == ["IGQ-13"] * 2
    assert lab.events.where(kind="put", object=QUEUE)[0].rule == "IGQ-13"
    said = [row for row in lab.events[before:] if row.kind == "agent"]
    assert len(said) == (0 if correl_id is None else 2), "it says so once, and does not go round"
    assert group.igq.why_waiting()[0].message == stray.number


def test_a_header_of_an_application_is_as_good_as_a_put_and_the_agent_resolves_again(lab, one, two, three):
    one.put(QUEUE, header("WORK", "QMB", b"own"), format="MQXMIT", correl_id=tag_of("QMB"))
    lab.run()
    assert drained(two, "WORK") == [b"own"]
    assert two.mqsc("DEFINE QREMOTE(ON) RNAME(LAST) RQMNAME(QMC)\nDEFINE QALIAS(ANOTHER) TARGET(WORK)").ok
    assert three.mqsc("DEFINE QLOCAL(LAST)").ok
    put = one.put("ON@QMB", b"far", persistent=True, expiry=1000)
    one.put("ANOTHER@QMB", b"near")
    lab.run()
    assert (three.get("LAST").number, two.get("WORK").body) == (put.number, b"near")


@cases(
    "wrong, right",
    ("GET(DISABLED)", "GET(ENABLED)"),
    ("INDXTYPE(NONE) GET(DISABLED)", "INDXTYPE(CORRELID) GET(ENABLED)"),
    ("USAGE(NORMAL) FORCE", "USAGE(XMITQ)"),
)
def test_a_queue_that_cannot_be_served_makes_the_agents_try_again(lab, group, one, two, wrong, right):
    assert one.mqsc(f"ALTER QLOCAL({QUEUE}) QSGDISP(SHARED) {wrong}").ok
    lab.run()
    assert {agent.state for agent in group.igq.agents.values()} == {"RETRYING"}
    assert one.mqsc(f"ALTER QLOCAL({QUEUE}) QSGDISP(SHARED) {right}").ok
    one.put("WORK@QMB", b"x")
    assert group.igq.why_waiting()[0].rule == "IGQ-10"
    lab.advance(MINUTE)
    assert drained(two, "WORK") == [b"x"]


def test_a_queue_deleted_and_defined_again_is_served_again(lab, group, one, two):
    assert one.mqsc(f"ALTER QLOCAL({QUEUE}) QSGDISP(SHARED) GET(DISABLED)").ok
    lab.run()
    assert one.mqsc(f"DELETE QLOCAL({QUEUE}) QSGDISP(SHARED)").ok
    lab.advance(MINUTE)
    assert "is not defined" in group.igq.agents["QMB"].because
    two.stop()
    two.start()
    assert one.mqsc(
        f"DEFINE QLOCAL({QUEUE}) QSGDISP(SHARED) CFSTRUCT(CSQSYSAPPL) USAGE(XMITQ) INDXTYPE(CORRELID) "
        "SHARE DEFSOPT(SHARED)"
    ).ok
    one.put("WORK@QMB", b"x")
    lab.advance(MINUTE)
    assert drained(two, "WORK") == [b"x"]


# ---------------------------------------------------------------- reports
@pytest.mark.rule("IGQ-14")
def test_confirmations_of_arrival_and_delivery_come_back(lab, one, two):
    put = one.put("WORK@QMB", b"x", report=mq.MQRO_COA | mq.MQRO_COD, reply_to_q="REPLIES", persistent=True)
    lab.run()
    assert one.get("REPLIES").feedback == mq.MQFB_COA
    two.get("WORK")
    lab.run()
    report = one.get("REPLIES")
    assert (report.feedback, report.correl_id, report.put_appl_name) == (mq.MQFB_COD, put.msg_id, "QMB")
    assert [row.rule for row in lab.events.where(object="REPLIES", kind="put")] == ["IGQ-14"] * 2


@pytest.mark.rule("IGQ-15")
def test_a_message_that_expires_there_is_reported_and_the_report_is_moved_too(lab, one, two):
    two.stop()
    put = one.put("WORK@QMB", b"x", expiry=100, report=mq.MQRO_EXPIRATION, reply_to_q="REPLIES")
    lab.advance(20)
    two.start()
    lab.run()
    report = one.get("REPLIES")
    assert (report.feedback, report.correl_id) == (mq.MQFB_EXPIRATION, put.msg_id)
    assert [row.rule for row in lab.events.where(kind="discard")] == ["IGQ-15"]
    assert two.depth("WORK") == two.depth(DLQ) == 0


def test_a_message_that_expires_in_the_hands_of_the_agent_is_discarded(lab, group, one, two):
    group.igq.pace = 5
    one.put("WORK@QMB", b"x", expiry=20, report=mq.MQRO_EXPIRATION, reply_to_q="REPLIES", persistent=True)
    lab.run()
    lab.run()
    assert one.get("REPLIES").feedback == mq.MQFB_EXPIRATION
    assert two.depth("WORK") == one.depth(QUEUE) == 0


@pytest.mark.parametrize("way", ["igq", "channel", "none"])
def test_a_report_about_a_shared_message_got_on_another_member_finds_its_way_home(lab, group, one, two, way):
    assert one.mqsc(COMMON).ok
    if way != "igq":
        assert two.mqsc("ALTER QMGR IGQ(DISABLED)").ok
    if way == "channel":
        join(two, one)
    one.put("COMMON", b"got", report=mq.MQRO_COD, reply_to_q="REPLIES")
    one.put("COMMON", b"expired", report=mq.MQRO_EXPIRATION, reply_to_q="REPLIES", expiry=10)
    lab.advance(2)
    two.get("COMMON")
    assert outcome(two.get, "COMMON") == 2033
    lab.run(10)
    assert (one.depth("REPLIES"), two.depth(DLQ)) == ((0, 2) if way == "none" else (2, 0))
