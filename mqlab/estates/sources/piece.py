"""A piece of MQSC in a file: its lines with their numbers in the file, and what the file says of its queue manager."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from ...engine.commands import Script
from ...engine.words.errors import LabError

TABLES: dict[str, Any] = tomllib.loads(files(__package__).joinpath("sources.toml").read_text("utf-8"))
"""Names of other formats in the words of MQSC, and the sentences of notes."""

Lines = Sequence[tuple[int, str]]
"""Lines of MQSC, each with the number of its line in the file, from 1; several may have one number."""


class Damaged(LabError):
    """A file that is not what it seems to be: the line and the problem."""

    def __init__(self, file: Path, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}")
        self.line, self.problem = line, problem


class Note(NamedTuple):
    """A part of a file that is not read: its line, and why; `damaged` if it is the whole file."""

    line: int
    why: str
    damaged: bool = False


class Piece(NamedTuple):
    """MQSC of one queue manager; or its `settings`, from a qm.ini; or client channels, whose QMNAME is `serves`.

    `qmgr` is the name of the queue manager if the file has it, `guess` that of a resource or file that may have it, and
    `mounted` a ConfigMap and its key, which a queue manager may run.
    """

    lines: Lines = ()
    qmgr: str = ""
    guess: str = ""
    mounted: tuple[str, str] = ("", "")
    platform: str | None = None
    settings: dict[str, str] | None = None
    serves: str | None = None


@dataclass
class Source:
    """A file: its text, its pieces, notes about the rest, and each ConfigMap, key ("" for all), and queue manager that
    runs it. A script has its `script`."""

    file: Path
    text: str
    pieces: list[Piece] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    mounts: list[tuple[str, str, str]] = field(default_factory=list)
    script: Script | None = None


def note(line: int, sentence: str, names: Collection[str] = ()) -> Note:
    """A note with a sentence of TABLES about some names."""
    listed = ", ".join([*names][:8] + ["..."] * (len(names) > 8))
    return Note(line, TABLES["notes"][sentence].format(names=listed))


def laid_out(lines: Lines) -> str:
    """MQSC as a text in which each line has its number; those with one number are joined by ; or as they continue."""
    rows: dict[int, list[str]] = {}
    comments = []
    for number, line in lines:
        row = rows.setdefault(number, [])
        if row and row[-1].startswith("*"):
            comments.append(row.pop())
        if row and line.lstrip()[:1] in ("", "*"):
            comments.append(line)  # at the end, because the rest of its line would be a comment too
        elif row and row[-1].endswith(("+", "-")):
            line = line.lstrip() if row[-1].endswith("+") else line
            row[-1:] = [row[-1][:-1], line.rstrip()]
        else:
            row += [";"] * bool(row) + [line.rstrip()]
    return "\n".join(["".join(rows.get(number, ())) for number in range(1, max(rows, default=0) + 1)] + comments)
