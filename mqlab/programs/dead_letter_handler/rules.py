"""A rules table as the handler uses it: control data, and rules of a pattern and an action."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...mq.constants import MQWI_UNLIMITED

__all__ = ["DISCARD", "FWD", "IGNORE", "NUMBERS", "RETRY", "TEXTS", "Control", "Rule", "Table", "pattern"]

RETRY, FWD, DISCARD, IGNORE = "RETRY", "FWD", "DISCARD", "IGNORE"

TEXTS = {
    "APPLIDAT": 32,
    "APPLNAME": 28,
    "DESTQ": 48,
    "DESTQM": 48,
    "FORMAT": 8,
    "REPLYQ": 48,
    "REPLYQM": 48,
    "USERID": 12,
}
"""Pattern keywords that match text, with the length of their field."""

NUMBERS = ("APPLTYPE", "FEEDBACK", "MSGTYPE", "PERSIST", "REASON")
"""Pattern keywords that match a number."""


class Control(NamedTuple):
    """The control data: the queue ("" for DEADQ), its queue manager ("" for this one), the seconds between attempts,
    and the seconds to wait for more work once nothing is left to do (0: not at all, MQWI_UNLIMITED)."""

    input_queue: str = ""
    input_qmgr: str = ""
    retry_interval: int = 60
    wait: int = MQWI_UNLIMITED


class Rule(NamedTuple):
    """One rule: the line it begins on, its action, and what it matches.

    `texts` and `numbers` hold what is asked for by keyword, a keyword left out or ``*`` matching anything. `retry` is
    how often the action is attempted, `queue` and `qmgr` are FWDQ and FWDQM, `header` whether FWD keeps the MQDLH.
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

    def matches(self, said: dict[str, str | int]) -> bool:
        """Whether a message of which this is `said`, by keyword, has everything the rule asks for (DLQ-01)."""
        return all(said[keyword] == number for keyword, number in self.numbers.items()) and all(
            asked.fullmatch(said[keyword].rstrip(" ")) for keyword, asked in self.texts.items()
        )


class Table(NamedTuple):
    """A rules table: its control data, and its rules in order."""

    control: Control
    rules: tuple[Rule, ...]


def pattern(value: str) -> re.Pattern:
    """What a text value matches: ``*`` any characters or none, ``?`` one character; blanks at its end do not count.

    >>> bool(pattern("PAY*.?N").fullmatch("PAYROLL.IN"))
    True
    """
    signs = {"*": ".*", "?": "."}
    return re.compile("".join(signs.get(sign) or re.escape(sign) for sign in value.rstrip(" ")), re.DOTALL)
