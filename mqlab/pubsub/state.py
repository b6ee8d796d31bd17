"""The state that publish/subscribe keeps for a queue manager."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..engine.words import catalog
from ..engine.words.objects import Definition
from .topics import blocked_by, matches, wanted_string


class Made(NamedTuple):
    """A subscription as it was made: its whole topic string, and the branches that WILDCARD(BLOCK) keeps from it."""

    string: str
    blocked: tuple[str, ...]


class Index:
    """The subscriptions of a queue manager by their whole topic string, those with a wildcard apart."""

    def __init__(self) -> None:
        self._places: dict[str, dict[str, Definition]] = {}  # by the key of each, where it is
        self._plain: dict[str, dict[str, Definition]] = {}
        self._patterns: dict[str, Definition] = {}

    def candidates(self, qmgr: Any, string: str) -> list[Definition]:
        """The subscriptions that may match a topic string, by name."""
        self._follow(qmgr)
        found = [*self._plain.get(string, {}).values(), *self._patterns.values()]
        return sorted(found, key=lambda subscription: (subscription.name, subscription.key))

    def _follow(self, qmgr: Any) -> None:
        changed = qmgr.objects.changed("SUB")
        if qmgr.objects.changed("TOPIC"):  # which a subscription may have waited for
            changed = qmgr.objects.match(("SUB",))
        for definition in changed:
            self._places.pop(definition.key, {}).pop(definition.key, None)
            present = qmgr.objects.get("SUB", definition.key)
            if present is not None:
                string = made(qmgr, present).string
                wildcards = "*?%" if present.attributes["WSCHEMA"] == "CHAR" else "+#"
                plain = not any(each in string for each in wildcards)
                by_key = self._plain.setdefault(string, {}) if plain else self._patterns
                by_key[definition.key] = present
                self._places[definition.key] = by_key


class State:
    """The open handles of subscriptions, how each was made, when subscriptions expire (microseconds), the SUBIDs of
    those in groups, the topic strings that publications were retained for, and where subscriptions are found.

    A network of queue managers fills `network`, which chooses the proxy subscriptions that a publication goes to
    (`sends`) and is called when subscriptions change (`subscribed`), and `topics`: topic objects of others, by topic
    string.
    """

    def __init__(self) -> None:
        self.subscriptions: list[Any] = []
        self.made: dict[Definition, Made] = {}
        self.expiring: dict[Definition, int] = {}
        self.grouped: set[str] = set()
        self.retained_topics: set[str] = set()
        self.index = Index()
        self.network: Any = None
        self.topics: dict[str, Definition] = {}


def state_of(qmgr: Any) -> State:
    """The state of a queue manager, empty at first."""
    state: State | None = qmgr.kept.get("pubsub")
    if state is None:
        state = qmgr.kept["pubsub"] = State()
    return state


def kept_of(subscription: Definition, platform: str) -> list[str]:
    """What a subscription sets and nothing acts on; of PSPROP, NONE alone acts."""
    found = catalog.unacted("SUB", subscription.attributes, platform)
    return [word for word in found if word != "PSPROP(NONE)"]


def made(qmgr: Any, subscription: Definition) -> Made:
    """How a subscription was made: it keeps its topic string and blocked branches, whatever becomes of topic objects.

    One whose topic object is still to come, as in a script that defines it later, gets them when that is there.
    """
    known, has = state_of(qmgr).made, subscription.attributes
    if subscription not in known:
        string, by_character = wanted_string(qmgr, has), has["WSCHEMA"] == "CHAR"
        if not string:
            return Made("", ())
        known[subscription] = Made(string, blocked_by(qmgr, string, by_character))
    return known[subscription]


def topic_tree(qmgr: Any, wanted: str, published: Iterable[str]) -> dict[str, list[Definition]]:
    """Topic string of a node of the topic tree that `wanted` matches -> the subscriptions there, by topic string.

    A topic object, a subscription and a publication (`published`, their topic strings) make a node, and those above it.
    """
    subscribed: dict[str, list[Definition]] = {}
    for subscription in qmgr.objects.match(("SUB",)):
        if "SUBID" in subscription.attributes:  # SYSTEM.DEFAULT.SUB is none
            subscribed.setdefault(made(qmgr, subscription).string, []).append(subscription)
    nodes = {""}
    defined = [topic.attributes["TOPICSTR"] for topic in qmgr.objects.match(("TOPIC",))]
    for string in (*subscribed, *published, *defined, *state_of(qmgr).topics):
        nodes |= {string, *(string[:at] for at, character in enumerate(string) if character == "/")}
    return {string: subscribed.get(string, []) for string in sorted(nodes) if matches(wanted, string)}
