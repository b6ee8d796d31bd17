"""The state replayed from the log is the state of the engine, whatever happens to channels."""

import importlib.util
from pathlib import Path

import pytest

from helpers import for_each, lab_with, made, some
from mqlab import Lab
from mqlab.engine.explain.replay import State

FAULTS = Path(__file__).parents[1] / "programs" / "channels" / "test_faults.py"


def engine(lab) -> dict:
    """What a replay can know, read from the live objects."""
    told = {}
    for qmgr in lab.queue_managers:
        for queue in qmgr.queues:
            there = [(m.number, m.expires_us) for m in queue.store.in_order()]
            held = [(q, m) for unit in qmgr.units.values() for q, m, *_ in (*unit.puts, *unit.triggers)]
            there += [(m.number, m.expires_us) for q, m in held if q is queue]
            told[qmgr.name, queue.name] = (sorted(there), queue.depth, queue.inputs, queue.outputs, queue.uncommitted)
        told[qmgr.name] = qmgr.running
        told |= {(qmgr.name, *key): channel.state for key, channel in qmgr.channels.items()}
    return told | {path.names: path.up for path in lab.network.paths}


def replayed(lab) -> dict:
    """The same, read from the log."""
    state = lab.state()
    told = {}
    for key, queue in state.queues.items():
        there = sorted((m.number, m.expires_us) for m in queue.messages.values())
        told[key] = (there, queue.depth, queue.inputs, queue.outputs, state.uncommitted(*key))
    return told | state.running | state.channels | state.links


@pytest.fixture
def faults():
    """The random schedules that channels are tried with, each fault held against a replay before and after."""
    spec = importlib.util.spec_from_file_location("random_schedules", FAULTS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    do = module.fault
    module.compared = 0

    def compare(lab):
        found, wanted = replayed(lab), engine(lab)
        assert found == {key: wanted[key] for key in found}
        assert {wanted[key] for key in wanted.keys() - found.keys()} <= {"INACTIVE"}, "channels that never ran"
        module.compared += 1

    def fault(lab, what):
        compare(lab)
        done = do(lab, what)
        compare(lab)
        return done

    module.fault = fault
    return module


@for_each("ten", some(range(12), 4))
def test_a_replay_equals_the_engine_over_random_schedules(faults, ten):
    for seed in range(ten * 10, ten * 10 + 10):
        lab = faults.run(faults.random_schedule(seed)).lab
        assert not lab["QM1"].depth("QM2"), "the schedule has ended"
    assert faults.compared > 100


def sending() -> Lab:
    """QM1 that sends to QM2 over a channel that knows no fast messages."""
    lab, _ = lab_with("""
        DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.QM2) INITQ(SYSTEM.CHANNEL.INITQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(QM2) XMITQ(QM2) NPMSPEED(NORMAL)""")
    made("DEFINE QLOCAL(ORDERS)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR) NPMSPEED(NORMAL)", "QM2", of=lab)
    lab.link("QM1", "QM2", latency=0.05)
    return lab


def test_a_unit_in_doubt_outlives_the_queue_manager_in_the_replay_too():
    lab = sending()
    lab["QM1"].put("ORDERS@QM2", b"x")
    lab.advance(1)
    kept, loose = (lab["QM1"].put("ORDERS@QM2", b"x", persistent=p) for p in (True, False))
    lab.advance(0.02)
    lab.cut("QM1", "QM2")
    lab["QM1"].stop()
    assert lab.state().queue("QM1", "QM2").depth == 0
    lab["QM1"].start()
    assert lab["QM1"].mqsc("RESOLVE CHANNEL(TO.QM2) ACTION(BACKOUT)").ok
    assert [m.number for m in lab.state().queue("QM1", "QM2").in_order()] == [kept.number]
    (gone,) = lab.events.where(kind="lost", message=loose.number)
    assert lab.state(seq=gone.seq - 1).queue("QM1", "QM2").messages.keys() == {loose.number}, "back, then lost"
    assert replayed(lab)["QM1", "QM2"] == engine(lab)["QM1", "QM2"]


def test_a_message_that_is_sent_again_is_there_twice():
    lab = sending()
    one, other = lab["QM1"], lab["QM2"]
    message = one.put("ORDERS@QM2", b"x", persistent=True, expiry=100)
    lab.advance(0.175)
    lab.cut("QM1", "QM2")
    lab.advance(0)
    assert one.mqsc("STOP CHANNEL(TO.QM2)\nRESOLVE CHANNEL(TO.QM2) ACTION(BACKOUT)").ok
    lab.restore("QM1", "QM2")
    assert one.mqsc("RESET CHANNEL(TO.QM2)\nSTART CHANNEL(TO.QM2)").ok
    lab.advance(1)
    app = other.connect("APP")

    def now():
        assert replayed(lab)["QM2", "ORDERS"] == engine(lab)["QM2", "ORDERS"]
        facts = lab.state().facts("QM2", "ORDERS")
        return [facts[name] for name in ("CURDEPTH", "got but not committed", "expired but still counted")]

    assert now() == [2, 0, 0]
    unit = app.unit_of_work()
    app.get("ORDERS", unit=unit)
    assert now() == [1, 1, 0]
    app.get("ORDERS", unit=unit)
    assert now() == [0, 2, 0]
    unit.backout()
    queue = lab.state().queue("QM2", "ORDERS")
    assert [each.backout_count for each in queue.front(3)] == [1, 1]
    assert queue.oldest_us() == queue.front(1)[0].arrived_us < queue.front(2)[1].arrived_us
    app.get("ORDERS")
    assert now() == [1, 0, 0]
    assert lab.explain(message).count("it is on ORDERS of QM2 now") == 1
    lab.advance(100)
    assert now() == [1, 0, 1]


def test_a_message_that_ends_in_the_hands_of_a_channel_takes_nothing_off_a_queue():
    lab = sending()
    assert lab["QM2"].mqsc("ALTER QLOCAL(ORDERS) PUT(DISABLED)").ok
    lab["QM1"].put("ORDERS@QM2", b"x", expiry=5)
    lab.advance(5)
    assert lab.events.where(kind="discard", qmgr="QM2")
    assert replayed(lab)["QM2", "ORDERS"] == engine(lab)["QM2", "ORDERS"]


def test_expired_and_uncommitted_are_counted_whenever_asked():
    lab, qm = lab_with("DEFINE QLOCAL(Q)")
    units = []
    for number in range(30):
        unit = qm.unit_of_work() if number % 3 == 0 else None
        units += [unit] if unit else []
        qm.put("Q", b"x", expiry=number + 1, unit=unit)
        if number % 4 == 2:
            unit = qm.unit_of_work() if number % 8 == 2 else None
            units += [unit] if unit else []
            qm.get("Q", unit=unit)
        if number % 5 == 4:
            one = units.pop(0)
            one.backout() if number == 14 else one.commit()
        lab.advance(0.3)
    lab.advance(60)
    state, asked = State(), []
    for row in lab.events:
        state.apply(row)
        for back in (0, 400_000, 0):  # later, earlier, and later again
            state.time_us = row.time_us - back
            held = state.queue("QM1", "Q").messages.values()
            expired = sum(m.uow is None and m.expired(state.time_us) for m in held)
            asked.append((expired, sum(m.uow is not None for m in held)))
            assert (state.expired("QM1", "Q"), state.uncommitted("QM1", "Q")) == asked[-1]
    assert {1, 2} <= {expired for expired, _ in asked}
    assert {0, 1, 2} <= {uncommitted for _, uncommitted in asked}
