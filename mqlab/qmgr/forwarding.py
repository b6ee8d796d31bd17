"""Forwarding: an application passes a message on, and decides whether the time it held it counts (EXP-05)."""

from __future__ import annotations

from ..mq.constants import MQEI_UNLIMITED
from ..mq.errors import LabError
from .message import Message, QueuedMessage, record_of
from .passing import place
from .reports import EXPIRATION, send_report
from .undelivered import record_held

__all__ = ["forward"]


def forward(app, message: Message, queue: str, deduct: bool = True, unit=None) -> Message | None:
    """Put a message that `app` got to another queue; the message as put, None if its lifetime is over.

    With `deduct` the time since the get is taken off, so that the deadline stays what it was; a message whose deadline
    has passed meanwhile is discarded by the program, with its report, and in no unit of work (EXP-36). Without, its
    Expiry is copied as the get returned it, and it lives longer by the time it was held: the `forward` row tells by how
    many tenths of a second. What is put is a message of its own in the lab, with the context of the first (our
    reading). MQError as any put.
    """
    if type(deduct) is not bool:
        raise LabError(f"deduct wanted: True or False; got {deduct!r}")
    held = record_of(message)
    if unit is not None:
        app.require_own(unit)
    if message.expiry == MQEI_UNLIMITED:
        return _put(app, held, queue, MQEI_UNLIMITED, unit, None)
    target = app.resolve(queue, "put")
    left = held.tenths_left(app.qmgr.clock.time_us)
    if deduct and left <= 0:
        seq = record_held(app, "discard", held, target.queue.name, "EXP-36")
        send_report(EXPIRATION, app.qmgr, held, seq, "EXP-36")
        return None
    time = message.expiry - left
    said = f'{{"held":{time},"{"deducted" if deduct else "extended"}":{time}}}'
    seq = record_held(app, "forward", held, target.queue.name, "EXP-05", detail=said)
    cause, app.cause = app.cause, seq
    try:
        return _put(app, held, queue, left if deduct else message.expiry, unit, "EXP-05")
    finally:
        app.cause = cause


def _put(app, held: QueuedMessage, queue: str, expiry: int, unit, rule: str | None) -> Message:
    return place(app, held, queue, expiry, unit, rule, held.body, held.descriptor, context=held.context)
