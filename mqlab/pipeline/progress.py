"""A progress bar over one Spark job, moved by the tasks that are done."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["progress_bar"]

INTERVAL = 0.2  # seconds between two looks at how far the job is


@contextmanager
def progress_bar(spark: SparkSession, total: int, unit: str, shown: bool) -> Iterator[None]:
    """Show how far the one job of a ``with`` block is, counted in `total` of `unit`.

    There is none where `shown` is false, where CI is set, and where neither a terminal nor a notebook is there to show
    it.
    """
    if not shown or os.environ.get("CI"):
        yield
        return
    from tqdm.auto import tqdm

    context, group, over = spark.sparkContext, f"mqlab-{uuid4()}", threading.Event()
    with tqdm(total=total, unit=unit, disable=None) as bar:
        if bar.disable:
            yield
            return
        context.setJobGroup(group, f"mqlab: {total} {unit}s")
        watcher = threading.Thread(target=_watch, args=(context.statusTracker(), group, bar, over), daemon=True)
        watcher.start()
        try:
            yield
            over.set()
            watcher.join()
            bar.update(total - bar.n)
        finally:
            over.set()
            for name in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
                context.setLocalProperty(name, None)


def _watch(tracker, group: str, bar, over: threading.Event) -> None:
    """Move the bar until the job is over."""
    while not over.wait(INTERVAL):
        stages = [
            stage
            for job in tracker.getJobIdsForGroup(group)
            for number in getattr(tracker.getJobInfo(job), "stageIds", ())
            if (stage := tracker.getStageInfo(number)) is not None
        ]
        tasks = sum(stage.numTasks for stage in stages)
        done = sum(stage.numCompletedTasks for stage in stages)
        if tasks:
            bar.update(bar.total * done // tasks - bar.n)
