"""A queue manager of the engine's own lab, which has no method of an extra, answers what needs one."""

from helpers import made
from mqlab import Lab
from mqlab.admin import export
from mqlab.engine import lab as engine


def test_the_engine_s_queue_manager_is_exported():
    alone, whole = (made("DEFINE QLOCAL(ORDERS) MAXDEPTH(7)", of=lab) for lab in (engine.Lab(), Lab()))
    assert export.export(alone) == export.export(whole)
