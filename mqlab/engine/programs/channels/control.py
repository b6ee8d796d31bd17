"""Operating channels: START, STOP, RESET, RESOLVE and PING CHANNEL.

Each refuses what cannot be done with a ChannelError that carries the AMQ number an operator would see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...extra import extras
from ...queues.queue_manager import QueueManager
from ...words import whys
from ...words.errors import Error
from ...words.refusals import Grounds
from .channel import Channel, moves, read_record, sends, write_record
from .mca import channel_of, launch
from .sending import end_doubt
from .session import Quiesced, answers, partners

if TYPE_CHECKING:
    from ...words.objects import Definition


class ChannelError(Error):
    """A channel command that cannot be carried out: `code` an AMQ number without its letters, `grounds` why."""

    def __init__(self, code: int, case: str, **fields: object):
        super().__init__(code, case)
        self.code, self.grounds = code, Grounds(code, case, fields)


def instances(qmgr: QueueManager, name: str) -> list[Channel]:
    """The channels there are of this name: the sending one, or one for each partner that has called."""
    return [channel for (known, _), channel in qmgr.channels.items() if known == name]


def start(qmgr: QueueManager, name: str) -> None:
    """START CHANNEL: let its agent run; a partner can call a receiving channel again."""
    definition = _definition(qmgr, name)
    chltype = definition.attributes["CHLTYPE"]
    running = next((each for each in instances(qmgr, name) if each.active), None)
    called = moves(chltype) and not sends(chltype) and chltype != "RQSTR"
    if running is not None and not called:
        raise ChannelError(9514, "active", channel=name, state=running.state)
    if chltype == "SVR" and not definition.attributes["CONNAME"]:
        raise ChannelError(9513, "server-without-conname", channel=name)
    for channel in instances(qmgr, name):
        if channel.state == "STOPPED":
            channel.enter("INACTIVE", whys.StartChannel())
            channel.reset_retries()
    if not called:
        launch(channel_of(qmgr, definition))


def stop(
    qmgr: QueueManager, name: str, mode: str = "QUIESCE", state: str = "STOPPED", some: list[Channel] | None = None
) -> None:
    """STOP CHANNEL: QUIESCE after the batch, FORCE and TERMINATE at once; then STOPPED or INACTIVE.

    If `some` is not given, a channel that receives is stopped for every partner, even for those that never called.
    """
    for channel in some or instances(qmgr, name) or [channel_of(qmgr, _definition(qmgr, name))]:
        if not channel.active:
            channel.enter(state, whys.StopChannel(mode))
            continue
        channel.stop_mode, channel.stop_state = mode, state
        if mode != "QUIESCE" or (not sends(channel.chltype) and (channel.waiting or channel.state != "RUNNING")):
            channel.program.stop()
        elif channel.waiting:
            channel.program.interrupt(Quiesced())


def reset(qmgr: QueueManager, name: str, number: int = 1) -> None:
    """RESET CHANNEL SEQNUM: the next message has this number; from a channel that sends the partner takes it over at
    the next start, one that receives resets only this end."""
    definition = _definition(qmgr, name)
    if not 1 <= number <= definition.attributes["SEQWRAP"]:
        raise ChannelError(8405, "seqnum", highest=definition.attributes["SEQWRAP"], number=number)
    for channel in instances(qmgr, name) or [channel_of(qmgr, definition)]:
        if channel.active:
            raise ChannelError(9514, "active-at-reset", channel=name, state=channel.state)
        if channel.indoubt is not None:
            raise ChannelError(9531, "in-doubt", channel=name)
        write_record(qmgr, channel, number - 1, "")
        read_record(channel)
        channel.reset_pending = sends(channel.chltype)
        channel.record("CHL-14", {"state": channel.state, "sequence": number})


def resolve(qmgr: QueueManager, name: str, action: str) -> None:
    """RESOLVE CHANNEL ACTION(COMMIT|BACKOUT): end the batch in doubt by the operator's word (CHL-13)."""
    channel = channel_of(qmgr, _definition(qmgr, name))
    if channel.active:
        raise ChannelError(9514, "active-at-resolve", channel=name, state=channel.state)
    if channel.indoubt is None:
        raise ChannelError(9530, "not-in-doubt", channel=name)
    end_doubt(qmgr, channel, action == "COMMIT", "CHL-13")


def ping(qmgr: QueueManager, name: str) -> str:
    """PING CHANNEL: the queue manager that would answer; nothing is sent and no time passes (simplified)."""
    definition = _definition(qmgr, name)
    if not sends(definition.attributes["CHLTYPE"]):
        raise ChannelError(9513, "not-pinged", channel=name, type=definition.attributes["CHLTYPE"])
    channel = channel_of(qmgr, definition)
    if channel.active:
        raise ChannelError(9514, "active", channel=name, state=channel.state)
    network = qmgr.lab.network
    for partner in partners(channel):
        path = network.path(qmgr.name, partner)
        if path is None or not path.up or not qmgr.lab[partner].running:
            continue
        there = qmgr.lab[partner].objects.get("CHANNEL", name)
        if there is None:
            raise ChannelError(9520, "not-defined-there", channel=name, partner=partner)
        if there.attributes["CHLTYPE"] not in answers(channel.chltype):
            raise ChannelError(
                9513, "other-type-there", channel=name, type=there.attributes["CHLTYPE"], partner=partner
            )
        return partner
    raise ChannelError(9202, "no-host", conname=channel.attributes["CONNAME"])


def defined(qmgr: QueueManager, name: str) -> Definition | None:
    """The definition of a channel: an object, or what an extra has; None for none."""
    found = (extra.channel(qmgr, name) for extra in extras())
    return qmgr.objects.get("CHANNEL", name) or next((each for each in found if each is not None), None)


def _definition(qmgr: QueueManager, name: str) -> Definition:
    qmgr.require_running("channel")
    definition = defined(qmgr, name)
    if definition is None:
        near = qmgr.objects.near("CHANNEL", name)
        if near:
            raise ChannelError(9519, "no-channel-but-near", near=near[0])
        raise ChannelError(9519, "no-channel")
    if not moves(definition.attributes["CHLTYPE"]):
        raise ChannelError(9513, "kept-only", channel=name, type=definition.attributes["CHLTYPE"])
    return definition
