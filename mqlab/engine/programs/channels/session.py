"""A session of two message channel agents: their flows, the way one finds its partner, and the values they agree on.

The flows are a simplification of MQ's own protocol, which is not public: enough of it to keep every promise a
channel makes about batches, sequence numbers and units of work in doubt.
"""

from __future__ import annotations

from typing import NamedTuple

from ...extra import extras, of_extras
from ...queues.message import QueuedMessage
from ...queues.queue_manager import QueueManager
from ...words import whys
from ...words.objects import Definition
from ...words.whys import Why
from ...world.clock import SECOND
from ...world.network import End
from .channel import Channel

ANSWERS = {"SDR": ("RCVR", "RQSTR"), "SVR": ("RCVR", "RQSTR"), "RQSTR": ("SVR", "SDR")}
"""Type of the channel that calls -> types that can answer, under the same name, without those of extras."""


def answers(chltype: str) -> tuple[str, ...]:
    """The types of channel that can answer one of this type, under the same name."""
    return ANSWERS.get(chltype) or of_extras("sends").get(chltype, ())


class Hello(NamedTuple):
    """The first flow: which channel, from which queue manager, of which type, and what it would agree to.

    `sequence` is the last sequence number the sender knows to be committed; `reset` asks the receiver to use it
    (RESET CHANNEL).
    """

    channel: str
    qmgr: str
    chltype: str
    batch_size: int
    longest: int
    wrap: int
    fast: bool
    heartbeat: int
    sequence: int = 0
    reset: bool = False


class Accept(NamedTuple):
    """The answer: the values both ends now use, the last batch that the receiver committed, and its command level."""

    qmgr: str
    batch_size: int
    longest: int
    fast: bool
    heartbeat: int
    sequence: int
    luwid: str
    level: int


class Carried(NamedTuple):
    """One message from the transmission queue, when it was sent, and its sequence number.

    The sequence number is 0 for a fast message, which is in no unit of work at either end.
    """

    message: QueuedMessage
    sent_us: int
    sequence: int


class EndOfBatch(NamedTuple):
    """The sender asks to commit: the batch's id and its last sequence number."""

    luwid: str
    sequence: int


class Confirm(NamedTuple):
    """The receiver has committed the batch."""

    luwid: str


class Quit(NamedTuple):
    """The end of a session: why, or None after a normal end."""

    why: Why | None = None


class Failed(Exception):
    """The channel cannot go on."""

    def __init__(self, why: Why):
        super().__init__(why)
        self.why = why


class Quiesced(Exception):
    """Raised in an agent that waits for work when its channel is to stop."""


def broken(end: End) -> Failed:
    """Why a channel cannot go on whose session has ended: nothing was heard, or the session was broken."""
    if end.timed_out and end.patience_us:
        return Failed(whys.NotHeard(end.patience_us // SECOND))
    return Failed(whys.SessionBroken())


def patience(heartbeat: int) -> int | None:
    """How long an end waits for a sign of life, in microseconds: twice HBINT (seconds) below 60, else HBINT and 60 s;
    None with HBINT(0)."""
    return (heartbeat + min(heartbeat, 60)) * SECOND if heartbeat else None


def partners(channel: Channel) -> list[str]:
    """The queue managers that a channel's CONNAME may mean, in the order in which they are tried.

    Each address of CONNAME is one that `Lab.address` defined, or a host with the name of a queue manager. If none of
    these is known, the queue managers with a channel of this name that can respond; not for a type of an extra.
    """
    qmgr, lab = channel.qmgr, channel.qmgr.lab
    names = {neighbor.name.upper(): neighbor.name for neighbor in lab.queue_managers if neighbor is not qmgr}
    partner_names = []
    for address in filter(None, (part.strip() for part in channel.attributes["CONNAME"].split(","))):
        host = address.partition("(")[0]
        for known in (lab.network.addresses.get(address), lab.network.addresses.get(host), names.get(host.upper())):
            if known is not None and known not in partner_names:
                partner_names.append(known)
                break
    if partner_names or channel.chltype not in ANSWERS:
        return partner_names
    return [neighbor for neighbor in names.values() if _answers(lab[neighbor], channel)]


def _answers(qmgr: QueueManager, channel: Channel) -> bool:
    definition = qmgr.objects.get("CHANNEL", channel.name)
    return definition is not None and definition.attributes["CHLTYPE"] in answers(channel.chltype)


def hello(channel: Channel) -> Hello:
    """The first flow of a channel. Its batches leave room for its records: three messages less than MAXUMSGS."""
    attributes, qmgr = channel.attributes, channel.qmgr
    batch_size = max(1, min(attributes["BATCHSZ"], qmgr.attributes["MAXUMSGS"] - 3))
    longest = attributes["MAXMSGL"] or qmgr.attributes["MAXMSGL"]
    offer = (batch_size, longest, attributes["SEQWRAP"], attributes["NPMSPEED"] == "FAST", attributes["HBINT"])
    return Hello(channel.name, qmgr.name, channel.chltype, *offer, channel.sequence, channel.reset_pending)


def unwelcome(qmgr: QueueManager, definition: Definition, greeting: Hello) -> Why | None:
    """Why a queue manager refuses a channel that calls it; None if no extra refuses it."""
    refusals = (extra.welcome(qmgr, definition, greeting) for extra in extras())
    return next((why for why in refusals if why is not None), None)
