"""Spelling: the object whose name someone may have meant who wrote a name that nothing has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from ..engine.commands.parser import parse

_SPELLED = ("QLOCAL", "CHANNEL", "PROCESS")
"""Kinds of objects whose names are compared with other spellings."""
_WORD = re.compile(r"[A-Za-z0-9]{4,}")
"""The words of a name in which a letter may be wrong; shorter ones differ on purpose, such as IN and IX."""

_CONFUSED = {"0": "O", "O": "0", "1": "I", "I": "1"}


def meant(qmgr: Any, fix: str, own: str) -> str:
    """The only object of a queue manager whose name is a spelling of that which a fix defines; "" for none, for
    several, and for `own`, the object at fault."""
    command = parse(fix)[0] if fix.startswith("DEFINE") else None  # text: a command of MQSC
    if command is None or command.object not in _SPELLED:
        return ""
    found = {name for name in spellings(command.name) if name != own and qmgr.objects.named(command.object, name)}
    return found.pop() if len(found) == 1 else ""


def spellings(name: str) -> Iterator[str]:
    """The names that differ from a name in one letter of a word, in two letters that changed places, or in 0 for O, or
    1 for I.

    Digits for other digits are no mistake, because ORDERS.1 and ORDERS.2 are two queues.

    >>> [each in spellings("STATEMENT.IN1") for each in ("STATEMENTS.IN1", "STATMEENT.IN1", "STATEMENT.IN2")]
    [True, True, False]
    """
    letters = ascii_uppercase if name == name.upper() else ascii_uppercase + ascii_lowercase
    for place, letter in enumerate(name):
        if letter in _CONFUSED:
            yield name[:place] + _CONFUSED[letter] + name[place + 1 :]
    for word in _WORD.finditer(name):
        for place in range(word.start(), word.end() + 1):
            before, after = name[:place], name[place:]
            yield from (before + letter + after for letter in letters)
            if place < word.end() and not after[0].isdigit():
                yield before + after[1:]
                yield from (before + letter + after[1:] for letter in letters if letter != after[0])
            if place + 1 < word.end() and after[0] != after[1] and not after[:2].isdigit():
                yield before + after[1] + after[0] + after[2:]
