"""The message store of one queue: order, indexes and cursors.

A bucket per priority holds a linked list in order of arrival; messages that join out of order (a commit or a backout
after later messages) wait in a separate short sorted list. Indexes by MsgId, CorrelId, and GroupId are built at their
first use. A search that had to pass messages, locked ones for example, begins behind them when it is made again.
No call costs more at a greater depth.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from .message import QueuedMessage

_BITS = tuple(1 << filed for filed in range(10))


class Group(OrderedDict):
    """Messages of one bucket with the same identifier: seq to message, in order."""

    def add(self, message: QueuedMessage) -> None:
        """Add a message; a message between others costs a sort of the group."""
        late = self and message.seq < next(reversed(self))
        first = late and message.seq < next(iter(self))
        self[message.seq] = message
        if first:
            self.move_to_end(message.seq, last=False)
        elif late:
            for seq in sorted(self):
                self.move_to_end(seq)


class Bucket:
    """The messages filed under one priority."""

    __slots__ = ("head", "joined", "late", "standing", "tables", "tail")

    def __init__(self) -> None:
        self.head: Any = None
        self.tail: Any = None
        self.tables: dict[str, dict] = {}  # an index for each identifier of a search so far
        self.late: list[tuple[int, QueuedMessage]] = []
        self.joined = 0  # how many messages became available before others that were there
        self.standing: dict[int, dict[Cursor, None]] = {}  # by the seq of a message, the cursors on it

    def first(self) -> QueuedMessage | None:
        """The message that comes first in order."""
        head, late = self.head, self.late
        if late and (head is None or late[0][0] < head.seq):
            return late[0][1]
        return head

    def join(self, message: QueuedMessage) -> None:
        """Put a message that does not come last where its seq belongs: at the front, or among the late ones."""
        head = self.head
        self.joined += 1
        if message.seq < head.seq:
            head.prev, message.next = message, head
            self.head = message
        else:
            insort(self.late, (message.seq, message))

    def unlink(self, message: QueuedMessage) -> None:
        """Take a message that is not the head out of the order."""
        before, after = message.prev, message.next
        if before is None:
            del self.late[bisect_left(self.late, (message.seq,))]
            return
        before.next = after
        if after is None:
            self.tail = before
        else:
            after.prev = before
        message.prev = message.next = None

    def index(self, message: QueuedMessage) -> None:
        """Enter a message in the indexes there are."""
        for name, table in self.tables.items():
            _index(table, getattr(message, name), message)

    def strike(self, message: QueuedMessage) -> None:
        """Strike a message from the indexes there are."""
        for name, table in self.tables.items():
            _unindex(table, getattr(message, name), message)

    def table(self, name: str) -> dict:
        """The index by "msg_id", "correl_id", or "group_id", built from the messages at the first call."""
        index = self.tables.get(name)
        if index is None:
            index = self.tables[name] = {}
            for message in self.after(None, -1):
                _index(index, getattr(message, name), message)
        return index

    def after(self, node: QueuedMessage | None, seq: float) -> Iterator[QueuedMessage]:
        """The messages behind `seq` in order; `node` is the last linked message at or before `seq`, or None."""
        linked = self.head if node is None else node.next
        while linked is not None and linked.seq <= seq:
            linked = linked.next
        for late_seq, message in self.late[bisect_left(self.late, (seq + 1,)) :]:
            while linked is not None and linked.seq < late_seq:
                following = linked.next
                yield linked
                linked = following
            yield message
        while linked is not None:
            following = linked.next
            yield linked
            linked = following


class Cursor:
    """The position of a browse: behind `message`, or behind its former place if it was removed."""

    __slots__ = ("_bucket", "filed", "message", "node", "seq")

    def __init__(self) -> None:
        self.message: Any = None
        self.node: Any = None
        self.filed: Any = None
        self._bucket: Any = None
        self.seq = -1

    def reset(self) -> None:
        """Move the cursor before the first message."""
        self._leave()
        self.message = self.node = self.filed = self._bucket = None
        self.seq = -1

    def stand_on(self, message: QueuedMessage, bucket: Bucket) -> None:
        """Move the cursor to `message`, which is on the queue."""
        self._leave()
        if self.filed != message.filed:
            self.node = None
        self.message, self.filed, self.seq, self._bucket = message, message.filed, message.seq, bucket
        if message.prev is not None or bucket.head is message:
            self.node = message
        else:
            node = bucket.head if self.node is None else self.node
            if node is not None and node.seq > message.seq:
                node = None
            while node is not None and node.next is not None and node.next.seq < message.seq:
                node = node.next
            self.node = node
        self._enter()

    def forget(self, message: QueuedMessage) -> None:
        """Keep the place although `message` is about to leave the queue."""
        if self.node is message:
            self.node = message.prev
        if self.message is message:
            self.message = None
        self._enter()

    def _enter(self) -> None:
        for message in (self.node, self.message):
            if message is not None:
                self._bucket.standing.setdefault(message.seq, {})[self] = None

    def _leave(self) -> None:
        for message in (self.node, self.message):
            cursors = None if message is None else self._bucket.standing.get(message.seq)
            if cursors is not None:
                cursors.pop(self, None)
                if not cursors:
                    del self._bucket.standing[message.seq]


class Passed:
    """How far searches for the same messages have passed others, in each bucket: the next one begins behind them."""

    __slots__ = ("_places", "_wanted")

    def __init__(self) -> None:
        self._wanted: Any = None
        self._places: dict[int, tuple[Cursor, int]] = {}

    def forget(self) -> None:
        """Begin the next search at the first message."""
        for cursor, _ in self._places.values():
            cursor.reset()
        self._places.clear()

    def messages(self, store: MessageStore, wanted: object) -> Iterator[QueuedMessage]:
        """The messages that a search with the criteria `wanted` must check, in delivery order."""
        if wanted != self._wanted:
            self.forget()
            self._wanted = wanted
        for filed in range(9, -1, -1):
            if store.mask >> filed & 1:
                bucket = store.buckets[filed]
                cursor, joined = self._places.get(filed, (None, -1))
                following = None if cursor is None else bucket.head if cursor.node is None else cursor.node.next
                if cursor is None or joined != bucket.joined or (following and following.seq <= cursor.seq):
                    yield from bucket.after(None, -1)
                else:
                    yield from bucket.after(cursor.node, cursor.seq)

    def passed(self, store: MessageStore, message: QueuedMessage) -> None:
        """The search has passed all messages of a bucket up to this one."""
        bucket = store.buckets[message.filed]
        cursor, _ = self._places.get(message.filed, (None, 0))
        cursor = cursor or Cursor()
        cursor.stand_on(message, bucket)
        self._places[message.filed] = cursor, bucket.joined


class MessageStore:
    """The available messages of a queue, expired ones included, in delivery order."""

    __slots__ = ("buckets", "grouped", "mask", "passed")

    def __init__(self) -> None:
        self.buckets = [Bucket() for _ in range(10)]
        self.mask = 0
        self.passed = Passed()  # messages that are locked, by searches of handles that lock none
        self.grouped = 0  # how many messages of groups came and went, once groups were searched for

    def add(self, message: QueuedMessage) -> None:
        """Take in a message at the place its priority and seq give it. Constant cost."""
        filed = message.filed
        bucket = self.buckets[filed]
        tail = bucket.tail
        if tail is None:
            bucket.head = bucket.tail = message
            self.mask |= _BITS[filed]
        elif tail.seq < message.seq:
            tail.next = bucket.tail = message
            message.prev = tail
        else:
            bucket.join(message)
        if bucket.tables:
            self.grouped += message.group_id is not None
            bucket.index(message)

    def freed(self, message: QueuedMessage) -> None:
        """A message is no longer locked."""
        self.buckets[message.filed].joined += 1
        self.grouped += 1

    def remove(self, message: QueuedMessage) -> None:
        """Take a message out. Constant cost."""
        bucket = self.buckets[message.filed]
        if bucket.standing:
            for cursor in bucket.standing.pop(message.seq, ()):
                cursor.forget(message)
        if bucket.head is message:
            bucket.head = after = message.next
            if after is None:
                bucket.tail = None
            else:
                after.prev = message.next = None
        else:
            bucket.unlink(message)
        if bucket.head is None and not bucket.late:
            self.mask ^= _BITS[message.filed]
        if bucket.tables:
            self.grouped += message.group_id is not None
            bucket.strike(message)

    def first(self) -> QueuedMessage | None:
        """The first message for a get with no selection."""
        mask = self.mask
        if not mask:
            return None
        bucket = self.buckets[mask.bit_length() - 1]
        return bucket.first() if bucket.late else bucket.head

    def in_order(self, cursor: Cursor | None = None) -> Iterator[QueuedMessage]:
        """Every message in delivery order, or those behind a cursor; the one last yielded may be removed meanwhile."""
        from_priority = 9
        if cursor is not None and cursor.filed is not None:
            yield from self.buckets[cursor.filed].after(cursor.node, cursor.seq)
            from_priority = cursor.filed - 1
        for filed in range(from_priority, -1, -1):
            if self.mask >> filed & 1:
                yield from self.buckets[filed].after(None, -1)

    def matching(
        self, msg_id: bytes | None, correl_id: bytes | None, cursor: Any = None, group_id: bytes | None = None
    ) -> Iterator[QueuedMessage]:
        """The messages with these identifiers in delivery order (all, or behind a cursor), found by index; `group_id`
        counts if the others are None."""
        by_id = msg_id is not None
        name, key = ("msg_id", msg_id) if by_id else ("correl_id", correl_id)
        if key is None:
            name, key = "group_id", group_id
        started = cursor is not None and cursor.filed is not None
        mask = self.mask
        while mask:
            filed = mask.bit_length() - 1
            mask ^= 1 << filed
            if started and filed > cursor.filed:
                continue
            bucket = self.buckets[filed]
            entry = bucket.table(name).get(key)
            if entry is None:
                continue
            for message in tuple(entry.values()) if type(entry) is Group and started else _each(entry):
                if started and filed == cursor.filed and message.seq <= cursor.seq:
                    continue
                if not by_id or correl_id is None or message.correl_id == correl_id:
                    yield message

    def group(self, group_id: bytes) -> list[QueuedMessage]:
        """The messages of one group, in delivery order."""
        for bucket in self.buckets:
            bucket.table("group_id")
        return list(self.matching(None, None, group_id=group_id))

    def check(self) -> None:
        """Assert every invariant: order, links, mask and indexes. For tests; costs the depth."""
        for filed, bucket in enumerate(self.buckets):
            listed = list(bucket.after(None, -1))
            assert [m.seq for m in listed] == sorted(m.seq for m in listed), f"priority {filed} out of order"
            assert all(m.filed == filed for m in listed), f"wrong bucket at priority {filed}"
            assert bool(self.mask >> filed & 1) == bool(listed), f"mask wrong at priority {filed}"
            for name, table in bucket.tables.items():
                held = {m.seq for found in table.values() for m in _each(found)}
                assert held == {m.seq for m in listed if getattr(m, name) is not None}, f"index by {name} differs"


def _index(table: dict, key: bytes | None, message: QueuedMessage) -> None:
    """Enter a message under its identifier; alone, or in a list if several share it."""
    if key is None:
        return
    entry = table.get(key)
    if entry is None:
        table[key] = message
    elif type(entry) is Group:
        entry.add(message)
    else:
        table[key] = group = Group()
        for member in sorted((entry, message), key=lambda m: m.seq):
            group.add(member)


def _unindex(table: dict, key: bytes | None, message: QueuedMessage) -> None:
    """Strike a message from under its identifier."""
    if key is None:
        return
    entry = table[key]
    if type(entry) is Group:
        del entry[message.seq]
        if entry:
            return
    del table[key]


def _each(entry: Any) -> Iterator[QueuedMessage]:
    """The messages an index entry stands for, in order."""
    return iter(entry.values()) if type(entry) is Group else iter((entry,))
