"""A sweep on a cluster of two executors; a Python worker and an executor are killed on the way: run by a test.

python killing.py FOLDER
"""

import os
import signal
import sys
from pathlib import Path

from mqlab.pipeline import session, workloads
from mqlab.pipeline.spark import JVM_OPTIONS, LOCAL, cores, find_java, home_for_spark
from mqlab.pipeline.sweep import sweep

CELL = {"expiry": 20, "duration": 4.0}
SEEDS = 40
KILLED_AT = {13: "worker", 27: "executor"}


def parent_of(process: int) -> int:
    """The process that started it."""
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


def main(folder: str) -> None:
    """Sweep, kill both, and compare with the same labs run here."""
    import pyspark

    os.environ["JAVA_HOME"] = str(home_for_spark(find_java()[0]))
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

    def kill_once(lab):
        what = KILLED_AT.get(lab.seed)
        if what and not Path(folder, what).exists():
            Path(folder, what).touch()
            worker = os.getpid()
            if what == "worker":
                os._exit(1)
            # the worker's parent is Spark's Python daemon, whose parent is the executor
            os.kill(parent_of(parent_of(worker)), signal.SIGKILL)
        return len(lab.events)

    executors = {"spark.executor.memory": "512m", "spark.executor.extraJavaOptions": " ".join(JVM_OPTIONS)}
    spark = session(**{"spark.master": "local-cluster[2,1,1024]", **executors})
    try:
        found = sweep(
            spark,
            "expiring",
            {name: [value] for name, value in CELL.items()},
            seeds=SEEDS,
            measures={"rows": kill_once},
            partitions=6,
        )
        rows = [float(len(workloads.find("expiring").run(seed, **CELL).events)) for seed in range(SEEDS)]
        own = sorted(name for name, value in spark.sparkContext.getConf().getAll() if value == LOCAL.get(name))
        print(f"{spark.sparkContext.appName}, {cores(spark)} cores, settings of a laptop: {own}")
        print(f"killed {sorted(os.listdir(folder))}, rows equal: {found.table['rows'].to_pylist() == rows}")
    finally:
        spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
