"""The imagined labs: for each belief a short story, and the one rule of the engine that the belief replaces.

A replacement is a small subclass of a part of the engine, and changes the objects of one lab. The engine knows none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...engine.programs.channels.channel import Channel
from ...engine.programs.channels.mca import channel_of
from ...engine.queues.expiry import Scanner
from ...engine.queues.forward import pass_on
from ...engine.queues.get import take
from ...engine.queues.message import Message, QueuedMessage
from ...engine.queues.queue import LocalQueue
from ...engine.queues.triggering import Trigger
from ...engine.words.arguments import require
from ...lab.application import Application
from ...lab.lab import Lab
from ...lab.scenarios.telling import outcome
from ...views.player.duel import Futures
from ..texts import misconceptions

START = "2025-01-06T08:59:59Z"
"""The stories define their objects in the first second; the first event is at 09:00:00."""


class Variant(NamedTuple):
    """A story that shows the difference, and the replacement once the objects of SHOP exist: a part of the engine,
    the name of its attribute, and the value by the belief."""

    story: Callable[[Lab], None]
    belief: Callable[[Any], tuple[object, str, object]]


def _shop(lab: Lab, definitions: str) -> Any:
    """A queue manager with these definitions, one second later."""
    qm = lab.queue_manager("SHOP")
    qm.mqsc(definitions).require()
    lab.advance(1)
    return qm


class _AtTheDeadline(Scanner):
    """Scans each time that a message expires."""

    interval_us = 1
    rule = None  # type: ignore[assignment]  # no rule of MQ says so


def _a_deadline(lab: Lab) -> None:
    web = _shop(lab, "DEFINE QLOCAL(ORDERS)").connect("WEB")
    web.put("ORDERS", "tea", expiry=50)
    lab.advance(10)
    web.put("ORDERS", "rice")


class _RoomForUnexpired(LocalQueue):
    """Has room for MAXDEPTH messages that have not expired."""

    __slots__ = ()

    @property
    def room(self) -> int:  # type: ignore[override]
        now = self.clock.time_us
        expired = [m for m in self.store.in_order() if m.expires_us is not None and m.expires_us <= now]
        return self.maxdepth + len(expired)


def _a_full_queue(lab: Lab) -> None:
    web = _shop(lab, "DEFINE QLOCAL(ORDERS) MAXDEPTH(2)").connect("WEB")
    for order in ("tea", "rice"):
        web.put("ORDERS", order, expiry=50)
    lab.advance(10)
    outcome(web.put, "ORDERS", "soap")
    lab.advance(1)


class _TakesTheOldest(Application):
    """Gets the message that came first, also if it has expired."""

    def get(self, queue: str, **options: Any) -> Message:
        target = self.resolve(queue, "get")
        oldest: Any = min(target.queue.store.in_order(), key=lambda message: message.seq)
        return take(self, target, oldest, None, target.via)


def _an_expired_order(lab: Lab) -> None:
    qm = _shop(lab, "DEFINE QLOCAL(ORDERS)")
    web = qm.connect("WEB")
    web.put("ORDERS", "tea", expiry=20)
    web.put("ORDERS", "rice")
    lab.advance(5)
    qm.connect("BILLING").get("ORDERS")
    lab.advance(1)


def _an_urgent_order(lab: Lab) -> None:
    qm = _shop(lab, "DEFINE QLOCAL(ORDERS)")
    web = qm.connect("WEB")
    web.put("ORDERS", "tea")
    web.put("ORDERS", "salt", priority=9)
    lab.advance(5)
    qm.connect("BILLING").get("ORDERS")
    lab.advance(1)


class _ForEachMessage(Trigger):
    """Writes a trigger message for every message, with FIRST too."""

    @property
    def type(self) -> str:
        return "EVERY" if super().type == "FIRST" else super().type


def _a_burst(lab: Lab) -> None:
    qm = _shop(
        lab,
        """
        DEFINE QLOCAL(SHOP.INITQ)
        DEFINE PROCESS(PACKER) APPLICID('PACKER')
        DEFINE QLOCAL(ORDERS) TRIGGER TRIGTYPE(FIRST) PROCESS(PACKER) INITQ(SHOP.INITQ)
        """,
    )
    by_hand = qm.connect("BY.HAND").open("SHOP.INITQ", input="shared")
    web = qm.connect("WEB")
    for order in ("tea", "rice", "soap"):
        web.put("ORDERS", order)
        lab.advance(1)
    by_hand.close()


class _MovesAtBothresh(LocalQueue):
    """Moves a message to BOQNAME when its BackoutCount reaches BOTHRESH."""

    __slots__ = ()

    def make_available(self, message: QueuedMessage, cause: int | None) -> None:
        super().make_available(message, cause)
        attributes, mover = self.definition.attributes, self.qmgr.reporter(None)
        if message.backout_count and message.backout_count >= attributes["BOTHRESH"]:
            with mover.unit_of_work() as unit:
                got: Any = mover.get(self.name, msg_id=message.msg_id, unit=unit)
                pass_on(mover, got, attributes["BOQNAME"], expiry=got.expiry, unit=unit)


def _a_bad_order(lab: Lab) -> None:
    qm = _shop(lab, "DEFINE QLOCAL(ORDERS.BAD)\nDEFINE QLOCAL(ORDERS) BOTHRESH(2) BOQNAME(ORDERS.BAD)")
    qm.connect("WEB").put("ORDERS", "?")
    packer = qm.connect("OLDPACK")
    for _ in range(3):
        lab.advance(1)
        unit = packer.unit_of_work()
        outcome(unit.get, "ORDERS")
        unit.backout()
    lab.advance(1)


def _shop_and_depot(lab: Lab, channel: str = "") -> Any:
    """SHOP with a transmission queue to DEPOT, whose link is cut, one second later."""
    shop, depot = lab.queue_manager("SHOP"), lab.queue_manager("DEPOT")
    lab.link("SHOP", "DEPOT", latency=0.1)
    depot.mqsc("DEFINE QLOCAL(ORDERS.IN)").require()
    shop.mqsc("DEFINE QLOCAL(DEPOT) USAGE(XMITQ)").require()
    if channel:
        depot.mqsc(f"DEFINE CHANNEL({channel}) CHLTYPE(RCVR)").require()
        shop.mqsc(f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) CONNAME(DEPOT) XMITQ(DEPOT) SHORTTMR(10)").require()
    lab.cut("SHOP", "DEPOT")
    lab.advance(1)
    return shop


class _LosesItsMessages(Channel):
    """Loses the messages on its transmission queue when it starts to retry."""

    def enter(self, state: str, *args: Any, **more: Any) -> int:
        seq = super().enter(state, *args, **more)
        if state == "RETRYING":
            queue: Any = self.qmgr.targets[self.xmitq]
            for message in list(queue.store.in_order()):
                queue.vanish(message, "clear", None, seq)
        return seq


def _a_cut_link(lab: Lab) -> None:
    shop = _shop_and_depot(lab, "SHOP.DEPOT")
    shop.connect("TILL").put("ORDERS.IN@DEPOT", "tea", persistent=True)
    lab.advance(1)
    shop.mqsc("START CHANNEL(SHOP.DEPOT)").require()
    lab.advance(5)
    lab.restore("SHOP", "DEPOT")
    lab.advance(10)


class _Delivers(Application):
    """Puts a message for another queue manager on its queue there, and then returns."""

    def put(self, queue: str, body: bytes | str = b"", **keywords: Any) -> Any:
        target: Any = self.resolve(queue, "put")
        name, qmgr = target.destination
        return self.qmgr.lab[qmgr].connect(self.caller).put(name, body, **keywords)


def _a_put(lab: Lab) -> None:
    shop = _shop_and_depot(lab)
    shop.connect("TILL").put("ORDERS.IN@DEPOT", "tea", persistent=True)
    lab.advance(1)


def _channel(qm: Any) -> Channel:
    return channel_of(qm, qm.objects.get("CHANNEL", "SHOP.DEPOT"))


VARIANTS = {
    "removed-at-deadline": Variant(_a_deadline, lambda qm: (qm, "scanner", _AtTheDeadline(qm, None))),
    "expired-do-not-count": Variant(_a_full_queue, lambda qm: (qm.targets["ORDERS"], "__class__", _RoomForUnexpired)),
    "expired-is-returned": Variant(_an_expired_order, lambda qm: (qm, "application_type", _TakesTheOldest)),
    "get-returns-oldest": Variant(_an_urgent_order, lambda qm: (qm, "application_type", _TakesTheOldest)),
    "first-for-each": Variant(_a_burst, lambda qm: (queue := qm.targets["ORDERS"], "trigger", _ForEachMessage(queue))),
    "bothresh-moves": Variant(_a_bad_order, lambda qm: (qm.targets["ORDERS"], "__class__", _MovesAtBothresh)),
    "retrying-loses": Variant(_a_cut_link, lambda qm: (_channel(qm), "__class__", _LosesItsMessages)),
    "ok-means-delivered": Variant(_a_put, lambda qm: (qm, "application_type", _Delivers)),
}
"""The beliefs that have an imagined lab, by their id in misconceptions.toml."""


def offered(key: str) -> dict[str, str]:
    """The wrong answers to a prediction, such as 02/deadline, or to a part of one, 12/waiter: the get, whose belief has
    an imagined lab: answer -> the belief's id.

    >>> offered("02/deadline")["2"]
    'removed-at-deadline'
    """
    return {said: id for id in VARIANTS for said in misconceptions().get(id, {}).get("answers", {}).get(key, {})}


def both(id: str) -> Futures:
    """A belief beside IBM MQ, as two labs that ran on one clock: the real one first.

    LabError for an id that has no imagined lab.
    """
    require("belief", id, str, "one of " + ", ".join(VARIANTS), VARIANTS.__contains__)
    story, belief = VARIANTS[id]
    names = "IBM MQ", "Imagined"
    futures = Lab(start=START).duel(story, None, lambda lab: setattr(*belief(lab["SHOP"])), names=names)
    futures.opens = _parting(futures)
    return futures


def _parting(futures: Futures) -> tuple[int, int]:
    """How many rows of each log there are when the two have parted: without those, at that moment, that both have."""
    seq, time_us = futures.frame.first_seq or 0, futures.frame.first_us or 0
    ours, theirs = ([row[3:] for row in lab.events if row.time_us <= time_us] for lab in futures.labs)
    while len(ours) > seq < len(theirs) and ours[-1] == theirs[-1]:
        del ours[-1], theirs[-1]
    return len(ours), len(theirs)
