"""The rules table of runmqdlq: control data, and rules of a pattern and an action, read from text.

An entry is one or more keywords with a value in parentheses and begins on a new line; ``+`` and ``-`` at the end of a
line continue it and ``*`` at the beginning makes a comment, as in MQSC. The first entry may be control data. Values
without quotes are folded to upper case.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any, NamedTuple

from ..engine.words.constants import MQWI_UNLIMITED, named
from ..engine.words.errors import LabError
from ..engine.words.lexer import Source, read_commands, read_tokens
from ..engine.words.objects import legal_name

RETRY, FWD, DISCARD, IGNORE = "RETRY", "FWD", "DISCARD", "IGNORE"

_NAMES = ("DESTQ", "DESTQM", "REPLYQ", "REPLYQM")
TEXTS = {"APPLIDAT": 32, "APPLNAME": 28, "FORMAT": 8, "USERID": 12, **dict.fromkeys(_NAMES, 48)}
"""Pattern keywords that match text, with the length of their field."""

NUMBERS = ("APPLTYPE", "FEEDBACK", "MSGTYPE", "PERSIST", "REASON")
"""Pattern keywords that match a number."""

_CONTROL = ("INPUTQ", "INPUTQM", "RETRYINT", "WAIT")
_ACTIONS = ("ACTION", "FWDQ", "FWDQM", "HEADER", "PUTAUT", "RETRY")
_LARGEST = 999_999_999
_CODES = named("MQRC_") | named("MQFB_")
_SYMBOLS = {
    "APPLTYPE": named("MQAT_"),
    "FEEDBACK": _CODES,
    "FORMAT": named("MQFMT_"),
    "MSGTYPE": named("MQMT_"),
    "PERSIST": {name: value for name, value in named("MQPER_").items() if value in (0, 1)},
    "REASON": _CODES,
}
"""Keyword -> the symbolic names it takes: MQ's name to the number, or for FORMAT to the format."""
_UNQUOTED = re.compile(r"&?[A-Za-z0-9._/%*?]+")


class Control(NamedTuple):
    """The control data: the queue ("" for DEADQ), its queue manager ("" for this one), the seconds between attempts,
    and the seconds to wait for more work once nothing is left to do (0: not at all, MQWI_UNLIMITED)."""

    input_queue: str = ""
    input_qmgr: str = ""
    retry_interval: int = 60
    wait: int = MQWI_UNLIMITED


class Rule(NamedTuple):
    """One rule: the line it begins on, its action, and its conditions.

    `texts` and `numbers` hold what is asked for by keyword, a keyword left out or ``*`` matching anything. `retry` is
    how many times the action is attempted, `queue` and `qmgr` are FWDQ and FWDQM, `header` whether FWD keeps the MQDLH.
    `authority` is PUTAUT, which changes nothing here: nobody is refused for who they are.
    """

    line: int
    action: str
    texts: dict[str, re.Pattern]
    numbers: dict[str, int]
    retry: int = 1
    queue: str = ""
    qmgr: str = ""
    header: bool = True
    authority: str = "DEF"

    def matches(self, values: dict[str, Any]) -> bool:
        """Whether a message of which this is `values`, by keyword, has everything the rule asks for (DLQ-01)."""
        texts = ((asked, values[keyword].rstrip(" ")) for keyword, asked in self.texts.items())
        numbers = all(values[keyword] == number for keyword, number in self.numbers.items())
        return numbers and all(asked.fullmatch(text) for asked, text in texts)


class Table(NamedTuple):
    """A rules table: its control data, and its rules in order."""

    control: Control
    rules: tuple[Rule, ...]


def pattern(value: str) -> re.Pattern:
    """The pattern of a text value: ``*`` any characters or none, ``?`` one character; blanks at its end do not count.

    >>> bool(pattern("PAY*.?N").fullmatch("PAYROLL.IN"))
    True
    """
    signs = {"*": ".*", "?": "."}
    return re.compile("".join(signs.get(sign) or re.escape(sign) for sign in value.rstrip(" ")), re.DOTALL)


class _Value:
    """The value in the parentheses of a keyword: the text, and the line for messages."""

    def __init__(self, keyword: str, text: str, quoted: bool, line: int):
        self.keyword, self.line = keyword, line
        self.text = text if quoted else text.upper()

    def refusal(self, wanted: str) -> LabError:
        """The LabError that names the line, the keyword, the expected value, and the actual value."""
        return _refusal(self.line, f"{self.keyword}({wanted})", f"{self.keyword}({self.text})")

    def number(self, low: int = 0) -> int:
        """A number from `low`, or a symbolic name of the keyword."""
        symbols = _SYMBOLS.get(self.keyword, {})
        if self.text in symbols:
            return symbols[self.text]
        if self.text.isascii() and self.text.isdigit() and low <= int(self.text) <= _LARGEST:
            return int(self.text)
        near = get_close_matches(self.text, symbols, 1)
        named = f", or a name such as {near[0] if near else next(iter(symbols))}" if symbols else ""
        raise self.refusal(f"{low} to {_LARGEST}{named}")

    def choice(self, *words: str) -> str:
        """One of these words."""
        word = self.text.upper()
        if word not in words:
            raise self.refusal("|".join(words))
        return word

    def name(self, *words: str, blank: bool) -> str:
        """The name of a queue or queue manager, one of the words for what the message says, or "" if allowed."""
        text = self.text.rstrip(" ")
        if text.upper() in words:
            return text.upper()
        if not (legal_name(text) or (blank and not text)):
            raise self.refusal("|".join(("a name without wildcards", *words, *(("' '",) if blank else ()))))
        return text


def read_table(text: str) -> Table:
    """The table that `text` says; LabError names the line of the first entry that cannot be followed."""
    sources, rest = read_commands(text)
    if rest and rest[-1].strip() and not rest[-1].lstrip().startswith("*"):
        # one of MQSC's words for the end, which mean nothing in a rules table
        raise _refusal(text.splitlines().index(rest[-1]) + 1, "a rule or the end of the table", rest[-1])
    control, rules, line = Control(), [], 0
    for source in sources:
        if source.line == line or ";" in [token.value[-1:] for token in read_tokens(source.text)]:
            raise _refusal(source.line, "each rule on a new line, with nothing between them", source.text)
        line = source.written[-1][0]
        entry = _entry(source)
        control_data = [keyword for keyword in entry if keyword in _CONTROL]
        if not control_data:
            rules.append(_rule(source.line, entry))
        elif len(control_data) < len(entry) or source is not sources[0]:
            raise _refusal(source.line, f"{control_data[0]} in the first entry, with control data only", source.text)
        else:
            control = _control(entry)
    if not rules:
        raise _refusal(max(line, 1), "at least one rule, such as ACTION(RETRY)", "none")
    return Table(control, tuple(rules))


def _entry(source: Source) -> dict[str, _Value]:
    """The keywords of one entry with their values."""
    tokens, entry, position = read_tokens(source.text), {}, 0
    if source.pending:
        raise _refusal(source.line, f"a line after the {source.pending} that ends this one", source.text)
    while position < len(tokens):
        line = source.line_at(tokens[position].position)
        keyword = tokens[position].value.upper()
        if tokens[position].sort != "word" or keyword not in (*_CONTROL, *_ACTIONS, *TEXTS, *NUMBERS):
            near = get_close_matches(keyword, (*_CONTROL, *_ACTIONS, *TEXTS, *NUMBERS), 1)
            raise _refusal(line, "a keyword" + (f" ({near[0]}?)" if near else ""), tokens[position].value)
        sorts = [token.sort for token in tokens[position + 1 : position + 4]]
        if sorts not in (["(", "word", ")"], ["(", "text", ")"]) or not tokens[position + 2].value:
            got = source.text[tokens[position].position :]
            raise _refusal(line, f"{keyword}(value), one value of at least one character", got)
        value = tokens[position + 2]
        if value.sort == "word" and not _UNQUOTED.fullmatch(value.value):
            raise _refusal(line, f"{keyword}('{value.value}'), quoted", f"{keyword}({value.value})")
        if keyword in entry:
            raise _refusal(line, f"{keyword} once", f"it twice in one entry: {source.text}")
        entry[keyword] = _Value(keyword, value.value, value.sort == "text", line)
        position += 4
    return entry


def _control(entry: dict[str, _Value]) -> Control:
    """Control data, with runmqdlq's defaults."""
    values: dict[str, Any] = {}
    for keyword, value in entry.items():
        if keyword == "RETRYINT":
            values["retry_interval"] = value.number(1)
        elif keyword == "WAIT":
            values["wait"] = _seconds(value)
        else:
            values["input_queue" if keyword == "INPUTQ" else "input_qmgr"] = value.name(blank=True)
    return Control(**values)


def _seconds(value: _Value) -> int:
    """WAIT: YES, NO, or a number of seconds."""
    words = {"YES": MQWI_UNLIMITED, "NO": 0}
    if value.text.upper() in words:
        return words[value.text.upper()]
    if not (value.text.isascii() and value.text.isdigit() and int(value.text) <= _LARGEST):
        raise value.refusal("YES|NO|seconds")
    return int(value.text)


def _rule(line: int, entry: dict[str, _Value]) -> Rule:
    """One rule, with runmqdlq's defaults."""
    if "ACTION" not in entry:
        raise _refusal(line, "ACTION(RETRY|FWD|DISCARD|IGNORE) in every rule", "none")
    action = entry["ACTION"].choice(RETRY, FWD, DISCARD, IGNORE)
    if action == FWD and "FWDQ" not in entry:
        raise _refusal(line, "FWDQ(queue|&DESTQ|&REPLYQ) beside ACTION(FWD)", "none")
    for keyword in ("FWDQ", "FWDQM", "HEADER"):
        if action != FWD and keyword in entry:
            raise _refusal(entry[keyword].line, f"{keyword} beside ACTION(FWD) only", f"ACTION({action})")
    texts = {keyword: _text(value) for keyword, value in entry.items() if keyword in TEXTS and value.text != "*"}
    numbers = {keyword: value.number() for keyword, value in entry.items() if keyword in NUMBERS and value.text != "*"}
    values: dict[str, Any] = {}
    if "RETRY" in entry:
        values["retry"] = entry["RETRY"].number(1)
    if action == FWD:
        values["queue"] = entry["FWDQ"].name("&DESTQ", "&REPLYQ", blank=False)
    if "FWDQM" in entry:
        values["qmgr"] = entry["FWDQM"].name("&DESTQM", "&REPLYQM", blank=True)
    if "HEADER" in entry:
        values["header"] = entry["HEADER"].choice("YES", "NO") == "YES"
    if "PUTAUT" in entry:
        values["authority"] = entry["PUTAUT"].choice("DEF", "CTX")
    return Rule(line, action, texts, numbers, **values)


def _text(value: _Value) -> re.Pattern:
    """A text to match; its characters but for asterisks must fit in the field."""
    text = _SYMBOLS.get(value.keyword, {}).get(value.text, value.text)
    size = TEXTS[value.keyword]
    if len(text.rstrip(" ").replace("*", "")) > size:
        raise value.refusal(f"up to {size} characters, asterisks not counted")
    return pattern(text)


def _refusal(line: int, wanted: str, got: str) -> LabError:
    return LabError(f"dead-letter rules table, line {line}: wanted {wanted}; got {got.strip() or 'nothing'}")
