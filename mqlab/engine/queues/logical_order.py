"""The position of a handle in a group of messages, or in a message that comes in segments."""

from __future__ import annotations

from typing import Any

from ..words import constants as mq
from ..words.constants import MQMF_LAST_MSG_IN_GROUP, MQMF_LAST_SEGMENT, MQMF_MSG_IN_GROUP, MQMF_SEGMENT
from .message import Descriptor

GROUPED = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP
SEGMENTED = MQMF_SEGMENT | MQMF_LAST_SEGMENT


class LogicalOrder:
    """The position of a handle in a group or a segmented message, and so what must come next; `group_id` is None
    outside one.

    `persistent` and `in_unit` are those of its first message; `segment` is whether the last one was not the last
    segment of its logical message.
    """

    __slots__ = ("group_id", "grouped", "in_unit", "offset", "persistent", "segment", "seq_number")

    group_id: bytes | None
    seq_number: int
    offset: int
    grouped: bool
    segment: bool
    persistent: bool | None
    in_unit: bool | None

    def __init__(self) -> None:
        self.end()

    def end(self) -> None:
        """Stand outside any group."""
        self.group_id, self.seq_number, self.offset = None, 1, 0
        self.grouped = self.segment = False
        self.persistent = self.in_unit = None

    @property
    def unfinished(self) -> int:
        """The warning of leaving it now: 2242 within a logical message, 2241 within a group, 0 outside both."""
        return 0 if self.group_id is None else mq.MQRC_INCOMPLETE_MSG if self.segment else mq.MQRC_INCOMPLETE_GROUP

    def place(self) -> tuple[Any, ...]:
        """Its position, for `stand`."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def stand(self, subject: tuple[Any, ...]) -> None:
        """Return to an earlier position: its unit of work was backed out."""
        for name, value in zip(self.__slots__, subject, strict=True):
            setattr(self, name, value)

    def fits(self, descriptor: Descriptor) -> bool:
        """Whether a message with this descriptor is the next in logical order."""
        if self.group_id is None:
            return descriptor.seq_number == 1 and descriptor.offset == 0
        return (descriptor.group_id, descriptor.seq_number, descriptor.offset) == (
            self.group_id,
            self.seq_number,
            self.offset,
        )

    def after(self, descriptor: Descriptor, length: int, whole: bool, persistent: bool, in_unit: bool) -> None:
        """Go on behind a message of `length` bytes; `whole` if it was put together from all its segments."""
        if not descriptor.msg_flags & (GROUPED | SEGMENTED):
            self.end()
            return
        if self.group_id is None:
            self.persistent, self.in_unit = persistent, in_unit
        self.group_id, self.grouped = descriptor.group_id, bool(descriptor.msg_flags & GROUPED)
        self.segment = not whole and descriptor.msg_flags & SEGMENTED == MQMF_SEGMENT
        if self.segment:
            self.seq_number, self.offset = descriptor.seq_number, descriptor.offset + length
        elif not self.grouped or descriptor.msg_flags & MQMF_LAST_MSG_IN_GROUP:
            self.end()
        else:
            self.seq_number, self.offset = descriptor.seq_number + 1, 0
