"""A queue manager for each test, and what may not change when a command is refused."""

import pytest

from mqlab import Lab


@pytest.fixture
def qm():
    """A fresh distributed queue manager."""
    return Lab().queue_manager("QM1")


@pytest.fixture
def state():
    """A function that gives everything a command could change on a queue manager."""

    def read(qmgr):
        kinds = (
            "QLOCAL",
            "QALIAS",
            "QREMOTE",
            "QMODEL",
            "PROCESS",
            "NAMELIST",
            "CHANNEL",
            "CLNTCONN",
            "TOPIC",
            "SUB",
            "LISTENER",
            "SERVICE",
            "AUTHINFO",
            "COMMINFO",
            "STGCLASS",
            "CFSTRUCT",
        )
        objects = [(d.kind, d.name, dict(d.attributes)) for kind in kinds for d in qmgr.objects.match((kind,), "*")]
        depths = [(d.name, qmgr.depth(d.name)) for d in qmgr.objects.match(("QLOCAL",), "*")]
        return objects, depths, dict(qmgr.attributes)

    return read
