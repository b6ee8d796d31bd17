"""What tests of IBM's library share: the unmodified library on a lab, skipped where its wheel is not installed."""

from functools import partial

import pytest

from helpers import made, refusal
from mqlab.ibmmq.pymqi import installed


@pytest.fixture
def library():
    """Skip a test where the library is not installed."""
    if not installed("ibmmq"):
        pytest.skip("ibmmq is not installed: it has wheels for Linux x86-64, macOS on ARM, and Windows only")


@pytest.fixture
def mqi(library, lab, qm):
    """The library `ibmmq`, while `lab` serves it."""
    with lab.ibmmq():
        import ibmmq

        yield ibmmq


@pytest.fixture
def qm(lab):
    """Queue manager QM1 with the queue Q1."""
    qm = made("DEFINE QLOCAL(Q1)", of=lab)
    return qm


@pytest.fixture
def conn(mqi):
    """A connection to QM1."""
    return mqi.connect("QM1")


@pytest.fixture
def refused(mqi):
    """A function that makes a call that the library must refuse: its error."""
    return partial(refusal, mqi.MQMIError, "")
