"""The event log in Spark: a session that starts anywhere, and questions asked of logs of any size."""

from mqlab.pipeline.java import JavaMissing, SparkUnavailable
from mqlab.pipeline.spark import session

__all__ = ["JavaMissing", "SparkUnavailable", "session"]
