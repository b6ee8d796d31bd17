"""Handles: locks, cursors, inquire and set, dynamic queues, and what changes under an open handle."""

import pytest

from mqlab import MQError


def reason(call, *args, **kwargs):
    with pytest.raises(MQError) as caught:
        call(*args, **kwargs)
    return caught.value.reason


@pytest.fixture
def reader(qm):
    """A handle on ORDERS that browses and gets; the queue holds 1, 2 and 3."""
    for body in ("1", "2", "3"):
        qm.put("ORDERS", body, persistent=True)
    return qm.open("ORDERS", input="shared", browse=True)


def test_a_lock_does_not_hide_a_message_from_its_own_handle(qm, reader):
    reader.browse_first(lock=True)
    assert qm.browse("ORDERS").body == b"2"
    assert reader.get().body == b"1"


def test_a_locked_message_got_in_a_unit_and_backed_out_can_be_got_again(lab, qm, reader):
    reader.browse_first(lock=True)
    unit = qm.unit_of_work()
    assert reader.get_under_cursor(unit=unit).body == b"1"
    unit.backout()
    assert qm.get("ORDERS").body == b"1"


def test_closing_frees_the_lock_and_the_log_knows(lab, qm, reader):
    reader.browse_first(lock=True)
    with pytest.raises(MQError) as caught:
        qm.get("ORDERS", msg_id=qm.browse("ORDERS", correl_id=None).msg_id, correl_id="X")
    assert caught.value.facts["locked by a browse"] == 1
    reader.close()
    assert lab.state().facts("QM1", "ORDERS")["locked by a browse"] == 0
    assert qm.get("ORDERS").body == b"1"


def test_a_browse_that_fails_keeps_lock_and_cursor(qm, reader):
    reader.browse_first(lock=True)
    qm.mqsc("ALTER QLOCAL(ORDERS) GET(DISABLED)")
    assert reason(reader.browse_next) == reason(reader.get_under_cursor) == 2016
    qm.mqsc("ALTER QLOCAL(ORDERS) GET(ENABLED)")
    assert qm.browse("ORDERS").body == b"2", "still locked"
    assert reader.get_under_cursor().body == b"1"


def test_under_a_cursor_locked_by_another(qm, reader):
    other = qm.open("ORDERS", input="shared", browse=True)
    other.browse_first()
    reader.browse_first(lock=True)
    with pytest.raises(MQError, match="locked by another handle"):
        other.get_under_cursor()


@pytest.mark.rule("MQI-23")
def test_inquire_and_set(lab, qm):
    with qm.open("ORDERS", inquire=True, set=True) as handle:
        before = handle.inquire()["ALTTIME"]
        lab.advance(60)
        assert handle.inquire("CURDEPTH", "MAXDEPTH") == {"CURDEPTH": 0, "MAXDEPTH": 5000}
        assert handle.inquire(3) == {"CURDEPTH": 0}, "MQIA_CURRENT_Q_DEPTH"
        handle.set(PUT="DISABLED", TRIGDPTH=7)
        assert reason(qm.put, "ORDERS", b"x") == 2051
        assert handle.inquire("TRIGDPTH", "ALTTIME") == {"TRIGDPTH": 7, "ALTTIME": before}
        assert reason(handle.set, GET="DISABLED", MAXDEPTH=1) == 2067
        assert reason(handle.set, TRIGDPTH=0) == 2076
        assert handle.inquire("GET", "TRIGDPTH") == {"GET": "ENABLED", "TRIGDPTH": 7}, "all or none"
    assert lab.state().queue("QM1", "ORDERS").attributes["PUT"] == "DISABLED"


@pytest.mark.rule("MQI-24")
def test_a_temporary_dynamic_queue_lives_as_long_as_its_creators_handle(lab, qm):
    qm.mqsc("DEFINE QMODEL(REPLY.MODEL) DEFTYPE(TEMPDYN) DEFPSIST(NO)")
    creator = qm.open("REPLY.MODEL", input="exclusive", dynamic_name="REPLY.*")
    assert creator.name.startswith("REPLY.")
    qm.put(creator.name, b"x")
    assert reason(qm.put, creator.name, b"x", persistent=True) == 2048
    other = qm.open(creator.name, output=True)
    creator.close()
    assert reason(other.put, b"y") == reason(qm.put, other.name, b"y") == 2052
    name = other.name
    other.close()
    assert reason(qm.put, name, b"x") == 2085
    assert ("QM1", name) not in lab.state().queues


def test_a_permanent_dynamic_queue_stays_until_it_is_deleted(qm):
    qm.mqsc("DEFINE QMODEL(KEEP.MODEL) DEFTYPE(PERMDYN)")
    handle = qm.open("KEEP.MODEL", output=True, dynamic_name="KEEP.1")
    handle.put(b"x")
    assert reason(handle.close, delete=True) == 2055
    handle.close()
    handle = qm.open("KEEP.1", input="shared")
    handle.close(purge=True)
    assert reason(qm.depth, "KEEP.1") == 2085
    assert reason(qm.open("ORDERS", output=True).close, delete=True) == 2045


def test_an_alias_that_leads_elsewhere_is_another_alias(qm):
    qm.mqsc("DEFINE QLOCAL(B2)\nDEFINE QALIAS(A) TARGET(ORDERS)")
    handle = qm.open("A", input="shared", browse=True, output=True)
    assert reason(qm.delete, "QALIAS", "A") == 2042
    assert reason(qm.alter, "QALIAS", "A", {"TARGET": "B2"}) == 2042
    qm.alter("QALIAS", "A", {"TARGET": "B2"}, force=True)
    assert reason(handle.put, b"x") == reason(handle.get) == 2041
    handle.close()
    assert (qm.status("ORDERS")["IPPROCS"], qm.status("B2")["IPPROCS"]) == (0, 0)
    qm.put("A", b"x")
    assert qm.depth("B2") == 1


def test_what_goes_by_an_alias_says_so_in_the_log(lab, qm):
    qm.mqsc("DEFINE QALIAS(A) TARGET(ORDERS)")
    qm.connect("WEB").put("A", b"x")
    qm.connect("WEB").get("A")
    assert [event.detail for event in lab.events[-2:]] == ['{"via":"A"}'] * 2


def test_an_alias_of_an_alias_is_2001(qm):
    qm.mqsc("DEFINE QALIAS(A) TARGET(ORDERS)\nDEFINE QALIAS(AA) TARGET(A)")
    assert reason(qm.put, "AA", b"x") == 2001


def test_more_than_maxhands_is_2017(qm):
    qm.mqsc("ALTER QMGR MAXHANDS(2)")
    app = qm.connect("APP")
    handles = [app.open("ORDERS", output=True) for _ in range(2)]
    assert reason(app.open, "ORDERS", output=True) == 2017
    handles[0].close()
    app.open("ORDERS", output=True)


def test_a_body_of_exactly_maxmsgl_fits(qm):
    qm.put("SMALL", b"x" * 10)
    assert reason(qm.put, "SMALL", b"x" * 11) == 2030
    qm.mqsc("ALTER QMGR MAXMSGL(32768)")
    qm.put("ORDERS", b"x" * 32768)
    assert reason(qm.put, "ORDERS", b"x" * 32769) == 2031


def test_defsopt_excl_and_npmclass_high(qm):
    qm.mqsc("DEFINE QLOCAL(ALONE) DEFSOPT(EXCL) NPMCLASS(HIGH)")
    with qm.open("ALONE", input="as_q_def"):
        assert reason(qm.open, "ALONE", input="shared") == 2042
    qm.put("ALONE", b"x")
    qm.stop()
    qm.start()
    assert qm.depth("ALONE") == 1


def test_a_stopped_queue_manager_takes_no_commands_and_old_handles_are_gone(qm):
    handle = qm.open("ORDERS", output=True)
    qm.stop()
    assert reason(handle.put, b"x") == 2059
    assert reason(qm.define, "QLOCAL", "NEW", {}) == 2059
    qm.start()
    assert reason(handle.put, b"x") == 2019


def test_an_open_unit_keeps_a_queue_from_being_cleared_or_deleted(qm):
    qm.put("ORDERS", b"x")
    unit = qm.unit_of_work()
    unit.get("ORDERS")
    assert reason(qm.clear, "ORDERS") == reason(qm.delete, "QLOCAL", "ORDERS", purge=True) == 2055
    unit.commit()
    qm.delete("QLOCAL", "ORDERS")


def test_a_purging_delete_is_caused_by_itself_and_nothing_else(lab, qm):
    qm.put("ORDERS", b"x")
    qm.delete("QLOCAL", "ORDERS", purge=True)
    clear, message, delete = lab.events[-3:]
    assert [row.kind for row in (clear, message, delete)] == ["clear", "clear", "delete"]
    assert (message.cause, delete.cause) == (clear.seq, clear.seq)


def test_a_system_queue_can_be_altered_and_replayed(lab, qm):
    qm.mqsc("ALTER QLOCAL(SYSTEM.DEAD.LETTER.QUEUE) MSGDLVSQ(FIFO)")
    qm.put("SYSTEM.DEAD.LETTER.QUEUE", b"x")
    assert lab.state().facts("QM1", "SYSTEM.DEAD.LETTER.QUEUE")["MAXDEPTH"] == 5000


@pytest.mark.rule("MQI-21", "MQI-22")
def test_confirmations_come_with_the_units_of_work(lab, qm):
    coa, cod = 0x100, 0x800
    with qm.unit_of_work() as unit:
        put = unit.put("ORDERS", b"x" * 200, report=3 * coa + 7 * cod, reply_to_q="REPLIES")
        assert reason(qm.get, "REPLIES") == 2033
    arrival = qm.get("REPLIES")
    assert (arrival.feedback, arrival.correl_id, len(arrival.body)) == (259, put.msg_id, 100)
    assert qm.browse("ORDERS").number == put.number
    assert qm.depth("REPLIES") == 0, "a browse confirms nothing"
    unit = qm.unit_of_work()
    unit.get("ORDERS")
    unit.backout()
    assert qm.depth("REPLIES") == 0, "backed out: no confirmation"
    qm.get("ORDERS")
    delivery = qm.get("REPLIES")
    assert (delivery.feedback, len(delivery.body)) == (260, 200)


def test_a_unit_ended_by_the_queue_manager_does_not_end_silently(qm):
    def work():
        with qm.unit_of_work() as unit:
            unit.put("ORDERS", b"x")
            qm.stop()

    assert reason(work) == 2003


def test_a_report_put_by_the_waiting_get_itself_wakes_it(lab, qm):
    qm.put("ORDERS", b"a", expiry=1, report=0x200000, reply_to_q="ORDERS")
    lab.advance(1)
    began = lab.now_us
    assert qm.get("ORDERS", wait=5).feedback == 258
    assert lab.now_us == began


def test_waits_end_when_the_ground_goes(lab, qm):
    ended = []

    def waiter(app, call):
        try:
            call(app)
        except MQError as error:
            ended.append((error.reason, lab.now_us))

    handle = qm.open("REPLIES", input="shared")
    unit = qm.unit_of_work()
    qm.run_program("A", waiter, lambda app: handle.get(wait=50))
    qm.run_program("B", waiter, lambda app: unit.get("FIFO", wait=50))
    lab.advance(1)
    assert reason(qm.delete, "QLOCAL", "REPLIES") == 2042
    handle.close()
    qm.put("REPLIES", b"x")
    unit.commit()
    qm.put("FIFO", b"x")
    lab.advance(100)
    assert ended == [(2009, 1_000_000), (2255, 1_000_000)]
