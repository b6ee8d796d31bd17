"""The answers of the questions: the frames that a question takes, and the meaning of each column (`answers.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import wraps
from importlib.resources import files
from inspect import signature
from pathlib import PurePath
from typing import Any

from pyspark.logger import PySparkLogger
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ..engine.words.errors import LabError
from ..engine.world.event import ABOUT, COLUMNS, Column
from .columns import CAST, LOG, as_read
from .read import comment
from .spark import cause, failures


def _read() -> tuple[dict[str, Any], dict[str, dict[str, Column]]]:
    """The table, and the columns of each question."""
    table = tomllib.loads(files(__package__).joinpath("answers.toml").read_text("utf-8"))
    words, known = table.pop("words"), {column.name: column for column in ABOUT}

    def columns(text: str) -> Iterator[Column]:
        for line in text.strip().splitlines():
            name, *cells = map(str.strip, line.split("|"))
            unit, null, meaning = [words.get(cell, cell) for cell in cells] or ("", known[name].null, "")
            yield Column(name, "", unit, null, meaning) if meaning else known[name]._replace(null=null)

    known |= {column.name: column for column in columns(table.pop("columns"))}
    answers = {name: about["columns"] for name, about in table.items() if "columns" in about}
    return table, {name: {each.name: each for each in columns(text)} for name, text in answers.items()}


TABLE, ANSWERS = _read()
COMMENTS = {name: {key: comment(column) for key, column in has.items()} for name, has in ANSWERS.items()}
KEYED = COMMENTS.pop("keys")
WRITE = [*map(PySparkLogger.getLogger, ("DataFrameQueryContextLogger", "SQLQueryContextLogger"))]  # Java's, on errors


def asked(question: Any) -> Any:
    """The question, whose answer has a comment on each column, and which refuses in a sentence, before any job, a frame
    that it cannot read; also LabError instead of Spark's plan for values that it cannot read."""
    name = question.__name__
    takes, comments = TABLE.get(name, {}).get("takes", {}), COMMENTS.get(name)
    parameters = signature(question)

    @wraps(question)
    def ask(*args: Any, **keywords: Any) -> Any:
        bound = parameters.bind(*args, **keywords)
        bound.apply_defaults()
        for logger in WRITE:
            logger.disabled = True
        try:
            for parameter, (source, reads) in takes.items():
                if (value := bound.arguments[parameter]) is not parameters.parameters[parameter].default:
                    _require(name, parameter, source, reads.split(), value)
                    bound.arguments[parameter] = as_read(value, [*LOG] if source == "log" else reads.split())
            answer = question(*bound.args, **bound.kwargs)
            return with_comments(answer, {**KEYED, **comments}) if comments else answer
        except failures() as error:
            raise LabError(
                f"{name} needs values, and columns of types, as its description has them; Spark refuses these "
                f"({cause(error)})"
            ) from None
        finally:
            for logger in WRITE:
                logger.disabled = False

    if comments:
        columns = [f"    {column}: {said}" for column, said in comments.items()]
        ask.__doc__ = "\n".join([f"{question.__doc__.rstrip()}\n\n    The columns of the answer:\n", *columns])
    ask.__annotations__ = {key: hint for key, hint in question.__annotations__.items() if key not in takes}
    return ask


def _require(question: str, parameter: str, source: str, reads: list[str], value: Any) -> None:
    """LabError if a value is no DataFrame of Spark's with these columns."""
    if isinstance(value, DataFrame):
        there = {name.lower(): type for name, type in value.dtypes}  # as Spark compares names
        lacks = [name for name in reads if name not in there]
        if not lacks:
            wrong = [name for name in reads if source == "log" and there[name] != LOG[name]]
            wrong = [name for name in wrong if not CAST.fullmatch(there[name]) or name == "msg_id"]
            if wrong := [f"{name} as {there[name]}" for name in wrong]:
                raise LabError(f"{question} needs the types of an event log in `{parameter}`; got {', '.join(wrong)}")
            return
        origin = made_by({*there})
        got = f"this frame has the columns of {origin}" if origin else f"this frame lacks {', '.join(lacks)}"
    elif value is None or isinstance(value, str | PurePath | int | float):
        got = f"got {value!r:.200}"
    else:
        home, _, _ = type(value).__module__.partition(".")
        got = f"got a {type(value).__name__}" + (f" of {home}" if home != "builtins" else "")
    what, how = TABLE["sources"].get(source) or (
        f"the answer of {source}",
        f"{source}({', '.join(TABLE[source]['takes'])})",
    )
    raise LabError(f"{question} needs {what} as `{parameter}`; {got}. Pass {how}")


def made_by(columns: set[str]) -> str | None:
    """The question whose answer has these columns, or an event log; of several, that with most columns."""
    known = {**COMMENTS, TABLE["sources"]["log"][0]: dict.fromkeys(COLUMNS, "")}
    there = (name for name in known if known[name].keys() <= columns)
    return max(there, key=lambda name: len(known[name]), default=None)


def with_comments(answer: DataFrame, comments: dict[str, str]) -> DataFrame:
    """The same rows, with comments in the metadata of the columns, which Spark's DESCRIBE shows."""
    columns = []  # `DataFrame.to` is shorter, but a writer does not see what it changes
    for field in answer.schema:
        column, name = F.col("`" + field.name.replace("`", "``") + "`"), field.name
        more = {"metadata": {**field.metadata, "comment": comments[name]}} if name in comments else {}
        columns.append(column.alias(name, **more))
    return answer.select(*columns)
