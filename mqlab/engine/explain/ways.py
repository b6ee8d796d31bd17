"""Where a name leads at a queue manager, and the channels that serve a transmission queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..programs.channels.channel import SENDING, Channel, sends
from ..programs.channels.control import defined
from ..programs.channels.session import partners
from ..queues.calls import Calls
from ..queues.resolution import resolve
from ..words.errors import MQError
from ..words.objects import Definition
from ..words.refusals import Grounds

if TYPE_CHECKING:
    from ..queues.queue_manager import QueueManager
    from ..queues.target import Target


class _Asker(Calls):
    """Asks where names lead; a refusal writes no row."""

    looks_only = True  # so that no extra asks other queue managers

    def __init__(self, qmgr: QueueManager):
        self.qmgr = qmgr

    def refusal(
        self, grounds: Grounds, target: Target | None, call: str, name: str | None = None, **_: object
    ) -> MQError:
        """The MQError of a name that leads nowhere."""
        shown = name or (target.name if target is not None else "")
        return MQError(grounds.reason, shown, self.qmgr.name, rule=grounds.rule, grounds=grounds)


def leads_to(qmgr: QueueManager, name: str) -> Target:
    """The object that a put to `name`, "Q" or "Q@QMGR", would go through now, as
    `mqlab.engine.queues.resolution.resolve` finds it. Raises the same MQError, but writes no row."""
    known = name in qmgr.routes
    try:
        return resolve(_Asker(qmgr), name, "put")
    finally:
        if not known:
            qmgr.routes.pop(name, None)


def channels_of(qmgr: QueueManager, definition: Definition) -> list[Channel]:
    """The channels of a definition, one for each partner if it receives; an INACTIVE one if there is none."""
    found = [each for each in qmgr.channels.values() if each.definition is definition]
    return found or [Channel(qmgr, definition)]


def serving(qmgr: QueueManager, xmitq: str, tag: bytes | None = None) -> list[Channel]:
    """The channels that would get from a transmission queue; for a message with CorrelId `tag`, the channel of
    this name if there is one without a transmission queue of its own."""
    named = None if tag is None else defined(qmgr, tag.decode("ascii", "replace").strip())
    if named is not None and "XMITQ" not in named.attributes and sends(named.attributes["CHLTYPE"]):
        return channels_of(qmgr, named)
    sending = [each for each in qmgr.objects.match(("CHANNEL",)) if each.attributes["CHLTYPE"] in SENDING]
    return [channel for each in sending if each.attributes["XMITQ"] == xmitq for channel in channels_of(qmgr, each)]


def partner_of(channel: Channel) -> str:
    """The queue manager a channel talks to or would call: the first within reach, else the first; "" for none."""
    if channel.partner or not channel.attributes.get("CONNAME"):
        return channel.partner
    found, lab, here = partners(channel), channel.qmgr.lab, channel.qmgr.name
    up = [name for name in found if lab[name].running and getattr(lab.network.path(here, name), "up", False)]
    return next(iter(up or found), "")
