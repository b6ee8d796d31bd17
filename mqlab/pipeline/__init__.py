"""The event log in Spark: a session that starts anywhere, and questions asked of logs of any size."""

from mqlab.pipeline.spark import JavaMissing, SparkUnavailable, session

__all__ = ["JavaMissing", "SparkUnavailable", "session"]
