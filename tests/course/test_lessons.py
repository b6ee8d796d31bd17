"""What the notebooks of the course share."""

import pytest
from IPython.utils.capture import capture_output

from helpers import for_each, reason
from mqlab import Lab
from mqlab.course.lessons import agrees, explained, refused


@pytest.fixture
def qm():
    return Lab().queue_manager("QM1")


@for_each("said", [(1, True), [1, "true"], ("1", "TRUE")])
def test_a_prediction_is_right_however_it_is_typed(said):
    assert agrees(said, (1, True))
    assert not agrees(said, (1, True, 2))
    assert not agrees(said, (2, True))
    assert not agrees(said, 1)


def test_a_life_is_told(qm):
    qm.mqsc("DEFINE QLOCAL(Q)")
    assert "put message 1" in repr(explained(qm.lab, qm.put("Q", b"")))


def test_a_refusal_that_is_expected_is_no_error(qm):
    with capture_output(), refused(2085):
        qm.put("NOWHERE", b"")
    with capture_output(), pytest.raises(AssertionError, match="should fail with 2033; got 2085"), refused(2033):
        qm.put("NOWHERE", b"")
    with pytest.raises(AssertionError, match="should fail, but succeeded"), refused():
        pass
    with pytest.raises(ZeroDivisionError), refused():
        1 / 0
    reason(qm.put, "NOWHERE", b"")


def test_a_refusal_of_mq_everyplace_is_shown_too():
    van = Lab().everyplace("VAN")
    with capture_output() as shown, refused():
        van.get("NOWHERE")
    assert "unknown queue" in shown.stdout + repr(shown.outputs)
    with capture_output(), pytest.raises(AssertionError, match="should fail with 2085; got MQeError"), refused(2085):
        van.get("NOWHERE")
