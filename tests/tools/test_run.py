"""`mqlab run`: a program that uses ibmmq runs on a lab, and the end of the program is told."""

import atexit
import signal

import pytest

from mqlab.ibmmq.pymqi import installed
from mqlab.tools import cli

pytestmark = pytest.mark.skipif(not installed("ibmmq"), reason="ibmmq is not installed: it has few wheels")

BEGIN = """
import os, signal, sys, threading, time
import ibmmq
from ibmmq import CMQC

conn = ibmmq.connect("QM7", "ITS.CHANNEL", "mq.example.com(1414)")
conn.put1("ORDERS", "tea", ibmmq.MD(), ibmmq.PMO(Options=CMQC.MQPMO_SYNCPOINT))
wait = ibmmq.GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=CMQC.MQWI_UNLIMITED)
"""
ENDS = {
    "time.sleep(30)\nprint('args', sys.argv[1:])": (0, "ended; 30 s", "committed"),
    "raise RuntimeError": (1, "died of RuntimeError", "committed by MQDISC, which the library calls"),
    "sys.exit(3)": (3, "ended with exit code 3", "committed"),
    "os._exit(4)": (4, "was killed (os._exit)", "backed out"),
    "os.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(1)": (143, "was killed (SIGTERM)", "backed out"),
    "os.kill(os.getpid(), signal.SIGINT)\ntime.sleep(1)": (130, "died of KeyboardInterrupt", "committed"),
    "ibmmq.Queue(conn, 'DEV.QUEUE.1').get(None, ibmmq.MD(), wait)": (0, "was stopped at its limit", "backed out"),
    "threading.Thread(target=lambda: time.sleep(5)).start()": (0, "ended; 5 s", "committed"),
}


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C raises KeyboardInterrupt, also in tests that a shell runs in the background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("ending", ENDS)
def test_the_end_of_a_program_is_that_of_a_process(ending, tmp_path, capsys):
    program, mqsc = tmp_path / "order.py", tmp_path / "orders.mqsc"
    program.write_text(BEGIN + ending)
    mqsc.write_text("DEFINE QLOCAL(ORDERS)")
    code, end, fate = ENDS[ending]
    line = ["run", str(program), "--mqsc", str(mqsc), "--qmgr", "QM7", "--seconds", "60", "--", "--fast"]
    assert cli.main(line) == code
    printed = capsys.readouterr().out
    assert f"-- order.py {end}" in printed
    assert f"order.py left a unit of work open (1 put and 0 got): it was {fate}" in printed
    assert ("ORDERS on QM7: 1 message left" in printed) == (fate != "backed out")
    assert ("args" not in ending) or "args ['--fast']" in printed


def test_refusals_are_explained_and_the_page_is_written(tmp_path, capsys):
    program, page = tmp_path / "get.py", tmp_path / "get.html"
    program.write_text(
        "import ibmmq\nqueue = ibmmq.Queue(ibmmq.connect('QM1'), 'DEV.QUEUE.1')\nmd = ibmmq.MD(CorrelId=b'A')\n"
        "queue2 = ibmmq.Queue(queue.get_queue_manager(), 'DEV.QUEUE.1')\nqueue2.put(b'x')\nqueue.get(None, md)\n"
    )
    assert cli.main(["run", str(program), "--player", str(page)]) == 1
    out, err = capsys.readouterr()
    assert "2033 MQRC_NO_MSG_AVAILABLE: DEV.QUEUE.1 on QM1: none of 1 matches the identifier asked for" in out
    assert 'get.py", line 6, in <module>' in err
    assert "mqlab" not in err.partition("Traceback")[2].partition("get.py")[0]
    assert page.stat().st_size > 10_000


def test_what_cannot_run_is_one_sentence(tmp_path, capsys):
    assert cli.main(["run", str(tmp_path / "none.py")]) == 1
    assert capsys.readouterr().err.startswith("mqlab run: cannot read ")


def test_a_program_brings_its_own_password_and_channel(tmp_path, capsys):
    program = tmp_path / "connect.py"
    program.write_text(
        "import pymqi\n"
        "for user, word in (('app', 'passw0rd'), ('eve', 'x'), ('app', 'other')):\n"
        "    try:\n"
        "        pymqi.connect('QM5', 'SYSTEM.ADMIN.SVRCONN', 'localhost(1414)', user, word)\n"
        "        print(user, 'in')\n"
        "    except pymqi.MQMIError as error:\n"
        "        print(user, error.reason)\n"
    )
    assert cli.main(["run", str(program)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("app in\neve in\napp 2035\n")
    assert "QM5 took the password of user app as the program gave it" in printed


def test_only_the_functions_that_the_program_registered_run_at_its_exit(capsys, tmp_path):
    outside = []
    atexit.register(outside.append, "mqlab's")
    program = tmp_path / "leaving.py"
    program.write_text(
        "import atexit\natexit.register(print, 'second')\natexit.register(int, 'no')\natexit.register(print, 'first')\n"
        "atexit.register(print, 'never')\natexit.unregister(print)\natexit.register(print, 'last')\n"
    )
    assert cli.main(["run", str(program)]) == 0
    atexit.unregister(outside.append)
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "last"
    assert "ValueError" in said.err
    assert outside == []
