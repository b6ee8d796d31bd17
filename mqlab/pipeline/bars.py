"""A progress bar for every question to Spark that takes longer than PATIENCE, if someone can see it."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE = 2.0
"""Seconds without a bar, as Spark Connect waits by itself before it reports progress."""
IDLE, BUSY = 0.25, 0.1  # seconds between two looks at the jobs: without a bar, and with one
GAP = 1.0  # seconds between two jobs of one question

_watched: WeakSet[Any] = WeakSet()
_hidden = 0


def show(spark: SparkSession) -> None:
    """Show a bar for each question of this session that takes longer than PATIENCE; without a terminal or a notebook,
    and if CI or MQLAB_STATIC is set, nothing happens."""
    if not visible():
        return
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        if spark not in _watched:
            spark.registerProgressHandler(_reported())
            _watched.add(spark)
    elif spark.sparkContext not in _watched:
        _watched.add(spark.sparkContext)
        over = threading.Event()
        atexit.register(over.set)
        threading.Thread(target=_watch, args=(spark.sparkContext, over), daemon=True, name="mqlab bars").start()


@contextmanager
def hidden(hide: bool = True) -> Iterator[None]:
    """Show no bar for the questions of a ``with`` block."""
    global _hidden
    _hidden += hide
    try:
        yield
    finally:
        _hidden -= hide


def _shell() -> Any:
    """IPython's shell, None outside IPython."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def visible() -> bool:
    """Return True if someone can see a bar, in a notebook or a terminal."""
    if os.environ.get("CI") or os.environ.get("MQLAB_STATIC", "") not in ("", "0"):
        return False
    shell = _shell()
    return hasattr(shell, "kernel") or sys.stderr.isatty()


def _captured() -> bool:
    """Return True if a notebook keeps the displayed output, as for an experiment; such output must have no widget."""
    shell = _shell()
    if shell is None:
        return False
    from IPython.core.displaypub import CapturingDisplayPublisher

    return isinstance(shell.display_pub, CapturingDisplayPublisher)


class _Bar:
    """A bar of tasks, which is there between `move` and `close`."""

    def __init__(self) -> None:
        self.bar: Any = None

    def move(self, done: int, tasks: int) -> None:
        from tqdm.auto import tqdm

        if self.bar is None:
            self.bar = tqdm(total=tasks, desc="Spark", unit="task", leave=False, disable=None)
        self.bar.total, self.bar.n = tasks, done
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        self.bar = None


def _watch(context: Any, over: threading.Event) -> None:
    """Look at the jobs of a session until it is stopped."""
    tracker, bar, jobs = context.statusTracker(), _Bar(), set[int]()
    since = last = monotonic()
    while not over.wait(IDLE if bar.bar is None else BUSY) and context in _watched and context._jsc is not None:
        try:
            active, now = set(tracker.getActiveJobsIds()), monotonic()
            if _hidden or not active or _captured():
                bar.close()
                continue
            if now - last > GAP:
                jobs, since = set(), now
            jobs, last = jobs | active, now
            if now - since >= PATIENCE:
                bar.move(*_progress(tracker, jobs))
        except Exception:  # noqa: BLE001  Java has ended, and with it the session; a bar must never end a program
            break
    bar.close()
    _watched.discard(context)


def _progress(tracker: Any, jobs: set[int]) -> tuple[int, int]:
    """How many tasks of jobs are done, and how many there are."""
    numbers = {number for job in jobs for number in getattr(tracker.getJobInfo(job), "stageIds", ())}
    stages = [stage for number in numbers if (stage := tracker.getStageInfo(number)) is not None]
    return sum(stage.numCompletedTasks for stage in stages), sum(stage.numTasks for stage in stages)


def _reported() -> Any:
    """A handler of the progress that Spark Connect reports."""
    bars: dict[str | None, _Bar] = {}

    def handle(stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        if done:
            bars.pop(operation_id, _Bar()).close()
        elif stages and not _hidden and not _captured():
            parts = sum(stage.num_completed_tasks for stage in stages), sum(stage.num_tasks for stage in stages)
            bars.setdefault(operation_id, _Bar()).move(*parts)

    return handle
