"""A sweep on a cluster of two executors, one of which (or whose Python worker) is killed on the way: run by a test.

python killing.py worker|executor FOLDER
"""

import os
import signal
import sys
from pathlib import Path

from mqlab.pipeline import session, workloads
from mqlab.pipeline.spark import find_java, home_for_spark
from mqlab.pipeline.sweep import sweep

CELL = {"expiry": 20, "duration": 4.0}
SEEDS = 40
KILLED_AT = 27


def parent_of(process: int) -> int:
    """The process that started it."""
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


def main(what: str, folder: str) -> None:
    """Sweep, kill once, and compare with the same labs run here."""
    import pyspark

    os.environ["JAVA_HOME"] = str(home_for_spark(find_java()[0]))
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    mark = Path(folder, "killed")

    def kill_once(lab):
        if lab.seed == KILLED_AT and not mark.exists():
            mark.write_text(what)
            worker = os.getpid()
            if what == "worker":
                os._exit(1)
            # the worker's parent is Spark's Python daemon, whose parent is the executor
            os.kill(parent_of(parent_of(worker)), signal.SIGKILL)
        return len(lab.events)

    spark = session(**{"spark.master": "local-cluster[2,1,1024]", "spark.executor.memory": "512m"})
    try:
        found = sweep(
            spark,
            "expiring",
            {name: [value] for name, value in CELL.items()},
            seeds=SEEDS,
            measures={"rows": kill_once},
            progress=False,
            partitions=6,
        )
        rows = [float(len(workloads.find("expiring").run(seed, **CELL).events)) for seed in range(SEEDS)]
        print(f"killed {int(mark.exists())}, rows equal: {found.table['rows'].to_pylist() == rows}")
    finally:
        spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
