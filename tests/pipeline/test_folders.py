"""Logs in folders that Spark names for `partitionBy`, and tables of a catalog, answer as one file does."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from pipeline.test_plans import planned
from pyspark.sql import functions as F

from helpers import lab_error
from mqlab.engine.world.event import COLUMNS
from mqlab.pipeline import questions
from mqlab.pipeline.read import read_events
from mqlab.pipeline.watch import watch

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
    for some in ([three / "lab=00", str(three / "lab=A")], f"{three}/lab=*", f"{three}/{{lab=00,lab=A,lab=A}}"):
        assert numbered(read_events(spark, some), "lab") == {"00": count, "A": count}
    assert read_events(spark, three / "lab=A").columns == told.columns  # as Spark reads it
    assert read_events(spark, [three / "lab=A", three / "lab=A"]).count() == count
    lab_error("the list of paths is empty", read_events, spark, [])
    lab_error("nowhere does not exist", read_events, spark, [three, three / "nowhere"])


def test_numbers_stay_numbers_and_other_columns_stay(spark, told, tmp_path):
    both = told.crossJoin(spark.range(2, 4).withColumnRenamed("id", "seed")).withColumn("day", F.lit("01"))
    both.write.partitionBy("day", "seed").parquet(str(tmp_path))
    read = read_events(spark, tmp_path)
    assert dict(read.dtypes) == {**dict(told.dtypes), "seed": "bigint", "day": "string"}
    found = questions.fate_summary(read.where("seed = 3"))
    assert rows(found) == rows(questions.fate_summary(told).withColumn("seed", F.lit(3)))
    (tmp_path / "day=01" / "seed=2").rename(tmp_path / "day=01" / "seed=02")
    assert numbered(read_events(spark, tmp_path), "seed") == {"02": told.count(), "3": told.count()}


def test_rows_of_one_lab_in_two_folders_are_refused_and_rows_without_a_lab_too(spark, told, story, three, tmp_path):
    told.withColumn("day", F.explode(F.array(F.lit(1), F.lit(2)))).write.partitionBy("day").parquet(str(tmp_path / "a"))
    lab_error(r"row 0 \(seq\) is there 2 times, in .*/day=1/.* and .*/day=2/", read_events, spark, tmp_path / "a")
    told.withColumn("lab", F.lit("A")).write.partitionBy("lab").parquet(str(tmp_path / "b" / "again"))
    lab_error(r"\(seq\) of lab A is there 2 times", read_events, spark, [three, tmp_path / "b"])
    story.write_parquet(tmp_path / "b" / "no lab.parquet")
    lab_error("rows have no lab", read_events, spark, tmp_path / "b")


@pytest.mark.parametrize("name", ["batches", "fate", "slow_readers"])
def test_labs_in_folders_cost_no_scan_more_also_in_another_session(spark, told, three, tmp_path, name):
    told.coalesce(1).write.parquet(str(tmp_path))

    def scans(log):
        more = [questions.discarded(log)] if name == "slow_readers" else []
        return planned(getattr(questions, name)(log, *more))[0]

    assert spark.conf.get(DYNAMIC) == "false"
    wanted = scans(read_events(spark, tmp_path))
    assert scans(spark.read.parquet(str(three))) == wanted
    spark.conf.set(DYNAMIC, "true")
    try:
        assert scans(read_events(spark, three)) == wanted
    finally:
        spark.conf.set(DYNAMIC, "false")


def test_a_filter_on_a_folder_opens_no_other(spark, told, renamed, tmp_path):
    renamed.coalesce(1).write.partitionBy("qmgr").parquet(str(tmp_path))
    one = read_events(spark, tmp_path).where("qmgr = 'a/b'")
    assert one.count() > 0
    plan = one.select("seq")._jdf.queryExecution().executedPlan()
    while not plan.nodeName().startswith("Scan"):
        plan = plan.children().head()
    plan.execute().count()
    assert plan.metrics().apply("numFiles").value() == 1


def in_capitals(log):
    return (
        log.select(*reversed(log.columns)).toDF(*map(str.upper, reversed(log.columns))).withColumn("MOMENT", F.lit(1))
    )


def as_text(log):
    return log.withColumns(
        {
            **{name: F.col(name).cast("decimal(38,0)") for name in ("seq", "time_us", "message")},
            **{name: F.col(name).cast("string") for name in ("depth", "arrived_us", "persistent")},
        }
    )


@pytest.mark.parametrize("change", [in_capitals, as_text])
def test_a_table_of_a_catalog_is_asked_the_same_questions(spark, told, change):
    log = change(told.withColumn("lab", F.lit("A")).unionByName(told.withColumn("lab", F.lit("B"))))
    spark.sql("DROP TABLE IF EXISTS events")
    log.write.partitionBy("lab" if "lab" in log.columns else "LAB").saveAsTable("events")
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW seen AS SELECT * FROM events")
    asked = (questions.fate_summary, questions.depth, questions.failures, questions.discarded)
    for ask in (*asked, lambda events: watch(events, datetime(2025, 1, 6, tzinfo=UTC))):
        wanted = rows(ask(told.withColumn("lab", F.lit("A"))))
        for table in (spark.read.table("events"), spark.table("seen")):
            assert rows(ask(table).where("lab = 'A'")) == wanted
    twice = spark.table("events").unionByName(spark.table("seen").limit(1))
    lab_error("must have each row of a lab once", questions.fate, twice)
