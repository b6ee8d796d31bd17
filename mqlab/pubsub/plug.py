"""What publish/subscribe and streaming queues add to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..mq.extra import Extra

if TYPE_CHECKING:
    from ..mq.objects import Definition
    from ..qmgr.queue import LocalQueue


class PubSub(Extra):
    """Topics, subscriptions, and duplicates."""

    name = "pubsub"

    def restarting(self, qmgr: Any) -> None:
        """End the subscriptions that have expired meanwhile."""
        if qmgr.expiring:
            from ..qmgr import subscriptions

            subscriptions.expire(qmgr)

    def prepared(self, qmgr: Any, kind: str, name: str, attributes: dict[str, Any], like: str | None) -> dict[str, Any]:
        """A managed subscription has the name of its queue."""
        if kind != "SUB":
            return attributes
        from ..qmgr import subscriptions

        return subscriptions.prepared(qmgr, name, attributes, like)

    def defined(self, qmgr: Any, definition: Definition) -> None:
        """A managed subscription gets its queue."""
        if definition.kind == "SUB":
            from ..qmgr import subscriptions

            subscriptions.defined(qmgr, definition)

    def altered(self, qmgr: Any, definition: Definition, attributes: dict[str, Any]) -> None:
        """Its lifetime begins again."""
        if definition.kind == "SUB" and "EXPIRY" in attributes:
            from ..qmgr import subscriptions

            subscriptions.arm(qmgr, definition)

    def deleted(self, qmgr: Any, definition: Definition) -> None:
        """The managed queue of a subscription goes with it."""
        if definition.kind == "SUB":
            from ..qmgr import subscriptions

            subscriptions.release(qmgr, definition)

    def check(
        self, qmgr: Any, kind: str, name: str, wanted: dict[str, Any], present: Definition | None, verb: str
    ) -> None:
        """What a topic, a subscription, or a queue that streams cannot have."""
        if kind in ("SUB", "TOPIC") or wanted.get("STREAMQ"):
            from .checks import check

            check(qmgr, kind, name, wanted, present, verb)

    def applied(self, queue: LocalQueue) -> None:
        """Let a queue stream as its definition says now."""
        if queue.stream is not None or queue.definition.attributes.get("STREAMQ"):
            from ..qmgr import streaming

            streaming.attach(queue)


EXTRA = PubSub()
