"""Functions that consume messages, through the unmodified ibmmq."""

import time

from helpers import refusal


def test_a_program_is_called_while_it_sleeps(mqi, conn, qm, lab, refused):
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
    assert refused(conn.put1, "Q1", b"2").reason == 2500
    time.sleep(4)
    assert [call[1:4] for call in calls] == [(1, 0, None), (6, 0, b"1"), (6, 0, b"from the consumer"), (5, 2033, None)]
    assert ({call[0] for call in calls}, calls[1][4]) == ({"Q1"}, b"mine")
    conn.ctl(c.MQOP_STOP, ctlo)
    queue.cb(operation=c.MQOP_DEREGISTER)
    assert (refused(queue.cb, operation=c.MQOP_SUSPEND).reason, lab.now_us) == (2448, 4_000_000)
    calls.clear()
    qm.stop()
    assert [call[:3] for call in calls] == [(None, 5, 2162)]


def test_a_consumer_is_told_of_its_registration_by_the_next_call(mqi, conn):
    c, told = mqi.CMQC, []
    queue = mqi.Queue(conn, "Q1", c.MQOO_INPUT_SHARED)
    asked = c.MQCBDO_REGISTER_CALL | c.MQCBDO_DEREGISTER_CALL
    cbd = mqi.CBD(CallbackFunction=lambda cbc, **about: told.append(cbc.CallType), Options=asked)
    queue.cb(operation=c.MQOP_REGISTER, cbd=cbd)
    assert told == []  # the library knows the function only when MQCB has returned
    conn.ctl(c.MQOP_START, mqi.CTLO())
    conn.ctl(c.MQOP_STOP, mqi.CTLO())
    queue.cb(operation=c.MQOP_DEREGISTER)
    assert told == [c.MQCBCT_REGISTER_CALL, c.MQCBCT_DEREGISTER_CALL]


def test_what_a_consumer_raises_is_printed_and_the_calls_go_on_and_only_its_exit_ends_the_program(mqi, conn, capsys):
    c = mqi.CMQC
    queue = mqi.Queue(conn, "Q1", c.MQOO_INPUT_SHARED | c.MQOO_OUTPUT)
    for raised in (ValueError, KeyboardInterrupt, TypeError):
        got = []

        def consume(msg, raised=raised, got=got, **about):
            got.append(msg)
            if raised is TypeError:
                conn.ctl("x", mqi.CTLO())
            raise raised("no such customer")

        for body in (b"1", b"2"):
            queue.put(body)
        queue.cb(operation=c.MQOP_REGISTER, cbd=mqi.CBD(CallbackFunction=consume))
        conn.ctl(c.MQOP_START, mqi.CTLO())
        time.sleep(1)
        conn.ctl(c.MQOP_STOP, mqi.CTLO())
        queue.cb(operation=c.MQOP_DEREGISTER)
        printed = capsys.readouterr().err
        assert got[:2] == [b"1", b"2"]
        assert printed.count(f"{raised.__name__}: ") == len(got)
        assert "/mqlab/" not in printed.replace("tests/ibmmq", "")

    def leaves(**about):
        raise SystemExit(3)

    queue.put(b"1")
    queue.cb(operation=c.MQOP_REGISTER, cbd=mqi.CBD(CallbackFunction=leaves))
    conn.ctl(c.MQOP_START, mqi.CTLO())
    refusal(SystemExit, "", time.sleep, 1)


def test_a_consumer_may_disconnect_other_connections_only(mqi, conn, qm, refused):
    c, told = mqi.CMQC, []

    def consume(msg, **about):
        other = mqi.QueueManager("QM1")
        other.disconnect()
        told.append(refused(conn.disconnect).reason)

    queue = mqi.Queue(conn, "Q1", c.MQOO_INPUT_SHARED | c.MQOO_OUTPUT)
    queue.put(b"1")
    queue.cb(operation=c.MQOP_REGISTER, cbd=mqi.CBD(CallbackFunction=consume), gmo=mqi.GMO(Options=c.MQGMO_WAIT))
    conn.ctl(c.MQOP_START, mqi.CTLO())
    time.sleep(1)
    assert told[0] == c.MQRC_CALL_IN_PROGRESS
    conn.disconnect()
    assert not [one for one in qm.connections if one.caller == "python"]
