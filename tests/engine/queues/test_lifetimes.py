"""Limits, levels, platforms and scans: what decides a lifetime besides the putter, and who discards."""

import pytest

from helpers import reason
from mqlab import Lab
from mqlab.engine.words.errors import ProgramDied


def manager(lab, *commands, **settings):
    """A queue manager with queue Q, defined with whatever is said behind it, and after these commands."""
    qm = lab.queue_manager(f"QM{len(lab.queue_managers)}", **settings)
    qm.mqsc("\n".join(commands or ("DEFINE QLOCAL(Q)",))).require()
    return qm


@pytest.mark.rule("EXP-06")
def test_a_coarse_granularity_moves_deadlines_up(lab):
    qm = manager(lab, level=530, expiry_granularity=10)
    lab.advance(0.25)
    assert qm.put("Q", b"x", expiry=12).expiry == 18, "1.45 s becomes 2 s of the clock"
    lab.advance(1.74)
    assert qm.browse("Q").expiry == 1
    lab.advance(0.01)
    assert reason(qm.browse, "Q") == 2033


@pytest.mark.rule("EXP-16")
@pytest.mark.parametrize("value", ["True", "", "0"])
def test_the_upper_limit_is_enforced_only_where_the_variable_exists(lab, value):
    assert manager(lab).put("Q", b"x", expiry=1_000_000_000).expiry == 1_000_000_000
    strict = manager(lab, environment={"AMQ_ENFORCE_MAX_EXPIRY_ERROR": value})
    assert reason(strict.put, "Q", b"x", expiry=1_000_000_000) == 2013
    strict.put("Q", b"x", expiry=999_999_999)


@pytest.mark.rule("EXP-21")
def test_a_locked_message_expires_before_it_is_got_under_the_cursor(lab, qm):
    qm.put("ORDERS", b"x", expiry=10)
    with qm.open("ORDERS", input="shared", browse=True) as handle:
        handle.browse_first(lock=True)
        lab.advance(1)
        assert reason(handle.get_under_cursor) == 2034
    assert [e.rule for e in lab.events.where(kind="discard")] == ["EXP-21"]


@pytest.mark.rule("EXP-22")
@pytest.mark.parametrize(("expiry", "left"), [("remaining", 70), (300, 300), (-1, -1)])
def test_a_replier_chooses_the_lifetime_of_the_reply(lab, qm, expiry, left):
    request = qm.put("ORDERS", b"?", expiry=100, msg_type=1, reply_to_q="REPLIES", priority=7, persistent=True)
    lab.advance(3)
    server = qm.connect("SERVER")
    assert server.reply(server.get("ORDERS"), b"!", expiry=expiry).expiry == left
    reply = qm.get("REPLIES", correl_id=request.msg_id)
    assert (reply.expiry, reply.msg_type, reply.priority, reply.persistent) == (left, 2, 7, True)


@pytest.mark.rule("EXP-31")
def test_capexpry_lowers_lifetimes_and_the_lowest_on_the_way_wins(lab):
    qm = manager(
        lab,
        "DEFINE QLOCAL(Q) CUSTOM('CAPEXPRY(300)')",
        "DEFINE QLOCAL(R) CAPEXPRY(200)",
        "DEFINE QALIAS(A) TARGET(Q) CAPEXPRY(100)",
        "DEFINE QALIAS(B) TARGET(R) CAPEXPRY(900)",
        level=940,
    )
    assert [qm.put("Q", b"x", expiry=each).expiry for each in (-1, 100, 900)] == [300, 100, 300]
    assert [qm.put(each, b"x").expiry for each in ("R", "A", "B")] == [200, 100, 200]
    assert qm.mqsc("ALTER QLOCAL(R) CAPEXPRY(NOLIMIT)").ok
    assert qm.put("R", b"x").expiry == -1


@pytest.mark.parametrize(("level", "custom", "attribute"), [(750, -1, None), (800, 300, None), (931, 300, 200)])
def test_capexpry_by_level(lab, level, custom, attribute):
    qm = manager(lab, "DEFINE QLOCAL(Q) CUSTOM('CAPEXPRY(300)')", level=level)
    assert qm.put("Q", b"x").expiry == custom
    taken = qm.mqsc("DEFINE QLOCAL(R) CAPEXPRY(200)").ok
    assert (qm.put("R", b"x").expiry if taken else None) == attribute


@pytest.mark.rule("EXP-32")
def test_vse_takes_no_lifetime(lab):
    qm = manager(lab, platform="vse", level=240)
    assert reason(qm.put, "Q", b"x", expiry=10) == 2013
    assert qm.put("Q", b"x").expiry == -1
    lab.advance(86400)
    assert qm.depth("Q") == 1


@pytest.mark.rule("EXP-32")
@pytest.mark.parametrize("definition", ["CUSTOM('CAPEXPRY(300)')", "CAPEXPRY(300)"])
def test_nothing_gives_a_message_a_lifetime_on_vse(lab, definition):
    qm = manager(lab, f"DEFINE QLOCAL(Q) {definition}", "DEFINE QALIAS(A) TARGET(Q)", platform="vse")
    assert [qm.put(name, b"x").expiry for name in ("Q", "A")] == [-1, -1]
    assert reason(qm.put, "A", b"x", expiry=100) == 2013
    lab.advance(86400)
    assert qm.depth("Q") == 2


@pytest.mark.rule("EXP-33")
def test_zos_scans_every_expryint_just_the_queues_that_hold_some(lab):
    qm = manager(
        lab, "ALTER QMGR EXPRYINT(60)", "DEFINE QLOCAL(Q)", "DEFINE QLOCAL(R)", "DEFINE QLOCAL(S)", platform="zos"
    )
    for queue, expiry in (("Q", 100), ("R", 5000), ("S", -1)):
        qm.put(queue, b"x", expiry=expiry, report=0x200000, reply_to_q="S")
    lab.advance(59)
    assert qm.depth("Q") == 1
    lab.advance(1)
    assert (qm.depth("Q"), qm.depth("R"), qm.depth("S")) == (0, 1, 2)
    [scan] = lab.events.where(kind="scan")
    assert (scan.time_us, scan.detail) == (60_000_000, '{"queues":["Q"]}')
    assert {e.cause for e in lab.events.where(kind="discard")} == {scan.seq}


def test_zos_with_expryint_off_scans_at_restart_only(lab):
    qm = manager(lab, platform="zos")
    qm.put("Q", b"x", expiry=10, persistent=True)
    lab.advance(86400)
    assert qm.depth("Q") == 1
    qm.stop()
    qm.start()
    assert qm.depth("Q") == 0


@pytest.mark.rule("EXP-35")
def test_a_scan_on_request_is_for_zos(lab):
    qm = manager(lab, "DEFINE QLOCAL(Q)", "DEFINE QLOCAL(R)", platform="zos")
    for queue in "QR":
        qm.put(queue, b"x", expiry=10)
    lab.advance(5)
    assert qm.mqsc("REFRESH QMGR TYPE(EXPIRY) NAME(Q*)").ok
    assert (qm.depth("Q"), qm.depth("R")) == (0, 1)
    assert not manager(lab).mqsc("REFRESH QMGR TYPE(EXPIRY) NAME(*)").ok


@pytest.mark.rule("EXP-38")
def test_counted_until_browsed_got_or_moved_on(lab, qm):
    for call in (lambda: qm.browse("ORDERS"), lambda: qm.get("ORDERS"), lambda: qm.put("FIFO", qm.get("ORDERS").body)):
        qm.put("ORDERS", b"x", expiry=10)
        lab.advance(2)
        assert qm.depth("ORDERS") == 1
        assert reason(call) == 2033
        assert qm.depth("ORDERS") == 0


@pytest.mark.rule("MQI-20")
@pytest.mark.parametrize(("settings", "gone_after"), [({}, 300), ({"expiry_interval": 20}, 20), ({"level": 600}, 300)])
def test_the_expirer_of_current_levels(lab, settings, gone_after):
    qm = manager(lab, **settings)
    qm.put("Q", b"x", expiry=10)
    lab.advance(gone_after - 1)
    assert qm.depth("Q") == 1
    lab.advance(1)
    assert qm.depth("Q") == 0


@pytest.mark.parametrize("settings", [{"level": 530}, {"expiry_interval": 0}])
def test_no_expirer_no_discard(lab, settings):
    qm = manager(lab, **settings)
    qm.put("Q", b"x", expiry=10)
    lab.advance(30 * 86400)
    assert qm.depth("Q") == 1


def test_a_scan_leaves_what_is_locked_or_not_committed(lab):
    qm = manager(lab)
    qm.put("Q", b"locked", expiry=10)
    unit = qm.unit_of_work()
    unit.put("Q", b"uncommitted", expiry=10)
    handle = qm.open("Q", browse=True)
    handle.browse_first(lock=True)
    lab.advance(1000)
    assert qm.depth("Q") == 2
    handle.close()
    unit.commit()
    lab.advance(300)
    assert qm.depth("Q") == 0


def test_a_timer_with_nothing_to_do_costs_nothing(lab, monkeypatch):
    qm = manager(lab)
    qm.put("Q", b"x")
    steps = []
    step = type(lab.clock).step
    monkeypatch.setattr(type(lab.clock), "step", lambda clock: (steps.append(1), step(clock)))
    before = len(lab.events)
    lab.advance(400 * 86400)
    assert (len(lab.events), len(steps)) == (before, 0), "no event, and no step of the clock"
    lab.run()


@pytest.mark.rule("MQI-19")
def test_a_program_that_dies_is_backed_out_and_the_lab_goes_on(lab, qm):
    def dies(app):
        app.unit_of_work().put("ORDERS", b"x")
        app.open("ORDERS", input="exclusive")
        raise ValueError("bad data")

    seen = []
    program = qm.run_program("DIES", dies)
    other = qm.run_program("LIVES", lambda app: seen.append(app.get("FIFO", wait=10).body))
    with pytest.raises(ProgramDied, match="DIES on QM1 died at 09:00:00: bad data"):
        lab.advance(1)
    assert (program.state, qm.depth("ORDERS"), qm.status("ORDERS")["IPPROCS"]) == ("died", 0, 0)
    qm.put("FIFO", b"on")
    lab.run()
    assert (seen, other.state) == ([b"on"], "ended")


def test_programs_wait_side_by_side_in_a_fixed_order():
    def play():
        lab = Lab()
        qm = manager(lab, "DEFINE QLOCAL(Q)")
        done = []

        def worker(app, name, pause):
            for _ in range(3):
                message = app.get("Q", wait=100)
                done.append((name, message.body, lab.now_us))
                lab.advance(pause)

        for name, pause in (("A", 1), ("B", 2)):
            qm.run_program(name, worker, name, pause)
        lab.advance(1)
        for number in range(6):
            qm.put("Q", f"{number}")
        lab.run()
        return done

    first = play()
    assert first == play()
    assert [name for name, _, _ in first] == ["A", "B", "A", "B", "A", "B"]
    assert {time for _, body, time in first if body == b"0"} == {1_000_000}


def test_an_endless_wait_with_nobody_to_end_it_is_refused(qm):
    with pytest.raises(Exception, match="a wait without end"):
        qm.get("ORDERS", wait=float("inf"))


def test_stopping_the_queue_manager_ends_its_programs(lab, qm):
    program = qm.run_program("WAITS", lambda app: app.get("ORDERS", wait=1000))
    lab.advance(1)
    qm.stop()
    assert program.state in ("ended", "died")
    qm.start()
    lab.run()
    assert lab.now_us == 1_000_000, "the wait given up does not hold the clock"
