"""What the agents of a channel do with messages: deliver them, try again, or find another end for them."""

from __future__ import annotations

from ...mq.constants import (
    MQFB_XMIT_Q_MSG_ERROR,
    MQRC_MSG_TOO_BIG_FOR_CHANNEL,
    MQRC_PUT_INHIBITED,
    MQRC_Q_FULL,
    MQRC_Q_TYPE_ERROR,
)
from ...mq.errors import MQError, NotSimulated
from ...qmgr import passing
from ...qmgr.message import QueuedMessage, record_of
from ...qmgr.transmission import Opener, arrived
from ...qmgr.undelivered import UNDELIVERED, give_up, undeliverable
from .session import Failed

__all__ = ["deliver", "spoiled"]

MILLISECOND = 1000
MAY_CLEAR = (MQRC_PUT_INHIBITED, MQRC_Q_FULL)
"""Why a put fails that may work a little later: what message retry is for."""


def deliver(app, channel, message: QueuedMessage, queue: str, qmgr: str, unit, rule: str) -> None:
    """Put one message where its header says; after MRRTY retries follow its report options and the dead-letter queue.

    `unit` is None for a fast message: one that finds no place at all is lost, any other then ends the channel (CHL-17):
    Failed.
    """
    clock, retries, reason = app.qmgr.clock, None, 0
    while message.expires_us is None or message.expires_us > clock.time_us:
        try:
            passing.deliver(app, message, queue, qmgr, unit, rule)
            return
        except NotSimulated:  # a model queue: nobody puts to one by name
            reason = MQRC_Q_TYPE_ERROR
            break
        except MQError as error:
            reason = error.reason
        if retries is None:  # z/OS has no message retry
            retries = channel.attributes["MRRTY"] if app.qmgr.platform != "zos" else 0
        if reason not in MAY_CLEAR or not retries:
            break
        retries -= 1
        _pause(channel, reason)
    _dispose(app, channel, message, reason, queue, qmgr, unit)


def _pause(channel, reason: int) -> None:
    """Wait MRTMR milliseconds before the next attempt; the whole channel waits (CHL-10)."""
    clock, interval = channel.qmgr.clock, channel.attributes["MRTMR"]
    channel.enter("PAUSED", f"{reason}: the message is put again in {interval} ms (MRTMR)", "CHL-10")
    clock.wait(clock.event(), clock.time_us + interval * MILLISECOND)
    channel.enter("RUNNING", rule="CHL-10")


def _dispose(app, channel, message: QueuedMessage, reason: int, queue: str, qmgr: str, unit) -> None:
    """Find another end for a message that cannot be put where it was to go."""
    fate = undeliverable(app, message, reason, queue, qmgr, unit, channel.attributes["USEDLQ"] == "YES")
    if fate.outcome != UNDELIVERED:
        return
    if unit is None:
        give_up(app, message, reason, queue)
        return
    why = "USEDLQ(NO)" if fate.refused is None else f"the dead-letter queue cannot take it: {fate.refused}"
    said = f"a message for {queue} cannot be put: {reason}; {why}"
    channel.record("CHL-17", {"state": channel.state, "error": "AMQ9544E", "because": said})
    raise Failed("AMQ9544E", said)


def spoiled(app, channel, message, whole: bool, unit) -> bool:
    """Take a message that cannot be sent off the way: to the dead-letter queue here, as Feedback 271 or 2218 says.

    Without one a fast message, got in no unit of work, is lost; any other stays where it is, and the answer is False.
    """
    held, reason, queue, qmgr = record_of(message), MQFB_XMIT_Q_MSG_ERROR, channel.attributes["XMITQ"], app.qmgr.name
    if whole:
        header, reason = Opener().open(message.body), MQRC_MSG_TOO_BIG_FOR_CHANNEL
        held, queue, qmgr = arrived(header, held, app.qmgr.clock.time_us), header.queue, header.qmgr
    fate = undeliverable(app, held, reason, queue, qmgr, unit, channel.attributes["USEDLQ"] == "YES")
    if fate.outcome == UNDELIVERED and unit is None:
        give_up(app, held, reason, queue)
    return fate.outcome != UNDELIVERED or unit is None
