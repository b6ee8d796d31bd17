"""The dead-letter queue: messages that cannot be put to their destination are put there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..words.constants import MQFMT_DEAD_LETTER_HEADER, MQRC_UNKNOWN_OBJECT_NAME
from ..words.errors import MQError
from ..words.headers import MQDLH
from ..words.refusals import Grounds
from .message import PLAIN, QueuedMessage
from .target import NOWHERE, Put, QueueTarget, saying

if TYPE_CHECKING:
    from .parts import Calls, UnitOfWork

HANDLER = "RUNMQDLQ"
"""The name of the program that handles a dead-letter queue."""


def bury(
    sender: Calls, reason: int, message: QueuedMessage, queue: str, qmgr: str, unit: UnitOfWork | None, rule: str
) -> None:
    """Put a message on the dead-letter queue, with an MQDLH that has the reason and the destination.

    Its descriptor stays its own: identifiers, report options, persistence, context, and what is left of its lifetime
    (EXP-23), but for format, encoding and character set, which the MQDLH keeps and which then describe the MQDLH.
    `sender` is the application that could not deliver it; `unit` its unit of work. MQError 2085 where DEADQ is blank or
    names no local queue, or what refused the put.
    """
    name = sender.qmgr.attributes["DEADQ"]
    target = sender.qmgr.targets.get(name)
    if target is None:
        case = "deadq-not-local" if name else "deadq-blank"
        grounds = Grounds(MQRC_UNKNOWN_OBJECT_NAME, case, {"deadq": name})
        raise sender.refusal(grounds, None, "put", name, rule=rule)
    if message.expires_us is not None:
        rule = "EXP-23"
    left = message.expiry(sender.qmgr.clock.time_us)
    given = Put.again(sender, target, message, left, unit=unit, rule=rule, continues=message)
    _put_behind_header(given, target, reason, queue, qmgr)


def dead_letter(refused: Put, reason: int, queue: str, qmgr_name: str = "", use: bool = True) -> bool:
    """Put a message that `queue` refused on the dead-letter queue, with an MQDLH; return whether that worked.

    `reason` is the MQRC of the refusal, or the MQFB of a program; `qmgr_name` the queue manager that the message was
    going to, "" for this one; the target of `refused` does not matter. Where DEADQ is blank, not for `use`, no local
    queue, or refuses the put, the data is lost, with a `lost` row in the log.
    """
    sender, qmgr = refused.application, refused.application.qmgr
    name = qmgr.attributes["DEADQ"]
    target = qmgr.targets.get(name) if use else None
    if target is not None:
        try:
            given = refused.but(rule=refused.rule or "MQI-30")
            _put_behind_header(given, target, reason, queue, qmgr_name or qmgr.name)
            return True
        except MQError:
            pass  # the refusal is a row of the log; the data is lost
    place = (qmgr.name, name or None, "QLOCAL" if name else None)
    destination = {"DestQName": queue, "DestQMgrName": qmgr_name or qmgr.name}
    sender.record("lost", place, refused.rule or "MQI-30", reason=reason, detail=destination)
    return False


def set_aside(app: Calls, message: QueuedMessage, reason: int, queue: str) -> bool:
    """Put a message that a program has just got from `queue`, and cannot use, on the dead-letter queue; whether that
    worked. The row of the get is the cause."""
    about = PLAIN._replace(format=message.descriptor.format, properties=message.descriptor.properties)
    lasting = message.persistent
    letter = Put(app, NOWHERE, message.body, persistent=lasting, descriptor=about, context=app.context)
    begun, app.cause = app.cause, app.qmgr.lab.events.next_seq - 1
    try:
        return dead_letter(letter.but(continues=message), reason, queue)
    finally:
        app.cause = begun


def _put_behind_header(request: Put, target: QueueTarget, reason: int, queue: str, qmgr: str) -> None:
    """Put a message on the dead-letter queue, with an MQDLH before its data, in the name of its program."""
    context, descriptor = request.application.context, request.descriptor
    header = MQDLH.pack(
        reason,
        queue,
        qmgr,
        descriptor.format,
        context.put_appl_name,
        request.application.qmgr.lab.now,
        appl_type=context.put_appl_type,
        encoding=descriptor.encoding,
        ccsid=descriptor.ccsid,
    )
    descriptor = descriptor._replace(format=MQFMT_DEAD_LETTER_HEADER, encoding=PLAIN.encoding, ccsid=PLAIN.ccsid)
    way = saying(target, Reason=reason, DestQName=queue, DestQMgrName=qmgr)
    target.queue.put_as_named(request.but(target=way, body=header + request.body, descriptor=descriptor))
