"""Queue managers of a small business, and the channels between them: a shop and its depot, branches and HQ."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ....engine.words.errors import MQError
from ....lab.lab import Lab
from ..exercise import typed
from .log_queries import Rows, done, texts
from .programs import monitor

TRIGGERED = "TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.DEPOT) INITQ(SYSTEM.CHANNEL.INITQ)"
DEAD = "SYSTEM.DEAD.LETTER.QUEUE"
SYNCQ = "SYSTEM.CHANNEL.SYNCQ"
"""The queue on which a channel stores its state between runs; it holds no stray messages."""


def alone(
    commands: str,
    *answers: str,
    qmgr: str = "QM1",
    programs: dict[str, Callable] | None = None,
    initq: str = "",
    **settings: Any,
) -> Callable[[Lab], None]:
    """Return a setup of one queue manager: its definitions, the answers that are typed as well, its programs, and a
    trigger monitor on an initiation queue."""

    def set_up(lab: Lab) -> None:
        made = lab.queue_manager(qmgr, **settings)
        made.mqsc(commands).require()
        for answer in answers:
            typed(answer)(lab)
        for name, function in (programs or {}).items():
            made.program(name, function)
        if initq:
            monitor(lab, qmgr, initq)

    return set_up


def sends(
    lab: Lab, here: str, there: str, channel: str, xmitq: str, conname: str, trigger: str = "", sender: str = ""
) -> None:
    """Queue manager `here` sends what is on a transmission queue to `there`; `trigger` and `sender` are attributes."""
    lab[there].mqsc(f"DEFINE CHANNEL({channel}) CHLTYPE(RCVR)").require()
    lab[here].mqsc(f"DEFINE QLOCAL({xmitq}) USAGE(XMITQ) {trigger}").require()
    lab[here].mqsc(f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) CONNAME('{conname}') XMITQ({xmitq}) {sender}").require()


def depot_and_link(lab: Lab, latency: float = 0.05) -> None:
    """SHOP has a link to DEPOT, where ORDERS is, but no channel is defined."""
    for name in ("SHOP", "DEPOT"):
        lab.queue_manager(name)
    lab.link("SHOP", "DEPOT", latency=latency)
    lab.address("depot.example(1414)", "DEPOT")
    lab["DEPOT"].mqsc("DEFINE QLOCAL(ORDERS)").require()


def shop_and_depot(sender: str, latency: float = 0.0, xmitq: str = TRIGGERED) -> Callable[[Lab], None]:
    """Return a setup of SHOP, which sends to ORDERS at DEPOT through channel TO.DEPOT; `sender` and `xmitq` are
    attributes."""

    def set_up(lab: Lab) -> None:
        depot_and_link(lab, latency)
        sends(lab, "SHOP", "DEPOT", "TO.DEPOT", "DEPOT", "depot.example(1414)", xmitq, sender)
        lab["SHOP"].mqsc("DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(DEPOT) XMITQ(DEPOT)").require()

    return set_up


def road(lab: Lab, branch: str, conname: str = "hq.example(1414)") -> None:
    """Create a queue manager whose channel BRANCH.HQ sends from TO.HQ to HQ. If there is no HQ, create it too, with a
    dead-letter queue."""
    if "HQ" not in [qmgr.name for qmgr in lab.queue_managers]:
        lab.queue_manager("HQ")
        lab["HQ"].mqsc("ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)").require()
        lab.address("hq.example(1414)", "HQ")
    lab.queue_manager(branch)
    lab.link(branch, "HQ", latency=0.05)
    trigger = f"TRIGGER TRIGDATA({branch}.HQ) INITQ(SYSTEM.CHANNEL.INITQ)"
    sends(lab, branch, "HQ", f"{branch}.HQ", "TO.HQ", conname, trigger)


def shop_and_hq(commands: str, **queues: str) -> Callable[[Lab], None]:
    """Return a setup of SHOP, which sends to HQ: commands for HQ, and HQ's queues by the names that SHOP uses for
    them."""

    def set_up(lab: Lab) -> None:
        road(lab, "SHOP")
        for name, queue in queues.items():
            lab["SHOP"].mqsc(f"DEFINE QREMOTE({name}) RNAME({queue}) RQMNAME(HQ) XMITQ(TO.HQ)").require()
        lab["HQ"].mqsc(commands).require()

    return set_up


def order(lab: Lab, *numbers: int, persistent: bool = True, **options: Any) -> None:
    """Put orders at the shop for the depot."""
    for number in numbers:
        lab["SHOP"].connect("COUNTER").put("ORDERS", b"order %d" % number, persistent=persistent, **options)


at_depot, at_shop = texts("DEPOT", "ORDERS"), texts("SHOP", "DEPOT")
"""The orders that have arrived at the depot, and those that wait on the shop's transmission queue."""


def orders(last: int) -> list[str]:
    """The texts of the orders from 1 to `last`."""
    return [f"order {number}" for number in range(1, last + 1)]


def reach(app: Any, name: str, body: bytes, persistent: bool | None = True, **options: Any) -> None:
    """Put to a name; a put that fails is only an event in the log."""
    with suppress(MQError):
        app.put(name, body, persistent=persistent, **options)


def delivered(queue: str) -> Rows:
    """The arrivals of messages on a queue of HQ."""
    return done("put", queue, qmgr="HQ")
