"""The plugin of pytest: tests of MQ programs without MQ."""

import re
from pathlib import Path

import pytest

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


@pytest.mark.usefixtures("library")
def test_the_consumer_of_the_readme_passes_its_test(pytester):
    page = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    files = re.findall(r"^```python\n# (\w+)\.py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in files] == ["billing", "test_billing"]
    assert files[1][1].strip().count("\n") < 33
    pytester.makepyfile(**dict(files))
    pytester.syspathinsert()
    result = pytester.runpytest_inprocess("-p", "mqlab.ibmmq.pytest_plugin", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=3)
