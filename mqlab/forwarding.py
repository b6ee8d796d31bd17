"""Forwarding: an application passes a message on, and decides whether the time it held it counts (EXP-05)."""

from __future__ import annotations

from .constants import MQEI_UNLIMITED
from .errors import LabError
from .message import Message, QueuedMessage, record_of
from .passing import place
from .reports import EXPIRATION, send_report

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
        seq = _record(app, held, "discard", target.queue.name, left, "EXP-36", None)
        send_report(EXPIRATION, app.qmgr, held, seq, "EXP-36")
        return None
    time = message.expiry - left
    said = f'{{"held":{time},"{"deducted" if deduct else "extended"}":{time}}}'
    seq = _record(app, held, "forward", target.queue.name, left, "EXP-05", said)
    cause, app.cause = app.cause, seq
    try:
        return _put(app, held, queue, left if deduct else message.expiry, unit, "EXP-05")
    finally:
        app.cause = cause


def _put(app, held: QueuedMessage, queue: str, expiry: int, unit, rule: str | None) -> Message:
    return place(app, held, queue, expiry, unit, rule, held.body, held.descriptor, held.context)


def _record(app, held: QueuedMessage, kind: str, queue: str, left: int, rule: str, detail: str | None) -> int:
    """The row of what a program does with a message it holds: it is on no queue, so no depth goes with it."""
    qmgr = app.qmgr
    return qmgr.lab.events.append(
        (
            qmgr.clock.time_us,
            kind,
            (qmgr.name, queue, None),
            held.number,
            held.msg_id,
            app.caller,
            None,
            held.priority,
            held.persistent,
            left,
            None,
            held.put_us,
            held.arrived_us,
            None,
            rule,
            app.cause,
            detail,
        )
    )
