"""Demonstrations about clusters: which queue manager gets the next order, and why."""

from __future__ import annotations

from typing import Any

from .telling import Tell, story

_HOSTS = ("HUB", "DEPOT")
_XMITQ = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"


@story
def all_to_one(lab: Any, shot: Tell) -> None:
    shop = _bakery(lab)
    shot("A cluster of three")
    begun = lab.now_us
    handle = shop.open("ORDERS", output=True)
    shot("The full repository is asked", waited_ms=(lab.now_us - begun) // 1000)
    _round(lab, handle.put)
    handle.close()
    shot("One host gets all", arrived=_arrived(lab))
    _round(lab, lambda order: shop.put("ORDERS", order))
    shot("The test that proves nothing", arrived=_arrived(lab))
    for host in _HOSTS:
        lab[host].mqsc("ALTER QLOCAL(ORDERS) DEFBIND(NOTFIXED)").require()
    lab.advance(60)
    with shop.open("ORDERS", output=True) as handle:
        _round(lab, handle.put)
    shot("Not fixed", arrived=_arrived(lab))
    with lab["DEPOT"].open("ORDERS", output=True) as handle:
        _round(lab, handle.put)
    shot("One host again", arrived=_arrived(lab))
    lab["DEPOT"].mqsc("ALTER QLOCAL(ORDERS) CLWLUSEQ(ANY)").require()
    with lab["DEPOT"].open("ORDERS", output=True) as handle:
        _round(lab, handle.put)
    shot("Shared", arrived=_arrived(lab))


@story
def a_host_fails(lab: Any, shot: Tell) -> None:
    shop, depot = _bakery(lab, "DEFBIND(NOTFIXED)"), lab["DEPOT"]
    depot.mqsc("ALTER QLOCAL(ORDERS) CLWLPRTY(9)").require()
    free, bound = shop.open("ORDERS", output=True), shop.open("ORDERS@DEPOT", output=True)
    free.put("an early order")
    lab.advance(60)
    shot("DEPOT is preferred", arrived=_arrived(lab))
    for number in (1, 2):
        free.put(f"free order {number}")
        bound.put(f"bound order {number}")
    lab.cut("SHOP", "DEPOT")
    shot("All four wait", waiting=len(_waiting(shop)))
    lab.advance(60)
    shot("Two move, and two wait", arrived=_arrived(lab), waiting=len(_waiting(shop)))
    lab.restore("SHOP", "DEPOT")
    lab.advance(120)
    free.put("the last order")
    lab.advance(10)
    shot("Back to DEPOT", arrived=_arrived(lab))
    depot.mqsc("ALTER QLOCAL(ORDERS) CLWLPRTY(0) CLWLRANK(9)").require()
    lab.advance(60)
    lab.cut("SHOP", "DEPOT")
    for number in (1, 2):
        free.put(f"ranked order {number}")
    lab.advance(60)
    shot("Rank waits", arrived=_arrived(lab), waiting=len(_waiting(shop)))


def _bakery(lab: Any, attributes: str = "") -> Any:
    """A cluster of three; the queue manager that puts."""
    members = [lab.queue_manager(name) for name in (*_HOSTS, "SHOP")]
    for number, member in enumerate(members):
        lab.address(f"{member.name.lower()}.example(1414)", member.name)
        for other in members[:number]:
            lab.link(other.name, member.name, latency=0.02)
    members[0].mqsc("ALTER QMGR REPOS(BAKERY)").require()
    for member in members:
        channels = {member.name: "CLUSRCVR"} | ({} if member.name == "HUB" else {"HUB": "CLUSSDR"})
        for name, kind in channels.items():
            address = f"CONNAME('{name.lower()}.example(1414)')"
            member.mqsc(f"DEFINE CHANNEL(TO.{name}) CHLTYPE({kind}) {address} CLUSTER(BAKERY)").require()
        if member.name in _HOSTS:
            member.mqsc(f"DEFINE QLOCAL(ORDERS) CLUSTER(BAKERY) {attributes}").require()
    lab.advance(60)
    return members[-1]


def _round(lab: Any, put: Any) -> None:
    """Put four orders, and let them arrive."""
    for number in range(4):
        put(f"order {number + 1}")
    lab.advance(60)


def _waiting(qmgr: Any) -> list[Any]:
    """The messages that wait for the channel to DEPOT."""
    return list(qmgr.targets[_XMITQ].store.matching(None, b"TO.DEPOT".ljust(24)))


def _arrived(lab: Any) -> str:
    """The number of orders that arrived at each host since the last shot, in words."""
    begun = lab.shots[-1].time_us
    counts = {host: len(_arrivals(lab, host, begun)) for host in _HOSTS}
    return f"{counts['HUB']} arrived at HUB, and {counts['DEPOT']} at DEPOT"


def _arrivals(lab: Any, host: str, begun: int) -> list[Any]:
    """The orders that were put on ORDERS of a host from a time on."""
    return [row for row in lab.events.where(kind="put", qmgr=host, object="ORDERS") if row.time_us >= begun]
