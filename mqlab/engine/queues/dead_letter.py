"""The dead-letter queue: messages that cannot be put to their destination are put there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..words.constants import MQFMT_DEAD_LETTER_HEADER, MQRC_UNKNOWN_OBJECT_NAME
from ..words.errors import MQError
from ..words.headers import MQDLH
from ..words.refusals import Grounds
from .message import PLAIN, Descriptor, Message, QueuedMessage
from .target import NOWHERE, Put

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
    target.queue.put_as_named(_behind_header(given, reason, queue, qmgr))


def dead_letter(refused: Put, reason: int, queue: str, use: bool = True) -> bool:
    """Put a message that `queue` refused on the dead-letter queue, with an MQDLH; return whether that worked.

    `reason` is the MQRC of the refusal, or the MQFB of a program; the target of `refused` does not matter. Where DEADQ
    is blank, not for `use`, no local queue, or refuses the put, the data is lost, with a `lost` row in the log.
    """
    sender = refused.application
    qmgr = sender.qmgr
    name = qmgr.attributes["DEADQ"]
    target = qmgr.targets.get(name) if use else None
    if target is not None:
        try:
            target.queue.put_as_named(_behind_header(refused.but(target=target), reason, queue, qmgr.name))
            return True
        except MQError:
            pass  # the refusal is a row of the log; the data is lost
    place = (qmgr.name, name or None, "QLOCAL" if name else None)
    sender.record("lost", place, refused.rule or "MQI-30", reason=reason)
    return False


def set_aside(app: Calls, message: Message, reason: int, queue: str) -> bool:
    """Put the data of a message that a program got from `queue`, and cannot use, on the dead-letter queue; whether that
    worked."""
    about = Descriptor(format=message.format, properties=message.descriptor.properties)
    return dead_letter(Put(app, NOWHERE, message.body, persistent=False, descriptor=about), reason, queue)


def _behind_header(request: Put, reason: int, queue: str, qmgr: str) -> Put:
    """The same put with an MQDLH before its data, in the name of the program that puts it."""
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
    return request.but(body=header + request.body, descriptor=descriptor)
