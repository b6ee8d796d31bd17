"""A plugin of pytest that runs tests of MQ programs without MQ: `pytest -p mqlab.ibmmq.pytest_plugin`.

While the tests run, `import ibmmq` (or pymqi) connects to a lab: to a queue manager with the developer defaults,
whatever host, port, and channel a program gives; one of another name is made when a program connects to it. Users are
app and admin, each with the password "password"; DEV.APP.SVRCONN asks for them, and a channel that the tests name
themselves asks for none. The fixture `mq_lab` gives a test its own lab, in which only the test makes time pass,
in `time.sleep` too, and `mq_lab["QM1"].users["eve"] = "secret"` adds a user. A test that is marked with
`@pytest.mark.mqlab(users={...}, groups={...})`, or with other settings of a queue manager, has a queue manager of these
settings, which asks for authority as IBM's container does; without the mark, programs may use what they define. All
tests without this fixture share one lab, whose messages and objects stay from test to test, and their `time.sleep` is
real. The report of a test that fails lists the calls that were refused, and why. The option `mqlab_qmgr` of a
configuration file names the queue managers that are there before anyone connects (default QM1).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from mqlab.ibmmq.developer import DEFAULT, DeveloperSession
from mqlab.ibmmq.library import served
from mqlab.ibmmq.threads import Outlived
from mqlab.lab.lab import Lab

_serving: list[ExitStack] = []
"""One entry for each run of pytest in progress: a test can run pytest again in this process."""
_SHOWN = 10


class _Standing(DeveloperSession):
    """The session of all tests that have no lab of their own."""

    clocks = False  # those of pytest and its other plugins, too


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of the configuration file, and begin to serve: modules of tests import the library."""
    parser.addini("mqlab_qmgr", "queue managers of the lab that tests connect to", type="args", default=[DEFAULT])
    _serving.append(ExitStack())
    _serving[-1].enter_context(served(Lab(), session=_Standing))


def pytest_configure(config: pytest.Config) -> None:
    """Make the queue managers of the lab for tests that do not ask for one of their own."""
    config.addinivalue_line("markers", "mqlab(**settings): settings of the queue managers of mq_lab, such as users")
    for name in config.getini("mqlab_qmgr"):
        _session().queue_manager(name)


def pytest_sessionstart() -> None:
    """Let a thread that outlives its lab end in silence, as Python lets one that raises SystemExit."""
    told = threading.excepthook

    def tell(about: Any) -> None:
        if not issubclass(about.exc_type, Outlived):
            told(about)

    threading.excepthook = tell


def pytest_unconfigure() -> None:
    """Serve no longer."""
    _serving.pop().close()


def pytest_runtest_setup() -> None:
    """Forget the notes and refusals of the previous test."""
    _session().notes.clear()
    _session().refusals.clear()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """Show in the report of a test that failed which calls were refused, and why."""
    outcome: Any = yield
    report, session = outcome.get_result(), _session()
    refused = [f"refused{f' {n} times' if n > 1 else ''}: {text}" for text, n in session.refusals.most_common(_SHOWN)]
    if report.failed and (lines := [*session.notes, *refused]):
        report.sections.append(("mqlab: what the queue manager did not do, and why", "\n".join(lines)))


@pytest.fixture
def mq_lab(request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A lab for this test alone, with its queue managers: `mq_lab["QM1"].mqsc(...)`, `mq_lab.advance(5)`,
    `mq_lab.events`. Programs that connect during the test reach it."""
    mark = request.node.get_closest_marker("mqlab")
    with _fresh(request.config.getini("mqlab_qmgr"), mark.kwargs if mark is not None else {}) as lab:
        yield lab


@contextmanager
def _fresh(names: list[str], settings: dict[str, Any]) -> Iterator[Lab]:
    lab = Lab()
    with served(lab, session=DeveloperSession) as session:
        assert isinstance(session, DeveloperSession)
        session.settings = {"environment": {}, **settings} if settings else {}
        for name in names:
            session.queue_manager(name)
        yield lab
    lab.close()


def _session() -> Any:
    from mqlab.ibmmq.session import current

    return current()
