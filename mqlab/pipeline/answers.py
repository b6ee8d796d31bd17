"""The answers of the questions: the frames that a question takes, and the meaning of each column (`answers.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.resources import files
from inspect import signature
from pathlib import PurePath
from typing import Any, NamedTuple

from pyspark.errors import AnalysisException, IllegalArgumentException, PySparkTypeError
from pyspark.logger import PySparkLogger
from pyspark.sql import DataFrame
from pyspark.sql.types import StructField, StructType

from ..engine.words.errors import LabError
from ..engine.world.event import ABOUT, COLUMNS, Column
from .labs import KEYS
from .read import comment
from .spark import first_line


class Answer(NamedTuple):
    """A question's table: by parameter, the source of the frame and its columns that are read; comments by column."""

    takes: dict[str, tuple[str, list[str]]]
    comments: dict[str, str]


def _read() -> tuple[dict[str, list[str]], dict[str, str], dict[str, Answer]]:
    table = tomllib.loads(files(__package__).joinpath("answers.toml").read_text("utf-8"))
    words, known, found = table.pop("words"), {each.name: each for each in ABOUT}, dict[str, Answer]()

    def columns(text: str) -> Iterator[Column]:
        for line in text.strip().splitlines():
            name, *cells = map(str.strip, line.split("|"))
            unit, null, meaning = [words.get(cell, cell) for cell in cells] or ("", known[name].null, "")
            yield Column(name, "", unit, null, meaning) if meaning else known[name]._replace(null=null)

    sources = table.pop("sources")
    known |= {each.name: each for each in columns(table.pop("columns"))}
    keys = {name: comment(known[name]) for name in KEYS}
    for question, about in table.items():
        comments = {each.name: comment(each) for each in columns(about.pop("columns"))}
        more = found[about.pop("like")].comments if "like" in about else {}
        takes = {name: (source, reads.split()) for name, (source, reads) in about.items()}
        found[question] = Answer(takes, {**more, **comments})
    return sources, keys, found


SOURCES, TELL_APART, ANSWERS = _read()


def asked(question: Any) -> Any:
    """The question, whose answer has a comment on each column, and which refuses in a sentence, before any job, a frame
    that it cannot read; also LabError instead of Spark's plan for values that it cannot read."""
    name = question.__name__
    takes, comments = ANSWERS.get(name, Answer({}, {}))
    parameters = signature(question)

    @wraps(question)
    def found(*args: Any, **given: Any) -> Any:
        values = parameters.bind(*args, **given).arguments
        try:
            with _quiet():
                for parameter, (source, reads) in takes.items():
                    if values.get(parameter) is not None or parameters.parameters[parameter].default is not None:
                        _require(name, parameter, source, reads, values[parameter])
                answer = question(*args, **given)
                return _with_comments(answer, comments) if comments else answer
        except (AnalysisException, IllegalArgumentException, PySparkTypeError) as error:
            raise LabError(
                f"{name} needs DataFrames with the columns that its description names, and values as it has them; got "
                f"others ({first_line(error)})"
            ) from None

    if comments:
        columns = [f"    {column}: {said}" for column, said in comments.items()]
        found.__doc__ = "\n".join([f"{question.__doc__.rstrip()}\n\n    The columns of the answer:\n", *columns])
    found.__annotations__ = {name: of for name, of in question.__annotations__.items() if name not in takes}
    return found


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Spark from writing an error on the terminal that a LabError describes in a sentence."""
    logger = PySparkLogger.getLogger("DataFrameQueryContextLogger")
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = False


def _require(question: str, parameter: str, source: str, reads: list[str], value: Any) -> None:
    """LabError if a value is no DataFrame of Spark's with these columns."""
    if isinstance(value, DataFrame):
        there = {name.lower() for name in value.columns}  # as Spark compares names
        lacks = [name for name in reads if name not in there]
        if not lacks:
            return
        of = _made_by(there)
        got = f"this frame has the columns of {of}" if of else f"this frame lacks {', '.join(lacks)}"
    elif value is None or isinstance(value, str | PurePath | float):
        got = f"got {value!r:.200}"
    else:
        home, _, _ = type(value).__module__.partition(".")
        got = f"got the type {type(value).__name__}" + ("" if home == "builtins" else f" of {home}")
    what, how = SOURCES.get(source) or (f"the answer of {source}", f"{source}({', '.join(ANSWERS[source].takes)})")
    raise LabError(f"{question} needs {what} as `{parameter}`; {got}. Pass {how}")


def _made_by(columns: set[str]) -> str | None:
    """The question whose answer has these columns, or an event log; of several, that with most columns."""
    known = {SOURCES["log"][0]: {*COLUMNS}, **{name: {*answer.comments} for name, answer in ANSWERS.items()}}
    fit = [name for name, of in known.items() if of <= columns]
    return max(fit, key=lambda name: len(known[name]), default=None)


def _with_comments(answer: DataFrame, comments: dict[str, str]) -> DataFrame:
    """The same rows, with comments in the metadata of the columns, which Spark's DESCRIBE shows."""
    schema, said = StructType(), {**TELL_APART, **comments}
    for each in answer.schema:
        more = {"comment": said[each.name]} if each.name in said else {}
        schema.add(StructField(each.name, each.dataType, each.nullable, {**each.metadata, **more}))
    return answer.to(schema)
