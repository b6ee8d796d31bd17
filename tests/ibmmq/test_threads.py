"""Programs with threads, and programs that end as they should not: one call at a time, and a lab that stays whole."""

import signal
import threading
import time

import pytest

from helpers import lab_error, refusal


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C raises KeyboardInterrupt, also in tests that a shell runs in the background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def together():
    """Run functions in threads of their own; what they returned, in order, None for one that died."""
    threading.excepthook, before = (lambda about: None), threading.excepthook

    def run(*functions):
        found = [None] * len(functions)

        def enter(at, function):
            found[at] = function()

        threads = [threading.Thread(target=enter, args=each, name=f"T{each[0]}") for each in enumerate(functions)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    yield run
    threading.excepthook = before


def got(mqi, conn, queue, wait):
    """The data of a message, or the reason why there is none in so many seconds."""
    try:
        gmo = mqi.GMO(Options=mqi.CMQC.MQGMO_WAIT, WaitInterval=int(wait * 1000))
        return mqi.Queue(conn, queue, mqi.CMQC.MQOO_INPUT_SHARED).get(None, mqi.MD(), gmo)
    except mqi.MQMIError as error:
        return error.reason


def test_a_get_waits_in_one_thread_while_another_puts(mqi, lab, qm, together):
    def consumer():
        conn = mqi.connect("QM1")
        return [got(mqi, conn, "Q1", 5) for _ in range(3)], lab.now_us

    def producer():
        conn = mqi.connect("QM1")
        for body in (b"one", b"two"):
            time.sleep(3)
            conn.put1("Q1", body)

    assert together(consumer, producer)[0] == ([b"one", b"two", 2033], 11_000_000)


def test_threads_and_programs_of_the_lab_share_the_clock(mqi, lab, qm, together):
    qm.run_program("clerk", lambda app: [lab.advance(10) or app.put("Q1", b"x") for _ in range(2)])
    conn = mqi.connect("QM1")  # its handle may be shared: one call waits for the other
    assert together(lambda: got(mqi, conn, "Q1", 15), lambda: got(mqi, conn, "Q1", 15)) == [b"x", b"x"]
    assert lab.now_us == 20_000_000


def test_handles_of_connections_belong_to_threads_as_the_connect_says(mqi, together):
    own = mqi.QueueManager("QM1")
    impatient = mqi.connect("QM1", cno=mqi.CNO(Options=mqi.CMQC.MQCNO_HANDLE_SHARE_NO_BLOCK))
    waits, over = threading.Event(), threading.Event()

    def commit(conn):
        try:
            conn.commit()
        except mqi.MQMIError as error:
            return error.reason

    def wait():
        waits.set()
        found = got(mqi, impatient, "Q1", 5)
        over.set()
        return found

    def commit_later():
        waits.wait()
        while (reason := commit(impatient)) is None and not over.is_set():
            pass
        return reason

    assert together(lambda: commit(own)) == [2018]
    for _ in range(9):  # on a busy machine, the wait can end before the other thread has come to its call
        found = together(wait, commit_later)
        if found[1] is not None:
            break
        waits.clear()
        over.clear()
    assert found == [2033, 2219]


def test_a_thread_that_dies_within_a_unit_of_work_is_backed_out(mqi, lab, qm, together):
    kept = []

    def dies():
        conn = mqi.QueueManager("QM1")
        kept.append(conn)  # or the library would disconnect, and commit
        conn.put1("Q1", b"x", mqi.MD(), mqi.PMO(Options=mqi.CMQC.MQPMO_SYNCPOINT))
        raise RuntimeError

    together(dies)
    mqi.connect("QM1")
    assert qm.status("Q1") == {"CURDEPTH": 0, "IPPROCS": 0, "OPPROCS": 0, "UNCOM": 0}
    assert "T0 ended without MQDISC" in [row for row in lab.events if row.kind == "program"][1].detail


def test_the_end_of_the_block_backs_out_and_a_disconnect_commits(library, lab, qm):
    with lab.ibmmq("batch"):
        import ibmmq

        left, closed = ibmmq.connect("QM1"), ibmmq.connect("QM1")
        for conn in (left, closed):
            conn.put1("Q1", b"x", ibmmq.MD(), ibmmq.PMO(Options=ibmmq.CMQC.MQPMO_SYNCPOINT))
        closed.disconnect()
        refusal(ibmmq.PYIFError, "", closed.disconnect)
    assert qm.status("Q1") == {"CURDEPTH": 1, "IPPROCS": 0, "OPPROCS": 0, "UNCOM": 0}
    ends = [row.facts for row in lab.events if row.kind == "program" and row.facts["state"] != "started"]
    why = {"case": "failed", "error": "it ended without MQDISC"}
    assert ends == [{"state": "ended"}, {"state": "died", "why": why}]
    assert refusal(ibmmq.MQMIError, "", left.commit).reason == 2018


def test_a_queue_manager_that_ends_breaks_the_connection(mqi, conn, qm, refused):
    queue = mqi.Queue(conn, "Q1")
    queue.put(b"x")
    qm.stop()
    assert (refused(queue.put, b"x").reason, refused(conn.disconnect).reason) == (2009, 2009)
    qm.start()
    assert mqi.connect("QM1").is_connected


def test_a_wait_without_end_says_so(mqi, lab, qm):
    conn = mqi.connect("QM1")
    lab_error("a wait without end", got, mqi, conn, "Q1", -0.001)
    assert (qm.status("Q1")["CURDEPTH"], conn.is_connected) == (0, True)


def test_a_program_that_began_before_the_block_goes_on_in_its_own_thread_only(library, lab, qm, together):
    qm.run_program("clerk", lambda app: [lab.advance(5) or app.put("Q1", b"x") for _ in range(4)])
    lab.advance(1)
    with lab.ibmmq() as session:
        import ibmmq

        conn = ibmmq.connect("QM1")
        assert together(lambda: got(ibmmq, conn, "Q1", 9)) == [2195]
        assert "clerk began before lab.ibmmq()" in session.notes[-1]
        assert got(ibmmq, conn, "Q1", 9) == b"x"
    assert lab.now_us == 5_000_000


def test_an_interrupt_ends_a_wait_and_nothing_else(mqi, lab, qm):
    qm.run_program("clock", lambda app: [lab.advance(1) for _ in range(10**8)])
    conn = mqi.connect("QM1")
    queue = mqi.Queue(conn, "Q1")
    killer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    killer.start()
    with pytest.raises(KeyboardInterrupt):
        queue.get(None, mqi.MD(), mqi.GMO(Options=mqi.CMQC.MQGMO_WAIT, WaitInterval=-1))
    killer.join()
    assert qm.status("Q1") == {"CURDEPTH": 0, "IPPROCS": 1, "OPPROCS": 0, "UNCOM": 0}
    conn.put1("Q1", b"x")
    assert queue.get() == b"x"


def test_the_link_of_a_client_that_is_cut_breaks_its_connection(library, lab):
    lab.queue_manager("QM1", developer=True)
    with lab.ibmmq("shop"):
        import ibmmq

        def connected(options=ibmmq.CMQC.MQCNO_NONE):
            csp = ibmmq.CSP(CSPUserId="app", CSPPassword="password")
            cd = ibmmq.CD(ChannelName="DEV.APP.SVRCONN", ConnectionName="localhost(1414)")
            qmgr = ibmmq.QueueManager(None)
            qmgr.connect_with_options("QM1", cd=cd, csp=csp, cno=ibmmq.CNO(Options=options))
            return qmgr

        def code(call):
            return refusal(ibmmq.MQMIError, "", call).reason

        qmgr = connected()
        queue = ibmmq.Queue(qmgr, "DEV.QUEUE.1")
        queue.put(b"x", ibmmq.MD(), ibmmq.PMO(Options=ibmmq.CMQC.MQPMO_SYNCPOINT))
        lab.cut("shop", "QM1")
        assert [code(call) for call in (lambda: queue.put(b"x"), qmgr.commit, connected)] == [2009, 2009, 2538]
        lab.restore("shop", "QM1")
        assert ibmmq.Queue(connected(), "DEV.QUEUE.1").inquire(ibmmq.CMQC.MQIA_CURRENT_Q_DEPTH) == 0
        assert code(lambda: connected(3 << 24)) == 2046
