"""Checks of listeners."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from ...engine.words.lexer import quoted
from ...engine.words.objects import Definition
from ...lab.queue_manager import QueueManager
from ..findings import NOTE, WARNING, Found, check
from ..proofs import Proof

if TYPE_CHECKING:
    from ..definitions import Definitions

_CALLED = ("RCVR", "SVRCONN", "CLUSRCVR", "RQSTR", "SVR")
"""The types of channels that others call by a listener, those that nothing but a call starts first."""
_USUAL = 1414
"""The port of a listener with PORT(0)."""


def _listeners(estate: Definitions) -> Iterator[tuple[QueueManager, list[Definition]]]:
    """The TCP listeners that the dump of a queue manager defines, but for the default one."""
    for qmgr in estate.queue_managers:
        found = [one for one in qmgr.objects.match(("LISTENER",)) if one.attributes["TRPTYPE"] == "TCP"]
        own = [one for one in found if not one.name.startswith("SYSTEM.DEFAULT.")]
        written = [one for one in own if estate.place(qmgr.name, "LISTENER", one.name).file]
        if written and estate.whole(qmgr):
            yield qmgr, written


def _alter(one: Definition, change: str) -> str:
    return f"ALTER LISTENER({quoted(one.name)}) TRPTYPE(TCP) {change}"


@check("listener-not-started", NOTE, "No listener starts with its queue manager", "IBM MQ: DEFINE LISTENER")
def not_started(estate: Definitions) -> Iterator[Found]:
    for qmgr, listeners in _listeners(estate):
        called = [one for one in estate.own(qmgr, "CHANNEL") if one.attributes["CHLTYPE"] in _CALLED]
        called.sort(key=lambda one: _CALLED.index(one.attributes["CHLTYPE"]))
        manual = all(
            one.attributes["CONTROL"] == "MANUAL" and (qmgr.name, one.name) not in estate.started for one in listeners
        )
        if not manual or not called or estate.refused(qmgr, "LISTENER"):
            continue
        one = listeners[0]
        said = f"listener {one.name} has CONTROL(MANUAL), and no other listener starts with the queue manager: "
        said += f"channel {called[0].name} cannot be called until an operator starts one"
        asked = f"DISPLAY LSSTATUS({quoted(one.name)})"
        at = f"lab[{qmgr.name!r}]"
        proof = Proof(f"{at}.stop()\n{at}.start()\n{at}.mqsc({asked!r}).replies[0].code", "AMQ8147E")
        yield Found(qmgr.name, "LISTENER", one.name, said, _alter(one, "CONTROL(QMGR)"), proof, "CONTROL")


@check("listeners-on-one-port", WARNING, "Two listeners have one port", "IBM MQ: DEFINE LISTENER")
def one_port(estate: Definitions) -> Iterator[Found]:
    for qmgr, listeners in _listeners(estate):
        starting = [one for one in listeners if one.attributes["CONTROL"] != "MANUAL"]
        for first, second in combinations(starting, 2):
            ports = [one.attributes["PORT"] or _USUAL for one in (first, second)]
            addresses = {one.attributes["IPADDR"] for one in (first, second)}
            if ports[0] == ports[1] and (len(addresses) == 1 or "" in addresses):
                said = f"listeners {first.name} and {second.name} both start with the queue manager and have port "
                said += f"{ports[0]}: only one of them gets it"
                fix = _alter(second, "CONTROL(MANUAL)")
                yield Found(qmgr.name, "LISTENER", second.name, said, fix, None, "PORT", about=first.name)
