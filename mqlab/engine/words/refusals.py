"""Why calls and commands are refused: refusals.toml has the rule, the fact, and the remedy of each case, by reason
code, or by the number of an AMQ message.

An extra keeps the cases of its own refusals in the refusals.toml of its room. Code gives a reason, a case, and its
fields; the sentence is made when it is read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ..extra import extras
from .templates import filled

ANY = 0
"""The reason code of the cases that come with any reason code, such as that of another refusal."""


class Case(NamedTuple):
    """One way in which a reason code, or the number of a message, comes about: `said` states the fact, `hint` the
    remedy, and `subject` what other refusals may share, as templates."""

    said: str
    hint: str = ""
    rule: str | None = None
    subject: str = ""


class Grounds(NamedTuple):
    """A reason code, or the number of a message, the case of it, and the values of the fields of that case."""

    reason: int
    case: str
    fields: Mapping[str, object]

    @property
    def rule(self) -> str | None:
        """The id of the rule behind it."""
        return self._case.rule

    @property
    def said(self) -> str:
        """The fact, in words."""
        return filled(self._case.said, self.fields)

    @property
    def hint(self) -> str:
        """The remedy, in words."""
        return filled(self._case.hint, self.fields)

    @property
    def subject(self) -> str:
        """What other refusals of this case may share, in words."""
        return filled(self._case.subject, self.fields)

    @property
    def _case(self) -> Case:
        known = cases()
        return known.get((self.reason, self.case)) or known[ANY, self.case]


@cache
def cases() -> dict[tuple[int, str], Case]:
    """Every case of a refusal by its reason code and name: first of the engine, then of each extra."""
    engine = files(__package__).joinpath("refusals.toml").read_text("utf-8")
    return {
        (int(reason), name): Case(**entry)
        for text in (engine, *(extra.text("refusals.toml") for extra in extras()))
        for reason, by_name in tomllib.loads(text).items()
        for name, entry in by_name.items()
    }
