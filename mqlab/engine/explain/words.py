"""The narrator: one row of the event log as a sentence, by words.toml, which has a template for each kind of row."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ..extra import dialect_of, extras
from ..words.because import as_key, because
from ..words.constants import REASONS, code
from ..words.errors import LabError
from ..words.templates import fields_of
from ..world.event import COLUMNS, Event
from ..world.event_kinds import is_dead_letter

_LANGUAGE = "words.toml"


@cache
def templates(language: str = _LANGUAGE) -> dict[str, dict[str, Any]]:
    """The templates of a language, the engine's and those of extras, by kind of row; LabError if one names a field
    that no such row has, or a kind has two."""
    by_kind: dict[str, dict[str, Any]] = {}
    for page in (files(__package__).joinpath(language).read_text("utf-8"), *(e.text(language) for e in extras())):
        entries = tomllib.loads(page)
        if twice := by_kind.keys() & entries:
            raise LabError(f"{language} must have a kind of row once; got {', '.join(sorted(twice))} again")
        by_kind |= entries
    for kind, entry in by_kind.items():
        texts = entry["text"].values() if isinstance(entry["text"], dict) else [entry["text"]]
        named = {entry.get("by", "kind")}.union(*map(fields_of, texts))
        if unknown := named - _COLUMNS - _WORDS - {*entry.get("facts", ())} - by_kind.keys():
            raise LabError(f"{language} must name only fields of {kind} rows; got {', '.join(sorted(unknown))}")
    return by_kind


_NAMING = ("put", "report")  # kinds of rows whose sentences name their message


@dataclass
class _Row:
    """A row and the words that most sentences need: who acted, on which queue, and where that is."""

    row: Event
    facts: Mapping[str, Any]
    who: str
    queue: str
    where: str
    noun: str

    def told(self, kind: str) -> str:
        """The sentence of a kind of row, or a part of one."""
        entry = templates()[kind]
        text = entry["text"]
        if isinstance(text, dict):
            text = text.get(as_key(self[entry["by"]]), text.get("*"))
        told: str = text.format_map(self)
        return told

    def __getitem__(self, name: str) -> object:
        """A part of a sentence, a word about the row, a column of it, or a fact; "" for a fact that it has not."""
        if name[0] == "+":
            return self.told(name)
        if name in _COLUMNS:
            return getattr(self.row, name)
        if name in _WORDS:
            return getattr(self, name)
        value = self.facts.get(name)
        return "" if value is None else ", ".join(value) if isinstance(value, list) else value

    @property
    def left(self) -> str:
        """The seconds of lifetime that are left, "" if it is unlimited."""
        return "" if self._left is None else _seconds(self._left / 10)

    @property
    def late_by(self) -> str:
        """The seconds after its deadline."""
        return _seconds(-(self._left or 0) / 10)

    @property
    def _left(self) -> float | None:
        dialect = dialect_of(self.row.object_type)
        return self.row.expiry_left if dialect is None else dialect.left(self.row, self.facts)

    @property
    def waiting_time(self) -> str:
        """The seconds since its put."""
        return _seconds((self.row.time_us - (self.row.put_us or 0)) / 1e6)

    @property
    def reason_given(self) -> str:
        """The sentence of the reason that the facts give, "" for none."""
        return because(self.facts)

    @property
    def said(self) -> str:
        """The names and values of the facts, and the reason that they give."""
        values = [f"{name} {value}" for name, value in self.facts.items() if name != "why"]
        return ", ".join([*values, *([f"because {because(self.facts)}"] if "why" in self.facts else [])])

    @property
    def actor(self) -> str | None:
        """The queue manager that acted."""
        return member_of(self.row)

    @property
    def code(self) -> str:
        """The reason code with its name."""
        return f"{self.row.reason} {REASONS.get(self.row.reason or 0, '')}".strip()

    @property
    def feedback(self) -> str:
        """The reason code with its name, or a feedback code."""
        return code(self.row.reason or 0)

    @property
    def undelivered(self) -> str:
        """The reason in the MQDLH with its name, or a feedback code."""
        return code(self.facts["Reason"])

    @property
    def spot(self) -> str:
        """Where a put goes: "to" another queue manager, to the "dead-letter" queue, or ""."""
        return "to" if self.facts.get("to") else "dead-letter" if is_dead_letter(self.row) else ""

    @property
    def found_by(self) -> str:
        """The call or program that reached an expired message: a program on its "way", a "scan", or a "call"."""
        if self.row.object_type is None:
            return "way"
        return "scan" if self.row.program == self.actor else "call"

    @property
    def values(self) -> str:
        """The attributes that were altered, as MQSC; "" for too many."""
        words = {"True": "{}", "False": "NO{}"}  # TRIGGER, NOTRIGGER; a number 0 or 1 is no flag
        values = ", ".join(words.get(repr(value), "{}({})").format(name, value) for name, value in self.facts.items())
        return f": {values}" if 0 < len(values) <= 90 else ""

    @property
    def purpose(self) -> str:
        """The uses that an object was opened for."""
        uses = [f"input, {self.facts['input']}"] if self.facts.get("input") else []
        return " and ".join([*uses, *self.facts.get("uses", ())])

    @property
    def scanned(self) -> str:
        """How many queues were scanned: "none", "few", or "many"."""
        queues = self.facts.get("queues", [])
        return "many" if len(queues) > 4 else "few" if queues else "none"

    @property
    def first_queues(self) -> str:
        """The first queues that were scanned."""
        return ", ".join(self.facts["queues"][:4])

    @property
    def more_queues(self) -> int:
        """How many more were scanned."""
        return len(self.facts["queues"]) - 4


_ACTS_ITSELF: frozenset[str | None] = frozenset().union(*(extra.acts_itself for extra in extras()))
_COLUMNS = frozenset(COLUMNS)
_WORDS = {*_Row.__annotations__, *(name for name, value in vars(_Row).items() if isinstance(value, property))}


def sentence(row: Event, several: bool = False, noun: str = "message", then: bool = True) -> str:
    """Return a row as a sentence of its message's life.

    `several` names the queue manager in it, `noun` is what a message that is put is called; without `then` it leaves
    out what follows, such as the next attempt of a channel.
    """
    detail = row.facts if then else {name: value for name, value in row.facts.items() if name != "then"}
    who, queue = row.program or "a program", row.object or row.qmgr or ""
    dialect = dialect_of(row.object_type)
    of_qmgr = not _ACTS_ITSELF.isdisjoint((row.rule, row.kind)) or who == detail.get("member", row.qmgr)
    if several and dialect is None and not of_qmgr:  # otherwise the program is the queue manager that acted
        who = f"{who} at {detail.get('member', row.qmgr)}"
    owned = dialect is not None or (several and row.object and row.object_type not in ("LINK", "CLIENT"))
    entry = _Row(row, detail, who, queue, f"{queue} of {row.qmgr}" if owned else queue, noun)
    if row.reason is not None and row.message is None:
        return entry.told("+refused")
    product = "" if dialect is None else dialect.product
    kinds = (f"{product}.{row.kind}", f"{row.kind} {row.rule}", row.kind)
    kind = next((kind for kind in kinds if kind in templates()), None)
    return f"{row.kind} {queue}" if kind is None else entry.told(kind)


def told(row: Event, several: bool = False, then: bool = True) -> str:
    """Return a row as a sentence that names its message, so that it can be read alone; `then` as for `sentence`.

    >>> told(Event(0, 0, "QM1", "start", None, None, *[None] * 14))
    'QM1 started'
    """
    words = sentence(row, several, then=then)
    return words if row.message is None or row.kind in _NAMING else f"message {row.message}: {words}"


def rule_title(id: str | None) -> str:
    """Return the id of a rule with its title, "" for no rule."""
    from ..words.rulebook import RULES  # a data file, which a lab reads when it first explains something

    return f"{id} {RULES[id].title}" if id in RULES else id or ""


def member_of(row: Event) -> str | None:
    """Return the queue manager that acted: a row of several at once is at what they form, and its detail names one."""
    member: str | None = row.facts.get("member", row.qmgr)
    return member


def _seconds(number: float) -> str:
    """Return seconds in figures that are read at once: 100,000,000 s and not 1e+08 s."""
    return f"{number:,.0f} s" if number >= 10_000 and number == round(number) else f"{number:g} s"
