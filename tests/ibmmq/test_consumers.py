"""Functions that consume messages, through the unmodified ibmmq."""

import time

import pytest


@pytest.fixture
def conn(mqi):
    """A connection to QM1."""
    return mqi.connect("QM1")


def test_a_program_is_called_while_it_sleeps(mqi, conn, qm, lab):
    c, calls = mqi.CMQC, []

    def note(**told):
        cbc, queue = told["cbc"], told["queue"]
        name = queue.get_name() if queue else None
        calls.append((name, cbc.CallType, cbc.Reason, told["msg"], cbc.CallbackArea, cbc.ConnectionArea))
        if told["msg"] == b"1":
            conn.put1("Q1", b"from the consumer")
            assert told["md"].PutApplName.strip() == b"python"

    mqi.Queue(conn, "Q1").put(b"1")
    queue = mqi.Queue(conn, mqi.OD(ObjectName="Q1"), c.MQOO_INPUT_AS_Q_DEF)
    cbd = mqi.CBD(CallbackFunction=note, CallbackArea=b"mine", Options=c.MQCBDO_START_CALL)
    gmo = mqi.GMO(Options=c.MQGMO_WAIT | c.MQGMO_NO_SYNCPOINT, WaitInterval=3000)
    queue.cb(operation=c.MQOP_REGISTER, cbd=cbd, md=mqi.MD(), gmo=gmo)
    conn.cb(operation=c.MQOP_REGISTER, cbd=mqi.CBD(CallbackFunction=note, CallbackType=c.MQCBT_EVENT_HANDLER))
    ctlo = mqi.CTLO(ConnectionArea=b"all")
    conn.ctl(c.MQOP_START, ctlo)
    with pytest.raises(mqi.MQMIError, match="2500"):
        conn.put1("Q1", b"2")
    time.sleep(4)
    assert [call[1:4] for call in calls] == [(1, 0, None), (6, 0, b"1"), (6, 0, b"from the consumer"), (5, 2033, None)]
    assert {call[0] for call in calls} == {"Q1"}
    assert calls[1][4] == b"mine"
    conn.ctl(c.MQOP_STOP, ctlo)
    queue.cb(operation=c.MQOP_DEREGISTER)
    with pytest.raises(mqi.MQMIError, match="2448"):
        queue.cb(operation=c.MQOP_SUSPEND)
    assert lab.now_us == 4_000_000
    calls.clear()
    qm.stop()
    assert [call[:3] for call in calls] == [(None, 5, 2162)]
