"""What the frame does for exercises of every kind: cells, answers as typed, and labs told again."""

import pytest

from mqlab import Lab, LabError
from mqlab.everyplace import copy_to_dead_letter
from mqlab.exercises.bank import EXERCISES
from mqlab.exercises.bank.typed import typed
from mqlab.exercises.exercise import cells
from mqlab.exercises.retelling import retold

TRANSMIT = "SYSTEM.QSG.TRANSMIT.QUEUE"


@pytest.mark.parametrize("id", EXERCISES)
def test_the_cells_to_work_in_name_queue_managers_that_are_there(id):
    there = [qmgr.name for qmgr in EXERCISES[id].start().queue_managers]
    for text in (EXERCISES[id].work, EXERCISES[id].answer):
        heads = [cell.split("\n")[0].split() for cell in cells(text) if cell.startswith("%%mqsc")]
        assert all(name in there for _, name in heads)


def test_cells_of_commands_and_of_python():
    assert cells("x = 1\n\ny = 2") == ["x = 1\n\ny = 2"]
    assert cells("%%mqsc A\n* one\n\n%%mqsc B\n* two\n\n# %%\nlab.advance(1)\n") == [
        "%%mqsc A\n* one",
        "%%mqsc B\n* two",
        "lab.advance(1)",
    ]


def test_an_answer_is_done_as_it_is_shown():
    lab = Lab()
    lab.queue_manager("QM1")
    typed('%%mqsc QM1\nDEFINE QLOCAL(ORDERS)\n\n# %%\nqm = lab["QM1"]\n\n# %%\nqm.put("ORDERS", b"x")')(lab)
    assert lab["QM1"].depth("ORDERS") == 1
    with pytest.raises(LabError, match=r"ALTER QLOCAL\(NONE\)"):
        typed("%%mqsc QM1\nALTER QLOCAL(NONE) MAXDEPTH(1)")(lab)


def test_devices_are_told_again_with_what_they_were_defined_with():
    lab = Lab()
    hq, van = lab.everyplace("HQ"), lab.everyplace("VAN1")
    lab.link("VAN1", "HQ", latency=2)
    hq.define("local", "ORDERS", rule=copy_to_dead_letter, max_depth=7)
    hq.define("store-and-forward", "FORWARD", targets=["VAN1"])
    van.define("asynchronous", "ORDERS@HQ", expiry_ms=500)
    van.define("home-server", "FORWARD@HQ", poll_ms=60_000)
    van.put("ORDERS@HQ", b"not taken over")
    lab.advance(1)
    again = retold(lab)
    assert again.now_us == 0
    assert again["VAN1"].depth("ORDERS@HQ") == 0
    for name in ("HQ", "VAN1"):
        assert [
            (q.kind, q.label, q.expiry_ms, q.rule, q.max_depth, q.targets, q.poll_ms) for q in again[name].queues
        ] == [(q.kind, q.label, q.expiry_ms, q.rule, q.max_depth, q.targets, q.poll_ms) for q in lab[name].queues]
    assert again.network.path("HQ", "VAN1").latency_us == 2_000_000


@pytest.mark.parametrize("enabled", [True, False])
def test_whether_intra_group_queuing_is_on_is_told_again(enabled):
    lab = Lab()
    group = lab.queue_sharing_group("QSG1", ["QMA", "QMB"], intra_group_queuing=True)
    if not enabled:
        group.members[1].mqsc("ALTER QMGR IGQ(DISABLED)")
    group.members[0].mqsc(f"ALTER QLOCAL({TRANSMIT}) QSGDISP(SHARED) MAXMSGL(5000)")
    again = retold(lab)
    assert [q.attributes["IGQ"] for q in again.queue_managers] == ["ENABLED", "ENABLED" if enabled else "DISABLED"]
    assert again["QMB"].objects.get("QLOCAL", TRANSMIT).attributes["MAXMSGL"] == 5000
