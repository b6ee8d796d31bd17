"""Demonstrations about clusters: which queue manager gets the next order, and why."""

from __future__ import annotations

from typing import Any

from .telling import state_of, story

_HOSTS = ("HUB", "DEPOT")
_XMITQ = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"


@story(
    "All messages go to one instance",
    """Queue ORDERS of cluster BAKERY has an instance at HUB and an instance at DEPOT. SHOP opens ORDERS in the
    morning, and puts four orders over this handle.""",
    "Why does one host get all four orders, and what lets both hosts share them?",
    """DEFBIND(OPEN), the default, chooses once for a handle; DEFBIND(NOTFIXED) chooses at each put.
    MQPUT1 chooses at each call, so a test with single puts proves nothing.
    An instance where the program runs gets everything while CLWLUSEQ is LOCAL.""",
    "CLU-05 CLU-13 CLU-14 CLU-52",
)
def all_to_one(lab: Any) -> None:
    shop = _bakery(lab)
    lab.shot("""A cluster of three
        HUB is the full repository: it knows every member and every cluster queue. ORDERS is at HUB and at
        DEPOT. SHOP has two definitions, a CLUSRCVR and a CLUSSDR, and none with the name ORDERS. Can it put to
        ORDERS?""")
    begun = lab.now_us
    handle = shop.open("ORDERS", output=True)
    lab.shot(f"""The full repository is asked
        Yes. The open waited {(lab.now_us - begun) // 1000} ms for an answer: SHOP asked HUB for ORDERS, and
        learned of two instances. From now on it hears of each change. SHOP puts four orders over this handle.
        Which host gets them?""")
    _round(lab, handle.put)
    handle.close()
    lab.shot(f"""One host gets all
        {_arrived(lab)}. DEFBIND is OPEN, the default, so the choice was made once, at the open, and the other
        host is idle. An administrator tests ORDERS with single puts. Each of them is an MQPUT1. What does the
        test show?""")
    _round(lab, lambda order: shop.put("ORDERS", order))
    lab.shot(f"""The test that proves nothing
        {_arrived(lab)}. MQPUT1 opens the queue for one message, so the choice was made four times. The orders
        of the test are shared, and those of the program are not. Both hosts get DEFBIND(NOTFIXED), and the
        program opens ORDERS again.""")
    for host in _HOSTS:
        lab[host].mqsc("ALTER QLOCAL(ORDERS) DEFBIND(NOTFIXED)").require()
    lab.advance(60)
    with shop.open("ORDERS", output=True) as handle:
        _round(lab, handle.put)
    lab.shot(f"""Not fixed
        {_arrived(lab)}. SHOP heard of the new DEFBIND without asking again. Now the program moves to DEPOT,
        where an instance is. Which host gets its four orders?""")
    with lab["DEPOT"].open("ORDERS", output=True) as handle:
        _round(lab, handle.put)
    lab.shot(f"""One host again
        {_arrived(lab)}. The cause is another one: with CLWLUSEQ(LOCAL), an instance where the program is gets
        everything. ORDERS at DEPOT gets CLWLUSEQ(ANY).""")
    lab["DEPOT"].mqsc("ALTER QLOCAL(ORDERS) CLWLUSEQ(ANY)").require()
    with lab["DEPOT"].open("ORDERS", output=True) as handle:
        _round(lab, handle.put)
    lab.shot(f"""Shared
        {_arrived(lab)}. One symptom has two causes. Ask when the choice was made, and where the program was.""")


@story(
    "A host fails: which messages move?",
    """DEPOT is the preferred host of ORDERS in cluster BAKERY, and HUB is its spare. The link between SHOP and
    DEPOT is cut while orders wait for the channel.""",
    "Which of the waiting orders move to the spare host, and which wait for DEPOT?",
    """When the channel fails, messages that are not bound move. Bound messages wait.
    CLWLPRTY is compared after the state of the channel: messages fail over, and come back.
    CLWLRANK is compared before it: messages wait, although another host is free.""",
    "CLU-13 CLU-14 CLU-50 CLU-52",
)
def a_host_fails(lab: Any) -> None:
    shop, depot = _bakery(lab, "DEFBIND(NOTFIXED)"), lab["DEPOT"]
    depot.mqsc("ALTER QLOCAL(ORDERS) CLWLPRTY(9)").require()
    free, bound = shop.open("ORDERS", output=True), shop.open("ORDERS@DEPOT", output=True)
    free.put("an early order")
    lab.advance(60)
    lab.shot(f"""DEPOT is preferred
        {_arrived(lab)}: ORDERS at DEPOT has CLWLPRTY(9). SHOP has two programs. One opened ORDERS, which has
        DEFBIND(NOTFIXED). The other opened ORDERS@DEPOT, so its orders are bound to DEPOT. Each puts two
        orders, and at this moment the link to DEPOT is cut. Where are the four orders?""")
    for number in (1, 2):
        free.put(f"free order {number}")
        bound.put(f"bound order {number}")
    lab.cut("SHOP", "DEPOT")
    lab.shot(f"""All four wait
        {len(_waiting(shop))} orders are on the cluster transmission queue of SHOP with the CorrelId TO.DEPOT,
        the name of their channel. Now the channel fails. Which of the orders move?""")
    lab.advance(60)
    lab.shot(f"""Two move, and two wait
        {_arrived(lab)}, and the channel is {state_of(shop, "TO.DEPOT")}. SHOP chose again for the orders that
        were not bound. The state of the channel is compared before CLWLPRTY, so the priority of DEPOT does not
        count. {len(_waiting(shop))} orders wait for DEPOT. The link is restored. What comes back?""")
    lab.restore("SHOP", "DEPOT")
    lab.advance(120)
    free.put("the last order")
    lab.advance(10)
    lab.shot(f"""Back to DEPOT
        {_arrived(lab)}: the bound orders arrived, and so did the last order, because the channel is
        {state_of(shop, "TO.DEPOT")}. The orders that had moved stay at HUB. Someone reads that CLWLRANK is
        stronger, and sets it in place of the priority. The link is cut again, and two orders that are not bound
        are put.""")
    depot.mqsc("ALTER QLOCAL(ORDERS) CLWLPRTY(0) CLWLRANK(9)").require()
    lab.advance(60)
    lab.cut("SHOP", "DEPOT")
    for number in (1, 2):
        free.put(f"ranked order {number}")
    lab.advance(60)
    lab.shot(f"""Rank waits
        {_arrived(lab)}. {len(_waiting(shop))} orders wait at SHOP. Rank is compared before anyone asks for the
        state of the channel, and it leaves DEPOT as the only instance.""")


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
