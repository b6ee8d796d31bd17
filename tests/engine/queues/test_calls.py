"""Put, get and browse over the one-call forms and over handles."""

import pytest

from helpers import mq_error, reason


@pytest.mark.rule("MQI-01", "MQI-02")
def test_priority_first_then_arrival_or_arrival_alone_and_no_alter_moves_what_is_there(qm):
    for body, priority in (("low", 1), ("high", 8), ("low again", 1), ("highest", 9)):
        qm.put("ORDERS", body, priority=priority)
    assert [qm.get("ORDERS").body for _ in range(4)] == [b"highest", b"high", b"low", b"low again"]
    qm.put("FIFO", "first", priority=1)
    qm.put("FIFO", "second", priority=9)
    assert [(m.body, m.priority) for m in (qm.get("FIFO"), qm.get("FIFO"))] == [(b"first", 1), (b"second", 9)]
    qm.put("ORDERS", "low", priority=1)
    qm.put("ORDERS", "high", priority=9)
    assert qm.mqsc("ALTER QLOCAL(ORDERS) MSGDLVSQ(FIFO) DEFPRTY(5)").ok
    qm.put("ORDERS", "filed by DEFPRTY", priority=9)
    assert [qm.get("ORDERS").body for _ in range(3)] == [b"high", b"filed by DEFPRTY", b"low"]


@pytest.mark.rule("MQI-03")
def test_a_browse_takes_nothing_and_its_cursor_misses_what_arrives_behind_it(lab, qm):
    for body in ("1", "2", "3"):
        qm.put("ORDERS", body, priority=5)
    with qm.open("ORDERS", browse=True) as handle:
        assert [handle.browse_first().body, handle.browse_next().body] == [b"1", b"2"]
        qm.put("ORDERS", "behind", priority=9)
        assert (handle.browse_next().body, reason(handle.browse_next)) == (b"3", 2033)
        assert handle.browse_first().body == b"behind"
    assert qm.depth("ORDERS") == 4


@pytest.mark.rule("MQI-04")
def test_selecting_by_identifiers_which_the_queue_manager_makes(lab, qm):
    for number in range(6):
        qm.put("ORDERS", str(number), correl_id="AB"[number % 2], priority=number % 3, msg_id=f"M{number}")
    assert [qm.get("ORDERS", correl_id="A").body for _ in range(3)] == [b"2", b"4", b"0"]
    assert qm.get("ORDERS", msg_id="M3", correl_id="B").body == b"3"
    assert (reason(qm.get, "ORDERS", msg_id="M1", correl_id="A"), lab.events[-1].rule) == (2033, "MQI-04")
    assert qm.get("ORDERS", correl_id=bytes(24)).body == b"5", "zeros match anything"
    first, second = qm.put("ORDERS", b"x"), qm.put("ORDERS", b"x")
    assert first.msg_id[:16] == b"AMQ QM1         "
    assert (len(first.msg_id), first.msg_id == second.msg_id, first.correl_id) == (24, False, bytes(24))
    zos = lab.queue_manager("QMZ", platform="zos")
    assert zos.put("SYSTEM.DEFAULT.LOCAL.QUEUE", b"x").msg_id[:8] == b"CSQ QMZ "


def test_what_is_put_is_what_is_got(lab, qm):
    about = {"correl_id": "C", "reply_to_q": "REPLIES", "format": "MQSTR", "msg_type": 65536, "feedback": 9}
    put = qm.put("ORDERS", "hé", expiry=70, priority=3, persistent=True, **about)
    got = qm.get("ORDERS")
    same = """number body priority persistent msg_id correl_id report reply_to_q reply_to_qmgr format msg_type feedback
        put_time expiry backout_count"""
    for name in same.split():
        assert getattr(put, name) == getattr(got, name)
    assert (got.body, got.reply_to_qmgr, got.put_time) == ("hé".encode(), "QM1", lab.now)
    with pytest.raises(AttributeError):
        got.priority = 1


@pytest.mark.rule("MQI-17", "MQI-11")
def test_a_waiting_get_is_woken_by_a_put_lasts_its_interval_and_ends_with_2016_when_gets_are_inhibited(lab, qm):
    def after(seconds, work):
        yield lab.clock.timeout(seconds * 1_000_000)
        work()

    lab.clock.process(after(3, lambda: qm.put("ORDERS", b"late")))
    assert (qm.get("ORDERS", wait=10).body, lab.now_us) == (b"late", 3_000_000)
    assert (reason(qm.get, "ORDERS", wait=2.5), lab.now_us) == (2033, 5_500_000)
    lab.clock.process(after(1, lambda: qm.mqsc("ALTER QLOCAL(ORDERS) GET(DISABLED)")))
    assert (reason(qm.get, "ORDERS", wait=10), lab.now_us) == (2016, 6_500_000)


@pytest.mark.rule("MQI-17")
def test_a_waiting_get_that_selects_is_served_before_one_that_takes_any_message(lab, qm):
    served = []
    asks = (("ANY", {}), ("LATER", {}), ("BY.ID", {"correl_id": "C"}), ("SAME.ID", {"correl_id": "C"}))
    for name, selection in asks:

        def getter(app, name=name, by=selection):
            served.append((name, app.get("ORDERS", wait=60, **by).body))

        qm.run_program(name, getter)
        lab.advance(1)
    for number in range(4):
        qm.put("ORDERS", b"%d" % number, correl_id="" if number == 1 else "C")
        lab.advance(1)
    assert served == [("BY.ID", b"0"), ("ANY", b"1"), ("SAME.ID", b"2"), ("LATER", b"3")]


@pytest.mark.rule("MQI-14")
def test_exclusive_and_shared_opens(qm):
    first, second = qm.open("ORDERS", input="shared"), qm.open("ORDERS", input="as_q_def")
    assert reason(qm.open, "ORDERS", input="exclusive") == 2042
    first.close()
    second.close()
    with qm.open("ORDERS", input="exclusive"):
        assert reason(qm.get, "ORDERS") == 2042
        qm.open("ORDERS", browse=True).close()
    assert qm.status("ORDERS") == {"CURDEPTH": 0, "IPPROCS": 0, "OPPROCS": 0, "UNCOM": 0}


@pytest.mark.rule("MQI-14", "MQI-09", "MQI-10", "MQI-13")
def test_a_get_that_finds_nothing_counts_its_own_handle_and_refused_puts_name_their_rule(qm):
    for wait in (0, 1):
        caught = mq_error(qm.get, "ORDERS", wait=wait)
        assert (caught.reason, caught.facts["IPPROCS"]) == (2033, 1)
    with qm.open("ORDERS", input="shared"):
        caught = mq_error(qm.get, "ORDERS")
    assert (caught.facts["IPPROCS"], qm.status("ORDERS")["IPPROCS"]) == (2, 0)
    qm.put("SMALL", b"1")
    qm.put("SMALL", b"2")
    assert (reason(qm.put, "SMALL", b"3"), reason(qm.put, "SMALL", b"x" * 11)) == (2053, 2030)
    assert reason(qm.put, "SMALL", b"3", msg_type=1) == 2027


@pytest.mark.rule("MQI-15")
def test_definitions_are_events_and_a_cleared_queue_is_empty(lab, qm):
    numbers = [qm.put("ORDERS", b"x").number for _ in range(3)]
    assert (qm.clear("ORDERS"), qm.depth("ORDERS")) == (3, 0)
    assert [e.message for e in lab.events.where(kind="clear") if e.message] == numbers
    qm.put("FIFO", b"x")
    qm.delete("QLOCAL", "FIFO", purge=True)
    assert reason(qm.put, "FIFO", b"x") == 2085
    assert ("QM1", "FIFO") not in lab.state().queues
