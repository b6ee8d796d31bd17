"""What the frame does for exercises of every kind: cells, answers as typed, and labs told again."""

from operator import attrgetter

import pytest

from helpers import for_each, lab_error
from mqlab import Lab
from mqlab.course.exercises import exercise, progress
from mqlab.course.exercises.bank import EXERCISES
from mqlab.course.exercises.exercise import cells, retold, said, typed
from mqlab.everyplace import copy_to_dead_letter

TRANSMIT = "SYSTEM.QSG.TRANSMIT.QUEUE"


@for_each("id", EXERCISES)
def test_the_cells_to_work_in_name_queue_managers_that_are_there(id):
    there = [qmgr.name for qmgr in EXERCISES[id].start().queue_managers]
    for text in (EXERCISES[id].work, EXERCISES[id].answer):
        heads = [cell.split("\n")[0].split() for cell in cells(text) if cell.startswith("%%mqsc")]
        assert all(name in there for _, name in heads)


def test_an_answer_in_cells_of_commands_and_of_python_is_done_as_it_is_shown():
    assert cells("x = 1\n\ny = 2") == ["x = 1\n\ny = 2"]
    found = cells("%%mqsc A\n* one\n\n%%mqsc B\n* two\n\n# %%\nlab.advance(1)\n")
    assert found == ["%%mqsc A\n* one", "%%mqsc B\n* two", "lab.advance(1)"]
    lab = Lab()
    lab.queue_manager("QM1")
    typed('%%mqsc QM1\nDEFINE QLOCAL(ORDERS)\n\n# %%\nqm = lab["QM1"]\n\n# %%\nqm.put("ORDERS", b"x")')(lab)
    assert lab["QM1"].depth("ORDERS") == 1
    lab_error(r"ALTER QLOCAL\(NONE\)", typed("%%mqsc QM1\nALTER QLOCAL(NONE) MAXDEPTH(1)"), lab)


def test_a_text_that_changes_another_names_a_part_that_is_there_once(monkeypatch):
    for old in ("wait=5", "a"):
        table = {"work": "app.get(wait=1)", "answer": ["work", [old, ""]]}
        monkeypatch.setitem(said.__globals__, "tables", lambda table=table: {"Z1": table})
        lab_error(f"answer of Z1: work must contain '{old}' once", said, "Z1")


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
    assert (again.now_us, again["VAN1"].depth("ORDERS@HQ")) == (0, 0)
    facts = attrgetter("kind", "label", "expiry_ms", "rule", "max_depth", "targets", "poll_ms")
    for name in ("HQ", "VAN1"):
        assert [*map(facts, again[name].queues)] == [*map(facts, lab[name].queues)]
    assert again.network.path("HQ", "VAN1").latency_us == 2_000_000


@for_each("enabled", [True, False])
def test_whether_intra_group_queuing_is_on_is_told_again(enabled):
    lab = Lab()
    group = lab.queue_sharing_group("QSG1", ["QMA", "QMB"], intra_group_queuing=True)
    if not enabled:
        group.members[1].mqsc("ALTER QMGR IGQ(DISABLED)")
    group.members[0].mqsc(f"ALTER QLOCAL({TRANSMIT}) QSGDISP(SHARED) MAXMSGL(5000)")
    again = retold(lab)
    assert [q.attributes["IGQ"] for q in again.queue_managers] == ["ENABLED", "ENABLED" if enabled else "DISABLED"]
    assert again["QMB"].objects.get("QLOCAL", TRANSMIT).attributes["MAXMSGL"] == 5000


@pytest.mark.parametrize("id", EXERCISES)
def test_a_lab_of_another_exercise_is_told_or_refused(id):
    desk = exercise(id)
    for other in ("Q01", "C01", "S01", "M01"):
        lab = exercise(other).start()
        if _lacks(desk.start(), lab, set(desk.exercise.spare)):
            lab_error(rf"the lab of {id} must be .* got one without (queue manager|program|MQ)", desk.check, lab)
        else:
            assert not desk.check(lab).passed or other == id, other


def _lacks(begun, lab, spare):
    """Whether a queue manager or program that an exercise begins with, and needs, is not in a lab."""
    there = {each.name: set(each.programs) for each in lab.queue_managers}
    devices = {each.name for each in lab.everyplace_queue_managers}
    missing = (set(each.programs) - spare - there.get(each.name, set()) for each in begun.queue_managers)
    return (
        any(each.name not in there for each in begun.queue_managers)
        or any(missing)
        or any(each.name not in devices for each in begun.everyplace_queue_managers)
    )


def test_what_is_no_lab_and_no_exercise_is_refused_with_where_to_get_one():
    for what in ("check", "run", "solve"):
        for given in (None, Lab, "lab", Lab()):
            words = r"lab .*must be lab = exercise\('Q01'\)\.start\(\) gives it"
            lab_error(words, getattr(exercise("Q01"), what), given)
    for id in ("Q99", "q01", "", None, 1, ["Q01"]):
        lab_error(r"exercise must be one of [A-Z]\d\d, ", exercise, id)


def test_a_prediction_of_another_kind_is_refused_and_nothing_kept():
    numpy = pytest.importorskip("numpy")
    for id, given, kind in (
        *(("Q01", {"refused": wrong}, "a number") for wrong in ("three", True, float("nan"), {3})),
        ("T01", {"urgent": 0}, "True or False"),
        ("T08", {"waiting": 3, "state": 5}, "a text in quotes"),
    ):
        lab_error(f"{list(given)[-1]} must be {kind}; got ", exercise(id).predict, **given)
    assert progress.read() == ([], [])
    desk = exercise("T08")
    desk.predict(state=" stopped", waiting=numpy.int64(3))
    told = exercise("T08").check(desk.start()).predicted
    assert all(each.right for each in told), "a word in either case, a number of any library"


def test_a_lab_that_has_stopped_or_is_over_is_looked_at_all_the_same():
    desk = exercise("C01")
    lab = desk.start("read")
    for qmgr in lab.queue_managers:
        qmgr.stop()
    assert desk.check(lab).passed
    lab.close()
    assert desk.check(lab).passed
