"""Looking without touching: what a name leads to, which channels serve a queue and whom they would call.

What `Lab.topology` and `Lab.why_not_delivered` ask of live queue managers; nothing here writes a row.
"""

from __future__ import annotations

from ..mq.errors import MQError
from ..programs.channels.channel import SENDING, Channel
from ..programs.channels.session import partners
from ..qmgr.resolution import resolve

__all__ = ["channels_of", "leads_to", "partner_of", "path_to", "serving"]


class _Onlooker:
    """Stands in for an application where a name is only looked up: a refusal is told, and no row is written."""

    def __init__(self, qmgr):
        self.qmgr = qmgr

    def refusal(self, reason, target, call, rule, said, hint, name=None) -> MQError:
        return MQError(reason, name or target.name, self.qmgr.name, said, hint, rule)

    def refuse(self, *about, **more) -> None:
        raise self.refusal(*about, **more)


def leads_to(qmgr, name: str):
    """What a put to `name`, "Q" or "Q@QMGR", would go by now, as `mqlab.qmgr.resolution.resolve` says; MQError as
    it."""
    routes, known = qmgr.routes, name in qmgr.routes
    try:
        return resolve(_Onlooker(qmgr), name, "put")
    finally:
        if not known:
            routes.pop(name, None)


def channels_of(qmgr, definition) -> list[Channel]:
    """The channels there are of a definition, one a partner where it receives; an INACTIVE one if there is none."""
    found = [each for each in qmgr.channels.values() if each.definition is definition]
    return found or [Channel(qmgr, definition)]


def serving(qmgr, xmitq: str) -> list[Channel]:
    """The channels that would get from a transmission queue."""
    return [
        channel
        for definition in qmgr.objects.match(("CHANNEL",))
        if definition.attributes["CHLTYPE"] in SENDING and definition.attributes["XMITQ"] == xmitq
        for channel in channels_of(qmgr, definition)
    ]


def partner_of(channel: Channel) -> str:
    """The queue manager a channel talks to or would call: the first within reach, else the first; "" for none."""
    if channel.partner or not channel.attributes.get("CONNAME"):
        return channel.partner
    found, lab = partners(channel), channel.qmgr.lab
    up = [name for name in found if lab[name].running and getattr(path_to(channel, name), "up", False)]
    return next(iter(up or found), "")


def path_to(channel: Channel, partner: str):
    """The path between a channel and a queue manager, None if there is none."""
    return channel.qmgr.lab.network.path(channel.qmgr.name, partner)
