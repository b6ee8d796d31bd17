"""Reading a log: what is one, and the error each other thing gives."""

import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from old_logs import old_file

from helpers import cases, lab_error
from mqlab import Lab
from mqlab.engine.words.errors import LabError
from mqlab.engine.world.event import COLUMNS
from mqlab.formats.event_file import read_parquet
from mqlab.pipeline import questions
from mqlab.pipeline.instrumentation import read_instrumentation
from mqlab.pipeline.read import read_events, read_mqsc
from mqlab.pipeline.watch import start, stream_events, watch


def test_columns_and_rows_also_of_a_folder_of_parts(spark, told, story, tmp_path, write_slices):
    assert tuple(told.columns) == COLUMNS
    assert told.count() == len(story)
    write_slices(story, tmp_path / "parts[1]{a,b}", 3)
    assert read_events(spark, tmp_path / "parts[1]{a,b}").count() == len(story)
    assert read_events(spark, tmp_path / "parts[1]{a,b}" / "events-00001.parquet").count() > 0
    assert read_events(spark, f"{tmp_path}/parts*/*-0000[12].parquet").count() > 0


def test_every_call_takes_a_path_literally_if_it_exists(spark, story, tmp_path, write_slices):
    folder = tmp_path / "a [b] {c,d} e*"
    write_slices(story, folder / "log", 1)
    (folder / "qm 1.mqsc").write_text("DEFINE QLOCAL(Q)\n")
    record = '{"eventSource": {"queueMgr": "QM1"}, "eventType": {"value": 44}, "eventReason": {"value": 2222}}\n'
    (folder / "events.json").write_text(record)
    assert read_events(spark, folder / "log").count() == len(story)
    assert read_mqsc(spark, folder / "qm 1.mqsc").objects.count() == 1
    assert read_instrumentation(spark, folder / "events.json").records.count() == 1
    seen = watch(stream_events(spark, folder / "log"), datetime(2025, 1, 6, tzinfo=UTC))
    assert start(seen, folder / "out", folder / "checkpoint").awaitTermination(120)
    assert list((folder / "out").glob("*.parquet"))
    assert (folder / "checkpoint" / "commits").is_dir()


def test_folders_in_folders_and_overlapping_paths_are_read_once(spark, story, tmp_path, monkeypatch, write_slices):
    first, *_ = write_slices(story, tmp_path / "log", 3)
    (tmp_path / "log" / "day.1").mkdir()
    first.rename(tmp_path / "log" / "day.1" / first.name)
    assert read_events(spark, tmp_path / "log").count() == len(story)
    both = f"{tmp_path}/{{log,log/events-00001.parquet}}"
    assert read_events(spark, both).count() == len(story)
    monkeypatch.chdir(tmp_path)  # Spark stands where it was started
    assert read_events(spark, "log").count() == len(story)
    assert read_events(spark, (tmp_path / "log").as_uri().replace("///", "/")).count() == len(story)


@pytest.mark.parametrize("name", ["2025-01-06T09:00.parquet", "_late.parquet"])
def test_names_that_spark_cannot_read_are_said(spark, story, tmp_path, name):
    story.write_parquet(tmp_path / "one.parquet")
    story.write_parquet(tmp_path / name)
    lab_error(rf"skips '{name}' .*\(1 of 2\)", read_events, spark, tmp_path)


def test_a_log_without_rows_is_one(spark, story, tmp_path):
    pq.write_table(story.to_arrow().slice(0, 0), tmp_path / "none.parquet")
    assert read_events(spark, tmp_path / "none.parquet").count() == 0
    story.write_parquet(tmp_path / "all.parquet")
    assert read_events(spark, tmp_path).count() == len(story)


def test_whole_numbers_may_be_stored_shorter(spark, story, tmp_path):
    retyped("depth", pa.int32())(story, tmp_path / "short.parquet")
    assert read_events(spark, tmp_path).agg({"depth": "max"}).collect()[0][0] == max(
        depth for depth in story.column("depth") if depth is not None
    )


def test_the_same_rows_twice_in_a_folder_are_found(spark, story, tmp_path):
    story.write_parquet(tmp_path / "one.parquet")
    story.write_parquet(tmp_path / "two.parquet")
    with pytest.raises(LabError, match=r"row \d+ \(seq\) is there 2 times, in .*one\.parquet and .*two\.parquet"):
        read_events(spark, tmp_path)
    (tmp_path / "two.parquet").unlink()
    pq.write_table(story.to_arrow().filter(pc.equal(story.to_arrow()["seq"], 7)), tmp_path / "part.parquet")
    lab_error(r"row 7 \(seq\) is there 2 times", read_events, spark, tmp_path)


def test_reading_is_imported_without_spark():
    program = "import sys, mqlab.pipeline.read; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.cluster
@pytest.mark.parametrize("scenario", ["channel-retrying", "first-every-depth"])
def test_a_log_of_version_1_answers_as_one_of_today(spark, scenario, tmp_path):
    old_file(tmp_path / "old.parquet", scenario)
    lab = Lab(seed=0)
    lab.scenario(scenario)
    lab.events.write_parquet(tmp_path / "new.parquet")
    old, new = (read_events(spark, tmp_path / f"{name}.parquet") for name in ("old", "new"))
    for ask in (questions.batches, questions.retries, questions.trigger_audit, questions.fate):
        answers = [Counter(map(str, ask(events).toArrow().to_pylist())) for events in (old, new)]
        assert answers[0] == answers[1]
    old.write.parquet((tmp_path / "again").as_uri())
    [again] = (tmp_path / "again").glob("*.parquet")
    assert read_parquet(again) == read_parquet(tmp_path / "new.parquet")


def test_damaged_missing_and_empty(spark, story, tmp_path):
    path = tmp_path / "cut.parquet"
    story.write_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])
    lab_error(r"cut\.parquet is not one, or is damaged", read_events, spark, path)
    lab_error(r"nowhere\.parquet does not exist", read_events, spark, tmp_path / "nowhere.parquet")
    (tmp_path / "empty").mkdir()
    lab_error("empty has none", read_events, spark, tmp_path / "empty")
    said = "an event log must be parquet that Spark can read"
    lab_error(said, read_events, spark, f"file://{tmp_path}/nothing-here")


def other_version(story, path):
    pq.write_table(story.to_arrow().replace_schema_metadata({"mqlab_schema_version": "7"}), path)


def lacking_columns(story, path):
    pq.write_table(story.to_arrow().drop_columns(["put_us", "cause"]), path)


def cut_short(story, path):
    story.write_parquet(path)
    path.write_bytes(path.read_bytes()[:500])


def retyped(name, type):
    def spoil(story, path):
        table = story.to_arrow()
        place = table.schema.get_field_index(name)
        pq.write_table(table.set_column(place, name, table[name].cast(type)), path)

    return spoil


def labs_as(value):
    def spoil(story, path):
        table = story.to_arrow()
        pq.write_table(table.append_column("lab", pa.concat_arrays([value] * len(table))), path)

    return spoil


def with_metadata(more):
    def spoil(story, path):
        pq.write_table(story.to_arrow().replace_schema_metadata(more), path)

    return spoil


@pytest.mark.parametrize("name", ["two.parquet", "two.pq"])
@cases(
    "spoil, said",
    (other_version, "has 7"),
    (lambda story, path: pq.write_table(pa.table({"a": [1]}), path), "has none"),
    (lacking_columns, "lacks put_us, cause"),
    (retyped("seq", pa.float64()), "has seq as double"),
    (retyped("time_us", pa.timestamp("us")), r"has time_us as timestamp\[us\]"),
    (retyped("message", pa.uint64()), "has message as uint64"),
    (retyped("depth", pa.string()), "has depth as string"),
    (retyped("persistent", pa.int32()), "has persistent as int32"),
    (labs_as(pa.array([{"lab": 1}])), "has lab as struct<lab: int64>"),
    (labs_as(pa.array([1], pa.uint64())), "has lab as uint64"),
    (with_metadata({"mqlab_schema_version": b"\xff"}), "is damaged"),
    (with_metadata({"org.apache.spark.sql.parquet.row.metadata": "[1]"}), "is damaged"),
    (with_metadata({"org.apache.spark.sql.parquet.row.metadata": "{"}), "is damaged"),
    (cut_short, "is damaged"),
    (lambda story, path: path.write_bytes(b""), "is damaged"),
    (lambda story, path: path.write_text("notes"), "is damaged"),
)
def test_one_bad_file_of_three_is_named(spark, story, tmp_path, spoil, said, name):
    story.write_parquet(tmp_path / "one.parquet")
    spoil(story, tmp_path / name)
    story.write_parquet(tmp_path / "three.parquet")
    lab_error(rf"two\.\w+ .*{said}", read_events, spark, tmp_path)


def spoilt(row, **values):
    def spoil(story, path):
        table = story.to_arrow()
        for name, value in values.items():
            column = table[name].cast(pa.string() if name in ("kind", "detail") else table[name].type).to_pylist()
            column[row] = value
            place, field = table.schema.get_field_index(name), table.schema.field(name)
            table = table.set_column(place, field.with_nullable(True), pa.array(column).cast(field.type))
        pq.write_table(table, path)

    return spoil


@cases(
    "spoil, said",
    (spoilt(7, cause=7), "has row 7 as its cause, which is no earlier row"),
    (spoilt(7, cause=9), "has row 9 as its cause"),
    (spoilt(7, time_us=-5), "has time_us -5, before the start of its lab"),
    (spoilt(7, put_us=-1, arrived_us=3), "has put_us -1"),
    (spoilt(7, kind=None), "has no kind"),
    (spoilt(7, time_us=None), "has no time_us"),
    (spoilt(7, detail="put by SHOP"), "has a detail that is no JSON object, put by SHOP"),
    (spoilt(7, detail='{"a": [1, 2}'), "has a detail that is no JSON object"),
    (spoilt(7, detail='["a"]'), "has a detail that is no JSON object"),
    (spoilt(7, detail='{"a": 1} {"b": 2}'), "has a detail that is no JSON object"),
    (spoilt(7, detail='{"a": {}}, "b": {"c": 1}'), "has a detail that is no JSON object"),
    (spoilt(7, detail="{'a': 1}"), "has a detail that is no JSON object"),
    (spoilt(7, depth=-1), "has depth -1"),
    (spoilt(7, message=-1), "has message -1"),
    (spoilt(7, uow=-3), "has uow -3"),
    (spoilt(7, reason=0), "has reason 0"),
    (spoilt(7, priority=10), "has priority 10"),
    (spoilt(7, put_us=2, arrived_us=1), "has arrived_us 1, before its put_us 2"),
    (spoilt(7, put_us=0, arrived_us=10**15), "has arrived_us 1000000000000000, after its time_us"),
    (spoilt(7, kind="put", message=1, put_us=None), "has message 1, and no put_us or no arrived_us"),
    (spoilt(7, detail=""), "has a detail that is no JSON object"),
)
def test_a_row_that_no_lab_writes_is_named_with_its_file(spark, story, tmp_path, spoil, said):
    spoil(story, tmp_path / "spoilt.parquet")
    lab_error(
        rf"that a lab can write; row 7 \(seq\) in .*spoilt\.parquet {said}.*\. Write one with",
        read_events,
        spark,
        tmp_path,
    )


def test_a_file_of_version_1_beside_it_hides_no_row_that_no_lab_writes(spark, story, tmp_path):
    for name in ("lab=1", "lab=2"):
        (tmp_path / name).mkdir()
    old_file(tmp_path / "lab=1" / "o'ld.parquet", "first-every-depth")
    spoilt(7, detail="put by SHOP")(story, tmp_path / "lab=2" / "new.parquet")
    lab_error(r"row 7 \(seq\) of lab 2 in .*new\.parquet has a detail that is no JSON", read_events, spark, tmp_path)
    spoilt(7, detail=None)(story, tmp_path / "lab=2" / "new.parquet")
    assert read_events(spark, tmp_path).select("lab").distinct().count() == 2
    old = SimpleNamespace(to_arrow=lambda: pq.read_table(tmp_path / "lab=1" / "o'ld.parquet"))
    spoilt(7, time_us=-5)(old, tmp_path / "lab=1" / "spoilt.parquet")
    lab_error(r"spoilt\.parquet has time_us -5", read_events, spark, tmp_path / "lab=1" / "spoilt.parquet")


def test_the_version_is_checked_wherever_the_file_is(spark, story, tmp_path):
    other_version(story, tmp_path / "old.parquet")
    with pytest.raises(LabError, match=r"schema version 1 or 2; .*old\.parquet has 7"):
        read_events(spark, (tmp_path / "old.parquet").as_uri())
    lab_error(r"old\.parquet has 7", read_events, spark, tmp_path / "*.parquet")
    cut_short(story, tmp_path / "old.parquet")
    with pytest.raises(LabError, match=r"old\.parquet is not one, or is damaged"):
        read_events(spark, (tmp_path / "old.parquet").as_uri())


def test_files_of_another_file_system_are_read_by_hadoop(spark, story, tmp_path):
    hadoop = spark.sparkContext._jsc.hadoopConfiguration()
    hadoop.set("fs.viewfs.mounttable.default.link./logs", tmp_path.as_uri())  # a file system of links to others
    story.write_parquet(tmp_path / "a [b].parquet")
    assert read_events(spark, "viewfs:///logs").count() == len(story)
    cut_short(story, tmp_path / "c.parquet")
    lab_error(r"viewfs:/.*/c\.parquet is not one, or is damaged", read_events, spark, "viewfs:///logs")


def test_what_spark_writes_of_a_log_is_a_log(spark, story, tmp_path):
    story.write_parquet(tmp_path / "whole log.parquet")
    part = read_events(spark, tmp_path / "whole log.parquet").where("kind = 'put'")
    part.repartition(2).write.parquet(str(tmp_path / "puts"))
    assert read_events(spark, tmp_path / "puts").count() == len(story.where(kind="put"))


@pytest.mark.parametrize("bit", [0, 3, 7])
def test_damage_that_would_decode_is_found_by_the_checksum(spark, story, tmp_path, bit):
    path = tmp_path / "flipped.parquet"
    how = {"compression": "none", "use_dictionary": False, "column_encoding": {"time_us": "PLAIN"}}
    pq.write_table(story.to_arrow(), path, write_page_checksum=True, **how)
    column = pq.read_metadata(path).row_group(0).column(COLUMNS.index("time_us"))
    spoilt = bytearray(path.read_bytes())
    spoilt[column.data_page_offset + column.total_compressed_size - 8] ^= 1 << bit
    path.write_bytes(spoilt)
    lab_error(r"flipped\.parquet is not", read_events, spark, path)


def test_damage_inside_a_file_is_an_error_and_no_fewer_rows(spark, story, tmp_path):
    path = tmp_path / "spoilt.parquet"
    pq.write_table(story.to_arrow(), path, compression="zstd", use_dictionary=False)
    spoilt = bytearray(path.read_bytes())
    spoilt[40:400] = bytes(360)
    path.write_bytes(spoilt)
    lab_error(r"spoilt\.parquet is not", read_events, spark, path)
