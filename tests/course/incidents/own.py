"""Estates of one's own for game days: what administrators would hand in, as a script for each queue manager."""

import itertools

TRIGGER = " TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA({channel})"


def ends(here, there, trigger=TRIGGER, xmitq=None):
    """A transmission queue and a sender channel, and the receiver of the other direction."""
    xmitq, channel = xmitq or there, f"{here}.{there}"
    return (
        f"DEFINE QLOCAL({xmitq}) USAGE(XMITQ){trigger.format(channel=channel)}\n"
        f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) CONNAME('{there.lower()}.example.com(1414)') XMITQ({xmitq})\n"
        f"DEFINE CHANNEL({there}.{here}) CHLTYPE(RCVR)\n"
    )


def sends(here, there):
    """A remote definition for orders, and the queue for those of the other direction."""
    return (
        f"DEFINE QREMOTE(ORDERS.{there}) RNAME(IN.{here}) RQMNAME({there}) XMITQ({there})\n"
        f"DEFINE QLOCAL(IN.{there}) DEFPSIST(YES)\n"
    )


BASE = "DEFINE QLOCAL(DEAD)\nALTER QMGR DEADQ(DEAD)\n"


def _star(hub, spokes):
    found = {hub: BASE + "".join(ends(hub, spoke) + sends(hub, spoke) for spoke in spokes)}
    return found | {spoke: BASE + ends(spoke, hub) + sends(spoke, hub) for spoke in spokes}


def _mesh(*names, base=BASE, trigger=TRIGGER):
    return {
        here: base + "".join(ends(here, there, trigger) + sends(here, there) for there in names if there != here)
        for here in names
    }


def _chain(*names):
    """Orders from the first to the last, by all between; the transmission queue of the way has the last one's name."""
    last, found = names[-1], {}
    for here, there in itertools.pairwise(names):
        found[here] = BASE + ends(here, there, xmitq=last)
    found[last] = BASE + f"DEFINE CHANNEL({names[-2]}.{last}) CHLTYPE(RCVR)\nDEFINE QLOCAL(IN)\n"
    found[names[0]] += f"DEFINE QREMOTE(ORDERS) RNAME(IN) RQMNAME({last})\nDEFINE QALIAS(SALES) TARGET(ORDERS)\n"
    for before, here in itertools.pairwise(names):
        found[here] += f"DEFINE CHANNEL({before}.{here}) CHLTYPE(RCVR) REPLACE\n"
    return found


ESTATES = {
    "pair": _mesh("SHOP", "DEPOT"),
    "by-hand": _mesh("EAST", "WEST", base="", trigger=""),
    "mainframe": _mesh("CSQ1", "CSQ2", base=f"{BASE}DEFINE STGCLASS(SLOW) PSID(03)\nALTER QMGR EXPRYINT(300)\n"),
    "mesh": _mesh("PARIS", "ROME", "VIENNA"),
    "chain": _chain("FARM", "MILL", "BAKERY", "STORE"),
    "star": _star("HQ", [f"BRANCH{number}" for number in range(1, 8)]),
}
"""Of two to eight queue managers, by name; `mainframe` has words that only z/OS has."""
