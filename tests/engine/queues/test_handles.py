"""Handles: locks, cursors, inquire and set, dynamic queues, and what changes under an open handle."""

import pytest

from helpers import bodies, cases, made, mq_error, reason, refusal
from mqlab import MQError
from mqlab.engine.words.constants import MQRO_COA, MQRO_COD, MQRO_EXPIRATION, MQRO_PASS_DISCARD_AND_EXPIRY


@pytest.fixture
def reader(qm):
    """A handle on ORDERS that browses and gets; the queue holds 1, 2 and 3."""
    for body in ("1", "2", "3"):
        qm.put("ORDERS", body, persistent=True)
    return qm.open("ORDERS", input="shared", browse=True)


def test_a_lock_hides_a_message_from_other_handles_and_not_from_its_own(qm, reader):
    other = qm.open("ORDERS", input="shared", browse=True)
    other.browse_first()
    reader.browse_first(lock=True)
    refusal(MQError, "locked by another handle", other.get_under_cursor)
    assert (qm.browse("ORDERS").body, reader.get().body) == (b"2", b"1")


def test_a_browse_that_fails_keeps_lock_and_cursor(qm, reader):
    reader.browse_first(lock=True)
    qm.mqsc("ALTER QLOCAL(ORDERS) GET(DISABLED)")
    assert reason(reader.browse_next) == reason(reader.get_under_cursor) == 2016
    qm.mqsc("ALTER QLOCAL(ORDERS) GET(ENABLED)")
    assert qm.browse("ORDERS").body == b"2", "still locked"
    assert reader.get_under_cursor().body == b"1"


def test_a_locked_message_got_in_a_unit_and_backed_out_can_be_got_again(lab, qm, reader):
    reader.browse_first(lock=True)
    unit = qm.unit_of_work()
    assert reader.get_under_cursor(unit=unit).body == b"1"
    unit.backout()
    assert qm.get("ORDERS").body == b"1"


def test_closing_frees_the_lock_and_the_log_knows(lab, qm, reader):
    reader.browse_first(lock=True)
    refused = mq_error(qm.get, "ORDERS", msg_id=qm.browse("ORDERS", correl_id=None).msg_id, correl_id="X")
    assert refused.facts["locked by a browse"] == 1
    reader.close()
    assert (lab.state().facts("QM1", "ORDERS")["locked by a browse"], qm.get("ORDERS").body) == (0, b"1")


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
        assert (reason(handle.set, GET="DISABLED", MAXDEPTH=1), reason(handle.set, TRIGDPTH=0)) == (2067, 2076)
        assert reason(handle.set, TRIGDPTH=2, PUT="MAYBE") == 2020
        assert handle.inquire("GET", "TRIGDPTH") == {"GET": "ENABLED", "TRIGDPTH": 7}, "all or none"
    assert lab.state().queue("QM1", "ORDERS").attributes["PUT"] == "DISABLED"


@pytest.mark.rule("MQI-23")
def test_inquire_and_set_of_an_alias_and_of_a_remote_definition(qm):
    qm.mqsc("""
        DEFINE QALIAS(A) TARGET(ORDERS)
        DEFINE QLOCAL(X) USAGE(XMITQ)
        DEFINE QREMOTE(FAR) RNAME(Q) RQMNAME(QM2) XMITQ(X)""").require()
    alias, far = (qm.open(name, inquire=True, set=True) for name in ("A", "FAR"))
    for handle, keyword in ((alias, "CURDEPTH"), (alias, "MAXDEPTH"), (far, 3)):
        caught = mq_error(handle.inquire, keyword)
        assert (caught.reason, caught.comp) == (2068, 1)
    assert reason(alias.inquire, "NONSENSE") == reason(alias.set, TRIGDPTH=2) == reason(far.set, GET="DISABLED") == 2067
    for handle in (alias, far):
        handle.set(PUT="DISABLED")
        assert (handle.inquire("PUT"), reason(qm.put, handle.name, b"x")) == ({"PUT": "DISABLED"}, 2051)
    alias.set(GET="DISABLED")
    qm.put("ORDERS", b"x")
    assert (reason(qm.get, "A"), qm.get("ORDERS").body) == (2016, b"x")


@pytest.mark.rule("MQI-24")
def test_a_temporary_dynamic_queue_lives_as_long_as_its_creators_handle(lab, qm):
    qm.mqsc("DEFINE QMODEL(REPLY.MODEL) DEFTYPE(TEMPDYN) DEFPSIST(NO)")
    qm.mqsc("DEFINE QREMOTE(HERE) RNAME(' ') RQMNAME(QM1)")
    assert reason(qm.open, "REPLY.MODEL@HERE", input="exclusive") == 2057
    creator = qm.open("REPLY.MODEL@QM1", input="exclusive", dynamic_name="REPLY.*")
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


@cases("name", "REPLY.*", "REPLY")
@cases(
    "end, of_got",
    (lambda qm, units: [unit.commit() for unit in units], "get"),
    (lambda qm, units: [unit.backout() for unit in units], "clear"),
    (lambda qm, units: (qm.fail(), qm.start()), "clear"),
)
def test_messages_in_units_of_work_go_with_their_dynamic_queue(lab, qm, name, end, of_got):
    """At once; only a message that was got first has to come back (MQCLOSE, usage notes)."""
    client, server = qm.connect("CLIENT"), qm.connect("SERVER")
    units = [client.unit_of_work(), server.unit_of_work()]
    replies = client.open("SYSTEM.DEFAULT.MODEL.QUEUE", input="exclusive", dynamic_name=name)
    name_made = replies.name
    got, put = qm.put(name_made, b"1"), units[1].put(name_made, b"2")
    replies.get(unit=units[0])
    left = qm.put(name_made, b"3")
    replies.close()
    assert ("QM1", name_made) not in lab.state().queues
    for message in (put, left):
        assert lab.events.of_message(message.number)[-1].kind == "clear"
        assert "now" not in lab.explain(message)
        assert "it is on no queue" in str(lab.why_not_delivered(message))
    told = lab.why_not_delivered(got)
    assert (told.verdict, "is deleted, and its messages with it" in told.moves[0]) == ("got, not committed", True)
    again = client.open("SYSTEM.DEFAULT.MODEL.QUEUE", input="exclusive", dynamic_name=name)
    qm.put(again.name, b"4")
    since = len(lab.events)
    end(qm, units)
    assert [lab.events.of_message(each.number)[-1].kind for each in (got, put)] == [of_got, "clear"]
    # the rows of the old queue say nothing about the depth of a new queue of its name
    assert not [row for row in lab.events[since:] if row.message == got.number and row.depth is not None]
    logged = {name: queue.depth for (_, name), queue in lab.state().queues.items() if name.startswith("REPLY")}
    assert logged == {queue.name: queue.depth for queue in qm.queues if queue.name.startswith("REPLY")}
    for message in (got, put, left):
        assert "now" not in lab.explain(message)
        assert "it is on no queue" in str(lab.why_not_delivered(message))


def test_a_dynamic_queue_that_is_still_open_is_deleted_with_all_messages_at_once(lab, qm):
    """Its other handles keep only its name; a get that waits on one ends with 2052."""
    qm.mqsc("DEFINE QMODEL(REPLY.MODEL) DEFTYPE(TEMPDYN) SHARE DEFSOPT(SHARED)")
    creator = qm.connect("CLIENT").open("REPLY.MODEL", input="shared", dynamic_name="REPLY")
    server, ended = qm.connect("SERVER"), []
    other = server.open("REPLY", input="shared", output=True)
    taken = qm.put("REPLY", b"1")
    other.get(unit=(unit := server.unit_of_work()))

    def waits(app):
        with app.open("REPLY", input="shared") as handle:
            ended.append((reason(handle.get, wait=60), lab.now_us))

    qm.run_program("WAITER", waits)
    lab.advance(1)
    put = other.put(b"2", unit=unit)
    creator.close()
    assert lab.events.of_message(put.number)[-1].kind == "clear"
    assert (lab.state().queue("QM1", "REPLY").depth, lab.why_not_delivered(put).verdict) == (0, "cleared")
    lab.advance(1)
    assert ended == [(2052, 1_000_000)]
    unit.backout()
    assert [row.kind for row in lab.events.of_message(taken.number)][-2:] == ["restore", "clear"]
    assert reason(other.get) == 2052
    other.close()
    assert ("QM1", "REPLY") not in lab.state().queues


def test_a_message_got_before_its_dynamic_queue_was_deleted_is_not_lost_twice(lab, qm):
    """As of a transmission queue, when the batch of a channel is in doubt."""
    app = qm.connect("AGENT")
    queue = app.open("SYSTEM.DEFAULT.MODEL.QUEUE", input="exclusive", dynamic_name="LINE")
    message, unit = qm.put("LINE", b"x"), app.unit_of_work()
    queue.get(unit=unit)
    unit.prepare("LUWID", 1)
    qm.stop()
    qm.start()
    unit.backout()
    assert [row.kind for row in lab.events.of_message(message.number)] == ["put", "get", "restore", "clear"]


@pytest.mark.rule("MQI-24")
def test_commands_refuse_a_dynamic_queue_that_is_deleted_and_still_open(lab, qm):
    qm.mqsc("DEFINE QMODEL(MODEL) DEFTYPE(TEMPDYN) SHARE DEFSOPT(SHARED)")
    creator = qm.open("MODEL", input="shared", dynamic_name="ANSWERS")
    other = qm.open("ANSWERS", output=True)
    creator.close()
    before = len(lab.events)
    for command in (
        "CLEAR QLOCAL(ANSWERS)",
        "ALTER QLOCAL(ANSWERS) PUT(DISABLED)",
        "DEFINE QLOCAL(ANSWERS) REPLACE",
        "DEFINE QLOCAL(COPY) LIKE(ANSWERS)",
        "DELETE QLOCAL(ANSWERS) PURGE",
        "DISPLAY QLOCAL(ANSWERS)",
        "DISPLAY QSTATUS(ANSWERS) TYPE(HANDLE)",
    ):
        assert "2052 MQRC_Q_DELETED" in str(qm.mqsc(command)), command
    assert not any("ANSWERS" in str(qm.mqsc(f"DISPLAY {what}(*)")) for what in ("QUEUE", "QSTATUS"))
    changes = ("alter", "clear", "define", "delete")
    done = [row for row in lab.events[before:] if row.kind in changes and row.reason is None]
    assert not [row for row in done if not row.object.startswith("SYSTEM.")]
    other.close()
    assert lab.events[-1].kind == "delete"
    assert qm.mqsc("DEFINE QLOCAL(ANSWERS)").ok


def test_a_permanent_dynamic_queue_stays_until_it_is_deleted(qm):
    qm.mqsc("DEFINE QMODEL(KEEP.MODEL) DEFTYPE(PERMDYN)")
    handle = qm.open("KEEP.MODEL", output=True, dynamic_name="KEEP.1")
    handle.put(b"x")
    assert (reason(handle.close, delete=True), reason(handle.close, delete=True, purge=True)) == (2055, 2046)
    handle.close()
    handle = qm.open("KEEP.1", input="shared")
    handle.close(purge=True)
    assert (reason(qm.depth, "KEEP.1"), reason(qm.open("ORDERS", output=True).close, delete=True)) == (2085, 2045)


def test_an_alias_that_leads_elsewhere_is_another_alias(qm):
    qm.mqsc("DEFINE QLOCAL(B2)\nDEFINE QALIAS(A) TARGET(ORDERS)")
    handle = qm.open("A", input="shared", browse=True, output=True)
    assert (reason(qm.delete, "QALIAS", "A"), reason(qm.alter, "QALIAS", "A", {"TARGET": "B2"})) == (2042, 2042)
    qm.alter("QALIAS", "A", {"TARGET": "B2"}, force=True)
    assert reason(handle.put, b"x") == reason(handle.get) == 2041
    handle.close()
    assert (qm.status("ORDERS")["IPPROCS"], qm.status("B2")["IPPROCS"]) == (0, 0)
    qm.put("A", b"x")
    assert qm.depth("B2") == 1


def test_more_than_maxhands_is_2017_and_a_body_of_exactly_maxmsgl_fits(qm):
    qm.mqsc("ALTER QMGR MAXHANDS(2)")
    app = qm.connect("APP")
    handles = [app.open("ORDERS", output=True) for _ in range(2)]
    assert reason(app.open, "ORDERS", output=True) == 2017
    assert reason(app.put, "ORDERS", b"x") == reason(app.get, "ORDERS") == 2017, "MQPUT1 opens the queue too"
    qm.put("ORDERS", b"x")
    handles[0].close()
    app.open("ORDERS", output=True)
    qm.put("SMALL", b"x" * 10)
    assert reason(qm.put, "SMALL", b"x" * 11) == 2030
    qm.mqsc("ALTER QMGR MAXMSGL(32768)")
    qm.put("ORDERS", b"x" * 32768)
    assert reason(qm.put, "ORDERS", b"x" * 32769) == 2031


def test_defsopt_excl_and_npmclass_high(lab):
    qm = made("DEFINE QLOCAL(ALONE) DEFSOPT(EXCL) NPMCLASS(HIGH)", of=lab)
    with qm.open("ALONE", input="as_q_def"):
        assert reason(qm.open, "ALONE", input="shared") == 2042
    qm.put("ALONE", b"x")
    qm.stop()
    qm.start()
    assert qm.depth("ALONE") == 1


def test_a_stopped_queue_manager_takes_no_commands_and_old_handles_are_gone(qm):
    handle = qm.open("ORDERS", output=True)
    qm.stop()
    assert (reason(handle.put, b"x"), reason(qm.define, "QLOCAL", "NEW", {})) == (2059, 2059)
    qm.start()
    assert reason(handle.put, b"x") == 2019


def test_an_open_unit_keeps_a_queue_from_being_cleared_or_deleted(qm):
    qm.put("ORDERS", b"x")
    unit = qm.unit_of_work()
    unit.get("ORDERS")
    assert reason(qm.clear, "ORDERS") == reason(qm.delete, "QLOCAL", "ORDERS", purge=True) == 2055
    unit.commit()
    qm.delete("QLOCAL", "ORDERS")


def test_a_purging_delete_is_caused_by_itself_and_a_system_queue_can_be_altered(lab, qm):
    qm.put("ORDERS", b"x")
    qm.delete("QLOCAL", "ORDERS", purge=True)
    clear, message, delete = lab.events[-3:]
    assert [row.kind for row in (clear, message, delete)] == ["clear", "clear", "delete"]
    assert (message.cause, delete.cause) == (clear.seq, clear.seq)
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


def test_an_empty_dynamic_queue_goes_without_being_cleared(lab, qm):
    assert qm.mqsc("DEFINE QMODEL(MODEL)").ok
    qm.open("MODEL", output=True, dynamic_name="TEMP").close()
    assert [row.kind for row in lab.events.where(object="TEMP")] == ["define", "open", "close", "delete"]


def test_a_report_put_by_the_waiting_get_itself_wakes_it(lab, qm):
    got = []
    for get_first in (lambda get: get(qm), lambda get: qm.run_program("GETTER", get)):
        qm.put("ORDERS", b"a", expiry=1, report=MQRO_EXPIRATION, reply_to_q="ORDERS")
        lab.advance(1)
        get_first(lambda app: got.append((app.get("ORDERS", wait=60).feedback, lab.now_us)))
    lab.run()
    assert got == [(258, 1_000_000), (258, 2_000_000)]


def test_waits_end_when_the_ground_goes(lab, qm):
    ended, unit = [], qm.unit_of_work()
    handle = qm.open("REPLIES", input="shared")
    qm.run_program("A", lambda app: ended.append((reason(handle.get, wait=50), lab.now_us)))
    qm.run_program("B", lambda app: ended.append((reason(unit.get, "FIFO", wait=50), lab.now_us)))
    lab.advance(1)
    assert reason(qm.delete, "QLOCAL", "REPLIES") == 2042
    handle.close()
    qm.put("REPLIES", b"x")
    unit.commit()
    qm.put("FIFO", b"x")
    lab.advance(100)
    assert ended == [(2009, 1_000_000), (2255, 1_000_000)]


def test_a_put_on_a_handle_takes_the_whole_descriptor_and_a_unit(qm):
    with qm.open("ORDERS", output=True) as handle, qm.unit_of_work() as unit:
        handle.put(b"?", msg_type=1, reply_to_q="REPLIES", format="MQSTR", unit=unit)
        handle.close()
    request = qm.get("ORDERS")
    assert (request.msg_type, request.format) == (1, "MQSTR")
    assert (request.reply_to_q, request.reply_to_qmgr) == ("REPLIES", "QM1")
    with qm.unit_of_work() as unit:
        qm.reply(request, b"!", unit=unit)
        assert (qm.depth("REPLIES"), qm.targets["REPLIES"].uncommitted) == (1, 1)
    assert qm.get("REPLIES").body == b"!"


def test_a_lock_given_up_wakes_who_waits(lab, qm):
    qm.put("ORDERS", b"x")
    got, holder = [], qm.open("ORDERS", browse=True)
    holder.browse_first(lock=True)
    qm.run_program("GETTER", lambda app: got.append((app.get("ORDERS", wait=60).body, lab.now_us)))
    lab.advance(2)
    holder.close()
    lab.advance(1)
    assert got == [(b"x", 2_000_000)]


def test_a_report_may_carry_what_is_left_of_the_lifetime(lab, qm):
    report = MQRO_COA | MQRO_COD | MQRO_PASS_DISCARD_AND_EXPIRY
    qm.put("ORDERS", b"x", expiry=50, report=report, reply_to_q="REPLIES")
    assert qm.get("REPLIES").expiry == 50
    lab.advance(3)
    qm.get("ORDERS")
    assert qm.get("REPLIES").expiry == 20


def test_a_get_from_an_initiation_queue_is_a_monitor_that_comes_and_goes(lab, qm):
    assert qm.mqsc("""
        DEFINE QLOCAL(INITQ)
        DEFINE PROCESS(P) APPLICID('SERVER')
        DEFINE QLOCAL(WORK) TRIGGER TRIGTYPE(FIRST) INITQ(INITQ) PROCESS(P)
        """).ok
    qm.put("WORK", b"x")
    assert qm.get("INITQ").format == "MQTRIG", "written when the get opened the queue (TRG-13c)"


def arrives_late(qm, *bodies, correl_id="SAME"):
    """Put these in units of work that have not ended, in this order, and tell them by their bodies."""
    units = {body: qm.unit_of_work() for body in bodies}
    for body, unit in units.items():
        unit.put("ORDERS", body, correl_id=correl_id)
    return units


def test_what_is_committed_late_is_selected_in_the_order_of_the_puts(qm):
    qm.put("ORDERS", b"0", correl_id="OTHER")
    assert reason(qm.get, "ORDERS", correl_id="SAME") == 2033  # the index is there from now on
    units = arrives_late(qm, b"1", b"2", b"3")
    qm.put("ORDERS", b"4", correl_id="SAME")
    for body in (b"3", b"1", b"2"):  # joins in front, in front, and between
        units[body].commit()
        qm.targets["ORDERS"].store.check()
    assert [qm.get("ORDERS", correl_id="SAME").body for _ in range(4)] == [b"1", b"2", b"3", b"4"]


def test_a_cursor_on_a_message_that_was_committed_late(qm):
    qm.put("ORDERS", b"0")
    units = arrives_late(qm, b"1", b"2", b"4")
    qm.put("ORDERS", b"5")
    with qm.open("ORDERS", browse=True) as handle, qm.open("ORDERS", browse=True) as other:
        for unit in units.values():
            unit.commit()
        assert handle.browse_first(correl_id="SAME").body == b"1", "found by its identifier"
        assert ([handle.browse_next().body for _ in range(3)], handle.browse_first().body) == ([b"2", b"4", b"5"], b"0")
        assert [handle.browse_next().body for _ in range(4)] == [b"1", b"2", b"4", b"5"]
        assert [other.browse_next().body for _ in range(3)] == [b"0", b"1", b"2"]
        qm.get("ORDERS")
        qm.get("ORDERS")
        assert [other.browse_next().body for _ in range(2)] == [b"4", b"5"]
        assert [qm.get("ORDERS").body for _ in range(3)] == [b"2", b"4", b"5"]


def test_a_cursor_on_the_first_of_all_committed_late(qm):
    units = arrives_late(qm, b"1")
    qm.put("ORDERS", b"2")
    units[b"1"].commit()
    with qm.open("ORDERS", input="shared", browse=True) as handle:
        assert [handle.browse_first().body, handle.browse_next().body] == [b"1", b"2"]
        assert (handle.browse_first().body, handle.get_under_cursor().body) == (b"1", b"1")
        assert handle.browse_next().body == b"2"


# ---------------------------------------------------------------- get until no message is left
def test_drain_has_the_options_of_get_and_ends_at_2033_or_as_a_get_does(lab, qm, reader):
    assert bodies(reader.drain()) == [b"1", b"2", b"3"]
    assert ([row.reason for row in lab.events.where(kind="get")], reader.drain()) == ([None, None, None, 2033], [])
    for correl_id in "ABB":
        qm.put("ORDERS", correl_id, correl_id=correl_id)
    assert bodies(reader.drain(correl_id="A")) == [b"A"]
    with qm.unit_of_work() as unit:
        assert len(reader.drain(unit=unit)) == 2
        unit.backout()
    assert (qm.depth("ORDERS"), len(qm.drain("ORDERS")), qm.drain("ORDERS")) == (2, 2, [])
    qm.mqsc("ALTER QLOCAL(ORDERS) GET(DISABLED)").require()
    assert (reason(reader.drain), reason(qm.drain, "ORDERS"), reason(qm.drain, "NOWHERE")) == (2016, 2016, 2085)


def test_get_each_gets_what_comes_while_it_is_worked_on(lab, qm, reader):
    seen = []
    for message in reader.get_each():
        seen.append(message.body)
        if message.body == b"1":
            qm.put("ORDERS", "4")
    assert seen == [b"1", b"2", b"3", b"4"]
    for message in qm.get_each("ORDERS"):
        raise AssertionError(f"no message is left; got {message}")
