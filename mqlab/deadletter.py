"""The dead-letter queue: where the queue manager puts what it cannot put where it was meant to go."""

from __future__ import annotations

from .constants import MQEI_UNLIMITED
from .errors import MQError
from .headers import MQDLH
from .message import Descriptor
from .putting import put

__all__ = ["dead_letter"]

MQFMT_DEAD_LETTER = "MQDEAD"


def dead_letter(
    sender,
    reason: int,
    body: bytes,
    format: str,
    queue: str,
    priority=None,
    persistent=False,
    correl_id=None,
    rule: str | None = None,
) -> bool:
    """Put data that could not be put to `queue` on the dead-letter queue, behind an MQDLH; whether that worked.

    `sender` is the queue manager as an application, `reason` the MQRC of the refusal. Where DEADQ is blank, names no
    local queue, or refuses the put, the data is gone and the log tells so in a `lost` row.
    """
    qmgr = sender.qmgr
    name = qmgr.attributes["DEADQ"]
    target = qmgr.targets.get(name)
    header = MQDLH.pack(reason, queue, qmgr.name, format, qmgr.name, qmgr.lab.now)
    if target is not None:
        try:
            put(sender, target, header + body, MQEI_UNLIMITED, priority, persistent, None, correl_id,
                Descriptor(format=MQFMT_DEAD_LETTER), None, "put", rule)  # fmt: skip
            return True
        except MQError:
            pass  # the refusal is a row of the log; the data is lost
    qmgr.lab.events.write(qmgr.clock.time_us, "lost", (qmgr.name, name or None, "QLOCAL" if name else None),
                          program=sender.caller, reason=reason, rule=rule, cause=sender.cause)  # fmt: skip
    return False
