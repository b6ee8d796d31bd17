"""What is told of messages on shared queues: where they are stuck, how they were lost, and which member acted."""

import pytest

from helpers import lab_error
from mqlab.engine.words.headers import MQXQH
from mqlab.engine.words.structures import MD


@pytest.fixture
def one(lab):
    """QMA of a group of three with intra-group queuing; WORK on QMB, SAFE shared."""
    made = lab.queue_sharing_group("QSG1", ["QMA", "QMB", "QMC"], intra_group_queuing=True)
    assert lab["QMB"].mqsc("DEFINE QLOCAL(WORK)").ok
    lab["QMA"].mqsc("""
        DEFINE CFSTRUCT(APP1) CFLEVEL(4) RECOVER(YES)
        DEFINE QLOCAL(SAFE) QSGDISP(SHARED) CFSTRUCT(APP1) TRIGGER TRIGTYPE(FIRST) INITQ(I)""").require()
    lab.run(1)
    return made.members[0]


@pytest.fixture
def igq(one):
    return one.group.igq


def test_a_message_for_a_member_that_does_not_run_waits_for_that_member(lab, one):
    lab["QMB"].stop()
    message = one.put("WORK@QMB", b"x")
    told = lab.why_not_delivered(message)
    assert (told.verdict, [row.rule for row in told.rows]) == ("not delivered", ["IGQ-11"])
    assert told.moves == ['lab["QMB"].start()'], "no channel is wanted"
    assert "of QSG1" in told.place
    lab["QMB"].start()
    lab.advance(1)
    assert lab.why_not_delivered(message).verdict == "delivered"


@pytest.mark.parametrize("persistent", [False, True])
def test_a_message_in_the_hands_of_an_agent_is_in_flight(lab, one, igq, persistent):
    igq.pace = 2
    message = one.put("WORK@QMB", b"x", persistent=persistent)
    lab.advance(1)
    told = lab.why_not_delivered(message)
    assert (told.verdict, told.moves) == ("in flight", ["time"])
    lab.advance(2)
    assert lab.why_not_delivered(message).verdict == "delivered"


def test_what_an_application_left_there_is_for_a_program(lab, one):
    by = {"UserIdentifier": "app", "PutApplType": 6, "PutApplName": "APP", "PutDate": "20250106", "PutTime": "09000000"}
    about = MD(Version=1, CodedCharSetId=1208, Priority=0, Persistence=0, **by)
    data = MQXQH.pack("WORK", "QMB", about) + b"x"
    told = lab.why_not_delivered(one.put("SYSTEM.QSG.TRANSMIT.QUEUE", data, format="MQXMIT"))
    assert [row.rule for row in told.rows] == ["IGQ-13"]
    assert "a program that gets it" in told.moves[0]


def test_a_failed_structure_is_named_and_one_that_runs_answers_for_a_shared_queue(lab, one):
    message = one.put("SAFE", b"x", persistent=True)
    one.group.fail_coupling_facility()
    told = lab.why_not_delivered(message)
    assert [row.rule for row in told.rows if not row.holds] == ["QSG-09"]
    assert "CFSTRUCT(APP1) has failed" in str(told)
    assert "DISABLED" not in str(told) + str(one.why_not_triggered("SAFE"))
    one.group.recover()
    assert all(row.holds for row in lab.why_not_delivered(message).rows)
    message = one.put("SAFE", b"x", persistent=True)
    lab["QMC"].stop()
    assert all(row.holds for row in lab.why_not_delivered(message).rows)


@pytest.mark.parametrize(
    ("how", "said"),
    [("put", "its put failed unexpectedly"), ("agent", "the agent ended while it held it"), ("facility", "structure")],
)
def test_a_loss_is_told_by_its_own_cause(lab, one, igq, how, said):
    agent = igq.agents["QMB"]
    igq.pace = 2
    if how == "put":
        agent.fail_next_put()
    if how == "facility":
        lab["QMB"].stop()
    message = one.put("WORK@QMB", b"x", persistent=False)
    lab.advance(1)
    if how == "agent":
        agent.fail()
    if how == "facility":
        one.group.fail_coupling_facility()
    lab.advance(2)
    assert said in lab.explain(message)
    told = lab.why_not_delivered(message)
    assert told.verdict == "lost"
    assert said in str(told)


def test_the_member_that_acted_is_named(lab, one):
    message = one.put("SAFE", b"x", persistent=True)
    lab["QMC"].connect("READER").get("SAFE")
    told = lab.why_not_delivered(message)
    assert "READER at QMC" in str(told)
    assert "at QSG1" not in str(told)


def test_members_are_a_list_of_names(lab):
    lab.everyplace("EDGE")
    for members in (None, 5, [["QMX"]], [1], [], ["QMX", "QMX"], ["EDGE"]):
        lab_error(r"members? must be", lab.queue_sharing_group, "QSG9", members)
        assert lab.queue_managers == lab.queue_sharing_groups == [], members


def test_what_the_agent_cannot_deliver_is_told_as_such(lab, one):
    message = one.put("UNKNOWN@QMB", b"x", persistent=False)
    lab.advance(1)
    assert "could put it neither to UNKNOWN (2085 MQRC_UNKNOWN_OBJECT_NAME) nor anywhere else" in lab.explain(message)
    assert lab["QMB"].mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").ok
    message = one.put("UNKNOWN@QMB", b"x", persistent=False)
    lab.advance(1)
    assert "on the dead-letter queue SYSTEM.DEAD.LETTER.QUEUE" in lab.explain(message)
