"""A plugin of pytest that runs tests of MQ programs without MQ: `pytest -p mqlab.ibmmq.pytest_plugin`.

While the tests run, `import ibmmq` (or pymqi) connects to a lab: to a queue manager with the developer defaults,
whatever host, port, and channel a program gives; one of another name is made when a program connects to it. Users are
app and admin with "password". The fixture `mq_lab` gives a test a lab of its own, in which time passes as the test
says, and `mq_lab["QM1"].users["eve"] = "secret"` adds a user. The option `mqlab_qmgr` of a configuration file names the
queue managers that are there before anyone connects (default QM1).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from mqlab.ibmmq.developer import DEFAULT, DeveloperSession
from mqlab.ibmmq.library import served
from mqlab.lab.lab import Lab

_serving = ExitStack()


class _Standing(DeveloperSession):
    clocks = False  # those of pytest and its other plugins, too


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of the configuration file, and begin to serve: modules of tests import the library."""
    parser.addini("mqlab_qmgr", "queue managers of the lab that tests connect to", type="args", default=[DEFAULT])
    _serving.enter_context(served(Lab(), session=_Standing))


def pytest_configure(config: pytest.Config) -> None:
    """Make the queue managers of the lab for tests that do not ask for one of their own."""
    for name in config.getini("mqlab_qmgr"):
        _session().queue_manager(name)


def pytest_unconfigure() -> None:
    """Serve no longer."""
    _serving.close()


@pytest.fixture
def mq_lab(request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A lab for this test alone, with its queue managers: `mq_lab["QM1"].mqsc(...)`, `mq_lab.advance(5)`,
    `mq_lab.events`. Programs that connect during the test reach it."""
    with _fresh(request.config.getini("mqlab_qmgr")) as lab:
        yield lab


@contextmanager
def _fresh(names: list[str]) -> Iterator[Lab]:
    lab = Lab()
    with served(lab, session=DeveloperSession) as session:
        for name in names:
            session.queue_manager(name)
        yield lab
    lab.close()


def _session() -> Any:
    from mqlab.ibmmq.session import current

    return current()
