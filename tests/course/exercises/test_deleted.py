"""Whatever a learner deletes, a check says what is seen then, and does not stumble."""

import pytest

from helpers import some
from mqlab import MQError
from mqlab.course.exercises import exercise
from mqlab.course.exercises.bank import EXERCISES
from mqlab.everyplace import MQeError


def own(qmgr):
    """The objects of a queue manager that are not its SYSTEM ones: (kind, name)."""
    exported = [line.split() for line in qmgr.export_mqsc().splitlines() if line.startswith("DEFINE ")]
    named = [word.split("('", 1) for _, word, *_ in exported]
    return [(kind, name.split("'", 1)[0]) for kind, name in named]


def deletions(lab):
    """Every deletion that can be made in this lab: (queue manager, kind, name), kind "" for MQ Everyplace."""
    found = [(qmgr.name, *one) for qmgr in lab.queue_managers for one in own(qmgr)]
    return found + [(each.name, "", queue.label) for each in lab.everyplace_queue_managers for queue in each.queues]


@pytest.mark.parametrize("id", EXERCISES)
def test_a_check_copes_with_any_object_missing(id):
    desk, tried = exercise(id), 0
    for name, kind, what in some(deletions(desk.start("read")), 4):
        lab, tried = desk.start("read"), tried + 1
        try:
            lab[name].delete(kind, what) if kind else lab[name].delete(what)
        except (MQError, MQeError):
            continue  # it is in use
        result = desk.check(lab)
        assert str(result)
        assert all(result.missed), (what, str(result))
    assert tried
