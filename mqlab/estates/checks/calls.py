"""Checks of calls: a channel must call a port that has a listener, by the same transport, and more than once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine.programs.channels.channel import SENDING
from ...engine.words.objects import Definition
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


def _listening(estate: Definitions, qmgr: QueueManager) -> dict[int, Definition]:
    """The ports of the TCP listeners that the scripts of a queue manager define, each with a listener."""
    every = (one for one in qmgr.objects.match(("LISTENER",)) if one.attributes["TRPTYPE"] == "TCP")
    own = (one for one in every if one.name != "SYSTEM.DEFAULT.LISTENER.TCP")
    return {one.attributes["PORT"] or USUAL: one for one in own if estate.place(qmgr.name, "LISTENER", one.name).file}


@check("port-without-listener", WARNING, "A channel calls a port without a listener", "GAT-01")
def without_listener(estate: Definitions) -> Iterator[Found]:
    for end in ends(estate):
        qmgr, one, there = end[:3]
        ports, listening = _ports(one.attributes["CONNAME"]), _listening(estate, there)
        usual = {USUAL} - ({USUAL} if estate.whole(there) else set())  # crtmqm -p makes a listener that no script has
        unknown = one.attributes.get("TRPTYPE") != "TCP" or estate.refused(there, "LISTENER")
        if not listening or unknown or {*ports} & ({*listening} | usual):
            continue
        have = ", ".join(map(str, sorted(listening)))
        said = f"channel {one.name} calls port {ports[0]} of {there.name}, whose listeners have port {have}: nothing "
        said += "answers, unless the network forwards the port"
        (first, *rest), conname = sorted(listening), one.attributes["CONNAME"]
        given = re.sub(r"\(\s*\d+\s*\)$", "", conname)
        fix = alter(one, f"CONNAME('{given}({first})')") if len(ports) == 1 and not rest else ""
        call = f"lab[{there.name!r}].connect('CLIENT', channel='SYSTEM.DEF.SVRCONN', port={ports[0]})"
        proof = Proof(call, "2538 MQRC_HOST_NOT_AVAILABLE") if ports[0] != USUAL else None
        yield Found(qmgr.name, end.kind, one.name, said, fix, proof, "CONNAME")


@check("transport-differs", NOTE, "The ends of a channel have different transports", "IBM MQ: Transport type (TRPTYPE)")
def transport_differs(estate: Definitions) -> Iterator[Found]:
    for end in ends(estate):
        qmgr, one, there, other, _ = end
        mine, theirs = (each.attributes.get("TRPTYPE", "") for each in (one, other))
        if not mine or not theirs or mine == theirs:
            continue
        listening = [each for each in there.objects.match(("LISTENER",)) if each.attributes["TRPTYPE"] == mine]
        said = f"channel {one.name} calls {there.name} by TRPTYPE({mine}), and has TRPTYPE({theirs}) there: "
        said += f"{there.name} needs a listener for {mine}"
        has = any(estate.place(there.name, "LISTENER", each.name).file for each in listening)
        if not has:
            fix = alter(other, f"TRPTYPE({mine})") if mine == "TCP" else ""
            yield Found(qmgr.name, end.kind, one.name, said, fix, None, "TRPTYPE", there.name if fix else "")


@check("channel-never-retried", WARNING, "A channel that fails once stays down", "CHL-09")
def never_retried(estate: Definitions) -> Iterator[Found]:
    for qmgr, one in each(estate, "CHANNEL"):
        has = one.attributes
        if has["CHLTYPE"] not in (*SENDING, "CLUSRCVR") or not has["CONNAME"] or has["SHORTRTY"] or has["LONGRTY"]:
            continue
        whose = "the channels of other members to " if has["CHLTYPE"] == "CLUSRCVR" else "channel "
        said = f"{whose}{one.name} has SHORTRTY(0) and LONGRTY(0): after one failure it is STOPPED until an operator "
        said += "starts it"
        fix = alter(one, "SHORTRTY(10) LONGRTY(999999999)")
        queue = qmgr.objects.get("QLOCAL", has.get("XMITQ", ""))
        sends = queue is not None and queue.attributes["USAGE"] == "XMITQ" and queue.attributes["GET"] == "ENABLED"
        proof = unanswered(qmgr, one) if sends and qmgr.channel_initiator is not None else None
        yield Found(qmgr.name, "CHANNEL", one.name, said, fix, proof, "SHORTRTY")
