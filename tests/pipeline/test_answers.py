"""What a question takes, and what its answer says of its columns."""

from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
from pipeline.answers import every_answer
from pyspark.sql.types import StructType

from helpers import lab_error
from mqlab.engine.world.event import COLUMNS
from mqlab.pipeline import instrumentation, questions
from mqlab.pipeline.answers import ANSWERS
from mqlab.pipeline.read import schema
from mqlab.pipeline.watch import watch

RECORDS = ["performance", "refusals", "channel_events", "changes"]
RECORDS += ["queue_statistics", "channel_statistics", "queue_accounting"]
START = datetime(2025, 1, 6, tzinfo=UTC)


@pytest.fixture(scope="module")
def answers(spark, told):
    """Every answer there is, by its question."""
    records = spark.createDataFrame([], instrumentation.SCHEMA)
    of_records = {name: getattr(instrumentation, name)(records) for name in RECORDS}
    more = {"lazy_expiry": questions.lazy_expiry(told), "watch": watch(told, START), **of_records}
    return {**every_answer(told), **more}


def comments(frame):
    return {each.name: each.metadata.get("comment") for each in frame.schema}


def test_every_column_of_every_answer_says_what_it_means(answers):
    everything = {name for name, each in vars(questions).items() if callable(each)} | {"watch", *RECORDS}
    assert answers.keys() == ANSWERS.keys() == everything
    for name, frame in answers.items():
        assert list(comments(frame).items()) == list(ANSWERS[name].comments.items()), name
        for column, said in comments(frame).items():
            assert said.index(" (unit: ") < said.index("; null: "), (name, column)
    for column, said in ANSWERS["fate"].comments.items():
        assert f"{column}: {said}" in questions.fate.__doc__


def test_comments_survive_chains_and_tables(spark, told, tmp_path):
    fates = told.transform(questions.fate).where("fate = 'got'").orderBy("put_us")
    told_of = comments(fates.transform(questions.journeys).transform(questions.latency_by_route).limit(3))
    assert told_of == ANSWERS["latency_by_route"].comments
    fates.write.option("path", str(tmp_path / "fates")).saveAsTable("fates_of_a_test")
    try:
        described = {row.col_name: row.comment for row in spark.sql("DESCRIBE fates_of_a_test").collect()}
    finally:
        spark.sql("DROP TABLE fates_of_a_test")
    assert described == comments(spark.read.parquet(str(tmp_path / "fates"))) == ANSWERS["fate"].comments


@pytest.mark.parametrize("name", sorted(ANSWERS.keys() - {"watch", *RECORDS}))
def test_a_question_reads_no_other_columns_than_it_names(spark, answers, name):
    frames = []
    for source, reads in ANSWERS[name].takes.values():
        of = {"log": schema(), "calls": questions.expiry.ASKED, "identifiers": questions.expiry.IDENTIFIED}
        fields = of[source] if source in of else answers[source].schema
        frame = spark.createDataFrame([], fields)
        frames.append(frame.select(*reads))
    assert getattr(questions, name)(*frames).columns == answers[name].columns


LOG = "{} needs an event log as `{}`; {}. Pass read_events(spark, path)"
WRONG = {
    "pandas": (
        "fate",
        [pd.DataFrame({"seq": [1, 2]})],
        LOG.format("fate", "events", "got the type DataFrame of pandas"),
    ),
    "a path": ("depth", ["log.parquet"], LOG.format("depth", "events", "got 'log.parquet'")),
    "a Path": ("counts", [Path("log")], LOG.format("counts", "events", r"got PosixPath\('log'\)")),
    "None": ("failures", [None], LOG.format("failures", "events", "got None")),
    "a list": ("ends", [[1]], LOG.format("ends", "events", "got the type list")),
    "no log": ("fate", ["range"], LOG.format("fate", "events", "this frame lacks seq, time_us, qmgr, .*, detail")),
    "another answer": (
        "journeys",
        ["counts"],
        r"journeys needs the answer of fate as `fates`; this frame has the columns of counts. Pass fate\(events\)",
    ),
    "the log": (
        "dead_letter_reasons",
        ["log"],
        r"the answer of dead_letters as `letters`; this frame has the columns of an event log. Pass dead_letters",
    ),
    "the last but one": (
        "latency_by_route",
        ["fate"],
        r"the answer of journeys as `ways`; this frame has the columns of fate. Pass journeys\(fates\)",
    ),
    "the wrong order": (
        "slow_readers",
        ["discarded", "log"],
        LOG.format("slow_readers", "events", "this frame has the columns of discarded"),
    ),
    "one right": (
        "slow_readers",
        ["log", None],
        r"the answer of discarded as `discards`; got None. Pass discarded\(events\)",
    ),
    "optional": (
        "lazy_expiry",
        ["log", "counts"],
        "needs a row for each call .* as `asked`; this frame has the columns",
    ),
    "a live log": ("watch", ["why_expired", START], LOG.format("watch", "stream", "this frame has .* of why_expired")),
    "records": (
        "performance",
        ["log"],
        r"performance needs records of amqsevt .* Pass read_instrumentation\(spark, path\)",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_frame_of_the_wrong_kind_is_refused_in_one_sentence_before_any_job(spark, told, answers, what, capfd):
    name, given, words = WRONG[what]
    frames = {"log": told, "range": spark.range(1), **answers}
    values = [frames[each] if isinstance(each, str) and each in frames else each for each in given]
    ask = watch if name == "watch" else getattr(questions, name, None) or getattr(instrumentation, name)
    spark.sparkContext.setJobGroup(what, what)
    try:
        lab_error(f"^[^\n]*{words}[^\n]*$", ask, *values)
    finally:
        spark.sparkContext.setJobGroup(None, None)
    assert not spark.sparkContext.statusTracker().getJobIdsForGroup(what)
    assert capfd.readouterr() == ("", "")


def test_values_of_the_wrong_type_are_refused_without_what_spark_writes(spark, capfd):
    fields = StructType([each for each in schema() if each.name != "time_us"]).add("time_us", "array<int>")
    lab_error("discarded needs DataFrames", questions.discarded, spark.createDataFrame([], fields.add("x", "int")))
    assert set(COLUMNS) < set(fields.names)
    assert capfd.readouterr() == ("", "")
