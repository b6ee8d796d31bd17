"""A local Spark session that starts wherever mqlab is installed, keeps to loopback and stays quiet."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mqlab.pipeline.java import SparkUnavailable, find_java, home_for_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOG4J = Path(__file__).with_name("log4j2.properties")
JVM_OPTIONS = (
    "-XX:TieredStopAtLevel=1",  # halves the CPU that small jobs cost; a long heavy job is better off without it
    "-XX:+UseSerialGC",
    "-Duser.timezone=UTC",
    f"-Dlog4j2.configurationFile={LOG4J.as_uri()}",
)
LOCAL = {
    "spark.master": "local[*]",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": " ".join(JVM_OPTIONS),
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.default.parallelism": "2",
    "spark.sql.shuffle.partitions": "2",  # the default of 200 turns a lab's log into 200 tiny tasks
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.streaming.metricsEnabled": "false",
}

BIG = {
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": " ".join(("-XX:+UseParallelGC", *JVM_OPTIONS[2:])),
    "spark.sql.shuffle.partitions": "8",
    "spark.default.parallelism": "8",
}
"""Settings for logs of millions of rows: session(**BIG)."""


def settings(**conf: str) -> dict[str, str]:
    """Return the Spark settings that `session` starts with: the small local ones, with `conf` laid over them."""
    return {**LOCAL, **{name: str(value) for name, value in conf.items()}}


def environment() -> dict[str, str]:
    """Return what a local JVM and its Python workers must read at their start; raises JavaMissing without a Java."""
    import pyspark

    java, _ = find_java()
    return {
        "JAVA_HOME": str(home_for_spark(java)),
        # Spark runs plain `python3` for its workers unless told: outside an activated .venv that one has no pyarrow.
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        # Another Spark installed on the machine would run its own jars under this PySpark.
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


@contextmanager
def laid_over(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables for the length of a block, and put back what was there."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def session(**conf: str) -> "SparkSession":
    """Return the Spark session: the one that is active, or a new local one with settings for a lab's small data.

    Settings are given by name, session(**{"spark.sql.shuffle.partitions": "8"}); a `spark.master` that is not local
    leaves Java and the environment as they are. Raises JavaMissing where no usable Java is found and SparkUnavailable
    where PySpark is missing or does not start, each in one sentence that says how to mend it.
    """
    try:
        from pyspark.errors import PySparkRuntimeError
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise SparkUnavailable(f"PySpark is not installed ({error}): pip install 'mqlab[spark]'") from None
    if (active := SparkSession.getActiveSession()) is not None:
        for name, value in conf.items():
            if active.conf.get(name, None) != str(value):  # what only counts at the start must at least be the same
                active.conf.set(name, str(value))
        return active
    chosen = settings(**conf)
    variables = environment() if chosen["spark.master"].startswith("local") else {}
    builder = SparkSession.builder.appName("mqlab")
    for name, value in chosen.items():
        builder = builder.config(name, value)
    try:
        with laid_over(variables):
            return builder.getOrCreate()
    except PySparkRuntimeError as error:
        java = variables.get("JAVA_HOME", os.environ.get("JAVA_HOME"))
        raise SparkUnavailable(
            f"Spark did not start with the Java in {java} ({error}): `mqlab doctor` says what is wrong"
        ) from error
