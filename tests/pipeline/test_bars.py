"""Progress bars: on questions that take longer, where somebody can see them, and nowhere else."""

import sys
import threading
from time import sleep
from types import SimpleNamespace

import pytest
import tqdm.auto
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from mqlab.pipeline import bars, session
from mqlab.pipeline.sweep import sweep


def watchers():
    return [thread for thread in threading.enumerate() if thread.name == "mqlab bars"]


@pytest.fixture
def seen(monkeypatch):
    """The bars that a terminal shows: how far each came, and whether it is gone."""
    shown = []

    class Bar(tqdm.auto.tqdm):
        def __init__(self, **given):
            super().__init__(**{**given, "disable": False})
            shown.append(self)
            self.most = self.gone = 0

        def refresh(self, *args, **more):
            self.most = max(getattr(self, "most", 0), self.n)

        def close(self):
            self.gone += 1
            super().close()

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("MQLAB_STATIC", raising=False)
    yield shown
    threads = watchers()
    bars._watched.clear()
    for thread in threads:
        thread.join()


def slowly(batches):
    for batch in batches:
        sleep(0.5)
        yield batch


def slow(spark):
    """Four tasks of half a second, one after another on each core."""
    return spark.range(0, 8, 1, 8).mapInArrow(slowly, "id long").repartition(3).count()


def test_nothing_is_watched_where_nobody_looks(spark, seen, monkeypatch):
    monkeypatch.setenv("CI", "true")
    session()
    monkeypatch.delenv("CI")
    monkeypatch.setenv("MQLAB_STATIC", "1")
    session()
    monkeypatch.delenv("MQLAB_STATIC")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    sweep(spark, "expiring", {"duration": 1}, seeds=1)
    assert watchers() == []


@pytest.mark.cluster
def test_a_question_that_takes_longer_shows_one_bar_while_it_runs(spark, seen, monkeypatch):
    InteractiveShell.instance()
    session()
    session()
    assert len(watchers()) == 1
    monkeypatch.setattr(bars, "PATIENCE", 3600)
    slow(spark)
    monkeypatch.setattr(bars, "PATIENCE", 0.5)
    with bars.hidden():
        slow(spark)
    with capture_output():
        slow(spark)
    assert seen == [], "not of a shorter question, and not where a call hides it or a notebook keeps what is displayed"
    assert slow(spark) == 8
    watchers()[0].join(1)
    assert len(seen) >= 1
    assert all(bar.gone == 1 and not bar.leave for bar in seen)
    assert 0 < max(bar.most for bar in seen) <= seen[-1].total
    assert {bar.unit for bar in seen} == {"task"}


def test_what_spark_connect_reports_is_shown(seen):
    class SparkSession:
        """A session of Spark Connect that reports what it is told to."""

        def registerProgressHandler(self, handler):
            self.handler = handler

    SparkSession.__module__ = "pyspark.sql.connect.session"
    connect = SparkSession()
    bars.show(connect)
    stages = [SimpleNamespace(num_tasks=4, num_completed_tasks=done) for done in (4, 1)]
    connect.handler(stages=[], inflight_tasks=0, operation_id="a", done=False)
    assert seen == []
    connect.handler(stages=stages, inflight_tasks=2, operation_id="a", done=False)
    assert [(bar.n, bar.total, bar.gone) for bar in seen] == [(5, 8, 0)]
    connect.handler(stages=stages, inflight_tasks=0, operation_id="a", done=True)
    connect.handler(stages=stages, inflight_tasks=0, operation_id="b", done=True)
    assert [bar.gone for bar in seen] == [1]
