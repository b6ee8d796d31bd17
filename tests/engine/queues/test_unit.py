"""Units of work: what is seen when, and what a commit and a backout do."""

import pytest

from helpers import mq_error, reason, refusal
from mqlab import MQError


@pytest.mark.rule("MQI-05", "MQI-06", "MQI-07", "MQI-12")
def test_an_uncommitted_put_counts_and_cannot_be_got_and_an_uncommitted_get_lowers_the_depth_at_once(lab, qm):
    uow = qm.unit_of_work()
    uow.put("ORDERS", b"x")
    assert qm.depth("ORDERS") == 1
    caught = mq_error(qm.get, "ORDERS")
    assert (caught.reason, caught.facts["put but not committed"]) == (2033, 1)
    uow.commit()
    uow = qm.unit_of_work()
    assert uow.get("ORDERS").body == b"x"
    assert (qm.depth("ORDERS"), qm.status("ORDERS")["UNCOM"]) == (0, 1)
    uow.commit()
    assert (reason(qm.get, "ORDERS"), qm.status("ORDERS")["UNCOM"]) == (2033, 0)


@pytest.mark.rule("MQI-05", "MQI-12")
def test_a_get_by_identifier_says_that_the_match_is_not_available(lab, qm):
    qm.put("ORDERS", b"other", correl_id=b"P-9")
    uow = qm.unit_of_work()
    uow.put("ORDERS", b"x", correl_id=b"P-7")
    unavailable = "1 of 2 matches the identifier, but not available: "
    refusal(MQError, unavailable + "1 not committed", qm.get, "ORDERS", correl_id=b"P-7")
    refusal(MQError, "none of 2 matches the identifier", qm.get, "ORDERS", correl_id=b"P-8")
    uow.commit()
    with qm.connect("CLERK").open("ORDERS", browse=True) as clerk:
        clerk.browse_first(lock=True)
        refusal(MQError, unavailable + "1 locked by a browse", qm.get, "ORDERS", correl_id=b"P-9")


@pytest.mark.rule("MQI-08")
def test_a_backout_returns_gets_to_their_places_and_takes_puts_back(lab, qm):
    for body in ("1", "2", "3"):
        qm.put("ORDERS", body)
    uow = qm.unit_of_work()
    first, second = uow.get("ORDERS"), uow.get("ORDERS")
    uow.put("ORDERS", "new")
    uow.backout()
    assert qm.depth("ORDERS") == 3
    again = [qm.get("ORDERS") for _ in range(3)]
    assert ([m.body for m in again], [m.backout_count for m in again]) == ([b"1", b"2", b"3"], [1, 1, 0])
    assert (first.backout_count, second.backout_count) == (0, 0), "what was handed out before does not change"


def test_an_exception_in_the_block_backs_out_and_a_unit_of_work_ends_once(lab, qm):
    qm.put("ORDERS", b"x")

    def fail_within_a_unit():
        with qm.unit_of_work() as uow:
            uow.get("ORDERS")
            raise ZeroDivisionError

    refusal(ZeroDivisionError, "", fail_within_a_unit)
    assert qm.get("ORDERS").backout_count == 1
    uow = qm.unit_of_work()
    uow.commit()
    assert reason(uow.put, "ORDERS", b"x") == reason(uow.commit) == reason(uow.backout) == 2255


@pytest.mark.rule("MQI-18")
def test_more_than_maxumsgs_is_refused_and_the_unit_goes_on(lab, qm):
    assert qm.mqsc("ALTER QMGR MAXUMSGS(3)").ok
    uow = qm.unit_of_work()
    for _ in range(3):
        uow.put("ORDERS", b"x")
    assert reason(uow.put, "ORDERS", b"x") == reason(uow.get, "ORDERS") == 2024
    uow.commit()
    assert qm.depth("ORDERS") == 3


def test_one_row_a_unit_and_one_a_message(lab, qm):
    qm.put("ORDERS", b"x")
    uow = qm.unit_of_work()
    uow.get("ORDERS")
    uow.put("FIFO", b"y")
    uow.backout()
    rows = lab.events[-3:]
    assert [(e.kind, e.object) for e in rows] == [("backout", None), ("undo", "FIFO"), ("restore", "ORDERS")]
    assert {e.uow for e in rows} == {1}
    assert {e.cause for e in rows[1:]} == {rows[0].seq}


@pytest.mark.rule("MQI-16")
def test_a_restart_keeps_what_is_persistent_and_committed(lab, qm):
    qm.put("ORDERS", b"persistent", persistent=True)
    lost = qm.put("ORDERS", b"not").number
    uow = qm.unit_of_work()
    uow.get("ORDERS")
    uow.put("ORDERS", b"uncommitted", persistent=True)
    qm.stop()
    assert reason(qm.put, "ORDERS", b"x") == 2059
    qm.start()
    assert qm.depth("ORDERS") == 1
    message = qm.get("ORDERS")
    assert (message.body, message.backout_count) == (b"persistent", 1)
    assert [e.message for e in lab.events.where(kind="lost")] == [lost]
