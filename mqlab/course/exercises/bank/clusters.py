"""Exercises about clusters: why an order goes where it goes, and the definition that changes it.

The cluster BAKERY has two full repositories, HUB1 and HUB2, and two other members, DEPOT and SHOP.
"""

from __future__ import annotations

from collections.abc import Callable

from ....engine.words.headers import MQDLH
from ....lab.lab import Lab
from ....views.text import plural
from ..exercise import posed, retold
from .log_queries import Rows, bodies, depth, done, refused, rows
from .shops import DEAD, let_pass, reach

MEMBERS = ("HUB1", "HUB2", "DEPOT", "SHOP")
HOSTS = MEMBERS[:3]


def sender(name: str, type: str = "CLUSSDR") -> str:
    """A CLUSSDR to a member, or its CLUSRCVR."""
    return f"DEFINE CHANNEL(TO.{name}) CHLTYPE({type}) CONNAME('{name.lower()}.example(1414)') CLUSTER(BAKERY)\n"


_LEADS_TO = {"HUB1": "HUB2", "HUB2": "HUB1", "DEPOT": "HUB1", "SHOP": "HUB2"}


def bakery(senders: dict[str, str] | None = None, **commands: str) -> Callable[[Lab], None]:
    """Return a setup of the cluster: more commands of members, and the members to which other CLUSSDR channels lead, ""
    for none."""

    def set_up(lab: Lab) -> None:
        for number, name in enumerate(MEMBERS):
            lab.queue_manager(name)
            lab.address(f"{name.lower()}.example(1414)", name)
            for other in MEMBERS[:number]:
                lab.link(other, name, latency=0.02)
        for name, leads_to in (_LEADS_TO | (senders or {})).items():
            qmgr = lab[name]
            qmgr.mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").require()
            if name in ("HUB1", "HUB2"):
                qmgr.mqsc("ALTER QMGR REPOS(BAKERY)").require()
            qmgr.mqsc(
                sender(name, "CLUSRCVR") + (sender(leads_to) if leads_to else "") + commands.get(name, "")
            ).require()

    return set_up


def put_each(lab: Lab, member: str, queue: str, *texts: str) -> None:
    """A program of a member puts messages, each with MQPUT1; a put that fails is only an event in the log."""
    app = lab[member].connect("TILL")
    for text in texts:
        reach(app, queue, text.encode())
    app.disconnect()


def numbered(word: str, count: int) -> list[str]:
    """The texts of so many messages."""
    return [f"{word} {number}" for number in range(1, count + 1)]


def shares(lab: Lab) -> list[int]:
    """How many orders each host has on ORDERS."""
    return [bodies(host, "ORDERS").count(lab) for host in HOSTS]


def told(counts: list[int]) -> str:
    """Those numbers in words."""
    return ", ".join(f"{host} got {count}" for host, count in zip(HOSTS, counts, strict=True))


ORDERS = 12


def _day(lab: Lab, again: bool = False) -> None:
    """TILL opens ORDERS once, or with `again` for each order, and puts an order each minute."""
    let_pass(lab, 60)
    app = lab["SHOP"].connect("TILL")
    if again:
        put_each(lab, "SHOP", "ORDERS", *numbered("order", ORDERS))
    else:
        with app.open("ORDERS", output=True) as handle:
            for text in numbered("order", ORDERS):
                handle.put(text.encode())
                let_pass(lab, 60)
    app.disconnect()
    let_pass(lab, 60)


def _other_day(lab: Lab, without: str = "", again: bool = False) -> list[int]:
    """The shares of the hosts on a day on which one of them has no ORDERS, or TILL opens ORDERS for each order."""
    other = retold(lab)
    if without and "ORDERS" in other[without].targets:
        other[without].mqsc("DELETE QLOCAL(ORDERS)").require()
    _day(other, again)
    return shares(other)


def _any_two(lab: Lab) -> str:
    """The first host without which the orders are not shared by the other two, in words."""
    for host in HOSTS:
        counts = _other_day(lab, without=host)
        if sum(count >= ORDERS // 3 for count in counts) < 2:
            return f"without {host}, {told(counts)}"
    return ""


def _even(lab: Lab) -> str:
    """The shares, in words, if they are not about equal."""
    counts = shares(lab)
    return "" if min(counts) >= ORDERS // len(HOSTS) - 1 and sum(counts) == ORDERS else told(counts)


k01 = posed("K01", bakery(None, **dict.fromkeys(HOSTS, "DEFINE QLOCAL(ORDERS) CLUSTER(BAKERY)")), _day)
k01.predict("most", lambda lab: max(shares(lab)), rows(kind="put", program="TILL").first)
k01.predict("again", lambda lab: max(_other_day(lab, again=True)))
k01.check(_even)
k01.check(_any_two)


def _parcels(lab: Lab) -> None:
    """SHOP puts three parcels to PARCELS."""
    let_pass(lab, 60)
    put_each(lab, "SHOP", "PARCELS", *numbered("parcel of SHOP", 3))
    let_pass(lab, 300)


def _of(member: str, queue: str = "PARCELS", host: str = "DEPOT") -> Rows:
    """The messages of a member that have arrived."""
    return bodies(host, queue).where(lambda body: body.split()[2] == member.encode())


def _full(lab: Lab) -> list[str]:
    """The full repositories that have answered members."""
    found = (row for member in MEMBERS for row in lab[member].mqsc("DISPLAY CLUSQMGR(*) QMTYPE").rows)
    names = {row["CLUSQMGR"] for row in found if row["QMTYPE"] == "REPOS"}
    return sorted(name for name in names if not name.startswith("SYSTEM.TEMP"))


def _refused(lab: Lab) -> str:
    """The reason codes of failed puts, in words."""
    reasons = sorted({str(row.reason) for row in refused("TILL")(lab)})
    return f"puts fail with {' and '.join(reasons)}" if reasons else "they wait"


k02 = posed("K02", bakery({"DEPOT": "SHOP"}, DEPOT="DEFINE QLOCAL(PARCELS) CLUSTER(BAKERY)"), _parcels)
k02.predict("reason", refused("TILL").value("reason"), refused("TILL").first)
k02.predict("members", lambda lab: len(lab["HUB1"].mqsc("DISPLAY CLUSQMGR(*)").rows))
k02.check(_of("SHOP").count, 3, _refused)
k02.check(_full, ["HUB1", "HUB2"])


def _unreachable(lab: Lab) -> None:
    """CONNAME of the CLUSRCVR of DEPOT has a typing error, and three members have put parcels for it."""
    bakery(
        DEPOT="DEFINE QLOCAL(PARCELS) CLUSTER(BAKERY)\n"
        "ALTER CHANNEL(TO.DEPOT) CHLTYPE(CLUSRCVR) CONNAME('depo.example(1414)')"
    )(lab)
    let_pass(lab, 60)
    for member in ("HUB1", "HUB2", "SHOP"):
        put_each(lab, member, "PARCELS", *numbered(f"parcel of {member}", 3))
    let_pass(lab, 600)


def _called(lab: Lab) -> str:
    """The state of the channel from each other member to DEPOT, in words."""
    found = [(each, lab[each].channels.get(("TO.DEPOT", ""))) for each in MEMBERS if each != "DEPOT"]
    return ", ".join(f"{each} {'has none' if channel is None else channel.state}" for each, channel in found)


def _another_sender(lab: Lab) -> None:
    """SHOP gets a CLUSSDR to DEPOT, and half an hour passes."""
    lab["SHOP"].mqsc(sender("DEPOT"))
    let_pass(lab, 1800)


k03 = posed("K03", _unreachable)
k03.predict(
    "retrying",
    lambda lab: sum("RETRYING" in each for each in _called(lab).split(", ")),
    rows(kind="channel", object="TO.DEPOT").first,
)
k03.suppose("sender", _another_sender, lambda lab: _of("HUB1").count(lab) + _of("HUB2").count(lab))
k03.check(_of("SHOP").count, 3, _called)
k03.check(_of("HUB1").count, 3, _called)
k03.check(_of("HUB2").count, 3, _called)


def _prices(lab: Lab) -> None:
    """DEPOT, SHOP, and HUB1 ask for PRICES, which is at HUB2, and HUB2 for PARCELS, which is at DEPOT."""
    let_pass(lab, 60)
    for member in ("DEPOT", "SHOP", "HUB1"):
        put_each(lab, member, "PRICES", *numbered(f"price for {member}", 1))
    put_each(lab, "HUB2", "PARCELS", *numbered("parcel of HUB2", 1))
    let_pass(lab, 60)


def _priced(member: str) -> Callable[[Lab], int]:
    return _of(member, "PRICES", "HUB2").count


def _at(member: str) -> Callable[[Lab], object]:
    """The reason code of a member's failed put, 0 if there was none."""
    return lambda lab: next((row.reason for row in refused("TILL")(lab) if row.qmgr == member), 0)


def _failing(lab: Lab) -> int:
    """How many of the four members see a put that fails."""
    return len({row.qmgr for row in refused("TILL")(lab)})


k04 = posed(
    "K04",
    bakery({"HUB2": ""}, HUB2="DEFINE QLOCAL(PRICES) CLUSTER(BAKERY)", DEPOT="DEFINE QLOCAL(PARCELS) CLUSTER(BAKERY)"),
    _prices,
)
k04.predict("failing", _failing, refused("TILL").first)
k04.suppose("depot", lambda lab: lab["DEPOT"].mqsc(sender("HUB2")), _failing)
k04.check(_priced("DEPOT"), 1, _at("DEPOT"))
k04.check(_priced("HUB1"), 1, _at("HUB1"))
k04.check(_priced("SHOP"), 1, _at("SHOP"))
k04.check(_of("HUB2").count, 1, _at("HUB2"))


def _outage(lab: Lab) -> None:
    """Three orders; then six while the link to DEPOT is cut for an hour; and then three more."""
    let_pass(lab, 60)
    for word, count, before, after, seconds in (
        ("early order", 3, lambda: None, lambda: None, 300),
        ("later order", 6, lambda: lab.cut("SHOP", "DEPOT"), lambda: lab.restore("SHOP", "DEPOT"), 3600),
        ("last order", 3, lambda: None, lambda: None, 300),
    ):
        before()
        put_each(lab, "SHOP", "ORDERS", *numbered(word, count))
        let_pass(lab, seconds)
        after()
        let_pass(lab, 1500)


def _phase(word: str, host: str = "DEPOT") -> Rows:
    """The orders of one time of the day that are at a host."""
    return bodies(host, "ORDERS").where(lambda body: body.startswith(word.encode()))


def _longest_min(lab: Lab) -> int:
    """The minutes that the slowest order took from its put to its arrival."""
    put = {row.message: row.time_us for row in done("put", qmgr="SHOP", program="TILL")(lab)}
    came = [row for host in HOSTS for row in done("put", "ORDERS", qmgr=host)(lab) if row.message in put]
    return max((row.time_us - put[row.message] for row in came), default=0) // 60_000_000


def _elsewhere(lab: Lab) -> int:
    """The later orders that are at the hubs."""
    return _phase("later", "HUB1").count(lab) + _phase("later", "HUB2").count(lab)


_orders = "DEFINE QLOCAL(ORDERS) CLUSTER(BAKERY) DEFBIND(NOTFIXED)"
k05 = posed("K05", bakery(HUB1=_orders, HUB2=_orders, DEPOT=f"{_orders} CLWLRANK(9)"), _outage)
k05.predict("minutes", _longest_min, rows(kind="put", program="TILL").last)
k05.suppose("none", lambda lab: lab["DEPOT"].mqsc("ALTER QLOCAL(ORDERS) CLWLRANK(0)"), _phase("early").count)
k05.check(_phase("early").count, 3)
k05.check((_elsewhere, _longest_min), lambda count, minutes: count == 6 and minutes < 5)
k05.check(_phase("last").count, 3)


def _audit(lab: Lab) -> None:
    """SHOP opens AUDIT once and puts three notes; HUB2 puts one with MQPUT1."""
    let_pass(lab, 60)
    app = lab["SHOP"].connect("TILL")
    with app.open("AUDIT", output=True) as handle:
        for text in numbered("note", 3):
            handle.put(text.encode(), persistent=True)
            let_pass(lab, 10)
    put_each(lab, "HUB2", "AUDIT", "note 4")
    let_pass(lab, 300)


def _notes(lab: Lab) -> int:
    """The notes that are on AUDIT.LOG, at any member."""
    return sum(bodies(member, "AUDIT.LOG").count(lab) for member in MEMBERS)


def _dead(lab: Lab) -> str:
    """The messages on dead-letter queues, in words; "" for none."""
    counts = {member: bodies(member, DEAD).count(lab) for member in MEMBERS}
    return ", ".join(f"{plural(count, 'note')} on that of {member}" for member, count in counts.items() if count)


k06 = posed(
    "K06",
    bakery(
        HUB1="DEFINE QLOCAL(AUDIT.LOG) CLUSTER(BAKERY)", DEPOT="DEFINE QALIAS(AUDIT) TARGET(AUDIT.LOG) CLUSTER(BAKERY)"
    ),
    _audit,
)
k06.predict(
    "reason",
    lambda lab: MQDLH.unpack(bodies("DEPOT", DEAD).first(lab)).reason,
    rows(kind="put", qmgr="DEPOT", object=DEAD).first,
)
k06.suppose(
    "log", lambda lab: lab["HUB1"].mqsc("ALTER QLOCAL(AUDIT.LOG) DEFBIND(NOTFIXED)"), depth("HUB1", "AUDIT.LOG")
)
k06.check(_notes, 4)
k06.check(_dead)
