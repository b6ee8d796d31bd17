"""Wrong answers to the exercises about Spark."""

from mqlab.course.exercises.bank import spark
from mqlab.course.exercises.exercise import typed

CACHED_LATE = spark.SCANS.work.replace("alias(kind))", "alias(kind)).cache()").replace(f"# {spark.RUN}", spark.RUN)


def _unrun(lab):
    lab.did = "report"


WRONG = {
    "P01": [
        ("as it was found", lambda lab: None, "Spark read the log 4 times"),
        ("the counts cached, not the events", typed(CACHED_LATE), "Spark read the log 4 times"),
        ("failed calls counted", typed(spark.SCANS.defect), "for ORDERS, and the log does not"),
        ("not run", _unrun, "must be what Spark did"),
    ]
}
