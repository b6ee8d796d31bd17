"""The additions of MQ Everyplace to the engine: sentences of its rows, its topology, and the places of its messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..engine.extra import Dialect, Extra
from ..engine.words.whys import Why, cases_in

if TYPE_CHECKING:
    import networkx as nx

    from ..engine.explain.why_not_delivered import Delivery
    from ..engine.queues.target import Lab
    from ..engine.world.event import Event


class _Dialect(Dialect):
    product = "MQE"
    passing = frozenset({"MQE.ASYNC", "MQE.FORWARD", "MQE.HOME"})

    def left(self, row: Event, detail: Mapping[str, Any]) -> float | None:
        """The log has milliseconds for these queues."""
        return detail["left_ms"] / 100 if "left_ms" in detail else None


class Everyplace(Extra):
    """MQ Everyplace."""

    name = "everyplace"
    dialect = _Dialect()
    faces = {
        "everyplace.errors.MQeError": "cards.cards.everyplace_error_card",
        "everyplace.qmgr.QueueManager": "cards.lab_cards.everyplace_card",
        "everyplace.queue.Queue": "cards.queues.everyplace_queue_card",
        "everyplace.message.Message": "cards.messages.everyplace_message_card",
        "everyplace.calls.Application": "cards.lab_cards.everyplace_application_card",
    }

    def cases(self) -> Mapping[str, type[Why]]:
        """The reasons of refused calls and of flows that break."""
        from . import whys

        return cases_in(whys)

    def draw(self, graph: nx.DiGraph, lab: Lab) -> None:
        """Draw the queue managers of MQ Everyplace, their queues, and the links between them."""
        if lab.others:
            from .picture import draw

            draw(graph, lab)

    def delivery(self, lab: Lab, number: int, rows: list[Event]) -> Delivery | None:
        """Where a message on one of its queues goes next."""
        if not lab.others:
            return None
        from .delivery import delivery

        return delivery(lab, number, rows)


EXTRA = Everyplace()
