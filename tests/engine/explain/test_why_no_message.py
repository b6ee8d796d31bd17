"""Why a get finds no message, asked while each reason holds in turn."""

from contextlib import suppress

import pytest

from helpers import lab_error, made
from mqlab import GMO, MD, MQError
from mqlab import constants as mq


def stopped_by(qm, **identifiers):
    """The rules that stand in the way of a get of ORDERS, and whether a get indeed fails or not."""
    reasons = qm.why_no_message("ORDERS", **identifiers)
    try:
        qm.browse("ORDERS", **identifiers)
    except MQError:
        assert reasons.missing, "a browse fails, so something must stand in the way"
    return reasons.missing


def fact(qm, rule, **identifiers):
    return next(said for id, _, _, said in qm.why_no_message("ORDERS", **identifiers).rows if id == rule)


def test_an_uncommitted_put_says_whose(qm):
    unit = qm.connect("WEB").unit_of_work()
    unit.put("ORDERS", b"x")
    assert stopped_by(qm) == ["MQI-05"]
    assert "1 put not committed, by WEB in unit of work 1" in fact(qm, "MQI-05")
    unit.commit()
    assert stopped_by(qm) == []


def test_a_lock_says_whose(qm):
    qm.put("ORDERS", b"x")
    handle = qm.connect("READER").open("ORDERS", browse=True)
    handle.browse_first(lock=True)
    assert stopped_by(qm) == ["MQI-03"], "nothing has expired"
    assert "READER" in fact(qm, "MQI-03")
    handle.close()
    assert stopped_by(qm) == []


def test_another_identifier(qm):
    qm.put("ORDERS", b"x", correl_id="A")
    assert (stopped_by(qm, correl_id="B"), fact(qm, "MQI-04", correl_id="B")) == (["MQI-04"], "0 of 1 match")
    assert stopped_by(qm, correl_id="A") == []


def test_an_expired_message(lab, qm):
    qm.put("ORDERS", b"x", expiry=10)
    lab.advance(2)
    assert qm.why_no_message("ORDERS").missing == ["EXP-11"]
    assert "0 of 1; 1 expired" in fact(qm, "EXP-11")
    assert qm.depth("ORDERS") == 1, "asking changes nothing"


def test_inhibited_and_exclusive(qm):
    qm.put("ORDERS", b"x")
    qm.mqsc("ALTER QLOCAL(ORDERS) GET(DISABLED)")
    assert stopped_by(qm) == ["MQI-11"]
    qm.mqsc("ALTER QLOCAL(ORDERS) GET(ENABLED)")
    with qm.open("ORDERS", input="exclusive"):
        assert qm.why_no_message("ORDERS").missing == ["MQI-14"]


@pytest.mark.needs("views")
@pytest.mark.parametrize("ask", ["why_no_message", "why_not_triggered"])
def test_the_answers_have_a_card(qm, ask):
    bundle = getattr(qm, ask)("ORDERS")._repr_mimebundle_()
    assert "ORDERS" in bundle["text/plain"]
    assert "<script" not in bundle["text/html"]


def test_an_empty_queue_says_what_is_got_but_not_committed(qm):
    assert stopped_by(qm) == ["MQI-12"]
    with qm.unit_of_work() as unit:
        qm.put("ORDERS", b"x")
        unit.get("ORDERS")
        assert fact(qm, "MQI-12") == "CURDEPTH is 0, 1 got but not committed"


@pytest.fixture
def mixed(lab):
    """A queue with a message of a property, the first message of a group of two, and one more."""
    qm = made("DEFINE QLOCAL(Q)", of=lab)
    qm.put("Q", b"1", properties={"color": "red"})
    qm.put("Q", b"2", md=MD(Version=2, GroupId=b"G" * 24, MsgFlags=mq.MQMF_MSG_IN_GROUP))
    qm.put("Q", b"3")
    return qm


def first_missing(reasons):
    return next((row[0] for row in reasons.rows if not row[2]), None)


def agree(qm, handle, md=None, gmo=None, **asked):
    """What is said, checked against the get itself: a get finds none if, and only if, a condition is not met."""
    said = qm.why_no_message("Q", handle=handle, md=md, gmo=gmo, **asked)
    with suppress(MQError):
        handle.get(md=md, gmo=gmo or GMO(Options=mq.MQGMO_BROWSE_FIRST), **asked)
        assert first_missing(said) is None
        return None
    assert first_missing(said) is not None
    return first_missing(said)


BROWSE = mq.MQGMO_BROWSE_FIRST


@pytest.mark.needs("properties")
def test_a_get_with_options_is_judged_as_it_searches(mixed):
    handle = mixed.open("Q", input="shared", browse=True)
    whole, group = mq.MQGMO_ALL_MSGS_AVAILABLE, mq.MQMO_MATCH_GROUP_ID
    for md, options, match, missing in (
        (MD(Version=2), BROWSE | mq.MQGMO_LOGICAL_ORDER, mq.MQMO_NONE, None),
        (MD(Version=2, GroupId=b"G" * 24), BROWSE, group, None),
        (MD(Version=2, GroupId=b"H" * 24), BROWSE, group, "MQI-31"),
        (MD(Version=2, GroupId=b"G" * 24), BROWSE | whole, group, "MQI-31"),
        (MD(Version=2, MsgSeqNumber=7), BROWSE, mq.MQMO_MATCH_MSG_SEQ_NUMBER, "MQI-31"),
        (MD(Version=2, MsgId=b"none".ljust(24)), BROWSE, mq.MQMO_MATCH_MSG_ID, "MQI-04"),
        (MD(Version=2, MsgId=b"none".ljust(24)), BROWSE, mq.MQMO_NONE, None),
    ):
        assert agree(mixed, handle, md, GMO(Version=2, Options=options, MatchOptions=match)) == missing


@pytest.mark.needs("properties")
def test_a_handle_brings_its_selector_and_its_cursor(mixed):
    red, blue = (mixed.open("Q", browse=True, selector=f"color = '{color}'") for color in ("red", "blue"))
    first, following = GMO(Options=BROWSE), GMO(Options=mq.MQGMO_BROWSE_NEXT)
    assert agree(mixed, red, gmo=first) is None
    assert (agree(mixed, blue, gmo=first), agree(mixed, red, gmo=following)) == ("PRP-07", "PRP-07")
    every = mixed.open("Q", browse=True)
    for _ in range(3):
        every.browse_next()
    assert agree(mixed, every, gmo=following) == "MQI-03"
    assert "0 of 3" in str(mixed.why_no_message("Q", handle=every, gmo=following))


def test_a_message_that_the_handle_itself_has_locked_is_not_hidden_from_it(qm):
    qm.mqsc("DEFINE QLOCAL(Q)").require()
    qm.put("Q", b"x")
    one, two = qm.open("Q", input="shared", browse=True), qm.open("Q", input="shared", browse=True)
    one.browse_first(lock=True)
    assert first_missing(qm.why_no_message("Q", handle=one)) is None
    assert first_missing(qm.why_no_message("Q", handle=two)) == "MQI-03"


def test_a_handle_of_another_queue_is_refused(qm):
    qm.mqsc("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(OTHER)").require()
    lab_error("handle must be open on Q", qm.why_no_message, "Q", handle=qm.open("OTHER", input="shared"))
