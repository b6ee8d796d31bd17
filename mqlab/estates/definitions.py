"""The definitions of scripts: queue managers on a lab at rest, and the file and line of every definition."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import combinations
from operator import attrgetter, or_
from typing import Any, NamedTuple, Self

from ..clusters.plug import LEFT_OUT
from ..engine.commands import CommandReply, Reply, Script
from ..engine.commands.display import PASSWORDS
from ..engine.words.constants import CURRENT_LEVEL
from ..engine.words.errors import LabError
from ..engine.words.objects import QUEUE_KINDS, Definition
from ..lab.lab import Lab
from ..lab.queue_manager import QueueManager
from ..sharing.shared_queue import QSG_TRANSMIT_QUEUE
from .sources.piece import Note

UNGUARDED: dict[str, Any] = {"environment": {"MQSNOAUT": "YES"}}
"""The setting of queue managers of an estate: no dump has the users and groups that its authority records are about."""

_WRITTEN = r"(?im)^(?![ \t]*\*).*"  # a line that is no comment, up to what follows
_ONLY_ZOS = (
    "ACTCHL|ADOPTMCA|CFSTRUCT|CHIADAPS|CHIDISPS|CMDSCOPE|EXPRYINT|IGQ|IGQAUT|INDXTYPE|LSTRTMR|PSID|QSGDISP|RCVTIME|"
    "SQQMNAME|SSLTASKS|STGCLASS|TCPCHL|TCPNAME"
)
_OF_ZOS = re.compile(rf"{_WRITTEN}\b(?:{_ONLY_ZOS}) *\(")
_SHARING = "CFSTRUCT *\\( *'?[A-Z]|QSGDISP *\\( *'?(?:SHARED|GROUP|COPY)|IGQ *\\( *'?ENABLED"
_OF_A_GROUP = re.compile(rf"{_WRITTEN}\b(?:{_SHARING})")
_GROUP_NAME = re.compile(r"(?i)\bQSGNAME\( *'?([A-Z@#$][A-Z0-9@#$]{0,3})\b")
_MASTER = re.compile(rf"{_WRITTEN}\bQSGDISP\( *'?GROUP\b")
_COPY = re.compile(r"(?i)(\bQSGDISP\( *'?)COPY\b")
_STRUCTURE = re.compile(r"(?i)(\b(?:DEF|DEFINE)\s+(?:(?:NO)?REPLACE\s+)?)?\bCFSTRUCT\( *'?([A-Z][A-Z0-9]{0,11})\b")

_WORD = re.compile(r"[A-Za-z0-9._/%]{1,48}")
_START_CHINIT = re.compile(r"(?i)(START|STA)\s+CHI")
_PASSWORD = re.compile(rf"(?i)\b({'|'.join(PASSWORDS)})\s*\(\s*(?:'(?:[^']|'')*'|[^)]*)\s*\)")


class Place(NamedTuple):
    """Where something is written: the name of a file, and a line of it, from 1; "" and 0 for nowhere."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""


class Part(NamedTuple):
    """A script of an estate: the name of its file, the script, and the queue manager that runs it, with its queue
    sharing group.

    If the file is more than the script: its `text`, the `settings` that it has for the queue manager, `notes` about all
    else, each with its line, and whether the file has `named` the queue manager.
    """

    file: str
    script: Script
    qmgr: str
    platform: str | None = None
    level: int | None = None
    group: str = ""
    text: str = ""
    settings: dict[str, str] = {}
    notes: Sequence[Note] = ()
    named: bool = False

    @property
    def system(self) -> str:
        """The platform that is given, else z/OS for words that only z/OS has, else distributed."""
        said = self.platform or self.script.platform
        return said or ("zos" if _OF_ZOS.search(self.script.text) else "distributed")


class Definitions:
    """Queue managers that scripts define, on a lab at rest: nothing has been put, and no channel runs.

    - `lab`: the lab, a new one or an empty one that is given. Every two queue managers have a link; a
      channel calls the queue manager that has its other end. There are no clusters: that takes time, and asks others.
    - `parts`: the scripts, in the order in which they ran.
    - `replies`: for each script, the replies to its commands.
    - `assumed`: the structures of queue sharing groups that no script defines: name -> a queue manager that names it.
    """

    together: Sequence[Any] = ()
    """Every two queue managers whose scripts may be of one, as an `Estate` knows them."""

    def __init__(self, parts: Sequence[Part], lab: Lab | None = None):
        self.parts = tuple(parts)
        self.lab = Lab() if lab is None else lab
        self.replies: list[Reply] = []
        self._places: dict[tuple[str, str, str], list[tuple[str, CommandReply]]] = {}
        self.kept: dict[str, Any] = {}  # what the checks share while they all run
        self._refused: dict[str, set[str]] = {}  # queue manager -> the words of refused commands
        for part in self.parts:
            if part.qmgr not in self.names:
                level = part.level or part.script.level or CURRENT_LEVEL
                settings = [each.settings for each in self.parts if each.qmgr == part.qmgr]
                environment = reduce(or_, settings, UNGUARDED["environment"])
                qmgr = self.lab.queue_manager(part.qmgr, part.system, level, environment=environment)
                qmgr.kept[LEFT_OUT] = True
        self.assumed = self._make_groups()
        self._run(self.parts)
        for one, other in combinations(self.names, 2):
            self.lab.link(one, other)
        self._come_to_rest()

    def _run(self, parts: Iterable[Part]) -> None:
        """Run scripts, and remember where what is."""
        masters = any(_MASTER.search(part.script.text) for part in self.parts)  # else a copy is as one's own
        for part in parts:
            reply = self.lab[part.qmgr].mqsc(part.script.text if masters else _COPY.sub(r"\1QMGR", part.script.text))
            self.replies.append(reply)
            for each in reply.replies:
                if each.ok and each.verb in ("DEFINE", "ALTER"):
                    self._places.setdefault((part.qmgr, each.kind, each.name), []).append((part.file, each))
                    self.assumed.pop(each.name if each.kind == "CFSTRUCT" else "", None)
                if not each.ok and each.verb in ("DEFINE", "ALTER", ""):
                    words = _WORD.findall(each.command)
                    self._refused.setdefault(part.qmgr, set()).update(words, (word.upper() for word in words))

    def _come_to_rest(self) -> None:
        """Start what starts by itself, and let that happen."""
        self._as_at_a_start()
        self.lab.run(0)
        self._rest = self.lab.events.next_seq

    @property
    def at_rest(self) -> bool:
        """Whether nothing has happened on its lab since the scripts ran, and its log has them all."""
        return self.lab.events.recording and self.lab.events.next_seq == self._rest

    def _as_at_a_start(self) -> None:
        """Let channel initiators run as SCHINIT says, wherever in a script it was set."""
        asked = {part.qmgr for part, command in self.ran() if _START_CHINIT.match(command.command)}
        for qmgr in self.queue_managers:
            if qmgr.attributes.get("SCHINIT") != "MANUAL":
                qmgr.start_channels()
            elif qmgr.channel_initiator is not None and qmgr.name not in asked:
                qmgr.channel_initiator.stop()

    def _make_groups(self) -> dict[str, str]:
        """Make queue sharing groups, and structures that scripts name but do not define: name -> queue manager."""
        # A z/OS queue manager with shared objects is a member of the group that is given, or that a dump shows as
        # QSGNAME, else of one group with the others. Where no script has a master, a copy is read as the queue
        # manager's own.
        texts = {name: "\n".join(part.script.text for part in self.parts if part.qmgr == name) for name in self.names}
        spare = next(name for name in map("QSG{}".format, range(1, 999)) if name not in texts)
        groups: dict[str, list[str]] = {}
        for part in self.parts:
            text, there = texts[part.qmgr], [name for members in groups.values() for name in members]
            named = _GROUP_NAME.search(text)
            group = part.group or (named[1].upper() if named else spare if _OF_A_GROUP.search(text) else "")
            if group and part.qmgr not in there and self.lab[part.qmgr].platform == "zos":
                groups.setdefault(group, []).append(part.qmgr)
        assumed: dict[str, str] = {}
        for group, members in groups.items():
            self.lab.queue_sharing_group(group, members)
            written = [part.script.text for part in self.parts if part.file and part.qmgr in members]
            found = _STRUCTURE.findall(re.sub(r"(?m)^[ \t]*\*.*", "", "\n".join(written)))
            defined = {name.upper() for verb, name in found if verb}
            for name in dict.fromkeys(name.upper() for verb, name in found if name.upper() not in defined):
                self.lab[members[0]].define("CFSTRUCT", name, {"CFLEVEL": 5, "RECOVER": "YES"})
                assumed[name] = members[0]
        return assumed

    @property
    def queue_managers(self) -> list[QueueManager]:
        """Its queue managers, in the order in which they were read."""
        return self.lab.queue_managers

    @property
    def names(self) -> list[str]:
        """The names of its queue managers, in the order in which they were read."""
        return [qmgr.name for qmgr in self.queue_managers]

    def ran(self, qmgr: str = "") -> Iterator[tuple[Part, CommandReply]]:
        """Each command of the scripts, or of those of one queue manager, with its script."""
        for part, reply in zip(self.parts, self.replies, strict=True):
            if qmgr in ("", part.qmgr):
                yield from ((part, command) for command in reply.replies)

    def at(self, name: str, about: str = "", kind: str = "") -> str:
        """The name of the queue manager that a question is about. If "" is given, the only one, or the only one that
        defines the object `about`, of a kind or of any ("QLOCAL" is a queue of any kind). LabError for another."""
        if name and name in self.names:
            return name
        having = [each.name for each in self.queue_managers if about and _defines(each, about, kind)]
        for found in (self.names, having):
            if not name and len(found) == 1:
                return found[0]
        several = f"; {about} is defined at {', '.join(having)}" if not name and having else ""
        raise LabError(f"at must be one of {', '.join(self.names)}; got {name!r}{several}")

    def own(self, qmgr: QueueManager, *kinds: str) -> Iterator[Definition]:
        """The objects of these kinds, or of all, that belong to the people of the estate: all but those named SYSTEM.
        Those of a queue sharing group are its first member's."""
        first = qmgr.group is None or qmgr.group.members[0] is qmgr
        if kinds:  # by name: those named SYSTEM stand together
            found = qmgr.objects.match(kinds)
            del found[slice(*(bisect_left(found, name, key=attrgetter("name")) for name in ("SYSTEM.", "SYSTEM/")))]
        else:
            found = [one for one in qmgr.objects.everything() if not one.name.startswith("SYSTEM.")]
        return (one for one in found if first or (one.kind != "CFSTRUCT" and one.attributes.get("QSGDISP") != "SHARED"))

    def whole(self, qmgr: QueueManager) -> bool:
        """Whether the scripts are all that the queue manager has, because one is a dump with a header."""
        return any(part.script.qmgr == qmgr.name for part in self.parts)

    def unsure(self, qmgr: QueueManager, *names: str) -> str:
        """Why the scripts alone do not show the meaning of names on a queue manager: "cluster" for a member of one, the
        refused command that has the name, or the script that may be its own; "" if they show it."""
        channels = self.own(qmgr, "CHANNEL")
        if any(each.attributes["CHLTYPE"] in ("CLUSSDR", "CLUSRCVR") for each in channels):
            return "cluster"
        if name := self.asked_of(qmgr, *names):
            return f"{self._others_words[qmgr.name][name]} names {name} too"
        name = self.refused(qmgr, *names)
        return f"a command about {name} was refused" if name else ""

    def unsure_of_igq(self, qmgr: QueueManager, at: str) -> str:
        """Why the scripts do not show whether intra-group queuing takes messages for another queue manager: IGQ is on,
        and the other may be a member of the group, or no script defines the queue; "" if they can."""
        if qmgr.group is None or qmgr.attributes["IGQ"] != "ENABLED" or at in ("", qmgr.name):
            return ""
        if qmgr.group.has(at):
            defined = qmgr.objects.named("QLOCAL", QSG_TRANSMIT_QUEUE) is not None or self.whole(qmgr)
            return "" if defined else f"IGQ is ENABLED, and no script defines {QSG_TRANSMIT_QUEUE}"
        outside = at in self.names and (self.lab[at].platform != "zos" or self.lab[at].group is not None)
        return "" if outside else f"IGQ is ENABLED, and {at} may be a member of the group"

    @cached_property
    def started(self) -> set[tuple[str, str]]:
        """The queue manager and the name of each object that a START command names."""
        return {(part.qmgr, command.name) for part, command in self.ran() if command.verb == "START"}

    def refused(self, qmgr: QueueManager, *names: str) -> str:
        """The first of these names, or keywords, that a refused command has, or a script that may be of the same queue
        manager (`together`), so that nobody knows what it would have set; "" for none."""
        words = self._refused.get(qmgr.name, ())
        return next((name for name in names if name and name in words), "") or self.asked_of(qmgr, *names)

    def asked_of(self, qmgr: QueueManager, *names: str) -> str:
        """The first of these names, or keywords, that a script has which may be of the same queue manager; or ""."""
        words = self._others_words.get(qmgr.name, ())
        return next((name for name in names if name and name in words), "")

    @cached_property
    def _others_words(self) -> dict[str, dict[str, str]]:
        """The words of the scripts that may be of the same queue manager, each with its file, by queue manager."""
        found: dict[str, dict[str, str]] = {}
        for pair in self.together:
            for name, other in ((pair.qmgr, pair.other), (pair.other, pair.qmgr)):
                for part, command in self.ran(other):
                    words = _WORD.findall(command.command)
                    found.setdefault(name, {}).update(dict.fromkeys((*words, *map(str.upper, words)), part.file))
        return found

    def made(self, qmgr: str) -> set[tuple[str, str]]:
        """The kinds and names of the objects that the scripts of a queue manager define."""
        places = self._places.items()
        return {key[1:] for key, of in places if key[0] == qmgr and any(one.verb == "DEFINE" for _, one in of)}

    def place(self, qmgr: str, kind: str, name: str = "", keyword: str = "") -> Place:
        """Where an object was last defined or altered, or, with `keyword`, where that attribute was last set: by the
        queue manager itself, or for an object of its group by another member."""
        here = self.lab[qmgr]
        found = here.objects.get(kind, name) if here.group is not None and kind != "QMGR" else None
        of_group = found is not None and (kind == "CFSTRUCT" or found.attributes.get("QSGDISP", "QMGR") != "QMGR")
        owners = (qmgr, *((member.name for member in here.group.members) if of_group else ()))
        written = next((self._places[each, kind, name] for each in owners if (each, kind, name) in self._places), [])
        for file, reply in reversed(written):
            found = re.search(rf"(?i)(?<![A-Z]){re.escape(keyword)}\b", reply.command) if keyword else None
            if found and reply.source is not None:
                return Place(file, reply.source.line_at(found.start()))
        return Place(written[-1][0], written[-1][1].line) if written else Place()

    def commands(self, qmgr: str, kind: str, name: str) -> list[tuple[Place, str]]:
        """The commands that define an object, or alter it, each with its place; a password is asterisks."""
        written = self._places.get((qmgr, kind, name), ())
        return [(Place(file, one.line), _PASSWORD.sub(r"\1(********)", one.command)) for file, one in written]

    def with_commands(self, commands: Mapping[str, str]) -> Self:
        """A new estate of the same scripts, after which each queue manager has run commands: name -> MQSC."""
        for name in commands:
            if name not in self.names:
                raise LabError(f"queue manager must be one of {', '.join(self.names)}; got {name!r}")
        return type(self)((*self.parts, *_scripts(commands)))

    def run(self, commands: Mapping[str, str]) -> None:
        """Run more commands on this estate itself, as `with_commands` does on a new one."""
        more = _scripts(commands)
        self.parts = (*self.parts, *more)
        self._run(more)
        self._come_to_rest()
        for known in ("started", "together", "_others_words", "_named"):
            self.__dict__.pop(known, None)

    @cached_property
    def _named(self) -> dict[str, set[str]]:
        """The words of all commands about a name, and for a transmission queue the channels that send from it."""
        words: dict[str, set[str]] = {}
        for _, one in self.ran():
            those = _WORD.findall(one.command)
            words.setdefault(one.name, set()).update(those, map(str.upper, those))
        for qmgr in self.queue_managers:
            for channel in qmgr.objects.match(("CHANNEL",)):
                words.setdefault(channel.attributes.get("XMITQ", ""), set()).add(channel.name)
        return words

    def only(self, names: Iterable[str]) -> Self:
        """A new estate of the same queue managers, which has of their objects only those with these names, those that
        their definitions name, and so on; and all that scripts say about SYSTEM objects and security."""
        todo, kept = [*names, ""], set()
        while todo:
            if (name := todo.pop()) not in kept:
                kept.add(name)
                todo += self._named.get(name, ())
        parts = []
        for part, reply in zip(self.parts, self.replies, strict=True):
            here = self.lab[part.qmgr]
            commands = [
                one.command
                for one in reply.replies
                if one.verb not in ("DEFINE", "ALTER") or one.name in kept or one.name.startswith("SYSTEM.")
            ]
            group = here.group.name if here.group is not None else ""
            script = Script("\n".join(commands), "utf-8")
            parts.append(part._replace(script=script, platform=here.platform, level=here.level, group=group))
        return type(self)(parts)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.names) or 'no queue managers'})"


def _scripts(commands: Mapping[str, str]) -> tuple[Part, ...]:
    return tuple(Part("", Script(text, "utf-8"), name) for name, text in commands.items())


def _defines(qmgr: QueueManager, name: str, kind: str) -> bool:
    """Whether a queue manager has an object of a name, of a kind or of any."""
    kinds = QUEUE_KINDS if kind in QUEUE_KINDS else (kind,) if kind else ()
    found = qmgr.objects.match(kinds) if kinds else qmgr.objects.everything()
    return any(one.name == name for one in found)
