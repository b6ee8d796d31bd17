"""A program passes on a message that it holds: forwarded by an application, moved on by a program of MQ's own, or put
where the header of a message that arrived says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..words.arguments import require
from ..words.constants import MQCOPY_FORWARD, MQEI_UNLIMITED
from .message import Message, QueuedMessage, record_of
from .reports import EXPIRATION, record_held, send_report
from .target import NOWHERE, Put, full_name, saying

if TYPE_CHECKING:
    from .parts import Calls, UnitOfWork


def forward(
    app: Calls, message: Message, queue: str, deduct: bool = True, unit: UnitOfWork | None = None
) -> Message | None:
    """See `Calls.forward`."""
    require("deduct", deduct, bool)
    record = record_of(message)
    app.require_own(unit)
    if message.expiry == MQEI_UNLIMITED:
        return _put_by_name(_forwarded(app, record, MQEI_UNLIMITED, unit), queue)
    target = app.resolve(queue, "put")
    left = record.expiry(app.qmgr.clock.time_us)
    if deduct and left <= 0:
        seq = record_held(app, "discard", record, target.object.name, "EXP-36")
        send_report(EXPIRATION, app.qmgr, record, seq, "EXP-36")
        return None
    time = message.expiry - left
    said = f'{{"held":{time},"{"deducted" if deduct else "extended"}":{time}}}'
    seq = record_held(app, "forward", record, target.object.name, "EXP-05", detail=said)
    cause, app.cause = app.cause, seq
    try:
        expiry = left if deduct else message.expiry
        return _put_by_name(_forwarded(app, record, expiry, unit, "EXP-05"), queue)
    finally:
        app.cause = cause


def _forwarded(app: Calls, record: QueuedMessage, expiry: int, unit: UnitOfWork | None, rule: str | None = None) -> Put:
    """The put of a message that a program forwards, with the properties that go to a forwarded message."""
    given = Put.again(app, NOWHERE, record, expiry, unit=unit, rule=rule, context=record.context)
    given.descriptor = record.descriptor.copied(MQCOPY_FORWARD)
    return given


def pass_on(
    app: Calls,
    message: Message,
    queue: str,
    *,
    expiry: int,
    body: bytes | None = None,
    unit: UnitOfWork | None = None,
    rule: str | None = None,
    **changes: Any,
) -> Message:
    """Put a message that a program got to `queue`, "Q" or "Q@QMGR": its number, identifiers, priority, persistence,
    context and descriptor stay its own but for `changes` (fields of the descriptor), and its data unless `body` is
    given.

    `expiry` in tenths of a second. MQError as any put.
    """
    record = record_of(message)
    request = Put.again(app, NOWHERE, record, expiry, unit=unit, rule=rule, continues=record)
    if body is not None:
        request.body = body
    if changes:
        request.descriptor = record.descriptor._replace(**changes)
    return _put_by_name(request, queue)


def put_arrived(app: Calls, message: QueuedMessage, queue: str, qmgr: str, unit: UnitOfWork | None, rule: str) -> None:
    """Put a message that an agent holds to the queue its header names, as this queue manager resolves it; MQError."""
    left = message.expiry(app.qmgr.clock.time_us)
    _put_by_name(
        Put.again(app, NOWHERE, message, left, unit=unit, rule=rule, continues=message),
        full_name(app.qmgr, queue, qmgr),
    )


def _put_by_name(request: Put, name: str) -> Message:
    """Put to what `name`, "Q" or "Q@QMGR", leads to; the message as put."""
    caller = request.application
    target = caller.resolve(name, "put")
    if caller.qmgr.guard is not None:
        caller.qmgr.guard.named(caller, "put", name, target, "PUT")
    request.target = target = saying(target, kept_only=target.kept) if target.kept else target
    return target.put(request)
