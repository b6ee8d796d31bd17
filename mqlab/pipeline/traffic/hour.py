"""An hour at two sites and a hub: orders and their replies, records for an archive, a link that fails, an auditor."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from ... import estates
from ...lab.lab import Lab

START = "2025-01-06T08:00:00Z"
_MINUTE, _SECOND = 60_000_000, 1_000_000
_CALLS = 12  # in each minute


def two_sites_hour(folder: Path, seed: int = 7) -> Lab:
    """The lab of the estate two-sites, whose files are in `folder`, after an hour of traffic.

    TILL at NORTH puts orders for SOUTH, where a trigger starts ORDER.SERVER to answer them. OFFICE puts records for the
    archive, and greetings to WEST, which does not exist. From 08:20 to 08:26 the link between SOUTH and HUB is cut, and
    from 08:40 to 08:44 AUDITOR has ORDERS.IN open for input and gets nothing.
    """
    lab, rng = estates.load(folder / "estate.json", start=START), Random(seed)
    north, south = lab["NORTH"], lab["SOUTH"]
    south.program("ORDER.SERVER", _serve)
    south.trigger_monitor("SOUTH.INITQ")
    south.dead_letter_handler((folder / "SOUTH.rules").read_text("utf-8"))
    till, office = north.connect("TILL"), north.connect("OFFICE")
    archive, auditor = south.connect("ARCHIVE"), south.connect("AUDITOR")
    for minute in range(60):
        lab.advance_to(minute * _MINUTE)
        if minute == 20:
            lab.cut("SOUTH", "HUB")
        elif minute == 26:
            lab.restore("SOUTH", "HUB")
        elif minute == 40:
            orders = auditor.open("ORDERS.IN", input="shared")
        elif minute == 44:
            orders.close()
        for second in sorted(rng.sample(range(1, 60), _CALLS)):
            lab.advance_to(minute * _MINUTE + second * _SECOND)
            choice = rng.random()
            if choice < 0.70:
                till.put("ORDERS", b"order", expiry=rng.choice((600, 1800, -1)), reply_to_q="ANSWERS", msg_type=1)
            elif choice < 0.80:
                office.put("AUDIT", b"record", expiry=rng.choice((-1, 3000)))
            elif choice < 0.83:
                office.put("CHAT@WEST", b"hello")
            elif choice < 0.93:
                _get(archive, "AUDIT.IN", 1)
            else:
                _get(till, "ORDERS.REPLY", 20)
    lab.advance_to(60 * _MINUTE)
    return lab


def _serve(app: Any, trigger: Any) -> None:
    with app.open(trigger.queue, input="shared") as orders:
        for order in orders.get_each(wait=2):
            app.reply(order, b"picked", expiry=50)


def _get(app: Any, queue: str, most: int) -> None:
    for _ in islice(app.get_each(queue), most):
        pass
