"""Messages of MQ Everyplace: data, a lifetime in milliseconds, and an identity that every queue manager knows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import EllipsisType
from typing import NamedTuple

from ..engine.words.arguments import require, within
from ..engine.words.constants import MAXPRTY
from ..engine.words.errors import LabError
from ..engine.words.shown import shown
from ..engine.words.structures import as_body

DEFAULT_PRIORITY = 4
LONGEST_MS = 2**31 - 1


class MessageId(NamedTuple):
    """The identity of a message: the queue manager where it was first put, and a time there (ms since 1970)."""

    origin: str
    timestamp_ms: int

    def __str__(self) -> str:
        return f"{self.origin}+{self.timestamp_ms}"


@shown
class Message:
    """A message made by `QueueManager.message`; LabError for a field out of range.

    The lifetime is `expire_ms`, milliseconds since `created_us` (microseconds since the lab's start), or `expire_at`, a
    datetime (UTC if it has no zone); None for both leaves it to the queue (MQE-11). `uid` and `number`, the lab-wide
    identity, are given by the first put. `resend` lets a message that was put before be put again (MQE-15).
    """

    __slots__ = ("body", "created_us", "expire_at", "expire_ms", "number", "priority", "resend", "uid")

    def __init__(
        self,
        body: bytes | str,
        created_us: int,
        priority: int | None = None,
        expire_ms: int | None = None,
        expire_at: datetime | None = None,
        resend: bool = False,
    ):
        self.body = as_body(body)
        self.priority = DEFAULT_PRIORITY if priority is None else priority
        require("priority", self.priority, int, f"0 to {MAXPRTY}", within(0, MAXPRTY))
        if expire_ms is not None and expire_at is not None:
            raise LabError("give expire_ms or expire_at, not both")
        require("expire_ms", expire_ms, int | None, f"whole milliseconds, 0 to {LONGEST_MS}", within(0, LONGEST_MS))
        require("expire_at", expire_at, datetime | None, "a datetime, UTC (expire_ms takes milliseconds)")
        require("resend", resend, bool)
        self.expire_ms, self.created_us, self.resend = expire_ms, created_us, resend
        self.expire_at = expire_at.replace(tzinfo=UTC) if expire_at and expire_at.tzinfo is None else expire_at
        self.uid: MessageId | None = None
        self.number: int | None = None

    def copy(
        self,
        *,
        expire_ms: int | EllipsisType | None = ...,
        expire_at: datetime | EllipsisType | None = ...,
        resend: bool | EllipsisType = ...,
    ) -> Message:
        """Return the same message, identity and all, with another lifetime (None: no lifetime) or resend flag."""
        lifetime = self.expire_ms if expire_ms is ... else expire_ms, self.expire_at if expire_at is ... else expire_at
        again = self.resend if resend is ... else resend
        other = Message(self.body, self.created_us, self.priority, *lifetime, again)
        other.uid, other.number = self.uid, self.number
        return other

    def deadline_us(self, start: datetime) -> int | None:
        """When its own lifetime ends, microseconds since the lab's `start`; None if it has none of its own."""
        if self.expire_at is not None:
            return (self.expire_at - start) // timedelta(microseconds=1)
        return None if self.expire_ms is None else self.created_us + self.expire_ms * 1000

    def __repr__(self) -> str:
        life = f"expire_at {self.expire_at:%Y-%m-%d %H:%M:%S}" if self.expire_at else f"expire_ms {self.expire_ms}"
        return f"Message({self.number}, {self.body!r:.60}, priority {self.priority}, {life})"
