"""mqlab on a session of Spark Connect whose workers do not have it until it is sent: run by a test.

python -I connecting.py CHECKOUT FOLDER   (with story.parquet in FOLDER, and a file system viewfs:/ of links to it)
"""

import json
import sys
from datetime import UTC, datetime

FOLDER = sys.argv[-1]
sys.path[:0] = sys.argv[1:2]

from mqlab import LabError  # noqa: E402
from mqlab.pipeline import charts, questions, session, ship, workloads  # noqa: E402
from mqlab.pipeline import watch as watching  # noqa: E402
from mqlab.pipeline.read import read_events  # noqa: E402
from mqlab.pipeline.source import register  # noqa: E402
from mqlab.pipeline.spark import cores  # noqa: E402
from mqlab.pipeline.sweep import SweepLost, sweep  # noqa: E402

START = datetime(2025, 1, 6, tzinfo=UTC)
CELL = {"expiry": [20], "duration": 4}


def refusal(ask) -> str:
    """The sentence that a question is refused with."""
    try:
        ask()
    except (LabError, SweepLost) as refused:
        return str(refused)
    return "it worked"


def answers(story) -> dict[str, list]:
    """The rows of questions, by their names."""
    asked = (questions.fate_summary, questions.failures, questions.consumers, questions.counts, questions.dead_letters)
    return {ask.__name__: sorted(map(str, ask(story).collect())) for ask in asked}


def watched(spark, story) -> dict:
    """How many windows a stream over a log that has ended closes, and those that it has wrong or not at all."""
    whole = watching.watch(story, START)
    parts = f"{FOLDER}/parts"
    story.repartition(1).sortWithinPartitions("seq").write.parquet(parts)
    watching.end_of_log(spark, parts)
    query = watching.start(
        watching.watch(watching.stream_events(spark, parts), START), f"{FOLDER}/out", f"{FOLDER}/check"
    )
    query.awaitTermination(120)
    wanted, came = ({str(row) for row in frame.collect()} for frame in (whole, spark.read.parquet(f"{FOLDER}/out")))
    return {"windows": len(came), "wrong": sorted(came ^ wanted)}


def main() -> None:
    """Print what worked, as JSON."""
    link = {"spark.hadoop.fs.viewfs.mounttable.default.link./logs": f"file://{FOLDER}/logs"}
    spark = session(**{"spark.remote": "local[2]", "spark.sql.codegen.wholeStage": "false", **link})
    told = {"session": type(spark).__module__, "cores": cores(spark)}
    told["not shipped"] = refusal(lambda: sweep(spark, "expiring", CELL, seeds=2))
    ship(spark)
    swept = sweep(spark, "expiring", CELL, seeds=3, measures=["events"])
    rows = [float(len(workloads.find("expiring").run(seed, expiry=20, duration=4).events)) for seed in range(3)]
    told["swept"] = swept.table["events"].to_pylist() == rows
    register(spark)
    read = spark.read.format("mqlab").options(scenario="expiring", duration="4", expiry="20", replicas="3").load()
    told["read"] = [read.where(f"seed = {seed}").count() for seed in range(3)] == rows
    story = read_events(spark, f"{FOLDER}/logs/story.parquet")
    told["answers"] = answers(story)
    depths = questions.depth(story.where("kind <> 'browse'")).toPandas()
    told["chart"] = charts.depth_chart(depths, "DESK").to_dict()["title"]["text"]
    told["viewfs"] = read_events(spark, "viewfs:///logs").count()
    told["twice"] = refusal(lambda: read_events(spark, f"{FOLDER}/twice"))
    told["cut"] = refusal(lambda: read_events(spark, f"{FOLDER}/cut.parquet"))
    told["nowhere"] = refusal(lambda: read_events(spark, f"{FOLDER}/nowhere"))
    told["no log"] = refusal(lambda: questions.fate_summary(spark.range(1)))
    told["another answer"] = refusal(lambda: questions.journeys(questions.counts(story)))
    told["comment"] = questions.fate(story).transform(questions.journeys).schema["hops"].metadata["comment"]
    told["watch"] = watched(spark, story)
    spark.stop()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
