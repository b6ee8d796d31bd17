"""Calls from elsewhere while the time of a lab passes are refused in one sentence, and change nothing."""

import sys
from contextlib import suppress
from importlib import import_module
from threading import Event, Thread

import pytest

from helpers import for_each, lab_with, refusal
from mqlab import Lab, LabError
from mqlab.engine.world import passing
from mqlab.engine.world.passing import Elsewhere

CALLS = {
    "advance": lambda lab, qm, program: lab.advance(1),
    "advance_to": lambda lab, qm, program: lab.advance_to(60_000_000),
    "run": lambda lab, qm, program: lab.run(),
    "get with a wait": lambda lab, qm, program: qm.get("REPLIES", wait=5),
    "get": lambda lab, qm, program: qm.get("ORDERS"),
    "put": lambda lab, qm, program: qm.put("ORDERS", b"x"),
    "open": lambda lab, qm, program: qm.open("ORDERS", output=True),
    "unit": lambda lab, qm, program: qm.unit_of_work().commit(),
    "mqsc": lambda lab, qm, program: qm.mqsc("DEFINE QLOCAL(NEW)"),
    "stop": lambda lab, qm, program: qm.stop(),
    "end a program": lambda lab, qm, program: program.stop(),
    "interrupt a program": lambda lab, qm, program: program.interrupt(ValueError()),
    "close": lambda lab, qm, program: lab.close(),
    "cut": lambda lab, qm, program: lab.cut("QM1", "QM2"),
}


def elsewhere(call):
    """What a call raises in another thread, as a list of at most one."""
    raised = []

    def run():
        try:
            call()
        except Exception as error:  # noqa: BLE001  # the test looks at it
            raised.append(error)

    thread = Thread(target=run, name="other")
    thread.start()
    thread.join()
    return raised


def told(call=None, carrier=None):
    """The log of two programs that share the time; `call(lab, qm, program)` is made from elsewhere, once while a
    program runs and once between two programs, and what it raised is the second result."""
    lab, raised = Lab(), []
    lab.clock.carrier = carrier
    qm = lab.queue_manager("QM1")
    lab.queue_manager("QM2")
    lab.link("QM1", "QM2")
    qm.mqsc("DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(REPLIES)")

    def disturb(*_):
        if call is not None:
            raised.extend(elsewhere(lambda: call(lab, qm, server)))

    def serve(app):
        with suppress(Exception):
            while True:
                message = app.get("ORDERS", wait=20)
                disturb()
                app.put("REPLIES", message.body)

    def ask(app):
        for number in range(5):
            app.put("ORDERS", str(number))
            lab.advance(3)

    server = qm.run_program("SERVER", serve)
    qm.run_program("CLIENT", ask)
    lab.clock.timeout(7_000_000).callbacks.append(disturb)
    lab.run()
    return list(lab.events), raised


@for_each("call", CALLS.values())
@for_each("threads", [False, pytest.param(True, marks=pytest.mark.needs("ibmmq"))])
def test_a_call_from_another_thread_is_refused_and_changes_nothing(call, threads):
    carrier = import_module("mqlab.ibmmq.threads").Carrier if threads else None
    undisturbed, _ = told(carrier=carrier)
    log, raised = told(call, carrier)
    assert (log, len(raised), {type(error) for error in raised}) == (undisturbed, 6, {Elsewhere})
    assert "call the lab again when that call has returned" in str(raised[0])


def test_a_call_from_another_task_is_refused_though_the_thread_is_the_same(monkeypatch):
    tasks = ["the cell"]
    monkeypatch.setattr(passing, "caller", lambda: tasks[-1])
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS)")
    refused = []

    def another_task(_):
        tasks.append("another task")
        for call in (lambda: lab.advance(1), lambda: qm.put("ORDERS", b"x")):
            caught = refusal(Elsewhere, "", call)
            refused.append(caught)
        tasks.pop()

    lab.clock.timeout(1_000_000).callbacks.append(another_task)
    lab.advance(2)
    assert (len(refused), lab.now_us, qm.depth("ORDERS")) == (2, 2_000_000, 0)
    tasks.append("the next cell")
    lab.advance(1)


def test_two_threads_that_call_in_turn_share_a_lab_without_programs(lab, qm):
    assert elsewhere(lambda: lab.advance(1)) == []
    lab.advance(1)
    assert lab.now_us == 2_000_000


def test_a_thread_that_cannot_let_a_program_go_on_is_refused_before_time_passes(lab, qm):
    program = qm.run_program("SLEEPER", lambda app: lab.advance(5))
    lab.advance(1)
    before = list(lab.events)
    for call in (lambda: lab.advance(9), lab.run, qm.stop, program.stop, lab.close, lambda: qm.mqsc("STOP CHANNEL(X)")):
        (error,) = elsewhere(call)
        assert isinstance(error, LabError)
        assert "only that thread can resume it" in str(error)
    assert (lab.now_us, list(lab.events)) == (1_000_000, before)
    assert elsewhere(lambda: qm.put("ORDERS", b"x")) == []  # which lets no time pass
    lab.run()
    assert (program.state, lab.now_us) == ("ended", 5_000_000)


def test_many_threads_at_once_are_each_served_or_refused(lab, qm):
    begun, served, refused = Event(), [], []
    times = []

    def tick():
        while True:
            times.append(lab.now_us)
            yield lab.clock.timeout(1)

    ticks = lab.clock.process(tick())

    def advance():
        begun.wait()
        for _ in range(200):
            try:
                lab.run(0.001)
                served.append(True)
            except Elsewhere as error:
                refused.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [Thread(target=advance) for _ in range(4)]
    try:
        for thread in threads:
            thread.start()
        begun.set()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(served) + len(refused) == 800
    assert lab.now_us <= len(served) * 1000
    assert ticks.is_alive
    assert times == sorted(times)


def test_a_greenlet_of_the_programs_own_is_refused(lab, qm):
    greenlet, told = pytest.importorskip("greenlet"), []

    def program(app):
        def inner():
            refusal(Elsewhere, "", lab.advance, 1)
            told.append(lab.now_us)

        greenlet.greenlet(inner).switch()
        lab.advance(2)

    running = qm.run_program("NESTED", program)
    lab.run()
    assert (told, running.state, lab.now_us) == ([0], "ended", 2_000_000)
