"""Event messages in words, as the sample amqsevt shows them: what is on the event queues of a queue manager now.

Reading removes nothing. It writes no row, unless nothing has used SYSTEM.ADMIN.QMGR.EVENT yet, which is then set up.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from ..engine.words import constants as mq
from ..engine.words.errors import NotSimulated
from ..engine.words.shown import shown
from .event_messages import QUEUES, read

_FACTS = {
    mq.MQCA_BASE_OBJECT_NAME: "base object",
    mq.MQCA_Q_NAME: "queue",
    mq.MQCA_XMIT_Q_NAME: "transmission queue",
    mq.MQCACH_CHANNEL_NAME: "channel",
    mq.MQCACH_XMIT_Q_NAME: "transmission queue",
    mq.MQCACH_CONNECTION_NAME: "connection",
    mq.MQCACF_OBJECT_Q_MGR_NAME: "queue manager of the queue",
    mq.MQCACF_APPL_NAME: "application",
    mq.MQCACF_COMMAND_MQSC: "command",
    mq.MQIA_TIME_SINCE_RESET: "seconds since the last event",
    mq.MQIA_HIGH_Q_DEPTH: "highest depth",
    mq.MQIA_MSG_ENQ_COUNT: "messages put",
    mq.MQIA_MSG_DEQ_COUNT: "messages got",
    mq.MQIACF_ERROR_IDENTIFIER: "error",
}
"""Parameter -> what a reader calls it; those that are not here are left out of the words."""

_OBJECTS = (
    mq.MQCA_Q_NAME,
    mq.MQCACH_CHANNEL_NAME,
    mq.MQCACF_BRIDGE_NAME,
    3554,
    2012,
    2010,
    2045,
    3152,
    2092,
    mq.MQCA_BASE_OBJECT_NAME,
)
"""The parameters that can be the name of the object, the one that decides first."""


class EventMessage(NamedTuple):
    """An event message: when it was put, its queue, its reason code and name, the object that it is about, its
    parameters by number, and the `seq` of its row."""

    time: datetime
    queue: str
    reason: int
    name: str
    object: str
    parameters: dict[int, Any]
    seq: int

    @property
    def facts(self) -> dict[str, Any]:
        """Its facts by their names in plain words; without those that are blank, and without the attributes of a
        configuration event."""
        if self.queue == QUEUES[mq.MQCMD_CONFIG_EVENT]:
            return {}
        named = {words: self.parameters[id] for id, words in _FACTS.items() if id in self.parameters}
        return {words: value for words, value in named.items() if value not in ("", self.object)}

    def __str__(self) -> str:
        facts = ", ".join(f"{words} {value}" for words, value in self.facts.items())
        about = f" of {self.object}" if self.object else ""
        return f"{self.time:%H:%M:%S}  {self.reason} {self.name}{about}" + (f": {facts}" if facts else "")


@shown
class EventMessages(list[EventMessage]):
    """The event messages of a queue manager, in the order in which they were put; `str` is one line for each."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))


def event_messages(qmgr: Any) -> EventMessages:
    """Return the event messages on the event queues of a queue manager, with messages that are no events left out.

    NotSimulated for performance events of a lab without a log.
    """
    if qmgr.attributes["PERFMEV"] == "ENABLED" and not qmgr.lab.events.recording:
        said = "PERFMEV(ENABLED): a lab without a log (record=False) cannot count messages for performance events"
        raise NotSimulated(f"{said}. Use Lab(record=True)")
    messages = EventMessages()
    unused = qmgr.targets.later.keys() - {QUEUES[mq.MQCMD_Q_MGR_EVENT]}
    for name in [entry for entry in QUEUES.values() if entry not in unused]:
        queue = qmgr.targets.get(name)
        for message in queue.store.in_order() if queue is not None and queue.kind == "QLOCAL" else ():
            if message.descriptor.format == mq.MQFMT_EVENT:
                reason, parameters = read(message.body)
                about = next((parameters[id] for id in _OBJECTS if parameters.get(id)), "")
                moment = qmgr.lab.start + timedelta(microseconds=message.put_us)
                messages.append(EventMessage(moment, name, reason, _name(reason), about, parameters, message.seq))
    return EventMessages(sorted(messages, key=lambda entry: entry.seq))


def _name(reason: int) -> str:
    """The name of an event, as IBM's pages have it: from that of its reason code."""
    words = mq.REASONS.get(reason, f"MQRC_{reason}").removeprefix("MQRC_").replace("_", " ").title()
    return re.sub(r"\bQ\b", "Queue", words)
