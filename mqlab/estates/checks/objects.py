"""What checks ask about objects: which ones the estate's people made, and how a finding says that a name is missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...lab.queue_manager import QueueManager
from ...mq.objects import Definition

if TYPE_CHECKING:
    from ..definitions import Definitions, Place

MOST_CALLS = 1_000
"""The most calls that a proof makes."""


def each(estate: Definitions, *kinds: str) -> Iterator[tuple[QueueManager, Definition]]:
    """Each object of these kinds that belongs to the people of the estate, with its queue manager."""
    return ((qmgr, one) for qmgr in estate.queue_managers for one in estate.own(qmgr, *kinds))


def owners(qmgr: QueueManager, queue: Definition) -> tuple[QueueManager, ...]:
    """The queue managers that have a queue: every member of the group for a shared one, of which `qmgr` is the
    first."""
    return tuple(qmgr.group.members) if queue.attributes.get("QSGDISP") == "SHARED" and qmgr.group else (qmgr,)


def nothing(estate: Definitions, qmgr: QueueManager, name: str) -> str:
    """The name, and in words that nothing has it."""
    return f"{name}, which {'is not defined' if estate.whole(qmgr) else 'no script here defines'}"


def unset(estate: Definitions, qmgr: QueueManager, keyword: str, needs: Definition) -> Place:
    """Where an attribute of a queue manager is set, or else the definition of the object that needs another value."""
    place = estate.place(qmgr.name, "QMGR", "", keyword)
    return place if place.file else estate.place(qmgr.name, needs.kind, needs.name)


def usable(qmgr: QueueManager, queue: Definition) -> bool:
    """Whether a proof can put a short message to a local queue and get it back."""
    found, of = qmgr.targets.get(queue.name), queue.attributes
    return found is not None and found.room > 0 and not found.get_inhibited and of["MAXMSGL"] > 10 and not of["STREAMQ"]
