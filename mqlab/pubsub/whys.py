"""Why something happened with topics and subscriptions: the cases that only these have, as in
`mqlab.engine.words.whys`."""

from __future__ import annotations

from ..engine.words.whys import Why


class ClusterWouldPublish(Why):
    """IBM MQ would also publish to other members of a cluster."""

    others: list[str]
    cluster: str


class Expired(Why):
    """A subscription expired."""
