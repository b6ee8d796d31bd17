"""Why a get finds no message, asked while each reason holds in turn."""

import pytest

from mqlab import MQError


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


def test_an_empty_queue(qm):
    assert stopped_by(qm)[0] == "MQI-12"


def test_an_uncommitted_put_says_whose(qm):
    unit = qm.connect("WEB").unit_of_work()
    unit.put("ORDERS", b"x")
    assert stopped_by(qm)[0] == "MQI-05"
    assert "1 put not committed, by WEB in unit of work 1" in fact(qm, "MQI-05")
    unit.commit()
    assert stopped_by(qm) == []


def test_another_identifier(qm):
    qm.put("ORDERS", b"x", correl_id="A")
    assert stopped_by(qm, correl_id="B")[0] == "MQI-04"
    assert fact(qm, "MQI-04", correl_id="B") == "0 of 1 match"
    assert stopped_by(qm, correl_id="A") == []


def test_a_lock_says_whose(qm):
    qm.put("ORDERS", b"x")
    handle = qm.connect("READER").open("ORDERS", browse=True)
    handle.browse_first(lock=True)
    assert stopped_by(qm)[0] == "MQI-03"
    assert "READER" in fact(qm, "MQI-03")
    handle.close()
    assert stopped_by(qm) == []


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


def test_one_reason_is_no_other(lab, qm):
    assert stopped_by(qm) == ["MQI-12"]
    with qm.unit_of_work() as unit:
        qm.put("ORDERS", b"x")
        unit.get("ORDERS")
        assert fact(qm, "MQI-12") == "CURDEPTH is 0, 1 got but not committed"
    unit = qm.unit_of_work()
    unit.put("ORDERS", b"x")
    assert stopped_by(qm) == ["MQI-05"]
    unit.commit()
    assert stopped_by(qm, msg_id="B") == ["MQI-04"]
    with qm.open("ORDERS", browse=True) as handle:
        handle.browse_first(lock=True)
        assert stopped_by(qm) == ["MQI-03"], "nothing has expired"
