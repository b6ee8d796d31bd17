"""Ctrl-C at any line of any call that changes a lab: the call is done, or nothing of it is."""

import signal
import sys
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from helpers import THOROUGH, for_each, refusal
from mqlab import Lab, MQError
from mqlab.pubsub.state import state_of

pytestmark = [
    pytest.mark.skipif(sys.gettrace() is not None, reason="a debugger or coverage traces already"),
    pytest.mark.usefixtures("quiet_collector"),
]

DEFINITIONS = """
ALTER QMGR DEADQ(DLQ)
DEFINE QLOCAL(DLQ)
DEFINE QLOCAL(Q) MAXDEPTH(9)
DEFINE QALIAS(A) TARGET(Q)
DEFINE QLOCAL(FULL) MAXDEPTH(0)
DEFINE QLOCAL(INIT)
DEFINE PROCESS(P) APPLICID('P')
DEFINE QLOCAL(T) TRIGGER TRIGTYPE(EVERY) INITQ(INIT) PROCESS(P)
DEFINE TOPIC(TOPIC) TOPICSTR('a')
DEFINE SUB(S1) TOPICSTR('a/b') DEST(Q)
DEFINE SUB(S2) TOPICSTR('a/#') DEST(T)
DEFINE QLOCAL(QM2) USAGE(XMITQ)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2)
"""


class World:
    """A lab with queues, a trigger, topics, a channel, and messages, made alike each time."""

    def __init__(self):
        self.lab = lab = Lab()
        self.qm = qm = lab.queue_manager("QM1")
        lab.queue_manager("QM2")
        lab.link("QM1", "QM2")
        qm.mqsc(DEFINITIONS).require()
        lab["QM2"].mqsc("DEFINE QLOCAL(Q)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)").require()
        for number in range(3):
            qm.put("Q", str(number), expiry=(-1, 5)[number % 2], correl_id=b"c")
        lab.advance(1)
        self.handle = qm.open("Q", browse=True, input="shared", output=True)
        self.handle.browse_first()
        self.unit = qm.unit_of_work()
        qm.put("T", b"x", unit=self.unit)
        qm.get("Q", unit=self.unit)
        self.subscription = qm.subscribe("a/+")
        self.app = qm.connect("APP")
        self.app.open("Q", output=True)
        self.setting = self.qm.open("Q", set=True)

    def print(self):
        """What the queue manager and the log hold, to be compared."""
        lab, qm = self.lab, self.qm
        for queue in qm.queues:
            queue.store.check()
        state = lab.state()
        return {
            "rows": [(row.kind, row.object, row.message, row.rule, row.detail) for row in lab.events],
            "log": [
                (place, [m.number for m in found.in_order() if m.uow is None], found.depth, found.inputs, found.outputs)
                for place, found in sorted(state.queues.items())
                if found.depth or found.inputs or found.outputs
            ],
            "queues": [
                (
                    (each.name, queue.name),
                    [message.number for message in queue.store.in_order()],
                    (queue.depth, queue.inputs, queue.outputs, queue.opens, queue.uncommitted),
                    (queue.exclusive, queue.put_inhibited, queue.maxdepth, len(queue.waiters), queue.earliest_us),
                    queue.definition.attributes,
                )
                for each in lab.queue_managers
                for queue in each.queues
            ],
            "objects": [(one.kind, one.name, one.attributes) for one in qm.objects.everything()],
            "handles": [(handle.name, handle.input, handle.can_put, handle.locked is None) for handle in qm.handles],
            "units": [(n, len(one.puts), len(one.gets), len(one.triggers), one.open) for n, one in qm.units.items()],
            "subscriptions": len(state_of(qm).subscriptions),
            "connections": len(qm.connections),
            "programs": [(program.name, program.state) for program in qm.programs_running],
            "links": [link.up for link in lab.network.paths],
            "running": qm.running,
        }


def no_message(call):
    """The call, which ends with a reason code."""
    with suppress(MQError):
        call()


CALLS = {
    "put": lambda w: w.qm.put("Q", b"x"),
    "put with a lifetime, in a unit of work": lambda w: w.qm.put("Q", b"x", expiry=5, unit=w.unit),
    "put over a handle": lambda w: w.handle.put(b"x", persistent=True),
    "put that triggers": lambda w: w.qm.put("T", b"x"),
    "put to another queue manager": lambda w: w.qm.put("Q@QM2", b"x"),
    "put that is refused": lambda w: no_message(lambda: w.qm.put("FULL", b"x")),
    "put of an unknown queue": lambda w: no_message(lambda: w.qm.put("NONE", b"x")),
    "get": lambda w: w.qm.get("Q"),
    "get over a handle, in a unit of work": lambda w: w.handle.get(unit=w.unit),
    "get by CorrelId past an expired message": lambda w: w.qm.get("Q", correl_id=b"c"),
    "get that finds nothing": lambda w: no_message(lambda: w.qm.get("DLQ")),
    "browse": lambda w: w.handle.browse_next(),
    "browse with a lock": lambda w: w.handle.browse_first(lock=True),
    "get under the cursor": lambda w: no_message(lambda: w.handle.get_under_cursor()),
    "open": lambda w: w.qm.open("Q", input="shared", output=True),
    "open a model queue": lambda w: w.qm.open("SYSTEM.DEFAULT.MODEL.QUEUE", input="shared"),
    "close": lambda w: w.handle.close(),
    "begin": lambda w: w.qm.unit_of_work(),
    "commit": lambda w: w.unit.commit(),
    "back out": lambda w: w.unit.backout(),
    "publish": lambda w: w.qm.publish("a/b", b"x"),
    "publish and retain": lambda w: w.qm.publish("a/b", b"x", retain=True),
    "subscribe": lambda w: w.qm.subscribe("a/c"),
    "unsubscribe": lambda w: w.subscription.close(),
    "define": lambda w: w.qm.mqsc("DEFINE QLOCAL(NEW) TRIGGER INITQ(INIT) PROCESS(P)"),
    "alter": lambda w: w.qm.mqsc("ALTER QLOCAL(Q) PUT(DISABLED)"),
    "delete": lambda w: w.qm.mqsc("DELETE SUB(S1)"),
    "clear": lambda w: w.qm.mqsc("CLEAR QLOCAL(DLQ)"),
    "define by Python": lambda w: w.qm.define("QLOCAL", "NEW", {}),
    "connect": lambda w: w.qm.connect("OTHER"),
    "disconnect": lambda w: w.app.disconnect(),
    "start a channel": lambda w: w.qm.mqsc("START CHANNEL(C)"),
    "run a program": lambda w: w.qm.run_program("P", lambda app: app.put("Q", b"x")),
    "stop": lambda w: w.qm.stop(),
    "cut": lambda w: w.lab.cut("QM1", "QM2"),
    "a new queue manager": lambda w: w.lab.queue_manager("QM3"),
    "a queue manager for developers": lambda w: w.lab.queue_manager("QM3", developer=True),
    "an MQ Everyplace queue manager": lambda w: w.lab.everyplace("E1"),
    "a queue sharing group": lambda w: w.lab.queue_sharing_group("QSG1", ["QMA", "QMB"]),
    "link": lambda w: w.lab.link("QM1", "QM2", latency=1),
    "set": lambda w: w.setting.set(PUT="DISABLED"),
}


@contextmanager
def handled(handler=signal.default_int_handler):
    """Handle Ctrl-C as a notebook does before each cell, or as a program does that has a handler of its own."""
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted(call, count):
    """The world after a call with Ctrl-C at the `count`th line of the package, and whether that came and was felt."""
    world, lines, felt = World(), 0, False

    def trace(frame, event, arg):
        nonlocal lines
        if not frame.f_globals.get("__name__", "").startswith(("mqlab", "simpy")):
            return None
        if event == "line":
            lines += 1
            if lines == count:
                signal.raise_signal(signal.SIGINT)
        return trace

    with handled():
        sys.settrace(trace)
        try:
            call(world)
        except KeyboardInterrupt:
            felt = True
        finally:
            sys.settrace(None)
    return world, lines >= count, felt


@for_each("call", CALLS.values())
def test_a_call_is_done_or_nothing_of_it(call):
    fresh, done = World(), World()
    call(done)
    before, after = fresh.print(), done.print()
    count = 1
    while True:
        world, came, felt = interrupted(call, count)
        if not came:
            break
        assert felt, f"the interrupt at line {count} was lost"
        found = world.print()
        mixed = [key for key in found if found[key] not in (before[key], after[key])]
        assert found in (before, after), f"at line {count}: {mixed or 'some as before, some as after'}"
        world.lab.close()  # or its channel initiator keeps it in memory
        # the first thousand lines and a thousandth of those behind, which takes minutes, or few
        count = count + 1 + count // 1000 if THOROUGH or count < 15 else 2 * count
    assert count > 5


def test_it_is_pressed_at_any_moment_of_a_plain_loop():
    """The same in real time: a handler of the program's own, which is pressed by another thread every few moments."""
    world, over = World(), time.monotonic() + 20
    lab, qm = world.lab, world.qm
    qm.mqsc("DEFINE QLOCAL(LOOP) MAXDEPTH(999999)").require()
    armed, pressed = False, 0

    def press(number, frame):
        if armed:
            raise KeyboardInterrupt

    def killer():
        while pressed <= 20 and time.monotonic() < over:
            time.sleep(0.002)
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, press)
    thread = threading.Thread(target=killer)
    thread.start()
    try:
        while pressed <= 20 and time.monotonic() < over:
            try:
                armed = True
                while pressed <= 20 and time.monotonic() < over:
                    qm.put("LOOP", b"x", persistent=True)
                    qm.put("LOOP", b"y")
                    qm.get("LOOP")
            except KeyboardInterrupt:
                armed, pressed = False, pressed + 1
            armed = False
            assert lab.state().queue("QM1", "LOOP").depth == qm.depth("LOOP")
    finally:
        armed = False
        thread.join()
        signal.signal(signal.SIGINT, before)
    assert pressed > 20


def test_a_program_that_runs_in_circles_within_a_call_is_interrupted(lab, qm):
    """A consumer, and a change of a story, are code of the person, and not of the call that calls them."""
    handle = qm.open("ORDERS", input="shared")
    qm.put("ORDERS", b"x")

    def endless(*_):
        for number in range(10**9):
            if number == 1000:
                signal.raise_signal(signal.SIGINT)

    with handled():
        qm.consume(handle, endless)
        qm.control("start")
        refusal(KeyboardInterrupt, "", lab.run)
        story = Lab()
        story.play(lambda lab: (lab.queue_manager("QM1"), lab.advance(5)))
        refusal(KeyboardInterrupt, "", story.branch, 1_000_000, endless)


def test_a_long_script_is_interrupted_between_two_commands(lab, qm, monkeypatch):
    write = type(lab.events).write

    def pressing(log, time_us, kind, *args, **columns):
        if len(qm.queues) == before + 3:
            signal.raise_signal(signal.SIGINT)
        return write(log, time_us, kind, *args, **columns)

    before = len(qm.queues)
    monkeypatch.setattr(type(lab.events), "write", pressing)
    with handled(), pytest.raises(KeyboardInterrupt):
        qm.mqsc("\n".join(f"DEFINE QLOCAL(Q{number})" for number in range(9)))
    made = [row.object for row in lab.events.where(kind="define")]
    assert made[-1] == [queue.name for queue in qm.queues][-1] == "Q2"
