"""The event log: its rows, and that the same calls give the same log to the byte."""

import subprocess
import sys

import pytest

from helpers import refusal
from mqlab import Event, Lab, LabError, Replay
from mqlab.engine.world.event import COLUMNS

PLAY = """
import hashlib, random
from mqlab import Lab, MQError
lab = Lab(seed=7)
qm = lab.queue_manager("QM1")
for line in ("QLOCAL(A)", "QLOCAL(B) MSGDLVSQ(FIFO) MAXDEPTH(5)", "QLOCAL(R)", "QALIAS(AL) TARGET(A)"):
    assert qm.mqsc("DEFINE " + line).replies
draw = random.Random(lab.seed)
apps = [qm.connect(name) for name in ("WEB", "BILLING", "STOCK")]
for step in range(400):
    app, queue = draw.choice(apps), draw.choice(["A", "B", "AL"])
    try:
        kind = draw.randrange(5)
        expiry, priority = draw.choice([-1, 3, 9]), draw.randrange(10)
        if kind < 2:
            app.put(queue, b"x", expiry=expiry, priority=priority, report=0x200000, reply_to_q="R")
        elif kind == 2:
            app.get(queue)
        elif kind == 3:
            with app.unit_of_work() as uow:
                uow.put(queue, b"y", expiry=4)
                uow.get("A")
        else:
            lab.advance(draw.random())
    except MQError:
        pass
print(len(lab.events), hashlib.sha256(repr([tuple(e) for e in lab.events]).encode()).hexdigest())
"""


def test_two_processes_with_different_hash_seeds_write_the_same_log():
    outputs = {
        subprocess.check_output([sys.executable, "-c", PLAY], env={"PYTHONHASHSEED": seed, "PATH": ""}, text=True)
        for seed in ("0", "4242")
    }
    assert len(outputs) == 1
    assert int(outputs.pop().split()[0]) > 400


def test_rows_are_events_with_the_columns_of_the_schema(lab, qm):
    put = qm.put("ORDERS", b"x", expiry=50, priority=3)
    row = lab.events[-1]
    assert isinstance(row, Event)
    assert len(COLUMNS) == 20
    where = {"time_us": 0, "qmgr": "QM1", "kind": "put", "object": "ORDERS", "object_type": "QLOCAL", "depth": 1}
    what = {"message": put.number, "msg_id": put.msg_id, "priority": 3, "persistent": False, "expiry_left": 50}
    when = {"seq": len(lab.events) - 1, "put_us": 0, "arrived_us": 0, "rule": "EXP-01"}
    assert row == Event(**{**dict.fromkeys(COLUMNS), **where, **what, **when})


def test_a_log_is_a_sequence_that_can_be_asked_by_column(lab, qm):
    qm.put("ORDERS", b"x")
    qm.put("FIFO", b"x")
    qm.get("FIFO")
    assert [e.kind for e in lab.events.where(kind=("put", "get"), object="FIFO")] == ["put", "get"]
    refusal(LabError, "column must be", lab.events.where, queue="FIFO")
    qm.put("ORDERS", b"x")
    assert (lab.events[-1], lab.events[1:3]) == (list(lab.events)[-1], list(lab.events)[1:3])
    with pytest.raises(IndexError, match="the log has"):
        lab.events[len(lab.events)]


def test_a_log_that_does_not_record_still_numbers_its_rows():
    lab = Lab(record=False)
    qm = lab.queue_manager("QM1")
    qm.mqsc("DEFINE QLOCAL(A)")
    for body in (b"1", b"2"):
        qm.put("A", body)
    assert (len(lab.events), qm.get("A").body, qm.get("A").body) == (0, b"1", b"2")


def test_any_moment_can_be_replayed(lab, qm):
    for number in range(3):
        qm.put("ORDERS", b"x", expiry=10 * (number + 1))
        lab.advance(1)
    depths = [lab.state(at=second * 1_000_000).queue("QM1", "ORDERS").depth for second in range(3)]
    assert depths == [1, 2, 3]
    assert [lab.state(at=second * 1_000_000).expired("QM1", "ORDERS") for second in range(4)] == [0, 1, 1, 2]


def test_replay_with_checkpoints_equals_replay_from_the_start(lab, qm):
    for number in range(12_000):
        qm.put("FIFO", b"x")
        if number % 3:
            qm.get("FIFO")
    whole = Replay(lab.events)
    for seq in (5, 4_000, 9_000, 15_000, len(lab.events) - 1):
        fresh = Replay(lab.events)
        assert fresh.at(seq=seq).queue("QM1", "FIFO").in_order() == whole.at(seq=seq).queue("QM1", "FIFO").in_order()
        assert whole.at(seq=seq).queue("QM1", "FIFO").depth == lab.events[seq].depth or seq < 8
