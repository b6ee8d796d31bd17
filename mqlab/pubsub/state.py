"""The state that publish/subscribe keeps for a queue manager."""

from __future__ import annotations

from typing import Any

from ..engine.words.objects import Definition
from .topics import subscribed


class Index:
    """The subscriptions of a queue manager by their whole topic string, those with a wildcard apart."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[dict[str, Definition], str]] = {}  # by the key of each, where it is
        self._plain: dict[str, dict[str, Definition]] = {}
        self._patterns: dict[str, Definition] = {}

    def candidates(self, qmgr: Any, string: str) -> list[Definition]:
        """The subscriptions that may match a topic string, by name."""
        self._follow(qmgr)
        found = [*self._plain.get(string, {}).values(), *self._patterns.values()]
        return sorted(found, key=lambda subscription: (subscription.name, subscription.key))

    def _follow(self, qmgr: Any) -> None:
        changed = qmgr.objects.changed("SUB")
        if qmgr.objects.changed("TOPIC"):  # whose topic strings are parts of those of subscriptions
            changed = qmgr.objects.match(("SUB",))
        for definition in changed:
            by_key, _ = self._places.pop(definition.key, ({}, ""))
            by_key.pop(definition.key, None)
            present = qmgr.objects.get("SUB", definition.key)
            if present is not None:
                string = subscribed(qmgr, present.attributes)
                wildcards = "*?%" if present.attributes["WSCHEMA"] == "CHAR" else "+#"
                plain = not any(each in string for each in wildcards)
                by_key = self._plain.setdefault(string, {}) if plain else self._patterns
                by_key[definition.key] = present
                self._places[definition.key] = by_key, string


class State:
    """The open handles of subscriptions, when subscriptions expire (microseconds), the SUBIDs of those in groups, the
    topic strings that publications were retained for, and where subscriptions are found."""

    def __init__(self) -> None:
        self.subscriptions: list[Any] = []
        self.expiring: dict[Definition, int] = {}
        self.grouped: set[str] = set()
        self.retained_topics: set[str] = set()
        self.index = Index()


def state_of(qmgr: Any) -> State:
    """The state of a queue manager, empty at first."""
    state: State | None = qmgr.kept.get("pubsub")
    if state is None:
        state = qmgr.kept["pubsub"] = State()
    return state
