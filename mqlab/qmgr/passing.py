"""Passing a message on: a program puts what it holds to another queue, as the message it was."""

from __future__ import annotations

from ..mq.constants import MQEI_UNLIMITED
from .message import Message, QueuedMessage, record_of
from .publishing import publish
from .put import Put
from .queue import TopicAlias
from .resolution import full_name
from .transmission import putter

__all__ = ["deliver", "pass_on", "place"]


def pass_on(app, message: Message, queue: str, *, expiry: int, body=None, unit=None, rule=None, **changes) -> Message:
    """Put a message that a program got to `queue`, "Q" or "Q@QMGR": its number, identifiers, priority, persistence,
    context and descriptor stay its own but for `changes` (fields of the descriptor), and its data unless `body` is
    given.

    `expiry` in tenths of a second. MQError as any put.
    """
    held = record_of(message)
    descriptor = held.descriptor._replace(**changes) if changes else held.descriptor
    return place(app, held, queue, expiry, unit, rule, held.body if body is None else body, descriptor, of=held)


def place(app, held: QueuedMessage, queue: str, expiry: int, unit, rule: str | None, body, descriptor, **of):
    """Put a record that a program holds to a queue by name; `of` as in `mqlab.qmgr.put.Put`, or `context`. MQError as
    any put.

    Put to an alias of a topic it is published: the copies, messages of their own.
    """
    target = app.resolve(queue, "put")
    given = Put(
        app,
        target,
        body,
        expiry,
        held.priority,
        held.persistent,
        held.msg_id,
        held.correl_id,
        descriptor,
        unit,
        "put",
        rule,
        **of,
    )
    return publish(given) if isinstance(target, TopicAlias) else putter(target)(given)


def deliver(app, message: QueuedMessage, queue: str, qmgr: str, unit, rule: str) -> None:
    """Put a message that an agent holds to the queue its header names, as this queue manager resolves it; MQError."""
    left = MQEI_UNLIMITED if message.expires_us is None else message.tenths_left(app.qmgr.clock.time_us)
    name = full_name(app.qmgr, queue, qmgr)
    place(app, message, name, left, unit, rule, message.body, message.descriptor, of=message)
