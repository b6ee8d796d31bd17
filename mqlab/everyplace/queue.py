"""Queues of MQ Everyplace: the kinds there are, and the messages on one in the order in which a get takes them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from json import dumps
from operator import itemgetter
from typing import Any, NamedTuple

from ..engine.words.shown import shown
from .message import Message, MessageId


class Kind(NamedTuple):
    """A kind of queue: its `type` in the event log, whether another queue manager owns the queue it stands for, whether
    messages are kept on it, and the settings that it takes."""

    type: str
    remote: bool
    holds: bool
    settings: tuple[str, ...]


_KEEPS = ("expiry_ms", "max_depth", "rule")
KINDS = {
    "local": Kind("MQE.LOCAL", False, True, _KEEPS),
    "synchronous": Kind("MQE.SYNC", True, False, ()),
    "asynchronous": Kind("MQE.ASYNC", True, True, _KEEPS),
    "store-and-forward": Kind("MQE.FORWARD", False, True, (*_KEEPS, "targets")),
    "home-server": Kind("MQE.HOME", True, False, ("poll_ms",)),
}


@dataclass(slots=True, eq=False)
class Entry:
    """A message on one queue: when it arrived and expires (microseconds), and its lock.

    `lock` is "put" while a put waits for its confirmation, "get" while a get does; `confirm_id` is what an undo names,
    or the other queue manager where that holds the lock. `destination` is the (owner, queue) it is on its way to.
    `halfway` says that another queue manager has a copy of the same message (MQE-07). A sender knows `offered`,
    that it tried to send the message before, and `placed`, that the other side has it.
    """

    message: Message
    arrived_us: int
    expires_us: int | None
    destination: tuple[str, str]
    lock: str | None = None
    confirm_id: int | str = 0
    halfway: bool = False
    offered: bool = False
    placed: bool = False
    on_queue: bool = False
    key: tuple[int, int] = (0, 0)

    def expired(self, now_us: int) -> bool:
        """Whether it has expired."""
        return self.expires_us is not None and self.expires_us <= now_us

    def left_us(self, now_us: int) -> int | None:
        """Lifetime left in microseconds, None for unlimited."""
        return None if self.expires_us is None else self.expires_us - now_us


@shown
class Queue:
    """One queue as a queue manager knows it: `name` and the `owner` it belongs to, `kind` one of KINDS.

    `expiry_ms` is the time messages without a lifetime of their own may spend here, `rule` is called as
    `rule(queue, message)` when one expires, `max_depth` None is no limit. `label` is "NAME", or "NAME@OWNER" where the
    owner is another queue manager. Its queue manager's calls are the way to use it.
    """

    def __init__(
        self,
        qmgr: Any,
        kind: str,
        name: str,
        owner: str,
        *,
        expiry_ms: int | None = None,
        rule: Callable[[Queue, Message], object] | None = None,
        max_depth: int | None = None,
        targets: Sequence[str] = (),
        poll_ms: int = 0,
    ):
        self.qmgr, self.kind, self.name, self.owner = qmgr, kind, name, owner
        self.expiry_ms, self.rule, self.max_depth = expiry_ms, rule, max_depth
        self.targets, self.poll_ms = tuple(targets), poll_ms
        self.type = KINDS[kind].type
        self.label = name if owner == qmgr.name else f"{name}@{owner}"
        self.subject = (qmgr.name, self.label, self.type)
        self.active, self.busy = True, False
        self._entries: list[tuple[tuple[int, int], Entry]] = []
        self._by_uid: dict[MessageId | None, Entry] = {}
        self._arrival = count(1).__next__

    @property
    def rule_name(self) -> str | None:
        """The name of its rule in the event log, or None."""
        return None if self.rule is None else getattr(self.rule, "__name__", "rule")

    @property
    def depth(self) -> int:
        """How many messages are on it, locked and expired ones too; looking changes nothing."""
        return len(self._entries)

    def entries(self) -> list[Entry]:
        """Its messages in the order of delivery: by priority, then by arrival or confirmation."""
        return [entry for _, entry in self._entries]

    def walk(self) -> Iterator[Entry]:
        """The same entries one by one, although messages are added and removed; each step costs the logarithm of the
        depth."""
        position = 0
        while position < len(self._entries):
            key, entry = self._entries[position]
            yield entry
            position = bisect_right(self._entries, key, key=itemgetter(0))

    def named(self, uid: MessageId | None) -> Entry | None:
        """The entry of the message with this id."""
        return self._by_uid.get(uid)

    def add(self, entry: Entry) -> None:
        """Put an entry behind those of its priority."""
        entry.key = (-entry.message.priority, self._arrival())
        insort(self._entries, (entry.key, entry))
        self._by_uid[entry.message.uid] = entry
        entry.on_queue = True

    def remove(self, entry: Entry) -> None:
        """Take an entry off."""
        del self._entries[bisect_left(self._entries, (entry.key,))]
        del self._by_uid[entry.message.uid]
        entry.on_queue = False

    def record(
        self,
        kind: str,
        entry: Entry,
        program: str | None,
        rule: str,
        cause: int | None = None,
        detail: dict | None = None,
    ) -> int:
        """Write the event of something that happened to a message here; its seq.

        `expiry_left` is in tenths of a second rounded up, as everywhere in the log; detail has the milliseconds.
        """
        now, message, detail = self.qmgr.clock.time_us, entry.message, dict(detail or {})
        left = entry.left_us(now)
        if left is not None:
            detail["left_ms"] = left / 1000 if left % 1000 else left // 1000
        return self.qmgr.lab.events.write(
            now,
            kind,
            self.subject,
            message.number,
            program,
            depth=self.depth,
            rule=rule,
            cause=cause,
            detail=dumps(detail) if detail else None,
            priority=message.priority,
            persistent=True,
            expiry_left=None if left is None else -(-left // 100_000),
            put_us=message.created_us,
            arrived_us=entry.arrived_us,
        )

    def __repr__(self) -> str:
        return f"Queue({self.label!r} on {self.qmgr.name}, {self.kind}, depth {self.depth})"
