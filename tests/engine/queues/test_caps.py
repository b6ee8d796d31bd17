"""Limits to lifetimes, and the rest of expiry on one queue manager: EXP-06, 16, 21, 22, 31, 32, 38."""

import pytest

from helpers import for_each, lab_error, reason, refusal
from mqlab import MQError
from mqlab.engine.words.constants import MQRO_EXPIRATION, MQRO_PASS_CORREL_ID, MQRO_PASS_MSG_ID


@pytest.fixture
def make(lab):
    """Make a queue manager by level with a queue Q and these commands done."""

    def make(level=940, *commands, **settings):
        qm = lab.queue_manager(f"QM{len(lab.queue_managers)}", level=level, **settings)
        qm.mqsc("\n".join(("DEFINE QLOCAL(Q)", *commands))).require()
        return qm

    return make


# ---------------------------------------------------------------- EXP-31: CAPEXPRY
CAPS = ["CUSTOM('CAPEXPRY(300)')", "CAPEXPRY(300)"]


@pytest.mark.rule("EXP-31")
@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize(("given", "left"), [(-1, 300), (100, 100), (300, 300), (301, 300), (999_999_999, 300)])
def test_a_cap_lowers_a_lifetime_and_never_lengthens_it(lab, make, cap, given, left):
    qm = make(940, f"ALTER QLOCAL(Q) {cap}")
    put = qm.put("Q", b"x", expiry=given)
    assert (put.expiry, qm.browse("Q").expiry) == (left, left)
    [row] = lab.events.where(kind="put")
    assert (row.expiry_left, row.rule) == (left, "EXP-31" if given not in (100, 300) else "EXP-01")
    lab.advance(left / 10)
    assert (reason(qm.get, "Q"), qm.put("Q", b"so that the rule is named").expiry) == (2033, 300)


@pytest.mark.rule("EXP-31")
@for_each(
    "alias, base, left",
    [(200, 300, 200), (300, 200, 200), (200, None, 200), (None, 200, 200), (200, 200, 200), (None, None, -1)],
)
def test_of_an_alias_and_its_base_the_lowest_wins(make, alias, base, left):
    qm = make(940, "DEFINE QALIAS(A) TARGET(Q)")
    for name, cap in (("QALIAS(A)", alias), ("QLOCAL(Q)", base)):
        if cap is not None:
            assert qm.mqsc(f"ALTER {name} CAPEXPRY({cap})").ok
    assert qm.put("A", b"x").expiry == left
    assert qm.put("Q", b"x").expiry == (base or -1)
    assert qm.mqsc("ALTER QLOCAL(Q) CAPEXPRY(50)").ok
    assert qm.put("A", b"x").expiry == 50, "an alias sees its base altered"


@for_each("level, custom, attribute", [(799, -1, -1), (800, 300, -1), (930, 300, -1), (931, 300, 200), (940, 300, 200)])
def test_the_two_spellings_came_with_their_levels(make, level, custom, attribute):
    qm = make(level)
    qm.targets["Q"].definition.attributes["CUSTOM"] = "CAPEXPRY(300)"
    qm.targets["Q"].apply()
    assert qm.put("Q", b"x").expiry == custom
    qm.targets["Q"].definition.attributes |= {"CUSTOM": "", "CAPEXPRY": 200}
    qm.targets["Q"].apply()
    assert qm.put("Q", b"x").expiry == attribute


@for_each(
    "custom, left",
    ("OTHER(5) capexpry( 300 )", 300),
    *((wrong, 100) for wrong in ("", "NOCAPEXPRY(300)", "CAPEXPRY", "CAPEXPRY()", "CAPEXPRY(-5)", "CAPEXPRY(0)")),
    ("CAPEXPRY(1000000000)", 100),
)
def test_a_cap_in_custom_wins_over_the_attribute_and_what_is_none_does_not(make, custom, left):
    qm = make()
    qm.targets["Q"].definition.attributes |= {"CUSTOM": custom, "CAPEXPRY": 100}
    qm.targets["Q"].apply()
    assert qm.put("Q", b"x").expiry == left


def test_it_works_at_once_and_what_is_there_keeps_its_lifetime(lab, make):
    qm = make()
    with qm.open("Q", output=True) as handle:
        before = handle.put(b"before").number
        assert qm.mqsc("ALTER QLOCAL(Q) CAPEXPRY(10)").ok
        after = handle.put(b"after").number
    lab.advance(5)
    assert qm.mqsc("ALTER QLOCAL(Q) CAPEXPRY(NOLIMIT)").ok
    assert (qm.put("Q", b"last").expiry, qm.get("Q").number, qm.get("Q").body) == (-1, before, b"last")
    assert [row.message for row in lab.events.where(kind="discard")] == [after]


def test_it_limits_reports_and_replies_and_puts_in_a_unit_of_work(lab, make):
    qm = make(940, "DEFINE QLOCAL(REPLIES) CAPEXPRY(70)")
    with qm.unit_of_work() as uow:
        assert uow.put("REPLIES", b"x").expiry == 70
    request = qm.put("Q", b"?", msg_type=1, reply_to_q="REPLIES", expiry=500)
    assert qm.reply(qm.get("Q"), b"!").expiry == 70
    qm.put("Q", b"x", expiry=10, report=MQRO_EXPIRATION, reply_to_q="REPLIES")
    lab.advance(1)
    assert reason(qm.get, "Q") == 2033
    assert qm.get("REPLIES", correl_id=None).expiry == 60, f"the one put first has aged since {request.put_time}"
    assert [row.expiry_left for row in lab.events.where(object="REPLIES", kind=("put", "report"))] == [70, 70, 70]


# ---------------------------------------------------------------- EXP-06: approximate
@pytest.mark.rule("EXP-06")
@pytest.mark.parametrize(
    ("granularity", "put_at", "expiry", "expires_at"),
    [(1, 0.03, 15, 1.53), (10, 0, 15, 2), (10, 0.3, 15, 2), (10, 0, 20, 2), (600, 30, 10, 60)],
)
def test_deadlines_are_rounded_up_to_the_granularity(lab, make, granularity, put_at, expiry, expires_at):
    other = make(530, expiry_granularity=7)
    other.put("Q", b"so that the rule is named", expiry=5)
    qm = make(530, expiry_granularity=granularity)
    lab.advance(put_at)
    put = qm.put("Q", b"x", expiry=expiry)
    assert put.expiry >= expiry
    lab.advance_to(round(expires_at * 1e6) - 1)
    assert qm.browse("Q").expiry == 1
    lab.advance_to(round(expires_at * 1e6))
    assert reason(qm.browse, "Q") == 2033


@for_each("wrong", [0, -1, 1.5, True])
def test_a_granularity_that_is_none_is_refused(lab, wrong):
    lab_error("expiry_granularity must be a whole number, 1 or more", lab.queue_manager, "QM", expiry_granularity=wrong)


# ---------------------------------------------------------------- EXP-16, EXP-32
@pytest.mark.rule("EXP-16")
@pytest.mark.parametrize("value", ["", "0", "NO", "anything"])
def test_where_the_variable_exists_there_is_an_upper_limit(lab, make, value):
    qm = make(940, environment={"AMQ_ENFORCE_MAX_EXPIRY_ERROR": value})
    assert qm.put("Q", b"x", expiry=999_999_999).expiry == 999_999_999
    assert (reason(qm.put, "Q", b"x", expiry=1_000_000_000), lab.events[-1].rule, qm.depth("Q")) == (2013, "EXP-16", 1)
    assert qm.put("Q", b"x").expiry == -1


def test_where_the_variable_does_not_exist_there_is_none_and_this_machine_s_own_does_not_count(make, monkeypatch):
    monkeypatch.setenv("AMQ_ENFORCE_MAX_EXPIRY_ERROR", "1")
    qm = make(940, environment={"amq_enforce_max_expiry_error": "1", "OTHER": "1"})
    assert qm.put("Q", b"x", expiry=2**31 - 1).expiry == 2**31 - 1


@pytest.mark.rule("EXP-32")
@pytest.mark.parametrize("expiry", [1, 50, 999_999_999])
def test_on_vse_a_lifetime_must_be_unlimited(lab, make, expiry):
    qm = make(212, platform="vse")
    assert (reason(qm.put, "Q", b"x", expiry=expiry), lab.events[-1].rule, qm.depth("Q")) == (2013, "EXP-32", 0)
    assert (qm.put("Q", b"x", expiry=-1).expiry, reason(qm.put, "Q", b"x", expiry=0)) == (-1, 2013)
    assert lab.events[-1].rule == "EXP-15"
    refusal(MQError, "Try: -1 for unlimited", qm.put, "Q", b"x", expiry=0)


# ---------------------------------------------------------------- EXP-21: locks
@pytest.mark.rule("EXP-21")
@pytest.mark.parametrize("in_unit", [False, True])
def test_a_locked_message_may_expire_before_it_is_got_under_the_cursor(lab, qm, in_unit):
    number = qm.put("ORDERS", b"x", expiry=10).number
    qm.put("ORDERS", b"next")
    with qm.open("ORDERS", input="shared", browse=True) as handle:
        assert handle.browse_first(lock=True).expiry == 10
        lab.advance(0.999999)
        assert qm.get("ORDERS").body == b"next", "the lock hides the first from others"
        lab.advance(0.000001)
        unit = qm.unit_of_work() if in_unit else None
        assert reason(handle.get_under_cursor, unit=unit) == 2034
        assert reason(handle.get_under_cursor) == 2034, "and it is gone"
        if unit:
            unit.backout()
    [row] = lab.events.where(kind="discard")
    assert (row.message, row.rule, qm.depth("ORDERS"), lab.events[row.cause].reason) == (number, "EXP-21", 0, 2034)


# ---------------------------------------------------------------- EXP-22: replies
@pytest.mark.rule("EXP-22")
@pytest.mark.parametrize(
    ("request_expiry", "choice", "left"),
    [(100, "remaining", 70), (-1, "remaining", -1), (100, 500, 500), (100, 5, 5), (100, -1, -1), (-1, 40, 40)],
)
def test_the_replier_chooses_the_lifetime_of_the_reply(lab, qm, request_expiry, choice, left):
    about = {"msg_type": 1, "reply_to_q": "REPLIES", "correl_id": "C"}
    sent = qm.put("ORDERS", b"?", expiry=request_expiry, priority=7, persistent=True, **about)
    lab.advance(3)
    request = qm.get("ORDERS")
    lab.advance(4)  # the work takes its time, and what was left is copied as it was
    reply = qm.reply(request, b"!", expiry=choice)
    assert reply.expiry == left
    got = qm.get("REPLIES")
    assert (got.expiry, got.msg_type, got.correl_id, got.priority, got.persistent) == (left, 2, sent.msg_id, 7, True)


def test_a_reply_honours_the_pass_options_and_refuses_no_lifetime(qm):
    report = MQRO_PASS_CORREL_ID | MQRO_PASS_MSG_ID
    sent = qm.put("ORDERS", b"?", msg_type=1, reply_to_q="REPLIES", correl_id="C", report=report)
    qm.reply(qm.get("ORDERS"))
    reply = qm.get("REPLIES")
    assert (reply.msg_id, reply.correl_id) == (sent.msg_id, sent.correl_id)
    qm.put("ORDERS", b"?", msg_type=1, reply_to_q="REPLIES")
    assert reason(qm.reply, qm.get("ORDERS"), b"!", expiry=0) == 2013


# ---------------------------------------------------------------- EXP-38: the three ways
def moved(qm):
    """A program that moves what it finds from one queue to another."""
    with qm.unit_of_work() as uow:
        uow.put("REPLIES", uow.get("ORDERS").body)


@pytest.mark.rule("EXP-38")
@pytest.mark.parametrize("way", ["browse", "move", "get"])
def test_an_expired_message_counts_until_it_is_browsed_moved_or_got(lab, qm, way):
    qm.put("ORDERS", b"x", expiry=10)
    qm.put("FIFO", b"x", expiry=10)
    lab.advance(400 * 86400)
    assert qm.depth("ORDERS") == 1
    ways = {"browse": lambda: qm.browse("ORDERS"), "get": lambda: qm.get("ORDERS"), "move": lambda: moved(qm)}
    assert (reason(ways[way]), qm.depth("ORDERS"), qm.depth("REPLIES")) == (2033, 0, 0)
    [row] = lab.events.where(kind="discard", object="ORDERS")
    assert (row.depth, row.expiry_left < 0, reason(qm.browse, "FIFO"), lab.events[-1].rule) == (0, True, 2033, "EXP-38")
