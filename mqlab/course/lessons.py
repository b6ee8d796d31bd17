"""Parts that the notebooks of the course share: tables and lives of messages as cards, refusals, and answers."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from ..engine.words.errors import LabError, MQError, ProgramDied, RunawayTrigger
from ..everyplace import MQeError
from ..lab.lab import Lab
from ..views.cards.cards import explain_card
from ..views.cards.tables import table

REFUSALS = (MQError, MQeError, LabError, RunawayTrigger)
"""The errors that mqlab raises for requests of a person or a program."""


class Card:
    """Something that a notebook shows: `text` for readers who hear it, `html` for all others."""

    def __init__(self, text: str, html: str):
        self.text, self.html = text, html

    def __repr__(self):
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.html}


def agrees(predicted: object, actual: object) -> bool:
    """Return True if a prediction is the right answer, however it is typed.

    >>> agrees("running", "RUNNING"), agrees([1, 7], (1, 7)), agrees("3", 3), agrees(b"tea", "tea")
    (True, True, True, True)
    """
    if isinstance(predicted, (list, tuple)) and isinstance(actual, (list, tuple)):
        return len(predicted) == len(actual) and all(map(agrees, predicted, actual))
    return predicted == actual or _typed(predicted) == _typed(actual)


def _typed(value: object) -> str:
    """A value as text: letter case and quotes do not count."""
    return (value.decode(errors="replace") if isinstance(value, bytes) else str(value)).strip().casefold()


def as_table(words: str, columns: tuple[str, ...], rows: Iterable[Any]) -> Card:
    """Rows as a table with a caption, and the cells as text for readers who cannot see it."""
    text = "\n".join([words, *("  ".join(map(str, row)) for row in rows)])
    return Card(text, table(words, columns, rows))


def explained(lab: Lab, message: Any) -> Card:
    """The life of a message, each line with its rule: `lab.explain` as a card."""
    return Card(*explain_card(lab, message))


def strict() -> bool:
    """Whether a cell must end as its notebook expects: with MQLAB_STRICT=1, as in CI."""
    return os.environ.get("MQLAB_STRICT", "") not in ("", "0")


def refusal(error: Exception) -> Exception:
    """The MQError of which a program died, if there is one; else the error itself."""
    return error.__cause__ if isinstance(error, ProgramDied) and isinstance(error.__cause__, MQError) else error


def run_python(shell: Any, code: str, above: int) -> None:
    """Run Python of a cell, below its first `above` lines, in the names of its shell; show the last expression."""
    from IPython.display import display

    source = "\n" * above + shell.transform_cell(code)
    name, tree = shell.compile.cache(source, shell.displayhook.prompt_count), ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), shell.user_ns)  # noqa: S102 - the reader's own cell
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), shell.user_ns)  # noqa: S307
        if value is not None:
            display(value)


@contextmanager
def refused(reason: int | None = None) -> Iterator[None]:
    """Run a ``with`` block that must fail with an MQ error, and show a card without a traceback. Raises AssertionError
    if the block succeeds or fails with another `reason`. MQ Everyplace gives no reason code."""
    from IPython.display import display

    try:
        yield
    except (*REFUSALS, ProgramDied) as error:
        shown = refusal(error)
        display(shown)
        got = getattr(shown, "reason", None)
        assert reason is None or got == reason, (
            f"the block should fail with {reason}; got {got or type(shown).__name__}"
        )
        return
    raise AssertionError(f"the block should fail{f' with {reason}' if reason else ''}, but succeeded")


def elements() -> str:
    """Return the script that defines `h`, which makes an element."""
    return files(__package__).joinpath("element.js").read_text("utf-8")
