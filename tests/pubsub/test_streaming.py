"""Streaming queues: what is duplicated, what a duplicate has, and what fails when it cannot be put."""

import pytest

from helpers import cases, for_each, lab_with, made, mq_error, reason, refusal
from mqlab import MD, Lab, MQError
from mqlab import constants as mq


@pytest.fixture
def qm():
    return made("DEFINE QL(COPY)\nDEFINE QL(ORDERS) STREAMQ(COPY)\nDEFINE QL(BILLS) STREAMQ(COPY) STRMQOS(MUSTDUP)")


def rows(qm, *kinds):
    return [(row.kind, row.object, row.reason, row.rule) for row in qm.lab.events.where(kind=kinds)]


def answer(qm, text):
    (reply,) = qm.mqsc(text).replies
    assert not reply.ok, text
    return reply.text


# ---------------------------------------------------------------- what is duplicated
@pytest.mark.rule("STQ-01")
def test_each_put_has_a_duplicate_caused_by_it(qm):
    qm.put("ORDERS", b"one")
    original, duplicate = qm.lab.events.where(kind="put")
    assert (original.object, duplicate.object) == ("ORDERS", "COPY")
    assert (duplicate.rule, duplicate.cause) == ("STQ-01", original.seq)
    assert duplicate.message != original.message
    assert "QM1 put its duplicate, message 2, on COPY" in str(qm.lab.explain(original.message))
    assert (qm.depth("ORDERS"), qm.depth("COPY")) == (1, 1)


@pytest.mark.rule("STQ-01")
def test_what_was_on_the_queue_before_is_not_duplicated_and_open_handles_follow_an_alter(qm):
    qm.mqsc("DEFINE QL(LATER)").require()
    handle = qm.open("LATER", output=True)
    handle.put(b"before")
    qm.mqsc("ALTER QL(LATER) STREAMQ(COPY)").require()
    handle.put(b"during")
    qm.mqsc("ALTER QL(LATER) STREAMQ(' ')").require()
    handle.put(b"after")
    assert (qm.get("COPY").body, qm.depth("COPY")) == (b"during", 0)


@pytest.mark.rule("STQ-01")
def test_a_put_by_an_alias_or_with_options_is_duplicated(qm):
    qm.mqsc("DEFINE QA(FRONT) TARGET(ORDERS)").require()
    qm.put("FRONT", b"one")
    with qm.open("ORDERS", output=True) as handle:
        handle.put(b"two", md=MD(CorrelId=b"C"))
    assert [m.body for m in (qm.get("COPY"), qm.get("COPY"))] == [b"one", b"two"]


@pytest.mark.rule("STQ-01")
def test_a_duplicate_goes_by_an_alias_by_a_topic_and_to_another_queue_manager():
    lab = Lab()
    qm, far = lab.queue_manager("QM1"), lab.queue_manager("QM2")
    far.mqsc("DEFINE QL(ARCHIVE)").require()
    qm.mqsc(
        """DEFINE QL(COPY)
        DEFINE QL(QM2) USAGE(XMITQ)
        DEFINE QA(BY.ALIAS) TARGET(COPY)
        DEFINE TOPIC(NEWS) TOPICSTR(news)
        DEFINE QA(BY.TOPIC) TARGET(NEWS) TARGTYPE(TOPIC)
        DEFINE QL(READER)
        DEFINE SUB(S) TOPICOBJ(NEWS) DEST(READER)
        DEFINE QR(BY.REMOTE) RNAME(ARCHIVE) RQMNAME(QM2)
        DEFINE QL(A) STREAMQ(BY.ALIAS)
        DEFINE QL(B) STREAMQ(BY.TOPIC)
        DEFINE QL(C) STREAMQ(BY.REMOTE) STRMQOS(MUSTDUP)"""
    ).require()
    for name in "ABC":
        qm.put(name, name.encode())
    assert (qm.depth("COPY"), qm.depth("READER"), qm.depth("QM2")) == (1, 1, 1)
    assert qm.get("READER").body == b"B"


@pytest.mark.rule("STQ-01")
def test_a_dead_letter_is_duplicated_too():
    lab, qm = lab_with("DEFINE QL(COPY)\nDEFINE QL(DLQ) STREAMQ(COPY)\nALTER QMGR DEADQ(DLQ)\nDEFINE QL(INITQ)")
    qm.put("INITQ", b"no trigger message")
    qm.trigger_monitor("INITQ")
    lab.advance(1)
    assert (qm.depth("DLQ"), qm.depth("COPY")) == (1, 1)


# ---------------------------------------------------------------- what a duplicate has
@pytest.mark.rule("STQ-02")
def test_a_duplicate_is_like_its_original_but_for_lifetime_and_reports(qm):
    qm.mqsc("DEFINE QL(REPLIES)\nALTER QL(COPY) DEFPRTY(7) DEFPSIST(YES)").require()
    asked = mq.MQRO_COA | mq.MQRO_EXPIRATION | mq.MQRO_PASS_CORREL_ID
    put = qm.put(
        "ORDERS", b"x", expiry=50, priority=3, correl_id=b"C", report=asked, reply_to_q="REPLIES", format="MQSTR"
    )
    copy = qm.get("COPY")
    assert (copy.msg_id, copy.correl_id, copy.body) == (put.msg_id, put.correl_id, b"x")
    assert (copy.priority, copy.persistent, copy.reply_to_q) == (3, False, "REPLIES")
    assert (copy.expiry, copy.report) == (mq.MQEI_UNLIMITED, mq.MQRO_PASS_CORREL_ID)
    assert qm.depth("REPLIES") == 1, "only the original confirms its arrival"
    original = qm.get("ORDERS")
    assert (original.report, original.expiry) == (asked, 50)


@pytest.mark.rule("STQ-02")
def test_capexpry_of_the_stream_queue_limits_a_duplicate(qm):
    qm.mqsc("ALTER QL(COPY) CAPEXPRY(30)").require()
    qm.put("ORDERS", expiry=20)
    assert qm.get("COPY").expiry == 30


# ---------------------------------------------------------------- what fails
@pytest.mark.rule("STQ-03")
def test_with_mustdup_both_are_put_or_neither(qm):
    qm.mqsc("ALTER QL(COPY) MAXDEPTH(1)").require()
    qm.put("BILLS", b"one")
    before = len(qm.lab.events)
    said = "its duplicate cannot be put to COPY: CURDEPTH 1, MAXDEPTH 1"
    refused = refusal(MQError, said, qm.put, "BILLS", b"two")
    assert (refused.reason, refused.object, refused.rule) == (2053, "BILLS", "STQ-03")
    assert rows(qm, "put", "undo", "commit")[-4:] == [
        ("put", "BILLS", None, "MQI-05"),
        ("put", "COPY", 2053, "MQI-09"),
        ("undo", "BILLS", None, "STQ-03"),
        ("put", "BILLS", 2053, "STQ-03"),
    ]
    assert (qm.depth("BILLS"), qm.depth("COPY")) == (1, 1)
    assert len(qm.lab.events) == before + 4
    assert not qm.units


@pytest.mark.rule("STQ-03")
@cases(
    "command, body, why",
    ("ALTER QL(COPY) PUT(DISABLED)", b"", 2051),
    ("ALTER QL(COPY) MAXMSGL(3)", b"long", 2030),
    ("DELETE QL(COPY)", b"", 2085),
)
def test_the_reason_is_that_of_the_duplicate(qm, command, body, why):
    qm.mqsc(command).require()
    assert reason(qm.put, "BILLS", body) == why
    assert qm.depth("BILLS") == 0
    qm.put("ORDERS", body)
    assert qm.depth("ORDERS") == 1


@pytest.mark.rule("STQ-03")
def test_in_a_unit_of_work_only_the_failed_put_is_undone(qm):
    qm.mqsc("ALTER QL(COPY) MAXDEPTH(1)").require()
    with qm.unit_of_work() as unit:
        unit.put("BILLS", b"one")
        mq_error(unit.put, "BILLS", b"two")
    assert (qm.get("BILLS").body, qm.get("COPY").body) == (b"one", b"one")
    assert (qm.depth("BILLS"), qm.depth("COPY")) == (0, 0)


@pytest.mark.rule("STQ-04", event=False)
def test_with_bestef_the_original_is_put_all_the_same(qm):
    qm.mqsc("ALTER QL(COPY) MAXDEPTH(1)").require()
    for body in (b"one", b"two"):
        qm.put("ORDERS", body, persistent=True)
    assert (qm.depth("ORDERS"), qm.depth("COPY")) == (2, 1)
    put, refused = [e for e in qm.lab.events if e.kind == "put"][-2:]
    assert (refused.object, refused.reason, refused.cause) == ("COPY", 2053, put.seq)


@pytest.mark.rule("STQ-04", event=False)
def test_a_refused_original_has_no_duplicate(qm):
    qm.mqsc("ALTER QL(ORDERS) MAXDEPTH(0)\nALTER QL(BILLS) MAXDEPTH(0)").require()
    for name in ("ORDERS", "BILLS"):
        refused = mq_error(qm.put, name)
        assert (refused.reason, refused.rule) == (2053, "MQI-09")
    assert qm.depth("COPY") == 0
    assert not qm.units


# ---------------------------------------------------------------- units of work
@pytest.mark.rule("STQ-05")
@pytest.mark.parametrize(("queue", "persistent"), [("ORDERS", True), ("BILLS", False), ("BILLS", True)])
def test_outside_syncpoint_the_queue_manager_begins_a_unit_of_work(qm, queue, persistent):
    qm.put(queue, persistent=persistent)
    assert rows(qm, "commit") == [("commit", None, None, "STQ-05")]
    puts = [e for e in qm.lab.events if e.kind == "put"]
    assert puts[0].uow == puts[1].uow is not None


@pytest.mark.rule("STQ-05", event=False)
def test_a_nonpersistent_message_with_bestef_needs_none(qm):
    qm.put("ORDERS", persistent=False)
    assert rows(qm, "commit") == []
    assert [e.uow for e in qm.lab.events if e.kind == "put"] == [None, None]


@pytest.mark.rule("STQ-05", event=False)
def test_the_duplicate_joins_the_unit_of_work_and_does_not_count(qm):
    qm.mqsc("ALTER QMGR MAXUMSGS(2)").require()
    with qm.unit_of_work() as unit:
        unit.put("ORDERS")
        unit.put("ORDERS")
        assert reason(unit.put, "ORDERS") == 2024
        mq_error(qm.get, "COPY")
    assert (qm.depth("ORDERS"), qm.depth("COPY")) == (2, 2)
    unit = qm.unit_of_work()
    unit.put("ORDERS")
    unit.backout()
    assert (qm.depth("ORDERS"), qm.depth("COPY")) == (2, 2)


# ---------------------------------------------------------------- what cannot stream
@pytest.mark.rule("STQ-06")
@for_each(
    "text, said",
    ("DEFINE QL(A) STREAMQ(ORDERS)", "chain or a loop"),
    ("DEFINE QL(A) STREAMQ(A)", "chain or a loop"),
    ("DEFINE QL(A) STREAMQ(FRONT)", "chain or a loop"),
    ("ALTER QL(COPY) STREAMQ(ORDERS)", "chain or a loop"),
    ("ALTER QL(COPY) STREAMQ(NOWHERE)", "streams to COPY"),
    ("DEFINE QL(A) STREAMQ(COPY) USAGE(XMITQ)", "transmission queue"),
    ("DEFINE QL(A) STREAMQ(SYSTEM.DEAD.LETTER.QUEUE)", "SYSTEM queue"),
    ("DEFINE QL(A) STREAMQ(MODEL)", "model queue"),
    ("ALTER QL(SYSTEM.DEAD.LETTER.QUEUE) STREAMQ(COPY)", "cannot have a STREAMQ"),
    ("DEFINE SUB(S) TOPICSTR(t) DEST(ORDERS)", "has a STREAMQ"),
    ("ALTER QL(READER) STREAMQ(COPY)", "destination of SUB(READS)"),
    ("DEFINE QA(B) TARGET(X) STREAMQ(COPY)", "not of DEFINE QALIAS"),
)
def test_what_mq_does_not_support_is_refused(qm, text, said):
    qm.mqsc(
        "DEFINE QA(FRONT) TARGET(ORDERS) REPLACE\nDEFINE QMODEL(MODEL) REPLACE\nDEFINE QL(READER) REPLACE\n"
        "DEFINE SUB(READS) TOPICSTR(r) DEST(READER) REPLACE"
    ).require()
    assert said in answer(qm, text)


def test_what_mq_supports_is_taken(qm):
    qm.mqsc(
        "DEFINE QL(FREE) STREAMQ(SYSTEM.DEFAULT.LOCAL.QUEUE)\nALTER QL(SYSTEM.ADMIN.QMGR.EVENT) STREAMQ(COPY)"
    ).require()


@pytest.mark.rule("STQ-01")
def test_an_alias_pointed_at_a_queue_that_streams_makes_no_chain(qm):
    qm.mqsc("DEFINE QA(FRONT) TARGET(COPY)\nDEFINE QL(A) STREAMQ(FRONT)\nALTER QA(FRONT) TARGET(ORDERS)").require()
    qm.put("A")
    assert (qm.depth("A"), qm.depth("ORDERS"), qm.depth("COPY")) == (1, 1, 0)


def test_a_dynamic_queue_streams_as_its_model_says_and_keeps_its_streamq(qm):
    qm.mqsc("DEFINE QMODEL(MODEL) STREAMQ(COPY) DEFTYPE(PERMDYN)").require()
    handle = qm.open("MODEL", output=True)
    handle.put(b"x")
    assert qm.depth("COPY") == 1
    assert "dynamic queue" in answer(qm, f"ALTER QL({handle.name}) STREAMQ(OTHER)")


def test_a_shared_queue_streams_for_every_member():
    lab = Lab()
    one, two = lab.queue_manager("QMA", platform="zos"), lab.queue_manager("QMB", platform="zos")
    lab.queue_sharing_group("QSG1", ["QMA", "QMB"])
    for each in (one, two):
        each.mqsc("DEFINE QL(COPY)").require()
    one.mqsc("DEFINE CFSTRUCT(APP) CFLEVEL(4)\nDEFINE QL(Q) QSGDISP(SHARED) CFSTRUCT(APP) STREAMQ(COPY)").require()
    one.put("Q", b"1")
    two.put("Q", b"2")
    assert (one.depth("Q"), one.depth("COPY"), two.depth("COPY")) == (2, 1, 1)
