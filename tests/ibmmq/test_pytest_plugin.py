"""The plugin of pytest: tests of MQ programs without MQ."""

import re
from pathlib import Path

import pytest

import mqlab.gates.answer  # noqa: F401 - a run in this process forgets the modules that it was the first to import
from helpers import cases

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.usefixtures("library")
PLUGIN = ("-p", "mqlab.ibmmq.pytest_plugin", "-p", "no:cacheprovider")


def suite(name):
    """The text of a suite, which is kept as text so that no other run collects it."""
    return (Path(__file__).with_name("suites") / f"{name}.txt").read_text(encoding="utf-8")


@cases("name, passed", ("consumer", 3), ("gates", 1))
def test_a_suite_runs_without_mq_and_a_marked_test_has_users_groups_and_authority(pytester, name, passed):
    pytester.makepyfile(suite(name))
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=passed)


def test_the_report_of_a_failed_test_says_why_calls_were_refused(pytester):
    pytester.makepyfile(suite("refused"))
    # in a process of its own: what the other tests of a worker have imported is not what a run of a person finds
    result = pytester.runpytest_subprocess(*PLUGIN)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*mqlab: what the queue manager did not do, and why*",
            "refused: 2035 *CHCKCLNT(REQUIRED)*user= and password=*",
        ]
    )
    assert "verbs.py" not in result.stdout.str()


def test_a_thread_that_outlives_its_test_ends_without_a_warning(pytester):
    pytester.makepyfile(suite("outlives"))
    pytester.runpytest_subprocess(*PLUGIN, "-W", "error").assert_outcomes(passed=2)


def test_the_consumer_of_the_documents_passes_its_test(pytester):
    page = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
    files = re.findall(r"^```python\n# (\w+)\.py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in files] == ["billing", "test_billing"]
    assert files[1][1].strip().count("\n") < 33
    pytester.makepyfile(**dict(files))
    pytester.syspathinsert()
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=3)
