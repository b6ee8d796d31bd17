"""Spark's classes in an archive, which Java maps into memory: a session starts in half the time.

`make archive` runs this module once, which pays from some fifteen sessions on. The archive (about 200 MB) is for one
Java and one PySpark, in the folder of the Python environment; without it, Spark starts as it always does.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mqlab.formats.whole_file import whole
from mqlab.pipeline import SparkUnavailable, questions, workloads
from mqlab.pipeline.read import read_events
from mqlab.pipeline.source import register
from mqlab.pipeline.spark import JVM_OPTIONS, NO_LOG, archives, executable, find_java, session
from mqlab.pipeline.sweep import sweep

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE = 300  # seconds for Java to write the archive


def write_archive() -> Path:
    """Write the archive of Spark's classes for the Java that `session` uses, by a session that asks some questions.

    Returns its path. Raises SparkUnavailable if Spark does not start, and OSError if the file cannot be written. The
    process must have no Spark session yet, and cannot start one afterwards.
    """
    from pyspark import SparkContext

    java, _ = find_java()
    *base, path = archives(java)
    path.parent.mkdir(parents=True, exist_ok=True)
    for own in base:
        with whole(own) as draft:
            subprocess.run(
                [executable(java.home), "-Xshare:dump", f"-XX:SharedArchiveFile={draft}"],
                check=True,
                capture_output=True,
            )
    with whole(path) as draft:
        options = [*JVM_OPTIONS, f"-XX:ArchiveClassesAtExit={draft}", NO_LOG]
        options += [f"-XX:SharedArchiveFile={own}" for own in base]
        spark = session(**{"spark.driver.extraJavaOptions": " ".join(options)})
        _use(spark)
        gateway = SparkContext._gateway
        spark.stop()
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(PATIENCE)
    return path


def _use(spark: SparkSession) -> None:
    """Do what notebooks do with Spark, so that Java loads the classes for it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "events.parquet")
        workloads.find("expiring").run(seed=0).events.write_parquet(path)
        events = read_events(spark, path).cache()
        discards = questions.discarded(events).cache()
        for answer in (
            questions.counts(events),
            questions.fate_summary(events),
            questions.depth(events),
            questions.slow_readers(events, discards),
            questions.failures(events),
            questions.retries(events),
        ):
            answer.toPandas()
        spark.read.parquet(str(path)).write.parquet(str(Path(folder, "copy")))
        sweep(spark, "expiring", {"expiry": [5, 10]}, seeds=2)
        register(spark)
        spark.read.format("mqlab").option("scenario", "expiring").load().count()


def main() -> int:
    """Write the archive and return 0, or 1 with a sentence where this machine cannot have one."""
    try:
        write_archive()
    except (SparkUnavailable, OSError, subprocess.CalledProcessError) as error:
        print(f"Spark's classes are not archived, so that Spark starts more slowly: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
