"""What the tests of the dead-letter handler share: a queue manager with a dead-letter queue, and dead letters."""

import pytest

from mqlab.engine.words.headers import MQDLH


@pytest.fixture
def qm(lab):
    """Queue manager QM1, level 530, with DEADQ(DLQ), a destination WORK, MANUAL, SMALL (one message) and REPLIES."""
    qmgr = lab.queue_manager("QM1", level=530)
    qmgr.mqsc("""
        DEFINE QLOCAL(DLQ)
        DEFINE QLOCAL(WORK)
        DEFINE QLOCAL(MANUAL)
        DEFINE QLOCAL(SMALL) MAXDEPTH(1)
        DEFINE QLOCAL(REPLIES)
        ALTER QMGR DEADQ(DLQ)
        """).require()
    return qmgr


@pytest.fixture
def bury(qm):
    """Put a message on the dead-letter queue as a program does: behind an MQDLH that says why and whither."""

    def bury(body=b"data", reason=2053, queue="WORK", at="", format="MQSTR", on="DLQ", **descriptor):
        header = MQDLH.pack(reason, queue, at, format, "SOMEBODY", qm.lab.now)
        return qm.put(on, header + body, format="MQDEAD", **descriptor)

    return bury
