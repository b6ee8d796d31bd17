"""Triggering as a notebook shows it: the decisions of queue managers as a table, and a shop whose triggers can fail."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..engine.words.because import because
from ..engine.words.errors import LabError
from ..lab.lab import Lab
from .lessons import Card, as_table


class Decision(NamedTuple):
    """A decision about a trigger: the queue manager that decided, the queue, the decision, its rule, and the reason."""

    qmgr: str
    queue: str
    fired: bool
    rule: str
    because: str


def decisions(lab: Lab, since: int = 0, queue: str | None = None) -> list[Decision]:
    """The decisions about triggers from a row of the log on, of one queue if one is named."""
    rows = lab.events.where(kind="trigger", **({"object": queue} if queue else {}))
    return [
        Decision(row.program or "", row.object or "", row.facts["fired"], row.rule or "", because(row.facts))
        for row in rows
        if row.seq >= since
    ]


def answers(lab: Lab, since: int = 0, queue: str | None = None, members: bool = False) -> Card:
    """The decisions as a table; `members` names the queue manager in place of the queue."""
    rows = [
        (each.qmgr if members else each.queue, "fired" if each.fired else "no", each.rule, each.because)
        for each in decisions(lab, since, queue)
    ]
    first = "Queue manager" if members else "Queue"
    return as_table("Trigger or not?", (first, "Trigger", "Rule", "Because"), rows)


class Shop:
    """A queue manager SHOP with ORDERS, set up to trigger PACKER; `lab`, `qm`, and `held`, the open queues by name.

    The initiation queue is open for input, so its trigger messages stay there; `monitored` starts a trigger monitor.
    """

    def __init__(self, platform: str = "distributed", kind: str = "FIRST", attributes: str = ""):
        self.lab = Lab(start="2025-01-06T09:00:00Z")
        self.qm = self.lab.queue_manager("SHOP", platform=platform)
        self._command(
            "DEFINE QLOCAL(SHOP.INITQ)\nDEFINE PROCESS(PACK) APPLICID('PACKER')\n"
            "DEFINE QLOCAL(ORDERS) SHARE DEFSOPT(SHARED) +\n"
            f"TRIGGER TRIGTYPE({kind}) INITQ(SHOP.INITQ) PROCESS(PACK) {attributes}"
        )
        self.held: dict[str, Any] = {}
        self.step("open SHOP.INITQ")

    def monitored(self, server: Any) -> None:
        """Close the initiation queue, register the program PACKER, and start a trigger monitor."""
        self.step("close SHOP.INITQ")
        self.qm.program("PACKER", server)
        self.qm.trigger_monitor("SHOP.INITQ")
        self.lab.advance(1)

    def step(self, words: str) -> str:
        """Put an order, open or close a queue, define or delete an object, or alter a queue; return the decision.

        >>> Shop().step("put ORDERS")
        'fired, TRG-03'
        """
        before = self.lab.events.next_seq
        verb, _, rest = words.partition(" ")
        if verb == "put":
            self.qm.put(rest, "tea")
        elif verb == "open":
            self.held[rest] = self.qm.connect("READER").open(rest, input="shared")
        elif verb == "close":
            self.held.pop(rest).close()
        else:
            self._command(words if verb in ("DEFINE", "DELETE") else f"ALTER QLOCAL({verb}) {rest}")
        found = [f"{'fired' if each.fired else 'no'}, {each.rule}" for each in decisions(self.lab, before)]
        return ", ".join(found) or "not asked"

    def _command(self, commands: str) -> None:
        reply = self.qm.mqsc(commands)
        if not reply.ok:
            raise LabError(f"SHOP refused a command. {reply}")
