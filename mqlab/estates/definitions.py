"""What scripts define: queue managers on a lab at rest, and the file and line of every definition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, Self

from ..lab.lab import Lab
from ..lab.queue_manager import QueueManager
from ..mq.errors import LabError
from ..mq.objects import Definition
from ..mqsc import CommandReply, Script
from .worked import from_script


class Place(NamedTuple):
    """Where something is written: the name of a file, and a line of it, from 1; "" and 0 for nowhere."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""


class Part(NamedTuple):
    """A script of an estate: the name of its file, the script, and the queue manager that runs it."""

    file: str
    script: Script
    qmgr: str
    platform: str | None = None
    level: int | None = None


class Definitions:
    """Queue managers that scripts define, on a lab at rest: nothing has been put, and no channel runs.

    - `lab`: the lab. Every two queue managers have a link; a channel calls the queue manager that has its other end.
    - `parts`: the scripts, in the order in which they ran.
    - `replies`: for each script, the replies to its commands.
    """

    def __init__(self, parts: Sequence[Part], record: bool = False):
        self.parts = tuple(parts)
        self.lab, self.replies = Lab(record=record), []
        self._places: dict[tuple[str, str, str], list[tuple[str, CommandReply]]] = {}
        for part in self.parts:
            if part.qmgr in self.names:
                reply = self.lab[part.qmgr].mqsc(part.script.text)
            else:
                _, reply = from_script(self.lab, part.script, part.qmgr, part.platform, part.level)
            self.replies.append(reply)
            for each in reply.replies:
                if each.ok and each.verb in ("DEFINE", "ALTER"):
                    self._places.setdefault((part.qmgr, each.kind, each.name), []).append((part.file, each))
        for one, other in combinations(self.names, 2):
            self.lab.link(one, other)
        self.lab.run(0)

    @property
    def queue_managers(self) -> list[QueueManager]:
        """Its queue managers, in the order in which they were read."""
        return self.lab.queue_managers

    @property
    def names(self) -> list[str]:
        """The names of its queue managers, in the order in which they were read."""
        return [qmgr.name for qmgr in self.queue_managers]

    def own(self, qmgr: QueueManager, *kinds: str) -> Iterator[Definition]:
        """The objects of these kinds that belong to the people of the estate: all but those named SYSTEM."""
        return (one for one in qmgr.objects.match(kinds) if not one.name.startswith("SYSTEM."))

    def place(self, qmgr: str, kind: str, name: str = "", keyword: str = "") -> Place:
        """Where an object was last defined or altered, or, with `keyword`, where that attribute was last set."""
        written = self._places.get((qmgr, kind, name), [])
        for file, reply in reversed(written):
            found = re.search(rf"(?i)(?<![A-Z]){re.escape(keyword)}\b", reply.command) if keyword else None
            if found and reply.source is not None:
                return Place(file, reply.source.line_at(found.start()))
        return Place(written[-1][0], written[-1][1].line) if written else Place()

    def with_commands(self, commands: Mapping[str, str], record: bool = False) -> Self:
        """A new estate of the same scripts, after which each queue manager has run commands: name -> MQSC."""
        for name in commands:
            if name not in self.names:
                raise LabError(f"queue manager must be one of {', '.join(self.names)}; got {name!r}")
        more = [Part("", Script(text, "utf-8"), name) for name, text in commands.items()]
        return type(self)((*self.parts, *more), record)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.names) or 'no queue managers'})"
