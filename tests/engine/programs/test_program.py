"""Programs: plain functions with blocking calls, many at once on the simulated clock (MQI-19)."""

import gc

import pytest

from helpers import cases, for_each, lab_error, lab_with, made, outcome, reason, refusal
from mqlab.engine.words.errors import ProgramDied


def states(lab, name):
    """What the log tells of a program: (time in seconds, state), in order."""
    return [(row.time_us / 1e6, row.facts["state"]) for row in lab.events.where(kind="program", program=name)]


@pytest.mark.rule("MQI-19")
def test_programs_run_as_time_passes_and_in_the_order_they_were_started(lab, qm):
    said = []

    def program(app, name):
        said.append((lab.now_us, name, 1))
        lab.advance(2)
        said.append((lab.now_us, name, 2))

    started = [qm.run_program(name, program, name) for name in "ABC"]
    assert said == [], "nothing runs before time does"
    assert [program.state for program in started] == ["running"] * 3
    lab.run()
    assert said == [(0, name, 1) for name in "ABC"] + [(2_000_000, name, 2) for name in "ABC"]
    assert [program.state for program in started] == ["ended"] * 3
    assert (states(lab, "A"), repr(started[0])) == ([(0, "started"), (2, "ended")], "Program('A' on QM1, ended)")


@pytest.mark.rule("MQI-17")
def test_a_get_with_a_wait_lets_the_others_run(lab, qm):
    seen = []

    def consumer(app):
        with app.open("ORDERS", input="shared") as handle:
            seen.append((handle.get(wait=60).body, lab.now_us))
            seen.append((reason(handle.get, wait=5), lab.now_us))

    qm.run_program("CONSUMER", consumer)
    qm.run_program("PRODUCER", lambda app: (lab.advance(3), app.put("ORDERS", b"x")))
    lab.run()
    assert seen == [(b"x", 3_000_000), (2033, 8_000_000)]
    assert lab.now_us == 8_000_000, "the rest of the 60 seconds is nothing to run for"


def test_advance_inside_a_program_sleeps_only_that_program(lab, qm):
    seen = []

    def sleeper(app):
        lab.advance(10)
        seen.append(("slept", lab.now_us))

    def ticker(app):
        for _ in range(3):
            lab.advance(1)
            seen.append(("tick", lab.now_us))

    qm.run_program("SLEEPER", sleeper)
    qm.run_program("TICKER", ticker)
    lab.advance(2)
    assert (seen, lab.now_us) == ([("tick", 1_000_000), ("tick", 2_000_000)], 2_000_000)
    lab.run()
    assert seen[2:] == [("tick", 3_000_000), ("slept", 10_000_000)]


def test_a_program_that_returns_commits_and_closes_what_it_left_open(lab, qm):
    kept = []

    def program(app):
        kept.append(app.open("ORDERS", input="shared"))
        app.put("ORDERS", b"x", unit=app.unit_of_work())

    qm.run_program("TIDY", program)
    lab.run()
    assert (qm.get("ORDERS").body, qm.status("ORDERS")["IPPROCS"], qm.units, reason(kept[0].get)) == (b"x", 0, {}, 2019)


@pytest.mark.rule("MQI-19")
def test_a_program_that_dies_is_backed_out_and_closed_and_the_lab_goes_on(lab, qm):
    qm.put("ORDERS", b"got")

    def program(app):
        handle, unit = app.open("ORDERS", input="exclusive"), app.unit_of_work()
        handle.get(unit=unit)
        app.put("REPLIES", b"x", unit=unit)
        lab.advance(1)
        raise KeyError("no such field")

    died, other = qm.run_program("FRAIL", program), qm.run_program("STURDY", lambda app: lab.advance(5))
    caught = refusal(ProgramDied, r"FRAIL on QM1 died at 09:00:01.*no such field.*the lab goes on", lab.run)
    assert isinstance(caught.__cause__, KeyError)
    assert (died.state, other.state) == ("died", "running")
    assert (qm.depth("ORDERS"), qm.depth("REPLIES"), qm.status("ORDERS")["IPPROCS"]) == (1, 0, 0)
    assert qm.get("ORDERS").backout_count == 1
    lab.run()
    assert (other.state, lab.now_us) == ("ended", 5_000_000)
    [row] = [row for row in lab.events.where(kind="program", program="FRAIL") if row.facts["state"] == "died"]
    assert "KeyError" in row.detail
    qm.run_program("READER", lambda app: app.get("ORDERS"))
    caught = refusal(ProgramDied, "2033 MQRC_NO_MSG_AVAILABLE", lab.advance, 1)
    assert caught.__cause__.reason == 2033, "a refusal that it does not catch kills it too"


def test_stop_ends_a_program_where_it_waits_or_before_it_began(lab, qm):
    cleaned = []

    def program(app):
        app.put("ORDERS", b"x", unit=app.unit_of_work())
        try:
            app.get("REPLIES", wait=float("inf"))
        finally:
            cleaned.append(lab.now_us)

    running = qm.run_program("SERVER", program)
    lab.advance(3)
    running.stop()
    assert (running.state, cleaned, qm.depth("ORDERS")) == ("ended", [3_000_000], 1)
    assert (qm.status("REPLIES")["IPPROCS"], qm.targets["REPLIES"].waiters) == (0, [])
    running.stop()
    lab.run()
    assert states(lab, "SERVER") == [(0, "started"), (3, "ended")]
    ran = []
    program = qm.run_program("NEVER", lambda app: ran.append(True))
    program.stop()
    lab.run()
    assert (program.state, ran) == ("ended", [])


def test_a_program_may_stop_itself_another_or_its_own_queue_manager(lab, qm):
    programs, said = {}, []

    def other(app):
        try:
            lab.advance(100)
        finally:
            said.append("other stopped")

    def first(app):
        lab.advance(1)
        programs["other"].stop()
        said.append("first goes on")
        programs["first"].stop()
        said.append("until it waits")
        lab.advance(1)
        said.append("not reached")

    programs["other"] = qm.run_program("OTHER", other)
    programs["first"] = qm.run_program("FIRST", first)
    lab.run()
    assert said == ["other stopped", "first goes on", "until it waits"]
    assert [program.state for program in programs.values()] == ["ended", "ended"]
    said = []

    def operator(app):
        lab.advance(1)
        qm.stop()
        said.append(reason(app.put, "ORDERS", b"x"))
        lab.advance(1)
        said.append("not reached: the program was connected to it")

    operating = qm.run_program("OPERATOR", operator)
    lab.run()
    assert (operating.state, said, qm.running) == ("ended", [2059], False)
    qm.start()
    qm.put("ORDERS", b"x")
    assert qm.depth("ORDERS") == 1


def test_stopping_the_queue_manager_ends_programs_that_wait(lab, qm):
    def getter(app):
        with app.unit_of_work() as uow:
            uow.put("ORDERS", b"x", persistent=True)
            app.get("REPLIES", wait=float("inf"))

    waiting, asleep = qm.run_program("GETTER", getter), qm.run_program("ASLEEP", lambda app: lab.advance(60))
    lab.advance(1)
    qm.stop()
    assert (waiting.state, asleep.state, list(qm.handles), qm.programs_running) == ("ended", "ended", [], [])
    lab.run()
    qm.start()
    assert qm.depth("ORDERS") == 0, "endmqm backs out what was not committed"


def test_run_ends_when_only_idle_timers_are_left(lab, qm):
    def server(app):
        while True:
            app.get("ORDERS", wait=float("inf"))

    running = qm.run_program("SERVER", server)
    scanned = made("DEFINE QLOCAL(Q)", "QM2", of=lab, expiry_interval=10)
    scanned.put("Q", b"x", expiry=10_000)
    qm.put("ORDERS", b"x")
    lab.run()
    assert (lab.now_us, running.state, qm.depth("ORDERS")) == (0, "running", 0)
    lab.run(max_seconds=5)
    assert lab.now_us == 0
    qm.run_program("SLEEPER", lambda app: lab.advance(60))
    lab.run(max_seconds=5)
    assert lab.now_us == 5_000_000
    lab.run()
    assert lab.now_us == 60_000_000


def test_an_endless_wait_at_the_top_level_is_refused_if_nothing_can_end_it(lab, qm):
    lab_error("a wait without end", qm.get, "ORDERS", wait=float("inf"))
    assert (lab.now_us, qm.status("ORDERS")["IPPROCS"], qm.targets["ORDERS"].waiters) == (0, 0, [])
    qm.run_program("PRODUCER", lambda app: (lab.advance(7), app.put("ORDERS", b"x")))
    assert (qm.get("ORDERS", wait=float("inf")).body, lab.now_us) == (b"x", 7_000_000)


def test_two_getters_that_wait_share_what_comes(lab, qm):
    got = {"A": [], "B": []}

    def server(app, name):
        with app.open("ORDERS", input="shared") as handle:
            while True:
                got[name].append(handle.get(wait=float("inf")).body)

    servers = [qm.run_program(name, server, name) for name in got]
    for number in range(6):
        lab.advance(1)
        qm.put("ORDERS", str(number))
    lab.advance(1)
    assert got == {"A": [b"0", b"2", b"4"], "B": [b"1", b"3", b"5"]}
    for each in servers:
        each.stop()


def test_a_getter_that_waits_for_another_message_does_not_lose_its_place(lab, qm):
    got = []

    def getter(app, name, correl_id):
        app.get("ORDERS", wait=float("inf"), correl_id=correl_id)
        got.append(name)

    qm.run_program("SELECTIVE", getter, "selective", "MINE")
    qm.run_program("ANYTHING", getter, "anything", None)
    lab.advance(1)
    qm.put("ORDERS", b"x")
    lab.advance(1)
    assert got == ["anything"]
    qm.put("ORDERS", b"x", correl_id="MINE")
    lab.advance(1)
    assert got == ["anything", "selective"]


def test_a_wait_that_is_over_at_the_moment_of_the_put_still_gets_what_came_first(lab, qm):
    got = []
    qm.run_program("PUTTER", lambda app: (lab.advance(5), app.put("ORDERS", b"in time")))
    lab.advance(0)
    qm.run_program("GETTER", lambda app: got.append(app.get("ORDERS", wait=5).body))
    lab.run()
    assert got == [b"in time"]


@for_each("function", [None, 3, "name", (lambda: (yield))])
def test_what_is_no_plain_function_is_refused(lab, qm, function):
    before = len(lab.events)
    lab_error("a plain function", qm.run_program, "X", function)
    assert (len(lab.events), qm.programs_running) == (before, [])


def test_a_lab_with_waiting_programs_can_be_thrown_away(recwarn, capsys):
    lab, qm = lab_with("DEFINE QLOCAL(Q)")
    qm.run_program("SERVER", lambda app: app.get("Q", wait=float("inf")))
    lab.run()
    del lab, qm
    gc.collect()
    assert ([str(each.message) for each in recwarn], capsys.readouterr().err) == ([], "")


def test_a_trigger_starts_a_program_whatever_its_applicid_is_spelt_with(lab, qm):
    started = []
    qm.mqsc("""
        DEFINE QLOCAL(INIT)
        DEFINE PROCESS(P) APPLICID('orders & "more"')
        ALTER QLOCAL(ORDERS) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)
        """)
    qm.program('orders & "more"', lambda app, trigger: started.append((app.caller, trigger.appl_id)))
    qm.trigger_monitor("INIT")
    lab.advance(0)
    qm.put("ORDERS", b"x")
    lab.advance(0)
    assert started == [("orders _ _more_", 'orders & "more"')]


def test_what_cannot_be_started_is_refused_and_programs_are_stopped_by_their_name(qm, lab):
    def generator(app, trigger):
        yield

    lab_error("neither yield nor await", qm.program, "server", generator)
    lab_error("appl_id must be", qm.program, "", print)
    assert qm.programs == {}
    for name in ("CLERK", "CLERK", "TILL"):
        qm.run_program(name, lambda app: lab.advance(60))
    lab.advance(1)
    qm.stop_program("CLERK")
    assert [each.name for each in qm.programs_running] == ["TILL"]
    lab_error("must be a program that runs on QM1: TILL; got 'CLERK'", qm.stop_program, "CLERK")


@cases("command, reason", ("ALTER QALIAS(ALSO) GET(DISABLED)", 2016), ("ALTER QALIAS(ALSO) TARGET(FIFO) FORCE", 2041))
def test_a_get_that_waits_by_an_alias_is_told_at_once_what_is_done_to_the_alias(lab, qm, command, reason):
    told = []
    qm.mqsc("DEFINE QALIAS(ALSO) TARGET(ORDERS)")
    qm.run_program("READER", lambda app: told.append(outcome(app.get, "ALSO", wait=60)))
    lab.advance(1)
    assert qm.mqsc(command).ok
    lab.advance(1)
    assert told == [reason]
