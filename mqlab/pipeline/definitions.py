"""MQSC estates as tables: every object that a set of scripts defines, and every line of them that is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mqlab.mq.errors import LabError
from mqlab.pipeline.read import first_line

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["SCHEMA", "Definitions", "read_mqsc"]

SCHEMA = (
    "file string, line int, verb string, kind string, name string, attributes map<string,string>, text string, "
    "problem string"
)
"""A row a command: the file and line it begins on, `verb` (DEFINE, ALTER ...), `kind` of object (QLOCAL, CHANNEL ...),
its `name`, `attributes` as written (keyword to value, folded as MQSC folds them), the command's own `text`, and
`problem`: why it would be refused, null if it would not."""


class Definitions(NamedTuple):
    """What was read: `commands`, all of them with the columns of SCHEMA."""

    commands: DataFrame

    @property
    def objects(self) -> DataFrame:
        """A row for each object a script defines: file, line, kind, name, attributes."""
        return self.commands.where("verb = 'DEFINE' and problem is null").select(
            "file", "line", "kind", "name", "attributes"
        )

    @property
    def refused(self) -> DataFrame:
        """The commands that would be refused: file, line, problem, text."""
        return self.commands.where("problem is not null").select("file", "line", "problem", "text")


def read_mqsc(spark: SparkSession, path, platform: str | None = None) -> Definitions:
    """Read MQSC scripts, such as the output of dmpmqcfg: a `Definitions`.

    `path` is a file, a folder or a pattern, on any file system that Spark knows; each file is parsed whole, by one
    task. `platform` is "distributed", "zos" or "vse". LabError if there is nothing to read.
    """
    from pyspark.errors import PySparkException

    where = str(path)
    try:
        files = spark.read.text(where, wholetext=True).selectExpr("_metadata.file_path as file", "value")
    except PySparkException as error:
        raise LabError(
            f"MQSC scripts wanted: text files that Spark can read; {where} is not ({first_line(error)})"
        ) from None

    def parse(batches):
        import pandas as pd

        for batch in batches:
            rows = [
                row
                for file, text in zip(batch["file"], batch["value"], strict=True)
                for row in _rows(file, text, platform)
            ]
            yield pd.DataFrame(rows, columns=[field.split()[0] for field in SCHEMA.split(", ")], dtype=object)

    return Definitions(files.mapInPandas(parse, SCHEMA))


def _rows(file: str, text: str, platform: str | None) -> Iterator[tuple]:
    from mqlab.mqsc.parser import parse

    for command in parse(text, platform):
        problem = None if command.refused is None else str(command.refused)
        values = {keyword: str(value) for keyword, value in command.attributes.items()}
        yield file, command.line, command.verb, command.kind, command.name, values, command.text, problem
