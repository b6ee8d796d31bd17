"""Checks of calls: a channel must call a port that has a listener, by the same transport, and more than once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine.programs.channels.channel import SENDING
from ...lab.queue_manager import QueueManager
from ..findings import NOTE, WARNING, Found, check
from ..proofs import Proof
from .admission import ends
from .channels import USUAL, unanswered
from .objects import alter, each

if TYPE_CHECKING:
    from ..definitions import Definitions


def _ports(conname: str) -> list[int]:
    """The port of each address of a CONNAME."""
    addresses = [each.strip() for each in conname.split(",") if each.strip()]
    return [int(found[1]) if (found := re.search(r"\(\s*(\d+)\s*\)$", each)) else USUAL for each in addresses]


def _listening(estate: Definitions, qmgr: QueueManager, transport: str = "TCP") -> list[int]:
    """The ports of the listeners for a transport that the scripts of a queue manager define."""
    every = qmgr.objects.match(("LISTENER",)) if qmgr.platform == "distributed" else ()  # others start theirs otherwise
    own = (listener for listener in every if not listener.name.startswith("SYSTEM.DEFAULT."))
    same = (listener for listener in own if listener.attributes["TRPTYPE"] == transport)
    written = (listener for listener in same if estate.place(qmgr.name, "LISTENER", listener.name).file)
    return sorted({listener.attributes.get("PORT") or USUAL for listener in written})


@check("port-without-listener", WARNING, "A channel calls a port without a listener", "GAT-01")
def without_listener(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel, there, _ in ends(estate):
        ports, listening = _ports(channel.attributes["CONNAME"]), _listening(estate, there)
        if not listening or channel.attributes.get("TRPTYPE") != "TCP" or estate.refused(there, "LISTENER"):
            continue
        if {*ports} & {*listening, 0 if estate.whole(there) else USUAL}:  # crtmqm -p makes a listener without a script
            continue
        sentence = f"channel {channel.name} calls port {ports[0]} of {there.name}, whose listeners have port "
        sentence += f"{', '.join(map(str, listening))}: nothing answers, unless the network forwards the port"
        host = re.sub(r"\(\s*\d+\s*\)$", "", channel.attributes["CONNAME"])
        fix = alter(channel, f"CONNAME('{host}({listening[0]})')") if len(ports) == len(listening) == 1 else ""
        call = f"lab[{there.name!r}].connect('CLIENT', channel='SYSTEM.DEF.SVRCONN', port={ports[0]})"
        proof = Proof(call, "2538 MQRC_HOST_NOT_AVAILABLE") if ports[0] != USUAL else None
        yield Found(qmgr.name, channel.kind, channel.name, sentence, fix, proof, "CONNAME")


@check("transport-differs", NOTE, "The ends of a channel have different transports", "IBM MQ: Transport type (TRPTYPE)")
def transport_differs(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel, there, other in ends(estate):
        mine, theirs = (end.attributes.get("TRPTYPE", "") for end in (channel, other))
        if not mine or not theirs or mine == theirs or _listening(estate, there, mine):
            continue
        sentence = f"channel {channel.name} calls {there.name} by TRPTYPE({mine}), and has TRPTYPE({theirs}) there: "
        sentence += f"{there.name} needs a listener for {mine}"
        fix, fixed = (alter(other, "TRPTYPE(TCP)"), there.name) if mine == "TCP" else ("", "")
        yield Found(qmgr.name, channel.kind, channel.name, sentence, fix, None, "TRPTYPE", fixed)


@check("channel-never-retried", WARNING, "A channel that fails once stays down", "CHL-09")
def never_retried(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel in each(estate, "CHANNEL"):
        has = channel.attributes
        if has["CHLTYPE"] not in (*SENDING, "CLUSRCVR") or not has["CONNAME"] or has["SHORTRTY"] or has["LONGRTY"]:
            continue
        sentence = f"channel {channel.name} has SHORTRTY(0) and LONGRTY(0)"
        sentence += ", also for the senders of other members" if has["CHLTYPE"] == "CLUSRCVR" else ""
        sentence += ": after a failure it is STOPPED until an operator starts it"
        fix = alter(channel, "SHORTRTY(10) LONGRTY(999999999)")
        queue = qmgr.objects.get("QLOCAL", has.get("XMITQ", ""))
        sends = queue is not None and queue.attributes["USAGE"] == "XMITQ" and queue.attributes["GET"] == "ENABLED"
        proof = unanswered(qmgr, channel) if sends and qmgr.channel_initiator is not None else None
        yield Found(qmgr.name, "CHANNEL", channel.name, sentence, fix, proof, "SHORTRTY")
