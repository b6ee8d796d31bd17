"""Checks of calls: a channel must call a port that has a listener, by the same transport, and more than once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine.programs.channels.channel import SENDING
from ...engine.queues.queue_manager import port_of
from ...gates.network import DEFAULT_PORT, port_in
from ...lab.queue_manager import QueueManager
from ..clustered import addresses
from ..findings import NOTE, WARNING, Found, check, fault
from ..proofs import Proof
from .admission import ends
from .channels import listeners_of, unanswered
from .objects import alter, each

if TYPE_CHECKING:
    from ..definitions import Definitions


def _listening(estate: Definitions, qmgr: QueueManager, transport: str = "TCP") -> list[int]:
    """The ports of the listeners for a transport that the scripts of a queue manager define."""
    every = listeners_of(estate, qmgr, transport) if qmgr.platform == "distributed" else ()  # others: by commands
    return sorted({port_of(listener) or DEFAULT_PORT for listener in every})


@check("port-without-listener", WARNING, "A channel calls a port without a listener", "GAT-01")
def without_listener(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel, there, _ in ends(estate):
        called, listening = map(port_in, addresses(channel.attributes["CONNAME"])), _listening(estate, there)
        ports = [DEFAULT_PORT if port is None else port for port in called]
        if not listening or channel.attributes.get("TRPTYPE") != "TCP" or estate.refused(there, "LISTENER"):
            continue
        unsaid = 0 if estate.whole(there) else DEFAULT_PORT  # crtmqm -p makes a listener without a script
        if {*ports} & {*listening, unsaid}:
            continue
        sentence = f"channel {channel.name} calls port {ports[0]} of {there.name}, whose listeners have port "
        sentence += f"{', '.join(map(str, listening))}: nothing answers, unless the network forwards the port"
        host = re.sub(r"\(\s*\d+\s*\)$", "", channel.attributes["CONNAME"])
        fix = alter(channel, f"CONNAME('{host}({listening[0]})')") if len(ports) == len(listening) == 1 else ""
        call = f"lab[{there.name!r}].connect('CLIENT', channel='SYSTEM.DEF.SVRCONN', port={ports[0]})"
        proof = Proof(call, "2538 MQRC_HOST_NOT_AVAILABLE") if ports[0] != DEFAULT_PORT else None
        yield fault(qmgr, channel, sentence, fix, proof, "CONNAME")


@check("transport-differs", NOTE, "The ends of a channel have different transports", "IBM MQ: Transport type (TRPTYPE)")
def transport_differs(estate: Definitions) -> Iterator[Found]:
    for qmgr, channel, there, other in ends(estate):
        mine, theirs = (end.attributes.get("TRPTYPE", "") for end in (channel, other))
        if not mine or not theirs or mine == theirs or _listening(estate, there, mine):
            continue
        sentence = f"channel {channel.name} calls {there.name} by TRPTYPE({mine}), and has TRPTYPE({theirs}) there: "
        sentence += f"{there.name} needs a listener for {mine}"
        fix, fixed = (alter(other, "TRPTYPE(TCP)"), there.name) if mine == "TCP" else ("", "")
        yield fault(qmgr, channel, sentence, fix, None, "TRPTYPE", fixed)


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
        yield fault(qmgr, channel, sentence, fix, proof, "SHORTRTY")
