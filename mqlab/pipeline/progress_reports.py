"""The work of many learners, from their progress files: lines read, and a report for each question of a teacher.

Everything here goes from the lines of `read_progress` to a small DataFrame. Work on an exercise after it
was done is not counted, as on the learner's own card (`mqlab.course.exercises.progress.summary`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pyspark.sql import Window
from pyspark.sql import functions as F

from ..course.exercises import progress
from ..engine.words import arguments
from ..engine.words.arguments import at_least, require
from .labs import asked
from .read import loaded, parsed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LINE = (
    "file string, line int, text string, good boolean, learner string, exercise string, what string, door string, "
    "key string, said string, level int, passed int, of int, done boolean, missed array<string>, "
    "predicted map<string,boolean>"
)
ATTEMPT = ("learner", "exercise")


def read_progress(spark: SparkSession, path: str | Path) -> tuple[DataFrame, DataFrame]:
    """The lines of a progress file, or of a folder (and those in it) of *.jsonl, and the lines that are none.

    The good ones have `learner` (`file` without .jsonl where a line names nobody), `file` (with the folders that tell
    the files apart), `line` (from 1),
    `exercise`, `what`, and the fields of `mqlab.course.exercises.progress`, null where a line has none: `door`, `key`,
    `said` (as text), `level`, `passed`, `of`, `done`, `missed` (array of text), `predicted` (map of text to truth
    value). The bad ones have `file`, `line` and `text`. LabError if there is no such file.
    """
    # A file is one row, because only then does Spark keep the order of its lines; a learner's file is small.
    reader = spark.read.format("binaryFile").option("pathGlobFilter", "*.jsonl")
    fix = "Collect the files that the exercises write: ~/.mqlab/progress.jsonl of each learner"
    files, names = loaded(reader, path, "progress files must be *.jsonl files", fix, "*.jsonl")
    top = commonpath([os.path.dirname(urlsplit(name).path) for name in names])
    rows = parsed(files.selectExpr("_metadata.file_path as file", "content as value"), _LINE, partial(_rows, top))
    return rows.where("good").drop("good", "text"), rows.where("NOT good").select("file", "line", "text")


def _rows(top: str, address: str, content: bytes) -> Iterator[tuple]:
    file = unquote(os.path.relpath(urlsplit(address).path, top))
    for number, text, told in progress.lines(content.decode("utf-8", "replace")):
        line = told or {}
        if line and not progress.of_exercise(line):
            continue
        learner, said = line.get("learner") or "", line.get("said")
        yield (
            *(file, number, text, told is not None, learner if learner.strip() else file.removesuffix(".jsonl")),
            *(line.get(field) for field in ("exercise", "what", "door", "key")),
            said if said is None or isinstance(said, str) else json.dumps(said),
            *(line.get(field) for field in ("level", "passed", "of", "done", "missed", "predicted")),
        )


def _until_done(lines: DataFrame) -> DataFrame:
    """The lines without those that come after the check that found the exercise done."""
    before = Window.partitionBy(*ATTEMPT).orderBy("file", "line").rowsBetween(Window.unboundedPreceding, -1)
    finished = F.max(F.coalesce("done", F.lit(False))).over(before)
    return lines.withColumn("over", F.coalesce(finished, F.lit(False))).where("NOT over").drop("over")


def attempts(lines: DataFrame) -> DataFrame:
    """How far each learner got with each exercise.

    Returns learner, exercise, `tries` (the number of checks, with the one that passed), `done`, `hints` (levels
    viewed), `solution` (viewed or not), and of the best check so far `passed` and `of` (null if there was no check),
    ordered.
    """
    what = F.col("what")
    return (
        _until_done(lines)
        .groupBy(*ATTEMPT)
        .agg(
            F.count(F.when(what == "check", 1)).alias("tries"),
            F.coalesce(F.max("done"), F.lit(False)).alias("done"),
            F.count_distinct(F.when(what == "hint", F.col("level"))).alias("hints"),
            F.max(what == "solution").alias("solution"),
            F.max(F.when(F.col("of") > 0, F.struct("passed", "of"))).alias("best"),
        )
        .selectExpr(*ATTEMPT, "tries", "done", "hints", "solution", "best.passed", "best.of")
        .orderBy(*ATTEMPT)
    )


def exercise_report(tried: DataFrame) -> DataFrame:
    """From the rows of `attempts`: how an exercise went.

    Returns exercise, `learners` who began it, `alone` (done without hint or solution), `helped` (done with one),
    `open` (not done), `tries` (the median of the learners who finished it, null if none did), `hints` (their number
    over all learners), `solutions` (learners who viewed it), and for learners who did not finish it `passed` (the
    median of the most checks passed at once, null if there is none) and `of` (the number of checks), ordered by
    exercise.
    """
    help_taken = F.expr("hints > 0 OR solution")
    return (
        tried.groupBy("exercise")
        .agg(
            F.count("*").alias("learners"),
            F.count(F.when(F.col("done") & ~help_taken, 1)).alias("alone"),
            F.count(F.when(F.col("done") & help_taken, 1)).alias("helped"),
            F.count(F.when(~F.col("done"), 1)).alias("open"),
            F.median(F.when(F.col("done"), F.col("tries"))).alias("tries"),
            F.sum("hints").alias("hints"),
            F.count(F.when(F.col("solution"), 1)).alias("solutions"),
            F.median(F.when(~F.col("done"), F.col("passed"))).alias("passed"),
            F.max("of").alias("of"),
        )
        .orderBy("exercise")
    )


def symptom_report(lines: DataFrame, most: int = 3) -> DataFrame:
    """The symptoms in failed checks, the `most` frequent of each exercise.

    Returns exercise, `symptom` (in the words of the check), `learners` with it, `times`, ordered by exercise and
    then by learners, the most first. LabError if `most` is not a whole number above 0.
    """
    require("most", most, int, "a whole number, 1 or more", at_least(1))
    seen = _until_done(lines).where("what = 'check'").select(*ATTEMPT, F.explode("missed").alias("symptom"))
    counted = seen.groupBy("exercise", "symptom").agg(
        F.count_distinct("learner").alias("learners"), F.count("*").alias("times")
    )
    place = Window.partitionBy("exercise").orderBy(F.desc("learners"), F.desc("times"), "symptom")
    ranked = counted.withColumn("place", F.row_number().over(place)).where(F.col("place") <= most)
    return ranked.orderBy("exercise", "place").drop("place")


def wrong_predictions(lines: DataFrame) -> DataFrame:
    """Which predictions were wrong, of each learner the one that the first check looked at.

    Returns exercise, `key`, `learners` who said something, `wrong` of them, and `often` (what was said most often by
    those who were wrong, as text; of several the first in the alphabet), the most wrong first. A prediction that was
    never checked is not counted.
    """
    until = _until_done(lines)
    order = F.struct("file", "line")
    said = until.where("what = 'predict'").select(*ATTEMPT, "key", "said", order.alias("when"))
    judged = (
        until.where("what = 'check'")
        .select(*ATTEMPT, order.alias("at"), F.explode("predicted").alias("key", "right"))
        .groupBy(*ATTEMPT, "key")
        .agg(F.min_by("right", "at").alias("right"), F.min("at").alias("at"))
    )
    words = (
        judged.join(said, [*ATTEMPT, "key"], "left")
        .where("when IS NULL OR when < at")
        .groupBy(*ATTEMPT, "key", "right")
        .agg(F.max_by("said", "when").alias("said"))
    )
    counted = words.groupBy("exercise", "key", "right", "said").agg(F.count("*").alias("learners"))
    wrong = F.when(~F.col("right"), F.col("learners"))
    first = F.when(~F.col("right"), F.struct((-F.col("learners")).alias("fewer"), "said"))
    return (
        counted.groupBy("exercise", "key")
        .agg(
            F.sum("learners").alias("learners"),
            F.coalesce(F.sum(wrong), F.lit(0)).alias("wrong"),
            F.min(first).getField("said").alias("often"),
        )
        .orderBy(F.desc(F.col("wrong") / F.col("learners")), "exercise", "key")
    )


def learner_report(tried: DataFrame, exercises: int) -> DataFrame:
    """From the rows of `attempts`: how far each learner got in a course of so many exercises.

    Returns learner, `done`, `of` (that number), `begun`, `hints`, `solutions`, ordered by learner. LabError if
    `exercises` is not a whole number above 0.
    """
    require("exercises", exercises, int, "a whole number, 1 or more", at_least(1))
    return (
        tried.groupBy("learner")
        .agg(
            F.count(F.when(F.col("done"), 1)).alias("done"),
            F.lit(exercises).alias("of"),
            F.count("*").alias("begun"),
            F.sum("hints").alias("hints"),
            F.count(F.when(F.col("solution"), 1)).alias("solutions"),
        )
        .orderBy("learner")
    )


arguments.checked_calls(__name__, inside=asked)
