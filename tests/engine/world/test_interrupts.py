"""Ctrl-C, wherever it comes while time passes, leaves a lab whose parts agree and which goes on working."""

import signal
import sys
import threading
from contextlib import suppress

import pytest
import simpy

from helpers import for_each, lab_with, refusal
from mqlab import MQError
from mqlab.lab import traffic

pytestmark = pytest.mark.usefixtures("quiet_collector")
FOR_EVER = float("inf")
TRIGGERED = """
DEFINE QLOCAL(INIT)
DEFINE PROCESS(P) APPLICID('WORKER')
DEFINE QLOCAL(WORK) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)
"""


@pytest.fixture(autouse=True)
def _a_handler_of_nobody_else():
    """Python's own handler of Ctrl-C, whatever the tests before have put in its place."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt(*_):
    """Press Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def busy():
    """A lab in which much happens: a client, a waiting server, a triggered server, a unit of work, expiry."""
    lab, qm = lab_with(f"DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(REPLIES)\n{TRIGGERED}", expiry_interval=1)

    def client(app):
        for number in range(4):
            app.put("ORDERS", str(number), expiry=5 if number % 2 else -1)
            with app.unit_of_work() as unit:
                unit.put("WORK", str(number))
            lab.advance(0.4)

    def server(app):
        with app.open("ORDERS", input="shared") as handle:
            while True:
                with app.unit_of_work() as unit:
                    message = handle.get(wait=FOR_EVER, unit=unit)
                    lab.advance(0.7)
                    unit.put("REPLIES", message.body)

    def worker(app, trigger):
        with app.open(trigger.queue, input="shared") as handle:
            for _ in handle.get_each(wait=0.2):
                pass

    qm.program("WORKER", worker)
    qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", client)
    qm.run_program("SERVER", server)
    return lab, qm


def require_sane(lab, qm):
    """What holds between any two calls: the log is the state, depths, waiters, handles and units belong to someone."""
    state = lab.state()
    for queue in qm.queues:
        queue.store.check()
        visible = list(queue.store.in_order())
        replayed = state.queue(qm.name, queue.name)
        assert len(visible) + queue.uncommitted == queue.depth == replayed.depth, queue
        assert [m.number for m in replayed.in_order() if m.uow is None] == [m.number for m in visible]
        handles = [handle for handle in qm.handles if handle.queue is queue]
        assert queue.opens == len(handles)
        assert queue.inputs == sum(handle.input is not None for handle in handles) == replayed.inputs
        assert sum(one is not qm.kept.get("pcf") for _, one in queue.waiters) <= len(qm.programs_running)
    owners = [program.application for program in qm.programs_running]
    assert all(handle.application in owners for handle in qm.handles)
    assert all(unit.application in owners for unit in qm.units.values())
    assert all(program.state == "running" for program in qm.programs_running)


def require_working(lab, qm):
    """The next calls work: time passes to its end, and programs and the top level put and get."""
    require_sane(lab, qm)
    lab.run()
    require_sane(lab, qm)
    qm.put("REPLIES", b"last", priority=9)
    assert qm.get("REPLIES", wait=5).body == b"last"
    got = []
    qm.run_program("GETTER", lambda app: got.append(app.get("REPLIES", wait=60, correl_id="MINE").body))
    lab.advance(1)
    qm.put("REPLIES", b"mine", correl_id="MINE")
    lab.run()
    assert got == [b"mine"]
    server = [program for program in qm.programs_running if program.name == "SERVER"]
    before = qm.depth("REPLIES")
    qm.put("ORDERS", b"more")
    lab.run()
    assert qm.depth("REPLIES") == before + len(server), "who lives on wakes up"
    qm.put("WORK", b"more")
    # a worker that died before it opened the queue is not started again by a put: triggering is turned on again
    assert qm.mqsc("ALTER QLOCAL(WORK) NOTRIGGER\nALTER QLOCAL(WORK) TRIGGER").ok
    lab.run()
    assert qm.depth("WORK") == 0, "the trigger monitor lives on"
    require_sane(lab, qm)


DRIVERS = {
    "advance": lambda lab, qm: lab.advance(5),
    "run": lambda lab, qm: lab.run(),
    "run for a while": lambda lab, qm: lab.run(max_seconds=5),
    "a get that waits": lambda lab, qm: qm.get("REPLIES", wait=5, correl_id="NOBODY'S"),
    "a get that waits forever": lambda lab, qm: qm.get("REPLIES", wait=FOR_EVER, correl_id="NOBODY'S"),
}


@for_each("drive", DRIVERS.values())
@for_each("step", [1, 2, 3, 5, 8, 13])
def test_between_two_steps_of_the_clock(monkeypatch, drive, step):
    lab, qm = busy()
    taken, real = [], simpy.Environment.step

    def stepping(clock):
        taken.append(clock)
        if len(taken) == step:
            raise KeyboardInterrupt
        real(clock)

    with monkeypatch.context() as patch:
        patch.setattr(simpy.Environment, "step", stepping)
        refusal(KeyboardInterrupt, "", drive, lab, qm)
    require_working(lab, qm)


@for_each("drive", DRIVERS.values())
@for_each("after", [0, 0.5, 1.3])
def test_when_a_timer_is_due(drive, after):
    lab, qm = busy()
    lab.clock.timeout(round(after * 1e6)).callbacks.append(interrupt)
    refusal(KeyboardInterrupt, "", drive, lab, qm)
    assert lab.now_us == round(after * 1e6)
    require_working(lab, qm)


def pressed_at(count, drive):
    """Drive a busy lab and press Ctrl-C at the `count`th line that the package or a program runs.

    The lab, its queue manager and whether the interrupt came through; None where the work was over before.
    """
    lab, qm = busy()
    lines, came = 0, False

    def trace(frame, event, arg):
        nonlocal lines
        name = frame.f_globals.get("__name__", "")
        own = (interrupt.__code__, pressed_at.__code__)
        if not name.startswith(("mqlab", "simpy", __name__)) or frame.f_code in own:
            return None
        if event == "line":
            lines += 1
            if lines == count:
                interrupt()
        return trace

    sys.settrace(trace)
    try:
        with suppress(MQError):  # the get found nothing
            drive(lab, qm)
    except KeyboardInterrupt:
        came = True
    finally:
        sys.settrace(None)
    return lab, qm, lines >= count, came


@pytest.mark.skipif(sys.gettrace() is not None, reason="a debugger or coverage traces already")
@pytest.mark.parametrize("start", range(8))
def test_at_any_line_of_the_engine_or_of_a_program(start):
    """Every 83rd of some 8000 lines; the eight starts share them out."""
    drive = DRIVERS[("run", "a get that waits")[start % 2]]
    for count in range(1 + start * 83, 9000, 8 * 83):
        lab, qm, pressed, came = pressed_at(count, drive)
        if not pressed:
            return
        assert came, f"the interrupt at line {count} was lost"
        require_working(lab, qm)


def test_while_a_program_computes_it_ends_that_program_and_backs_it_out(lab, qm):
    def endless(app):
        app.open("ORDERS", input="exclusive")
        app.put("ORDERS", b"x", unit=app.unit_of_work())
        for number in range(10**9):
            if number == 1000:
                interrupt()
        raise AssertionError("not reached")

    program = qm.run_program("BUSY", endless)
    waiting = qm.run_program("WAITING", lambda app: app.get("REPLIES", wait=60))
    refusal(KeyboardInterrupt, "", lab.run)
    assert (program.state, waiting.state, qm.depth("ORDERS"), qm.units) == ("died", "running", 0, {})
    require_sane(lab, qm)
    qm.put("REPLIES", b"x")
    lab.run()
    assert waiting.state == "ended"


def steady():
    """A lab with traffic, and its program."""
    lab, qm = lab_with("DEFINE QLOCAL(ORDERS)", name="SHOP")
    return lab, qm.traffic("ORDERS", 2, 5)


@pytest.mark.skipif(sys.gettrace() is not None, reason="a debugger or coverage traces already")
def test_a_program_of_the_kit_goes_on_wherever_the_key_comes():
    """Traffic puts the same messages if the key comes at a line of its own, and not of the engine."""
    undisturbed, _ = steady()
    undisturbed.run()
    for line in range(1, 30, 4):
        lab, program = steady()
        ran = 0

        def trace(frame, event, _, own=traffic.__file__, at=line):
            nonlocal ran
            if frame.f_code.co_filename != own:
                return None
            ran += event == "line"
            if ran == at and event == "line":
                interrupt()
            return trace

        sys.settrace(trace)
        try:
            refusal(KeyboardInterrupt, "", lab.run)
        finally:
            sys.settrace(None)
        assert ran >= line
        assert program.state == "running"
        lab.run()
        assert list(lab.events) == list(undisturbed.events)


def test_a_program_that_does_nothing_but_call_is_interrupted_when_a_call_returns(lab, qm, monkeypatch):
    """The key comes in the middle of a put, which is done before the program ends."""
    real, puts = type(lab.events).write, []

    def write(*args, **kwargs):
        if len(puts) == 3:
            interrupt()
        return real(*args, **kwargs)

    monkeypatch.setattr(type(lab.events), "write", write)

    def endless(app):
        while True:
            puts.append(app.open("ORDERS", output=True))

    program = qm.run_program("BUSY", endless)
    refusal(KeyboardInterrupt, "", lab.run)
    assert (program.state, len(puts), list(qm.handles)) == ("died", 3, [])
    require_sane(lab, qm)


def test_in_the_server_that_a_trigger_monitor_started(lab, qm):
    qm.mqsc(TRIGGERED).require()
    runs = []

    def worker(app, trigger):
        runs.append(trigger.queue)
        with app.open(trigger.queue, input="shared") as handle, app.unit_of_work() as unit:
            handle.get(unit=unit)
            if len(runs) == 1:
                interrupt()

    qm.program("WORKER", worker)
    monitor = qm.trigger_monitor("INIT")
    qm.run_program("CLIENT", lambda app: app.put("WORK", b"x"))
    refusal(KeyboardInterrupt, "", lab.run)
    require_sane(lab, qm)
    assert (monitor.state, qm.depth("WORK")) == ("running", 1)
    lab.run()
    assert (runs, qm.depth("WORK")) == (["WORK", "WORK"], 0), "its close left a message, which triggered again"


def test_the_handler_found_is_called_and_is_there_again_afterwards(lab, qm):
    pressed = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(lab.now_us))
    try:
        mine = signal.getsignal(signal.SIGINT)
        lab.clock.timeout(1_000_000).callbacks.append(interrupt)
        lab.advance(2)
        assert (pressed, lab.now_us) == ([1_000_000], 2_000_000)
        assert signal.getsignal(signal.SIGINT) == mine, "what stands there now calls it, and is equal to it"
        interrupt()
        assert pressed == [1_000_000, 2_000_000], "between two calls it comes at once"
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        lab.clock.timeout(1_000_000).callbacks.append(interrupt)
        lab.advance(2)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert sys.getprofile() is None


def test_in_a_thread_of_its_own_a_lab_leaves_signals_alone(lab, qm):
    seen = []
    lab.clock.timeout(1).callbacks.append(lambda _: seen.append(signal.getsignal(signal.SIGINT)))
    thread = threading.Thread(target=lab.advance, args=(1,))
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


def test_calls_of_every_room_of_the_engine_are_held_whole():
    """The rooms by their names, which a move of a folder must not leave behind."""
    from importlib.util import find_spec

    from mqlab.engine.commands.running import run
    from mqlab.engine.explain.replay import Replay
    from mqlab.engine.lab import Lab as EngineLab
    from mqlab.engine.programs.program import Program
    from mqlab.engine.queues.handle import Handle
    from mqlab.engine.world import interrupts
    from mqlab.engine.world.clock import Clock

    rooms = interrupts._ENGINE
    assert all(find_spec(room) for room in rooms)
    for each in (EngineLab, Replay, run, Program, Handle, Clock):
        assert each.__module__.startswith(tuple(f"{room}." for room in rooms)), each
