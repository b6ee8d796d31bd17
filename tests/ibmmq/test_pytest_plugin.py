"""The plugin of pytest: tests of MQ programs without MQ."""

import re
from pathlib import Path

import pytest

import mqlab.gates.answer  # noqa: F401 - a run in this process forgets the modules that it was the first to import

pytest_plugins = ["pytester"]

CONSUMER = '''
import ibmmq
from ibmmq import CMQC
import re
from pathlib import Path

import pytest


def take(wait):
    """One message of ORDERS, None if none comes in so many milliseconds."""
    conn = ibmmq.connect("QM1", "ITS.OWN.CHANNEL", "mq.example.com(1414)")
    queue = ibmmq.Queue(conn, "ORDERS")
    try:
        return queue.get(None, ibmmq.MD(), ibmmq.GMO(Options=CMQC.MQGMO_WAIT, WaitInterval=wait))
    except ibmmq.MQMIError as error:
        assert error.reason == CMQC.MQRC_NO_MSG_AVAILABLE
    finally:
        conn.disconnect()


def test_an_order_in_time(mq_lab):
    mq_lab["QM1"].mqsc("DEFINE QLOCAL(ORDERS)")
    mq_lab["QM1"].run_program("shop", lambda app: (mq_lab.advance(5), app.put("ORDERS", b"tea")))
    assert take(6000) == b"tea"
    assert mq_lab.now_us == 5_000_000


def test_no_order(mq_lab):
    mq_lab["QM1"].mqsc("DEFINE QLOCAL(ORDERS)")
    assert take(3000) is None
    assert [row.reason for row in mq_lab.events if row.kind == "get"] == [2033]


def test_a_password():
    with pytest.raises(ibmmq.MQMIError) as refused:
        ibmmq.connect("QM1", "DEV.APP.SVRCONN", "localhost(1414)", "app", "wrong")
    assert refused.value.reason == CMQC.MQRC_NOT_AUTHORIZED
'''


@pytest.mark.usefixtures("library")
def test_a_suite_runs_without_mq(pytester):
    pytester.makepyfile(CONSUMER)
    result = pytester.runpytest_inprocess("-p", "mqlab.ibmmq.pytest_plugin", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=3)


REFUSED = """
import ibmmq
import time


def test_a_plain_test_sleeps_in_real_time():
    before = time.monotonic()
    time.sleep(0.01)
    assert time.monotonic() - before >= 0.01
    ibmmq.connect("QM1", "SHOP.SVRCONN", "h(1414)").put1("DEV.QUEUE.1", b"left for the next test")


def test_no_user(mq_lab):
    time.sleep(5)
    assert mq_lab.now_us == 5_000_000
    assert mq_lab["QM1"].depth("DEV.QUEUE.1") == 0
    ibmmq.connect("QM1", "DEV.APP.SVRCONN", "h(1414)")


def test_a_wrong_argument():
    conn = ibmmq.connect("QM1", "SHOP.SVRCONN", "h(1414)")
    assert ibmmq.Queue(conn, "DEV.QUEUE.1").get() == b"left for the next test"
    conn.ctl("x", ibmmq.CTLO())
"""


@pytest.mark.usefixtures("library")
def test_the_report_of_a_failed_test_says_why_calls_were_refused(pytester):
    pytester.makepyfile(REFUSED)
    result = pytester.runpytest_inprocess("-p", "mqlab.ibmmq.pytest_plugin", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*mqlab: what the queue manager did not do, and why*",
            "refused: 2035 *CHCKCLNT(REQUIRED)*user= and password=*",
        ]
    )
    assert "verbs.py" not in result.stdout.str()


GATES = """
import ibmmq
import pytest


@pytest.mark.mqlab(users={"till": "secret"}, groups={"mqclient": ["till"]})
def test_authority(mq_lab):
    who = "DEV.APP.SVRCONN", "h(1414)", "till", "secret"
    mq_lab["QM1"].mqsc("DEFINE QLOCAL(ORDERS)")
    with pytest.raises(ibmmq.MQMIError, match="2035"):
        ibmmq.Queue(ibmmq.connect("QM1", *who), "ORDERS").put(b"x")
    mq_lab["QM1"].shell(mq_lab.why_refused("python").shell)
    ibmmq.Queue(ibmmq.connect("QM1", *who), "ORDERS", ibmmq.CMQC.MQOO_OUTPUT).put(b"x")
"""


@pytest.mark.usefixtures("library")
def test_a_marked_test_has_users_groups_and_authority(pytester):
    pytester.makepyfile(GATES)
    pytester.runpytest_inprocess("-p", "mqlab.ibmmq.pytest_plugin", "-p", "no:cacheprovider").assert_outcomes(passed=1)


OUTLIVES = """
import ibmmq
import threading
import time


def serve():
    queue = ibmmq.Queue(ibmmq.connect("QM1", "SHOP.SVRCONN", "h(1414)"), "DEV.QUEUE.1")
    while True:
        try:
            queue.get(None, ibmmq.MD(), ibmmq.GMO(Options=ibmmq.CMQC.MQGMO_WAIT, WaitInterval=1000))
        except ibmmq.MQMIError:
            pass


def test_a_server_that_never_ends(mq_lab):
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    time.sleep(3)
    threads.append(thread)


def test_another():
    threads[0].join()


threads = []
"""


@pytest.mark.usefixtures("library")
def test_a_thread_that_outlives_its_test_ends_without_a_warning(pytester):
    pytester.makepyfile(OUTLIVES)
    result = pytester.runpytest_subprocess("-p", "mqlab.ibmmq.pytest_plugin", "-p", "no:cacheprovider", "-W", "error")
    result.assert_outcomes(passed=2)


@pytest.mark.usefixtures("library")
def test_the_consumer_of_the_documents_passes_its_test(pytester):
    page = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
    files = re.findall(r"^```python\n# (\w+)\.py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in files] == ["billing", "test_billing"]
    assert files[1][1].strip().count("\n") < 33
    pytester.makepyfile(**dict(files))
    pytester.syspathinsert()
    result = pytester.runpytest_inprocess("-p", "mqlab.ibmmq.pytest_plugin", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=3)
