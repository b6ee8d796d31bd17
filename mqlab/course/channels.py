"""Channels as a notebook shows them: a shop that sends to its depot, states of channels, and a dead-letter queue."""

from __future__ import annotations

from typing import Any

from ..engine.words.headers import MQDLH
from ..lab.lab import Lab
from ..lab.scenarios.telling import state_of

__all__ = ["DEAD_LETTER", "dead_letters", "shop_and_depot", "state_of"]

DEAD_LETTER = ("Message", "Reason", "Destination", "Put here by")
"""The columns of `dead_letters`."""


def shop_and_depot(sender: str = "", receiver: str = "") -> tuple[Lab, Any, Any]:
    """A lab, its queue managers SHOP and DEPOT, and channel SHOP.DEPOT between them, not started, on a slow link.

    `sender` and `receiver` are more attributes of the two ends; raises LabError if a command is refused.

    >>> lab, shop, depot = shop_and_depot("BATCHSZ(5)")
    >>> state_of(shop, "SHOP.DEPOT")
    'INACTIVE'
    """
    lab = Lab(start="2025-01-06T09:00:00Z")
    shop, depot = lab.queue_manager("SHOP"), lab.queue_manager("DEPOT")
    lab.link("SHOP", "DEPOT", latency=0.5)
    depot.mqsc(f"""
        DEFINE QLOCAL(ORDERS.IN)
        DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(RCVR) {receiver}
        """).require()
    shop.mqsc(f"""
        DEFINE QLOCAL(DEPOT) USAGE(XMITQ)
        DEFINE QREMOTE(ORDERS) RNAME(ORDERS.IN) RQMNAME(DEPOT) XMITQ(DEPOT)
        DEFINE CHANNEL(SHOP.DEPOT) CHLTYPE(SDR) CONNAME(DEPOT) XMITQ(DEPOT) {sender}
        """).require()
    return lab, shop, depot


def dead_letters(qmgr: Any, queue: str) -> list[tuple[str, str, str, str]]:
    """The messages of a dead-letter queue: data, reason, destination, and the program that put it there (MQI-30)."""
    with qmgr.connect("ADMIN").open(queue, browse=True) as opened:
        bodies = [opened.browse_next().body for _ in range(qmgr.depth(queue))]
    read = [(MQDLH.unpack(body), body[MQDLH.LENGTH :].decode()) for body in bodies]
    return [(data, str(told.reason), f"{told.queue} at {told.qmgr}", told.appl_name) for told, data in read]
