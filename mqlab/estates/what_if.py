"""The effects of a command: the findings and the routes of an estate before and after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.words.errors import LabError
from ..views.text import plural
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
        hows = {"command": "refused", "finding": "made, ended, or changed", "route": "made, ended, or changed"}
        counts = [(sum(one.what == word for one in self.changes), word, how) for word, how in hows.items()]
        told = [f"{plural(many, word)} {how}" for many, word, how in counts if many]
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
    sides = [{one.identity: one.said for one in findings(each)} for each in (estate, after)]
    changes += [Change("finding", how, key[1], key[3], was, now) for key, how, was, now in _changed(*sides)]
    titles = [{key: f"{one.verdict}: {one.why}" for key, one in routes_of(each).items()} for each in (estate, after)]
    changes += [Change("route", how, key[0], key[1], was, now) for key, how, was, now in _changed(*titles)]
    return WhatIf(after, command, at, changes)


def _first_object(command: str) -> tuple[str, str]:
    """The name and the kind of the object that the first command is about; "" and "" for none."""
    found = _OBJECT.match(command)
    if found is None:
        return "", ""
    word = found[1].upper()
    kind = {"QL": "QLOCAL", "QA": "QALIAS", "QR": "QREMOTE", "QM": "QMODEL", "CHL": "CHANNEL"}.get(word, word)
    return (found[2] or found[3].upper()), kind


def _changed(before: Mapping[Any, str], after: Mapping[Any, str]) -> Iterator[tuple[Any, str, str, str]]:
    """The key of each sentence that changed, how, and the sentence before and after, "" for none."""
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key, ""), after.get(key, "")
        if was != now:
            yield key, MADE if not was else ENDED if not now else CHANGED, was, now
