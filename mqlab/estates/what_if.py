"""The effects of a command: the findings and the routes of an estate before and after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.words.errors import LabError
from .answers import Answer
from .findings import findings
from .routes import route, routes_of

if TYPE_CHECKING:
    from .definitions import Definitions

_OBJECT = re.compile(r"\s*[A-Za-z]+\s+([A-Za-z]+)\s*\(\s*(?:'([^']+)'|([^')\s]+))\s*\)")

MADE, ENDED, CHANGED = "made", "ended", "changed"


class Change(NamedTuple):
    """One thing that a command changes.

    `what` is "finding", "route", or "command" for one that is refused; `how` is made, ended, changed, or refused; `was`
    and `is_now` are sentences, "" for nothing.
    """

    what: str
    how: str
    qmgr: str
    name: str
    was: str
    is_now: str


class WhatIf(Answer):
    """The effect of commands: `changes`, and `after`, the estate that has run them; the asked one stays as it is.

    Its picture shows the objects of the routes that change, as they are after the commands.
    """

    what = "Changes"
    columns = ("what", "how", "qmgr", "name", "was", "is now")

    def __init__(self, after: Any, command: str, at: str, changes: list[Change]):
        super().__init__(after)
        self.after, self.command, self.at, self.changes = after, command, at, tuple(changes)
        self.failed = any(change.how == "refused" for change in changes)

    @property
    def title(self) -> str:  # type: ignore[override]
        """The command, and how many things it changes."""
        counts = [(word, sum(one.what == word for one in self.changes)) for word in ("command", "finding", "route")]
        words = ["refused", "made, ended, or changed", "made, ended, or changed"]
        told = [f"{n} {word}{'s' * (n > 1)} {how}" for (word, n), how in zip(counts, words, strict=True) if n]
        return f"{' '.join(self.command.split())} at {self.at}: {', '.join(told) or 'no finding and no route changes'}"

    @property
    def rows(self) -> list[tuple]:
        """A row for each change."""
        return list(self.changes)

    @property
    def facts(self) -> dict[str, Any]:
        """The command, and where it would run."""
        return {"command": self.command, "at": self.at}

    @property
    def objects(self) -> list[str]:
        """The objects of the routes that change, as they are now."""
        routes = [route(self.after, one.name, one.qmgr) for one in self.changes if one.what == "route"]
        return list(dict.fromkeys(key for each in routes for key in each.objects))


def what_if(estate: Definitions, command: str, at: str = "") -> WhatIf:
    """The effect of one command, or several, on a queue manager, or on the only one that has the object of the
    first command; nothing of the estate itself changes.

    LabError for a queue manager that is not in the estate, and for text without a command.
    """
    at = estate.at(at, *_first_object(command))
    after = estate.with_commands({at: command})
    replies = after.replies[-1].replies
    if not replies:
        raise LabError(f"command must be MQSC, such as DELETE QLOCAL(ORDERS); got {command!r}")
    changes = [Change("command", "refused", at, one.name, one.command, one.text) for one in replies if not one.ok]
    before, later = ({one.identity: one.said for one in findings(each)} for each in (estate, after))
    changes += [
        Change("finding", how, key[1], key[3], was, now)
        for key in dict.fromkeys((*before, *later))
        for how, was, now in _changed(before.get(key, ""), later.get(key, ""))
    ]
    titles = [{key: f"{one.verdict}: {one.why}" for key, one in routes_of(each).items()} for each in (estate, after)]
    changes += [
        Change("route", how, *key, was, now)
        for key in dict.fromkeys((*titles[0], *titles[1]))
        for how, was, now in _changed(titles[0].get(key, ""), titles[1].get(key, ""))
    ]
    return WhatIf(after, command, at, changes)


def _first_object(command: str) -> tuple[str, str]:
    """The name and the kind of the object that the first command is about; "" and "" for none."""
    found = _OBJECT.match(command)
    if found is None:
        return "", ""
    word = found[1].upper()
    kind = {"QL": "QLOCAL", "QA": "QALIAS", "QR": "QREMOTE", "QM": "QMODEL", "CHL": "CHANNEL"}.get(word, word)
    return (found[2] or found[3].upper()), kind


def _changed(was: str, now: str) -> list[tuple[str, str, str]]:
    """How something changed, and what was and is; nothing for what stays as it is."""
    if was == now:
        return []
    return [(MADE if not was else ENDED if not now else CHANGED, was, now)]
