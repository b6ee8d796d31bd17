"""Names of MQ objects: which characters and how many."""

from __future__ import annotations

import re

from .attribute import INSERT, CatalogueError

__all__ = ["LENGTHS", "check_name"]

LENGTHS = {
    "CHANNEL": 20,
    "CLNTCONN": 20,
    "STGCLASS": 8,
    "CFSTRUCT": 12,
    "SUB": 10_240,
    "TOPICSTR": 10_240,
    "SECURITY": 64,
    "CONN": 48,
    "POLICY": 48,
}
"""Most characters of a name, by kind; 48 for every kind not here."""

_LEGAL = re.compile(r"[A-Za-z0-9./_%]+", re.ASCII)
_ANY = ("SUB", "SBSTATUS", "TOPICSTR", "TPSTATUS", "AUTHREC", "CONN", "THREAD", "LOG", "ARCHIVE", "APSTATUS")


def check_name(kind: str, name: str, generic: bool = False) -> str:
    """Give the name if an object of this kind can have it.

    Parameters
    ----------
    name : str
        It may hold inserts such as ``+QMNAME+``, which the queue manager fills in.
    generic : bool
        Allow ``*`` at the end, as DISPLAY does.

    Raises
    ------
    CatalogueError
        ``sort`` is "name".
    """
    most = LENGTHS.get(kind, 48)
    stem = name[:-1] if generic and name.endswith("*") else name
    stem = INSERT.sub("_", stem)
    if not stem:
        if generic and name == "*":
            return name
        raise CatalogueError(
            "name", f"{kind}: wanted a name of 1 to {most} characters; got nothing between the parentheses"
        )
    if kind not in _ANY and not _LEGAL.fullmatch(stem):
        bad = " ".join(dict.fromkeys(c for c in stem if not _LEGAL.fullmatch(c))) or "blank"
        bad = bad.strip() or "a blank"
        text = f"{kind}: {_brief(name)} is not a legal MQ name: {bad} cannot stand in one. Use A-Z a-z 0-9 . / _ %"
        tried = re.sub(r"[^A-Za-z0-9./_%]+", ".", stem).strip(".")
        raise CatalogueError("name", text + (f", for example {tried}" if tried else ""))
    if len(stem) > most:
        raise CatalogueError(
            "name",
            f"{kind}: wanted a name of at most {most} characters; {_brief(name)} has "
            f"{len(stem)}. Take {len(stem) - most} off",
        )
    return name


def _brief(name: str) -> str:
    return repr(name) if len(name) <= 60 else repr(name[:57] + "...")
