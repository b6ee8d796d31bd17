"""SUSPEND and RESUME QMGR, REFRESH and RESET CLUSTER: accepted first, then carried out by the repository manager."""

from __future__ import annotations

from typing import Any

from ..engine.commands.replies import Refused
from ..engine.programs.channels import control
from . import manager_of
from .manager import Manager
from .publishing import QMGR

HISTORY = "SYSTEM.CLUSTER.HISTORY.QUEUE"


def suspend(qmgr: Any, command: Any) -> str | None:
    """SUSPEND or RESUME QMGR for a cluster, or for the clusters of a namelist (CLU-57)."""
    clusters = _clusters(qmgr, command)
    if clusters is None:
        return None
    manager = manager_of(qmgr)
    for cluster in clusters:
        if manager is None or cluster not in manager.clusters():
            raise Refused(8000, "no-member", qmgr=qmgr.name, cluster=cluster)
        manager.later(lambda cluster=cluster: manager.suspend(cluster, command.verb == "SUSPEND"))
    if command.verb == "SUSPEND" and command.options.get("MODE") == "FORCE" and manager is not None:
        _end_channels(manager, clusters)
    return f"AMQ{'8557I' if command.verb == 'SUSPEND' else '8558I'}: {command.verb} QMGR accepted."


def _clusters(qmgr: Any, command: Any) -> list[str] | None:
    """The clusters that a command is about; None if it is about something else."""
    if "CLUSTER" in command.options:
        return [command.options["CLUSTER"]]
    if "CLUSNL" not in command.options:
        return None
    listed = qmgr.objects.get("NAMELIST", command.options["CLUSNL"])
    if listed is None:
        raise Refused(8147, "no-object", object="NAMELIST", name=command.options["CLUSNL"])
    return list(listed.attributes["NAMES"])


def _end_channels(manager: Manager, clusters: list[str]) -> None:
    """MODE(FORCE): end the channels from and to other members."""
    qmgr, names = manager.qmgr, set()
    for member in manager.repository.members():
        if member.cluster in clusters:
            names.add(member.facts["channel"])
    for channel in list(qmgr.channels.values()):
        if channel.name in names and channel.active:
            control.stop(qmgr, channel.name, "FORCE", "INACTIVE", [channel])


def refresh(qmgr: Any, command: Any) -> str:
    """REFRESH CLUSTER: the repository manager forgets what others said, and learns it anew (CLU-58)."""
    manager = manager_of(qmgr)
    joined = [] if manager is None else manager.clusters()
    clusters = joined if command.name == "*" else [each for each in joined if each == command.name]
    if manager is None or not clusters:
        raise Refused(8000, "no-member", qmgr=qmgr.name, cluster=command.name)
    history = qmgr.targets.get(HISTORY)
    for cluster in clusters:
        if history is not None and not history.put_inhibited:
            qmgr.reporter(None).put(HISTORY, f"REFRESH CLUSTER({cluster})", persistent=True)
        manager.later(lambda cluster=cluster: manager.refresh(cluster, command.options.get("REPOS") == "YES"))
    return "AMQ8556I: REFRESH CLUSTER accepted."


def reset(qmgr: Any, command: Any) -> str:
    """RESET CLUSTER ACTION(FORCEREMOVE): a full repository lets all members forget one (CLU-59)."""
    manager, cluster = manager_of(qmgr), command.name
    if manager is None or not manager.full(cluster):
        raise Refused(8000, "no-full-repository", qmgr=qmgr.name, cluster=cluster)
    manager.later(lambda: _remove(manager, cluster, command.options))
    return "AMQ8559I: RESET CLUSTER accepted."


def _remove(manager: Manager, cluster: str, options: dict[str, Any]) -> None:
    """Remove the one member that is meant; the log says so if there is none, or more than one."""
    name = options.get("QMNAME") or options["QMID"]
    members = [one for one in manager.repository.members(cluster) if name in (one.qmgr, one.qmid)]
    members = [one for one in members if one.qmid != manager.repository.own]
    if len(members) != 1:
        manager.log("not-removed", cluster, QMGR, name, "CLU-59", host=manager.qmgr.name, found=len(members))
        return
    version = max(one.version for one in manager.repository if one.qmid == members[0].qmid)
    queues = options.get("QUEUES") == "YES"
    manager.log("removed", cluster, QMGR, members[0].qmgr, "CLU-59", host=manager.qmgr.name)
    manager.remove(cluster, members[0].qmid, queues, version, manager.repository.own)
