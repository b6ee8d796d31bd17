"""mqlab where it is not installed: a worker that it is sent to, alone and by Spark Connect."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import mqlab
from helpers import cases, says
from mqlab.pipeline import charts, package, questions, workloads

pytestmark = pytest.mark.spark

CHECKOUT = Path(mqlab.__file__).parents[1]
NAMES = ("expiring", "sharing", "poison", "expires-twice")
ALONE = """
import json, sys
opened = set()
sys.path.insert(0, sys.argv[1])
sys.addaudithook(lambda event, given: event == "open" and opened.add(str(given[0])))
import mqlab.pipeline
touched = sorted(file for file in opened if not file.endswith((".py", ".pyc", ".so")))
from mqlab.pipeline import sweep, workloads
heavy = sorted({"altair", "numpy", "pandas", "pyarrow", "pyspark"} & set(sys.modules))
labs = {}
for name in sys.argv[2:]:
    with workloads.find(name).over(3) as lab:
        labs[name] = len(lab.events)
print(json.dumps([touched, heavy, labs, len(mqlab.RULES)]))
"""


def alone(python, *arguments, **more):
    """What a program prints, as JSON, that sees no checkout and is told of none."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-I", *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, env={**environment, **more}, timeout=400, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


def test_labs_are_simulated_from_a_zip_and_its_import_is_light(bare_python, tmp_path):
    archive = package(tmp_path / "a b.zip")
    touched, heavy, labs, rules = alone(bare_python, "-c", ALONE, archive, *NAMES)
    assert touched == [str(archive)]
    assert heavy == []
    assert rules == len(mqlab.RULES)
    for name in NAMES:
        with workloads.find(name).over(3) as lab:
            assert labs[name] == len(lab.events)


@pytest.fixture(scope="module")
def told(bare_python, tmp_path_factory, story):
    """What connecting.py tells of a session of Spark Connect."""
    folder = tmp_path_factory.mktemp("connect")
    for name in ("logs", "twice"):
        (folder / name).mkdir()
        story.write_parquet(folder / name / "story.parquet")
    story.write_parquet(folder / "twice" / "again.parquet")
    (folder / "cut.parquet").write_bytes((folder / "logs" / "story.parquet").read_bytes()[:-20])
    return alone(bare_python, Path(__file__).with_name("connecting.py"), CHECKOUT, folder, SPARK_TESTING="1")


@pytest.mark.cluster
def test_spark_connect_simulates_with_the_mqlab_that_it_is_sent(told):
    assert told["session"].startswith("pyspark.sql.connect")
    assert told["cores"] == 2
    says(told["not shipped"], "No module named 'mqlab'", "mqlab.pipeline.ship(spark) sends")
    assert told["swept"]
    assert told["read"]


@pytest.mark.cluster
def test_spark_connect_answers_as_a_classic_session(told, spark, story, tmp_path):
    from mqlab.pipeline.read import read_events

    story.write_parquet(tmp_path / "story.parquet")
    events = read_events(spark, tmp_path / "story.parquet")
    for name, rows in told["answers"].items():
        assert sorted(map(str, getattr(questions, name)(events).collect())) == rows
    depths = questions.depth(events.where("kind <> 'browse'")).toPandas()
    assert told["chart"] == charts.depth_chart(depths, "DESK").to_dict()["title"]["text"]
    assert told["viewfs"] == len(story)
    assert told["watch"]["windows"] > 3
    assert told["watch"]["wrong"] == []
    assert told["comment"] == "how many queues the route has (unit: number; null: never)"


@pytest.mark.cluster
@cases(
    "what, words",
    ("twice", "row 0 (seq) is there 2 times"),
    ("cut", "cut.parquet is not one, or is damaged"),
    ("nowhere", "Path does not exist"),
    ("another answer", "journeys needs the answer of fate as `fates`; this frame has the columns of counts"),
    ("no log", "fate_summary needs an event log as `events`; this frame lacks seq, time_us"),
)
def test_spark_connect_refuses_in_a_sentence(told, what, words):
    assert words in told[what]
    assert "\n" not in told[what]
