"""Uses: everything that names an object of an estate, or leads to it."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from ..admin.security_records import records
from ..engine.explain.ways import channels_of, leads_to, partner_of
from ..engine.programs.channels.channel import MOVING
from ..engine.queues.queue import Remote
from ..engine.words.errors import MQError
from ..engine.words.objects import QUEUE_KINDS, Definition
from ..topology.graph import key_of, owner_of
from .answers import Answer

if TYPE_CHECKING:
    from ..lab.queue_manager import QueueManager
    from .definitions import Definitions, Place

QUEUE = "QUEUE"
_OF_QUEUES = ("TARGET", "BOQNAME", "INITQ", "STREAMQ", "XMITQ", "DEADQ", "DEFXMITQ", "MDURMDL", "MNDURMDL")
NAMES = {
    **dict.fromkeys(_OF_QUEUES, QUEUE),
    "PROCESS": "PROCESS",
    "CFSTRUCT": "CFSTRUCT",
    "STGCLASS": "STGCLASS",
    "TOPICOBJ": "TOPIC",
    "COMMINFO": "COMMINFO",
    "CLUSNL": "NAMELIST",
    "CONNAUTH": "AUTHINFO",
    "TRIGDATA": "CHANNEL",
}
"""The attributes that name another object of the same queue manager, and the kind of that object."""


class Reference(NamedTuple):
    """A name in a definition: the attribute, the queue manager that has the object, its kind, and its name."""

    keyword: str
    qmgr: str
    kind: str
    name: str


class Use(NamedTuple):
    """An object that uses another: by which attribute, which object that is, and where the attribute is written."""

    qmgr: str
    kind: str
    name: str
    attribute: str
    of: str
    place: Place


class Uses(Answer):
    """Everything that names an object or leads to it: `uses`, those that name the object itself first."""

    what = "Uses"
    columns = ("qmgr", "kind", "name", "attribute", "of", "place")

    def __init__(self, estate: Definitions, name: str, at: str, uses: list[Use], kinds: list[str]):
        super().__init__(estate)
        self.name, self.at, self.uses, self._kinds = name, at, tuple(uses), kinds

    @property
    def title(self) -> str:  # type: ignore[override]
        """How many objects use it."""
        many = len({(use.qmgr, use.kind, use.name) for use in self.uses})
        said = f"{many or 'no'} object{'' if many == 1 else 's'} use{'s' * (many == 1)} {self.name} of {self.at}"
        return said if self._kinds else f"{said}, which is not defined"

    @property
    def rows(self) -> list[tuple]:
        """A row for each use."""
        return [(*use[:5], str(use.place)) for use in self.uses]

    @property
    def facts(self) -> dict[str, Any]:
        """The object, and of which kinds it is defined."""
        return {"name": self.name, "at": self.at, "defined": self._kinds}

    @property
    def objects(self) -> list[str]:
        """The keys of the objects in `Lab.topology`."""
        ends = [(self.at, kind, self.name) for kind in self._kinds]
        ends += [(use.qmgr, use.kind, use.name) for use in self.uses]
        return list(dict.fromkeys(key_of(self._estate.lab[qmgr], kind, name) for qmgr, kind, name in ends))


def references(qmgr: QueueManager, definition: Definition) -> Iterator[Reference]:
    """The objects that a definition names, on its own queue manager and on others of the lab."""
    kind, has, here = definition.kind, definition.attributes, qmgr.name
    for keyword, named in NAMES.items():
        name = has.get(keyword)
        if not name or (keyword == "TRIGDATA" and has.get("USAGE") != "XMITQ"):
            continue
        topic = keyword == "TARGET" and has["TARGTYPE"] == "TOPIC"
        yield Reference(keyword, here, "TOPIC" if topic else named, name)
    if kind == "QREMOTE":
        yield from _sends(qmgr, definition)
    elif kind == "CHANNEL" and has["CHLTYPE"] in MOVING:
        for channel in channels_of(qmgr, definition):
            if partner := partner_of(channel):
                yield Reference("CONNAME", partner, "CHANNEL", definition.name)
    elif kind == "SUB" and has["DEST"]:
        yield Reference("DEST", has["DESTQMGR"] or here, QUEUE, has["DEST"])
    elif kind == "NAMELIST":
        yield from (Reference("NAMES", here, QUEUE, name) for name in has["NAMES"])


def _sends(qmgr: QueueManager, remote: Definition) -> Iterator[Reference]:
    """The queue that a remote definition is for, the queue manager, and the transmission queue that is not named."""
    has, name = remote.attributes, remote.name
    if not (has["RNAME"] or has["RQMNAME"] or has["XMITQ"]):
        return  # an alias that names no queue manager: its messages go where their queue is
    at = has["RQMNAME"] or name
    yield Reference("RQMNAME", qmgr.name, "QMGR", at)
    if has["RNAME"]:
        yield Reference("RNAME", at, QUEUE, has["RNAME"])
    try:
        target = leads_to(qmgr, name if has["RNAME"] else f"{name}@{name}")
    except MQError:
        return
    if isinstance(target, Remote) and not has["XMITQ"]:
        yield Reference("RQMNAME", qmgr.name, QUEUE, target.queue.name)


def index(estate: Definitions) -> dict[tuple[str, str, str], list[Use]]:
    """Everything that names an object: its `key_in_index` -> its uses."""
    found: dict[tuple[str, str, str], dict[Use, None]] = {}
    for qmgr in estate.queue_managers:
        everything = [each for each in qmgr.objects.everything() if not each.name.startswith("SYSTEM.")]
        for each in (Definition("QMGR", "", qmgr.attributes), *everything):
            group = qmgr.group if each.attributes.get("QSGDISP") == "SHARED" else None
            owner = group.members[0].name if group else qmgr.name  # as `Definitions.own` has it
            for keyword, *of in references(qmgr, each):
                key = key_in_index(estate, of[0], of[1], of[2])
                place = estate.place(owner, each.kind, each.name, keyword)
                use = Use(owner, each.kind, each.name, keyword, f"{of[2]} of {key[0]}", place)
                found.setdefault(key, {})[use] = None
    return {key: list(uses) for key, uses in found.items()}


def key_in_index(estate: Definitions, at: str, kind: str, name: str) -> tuple[str, str, str]:
    """The key of an object in `index`: a shared queue, or a structure, is that of its group, whichever member names
    it."""
    known = at in estate.names and kind in (QUEUE, "CFSTRUCT")
    return owner_of(estate.lab[at], kind, name) if known else at, kind, name


def who_uses(estate: Definitions, name: str, at: str = "") -> Uses:
    """Everything that names the objects called `name` of a queue manager, and everything that leads to them.

    An alias or a remote definition that leads there is followed to those that lead to it. A shared queue is used on
    every member of its group. LabError for a queue manager
    that is not in the estate.
    """
    at, by = estate.at(at, name), index(estate)
    spaces = [QUEUE, *sorted({kind for _, kind, _ in by} - {QUEUE})]
    found: dict[Use, None] = {}
    todo = [key_in_index(estate, at, kind, name) for kind in spaces]
    for asked in todo:
        for use in by.get(asked, ()):
            if use not in found:
                found[use] = None
                todo += [(use.qmgr, QUEUE, use.name)] * (use.kind in ("QALIAS", "QREMOTE"))  # neither is shared
    objects = estate.lab[at].objects.everything()
    kinds = [each.kind for each in objects if each.name == name]
    uses = [*found, *(_records(estate, name, at, kinds) if kinds else ())]
    return Uses(estate, name, at, uses, kinds)


def _records(estate: Definitions, name: str, at: str, kinds: list[str]) -> Iterator[Use]:
    """The security records of a queue manager, as they are kept, whose profile the name matches."""
    sorts = {"QUEUE" if kind in QUEUE_KINDS else kind for kind in kinds}
    for key, row in records(estate.lab[at]).items():
        own = not row.get("DESCR", "").startswith("Default rule")
        sort = "CHANNEL" if key[0] == "CHLAUTH" else row.get("OBJTYPE", "")
        if own and sort in sorts and fnmatchcase(name, key[1]):
            yield Use(at, key[0], key[1], "PROFILE", f"{name} of {at}", estate.place(at, key[0]))
