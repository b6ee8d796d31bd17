"""The channel initiator: a trigger monitor that starts channels."""

from __future__ import annotations

from ...extra import extras, of_extras
from ...queues.application import Application
from ...queues.queue_manager import QueueManager
from ...words import whys
from ...words.errors import MQError
from ...words.headers import TriggerMessage
from ...words.objects import Definition
from ..program import Program
from ..trigger_monitor import read_trigger
from .channel import CALLING, SENDING, Channel
from .mca import channel_of, launch

INITQ = "SYSTEM.CHANNEL.INITQ"


def start_initiator(qmgr: QueueManager, initq: str = INITQ) -> Program:
    """Start the channel initiator on an initiation queue."""

    def over() -> None:
        if qmgr.channel_initiator is program:
            qmgr.channel_initiator = None

    qmgr.channel_initiator = program = Program(qmgr, "CHANNEL.INITIATOR", _serve, (initq,), at_end=over)
    for extra in extras():
        extra.initiator_started(qmgr)
    return program


def start_with(qmgr: QueueManager) -> None:
    """Start it with the queue manager, or with the first channel that it can start, unless SCHINIT is MANUAL."""
    if qmgr.channel_initiator is None and qmgr.attributes.get("SCHINIT", "QMGR") == "QMGR" and _wanted(qmgr):
        start_initiator(qmgr)


def initiates(qmgr: QueueManager) -> bool:
    """Whether IBM MQ would say that it runs: also where the lab starts it with the first channel, and there is none."""
    waits = qmgr.attributes.get("SCHINIT", "QMGR") == "QMGR" and not _wanted(qmgr)
    return qmgr.channel_initiator is not None or waits


def _wanted(qmgr: QueueManager) -> bool:
    """Return True if the channel initiator can start a channel other than the SYSTEM channels."""
    types = (*CALLING, *of_extras("sends"))
    channels = (each for type in types for each in qmgr.objects.having("CHANNEL", type))
    return any(not each.name.startswith("SYSTEM.") for each in channels)


def _serve(app: Application, initq: str) -> None:
    """Start the channel that each trigger message is about; it ends when its queue can no longer be read."""
    for channel in list(app.qmgr.channels.values()):
        if channel.state == "RETRYING" and channel.retry.processed:  # its time came while nothing could start it
            launch(channel, app.cause, "CHL-09")
        elif channel.state == "INACTIVE" and channel.indoubt is not None and _triggered(channel):
            launch(channel, app.cause, "CHL-16")
    try:
        with app.open(initq, input="shared") as handle:
            while True:
                message = handle.get(float("inf"))
                cause, trigger = app.qmgr.lab.events.next_seq - 1, read_trigger(app, message, initq)
                if trigger is not None:
                    _start(app.qmgr, trigger, cause)
    except MQError:
        return  # the refusal is a row of the log


def _triggered(channel: Channel) -> bool:
    """Whether the transmission queue of a channel starts it; what it has in doubt is none the less there to be sent."""
    queue = channel.qmgr.targets.get(channel.xmitq)
    return queue is not None and bool(queue.definition.attributes.get("TRIGGER"))


def _start(qmgr: QueueManager, trigger: TriggerMessage, cause: int) -> None:
    """Start a channel unless it is current already: a STOPPED channel waits for an operator (CHL-16)."""
    name = trigger.trigger_data or trigger.user_data
    definition = _named(qmgr, name, trigger.queue)
    if definition is None:
        position = (qmgr.name, trigger.queue, "QLOCAL")
        why = whys.NoChannelCalled(name) if name else whys.NoChannelServes(trigger.queue)
        detail = {"state": "INACTIVE", "why": why.facts}
        qmgr.record("channel", position, "CHL-16", program="CHANNEL.INITIATOR", cause=cause, detail=detail)
        return
    channel = channel_of(qmgr, definition)
    if channel.state == "INACTIVE":
        launch(channel, cause, "CHL-16")
    else:
        channel.record("CHL-16", {"state": channel.state, "why": whys.NotInactive().facts}, cause)


def _named(qmgr: QueueManager, name: str, queue: str) -> Definition | None:
    """The channel that a trigger message is for; None if it cannot be started."""
    # the one named by TRIGDATA, else by USERDATA of the process; where both are blank the one that has the queue as
    # XMITQ
    if name:
        found = qmgr.objects.get("CHANNEL", name)
        return found if found is not None and found.attributes["CHLTYPE"] in CALLING else None
    sending = [each for each in qmgr.objects.match(("CHANNEL",)) if each.attributes["CHLTYPE"] in SENDING]
    return next((each for each in sending if each.attributes["XMITQ"] == queue), None)
