"""From text to commands: lines, comments, continuations and semicolons; then from a command to its tokens.

Rules of the command reference: a line whose first character is ``*`` and a blank line say nothing, also inside a
command; ``+`` at the end of a line goes on at the first character of the next line that is not a blank, ``-`` at its
first character; both also inside a quoted string or a word; commas are blanks. A ``;`` starts a new command. A script
of z/OS consists of records of 80 characters, except where a line is longer, where a header names dmpmqcfg as its writer
and not every record is numbered, and for a lone line without a sequence number, which is typed at a console; columns 73
to 80 that are no sequence field, because a word or value goes on in them, are read. Everything here takes time in
proportion to the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from .catalog import END_WORDS
from .errors import LabError
from .structures import encoded

_LINE_END = re.compile(r"\r\n|\n|\r")
_PLAIN = re.compile(r"[A-Z0-9._/]+")
_BLANKS = " \t\f\v"
_DUMP = "* Queue manager name:"
_SIGNIFICANT, _RECORD = 72, 80
_TOKEN = re.compile(
    r"""(?P<blank>[ \t\f\v,]+)
      | (?P<open>\() | (?P<close>\))
      | '(?P<single>(?:[^']+|'')*+)' | "(?P<double>(?:[^"]+|"")*+)"
      | (?P<unended>['"])
      | (?P<word>[^ \t\f\v,()'"]+)""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """One piece of a command: sort ("word", "text", "(", ")", "unended"), its value, where it starts and ends."""

    sort: str
    value: str
    position: int
    end: int


class Source:
    """The text of one command as it was written.

    - `line`: number of its first line in the input, from 1.
    - `text`: the command with its continuations joined.
    - `written`: number and text of the lines it was written on, comments and blank lines between them left out.
    - `before`: comment and blank lines since the command before it, for the echo.
    - `pending`: "+" or "-" where the input ended on a line that asked for another; else "".
    - `ignored`: a sentence for each text other than a sequence number in columns 73 to 80 of its lines on z/OS.
    """

    __slots__ = ("_starts", "before", "ignored", "line", "pending", "text", "written")

    def __init__(self, pieces: list[tuple[int, str]], written: list[tuple[int, str]], before: list[str], pending: str):
        self.line = written[0][0]
        self.text = "".join(piece for _, piece in pieces).rstrip(_BLANKS)  # any text: the input of a person
        self.written, self.before, self.pending = written, before, pending
        self.ignored: list[str] = []
        self._starts, position = [], 0
        for number, piece in pieces:
            self._starts.append((position, number))
            position += len(piece)

    def line_at(self, position: int) -> int:
        """The number of the input line that this position of `text` came from."""
        return self._starts[max(0, bisect_right(self._starts, (position, float("inf"))) - 1)][1]


class _State:
    """The state of the reader between two lines: the open quote, if any, and how many parentheses are open."""

    __slots__ = ("depth", "quote")

    def __init__(self) -> None:
        self.quote, self.depth = "", 0

    def semicolons(self, text: str) -> Iterator[int]:
        """Where each ``;`` outside quotes is, one after another; the state moves over the text with them."""
        for match in re.finditer(r"['\"();]", text):
            char = match.group()
            if self.quote:
                self.quote = "" if char == self.quote else self.quote
            elif char in "'\"":
                self.quote = char
            elif char == ";":
                self.depth = 0
                yield match.start()
            else:
                self.depth += 1 if char == "(" else -1


def quoted(text: str, nothing: str = " ") -> str:
    """A text in quotes, as MQSC reads it back; `nothing` is what an empty one is written as.

    >>> quoted("Smith's queue"), quoted("")
    ("'Smith''s queue'", "' '")
    """
    return "'" + (text or nothing).replace("'", "''") + "'"


def as_name(name: str) -> str:  # text: a name
    """A name as a command takes it: in quotes unless it is plain upper case.

    >>> as_name("ORDERS"), as_name("orders"), as_name("A%")
    ('ORDERS', "'orders'", "'A%'")
    """
    return name if _PLAIN.fullmatch(name) else quoted(name)


def without_end_mark(text: str) -> str:  # text: the input of a person
    """The text without the Ctrl-Z or NUL characters that some systems end a file with."""
    kept = text.rstrip("\x1a\0 \t\r\n")
    return f"{kept}\n" if {"\x1a", "\0"} & set(text[len(kept) :]) else text


def read_commands(
    text: str, platform: str | None = None
) -> tuple[list[Source], list[str]]:  # text: the input of a person
    """Split the input into commands; on platform "zos" columns 73 to 80 of each line are ignored.

    Returns the commands in order, without a word that ends the input, and then the comment and blank lines after the
    last command with the line that ended the input. LabError when `text` is not a str that UTF-8 can hold.
    """
    if not isinstance(text, str):
        raise LabError(f"MQSC must be text (str); got {type(text).__name__}. Decode bytes, or read the file, first")
    encoded(text, "MQSC")
    sources: list[Source] = []
    reader = _Reader(sources)
    lines = _LINE_END.split(without_end_mark(text).removeprefix("\ufeff"))
    records = platform == "zos" and max(map(len, lines)) <= _RECORD and (len(lines) > 1 or text[-1:].isdecimal())
    if records and _DUMP in text:
        fields = [line[_SIGNIFICANT:].strip(_BLANKS) for line in lines if not line.startswith("*")]
        records = all(field.isdecimal() for field in fields if field)
    for number, line in enumerate(lines, start=1):
        if records and len(line) > _SIGNIFICANT and not line.startswith("*"):
            beyond = line[_SIGNIFICANT:].strip(_BLANKS)
            notice = f"z/OS would ignore {beyond!r} after column 72; the lab reads it"
            if line[_SIGNIFICANT - 1] in "+- " and beyond.isalnum():
                line, notice = line[:_SIGNIFICANT], f"z/OS reads columns 1 to 72 of a line, and ignored {beyond!r}"
            reader.ignored += [notice] if beyond and not beyond.isdecimal() else []
        if not reader.take(number, line):
            return sources, [*reader.before, line]
    reader.finish()
    if reader.before and not reader.before[-1].strip(_BLANKS):
        reader.before.pop()  # the nothing after the last line's end
    return sources, reader.before


class _Reader:
    """Gathers lines into commands."""

    def __init__(self, sources: list[Source]):
        self.sources = sources
        self.before: list[str] = []
        self.ignored: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self.pieces: list[tuple[int, str]] = []
        self.written: list[tuple[int, str]] = []
        self.pending, self.state = "", _State()

    def finish(self) -> None:
        """The command gathered so far is whole."""
        if self.written:
            self.sources.append(Source(self.pieces, self.written, self.before, self.pending))
            self.sources[-1].ignored, self.ignored, self.before = self.ignored, [], []
        self._begin()

    def take(self, number: int, line: str) -> bool:
        """Take one more line of the input; False when it is one that ends the input."""
        body = line.strip(_BLANKS)
        outside = not self.state.quote and self.state.depth <= 0
        if not body or line.startswith("*") or (body.startswith("*") and outside):
            if not self.pending:
                self.before.append(line)
            return True
        if not self.pending and body.rstrip(";").strip(_BLANKS).upper() in END_WORDS:
            return False
        piece = line.lstrip(_BLANKS) if self.pending != "-" else line
        piece = piece.rstrip(_BLANKS)
        return self._split(number, line, piece)

    def _split(self, number: int, line: str, piece: str) -> bool:
        """Add a line, which holds several commands where it has semicolons; False when one of them ends the input."""
        state, start = self.state, 0
        for semicolon in state.semicolons(piece):
            part = piece[start:semicolon].strip(_BLANKS) if start else piece[:semicolon]
            if start and part.startswith("*"):
                return True
            if start and part.upper() in END_WORDS:
                return False
            self._add(number, line, part, more="")
            start = semicolon + 1
        part = piece[start:].lstrip(_BLANKS) if start else piece
        if start and (part[:1] in ("", "*") or part in ("+", "-")):
            return True
        if start and part.upper() in END_WORDS:
            return False
        more = part[-1] if part[-1] in "+-" else ""
        self._add(number, line, part[:-1] if more else part, more)
        if more:
            self.state = state
        return True

    def _add(self, number: int, line: str, part: str, more: str) -> None:
        """Add a part of a line to the command being gathered; `more` is the sign that asks for another line, or ""."""
        if self.pieces or part.strip(_BLANKS) or more:
            if not self.written or self.written[-1][0] != number:
                self.written.append((number, line))
            self.pieces.append((number, part))
        self.pending = more
        if not more:
            self.finish()


def read_tokens(text: str) -> list[Token]:
    """The tokens of one command; a quote without an end makes the rest of the command one "unended" token."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        assert match is not None, "a token of one character always matches"
        sort, end = match.lastgroup, match.end()
        if sort == "unended":
            tokens.append(Token("unended", text[position:], position, len(text)))
            break
        if sort in ("single", "double"):
            quote = "'" if sort == "single" else '"'
            tokens.append(Token("text", match.group(sort).replace(quote * 2, quote), position, end))
        elif sort == "word":
            tokens.append(Token("word", match.group(), position, end))
        elif sort != "blank":
            tokens.append(Token(match.group(), match.group(), position, end))
        position = end
    return tokens
