"""A question, a sweep, the source, and `watch` on a cluster whose workers have no mqlab of their own: run by a test.

python on_cluster.py CLUSTER FOLDER
"""

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from time import sleep

from mqlab import LabError
from mqlab.pipeline import SparkUnavailable, session
from mqlab.pipeline import watch as watching
from mqlab.pipeline.cluster import running
from mqlab.pipeline.questions import fate_summary
from mqlab.pipeline.read import read_events
from mqlab.pipeline.source import register
from mqlab.pipeline.spark import LOCAL
from mqlab.pipeline.sweep import sweep

START = datetime(2025, 1, 6, tzinfo=UTC)
OWN = {name: value for name, value in LOCAL.items() if name.startswith("spark.driver.m") or "Hash" in name}
GRID = {"expiry": [10, 40], "duration": 4}


def listed(frame):
    """The rows of a DataFrame, sorted, as text."""
    return sorted(str(tuple(row)) for row in frame.collect())


def answers(spark, logs, out):
    """The same four things on any session: logs is a folder with an event log in slices."""
    register(spark)
    labs = spark.read.format("mqlab").option("scenario", "expiring").option("duration", 4).option("replicas", 3).load()
    windows = watching.watch(watching.stream_events(spark, logs, 100), START, late="1 second")
    watching.start(windows, out / "windows", out / "checkpoint").awaitTermination()
    swept = sweep(spark, "expiring", GRID, seeds=3, measures=("put", "got", "p95_latency"))
    return {
        "question": listed(fate_summary(read_events(spark, logs))),
        "sweep": str(swept.table.to_pylist()),
        "source": listed(labs.groupBy("replica", "seed", "kind").count()),
        "watch": listed(spark.read.parquet(str(out / "windows"))),
    }


def place(batches):
    """Where a worker finds mqlab."""
    import pyarrow as pa

    import mqlab

    for _ in batches:
        yield pa.RecordBatch.from_pydict({"place": ["/".join(mqlab.__file__.split("/")[-3:])]})


def killed_on_the_way(spark, cluster, folder):
    """A sweep into a folder, in which worker 1 is killed, and the same labs without a folder by worker 2 alone."""

    def rows(lab):
        Path(folder, Path(os.getcwd()).parent.parent.name).touch()  # the name of the worker
        sleep(0.05)
        return len(lab.events)

    def kill():
        while not Path(folder, "worker-1").exists():
            sleep(0.05)
        cluster.kill(1)

    executioner = Thread(target=kill)
    executioner.start()
    given = {"seeds": 40, "measures": {"rows": rows}, "partitions": 8}
    broken = sweep(spark, "expiring", {"duration": 4}, **given, keep=folder / "kept").table
    executioner.join()
    return len(broken), broken.equals(sweep(spark, "expiring", {"duration": 4}, **given).table)


def refused(ask):
    """The sentence that a session is refused with."""
    try:
        ask()
    except (LabError, SparkUnavailable) as error:
        return str(error)


def told(spark, kind, other, folder):
    """Where workers find mqlab, the answers, and how a session of the other kind is refused."""
    places = {row["place"] for row in spark.range(0, 2, 1, 2).mapInArrow(place, "place string").collect()}
    return {
        "places": sorted(places),
        "answers": answers(spark, folder / "logs", folder / kind),
        "other": refused(other),
    }


def main(cluster, folder):
    """Ask over Spark Connect, in a classic session, in which a worker dies, over Connect again, and without
    the cluster; print JSON."""
    cluster, folder = running(cluster), Path(folder)
    spark = cluster.connect()
    found = {"connect": told(spark, "connect", cluster.session, folder)}
    spark.stop()
    spark = cluster.session()
    found["classic"] = told(spark, "classic", cluster.connect, folder)
    found["killed"] = killed_on_the_way(spark, cluster, folder)
    found["laptop"] = [name for name, value in spark.sparkContext.getConf().getAll() if value == OWN.get(name)]
    spark.stop()
    spark = cluster.connect()
    found["again"] = [spark.range(4).count(), cluster.connect() is spark]
    spark.stop()
    spark = session()
    names = ("spark.submit.pyFiles", "spark.cores.max", "spark.local.dir")
    found["local"] = [spark.range(5).count(), *(spark.conf.get(name, "") for name in names)]
    spark.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
