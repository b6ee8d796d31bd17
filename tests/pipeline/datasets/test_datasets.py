"""The sample data sets: the committed ones are what the generator makes, small, and good for every question."""

from collections import Counter
from inspect import isfunction
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pipeline.answers import every_answer

from helpers import cases, lab_error, refusal, says
from mqlab.cli import cli
from mqlab.lab.checkout import NotACheckout
from mqlab.pipeline import datasets, questions
from mqlab.pipeline import instrumentation as measured
from mqlab.pipeline.datasets import frame, sites, two_sites
from mqlab.pipeline.instrumentation import read_instrumentation
from mqlab.pipeline.read import read_events

pytestmark = pytest.mark.spark

FOLDER = Path(__file__).parents[3] / "datasets"
LOG = FOLDER / "event-log.parquet"


@pytest.fixture(scope="module")
def log():
    return pq.read_table(LOG)


@pytest.fixture(scope="module")
def events(spark):
    return read_events(spark, LOG).cache()


# ---------------------------------------------------------------- the files that are committed
def test_the_committed_file_is_what_the_generator_makes(log, tmp_path):
    again = datasets.make(tmp_path)
    assert pq.read_table(again).equals(log)
    assert pq.read_table(again).schema.metadata == log.schema.metadata
    if pa.__version__ in pq.ParquetFile(LOG).metadata.created_by:
        assert again.read_bytes() == LOG.read_bytes()


def test_data_sets_are_small_have_sheets_and_sites_of_their_own():
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 5_000_000
    sheet = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in (path for path in FOLDER.iterdir() if path.name != "README.md"):
        assert f"`{path.name}{'/' if path.is_dir() else ''}`" in sheet
    assert all(f"`{column}`" in sheet for column in pq.read_schema(LOG).names)
    assert sheet.count("License: Apache-2.0") >= 3
    one, other = sites.site(7, 6_000, 3), sites.site(7, 600, 3)
    assert sites.site(7, 6_000, 3).equals(one)
    assert one.num_rows > 4 * other.num_rows
    assert not sites.site(8, 600, 3).equals(other)
    assert sites.site(7, sites.SITE_MESSAGES * 12, 3)["kind"].to_pylist().count("put") == pytest.approx(4_000, rel=0.1)
    assert (sites.sites(10_000_000), sites.sites(600)) == (2_500, len(sites.KINDS))


# ---------------------------------------------------------------- the event log
def test_numbers_are_unique_over_all_sites(log):
    assert pc.count_distinct(log["seq"]).as_py() == log.num_rows
    named = log.filter(pc.is_valid(log["message"]))
    site_of = {}
    for qmgr, message, uow in zip(*(log[name].to_pylist() for name in ("qmgr", "message", "uow")), strict=True):
        if qmgr is not None:
            site = qmgr.rpartition(".")[2]
            assert site_of.setdefault(("message", message), site) == site or message is None
            assert site_of.setdefault(("uow", uow), site) == site or uow is None
    assert 6_000 <= pc.count_distinct(named["message"]).as_py() < 12_000
    rows = dict(zip(log["seq"].to_pylist(), log["time_us"].to_pylist(), strict=True))
    caused = [(seq, cause) for seq, cause in zip(rows, log["cause"].to_pylist(), strict=True) if cause is not None]
    assert all(rows[cause] <= rows[seq] and cause // sites.SHIFT == seq // sites.SHIFT for seq, cause in caused)


@pytest.mark.cluster
def test_every_question_has_an_answer(events):
    asked = every_answer(events)
    assert asked.keys() | {"lazy_expiry"} == {name for name, each in vars(questions).items() if isfunction(each)}
    counted = {name: answer.count() for name, answer in asked.items()}
    assert min(counted.values()) > 0, counted


@pytest.mark.cluster
def test_expiry_as_sql_would_do_it_has_an_answer(compiled, events):
    assert questions.lazy_expiry(events).count() > 0


@pytest.mark.cluster
def test_a_question_to_one_site_is_answered_as_by_the_whole(spark, events, tmp_path):
    number = sites.KINDS.index("channel")
    pq.write_table(sites.site(7, 6_000, number), tmp_path / "site.parquet")
    ours = f"qmgr LIKE '%.{number:05d}'"
    whole, part = events, read_events(spark, tmp_path / "site.parquet").cache()
    for ask in (
        questions.ends,
        lambda events: questions.depth(events, 600).where("time_us <= 3000000000"),
        lambda events: questions.fate(events).where("end_us IS NOT NULL"),
        questions.batches,
    ):
        found, wanted = (Counter(map(str, ask(events).where(ours).toArrow().to_pylist())) for events in (whole, part))
        assert found == wanted
        assert found.total() > 10


def test_spark_makes_the_same_rows_and_their_version_is_told(spark, tmp_path):
    folder = tmp_path / "log"
    frame(spark, 600, 3).write.parquet(folder.as_uri())
    here = pq.read_table(datasets.make(tmp_path, 600, 3))
    found = read_events(spark, folder).orderBy("seq").toArrow()
    assert len(list(folder.glob("*.parquet"))) > 1
    assert found.to_pylist() == here.to_pylist()
    rows = spark.read.parquet(folder.as_uri()).withMetadata("seq", {"mqlab_schema_version": "9"})
    rows.write.parquet((tmp_path / "other").as_uri())
    lab_error(r"schema version 1 or 2; .* has 9", read_events, spark, tmp_path / "other")
    spark.range(3).toDF("seq").write.parquet((tmp_path / "none").as_uri())
    lab_error(r"schema version 1 or 2; .* has none", read_events, spark, tmp_path / "none")


# ---------------------------------------------------------------- the reports
def test_the_reports_are_read_and_tell_of_all_sorts(spark):
    found = read_instrumentation(spark, FOLDER / "two-sites-reports.jsonl")
    assert found.bad.count() == 0
    assert found.events.count() == len((FOLDER / "two-sites-reports.jsonl").read_text("utf-8").splitlines())
    total = measured.queue_statistics(found.events).groupBy().sum("put").first()[0]
    assert total > 1_000


# ---------------------------------------------------------------- the command
def make(*words) -> int:
    return cli.main(["datasets", "make", *map(str, words)])


def test_numbers_may_be_written_in_groups(tmp_path, capsys):
    assert make("--messages", "1_000", "--seed", "4", "--out", tmp_path) == 0
    says(capsys.readouterr().out, f"{tmp_path}/event-log.parquet: ", "MB in 1 file")
    assert pq.read_table(tmp_path / "event-log.parquet").equals(
        pq.read_table(datasets.make(tmp_path / "here", 1_000, 4))
    )


def test_a_number_that_is_none_is_refused(tmp_path, capsys):
    refusal(SystemExit, "", make, "--messages", "many", "--out", tmp_path)
    assert "invalid int value: 'many'" in capsys.readouterr().err


@cases(
    "words, what",
    (["--messages", "5"], "messages must be a whole number from 600 to 10_000_000_000; got 5"),
    (["--messages", "600", "--master", "local[2]"], "the folder must not exist yet"),
)
def test_what_cannot_be_made_is_said_in_a_line(words, what, tmp_path, capsys):
    (tmp_path / "event-log").mkdir()
    assert make(*words, "--out", tmp_path) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"mqlab datasets make: {what}")
    assert (said.count("\n"), [path.name for path in tmp_path.iterdir()]) == (1, ["event-log"])


def test_an_executor_needs_no_checkout(spark):
    two_sites.send(spark)

    def without_checkout(batches):
        from mqlab.pipeline.datasets import two_sites

        def none():
            raise NotACheckout("none here")

        found, two_sites.datasets = two_sites.datasets, none
        try:
            for _ in batches:
                yield sites.site(7, 600, 5).select(["seq"]).combine_chunks().to_batches()[0]
        finally:
            two_sites.datasets = found

    made = spark.range(0, 1, 1, 1).mapInArrow(without_checkout, "seq long").toArrow()
    assert made["seq"].to_pylist() == sites.site(7, 600, 5)["seq"].to_pylist()


def test_neither_checkout_nor_executor(monkeypatch, tmp_path, capsys):
    def none():
        raise NotACheckout("none here")

    monkeypatch.setattr(two_sites, "datasets", none)
    assert make("--out", tmp_path) == 2
    assert "none here" in capsys.readouterr().err
    assert not list(tmp_path.iterdir()), "nothing is written before it is refused"
