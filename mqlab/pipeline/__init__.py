"""The event log in Spark: a session that starts anywhere, and questions asked of logs of any size."""

from .moments import moment
from .shipping import package, ship
from .spark import JavaMissing, SparkUnavailable, session
