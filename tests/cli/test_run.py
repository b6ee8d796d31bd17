"""`mqlab run`: a program that uses ibmmq runs on a lab, and the end of the program is told."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import says
from mqlab.cli import cli
from mqlab.ibmmq.pymqi import installed

pytestmark = [
    pytest.mark.skipif(not installed("ibmmq"), reason="ibmmq is not installed: it has few wheels"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="each program runs in a forked process"),
]

CHECKOUT = str(Path(__file__).parents[2])  # whose folder may be called mqlab
BEGIN = """
import os, signal, sys, threading, time
import ibmmq
from ibmmq import CMQC

conn = ibmmq.connect("QM7", "ITS.CHANNEL", "mq.example.com(1414)")
conn.put1("ORDERS", "tea", ibmmq.MD(), ibmmq.PMO(Options=CMQC.MQPMO_SYNCPOINT))
wait = ibmmq.GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=CMQC.MQWI_UNLIMITED)
queue = ibmmq.Queue(conn, 'DEV.QUEUE.1', CMQC.MQOO_INPUT_SHARED)

def catch(function):
    try:
        function()
    except:
        print("caught")
    finally:
        print("finally")

def get():
    other = ibmmq.connect("QM7")
    ibmmq.Queue(other, 'DEV.QUEUE.1', CMQC.MQOO_INPUT_SHARED).get(None, ibmmq.MD(), wait)

def consume(function):
    call = ibmmq.CBD(CallbackFunction=lambda **given: catch(function))
    queue.cb(operation=CMQC.MQOP_REGISTER, md=ibmmq.MD(), gmo=ibmmq.GMO(), cbd=call)
    conn.ctl(CMQC.MQOP_START, ibmmq.CTLO())
    time.sleep(9)

stuck = threading.Lock()
stuck.acquire()

def interrupt():
    time.sleep(1)
    while sys._current_frames()[threading.main_thread().ident].f_code.co_name not in {"join", "_wait_for_tstate_lock"}:
        pass  # a simulated second is over before the main thread has ended
    os.kill(os.getpid(), signal.SIGINT)
    stuck.acquire()

"""
LIMIT = (124, "was stopped at its limit of 60 s (--seconds); 60 s", "backed out")
ENDS = {
    "time.sleep(30)\nprint('args', sys.argv[1:])": (0, "ended; 30 s", "committed"),
    "raise RuntimeError": (1, "ended with RuntimeError", "committed by MQDISC, which the library calls"),
    "sys.exit(3)": (3, "ended with exit code 3", "committed"),
    "catch(lambda: os._exit(4))": (4, "was killed (os._exit)", "backed out"),
    "threading.Thread(target=os._exit, args=(5,)).start()\ntime.sleep(9)": (5, "was killed (os._exit)", "backed out"),
    "catch(lambda: os.kill(os.getpid(), signal.SIGTERM) or time.sleep(1))": (143, "was killed (SIGTERM)", "backed out"),
    "signal.signal(signal.SIGTERM, lambda *about: sys.exit(6))\nos.kill(os.getpid(), signal.SIGTERM)": (
        *(6, "ended with exit code 6", "committed"),
    ),
    "conn.put1('DEV.QUEUE.1', b'x')\n"
    "queue.cb(cbd=ibmmq.CBD(CallbackFunction=lambda **about: sys.exit(3)))\n"
    "threading.Thread(target=time.sleep, args=(9,)).start()\n"
    "conn.ctl(CMQC.MQOP_START, ibmmq.CTLO())\n"
    "catch(threading.Event().wait)": (3, "ended with exit code 3 in a consumer", "backed out"),
    "os.kill(os.getpid(), signal.SIGINT)\ntime.sleep(1)": (130, "ended with KeyboardInterrupt", "committed"),
    "consume(lambda: os._exit(6))": (6, "was killed (os._exit)", "backed out"),
    "consume(lambda: time.sleep(10**9))\ntime.sleep(99)": LIMIT,
    "while True: catch(lambda: queue.get(None, ibmmq.MD(), wait))": LIMIT,
    "threading.Thread(target=catch, args=(get,)).start()": LIMIT,
    "threading.Thread(target=lambda: time.sleep(5)).start()": (0, "ended; 5 s", "committed"),
    "threading.Thread(target=interrupt).start()": (130, "was interrupted (Ctrl-C) after its main thread", "backed out"),
    "from concurrent.futures import ThreadPoolExecutor as P\npool = P()\npool.submit(time.sleep, 2)": (
        *(0, "ended; 2 s", "committed"),
    ),
}


@pytest.fixture
def run(tmp_path):
    """Run `mqlab run` with a program of this text in a process of its own: exit code, output, errors."""

    def run(text, *options, name="order.py"):
        program, paths = tmp_path / name, [tmp_path / each for each in ("out", "err")]
        if text is not None:  # or the same again
            program.write_text(text)
        if not (child := os.fork()):
            code = 99
            try:
                for number, path in enumerate(paths, start=1):
                    os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
                sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115
                signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in the background
                code = cli.main(["run", str(program), *map(str, options)])
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code, *[path.read_text() for path in paths]

    return run


@pytest.mark.parametrize("ending", ENDS)
def test_the_end_of_a_program_is_that_of_a_process(ending, tmp_path, run):
    mqsc = tmp_path / "orders.mqsc"
    mqsc.write_text("DEFINE QLOCAL(ORDERS)")
    code, end, fate = ENDS[ending]
    exit_code, out, err = run(BEGIN + ending, "--mqsc", mqsc, "--qmgr", "QM7", "--seconds", "60", "--", "--fast")
    assert exit_code == code
    says(out, f"-- order.py {end}", f"order.py left a unit of work open (1 put and 0 got): it was {fate}")
    assert ("ORDERS on QM7: 1 message left" in out) == (fate != "backed out")
    assert ("print('args'" not in ending) or "args ['--fast']" in out
    assert "caught" not in out
    assert "finally" not in out
    assert "mqlab" not in err.replace(CHECKOUT, "")


def test_a_forked_process_has_no_link_to_the_lab(run):
    children = """
import multiprocessing
def child():
    sys.stderr = sys.stdout
    time.sleep(0.01)
    print("has", queue.inquire(CMQC.MQIA_CURRENT_Q_DEPTH))
process = multiprocessing.get_context("fork").Process(target=child)
process.start()
process.join()
if not os.fork():
    try:
        ibmmq.connect("QM7")
    except ibmmq.MQMIError as error:
        sys.exit(error.reason % 1000)
print("codes", process.exitcode, os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""
    code, out, err = run(BEGIN.replace('"ORDERS"', '"DEV.QUEUE.2"') + children)
    assert (code, out.count("-- order.py ended; 0 s"), out.count("-- ")) == (0, 1, 1)
    says(out, "Reason 2009", "codes 1 59")
    assert (out + err).count("this forked process has no link to the lab") == 2
    assert "left a unit of work open (1 put and 0 got): it was committed" in out


def test_two_runs_of_a_program_see_the_same_times(run):
    loops = """
conn.commit()
end = time.time() + 10
while time.time() < end:
    try:
        queue.get(None, ibmmq.MD(), ibmmq.GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=4000))
    except ibmmq.MQMIError:
        print(time.time(), threading.Event().wait(0.5), time.monotonic_ns())
"""
    first, second = run(BEGIN.replace("QM7", "QM1").replace("ORDERS", "DEV.QUEUE.2") + loops), run(text=None)
    assert (first, first[0]) == (second, 0)
    assert "-- order.py ended; 13.5 s" in first[1]


def test_a_deadline_by_a_real_clock_is_told_at_the_limit(run):
    code, out, _ = run("import time\nfrom datetime import datetime\nwhile True: time.sleep(60)")
    assert (code, out.splitlines()[1]) == (
        *(124, "   datetime.now() is real: a loop until a deadline by it ends late; time.time() is simulated"),
    )


def test_what_waits_at_the_limit_is_told_with_the_reason(run):
    code, out, _ = run(
        BEGIN.replace("QM7", "QM1").replace("ORDERS", "DEV.QUEUE.2")
        + "threading.Thread(target=lambda: queue.get(None, ibmmq.MD(), wait)).start()\n"
        "other = ibmmq.connect('QM1')\n"
        "exclusive = ibmmq.Queue(other, 'DEV.QUEUE.3', CMQC.MQOO_INPUT_EXCLUSIVE)\n"
        "other.put1('DEV.QUEUE.3', 'milk')\n"
        "exclusive.get(None, ibmmq.MD(CorrelId=b'tea'), wait)\n"
    )
    assert code == 124
    assert sorted(each.splitlines()[:2] for each in out.split("at the limit, a ")[1:]) == [
        [
            "get of DEV.QUEUE.1 on QM1 waited",
            "      a get finds no message: the queue has a message: CURDEPTH is 0 (MQI-12)",
        ],
        [
            "get of DEV.QUEUE.3 on QM1 waited",
            "      a get finds no message: one of these matches: 0 of 1 match (MQI-04)",
        ],
    ]


def test_messages_are_there_before_the_program_runs(run, tmp_path):
    mqsc, orders = tmp_path / "orders.mqsc", tmp_path / "orders.txt"
    mqsc.write_text("DEFINE QLOCAL(ORDERS)")
    orders.write_text("tea\n\ncafé\n", encoding="utf-8")
    text = "import ibmmq\nqueue = ibmmq.Queue(ibmmq.connect('QM7'), 'ORDERS')\nprint(queue.get(), queue.get().decode())"
    given = ("--mqsc", mqsc, "--qmgr", "QM7")
    code, out, _ = run(text, *given, "--put", f"ORDERS={orders}")
    assert (code, out.splitlines()[0]) == (0, "b'tea' café")
    for put, said in ((f"NONE={orders}", "2085 MQRC_UNKNOWN_OBJECT_NAME: NONE on QM7"), ("ORDERS", "got 'ORDERS'")):
        code, out, err = run(text, *given, "--put", put)
        assert (code, out) == (1, "")
        assert err.startswith("mqlab run: --put ")
        assert said in err


def test_commands_go_where_the_program_connects_and_pymqi_has_its_names(run, tmp_path):
    mqsc, orders = tmp_path / "orders.mqsc", tmp_path / "orders.txt"
    mqsc.write_text("DEFINE QLOCAL(ORDERS)")
    orders.write_text("tea")
    text = (
        "import pymqi\nfrom pymqi import _MQConst2String, CMQC, CMQXC, CMQZC, const, pymqe\n"
        "names = _MQConst2String(CMQC, 'MQMT_')\n"
        "od = pymqi.makeQDesc('A')['ObjectName']\n"
        "print(names[CMQC.MQMT_REQUEST], names.has_key(77), od, const.MQCMD_INQUIRE_Q)\n"
        "queue = pymqi.Queue(pymqi.connect('PROD', 'APP.SVRCONN', 'host(1414)'), 'ORDERS')\nprint(queue.get())\n"
    )
    code, out, _ = run(text, "--mqsc", mqsc, "--put", f"ORDERS={orders}")
    assert (code, out.splitlines()[:2]) == (0, ["MQMT_REQUEST False b'A' 13", "b'tea'"])
    assert "--mqsc and --put went to PROD, to which the program connected first (--qmgr)" in out
    mqsc.write_text("DEFINE QLOCAL(")
    code, out, err = run(text, "--mqsc", mqsc)
    assert (code, out, err.startswith("mqlab run: ")) == (1, "", True)


def test_refusals_are_explained_and_the_page_is_written(tmp_path):
    program, page = tmp_path / "order.py", tmp_path / "get.html"
    program.write_text(
        "import ibmmq\nqueue = ibmmq.Queue(ibmmq.connect('QM1'), 'DEV.QUEUE.1')\nmd = ibmmq.MD(CorrelId=b'A')\n"
        "queue2 = ibmmq.Queue(queue.get_queue_manager(), 'DEV.QUEUE.1')\nqueue2.put(b'x')\n"
        "for _ in range(1200):\n    try: queue.get(None, md)\n    except ibmmq.MQMIError: pass\n"
        "queue.get(None, md)"
    )
    command = [sys.executable, "-m", "mqlab", "run", program, "--player", page]  # a forked process cannot draw
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 1
    said = "2033 MQRC_NO_MSG_AVAILABLE: DEV.QUEUE.1 on QM1: none of 1 matches the identifier asked for"
    assert f"refused 1201 times: {said}" in ran.stdout
    assert 'order.py", line 9, in <module>' in ran.stderr
    assert "mqlab" not in ran.stderr.replace(CHECKOUT, "")
    assert page.stat().st_size > 10_000


def test_what_is_not_simulated_is_told_once(run):
    code, out, _ = run(
        "import pymqi\n"
        "conn = pymqi.connect('QM1')\n"
        "for _ in range(3):\n"
        "    try:\n"
        "        conn.stat(pymqi.CMQC.MQSTAT_TYPE_RECONNECTION)\n"
        "    except pymqi.MQMIError as error:\n"
        "        reason = error.reason\n"
        "print(pymqi.__mqbuild__, reason)\n"
    )
    assert code == 0
    assert [line for line in out.splitlines() if "does not simulate" in line] == [
        "   MQSTAT about reconnection: mqlab does not simulate it. Ask for MQSTAT_TYPE_ASYNC_ERROR (3 times)"
    ]
    assert out.startswith("common 2298\n")


def test_own_modules_may_have_names_of_ibmmq_and_what_cannot_run_is_one_sentence(run, tmp_path):
    (tmp_path / "mqpcf.py").write_text("OWN = True")
    code, out, _ = run("import pymqi\npymqi.connect('QM1')\nimport mqpcf\nprint(mqpcf.OWN)")
    assert (code, out.splitlines()[0], cli.main(["run", str(tmp_path / "none.py")])) == (0, "True", 1)
    code, out, err = run("print('ran')", "--player", tmp_path / "none" / "page.html")
    assert (code, out) == (1, "")
    assert err.startswith("mqlab run: path must be a file in a folder that is there")
    code, out, err = run("x = (")
    assert err.splitlines()[0].endswith('order.py", line 1')
    assert out.startswith("-- order.py ended with SyntaxError")


def test_a_program_brings_its_own_password_and_channel(run):
    code, out, _ = run(
        "import pymqi\n"
        "for user, word in (('app', 'passw0rd'), ('eve', 'x'), ('app', 'other')):\n"
        "    try:\n"
        "        pymqi.connect('QM5', 'SYSTEM.ADMIN.SVRCONN', 'localhost(1414)', user, word)\n"
        "        print(user, 'in')\n"
        "    except pymqi.MQMIError as error:\n"
        "        print(user, error.reason)\n"
    )
    assert code == 0
    assert out.startswith("app in\neve in\napp 2035\n")
    assert "QM5 took the password of user app as the program gave it" in out


def test_a_program_that_gives_no_password_runs_where_the_container_has_none(run):
    program = (
        "import ibmmq, sys\n"
        "def come(channel, *who):\n"
        "    try:\n"
        "        return ibmmq.connect('QM1', channel, 'localhost(1414)', *who) and 'in'\n"
        "    except ibmmq.MQMIError as error:\n"
        "        return error.reason\n"
        "app, admin = 'DEV.APP.SVRCONN', 'DEV.ADMIN.SVRCONN'\n"
        "if len(sys.argv) > 1:\n"
        "    print(come(app, 'app', 'passw0rd'))\n"
        "print(come(app), come(admin), come('SYSTEM.DEF.SVRCONN'))\n"
    )
    code, printed, _ = run(program)
    assert (code, printed.splitlines()[0]) == (0, "in in 2035")
    says(printed, "DEV.APP.SVRCONN on QM1 asks for no password", "IBM's container lets in only user admin")
    code, printed, _ = run(program, "--", "with a password")  # the container has a password for app
    assert printed.splitlines()[:2] == ["in", "2035 in 2035"]


def test_only_the_functions_that_the_program_registered_run_at_its_exit(run):
    code, out, err = run(
        "import atexit\natexit.register(print, 'second')\natexit.register(int, 'no')\natexit.register(print, 'first')\n"
        "atexit.register(print, 'never')\natexit.unregister(print)\natexit.register(print, 'last')\n"
    )
    assert (code, out.splitlines()[0]) == (0, "last")
    assert "ValueError" in err
    assert "mqlab" not in err.replace(CHECKOUT, "")
