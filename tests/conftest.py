"""What every test can use: a lab with a queue manager, and the check behind the rule marker.

A test marked ``@pytest.mark.rule("EXP-09")`` must make a lab write an event that names the rule; rules that cause no
event of their own say so with ``event=False``.
"""

import gc
import os
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from weakref import ref

import pytest
from hypothesis import settings

import mqlab.engine.lab
from helpers import BELOW, left_out
from mqlab import RULES, Lab
from mqlab.engine.words.errors import ProgramDied
from mqlab.engine.world.events import EventLog

settings.register_profile("mqlab", deadline=None)  # an example may take long on a busy machine
settings.load_profile("mqlab")


def pytest_collection_finish(session):
    """Take eleven thousand tests and all modules out of the garbage collector's sight, and let it look less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_unconfigure(config):
    """Give the garbage collector back what it did not see: DuckDB tells of everything that is left at the end."""
    gc.unfreeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Each file is for one worker. All that need Spark are for the same, because a second Java takes long to start, and
    so are all that need the course in a page, which is built once unless it is there."""
    from xdist.scheduler import LoadFileScheduling

    class OneSpark(LoadFileScheduling):
        def _split_scope(self, nodeid):
            if nodeid.startswith("tests/browser/test_lite") and not os.environ.get("MQLAB_LITE_FOLDER"):
                return "lite"
            return "spark" if needs_spark(nodeid) and not nodeid.startswith(OWN) else super()._split_scope(nodeid)

    return OneSpark(config, log) if config.getvalue("dist") == "loadfile" else None


WITHOUT_SPARK = tuple(
    f"tests/pipeline/{name}."
    for name in (
        *("test_charts", "test_statistics", "traffic/test_estate", "traffic/test_generate", "traffic/test_replay"),
        *("workloads/test_draws", "workloads/test_workloads"),
    )
)


OWN = ("tests/pipeline/test_cluster.", "tests/pipeline/test_java.")
"""Those with Spark that start it in processes of their own."""


def needs_spark(nodeid):
    """Whether a test is one of those with Spark."""
    return nodeid.startswith("tests/pipeline/") and not nodeid.startswith(WITHOUT_SPARK)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items):
    """Mark those that take the fixture of that name with `spark`. Those with Spark come first, and those of the course
    in a page: they are the longest part that one worker must do alone."""
    for item in items:
        if "spark" in item.fixturenames:
            item.add_marker("spark")
    items.sort(key=lambda item: not (needs_spark(item.nodeid) or item.nodeid.startswith("tests/browser/test_lite.")))


def pytest_runtest_setup(item):
    """Skip what needs a room that this copy of the package has left out: tests/engine makes such copies."""
    for mark in item.iter_markers("needs"):
        if gone := next((gone for room in mark.args if (gone := left_out(room))), None):
            assert gone in BELOW, f"{gone} is no room of mqlab"
            pytest.skip(f"this copy of mqlab has no mqlab.{gone}")


@contextmanager
def closing():
    """Close the labs that begin in this block at its end: a program that waits keeps its lab in memory, and the garbage
    collector would walk hundreds of labs for every other test."""
    labs = mqlab.engine.lab.Lab
    begun, init = [], labs.__init__

    @wraps(init)
    def begin(lab, *args, **kwargs):
        init(lab, *args, **kwargs)
        begun.append(ref(lab))

    labs.__init__ = begin
    try:
        yield
    finally:
        labs.__init__ = init
        for lab in [lab for each in begun if (lab := each()) is not None]:
            with suppress(ProgramDied):
                lab.close()


@pytest.fixture(autouse=True, scope="module")
def _labs_of_a_module_are_closed():
    with closing():
        yield


@pytest.fixture(autouse=True)
def _labs_are_closed(_labs_of_a_module_are_closed):
    with closing():
        yield


@pytest.fixture
def quiet_collector():
    """Let the garbage collector call nobody: Ctrl-C that comes in a callback of Hypothesis is lost, with a warning."""
    called = [*gc.callbacks]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = called


ENGINE = ("engine",)


@pytest.fixture
def lab(request):
    """A lab that begins on Monday 6 January 2025 at 09:00 UTC: the engine's own for the engine's tests that need no
    extra."""
    of_engine = Path(request.path).relative_to(Path(__file__).parent).parts[0] in ENGINE
    return mqlab.engine.lab.Lab() if of_engine and not request.node.get_closest_marker("needs") else Lab()


@pytest.fixture
def qm(lab):
    """Queue manager QM1 with ORDERS (priority order), FIFO (arrival order), SMALL (two messages) and REPLIES."""
    qmgr = lab.queue_manager("QM1", level=530)  # expired messages wait for a call that meets them
    qmgr.mqsc("""
        DEFINE QLOCAL(ORDERS)
        DEFINE QLOCAL(FIFO) MSGDLVSQ(FIFO)
        DEFINE QLOCAL(SMALL) MAXDEPTH(2) MAXMSGL(10)
        DEFINE QLOCAL(REPLIES)
        """).require()
    return qmgr


@pytest.fixture(autouse=True)
def _marked_rules_have_their_event(request, monkeypatch):
    """Hold a rule marker to an event: some lab of the test must have named the rule."""
    marks = list(request.node.iter_markers("rule"))
    for mark in marks:
        for id in mark.args:
            assert id in RULES, f"the test is marked with rule {id}, which the rule book does not have"
    wanted = [id for mark in marks if mark.kwargs.get("event", True) for id in mark.args]
    if not wanted:
        yield
        return
    logs = []

    start = EventLog.__init__

    def watched(self, *args, **kwargs):
        start(self, *args, **kwargs)
        logs.append(self)

    monkeypatch.setattr(EventLog, "__init__", watched)
    yield
    named = {rule for log in logs for rule in log.column("rule")}
    missing = [id for id in wanted if id not in named]
    assert not missing, f"no event of this test names {', '.join(missing)}"


@pytest.fixture
def state():
    """A function that gives everything a command could change on a queue manager."""

    def read(qmgr):
        objects = [(d.kind, d.name, dict(d.attributes)) for d in qmgr.objects.everything()]
        depths = [(d.name, qmgr.depth(d.name)) for d in qmgr.objects.match(("QLOCAL",), "*")]
        return objects, depths, dict(qmgr.attributes)

    return read
