"""The clocks, sleeps, and timeouts of Python follow the lab's clock while a lab serves a program."""

import asyncio
import queue
import sched
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from helpers import refusal

CLOCKS = ["time", "monotonic", "perf_counter"]


@pytest.fixture
def get(mqi):
    """A function that gets from Q1 and waits so many seconds; the reason if no message comes."""
    conn = mqi.connect("QM1")
    q1 = mqi.Queue(conn, "Q1", mqi.CMQC.MQOO_INPUT_SHARED)

    def get(seconds):
        try:
            gmo = mqi.GMO(Options=mqi.CMQC.MQGMO_WAIT, WaitInterval=int(seconds * 1000))
            return q1.get(None, mqi.MD(), gmo)
        except mqi.MQMIError as error:
            return error.reason

    return get


def test_clocks_show_the_time_of_the_lab(mqi, lab):
    for number, name in enumerate((*CLOCKS, *[f"{each}_ns" for each in CLOCKS]), 1):
        clock, unit = getattr(time, name), 1 if name in CLOCKS else 10**9
        begin = clock()
        assert begin < clock() < begin + unit / 1000
        time.sleep(5)
        assert 5 <= (clock() - begin) / unit < 5.001
        assert 0 <= lab.now_us - number * 5_000_000 < 1000
        if name == "time":
            assert int(begin) == lab.start.timestamp()


def test_a_loop_until_a_deadline_ends_whether_it_waits_or_not(get, lab):
    end, waits = time.monotonic() + 10, 0
    while time.monotonic() < end:
        waits += get(1) == 2033
    assert waits == 10
    for poll in (lambda: None, lambda: get(0)):
        begin = lab.now_us
        while time.time() < lab.start.timestamp() + begin / 1e6 + 0.05:
            poll()
        assert 50_000 <= lab.now_us - begin < 90_000


@pytest.mark.parametrize("looks_with", ["MQGET", "MQINQ", "PCF"])
def test_a_loop_that_looks_for_a_message_lets_another_thread_wake_up(mqi, lab, get, looks_with):
    depth = mqi.Queue(mqi.connect("QM1"), "Q1", mqi.CMQC.MQOO_INQUIRE)
    late = threading.Timer(0.05, lambda: mqi.connect("QM1").put1("Q1", "tea"))
    late.start()
    if looks_with == "MQINQ":
        while not depth.inquire(mqi.CMQC.MQIA_CURRENT_Q_DEPTH):
            pass
    if looks_with == "PCF":
        asked, commands = {mqi.CMQC.MQCA_Q_NAME: "Q1"}, mqi.PCFExecute(mqi.connect("QM1"))
        while not commands.MQCMD_INQUIRE_Q(asked)[0][mqi.CMQC.MQIA_CURRENT_Q_DEPTH]:
            pass
    while (found := get(0)) == 2033:
        pass
    late.join()
    assert found == b"tea"
    assert 50_000 <= lab.now_us < 120_000


def test_timeouts_of_threads_pass_simulated_time(mqi, lab, get):
    def passed(function):
        begin, found = lab.now_us, function()
        return found, (lab.now_us - begin) / 1e6

    assert passed(lambda: threading.Event().wait(5)) == (False, 5)
    with pytest.raises(queue.Empty):
        queue.Queue().get(timeout=7)
    assert passed(lambda: threading.Semaphore(0).acquire(timeout=3)) == (False, 3)
    steps, plan = [], sched.scheduler(time.monotonic, time.sleep)
    plan.enter(10, 1, steps.append, ("sched",))
    threading.Timer(2, steps.append, ("timer",)).start()
    assert passed(plan.run)[1] == pytest.approx(10, abs=0.001)
    assert steps == ["timer", "sched"]
    thread = threading.Thread(target=get, args=(100,))
    thread.start()
    assert (passed(lambda: thread.join(8) or thread.is_alive()), passed(thread.join)) == ((True, 8), (None, 92))
    with ThreadPoolExecutor() as pool:
        future = pool.submit(get, 9)
        begin = lab.now_us
        refusal(TimeoutError, "", future.result, timeout=4)
        assert (lab.now_us - begin, passed(future.result)) == (4_000_000, (2033, 5))


def test_an_event_loop_sleeps_in_simulated_time(mqi, lab, get):
    async def puts():
        await asyncio.sleep(2.5)
        mqi.connect("QM1").put1("Q1", b"late")

    async def both():
        return await asyncio.gather(puts(), asyncio.to_thread(get, 5))

    assert (asyncio.run(both()), lab.now_us) == ([None, b"late"], 2_500_000)


def start_consumer(mqi, conn, function):
    """Let a function consume the messages of Q1."""
    q1 = mqi.Queue(conn, "Q1", mqi.CMQC.MQOO_INPUT_SHARED)
    gmo = mqi.GMO(Options=mqi.CMQC.MQGMO_WAIT, WaitInterval=mqi.CMQC.MQWI_UNLIMITED)
    q1.cb(operation=mqi.CMQC.MQOP_REGISTER, md=mqi.MD(), gmo=gmo, cbd=mqi.CBD(CallbackFunction=function))
    conn.ctl(mqi.CMQC.MQOP_START, mqi.CTLO())


def test_a_consumer_and_its_program_can_wait_for_each_other(mqi, lab, qm):
    lab.advance(1)
    conn, called, go, done = mqi.connect("QM1"), threading.Event(), threading.Event(), []

    def consume(msg=None, **others):
        if msg:
            called.set()
            done.append((go.wait(60), threading.Event().wait(5), lab.now_us))

    start_consumer(mqi, conn, consume)
    qm.run_program("clerk", lambda app: lab.advance(3) or app.put("Q1", b"x"))
    assert called.wait()
    assert lab.now_us == 4_000_000
    time.sleep(9)
    assert not done
    go.set()
    time.sleep(9)
    [(went, late, at_us)] = done
    assert went
    assert not late
    assert 18_000_000 <= at_us < 18_200_000
    conn.ctl(mqi.CMQC.MQOP_STOP, mqi.CTLO())


def test_a_thread_that_waits_lets_its_consumer_be_called(mqi, lab, qm):
    got = []

    def consume():
        conn, called = mqi.connect("QM1"), threading.Event()
        start_consumer(mqi, conn, lambda msg=None, **others: msg and (got.append(msg), called.set()))
        called.wait()

    qm.run_program("clerk", lambda app: lab.advance(3) or app.put("Q1", b"x"))
    thread = threading.Thread(target=consume)
    thread.start()
    thread.join()
    assert (got, lab.now_us) == ([b"x"], 3_000_000)


def test_other_threads_and_what_follows_see_the_real_time(library, lab):
    go, seen, before = threading.Event(), [], time.monotonic()
    other = threading.Thread(target=lambda: go.wait() and seen.append(time.monotonic()))
    other.start()
    with lab.ibmmq():
        go.set()
        other.join()
        time.sleep(10**6)
    assert before <= seen[0] <= time.monotonic() < before + 10**6
    assert time.sleep.__module__ == "time"
