"""What publish/subscribe keeps of a queue manager."""

from __future__ import annotations

from typing import Any

from ..mq.objects import Definition


class State:
    """The open handles of subscriptions, when subscriptions expire (microseconds), the SUBIDs of those in groups, and
    the topic strings that publications were retained for."""

    def __init__(self) -> None:
        self.subscriptions: list[Any] = []
        self.expiring: dict[Definition, int] = {}
        self.grouped: set[str] = set()
        self.retained_topics: set[str] = set()


def state_of(qmgr: Any) -> State:
    """The state of a queue manager, empty at first."""
    state: State | None = qmgr.kept.get("pubsub")
    if state is None:
        state = qmgr.kept["pubsub"] = State()
    return state
