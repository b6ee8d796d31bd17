"""Asynchronous puts: what a put does not raise, MQSTAT tells."""

import pytest

from helpers import made
from mqlab import MD, PMO, MQError, constants


@pytest.mark.rule("MQI-39", event=False)
def test_a_refusal_is_kept_for_mqstat(lab):
    app, pmo = (
        made("DEFINE QLOCAL(Q1) MAXDEPTH(2)", of=lab).connect("batch"),
        PMO(Options=constants.MQPMO_ASYNC_RESPONSE),
    )
    with app.open("Q1", output=True) as queue:
        assert [queue.put(b"x", md=MD(), pmo=pmo) is None for _ in range(4)] == [False, False, True, True]
        found = app.status_of_puts()
        assert (found.succeeded, found.refused, found.reason, found.queue) == (2, 2, constants.MQRC_Q_FULL, "Q1")
        assert app.status_of_puts() == type(found)()
        with pytest.raises(MQError, match="2053"):
            queue.put(b"x", md=MD(), pmo=PMO(Options=pmo.Options | constants.MQPMO_SYNCPOINT))
        with pytest.raises(MQError, match="2047"):
            queue.put(b"x", md=MD(Persistence=9), pmo=pmo)
