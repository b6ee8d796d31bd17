"""A queue sharing group of three z/OS queue managers with shared queues in three structures."""

import pytest


@pytest.fixture
def group(lab):
    """QSG1 of QMA, QMB and QMC: SAFE in a recoverable structure, LOOSE in one that is not, OLD in one of CFLEVEL 2."""
    made = lab.queue_sharing_group("QSG1", ["QMA", "QMB", "QMC"])
    lab["QMA"].mqsc("""
        DEFINE CFSTRUCT(APP1) CFLEVEL(4) RECOVER(YES)
        DEFINE CFSTRUCT(APP2) CFLEVEL(3) RECOVER(NO)
        DEFINE CFSTRUCT(APP3) CFLEVEL(2)
        DEFINE QLOCAL(SAFE) QSGDISP(SHARED) CFSTRUCT(APP1) SHARE DEFSOPT(SHARED)
        DEFINE QLOCAL(LOOSE) QSGDISP(SHARED) CFSTRUCT(APP2) SHARE DEFSOPT(SHARED)
        DEFINE QLOCAL(OLD) QSGDISP(SHARED) CFSTRUCT(APP3) SHARE DEFSOPT(SHARED)
        """).require()
    return made


@pytest.fixture
def members(group):
    """The three queue managers, in order."""
    return group.members


@pytest.fixture
def one(group):
    """QMA; `two` is QMB, and `three` QMC."""
    return group.members[0]


@pytest.fixture
def two(group):
    return group.members[1]


@pytest.fixture
def three(group):
    return group.members[2]


@pytest.fixture
def rows(lab):
    """A function: rows of the log as (kind, qmgr, object, program, rule), those that match."""

    def read(**wanted):
        return [(row.kind, row.qmgr, row.object, row.program, row.rule) for row in lab.events.where(**wanted)]

    return read
