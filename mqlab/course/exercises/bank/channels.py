"""Exercises about channels: their definitions, their batches, and the messages that they lose."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from ....lab.lab import Lab
from ..exercise import posed
from .log_queries import Rows, channel_states, depth, done, fired, refused, rows, state, texts
from .shops import (
    DEAD,
    TRIGGERED,
    at_depot,
    at_shop,
    delivered,
    depot_and_link,
    order,
    orders,
    reach,
    sends,
    shop_and_depot,
    shop_and_hq,
)

HOUR, MINUTE = 3_600_000_000, 60_000_000

_arrivals = done("put", "ORDERS", qmgr="DEPOT")
_taken_there = done("get", "ORDERS", qmgr="DEPOT")
_to_depot = state("SHOP", "TO.DEPOT")


def _in_time(lab: Lab) -> int:
    """The number of orders that were at DEPOT within a minute of COUNTER's put."""
    put = {row.message: row.time_us for row in rows(kind="put", program="COUNTER")(lab)}
    return sum(row.time_us - put[row.message] < MINUTE for row in _arrivals(lab))


def _two_load(lab: Lab) -> None:
    """Three orders on Friday at nine, and two more on Monday at nine, after the idle channel has ended."""
    lab.advance(1)
    order(lab, 1, 2, 3)
    lab.advance(72 * 3600)
    order(lab, 4, 5)
    lab.advance(60)


c01 = posed("C01", depot_and_link, _two_load)
# the two ends have different names
c01.predict("reason", refused("COUNTER").value("reason"), refused("COUNTER").first)
c01.predict(
    "monday", state("SHOP", "SHOP.DEPOT", until_us=72 * HOUR), channel_states("SHOP", "SHOP.DEPOT", "INACTIVE").last
)
c01.check(at_depot, orders(5), at_depot.count, at_shop.count, state("SHOP", "SHOP.DEPOT"))
c01.check(_in_time, 5)


def _retry_load(lab: Lab) -> None:
    """The link is down from ten until four in the afternoon; an order is put at half past ten."""
    lab.advance(1)
    order(lab, 1)
    lab.advance(3600)
    lab.cut("SHOP", "DEPOT")
    lab.advance(1800)
    order(lab, 2)
    lab.advance(5.5 * 3600)
    lab.restore("SHOP", "DEPOT")
    order(lab, 3)
    lab.advance(3600)


def _restored_us(lab: Lab) -> int:
    return rows(kind="fault", object_type="LINK").last(lab).time_us


def _tries(lab: Lab) -> int:
    """The number of times that the channel tried to reach DEPOT while the link was down."""
    return len([r for r in channel_states("SHOP", "TO.DEPOT", "BINDING")(lab) if HOUR < r.time_us <= _restored_us(lab)])


def _late(lab: Lab) -> int:
    """The most minutes for which order 2 waits for the next try, whenever the link is back; 60 if it never arrived."""
    tries = [row.time_us for row in channel_states("SHOP", "TO.DEPOT", "BINDING")(lab) if row.time_us > HOUR]
    pauses = [after - before for before, after in pairwise(tries) if before <= _restored_us(lab)]
    return round(max(pauses) / MINUTE) if _arrivals.count(lab) > 1 and pauses else 60


def _delay(minutes: int) -> str:
    when = "is not there an hour" if minutes == 60 else f"can be there as late as {minutes} minutes"
    return f"order 2 {when} after the link is back"


def _patience_s(lab: Lab) -> int:
    """The seconds for which the channel retries, with the attributes that it has."""
    found = lab["SHOP"].objects.get("CHANNEL", "TO.DEPOT")
    if found is None or found.attributes["CHLTYPE"] != "SDR":
        return 0
    about = found.attributes
    return about["SHORTRTY"] * about["SHORTTMR"] + about["LONGRTY"] * about["LONGTMR"]


c02 = posed("C02", shop_and_depot("SHORTRTY(10) SHORTTMR(60) LONGRTY(2) LONGTMR(1200)"), _retry_load)
# thorough, and expensive
c02.predict("state", _to_depot, channel_states("SHOP", "TO.DEPOT").last)
c02.predict("tries", _tries, channel_states("SHOP", "TO.DEPOT", "RETRYING").last)
c02.check(at_depot, orders(3), at_depot.count, _to_depot)
c02.belief("retries-go-on", lambda orders, number, state: state == "STOPPED")
c02.check(_late, lambda minutes: minutes <= 10, _delay)
c02.check(_tries, lambda tries: tries <= 60)
c02.check(
    _patience_s,
    lambda seconds: seconds >= 7 * 86_400,
    lambda seconds: f"the channel gives up {seconds / 3600:.1f} hours after the link went down",
)
c02.belief("retries-go-on", lambda seconds: seconds > 0)


def _idle_set_up(lab: Lab) -> None:
    """The shop runs EVENING at half past five, to save the cost of the link."""
    shop_and_depot("DISCINT(0)")(lab)
    lab["SHOP"].program("EVENING", lambda app, trigger: app.qmgr.mqsc("STOP CHANNEL(TO.DEPOT)"))


def _idle_load(lab: Lab) -> None:
    """Orders until five."""
    # At half past five EVENING runs. An order is put at seven, and one at eight the next morning.
    lab.advance(1)
    for number in range(1, 9):
        order(lab, number)
        lab.advance(3600)
    lab.advance(1800)
    if "EVENING" in lab["SHOP"].programs:  # removing the program is an answer too
        lab["SHOP"].run_program("EVENING", lab["SHOP"].programs["EVENING"], None)
    lab.advance(5400)
    order(lab, 9)
    lab.advance(13 * 3600)
    order(lab, 10)
    lab.advance(600)


def _busy_minutes(lab: Lab) -> int:
    """The minutes for which the channel held the link, from six in the evening until eight in the morning."""
    states = channel_states("SHOP", "TO.DEPOT")(lab)
    times = [min(max(row.time_us, 9 * HOUR), 23 * HOUR) for row in states] + [23 * HOUR]
    spans = zip(states, times, times[1:], strict=False)
    return round(sum(end - begin for row, begin, end in spans if row.facts["state"] == "RUNNING") / MINUTE)


c03 = posed("C03", _idle_set_up, _idle_load)
c03.predict("state", _to_depot, channel_states("SHOP", "TO.DEPOT").last)
c03.predict("arrived", at_depot.count, fired("DEPOT", fires=False).last)
c03.check((_arrivals.count, _in_time), (10, 10), _to_depot)
c03.belief("stopped-is-inactive", lambda arrived, in_time, state: state == "STOPPED")
# 780 minutes: from the order at seven to the one at eight
c03.check(_busy_minutes, lambda minutes: minutes <= 30)
c03.belief("inactive-is-final", lambda minutes: minutes == 780)


def _numbers_set_up(lab: Lab) -> None:
    """Three orders arrive. At DEPOT, the receiving end of the channel is reset. Two more orders are put."""
    shop_and_depot("SHORTRTY(1000) SHORTTMR(60)")(lab)
    lab.advance(1)
    order(lab, 1, 2, 3)
    lab.advance(60)
    lab["SHOP"].mqsc("STOP CHANNEL(TO.DEPOT)").require()
    lab.advance(60)
    lab["DEPOT"].mqsc("RESET CHANNEL(TO.DEPOT) SEQNUM(1)").require()
    lab["SHOP"].mqsc("START CHANNEL(TO.DEPOT)").require()
    order(lab, 4, 5)
    lab.advance(3600)


def _sequence(qmgr: str) -> Callable[[Lab], int]:
    """The sequence number of the last message that this end knows to be committed."""
    return lambda lab: max(
        (each.sequence for (name, _), each in lab[qmgr].channels.items() if name == "TO.DEPOT"), default=0
    )


c04 = posed("C04", _numbers_set_up)
# three have been committed, but SEQNUM is the number of the next message
c04.predict("shop", _sequence("SHOP"), channel_states("SHOP", "TO.DEPOT", "RETRYING").first)
c04.predict("depot", _sequence("DEPOT"), channel_states("SHOP", "TO.DEPOT", "RETRYING").last)
c04.predict("after", _sequence("SHOP"), rows(kind="channel", rule="CHL-04").last)
c04.check(at_depot, orders(5), at_depot.count, at_shop.count)
c04.check((_sequence("SHOP"), _sequence("DEPOT")), lambda shop, depot: shop == depot)
c04.check(_to_depot, "RUNNING")


_PLACES = ("DEPOT", "PLANT")


def _clerk(app: Any) -> None:
    """Get every order as it arrives, all day."""
    with app.open("ORDERS", input="shared") as queue:
        while True:
            queue.get(wait=86_400)


def _doubt_set_up(lab: Lab) -> None:
    """An order goes to each place, then two more. The links are cut when DEPOT has committed them and PLANT has not."""
    for name in ("SHOP", *_PLACES):
        lab.queue_manager(name)
    for name in _PLACES:
        lab.link("SHOP", name, latency=0.1)
        lab[name].mqsc("DEFINE QLOCAL(ORDERS)").require()
        sends(lab, "SHOP", name, f"TO.{name}", name, name, sender="SHORTRTY(1000) SHORTTMR(60)")
        lab[name].run_program("CLERK", _clerk)
        lab["SHOP"].mqsc(f"START CHANNEL(TO.{name})").require()
        _orders_for(lab, name, 1)
    lab.advance(60)
    _orders_for(lab, "DEPOT", 2, 3)
    lab.advance(0.1)
    _orders_for(lab, "PLANT", 2, 3)
    lab.advance(0.05)
    for name in _PLACES:
        lab.cut("SHOP", name)
    lab.advance(600)


def _orders_for(lab: Lab, place: str, *numbers: int) -> None:
    unit = lab["SHOP"].connect("COUNTER").unit_of_work()
    for number in numbers:
        unit.put(f"ORDERS@{place}", b"order %d" % number, persistent=True)
    unit.commit()


def _in_doubt(lab: Lab) -> list[str]:
    return [each.name for each in lab["SHOP"].channels.values() if each.indoubt is not None]


def _there(place: str) -> Rows:
    """The orders that the clerk at a place got, without the first."""
    return Rows(lambda lab: done("get", "ORDERS", qmgr=place)(lab)[1:])


def _scattered(place: str) -> Callable[[Lab], str]:
    """Return a symptom: "" if each of the last two orders for a place is in one place only."""

    def look(lab: Lab) -> str:
        if f"TO.{place}" in _in_doubt(lab):
            return f"the orders for {place} are held by a batch in doubt"
        there, waiting = _there(place).count(lab), texts("SHOP", place).count(lab)
        told = f"of the two orders for {place}, {there} are there and {waiting} wait for the courier"
        return "" if there + waiting == 2 else told

    return look


c05 = posed("C05", _doubt_set_up)
# stopping a channel resolves nothing
c05.predict("depot", _there("DEPOT").count, rows(kind="commit", qmgr="DEPOT").last)
c05.predict("plant", _there("PLANT").count, rows(kind="prepare", program="TO.PLANT").last)
c05.check((_in_doubt, lambda lab: any(path.up for path in lab.network.paths)), ([], False))
c05.check(_scattered("DEPOT"))
c05.check(_scattered("PLANT"))


def _fast_load(lab: Lab) -> None:
    """Twelve nonpersistent calls for stock, five a second. The link is cut for half a minute in the middle."""
    lab.advance(1)
    order(lab, 1, persistent=False)
    lab.advance(60)
    for number in range(2, 13):
        order(lab, number, persistent=False)
        lab.advance(0.2)
    lab.cut("SHOP", "DEPOT")
    lab.advance(30)
    lab.restore("SHOP", "DEPOT")
    lab.advance(600)


_lost = rows(kind="lost")

c06 = posed("C06", shop_and_depot("SHORTRTY(1000) SHORTTMR(60) BATCHSZ(50)", latency=0.5), _fast_load)
# a smaller batch does not help
c06.predict("lost", _lost.count, _lost.first)
c06.predict("units", lambda lab: len({row.uow for row in _arrivals(lab)} - {None}), _arrivals.first)
c06.check((rows(kind="fault", object_type="LINK").count, _lost.count), lambda cuts, lost: cuts and not lost)
c06.check(at_depot.ordered, sorted(orders(12)), lambda lab: len(set(at_depot(lab))))


def _price(app: Any) -> None:
    """PRICES gets each question as it arrives. It answers questions even if the customer no longer waits."""
    with app.open("ORDERS", input="shared") as queue:
        queue.drain(wait=7200)


def _quotes_load(lab: Lab) -> None:
    """24 questions, one every 20 seconds, each valid for a minute."""
    lab["DEPOT"].run_program("PRICES", _price)
    lab.advance(1)
    for number in range(1, 25):
        order(lab, number, persistent=False, expiry=600)
        lab.advance(20)
    lab.advance(600)


_expired = rows(kind="discard")

c07 = posed(
    "C07", shop_and_depot("DISCINT(300)", 0.5, TRIGGERED.replace("FIRST", "DEPTH") + " TRIGDPTH(10)"), _quotes_load
)
# fewer at a time is better, but not good enough
c07.predict("got", _taken_there.count, _expired.first)
c07.predict("where", _expired.value("object"), _expired.first)
c07.check(_taken_there.count, 24, _expired.count, at_shop.count)
c07.check(
    lambda lab: min(((row.expiry_left or 0) / 10 for row in _taken_there(lab)), default=None),
    lambda left: left is not None and left >= 50,
    lambda left: "PRICES got no question" if left is None else f"a question that PRICES got had {left:g} seconds left",
)
c07.check(lambda lab: {row.expiry_left for row in done("put", "DEPOT")(lab)}, {600})


CATALOGS = (10_000, 25_000, 35_000, 50_000, 60_000)
"""The lengths of the catalogs, in bytes, in the order in which they are put."""


def _catalogs_set_up(lab: Lab) -> None:
    limits = "DEFINE QLOCAL(CATALOG) MAXMSGL(20000)\nALTER CHANNEL(SHOP.HQ) CHLTYPE(RCVR) MAXMSGL(30000)"
    shop_and_hq(limits, CATALOG="CATALOG")(lab)
    lab["SHOP"].mqsc(f"""
        ALTER QMGR DEADQ({DEAD})
        ALTER QLOCAL(TO.HQ) MAXMSGL(40000)
        ALTER CHANNEL(SHOP.HQ) CHLTYPE(SDR) MAXMSGL(100000)
        """).require()


def _catalogs_load(lab: Lab) -> None:
    """Five catalogs, a minute apart."""
    for length in CATALOGS:
        reach(lab["SHOP"].connect("PRINTER"), "CATALOG", b"x" * length)
        lab.advance(60)


def _dead(lab: Lab) -> int:
    """The number of catalogs on the two dead-letter queues."""
    return sum(depth(name, DEAD)(lab) for name in ("SHOP", "HQ"))


c08 = posed("C08", _catalogs_set_up, _catalogs_load)
c08.predict("arrive", delivered("CATALOG").count, delivered("CATALOG").last)
c08.predict("dead", _dead, rows(kind="put", object=DEAD).first)
c08.check(delivered("CATALOG").count, 4)
c08.check(_dead, 0)
c08.check(refused("PRINTER", 2030, 2031).count, 1)
