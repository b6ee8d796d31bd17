"""The replies to commands: one for each, refusals among them, and all of them in runmqsc's layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files

from ..words.catalog.attribute import lines
from ..words.errors import Error, LabError, visible
from ..words.lexer import Source
from ..words.refusals import Grounds
from ..words.shown import shown

_ECHO = 8  # characters before the " : " of an echoed line


def _codes() -> dict[int, tuple[str, str]]:
    """The lines of codes.txt."""
    found = (line.partition(" ") for line in lines(files(__package__).joinpath("codes.txt").read_text("utf-8")))
    return {int(code[:-1]): (code[-1], words) for code, _, words in found}


CODES = _codes()
"""AMQ number -> its letter, and the words of the line runmqsc answers with."""

SYNTAX = frozenset({8405, 8406, 8411, 8412, 8413, 8421})
"""The numbers that the closing figures count as syntax errors (8424 is not one: IBM's APAR text shows it)."""


class Refused(Error):
    """The refusal of a command.

    `number` is its AMQ number, a key of `CODES`, and `code` is the number with its letter: "AMQ8405I"; `grounds` has
    its case, and the fields of that, `name` for the headline among them. `said` states the error and a correction, with
    further sentences of `notes`; `position` is the place in the command's text, None if the text is not at fault.
    """

    def __init__(self, number: int, case: str, position: int | None = None, **fields: object):
        super().__init__(number, case)
        self.number, self.position, self.grounds = number, position, Grounds(number, case, fields)
        self.notes: list[str] = []
        letter, words = CODES[number]
        self.code = f"AMQ{number}{letter}"
        self.headline = f"{self.code}: {words.format(**fields)}"

    def __str__(self) -> str:
        return self.said

    @property
    def said(self) -> str:
        """The error and a correction, in words."""
        return "; ".join((self.grounds.said, *self.notes))

    @property
    def syntax(self) -> bool:
        """Whether the closing figures count it as a syntax error."""
        return self.number in SYNTAX


def text_of(parts: list[list[str]]) -> str:
    """The lines of parts as one text."""
    return "\n".join(line for part in parts for line in part)


@dataclass
@shown
class CommandReply:
    """The answer to one command.

    - `command`: the command as read, its continuations joined.
    - `number` and `line`: its place among the commands, and the input line it begins on; both from 1.
    - `code`: the message number with its letter, e.g. "AMQ8006I", also where the level prints no letter.
    - `text`: the whole answer, of one or more lines: for a refused command also what was wrong, where, and what was
      meant; `parts`: its lines, cut before the headline of each object shown; `headline`: its first line.
    - `rows`: for DISPLAY: keyword -> value for each object shown (int, str, bool for flags, tuple of str for lists).
    - `simulated`: false for what the lab keeps or accepts without acting on it, or not on all of it.
    - `kept_only`: the attributes set by this command that are kept and shown, while nothing in the lab acts on them.
    - `ok`: whether the command was done.
    - `syntax`: whether it was refused for its syntax, as the closing figures count.
    - `notes`: the sentences of the lab that `text` has, about what was wrong, or about what has no effect.
    - `case` and `subject`: of the refusal, as in its `grounds`; of a command that is done, what a note says.
    - `verb`, `kind` and `name`: what the command is, and the object that it is about, as in `Command`.
    """

    command: str
    number: int
    line: int
    code: str  # any text: the number before a colon
    text: str
    rows: list[dict] = field(default_factory=list)
    simulated: bool = True
    kept_only: tuple[str, ...] = ()
    ok: bool = True
    syntax: bool = False
    notes: list[str] = field(default_factory=list, repr=False, compare=False)
    case: str = field(default="", repr=False, compare=False)
    subject: str = field(default="", repr=False, compare=False)
    source: Source | None = field(default=None, repr=False, compare=False)
    verb: str = field(default="", repr=False)
    kind: str = field(default="", repr=False)
    name: str = field(default="", repr=False)
    parts: list[list[str]] = field(default_factory=list, repr=False, compare=False)

    @property
    def headline(self) -> str:
        """The first line of its text."""
        return self.parts[0][0]

    def __str__(self) -> str:
        return visible(self.text)


@dataclass(repr=False)
@shown
class Reply:
    """The answer to one text of MQSC: ``str`` of it is shaped as runmqsc prints.

    runmqsc numbers the commands it echoes, not the lines; where they differ the text of a refusal names the line.
    On z/OS the real replies are CSQ messages: the lab answers every `platform` in this shape, and says so.
    """

    qmgr: str
    replies: list[CommandReply]
    after: list[str] = field(default_factory=list)
    platform: str = "distributed"

    @property
    def ok(self) -> bool:
        """Whether every command was done."""
        return all(reply.ok for reply in self.replies)

    @property
    def rows(self) -> list[dict]:
        """The rows of every DISPLAY in it, one after another."""
        return [row for reply in self.replies for row in reply.rows]

    def require(self) -> Reply:
        """Return this reply if every command worked; LabError that names the first refused command if not.

        >>> from mqlab import Lab
        >>> qm = Lab().queue_manager("QM1")
        >>> qm.mqsc("DEFINE QLOCAL(ORDERS)").require()
        Reply(QM1: 1 commands, none refused)
        >>> qm.mqsc("DEFINE QLOCAL(BILLS)\\nDELETE QLOCAL(BILLZ)").require()
        Traceback (most recent call last):
        ...
        mqlab.engine.words.errors.LabError: QM1 refused DELETE QLOCAL(BILLZ) in line 2: AMQ8147E: IBM MQ object ...
        mqlab: line 2: 2085 MQRC_UNKNOWN_OBJECT_NAME: no QLOCAL has this name. Try: did you mean BILLS?
        """
        for reply in self.replies:
            if not reply.ok:
                raise LabError(f"{self.qmgr} refused {reply.command} in line {reply.line}: {reply.text}")
        return self

    def summary(self) -> str:
        """The three closing lines: commands read, syntax errors, commands that could not be processed."""
        read, wrong = len(self.replies), sum(reply.syntax for reply in self.replies)
        failed = sum(not reply.ok and not reply.syntax for reply in self.replies)
        could_not = f"{_count(failed)} valid MQSC command{'' if failed == 1 else 's'} could not be processed."
        return (
            f"{_count(read)} MQSC command{'' if read == 1 else 's'} read.\n"
            f"{_count(wrong)} command{' has' if wrong == 1 else 's have'} a syntax error.\n"
            + (could_not if failed else "All valid MQSC commands were processed.")
        )

    def __repr__(self) -> str:
        failed = sum(not reply.ok for reply in self.replies)
        return f"Reply({self.qmgr}: {len(self.replies)} commands, {failed or 'none'} refused)"

    def __str__(self) -> str:
        other = "mqlab: z/OS would answer with CSQ messages; the lab answers as runmqsc does."
        parts = [f"Starting MQSC for queue manager {self.qmgr}.", *([other] if self.platform == "zos" else []), "", ""]
        echoed: set[int] = set()
        for reply in self.replies:
            parts += _echo(reply, echoed)
            parts.append(reply.text)
        parts += [f"{'':>{_ECHO - 1}}: {line}".rstrip() for line in self.after[:-1]]
        if self.after:
            last, number = self.after[-1], len(self.replies) + 1
            ends = last.strip(" \t;").upper() in ("END", "EXIT", "QUIT")
            parts.append(f"{number if ends else '':>{_ECHO - 2}} : {last}".rstrip())
        return visible("\n".join((*parts, self.summary())))


def _count(number: int) -> str:
    return {0: "No", 1: "One"}.get(number, str(number))


def _echo(reply: CommandReply, echoed: set[int]) -> list[str]:
    source = reply.source
    if source is None:
        return [f"{reply.number:>{_ECHO - 2}} : {reply.command}"]
    lines = [f"{'':>{_ECHO - 1}}: {line}".rstrip() for line in source.before]
    for index, (number, line) in enumerate(source.written):
        if number in echoed:
            line = f"{reply.command}"
        echoed.add(number)
        lines.append(f"{reply.number if index == 0 else '':>{_ECHO - 2}} : {line}")
    return lines
