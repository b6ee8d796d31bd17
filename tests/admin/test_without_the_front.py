"""A queue manager of the engine's own lab, which has no method of an extra, answers what needs one."""

from mqlab import Lab
from mqlab.admin import export
from mqlab.engine import lab as engine


def test_the_engine_s_queue_manager_is_exported():
    alone, whole = engine.Lab().queue_manager("QM1"), Lab().queue_manager("QM1")
    for qmgr in (alone, whole):
        qmgr.mqsc("DEFINE QLOCAL(ORDERS) MAXDEPTH(7)").require()
    assert export.export(alone) == export.export(whole)
