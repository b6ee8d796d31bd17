"""Commands that leave work to the repository manager: definitions, which also start it, and SUSPEND and RESUME QMGR,
REFRESH and RESET CLUSTER, which are accepted first."""

from __future__ import annotations

from typing import Any

from ..engine.commands.replies import Refused
from ..engine.programs.channels import control
from ..engine.words.objects import Definition
from . import clustered, manager_of
from .manager import Manager
from .publishing import QMGR, TOPIC, own_records

HISTORY = "SYSTEM.CLUSTER.HISTORY.QUEUE"
_OF_QMGR = ("REPOS", "REPOSNL", "DEFCLXQ")


def managed(qmgr: Any) -> Manager:
    """The repository manager of a queue manager, which starts with the first definition that is about a cluster."""
    manager = qmgr.kept["clusters"] = manager_of(qmgr) or Manager(qmgr)
    if qmgr.running:
        manager.start()
    return manager


def changed(qmgr: Any, definition: Definition, verb: str, before: dict[str, Any] | None) -> None:
    """A definition changed: what the queue manager says of it, or of its membership."""
    # a deletion starts nothing: dynamic queues are also deleted while the queue manager ends
    own = manager_of(qmgr) if verb == "delete" else managed(qmgr)
    kind, chltype = definition.kind, definition.attributes.get("CHLTYPE")
    if kind == "QMGR":
        if before is None or any(before.get(word) != definition.attributes.get(word) for word in _OF_QMGR):
            own.changed()
    elif chltype == "CLUSRCVR" and verb == "delete":
        _left_behind(own)
    elif kind == "NAMELIST" or chltype in ("CLUSSDR", "CLUSRCVR"):
        own.changed()
    elif kind == "QLOCAL" and definition.attributes["USAGE"] == "XMITQ":
        own.later(own.channels.look)  # gets may be enabled again
    elif clustered(before or {}) or clustered(definition.attributes):
        shared = definition.attributes.get("QSGDISP") == "SHARED"  # each member of the group advertises it (CLU-73)
        for one in qmgr.lab.queue_managers if shared else (qmgr,):
            if (manager := manager_of(one)) is not None:
                manager.changed((TOPIC if kind == TOPIC else "QLOCAL", definition.name))


def _left_behind(own: Manager) -> None:
    """A CLUSRCVR is deleted before it left its cluster: no message says it, the others keep a ghost (CLU-61)."""
    present = own_records(own.qmgr, own.suspended)
    for record in [own.own.pop(key) for key in list(own.own) if key not in present]:
        if record.key in own.repository.records:
            own.repository.remove(own.repository.records[record.key])
            own.touched[record.key] = None
        if record.kind == QMGR:
            own.log("deleted", record.cluster, QMGR, own.qmgr.name, "CLU-61", host=own.qmgr.name)
    own.nudge()


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
    names = {one.facts["channel"] for one in manager.repository.members() if one.cluster in clusters}
    for channel in list(manager.qmgr.channels.values()):
        if channel.name in names and channel.active:
            control.stop(manager.qmgr, channel.name, "FORCE", "INACTIVE", [channel])


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
    name, own = options.get("QMNAME") or options["QMID"], manager.repository.own
    others = [record for record in manager.repository.members(cluster) if record.qmid != own]
    members = [record for record in others if name in (record.qmgr, record.qmid)]
    if len(members) != 1:
        manager.log("not-removed", cluster, QMGR, name, "CLU-59", host=manager.qmgr.name, found=len(members))
        return
    version = max(record.version for record in manager.repository if record.qmid == members[0].qmid)
    queues = options.get("QUEUES") == "YES"
    manager.log("removed", cluster, QMGR, members[0].qmgr, "CLU-59", host=manager.qmgr.name)
    manager.on_remove(own, cluster, members[0].qmid, queues, version)
