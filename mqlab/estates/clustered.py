"""Names that may lead into a cluster: which definitions of the estate have them there; and the clusters of a lab, run.

An estate is read, not run: no queue manager asks a full repository, so that the doctor does not judge these names yet.
The proofs of the checks of clusters run the clusters of their lab.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..clusters.plug import EXTRA, LEFT_OUT
from ..engine.words import constants as mq
from ..engine.words.errors import MQError
from ..gates.network import DEFAULT_PORT
from ..topology.clusters import joined

if TYPE_CHECKING:
    from ..lab.lab import Lab
    from ..lab.queue_manager import QueueManager


class InCluster(NamedTuple):
    """A cluster in which a name is known: its hosts, and `joining`, the queue manager that asks if it is no member."""

    cluster: str
    hosts: tuple[str, ...]
    joining: str

    @property
    def said(self) -> str:
        """The fact in a sentence, and that it is not judged."""
        return f"{self.fact}; the doctor does not judge routes through clusters yet"

    @property
    def fact(self) -> str:
        """The fact in a sentence."""
        to, joins = " or ".join(self.hosts), f" if {self.joining} joins it" if self.joining else ""
        return f"cluster {self.cluster} may route it to {to}{joins}"


def in_cluster(qmgr: QueueManager, kind: str, name: str, within: tuple[str, ...] | None = None) -> InCluster | None:
    """The cluster in which other queue managers of the estate have a name, rather one of `qmgr` itself; None if no
    cluster has it, or none of the clusters `within`.

    `kind` is QLOCAL for a queue of any kind, QMGR, or that of an object of an extra.
    """
    hosts: dict[str, list[str]] = {}
    for other in qmgr.lab.queue_managers:
        has = other.objects.clusters_of(other.objects.named("QLOCAL" if kind == "QMGR" else kind, name))
        for cluster in (*has, *(joined(other) if (kind, name) == ("QMGR", other.name) else ())):
            if within is None or cluster in within:
                hosts.setdefault(cluster, []).append(other.name)
    if not hosts:
        return None
    own = joined(qmgr)
    cluster = next((each for each in own if each in hosts), next(iter(hosts)))
    return InCluster(cluster, tuple(dict.fromkeys(hosts[cluster])), "" if cluster in own else qmgr.name)


def unsure_of(qmgr: QueueManager, kind: str, name: str) -> str:
    """Why a cluster may have a name that its queue manager does not define; "" if none may."""
    found = in_cluster(qmgr, kind, name)
    return found.fact if found else "no script here defines it" if joined(qmgr) else ""


def instead(qmgr: QueueManager, name: str, refused: MQError) -> InCluster | None:
    """The cluster in which IBM MQ may find the name for which a put to `name` is refused; None for none."""
    grounds: Any = refused.grounds
    if grounds.case in ("no-queue", "misspelled-queue"):
        return in_cluster(qmgr, "QLOCAL", name.partition("@")[0])
    if (grounds.reason, grounds.case) == (mq.MQRC_UNKNOWN_ALIAS_BASE_Q, "not-defined"):
        return in_cluster(qmgr, grounds.fields["kind"], grounds.fields["base"])
    return in_cluster(qmgr, "QMGR", grounds.fields["qmgr"]) if grounds.case == "no-way" else None


def addresses(conname: str) -> tuple[str, ...]:
    """The addresses of a CONNAME, each with its port."""
    parts = (part.strip().lower() for part in conname.split(","))
    return tuple(part if "(" in part else f"{part}({DEFAULT_PORT})" for part in parts if part)


def loopback(conname: Iterable[str]) -> bool:
    """Whether one of these addresses is that of the calling machine itself."""
    return any(one.startswith(("localhost", "127.", "::1", "[::1")) for one in conname)


def run_clusters(lab: Lab) -> None:
    """Let the clusters run whose definitions a lab has only read, for 120 seconds; each CONNAME of a CLUSRCVR channel
    is the address of its queue manager, but one of the machine itself only if all are."""
    kinds = [(qmgr, kind) for qmgr in lab.queue_managers for kind in ("CLUSRCVR", "CLUSSDR")]
    channels = [(qmgr, channel) for qmgr, kind in kinds for channel in qmgr.objects.having("CHANNEL", kind)]
    owners: dict[str, str] = {}
    for qmgr, channel in channels:
        for address in addresses(channel.attributes["CONNAME"]) if channel.attributes["CHLTYPE"] == "CLUSRCVR" else ():
            owners.setdefault(address, qmgr.name)
    alone = all(loopback([address]) for address in owners)
    for _, channel in channels:
        for part in channel.attributes["CONNAME"].split(","):
            owner = next((owners.get(each) for each in addresses(part) if alone or not loopback([each])), None)
            if owner:
                lab.address(part.strip(), owner)
    for qmgr in lab.queue_managers:
        qmgr.kept.pop(LEFT_OUT, None)
        for queue in qmgr.queues:
            EXTRA.applied(queue)
    for qmgr, channel in channels:
        EXTRA.configured(qmgr, channel, "define", 0)
    lab.advance(120)
