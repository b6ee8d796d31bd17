"""What a question takes, and what its answer says of its columns."""

from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
from pipeline.answers import every_answer
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, LongType, StructType

from helpers import lab_error, refusal
from mqlab import LabError
from mqlab.engine.world.event import COLUMNS
from mqlab.pipeline import instrumentation, questions
from mqlab.pipeline.answers import COMMENTS, TABLE
from mqlab.pipeline.questions import expiry
from mqlab.pipeline.read import parsed, schema
from mqlab.pipeline.watch import watch

RECORDS = ["performance", "refusals", "channel_events", "changes"]
RECORDS += ["queue_statistics", "channel_statistics", "queue_accounting"]
START = datetime(2025, 1, 6, tzinfo=UTC)


@pytest.fixture(scope="module")
def answers(spark, told):
    """Every answer there is, by its question."""
    records = parsed(spark.createDataFrame([], "file string, value string"), instrumentation.ABOUT, lambda *text: [])
    of_records = {name: getattr(instrumentation, name)(records) for name in RECORDS}
    more = {"lazy_expiry": questions.lazy_expiry(told), "watch": watch(told, START), **of_records}
    return {**every_answer(told), **more}


def comments(frame):
    return {each.name: each.metadata.get("comment") for each in frame.schema}


def test_every_column_of_every_answer_says_what_it_means(answers):
    everything = {name for name, each in vars(questions).items() if callable(each)} | {"watch", *RECORDS}
    assert answers.keys() == COMMENTS.keys() == everything
    for name, frame in answers.items():
        assert list(comments(frame).items()) == list(COMMENTS[name].items()), name
        for column, said in comments(frame).items():
            assert said.index(" (unit: ") < said.index("; null: "), (name, column)
    for column, said in COMMENTS["fate"].items():
        assert f"{column}: {said}" in questions.fate.__doc__


def test_comments_survive_chains_and_tables(spark, told, tmp_path):
    fates = told.transform(questions.fate).where("fate = 'got'").orderBy("put_us")
    told_of = comments(fates.transform(questions.journeys).transform(questions.latency_by_route).limit(3))
    assert told_of == COMMENTS["latency_by_route"]
    fates.write.option("path", str(tmp_path / "fates")).saveAsTable("fates_of_a_test")
    try:
        described = {row.col_name: row.comment for row in spark.sql("DESCRIBE fates_of_a_test").collect()}
    finally:
        spark.sql("DROP TABLE fates_of_a_test")
    assert described == comments(spark.read.parquet(str(tmp_path / "fates"))) == COMMENTS["fate"]


def test_a_question_reads_no_other_columns_than_it_names(spark, answers):
    schemas = {"log": schema(), "calls": expiry.ASKED, "identifiers": expiry.IDENTIFIED}
    schemas |= {name: frame.schema for name, frame in answers.items()}
    for name in answers.keys() - {"watch", *RECORDS}:
        takes = TABLE[name]["takes"].values()
        frames = [spark.createDataFrame([], schemas[source]).select(*reads.split()) for source, reads in takes]
        assert set(answers[name].columns) - set(getattr(questions, name)(*frames).columns) <= passed_on(name), name


def test_columns_of_a_log_with_any_names_are_in_no_question_s_way(spark, told, answers):
    names = ("moment", "broken", "back_seq", "back_message", "back_uow", "restore seq", "settled_us", "over", "stay")
    more = told.withColumns({name: F.lit(1) for name in names})
    for name in sorted(answers.keys() - {"watch", *RECORDS}):
        sources = [source for source, _ in TABLE[name]["takes"].values()]
        if sources == ["log"]:
            found = getattr(questions, name)(more, check=False)
            assert found.schema == answers[name].schema, name
    assert watch(more, START).schema == answers["watch"].schema


def passed_on(name):
    """The columns of an answer that are those of the frame, read or not."""
    return COMMENTS["discarded"].keys() if name == "why_expired" else set()


LOG = "{} needs an event log as `{}`; {}. Pass read_events(spark, path)"
OTHER = "{} needs the answer of {} as `{}`; {}. Pass {}"
WRONG = [
    ("fate", ["column"], LOG.format("fate", "events", "got a Column of pyspark")),
    ("fate", [pd.DataFrame({"seq": [1, 2]})], LOG.format("fate", "events", "got a DataFrame of pandas")),
    ("depth", ["log.parquet"], LOG.format("depth", "events", "got 'log.parquet'")),
    ("counts", [Path("log")], LOG.format("counts", "events", f"got {Path('log')!r}")),
    ("failures", [None], LOG.format("failures", "events", "got None")),
    ("ends", [[1]], LOG.format("ends", "events", "got a list")),
    ("retries", ["range"], LOG.format("retries", "events", f"this frame lacks {', '.join([*COLUMNS[:6], 'detail'])}")),
    (
        "journeys",
        ["counts"],
        OTHER.format("journeys", "fate", "fates", "this frame has the columns of counts", "fate(events)"),
    ),
    (
        "dead_letter_reasons",
        ["log"],
        "answer of dead_letters as `letters`; this frame has the columns of an event log. Pass dead_letters(events)",
    ),
    (
        "latency_by_route",
        ["fate"],
        OTHER.format("latency_by_route", "journeys", "ways", "this frame has the columns of fate", "journeys(fates)"),
    ),
    (
        "slow_readers",
        ["discarded", "log"],
        LOG.format("slow_readers", "events", "this frame has the columns of discarded"),
    ),
    (
        "slow_readers",
        ["log", None],
        OTHER.format("slow_readers", "discarded", "discards", "got None", "discarded(events)"),
    ),
    ("lazy_expiry", ["log", "counts"], "than any message as `asked`; this frame has the columns of counts"),
    ("watch", ["why_expired", START], LOG.format("watch", "stream", "this frame has the columns of why_expired")),
    (
        "performance",
        ["log"],
        "performance needs records of amqsevt as `events`; this frame has the columns of an event log",
    ),
]


def test_a_frame_of_the_wrong_kind_is_refused_in_one_sentence_before_any_job(spark, told, answers, capfd):
    frames = {"log": told, "range": spark.range(1), "column": F.col("seq"), **answers}
    capfd.readouterr()
    spark.sparkContext.setJobGroup("refused", "refused")
    try:
        for name, given, words in WRONG:
            values = [frames[each] if isinstance(each, str) and each in frames else each for each in given]
            ask = watch if name == "watch" else getattr(questions, name, None) or getattr(instrumentation, name)
            refused = str(refusal(LabError, "", ask, *values))
            assert words in refused
            assert "\n" not in refused
        assert not spark.sparkContext.statusTracker().getJobIdsForGroup("refused")
    finally:
        spark.sparkContext.setJobGroup(None, None)
    assert capfd.readouterr() == ("", "")


def test_values_of_the_wrong_type_are_refused_without_what_spark_writes(spark, capfd):
    fields = StructType([each for each in schema() if each.name != "time_us"]).add("time_us", ArrayType(LongType()))
    frame = spark.createDataFrame([], fields).drop("msg_id")
    capfd.readouterr()
    lab_error(
        r"discarded needs the types of an event log in `events`; got time_us as array<bigint>",
        questions.discarded,
        frame,
    )
    assert capfd.readouterr() == ("", "")
