"""Message groups and segments: a put in segments, and the messages that make a whole.

A logical message is one message, or the segments that share a GroupId and a MsgSeqNumber; a group is logical messages
that share a GroupId.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ..words.constants import MQGI_NONE, MQMF_LAST_MSG_IN_GROUP, MQMF_LAST_SEGMENT, MQMF_MSG_IN_GROUP, MQMF_SEGMENT
from ..words.headers import MQMDE, MQXQH
from ..words.structures import as_body
from .logical_order import GROUPED, SEGMENTED
from .message import Message, QueuedMessage
from .put import Put, refuse_inhibited_or_full
from .triggering import WHOLE

if TYPE_CHECKING:
    from .parts import Handle, LocalQueue

SEGMENT_UNIT = 16
"""A segment that is not the last one is a multiple of so many bytes long."""


class Wholes:
    """The logical messages and groups of a queue that are there in full, of what a handle may get now.

    With `expired`, expired messages count as candidates: a get discards each one that it would have returned (EXP-08).
    """

    def __init__(self, queue: LocalQueue, handle: Handle, expired: bool = False):
        self._queue, self._handle, self._expired = queue, handle, expired
        self._groups: dict[bytes, dict[int, list[QueuedMessage]]] = {}

    def _members(self, group_id: bytes) -> dict[int, list[QueuedMessage]]:
        """The logical messages of a group by MsgSeqNumber: their segments, in order of their offsets."""
        group = self._groups.get(group_id)
        if group is None:
            now = self._queue.clock.time_us
            group = self._groups[group_id] = defaultdict(list)
            for message in self._queue.store.group(group_id):
                alive = self._expired or message.expires_us is None or now < message.expires_us
                if alive and message.holder in (None, self._handle):
                    group[message.descriptor.seq_number].append(message)
            for parts in group.values():
                parts.sort(key=lambda message: message.descriptor.offset)
        return group

    def parts(self, message: QueuedMessage) -> list[QueuedMessage]:
        """All segments of the logical message it belongs to, in order of their offsets; itself if it is no segment."""
        about = message.descriptor
        return self._members(about.group_id)[about.seq_number] if about.msg_flags & SEGMENTED else [message]

    def has_all_segments(self, message: QueuedMessage) -> bool:
        """Whether the logical message is there without a gap, its last segment too."""
        if not message.descriptor.msg_flags & SEGMENTED:
            return True
        offset = 0
        parts = self.parts(message)
        for part in parts:
            if part.descriptor.offset != offset:
                return False
            offset += len(part.body)
        return bool(parts[-1].descriptor.msg_flags & MQMF_LAST_SEGMENT)

    def has_all_messages(self, message: QueuedMessage) -> bool:
        """Whether every logical message of its group is there, the last one too."""
        descriptor = message.descriptor
        if not descriptor.msg_flags & GROUPED:
            return self.has_all_segments(message)
        members = self._members(descriptor.group_id)
        numbers = sorted(members)
        firsts = [members[number][0] for number in numbers]
        return (
            numbers == list(range(1, len(numbers) + 1))
            and all(map(self.has_all_segments, firsts))
            and bool(firsts[-1].descriptor.msg_flags & MQMF_LAST_MSG_IN_GROUP)
        )


def status(flags: int) -> tuple[str, str]:
    """GroupStatus and SegmentStatus that a get returns for a message with these flags."""
    group = "L" if flags & MQMF_LAST_MSG_IN_GROUP else "G" if flags & MQMF_MSG_IN_GROUP else " "
    segment = "L" if flags & MQMF_LAST_SEGMENT else "S" if flags & MQMF_SEGMENT else " "
    return group, segment


def put_in_segments(request: Put, queue: LocalQueue) -> Message:
    """Put a message, in segments if it is longer than the queue takes; the first segment, or the whole, as put
    (MQMF_SEGMENTATION_ALLOWED, which z/OS accepts and ignores: 2030).

    Segments share a GroupId, MsgId and CorrelId and carry their offset. All of them fit or none is put: 2053. The put
    is one trigger event, and one message for MAXUMSGS, when the last segment is on the queue (TRG-16).
    """
    target, descriptor = request.target, request.descriptor
    body, put_one = as_body(request.body), target.put
    longest = queue.longest - (MQXQH.LENGTH + MQMDE.LENGTH if target.kind == "QREMOTE" else 0)
    size = longest // SEGMENT_UNIT * SEGMENT_UNIT
    if len(body) <= longest or size < SEGMENT_UNIT or queue.qmgr.platform == "zos":
        return put_one(request)
    offsets = range(0, len(body), size)
    if target.put_inhibited or queue.depth + len(offsets) > queue.maxdepth:
        refuse_inhibited_or_full(request, queue)
    if request.unit is not None:
        request.unit.require_room(target, "put")
        request.unit.uncounted += len(offsets) - 1
    group_id = descriptor.group_id
    puts: list[Message] = []
    group_id = queue.new_id(queue.next_message()) if group_id == MQGI_NONE else group_id
    for offset in offsets:
        last = offset + size >= len(body)
        flags = descriptor.msg_flags | MQMF_SEGMENT | (MQMF_LAST_SEGMENT if last else 0)
        data = body[offset : offset + size]
        segment = request.but(
            body=data,
            msg_id=puts[0].msg_id if puts else request.msg_id,
            descriptor=descriptor._replace(
                group_id=group_id, offset=offset, msg_flags=flags, version=2, original_length=len(data)
            ),
        )
        if queue.trigger is not None:
            queue.trigger.segments = (offset // size, len(offsets))
        try:
            puts.append(put_one(segment))
        finally:
            if queue.trigger is not None:
                queue.trigger.segments = WHOLE
    return puts[0]
