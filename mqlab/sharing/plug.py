"""The additions of queue sharing to the engine: shared definitions and queues, masters, and intra-group queuing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..engine.extra import Extra, later
from ..engine.words.whys import Why, cases_in
from . import group_of

if TYPE_CHECKING:
    import networkx as nx

    from ..engine.commands.command import Command
    from ..engine.extra import Scope
    from ..engine.queues.queue import LocalQueue, Remote
    from ..engine.queues.queue_manager import QueueManager
    from ..engine.queues.target import Lab
    from ..engine.words.objects import Definition, ObjectTable
    from ..engine.world.event import Event

_AGENT = "IGQ.AGENT"  # as rows call it


class Sharing(Extra):
    """Queue sharing groups of z/OS."""

    name = "sharing"
    nodes = {"CFSTRUCT": "structure"}
    dead_letter_rules = ("IGQ-09",)
    failure_rule = "QSG-06"
    acts_itself = frozenset({"QSG-07", "allocate", "recover"})
    faces = {"sharing.group.QueueSharingGroup": "cards.lab_cards.group_card"}
    choices = frozenset({"CHLDISP", "CMDSCOPE", "QSGDISP"})
    shows = {"CFSTATUS": later(__package__, "structure_commands", "structure_status")}
    _request = later(__package__, "structure_commands", "structure_request")
    commands = dict.fromkeys([("BACKUP", "CFSTRUCT"), ("RECOVER", "CFSTRUCT"), ("RESET", "CFSTRUCT")], _request)
    unread = frozenset({"CHLDISP", "CMDSCOPE", "EXCLINT"})

    def restarting(self, qmgr: QueueManager) -> None:
        """Copies are brought up to date, and work that waited for a peer is backed out."""
        if group := group_of(qmgr):
            group.started(qmgr)

    def ended(self, qmgr: QueueManager, cause: int) -> None:
        """Another member may have to scan the shared queues, and backs out work on them at once (QSG-07)."""
        if group := group_of(qmgr):
            group.scanning.ended(qmgr, cause)
            group.recover_work(qmgr)

    def interval_set(self, qmgr: QueueManager) -> None:
        """The seat of the member that scans may change hands (EXP-34)."""
        if group := group_of(qmgr):
            group.scanning.interval_set(qmgr)

    def values(self, qmgr: QueueManager) -> dict[str, Any]:
        """QSGNAME."""
        group = group_of(qmgr)
        return {"QSGNAME": group.name if group else ""}

    def scope(self, qmgr: QueueManager, definition: Definition) -> Scope | None:
        """The scope of a shared queue, or of a structure of a member."""
        group = group_of(qmgr)
        shared = definition.kind == "CFSTRUCT" or definition.attributes.get("QSGDISP") == "SHARED"
        return group.scope if shared and group else None

    def prepared(
        self, qmgr: QueueManager, kind: str, name: str, attributes: dict[str, Any], like: str | None
    ) -> dict[str, Any]:
        """A dynamic queue of a model with DEFTYPE(SHAREDYN) is shared; the rest asks for a QSGDISP that it can have."""
        if kind == "QLOCAL" and attributes.get("DEFTYPE") == "SHAREDYN":
            attributes = {**attributes, "QSGDISP": "SHARED"}
        if kind == "CFSTRUCT" or attributes.get("QSGDISP", "QMGR") != "QMGR":
            from .definitions import require_disposition

            require_disposition(qmgr, kind, name, attributes.get("QSGDISP", "QMGR"))
        return attributes

    def define(
        self,
        qmgr: QueueManager,
        kind: str,
        name: str,
        attributes: dict[str, Any],
        complete: Callable[[], dict[str, Any]],
        replace: bool,
    ) -> Definition | None:
        """A master, with a copy on each running member."""
        if attributes.get("QSGDISP") != "GROUP":
            return None
        return group_of(qmgr).masters.define(qmgr, kind, name, complete(), replace)

    def check(
        self, qmgr: QueueManager, kind: str, name: str, wanted: dict[str, Any], present: Definition | None, verb: str
    ) -> None:
        """Attributes that a structure or a shared queue cannot have."""
        if qmgr.platform == "zos" or kind == "CFSTRUCT":
            from .definitions import check

            check(qmgr, kind, name, wanted, present, verb)

    def check_delete(self, qmgr: QueueManager, kind: str, name: str) -> None:
        """A structure that holds queues stays."""
        if kind == "CFSTRUCT" and (group := group_of(qmgr)):
            group.require_quiet(qmgr, name, "delete", empty=False)

    def members(self, qmgr: QueueManager, scope: str) -> list[QueueManager]:
        """The members of its group that a command with this CMDSCOPE is for."""
        from .dispositions import in_scope

        return in_scope(qmgr, scope)

    def elsewhere(self, qmgr: QueueManager, command: Command) -> list[QueueManager] | None:
        """The other members that a command is for; None if it is for this member alone."""
        if group_of(qmgr) is None or not qmgr.running:
            return None
        from .dispositions import elsewhere

        return elsewhere(qmgr, command)

    def alter(self, qmgr: QueueManager, kind: str, name: str, attributes: dict[str, Any]) -> bool:
        """A master is altered with its copies; any other object must have the QSGDISP that the command is about."""
        disposition = attributes.pop("QSGDISP", "QMGR")
        if group_of(qmgr) is None and disposition == "QMGR":
            return False
        from .dispositions import alter

        return alter(qmgr, kind, name, attributes, disposition)

    def delete(self, qmgr: QueueManager, command: Command, kind: str) -> bool:
        """A master is deleted with its copies; another object must have the QSGDISP of the command."""
        if group_of(qmgr) is None and command.options.get("QSGDISP", "QMGR") == "QMGR":
            return False
        from .dispositions import delete

        return delete(qmgr, command, kind)

    def asked(self, qmgr: QueueManager, command: Command) -> None:
        """A CLEAR is only for a queue with the QSGDISP of the command."""
        disposition = command.options.get("QSGDISP", "PRIVATE")
        if command.verb == "CLEAR" and (group_of(qmgr) is not None or disposition != "PRIVATE"):
            from .dispositions import require_disposition

            require_disposition(qmgr, "QLOCAL", command.name, disposition)

    def others(self, qmgr: QueueManager, command: Command) -> list[ObjectTable]:
        """With QSGDISP(GROUP) or QSGDISP(ALL), the masters of the group."""
        group = group_of(qmgr)
        return [group.masters.objects] if group and command.attributes.get("QSGDISP") in ("GROUP", "ALL") else []

    def leaves_out(self, command: Command, values: Mapping[str, Any]) -> bool:
        """An object with another QSGDISP than DISPLAY asks for."""
        if "QSGDISP" not in values:
            return False
        from .dispositions import shown_by

        return not shown_by(command.attributes.get("QSGDISP", "LIVE"), values["QSGDISP"])

    def concerns(self, qmgr: QueueManager, event: Event) -> bool:
        """A row of a shared queue that is about this member: its own call, or a definition."""
        group = group_of(qmgr)
        if group is None or event.qmgr != group.name:
            return False
        if event.kind in ("define", "alter", "delete"):
            return event.object_type == "QLOCAL"
        return bool(event.facts.get("member") == qmgr.name)

    def cases(self) -> Mapping[str, type[Why]]:
        """The reasons of shared queues, structures, and agents."""
        from . import whys

        return cases_in(whys)

    def placed(self, queue: LocalQueue, number: int) -> tuple[str, str, str, str] | None:
        """A message on the shared transmission queue waits for its agent."""
        transmits = getattr(queue, "structure", None) is not None and queue.direct_rule == "IGQ-13"
        return group_of(queue.qmgr).igq.placed(number) if transmits else None

    def carried(self, qmgr: QueueManager, who: str, number: int, whose: str) -> tuple[str, str, str, str] | None:
        """An IGQ agent holds the message."""
        group = group_of(qmgr)
        return None if group is None else group.igq.carried(qmgr, who == _AGENT, number, whose)

    def logged(self, row: Event) -> str:
        """Agents that start, dead-letter, and end, and structures that are allocated."""
        if row.kind == "put" and row.program == _AGENT and "DestQName" in row.facts:
            return "igq-dead"
        if row.kind == "program" and row.program == _AGENT:
            return "igq" if row.facts["state"] == "started" else "igq-ends"
        return "structure" if row.kind == "allocate" else ""

    def draw_owners(self, graph: nx.DiGraph, lab: Lab) -> None:
        """The groups and their members."""
        if any(map(group_of, lab.queue_managers)):
            from .picture import draw_owners

            draw_owners(graph, lab)

    def draw(self, graph: nx.DiGraph, lab: Lab) -> None:
        """The structures of each group."""
        if any(map(group_of, lab.queue_managers)):
            from .picture import draw

            draw(graph, lab)

    def means_here(self, qmgr: QueueManager, queue: str, qmgr_name: str) -> bool:
        """The name of its group; with SQQMNAME(IGNORE) and a shared queue, also the name of another member."""
        group = group_of(qmgr)
        if group is None:
            return False
        shared = getattr(qmgr.targets.get(queue), "structure", None) is not None
        return qmgr_name == group.name or (shared and qmgr.attributes["SQQMNAME"] == "IGNORE" and group.has(qmgr_name))

    def route(
        self,
        application: Any,
        name: str,
        path: list[Definition],
        to: tuple[str, str],
        by_channel: Callable[[], Remote | None],
    ) -> tuple[Remote | None] | None:
        """The queue of another member of the group may be reached by intra-group queuing, unless a definition names an
        XMITQ."""
        group = group_of(application.qmgr)
        if group is None or not group.has(to[1]):
            return None
        return (group.igq.route(application.qmgr, name, path, to, by_channel),)


EXTRA = Sharing()
