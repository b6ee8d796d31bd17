"""Frames of several labs: every question answers as if each lab had been asked alone, or refuses."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from pipeline.answers import every_answer
from pyspark.sql import functions as F

from helpers import cases, lab_error, refusal, some
from mqlab.engine.words.errors import LabError
from mqlab.pipeline import instrumentation, questions, workloads
from mqlab.pipeline import labs as labs_module
from mqlab.pipeline.answers import COMMENTS
from mqlab.pipeline.charts.messages import depth_chart
from mqlab.pipeline.read import read_events
from mqlab.pipeline.source import register
from mqlab.pipeline.watch import watch

QUESTIONS = {name for name, each in vars(questions).items() if callable(each)} - {"lazy_expiry"} | {"watch"}
NAMES = ("A", "B")


def asked(events):
    """Every question's answer about a log."""
    return {**every_answer(events), "watch": watch(events, datetime(2025, 1, 6, tzinfo=UTC), "20 seconds")}


@pytest.fixture(scope="module")
def single(spark, labs, tmp_path_factory):
    """The logs of two labs with the same queue managers and queues, by name."""
    folder, found = tmp_path_factory.mktemp("labs"), {}
    for name, number in zip(NAMES, (labs.CALLS + 1, labs.CALLS + 3), strict=True):
        labs.make(number).lab.events.write_parquet(folder / f"{name}.parquet")
        found[name] = read_events(spark, folder / f"{name}.parquet").cache()
    return found


@pytest.fixture(scope="module")
def both(single):
    first, other = (frame.withColumn("lab", F.lit(name)) for name, frame in single.items())
    return asked(first.unionByName(other).cache())


def rows(frame, **more):
    return counted(frame.collect(), **more)


def counted(rows, **more):
    return Counter(str(sorted({**row.asDict(True), **more}.items())) for row in rows)


@pytest.fixture(scope="module")
def collected(single):
    """The rows of each answer about lab B, asked alone."""
    return {name: frame.collect() for name, frame in asked(single["B"]).items()}


@pytest.fixture(scope="module")
def alone(collected):
    """The same, with the name of the lab."""
    return {name: counted(rows, lab="B") for name, rows in collected.items()}


def test_a_column_has_nulls_only_if_its_comment_says_when(collected):
    for name, rows in collected.items():
        for column in (column for column, said in COMMENTS[name].items() if "null: never" in said):
            assert all(row[column] is not None for row in rows), (name, column)


@pytest.mark.parametrize("name", some(sorted(QUESTIONS), 12))
def test_a_lab_in_a_frame_of_two_is_answered_as_alone(both, alone, name):
    assert (both.keys(), rows(both[name].where("lab = 'B'"))) == (QUESTIONS, alone[name])
    assert alone[name]


OTHER = {"ansi.enabled": "false", "caseSensitive": "true", "session.timeZone": "Asia/Kathmandu"}


@pytest.mark.cluster
def test_no_answer_depends_on_the_settings_or_the_locale_of_the_session(spark, single, alone):
    usual = {f"spark.sql.{name}": spark.conf.get(f"spark.sql.{name}") for name in OTHER}
    locale = spark._jvm.java.util.Locale
    before = locale.getDefault()
    locale.setDefault(locale.forLanguageTag("tr-TR"))
    try:
        for name, value in OTHER.items():
            spark.conf.set(f"spark.sql.{name}", value)
        for name, frame in asked(single["B"]).items():
            assert rows(frame, lab="B") == alone[name], name
    finally:
        locale.setDefault(before)
        for name, value in usual.items():
            spark.conf.set(name, value)


@pytest.mark.cluster
def test_replicas_are_answered_as_each_seed_alone(spark, tmp_path):
    register(spark)
    reader = spark.read.format("mqlab").option("scenario", "expiring").option("duration", 12).option("expiry", 10)
    found = rows(questions.fate_summary(reader.option("replicas", 3).load().cache()))
    wanted = Counter()
    for seed in range(3):
        path = tmp_path / f"{seed}.parquet"
        workloads.find("expiring").run(seed, duration=12, expiry=10).events.write_parquet(path)
        wanted += rows(questions.fate_summary(read_events(spark, path)), replica=seed, seed=seed)
    assert found == wanted


def test_rows_that_name_no_lab_or_not_the_right_one_are_refused(single):
    named = single["A"].withColumn("lab", F.lit("A"))
    lab_error("lazy_expiry needs the log of one lab; this has lab", questions.lazy_expiry, named)
    mixed = single["A"].withColumn("lab", F.lit("A")).unionByName(single["B"], allowMissingColumns=True)
    lab_error("every row must name its lab", questions.consumers, mixed)
    events = single["A"]
    with pytest.raises(LabError, match="discards must come from the same log"):
        questions.slow_readers(events.withColumn("lab", F.lit("A")), questions.discarded(events))


@pytest.mark.parametrize("ask", [questions.fate_summary, questions.failures, questions.counts, questions.batches])
def test_labs_that_nothing_tells_apart_and_rows_delivered_twice_are_refused(single, ask):
    puts = [single[name].where("kind = 'put'") for name in NAMES]
    for twice in (
        single["A"].union(single["B"]),
        single["A"].union(puts[0]),
        puts[0].union(puts[0]),
        puts[0].union(puts[1]),
    ):
        lab_error(r"must have each row of a lab once; row \d+ \(seq\) is there 2 times\.", ask, twice)
    named = single["A"].withColumn("lab", F.lit("A"))
    with pytest.raises(LabError, match=r"row \d+ \(seq\) of lab A is there 2 times"):
        ask(named.union(named))


def test_rows_that_no_lab_writes_are_refused_in_a_frame_of_ones_own(spark, single, tmp_path):
    log, said = single["A"].drop("msg_id"), "an event log must have rows that a lab can write; row"
    log.coalesce(1).write.csv(f"{tmp_path}/log", header=True, escape='"')
    doubled = spark.read.csv(f"{tmp_path}/log", header=True)  # Spark's own escape is a backslash
    sites = spark.createDataFrame([("QM1", "Oslo")], "qmgr string, site string")
    for frame, what in (
        (doubled, "has a detail that is no JSON object"),
        (log.join(sites, "qmgr", "left").withColumn("depth", F.lit(-1)), "has depth -1"),
    ):
        lab_error(rf"{said} \d+ \(seq\) {what}", questions.dead_letters, frame.withColumn("msg_id", F.lit(None)))
    sentences = single["A"].withColumn("detail", F.lit("put by SHOP"))  # as a log of version 1 has them
    assert questions.fate(sentences).count() == questions.fate(single["A"]).count()


def test_a_frame_is_checked_once_and_not_again_for_a_part_of_it(single, monkeypatch):
    checked = []
    monkeypatch.setattr(labs_module, "_check", lambda frame, names, *_: checked.append(names))
    events = single["A"].where("kind = 'put'").select("*")
    assert (labs_module.key(events), checked) == ([], [])
    named = events.withColumn("lab", F.lit("A"))
    assert labs_module.key(named) == labs_module.key(named.where("depth > 1").limit(9)) == ["lab"]
    assert checked == [["lab"]]
    labs_module.key(events.withColumn("seq", F.lit(1)))
    assert checked == [["lab"], []]


def test_threads_that_ask_at_once_leave_the_settings_of_the_session(spark, single):
    before = spark.conf.get("spark.sql.adaptive.enabled")
    spark.conf.set("spark.sql.adaptive.enabled", "true")
    try:
        frames = [single["A"].withColumn("lab", F.lit(name)) for name in "ABCDEF"]
        with ThreadPoolExecutor(len(frames)) as pool:
            list(pool.map(labs_module.key, frames))
        assert spark.conf.get("spark.sql.adaptive.enabled") == "true"
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", before)


def test_a_chart_is_of_one_lab_and_windows_must_be_readable(both, single):
    depths = both["depth"].toPandas()
    lab_error("rows must be those of one lab", depth_chart, depths, "ORDERS")
    depth_chart(depths[depths["lab"] == "A"], "ORDERS")
    start = datetime(2025, 1, 6, tzinfo=UTC)
    for name, text in (("window", "soon"), ("window", ""), ("window", "1 month"), ("late", "soon"), ("late", "-1 day")):
        lab_error(f"{name} must be a length of time", watch, single["A"], start, **{name: text})
    for text in ("1 MINUTE", "interval 1 hour 30 minutes", "1.5 seconds", "500 milliseconds"):
        watch(single["A"], start, text, text)


@cases(
    "ask",
    questions.fate,
    questions.fate_summary,
    questions.failures,
    questions.depth,
    questions.batches,
    instrumentation.performance,
    instrumentation.changes,
    lambda frame: watch(frame, datetime(2025, 1, 6, tzinfo=UTC)),
)
def test_a_frame_of_something_else_is_refused_in_a_sentence(spark, ask):
    for frame in (spark.range(1), spark.createDataFrame([("x",)], "seq string")):
        refused = refusal(LabError, "this frame lacks", ask, frame)
        assert "\n" not in str(refused)
