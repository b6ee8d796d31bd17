"""Why something happened with topics and subscriptions: the cases that only these have, as in
`mqlab.engine.words.whys`."""

from __future__ import annotations

from ..engine.words.whys import Refused, Why


class ClusterWouldPublish(Why):
    """IBM MQ would also publish to other members of a cluster: only in logs of versions without clusters."""

    others: list[str]
    cluster: str


class Expired(Why):
    """A subscription expired."""


# Like `ClusterWouldPublish`, these are only in logs of versions that did not simulate clusters.
class ClusterWouldTake(Why):
    """IBM MQ would route a put to one of these hosts; `joining` is the queue manager if it is not in the cluster."""

    hosts: list[str]
    cluster: str
    joining: str


class RefusedWithoutCluster(Why):
    """A name is refused that IBM MQ would find in a cluster."""

    call: Refused
    hosts: list[str]
    cluster: str
    joining: str
