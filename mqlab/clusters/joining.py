"""What definitions do to the membership of a queue manager: they start its repository manager, and give it work."""

from __future__ import annotations

from typing import Any

from ..engine.queues.queue import LocalQueue
from ..engine.words.objects import Definition
from . import manager_of
from .manager import Manager
from .publishing import QMGR, TOPIC, own_records
from .routing import Spread

_OF_QMGR = ("REPOS", "REPOSNL", "DEFCLXQ")


def managed(qmgr: Any) -> Manager:
    """The repository manager of a queue manager, which starts with the first definition that is about a cluster."""
    found = manager_of(qmgr)
    if found is None:
        found = qmgr.kept["clusters"] = Manager(qmgr)
        for queue in qmgr.queues:
            if queue.definition.attributes.get("CLUSTER") or queue.definition.attributes.get("CLUSNL"):
                spread(queue)
    if qmgr.running:
        found.start()
    return found


def changed(qmgr: Any, definition: Definition, verb: str, before: dict[str, Any] | None) -> None:
    """A definition changed: what the queue manager says of it, or of its membership."""
    own, kind = managed(qmgr), definition.kind
    if kind == "QMGR":
        if before is None or any(before.get(word) != definition.attributes.get(word) for word in _OF_QMGR):
            own.changed()
    elif kind == "CHANNEL":
        if definition.attributes.get("CHLTYPE") == "CLUSRCVR" and verb == "delete":
            _left_behind(own)
        elif definition.attributes.get("CHLTYPE") in ("CLUSSDR", "CLUSRCVR"):
            own.changed()
    elif kind == "NAMELIST":
        own.changed()
    elif kind == "QLOCAL" and definition.attributes["USAGE"] == "XMITQ":
        own.later(own.channels.look)  # gets may be enabled again
    elif (before or {}).get("CLUSTER") or (before or {}).get("CLUSNL") or _clustered(definition):
        shared = definition.attributes.get("QSGDISP") == "SHARED"  # each member of the group advertises it (CLU-73)
        for one in qmgr.lab.queue_managers if shared else (qmgr,):
            if (manager := manager_of(one)) is not None:
                manager.changed((TOPIC if kind == TOPIC else "QLOCAL", definition.name))


def _clustered(definition: Definition) -> bool:
    return bool(definition.attributes.get("CLUSTER") or definition.attributes.get("CLUSNL"))


def _left_behind(own: Manager) -> None:
    """A CLUSRCVR is deleted without leaving its cluster first: nobody is told, and the others keep a ghost (CLU-61)."""
    present = own_records(own.qmgr, own.suspended)
    for key in [key for key in own.own if key not in present]:
        record = own.own.pop(key)
        if record.key in own.repository.records:
            own.repository.remove(own.repository.records[record.key])
            own.touched[record.key] = None
        if record.kind == QMGR:
            own.log("deleted", record.cluster, QMGR, own.qmgr.name, "CLU-61", host=own.qmgr.name)
    own.nudge()


def spread(queue: LocalQueue) -> None:
    """Let the puts to a queue choose among its instances."""
    if not queue.is_xmitq and not isinstance(queue.stream, Spread):
        queue.stream = Spread(queue, queue.stream)


def gather(queue: LocalQueue) -> None:
    """Let the puts to a queue stay here."""
    if isinstance(queue.stream, Spread):
        queue.stream = queue.stream.inner
