"""The text of a `%%predict` cell: the question, the parts of its answer, and the blocks of its experiment."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ...engine.words.errors import LabError
from ..lessons import agrees

KINDS = ("number", "choose", "several", "order", "text")
_LINE = re.compile(rf"^({'|'.join(KINDS)})\b(?:\s+([^:|=]+):)?\s*(.*?)\s=\s(.+)$")
_ID = re.compile(r"[0-9]{2}/[a-z][a-z0-9-]*")
_MOST = 12
"""A range of at most so many numbers becomes buttons; a longer one is a field."""

Answer = int | str | list[str]


class Part(NamedTuple):
    """One part of the answer: its kind, its label ("" for none), what can be chosen, and the author's expression."""

    kind: str
    label: str
    options: list[str]
    low: int | None
    high: int | None
    truth: str

    @property
    def offered(self) -> list[Any]:
        """The values that have a button each; empty for a field."""
        if self.low is not None and self.high is not None and self.high - self.low < _MOST:
            return list(range(self.low, self.high + 1))
        return self.options

    def right(self, names: dict[str, Any]) -> Answer:
        """The right answer, from `names` after the experiment.

        Raises LabError if the question does not allow this answer; an error of the expression is raised as it is.
        """
        value = eval(self.truth, names)  # noqa: S307 - the author's expression
        if self.kind == "number":
            number = int(value)
            fits = self.low is None or self.high is None or self.low <= number <= self.high
            return self._checked(number, fits)
        if self.kind in ("several", "order"):
            found = [_text(one) for one in value]
            ordered = sorted(found) == sorted(self.options)
            return self._checked(found, ordered if self.kind == "order" else set(found) <= set(self.options))
        return self._checked(_text(value), self.kind == "text" or _text(value) in self.options)

    def _checked(self, value: Answer, fits: bool) -> Answer:
        if not fits:
            offered = f"{self.low} to {self.high}" if self.kind == "number" else " | ".join(self.options)
            raise LabError(
                f"the answer {self.truth} must be among {offered}; got {value!r}. Change the part's options."
            )
        return value

    def agrees(self, said: Any, right: Answer) -> bool:
        """Return True if the learner's answer is the right one; case and the order of `several` do not count."""
        if self.kind == "several" and isinstance(said, list) and isinstance(right, list):
            return agrees(sorted(map(str, said)), sorted(right))
        return agrees(said, right)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


class Question(NamedTuple):
    """A prediction: its id, such as 01/tart, its text, the parts of the answer, and the experiment's blocks."""

    id: str
    text: str
    parts: list[Part]
    experiment: list[str]

    @property
    def names(self) -> list[str]:
        """A name for each part: its label, or the question's id."""
        return [part.label or self.id for part in self.parts]

    def values(self) -> dict[str, Any]:
        """The question as the widget takes it, without any answer."""
        parts = [
            {"kind": each.kind, "label": each.label, "low": each.low, "high": each.high, "options": each.offered}
            for each in self.parts
        ]
        return {"id": self.id, "plain": " ".join(self.text.split()), "parts": parts}


def read(line: str, cell: str) -> Question:
    """Read a `%%predict` cell: `line` is the rest of its first line.

    >>> asked = read("01/full", "How many?\\n\\nnumber 0 to 8 = qm.depth('ORDERS')\\n---\\nqm.put('ORDERS', '')")
    >>> asked.text, asked.parts[0].offered[-1], asked.experiment
    ('How many?', 8, ["qm.put('ORDERS', '')"])

    Raises LabError if the cell lacks an id, a part, or an experiment, or if a range is not one.
    """
    head, *blocks = re.split(r"^---[ \t]*(?:\n|\Z)", cell, flags=re.MULTILINE)
    words, parts = [], []
    for each in head.splitlines():
        found = _LINE.match(each.strip())
        if found is None:
            words.append(each)
        else:
            parts.append(_part(each, *found.groups()))
    if not _ID.fullmatch(line.strip()):
        raise LabError(f"a prediction must have an id, such as %%predict 01/tart; got {line.strip() or 'nothing'}.")
    if not parts or not blocks:
        missing = "an experiment after ---" if parts else "a line such as `number 0 to 8 = qm.depth('ORDERS')`"
        raise LabError(f"the prediction {line.strip()} must have {missing}.")
    return Question(line.strip(), "\n".join(words).strip(), parts, [block.strip("\n") for block in blocks])


def _part(line: str, kind: str, label: str | None, options: str, truth: str) -> Part:
    ends = re.fullmatch(r"(-?\d+) to (-?\d+)", options)
    if kind == "number" and options and ends is None:
        raise LabError(f"the range of a number must be such as 0 to 8; got {options!r} in {line.strip()!r}.")
    if kind in ("choose", "several", "order") and "|" not in options:
        raise LabError(f"{kind} must have options such as a | b | c; got {options or 'none'!r} in {line.strip()!r}.")
    low, high = map(int, ends.groups()) if ends and kind == "number" else (None, None)
    several = [each.strip() for each in options.split("|")] if options and kind not in ("number", "text") else []
    return Part(kind, (label or "").strip(), several, low, high, truth)
