"""Segmentation: a message too long for its queue, put as several (MQMF_SEGMENTATION_ALLOWED)."""

from __future__ import annotations

from ..mq.constants import MQGI_NONE, MQMF_LAST_SEGMENT, MQMF_SEGMENT
from ..mq.headers import MQMDE, MQXQH
from ..mq.structures import as_body
from .message import Message
from .put import Put, refuse_no_room
from .transmission import putter
from .triggering import WHOLE

__all__ = ["put_in_segments"]

UNIT = 16
"""A segment that is not the last one is a multiple of so many bytes long."""


def put_in_segments(given: Put) -> Message:
    """Put a message, in segments if it is longer than the queue takes; the first segment, or the whole, as put.

    Segments share a GroupId, MsgId and CorrelId (our reading) and carry their offset. All of them fit or none is put:
    2053. The put is one trigger event, when the last segment is on the queue (TRG-16).
    """
    target, descriptor = given.target, given.descriptor
    queue, body, put_one = target.queue, as_body(given.body), putter(target)
    longest = queue.longest - (MQXQH.LENGTH + MQMDE.LENGTH if target.kind == "QREMOTE" else 0)
    size = longest // UNIT * UNIT
    if len(body) <= longest or size < UNIT:
        return put_one(given)
    offsets = range(0, len(body), size)
    if target.put_inhibited or queue.depth + len(offsets) > queue.maxdepth:
        refuse_no_room(given)
    if given.unit is not None:
        given.unit.require_room(target, "put", len(offsets))
    group_id = descriptor.group_id
    first, group_id = None, queue.new_id(queue.next_message()) if group_id == MQGI_NONE else group_id
    for offset in offsets:
        last = offset + size >= len(body)
        flags = descriptor.msg_flags | MQMF_SEGMENT | (MQMF_LAST_SEGMENT if last else 0)
        segment = given.but(
            body=body[offset : offset + size],
            msg_id=first.msg_id if first else given.msg_id,
            descriptor=descriptor._replace(group_id=group_id, offset=offset, msg_flags=flags, version=2),
        )
        if queue.trigger is not None:
            queue.trigger.segments = (offset // size, len(offsets))
        try:
            as_put = put_one(segment)
        finally:
            if queue.trigger is not None:
                queue.trigger.segments = WHOLE
        first = first or as_put
    return first
