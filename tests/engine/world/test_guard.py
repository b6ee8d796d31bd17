"""Programs that keep each other busy at one moment are stopped, and much honest work at one moment is not."""

import json

import pytest

from helpers import THOROUGH, for_each, lab_error, made, refusal
from mqlab import Lab, RunawayTrigger

ROUND = """
    DEFINE QLOCAL(INIT)
    DEFINE PROCESS(PA) APPLICID('SERVER.A')
    DEFINE PROCESS(PB) APPLICID('SERVER.B')
    DEFINE QLOCAL(A) TRIGGER TRIGTYPE({kind}) INITQ(INIT) PROCESS(PA)
    DEFINE QLOCAL(B) TRIGGER TRIGTYPE({kind}) INITQ(INIT) PROCESS(PB)
"""


def round_and_round(kind="FIRST", limit=1000, pause=0):
    """A lab with two triggered servers, each of which sends what it gets to the other."""
    lab = Lab(moment_limit=limit)
    qm = made(ROUND.format(kind=kind), of=lab)

    def server(app, trigger):
        with app.open(trigger.queue, input="shared") as handle:
            message = handle.get()
        lab.advance(pause)
        app.put("B" if trigger.queue == "A" else "A", message.body)

    qm.program("SERVER.A", server)
    qm.program("SERVER.B", server)
    qm.trigger_monitor("INIT")
    qm.put("A", b"x")
    return lab, qm


@pytest.mark.rule("TRG-12a")
@for_each("kind", ["FIRST", "EVERY"])
@for_each(
    "drive", [Lab.run, lambda lab: lab.advance(1), lambda lab: lab["QM1"].get("SYSTEM.DEAD.LETTER.QUEUE", wait=1)]
)
def test_two_servers_that_answer_each_other_at_one_moment_are_stopped(kind, drive):
    lab, _ = round_and_round(kind)
    caught = refusal(RunawayTrigger, r"1000 steps at 09:00:00.* SERVER\.[AB] on QM1 and SERVER", drive, lab)
    for told in ("lab.advance", "stop()", "NOTRIGGER", "moment_limit"):
        assert told in str(caught)
    [row] = lab.events.where(kind="fault")
    assert (row.rule, row.qmgr, json.loads(row.detail)) == ("TRG-12a", "QM1", {"steps": 1000})
    assert row.program in ("SERVER.A", "SERVER.B")
    assert lab.now_us == 0


def test_afterwards_the_lab_goes_on_and_the_loop_can_be_ended():
    lab, qm = round_and_round()
    for _ in range(2):
        refusal(RunawayTrigger, "", lab.run)
    assert qm.mqsc("ALTER QLOCAL(A) NOTRIGGER").ok
    lab.run()
    lab.advance(1)
    assert (qm.depth("A"), qm.depth("B"), qm.status("A")["IPPROCS"], qm.units) == (1, 0, 0, {})
    assert ([program.name for program in qm.programs_running], qm.get("A").body) == (["TRIGGER.MONITOR"], b"x")
    state = lab.state()
    assert all(state.queue("QM1", queue.name).depth == queue.depth for queue in qm.queues)


def test_servers_that_take_their_time_may_go_on_and_steps_of_no_program_are_counted_too():
    lab, _ = round_and_round(limit=100, pause=0.01)
    lab.advance(6)
    assert len(lab.events.where(kind="get", program=("SERVER.A", "SERVER.B"))) > 500
    lab = Lab(moment_limit=2)
    lab.queue_manager("QM1")

    def again(_event):
        lab.clock.timeout(0).callbacks.append(again)

    again(None)
    refusal(RunawayTrigger, "no program", lab.run)


def test_programs_that_wait_for_each_other_without_end_are_stopped_too():
    lab = Lab(moment_limit=500)
    qm = made("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)", of=lab)

    def server(app, mine, other):
        while True:
            app.put(other, app.get(mine, wait=60).body)

    qm.run_program("PING", server, "A", "B")
    qm.run_program("PONG", server, "B", "A")
    lab.advance(1)
    qm.put("A", b"x")
    refusal(RunawayTrigger, r"09:00:01.*PONG on QM1 and PING on QM1", lab.run)


# ---------------------------------------------------------------- honest work
@pytest.mark.parametrize("kind", ["FIRST", "EVERY"])
def test_thousands_of_puts_at_one_moment_are_worked_off(kind):
    """Each server takes one message, so that there are as many starts as messages; the limit is far below that."""
    lab = Lab(moment_limit=400, record=False)
    qm = made("ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(100000)\n" + ROUND.format(kind=kind), of=lab)
    served = []

    def server(app, trigger):
        with app.open(trigger.queue, input="shared") as handle:
            served.append(handle.get(wait=1).number)

    qm.program("SERVER.A", server)
    qm.trigger_monitor("INIT")
    lab.run()
    many = 10_000 if THOROUGH else 2_000
    for _ in range(many):
        qm.put("A", b"x")
    lab.run()
    assert (len(served), qm.depth("A"), lab.now_us) == (many, 0, 0)


def test_a_server_that_gets_thousands_of_messages_is_no_runaway():
    lab = Lab(moment_limit=100, record=False)
    qm = made("DEFINE QLOCAL(Q) MAXDEPTH(100000)", of=lab)
    got = []

    def server(app):
        with app.open("Q", input="shared") as handle:
            while True:
                got.append(handle.get(wait=float("inf")).number)

    qm.run_program("SERVER", server)
    lab.run()
    with qm.open("Q", output=True) as handle:
        for _ in range(many := 100_000 if THOROUGH else 10_000):
            handle.put(b"x")
    lab.run()
    assert len(got) == many


@for_each("wrong", [0, 1, -5, 2.5, True, None, "many"])
def test_a_limit_that_is_none_is_refused(wrong):
    lab_error("moment_limit must be a whole number of steps, 2 or more", Lab, moment_limit=wrong)
