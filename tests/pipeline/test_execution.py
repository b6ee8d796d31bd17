"""What Spark did: live, against what is known of a question, and from event logs that others wrote."""

import json
from dataclasses import replace

import pyarrow as pa
import pytest
import vl_convert
from pyspark.sql import functions as F

from mqlab import LabError
from mqlab.pipeline.execution import read_execution, why
from mqlab.pipeline.read import read_events
from mqlab.views.charts.data_table import tables


def twice(events):
    """A question that uses its frame two times."""
    puts = events.where("kind = 'put'").groupBy("object").agg(F.count("*").alias("puts"))
    return puts.join(events.where("kind = 'get'").groupBy("object").agg(F.count("*").alias("gets")), "object", "left")


def test_scans_and_shuffles_are_those_of_the_question_and_the_answer_is_its_rows(spark, story, tmp_path):
    story.write_parquet(tmp_path / "a [log].parquet")
    events = read_events(spark, tmp_path / "a [log].parquet")
    did = why(twice(events))
    counted = {queue: [story.where(object=queue, kind=kind) for kind in ("put", "get")] for queue in ("DESK", "PUSH")}
    assert {queue: rows for queue, *rows in did.answer.to_numpy().tolist()} == {
        queue: [len(rows) for rows in both] for queue, both in counted.items()
    }
    assert did.read == {"a [log].parquet": 2}
    assert [scan.rows for scan in did.scans] == [len(story)] * 2
    assert did.shuffles == 2
    assert {link.kind for link in did.links} >= {"shuffle"}
    assert "a [log].parquet is read 2 times" in did.title
    assert "Spark read a [log].parquet 2 times" in did.findings[0]
    assert did.table["rows_scanned"].sum() == 2 * len(story)
    assert did.cpu > 0
    picture = drawn(did)
    assert "a [log].parquet" in picture
    assert "read 2 times" in picture
    shown = did._repr_mimebundle_()
    assert "<svg role=" in shown["text/html"]
    assert "The chart as a table" in shown["text/html"]
    assert shown["text/plain"] == repr(did)

    once = why(lambda: events.groupBy("object").agg(F.count("*").alias("rows")).collect())
    assert (len(once.scans), once.shuffles, once.findings[0][:24]) == (1, 1, "Spark read no source twi")
    kept = events.select("*").cache()
    cached = why(lambda: twice(kept))
    assert len(cached.answer) == 2
    assert len(cached.scans) == 1, "the second use reads the cache"
    assert "cache" in {link.kind for link in cached.links}
    assert why(twice(kept)).scans == ()
    assert "cache" in drawn(cached)
    kept.unpersist()
    spark.conf.set("spark.sql.adaptive.enabled", "true")
    none = why(lambda: twice(events.where("seq < 0")))
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    assert len(none.scans) == 2, "a plan that was replaced while it ran has read, too"
    rdd = why(lambda: spark.sparkContext.parallelize(range(4), 2).map(lambda n: (n % 2, n)).groupByKey().count())
    assert (rdd.answer, rdd.jobs, rdd.shuffles, rdd.scans) == (2, 1, 1, ())


def drawn(did):
    """The chart as SVG text, with no address in its specification but the schema's, and a row of its table a box."""
    chart = did.chart()
    text = chart.to_json()
    assert "https://" not in text.replace("https://vega.github.io/schema/", "")
    rows = [row for found in tables(chart.to_dict()).values() for row in found]
    assert len(rows) == len(did.stages) + len(did.read)
    return vl_convert.vegalite_to_svg(text, vl_version="6.4")


def metric(number, name="number of output rows"):
    return {"name": name, "accumulatorId": number, "metricType": "sum"}


def node(name, *children, metrics=(), **metadata):
    about = {"nodeName": name, "simpleString": name, "metadata": metadata}
    return {**about, "children": list(children), "metrics": list(metrics)}


def application(seconds, query=7):
    """The event log of an application with one stage, whose tasks run for so many seconds."""
    scan = node(
        "Scan parquet ", metrics=[metric(1)], Location="InMemoryFileIndex(1 paths)[hdfs://far/shop%20a.parquet]"
    )
    plan = {"executionId": query, "description": "sales of a day", "sparkPlanInfo": scan}
    yield {"Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart", **plan}
    stage = {"Stage ID": 3, "Stage Name": "collect", "Parent IDs": [], "Number of Tasks": len(seconds)}
    properties = {"spark.sql.execution.id": str(query)}
    yield {"Event": "SparkListenerJobStart", "Job ID": 2, "Stage Infos": [stage], "Properties": properties}
    for length in seconds:
        counted = [{"ID": 1, "Name": "number of output rows", "Update": "4000", "Metadata": "sql"}]
        times = {"Launch Time": 0, "Finish Time": round(1000 * length), "Accumulables": counted}
        ended = {"Stage ID": 3, "Task End Reason": {"Reason": "Success"}, "Task Info": times}
        yield {"Event": "SparkListenerTaskEnd", **ended, "Task Metrics": {"Executor CPU Time": 500_000_000}}
    yield {"Event": "SparkListenerStageCompleted", "Stage Info": stage}


def text(*applications):
    return "".join(json.dumps(row) + "\n" for rows in applications for row in rows).encode()


def test_an_event_log_of_any_application_is_read(tmp_path):
    plain = tmp_path / "app-1.inprogress"
    plain.write_bytes(text(application([1, 1, 6])) + b'{"Event": "cut o')
    did = read_execution(plain)
    assert (did.jobs, did.read, did.answer, did.queries) == (1, {"shop a.parquet": 1}, None, {7: "sales of a day"})
    assert did.scans[0].rows == 12_000
    [stage] = did.stages
    assert (stage.number, stage.tasks, stage.longest, stage.median, stage.cpu) == (3, 3, 6, 1, 1.5)
    assert did.findings[0].startswith("In stage 3, the longest task ran 6.0 s and the median task 1.0 s")
    assert read_execution(plain, query=7).stages == did.stages
    assert "longest 6.0 s, median 1.0 s" in drawn(did)
    rolled = tmp_path / "eventlog_v2_app-2"
    rolled.mkdir()
    (rolled / "appstatus_app-2").touch()
    lines = text(application([0.1, 0.9])).splitlines(keepends=True)
    for part, some in (("events_1_app-2.zstd", lines[:2]), ("events_10_app-2.zstd", lines[4:])):
        with pa.output_stream(str(rolled / part), compression="zstd") as stream:
            stream.write(b"".join(some))
    (rolled / "events_2_app-2").write_bytes(b"".join(lines[2:4]))
    assert read_execution(rolled).stages[0].tasks == 2
    assert "no stage has a task that runs much longer" in read_execution(rolled).findings[0]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("app.lz4", b"LZ4Block\x16\x00", "JSON lines, plain or compressed with zstd; .*app.lz4 is not"),
        ("app.zstd", b"not zstd at all", "app.zstd (is not|cannot be read)"),
        ("app", b"[1]\n", "JSON lines"),
        ("app", b"", "must have a job or a query"),
        ("app", b'{"Event": "SparkListenerLogStart"}\n', "must have a job or a query"),
    ],
)
def test_a_file_that_is_no_event_log_is_refused_in_one_sentence(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(LabError, match=words):
        read_execution(tmp_path / name)


def test_a_drawing_of_a_whole_application_is_refused_and_names_are_only_text(tmp_path):
    busy = [
        dict(row, **{"executionId": n} if "executionId" in row else {}) for n in range(3) for row in application([1])
    ]
    (tmp_path / "app").write_bytes(text(busy).replace(b"shop%20a", b"<script>"))
    did = read_execution(tmp_path / "app")
    assert "<script>" not in drawn(did)
    many = replace(did, stages=tuple(did.stages[0]._replace(number=n) for n in range(41)), scans=())
    with pytest.raises(LabError, match="at most 40 boxes; this execution has 41"):
        many.chart()
    assert "at most 40 boxes" in many._repr_mimebundle_()["text/plain"]
    assert "0 scans, 1 job" in drawn(replace(did, stages=(), scans=(), links=()))


def test_what_there_is_not(tmp_path):
    (tmp_path / "app").write_bytes(text(application([1])))
    with pytest.raises(LabError, match="which has 7; got 8"):
        read_execution(tmp_path / "app", query=8)
    with pytest.raises(LabError, match="cannot be read"):
        read_execution(tmp_path / "nothing")
