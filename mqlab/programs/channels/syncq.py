"""What a channel must not forget: the last batch committed, kept as a persistent message of SYSTEM.CHANNEL.SYNCQ.

Written in the unit of work of the batch itself, or at the very moment of its commit, so that both are there or neither
is.
"""

from __future__ import annotations

import json
from hashlib import blake2b

__all__ = ["SYNCQ", "read", "write"]

SYNCQ = "SYSTEM.CHANNEL.SYNCQ"


def read(channel) -> None:
    """Let a channel that starts remember its last sequence number and batch; 0 and "" where there is no record."""
    record = _record(channel)
    told = {"sequence": 0, "luwid": ""} if record is None else json.loads(record.body)
    channel.sequence, channel.luwid = told["sequence"], told["luwid"]


def write(app, channel, sequence: int, luwid: str, unit=None) -> None:
    """Replace the record, in `unit` or in one of its own. MQError when the queue is not there or takes no message."""
    if unit is None:
        with app.unit_of_work() as unit:
            write(app, channel, sequence, luwid, unit)
        return
    msg_id, correl_id = _identifiers(channel)
    if _record(channel) is not None:
        app.get(SYNCQ, msg_id=msg_id, correl_id=correl_id, unit=unit)
    body = json.dumps({"channel": channel.name, "partner": channel.partner, "sequence": sequence, "luwid": luwid})
    app.put(SYNCQ, body, persistent=True, priority=0, msg_id=msg_id, correl_id=correl_id, unit=unit)


def _record(channel):
    queue = channel.qmgr.targets.get(SYNCQ)
    return None if queue is None else next(queue.store.matching(*_identifiers(channel)), None)


def _identifiers(channel) -> tuple[bytes, bytes]:
    """MsgId and CorrelId of a channel's record: its partner and its name."""
    return blake2b(channel.partner.encode(), digest_size=24).digest(), channel.name.encode().ljust(24)
