"""Two queue managers of a small business, SHOP and DEPOT, and the channel between them."""

from __future__ import annotations

from ...errors import LabError

__all__ = ["TRIGGERED", "define", "order", "shop_and_depot"]

TRIGGERED = "TRIGGER TRIGTYPE(FIRST) TRIGDATA(TO.DEPOT) INITQ(SYSTEM.CHANNEL.INITQ)"


def define(lab, qmgr: str, commands: str) -> None:
    """Run MQSC commands of a set-up; LabError where one is refused."""
    reply = lab[qmgr].mqsc(commands)
    if not reply.ok:
        raise LabError(f"commands of a set-up that {qmgr} takes wanted; got {reply}")


def shop_and_depot(lab, sender: str = "", receiver: str = "", latency: float = 0.0, xmitq: str = TRIGGERED) -> None:
    """SHOP sends to ORDERS at DEPOT by channel TO.DEPOT; `sender`, `receiver` and `xmitq` are more attributes."""
    for name in ("SHOP", "DEPOT"):
        lab.queue_manager(name)
    lab.link("SHOP", "DEPOT", latency=latency)
    lab.address("depot.example(1414)", "DEPOT")
    define(
        lab,
        "SHOP",
        f"""
        DEFINE QLOCAL(DEPOT) USAGE(XMITQ) {xmitq}
        DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(DEPOT) XMITQ(DEPOT)
        DEFINE CHANNEL(TO.DEPOT) CHLTYPE(SDR) CONNAME('depot.example(1414)') XMITQ(DEPOT) {sender}
        """,
    )
    define(lab, "DEPOT", f"DEFINE QLOCAL(ORDERS)\nDEFINE CHANNEL(TO.DEPOT) CHLTYPE(RCVR) {receiver}")


def order(lab, *numbers: int, persistent: bool = True, **options) -> None:
    """The shop puts orders for the depot."""
    for number in numbers:
        lab["SHOP"].connect("COUNTER").put("ORDERS", b"order %d" % number, persistent=persistent, **options)
