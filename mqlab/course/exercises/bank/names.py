"""Exercises about names: the object that a name leads to, and the reasons why a connection or an open fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....engine.words.errors import MQError
from ....lab.lab import Lab
from ..exercise import given, posed
from .log_queries import got, refused, rows, sent, state, texts
from .shops import DEAD, SYNCQ, alone, copied, delivered, reach, road, shop_and_hq


def _write(lab: Lab, name: str) -> None:
    """BRANCH puts two messages to a name; a put that fails is ignored."""
    branch = lab["SHOP"].connect("BRANCH")
    for number in (1, 2):
        reach(branch, name, b"number %d" % number)
        lab.advance(60)


def _reason(lab: Lab) -> int | None:
    """The reason code of BRANCH's failed puts, None if all its puts are accepted."""
    return min((row.reason for row in refused("BRANCH")(lab)), default=None)


def _refusal(reason: int | None) -> str:
    return f"BRANCH's puts are refused with {reason}"


def _place(queue: str) -> Callable[[Lab], tuple[str, str]]:
    """The queue manager and the queue where BRANCH's two messages are; two empty texts if a put failed."""

    def found(lab: Lab) -> tuple[str, str]:
        if texts("HQ", queue)(lab) == ["number 1", "number 2"]:
            return "HQ", queue
        if refused("BRANCH")(lab):
            return "", ""
        others = [each.name for each in lab["HQ"].queues if each.name not in (queue, SYNCQ) and each.depth]
        return ("HQ", others[-1]) if others else ("SHOP", rows(kind="put", program="BRANCH").last(lab).object)

    return found


def _astray(where: tuple[str, str], reason: int | None) -> str:
    qmgr, queue = where
    return f"they {'are' if qmgr == 'HQ' else 'stay'} on {queue} at {qmgr}" if qmgr else _refusal(reason)


n01 = posed("N01", shop_and_hq("DEFINE QLOCAL(INVOICES)"), lambda lab: _write(lab, "INVOICES"))
n01.suppose(
    "local", lambda lab: lab["SHOP"].mqsc("DEFINE QLOCAL(INVOICES)"), delivered("INVOICES").count, sent("BRANCH").last
)
n01.check(_reason, None, _refusal)
n01.belief("name-reaches", lambda reason: reason == 2087)
n01.check(_place("INVOICES"), ("HQ", "INVOICES"), _astray, _reason)
n01.belief("same-name-same-queue", lambda where, _: where == ("SHOP", "INVOICES"))
n01.belief("ok-means-delivered", lambda where, _: where in (("SHOP", "TO.HQ"), ("HQ", DEAD)))


n02 = posed("N02", shop_and_hq("DEFINE QLOCAL(STOCK)"), lambda lab: _write(lab, "STOCK@DEPOT"))
n02.predict(
    "header",
    lambda lab: rows(kind="put", program="BRANCH").first(lab).facts["to"].rpartition("@")[2],
    rows(kind="put", program="BRANCH").first,
)
n02.predict("reason", refused("BRANCH").value("reason"), refused("BRANCH").first)
n02.check(_reason, None, _refusal)
n02.check(_place("STOCK"), ("HQ", "STOCK"), _astray, _reason)
n02.check(lambda lab: lab["HQ"].export_mqsc() == n02.start()["HQ"].export_mqsc(), True)


def _case_load(lab: Lab) -> None:
    """SHOP puts two orders; BILLING gets every order on its queue."""
    shop, billing = lab["QM1"].connect("SHOP"), lab["QM1"].connect("BILLING")
    for number in (1, 2):
        reach(shop, "Shop.Orders", b"order %d" % number)
        lab.advance(60)
    billing.drain("SHOP.ORDERS")


n03 = posed("N03", alone("DEFINE QLOCAL(Shop.Orders)"), _case_load)
n03.predict(
    "name",
    lambda lab: next(queue.name for queue in lab["QM1"].queues if queue.name.upper() == "SHOP.ORDERS"),
    rows(kind="define", object="SHOP.ORDERS").first,
)
n03.predict("reason", refused("SHOP").value("reason"), refused("SHOP").first)
n03.check(refused("SHOP").count, 0, refused("SHOP").value("reason"))
n03.check(got("BILLING").count, 2)


SHOPS = ("SHOP1", "SHOP2", "SHOP3")


def _takings_set_up(lab: Lab) -> None:
    for shop in SHOPS:
        road(lab, shop, "depot.example(1414)" if shop == "SHOP3" else "hq.example(1414)")
        lab[shop].mqsc("DEFINE QREMOTE(TAKINGS) RNAME(TAKINGS) RQMNAME(HQ) XMITQ(TO.HQ)")
    lab["HQ"].mqsc("DEFINE QLOCAL(TAKINGS)")
    lab.queue_manager("DEPOT")
    lab.address("depot.example(1414)", "DEPOT")
    lab.link("SHOP3", "DEPOT", latency=0.05)
    lab["HQ"].stop()
    lab.cut("SHOP2", "HQ")
    for shop in SHOPS:
        reach(lab[shop].connect("TILL"), "TAKINGS", f"takings of {shop}".encode())
    lab.advance(150)


def _arrived(lab: Lab) -> dict[str, bool]:
    """Return which shops' takings have arrived at HQ, found by the number that each message kept on its way."""
    there = {row.message for row in delivered("TAKINGS")(lab)}
    return {row.qmgr: row.message in there for row in rows(kind="put", program="TILL")(lab)}


def _start(lab: Lab) -> None:
    lab["HQ"].start()
    lab.advance(900)


n04 = posed("N04", _takings_set_up)
n04.suppose("started", _start, lambda lab: sum(_arrived(lab).values()), delivered("TAKINGS").first)
for shop in SHOPS:
    n04.check(lambda lab, shop=shop: _arrived(lab)[shop], True, state(shop, f"{shop}.HQ"))


def _connects(lab: Lab, **how: Any) -> str:
    """The user as which a program acts after the connect, on a copy of the queue manager; "" if the connect fails."""
    try:
        user: str = copied(lab).connect("PROGRAM", **how).context.user
    except MQError:
        return ""
    return user


def _client(lab: Lab, password: bool) -> str:
    """The user as which a till's client acts; "" if it cannot connect."""
    return _connects(lab, user="till", channel="TILLS", **({"password": "secret"} if password else {}))


n05 = posed("N05", alone(given("N05"), users={"till": "secret"}))
n05.predict("user", lambda lab: _client(lab, password=True), rows(kind="define", object="TILLS").first)
n05.predict("named", lambda lab: _client(n05.start("repair"), password=True))
n05.check(lambda lab: _client(lab, password=False), "")
n05.check(lambda lab: _client(lab, password=True), "till")
n05.check(lambda lab: _connects(lab, user="batch"), "batch")


def _aliases_load(lab: Lab) -> None:
    """SHOP and WEB put two orders each, to the names that they use."""
    for program, name in (("SHOP", "ORDERS.IN"), ("WEB", "WEB.IN")):
        for number in (1, 2):
            reach(lab["QM1"].connect(program), name, f"{program} {number}".encode())


_aliases = "DEFINE QALIAS(ORDERS.IN) TARGET(ORDERS.NEW)\nDEFINE QALIAS(WEB.IN) TARGET(ORDERS.IN)"
n06 = posed("N06", alone(f"DEFINE QLOCAL(ORDERS)\n{_aliases}"), _aliases_load)
n06.suppose("one", None, texts("QM1", "ORDERS").count, refused("WEB").first)
for program in ("SHOP", "WEB"):
    n06.check(refused(program).count, 0, refused(program).value("reason"))
n06.check(texts("QM1", "ORDERS").count, 4)
