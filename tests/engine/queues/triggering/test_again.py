"""Triggering, conditions 10a to 12: units of work, the interval, and the close that triggers again."""

import pytest

from helpers import cases, reason, refusal
from mqlab.engine.words.errors import RunawayTrigger


# ---------------------------------------------------------------- 10a: units of work
@pytest.mark.rule("TRG-10a")
@pytest.mark.parametrize("ending", ["commit", "backout"])
@pytest.mark.parametrize("kind", ["FIRST", "EVERY", "DEPTH"])
def test_the_trigger_message_waits_for_the_end_of_the_unit_of_work(
    lab, qm, kind, ending, define, watch, written, fields
):
    define(qm, f"TRIGTYPE({kind})")
    with watch(qm) as monitor:
        uow = qm.unit_of_work()
        uow.put("WORK", b"x")
        assert len(written(lab)) == 1
        assert reason(monitor.get) == 2033, "nothing before it ends"
        getattr(uow, ending)()
        if (kind, ending) == ("EVERY", "backout"):
            assert (reason(monitor.get), qm.depth("INIT")) == (2033, 0)
        else:
            assert fields(monitor.get().body)["QName"].rstrip() == b"WORK"
        assert qm.depth("WORK") == (ending == "commit")


@pytest.mark.rule("TRG-10a")
@pytest.mark.parametrize(("ending", "depths"), [("commit", [1, 1]), ("backout", [0, 0])])
def test_an_initiation_queue_can_trigger_in_the_same_unit_of_work(qm, ending, depths, define, watch, mqsc):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "DEFINE QLOCAL(INIT2)", "ALTER QLOCAL(INIT) TRIGGER TRIGTYPE(EVERY) PROCESS(P) INITQ(INIT2)")
    with watch(qm), watch(qm, "INIT2"):
        uow = qm.unit_of_work()
        uow.put("WORK", b"x")
        getattr(uow, ending)()
    assert [qm.depth(name) for name in ("INIT", "INIT2")] == depths


def test_a_waiting_monitor_is_woken_by_the_end_of_the_unit_of_work(lab, qm, define):
    define(qm, "TRIGTYPE(FIRST)")
    seen = []
    qm.run_program("WATCH", lambda app: (app.get("INIT", wait=60), seen.append(lab.now_us)))
    lab.advance(0)
    uow = qm.unit_of_work()
    uow.put("WORK", b"x")
    lab.advance(5)
    assert seen == []
    uow.backout()
    lab.advance(1)
    assert seen == [5_000_000]


def test_the_trigger_message_counts_towards_maxumsgs(qm, define, watch, mqsc):
    define(qm, "TRIGTYPE(EVERY)")
    mqsc(qm, "ALTER QMGR MAXUMSGS(3)")
    with watch(qm), qm.unit_of_work() as uow:
        uow.put("WORK", b"x")
        uow.put("WORK", b"x")
        assert reason(uow.put, "WORK", b"x") == 2024


def test_each_put_of_a_unit_of_work_triggers_every(qm, define, watch):
    define(qm, "TRIGTYPE(EVERY)")
    with watch(qm) as monitor:
        with qm.unit_of_work() as uow:
            for _ in range(3):
                uow.put("WORK", b"x")
        for _ in range(3):
            monitor.get()
        assert reason(monitor.get) == 2033


# ---------------------------------------------------------------- 11: the interval
@pytest.mark.rule("TRG-11")
@pytest.mark.parametrize(("interval", "passed"), [(5000, 4.999), (5000, 5), (0, 0)])
def test_first_is_written_again_when_the_interval_has_passed(lab, qm, interval, passed, define, watch, mqsc):
    define(qm, "TRIGTYPE(FIRST)")
    mqsc(qm, f"ALTER QMGR TRIGINT({interval})")
    with watch(qm):
        qm.put("WORK", b"1")  # its server dies without opening the queue
        lab.advance(passed)
        qm.put("WORK", b"2")
        assert qm.depth("INIT") == (2 if passed * 1000 >= interval else 1)
        lab.advance(interval / 1000)
        qm.put("WORK", b"3")
        assert qm.depth("INIT") == (2 if passed * 1000 < interval else 3)


def test_the_interval_runs_from_the_last_trigger_message_and_by_default_it_is_more_than_11_days(
    lab, qm, define, watch, written, mqsc
):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"1")
        lab.advance(11 * 86400)
        qm.put("WORK", b"2")
        assert written(lab) == ["TRG-03"]
        mqsc(qm, "ALTER QMGR TRIGINT(1000)")
        qm.put("WORK", b"3")
        lab.advance(0.5)
        qm.put("WORK", b"4")
        assert written(lab) == ["TRG-03", "TRG-11"]


@pytest.mark.rule("TRG-11")
def test_depth_is_written_at_once_when_more_than_enough_are_there(lab, qm, define, watch, written, mqsc):
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(2) NOTRIGGER")
    for _ in range(3):
        qm.put("WORK", b"x")
    with qm.open("WORK", input="shared"):
        mqsc(qm, "ALTER QLOCAL(WORK) TRIGGER")  # someone reads: 13 does not hold
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING)")  # nor does 12 at the close
    with watch(qm):
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(P)")
        assert qm.depth("INIT") == 0
        qm.put("WORK", b"x")
        assert (qm.depth("INIT"), written(lab)) == (1, ["TRG-11"])


@pytest.mark.rule("TRG-11a")
def test_a_restart_ends_the_interval(lab, qm, define, watch, written, mqsc):
    define(qm, "TRIGTYPE(FIRST)")
    watch(qm)
    qm.put("WORK", b"1", persistent=True)
    qm.put("WORK", b"2", persistent=True)
    assert written(lab) == ["TRG-03"]
    qm.stop()
    qm.start()
    mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(MISSING)")  # so that the monitor's open does not trigger first
    with watch(qm):
        mqsc(qm, "ALTER QLOCAL(WORK) PROCESS(P)")
        qm.put("WORK", b"3")
        assert written(lab) == ["TRG-03", "TRG-11a"]


# ---------------------------------------------------------------- 12: the close
@pytest.mark.rule("TRG-12")
@cases(
    "kind, left, fires",
    ("FIRST", 1, True),
    ("FIRST", 0, False),
    ("DEPTH) TRIGDPTH(2", 2, True),
    ("DEPTH) TRIGDPTH(2", 1, False),
    ("EVERY", 1, False),
    ("FIRST) TRIGMPRI(5", 1, False),
)
def test_the_last_reader_leaves_enough_behind(lab, qm, kind, left, fires, define, watch, written):
    define(qm, f"TRIGTYPE({kind})")
    define(qm, "TRIGTYPE(FIRST)", name="OTHER")
    with watch(qm) as monitor:
        with qm.open("OTHER", input="shared"):
            qm.put("OTHER", b"x")
        assert written(lab) == ["TRG-12"]
        monitor.get()
        first, second = (qm.open("WORK", input="shared") for _ in range(2))
        for _ in range(left):
            qm.put("WORK", b"came between the get and the close", priority=1)
        while qm.depth("INIT"):
            monitor.get()
        first.close()
        assert qm.depth("INIT") == 0, "another one still has it open"
        with qm.open("WORK", browse=True, output=True):
            pass
        assert qm.depth("INIT") == 0, "that was no reader"
        second.close()
        assert qm.depth("INIT") == fires


@pytest.mark.parametrize("broken", ["NOTRIGGER", "PROCESS(MISSING)", "INITQ(NOWHERE)"])
def test_the_other_conditions_hold_for_the_close_too(qm, broken, define, watch, mqsc):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        with qm.open("WORK", input="shared"):
            qm.put("WORK", b"x")
            mqsc(qm, f"ALTER QLOCAL(WORK) {broken}")
        assert qm.depth("INIT") == 0


def test_at_the_close_nobody_asks_for_the_interval_nor_on_zos_for_gets(lab, define, watch, written, mqsc):
    qm = lab.queue_manager("QMZ", platform="zos")
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"1")
        with qm.open("WORK", input="shared"):
            mqsc(qm, "ALTER QLOCAL(WORK) GET(DISABLED)")
        assert written(lab) == ["TRG-03", "TRG-12"]


def lazy(app, trigger):
    """A server that never gets anything."""
    app.open(trigger.queue, input="shared").close()


@pytest.mark.rule("TRG-12a")
def test_a_server_that_drains_nothing_is_started_until_the_guard_stops_it(lab, qm, define, written):
    define(qm, "TRIGTYPE(FIRST)")
    qm.program("server", lazy)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"x"))
    refusal(RunawayTrigger, r"WORK was triggered 1000 times.*TRG-12a.*NOTRIGGER", lab.run)
    assert len(lab.events.where(kind="fault", object="WORK", rule="TRG-12a")) == 1
    assert set(written(lab)[2:]) == {"TRG-12a"}
    lab.run()
    assert qm.get("WORK").body == b"x", "the lab goes on"


def backs_out(app, trigger):
    """A server that takes a tenth of a second for nothing."""
    with app.open(trigger.queue, input="shared") as handle, app.unit_of_work() as uow:
        handle.get(unit=uow)
        app.qmgr.lab.advance(0.1)
        uow.backout()


def puts_back(app, trigger):
    """A server that puts back what it got."""
    with app.open(trigger.queue, input="shared", output=True) as handle:
        handle.put(handle.get().body)


@pytest.mark.parametrize(("server", "seconds"), [(backs_out, 100), (puts_back, 0)])
def test_the_guard_stops_a_server_that_takes_its_time_or_puts_back_what_it_got(lab, qm, server, seconds, define):
    define(qm, "TRIGTYPE(FIRST)")
    qm.program("server", server)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"x"))
    refusal(RunawayTrigger, "", lab.run)
    assert abs(lab.now_us / 1e6 - seconds) < 10


def test_a_server_that_gets_one_message_each_time_is_no_runaway(lab, qm, define):
    define(qm, "TRIGTYPE(FIRST)")
    qm.program("server", lambda app, trigger: app.get(trigger.queue))
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: [app.put("WORK", b"x") for _ in range(1500)])
    lab.run()
    assert qm.depth("WORK") == 0


@pytest.mark.rule("TRG-12b")
def test_a_backout_before_the_close_triggers_again(lab, qm, define, watch, written):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        qm.put("WORK", b"x")
        handle, uow = qm.open("WORK", input="shared"), qm.unit_of_work()
        handle.get(unit=uow)
        uow.backout()
        handle.close()
        assert written(lab) == ["TRG-03", "TRG-12b"]


@pytest.mark.parametrize("others", [pytest.param(0, marks=pytest.mark.rule("TRG-12b")), 1])
def test_a_close_before_the_backout_does_not_unless_others_are_left(lab, qm, others, define, watch, written, declined):
    define(qm, "TRIGTYPE(FIRST)")
    with watch(qm):
        for _ in range(1 + others):
            qm.put("WORK", b"x")
        handle, uow = qm.open("WORK", input="shared"), qm.unit_of_work()
        handle.get(unit=uow)
        handle.close()
        assert written(lab) == (["TRG-03", "TRG-12"] if others else ["TRG-03"])
        uow.backout()
        assert others or declined(lab) == ["TRG-12b"]
        assert qm.depth("WORK") == 1 + others


def test_a_program_that_dies_is_backed_out_and_then_closed_so_it_triggers_again(lab, qm, define, watch, written):
    define(qm, "TRIGTYPE(FIRST)")

    def server(app):
        app.open("WORK", input="shared").get(unit=app.unit_of_work())
        raise ValueError("a bad message")

    with watch(qm):
        qm.put("WORK", b"x")
        qm.run_program("SERVER", server)
        refusal(RuntimeError, "a bad message", lab.run)
        assert written(lab) == ["TRG-03", "TRG-12b"]


@pytest.mark.rule("TRG-12c")
def test_a_server_sees_the_loop_by_backout_count_and_moves_the_message_away(lab, qm, define, mqsc):
    define(qm, "TRIGTYPE(FIRST) BOTHRESH(3) BOQNAME(POISON)")
    mqsc(qm, "DEFINE QLOCAL(POISON)")
    counts = []

    def server(app, trigger):
        with app.open(trigger.queue, input="shared", inquire=True) as handle, app.unit_of_work() as uow:
            message, limits = handle.get(unit=uow), handle.inquire("BOTHRESH", "BOQNAME")
            counts.append(message.backout_count)
            if message.backout_count < limits["BOTHRESH"]:
                uow.backout()
            else:
                app.put(limits["BOQNAME"], message.body, unit=uow)

    qm.program("server", server)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"poison"))
    lab.run()
    assert (counts, qm.depth("WORK"), qm.get("POISON").body) == ([0, 1, 2, 3], 0, b"poison")
    restored = lab.events.where(kind="restore", object="WORK")
    assert [row.rule for row in restored] == ["TRG-12c"] * 3


def test_the_guard_leaves_no_handle_of_the_server_open(lab, qm, define):
    def lazy_twice(app, trigger):
        app.open(trigger.queue, input="shared")
        app.open("ORDERS", input="shared")

    define(qm, "TRIGTYPE(FIRST)")
    qm.program("server", lazy_twice)
    monitor = qm.trigger_monitor("INIT")
    lab.advance(0)
    qm.put("WORK", b"x")
    refusal(RunawayTrigger, "", lab.run)
    assert (qm.status("ORDERS")["IPPROCS"], qm.programs_running) == (0, [monitor])


def test_the_end_of_the_queue_manager_is_no_close_that_triggers(qm, define, watch, written):
    define(qm, "TRIGTYPE(DEPTH) TRIGDPTH(2)")
    qm.open("WORK", input="shared")
    watch(qm)
    for _ in range(2):
        qm.put("WORK", b"x", persistent=True)
    qm.stop()
    assert written(qm.lab) == []
    qm.start()
    watch(qm)
    assert written(qm.lab) == ["TRG-13c"], "TRIGGER is still on"
