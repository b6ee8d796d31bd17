"""Logs in folders that Spark names for `partitionBy`, and tables of a catalog, answer as one file does."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from pipeline import test_plans
from pyspark.sql import functions as F

from helpers import lab_error, some
from mqlab.engine.world.event import COLUMNS
from mqlab.pipeline import questions
from mqlab.pipeline.read import read_events
from mqlab.pipeline.watch import watch

log, planned = test_plans.log, test_plans.planned
NAMES = ("007", "a/b", "a b+c", "100%", "x%2Fy", "ü:ß", "A=B", "it's", None)
DYNAMIC = "spark.sql.optimizer.dynamicPartitionPruning.enabled"


def rows(frame):
    return Counter(str(sorted(row.asDict(True).items())) for row in frame.collect())


def numbered(frame, by):
    """How many rows there are for each value of a column."""
    return {row[0]: row[1] for row in frame.groupBy(by).count().collect()}


@pytest.fixture(scope="module")
def renamed(told):
    """The story, whose rows are those of many queue managers."""
    names = F.array(*map(F.lit, NAMES))
    return told.withColumn("qmgr", names[F.expr(f"int(seq % {len(NAMES)})")])


@pytest.fixture(scope="module")
def three(told, tmp_path_factory):
    """A folder with the story of three labs: the third one is of another folder, and names its lab in its rows."""
    folder = tmp_path_factory.mktemp("three")
    for lab in ("00", "A"):
        told.withColumn("lab", F.lit(lab)).write.mode("append").partitionBy("lab").parquet(str(folder))
    told.withColumn("lab", F.lit("in rows")).write.parquet(str(folder / "more" / "kept"))
    return folder


def test_names_of_folders_are_the_values_that_they_stand_for(spark, told, renamed, tmp_path):
    renamed.write.partitionBy("qmgr", "kind").parquet(str(tmp_path / "log"))
    read = read_events(spark, tmp_path / "log")
    assert tuple(read.columns) == COLUMNS
    assert dict(read.dtypes) == dict(told.dtypes)
    assert read.schema["qmgr"].metadata == told.schema["qmgr"].metadata
    assert rows(read) == rows(renamed)
    [one] = (tmp_path / "log" / "qmgr=007" / "kind=put").glob("*.parquet")
    assert numbered(read_events(spark, one), "qmgr") == {
        "007": one and renamed.where("qmgr = '007' AND kind = 'put'").count()
    }


def test_labs_of_folders_and_of_rows_are_told_apart_also_in_lists(spark, told, three):
    count = told.count()
    read = read_events(spark, three)
    assert numbered(read, "lab") == {"00": count, "A": count, "in rows": count}
    alone = rows(questions.fate(told).withColumn("lab", F.lit("00")))
    assert rows(questions.fate(read).where("lab = '00'")) == alone
    for part in ([three / "lab=00", str(three / "lab=A")], f"{three}/lab=*", f"{three}/{{lab=00,lab=A,lab=A}}"):
        assert numbered(read_events(spark, part), "lab") == {"00": count, "A": count}
    assert numbered(read_events(spark, three / "lab=A"), "lab") == {"A": count}
    assert read_events(spark, [three / "lab=A", three / "lab=A"]).count() == count
    lab_error("the list of paths is empty", read_events, spark, [])
    lab_error("nowhere does not exist", read_events, spark, [three, three / "nowhere"])


def test_numbers_stay_numbers_and_other_columns_stay(spark, told, tmp_path):
    both = told.crossJoin(spark.range(2, 4).withColumnRenamed("id", "seed")).withColumn("day", F.lit("01"))
    both.write.partitionBy("day", "seed").parquet(str(tmp_path / "log"))
    read = read_events(spark, tmp_path / "log")
    assert dict(read.dtypes) == {**dict(told.dtypes), "seed": "bigint", "day": "string"}
    found = questions.fate_summary(read.where("seed = 3"))
    assert rows(found) == rows(questions.fate_summary(told).withColumn("seed", F.lit(3)))
    day = tmp_path / "log" / "day=01"
    (day / "seed=2").rename(day / "seed=02")
    assert numbered(read_events(spark, tmp_path / "log"), "seed") == {"02": told.count(), "3": told.count()}


def test_rows_of_one_lab_in_two_folders_are_refused_and_rows_without_a_lab_too(spark, told, story, three, tmp_path):
    told.withColumn("day", F.explode(F.array(F.lit(1), F.lit(2)))).write.partitionBy("day").parquet(str(tmp_path / "a"))
    lab_error(r"row 0 \(seq\) is there 2 times, in .*/day=1/.* and .*/day=2/", read_events, spark, tmp_path / "a")
    told.withColumn("lab", F.lit("A")).write.partitionBy("lab").parquet(str(tmp_path / "b" / "again"))
    lab_error(r"\(seq\) of lab A is there 2 times", read_events, spark, [three, tmp_path / "b"])
    story.write_parquet(tmp_path / "b" / "no lab.parquet")
    lab_error("rows have no lab", read_events, spark, tmp_path / "b")


def test_labs_in_folders_cost_no_scan_more_also_in_another_session(spark, log, three):
    asked = (questions.batches, questions.fate)
    wanted = [planned(ask(log))[0] for ask in asked]
    ours, by_spark = read_events(spark, three), spark.read.option("basePath", str(three)).parquet(f"{three}/lab=*")
    assert spark.conf.get(DYNAMIC) == "false"
    assert [planned(ask(by_spark))[0] for ask in asked] == wanted
    spark.conf.set(DYNAMIC, "true")
    try:
        assert [planned(ask(ours))[0] for ask in asked] == wanted
    finally:
        spark.conf.set(DYNAMIC, "false")


def test_a_filter_on_a_lab_opens_no_file_of_another(spark, told, tmp_path):
    labs = told.withColumn("lab", F.explode(F.array(F.lit("A"), F.lit("b/c"))))
    labs.repartition(1).write.partitionBy("lab").parquet(str(tmp_path / "log"))
    one = read_events(spark, tmp_path / "log").where("lab = 'b/c'")
    assert one.count() == told.count()
    plan = one.select("seq")._jdf.queryExecution().executedPlan()
    while not plan.nodeName().startswith("Scan"):
        plan = plan.children().head()
    plan.execute().count()
    assert plan.metrics().apply("numFiles").value() == 1


def in_capitals(frame):
    return (
        frame.select(*reversed(frame.columns))
        .toDF(*map(str.upper, reversed(frame.columns)))
        .withColumn("MOMENT", F.lit(1))
    )


def as_text(frame):
    return frame.withColumns(
        {
            **{name: F.col(name).cast("decimal(38,0)") for name in ("seq", "time_us", "message")},
            **{name: F.col(name).cast("string") for name in ("depth", "arrived_us", "persistent")},
        }
    )


def windows(events):
    return watch(events, datetime(2025, 1, 6, tzinfo=UTC))


def test_a_table_of_a_catalog_is_asked_the_same_questions(spark, told):
    labs = told.withColumn("lab", F.lit("A")).unionByName(told.withColumn("lab", F.lit("B")))
    spark.sql("DROP TABLE IF EXISTS events")
    in_capitals(as_text(labs)).write.partitionBy("LAB").saveAsTable("events")
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW seen AS SELECT * FROM events")
    asked = (questions.fate_summary, questions.depth, questions.failures, questions.discarded)
    for number, ask in enumerate(some((*asked, windows), 3)):
        frame = spark.table("seen") if number % 2 else spark.read.table("events")
        assert rows(ask(frame).where("lab = 'A'")) == rows(ask(told.withColumn("lab", F.lit("A"))))
    twice = spark.table("events").unionByName(spark.table("seen").limit(1))
    lab_error("must have each row of a lab once", questions.fate, twice)


def test_answers_and_parts_of_a_log_may_be_written_in_capitals_or_as_text(spark, told, tmp_path):
    labs = told.withColumn("lab", F.lit("A")).unionByName(told.withColumn("lab", F.lit("B")))
    fates, ended = questions.fate(labs), questions.ends(labs)
    for number, answer in enumerate(
        (in_capitals(fates).drop("MOMENT"), in_capitals(ended), labs.drop("msg_id", "detail"))
    ):
        answer.write.csv(str(tmp_path / str(number)), header=True)
    ways, times, part = (spark.read.csv(str(tmp_path / str(number)), header=True) for number in range(3))
    for found, wanted in (
        (questions.journeys(in_capitals(fates)), questions.journeys(fates)),
        (questions.journeys(ways), questions.journeys(fates)),
        (questions.time_on_queue(times), questions.time_on_queue(ended)),
        (questions.failures(part), questions.failures(labs)),
        (questions.counts(part), questions.counts(labs)),
    ):
        assert (rows(found), found.dtypes) == (rows(wanted), wanted.dtypes)
    by_id = told.withColumn("msg_id", F.base64("msg_id"))
    lab_error("got msg_id as string", questions.lazy_expiry, by_id, by_id, by_id)


def test_a_log_that_pandas_has_held_has_nulls_where_pandas_has_nan(told):
    numbers = ("message", "uow", "depth", "put_us", "arrived_us", "reason", "cause")
    nan = F.lit(float("nan"))
    held = told.withColumns({name: F.coalesce(F.col(name).cast("double"), nan) for name in numbers})
    for ask in (questions.failures, questions.fate_summary, questions.depth):
        assert rows(ask(held)) == rows(ask(told)), ask
