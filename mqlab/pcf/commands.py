"""The commands of programmable command format, each with the command of MQSC that does it.

`commands.toml` has them. Source: Definitions of the Programmable Command Formats, product documentation.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from . import numbers

_VERBS = {"CHANGE": "ALTER", "COPY": "DEFINE", "CREATE": "DEFINE", "DELETE": "DELETE", "INQUIRE": "DISPLAY"}
_TABLE = tomllib.loads(files(__package__).joinpath("commands.toml").read_text("utf-8"))
NAME_LISTS: dict[str, tuple[int, str, int]] = {kind: tuple(row[1:]) for kind, row in _TABLE["names"].items()}
"""Kind -> the parameter that lists names, and the keyword and the parameter that list their types, if any."""
LISTS = frozenset(row[-1] for row in _TABLE["kinds"].values()) | {row[0] for row in _TABLE["displays"].values()}
"""The parameters that list the attributes that an inquiry wants."""
ESCAPE, RESET_Q_STATS = 38, 17
"""The command that carries MQSC, and the one that no MQSC command of all platforms does."""


class Entry(NamedTuple):
    """One command: its name in PCF, the verb and the object of MQSC, the parameter that names the object, whether it
    only inquires names, and, of COPY, the parameters that name what is copied and what is made."""

    name: str
    verb: str
    object: str
    named_by: int | None
    names_only: bool = False
    copied: int = 0
    copy: int = 0


@cache
def commands() -> dict[int, Entry]:
    """Number of a command -> how it is done."""
    entries = {}
    for word, (kind, *ids, copied, copy, _) in _TABLE["kinds"].items():
        for number, (verb, mqsc) in zip(ids, _VERBS.items(), strict=True):
            entry = Entry(f"{verb}_{word}", mqsc, kind, numbers.parameters(kind)[kind])
            entries[number] = entry._replace(copied=copied, copy=copy) if verb == "COPY" else entry
    for number, words in _TABLE["others"].items():
        name, verb, object = words.split()
        keyword = (*_TABLE["displays"].get(object, ())[1:], object)[0]
        entries[int(number)] = Entry(name, verb, object, numbers.parameters(object).get(keyword))
    for kind, (number, *_) in _TABLE["names"].items():
        entries[number] = Entry(f"INQUIRE_{kind}_NAMES", "DISPLAY", kind, numbers.parameters(kind)[kind], True)
    return entries
