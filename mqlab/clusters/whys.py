"""Reasons that only clusters have, as in `mqlab.engine.words.whys`."""

from __future__ import annotations

from ..engine.words.whys import Refused, Why


class ClusterWouldTake(Why):
    """IBM MQ would route a put to one of these hosts; `joining` is this queue manager if it is not in the cluster."""

    hosts: list[str]
    cluster: str
    joining: str


class RefusedWithoutCluster(Why):
    """A name is refused that IBM MQ would find in a cluster: only in logs of older versions."""

    call: Refused
    hosts: list[str]
    cluster: str
    joining: str
