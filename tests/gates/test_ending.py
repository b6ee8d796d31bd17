"""The end of a queue manager: what its modes leave programs to do."""

import pytest

from helpers import lab_error, outcome
from mqlab import GMO
from mqlab.engine.explain.words import sentence
from mqlab.engine.words import constants as mq

WAITS = mq.MQGMO_WAIT | mq.MQGMO_FAIL_IF_QUIESCING


@pytest.mark.rule("REC-09")
def test_a_controlled_end_lets_programs_finish_and_refuses_what_asks_to_fail(lab, qm1, after):
    app, other, waits = qm1.connect("BILLING"), qm1.connect("TILL", channel="APP.SVRCONN"), []
    handle = app.open("Q", input="shared", output=True)
    after(0, lambda: waits.append(outcome(other.get, "Q", gmo=GMO(Options=WAITS, WaitInterval=60_000))))
    lab.advance(1)
    qm1.stop("controlled")
    lab.advance(1)
    (status,) = qm1.mqsc("DISPLAY QMSTATUS STATUS").rows
    assert (waits, status["STATUS"]) == ([2161], "QUIESCING")
    assert handle.put(b"x")
    assert app.open("Q", output=True)
    refused = (
        lambda: qm1.connect("LATE"),
        lambda: qm1.connect("LATE", channel="APP.SVRCONN"),
        lambda: app.open("Q", output=True, fail_if_quiescing=True),
        lambda: handle.get(gmo=GMO(Options=mq.MQGMO_FAIL_IF_QUIESCING)),
    )
    assert [outcome(call) for call in refused] == [2161] * 4
    assert handle.get().body == b"x"
    other.disconnect()
    assert qm1.running
    app.disconnect()
    assert not qm1.running
    assert "QM1 is quiescing: it ends when its programs have disconnected" in map(sentence, lab.events)
    qm1.start()
    assert qm1.connect("LATE")


def test_an_end_that_waits_returns_when_the_last_program_has_ended(lab, qm1, after):
    ended = []
    qm1.mqsc("DEFINE QLOCAL(INITQ)").require()
    qm1.trigger_monitor("INITQ")
    qm1.run_program("BILLING", lambda app: lab.advance(20))
    after(5, lambda: (qm1.stop("wait"), ended.append(lab.now_us // 10**6)))
    lab.run()
    assert (ended, qm1.running) == ([20], False)
    assert qm1.programs_running == []
    qm1.start()
    qm1.stop("wait")  # nobody is connected
    assert not qm1.running


def test_the_event_handler_learns_that_the_queue_manager_is_quiescing(lab, qm1):
    app, told = qm1.connect("BILLING"), []
    app.handle_events(lambda _, context: told.append(context.Reason))
    qm1.stop("controlled")
    assert told == [2161]
    qm1.stop()  # at once after all
    assert (told, qm1.running) == ([2161, 2162], False)
    qm1.start()
    assert qm1.connect("BILLING").put("Q", b"x")


def test_a_mode_that_there_is_not_is_refused(qm1):
    lab_error("mode must be one of immediate, controlled, wait, preemptive", qm1.stop, "quickly")
