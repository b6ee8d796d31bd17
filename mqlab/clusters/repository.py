"""The repository of one queue manager: the records that it has of members, cluster queues, and cluster topics.

A record is what a queue manager says of itself, or of one of its objects, in one cluster. It has a version, so that an
older one never replaces a newer one, and the time at which it was last heard (microseconds).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from ..engine.world.clock import SECOND

DAY = 24 * 3600 * SECOND
RENEWED, LIVES, OVERDUE = 27 * DAY, 30 * DAY, 60 * DAY
"""A record is sent again after so long; it is due for so long; and so much later it is removed (CLU-19)."""

Key = tuple[str, str, str, str]


@dataclass(slots=True)
class Record:
    """One record. `kind` is QMGR, QUEUE, or TOPIC; `facts` of a queue or a topic are its attributes, and those of a
    queue manager its CLUSRCVR `channel` with its `attributes`, `full`, `suspended`, and `level`."""

    cluster: str
    qmid: str
    qmgr: str
    kind: str
    name: str
    facts: dict[str, Any]
    version: int = 0
    gone: bool = False
    heard_us: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if "attributes" in self.facts:  # a message has lists for tuples
            has = self.facts["attributes"].items()
            self.facts["attributes"] = {key: tuple(value) if isinstance(value, list) else value for key, value in has}

    @property
    def key(self) -> Key:
        """Its identity."""
        return self.cluster, self.qmid, self.kind, self.name

    def told(self) -> dict[str, Any]:
        """The record as a message has it."""
        return {each: getattr(self, each) for each in self.__slots__ if each != "heard_us"}

    def body(self) -> str:
        """Its message on the queue of the repository."""
        return json.dumps(self.told() | {"heard_us": self.heard_us}, separators=(",", ":"))


def stored(key: Key) -> bytes:
    """The MsgId of the message of a record on the queue of the repository."""
    return blake2b("/".join(key).encode(), digest_size=24).digest()


class Repository:
    """The records of one queue manager, by key and by name; `own` is its QMID (CLU-09)."""

    def __init__(self, own: str):
        self.own = own
        self.records: dict[Key, Record] = {}
        self._named: dict[tuple[str, str], dict[Key, Record]] = {}
        self._members: dict[tuple[str, str], Record] = {}  # cluster, QMID -> the record of the member

    def file(self, record: Record) -> str:
        """Enter a record: "learned", "changed", or "renewed"; "" for one that is no newer than the one that is here."""
        here = self.records.get(record.key)
        if here is not None and here.version >= record.version:
            return ""
        if here is not None:
            self.remove(here)
        self.records[record.key] = self._named.setdefault((record.kind, record.name), {})[record.key] = record
        if record.kind == "QMGR":
            self._members[record.cluster, record.qmid] = record
        if here is None:
            return "learned"
        return "renewed" if (here.facts, here.gone) == (record.facts, record.gone) else "changed"

    def remove(self, record: Record) -> None:
        """Take a record out."""
        del self.records[record.key]
        del self._named[record.kind, record.name][record.key]
        if record.kind == "QMGR":
            del self._members[record.cluster, record.qmid]

    def __iter__(self) -> Iterator[Record]:
        return iter(tuple(self.records.values()))

    def named(self, kind: str, name: str, clusters: Iterable[str] | None = None) -> list[Record]:
        """The records of this kind and name that are not gone, by queue manager and cluster."""
        found = self._named.get((kind, name), {}).values()
        live = (known for known in found if not known.gone and (clusters is None or known.cluster in clusters))
        return sorted(live, key=lambda known: (known.qmgr, known.qmid, known.cluster))

    def member(self, cluster: str, qmid: str) -> Record | None:
        """The record of a member that is not gone."""
        found = self._members.get((cluster, qmid))
        return None if found is None or found.gone else found

    def members(self, cluster: str | None = None) -> list[Record]:
        """The members of one cluster, or of all, by cluster and queue manager."""
        live = (known for known in self._members.values() if not known.gone and cluster in (None, known.cluster))
        return sorted(live, key=lambda known: (known.cluster, known.qmgr, known.qmid))

    def topics(self, cluster: str | None = None) -> list[Record]:
        """The topics of one cluster, or of all, that are not gone."""
        return [one for one in self if one.kind == "TOPIC" and not one.gone and cluster in (None, one.cluster)]

    def full(self, cluster: str) -> list[str]:
        """The channels to the other full repositories of a cluster."""
        others = (known.facts for known in self.members(cluster) if known.qmid != self.own)
        return [facts["channel"] for facts in others if facts["full"]]

    def called(self, channel: str) -> list[Record]:
        """The other members whose CLUSRCVR channel has this name."""
        others = (known for known in self._members.values() if known.qmid != self.own)
        found = (known for known in others if known.facts["channel"] == channel)
        return sorted(found, key=lambda known: (known.gone, known.qmgr, known.cluster))
